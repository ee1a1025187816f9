//! The time until another robot works on the task of a lost robot. Derived from the robots' actions, so it is defined for every
//! coordinator.

use super::finishes::finished;
use super::summary::rounded;
use crewlab_sim::disturbances::kinds::TRAP_AROUND;
use crewlab_sim::onboard::{Piece, RobotId, TaskId, TaskSpec, Time, Topic};
use crewlab_sim::{Logged, Simulation};
use serde::Serialize;
use std::collections::BTreeSet;

/// The outcome of the work of a lost robot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Succession {
    /// It was idle.
    NoTask,
    /// Another robot works on it, or already did.
    Reallocated,
    /// The robot itself came back and continued before anybody else did.
    Resumed,
    /// It was finished or cancelled before anybody had to take over.
    Settled,
    /// It was still open at the end and nobody else had worked on it.
    Never,
}

impl Succession {
    /// A description.
    pub fn words(self) -> &'static str {
        match self {
            Succession::NoTask => "it had no task",
            Succession::Reallocated => "another robot took over",
            Succession::Resumed => "it came back and continued",
            Succession::Settled => "nothing was left to take over",
            Succession::Never => "nobody took over",
        }
    }
}

/// A robot that the team lost, temporarily or permanently: it stopped, crashed, was removed or walled in, ran out of energy, or
/// its emergency stop was pressed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RobotLoss {
    /// The robot.
    pub robot: String,
    /// The time. [s]
    pub at_s: f64,
    /// How: `stopped`, `emergency-stopped`, `removed`, `exhausted` or `trapped`.
    pub why: &'static str,
    /// Its task.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    /// The piece of that task; 0 if it is not divided.
    #[serde(skip_serializing_if = "is_zero")]
    pub subject: u32,
    /// The outcome of that task.
    pub outcome: Succession,
    /// The robot that took it over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The time until then. [s]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after_s: Option<f64>,
}

fn is_zero(subject: &u32) -> bool {
    *subject == 0
}

/// All losses of a run, and how fast other robots took their tasks over.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reallocation {
    /// Robots lost while they worked on a task.
    pub tasks: u64,
    /// Number of these tasks that others took over.
    pub reallocated: u64,
    /// Number of these tasks that were still open at the end without anybody else having worked on them.
    pub never: u64,
    /// Mean time from the loss until another robot worked on the task. [s]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean_s: Option<f64>,
    /// The longest such time. [s]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_s: Option<f64>,
    /// Every loss.
    pub losses: Vec<RobotLoss>,
}

impl Reallocation {
    /// A one-sentence summary.
    pub fn sentence(&self) -> String {
        let robots =
            |n: usize| if n == 1 { "1 robot was lost".to_string() } else { format!("{n} robots were lost") };
        let mut words = format!("{}, {} at work", robots(self.losses.len()), self.tasks);
        if let (Some(mean), Some(max)) = (self.mean_s, self.max_s) {
            words += &match self.reallocated {
                1 => format!("; another took over after {mean:.1} s"),
                n => format!(
                    "; others took over {n} times, after {mean:.1} s on average and {max:.1} s at most"
                ),
            };
        }
        if self.never > 0 {
            words += &format!("; {} never", self.never);
        }
        words
    }
}

/// A task that waits for a successor.
#[derive(Clone, Debug)]
struct Waiting {
    loss: usize,
    robot: RobotId,
    piece: Piece,
    since: Time,
}

/// The state of a robot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Standing {
    /// True while the team cannot count on it: lost, or absent.
    pub lost: bool,
    /// Its work; `None` while it is lost.
    pub work: Option<Piece>,
}

/// Detects losses and successors.
#[derive(Clone, Debug)]
pub(super) struct Losses {
    robots: Vec<Standing>,
    trapped: BTreeSet<RobotId>,
    waiting: Vec<Waiting>,
    losses: Vec<RobotLoss>,
}

/// A robot's work.
fn work(simulation: &Simulation, robot: RobotId) -> Option<Piece> {
    let active = simulation.state.active(robot)?;
    let task = simulation.state.task_of(&simulation.model, robot)?;
    Some(Piece { task, subject: active.subject })
}

impl Losses {
    pub(super) fn new(simulation: &Simulation) -> Losses {
        // Robots that are still to be added are not lost.
        let down =
            simulation.state.world.bodies.iter().map(|body| Standing { lost: body.down(), work: None });
        Losses { robots: down.collect(), trapped: BTreeSet::new(), waiting: Vec::new(), losses: Vec::new() }
    }

    /// Processes one tick.
    pub(super) fn tick(&mut self, simulation: &Simulation, log: &[Logged]) {
        if log.iter().any(|logged| logged.event.kind.topic() == Topic::Disturbance) {
            self.trapped = trapped(simulation);
        }
        for robot in simulation.model.robots() {
            let why = self.why(simulation, robot);
            let Standing { lost: was_lost, work: before } = self.robots[robot];
            let now = work(simulation, robot).filter(|_| why.is_none());
            match why {
                Some(why) if !was_lost => self.lost(simulation, robot, before, why),
                _ => {}
            }
            self.robots[robot] = Standing { lost: why.is_some(), work: now };
        }
        if !self.waiting.is_empty() {
            self.succeed(simulation);
        }
    }

    /// The state of every robot at the end of the last tick.
    pub(super) fn standings(&self) -> &[Standing] {
        &self.robots
    }

