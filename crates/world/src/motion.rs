//! Motion of bodies: commands in, new poses out, nothing ever overlaps.
//!
//! Every body's desired pose is computed from the state before the tick. Bodies that cannot meet anything take it at once, in
//! parallel; the few others follow one after the other, in their order: each stops where it touches and slides along, or pushes
//! what gives way. A world without overlaps stays without, and the number of threads does not matter.

use crate::aspect::{Activity, ENERGY};
use crate::body::{Body, Contact, Obstacle};
use crate::pushing::Push;
use crate::quality::Quality;
use crate::shape::{Bounds, Outline};
use crate::world::{World, WorldEvent};
use crewlab_onboard::geometry::{Pose, Vec2, vec2, wrap};
use crewlab_onboard::{Command, RobotId, Stream};
use rayon::prelude::*;

/// Number of bodies per thread that makes another thread worthwhile.
const PARALLEL_FROM: usize = 512;

/// How finely the moment of touch is searched: 2⁻¹⁴ of a step.
const BISECTIONS: u32 = 14;

/// The desired pose of a body after this tick.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Wish {
    position: Vec2,
    radius: f64,
    pub(crate) shift: Vec2,
    length: f64,
    heading: f64,
    facing: Vec2,
    turned: f64,
    circle: bool,
    free: bool,
    /// True if the body has aspects.
    tires: bool,
}

/// Buffers of the motion step, kept from tick to tick.
#[derive(Clone, Debug, Default)]
pub struct Motion {
    wishes: Vec<Wish>,
}

/// One robot's input of the motion step.
pub struct MotionInput<'a> {
    /// The command of its software.
    pub command: &'a Command,
    /// The quality of its drive.
    pub drive: &'a Quality,
    /// Noise of its effectors in this tick.
    pub random: Stream,
}

impl Motion {
    /// Moves all bodies by one tick of `dt` seconds. `order` gives each robot's command; `None` for one that is down.
    pub fn advance<'a>(
        &mut self,
        world: &mut World,
        dt: f64,
        parallel: bool,
        order: impl Fn(RobotId) -> Option<MotionInput<'a>> + Sync,
        events: &mut Vec<WorldEvent>,
    ) {
        let count = world.bodies.len();
        self.wishes.resize(count, Wish::default());
        let wish = |(i, wish): (usize, &mut Wish)| {
            let robot = RobotId::from_index(i);
            *wish = wish_of(&world.bodies[robot], world, dt, order(robot));
        };
        let parallel = parallel && count >= PARALLEL_FROM;
        if parallel {
            self.wishes.par_iter_mut().with_min_len(128).enumerate().for_each(wish);
        } else {
            self.wishes.iter_mut().enumerate().for_each(wish);
        }
        let farthest = self.wishes.iter().map(|w| w.length).fold(0.0, f64::max);
        let free = |(i, wish): (usize, &mut Wish)| {
            wish.free = is_free(world, RobotId::from_index(i), wish, farthest);
        };
        if parallel {
            self.wishes.par_iter_mut().with_min_len(128).enumerate().for_each(free);
        } else {
            self.wishes.iter_mut().enumerate().for_each(free);
        }
        let commit = |(body, wish): (&mut Body, &Wish)| {
            body.from = body.pose.position;
            if wish.free {
                body.contact = None;
                settle(body, wish.position + wish.shift, wish);
            }
        };
        if parallel {
            world.bodies.par_iter_mut().with_min_len(128).zip(&self.wishes).for_each(commit);
        } else {
            world.bodies.iter_mut().zip(&self.wishes).for_each(commit);
        }
        let headings = world.headings();
        for (robot, _) in RobotId::enumerate(&self.wishes).filter(|(_, wish)| !wish.free) {
            press_on(world, robot, &self.wishes, farthest, events);
        }
        world.note_turns(&headings);
        for (robot, wish) in RobotId::enumerate(&self.wishes).filter(|(_, wish)| wish.tires) {
            let robot_type = &world.bodies[robot].robot_type;
            let energy = world.energy_factor(wish.position, robot_type);
            tire(&mut world.bodies[robot], wish, dt, energy);
        }
    }
}

