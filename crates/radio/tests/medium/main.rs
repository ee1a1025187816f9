//! The physical radio as a whole: nodes that send and receive.

mod access;
mod conservation;
mod faults;
mod forwarding;
mod published;
mod stage;
