//! A run with disturbances can be saved and continued elsewhere.

use super::{Run, STANDING, disturbed, whens::outside};
use crewlab_lab::sim::onboard::EventKind;
use crewlab_lab::sim::{ResultHash, Simulation, State};

fn restored(run: &Run) -> Run {
    let bytes = postcard::to_stdvec(&run.simulation.state).expect("plain data");
    let state: State = postcard::from_bytes(&bytes).expect("the same plain data");
    Run { simulation: Simulation::new(run.simulation.model.clone(), state, false), log: Vec::new() }
}

fn fingerprint(run: &mut Run, seconds: f64) -> String {
    run.log.clear();
    run.to(seconds);
    let mut hash = ResultHash::default();
    hash.events(&run.log);
    hash.finish(&run.simulation.state)
}

const CRATE: &str = "world.objects=[{name: crate, circle: 0.2 m, at: [6 m, 5 m], stocks: {garbage: 5}}]";

/// Pending ends are part of the state.
#[test]
fn lasting_disturbances_are_undone_after_a_restart() {
    let disturbances = "{at: 2 s, for: 8 s, object-changed: {object: crate, stocks: {garbage: 0}}}, \
                        {at: 2 s, for: 9 s, object-moved: {object: crate, to: [3 m, 2 m]}}, \
                        {at: 2 s, for: 9 s, items-moved: {item: waste, count: 2, area: deposit}}, \
                        {at: 2 s, for: 9 s, items-removed: {item: waste, count: 2}}, \
                        {at: 2 s, for: 9 s, area-changed: {area: deposit, radius: 0.4 m}}, \
                        {at: 2 s, for: 9 s, task-priority: {task: find-locations, weight: 3}}, \
                        {at: 2 s, for: 9 s, sensor: {robot: all, fault: biased, severity: 0.01}}, \
                        {at: 2 s, for: 9 s, crash: green}, {at: 2 s, for: 9 s, robot-removed: gold}, \
                        {when: time > 7, for: 1 s, clock: {robot: all, offset: 3 s}}, {rate: 0.5 /s, for: 1 s, stop: random}";
    let mut run = disturbed(disturbances, &[STANDING, CRATE]);
    for seconds in [1.0, 2.0, 5.0, 10.0, 11.0] {
        let mut copy = restored(run.to(seconds));
        let mut original = Run {
            simulation: Simulation::new(run.simulation.model.clone(), run.simulation.state.clone(), false),
            log: Vec::new(),
        };
        assert_eq!(
            fingerprint(&mut copy, seconds + 15.0),
            fingerprint(&mut original, seconds + 15.0),
            "{seconds} s"
        );
    }
    assert_eq!(run.to(12.0).object("crate").map(|object| object.properties.amount("garbage")), Some(5.0));
}

/// The description of a disturbance is in the state until it is over, but only for people.
#[test]
fn descriptions_do_not_affect_the_result() {
    let mut run = disturbed("{at: 1 s, for: 8 s, stop: gold}", &[STANDING]);
    let bytes = postcard::to_stdvec(&run.to(2.0).simulation.state).expect("plain data");
    let told =
        run.log.iter().find(|l| l.event.kind == EventKind::Disturbance).expect("told").event.words.clone();
    let place =
        bytes.windows(told.len()).position(|bytes| bytes == told.as_bytes()).expect("the state has it");
    let other = told.to_uppercase();
    let reworded = [&bytes[..place], other.as_bytes(), &bytes[place + told.len()..]].concat();
    let state: State = postcard::from_bytes(&reworded).expect("the same plain data");
    let mut copy =
        Run { simulation: Simulation::new(run.simulation.model.clone(), state, false), log: Vec::new() };
    assert_eq!(
        ResultHash::default().finish(&copy.simulation.state),
        ResultHash::default().finish(&run.simulation.state)
    );
    assert_eq!(fingerprint(&mut copy, 12.0), fingerprint(&mut run, 12.0));
    let over = |run: &Run| {
        let over = run.log.iter().find(|l| l.event.kind == EventKind::DisturbanceOver).expect("over");
        over.event.words.clone()
    };
    assert_eq!((over(&run), over(&copy)), (told, other.into()), "the words were others");
}

/// Injected disturbances are part of the state, too, whatever form they have in scenarios.
#[test]
fn injected_disturbances_survive_a_restart() {
    for text in [
        r#"{"at": 7, "for": 3, "stop": {"doing": "find-locations"}}"#,
        r#"{"when": "time > 7.3 && robots.green.alive", "for": 0.1, "crash": "green"}"#,
        r#"{"every": 0.7, "times": 9, "items-added": {"item": "waste", "count": 2, "place": [3.1, 2.7], "radius": 0.3}}"#,
        r#"{"rate": 0.9, "for": 1, "items-moved": {"item": "waste", "from": "top spill", "area": "deposit"}}"#,
        r#"{"between": [6.1, 9.3], "object-added": {"name": "box", "circle": 0.1, "at": [3, 6.1]}}"#,
        r#"{"call": "x", "object-changed": {"object": "crate", "stocks": {"garbage": 0}}}"#,
        r#"{"at": 6.3, "drive": {"robot": "all", "fault": "pulls", "severity": -0.1}}"#,
    ] {
        let mut run = disturbed("", &[STANDING, CRATE]);
        run.to(5.0);
        run.simulation.inject(&outside(text)).expect("it fits the run");
        run.to(5.5);
        let mut copy = restored(&run);
        run.simulation.call("x");
        copy.simulation.call("x");
        let (expected, found) = (fingerprint(&mut run, 20.0), fingerprint(&mut copy, 20.0));
        assert!(!run.times("disturbance").is_empty(), "{text} happens");
        assert_eq!(found, expected, "{text}");
    }
}
