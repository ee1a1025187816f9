//! Any feasible assignment, and the one that contains the best single pair.

use crate::assignment::NONE;
use crate::matrix::Matrix;

/// Which pairs are possible, and a matching of them.
struct Pairing<'a> {
    matrix: &'a Matrix,
    column_of: Vec<usize>,
    row_of: Vec<usize>,
    seen: Vec<bool>,
}

impl Pairing<'_> {
    /// Finds a column for `row`, moving other rows where needed; columns marked as seen are left alone.
    fn place(&mut self, row: usize) -> bool {
        // A path visits a row at most once, so the list of rows that still look for a column serves as the stack.
        let mut path = vec![(row, 0)];
        while let Some(&mut (row, ref mut next)) = path.last_mut() {
            let Some(column) = (*next..self.matrix.columns)
                .find(|&column| !self.seen[column] && self.matrix.at(row, column).is_finite())
            else {
                path.pop();
                continue;
            };
            *next = column + 1;
            self.seen[column] = true;
            match self.row_of[column] {
                NONE => {
                    // Every row on the path takes the column it was about to take.
                    for &(row, next) in &path {
                        (self.column_of[row], self.row_of[next - 1]) = (next - 1, row);
                    }
                    return true;
                }
                partner => path.push((partner, 0)),
            }
        }
        false
    }
}

fn pairing(matrix: &Matrix) -> Option<Pairing<'_>> {
    if matrix.rows > matrix.columns {
        return None;
    }
    let mut pairing = Pairing {
        matrix,
        column_of: vec![NONE; matrix.rows],
        row_of: vec![NONE; matrix.columns],
        seen: vec![false; matrix.columns],
    };
    for row in 0..matrix.rows {
        pairing.seen.fill(false);
        if !pairing.place(row) {
            return None;
        }
    }
    Some(pairing)
}

/// Any column for each row; `None` if not every row can be served.
pub(crate) fn any(matrix: &Matrix) -> Option<Vec<usize>> {
    pairing(matrix).map(|pairing| pairing.column_of)
}

/// The column of each row, such that the largest reward is as large as can be; `None` if not every row can be served.
pub(crate) fn best_pair(matrix: &Matrix) -> Option<Vec<usize>> {
    let start = pairing(matrix)?;
    let mut pairs: Vec<usize> =
        (0..matrix.cells.len()).filter(|&cell| matrix.cells[cell].is_finite()).collect();
    pairs.sort_by(|a, b| matrix.cells[*b].total_cmp(&matrix.cells[*a]).then(a.cmp(b)));
    for pair in pairs {
        let (row, column) = (pair / matrix.columns, pair % matrix.columns);
        if start.column_of[row] == column {
            return Some(start.column_of);
        }
        let mut forced = Pairing {
            matrix,
            column_of: start.column_of.clone(),
            row_of: start.row_of.clone(),
            seen: vec![false; matrix.columns],
        };
        let driven_out = forced.row_of[column];
        forced.row_of[forced.column_of[row]] = NONE;
        (forced.column_of[row], forced.row_of[column]) = (column, row);
        forced.seen[column] = true;
        if driven_out == NONE || forced.place(driven_out) {
            return Some(forced.column_of);
        }
    }
    // Not reached: the pairs of the first matching are among those tried.
    None
}
