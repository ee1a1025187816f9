//! The crate from outside: every exact method against plain enumeration, bounds against optima, broken input against errors.

mod assignment;
mod broken;
mod brokers;
mod extras;
mod highs;
mod many_tasks;
mod single_task;
mod stage;
