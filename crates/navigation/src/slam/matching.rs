//! Scan matching: the pose at which a scan fits a map best, given where odometry expects it.

use super::gaussian::{Step, Symmetric, moved, step_between};
use super::map::SlamMap;
use crewlab_onboard::geometry::{Pose, Vec2};

/// A point that is farther from all surfaces than the root of this [standard deviations] is an outlier: a person, a door, a new wall.
/// It costs half of this, whatever its distance (Geman and McClure's estimator).
pub const OUTLIER: f64 = 9.0;
/// Most steps of the search, and the step at which it ends. [m], [rad]
const STEPS: usize = 5;
const SETTLED: f64 = 1e-3;
/// The first steps see surfaces blurred by this share of a cell.
const BLURRED_STEPS: usize = 3;
const BLUR: f64 = 0.7;

/// How well points are located, and how much each of them says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trust {
    /// Standard deviation of a point. [m]
    pub deviation: f64,
    /// The share of a point's information that is its own: errors of neighbouring points have common causes.
    pub share: f64,
}

/// The pose that odometry expects, with its information.
#[derive(Clone, Copy, Debug)]
pub struct Prior {
    /// The expected pose.
    pub pose: Pose,
    /// Inverse of its covariance.
    pub information: Symmetric,
}

/// How well a scan fits at a pose.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fit {
    /// Negative logarithm of the likelihood.
    pub cost: f64,
    /// Half the gradient's negative: the direction of descent.
    pub pull: Step,
    /// Curvature of the cost.
    pub information: Symmetric,
}

/// The fit of points at a pose.
pub fn fit(map: &SlamMap, pose: &Pose, points: &[Vec2], trust: Trust) -> Fit {
    let facing = Vec2::unit(pose.heading);
    let variance = trust.deviation * trust.deviation;
    let (mut cost, mut pull, mut sum) = (0.0, [0.0; 3], [0.0; 6]);
    for point in points {
        let arm = point.rotated(facing);
        let Some(gap) = map.nearest(pose.position + arm, variance) else {
            cost += OUTLIER / 2.0;
            continue;
        };
        let keep = OUTLIER / (OUTLIER + gap.squared);
        cost += 0.5 * gap.squared * keep;
        let weight = keep * keep;
        let [a, b, c] = gap.precision.map(|value| value * weight);
        // The derivative of the point by the heading.
        let turn = arm.left();
        let force = [a * gap.offset.x + b * gap.offset.y, b * gap.offset.x + c * gap.offset.y];
        pull[0] -= force[0];
        pull[1] -= force[1];
        pull[2] -= force[0] * turn.x + force[1] * turn.y;
        let (ax, ay) = (a * turn.x + b * turn.y, b * turn.x + c * turn.y);
        for (sum, part) in sum.iter_mut().zip([a, b, ax, c, ay, ax * turn.x + ay * turn.y]) {
            *sum += part;
        }
    }
    Fit {
        cost: cost * trust.share,
        pull: pull.map(|value| value * trust.share),
        information: Symmetric(sum.map(|value| value * trust.share)),
    }
}

/// The cost of a pose under a prior.
pub fn surprise(prior: &Prior, pose: &Pose) -> f64 {
    0.5 * prior.information.form(step_between(&prior.pose, pose))
}

/// The most likely pose near `start` and the information about it (Gauss-Newton). The first steps see surfaces blurred, which leads
/// from farther away to the right minimum.
pub fn refine(
    map: &SlamMap,
    points: &[Vec2],
    prior: &Prior,
    start: &Pose,
    trust: Trust,
) -> (Pose, Symmetric) {
    let blurred = Trust { deviation: BLUR * map.resolution(), ..trust };
    let (pose, _) = descend(map, points, prior, start, blurred, BLURRED_STEPS);
    descend(map, points, prior, &pose, trust, STEPS)
}

fn descend(
    map: &SlamMap,
    points: &[Vec2],
    prior: &Prior,
    start: &Pose,
    trust: Trust,
    steps: usize,
) -> (Pose, Symmetric) {
    let mut pose = *start;
    let mut information = prior.information;
    for _ in 0..steps {
        let fit = fit(map, &pose, points, trust);
        information = fit.information.plus(&prior.information);
        let back = prior.information.times(step_between(&prior.pose, &pose));
        let force = [0, 1, 2].map(|axis| fit.pull[axis] - back[axis]);
        let Some(root) = information.root() else { break };
        let step = root.solve(force);
        pose = moved(&pose, step);
        if step.iter().all(|part| part.abs() < SETTLED) {
            break;
        }
    }
    (pose, information)
}

/// The same from several poses around each of `starts`, half a cell and the angle apart that moves a point at 5 m by half a cell.
pub fn refine_around(
    map: &SlamMap,
    points: &[Vec2],
    prior: &Prior,
    starts: [Pose; 2],
    trust: Trust,
) -> (Pose, Symmetric) {
    let half = map.resolution() / 2.0;
    let mut best = (f64::INFINITY, (prior.pose, prior.information));
    let turns = [0.0, -half / 5.0, half / 5.0];
    let ways = [(0.0, 0.0), (-half, 0.0), (half, 0.0), (0.0, -half), (0.0, half)];
    let steps = turns.iter().flat_map(|turn| ways.map(|(x, y)| [x, y, *turn]));
    for start in steps.flat_map(|step| starts.map(|start| moved(&start, step))) {
        let found = refine(map, points, prior, &start, trust);
        let cost = fit(map, &found.0, points, trust).cost + surprise(prior, &found.0);
        if cost < best.0 {
            best = (cost, found);
        }
    }
    best.1
}
