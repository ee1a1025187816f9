//! What can go wrong in the world outside the robots: on the floor, on the air, with the things that they work on.
//!
//! Nothing here makes a mission impossible by definition: what is taken away, and what is put where the mission may need the
//! place, comes with an end.

use super::ladder::DURATIONS;
use super::mishap::{Mishap, What, Whom};
use super::palette::mishap;
use super::place::{Spot, spots};
use crewlab_lab::scenario::Scenario;
use crewlab_lab::sim::Member;
use crewlab_lab::sim::world::aspect::ENERGY;
use std::collections::BTreeMap;

/// So many groups of items are looked at.
const MOST_GROUPS: usize = 4;

/// How long what must have an end lasts at first: up to half the undisturbed run, if it is over in time however late it comes. [s]
pub(super) fn end(nominal: f64, over: f64) -> Option<f64> {
    DURATIONS.into_iter().rfind(|lasts| *lasts <= nominal / 2.0 && nominal + lasts <= over)
}

/// All of it, at its worst.
pub(super) fn all(scenario: &Scenario, robots: &[&Member], team: usize, end: Option<f64>) -> Vec<Mishap> {
    let spots = spots(scenario);
    let mut all = Vec::new();
    for member in robots {
        let whom = Whom::Robot(member.identity.name.clone());
        all.extend(of_robot(member, spots.first()).into_iter().map(|what| mishap(what, whom.clone())));
    }
    all.push(mishap(What::HeavyGround, Whom::All(team)));
    // The ideal radio has no signal that could be drowned.
    let physical = scenario.radio() != "ideal" && team > 1;
    if physical {
        all.extend([What::Noise, What::Bandwidth].map(|what| mishap(what, Whom::All(team))));
        all.extend(jammers(scenario));
    }
    let of_place = |spot: &Spot| {
        let lasts = if spot.needed { end } else { None };
        let there = |what| mishap(what, Whom::Place(spot.clone()));
        let put = (!spot.needed || end.is_some()).then(|| Mishap { lasts, ..there(What::Crate) });
        put.into_iter().chain(physical.then(|| there(What::JammerAdded))).collect::<Vec<_>>()
    };
    all.extend(spots.iter().flat_map(of_place));
    all.extend(spots.first().map(|spot| mishap(What::Person, Whom::Place(spot.clone()))));
    all.extend(items(scenario, spots.first(), end));
    all
}

fn of_robot(member: &Member, middle: Option<&Spot>) -> Vec<What> {
    let mut all = vec![What::ClockFast, What::ClockSlow];
    if member.hardware.aspects.iter().any(|aspect| aspect.name == ENERGY) {
        all.push(What::BatteryDrains);
    }
    all.extend(middle.cloned().map(What::Carried));
    all
}

/// The scenario's own jammers that are off.
fn jammers(scenario: &Scenario) -> Vec<Mishap> {
    let objects = scenario.start.1.world.objects().iter();
    let off = objects.filter(|object| object.jammer.as_ref().is_some_and(|jammer| !jammer.on));
    let one = |object: &crewlab_lab::sim::world::Object| {
        let centimetres = |metres: f64| (metres * 100.0).round() as i32;
        let (x, y) = (centimetres(object.pose.position.x), centimetres(object.pose.position.y));
        let spot = Spot { near: object.name.clone(), x, y, needed: false };
        mishap(What::JammerOn(object.name.clone()), Whom::Place(spot))
    };
    off.filter(|object| !object.name.is_empty()).map(one).collect()
}

/// Items that lie in an area, or in none, are taken away for some time, or moved to the middle of the floor.
fn items(scenario: &Scenario, middle: Option<&Spot>, end: Option<f64>) -> Vec<Mishap> {
    let world = &scenario.start.1.world;
    let mut groups: BTreeMap<(String, Option<String>), u32> = BTreeMap::new();
    for item in world.present_items().filter(|item| item.lies()) {
        let area = world.present_areas().find(|area| area.outline.contains(item.position));
        let group = (item.kind.to_string(), area.map(|area| area.name.to_string()));
        *groups.entry(group).or_default() += 1;
    }
    let mut all = Vec::new();
    for ((kind, area), count) in groups.into_iter().take(MOST_GROUPS) {
        let level = Some(count);
        let some = |what| mishap(what, Whom::Items { kind: kind.clone(), area: area.clone() });
        all.extend(middle.cloned().map(|spot| Mishap { level, ..some(What::ItemsMoved(spot)) }));
        all.extend(end.map(|end| Mishap { level, lasts: Some(end), ..some(What::ItemsTaken) }));
    }
    all
}
