//! Shapes, their placement, and queries: overlap, distance, rays.

use crewlab_onboard::geometry::{Pose, Vec2, vec2};
use serde::{Deserialize, Serialize};

/// A shape about its own centre.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Shape {
    /// A disc.
    Circle {
        /// Radius. [m]
        radius: f64,
    },
    /// A convex polygon, corners counter-clockwise. [m]
    Polygon(Vec<Vec2>),
    /// A thin wall between two points. [m]
    Segment(Vec2, Vec2),
}

impl Shape {
    /// A rectangle about its centre. [m]
    pub fn rectangle(width: f64, height: f64) -> Shape {
        let (w, h) = (width / 2.0, height / 2.0);
        Shape::Polygon(vec![vec2(-w, -h), vec2(w, -h), vec2(w, h), vec2(-w, h)])
    }

    /// A convex polygon from corners in either direction; an error text if they are not one.
    pub fn convex(mut corners: Vec<Vec2>) -> Result<Shape, String> {
        if corners.len() < 3 {
            return Err(format!("a polygon needs at least 3 corners, found {}", corners.len()));
        }
        let turns = |corners: &[Vec2]| -> Vec<f64> {
            let n = corners.len();
            (0..n)
                .map(|i| {
                    (corners[(i + 1) % n] - corners[i]).cross(corners[(i + 2) % n] - corners[(i + 1) % n])
                })
                .collect()
        };
        if turns(&corners).iter().all(|&t| t < 0.0) {
            corners.reverse();
        }
        // A star turns the same way at every corner but goes round more than once, which the area test would miss.
        let winding: f64 = (0..corners.len())
            .map(|i| {
                let (a, b) = (
                    corners[(i + 1) % corners.len()] - corners[i],
                    corners[(i + 2) % corners.len()] - corners[(i + 1) % corners.len()],
                );
                b.rotated(vec2(a.x, -a.y)).angle()
            })
            .sum();
        if turns(&corners).iter().all(|&t| t > 0.0) && winding < 6.5 {
            Ok(Shape::Polygon(corners))
        } else {
            Err("the corners do not form a convex polygon".into())
        }
    }

    /// Distance from the centre to the farthest point. [m]
    pub fn radius(&self) -> f64 {
        match self {
            Shape::Circle { radius } => *radius,
            Shape::Polygon(corners) => corners.iter().map(|c| c.length()).fold(0.0, f64::max),
            Shape::Segment(a, b) => a.length().max(b.length()),
        }
    }

    /// Its smallest width: a step of less than this cannot carry it over anything. [m]
    pub fn width(&self) -> f64 {
        match self {
            Shape::Circle { radius } => 2.0 * radius,
            Shape::Segment(..) => 0.0,
            Shape::Polygon(corners) => {
                // The smallest width of a convex polygon is found at right angles to one of its edges.
                let across = |(a, b): (Vec2, Vec2)| {
                    let normal = (b - a).left() * (1.0 / (b - a).length().max(1e-12));
                    corners.iter().map(|c| normal.dot(*c - a)).fold(0.0, f64::max)
                };
                edges(corners).map(across).fold(f64::INFINITY, f64::min)
            }
        }
    }

    /// The shape laid at a pose.
    pub fn at(&self, pose: &Pose) -> Outline {
        let facing = || Vec2::unit(pose.heading);
        let place = |facing: Vec2, p: &Vec2| pose.position + p.rotated(facing);
        match self {
            Shape::Circle { radius } => Outline::Circle { center: pose.position, radius: *radius },
            Shape::Polygon(corners) => {
                let facing = facing();
                Outline::Polygon(corners.iter().map(|corner| place(facing, corner)).collect())
            }
            Shape::Segment(a, b) => Outline::Segment(place(facing(), a), place(facing(), b)),
        }
    }
}

/// An axis-aligned box. [m]
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bounds {
    /// Lower left corner.
    pub min: Vec2,
    /// Upper right corner.
    pub max: Vec2,
}

impl Bounds {
    /// The box around a disc.
    #[inline]
    pub fn around(center: Vec2, reach: f64) -> Bounds {
        Bounds { min: center - vec2(reach, reach), max: center + vec2(reach, reach) }
    }

    /// Width and height. [m]
    pub fn size(&self) -> Vec2 {
        self.max - self.min
    }

    /// Distance of an inner point from the nearest side; negative outside. [m]
    #[inline]
    pub fn margin(&self, point: Vec2) -> f64 {
        (point.x - self.min.x).min(self.max.x - point.x).min(point.y - self.min.y).min(self.max.y - point.y)
    }

