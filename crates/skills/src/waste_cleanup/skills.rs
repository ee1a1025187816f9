//! A cleaning robot's behaviour sets behind the interface that coordinators use.

use super::delivery::Delivery;
use super::find_locations::{Methodical, Wander};
use super::holding_out::HoldingOut;
use super::knowledge::Knowledge;
use super::move_spill::MoveSpill;
use super::parking::Parking;
use super::report_progress::ReportProgress;
use super::{CleanupBriefing, FIND_LOCATIONS, MOVE_SPILL, REPORT_PROGRESS};
use crewlab_control::AnyController;
use crewlab_driving::mobile;
use crewlab_onboard::{
    Behaviour, BehaviourId, BehaviourSpec, Choice, Command, Constraint, Controller, Duty, Identity, Locating,
    Message, Output, Performer, Situation, Skills, TaskId, Time, Vec2,
};
use serde::{Deserialize, Serialize};

/// The behaviour sets that cleaning robots can have.
pub fn sets() -> Vec<BehaviourSpec> {
    let go = mobile;
    let search = |name: &str| {
        BehaviourSpec::new(name, FIND_LOCATIONS).action("search", go().and(Constraint::all(&["border"])))
    };
    let carry = |name: &str, task: TaskId| {
        let see = Constraint::all(&["item-detector", "area-detector"]);
        BehaviourSpec::new(name, task)
            .action("go", go())
            .action("grab", see.and(Constraint::all(&["gripper"])))
            .action("deliver", go().and(Constraint::all(&["gripper"])))
    };
    let report = BehaviourSpec::new("report-progress", REPORT_PROGRESS)
        .action("go", go())
        .action("report", Constraint::all(&["area-detector", "report"]));
    vec![
        search("find-locations-methodical").action("follow-walls", Constraint::all(&["side-range"])),
        search("find-locations-wander"),
        carry("move-spill-top", MOVE_SPILL[0]),
        carry("move-spill-bottom", MOVE_SPILL[1]),
        report,
    ]
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Set {
    Methodical(Methodical),
    Wander(Wander),
    MoveSpill(MoveSpill),
    ReportProgress(ReportProgress),
}

impl Set {
    fn new(spec: &BehaviourSpec) -> Set {
        match spec.name.as_str() {
            "find-locations-methodical" => Set::Methodical(Methodical::default()),
            "find-locations-wander" => Set::Wander(Wander::default()),
            _ if spec.task == REPORT_PROGRESS => Set::ReportProgress(ReportProgress),
            _ => Set::MoveSpill(MoveSpill::new(usize::from(spec.task == MOVE_SPILL[1]))),
        }
    }

    fn behaviour(&self) -> &dyn Behaviour<Knowledge> {
        match self {
            Set::Methodical(set) => set,
            Set::Wander(set) => set,
            Set::MoveSpill(set) => set,
            Set::ReportProgress(set) => set,
        }
    }

    fn behaviour_mut(&mut self) -> &mut dyn Behaviour<Knowledge> {
        match self {
            Set::Methodical(set) => set,
            Set::Wander(set) => set,
            Set::MoveSpill(set) => set,
            Set::ReportProgress(set) => set,
        }
    }
}

/// One cleaning robot's software.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WasteSkills {
    known: Knowledge,
    sets: Vec<Set>,
    parking: Parking,
    holding_out: HoldingOut,
}

impl WasteSkills {
    pub(super) fn new(briefing: &CleanupBriefing, me: &Identity, controller: AnyController) -> WasteSkills {
        WasteSkills {
            known: Knowledge::new(briefing, me, controller),
            sets: me.behaviours.iter().map(Set::new).collect(),
            parking: Parking::default(),
            holding_out: HoldingOut::default(),
        }
    }

    /// The robot's action: its work, or what it does without any.
    fn perform(&mut self, duty: Duty, situation: &Situation, out: &mut Output) -> Command {
        let loaded = self.known.loaded(situation);
        if loaded && self.known.mobility.stuck() {
            return self.holding_out.act(&mut self.known, situation, out);
        }
        let Some(choice) = duty.choice else { return self.idle(loaded, situation, out) };
        let set = self.sets[usize::from(choice.behaviour.0)].behaviour_mut();
        if duty.fresh {
            set.start(&self.known, situation);
        }
        set.act(&mut self.known, situation, out)
    }

    /// An idle robot brings its item to the deposit, and then gets out of the way.
    fn idle(&mut self, loaded: bool, situation: &Situation, out: &mut Output) -> Command {
        match self.known.sites {
            Some(sites) if loaded => self.known.deliver(sites, situation, out),
            _ => self.parking.act(&mut self.known, situation, out),
        }
    }
}

impl Skills for WasteSkills {
    fn applicable(&self, behaviour: BehaviourId, situation: &Situation) -> bool {
        self.sets[usize::from(behaviour.0)].behaviour().applicable(&self.known, situation)
    }

    fn cost(&self, choice: Choice, situation: &Situation) -> f64 {
        self.sets[usize::from(choice.behaviour.0)].behaviour().cost(&self.known, situation)
    }

    fn finished(&self, task: TaskId, situation: &Situation) -> Option<Time> {
        self.known.finished(task, situation.now)
    }

    fn plan(&self, points: &mut Vec<Vec2>) {
        self.known.navigator.course(points);
    }

    fn locating(&self) -> Option<&dyn Locating> {
        self.known.navigator.locating()
    }
}

impl Performer for WasteSkills {
    fn learn(&mut self, situation: &Situation, inbox: &[Message], out: &mut Output) {
        self.known.navigator.begin(situation, inbox, out);
        self.known.listen(situation.now, inbox);
        self.known.look(situation, out);
    }

    fn act(&mut self, duty: Duty, situation: &Situation, out: &mut Output) -> Command {
        self.known.working_on = None;
        if !self.known.loaded(situation) {
            self.known.delivery = Delivery::default();
        }
        let command = self.perform(duty, situation, out);
        if let Some(pose) = self.known.navigator.pose(situation) {
            let under_way = self.known.navigator.under_way();
            self.known.mobility.note(under_way, pose.position, situation.now);
        }
        command
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
