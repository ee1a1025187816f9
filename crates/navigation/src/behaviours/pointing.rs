//! Directions that people have pointed in: do they agree?

use crewlab_onboard::geometry::{Vec2, wrap};

/// The mean of some directions, if all of them are within `spread` of it; nothing if there are none or they contradict each other.
/// [rad]
pub fn coherent(directions: &[f64], spread: f64) -> Option<f64> {
    let sum = directions.iter().fold(Vec2::ZERO, |sum, direction| sum + Vec2::unit(*direction));
    let mean = (sum.length() > 1e-9).then(|| sum.angle())?;
    directions.iter().all(|direction| wrap(direction - mean).abs() <= spread).then_some(mean)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    #[test]
    fn people_who_contradict_each_other_are_not_believed() {
        let mean = coherent(&[PI - 0.1, -PI + 0.1], 0.5).expect("they agree");
        assert!((wrap(mean - PI)).abs() < 1e-9);
        assert_eq!(coherent(&[0.0, 2.0], 0.5), None);
        assert_eq!(coherent(&[0.0, PI], 0.5), None);
        assert_eq!(coherent(&[], 0.5), None);
        assert_eq!(coherent(&[f64::NAN], 0.5), None);
        assert_eq!(coherent(&[1.0], 0.5).map(|angle| (angle * 1e6).round()), Some(1e6));
    }
}
