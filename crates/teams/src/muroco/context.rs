//! The common context of bidder, broker and auctioneer of one robot in one tick.

use super::mates::Mates;
use super::params::MurocoParams;
use super::talk::{Talk, Tally};
use super::vocabulary::Vocabulary;
use crewlab_onboard::{Event, EventKind, Output, Piece, RobotId, Situation, Skills, Time};

/// Time between two attempts to get an answer. [s]
const ASK_AGAIN: f64 = 0.3;

/// The context of one robot.
pub struct TickContext<'a, 'o> {
    pub params: &'a MurocoParams,
    pub situation: &'a Situation<'a>,
    pub skills: &'a dyn Skills,
    pub vocabulary: &'a Vocabulary,
    pub mates: &'a Mates,
    pub names: &'a [(String, RobotId)],
    /// A number drawn when the software started.
    pub boot: u16,
    pub out: &'a mut Output<'o>,
    /// The robot's messages to itself; it hears them in the next tick, as others do.
    pub own: &'a mut Vec<Talk>,
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
    pub fn send(&mut self, to: RobotId, talk: Talk) {
        self.tally.count(&talk);
        if to == self.me() {
            self.own.push(talk);
        } else {
            self.out.tell(to, talk.body());
        }
    }

    /// A robot's name.
    pub fn name(&self, id: RobotId) -> String {
        let known = self.names.iter().find(|(_, robot)| *robot == id);
        known.map_or_else(|| format!("robot {}", id.0), |(name, _)| name.clone())
    }

    /// Several robots' names.
    pub fn list(&self, ids: impl IntoIterator<Item = RobotId>) -> String {
        ids.into_iter().map(|id| self.name(id)).collect::<Vec<_>>().join(", ")
    }

    /// A description of a piece of work.
    pub fn title(&self, piece: Piece) -> String {
        let task = self.situation.tasks.get(usize::from(piece.task.0)).map_or("?", |task| &task.name);
        if piece.subject == 0 { task.into() } else { format!("{task} {}", piece.subject) }
    }

    /// Explains something about a piece of work.
    pub fn tell(&mut self, kind: EventKind, why: String, piece: Piece) -> &mut Event {
        let mut event = Event::new(kind, why);
        event.task = Some(piece.task);
        if piece.subject != 0 {
            event = event.with("subject", f64::from(piece.subject));
        }
        self.out.events.push(event);
        let last = self.out.events.len() - 1;
        &mut self.out.events[last]
    }
}
