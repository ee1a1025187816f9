//! The paper's theorems, for robots that only bid: estimates do not change and nobody starts to work.

use super::super::bidder::Bidder;
use super::super::bundle::{Bundle, Discount, Offer};
use super::super::{CbbaParams, Claim};
use super::TICK;
use super::team::{Team, identity, tasks};
use crewlab_onboard::{
    BehaviourId, Choice, Coordinator, Message, Output, Piece, RobotId, Situation, Skills, Stream, StreamKind,
    TaskId, Time,
};
use proptest::prelude::*;

/// A robot that only bids and resolves conflicts.
struct Auction(Bidder);

impl Coordinator for Auction {
    fn decide(
        &mut self,
        situation: &Situation,
        skills: &dyn Skills,
        inbox: &[Message],
        out: &mut Output,
    ) -> Option<Choice> {
        let bidder = &mut self.0;
        bidder.uptime = bidder.uptime.after(Time::from_seconds(situation.dt).0);
        bidder.survey(situation, skills);
        bidder.listen(situation, inbox, out);
        bidder.release_what_is_lost(situation.me.id, out);
        bidder.build(situation, skills);
        bidder.speak(situation, out);
        None
    }
}

/// A case: costs per robot and task, utilities, the length of bundles, who hears whom.
#[derive(Clone, Debug)]
struct Case {
    costs: Vec<Vec<f64>>,
    worth: Vec<f64>,
    bundle: u8,
    /// Robot r + 1 hears and is heard by robot `tree[r]`; so do neighbours in `further`.
    tree: Vec<usize>,
    further: Vec<(usize, usize)>,
}

impl Case {
    fn robots(&self) -> usize {
        self.costs.len()
    }

    fn linked(&self, a: usize, b: usize) -> bool {
        let (low, high) = (a.min(b), a.max(b));
        self.tree[high - 1] == low || self.further.contains(&(low, high))
    }

    /// The diameter of the network.
    fn diameter(&self) -> usize {
        let n = self.robots();
        let link = |a: usize, b: usize| match a == b {
            true => 0,
            false if self.linked(a, b) => 1,
            false => n,
        };
        let mut way: Vec<Vec<usize>> = (0..n).map(|a| (0..n).map(|b| link(a, b)).collect()).collect();
        for over in 0..n {
            for a in 0..n {
                for b in 0..n {
                    way[a][b] = way[a][b].min(way[a][over] + way[over][b]);
                }
            }
        }
        way.iter().flatten().copied().max().unwrap_or(0)
    }

    /// The team; every robot sends in every tick, as in the paper.
    fn team(&self) -> Team<Auction> {
        let params = CbbaParams {
            bundle: self.bundle,
            broadcast_rate: 1.0 / TICK,
            time_allowed_till_ceased: 1e9,
            ..CbbaParams::default()
        };
        let mut tasks = tasks(&vec![true; self.worth.len()]);
        for (task, worth) in tasks.iter_mut().zip(&self.worth) {
            task.utility = *worth;
        }
        let all: Vec<u16> = (0..tasks.len() as u16).collect();
        let robot = |number: usize| {
            let me = identity(number as u16, 0, &all);
            let auction = Auction(Bidder::new(&params, &me));
            (me, auction)
        };
        let mut team = Team::new(TICK, tasks, (0..self.robots()).map(robot).collect());
        for (robot, costs) in team.robots.iter_mut().zip(&self.costs) {
            robot.software.performer.cost = costs.clone();
        }
        let case = self.clone();
        team.lost = Box::new(move |_, speaker, listener| !case.linked(speaker, listener));
        team
    }

    fn offer(&self, robot: usize, task: usize) -> Offer {
        let choice = Choice { behaviour: BehaviourId(task as u8), subject: 0 };
        let piece = Piece { task: TaskId(task as u16), subject: 0 };
        Offer { piece, choice, worth: self.worth[task], cost: self.costs[robot][task] }
    }

    /// The optimum, by enumeration.
    fn optimum(&self) -> f64 {
        let ways = self.robots().pow(self.worth.len() as u32);
        let worth = |way: usize| {
            let of = |task: usize| way / self.robots().pow(task as u32) % self.robots();
            let path = |robot: usize| {
                let tasks = (0..self.worth.len()).filter(|task| of(*task) == robot);
                let offers: Vec<Offer> = tasks.map(|task| self.offer(robot, task)).collect();
                best_order(&offers)
            };
            (0..self.robots()).map(path).sum::<f64>()
        };
        (0..ways).map(worth).fold(0.0, f64::max)
    }
}

/// The value of the best order of some pieces. The value of an order of two neighbours does not depend on the others, so the best
/// order is a sorted one: by value · λ^cost / (1 - λ^cost), descending.
fn best_order(offers: &[Offer]) -> f64 {
    let index = |offer: &Offer| {
        let left = libm::exp2(-offer.cost / DISCOUNT.half_life);
        offer.worth * left / (1.0 - left)
    };
    let mut path = offers.to_vec();
    path.sort_by(|a, b| index(b).total_cmp(&index(a)));
    DISCOUNT.worth(path.iter())
}

