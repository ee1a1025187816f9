//! The council: how a team agrees on one record, entry by entry, although messages are lost, robots stop, and the network splits.
//!
//! Each place in the record is decided by Paxos among the members of the view that is in force there; a view is itself an entry, so
//! everybody who knows the record up to a place knows who decides the next one. A member that starts anew without memory has another
//! life, and votes only once a later view has taken it in. No decision depends on a clock: time only says when to try.

use crewlab_onboard::RobotId;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Number of decided entries that are kept for robots that missed them.
const KEPT: usize = 32;

/// A robot in one life of its software: 0 from the start of the mission, a drawn number after a restart without memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Member {
    /// The robot.
    pub robot: RobotId,
    /// Its life.
    pub life: u32,
}

/// Who decides: the members, in the order of their ids.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct View(pub Vec<Member>);

impl View {
    /// True if this robot, in this life, is a member.
    pub fn has(&self, member: Member) -> bool {
        self.0.binary_search(&member).is_ok()
    }

    /// True if this can be a view: somebody belongs to it, and nobody twice.
    pub fn is_sound(&self) -> bool {
        !self.0.is_empty() && self.0.is_sorted_by(|one, other| one.robot < other.robot)
    }

    /// The robot's membership, in whichever life.
    pub fn member(&self, robot: RobotId) -> Option<Member> {
        let place = self.0.partition_point(|member| member.robot < robot);
        self.0.get(place).copied().filter(|member| member.robot == robot)
    }

    /// True if those for whom `with` holds decide for all: more than half of the members, or half of them with the first one, so that
    /// a pair has a rule for ties. Any two such groups have a member in common.
    pub fn is_quorum(&self, with: impl Fn(Member) -> bool) -> bool {
        let Some((first, others)) = self.0.split_first() else { return false };
        // With the first one half of the members are enough, without it more than half.
        let leads = with(*first);
        let needed = if leads { self.0.len().div_ceil(2) - 1 } else { self.0.len() / 2 + 1 };
        needed == 0 || others.iter().filter(|member| with(**member)).nth(needed - 1).is_some()
    }
}

/// An attempt to lead: the higher one prevails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Ballot {
    /// Its round.
    pub round: u32,
    /// Who leads.
    pub leader: Member,
}

/// What a record consists of.
pub trait Entry: Clone + PartialEq {
    /// The view from the next place on, if the entry changes it.
    fn view(&self) -> Option<&View>;
}

/// What members say to each other. Everybody hears everything.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Motion<E> {
    /// "I want to lead. What have you accepted at this place?"
    Prepare {
        /// The place in the record.
        slot: u32,
        /// The attempt.
        ballot: Ballot,
    },
    /// "I follow nobody with a lower ballot, and have accepted this."
    Promise {
        /// The place in the record.
        slot: u32,
        /// The attempt.
        ballot: Ballot,
        /// What was accepted last, and from whom.
        accepted: Option<(Ballot, E)>,
    },
    /// "Accept this."
    Propose {
        /// The place in the record.
        slot: u32,
        /// The leader's ballot.
        ballot: Ballot,
        /// The entry.
        entry: E,
    },
    /// "I have accepted it."
    Accept {
        /// The place in the record.
        slot: u32,
        /// The leader's ballot.
        ballot: Ballot,
    },
    /// "This is decided."
    Decided {
        /// The place in the record.
        slot: u32,
        /// The entry.
        entry: E,
    },
}

