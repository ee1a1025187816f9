//! A robot's map: what it has seen itself and what it was told, in tiles that can be compared and sent.

use crate::Place;
use crate::maps::{Evidence, TILE, Tiles};
use crate::routes::Cell;
use crate::slam::{FREE, Footprint, HIT};
use crewlab_onboard::geometry::{Vec2, vec2};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Cells of a tile.
pub const AREA: usize = (TILE * TILE) as usize;
/// Log-odds of a cell that a ray crosses, of one in which it ends, and the limit of both: whatever moved away is forgotten after some looks.
/// A wall fills its cells only in part, and most rays that pass along it cross them: so an end counts more.
const CROSSED: f64 = -0.25;
const ENDED: f64 = 1.2;
const LIMIT: f64 = 2.5;
/// Tiles farther than this from the origin are not believed. [tiles]
const FARTHEST: i32 = 4096;

/// What is known about a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Known {
    /// What the robot has seen itself.
    seen: Evidence,
    /// What others have told, the latest of it.
    told: Cell,
}

impl Known {
    /// What the cell is: what was seen counts more than what was told.
    #[inline]
    fn cell(self) -> Cell {
        self.seen_as().unwrap_or(self.told)
    }

    #[inline]
    fn seen_as(self) -> Option<Cell> {
        let log_odds = self.seen.log_odds().filter(|log_odds| *log_odds != 0.0)?;
        Some(if log_odds > 0.0 { Cell::Occupied } else { Cell::Free })
    }
}

/// A tile in brief: enough to see whether two robots know the same of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Leaf {
    /// Number of known cells.
    pub count: u16,
    /// A hash of which cells are known.
    pub print: u16,
}

/// The map.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Atlas {
    /// Side of a cell. [m]
    cell: f64,
    plane: Tiles<Known>,
    leaves: BTreeMap<Place, Leaf>,
    /// The hashes of all leaves together.
    whole: u32,
    /// Tiles that have changed since they were last drawn.
    fresh: BTreeSet<Place>,
    /// Tiles that have changed by what was seen since they were last told of.
    news: BTreeSet<Place>,
}

/// FNV-1a over some numbers.
fn hash(numbers: impl Iterator<Item = u32>) -> u32 {
    numbers.fold(0x811c_9dc5, |hash, number| (hash ^ number).wrapping_mul(0x0100_0193))
}

/// What a leaf adds to the hash of the whole.
fn share(tile: Place, leaf: Leaf) -> u32 {
    hash([tile.0 as u32, tile.1 as u32, u32::from(leaf.count), u32::from(leaf.print)].into_iter())
}

impl Leaf {
    fn of(cells: &[Known]) -> Leaf {
        let known = |known: &Known| known.cell() != Cell::Unknown;
        let count = cells.iter().filter(|cell| known(cell)).count() as u16;
        let word = |row: &[Known]| row.iter().fold(0, |word, cell| word << 1 | u32::from(known(cell)));
        let whole = hash(cells.chunks(TILE as usize).map(word));
        Leaf { count, print: (whole ^ whole >> 16) as u16 }
    }
}

impl Atlas {
    /// An empty map with cells of this side. [m]
    pub fn new(cell: f64) -> Atlas {
        Atlas {
            cell,
            plane: Tiles::default(),
            leaves: BTreeMap::new(),
            whole: 0,
            fresh: BTreeSet::new(),
            news: BTreeSet::new(),
        }
    }

    /// Side of a cell. [m]
    pub fn cell(&self) -> f64 {
        self.cell
    }

    fn place(&self, point: Vec2) -> Place {
        let at = point * (1.0 / self.cell);
        // A cast saturates and maps NaN to zero, so no point can overflow.
        (at.x.floor() as i32, at.y.floor() as i32)
    }

    /// What the robot believes to be at a point.
    pub fn at(&self, point: Vec2) -> Cell {
        self.plane.get(self.place(point)).cell()
    }

    /// True if the robot has seen the point itself.
    pub fn saw(&self, point: Vec2) -> bool {
        self.plane.get(self.place(point)).seen_as().is_some()
    }

    /// Takes over what a scan shows.
    pub fn look(&mut self, scan: &Footprint) {
        let limit = Evidence::of(LIMIT);
        let (crossed, ended) = (Evidence::of(CROSSED), Evidence::of(ENDED));
        for row in 0..scan.rows {
            for column in 0..scan.columns {
                if scan.touches(column, row) {
                    let marks = (0..TILE).flat_map(|line| scan.row(column, row, line)).copied();
                    self.change((scan.low.0 + column, scan.low.1 + row), true, |cells| {
                        for (cell, mark) in cells.iter_mut().zip(marks) {
                            match mark {
                                FREE => cell.seen.observe(crossed, limit),
                                HIT => cell.seen.observe(ended, limit),
                                _ => {}
                            }
                        }
                    });
                }
            }
        }
    }

    /// The robot stands here, so nothing else does. [m]
    pub fn stand(&mut self, at: Vec2, radius: f64) {
        let (low, high) = (self.place(at - vec2(radius, radius)), self.place(at + vec2(radius, radius)));
        let side = self.cell;
        let tile = |cell: i32| cell.div_euclid(TILE);
        for row in tile(low.1)..=tile(high.1) {
            for column in tile(low.0)..=tile(high.0) {
                self.change((column, row), true, |cells| {
                    for (index, cell) in cells.iter_mut().enumerate() {
                        let local =
                            vec2((index as i32 % TILE) as f64 + 0.5, (index as i32 / TILE) as f64 + 0.5);
                        let corner = vec2(f64::from(column * TILE), f64::from(row * TILE));
                        if ((corner + local) * side).distance(at) <= radius {
                            cell.seen = Evidence::of(-LIMIT);
                        }
                    }
                });
            }
        }
    }

