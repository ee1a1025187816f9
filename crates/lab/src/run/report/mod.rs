//! What a finished run looks like: its figures and its page. Nothing here decides what a run measures or keeps, so the fingerprint
//! in the version leaves this folder out.

pub(super) mod figures;
pub(super) mod page;
mod radio_figures;
pub(super) mod story;
