//! What a robot can do in a mission: its behaviour sets and what it knows.

use crate::command::Command;
use crate::coordinator::{Output, Situation};
use crate::message::Message;
use crate::task::{BehaviourId, Subject};

/// All behaviour sets of one robot together with its knowledge of the mission. A mission provides one such type;
/// coordinators see it only through this trait.
pub trait Skills {
    /// Takes in what the percept and the messages tell about the mission. Called first in every tick.
    fn learn(&mut self, situation: &Situation, inbox: &[Message], out: &mut Output);

    /// Whether a behaviour set makes sense now (ALLIANCE's sensory feedback).
    fn applicable(&self, behaviour: BehaviourId, situation: &Situation) -> bool;

    /// Expected time to get the behaviour set's next piece of work done. [s]
    fn cost(&self, behaviour: BehaviourId, situation: &Situation) -> f64;

    /// What exactly the behaviour set would work on now.
    fn subject(&self, _behaviour: BehaviourId) -> Subject {
        0
    }

    /// Performs the active behaviour set, or idles if there is none. `fresh` is true in the first tick after a change.
    fn act(
        &mut self,
        active: Option<BehaviourId>,
        fresh: bool,
        situation: &Situation,
        out: &mut Output,
    ) -> Command;
}

impl<S: Skills + ?Sized> Skills for Box<S> {
    fn learn(&mut self, situation: &Situation, inbox: &[Message], out: &mut Output) {
        (**self).learn(situation, inbox, out);
    }

    fn applicable(&self, behaviour: BehaviourId, situation: &Situation) -> bool {
        (**self).applicable(behaviour, situation)
    }

    fn cost(&self, behaviour: BehaviourId, situation: &Situation) -> f64 {
        (**self).cost(behaviour, situation)
    }

    fn subject(&self, behaviour: BehaviourId) -> Subject {
        (**self).subject(behaviour)
    }

    fn act(
        &mut self,
        active: Option<BehaviourId>,
        fresh: bool,
        situation: &Situation,
        out: &mut Output,
    ) -> Command {
        (**self).act(active, fresh, situation, out)
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
