//! Objects and areas: the message `things`.

use super::camera::Subject;
use super::scene::outline;
use crewlab_lab::sim::world::{Area, AreaState, Object, World};
use serde_json::{Value, json};

/// The last state.
#[derive(Default)]
pub(super) struct Seen {
    objects: Vec<Object>,
    areas: Vec<Area>,
}

impl Seen {
    /// True if something has changed.
    pub(super) fn changed(&mut self, world: &World) -> bool {
        if self.objects == world.objects() && self.areas == world.areas {
            return false;
        }
        (self.objects, self.areas) = (world.objects().to_vec(), world.areas.clone());
        true
    }
}

/// The message.
pub(super) fn text(subject: &Subject) -> String {
    let world = &subject.simulation.state.world;
    let at_start = &subject.scenario.start.1.world;
    let object = |object: &Object| -> Value {
        json!({
            "id": object.id.0,
            "name": object.name,
            "outline": outline(&object.outline),
            "solid": object.impassable(),
            "penetrability": object.penetrability,
            "added": at_start.object(object.id).is_none(),
            "jammer": object.jammer.as_ref().map(|jammer| json!({"on": jammer.on, "power": jammer.power})),
            "garbage": object.garbage,
            "dust": object.dust,
        })
    };
    let area = |area: &Area| -> Value {
        json!({
            "name": area.name,
            "kind": area.kind,
            "outline": outline(&area.outline),
            "lit": matches!(area.state, AreaState::Lit { .. }),
            "person": area.person.is_some(),
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
