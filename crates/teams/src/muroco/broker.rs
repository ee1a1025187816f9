//! The broker: bids for its robot, accepts what the robot wins, supervises it, and reports how it ends.

use super::alternatives::parts;
use super::bidder::Bidder;
use super::context::TickContext;
use super::mates::PartStanding;
use super::pledge::Pledge;
use super::talk::{Award, Ending, Engaged, MarketMessage, Past, RoundId};
use crewlab_onboard::event::key;
use crewlab_onboard::{Choice, Event, EventKind, Outcome, Partner, Piece, Reason, RobotId, TaskId, Time};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// How long the end of an engagement is reported in the alive messages. [s]
const REMEMBERED: f64 = 30.0;
/// Largest number of ends reported at a time.
const MOST_PAST: usize = 4;
/// Number of recent rounds in which the robot may still get an award.
const MOST_ROUNDS: usize = 8;
/// Another way has to be worth so much more to be taken. [s]
const BETTER: f64 = 10.0;
/// Interval of confirmations while somebody has not confirmed. [s]
const CONFIRM_AGAIN: f64 = 0.5;

/// A member of the coalition that the robot is part of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Member {
    partner: Partner,
    confirmed: bool,
    done: bool,
}

/// The robot's engagement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bound {
    pub engaged: Engaged,
    pub part: TaskId,
    pub choice: Choice,
    /// The others.
    members: Vec<Member>,
    pledge: Pledge,
    since: Time,
    confirmed_at: Time,
    started: bool,
    /// The action in progress, by its index in the plan; `None` before the first one is known.
    stage: Option<usize>,
    /// False while the work is not applicable; the robot then waits for a moment.
    possible: bool,
    /// Robots that were noticed doing the same work.
    rivals: Vec<(RobotId, RoundId)>,
}

/// The broker of one robot.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Broker {
    pub bound: Option<Bound>,
    partners: Vec<Partner>,
    past: Vec<(Past, Time)>,
    /// Auctions that it bid in, and when.
    bid_in: Vec<(RoundId, Time)>,
}

/// Why an engagement ends early.
enum End {
    /// An error in the work, in these words.
    Failed(&'static str),
    /// The robot cannot keep its pledge.
    PledgeBroken(Reason),
    /// Somebody else is the cause, maybe in these words.
    Released(Reason, String),
}

impl End {
    /// Somebody else is the cause.
    fn released(reason: Reason) -> End {
        End::Released(reason, String::new())
    }
}

impl Broker {
    /// How far the reward expected of the work in progress is above the promised one; `None` without such work.
    pub fn margin(&self, now: Time) -> Option<f64> {
        self.bound.as_ref().filter(|bound| bound.started).map(|bound| bound.pledge.margin(now))
    }

    /// The robot's engagement, as sent to others.
    pub fn engaged(&self) -> Option<Engaged> {
        self.bound.as_ref().map(|bound| bound.engaged)
    }

    /// Its recent engagements.
    pub fn past(&mut self, now: Time) -> Vec<Past> {
        self.past.retain(|(_, at)| now.within(*at, REMEMBERED));
        self.past.iter().map(|(past, _)| *past).collect()
    }

    /// The robot's work.
    pub fn choice(&self) -> Option<Choice> {
        self.bound.as_ref().filter(|bound| bound.started && bound.possible).map(|bound| bound.choice)
    }

    /// The partners who do the other parts.
    pub fn partners(&self) -> &[Partner] {
        &self.partners
    }

    /// Bids for an announcement; not while the robot is engaged.
    pub fn bid(&mut self, round: RoundId, pieces: &[Piece], bidder: &mut Bidder, context: &mut TickContext) {
        let bids = pieces.iter().map(|piece| self.bids(*piece, bidder, context)).collect();
        self.note_bid(round, context.now());
        context.send(round.auctioneer, MarketMessage::Bid { round, bids });
    }

    /// The robot's bids for one piece of work.
    pub fn bids(&self, piece: Piece, bidder: &mut Bidder, context: &TickContext) -> super::talk::Bids {
        if self.bound.is_some() { Vec::new() } else { bidder.bids(piece, context.situation, context.skills) }
    }

