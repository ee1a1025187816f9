//! Interventions of a person who watches a run: moving, driving and repairing robots, moving single items, switching the
//! coordinator.

use super::whens::outside;
use super::{LONE, Run, STANDING, assert_close, assert_times, disturbed};
use crewlab_lab::sim::disturbances::{DisturbanceSpec, Timing};
use crewlab_lab::sim::onboard::geometry::vec2;
use crewlab_lab::sim::onboard::{Coordinator, Reading, RobotId};
use crewlab_lab::sim::{Simulation, teams};
use crewlab_sim::onboard::EventKind;

const SMALL: &str = "world.size=[6 m, 6 m]";
const ONE: &str = "team.robots=[{name: blue, type: cleaner, side-range: true}]";

fn delays(run: &Run) -> Vec<&str> {
    let delayed = run.log.iter().filter(|l| l.event.kind == EventKind::DisturbanceDelayed);
    delayed.map(|l| l.event.words.as_ref()).collect()
}

/// Continues until the mission is completed.
#[track_caller]
fn complete(run: &mut Run, limit: f64) {
    while !run.simulation.state.verdict.completed {
        let now = run.simulation.now().seconds();
        let name = run.simulation.state.coordinator(&run.simulation.model);
        assert!(now < limit, "{name} does not complete the mission within {limit} s");
        run.tick();
    }
}

#[test]
pub fn a_robot_is_put_down_elsewhere_with_what_it_holds() {
    let moved = "{when: robots.blue.holding, for: 2 s, robot-moved: {robot: blue, place: [5 m, 5 m], heading: 90 deg}}";
    let mut run = disturbed(moved, &[SMALL, ONE]);
    let at = run.await_event("disturbance", 200.0);
    let item = run.body("blue").holding.expect("that was the condition");
    let (pose, travelled) = (run.body("blue").pose, run.body("blue").travelled);
    assert_eq!((pose.position, pose.heading.to_degrees()), (vec2(5.0, 5.0), 90.0));
    assert!(run.body("blue").facing.distance(vec2(0.0, 1.0)) < 1e-9);
    assert_eq!(run.simulation.state.world.items[item as usize].position, pose.position);
    run.tick();
    assert!(run.body("blue").travelled - travelled < 0.2, "it was carried, it did not drive");
    match run.reading("blue", "position") {
        Reading::Point(point) => assert!(point.distance(vec2(5.0, 5.0)) < 0.1, "it knows where it is"),
        other => panic!("a position, not {other:?}"),
    }
    assert!(run.body("blue").holding == Some(item));
    let before = run.to(at + 1.9).body("blue").pose.position;
    assert!(run.to(at + 2.0).body("blue").pose.position.distance(before) > 1.0, "it is back");
}

#[test]
pub fn a_robot_is_not_put_down_on_something() {
    let onto = "{at: 1 s, robot-moved: {robot: green, place: [6 m, 4.1 m]}}, {at: 5 s, robot-removed: blue}";
    let mut run = disturbed(onto, &[STANDING]);
    run.to(6.0);
    assert_eq!(delays(&run), ["robot-moved waits: something is where it must go"]);
    assert_times(&run.times("disturbance"), &[5.0, 5.1]);
    assert_eq!(run.simulation.state.schedule.not_happened().count(), 0);
    // A robot may overlap its own former place; the disturbance of an absent robot waits.
    let little = "{at: 1 s, robot-moved: {robot: gold, place: [6.81 m, 4 m]}}, {at: 2 s, robot-removed: blue}, \
                  {at: 3 s, robot-moved: {robot: blue, place: [2 m, 2 m]}}";
    let mut run = disturbed(little, &[STANDING]);
    assert_eq!(run.to(1.0).body("gold").pose.position, vec2(6.81, 4.0));
    run.to(4.0);
    assert_eq!(delays(&run), ["robot-moved waits: blue is not there"]);
}

