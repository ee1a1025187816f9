//! Numbers with units, as people write them.

use std::f64::consts::PI;

use super::dimension::Dimension;
use super::scalar;
use super::unit_error::UnitError;

/// A unit of measurement.
#[derive(Debug, PartialEq)]
pub struct Unit {
    symbol: &'static str,
    dimension: Dimension,
    /// SI value = value * numerator / denominator + offset. Two factors, because 100 / 1000 is exact where 100 * 0.001
    /// need not be.
    numerator: f64,
    denominator: f64,
    offset: f64,
}

const fn unit(symbol: &'static str, dimension: Dimension, numerator: f64, denominator: f64) -> Unit {
    Unit { symbol, dimension, numerator, denominator, offset: 0.0 }
}

pub(super) static UNITS: &[Unit] = &[
    unit("s", Dimension::Time, 1.0, 1.0),
    unit("ms", Dimension::Time, 1.0, 1e3),
    unit("us", Dimension::Time, 1.0, 1e6),
    unit("ns", Dimension::Time, 1.0, 1e9),
    unit("min", Dimension::Time, 60.0, 1.0),
    unit("h", Dimension::Time, 3600.0, 1.0),
    unit("m", Dimension::Length, 1.0, 1.0),
    unit("cm", Dimension::Length, 1.0, 100.0),
    unit("mm", Dimension::Length, 1.0, 1e3),
    unit("km", Dimension::Length, 1e3, 1.0),
    unit("m/s", Dimension::Speed, 1.0, 1.0),
    unit("cm/s", Dimension::Speed, 1.0, 100.0),
    unit("km/h", Dimension::Speed, 1.0, 3.6),
    unit("m/s^2", Dimension::Acceleration, 1.0, 1.0),
    unit("rad", Dimension::Angle, 1.0, 1.0),
    unit("deg", Dimension::Angle, PI, 180.0),
    unit("rad/s", Dimension::AngularSpeed, 1.0, 1.0),
    unit("deg/s", Dimension::AngularSpeed, PI, 180.0),
    unit("1/s", Dimension::Rate, 1.0, 1.0),
    unit("1/min", Dimension::Rate, 1.0, 60.0),
    unit("1/h", Dimension::Rate, 1.0, 3600.0),
    unit("Hz", Dimension::Rate, 1.0, 1.0),
    unit("kHz", Dimension::Rate, 1e3, 1.0),
    unit("MHz", Dimension::Rate, 1e6, 1.0),
    unit("GHz", Dimension::Rate, 1e9, 1.0),
    unit("W", Dimension::Power, 1.0, 1.0),
    unit("mW", Dimension::Power, 1.0, 1e3),
    unit("kW", Dimension::Power, 1e3, 1.0),
    unit("dBm", Dimension::Level, 1.0, 1.0),
    unit("J", Dimension::Energy, 1.0, 1.0),
    unit("kJ", Dimension::Energy, 1e3, 1.0),
    unit("Wh", Dimension::Energy, 3600.0, 1.0),
    unit("N", Dimension::Force, 1.0, 1.0),
    unit("kN", Dimension::Force, 1e3, 1.0),
    unit("kg", Dimension::Mass, 1.0, 1.0),
    unit("g", Dimension::Mass, 1.0, 1e3),
    unit("m^2", Dimension::Area, 1.0, 1.0),
    unit("1", Dimension::Ratio, 1.0, 1.0),
    unit("%", Dimension::Ratio, 1.0, 100.0),
    unit("dB", Dimension::Gain, 1.0, 1.0),
    unit("bit", Dimension::Data, 1.0, 1.0),
    unit("B", Dimension::Data, 8.0, 1.0),
    unit("kB", Dimension::Data, 8e3, 1.0),
    unit("MB", Dimension::Data, 8e6, 1.0),
    unit("bit/s", Dimension::DataRate, 1.0, 1.0),
    unit("kbit/s", Dimension::DataRate, 1e3, 1.0),
    unit("Mbit/s", Dimension::DataRate, 1e6, 1.0),
    unit("°C", Dimension::Temperature, 1.0, 1.0),
    Unit { offset: -273.15, ..unit("K", Dimension::Temperature, 1.0, 1.0) },
    unit("J/m", Dimension::EnergyPerLength, 1.0, 1.0),
    unit("J/rad", Dimension::EnergyPerAngle, 1.0, 1.0),
];

