//! The simulation: one tick that ties world, radio, robots and missions together.
//!
//! [`Model`] holds the constants of a run, [`State`] everything that changes, as plain data, and [`Simulation::tick`] advances
//! the state by one tick. It uses no file, clock or thread id, and it cannot fail.

pub mod address;
pub mod airwaves;
mod decider;
pub mod disturbances;
pub mod faults;
mod goal;
mod hash;
mod hindrances;
mod log;
mod model;
mod odometers;
mod operator;
mod radio_module;
mod setup;
mod sharing;
pub mod staffing;
mod stall;
mod state;
pub mod stuck;
mod surroundings;
mod tick;

pub use crewlab_control as control;
pub use crewlab_missions as missions;
pub use crewlab_onboard as onboard;
pub use crewlab_radio as radio;
pub use crewlab_skills as skills;
pub use crewlab_teams as teams;
pub use crewlab_world as world;

pub use decider::{Decider, Decision, NoSuchRobot, Request};
pub use goal::Goal;
pub use hash::ResultHash;
pub use log::Logged;
pub use model::{Member, Model, Visibility};
pub use operator::Operator;
pub use setup::{Draft, MemberSpec, Setup, SetupError, TaskOrder};
pub use state::{Robot, State};
pub use tick::Simulation;
