//! From bids to awards.

use super::alternatives::{self, alternatives, takes_several};
use super::context::TickContext;
use super::params::Search;
use super::pledge::floor;
use super::pruning::prune;
use super::steadiness::steadiest;
use super::talk::{Award, Bids, Offer};
use super::vocabulary::Bits;
use super::worth::Worth;
use crewlab_allocation::{
    Assignment, Coalition, CoalitionPlan, Instance, MOST_ROBOTS_EXHAUSTIVE, Objective, Reward, SearchLimits,
    Task, assign, joint,
};
use crewlab_onboard::event::key;
use crewlab_onboard::{Bid, Event, EventKind, Names, Piece, Reason, RobotId, Term};
use serde::{Deserialize, Serialize};

/// Limit of a robot's search for the best allocation of all tasks; its result is certified, too.
const ON_BOARD: SearchLimits = SearchLimits { steps: 60, nodes: 2000 };

/// Larger numbers are not accepted as rewards.
const LARGEST_BID: f64 = 1e9;

/// A broker's answer in a distributed round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The best coalition of its share.
    pub best: Option<Offer>,
    /// The bids it received.
    pub bids: Vec<Option<Bids>>,
}

/// The result of an auction: awards, and an explanation for each piece.
pub struct Sale {
    pub awards: Vec<Award>,
    pub told: Vec<Event>,
}

/// A piece of work as the solvers see it, from the robots' bids; `None` for those that did not answer.
pub fn task_of(piece: Piece, bids: &[Option<&Bids>], context: &TickContext) -> Task {
    let tasks = context.situation.tasks;
    let several = takes_several(tasks, piece.task);
    let plan = |(way, parts): (usize, &Vec<_>)| CoalitionPlan {
        reward: context.worth.reward(),
        subtasks: (0..parts.len())
            .map(|part| bids.iter().map(|bids| bid(*bids, way, part)).collect())
            .collect(),
    };
    Task {
        id: context.title(piece),
        utility: several.then(|| utility(piece, context)),
        plans: alternatives(tasks, piece.task).iter().enumerate().map(plan).collect(),
    }
}

fn utility(piece: Piece, context: &TickContext) -> f64 {
    let spec = context.situation.tasks.get(usize::from(piece.task.0));
    spec.map_or(0.0, |spec| spec.utility) * context.skills.urgency(piece.task)
}

/// One robot's bid for one part. Invalid numbers are not bids.
fn bid(bids: Option<&Bids>, way: usize, part: usize) -> Option<f64> {
    let bid = bids?.get(way)?.get(part)?.as_ref()?.reward;
    (bid.is_finite() && bid.abs() < LARGEST_BID).then_some(bid)
}

/// A coalition with the robots' own numbers.
pub fn offer(coalition: &Coalition, task: &Task, robots: &[RobotId], worth: &Worth) -> Offer {
    let plan = &task.plans[coalition.plan];
    let rows = coalition.robots.iter().zip(&plan.subtasks);
    let bids: Vec<f64> = rows.map(|(robot, row)| row[*robot].unwrap_or_default()).collect();
    Offer {
        alternative: coalition.plan as u8,
        members: coalition.robots.iter().map(|robot| robots[*robot]).collect(),
        value: worth.value(&bids),
        bids,
    }
}

/// The brokers' results combined: the best coalition, and all bids that any of them received.
pub fn shared(piece: Piece, robots: &[RobotId], answers: &[Option<Answer>], context: &TickContext) -> Sale {
    let bids = |place: usize| {
        let heard = answers.iter().flatten().map(|answer| answer.bids.get(place).and_then(Option::as_ref));
        heard.flatten().next()
    };
    let bids: Vec<Option<&Bids>> = (0..robots.len()).map(bids).collect();
    let task = task_of(piece, &bids, context);
    let offers = answers.iter().flatten().filter_map(|answer| answer.best.clone());
    let offer = best_offer(offers.filter_map(|offer| believable(offer, &task, robots, context.worth)));
    let offer = offer.map(|offer| preferred(offer, &bids, robots, context));
    sold(&[piece], &[task], &[offer], |_| Vec::new(), robots, context)
}

/// An offer, if it fits the plan, with the value of its bids.
fn believable(offer: Offer, task: &Task, robots: &[RobotId], worth: &Worth) -> Option<Offer> {
    let plan = task.plans.get(usize::from(offer.alternative))?;
    let mut members = offer.members.clone();
    members.sort_unstable();
    members.dedup();
    let fits = members.len() == plan.subtasks.len()
        && offer.members.len() == members.len()
        && offer.bids.len() == members.len()
        && offer.members.iter().all(|robot| robots.contains(robot))
        && offer.bids.iter().all(|bid| bid.is_finite() && bid.abs() < LARGEST_BID);
    fits.then(|| Offer { value: worth.value(&offer.bids), ..offer })
}

/// Of all coalitions as good as this one, the most reliable, where the slowest member decides.
fn preferred(offer: Offer, bids: &[Option<&Bids>], robots: &[RobotId], context: &TickContext) -> Offer {
    if context.worth.is_min() { steadiest(offer, bids, robots) } else { offer }
}

