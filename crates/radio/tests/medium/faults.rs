//! Losses and their reasons.

use crate::stage::{Stage, free_space};
use crewlab_radio::physics::Fading;
use crewlab_radio::{Jammer, Loss, NodeId, PhysicalParams, Radio};

fn jammer(x: f64, power: f64) -> Jammer {
    Jammer { position: [x, 0.0], power, band: None, duty_cycle: 1.0, period: 0.01 }
}

/// Node 0 sends a message; returns why node 1 does not get it.
fn why(mut stage: Stage) -> Option<Loss> {
    stage.say(NodeId(0), 200);
    stage.ticks(10);
    let fate = stage.fates.iter().find(|fate| fate.receiver == NodeId(1)).expect("a fate");
    assert_eq!(stage.tally().in_flight(), 0);
    fate.lost
}

fn pair(apart: f64) -> Stage {
    Stage::new(free_space(), &[[0.0, 0.0], [apart, 0.0]])
}

fn changed(apart: f64, change: impl FnOnce(&mut Stage)) -> Stage {
    let mut stage = pair(apart);
    change(&mut stage);
    stage.look();
    stage
}

#[test]
fn every_loss_has_its_reason() {
    assert_eq!(why(pair(100.0)), None);
    assert_eq!(why(pair(50_000.0)), Some(Loss::Range));
    assert_eq!(why(pair(100.0).wall([50.0, -1.0], [50.0, 1.0], 12.0)), None);
    assert_eq!(why(pair(100.0).wall([50.0, -1.0], [50.0, 1.0], 40.0)), Some(Loss::Wall));
    assert_eq!(why(changed(100.0, |stage| stage.noise_rise = 40.0)), Some(Loss::Noise));
    assert_eq!(why(changed(100.0, |stage| stage.jammers.push(jammer(110.0, 10.0)))), Some(Loss::Jammed));
    assert_eq!(why(changed(100.0, |stage| stage.jammers.push(jammer(10.0, 20.0)))), Some(Loss::Jammed));
    assert_eq!(why(changed(100.0, |stage| stage.cuts.push((NodeId(0), NodeId(1))))), Some(Loss::Cut));
    assert_eq!(why(changed(100.0, |stage| stage.nodes[1].hears = false)), Some(Loss::ReceiverDead));
    assert_eq!(why(changed(100.0, |stage| stage.nodes[1].alive = false)), Some(Loss::ReceiverDead));
    assert_eq!(why(changed(100.0, |stage| stage.nodes[0].speaks = false)), Some(Loss::SenderDead));
    assert_eq!(why(changed(100.0, |stage| stage.nodes[1].loss = 1.0)), Some(Loss::Chance));
}

#[test]
fn deep_fades_do_not_count_as_walls() {
    let params = PhysicalParams { fading: Fading::Rayleigh, ..free_space() };
    // Close to the decoding limit, so that many fade away.
    let mut stage = Stage::new(PhysicalParams { power: -25.0, ..params }, &[[0.0, 0.0], [20.0, 0.0]]);
    for _ in 0..300 {
        stage.say(NodeId(0), 200);
        stage.tick();
    }
    let lost = stage.tally().lost;
    assert!(lost.of(Loss::Range) + lost.of(Loss::Noise) > 30, "{lost:?}");
    assert_eq!(lost.total(), lost.of(Loss::Range) + lost.of(Loss::Noise), "{lost:?}");
}

#[test]
fn a_burst_that_is_over_when_the_frame_ends_has_jammed_it_all_the_same() {
    let mut stage = pair(100.0);
    // Bursts of 30 us in every 300 us: some part of each frame of 346 us is hit.
    stage.jammers.push(Jammer { duty_cycle: 0.1, period: 300e-6, ..jammer(110.0, 20.0) });
    stage.look();
    for round in 0..200 {
        stage.radio.transmit(stage.now + round * 13_000, NodeId(0), None, vec![0; 200]);
        stage.tick();
    }
    let lost = stage.tally().lost;
    assert!(lost.total() > 100, "{lost:?}");
    assert_eq!(lost.of(Loss::Jammed), lost.total(), "{lost:?}");
}

#[test]
fn links_count_jammers_with_their_share_of_the_time() {
    let mut stage = pair(100.0);
    stage.jammers.push(Jammer { duty_cycle: 0.25, ..jammer(110.0, 20.0) });
    stage.look();
    let success = stage.radio.link(NodeId(0), NodeId(1)).expect("a link").success;
    assert!((success - 0.75).abs() < 1e-6, "{success}");
}

#[test]
fn receivers_without_noise_hear_from_anywhere() {
    let params = PhysicalParams { thermal_noise: false, power: -60.0, ..free_space() };
    assert_eq!(why(Stage::new(params, &[[0.0, 0.0], [5000.0, 0.0]])), None);
}

