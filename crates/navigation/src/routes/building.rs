//! Made-up buildings for tests, benchmarks and pictures: corridors, rooms with doors, and furniture.

use super::cell_grid::{Cell, CellGrid, GridError};
use super::tiles::Window;
use crewlab_onboard::geometry::{Vec2, vec2};
use crewlab_onboard::{Stream, StreamKind};

/// Side of a cell. [m]
pub const RESOLUTION: f64 = 0.1;
/// Thickness of walls, width of doors and of corridors, depth of rooms. [cells]
const WALL: i32 = 2;
const DOOR: i32 = 10;
const CORRIDOR: i32 = 24;
const DEPTH: i32 = 62;
/// Distance between corridors across. [cells]
const BLOCK: i32 = 300;
/// Smallest and largest width of a room. [cells]
const WIDTHS: (i32, i32) = (44, 90);
/// Share of rooms with a second door, to the next room.
const CONNECTED: f64 = 0.3;
/// Furniture per room, at most.
const FURNITURE: usize = 6;
/// Free space that furniture leaves along the walls of a room, so that no door is blocked. [cells]
const AISLE: i32 = 12;

/// A building of so many cells per side. The same seed gives the same building.
pub fn building(side: usize, seed: u64) -> Result<CellGrid, GridError> {
    let mut grid = CellGrid::new(side, side, RESOLUTION, Vec2::ZERO)?;
    let end = side as i32;
    let mut site = Site { grid: &mut grid, random: Stream::new(seed, StreamKind::World, 0, 0) };
    site.fill(Window { left: 0, low: 0, right: end, high: end }, Cell::Occupied);
    site.fill(Window { left: WALL, low: WALL, right: end - WALL, high: end - WALL }, Cell::Free);
    let mut low = WALL + CORRIDOR;
    while low + 2 * DEPTH + WALL + CORRIDOR <= end {
        for block in 0.. {
            let left = WALL + CORRIDOR + block * BLOCK;
            let right = (left + BLOCK - CORRIDOR).min(end - WALL - CORRIDOR);
            if right - left < WIDTHS.0 {
                break;
            }
            site.rooms(left, right, low, false);
            site.rooms(left, right, low + DEPTH, true);
        }
        low += 2 * DEPTH + CORRIDOR;
    }
    Ok(grid)
}

/// A building under construction.
struct Site<'a> {
    grid: &'a mut CellGrid,
    random: Stream,
}

impl Site<'_> {
    fn fill(&mut self, window: Window, cell: Cell) {
        for row in window.low..window.high {
            (window.left..window.right).for_each(|column| self.grid.set((column, row), cell));
        }
    }

    fn between(&mut self, low: i32, high: i32) -> i32 {
        low + self.random.below((high - low).max(1) as usize) as i32
    }

    /// A row of rooms whose doors lead to the corridor below or above.
    fn rooms(&mut self, left: i32, right: i32, low: i32, door_above: bool) {
        let high = low + DEPTH;
        let mut at = left;
        while at < right {
            let width = self.between(WIDTHS.0, WIDTHS.1);
            let end = if right - (at + width) < WIDTHS.0 { right } else { at + width };
            let room = Window { left: at, low, right: end, high };
            self.fill(room, Cell::Occupied);
            let inside = Window { left: at + WALL, low: low + WALL, right: end - WALL, high: high - WALL };
            self.fill(inside, Cell::Free);
            let door = self.between(inside.left + 2, inside.right - DOOR - 2);
            let (sill, top) = if door_above { (high - WALL, high) } else { (low, low + WALL) };
            self.fill(Window { left: door, low: sill, right: door + DOOR, high: top }, Cell::Free);
            if at > left && self.random.chance(CONNECTED) {
                let door = self.between(inside.low + 2, inside.high - DOOR - 2);
                self.fill(
                    Window { left: at - WALL, low: door, right: at + WALL, high: door + DOOR },
                    Cell::Free,
                );
            }
            self.furnish(inside);
            at = end;
        }
    }

    /// Tables, cupboards and round pillars; some stand askew.
    fn furnish(&mut self, room: Window) {
        for _ in 0..self.random.below(FURNITURE + 1) {
            let centre = vec2(
                f64::from(self.between(room.left + AISLE, room.right - AISLE)),
                f64::from(self.between(room.low + AISLE, room.high - AISLE)),
            );
            let (long, wide) = (self.random.between(2.0, 7.0), self.random.between(1.5, 4.0));
            let round = self.random.chance(0.3);
            let angle = if self.random.chance(0.3) { self.random.between(0.0, 3.0) } else { 0.0 };
            let turn = Vec2::unit(-angle);
            for row in room.low..room.high {
                for column in room.left..room.right {
                    let at = (vec2(f64::from(column), f64::from(row)) - centre).rotated(turn);
                    let inside =
                        if round { at.length() <= wide } else { at.x.abs() <= long && at.y.abs() <= wide };
                    if inside {
                        self.grid.set((column, row), Cell::Occupied);
                    }
                }
            }
        }
    }
}
