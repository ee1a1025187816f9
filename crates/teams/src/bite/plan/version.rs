//! A number that tells plans apart.

use super::Points;
use crate::bite::graph::Node;
use crate::bite::organisation::Organisation;

/// FNV-1a over the serialised plan, folded to 16 bits: the same on every robot and every system.
pub(super) fn version(nodes: &[Node], root: u16, organisation: &Organisation, points: &[Points]) -> u16 {
    // Plain data can always be serialised.
    let bytes = serde_json::to_vec(&(nodes, root, organisation, points)).unwrap_or_default();
    let hash =
        bytes.iter().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193));
    (hash >> 16) as u16 ^ hash as u16
}