fn wish_of(body: &Body, world: &World, dt: f64, order: Option<MotionInput>) -> Wish {
    let still = Wish {
        position: body.pose.position,
        radius: body.radius,
        heading: body.pose.heading,
        facing: body.facing,
        circle: body.is_circle(),
        tires: body.present && !body.aspects.is_empty(),
        ..Wish::default()
    };
    let Some(mut order) = order else { return still };
    let Command { mut speed, mut side, mut turn, .. } = *order.command;
    if !(speed.is_finite() && side.is_finite() && turn.is_finite()) || body.down() {
        return still;
    }
    speed = speed.clamp(-body.drive.max_reverse, body.drive.max_speed);
    side = side.clamp(-body.drive.max_side, body.drive.max_side);
    if speed == 0.0 && side == 0.0 && turn == 0.0 {
        return still;
    }
    turn = turn.clamp(-body.drive.max_turn, body.drive.max_turn);
    if order.drive.is_noisy() || order.drive.dropout > 0.0 {
        if order.random.chance(order.drive.dropout) {
            return still;
        }
        if speed != 0.0 {
            speed = order.drive.noisy(speed, &mut order.random);
        }
        if turn != 0.0 {
            turn = order.drive.noisy_share(turn, &mut order.random);
        }
        if side != 0.0 {
            side = order.drive.noisy_share(side, &mut order.random);
        }
    }
    if speed != 0.0 || side != 0.0 {
        let factor = world.speed_factor(body.pose.position, &body.robot_type);
        (speed, side) = (speed * factor, side * factor);
    }
    let turned = turn * dt;
    // Half of the turn before the step and half after it: the chord of the arc, to second order.
    let (heading, facing, along) = if turned == 0.0 {
        (body.pose.heading, body.facing, body.facing)
    } else {
        let heading = wrap(body.pose.heading + turned);
        (heading, Vec2::unit(heading), Vec2::unit(body.pose.heading + turned / 2.0))
    };
    let mut shift = along * (speed * dt);
    if side != 0.0 {
        shift += along.left() * (side * dt);
    }
    Wish { shift, length: shift.length(), heading, facing, turned: turned.abs(), ..still }
}

/// True if nothing can be in the way of a robot, whatever the others do in this tick.
fn is_free(world: &World, robot: RobotId, wish: &Wish, farthest: f64) -> bool {
    if wish.length == 0.0 && (wish.circle || wish.turned == 0.0) {
        return true;
    }
    let position = wish.position;
    let reach = wish.radius + wish.length;
    if world.bounds.margin(position) <= reach {
        return false;
    }
    let mut free = true;
    world.index.bodies.near(position, reach + farthest, |disc| free &= disc.id == robot);
    if free {
        let robot_type = &world.bodies[robot].robot_type;
        world.objects_near(position, reach, |object, _| {
            free = free && !(object.blocks(robot_type) && object.outline.overlaps_circle(position, reach));
        });
    }
    free
}

fn settle(body: &mut Body, position: Vec2, wish: &Wish) {
    body.travelled += (position - body.pose.position).length();
    body.pose = Pose { position, heading: wish.heading };
    body.facing = wish.facing;
}

/// Moves a body that may touch something: as far as possible, then along the obstacle.
fn press_on(world: &mut World, me: RobotId, wishes: &[Wish], farthest: f64, events: &mut Vec<WorldEvent>) {
    let mut wish = wishes[me.index()];
    let body = &world.bodies[me];
    let reach = wish.length + farthest;
    let probe = Probe { world, body, me, heading: wish.heading, reach };
    let start = body.pose.position;
    let before = body.contact.map(|contact| contact.with);
    let mut contact = None;
    // A polygon may be unable to turn where it stands.
    if !body.is_circle()
        && let Some(touch) = probe.touches(start)
    {
        contact = Some(touch);
        (wish.heading, wish.facing) = (body.pose.heading, body.facing);
    }
    let mut position = start;
    let mut rest = wish.shift;
    for _ in 0..2 {
        let probe = Probe { world, body: &world.bodies[me], me, heading: wish.heading, reach };
        let (reached, touch) = probe.travel(position, rest);
        let Some(touch) = touch else {
            position = reached;
            break;
        };
        contact = contact.or(Some(touch));
        rest = rest - (reached - position);
        position = reached;
        if let Some(place) = world.pushable(touch.with) {
            let share = Push { wishes, me, heading: wish.heading, place, reach }.drive(world, position, rest);
            position += rest * share;
            rest = rest * (1.0 - share);
            if let Some(object) =
                world.pushable_mut(place).filter(|_| share > 0.0 && before != Some(touch.with))
            {
                object.pushes += 1;
            }
        }
        let into = rest.dot(touch.normal);
        if into >= 0.0 {
            break;
        }
        rest = rest - touch.normal * into;
    }
    // What gives way is no collision.
    let collides = |touch: &Contact| before != Some(touch.with) && world.pushable(touch.with).is_none();
    let collision = contact.filter(collides);
    let body = &mut world.bodies[me];
    if let Some(touch) = collision {
        body.contacts += 1;
        events.push(WorldEvent::Contact { body: me, with: touch.with });
    }
    body.contact = contact;
    settle(body, position, &wish);
}

/// Tests what a body would touch at other places.
pub(crate) struct Probe<'a> {
    pub(crate) world: &'a World,
    pub(crate) body: &'a Body,
    pub(crate) me: RobotId,
    pub(crate) heading: f64,
    /// How far anything may have moved since the index was built. [m]
    pub(crate) reach: f64,
}

