//! Robots are ranked by a signal of the mission: who has none gets the first child, the others follow in the order of their values.

use super::{Contributions, Outcome, Own, Point, PointKind, Protocol, complete, in_order};
use crewlab_onboard::RobotId;

/// By the angle of the head towards the leader: the leftmost robot comes first.
pub(super) struct ByHeadAngle;

/// By the number of the robot's colour.
pub(super) struct ByColour;

fn contribute(signal: &str, own: &mut dyn Own) -> Option<Vec<f32>> {
    Some(own.signal(signal).map(|value| value as f32).into_iter().collect())
}

fn conclude(point: &Point, heard: &Contributions) -> Option<Outcome> {
    if !complete(point, heard) {
        return None;
    }
    let mut ranked: Vec<(f32, RobotId)> = heard
        .iter()
        .map(|(robot, value)| (value.first().copied().unwrap_or(f32::NEG_INFINITY), *robot))
        .collect();
    ranked.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    in_order(point, ranked.into_iter().map(|(_, robot)| robot))
}

impl Protocol for ByHeadAngle {
    const FITS: &'static [PointKind] = &[PointKind::Allocate];
    const NETWORK: bool = true;
    const ANNOUNCED: bool = true;
    const SIGNAL: Option<&'static str> = Some("head-angle");

    fn contribute(_: &Point, _: RobotId, own: &mut dyn Own) -> Option<Vec<f32>> {
        contribute("head-angle", own)
    }

    fn conclude(point: &Point, heard: &Contributions) -> Option<Outcome> {
        conclude(point, heard)
    }
}

impl Protocol for ByColour {
    const FITS: &'static [PointKind] = &[PointKind::Allocate];
    const NETWORK: bool = true;
    const ANNOUNCED: bool = true;
    const SIGNAL: Option<&'static str> = Some("colour");

    fn contribute(_: &Point, _: RobotId, own: &mut dyn Own) -> Option<Vec<f32>> {
        contribute("colour", own)
    }

    fn conclude(point: &Point, heard: &Contributions) -> Option<Outcome> {
        conclude(point, heard)
    }
}
