//! The meaning of an unquoted word: the core schema of YAML 1.2.

use super::node::Value;

/// A number that is not accepted: `.nan`, `.inf`, or too large to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NotFinite;

/// The value of an unquoted scalar. `yes` and `on` are text, `0o17` and `0x1F` are integers, and an integer beyond 64 bits
/// becomes a float, which no integer field accepts.
pub(super) fn plain(word: &str) -> Result<Value, NotFinite> {
    match word {
        "" | "~" | "null" | "Null" | "NULL" => return Ok(Value::Null),
        "true" | "True" | "TRUE" => return Ok(Value::Bool(true)),
        "false" | "False" | "FALSE" => return Ok(Value::Bool(false)),
        ".nan" | ".NaN" | ".NAN" => return Err(NotFinite),
        _ => {}
    }
    if matches!(word.trim_start_matches(['+', '-']), ".inf" | ".Inf" | ".INF") {
        return Err(NotFinite);
    }
    for (prefix, radix) in [("0x", 16), ("0o", 8)] {
        if let Some(digits) =
            word.strip_prefix(prefix).filter(|digits| digits.chars().all(|c| c.is_digit(radix)))
        {
            return radix_integer(word, digits, radix);
        }
    }
    match number_length(word) {
        Some(length) if length == word.len() => decimal(word),
        _ => Ok(Value::Text(word.to_owned())),
    }
}

fn radix_integer(word: &str, digits: &str, radix: u32) -> Result<Value, NotFinite> {
    if digits.is_empty() {
        return Ok(Value::Text(word.to_owned()));
    }
    let wide = u128::from_str_radix(digits, radix).map_err(|_| NotFinite)?;
    Ok(i64::try_from(wide).map_or(Value::Float(wide as f64), Value::Int))
}

fn decimal(word: &str) -> Result<Value, NotFinite> {
    if let Ok(integer) = word.parse::<i64>() {
        return Ok(Value::Int(integer));
    }
    word.parse::<f64>().ok().filter(|number| number.is_finite()).map(Value::Float).ok_or(NotFinite)
}

/// The length in bytes of the decimal number at the start of a text: sign, digits, fraction, exponent.
pub(super) fn number_length(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let digits = |from: usize| bytes.iter().skip(from).take_while(|b| b.is_ascii_digit()).count();
    let mut end = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
    let whole = digits(end);
    end += whole;
    if bytes.get(end) == Some(&b'.') {
        let fraction = digits(end + 1);
        if whole + fraction == 0 {
            return None;
        }
        end += 1 + fraction;
    } else if whole == 0 {
        return None;
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits(end + 1 + sign);
        if exponent > 0 {
            end += 1 + sign + exponent;
        }
    }
    Some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_the_meaning_that_yaml_defines() {
        let check = |word: &str, expected: Value| assert_eq!(plain(word), Ok(expected), "{word}");
        let text = |word: &str| Value::Text(word.into());
        check("", Value::Null);
        check("~", Value::Null);
        check("TRUE", Value::Bool(true));
        for word in [
            "yes", "off", "nUll", "5 min", "1_000", "1.2.3", "+", "-", ".", "e5", "0x", "0o8", "0b1", "1e",
            "--1",
        ] {
            check(word, text(word));
        }
        check("007", Value::Int(7));
        check("+5", Value::Int(5));
        check("-9223372036854775808", Value::Int(i64::MIN));
        check("9223372036854775808", Value::Float(9.223372036854776e18));
        check("0x1F", Value::Int(31));
        check("0o17", Value::Int(15));
        check("5.", Value::Float(5.0));
        check(".5", Value::Float(0.5));
        check("-1.5E+3", Value::Float(-1500.0));
        check("1e-400", Value::Float(0.0));
    }

    #[test]
    fn infinite_numbers_are_refused() {
        for word in
            [".nan", ".NaN", ".inf", "-.inf", "+.INF", "1e999", "-1e400", &format!("0x{}", "f".repeat(40))]
        {
            assert_eq!(plain(word), Err(NotFinite), "{word}");
        }
        assert_eq!(plain(&"9".repeat(400)), Err(NotFinite));
    }
}