impl Probe<'_> {
    /// Goes from `start` by `shift` until something is touched: the last free place and the touch.
    fn travel(&self, start: Vec2, shift: Vec2) -> (Vec2, Option<Contact>) {
        // Steps of less than half the body's width cannot jump over anything.
        let steps = (shift.length() / (self.body.width / 2.0).max(1e-6)).ceil().clamp(1.0, 1e6) as u32;
        let step = shift * (1.0 / f64::from(steps));
        let mut position = start;
        for n in 1..=steps {
            let next = if n == steps { start + shift } else { position + step };
            if let Some(touch) = self.touches(next) {
                return self.last_free(position, next, touch);
            }
            position = next;
        }
        (position, None)
    }

    fn last_free(&self, mut free: Vec2, mut blocked: Vec2, mut touch: Contact) -> (Vec2, Option<Contact>) {
        for _ in 0..BISECTIONS {
            let middle = (free + blocked) * 0.5;
            match self.touches(middle) {
                Some(nearer) => (blocked, touch) = (middle, nearer),
                None => free = middle,
            }
        }
        (free, Some(touch))
    }

    /// The obstacle that the body would overlap at a position.
    pub(crate) fn touches(&self, position: Vec2) -> Option<Contact> {
        if self.body.is_circle() {
            self.circle_touches(position)
        } else {
            let outline = self.body.outline_at(&Pose { position, heading: self.heading });
            self.polygon_touches(position, &outline)
        }
    }

    fn circle_touches(&self, position: Vec2) -> Option<Contact> {
        let radius = self.body.radius;
        let mut found = border_contact(&self.world.bounds, &Bounds::around(position, radius));
        self.world.index.bodies.near(position, radius + self.reach, |disc| {
            let other = &self.world.bodies[disc.id];
            if found.is_some() || disc.id == self.me {
                return;
            }
            let overlap = if other.is_circle() {
                let limit = radius + other.radius;
                (other.pose.position - position).length_squared() < limit * limit
            } else {
                other.outline_at(&other.pose).overlaps_circle(position, radius)
            };
            if overlap {
                found = Some(contact(Obstacle::Body(disc.id), position - other.pose.position));
            }
        });
        self.world.objects_near(position, radius, |object, _| {
            if found.is_none()
                && object.blocks(&self.body.robot_type)
                && object.outline.overlaps_circle(position, radius)
            {
                let away = position - object.outline.nearest(position);
                found = Some(contact(Obstacle::Object(object.id), away));
            }
        });
        found
    }

    fn polygon_touches(&self, position: Vec2, outline: &Outline) -> Option<Contact> {
        let radius = self.body.radius;
        let mut found = border_contact(&self.world.bounds, &outline.bounds());
        self.world.index.bodies.near(position, radius + self.reach, |disc| {
            let other = &self.world.bodies[disc.id];
            if found.is_none() && disc.id != self.me && other.outline_at(&other.pose).overlaps(outline) {
                found = Some(contact(Obstacle::Body(disc.id), position - other.pose.position));
            }
        });
        self.world.objects_near(position, radius, |object, _| {
            if found.is_none() && object.blocks(&self.body.robot_type) && object.outline.overlaps(outline) {
                let away = position - object.outline.nearest(position);
                found = Some(contact(Obstacle::Object(object.id), away));
            }
        });
        found
    }
}

pub(crate) fn contact(with: Obstacle, away: Vec2) -> Contact {
    let length = away.length();
    Contact { with, normal: if length > 0.0 { away * (1.0 / length) } else { vec2(1.0, 0.0) } }
}

fn border_contact(border: &Bounds, body: &Bounds) -> Option<Contact> {
    let normal = if body.min.x < border.min.x {
        vec2(1.0, 0.0)
    } else if body.max.x > border.max.x {
        vec2(-1.0, 0.0)
    } else if body.min.y < border.min.y {
        vec2(0.0, 1.0)
    } else if body.max.y > border.max.y {
        vec2(0.0, -1.0)
    } else {
        return None;
    };
    Some(Contact { with: Obstacle::Border, normal })
}

/// Applies a body's activity to its aspects. `energy` is the factor on the energy per metre of the ground it drove on.
fn tire(body: &mut Body, wish: &Wish, dt: f64, energy: f64) {
    let metres = (body.pose.position - wish.position).length();
    let activity = Activity { seconds: dt, metres, radians: wish.turned, uses: 0.0 };
    let heavy = Activity { metres: metres * energy, ..activity };
    for aspect in &mut body.aspects {
        aspect.apply(if aspect.name == ENERGY { &heavy } else { &activity });
    }
}
