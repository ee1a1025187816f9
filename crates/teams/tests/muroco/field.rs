//! A field where robots coordinated by MuRoCo work: messages as bytes that can be lost and late, robots that crash, and a ground
//! truth that records what was done and by whom.

use crewlab_onboard::{
    BehaviourId, BehaviourSpec, Choice, Command, Constraint, Datasheet, Duty, Event, Identity, Message,
    Names, NoRadio, Outcome, Output, Percept, Performer, Piece, RobotId, Situation, Skills, Software, Step,
    Stream, StreamKind, Subject, TaskId, TaskSpec, Time,
};
use crewlab_teams::muroco::{MarketMessage, Muroco, MurocoParams, Tally};
use crewlab_teams::{Boot, Plugin};
use std::borrow::Cow;
use std::sync::Arc;

/// Length of a tick. [s]
pub const TICK: f64 = 0.1;

/// A robot's skills: it knows the work to be done, and its costs for each part.
#[derive(Clone, Debug)]
pub struct Labour {
    /// Cost per behaviour set; infinite for sets that it cannot do.
    pub costs: Vec<f64>,
    /// The work to do, as it perceives it.
    pub to_do: Vec<Piece>,
    /// The task of the whole for each part.
    whole: Vec<TaskId>,
    /// Its current work and its partners.
    pub at: Option<(Piece, TaskId, Vec<RobotId>)>,
}

impl Labour {
    fn wanted(&self, part: TaskId) -> Vec<Subject> {
        let whole = self.whole[usize::from(part.0)];
        self.to_do.iter().filter(|piece| piece.task == whole).map(|piece| piece.subject).collect()
    }
}

impl Skills for Labour {
    fn applicable(&self, behaviour: BehaviourId, situation: &Situation) -> bool {
        let able = self.costs[usize::from(behaviour.0)].is_finite();
        able && !self.wanted(situation.me.behaviour(behaviour).task).is_empty()
    }

    fn subjects(&self, behaviour: BehaviourId, situation: &Situation, subjects: &mut Vec<Subject>) {
        subjects.extend(self.wanted(situation.me.behaviour(behaviour).task));
    }

    fn issued(&self, _: &Situation, pieces: &mut Vec<Piece>) {
        pieces.extend(&self.to_do);
    }

    fn cost(&self, choice: Choice, _: &Situation) -> f64 {
        self.costs[usize::from(choice.behaviour.0)]
    }

    fn outcome(&self, choice: Choice, situation: &Situation) -> Outcome {
        let task = situation.me.behaviour(choice.behaviour).task;
        if self.wanted(task).contains(&choice.subject) { Outcome::Ongoing } else { Outcome::Done }
    }
}

impl Performer for Labour {
    fn learn(&mut self, _: &Situation, _: &[Message], _: &mut Output) {}

    fn act(&mut self, duty: Duty, situation: &Situation, _: &mut Output) -> Command {
        self.at = duty.choice.map(|choice| {
            let part = situation.me.behaviour(choice.behaviour).task;
            let piece = Piece { task: self.whole[usize::from(part.0)], subject: choice.subject };
            (piece, part, duty.partners.iter().map(|partner| partner.robot).collect())
        });
        Command::stop()
    }

    fn skills(&self) -> &dyn Skills {
        self
    }
}

/// One robot.
pub struct Robot {
    pub identity: Identity,
    pub software: Software<Muroco, Labour>,
    pub runs: bool,
    pub events: Vec<(f64, Event)>,
    /// The kinds of messages it sent, with their times.
    pub said: Vec<(f64, Option<RobotId>, MarketMessage)>,
    step: Step,
    costs: Vec<f64>,
}

/// The work to do and its progress.
#[derive(Clone, Debug)]
pub struct Job {
    pub piece: Piece,
    /// Remaining work, in ticks in which all parts are worked on.
    pub left: u32,
    /// Who worked on it, by part, in the last tick.
    pub hands: Vec<(TaskId, RobotId)>,
}

/// The field.
pub struct Field {
    pub robots: Vec<Robot>,
    pub tasks: Vec<TaskSpec>,
    pub jobs: Vec<Job>,
    /// Share of messages that are lost.
    pub loss: f64,
    /// Largest number of ticks that a message takes beyond the first.
    pub delay: usize,
    params: MurocoParams,
    air: Vec<(u64, usize, Vec<u8>)>,
    pub tick: u64,
    seed: u64,
}

