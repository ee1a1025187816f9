//! `crewlab bench learning`: how close teams that know their task times get to the optimum.
//!
//! Small instances that consist only of robots, independent tasks and the time that each robot needs for each task. The
//! robots run the real coordinator and exchange real messages over an ideal channel; only their skills are scripted. The
//! makespan is compared with that of the optimal assignment, found by enumeration.

use crewlab_lab::sim::onboard::{
    BehaviourId, BehaviourSpec, Body, Choice, Command, Datasheet, Duty, Identity, Message, NoRadio, Output,
    Percept, Performer, RobotId, Situation, Skills, Software, Step, Stream, StreamKind, TaskId, TaskSpec,
    Time,
};
use crewlab_lab::sim::teams::alliance::learning::{LearningParams, Memory, Start, Strategy, Times};
use crewlab_lab::sim::teams::alliance::{AllianceParams, Patch};
use crewlab_lab::sim::teams::{AnyCoordinator, Boot, Params};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Length of a tick. [ns]
const TICK: u64 = 250_000_000;
/// θ; the results do not depend on it.
const THRESHOLD: f64 = 100.0;
/// The shortest and the longest task. [s]
const TASK_TIMES: (f64, f64) = (50.0, 500.0);
/// Relative task times of similar robots.
const SIMILAR: (f64, f64) = (0.75, 1.25);
/// A team that needs this many times the optimum is stopped.
const HOPELESS: f64 = 50.0;

/// How different the robots of an instance are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Robots {
    /// Every task takes a time between 50 s and 500 s, and each robot 25 % more or less.
    Similar,
    /// Every robot needs any time between 50 s and 500 s for every task.
    Different,
}

impl Robots {
    /// Both.
    pub const ALL: [Robots; 2] = [Robots::Similar, Robots::Different];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Robots::Similar => "similar",
            Robots::Different => "different",
        }
    }
}

/// A benchmark setting.
#[derive(Clone, Debug, PartialEq)]
pub struct Exam {
    /// Number of random instances.
    pub instances: usize,
    /// The seed of the instances.
    pub seed: u64,
    /// How different the robots are.
    pub robots: Robots,
    /// How the teams learn; all four strategies are tried.
    pub learning: LearningParams,
}

/// The result of one strategy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Grade {
    /// How different the robots are.
    pub robots: Robots,
    /// The strategy.
    pub strategy: String,
    /// Instances that were finished.
    pub finished: usize,
    /// Instances that were not finished within fifty times the optimum.
    pub unfinished: usize,
    /// Mean of time over optimum.
    pub mean_ratio: f64,
    /// The 95th percentile of that ratio.
    pub p95_ratio: f64,
    /// Largest ratio.
    pub worst_ratio: f64,
}

/// One instance: the time that each robot needs for each task. [s]
#[derive(Clone, Debug, PartialEq)]
pub struct LearningInstance {
    /// By robot, then by task.
    pub times: Vec<Vec<f64>>,
}

impl LearningInstance {
    /// A random instance: 2 to 4 robots, as many to 6 tasks.
    pub fn random(robots: Robots, seed: u64, number: u64) -> LearningInstance {
        let kind = robots;
        let mut random = Stream::new(seed, StreamKind::World, 0, number);
        let robots = 2 + random.below(3);
        let tasks = robots + random.below(7 - robots);
        let usual: Vec<f64> = (0..tasks).map(|_| random.between(TASK_TIMES.0, TASK_TIMES.1)).collect();
        let mut time = |usual: &f64| match kind {
            Robots::Similar => usual * random.between(SIMILAR.0, SIMILAR.1),
            Robots::Different => random.between(TASK_TIMES.0, TASK_TIMES.1),
        };
        LearningInstance { times: (0..robots).map(|_| usual.iter().map(&mut time).collect()).collect() }
    }

    fn robots(&self) -> impl Iterator<Item = RobotId> {
        RobotId::team(self.times.len())
    }

    fn tasks(&self) -> usize {
        self.times.first().map_or(0, Vec::len)
    }

    /// The optimum: the least makespan over all assignments of tasks to robots. [s]
    pub fn optimum(&self) -> f64 {
        let mut best = f64::INFINITY;
        self.assign(0, &mut vec![0.0; self.times.len()], &mut best);
        best
    }

    fn assign(&self, task: usize, loads: &mut [f64], best: &mut f64) {
        let longest = loads.iter().copied().fold(0.0, f64::max);
        if longest >= *best {
            return;
        }
        if task == self.tasks() {
            *best = longest;
            return;
        }
        for robot in 0..loads.len() {
            let before = loads[robot];
            loads[robot] += self.times[robot][task];
            self.assign(task + 1, loads, best);
            // Restored instead of subtracted: sums must not drift.
            loads[robot] = before;
        }
    }
}

