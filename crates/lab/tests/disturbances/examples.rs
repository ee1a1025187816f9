//! The example of every kind can be used unchanged.

use super::{ASKING, Run, attempt};
use crewlab_lab::sim::disturbances::KINDS;
use crewlab_sim::onboard::EventKind;

/// Things that the examples refer to and that the usual scenario lacks.
const PROPS: [&str; 5] = [
    "world.items.waste=20",
    "robot-types.cleaner.aspects={energy: {value: 1000000}}",
    "world.objects=[{name: crate, circle: 0.2 m, at: [11 m, 7 m]}, {name: desk, rectangle: [1 m, 0.5 m], at: [11 m, 1 m]}, \
     {name: can 1, circle: 0.1 m, at: [11 m, 2 m], stocks: {garbage: 3}}, \
     {name: jammer, circle: 0.1 m, at: [11 m, 4 m], jammer: {on: false}}]",
    "radio=wifi-outdoor",
    "team.robots=[{name: blue, type: cleaner, side-range: true}, {name: gold, type: cleaner}, \
     {name: green, type: cleaner}, {name: red, type: cleaner, absent: true}]",
];

#[test]
fn every_example_loads_and_happens() {
    for kind in KINDS {
        let disturbance = format!("disturbances=[{}]", kind.about.example);
        // An answer needs an open question.
        let asking = if kind.name == "answer" { &ASKING[..] } else { &[] };
        let sets = PROPS.iter().chain(asking).copied().chain([disturbance.as_str()]);
        let sets: Vec<&str> = sets.collect();
        let mut run: Run = attempt(1, &sets).unwrap_or_else(|problems| panic!("{}: {problems}", kind.name));
        assert_eq!(run.simulation.state.schedule.disturbances()[0].what.name(), kind.name);
        // The rarest happens four times an hour on average.
        while run.times("disturbance").is_empty() {
            assert!(run.simulation.now().seconds() < 3.0 * 3600.0, "{} does not happen", kind.name);
            run.log.clear();
            run.tick();
        }
        let told = run.log.iter().find(|l| l.event.kind == EventKind::Disturbance).expect("just now");
        assert_eq!(told.event.terms[0].value, 0.0, "{}: the number of the disturbance", kind.name);
        let sentence = run.sentence(told);
        assert!(!kind.about.summary.is_empty() && sentence.ends_with(')'), "{sentence}");
    }
}
