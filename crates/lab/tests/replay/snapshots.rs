//! A run that is saved at any time continues from there unchanged.

use super::trouble::Trouble;
use super::{Record, Setting, tick, try_all, visibility};
use crewlab_lab::sim::disturbances::DisturbanceSpec;
use crewlab_lab::sim::{ResultHash, Simulation, State};
use crewlab_scenario::Scenario;

/// Anything that can be serialised.
mod erased {
    pub trait Part {
        fn bytes(&self) -> Vec<u8>;
    }

    impl<T: serde::Serialize> Part for T {
        fn bytes(&self) -> Vec<u8> {
            postcard::to_stdvec(self).expect("plain data")
        }
    }
}

/// How long a run continues after the snapshot. [ticks]
const REST: u64 = 150;

/// Continues to the end; disturbances that were injected in between are injected here, too.
fn go_on(run: &mut Simulation, until: u64, outside: (u64, &DisturbanceSpec)) -> (Vec<Record>, String) {
    let (mut records, mut hash) = (Vec::new(), ResultHash::default());
    while run.state.tick < until {
        if run.state.tick == outside.0 {
            // A disturbance that was possible when it was drawn may not be possible any more: then it fails in both runs.
            let _ = run.inject(outside.1);
        }
        let record = tick(run);
        hash.events(&record.0);
        records.push(record);
    }
    (records, hash.finish(&run.state))
}

fn check(setting: &Setting, scenario: &Scenario, seed: u64) {
    let mut trouble = Trouble::new(scenario, seed);
    let mut setup = scenario.setup.clone();
    (setup.seed, setup.visibility) = (seed, visibility(seed));
    let (model, state) = &scenario.start;
    for _ in 0..10 {
        setup.disturbances.push(trouble.next(model, state));
    }
    let when = 1 + trouble.next(model, state).timing.at.map_or(250, |at| (10.0 * at) as u64);
    let name = format!("{}, seed {seed}, tick {when}", setting.name());
    let (model, state) = setup.build().unwrap_or_else(|errors| panic!("{name}: {errors:?}"));
    let mut run = Simulation::new(model, state, false);
    let (early, late) = (trouble.next(&run.model, &run.state), trouble.next(&run.model, &run.state));
    while run.state.tick < when {
        if run.state.tick == when / 2 {
            let _ = run.inject(&early);
        }
        tick(&mut run);
    }
    let bytes = postcard::to_stdvec(&run.state).expect("plain data");
    let restored: State = postcard::from_bytes(&bytes).expect("the same plain data");
    assert_eq!(postcard::to_stdvec(&restored).expect("plain data"), bytes, "{name}: written out again");
    let mut copy = Simulation::new(run.model.clone(), restored, false);
    let (until, outside) = (when + REST, (when + REST / 3, &late));
    let (expected, hash) = go_on(&mut run, until, outside);
    let (found, found_hash) = go_on(&mut copy, until, outside);
    for (place, (found, expected)) in found.iter().zip(&expected).enumerate() {
        assert_eq!(found.0, expected.0, "{name}: events {place} ticks later");
        assert_eq!(found.1, expected.1, "{name}: messages {place} ticks later");
    }
    // The part of the state that differs says more than two different hashes.
    let parts = |state: &State| {
        let bytes = |part: &dyn erased::Part| part.bytes();
        let mut parts: Vec<(String, Vec<u8>)> = vec![
            ("world".into(), bytes(&state.world)),
            ("radio".into(), bytes(&state.radio)),
            ("air".into(), bytes(&state.airwaves)),
            ("schedule".into(), bytes(&state.schedule)),
            ("operator".into(), bytes(&state.operator)),
        ];
        parts.extend(state.robots.iter().enumerate().map(|(n, robot)| (format!("robot {n}"), bytes(robot))));
        parts
    };
    for (found, expected) in parts(&copy.state).iter().zip(&parts(&run.state)) {
        assert!(found == expected, "{name}: {} differs", expected.0);
    }
    assert_eq!(found_hash, hash, "{name}");
}

#[test]
fn a_run_continues_from_a_snapshot_byte_for_byte() {
    try_all(check);
}
