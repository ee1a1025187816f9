//! MuRoCo: a market with coalitions (MUROCO, chapter 3).
//!
//! Every robot runs three roles, which communicate with each other and with those of other robots by messages over the radio, even
//! on one robot:
//! - the [`bidder`] estimates the reward of doing something, failures considered;
//! - the [`broker`] answers announcements, accepts what the robot wins after a last check, supervises it and reports;
//! - the [`auctioneer`] announces open tasks, assigns them to the best robot or coalition, and is responsible for them until they
//!   are done. [`chair`] decides who auctions.
//!
//! All knowledge of others comes from alive messages, which contain a robot's capabilities, its engagement and how its last
//! engagements ended. So whatever message is lost, everybody eventually knows the state, or considers the silent robot gone.

pub mod alternatives;
mod auctioneer;
mod bidder;
mod broker;
mod chair;
mod choosing;
mod context;
mod doubt;
mod evaluate;
mod injections;
mod inquiry;
mod latency;
mod ledger;
mod mates;
pub mod params;
mod pledge;
mod prepare;
mod pruning;
mod round;
mod steadiness;
pub mod talk;
mod vocabulary;
mod worth;

pub use params::MurocoParams;
pub use talk::{Alive, MarketMessage, Tally};

use crate::estimators::{EstimationParams, EstimatorName};
use crate::voice::Voice;
use crate::{
    Boot, GaugeWords, IndicatorSpec, LearningStrategy, Lesson, Memories, Missing, PlainTable, Plugin,
    Preparation,
};
use auctioneer::Auctioneer;
use bidder::Bidder;
use broker::Broker;
use chair::Chair;
use context::TickContext;
use crewlab_onboard::event::key;
use crewlab_onboard::{
    Body, Choice, Coordinator, Event, EventKind, Gauge, GaugeState, Message, Output, Partner, Piece, Reason,
    RobotId, Situation, Skills, TaskId, TaskSpec, Time,
};
use evaluate::Answer;
use inquiry::Inquiry;
use mates::Mates;
use params::{Evaluation, Role};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use vocabulary::Vocabulary;
use worth::Worth;

/// Largest number of inquiries of other auctioneers that a broker works on at a time.
const MOST_INQUIRIES: usize = 4;

/// MuRoCo on one robot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Muroco {
    params: MurocoParams,
    worth: Worth,
    names: Vec<(String, RobotId)>,
    vocabulary: Vocabulary,
    mates: Mates,
    bidder: Bidder,
    broker: Broker,
    inquiries: Vec<Inquiry>,
    auctioneer: Auctioneer,
    chair: Chair,
    /// The robot's messages to itself from the last tick.
    own: Vec<MarketMessage>,
    tally: Tally,
    /// When the software started, and a number drawn then.
    booted: Option<(Time, u16)>,
    alive_said: Option<Time>,
    /// Its shared work, which needs no auction.
    aside: Option<Choice>,
    voice: Voice,
    spoken_of: Option<Choice>,
}

