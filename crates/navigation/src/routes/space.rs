//! The configuration space (C-space): where the centre of a round robot can be, kept up to date tile by tile.

use super::bits::Bits;
use super::cell_grid::{Cell, CellGrid};
use super::clearance::Clearance;
use super::regions::Regions;
use super::route::NoRoute;
use super::sight::{PARTS, Spot, clear};
use super::tiles::Tiles;
use crate::Place;
use crewlab_onboard::geometry::Vec2;

/// How far beyond its own radius a robot looks for a place where it fits. [cells]
const ESCAPE: i32 = 3;

/// A map and where a robot can be on it.
#[derive(Clone, Debug)]
pub struct Space {
    grid: CellGrid,
    /// Cells whose squared distance to an obstacle is at most this are too near. [cells²]
    near: i32,
    /// The radius in whole cells, rounded up.
    reach: i32,
    /// Free cells.
    pub free: Bits,
    /// Unknown cells.
    pub unknown: Bits,
    /// Occupied cells.
    pub occupied: Bits,
    /// Distances to occupied cells.
    pub clearance: Clearance,
    /// Free cells where the robot touches no obstacle.
    pub passable: Bits,
    /// Passable cells beside unknown ones.
    pub border: Bits,
    /// The connected parts of the passable cells.
    pub regions: Regions,
}

/// Where a space changed.
#[derive(Clone, Debug)]
pub struct Changes {
    /// Where cells became passable or stopped to be.
    pub passable: Tiles,
    /// Where anything changed: cells, clearances, passable cells or their border.
    pub any: Tiles,
}

/// Where a robot sets out from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Departure {
    /// A passable spot.
    pub spot: Spot,
    /// True if the robot is not there yet: it must first get away from an obstacle.
    pub escape: bool,
}

impl Space {
    /// The space of a robot of this radius. Distances to obstacles are measured up to `limit`. [m]
    pub fn new(grid: CellGrid, radius: f64, limit: f64) -> Space {
        let (columns, rows) = (grid.columns(), grid.rows());
        let cells = |length: f64| (length / grid.resolution()).clamp(0.0, 1e4);
        // An occupied cell reaches half a cell beyond its centre.
        let rim = cells(radius) + 0.5;
        let reach = rim.ceil() as i32;
        let limit = (cells(limit).ceil() as i32).max(reach + 2);
        let nothing = || Bits::new(columns, rows);
        let mut space = Space {
            near: (rim * rim).floor() as i32,
            reach,
            free: nothing(),
            unknown: nothing(),
            occupied: nothing(),
            clearance: Clearance::new(columns, rows, limit),
            passable: nothing(),
            border: nothing(),
            regions: Regions::default(),
            grid,
        };
        space.near = space.near.min(space.clearance.limit() * space.clearance.limit());
        space.refresh(&Tiles::new(columns, rows, true));
        space
    }

    /// Takes over an aligned grid; returns what changed by that.
    pub fn update(&mut self, grid: &CellGrid) -> Changes {
        let changed = Tiles::changed(&self.grid, grid);
        if changed.is_empty() {
            return Changes { passable: changed.clone(), any: changed };
        }
        self.grid.clone_from(grid);
        self.refresh(&changed)
    }

    fn refresh(&mut self, changed: &Tiles) -> Changes {
        let (passable, border) = (self.passable.clone(), self.border.clone());
        let (cells, columns) = (self.grid.cells(), self.grid.columns());
        for window in changed.windows() {
            let (first, last) = (window.left as usize, window.right as usize);
            for row in window.low as usize..window.high as usize {
                let is = |kind: Cell| move |column: usize| cells[row * columns + column] == kind;
                self.free.fill_row(row, first, last, is(Cell::Free));
                self.unknown.fill_row(row, first, last, is(Cell::Unknown));
                self.occupied.fill_row(row, first, last, is(Cell::Occupied));
            }
        }
        let affected = changed.grown(self.clearance.limit());
        let mut any = self.clearance.update(&self.occupied, &affected);
        for window in affected.windows() {
            for row in window.low..window.high {
                let clearances = self.clearance.row(row as usize);
                let fits = |column: usize| {
                    i32::from(clearances[column]) > self.near && self.free.has((column as i32, row))
                };
                self.passable.fill_row(row as usize, window.left as usize, window.right as usize, fits);
            }
        }
        self.draw_border();
        self.regions = Regions::of(&self.passable, false);
        let passable = Tiles::different(&passable, &self.passable);
        any.join(changed);
        any.join(&passable);
        any.join(&Tiles::different(&border, &self.border));
        Changes { passable, any }
    }

