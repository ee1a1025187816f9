//! Pushing: objects that give way to robots.
//!
//! Slow pushing over a rough floor has no inertia: an object moves only while it is pushed, and how it moves follows from
//! friction alone. Forces that the floor can just resist form its limit surface, here an ellipsoid: friction in any direction,
//! and friction times [`Pushable::arm`] in torque. The motion is normal to it. So of all motions that take the object out of the
//! way, and into nothing else, it makes the one with the least v² + (arm · ω)². A push beside the centre turns it; pushes at
//! both ends move it straight; a push against something that stands behind it pivots it there. Contacts have no friction.
//!
//! Robots push one after the other, in small steps that are undone if anything would overlap.

use crate::body::Obstacle;
use crate::motion::{Probe, Wish};
use crate::object::Object;
use crate::shape::{Bounds, Outline, Shape, edges};
use crate::world::World;
use crewlab_onboard::RobotId;
use crewlab_onboard::geometry::{Pose, Vec2, vec2, wrap};
use serde::{Deserialize, Serialize};

/// Longest step of a push. The motion is linear within a step. [m]
const STEP: f64 = 0.01;
/// Gap that a push leaves: more than the error of a linear step. [m]
const GAP: f64 = 1e-4;
/// Farthest that any point of an object moves in a step. [m]
const FAR: f64 = 4.0 * STEP;
/// How often a step that is too long is halved.
const HALVINGS: u32 = 6;
/// Most steps of a push that are shortened.
const SHORTENED: u32 = 16;
/// Most rounds over all contacts until their forces agree.
const ROUNDS: usize = 200;
/// Change of a force that no longer matters. [m]
const AGREED: f64 = 1e-9;

/// What makes an object one that can be pushed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pushable {
    /// Force that moves it straight. [N]
    pub friction: f64,
    /// Its centre of friction: that of its area, in its own coordinates. [m]
    pub center: Vec2,
    /// Torque that turns it on the spot, per friction: the mean distance of its area from the centre. [m]
    pub arm: f64,
    /// How often a robot has begun to push it.
    pub pushes: u64,
    /// All its turns so far, in either direction, from tick to tick. [rad]
    pub turned: f64,
}

impl Pushable {
    /// The properties of a uniform object of this shape; `None` for a wall, which stands on no area. [N]
    pub fn new(shape: &Shape, friction: f64) -> Option<Pushable> {
        let (center, arm) = match shape {
            Shape::Circle { radius } => (vec2(0.0, 0.0), 2.0 / 3.0 * radius),
            Shape::Polygon(corners) => {
                let center = centroid(corners);
                (center, mean_distance(corners, center))
            }
            Shape::Segment(..) => return None,
        };
        Some(Pushable { friction, center, arm, pushes: 0, turned: 0.0 })
    }
}

fn centroid(corners: &[Vec2]) -> Vec2 {
    let (mut sum, mut area) = (vec2(0.0, 0.0), 0.0);
    for (a, b) in edges(corners) {
        let part = a.cross(b);
        sum += (a + b) * (part / 3.0);
        area += part;
    }
    sum * (1.0 / area)
}

/// Mean distance of a polygon's area from a point inside, from the triangles between the point and each edge. [m]
fn mean_distance(corners: &[Vec2], from: Vec2) -> f64 {
    let (mut sum, mut area) = (0.0, 0.0);
    for (a, b) in edges(corners) {
        let (a, b) = (a - from, b - from);
        let along = (b - a) * (1.0 / (b - a).length());
        let height = a.cross(along);
        let part = |end: Vec2| {
            let s = end.dot(along);
            height * (end.length() * s + height * height * libm::asinh(s / height)) / 6.0
        };
        sum += part(b) - part(a);
        area += a.cross(b) / 2.0;
    }
    sum / area
}

/// A place where an object touches something, or nearly.
struct Touch {
    /// From the object's centre of friction to the place. [m]
    at: Vec2,
    /// The direction in which the object gets away from the thing.
    away: Vec2,
    /// How far it has to get away; below zero, how near it may come. [m]
    least: f64,
    /// Who is there.
    who: Party,
}

/// Who touches an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Party {
    /// The pushing robot.
    Me,
    /// Another robot that pushes it the same way.
    Helper,
    /// Something in the way.
    Other,
}

impl Touch {
    fn lever(&self) -> f64 {
        self.at.cross(self.away)
    }
}

/// The places where an object comes near to things.
struct Touches {
    center: Vec2,
    list: Vec<Touch>,
}