    /// Answers another broker's request for bids.
    pub fn reply(
        &mut self,
        to: RobotId,
        round: RoundId,
        piece: Piece,
        bidder: &mut Bidder,
        context: &mut TickContext,
    ) {
        let bids = self.bids(piece, bidder, context);
        self.note_bid(round, context.now());
        context.send(to, MarketMessage::Reply { round, bids });
    }

    fn note_bid(&mut self, round: RoundId, now: Time) {
        self.bid_in.retain(|(known, _)| *known != round);
        if self.bid_in.len() >= MOST_ROUNDS {
            self.bid_in.remove(0);
        }
        self.bid_in.push((round, now));
    }

    /// Accepts an award after checking that the robot can still do it, and confirms.
    pub fn take(&mut self, round: RoundId, awards: &[Award], bidder: &Bidder, context: &mut TickContext) {
        let me = context.me();
        let Some(award) = awards.iter().find(|award| award.members.iter().any(|(robot, _)| *robot == me))
        else {
            return;
        };
        let engaged = Engaged { round, piece: award.piece };
        if self.past.iter().any(|(past, _)| past.engaged == engaged) {
            return;
        }
        if self.engaged() == Some(engaged) {
            // The auctioneer asks again because the confirmation was lost.
            return context.send(round.auctioneer, MarketMessage::Confirm { engaged, accepted: true });
        }
        match self.check(round, award, bidder, context) {
            Ok(bound) => {
                self.partners = bound.members.iter().map(|member| member.partner).collect();
                self.bound = Some(bound);
                self.confirm(engaged, true, &self.partners.clone(), context);
            }
            Err(reason) => {
                let others: Vec<Partner> = award
                    .members
                    .iter()
                    .filter(|(robot, _)| *robot != me)
                    .map(|(robot, _)| Partner { robot: *robot, part: award.piece.task })
                    .collect();
                self.confirm(engaged, false, &others, context);
                context.tell(EventKind::Rejected, award.piece).reason = Some(reason);
            }
        }
    }

    /// The resource re-check.
    fn check(
        &self,
        round: RoundId,
        award: &Award,
        bidder: &Bidder,
        context: &TickContext,
    ) -> Result<Bound, Reason> {
        let (me, now) = (context.me(), context.now());
        if self.bound.is_some() {
            return Err(Reason::Engaged);
        }
        // The auctioneer may wait until it takes a robot that does not answer for gone. A distributed round takes twice as long to
        // assign, and the radio may be slow.
        let wait = context.silence()
            + 2.0 * context.patience(context.params.bid_timeout)
            + context.patience(context.params.confirmation_timeout);
        if !self.bid_in.iter().any(|(known, at)| *known == round && now.within(*at, wait)) {
            return Err(Reason::StaleBid);
        }
        let tasks = context.situation.tasks;
        let parts = parts(tasks, award.piece.task, award.alternative).ok_or(Reason::NoSuchPlan)?;
        let place = award.members.iter().position(|(robot, _)| *robot == me).ok_or(Reason::NotForIt)?;
        if parts.len() != award.members.len() {
            return Err(Reason::PartsDoNotFit);
        }
        let (part, floor) = (parts[place], award.members[place].1);
        let bid = bidder.bid(part, award.piece.subject, context.situation, context.skills);
        let (choice, value) = bid.ok_or(Reason::Unable)?;
        let others = parts.iter().zip(&award.members).filter(|(_, (robot, _))| *robot != me);
        let member = |(part, (robot, _)): (&TaskId, &(RobotId, f64))| Member {
            partner: Partner { robot: *robot, part: *part },
            confirmed: false,
            done: false,
        };
        Ok(Bound {
            engaged: Engaged { round, piece: award.piece },
            part,
            choice,
            members: others.map(member).collect(),
            // No robot pledges more than it expects by now.
            pledge: Pledge::new(floor.min(value.reward), &value, context.params, now),
            since: now,
            confirmed_at: now,
            started: false,
            stage: None,
            possible: true,
            rivals: Vec::new(),
        })
    }

