//! A grid over the plane that indexes walls by cell.

use super::wall::Bounds;

/// Walls by cell.
#[derive(Clone, Debug, Default)]
pub(super) struct Grid {
    low: [f64; 2],
    /// Size of a cell; 0 if there is no grid. [m]
    cell: [f64; 2],
    /// Columns and rows; none if there are no walls.
    size: [usize; 2],
    /// Where each cell's walls begin in `walls`; one more than there are cells.
    starts: Vec<u32>,
    walls: Vec<u32>,
}

/// Most columns and most rows.
const MOST: f64 = 256.0;

/// Cells reach beyond their borders by this share of their size, so that rounding cannot hide a wall.
const MARGIN: f64 = 1e-6;

impl Grid {
    /// Rebuilds the grid from walls, each with its bounding box and, if it is thin, its ends.
    pub(super) fn rebuild(
        &mut self,
        walls: impl Iterator<Item = (Bounds, Option<([f64; 2], [f64; 2])>)> + Clone,
    ) {
        self.size = [0; 2];
        self.walls.clear();
        self.starts.clear();
        let mut sound = walls.clone().filter(|(bounds, _)| bounds.is_sound()).map(|(bounds, _)| bounds);
        let Some(first) = sound.next() else { return };
        let (all, count) =
            sound.fold((first, 1.0f64), |(all, count), bounds| (all.join(&bounds), count + 1.0));
        // About as many cells as walls, as square as possible.
        let extent = [0, 1].map(|i| (all.high[i] - all.low[i]).max(1e-3));
        let side = (extent[0] * extent[1] / count).sqrt();
        self.low = all.low;
        let size = extent.map(|length| (length / side).ceil().clamp(1.0, MOST));
        self.cell = [extent[0] / size[0], extent[1] / size[1]];
        if !(self.cell[0].is_finite() && self.cell[1].is_finite()) {
            self.cell = [0.0; 2];
            return;
        }
        self.size = size.map(|cells| cells as usize);
        // Count first, then fill in from the end.
        self.starts.resize(self.size[0] * self.size[1] + 1, 0);
        for (bounds, ends) in walls.clone() {
            let mut starts = std::mem::take(&mut self.starts);
            self.cells(bounds, ends, |cell| starts[cell] += 1);
            self.starts = starts;
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        self.walls.resize(sum as usize, 0);
        for (number, (bounds, ends)) in walls.enumerate() {
            let (mut starts, mut list) = (std::mem::take(&mut self.starts), std::mem::take(&mut self.walls));
            self.cells(bounds, ends, |cell| {
                starts[cell] -= 1;
                list[starts[cell] as usize] = number as u32;
            });
            (self.starts, self.walls) = (starts, list);
        }
    }

    /// Visits the walls of all cells along a line of sight, some more than once; `a` must not be to the right of `b`. False if
    /// the points are too far apart for the grid.
    pub(super) fn along(&self, a: [f64; 2], b: [f64; 2], mut visit: impl FnMut(&[u32])) -> bool {
        let coarse = (0..2).any(|i| {
            let farthest = (a[i] - self.low[i]).abs().max((b[i] - self.low[i]).abs());
            farthest > 1e6 * self.cell[0].min(self.cell[1])
        });
        if coarse {
            return false;
        }
        let bounds = Bounds { low: [a[0], a[1].min(b[1])], high: [b[0], a[1].max(b[1])] };
        self.cells(bounds, Some((a, b)), |cell| visit(self.walls_in(cell)));
        true
    }

    /// Visits the walls of all cells that a box meets.
    pub(super) fn within(&self, bounds: Bounds, mut visit: impl FnMut(&[u32])) {
        self.cells(bounds, None, |cell| visit(self.walls_in(cell)));
    }

    fn walls_in(&self, cell: usize) -> &[u32] {
        &self.walls[self.starts[cell] as usize..self.starts[cell + 1] as usize]
    }

    /// Visits the cells of a box, or only those along the line between two ends in it.
    fn cells(&self, bounds: Bounds, ends: Option<([f64; 2], [f64; 2])>, mut visit: impl FnMut(usize)) {
        let Some((first, last)) = self.range(0, bounds.low[0], bounds.high[0]) else { return };
        for column in first..=last {
            let (mut low, mut high) = (bounds.low[1], bounds.high[1]);
            if let Some((a, b)) = ends
                && b[0] - a[0] > MARGIN * self.cell[0]
            {
                let left = self.low[0] + self.cell[0] * (column as f64 - MARGIN);
                let right = self.low[0] + self.cell[0] * (column as f64 + 1.0 + MARGIN);
                let slope = (b[1] - a[1]) / (b[0] - a[0]);
                let [from, to] = [left, right].map(|x| a[1] + (x.clamp(a[0], b[0]) - a[0]) * slope);
                (low, high) = (low.max(from.min(to)), high.min(from.max(to)));
            }
            let Some((bottom, top)) = self.range(1, low, high) else { continue };
            for row in bottom..=top {
                visit(column * self.size[1] + row);
            }
        }
    }

    /// The first and last column (0) or row (1) between two coordinates [m].
    fn range(&self, axis: usize, low: f64, high: f64) -> Option<(usize, usize)> {
        let from = (low - self.low[axis]) / self.cell[axis] - MARGIN;
        let to = (high - self.low[axis]) / self.cell[axis] + MARGIN;
        let count = self.size[axis] as f64;
        let inside = to >= 0.0 && from <= count && count > 0.0 && from <= to;
        inside.then(|| (from.max(0.0).min(count - 1.0) as usize, to.min(count - 1.0) as usize))
    }
}
