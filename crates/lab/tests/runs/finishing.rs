//! Waste cleanup finishes away from its shipped settings too: the causes that once kept teams from it, one test each.

use super::{completed, finished, scenario};
use crewlab_lab::sim::onboard::EventKind;
use crewlab_lab::sim::onboard::geometry::vec2;
use crewlab_lab::sim::{Logged, Simulation};

fn count(log: &[Logged], kind: EventKind) -> usize {
    log.iter().filter(|logged| logged.event.kind == kind).count()
}

fn disturbed(disturbances: &str) -> String {
    format!("disturbances=[{disturbances}]")
}

/// Runs with one seed after the other; all must complete.
fn all_complete(seeds: std::ops::RangeInclusive<u64>, sets: &[&str]) -> Vec<(Simulation, Vec<Logged>)> {
    let run = |seed| {
        let run = finished("waste-cleanup", seed, sets);
        assert!(run.0.state.verdict.completed, "seed {seed}, {sets:?}: {:?}", run.0.state.verdict);
        run
    };
    seeds.map(run).collect()
}

/// The mean time of the first seeds. [s]
fn mean_time(seeds: u64, sets: &[&str]) -> f64 {
    let runs = all_complete(1..=seeds, sets);
    runs.iter().map(|(run, _)| run.now().seconds()).sum::<f64>() / seeds as f64
}

#[test]
fn a_deposit_that_is_partly_blocked_is_used_all_the_same() {
    let crate_added =
        disturbed("{at: 2 min, object-added: {name: crate, rectangle: [0.4 m, 1.0 m], at: [9.2 m, 4 m]}}");
    all_complete(1..=4, &[&crate_added]);
}

#[test]
fn two_robots_that_stop_in_the_deposit_do_not_block_it() {
    let stops = |robot: &str| {
        let there = format!("robots.{robot}.x > 9 && abs(robots.{robot}.y - 4) < 0.7 && time > 200");
        format!("{{when: \"{there}\", stop: {robot}}}")
    };
    all_complete(1..=3, &[&disturbed(&format!("{}, {}", stops("gold"), stops("green")))]);
}

#[test]
fn walled_in_robots_hand_their_items_out() {
    let traps = disturbed("{at: 2 min, trap: gold}, {at: 2 min, trap: green}");
    let runs = all_complete(1..=4, &[&traps]);
    let handed: usize = runs.iter().map(|(_, log)| count(log, EventKind::HandedOver)).sum();
    assert!(handed > 0, "in some of these runs a walled-in robot holds an item");
}

#[test]
fn a_robot_without_a_drive_hands_its_item_over() {
    let loaded = "robots.gold.holding && robots.gold.x > 5 && robots.gold.x < 8";
    let sets = disturbed(&format!("{{when: \"{loaded}\", drive: {{robot: gold, fault: dead}}}}"));
    let runs = all_complete(1..=2, &[&sets]);
    assert!(runs.iter().all(|(_, log)| count(log, EventKind::HandedOver) == 1));
}

#[test]
fn large_teams_do_not_starve() {
    for (robots, coordinator) in [(20, "alliance"), (40, "alliance"), (30, "greedy")] {
        let team = format!(
            "team.robots=[{{name: w0, type: cleaner, side-range: true}}, {{name: w, type: cleaner, count: {}}}]",
            robots - 1
        );
        let runs = all_complete(3..=3, &[&team, &format!("team.coordinator={coordinator}")]);
        let time = runs[0].0.now().seconds();
        // Three robots need about 580 s.
        assert!(time < 900.0, "{robots} robots with {coordinator} took {time} s");
    }
}

#[test]
fn waste_in_a_small_deposit_is_not_taken_for_lost() {
    for (_, log) in all_complete(1..=3, &["parameters.deposit-radius=0.4"]) {
        let picked = count(&log, EventKind::Picked);
        assert!(picked <= 44, "{picked} pick-ups of 40 items");
    }
}

#[test]
fn walls_found_before_an_interruption_are_kept() {
    all_complete(1..=1, &["world.size=[60 m, 80 m]", "run.until=3 h"]);
}

#[test]
fn the_wandering_search_finds_the_right_places() {
    for seed in 1..=3 {
        let (_, log) = finished("waste-cleanup-trapped", seed, &["run.until=10 min"]);
        let found = log.iter().find(|logged| logged.event.kind == EventKind::FoundLocations);
        let deposit = found.and_then(|found| found.event.place).expect("the walls are found");
        assert!(deposit.distance(vec2(9.6, 4.0)) < 0.2, "seed {seed}: {deposit:?}");
    }
}

