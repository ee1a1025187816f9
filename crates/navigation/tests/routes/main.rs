//! Routes: against exact references, as invariants on random maps, on impossible input, and in the scenes of ACE's experiment.

mod bad_input;
mod properties;
mod reference;
mod shortest;