    /// The box around two points.
    #[inline]
    pub fn between(a: Vec2, b: Vec2) -> Bounds {
        Bounds { min: vec2(a.x.min(b.x), a.y.min(b.y)), max: vec2(a.x.max(b.x), a.y.max(b.y)) }
    }

    /// True if another box is at most this far away, along either axis. [m]
    #[inline]
    pub fn touches(&self, other: &Bounds, within: f64) -> bool {
        self.min.x <= other.max.x + within
            && self.max.x + within >= other.min.x
            && self.min.y <= other.max.y + within
            && self.max.y + within >= other.min.y
    }

    /// Distance from an inner point to the border along a unit direction. [m]
    #[inline]
    pub fn exit(&self, origin: Vec2, direction: Vec2) -> f64 {
        let along = |from: f64, step: f64, min: f64, max: f64| {
            if step > 0.0 {
                (max - from) / step
            } else if step < 0.0 {
                (min - from) / step
            } else {
                f64::INFINITY
            }
        };
        along(origin.x, direction.x, self.min.x, self.max.x)
            .min(along(origin.y, direction.y, self.min.y, self.max.y))
            .max(0.0)
    }
}

/// A shape in world coordinates. [m]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Outline {
    /// A disc.
    Circle {
        /// Its centre.
        center: Vec2,
        /// Its radius.
        radius: f64,
    },
    /// A convex polygon, counter-clockwise.
    Polygon(Vec<Vec2>),
    /// A thin wall.
    Segment(Vec2, Vec2),
}

/// The point of a segment nearest to `point`.
fn nearest_on_segment(a: Vec2, b: Vec2, point: Vec2) -> Vec2 {
    let along = b - a;
    let length_squared = along.length_squared();
    if length_squared == 0.0 {
        return a;
    }
    a + along * ((point - a).dot(along) / length_squared).clamp(0.0, 1.0)
}

impl Outline {
    /// The box around it.
    pub fn bounds(&self) -> Bounds {
        match self {
            Outline::Circle { center, radius } => Bounds::around(*center, *radius),
            Outline::Polygon(corners) => bounds_of(corners),
            Outline::Segment(a, b) => bounds_of(&[*a, *b]),
        }
    }

    /// The same outline, shifted.
    pub fn moved(&self, by: Vec2) -> Outline {
        match self {
            Outline::Circle { center, radius } => Outline::Circle { center: *center + by, radius: *radius },
            Outline::Polygon(corners) => {
                Outline::Polygon(corners.iter().map(|corner| *corner + by).collect())
            }
            Outline::Segment(a, b) => Outline::Segment(*a + by, *b + by),
        }
    }

    /// A circle that holds it: centre and radius.
    pub fn bounding_circle(&self) -> (Vec2, f64) {
        match self {
            Outline::Circle { center, radius } => (*center, *radius),
            _ => {
                let bounds = self.bounds();
                ((bounds.min + bounds.max) * 0.5, bounds.size().length() / 2.0)
            }
        }
    }

    /// True if the point lies inside (a wall has no inside).
    pub fn contains(&self, point: Vec2) -> bool {
        match self {
            Outline::Circle { center, radius } => (point - *center).length_squared() <= radius * radius,
            Outline::Polygon(corners) => edges(corners).all(|(a, b)| (b - a).cross(point - a) >= 0.0),
            Outline::Segment(..) => false,
        }
    }

    /// Its corners; those of a wall are its ends. [m]
    pub(crate) fn corners(&self) -> Vec<Vec2> {
        match self {
            Outline::Circle { .. } => Vec::new(),
            Outline::Polygon(corners) => corners.clone(),
            Outline::Segment(a, b) => vec![*a, *b],
        }
    }

    /// The point of the boundary nearest to `point`.
    pub fn nearest(&self, point: Vec2) -> Vec2 {
        match self {
            Outline::Circle { center, radius } => {
                let away = point - *center;
                let distance = away.length();
                if distance == 0.0 {
                    *center + vec2(*radius, 0.0)
                } else {
                    *center + away * (radius / distance)
                }
            }
            Outline::Polygon(corners) => edges(corners)
                .map(|(a, b)| nearest_on_segment(a, b, point))
                .min_by(|p, q| (*p - point).length_squared().total_cmp(&(*q - point).length_squared()))
                .unwrap_or(point),
            Outline::Segment(a, b) => nearest_on_segment(*a, *b, point),
        }
    }

    /// Distance from `point`; zero inside. [m]
    pub fn distance(&self, point: Vec2) -> f64 {
        if self.contains(point) { 0.0 } else { self.nearest(point).distance(point) }
    }

