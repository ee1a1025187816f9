//! Controller: optimal reciprocal collision avoidance (van den Berg, Guy, Lin, Manocha 2011).
//!
//! Robots that have told where they are and how fast share the avoidance; what the scanner sees besides is avoided alone. A robot with two
//! wheels cannot drive sideways, so its velocity is that of a point in front of its axle, which can, and the body's radius is larger by
//! that distance (effective centre; Kluge and Prassler 2007, Snape et al. 2010). Close to obstacles the point moves
//! inwards, so that the robot fits through where its body fits through.

mod obstacle;
mod program;

pub use program::{HalfPlane, solve};

use crate::Plugin;
use crate::detour::Detour;
use crate::hesitation::Hesitation;
use crate::neighbours::unexplained;
use crewlab_onboard::geometry::{Vec2, vec2};
use crewlab_onboard::{Controller, Identity, Neighbour, Speeds, Steering, Stream};
use obstacle::{Care, Disc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The effective centre is at least this share of the radius ahead.
const LEAST_OFFSET: f64 = 0.1;
/// A goal farther to the side than this is turned to. [rad]
const TURN: f64 = 1.75;
/// Somebody less than 30 degrees off the way to the goal, seen from the robot, is met head-on: the cosine of that.
const HEAD_ON: f64 = 0.866;
/// A robot that meets somebody head-on aims so far to the right: two that face each other and stand would stay so. [rad]
const KEEP_RIGHT: f64 = 0.35;
/// Speed in the goal, and speed per distance from it. [m/s], [1/s]
const ARRIVAL: (f64, f64) = (0.05, 2.0);

/// Parameters of ORCA.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct OrcaParams {
    /// Clearance kept to robots and obstacles.
    #[schemars(range(min = 0.0), extend("x-unit" = "m"))]
    pub margin: f64,
    /// Time for which the way is free of other robots.
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "s"))]
    pub horizon: f64,
    /// Time for which the way is free of what does not move.
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "s"))]
    pub static_horizon: f64,
    /// Number of neighbours that are avoided, the nearest ones.
    #[schemars(range(min = 0, max = 64))]
    pub neighbours: u8,
    /// Distance of the effective centre from the axle, as a share of the body's radius.
    #[schemars(range(min = 0.1, max = 1.0))]
    pub offset: f64,
    /// Shortest time between two messages that tell where the robot is. It tells only what the others do not expect.
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub tell_every: f64,
}

impl Default for OrcaParams {
    fn default() -> Self {
        OrcaParams {
            margin: 0.02,
            horizon: 5.0,
            static_horizon: 0.6,
            neighbours: 10,
            offset: 0.5,
            tell_every: 0.2,
        }
    }
}

/// The controller and its memory.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Orca {
    params: OrcaParams,
    /// The last speeds. [m/s], [rad/s]
    speeds: Speeds,
    hesitation: Hesitation,
    detour: Detour,
}

impl Plugin for Orca {
    const SUMMARY: &'static str = "reciprocal avoidance: the velocity nearest to the wanted one that keeps clear of robots and obstacles (ORCA)";
    type Params = OrcaParams;

    fn boot(params: &OrcaParams, me: &Identity) -> Orca {
        Orca {
            params: *params,
            speeds: (0.0, 0.0),
            hesitation: Hesitation::default(),
            detour: Detour::new(params.margin, me),
        }
    }
}

impl Controller for Orca {
    fn steer(&mut self, steering: &Steering, random: &mut Stream) -> Speeds {
        self.speeds = match self.detour.take_over(steering, random) {
            Some(speeds) => speeds,
            None => self.avoid(steering, random),
        };
        self.speeds
    }

    fn set_out(&mut self) {
        self.detour.set_out();
    }

    fn rest(&mut self) {
        (self.speeds, self.hesitation) = ((0.0, 0.0), Hesitation::default());
        self.detour.rest();
    }

    fn margin(&self) -> f64 {
        self.params.margin
    }

    fn tells(&self) -> Option<f64> {
        Some(self.params.tell_every)
    }

    fn effort(&self) -> u32 {
        2
    }
}

