//! The palette: every disturbance that is possible in a scenario, per robot, device or place, and time.
//!
//! The kinds of disturbances list them themselves ([`stress`](crewlab_lab::sim::disturbances::stress)). Nothing here makes a
//! mission impossible by definition: removed items, and obstacles where the mission may need the place, are temporary.

use super::ladder::{DURATIONS, nice, rounded};
use super::mishap::{Mishap, Schedule};
use crewlab_lab::sim::disturbances::stress::{Ground, Whom, stressors};
use crewlab_lab::sim::disturbances::{DisturbanceKind, KINDS};
use crewlab_scenario::Scenario;
use std::sync::Arc;

/// Number of moments of the undisturbed run that are tried.
const MOMENTS: usize = 6;
/// Number of robots of larger teams that are considered.
const MOST_ROBOTS: usize = 64;
/// The value of `--kinds` that stands for all kinds.
pub const ALL: &str = "all";

/// The kinds that `--kinds` accepts; those tried by default come first.
pub fn kinds() -> impl Iterator<Item = &'static DisturbanceKind> {
    let tried = |by_default: bool| {
        KINDS
            .iter()
            .filter(move |kind| kind.about.breaking.is_some_and(|breaking| breaking.by_default == by_default))
    };
    tried(true).chain(tried(false))
}

/// True if a kind is tried when `asked` was requested.
fn tried(kind: &str, wanted: &[String]) -> bool {
    match wanted {
        [] => kinds()
            .any(|one| one.name == kind && one.about.breaking.is_some_and(|breaking| breaking.by_default)),
        _ => wanted.iter().any(|one| one == kind || one == ALL),
    }
}

/// The initial duration of temporary disturbances: up to half the undisturbed run, provided that they end in time however late they
/// start. [s]
fn end(nominal: f64, over: f64) -> Option<f64> {
    DURATIONS.into_iter().rfind(|lasts| *lasts <= nominal / 2.0 && nominal + lasts <= over)
}

/// The possible disturbances of a scenario, the smallest first.
#[derive(Clone, Debug, PartialEq)]
pub struct Palette {
    /// All disturbances at all times tried.
    pub mishaps: Vec<Mishap>,
    /// True if robots were left out because the team is large.
    pub thinned: bool,
}

impl Palette {
    /// All possible disturbances of these kinds in a run that takes `nominal` seconds undisturbed, for the robots present at the start
    /// and the world around them. Temporary ones end at `over` seconds.
    pub fn new(scenario: &Scenario, nominal: f64, over: f64, kinds: &[String]) -> Palette {
        let (model, state) = &scenario.start;
        let ground = Ground::new((model, state), MOST_ROBOTS, end(nominal, over));
        let all = stressors(&ground).into_iter().filter(|stressor| tried(stressor.kind, kinds));
        let moments = moments(nominal);
        let at_all = |stressor| {
            let worst = Mishap::worst(&Arc::new(stressor));
            moments.iter().map(move |at| Mishap { at: *at, ..worst.clone() })
        };
        let mut mishaps: Vec<Mishap> = all.flat_map(at_all).collect();
        let alone = |mishap: &Mishap| Schedule::new(vec![mishap.clone()]);
        mishaps.sort_by(|one, other| alone(one).smaller(&alone(other)));
        Palette { mishaps, thinned: ground.thinned }
    }

    /// Milder disturbances of the same robot at the same time, the mildest first; for those that hit all robots, also those that hit
    /// one in the same way.
    pub fn milder<'a>(&'a self, than: &'a Mishap) -> impl Iterator<Item = Mishap> + 'a {
        // Times change while a schedule shrinks, so the palette's own times are ignored here.
        let first = move |place: usize, mishap: &Mishap| {
            !self.mishaps[..place].iter().any(|before| before.same_subject(mishap))
        };
        // A disturbance of all may be replaced by one of a single robot.
        let one = matches!(than.stressor.whom, Whom::All(_));
        let same = move |mishap: &Mishap| {
            let (this, other) = (&mishap.stressor, &than.stressor);
            let hit = this.whom == other.whom || (one && this.kind == other.kind);
            hit && mishap.severity() < than.severity()
        };
        let found = self.mishaps.iter().enumerate().filter(move |(place, m)| same(m) && first(*place, m));
        found.map(|(_, mishap)| Mishap { at: than.at, ..mishap.clone() })
    }
}

