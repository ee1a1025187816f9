//! Fans of rays: range scanners, proximity rings, side beams.

use crate::body::Body;
use crate::shape::Outline;
use crate::world::World;
use crewlab_onboard::RobotId;
use crewlab_onboard::geometry::{Vec2, vec2, wrap};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// Rays are looked for this much to either side of what they may meet. [rad]
const ROUNDING: f64 = 1e-9;

/// What a ray can hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Sees {
    /// The border, objects and robots.
    Everything,
    /// The border of the world only.
    Border,
    /// The border and objects, but no robots.
    Walls,
}

/// What all rays of a fan have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beam {
    /// How far they reach from the rim. [m]
    pub range: f64,
    /// What they can hit.
    pub sees: Sees,
    /// The sensor's height: lower objects are not seen. [m]
    pub mount: f64,
}

/// Rays from a body's rim.
#[derive(Clone, Debug, PartialEq)]
pub struct Fan {
    /// Unit vectors relative to the front.
    directions: Vec<Vec2>,
    /// Angles relative to the front. [rad]
    angles: Vec<f64>,
    /// First angle and step, if the rays are evenly spread.
    even: Option<(f64, f64)>,
}

impl Fan {
    /// `rays` rays spread evenly over `fov`, centred on the front; a full circle starts at the front. [rad]
    pub fn even(rays: usize, fov: f64) -> Fan {
        let full = fov >= TAU - 1e-9;
        let (first, step) = if full {
            (0.0, TAU / rays.max(1) as f64)
        } else if rays <= 1 {
            (0.0, TAU)
        } else {
            (-fov / 2.0, fov / (rays - 1) as f64)
        };
        let angles: Vec<f64> = (0..rays).map(|i| wrap(first + step * i as f64)).collect();
        // Rays that nearly coincide cannot be distinguished by their angles.
        let even = (step > 1e-6).then_some((first, step));
        Fan { even, ..Fan::new(angles) }
    }

    /// Rays at these angles. [rad]
    pub fn new(angles: Vec<f64>) -> Fan {
        Fan { directions: angles.iter().map(|&a| Vec2::unit(a)).collect(), angles, even: None }
    }

    /// The rays' angles relative to the front. [rad]
    pub fn angles(&self) -> &[f64] {
        &self.angles
    }

    /// Fills `out` with the free distance along each ray of robot `me`, from the rim, at most the beam's range. [m]
    pub fn cast(&self, world: &World, me: RobotId, beam: Beam, out: &mut Vec<f64>) {
        out.clear();
        out.resize(self.directions.len(), beam.range);
        Caster { fan: self, body: &world.bodies[me], out }.cast(world, me, beam);
    }

    /// Calls `visit` with the rays that may meet a circle, given relative to the body (front = x axis).
    #[inline]
    fn rays_towards(&self, center: Vec2, radius: f64, mut visit: impl FnMut(usize)) {
        let distance = center.length();
        if self.even.is_none() || distance <= radius {
            (0..self.directions.len()).for_each(visit);
            return;
        }
        let half = libm::asin(radius / distance);
        self.rays_between(center.angle() - half, 2.0 * half, &mut visit);
    }

    /// Calls `visit` with the rays from an angle on, over a width of at most a full turn; with all of them if they are not evenly
    /// spread. [rad]
    #[inline]
    fn rays_between(&self, from: f64, width: f64, mut visit: impl FnMut(usize)) {
        let Some((first, step)) = self.even else {
            (0..self.directions.len()).for_each(visit);
            return;
        };
        // Slightly wider, so that rounding cannot lose a tangent ray.
        let low = (from - ROUNDING - first).rem_euclid(TAU);
        for shift in [0.0, TAU] {
            let (from, to) = ((low - shift) / step, (low - shift + width + 2.0 * ROUNDING) / step);
            if to >= 0.0 {
                let last = (to as usize).saturating_add(1).min(self.directions.len());
                (from.max(0.0).ceil() as usize..last).for_each(&mut visit);
            }
        }
    }
}

/// The directions to the rightmost and the leftmost corner of a convex polygon as seen from outside; `None` from within or from its rim.
#[inline]
fn silhouette(corners: &[Vec2], origin: Vec2) -> Option<[Vec2; 2]> {
    let first = *corners.first()? - origin;
    let (mut right, mut left) = (first, first);
    for corner in corners {
        let corner = *corner - origin;
        if right.cross(corner) < 0.0 {
            right = corner;
        }
        if left.cross(corner) > 0.0 {
            left = corner;
        }
    }
    let between = |corner: &Vec2| {
        let corner = *corner - origin;
        right.cross(corner) >= 0.0 && left.cross(corner) <= 0.0
    };
    (right.cross(left) > 0.0 && corners.iter().all(between)).then_some([right, left])
}

struct Caster<'a> {
    fan: &'a Fan,
    body: &'a Body,
    out: &'a mut [f64],
}

impl Caster<'_> {
    fn cast(mut self, world: &World, me: RobotId, beam: Beam) {
        let Beam { range, sees, mount } = beam;
        let (origin, reach) = (self.body.pose.position, self.body.radius + range);
        if world.bounds.margin(origin) < reach {
            for (direction, range) in self.fan.directions.iter().zip(self.out.iter_mut()) {
                let hit = world.bounds.exit(origin, direction.rotated(self.body.facing));
                *range = range.min((hit - self.body.radius).max(0.0));
            }
        }
        if sees == Sees::Border {
            return;
        }
        world.objects_near(origin, reach, |object, (center, radius)| {
            if object.impassable() && object.height >= mount {
                self.meet(&object.outline, center, radius);
            }
        });
        if sees == Sees::Everything {
            world.index.bodies.near(origin, reach, |disc| {
                if disc.id == me {
                    return;
                }
                if disc.exact {
                    self.meet(
                        &Outline::Circle { center: disc.center, radius: disc.radius },
                        disc.center,
                        disc.radius,
                    );
                } else {
                    let other = &world.bodies[disc.id];
                    self.meet(&other.outline_at(&other.pose), disc.center, disc.radius);
                }
            });
        }
    }

    /// Shortens the rays that meet an outline within its bounding circle.
    #[inline]
    fn meet(&mut self, outline: &Outline, center: Vec2, radius: f64) {
        let (origin, facing, rim) = (self.body.pose.position, self.body.facing, self.body.radius);
        let back = vec2(facing.x, -facing.y);
        let fan = self.fan;
        let shorten = |ray: usize| {
            let direction = fan.directions[ray].rotated(facing);
            if let Some(hit) = outline.ray(origin, direction, rim + self.out[ray]) {
                self.out[ray] = (hit - rim).max(0.0);
            }
        };
        // The circle around a long wall meets far more rays than the wall itself.
        match outline {
            Outline::Polygon(corners) => match silhouette(corners, origin) {
                Some([right, left]) => {
                    let [right, left] = [right, left].map(|corner| corner.rotated(back).angle());
                    fan.rays_between(right, (left - right).rem_euclid(TAU), shorten);
                }
                None => (0..fan.directions.len()).for_each(shorten),
            },
            _ => fan.rays_towards((center - origin).rotated(back), radius, shorten),
        }
    }
}
