//! Which rows count: those in which an indicator is above or below a value.

use std::str::FromStr;

/// A condition on one indicator, such as `speed>0.05`.
#[derive(Clone, Debug, PartialEq)]
pub struct Filter {
    /// The name of the indicator.
    pub name: String,
    /// True if larger values count, false if smaller ones do.
    above: bool,
    value: f64,
}

impl Filter {
    /// True if a row with this value counts. One without a value does not.
    pub fn accepts(&self, value: Option<f64>) -> bool {
        value.is_some_and(|value| if self.above { value > self.value } else { value < self.value })
    }
}

impl FromStr for Filter {
    type Err = String;

    fn from_str(text: &str) -> Result<Filter, String> {
        let accepted = || {
            format!(
                "`{text}` is no condition: give an indicator, `>` or `<`, and a number, such as speed>0.05"
            )
        };
        let sign = text.find(['<', '>']).ok_or_else(accepted)?;
        let (name, value) = (text[..sign].trim(), text[sign + 1..].trim());
        let value: f64 = value.parse().map_err(|_| accepted())?;
        if name.is_empty() || !value.is_finite() {
            return Err(accepted());
        }
        Ok(Filter { name: name.to_string(), above: text[sign..].starts_with('>'), value })
    }
}