impl Orca {
    fn avoid(&mut self, steering: &Steering, random: &mut Stream) -> Speeds {
        let limits = &steering.limits;
        let mut points = Vec::new();
        unexplained(steering, self.params.static_horizon * limits.max_speed, &mut points);
        let offset = self.offset(&points, limits.radius);
        // Everything is relative to the effective centre.
        let centre = vec2(offset, 0.0);
        let own = vec2(self.speeds.0, self.speeds.1 * offset);
        let mut planes = Vec::with_capacity(points.len() + usize::from(self.params.neighbours));
        let body = limits.radius + offset + self.params.margin;
        let dt = steering.situation.dt;
        let alone = Care { share: 1.0, horizon: self.params.static_horizon, dt };
        planes.extend(points.iter().map(|point| {
            // A point inside the enlarged body is moved to its rim: the robot may not come closer, and need not flee.
            let way = *point - centre;
            let radius = body.min(way.length() * 0.999);
            Disc { position: way, velocity: Vec2::ZERO, radius }.half_plane(own, alone)
        }));
        let hard = planes.len();
        // One that does not avoid is avoided all the same, half of the rest in every tick.
        let together = Care { share: 0.5, horizon: self.params.horizon, dt };
        let avoided = steering.neighbours.iter().take(usize::from(self.params.neighbours));
        planes.extend(avoided.map(|neighbour| other(neighbour, centre, body).half_plane(own, together)));
        let wanted = wanted(steering, offset);
        let velocity = solve(&planes, hard, self.keep_right(wanted, steering), limits.max_speed);
        let speeds = speeds(velocity, offset, limits.max_turn);
        self.hesitation.note(speeds, wanted.length(), steering, random);
        speeds
    }

    /// The wanted velocity, turned to the right if somebody comes the other way or stands in it, or if the robot hesitates.
    fn keep_right(&self, wanted: Vec2, steering: &Steering) -> Vec2 {
        let speed = wanted.length();
        let far = steering.goal.distance.min(self.params.horizon * speed) + steering.limits.radius;
        let met = |neighbour: &Neighbour| {
            let distance = neighbour.position.length();
            let ahead = neighbour.position.dot(wanted) > HEAD_ON * distance * speed;
            let opposed = neighbour.velocity.dot(wanted) <= 0.0;
            ahead && opposed && distance - neighbour.radius < far
        };
        let mut avoided = steering.neighbours.iter().take(usize::from(self.params.neighbours));
        let right = if avoided.any(met) { KEEP_RIGHT } else { 0.0 };
        let right = right.max(self.hesitation.right());
        if right > 0.0 { wanted.rotated(Vec2::unit(-right)) } else { wanted }
    }

    /// How far the effective centre is ahead of the axle: less if something is near. [m]
    fn offset(&self, points: &[Vec2], radius: f64) -> f64 {
        let nearest = points.iter().map(|point| point.length()).fold(f64::INFINITY, f64::min);
        let room = (nearest - radius - self.params.margin) / 2.0;
        room.clamp(LEAST_OFFSET * radius, self.params.offset * radius)
    }
}

fn other(neighbour: &Neighbour, centre: Vec2, body: f64) -> Disc {
    Disc {
        position: neighbour.position - centre,
        velocity: neighbour.velocity,
        radius: body + neighbour.radius,
    }
}

/// The velocity that would lead to the goal if nothing were there. [m/s]
fn wanted(steering: &Steering, offset: f64) -> Vec2 {
    let (goal, limits) = (&steering.goal, &steering.limits);
    let bearing = goal.bearing.clamp(-TURN, TURN);
    let near = ARRIVAL.1.min(1.0 / steering.situation.dt);
    let speed = limits.max_speed.min(ARRIVAL.0 + near * goal.distance);
    if !goal.distance.is_finite() || bearing != goal.bearing {
        return Vec2::unit(bearing) * speed;
    }
    // The effective centre goes as far beyond the goal as it is ahead of the axle.
    let way = Vec2::unit(bearing) * (goal.distance + offset) - vec2(offset, 0.0);
    let length = way.length();
    if length > 0.0 { way * (speed / length) } else { Vec2::ZERO }
}

/// Forward and turning speed that move the effective centre at a velocity; slower if the robot cannot turn as fast. [m/s], [rad/s]
fn speeds(velocity: Vec2, offset: f64, max_turn: f64) -> Speeds {
    let turn = velocity.y / offset;
    let slower = if turn.abs() > max_turn { max_turn / turn.abs() } else { 1.0 };
    (velocity.x * slower, turn * slower)
}
