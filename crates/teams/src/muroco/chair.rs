//! Who auctions what: the three strategies of the auctioneer's role.

use super::desk::Desk;
use super::params::Role;
use crewlab_onboard::{Piece, RobotId, Time};
use serde::{Deserialize, Serialize};

/// Time that a robot leaves to those before it to claim a task that all came across. [s]
const TURN: f64 = 0.5;
/// Time after which a task that nobody auctions is forwarded, and again. [s]
const FORWARD: f64 = 2.0;
/// More tasks than this are not remembered.
const MOST: usize = 1024;

/// What a robot knows of one piece of work that it came across.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Known {
    piece: Piece,
    /// When it came across it.
    first: Time,
    /// When it last knew that somebody auctions or does it.
    handled: Time,
}

/// One robot's view of who auctions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chair {
    fixed: RobotId,
    known: Vec<Known>,
    /// Whether the robot was the one that auctions when it last looked (not for `receiver`).
    pub presided: Option<bool>,
}

impl Chair {
    pub fn new(fixed: RobotId) -> Chair {
        Chair { fixed, known: Vec::new(), presided: None }
    }

    /// Who auctions everything; nothing if that is decided task by task.
    pub fn chairman(&self, desk: &Desk) -> Option<RobotId> {
        match desk.params.auctioneer {
            Role::Fixed => Some(self.fixed),
            Role::PriorityQueue => Some(self.first(desk)),
            Role::Receiver => None,
        }
    }

    /// Who auctions a piece of work; nothing if nobody does yet.
    pub fn auctioneer(&self, piece: Piece, claimed: bool, desk: &Desk) -> Option<RobotId> {
        self.chairman(desk).or_else(|| self.claimant(piece, claimed, desk))
    }

    /// The first of the queue that is not silent.
    fn first(&self, desk: &Desk) -> RobotId {
        let me = (desk.situation.me.priority, desk.me());
        let alive = desk.mates.alive(desk.now(), desk.silence()).map(|mate| (mate.priority, mate.id));
        alive.chain([me]).min().map_or(desk.me(), |(_, id)| id)
    }

    /// Who claimed it: of several the one with the lowest number. If nobody did, it is the robot's own once those before
    /// it have had their turn.
    fn claimant(&self, piece: Piece, claimed: bool, desk: &Desk) -> Option<RobotId> {
        let (me, now) = (desk.me(), desk.now());
        let others = desk.mates.alive(now, desk.silence()).filter(|mate| mate.id != me);
        let claims = others.filter(|mate| mate.claims.contains(&piece)).map(|mate| mate.id);
        if let Some(first) = claims.chain(claimed.then_some(me)).min() {
            return Some(first);
        }
        let before = desk.mates.alive(now, desk.silence()).filter(|mate| mate.id < me).count();
        let known = self.known.iter().find(|known| known.piece == piece)?;
        (!now.within(known.first, before as f64 * TURN)).then_some(me)
    }

    /// Takes note of what is to do; gives what must be forwarded, and to whom.
    pub fn come_across(
        &mut self,
        pieces: &[Piece],
        claimed: &[Piece],
        desk: &Desk,
    ) -> Vec<(RobotId, Vec<Piece>)> {
        let now = desk.now();
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
            let done = desk.mates.alive(now, desk.silence()).any(|mate| {
                mate.engaged.is_some_and(|engaged| engaged.piece == piece) || mate.claims.contains(&piece)
            });
            if done {
                self.known[place].handled = now;
            }
            let auctioneer = self.auctioneer(piece, claimed.contains(&piece), desk);
            let late = !now.within(self.known[place].handled, FORWARD);
            if let Some(to) = auctioneer.filter(|to| *to != desk.me() && late) {
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