    /// Confirms or rejects an award: to the auctioneer, and to all members of a coalition, itself included.
    fn confirm(&self, engaged: Engaged, accepted: bool, partners: &[Partner], context: &mut TickContext) {
        let (me, auctioneer) = (context.me(), engaged.round.auctioneer);
        let mut to = vec![auctioneer];
        if !partners.is_empty() {
            to.extend(partners.iter().map(|partner| partner.robot).chain([me]));
        }
        to.sort_unstable();
        to.dedup();
        to.into_iter().for_each(|robot| context.send(robot, MarketMessage::Confirm { engaged, accepted }));
    }

    /// A partner's confirmation.
    pub fn confirmed(
        &mut self,
        from: RobotId,
        engaged: Engaged,
        accepted: bool,
        bidder: &mut Bidder,
        context: &mut TickContext,
    ) {
        let Some(bound) = self.bound.as_mut().filter(|bound| bound.engaged == engaged) else { return };
        let Some(member) = bound.members.iter_mut().find(|member| member.partner.robot == from) else {
            return;
        };
        // A robot that has confirmed does not reject: that message is about an older award.
        if !accepted && (bound.started || member.confirmed) {
            return;
        }
        member.confirmed |= accepted;
        if !accepted {
            self.end(End::released(Reason::PartUnconfirmed(from)), bidder, context);
        }
    }

    /// The end of a partner's part, or the auctioneer's order to drop it.
    pub fn status(
        &mut self,
        from: RobotId,
        engaged: Engaged,
        ending: Ending,
        bidder: &mut Bidder,
        context: &mut TickContext,
    ) {
        let Some(bound) = self.bound.as_mut().filter(|bound| bound.engaged == engaged) else { return };
        match (bound.members.iter_mut().find(|member| member.partner.robot == from), ending) {
            (Some(member), Ending::Done(_)) => member.done = true,
            (None, Ending::Done(_)) => {}
            (_, Ending::Failed { why, .. }) => {
                self.end(End::Released(Reason::Says(from), why), bidder, context);
            }
        }
    }

    /// Supervises the robot's engagement.
    pub fn watch(&mut self, bidder: &mut Bidder, context: &mut TickContext) {
        let Some(bound) = self.bound.as_mut() else { return };
        // A start in the future is from before the clock was set back.
        bound.since = bound.since.min(context.now());
        self.follow(bidder, context);
        self.look_after_partners(bidder, context);
        self.look_for_rivals(bidder, context);
    }

    /// Starts as soon as everybody has confirmed.
    pub fn wait_for_partners(&mut self, bidder: &mut Bidder, context: &mut TickContext) {
        let Some(bound) = self.bound.as_mut().filter(|bound| !bound.started) else { return };
        let (now, engaged) = (context.now(), bound.engaged);
        for member in &mut bound.members {
            let mate = context.mates.present(member.partner.robot, now, context.silence());
            member.confirmed |= mate.is_some_and(|mate| mate.does(engaged));
        }
        if bound.members.iter().all(|member| member.confirmed) {
            bound.started = true;
            bound.pledge.restart(now);
            bidder.begin(bound.choice, context);
            let task = context.situation.me.behaviour(bound.choice.behaviour).task;
            let with = bound.members.iter().map(|member| member.partner.robot).collect();
            let reason = Reason::Won { piece: engaged.piece, round: engaged.round.number, with };
            let event = Event::new(EventKind::Activated).reason(reason).subject(engaged.piece.subject);
            let event = event.about(bound.choice.behaviour, task).with(key::REWARD, bound.pledge.bid);
            context.out.explain(event.with("pledge", bound.pledge.floor));
            return;
        }
        if now.since(bound.confirmed_at) >= CONFIRM_AGAIN {
            bound.confirmed_at = now;
            let waited_for: Vec<RobotId> =
                bound.members.iter().filter(|m| !m.confirmed).map(|m| m.partner.robot).collect();
            for robot in waited_for {
                context.send(robot, MarketMessage::Confirm { engaged, accepted: true });
            }
        }
        let Some(bound) = &self.bound else { return };
        let wait = 2.0 * context.patience(context.params.confirmation_timeout);
        if !now.within(bound.since, wait.max(context.silence())) {
            self.end(End::released(Reason::ConfirmationLate), bidder, context);
        }
    }

