//! The software on board: hear, learn, decide, act.

use crate::agenda::{Agenda, Gate};
use crate::command::Command;
use crate::coordinator::{Coordinator, Output, Situation};
use crate::duplicates::Duplicates;
use crate::event::Event;
use crate::message::{Frame, LamportClock, Message};
use crate::question::{Question, Questions};
use crate::random::Stream;
use crate::skills::{Duty, Performer, Skills};
use crate::task::{Choice, Outcome};
use serde::{Deserialize, Serialize};

/// The state of one robot's software.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Software<C, P> {
    /// Decides what to do.
    pub coordinator: C,
    /// Performs it.
    pub performer: P,
    /// The current work.
    pub active: Option<Choice>,
    /// Number of messages that could not be decoded.
    pub undecodable: u64,
    /// Number of duplicates dropped.
    pub duplicates: u64,
    /// Number of messages not sent because they were too large for the radio.
    pub refused: u64,
    heard: Duplicates,
    agenda: Agenda,
    questions: Questions,
    clock: LamportClock,
    messages_said: u32,
}

/// The output of one step, in reusable buffers.
#[derive(Debug, Default)]
pub struct Step {
    /// The command to the hardware.
    pub command: Command,
    /// Messages to send.
    pub frames: Vec<Frame>,
    /// Explanations.
    pub events: Vec<Event>,
    /// The work that the robot stopped in this step, and its state as far as the robot knows.
    pub left: Option<(Choice, Outcome)>,
    /// Messages heard in this step, ordered by Lamport time, then sender.
    inbox: Vec<Message>,
}

impl<C: Coordinator, P: Performer> Software<C, P> {
    /// Freshly booted software.
    pub fn new(coordinator: C, performer: P) -> Self {
        Software {
            coordinator,
            performer,
            active: None,
            undecodable: 0,
            duplicates: 0,
            refused: 0,
            heard: Duplicates::default(),
            agenda: Agenda::default(),
            questions: Questions::default(),
            clock: LamportClock::default(),
            messages_said: 0,
        }
    }

    /// One tick: processes received messages, decides and acts. `receive` passes every frame that the radio has to its
    /// argument.
    pub fn step(
        &mut self,
        situation: &Situation,
        receive: impl FnOnce(&mut dyn FnMut(&[u8])),
        random: &mut Stream,
        step: &mut Step,
    ) {
        step.frames.clear();
        step.events.clear();
        self.hear(situation, receive, &mut step.inbox);
        self.agenda.note(situation.now, situation.tasks, &step.inbox);
        self.questions.hear(situation.me.id, &mut step.inbox, &mut step.events);
        let mut out = Output {
            me: situation.me.id,
            clock: &mut self.clock,
            count: &mut self.messages_said,
            frames: &mut step.frames,
            largest_message: situation.radio.largest_message(),
            refused: &mut self.refused,
            events: &mut step.events,
            questions: &mut self.questions,
            now: situation.now,
            random,
        };
        self.performer.learn(situation, &step.inbox, &mut out);
        let gate = Gate { skills: self.performer.skills(), agenda: &self.agenda };
        let chosen = self.coordinator.decide(situation, &gate, &step.inbox, &mut out);
        let fresh = chosen != self.active;
        // Queried before the performer switches and forgets.
        let left = self.active.filter(|_| fresh);
        step.left = left.map(|choice| (choice, gate.outcome(choice, situation)));
        self.active = chosen;
        let duty = Duty {
            choice: chosen,
            fresh,
            partners: self.coordinator.partners(),
            beside: self.coordinator.beside(),
            halting: self.coordinator.halting(),
        };
        step.command = self.performer.act(duty, situation, &mut out);
    }

    /// The queries about its mission.
    pub fn skills(&self) -> &dyn Skills {
        self.performer.skills()
    }

    /// Typical duration of a step, roughly. [µs]
    pub fn effort(&self) -> u32 {
        self.coordinator.effort().saturating_add(self.performer.effort())
    }

    /// Its logical clock.
    pub fn lamport(&self) -> u64 {
        self.clock.time()
    }

