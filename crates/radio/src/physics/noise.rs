//! Noise: the receivers' own, and the noise floor.

use super::decibel::ratio;
use crewlab_expression::{Formula, Part, Refusal, Type, Value, Vocabulary};
use rand_philox::{philox4x32_10, splitmix64};
use serde::{Deserialize, Serialize};

/// Thermal noise density at room temperature. [dBm/Hz]
const THERMAL: f64 = -174.0;

/// Noise power of a receiver with this noise figure [dB] in a channel of this width [Hz]. [mW]
pub fn thermal(noise_figure: f64, bandwidth: f64) -> f64 {
    ratio(THERMAL + noise_figure) * bandwidth
}

/// Levels that are accepted. [dBm]
const LOWEST: f64 = -200.0;
const HIGHEST: f64 = 60.0;
/// Most cells of a grid.
const MOST: f64 = 4e6;

/// The variables of a noise floor's formula.
struct Plane;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Axis {
    X,
    Y,
}

impl Vocabulary for Plane {
    type Variable = Axis;

    fn names(&self) -> String {
        "x, y".into()
    }

    fn units(&self) -> &str {
        "x and y are in metres, the result is in dBm"
    }

    fn resolve(&self, name: &[Part]) -> Result<(Axis, Type), Refusal> {
        match name {
            [part] if part.text == "x" => Ok((Axis::X, Type::Number)),
            [part] if part.text == "y" => Ok((Axis::Y, Type::Number)),
            _ => Err(Refusal::Unknown),
        }
    }
}

/// Noise by place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NoiseGrid {
    /// South-western corner. [m]
    pub origin: [f64; 2],
    /// Size of a cell. [m]
    pub cell: [f64; 2],
    /// Cells from west to east.
    pub columns: usize,
    /// Cells from south to north.
    pub rows: usize,
    /// Noise level by cell, row by row from the south. [dBm]
    pub dbm: Vec<f32>,
}

impl NoiseGrid {
    /// A grid of these levels [dBm], row by row from the south; or an error.
    pub fn new(
        origin: [f64; 2],
        cell: [f64; 2],
        columns: usize,
        rows: usize,
        dbm: Vec<f64>,
    ) -> Result<NoiseGrid, String> {
        if !cell.iter().all(|side| *side > 0.0 && side.is_finite()) {
            return Err(format!(
                "cells of {} m x {} m found, their sides must be above 0 m",
                cell[0], cell[1]
            ));
        }
        if !origin.iter().all(|coordinate| coordinate.is_finite()) {
            return Err(format!("corner at {}, {} found, it must be finite", origin[0], origin[1]));
        }
        if columns.checked_mul(rows) != Some(dbm.len()) || dbm.is_empty() {
            return Err(format!(
                "{} levels found for {columns} x {rows} cells, one each is needed",
                dbm.len()
            ));
        }
        if let Some(level) = dbm.iter().position(|level| !(LOWEST..=HIGHEST).contains(level)) {
            return Err(format!(
                "noise of {} dBm found in column {} from the west, row {} from the south; {LOWEST} to {HIGHEST} dBm are accepted",
                dbm[level],
                level % columns + 1,
                level / columns + 1
            ));
        }
        Ok(NoiseGrid {
            origin,
            cell,
            columns,
            rows,
            dbm: dbm.into_iter().map(|level| level as f32).collect(),
        })
    }

    /// A grid of rows of levels [dBm], the northernmost first, with square cells [m].
    pub fn from_rows(rows: &[Vec<f64>], origin: [f64; 2], cell: f64) -> Result<NoiseGrid, String> {
        let columns = rows.first().map_or(0, Vec::len);
        if columns == 0 {
            return Err("a noise floor needs at least one row with one level".into());
        }
        if let Some((number, row)) = rows.iter().enumerate().find(|(_, row)| row.len() != columns) {
            return Err(format!("row {} has {} levels, the first has {columns}", number + 1, row.len()));
        }
        let levels = rows.iter().rev().flatten().copied().collect();
        NoiseGrid::new(origin, [cell; 2], columns, rows.len(), levels)
    }

    /// A grid over a world of this size [m] with the levels [dBm] that a formula over x and y [m] gives at the middle
    /// of each cell.
    pub fn from_function(
        text: &str,
        origin: [f64; 2],
        size: [f64; 2],
        cell: f64,
    ) -> Result<NoiseGrid, String> {
        let formula = Formula::parse(text, &Plane).map_err(|error| error.to_string())?;
        NoiseGrid::fill(origin, size, cell, |column, row| {
            let x = origin[0] + (column as f64 + 0.5) * cell;
            let y = origin[1] + (row as f64 + 0.5) * cell;
            formula.value(|axis| Value::Number(if *axis == Axis::X { x } else { y }))
        })
    }