/// Tasks for one robot, and tasks for several: each of those has a plan for every size from two to its own, and cannot be
/// done alone. Task 0 is the first, then all parts.
pub fn tasks(single: usize, sizes: &[usize]) -> Vec<TaskSpec> {
    let mut tasks: Vec<TaskSpec> =
        (0..single).map(|place| TaskSpec::new(&format!("single{place}"), "")).collect();
    let parts_from = single + sizes.len();
    let most = sizes.iter().copied().max().unwrap_or(0);
    let part = |place: usize| TaskId((parts_from + place) as u16);
    for (place, size) in sizes.iter().enumerate() {
        let plans = (2..=*size).map(|k| (0..k).map(part).collect::<Vec<_>>());
        let task = TaskSpec::new(&format!("several{place}"), "");
        tasks.push(plans.fold(task, |task, parts| task.together(&format!("{} robots", parts.len()), &parts)));
        // Nobody can do it alone.
        let last = tasks.len() - 1;
        tasks[last].needs = Constraint::Any(Vec::new());
    }
    tasks.extend((0..most).map(|place| TaskSpec::new(&format!("part{place}"), "").as_part()));
    tasks
}

impl Field {
    /// A field with these tasks, each once as a job of this many ticks; `costs[robot][task]`, infinite for tasks that the robot
    /// cannot do.
    pub fn new(
        params: MurocoParams,
        tasks: Vec<TaskSpec>,
        costs: Vec<Vec<f64>>,
        work: u32,
        seed: u64,
    ) -> Field {
        let jobs = tasks.iter().enumerate().filter(|(_, spec)| !spec.part).map(|(task, _)| Job {
            piece: Piece { task: TaskId(task as u16), subject: 0 },
            left: work,
            hands: Vec::new(),
        });
        let mut field = Field {
            robots: Vec::new(),
            jobs: jobs.collect(),
            loss: 0.0,
            delay: 0,
            params,
            air: Vec::new(),
            tick: 0,
            seed,
            tasks,
        };
        for (id, costs) in costs.into_iter().enumerate() {
            let robot = field.robot(id, costs);
            field.robots.push(robot);
        }
        field
    }

    fn robot(&self, id: usize, costs: Vec<f64>) -> Robot {
        let able: Vec<usize> = (0..self.tasks.len()).filter(|task| costs[*task].is_finite()).collect();
        let behaviours: Arc<[BehaviourSpec]> = able
            .iter()
            .map(|task| BehaviourSpec::new(&self.tasks[*task].name, TaskId(*task as u16)))
            .collect();
        let datasheet = Datasheet {
            radius: 0.1,
            max_speed: 1.0,
            max_turn: 1.0,
            sensors: Vec::new(),
            effectors: Vec::new(),
            further: Vec::new(),
        };
        let identity = Identity {
            id: RobotId::from_index(id),
            name: format!("r{id}"),
            robot_type: "hand".into(),
            priority: 0,
            datasheet: Arc::new(datasheet),
            behaviours,
            floor_plan: Default::default(),
            slam: Default::default(),
        };
        let boot = Boot {
            me: &identity,
            tasks: &self.tasks,
            roster: &[("r0".into(), RobotId(0))],
            signals: &[],
            restarted: false,
            reserve: &[],
        };
        let coordinator = Muroco::boot(&self.params, &boot).expect("boots");
        // A part belongs to the first task for several robots; tests with parts have one such task.
        let several = self.tasks.iter().position(|spec| !spec.plans.is_empty()).unwrap_or(0);
        let whole = self.tasks.iter().enumerate();
        let whole = whole.map(|(task, spec)| TaskId(if spec.part { several } else { task } as u16)).collect();
        let labour = Labour {
            costs: able.iter().map(|task| costs[*task]).collect(),
            to_do: Vec::new(),
            whole,
            at: None,
        };
        Robot {
            identity,
            software: Software::new(coordinator, labour),
            runs: true,
            events: Vec::new(),
            said: Vec::new(),
            step: Step::default(),
            costs,
        }
    }

    /// The robot's memory is lost and its software restarts.
    pub fn reboot(&mut self, robot: usize) {
        let fresh = self.robot(robot, self.robots[robot].costs.clone());
        let old = std::mem::replace(&mut self.robots[robot], fresh);
        (self.robots[robot].events, self.robots[robot].said) = (old.events, old.said);
    }

    pub fn now(&self) -> f64 {
        self.tick as f64 * TICK
    }

    /// Transmits bytes that one robot hears in its next tick.
    pub fn inject(&mut self, listener: usize, bytes: Vec<u8>) {
        self.air.push((self.tick, listener, bytes));
    }

