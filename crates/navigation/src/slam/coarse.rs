//! A wide search for the pose at which a scan fits a map, for odometry that is far off.

use super::map::SlamMap;
use super::matching::{OUTLIER, Prior, surprise};
use crewlab_onboard::geometry::{Pose, Vec2, vec2, wrap};

/// The search covers this many standard deviations of odometry, within limits. [m], [rad]
const DEVIATIONS: f64 = 3.0;
const NARROWEST: (f64, f64) = (0.3, 0.3);
const WIDEST: (f64, f64) = (0.75, 0.6);
/// Surfaces are felt over this many cells.
const FELT: i32 = 2;
/// Points farther away are not used: they would ask for finer steps of the heading. [m]
pub(super) const FAR: f64 = 8.0;

/// What a point costs in each cell of a box around the robot: a likelihood field.
pub(super) struct Field {
    /// The lower left cell.
    pub(super) low: (i32, i32),
    columns: i32,
    costs: Vec<f32>,
}

impl Field {
    /// The field of a map in a box around a point. [m]
    pub(super) fn new(map: &SlamMap, centre: Vec2, reach: f64) -> Field {
        let side = map.resolution();
        let low = map.occupancy.place(centre - vec2(reach, reach));
        let high = map.occupancy.place(centre + vec2(reach, reach));
        let (columns, rows) = (high.0 - low.0 + 1, high.1 - low.1 + 1);
        let costs = vec![(OUTLIER / 2.0) as f32; columns as usize * rows as usize];
        let mut field = Field { low, columns, costs };
        for row in 0..rows {
            for column in 0..columns {
                let surface = map.surfaces.get((low.0 + column, low.1 + row));
                if !surface.is_empty() {
                    field.press(column, row, rows, surface.mean() * (1.0 / side));
                }
            }
        }
        field
    }

    /// Lowers the costs around a surface, given relative to its cell's centre. [cells]
    fn press(&mut self, column: i32, row: i32, rows: i32, mean: Vec2) {
        for dy in -FELT..=FELT {
            for dx in -FELT..=FELT {
                let (column, row) = (column + dx, row + dy);
                if column < 0 || row < 0 || column >= self.columns || row >= rows {
                    continue;
                }
                let squared = (vec2(f64::from(dx), f64::from(dy)) - mean).length_squared();
                let cost = (0.5 * squared * OUTLIER / (OUTLIER + squared)) as f32;
                let cell = &mut self.costs[(row * self.columns + column) as usize];
                *cell = cell.min(cost);
            }
        }
    }

    /// What points cost that are shifted by whole cells.
    pub(super) fn cost(&self, cells: &[(i32, i32)], shift: (i32, i32)) -> f64 {
        let cost = |cell: &(i32, i32)| {
            let (column, row) = (cell.0 + shift.0, cell.1 + shift.1);
            let inside = (column as u32) < self.columns as u32;
            // Outside of the field the product is meaningless, and not used.
            let index = (row as usize).wrapping_mul(self.columns as usize).wrapping_add(column as usize);
            self.costs.get(index).filter(|_| inside && row >= 0).copied().unwrap_or((OUTLIER / 2.0) as f32)
        };
        f64::from(cells.iter().map(cost).sum::<f32>())
    }
}

/// The best pose on a grid of poses around where odometry expects the robot. `share` as in [`Trust`](super::matching::Trust).
pub fn search(map: &SlamMap, points: &[Vec2], prior: &Prior, share: f64) -> Pose {
    let Some(covariance) = prior.information.inverse() else { return prior.pose };
    let side = map.resolution();
    let points: Vec<Vec2> = points.iter().copied().filter(|point| point.length() < FAR).collect();
    let within = |variance: f64, least: f64, most: f64| (DEVIATIONS * variance.sqrt()).clamp(least, most);
    let reach = covariance.0[0].max(covariance.0[3]);
    let (way, turn) = (within(reach, NARROWEST.0, WIDEST.0), within(covariance.0[5], NARROWEST.1, WIDEST.1));
    let field = Field::new(map, prior.pose.position, FAR + way + side);
    let farthest = points.iter().map(|point| point.length()).fold(1.0, f64::max);
    let step = side / farthest;
    let (turns, ways) = ((turn / step).ceil() as i32, (way / side).ceil() as i32);
    let mut best = (f64::INFINITY, prior.pose);
    let mut cells = Vec::with_capacity(points.len());
    for turned in -turns..=turns {
        let heading = wrap(prior.pose.heading + f64::from(turned) * step);
        let facing = Vec2::unit(heading);
        cells.clear();
        cells.extend(points.iter().map(|point| {
            let cell = map.occupancy.place(prior.pose.position + point.rotated(facing));
            (cell.0 - field.low.0, cell.1 - field.low.1)
        }));
        for up in -ways..=ways {
            for right in -ways..=ways {
                let shift = vec2(f64::from(right), f64::from(up)) * side;
                let pose = Pose { position: prior.pose.position + shift, heading };
                let cost = share * field.cost(&cells, (right, up)) + surprise(prior, &pose);
                if cost < best.0 {
                    best = (cost, pose);
                }
            }
        }
    }
    best.1
}
