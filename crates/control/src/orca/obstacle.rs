//! From something that might be run into to a half-plane of velocities that avoid it (van den Berg et al. 2011, section 4).

use super::program::HalfPlane;
use crewlab_onboard::geometry::{Vec2, vec2};

/// A disc that moves, relative to the robot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Disc {
    /// From the robot's centre to its centre. [m]
    pub(super) position: Vec2,
    /// Its velocity. [m/s]
    pub(super) velocity: Vec2,
    /// Sum of both radii. [m]
    pub(super) radius: f64,
}

/// The part of the avoidance that the robot takes, and how far it looks ahead.
#[derive(Clone, Copy, Debug)]
pub(super) struct Care {
    /// One half if the other one does the same; 1 for what does not avoid.
    pub(super) share: f64,
    /// Time without a collision. [s]
    pub(super) horizon: f64,
    /// Length of a tick: two that overlap part within it. [s]
    pub(super) dt: f64,
}

impl Disc {
    /// The velocities of a robot that drives at `own` now with which it avoids the disc.
    pub(super) fn half_plane(&self, own: Vec2, care: Care) -> HalfPlane {
        let (change, normal) = self.change(own - self.velocity, care);
        HalfPlane { normal, offset: normal.dot(own + change * care.share) }
    }

    /// The smallest change of a relative velocity that leads out of the velocity obstacle, and the direction outwards there.
    fn change(&self, relative: Vec2, care: Care) -> (Vec2, Vec2) {
        let (way, radius) = (self.position, self.radius);
        let square = way.length_squared();
        if square <= radius * radius {
            return out_of_circle(relative, way, radius, care.dt);
        }
        let beyond = relative - way * (1.0 / care.horizon);
        let ahead = beyond.dot(way);
        if ahead < 0.0 && ahead * ahead > radius * radius * beyond.length_squared() {
            return out_of_circle(relative, way, radius, care.horizon);
        }
        // The nearer one of the two tangents; both of two robots that meet head-on take the same side.
        let leg = (square - radius * radius).sqrt();
        let tangent = if way.cross(beyond) > 0.0 {
            vec2(way.x * leg - way.y * radius, way.x * radius + way.y * leg) * (1.0 / square)
        } else {
            vec2(way.x * leg + way.y * radius, way.y * leg - way.x * radius) * (-1.0 / square)
        };
        (tangent * relative.dot(tangent) - relative, tangent.left())
    }
}

/// The way out of the circle of velocities that lead into the disc just at the end of a time. [s]
fn out_of_circle(relative: Vec2, way: Vec2, radius: f64, time: f64) -> (Vec2, Vec2) {
    let from_centre = relative - way * (1.0 / time);
    let distance = from_centre.length();
    let outwards = if distance > 1e-9 { from_centre * (1.0 / distance) } else { vec2(-1.0, 0.0) };
    (outwards * (radius / time - distance), outwards)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CARE: Care = Care { share: 1.0, horizon: 5.0, dt: 0.1 };

    #[test]
    fn what_is_permitted_does_not_lead_into_the_disc() {
        let disc = Disc { position: vec2(2.0, 0.3), velocity: vec2(-0.5, 0.0), radius: 0.5 };
        let own = vec2(0.6, 0.0);
        let plane = disc.half_plane(own, CARE);
        assert!(plane.violation(own) > 0.0, "straight on they meet");
        // On the border of the half-plane they just pass each other.
        let chosen = own + plane.normal * plane.violation(own);
        let relative = chosen - disc.velocity;
        let nearest = (0..500).map(|n| (disc.position - relative * (f64::from(n) / 100.0)).length());
        let nearest = nearest.fold(f64::INFINITY, f64::min);
        assert!((nearest - disc.radius).abs() < 1e-2, "{nearest}");
    }

    #[test]
    fn robots_that_overlap_part_within_a_tick() {
        let disc = Disc { position: vec2(0.4, 0.0), velocity: Vec2::ZERO, radius: 0.5 };
        let plane = disc.half_plane(Vec2::ZERO, CARE);
        assert!((plane.normal.x + 1.0).abs() < 1e-9 && (plane.offset - 1.0).abs() < 1e-9, "{plane:?}");
    }

    #[test]
    fn what_is_far_away_permits_everything_near() {
        let disc = Disc { position: vec2(50.0, 0.0), velocity: Vec2::ZERO, radius: 0.5 };
        assert!(disc.half_plane(vec2(1.0, 0.0), CARE).violation(vec2(1.0, 0.0)) < 0.0);
    }
}
