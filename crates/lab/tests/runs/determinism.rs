//! Same scenario, same seed, same bytes: for any number of threads, and after a restart from a snapshot.

use super::{scenario, simulation};
use crewlab_lab::bench::{arena::Arena, world};
use crewlab_lab::run::{RunOptions, run};
use crewlab_lab::sim::{Model, ResultHash, Simulation, State, teams};
use std::sync::Arc;

/// The result of waste-cleanup with seed 1 on x86-64. It changes whenever the simulation changes in any way. Then check what
/// changed, and put the new value here.
const WASTE_CLEANUP_SEED_1: &str = "f68268b560edb1b5821c61556b9acd61c3ec1e603562e489af8e902a5ad6491a";
/// The same for 2,000 diffusing robots after 100 ticks, which use all threads.
const DIFFUSION_2000: &str = "d9b30b7ed026c2b914372bdc34582dce2534da28534ea11c98b6902717113c08";

fn hash(name: &str, seed: u64, threads: usize) -> String {
    let options = RunOptions {
        out: None,
        force: false,
        threads,
        timing: false,
        scan_logs: false,
        stop: Default::default(),
    };
    run(&scenario(name, seed, &[]), &options, &mut |_| {})
        .expect("nothing is written, so nothing can fail")
        .result_hash
}

#[test]
fn threads_do_not_change_a_mission() {
    for threads in [1, 2, 8] {
        assert_eq!(hash("waste-cleanup", 1, threads), WASTE_CLEANUP_SEED_1, "{threads} threads");
    }
}

#[test]
fn seeds_change_a_mission() {
    assert_ne!(hash("waste-cleanup", 2, 1), WASTE_CLEANUP_SEED_1);
}

#[test]
fn threads_do_not_change_a_crowd() {
    let arena = Arena::generate(2000, 1);
    let (model, state) =
        world::setup(&arena, true).expect("a valid scenario").build().expect("can be started");
    for threads in [1, 2, 8] {
        assert_eq!(hash_with(threads, &model, &state), DIFFUSION_2000, "{threads} threads");
    }
}

#[test]
fn threads_do_not_change_ten_robots_that_are_expensive() {
    let sets = [
        "team.robots=[{name: robot, type: wanderer, count: 10}]",
        "robot-types.wanderer.sensors.low-proximity={beams: 10000, range: 3 m}",
        "parameters.broadcast=true",
    ];
    let (model, state) = scenario("diffusion", 1, &sets).start;
    let expected = hash_with(1, &model, &state);
    for threads in [2, 3, 8] {
        assert_eq!(hash_with(threads, &model, &state), expected, "{threads} threads");
    }
}

/// The fingerprint of 100 ticks with this many threads.
fn hash_with(threads: usize, model: &Arc<Model>, state: &State) -> String {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    pool.install(|| advance(Simulation::new(model.clone(), state.clone(), threads > 1), 100))
}

/// Continues for some ticks and returns a fingerprint of the results.
fn go_on(model: &Arc<Model>, state: State, ticks: usize) -> String {
    advance(Simulation::new(model.clone(), state, false), ticks)
}

fn advance(mut simulation: Simulation, ticks: usize) -> String {
    let (mut hash, mut log) = (ResultHash::default(), Vec::new());
    for _ in 0..ticks {
        log.clear();
        simulation.tick(&mut log);
        hash.events(&log);
    }
    hash.finish(&simulation.state)
}

/// The whole state is plain data: serialised and read back, a run continues byte for byte.
#[test]
fn a_run_restored_from_a_snapshot_continues_as_the_original() {
    for coordinator in teams::KINDS {
        let set = format!("team.coordinator={}", coordinator.name);
        for sets in [
            &[set.as_str()][..],
            &[&set, "radio.loss=0.3", "radio.delay=0.35 s", "team.visibility=same-tick"],
            &[
                &set,
                "radio={model: wifi-indoor, forwarding: link-state, power: -30 dBm, noise-floor: {function: -95 + x}}",
            ],
        ] {
            let mut original = simulation("waste-cleanup-trapped", 5, sets);
            for stop in [1, 137, 402, 1500] {
                while original.state.tick < stop {
                    original.tick(&mut Vec::new());
                }
                let bytes = postcard::to_stdvec(&original.state).expect("plain data");
                let restored: State = postcard::from_bytes(&bytes).expect("the same plain data");
                let expected = go_on(&original.model, original.state.clone(), 300);
                assert_eq!(go_on(&original.model, restored, 300), expected, "{sets:?} at tick {stop}");
            }
        }
    }
}

/// The same for swarms: plans, traces, orders on their way, and what robots know of each other. Threads change nothing either.
#[test]
fn a_swarm_restored_from_a_snapshot_continues_as_the_original() {
    for (name, sets) in [
        ("swarm", &["disturbances=[{at: 12 s, stop: truck}]"][..]),
        ("convoy", &["team.controller=mppi", "team.controllers.mppi.planning-delay=0.2 s"]),
        (
            "exploration",
            &["parameters.costs={north: {formula: '0.05 * (275 - y)'}}", "run.goal=seen_share > 0.2"],
        ),
        ("manet", &["team.coordinator=cbba", "parameters.combine=false"]),
    ] {
        let mut original = simulation(name, 3, sets);
        for stop in [1, 97, 203] {
            while original.state.tick < stop {
                original.tick(&mut Vec::new());
            }
            let bytes = postcard::to_stdvec(&original.state).expect("plain data");
            let restored: State = postcard::from_bytes(&bytes).expect("the same plain data");
            let expected = go_on(&original.model, original.state.clone(), 100);
            assert_eq!(go_on(&original.model, restored, 100), expected, "{name} at tick {stop}");
            assert_eq!(hash_with(3, &original.model, &original.state), expected, "{name} with 3 threads");
        }
    }
}
