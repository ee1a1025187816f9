//! Disturbances of communication: links, noise, jammers, walls.

use super::{Run, STANDING, assert_close, attempt, disturbed};
use crewlab_lab::sim::Simulation;
use crewlab_lab::sim::disturbances::DisturbanceSpec;
use crewlab_lab::sim::radio::{Loss, NodeId, Radio, Tally};
use serde_json::json;

const OPEN_AIR: &str = "radio=wifi-outdoor";
const TALKATIVE: &str = "team.greedy.broadcast-rate=10 /s";
/// A jammer in the corner that is switched off.
const JAMMER: &str =
    "world.objects=[{name: jammer, circle: 0.1 m, at: [1 m, 1 m], jammer: {on: false, power: 30 dBm}}]";

fn tally(run: &Run) -> Tally {
    run.simulation.state.radio.tally()
}

/// Copies delivered, and lost for this reason, from now until some time.
fn until(run: &mut Run, seconds: f64, why: Loss) -> (u64, u64) {
    let before = tally(run);
    let after = tally(run.to(seconds));
    (after.delivered - before.delivered, after.lost.of(why) - before.lost.of(why))
}

/// Delivered and lost copies before, during and after a disturbance from 5 s to 8 s.
fn before_during_after(run: &mut Run, why: Loss) -> [(u64, u64); 3] {
    run.to(2.0);
    let before = until(run, 5.0, why);
    run.to(5.2);
    let during = until(run, 8.0, why);
    run.to(8.2);
    [before, during, until(run, 11.0, why)]
}

#[test]
pub fn a_jammer_is_heard_while_it_is_on() {
    let jams = "{at: 5 s, for: 3 s, jammer: {object: jammer}}";
    let mut run = disturbed(jams, &[OPEN_AIR, TALKATIVE, JAMMER, STANDING]);
    let [before, during, after] = before_during_after(&mut run, Loss::Jammed);
    // 30 dBm a few metres away: senders that listen before they speak stay silent.
    assert!(before.0 > 40 && before.1 == 0, "{before:?}");
    assert!(during.0 == 0 && during.1 > 20, "{during:?}");
    assert!(after.0 > 40, "{after:?}");
}

#[test]
pub fn a_jammer_is_changed_and_changed_back() {
    let changes = "{at: 2 s, for: 4 s, jammer: {object: jammer, at: [3 m, 2 m], power: 10 dBm}}, \
                   {at: 3 s, for: 6 s, jammer: {object: jammer, power: 5 dBm, on: false}}, \
                   {at: 4 s, for: 3 s, object-moved: {object: jammer, to: [5 m, 2 m]}}";
    let mut run = disturbed(changes, &[OPEN_AIR, JAMMER, STANDING]);
    let first = run.object("jammer").cloned();
    let mut look = |seconds: f64| {
        let object = run.to(seconds).object("jammer").expect("it is there");
        let jammer = object.jammer.as_ref().expect("it is a jammer");
        (jammer.on, jammer.power, object.pose.position.x)
    };
    assert_eq!(look(1.9), (false, 30.0, 1.0));
    assert_eq!(look(2.0), (true, 10.0, 3.0));
    assert_eq!(look(3.0), (false, 5.0, 3.0));
    assert_eq!(look(4.0), (false, 5.0, 5.0));
    assert_eq!(look(6.0), (false, 5.0, 5.0), "the later ones last");
    assert_eq!(look(7.0), (false, 5.0, 1.0));
    assert_eq!(look(9.0), (false, 30.0, 1.0));
    assert_eq!(run.object("jammer").cloned(), first);
}

#[test]
fn a_wall_that_damps_more_is_restored() {
    let wall = "world.objects=[{name: wall, wall: [[0 m, -1 m], [0 m, 1 m]], at: [6.4 m, 4 m], penetrability: 1, material: wood}]";
    let thick = "{at: 5 s, for: 3 s, object-changed: {object: wall, damping: 150 dB}}";
    let mut run = disturbed(thick, &[OPEN_AIR, TALKATIVE, wall, STANDING]);
    let [before, during, after] = before_during_after(&mut run, Loss::Wall);
    assert!(before.1 == 0 && after.1 == 0, "{before:?} {after:?}");
    assert!(during.1 > 20, "blue and gold stand on either side: {during:?}");
    assert_eq!(run.object("wall").map(|wall| wall.damping), Some(4.0));
}

