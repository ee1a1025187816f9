//! Messages that decode and say what cannot be: damaged ones that passed every checksum, or from a program that lies.

use super::script::{Crew, Scripted, plan};
use crate::bite::council::{Ballot, Member, Motion, View};
use crate::bite::graph::NodeId;
use crate::bite::talk::{BiteMessage, Offer, Talk};
use crate::bite::team::{Deed, Job, TeamEntry};
use crewlab_onboard::{Body, RobotId, Stream, StreamKind, Time};
use serde_json::json;

fn crew() -> Crew {
    let text = json!({
        "graph": {"root": "begin", "nodes": {
            "begin": {"next": ["one", "two"]},
            "one": {"children": ["left", "right"], "next": ["two"]},
            "left": {}, "right": {},
            "two": {"children": ["three", "four"], "again": true}, "three": {}, "four": {}
        }},
        "protocols": {"decide": "voting", "allocate": "bidding"}
    });
    let mut crew = Crew::new(plan(text, &["a", "b", "c"]), 3);
    for name in ["begin", "left", "right"] {
        let node = crew.node(name);
        crew.answers.iter_mut().for_each(|answers| answers.ended.push(node));
    }
    for name in ["one", "two", "left", "right"] {
        let node = crew.node(name);
        crew.answers.iter_mut().for_each(|answers| _ = answers.costs.insert(node, 1.0));
    }
    crew
}

/// All bodies that a crew says, as the radio carries them.
fn said(crew: &mut Crew) -> Vec<Vec<u8>> {
    let mut bodies = Vec::new();
    for _ in 0..60 {
        crew.step();
        for talk in crew.said.iter().flatten() {
            let message = BiteMessage { plan: crew.plan.graph.version, life: 0, talk: talk.clone() };
            if let Body::Coordination(bytes) = message.body() {
                bodies.push(bytes);
            }
        }
    }
    bodies
}

/// Bits flip in messages that a team really says, and pass every checksum. Nobody panics; what a robot is told may be wrong.
#[test]
fn damaged_messages_do_no_harm() {
    let bodies = said(&mut crew());
    let (mut decoded, mut refused) = (0, 0);
    for seed in 0..200 {
        let mut crew = crew();
        let mut random = Stream::new(seed, StreamKind::World, 0, 0);
        for tick in 0..40 {
            for place in 0..3 {
                let mut bytes = bodies[random.below(bodies.len())].clone();
                for _ in 0..1 + random.below(4) {
                    let at = random.below(bytes.len());
                    bytes[at] = match random.below(3) {
                        0 => bytes[at] ^ (1 << random.below(8)),
                        1 => 0xff,
                        _ => random.below(256) as u8,
                    };
                }
                let Some(mut message) = BiteMessage::of(&Body::Coordination(bytes)) else { continue };
                message.plan = crew.plan.graph.version;
                decoded += 1;
                let (before, now) =
                    (crew.engines[place].foreign(), Time::from_seconds(f64::from(tick) * 0.1));
                let from = RobotId(random.below(4) as u16);
                crew.engines[place].hear(now, from, message, &mut Vec::new());
                refused += crew.engines[place].foreign() - before;
            }
            crew.step();
            crew.engines.iter().for_each(|engine| _ = engine.standing());
        }
    }
    assert!(decoded > 2000 && refused > 20, "{decoded} {refused}");
}

#[test]
fn messages_about_behaviours_that_do_not_exist_are_counted_and_ignored() {
    let mut crew = crew();
    crew.steps(5);
    let nowhere = NodeId(900);
    let ballot = Ballot { round: 1, leader: Member { robot: RobotId(0), life: 0 } };
    let entry = |deed: Deed| TeamEntry { view: None, deeds: vec![deed] };
    let lies = [
        Talk::Offers(0, vec![Offer { child: nowhere, subject: 0, cost: 1.0, exclusive: true }]),
        Talk::Went(0, 0, nowhere),
        Talk::Status {
            slot: 0,
            promised: ballot,
            ended: Vec::new(),
            unable: Vec::new(),
            enabled: vec![nowhere],
            taken: false,
            alone: false,
        },
        Talk::Council(Motion::Decided { slot: 0, entry: entry(Deed::Chosen(0, Some(nowhere))) }),
        Talk::Council(Motion::Propose { slot: 0, ballot, entry: entry(Deed::Went(0, RobotId(1), nowhere)) }),
        Talk::Council(Motion::Promise {
            slot: 0,
            ballot,
            accepted: Some((
                ballot,
                entry(Deed::Allocated(0, vec![Job { robot: RobotId(1), child: nowhere, subject: 0 }])),
            )),
        }),
    ];
    for (place, talk) in lies.into_iter().enumerate() {
        let message = BiteMessage { plan: crew.plan.graph.version, life: 0, talk };
        let engine = &mut crew.engines[1];
        engine.hear(Time::from_seconds(0.5), RobotId(0), message, &mut Vec::new());
        assert_eq!(engine.foreign(), place as u64 + 1);
    }
    crew.steps(30);
    assert!(crew.stacks().iter().all(|stack| !stack.is_empty()), "{:?}", crew.stacks());
}

/// A state of a team whose frames lead out of the plan.
#[test]
fn a_state_that_cannot_be_is_refused() {
    let mut crew = crew();
    crew.steps(40);
    let (view, ballot) = (crew.engines[0].council().view().clone(), crew.engines[0].council().promised());
    let good = crew.engines[0].team().clone();
    assert!(good.fits(&crew.plan));
    let bytes = postcard::to_stdvec(&(view, ballot, good)).expect("plain data");
    let mut refused = 0;
    for at in 0..bytes.len() {
        for flip in [0x01, 0x40, 0xff] {
            let mut bytes = bytes.clone();
            bytes[at] ^= flip;
            let slot = crew.engines[2].council().slot() + 1;
            let mut engine = crew.engines[2].clone();
            let before = engine.foreign();
            let talk = Talk::State { slot, part: (0, 1), bytes };
            let message = BiteMessage { plan: crew.plan.graph.version, life: 0, talk };
            engine.hear(Time::from_seconds(4.0), RobotId(0), message, &mut Vec::new());
            refused += engine.foreign() - before;
            _ = engine.standing();
            let mut answers = Default::default();
            for tick in 41..45 {
                let random = Stream::new(1, StreamKind::Decisions, 2, tick);
                let mut local = Scripted { answers: &mut answers, random };
                engine.tick(Time::from_seconds(tick as f64 * 0.1), &[], &mut local, &mut Vec::new());
            }
        }
    }
    assert!(refused > 10, "{refused}");
    let empty = postcard::to_stdvec(&(View(Vec::new()), ballot, crew.engines[0].team().clone()));
    let talk = Talk::State { slot: 1000, part: (0, 1), bytes: empty.expect("plain data") };
    let message = BiteMessage { plan: crew.plan.graph.version, life: 0, talk };
    let before = crew.engines[2].foreign();
    crew.engines[2].hear(Time::from_seconds(4.0), RobotId(0), message, &mut Vec::new());
    assert_eq!(crew.engines[2].foreign(), before + 1, "nobody belongs to it");
}
