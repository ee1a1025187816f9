//! The live laboratory: a run that a person can watch, inspect, disturb, help and rewind.
//!
//! The [`studio`] is a thread that owns the run. It takes [`wire::Command`]s from a queue of bounded length and publishes the
//! state as a [`show::View`], at most thirty times per second; it never waits for anybody. The [`server`] sends each viewer the
//! latest view, as a difference from what that viewer saw last, and passes commands on.
//! If there is a [`shelf`], viewers can switch to another of its runs.

pub mod bench;
pub mod server;
pub mod shelf;
pub mod show;
pub mod studio;
pub mod wire;
