//! Controller: chooses the free direction nearest to the wanted one from noisy ranges, and escapes when the robot is stuck.

use crate::Plugin;
use crewlab_onboard::geometry::{Vec2, wrap};
use crewlab_onboard::{Controller, Goal, Identity, Limits, Scan, Speeds, Steering, Stream, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// Obstacles farther away than this are ignored. [m]
const NEAR: f64 = 0.6;
/// Step between the directions that are tried. [rad]
const SWEEP: f64 = PI / 18.0;
/// Mean heading error in a tick above which the robot turns on the spot. [rad]
const TURN_ON_SPOT: f64 = 0.9;
/// Turning speed per heading error. [1/s]
const TURN_GAIN: f64 = 3.0;
/// Forward speed per free distance ahead and per distance to the goal. [1/s]
const SPEED_GAIN: f64 = 1.5;
/// Largest share of the heading error by which the robot turns within one tick. The way in a long tick is an arc, which leads beside the
/// line to the goal. A robot that only turned into the direction of that line would stay beside it.
const OVERTURN: f64 = 1.4;
/// A robot is stuck if for this long ... [s]
const STUCK: f64 = 5.0;
/// ... it has moved less than this. [m]
const MOVED: f64 = 0.15;
/// Duration of an escape attempt. [s]
const ESCAPE: f64 = 2.0;

/// Parameters of the free direction.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct FreeDirectionParams {
    /// Clearance kept to obstacles beside the path.
    #[schemars(range(min = 0.0), extend("x-unit" = "m"))]
    pub margin: f64,
    /// How far ahead of the rim the path must be free.
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "m"))]
    pub look_ahead: f64,
}

impl Default for FreeDirectionParams {
    fn default() -> Self {
        FreeDirectionParams { margin: 0.04, look_ahead: 0.25 }
    }
}

/// The controller and its memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FreeDirection {
    params: FreeDirectionParams,
    /// Where and when the robot last made progress.
    anchor: Option<(Vec2, Time)>,
    /// End time and direction of the current escape. [rad]
    escape: Option<(Time, f64)>,
}

/// The free direction nearest to the wanted one, right before left, so that two robots that meet pass each other.
pub fn free_bearing(params: &FreeDirectionParams, wanted: Goal, scan: &Scan, limits: &Limits) -> Option<f64> {
    let points: Vec<Vec2> = scan.ends(limits.radius, |range| range < NEAR).collect();
    // Obstacles behind the goal do not matter.
    let look = limits.radius + params.look_ahead.min(wanted.distance);
    let free = |bearing: f64| {
        let back = Vec2::unit(-bearing);
        points.iter().all(|point| {
            let ahead = point.rotated(back);
            ahead.x <= 0.05 || ahead.x >= look || ahead.y.abs() >= limits.radius + params.margin
        })
    };
    let offsets = (0..=18).flat_map(|step| [-SWEEP * f64::from(step), SWEEP * f64::from(step)]);
    offsets.map(|offset| wrap(wanted.bearing + offset)).find(|bearing| free(*bearing))
}

/// Free distance straight ahead of the rim. [m]
pub fn clearance(scan: &Scan, limits: &Limits) -> f64 {
    let ahead =
        scan.ends(limits.radius, |_| true).filter(|point| point.x > 0.0 && point.y.abs() < limits.radius);
    ahead.map(|point| point.x - limits.radius).fold(scan.reach, f64::min).max(0.0)
}

/// Speeds for a direction relative to the front, kept for `dt` seconds. [m/s], [rad/s]
pub fn speeds(bearing: f64, clearance: f64, distance: f64, limits: &Limits, dt: f64) -> Speeds {
    let per_tick = 1.0 / dt.max(1e-9);
    let turn = (TURN_GAIN.min(OVERTURN * per_tick) * bearing).clamp(-limits.max_turn, limits.max_turn);
    // The way in this tick is an arc. On the mean it is half a turn nearer to the wanted direction.
    let mean = bearing - turn * dt / 2.0;
    if mean.abs() > TURN_ON_SPOT {
        return (0.0, turn);
    }
    let speed = limits.max_speed * Vec2::unit(mean).x;
    let near = SPEED_GAIN.min(per_tick);
    (speed.min(0.04 + near * clearance).min(0.1 + near * distance), turn)
}

