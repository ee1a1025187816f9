//! The auctioneer: announces open tasks, collects bids, assigns, and supervises what was assigned (algorithm 3.1).

use super::alternatives::takes_several;
use super::choosing::{chosen, coverable};
use super::context::TickContext;
use super::evaluate::{self, Answer, Sale};
use super::inquiry::MOST_ROBOTS;
use super::latency::Latency;
use super::ledger::{Doer, Ledger, Standing, doers};
use super::mates::PartStanding;
use super::params::{Evaluation, Search};
use super::round::{Phase, Round};
use super::talk::{Award, Bids, Ending, Engaged, MarketMessage, RoundId};
use crewlab_onboard::event::key;
use crewlab_onboard::{Event, EventKind, Piece, Reason, RobotId, Term, Time};
use serde::{Deserialize, Serialize};

/// A task that was reported done but is still to be done after this time is reopened. [s]
const BELIEVED_DONE: f64 = 10.0;
/// A forwarded task that nobody has mentioned for this long is forgotten. [s]
const FORGOTTEN: f64 = 10.0;
/// Time between two checks whether somebody can now do what nobody could. [s]
const LOOK_AGAIN: f64 = 1.0;

/// The auctioneer of one robot.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Auctioneer {
    pub ledger: Ledger,
    round: Option<Round>,
    /// The highest known number of an auction.
    number: u32,
    looked: Option<Time>,
    latency: Latency,
    /// The robots that were free in the last tick.
    free: Vec<RobotId>,
    /// Open questions to the operator.
    pub(super) asked: Vec<(u32, Piece)>,
}

impl Auctioneer {
    /// Records an auction's number, so that the next one's is higher.
    pub fn heard(&mut self, round: RoundId) {
        // An implausible number, from a damaged message, must not push the count to its end.
        if round.number < self.number.saturating_add(1 << 20) {
            self.number = self.number.max(round.number);
        }
    }

    /// One tick.
    pub fn step(&mut self, context: &mut TickContext) {
        self.adopt(context);
        self.see_who_is_free(context);
        self.forget(context);
        self.oversee(context);
        self.go_on(context);
        if self.round.is_none() {
            self.announce(context);
        }
    }

    /// Drops everything: somebody else auctions now.
    pub fn resign(&mut self) {
        self.ledger.clear();
        self.round = None;
    }

    /// Records that robots are heard working on something, whoever awarded it.
    fn adopt(&mut self, context: &TickContext) {
        for mate in context.mates.alive(context.now(), context.silence()) {
            let Some(engaged) = mate.engaged else { continue };
            let Some(entry) = self.ledger.get_mut(engaged.piece) else { continue };
            match &mut entry.standing {
                Standing::Open { .. } if entry.void != Some(engaged.round) => {
                    let doers = doers([mate.id].into_iter());
                    entry.standing = Standing::Executed { engaged, doers, since: context.now() };
                }
                Standing::Executed { engaged: known, doers, .. }
                    if *known == engaged && doers.iter().all(|doer| doer.robot != mate.id) =>
                {
                    doers.push(Doer { robot: mate.id, reward: None });
                }
                _ => {}
            }
        }
    }

    fn see_who_is_free(&mut self, context: &TickContext) {
        let alive = context.mates.alive(context.now(), context.silence());
        let free: Vec<RobotId> = alive.filter(|mate| mate.engaged.is_none()).map(|mate| mate.id).collect();
        if free.iter().any(|robot| !self.free.contains(robot)) {
            self.ledger.hurry();
        }
        self.free = free;
    }

    /// Forgets work that nobody wants any more.
    fn forget(&mut self, context: &mut TickContext) {
        let now = context.now();
        let mut gone = Vec::new();
        self.ledger.retain(|entry| {
            let wanted = entry.wanted > now || now.within(entry.wanted, FORGOTTEN);
            let keep = match entry.standing {
                Standing::Negotiated | Standing::Executed { .. } => true,
                Standing::Done { .. } => now.within(entry.wanted, 1.0),
                Standing::Open { .. } | Standing::GivenUp { .. } | Standing::Dropped => wanted,
            };
            if !keep && matches!(entry.standing, Standing::Open { .. }) {
                gone.push(entry.piece);
            }
            keep
        });
        for piece in gone {
            context.tell(EventKind::Withdrawn, piece);
        }
    }