impl Touches {
    /// Notes a point of the object and the nearest one of a thing, apart or `inside` each other; one of them has a rim of this
    /// radius around it. [m]
    fn pair(&mut self, own: Vec2, other: Vec2, inside: bool, radius: f64, who: Party) {
        let apart = if inside { other - own } else { own - other };
        let distance = apart.length();
        let gap = if inside { -distance } else { distance } - radius;
        if gap > FAR {
            return;
        }
        // Points that coincide do not tell a direction: towards the middle is away.
        let apart = if distance > 1e-9 { apart } else { self.center - own };
        let length = apart.length();
        let away = if length > 0.0 { apart * (1.0 / length) } else { vec2(1.0, 0.0) };
        self.list.push(Touch { at: own - self.center, away, least: GAP - gap, who });
    }

    /// Notes where an object with this outline is near to another outline.
    fn between(&mut self, own: &Outline, other: &Outline, who: Party) {
        if let Outline::Circle { center, radius } = other {
            self.pair(own.nearest(*center), *center, own.contains(*center), *radius, who);
            return;
        }
        if let Outline::Circle { center, radius } = own {
            let nearest = other.nearest(*center);
            self.pair(*center, nearest, other.contains(*center), *radius, who);
            return;
        }
        for corner in own.corners() {
            self.pair(corner, other.nearest(corner), other.contains(corner), 0.0, who);
        }
        for corner in other.corners() {
            self.pair(own.nearest(corner), corner, own.contains(corner), 0.0, who);
        }
    }

    /// Notes where an object with this outline is near to the border.
    fn border(&mut self, own: &Outline, border: &Bounds) {
        let bounds = own.bounds();
        let (low, high) = (bounds.min - border.min, border.max - bounds.max);
        let sides = [
            (vec2(1.0, 0.0), low.x),
            (vec2(-1.0, 0.0), high.x),
            (vec2(0.0, 1.0), low.y),
            (vec2(0.0, -1.0), high.y),
        ];
        for (away, gap) in sides.into_iter().filter(|(_, gap)| *gap <= FAR) {
            let mut note = |at: Vec2, gap: f64| {
                let at = at - self.center;
                self.list.push(Touch { at, away, least: GAP - gap, who: Party::Other });
            };
            match own {
                Outline::Circle { center, radius } => note(*center - away * *radius, gap),
                _ => {
                    let corners = own.corners();
                    let nearest = corners.iter().map(|c| c.dot(away)).fold(f64::INFINITY, f64::min);
                    corners.iter().for_each(|c| note(*c, gap + c.dot(away) - nearest));
                }
            }
        }
    }
}

/// A small motion of an object: the shift of its centre of friction, its turn, and the forces that cause it.
struct Slide {
    shift: Vec2,
    turn: f64,
    /// Share of friction that the pushing robot has to overcome.
    effort: f64,
}

/// The least motion that satisfies all touches. If there is none, something that comes near to it: the caller looks whether
/// anything overlaps.
fn least_motion(touches: &[Touch], arm: f64) -> Slide {
    let (mut shift, mut turn) = (vec2(0.0, 0.0), 0.0);
    let mut forces = vec![0.0_f64; touches.len()];
    for _ in 0..ROUNDS {
        let mut change = 0.0_f64;
        for (touch, force) in touches.iter().zip(&mut forces) {
            let lever = touch.lever();
            let moved = shift.dot(touch.away) + turn * lever;
            let stiffness = 1.0 + lever * lever / (arm * arm);
            let next = (*force + (touch.least - moved) / stiffness).max(0.0);
            let more = next - *force;
            *force = next;
            shift += touch.away * more;
            turn += more * lever / (arm * arm);
            change = change.max(more.abs());
        }
        if change < AGREED {
            break;
        }
    }
    let mine: f64 = touches
        .iter()
        .zip(&forces)
        .filter(|(touch, _)| touch.who == Party::Me)
        .map(|(_, force)| *force)
        .sum();
    let load = (shift.length_squared() + arm * arm * turn * turn).sqrt();
    Slide { shift, turn, effort: if load > 0.0 { mine / load } else { 0.0 } }
}

/// Share of friction that a robot has to overcome if those who push with it move at the same time, as far as it does.
fn shared_effort(mut touches: Vec<Touch>, arm: f64) -> f64 {
    let mine = touches.iter().filter(|touch| touch.who == Party::Me);
    let least = mine.map(|touch| touch.least).fold(0.0, f64::max);
    for helper in touches.iter_mut().filter(|touch| touch.who == Party::Helper) {
        helper.least = helper.least.max(least);
    }
    least_motion(&touches, arm).effort
}

