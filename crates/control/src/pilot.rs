//! The low-level avoidance layer, as in ALLIANCE-SIM 4.2.1, for obstacles of any shape.
//!
//! Three look-ahead points (ahead, ahead left, ahead right) span a corridor in the direction of travel. While the
//! corridor towards the goal is free the robot drives there. When it is not, the robot follows the obstacle's side
//! and leaves it when the way is free as far as it can see, or when the goal is ahead, the next steps are free and it
//! is closer to the goal than when it met the obstacle. If it meets an obstacle again soon without having come closer, it is in
//! a dead end, and then only being closer counts.

use crate::Plugin;
use crewlab_onboard::geometry::{Vec2, wrap};
use crewlab_onboard::{Controller, Goal, Identity, Limits, Scan, Side, Speeds, Steering, Stream};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::{FRAC_PI_2, PI};

/// Step between the directions that are tried. [rad]
const SWEEP: f64 = PI / 18.0;
/// Heading error above which the robot turns on the spot. [rad]
const TURN_ON_SPOT: f64 = 0.7;
/// Turning speed per heading error. [1/s]
const TURN_GAIN: f64 = 4.0;
/// The robot looks at least this many steps ahead, however long a tick is.
const STEPS_AHEAD: f64 = 1.4;
/// How far the path must be free to leave an obstacle without being closer to the goal. [m]
const FAR_SIGHT: f64 = 1.2;
/// A path that is free for a shorter time than this is not free: the obstacle was between two rays. With short ticks there are
/// more such moments. [s]
const BLINK: f64 = 0.15;
/// A robot whose path has been free for this long is not in a dead end. [s]
const AT_EASE: f64 = 8.0;
/// While following an obstacle, a robot stops once in this time ... [s]
const PAUSE_EVERY: f64 = 6.0;
/// ... for this long, each robot at its own time. This separates two robots that follow obstacles side by side. [s]
const PAUSE: f64 = 1.0;
/// A robot that has followed an obstacle for this long tries the other direction. [s]
const PATIENCE: f64 = 40.0;

/// A robot for which no direction is free for this long has something beside it that waits for it, too: it moves away from that
/// without keeping its margin ... [s]
const ENCLOSED: f64 = 5.0;
/// ... if the way is free for this share of what it looks ahead. In a narrower place it stays.
const WAY_OUT: f64 = 0.5;
/// What touches the robot does not block a way along it: it counts from this share of the body's width.
const SLIDES: f64 = 0.85;

/// A robot that has only turned for this long turns to and fro: now there seems to be a way and now there is none. [s]
const TO_AND_FRO: f64 = 2.0;

/// Parameters of the pilot.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct PilotParams {
    /// Clearance kept to obstacles beside the path.
    #[schemars(range(min = 0.0), extend("x-unit" = "m"))]
    pub margin: f64,
    /// How far the look-ahead points lie in front of the rim.
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "m"))]
    pub look_ahead: f64,
}

impl Default for PilotParams {
    fn default() -> Self {
        PilotParams { margin: 0.06, look_ahead: 0.35 }
    }
}

/// An obstacle that the robot follows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Detour {
    /// The side of the robot on which the obstacle is.
    obstacle: Side,
    /// Distance to the goal when the obstacle was met. [m]
    met_at: f64,
    /// How long it has been followed. [s]
    spent: f64,
    /// True in a dead end.
    strict: bool,
}

/// The pilot and its memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Pilot {
    params: PilotParams,
    /// The obstacle that it follows; `None` on the way to the goal.
    detour: Option<Detour>,
    /// The obstacle that it has followed last.
    last: Option<Detour>,
    /// Distance to the goal when the last obstacle was met, if that was recent. [m]
    last_met: Option<f64>,
    /// How long the path has been free. [s]
    at_ease: f64,
    /// When it pauses while following. [s]
    rhythm: f64,
    /// How long it has only turned. [s]
    turning: f64,
    /// How long no direction has been free, but for moments. [s]
    enclosed: f64,
    /// How long one has been free since. [s]
    freed: f64,
}

/// The points that the scanner saw, relative to the robot's centre.
struct Surroundings {
    points: Vec<Vec2>,
    half_width: f64,
    margin: f64,
    look: f64,
}

