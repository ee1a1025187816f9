//! Medium access: carrier sense, hidden terminals, acknowledgements, rates.

use crate::stage::{Stage, TICK, free_space};
use crewlab_radio::workload::plain_receiver;
use crewlab_radio::{Access, EnergyParams, Loss, NodeId, PhysicalParams, Radio};

/// Delivery at the node in the middle of two others, each of which sends once in every 2 ms, at a random moment.
fn in_the_middle(apart: f64) -> (f64, f64) {
    let mut stage = Stage::new(plain_receiver(free_space()), &[[0.0, 0.0], [apart / 2.0, 0.0], [apart, 0.0]]);
    let mut random = 1u64;
    let mut step = || {
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (random >> 33) % 2_000_000
    };
    for _ in 0..50 {
        for slot in 0..50 {
            for sender in [0, 2] {
                let at = stage.now + slot * 2_000_000 + step();
                stage.radio.transmit(at, NodeId(sender), None, vec![0; 200]);
            }
        }
        stage.tick();
    }
    stage.ticks(10);
    let middle = || stage.fates.iter().filter(|fate| fate.receiver == NodeId(1));
    let lost = |why: Option<Loss>| middle().filter(|fate| fate.lost == why).count() as f64;
    (lost(None) / middle().count() as f64, lost(Some(Loss::Collision)) / middle().count() as f64)
}

#[test]
fn hidden_terminals_collide_and_do_not_once_they_hear_each_other() {
    // ns-3: 0.785 to 0.797 at 1600 m, where neither senses the other, and 0.992 to 0.994 at 800 m.
    let (hidden, collisions) = in_the_middle(1600.0);
    assert!((0.76..0.82).contains(&hidden), "{hidden}");
    assert!((hidden + collisions - 1.0).abs() < 1e-9, "all that is lost collided: {collisions}");
    let (seen, rare) = in_the_middle(800.0);
    assert!((0.985..=1.0).contains(&seen), "{seen}");
    assert!(rare < collisions / 10.0, "{rare} against {collisions}");
}

#[test]
fn a_wall_hides_terminals_from_each_other() {
    // Close together, but a wall between the senders: both are heard in the gap.
    let places = [[0.0, 0.0], [40.0, 30.0], [80.0, 0.0]];
    let run = |damping: f64| {
        let mut stage =
            Stage::new(plain_receiver(free_space()), &places).wall([40.0, -10.0], [40.0, 10.0], damping);
        for _ in 0..100 {
            stage.say(NodeId(0), 200);
            stage.radio.transmit(stage.now + 100_000, NodeId(2), None, vec![0; 200]);
            stage.tick();
        }
        stage.fates.iter().filter(|fate| fate.receiver == NodeId(1) && fate.lost.is_some()).count()
    };
    assert_eq!(run(0.0), 0);
    assert!(run(60.0) > 50);
}

#[test]
fn the_delay_is_the_sum_of_its_parts() {
    let mut stage =
        Stage::new(PhysicalParams { processing: 1e-3, ..free_space() }, &[[0.0, 0.0], [300.0, 0.0]]);
    stage.say(NodeId(0), 200);
    stage.tick();
    // Pause 50 us, frame 26 us + 80 symbols of 4 us, flight 1.0007 us, processing 1 ms.
    assert_eq!(stage.fates[0].settled, 50_000 + 346_000 + 1_001 + 1_000_000);
}

#[test]
fn messages_to_one_are_acknowledged_sent_again_and_speed_up() {
    let mut stage = Stage::new(free_space(), &[[0.0, 0.0], [20.0, 0.0], [0.0, 20.0]]);
    for _ in 0..20 {
        stage.tell(NodeId(0), NodeId(1), 200);
        stage.tick();
    }
    let tally = stage.tally();
    assert_eq!((tally.copies, tally.delivered), (20, 20));
    assert_eq!(
        (stage.heard_by(NodeId(1)), stage.heard_by(NodeId(2))),
        (20, 0),
        "only the one it is for hears it"
    );
    // Frame and acknowledgement each: 20 slow frames would need 20 * (346 + 50) us.
    assert_eq!(tally.transmissions, 40);
    assert!(tally.airtime < 20 * 250_000, "{}", tally.airtime);

    // Far away a third is lost; retries make up for it, and nothing is heard twice.
    let mut far = Stage::new(PhysicalParams { loss: 0.4, ..free_space() }, &[[0.0, 0.0], [20.0, 0.0]]);
    for _ in 0..200 {
        far.tell(NodeId(0), NodeId(1), 200);
        far.tick();
    }
    far.ticks(10);
    let tally = far.tally();
    assert_eq!(tally.delivered, 200, "{:?}", tally.lost);
    assert_eq!(far.heard_by(NodeId(1)), 200);
    assert!(tally.transmissions > 500, "{}", tally.transmissions);
}

