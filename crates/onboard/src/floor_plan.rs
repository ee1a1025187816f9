//! A plan of the building, which robots may get before the start. It shows what stood there then; nothing changes it later.

use crate::geometry::Vec2;
use std::fmt;
use std::sync::Arc;

/// Finds ways on a plan for robots of one size.
pub trait Guide: fmt::Debug + Send + Sync {
    /// The next point to drive to on the shortest way between two points; `None` if the plan shows no way. [m]
    fn next(&self, from: Vec2, to: Vec2) -> Option<Vec2>;
}

/// A plan that robots of one size share, or none.
#[derive(Clone, Debug, Default)]
pub struct FloorPlan(Option<Arc<dyn Guide>>);

impl FloorPlan {
    /// A plan with somebody who finds ways on it.
    pub fn new(guide: Arc<dyn Guide>) -> FloorPlan {
        FloorPlan(Some(guide))
    }

    /// True if the robot has a plan.
    pub fn is_there(&self) -> bool {
        self.0.is_some()
    }

    /// The next point to drive to on the shortest way between two points; `None` without a plan or a way. [m]
    pub fn next(&self, from: Vec2, to: Vec2) -> Option<Vec2> {
        self.0.as_ref()?.next(from, to)
    }
}

impl PartialEq for FloorPlan {
    /// Plans are equal if they are the same one.
    fn eq(&self, other: &FloorPlan) -> bool {
        match (&self.0, &other.0) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (one, other) => one.is_none() && other.is_none(),
        }
    }
}