    /// Takes over what another robot knows of a tile: the known ones of its cells, row by row. True if the robot has learnt something.
    pub fn learn(&mut self, tile: Place, told: &[Cell; AREA]) -> bool {
        self.change(tile, false, |cells| {
            for (cell, told) in cells.iter_mut().zip(told) {
                if *told != Cell::Unknown {
                    cell.told = *told;
                }
            }
        })
    }

    /// Changes a tile; true if it says something else than before.
    fn change(&mut self, tile: Place, seen: bool, change: impl FnOnce(&mut [Known])) -> bool {
        if [tile.0, tile.1].iter().any(|side| !(-FARTHEST..=FARTHEST).contains(side)) {
            return false;
        }
        let Some(cells) = self.plane.tile_mut(tile) else { return false };
        let mut before = [Cell::Unknown; AREA];
        before.iter_mut().zip(&*cells).for_each(|(before, cell)| *before = cell.cell());
        change(cells);
        let differs = before.iter().zip(&*cells).any(|(before, cell)| *before != cell.cell());
        if differs {
            let leaf = Leaf::of(cells);
            let old = self.leaves.insert(tile, leaf).map_or(0, |old| share(tile, old));
            self.whole = self.whole.wrapping_sub(old).wrapping_add(share(tile, leaf));
            self.fresh.insert(tile);
            if seen {
                self.news.insert(tile);
            }
        }
        differs
    }

    /// The cells of a tile, row by row; all unknown where nothing was observed.
    pub fn cells(&self, tile: Place) -> [Cell; AREA] {
        let mut cells = [Cell::Unknown; AREA];
        if let Some(known) = self.plane.tile(tile) {
            cells.iter_mut().zip(known).for_each(|(cell, known)| *cell = known.cell());
        }
        cells
    }

    /// All tiles of which something is known, in brief.
    pub fn leaves(&self) -> &BTreeMap<Place, Leaf> {
        &self.leaves
    }

    /// A hash of all that is known.
    pub fn whole(&self) -> u32 {
        self.whole
    }

    /// Tiles that have changed since the last call.
    pub fn take_fresh(&mut self) -> BTreeSet<Place> {
        std::mem::take(&mut self.fresh)
    }

    /// Tiles of which the robot has seen something new since the last call.
    pub fn take_news(&mut self) -> BTreeSet<Place> {
        std::mem::take(&mut self.news)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slam::Sweep;
    use crewlab_onboard::geometry::Pose;

    fn scan(echoes: &[Vec2], pose: Pose) -> Footprint {
        let mut footprint = Footprint::default();
        footprint.draw(&pose, &Sweep { echoes: echoes.to_vec(), ..Sweep::default() }, 0.1);
        footprint
    }

    #[test]
    fn a_scan_shows_what_is_free_and_where_it_ends_and_what_moved_away_is_forgotten() {
        let mut atlas = Atlas::new(0.1);
        let pose = Pose::new(-0.35, 0.05, 0.0);
        atlas.look(&scan(&[vec2(1.0, 0.0)], pose));
        assert_eq!((atlas.at(vec2(0.0, 0.05)), atlas.at(vec2(0.65, 0.05))), (Cell::Free, Cell::Occupied));
        assert_eq!(atlas.at(vec2(0.75, 0.05)), Cell::Unknown);
        assert!(atlas.saw(vec2(0.0, 0.05)) && !atlas.saw(vec2(0.75, 0.05)));
        for _ in 0..5 {
            atlas.look(&scan(&[vec2(2.0, 0.0)], pose));
        }
        assert_eq!(atlas.at(vec2(0.65, 0.05)), Cell::Free);
    }

    #[test]
    fn robots_that_know_the_same_cells_have_the_same_hash_whatever_the_order() {
        let (mut first, mut second) = (Atlas::new(0.1), Atlas::new(0.1));
        first.look(&scan(&[vec2(3.0, 0.0)], Pose::new(0.05, 0.05, 0.0)));
        second.look(&scan(&[vec2(3.0, 0.0)], Pose::new(0.05, 0.05, 2.0)));
        assert_ne!(first.whole(), second.whole());
        let (from, to): (Vec<Place>, Vec<Place>) =
            (first.leaves().keys().copied().collect(), second.leaves().keys().copied().collect());
        let cells: Vec<_> = from.iter().map(|tile| (*tile, first.cells(*tile))).collect();
        to.iter().for_each(|tile| {
            first.learn(*tile, &second.cells(*tile));
        });
        cells.iter().for_each(|(tile, cells)| {
            second.learn(*tile, cells);
        });
        assert_eq!((first.whole(), first.leaves()), (second.whole(), second.leaves()));
        assert!(!first.learn(to[0], &second.cells(to[0])), "nothing new");
    }

    #[test]
    fn what_was_seen_counts_more_than_what_was_told() {
        let mut atlas = Atlas::new(0.1);
        atlas.stand(vec2(0.8, 0.8), 0.2);
        assert!(atlas.learn((0, 0), &[Cell::Occupied; AREA]));
        assert_eq!((atlas.at(vec2(0.8, 0.8)), atlas.at(vec2(0.2, 0.2))), (Cell::Free, Cell::Occupied));
    }

    #[test]
    fn places_that_cannot_be_are_not_believed() {
        let mut atlas = Atlas::new(0.1);
        for tile in [(i32::MIN, 0), (0, i32::MAX), (5000, 5000)] {
            assert!(!atlas.learn(tile, &[Cell::Free; AREA]));
        }
        atlas.stand(vec2(f64::NAN, 1e300), 0.2);
        assert!(atlas.leaves().keys().all(|tile| tile.0.abs() <= FARTHEST && tile.1.abs() <= FARTHEST));
    }
}
