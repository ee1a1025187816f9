//! What a robot can do in a mission: its behaviour sets and what it knows.

use crate::command::Command;
use crate::coordinator::{Output, Situation};
use crate::geometry::Vec2;
use crate::message::Message;
use crate::task::{BehaviourId, Choice, Outcome, Partner, Piece, Setback, Subject, TaskId};
use crate::time::Time;

/// What a robot is to do now.
#[derive(Clone, Copy, Debug, Default)]
pub struct Duty<'a> {
    /// What it works on; nothing if it idles.
    pub choice: Option<Choice>,
    /// True in the first tick after a change.
    pub fresh: bool,
    /// Who does the other parts, if it is a part of a plan.
    pub partners: &'a [Partner],
}

/// What a robot can say about its behaviour sets and about the mission as it knows it. Coordinators, and those who watch
/// the robot, see its mission through this trait only; nobody changes anything by asking.
pub trait Skills {
    /// Whether a behaviour set makes sense now (ALLIANCE's sensory feedback).
    fn applicable(&self, behaviour: BehaviourId, situation: &Situation) -> bool;

    /// What exactly the behaviour set could work on now, the most promising first, appended to `subjects`. Asked
    /// only while the set is applicable. Most tasks are not divided: they have the one subject 0.
    fn subjects(&self, _behaviour: BehaviourId, _situation: &Situation, subjects: &mut Vec<Subject>) {
        subjects.push(0);
    }

    /// What exactly the behaviour set could work on now, nothing if it is not applicable, put into `subjects`.
    fn possible(&self, behaviour: BehaviourId, situation: &Situation, subjects: &mut Vec<Subject>) {
        subjects.clear();
        if self.applicable(behaviour, situation) {
            self.subjects(behaviour, situation, subjects);
        }
    }

    /// What the behaviour set could work on now if partners do the other parts of a plan, put into `subjects`.
    fn together(&self, behaviour: BehaviourId, situation: &Situation, subjects: &mut Vec<Subject>) {
        self.possible(behaviour, situation, subjects);
    }

    /// What has to be done as far as the robot knows, whoever may do it, appended to `pieces`: what its own behaviour
    /// sets could work on, unless the mission knows more.
    fn issued(&self, situation: &Situation, pieces: &mut Vec<Piece>) {
        let mut subjects = Vec::new();
        for (id, spec) in situation.me.behaviours() {
            self.possible(id, situation, &mut subjects);
            let new = subjects.iter().map(|&subject| Piece { task: spec.task, subject });
            for piece in new {
                if !pieces.contains(&piece) {
                    pieces.push(piece);
                }
            }
        }
    }

    /// Expected time to get a piece of work done. [s]
    fn cost(&self, choice: Choice, situation: &Situation) -> f64;

    /// Expected time for each action that is left of a plan, with its place in the plan, appended to `costs`. Their
    /// sum is [`Skills::cost`]. [s]
    fn action_costs(&self, choice: Choice, situation: &Situation, costs: &mut Vec<(usize, f64)>) {
        costs.push((0, self.cost(choice, situation)));
    }

    /// How a piece of work that the robot was given stands.
    fn outcome(&self, choice: Choice, situation: &Situation) -> Outcome {
        let mut subjects = Vec::new();
        self.together(choice.behaviour, situation, &mut subjects);
        let task = situation.me.behaviour(choice.behaviour).task;
        if subjects.contains(&choice.subject) {
            Outcome::Ongoing
        } else if choice.subject != 0 || self.finished(task, situation).is_some() {
            Outcome::Done
        } else {
            Outcome::Failed("it makes no sense any more")
        }
    }

    /// What has just gone wrong with an action, in the tick in which it did.
    fn setback(&self, _choice: Choice, _situation: &Situation) -> Option<Setback> {
        None
    }

    /// When the robot learnt that a task is finished; `None` while, as far as it knows, something is left to do.
    fn finished(&self, _task: TaskId, _situation: &Situation) -> Option<Time> {
        None
    }

    /// How urgent the operator finds a task, 1 for an ordinary one.
    fn urgency(&self, _task: TaskId) -> f64 {
        1.0
    }

    /// True if the robot holds itself for the leader of a group.
    fn leads(&self) -> bool {
        false
    }

    /// The action that the robot is at, by its place in the plan of what it does; `None` if the mission does not keep
    /// track of it.
    fn stage(&self) -> Option<usize> {
        None
    }

    /// Where the robot is heading now, for those who watch it: points one after the other, as the robot believes the
    /// world to be, appended to `points`; nothing if it stays where it is or has no goal. [m]
    fn plan(&self, _points: &mut Vec<Vec2>) {}
}

/// A mission's software on one robot, as the on-board program drives it: all behaviour sets together with the robot's
/// knowledge of the mission. A mission provides one such type.
pub trait Performer {
    /// Takes in what the percept and the messages tell about the mission. Called first in every tick.
    fn learn(&mut self, situation: &Situation, inbox: &[Message], out: &mut Output);

    /// Performs the active behaviour set, or idles if there is none.
    fn act(&mut self, duty: Duty, situation: &Situation, out: &mut Output) -> Command;

    /// What may be asked about it.
    fn skills(&self) -> &dyn Skills;
}

impl<P: Performer + ?Sized> Performer for Box<P> {
    fn learn(&mut self, situation: &Situation, inbox: &[Message], out: &mut Output) {
        (**self).learn(situation, inbox, out);
    }

    fn act(&mut self, duty: Duty, situation: &Situation, out: &mut Output) -> Command {
        (**self).act(duty, situation, out)
    }

    fn skills(&self) -> &dyn Skills {
        (**self).skills()
    }
}

/// One behaviour set, for missions that keep a file per behaviour. `K` is what the mission's robots know.
pub trait Behaviour<K> {
    /// Whether it makes sense now.
    fn applicable(&self, known: &K, situation: &Situation) -> bool;

    /// Expected time to get its next piece of work done. [s]
    fn cost(&self, known: &K, situation: &Situation) -> f64;

    /// Called when it becomes active.
    fn start(&mut self, _known: &K, _situation: &Situation) {}

    /// What it does this tick.
    fn act(&mut self, known: &mut K, situation: &Situation, out: &mut Output) -> Command;
}
