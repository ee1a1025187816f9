//! The group elects a leader, who then decides: a protocol with two steps.

use super::{Contributions, Outcome, Own, Point, PointKind, Protocol, complete, leader, option_name};
use crewlab_onboard::RobotId;

/// Votes for a leader; then the leader's choice, by chance.
pub(super) struct Elected;

impl Protocol for Elected {
    const FITS: &'static [PointKind] = &[PointKind::Decide];
    const NETWORK: bool = true;
    const ANNOUNCED: bool = true;

    fn contribute(point: &Point, me: RobotId, own: &mut dyn Own) -> Option<Vec<f32>> {
        let draw = |own: &mut dyn Own, among: usize| vec![own.random().below(among.max(1)) as f32];
        match point.frame.elected {
            None => Some(draw(own, point.voters.len())),
            Some(leader) if leader == me => Some(draw(own, point.options.len())),
            Some(_) => None,
        }
    }

    fn conclude(point: &Point, heard: &Contributions) -> Option<Outcome> {
        if point.frame.elected.is_some() {
            return leader::choice(point, point.frame.elected, heard);
        }
        if !complete(point, heard) {
            return None;
        }
        let votes =
            |place: usize| heard.iter().filter(|(_, vote)| vote.first() == Some(&(place as f32))).count();
        let winner = (0..point.voters.len()).rev().max_by_key(|place| votes(*place))?;
        Some(Outcome::Leader(point.voters[winner]))
    }

    fn asked(point: &Point) -> Vec<RobotId> {
        point.frame.elected.map_or_else(|| point.voters.clone(), |leader| vec![leader])
    }

    fn told(point: &Point, values: &[f32]) -> String {
        let robot = values.first().and_then(|place| point.voters.get(*place as usize));
        match (point.frame.elected, robot) {
            (None, Some(robot)) => format!("votes for {}", point.plan.robot(*robot)),
            _ => option_name(point, values),
        }
    }
}
