//! Who auctions what: the three strategies for the auctioneer's role.

use super::context::TickContext;
use super::params::Role;
use crewlab_onboard::{Piece, RobotId, Time};
use serde::{Deserialize, Serialize};

/// Time that a robot gives those before it to claim a task that all have found. [s]
const TURN: f64 = 0.5;
/// Time after which a task that nobody auctions is forwarded, and forwarded again. [s]
const FORWARD: f64 = 2.0;
/// Largest number of tasks that are remembered.
const MOST: usize = 1024;

/// A robot's knowledge of a piece of work that it has found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Known {
    piece: Piece,
    /// When it found it.
    first: Time,
    /// When it last knew that somebody auctions or does it.
    handled: Time,
}

/// One robot's view of who auctions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chair {
    fixed: RobotId,
    known: Vec<Known>,
    /// Whether the robot was the auctioneer at the last check (not for `receiver`).
    pub presided: Option<bool>,
}

impl Chair {
    pub fn new(fixed: RobotId) -> Chair {
        Chair { fixed, known: Vec::new(), presided: None }
    }

    /// The auctioneer of everything; `None` if that is decided per task.
    pub fn chairman(&self, context: &TickContext) -> Option<RobotId> {
        match context.params.auctioneer {
            Role::Fixed => Some(self.fixed),
            Role::PriorityQueue => Some(self.first(context)),
            Role::Receiver => None,
        }
    }

    /// The auctioneer of a piece of work; `None` if nobody auctions it yet.
    pub fn auctioneer(&self, piece: Piece, claimed: bool, context: &TickContext) -> Option<RobotId> {
        self.chairman(context).or_else(|| self.claimant(piece, claimed, context))
    }

    /// The first of the queue that is not silent.
    fn first(&self, context: &TickContext) -> RobotId {
        let me = (context.situation.me.priority, context.me());
        let alive =
            context.mates.alive(context.now(), context.silence()).map(|mate| (mate.priority, mate.id));
        alive.chain([me]).min().map_or(context.me(), |(_, id)| id)
    }

    /// The robot that claimed it, the one with the lowest number if several did. If nobody did, it becomes the robot's own after
    /// those before it have had their turn.
    fn claimant(&self, piece: Piece, claimed: bool, context: &TickContext) -> Option<RobotId> {
        let (me, now) = (context.me(), context.now());
        let others = context.mates.alive(now, context.silence()).filter(|mate| mate.id != me);
        let claims = others.filter(|mate| mate.claims.contains(&piece)).map(|mate| mate.id);
        if let Some(first) = claims.chain(claimed.then_some(me)).min() {
            return Some(first);
        }
        let before = context.mates.alive(now, context.silence()).filter(|mate| mate.id < me).count();
        let known = self.known.iter().find(|known| known.piece == piece)?;
        (!now.within(known.first, before as f64 * TURN)).then_some(me)
    }

    /// Records the work to do; returns what must be forwarded, and to whom.
    pub fn come_across(
        &mut self,
        pieces: &[Piece],
        claimed: &[Piece],
        context: &TickContext,
    ) -> Vec<(RobotId, Vec<Piece>)> {
        let now = context.now();
        self.known
            .retain(|known| pieces.contains(&known.piece) && known.first <= now && known.handled <= now);
        for piece in pieces {
            if self.known.len() < MOST && !self.known.iter().any(|known| known.piece == *piece) {
                self.known.push(Known { piece: *piece, first: now, handled: now });
            }
        }
        let mut forward: Vec<(RobotId, Vec<Piece>)> = Vec::new();
        for place in 0..self.known.len() {
            let piece = self.known[place].piece;
            let done = context.mates.alive(now, context.silence()).any(|mate| {
                mate.engaged.is_some_and(|engaged| engaged.piece == piece) || mate.claims.contains(&piece)
            });
            if done {
                self.known[place].handled = now;
            }
            let auctioneer = self.auctioneer(piece, claimed.contains(&piece), context);
            let late = !now.within(self.known[place].handled, FORWARD);
            if let Some(to) = auctioneer.filter(|to| *to != context.me() && late) {
                self.known[place].handled = now;
                match forward.iter_mut().find(|(known, _)| *known == to) {
                    Some((_, list)) => list.push(piece),
                    None => forward.push((to, vec![piece])),
                }
            }
        }
        forward
    }
}