/// Round times in the middle of equal parts of the run.
fn moments(nominal: f64) -> Vec<f64> {
    let step = nice(nominal / 50.0);
    let middle = |part: usize| (part as f64 + 0.5) / MOMENTS as f64 * nominal;
    let mut moments: Vec<f64> = (0..MOMENTS).map(|part| rounded(middle(part), step)).collect();
    moments.dedup();
    moments
}

#[cfg(test)]
mod tests {
    use super::super::flow::flow;
    use super::super::shrink::{Bounds, Shrinking};
    use super::*;
    use crewlab_lab::sim::disturbances::stress::{Spot, spots};
    use crewlab_lab::sim::missions;
    use crewlab_scenario::{Request, load};
    use serde_json::json;
    use std::convert::Infallible;

    fn scenario(name: &str, disturbances: Vec<String>) -> Scenario {
        let request = Request { scenario: name.into(), disturbances, ..Request::default() };
        load(&request).unwrap_or_else(|problems| panic!("{name}: {problems}"))
    }

    #[test]
    fn everything_in_it_can_happen_in_every_shipped_scenario() {
        for shipped in missions::KINDS.iter().flat_map(|kind| kind.shipped) {
            let all = [ALL.to_string()];
            let palette = Palette::new(&scenario(shipped.name, Vec::new()), 517.3, 2000.0, &all);
            let all = Schedule::new(palette.mishaps.clone());
            let disturbed = scenario(shipped.name, all.lines());
            let count = disturbed.resolved["disturbances"].as_array().map_or(0, Vec::len);
            assert!(count >= all.mishaps().len() && !palette.mishaps.is_empty(), "{}", shipped.name);
        }
    }