    /// A grid from a grey picture: its pixels' brightness from 0 to 1, row by row from the north. Black stands for
    /// `low` and white for `high` [dBm]. The picture covers the world of this size [m] and must have its proportions,
    /// give or take half a pixel.
    pub fn from_grey(
        pixels: &[f64],
        columns: usize,
        rows: usize,
        origin: [f64; 2],
        size: [f64; 2],
        low: f64,
        high: f64,
    ) -> Result<NoiseGrid, String> {
        if columns == 0 || rows == 0 {
            return Err(format!("the image has {columns} x {rows} pixels, at least one is needed"));
        }
        let fitting_columns = rows as f64 * size[0] / size[1];
        let fitting_rows = columns as f64 * size[1] / size[0];
        let off = (columns as f64 - fitting_columns).abs().min((rows as f64 - fitting_rows).abs());
        // Also wrong if the size is not a number.
        if off.is_nan() || off > 0.5 + 1e-9 {
            return Err(format!(
                "the image has {columns} x {rows} pixels, the world {} m x {} m: {columns} x {:.0} or {:.0} x {rows} pixels would fit",
                size[0], size[1], fitting_rows, fitting_columns
            ));
        }
        let levels = pixels.rchunks(columns).flatten().map(|grey| low + (high - low) * grey).collect();
        NoiseGrid::new(origin, [size[0] / columns as f64, size[1] / rows as f64], columns, rows, levels)
    }

    /// A grid over a world of this size [m] in which every cell's level is drawn evenly between two [dBm].
    pub fn random(
        low: f64,
        high: f64,
        seed: u64,
        origin: [f64; 2],
        size: [f64; 2],
        cell: f64,
    ) -> Result<NoiseGrid, String> {
        if low > high {
            return Err(format!("noise from {low} to {high} dBm found, the lower level must come first"));
        }
        let key = splitmix64(seed ^ 0x4e4f_4953_455f_5f31);
        NoiseGrid::fill(origin, size, cell, |column, row| {
            let draw = philox4x32_10([column as u32, row as u32, 0, 0], [key as u32, (key >> 32) as u32])[0];
            low + (high - low) * f64::from(draw) / f64::from(u32::MAX)
        })
    }

    fn fill(
        origin: [f64; 2],
        size: [f64; 2],
        cell: f64,
        level: impl Fn(usize, usize) -> f64,
    ) -> Result<NoiseGrid, String> {
        // Skips a last cell thinner than rounding errors.
        let [columns, rows] = size.map(|length| (length / cell - 1e-9).ceil().max(1.0));
        if columns * rows > MOST {
            return Err(format!(
                "cells of {cell} m in a world of {} m x {} m found: that must give at most {MOST} cells",
                size[0], size[1]
            ));
        }
        let (columns, rows) = (columns as usize, rows as usize);
        let levels = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
        let levels = levels.map(|(column, row)| level(column, row)).collect();
        NoiseGrid::new(origin, [cell; 2], columns, rows, levels)
    }

    /// The level at a place [m]; `None` outside. [dBm]
    pub fn at(&self, position: [f64; 2]) -> Option<f64> {
        let column = along(position[0] - self.origin[0], self.cell[0], self.columns)?;
        let row = along(position[1] - self.origin[1], self.cell[1], self.rows)?;
        self.dbm.get(row * self.columns + column).map(|level| f64::from(*level))
    }
}

