//! On the way to a goal: the route, and whether the robot gets on.

use crewlab_onboard::geometry::Vec2;
use crewlab_onboard::{Subject, Time};
use serde::{Deserialize, Serialize};

/// A waypoint is reached within this distance. [m]
const REACHED: f64 = 0.3;
/// A way that has not become shorter by this ... [m]
const STEP: f64 = 0.3;
/// ... for this long leads nowhere. [s]
const PATIENCE: f64 = 25.0;
/// How long a robot looks from the goal at something that stays unknown. [s]
const STARE: f64 = 3.0;

/// Where a robot wants to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Goal {
    /// To a piece of a frontier.
    Frontier(Subject),
    /// To the base.
    Base,
}

/// A way to a goal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Trip {
    pub(super) goal: Goal,
    /// The points to drive to.
    pub(super) route: Vec<Vec2>,
    /// The shortest way so far, and when it became so. [m]
    best: f64,
    since: Time,
    /// Since when the robot is there.
    there: Option<Time>,
}

impl Trip {
    /// Sets out.
    pub(super) fn new(goal: Goal, now: Time) -> Trip {
        Trip { goal, route: Vec::new(), best: f64::INFINITY, since: now, there: None }
    }

    /// Takes a new route; false if the robot does not get on. A robot without a route stands.
    pub(super) fn replan(&mut self, route: Option<Vec<Vec2>>, from: Vec2, now: Time) -> bool {
        self.route = route.unwrap_or_default();
        let length = match self.route.first() {
            None => f64::INFINITY,
            Some(first) => {
                let legs = self.route.windows(2).map(|leg| leg[0].distance(leg[1]));
                from.distance(*first) + legs.sum::<f64>()
            }
        };
        if length < self.best - STEP {
            (self.best, self.since) = (length, now);
        }
        self.there = if length < REACHED { self.there.or(Some(now)) } else { None };
        now.within(self.since, PATIENCE) && self.there.is_none_or(|since| now.within(since, STARE))
    }

    /// The next point to drive to; `None` at the goal.
    pub(super) fn next(&mut self, from: Vec2) -> Option<Vec2> {
        while self.route.len() > 1 && from.distance(self.route[0]) < REACHED {
            self.route.remove(0);
        }
        self.route.first().copied().filter(|point| from.distance(*point) > 0.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_onboard::geometry::vec2;

    fn at(seconds: f64) -> Time {
        Time::from_seconds(seconds)
    }

    #[test]
    fn a_trip_that_does_not_get_shorter_leads_nowhere() {
        let mut trip = Trip::new(Goal::Frontier(1), at(0.0));
        assert!(trip.replan(Some(vec![vec2(9.0, 0.0)]), vec2(0.0, 0.0), at(0.0)));
        assert!(trip.replan(Some(vec![vec2(9.0, 0.0)]), vec2(1.0, 0.0), at(20.0)));
        assert!(trip.replan(None, vec2(1.0, 0.0), at(40.0)));
        assert!(!trip.replan(Some(vec![vec2(9.0, 0.0)]), vec2(1.1, 0.0), at(46.0)));
    }

    #[test]
    fn what_stays_unknown_at_the_goal_is_given_up() {
        let mut trip = Trip::new(Goal::Frontier(1), at(0.0));
        let there = Some(vec![vec2(0.1, 0.0)]);
        assert!(trip.replan(there.clone(), Vec2::ZERO, at(0.0)));
        assert!(trip.replan(there.clone(), Vec2::ZERO, at(2.0)));
        assert!(!trip.replan(there, Vec2::ZERO, at(4.0)));
    }

    #[test]
    fn points_that_were_reached_are_left_behind() {
        let mut trip = Trip::new(Goal::Base, at(0.0));
        trip.replan(Some(vec![vec2(1.0, 0.0), vec2(2.0, 0.0)]), Vec2::ZERO, at(0.0));
        assert_eq!(trip.next(Vec2::ZERO), Some(vec2(1.0, 0.0)));
        assert_eq!(trip.next(vec2(0.9, 0.0)), Some(vec2(2.0, 0.0)));
        assert_eq!(trip.next(vec2(2.0, 0.0)), None);
    }
}