impl Surroundings {
    fn new(params: &PilotParams, scan: &Scan, limits: &Limits, goal: &Goal, dt: f64) -> Surroundings {
        // The robot must be able to stop before what it sees now for the first time.
        let look_ahead = params.look_ahead.max(STEPS_AHEAD * limits.max_speed * dt);
        Surroundings {
            points: scan.points(limits.radius).collect(),
            half_width: limits.radius + params.margin,
            margin: params.margin,
            // Obstacles behind the goal do not matter.
            look: limits.radius + look_ahead.min(goal.distance),
        }
    }

    /// True if the corridor between the robot and its three look-ahead points in this direction is free.
    fn free(&self, bearing: f64) -> bool {
        self.free_for(bearing, self.look)
    }

    /// True if the corridor in this direction is free for `length` metres from the centre.
    fn free_for(&self, bearing: f64, length: f64) -> bool {
        let back = Vec2::unit(-bearing);
        self.points.iter().all(|point| {
            let ahead = point.rotated(back);
            ahead.x <= 0.0 || ahead.x >= length || ahead.y.abs() >= self.half_width
        })
    }

    /// The direction nearest to one in which the body gets away from what is beside it.
    fn way_out(&self, bearing: f64, radius: f64) -> Option<f64> {
        let length = radius + WAY_OUT * (self.look - radius);
        let touching = radius + self.margin;
        let free = |bearing: &f64| {
            let back = Vec2::unit(-bearing);
            self.points.iter().all(|point| {
                let ahead = point.rotated(back);
                let body = if point.length() < touching { SLIDES * radius } else { radius };
                ahead.x <= 0.0 || ahead.x >= length || ahead.y.abs() >= body
            })
        };
        (0..=18)
            .flat_map(|step| [SWEEP, -SWEEP].map(|turn| wrap(bearing + turn * f64::from(step))))
            .find(free)
    }

    /// The first free direction from `start`, turning away from the obstacle.
    fn first_free(&self, start: f64, obstacle: Side) -> Option<f64> {
        let away = if obstacle == Side::Left { -SWEEP } else { SWEEP };
        (0..36).map(|step| start + away * f64::from(step)).find(|bearing| self.free(*bearing)).map(wrap)
    }

    /// Bearing of the nearest point on one side, up to a little across the front; straight to the side if there is
    /// none. [rad]
    fn nearest_on(&self, side: Side) -> f64 {
        let sign = if side == Side::Left { 1.0 } else { -1.0 };
        let on_side = self.points.iter().filter(|p| p.angle() * sign >= -FRAC_PI_2 / 2.0);
        let nearest = on_side.min_by(|a, b| a.length_squared().total_cmp(&b.length_squared()));
        nearest.map_or(sign * FRAC_PI_2, |p| p.angle())
    }

    fn anything_near(&self) -> bool {
        self.points.iter().any(|point| point.length() < 1.5 * self.look)
    }

    /// Free distance straight ahead of the rim. [m]
    fn clearance(&self, radius: f64) -> f64 {
        let ahead = self.points.iter().filter(|p| p.x > 0.0 && p.y.abs() < radius + self.margin / 2.0);
        ahead.map(|p| p.x - radius).fold(f64::INFINITY, f64::min)
    }
}

impl Plugin for Pilot {
    const SUMMARY: &'static str =
        "straight to the goal; along the side of an obstacle until the way is free (ALLIANCE-SIM 4.2.1)";
    type Params = PilotParams;

    /// Robots with different numbers pause at different times.
    fn boot(params: &PilotParams, me: &Identity) -> Pilot {
        Pilot { params: *params, rhythm: f64::from(me.id.0 % 4) * PAUSE_EVERY / 4.0, ..Pilot::default() }
    }
}

impl Controller for Pilot {
    fn steer(&mut self, steering: &Steering, _random: &mut Stream) -> Speeds {
        self.speeds(steering.goal, &steering.scan, &steering.limits, steering.situation.dt)
    }

    /// Forgets the obstacle that is being followed: the distance to the old goal has no meaning for a new one.
    fn set_out(&mut self) {
        (self.detour, self.last, self.last_met, self.at_ease) = (None, None, None, 0.0);
    }

    fn margin(&self) -> f64 {
        self.params.margin
    }

    fn look_ahead(&self) -> f64 {
        self.params.look_ahead
    }
}

