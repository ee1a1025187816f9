//! Uniform grids, so that a proximity query costs the same in a small world and in a large one.

use crate::shape::Bounds;
use crewlab_onboard::geometry::Vec2;

/// Largest number of cells of a grid: memory stays bounded whatever the world's size.
const MOST_CELLS: f64 = 4_000_000.0;

/// The cells of a rectangle.
#[derive(Clone, Debug, Default)]
struct Cells {
    origin: Vec2,
    per_metre: f64,
    columns: usize,
    rows: usize,
}

impl Cells {
    fn new(bounds: &Bounds, cell: f64) -> Cells {
        let size = bounds.size();
        let smallest = (size.x * size.y / MOST_CELLS).sqrt();
        let cell = cell.max(smallest).max(1e-6);
        let count = |length: f64| ((length / cell).ceil() as usize).clamp(1, MOST_CELLS as usize);
        Cells { origin: bounds.min, per_metre: 1.0 / cell, columns: count(size.x), rows: count(size.y) }
    }

    fn len(&self) -> usize {
        self.columns * self.rows
    }

    /// Column and row of a point; points outside count to the nearest cell.
    #[inline]
    fn of(&self, point: Vec2) -> (usize, usize) {
        // Casts from float saturate at zero, so only the upper end needs a bound.
        let column = ((point.x - self.origin.x) * self.per_metre) as usize;
        let row = ((point.y - self.origin.y) * self.per_metre) as usize;
        (column.min(self.columns - 1), row.min(self.rows - 1))
    }

    #[inline]
    fn index(&self, (column, row): (usize, usize)) -> usize {
        row * self.columns + column
    }
}

/// A disc in a [`DiscGrid`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disc<Id> {
    /// Its owner.
    pub id: Id,
    /// Its centre. [m]
    pub center: Vec2,
    /// Its radius. [m]
    pub radius: f64,
    /// False if the disc is only a bounding circle.
    pub exact: bool,
}

/// An index of discs by their centres: bodies, items. Rebuilt from scratch by a counting sort.
#[derive(Clone, Debug)]
pub struct DiscGrid<Id> {
    cells: Cells,
    starts: Vec<u32>,
    discs: Vec<Disc<Id>>,
    largest: f64,
}

impl<Id> Default for DiscGrid<Id> {
    fn default() -> Self {
        DiscGrid { cells: Cells::default(), starts: Vec::new(), discs: Vec::new(), largest: 0.0 }
    }
}

impl<Id: Copy> DiscGrid<Id> {
    /// Replaces the contents.
    pub fn rebuild(&mut self, bounds: &Bounds, discs: impl Iterator<Item = Disc<Id>> + Clone) {
        let (mut count, mut largest) = (0usize, 0.0_f64);
        for disc in discs.clone() {
            count += 1;
            largest = largest.max(disc.radius);
        }
        let size = bounds.size();
        let spacing = (size.x * size.y / count.max(1) as f64).sqrt();
        self.cells = Cells::new(bounds, spacing.max(2.0 * largest));
        self.largest = largest;
        self.starts.clear();
        self.starts.resize(self.cells.len() + 1, 0);
        for disc in discs.clone() {
            self.starts[self.cells.index(self.cells.of(disc.center)) + 1] += 1;
        }
        for cell in 1..self.starts.len() {
            self.starts[cell] += self.starts[cell - 1];
        }
        self.discs.clear();
        if let Some(filler) = discs.clone().next() {
            self.discs.resize(count, filler);
        }
        // Each start is used as its cell's cursor and ends as the next cell's start, so a shift restores them.
        for disc in discs {
            let cursor = &mut self.starts[self.cells.index(self.cells.of(disc.center))];
            self.discs[*cursor as usize] = disc;
            *cursor += 1;
        }
        for cell in (1..self.starts.len()).rev() {
            self.starts[cell] = self.starts[cell - 1];
        }
        if let Some(first) = self.starts.first_mut() {
            *first = 0;
        }
    }

    /// Calls `visit` with every disc that may touch the disc of radius `reach` about `center`.
    #[inline]
    pub fn near(&self, center: Vec2, reach: f64, mut visit: impl FnMut(&Disc<Id>)) {
        if self.discs.is_empty() {
            return;
        }
        let area = Bounds::around(center, reach + self.largest);
        let ((left, bottom), (right, top)) = (self.cells.of(area.min), self.cells.of(area.max));
        for row in bottom..=top {
            let first = self.starts[self.cells.index((left, row))] as usize;
            let last = self.starts[self.cells.index((right, row)) + 1] as usize;
            for disc in &self.discs[first..last] {
                let limit = reach + disc.radius;
                if (disc.center - center).length_squared() < limit * limit {
                    visit(disc);
                }
            }
        }
    }
}

/// Boxes count as touching up to this distance, so that rounding cannot lose one. [m]
const TOUCHING: f64 = 1e-3;

