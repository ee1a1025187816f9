//! Random disturbances of all kinds for any scenario.

use crewlab_lab::sim::disturbances::{DisturbanceSpec, Inventory, KINDS};
use crewlab_lab::sim::onboard::{Datasheet, Stream, StreamKind};
use crewlab_lab::sim::teams;
use crewlab_lab::sim::{Model, State};
use crewlab_scenario::Scenario;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// When the last one may start. [s]
const LAST: f64 = 40.0;

/// A source of random disturbances.
pub struct Trouble {
    random: Stream,
    /// Each with its hardware.
    robots: Vec<(String, Arc<Datasheet>)>,
    tasks: Vec<String>,
    items: usize,
    low: [f64; 2],
    size: [f64; 2],
}

impl Trouble {
    /// Disturbances for a scenario, different for every seed.
    pub fn new(scenario: &Scenario, seed: u64) -> Trouble {
        let (model, state) = &scenario.start;
        let (bounds, size) = (&state.world.bounds, state.world.bounds.size());
        let identities = model.team.iter().map(|member| &member.identity);
        Trouble {
            random: Stream::new(seed, StreamKind::World, 77, 0),
            robots: identities.map(|me| (me.name.clone(), me.datasheet.clone())).collect(),
            tasks: model.tasks.iter().map(|task| task.name.clone()).collect(),
            items: state.world.items.len(),
            low: [bounds.min.x, bounds.min.y],
            size: [size.x, size.y],
        }
    }

    /// One of these; `None` if there are none.
    fn pick<T: Clone>(&mut self, list: &[T]) -> Option<T> {
        (!list.is_empty()).then(|| list[self.random.below(list.len())].clone())
    }

    fn place(&mut self) -> Value {
        let mut along = |axis: usize| self.low[axis] + self.size[axis] * self.random.between(0.1, 0.9);
        json!([along(0), along(1)])
    }

    /// A disturbance of this kind, if one is possible in this scenario.
    fn what(&mut self, kind: &str) -> Option<Value> {
        let (robots, tasks) = (self.robots.clone(), self.tasks.clone());
        let (robot, sheet) = self.pick(&robots)?;
        let (place, share) = (self.place(), self.random.unit());
        Some(match kind {
            "stop" | "emergency-stop" | "crash" | "trap" | "robot-removed" | "release" => json!(robot),
            "sensor" => {
                let fault = ["dead", "stuck", "drops-out"][self.random.below(3)];
                json!({"robot": robot, "sensor": self.pick(&sheet.sensors)?.name, "fault": fault, "severity": share})
            }
            "drive" => json!({"robot": robot, "fault": "slower", "severity": share}),
            "effector" => json!({"robot": robot, "effector": self.pick(&sheet.effectors)?.name}),
            "radio" => json!({"robot": robot, "fault": "lossy", "severity": share}),
            "clock" => json!({"robot": robot, "offset": 20.0 * share - 10.0, "drift": share}),
            "robot-moved" => json!({"robot": robot, "place": place, "heading": 6.0 * share}),
            "take-over" => json!({"robot": robot, "speed": 2.0 * share - 1.0, "turn": 0.3}),
            "repair" => json!({"robot": robot}),
            "robot-added" => json!({"robot": robot}),
            "coordinator" => json!(teams::KINDS[self.random.below(teams::KINDS.len())].name),
            "answer" => json!({"robot": robot, "question": 1, "choice": "give up"}),
            "items-moved" if self.items > 0 => {
                json!({"number": self.random.below(self.items), "place": place, "radius": 0.2})
            }
            "items-removed" if self.items > 0 => json!({"number": self.random.below(self.items)}),
            "object-added" => {
                json!({"name": format!("box {share}"), "circle": 0.1 + 0.1 * share, "at": place})
            }
            "person" => json!({"speed": 0.2 + share}),
            "terrain" => json!({"factor": 0.2 + share}),
            "link-cut" => json!({"between": [robot, "all"]}),
            "partition" => json!({"group": [robot]}),
            "noise" => json!({"rise": 30.0 * share}),
            "bandwidth" => json!({"share": 0.1 + 0.9 * share}),
            "task-cancelled" | "task-added" => json!(self.pick(&tasks)?),
            "task-priority" => json!({"task": self.pick(&tasks)?, "weight": 0.1 + 3.0 * share}),
            _ => return None,
        })
    }

    fn when(&mut self) -> Map<String, Value> {
        let start = self.random.between(0.0, LAST);
        let mut when = match self.random.below(6) {
            0 => json!({"rate": 0.05, "from": start}),
            1 => json!({"every": 7.3, "from": start, "times": 3}),
            2 => json!({"between": [start, start + 10.0]}),
            _ => json!({"at": start}),
        };
        if self.random.chance(0.7) {
            when["for"] = json!(self.random.between(0.0, 15.0));
        }
        when.as_object().cloned().unwrap_or_default()
    }

    /// One more disturbance that is possible in the run.
    pub fn next(&mut self, model: &Model, state: &State) -> DisturbanceSpec {
        for _ in 0..1000 {
            let kind = KINDS[self.random.below(KINDS.len())].name;
            let Some(what) = self.what(kind) else { continue };
            let mut disturbance = self.when();
            disturbance.insert(kind.into(), what);
            let text = Value::Object(disturbance);
            let spec: DisturbanceSpec =
                serde_json::from_value(text.clone()).unwrap_or_else(|error| panic!("{text}: {error}"));
            // Not every robot has a drive, and the ideal radio has no noise.
            if spec.build(&Inventory::of(model, state)).is_ok() {
                return spec;
            }
        }
        panic!("nothing fits");
    }
}
