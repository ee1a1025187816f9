//! The coordinator: picks the behaviour set that is active now and talks to team-mates.

use crate::event::{Event, EventKind, key};
use crate::hardware::{Identity, RobotId};
use crate::message::{Body, Frame, LamportClock, Message};
use crate::percept::Percept;
use crate::question::Questions;
use crate::radio::RadioModule;
use crate::random::Stream;
use crate::skills::Skills;
use crate::task::{BehaviourId, Choice, Partner, Piece, TaskId, TaskSpec};
use crate::time::Time;

/// What a robot's software can see when it is called: itself, its percept, the time.
pub struct Situation<'a> {
    /// The time by the robot's clock.
    pub now: Time,
    /// Time from one call to the next. [s]
    pub dt: f64,
    /// Who the robot is.
    pub me: &'a Identity,
    /// The mission's tasks.
    pub tasks: &'a [TaskSpec],
    /// What its hardware tells it.
    pub percept: &'a Percept,
    /// Its radio.
    pub radio: &'a dyn RadioModule,
}

impl Situation<'_> {
    /// A task; nothing if the mission has none of that number.
    pub fn task(&self, task: TaskId) -> Option<&TaskSpec> {
        self.tasks.get(usize::from(task.0))
    }

    /// What a choice is about.
    pub fn piece(&self, choice: Choice) -> Piece {
        Piece { task: self.me.behaviour(choice.behaviour).task, subject: choice.subject }
    }

    /// What it is worth to do a behaviour set's task in that way. [s]
    pub fn utility(&self, behaviour: BehaviourId) -> f64 {
        let spec = self.me.behaviour(behaviour);
        spec.utility.or(self.task(spec.task).map(|task| task.utility)).unwrap_or(0.0)
    }

    /// True if another task is worked on only while this one is in progress: then robots have to say what they do.
    pub fn accompanied(&self, task: TaskId) -> bool {
        self.tasks.iter().any(|other| other.during.contains(&task))
    }
}

/// Where software puts what it says and why it acts.
#[derive(Debug)]
pub struct Output<'a> {
    /// The sender.
    pub me: RobotId,
    /// The sender's logical clock.
    pub clock: &'a mut LamportClock,
    /// The sender's message count.
    pub count: &'a mut u32,
    /// Encoded messages, in the order they were said.
    pub frames: &'a mut Vec<Frame>,
    /// Largest message that the radio takes, in bytes.
    pub largest_message: usize,
    /// How many messages were larger, so far.
    pub refused: &'a mut u64,
    /// Explanations, in the order they were given.
    pub events: &'a mut Vec<Event>,
    /// What the robot has asked the operator.
    pub questions: &'a mut Questions,
    /// The time by the robot's clock.
    pub now: Time,
    /// Random numbers for this robot's own choices in this tick.
    pub random: &'a mut Stream,
}

impl Output<'_> {
    /// Broadcasts a message.
    pub fn say(&mut self, body: Body) {
        self.send(None, body);
    }

    /// Sends a message to one robot.
    pub fn tell(&mut self, to: RobotId, body: Body) {
        self.send(Some(to), body);
    }

    fn send(&mut self, to: Option<RobotId>, body: Body) {
        let message = Message { from: self.me, number: *self.count, lamport: self.clock.tick(), body };
        let bytes = message.encode();
        if bytes.len() > self.largest_message {
            *self.refused += 1;
            let (size, limit) = (bytes.len(), self.largest_message);
            let event = Event::new(EventKind::MessageRefused).thing(message.body.kind());
            self.explain(event.with(key::BYTES, size as f64).with(key::LIMIT, limit as f64));
            return;
        }
        *self.count = self.count.wrapping_add(1);
        self.frames.push(Frame { to, bytes });
    }

    /// Asks the operator something, about a task if there is one; gives the question's number. The answer, if one ever
    /// comes, is a [`Body::Answer`] in the inbox with that number and the place of one of the choices. Until then the
    /// software should go on as if it had not asked.
    pub fn ask(&mut self, text: impl Into<String>, choices: &[&str], task: Option<TaskId>) -> u32 {
        let (number, event) = self.questions.ask(self.now, text.into(), choices, task);
        self.explain(event);
        number
    }

    /// Takes a question back that needs no answer any more.
    pub fn withdraw(&mut self, question: u32) {
        if let Some(withdrawn) = self.questions.close(question) {
            let event = Event::new(EventKind::QuestionWithdrawn).saying(withdrawn.text);
            let event = Event { task: withdrawn.task, ..event };
            self.explain(event.with(key::QUESTION, f64::from(question)));
        }
    }

    /// Records why something was done.
    pub fn explain(&mut self, event: Event) {
        self.events.push(event);
    }
}

/// What a behaviour set is doing, as far as the coordinator is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum GaugeState {
    /// Not chosen.
    Hibernating,
    /// Wanted, but a team-mate has the task.
    Waiting,
    /// Being performed.
    Active,
}

/// One number per behaviour set that drives the choice (ALLIANCE: the motivation), for records and plots.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gauge {
    /// The behaviour set.
    pub behaviour: BehaviourId,
    /// The level.
    pub level: f64,
    /// Its state.
    pub state: GaugeState,
}

/// Picks one behaviour set at a time from what the robot perceives and hears.
pub trait Coordinator {
    /// Called once per tick. `inbox` holds the messages heard since the last call, ordered by Lamport time.
    fn decide(
        &mut self,
        situation: &Situation,
        skills: &dyn Skills,
        inbox: &[Message],
        out: &mut Output,
    ) -> Option<Choice>;

    /// Who does the other parts of the plan that the last choice is a part of.
    fn partners(&self) -> &[Partner] {
        &[]
    }

    /// The levels behind the last choice, if the coordinator has such.
    fn gauges(&self, _out: &mut Vec<Gauge>) {}
}

impl<C: Coordinator + ?Sized> Coordinator for Box<C> {
    fn decide(
        &mut self,
        situation: &Situation,
        skills: &dyn Skills,
        inbox: &[Message],
        out: &mut Output,
    ) -> Option<Choice> {
        (**self).decide(situation, skills, inbox, out)
    }

    fn partners(&self) -> &[Partner] {
        (**self).partners()
    }

    fn gauges(&self, out: &mut Vec<Gauge>) {
        (**self).gauges(out);
    }
}
