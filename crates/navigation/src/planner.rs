//! A planner: the next point to drive to on a map; the path is replanned from time to time.

use crewlab_onboard::Time;
use crewlab_onboard::geometry::Vec2;
use serde::{Deserialize, Serialize};

/// Interval at which a path is replanned. [s]
const REPLAN: f64 = 0.5;
/// Goals nearer to each other than this are the same. [m]
const SAME: f64 = 0.1;
/// A point on the way counts as reached at this distance. [m]
const REACHED: f64 = 0.15;

/// A planned path.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Plan {
    goal: Vec2,
    aim: Option<Vec2>,
    at: Time,
}

/// Remembers the last path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Planner(Option<Plan>);

impl Planner {
    /// The next point to drive to on the path from `position` to `goal`, as `find` finds it where the last path is out of date;
    /// `None` if there is no path. [m]
    pub fn aim(
        &mut self,
        position: Vec2,
        goal: Vec2,
        now: Time,
        find: impl FnOnce() -> Option<Vec2>,
    ) -> Option<Vec2> {
        let plan = self.0.filter(|plan| {
            now.since(plan.at) < REPLAN
                && plan.goal.distance(goal) < SAME
                && plan.aim.is_none_or(|aim| aim.distance(position) > REACHED || aim == plan.goal)
        });
        let plan = plan.unwrap_or_else(|| Plan { goal, aim: find(), at: now });
        self.0 = Some(plan);
        plan.aim
    }
}