/// Skills that only take their time. Interrupted work starts from the beginning.
struct Labour {
    times: Vec<f64>,
    done: Vec<bool>,
    worked: f64,
}

impl Skills for Labour {
    fn applicable(&self, behaviour: BehaviourId, _: &Situation) -> bool {
        !self.done[usize::from(behaviour.0)]
    }

    fn cost(&self, choice: Choice, _: &Situation) -> f64 {
        self.times[usize::from(choice.behaviour.0)]
    }

    fn finished(&self, task: TaskId, _: &Situation) -> Option<Time> {
        self.done.get(usize::from(task.0)).is_some_and(|done| *done).then_some(Time::ZERO)
    }
}

impl Performer for Labour {
    fn learn(&mut self, _: &Situation, inbox: &[Message], _: &mut Output) {
        for message in inbox {
            if let Body::Knowledge(bytes) = &message.body
                && let Some(done) = bytes.first().and_then(|task| self.done.get_mut(usize::from(*task)))
            {
                *done = true;
            }
        }
    }

    fn act(&mut self, duty: Duty, situation: &Situation, out: &mut Output) -> Command {
        if let Some(choice) = duty.choice {
            let task = usize::from(choice.behaviour.0);
            self.worked = if duty.fresh { situation.dt } else { self.worked + situation.dt };
            if self.worked >= self.times[task] {
                self.done[task] = true;
                out.say(Body::Knowledge(vec![task as u8]));
            }
        }
        Command::stop()
    }

    fn skills(&self) -> &dyn Skills {
        self
    }
}

/// One robot of an in-memory team.
struct Hand {
    identity: Identity,
    software: Software<AnyCoordinator, Labour>,
    frames: Vec<Vec<u8>>,
    step: Step,
}

/// An in-memory team and the ideal channel between its robots.
struct Crew {
    hands: Vec<Hand>,
    tasks: Vec<TaskSpec>,
}

fn name(robot: RobotId) -> String {
    format!("r{robot}")
}

fn task_name(task: usize) -> String {
    format!("t{task}")
}

/// The memory of a robot that has seen every robot do every task.
fn memory(instance: &LearningInstance, me: RobotId) -> Memory {
    let once = |time: f64| Times(vec![time]);
    let own = instance.times[me].iter().enumerate().map(|(task, time)| (task_name(task), once(*time)));
    let others = (0..instance.tasks()).map(|task| {
        let mates = RobotId::enumerate(&instance.times).filter(|(robot, _)| *robot != me);
        let times: BTreeMap<String, Times> =
            mates.map(|(robot, times)| (name(robot), once(times[task]))).collect();
        (task_name(task), times)
    });
    Memory { own: own.collect(), others: others.collect() }
}

fn parameters(instance: &LearningInstance, learning: &LearningParams, strategy: Strategy) -> Params {
    let values = instance.robots().map(|robot| (name(robot), memory(instance, robot))).collect();
    let learning = LearningParams { start: Start::Learned, strategy, values, ..learning.clone() };
    let mut alliance =
        AllianceParams { threshold: Some(THRESHOLD), learning: Some(learning), ..AllianceParams::default() };
    alliance.team.general =
        Patch { broadcast_rate: Some(1.0), time_allowed_till_ceased: Some(5.0), ..Patch::default() };
    Params { alliance, ..Params::default() }
}

impl Crew {
    /// A team that knows all its task times; `None` if it cannot be booted.
    fn new(instance: &LearningInstance, learning: &LearningParams, strategy: Strategy) -> Option<Crew> {
        let tasks: Vec<TaskSpec> =
            (0..instance.tasks()).map(|task| TaskSpec::new(&task_name(task), "takes its time")).collect();
        let behaviours: Arc<[BehaviourSpec]> =
            (0..tasks.len()).map(|task| BehaviourSpec::new(&task_name(task), TaskId(task as u16))).collect();
        let datasheet = Arc::new(Datasheet {
            radius: 0.1,
            max_speed: 1.0,
            max_turn: 1.0,
            sensors: Vec::new(),
            effectors: Vec::new(),
            further: Vec::new(),
        });
        let roster: Vec<(String, RobotId)> = instance.robots().map(|robot| (name(robot), robot)).collect();
        let parameters = parameters(instance, learning, strategy);
        let hand = |(robot, times): (RobotId, &Vec<f64>)| {
            let identity = Identity {
                id: robot,
                name: name(robot),
                robot_type: "hand".into(),
                priority: 0,
                datasheet: datasheet.clone(),
                behaviours: behaviours.clone(),
                floor_plan: Default::default(),
                slam: Default::default(),
            };
            let boot = Boot {
                me: &identity,
                tasks: &tasks,
                roster: &roster,
                signals: &[],
                restarted: false,
                reserve: &[],
            };
            let coordinator = AnyCoordinator::boot("alliance", &parameters, &boot)?.ok()?;
            let labour = Labour { times: times.clone(), done: vec![false; times.len()], worked: 0.0 };
            let software = Software::new(coordinator, labour);
            Some(Hand { identity, software, frames: Vec::new(), step: Step::default() })
        };
        let hands: Option<Vec<Hand>> = RobotId::enumerate(&instance.times).map(hand).collect();
        Some(Crew { hands: hands?, tasks })
    }

