//! Scenario files: one YAML file describes a whole run.
//!
//! The steps: [`text`] turns a file into a tree whose every value knows its position; [`load`] merges it with its includes and with
//! the mission's defaults; [`schema`] defines what is accepted; [`spec`] has the types; [`build`] creates the world and the team.
//! Errors at any step are reported with file, line and column.

mod build;
mod content;
mod document;
mod doubts;
mod equipment;
mod load;
pub mod map;
mod model_file;
mod noise_floor;
mod presets;
mod problems;
mod radio;
pub mod schema;
pub mod spec;
pub mod text;

pub use build::usable_as_folder;
pub use document::Document;
pub use load::{Request, Scenario, load, load_radio, load_resolved, read_disturbance, robot_types_of};
pub use presets::{PRESETS, Preset, disturbances_of};
pub use problems::Problems;
pub use radio::RadioParams;
