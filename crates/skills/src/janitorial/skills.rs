//! A janitor's behaviour sets behind the interface that coordinators use.

use super::clean_floor::CleanFloor;
use super::dust_furniture::DustFurniture;
use super::empty_garbage::EmptyGarbage;
use super::idle::Idle;
use super::knowledge::Knowledge;
use super::{CLEAN_FLOOR, DUST_FURNITURE, EMPTY_GARBAGE, JanitorBriefing};
use crewlab_control::AnyController;
use crewlab_driving::mobile;
use crewlab_onboard::{
    BehaviourId, BehaviourSpec, Choice, Command, Constraint, Controller, Duty, Identity, Locating, Message,
    Outcome, Output, Performer, Situation, Skills, Subject, TaskId, Time, Vec2,
};
use serde::{Deserialize, Serialize};

/// The behaviour sets that janitors can have.
pub fn sets() -> Vec<BehaviourSpec> {
    let go = mobile;
    let furniture = ["low-proximity", "high-proximity"];
    vec![
        BehaviourSpec::new("empty-garbage", EMPTY_GARBAGE)
            .action("go", go().and(Constraint::all(&["microphones"])))
            .action("empty", Constraint::all(&["dumper"])),
        BehaviourSpec::new("dust-furniture", DUST_FURNITURE)
            .action("go", go().and(Constraint::all(&furniture)))
            .action("dust", Constraint::all(&["dust", "duster-arm"])),
        BehaviourSpec::new("clean-floor", CLEAN_FLOOR)
            .action("clean", go().and(Constraint::all(&["vacuum"]))),
    ]
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Set {
    EmptyGarbage(EmptyGarbage),
    DustFurniture(DustFurniture),
    CleanFloor(CleanFloor),
}

impl Set {
    fn new(spec: &BehaviourSpec) -> Set {
        match spec.task {
            EMPTY_GARBAGE => Set::EmptyGarbage(EmptyGarbage::default()),
            CLEAN_FLOOR => Set::CleanFloor(CleanFloor::default()),
            _ => Set::DustFurniture(DustFurniture::default()),
        }
    }
}

/// One janitor's software.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JanitorSkills {
    known: Knowledge,
    sets: Vec<Set>,
    idle: Idle,
}

impl JanitorSkills {
    pub(super) fn new(briefing: &JanitorBriefing, me: &Identity, controller: AnyController) -> JanitorSkills {
        JanitorSkills {
            known: Knowledge::new(briefing, me, controller),
            sets: me.behaviours.iter().map(Set::new).collect(),
            idle: Idle::default(),
        }
    }

    /// The robot's knowledge.
    pub fn known(&self) -> &Knowledge {
        &self.known
    }

    /// True if some behaviour set has something to work on.
    fn busy(&self, situation: &Situation) -> bool {
        let mut subjects = Vec::new();
        situation.me.behaviours().any(|(id, _)| {
            self.possible(id, situation, &mut subjects);
            !subjects.is_empty()
        })
    }
}

impl Skills for JanitorSkills {
    fn applicable(&self, behaviour: BehaviourId, situation: &Situation) -> bool {
        match &self.sets[usize::from(behaviour.0)] {
            Set::EmptyGarbage(set) => {
                let mut ears = self.known.ears.iter();
                ears.any(|ear| ear.hears() && !set.leaves(ear.frequency, situation.now))
            }
            Set::DustFurniture(set) => set.applicable(&self.known, situation),
            Set::CleanFloor(_) => !self.known.cleaned.iter().all(|cleaned| *cleaned),
        }
    }

    fn subjects(&self, behaviour: BehaviourId, situation: &Situation, subjects: &mut Vec<Subject>) {
        match &self.sets[usize::from(behaviour.0)] {
            Set::EmptyGarbage(set) => set.subjects(&self.known, situation.now, subjects),
            Set::DustFurniture(_) => subjects.push(0),
            Set::CleanFloor(set) => set.subjects(&self.known, situation, subjects),
        }
    }

    fn cost(&self, choice: Choice, situation: &Situation) -> f64 {
        match &self.sets[usize::from(choice.behaviour.0)] {
            Set::EmptyGarbage(_) => EmptyGarbage::cost(choice.subject, &self.known, situation),
            Set::DustFurniture(_) => DustFurniture::cost(&self.known, situation),
            Set::CleanFloor(set) => set.cost(choice.subject, &self.known, situation),
        }
    }

    fn outcome(&self, choice: Choice, situation: &Situation) -> Outcome {
        let mut subjects = Vec::new();
        self.possible(choice.behaviour, situation, &mut subjects);
        if subjects.contains(&choice.subject) {
            return Outcome::Ongoing;
        }
        match &self.sets[usize::from(choice.behaviour.0)] {
            Set::EmptyGarbage(set) if set.leaves(choice.subject, situation.now) => {
                Outcome::Failed("the can still sounds after a long time")
            }
            Set::DustFurniture(_) if !self.known.all_dusted() => {
                Outcome::Failed("nothing to dust was found for a long time")
            }
            _ => Outcome::Done,
        }
    }

    fn finished(&self, task: TaskId, _situation: &Situation) -> Option<Time> {
        self.known.finished.get(usize::from(task.0)).copied().flatten()
    }

    fn plan(&self, points: &mut Vec<Vec2>) {
        self.known.navigator.course(points);
    }

    fn locating(&self) -> Option<&dyn Locating> {
        self.known.navigator.locating()
    }
}

impl Performer for JanitorSkills {
    fn learn(&mut self, situation: &Situation, inbox: &[Message], out: &mut Output) {
        self.known.navigator.begin(situation, inbox, out);
        self.known.look(situation);
        self.known.listen(situation.now, inbox);
        self.known.settle(situation.now);
        self.known.retell(situation.now, out);
        self.known.tell_dust(situation.now, out);
    }

    fn act(&mut self, duty: Duty, situation: &Situation, out: &mut Output) -> Command {
        let known = &mut self.known;
        let Some(choice) = duty.choice else {
            if duty.fresh {
                self.idle = Idle::default();
            }
            let command = self.idle.act(known, situation, out);
            let idle = !self.busy(situation);
            self.known.doubt(idle, situation.now, out);
            return command;
        };
        known.doubt(false, situation.now, out);
        match &mut self.sets[usize::from(choice.behaviour.0)] {
            Set::EmptyGarbage(set) => {
                if duty.fresh {
                    set.start(choice.subject);
                }
                set.act(known, situation, out)
            }
            Set::DustFurniture(set) => {
                if duty.fresh {
                    set.start(known, situation);
                }
                set.act(known, situation, out)
            }
            Set::CleanFloor(set) => {
                if duty.fresh {
                    set.start(choice.subject, known);
                }
                set.act(known, situation, out)
            }
        }
    }

    fn skills(&self) -> &dyn Skills {
        self
    }

    fn controller(&self) -> Option<&dyn Controller> {
        Some(self.known.navigator.controller())
    }

    fn effort(&self) -> u32 {
        self.known.navigator.effort()
    }
}