    /// Supervises work that is assigned, done or given up.
    fn oversee(&mut self, context: &mut TickContext) {
        let now = context.now();
        let look_again = self.looked.is_none_or(|at| at > now || now.since(at) >= LOOK_AGAIN);
        if look_again {
            self.looked = Some(now);
        }
        let pieces = self.ledger.pieces();
        for piece in pieces {
            let Some(entry) = self.ledger.get_mut(piece) else { continue };
            match &mut entry.standing {
                Standing::Executed { engaged, doers, since } => {
                    let (engaged, since) = (*engaged, *since);
                    if let Some(lost) = lost(doers, engaged, since, context) {
                        let others: Vec<RobotId> =
                            doers.iter().map(|d| d.robot).filter(|r| Some(*r) != lost.robot).collect();
                        entry.reopen();
                        self.again(engaged, lost, &others, context);
                    } else if doers.iter().all(|doer| doer.reward.is_some()) {
                        let rewards: Vec<f64> = doers.iter().filter_map(|doer| doer.reward).collect();
                        entry.standing = Standing::Done { at: now };
                        let reward = context.worth.value(&rewards);
                        let event = Event::new(EventKind::Completed).piece(piece);
                        context.out.explain(event.with(key::REWARD, reward));
                    }
                }
                Standing::Done { at } if *at <= now && !now.within(*at, BELIEVED_DONE) => {
                    entry.reopen();
                    context.tell(EventKind::ReAnnounced, piece).reason = Some(Reason::ReportedDone);
                }
                Standing::GivenUp { at, hopeless, .. } if look_again => {
                    let again = if *hopeless {
                        coverable(piece, context)
                    } else {
                        !now.within(*at, context.params.try_again)
                    };
                    if again {
                        entry.errors.clear();
                        entry.reopen();
                    }
                }
                _ => {}
            }
        }
    }

    /// Reports that a task is announced again, and releases those who still work on it.
    fn again(&self, engaged: Engaged, loss: Loss, others: &[RobotId], context: &mut TickContext) {
        let event = Event::new(EventKind::ReAnnounced).piece(engaged.piece).saying(loss.words);
        let event = Event { other: loss.robot, reason: loss.reason, ..event };
        let why = event.because(context).unwrap_or_default();
        context.out.explain(event.with(key::ROUND, f64::from(engaged.round.number)));
        for robot in others {
            let ending = Ending::Failed { why: why.clone(), error: false };
            context.send(*robot, MarketMessage::Status { engaged, part: engaged.piece.task, ending });
        }
    }

    /// A robot's report on how its part ended.
    pub fn status(&mut self, from: RobotId, engaged: Engaged, ending: Ending, context: &mut TickContext) {
        let now = context.now();
        let attempts = context.params.attempts;
        let Some(entry) = self.ledger.get_mut(engaged.piece) else { return };
        let Standing::Executed { engaged: current, doers, .. } = &mut entry.standing else { return };
        if *current != engaged {
            return;
        }
        let Some(doer) = doers.iter_mut().find(|doer| doer.robot == from) else { return };
        let (why, error) = match ending {
            Ending::Done(reward) => {
                doer.reward = Some(if reward.is_finite() { reward } else { 0.0 });
                return;
            }
            Ending::Failed { why, error } => (why, error),
        };
        let others: Vec<RobotId> =
            doers.iter().map(|doer| doer.robot).filter(|robot| *robot != from).collect();
        if error && entry.err(&why, attempts) {
            entry.standing = Standing::GivenUp { at: now, hopeless: false };
            let event = Event::new(EventKind::GivenUp).piece(engaged.piece).by(from);
            context.out.explain(event.reason(Reason::FailedOften(attempts)).saying(why));
        } else {
            entry.reopen();
            let loss = Loss { robot: Some(from), reason: None, words: why };
            self.again(engaged, loss, &others, context);
        }
    }

