//! Rewards of one plan for the robots that are free, row by row, `-∞` where a robot is incapable.

use crate::Plan;

/// A dense table of rewards.
#[derive(Clone, Debug, Default)]
pub(crate) struct Matrix {
    pub rows: usize,
    pub columns: usize,
    pub cells: Vec<f64>,
}

/// Marks cells that must not be used.
pub(crate) const INCAPABLE: f64 = f64::NEG_INFINITY;

impl Matrix {
    /// The plan's rewards for the robots in `who`.
    pub fn of(plan: &Plan, who: &[usize]) -> Matrix {
        let mut matrix = Matrix::default();
        matrix.fill(plan, who);
        matrix
    }

    /// Makes it the plan's rewards for the robots in `who`; memory is used again.
    pub fn fill(&mut self, plan: &Plan, who: &[usize]) {
        (self.rows, self.columns) = (plan.subtasks.len(), who.len());
        self.cells.clear();
        self.cells.reserve(self.rows * self.columns);
        for row in &plan.subtasks {
            self.cells
                .extend(who.iter().map(|&robot| row.get(robot).copied().flatten().unwrap_or(INCAPABLE)));
        }
    }

    pub fn row(&self, row: usize) -> &[f64] {
        &self.cells[row * self.columns..(row + 1) * self.columns]
    }

    pub fn at(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.columns + column]
    }

    /// The column of each row's largest reward, the first of equals; nothing if a row has no capable robot.
    pub fn row_maxima(&self) -> Option<Vec<usize>> {
        let largest = |row: usize| {
            let mut best: Option<usize> = None;
            for (column, &cell) in self.row(row).iter().enumerate() {
                if cell > best.map_or(INCAPABLE, |best| self.at(row, best)) {
                    best = Some(column);
                }
            }
            best
        };
        (0..self.rows).map(largest).collect()
    }

    /// The rewards that rows get from their columns.
    pub fn pick(&self, columns: &[usize]) -> Vec<f64> {
        columns.iter().enumerate().map(|(row, &column)| self.at(row, column)).collect()
    }

    /// All different rewards, from the smallest on.
    pub fn levels(&self) -> Vec<f64> {
        let mut levels: Vec<f64> = self.cells.iter().copied().filter(|cell| cell.is_finite()).collect();
        levels.sort_by(f64::total_cmp);
        levels.dedup();
        levels
    }
}
