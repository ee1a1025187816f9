//! Mapping by a robot that knows its pose from elsewhere.

use super::footprint::{FREE, Footprint, HIT};
use super::map::{PASSED, SEEN};
use super::sweep::Sweep;
use crate::maps::{Evidence, OccupancyGrid, TILE};
use crewlab_onboard::geometry::Pose;

/// Adds a scan that was taken at a pose to a grid. `limit` is the most evidence for or against an obstacle, in log-odds: the smaller,
/// the sooner the grid forgets what has moved. The grid has its origin at zero.
pub fn absorb(grid: &mut OccupancyGrid, pose: &Pose, sweep: &Sweep, limit: f64) {
    let mut footprint = Footprint::default();
    footprint.draw(pose, sweep, grid.resolution());
    let [seen, passed, limit] = [SEEN, PASSED, limit].map(Evidence::of);
    for (column, row) in (0..footprint.rows).flat_map(|row| (0..footprint.columns).map(move |at| (at, row))) {
        if !footprint.touches(column, row) {
            continue;
        }
        let tile = (footprint.low.0 + column, footprint.low.1 + row);
        let Some(cells) = grid.cells.tile_mut(tile) else { continue };
        for line in 0..TILE {
            let cells = cells.iter_mut().skip((line * TILE) as usize);
            for (cell, mark) in cells.zip(footprint.row(column, row, line)) {
                match *mark {
                    FREE => cell.observe(passed, limit),
                    HIT => cell.observe(seen, limit),
                    _ => {}
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maps::CellState;
    use crewlab_onboard::geometry::vec2;

    #[test]
    fn a_wall_is_mapped_and_what_is_before_it_is_free() {
        let mut grid = OccupancyGrid::new(0.1);
        let sweep = Sweep { echoes: vec![vec2(2.0, 0.0)], ..Sweep::default() };
        absorb(&mut grid, &Pose::new(1.05, 0.55, 0.0), &sweep, 2.0);
        assert_eq!(grid.state(grid.place(vec2(3.05, 0.55))), CellState::Occupied);
        assert_eq!(grid.state(grid.place(vec2(2.0, 0.55))), CellState::Free);
        assert_eq!(grid.state(grid.place(vec2(3.5, 0.55))), CellState::Unknown);
        (0..9).for_each(|_| absorb(&mut grid, &Pose::new(1.05, 0.55, 0.0), &sweep, 2.0));
        assert_eq!(grid.log_odds(grid.place(vec2(3.05, 0.55))), Some(2.0));
    }
}
