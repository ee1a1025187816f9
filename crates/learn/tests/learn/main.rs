//! Tests of the crate from outside.

mod broken;
mod city;
mod cost;
mod inference;
mod random;
mod reference;
mod structures;
