//! Attenuation by walls.

use super::grid::Grid;
use crate::{Wall, WallShape};

/// Walls, indexed for fast line-of-sight queries.
#[derive(Clone, Debug, Default)]
pub struct Walls {
    list: Vec<Placed>,
    grid: Grid,
}

/// A wall with its bounding box.
#[derive(Clone, Debug)]
struct Placed {
    bounds: Bounds,
    wall: Wall,
}

/// A bounding box: lowest and highest coordinates. [m]
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bounds {
    pub(super) low: [f64; 2],
    pub(super) high: [f64; 2],
}

/// Up to this many walls are tested one by one.
const FEW: usize = 12;

impl Walls {
    /// Replaces the walls. Those whose coordinates or damping are not numbers are kept, but damp nothing.
    pub fn rebuild(&mut self, walls: &[Wall]) {
        self.list.clear();
        self.list.extend(walls.iter().map(|wall| Placed { bounds: Bounds::of(wall), wall: wall.clone() }));
        self.grid.rebuild(self.list.iter().map(|placed| match placed.wall.shape {
            WallShape::Segment(a, b) => (placed.bounds, Some(ordered(a, b))),
            WallShape::Polygon(_) | WallShape::Circle { .. } => (placed.bounds, None),
        }));
    }

    /// Number of walls.
    pub fn count(&self) -> usize {
        self.list.len()
    }

    /// Total damping of a signal between two places [m]; each wall counts once, if the line of sight touches it. The same in both
    /// directions. [dB]
    pub fn damping(&self, a: [f64; 2], b: [f64; 2]) -> f64 {
        if self.list.len() <= FEW {
            return self.sum(0..self.list.len(), a, b);
        }
        let mut found = Vec::new();
        let (a, b) = ordered(a, b);
        if !self.grid.along(a, b, |cell| found.extend_from_slice(cell)) {
            return self.sum(0..self.list.len(), a, b);
        }
        found.sort_unstable();
        found.dedup();
        self.damping_of(&found, a, b)
    }

    /// Finds the walls within `reach` [m] of a place, by rising number; some slightly farther away may be among them. `found` is
    /// emptied first.
    pub fn near(&self, center: [f64; 2], reach: f64, found: &mut Vec<u32>) {
        found.clear();
        if center[0].is_nan() || center[1].is_nan() {
            return;
        }
        let around = Bounds { low: center.map(|c| c - reach), high: center.map(|c| c + reach) };
        if self.list.len() <= FEW {
            found.extend(0..self.list.len() as u32);
        } else {
            self.grid.within(around, |cell| found.extend_from_slice(cell));
            found.sort_unstable();
            found.dedup();
        }
        found.retain(|&wall| {
            let bounds = &self.list[wall as usize].bounds;
            let gap = [0, 1].map(|i| (bounds.low[i] - center[i]).max(center[i] - bounds.high[i]).max(0.0));
            gap[0] * gap[0] + gap[1] * gap[1] <= reach * reach
        });
    }

    /// Damping by these walls of a signal between two places [m]: as [`Walls::damping`], if all walls between the places are among
    /// them, by rising number. Unknown numbers are ignored. [dB]
    pub fn damping_of(&self, which: &[u32], a: [f64; 2], b: [f64; 2]) -> f64 {
        self.sum(which.iter().map(|&wall| wall as usize), a, b)
    }

    fn sum(&self, which: impl Iterator<Item = usize>, a: [f64; 2], b: [f64; 2]) -> f64 {
        let (a, b) = ordered(a, b);
        let sight = Bounds::between(a, b);
        let mut sum = 0.0;
        for placed in which.filter_map(|wall| self.list.get(wall)) {
            if placed.bounds.meets(&sight) && touches(&placed.wall.shape, a, b) {
                sum += placed.wall.damping;
            }
        }
        sum
    }
}

/// Damping of a signal between two places [m], for callers with a list of walls and few queries. [dB]
pub fn damping_of_all(walls: &[Wall], a: [f64; 2], b: [f64; 2]) -> f64 {
    let (a, b) = ordered(a, b);
    let sight = Bounds::between(a, b);
    let between = walls.iter().filter(|wall| Bounds::of(wall).meets(&sight) && touches(&wall.shape, a, b));
    between.map(|wall| wall.damping).sum::<f64>() + 0.0
}

impl Bounds {
    /// An empty box.
    const NOWHERE: Bounds = Bounds { low: [f64::INFINITY; 2], high: [f64::NEG_INFINITY; 2] };