    /// Without named kinds, a search tries only faults of robots and of the communication between them.
    #[test]
    fn the_world_outside_is_tried_only_by_name() {
        let scenario = scenario("waste-cleanup", Vec::new());
        let count = |kinds: &[&str]| {
            let kinds: Vec<String> = kinds.iter().map(|kind| kind.to_string()).collect();
            Palette::new(&scenario, 517.3, 2000.0, &kinds).mishaps.len()
        };
        let of = |by_default: bool| -> Vec<&'static str> {
            let tried =
                kinds().filter(|kind| kind.about.breaking.is_some_and(|b| by_default <= b.by_default));
            tried.map(|kind| kind.name).collect()
        };
        assert_eq!((count(&[]), count(&of(true))), (360, 360));
        assert_eq!((count(&["all"]), count(&of(false))), (480, 480));
        // Two clocks' faults of three robots; crates in five places; two spills.
        assert_eq!(["clock", "object-added", "items-moved"].map(|kind| count(&[kind])), [36, 30, 12]);
        // The ideal radio and robots without batteries.
        assert_eq!(["noise", "bandwidth", "jammer", "battery"].map(|kind| count(&[kind])), [0; 4]);
    }

    #[test]
    fn kinds_and_what_is_milder() {
        let kinds = ["radio".to_string(), "stop".into()];
        let palette = Palette::new(&scenario("waste-cleanup", Vec::new()), 517.3, 2000.0, &kinds);
        // Four faults of three radios, two of all radios and three deaths, at six times each.
        assert_eq!(palette.mishaps.len(), (4 * 3 + 2 + 3) * 6);
        let times: Vec<f64> = palette.mishaps.iter().rev().map(|mishap| mishap.at).take(6).collect();
        assert_eq!(times, [40.0, 130.0, 220.0, 300.0, 390.0, 470.0]);
        let one = |kind: &str, words: &str| {
            let found = palette
                .mishaps
                .iter()
                .find(|mishap| mishap.stressor.kind == kind && mishap.words().contains(words));
            Mishap { at: 77.0, ..found.unwrap_or_else(|| panic!("no {kind}: {words}")).clone() }
        };
        let stop = one("stop", "gold");
        let milder: Vec<String> = palette.milder(&stop).map(|mishap| mishap.words()).collect();
        assert_eq!(milder[0], "gold's radio loses 90 % of what it sends and receives at 77 s, for good");
        assert_eq!(milder.len(), 4);
        let all = one("radio", "every robot's radio is dead");
        assert_eq!(palette.milder(&all).count(), 4 * 3 + 1);
        assert_eq!(palette.milder(&palette.mishaps[0]).count(), 0);
    }

    /// Waste clean-up with everything that can go wrong: a physical radio, a jammer that is off, and batteries.
    fn rich() -> Scenario {
        let sets = [
            "radio=wifi-indoor",
            "robot-types.cleaner.aspects={energy: {value: 1}}",
            "world.objects=[{name: beacon, circle: 0.1 m, at: [11 m, 7 m], jammer: {on: false}}]",
        ];
        let sets = sets.iter().map(|set| set.to_string()).collect();
        let request = Request { scenario: "waste-cleanup".into(), sets, ..Request::default() };
        load(&request).unwrap_or_else(|problems| panic!("{problems}"))
    }

    /// Disturbances around the robots, at their worst.
    fn outside(scenario: &Scenario, end: Option<f64>) -> Vec<Mishap> {
        let (model, state) = &scenario.start;
        let all = stressors(&Ground::new((model, state), 1, end)).into_iter();
        let by_name = |kind: &str| !tried(kind, &[]);
        all.filter(|stressor| by_name(stressor.kind))
            .map(|stressor| Mishap::worst(&Arc::new(stressor)))
            .collect()
    }

    /// The first entry of each kind and sort, as a description and as a scenario entry.
    #[test]
    fn descriptions_and_scenario_entries() {
        let scenario = rich();
        let said: Vec<(String, String)> = outside(&scenario, Some(240.0))
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

    /// Every entry is possible at every level, and the palette is the same every time.
    #[test]
    fn entries_are_possible_at_every_level_and_the_same_every_time() {
        let (scenario, every) = (rich(), [ALL.to_string()]);
        let palette = Palette::new(&scenario, 517.3, 2000.0, &every);
        assert_eq!(palette, Palette::new(&scenario, 517.3, 2000.0, &every));
        for DisturbanceKind { name, about, .. } in KINDS {
            let mut of_kind = palette.mishaps.iter().filter(|mishap| mishap.stressor.kind == *name);
            assert_eq!(of_kind.next().is_some(), about.breaking.is_some(), "{name}");
        }
        for kind in kinds() {
            let one = palette.mishaps.iter().find(|mishap| mishap.stressor.kind == kind.name);
            let one = one.unwrap_or_else(|| panic!("nothing of {}", kind.name));
            for mishap in (0..=one.rung).map(|rung| Mishap { rung, ..one.clone() }) {
                let line = flow(&mishap.entry());
                let mut request = Request { scenario: "waste-cleanup".into(), ..Request::default() };
                request.text = Some(serde_json::to_string(&scenario.resolved).unwrap());
                request.disturbances = vec![line.clone()];
                load(&request).unwrap_or_else(|problems| panic!("{line}: {problems}"));
            }
        }
    }

    /// A permanent removal could defeat a team by definition.
    #[test]
    fn removals_are_temporary() {
        let scenario = rich();
        let needed = |mishap: &Mishap| match (mishap.stressor.variant.as_str(), &mishap.stressor.whom) {
            ("crate", Whom::Place(spot)) => spot.needed,
            _ => mishap.stressor.kind == "items-removed",
        };
        let with = outside(&scenario, Some(240.0));
        assert_eq!(with.iter().filter(|mishap| needed(mishap)).count(), 2 + 4, "{with:?}");
        assert!(with.iter().all(|mishap| mishap.lasts == needed(mishap).then_some(240.0)), "{with:?}");
        // There is no time for an end.
        assert!(!outside(&scenario, None).iter().any(needed));
    }

    /// Disturbances of the world become weaker or smaller, shorter and later, as faults of robots do.
    #[test]
    fn disturbances_of_the_world_shrink_like_faults_of_robots() {
        let scenario = rich();
        let bounds = Bounds { step: 10.0, latest: 500.0, over: 2000.0 };
        for start in outside(&scenario, Some(240.0)) {
            let palette = Palette { mishaps: vec![start.clone()], thinned: false };
            let rung = start.rung / 2;
            assert_eq!(start.rung > 0, start.level().is_some(), "{start:?}");
            let enough = |schedule: &Schedule| {
                schedule.mishaps().iter().any(|one| {
                    one.rung >= rung && one.lasts.is_none_or(|lasts| lasts >= 55.0) && one.at <= 123.0
                })
            };
            let mut shrinking = Shrinking::new(Schedule::new(vec![start.clone()]), &palette, bounds);
            shrinking.finish(&mut |schedule: &Schedule| Ok::<bool, Infallible>(enough(schedule))).unwrap();
            let wanted = Mishap { rung, lasts: Some(60.0), at: 120.0, ..start };
            assert_eq!(shrinking.schedule.mishaps(), [wanted]);
        }
    }

    #[test]
    fn an_end_is_at_most_half_a_run_away_and_leaves_time() {
        assert_eq!(end(517.3, 2000.0), Some(240.0));
        assert_eq!(end(517.3, 600.0), Some(80.0));
        assert_eq!(end(517.3, 510.0), None);
    }

    fn places(scenario: &Scenario) -> Vec<Spot> {
        spots(&scenario.start.0, &scenario.start.1)
    }

    #[test]
    fn places_are_few_free_and_always_the_same() {
        for shipped in missions::KINDS.iter().flat_map(|kind| kind.shipped) {
            let request = Request { scenario: shipped.name.into(), ..Request::default() };
            let scenario = load(&request).unwrap_or_else(|problems| panic!("{}: {problems}", shipped.name));
            let found = places(&scenario);
            let size = scenario.start.1.world.bounds.max - scenario.start.1.world.bounds.min;
            // A crate does not fit where robots of 16 cm meet in a corridor.
            let fewest = usize::from(size.x.min(size.y) > 1.5);
            assert!((fewest..=5).contains(&found.len()), "{}: {found:?}", shipped.name);
            assert_eq!(found, places(&scenario));
            for spot in &found {
                let there = scenario.start.1.world.overlap(&spot.crate_there(), None);
                assert!(there.is_none(), "{}: {spot:?} is on {there:?}", shipped.name);
            }
        }
    }

    #[test]
    fn places_come_from_the_scenario() {
        let request = Request { scenario: "waste-cleanup".into(), ..Request::default() };
        let found = places(&load(&request).unwrap_or_else(|problems| panic!("{problems}")));
        let said: Vec<(String, bool)> = found.iter().map(|spot| (spot.words(), spot.needed)).collect();
        let wanted = [
            ("near the middle of the floor", false),
            ("near top spill", true),
            ("near bottom spill", true),
            ("near deposit", true),
            ("near the start of blue", true),
        ];
        assert_eq!(said, wanted.map(|(words, needed)| (words.to_string(), needed)));
        assert_eq!(found[0].entry(), json!(["6 m", "4 m"]));
    }
}
