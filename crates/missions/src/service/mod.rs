//! The service scenario of MUROCO 3.6: robots take orders from persons and serve them cups with their drinks.
//!
//! Persons come in and sit down. Only a dialog tells what a person wants. Cups stand near the edge of a counter, so
//! that robots can take them from the front only; a gripper with two fingers needs the handle, one with three does
//! not. A cup is served well if the robot that brings it says a kind word; a robot that cannot grasp it may have it
//! fetched by one that can, and handed over.

use crate::{
    Air, Better, Hindrance, Leftover, MeasureSpec, Mission, OWN_ROOM, Remains, RoomKind, RunningRobot,
    Scaling, Shipped, Verdict,
};
use crewlab_onboard::geometry::{Pose, wrap};
use crewlab_onboard::{BehaviourSpec, RobotId, Stream, TaskSpec, Time};
use crewlab_skills::service::{
    self, BRING_FROM_PARTNER, DRINKS, FETCH_TO_PARTNER, FRONT, ORDER, PERSON, Room, SERVE, ServiceBriefing,
};
use crewlab_world::{Area, Aspect, Item, Object, Outline, Shape, World};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::f64::consts::{FRAC_PI_2, PI};

/// The scenarios of this mission.
pub const SHIPPED: &[Shipped] = &[
    Shipped {
        name: "service",
        summary: "one person, and a cup whose handle no robot can reach: only poppy can grasp it (MUROCO 3.6.2)",
        text: include_str!("scenarios/service.yaml"),
    },
    Shipped {
        name: "service-disturbed",
        summary: "the cup is shifted, then turned, then eddie's emergency stop is pressed (MUROCO 3.6.3)",
        text: include_str!("scenarios/service-disturbed.yaml"),
    },
    Shipped {
        name: "service-rush",
        summary: "six persons come one after the other; cups are turned and robots stopped at random",
        text: include_str!("scenarios/service-rush.yaml"),
    },
];

/// The aspect of a cup by which a gripper with two fingers grips it: where its handle points.
const HANDLE: &str = "handle";
/// The aspect of a person that a dialog reveals: the number of the drink.
const WISH: &str = "wish";
/// The states of a person: somebody took the order, the person has the cup, somebody said a kind word with it.
const ORDERED: &str = "ordered";
const SERVED: &str = "served";
const ATTENDED: &str = "attended";
/// How far a person reaches. [m]
const REACH: f64 = 1.0;
/// Radius of a seat. [m]
const SEAT: f64 = 0.25;
/// Radius of a cup. [m]
const CUP: f64 = 0.04;
/// A cup on the counter is out of reach of a gripper that needs the handle if that is turned away from the front by more. [rad]
const ASIDE: f64 = 2.2;
/// A person who has the cup waits this long for a kind word. [s]
const WORD: f64 = 5.0;

/// Parameters of the service.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Service {
    /// Number of persons. There is a cup for everybody: the mission adds those that `world.items` leaves out.
    #[schemars(range(min = 1, max = 50))]
    pub persons: u32,
    /// When the first person comes.
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub first_arrival: f64,
    /// Mean time from one person to the next (a Poisson process).
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "s"))]
    pub arrival_interval: f64,
    /// Initial direction of all handles; 90 deg is towards the wall. Default: random.
    #[schemars(extend("x-unit" = "rad"))]
    pub handle: Option<f64>,
    /// Utility of taking a cup to a person; an order, and a cup that is brought with a kind word, have twice that utility.
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub utility: f64,
    /// How long a robot takes to grasp a cup.
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub grasp_time: f64,
    /// How long a robot takes to hand a cup over.
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub handover_time: f64,
    /// Robots' estimate of the duration of a dialog.
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub dialog_time: f64,
}

impl Default for Service {
    fn default() -> Self {
        Service {
            persons: 1,
            first_arrival: 2.0,
            arrival_interval: 60.0,
            handle: None,
            utility: 120.0,
            grasp_time: 3.0,
            handover_time: 2.0,
            dialog_time: 5.0,
        }
    }
}

/// How well one person was served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// True if somebody took the order.
    pub ordered: bool,
    /// True if the person has what they ordered.
    pub served: bool,
    /// True if somebody said a kind word with it.
    pub attended: bool,
}

/// How well each present person was served, in the order of the areas.
pub fn receipts(world: &World) -> Vec<Receipt> {
    let receipt = |person: &Area| {
        let has = |state: &str| person.properties.states.has(state);
        Receipt { ordered: has(ORDERED), served: has(SERVED), attended: has(ATTENDED) }
    };
    persons(world).filter(|person| person.present).map(receipt).collect()
}

/// The areas of all persons, also of those who are not there yet.
fn persons(world: &World) -> impl Iterator<Item = &Area> {
    world.areas.iter().filter(|area| area.wants.is_some())
}

