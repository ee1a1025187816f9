//! Synchronised termination. The team's state counts who has ended a behaviour; these say how many it takes.

use super::{PointKind, Protocol};

/// Everybody.
pub(super) struct WaitAll;

impl Protocol for WaitAll {
    const FITS: &'static [PointKind] = &[PointKind::Terminate];
    const NETWORK: bool = true;
}

/// One.
pub(super) struct AnyEndsAll;

impl Protocol for AnyEndsAll {
    const FITS: &'static [PointKind] = &[PointKind::Terminate];
    const NETWORK: bool = true;
}