#[test]
pub fn a_person_drives_a_robot_whose_software_moves_nothing() {
    // It would drive west; the person drives it backwards, to the east.
    let hand = "{at: 2 s, for: 3 s, take-over: {robot: blue, speed: -50 %}}";
    let mut run = disturbed(hand, &[LONE]);
    let reverse = run.body("blue").drive.max_reverse;
    let start = run.to(2.0).body("blue").pose.position;
    assert_eq!(run.robot("blue").faults.hand(), Some((-0.5, 0.0)));
    let end = run.to(5.0).body("blue").pose.position;
    assert_close(end.x - start.x, 3.0 * 0.5 * reverse, 0.1 * reverse);
    assert!(run.robot("blue").percept.stopped, "it must know that it is stopped");
    assert!(run.robot("blue").software.messages_said() >= 2, "and talks");
    assert!(run.driven_to("blue", 7.0) > 0.5 && run.body("blue").pose.position.x < end.x);
    assert!(!run.robot("blue").percept.stopped);
    // Left is counter-clockwise.
    let mut run = disturbed("{at: 2 s, take-over: {robot: blue, turn: 25 %}}", &[LONE]);
    let (heading, place) = (run.to(2.0).body("blue").pose.heading, run.body("blue").pose.position);
    let turned = 0.25 * run.body("blue").drive.max_turn;
    let after = run.to(3.0).body("blue").pose;
    assert_close((after.heading - heading).rem_euclid(std::f64::consts::TAU), turned, 0.1 * turned);
    assert_eq!(after.position, place);
    // Its gripper does nothing either.
    let mut run = disturbed("{at: 0 s, take-over: {robot: blue}}", &[SMALL, ONE]);
    run.to(150.0);
    assert_times(&run.times("picked"), &[]);
}

#[test]
pub fn the_latest_take_over_counts() {
    let hands = "{at: 1 s, for: 4 s, take-over: {robot: blue, speed: 1}}, {at: 2 s, take-over: {robot: blue, speed: 0.5}}, \
                 {at: 3 s, for: 5 s, take-over: {robot: blue, speed: -1}}";
    let mut run = disturbed(hands, &[LONE]);
    for (seconds, expected) in
        [(1.0, Some(1.0)), (2.0, Some(0.5)), (3.0, Some(-1.0)), (5.0, Some(-1.0)), (8.0, None)]
    {
        assert_eq!(run.to(seconds).robot("blue").faults.hand().map(|hand| hand.0), expected, "{seconds} s");
    }
}

#[test]
pub fn a_released_robot_continues() {
    let hands = "{at: 1 s, release: blue}, {at: 2 s, take-over: {robot: blue}}, {at: 5 s, release: blue}";
    let mut run = disturbed(hands, &[LONE]);
    assert!(run.to(1.0).driven_to("blue", 2.0) > 0.3, "nobody had it");
    assert_eq!(run.driven_to("blue", 5.0), 0.0);
    assert!(run.driven_to("blue", 7.0) > 0.5);
    let told: Vec<&str> =
        run.log.iter().filter(|l| l.event.kind == EventKind::Disturbance).map(|l| &*l.event.words).collect();
    assert!(told[0].starts_with("blue is free already"), "{told:?}");
    assert!(told[1].starts_with("blue is held"), "{told:?}");
    assert!(told[2].starts_with("blue is given back to its software"), "{told:?}");
}

#[test]
pub fn faults_also_affect_a_robot_that_is_taken_over() {
    let distance = |fault: &str| {
        let hand = "{at: 0 s, take-over: {robot: blue, speed: 1}}";
        let mut run = disturbed(&format!("{hand}{fault}"), &[LONE]);
        run.to(1.0);
        run.driven_to("blue", 4.0)
    };
    let sound = distance("");
    assert!(sound > 0.8);
    assert_close(
        distance(", {at: 0 s, drive: {robot: blue, fault: slower, severity: 75 %}}") / sound,
        0.25,
        0.02,
    );
    for still in
        ["drive: {robot: blue, fault: dead}", "stop: blue", "emergency-stop: blue", "robot-removed: blue"]
    {
        assert_eq!(distance(&format!(", {{at: 0 s, {still}}}")), 0.0, "{still}");
    }
}

#[test]
pub fn a_robot_that_is_held_reports_no_lack_of_progress() {
    for coordinator in teams::KINDS {
        let chosen = format!("team.coordinator={}", coordinator.name);
        let mut run = disturbed("{at: 30 s, take-over: {robot: blue}}", &[LONE, &chosen]);
        run.to(400.0);
        assert_times(&run.times("no-progress"), &[]);
    }
}

