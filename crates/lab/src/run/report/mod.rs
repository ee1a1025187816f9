//! The presentation of a finished run: its figures and its page. Nothing here affects what a run measures or keeps, so the
//! fingerprint in the version leaves this folder out.

pub(super) mod figures;
mod layers;
pub(super) mod page;
mod plan_figures;
mod radio_figures;
pub(super) mod story;
