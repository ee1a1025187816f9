//! The teamwork engine as a team in memory sees it.

mod halting;
mod promises;
#[path = "../team/mod.rs"]
mod team;
