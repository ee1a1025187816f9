//! The whole program, as a user meets it: every test starts the `crewlab` binary in an empty folder of its own.
//!
//! Tests marked `#[ignore]` describe what the program should do and does not do yet.

mod allocate;
mod auctions;
mod commands;
mod coverage;
mod explain;
mod files;
mod folder;
mod harness;
mod learning;
mod link;
#[cfg(unix)]
mod live;
mod mistakes;
mod numbers;
mod overrides;
mod presets;
mod properties;
mod radio;
mod results;
mod tune;
