//! The linear program of ORCA: the velocity nearest to the wanted one that every half-plane permits (van den Berg et al. 2011, section 5),
//! by the incremental method of de Berg et al. (Computational Geometry, chapter 4). If there is none, the velocity that violates the
//! half-planes of robots least; those of obstacles are kept if they can be.

use crewlab_onboard::geometry::Vec2;

/// Directions whose outer product is below this are parallel.
const PARALLEL: f64 = 1e-9;
/// A half-plane that is violated by less counts as kept. [m/s]
const EXACT: f64 = 1e-9;

/// The velocities v with `normal · v ≥ offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfPlane {
    /// Unit vector into the permitted side.
    pub normal: Vec2,
    /// Distance of the border from zero along the normal. [m/s]
    pub offset: f64,
}

impl HalfPlane {
    /// How far a velocity is on the wrong side; below zero on the right one. [m/s]
    pub fn violation(&self, velocity: Vec2) -> f64 {
        self.offset - self.normal.dot(velocity)
    }
}

/// What is best.
#[derive(Clone, Copy)]
enum Aim {
    /// As near as possible to a velocity.
    Near(Vec2),
    /// As far as possible in a direction, a unit vector.
    Far(Vec2),
}

impl Aim {
    /// The best velocity up to a speed.
    fn free(self, most: f64) -> Vec2 {
        match self {
            Aim::Near(wanted) => {
                let speed = wanted.length();
                if speed > most { wanted * (most / speed) } else { wanted }
            }
            Aim::Far(direction) => direction * most,
        }
    }

    /// The best place on a line through `point` along `tangent`, between two places.
    fn along(self, point: Vec2, tangent: Vec2, low: f64, high: f64) -> f64 {
        match self {
            Aim::Near(wanted) => tangent.dot(wanted - point).clamp(low, high),
            Aim::Far(direction) if tangent.dot(direction) > 0.0 => high,
            Aim::Far(_) => low,
        }
    }
}

/// The best velocity on the border of a half-plane, up to a speed and within the half-planes `before`; `None` if there is none.
fn on_border(plane: &HalfPlane, before: &[HalfPlane], most: f64, aim: Aim) -> Option<Vec2> {
    let (point, tangent) = (plane.normal * plane.offset, plane.normal.left());
    let room = most * most - plane.offset * plane.offset;
    if room < 0.0 {
        return None;
    }
    let (mut low, mut high) = (-room.sqrt(), room.sqrt());
    for other in before {
        let (slope, missing) = (other.normal.dot(tangent), other.violation(point));
        if slope.abs() <= PARALLEL {
            if missing > EXACT {
                return None;
            }
        } else if slope > 0.0 {
            low = low.max(missing / slope);
        } else {
            high = high.min(missing / slope);
        }
        if low > high {
            return None;
        }
    }
    Some(point + tangent * aim.along(point, tangent, low, high))
}

/// The best velocity, or the number of the first half-plane that cannot be kept and the best one before it.
fn plane_program(planes: &[HalfPlane], most: f64, aim: Aim) -> Result<Vec2, (usize, Vec2)> {
    let mut best = aim.free(most);
    for (number, plane) in planes.iter().enumerate() {
        if plane.violation(best) > EXACT {
            best = on_border(plane, &planes[..number], most, aim).ok_or((number, best))?;
        }
    }
    Ok(best)
}

/// The velocity whose largest violation of the half-planes from `hard` on is least: the third dimension is the violation.
fn least_violation(planes: &[HalfPlane], hard: usize, failed: usize, most: f64, mut best: Vec2) -> Vec2 {
    let mut worst = 0.0;
    let mut edges = Vec::with_capacity(planes.len());
    for (number, plane) in planes.iter().enumerate().skip(failed) {
        if plane.violation(best) <= worst + EXACT {
            continue;
        }
        edges.clear();
        edges.extend_from_slice(&planes[..hard.min(number)]);
        // Where this half-plane is violated more than the ones before it.
        edges.extend(planes.iter().take(number).skip(hard).filter_map(|other| {
            let normal = other.normal - plane.normal;
            let length = normal.length();
            let offset = (other.offset - plane.offset) / length;
            (length > PARALLEL).then(|| HalfPlane { normal: normal * (1.0 / length), offset })
        }));
        if let Ok(found) = plane_program(&edges, most, Aim::Far(plane.normal)) {
            best = found;
        }
        worst = plane.violation(best);
    }
    best
}

