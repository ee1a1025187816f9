//! Where robots stand in their team's plan, over time.

use super::trace::Stretch;
use crate::plan::TeamPlan;
use crewlab_sim::onboard::RobotId;
use crewlab_sim::teams::Standing;
use crewlab_sim::{Model, Simulation};

/// The stacks of all robots.
#[derive(Clone, Debug, Default)]
pub(super) struct Stacks {
    coordinator: String,
    /// The plan that is carried out now.
    plan: Option<TeamPlan>,
    /// Where each robot stands now.
    standings: Vec<Option<Standing>>,
    /// The innermost behaviour of each robot, while it waits for nobody.
    pub spans: Vec<Vec<Stretch<usize>>>,
    /// Robots that stand elsewhere since the last tick.
    moved: Vec<RobotId>,
}

impl Stacks {
    /// Processes the tick from `before` to `now`.
    pub(super) fn tick(&mut self, simulation: &Simulation, before: f64, now: f64) {
        self.moved.clear();
        let coordinator = simulation.state.coordinator(&simulation.model);
        if self.coordinator != coordinator {
            self.coordinator = coordinator.to_string();
            self.plan = TeamPlan::of(&simulation.model, coordinator);
            self.standings.resize(simulation.model.team.len(), None);
            self.spans.resize(simulation.model.team.len(), Vec::new());
        }
        if self.plan.is_none() {
            return;
        }
        for robot in simulation.model.robots() {
            let down = simulation.state.world.bodies[robot].down();
            let coordinator = &simulation.state.robots[robot].software.coordinator;
            let standing = if down { None } else { coordinator.standing() };
            let at_work = standing.as_ref().filter(|standing| standing.wait.is_none());
            let innermost = at_work.and_then(|standing| standing.stack.last().copied());
            super::trace::follow(&mut self.spans[robot.index()], innermost, before, now);
            let known = &mut self.standings[robot.index()];
            if *known != standing {
                *known = standing;
                self.moved.push(robot);
            }
        }
    }

    /// The plan that is carried out now.
    pub(super) fn plan(&self) -> Option<&TeamPlan> {
        self.plan.as_ref()
    }

    /// Where a robot stands; `None` if it has no plan or does not run.
    pub(super) fn of(&self, robot: RobotId) -> Option<&Standing> {
        self.standings.get(robot.index())?.as_ref()
    }

    /// The rows of the robots that stand elsewhere since the last tick.
    pub(super) fn news<'a>(&'a self, time: &'a str, model: &'a Model) -> impl Iterator<Item = StackRow<'a>> {
        let plan = self.plan.as_ref();
        let row = move |robot: &RobotId| {
            Some(StackRow { time, robot: *robot, standing: self.of(*robot), plan: plan?, model })
        };
        self.moved.iter().filter_map(row)
    }
}

/// Where a robot stands from now on.
pub(super) struct StackRow<'a> {
    pub time: &'a str,
    pub robot: RobotId,
    pub standing: Option<&'a Standing>,
    pub plan: &'a TeamPlan,
    pub model: &'a Model,
}

impl StackRow<'_> {
    pub(super) fn stack(&self) -> String {
        let stack = self.standing.map_or(&[][..], |standing| &standing.stack);
        stack.iter().map(|node| self.plan.name(*node)).collect::<Vec<_>>().join(" > ")
    }

    pub(super) fn point(&self) -> String {
        let wait = self.standing.and_then(|standing| standing.wait.as_ref());
        wait.map_or(String::new(), |wait| format!("{} {}", wait.kind, self.plan.name(wait.node)))
    }

    pub(super) fn missing(&self) -> String {
        let wait = self.standing.and_then(|standing| standing.wait.as_ref());
        let names = |robots: &[RobotId]| -> Vec<&str> {
            robots.iter().map(|robot| self.model.robot_name(*robot)).collect()
        };
        wait.map_or(String::new(), |wait| names(&wait.missing).join("; "))
    }

    pub(super) fn said(&self) -> String {
        let wait = self.standing.and_then(|standing| standing.wait.as_ref());
        let one = |(robot, words): &(RobotId, String)| format!("{}: {words}", self.model.robot_name(*robot));
        wait.map_or(String::new(), |wait| wait.said.iter().map(one).collect::<Vec<_>>().join("; "))
    }
}