/// A robot that drives into an object.
pub(crate) struct Push<'a> {
    /// What all bodies want to do.
    pub wishes: &'a [Wish],
    /// The robot.
    pub me: RobotId,
    /// Its heading. [rad]
    pub heading: f64,
    /// The index of the object.
    pub place: usize,
    /// How far anything may have moved since the index was built. [m]
    pub reach: f64,
}

impl Push<'_> {
    /// Drives from `start` by `shift` and pushes the object ahead. Gives the share of the way that the robot got.
    pub(crate) fn drive(&self, world: &mut World, start: Vec2, shift: Vec2) -> f64 {
        let longest = STEP.min(world.bodies[self.me].width / 4.0).max(1e-6);
        let step = longest / shift.length();
        let (mut gone, mut shortened) = (0.0, 0);
        while gone < 1.0 && shortened < SHORTENED {
            let whole = step.min(1.0 - gone);
            let shares = (0..HALVINGS).map(|n| whole / f64::from(1 << n));
            let Some((n, ahead)) =
                shares.enumerate().find(|(_, ahead)| self.step(world, start + shift * (gone + ahead)))
            else {
                break;
            };
            gone = if ahead == 1.0 - gone { 1.0 } else { gone + ahead };
            shortened += u32::from(n > 0);
        }
        gone
    }

    /// Makes room for the robot at its next position, if that can be done.
    fn step(&self, world: &mut World, next: Vec2) -> bool {
        let object = &world.objects()[self.place];
        let Some(pushable) = &object.pushable else { return false };
        let before = object.pose;
        let center = before.position + pushable.center.rotated(Vec2::unit(before.heading));
        let mut touches = Touches { center, list: Vec::new() };
        let body = &world.bodies[self.me];
        let mine = body.outline_at(&Pose { position: next, heading: self.heading });
        touches.between(&object.outline, &mine, Party::Me);
        touches.border(&object.outline, &world.bounds);
        self.around(world, object, |outline, body| {
            let helps = body.is_some_and(|id| self.helps(id, &object.outline, outline));
            touches.between(&object.outline, outline, if helps { Party::Helper } else { Party::Other });
        });
        let slide = least_motion(&touches.list, pushable.arm);
        let far = slide.shift.length() + object.shape.radius() * slide.turn.abs();
        let strong = body.drive.max_push.is_none_or(|most| {
            slide.effort * pushable.friction <= most
                || shared_effort(touches.list, pushable.arm) * pushable.friction <= most
        });
        // Less than its own width cannot carry it over anything.
        if far > FAR.min(object.shape.width()) || !strong {
            return false;
        }
        let heading = wrap(before.heading + slide.turn);
        let position = center + slide.shift - pushable.center.rotated(Vec2::unit(heading));
        let pose = Pose { position, heading };
        if far > 0.0 && !self.fits(world, object, &pose) {
            return false;
        }
        world.put_object(self.place, pose);
        let (body, reach) = (&world.bodies[self.me], self.reach);
        if (Probe { world, body, me: self.me, heading: self.heading, reach }).touches(next).is_some() {
            world.put_object(self.place, before);
            return false;
        }
        true
    }

    /// True if another robot wants to drive into the object too.
    fn helps(&self, id: RobotId, object: &Outline, robot: &Outline) -> bool {
        let wish = self.wishes[id.index()].shift;
        wish.length_squared() > 0.0 && object.overlaps(&robot.moved(wish))
    }

    /// Visits the outlines of all solid things around an object except the pushing robot, and whose they are.
    fn around(&self, world: &World, object: &Object, mut visit: impl FnMut(&Outline, Option<RobotId>)) {
        let (middle, radius) = object.outline.bounding_circle();
        world.index.bodies.near(middle, radius + FAR + self.reach, |disc| {
            if disc.id != self.me {
                let body = &world.bodies[disc.id];
                visit(&body.outline_at(&body.pose), Some(disc.id));
            }
        });
        let mut seen = Vec::new();
        world.objects_near(middle, radius + FAR, |other, _| {
            if other.id != object.id && other.impassable() && !seen.contains(&other.id) {
                seen.push(other.id);
                visit(&other.outline, None);
            }
        });
    }

    /// True if an object can be moved to a pose: nothing but the pushing robot is there.
    fn fits(&self, world: &World, object: &Object, pose: &Pose) -> bool {
        let outline = object.shape.at(pose);
        let bounds = outline.bounds();
        let mut free = world.bounds.margin(bounds.min).min(world.bounds.margin(bounds.max)) >= 0.0;
        self.around(world, object, |other, _| free = free && !outline.overlaps(other));
        free
    }
}

