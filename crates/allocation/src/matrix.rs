//! Rewards of one plan for the robots that are free, row by row, `-∞` where a robot is incapable.

use crate::CoalitionPlan;

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
    pub fn of(plan: &CoalitionPlan, who: &[usize]) -> Matrix {
        let mut matrix = Matrix::default();
        matrix.fill(plan, who);
        matrix
    }

    /// Refills it with the plan's rewards for the robots in `who`, reusing its memory.
    pub fn fill(&mut self, plan: &CoalitionPlan, who: &[usize]) {
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

    /// The column of each row's largest reward, the first of equals; `None` if a row has no capable robot.
    pub fn row_maxima(&self) -> Option<Vec<usize>> {
        (0..self.rows).map(|row| largest(self.row(row).iter().copied()).map(|(column, _)| column)).collect()
    }

    /// The rewards that rows get from their columns.
    pub fn pick(&self, columns: &[usize]) -> Vec<f64> {
        columns.iter().enumerate().map(|(row, &column)| self.at(row, column)).collect()
    }

    /// All distinct rewards in ascending order.
    pub fn levels(&self) -> Vec<f64> {
        let mut levels: Vec<f64> = self.cells.iter().copied().filter(|cell| cell.is_finite()).collect();
        levels.sort_by(f64::total_cmp);
        levels.dedup();
        levels
    }
}

/// Column and reward of the best robot in `who` for each subtask of a plan, the first of equals; `None` if a subtask has none.
pub(crate) fn favourites(plan: &CoalitionPlan, who: &[usize]) -> Option<(Vec<usize>, Vec<f64>)> {
    let everyone = plan.subtasks.first().map(Vec::len) == Some(who.len());
    let best = |row: &Vec<Option<f64>>| match everyone {
        true => largest(row.iter().map(|reward| reward.unwrap_or(INCAPABLE))),
        false => largest(who.iter().map(|&robot| row.get(robot).copied().flatten().unwrap_or(INCAPABLE))),
    };
    plan.subtasks.iter().map(best).collect()
}

fn largest(rewards: impl Iterator<Item = f64>) -> Option<(usize, f64)> {
    let (mut column, mut best) = (0, INCAPABLE);
    for (place, reward) in rewards.enumerate() {
        if reward > best {
            (column, best) = (place, reward);
        }
    }
    (best > INCAPABLE).then_some((column, best))
}
