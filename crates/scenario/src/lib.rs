//! Scenario files: one YAML file says everything about a run.
//!
//! The way of a file: [`text`] turns it into a tree whose every value knows its place; [`load`] lays it over what it
//! includes and over the mission's defaults; [`schema`] says what is accepted; [`spec`] are the types; [`build`]
//! makes the world and the team. What is wrong anywhere on this way is reported with file, line and column.

mod build;
mod document;
mod equipment;
mod load;
mod noise_floor;
mod presets;
mod problems;
mod radio;
pub mod schema;
pub mod spec;
pub mod text;

pub use build::usable_as_folder;
pub use document::Document;
pub use load::{Request, Scenario, load, load_radio, read_disturbance, robot_types_of};
pub use presets::{PRESETS, Preset, disturbances_of};
pub use problems::Problems;
pub use radio::RadioParams;
