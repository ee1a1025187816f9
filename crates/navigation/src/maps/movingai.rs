//! MovingAI's `.map` files (`type octile`), as benchmarks of path planning use them.

use super::raster::{Raster, check_size};
use crewlab_onboard::geometry::Vec2;

/// The letters of a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letters {
    /// Letters per row.
    pub columns: usize,
    /// Rows.
    pub rows: usize,
    /// Row by row, the uppermost row first, as in the file.
    pub letters: Vec<u8>,
}

/// Reads a map; one letter is a cell of this side [m]. `.` and `G` are free, `S` (swamp) is free as well, everything else that can be
/// printed is a wall.
pub fn read(text: &str, resolution: f64) -> Result<Raster, String> {
    let Letters { columns, rows, letters } = letters(text)?;
    let cell = |letter: &u8| Some(if matches!(letter, b'.' | b'G' | b'S') { 0.0 } else { 1.0 });
    let cells = letters.chunks(columns).rev().flatten().map(cell).collect();
    Ok(Raster { columns, rows, resolution, origin: Vec2::ZERO, cells })
}

/// Reads the letters of a map without judging them.
pub fn letters(text: &str) -> Result<Letters, String> {
    let mut lines = text.lines().enumerate().map(|(at, line)| (at + 1, line.trim_end_matches('\r')));
    let mut header = |key: &str| -> Result<(usize, String), String> {
        let (number, line) = lines.next().ok_or_else(|| format!("the file ends before `{key}`"))?;
        let rest = line.strip_prefix(key).map(str::trim).filter(|rest| !rest.is_empty() || key == "map");
        let rest =
            rest.ok_or_else(|| format!("line {number}: expected `{key}`, found `{}`", shortened(line)))?;
        Ok((number, rest.to_string()))
    };
    let (number, kind) = header("type")?;
    if kind != "octile" {
        return Err(format!("line {number}: only `type octile` is accepted, found `{}`", shortened(&kind)));
    }
    let mut side = |key: &str| -> Result<usize, String> {
        let (number, said) = header(key)?;
        said.parse().map_err(|_| {
            format!("line {number}: `{key}` must be a whole number, found `{}`", shortened(&said))
        })
    };
    let (rows, columns) = (side("height")?, side("width")?);
    header("map")?;
    check_size(columns, rows)?;
    let mut letters = Vec::new();
    for row in 0..rows {
        let (number, line) =
            lines.next().ok_or_else(|| format!("the file ends after {row} of {rows} rows"))?;
        let found = line.chars().count();
        if found != columns {
            return Err(format!("line {number}: a row has {columns} letters, found {found}"));
        }
        if let Some(letter) = line.chars().find(|letter| !letter.is_ascii_graphic()) {
            return Err(format!("line {number}: {letter:?} is not a letter of a map"));
        }
        letters.extend_from_slice(line.as_bytes());
    }
    if let Some((number, _)) = lines.find(|(_, line)| !line.trim().is_empty()) {
        return Err(format!("line {number}: the map has {rows} rows, but there are more"));
    }
    Ok(Letters { columns, rows, letters })
}

/// Writes a map: `.` free, `@` occupied, `T` unknown, which nobody may enter either.
pub fn write(raster: &Raster) -> String {
    let mut text = format!("type octile\nheight {}\nwidth {}\nmap\n", raster.rows, raster.columns);
    for row in raster.cells.chunks(raster.columns.max(1)).rev() {
        text.extend(row.iter().map(|cell| match cell {
            Some(probability) if *probability <= 0.5 => '.',
            Some(_) => '@',
            None => 'T',
        }));
        text.push('\n');
    }
    text
}

fn shortened(text: &str) -> String {
    text.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn maps_survive(columns in 1..30usize, rows in 1..30usize, seed in any::<u64>()) {
            let cell = |at: usize| Some(f64::from(((seed >> (at % 60)) & 1) as u8));
            let cells = (0..columns * rows).map(cell).collect();
            let raster = Raster { columns, rows, resolution: 0.5, origin: Vec2::ZERO, cells };
            prop_assert_eq!(read(&write(&raster), 0.5), Ok(raster));
        }

        #[test]
        fn any_text_is_a_map_or_a_message(text in "(type octile\n)?(height [0-9]{1,12}\n)?(width [0-9]{1,12}\n)?(map\n)?[.@TSG\n ]{0,40}") {
            let _ = read(&text, 1.0);
        }
    }

    #[test]
    fn letters_mean_what_the_format_says() {
        let raster =
            read("type octile\r\nheight 2\r\nwidth 4\r\nmap\r\n.GS@\r\nTOWx\r\n", 1.0).expect("a map");
        let walls: Vec<bool> = raster.cells.iter().map(|cell| *cell == Some(1.0)).collect();
        assert_eq!(walls, [true, true, true, true, false, false, false, true], "the lower row first");
    }

    #[test]
    fn mistakes_are_reported_with_their_line() {
        let said = |text: &str| read(text, 1.0).expect_err("a mistake");
        assert!(said("type hex\n").contains("line 1: only `type octile`"));
        assert!(said("type octile\nheight x\n").contains("line 2: `height` must be a whole number"));
        assert!(
            said("type octile\nheight 2\nwidth 2\nmap\n..\n...\n")
                .contains("line 6: a row has 2 letters, found 3")
        );
        assert!(said("type octile\nheight 3\nwidth 2\nmap\n..\n").contains("after 1 of 3 rows"));
        assert!(said("type octile\nheight 999999\nwidth 999999\nmap\n").contains("at most"));
        assert!(said("").contains("ends before `type`"));
    }
}
