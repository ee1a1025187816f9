//! A person chooses. Whoever leads the council asks, and announces the answer; its successor asks again.

use super::{PointKind, Protocol};

/// The name of the protocol.
pub(super) struct AskOperator;

impl Protocol for AskOperator {
    const FITS: &'static [PointKind] = &[PointKind::Decide];
    const NETWORK: bool = true;
}
