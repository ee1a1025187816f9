//! An occupancy grid in log-odds: per cell how sure the robot is that something stands there.

use super::tiles::{TILE, Tiles};
use crate::Place;
use crewlab_onboard::geometry::{Vec2, vec2};
use serde::{Deserialize, Serialize};

/// Units of evidence per natural logarithm of odds.
const UNITS: f64 = 1000.0;

/// What is known about a cell: the logarithm of its odds, in thousandths. Whole numbers, so that the order of observations does not
/// matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence(i16);

impl Evidence {
    /// Nothing was observed.
    pub const UNKNOWN: Evidence = Evidence(i16::MIN);

    /// From log-odds; large ones are limited to ±32.
    pub fn of(log_odds: f64) -> Evidence {
        Evidence((log_odds * UNITS).round().clamp(-32_000.0, 32_000.0) as i16)
    }

    /// The log-odds; `None` if nothing was observed.
    #[inline]
    pub fn log_odds(self) -> Option<f64> {
        (self != Evidence::UNKNOWN).then(|| f64::from(self.0) / UNITS)
    }

    /// True if the cell is rather occupied than free.
    #[inline]
    pub fn occupied(self) -> bool {
        self.0 > 0
    }

    /// Adds the evidence of one more observation, up to `limit` in either direction: a robot must be able to change its mind.
    #[inline]
    pub fn observe(&mut self, seen: Evidence, limit: Evidence) {
        let known = if *self == Evidence::UNKNOWN { 0 } else { self.0 };
        self.0 = known.saturating_add(seen.0).clamp(-limit.0, limit.0);
    }
}

impl Default for Evidence {
    fn default() -> Self {
        Evidence::UNKNOWN
    }
}

/// What a cell is, as planners see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum CellState {
    /// Never observed, or as often free as occupied.
    Unknown,
    /// Rather free than occupied.
    Free,
    /// Rather occupied than free.
    Occupied,
}

/// A grid of square cells that grows where something is observed. Clones share what they have in common.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OccupancyGrid {
    pub(crate) resolution: f64,
    pub(crate) origin: Vec2,
    pub(crate) cells: Tiles<Evidence>,
}

impl OccupancyGrid {
    /// An empty grid with cells of this side. [m]
    pub fn new(resolution: f64) -> OccupancyGrid {
        OccupancyGrid::with_origin(resolution, Vec2::ZERO)
    }

    /// An empty grid; the lower left corner of cell (0, 0) is at `origin`. [m]
    pub fn with_origin(resolution: f64, origin: Vec2) -> OccupancyGrid {
        let resolution = if resolution.is_finite() { resolution.max(1e-3) } else { 0.15 };
        OccupancyGrid { resolution, origin, cells: Tiles::default() }
    }

    /// Side of a cell. [m]
    pub fn resolution(&self) -> f64 {
        self.resolution
    }

    /// The lower left corner of cell (0, 0). [m]
    pub fn origin(&self) -> Vec2 {
        self.origin
    }

    /// The cell of a point.
    #[inline]
    pub fn place(&self, point: Vec2) -> Place {
        let at = (point - self.origin) * (1.0 / self.resolution);
        (at.x.floor() as i32, at.y.floor() as i32)
    }

    /// The centre of a cell. [m]
    #[inline]
    pub fn point(&self, cell: Place) -> Vec2 {
        self.origin + vec2(f64::from(cell.0) + 0.5, f64::from(cell.1) + 0.5) * self.resolution
    }

    /// The logarithm of a cell's odds to be occupied; `None` if it was never observed.
    #[inline]
    pub fn log_odds(&self, cell: Place) -> Option<f64> {
        self.cells.get(cell).log_odds()
    }

    /// The probability that a cell is occupied; 0.5 if it was never observed.
    pub fn probability(&self, cell: Place) -> f64 {
        1.0 / (1.0 + libm::exp(-self.log_odds(cell).unwrap_or(0.0)))
    }

    /// What a cell is.
    #[inline]
    pub fn state(&self, cell: Place) -> CellState {
        match self.log_odds(cell) {
            Some(log_odds) if log_odds > 0.0 => CellState::Occupied,
            Some(log_odds) if log_odds < 0.0 => CellState::Free,
            _ => CellState::Unknown,
        }
    }

    /// Sets what is known about a cell. False if the grid would become absurdly large.
    pub fn set(&mut self, cell: Place, evidence: Evidence) -> bool {
        self.cells.get_mut(cell).map(|known| *known = evidence).is_some()
    }

    /// All observed cells with their log-odds: tile by tile, and row by row within a tile.
    pub fn known(&self) -> impl Iterator<Item = (Place, f64)> {
        let cell = |tile: Place, index: usize| {
            let index = index as i32;
            (tile.0 * TILE + index % TILE, tile.1 * TILE + index / TILE)
        };
        self.cells.iter().flat_map(move |(tile, cells)| {
            let cells = cells.iter().enumerate();
            cells.filter_map(move |(index, known)| Some((cell(tile, index), known.log_odds()?)))
        })
    }

    /// The lower left and the upper right of the observed cells; `None` if there are none.
    pub fn bounds(&self) -> Option<(Place, Place)> {
        self.known().map(|(cell, _)| (cell, cell)).reduce(|(low, high), (cell, _)| {
            ((low.0.min(cell.0), low.1.min(cell.1)), (high.0.max(cell.0), high.1.max(cell.1)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_and_points_belong_together() {
        let grid = OccupancyGrid::with_origin(0.15, vec2(-3.07, 2.4));
        for cell in [(0, 0), (-7, 3), (100, -250)] {
            assert_eq!(grid.place(grid.point(cell)), cell);
        }
    }

    #[test]
    fn what_was_observed_is_listed_once_in_a_fixed_order() {
        let mut grid = OccupancyGrid::new(0.1);
        for (cell, log_odds) in [((40, -3), 0.8), ((0, 0), -0.4), ((-20, 5), 0.0)] {
            assert!(grid.set(cell, Evidence::of(log_odds)));
        }
        let known: Vec<(Place, f64)> = grid.known().collect();
        assert_eq!(known, [((40, -3), 0.8), ((-20, 5), 0.0), ((0, 0), -0.4)]);
        assert_eq!(grid.bounds(), Some(((-20, -3), (40, 5))));
        let states = [(40, -3), (0, 0), (-20, 5), (1, 1)].map(|cell| grid.state(cell));
        assert_eq!(states, [CellState::Occupied, CellState::Free, CellState::Unknown, CellState::Unknown]);
        assert_eq!(grid.log_odds((1, 1)), None);
    }

    #[test]
    fn evidence_adds_up_to_its_limit() {
        let mut cell = Evidence::UNKNOWN;
        for _ in 0..100 {
            cell.observe(Evidence::of(0.85), Evidence::of(5.0));
        }
        assert_eq!(cell.log_odds(), Some(5.0));
        cell.observe(Evidence::of(-0.4), Evidence::of(5.0));
        assert_eq!(cell.log_odds(), Some(4.6));
    }
}
