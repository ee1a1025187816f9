//! The simulation: one tick that ties world, radio, robots and missions together.
//!
//! [`Model`] is what stays the same over a run, [`State`] is all that changes, as plain data, and
//! [`Simulation::tick`] takes the state one tick further. No file, clock or thread id is involved, and it cannot fail.

pub mod airwaves;
pub mod disturbances;
pub mod faults;
mod hash;
mod log;
mod model;
mod operator;
mod radio_module;
mod setup;
pub mod staffing;
mod stall;
mod state;
mod surroundings;
mod tick;

pub use crewlab_missions as missions;
pub use crewlab_onboard as onboard;
pub use crewlab_radio as radio;
pub use crewlab_skills as skills;
pub use crewlab_teams as teams;
pub use crewlab_world as world;

pub use hash::ResultHash;
pub use log::Logged;
pub use model::{Member, Model, Visibility};
pub use operator::Operator;
pub use setup::{MemberSpec, Setup, SetupError, TaskOrder, check_disturbances};
pub use state::{Robot, State};
pub use tick::Simulation;
