//! The ten indicators of how navigation goes (ESTIMATION table 4.1), sampled twice per second.

use super::streets::{CELL, Streets};
use crewlab_navigation::Place;
use crewlab_navigation::behaviours::Aim;
use crewlab_navigation::routes::Origin;
use crewlab_onboard::geometry::{Pose, Vec2, wrap};
use crewlab_onboard::{IndicatorSpec, Time};
use serde::{Deserialize, Serialize};

const fn spec(
    name: &'static str,
    title: &'static str,
    unit: &'static str,
    summary: &'static str,
) -> IndicatorSpec {
    IndicatorSpec { name, title, unit, summary }
}

/// The indicators: perception, planning, execution.
pub const INDICATORS: &[IndicatorSpec] = &[
    spec(
        "map-uncertainty",
        "map uncertainty",
        "m²",
        "entropy of the cells that were seen within 10 m (4.10)",
    ),
    spec(
        "pose-uncertainty",
        "pose uncertainty",
        "",
        "entropy of the robot's pose, mean over the way so far (4.11)",
    ),
    spec(
        "map-information",
        "map information",
        "",
        "how much the map within 5 m has changed since the last sample (4.14)",
    ),
    spec("path-length", "path length", "m", "length of the planned path"),
    spec("waypoints", "waypoints", "1/m", "waypoints of the planned path per metre of straight distance"),
    spec(
        "deviation-variance",
        "variance of angular deviation",
        "rad²",
        "variance of the angle between the next waypoint and the robot's heading over the last 10 s",
    ),
    spec(
        "path-turning",
        "turning of the path",
        "rad",
        "sum of the angles by which the planned path turns (4.16)",
    ),
    spec(
        "clear-waypoints",
        "waypoints of maximum clearance",
        "",
        "waypoints of the planned path that come from the Voronoi graph",
    ),
    spec("speed", "speed", "m/s", "speed of the robot, by its own estimate"),
    spec(
        "heading-variance",
        "variance of orientation",
        "rad²",
        "variance of the robot's heading over the last 10 s while it drives",
    ),
];

/// Number of samples of a variance: 10 s.
const SAMPLES: usize = 20;
/// Side of the square around the robot whose entropy counts. [m]
const SEEN: f64 = 20.0;
/// Side of the local map whose changes count. [m]
const LOCAL: f64 = 10.0;
/// A robot that is slower stands: its heading says nothing about its way. [m/s]
const STANDS: f64 = 0.05;

/// What the indicators are computed from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Indicators {
    values: Vec<Option<f64>>,
    /// Angles between the next waypoint and the heading, and headings, each as it was sampled. [rad]
    deviations: Vec<f64>,
    headings: Vec<f64>,
    last: Option<(Pose, Time)>,
    /// The local map of the last sample.
    local: Option<(Place, Vec<Option<f64>>)>,
    /// Sum and number of entropies of the pose.
    poses: (f64, u32),
}

fn remember(samples: &mut Vec<f64>, value: f64) {
    if samples.len() == SAMPLES {
        samples.remove(0);
    }
    samples.push(value);
}

/// The variance of angles around their mean direction; `None` before there are enough of them. [rad²]
fn variance(angles: &[f64]) -> Option<f64> {
    let sum = angles.iter().fold(Vec2::ZERO, |sum, angle| sum + Vec2::unit(*angle));
    let mean = (angles.len() >= SAMPLES / 2 && sum.length() > 1e-9).then(|| sum.angle())?;
    Some(
        angles.iter().map(|angle| wrap(angle - mean) * wrap(angle - mean)).sum::<f64>() / angles.len() as f64,
    )
}

/// The entropy of a cell that is occupied with this probability.
fn entropy(probability: f64) -> f64 {
    let term = |p: f64| if p > 0.0 { -p * libm::log(p) } else { 0.0 };
    term(probability) + term(1.0 - probability)
}

/// The sum over cells. Most have the same probability as their neighbour.
fn total_entropy<'a>(cells: impl Iterator<Item = &'a f64>) -> f64 {
    let (mut same, mut known) = (0.5, entropy(0.5));
    cells.fold(0.0, |sum, cell| {
        if *cell != same {
            (same, known) = (*cell, entropy(*cell));
        }
        sum + known
    })
}

/// The entropy of a pose by its particles, as if it were normally distributed; `None` for fewer than two.
pub fn pose_entropy(particles: impl Iterator<Item = Pose>) -> Option<f64> {
    let poses: Vec<Pose> = particles.collect();
    let count = poses.len() as f64;
    let first = poses.first().filter(|_| poses.len() > 1)?;
    let sum = poses.iter().fold(Vec2::ZERO, |sum, pose| sum + pose.position);
    let turn = poses.iter().map(|pose| wrap(pose.heading - first.heading)).sum::<f64>() / count;
    let mean = sum * (1.0 / count);
    let mut spread = [[0.0; 3]; 3];
    for pose in &poses {
        let away = pose.position - mean;
        let off = [away.x, away.y, wrap(pose.heading - first.heading) - turn];
        (0..3)
            .for_each(|row| (0..3).for_each(|column| spread[row][column] += off[row] * off[column] / count));
    }
    // Particles may coincide: nothing is known better than to a millimetre and a milliradian.
    (0..3).for_each(|axis| spread[axis][axis] += 1e-6);
    let [[a, b, c], [_, d, e], [_, _, f]] = spread;
    let determinant = a * (d * f - e * e) - b * (b * f - c * e) + c * (b * e - c * d);
    let normal = 3.0 * (1.0 + libm::log(2.0 * std::f64::consts::PI));
    Some(0.5 * (normal + libm::log(determinant.max(1e-18))))
}