#[test]
pub fn a_cut_link_carries_nothing_either_way() {
    for radio in ["radio=ideal", OPEN_AIR] {
        // One of three robots sends; one of its two links is cut.
        let cut = "{at: 5 s, for: 3 s, link-cut: {between: [blue, gold]}}, \
                   {at: 5 s, for: 3 s, link-cut: {between: [green, gold]}}";
        let mut run = disturbed(cut, &[radio, TALKATIVE, STANDING]);
        let [before, during, after] = before_during_after(&mut run, Loss::Cut);
        assert!(before.0 > 40 && before.1 == 0, "{radio}: {before:?}");
        assert!(during.0 == during.1 && during.0 > 20, "{radio}: {during:?}");
        assert!(after.0 > 40 && after.1 == 0, "{radio}: {after:?}");
    }
}

/// The pairs of nodes that do not hear each other.
fn cut_pairs(simulation: &Simulation) -> Vec<(u32, u32)> {
    simulation.state.airwaves.cuts().iter().map(|(a, b)| (a.0, b.0)).collect()
}

#[test]
pub fn a_link_between_random_robots_can_be_cut() {
    for seed in 1..=20 {
        let cuts = "disturbances=[{at: 1 s, for: 2 s, link-cut: {between: [random, random]}}, \
                    {at: 1 s, for: 4 s, link-cut: {between: [all, blue]}}]";
        let mut run = attempt(seed, &[cuts]).unwrap_or_else(|problems| panic!("{problems}"));
        let mut cuts = |seconds: f64| cut_pairs(&run.to(seconds).simulation);
        let all = cuts(1.0);
        assert!(all.starts_with(&[(0, 1), (0, 2)]) && all.len() <= 3, "{all:?}");
        assert_eq!(cuts(3.0), [(0, 1), (0, 2)], "links that both have cut stay cut");
        assert!(cuts(5.0).is_empty());
    }
}

#[test]
pub fn a_split_team_hears_only_its_own_side() {
    for (group, left) in [("[gold]", 1), ("[blue, gold, green]", 2)] {
        let split = format!("{{at: 5 s, for: 3 s, partition: {{group: {group}}}}}");
        let mut run = disturbed(&split, &[TALKATIVE, STANDING]);
        let [before, during, after] = before_during_after(&mut run, Loss::Cut);
        assert!(before.0 > 40 && before.1 == 0 && after.0 > 40 && after.1 == 0, "{before:?} {after:?}");
        // Green sends to two others.
        assert_eq!(during.0 * (2 - left), during.1 * left, "{group}: {during:?}");
    }
}

/// Half of three robots is two; a share is never nobody and never all.
#[test]
pub fn a_share_of_the_team_is_chosen_by_chance() {
    let mut seen = [0; 3];
    for seed in 1..=30 {
        for (share, cut) in [("0 %", 1), ("30 %", 1), ("50 %", 2), ("100 %", 2)] {
            let split = format!("disturbances=[{{at: 1 s, for: 2 s, partition: {{share: {share}}}}}]");
            let mut run = attempt(seed, &[&split]).unwrap_or_else(|problems| panic!("{problems}"));
            let before = run.to(0.9).simulation.state.airwaves.cuts().len();
            let during = cut_pairs(&run.to(2.0).simulation);
            // Two of the three pairs of robots are separated, whichever robot is alone, and the operator from the group.
            let robots = during.iter().filter(|(_, other)| *other < 3).count();
            assert_eq!((before, robots, during.len()), (0, 2, 2 + cut), "{share}: {during:?}");
            let alone = (0..3).find(|robot| during.iter().all(|(a, b)| a == robot || b == robot || *b > 2));
            seen[alone.expect("one of three is alone") as usize] += 1;
            assert!(run.to(4.0).simulation.state.airwaves.cuts().is_empty());
        }
    }
    assert!(seen.iter().all(|count| *count > 20), "{seen:?}");
}

#[test]
pub fn a_group_does_not_hear_the_operator() {
    let split =
        "{at: 2 s, for: 20 s, partition: {group: [blue]}}, {at: 5 s, task-cancelled: report-progress}";
    let mut run = disturbed(split, &[STANDING]);
    let (_, lost) = until(&mut run, 10.0, Loss::Cut);
    let order = run.simulation.state.operator.wants(3);
    assert!(!order && lost > 0, "{lost} copies lost");
    run.simulation.listen = true;
    let mut heard = [false; 3];
    while run.simulation.now().seconds() < 26.0 {
        run.tick();
        let orders = run.simulation.fates.iter().filter(|fate| fate.sender == NodeId::OUTSIDE);
        for fate in orders {
            let over = run.simulation.now().seconds() > 22.0;
            assert_eq!(fate.lost.is_some(), fate.receiver == NodeId(0) && !over, "{fate:?}");
            heard[fate.receiver] |= fate.lost.is_none();
        }
    }
    assert_eq!(heard, [true; 3], "the operator repeats it");
}

