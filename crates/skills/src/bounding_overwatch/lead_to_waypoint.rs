//! lead-to-waypoint: the leader takes its team to the next waypoint when the other team has finished its bound.

use super::FIND_WAYPOINT;
use super::knowledge::{Approach, Knowledge};
use crewlab_onboard::geometry::Vec2;
use crewlab_onboard::{Behaviour, Command, Event, EventKind, Output, Situation, Time};
use serde::{Deserialize, Serialize};

/// A leader that is farther than this from where its team should stand goes there. [m]
const AWAY: f64 = 1.5;
/// A leader without progress for this many times the patience resigns.
const STUCK: f64 = 3.0;

/// Leads a team.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LeadToWaypoint {
    approach: Approach,
    /// When it arrived.
    arrived: Option<Time>,
}

impl LeadToWaypoint {
    /// True if it can set out: its team has collected and its scout has looked, or it has waited for long enough.
    fn ready(known: &Knowledge, at: Vec2, situation: &Situation) -> bool {
        let Some(rest) = known.rest() else { return false };
        let scouts = situation.me.behaviours.iter().any(|set| set.task == FIND_WAYPOINT);
        // A leader that emerges during a bound continues at once.
        let gathered = at.distance(rest) > AWAY || known.gathered(rest, situation);
        let looked = !scouts || known.unseen().is_none();
        (gathered && looked) || known.waited(known.since, situation.now)
    }

    /// Announces that the bound is done.
    fn complete(known: &mut Knowledge, situation: &Situation, out: &mut Output) {
        known.advance(known.done + 1, situation.now);
        let why = "the leader has arrived at the way point and its team is with it, or was waited for";
        out.explain(Event::new(EventKind::BoundCompleted).saying(why).with("bounds", f64::from(known.done)));
    }
}

impl Behaviour<Knowledge> for LeadToWaypoint {
    fn applicable(&self, known: &Knowledge, situation: &Situation) -> bool {
        let (Some(pose), Some(target)) = (known.navigator.pose(situation), known.target()) else {
            return false;
        };
        known.leads
            && if known.our_turn() {
                known.under_way || LeadToWaypoint::ready(known, pose.position, situation)
            } else {
                (known.under_way && self.arrived.is_none()) || pose.position.distance(target) > AWAY
            }
    }

    fn cost(&self, known: &Knowledge, situation: &Situation) -> f64 {
        known.target().map_or(f64::INFINITY, |target| known.navigator.time_to(target, situation))
    }

    fn start(&mut self, _known: &Knowledge, _situation: &Situation) {
        *self = LeadToWaypoint::default();
    }

    fn act(&mut self, known: &mut Knowledge, situation: &Situation, out: &mut Output) -> Command {
        let (Some(pose), Some(target)) = (known.navigator.pose(situation), known.target()) else {
            return Command::stop();
        };
        if self.approach.note(target, pose.position, situation.now) {
            // It is not there yet: a scout has found another place, or it is the next bound.
            self.arrived = None;
        }
        if self.arrived.is_none() && self.approach.arrived(pose.position, AWAY, situation.now) {
            self.arrived = Some(situation.now);
        }
        if let Some(arrived) = self.arrived {
            if known.our_turn()
                && (known.collected(target, situation) || known.waited(arrived, situation.now))
            {
                LeadToWaypoint::complete(known, situation, out);
            }
            return Command::stop();
        }
        if self.approach.stuck(situation.now) > STUCK * known.briefing.patience {
            known.resign(situation, out);
            return Command::stop();
        }
        known.drive(target, known.briefing.pace, situation, out)
    }
}
