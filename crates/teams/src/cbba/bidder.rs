//! One robot's part in the market: the steps of a tick.

use super::bundle::{Bundle, BundleEntry, Discount, Offer};
use super::consensus::Claim;
use super::explain;
use super::hear::Ears;
use super::ledger::Ledger;
use super::params::CbbaParams;
use super::speak::Mouth;
use crate::progress::Progress;
use crate::voice::Voice;
use crewlab_onboard::{
    BehaviourId, Choice, Event, EventKind, Gauge, GaugeState, Identity, Message, Outcome, Output, Piece,
    Reason, RobotId, Situation, Skills, Subject, Time,
};
use serde::{Deserialize, Serialize};

/// The state of CBBA on one robot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Bidder {
    pub(super) params: CbbaParams,
    /// How many behaviour sets the robot has.
    sets: u8,
    /// Time since boot, unaffected by clock faults.
    pub(super) uptime: Time,
    pub(super) ledger: Ledger,
    pub(super) bundle: Bundle,
    progress: Progress,
    pub(super) active: Option<Choice>,
    /// Pieces that were taken from a silent robot and are unassigned since.
    pub(super) freed: Vec<(Piece, RobotId)>,
    pub(super) ears: Ears,
    pub(super) mouth: Mouth,
    /// For tasks that other tasks depend on.
    pub(super) voice: Voice,
    /// The pieces that the robot's sets could work on now; a reusable buffer.
    #[serde(skip)]
    options: Vec<(Piece, Choice)>,
    #[serde(skip)]
    subjects: Vec<Subject>,
}

impl Bidder {
    /// Freshly booted.
    pub(super) fn new(params: &CbbaParams, me: &Identity) -> Bidder {
        Bidder {
            params: params.clone(),
            sets: me.behaviours.len() as u8,
            uptime: Time::ZERO,
            ledger: Ledger::default(),
            bundle: Bundle::default(),
            progress: Progress::default(),
            active: None,
            freed: Vec::new(),
            ears: Ears::default(),
            mouth: Mouth::default(),
            voice: Voice::default(),
            options: Vec::new(),
            subjects: Vec::new(),
        }
    }

    /// One tick.
    pub(super) fn decide(
        &mut self,
        situation: &Situation,
        skills: &dyn Skills,
        inbox: &[Message],
        out: &mut Output,
    ) -> Option<Choice> {
        self.uptime = self.uptime.after(Time::from_seconds(situation.dt).0);
        let mut before: Vec<Piece> = self.bundle.entries().iter().map(|entry| entry.piece).collect();
        self.survey(situation, skills);
        self.listen(situation, inbox, out);
        self.bury_the_silent(situation, out);
        let lost = self.release_what_is_lost(situation.me.id, out);
        let ended = self.drop_what_is_done(situation, skills, out);
        let given_up = self.give_up_what_stalls(situation, skills, out);
        self.plan(situation, skills);
        before.retain(|piece| ![ended, given_up].contains(&Some(*piece)) && !lost.contains(piece));
        self.explain_bundle(&before, situation.me.id, out);
        self.work(situation, skills, out);
        self.speak(situation, out);
        self.active
    }

    /// Every set's highest bid.
    pub(super) fn gauges(&self, out: &mut Vec<Gauge>) {
        for behaviour in (0..self.sets).map(BehaviourId) {
            let bids = self.bundle.path().iter().filter(|offer| offer.choice.behaviour == behaviour);
            let bids = bids.filter_map(|offer| self.bundle.entry(offer.piece)).map(|entry| entry.bid);
            let active = self.active.is_some_and(|choice| choice.behaviour == behaviour);
            let state = if active { GaugeState::Active } else { GaugeState::Hibernating };
            out.push(Gauge { behaviour, level: f64::from(bids.fold(0.0, f32::max)), state });
        }
    }

    fn discount(&self) -> Discount {
        Discount { half_life: self.params.half_life }
    }

