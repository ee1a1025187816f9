//! The physics of radio: how strong a signal arrives, how much noise is there, and what can be decoded.

mod airtime;
mod budget;
mod decibel;
mod fading;
mod grid;
mod jammer;
mod modes;
mod noise;
mod noise_floor;
mod path_loss;
mod shadowing;
mod wall;

pub use airtime::{airtime, flight, nanoseconds};
pub use budget::{Budget, BudgetLine, Conditions, Service};
pub use decibel::{LIGHT, db, dbm, milliwatts, ratio};
pub use fading::Fading;
pub use modes::{GOOD_ENOUGH, Mode, Modes, Profile};
pub use noise::{NoiseGrid, thermal};
pub use noise_floor::{ImageSpec, NoiseFloorSpec, NoiseSource, RandomSpec};
pub use path_loss::{PathLoss, Propagation};
pub use shadowing::Shadowing;
pub use wall::{Walls, damping_of_all};