#[test]
fn long_delays_are_drawn_over_their_whole_length() {
    let params = PhysicalParams { stagger: 60.0, ..free_space() };
    let mut stage = Stage::new(params, &(0..40).map(|i| [f64::from(i), 0.0]).collect::<Vec<_>>());
    (0..40).for_each(|node| stage.say(NodeId(node), 20));
    stage.ticks(610);
    let latency = stage.tally().mean_latency().expect("messages");
    assert!((20.0..40.0).contains(&latency), "{latency} s");
}

#[test]
fn the_station_outside_can_be_cut_off_too() {
    let mut stage = pair(10.0);
    stage.cuts.push((NodeId(1), NodeId::OUTSIDE));
    stage.look();
    stage.radio.announce(stage.now, [5.0, 5.0], vec![1; 20]);
    stage.ticks(2);
    assert_eq!(
        (stage.heard_by(NodeId(0)), stage.heard_by(NodeId(1)), stage.tally().lost.of(Loss::Cut)),
        (1, 0, 1)
    );
}

#[test]
fn a_message_that_is_too_large_is_refused_and_counted() {
    let mut stage = pair(10.0);
    stage.say(NodeId(0), 2305);
    stage.tick();
    assert_eq!(stage.tally().lost.of(Loss::TooLarge), 1);
}

#[test]
fn queues_are_bounded_and_messages_expire() {
    let mut stage = Stage::new(PhysicalParams { queue: 5, ..free_space() }, &[[0.0, 0.0], [10.0, 0.0]]);
    (0..8).for_each(|_| stage.say(NodeId(0), 200));
    stage.ticks(3);
    let tally = stage.tally();
    assert_eq!((tally.delivered, tally.lost.of(Loss::QueueFull)), (5, 3));

    // A neighbour that never stops sending: a message waits half a second at most.
    let params = PhysicalParams { time_to_live: 0.05, ..free_space() };
    let mut stage = Stage::new(params, &[[0.0, 0.0], [10.0, 0.0]]);
    (0..400).for_each(|_| stage.say(NodeId(0), 1000));
    stage.ticks(5);
    let tally = stage.tally();
    assert!(tally.lost.of(Loss::Expired) > 300, "{:?}", tally.lost);
    assert_eq!(tally.in_flight(), 0);
}

#[test]
fn a_pulsed_jammer_destroys_its_share() {
    let mut stage = pair(100.0);
    // Too weak to keep the sender silent, strong enough at the receiver.
    stage.jammers.push(Jammer { duty_cycle: 0.5, period: 0.02, ..jammer(110.0, 10.0) });
    stage.look();
    for round in 0..400 {
        let at = stage.now + round * 1_303_000 % 20_000_000;
        stage.radio.transmit(at, NodeId(0), None, vec![0; 200]);
        stage.tick();
    }
    let share = stage.tally().delivery_ratio().expect("messages");
    assert!((0.35..0.65).contains(&share), "{share}");
}

#[test]
fn less_bandwidth_makes_frames_longer() {
    let full = {
        let mut stage = pair(10.0);
        stage.say(NodeId(0), 200);
        stage.tick();
        stage.tally().airtime
    };
    let mut stage = changed(10.0, |stage| stage.bandwidth_share = Some(0.5));
    stage.say(NodeId(0), 200);
    stage.tick();
    assert_eq!(stage.tally().airtime - 26_000, 2 * (full - 26_000));
}

#[test]
fn a_link_is_the_same_both_ways() {
    let params = PhysicalParams { shadowing: Some(Default::default()), ..free_space() };
    let stage =
        Stage::new(params, &[[0.0, 0.0], [31.0, 17.0], [60.0, -9.0]]).wall([20.0, -20.0], [20.0, 20.0], 7.0);
    for (a, b) in [(0, 1), (1, 2), (0, 2)] {
        assert_eq!(stage.radio.link(NodeId(a), NodeId(b)), stage.radio.link(NodeId(b), NodeId(a)));
    }
    assert_eq!(stage.radio.link(NodeId(0), NodeId(1)).expect("a link").walls, 7.0);
}

#[test]
fn a_budget_agrees_with_the_link() {
    let mut stage = pair(120.0).wall([60.0, -1.0], [60.0, 1.0], 12.0);
    stage.jammers.push(jammer(300.0, 10.0));
    stage.noise_rise = 3.0;
    stage.look();
    let (link, budget) = (
        stage.radio.link(NodeId(0), NodeId(1)).expect("a link"),
        stage.radio.budget(NodeId(0), NodeId(1), 200).expect("a budget"),
    );
    assert!((link.rx - budget.rx).abs() < 1e-9, "{} {}", link.rx, budget.rx);
    assert!((link.sinr - budget.sinr).abs() < 1e-9, "{} {}", link.sinr, budget.sinr);
    assert!((link.success - budget.broadcast.success).abs() < 1e-9);
}