    fn why(&self, simulation: &Simulation, robot: RobotId) -> Option<&'static str> {
        let body = &simulation.state.world.bodies[robot];
        if !body.present {
            Some("removed")
        } else if body.halted {
            Some("stopped")
        } else if body.down() {
            Some("exhausted")
        } else if simulation.state.robots[robot].percept.stopped {
            Some("emergency-stopped")
        } else {
            self.trapped.contains(&robot).then_some("trapped")
        }
    }

    fn lost(&mut self, simulation: &Simulation, robot: RobotId, work: Option<Piece>, why: &'static str) {
        let model = &simulation.model;
        self.losses.push(RobotLoss {
            robot: model.team[robot].identity.name.clone(),
            at_s: rounded(simulation.now().seconds()),
            why,
            task: work.map(|piece| model.task_name(piece.task).to_string()),
            subject: work.map_or(0, |piece| piece.subject),
            outcome: if work.is_some() { Succession::Never } else { Succession::NoTask },
            by: None,
            after_s: None,
        });
        let loss = self.losses.len() - 1;
        self.waiting.extend(work.map(|piece| Waiting { loss, robot, piece, since: simulation.now() }));
    }

    /// Checks who works on abandoned tasks.
    fn succeed(&mut self, simulation: &Simulation) {
        let (robots, losses) = (&self.robots, &mut self.losses);
        self.waiting.retain(|waiting| {
            let works = |robot: &RobotId| {
                robots[*robot]
                    .work
                    .is_some_and(|piece| succeeds(&simulation.model.tasks, waiting.piece, piece))
            };
            let other = simulation.model.robots().filter(|robot| *robot != waiting.robot).find(works);
            let loss = &mut losses[waiting.loss];
            if let Some(other) = other {
                loss.outcome = Succession::Reallocated;
                loss.by = Some(simulation.model.team[other].identity.name.clone());
                loss.after_s = Some(rounded(simulation.now().since(waiting.since)));
            } else if works(&waiting.robot) {
                loss.outcome = Succession::Resumed;
            } else if settled(simulation, waiting) {
                loss.outcome = Succession::Settled;
            } else {
                return true;
            }
            false
        });
    }

    /// All losses; `None` if there were none.
    pub(super) fn finish(mut self, simulation: &Simulation) -> Option<Reallocation> {
        if simulation.state.verdict.completed {
            for waiting in &self.waiting {
                self.losses[waiting.loss].outcome = Succession::Settled;
            }
        }
        let count =
            |outcome: Succession| self.losses.iter().filter(|loss| loss.outcome == outcome).count() as u64;
        let times: Vec<f64> = self.losses.iter().filter_map(|loss| loss.after_s).collect();
        let some = !times.is_empty();
        let (reallocated, never) = (count(Succession::Reallocated), count(Succession::Never));
        (!self.losses.is_empty()).then(|| Reallocation {
            tasks: self.losses.iter().filter(|loss| loss.task.is_some()).count() as u64,
            reallocated,
            never,
            mean_s: some.then(|| rounded(times.iter().sum::<f64>() / times.len() as f64)),
            max_s: some.then(|| times.iter().copied().fold(0.0, f64::max)),
            losses: self.losses,
        })
    }
}

/// True if work on one piece continues another: the same piece, the whole that it was a part of, or a part of it. Another part
/// of the same whole does not: that is the partner's.
pub(super) fn succeeds(tasks: &[TaskSpec], left: Piece, taken: Piece) -> bool {
    let part_of = |part: TaskId, whole: TaskId| {
        let whole = tasks.get(usize::from(whole.0));
        whole.is_some_and(|whole| whole.plans.iter().any(|plan| plan.parts.contains(&part)))
    };
    let (before, now) = (left.task, taken.task);
    left.subject == taken.subject && (before == now || part_of(before, now) || part_of(now, before))
}

/// True if nobody needs to take a task over: it is not wanted, or some robot knows that it has been finished since.
fn settled(simulation: &Simulation, waiting: &Waiting) -> bool {
    let TaskId(task) = waiting.piece.task;
    // For a divided task only the end of all of it is known, which is enough.
    let knows = |robot: RobotId| {
        finished(simulation, robot, waiting.piece.task).is_some_and(|at| at >= waiting.since)
    };
    !simulation.state.operator.wants(usize::from(task)) || simulation.model.robots().any(knows)
}

/// Robots inside the walls of a trap.
fn trapped(simulation: &Simulation) -> BTreeSet<RobotId> {
    let names =
        simulation.state.world.objects().iter().filter_map(|object| object.name.strip_prefix(TRAP_AROUND));
    names.filter_map(|name| simulation.model.robot(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_piece_its_whole_and_its_parts_continue_a_task() {
        let (serve, fetch, bring) = (TaskId(0), TaskId(1), TaskId(2));
        let tasks = [
            TaskSpec::new("serve", "").together("fetch + bring", &[fetch, bring]),
            TaskSpec::new("fetch", "").as_part(),
            TaskSpec::new("bring", "").as_part(),
        ];
        let goes_on = |left: TaskId, taken: TaskId| {
            succeeds(&tasks, Piece { task: left, subject: 7 }, Piece { task: taken, subject: 7 })
        };
        assert!(goes_on(fetch, fetch) && goes_on(fetch, serve) && goes_on(serve, bring));
        // The partner of a lost robot is not a successor.
        assert!(!goes_on(fetch, bring));
        assert!(!succeeds(&tasks, Piece { task: serve, subject: 7 }, Piece { task: serve, subject: 8 }));
    }
}
