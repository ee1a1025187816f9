//! A pushing robot's behaviour sets behind the interface that coordinators use.

use super::end::End;
use super::idle::Idle;
use super::knowledge::Knowledge;
use super::push_end::PushEnd;
use super::{PUSH_LEFT, PUSH_RIGHT, PushingBriefing};
use crewlab_control::AnyController;
use crewlab_onboard::{
    Behaviour, BehaviourId, BehaviourSpec, Choice, Command, Constraint, Controller, Duty, Identity, Message,
    Outcome, Output, Performer, Situation, Skills, TaskId, Time, Vec2,
};
use serde::{Deserialize, Serialize};

/// The behaviour sets that robots can have.
pub fn sets() -> Vec<BehaviourSpec> {
    let go = || Constraint::all(&["drive", "position", "compass", "range-scanner"]);
    let see = || Constraint::all(&["drive", "tracker"]);
    let push = |name, task| BehaviourSpec::new(name, task).action("go", go()).action("push", see());
    vec![push("push-left-end", PUSH_LEFT), push("push-right-end", PUSH_RIGHT)]
}

/// One pushing robot's software.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PushingSkills {
    known: Knowledge,
    sets: Vec<PushEnd>,
    idle: Idle,
}

impl PushingSkills {
    pub(super) fn new(briefing: &PushingBriefing, me: &Identity, controller: AnyController) -> PushingSkills {
        let set = |spec: &BehaviourSpec| PushEnd::new(End::of(spec.task));
        PushingSkills {
            known: Knowledge::new(briefing, me, controller),
            sets: me.behaviours.iter().map(set).collect(),
            idle: Idle::default(),
        }
    }
}

impl Skills for PushingSkills {
    fn applicable(&self, behaviour: BehaviourId, situation: &Situation) -> bool {
        self.sets[usize::from(behaviour.0)].applicable(&self.known, situation)
    }

    fn cost(&self, choice: Choice, situation: &Situation) -> f64 {
        self.sets[usize::from(choice.behaviour.0)].cost(&self.known, situation)
    }

    fn outcome(&self, choice: Choice, situation: &Situation) -> Outcome {
        let end = End::of(situation.me.behaviour(choice.behaviour).task);
        if self.known.leaves(end, situation.now) {
            Outcome::Failed("it cannot get behind that end of the box")
        } else if self.applicable(choice.behaviour, situation) {
            Outcome::Ongoing
        } else {
            // An end that is ahead has been pushed; that it has to be pushed again later is other work.
            Outcome::Done
        }
    }

    fn finished(&self, _task: TaskId, _situation: &Situation) -> Option<Time> {
        self.known.done
    }

    fn plan(&self, points: &mut Vec<Vec2>) {
        self.known.navigator.course(points);
    }
}

impl Performer for PushingSkills {
    fn learn(&mut self, situation: &Situation, inbox: &[Message], out: &mut Output) {
        self.known.navigator.begin(situation, inbox, out);
        self.known.look(situation);
    }

    fn act(&mut self, duty: Duty, situation: &Situation, out: &mut Output) -> Command {
        let Some(choice) = duty.choice else { return self.idle.act(&mut self.known, situation, out) };
        self.idle.end();
        let set = &mut self.sets[usize::from(choice.behaviour.0)];
        if duty.fresh {
            set.start(&self.known, situation);
        }
        set.act(&mut self.known, situation, out)
    }

    fn skills(&self) -> &dyn Skills {
        self
    }

    fn controller(&self) -> Option<&dyn Controller> {
        Some(self.known.navigator.controller())
    }
}
