//! Messages that take more than one hop.

use crate::stage::{Stage, free_space};
use crewlab_radio::{Forwarding, Loss, NodeId, PhysicalParams};

/// Nodes in a line; each hears its neighbours only.
fn line(forwarding: Forwarding, hops: u32) -> Stage {
    let params = PhysicalParams { forwarding, hops, power: -10.0, sensitivity: Some(-82.0), ..free_space() };
    // -10 dBm reach 39.5 m at -82 dBm.
    Stage::new(params, &[[0.0, 0.0], [30.0, 0.0], [60.0, 0.0], [90.0, 0.0], [120.0, 0.0]])
}

#[test]
fn without_forwarding_only_neighbours_hear() {
    let mut stage = line(Forwarding::None, 4);
    stage.say(NodeId(0), 50);
    stage.ticks(3);
    assert_eq!((stage.tally().delivered, stage.tally().lost.of(Loss::Range)), (1, 3));
}

#[test]
fn flooding_reaches_as_far_as_the_hops_allow_and_everyone_once() {
    for (hops, reached) in [(1, 1), (2, 2), (3, 3), (4, 4), (9, 4)] {
        let mut stage = line(Forwarding::Flooding, hops);
        stage.say(NodeId(0), 50);
        stage.ticks(5);
        let tally = stage.tally();
        assert_eq!(tally.delivered, reached, "{hops} hops");
        assert_eq!(tally.lost.total(), 4 - reached);
        assert!((1..5).all(|node| stage.heard_by(NodeId(node)) <= 1));
        assert_eq!(stage.heard_by(NodeId(0)), 0);
    }
}

#[test]
fn routes_are_learned_used_and_dropped() {
    let mut stage = line(Forwarding::LinkState, 8);
    stage.ticks(100);
    let route = stage.radio.route(NodeId(0), NodeId(4)).expect("a route after ten seconds of hellos");
    assert_eq!((route.next, route.hops), (NodeId(1), 4));
    assert!(route.quality > 0.5, "{}", route.quality);
    stage.tell(NodeId(0), NodeId(4), 50);
    stage.ticks(5);
    assert_eq!(
        (stage.heard_by(NodeId(4)), stage.heard_by(NodeId(2))),
        (1, 0),
        "relays forward it without delivering it"
    );
    assert_eq!(stage.tally().delivered, 1);

    // The node in the middle dies: after a while nobody knows a route any more.
    stage.nodes[2].alive = false;
    stage.ticks(300);
    assert_eq!(stage.radio.route(NodeId(0), NodeId(4)).map(|route| route.hops), None);
    stage.tell(NodeId(0), NodeId(4), 50);
    stage.ticks(20);
    assert_eq!((stage.tally().delivered, stage.tally().in_flight()), (1, 0));
}
