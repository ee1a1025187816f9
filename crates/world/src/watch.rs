//! What robots have seen of the field lately: a grid that remembers when each place was last within reach of a robot, and how well it
//! was seen.

use crate::body::Body;
use crate::encounters::Encounters;
use crate::shape::Bounds;
use crate::terrain::Terrain;
use crewlab_onboard::Time;
use crewlab_onboard::geometry::{Vec2, vec2};
use serde::{Deserialize, Serialize};

/// Largest number of cells; beyond it the cells get larger.
const MOST: f64 = 250_000.0;
/// The grid is updated at this interval. [s]
const EVERY: f64 = 1.0;

/// When and how well a place was seen.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Look {
    at: Time,
    /// From 0 to 1.
    quality: f32,
}

/// The grid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Watch {
    origin: Vec2,
    /// Side of a cell. [m]
    cell: f64,
    columns: usize,
    rows: usize,
    /// How far robots see. [m]
    pub reach: f64,
    /// How long what was seen counts. [s]
    pub lasts: f64,
    /// Robots of this type do not look.
    pub blind: String,
    /// Near misses, and the ground that was driven on.
    pub encounters: Encounters,
    looks: Vec<Option<Look>>,
    updated: Option<Time>,
}

impl Watch {
    /// A grid over the world of which nothing was seen. [m], [s]
    pub fn new(bounds: &Bounds, cell: f64, reach: f64, lasts: f64, blind: &str) -> Watch {
        let size = bounds.size();
        let cell = cell.max((size.x * size.y / MOST).sqrt()).max(1e-3);
        let columns = (size.x / cell).ceil().max(1.0) as usize;
        let rows = (size.y / cell).ceil().max(1.0) as usize;
        Watch {
            origin: bounds.min,
            cell,
            columns,
            rows,
            reach,
            lasts,
            blind: blind.into(),
            encounters: Encounters::default(),
            looks: vec![None; columns * rows],
            updated: None,
        }
    }

    fn centre(&self, column: usize, row: usize) -> Vec2 {
        self.origin + vec2((column as f64 + 0.5) * self.cell, (row as f64 + 0.5) * self.cell)
    }

    /// Robots meet, and look around about once per second.
    pub(crate) fn pass(&mut self, now: Time, bodies: &[Body], terrain: Option<&Terrain>) {
        let blind = &self.blind;
        self.encounters.note(bodies, terrain, |body| body.present && *body.robot_type != **blind);
        if self.updated.is_some_and(|updated| now.within(updated, EVERY - 1e-6)) {
            return;
        }
        self.updated = Some(now);
        for body in bodies {
            if !body.down() && *body.robot_type != *self.blind {
                self.look(body.pose.position, now);
            }
        }
    }

    fn look(&mut self, from: Vec2, now: Time) {
        let local = (from - self.origin) * (1.0 / self.cell);
        let span = self.reach / self.cell;
        let range = |middle: f64, end: usize| {
            let low = (middle - span - 0.5).ceil().max(0.0) as usize;
            let high = (middle + span + 0.5).floor().max(0.0) as usize;
            low..high.min(end)
        };
        for row in range(local.y, self.rows) {
            for column in range(local.x, self.columns) {
                let distance = self.centre(column, row).distance(from);
                if distance >= self.reach {
                    continue;
                }
                // The precision falls with the distance.
                let quality = (1.0 - distance * distance / (self.reach * self.reach)) as f32;
                let look = &mut self.looks[row * self.columns + column];
                if look.is_none_or(|old| old.at < now || old.quality < quality) {
                    *look = Some(Look { at: now, quality });
                }
            }
        }
    }

    /// The share of the cells that was seen lately, plain and weighted by how well it was seen.
    pub fn seen(&self, now: Time) -> [f64; 2] {
        let lately = self.looks.iter().flatten().filter(|look| now.within(look.at, self.lasts));
        let (count, sum) =
            lately.fold((0.0, 0.0), |(count, sum), look| (count + 1.0, sum + f64::from(look.quality)));
        [count, sum].map(|value| value / self.looks.len().max(1) as f64)
    }

    /// The time at which the grid was last updated.
    pub fn updated(&self) -> Time {
        self.updated.unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Drive;
    use crate::shape::Shape;
    use crewlab_onboard::geometry::Pose;

    fn body(x: f64, y: f64) -> Body {
        let drive = Drive { max_speed: 1.0, max_reverse: 1.0, max_turn: 1.0, max_side: 0.0, max_push: None };
        Body::new(Pose::new(x, y, 0.0), Shape::Circle { radius: 0.3 }, drive, Vec::new())
    }

    #[test]
    fn a_disc_is_seen_and_forgotten() {
        let bounds = Bounds { min: vec2(0.0, 0.0), max: vec2(100.0, 100.0) };
        let mut watch = Watch::new(&bounds, 1.0, 30.0, 60.0, "truck");
        let mut truck = body(90.0, 90.0);
        truck.robot_type = "truck".into();
        watch.pass(Time::from_seconds(1.0), &[body(50.0, 50.0), truck], None);
        let [plain, weighted] = watch.seen(Time::from_seconds(10.0));
        let disc = std::f64::consts::PI * 0.09;
        assert!((plain - disc).abs() < 0.01, "{plain}");
        // The mean of 1 - d²/r² over a disc is a half.
        assert!((weighted - disc / 2.0).abs() < 0.01, "{weighted}");
        assert_eq!(watch.seen(Time::from_seconds(90.0)), [0.0, 0.0]);
    }

    #[test]
    fn a_later_look_counts_however_bad_it_is() {
        let bounds = Bounds { min: vec2(0.0, 0.0), max: vec2(10.0, 10.0) };
        let mut watch = Watch::new(&bounds, 10.0, 20.0, 60.0, "truck");
        watch.pass(Time::from_seconds(1.0), &[body(5.0, 5.0)], None);
        assert_eq!(watch.seen(Time::from_seconds(1.0)), [1.0, 1.0]);
        watch.pass(Time::from_seconds(1.5), &[body(5.0, 15.0)], None);
        assert_eq!(watch.seen(Time::from_seconds(1.5)), [1.0, 1.0], "not within a second");
        watch.pass(Time::from_seconds(2.0), &[body(5.0, 15.0)], None);
        assert_eq!(watch.seen(Time::from_seconds(2.0)), [1.0, 0.75]);
    }
}
