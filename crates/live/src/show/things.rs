//! Objects and areas: the message `things`.

use super::camera::Subject;
use super::scene::outline;
use crewlab_lab::sim::world::{Area, IMPASSABLE, Object, Stock, World};
use crewlab_scenario::map::WALL;
use serde_json::{Map, Value, json};

/// The last state.
#[derive(Default)]
pub(super) struct Seen {
    objects: Vec<Object>,
    areas: Vec<Area>,
}

impl Seen {
    /// True if something has changed.
    pub(super) fn changed(&mut self, world: &World) -> bool {
        // How long a state has lasted is not shown.
        let areas: Vec<Area> = world.areas.iter().map(ageless).collect();
        if self.objects == world.objects() && self.areas == areas {
            return false;
        }
        (self.objects, self.areas) = (world.objects().to_vec(), areas);
        true
    }
}

fn ageless(area: &Area) -> Area {
    let mut area = area.clone();
    area.properties.states.rejuvenate();
    area
}

/// The message.
pub(super) fn text(subject: &Subject) -> String {
    let world = &subject.simulation.state.world;
    let at_start = &subject.scenario.start.1.world;
    let amount = |stock: &Stock| (stock.name.to_string(), json!(stock.amount));
    let object = |object: &Object| -> Value {
        json!({
            "id": object.id.0,
            // Names of thousands of walls would cover the map.
            "name": if object.name == WALL { "" } else { &object.name },
            "outline": outline(&object.outline),
            "solid": object.impassable(),
            "penetrability": object.penetrability,
            "energy": object.energy,
            "passes": object.passes.iter().filter(|(_, factor)| *factor > IMPASSABLE).map(|(name, _)| name).collect::<Vec<_>>(),
            "added": at_start.object(object.id).is_none(),
            "jammer": object.jammer.as_ref().map(|jammer| json!({"on": jammer.on, "power": jammer.power})),
            "stocks": object.properties.stocks.iter().map(amount).collect::<Map<_, _>>(),
        })
    };
    let area = |area: &Area| -> Value {
        json!({
            "name": area.name,
            "kind": area.kind,
            "outline": outline(&area.outline),
            "states": area.properties.states.iter().map(|state| &state.name).collect::<Vec<_>>(),
            "stocks": area.properties.stocks.iter().map(amount).collect::<Map<_, _>>(),
            "lit": area.properties.states.iter().any(|state| state.until.is_some()),
            "person": area.wants.is_some(),
        })
    };
    json!({
        "type": "things",
        "lane": subject.lane,
        "epoch": subject.epoch,
        "objects": world.objects().iter().map(object).collect::<Vec<_>>(),
        "areas": world.present_areas().map(area).collect::<Vec<_>>(),
    })
    .to_string()
}