impl Unit {
    /// The unit with this symbol. `µ` may be written `u`, `²` as `^2`, `°` as `deg`, `1/s` as `/s`.
    pub fn find(symbol: &str) -> Option<&'static Unit> {
        let symbol = canonical(symbol);
        UNITS.iter().find(|unit| canonical(unit.symbol) == symbol)
    }

    /// All units of one dimension, the most usual first.
    pub fn of(dimension: Dimension) -> impl Iterator<Item = &'static Unit> {
        UNITS.iter().filter(move |unit| unit.dimension == dimension)
    }

    /// As it is written after a number; `1` for a bare ratio.
    pub fn symbol(&self) -> &'static str {
        self.symbol
    }

    /// What it measures.
    pub fn dimension(&self) -> Dimension {
        self.dimension
    }

    fn to_si(&self, value: f64) -> f64 {
        value * self.numerator / self.denominator + self.offset
    }

    fn in_unit(&self, value: f64) -> f64 {
        (value - self.offset) * self.denominator / self.numerator
    }
}

fn canonical(symbol: &str) -> String {
    let symbol: String = symbol.chars().filter(|c| !c.is_whitespace()).collect();
    let symbol = symbol.replace(['µ', 'μ'], "u").replace('²', "^2").replace('°', "deg");
    if symbol.starts_with("1/") { symbol[1..].to_owned() } else { symbol }
}

/// A number and, if one was written, its unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantity {
    /// The number as written.
    pub value: f64,
    /// `None` for a bare number.
    pub unit: Option<&'static Unit>,
}

impl Quantity {
    /// Reads `40 s`, `40s`, `-1.5e3 m/s` or `7`; `expected` is only used in the message.
    pub fn parse(text: &str, expected: Dimension) -> Result<Quantity, UnitError> {
        let found = text.trim();
        let length = scalar::number_length(found)
            .ok_or_else(|| UnitError::NotANumber { found: found.into(), expected })?;
        let (number, symbol) = found.split_at(length);
        let value: f64 =
            number.parse().map_err(|_| UnitError::NotANumber { found: found.into(), expected })?;
        if !value.is_finite() {
            return Err(UnitError::NotFinite { found: found.into() });
        }
        let symbol = symbol.trim_start();
        if symbol.is_empty() {
            return Ok(Quantity { value, unit: None });
        }
        match Unit::find(symbol) {
            Some(unit) if unit.symbol != "1" => Ok(Quantity { value, unit: Some(unit) }),
            _ => Err(UnitError::UnknownUnit { found: found.into(), unit: symbol.into(), expected }),
        }
    }
}

