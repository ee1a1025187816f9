//! The public interface: every exact method against enumeration, bounds against optima, errors for invalid input.

mod assignment;
mod broken;
mod brokers;
mod extras;
mod highs;
mod many_tasks;
mod single_task;
mod stage;
