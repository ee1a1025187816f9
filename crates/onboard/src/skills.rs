//! A robot's skills in a mission: its behaviour sets and its knowledge.

use crate::command::Command;
use crate::controller::Controller;
use crate::coordinator::{Output, Situation};
use crate::findings::Findings;
use crate::geometry::Vec2;
use crate::hardware::Identity;
use crate::locating::Locating;
use crate::message::Message;
use crate::percept::Percept;
use crate::sketch::Mark;
use crate::task::{BehaviourId, Choice, Outcome, Partner, Piece, Setback, Subject, TaskId};
use crate::time::Time;

/// A robot's assignment.
#[derive(Clone, Copy, Debug, Default)]
pub struct Duty<'a> {
    /// Its work; `None` if it idles.
    pub choice: Option<Choice>,
    /// True in the first tick after a change.
    pub fresh: bool,
    /// The partners who do the other parts of the plan, if there are any.
    pub partners: &'a [Partner],
    /// Work that runs beside the choice, the outermost first: what a robot's plan lets it do with the effectors that the choice
    /// leaves free. Most coordinators have none.
    pub beside: &'a [Choice],
    /// True if the choice is to be wound up: it ends when [`Skills::halted`] says so.
    pub halting: bool,
}

/// Queries about a robot's behaviour sets and about the mission as the robot knows it. Coordinators and observers of the robot
/// see its mission only through this trait; no query changes anything.
pub trait Skills {
    /// Whether a behaviour set makes sense now (ALLIANCE's sensory feedback).
    fn applicable(&self, behaviour: BehaviourId, situation: &Situation) -> bool;

    /// Appends the subjects that the behaviour set could work on now, the most promising first, to `subjects`. Called only while the
    /// set is applicable. Most tasks are not divided: they have the one subject 0.
    fn subjects(&self, _behaviour: BehaviourId, _situation: &Situation, subjects: &mut Vec<Subject>) {
        subjects.push(0);
    }

    /// Fills `subjects` with those that the behaviour set could work on now; empty if it is not applicable.
    fn possible(&self, behaviour: BehaviourId, situation: &Situation, subjects: &mut Vec<Subject>) {
        subjects.clear();
        if self.applicable(behaviour, situation) {
            self.subjects(behaviour, situation, subjects);
        }
    }

    /// Fills `subjects` with those that the behaviour set could work on now if partners do the other parts of a plan.
    fn together(&self, behaviour: BehaviourId, situation: &Situation, subjects: &mut Vec<Subject>) {
        self.possible(behaviour, situation, subjects);
    }

    /// Appends to `pieces` all work that has to be done as far as the robot knows, whoever may do it: the work that its own
    /// behaviour sets could do, unless the mission knows more.
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

    /// Expected time to complete a piece of work. [s]
    fn cost(&self, choice: Choice, situation: &Situation) -> f64;

    /// Appends to `costs` the expected time of each remaining action of a plan, with its index in the plan. Their sum is
    /// [`Skills::cost`]. [s]
    fn action_costs(&self, choice: Choice, situation: &Situation, costs: &mut Vec<(usize, f64)>) {
        costs.push((0, self.cost(choice, situation)));
    }

    /// The cost of using a capability for an action of a plan, by its index, beyond [`Skills::action_costs`]: c(a, κ) - c(a). [s]
    fn extra_cost(&self, _choice: Choice, _action: usize, _capability: &str, _situation: &Situation) -> f64 {
        0.0
    }

    /// Where the work takes the robot, as far as it knows: to a place whose ways may be better or worse than they look. [m]
    fn site(&self, _choice: Choice, _situation: &Situation) -> Option<Vec2> {
        None
    }

    /// The state of a piece of work that was assigned to the robot.
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

    /// The failure of an action, in the tick in which it happened.
    fn setback(&self, _choice: Choice, _situation: &Situation) -> Option<Setback> {
        None
    }

