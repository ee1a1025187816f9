//! Behaviour trees of BehaviorTree.CPP, as XML, become graphs.
//!
//! A tree tells one robot what to do and asks every behaviour whether it has succeeded. A graph tells a team, and behaviours end. So
//! sequences become chains, parallel branches become children that robots share, and fallbacks become alternatives if conditions tell
//! them apart. What depends on an action's failure has no counterpart, and is refused where it is written.

mod draft;
mod translate;
mod xml;

use crate::{Misfit, Placed};

/// The graph of a behaviour tree in the form of [`GraphSpec`](super::GraphSpec), if there are only warnings; and what does not fit.
pub fn import(text: &str) -> (Option<Placed>, Vec<Misfit>) {
    let root = match xml::read(text) {
        Ok(root) => root,
        Err(misfit) => return (None, vec![misfit]),
    };
    let (graph, misfits) = translate::translate(&root);
    (graph.filter(|_| misfits.iter().all(|misfit| misfit.warning)), misfits)
}