    fn draw_border(&mut self) {
        let (unknown, passable) = (&self.unknown, &self.passable);
        self.border.remake(|row, words| {
            let near = [unknown.row(row - 1), unknown.row(row), unknown.row(row + 1)];
            for (at, word) in words.iter_mut().enumerate() {
                let around = near.iter().filter(|words| !words.is_empty()).fold(0, |all, words| {
                    let (right, left) = Bits::beside(words, at);
                    all | words[at] | right | left
                });
                *word = passable.row(row)[at] & around;
            }
        });
    }

    /// The map.
    pub fn grid(&self) -> &CellGrid {
        &self.grid
    }

    /// The robot's radius in cells, rounded up, with the half cell of an obstacle.
    pub fn reach(&self) -> i32 {
        self.reach
    }

    /// A point in parts of cells; nothing outside of the map.
    pub fn spot(&self, point: Vec2) -> Option<Spot> {
        let parts = |value: f64, low: f64| {
            let parts = (value - low) / self.grid.resolution() * PARTS as f64;
            (parts.is_finite() && parts >= 0.0).then(|| parts.min(1e12) as i64)
        };
        let origin = self.grid.origin();
        let spot = Spot { x: parts(point.x, origin.x)?, y: parts(point.y, origin.y)? };
        self.grid.index(spot.cell()).map(|_| spot)
    }

    /// A spot as a point. [m]
    pub fn point(&self, spot: Spot) -> Vec2 {
        let parts = Vec2 { x: spot.x as f64, y: spot.y as f64 };
        self.grid.origin() + parts * (self.grid.resolution() / PARTS as f64)
    }

    /// The connected part of a cell.
    pub fn region(&self, place: Place) -> Option<usize> {
        self.regions.at(place)
    }

    /// Where a robot sets out from: its start, or the nearest place where it fits if noise or a moved obstacle left it too near to
    /// something. It never leaves an occupied cell, nor crosses one.
    pub fn depart(&self, start: Vec2) -> Result<Departure, NoRoute> {
        if self.grid.cells().is_empty() {
            return Err(NoRoute::EmptyMap);
        }
        let spot = self.spot(start).ok_or(NoRoute::StartOutside)?;
        let (column, row) = spot.cell();
        if self.passable.has((column, row)) {
            return Ok(Departure { spot, escape: false });
        }
        let reach = self.reach + ESCAPE;
        let around = (-reach..=reach).flat_map(|y| {
            self.passable.within(row + y, column - reach, column + reach).map(move |near| (near, row + y))
        });
        let way_out = |place: &Place| clear(spot, Spot::centre(*place), |cell| !self.occupied.has(cell));
        let mut near: Vec<(i32, Place)> = around
            .map(|place| {
                let (x, y) = (place.0 - column, place.1 - row);
                (x * x + y * y, place)
            })
            .collect();
        near.sort_unstable();
        let found = near.iter().map(|(_, place)| *place).find(way_out).ok_or(NoRoute::StartBlocked)?;
        Ok(Departure { spot: Spot::centre(found), escape: true })
    }

    /// The spot of a goal, if the robot can be there.
    pub fn arrive(&self, goal: Vec2) -> Result<Spot, NoRoute> {
        let spot = self.spot(goal).ok_or(NoRoute::GoalOutside)?;
        match self.grid.get(spot.cell()) {
            Cell::Occupied => Err(NoRoute::GoalOccupied),
            Cell::Unknown => Err(NoRoute::GoalUnknown),
            Cell::Free if !self.passable.has(spot.cell()) => Err(NoRoute::GoalTooNarrow),
            Cell::Free => Ok(spot),
        }
    }

    /// The cell nearest to a point where the robot can be, of one connected part, within so many metres.
    pub fn nearest(&self, point: Vec2, region: usize, within: f64) -> Option<Place> {
        let (column, row) = self.grid.place(point);
        let reach = (within / self.grid.resolution()).clamp(0.0, 4096.0) as i32;
        let square = |x: i32, y: i32| i64::from(x) * i64::from(x) + i64::from(y) * i64::from(y);
        let mut best: Option<(i64, Place)> = None;
        for up in 0..=reach {
            if best.is_some_and(|(least, _)| square(0, up) > least) {
                break;
            }
            for at in if up == 0 { vec![row] } else { vec![row - up, row + up] } {
                for near in self.passable.within(at, column - reach, column + reach) {
                    let rank = (square(near - column, up), (near, at));
                    let better = rank.0 <= square(reach, 0) && best.is_none_or(|best| rank < best);
                    if better && self.regions.at((near, at)) == Some(region) {
                        best = Some(rank);
                    }
                }
            }
        }
        best.map(|(_, place)| place)
    }
}