/// The best of the brokers' results.
fn best_offer(offers: impl Iterator<Item = Offer>) -> Option<Offer> {
    let beats = |a: &Offer, b: &Offer| {
        let by_value = b.value.total_cmp(&a.value);
        by_value.then(a.alternative.cmp(&b.alternative)).then_with(|| a.members.cmp(&b.members)).is_lt()
    };
    offers
        .filter(|offer| offer.value.is_finite())
        .reduce(|best, offer| if beats(&offer, &best) { offer } else { best })
}

/// One award, with the pledge of every member. The second best bid for a part is that of the best robot without an award in this
/// auction.
fn award(piece: Piece, offer: &Offer, task: Option<&Task>, left: &[bool], context: &TickContext) -> Award {
    let pledge = |(part, (robot, bid)): (usize, (&RobotId, &f64))| {
        let plan = task.and_then(|task| task.plans.get(usize::from(offer.alternative)));
        let row = plan.and_then(|plan| plan.subtasks.get(part));
        let others = row.into_iter().flatten().zip(left).filter(|(_, left)| **left);
        let second = others.filter_map(|(bid, _)| *bid).reduce(f64::max);
        (*robot, floor(*bid, second, context.params.pledge))
    };
    Award {
        piece,
        alternative: offer.alternative,
        members: offer.members.iter().zip(&offer.bids).enumerate().map(pledge).collect(),
    }
}

/// The awards, with additional numbers for each piece.
fn sold(
    pieces: &[Piece],
    tasks: &[Task],
    offers: &[Option<Offer>],
    more: impl Fn(usize) -> Vec<Term>,
    robots: &[RobotId],
    context: &TickContext,
) -> Sale {
    let winners = || offers.iter().flatten().flat_map(|offer| &offer.members);
    let left: Vec<bool> = robots.iter().map(|robot| winners().all(|winner| winner != robot)).collect();
    let mut sale = Sale { awards: Vec::new(), told: Vec::new() };
    for (place, ((piece, task), offer)) in pieces.iter().zip(tasks).zip(offers).enumerate() {
        let mut event = told(*piece, offer.as_ref(), task, robots, context);
        event.terms.extend(more(place));
        sale.told.push(event);
        sale.awards.extend(offer.as_ref().map(|offer| award(*piece, offer, Some(task), &left, context)));
    }
    sale
}

/// All pieces are for single robots: one assignment over the whole matrix.
pub fn single(
    pieces: &[Piece],
    robots: &[RobotId],
    bids: &[Option<&Vec<Bids>>],
    context: &TickContext,
) -> Sale {
    let tasks: Vec<Task> = tasks_of(pieces, bids, context);
    let row = |robot: usize| tasks.iter().map(|task| task.plans[0].subtasks[0][robot]).collect();
    let matrix: Vec<Vec<Option<f64>>> = (0..robots.len()).map(row).collect();
    // As many tasks as possible are assigned. If that also has the highest value, prices prove it.
    let most = assign(&matrix, Objective::Most).ok().flatten();
    let found = assign(&matrix, Objective::Total).ok().flatten();
    let value = |found: &Option<Assignment>| found.as_ref().map_or(0.0, |found| found.value);
    let priced = found.filter(|found| found.value <= value(&most) + 1e-6);
    let columns = priced.as_ref().or(most.as_ref()).map(|found| found.columns.clone()).unwrap_or_default();
    let offer = |place: usize| {
        let robot = columns.iter().position(|column| *column == Some(place))?;
        let bid = matrix[robot][place]?;
        Some(Offer { alternative: 0, members: vec![robots[robot]], bids: vec![bid], value: bid })
    };
    let offers: Vec<Option<Offer>> = (0..pieces.len()).map(offer).collect();
    let price = |place: usize| {
        let price = priced.as_ref().and_then(|found| found.column_prices.get(place).copied());
        price.map(|value| Term { name: key::PRICE, of: None, value }).into_iter().collect()
    };
    sold(pieces, &tasks, &offers, price, robots, context)
}

/// One piece that may take several robots.
pub fn several(piece: Piece, robots: &[RobotId], bids: &[Option<&Vec<Bids>>], context: &TickContext) -> Sale {
    let tasks = tasks_of(&[piece], bids, context);
    let task = &tasks[0];
    let exhaustive = context.params.search == Search::Exhaustive && robots.len() <= MOST_ROBOTS_EXHAUSTIVE;
    let found = if exhaustive {
        let nothing = Bits::new();
        let known: Vec<&Bits> = robots
            .iter()
            .map(|robot| context.mates.get(*robot).map_or(&nothing, |mate| &mate.capabilities))
            .collect();
        let specs = context.situation.tasks;
        let ways = alternatives(specs, piece.task);
        let all: Vec<u64> = (1..1_u64 << robots.len()).collect();
        let coalitions = prune(context.params.pruning, &all, &known, &ways, specs, context.vocabulary);
        context.worth.best_among(task, robots.len(), &coalitions)
    } else {
        let method = match context.params.search {
            // Too many robots to enumerate coalitions: the same optimum by another method.
            Search::Exhaustive => Search::Matching.method(),
            search => search.method(),
        };
        context.worth.best(task, robots.len(), method)
    };
    let own: Vec<Option<&Bids>> = bids.iter().map(|bids| bids.and_then(|bids| bids.first())).collect();
    let offer = found.map(|coalition| offer(&coalition, task, robots, context.worth));
    let offer = offer.map(|offer| preferred(offer, &own, robots, context));
    sold(&[piece], &tasks, &[offer], |_| Vec::new(), robots, context)
}

