//! Announce, bids, award.

use super::{Contributions, Outcome, Own, Point, PointKind, Protocol, complete, costs, option};
use crate::bite::graph::NodeId;
use crate::bite::team::Job;
use crewlab_allocation::{Objective, assign};
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

/// As many children as possible get a robot, the first ones where robots are too few, at the least cost (the exact matching that MuRoCo
/// uses for coalitions); robots that are left over help where it costs them least.
fn divide(point: &Point, heard: &Contributions) -> Vec<Job> {
    let bid = |bids: &[f32], place: usize| bids.get(place).copied().filter(|cost| cost.is_finite());
    let able = |child: &usize| heard.iter().any(|(_, bids)| bid(bids, *child).is_some());
    let children: Vec<usize> = (0..point.options.len()).filter(able).take(heard.len()).collect();
    let rewards: Vec<Vec<Option<f64>>> = children
        .iter()
        .map(|child| heard.iter().map(|(_, bids)| bid(bids, *child).map(|cost| -f64::from(cost))).collect())
        .collect();
    let columns =
        assign(&rewards, Objective::Most).ok().flatten().map(|found| found.columns).unwrap_or_default();
    let job = |robot, child: usize| Job { robot, child: point.options[child], subject: 0 };
    let pairs = children.into_iter().zip(columns).filter_map(|(child, robot)| Some((child, robot?)));
    let mut jobs: Vec<Job> = pairs.map(|(child, robot)| job(heard[robot].0, child)).collect();
    for (robot, bids) in heard {
        if jobs.iter().all(|job| job.robot != *robot) {
            let known = (0..point.options.len()).filter_map(|child| Some((child, bid(bids, child)?)));
            if let Some((child, _)) = known.min_by(|a, b| a.1.total_cmp(&b.1)) {
                jobs.push(job(*robot, child));
            }
        }
    }
    jobs
}
