//! The engine step by step.

mod allocations;
mod example;
mod garbage;
mod interleavings;
mod late;
mod links;
mod protocols;
mod script;
