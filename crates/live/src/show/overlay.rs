//! Layers over the map: the message `overlay`.

use super::camera::Subject;
use super::detail::{plan, rays};
use super::scene::point;
use super::sketch;
use crate::wire::Layer;
use crewlab_lab::sim::address::node;
use crewlab_lab::sim::onboard::RobotId;
use crewlab_lab::sim::radio::Physical;
use crewlab_lab::sim::world::Bounds;
use serde_json::{Value, json};

/// Largest number of links shown.
const MOST_LINKS: usize = 4_000;
/// Links are computed among this many robots: the first ones.
const MOST_LINKED: usize = 300;
/// Largest number of robots whose plans or beams are shown: the first ones.
const MOST_ROBOTS: usize = 200;
/// Cells of the noise map along the longer side of the world.
const CELLS: usize = 64;

/// True if one of these layers is made here.
pub(super) fn wanted(layers: &[Layer]) -> bool {
    layers.iter().any(|layer| *layer != Layer::Field)
}

/// The message.
pub(super) fn text(subject: &Subject, layers: &[Layer]) -> String {
    let wants = |layer: Layer| layers.contains(&layer);
    let state = &subject.simulation.state;
    let (links, left_out) = if wants(Layer::Links) { links(subject) } else { (None, 0) };
    let shown = || subject.simulation.model.robots().take(MOST_ROBOTS);
    let plans = || {
        let all = shown().map(|robot| (robot, plan(subject, robot)));
        let some = all.filter(|(_, points)| !points.is_empty());
        some.map(|(robot, points)| json!({"robot": robot, "points": points})).collect::<Vec<_>>()
    };
    let beams =
        || shown().map(|robot| json!({"robot": robot, "rays": rays(subject, robot)})).collect::<Vec<_>>();
    let noise = state.radio.as_physical().filter(|_| wants(Layer::Noise));
    json!({
        "type": "overlay",
        "lane": subject.lane,
        "epoch": subject.epoch,
        "links": links,
        "left_out": left_out,
        "plans": wants(Layer::Plans).then(plans),
        "rays": wants(Layer::Rays).then(beams),
        "stacks": wants(Layer::Stacks).then(|| shown().map(|robot| stack(subject, robot)).collect::<Vec<_>>()),
        "sketches": sketch::team(subject, layers, MOST_ROBOTS),
        "noise": noise.and_then(|radio| noise_map(radio, state.world.bounds)),
    })
    .to_string()
}

/// Where a robot stands in the team's plan, and what it waits for.
fn stack(subject: &Subject, robot: RobotId) -> Value {
    let state = &subject.simulation.state;
    let running = !state.world.bodies[robot].down();
    let standing =
        state.robots[robot].software.coordinator.standing().filter(|_| running).unwrap_or_default();
    json!({"robot": robot, "stack": standing.stack, "wait": standing.wait})
}

/// The links between robots and their quality, in the better of the two directions. And the number of links left out.
fn links(subject: &Subject) -> (Option<Vec<Value>>, usize) {
    let state = &subject.simulation.state;
    let looked = || subject.simulation.model.robots().take(MOST_LINKED);
    let mut links = Vec::new();
    let mut left_out = 0;
    for from in looked() {
        for to in looked().skip(from.index() + 1) {
            let quality = |from, to| state.radio.quality(node(from), node(to));
            let both = quality(from, to).into_iter().chain(quality(to, from));
            let Some(quality) = both.reduce(f64::max) else { continue };
            if quality < 0.005 {
                continue;
            }
            if links.len() < MOST_LINKS {
                links.push(json!([from, to, (quality * 100.0).round() / 100.0]));
            } else {
                left_out += 1;
            }
        }
    }
    (Some(links), left_out)
}

/// The noise with all jammers on; unknown before the first tick.
fn noise_map(radio: &Physical, bounds: Bounds) -> Option<Value> {
    let size = bounds.size();
    let cell = (size.x.max(size.y) / CELLS as f64).max(1e-3);
    let (columns, rows) = ((size.x / cell).ceil() as usize, (size.y / cell).ceil() as usize);
    let level = |index: usize| {
        let (column, row) = ((index % columns) as f64 + 0.5, (index / columns) as f64 + 0.5);
        let at = [bounds.min.x + column * cell, bounds.min.y + row * cell];
        radio.loudest_noise_at(at).map(|dbm| (dbm * 10.0).round() / 10.0)
    };
    let dbm = (0..columns * rows).map(level).collect::<Option<Vec<f64>>>()?;
    Some(json!({"origin": point(bounds.min), "columns": columns, "rows": rows, "cell": cell, "dbm": dbm}))
}
