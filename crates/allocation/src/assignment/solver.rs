//! Minimum-cost assignment of every row to its own column: an auction phase, then shortest augmenting paths.
//! (Jonker and Volgenant 1987, for tables with at most as many rows as columns.)

/// No column, or no row.
pub(crate) const NONE: usize = usize::MAX;

/// Result of the last table, and buffers that are reused for the next one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Solver {
    /// The column of each row, [`NONE`] if leaving it out was cheaper.
    pub column_of: Vec<usize>,
    /// The row of each column, or [`NONE`].
    pub row_of: Vec<usize>,
    /// Dual value of each column; never above 0 unless the table is square and complete.
    pub dual: Vec<f64>,
    /// Number of table cells examined, the unit of work.
    pub cells: u64,
    distance: Vec<f64>,
    key: Vec<f64>,
    before: Vec<usize>,
    reached: Vec<usize>,
    open: Vec<usize>,
}

impl Solver {
    /// Solves a table with `rows <= columns`, `costs` row by row, `∞` where a pair is impossible; leaving a row out costs
    /// `skip` (`∞` if every row must be served). False if some row cannot be served.
    pub fn solve(&mut self, rows: usize, columns: usize, costs: &[f64], skip: f64) -> bool {
        debug_assert!(rows <= columns && costs.len() == rows * columns);
        self.column_of.clear();
        self.column_of.resize(rows, NONE);
        self.row_of.clear();
        self.row_of.resize(columns, NONE);
        self.dual.clear();
        self.dual.resize(columns, 0.0);
        self.open.clear();
        if rows == columns && skip == f64::INFINITY && rows > 4 {
            self.reduce_columns(rows, costs);
        }
        self.open.extend((0..rows).filter(|&row| self.column_of[row] == NONE));
        for _ in 0..2 {
            if !self.bid(columns, costs, skip) {
                return false;
            }
        }
        let open = std::mem::take(&mut self.open);
        let served = open.iter().all(|&row| self.augment(row, columns, costs, skip));
        self.open = open;
        served
    }

    /// Dual value of each row of the last table.
    pub fn row_duals(&self, costs: &[f64], skip: f64) -> Vec<f64> {
        let columns = self.dual.len();
        let dual = |(row, &column): (usize, &usize)| match column {
            NONE => skip,
            column => costs[row * columns + column] - self.dual[column],
        };
        self.column_of.iter().enumerate().map(dual).collect()
    }

    /// In a square table without skipping, every column is used in the end, so its dual may start at its smallest cost.
    fn reduce_columns(&mut self, size: usize, costs: &[f64]) {
        self.dual.copy_from_slice(&costs[..size]);
        let mut cheapest = vec![0; size];
        for (row, line) in costs.chunks_exact(size).enumerate().skip(1) {
            for ((dual, cheapest), &cost) in self.dual.iter_mut().zip(&mut cheapest).zip(line) {
                if cost < *dual {
                    (*dual, *cheapest) = (cost, row);
                }
            }
        }
        self.cells += (size * size) as u64;
        if self.dual.iter().any(|dual| !dual.is_finite()) {
            // No row can use this column, so there is no complete assignment; the search below finds that out.
            self.dual.fill(0.0);
            return;
        }
        for (column, &row) in cheapest.iter().enumerate().rev() {
            if self.column_of[row] == NONE {
                (self.column_of[row], self.row_of[column]) = (column, row);
            }
        }
    }

    /// Every open row takes its cheapest column and raises its price until the second best is as good. A displaced row bids
    /// again. Rows that this cannot settle stay open. False if some row has no column at all and may not be left out.
    fn bid(&mut self, columns: usize, costs: &[f64], skip: f64) -> bool {
        let mut todo = std::mem::take(&mut self.open);
        // Rounding could make bids tiny and numerous.
        let mut patience = 2 * todo.len() + 8;
        let mut next = 0;
        while next < todo.len() {
            let row = todo[next];
            next += 1;
            self.cells += columns as u64;
            let line = &costs[row * columns..(row + 1) * columns];
            let (first, column, mut second, other) = two_smallest(line, &self.dual);
            if first >= skip {
                if first == f64::INFINITY && skip == f64::INFINITY {
                    return false;
                }
                continue;
            }
            second = second.min(skip);
            if second == f64::INFINITY {
                self.open.push(row);
                continue;
            }
            let strict = first < second;
            let mut taken = column;
            if strict {
                self.dual[column] -= second - first;
            } else if self.row_of[column] != NONE && other != NONE {
                taken = other;
            }
            let driven_out = self.row_of[taken];
            (self.column_of[row], self.row_of[taken]) = (taken, row);
            if driven_out != NONE {
                self.column_of[driven_out] = NONE;
                if strict && patience > 0 {
                    patience -= 1;
                    next -= 1;
                    todo[next] = driven_out;
                } else {
                    self.open.push(driven_out);
                }
            }
        }
        true
    }

