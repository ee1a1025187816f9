//! What a log says about the scanner that made it: a first line such as `# first-ray-deg=-180 step-deg=2 max-range-m=10.2`.

use super::log::LogError;
use std::fmt;

const FIRST: &str = "first-ray-deg";
const STEP: &str = "step-deg";
const REACH: &str = "max-range-m";

/// The rays of a scanner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scanner {
    /// Direction of the first ray relative to the front. [deg]
    pub first: f64,
    /// Angle between two rays. [deg]
    pub step: f64,
    /// Readings from this on saw nothing. [m]
    pub reach: f64,
}

impl Scanner {
    /// Of a line that begins with `#`.
    pub(super) fn parse(line: &str) -> Result<Scanner, LogError> {
        let value = |name: &str, low: f64, high: f64| {
            let said = line.split_whitespace().find_map(|part| part.strip_prefix(name)?.strip_prefix('='));
            let value = said.and_then(|said| said.parse::<f64>().ok());
            value.filter(|value| (low..=high).contains(value)).ok_or_else(|| {
                let message = format!("a line that begins with # describes the scanner; it needs {name}=, a number from {low} to {high}");
                LogError::at(1, message)
            })
        };
        Ok(Scanner {
            first: value(FIRST, -360.0, 360.0)?,
            step: value(STEP, 0.001, 360.0)?,
            reach: value(REACH, 0.1, 1000.0)?,
        })
    }

    /// Directions of so many rays relative to the front. [rad]
    pub(super) fn angles(&self, rays: usize) -> Vec<f64> {
        (0..rays).map(|ray| (self.first + self.step * ray as f64).to_radians()).collect()
    }
}

impl fmt::Display for Scanner {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "# {FIRST}={} {STEP}={} {REACH}={}", self.first, self.step, self.reach)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let scanner = Scanner { first: -135.0, step: 0.5, reach: 10.2 };
        assert_eq!(Scanner::parse(&scanner.to_string()).expect("a scanner"), scanner);
        let angles = scanner.angles(3);
        assert!((angles[2].to_degrees() + 134.0).abs() < 1e-9);
    }

    #[test]
    fn what_is_missing_or_absurd_is_named() {
        for (line, name) in [
            ("# x", FIRST),
            ("# first-ray-deg=0", STEP),
            ("# first-ray-deg=0 step-deg=1 max-range-m=nan", REACH),
        ] {
            let said = Scanner::parse(line).expect_err("damage").to_string();
            assert!(said.starts_with("line 1:") && said.contains(name), "{said}");
        }
    }
}