    /// The piece that the robot works on, if it is an auctioned one.
    pub(super) fn in_progress(&self, situation: &Situation) -> Option<Piece> {
        let piece = situation.piece(self.active?);
        self.bundle.path().first().map(|offer| offer.piece).filter(|first| *first == piece)
    }

    /// Lists what the robot's sets could work on now.
    pub(super) fn survey(&mut self, situation: &Situation, skills: &dyn Skills) {
        self.options.clear();
        for (behaviour, spec) in situation.me.behaviours() {
            skills.possible(behaviour, situation, &mut self.subjects);
            let option =
                |&subject: &Subject| (Piece { task: spec.task, subject }, Choice { behaviour, subject });
            self.options.extend(self.subjects.iter().map(option));
        }
    }

    pub(super) fn possible(&self, piece: Piece) -> bool {
        self.options.iter().any(|(option, _)| *option == piece)
    }

    /// Frees the pieces of robots that have been silent for too long.
    fn bury_the_silent(&mut self, situation: &Situation, out: &mut Output) {
        let allowed = self.params.time_allowed_till_ceased;
        for (robot, silence) in self.ledger.silent(situation.me.id, self.uptime, allowed) {
            let held = self.ledger.claims().iter().filter(|(_, claim)| claim.winner == robot);
            let held: Vec<Piece> = held.map(|(piece, _)| *piece).collect();
            let event = Event::new(EventKind::Silent).by(robot);
            out.explain(event.with("silence", silence).with("pieces", held.len() as f64));
            for piece in held {
                self.ledger.set(piece, None);
                self.freed.push((piece, robot));
            }
        }
        let ledger = &self.ledger;
        self.freed.retain(|(piece, _)| ledger.claim(*piece).is_none());
        // Only pieces that the robot might take over are remembered.
        let options = &self.options;
        self.freed.retain(|(piece, _)| options.iter().any(|(option, _)| option == piece));
    }

    /// Drops the first piece of the bundle that another has won, and all pieces added after it: their bids assumed a plan that
    /// included it.
    pub(super) fn release_what_is_lost(&mut self, me: RobotId, out: &mut Output) -> Vec<Piece> {
        let holder = |piece: Piece| self.ledger.claim(piece).map(|claim| claim.winner);
        let lost = |entry: &BundleEntry| holder(entry.piece) != Some(me);
        let Some(first) = self.bundle.entries().iter().position(lost) else { return Vec::new() };
        let lost: Vec<BundleEntry> = self.bundle.entries().iter().copied().filter(lost).collect();
        for entry in &lost {
            out.explain(explain::lost(entry, self.ledger.claim(entry.piece)));
        }
        self.release(first, me);
        lost.iter().map(|entry| entry.piece).collect()
    }

    /// Removes everything from this index of the bundle on, and releases it.
    fn release(&mut self, first: usize, me: RobotId) {
        for piece in self.bundle.cut(first) {
            if self.ledger.claim(piece).is_some_and(|claim| claim.winner == me) {
                self.ledger.set(piece, None);
            }
        }
    }

    /// Removes finished and impossible pieces from the bundle. If one was in progress, the rest is replanned.
    fn drop_what_is_done(
        &mut self,
        situation: &Situation,
        skills: &dyn Skills,
        out: &mut Output,
    ) -> Option<Piece> {
        let in_progress = self.in_progress(situation).filter(|piece| !self.possible(*piece));
        let pieces = self.bundle.entries().iter().map(|entry| entry.piece);
        let ended: Vec<Piece> = pieces.filter(|piece| !self.possible(*piece)).collect();
        for piece in ended {
            if let Some(choice) = self.active.filter(|_| in_progress == Some(piece)) {
                let outcome = skills.outcome(choice, situation);
                if outcome == Outcome::Done {
                    self.progress.forgive(piece);
                }
                let event = explain::ended(outcome).about(choice.behaviour, piece.task);
                out.explain(event.subject(piece.subject));
                self.release(0, situation.me.id);
                break;
            }
            self.bundle.remove(piece);
            self.ledger.set(piece, None);
        }
        let done = |piece: Piece| skills.finished(piece.task, situation).is_some() && !self.possible(piece);
        let claims = self.ledger.claims().iter().map(|(piece, _)| *piece);
        for piece in claims.filter(|piece| done(*piece)).collect::<Vec<Piece>>() {
            self.ledger.set(piece, None);
        }
        in_progress
    }