/// An index of boxes of any size: objects. A box is listed in every cell it touches.
#[derive(Clone, Debug, Default)]
pub struct BoxGrid {
    cells: Cells,
    starts: Vec<u32>,
    ids: Vec<u32>,
    boxes: Vec<Bounds>,
    /// Column and row of the lowest, leftmost cell of every box.
    corners: Vec<(usize, usize)>,
}

impl BoxGrid {
    /// Replaces the contents; ids are the positions in `boxes`.
    pub fn rebuild(&mut self, bounds: &Bounds, boxes: &[Bounds]) {
        let size = bounds.size();
        let mean = boxes.iter().map(|b| b.size().x.max(b.size().y)).sum::<f64>() / boxes.len().max(1) as f64;
        let spacing = (size.x * size.y / (boxes.len().max(1) as f64)).sqrt();
        self.cells = Cells::new(bounds, mean.clamp(spacing / 4.0, spacing.max(1e-3)));
        let mut lists: Vec<Vec<u32>> = vec![Vec::new(); self.cells.len()];
        self.boxes = boxes.to_vec();
        self.corners = boxes.iter().map(|area| self.cells.of(area.min)).collect();
        for (id, area) in boxes.iter().enumerate() {
            let ((left, bottom), (right, top)) = (self.cells.of(area.min), self.cells.of(area.max));
            for row in bottom..=top {
                for column in left..=right {
                    lists[self.cells.index((column, row))].push(id as u32);
                }
            }
        }
        self.starts = std::iter::once(0)
            .chain(lists.iter().scan(0u32, |sum, list| {
                *sum += list.len() as u32;
                Some(*sum)
            }))
            .collect();
        self.ids = lists.concat();
    }

    /// Calls `visit` with every id whose box touches `area`, once.
    #[inline]
    pub fn near(&self, area: &Bounds, mut visit: impl FnMut(u32)) {
        if self.ids.is_empty() {
            return;
        }
        let ((left, bottom), (right, top)) = (self.cells.of(area.min), self.cells.of(area.max));
        for row in bottom..=top {
            for column in left..=right {
                let cell = self.cells.index((column, row));
                for &id in &self.ids[self.starts[cell] as usize..self.starts[cell + 1] as usize] {
                    // A box is visited in the first of its cells that is searched.
                    let (first_column, first_row) = self.corners[id as usize];
                    let first = column == first_column.max(left) && row == first_row.max(bottom);
                    if first && self.boxes[id as usize].touches(area, TOUCHING) {
                        visit(id);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_onboard::geometry::vec2;
    use crewlab_onboard::{Stream, StreamKind};

    fn arena() -> Bounds {
        Bounds { min: vec2(-5.0, -3.0), max: vec2(5.0, 3.0) }
    }

    #[test]
    fn discs_near_a_point_agree_with_a_full_search() {
        let mut random = Stream::new(1, StreamKind::World, 0, 0);
        for round in 0..200 {
            let discs: Vec<Disc<u32>> = (0..round)
                .map(|id| Disc {
                    id,
                    center: vec2(random.between(-6.0, 6.0), random.between(-4.0, 4.0)),
                    radius: random.between(0.0, 0.4),
                    exact: true,
                })
                .collect();
            let mut grid = DiscGrid::default();
            grid.rebuild(&arena(), discs.iter().copied());
            let (center, reach) =
                (vec2(random.between(-6.0, 6.0), random.between(-4.0, 4.0)), random.between(0.0, 3.0));
            let mut found = Vec::new();
            grid.near(center, reach, |disc| found.push(disc.id));
            found.sort_unstable();
            let expected: Vec<u32> =
                discs.iter().filter(|d| d.center.distance(center) < reach + d.radius).map(|d| d.id).collect();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn boxes_that_touch_an_area_are_always_found() {
        let mut random = Stream::new(2, StreamKind::World, 0, 0);
        let boxes: Vec<Bounds> = (0..100)
            .map(|_| {
                Bounds::around(
                    vec2(random.between(-5.0, 5.0), random.between(-3.0, 3.0)),
                    random.between(0.01, 2.0),
                )
            })
            .collect();
        let mut grid = BoxGrid::default();
        grid.rebuild(&arena(), &boxes);
        for _ in 0..500 {
            let area = Bounds::around(
                vec2(random.between(-5.0, 5.0), random.between(-3.0, 3.0)),
                random.between(0.0, 1.0),
            );
            let mut found = vec![false; boxes.len()];
            grid.near(&area, |id| {
                assert!(!std::mem::replace(&mut found[id as usize], true), "each one once");
            });
            for (id, b) in boxes.iter().enumerate() {
                let touches = b.min.x <= area.max.x
                    && b.max.x >= area.min.x
                    && b.min.y <= area.max.y
                    && b.max.y >= area.min.y;
                assert!(!touches || found[id]);
            }
        }
    }
}
