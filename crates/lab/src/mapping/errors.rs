//! Errors of a path against a reference: absolute after rigid alignment, and from scan to scan.

use crewlab_sim::onboard::geometry::{Pose, Vec2, wrap};

/// The rigid motion that brings one path closest to another, in the sense of least squares.
#[derive(Clone, Copy, Debug)]
pub struct Alignment {
    from: Vec2,
    to: Vec2,
    turn: Vec2,
}

impl Alignment {
    /// From the positions of a path to those of another of the same length.
    pub fn between(path: &[Pose], reference: &[Pose]) -> Alignment {
        let (from, to) = (middle(path), middle(reference));
        let (mut along, mut aside) = (0.0, 0.0);
        for (a, b) in path.iter().zip(reference) {
            let (a, b) = (a.position - from, b.position - to);
            along += a.dot(b);
            aside += a.cross(b);
        }
        let length = along.hypot(aside);
        let turn = if length > 0.0 { Vec2 { x: along / length, y: aside / length } } else { Vec2::unit(0.0) };
        Alignment { from, to, turn }
    }

    /// A point of the path, moved onto the reference. [m]
    pub fn apply(&self, point: Vec2) -> Vec2 {
        self.to + (point - self.from).rotated(self.turn)
    }
}

fn middle(path: &[Pose]) -> Vec2 {
    path.iter().fold(Vec2::ZERO, |sum, pose| sum + pose.position) * (1.0 / path.len().max(1) as f64)
}

/// How far a path is from its reference.
#[derive(Clone, Debug)]
pub struct Errors {
    /// Root mean square of the distances after alignment. [m]
    pub absolute: f64,
    /// Root mean square error of the way from scan to scan. [m]
    pub step: f64,
    /// Root mean square error of the turn from scan to scan. [rad]
    pub turn: f64,
    /// The distance of each pose after alignment. [m]
    pub distances: Vec<f64>,
}

impl Errors {
    /// Of a path against a reference of the same length.
    pub fn of(path: &[Pose], reference: &[Pose]) -> Errors {
        let alignment = Alignment::between(path, reference);
        let pairs = path.iter().zip(reference);
        let distances: Vec<f64> =
            pairs.clone().map(|(a, b)| alignment.apply(a.position).distance(b.position)).collect();
        let steps: Vec<(f64, f64)> = path
            .windows(2)
            .zip(reference.windows(2))
            .map(|(path, reference)| {
                let ((way, turn), (true_way, true_turn)) = (relative(path), relative(reference));
                (way.distance(true_way), wrap(turn - true_turn))
            })
            .collect();
        Errors {
            absolute: rms(distances.iter().copied()),
            step: rms(steps.iter().map(|step| step.0)),
            turn: rms(steps.iter().map(|step| step.1)),
            distances,
        }
    }
}

/// The motion between two poses in the frame of the first.
fn relative(pair: &[Pose]) -> (Vec2, f64) {
    let [from, to] = pair else { return (Vec2::ZERO, 0.0) };
    let way = (to.position - from.position).rotated(Vec2::unit(-from.heading));
    (way, wrap(to.heading - from.heading))
}

fn rms(values: impl Iterator<Item = f64>) -> f64 {
    let (mut count, mut sum) = (0.0, 0.0);
    for value in values {
        count += 1.0;
        sum += value * value;
    }
    if count > 0.0 { (sum / count).sqrt() } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arc() -> Vec<Pose> {
        (0..50).map(|at| f64::from(at) * 0.1).map(|t| Pose::new(3.0 * t, t * t, t)).collect()
    }

    #[test]
    fn a_path_that_is_only_moved_and_turned_has_no_error() {
        let turn = 0.7;
        let moved = |pose: &Pose| {
            let position = pose.position.rotated(Vec2::unit(turn)) + Vec2 { x: 5.0, y: -2.0 };
            Pose { position, heading: wrap(pose.heading + turn) }
        };
        let errors = Errors::of(&arc().iter().map(moved).collect::<Vec<_>>(), &arc());
        assert!(errors.absolute < 1e-9 && errors.step < 1e-9 && errors.turn < 1e-9, "{errors:?}");
    }

    #[test]
    fn a_scaled_path_has_an_error_that_no_rigid_motion_removes() {
        let scaled: Vec<Pose> =
            arc().iter().map(|pose| Pose { position: pose.position * 1.1, heading: pose.heading }).collect();
        let errors = Errors::of(&scaled, &arc());
        let centre = middle(&arc());
        let expected = 0.1 * rms(arc().iter().map(|pose| pose.position.distance(centre)));
        assert!((errors.absolute - expected).abs() < 1e-9, "{} {expected}", errors.absolute);
    }
}
