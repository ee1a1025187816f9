//! Benchmarks: claims about speed and about how near teams get to the optimum are measured here, never asserted in tests.

pub mod allocation;
pub mod arena;
pub mod cpu;
pub mod disturbances;
pub mod radio;
pub mod world;
