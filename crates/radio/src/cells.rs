//! A spatial index: finds spots near a point without visiting all of them.

use crate::NodeId;

/// Spots sorted into square cells.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cells {
    low: [f64; 2],
    per_metre: f64,
    columns: usize,
    rows: usize,
    starts: Vec<u32>,
    spots: Vec<Spot>,
}

/// Something at a place: a node, or a frame that was sent from there.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Spot {
    pub(crate) at: [f64; 2],
    /// The node.
    pub(crate) node: NodeId,
    /// Its index in the caller's list.
    pub(crate) place: u32,
}

/// Most cells per spot, so that memory stays bounded when spots are far apart.
const CELLS_PER_SPOT: f64 = 4.0;

impl Cells {
    /// Sorts spots into cells of about `side` metres. Within a cell they keep their order.
    pub(crate) fn rebuild(&mut self, side: f64, spots: impl Iterator<Item = Spot> + Clone) {
        let (mut low, mut high, mut count) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2], 0u32);
        for spot in spots.clone() {
            count += 1;
            for axis in 0..2 {
                low[axis] = low[axis].min(spot.at[axis]);
                high[axis] = high[axis].max(spot.at[axis]);
            }
        }
        self.spots.clear();
        self.starts.clear();
        if count == 0 {
            return;
        }
        let size = [high[0] - low[0], high[1] - low[1]];
        let side = side.max((size[0] * size[1] / (CELLS_PER_SPOT * f64::from(count))).sqrt());
        let side = side.max(size[0].max(size[1]) / 1e6).max(1e-6);
        (self.low, self.per_metre) = (low, 1.0 / side);
        self.columns = (size[0] / side) as usize + 1;
        self.rows = (size[1] / side) as usize + 1;
        self.starts.resize(self.columns * self.rows + 1, 0);
        for spot in spots.clone() {
            let cell = self.cell(spot.at);
            self.starts[cell + 1] += 1;
        }
        for cell in 1..self.starts.len() {
            self.starts[cell] += self.starts[cell - 1];
        }
        let mut cursors = self.starts.clone();
        self.spots.resize(count as usize, Spot::default());
        for spot in spots {
            let cursor = &mut cursors[self.cell(spot.at)];
            self.spots[*cursor as usize] = spot;
            *cursor += 1;
        }
    }

    fn column_row(&self, point: [f64; 2]) -> (usize, usize) {
        let index = |axis: usize, count: usize| {
            (((point[axis] - self.low[axis]) * self.per_metre) as usize).min(count - 1)
        };
        (index(0, self.columns), index(1, self.rows))
    }

    fn cell(&self, point: [f64; 2]) -> usize {
        let (column, row) = self.column_row(point);
        row * self.columns + column
    }

    /// Calls `visit` with all spots within `reach` of `point`.
    pub(crate) fn near(&self, point: [f64; 2], reach: f64, mut visit: impl FnMut(&Spot)) {
        if self.spots.is_empty() {
            return;
        }
        let (left, bottom) = self.column_row([point[0] - reach, point[1] - reach]);
        let (right, top) = self.column_row([point[0] + reach, point[1] + reach]);
        for row in bottom..=top {
            let first = self.starts[row * self.columns + left] as usize;
            let last = self.starts[row * self.columns + right + 1] as usize;
            for spot in &self.spots[first..last] {
                let (dx, dy) = (spot.at[0] - point[0], spot.at[1] - point[1]);
                if dx * dx + dy * dy <= reach * reach {
                    visit(spot);
                }
            }
        }
    }
}
