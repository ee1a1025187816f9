//! The coordinator: chooses the active behaviour set and communicates with team-mates.

use crate::event::{Event, EventKind, key};
use crate::hardware::Identity;
use crate::message::{Body, Frame, LamportClock, Message};
use crate::percept::Percept;
use crate::question::Questions;
use crate::radio::RadioModule;
use crate::random::Stream;
use crate::robot_id::RobotId;
use crate::skills::Skills;
use crate::task::{BehaviourId, Choice, Partner, Piece, Subject, TaskId, TaskSpec};
use crate::time::Time;

/// The input of a robot's software: itself, its percept, the time.
pub struct Situation<'a> {
    /// The time by the robot's clock.
    pub now: Time,
    /// Time from one call to the next. [s]
    pub dt: f64,
    /// The robot's identity.
    pub me: &'a Identity,
    /// The mission's tasks.
    pub tasks: &'a [TaskSpec],
    /// Its percept.
    pub percept: &'a Percept,
    /// Its radio.
    pub radio: &'a dyn RadioModule,
}

impl Situation<'_> {
    /// A task; `None` for an unknown number.
    pub fn task(&self, task: TaskId) -> Option<&TaskSpec> {
        self.tasks.get(usize::from(task.0))
    }

    /// The piece of work of a choice.
    pub fn piece(&self, choice: Choice) -> Piece {
        Piece { task: self.me.behaviour(choice.behaviour).task, subject: choice.subject }
    }

    /// The utility of a behaviour set's task when done in that way. [s]
    pub fn utility(&self, behaviour: BehaviourId) -> f64 {
        let spec = self.me.behaviour(behaviour);
        spec.utility.or(self.task(spec.task).map(|task| task.utility)).unwrap_or(0.0)
    }

    /// True if another task is worked on only while this one is in progress. Then robots must announce their work on it.
    pub fn accompanied(&self, task: TaskId) -> bool {
        self.tasks.iter().any(|other| other.during.contains(&task))
    }
}

/// Collects the messages of the software and the reasons for its actions.
#[derive(Debug)]
pub struct Output<'a> {
    /// The sender.
    pub me: RobotId,
    /// The sender's logical clock.
    pub clock: &'a mut LamportClock,
    /// The sender's message count.
    pub count: &'a mut u32,
    /// Encoded messages, in order.
    pub frames: &'a mut Vec<Frame>,
    /// Largest message that the radio accepts, in bytes.
    pub largest_message: usize,
    /// Number of messages that were too large so far.
    pub refused: &'a mut u64,
    /// Explanations, in order.
    pub events: &'a mut Vec<Event>,
    /// The robot's questions to the operator.
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

    /// Asks the operator a question, about a task if there is one, and returns its number. The answer, if one ever comes, is a
    /// [`Body::Answer`] in the inbox with that number and the index of the choice. Until then the software should continue as if it
    /// had not asked.
    pub fn ask(&mut self, text: impl Into<String>, choices: &[&str], task: Option<TaskId>) -> u32 {
        let (number, event) = self.questions.ask(self.now, text.into(), choices, task);
        self.explain(event);
        number
    }

    /// Withdraws a question that needs no answer any more.
    pub fn withdraw(&mut self, question: u32) {
        if let Some(withdrawn) = self.questions.close(question) {
            let event = Event::new(EventKind::QuestionWithdrawn).saying(withdrawn.text);
            let event = Event { task: withdrawn.task, ..event };
            self.explain(event.with(key::QUESTION, f64::from(question)));
        }
    }

    /// Records the reason for an action.
    pub fn explain(&mut self, event: Event) {
        self.events.push(event);
    }
}

/// The state of a behaviour set.
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

/// A gauge of one subject of a behaviour set's task.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// The subject: a frequency, an object, a quadrant. 0 if the task is not divided.
    pub subject: Subject,
    /// Its gauge.
    pub gauge: Gauge,
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

    /// The partners who do the other parts of the chosen plan.
    fn partners(&self) -> &[Partner] {
        &[]
    }

    /// Work that runs beside the last choice, the outermost first.
    fn beside(&self) -> &[Choice] {
        &[]
    }

    /// True if the last choice is to be wound up.
    fn halting(&self) -> bool {
        false
    }

    /// The levels behind the last choice, if the coordinator has any.
    fn gauges(&self, _out: &mut Vec<Gauge>) {}

    /// The same for every subject: the gauges of whole behaviour sets, unless the coordinator keeps more.
    fn levels(&self, out: &mut Vec<Level>) {
        let mut gauges = Vec::new();
        self.gauges(&mut gauges);
        out.extend(gauges.into_iter().map(|gauge| Level { subject: 0, gauge }));
    }

    /// How long a decision takes on a typical processor, roughly. The simulator shares robots among threads by it; the
    /// results do not depend on it. [µs]
    fn effort(&self) -> u32 {
        1
    }
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

    fn beside(&self) -> &[Choice] {
        (**self).beside()
    }

    fn halting(&self) -> bool {
        (**self).halting()
    }

    fn gauges(&self, out: &mut Vec<Gauge>) {
        (**self).gauges(out);
    }

    fn levels(&self, out: &mut Vec<Level>) {
        (**self).levels(out);
    }

    fn effort(&self) -> u32 {
        (**self).effort()
    }
}