/// Which cell an offset [m] lies in. The far border belongs to the last cell.
fn along(offset: f64, cell: f64, count: usize) -> Option<usize> {
    let steps = offset / cell;
    (steps >= 0.0 && steps <= count as f64).then(|| (steps as usize).min(count.saturating_sub(1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::physics::dbm;

    #[test]
    fn thermal_noise_is_as_published() {
        // -174 + 10 log10 20e6 + 7
        assert!((dbm(thermal(7.0, 20e6)) - -93.9897).abs() < 1e-4);
        assert!((dbm(thermal(0.0, 1.0)) - -174.0).abs() < 1e-9);
    }

    #[test]
    fn rows_are_read_from_the_north() -> Result<(), String> {
        let rows = [vec![-90.0, -80.0, -70.0], vec![-60.0, -50.0, -40.0]];
        let grid = NoiseGrid::from_rows(&rows, [10.0, 20.0], 2.0)?;
        assert_eq!(grid.at([10.0, 23.9]), Some(-90.0));
        assert_eq!(grid.at([15.9, 22.1]), Some(-70.0));
        assert_eq!(grid.at([10.0, 20.0]), Some(-60.0));
        assert_eq!(grid.at([13.0, 21.0]), Some(-50.0));
        assert_eq!(grid.at([16.0, 24.0]), Some(-70.0), "the far corner belongs to the last cell");
        for outside in [[9.9, 21.0], [16.1, 21.0], [12.0, 19.9], [12.0, 24.1], [f64::NAN, 21.0]] {
            assert_eq!(grid.at(outside), None);
        }
        Ok(())
    }

    #[test]
    fn a_function_is_taken_at_the_middle_of_each_cell() -> Result<(), String> {
        let grid = NoiseGrid::from_function("-90 + x + 10 * y", [0.0, 0.0], [3.0, 1.5], 1.0)?;
        assert_eq!((grid.columns, grid.rows), (3, 2));
        assert_eq!(grid.at([0.1, 0.1]), Some(-84.5));
        assert_eq!(grid.at([2.9, 1.4]), Some(-72.5));
        // Twelve metres are a hundred and twenty cells of 0.1 m, whatever the rounding.
        assert_eq!(NoiseGrid::from_function("0", [0.0, 0.0], [12.0, 8.1], 0.1)?.columns, 120);
        Ok(())
    }

    #[test]
    fn a_picture_covers_the_world() -> Result<(), String> {
        let pixels = [0.0, 0.5, 1.0, 1.0, 0.0, 0.25];
        let grid = NoiseGrid::from_grey(&pixels, 3, 2, [0.0, 0.0], [12.0, 8.0], -100.0, -60.0)?;
        assert_eq!(grid.cell, [4.0, 4.0]);
        assert_eq!(grid.at([1.0, 7.0]), Some(-100.0));
        assert_eq!(grid.at([11.0, 7.0]), Some(-60.0));
        assert_eq!(grid.at([11.0, 1.0]), Some(-90.0));
        // 40 x 27 is as near to 12 m x 8 m as 40 columns can be.
        assert!(NoiseGrid::from_grey(&[0.5; 40 * 27], 40, 27, [0.0; 2], [12.0, 8.0], -90.0, -80.0).is_ok());
        Ok(())
    }

    #[test]
    fn random_levels_are_evenly_distributed_and_follow_from_the_seed() -> Result<(), String> {
        let grid = NoiseGrid::random(-100.0, -80.0, 3, [0.0, 0.0], [100.0, 100.0], 1.0)?;
        let mean = grid.dbm.iter().map(|level| f64::from(*level)).sum::<f64>() / 1e4;
        let lower_quarter = grid.dbm.iter().filter(|level| **level < -95.0).count();
        // Standard errors: 0.058 dB and 43.
        assert!((mean - -90.0).abs() < 0.3, "{mean}");
        assert!((2300..2700).contains(&lower_quarter), "{lower_quarter}");
        assert!(grid.dbm.iter().all(|level| (-100.0..=-80.0).contains(level)));
        assert_eq!(grid, NoiseGrid::random(-100.0, -80.0, 3, [0.0, 0.0], [100.0, 100.0], 1.0)?);
        assert_ne!(grid, NoiseGrid::random(-100.0, -80.0, 4, [0.0, 0.0], [100.0, 100.0], 1.0)?);
        Ok(())
    }

    #[test]
    fn errors_say_what_was_found_and_what_is_accepted() {
        let check = |grid: Result<NoiseGrid, String>, expected: &str| {
            let error = grid.err().unwrap_or_default();
            assert!(error.contains(expected), "{error:?} lacks {expected:?}");
        };
        let (zero, world) = ([0.0, 0.0], [12.0, 8.0]);
        check(NoiseGrid::from_rows(&[], zero, 1.0), "at least one row");
        check(
            NoiseGrid::from_rows(&[vec![-90.0, -90.0], vec![-90.0]], zero, 1.0),
            "row 2 has 1 levels, the first has 2",
        );
        check(NoiseGrid::from_rows(&[vec![-90.0]], zero, 0.0), "sides must be above 0 m");
        check(NoiseGrid::from_rows(&[vec![-90.0, 90.0]], zero, 1.0), "90 dBm found in column 2");
        check(NoiseGrid::from_rows(&[vec![-90.0]], [f64::NAN, 0.0], 1.0), "it must be finite");
        check(NoiseGrid::from_function("ln(x - 6)", zero, world, 1.0), "NaN dBm found in column 1");
        check(NoiseGrid::from_function("x +", zero, world, 1.0), "column 4: found the end");
        check(NoiseGrid::from_function("x", zero, world, 1e-5), "at most 4000000 cells");
        check(NoiseGrid::from_function("x", zero, world, f64::NAN), "sides must be above 0 m");
        check(
            NoiseGrid::from_grey(&[0.0; 1200], 40, 30, zero, world, -90.0, -80.0),
            "the image has 40 x 30 pixels, the world 12 m x 8 m: 40 x 27 or 45 x 30 pixels would fit",
        );
        check(
            NoiseGrid::from_grey(&[0.0; 5], 3, 2, zero, world, -90.0, -80.0),
            "5 levels found for 3 x 2 cells",
        );
        check(NoiseGrid::from_grey(&[], 0, 2, zero, world, -90.0, -80.0), "at least one is needed");
        check(NoiseGrid::random(-80.0, -90.0, 1, zero, world, 1.0), "the lower level must come first");
        check(NoiseGrid::random(-250.0, -240.0, 1, zero, world, 1.0), "-200 to 60 dBm are accepted");
    }
}