/// The room of a world.
fn room_of(world: &World) -> Room {
    Room { low: world.bounds.min, high: world.bounds.max }
}

impl Service {
    /// The drink of every cup on the counter, and the drink that every person wants: one of the remaining cups.
    fn assort(&self, supplies: &BTreeMap<String, u32>, random: &mut Stream) -> (Vec<usize>, Vec<usize>) {
        let supply = |drink: usize| supplies.get(DRINKS[drink]).copied().unwrap_or(0) as usize;
        let mut cups: Vec<usize> = (0..DRINKS.len()).flat_map(|drink| vec![drink; supply(drink)]).collect();
        while cups.len() < self.persons as usize {
            cups.push(random.below(DRINKS.len()));
        }
        // Cups stand in any order.
        for place in (1..cups.len()).rev() {
            cups.swap(place, random.below(place + 1));
        }
        let mut left = cups.clone();
        let wishes = (0..self.persons).map(|_| left.swap_remove(random.below(left.len()))).collect();
        (cups, wishes)
    }

    fn add_persons(&self, wishes: &[usize], world: &mut World, random: &mut Stream) {
        let room = room_of(world);
        let (seats, middle) = (room.seats(), (room.low + room.high) * 0.5);
        let mut arrival = self.first_arrival;
        for (index, &wish) in wishes.iter().enumerate() {
            let spot = |world: &World, random: &mut Stream| {
                let size = room.high - room.low;
                world.spot_in(middle, 0.35 * size.x.min(size.y), random)
            };
            let center = seats.get(index).copied().unwrap_or_else(|| spot(world, random));
            let seat = Object::obstacle(
                "seat",
                Shape::Circle { radius: SEAT },
                Pose { position: center, heading: 0.0 },
            );
            let fits = world.overlap(&seat.outline, None).is_none();
            if fits {
                world.add_object(seat);
            }
            let outline = Outline::Circle { center, radius: REACH };
            let mut area = Area::new(&format!("{PERSON} {}", index + 1), PERSON, outline);
            area.wants = Some(DRINKS[wish].into());
            area.properties.aspects.push(Aspect::fixed(WISH, wish as f64));
            (area.present, area.arrives) = (false, Some(Time::from_seconds(arrival)));
            world.areas.push(area);
            arrival += random.exponential(1.0 / self.arrival_interval.max(1e-3));
        }
    }
}

