//! The exact shortest path among convex polygons, which may overlap: a visibility graph over their corners. It knows nothing of grids.

use crewlab_onboard::geometry::Vec2;

/// Lines may touch a polygon, up to this. [m]
const TOUCH: f64 = 1e-9;

/// A convex polygon, counter-clockwise.
#[derive(Clone, Debug)]
pub struct Polygon(pub Vec<Vec2>);

impl Polygon {
    fn sides(&self) -> impl Iterator<Item = (Vec2, Vec2)> {
        let ends = self.0.iter().cycle().skip(1);
        self.0.iter().copied().zip(ends.copied())
    }

    /// True if a point is inside, and not at the border.
    pub fn holds(&self, point: Vec2) -> bool {
        self.sides().all(|(from, to)| (to - from).cross(point - from) > TOUCH)
    }

    /// True if a line runs through the inside: what is left of it after it was cut by every side has a length.
    fn cuts(&self, from: Vec2, to: Vec2) -> bool {
        let (way, mut enter, mut leave) = (to - from, 0.0_f64, 1.0_f64);
        for (corner, next) in self.sides() {
            let side = next - corner;
            let (start, slope) = (side.cross(from - corner), side.cross(way));
            if slope.abs() < 1e-12 {
                if start <= TOUCH {
                    return false;
                }
            } else if slope > 0.0 {
                enter = enter.max(-start / slope);
            } else {
                leave = leave.min(-start / slope);
            }
        }
        (leave - enter) * way.length() > 1e-6
    }

    /// The polygon and everything within a radius, with corners of its round parts on the circle: it is never larger than the
    /// exact shape, so paths around it are never longer.
    pub fn inflated(&self, radius: f64) -> Polygon {
        if radius == 0.0 {
            return self.clone();
        }
        let count = self.0.len();
        let normal = |at: usize| {
            let side = self.0[(at + 1) % count] - self.0[at % count];
            (side * (-1.0 / side.length())).left()
        };
        let round = |at: usize| {
            let (first, last) = (normal(at + count - 1), normal(at));
            let turn = first.cross(last).atan2(first.dot(last));
            let steps = (turn / 0.1).ceil().max(1.0) as usize;
            (0..=steps).map(move |step| {
                let angle = first.angle() + turn * step as f64 / steps as f64;
                self.0[at] + Vec2::unit(angle) * radius
            })
        };
        Polygon((0..count).flat_map(round).collect())
    }

    /// The distance between two polygons that do not overlap. [m]
    pub fn gap(&self, other: &Polygon) -> f64 {
        let one_way = |one: &Polygon, two: &Polygon| {
            let corners = one.0.iter().copied();
            let near = corners.flat_map(|corner| {
                two.sides().map(move |(from, to)| distance(corner, from, to)).collect::<Vec<_>>()
            });
            near.fold(f64::INFINITY, f64::min)
        };
        let overlap = self.0.iter().any(|corner| other.holds(*corner))
            || self.sides().any(|(from, to)| other.cuts(from, to))
            || other.sides().any(|(from, to)| self.cuts(from, to));
        if overlap { 0.0 } else { one_way(self, other).min(one_way(other, self)) }
    }
}

/// Distance of a point from a line.
fn distance(point: Vec2, from: Vec2, to: Vec2) -> f64 {
    let way = to - from;
    let share = ((point - from).dot(way) / way.length_squared().max(1e-12)).clamp(0.0, 1.0);
    point.distance(from + way * share)
}

/// The length of the shortest path; none if there is none. [m]
pub fn shortest(polygons: &[Polygon], start: Vec2, goal: Vec2, size: f64) -> Option<f64> {
    let inside = |point: Vec2| point.x >= 0.0 && point.y >= 0.0 && point.x <= size && point.y <= size;
    let corners = polygons.iter().flat_map(|polygon| polygon.0.iter().copied());
    let free =
        corners.filter(|corner| inside(*corner) && !polygons.iter().any(|polygon| polygon.holds(*corner)));
    let points: Vec<Vec2> = [start, goal].into_iter().chain(free).collect();
    let mut lengths = vec![f64::INFINITY; points.len()];
    let mut done = vec![false; points.len()];
    lengths[0] = 0.0;
    // Dijkstra's algorithm without a queue: the nearest point that is left comes next.
    loop {
        let left = (0..points.len()).filter(|at| !done[*at] && lengths[*at].is_finite());
        let at = left.min_by(|one, two| lengths[*one].total_cmp(&lengths[*two]))?;
        if at == 1 {
            return Some(lengths[1]);
        }
        done[at] = true;
        for next in 0..points.len() {
            let total = lengths[at] + points[at].distance(points[next]);
            if total < lengths[next] && !polygons.iter().any(|polygon| polygon.cuts(points[at], points[next]))
            {
                lengths[next] = total;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_onboard::geometry::vec2;

    fn square(x: f64, y: f64, side: f64) -> Polygon {
        Polygon(vec![vec2(x, y), vec2(x + side, y), vec2(x + side, y + side), vec2(x, y + side)])
    }

    #[test]
    fn the_reference_knows_paths_that_can_be_computed_by_hand() {
        let length = |polygons: &[Polygon]| shortest(polygons, vec2(0.0, 1.0), vec2(6.0, 1.0), 10.0);
        assert_eq!(length(&[]), Some(6.0));
        // Up to the corners (2, 2) and (4, 2), or down to (2, 0) and (4, 0): the same.
        let around = 2.0 * 5.0_f64.sqrt() + 2.0;
        assert!((length(&[square(2.0, 0.0, 2.0)]).expect("a path") - around).abs() < 1e-9);
        let wall = [square(2.0, 0.0, 2.0), square(2.0, 1.5, 8.5), square(2.5, -8.0, 8.5)];
        assert_eq!(length(&wall), None, "from below the lower to above the upper end of the room");
        let inflated = square(2.0, 0.0, 2.0).inflated(0.5);
        assert!(!inflated.holds(vec2(1.6, -0.4)) && inflated.holds(vec2(1.7, -0.3)));
        assert!((square(0.0, 0.0, 1.0).gap(&square(2.0, 0.0, 1.0)) - 1.0).abs() < 1e-9);
        assert_eq!(square(0.0, 0.0, 1.0).gap(&square(0.5, 0.5, 1.0)), 0.0);
    }
}
