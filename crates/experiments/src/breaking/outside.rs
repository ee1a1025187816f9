//! Disturbances outside the robots: on the floor, on the air, and of the items that they work on.
//!
//! Nothing here makes a mission impossible by definition: removed items, and obstacles where the mission may need the place,
//! are temporary.

use super::ladder::DURATIONS;
use super::mishap::{Mishap, MishapKind, MishapTarget};
use super::palette::mishap;
use super::place::{Spot, spots};
use super::what::CRATE;
use crewlab_lab::sim::Member;
use crewlab_lab::sim::world::aspect::ENERGY;
use crewlab_scenario::Scenario;
use std::collections::BTreeMap;

/// Largest number of item groups that are considered.
const MOST_GROUPS: usize = 4;
/// Largest number of items that a disturbance accepts.
const MOST_ITEMS: u32 = 10_000;

/// The initial duration of temporary disturbances: up to half the undisturbed run, provided that they end in time however late they start. [s]
pub(super) fn end(nominal: f64, over: f64) -> Option<f64> {
    DURATIONS.into_iter().rfind(|lasts| *lasts <= nominal / 2.0 && nominal + lasts <= over)
}

/// All of these disturbances, at their worst.
pub(super) fn all(scenario: &Scenario, robots: &[&Member], team: usize, end: Option<f64>) -> Vec<Mishap> {
    let spots = spots(scenario);
    let mut all = Vec::new();
    for member in robots {
        let whom = MishapTarget::Robot(member.identity.name.clone());
        all.extend(of_robot(member, spots.first()).into_iter().map(|what| mishap(what, whom.clone())));
    }
    all.push(mishap(MishapKind::HeavyGround, MishapTarget::All(team)));
    // The ideal radio has no signal that noise could affect.
    let physical = scenario.radio() != "ideal" && team > 1;
    if physical {
        all.extend(
            [MishapKind::Noise, MishapKind::Bandwidth].map(|what| mishap(what, MishapTarget::All(team))),
        );
        all.extend(jammers(scenario));
    }
    let of_place = |spot: &Spot| {
        let lasts = if spot.needed { end } else { None };
        let there = |what| mishap(what, MishapTarget::Place(spot.clone()));
        let put = (!spot.needed || end.is_some()).then(|| Mishap { lasts, ..there(MishapKind::Crate) });
        put.into_iter().chain(physical.then(|| there(MishapKind::JammerAdded))).collect::<Vec<_>>()
    };
    all.extend(spots.iter().flat_map(of_place));
    all.extend(spots.first().map(|spot| mishap(MishapKind::Person, MishapTarget::Place(spot.clone()))));
    all.extend(items(scenario, spots.first(), end));
    all
}

fn of_robot(member: &Member, middle: Option<&Spot>) -> Vec<MishapKind> {
    let mut all = vec![MishapKind::ClockFast, MishapKind::ClockSlow];
    if member.hardware.aspects.iter().any(|aspect| aspect.name == ENERGY) {
        all.push(MishapKind::BatteryDrains);
    }
    // A place with room for a crate has room for robots that fit into the crate in any orientation.
    let fits = 2.0 * member.hardware.shape.radius() <= f64::from(CRATE) / 100.0;
    all.extend(middle.filter(|_| fits).cloned().map(MishapKind::Carried));
    all
}

/// The scenario's own jammers that are switched off.
fn jammers(scenario: &Scenario) -> Vec<Mishap> {
    let objects = scenario.start.1.world.objects().iter();
    let off = objects.filter(|object| object.jammer.as_ref().is_some_and(|jammer| !jammer.on));
    let one = |object: &crewlab_lab::sim::world::Object| {
        let centimetres = |metres: f64| (metres * 100.0).round() as i32;
        let (x, y) = (centimetres(object.pose.position.x), centimetres(object.pose.position.y));
        let spot = Spot { near: object.name.clone(), x, y, needed: false };
        mishap(MishapKind::JammerOn(object.name.clone()), MishapTarget::Place(spot))
    };
    off.filter(|object| !object.name.is_empty()).map(one).collect()
}

