//! The linear program over the coalitions known so far: every task and every robot at most once. Its duals are the robots'
//! prices; its solution shows between which plans each task is undecided.
//!
//! A primal simplex with an explicit inverse. No bound depends on its accuracy: bounds come from prices only, by computing the
//! best coalition of every task.

use super::problem::Column;

/// Reduced costs below this, times the scale of the values, count as zero.
const TOLERANCE: f64 = 1e-8;

#[derive(Clone, Debug)]
pub(super) struct Master {
    tasks: usize,
    /// Rows: tasks, then robots.
    size: usize,
    inverse: Vec<f64>,
    /// The variable in the basis at each row: slacks are numbered like rows, columns from `size` on.
    basis: Vec<usize>,
    level: Vec<f64>,
    dual: Vec<f64>,
    pub columns: Vec<Column>,
    in_basis: Vec<bool>,
    worth: Vec<f64>,
    right: Vec<f64>,
    scale: f64,
    pivots: usize,
    entering: Vec<f64>,
    line: Vec<(usize, f64)>,
}

impl Master {
    pub fn new(tasks: usize, robots: usize, scale: f64) -> Master {
        let size = tasks + robots;
        // Slightly different right-hand sides keep the simplex from stalling.
        let jitter = |row: usize| 1.0 + 1e-6 * ((row.wrapping_mul(2_654_435_761) % 1021) as f64 / 1021.0);
        let mut master = Master {
            tasks,
            size,
            inverse: Vec::new(),
            basis: Vec::new(),
            level: Vec::new(),
            dual: vec![0.0; size],
            columns: Vec::new(),
            in_basis: vec![false; size],
            worth: vec![0.0; size],
            right: (0..size).map(jitter).collect(),
            scale: scale.max(1e-300),
            pivots: 0,
            entering: Vec::new(),
            line: Vec::new(),
        };
        master.restart();
        master
    }

    /// Resets to the basis of slacks.
    fn restart(&mut self) {
        self.inverse = vec![0.0; self.size * self.size];
        for row in 0..self.size {
            self.inverse[row * self.size + row] = 1.0;
        }
        self.basis = (0..self.size).collect();
        self.level.clone_from(&self.right);
        self.in_basis.fill(false);
        self.in_basis[..self.size].fill(true);
        self.pivots = 0;
    }

    pub fn add(&mut self, column: Column) {
        self.worth.push(column.value);
        self.columns.push(column);
        self.in_basis.push(false);
    }

    /// Sets the objective of columns and of the tasks' slacks: `column(c)` and `slack(task)`.
    pub fn set_worths(&mut self, column: impl Fn(&Column) -> f64, slack: impl Fn(usize) -> f64) {
        for task in 0..self.tasks {
            self.worth[task] = slack(task);
        }
        for (worth, known) in self.worth[self.size..].iter_mut().zip(&self.columns) {
            *worth = column(known);
        }
    }

    fn rows_of(&self, number: usize) -> impl Iterator<Item = usize> + '_ {
        let column = number.checked_sub(self.size).map(|number| &self.columns[number]);
        let own = column.map_or(number, |column| column.task);
        let robots = column.into_iter().flat_map(|column| column.robots.iter());
        std::iter::once(own).chain(robots.map(|&robot| self.tasks + robot as usize))
    }

    fn reckon_duals(&mut self) {
        self.dual.fill(0.0);
        for (row, &number) in self.basis.iter().enumerate() {
            let worth = self.worth[number];
            if worth != 0.0 {
                let line = &self.inverse[row * self.size..(row + 1) * self.size];
                self.dual.iter_mut().zip(line).for_each(|(dual, cell)| *dual += worth * cell);
            }
        }
    }

    fn reduced(&self, number: usize) -> f64 {
        self.worth[number] - self.rows_of(number).map(|row| self.dual[row]).sum::<f64>()
    }

    /// Optimises over the known columns with at most `most_pivots` pivots. Returns the value.
    pub fn solve(&mut self, most_pivots: usize) -> f64 {
        if self.pivots > 20_000 {
            self.renew();
        }
        self.reckon_duals();
        let tolerance = TOLERANCE * self.scale;
        for _ in 0..most_pivots {
            let mut best = (tolerance, usize::MAX);
            for number in 0..self.worth.len() {
                if !self.in_basis[number] {
                    let reduced = self.reduced(number);
                    if reduced > best.0 {
                        best = (reduced, number);
                    }
                }
            }
            if best.1 == usize::MAX || !self.pivot(best.1, best.0) {
                break;
            }
        }
        // At right-hand sides of exactly 1.
        self.dual.iter().sum()
    }

    fn pivot(&mut self, number: usize, reduced: f64) -> bool {
        let size = self.size;
        let mut entering = std::mem::take(&mut self.entering);
        entering.clear();
        entering.resize(size, 0.0);
        for column in self.rows_of(number) {
            for (row, cell) in entering.iter_mut().enumerate() {
                *cell += self.inverse[row * size + column];
            }
        }
        let mut leaving: Option<(f64, usize)> = None;
        for (row, &cell) in entering.iter().enumerate() {
            if cell > 1e-9 {
                let ratio = self.level[row].max(0.0) / cell;
                let better = match leaving {
                    None => true,
                    Some((best, other)) => ratio < best || (ratio == best && cell > entering[other]),
                };
                if better {
                    leaving = Some((ratio, row));
                }
            }
        }
        let Some((step, out)) = leaving else {
            self.entering = entering;
            return false;
        };
        let pivot = entering[out];
        // Most cells are 0.
        let mut line = std::mem::take(&mut self.line);
        line.clear();
        let cells = self.inverse[out * size..(out + 1) * size].iter_mut().enumerate();
        for (column, cell) in cells.filter(|(_, cell)| **cell != 0.0) {
            self.dual[column] += reduced / pivot * *cell;
            *cell /= pivot;
            line.push((column, *cell));
        }
        for (row, &factor) in entering.iter().enumerate() {
            if row == out || factor == 0.0 {
                continue;
            }
            self.level[row] -= factor * step;
            let cells = &mut self.inverse[row * size..(row + 1) * size];
            for &(column, other) in &line {
                // Rounding residues of a 0 would only make the lines longer.
                let cell = cells[column] - factor * other;
                cells[column] = if cell.abs() < 1e-13 { 0.0 } else { cell };
            }
        }
        self.level[out] = step;
        self.in_basis[self.basis[out]] = false;
        self.in_basis[number] = true;
        self.basis[out] = number;
        self.pivots += 1;
        (self.entering, self.line) = (entering, line);
        true
    }

    /// Recomputes the inverse from the basis, so that rounding errors do not accumulate.
    fn renew(&mut self) {
        let wanted: Vec<usize> = self.basis.iter().copied().filter(|&number| number >= self.size).collect();
        self.restart();
        self.reckon_duals();
        for number in wanted {
            // Bringing the columns back one by one keeps the basis feasible; a column that no longer fits stays out.
            let reduced = self.reduced(number);
            self.pivot(number, reduced);
        }
        self.pivots = 0;
    }

    /// The price of each robot, never below 0.
    pub fn prices(&self) -> Vec<f64> {
        self.dual[self.tasks..].iter().map(|dual| dual.max(0.0)).collect()
    }

    /// The columns in use and how much of each.
    pub fn mix(&self) -> Vec<(&Column, f64)> {
        let used = self
            .basis
            .iter()
            .zip(&self.level)
            .filter(|(number, level)| **number >= self.size && **level > 1e-5);
        used.map(|(number, level)| (&self.columns[number - self.size], *level)).collect()
    }
}
