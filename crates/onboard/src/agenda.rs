//! The tasks that may be worked on now: the operator's orders, and the order between tasks.

use crate::coordinator::Situation;
use crate::findings::Findings;
use crate::geometry::Vec2;
use crate::hardware::Identity;
use crate::locating::Locating;
use crate::message::{Body, Message, WorkState};
use crate::percept::Percept;
use crate::robot_id::RobotId;
use crate::sketch::Mark;
use crate::skills::Skills;
use crate::task::{BehaviourId, Choice, Outcome, Piece, Setback, Subject, TaskId, TaskSpec};
use crate::time::Time;
use serde::{Deserialize, Serialize};

/// The operator's number on the air: no robot has it.
pub const OPERATOR: RobotId = RobotId(u16::MAX);

/// Largest number of team-mates remembered per task.
const MOST_HEARD: usize = 8;

/// A task that nobody was heard on for this long is not in progress. [s]
const SILENCE: f64 = 5.0;

/// A robot's knowledge of the state of one task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Standing {
    open: bool,
    weight: f64,
    /// Team-mates heard working on it, and when; the latest few.
    heard: Vec<(RobotId, Time)>,
}

/// A robot's knowledge of the state of all tasks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Agenda(Vec<Standing>);

impl Agenda {
    /// Processes the operator's orders and team-mates' statements about their work.
    pub(crate) fn note(&mut self, now: Time, tasks: &[TaskSpec], inbox: &[Message]) {
        if self.0.len() != tasks.len() {
            let standing =
                |task: &TaskSpec| Standing { open: task.open, weight: task.weight, heard: Vec::new() };
            self.0 = tasks.iter().map(standing).collect();
        }
        for message in inbox {
            match message.body {
                Body::Order { task, open, weight } if message.from == OPERATOR => {
                    if let Some(standing) = self.0.get_mut(usize::from(task.0)) {
                        (standing.open, standing.weight) = (open, weight);
                    }
                }
                Body::Heartbeat { task, state, .. } => {
                    if let Some(standing) = self.0.get_mut(usize::from(task.0)) {
                        standing.heard.retain(|(robot, _)| *robot != message.from);
                        if state != WorkState::Ended {
                            standing.heard.push((message.from, now));
                        }
                        if standing.heard.len() > MOST_HEARD {
                            standing.heard.remove(0);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn weight(&self, task: TaskId) -> f64 {
        self.0.get(usize::from(task.0)).map_or(1.0, |standing| standing.weight)
    }

    /// True if the operator wants the task and the order between tasks lets it be worked on now.
    fn allows(&self, task: TaskId, skills: &dyn Skills, situation: &Situation) -> bool {
        let place = usize::from(task.0);
        let (Some(standing), Some(spec)) = (self.0.get(place), situation.tasks.get(place)) else {
            return false;
        };
        let other_standing = |other: &TaskId| self.0.get(usize::from(other.0));
        let in_progress = |other: &TaskId| {
            other_standing(other)
                .is_some_and(|o| o.heard.iter().any(|(_, at)| situation.now.within(*at, SILENCE)))
        };
        // Cancelled tasks block nothing.
        let done = |other: &TaskId| {
            skills.finished(*other, situation).is_some() || other_standing(other).is_some_and(|o| !o.open)
        };
        // A time in the future is from before the robot's clock was set back.
        let late = |at: Time, period: f64| at > situation.now || situation.now.since(at) >= period;
        let due = |period: f64| skills.finished(task, situation).is_none_or(|at| late(at, period));
        standing.open
            && spec.after.iter().all(done)
            && (spec.during.is_empty() || spec.during.iter().any(in_progress))
            && spec.every.is_none_or(due)
    }
}

/// A robot's skills as its coordinator sees them: tasks that may not be worked on now are not applicable.
pub(crate) struct Gate<'a> {
    pub skills: &'a dyn Skills,
    pub agenda: &'a Agenda,
}

impl Gate<'_> {
    /// True if the task of a behaviour set may be worked on now, with partners if it is a part of a plan.
    fn allows(&self, behaviour: BehaviourId, situation: &Situation) -> bool {
        self.agenda.allows(situation.me.behaviour(behaviour).task, self.skills, situation)
    }

    /// True if the task of a behaviour set may be worked on now by a robot alone.
    fn allows_alone(&self, behaviour: BehaviourId, situation: &Situation) -> bool {
        // A part of a plan makes no sense alone.
        let part = situation.task(situation.me.behaviour(behaviour).task).is_some_and(|spec| spec.part);
        !part && self.allows(behaviour, situation)
    }
}

// A default method that is not forwarded would silently give wrong answers.
#[deny(clippy::missing_trait_methods)]
impl Skills for Gate<'_> {
    fn applicable(&self, behaviour: BehaviourId, situation: &Situation) -> bool {
        self.allows_alone(behaviour, situation) && self.skills.applicable(behaviour, situation)
    }

    fn subjects(&self, behaviour: BehaviourId, situation: &Situation, subjects: &mut Vec<Subject>) {
        self.skills.subjects(behaviour, situation, subjects);
    }

    fn possible(&self, behaviour: BehaviourId, situation: &Situation, subjects: &mut Vec<Subject>) {
        subjects.clear();
        if self.allows_alone(behaviour, situation) {
            self.skills.possible(behaviour, situation, subjects);
        }
    }

    fn together(&self, behaviour: BehaviourId, situation: &Situation, subjects: &mut Vec<Subject>) {
        subjects.clear();
        if self.allows(behaviour, situation) {
            self.skills.together(behaviour, situation, subjects);
        }
    }

    fn issued(&self, situation: &Situation, pieces: &mut Vec<Piece>) {
        let before = pieces.len();
        self.skills.issued(situation, pieces);
        let mut place = 0;
        pieces.retain(|piece| {
            place += 1;
            place <= before || self.agenda.allows(piece.task, self.skills, situation)
        });
    }

    fn cost(&self, choice: Choice, situation: &Situation) -> f64 {
        self.skills.cost(choice, situation)
    }

    fn action_costs(&self, choice: Choice, situation: &Situation, costs: &mut Vec<(usize, f64)>) {
        self.skills.action_costs(choice, situation, costs);
    }

    fn extra_cost(&self, choice: Choice, action: usize, capability: &str, situation: &Situation) -> f64 {
        self.skills.extra_cost(choice, action, capability, situation)
    }

    fn site(&self, choice: Choice, situation: &Situation) -> Option<Vec2> {
        self.skills.site(choice, situation)
    }

    fn outcome(&self, choice: Choice, situation: &Situation) -> Outcome {
        let task = situation.me.behaviour(choice.behaviour).task;
        match self.skills.outcome(choice, situation) {
            Outcome::Ongoing if !self.agenda.allows(task, self.skills, situation) => {
                match self.skills.finished(task, situation) {
                    Some(_) => Outcome::Done,
                    None => Outcome::Unwanted,
                }
            }
            outcome => outcome,
        }
    }

    fn setback(&self, choice: Choice, situation: &Situation) -> Option<Setback> {
        self.skills.setback(choice, situation)
    }

    fn finished(&self, task: TaskId, situation: &Situation) -> Option<Time> {
        self.skills.finished(task, situation)
    }

    fn urgency(&self, task: TaskId) -> f64 {
        self.agenda.weight(task)
    }

    fn halted(&self, choice: Choice, situation: &Situation) -> bool {
        self.skills.halted(choice, situation)
    }

    fn signal(&self, signal: usize, situation: &Situation) -> Option<f64> {
        self.skills.signal(signal, situation)
    }

    fn leads(&self) -> bool {
        self.skills.leads()
    }

    fn stage(&self) -> Option<usize> {
        self.skills.stage()
    }

    fn plan(&self, points: &mut Vec<Vec2>) {
        self.skills.plan(points);
    }

    fn indicators(&self, now: Time) -> Vec<Option<f64>> {
        self.skills.indicators(now)
    }

    fn sketch(&self, layer: usize, me: &Identity, percept: &Percept, marks: &mut Vec<Mark>) {
        self.skills.sketch(layer, me, percept, marks);
    }

    fn findings(&self) -> Option<&dyn Findings> {
        self.skills.findings()
    }

    fn locating(&self) -> Option<&dyn Locating> {
        self.skills.locating()
    }
}

/// Tasks that wait for each other in a circle, the first one again at the end; `None` if the order can be kept.
pub fn cycle(tasks: &[TaskSpec]) -> Option<Vec<TaskId>> {
    // 0: not visited, 1: on the current path, 2: done.
    let mut marks = vec![0u8; tasks.len()];
    (0..tasks.len()).find_map(|start| visit(start, tasks, &mut marks, &mut Vec::new()))
}

fn visit(task: usize, tasks: &[TaskSpec], marks: &mut [u8], way: &mut Vec<usize>) -> Option<Vec<TaskId>> {
    way.push(task);
    if marks.get(task) == Some(&1) {
        let start = way.iter().position(|on_way| *on_way == task).unwrap_or(0);
        return Some(way[start..].iter().map(|task| TaskId(*task as u16)).collect());
    }
    if marks.get(task) == Some(&0) {
        marks[task] = 1;
        for other in tasks[task].after.iter().chain(&tasks[task].during) {
            if let Some(cycle) = visit(usize::from(other.0), tasks, marks, way) {
                return Some(cycle);
            }
        }
        marks[task] = 2;
    }
    way.pop();
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tasks(after: &[&[u16]]) -> Vec<TaskSpec> {
        let task =
            |list: &&[u16]| list.iter().fold(TaskSpec::new("t", ""), |t, &other| t.after(TaskId(other)));
        after.iter().map(task).collect()
    }

    #[test]
    fn cyclic_tasks_are_found_and_acyclic_ones_accepted() {
        assert_eq!(cycle(&tasks(&[&[], &[0], &[0, 1], &[2]])), None);
        let found = cycle(&tasks(&[&[], &[0, 3], &[1], &[2]]));
        assert_eq!(found, Some(vec![TaskId(1), TaskId(3), TaskId(2), TaskId(1)]));
        assert_eq!(cycle(&tasks(&[&[0]])), Some(vec![TaskId(0), TaskId(0)]));
    }

    /// Skills with a behaviour set per task, all applicable, that know when each task was finished.
    struct Knows(Vec<Option<Time>>);

    impl Skills for Knows {
        fn applicable(&self, _: BehaviourId, _: &Situation) -> bool {
            true
        }

        fn cost(&self, _: Choice, _: &Situation) -> f64 {
            0.0
        }

        fn finished(&self, task: TaskId, _: &Situation) -> Option<Time> {
            self.0[usize::from(task.0)]
        }
    }

    /// A robot with a behaviour set for each task.
    fn identity(tasks: &[TaskSpec]) -> crate::hardware::Identity {
        let spec = |task: usize| crate::task::BehaviourSpec::new(&format!("{task}"), TaskId(task as u16));
        let datasheet = crate::hardware::Datasheet {
            radius: 0.1,
            max_speed: 1.0,
            max_turn: 1.0,
            sensors: Vec::new(),
            effectors: Vec::new(),
            further: Vec::new(),
        };
        crate::hardware::Identity {
            id: RobotId(0),
            name: "me".into(),
            robot_type: "rover".into(),
            priority: 0,
            datasheet: std::sync::Arc::new(datasheet),
            behaviours: (0..tasks.len()).map(spec).collect(),
            floor_plan: Default::default(),
            slam: Default::default(),
        }
    }

    /// The tasks that are allowed at each time, after these messages were heard at these times.
    fn allowed(
        tasks: &[TaskSpec],
        finished: &[Option<f64>],
        heard: &[(f64, RobotId, Body)],
        now: f64,
    ) -> Vec<bool> {
        let me = identity(tasks);
        let mut agenda = Agenda::default();
        agenda.note(Time::ZERO, tasks, &[]);
        for (at, from, body) in heard {
            let message = Message { from: *from, number: 0, lamport: 0, body: body.clone() };
            agenda.note(Time::from_seconds(*at), tasks, &[message]);
        }
        let knows = Knows(finished.iter().map(|at| at.map(Time::from_seconds)).collect());
        let gate = Gate { skills: &knows, agenda: &agenda };
        let percept = crate::percept::Percept::default();
        let situation = Situation {
            now: Time::from_seconds(now),
            dt: 0.1,
            me: &me,
            tasks,
            percept: &percept,
            radio: &crate::radio::NoRadio,
        };
        me.behaviours().map(|(id, _)| gate.applicable(id, &situation)).collect()
    }

    /// Skills whose answers all differ from the defaults.
    struct Odd;

    impl Skills for Odd {
        fn applicable(&self, _: BehaviourId, _: &Situation) -> bool {
            true
        }

        fn subjects(&self, _: BehaviourId, _: &Situation, subjects: &mut Vec<Subject>) {
            subjects.push(11);
        }

        fn possible(&self, _: BehaviourId, _: &Situation, subjects: &mut Vec<Subject>) {
            subjects.push(12);
        }

        fn together(&self, _: BehaviourId, _: &Situation, subjects: &mut Vec<Subject>) {
            subjects.push(13);
        }

        fn issued(&self, _: &Situation, pieces: &mut Vec<Piece>) {
            pieces.push(Piece { task: TaskId(0), subject: 14 });
        }

        fn cost(&self, _: Choice, _: &Situation) -> f64 {
            15.0
        }

        fn action_costs(&self, _: Choice, _: &Situation, costs: &mut Vec<(usize, f64)>) {
            costs.push((16, 17.0));
        }

        fn extra_cost(&self, _: Choice, _: usize, _: &str, _: &Situation) -> f64 {
            18.0
        }

        fn site(&self, _: Choice, _: &Situation) -> Option<Vec2> {
            Some(Vec2::ZERO)
        }

        fn outcome(&self, _: Choice, _: &Situation) -> Outcome {
            Outcome::Failed("odd")
        }

        fn setback(&self, _: Choice, _: &Situation) -> Option<Setback> {
            Some(Setback { why: "odd", capability: None })
        }

        fn finished(&self, _: TaskId, _: &Situation) -> Option<Time> {
            Some(Time(19))
        }

        fn urgency(&self, _: TaskId) -> f64 {
            20.0
        }

        fn halted(&self, _: Choice, _: &Situation) -> bool {
            false
        }

        fn signal(&self, signal: usize, _: &Situation) -> Option<f64> {
            Some(signal as f64)
        }

        fn leads(&self) -> bool {
            true
        }

        fn stage(&self) -> Option<usize> {
            Some(21)
        }

        fn plan(&self, points: &mut Vec<Vec2>) {
            points.push(Vec2::ZERO);
        }

        fn sketch(&self, layer: usize, _: &Identity, _: &Percept, marks: &mut Vec<Mark>) {
            marks.push(Mark::Circle { at: Vec2::ZERO, radius: layer as f64 });
        }
    }

    #[test]
    fn the_gate_forwards_every_answer_of_the_skills() {
        let tasks = [TaskSpec::new("task", "")];
        let me = identity(&tasks);
        let mut agenda = Agenda::default();
        agenda.note(Time::ZERO, &tasks, &[]);
        let percept = crate::percept::Percept::default();
        let now = Time::from_seconds(1.0);
        let radio = &crate::radio::NoRadio;
        let situation = Situation { now, dt: 0.1, me: &me, tasks: &tasks, percept: &percept, radio };
        let (gate, set) = (Gate { skills: &Odd, agenda: &agenda }, BehaviourId(0));
        let choice = Choice { behaviour: set, subject: 0 };
        assert!(gate.applicable(set, &situation));
        let mut subjects = Vec::new();
        gate.subjects(set, &situation, &mut subjects);
        assert_eq!(subjects, [11]);
        gate.possible(set, &situation, &mut subjects);
        assert_eq!(subjects, [12]);
        gate.together(set, &situation, &mut subjects);
        assert_eq!(subjects, [13]);
        let mut pieces = Vec::new();
        gate.issued(&situation, &mut pieces);
        assert_eq!(pieces, [Piece { task: TaskId(0), subject: 14 }]);
        assert_eq!(gate.cost(choice, &situation), 15.0);
        let mut costs = Vec::new();
        gate.action_costs(choice, &situation, &mut costs);
        assert_eq!(costs, [(16, 17.0)]);
        assert_eq!(gate.extra_cost(choice, 0, "odd", &situation), 18.0);
        assert_eq!(gate.site(choice, &situation), Some(Vec2::ZERO));
        assert_eq!(gate.outcome(choice, &situation), Outcome::Failed("odd"));
        assert_eq!(gate.setback(choice, &situation), Some(Setback { why: "odd", capability: None }));
        assert_eq!(gate.finished(TaskId(0), &situation), Some(Time(19)));
        assert_eq!(gate.urgency(TaskId(0)), 1.0, "the operator decides that");
        assert!(!gate.halted(choice, &situation));
        assert_eq!(gate.signal(20, &situation), Some(20.0));
        assert!(gate.leads());
        assert_eq!(gate.stage(), Some(21));
        let mut points = Vec::new();
        gate.plan(&mut points);
        assert_eq!(points, [Vec2::ZERO]);
        let mut marks = Vec::new();
        gate.sketch(22, &me, &percept, &mut marks);
        assert_eq!(marks, [Mark::Circle { at: Vec2::ZERO, radius: 22.0 }]);
    }

    #[test]
    fn a_task_waits_for_its_predecessors_and_recurs() {
        let tasks = [
            TaskSpec::new("first", ""),
            TaskSpec::new("second", "").after(TaskId(0)),
            TaskSpec::new("rounds", "").every(60.0),
        ];
        assert_eq!(allowed(&tasks, &[None, None, None], &[], 5.0), [true, false, true]);
        assert_eq!(allowed(&tasks, &[Some(4.0), None, Some(4.0)], &[], 5.0), [true, true, false]);
        assert_eq!(allowed(&tasks, &[Some(4.0), None, Some(4.0)], &[], 64.0), [true, true, true]);
        assert_eq!(
            allowed(&tasks, &[None, None, Some(900.0)], &[], 64.0),
            [true, false, true],
            "a clock set back"
        );
    }

    #[test]
    fn a_concurrent_task_is_allowed_while_somebody_is_heard_on_the_other() {
        let tasks = [TaskSpec::new("lead", ""), TaskSpec::new("watch", "").during(TaskId(0))];
        let beat = |state| Body::Heartbeat { task: TaskId(0), subject: 3, state, priority: 0 };
        let working = [(2.0, RobotId(7), beat(WorkState::Working))];
        let watch = |heard: &[(f64, RobotId, Body)], now: f64| allowed(&tasks, &[None, None], heard, now)[1];
        assert!(!watch(&[], 3.0));
        assert!(watch(&working, 3.0));
        assert!(!watch(&working, 8.0), "silence");
        let ended = [working[0].clone(), (2.5, RobotId(7), beat(WorkState::Ended))];
        assert!(!watch(&ended, 3.0));
    }

    #[test]
    fn only_the_operator_cancels_and_adds() {
        let mut tasks = [TaskSpec::new("wanted", ""), TaskSpec::new("later", "")];
        tasks[1].open = false;
        let order = |task: u16, open: bool| Body::Order { task: TaskId(task), open, weight: 1.0 };
        let after = |heard: &[(f64, RobotId, Body)]| allowed(&tasks, &[None, None], heard, 9.0);
        assert_eq!(after(&[]), [true, false]);
        assert_eq!(
            after(&[(1.0, OPERATOR, order(0, false)), (1.0, OPERATOR, order(1, true))]),
            [false, true]
        );
        assert_eq!(after(&[(1.0, RobotId(3), order(0, false))]), [true, false]);
        assert_eq!(after(&[(1.0, OPERATOR, order(900, false))]), [true, false], "a task that is not there");
    }
}
