//! Named scalars on bodies, objects, items and areas, such as energy or temperature, that change with what their owner does.

use serde::{Deserialize, Serialize};

/// The name of the aspect that powers a robot: when it is empty, the robot stops.
pub const ENERGY: &str = "energy";

/// Its owner's activity during a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Activity {
    /// Duration. [s]
    pub seconds: f64,
    /// Distance driven. [m]
    pub metres: f64,
    /// Angle turned. [rad]
    pub radians: f64,
    /// Effector actions.
    pub uses: f64,
}

/// A named scalar.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Aspect {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: f64,
    /// The lowest value.
    pub min: f64,
    /// The highest value.
    pub max: f64,
    /// Change per second.
    pub per_second: f64,
    /// Change per metre driven.
    pub per_metre: f64,
    /// Change per radian turned.
    pub per_radian: f64,
    /// Change per effector action.
    pub per_use: f64,
    /// The value it relaxes to, if any, ...
    pub rest: Option<f64>,
    /// ... at this rate. [1/s]
    pub rest_rate: f64,
}

impl Aspect {
    /// A scalar on which nothing acts.
    pub fn fixed(name: &str, value: f64) -> Aspect {
        Aspect {
            name: name.into(),
            value,
            min: f64::MIN,
            max: f64::MAX,
            per_second: 0.0,
            per_metre: 0.0,
            per_radian: 0.0,
            per_use: 0.0,
            rest: None,
            rest_rate: 0.0,
        }
    }

    /// Applies the owner's activity.
    pub fn apply(&mut self, activity: &Activity) {
        let mut change = self.per_second * activity.seconds
            + self.per_metre * activity.metres
            + self.per_radian * activity.radians
            + self.per_use * activity.uses;
        if let Some(rest) = self.rest {
            change += (rest - self.value) * (self.rest_rate * activity.seconds).min(1.0);
        }
        self.value = (self.value + change).clamp(self.min, self.max);
    }

    /// Position between the lowest and the highest value, from 0 to 1.
    pub fn fraction(&self) -> f64 {
        let span = self.max - self.min;
        if span > 0.0 { (self.value - self.min) / span } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_aspect_follows_activity_and_stays_in_its_limits() {
        let mut energy = Aspect {
            name: ENERGY.into(),
            value: 100.0,
            min: 0.0,
            max: 100.0,
            per_second: -1.0,
            per_metre: -2.0,
            per_radian: -3.0,
            per_use: -4.0,
            rest: None,
            rest_rate: 0.0,
        };
        let activity = Activity { seconds: 1.0, metres: 2.0, radians: 3.0, uses: 4.0 };
        energy.apply(&activity);
        assert_eq!(energy.value, 100.0 - 1.0 - 4.0 - 9.0 - 16.0);
        for _ in 0..9 {
            energy.apply(&activity);
        }
        assert_eq!(energy.value, 0.0);
    }

    #[test]
    fn a_temperature_relaxes_to_its_rest_value() {
        let mut heat = Aspect {
            name: "temperature".into(),
            value: 80.0,
            min: -50.0,
            max: 200.0,
            per_second: 0.0,
            per_metre: 0.0,
            per_radian: 0.0,
            per_use: 0.0,
            rest: Some(20.0),
            rest_rate: 0.5,
        };
        heat.apply(&Activity { seconds: 1.0, ..Activity::default() });
        assert_eq!(heat.value, 50.0);
    }
}
