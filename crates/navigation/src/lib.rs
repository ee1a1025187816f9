//! Where a robot is, what its surroundings look like, and how to get from one place to another: odometry, maps and planners for
//! any mission. They use only what the robot perceives; nothing here knows the simulator.

pub mod atlas;
mod bars;
pub mod behaviours;
mod chart;
mod extent;
mod floor_plan;
pub mod grid;
mod ground;
mod locator;
pub mod maps;
mod odometry;
mod perimeter;
mod planner;
mod pose_filter;
pub mod routes;
pub mod slam;
mod visits;

pub use bars::Bars;
pub use chart::{Chart, Place};
pub use extent::Extent;
pub use floor_plan::PlanGuide;
pub use ground::Ground;
pub use locator::{Locator, Notice};
pub use odometry::Odometry;
pub use perimeter::Walk;
pub use planner::Planner;
pub use pose_filter::PoseFilter;
pub use visits::Visits;
