//! Rectangular assignments: totals, prices that prove them, negative and impossible entries.

use crate::stage::{Chance, near};
use crewlab_allocation::{Objective, assign};

type Table = Vec<Vec<Option<f64>>>;

/// The best total for each number of pairs, by enumeration.
fn enumerate(table: &Table, row: usize, used: &mut Vec<bool>, pairs: usize, sum: f64, best: &mut Vec<f64>) {
    let Some(line) = table.get(row) else {
        best[pairs] = best[pairs].max(sum);
        return;
    };
    enumerate(table, row + 1, used, pairs, sum, best);
    for column in 0..line.len() {
        if let (false, Some(entry)) = (used[column], line[column]) {
            used[column] = true;
            enumerate(table, row + 1, used, pairs + 1, sum + entry, best);
            used[column] = false;
        }
    }
}

fn random(chance: &mut Chance) -> Table {
    let (rows, columns) = (1 + chance.below(5), 1 + chance.below(5));
    let coarse = chance.below(2) == 0;
    let incapable = [0.0, 0.3, 0.6][chance.below(3)];
    let mut entry = || {
        let number = if coarse { chance.below(7) as f64 - 3.0 } else { chance.unit() * 8.0 - 3.0 };
        (chance.unit() >= incapable).then_some(number)
    };
    (0..rows).map(|_| (0..columns).map(|_| entry()).collect()).collect()
}

#[test]
fn all_goals_agree_with_enumeration() {
    let mut chance = Chance(5);
    for round in 0..10_000 {
        let table = random(&mut chance);
        let (rows, columns) = (table.len(), table[0].len());
        let mut best = vec![f64::NEG_INFINITY; rows.min(columns) + 1];
        enumerate(&table, 0, &mut vec![false; columns], 0, 0.0, &mut best);
        let total = best.iter().copied().fold(0.0, f64::max);
        let (most, most_total) =
            best.iter().copied().enumerate().rfind(|(_, b)| b.is_finite()).expect("the empty one");
        for goal in [Objective::Total, Objective::Most, Objective::Perfect] {
            let found = assign(&table, goal).expect("sound");
            let Some(found) = found else {
                assert!(goal == Objective::Perfect && most < rows.min(columns), "round {round}");
                continue;
            };
            let pairs = found.columns.iter().flatten().count();
            let mut used = vec![false; columns];
            for column in found.columns.iter().flatten() {
                assert!(!std::mem::replace(&mut used[*column], true));
            }
            let (want, count) = match goal {
                Objective::Total => (total, pairs),
                Objective::Most => (most_total, most),
                Objective::Perfect => (most_total, rows.min(columns)),
            };
            assert!(
                near(found.value, want) && pairs == count,
                "round {round}, {goal:?}: {found:?} for {table:?}"
            );
            if goal == Objective::Total {
                let sum: f64 = found.row_prices.iter().chain(&found.column_prices).sum();
                assert!(near(sum, found.value), "round {round}: {found:?}");
                assert!(found.row_prices.iter().chain(&found.column_prices).all(|price| *price >= -1e-12));
                for (row, line) in table.iter().enumerate() {
                    for (column, entry) in line.iter().enumerate() {
                        let price = found.row_prices[row] + found.column_prices[column];
                        assert!(entry.is_none_or(|entry| price >= entry - 1e-9), "round {round}");
                    }
                }
            }
        }
    }
}

/// Prices prove large assignments, which cannot be enumerated.
#[test]
fn large_tables_are_proven_by_their_prices() {
    let mut chance = Chance(6);
    for (rows, columns, coarse) in [(120, 120, false), (120, 120, true), (60, 200, false), (150, 90, true)] {
        let mut entry = || if coarse { chance.below(9) as f64 } else { chance.unit() };
        let table: Table = (0..rows).map(|_| (0..columns).map(|_| Some(entry())).collect()).collect();
        for goal in [Objective::Total, Objective::Perfect] {
            let found = assign(&table, goal).expect("sound").expect("complete");
            let sum: f64 = found.row_prices.iter().chain(&found.column_prices).sum();
            assert!(near(sum, found.value), "{rows}x{columns} {goal:?}: {sum} and {}", found.value);
            for (row, line) in table.iter().enumerate() {
                for (column, entry) in line.iter().enumerate() {
                    let price = found.row_prices[row] + found.column_prices[column];
                    assert!(entry.is_none_or(|entry| price >= entry - 1e-9));
                }
            }
        }
    }
}

#[test]
fn empty_tables_have_empty_assignments() {
    for table in [vec![], vec![vec![], vec![]]] {
        let found = assign(&table, Objective::Perfect).expect("sound").expect("nothing to do");
        assert_eq!((found.value, found.columns.len()), (0.0, table.len()));
    }
}

#[test]
fn broken_tables_are_refused() {
    let say = |table: Table| assign(&table, Objective::Total).expect_err("broken").to_string();
    assert_eq!(
        say(vec![vec![Some(1.0)], vec![]]),
        "rewards[1]: found 0, accepted: 1 entries, as in the first row"
    );
    let number = "accepted: a finite number of at most 1e12 in magnitude, or nothing";
    assert_eq!(say(vec![vec![None, Some(f64::NAN)]]), format!("rewards[0][1]: found NaN, {number}"));
    assert_eq!(say(vec![vec![Some(f64::INFINITY)]]), format!("rewards[0][0]: found inf, {number}"));
}
