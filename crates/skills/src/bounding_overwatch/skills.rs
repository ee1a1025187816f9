//! A robot's behaviour sets behind the interface that coordinators use.

use super::emerge_leader::EmergeLeader;
use super::find_waypoint::FindWaypoint;
use super::follow_leader::FollowLeader;
use super::join_group::JoinGroup;
use super::knowledge::Knowledge;
use super::lead_to_waypoint::LeadToWaypoint;
use super::overwatch::Overwatch;
use super::{
    EMERGE_LEADER, FIND_WAYPOINT, FOLLOW_LEADER, JOIN_GROUP, LEAD_TO_WAYPOINT, OVERWATCH, OverwatchBriefing,
};
use crewlab_control::AnyController;
use crewlab_onboard::{
    Behaviour, BehaviourId, BehaviourSpec, Choice, Command, Constraint, Controller, Duty, Identity, Message,
    Output, Performer, Situation, Skills, Subject, TaskId, Time, Vec2,
};
use serde::{Deserialize, Serialize};

/// The capabilities needed to drive somewhere.
const MOBILE: &[&str] = &["drive", "position", "compass", "range-scanner"];

/// The behaviour sets that robots can have.
pub fn sets() -> Vec<BehaviourSpec> {
    let tasks = [JOIN_GROUP, EMERGE_LEADER, LEAD_TO_WAYPOINT, FOLLOW_LEADER, OVERWATCH];
    let names = ["join-group", "emerge-leader", "lead-to-waypoint", "follow-leader", "overwatch"];
    let set = |(name, task)| BehaviourSpec::new(name, task).action(name, Constraint::all(MOBILE));
    names.into_iter().zip(tasks).map(set).collect()
}

/// The behaviour set of a scout.
pub fn find_waypoint() -> BehaviourSpec {
    BehaviourSpec::new("find-waypoint", FIND_WAYPOINT).action("find-waypoint", Constraint::all(MOBILE))
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Set {
    JoinGroup(JoinGroup),
    EmergeLeader(EmergeLeader),
    LeadToWaypoint(LeadToWaypoint),
    FollowLeader(FollowLeader),
    Overwatch(Overwatch),
    FindWaypoint(FindWaypoint),
}

impl Set {
    fn new(spec: &BehaviourSpec) -> Set {
        match spec.task {
            JOIN_GROUP => Set::JoinGroup(JoinGroup::default()),
            EMERGE_LEADER => Set::EmergeLeader(EmergeLeader::default()),
            LEAD_TO_WAYPOINT => Set::LeadToWaypoint(LeadToWaypoint::default()),
            FOLLOW_LEADER => Set::FollowLeader(FollowLeader::default()),
            FIND_WAYPOINT => Set::FindWaypoint(FindWaypoint::default()),
            _ => Set::Overwatch(Overwatch),
        }
    }

    fn behaviour(&self) -> &dyn Behaviour<Knowledge> {
        match self {
            Set::JoinGroup(set) => set,
            Set::EmergeLeader(set) => set,
            Set::LeadToWaypoint(set) => set,
            Set::FollowLeader(set) => set,
            Set::Overwatch(set) => set,
            Set::FindWaypoint(set) => set,
        }
    }

    fn behaviour_mut(&mut self) -> &mut dyn Behaviour<Knowledge> {
        match self {
            Set::JoinGroup(set) => set,
            Set::EmergeLeader(set) => set,
            Set::LeadToWaypoint(set) => set,
            Set::FollowLeader(set) => set,
            Set::Overwatch(set) => set,
            Set::FindWaypoint(set) => set,
        }
    }
}

/// One robot's software.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OverwatchSkills {
    /// The robot's knowledge.
    pub known: Knowledge,
    sets: Vec<Set>,
}

impl OverwatchSkills {
    pub(super) fn new(
        briefing: &OverwatchBriefing,
        me: &Identity,
        controller: AnyController,
    ) -> OverwatchSkills {
        OverwatchSkills {
            known: Knowledge::new(briefing, me, controller),
            sets: me.behaviours.iter().map(Set::new).collect(),
        }
    }
}

impl Skills for OverwatchSkills {
    fn applicable(&self, behaviour: BehaviourId, situation: &Situation) -> bool {
        self.sets[usize::from(behaviour.0)].behaviour().applicable(&self.known, situation)
    }

    fn subjects(&self, behaviour: BehaviourId, situation: &Situation, subjects: &mut Vec<Subject>) {
        subjects.push(match (&self.sets[usize::from(behaviour.0)], self.known.group) {
            // A team has one leader, and one scout is enough.
            (Set::EmergeLeader(_) | Set::LeadToWaypoint(_) | Set::FindWaypoint(_), Some(group)) => {
                group.number()
            }
            // Everybody joins, follows and watches for itself: others doing it too is no reason for patience.
            _ => u32::from(situation.me.id.0) + 1,
        });
    }

    fn cost(&self, choice: Choice, situation: &Situation) -> f64 {
        self.sets[usize::from(choice.behaviour.0)].behaviour().cost(&self.known, situation)
    }

    fn finished(&self, task: TaskId, situation: &Situation) -> Option<Time> {
        let known = &self.known;
        let finished = match task {
            JOIN_GROUP => known.joined,
            EMERGE_LEADER => known.leader(situation).is_some(),
            _ => known.briefing.route.turn(known.done).is_none(),
        };
        finished.then_some(known.since)
    }

    fn leads(&self) -> bool {
        self.known.leads
    }

    fn plan(&self, points: &mut Vec<Vec2>) {
        self.known.navigator.course(points);
    }
}

impl Performer for OverwatchSkills {
    fn learn(&mut self, situation: &Situation, inbox: &[Message], out: &mut Output) {
        self.known.navigator.begin(situation, inbox, out);
        self.known.listen(situation, inbox, out);
    }

    fn act(&mut self, duty: Duty, situation: &Situation, out: &mut Output) -> Command {
        let set = duty.choice.and_then(|choice| self.sets.get_mut(usize::from(choice.behaviour.0)));
        self.known.under_way = matches!(set, Some(Set::LeadToWaypoint(_)));
        let command = set.map_or_else(Command::stop, |set| {
            if duty.fresh {
                set.behaviour_mut().start(&self.known, situation);
            }
            set.behaviour_mut().act(&mut self.known, situation, out)
        });
        self.known.speak(situation, out);
        command
    }

    fn skills(&self) -> &dyn Skills {
        self
    }

    fn controller(&self) -> Option<&dyn Controller> {
        Some(self.known.navigator.controller())
    }
}
