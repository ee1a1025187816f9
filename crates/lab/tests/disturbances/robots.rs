//! Faults of robots.

use super::{EXPECTING, LONE, Run, STANDING, assert_close, assert_times, disturbed, service};
use crewlab_lab::sim::onboard::geometry::wrap;
use crewlab_lab::sim::onboard::{Reading, Vec2};
use crewlab_lab::sim::radio::{Radio, Tally};
use crewlab_sim::onboard::{EventKind, RobotId};
use std::f64::consts::PI;

/// A small room, in which a robot soon carries its first item.
const SMALL: &str = "world.size=[6 m, 6 m]";
const ONE: &str = "team.robots=[{name: blue, type: cleaner, side-range: true}]";

fn believed(run: &Run) -> Option<Vec2> {
    match run.reading("blue", "position") {
        Reading::Point(point) => Some(*point),
        _ => None,
    }
}

/// The mean error of the position sensor over the ticks until a time. [m]
fn error_until(run: &mut Run, seconds: f64) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    while run.simulation.now().seconds() < seconds - 1e-6 {
        // Sensing comes before moving.
        let truth = run.body("blue").pose.position;
        run.tick();
        sum += believed(run).expect("it works").distance(truth);
        count += 1.0;
    }
    sum / count
}

#[test]
pub fn a_dead_sensor_gives_nothing_until_it_is_repaired() {
    let dead = "{at: 2 s, for: 3 s, sensor: {robot: blue, sensor: position, fault: dead}}";
    let mut run = disturbed(dead, &[LONE]);
    assert!(believed(run.to(2.0)).is_some());
    for seconds in [2.1, 3.0, 5.0] {
        assert_eq!(run.to(seconds).reading("blue", "position"), &Reading::Missing, "at {seconds} s");
        assert_ne!(run.reading("blue", "compass"), &Reading::Missing);
    }
    assert!(believed(run.to(5.1)).is_some());
    // Without a name, all sensors are affected.
    let mut run = disturbed("{at: 2 s, for: 3 s, sensor: {robot: blue, fault: dead}}", &[LONE]);
    let missing =
        |run: &Run| run.robot("blue").percept.senses.iter().filter(|s| s.reading == Reading::Missing).count();
    assert_eq!(missing(run.to(2.0)), 0);
    assert_eq!(missing(run.to(2.1)), run.robot("blue").percept.senses.len());
    assert_eq!(missing(run.to(5.1)), 0);
}

#[test]
pub fn a_stuck_sensor_repeats_itself_while_the_robot_moves() {
    let stuck = "{at: 2 s, for: 3 s, sensor: {robot: blue, sensor: position, fault: stuck}}";
    let mut run = disturbed(stuck, &[LONE]);
    let (held, from) = (believed(run.to(2.0)), run.body("blue").pose.position);
    for seconds in [2.1, 3.0, 5.0] {
        assert_eq!(believed(run.to(seconds)), held);
    }
    let to = run.body("blue").pose.position;
    assert!(from.distance(to) > 1.0, "it moved from {from:?} to {to:?}");
    assert!(believed(run.to(5.1)).expect("repaired").distance(to) < 0.1);
}

#[test]
pub fn a_biased_sensor_is_off_by_its_severity() {
    let biased = "{at: 2 s, for: 3 s, sensor: {robot: blue, sensor: position, fault: biased, severity: 0.7}}";
    let mut run = disturbed(biased, &[LONE]);
    assert!(error_until(&mut run, 2.0) < 0.05);
    let off = error_until(&mut run, 5.0);
    assert!((0.65..1.05).contains(&off), "each coordinate is off by 0.7 m, found {off}");
    assert!(error_until(&mut run, 8.0) < 0.05);
}

#[test]
pub fn a_noisier_sensor_has_larger_errors() {
    let noisier =
        "{at: 2 s, for: 5 s, sensor: {robot: blue, sensor: position, fault: noisier, severity: 10 %}}";
    let mut run = disturbed(noisier, &[LONE]);
    let before = error_until(&mut run, 2.0);
    let during = error_until(&mut run, 7.0);
    let after = error_until(&mut run, 10.0);
    assert!(during > 5.0 * before && during > 5.0 * after, "{before} m, {during} m, {after} m");
}

