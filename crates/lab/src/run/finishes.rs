//! The number of tasks that a team has completed.

use crewlab_sim::Simulation;
use crewlab_sim::onboard::{NoRadio, RobotId, Situation, TaskId, Time};

/// Counts completed tasks.
///
/// A task that is done once counts at the end of the run if the operator wants it and it is finished: because the referee says
/// that the mission is completed, or because at least one robot knows that nothing of it is left to do. A recurring task
/// (`every`) counts each time a robot that works on it finishes it. Missions without an end, such as diffusion, complete nothing.
#[derive(Clone, Debug, Default)]
pub(super) struct Finishes {
    /// Periodic tasks.
    rounds: Vec<TaskId>,
    /// When each robot last knew that each of them was finished, robot by robot.
    known: Vec<Option<Time>>,
    count: u64,
}

/// The time at which a robot knows that a task was finished.
pub(super) fn finished(simulation: &Simulation, robot: RobotId, task: TaskId) -> Option<Time> {
    let (model, state) = (&simulation.model, &simulation.state);
    let situation = Situation {
        now: simulation.now(),
        dt: model.dt(),
        me: &model.team[robot].identity,
        tasks: &model.tasks,
        percept: &state.robots[robot].percept,
        radio: &NoRadio,
    };
    state.robots[robot].software.skills().finished(task, &situation)
}

impl Finishes {
    pub(super) fn new(simulation: &Simulation) -> Finishes {
        let tasks = simulation.model.tasks.iter().enumerate().filter(|(_, task)| task.every.is_some());
        let rounds: Vec<TaskId> = tasks.map(|(index, _)| TaskId(index as u16)).collect();
        Finishes { known: vec![None; rounds.len() * simulation.model.team.len()], rounds, count: 0 }
    }

    /// Processes one tick.
    pub(super) fn tick(&mut self, simulation: &Simulation) {
        for (round, &task) in self.rounds.iter().enumerate() {
            for robot in simulation.model.robots() {
                let now = finished(simulation, robot, task);
                let known = &mut self.known[robot.index() * self.rounds.len() + round];
                if now.is_some() && now != *known {
                    // Robots that only hear of it have not finished it.
                    self.count += u64::from(simulation.state.task_of(&simulation.model, robot) == Some(task));
                }
                *known = now;
            }
        }
    }

    /// The number of completed tasks.
    pub(super) fn completed(&self, simulation: &Simulation) -> u64 {
        let (model, state) = (&simulation.model, &simulation.state);
        let once = model.tasks.iter().enumerate().filter(|(index, task)| {
            let id = TaskId(*index as u16);
            let known = || model.robots().any(|robot| finished(simulation, robot, id).is_some());
            task.every.is_none() && state.operator.wants(*index) && (state.verdict.completed || known())
        });
        self.count + once.count() as u64
    }
}
