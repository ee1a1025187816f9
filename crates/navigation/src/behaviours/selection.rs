//! The selection of a behaviour (figure B.4): who asks with at least the priority of the one in charge takes over.

use super::Behaviour;
use serde::{Deserialize, Serialize};

/// A part of the robot that can ask for a behaviour: its dialogue, its vision, its safety.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caller {
    /// Which part.
    pub id: u16,
    /// How important it is for safety and for the goal. Nobody has priority 0.
    pub priority: u8,
}

/// A request for a behaviour: trigger(c*, b*).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Trigger {
    /// Who asks.
    pub caller: Caller,
    /// What for.
    pub behaviour: Behaviour,
}

/// How the active behaviour is getting on: s(b_a).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// It goes on.
    Running,
    /// It has done what was asked.
    Completed,
    /// It cannot do it.
    Failed,
}

/// The state machine of figure B.4. Its priority check takes no time, so it is the function [`Selection::trigger`] and no state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Selection {
    /// The accepted request; none while inactive.
    active: Option<Trigger>,
}

impl Selection {
    /// The active behaviour b_a; idle while inactive.
    pub fn behaviour(&self) -> Behaviour {
        self.active.unwrap_or_default().behaviour
    }

    /// Who is in charge: c_a.
    pub fn caller(&self) -> Option<Caller> {
        self.active.map(|trigger| trigger.caller)
    }

    /// True if nobody has asked for anything, or it is finished.
    pub fn is_inactive(&self) -> bool {
        self.active.is_none()
    }

    /// A request arrives; true if it is accepted: p(c*) ≥ p(c_a). Otherwise the old behaviour goes on.
    pub fn trigger(&mut self, trigger: Trigger) -> bool {
        let accepted = trigger.caller.priority >= self.caller().unwrap_or_default().priority;
        if accepted {
            self.active = Some(trigger);
        }
        accepted
    }

    /// The control reports the state of the behaviour; one that is completed or failed ends.
    pub fn report(&mut self, status: Status) {
        if status != Status::Running {
            self.active = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(id: u16, priority: u8, behaviour: Behaviour) -> Trigger {
        Trigger { caller: Caller { id, priority }, behaviour }
    }

    /// Every arrow of figure B.4.
    #[test]
    fn the_state_machine_is_that_of_figure_b4() {
        let mut selection = Selection::default();
        assert!(
            selection.is_inactive()
                && selection.behaviour() == Behaviour::Idle
                && selection.caller().is_none()
        );
        assert!(selection.trigger(ask(1, 2, Behaviour::Explore)), "from inactive to active");
        assert!(!selection.trigger(ask(2, 1, Behaviour::FollowPerson)), "a lower priority is refused");
        assert_eq!(selection.behaviour(), Behaviour::Explore, "the old behaviour goes on");
        assert!(selection.trigger(ask(3, 2, Behaviour::FollowPerson)), "an equal priority takes over");
        assert_eq!(
            (selection.behaviour(), selection.caller().map(|caller| caller.id)),
            (Behaviour::FollowPerson, Some(3))
        );
        assert!(selection.trigger(ask(4, 9, Behaviour::Idle)), "an emergency");
        assert!(!selection.is_inactive() && !selection.trigger(ask(1, 2, Behaviour::Explore)));
        selection.report(Status::Running);
        assert!(!selection.is_inactive());
        for status in [Status::Completed, Status::Failed] {
            selection.trigger(ask(4, 9, Behaviour::Explore));
            selection.report(status);
            assert!(selection.is_inactive() && selection.behaviour() == Behaviour::Idle);
            assert!(selection.trigger(ask(5, 0, Behaviour::Explore)), "anybody may ask an inactive robot");
        }
    }
}