    /// Checks the state of the work.
    fn follow(&mut self, bidder: &mut Bidder, context: &mut TickContext) {
        let Some(bound) = self.bound.as_mut() else { return };
        let (choice, now, piece) = (bound.choice, context.now(), bound.engaged.piece);
        let spec = context.situation.me.behaviour(choice.behaviour);
        match context.skills.outcome(choice, context.situation) {
            Outcome::Done => {
                let rest = bound.stage.unwrap_or(0)..spec.actions.len();
                bidder.appraiser.completed(spec, rest, context.situation);
                bidder.end(true, context);
                return self.complete(context);
            }
            Outcome::Failed(why) => return self.end(End::Failed(why), bidder, context),
            Outcome::Unwanted => {
                return self.end(End::released(Reason::Unwanted), bidder, context);
            }
            Outcome::Ongoing => {}
        }
        let setback = context.skills.setback(choice, context.situation);
        if let Some(capability) = setback.as_ref().and_then(|setback| setback.capability.as_deref()) {
            bidder.appraiser.failed(capability);
        }
        if let Some(stage) = context.skills.stage().filter(|_| bound.started) {
            let done = bound.stage.unwrap_or(stage)..stage;
            bidder.appraiser.completed(spec, done, context.situation);
            bound.stage = Some(stage);
        }
        let value = bidder.value(choice, context.situation, context.skills);
        bound.possible = value.is_some();
        let stages = bound.pledge.stages;
        let reward = bound.pledge.estimate(value.as_ref(), setback.is_some(), now);
        if bound.pledge.stages > stages && bound.started {
            // One item is delivered, and the plan is about the next one.
            bidder.end(true, context);
            bidder.begin(choice, context);
        }
        if let Some(setback) = setback
            && reward.is_some_and(|reward| reward > bound.pledge.floor)
        {
            let event = Event { behaviour: Some(choice.behaviour), ..Event::new(EventKind::Setback) };
            let event = event.piece(piece).saying(setback.why);
            let event = event.with(key::REWARD, reward.unwrap_or_default());
            context.out.explain(event.with("pledge", bound.pledge.floor));
        }
        if let Some(reason) = bound.pledge.broken(reward, context.params.patience, now) {
            self.end(End::PledgeBroken(reason), bidder, context);
        } else if bound.started && reward.is_none_or(|reward| reward < bound.pledge.bid) {
            self.reconsider(value.map_or(f64::NEG_INFINITY, |value| value.reward), bidder, context);
        }
    }

    /// The reward has fallen, ρ̂(p|s) - ρ̂'(p|s') > 0, and to continue is worth so much: takes another of the robot's ways if that is worth
    /// more and keeps the pledge.
    fn reconsider(&mut self, worth: f64, bidder: &mut Bidder, context: &mut TickContext) {
        let Some(bound) = self.bound.as_mut() else { return };
        let (now, subject) = (context.now(), bound.engaged.piece.subject);
        let best = bidder.bid(bound.part, subject, context.situation, context.skills);
        let Some((choice, value)) = best.filter(|(choice, _)| *choice != bound.choice) else { return };
        let spent = now.since(bound.since);
        if value.reward < worth + BETTER || value.reward - spent < bound.pledge.floor {
            return;
        }
        (bound.choice, bound.stage, bound.possible) = (choice, None, true);
        bound.pledge.turn_to(&value, spent, now);
        let event = Event::new(EventKind::Activated).reason(Reason::BetterWay).subject(subject);
        let event = event.about(choice.behaviour, bound.part).with(key::REWARD, bound.pledge.bid);
        context.out.explain(event.with("pledge", bound.pledge.floor));
        bidder.appraiser.abandon();
        bidder.begin(choice, context);
    }

