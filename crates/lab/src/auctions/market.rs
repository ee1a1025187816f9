//! Derives auctions and market counts from events.

use super::bids;
use super::{Auction, AuctionOutcome};
use crewlab_sim::onboard::event::key;
use crewlab_sim::onboard::{Event, EventKind, Piece, RobotId, TaskId};
use crewlab_sim::{Logged, Model, Simulation};
use serde::Serialize;
use std::collections::BTreeMap;

/// Market counts.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct MarketSummary {
    /// Auctions of pieces of work, counted each time.
    pub auctions: u64,
    /// Pieces that had been awarded, came back and were auctioned again, counted once each time they came back.
    pub re_auctions: u64,
    /// Auctions without a taker.
    pub no_sales: u64,
    /// Awards that a robot rejected.
    pub rejected: u64,
    /// How often a robot noticed another one doing the same work.
    pub duplicates: u64,
    /// How often a piece of work was reported to the operator as failed or impossible.
    pub given_up: u64,
    /// Pieces of work issued.
    pub issued: u64,
    /// Pieces of work completed.
    pub completed: u64,
    /// Team performance q: the reward of all completed work over the utility of all issued work, if the coordinator reports
    /// both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub performance: Option<f64>,
}

impl MarketSummary {
    /// The market in one sentence.
    pub fn sentence(&self) -> String {
        let mut words = format!("{} auctions, {} of them repeated", self.auctions, self.re_auctions);
        let others = [
            (self.no_sales, "without a sale"),
            (self.rejected, "rejected"),
            (self.duplicates, "duplicates noticed"),
            (self.given_up, "given up"),
        ];
        for (count, what) in others.into_iter().filter(|(count, _)| *count > 0) {
            words += &format!(", {count} {what}");
        }
        words + &self.performance.map_or(String::new(), |q| format!("; team performance {q:.2}"))
    }
}

/// An auction with the data to follow it.
#[derive(Clone, Debug)]
struct Followed {
    auction: Auction,
    piece: Piece,
    auctioneer: Option<RobotId>,
    winners: Vec<RobotId>,
    done: Vec<RobotId>,
}

/// A piece of work on the market.
#[derive(Clone, Debug, Default)]
struct Lot {
    /// Its last auction.
    last: Option<usize>,
    /// Why it came back after that.
    back: Option<String>,
    /// True if it found no taker since it came back.
    unsold: bool,
    /// True from its issue until it is completed.
    open: bool,
}

/// Follows the auctions of a run.
#[derive(Clone, Debug, Default)]
pub struct Market {
    rows: Vec<Followed>,
    lots: BTreeMap<Piece, Lot>,
    /// The auction that each robot won last.
    won: BTreeMap<RobotId, usize>,
    counts: MarketSummary,
    utility: Option<f64>,
    reward: f64,
}

fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

impl Market {
    /// All auctions so far, in their order.
    pub fn auctions(&self) -> impl Iterator<Item = &Auction> {
        self.rows.iter().map(|row| &row.auction)
    }

    /// All auctions with the robots that won them.
    pub fn awards(&self) -> impl Iterator<Item = (&Auction, &[RobotId])> {
        self.rows.iter().map(|row| (&row.auction, row.winners.as_slice()))
    }

    /// True if there was no auction.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The market counts; `None` if there was no auction.
    pub fn summary(&self) -> Option<MarketSummary> {
        let none = self.rows.is_empty() && self.counts.issued == 0;
        let performance =
            self.utility.filter(|utility| *utility > 0.0).map(|utility| rounded(self.reward / utility));
        (!none).then(|| MarketSummary { performance, ..self.counts.clone() })
    }

    /// Number of awards to two or more robots with a known outcome, and how many of them the same robots completed. Awards that were
    /// unfinished at the end or no longer wanted do not count.
    pub fn coalitions(&self) -> (u64, u64) {
        let coalitions = self.rows.iter().filter(|row| row.winners.len() >= 2).map(|row| row.auction.outcome);
        let known = coalitions.filter(|outcome| !outcome.pending() && *outcome != AuctionOutcome::Withdrawn);
        known.fold((0, 0), |(all, kept), outcome| {
            (all + 1, kept + u64::from(outcome == AuctionOutcome::Completed))
        })
    }

    /// Processes the events of one tick.
    pub fn tick(&mut self, log: &[Logged], model: &Model) {
        log.iter().for_each(|logged| self.note(logged, model));
    }

    /// Closes the auctions that were unfinished at the end of the run.
    pub fn finish(&mut self, simulation: &Simulation) {
        let why =
            if simulation.state.verdict.completed { "the mission was completed" } else { "the run ended" };
        for row in self.rows.iter_mut().filter(|row| row.auction.outcome.pending()) {
            row.auction.outcome_why = why.into();
        }
    }

