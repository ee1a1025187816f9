//! Plane vectors, angles and poses. All transcendental functions come from `libm`, whose results do not depend on
//! the machine's own maths library.

use serde::{Deserialize, Serialize};
use std::f64::consts::{PI, TAU};
use std::ops::{Add, AddAssign, Mul, Neg, Sub};

/// A point or a displacement in the plane. [m]
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Vec2 {
    /// Towards the east. [m]
    pub x: f64,
    /// Towards the north. [m]
    pub y: f64,
}

/// A vector from its components.
#[inline]
pub const fn vec2(x: f64, y: f64) -> Vec2 {
    Vec2 { x, y }
}

impl Vec2 {
    /// The origin.
    pub const ZERO: Vec2 = vec2(0.0, 0.0);

    /// The unit vector at `angle` from the x axis, counter-clockwise. [rad]
    #[inline]
    pub fn unit(angle: f64) -> Vec2 {
        let (sin, cos) = libm::sincos(angle);
        vec2(cos, sin)
    }

    /// Inner product.
    #[inline]
    pub fn dot(self, other: Vec2) -> f64 {
        self.x * other.x + self.y * other.y
    }

    /// The z component of the outer product: positive if `other` lies to the left.
    #[inline]
    pub fn cross(self, other: Vec2) -> f64 {
        self.x * other.y - self.y * other.x
    }

    /// Squared length. [m²]
    #[inline]
    pub fn length_squared(self) -> f64 {
        self.dot(self)
    }

    /// Length. [m]
    #[inline]
    pub fn length(self) -> f64 {
        self.length_squared().sqrt()
    }

    /// Distance to another point. [m]
    #[inline]
    pub fn distance(self, other: Vec2) -> f64 {
        (self - other).length()
    }

    /// Direction from the x axis, in (-π, π]. [rad]
    #[inline]
    pub fn angle(self) -> f64 {
        libm::atan2(self.y, self.x)
    }

    /// This vector turned by the angle whose unit vector is `unit`.
    #[inline]
    pub fn rotated(self, unit: Vec2) -> Vec2 {
        vec2(self.x * unit.x - self.y * unit.y, self.x * unit.y + self.y * unit.x)
    }

    /// This vector turned left by a right angle.
    #[inline]
    pub fn left(self) -> Vec2 {
        vec2(-self.y, self.x)
    }
}

impl Add for Vec2 {
    type Output = Vec2;
    #[inline]
    fn add(self, other: Vec2) -> Vec2 {
        vec2(self.x + other.x, self.y + other.y)
    }
}

impl AddAssign for Vec2 {
    #[inline]
    fn add_assign(&mut self, other: Vec2) {
        *self = *self + other;
    }
}

impl Sub for Vec2 {
    type Output = Vec2;
    #[inline]
    fn sub(self, other: Vec2) -> Vec2 {
        vec2(self.x - other.x, self.y - other.y)
    }
}

impl Neg for Vec2 {
    type Output = Vec2;
    #[inline]
    fn neg(self) -> Vec2 {
        vec2(-self.x, -self.y)
    }
}

impl Mul<f64> for Vec2 {
    type Output = Vec2;
    #[inline]
    fn mul(self, factor: f64) -> Vec2 {
        vec2(self.x * factor, self.y * factor)
    }
}

/// Where something is and which way it faces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Pose {
    /// Position of the centre. [m]
    pub position: Vec2,
    /// Direction of the front from the x axis, counter-clockwise. [rad]
    pub heading: f64,
}

impl Pose {
    /// A pose from its parts.
    pub fn new(x: f64, y: f64, heading: f64) -> Pose {
        Pose { position: vec2(x, y), heading }
    }

    /// Bearing of `point` as seen from here, relative to the front, in (-π, π]. [rad]
    pub fn bearing(&self, point: Vec2) -> f64 {
        wrap((point - self.position).angle() - self.heading)
    }
}

/// An angle brought into (-π, π]. [rad]
#[inline]
pub fn wrap(angle: f64) -> f64 {
    if angle > -PI && angle <= PI {
        return angle;
    }
    let turned = angle - TAU * (angle / TAU).round();
    // Rounding may carry it slightly over the edge.
    if turned <= -PI { turned + TAU } else { turned.min(PI) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapping_keeps_the_direction_and_the_range() {
        for k in -20..20 {
            for a in [-3.1, -1.0, 0.0, 0.5, 3.0, PI] {
                let wrapped = wrap(a + TAU * f64::from(k));
                assert!(wrapped > -PI && wrapped <= PI);
                assert!((libm::sin(wrapped) - libm::sin(a)).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn bearings_are_relative_to_the_front() {
        let pose = Pose::new(1.0, 1.0, PI / 2.0);
        assert!((pose.bearing(vec2(1.0, 5.0))).abs() < 1e-12);
        assert!((pose.bearing(vec2(0.0, 1.0)) - PI / 2.0).abs() < 1e-12);
    }
}
