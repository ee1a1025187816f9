//! A map in a scenario: rows of letters, in which a number repeats the letter behind it.

use super::{Cells, Ground};
use crewlab_navigation::maps::{MOST_CELLS, check_size};
use std::fmt::Write;

/// Reads rows, the uppermost first.
pub fn read(rows: &[String]) -> Result<Cells, String> {
    let mut ground = Vec::new();
    let mut columns = 0;
    for (index, row) in rows.iter().enumerate() {
        let said = |message: String| format!("row {}: {message}", index + 1);
        let before = ground.len();
        read_row(row, &mut ground).map_err(said)?;
        let width = ground.len() - before;
        if index == 0 {
            columns = width;
            check_size(columns, rows.len())?;
        } else if width != columns {
            return Err(said(format!("it has {width} cells, the first row has {columns}")));
        }
    }
    let ground = ground.chunks(columns.max(1)).rev().flatten().copied().collect();
    Ok(Cells { columns, ground })
}

fn read_row(row: &str, ground: &mut Vec<Ground>) -> Result<(), String> {
    let mut count: Option<usize> = None;
    for letter in row.chars() {
        if let Some(digit) = letter.to_digit(10) {
            let more = count.unwrap_or(0).saturating_mul(10).saturating_add(digit as usize);
            count = Some(more);
            continue;
        }
        let cell = ground_of(letter).ok_or_else(|| format!("{letter:?} is not a letter of a map"))?;
        let cells = count.take().unwrap_or(1);
        if ground.len().saturating_add(cells) > MOST_CELLS {
            return Err(format!("the map has more than {MOST_CELLS} cells: make it coarser"));
        }
        ground.resize(ground.len() + cells, cell);
    }
    match count {
        Some(count) => Err(format!("the letter behind {count} is missing")),
        None => Ok(()),
    }
}

/// What a letter means: that of a MovingAI map.
pub fn ground_of(letter: char) -> Option<Ground> {
    match letter {
        '.' | 'G' => Some(Ground::Free),
        'S' => Some(Ground::Swamp),
        _ => letter.is_ascii_graphic().then_some(Ground::Wall),
    }
}

/// Writes rows, the uppermost first.
pub fn write(cells: &Cells) -> Vec<String> {
    let rows = cells.ground.chunks(cells.columns.max(1)).rev();
    rows.map(|row| {
        let mut text = String::new();
        for run in row.chunk_by(|a, b| a == b) {
            let letter = match run[0] {
                Ground::Free => '.',
                Ground::Swamp => 'S',
                Ground::Wall => '@',
            };
            // Writing to a text cannot fail.
            let _ = match run.len() {
                1 => write!(text, "{letter}"),
                count => write!(text, "{count}{letter}"),
            };
        }
        text
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cells() -> impl Strategy<Value = Cells> {
        let ground = prop_oneof![Just(Ground::Free), Just(Ground::Swamp), Just(Ground::Wall)];
        (1..30usize, 1..30usize)
            .prop_flat_map(move |(columns, rows)| {
                (Just(columns), prop::collection::vec(ground.clone(), columns * rows))
            })
            .prop_map(|(columns, ground)| Cells { columns, ground })
    }

    proptest! {
        #[test]
        fn rows_survive(cells in cells()) {
            prop_assert_eq!(read(&write(&cells)), Ok(cells));
        }

        #[test]
        fn any_text_is_a_map_or_a_message(rows in prop::collection::vec("[0-9.S@ é]{0,12}", 0..5)) {
            if let Ok(cells) = read(&rows) {
                prop_assert_eq!(cells.ground.len(), cells.columns * rows.len());
            }
        }
    }

    #[test]
    fn mistakes_are_reported_with_their_row() {
        let said = |rows: &[&str]| {
            let rows: Vec<String> = rows.iter().map(|row| row.to_string()).collect();
            read(&rows).expect_err("a mistake")
        };
        assert_eq!(said(&["3.", "2@"]), "row 2: it has 2 cells, the first row has 3");
        assert_eq!(said(&["3.", "3"]), "row 2: the letter behind 3 is missing");
        assert_eq!(said(&[". ."]), "row 1: ' ' is not a letter of a map");
        assert!(said(&["99999999999999999999999@"]).contains("more than 16000000 cells"));
        assert!(said(&["9000000@", "9000000@"]).contains("at most 16000000"));
        assert!(said(&[""]).contains("0 x 1 cells"));
    }
}
