//! The dimension of a quantity.

/// The kind of a quantity. Two units can be converted into each other if and only if their dimensions are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Dimension {
    Time,
    Length,
    Speed,
    Acceleration,
    Angle,
    AngularSpeed,
    /// Events per second and frequencies alike.
    Rate,
    Power,
    /// Power on the logarithmic dBm scale, which is not converted to watts.
    Level,
    Energy,
    Force,
    Mass,
    Area,
    Ratio,
    /// Gains and losses in dB.
    Gain,
    Data,
    DataRate,
    Temperature,
    EnergyPerLength,
    EnergyPerAngle,
}

impl Dimension {
    /// With its article: `a time`.
    pub fn name(self) -> &'static str {
        self.words().0
    }

    /// With examples: ``a time such as `40 s` or `5 min` ``.
    pub fn with_examples(self) -> String {
        let (name, [first, second]) = self.words();
        format!("{name} such as `{first}` or `{second}`")
    }

    /// Two typical values.
    pub fn examples(self) -> [&'static str; 2] {
        self.words().1
    }

    fn words(self) -> (&'static str, [&'static str; 2]) {
        match self {
            Dimension::Time => ("a time", ["40 s", "5 min"]),
            Dimension::Length => ("a length", ["2.5 m", "30 cm"]),
            Dimension::Speed => ("a speed", ["0.3 m/s", "5 km/h"]),
            Dimension::Acceleration => ("an acceleration", ["1.5 m/s^2", "0.5 m/s²"]),
            Dimension::Angle => ("an angle", ["90 deg", "1.57 rad"]),
            Dimension::AngularSpeed => ("an angular speed", ["45 deg/s", "0.8 rad/s"]),
            Dimension::Rate => ("a rate or frequency", ["2 /s", "2.4 GHz"]),
            Dimension::Power => ("a power", ["15 W", "100 mW"]),
            Dimension::Level => ("a power level", ["20 dBm", "-90 dBm"]),
            Dimension::Energy => ("an energy", ["500 J", "20 Wh"]),
            Dimension::Force => ("a force", ["30 N", "0.5 kN"]),
            Dimension::Mass => ("a mass", ["12 kg", "300 g"]),
            Dimension::Area => ("an area", ["4 m^2", "0.5 m²"]),
            Dimension::Ratio => ("a ratio", ["0.5", "50 %"]),
            Dimension::Gain => ("a gain or loss", ["3 dB", "-10 dB"]),
            Dimension::Data => ("an amount of data", ["64 B", "2 kB"]),
            Dimension::DataRate => ("a data rate", ["250 kbit/s", "1 Mbit/s"]),
            Dimension::Temperature => ("a temperature", ["20 °C", "293 K"]),
            Dimension::EnergyPerLength => ("an energy per length", ["30 J/m", "2.5 J/m"]),
            Dimension::EnergyPerAngle => ("an energy per angle", ["4 J/rad", "0.5 J/rad"]),
        }
    }
}
