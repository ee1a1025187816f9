//! Two grids become one (B.3): what a laser sees, and where wheels cannot go.

use super::OccupancyGrid;
use crate::Place;
use crate::routes::{Cell, CellGrid, GridError};
use crewlab_onboard::geometry::{Vec2, vec2};

/// A rectangle of cells of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellWindow {
    /// The lower left cell.
    pub low: Place,
    /// Number of columns.
    pub columns: usize,
    /// Number of rows.
    pub rows: usize,
}

/// The fused grid in a window of the laser's grid, for planning: cells with a probability of at least `occupied` are occupied. Where
/// the largest estimate of the overlapping cells of `ground` is at least that, and above the laser's, it counts (B.3); everywhere else the
/// laser's estimate does. Ground that is passable does not make a cell known.
pub fn fuse(
    laser: &OccupancyGrid,
    ground: &OccupancyGrid,
    window: CellWindow,
    occupied: f64,
) -> Result<CellGrid, GridError> {
    let side = laser.resolution();
    let corner = laser.point(window.low) - vec2(side, side) * 0.5;
    let limit = logit(occupied);
    let mut cells = Vec::with_capacity(window.columns.saturating_mul(window.rows).min(1 << 24));
    for row in 0..window.rows as i32 {
        for column in 0..window.columns as i32 {
            let place = (window.low.0 + column, window.low.1 + row);
            let seen = laser.log_odds(place).filter(|log_odds| *log_odds != 0.0);
            cells.push(match seen {
                Some(log_odds) if log_odds >= limit => Cell::Occupied,
                Some(_) => Cell::Free,
                None => Cell::Unknown,
            });
        }
    }
    let mut grid = CellGrid::from_cells(window.columns, window.rows, side, corner, cells)?;
    let size = vec2(window.columns as f64, window.rows as f64) * side;
    // Only what is not passable matters, so it is enough to look at that.
    for (step, log_odds) in ground.known().filter(|(_, log_odds)| *log_odds >= limit) {
        let middle = ground.point(step);
        let half = vec2(1.0, 1.0) * (ground.resolution() * 0.5 - 1e-9);
        let inside = |point: Vec2| {
            let from = point - corner;
            from.x >= 0.0 && from.y >= 0.0 && from.x < size.x && from.y < size.y
        };
        if !inside(middle) {
            continue;
        }
        let (low, high) = (laser.place(middle - half), laser.place(middle + half));
        for place in (low.1..=high.1).flat_map(|row| (low.0..=high.0).map(move |column| (column, row))) {
            // Above the laser's estimate: a cell that the laser finds occupied is occupied in any case.
            if laser.log_odds(place).unwrap_or(0.0) <= log_odds {
                grid.set((place.0 - window.low.0, place.1 - window.low.1), Cell::Occupied);
            }
        }
    }
    Ok(grid)
}

fn logit(probability: f64) -> f64 {
    let probability = probability.clamp(1e-6, 1.0 - 1e-6);
    libm::log(probability / (1.0 - probability))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maps::Evidence;

    const WINDOW: CellWindow = CellWindow { low: (0, 0), columns: 4, rows: 1 };

    fn grid(side: f64, cells: &[(Place, f64)]) -> OccupancyGrid {
        let mut grid = OccupancyGrid::new(side);
        cells.iter().for_each(|(cell, log_odds)| assert!(grid.set(*cell, Evidence::of(*log_odds))));
        grid
    }

    /// Every case of (B.3).
    #[test]
    fn the_larger_estimate_counts_if_it_says_occupied() {
        let laser = grid(0.2, &[((0, 0), -2.0), ((1, 0), -2.0), ((2, 0), 1.5)]);
        // Cells of half the size: four overlap with each cell of the laser's grid, and the largest estimate counts.
        let ground =
            grid(0.1, &[((0, 0), -3.0), ((1, 1), 2.0), ((2, 0), 0.4), ((5, 1), 0.9), ((6, 0), -3.0)]);
        let fused = fuse(&laser, &ground, WINDOW, 0.65).expect("a grid");
        let cells: Vec<Cell> = (0..4).map(|column| fused.get((column, 0))).collect();
        assert_eq!(cells, [Cell::Occupied, Cell::Free, Cell::Occupied, Cell::Unknown]);
        assert_eq!((fused.origin(), fused.resolution()), (vec2(0.0, 0.0), 0.2));
    }

    #[test]
    fn steps_outside_of_the_window_do_not_matter() {
        let ground = grid(0.1, &[((-1, 0), 3.0), ((8, 0), 3.0), ((0, 7), 3.0)]);
        let fused = fuse(&OccupancyGrid::new(0.2), &ground, WINDOW, 0.65).expect("a grid");
        assert!(fused.cells().iter().all(|cell| *cell == Cell::Unknown));
    }
}
