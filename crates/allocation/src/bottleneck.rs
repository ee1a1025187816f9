//! The assignment whose smallest reward is largest.

use crate::assignment::NONE;
use crate::matrix::{INCAPABLE, Matrix};

/// The column of each row, such that the smallest reward is as large as can be; `None` if not every row can be served.
///
/// Works downwards: the threshold starts at the largest value that no row excludes. When a row finds no partner above it, the
/// threshold drops to the best entry that would help.
pub(crate) fn solve(matrix: &Matrix) -> Option<Vec<usize>> {
    let (rows, columns) = (matrix.rows, matrix.columns);
    if rows > columns {
        return None;
    }
    let best = matrix.row_maxima()?;
    let mut threshold = matrix.pick(&best).into_iter().fold(f64::INFINITY, f64::min);
    let (mut column_of, mut row_of) = (vec![NONE; rows], vec![NONE; columns]);
    let mut before = vec![NONE; columns];
    let mut reached = Vec::with_capacity(rows);
    for start in 0..rows {
        before.fill(NONE);
        reached.clear();
        reached.push(start);
        let mut next = 0;
        let end = 'search: loop {
            while next < reached.len() {
                let row = reached[next];
                for (column, &cell) in matrix.row(row).iter().enumerate() {
                    if cell >= threshold && before[column] == NONE {
                        before[column] = row;
                        match row_of[column] {
                            NONE => break 'search column,
                            partner => reached.push(partner),
                        }
                    }
                }
                next += 1;
            }
            let helpful = |row: &usize| {
                let unreached = matrix.row(*row).iter().zip(&before).filter(|(_, before)| **before == NONE);
                unreached.fold(INCAPABLE, |best, (&cell, _)| f64::max(best, cell))
            };
            threshold = reached.iter().map(helpful).fold(INCAPABLE, f64::max);
            if threshold == INCAPABLE {
                return None;
            }
            next = 0;
        };
        let mut column = end;
        loop {
            let row = before[column];
            let given_up = column_of[row];
            (column_of[row], row_of[column]) = (column, row);
            if row == start {
                break;
            }
            column = given_up;
        }
    }
    Some(column_of)
}