    /// One tick of everybody.
    pub fn step(&mut self) {
        let mut random = Stream::new(self.seed, StreamKind::World, 0, self.tick);
        let open: Vec<Piece> = self.jobs.iter().filter(|job| job.left > 0).map(|job| job.piece).collect();
        for place in 0..self.robots.len() {
            let heard: Vec<Vec<u8>> = {
                let (due, later) = std::mem::take(&mut self.air)
                    .into_iter()
                    .partition(|(at, listener, _)| *listener == place && *at <= self.tick);
                self.air = later;
                let due: Vec<(u64, usize, Vec<u8>)> = due;
                due.into_iter().map(|(_, _, bytes)| bytes).collect()
            };
            if !self.robots[place].runs {
                continue;
            }
            self.think(place, &open, &heard);
            let frames = std::mem::take(&mut self.robots[place].step.frames);
            for frame in &frames {
                let to = |listener: usize| frame.to.is_none_or(|to| to.index() == listener);
                for listener in (0..self.robots.len()).filter(|l| *l != place && to(*l)) {
                    if !random.chance(self.loss) {
                        let late = if self.delay == 0 { 0 } else { random.below(self.delay + 1) };
                        self.air.push((self.tick + 1 + late as u64, listener, frame.bytes.clone()));
                    }
                }
            }
        }
        self.work();
        self.tick += 1;
    }

    pub fn steps(&mut self, count: usize) {
        (0..count).for_each(|_| self.step());
    }

    fn think(&mut self, place: usize, open: &[Piece], heard: &[Vec<u8>]) {
        let (seed, tick) = (self.seed, self.tick);
        let robot = &mut self.robots[place];
        robot.software.performer.to_do = open.to_vec();
        let now = Time(tick * 100_000_000);
        let percept = Percept::default();
        let situation = Situation {
            now,
            dt: TICK,
            me: &robot.identity,
            tasks: &self.tasks,
            percept: &percept,
            radio: &NoRadio,
        };
        let mut random = Stream::of_robot(seed, StreamKind::Decisions, robot.identity.id, tick);
        let receive = |hear: &mut dyn FnMut(&[u8])| heard.iter().for_each(|frame| hear(frame));
        robot.software.step(&situation, receive, &mut random, &mut robot.step);
        let seconds = now.seconds();
        robot.events.extend(robot.step.events.iter().map(|event| (seconds, event.clone())));
        for frame in &robot.step.frames {
            let message = Message::decode(&frame.bytes).expect("says only messages");
            if let Some(talk) = MarketMessage::of(&message.body) {
                robot.said.push((seconds, frame.to, talk));
            }
        }
    }

    // A job makes progress if all its parts are worked on.
    fn work(&mut self) {
        for job in &mut self.jobs {
            job.hands.clear();
        }
        for robot in self.robots.iter().filter(|robot| robot.runs) {
            if let Some((piece, part, _)) = &robot.software.performer.at
                && let Some(job) = self.jobs.iter_mut().find(|job| job.piece == *piece)
            {
                job.hands.push((*part, robot.identity.id));
            }
        }
        for job in &mut self.jobs {
            let spec = &self.tasks[usize::from(job.piece.task.0)];
            let mut parts: Vec<TaskId> = job.hands.iter().map(|(part, _)| *part).collect();
            parts.sort_unstable();
            parts.dedup();
            let complete =
                parts.contains(&job.piece.task) || spec.plans.iter().any(|plan| plan.parts == parts);
            if complete {
                job.left = job.left.saturating_sub(1);
            }
        }
    }

    pub fn done(&self) -> bool {
        self.jobs.iter().all(|job| job.left == 0)
    }

    /// Messages of all auctions so far.
    pub fn tally(&self) -> Tally {
        let each = self.robots.iter().map(|robot| robot.software.coordinator.tally());
        each.fold(Tally::default(), |a, b| Tally {
            announce: a.announce + b.announce,
            request: a.request + b.request,
            reply: a.reply + b.reply,
            bid: a.bid + b.bid,
            assign: a.assign + b.assign,
            acknowledge: a.acknowledge + b.acknowledge,
        })
    }

    /// An event as a sentence.
    pub fn sentence(&self, event: &Event) -> String {
        event.sentence(self)
    }

    /// All events of a kind.
    pub fn events(&self, kind: &str) -> Vec<(f64, &Event)> {
        let all = self.robots.iter().flat_map(|robot| &robot.events);
        all.filter(|(_, event)| event.kind.name() == kind).map(|(at, event)| (*at, event)).collect()
    }

    /// Robots at work on the same part of the same job.
    pub fn doubled(&self) -> Vec<(Piece, Vec<RobotId>)> {
        let mut doubled = Vec::new();
        for job in &self.jobs {
            let mut parts: Vec<TaskId> = job.hands.iter().map(|(part, _)| *part).collect();
            parts.sort_unstable();
            parts.dedup();
            for part in parts {
                let hands: Vec<RobotId> =
                    job.hands.iter().filter(|(known, _)| *known == part).map(|(_, robot)| *robot).collect();
                if hands.len() > 1 {
                    doubled.push((job.piece, hands));
                }
            }
        }
        doubled
    }
}

impl Names for Field {
    fn robot(&self, robot: RobotId) -> Cow<'_, str> {
        format!("r{robot}").into()
    }

    fn task(&self, task: TaskId) -> Cow<'_, str> {
        self.tasks[usize::from(task.0)].name.as_str().into()
    }
}
