//! The leader of the group decides and tells.

use super::{Contributions, Outcome, Own, Point, PointKind, Protocol, favourite, option, option_name};
use crate::bite::protocols::by_count;
use crewlab_onboard::RobotId;

/// The leader takes what costs it least, or what chance says.
pub(super) struct Leader;

/// The leader goes by how often the behaviour was executed.
pub(super) struct LeaderByCount;

impl Protocol for Leader {
    const FITS: &'static [PointKind] = &[PointKind::Decide];
    const NETWORK: bool = true;

    fn contribute(point: &Point, me: RobotId, own: &mut dyn Own) -> Option<Vec<f32>> {
        (point.leader() == Some(me)).then(|| vec![favourite(point, own) as f32])
    }

    fn conclude(point: &Point, heard: &Contributions) -> Option<Outcome> {
        choice(point, point.leader(), heard)
    }

    fn asked(point: &Point) -> Vec<RobotId> {
        point.leader().into_iter().collect()
    }

    fn told(point: &Point, values: &[f32]) -> String {
        option_name(point, values)
    }
}

impl Protocol for LeaderByCount {
    const FITS: &'static [PointKind] = &[PointKind::Decide];
    const NETWORK: bool = true;

    fn contribute(point: &Point, me: RobotId, _: &mut dyn Own) -> Option<Vec<f32>> {
        (point.leader() == Some(me)).then(|| vec![by_count::place(point) as f32])
    }

    fn conclude(point: &Point, heard: &Contributions) -> Option<Outcome> {
        choice(point, point.leader(), heard)
    }

    fn asked(point: &Point) -> Vec<RobotId> {
        point.leader().into_iter().collect()
    }

    fn told(point: &Point, values: &[f32]) -> String {
        option_name(point, values)
    }
}

/// What this robot has chosen.
pub(super) fn choice(point: &Point, leader: Option<RobotId>, heard: &Contributions) -> Option<Outcome> {
    let (_, choice) = heard.iter().find(|(robot, _)| Some(*robot) == leader)?;
    option(point, *choice.first()? as usize)
}
