//! The [`Navigator`], with which the robots of all missions drive: it knows the sensors for navigation, keeps track of where the robot
//! is, tells the others, and asks a controller how to get to a goal.

mod company;
mod navigator;
mod persons;
mod survey;

pub use navigator::{Navigator, mobile};