    /// Leaves a piece to others for a while if it fails or the robot makes no progress.
    fn give_up_what_stalls(
        &mut self,
        situation: &Situation,
        skills: &dyn Skills,
        out: &mut Output,
    ) -> Option<Piece> {
        let (piece, choice) = (self.in_progress(situation)?, self.active?);
        if !self.options.contains(&(piece, choice)) {
            // It continues in another way.
            return None;
        }
        let cost = skills.cost(choice, situation);
        let stalled = self.progress.look(piece, cost, self.uptime, self.params.patience);
        let event = match (skills.outcome(choice, situation), stalled) {
            (Outcome::Failed(why), _) => Event::new(EventKind::Failed).saying(why),
            (_, Some(seconds)) => {
                let event = Event::new(EventKind::LeftToOthers).reason(Reason::Stalled);
                event.with("stalled", seconds).with("cost", cost)
            }
            _ => return None,
        };
        let pause = self.progress.give_up(piece, self.uptime, self.params.pause);
        let event = event.about(choice.behaviour, piece.task).subject(piece.subject);
        out.explain(event.with("pause", pause));
        self.release(0, situation.me.id);
        Some(piece)
    }

    /// Phase 1. At the broadcast rate, replans everything after the piece in progress: the longer that takes, the less the rest is
    /// worth to this robot, and another may take it.
    fn plan(&mut self, situation: &Situation, skills: &dyn Skills) {
        let old = self.bundle.entries().to_vec();
        if self.in_progress(situation).is_some() && self.due(situation) {
            self.release(1, situation.me.id);
        }
        self.build(situation, skills);
        for entry in old.iter().filter(|entry| entry.confirmed) {
            if let Some(again) = self.bundle.entry_mut(entry.piece) {
                again.confirmed = true;
            }
        }
    }

    /// Adds what is worth most to the bundle until it is full.
    pub(super) fn build(&mut self, situation: &Situation, skills: &dyn Skills) {
        let room = usize::from(self.params.bundle).saturating_sub(self.bundle.entries().len());
        if room == 0 {
            return;
        }
        let (me, discount) = (situation.me.id, self.discount());
        let offers = self.offers(situation, skills);
        self.bundle.refresh(&offers);
        let in_progress = self.in_progress(situation);
        if let Some(piece) = in_progress {
            self.bundle.expect(self.progress.worked(piece, self.uptime));
        }
        let busy = in_progress.is_some();
        for _ in 0..room {
            let claim = |piece| self.ledger.claim(piece);
            let Some(candidate) = self.bundle.best(me, &offers, busy, discount, claim) else { break };
            self.bundle.add(candidate);
            let claim = Claim { winner: me, bid: candidate.bid, under_way: false };
            self.ledger.set(candidate.offer.piece, Some(claim));
        }
    }

    /// The pieces that the robot could bid for, each in the best of its ways.
    fn offers(&self, situation: &Situation, skills: &dyn Skills) -> Vec<Offer> {
        let discount = self.discount();
        let mut offers: Vec<Offer> = Vec::new();
        for &(piece, choice) in &self.options {
            if !exclusive(piece, situation) || self.leaves_to_others(piece, situation.me.id) {
                continue;
            }
            let Some(offer) = offer(piece, choice, situation, skills) else { continue };
            match offers.iter_mut().find(|known| known.piece == piece) {
                Some(known) if discount.alone(&offer) > discount.alone(known) => *known = offer,
                Some(_) => {}
                None => offers.push(offer),
            }
        }
        offers.sort_by_key(|offer| offer.piece);
        offers
    }

