//! The physical radio as a whole: nodes that speak and hear.

mod access;
mod conservation;
mod faults;
mod forwarding;
mod published;
mod stage;
