//! Who does what: optimal coalitions for one task, and optimal allocations of many tasks at once.
//!
//! Self-contained and fit to run on board: no threads, no clock, no randomness. Equal input gives equal bits. Rewards are plain
//! numbers here; where they come from is up to the caller.
//!
//! A coalition with its subtask assignment is an injection from a plan's subtasks to the robots. [`best_coalition`] searches
//! injections, not coalitions, and is polynomial for every [`Reward`]. [`joint`] serves all tasks together and certifies how
//! far from the optimum it can be; [`greedy`] is the thesis' method; [`repair`] repairs an allocation when a robot fails.
//!
//! | question | item |
//! | --- | --- |
//! | what is an instance, and when is it refused? | [`instance`], [`error`] |
//! | what is a coalition worth? | [`reward`] |
//! | rows to columns, largest total | [`assign`] |
//! | the best coalition for one task | [`best_coalition`], [`Method`] |
//! | pairs that help or hinder each other, payloads, black boxes | [`branch_and_bound`], [`Extras`] |
//! | shared work of brokers | [`responsibilities`], [`best_among`] |
//! | many tasks | [`greedy`], [`in_rounds`], [`joint`], [`repair`] |
//!
//! Ties: the larger value wins, then the lower plan, then the robots with the lower numbers (compared subtask by subtask)
//! among the candidates that a method looks at; see [`Coalition::beats`].

#![warn(missing_docs)]

mod allocation;
mod assignment;
mod bottleneck;
mod branch;
mod coalition;
pub mod error;
mod exhaustive;
mod feasible;
mod greedy;
pub mod instance;
mod joint;
mod matching;
mod matrix;
mod responsibilities;
pub mod reward;
mod threshold;
pub mod workload;

pub use allocation::{Allocation, Effort};
pub use assignment::{Assignment, Objective, assign, staff};
pub use branch::{Beyond, Extras, Limit, MOST_SUBTASKS, Pairs, SearchResult, branch_and_bound};
pub use coalition::{Coalition, Method, best_coalition, better, operations};
pub use error::Error;
pub use exhaustive::{MOST_ROBOTS_EXHAUSTIVE, best_among};
pub use greedy::{greedy, greedy_with, in_rounds, order};
pub use instance::{CoalitionPlan, Instance, Task};
pub use joint::{SearchLimits, joint, repair};
pub use responsibilities::{MOST_ROBOTS_SHARED, responsibilities};
pub use reward::Reward;
