//! What a robot of a swarm wants, as costs: those of its objectives, and those of what is in its way.

use super::fleet::Fleet;
use super::objective::Objective;
use super::obstacles::Obstacles;
use super::trace::Trace;
use super::{Anchor, ScenarioCost, SwarmBriefing};
use crewlab_control::Wish;
use crewlab_control::planning::costs::{
    Cost, CostSet, Knot, Link, Movement, Overlap, Place, Quadratic, Reach, Social, Stretch, Wall,
};
use crewlab_control::planning::{CostSet as Costs, Horizon};
use crewlab_onboard::Time;

/// What costs are for, as people read it.
pub mod purpose {
    /// Places that were seen lately.
    pub const EXPLORED: &str = "seen lately";
    /// Distance from the guidance vehicle.
    pub const VEHICLE: &str = "distance from the vehicle";
    /// Places that others see, too.
    pub const OVERLAP: &str = "seen by others";
    /// The network.
    pub const NETWORK: &str = "network";
    /// Team-mates in the way.
    pub const TEAM_MATES: &str = "team-mates";
    /// Obstacles.
    pub const OBSTACLES: &str = "obstacles";
    /// The border of the field.
    pub const BORDER: &str = "border";
}

/// A robot that was silent for this long is not in the way any more: nobody knows where it is. [s]
pub(super) const SILENCE: f64 = 30.0;
/// Cost of being in an obstacle, and distance from it at which that begins. [m]
const SOLID: f32 = 1000.0;
const CLEARANCE: f32 = 0.5;
/// Exponents of the social cost.
const STEEP: f32 = 2.0;
const FLAT: f32 = 1.0;

/// What a robot wants in a tick.
pub(super) struct Desire<'a> {
    pub(super) briefing: &'a SwarmBriefing,
    pub(super) fleet: &'a Fleet,
    pub(super) trace: &'a Trace,
    pub(super) obstacles: &'a Obstacles,
    /// The weights of the objectives.
    pub(super) weights: [f64; 3],
    /// Where the robot is. [m]
    pub(super) at: [f32; 2],
    /// The robot's highest speed. [m/s]
    pub(super) speed: f64,
    /// The radius of its body. [m]
    pub(super) radius: f64,
    pub(super) now: Time,
}

