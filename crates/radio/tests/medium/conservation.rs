//! Every copy is accounted for, and nothing depends on the order of calls.

use crate::stage::{Stage, free_space};
use crewlab_radio::physics::Fading;
use crewlab_radio::{Access, Forwarding, NodeId, Physical, PhysicalParams, Radio, ShadowingParams, Tally};
use proptest::prelude::*;

/// An action of a node in a tick.
#[derive(Clone, Debug)]
enum Act {
    Say(usize, usize),
    Tell(usize, u32, usize),
    Move(usize, f64, f64),
    Flip(usize, u8),
    Cut(u32, u32),
    Announce,
}

const NODES: usize = 6;

fn acts() -> impl Strategy<Value = Vec<Vec<Act>>> {
    let act = prop_oneof![
        4 => (0..NODES, 0..3000usize).prop_map(|(node, bytes)| Act::Say(node, bytes)),
        3 => (0..NODES, 0..NODES as u32 + 3, 1..400usize).prop_map(|(node, to, bytes)| Act::Tell(node, to, bytes)),
        2 => (0..NODES, -300.0..300.0, -300.0..300.0).prop_map(|(node, x, y)| Act::Move(node, x, y)),
        1 => (0..NODES, 0..3u8).prop_map(|(node, what)| Act::Flip(node, what)),
        1 => (0..NODES as u32, 0..NODES as u32).prop_map(|(a, b)| Act::Cut(a, b)),
        1 => Just(Act::Announce),
    ];
    prop::collection::vec(prop::collection::vec(act, 0..12), 1..8)
}

fn any_params() -> impl Strategy<Value = PhysicalParams> {
    let forwarding =
        prop_oneof![Just(Forwarding::None), Just(Forwarding::Flooding), Just(Forwarding::LinkState)];
    let access = prop_oneof![4 => Just(Access::Csma), 1 => Just(Access::AirtimeShare)];
    let fading = prop_oneof![Just(Fading::None), Just(Fading::Rician), Just(Fading::Rayleigh)];
    let power = prop_oneof![Just(20.0), Just(-20.0)];
    (forwarding, access, fading, power, any::<bool>(), 1..20u32, 0.0..0.3).prop_map(
        |(forwarding, access, fading, power, shadow, queue, loss)| PhysicalParams {
            forwarding,
            access,
            fading,
            power,
            queue,
            loss,
            shadowing: shadow.then(ShadowingParams::default),
            stagger: 0.02,
            ..free_space()
        },
    )
}

fn start(params: &PhysicalParams) -> Stage {
    let places: Vec<[f64; 2]> = (0..NODES).map(|i| [(i * 37 % 90) as f64, (i * 53 % 70) as f64]).collect();
    let mut stage = Stage::new(params.clone(), &places).wall([40.0, -200.0], [40.0, 200.0], 15.0);
    stage.jammers.push(crewlab_radio::Jammer {
        position: [10.0, 10.0],
        power: -30.0,
        band: None,
        duty_cycle: 0.3,
        period: 0.007,
    });
    stage.look();
    stage
}

fn perform(stage: &mut Stage, act: &Act) {
    match *act {
        Act::Say(node, bytes) => stage.say(NodeId::from_index(node), bytes),
        Act::Tell(node, to, bytes) => stage.tell(NodeId::from_index(node), NodeId(to), bytes),
        Act::Move(node, x, y) => stage.nodes[node].position = [x, y],
        Act::Flip(node, what) => {
            let node = &mut stage.nodes[node];
            match what {
                0 => node.alive = !node.alive,
                1 => node.hears = !node.hears,
                _ => node.speaks = !node.speaks,
            }
        }
        Act::Cut(a, b) if a < b => stage.cuts = vec![(NodeId(a), NodeId(b))],
        Act::Cut(..) => stage.cuts.clear(),
        Act::Announce => stage.radio.announce(stage.now, [5.0, 5.0], vec![9; 40]),
    }
}

fn agree(stage: &Stage) {
    let tally = stage.tally();
    assert_eq!(tally.copies, tally.delivered + tally.lost.total() + tally.in_flight());
    let delivered = stage.fates.iter().filter(|fate| fate.lost.is_none()).count() as u64;
    assert_eq!(delivered, tally.delivered, "every delivery has its fate");
    assert_eq!(stage.fates.len() as u64 - delivered, tally.lost.total(), "every loss has its fate");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn every_copy_is_delivered_lost_or_in_flight(params in any_params(), script in acts()) {
        let mut stage = start(&params);
        for tick in &script {
            tick.iter().for_each(|act| perform(&mut stage, act));
            stage.tick();
            agree(&stage);
        }
        // Long enough for every queue, retry and forwarded copy to finish.
        stage.ticks(80);
        agree(&stage);
        prop_assert_eq!(stage.tally().in_flight(), 0);
    }

    #[test]
    fn a_restored_radio_continues_byte_for_byte(params in any_params(), script in acts(), cut in 0..8usize) {
        let run = |restore: Option<usize>| {
            let mut stage = start(&params);
            for (index, tick) in script.iter().enumerate() {
                if restore == Some(index) {
                    let bytes = postcard::to_stdvec(&stage.radio).expect("plain data");
                    stage.radio = postcard::from_bytes::<Physical>(&bytes).expect("the same radio");
                    stage.radio.watch(true);
                }
                tick.iter().for_each(|act| perform(&mut stage, act));
                stage.tick();
            }
            stage.ticks(3);
            (postcard::to_stdvec(&stage.radio).expect("plain data"), stage.heard)
        };
        prop_assert_eq!(run(None), run(Some(cut % script.len())));
    }

    #[test]
    fn the_order_of_senders_within_a_tick_does_not_matter(params in any_params(), script in acts()) {
        let run = |backwards: bool| -> (Tally, Vec<(NodeId, Vec<u8>)>) {
            let mut stage = start(&params);
            for tick in &script {
                let (said, done): (Vec<&Act>, Vec<&Act>) =
                    tick.iter().partition(|act| matches!(act, Act::Say(..) | Act::Tell(..)));
                done.into_iter().for_each(|act| perform(&mut stage, act));
                // The order in which one node sends counts; that of different nodes must not.
                let mut nodes: Vec<usize> = (0..NODES).collect();
                if backwards {
                    nodes.reverse();
                }
                for node in nodes {
                    let by = |act: &&&Act| matches!(act, Act::Say(n, _) | Act::Tell(n, ..) if *n == node);
                    said.iter().filter(by).for_each(|act| perform(&mut stage, act));
                }
                stage.tick();
            }
            stage.ticks(5);
            (stage.tally(), stage.heard)
        };
        prop_assert_eq!(run(false), run(true));
    }

    #[test]
    fn watching_changes_nothing(params in any_params(), script in acts(), looks in prop::collection::vec(any::<bool>(), 8)) {
        // Never, always, or on and off.
        let run = |watches: &dyn Fn(usize) -> bool| {
            let mut stage = start(&params);
            stage.radio = Physical::new(params.clone(), None, 7);
            stage.look();
            for (index, tick) in script.iter().enumerate() {
                stage.radio.watch(watches(index));
                tick.iter().for_each(|act| perform(&mut stage, act));
                stage.tick();
            }
            (stage.tally(), stage.heard)
        };
        let never = run(&|_| false);
        prop_assert_eq!(&never, &run(&|_| true));
        prop_assert_eq!(&never, &run(&|index| looks[index % looks.len()]));
    }
}