impl<E> Motion<E> {
    /// The entry that it is about, if it tells one.
    pub fn entry(&self) -> Option<&E> {
        match self {
            Motion::Promise { accepted, .. } => accepted.as_ref().map(|(_, entry)| entry),
            Motion::Propose { entry, .. } | Motion::Decided { entry, .. } => Some(entry),
            Motion::Prepare { .. } | Motion::Accept { .. } => None,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Role<E> {
    Follower,
    Candidate { ballot: Ballot, promises: Vec<(Member, Option<(Ballot, E)>)> },
    Leader { ballot: Ballot },
}

/// One robot's part in the council.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Council<E> {
    me: Member,
    view: View,
    slot: u32,
    promised: Ballot,
    accepted: Option<(Ballot, E)>,
    role: Role<E>,
    /// The proposal with the highest ballot that was heard for this place, and who has accepted which ballot: whoever hears enough
    /// knows the decision without being told.
    proposal: Option<(Ballot, E)>,
    accepts: Vec<(Ballot, Member)>,
    recent: VecDeque<E>,
    /// Decided here and not yet taken by the caller.
    decided: VecDeque<E>,
}

impl<E: Entry> Council<E> {
    /// A member of the first view, which the first of its members leads without asking; or, with another life, a guest that knows
    /// nothing.
    pub fn new(me: Member, view: View) -> Council<E> {
        let first = view.0.first().copied().unwrap_or(me);
        let ballot = Ballot { round: 1, leader: first };
        let leads = me == first && view.has(me);
        Council {
            me,
            view,
            slot: 0,
            promised: ballot,
            accepted: None,
            role: if leads { Role::Leader { ballot } } else { Role::Follower },
            proposal: None,
            accepts: Vec::new(),
            recent: VecDeque::new(),
            decided: VecDeque::new(),
        }
    }

    /// The view in force.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// The number of decided entries.
    pub fn slot(&self) -> u32 {
        self.slot
    }

    /// The robot in its life.
    pub fn me(&self) -> Member {
        self.me
    }

    /// True if the robot votes.
    pub fn is_member(&self) -> bool {
        self.view.has(self.me)
    }

    /// Whom the robot follows: the leader of the highest ballot that it knows.
    pub fn leader(&self) -> Member {
        self.promised.leader
    }

    /// The highest ballot that the robot knows.
    pub fn promised(&self) -> Ballot {
        self.promised
    }

    /// True if the robot leads.
    pub fn leads(&self) -> bool {
        matches!(self.role, Role::Leader { .. })
    }

    /// True if the robot leads and nothing is being decided.
    pub fn can_propose(&self) -> bool {
        self.leads() && self.accepted.as_ref().is_none_or(|(ballot, _)| !self.is_mine(*ballot))
    }

    fn is_mine(&self, ballot: Ballot) -> bool {
        matches!(self.role, Role::Leader { ballot: mine } if mine == ballot)
    }

    /// The next entry of the record, once.
    pub fn take(&mut self) -> Option<E> {
        self.decided.pop_front()
    }

    /// Tries to lead, with a ballot above all known ones.
    pub fn campaign(&mut self, say: &mut Vec<Motion<E>>) {
        // A round that cannot grow was made up; a lower ballot would break what was promised.
        let Some(round) = self.promised.round.checked_add(1).filter(|_| self.is_member()) else { return };
        let ballot = Ballot { round, leader: self.me };
        self.promised = ballot;
        self.role = Role::Candidate { ballot, promises: vec![(self.me, self.accepted.clone())] };
        say.push(Motion::Prepare { slot: self.slot, ballot });
        self.count_promises(say);
    }

    /// Proposes an entry, if the robot can.
    pub fn propose(&mut self, entry: E, say: &mut Vec<Motion<E>>) {
        let Role::Leader { ballot } = self.role else { return };
        if self.can_propose() {
            self.put(ballot, entry, say);
        }
    }

    /// Says again what was not answered.
    pub fn repeat(&self, say: &mut Vec<Motion<E>>) {
        match (&self.role, &self.accepted) {
            (Role::Candidate { ballot, .. }, _) => {
                say.push(Motion::Prepare { slot: self.slot, ballot: *ballot })
            }
            (Role::Leader { ballot }, Some((accepted, entry))) if ballot == accepted => {
                say.push(Motion::Propose { slot: self.slot, ballot: *ballot, entry: entry.clone() });
            }
            _ => {}
        }
    }

    /// Says the entries from this place on that are still kept, at most `most`; false if one is needed that is not.
    pub fn remind(&self, from: u32, most: usize, say: &mut Vec<Motion<E>>) -> bool {
        let oldest = self.slot - self.recent.len() as u32;
        if from < oldest {
            return false;
        }
        let known = self.recent.iter().zip(oldest..).skip((from - oldest) as usize);
        say.extend(known.take(most).map(|(entry, slot)| Motion::Decided { slot, entry: entry.clone() }));
        true
    }

    /// Somebody follows a higher ballot, so the robot's own is worth nothing any more.
    pub fn defer(&mut self, ballot: Ballot) {
        if ballot > self.promised {
            self.promised = ballot;
            self.role = Role::Follower;
        }
    }

    /// Takes over what another robot knows: the record up to `slot` has led to this view.
    pub fn adopt(&mut self, slot: u32, view: View, ballot: Ballot) {
        if slot <= self.slot {
            return;
        }
        (self.slot, self.view) = (slot, view);
        self.promised = self.promised.max(ballot);
        self.role = Role::Follower;
        self.recent.clear();
        self.decided.clear();
        self.turn_page();
    }

    /// Hears what another robot says.
    pub fn hear(&mut self, from: Member, motion: Motion<E>, say: &mut Vec<Motion<E>>) {
        match motion {
            Motion::Decided { slot, entry } if slot == self.slot => self.decide(entry, say),
            Motion::Decided { .. } => {}
            Motion::Prepare { slot, ballot } if slot == self.slot => self.prepared(from, ballot, say),
            Motion::Promise { slot, ballot, accepted } if slot == self.slot => {
                self.promise(from, ballot, accepted, say);
            }
            Motion::Propose { slot, ballot, entry } if slot == self.slot => {
                self.proposed(from, ballot, entry, say);
            }
            Motion::Accept { slot, ballot } if slot == self.slot => self.accept(from, ballot, say),
            // Whoever wants to lead without knowing the record is told.
            Motion::Prepare { slot, .. } | Motion::Propose { slot, .. } if slot < self.slot => {
                self.remind(slot, 4, say);
            }
            _ => {}
        }
    }

    fn prepared(&mut self, from: Member, ballot: Ballot, say: &mut Vec<Motion<E>>) {
        if from != ballot.leader || !self.view.has(from) || ballot < self.promised {
            return;
        }
        self.follow(ballot);
        if self.is_member() {
            say.push(Motion::Promise { slot: self.slot, ballot, accepted: self.accepted.clone() });
        }
    }

    fn promise(
        &mut self,
        from: Member,
        ballot: Ballot,
        accepted: Option<(Ballot, E)>,
        say: &mut Vec<Motion<E>>,
    ) {
        if !self.view.has(from) {
            return;
        }
        if let Role::Candidate { ballot: mine, promises } = &mut self.role
            && *mine == ballot
            && promises.iter().all(|(member, _)| *member != from)
        {
            promises.push((from, accepted));
            self.count_promises(say);
        }
    }

    fn count_promises(&mut self, say: &mut Vec<Motion<E>>) {
        let Role::Candidate { ballot, promises } = &self.role else { return };
        if !self.view.is_quorum(|member| promises.iter().any(|(who, _)| *who == member)) {
            return;
        }
        let ballot = *ballot;
        let accepted = promises.iter().filter_map(|(_, accepted)| accepted.clone());
        // What may have been decided must be proposed again.
        let bound = accepted.max_by_key(|(ballot, _)| *ballot);
        self.role = Role::Leader { ballot };
        if let Some((_, entry)) = bound {
            self.put(ballot, entry, say);
        }
    }

    fn put(&mut self, ballot: Ballot, entry: E, say: &mut Vec<Motion<E>>) {
        self.accepted = Some((ballot, entry.clone()));
        self.proposal = self.accepted.clone();
        self.accepts.push((ballot, self.me));
        say.push(Motion::Propose { slot: self.slot, ballot, entry });
        self.count_accepts(say);
    }

    fn proposed(&mut self, from: Member, ballot: Ballot, entry: E, say: &mut Vec<Motion<E>>) {
        if from != ballot.leader || !self.view.has(from) {
            return;
        }
        if self.proposal.as_ref().is_none_or(|(known, _)| *known < ballot) {
            self.proposal = Some((ballot, entry.clone()));
        }
        self.note_accept(from, ballot);
        if ballot >= self.promised {
            self.follow(ballot);
            if self.is_member() {
                self.accepted = Some((ballot, entry));
                self.note_accept(self.me, ballot);
                say.push(Motion::Accept { slot: self.slot, ballot });
            }
        }
        self.count_accepts(say);
    }

    fn accept(&mut self, from: Member, ballot: Ballot, say: &mut Vec<Motion<E>>) {
        if self.view.has(from) {
            self.note_accept(from, ballot);
            self.count_accepts(say);
        }
    }

    fn note_accept(&mut self, from: Member, ballot: Ballot) {
        if !self.accepts.contains(&(ballot, from)) {
            // Only the latest ballot of each member is of interest, so the list stays as short as the view.
            self.accepts.retain(|(known, member)| *member != from || *known > ballot);
            if self.accepts.iter().all(|(_, member)| *member != from) {
                self.accepts.push((ballot, from));
            }
        }
    }

    fn count_accepts(&mut self, say: &mut Vec<Motion<E>>) {
        let Some((ballot, entry)) = &self.proposal else { return };
        if self.view.is_quorum(|member| self.accepts.contains(&(*ballot, member))) {
            let entry = entry.clone();
            if self.leads() {
                say.push(Motion::Decided { slot: self.slot, entry: entry.clone() });
            }
            self.decide(entry, say);
        }
    }

    /// The robot follows whoever has this ballot.
    fn follow(&mut self, ballot: Ballot) {
        if ballot > self.promised || ballot.leader != self.me {
            self.promised = self.promised.max(ballot);
            if ballot.leader != self.me {
                self.role = Role::Follower;
            }
        }
    }

    fn decide(&mut self, entry: E, say: &mut Vec<Motion<E>>) {
        self.slot = self.slot.saturating_add(1);
        let change = entry.view().cloned();
        self.recent.push_back(entry.clone());
        if self.recent.len() > KEPT {
            self.recent.pop_front();
        }
        self.decided.push_back(entry);
        self.turn_page();
        if let Some(view) = change {
            // Promises of another view's members count for nothing: whoever led asks again.
            let led = self.leads();
            self.view = view;
            self.role = Role::Follower;
            if led {
                self.campaign(say);
            }
        } else if let Role::Candidate { ballot, promises } = &mut self.role {
            let ballot = *ballot;
            promises.retain(|(member, _)| *member == self.me);
            promises.iter_mut().for_each(|(_, accepted)| *accepted = None);
            say.push(Motion::Prepare { slot: self.slot, ballot });
        }
    }

    fn turn_page(&mut self) {
        self.accepted = None;
        self.proposal = None;
        self.accepts.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// More than half of the members decide, or half of them with the first one.
    #[test]
    fn a_quorum_is_a_majority_or_half_with_the_first() {
        for count in 0..=7u16 {
            let view = View((0..count).map(|robot| Member { robot: RobotId(robot), life: 0 }).collect());
            for chosen in 0..1u32 << count {
                let with = |member: Member| chosen >> member.robot.0 & 1 == 1;
                let (yes, all) = (chosen.count_ones(), u32::from(count));
                let expected = 2 * yes > all || (2 * yes == all && count > 0 && chosen & 1 == 1);
                assert_eq!(view.is_quorum(with), expected, "{chosen:b} of {count}");
            }
        }
    }
}
