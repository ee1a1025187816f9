//! A planned route, or the reason why there is none.

use crewlab_onboard::geometry::Vec2;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Where a waypoint comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// The Voronoi graph: the way there has the greatest clearance.
    Voronoi,
    /// A corner of an obstacle or of its bounding box: the way there is short.
    Corner,
    /// A cell of the grid, where neither of the two leads.
    Cell,
    /// The nearest place where the robot fits, if it starts where it does not.
    Escape,
    /// The goal itself.
    Goal,
}

/// A point on the way.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Waypoint {
    /// Where it is. [m]
    pub at: Vec2,
    /// Where it comes from.
    pub origin: Origin,
}

/// The points to drive to one after the other, straight from each to the next. The start is not among them, the goal is the last.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Route {
    /// The points.
    pub waypoints: Vec<Waypoint>,
    /// Length from the start. [m]
    pub length: f64,
}

impl Route {
    /// A route over points, from a start that is not one of them.
    pub fn over(start: Vec2, waypoints: Vec<Waypoint>) -> Route {
        let ends = waypoints.iter().map(|waypoint| waypoint.at);
        let starts = std::iter::once(start).chain(ends.clone());
        let length = starts.zip(ends).map(|(from, to)| from.distance(to)).sum();
        Route { waypoints, length }
    }

    /// The first point to drive to.
    pub fn next(&self) -> Option<Waypoint> {
        self.waypoints.first().copied()
    }
}

/// Why there is no route.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoRoute {
    /// The map has no cells.
    EmptyMap,
    /// The start is not on the map, or not a number.
    StartOutside,
    /// The robot fits nowhere around its start.
    StartBlocked,
    /// The goal is not on the map, or not a number.
    GoalOutside,
    /// The goal lies in an obstacle.
    GoalOccupied,
    /// The goal is too near to an obstacle for the robot.
    GoalTooNarrow,
    /// The cell of the goal is not known.
    GoalUnknown,
    /// Obstacles or unknown cells separate start and goal.
    Unreachable,
}

impl fmt::Display for NoRoute {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            NoRoute::EmptyMap => "the map has no cells",
            NoRoute::StartOutside => "the start is outside of the map",
            NoRoute::StartBlocked => "the robot fits nowhere around its start",
            NoRoute::GoalOutside => "the goal is outside of the map",
            NoRoute::GoalOccupied => "the goal lies in an obstacle",
            NoRoute::GoalTooNarrow => "the goal is too near to an obstacle for the robot",
            NoRoute::GoalUnknown => "the goal lies in a part of the map that is not known",
            NoRoute::Unreachable => "start and goal are not connected on the map",
        })
    }
}

impl std::error::Error for NoRoute {}
