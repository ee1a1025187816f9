//! Where the places of the mission are, and where robots may stand without being in the way.

use super::CleanupBriefing;
use crewlab_onboard::geometry::{Vec2, vec2};
use serde::{Deserialize, Serialize};

/// Absolute positions of the places that matter. [m]
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sites {
    /// The corner of the room with the lowest coordinates.
    pub low: Vec2,
    /// The corner with the highest coordinates.
    pub high: Vec2,
    /// Centres of the top and the bottom spill.
    pub spills: [Vec2; 2],
    /// Centre of the deposit.
    pub deposit: Vec2,
    /// Centre of the report site.
    pub report_site: Vec2,
}

impl Sites {
    /// The sites in a room whose walls are at these coordinates, by the qualitative knowledge of every robot.
    pub fn in_room(low: Vec2, high: Vec2) -> Sites {
        let at = |x: f64, y: f64| low + vec2((high.x - low.x) * x, (high.y - low.y) * y);
        Sites {
            low,
            high,
            spills: [at(1.0 / 3.0, 2.0 / 3.0), at(1.0 / 3.0, 1.0 / 3.0)],
            deposit: at(0.8, 0.5),
            report_site: at(1.0 / 12.0, 0.5),
        }
    }

    /// The spill whose task includes the waste at a place: the nearer one.
    pub fn spill_of(&self, at: Vec2) -> usize {
        usize::from(self.spills[1].distance(at) < self.spills[0].distance(at))
    }

    /// Distance from a place inside the room to the nearest wall. [m]
    pub fn to_wall(&self, at: Vec2) -> f64 {
        let (low, high) = (at - self.low, self.high - at);
        low.x.min(low.y).min(high.x).min(high.y)
    }

    /// Points of a regular grid over the room, at most `spacing` apart and half of that from the walls. [m]
    pub fn grid(&self, spacing: f64) -> impl Iterator<Item = Vec2> + use<> {
        let (low, size) = (self.low, self.high - self.low);
        // A room is swept in at most MOST x MOST steps, however small the spacing.
        let count = |length: f64| (length / spacing).ceil().clamp(1.0, MOST) as usize;
        let (columns, rows) = (count(size.x), count(size.y));
        (0..columns * rows).map(move |i| {
            let (column, row) = ((i / rows) as f64 + 0.5, (i % rows) as f64 + 0.5);
            low + vec2(size.x * column / columns as f64, size.y * row / rows as f64)
        })
    }

    /// True if a robot that stands idle at a place hinders others: in a spill, the deposit or the report site, or between
    /// the spills and the deposit.
    pub fn in_the_way(&self, at: Vec2, radius: f64, briefing: &CleanupBriefing) -> bool {
        let room = 3.0 * radius;
        let near = |center: Vec2, size: f64| center.distance(at) < size + room;
        let size = self.high - self.low;
        let report = at - self.report_site;
        let reporting = report.x.abs() < size.x / 20.0 + radius && report.y.abs() < size.y / 8.0 + radius;
        let lane = |spill: Vec2| to_segment(at, spill, self.deposit) < room;
        reporting
            || near(self.deposit, briefing.deposit_radius)
            || self.spills.iter().any(|spill| near(*spill, briefing.spill_radius) || lane(*spill))
    }
}

/// Largest number of rows and of columns of a grid.
const MOST: f64 = 64.0;

/// Distance from a point to the segment between two others. [m]
fn to_segment(point: Vec2, from: Vec2, to: Vec2) -> f64 {
    let way = to - from;
    let share = (point - from).dot(way) / way.length_squared().max(1e-12);
    (from + way * share.clamp(0.0, 1.0)).distance(point)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BRIEFING: CleanupBriefing =
        CleanupBriefing { spill_radius: 1.0, deposit_radius: 1.0, wander_time: 60.0 };

    #[test]
    fn idle_robots_are_in_the_way_at_the_sites_and_between_them() {
        let sites = Sites::in_room(Vec2::ZERO, vec2(12.0, 8.0));
        let hinders = |x, y| sites.in_the_way(vec2(x, y), 0.2, &BRIEFING);
        assert!(hinders(9.6, 4.0) && hinders(4.0, 5.3) && hinders(1.0, 4.0) && hinders(6.8, 4.7));
        assert!(!hinders(11.6, 7.6) && !hinders(6.0, 0.4) && !hinders(0.4, 7.0));
    }

    #[test]
    fn every_point_of_a_room_is_near_a_point_of_its_grid() {
        let sites = Sites::in_room(vec2(-3.0, 2.0), vec2(9.0, 10.0));
        let grid: Vec<Vec2> = sites.grid(2.0).collect();
        for i in 0..1000 {
            let (x, y) = (f64::from(i % 40) * 0.3, f64::from(i / 40) * 0.32);
            let point = vec2(x - 3.0, y + 2.0);
            let nearest = grid.iter().map(|at| at.distance(point)).fold(f64::INFINITY, f64::min);
            assert!(nearest <= 2.0_f64.sqrt() + 1e-9, "{point:?}");
        }
        assert_eq!(sites.grid(1e-6).count(), 64 * 64, "the number of points is bounded");
    }
}
