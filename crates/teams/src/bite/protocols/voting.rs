//! Announce, votes, tally, winner.

use super::{
    Contributions, Outcome, Own, Point, PointKind, Protocol, complete, favourite, option, option_name,
};
use crewlab_onboard::RobotId;

/// Everybody votes for its favourite.
pub(super) struct Voting;

impl Protocol for Voting {
    const FITS: &'static [PointKind] = &[PointKind::Decide];
    const NETWORK: bool = true;
    const ANNOUNCED: bool = true;

    fn contribute(point: &Point, _: RobotId, own: &mut dyn Own) -> Option<Vec<f32>> {
        Some(vec![favourite(point, own) as f32])
    }

    fn conclude(point: &Point, heard: &Contributions) -> Option<Outcome> {
        if !complete(point, heard) {
            return None;
        }
        let votes =
            |place: usize| heard.iter().filter(|(_, vote)| vote.first() == Some(&(place as f32))).count();
        // The first of those with the most votes.
        let winner = (0..point.options.len()).rev().max_by_key(|place| votes(*place))?;
        option(point, winner)
    }

    fn told(point: &Point, values: &[f32]) -> String {
        option_name(point, values)
    }
}
