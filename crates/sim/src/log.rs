//! Events with their time and place.

use crewlab_onboard::{Event, EventKind, RobotId, Time};
use crewlab_world::{Bearer, BodyId, Obstacle, World, WorldEvent};
use serde::Serialize;

/// Something that happened in a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Logged {
    /// Its time.
    pub time: Time,
    /// The robot; `None` for the world and the mission.
    pub robot: Option<RobotId>,
    /// What.
    pub event: Event,
}

fn robot(body: BodyId) -> RobotId {
    RobotId(body.0 as u16)
}

/// A world event as a log entry.
pub(crate) fn of_world(time: Time, world: &World, event: &WorldEvent) -> Logged {
    let name = |area: &u32| &world.areas[*area as usize].name;
    let (body, event) = match event {
        WorldEvent::Arrived { area } => {
            let event = Event::new(EventKind::Arrived, format!("{} comes in", name(area)));
            return Logged { time, robot: None, event };
        }
        WorldEvent::Contact { body, with } => (body, contact(world, *with)),
        WorldEvent::Struck { body, by } => {
            let name = world.object(*by).map(|o| o.name.as_str()).filter(|name| !name.is_empty());
            let text = format!("was hit by {}", name.unwrap_or("an object"));
            (body, Event::new(EventKind::Contact, text).with("object", f64::from(by.0)))
        }
        WorldEvent::HandedOver { from, to, item } => {
            let event = Event::new(EventKind::HandedOver, "gave an item to a robot").by(robot(*to));
            (from, event.with("item", f64::from(*item)))
        }
        WorldEvent::Given { body, area, item } => {
            let event = Event::new(EventKind::Given, format!("gave an item to {}", name(area)));
            (body, event.with("item", f64::from(*item)))
        }
        WorldEvent::StateSet { body, area, state } => {
            (body, Event::new(EventKind::State, format!("{} is {state}", name(area))))
        }
        WorldEvent::Picked { body, item } => {
            (body, Event::new(EventKind::Picked, "took an item").with("item", f64::from(*item)))
        }
        WorldEvent::Dropped { body, item } => {
            let at = world.items[*item as usize].position;
            let area = world.present_areas().find(|area| area.outline.contains(at));
            let place = area.map_or("put an item down outside all areas".to_string(), |area| {
                format!("put an item down in the {}", area.name)
            });
            (body, Event::new(EventKind::Dropped, place).with("item", f64::from(*item)))
        }
        WorldEvent::Taken { body, stock, from, finished } => {
            let name = match from {
                Bearer::Object(object) => world.object(*object).map_or("an object", |object| &object.name),
                Bearer::Area(area) => name(area),
            };
            let text = if *finished {
                format!("{name} has no {stock} left")
            } else {
                format!("begins to take {stock} from {name}")
            };
            (body, Event::new(EventKind::Taken, text))
        }
        WorldEvent::Exhausted { body } => {
            (body, Event::new(EventKind::Exhausted, "out of energy: the robot stops"))
        }
    };
    Logged { time, robot: Some(robot(*body)), event }
}

fn contact(world: &World, with: Obstacle) -> Event {
    match with {
        Obstacle::Border => Event::new(EventKind::Contact, "ran into the border"),
        Obstacle::Body(other) => Event::new(EventKind::Contact, "ran into a robot").by(robot(other)),
        Obstacle::Object(id) => {
            let name = world.object(id).map(|o| o.name.as_str()).filter(|name| !name.is_empty());
            Event::new(EventKind::Contact, format!("ran into {}", name.unwrap_or("an object")))
                .with("object", f64::from(id.0))
        }
    }
}