#[test]
fn nobody_answers_a_message_to_a_dead_node() {
    let mut stage = Stage::new(free_space(), &[[0.0, 0.0], [20.0, 0.0]]);
    stage.nodes[1].alive = false;
    stage.look();
    stage.tell(NodeId(0), NodeId(1), 200);
    stage.ticks(3);
    let tally = stage.tally();
    assert_eq!((tally.transmissions, tally.lost.of(Loss::ReceiverDead)), (8, 1), "one try and seven retries");
}

#[test]
fn sending_costs_more_than_listening() {
    let energy = EnergyParams { transmit: 2.0, receive: 1.5, idle: 1.0, per_bit: 1e-6 };
    let mut stage =
        Stage::new(PhysicalParams { energy, ..free_space() }, &[[0.0, 0.0], [10.0, 0.0], [1e6, 0.0]]);
    stage.say(NodeId(0), 200);
    stage.tick();
    let used: Vec<f64> = (0..3).map(|node| stage.radio.usage(NodeId(node)).energy).collect();
    let (tick, frame) = (TICK as f64 * 1e-9, 346e-6);
    assert!((used[0] - (tick + frame + 236.0 * 8.0 * 1e-6)).abs() < 1e-9, "{used:?}");
    assert!((used[1] - (tick + 0.5 * frame)).abs() < 1e-9, "{used:?}");
    assert!((used[2] - tick).abs() < 1e-9, "{used:?}");
}

#[test]
fn shared_airtime_has_a_limited_capacity() {
    let params = PhysicalParams { access: Access::AirtimeShare, ..free_space() };
    let run = |each: usize| {
        let places: Vec<[f64; 2]> = (0..10).map(|i| [f64::from(i) * 10.0, 0.0]).collect();
        let mut stage = Stage::new(params.clone(), &places);
        for _ in 0..50 {
            (0..10).for_each(|node| (0..each).for_each(|_| stage.say(NodeId(node), 200)));
            stage.tick();
        }
        stage.ticks(20);
        let tally = stage.tally();
        assert_eq!(tally.in_flight(), 0);
        tally
    };
    // Ten nodes with ten frames of 346 us fill a third of a tick; sixty want twice the capacity.
    let light = run(10);
    assert_eq!(light.delivered, light.copies);
    let heavy = run(60);
    let share = heavy.delivered as f64 / heavy.copies as f64;
    assert!((0.45..0.6).contains(&share), "{share}");
    assert_eq!(heavy.lost.of(Loss::Expired) + heavy.lost.of(Loss::QueueFull), heavy.lost.total());
}

#[test]
fn shared_airtime_pays_for_receiving_and_speeds_up_messages_to_one() {
    let energy = EnergyParams { transmit: 1.0, receive: 3.0, idle: 1.0, per_bit: 0.0 };
    let params = PhysicalParams { access: Access::AirtimeShare, energy, ..free_space() };
    let mut stage = Stage::new(params, &[[0.0, 0.0], [20.0, 0.0]]);
    stage.say(NodeId(0), 200);
    stage.tick();
    assert!((stage.radio.usage(NodeId(1)).energy - (0.1 + 2.0 * 346e-6)).abs() < 1e-9);
    let before = stage.tally().airtime;
    for _ in 0..10 {
        stage.tell(NodeId(0), NodeId(1), 200);
        stage.tick();
    }
    stage.ticks(2);
    assert_eq!(stage.tally().delivered, 11);
    // The first one at the slowest rate, the others at the fastest: 26 us and 7 symbols.
    assert_eq!(stage.tally().airtime - before, 346_000 + 9 * 54_000);
    stage.nodes[1].alive = false;
    stage.look();
    stage.tell(NodeId(0), NodeId(1), 200);
    stage.ticks(2);
    assert_eq!(stage.tally().lost.of(Loss::ReceiverDead), 1);
}
