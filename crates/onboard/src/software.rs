//! The program on board: hear, learn, decide, act.

use crate::agenda::{Agenda, Gate};
use crate::command::Command;
use crate::coordinator::{Coordinator, Output, Situation};
use crate::event::Event;
use crate::hardware::RobotId;
use crate::message::{LamportClock, Message};
use crate::random::Stream;
use crate::skills::Skills;
use crate::task::Choice;
use serde::{Deserialize, Serialize};

/// The state of one robot's software.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Software<C, S> {
    /// Picks what to do.
    pub coordinator: C,
    /// Does it.
    pub skills: S,
    /// What is worked on now.
    pub active: Option<Choice>,
    /// Messages that could not be understood so far.
    pub undecodable: u64,
    agenda: Agenda,
    clock: LamportClock,
    messages_said: u32,
}

/// What one step gave, in buffers that can be used again.
#[derive(Debug, Default)]
pub struct Step {
    /// What the hardware shall do.
    pub command: Command,
    /// Encoded messages to send.
    pub frames: Vec<Vec<u8>>,
    /// Explanations.
    pub events: Vec<Event>,
    /// Messages heard in this step, ordered by Lamport time, then sender.
    inbox: Vec<Message>,
}

impl<C: Coordinator, S: Skills> Software<C, S> {
    /// Freshly booted software.
    pub fn new(coordinator: C, skills: S) -> Self {
        Software {
            coordinator,
            skills,
            active: None,
            undecodable: 0,
            agenda: Agenda::default(),
            clock: LamportClock::default(),
            messages_said: 0,
        }
    }

    /// One tick: takes in what was heard, decides and acts. `receive` hands every frame that the radio has to the
    /// function it is given.
    pub fn step(
        &mut self,
        situation: &Situation,
        receive: impl FnOnce(&mut dyn FnMut(&[u8])),
        random: &mut Stream,
        step: &mut Step,
    ) {
        step.frames.clear();
        step.events.clear();
        self.hear(situation.me.id, receive, &mut step.inbox);
        self.agenda.note(situation.now, situation.tasks, &step.inbox);
        let mut out = Output {
            me: situation.me.id,
            clock: &mut self.clock,
            count: &mut self.messages_said,
            frames: &mut step.frames,
            events: &mut step.events,
            random,
        };
        self.skills.learn(situation, &step.inbox, &mut out);
        let gate = Gate { skills: &self.skills, agenda: &self.agenda };
        let chosen = self.coordinator.decide(situation, &gate, &step.inbox, &mut out);
        let fresh = chosen != self.active;
        self.active = chosen;
        step.command = self.skills.act(chosen, fresh, situation, &mut out);
    }

    fn hear(&mut self, me: RobotId, receive: impl FnOnce(&mut dyn FnMut(&[u8])), inbox: &mut Vec<Message>) {
        inbox.clear();
        receive(&mut |bytes| match Message::decode(bytes) {
            Some(message) if message.from != me => {
                self.clock.witness(message.lamport);
                inbox.push(message);
            }
            Some(_) => {}
            None => self.undecodable += 1,
        });
        inbox.sort_by_key(|m| (m.lamport, m.from, m.number));
    }
}
