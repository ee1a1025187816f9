//! The common context of bidder, broker and auctioneer of one robot in one tick.

use super::mates::Mates;
use super::params::MurocoParams;
use super::talk::{MarketMessage, Tally};
use super::vocabulary::Vocabulary;
use super::worth::Worth;
use crewlab_onboard::{Event, EventKind, Names, Output, Piece, RobotId, Situation, Skills, TaskId, Time};
use std::borrow::Cow;

/// Time between two attempts to get an answer. [s]
const ASK_AGAIN: f64 = 0.3;

/// The context of one robot.
pub struct TickContext<'a, 'o> {
    pub params: &'a MurocoParams,
    pub worth: &'a Worth,
    pub situation: &'a Situation<'a>,
    pub skills: &'a dyn Skills,
    pub vocabulary: &'a Vocabulary,
    pub mates: &'a Mates,
    pub names: &'a [(String, RobotId)],
    /// A number drawn when the software started.
    pub boot: u16,
    pub out: &'a mut Output<'o>,
    /// The robot's messages to itself; it hears them in the next tick, as others do.
    pub own: &'a mut Vec<MarketMessage>,
    pub tally: &'a mut Tally,
}

impl TickContext<'_, '_> {
    pub fn me(&self) -> RobotId {
        self.situation.me.id
    }

    pub fn now(&self) -> Time {
        self.situation.now
    }

    /// Silence after which a team-mate counts as gone. [s]
    pub fn silence(&self) -> f64 {
        self.params.time_allowed_till_ceased
    }

    /// How long to wait for an answer: as long as configured, and long enough for a message each way. [s]
    pub fn patience(&self, wanted: f64) -> f64 {
        wanted.max(4.0 * self.situation.dt)
    }

    /// When a question is repeated: after enough time for an answer. [s]
    pub fn ask_again(&self) -> f64 {
        (3.5 * self.situation.dt).max(ASK_AGAIN)
    }

    /// Sends a message to one robot, possibly itself.
    pub fn send(&mut self, to: RobotId, talk: MarketMessage) {
        self.tally.count(&talk);
        if to == self.me() {
            self.own.push(talk);
        } else {
            self.out.tell(to, talk.body());
        }
    }

    /// Reports an event about a piece of work.
    pub fn tell(&mut self, kind: EventKind, piece: Piece) -> &mut Event {
        self.out.events.push(Event::new(kind).piece(piece));
        let last = self.out.events.len() - 1;
        &mut self.out.events[last]
    }
}

impl Names for TickContext<'_, '_> {
    fn robot(&self, id: RobotId) -> Cow<'_, str> {
        let known = self.names.iter().find(|(_, robot)| *robot == id);
        known.map_or_else(|| format!("robot {id}").into(), |(name, _)| name.into())
    }

    fn task(&self, task: TaskId) -> Cow<'_, str> {
        self.situation.task(task).map_or("?".into(), |task| task.name.as_str().into())
    }
}