impl Mission for Service {
    const SUMMARY: &'static str =
        "take orders from persons and serve their drinks, alone or by handing over cups";
    const DEFAULTS: &'static str = include_str!("defaults.yaml");
    const ITEMS: &'static [&'static str] = &DRINKS;
    const MEASURES: &'static [MeasureSpec] = &[
        MeasureSpec {
            name: "orders_served",
            title: "orders served",
            unit: "",
            summary: "persons who have what they want",
            better: Better::More,
        },
        MeasureSpec {
            name: "persons_waiting",
            title: "persons waiting",
            unit: "",
            summary: "persons who are there and do not have it yet",
            better: Better::Less,
        },
        MeasureSpec {
            name: "mean_waiting_s",
            title: "mean waiting time",
            unit: "s",
            summary: "mean waiting time of a person, from coming in until being served or until now",
            better: Better::Less,
        },
    ];
    const SCALING: Option<Scaling> = Some(Scaling {
        first: "type: speaker",
        others: &["type: three-fingered", "type: two-fingered"],
        // A robot that speaks cannot grasp every cup, and the room has places for ten.
        robots: (2, 10),
        rooms: &[
            OWN_ROOM,
            RoomKind {
                name: "rush",
                sets: &["world.size=[10 m, 8 m]", "parameters.persons=6", "run.until=30 min"],
            },
        ],
    });
    type Briefing = ServiceBriefing;

    fn tasks(&self) -> Vec<TaskSpec> {
        let order = "ask a person what they want";
        let serve = "see to it that a person gets what they ordered";
        let fetch = "take a cup to the partner, who brings it to the person";
        let bring = "take a cup from the partner and bring it to the person with a kind word";
        vec![
            TaskSpec::new("order", order).worth(2.0 * self.utility),
            TaskSpec::new("serve", serve)
                .worth(self.utility)
                .together("fetch + bring", &[FETCH_TO_PARTNER, BRING_FROM_PARTNER]),
            TaskSpec::new("fetch-to-partner", fetch).worth(self.utility).as_part(),
            TaskSpec::new("bring-from-partner", bring).worth(2.0 * self.utility).as_part(),
        ]
    }

    fn sets(&self) -> Vec<BehaviourSpec> {
        service::sets(self.utility)
    }

    fn furnish(
        &self,
        world: &mut World,
        _team: usize,
        supplies: &BTreeMap<String, u32>,
        random: &mut Stream,
    ) {
        let room = room_of(world);
        let (low, high) = room.counter();
        let size = high - low;
        let pose = Pose { position: (low + high) * 0.5, heading: 0.0 };
        let mut counter = Object::obstacle("counter", Shape::rectangle(size.x, size.y), pose);
        counter.height = 0.9;
        world.add_object(counter);
        let (cups, wishes) = self.assort(supplies, random);
        for (place, &drink) in cups.iter().enumerate() {
            let handle = self.handle.unwrap_or_else(|| random.between(-PI, PI));
            let mut cup = Item::new(DRINKS[drink], room.cup_place(place, cups.len()), CUP);
            cup.properties.aspects.push(Aspect::fixed(HANDLE, handle));
            world.items.push(cup);
        }
        world.items_changed();
        self.add_persons(&wishes, world, random);
    }

    fn brief(&self, world: &World) -> ServiceBriefing {
        ServiceBriefing {
            room: room_of(world),
            grasp_time: self.grasp_time,
            handover_time: self.handover_time,
            dialog_time: self.dialog_time,
        }
    }

    fn berth(&self, world: &World, robot: RobotId, _team: usize, _radius: f64) -> Option<Pose> {
        room_of(world).home(robot).map(|position| Pose { position, heading: FRAC_PI_2 })
    }

    fn judge(&self, world: &World, open: &[bool]) -> Verdict {
        let expected = persons(world).filter(|person| person.arrives.is_some()).count();
        let here = || persons(world).filter(|person| person.present);
        let served = here().filter(|person| person.properties.states.has(SERVED)).count();
        // A robot may still talk to a person who has the cup.
        let rests = |person: &Area| {
            let states = &person.properties.states;
            states.get(SERVED).is_some_and(|served| states.has(ATTENDED) || served.lasted >= WORD)
        };
        let unwanted = !open.get(usize::from(SERVE.0)).copied().unwrap_or(true);
        let all = here().all(rests);
        let total = expected + here().count();
        let progress = if total == 0 || unwanted { 1.0 } else { served as f64 / total as f64 };
        Verdict { progress, completed: unwanted || (expected == 0 && all) }
    }

    fn left(&self, world: &World, _open: &[bool]) -> Option<Vec<Leftover>> {
        let waits = |area: &Area| area.present && area.wants.is_some() && !area.properties.states.has(SERVED);
        let waiting = world.areas.iter().enumerate().filter(|(_, area)| waits(area));
        let left = waiting.map(|(number, person)| Leftover {
            what: Remains::Area(number as u32),
            place: person.outline.bounding_circle().0,
            goal: None,
            tasks: vec![if person.properties.states.has(ORDERED) { SERVE } else { ORDER }],
        });
        Some(left.collect())
    }

    fn hindrances(&self, world: &World, team: &[RunningRobot]) -> Vec<Hindrance> {
        let room = room_of(world);
        // A robot that neither hears nor asks does not know what a person wants.
        let knows = |robot: &&RunningRobot| robot.hears || robot.datasheet.has("dialog");
        let hand = |name: &str| team.iter().filter(knows).any(|robot| robot.datasheet.has(name));
        let (any_cup, by_handle) = (hand("three-finger"), hand("two-finger"));
        let graspable = |cup: &Item| {
            let turned = cup.properties.value(HANDLE).map(|handle| wrap(handle - FRONT).abs());
            any_cup
                || by_handle && (!room.on_counter(cup.position) || turned.is_none_or(|angle| angle <= ASIDE))
        };
        let waits = |person: &&Area| {
            let states = &person.properties.states;
            person.present && states.has(ORDERED) && !states.has(SERVED)
        };
        let hindered = persons(world).filter(waits).filter(|person| {
            let drink = person.wants.as_deref().unwrap_or_default();
            let cups = world.items.iter().filter(|item| item.present && item.keeper.is_none());
            let brings = |holder: RobotId| team.iter().any(|robot| robot.id == holder);
            !cups.filter(|item| &*item.kind == drink).any(|cup| cup.holder.map_or(graspable(cup), brings))
        });
        let why = "no robot that can know of the order can grasp a cup of that drink";
        let hindrance = |person: &Area| Hindrance {
            place: person.outline.bounding_circle().0,
            words: format!("{} waits in vain: {why}", person.name),
            why,
        };
        hindered.map(hindrance).collect()
    }

    fn measure(&self, world: &World, _air: &dyn Air) -> Vec<Option<f64>> {
        let here = || persons(world).filter(|person| person.present);
        let served = here().filter(|person| person.properties.states.has(SERVED)).count();
        let count = here().count();
        let waited = here().map(|person| person.waited).sum::<f64>() / count as f64;
        vec![Some(served as f64), Some((count - served) as f64), (count > 0).then_some(waited)]
    }
}