    /// Switches to another coordinator. The robot keeps its knowledge of the mission; its current work ends.
    pub fn coordinate_by(&mut self, coordinator: C) {
        self.coordinator = coordinator;
        self.active = None;
        self.questions.close_all();
    }

    /// Drops texts that are only for people.
    pub fn forget_words(&mut self) {
        self.questions.forget_words();
    }

    /// Its open questions to the operator.
    pub fn questions(&self) -> &[Question] {
        self.questions.open()
    }

    /// Number of messages sent since boot.
    pub fn messages_said(&self) -> u32 {
        self.messages_said
    }

    fn hear(
        &mut self,
        situation: &Situation,
        receive: impl FnOnce(&mut dyn FnMut(&[u8])),
        inbox: &mut Vec<Message>,
    ) {
        let (me, may_repeat) = (situation.me.id, situation.radio.may_repeat());
        inbox.clear();
        receive(&mut |bytes| match Message::decode(bytes) {
            Some(message) if message.from == me => {}
            Some(message) if may_repeat && self.heard.note(&message) => self.duplicates += 1,
            Some(message) => {
                self.clock.witness(message.lamport);
                inbox.push(message);
            }
            None => self.undecodable += 1,
        });
        inbox.sort_by_key(|m| (m.lamport, m.from, m.number));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hardware::{Datasheet, Identity};
    use crate::message::Body;
    use crate::percept::Percept;
    use crate::radio::{NoRadio, RadioModule};
    use crate::random::StreamKind;
    use crate::robot_id::RobotId;
    use crate::task::BehaviourId;
    use crate::time::Time;
    use std::sync::Arc;

    /// Sends its messages once.
    #[derive(Default)]
    struct Talker {
        say: Vec<Body>,
        tell: Vec<(RobotId, Body)>,
        heard: Vec<(RobotId, u32)>,
    }

    impl Coordinator for Talker {
        fn decide(
            &mut self,
            _: &Situation,
            _: &dyn Skills,
            inbox: &[Message],
            out: &mut Output,
        ) -> Option<Choice> {
            self.heard.extend(inbox.iter().map(|message| (message.from, message.number)));
            self.say.drain(..).for_each(|body| out.say(body));
            self.tell.drain(..).for_each(|(to, body)| out.tell(to, body));
            None
        }
    }

    struct Idle;

    impl Skills for Idle {
        fn applicable(&self, _: BehaviourId, _: &Situation) -> bool {
            false
        }

        fn cost(&self, _: Choice, _: &Situation) -> f64 {
            0.0
        }
    }

    impl Performer for Idle {
        fn learn(&mut self, _: &Situation, _: &[Message], _: &mut Output) {}

        fn act(&mut self, _: Duty, _: &Situation, _: &mut Output) -> Command {
            Command::stop()
        }

        fn skills(&self) -> &dyn Skills {
            self
        }
    }

    struct Stuttering;

    impl RadioModule for Stuttering {
        fn may_repeat(&self) -> bool {
            true
        }
    }

    struct Narrow(usize);

    impl RadioModule for Narrow {
        fn largest_message(&self) -> usize {
            self.0
        }
    }

    fn step(software: &mut Software<Talker, Idle>, radio: &dyn RadioModule, heard: &[Vec<u8>]) -> Step {
        let datasheet = Datasheet {
            radius: 0.1,
            max_speed: 1.0,
            max_turn: 1.0,
            sensors: Vec::new(),
            effectors: Vec::new(),
            further: Vec::new(),
        };
        let me = Identity {
            id: RobotId(4),
            name: "four".into(),
            robot_type: "talker".into(),
            priority: 0,
            datasheet: Arc::new(datasheet),
            behaviours: Arc::new([]),
            floor_plan: Default::default(),
            slam: Default::default(),
        };
        let percept = Percept::default();
        let situation = Situation { now: Time::ZERO, dt: 0.1, me: &me, tasks: &[], percept: &percept, radio };
        let mut step = Step::default();
        let mut random = Stream::new(1, StreamKind::Decisions, 4, 0);
        let receive = |hear: &mut dyn FnMut(&[u8])| heard.iter().for_each(|frame| hear(frame));
        software.step(&situation, receive, &mut random, &mut step);
        step
    }

    fn knowledge(size: usize) -> Body {
        Body::Knowledge(vec![7; size])
    }

    #[test]
    fn unicasts_have_a_receiver_and_broadcasts_have_none() {
        let mut software = Software::new(Talker::default(), Idle);
        software.coordinator.say.push(knowledge(3));
        software.coordinator.tell.push((RobotId(9), knowledge(5)));
        let frames = step(&mut software, &NoRadio, &[]).frames;
        assert_eq!(frames.iter().map(|frame| frame.to).collect::<Vec<_>>(), [None, Some(RobotId(9))]);
        let said: Vec<Message> =
            frames.iter().map(|frame| Message::decode(&frame.bytes).expect("a message")).collect();
        assert_eq!(
            said.iter().map(|m| (m.from, m.number)).collect::<Vec<_>>(),
            [(RobotId(4), 0), (RobotId(4), 1)]
        );
        assert_eq!(said[1].body, knowledge(5));
    }

    #[test]
    fn a_message_that_is_too_large_is_refused_and_explained() {
        let mut software = Software::new(Talker::default(), Idle);
        software.coordinator.say.extend([knowledge(40), knowledge(90), knowledge(40)]);
        software.coordinator.tell.push((RobotId(9), knowledge(90)));
        let step = step(&mut software, &Narrow(60), &[]);
        assert_eq!(step.frames.len(), 2);
        assert!(step.frames.iter().all(|frame| frame.bytes.len() <= 60));
        assert_eq!(software.refused, 2);
        assert_eq!(step.events.len(), 2);
        for event in &step.events {
            assert_eq!(event.kind.name(), "message-refused");
            assert_eq!(event.terms.iter().map(|term| term.value).collect::<Vec<_>>(), [95.0, 60.0]);
        }
        // A message of exactly the largest size passes.
        software.coordinator.say.push(knowledge(90));
        assert_eq!(self::step(&mut software, &Narrow(95), &[]).frames.len(), 1);
    }

    #[test]
    fn copies_of_a_message_are_heard_once() {
        let mut software = Software::new(Talker::default(), Idle);
        let message = |from, number| {
            Message { from: RobotId(from), number, lamport: u64::from(number) + 1, body: knowledge(1) }
                .encode()
        };
        step(&mut software, &Stuttering, &[message(1, 0), message(2, 0), message(1, 0)]);
        step(&mut software, &Stuttering, &[message(1, 0), message(1, 1), message(4, 1)]);
        assert_eq!(software.coordinator.heard, [(RobotId(1), 0), (RobotId(2), 0), (RobotId(1), 1)]);
        assert_eq!(software.duplicates, 2, "its own messages do not count");
    }

    #[test]
    fn a_corrupt_time_does_not_spoil_the_clock() {
        let mut software = Software::new(Talker::default(), Idle);
        let corrupt = Message { from: RobotId(1), number: 3, lamport: u64::MAX, body: knowledge(1) };
        software.coordinator.say.push(knowledge(1));
        let frames = step(&mut software, &NoRadio, &[corrupt.encode()]).frames;
        assert_eq!(Message::decode(&frames[0].bytes).map(|message| message.lamport), Some(2));
    }

    #[test]
    fn the_inbox_is_ordered_by_time_then_sender_then_number() {
        let mut software = Software::new(Talker::default(), Idle);
        let message = |from, number, lamport| {
            Message { from: RobotId(from), number, lamport, body: knowledge(1) }.encode()
        };
        let heard = [message(3, 1, 9), message(2, 6, 9), message(2, 5, 9), message(9, 0, 2)];
        step(&mut software, &NoRadio, &heard);
        let expected = [(9, 0), (2, 5), (2, 6), (3, 1)].map(|(from, number)| (RobotId(from), number));
        assert_eq!(software.coordinator.heard, expected);
    }
}