    /// True if the robot has given a piece up: it does not bid during the pause, nor later while another has it.
    fn leaves_to_others(&self, piece: Piece, me: RobotId) -> bool {
        let taken = || self.ledger.claim(piece).is_some_and(|claim| claim.winner != me);
        self.progress.pauses(piece, self.uptime) || (self.progress.gave_up(piece) && taken())
    }

    /// Works on the first piece of the path; without one, on the cheapest shared task.
    fn work(&mut self, situation: &Situation, skills: &dyn Skills, out: &mut Output) {
        let chosen = match self.bundle.path().first().copied() {
            Some(first) => Some(self.work_on(first, situation, skills)),
            None => self.shared(situation, skills),
        };
        if chosen == self.active {
            return;
        }
        if let Some(previous) = self.active.take() {
            self.stop(previous, situation, out);
        }
        if let Some(choice) = chosen {
            let bid = self.bundle.entry(situation.piece(choice)).map(|entry| entry.bid);
            out.explain(explain::activated(choice, bid, situation, skills));
        }
        self.active = chosen;
    }

    /// The choice for a piece that the robot has won, unchanged if it works on it already. Its bid rises to the current value of the
    /// piece.
    fn work_on(&mut self, first: Offer, situation: &Situation, skills: &dyn Skills) -> Choice {
        let kept = self.active.filter(|choice| self.options.contains(&(first.piece, *choice)));
        let planned = Some(first.choice).filter(|choice| self.options.contains(&(first.piece, *choice)));
        let any = self.options.iter().find(|(piece, _)| *piece == first.piece).map(|(_, choice)| *choice);
        let choice = kept.or(planned).or(any).unwrap_or(first.choice);
        if let Some(offer) = offer(first.piece, choice, situation, skills) {
            self.bundle.refresh(&[offer]);
            self.bundle.commit(self.discount().alone(&offer));
        }
        if let Some(entry) = self.bundle.entry(first.piece) {
            let claim = Claim { winner: situation.me.id, bid: entry.bid, under_way: true };
            self.ledger.set(first.piece, Some(claim));
        }
        choice
    }

    /// The current shared task while it is applicable; otherwise the cheapest one.
    fn shared(&mut self, situation: &Situation, skills: &dyn Skills) -> Option<Choice> {
        self.progress.rest();
        let shared = || self.options.iter().filter(|(piece, _)| !exclusive(*piece, situation));
        let kept = self.active.filter(|active| shared().any(|(_, choice)| choice == active));
        let cost = |piece: Piece, choice| skills.cost(choice, situation) / skills.urgency(piece.task);
        let costs = shared().map(|(piece, choice)| (*choice, cost(*piece, *choice)));
        kept.or_else(|| costs.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(choice, _)| choice))
    }

    /// Ends a choice: notifies those who depend on it, and explains the end of a shared task. The end of an exclusive one was
    /// explained when it happened.
    fn stop(&mut self, choice: Choice, situation: &Situation, out: &mut Output) {
        let piece = situation.piece(choice);
        if !exclusive(piece, situation) && !self.possible(piece) {
            out.explain(
                Event::new(EventKind::Ended)
                    .reason(Reason::NoLongerApplicable)
                    .about(choice.behaviour, piece.task),
            );
        }
        let mut voice = std::mem::take(&mut self.voice);
        if situation.accompanied(piece.task) {
            voice.end(piece.task, piece.subject, situation, out);
        }
    }
}

/// The value of a piece of work in one way, and its expected duration; `None` if it is impossible.
fn offer(piece: Piece, choice: Choice, situation: &Situation, skills: &dyn Skills) -> Option<Offer> {
    let worth = situation.utility(choice.behaviour) * skills.urgency(piece.task);
    let cost = skills.cost(choice, situation).max(0.0);
    (worth.is_finite() && worth > 0.0 && cost.is_finite()).then_some(Offer { piece, choice, worth, cost })
}

pub(super) fn exclusive(piece: Piece, situation: &Situation) -> bool {
    situation.task(piece.task).is_some_and(|task| task.exclusive)
}