    /// Ends the engagement as soon as a partner is gone.
    fn look_after_partners(&mut self, bidder: &mut Bidder, context: &mut TickContext) {
        let Some(bound) = self.bound.as_mut().filter(|bound| bound.started) else { return };
        let mut lost = None;
        for member in bound.members.iter_mut().filter(|member| !member.done) {
            let partner = member.partner.robot;
            match context.mates.standing(partner, bound.engaged, bound.since, context) {
                PartStanding::Ongoing => {}
                PartStanding::Done(_) => member.done = true,
                PartStanding::Lost(reason) => lost = Some(reason),
            }
        }
        if let Some(reason) = lost {
            self.end(End::released(reason), bidder, context);
        }
    }

    /// Detects that somebody else does the same work, and yields if the other was first.
    fn look_for_rivals(&mut self, bidder: &mut Bidder, context: &mut TickContext) {
        let Some(bound) = self.bound.as_mut() else { return };
        let (now, mine, me) = (context.now(), bound.engaged, context.me());
        let rival = context.mates.alive(now, context.silence()).find_map(|mate| {
            let theirs = mate.engaged.filter(|e| e.piece == mine.piece && e.round != mine.round)?;
            let new = mate.id != me && !bound.rivals.contains(&(mate.id, theirs.round));
            new.then_some((mate.id, theirs.round))
        });
        let Some((rival, round)) = rival else { return };
        bound.rivals.push((rival, round));
        let keeps = (mine.round, me) < (round, rival);
        let older = if keeps { mine.round } else { round };
        let event = Event { behaviour: Some(bound.choice.behaviour), ..Event::new(EventKind::Duplicate) };
        context.out.explain(event.piece(mine.piece).by(rival).with(key::ROUND, f64::from(older.number)));
        if !keeps {
            self.end(End::released(Reason::OlderRound), bidder, context);
        }
    }

    /// The part is done.
    fn complete(&mut self, context: &mut TickContext) {
        let Some(bound) = self.bound.take() else { return };
        let took = context.now().since(bound.since);
        let event = Event { behaviour: Some(bound.choice.behaviour), ..Event::new(EventKind::Done) };
        context.out.explain(event.piece(bound.engaged.piece).with("took", took));
        let utility = context.situation.utility(bound.choice.behaviour);
        let reward = utility * context.skills.urgency(bound.part) - took;
        self.leave(&bound, Ending::Done(reward), context);
    }

    /// Ends the engagement early.
    fn end(&mut self, end: End, bidder: &mut Bidder, context: &mut TickContext) {
        let Some(bound) = self.bound.take() else { return };
        let (kind, reason, words, error) = match end {
            End::Failed(why) => (EventKind::GivenBack, None, why.into(), true),
            End::PledgeBroken(reason) => (EventKind::GivenBack, Some(reason), Cow::Borrowed(""), false),
            End::Released(reason, words) => (EventKind::Released, Some(reason), words.into(), false),
        };
        let event = Event { behaviour: Some(bound.choice.behaviour), reason, words, ..Event::new(kind) };
        let event = event.piece(bound.engaged.piece);
        let why = event.because(context).unwrap_or_default();
        context.out.explain(event);
        match kind {
            EventKind::GivenBack => bidder.end(false, context),
            _ => bidder.appraiser.abandon(),
        }
        if kind == EventKind::GivenBack {
            bidder.give_back(bound.part, bound.engaged.piece.subject, context.now());
        }
        self.leave(&bound, Ending::Failed { why, error }, context);
    }

    /// Reports the end to the auctioneer and the partners.
    fn leave(&mut self, bound: &Bound, ending: Ending, context: &mut TickContext) {
        self.partners.clear();
        if self.past.len() >= MOST_PAST {
            self.past.remove(0);
        }
        let reward = match ending {
            Ending::Done(reward) => Some(reward),
            Ending::Failed { .. } => None,
        };
        self.past.push((Past { engaged: bound.engaged, reward }, context.now()));
        let mut to: Vec<RobotId> = bound.members.iter().map(|member| member.partner.robot).collect();
        to.push(bound.engaged.round.auctioneer);
        to.sort_unstable();
        to.dedup();
        for robot in to {
            let (engaged, part, ending) = (bound.engaged, bound.part, ending.clone());
            context.send(robot, MarketMessage::Status { engaged, part, ending });
        }
    }
}