    /// True if the two share more than their boundaries.
    pub fn overlaps(&self, other: &Outline) -> bool {
        match (self, other) {
            (Outline::Circle { center, radius }, shape) | (shape, Outline::Circle { center, radius }) => {
                shape.overlaps_circle(*center, *radius)
            }
            (Outline::Segment(a, b), Outline::Segment(c, d)) => segments_cross(*a, *b, *c, *d),
            _ => !separated(self, other) && !separated(other, self),
        }
    }

    /// True if a disc shares more than its rim with this.
    #[inline]
    pub fn overlaps_circle(&self, center: Vec2, radius: f64) -> bool {
        match self {
            Outline::Circle { center: own, radius: r } => {
                let reach = radius + r;
                (*own - center).length_squared() < reach * reach
            }
            _ => self.distance(center) < radius,
        }
    }

    /// Distance at which a ray with unit `direction` meets this, if within `reach`; zero if it starts inside. [m]
    #[inline]
    pub fn ray(&self, origin: Vec2, direction: Vec2, reach: f64) -> Option<f64> {
        let hit = match self {
            Outline::Circle { center, radius } => ray_circle(origin, direction, *center, *radius)?,
            Outline::Polygon(corners) => ray_polygon(origin, direction, corners)?,
            Outline::Segment(a, b) => ray_segment(origin, direction, *a, *b)?,
        };
        (hit <= reach).then_some(hit)
    }
}

fn bounds_of(points: &[Vec2]) -> Bounds {
    let mut bounds =
        Bounds { min: vec2(f64::INFINITY, f64::INFINITY), max: vec2(f64::NEG_INFINITY, f64::NEG_INFINITY) };
    for point in points {
        bounds.min = vec2(bounds.min.x.min(point.x), bounds.min.y.min(point.y));
        bounds.max = vec2(bounds.max.x.max(point.x), bounds.max.y.max(point.y));
    }
    bounds
}

pub(crate) fn edges(corners: &[Vec2]) -> impl Iterator<Item = (Vec2, Vec2)> {
    let closing = corners.last().copied().zip(corners.first().copied());
    corners.windows(2).map(|ends| (ends[0], ends[1])).chain(closing)
}

/// True if an edge of `a` has all of `b` on its outer side.
fn separated(a: &Outline, b: &Outline) -> bool {
    let others = b.corners();
    edges(&a.corners()).any(|(p, q)| others.iter().all(|&o| (q - p).cross(o - p) <= 0.0))
}

fn segments_cross(a: Vec2, b: Vec2, c: Vec2, d: Vec2) -> bool {
    let side = |p: Vec2, q: Vec2, r: Vec2| (q - p).cross(r - p);
    side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0
}

#[inline]
fn ray_circle(origin: Vec2, direction: Vec2, center: Vec2, radius: f64) -> Option<f64> {
    let to_center = center - origin;
    let along = to_center.dot(direction);
    let clearance = to_center.length_squared() - radius * radius;
    if clearance <= 0.0 {
        return Some(0.0);
    }
    let discriminant = along * along - clearance;
    (along > 0.0 && discriminant >= 0.0).then(|| (along - discriminant.sqrt()).max(0.0))
}

/// Clips the ray against the polygon's half-planes.
fn ray_polygon(origin: Vec2, direction: Vec2, corners: &[Vec2]) -> Option<f64> {
    let (mut enter, mut leave) = (0.0_f64, f64::INFINITY);
    for (a, b) in edges(corners) {
        let inward = (b - a).left();
        let (height, slope) = (inward.dot(origin - a), inward.dot(direction));
        if slope > 0.0 {
            enter = enter.max(-height / slope);
        } else if slope < 0.0 {
            leave = leave.min(-height / slope);
        } else if height < 0.0 {
            return None;
        }
        if enter > leave {
            return None;
        }
    }
    Some(enter)
}

fn ray_segment(origin: Vec2, direction: Vec2, a: Vec2, b: Vec2) -> Option<f64> {
    let along = b - a;
    let denominator = direction.cross(along);
    let to_a = a - origin;
    if denominator == 0.0 {
        // Parallel: seen only end-on, at its nearer end, or from within.
        let (near, far) = (to_a.dot(direction), (b - origin).dot(direction));
        let on_line = to_a.cross(direction) == 0.0 && near.max(far) >= 0.0;
        return on_line.then_some(near.min(far).max(0.0));
    }
    let distance = to_a.cross(along) / denominator;
    let share = to_a.cross(direction) / denominator;
    (distance >= 0.0 && (0.0..=1.0).contains(&share)).then_some(distance)
}
