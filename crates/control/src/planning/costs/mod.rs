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
use super::unicycle::Control;
use super::walkers::{LANES, Lanes, higher, highest, lowest};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A cost that depends on the distance from a point.
pub trait FromDistance {
    /// The cost at a squared distance. [m²]
    fn at(&self, square: f32) -> f32;

    /// The distance from which on there is no cost. [m]
    fn reach(&self) -> f32;
}

/// A cost of a place that stands still.
pub trait Region {
    /// The cost at a place. [m]
    fn at(&self, x: f32, y: f32) -> f32;

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

/// A weighted cost and the circle within which it acts.
#[derive(Clone, Debug, PartialEq)]
struct Term {
    cost: Cost,
    weight: f32,
    /// Its purpose, in the list of them.
    purpose: u16,
    place: Place,
    reach: f32,
}

impl Term {
    /// Adds the cost, measured from a point where it is measured from one, to those of a block.
    #[inline(always)]
    fn rate(&self, at: [f32; 2], places: [Lanes; 2], costs: &mut Lanes) {
        match &self.cost {
            Cost::Linear(cost, _) => radiate(cost, at, self.weight, places, costs),
            Cost::Quadratic(cost, _) => radiate(cost, at, self.weight, places, costs),
            Cost::Rational(cost, _) => radiate(cost, at, self.weight, places, costs),
            Cost::Social(cost, _) => radiate(cost, at, self.weight, places, costs),
            Cost::Overlap(cost, _) => radiate(cost, at, self.weight, places, costs),
            Cost::Link(cost, _) => radiate(cost, at, self.weight, places, costs),
            Cost::Formula(cost, _) => cost.rate(at, self.weight, places, costs),
            Cost::Sector(cost) => cover(cost, self.weight, places, costs),
            Cost::Wall(cost) => cover(cost, self.weight, places, costs),
            Cost::Polygon(cost) => cover(cost, self.weight, places, costs),
        }
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
        let places = [[x; LANES], [y; LANES]];
        for term in &self.terms {
            let (at, mut costs) = (self.place(term.place, step), [0.0; LANES]);
            let (dx, dy) = (x - at[0], y - at[1]);
            if dx * dx + dy * dy <= term.reach * term.reach {
                term.rate(at, places, &mut costs);
            }
            note(self.purposes.get(usize::from(term.purpose)).unwrap_or(&NO_PURPOSE), costs[0]);
        }
        if let Some(movement) = &self.movement {
            let costs = movement.at(&places, [&[control.speed; LANES], &[control.turn; LANES]]);
            note(&MOVING, costs[0]);
        }
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
        let purpose = self.purpose;
        self.terms.push(Term { cost, weight, purpose, place, reach });
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
        let (places, still, mut costs) = (([[x; LANES]], [[y; LANES]]), [[0.0; LANES]], [[0.0; LANES]]);
        self.rate(step, (&places.0, &places.1), (&still, &still), &mut Vec::new(), &mut costs);
        costs[0][0]
    }

    /// Rates all walkers at the end of a step. Costs that act on none of them are left out (`near` is scratch).
    pub fn rate(
        &self,
        step: usize,
        (x, y): (&[Lanes], &[Lanes]),
        (speed, turn): (&[Lanes], &[Lanes]),
        near: &mut Vec<u16>,
        costs: &mut [Lanes],
    ) {
        let (west, east, south, north) = (lowest(x), highest(x), lowest(y), highest(y));
        near.clear();
        for (index, term) in self.terms.iter().enumerate() {
            let [cx, cy] = self.place(term.place, step);
            let dx = higher(higher(west - cx, cx - east), 0.0);
            let dy = higher(higher(south - cy, cy - north), 0.0);
            if dx * dx + dy * dy <= term.reach * term.reach {
                near.push(index as u16);
            }
        }
        let blocks = x.iter().zip(y).zip(speed.iter().zip(turn)).zip(costs);
        for (((x, y), (speed, turn)), costs) in blocks {
            let (x, y, mut sum) = (*x, *y, [0.0; LANES]);
            if let Some(movement) = &self.movement {
                sum = movement.at(&[x, y], [speed, turn]);
            }
            for index in near.iter() {
                let term = &self.terms[usize::from(*index)];
                term.rate(self.place(term.place, step), [x, y], &mut sum);
            }
            *costs = sum;
        }
    }
}

/// Adds a cost around a point to those of a block.
#[inline(always)]
fn radiate(cost: &impl FromDistance, at: [f32; 2], weight: f32, [x, y]: [Lanes; 2], costs: &mut Lanes) {
    for i in 0..LANES {
        let (dx, dy) = (x[i] - at[0], y[i] - at[1]);
        costs[i] += weight * cost.at(dx * dx + dy * dy);
    }
}

/// Adds a cost of places to those of a block.
#[inline(always)]
fn cover(cost: &impl Region, weight: f32, [x, y]: [Lanes; 2], costs: &mut Lanes) {
    for i in 0..LANES {
        costs[i] += weight * cost.at(x[i], y[i]);
    }
}
