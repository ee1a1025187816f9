//! Benchmarks that need many runs. Speed is measured here and never asserted in tests.

pub mod learning;
pub mod sweep;
