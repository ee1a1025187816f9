//! follow-leader: the other members of a bounding team keep their places behind their leader.

use super::knowledge::{Knowledge, Leader, Mate};
use crewlab_onboard::geometry::Pose;
use crewlab_onboard::{Behaviour, Command, Output, Situation, Time};
use serde::{Deserialize, Serialize};

/// How much faster than its leader a follower goes, per distance it lags behind. [1/s]
const CATCH_UP: f64 = 0.5;

/// The least speed of a follower, as a share of its leader's.
const CREEP: f64 = 0.4;
/// Within this distance two followers get in each other's way. [m]
const CLOSE: f64 = 0.6;
/// Longest time that a follower gives way: the robot with precedence may be unable to move. [s]
const GIVE_WAY: f64 = 4.0;

/// Follows the leader.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FollowLeader {
    /// Since when a robot with precedence is close.
    close: Option<Time>,
}

impl FollowLeader {
    /// True if it lets another follower go first. Two robots that both go around each other would go in circles.
    fn gives_way(&mut self, pose: &Pose, leader: &Leader, known: &Knowledge, situation: &Situation) -> bool {
        let mine = (situation.me.priority, situation.me.id);
        let first = |mate: &Mate| mate.id != leader.id && mate.order() < mine;
        let close = |mate: &Mate| mate.report.at.distance(pose.position) < CLOSE;
        if !known.members(situation.now).any(|mate| first(mate) && close(mate)) {
            self.close = None;
            return false;
        }
        situation.now.since(*self.close.get_or_insert(situation.now)) < GIVE_WAY
    }
}

impl Behaviour<Knowledge> for FollowLeader {
    fn applicable(&self, known: &Knowledge, situation: &Situation) -> bool {
        let under_way = known.leader(situation).is_some_and(|leader| leader.under_way);
        known.joined && !known.leads && (under_way || !known.settled)
    }

    fn cost(&self, known: &Knowledge, situation: &Situation) -> f64 {
        let place = known.leader(situation).map(|leader| known.place_behind(&leader, situation));
        place.map_or(f64::INFINITY, |place| known.navigator.time_to(place, situation))
    }

    fn act(&mut self, known: &mut Knowledge, situation: &Situation, out: &mut Output) -> Command {
        let (Some(leader), Some(pose), Some(target)) =
            (known.leader(situation), known.navigator.pose(situation), known.target())
        else {
            return Command::stop();
        };
        let place = known.place_behind(&leader, situation);
        if !leader.under_way {
            return known.navigator.go_to(place, situation, out);
        }
        if self.gives_way(&pose, &leader, known, situation) {
            return Command::stop();
        }
        // Its final place is a fixed goal, which obstacle avoidance needs; the leader sets the pace. A follower that is ahead of its
        // place lets the leader pass, but does not stand in its way.
        let pace = known.briefing.pace;
        let speed = pace + CATCH_UP * (place.x - pose.position.x);
        known.drive(place + (target - leader.at), speed.max(CREEP * pace), situation, out)
    }
}