    fn of(wall: &Wall) -> Bounds {
        let bounds = match &wall.shape {
            WallShape::Segment(a, b) => Bounds::between(*a, *b),
            WallShape::Polygon(corners) if corners.iter().flatten().all(|c| c.is_finite()) => corners
                .iter()
                .fold(Bounds::NOWHERE, |all, &corner| all.join(&Bounds::between(corner, corner))),
            WallShape::Polygon(_) => Bounds::NOWHERE,
            WallShape::Circle { center, radius } => {
                Bounds { low: center.map(|c| c - radius), high: center.map(|c| c + radius) }
            }
        };
        if bounds.is_sound() && !wall.damping.is_nan() { bounds } else { Bounds::NOWHERE }
    }

    /// The bounding box of two places; empty if a coordinate is not a number.
    fn between(a: [f64; 2], b: [f64; 2]) -> Bounds {
        if !a.iter().chain(&b).all(|coordinate| coordinate.is_finite()) {
            return Bounds::NOWHERE;
        }
        Bounds { low: [a[0].min(b[0]), a[1].min(b[1])], high: [a[0].max(b[0]), a[1].max(b[1])] }
    }

    /// True if it is finite and not empty.
    pub(super) fn is_sound(&self) -> bool {
        (0..2).all(|i| self.low[i].is_finite() && self.high[i].is_finite() && self.low[i] <= self.high[i])
    }

    /// The bounding box of both.
    pub(super) fn join(&self, other: &Bounds) -> Bounds {
        Bounds {
            low: [0, 1].map(|i| self.low[i].min(other.low[i])),
            high: [0, 1].map(|i| self.high[i].max(other.high[i])),
        }
    }

    #[inline]
    fn meets(&self, other: &Bounds) -> bool {
        (0..2).all(|i| self.low[i] <= other.high[i] && other.low[i] <= self.high[i])
    }
}

/// Two places in an order that does not depend on which is given first.
fn ordered(a: [f64; 2], b: [f64; 2]) -> ([f64; 2], [f64; 2]) {
    if b[0] < a[0] || b[0] == a[0] && b[1] < a[1] { (b, a) } else { (a, b) }
}

/// On which side of the line through `a` and `b` a point lies: above 0 on the left.
#[inline]
fn side(a: [f64; 2], b: [f64; 2], point: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0])
}

/// True if both lie on the same side of a line, and neither on it.
#[inline]
fn same_side(one: f64, other: f64) -> bool {
    one > 0.0 && other > 0.0 || one < 0.0 && other < 0.0
}

/// True if the line from `a` to `b` shares a point with the shape, given that their bounding boxes meet.
fn touches(shape: &WallShape, a: [f64; 2], b: [f64; 2]) -> bool {
    match shape {
        // Two segments on one line meet if their boxes do.
        WallShape::Segment(c, d) => {
            !same_side(side(*c, *d, a), side(*c, *d, b)) && !same_side(side(a, b, *c), side(a, b, *d))
        }
        WallShape::Polygon(corners) => touches_polygon(corners, a, b),
        WallShape::Circle { center, radius } => {
            let along = [b[0] - a[0], b[1] - a[1]];
            let to = [center[0] - a[0], center[1] - a[1]];
            let length2 = along[0] * along[0] + along[1] * along[1];
            let share = if length2 > 0.0 {
                ((to[0] * along[0] + to[1] * along[1]) / length2).clamp(0.0, 1.0)
            } else {
                0.0
            };
            let gap = [to[0] - share * along[0], to[1] - share * along[1]];
            gap[0] * gap[0] + gap[1] * gap[1] <= radius * radius
        }
    }
}

