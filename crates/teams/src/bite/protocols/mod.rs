//! Social behaviours: the protocols by which a team decides, allocates and ends together. One file each, and a line in the registry
//! below. Which protocol serves which point of the graph is data of the scenario.

mod ask_operator;
mod barrier;
mod bidding;
mod by_count;
mod by_id;
mod by_resource;
mod elected;
mod leader;
mod mean_mod;
mod ranking;
mod voting;

use super::graph::NodeId;
use super::plan::Plan;
use super::team::{Frame, Job};
use crewlab_allocation::{Objective, assign};
use crewlab_onboard::{RobotId, Stream};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// What a team agrees on at a point of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PointKind {
    /// Which of several successors follows (synchronised selection).
    Decide,
    /// Who executes which child.
    Allocate,
    /// When a behaviour is over for all (synchronised termination).
    Terminate,
}

impl PointKind {
    /// All kinds.
    pub const ALL: [PointKind; 3] = [PointKind::Decide, PointKind::Allocate, PointKind::Terminate];

    /// Its name in scenarios.
    pub fn name(self) -> &'static str {
        match self {
            PointKind::Decide => "decide",
            PointKind::Allocate => "allocate",
            PointKind::Terminate => "terminate",
        }
    }
}

/// A point that a group has reached.
pub struct Point<'a> {
    /// What is to be agreed.
    pub kind: PointKind,
    /// The frame that has reached it.
    pub frame: &'a Frame,
    /// What can be chosen.
    pub options: Cow<'a, [NodeId]>,
    /// Who takes part, in the order of their ids.
    pub voters: Vec<RobotId>,
    /// How often the team has executed the behaviour, this time included if it is over.
    pub count: u16,
    /// The plan.
    pub plan: &'a Plan,
}

impl Point<'_> {
    /// The group's leader: whoever did the first child's work, otherwise the first of those who take part.
    pub fn leader(&self) -> Option<RobotId> {
        let known = self.frame.leader.filter(|robot| self.voters.contains(robot));
        known.or_else(|| self.voters.first().copied())
    }

    /// True if a robot belongs to the sub-team that an option is `by`.
    pub fn may(&self, robot: RobotId, option: NodeId) -> bool {
        self.plan.organisation.includes(self.plan.graph.node(option).by, robot)
    }

    /// The protocol that serves it.
    pub fn protocol(&self) -> &'static ProtocolKind {
        self.plan.points(self.frame.node).of(self.kind).kind()
    }
}

/// What a robot knows that its contribution may depend on.
pub trait Own {
    /// What it expects to pay for an option, as far as it can do it. [s]
    fn cost(&mut self, option: NodeId) -> Option<f64>;

    /// The same for an option that makes no sense to the robot by itself any more, because it has done it before.
    fn cost_again(&mut self, option: NodeId) -> Option<f64>;

    /// The value of a signal of its mission, by name.
    fn signal(&mut self, name: &str) -> Option<f64>;

    /// Its random numbers.
    fn random(&mut self) -> &mut Stream;
}

/// What a team agrees on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Outcome {
    /// What follows; nothing if no successor is possible.
    Next(Option<NodeId>),
    /// Who decides.
    Leader(RobotId),
    /// Who executes which child.
    Jobs(Vec<Job>),
}

/// What the robots of a group have contributed, in the order of their ids.
pub type Contributions<'a> = [(RobotId, &'a [f32])];

/// A protocol.
pub struct ProtocolKind {
    /// Its name in scenarios.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// The points that it fits.
    pub fits: &'static [PointKind],
    /// True if robots exchange messages.
    pub network: bool,
    /// True if somebody first asks for contributions.
    pub announced: bool,
    /// The signal that it ranks robots by.
    pub signal: Option<&'static str>,
    /// The outcome, if what all know is enough.
    pub at_once: fn(&Point) -> Option<Outcome>,
    /// A robot's contribution; `None` if it has none to make.
    pub contribute: fn(&Point, RobotId, &mut dyn Own) -> Option<Vec<f32>>,
    /// The outcome; `None` while contributions are missing.
    pub conclude: fn(&Point, &Contributions) -> Option<Outcome>,
    /// Who has to contribute.
    pub asked: fn(&Point) -> Vec<RobotId>,
    /// A contribution in words.
    pub told: fn(&Point, &[f32]) -> String,
}