/// All pieces at once, with the price of every robot and the certified gap.
pub fn together(
    pieces: &[Piece],
    robots: &[RobotId],
    bids: &[Option<&Vec<Bids>>],
    context: &TickContext,
) -> Sale {
    let tasks = tasks_of(pieces, bids, context);
    let instance = Instance { robots: robots.len(), tasks: lifted(&tasks) };
    let found = joint(&instance, &ON_BOARD).ok();
    let coalition = |place: usize| found.as_ref()?.assignment.get(place)?.as_ref();
    let offers: Vec<Option<Offer>> = tasks
        .iter()
        .enumerate()
        .map(|(place, task)| Some(offer(coalition(place)?, task, robots, context.worth)))
        .collect();
    let prices = |_| {
        // Prices and gap of the shifted problem prove nothing about the original one.
        let Some(found) = found.as_ref().filter(|_| instance.tasks == tasks) else { return Vec::new() };
        let price =
            |(robot, price): (&RobotId, &f64)| Term { name: key::PRICE, of: Some(*robot), value: *price };
        let gap = Term { name: key::GAP, of: None, value: found.gap };
        std::iter::once(gap).chain(robots.iter().zip(&found.prices).map(price)).collect()
    };
    sold(pieces, &tasks, &offers, prices, robots, context)
}

/// The same tasks with all rewards positive: necessary work is done even if it costs more than it is worth. Every coalition is
/// shifted by the same amount, whatever its size.
fn lifted(tasks: &[Task]) -> Vec<Task> {
    let cells = |task: &Task| -> Vec<f64> {
        task.plans.iter().flat_map(|plan| plan.subtasks.iter().flatten().flatten().copied()).collect()
    };
    let lowest = tasks.iter().flat_map(cells).fold(0.0, f64::min);
    // A sum of several rewards may be that many times lower.
    let largest =
        tasks.iter().flat_map(|task| &task.plans).map(|plan| plan.subtasks.len()).max().unwrap_or(1);
    let lift = if lowest < 0.0 { 1.0 - lowest * largest as f64 } else { 0.0 };
    let mut lifted = tasks.to_vec();
    for plan in lifted.iter_mut().flat_map(|task| &mut task.plans) {
        let share = if plan.reward == Reward::Sum { lift / plan.subtasks.len() as f64 } else { lift };
        plan.subtasks.iter_mut().flatten().flatten().for_each(|cell| *cell += share);
    }
    lifted
}

fn tasks_of(pieces: &[Piece], bids: &[Option<&Vec<Bids>>], context: &TickContext) -> Vec<Task> {
    let of = |(place, piece): (usize, &Piece)| {
        let bids: Vec<Option<&Bids>> =
            bids.iter().map(|bids| bids.and_then(|bids| bids.get(place))).collect();
        task_of(*piece, &bids, context)
    };
    pieces.iter().enumerate().map(of).collect()
}

/// The result of one piece: who bid what, and who won.
fn told(
    piece: Piece,
    offer: Option<&Offer>,
    task: &Task,
    robots: &[RobotId],
    context: &TickContext,
) -> Event {
    let tasks = context.situation.tasks;
    let kind = if offer.is_some() { EventKind::Auction } else { EventKind::NoSale };
    let mut event = Event::new(kind).piece(piece);
    for (way, plan) in task.plans.iter().enumerate() {
        let parts = alternatives::parts(tasks, piece.task, way as u8).unwrap_or_default();
        let chosen = offer.filter(|offer| usize::from(offer.alternative) == way);
        for (place, (row, part)) in plan.subtasks.iter().zip(&parts).enumerate() {
            for (robot, bid) in robots.iter().zip(row) {
                let won = chosen.filter(|offer| offer.members.get(place) == Some(robot));
                // A broker may have heard a bid that the auctioneer did not.
                let value = bid.or_else(|| won.and_then(|offer| offer.bids.get(place).copied()));
                event.bids.extend(value.map(|value| Bid {
                    robot: *robot,
                    part: *part,
                    value,
                    won: won.is_some(),
                }));
            }
        }
    }
    if let Some(offer) = offer {
        let plan = alternatives::plan(tasks, piece.task, offer.alternative).map(str::to_string);
        event.other = offer.members.first().copied();
        event = event.reason(Reason::Awarded { plan }).with(key::VALUE, offer.value);
    }
    event
}