    fn note(&mut self, logged: &Logged, model: &Model) {
        let event = &logged.event;
        let Some(task) = event.task else { return };
        let piece = Piece { task, subject: event.subject };
        match (event.kind, logged.robot) {
            (EventKind::Issued, Some(_)) => self.issued(piece, bids::number(event, key::UTILITY)),
            (EventKind::Auction | EventKind::NoSale, Some(_)) => self.auctioned(logged, piece, model),
            (EventKind::Activated, Some(robot)) => self.started(robot, piece.subject),
            (EventKind::Rejected, Some(robot)) => {
                self.counts.rejected += 1;
                self.own(robot, piece, AuctionOutcome::Rejected, logged, model);
            }
            (EventKind::Done, Some(robot)) => self.done(robot, piece, logged, model),
            (EventKind::Duplicate, Some(_)) => self.counts.duplicates += 1,
            (EventKind::Completed, Some(auctioneer)) => {
                self.completed(piece, bids::number(event, key::REWARD));
                self.ended(piece, auctioneer, AuctionOutcome::Completed, logged, model);
            }
            (EventKind::ReAnnounced, Some(auctioneer)) => {
                self.ended(piece, auctioneer, AuctionOutcome::OpenAgain, logged, model);
                self.lot(piece).back = Some(reason(event, model));
            }
            (EventKind::GivenUp, Some(auctioneer)) => {
                self.counts.given_up += 1;
                self.ended(piece, auctioneer, AuctionOutcome::GivenUp, logged, model);
                self.lot(piece).back = Some(reason(event, model));
            }
            (EventKind::Withdrawn, Some(auctioneer)) => {
                // Another robot may still issue it: only its award is over.
                self.ended(piece, auctioneer, AuctionOutcome::Withdrawn, logged, model);
            }
            _ => {}
        }
    }

    fn lot(&mut self, piece: Piece) -> &mut Lot {
        self.lots.entry(piece).or_default()
    }

    /// A piece counts once, even if another robot auctions it later.
    fn issued(&mut self, piece: Piece, utility: Option<f64>) {
        let lot = self.lot(piece);
        if std::mem::replace(&mut lot.open, true) {
            return;
        }
        *lot = Lot { open: true, ..Lot::default() };
        self.counts.issued += 1;
        if let Some(utility) = utility {
            *self.utility.get_or_insert(0.0) += utility;
        }
    }

    fn completed(&mut self, piece: Piece, reward: Option<f64>) {
        if std::mem::replace(&mut self.lot(piece).open, false) {
            self.counts.completed += 1;
            self.reward += reward.unwrap_or(0.0);
        }
    }

    fn auctioned(&mut self, logged: &Logged, piece: Piece, model: &Model) {
        let event = &logged.event;
        let mut won: Vec<(RobotId, TaskId)> =
            event.bids.iter().filter(|bid| bid.won).map(|bid| (bid.robot, bid.part)).collect();
        if won.is_empty() && event.kind == EventKind::Auction {
            // An auctioneer that does not report which parts were won at least reports who won.
            won.extend(event.other.map(|robot| (robot, piece.task)));
        }
        let winners: Vec<RobotId> = won.iter().map(|(robot, _)| *robot).collect();
        let before = self.lot(piece).last;
        let back = self.lot(piece).back.take();
        let counted = std::mem::replace(&mut self.lot(piece).unsold, false);
        let older = before.and_then(|row| self.rows.get_mut(row)).map(|row| &mut row.auction);
        let back = back.or_else(|| older.as_ref().and_then(|older| unsettled(older)));
        if let Some(older) = older.filter(|older| older.outcome.pending()) {
            let by = logged.robot.map_or("?", |robot| model.robot_name(robot));
            (older.outcome, older.ended_s) =
                (AuctionOutcome::OpenAgain, Some(rounded(logged.time.seconds())));
            older.outcome_why = format!("{by} auctioned it again");
        }
        self.counts.auctions += 1;
        self.counts.re_auctions += u64::from(back.is_some() && !counted);
        self.counts.no_sales += u64::from(winners.is_empty());
        let again = back.clone();
        let value = bids::number(event, key::VALUE).map(rounded);
        let auction = Auction {
            time_s: rounded(logged.time.seconds()),
            auctioneer: logged.robot.map_or(String::new(), |robot| model.robot_name(robot).to_string()),
            round: bids::number(event, key::ROUND).map(|round| round as u64),
            task: model.task_name(piece.task).to_string(),
            subject: piece.subject,
            bids: if event.bids.is_empty() {
                event.words.to_string()
            } else {
                bids::words(&event.bids, model)
            },
            winners: winners.iter().map(|robot| model.robot_name(*robot)).collect::<Vec<_>>().join(", "),
            plan: plan(piece.task, &won, model),
            value,
            price: price(event, value, &winners),
            gap: bids::number(event, key::GAP).map(rounded),
            again: back.is_some(),
            again_why: back.unwrap_or_default(),
            outcome: if winners.is_empty() { AuctionOutcome::NoSale } else { AuctionOutcome::Awarded },
            ended_s: None,
            outcome_why: String::new(),
            why: event.sentence(model),
        };
        let place = self.rows.len();
        let lot = self.lot(piece);
        lot.last = Some(place);
        if winners.is_empty() {
            // Work that came back and found no taker still has to be auctioned again.
            (lot.unsold, lot.back) = (again.is_some(), again);
        }
        self.won.extend(winners.iter().map(|robot| (*robot, place)));
        let auctioneer = logged.robot;
        self.rows.push(Followed { auction, piece, auctioneer, winners, done: Vec::new() });
    }