    /// One tick: messages sent in it are heard in the next.
    fn step(&mut self, tick: u64) {
        let (now, dt, percept) = (Time(tick * TICK), TICK as f64 * 1e-9, Percept::default());
        for hand in &mut self.hands {
            let Hand { identity, software, frames, step } = hand;
            let situation =
                Situation { now, dt, me: identity, tasks: &self.tasks, percept: &percept, radio: &NoRadio };
            let mut random = Stream::of_robot(1, StreamKind::Decisions, identity.id, tick);
            let heard = std::mem::take(frames);
            software.step(&situation, |hear| heard.iter().for_each(|frame| hear(frame)), &mut random, step);
        }
        for speaker in 0..self.hands.len() {
            let said = std::mem::take(&mut self.hands[speaker].step.frames);
            for (_, listener) in self.hands.iter_mut().enumerate().filter(|(place, _)| *place != speaker) {
                listener.frames.extend(said.iter().map(|frame| frame.bytes.clone()));
            }
        }
    }

    /// True if somebody has done each task.
    fn finished(&self) -> bool {
        let done = |task: usize| self.hands.iter().any(|hand| hand.software.performer.done[task]);
        (0..self.tasks.len()).all(done)
    }
}

/// A team's time with a strategy, relative to the optimum; `None` if it does not finish.
pub fn ratio(instance: &LearningInstance, learning: &LearningParams, strategy: Strategy) -> Option<f64> {
    let optimum = instance.optimum();
    let mut crew = Crew::new(instance, learning, strategy)?;
    let most = (HOPELESS * optimum / (TICK as f64 * 1e-9)) as u64;
    for tick in 0..most {
        crew.step(tick);
        if crew.finished() {
            return Some((tick + 1) as f64 * TICK as f64 * 1e-9 / optimum);
        }
    }
    None
}

/// Grades all four strategies on the same instances.
pub fn grade(exam: &Exam) -> Vec<Grade> {
    let instances: Vec<LearningInstance> = (0..exam.instances as u64)
        .map(|number| LearningInstance::random(exam.robots, exam.seed, number))
        .collect();
    let one = |strategy: Strategy| {
        let ratios: Vec<Option<f64>> =
            instances.par_iter().map(|instance| ratio(instance, &exam.learning, strategy)).collect();
        let unfinished = ratios.iter().filter(|ratio| ratio.is_none()).count();
        let mut ratios: Vec<f64> = ratios.into_iter().flatten().collect();
        ratios.sort_by(f64::total_cmp);
        let rounded = |value: f64| (value * 1e4).round() / 1e4;
        Grade {
            robots: exam.robots,
            strategy: strategy.name().into(),
            finished: ratios.len(),
            unfinished,
            mean_ratio: rounded(ratios.iter().sum::<f64>() / ratios.len().max(1) as f64),
            p95_ratio: rounded(ratios.get(ratios.len() * 19 / 20).copied().unwrap_or(0.0)),
            worst_ratio: rounded(ratios.last().copied().unwrap_or(0.0)),
        }
    };
    Strategy::ALL.into_iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_optimum_is_the_best_of_all_assignments() {
        // Robot 0 does tasks 0 and 2 (3 + 4), robot 1 does task 1 (6): 7. Anything else takes longer.
        let instance = LearningInstance { times: vec![vec![3.0, 9.0, 4.0], vec![8.0, 6.0, 9.0]] };
        assert_eq!(instance.optimum(), 7.0);
        assert_eq!(LearningInstance { times: vec![vec![2.0, 3.0]] }.optimum(), 5.0);
        assert_eq!(LearningInstance { times: vec![vec![5.0], vec![1.0], vec![2.0]] }.optimum(), 1.0);
    }

    #[test]
    fn nobody_beats_the_optimum_and_everything_gets_done() {
        let robots = Robots::Similar;
        let exam = Exam { instances: 12, seed: 3, robots, learning: LearningParams::default() };
        let grades = grade(&exam);
        assert_eq!(grades.len(), 4);
        for number in 0..12 {
            let instance = LearningInstance::random(robots, 3, number);
            let ratio = ratio(&instance, &exam.learning, Strategy::IV).expect("IV finishes");
            assert!(ratio >= 1.0, "{ratio}");
        }
        let four = &grades[3];
        assert_eq!((four.strategy.as_str(), four.finished, four.unfinished), ("IV", 12, 0));
        assert_eq!(grade(&exam), grades, "the same for the same seed");
    }
}
