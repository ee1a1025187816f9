//! The mean of all bids, modulo the number of branches.

use super::{Contributions, Outcome, Own, Point, PointKind, Protocol, complete, option};
use crewlab_onboard::RobotId;

/// Numbers that robots draw are below this.
const MOST: usize = 100;

/// Everybody draws a number.
pub(super) struct MeanMod;

impl Protocol for MeanMod {
    const FITS: &'static [PointKind] = &[PointKind::Decide];
    const NETWORK: bool = true;
    const ANNOUNCED: bool = true;

    fn contribute(_: &Point, _: RobotId, own: &mut dyn Own) -> Option<Vec<f32>> {
        Some(vec![own.random().below(MOST) as f32])
    }

    fn conclude(point: &Point, heard: &Contributions) -> Option<Outcome> {
        if !complete(point, heard) {
            return None;
        }
        let sum: u64 =
            heard.iter().filter_map(|(_, number)| number.first()).map(|number| *number as u64).sum();
        option(point, (sum / heard.len().max(1) as u64) as usize)
    }

    fn told(_: &Point, values: &[f32]) -> String {
        values.first().map_or(String::new(), |number| format!("{number:.0}"))
    }
}