#[test]
pub fn a_sensor_that_drops_out_misses_its_share() {
    let drops =
        "{at: 2 s, for: 100 s, sensor: {robot: blue, sensor: compass, fault: drops-out, severity: 0.3}}";
    let mut run = disturbed(drops, &[STANDING]);
    let sheet = &run.simulation.model.team[0].identity.datasheet;
    let compass = usize::from(sheet.sensor("compass").expect("it has one").0);
    let mut missed_until = |seconds: f64| {
        let mut missed = 0;
        while run.simulation.now().seconds() < seconds - 1e-6 {
            let now = run.simulation.now();
            run.tick();
            missed += usize::from(run.robot("blue").percept.senses[compass].at != now);
        }
        missed
    };
    assert_eq!(missed_until(2.0), 0);
    // 1000 readings: the standard error is 14.5.
    assert_close(missed_until(102.0) as f64, 300.0, 72.5);
    assert_eq!(missed_until(110.0), 0);
}

#[test]
pub fn a_dead_drive_does_not_move() {
    let mut run = disturbed("{at: 2 s, for: 3 s, drive: {robot: blue, fault: dead}}", &[LONE]);
    assert!(run.driven_to("blue", 2.0) > 0.5);
    let pose = run.body("blue").pose;
    assert_eq!(run.to(5.0).body("blue").pose, pose);
    assert!(run.driven_to("blue", 7.0) > 0.5);
}

#[test]
pub fn a_slower_drive_loses_its_share_of_the_speed() {
    let slower = "{at: 4 s, for: 4 s, drive: {robot: blue, fault: slower, severity: 75 %}}";
    let mut run = disturbed(slower, &[LONE]);
    let full = run.to(2.0).driven_to("blue", 4.0) / 2.0;
    let slow = run.driven_to("blue", 8.0) / 4.0;
    let again = run.driven_to("blue", 10.0) / 2.0;
    // The drive's own noise is 2 %, less when averaged over some ticks.
    assert_close(slow / full, 0.25, 0.02);
    assert_close(again / full, 1.0, 0.03);
}

#[test]
pub fn a_drive_that_pulls_turns_to_its_side() {
    for (severity, side) in [("1", 1.0), ("-1", -1.0)] {
        let pulls =
            format!("{{at: 2 s, for: 3 s, drive: {{robot: blue, fault: pulls, severity: {severity}}}}}");
        let mut run = disturbed(&pulls, &[LONE]);
        let mut veer_until = |seconds: f64| {
            let (mut sum, mut count) = (0.0, 0.0);
            while run.simulation.now().seconds() < seconds - 1e-6 {
                run.tick();
                sum += wrap(run.body("blue").pose.heading - PI);
                count += 1.0;
            }
            sum / count
        };
        assert!(veer_until(2.0).abs() < 0.03);
        let veered = veer_until(5.0);
        assert!(veered * side > 0.1, "{severity}: {veered} rad off its course");
        veer_until(6.5);
        assert!(veer_until(8.0).abs() < 0.05);
    }
}

#[test]
pub fn a_stuck_drive_continues_into_the_wall() {
    let near = LONE.replace("9 m", "3 m");
    let mut run = disturbed("{at: 2 s, for: 10 s, drive: {robot: blue, fault: stuck}}", &[&near]);
    let wall = run.to(11.9).body("blue").pose.position;
    assert!(wall.x < 0.25 && !run.times("contact").is_empty(), "it stands against the wall: {wall:?}");
    let free = run.to(22.0).body("blue").pose.position;
    assert!(free.distance(wall) > 1.0, "then it gets away: from {wall:?} to {free:?}");
    let mut sound = disturbed("", &[&near]);
    sound.to(11.9);
    assert!(sound.times("contact").is_empty(), "a sound drive stops before the wall");
}

#[test]
pub fn a_dead_gripper_grabs_nothing() {
    let dead = "{at: 0 s, for: 200 s, effector: {robot: blue, effector: gripper}}";
    let mut sound = disturbed("", &[SMALL, ONE]);
    assert!(sound.await_event("picked", 150.0) > 0.0);
    let mut run = disturbed(dead, &[SMALL, ONE]);
    run.to(200.0);
    assert_times(&run.times("picked"), &[]);
    assert!(run.await_event("picked", 260.0) > 200.0);
}

const POWERED: &str = "robot-types.cleaner.aspects={energy: {value: 50}}";

#[test]
pub fn a_battery_drains_only_while_it_lasts() {
    let drains = "{at: 2 s, for: 5 s, battery: {robot: blue, drain: 0.02 /s}}";
    let mut run = disturbed(drains, &[LONE, POWERED]);
    let energy = |run: &Run| run.body("blue").aspects[0].fraction();
    assert_eq!(energy(run.to(2.0)), 1.0);
    assert_close(energy(run.to(4.5)), 0.95, 1e-9);
    assert_close(energy(run.to(7.0)), 0.9, 1e-9);
    assert_close(energy(run.to(12.0)), 0.9, 1e-9);
}