    /// Serves one more row along the shortest augmenting path; false if there is none.
    fn augment(&mut self, start: usize, columns: usize, costs: &[f64], skip: f64) -> bool {
        self.distance.clear();
        self.distance.resize(columns, f64::INFINITY);
        // Distances of the columns that are not reached yet, for finding the smallest.
        self.key.clear();
        self.key.resize(columns, f64::INFINITY);
        self.before.clear();
        self.before.resize(columns, start);
        self.reached.clear();
        let (mut row, mut so_far, mut row_dual) = (start, 0.0, 0.0);
        let (mut cheapest_exit, mut exit) = (f64::INFINITY, start);
        let total = loop {
            self.cells += columns as u64;
            let leave = so_far + skip - row_dual;
            if leave < cheapest_exit {
                (cheapest_exit, exit) = (leave, row);
            }
            let line = &costs[row * columns..(row + 1) * columns];
            let base = so_far - row_dual;
            let smallest =
                relax(line, &self.dual, base, &mut self.distance, &mut self.key, &mut self.before, row);
            if smallest >= cheapest_exit {
                if cheapest_exit == f64::INFINITY {
                    return false;
                }
                break cheapest_exit;
            }
            let Some(column) = self.key.iter().position(|&key| key == smallest) else { return false };
            if self.row_of[column] == NONE {
                self.flip(start, column);
                exit = NONE;
                break smallest;
            }
            self.reached.push(column);
            self.key[column] = f64::INFINITY;
            // Reached columns keep their distance below and are never updated again.
            (row, so_far) = (self.row_of[column], smallest);
            row_dual = costs[row * columns + column] - self.dual[column];
        };
        if exit != NONE && exit != start {
            let column = self.column_of[exit];
            self.column_of[exit] = NONE;
            self.flip(start, column);
        }
        for &column in &self.reached {
            self.dual[column] += self.distance[column] - total;
        }
        true
    }

    /// Gives `column` to the row before it on the path, that row's column to the one before, up to the start.
    fn flip(&mut self, start: usize, mut column: usize) {
        loop {
            let row = self.before[column];
            let given_up = self.column_of[row];
            (self.column_of[row], self.row_of[column]) = (column, row);
            if row == start {
                break;
            }
            column = given_up;
        }
    }
}

/// Smallest and second smallest reduced cost with their columns; the first of equals.
fn two_smallest(line: &[f64], dual: &[f64]) -> (f64, usize, f64, usize) {
    let (mut first, mut column, mut second, mut other) = (f64::INFINITY, NONE, f64::INFINITY, NONE);
    for (index, (cost, dual)) in line.iter().zip(dual).enumerate() {
        let reduced = cost - dual;
        if reduced < second {
            if reduced < first {
                (second, other) = (first, column);
                (first, column) = (reduced, index);
            } else {
                (second, other) = (reduced, index);
            }
        }
    }
    (first, column, second, other)
}

/// Shortens distances over one more row and returns the smallest among the columns that are not reached yet.
fn relax(
    line: &[f64],
    dual: &[f64],
    base: f64,
    distance: &mut [f64],
    key: &mut [f64],
    before: &mut [usize],
    row: usize,
) -> f64 {
    let mut smallest = f64::INFINITY;
    for ((((cost, dual), distance), key), before) in line.iter().zip(dual).zip(distance).zip(key).zip(before)
    {
        let through = base + (cost - dual);
        if through < *distance && (*key != f64::INFINITY || *distance == f64::INFINITY) {
            (*distance, *key, *before) = (through, through, row);
        }
        if *key < smallest {
            smallest = *key;
        }
    }
    smallest
}