impl Plugin for Muroco {
    const SUMMARY: &'static str = "a market: tasks are auctioned over the radio to the best robot or coalition, watched \
                                   over, and auctioned again when they fail (MuRoCo)";
    const GAUGE: GaugeWords = GaugeWords {
        name: "bid",
        plural: "bids",
        unit: "",
        meaning: "What each robot last bid for a task: the reward that it expects of doing it.",
    };
    const INDICATORS: &'static [IndicatorSpec] = &[
        IndicatorSpec {
            name: "margin",
            title: "pledge margin",
            unit: "s",
            summary: "how far the reward that a robot expects of its work is above the one that it promised; below 0 it gives the work back",
        },
        IndicatorSpec {
            name: "market-messages",
            title: "market messages",
            unit: "",
            summary: "messages of auctions that a robot has sent so far, those to itself included",
        },
    ];
    const STRATEGIES: &'static [LearningStrategy] = &[
        LearningStrategy {
            name: "learned-mean",
            summary: "bids expect what similar work has cost on average",
        },
        LearningStrategy { name: "learned-quantile", summary: "bids expect a cost that is seldom exceeded" },
    ];
    type Params = MurocoParams;

    fn boot(params: &MurocoParams, boot: &Boot) -> Result<Muroco, Vec<Missing>> {
        let named = |name: &String| boot.roster.iter().find(|(known, _)| known == name);
        let fixed = match &params.fixed_auctioneer {
            Some(name) => named(name)
                .map(|(_, id)| *id)
                .ok_or_else(|| vec![Missing { key: "fixed-auctioneer".into(), behaviour: None }])?,
            None => boot.roster.first().map_or(boot.me.id, |(_, id)| *id),
        };
        Ok(Muroco {
            // What was learned before is with the bidder.
            params: MurocoParams { estimation: EstimationParams::default(), ..params.clone() },
            worth: Worth::of(params)
                .map_err(|_| vec![Missing { key: "coalition-formula".into(), behaviour: None }])?,
            names: boot.roster.to_vec(),
            vocabulary: Vocabulary::of(boot.tasks, &boot.me.datasheet),
            mates: Mates::default(),
            bidder: Bidder::new(params, boot.me),
            broker: Broker::default(),
            inquiries: Vec::new(),
            auctioneer: Auctioneer::default(),
            chair: Chair::new(fixed),
            own: Vec::new(),
            tally: Tally::default(),
            booted: None,
            alive_said: None,
            aside: None,
            voice: Voice::default(),
            spoken_of: None,
        })
    }

    fn prepare(said: &mut Value, preparation: &mut Preparation) {
        prepare::prepare(said, preparation);
    }

    fn memory(&self, _: &Boot, _: Time) -> Option<Value> {
        self.bidder.appraiser.memory().and_then(|memory| serde_json::to_value(memory).ok())
    }

    fn talks(params: &MurocoParams) -> u32 {
        match params.evaluation {
            // Announcement, request, reply, coalition, award, confirmation.
            Evaluation::Distributed => 6,
            // Announcement, bid, award, confirmation.
            Evaluation::Central => 4,
        }
    }

    fn strategy(params: &MurocoParams) -> Option<&'static str> {
        let named = |strategy: &&LearningStrategy| params.estimator.kind().name == strategy.name;
        Self::STRATEGIES.iter().find(named).map(|strategy| strategy.name)
    }

    fn teach(params: &mut MurocoParams, lesson: &Lesson) {
        if let Some(name) = lesson.strategy.and_then(EstimatorName::of) {
            params.estimator = name;
        } else if Self::strategy(params).is_none() {
            params.estimator = EstimatorName::LearnedQuantile;
        }
        if let Some(memories) = lesson.memories {
            let one = |(name, value): (&String, &Value)| {
                Some((name.clone(), serde_json::from_value(value.clone()).ok()?))
            };
            params.estimation.values = memories.robots.iter().filter_map(one).collect();
        }
    }

    fn unteach(params: &mut MurocoParams) {
        if Self::strategy(params).is_some() {
            params.estimator = EstimatorName::FailureAware;
        }
        (params.estimation.file, params.estimation.values) = Default::default();
    }

    fn remembered(memories: &Memories) -> Option<PlainTable> {
        Some(crate::estimators::table(memories))
    }

    fn indicators(&self, now: Time) -> Vec<Option<f64>> {
        vec![self.broker.margin(now), Some(self.tally.total() as f64)]
    }
}

impl Coordinator for Muroco {
    fn decide(
        &mut self,
        situation: &Situation,
        skills: &dyn Skills,
        inbox: &[Message],
        out: &mut Output,
    ) -> Option<Choice> {
        let (booted, boot) = *self.booted.get_or_insert_with(|| (situation.now, out.random.bits() as u16));
        self.mates.settle(situation.now);
        self.bidder.appraiser.observe(situation);
        let mail = self.hear(situation, inbox);
        self.know_oneself(situation);
        let mut own = Vec::new();
        let mut context = TickContext {
            params: &self.params,
            worth: &self.worth,
            situation,
            skills,
            vocabulary: &self.vocabulary,
            mates: &self.mates,
            names: &self.names,
            boot,
            out: &mut *out,
            own: &mut own,
            tally: &mut self.tally,
        };
        self.broker.watch(&mut self.bidder, &mut context);
        for message in inbox {
            if let Body::Answer { question, choice, .. } = message.body {
                self.auctioneer.answered(question, choice, &mut context);
            }
        }
        for (from, talk) in mail {
            answer(
                from,
                talk,
                &mut self.broker,
                &mut self.bidder,
                &mut self.inquiries,
                &mut self.auctioneer,
                &mut context,
            );
        }
        // After the mail, so that the robot starts in the tick in which it hears the last confirmation.
        self.broker.wait_for_partners(&mut self.bidder, &mut context);
        self.inquiries.retain_mut(|inquiry| !inquiry.close(&mut context));
        let warm = booted > situation.now || situation.now.since(booted) * self.params.alive_rate > 1.5;
        if warm {
            preside(&mut self.auctioneer, &mut self.chair, &mut context);
        }
        self.own = own;
        self.say_alive(situation, out);
        let choice = self.broker.choice().or_else(|| self.pass_time(situation, skills, out));
        self.speak(choice, situation, out);
        choice
    }

    fn partners(&self) -> &[Partner] {
        self.broker.partners()
    }

    fn gauges(&self, out: &mut Vec<Gauge>) {
        let active = self.broker.choice().or(self.aside).map(|choice| choice.behaviour);
        let state = |set| if active == Some(set) { GaugeState::Active } else { GaugeState::Hibernating };
        out.extend(self.bidder.made().map(|(behaviour, level)| Gauge {
            behaviour,
            level,
            state: state(behaviour),
        }));
    }
}