/// (4.13) of a cell: the symmetric form of (4.12).
fn divergence(before: f64, after: f64) -> f64 {
    if before == after {
        return 0.0;
    }
    let (before, after) = (before.clamp(1e-6, 1.0), after.clamp(1e-6, 1.0));
    (before * libm::log(before / after) + after * libm::log(after / before)) / 2.0
}

impl Indicators {
    /// The values of the last sample, in the order of [`INDICATORS`].
    pub fn values(&self) -> Vec<Option<f64>> {
        self.values.clone()
    }

    /// Takes a sample. `entropy_of_pose` is known to robots that estimate their pose with its uncertainty.
    pub fn sample(
        &mut self,
        pose: &Pose,
        streets: &Streets,
        aim: Option<&Aim>,
        entropy_of_pose: Option<f64>,
        now: Time,
    ) {
        let speed =
            self.last.map(|(last, at)| pose.position.distance(last.position) / now.since(at).max(1e-3));
        self.last = Some((*pose, now));
        if speed.is_some_and(|speed| speed > STANDS) {
            remember(&mut self.headings, pose.heading);
        }
        let planned = aim.map(|aim| self.plan(pose, aim));
        let [length, waypoints, turning, clear] = planned.map_or([None; 4], |values| values.map(Some));
        if let Some(value) = entropy_of_pose {
            self.poses = (self.poses.0 + value, self.poses.1 + 1);
        }
        let known = (self.poses.1 > 0).then(|| self.poses.0 / f64::from(self.poses.1));
        let (_, cells) = streets.around(pose.position, SEEN);
        let uncertainty = total_entropy(cells.iter().flatten()) * CELL * CELL;
        let information = self.information(streets, pose.position);
        self.values = vec![
            Some(uncertainty),
            known,
            information,
            length,
            waypoints,
            variance(&self.deviations),
            turning,
            clear,
            speed,
            variance(&self.headings),
        ];
    }

    /// Length, waypoints per metre, turning and waypoints of maximum clearance of a path.
    fn plan(&mut self, pose: &Pose, aim: &Aim) -> [f64; 4] {
        let route = &aim.route;
        let (mut at, mut heading, mut turning) = (pose.position, pose.heading, 0.0);
        for (number, waypoint) in route.waypoints.iter().enumerate() {
            let way = waypoint.at - at;
            if way.length() > 1e-6 {
                let turn = wrap(way.angle() - heading).abs();
                if number == 0 {
                    remember(&mut self.deviations, turn);
                }
                turning += turn;
                (at, heading) = (waypoint.at, way.angle());
            }
        }
        let straight = pose.position.distance(aim.at).max(CELL);
        let clear = route.waypoints.iter().filter(|waypoint| waypoint.origin == Origin::Voronoi).count();
        [route.length, route.waypoints.len() as f64 / straight, turning, clear as f64]
    }

    /// How much the local map has changed, per cell. Cells that were never seen count as half occupied.
    fn information(&mut self, streets: &Streets, here: Vec2) -> Option<f64> {
        let (low, cells) = streets.around(here, LOCAL);
        let side = (cells.len() as f64).sqrt() as i32;
        let before = self.local.replace((low, cells));
        let ((old_low, old), (_, new)) = (before?, self.local.as_ref()?);
        let cell = |index: usize| {
            let (column, row) = (index as i32 % side + low.0, index as i32 / side + low.1);
            let (column, row) = (column - old_low.0, row - old_low.1);
            let there = (0..side).contains(&column) && (0..side).contains(&row);
            let old = there.then(|| old[(row * side + column) as usize])?;
            Some(divergence(old.unwrap_or(0.5), new[index].unwrap_or(0.5)))
        };
        let (sum, count) = (0..new.len()).filter_map(cell).fold((0.0, 0), |(sum, n), it| (sum + it, n + 1));
        (count > 0).then(|| sum / f64::from(count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entropy_and_divergence_are_those_of_the_thesis() {
        assert!((entropy(0.5) - 2f64.ln()).abs() < 1e-12 && entropy(1.0) == 0.0);
        assert_eq!(divergence(0.3, 0.3), 0.0);
        let expected = (0.2 * (0.2f64 / 0.6).ln() + 0.6 * (0.6f64 / 0.2).ln()) / 2.0;
        assert!((divergence(0.2, 0.6) - expected).abs() < 1e-12);
    }

    #[test]
    fn angles_vary_around_their_mean_direction() {
        assert_eq!(variance(&[0.0; 9]), None, "too few");
        assert!(variance(&[1.0; 20]).expect("enough") < 1e-12);
        let around_pi: Vec<f64> = (0..20).map(|n| wrap(3.1 + 0.1 * f64::from(n % 2))).collect();
        assert!((variance(&around_pi).expect("enough") - 0.0025).abs() < 1e-6);
    }

    #[test]
    fn a_pose_is_the_less_certain_the_farther_its_particles_are_apart() {
        let of = |scale: f64| {
            let spread = (0..50).map(move |n| {
                let n = f64::from(n);
                Pose::new(scale * (n * 0.7).sin(), scale * (n * 1.3).cos(), scale * (n * 2.1).sin())
            });
            pose_entropy(spread).expect("enough particles")
        };
        assert!(of(0.1) > of(0.01) + 3.0 * 2.0, "a tenth is three times ln 10 less");
        assert_eq!(pose_entropy([Pose::default()].into_iter()), None);
    }

    #[test]
    fn there_are_ten_with_names_of_their_own() {
        let mut names: Vec<&str> = INDICATORS.iter().map(|spec| spec.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), 10);
        let mut indicators = Indicators::default();
        indicators.sample(&Pose::default(), &Streets::new(0.3), None, None, Time::ZERO);
        assert_eq!(indicators.values().len(), INDICATORS.len());
    }
}
