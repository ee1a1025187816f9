//! The whole program from the user's perspective: every test starts the `crewlab` binary in its own empty folder.
//!
//! Tests marked `#[ignore]` describe behaviour that is not implemented yet, or need software that not every machine can install.

mod allocate;
mod analysis;
mod auctions;
mod breaking;
mod campaign;
mod commands;
mod compare;
mod coverage;
mod explain;
mod files;
mod folder;
mod goals;
mod harness;
#[cfg(unix)]
mod hq;
mod learning;
mod link;
#[cfg(unix)]
mod live;
mod map;
mod map_world;
mod mistakes;
mod numbers;
mod overrides;
mod plans;
mod presets;
mod properties;
mod radio;
mod results;
mod sweep;
mod trials;
mod tune;