impl Muroco {
    /// How many messages of each phase it has sent so far, those to itself included.
    pub fn tally(&self) -> Tally {
        self.tally
    }

    /// Records who is alive; returns the other messages, its own first.
    fn hear(&mut self, situation: &Situation, inbox: &[Message]) -> Vec<(RobotId, MarketMessage)> {
        let me = situation.me.id;
        let mut mail: Vec<(RobotId, MarketMessage)> = self.own.drain(..).map(|talk| (me, talk)).collect();
        for message in inbox {
            match MarketMessage::of(&message.body) {
                Some(MarketMessage::Alive(alive)) => {
                    let past = alive.past.iter().map(|past| past.engaged);
                    alive.engaged.into_iter().chain(past).for_each(|e| self.auctioneer.heard(e.round));
                    self.mates.note(message.from, situation.now, alive);
                }
                Some(talk) => mail.push((message.from, talk)),
                None => {}
            }
        }
        for (from, talk) in &mail {
            if let MarketMessage::Announce { round, pieces, .. } = talk {
                self.auctioneer.heard(*round);
                self.mates.claims(*from, pieces);
            }
        }
        mail
    }

    fn alive(&mut self, situation: &Situation) -> Alive {
        // Claims matter only where the claimant auctions.
        let claims = match self.params.auctioneer {
            Role::Receiver => self.auctioneer.ledger.pieces(),
            Role::Fixed | Role::PriorityQueue => Vec::new(),
        };
        Alive {
            priority: situation.me.priority,
            capabilities: self.vocabulary.working(situation.percept),
            engaged: self.broker.engaged(),
            past: self.broker.past(situation.now),
            claims,
        }
    }

    /// Updates the robot's knowledge of itself.
    fn know_oneself(&mut self, situation: &Situation) {
        let alive = self.alive(situation);
        self.mates.note(situation.me.id, situation.now, alive);
    }

    /// Sends the alive message: at its rate, at once when the engagement has changed, and when the clock runs too slow to keep
    /// the rate.
    fn say_alive(&mut self, situation: &Situation, out: &mut Output) {
        let now = situation.now;
        let changed = self.mates.get(situation.me.id).is_some_and(|me| me.engaged != self.broker.engaged());
        let due = self.alive_said.is_none_or(|at| {
            at > now || (now.since(at) + situation.dt / 2.0) * self.params.alive_rate >= 1.0
        });
        if due || changed || self.mates.outpaced(situation.me.id) {
            self.alive_said = Some(now);
            self.mates.answer();
            let alive = self.alive(situation);
            out.say(MarketMessage::Alive(alive).body());
        }
    }

    /// Without an assignment, the robot does shared work, which needs no auction.
    fn pass_time(&mut self, situation: &Situation, skills: &dyn Skills, out: &mut Output) -> Option<Choice> {
        if self.broker.engaged().is_some() {
            self.aside = None;
            return None;
        }
        let shared =
            |task: usize| situation.tasks.get(task).is_some_and(|spec| !spec.exclusive && !spec.part);
        let reward = |choice: Choice| Some(self.bidder.value(choice, situation, skills)?.reward);
        if self.aside.is_some_and(|choice| reward(choice).is_some()) {
            return self.aside;
        }
        let mut best: Option<(Choice, f64)> = None;
        let mut subjects = Vec::new();
        for (behaviour, spec) in situation.me.behaviours() {
            if !shared(usize::from(spec.task.0)) {
                continue;
            }
            skills.possible(behaviour, situation, &mut subjects);
            for choice in subjects.iter().map(|&subject| Choice { behaviour, subject }) {
                if let Some(reward) =
                    reward(choice).filter(|reward| best.is_none_or(|(_, most)| *reward > most))
                {
                    best = Some((choice, reward));
                }
            }
        }
        let chosen = best.map(|(choice, _)| choice);
        if chosen != self.aside
            && let Some((choice, reward)) = best
        {
            let task = situation.me.behaviour(choice.behaviour).task;
            let event =
                Event::new(EventKind::Activated).reason(Reason::NoAuctionNeeded).subject(choice.subject);
            out.explain(event.about(choice.behaviour, task).with(key::REWARD, reward));
        }
        self.aside = chosen;
        chosen
    }

    /// States its work where another task depends on it.
    fn speak(&mut self, choice: Option<Choice>, situation: &Situation, out: &mut Output) {
        let awaited = |choice: &Choice| situation.accompanied(situation.piece(*choice).task);
        let choice = choice.filter(awaited);
        let task = |choice: Choice| situation.me.behaviour(choice.behaviour).task;
        if let Some(before) = self.spoken_of.filter(|before| Some(*before) != choice) {
            self.voice.end(task(before), before.subject, situation, out);
        }
        self.spoken_of = choice;
        if let Some(choice) = choice {
            self.voice.work(task(choice), choice.subject, self.params.alive_rate, situation, out);
        }
    }
}