/// Convex shapes that do not meet can be separated by a line along one of their sides.
fn touches_polygon(corners: &[[f64; 2]], a: [f64; 2], b: [f64; 2]) -> bool {
    let Some(&first) = corners.first() else { return false };
    let sides = || corners.iter().zip(corners.iter().skip(1).chain([&first]));
    let turn: f64 = corners.windows(2).map(|pair| side(first, pair[0], pair[1])).sum();
    let beyond_a_side = sides().any(|(&from, &to)| {
        let (of_a, of_b) = (side(from, to, a), side(from, to, b));
        // The inside of a polygon that turns left lies on the left of its sides; a flat one has no inside.
        same_side(of_a, of_b) && (turn == 0.0 || (of_a > 0.0) != (turn > 0.0))
    });
    let sight = side(a, b, first);
    !beyond_a_side && !corners.iter().all(|&corner| same_side(side(a, b, corner), sight))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn thin(a: [f64; 2], b: [f64; 2], damping: f64) -> Wall {
        Wall { shape: WallShape::Segment(a, b), damping }
    }

    fn walls(list: &[Wall]) -> Walls {
        let mut walls = Walls::default();
        walls.rebuild(list);
        walls
    }

    #[test]
    fn each_wall_in_the_line_of_sight_counts_once() {
        // Wood, concrete with windows, stone, concrete and an inner wall, at x = 1 to 5.
        let list: Vec<Wall> = [4.0, 7.0, 12.0, 15.0, 5.0]
            .into_iter()
            .zip(1..)
            .map(|(damping, x)| thin([f64::from(x), -1.0], [f64::from(x), 1.0], damping))
            .collect();
        let walls = walls(&list);
        for (end, expected) in [(0.5, 0.0), (1.5, 4.0), (2.5, 11.0), (3.5, 23.0), (4.5, 38.0), (5.5, 43.0)] {
            assert_eq!(walls.damping([0.0, 0.0], [end, 0.0]), expected);
            assert_eq!(walls.damping([end, 0.0], [0.0, 0.0]), expected);
        }
        assert_eq!(walls.damping([0.0, 2.0], [6.0, 2.0]), 0.0);
        assert_eq!(walls.damping_of(&[0, 3, 77], [0.0, 0.0], [6.0, 0.0]), 19.0);
    }

    #[test]
    fn a_block_counts_once_though_its_outline_is_crossed_twice() {
        let square = vec![[1.0, -1.0], [3.0, -1.0], [3.0, 1.0], [1.0, 1.0]];
        let reversed: Vec<[f64; 2]> = square.iter().rev().copied().collect();
        let disc = WallShape::Circle { center: [2.0, 0.0], radius: 1.0 };
        for shape in [WallShape::Polygon(square), WallShape::Polygon(reversed), disc] {
            let walls = walls(&[Wall { shape, damping: 15.0 }]);
            assert_eq!(walls.damping([0.0, 0.0], [4.0, 0.0]), 15.0, "through");
            assert_eq!(walls.damping([2.0, 0.0], [4.0, 0.0]), 15.0, "out of it");
            assert_eq!(walls.damping([2.0, 0.1], [2.0, -0.1]), 15.0, "within");
            assert_eq!(walls.damping([2.0, 0.1], [2.0, 0.1]), 15.0, "a point within");
            assert_eq!(walls.damping([0.0, 1.0], [4.0, 1.0]), 15.0, "along its edge");
            assert_eq!(walls.damping([0.0, 1.1], [4.0, 1.1]), 0.0, "past it");
            assert_eq!(walls.damping([0.0, 0.0], [0.0, 3.5]), 0.0, "in front of it");
            assert_eq!(walls.damping([0.5, 1.0], [1.0, 2.0]), 0.0, "past a corner");
            assert_eq!(walls.damping([0.0, 0.0], [0.9, 0.0]), 0.0, "short of it");
        }
    }

    #[test]
    fn degenerate_walls_and_places_do_no_harm() {
        let nan = f64::NAN;
        let mut list = vec![
            thin([1.0, 1.0], [1.0, 1.0], 5.0),
            thin([nan, 0.0], [1.0, 1.0], 5.0),
            thin([0.0, 0.0], [f64::INFINITY, 1.0], 5.0),
            thin([0.0, 5.0], [9.0, 5.0], nan),
            Wall { shape: WallShape::Polygon(vec![]), damping: 5.0 },
            Wall { shape: WallShape::Polygon(vec![[3.0, 3.0]]), damping: 7.0 },
            Wall { shape: WallShape::Polygon(vec![[3.0, 0.0], [4.0, 1.0], [5.0, 2.0]]), damping: 9.0 },
            Wall { shape: WallShape::Polygon(vec![[nan, 0.0], [4.0, 1.0], [5.0, 2.0]]), damping: 5.0 },
            Wall { shape: WallShape::Circle { center: [8.0, 8.0], radius: -1.0 }, damping: 5.0 },
        ];
        for _ in 0..2 {
            let walls = walls(&list);
            assert_eq!(walls.damping([0.0, 0.0], [2.0, 2.0]), 5.0);
            assert_eq!(walls.damping([1.0, 1.0], [1.0, 1.0]), 5.0);
            assert_eq!(walls.damping([0.0, 3.0], [9.0, 3.0]), 7.0);
            assert_eq!(walls.damping([0.0, 1.0], [9.0, 1.0]), 5.0 + 9.0);
            assert_eq!(walls.damping([4.5, 1.5], [6.5, 3.5]), 9.0);
            assert_eq!(walls.damping([5.5, 2.5], [6.5, 3.5]), 0.0);
            assert_eq!(walls.damping([nan, 0.0], [2.0, 2.0]), 0.0);
            assert_eq!(walls.damping([0.0, 0.0], [f64::INFINITY, 2.0]), 0.0);
            let mut found = vec![99];
            walls.near([nan, 0.0], 5.0, &mut found);
            assert!(found.is_empty());
            // Once more, with so many that the grid is used.
            list.extend((0..50).map(|i| thin([20.0 + f64::from(i), 20.0], [20.0, 30.0], 1.0)));
        }
        assert_eq!(walls(&[]).count(), 0);
        assert_eq!(walls(&[]).damping([0.0, 0.0], [1.0, 1.0]), 0.0);
    }

    /// Coordinates on a coarse lattice, so that touching and lying on one line happen often, and others.
    fn place() -> impl Strategy<Value = [f64; 2]> {
        let lattice = [-6..6i32, -6..6i32].prop_map(|place| place.map(f64::from));
        prop_oneof![lattice, [-6.0..6.0f64, -6.0..6.0f64]]
    }

    fn wall() -> impl Strategy<Value = Wall> {
        let segment = (place(), place()).prop_map(|(a, b)| WallShape::Segment(a, b));
        let circle = (place(), 0.0..2.0f64).prop_map(|(center, radius)| WallShape::Circle { center, radius });
        let polygon = (place(), 0.1..3.0f64, 0.1..3.0f64).prop_map(|([x, y], width, height)| {
            WallShape::Polygon(vec![[x, y], [x + width, y], [x + width, y + height], [x, y + height]])
        });
        (prop_oneof![segment, circle, polygon], 0.5..20.0f64)
            .prop_map(|(shape, damping)| Wall { shape, damping })
    }

    proptest! {
        #[test]
        fn the_index_agrees_with_a_full_search(
            list in prop::collection::vec(wall(), 0..60), a in place(), b in place(), far in prop::bool::weighted(0.2),
        ) {
            let b = if far { b.map(|c| c * 1e7) } else { b };
            let walls = walls(&list);
            let expected = damping_of_all(&list, a, b);
            prop_assert_eq!(walls.damping(a, b), expected);
            prop_assert_eq!(walls.damping(b, a), expected);
            let mut found = Vec::new();
            let reach = libm::hypot(b[0] - a[0], b[1] - a[1]) + 1e-9;
            walls.near(a, reach, &mut found);
            prop_assert!(found.is_sorted());
            prop_assert_eq!(walls.damping_of(&found, a, b), expected);
        }

        #[test]
        fn a_turned_block_is_hit_where_clipping_in_its_own_frame_says_so(
            a in place(), b in place(), center in place(), width in 0.1..4.0f64, height in 0.1..4.0f64, turn in 0.0..6.3f64,
        ) {
            let (sin, cos) = libm::sincos(turn);
            let (half_width, half_height) = (width / 2.0, height / 2.0);
            let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|[x, y]| {
                let (x, y) = (x * half_width, y * half_height);
                [center[0] + x * cos - y * sin, center[1] + x * sin + y * cos]
            });
            // The part of the line, from 0 to 1, that lies between each pair of the block's sides.
            let own = |p: [f64; 2]| {
                let (x, y) = (p[0] - center[0], p[1] - center[1]);
                [x * cos + y * sin, y * cos - x * sin]
            };
            let (from, to) = (own(a), own(b));
            let (mut enter, mut leave) = (0.0f64, 1.0f64);
            for (i, half) in [half_width, half_height].into_iter().enumerate() {
                let step = to[i] - from[i];
                prop_assume!(step.abs() > 1e-6);
                let (one, other) = ((-half - from[i]) / step, (half - from[i]) / step);
                enter = enter.max(one.min(other));
                leave = leave.min(one.max(other));
            }
            // Rounding may decide about touches.
            prop_assume!((leave - enter).abs() > 1e-6);
            let walls = walls(&[Wall { shape: WallShape::Polygon(corners.to_vec()), damping: 1.0 }]);
            prop_assert_eq!(walls.damping(a, b) > 0.0, enter < leave);
        }

        #[test]
        fn more_walls_damp_no_less(list in prop::collection::vec(wall(), 1..40), a in place(), b in place()) {
            let fewer = walls(&list[1..]).damping(a, b);
            prop_assert!(walls(&list).damping(a, b) >= fewer - 1e-9);
        }
    }
}
