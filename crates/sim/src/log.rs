//! Events with their time and place.

use crewlab_onboard::event::key;
use crewlab_onboard::{Event, EventKind, Reason, RobotId, Time};
use crewlab_world::{Bearer, Obstacle, World, WorldEvent};

/// Something that happened in a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Logged {
    /// Its time.
    pub time: Time,
    /// The robot; `None` for the world and the mission.
    pub robot: Option<RobotId>,
    /// What.
    pub event: Event,
}

/// A world event as a log entry.
pub(crate) fn of_world(time: Time, world: &World, event: &WorldEvent) -> Logged {
    let area = |kind: EventKind, area: &u32| Event::new(kind).thing(&*world.areas[*area as usize].name);
    let (body, event) = match event {
        WorldEvent::Arrived { area: person } => {
            return Logged { time, robot: None, event: area(EventKind::Arrived, person) };
        }
        WorldEvent::Contact { body, with } => (body, contact(world, *with)),
        WorldEvent::Struck { body, by } => {
            (body, contact(world, Obstacle::Object(*by)).reason(Reason::Struck))
        }
        WorldEvent::HandedOver { from, to, item } => {
            (from, Event::new(EventKind::HandedOver).by(*to).with(key::ITEM, f64::from(*item)))
        }
        WorldEvent::Given { body, area: person, item } => {
            (body, area(EventKind::Given, person).with(key::ITEM, f64::from(*item)))
        }
        WorldEvent::StateSet { body, area: place, state } => {
            (body, area(EventKind::State, place).reason(Reason::Became(state.to_string())))
        }
        WorldEvent::Picked { body, item } => {
            (body, Event::new(EventKind::Picked).with(key::ITEM, f64::from(*item)))
        }
        WorldEvent::Dropped { body, item } => {
            let at = world.items[*item as usize].position;
            let area = world.present_areas().find(|area| area.outline.contains(at));
            let event =
                Event { thing: area.map(|area| area.name.to_string()), ..Event::new(EventKind::Dropped) };
            (body, event.at(at).with(key::ITEM, f64::from(*item)))
        }
        WorldEvent::Taken { body, stock, from, finished } => {
            let thing = match from {
                Bearer::Object(object) => world.object(*object).map(|object| object.name.clone()),
                Bearer::Area(area) => Some(world.areas[*area as usize].name.to_string()),
            };
            let reason = Reason::Took { stock: stock.to_string(), all: *finished };
            (body, Event { thing, ..Event::new(EventKind::Taken).reason(reason) })
        }
        WorldEvent::AskedWay { body, person, direction } => {
            let event = Event::new(EventKind::AskedWay).at(world.bodies[*body].pose.position);
            let name = world.object(*person).map(|person| person.name.clone());
            let event = Event { thing: name.filter(|name| !name.is_empty()), ..event };
            let degrees = direction.map(f64::to_degrees);
            (body, degrees.map_or(event.clone(), |degrees| event.with(key::DIRECTION, degrees)))
        }
        WorldEvent::Exhausted { body } => (body, Event::new(EventKind::Exhausted)),
    };
    Logged { time, robot: Some(*body), event }
}

fn contact(world: &World, with: Obstacle) -> Event {
    let event = Event::new(EventKind::Contact);
    match with {
        Obstacle::Border => event,
        Obstacle::Body(other) => event.by(other),
        Obstacle::Object(id) => {
            let name = world.object(id).map(|object| object.name.clone()).filter(|name| !name.is_empty());
            Event { thing: name, ..event }.with(key::OBJECT, f64::from(id.0))
        }
    }
}
