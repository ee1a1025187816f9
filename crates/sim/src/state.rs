//! All that changes during a run, as plain data.

use crate::airwaves::Airwaves;
use crate::disturbances::Schedule;
use crate::faults::Faults;
use crate::model::Model;
use crate::operator::Operator;
use crate::stall::Stall;
use crewlab_missions::Verdict;
use crewlab_onboard::{Choice, Percept, Question, Skills, Software, TaskId, Time, Vec2};
use crewlab_radio::{AnyRadio, Estimator};
use crewlab_skills::{AnySkills, CostField};
use crewlab_teams::AnyCoordinator;
use crewlab_world::World;
use serde::{Deserialize, Serialize};

/// What changes about one robot, besides its body in the world.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Robot {
    /// The program on board.
    pub software: Software<AnyCoordinator, AnySkills>,
    /// The latest percept.
    pub percept: Percept,
    /// When each effector was last used.
    pub used: Vec<Option<Time>>,
    /// What is broken on it.
    pub faults: Faults,
    /// Watches whether it gets anywhere.
    pub stall: Stall,
    /// What its radio has used of its energy so far. [J]
    pub radio_energy: f64,
    /// What its radio module has learned; nothing with the ideal radio.
    pub estimator: Option<Box<Estimator>>,
}

/// The state of a run. Restored from its serialised form it goes on exactly as the original does.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct State {
    /// Ticks done so far.
    pub tick: u64,
    /// Ground truth.
    pub world: World,
    /// The air.
    pub radio: AnyRadio,
    /// What is wrong with the air.
    pub airwaves: Airwaves,
    /// The robots.
    pub robots: Vec<Robot>,
    /// What has become of the disturbances.
    pub schedule: Schedule,
    /// The operator, who says which tasks are wanted.
    pub operator: Operator,
    /// How far the mission is.
    pub verdict: Verdict,
    /// The coordinator that all robots run since it was changed; without it the one of the start.
    pub coordinator: Option<String>,
}

impl State {
    /// Leaves out what is only for people, so that better words change no result hash.
    pub(crate) fn forget_words(&mut self) {
        self.robots.iter_mut().for_each(|robot| robot.software.forget_words());
        self.schedule.forget_words();
    }

    /// The time after the ticks done so far.
    pub fn now(&self, tick: u64) -> Time {
        Time(self.tick.saturating_mul(tick))
    }

    /// The name of the coordinator that robots run now.
    pub fn coordinator<'a>(&'a self, model: &'a Model) -> &'a str {
        self.coordinator.as_deref().unwrap_or(&model.coordinator)
    }

    /// Where a robot is heading now, point by point, as it believes the world to be; nothing if it does not run. [m]
    pub fn plan(&self, robot: usize) -> Vec<Vec2> {
        let mut points = Vec::new();
        if self.world.bodies.get(robot).is_some_and(|body| !body.down()) {
            self.robots[robot].software.skills.plan(&mut points);
        }
        points
    }

    /// The costs of places about a robot as its own steering sees them, from its percept and its plan alone, with cells
    /// of size `cell` up to `half` to each side; `None` if it does not run or measures no ranges. [m]
    pub fn cost_field(&self, model: &Model, robot: usize, cell: f64, half: f64) -> Option<CostField> {
        self.world.bodies.get(robot).filter(|body| !body.down())?;
        let (me, robot) = (&model.team.get(robot)?.identity, self.robots.get(robot)?);
        robot.software.skills.cost_field(me, &robot.percept, cell, half)
    }

    /// What robots have asked the operator and nobody has answered yet, with the robot's number. Those that do not run
    /// ask nothing.
    pub fn questions(&self) -> impl Iterator<Item = (usize, &Question)> {
        let running = self.robots.iter().enumerate().filter(|(robot, _)| !self.world.bodies[*robot].down());
        running
            .flat_map(|(number, robot)| robot.software.questions().iter().map(move |asked| (number, asked)))
    }

    /// What a robot works on now; nothing if it does not run.
    pub fn active(&self, robot: usize) -> Option<Choice> {
        self.robots[robot].software.active.filter(|_| !self.world.bodies[robot].down())
    }

    /// The task a robot works on now.
    pub fn task_of(&self, model: &Model, robot: usize) -> Option<TaskId> {
        Some(model.team[robot].identity.behaviour(self.active(robot)?.behaviour).task)
    }
}
