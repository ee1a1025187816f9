//! The costs of places, one file each, and the set of them that a plan is rated by. Costs are additive and need no gradient. They
//! count once per step, whatever its length.

pub mod formula;
pub mod link;
pub mod movement;
pub mod overlap;
pub mod polygon;
pub mod radial;
pub mod rational;
pub mod sector;
pub mod social;
pub mod tracks;
pub mod wall;

pub use formula::FormulaCost;
pub use link::{Link, Reach, Stretch};
pub use movement::{Ground, Movement};
pub use overlap::Overlap;
pub use polygon::Polygon;
pub use radial::{Linear, Quadratic};
pub use rational::Rational;
pub use sector::Sector;
pub use social::Social;
pub use tracks::{Knot, TrackId, Tracks};
pub use wall::Wall;

use super::horizon::Horizon;
use super::unicycle::{Control, Pose};
use super::vector::{LANES, Lanes, Machine, Number, Plain, Vector};
use super::walkers::Block;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A cost that depends on the distance from a point.
pub trait FromDistance {
    /// The cost at a squared distance. [m²]
    fn at<N: Number>(&self, square: N) -> N;

    /// The distance from which on there is no cost. [m]
    fn reach(&self) -> f32;
}

/// A cost of a place that stands still.
pub trait Region {
    /// The cost at a place. [m]
    fn at<N: Number>(&self, x: N, y: N) -> N;

    /// Centre and radius of a circle outside of which there is no cost. [m]
    fn extent(&self) -> ([f32; 2], f32);
}

/// Where the point is from which a distance is measured.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Place {
    /// Always here. [m]
    Fixed([f32; 2]),
    /// Where this object is predicted to be.
    Moving(TrackId),
}

/// A cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Cost {
    #[allow(missing_docs)]
    Linear(Linear, Place),
    #[allow(missing_docs)]
    Quadratic(Quadratic, Place),
    #[allow(missing_docs)]
    Rational(Rational, Place),
    #[allow(missing_docs)]
    Social(Social, Place),
    #[allow(missing_docs)]
    Overlap(Overlap, Place),
    #[allow(missing_docs)]
    Link(Link, Place),
    #[allow(missing_docs)]
    Formula(FormulaCost, Place),
    #[allow(missing_docs)]
    Sector(Sector),
    #[allow(missing_docs)]
    Wall(Wall),
    #[allow(missing_docs)]
    Polygon(Polygon),
}

impl Cost {
    /// The same cost, measured from another point; unchanged if it is not measured from one.
    pub fn around(self, place: Place) -> Cost {
        match self {
            Cost::Linear(cost, _) => Cost::Linear(cost, place),
            Cost::Quadratic(cost, _) => Cost::Quadratic(cost, place),
            Cost::Rational(cost, _) => Cost::Rational(cost, place),
            Cost::Social(cost, _) => Cost::Social(cost, place),
            Cost::Overlap(cost, _) => Cost::Overlap(cost, place),
            Cost::Link(cost, _) => Cost::Link(cost, place),
            Cost::Formula(cost, _) => Cost::Formula(cost, place),
            Cost::Sector(_) | Cost::Wall(_) | Cost::Polygon(_) => self,
        }
    }
}

/// A weighted cost.
#[derive(Clone, Debug, PartialEq)]
struct Term {
    cost: Cost,
    weight: f32,
    /// Its purpose, in the list of them.
    purpose: u16,
}

/// Where a cost acts.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Circle {
    place: Place,
    /// The square of its radius. [m²]
    square: f32,
}

