//! The interface for software outside the simulator: it decides for the robots that were delegated to it, from exactly the inputs
//! of their on-board software. Its answers are checked, so that none can harm a run.

use crewlab_onboard::{
    BehaviourId, Choice, Command, Event, Frame, Identity, Outcome, RobotId, Situation, Stream, TaskId,
    TaskSpec,
};

/// The inputs of a delegated robot in a tick.
pub struct Request<'a> {
    /// Its identity, its percept, its clock, its radio.
    pub situation: Situation<'a>,
    /// The frames that its radio received, as bytes, in the order of arrival.
    pub heard: Vec<&'a [u8]>,
    /// Random numbers for this robot's choices in this tick.
    pub random: Stream,
}

/// The decision for a delegated robot in a tick.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The robot.
    pub robot: RobotId,
    /// The command to its hardware.
    pub command: Command,
    /// Messages to send, in this order.
    pub frames: Vec<Frame>,
    /// Explanations, for the log.
    pub events: Vec<Event>,
    /// Its work from now on.
    pub active: Option<Choice>,
    /// The work that it stopped, and its state as far as the robot knows.
    pub left: Option<(Choice, Outcome)>,
}

impl Decision {
    /// Stands still and works on nothing.
    pub fn idle(robot: RobotId) -> Decision {
        Decision {
            robot,
            command: Command::stop(),
            frames: Vec::new(),
            events: Vec::new(),
            active: None,
            left: None,
        }
    }
}

/// Decides for robots from outside: in another language, in another process, or in a test.
pub trait Decider {
    /// Called with all delegated robots that run, once per tick; with visibility `same-tick` once per robot, in the
    /// order of the team. Returns one decision per request, in any order. A robot without a valid decision stands still
    /// and sends nothing in this tick, and an event in the log gives the reason.
    fn decide(&mut self, requests: &[Request<'_>]) -> Vec<Decision>;
}

/// Decides nothing.
pub(crate) struct Nobody;

impl Decider for Nobody {
    fn decide(&mut self, _: &[Request<'_>]) -> Vec<Decision> {
        Vec::new()
    }
}

/// The error for a delegated robot that is not in the team.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no robot number {}: the team has {team}, counted from 0", robot)]
pub struct NoSuchRobot {
    /// The requested number.
    pub robot: RobotId,
    /// Number of robots.
    pub team: usize,
}

/// The ranges of the numbers in a decision.
pub(crate) struct Bounds<'a> {
    pub(crate) me: &'a Identity,
    pub(crate) tasks: &'a [TaskSpec],
    pub(crate) team: usize,
}

impl Bounds<'_> {
    /// Checks everything but the sizes of messages, which the radio limits. The error says what is wrong and what is accepted.
    pub(crate) fn check(&self, decision: &Decision) -> Result<(), String> {
        let Command { speed, side, turn, uses } = &decision.command;
        for (name, value) in [("speed", speed), ("side", side), ("turn", turn)] {
            if !value.is_finite() {
                return Err(format!("`{name}` of its command is {value}, not a finite number"));
            }
        }
        for action in uses {
            let (place, count) = (action.effector.0, self.me.datasheet.effectors.len());
            below("its command uses effector", usize::from(place), count)?;
        }
        for to in decision.frames.iter().filter_map(|frame| frame.to) {
            self.robot("a message is for robot", to)?;
        }
        let left = decision.left.map(|(choice, _)| choice);
        for choice in decision.active.into_iter().chain(left) {
            self.behaviour("it works on behaviour set", choice.behaviour)?;
        }
        decision.events.iter().try_for_each(|event| self.event(event))
    }

    fn event(&self, event: &Event) -> Result<(), String> {
        event.behaviour.map_or(Ok(()), |id| self.behaviour("an event is about behaviour set", id))?;
        event.task.map_or(Ok(()), |id| self.task("an event is about task", id))?;
        event.other.map_or(Ok(()), |id| self.robot("an event is about robot", id))?;
        for bid in &event.bids {
            self.robot("an event has a bid of robot", bid.robot)?;
            self.task("an event has a bid for task", bid.part)?;
        }
        for robot in event.terms.iter().filter_map(|term| term.of) {
            self.robot("an event has a number of robot", robot)?;
        }
        let terms = event.terms.iter().map(|term| (term.name, term.value));
        let mut numbers = terms.chain(event.bids.iter().map(|bid| ("bid", bid.value)));
        match numbers.find(|(_, value)| !value.is_finite()) {
            Some((name, value)) => Err(format!("`{name}` of an event is {value}, not a finite number")),
            None => Ok(()),
        }
    }

    fn robot(&self, what: &str, id: RobotId) -> Result<(), String> {
        below(what, id.index(), self.team)
    }

    fn task(&self, what: &str, id: TaskId) -> Result<(), String> {
        below(what, usize::from(id.0), self.tasks.len())
    }

    fn behaviour(&self, what: &str, id: BehaviourId) -> Result<(), String> {
        below(what, usize::from(id.0), self.me.behaviours.len())
    }
}

fn below(what: &str, number: usize, count: usize) -> Result<(), String> {
    if number < count {
        return Ok(());
    }
    Err(format!("{what} {number}, but there are only {count}, counted from 0"))
}