#[test]
pub fn a_robot_whose_battery_is_empty_stops() {
    let mut run = disturbed("{at: 2 s, battery: {robot: blue, drain: 0.5 /s}}", &[LONE, POWERED]);
    let exhausted = run.await_event("exhausted", 5.0);
    assert_close(exhausted, 4.0, 0.15);
    run.tick();
    let pose = run.body("blue").pose;
    assert_eq!(run.to(10.0).body("blue").pose, pose);
}

/// Number of messages that a robot sends until a time.
fn spoken_until(run: &mut Run, robot: RobotId, seconds: f64) -> usize {
    let said = |run: &Run| run.simulation.state.robots[robot].software.messages_said();
    let before = said(run);
    (said(run.to(seconds)) - before) as usize
}

#[test]
pub fn a_stopped_robot_is_still_and_silent_and_lets_go() {
    let stop = "{when: robots.blue.holding && robots.blue.travelled > 25, for: 10 s, stop: blue}";
    let mut run = disturbed(stop, &[SMALL, ONE]);
    let stopped = run.await_event("disturbance", 300.0);
    let item = run.body("blue").holding.expect("that was the condition") as usize;
    let pose = run.body("blue").pose;
    run.tick();
    let lying = &run.simulation.state.world.items[item];
    assert!(lying.lies() && lying.position.distance(pose.position) < 0.3, "the item lies in front of it");
    assert_eq!(run.body("blue").holding, None);
    assert_eq!(spoken_until(&mut run, RobotId(0), stopped + 10.0), 0);
    assert_eq!(run.body("blue").pose, pose);
    assert_times(&run.times("disturbance-over"), &[stopped + 10.0]);
    assert!(spoken_until(&mut run, RobotId(0), stopped + 15.0) >= 2, "it continues as before");
    assert_eq!(run.robot("blue").software.active.map(|_| ()), Some(()));
    assert!(run.await_event("picked", stopped + 40.0) > 0.0);
}

#[test]
pub fn a_robot_whose_emergency_stop_is_pressed_stands_still_but_keeps_deciding() {
    let stop = "{when: robots.blue.holding && robots.blue.travelled > 25, for: 10 s, emergency-stop: blue}";
    let mut run = disturbed(stop, &[SMALL, ONE]);
    let stopped = run.await_event("disturbance", 300.0);
    let held = run.body("blue").holding;
    assert!(held.is_some() && !run.robot("blue").percept.stopped);
    let pose = run.body("blue").pose;
    assert!(spoken_until(&mut run, RobotId(0), stopped + 10.0) >= 5, "it talks");
    assert_eq!((run.body("blue").pose, run.body("blue").holding), (pose, held), "and keeps what it holds");
    assert!(run.robot("blue").percept.stopped, "and knows");
    assert_eq!(run.robot("blue").percept.senses[0].at.seconds(), stopped + 9.9, "and senses");
    assert_times(&run.times("disturbance-over"), &[stopped + 10.0]);
    assert!(run.driven_to("blue", stopped + 13.0) > 0.5);
    assert!(!run.robot("blue").percept.stopped);
}

#[test]
pub fn an_emergency_stop_is_noticed_and_another_robot_takes_over() {
    // The robot that is about to grasp the only cup.
    let at = |name: &str| format!("robots.{name}.action == 'grasp'");
    let anybody = ["eddie", "jimmy", "poppy"].map(at).join(" || ");
    let mut run = service(&format!("{{when: \"{anybody}\", emergency-stop: {{doing: serve}}}}"));
    let stopped = run.await_event("disturbance", 300.0);
    let robot = run.log.last().and_then(|logged| logged.robot).expect("one robot");
    run.to(stopped + 0.3);
    let active = run.simulation.state.robots[robot].software.active;
    assert_eq!(active, None, "work that needs its arm is impossible now");
    run.await_event("mission-completed", 300.0);
    let given = run.log.iter().find(|logged| logged.event.kind == EventKind::Given).expect("it was served");
    assert_ne!(given.robot, Some(robot));
}

#[test]
pub fn a_crashed_robot_starts_again_without_memory() {
    for (span, expected) in [("", 10.0), ("for: 4 s, ", 4.0)] {
        let crash = format!("{{when: robots.blue.holding, {span}crash: blue}}");
        let mut run = disturbed(&crash, &[SMALL, ONE]);
        let memory = |run: &Run| postcard::to_stdvec(&run.robot("blue").software).expect("plain data");
        let fresh = memory(&run);
        let crashed = run.await_event("disturbance", 300.0);
        assert_ne!(memory(&run), fresh);
        let pose = run.body("blue").pose;
        let restarted = run.await_event("disturbance-over", 300.0);
        assert_close(restarted - crashed, expected, 1e-6);
        assert_eq!(memory(&run), fresh);
        assert_eq!(run.body("blue").pose, pose);
        run.to(restarted + 1.0);
        assert_ne!(memory(&run), fresh);
        assert_eq!(
            run.simulation.state.task_of(&run.simulation.model, RobotId(0)).map(|task| task.0),
            Some(0)
        );
        assert!(run.await_event("found-locations", 600.0) > restarted, "it must find everything again");
    }
}