/// A protocol, as the implementing types declare it.
trait Protocol {
    /// The points that it fits.
    const FITS: &'static [PointKind];
    /// True if robots exchange messages.
    const NETWORK: bool;
    /// True if somebody first asks for contributions.
    const ANNOUNCED: bool = false;
    /// The signal that it ranks robots by.
    const SIGNAL: Option<&'static str> = None;

    fn at_once(_: &Point) -> Option<Outcome> {
        None
    }

    fn contribute(_: &Point, _: RobotId, _: &mut dyn Own) -> Option<Vec<f32>> {
        None
    }

    fn conclude(_: &Point, _: &Contributions) -> Option<Outcome> {
        None
    }

    fn asked(point: &Point) -> Vec<RobotId> {
        if Self::ANNOUNCED { point.voters.clone() } else { Vec::new() }
    }

    fn told(_: &Point, values: &[f32]) -> String {
        let numbers: Vec<String> = values.iter().map(|value| format!("{value:.1}")).collect();
        if numbers.is_empty() { "nothing".into() } else { numbers.join(", ") }
    }
}

macro_rules! registry {
    ($($name:literal $type:ty => $summary:literal;)*) => {
        /// All protocols.
        pub const PROTOCOLS: &[ProtocolKind] = &[$(ProtocolKind {
            name: $name,
            summary: $summary,
            fits: <$type as Protocol>::FITS,
            network: <$type as Protocol>::NETWORK,
            announced: <$type as Protocol>::ANNOUNCED,
            signal: <$type as Protocol>::SIGNAL,
            at_once: <$type as Protocol>::at_once,
            contribute: <$type as Protocol>::contribute,
            conclude: <$type as Protocol>::conclude,
            asked: <$type as Protocol>::asked,
            told: <$type as Protocol>::told,
        },)*];
    };
}

registry! {
    "voting" voting::Voting => "everybody votes for the option that costs it least; the most votes win";
    "bidding" bidding::Bidding => "everybody bids; the option, or the division of work, with the least total cost wins";
    "leader" leader::Leader => "the leader of the group chooses what costs it least, or by chance, and tells";
    "elected" elected::Elected => "the group elects a leader, who chooses by chance and tells";
    "by-id" by_id::ById => "by the robots' numbers: nobody has to say anything";
    "by-resource" by_resource::ByResource => "the option that needs the fewest effectors, then by number: nobody has to say anything";
    "by-count" by_count::ByCount => "the last option as often as `repeats` says, then the first: nobody has to say anything";
    "mean-mod" mean_mod::MeanMod => "everybody draws a number; their mean, modulo the number of options, decides";
    "wait-all" barrier::WaitAll => "a behaviour is over when everybody has ended it";
    "any-ends-all" barrier::AnyEndsAll => "a behaviour is over as soon as one has ended it";
    "ask-operator" ask_operator::AskOperator => "a person chooses; the first option after a time without an answer";
    "sf1" by_resource::ByResource => "BITE: by resources and number";
    "sf2" by_id::AllocateById => "BITE: by number";
    "sf3" ranking::ByHeadAngle => "BITE: by head angle towards the leader";
    "sf4" leader::LeaderByCount => "BITE: the leader of the formation decides by repetition count and tells";
    "sf5" elected::Elected => "BITE: the group elects a leader, who picks by chance";
    "sf6" ranking::ByColour => "BITE: by colour";
    "sf7" by_count::ByCount => "BITE: by repetition count";
    "sf8" bidding::BidToDecide => "BITE: everybody sends a bid";
    "sf9" mean_mod::MeanMod => "BITE: the mean of the bids modulo the number of branches";
}

/// A protocol's place in [`PROTOCOLS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ProtocolId(pub u8);

impl ProtocolId {
    /// The protocol of this name.
    pub fn find(name: &str) -> Option<ProtocolId> {
        PROTOCOLS.iter().position(|protocol| protocol.name == name).map(|place| ProtocolId(place as u8))
    }

    /// The protocol. Ids come from [`ProtocolId::find`]; any other is the first of the registry.
    pub fn kind(self) -> &'static ProtocolKind {
        PROTOCOLS.get(usize::from(self.0)).unwrap_or(&PROTOCOLS[0])
    }
}

