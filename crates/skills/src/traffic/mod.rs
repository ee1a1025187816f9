//! Traffic on board: robots that go to and fro between their goals and avoid each other.

use crate::{Briefing, Navigator};
use crewlab_control::AnyController;
use crewlab_onboard::{
    BehaviourId, BehaviourSpec, Choice, Command, Constraint, Controller, Duty, Identity, Leg, Message,
    Output, Performer, Shuttle, Situation, Skills, TaskId, Vec2,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The briefing of robots in traffic.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrafficBriefing {
    /// The way of each robot, by number.
    pub shuttles: Arc<[Shuttle]>,
}

impl Briefing for TrafficBriefing {
    type Skills = Box<Traveller>;

    fn boot(&self, me: &Identity, controller: AnyController) -> Box<Traveller> {
        let shuttle = self.shuttles.get(me.id.index()).copied();
        Box::new(Traveller { navigator: Navigator::new(controller, me), shuttle })
    }
}

/// The one behaviour set.
pub fn sets() -> Vec<BehaviourSpec> {
    let needs = Constraint::all(&["drive", "position", "compass"]);
    vec![BehaviourSpec::new("travel", TaskId(0)).action("travel", needs)]
}

/// One robot in traffic.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Traveller {
    navigator: Navigator,
    /// Its way; `None` for a robot that was not expected.
    shuttle: Option<Shuttle>,
}

impl Skills for Traveller {
    fn applicable(&self, _behaviour: BehaviourId, _situation: &Situation) -> bool {
        self.shuttle.is_some()
    }

    fn cost(&self, _choice: Choice, _situation: &Situation) -> f64 {
        0.0
    }

    fn plan(&self, points: &mut Vec<Vec2>) {
        self.navigator.course(points);
    }
}

impl Performer for Traveller {
    fn learn(&mut self, situation: &Situation, inbox: &[Message], out: &mut Output) {
        self.navigator.begin(situation, inbox, out);
        if let Some((shuttle, pose)) = self.shuttle.as_mut().zip(self.navigator.pose(situation))
            && shuttle.arrive(pose.position)
        {
            self.navigator.set_out();
        }
    }

    fn act(&mut self, duty: Duty, situation: &Situation, out: &mut Output) -> Command {
        let Some(shuttle) = self.shuttle.as_ref().filter(|_| duty.choice.is_some()) else {
            return self.navigator.stop();
        };
        match shuttle.leg() {
            Leg::Point { at, .. } => self.navigator.go_to(at, situation, out),
            Leg::Line { along, .. } => self.navigator.head(along.angle(), situation, out),
        }
    }

    fn skills(&self) -> &dyn Skills {
        self
    }

    fn controller(&self) -> Option<&dyn Controller> {
        Some(self.navigator.controller())
    }
}