/// Passes a message to the role it is for.
fn answer(
    from: RobotId,
    talk: MarketMessage,
    broker: &mut Broker,
    bidder: &mut Bidder,
    inquiries: &mut Vec<Inquiry>,
    auctioneer: &mut Auctioneer,
    context: &mut TickContext,
) {
    match talk {
        MarketMessage::Announce { round, pieces, shared_by } if shared_by.is_empty() => {
            broker.bid(round, &pieces, bidder, context);
        }
        MarketMessage::Announce { round, .. } if inquiries.iter().any(|inquiry| inquiry.is_of(round)) => {}
        MarketMessage::Announce { round, pieces, shared_by } => {
            let inquiry = pieces.first().and_then(|piece| Inquiry::open(round, *piece, shared_by, context));
            if inquiries.len() >= MOST_INQUIRIES {
                inquiries.remove(0);
            }
            inquiries.extend(inquiry);
        }
        MarketMessage::Request { round, piece } => broker.reply(from, round, piece, bidder, context),
        MarketMessage::Reply { round, bids } => {
            inquiries.iter_mut().for_each(|inquiry| inquiry.note(from, round, &bids));
        }
        MarketMessage::Bid { round, bids } => auctioneer.bid(from, round, bids, context),
        MarketMessage::Coalition { round, best, bids } => {
            auctioneer.coalition(from, round, Answer { best, bids }, context);
        }
        MarketMessage::Assign { round, awards } => broker.take(round, &awards, bidder, context),
        MarketMessage::Confirm { engaged, accepted } => {
            broker.confirmed(from, engaged, accepted, bidder, context);
            auctioneer.confirmed(from, engaged, accepted, context);
        }
        MarketMessage::Status { engaged, ending, .. } => {
            auctioneer.status(from, engaged, ending.clone(), context);
            broker.status(from, engaged, ending, bidder, context);
        }
        MarketMessage::Tasks(pieces) => {
            for piece in
                pieces.into_iter().filter(|piece| ledger::auctioned(context.situation.tasks, piece.task))
            {
                auctioneer.ledger.want(piece, context.now());
            }
        }
        MarketMessage::Alive(_) => {}
    }
}

/// The highest utility over all alternatives of a task. [s]
fn most(spec: &TaskSpec, context: &TickContext) -> f64 {
    let part = |part: &TaskId| context.situation.tasks.get(usize::from(part.0)).map_or(0.0, |part| part.most);
    let plans =
        spec.plans.iter().map(|plan| context.worth.value(&plan.parts.iter().map(part).collect::<Vec<_>>()));
    plans.fold(spec.most, f64::max)
}

/// Records the work to do, auctions this robot's part of it, and forwards the rest.
fn preside(auctioneer: &mut Auctioneer, chair: &mut Chair, context: &mut TickContext) {
    let mut pieces: Vec<Piece> = Vec::new();
    context.skills.issued(context.situation, &mut pieces);
    pieces.retain(|piece| ledger::auctioned(context.situation.tasks, piece.task));
    let claimed = auctioneer.ledger.pieces();
    for (to, list) in chair.come_across(&pieces, &claimed, context) {
        context.send(to, MarketMessage::Tasks(list));
    }
    let (me, now) = (context.me(), context.now());
    let mine = |piece: &Piece, context: &TickContext| {
        chair.auctioneer(*piece, claimed.contains(piece), context) == Some(me)
    };
    for piece in &pieces {
        if mine(piece, context) && auctioneer.ledger.want(*piece, now) {
            let spec = &context.situation.tasks[usize::from(piece.task.0)];
            let utility = most(spec, context) * context.skills.urgency(piece.task);
            let event = Event::new(EventKind::Issued).piece(*piece);
            context.out.explain(event.with(key::UTILITY, utility));
        }
    }
    let chairman = chair.chairman(context);
    if chairman.is_none() {
        let lost: Vec<Piece> = claimed.iter().filter(|piece| !mine(piece, context)).copied().collect();
        auctioneer.ledger.retain(|entry| !lost.contains(&entry.piece));
    }
    let presides = chairman.is_none_or(|chairman| chairman == me);
    let before = chair.presided.replace(presides);
    if before.is_some_and(|before| before != presides) {
        let kind = if presides { EventKind::TookChair } else { EventKind::LeftChair };
        context.out.explain(Event::new(kind));
    }
    if !presides {
        auctioneer.resign();
    }
    if presides {
        auctioneer.step(context);
    }
    auctioneer.withdraw(context);
}