impl Pilot {
    /// Forward and turning speed towards the goal. [m/s], [rad/s]
    fn speeds(&mut self, goal: Goal, scan: &Scan, limits: &Limits, dt: f64) -> Speeds {
        let around = Surroundings::new(&self.params, scan, limits, &goal, dt);
        let bearing = self.bearing(goal, &around, dt);
        self.freed = if bearing.is_none() { 0.0 } else { self.freed + dt };
        self.enclosed = if self.freed < BLINK { self.enclosed + dt } else { 0.0 };
        // Enclosed on all sides: wait, but not for ever for somebody who waits as well.
        let bearing = match bearing {
            _ if self.enclosed > ENCLOSED => around.way_out(goal.bearing, limits.radius),
            bearing => bearing.filter(|_| !self.pauses()),
        };
        let Some(bearing) = bearing else { return (0.0, 0.0) };
        // A longer tick must not turn the robot farther than it wants to.
        let turn = (TURN_GAIN.min(1.0 / dt) * bearing).clamp(-limits.max_turn, limits.max_turn);
        if bearing.abs() > TURN_ON_SPOT {
            self.turning += dt;
            return (0.0, turn);
        }
        self.turning = 0.0;
        let clearance = around.clearance(limits.radius).max(0.0);
        let speed = limits.max_speed * libm::cos(bearing);
        // Slow down so that the next second does not end in an obstacle or beyond the goal, nor a longer tick.
        let (near_obstacle, near_goal) = (1.5_f64.min(0.75 / dt), 2.0_f64.min(1.0 / dt));
        let (near_obstacle, near_goal) = (0.05 + near_obstacle * clearance, 0.05 + near_goal * goal.distance);
        (speed.min(near_obstacle).min(near_goal).min(limits.max_speed), turn)
    }

    fn pauses(&self) -> bool {
        self.detour
            .is_some_and(|Detour { spent, .. }| spent > PAUSE && (spent + self.rhythm) % PAUSE_EVERY < PAUSE)
    }

    /// Begins to follow an obstacle, or continues with the last one if that was out of sight only for a moment.
    fn meet(&mut self, goal: Goal, around: &Surroundings) -> Detour {
        let blinked = self.last.filter(|_| self.at_ease < BLINK);
        self.at_ease = 0.0;
        blinked.unwrap_or_else(|| {
            let strict = self.last_met.is_some_and(|last| goal.distance > last - 0.1);
            self.last_met = Some(goal.distance);
            Detour { obstacle: nearer_side(goal, around), met_at: goal.distance, spent: 0.0, strict }
        })
    }

    /// The obstacle to follow from now on; `None` if it can be left.
    fn follow(&self, detour: Detour, goal: Goal, around: &Surroundings, dt: f64) -> Option<Detour> {
        let ahead = goal.bearing.abs() <= FRAC_PI_2;
        let closer = goal.distance < detour.met_at - 0.02;
        let calm = !detour.strict && self.turning < TO_AND_FRO;
        let clear = calm && around.free_for(goal.bearing, FAR_SIGHT.min(around.look + goal.distance));
        let gone = !around.anything_near();
        if gone || clear || (ahead && closer && around.free(goal.bearing)) {
            return None;
        }
        Some(if detour.spent > PATIENCE {
            let obstacle = if detour.obstacle == Side::Left { Side::Right } else { Side::Left };
            Detour { obstacle, met_at: goal.distance, spent: 0.0, ..detour }
        } else {
            Detour { spent: detour.spent + dt, ..detour }
        })
    }

    /// The direction to take now, relative to the front, if any is free. [rad]
    fn bearing(&mut self, goal: Goal, around: &Surroundings, dt: f64) -> Option<f64> {
        if let Some(detour) = self.detour {
            self.last = self.detour;
            self.detour = self.follow(detour, goal, around, dt);
        }
        if self.detour.is_none() {
            self.at_ease += dt;
            if self.at_ease > AT_EASE {
                self.last_met = None;
            }
            if !around.free(goal.bearing) {
                self.detour = Some(self.meet(goal, around));
            }
        }
        match self.detour {
            None => Some(goal.bearing),
            Some(Detour { obstacle, .. }) => around.first_free(around.nearest_on(obstacle), obstacle),
        }
    }
}