impl World {
    /// The headings of all objects that can be pushed, by their indices. [rad]
    pub(crate) fn headings(&self) -> Vec<(usize, f64)> {
        let places = self.index.moving.iter().map(|&place| place as usize);
        let heading = |place: usize| self.objects().get(place).filter(|object| object.pushable.is_some());
        places.filter_map(|place| Some((place, heading(place)?.pose.heading))).collect()
    }

    /// Notes how far pushed objects have turned since they had these headings. Not step by step: robots that push in turn
    /// within a tick turn an object to and fro that moves straight.
    pub(crate) fn note_turns(&mut self, before: &[(usize, f64)]) {
        for (place, heading) in before {
            let turned = wrap(self.objects()[*place].pose.heading - heading).abs();
            if let Some(pushable) = self.pushable_mut(*place) {
                pushable.turned += turned;
            }
        }
    }

    /// The index of an obstacle that can be pushed.
    pub(crate) fn pushable(&self, obstacle: Obstacle) -> Option<usize> {
        let Obstacle::Object(id) = obstacle else { return None };
        let place = self.objects().binary_search_by_key(&id, |object| object.id).ok()?;
        self.objects()[place].pushable.is_some().then_some(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(shape: &Shape) -> Pushable {
        Pushable::new(shape, 1.0).expect("a shape with an area")
    }

    #[test]
    fn a_long_thin_box_resists_turning_like_a_rod_and_a_many_sided_one_like_a_disc() {
        // A rod: a quarter of its length; a square: (√2 + ln(1 + √2)) / 6 of its side; a disc: 2/3 of its radius.
        assert!((of(&Shape::rectangle(1e-4, 2.0)).arm - 0.5).abs() < 1e-6);
        assert!((of(&Shape::rectangle(1.0, 1.0)).arm - 0.382_597_858).abs() < 1e-8);
        let corners = (0..720).map(|i| Vec2::unit(f64::from(i) * std::f64::consts::TAU / 720.0)).collect();
        let disc = Shape::convex(corners).expect("a polygon");
        assert!((of(&disc).arm - of(&Shape::Circle { radius: 1.0 }).arm).abs() < 1e-4);
        assert_eq!(Pushable::new(&Shape::Segment(vec2(0.0, 0.0), vec2(1.0, 0.0)), 1.0), None);
    }

    #[test]
    fn the_centre_of_friction_is_that_of_the_area() {
        let wedge = Shape::convex(vec![vec2(0.0, 0.0), vec2(3.0, 0.0), vec2(0.0, 3.0)]).expect("a triangle");
        let center = of(&wedge).center;
        assert!(center.distance(vec2(1.0, 1.0)) < 1e-12, "{center:?}");
    }

    fn push(at: Vec2, away: Vec2, least: f64) -> Touch {
        Touch { at, away, least, who: Party::Me }
    }

    #[test]
    fn one_push_beside_the_centre_turns_about_a_point_on_the_other_side() {
        let (arm, offset) = (0.5, 1.0);
        let slide = least_motion(&[push(vec2(0.0, offset), vec2(1.0, 0.0), 0.01)], arm);
        // The centre of rotation of a quasi-static push is arm² / offset beyond the centre.
        let pivot = slide.shift.x / slide.turn;
        assert!((pivot + arm * arm / offset).abs() < 1e-9, "{pivot}");
        // The force at a lever that turns it is less than the friction.
        assert!((slide.effort - 1.0 / (1.0 + offset * offset / (arm * arm)).sqrt()).abs() < 1e-9);
    }

    #[test]
    fn two_pushes_move_it_straight_and_share_the_effort() {
        let both = [-1.0, 1.0].map(|y| push(vec2(0.0, y), vec2(1.0, 0.0), 0.01));
        let slide = least_motion(&both, 0.5);
        assert!(slide.shift.distance(vec2(0.01, 0.0)) < 1e-8 && slide.turn.abs() < 1e-8);
        assert!((slide.effort - 1.0).abs() < 1e-6);
        let pivoted =
            [push(vec2(0.0, 1.0), vec2(1.0, 0.0), 0.01), push(vec2(0.0, -1.0), vec2(1.0, 0.0), 0.0)];
        let slide = least_motion(&pivoted, 0.5);
        assert!(
            (slide.shift.x - 0.005).abs() < 1e-8 && (slide.turn + 0.005).abs() < 1e-8,
            "about the far end"
        );
    }
}
