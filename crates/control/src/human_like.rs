//! Controller: human-like avoidance (Guzzi, Giusti, Gambardella, Theraulaz, Di Caro 2013, after Moussaïd, Helbing and Theraulaz 2011).
//!
//! First rule: the robot takes the heading along which it gets nearest to its goal before something stops it. Others are expected to go on as
//! they do now. Second rule: it is never faster than lets it stop within the time η before what is ahead. Speeds follow with
//! the time constant τ.

use crate::detour::Detour;
use crate::hesitation::Hesitation;
use crate::neighbours::unexplained;
use crate::{Plugin, free_direction};
use crewlab_onboard::geometry::{Vec2, wrap};
use crewlab_onboard::{Controller, Identity, Limits, Neighbour, Speeds, Steering, Stream};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::FRAC_PI_2;

/// Parameters of human-like avoidance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct HumanLikeParams {
    /// Clearance kept to robots and obstacles.
    #[schemars(range(min = 0.0), extend("x-unit" = "m"))]
    pub margin: f64,
    /// How far along a heading it looks, as a time at full speed.
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "s"))]
    pub horizon: f64,
    /// Headings to either side of the goal that are considered.
    #[schemars(range(min = 0.1, max = 3.1), extend("x-unit" = "rad"))]
    pub aperture: f64,
    /// Number of headings.
    #[schemars(range(min = 3, max = 181))]
    pub headings: u8,
    /// Time in which it could stop before what is ahead (η).
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "s"))]
    pub eta: f64,
    /// Time constant with which the speed follows (τ).
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub tau: f64,
    /// Number of neighbours that are avoided, the nearest ones.
    #[schemars(range(min = 0, max = 64))]
    pub neighbours: u8,
    /// Shortest time between two messages that tell where the robot is. It tells only what the others do not expect.
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub tell_every: f64,
}

impl Default for HumanLikeParams {
    fn default() -> Self {
        HumanLikeParams {
            margin: 0.03,
            horizon: 10.0,
            aperture: 1.6,
            headings: 41,
            eta: 0.5,
            tau: 0.125,
            neighbours: 12,
            tell_every: 0.2,
        }
    }
}

/// The controller and its memory.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct HumanLike {
    params: HumanLikeParams,
    /// Forward speed in the last tick. [m/s]
    speed: f64,
    hesitation: Hesitation,
    detour: Detour,
}

impl Plugin for HumanLike {
    const SUMMARY: &'static str = "the heading that leads nearest to the goal given how others move, slower before obstacles (human-like, Guzzi 2013)";
    type Params = HumanLikeParams;

    fn boot(params: &HumanLikeParams, me: &Identity) -> HumanLike {
        HumanLike {
            params: *params,
            speed: 0.0,
            hesitation: Hesitation::default(),
            detour: Detour::new(params.margin, me),
        }
    }
}

impl Controller for HumanLike {
    fn steer(&mut self, steering: &Steering, random: &mut Stream) -> Speeds {
        let speeds = match self.detour.take_over(steering, random) {
            Some(speeds) => speeds,
            None => self.avoid(steering, random),
        };
        self.speed = speeds.0;
        speeds
    }

    fn set_out(&mut self) {
        self.detour.set_out();
    }

    fn rest(&mut self) {
        (self.speed, self.hesitation) = (0.0, Hesitation::default());
        self.detour.rest();
    }

    fn margin(&self) -> f64 {
        self.params.margin
    }

    fn tells(&self) -> Option<f64> {
        Some(self.params.tell_every)
    }

    fn effort(&self) -> u32 {
        5
    }
}

impl HumanLike {
    fn avoid(&mut self, steering: &Steering, random: &mut Stream) -> Speeds {
        let Steering { goal, limits, situation, .. } = steering;
        let view = View::new(&self.params, steering);
        let bearing = view.best(goal.bearing - self.hesitation.right());
        // While it turns, the robot drives where it looks.
        // Farther away nothing makes it slower.
        let mut room = 2.0 * limits.max_speed * self.params.eta;
        for turned in [bearing, bearing / 2.0, 0.0] {
            room = view.room(Vec2::unit(turned), room);
        }
        let fastest = limits.max_speed.min(room / self.params.eta);
        let slower = Limits { max_speed: fastest, ..*limits };
        let (speed, turn) =
            free_direction::speeds(bearing, f64::INFINITY, goal.distance, &slower, situation.dt);
        let follow =
            if self.params.tau > 0.0 { 1.0 - libm::exp(-situation.dt / self.params.tau) } else { 1.0 };
        self.hesitation.note((speed, turn), limits.max_speed, steering, random);
        // Braking is not delayed: rooms shrink when others come.
        let relaxed = self.speed + (speed - self.speed) * follow;
        (relaxed.min(speed.max(0.0)), turn)
    }
}

/// Something in the way.
#[derive(Clone, Copy)]
struct Disc {
    position: Vec2,
    /// Sum of both radii and the margin. [m]
    radius: f64,
}

/// A neighbour that the robot could meet.
struct Other {
    disc: Disc,
    velocity: Vec2,
    /// When they meet at the earliest, if both drive straight at each other. [s]
    earliest: f64,
}

/// A heading and the free distance along it. [m]
#[derive(Clone, Copy)]
struct Heading {
    direction: Vec2,
    free: f64,
}

/// What is in the way of the robot.
struct View<'a> {
    params: &'a HumanLikeParams,
    points: Vec<Vec2>,
    others: Vec<Other>,
    /// The body and the margin. [m]
    body: f64,
    speed: f64,
    /// How far it looks. [m]
    far: f64,
}

