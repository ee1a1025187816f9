//! The service scenario with every coordinator, most of which assign every task to one robot.

use super::{completed, finished, scenario};
use crewlab_lab::sim::missions::service::receipts;
use crewlab_lab::sim::{Logged, Simulation, teams};
use crewlab_sim::onboard::EventKind;

/// Robots and behaviour sets of all events of one kind.
fn who<'a>(run: &'a Simulation, log: &[Logged], kind: &str) -> Vec<&'a str> {
    let of_kind = log.iter().filter(|logged| logged.event.kind.name() == kind);
    of_kind.filter_map(|logged| logged.robot.map(|id| run.model.robot_name(id))).collect()
}

#[test]
fn everybody_is_served_with_every_coordinator() {
    for name in ["service", "service-disturbed", "service-rush"] {
        for coordinator in teams::KINDS {
            let set = format!("team.coordinator={}", coordinator.name);
            let (count, failed) = completed(name, 20, &[&set]);
            assert_eq!(count, 20, "{name} with {}: seeds {failed:?}", coordinator.name);
        }
    }
}

/// Only three fingers grasp a cup whose handle is out of reach; it is then served without a word.
#[test]
fn poppy_serves_when_no_handle_can_be_reached() {
    for seed in 1..=5 {
        let (run, log) = finished("service", seed, &["team.coordinator=greedy"]);
        assert_eq!(who(&run, &log, "order-taken"), ["eddie"]);
        assert_eq!(who(&run, &log, "given"), ["poppy"]);
        assert_eq!(who(&run, &log, "picked"), ["poppy"]);
        let served = log.iter().find(|logged| logged.event.kind == EventKind::Served).expect("it is told");
        assert!(served.event.words.contains("without a word"), "{}", served.event.words);
        let receipt = receipts(&run.state.world)[0];
        assert!(receipt.ordered && receipt.served && !receipt.attended);
    }
}

/// ALLIANCE prefers bringing to fetching as its parameters say, so Eddie serves if he can.
#[test]
fn eddie_brings_what_he_can_grasp() {
    let sets = ["team.coordinator=alliance", "parameters.handle=-90 deg"];
    for seed in 1..=5 {
        let (run, log) = finished("service", seed, &sets);
        assert_eq!(who(&run, &log, "given"), ["eddie"]);
        let receipt = receipts(&run.state.world)[0];
        assert!(receipt.ordered && receipt.served && receipt.attended);
    }
}

/// Robots that wait leave each other room: a large team is not caged in.
#[test]
fn a_robot_at_the_wall_gets_past_those_that_wait_in_front_of_it() {
    let team = "team.robots=[{name: a, type: speaker}, {name: b, type: three-fingered, count: 4}, \
                {name: c, type: two-fingered, count: 3}]";
    let sets =
        ["world.size=[10 m, 8 m]", "parameters.persons=6", "run.until=30 min", "run.tick=200 ms", team];
    for coordinator in ["alliance", "cbba", "greedy"] {
        let coordinator = format!("team.coordinator={coordinator}");
        let (count, failed) = completed("service", 6, &[&sets[..], &[&coordinator]].concat());
        assert_eq!(count, 6, "{coordinator}: seeds {failed:?}");
    }
}

/// The auctioneer waits for a robot that is heard and does not answer; its own bid must last as long.
#[test]
fn a_deaf_robot_does_not_keep_the_market_from_taking_orders() {
    let sets = [
        "team.robots=[{name: eddie, type: speaker}, {name: poppy, type: three-fingered}]",
        "disturbances=[{at: 0 s, radio: {robot: poppy, fault: deaf}}]",
        "run.until=2 min",
    ];
    let (run, log) = finished("service", 1, &sets);
    assert_eq!(who(&run, &log, "order-taken"), ["eddie"]);
}

/// Persons, cups and wishes: everybody can get what they want, and only the expected persons come.
#[test]
fn there_is_a_cup_for_everybody() {
    for seed in 1..=20 {
        for sets in [&["parameters.persons=7"][..], &["parameters.persons=12", "world.items={}"]] {
            let (_, state) = scenario("service", seed, sets).start;
            let persons: Vec<_> = state.world.areas.iter().filter_map(|area| area.wants.as_ref()).collect();
            assert!(persons.len() == 7 || persons.len() == 12);
            assert!(state.world.items.len() >= persons.len());
            for drink in ["coffee", "tea", "water"] {
                let wanted = persons.iter().filter(|wants| wants.as_ref() == drink).count();
                let there = state.world.items.iter().filter(|item| &*item.kind == drink).count();
                assert!(wanted <= there, "seed {seed}: {wanted} of {there} {drink}");
            }
        }
    }
}

#[test]
fn a_service_goes_on_when_messages_get_lost() {
    for radio in ["radio.loss=50 %", "radio=wifi-indoor"] {
        let (count, failed) = completed("service-rush", 5, &["team.coordinator=greedy", radio]);
        assert_eq!(count, 5, "{radio}: seeds {failed:?}");
    }
}

/// A robot that dies with the cup in its hand drops it; another one picks it up from the floor.
#[test]
fn a_cup_that_fell_is_picked_up() {
    let dies = "disturbances=[{when: 'robots.eddie.holding || robots.jimmy.holding || robots.poppy.holding', stop: {doing: serve}}]";
    let one = "world.items={coffee: 1, tea: 0, water: 0}";
    for seed in 1..=10 {
        let sets = ["team.coordinator=greedy", "parameters.handle=-90 deg", one, dies];
        let (run, log) = finished("service", seed, &sets);
        assert!(run.state.verdict.completed, "seed {seed}: {:?}", run.state.verdict);
        let (dropped, given) = (who(&run, &log, "dropped"), who(&run, &log, "given"));
        assert!(dropped.len() == 1 && given.len() == 1 && dropped != given, "{dropped:?}, {given:?}");
    }
}

/// The first two disturbances of MUROCO 3.6.3 happen at the right time: eddie is about to grasp the cup, and tries again.
#[test]
fn the_cup_is_shifted_and_then_turned_while_eddie_grasps_it() {
    for seed in 1..=5 {
        let (run, log) = finished("service-disturbed", seed, &["team.coordinator=alliance"]);
        let story: Vec<&str> = log
            .iter()
            .filter(|logged| ["disturbance", "picked", "given"].contains(&logged.event.kind.name()))
            .map(|logged| logged.event.kind.name())
            .collect();
        assert_eq!(story, ["disturbance", "disturbance", "picked", "given"], "seed {seed}");
        assert_eq!(who(&run, &log, "given"), ["poppy"]);
    }
}
