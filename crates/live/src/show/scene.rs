//! The constant part of a lane: the message `scene`.

use super::camera::Subject;
use crewlab_lab::plan::{TeamPlan, shape};
use crewlab_lab::sim::onboard::{About, Vec2};
use crewlab_lab::sim::teams::{GaugeWords, kind};
use crewlab_lab::sim::world::{Outline, Shape};
use serde_json::{Value, json};
use std::sync::Arc;

/// A point.
pub(super) fn point(p: Vec2) -> Value {
    json!([millimetre(p.x), millimetre(p.y)])
}

/// Metres, rounded to visible precision.
pub(super) fn millimetre(metres: f64) -> f64 {
    (metres * 1e3).round() / 1e3
}

/// An outline.
pub(super) fn outline(outline: &Outline) -> Value {
    match outline {
        Outline::Circle { center, radius } => json!({"circle": [center.x, center.y, radius]}),
        Outline::Polygon(corners) => {
            json!({"polygon": corners.iter().map(|c| point(*c)).collect::<Vec<_>>()})
        }
        Outline::Segment(a, b) => json!({"segment": [point(*a), point(*b)]}),
    }
}

/// The message.
pub(super) fn text(subject: &Subject, kinds: &[Arc<str>]) -> String {
    let (model, state) = (&subject.simulation.model, &subject.simulation.state);
    let bounds = state.world.bounds;
    let robots: Vec<Value> = model
        .team
        .iter()
        .zip(&state.world.bodies)
        .map(|(member, body)| {
            let identity = &member.identity;
            let corners = match &body.shape {
                Shape::Polygon(corners) => corners.iter().map(|c| point(*c)).collect(),
                _ => Vec::new(),
            };
            let sheet = &identity.datasheet;
            let sets = identity.behaviours.iter();
            json!({
                "name": identity.name,
                "type": identity.robot_type,
                "radius": body.radius,
                "outline": corners,
                "sensors": sheet.sensors.iter().map(|sensor| &sensor.name).collect::<Vec<_>>(),
                "effectors": sheet.effectors.iter().map(|effector| &effector.name).collect::<Vec<_>>(),
                "capabilities": sheet.capabilities().map(|(name, _)| name).collect::<Vec<_>>(),
                "behaviours": sets.map(|set| json!({"name": set.name, "task": set.task.0})).collect::<Vec<_>>(),
            })
        })
        .collect();
    let terrain = state.world.terrain.as_ref().map(|terrain| {
        json!({
            "origin": point(terrain.origin),
            "columns": terrain.columns,
            "rows": terrain.rows,
            "cell": terrain.cell,
            "factors": terrain.factors,
            "energy": terrain.energy,
        })
    });
    let coordinator = state.coordinator(model);
    let kind = kind(coordinator);
    let words = kind.map_or(GaugeWords::LEVEL, |kind| kind.gauge);
    let plan =
        TeamPlan::of(model, coordinator).map(|plan| shape(&plan.figure(&subject.scenario.name, model)));
    let threshold = kind.and_then(|kind| (kind.threshold)(&model.parameters));
    json!({
        "type": "scene",
        "lane": subject.lane,
        "epoch": subject.epoch,
        "run": subject.key,
        "name": subject.scenario.name,
        "mission": subject.scenario.mission,
        "seed": model.seed,
        "coordinator": coordinator,
        "radio": subject.scenario.radio(),
        "physical": state.radio.as_physical().is_some(),
        "tick_s": model.dt(),
        "until_s": model.until.seconds(),
        "bounds": {"min": point(bounds.min), "max": point(bounds.max)},
        "robots": robots,
        "measures": model.mission.measures(),
        "layers": model.layers().iter().map(|layer| json!({
            "name": layer.name,
            "title": layer.title,
            "summary": layer.summary,
            "about": match layer.about {
                About::Robot => "robot",
                About::World => "world",
            },
            "shown": layer.shown,
        })).collect::<Vec<_>>(),
        "tasks": model.tasks.iter().map(|task| json!({
            "name": task.name,
            "summary": task.summary,
            "open": task.open,
            "weight": task.weight,
        })).collect::<Vec<_>>(),
        "plan": plan,
        "item_kinds": kinds,
        "item_radius": state.world.items.first().map_or(0.05, |item| item.radius),
        "terrain": terrain,
        "gauge": {"name": words.name, "plural": words.plural, "unit": words.unit, "meaning": words.meaning},
        "threshold": threshold,
    })
    .to_string()
}