impl Plugin for FreeDirection {
    const SUMMARY: &'static str =
        "the free direction nearest to the goal, from noisy ranges; a random escape if the robot is stuck";
    type Params = FreeDirectionParams;

    fn boot(params: &FreeDirectionParams, _me: &Identity) -> FreeDirection {
        FreeDirection { params: *params, ..FreeDirection::default() }
    }
}

impl Controller for FreeDirection {
    fn steer(&mut self, steering: &Steering, random: &mut Stream) -> Speeds {
        let Steering { goal, pose, scan, limits, situation, .. } = steering;
        let mut goal = *goal;
        // A robot that does not know where it is cannot tell whether it is stuck.
        if let Some(pose) = pose
            && let Some(direction) = self.escape(pose.position, situation.now, random)
        {
            goal = Goal { bearing: wrap(direction - pose.heading), distance: 1.0 };
        }
        match free_bearing(&self.params, goal, scan, limits) {
            Some(bearing) => speeds(bearing, clearance(scan, limits), goal.distance, limits, situation.dt),
            // Enclosed: look for a way out while backing off a little.
            None => (-0.05, limits.max_turn.min(1.0)),
        }
    }

    /// Forgets that the robot might be stuck.
    fn rest(&mut self) {
        (self.anchor, self.escape) = (None, None);
    }

    fn margin(&self) -> f64 {
        self.params.margin
    }

    fn look_ahead(&self) -> f64 {
        self.params.look_ahead
    }
}

impl FreeDirection {
    /// The escape direction while the robot is stuck. [rad]
    fn escape(&mut self, position: Vec2, now: Time, random: &mut Stream) -> Option<f64> {
        if let Some((until, direction)) = self.escape {
            if now < until {
                return Some(direction);
            }
            self.rest();
        }
        match self.anchor {
            Some((anchor, since)) if anchor.distance(position) < MOVED => {
                if now.since(since) > STUCK {
                    let direction = random.between(-PI, PI);
                    self.escape = Some((now.after((ESCAPE * 1e9) as u64), direction));
                    return Some(direction);
                }
            }
            _ => self.anchor = Some((position, now)),
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits { radius: 0.2, max_speed: 0.5, max_turn: PI };

    fn bearing(wanted: f64, obstacles: &[(f64, f64)]) -> Option<f64> {
        let angles: Vec<f64> = obstacles.iter().map(|o| o.0).collect();
        let ranges: Vec<f64> = obstacles.iter().map(|o| o.1).collect();
        let scan = Scan::new(&angles, &ranges, 1.5);
        free_bearing(&FreeDirectionParams::default(), Goal { bearing: wanted, distance: 2.0 }, &scan, &LIMITS)
    }

    #[test]
    fn the_wanted_direction_is_taken_if_it_is_free() {
        assert_eq!(bearing(0.5, &[]), Some(0.5));
        assert_eq!(bearing(0.5, &[(0.5, 0.5)]), Some(0.5), "far enough away");
    }

    #[test]
    fn an_obstacle_is_passed_on_the_right_side_first() {
        let passed = bearing(0.0, &[(0.0, 0.1)]).expect("a way");
        assert!(passed < 0.0 && passed > -PI / 2.0, "{passed}");
    }

    /// Turning on the spot lasts at least a tick. A robot with a long tick turns while it drives, or it would mostly turn.
    #[test]
    fn a_turn_that_ends_within_the_tick_does_not_stop_the_robot() {
        let speed = |bearing: f64, dt: f64| speeds(bearing, 1.5, 2.0, &LIMITS, dt).0;
        for bearing in [1.2, 1.6] {
            assert!(speed(bearing, 0.5) > 0.3, "{bearing} rad: {} m/s", speed(bearing, 0.5));
        }
        assert_eq!((speed(1.2, 0.02), speed(3.0, 0.5)), (0.0, 0.0));
    }

    #[test]
    fn an_enclosed_robot_finds_no_direction() {
        let walls: Vec<(f64, f64)> = (0..36).map(|i| (wrap(f64::from(i) * PI / 18.0), 0.05)).collect();
        assert_eq!(bearing(0.0, &walls), None);
    }
}
