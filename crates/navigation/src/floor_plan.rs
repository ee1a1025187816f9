//! Ways on a plan of the building that a robot was given.

use crate::routes::{CellGrid, KnownMap};
use crewlab_onboard::floor_plan::Guide;
use crewlab_onboard::geometry::Vec2;

/// Ways keep this distance from walls besides the robot's radius: controllers do not touch walls. [m]
const MARGIN: f64 = 0.1;
/// A point on the way counts as reached at this distance. [m]
const REACHED: f64 = 0.15;
/// A goal in or beside an obstacle is approached as far as this. [m]
const BESIDE: f64 = 2.0;

/// A known map with its routes.
#[derive(Clone, Debug)]
pub struct PlanGuide(KnownMap);

impl PlanGuide {
    /// Prepares a plan for robots of this radius. [m]
    pub fn new(plan: CellGrid, radius: f64) -> PlanGuide {
        PlanGuide(KnownMap::new(plan, radius + MARGIN))
    }

    /// A goal where the robot can be: the nearest place, if the goal itself is not one.
    fn approach(&self, from: Vec2, goal: Vec2) -> Option<Vec2> {
        let space = self.0.space();
        if space.arrive(goal).is_ok() {
            return Some(goal);
        }
        let region = space.region(space.depart(from).ok()?.spot.cell())?;
        space.nearest(goal, region, BESIDE).map(|place| space.grid().point(place))
    }
}

impl Guide for PlanGuide {
    fn next(&self, from: Vec2, to: Vec2) -> Option<Vec2> {
        let goal = self.approach(from, to)?;
        let route = self.0.plan(from, goal).ok()?;
        let mut ahead = route.waypoints.iter().map(|waypoint| waypoint.at);
        let next = ahead.find(|at| at.distance(from) > REACHED);
        // The last stretch leads to the goal itself, whatever stands around it.
        Some(next.filter(|next| *next != goal).unwrap_or(to))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_onboard::geometry::vec2;

    /// Two rooms of 4 x 4 m with a door in the lower part of the wall between them.
    fn plan() -> CellGrid {
        let wall = "....................#....................";
        let door = ".........................................";
        let rows: Vec<&str> = (0..40).map(|row| if (28..36).contains(&row) { door } else { wall }).collect();
        CellGrid::picture(&rows.join("\n"), 0.1).expect("a plan")
    }

    #[test]
    fn the_way_to_the_other_room_leads_through_the_door() {
        let guide = PlanGuide::new(plan(), 0.2);
        let (mut at, goal) = (vec2(1.0, 3.5), vec2(3.2, 3.6));
        let mut points = vec![at];
        while at != goal && points.len() < 9 {
            at = guide.next(at, goal).expect("a way");
            points.push(at);
        }
        assert_eq!(at, goal, "{points:?}");
        let crossing =
            points.windows(2).find(|pair| pair[0].x < 2.05 && pair[1].x >= 2.05).expect("it crosses");
        assert!(crossing.iter().all(|point| point.y < 1.2 || (point.x - 2.05).abs() > 0.2), "{points:?}");
    }

    #[test]
    fn a_goal_in_a_wall_is_approached_and_a_closed_room_has_no_way() {
        let guide = PlanGuide::new(plan(), 0.2);
        assert_eq!(guide.next(vec2(1.0, 3.5), vec2(2.05, 3.5)), Some(vec2(2.05, 3.5)), "straight up to it");
        let mut closed = plan();
        (0..40).for_each(|row| closed.set((20, row), crate::routes::Cell::Occupied));
        assert_eq!(PlanGuide::new(closed, 0.2).next(vec2(1.0, 3.5), vec2(3.2, 3.6)), None);
        assert_eq!(guide.next(vec2(f64::NAN, 0.0), vec2(1.0, 1.0)), None);
    }
}