/// Items of a kind are removed for some time, or moved to the middle of the floor: all in an area, or all items if some lie
/// in no area.
fn items(scenario: &Scenario, middle: Option<&Spot>, end: Option<f64>) -> Vec<Mishap> {
    let world = &scenario.start.1.world;
    let mut groups: BTreeMap<(String, Option<String>), u32> = BTreeMap::new();
    let mut kinds: BTreeMap<String, u32> = BTreeMap::new();
    for item in world.present_items().filter(|item| item.lies()) {
        let area = world.present_areas().find(|area| area.outline.contains(item.position));
        let group = (item.kind.to_string(), area.map(|area| area.name.to_string()));
        *groups.entry(group).or_default() += 1;
        *kinds.entry(item.kind.to_string()).or_default() += 1;
    }
    let mut all = Vec::new();
    for ((kind, area), count) in groups.into_iter().take(MOST_GROUPS) {
        let count = if area.is_none() { kinds[&kind] } else { count };
        let level = Some(count.min(MOST_ITEMS));
        let some = |what| mishap(what, MishapTarget::Items { kind: kind.clone(), area: area.clone() });
        all.extend(middle.cloned().map(|spot| Mishap { level, ..some(MishapKind::ItemsMoved(spot)) }));
        all.extend(end.map(|end| Mishap { level, lasts: Some(end), ..some(MishapKind::ItemsTaken) }));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::super::flow::flow;
    use super::super::mishap::{KINDS, Schedule};
    use super::super::palette::Palette;
    use super::super::shrink::{Bounds, Shrinking};
    use super::*;
    use crewlab_scenario::{Request, load};
    use std::convert::Infallible;

    /// Waste clean-up in which everything can go wrong: a physical radio, a jammer that is off, and batteries.
    fn scenario() -> Scenario {
        let sets = [
            "radio=wifi-indoor",
            "robot-types.cleaner.aspects={energy: {value: 1}}",
            "world.objects=[{name: beacon, circle: 0.1 m, at: [11 m, 7 m], jammer: {on: false}}]",
        ];
        let sets = sets.iter().map(|set| set.to_string()).collect();
        let request = Request { scenario: "waste-cleanup".into(), sets, ..Request::default() };
        load(&request).unwrap_or_else(|problems| panic!("{problems}"))
    }

    /// The first of each kind and variant: its description and its scenario entry.
    #[test]
    fn entries_and_descriptions() {
        let scenario = scenario();
        let blue = &scenario.start.0.team[0];
        let said: Vec<(String, String)> = all(&scenario, &[blue], 3, Some(240.0))
            .iter()
            .map(|mishap| (mishap.words(), flow(&mishap.entry())))
            .collect();
        let has = |words: &str, entry: &str| {
            assert!(said.contains(&(words.into(), entry.into())), "{words}\n{entry}\n{said:#?}");
        };
        has("blue's clock goes 90 % faster at 0 s, for good", "{at: 0 s, clock: {robot: blue, drift: 90 %}}");
        has(
            "blue's clock goes 90 % slower at 0 s, for good",
            "{at: 0 s, clock: {robot: blue, drift: \"-90 %\"}}",
        );
        has(
            "blue's battery loses 90 % of its charge every 100 s at 0 s, for good",
            "{at: 0 s, battery: {robot: blue, drain: 0.009 /s}}",
        );
        has(
            "blue is picked up and put down near the middle of the floor at 0 s, for good",
            "{at: 0 s, robot-moved: {robot: blue, place: [6 m, 4 m]}}",
        );
        has("the noise on the air rises by 40 dB at 0 s, for good", "{at: 0 s, noise: {rise: 40 dB}}");
        has("90 % of the bandwidth is gone at 0 s, for good", "{at: 0 s, bandwidth: {share: 10 %}}");
        has("beacon jams the radio at 0 s, for good", "{at: 0 s, jammer: {object: beacon}}");
        has(
            "the ground takes 85 % of every robot's speed at 0 s, for good",
            "{at: 0 s, terrain: {factor: 0.15}}",
        );
        has(
            "a person comes in near the middle of the floor and walks about at 0 s, for good",
            "{at: 0 s, person: {place: [6 m, 4 m]}}",
        );
        has(
            "a crate 90 cm wide is put down near the middle of the floor at 0 s, for good",
            "{at: 0 s, object-added: {name: crate, rectangle: [0.9 m, 0.9 m], at: [6 m, 4 m]}}",
        );
        has(
            "a jammer of 30 dBm is put up near the middle of the floor at 0 s, for good",
            "{at: 0 s, object-added: {name: jammer, circle: 0.1 m, at: [6 m, 4 m], penetrability: 1, jammer: {power: 30 dBm}}}",
        );
        has(
            "20 waste of top spill are taken away at 0 s, for 240 s",
            "{at: 0 s, for: 240 s, items-removed: {item: waste, count: 20, area: top spill}}",
        );
        has(
            "20 waste of top spill are moved near the middle of the floor at 0 s, for good",
            "{at: 0 s, items-moved: {item: waste, count: 20, from: top spill, place: [6 m, 4 m]}}",
        );
    }

    /// Every disturbance can be applied at every lower level and is deterministic.
    #[test]
    fn every_level_can_be_applied_and_is_deterministic() {
        let (scenario, kinds) = (scenario(), KINDS.map(str::to_string));
        let palette = Palette::new(&scenario, 517.3, 2000.0, &kinds);
        assert_eq!(palette, Palette::new(&scenario, 517.3, 2000.0, &kinds));
        for kind in KINDS {
            let mut of_kind = palette.mishaps.iter().filter(|mishap| mishap.what.kind() == kind);
            let one = of_kind.next().unwrap_or_else(|| panic!("nothing of {kind}"));
            let lower = one.lower().into_iter().map(|level| Mishap { level: Some(level), ..one.clone() });
            for mishap in lower.chain([one.clone()]) {
                let line = flow(&mishap.entry());
                let mut request = Request { scenario: "waste-cleanup".into(), ..Request::default() };
                request.text = Some(serde_json::to_string(&scenario.resolved).unwrap());
                request.disturbances = vec![line.clone()];
                load(&request).unwrap_or_else(|problems| panic!("{line}: {problems}"));
            }
        }
    }

    /// Otherwise some teams would be defeated by definition.
    #[test]
    fn removed_items_come_back() {
        let scenario = scenario();
        let needed = |mishap: &Mishap| match (&mishap.what, &mishap.whom) {
            (MishapKind::Crate, MishapTarget::Place(spot)) => spot.needed,
            (what, _) => *what == MishapKind::ItemsTaken,
        };
        let with = all(&scenario, &[], 3, Some(240.0));
        assert_eq!(with.iter().filter(|mishap| needed(mishap)).count(), 2 + 4, "{with:?}");
        assert!(with.iter().all(|mishap| mishap.lasts == needed(mishap).then_some(240.0)), "{with:?}");
        // There is no time for an end.
        assert!(!all(&scenario, &[], 3, None).iter().any(needed));
    }

    /// Each becomes weaker or smaller, shorter and later, as far as its kind allows.
    #[test]
    fn it_shrinks_like_faults_of_robots() {
        let scenario = scenario();
        let blue = &scenario.start.0.team[0];
        let bounds = Bounds { step: 10.0, latest: 500.0, over: 2000.0 };
        for start in all(&scenario, &[blue], 3, Some(240.0)) {
            let palette = Palette { mishaps: vec![start.clone()], thinned: false };
            let lower = start.lower();
            let level = lower.get(lower.len() / 2).copied();
            assert_eq!(level.is_some(), start.level.is_some(), "{start:?}");
            let enough = |schedule: &Schedule| {
                schedule.mishaps().iter().any(|one| {
                    one.level >= level && one.lasts.is_none_or(|lasts| lasts >= 55.0) && one.at <= 123.0
                })
            };
            let mut shrinking = Shrinking::new(Schedule::new(vec![start.clone()]), &palette, bounds);
            shrinking.finish(&mut |schedule: &Schedule| Ok::<bool, Infallible>(enough(schedule))).unwrap();
            let wanted = Mishap { level, lasts: Some(60.0), at: 120.0, ..start };
            assert_eq!(shrinking.schedule.mishaps(), [wanted]);
        }
    }

    #[test]
    fn an_end_is_at_most_half_a_run_away_and_leaves_time() {
        assert_eq!(end(517.3, 2000.0), Some(240.0));
        assert_eq!(end(517.3, 600.0), Some(80.0));
        assert_eq!(end(517.3, 510.0), None);
    }
}