impl Desire<'_> {
    fn weight(&self, objective: Objective) -> f32 {
        self.weights[objective as usize] as f32
    }

    /// How far the robot may get within a plan. [m]
    fn horizon(&self, horizon: &Horizon) -> f32 {
        horizon.length() * self.speed as f32
    }

    fn explore(&self, far: f32, costs: &mut Costs) {
        let weight = self.weight(Objective::Explore);
        let strengths = &*self.briefing.strengths;
        if weight <= 0.0 {
            return;
        }
        costs.purpose(purpose::EXPLORED);
        let lasts = strengths.mark_every * strengths.marks as f64;
        let reach = far + strengths.sensor;
        let traces = std::iter::once(self.trace).chain(self.fleet.mates().iter().map(|mate| &mate.trace));
        for (place, share) in traces.flat_map(|trace| trace.fresh(self.now, lasts)) {
            let [dx, dy] = [0, 1].map(|d| place[d] - self.at[d]);
            if dx * dx + dy * dy < reach * reach {
                let cost = Quadratic::new(strengths.explored * share, strengths.sensor);
                costs.add(Cost::Quadratic(cost, Place::Fixed(place)), weight);
            }
        }
    }

    fn link(&self, reach: Reach) -> Link {
        let strengths = &*self.briefing.strengths;
        let stretch = strengths.logarithm.map_or(Stretch::Linear, Stretch::Logarithmic);
        Link { importance: strengths.importance, factor: strengths.stretch, stretch, reach }
    }

    /// The costs of the other robots.
    fn others(&self, far: f32, horizon: &Horizon, costs: &mut Costs) {
        let strengths = &*self.briefing.strengths;
        let [collision, clearance] = strengths.team_mate;
        let (escort, connect) = (self.weight(Objective::Escort), self.weight(Objective::Connect));
        let mut track: Vec<Knot> = Vec::new();
        for mate in self.fleet.mates() {
            mate.track(self.now, &mut track);
            let Some(here) = track.first().map(|knot| knot.place) else { continue };
            let [dx, dy] = [0, 1].map(|d| here[d] - self.at[d]);
            let near = |reach: f32| dx * dx + dy * dy < (2.0 * far + reach) * (2.0 * far + reach);
            let present = self.now.within(mate.heard, SILENCE);
            let watched = escort > 0.0 && !mate.guides && present && near(2.0 * strengths.sensor);
            let escorted = escort > 0.0 && mate.guides;
            let linked = mate.reach.filter(|_| connect > 0.0 && !mate.guides);
            let in_the_way = present && near(clearance);
            let anchor = if mate.guides { Anchor::Vehicles } else { Anchor::TeamMates };
            let mut anchored = self.added(anchor).peekable();
            if !(watched || escorted || linked.is_some() || in_the_way || anchored.peek().is_some()) {
                continue;
            }
            let place = Place::Moving(costs.track(&track, horizon));
            if in_the_way {
                costs.purpose(purpose::TEAM_MATES);
                costs.add(Cost::Quadratic(Quadratic::new(collision, clearance), place), 1.0);
            }
            if escorted {
                costs.purpose(purpose::VEHICLE);
                let [least, most] = strengths.escort;
                let cost = Social::new(least, most, strengths.distance, STEEP, FLAT);
                costs.add(Cost::Social(cost, place), escort);
            }
            if watched {
                costs.purpose(purpose::OVERLAP);
                let cost = Overlap { height: strengths.overlap, radius: strengths.sensor };
                costs.add(Cost::Overlap(cost, place), escort);
            }
            if let Some((reach, _)) = linked {
                costs.purpose(purpose::NETWORK);
                costs.add(Cost::Link(self.link(reach), place), connect);
            }
            for added in anchored {
                costs.purpose(added.name.clone());
                costs.add(added.cost.clone().around(place), added.weight);
            }
        }
    }

    /// The costs that the scenario adds and that are measured from this.
    fn added(&self, anchor: Anchor) -> impl Iterator<Item = &ScenarioCost> {
        self.briefing.costs.iter().filter(move |added| added.anchor == anchor)
    }

    /// The costs of what stands in the way.
    fn hindrances(&self, far: f32, costs: &mut Costs) {
        let [height, reach] = self.briefing.strengths.obstacle;
        costs.purpose(purpose::OBSTACLES);
        for place in self.obstacles.near(self.at, far + reach) {
            costs.add(Cost::Quadratic(Quadratic::new(height, reach), Place::Fixed(place)), 1.0);
        }
        // However far an obstacle acts, nobody drives through it: a plan must not be cheaper on its other side.
        let solid = CLEARANCE + 2.0 * self.radius as f32;
        for [from, to] in self.obstacles.lines(self.at, far + reach) {
            costs.add(Cost::Wall(Wall::new(from, to, SOLID, solid)), 1.0);
        }
        costs.purpose(purpose::BORDER);
        let (walls, reach) = self.border();
        for [from, to] in walls {
            costs.add(Cost::Wall(Wall::new(from, to, height, reach)), 1.0);
        }
    }

    /// The walls of the border, and how far they act. [m]
    pub(super) fn border(&self) -> (impl Iterator<Item = [[f32; 2]; 2]> + use<>, f32) {
        let [[west, south], [east, north]] = self.briefing.field;
        let corners = [[west, south], [east, south], [east, north], [west, north]];
        let reach = self.briefing.strengths.obstacle[1];
        let reach = reach.min(0.25 * (east - west)).min(0.25 * (north - south));
        ((0..4).map(move |n| [corners[n], corners[(n + 1) % 4]]), reach)
    }
}

impl Wish for Desire<'_> {
    fn costs(&self, horizon: &Horizon, costs: &mut CostSet) {
        let far = self.horizon(horizon);
        self.explore(far, costs);
        self.others(far, horizon, costs);
        self.hindrances(far, costs);
        for added in self.added(Anchor::Place) {
            costs.purpose(added.name.clone());
            costs.add(added.cost.clone(), added.weight);
        }
        let [driving, turning] = self.briefing.strengths.movement;
        costs.movement =
            self.briefing.ground.as_ref().map(|ground| Movement { ground: ground.clone(), driving, turning });
    }
}