impl<'a> View<'a> {
    fn new(params: &'a HumanLikeParams, steering: &Steering<'a>) -> View<'a> {
        let limits = &steering.limits;
        let far = (params.horizon * limits.max_speed).min(steering.goal.distance);
        let mut points = Vec::new();
        unexplained(steering, far, &mut points);
        let (body, speed) = (limits.radius + params.margin, limits.max_speed);
        let most = usize::from(params.neighbours).min(steering.neighbours.len());
        let others =
            steering.neighbours[..most].iter().map(|neighbour| other(neighbour, body, speed)).collect();
        View { params, points, others, body, speed, far }
    }

    /// The heading that leads nearest to the goal. [rad]
    fn best(&self, goal: f64) -> f64 {
        let count = usize::from(self.params.headings).max(3) | 1;
        let (middle, step) = (count / 2, 2.0 * self.params.aperture / (count - 1) as f64);
        let (first, turn) = (goal - step * middle as f64, Vec2::unit(step));
        let mut headings = Vec::with_capacity(count);
        let mut direction = Vec2::unit(first);
        for _ in 0..count {
            headings.push(Heading { direction, free: self.dynamic(direction) });
            direction = direction.rotated(turn);
        }
        for point in &self.points {
            self.shadow(point, first, step, &mut headings);
        }
        let goal_direction = headings[middle].direction;
        let remaining = |n: usize| {
            let Heading { direction, free } = headings[n];
            self.far * self.far + free * free - 2.0 * self.far * free * direction.dot(goal_direction)
        };
        // From the goal's direction outwards, so that of equal ones the nearest to it is taken; right before left.
        let order = (0..=middle).flat_map(|n| [middle - n, middle + n]);
        let best = order.map(|n| (n, remaining(n))).reduce(|a, b| if b.1 < a.1 - 1e-9 { b } else { a });
        let best = best.map_or(middle, |(n, _)| n);
        wrap(goal + step * (best as f64 - middle as f64))
    }

    /// Free distance along a heading if neighbours go on as they do. [m]
    fn dynamic(&self, heading: Vec2) -> f64 {
        let own = heading * self.speed;
        let mut time = self.far / self.speed.max(1e-9);
        for other in &self.others {
            if other.earliest < time && other.disc.may_be_met(own - other.velocity, time) {
                time = time.min(other.disc.met(own - other.velocity));
            }
        }
        self.speed * time
    }

    /// Shortens the free distances of the headings that lead into a point.
    fn shadow(&self, point: &Vec2, first: f64, step: f64, headings: &mut [Heading]) {
        let distance = point.length();
        let half = if distance > self.body { widest(self.body / distance) } else { FRAC_PI_2 };
        let off = wrap(point.angle() - first);
        let disc = Disc { position: *point, radius: self.body };
        // What is free for less cannot become shorter.
        let least = distance - self.body - 1e-9;
        // The headings may span more than a turn from the first one, so both ways round count.
        for off in [off, off + std::f64::consts::TAU] {
            let low = ((off - half) / step).ceil().max(0.0);
            let high = ((off + half) / step).floor().min((headings.len() - 1) as f64);
            let mut n = low;
            while n <= high {
                let heading = &mut headings[n as usize];
                if heading.free > least {
                    heading.free = heading.free.min(disc.met(heading.direction));
                }
                n += 1.0;
            }
        }
    }

    /// Free distance along a heading if nothing moved, up to a distance. [m]
    fn room(&self, heading: Vec2, most: f64) -> f64 {
        let sooner = |room: f64, disc: Disc| {
            if disc.may_be_met(heading, room) { room.min(disc.met(heading)) } else { room }
        };
        let points = self.points.iter().map(|point| Disc { position: *point, radius: self.body });
        let room = points.fold(most, sooner);
        self.others.iter().map(|other| other.disc).fold(room, sooner)
    }
}

/// At least the arc sine of a share, and quicker: which headings meet a point is decided one by one. [rad]
fn widest(share: f64) -> f64 {
    share + (FRAC_PI_2 - 1.0) * share * share * share
}

/// A neighbour as a robot with this body and top speed sees it. [m], [m/s]
fn other(neighbour: &Neighbour, body: f64, speed: f64) -> Other {
    let disc = Disc { position: neighbour.position, radius: body + neighbour.radius };
    let closing = (speed + neighbour.velocity.length()).max(1e-9);
    let earliest = (disc.position.length() - disc.radius) / closing;
    Other { disc, velocity: neighbour.velocity, earliest }
}

impl Disc {
    /// False if something that moves at this velocity relative to the disc cannot meet it before a time; quicker than the moment itself. [s]
    #[inline]
    fn may_be_met(&self, velocity: Vec2, before: f64) -> bool {
        // The moment is gap / (closing + √depth), and √depth ≤ closing.
        let gap = self.position.length_squared() - self.radius * self.radius;
        let closing = self.position.dot(velocity);
        closing > 0.0 && gap < 2.0 * (1.0 + 1e-9) * closing * before
    }

    /// When something that moves at this velocity relative to the disc meets it; zero if they overlap and get closer. [s]
    fn met(&self, velocity: Vec2) -> f64 {
        let closing = self.position.dot(velocity);
        if closing <= 0.0 {
            return f64::INFINITY;
        }
        let gap = self.position.length_squared() - self.radius * self.radius;
        if gap <= 0.0 {
            return 0.0;
        }
        let square = velocity.length_squared();
        let depth = closing * closing - square * gap;
        if depth < 0.0 { f64::INFINITY } else { (closing - depth.sqrt()) / square }
    }
}
