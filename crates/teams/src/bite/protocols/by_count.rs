//! By how often the team has executed the behaviour, from what all know.

use super::{Outcome, Point, PointKind, Protocol, option};

/// The last option as often as the scenario says, then the first.
pub(super) struct ByCount;

impl Protocol for ByCount {
    const FITS: &'static [PointKind] = &[PointKind::Decide];
    const NETWORK: bool = false;

    fn at_once(point: &Point) -> Option<Outcome> {
        option(point, place(point))
    }
}

/// The option whose turn it is. Counting begins again after the last repetition.
pub(super) fn place(point: &Point) -> usize {
    let repeats = point.plan.repeats.max(1);
    if point.count.is_multiple_of(repeats) { 0 } else { point.options.len() - 1 }
}