/// ALLIANCE loses patience with a robot whose body does not obey, and a market reassigns its task.
#[test]
pub fn a_robot_that_is_taken_over_does_not_block_its_task() {
    for coordinator in ["alliance", "muroco", "cbba", "bite"] {
        let chosen = format!("team.coordinator={coordinator}");
        let held = "{when: robots.blue.task == 'find-locations' && time > 20, take-over: {robot: blue}}";
        let mut run = disturbed(held, &[&chosen, SMALL]);
        complete(&mut run, 2500.0);
        assert!(run.robot("blue").faults.hand().is_some(), "{coordinator}");
    }
}

/// One take-over per key press: past ones cost nothing, and the robot's memory of them does not grow.
#[test]
pub fn many_keys_do_not_slow_a_run() {
    let mut run = disturbed("", &[LONE]);
    let empty = postcard::to_stdvec(&run.robot("blue").faults).expect("plain data").len();
    for key in 0..2000 {
        let speed = f64::from(key % 3 - 1);
        let text = format!(r#"{{"at": 0, "take-over": {{"robot": "blue", "speed": {speed}, "turn": 0.1}}}}"#);
        run.simulation.inject(&outside(&text)).expect("it fits");
        if key % 10 == 0 {
            run.tick();
        }
    }
    run.tick();
    assert_eq!(run.simulation.state.schedule.not_happened().count(), 0);
    assert!(run.simulation.state.schedule.asleep(), "past disturbances are still processed");
    let faults = postcard::to_stdvec(&run.robot("blue").faults).expect("plain data").len();
    assert!(faults < empty + 64, "{faults} bytes");
}

#[test]
pub fn one_part_is_repaired_or_everything() {
    let broken = "{at: 1 s, sensor: {robot: blue, fault: dead}}, {at: 1 s, drive: {robot: blue, fault: dead}}, \
                  {at: 1 s, radio: {robot: blue, fault: dead}}, {at: 1 s, clock: {robot: blue, offset: 5 s}}, \
                  {at: 1 s, effector: {robot: blue, effector: gripper}}, {at: 1 s, emergency-stop: blue}, \
                  {at: 1 s, take-over: {robot: blue, speed: 1}}";
    let missing = |run: &Run| {
        run.robot("blue").percept.senses.iter().filter(|sense| sense.reading == Reading::Missing).count()
    };
    let broken_now = |run: &Run| run.robot("blue").faults.iter().count();
    let parts = "{at: 2 s, repair: {robot: blue, part: compass}}, {at: 3 s, repair: {robot: blue, part: gripper}}, \
                 {at: 4 s, repair: {robot: blue, part: radio}}, {at: 5 s, repair: {robot: blue, part: stop}}, \
                 {at: 6 s, repair: {robot: all}}, {at: 7 s, repair: {robot: blue, part: drive}}";
    let mut run = disturbed(&format!("{broken}, {parts}"), &[LONE]);
    let all = missing(run.to(1.5));
    assert_eq!(missing(run.to(2.1)), all - 1);
    assert_ne!(run.reading("blue", "compass"), &Reading::Missing);
    // All sensors but one, drive, radio, clock, gripper, stop and take-over; then one fewer each time.
    let left = all + 5;
    for (seconds, gone) in [(2.5, 0), (3.5, 1), (4.5, 2), (5.5, 3)] {
        assert_eq!(broken_now(run.to(seconds)), left - gone, "{seconds} s");
    }
    assert_eq!(broken_now(run.to(6.0)), 1, "only the take-over is left");
    let last = run.to(7.0).log.last().expect("told").event.words.to_string();
    assert!(last.starts_with("drive of blue is repaired, but nothing was broken"), "{last}");
    assert!(run.driven_to("blue", 9.0) > 0.5);
}

#[test]
pub fn a_repair_is_not_undone_by_the_end_of_the_fault() {
    // The second fault is of the same kind, and the end of the first must not repair it.
    let faults = "{at: 1 s, for: 4 s, drive: {robot: blue, fault: dead}}, {at: 2 s, repair: {robot: blue}}, \
                  {at: 3 s, for: 5 s, drive: {robot: blue, fault: dead}}";
    let mut run = disturbed(faults, &[LONE]);
    run.to(1.0);
    assert_eq!(run.driven_to("blue", 2.0), 0.0);
    assert!(run.driven_to("blue", 3.0) > 0.2);
    assert_eq!(run.driven_to("blue", 8.0), 0.0);
    assert_times(&run.times("disturbance-over"), &[5.0, 8.0]);
    assert!(run.driven_to("blue", 9.0) > 0.2);
}

#[test]
pub fn a_crashed_robot_that_is_repaired_starts_once() {
    let crash = "{at: 20 s, for: 20 s, crash: blue}, {at: 25 s, repair: {robot: blue, part: stop}}";
    let mut run = disturbed(crash, &[LONE]);
    assert!(run.to(24.9).body("blue").halted);
    let fresh = run.to(25.0).robot("blue").software.messages_said();
    assert!(!run.body("blue").halted && fresh == 0, "it has no memory");
    let said = run.to(39.9).robot("blue").software.messages_said();
    assert!(said > 10);
    assert!(run.to(41.0).robot("blue").software.messages_said() >= said, "it does not lose it twice");
    assert_times(&run.times("disturbance-over"), &[40.0]);
}

#[test]
pub fn an_empty_battery_is_exchanged() {
    let powered = "robot-types.cleaner.aspects={energy: {value: 50}}";
    let drained =
        "{at: 2 s, battery: {robot: blue, drain: 0.5 /s}}, {at: 8 s, repair: {robot: blue, part: battery}}";
    let mut run = disturbed(drained, &[LONE, powered]);
    run.await_event("exhausted", 5.0);
    run.to(8.0);
    assert_eq!(run.body("blue").aspects[0].fraction(), 1.0);
    assert!(run.driven_to("blue", 10.0) > 0.5);
    assert_eq!(run.times("exhausted").len(), 1);
}

#[test]
pub fn another_coordinator_takes_over_and_the_mission_is_completed() {
    for first in teams::KINDS {
        for second in teams::KINDS.iter().filter(|kind| kind.name != first.name && kind.name != "random") {
            let chosen = format!("team.coordinator={}", first.name);
            let change = format!("{{at: 40 s, coordinator: {}}}", second.name);
            let mut run = disturbed(&change, &[&chosen, SMALL]);
            let name = |run: &Run| run.simulation.state.coordinator(&run.simulation.model).to_string();
            assert_eq!(name(run.to(39.9)), first.name);
            let known = knowledge(&run);
            assert_eq!(name(run.to(40.0)), second.name);
            assert!(run.simulation.state.robots.iter().all(|robot| robot.software.active.is_none()));
            assert!(knowledge(&run) >= known, "robots keep their knowledge");
            complete(&mut run, 1500.0);
        }
    }
}

/// Number of robots that know where the deposit is: without that knowledge they would have to search again.
fn knowledge(run: &Run) -> usize {
    let skills = run.simulation.state.robots.iter().map(|robot| &robot.software.performer);
    skills.map(|skills| postcard::to_stdvec(skills).expect("plain data").len()).sum::<usize>() / 100
}

fn gauges(simulation: &Simulation, robot: RobotId) -> usize {
    let mut gauges = Vec::new();
    simulation.state.robots[robot].software.coordinator.gauges(&mut gauges);
    gauges.len()
}

#[test]
pub fn a_coordinator_is_restored_and_reaches_robots_that_start_later() {
    let expecting = super::EXPECTING.replace(", drive: false", "");
    let changes = "{at: 5 s, for: 20 s, coordinator: alliance}, {at: 8 s, for: 4 s, crash: green}, \
                   {at: 15 s, robot-added: {robot: gold}}";
    let mut run = disturbed(changes, &[&expecting]);
    let all = |run: &Run| RobotId::team(3).map(|robot| gauges(&run.simulation, robot)).collect::<Vec<_>>();
    assert_eq!(all(run.to(4.9)), [0, 0, 0], "greedy has no levels");
    assert!(all(run.to(5.0)).iter().all(|count| *count > 0), "also the one in reserve");
    assert!(all(run.to(13.0)).iter().all(|count| *count > 0), "also one that restarts");
    assert!(all(run.to(24.9)).iter().all(|count| *count > 0));
    assert_eq!(all(run.to(25.0)), [0, 0, 0]);
    assert_eq!(run.simulation.state.coordinator, None);
    // Two at a time: in the end the first coordinator is back, whichever change ends first.
    for (one, other) in [(4, 10), (10, 4)] {
        let changes = format!(
            "{{at: 1 s, for: {one} s, coordinator: alliance}}, {{at: 2 s, for: {other} s, coordinator: muroco}}"
        );
        let mut run = disturbed(&changes, &[]);
        assert_eq!(run.to(2.0).simulation.state.coordinator.as_deref(), Some("muroco"));
        let between = if one < other { "muroco" } else { "alliance" };
        assert_eq!(run.to(8.0).simulation.state.coordinator.as_deref(), Some(between));
        assert_eq!(run.to(13.0).simulation.state.coordinator, None);
    }
}

/// An intervention by hand is the same as a disturbance of a scenario at the end of the following tick.
#[test]
fn interventions_by_hand_can_be_written_as_a_scenario_and_repeated() {
    let session = [
        (3.0, "take-over: {robot: blue, speed: 60 %, turn: 30 %}"),
        (3.1, "take-over: {robot: blue, speed: -1, turn: 0}"),
        (5.0, "release: blue"),
        (6.0, "robot-moved: {robot: gold, place: [6 m, 6 m], heading: 45 deg}"),
        (7.0, "sensor: {robot: green, fault: dead}"),
        (9.0, "repair: {robot: green}"),
        (9.0, "items-moved: {number: 2, place: [1 m, 1 m], radius: 0 m}"),
        (12.0, "coordinator: alliance"),
        (15.0, "object-added: {name: box, circle: 0.2 m, at: [4 m, 4 m]}"),
    ];
    let written: Vec<String> =
        session.iter().map(|(at, what)| format!("{{at: {:.1} s, {what}}}", at + 0.1)).collect();
    let mut again = disturbed(&written.join(", "), &[]);
    let specs = again.simulation.state.schedule.disturbances().to_vec();
    let mut live = disturbed("", &[]);
    for ((at, _), planned) in session.iter().zip(specs) {
        live.to(*at);
        let at = Some(live.simulation.now().seconds() + live.simulation.model.dt());
        let timing = Timing { at, ..Timing::default() };
        live.simulation.inject(&DisturbanceSpec { timing, what: planned.what }).expect("it fits");
    }
    live.to(60.0);
    again.to(60.0);
    assert_eq!(live.log, again.log);
    let bytes = |run: &Run| postcard::to_stdvec(&run.simulation.state).expect("plain data");
    assert!(bytes(&live) == bytes(&again), "the same to the last byte");
}

#[test]
pub fn an_item_given_by_number_is_moved_out_of_a_gripper() {
    let mut run = disturbed("", &[SMALL, ONE]);
    run.await_event("picked", 150.0);
    let held = run.body("blue").holding.expect("just picked");
    let text = format!(
        r#"{{"at": 0, "for": 5, "items-moved": {{"number": {held}, "place": [3.25, 3.5], "radius": 0}}}}"#
    );
    run.simulation.inject(&outside(&text)).expect("it fits");
    let before = run.simulation.state.world.items[held as usize].position;
    run.tick();
    let item = &run.simulation.state.world.items[held as usize];
    assert_eq!((item.position, item.holder, run.body("blue").holding), (vec2(3.25, 3.5), None, None));
    let last = &run.log.last().expect("told").event.words;
    assert!(last.starts_with(&format!("item {held} is moved")), "{last}");
    let over = run.await_event("disturbance-over", 400.0);
    assert!(
        run.simulation.state.world.items[held as usize].position.distance(before) < 0.5,
        "back at {over} s"
    );
}

#[test]
pub fn an_item_given_by_number_is_removed() {
    let removed =
        "{at: 1 s, for: 2 s, items-removed: {number: 4}}, {at: 2 s, items-moved: {number: 4, area: deposit}}";
    let mut run = disturbed(removed, &[]);
    let there =
        |run: &Run| run.simulation.state.world.items.iter().map(|item| item.present).collect::<Vec<_>>();
    let where_it_was = run.simulation.state.world.items[4].position;
    let mut expected = vec![true; 6];
    expected[4] = false;
    assert_eq!(there(run.to(1.0)), expected);
    assert_eq!(there(run.to(3.0)), [true; 6]);
    // It is moved as soon as it is back.
    let at = run.simulation.state.world.items[4].position;
    assert!(at != where_it_was && run.area("deposit").outline.contains(at));
    assert_eq!(delays(&run), ["items-moved waits: there is no item 4 now"]);
    assert_eq!(run.simulation.state.schedule.not_happened().count(), 0);
}
