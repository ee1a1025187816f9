//! Deadlocks where only one robot can pass: two robots face each other in a corridor, and neither gets on. The one that comes second by
//! priority backs out the way it came until there is room beside it, and waits there.

use crate::neighbours::explains;
use crewlab_onboard::geometry::{Pose, Vec2};
use crewlab_onboard::{Goal, Neighbour, RobotId, Steering, Time};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// A robot that wants to get on and for this long ... [s]
const PATIENCE: f64 = 3.0;
/// ... has got on by less than this many radii is blocked, however much it moves to and fro ...
const PROGRESS: f64 = 1.5;
/// ... within this many radii.
const ELSEWHERE: f64 = 10.0;
/// The robot that goes first waits this many times as long: perhaps the other one cannot get back.
const FIRST: f64 = 4.0;
/// Another robot blocks the way if the gap is below this many radii ...
const NEAR: f64 = 3.0;
/// ... and it is less than 60 degrees off the way to the goal: the cosine of that.
const AHEAD: f64 = 0.5;
/// Clearance beside two robots that pass each other, as a share of the radius.
const SLACK: f64 = 0.3;
/// A robot backs out for at most this long. [s]
const LONGEST: f64 = 40.0;
/// Number of places that a robot remembers on its way, about a radius apart.
const TRAIL: usize = 128;

/// A robot on its way back.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Retreat {
    /// Who may pass.
    other: RobotId,
    since: Time,
    /// Where it waits, once it has found room. [m]
    aside: Option<Vec2>,
}

/// What one robot knows about being blocked.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Deadlock {
    /// Where it came from, the oldest first. [m]
    trail: VecDeque<Vec2>,
    /// Where it was when it last got on, and when.
    anchor: Option<(Vec2, Time)>,
    retreat: Option<Retreat>,
}

/// What a robot does about it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Way {
    /// Nothing: it goes to its goal.
    On,
    /// It goes to this goal instead.
    Back(Goal),
    /// It stands aside.
    Aside,
}

impl Deadlock {
    /// What the robot does in this tick, and who blocks it if that has just been found. `rank` is its own priority and number.
    pub fn resolve(&mut self, steering: &Steering, rank: (i32, RobotId)) -> (Way, Option<RobotId>) {
        let Some(pose) = steering.pose else { return (Way::On, None) };
        let now = steering.situation.now;
        let mut found = None;
        if self.retreat.is_none() {
            self.note(&pose, steering, now);
            if let Some(other) = self.blocker(steering, rank, now) {
                self.retreat = Some(Retreat { other: other.id, since: now, aside: None });
                found = Some(other.id);
            }
        }
        let way = self.retreat.map_or(Way::On, |retreat| self.back_out(retreat, steering, &pose));
        (way, found)
    }

    /// The robot stands still on purpose.
    pub fn rest(&mut self) {
        self.anchor = None;
    }

    /// Remembers the way, and whether the robot gets on.
    fn note(&mut self, pose: &Pose, steering: &Steering, now: Time) {
        let (at, radius) = (pose.position, steering.limits.radius);
        let way = Vec2::unit(pose.heading + steering.goal.bearing);
        if self.trail.back().is_none_or(|last| last.distance(at) > radius) {
            if self.trail.len() == TRAIL {
                self.trail.pop_front();
            }
            self.trail.push_back(at);
        }
        let got_on = |(anchor, _): (Vec2, Time)| {
            (at - anchor).dot(way) > PROGRESS * radius || anchor.distance(at) > ELSEWHERE * radius
        };
        if self.anchor.is_none_or(got_on) {
            self.anchor = Some((at, now));
        }
    }

    /// The robot to which this one gives way.
    fn blocker<'a>(&self, steering: &'a Steering, rank: (i32, RobotId), now: Time) -> Option<&'a Neighbour> {
        let (_, since) = self.anchor?;
        let blocked = now.since(since);
        if blocked < PATIENCE {
            return None;
        }
        let (radius, way) = (steering.limits.radius, Vec2::unit(steering.goal.bearing));
        let in_the_way = |neighbour: &&Neighbour| {
            let distance = neighbour.position.length();
            let near = distance - radius - neighbour.radius < NEAR * radius;
            near && neighbour.position.dot(way) > AHEAD * distance
        };
        let other = steering.neighbours.iter().find(in_the_way)?;
        let first = rank < (other.priority, other.id);
        let patient = !first || blocked >= FIRST * PATIENCE;
        (patient && beside(steering, way, other.radius).is_none()).then_some(other)
    }

    fn back_out(&mut self, mut retreat: Retreat, steering: &Steering, pose: &Pose) -> Way {
        let now = steering.situation.now;
        let other = steering.neighbours.iter().find(|neighbour| neighbour.id == retreat.other);
        let way = Vec2::unit(steering.goal.bearing);
        let radius = steering.limits.radius;
        let passed = |other: &Neighbour| other.position.dot(way) < -(radius + other.radius) / 2.0;
        if now.since(retreat.since) > LONGEST || other.is_none_or(passed) {
            (self.retreat, self.anchor) = (None, None);
            return Way::On;
        }
        let size = other.map_or(radius, |other| other.radius);
        if retreat.aside.is_none() {
            let facing = Vec2::unit(pose.heading);
            retreat.aside = beside(steering, way, size).map(|aside| pose.position + aside.rotated(facing));
            self.retreat = Some(retreat);
        }
        while self.trail.back().is_some_and(|last| last.distance(pose.position) < 1.2 * radius) {
            self.trail.pop_back();
        }
        let to = |place: Vec2| Goal { bearing: pose.bearing(place), distance: pose.position.distance(place) };
        match (retreat.aside, self.trail.back()) {
            (Some(place), _) if place.distance(pose.position) < radius / 2.0 => Way::Aside,
            (Some(place), _) => Way::Back(to(place)),
            (None, Some(place)) => Way::Back(to(*place)),
            // It began here: straight back.
            (None, None) => Way::Back(Goal { bearing: (-way).angle(), distance: 2.0 * radius }),
        }
    }
}

/// A place beside the robot from which another one of this radius can pass along `way`; `None` in a corridor. Relative to the robot. [m]
fn beside(steering: &Steering, way: Vec2, size: f64) -> Option<Vec2> {
    let radius = steering.limits.radius;
    let (mut left, mut right) = (f64::INFINITY, f64::INFINITY);
    let back = Vec2 { x: way.x, y: -way.y };
    let slack = SLACK * radius;
    let needed = 2.0 * (radius + size) + 3.0 * slack;
    for point in steering.scan.points(radius) {
        let at = point.rotated(back);
        let side = if at.y >= 0.0 { &mut left } else { &mut right };
        let nearer = at.x.abs() < radius + size && at.y.abs() < *side;
        if nearer && !steering.neighbours.iter().any(|neighbour| explains(neighbour, point)) {
            *side = at.y.abs();
            if left + right < needed {
                return None;
            }
        }
    }
    // As far to the roomier side as is needed to let the other one pass in the middle of the way.
    let shift = (radius + size + slack).min(left.max(right) - radius - slack);
    let shift = shift.max(0.0);
    Some(way.left() * if left > right { shift } else { -shift })
}
