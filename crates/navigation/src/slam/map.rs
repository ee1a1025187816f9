//! A particle's map: what is free and occupied, and where in its cell a surface is.

use super::footprint::{FREE, Footprint, HIT};
use super::surface::{Gap, Surface};
use super::sweep::Sweep;
use crate::Place;
use crate::maps::{Evidence, OccupancyGrid, TILE, Tiles};
use crewlab_onboard::geometry::{Pose, Vec2, vec2};

/// Evidence of a ray that ends in a cell, of one that passes, and the most that adds up: odds of 2.3, 0.67 and 150. A cell that was
/// seen occupied ten times must be seen free a dozen times before it is forgotten.
pub(super) const SEEN: f64 = 0.85;
pub(super) const PASSED: f64 = -0.4;
const LIMIT: f64 = 5.0;

/// A map that grows; clones share tiles.
#[derive(Clone, Debug, PartialEq)]
pub struct SlamMap {
    pub(super) occupancy: OccupancyGrid,
    /// Surfaces in cells that are occupied.
    pub(super) surfaces: Tiles<Surface>,
}

impl SlamMap {
    /// An empty map with cells of this side. [m]
    pub fn new(resolution: f64) -> SlamMap {
        SlamMap { occupancy: OccupancyGrid::new(resolution), surfaces: Tiles::default() }
    }

    /// What is free and what is occupied.
    pub fn occupancy(&self) -> &OccupancyGrid {
        &self.occupancy
    }

    /// Side of a cell. [m]
    #[inline]
    pub fn resolution(&self) -> f64 {
        self.occupancy.resolution()
    }

    /// Adds a scan that was taken at a pose; `footprint` holds its cells.
    pub fn absorb(&mut self, pose: &Pose, sweep: &Sweep, footprint: &Footprint) {
        for row in 0..footprint.rows {
            for column in 0..footprint.columns {
                if footprint.touches(column, row) {
                    self.absorb_tile(footprint, column, row);
                }
            }
        }
        let facing = Vec2::unit(pose.heading);
        for echo in &sweep.echoes {
            let point = pose.position + echo.rotated(facing);
            let cell = self.occupancy.place(point);
            let centre = self.occupancy.point(cell);
            if self.occupancy.cells.get(cell).occupied()
                && let Some(surface) = self.surfaces.get_mut(cell)
            {
                surface.add(point - centre);
            }
        }
    }

    fn absorb_tile(&mut self, footprint: &Footprint, column: i32, row: i32) {
        let tile = (footprint.low.0 + column, footprint.low.1 + row);
        let [seen, passed, limit] = [SEEN, PASSED, LIMIT].map(Evidence::of);
        let Some(cells) = self.occupancy.cells.tile_mut(tile) else { return };
        let mut emptied = Vec::new();
        for line in 0..TILE {
            let from = line * TILE;
            let cells = cells.iter_mut().skip(from as usize).zip(footprint.row(column, row, line));
            for (at, (cell, mark)) in cells.enumerate() {
                let before = cell.occupied();
                match *mark {
                    FREE => cell.observe(passed, limit),
                    HIT => cell.observe(seen, limit),
                    _ => continue,
                }
                if before && !cell.occupied() {
                    emptied.push((tile.0 * TILE + at as i32, tile.1 * TILE + line));
                }
            }
        }
        for cell in emptied {
            if let Some(surface) = self.surfaces.get_mut(cell) {
                *surface = Surface::default();
            }
        }
    }

    /// The nearest surface to a point in the four cells around it, for points with this variance [m²]; `None` if there is none.
    #[inline]
    pub fn nearest(&self, point: Vec2, variance: f64) -> Option<Gap> {
        let side = self.resolution();
        let at = point * (1.0 / side);
        let low: Place = ((at.x - 0.5).floor() as i32, (at.y - 0.5).floor() as i32);
        // Where the point is relative to the centre of the lower left cell. [m]
        let base = (at - vec2(f64::from(low.0) + 0.5, f64::from(low.1) + 0.5)) * side;
        let mut nearest: Option<Gap> = None;
        let mut look = |surface: &Surface, column: i32, row: i32| {
            if !surface.is_empty() {
                let offset = base - vec2(f64::from(column), f64::from(row)) * side;
                let gap = surface.gap(offset, side, variance);
                if nearest.is_none_or(|best| gap.squared < best.squared) {
                    nearest = Some(gap);
                }
            }
        };
        let (column, row) = (low.0.rem_euclid(TILE), low.1.rem_euclid(TILE));
        if column < TILE - 1 && row < TILE - 1 {
            // All four are in one tile: most of the time.
            let tile = self.surfaces.tile((low.0.div_euclid(TILE), low.1.div_euclid(TILE)))?;
            let index = (row * TILE + column) as usize;
            for (at, dx, dy) in [(0, 0, 0), (1, 1, 0), (TILE as usize, 0, 1), (TILE as usize + 1, 1, 1)] {
                if let Some(surface) = tile.get(index + at) {
                    look(surface, dx, dy);
                }
            }
        } else {
            for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                look(&self.surfaces.get((low.0 + dx, low.1 + dy)), dx, dy);
            }
        }
        nearest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(map: &mut SlamMap, pose: Pose, echoes: Vec<Vec2>) {
        let sweep = Sweep { echoes, ..Sweep::default() };
        let mut footprint = Footprint::default();
        footprint.draw(&pose, &sweep, map.resolution());
        map.absorb(&pose, &sweep, &footprint);
    }

    #[test]
    fn a_surface_is_found_where_it_was_seen_across_borders_of_tiles() {
        for x in [0.0, 1.3, 2.39, -2.41, 7.1] {
            let mut map = SlamMap::new(0.15);
            seen(&mut map, Pose::default(), vec![vec2(x, 3.0)]);
            let gap = map.nearest(vec2(x + 0.03, 3.02), 1e-3).expect("a surface");
            assert!((gap.offset.x - 0.03).abs() < 1e-6 && (gap.offset.y - 0.02).abs() < 1e-6, "{gap:?}");
            assert!(map.nearest(vec2(x + 0.5, 3.0), 1e-3).is_none());
        }
    }

    #[test]
    fn what_is_gone_is_forgotten() {
        let mut map = SlamMap::new(0.15);
        seen(&mut map, Pose::default(), vec![vec2(2.0, 0.0)]);
        for _ in 0..3 {
            seen(&mut map, Pose::default(), vec![vec2(4.0, 0.0)]);
        }
        assert!(map.nearest(vec2(2.0, 0.0), 1e-3).is_none());
        assert!(map.nearest(vec2(4.0, 0.0), 1e-3).is_some());
    }
}