impl Term {
    /// Adds the cost, measured from a point where it is measured from one [m], to those of all walkers.
    #[inline(always)]
    fn rate(&self, machine: impl Machine, from: [f32; 2], walkers: &[Block], costs: &mut [Lanes]) {
        let weight = self.weight;
        match &self.cost {
            Cost::Linear(cost, _) => radiate(machine, (cost, weight), from, walkers, costs),
            Cost::Quadratic(cost, _) => radiate(machine, (cost, weight), from, walkers, costs),
            Cost::Rational(cost, _) => radiate(machine, (cost, weight), from, walkers, costs),
            Cost::Social(cost, _) => radiate(machine, (cost, weight), from, walkers, costs),
            Cost::Overlap(cost, _) => radiate(machine, (cost, weight), from, walkers, costs),
            Cost::Link(cost, _) => radiate(machine, (cost, weight), from, walkers, costs),
            Cost::Formula(cost, _) => cost.rate(weight, from, walkers, costs),
            Cost::Sector(cost) => cover(machine, (cost, weight), walkers, costs),
            Cost::Wall(cost) => cover(machine, (cost, weight), walkers, costs),
            Cost::Polygon(cost) => cover(machine, (cost, weight), walkers, costs),
        }
    }
}

/// The least rectangle around some places. [m]
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    /// Lowest and highest x.
    pub(super) x: [f32; 2],
    /// Lowest and highest y.
    pub(super) y: [f32; 2],
}

impl Extent {
    /// The square of the distance of a point. [m²]
    #[inline(always)]
    fn square_to(&self, [x, y]: [f32; 2]) -> f32 {
        let beyond = |[low, high]: [f32; 2], at: f32| (low - at).higher(at - high).higher(0.0);
        let (dx, dy) = (beyond(self.x, x), beyond(self.y, y));
        dx * dx + dy * dy
    }
}

/// What a cost is for, as people read it.
pub type Purpose = Cow<'static, str>;

const NO_PURPOSE: Purpose = Cow::Borrowed("");
const MOVING: Purpose = Cow::Borrowed("moving");

/// All costs of a plan.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CostSet {
    terms: Vec<Term>,
    /// Where each of them acts.
    circles: Vec<Circle>,
    purposes: Vec<Purpose>,
    /// What costs that are added now are for.
    purpose: u16,
    tracks: Tracks,
    /// The energy of moving, if it counts.
    pub movement: Option<Movement>,
}

impl CostSet {
    /// Forgets all costs; keeps the memory.
    pub fn clear(&mut self) {
        self.terms.clear();
        self.circles.clear();
        self.tracks.clear();
        self.purposes.clear();
        (self.purpose, self.movement) = (0, None);
    }

    /// Says what the costs that are added from now on are for.
    pub fn purpose(&mut self, purpose: impl Into<Purpose>) {
        let purpose = purpose.into();
        let place = self.purposes.iter().position(|known| *known == purpose);
        self.purpose = place.unwrap_or(self.purposes.len()) as u16;
        if place.is_none() {
            self.purposes.push(purpose);
        }
    }

    /// Adds the costs of a place [m] that is reached with a control at the end of a step, by their purpose.
    pub fn share(&self, step: usize, [x, y]: [f32; 2], control: Control, shares: &mut Vec<(Purpose, f32)>) {
        let mut note =
            |purpose: &Purpose, cost: f32| match shares.iter_mut().find(|(known, _)| known == purpose) {
                Some((_, sum)) => *sum += cost,
                None => shares.push((purpose.clone(), cost)),
            };
        for (term, cost) in self.terms.iter().zip(self.shares(step, [x, y])) {
            note(self.purposes.get(usize::from(term.purpose)).unwrap_or(&NO_PURPOSE), cost);
        }
        if let Some(movement) = &self.movement {
            note(&MOVING, movement.at([x, y], [control.speed, control.turn]));
        }
    }

    /// What each term costs at a place at the end of a step: exactly nothing where it does not act. [m]
    fn shares(&self, step: usize, [x, y]: [f32; 2]) -> impl Iterator<Item = f32> {
        let here = Extent { x: [x; 2], y: [y; 2] };
        let block = Block::new(Pose { x, y, heading: 0.0 }, [Control::default(); 2]);
        self.terms.iter().zip(&self.circles).map(move |(term, circle)| {
            let (from, mut costs) = (self.place(circle.place, step), [[0.0; LANES]]);
            if here.square_to(from) <= circle.square {
                term.rate(Plain, from, &[block], &mut costs);
            }
            costs[0][0]
        })
    }

