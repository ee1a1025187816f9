//! Routes on a map: what a robot's map means for its way, and the shortest way through it. Everything is computed from a grid of
//! unknown, free and occupied cells; nothing here knows where the grid comes from.

pub mod bits;
pub mod building;
pub mod cell_grid;
pub mod clearance;
pub mod field;
pub mod frontiers;
mod hybrid;
mod known_map;
pub mod obstacles;
mod planner;
mod points;
pub mod regions;
mod route;
mod search;
pub mod sight;
mod skeleton;
pub mod sketch;
mod space;
mod tiles;
mod view;
mod voronoi;

pub use cell_grid::{Cell, CellGrid, GridError};
pub use field::DistanceField;
pub use frontiers::Frontier;
pub use hybrid::{HybridGraph, Node};
pub use known_map::KnownMap;
pub use obstacles::Obstacle;
pub use planner::{RoutePlanner, RouteSettings};
pub use route::{NoRoute, Origin, Route, Waypoint};
pub use space::Space;
pub use voronoi::{Branch, VoronoiGraph};