/// The velocity nearest to `wanted` up to the speed `most` that all half-planes permit; the first `hard` are those of obstacles. If there
/// is none, the one that violates them least. [m/s]
pub fn solve(planes: &[HalfPlane], hard: usize, wanted: Vec2, most: f64) -> Vec2 {
    match plane_program(planes, most, Aim::Near(wanted)) {
        Ok(best) => best,
        Err((failed, best)) => least_violation(planes, hard, failed, most, best),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_onboard::geometry::vec2;
    use proptest::prelude::*;
    use std::f64::consts::TAU;

    fn largest_violation(planes: &[HalfPlane], velocity: Vec2) -> f64 {
        planes.iter().map(|plane| plane.violation(velocity)).fold(f64::NEG_INFINITY, f64::max)
    }

    /// Velocities all over the disc of speed 1.
    fn samples() -> impl Iterator<Item = Vec2> {
        let rings = (0..=60).map(|ring| f64::from(ring) / 60.0);
        rings.flat_map(|speed| (0..120).map(move |n| Vec2::unit(TAU * f64::from(n) / 120.0) * speed))
    }

    fn plane() -> impl Strategy<Value = HalfPlane> {
        (0.0..TAU, -1.2..0.9f64).prop_map(|(angle, offset)| HalfPlane { normal: Vec2::unit(angle), offset })
    }

    proptest! {
        /// No sampled velocity that is permitted is nearer to the wanted one; if none is permitted, none is violated less.
        #[test]
        fn nothing_sampled_is_better(
            planes in prop::collection::vec(plane(), 0..9),
            angle in 0.0..TAU,
            speed in 0.0..1.5f64,
        ) {
            let wanted = Vec2::unit(angle) * speed;
            let found = solve(&planes, 0, wanted, 1.0);
            prop_assert!(found.length() <= 1.0 + 1e-9);
            let violated = largest_violation(&planes, found);
            if violated <= 1e-6 {
                let permitted = samples().filter(|sample| largest_violation(&planes, *sample) <= 0.0);
                let nearest = permitted.map(|sample| sample.distance(wanted)).fold(f64::INFINITY, f64::min);
                prop_assert!(found.distance(wanted) <= nearest + 1e-6);
            } else {
                let least = samples().map(|sample| largest_violation(&planes, sample)).fold(f64::INFINITY, f64::min);
                prop_assert!(violated <= least + 1e-6, "{violated} but {least} is possible");
            }
        }

        /// Half-planes of obstacles that can be kept are kept, whatever robots want.
        #[test]
        fn obstacles_go_before_robots(
            hard in prop::collection::vec(plane(), 0..4),
            soft in prop::collection::vec(plane(), 0..6),
            angle in 0.0..TAU,
        ) {
            prop_assume!(samples().any(|sample| largest_violation(&hard, sample) < -0.01));
            let planes: Vec<HalfPlane> = hard.iter().chain(&soft).copied().collect();
            let found = solve(&planes, hard.len(), Vec2::unit(angle), 1.0);
            prop_assert!(largest_violation(&hard, found) <= 1e-6);
        }
    }

    #[test]
    fn contradictions_are_shared_equally() {
        let east = HalfPlane { normal: vec2(1.0, 0.0), offset: 0.4 };
        let west = HalfPlane { normal: vec2(-1.0, 0.0), offset: 0.2 };
        let found = solve(&[east, west], 0, vec2(0.0, 0.5), 1.0);
        assert!((found.x - 0.1).abs() < 1e-9, "{found:?}");
    }
}
