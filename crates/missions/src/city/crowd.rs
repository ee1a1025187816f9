//! Passers-by: some walk along the pavements and over crossings, others stroll in streets without cars.

use super::network::{LegKind, Network};
use super::plan::{CityPlan, Rect};
use crewlab_onboard::Stream;
use crewlab_onboard::geometry::{Vec2, vec2};
use crewlab_world::{Object, PathSpec, PersonSpec, WanderSpec, description};

/// Slowest and fastest walk. [m/s]
const PACE: (f64, f64) = (0.6, 0.9);
/// Least distance of a walk from the edge of a pavement. [m]
const EDGE: f64 = 0.6;

fn pair(point: Vec2) -> [f64; 2] {
    [point.x, point.y]
}

fn person(number: usize, at: Vec2) -> PersonSpec {
    PersonSpec {
        name: format!("passer-by {}", number + 1),
        at: pair(at),
        radius: description::quarter_metre(),
        height: description::person_height(),
        path: None,
        wander: None,
    }
}

/// A line from one end of the city to the other, along which people walk.
struct Line {
    from: Vec2,
    to: Vec2,
    half_width: f64,
}

/// The lines of all pavements and streets without cars, from the legs at their western or southern ends.
fn lines(plan: &CityPlan, network: &Network) -> Vec<Line> {
    let begins = network.legs.iter().filter(|leg| leg.kind != LegKind::Crossing && leg.ends[0].is_none());
    let line = |leg: &super::network::Leg| {
        let (middle, size) = (leg.rect.middle(), leg.rect.size());
        let (low, high) = (plan.bounds.min, plan.bounds.max);
        let margin = 1.0;
        if leg.axis == 0 {
            let (from, to) = (vec2(low.x + margin, middle.y), vec2(high.x - margin, middle.y));
            Line { from, to, half_width: size.y / 2.0 }
        } else {
            let (from, to) = (vec2(middle.x, low.y + margin), vec2(middle.x, high.y - margin));
            Line { from, to, half_width: size.x / 2.0 }
        }
    };
    begins.map(line).collect()
}

/// `walkers` people on the pavements of a city, and `strollers` in each piece of its streets without cars.
pub fn people(
    plan: &CityPlan,
    network: &Network,
    walkers: usize,
    strollers: usize,
    random: &mut Stream,
) -> Result<Vec<Object>, String> {
    let lines = lines(plan, network);
    let mut specs = Vec::new();
    for number in 0..walkers {
        // Lines in turn, so that no pavement is empty by chance.
        let Some(line) = lines.get(number % lines.len().max(1)) else { break };
        let aside = (line.to - line.from).left() * (1.0 / line.from.distance(line.to).max(1e-9));
        let shift = aside * (random.between(-1.0, 1.0) * (line.half_width - EDGE).max(0.0));
        let at = line.from + (line.to - line.from) * random.unit() + shift;
        let ends = [line.from + shift, line.to + shift];
        let back = random.chance(0.5);
        let points = if back { [ends[0], ends[1]] } else { [ends[1], ends[0]] }.map(pair).to_vec();
        let path = PathSpec { points, speed: random.between(PACE.0, PACE.1), repeat: true, yields: true };
        specs.push(PersonSpec { path: Some(path), ..person(number, at) });
    }
    for leg in network.legs.iter().filter(|leg| leg.kind == LegKind::Zone) {
        for _ in 0..strollers {
            let Rect { low, high } = leg.rect;
            let within = Rect { low: low + vec2(EDGE, EDGE), high: high - vec2(EDGE, EDGE) };
            let size = within.size();
            let at = within.low + vec2(size.x * random.unit(), size.y * random.unit());
            let wander = WanderSpec {
                speed: random.between(PACE.0, PACE.1),
                within: Some([pair(within.low), pair(within.high)]),
                yields: true,
            };
            specs.push(PersonSpec { wander: Some(wander), ..person(specs.len(), at) });
        }
    }
    specs.iter().map(PersonSpec::build).collect()
}