/// The value of `text` in the unit `si_unit`, which is the annotation of the schema: `s`, `m/s`, `1` for a ratio.
///
/// A bare number is taken to be in that unit already. `50 %` is the ratio 0.5. Kelvin and degrees Celsius are converted
/// as absolute temperatures.
pub fn convert(text: &str, si_unit: &str) -> Result<f64, UnitError> {
    let target = Unit::find(si_unit).ok_or_else(|| UnitError::UnknownAnnotation { unit: si_unit.into() })?;
    let quantity = Quantity::parse(text, target.dimension)?;
    let value = match quantity.unit {
        None => quantity.value,
        Some(unit) if unit == target => quantity.value,
        Some(unit) if unit.dimension == target.dimension => target.in_unit(unit.to_si(quantity.value)),
        Some(unit) => {
            return Err(UnitError::WrongDimension {
                found: text.trim().into(),
                dimension: unit.dimension,
                expected: target.dimension,
            });
        }
    };
    if value.is_finite() { Ok(value) } else { Err(UnitError::NotFinite { found: text.trim().into() }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_convert() {
        let check = |text, si, expected: f64| assert_eq!(convert(text, si), Ok(expected), "{text} in {si}");
        check("40 s", "s", 40.0);
        check("5min", "s", 300.0);
        check("100 ms", "s", 0.1);
        check("3 us", "s", 3e-6);
        check("3 µs", "s", 3e-6);
        check("3 μs", "s", 3e-6);
        check("2 h", "s", 7200.0);
        check("2 h", "ns", 7.2e12);
        check("57 mm", "m", 0.057);
        check("36 km/h", "m/s", 10.0);
        check("2 m/s²", "m/s^2", 2.0);
        check("180 deg", "rad", PI);
        check("90°", "rad", PI / 2.0);
        check("90 deg/s", "rad/s", PI / 2.0);
        check("1/s", "1/s", 1.0);
        check("1.0 /s", "Hz", 1.0);
        check("30 /min", "1/s", 0.5);
        check("2 1/s", "1/s", 2.0);
        check("2.4 GHz", "Hz", 2.4e9);
        check("20 dBm", "dBm", 20.0);
        check("-3dB", "dB", -3.0);
        check("1 Wh", "J", 3600.0);
        check("300 g", "kg", 0.3);
        check("50 %", "1", 0.5);
        check("50%", "1", 0.5);
        check("0.25", "1", 0.25);
        check("2 kB", "B", 2000.0);
        check("2 B", "bit", 16.0);
        check("1 Mbit/s", "bit/s", 1e6);
        check("20 °C", "°C", 20.0);
        check("273.15 K", "°C", 0.0);
        check("0 °C", "K", 273.15);
        check("4 J/rad", "J/rad", 4.0);
        check("+1.5e+3 m", "m", 1500.0);
        check(" 7 ", "m", 7.0);
        check("5e3m", "m", 5000.0);
    }

    #[test]
    fn refusals_say_what_is_accepted() {
        let check = |text: &str, si: &str, expected: &str| {
            let error = convert(text, si).expect_err(text);
            let help = error.help().map(|help| format!(" | {help}")).unwrap_or_default();
            assert_eq!(format!("{error}{help}"), expected);
        };
        check("40 m", "s", "expected a time such as `40 s` or `5 min`, found `40 m`, which is a length");
        check("abc", "m", "expected a length such as `2.5 m` or `30 cm`, found the text \"abc\"");
        check("", "m", "expected a length such as `2.5 m` or `30 cm`, found the text \"\"");
        let unknown = |unit: &str, number: &str, help: &str| {
            let sentence = "expected a time such as `40 s` or `5 min`";
            check(
                &format!("{number}{unit}"),
                "s",
                &format!("unknown unit `{unit}` in `{number}{unit}`, {sentence} | {help}"),
            );
        };
        unknown("mins", "5 ", "did you mean `min`?");
        unknown("Seconds", "5 ", "did you mean `s`?");
        unknown("MS", "5 ", "did you mean `ms`?");
        unknown("ghz", "5 ", "did you mean `GHz`?");
        unknown("parsec", "5 ", "accepted units: `s`, `ms`, `us`, `ns`, `min`, `h`");
        unknown("_000 s", "1", "write the digits without underscores");
        unknown(",5 s", "1", "write a decimal point, not a comma");
        check("1e999 s", "s", "numbers must be finite, found `1e999 s`");
        check("1e308 h", "s", "numbers must be finite, found `1e308 h`");
        check("5 m", "furlong", "the schema asks for the unknown unit `furlong`");
        check(
            "5 W",
            "dBm",
            "expected a power level such as `20 dBm` or `-90 dBm`, found `5 W`, which is a power",
        );
    }

    #[test]
    fn every_example_is_accepted() {
        for unit in UNITS {
            for example in unit.dimension.examples() {
                assert!(convert(example, unit.symbol).is_ok(), "{example}");
            }
        }
    }
}