    /// A robot starts the work it won.
    fn started(&mut self, robot: RobotId, subject: u32) {
        let row = self.won.get(&robot).and_then(|row| self.rows.get_mut(*row));
        if let Some(row) =
            row.filter(|row| row.piece.subject == subject && row.auction.outcome == AuctionOutcome::Awarded)
        {
            row.auction.outcome = AuctionOutcome::UnderWay;
        }
    }

    /// The work that a robot won ends.
    fn own(&mut self, robot: RobotId, piece: Piece, outcome: AuctionOutcome, logged: &Logged, model: &Model) {
        let row = self.won.get(&robot).and_then(|row| self.rows.get_mut(*row));
        if let Some(row) = row.filter(|row| row.piece == piece && row.auction.outcome.pending()) {
            close(&mut row.auction, outcome, logged, model);
        }
    }

    /// A robot's part is done; the award is when all parts are.
    fn done(&mut self, robot: RobotId, piece: Piece, logged: &Logged, model: &Model) {
        let Some(row) = self.won.get(&robot).and_then(|row| self.rows.get_mut(*row)) else { return };
        if row.piece == piece && row.auction.outcome.pending() && !row.done.contains(&robot) {
            row.done.push(robot);
            if row.done.len() == row.winners.len() {
                close(&mut row.auction, AuctionOutcome::Completed, logged, model);
            }
        }
    }

    /// An auctioneer's statement about a piece: about its own award, otherwise about the last one.
    fn ended(
        &mut self,
        piece: Piece,
        auctioneer: RobotId,
        outcome: AuctionOutcome,
        logged: &Logged,
        model: &Model,
    ) {
        let Some(last) = self.lot(piece).last else { return };
        // Two auctioneers at a time are rare and temporary: the row is among the last ones.
        let own = (0..=last).rev().take(64).find(|row| {
            let row = &self.rows[*row];
            row.piece == piece && row.auctioneer == Some(auctioneer) && row.auction.outcome.pending()
        });
        let row = &mut self.rows[own.unwrap_or(last)].auction;
        let reopened = outcome == AuctionOutcome::OpenAgain && row.outcome == AuctionOutcome::Completed;
        if row.outcome.pending() || reopened {
            close(row, outcome, logged, model);
        }
    }
}

fn close(auction: &mut Auction, outcome: AuctionOutcome, logged: &Logged, model: &Model) {
    auction.outcome = outcome;
    auction.ended_s = Some(rounded(logged.time.seconds()));
    auction.outcome_why = reason(&logged.event, model);
}

/// The reason alone if there is one: its subject is in another column.
fn reason(event: &Event, model: &Model) -> String {
    event.because(model).unwrap_or_else(|| event.sentence(model))
}

/// Why a piece is auctioned again although nobody returned it.
fn unsettled(before: &Auction) -> Option<String> {
    let awarded = before.outcome != AuctionOutcome::NoSale;
    awarded.then(|| format!("there was no further report about its award to {}", before.winners))
}

/// The price of an award: of the piece or else of its robots. Numbers below 0 or above the award's value are not prices: they
/// only show that robots or tasks are scarce.
fn price(event: &Event, value: Option<f64>, winners: &[RobotId]) -> Option<f64> {
    let price = bids::number(event, key::PRICE).or_else(|| bids::price_of(event, winners))?;
    let most = value?;
    (0.0..=most).contains(&price).then(|| rounded(price))
}

/// The plan that has these parts.
fn plan(task: TaskId, won: &[(RobotId, TaskId)], model: &Model) -> String {
    let parts: Vec<TaskId> = won.iter().map(|(_, part)| *part).collect();
    let spec = model.tasks.get(usize::from(task.0));
    let known = spec.and_then(|spec| spec.plans.iter().find(|plan| plan.parts == parts));
    match (known, parts.as_slice()) {
        (_, []) => String::new(),
        (Some(plan), _) => plan.name.clone(),
        (None, [_]) => "alone".into(),
        (None, _) => "together".into(),
    }
}