/// The outcome of a point that needs nothing but what all know. Options with preconditions are not known to all.
pub fn at_once(point: &Point) -> Option<Outcome> {
    let conditional = point.options.iter().any(|option| point.plan.graph.node(*option).when.is_some());
    let alone = point.plan.own_data || conditional || point.voters.is_empty();
    if alone { None } else { (point.protocol().at_once)(point) }
}

/// The option at a place, going round.
fn option(point: &Point, place: usize) -> Option<Outcome> {
    let count = point.options.len();
    (count > 0).then(|| Outcome::Next(Some(point.options[place % count])))
}

/// The name of the option whose place a robot has told.
fn option_name(point: &Point, values: &[f32]) -> String {
    let place = values.first().map(|value| *value as usize);
    let option = place.and_then(|place| point.options.get(place % point.options.len().max(1)));
    option.map_or(String::new(), |option| point.plan.graph.node(*option).name.clone())
}

/// One child per robot in this order; further robots begin with the first child again. Where only some robots may do a child, as many
/// children as possible get a robot, as near to the order as that allows.
fn in_order(point: &Point, robots: impl IntoIterator<Item = RobotId>) -> Option<Outcome> {
    if point.options.is_empty() {
        return None;
    }
    let robots: Vec<RobotId> = robots.into_iter().collect();
    let count = point.options.len();
    // Of two robots for one child the earlier one comes first.
    let off = |robot: usize, child: usize| {
        let off = (robot % count).abs_diff(child) as f64 + 1e-3 * (robot / count) as f64;
        point.may(robots[robot], point.options[child]).then_some(off)
    };
    Some(Outcome::Jobs(shared(point, &robots, off)))
}

/// As many children as possible get a robot, the first ones where robots are too few, at the least cost (the exact matching that MuRoCo
/// uses for coalitions); robots that are left over help where it costs them least. No cost means that the robot cannot do the child.
fn shared(point: &Point, robots: &[RobotId], cost: impl Fn(usize, usize) -> Option<f64>) -> Vec<Job> {
    let able = |child: &usize| (0..robots.len()).any(|robot| cost(robot, *child).is_some());
    let children: Vec<usize> = (0..point.options.len()).filter(able).take(robots.len()).collect();
    let reward = |child: usize| (0..robots.len()).map(|robot| cost(robot, child).map(|cost| -cost)).collect();
    let rewards: Vec<Vec<Option<f64>>> = children.iter().map(|child| reward(*child)).collect();
    let columns =
        assign(&rewards, Objective::Most).ok().flatten().map(|found| found.columns).unwrap_or_default();
    let job =
        |robot: usize, child: usize| Job { robot: robots[robot], child: point.options[child], subject: 0 };
    let pairs = children.into_iter().zip(columns).filter_map(|(child, robot)| Some((child, robot?)));
    let mut jobs: Vec<Job> = pairs.map(|(child, robot)| job(robot, child)).collect();
    for (robot, id) in robots.iter().enumerate() {
        if jobs.iter().all(|job| job.robot != *id) {
            let known = (0..point.options.len()).filter_map(|child| Some((child, cost(robot, child)?)));
            let best = known.min_by(|a, b| a.1.total_cmp(&b.1));
            jobs.extend(best.map(|(child, _)| job(robot, child)));
        }
    }
    jobs
}

/// True if all who take part have contributed.
fn complete(point: &Point, heard: &Contributions) -> bool {
    point.voters.iter().all(|voter| heard.iter().any(|(robot, _)| robot == voter))
}

/// What the options cost a robot. A plan may lead to what was done before; then that costs what it costs to do it again.
fn costs(point: &Point, own: &mut dyn Own) -> Vec<Option<f64>> {
    let costs: Vec<Option<f64>> = point.options.iter().map(|option| own.cost(*option)).collect();
    match costs.iter().all(Option::is_none) {
        true => point.options.iter().map(|option| own.cost_again(*option)).collect(),
        false => costs,
    }
}

/// The option that costs a robot least; one by chance if it knows no cost.
fn favourite(point: &Point, own: &mut dyn Own) -> usize {
    let costs = costs(point, own);
    let known = costs.iter().enumerate().filter_map(|(place, cost)| Some((place, (*cost)?)));
    match known.min_by(|a, b| a.1.total_cmp(&b.1)) {
        Some((place, _)) => place,
        None => own.random().below(point.options.len().max(1)),
    }
}