const DISCOUNT: Discount = Discount { half_life: 60.0 };

fn cases(robots: std::ops::RangeInclusive<usize>, tasks: usize) -> impl Strategy<Value = Case> {
    (robots, 1..=tasks).prop_flat_map(|(n, m)| {
        // Few different numbers, so that equal bids are common.
        let cost = prop_oneof![1.0..200.0f64, (1..4u8).prop_map(|c| 30.0 * f64::from(c))];
        let costs = proptest::collection::vec(proptest::collection::vec(cost, m), n);
        let worth = prop_oneof![Just(600.0), 10.0..1_000.0f64];
        let tree: Vec<_> = (1..n).map(|robot| 0..robot).collect();
        let further = proptest::collection::vec((0..n, 0..n), 0..3);
        let parts = (costs, proptest::collection::vec(worth, m), 1..5u8, tree, further);
        parts.prop_map(|(costs, worth, bundle, tree, further)| Case { costs, worth, bundle, tree, further })
    })
}

fn claims(auction: &Auction) -> &[(Piece, Claim)] {
    auction.0.ledger.claims()
}

/// Everybody has the same beliefs, and everybody's bundle agrees with them.
fn agreed(team: &Team<Auction>) -> bool {
    let all = claims(&team.robots[0].software.coordinator);
    team.robots.iter().all(|robot| {
        let bidder = &robot.software.coordinator.0;
        let held = all.iter().filter(|(_, claim)| claim.winner == robot.identity.id).count();
        let holds = |piece| all.iter().any(|(p, claim)| *p == piece && claim.winner == robot.identity.id);
        bidder.ledger.claims() == all
            && bidder.bundle.entries().len() == held
            && bidder.bundle.entries().iter().all(|entry| holds(entry.piece))
    })
}

/// As much as possible is claimed.
fn complete(case: &Case, team: &Team<Auction>) -> bool {
    let most = case.worth.len().min(case.robots() * usize::from(case.bundle));
    claims(&team.robots[0].software.coordinator).len() == most
}

proptest! {
    /// Theorem 1: if all robots are connected, directly or through others, and no message is lost, all agree within (the number
    /// of assigned pieces) · (the diameter) rounds.
    #[test]
    fn all_agree_within_the_rounds_of_the_paper(case in cases(1..=6, 7)) {
        let mut team = case.team();
        let given_out = case.worth.len().min(case.robots() * usize::from(case.bundle));
        // One tick to bid, one for every round; messages of one tick are heard in the next.
        team.steps(1 + given_out * case.diameter());
        prop_assert!(agreed(&team));
        prop_assert!(complete(&case, &team));
        let settled: Vec<_> = claims(&team.robots[0].software.coordinator).to_vec();
        team.steps(20);
        prop_assert!(agreed(&team));
        prop_assert_eq!(claims(&team.robots[0].software.coordinator), &settled[..], "for good");
    }

    /// Theorem 2: the agreed plan is worth at least half of the best. Bundles are unlimited here: then the bound is that of
    /// greedy choice for a value with diminishing gains under one constraint per piece.
    #[test]
    fn the_agreed_plan_is_worth_half_of_the_best(case in cases(1..=4, 5)) {
        let case = Case { bundle: 5, ..case };
        let mut team = case.team();
        team.steps(1 + case.worth.len() * case.diameter());
        let worth = |bundle: &Bundle| DISCOUNT.worth(bundle.path().iter());
        let found: f64 = team.robots.iter().map(|robot| worth(&robot.software.coordinator.0.bundle)).sum();
        prop_assert!(found >= 0.5 * case.optimum(), "{} of {}", found, case.optimum());
        prop_assert!(found <= case.optimum() * (1.0 + 1e-9));
    }

    /// Loss delays agreement but does not prevent it.
    #[test]
    fn all_agree_in_the_end_when_messages_are_lost(case in cases(2..=5, 6), loss in 0.0..0.6f64, seed: u64) {
        let mut team = case.team();
        let links = case.clone();
        team.lost = Box::new(move |tick, speaker, listener| {
            let mut random = Stream::new(seed, StreamKind::World, (speaker * 100 + listener) as u32, tick);
            !links.linked(speaker, listener) || random.chance(loss)
        });
        // At most 42 pieces of news cross 4 links. A link takes 2.5 ticks on average; after 400 ticks, the probability that some
        // link has not let a given message through is below 0.6^100.
        team.steps(400);
        prop_assert!(agreed(&team));
        prop_assert!(complete(&case, &team));
    }
}

#[test]
fn of_equal_bids_the_lowest_number_wins() {
    let case = Case {
        costs: vec![vec![30.0]; 4],
        worth: vec![600.0],
        bundle: 1,
        tree: vec![0, 1, 2],
        further: Vec::new(),
    };
    let mut team = case.team();
    team.steps(4);
    assert!(agreed(&team));
    assert_eq!(claims(&team.robots[3].software.coordinator)[0].1.winner, RobotId(0));
}
