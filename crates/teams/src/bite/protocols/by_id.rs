//! By the robots' numbers, from what all know.

use super::{Outcome, Point, PointKind, Protocol, in_order, option};

/// For decisions and for allocations.
pub(super) struct ById;

/// For allocations only.
pub(super) struct AllocateById;

impl Protocol for ById {
    const FITS: &'static [PointKind] = &[PointKind::Decide, PointKind::Allocate];
    const NETWORK: bool = false;

    fn at_once(point: &Point) -> Option<Outcome> {
        match point.kind {
            PointKind::Allocate => in_order(point, point.voters.iter().copied()),
            _ => option(point, point.voters.first()?.index()),
        }
    }
}

impl Protocol for AllocateById {
    const FITS: &'static [PointKind] = &[PointKind::Allocate];
    const NETWORK: bool = false;

    fn at_once(point: &Point) -> Option<Outcome> {
        ById::at_once(point)
    }
}