const TALKATIVE: &str = "team.greedy.broadcast-rate=10 /s";

fn tally(run: &Run) -> Tally {
    let tally = run.simulation.state.radio.tally();
    assert_eq!(tally.copies, tally.delivered + tally.lost.total() + tally.in_flight());
    tally
}

/// Copies delivered and lost until some time.
fn fates(run: &mut Run, seconds: f64) -> (f64, f64) {
    let before = tally(run);
    let after = tally(run.to(seconds));
    ((after.delivered - before.delivered) as f64, (after.lost.total() - before.lost.total()) as f64)
}

#[test]
pub fn a_dead_radio_neither_sends_nor_receives() {
    let sets = [LONE.replace(
        "}]",
        "}, {name: gold, type: cleaner, at: [2 m, 2 m]}, {name: green, type: cleaner, at: [2 m, 6 m]}]",
    )];
    let sets: Vec<&str> = sets.iter().map(String::as_str).chain([TALKATIVE]).collect();
    // Blue, which has the task, sends all messages.
    let mut run = disturbed("{at: 5 s, for: 3 s, radio: {robot: blue, fault: dead}}", &sets);
    run.to(2.0);
    let (delivered, lost) = fates(&mut run, 5.0);
    assert!(delivered > 40.0 && lost == 0.0);
    run.to(5.2);
    let (delivered, lost) = fates(&mut run, 8.0);
    assert!(delivered == 0.0 && lost > 40.0, "{delivered} {lost}");
    run.to(8.2);
    let (delivered, lost) = fates(&mut run, 11.0);
    assert!(delivered > 40.0 && lost == 0.0);
    // If gold is deaf, half of the copies are lost.
    let mut run = disturbed("{at: 5 s, for: 3 s, radio: {robot: gold, fault: dead}}", &sets);
    run.to(5.2);
    let (delivered, lost) = fates(&mut run, 8.0);
    assert!(delivered == lost && lost > 20.0, "{delivered} {lost}");
}

#[test]
pub fn a_deaf_radio_sends_and_a_mute_one_receives() {
    let team = LONE.replace(
        "}]",
        "}, {name: gold, type: cleaner, at: [2 m, 2 m]}, {name: green, type: cleaner, at: [2 m, 6 m]}]",
    );
    // Blue sends all messages, to two others.
    for (robot, fault, heard) in
        [("blue", "deaf", 1.0), ("blue", "mute", 0.0), ("gold", "deaf", 0.5), ("gold", "mute", 1.0)]
    {
        for radio in ["radio=ideal", "radio=wifi-outdoor"] {
            let broken = format!("{{at: 5 s, for: 3 s, radio: {{robot: {robot}, fault: {fault}}}}}");
            let mut run = disturbed(&broken, &[&team, TALKATIVE, radio]);
            run.to(5.2);
            let (delivered, lost) = fates(&mut run, 8.0);
            assert!(delivered + lost > 40.0, "{radio}: {delivered} {lost}");
            assert_eq!(delivered / (delivered + lost), heard, "{radio}, {robot} is {fault}");
            run.to(8.2);
            let (delivered, lost) = fates(&mut run, 11.0);
            assert!(delivered > 40.0 && lost == 0.0, "{radio}: {delivered} {lost}");
        }
    }
}

#[test]
pub fn a_lossy_radio_loses_its_share_both_ways() {
    let lossy = "{at: 5 s, for: 60 s, radio: {robot: all, fault: lossy, severity: 40 %}}";
    let mut run = disturbed(lossy, &[TALKATIVE]);
    run.to(5.2);
    let (delivered, lost) = fates(&mut run, 65.0);
    // A copy must get through two radios: 64 % are lost. Of 1000 copies the standard error is 15.
    assert!(delivered + lost > 1000.0, "{delivered} {lost}");
    assert_close(lost / (delivered + lost), 0.64, 0.08);
    run.to(66.0);
    assert_eq!(fates(&mut run, 70.0).1, 0.0);
}

