//! MuRoCo's claims: message counts, soundness, and that no work is lost or done twice unnoticed, with any radio.

mod counts;
mod field;
mod questions;
mod roles;
mod soundness;