    /// Adds the predicted trajectory of an object, whose knots ascend in time. It costs nothing by itself.
    pub fn track(&mut self, knots: &[Knot], horizon: &Horizon) -> TrackId {
        self.tracks.add(knots, horizon)
    }

    /// Adds a cost.
    pub fn add(&mut self, cost: Cost, weight: f32) {
        let fixed = |(centre, reach): ([f32; 2], f32)| (Place::Fixed(centre), reach);
        let (place, reach) = match &cost {
            Cost::Linear(cost, place) => (*place, cost.reach()),
            Cost::Quadratic(cost, place) => (*place, cost.reach()),
            Cost::Rational(cost, place) => (*place, cost.reach()),
            Cost::Social(cost, place) => (*place, cost.reach()),
            Cost::Overlap(cost, place) => (*place, cost.reach()),
            Cost::Link(cost, place) => (*place, cost.reach()),
            Cost::Formula(_, place) => (*place, f32::INFINITY),
            Cost::Sector(cost) => fixed(cost.extent()),
            Cost::Wall(cost) => fixed(cost.extent()),
            Cost::Polygon(cost) => fixed(cost.extent()),
        };
        self.terms.push(Term { cost, weight, purpose: self.purpose });
        self.circles.push(Circle { place, square: reach * reach });
    }

    #[inline(always)]
    fn place(&self, place: Place, step: usize) -> [f32; 2] {
        match place {
            Place::Fixed(at) => at,
            Place::Moving(track) => self.tracks.at(step, track),
        }
    }

    /// The cost of a place at the end of a step, without that of moving. [m]
    pub fn at(&self, step: usize, x: f32, y: f32) -> f32 {
        self.shares(step, [x, y]).sum()
    }

    /// The cost of a place that is reached with a control at the end of a step. [m]
    pub(super) fn with_moving(&self, step: usize, [x, y]: [f32; 2], control: Control) -> f32 {
        let movement = self.movement.as_ref();
        let moving = movement.map_or(0.0, |movement| movement.at([x, y], [control.speed, control.turn]));
        moving + self.at(step, x, y)
    }

    /// Rates all walkers at the end of a step, block by block, by the costs that act on some of them: the others would change nothing.
    #[inline(always)]
    pub(super) fn rate<M: Machine>(
        &self,
        machine: M,
        step: usize,
        walkers: &[Block],
        extent: &Extent,
        costs: &mut [Lanes],
    ) {
        costs.fill([0.0; LANES]);
        if let Some(movement) = &self.movement {
            for (block, costs) in walkers.iter().zip(costs.iter_mut()) {
                let ([x, y, _], controls) =
                    (machine.load_all(&block.pose), machine.load_all(&block.controls));
                *costs = movement.at([x, y], controls).lanes();
            }
        }
        for (term, circle) in self.terms.iter().zip(&self.circles) {
            let from = self.place(circle.place, step);
            if extent.square_to(from) <= circle.square {
                term.rate(machine, from, walkers, costs);
            }
        }
    }
}

/// Adds a cost around a point to those of all walkers.
#[inline(always)]
fn radiate<M: Machine>(
    machine: M,
    (cost, weight): (&impl FromDistance, f32),
    from: [f32; 2],
    walkers: &[Block],
    costs: &mut [Lanes],
) {
    for (block, costs) in walkers.iter().zip(costs) {
        let [x, y, _] = machine.load_all(&block.pose);
        let (dx, dy) = (x - from[0], y - from[1]);
        *costs = (machine.load(costs) + cost.at(dx * dx + dy * dy) * weight).lanes();
    }
}

/// Adds a cost of places to those of all walkers.
#[inline(always)]
fn cover<M: Machine>(
    machine: M,
    (cost, weight): (&impl Region, f32),
    walkers: &[Block],
    costs: &mut [Lanes],
) {
    for (block, costs) in walkers.iter().zip(costs) {
        let [x, y, _] = machine.load_all(&block.pose);
        *costs = (machine.load(costs) + cost.at(x, y) * weight).lanes();
    }
}