#[test]
pub fn a_fast_clock_is_seen_in_the_heartbeats() {
    for (drift, expected) in [("100 %", 20.0), ("-50 %", 5.0), ("-100 %", 0.0)] {
        let clock = format!("{{at: 5 s, for: 10 s, clock: {{robot: blue, drift: {drift}}}}}");
        let mut run = disturbed(&clock, &[LONE]);
        run.to(2.0);
        assert_close(spoken_until(&mut run, RobotId(0), 5.0) as f64, 3.0, 1.0);
        assert_close(spoken_until(&mut run, RobotId(0), 15.0) as f64, expected, 1.0);
        run.to(16.0);
        assert_close(spoken_until(&mut run, RobotId(0), 26.0) as f64, 10.0, 1.0);
    }
}

#[test]
pub fn setting_a_clock_back_does_not_silence_the_robot() {
    for coordinator in ["greedy", "random", "alliance"] {
        let chosen = format!("team.coordinator={coordinator}");
        for (offset, start) in [("1000 s", 25.0), ("-1000 s", 25.0), ("1000 s", 2.0)] {
            let clock = format!("{{at: {start} s, for: 5 s, clock: {{robot: blue, offset: {offset}}}}}");
            let mut run = disturbed(&clock, &[&chosen]);
            let over = run.to(start + 6.0).to(26.0).simulation.now().seconds();
            let spoken = spoken_until(&mut run, RobotId(0), over + 10.0);
            // Fewer than usual: a robot that believes that 1000 s have passed may give its task up and take it again.
            assert!(spoken >= 5, "{coordinator}, {offset} at {start} s: {spoken} messages in 10 s");
        }
    }
}

#[test]
pub fn a_trapped_robot_gets_away_only_when_the_trap_is_gone() {
    let mut run = disturbed("{at: 2 s, for: 6 s, trap: blue}", &[LONE]);
    let place = run.to(2.0).body("blue").pose.position;
    assert_eq!(run.simulation.state.world.objects().len(), 4);
    for tenths in 21..=80 {
        let at = run.to(f64::from(tenths) / 10.0).body("blue").pose.position;
        assert!(at.distance(place) < 0.2, "{at:?} is outside the trap at {place:?}");
    }
    assert_eq!(run.simulation.state.world.objects().len(), 0);
    assert!(run.to(12.0).body("blue").pose.position.distance(place) > 1.0);
}

#[test]
pub fn a_robot_is_no_part_of_the_world_before_it_is_added() {
    let mut run = disturbed("{at: 2 s, for: 3 s, robot-added: {robot: gold}}", &[EXPECTING]);
    assert!(!run.body("gold").present);
    assert_close(run.to(2.0).clearance("blue"), 1.5, 0.05);
    assert!(run.body("gold").present);
    assert_close(run.to(3.0).clearance("blue"), 0.4, 0.05);
    assert_close(run.to(5.2).clearance("blue"), 1.5, 0.05);
    assert!(!run.body("gold").present);

    // It is no obstacle either: a crate can appear in its place, and then the robot has to start elsewhere.
    let crate_there = "{at: 1 s, object-added: {name: crate, circle: 0.2 m, at: [6.8 m, 4 m]}}";
    let mut run =
        disturbed(&format!("{crate_there}, {{at: 2 s, robot-added: {{robot: gold}}}}"), &[EXPECTING]);
    assert!(run.to(1.0).object("crate").is_some());
    let gold = run.to(2.0).body("gold");
    assert!(gold.present && gold.pose.position.distance(Vec2 { x: 6.8, y: 4.0 }) >= 0.4);

    // If a place is given, it waits for that place.
    let placed = "{at: 2 s, robot-added: {robot: gold, place: [6 m, 4.1 m]}}, {at: 5 s, robot-removed: blue}";
    let mut run = disturbed(placed, &[EXPECTING]);
    run.to(6.0);
    assert_times(&run.times("disturbance-delayed"), &[2.0]);
    assert_times(&run.times("disturbance"), &[5.0, 5.1]);
    assert_eq!(run.body("gold").pose.position, Vec2 { x: 6.0, y: 4.1 });
}

#[test]
pub fn a_removed_robot_is_no_part_of_the_world_until_it_is_back() {
    let mut run = disturbed("{at: 2 s, for: 3 s, robot-removed: gold}", &[STANDING]);
    let pose = run.body("gold").pose;
    assert_close(run.to(2.0).clearance("blue"), 0.4, 0.05);
    assert_close(run.to(2.2).clearance("blue"), 1.5, 0.05);
    assert!(!run.body("gold").present);
    assert_close(run.to(5.2).clearance("blue"), 0.4, 0.05);
    assert!(run.body("gold").present && run.body("gold").pose == pose);
}