#[test]
fn places_that_were_moved_are_found_again() {
    for moved in [
        "{at: 5 min, area-moved: {area: deposit, to: [6 m, 1.5 m]}}",
        "{at: 10 s, area-moved: {area: top spill, to: [7 m, 6.5 m]}}",
    ] {
        all_complete(1..=2, &[&disturbed(moved)]);
    }
}

#[test]
fn waste_that_was_away_for_a_while_is_looked_for_again() {
    let away = "{at: 4 min, for: 3 min, items-removed: {item: waste, count: 10}}";
    for (_, log) in all_complete(2..=3, &[&disturbed(away)]) {
        assert!(count(&log, EventKind::Doubt) > 0, "somebody looks again");
    }
}

#[test]
fn mission_times_do_not_depend_on_the_tick() {
    let times: Vec<f64> = ["20 ms", "100 ms", "500 ms"]
        .iter()
        .map(|tick| mean_time(8, &[&format!("run.tick={tick}")]))
        .collect();
    let (shortest, longest) =
        (times.iter().copied().fold(f64::INFINITY, f64::min), times.iter().copied().fold(0.0, f64::max));
    assert!(longest < 1.1 * shortest, "{times:?} s");
}

#[test]
fn a_tick_that_is_too_long_is_told_before_the_run() {
    let warnings =
        |tick: &str| scenario("waste-cleanup", 1, &[&format!("run.tick={tick}")]).warnings.to_string();
    assert_eq!(warnings("500 ms"), "");
    let told = warnings("2 s");
    assert!(told.contains("drives up to 1.00 m in a tick") && told.contains("at most 700 ms"), "{told}");
}

/// A message is heard a tick after it was sent, and an auction takes several, one after the other.
#[test]
fn auctions_that_take_long_are_told_before_the_run() {
    let warnings = |tick: &str, coordinator: &str| {
        let sets = [format!("run.tick={tick}"), format!("team.coordinator={coordinator}")];
        scenario("service", 1, &[&sets[0], &sets[1]]).warnings.to_string()
    };
    assert_eq!((warnings("100 ms", "muroco"), warnings("500 ms", "cbba")), Default::default());
    let told = warnings("500 ms", "muroco");
    assert!(told.contains("3.0 s after a task is announced") && told.contains("at most 167 ms"), "{told}");
}

#[test]
fn a_position_that_is_hardly_one_is_told_before_the_run() {
    let noise = |share: &str| format!("robot-types.janitor.sensors.position.relative-noise={share}");
    let warnings = |share: &str| scenario("janitorial", 1, &[&noise(share)]).warnings.to_string();
    assert_eq!(warnings("2 %"), "");
    let told = warnings("20 %");
    assert!(
        told.contains("robot `r1` measures is off by up to 2.") && told.contains("dead reckoning"),
        "{told}"
    );
}

#[test]
fn noise_of_position_and_compass_is_filtered_on_board() {
    for noise in ["0.2", "0.4"] {
        let noisy = ["position", "compass"]
            .map(|sensor| format!("robot-types.cleaner.sensors.{sensor}.relative-noise={noise}"));
        let (count, failed) = completed("waste-cleanup", 4, &[&noisy[0], &noisy[1]]);
        assert_eq!(count, 4, "noise {noise}, not seeds {failed:?}");
    }
}

#[test]
fn reports_count_if_the_scenario_says_so() {
    let (run, _) = finished("waste-cleanup", 1, &["parameters.required-reports=12", "world.items.waste=2"]);
    assert!(run.state.verdict.completed);
    assert_eq!(run.measures()[2], Some(12.0), "the mission ends with the last required report");
}

#[test]
fn waste_that_nobody_can_reach_is_told() {
    let hidden = disturbed("{at: 1 s, object-added: {name: slab, rectangle: [1 m, 1 m], at: [4 m, 5.33 m]}}");
    let (run, log) = finished("waste-cleanup", 1, &[&hidden, "run.until=25 min"]);
    assert!(!run.state.verdict.completed);
    let told: Vec<_> = log.iter().filter(|logged| logged.event.kind == EventKind::OutOfReach).collect();
    assert!(!told.is_empty() && told.iter().any(|l| l.event.words.contains("hidden under an obstacle")));
    let (_, log) = finished("waste-cleanup", 1, &[]);
    assert_eq!(count(&log, EventKind::OutOfReach), 0, "not where nothing is out of reach");
}
