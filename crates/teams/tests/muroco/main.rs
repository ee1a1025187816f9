//! MuRoCo's claims: message counts, soundness, and that nothing is lost or done twice unnoticed, whatever the radio does.

mod counts;
mod field;
mod questions;
mod roles;
mod soundness;