    /// When the robot learnt that a task is finished; `None` while it believes that something is left to do.
    fn finished(&self, _task: TaskId, _situation: &Situation) -> Option<Time> {
        None
    }

    /// The operator's urgency of a task, 1 for an ordinary one.
    fn urgency(&self, _task: TaskId) -> f64 {
        1.0
    }

    /// True if a piece of work can be left at once. Work that takes several ticks to wind up, such as putting something down, says
    /// false until then; it is told by [`Duty::halting`].
    fn halted(&self, _choice: Choice, _situation: &Situation) -> bool {
        true
    }

    /// The value of one of the mission's signals, by its place in the mission's list: a number, or 0 and 1 for false and true, that
    /// conditions and bids of a team's plan refer to by name; `None` if it is unknown now.
    fn signal(&self, _signal: usize, _situation: &Situation) -> Option<f64> {
        None
    }

    /// True if the robot believes that it is the leader of a group.
    fn leads(&self) -> bool {
        false
    }

    /// The current action, by its index in the plan; `None` if the mission does not track it.
    fn stage(&self) -> Option<usize> {
        None
    }

    /// Appends the waypoints that the robot is heading for, as it believes them, to `points`, for display; none if it stands
    /// still or has no goal. [m]
    fn plan(&self, _points: &mut Vec<Vec2>) {}

    /// Appends the robot's marks on a layer of its mission, by the layer's place in the mission's list, as the robot believes them from
    /// its percept and what it has heard.
    fn sketch(&self, _layer: usize, _me: &Identity, _percept: &Percept, _marks: &mut Vec<Mark>) {}

    /// The robot's map; `None` if its mission does not ask for one.
    fn findings(&self) -> Option<&dyn Findings> {
        None
    }

    /// The robot's estimate of its own pose; `None` if a sensor tells it where it is, or nothing does.
    fn locating(&self) -> Option<&dyn Locating> {
        None
    }

    /// The values of the mission's indicators, in its order; `None` for one that is undefined now.
    fn indicators(&self, _now: Time) -> Vec<Option<f64>> {
        Vec::new()
    }
}

/// A mission's software on one robot, as the on-board program uses it: all behaviour sets together with the robot's knowledge of
/// the mission. A mission provides one such type.
pub trait Performer {
    /// Learns about the mission from the percept and the messages. Called first in every tick.
    fn learn(&mut self, situation: &Situation, inbox: &[Message], out: &mut Output);

    /// Performs the active behaviour set, or idles if there is none.
    fn act(&mut self, duty: Duty, situation: &Situation, out: &mut Output) -> Command;

    /// Its query interface.
    fn skills(&self) -> &dyn Skills;

    /// The robot's controller; `None` if the mission drives it without one.
    fn controller(&self) -> Option<&dyn Controller> {
        None
    }

    /// Typical duration of a tick of learning and acting, roughly: that of the controller, unless the mission knows better. The
    /// simulator divides robots among threads by it; results do not depend on it. [µs]
    fn effort(&self) -> u32 {
        self.controller().map_or(1, Controller::effort)
    }
}

#[deny(clippy::missing_trait_methods)]
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

    fn controller(&self) -> Option<&dyn Controller> {
        (**self).controller()
    }

    fn effort(&self) -> u32 {
        (**self).effort()
    }
}

/// One behaviour set, for missions that keep a file per behaviour. `K` is the knowledge of the mission's robots.
pub trait Behaviour<K> {
    /// Whether it makes sense now.
    fn applicable(&self, known: &K, situation: &Situation) -> bool;

    /// Expected time to complete its next piece of work. [s]
    fn cost(&self, known: &K, situation: &Situation) -> f64;

    /// Called when it becomes active.
    fn start(&mut self, _known: &K, _situation: &Situation) {}

    /// Its action in this tick.
    fn act(&mut self, known: &mut K, situation: &Situation, out: &mut Output) -> Command;
}
