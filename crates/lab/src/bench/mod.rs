//! Benchmarks: claims about speed and optimality are measured here, never asserted in tests.

pub mod allocation;
pub mod arena;
pub mod cpu;
pub mod disturbances;
pub mod learn;
mod map_world;
pub mod navigation;
pub mod planner;
pub mod radio;
pub mod swarm;
pub mod teamwork;
pub mod traffic;
pub mod world;
