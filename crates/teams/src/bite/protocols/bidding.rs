//! Announce, bids, award.

use super::{Contributions, Outcome, Own, Point, PointKind, Protocol, complete, costs, option, shared};
use crate::bite::graph::NodeId;
use crate::bite::team::Job;
use crewlab_onboard::RobotId;

/// A bid that stands for "I cannot", when costs are added up. [s]
const CANNOT: f32 = 1e6;

/// The least total cost wins.
pub(super) struct Bidding;

/// The same, for decisions only.
pub(super) struct BidToDecide;

impl Protocol for Bidding {
    const FITS: &'static [PointKind] = &[PointKind::Decide, PointKind::Allocate];
    const NETWORK: bool = true;
    const ANNOUNCED: bool = true;

    fn contribute(point: &Point, _: RobotId, own: &mut dyn Own) -> Option<Vec<f32>> {
        let bid = |cost: Option<f64>| cost.map_or(f32::INFINITY, |cost| cost as f32);
        Some(costs(point, own).into_iter().map(bid).collect())
    }

    fn conclude(point: &Point, heard: &Contributions) -> Option<Outcome> {
        if !complete(point, heard) {
            return None;
        }
        if point.kind == PointKind::Allocate {
            return Some(Outcome::Jobs(divide(point, heard)));
        }
        let cost =
            |bids: &[f32], place: usize| bids.get(place).copied().filter(|c| c.is_finite()).unwrap_or(CANNOT);
        let total = |place: usize| heard.iter().map(|(_, bids)| f64::from(cost(bids, place))).sum::<f64>();
        let best = (0..point.options.len()).min_by(|a, b| total(*a).total_cmp(&total(*b)))?;
        option(point, best)
    }

    fn told(point: &Point, values: &[f32]) -> String {
        let bid = |(option, cost): (&NodeId, &f32)| {
            let name = &point.plan.graph.node(*option).name;
            if cost.is_finite() { format!("{name} {cost:.0} s") } else { format!("{name} impossible") }
        };
        point.options.iter().zip(values).map(bid).collect::<Vec<_>>().join(", ")
    }
}

impl Protocol for BidToDecide {
    const FITS: &'static [PointKind] = &[PointKind::Decide];
    const NETWORK: bool = true;
    const ANNOUNCED: bool = true;

    fn contribute(point: &Point, me: RobotId, own: &mut dyn Own) -> Option<Vec<f32>> {
        Bidding::contribute(point, me, own)
    }

    fn conclude(point: &Point, heard: &Contributions) -> Option<Outcome> {
        Bidding::conclude(point, heard)
    }

    fn told(point: &Point, values: &[f32]) -> String {
        Bidding::told(point, values)
    }
}

/// The children at the least cost, by what each robot has bid.
fn divide(point: &Point, heard: &Contributions) -> Vec<Job> {
    let robots: Vec<RobotId> = heard.iter().map(|(robot, _)| *robot).collect();
    shared(point, &robots, |robot, child| {
        let bid = heard[robot].1.get(child).copied().filter(|cost| cost.is_finite());
        bid.filter(|_| point.may(robots[robot], point.options[child])).map(f64::from)
    })
}
