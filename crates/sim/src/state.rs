//! The state of a run, as plain data.

use crate::address::node;
use crate::airwaves::Airwaves;
use crate::disturbances::Schedule;
use crate::faults::Faults;
use crate::hindrances::HindranceWatch;
use crate::model::Model;
use crate::odometers::Odometers;
use crate::operator::Operator;
use crate::stall::Stall;
use crate::stuck::StuckWatch;
use crewlab_missions::{Air, Hindrance, RunningRobot, Verdict};
use crewlab_onboard::{Choice, Mark, Percept, Question, RobotId, Software, TaskId, Time, Vec2};
use crewlab_radio::{AnyRadio, Estimator};
use crewlab_skills::{AnySkills, Considered, CostField};
use crewlab_teams::AnyCoordinator;
use crewlab_world::World;
use serde::{Deserialize, Serialize};

/// The state of one robot, besides its body in the world.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Robot {
    /// Its software.
    pub software: Software<AnyCoordinator, AnySkills>,
    /// The latest percept.
    pub percept: Percept,
    /// When each effector was last used.
    pub used: Vec<Option<Time>>,
    /// Its faults.
    pub faults: Faults,
    /// Detects lack of progress.
    pub stall: Stall,
    /// Energy that its radio has used so far. [J]
    pub radio_energy: f64,
    /// Its radio module's estimator; `None` with the ideal radio.
    pub estimator: Option<Box<Estimator>>,
}

/// The state of a run. Restored from its serialised form it continues exactly as the original does.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct State {
    /// Ticks done so far.
    pub tick: u64,
    /// Ground truth.
    pub world: World,
    /// The radio.
    pub radio: AnyRadio,
    /// The disturbances of the channel.
    pub airwaves: Airwaves,
    /// The robots.
    pub robots: Vec<Robot>,
    /// The state of the disturbances.
    pub schedule: Schedule,
    /// The operator, who orders tasks.
    pub operator: Operator,
    /// The progress of the mission.
    pub verdict: Verdict,
    /// What is stuck.
    pub stuck: StuckWatch,
    /// The coordinator that all robots run since it was changed; `None` for the initial one.
    pub coordinator: Option<String>,
    /// What is known to be out of every robot's reach.
    pub hindrances: HindranceWatch,
    /// What wheels have counted.
    pub odometers: Odometers,
}

impl State {
    /// Everything that a result hash takes in: all but the watch for stuck teams, which tells what it finds as events, and
    /// odometers, which robots read in their percepts.
    pub(crate) fn facts(&self) -> impl Serialize + '_ {
        let State {
            tick,
            world,
            radio,
            airwaves,
            robots,
            schedule,
            operator,
            verdict,
            stuck: _,
            coordinator,
            hindrances,
            odometers: _,
        } = self;
        ((tick, world, radio, airwaves, robots), (schedule, operator, verdict, coordinator, hindrances))
    }

    /// Drops texts that are only for people, so that better wording does not change result hashes.
    pub(crate) fn forget_words(&mut self) {
        self.robots.iter_mut().for_each(|robot| robot.software.forget_words());
        self.schedule.forget_words();
    }

    /// The time after the ticks done so far.
    pub fn now(&self, tick: u64) -> Time {
        Time(self.tick.saturating_mul(tick))
    }

    /// What keeps the mission from being completed, whatever those of the running robots do that `counts` holds for.
    pub(crate) fn hindering(&self, model: &Model, counts: impl Fn(RobotId) -> bool) -> Vec<Hindrance> {
        let running = RobotId::enumerate(&self.world.bodies).filter(|(_, body)| !body.down());
        let team = running.filter(|(robot, _)| counts(*robot)).map(|(robot, _)| RunningRobot {
            id: robot,
            datasheet: &model.team[robot].identity.datasheet,
            hears: self.robots[robot].faults.radio().1,
        });
        model.mission.hindrances(&self.world, &team.collect::<Vec<_>>())
    }

    /// The name of the coordinator that robots run now.
    pub fn coordinator<'a>(&'a self, model: &'a Model) -> &'a str {
        self.coordinator.as_deref().unwrap_or(&model.coordinator)
    }

    /// A robot's waypoints, as it believes them; none if it does not run. [m]
    pub fn plan(&self, robot: RobotId) -> Vec<Vec2> {
        let mut points = Vec::new();
        if self.world.bodies.get(robot.index()).is_some_and(|body| !body.down()) {
            self.robots[robot].software.skills().plan(&mut points);
        }
        points
    }

    /// A robot's marks on a layer of its mission, by the layer's place in the mission's list; none if it does not run.
    pub fn sketch(&self, model: &Model, robot: RobotId, layer: usize) -> Vec<Mark> {
        let mut marks = Vec::new();
        if self.world.bodies.get(robot.index()).is_some_and(|body| body.present && !body.down()) {
            let (me, mind) = (&model.team[robot].identity, &self.robots[robot]);
            mind.software.skills().sketch(layer, me, &mind.percept, &mut marks);
        }
        marks
    }

    /// The cost field of a robot's steering, from its percept and its plan alone, with cells of size `cell` up to `half` to each
    /// side; `None` if the robot does not run or measures no ranges. [m]
    pub fn cost_field(&self, model: &Model, robot: RobotId, cell: f64, half: f64) -> Option<CostField> {
        self.world.bodies.get(robot.index()).filter(|body| !body.down())?;
        let (me, robot) = (&model.team.get(robot.index())?.identity, self.robots.get(robot.index())?);
        robot.software.performer.cost_field(me, &robot.percept, cell, half)
    }

    /// The plan and the cheapest other trajectory that a robot has considered, with what each costs it; nothing if it does not run or
    /// does not plan by costs.
    pub fn considered(&self, model: &Model, robot: RobotId) -> Vec<Considered> {
        if self.world.bodies[robot].down() {
            return Vec::new();
        }
        let mind = &self.robots[robot];
        mind.software.performer.considered(&model.team[robot].identity, &mind.percept)
    }

    /// The open questions of robots to the operator, with the robot. Robots that do not run have none.
    pub fn questions(&self) -> impl Iterator<Item = (RobotId, &Question)> {
        let running = RobotId::enumerate(&self.robots).filter(|(robot, _)| !self.world.bodies[*robot].down());
        running.flat_map(|(id, robot)| robot.software.questions().iter().map(move |asked| (id, asked)))
    }

    /// A robot's current work; `None` if it does not run.
    pub fn active(&self, robot: RobotId) -> Option<Choice> {
        self.robots[robot].software.active.filter(|_| !self.world.bodies[robot].down())
    }

    /// The task a robot works on now.
    pub fn task_of(&self, model: &Model, robot: RobotId) -> Option<TaskId> {
        Some(model.team[robot].identity.behaviour(self.active(robot)?.behaviour).task)
    }
}

impl Air for State {
    fn quality(&self, from: RobotId, to: RobotId) -> Option<f64> {
        self.radio.quality(node(from), node(to))
    }

    fn rate(&self, from: RobotId, to: RobotId) -> Option<f64> {
        self.radio.rate(node(from), node(to))
    }
}
