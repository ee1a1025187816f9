//! follow-leader: the others of a bounding team keep their places behind their leader.

use super::knowledge::Knowledge;
use crewlab_onboard::{Behaviour, Command, Output, Situation};
use serde::{Deserialize, Serialize};

/// How much faster than its leader a follower goes, per distance it lags behind. [1/s]
const CATCH_UP: f64 = 0.5;

/// Follows the leader.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FollowLeader;

impl Behaviour<Knowledge> for FollowLeader {
    fn applicable(&self, known: &Knowledge, situation: &Situation) -> bool {
        let under_way = known.leader(situation).is_some_and(|leader| leader.under_way);
        known.joined && !known.leads && (under_way || !known.settled)
    }

    fn cost(&self, known: &Knowledge, situation: &Situation) -> f64 {
        let place = known.leader(situation).map(|leader| known.place_behind(&leader, situation));
        place.map_or(f64::INFINITY, |place| known.pilot.time_to(place, situation))
    }

    fn act(&mut self, known: &mut Knowledge, situation: &Situation, _out: &mut Output) -> Command {
        let (Some(leader), Some(pose), Some(target)) =
            (known.leader(situation), known.pilot.pose(situation), known.target())
        else {
            return Command::stop();
        };
        let place = known.place_behind(&leader, situation);
        if !leader.under_way {
            return known.pilot.go_to(place, situation);
        }
        // Its final place is a goal that stands still, which ways around obstacles need; the leader gives the pace. Who
        // is ahead of its place lets the leader pass instead of turning back against it.
        let lag = place.x - pose.position.x;
        if lag < 0.0 {
            return Command::stop();
        }
        known.drive(place + (target - leader.at), known.mission.pace + CATCH_UP * lag, situation)
    }
}