#[test]
pub fn noise_drowns_everything_while_it_lasts() {
    let noise = "{at: 5 s, for: 3 s, noise: {rise: 70 dB}}, {at: 5 s, for: 1 s, noise: {rise: 10 dB}}";
    let mut run = disturbed(noise, &[OPEN_AIR, TALKATIVE, STANDING]);
    let [before, during, after] = before_during_after(&mut run, Loss::Noise);
    assert!(before.0 > 40 && before.1 == 0, "{before:?}");
    assert!(during.0 < during.1, "the noise of -24 dBm does not drown robots some metres away: {during:?}");
    assert!(after.0 > 40 && after.1 == 0, "{after:?}");
}

#[test]
pub fn messages_take_longer_with_less_bandwidth() {
    let less = "{at: 5 s, for: 3 s, bandwidth: {share: 20 %}}, {at: 5 s, for: 4 s, bandwidth: {share: 50 %}}";
    let mut run = disturbed(less, &[OPEN_AIR, TALKATIVE, STANDING, "radio.stagger=0"]);
    let mut latency = |from: f64, to: f64| {
        let before = tally(run.to(from));
        let after = tally(run.to(to));
        (after.latency - before.latency) as f64 / (after.delivered - before.delivered) as f64
    };
    let (before, during, half, after) =
        (latency(2.0, 5.0), latency(5.2, 8.0), latency(8.2, 9.0), latency(9.2, 12.0));
    assert!(during > 2.0 * before && half > 1.2 * before && half < during, "{before} {during} {half} ns");
    assert_close(after / before, 1.0, 0.3);
}

#[test]
fn noise_does_not_affect_the_ideal_radio() {
    for kind in ["noise: {rise: 10 dB}", "bandwidth: {share: 50 %}", "jammer: {object: jammer}"] {
        let set = format!("disturbances=[{{at: 1 s, {kind}}}]");
        let said = match attempt(1, &[JAMMER, &set]) {
            Ok(_) => panic!("{kind} was accepted"),
            Err(problems) => problems.to_string(),
        };
        for part in ["no effect on the ideal radio", "`radio: wifi-indoor`"] {
            assert!(said.contains(part), "{kind}: no `{part}` in\n{said}");
        }
        assert!(attempt(1, &[JAMMER, &set, OPEN_AIR]).is_ok(), "{kind}");
    }
    // The same from a program while the simulation is running.
    let noise: DisturbanceSpec =
        serde_json::from_value(json!({"at": 1.0, "noise": {"rise": 10.0}})).expect("a disturbance");
    assert!(disturbed("", &[]).simulation.inject(&noise).is_err());
    assert!(disturbed("", &[OPEN_AIR]).simulation.inject(&noise).is_ok());
}

#[test]
fn a_radio_takes_from_the_battery() {
    let powered = "robot-types.cleaner.aspects={energy: {value: 50}}";
    let energy = |run: &Run| run.body("blue").aspects[0].value;
    let mut run = disturbed("", &[STANDING, OPEN_AIR, powered]);
    // It listens most of the time, at 0.82 W.
    assert_close(energy(run.to(10.0)), 50.0 - 8.2, 0.5);
    assert!(run.await_event("exhausted", 70.0) > 50.0);
    let mut ideal = disturbed("", &[STANDING, powered]);
    assert_eq!(energy(ideal.to(10.0)), 50.0);
}

/// A robot's queries to its radio are answered from its own measurements.
#[test]
fn robots_learn_their_links_from_what_they_hear() {
    let mut run = disturbed("", &[STANDING, OPEN_AIR, TALKATIVE]);
    run.to(10.0);
    let heard = |name: &str, of: NodeId| {
        let estimator = run.robot(name).estimator.as_ref().expect("the radio is physical");
        estimator.heard(of).map(|(_, signal)| signal)
    };
    let speaker = NodeId::first(3).find(|of| heard("gold", *of).is_some()).expect("somebody speaks");
    let signal = heard("gold", speaker).expect("just found");
    assert!(signal.rssi < 0.0 && signal.sinr > 20.0, "{signal:?}");
    assert_eq!(heard("gold", NodeId(1)), None, "nobody hears itself");
    assert!(disturbed("", &[]).robot("gold").estimator.is_none(), "nothing is measured on the ideal radio");
}
