//! overwatch: while one team bounds, the other stands, looks towards it and scans the ground around it.

use super::knowledge::Knowledge;
use crewlab_onboard::{Behaviour, Command, Output, Situation, Vec2};
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// Amplitude of the scan. [rad]
const SWING: f64 = 0.6;
/// Period of the scan. [s]
const SWEEP: f64 = 8.0;
/// Turning speed per heading error. [1/s]
const GAIN: f64 = 0.8;
/// Highest turning speed of the scan. [rad/s]
const SLOW: f64 = 0.6;

/// Watches the other team.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Overwatch;

impl Behaviour<Knowledge> for Overwatch {
    fn applicable(&self, known: &Knowledge, situation: &Situation) -> bool {
        let theirs =
            known.group.is_some_and(|group| known.briefing.route.turn(known.done) == Some(group.other()));
        let moving = known.leader(situation).is_some_and(|leader| leader.under_way);
        theirs && !moving && (known.leads || known.settled)
    }

    fn cost(&self, _known: &Knowledge, _situation: &Situation) -> f64 {
        // It lasts as long as the others need; everything else comes first.
        1e3
    }

    fn act(&mut self, known: &mut Knowledge, situation: &Situation, _out: &mut Output) -> Command {
        let Some(pose) = known.navigator.pose(situation) else { return Command::stop() };
        let Some(group) = known.group else { return Command::stop() };
        let goal = known.goal(group.other());
        let bounding = known.other_leader(situation).map_or(goal, |leader| leader.at);
        // Neighbours scan out of phase, so that no direction is left out.
        let phase = situation.now.seconds() / SWEEP + f64::from(situation.me.id.0) / 4.0;
        let look = pose.bearing(bounding) + SWING * Vec2::unit(TAU * phase).y;
        Command::drive(0.0, (GAIN * look).clamp(-SLOW, SLOW))
    }
}
