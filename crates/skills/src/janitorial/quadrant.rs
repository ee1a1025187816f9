//! The quadrants of a room, by which its floor is cleaned.

use crewlab_onboard::geometry::Vec2;

/// Quadrants extend beyond the middle by this, since every robot measures the room for itself. [m]
pub(super) const OVERLAP: f64 = 0.3;

/// The quadrant of a point, from 1 in the upper right counter-clockwise to 4 in the lower right.
pub fn quadrant_of(point: Vec2, middle: Vec2) -> u8 {
    match (point.x >= middle.x, point.y >= middle.y) {
        (true, true) => 1,
        (false, true) => 2,
        (false, false) => 3,
        (true, false) => 4,
    }
}

/// True if a point is in a quadrant or just beside it.
pub fn in_quadrant(point: Vec2, quadrant: u8, middle: Vec2) -> bool {
    let right = matches!(quadrant, 1 | 4);
    let upper = matches!(quadrant, 1 | 2);
    let beyond = |value: f64, side: bool| if side { value >= -OVERLAP } else { value <= OVERLAP };
    beyond(point.x - middle.x, right) && beyond(point.y - middle.y, upper)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_onboard::geometry::vec2;

    #[test]
    fn quadrants_cover_the_plane_and_overlap_a_little() {
        let middle = vec2(5.0, 4.0);
        for (x, y, quadrant) in [(9.0, 7.0, 1), (1.0, 7.0, 2), (1.0, 1.0, 3), (9.0, 1.0, 4)] {
            assert_eq!(quadrant_of(vec2(x, y), middle), quadrant);
            assert!(in_quadrant(vec2(x, y), quadrant, middle));
            let others = (1..=4).filter(|q| *q != quadrant);
            assert!(others.into_iter().all(|q| !in_quadrant(vec2(x, y), q, middle)));
        }
        assert!((1..=4).all(|q| in_quadrant(middle, q, middle)));
    }
}
