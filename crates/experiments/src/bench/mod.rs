//! Benchmarks of what takes many runs: claims are measured here, never asserted in tests.

pub mod learning;
pub mod sweep;