    /// Chooses what to announce, and announces it.
    fn announce(&mut self, context: &mut TickContext) {
        let now = context.now();
        let mut open = self.ledger.open(now);
        for piece in &open {
            if !coverable(*piece, context)
                && let Some(entry) = self.ledger.get_mut(*piece)
            {
                entry.standing = Standing::GivenUp { at: now, hopeless: true };
                context.tell(EventKind::GivenUp, *piece).reason = Some(Reason::NobodyCan);
            }
        }
        open.retain(|piece| {
            self.ledger.get(*piece).is_some_and(|entry| matches!(entry.standing, Standing::Open { .. }))
        });
        let pieces = chosen(&open, context);
        if pieces.is_empty() || self.free.is_empty() {
            return;
        }
        self.number = self.number.saturating_add(1);
        let id = RoundId { number: self.number, auctioneer: context.me(), boot: context.boot };
        let robots: Vec<RobotId> = context.mates.alive(now, context.silence()).map(|mate| mate.id).collect();
        let several = pieces.len() == 1 && takes_several(context.situation.tasks, pieces[0].task);
        let shared = several
            && context.params.evaluation == Evaluation::Distributed
            && context.params.search != Search::Joint
            && robots.len() <= MOST_ROBOTS;
        let shared_by = if shared { robots.clone() } else { Vec::new() };
        self.latency.ask(id, now);
        for robot in &robots {
            let (pieces, shared_by) = (pieces.clone(), shared_by.clone());
            context.send(*robot, MarketMessage::Announce { round: id, pieces, shared_by });
        }
        let mut again = false;
        for piece in &pieces {
            if let Some(entry) = self.ledger.get_mut(*piece) {
                entry.standing = Standing::Negotiated;
                entry.rounds = entry.rounds.saturating_add(1);
                again |= entry.rounds > 1;
            }
        }
        let offered = Reason::Offered { pieces: pieces.clone(), to: robots.clone(), again };
        context.out.explain(
            Event::new(EventKind::Announced)
                .reason(offered)
                .with(key::ROUND, f64::from(id.number))
                .with("robots", robots.len() as f64),
        );
        let phase = if shared {
            Phase::Coalitions(vec![None; robots.len()])
        } else {
            Phase::Bids(vec![None; robots.len()])
        };
        self.round = Some(Round { id, pieces, robots, phase, since: now, asked: now });
    }

    /// Records how long an answer took.
    fn answered_by(&mut self, from: RobotId, id: RoundId, context: &TickContext) {
        if from != context.me() {
            self.latency.answer(id, context.now());
        }
    }

    /// How long this auction waits for answers. As long as nobody else has answered although others are heard, it waits as long
    /// as it believes them to be there: maybe answers take longer than it knows. [s]
    fn patience(&self, round: &Round, context: &TickContext) -> f64 {
        let patience = |timeout| self.latency.patience(context.patience(timeout));
        let timeout = context.params.bid_timeout;
        match &round.phase {
            Phase::Confirmations(_) => patience(context.params.confirmation_timeout),
            _ if round.unanswered(context.me()) => context.silence().max(patience(timeout)),
            Phase::Bids(_) => patience(timeout),
            Phase::Coalitions(_) => 2.0 * patience(timeout),
        }
    }

    /// A robot's bids.
    pub fn bid(&mut self, from: RobotId, id: RoundId, bids: Vec<Bids>, context: &TickContext) {
        self.answered_by(from, id, context);
        let Some(round) = self.round.as_mut().filter(|round| round.id == id) else { return };
        let place = round.robots.iter().position(|robot| *robot == from);
        if let (Phase::Bids(slots), Some(place)) = (&mut round.phase, place) {
            slots[place] = Some(bids);
        }
    }

    /// The result of a broker's share.
    pub fn coalition(&mut self, from: RobotId, id: RoundId, answer: Answer, context: &TickContext) {
        self.answered_by(from, id, context);
        let Some(round) = self.round.as_mut().filter(|round| round.id == id) else { return };
        let place = round.robots.iter().position(|robot| *robot == from);
        if let (Phase::Coalitions(slots), Some(place)) = (&mut round.phase, place) {
            slots[place] = Some(answer);
        }
    }

    /// A robot accepts an award, or rejects it.
    pub fn confirmed(&mut self, from: RobotId, engaged: Engaged, accepted: bool, context: &mut TickContext) {
        if let Some(round) = self.round.as_mut().filter(|round| round.id == engaged.round)
            && let Phase::Confirmations(awards) = &mut round.phase
            && let Some((award, slots)) = awards.iter_mut().find(|(award, _)| award.piece == engaged.piece)
            && let Some(place) = award.members.iter().position(|(robot, _)| *robot == from)
        {
            slots[place] = Some(accepted);
            return;
        }
        // Too late: somebody else may have it by now.
        let current = self.ledger.get(engaged.piece).map(|entry| &entry.standing);
        let other = matches!(current, Some(Standing::Executed { engaged: other, .. }) if *other != engaged);
        if accepted && engaged.round.auctioneer == context.me() && other {
            let why = "it was awarded to another robot meanwhile".into();
            let ending = Ending::Failed { why, error: false };
            context.send(from, MarketMessage::Status { engaged, part: engaged.piece.task, ending });
        }
    }

