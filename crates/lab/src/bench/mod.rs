//! Benchmarks: speed claims are measured here, never asserted in tests.

pub mod arena;
pub mod disturbances;
pub mod world;
