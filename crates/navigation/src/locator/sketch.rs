//! What a robot that locates itself would draw on a map.

use super::Locator;
use crate::maps::{CellState, OccupancyGrid};
use crewlab_onboard::geometry::{Pose, Vec2, vec2};
use crewlab_onboard::locating::{Locating, layer};
use crewlab_onboard::sketch::Mark;

/// Size of a particle. [m]
const PARTICLE: f64 = 0.04;
/// Length of the pointer that shows where the robot looks [m], and its width.
const POINTER: (f64, f64) = (0.4, 0.08);

impl Locating for Locator {
    fn believed(&self) -> Option<Pose> {
        self.pose
    }

    fn sketch(&self, layer: usize, marks: &mut Vec<Mark>) {
        match layer {
            layer::MAP => marks.extend(self.slam.map().into_iter().flat_map(|map| walls(map.occupancy()))),
            layer::PARTICLES => marks.extend(self.slam.poses().map(|pose| Mark::Disc {
                at: pose.position,
                radius: PARTICLE,
                strength: 0.5,
            })),
            layer::BELIEF => marks.extend(self.pose.map(|pose| Mark::Cone {
                from: pose.position + Vec2::unit(pose.heading) * POINTER.0,
                to: pose.position,
                radius: POINTER.1,
                strength: 1.0,
            })),
            _ => {}
        }
    }
}

/// The occupied cells of a map, neighbours in a row as one band.
fn walls(map: &OccupancyGrid) -> Vec<Mark> {
    let occupied = map.known().map(|(cell, _)| cell).filter(|cell| map.state(*cell) == CellState::Occupied);
    let mut cells: Vec<(i32, i32)> = occupied.map(|(column, row)| (row, column)).collect();
    cells.sort_unstable();
    let runs = cells.chunk_by(|(row, column), (next_row, next)| row == next_row && column + 1 == *next);
    let half = map.resolution() / 2.0;
    let band = |run: &[(i32, i32)]| {
        let ((row, first), (_, last)) = (*run.first()?, *run.last()?);
        let (from, to) = (map.point((first, row)), map.point((last, row)));
        Some(Mark::Band { from, to: to + vec2(1e-3, 0.0), radius: half, strength: 0.8 })
    };
    runs.filter_map(band).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maps::Evidence;

    #[test]
    fn neighbours_in_a_row_are_one_mark() {
        let mut map = OccupancyGrid::new(0.1);
        for (cell, log_odds) in [((3, 1), 1.0), ((4, 1), 1.0), ((5, 1), -1.0), ((6, 1), 1.0), ((4, 2), 1.0)] {
            assert!(map.set(cell, Evidence::of(log_odds)));
        }
        let marks = walls(&map);
        assert_eq!(marks.len(), 3, "{marks:?}");
        let Mark::Band { from, to, .. } = marks[0] else { panic!("{marks:?}") };
        assert!(from.distance(map.point((3, 1))) < 1e-9 && to.distance(map.point((4, 1))) < 0.01);
    }
}