    /// Continues the auction when all answers have arrived, or the time is over.
    fn go_on(&mut self, context: &mut TickContext) {
        let Some(mut round) = self.round.take() else { return };
        let now = context.now();
        if round.since > now {
            round.since = now;
        }
        let late = !now.within(round.since, self.patience(&round, context));
        match std::mem::replace(&mut round.phase, Phase::Bids(Vec::new())) {
            Phase::Bids(bids) if late || bids.iter().all(Option::is_some) => {
                let came: Vec<Option<&Vec<Bids>>> = bids.iter().map(Option::as_ref).collect();
                let sale = self.evaluate(&round, &came, context);
                self.assign(round, sale, context);
            }
            Phase::Coalitions(answers) if late || answers.iter().all(Option::is_some) => {
                let sale = evaluate::shared(round.pieces[0], &round.robots, &answers, context);
                self.assign(round, sale, context);
            }
            Phase::Confirmations(awards)
                if late || awards.iter().all(|(_, slots)| slots.iter().all(Option::is_some)) =>
            {
                awards.into_iter().for_each(|(award, slots)| self.settle(round.id, award, &slots, context));
            }
            phase => {
                let mut round = Round { phase, ..round };
                round.ask_again(context);
                self.round = Some(round);
            }
        }
    }

    fn evaluate(&self, round: &Round, bids: &[Option<&Vec<Bids>>], context: &TickContext) -> Sale {
        let several = takes_several(context.situation.tasks, round.pieces[0].task);
        if context.params.search == Search::Joint {
            evaluate::together(&round.pieces, &round.robots, bids, context)
        } else if several {
            evaluate::several(round.pieces[0], &round.robots, bids, context)
        } else {
            evaluate::single(&round.pieces, &round.robots, bids, context)
        }
    }

    /// Announces the awards. Work that nobody gets is postponed.
    fn assign(&mut self, round: Round, sale: Sale, context: &mut TickContext) {
        let now = context.now();
        for mut event in sale.told {
            let number = Term { name: key::ROUND, of: None, value: f64::from(round.id.number) };
            event.terms.insert(0, number);
            context.out.explain(event);
        }
        for piece in &round.pieces {
            if !sale.awards.iter().any(|award| award.piece == *piece)
                && let Some(entry) = self.ledger.get_mut(*piece)
            {
                entry.put_off(context.params.announce_again, now);
                if entry.doubtful(context.params.ask_after) {
                    self.ask(*piece, context);
                }
            }
        }
        if sale.awards.is_empty() {
            return;
        }
        for robot in &round.robots {
            context.send(*robot, MarketMessage::Assign { round: round.id, awards: sale.awards.clone() });
        }
        let awaited = sale.awards.into_iter().map(|award| {
            let slots = vec![None; award.members.len()];
            (award, slots)
        });
        let phase = Phase::Confirmations(awaited.collect());
        self.round = Some(Round { phase, since: now, asked: now, ..round });
    }

    /// An award is executed if all have confirmed; otherwise the task is open again.
    fn settle(&mut self, round: RoundId, award: Award, slots: &[Option<bool>], context: &mut TickContext) {
        let (now, engaged) = (context.now(), Engaged { round, piece: award.piece });
        let Some(entry) = self.ledger.get_mut(award.piece) else { return };
        let took = |place: usize, robot: RobotId| {
            slots[place] == Some(true) || context.mates.get(robot).is_some_and(|mate| mate.does(engaged))
        };
        let members: Vec<RobotId> = award.members.iter().map(|(robot, _)| *robot).collect();
        let missing: Vec<RobotId> = members
            .iter()
            .enumerate()
            .filter(|(place, robot)| !took(*place, **robot))
            .map(|(_, r)| *r)
            .collect();
        if missing.is_empty() {
            entry.unsold = 0;
            entry.standing =
                Standing::Executed { engaged, doers: doers(members.iter().copied()), since: now };
        } else {
            entry.reopen();
            entry.void = Some(round);
            let reason = Some(Reason::Unconfirmed(missing.clone()));
            let loss = Loss { robot: missing.first().copied(), reason, words: String::new() };
            // Those whose confirmation was lost must learn it, too.
            self.again(engaged, loss, &members, context);
        }
    }
}

/// Why a piece of work is open again.
struct Loss {
    /// The robot that no longer does its part.
    robot: Option<RobotId>,
    reason: Option<Reason>,
    /// The robot's own words.
    words: String,
}

/// The first robot that no longer does its part; records those that are done.
fn lost(doers: &mut [Doer], engaged: Engaged, since: Time, context: &TickContext) -> Option<Loss> {
    for doer in doers.iter_mut().filter(|doer| doer.reward.is_none()) {
        match context.mates.standing(doer.robot, engaged, since, context) {
            PartStanding::Ongoing => {}
            PartStanding::Done(reward) => doer.reward = Some(reward),
            PartStanding::Lost(reason) => {
                return Some(Loss { robot: Some(doer.robot), reason: Some(reason), words: String::new() });
            }
        }
    }
    None
}
