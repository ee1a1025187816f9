//! Obstacles: connected occupied cells with their bounding boxes.

use super::bits::Bits;
use super::regions::Regions;
use crate::Place;

/// An obstacle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Obstacle {
    /// Its lowest row and leftmost column.
    pub low: Place,
    /// Its highest row and rightmost column.
    pub high: Place,
    /// Number of its cells.
    pub cells: usize,
}

impl Obstacle {
    /// The corners of its bounding box with an offset all around, counter-clockwise from the lower left. [cells]
    pub fn corners(&self, offset: i32) -> [Place; 4] {
        let (left, low) = (self.low.0 - offset, self.low.1 - offset);
        let (right, high) = (self.high.0 + offset, self.high.1 + offset);
        [(left, low), (right, low), (right, high), (left, high)]
    }
}

/// All obstacles, ordered by their lowest, leftmost cell. Cells that touch at a corner belong together.
pub fn obstacles(occupied: &Bits) -> Vec<Obstacle> {
    let regions = Regions::of(occupied, true);
    let nothing = Obstacle { low: (i32::MAX, i32::MAX), high: (i32::MIN, i32::MIN), cells: 0 };
    let mut obstacles = vec![nothing; regions.count()];
    for (run, region) in regions.runs() {
        let obstacle = &mut obstacles[region];
        obstacle.low = (obstacle.low.0.min(run.first), obstacle.low.1.min(run.row));
        obstacle.high = (obstacle.high.0.max(run.last), obstacle.high.1.max(run.row));
        obstacle.cells += (run.last - run.first + 1) as usize;
    }
    obstacles
}