/// The side on which the obstacle is kept: the one that needs the smaller turn; on ties the left, so that two robots that meet
/// pass each other.
fn nearer_side(goal: Goal, around: &Surroundings) -> Side {
    let turn = |side| {
        let free = around.first_free(goal.bearing, side);
        free.map_or(f64::INFINITY, |bearing| wrap(bearing - goal.bearing).abs())
    };
    if turn(Side::Right) < turn(Side::Left) - 1e-9 { Side::Right } else { Side::Left }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_onboard::geometry::vec2;

    const LIMITS: Limits = Limits { radius: 0.2, max_speed: 0.5, max_turn: PI };

    fn steer(goal: Goal, obstacles: &[(f64, f64)]) -> (f64, f64) {
        let angles: Vec<f64> = (0..36).map(|i| wrap(f64::from(i) * PI / 18.0)).collect();
        let ranges: Vec<f64> = angles
            .iter()
            .map(|angle| {
                obstacles.iter().find(|(a, _)| wrap(a - angle).abs() < 0.09).map_or(3.0, |(_, r)| *r)
            })
            .collect();
        let scan = Scan::new(&angles, &ranges, 3.0);
        Pilot::default().speeds(goal, &scan, &LIMITS, 0.1)
    }

    #[test]
    fn a_free_way_is_taken_straight() {
        assert_eq!(steer(Goal { bearing: 0.0, distance: 5.0 }, &[]), (0.5, 0.0));
    }

    #[test]
    fn a_goal_behind_is_turned_to_on_the_spot() {
        let (speed, turn) = steer(Goal { bearing: 3.0, distance: 5.0 }, &[]);
        assert!(speed == 0.0 && turn > 0.0);
    }

    #[test]
    fn a_long_tick_turns_the_robot_no_farther_than_it_wants() {
        for dt in [0.02, 0.1, 0.5, 1.0] {
            let scan = Scan::new(&[], &[], 3.0);
            let goal = Goal { bearing: 1.0, distance: 5.0 };
            let (_, turn) = Pilot::default().speeds(goal, &scan, &LIMITS, dt);
            assert!(turn > 0.0 && turn * dt <= goal.bearing + 1e-9, "{dt} s: {turn} rad/s");
        }
    }

    #[test]
    fn an_obstacle_ahead_is_passed_with_it_on_the_left() {
        let (_, turn) = steer(Goal { bearing: 0.0, distance: 5.0 }, &[(0.0, 0.2)]);
        assert!(turn < 0.0, "turns right, so that two robots that meet both do");
    }

    #[test]
    fn an_obstacle_ahead_on_the_right_is_passed_on_its_left() {
        let (_, turn) = steer(Goal { bearing: 0.0, distance: 5.0 }, &[(0.0, 0.25), (-0.2, 0.2), (-0.4, 0.2)]);
        assert!(turn > 0.0);
    }

    /// Somebody stands a hand's breadth ahead within the margin, and everything else is nearer than the robot looks ahead.
    #[test]
    fn a_robot_that_is_enclosed_moves_away_from_what_waits_for_it() {
        let angles: Vec<f64> = (0..36).map(|i| wrap(f64::from(i) * PI / 18.0)).collect();
        let goal = Goal { bearing: 0.0, distance: 5.0 };
        let after = |seconds: f64, wall: f64| {
            let ranges: Vec<f64> = angles.iter().map(|a| if a.abs() < 0.6 { 0.03 } else { wall }).collect();
            let scan = Scan::new(&angles, &ranges, 3.0);
            let mut pilot = Pilot::default();
            let mut speeds = (0.0, 0.0);
            (0..(seconds / 0.1) as usize).for_each(|_| speeds = pilot.speeds(goal, &scan, &LIMITS, 0.1));
            speeds
        };
        assert_eq!(after(ENCLOSED - 1.0, 0.3), (0.0, 0.0), "somebody may go on");
        assert!(after(ENCLOSED + 1.0, 0.3).1.abs() > 0.1, "turns away");
        assert_eq!(after(ENCLOSED + 1.0, 0.1), (0.0, 0.0), "walled in");
    }

    /// By noise, a way seems free for a moment every two seconds: that is no way out, and the robot is still enclosed.
    #[test]
    fn a_moment_that_seems_free_does_not_end_being_enclosed() {
        let angles: Vec<f64> = (0..36).map(|i| wrap(f64::from(i) * PI / 18.0)).collect();
        let (mut pilot, mut speeds) = (Pilot::default(), (0.0, 0.0));
        for tick in 1..=90 {
            let wall = if tick % 20 == 0 { 0.5 } else { 0.3 };
            let ranges: Vec<f64> = angles.iter().map(|a| if a.abs() < 0.6 { 0.03 } else { wall }).collect();
            let goal = Goal { bearing: 0.0, distance: 5.0 };
            speeds = pilot.speeds(goal, &Scan::new(&angles, &ranges, 3.0), &LIMITS, 0.1);
        }
        assert!(speeds.1.abs() > 0.1, "turns away: {speeds:?}");
    }

    #[test]
    fn obstacles_behind_the_goal_are_ignored() {
        let (speed, turn) = steer(Goal { bearing: 0.0, distance: 0.1 }, &[(0.0, 0.2)]);
        assert!(speed > 0.0 && turn == 0.0);
    }

    /// With short ticks there are moments in which no ray hits the obstacle. They must not look like a second obstacle, met without
    /// having come closer, because that would be a dead end.
    #[test]
    fn an_obstacle_that_blinks_is_not_met_again() {
        let strict_after = |hidden: u32, dt: f64| {
            let (mut pilot, goal) = (Pilot::default(), Goal { bearing: 0.0, distance: 5.0 });
            let mut look = |ranges: &[f64], ticks: u32| {
                let scan = Scan::new(&[0.0, 0.1], ranges, 3.0);
                (0..ticks).for_each(|_| _ = pilot.speeds(goal, &scan, &LIMITS, dt));
            };
            look(&[0.2, 0.2], 10);
            look(&[3.0, 3.0], hidden);
            look(&[0.2, 0.2], 1);
            pilot.detour.expect("an obstacle is ahead").strict
        };
        assert!(!strict_after(1, 0.02) && !strict_after(5, 0.02));
        assert!(strict_after(20, 0.02) && strict_after(1, 0.1));
    }

    #[test]
    fn vectors_keep_their_frame() {
        // A point to the left must block the corridor to the left only.
        let scan = Scan::new(&[FRAC_PI_2], &[0.1], 3.0);
        let around = Surroundings::new(
            &PilotParams::default(),
            &scan,
            &LIMITS,
            &Goal { bearing: 0.0, distance: 5.0 },
            0.1,
        );
        assert!(around.points[0].distance(vec2(0.0, 0.3)) < 1e-12);
        assert!(around.free(0.0) && !around.free(FRAC_PI_2) && around.free(PI));
    }

    /// What a scanner sees between a wall at y = 6 m and two robots that stand 1 m apart. [m]
    fn ranges(at: Vec2, heading: f64, angles: &[f64]) -> Vec<f64> {
        let robots = [vec2(1.6417, 5.0), vec2(2.6417, 5.0), vec2(1.6417, 4.0)];
        let range = |angle: &f64| {
            let ray = Vec2::unit(heading + angle);
            let wall = if ray.y > 0.0 { (6.0 - at.y) / ray.y } else { f64::INFINITY };
            let hits = robots.iter().filter_map(|robot| {
                let way = *robot - at;
                let along = way.dot(ray);
                let depth = along * along - way.length_squared() + 0.04;
                (depth >= 0.0 && along > 0.0).then(|| along - libm::sqrt(depth))
            });
            (hits.fold(wall, f64::min) - LIMITS.radius).clamp(0.0, 1.5)
        };
        angles.iter().map(range).collect()
    }

    /// As the robot turns, its rays miss one of the two robots, and the way seems free; when it turns back, they do not.
    #[test]
    fn a_robot_does_not_turn_to_and_fro_for_ever() {
        let angles: Vec<f64> = (0..36).map(|i| wrap(f64::from(i) * PI / 18.0)).collect();
        let (mut pilot, mut at, mut heading, dt) = (Pilot::default(), vec2(2.1361, 5.4443), -0.9338, 0.05);
        for _ in 0..200 {
            let ranges = ranges(at, heading, &angles);
            let scan = Scan::new(&angles, &ranges, 1.5);
            let goal = Goal { bearing: wrap(-heading), distance: f64::INFINITY };
            let (speed, turn) = pilot.speeds(goal, &scan, &LIMITS, dt);
            at += Vec2::unit(heading + turn * dt / 2.0) * (speed * dt);
            heading = wrap(heading + turn * dt);
        }
        assert!(at.x > 3.0, "{at:?}");
    }
}
