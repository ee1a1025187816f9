//! Asks a person the way. Who knows it points: an area tells by an aspect where the way goes on from there.

use super::{Effector, Grasp};
use crate::aspect::Aspect;
use crate::object::Object;
use crate::person::{CLUELESS, POINTING, TALKING};
use crate::quality::Quality;
use crate::world::{World, WorldEvent};
use crewlab_onboard::{Action, RobotId, Time, Vec2};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// The stock of a person that counts the seconds of the current dialog.
const TALK: &str = "talk";
/// How long a person points, or waits for the next question. [s]
const LASTS: f64 = 3.0;
/// How long a person stands still after the last word. [s]
const LISTENS: f64 = 1.0;

/// What a robot has asked so far, as stocks of its body: the number of questions, ...
pub const QUESTIONS: &str = "questions";
/// ... the distance that it had driven at the last answer, ... [m]
pub const ANSWERED_AT: &str = "answered-at";
/// ... and the longest distance between two answers. [m]
pub const LONGEST_UNAIDED: &str = "longest-unaided";

/// Parameters of the question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct AskWay {
    /// How long a dialog takes.
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub duration: f64,
    /// The aspect of areas that is the direction of the way from there, in the world, in radians.
    pub way: String,
}

impl Default for AskWay {
    fn default() -> Self {
        AskWay { duration: 5.0, way: "way".into() }
    }
}

impl AskWay {
    /// The place in the list of objects of the nearest person in front of a robot, within `range` of its rim.
    fn partner(&self, world: &World, me: RobotId, range: f64, view: f64) -> Option<usize> {
        let body = &world.bodies[me];
        let distance = |person: &Object| person.outline.distance(body.pose.position);
        let near = |person: &Object| {
            person.is_person()
                && distance(person) <= body.radius + range
                && body.pose.bearing(person.pose.position).abs() <= view / 2.0
        };
        let persons = world.objects().iter().enumerate().filter(|(_, object)| near(object));
        persons.min_by(|one, two| distance(one.1).total_cmp(&distance(two.1))).map(|(place, _)| place)
    }

    /// Where the way goes on from a place: what the nearest area says that knows. [rad]
    fn way(&self, world: &World, place: Vec2) -> Option<f64> {
        let known = world
            .present_areas()
            .filter_map(|area| Some((area.outline.distance(place), area.properties.value(&self.way)?)));
        known.min_by(|one, two| one.0.total_cmp(&two.0)).map(|(_, way)| way)
    }
}

/// Remembers that a robot has got an answer.
fn count(world: &mut World, me: RobotId) {
    let body = &mut world.bodies[me];
    let unaided = body.travelled - body.load.amount(ANSWERED_AT);
    let longest = unaided.max(body.load.amount(LONGEST_UNAIDED));
    *body.load.amount_mut(QUESTIONS) += 1.0;
    *body.load.amount_mut(ANSWERED_AT) = body.travelled;
    *body.load.amount_mut(LONGEST_UNAIDED) = longest;
}

impl Effector for AskWay {
    const SUMMARY: &'static str = "asks the nearest person in front of the robot the way, as areas know it (`way`); reports 1 while that person points, \
         -1 if it does not know";
    const UNIT: &'static str = "1";

    fn quality() -> Quality {
        Quality::perfect(2.5, PI)
    }

    fn perform(&self, action: Action, grasp: &mut Grasp) {
        let (me, range, view) = (grasp.me, grasp.quality.range, grasp.quality.fov);
        let partner = self.partner(grasp.world, me, range, view).filter(|_| action == Action::Work);
        let Some(place) = partner else { return };
        let after = |seconds: f64| Some(Time::from_seconds(grasp.now.seconds() + seconds));
        let properties = grasp.world.properties_mut(place);
        properties.states.set(TALKING, Some(me), after(LISTENS));
        let talked = properties.stocks.amount_mut(TALK);
        *talked += grasp.dt;
        if *talked < self.duration - 1e-9 {
            return;
        }
        *talked = 0.0;
        let direction = self.way(grasp.world, grasp.world.bodies[me].pose.position);
        let properties = grasp.world.properties_mut(place);
        match direction {
            Some(direction) => {
                properties.aspects.retain(|aspect| aspect.name != POINTING);
                properties.aspects.push(Aspect::fixed(POINTING, direction));
                properties.states.set(POINTING, Some(me), after(LASTS));
            }
            None => properties.states.set(CLUELESS, Some(me), after(LASTS)),
        }
        count(grasp.world, me);
        let person = grasp.world.objects()[place].id;
        grasp.events.push(WorldEvent::AskedWay { body: me, person, direction });
    }

    fn feedback(&self, world: &World, me: RobotId) -> f64 {
        let mine = |object: &Object, state: &str| {
            object.properties.states.get(state).is_some_and(|state| state.by == Some(me))
        };
        let answer = world.objects().iter().find_map(|object| match object {
            person if !person.is_person() => None,
            person if mine(person, POINTING) => Some(1.0),
            person if mine(person, CLUELESS) => Some(-1.0),
            _ => None,
        });
        answer.unwrap_or(0.0)
    }
}
