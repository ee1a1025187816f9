//! Disturbances of the same properties that overlap in any way and end in any order: the latest active one applies, and when all are
//! over everything is as before.

use super::{Run, disturbed};
use proptest::prelude::*;

const SETS: [&str; 3] = [
    "team.robots=[{name: blue, type: cleaner, at: [11 m, 6 m]}, {name: gold, type: cleaner, at: [1 m, 3 m], drive: false}]",
    "world.objects=[{name: crate, circle: 0.2 m, at: [3.5 m, 1 m]}, \
     {name: beacon, circle: 0.1 m, at: [11 m, 5 m], jammer: {on: false}}]",
    "radio=wifi-indoor",
];

/// No robot moves by itself.
const STILL: &str = "{at: 0 s, emergency-stop: blue}";

/// Coordinators that need no parameters of their own.
const COORDINATORS: [&str; 3] = ["greedy", "random", "cbba"];

/// A property that can be overridden: the disturbance that sets it, and its current value.
struct Property {
    set: fn(u32) -> String,
    value: fn(u32) -> f64,
    now: fn(&Run) -> f64,
}

const PROPERTIES: [Property; 11] = [
    Property {
        set: |v| format!("object-moved: {{object: crate, to: [{v} m, 1 m]}}"),
        value: f64::from,
        now: |run| run.object("crate").map_or(f64::NAN, |object| object.pose.position.x),
    },
    Property {
        set: |v| format!("object-changed: {{object: crate, heat: {v}}}"),
        value: f64::from,
        now: |run| run.object("crate").map_or(f64::NAN, |object| object.heat),
    },
    Property {
        set: |v| format!("object-changed: {{object: crate, penetrability: {v}, height: 1 m}}"),
        value: f64::from,
        now: |run| run.object("crate").map_or(f64::NAN, |object| object.penetrability),
    },
    Property {
        set: |v| format!("jammer: {{object: beacon, power: {v} dBm}}"),
        value: f64::from,
        now: |run| {
            run.object("beacon").and_then(|o| o.jammer.as_ref()).map_or(f64::NAN, |jammer| jammer.power)
        },
    },
    Property {
        set: |v| format!("area-moved: {{area: deposit, to: [{v} m, 6 m]}}"),
        value: f64::from,
        now: |run| run.area("deposit").outline.bounding_circle().0.x,
    },
    Property {
        set: |v| format!("area-changed: {{area: report site, kind: k{v}}}"),
        value: f64::from,
        now: |run| run.area("report site").kind.strip_prefix('k').and_then(|v| v.parse().ok()).unwrap_or(0.0),
    },
    Property {
        set: |v| format!("items-moved: {{number: 1, place: [{v} m, 7 m], radius: 0 m}}"),
        value: f64::from,
        now: |run| run.simulation.state.world.items[1].position.x,
    },
    Property {
        set: |v| format!("robot-moved: {{robot: gold, place: [{v} m, 3 m]}}"),
        value: f64::from,
        now: |run| run.body("gold").pose.position.x,
    },
    Property {
        set: |v| format!("task-priority: {{task: report-progress, weight: {v}}}"),
        value: f64::from,
        now: |run| {
            let task = run.simulation.model.tasks.iter().position(|task| task.name == "report-progress");
            task.and_then(|task| run.simulation.state.operator.word(task))
                .map_or(f64::NAN, |word| word.weight)
        },
    },
    Property {
        set: |v| {
            let kind = if v % 2 == 0 { "task-cancelled" } else { "task-added" };
            format!("{kind}: move-spill-top")
        },
        value: |v| f64::from(v % 2),
        now: |run| {
            let task = run.simulation.model.tasks.iter().position(|task| task.name == "move-spill-top");
            f64::from(u8::from(task.is_some_and(|task| run.simulation.state.operator.wants(task))))
        },
    },
    Property {
        set: |v| format!("coordinator: {}", COORDINATORS[v as usize % COORDINATORS.len()]),
        value: |v| f64::from(v % COORDINATORS.len() as u32),
        now: |run| {
            let name = run.simulation.state.coordinator.as_deref();
            name.and_then(|name| COORDINATORS.iter().position(|one| *one == name))
                .map_or(-1.0, |place| place as f64)
        },
    },
];

/// An override; times are in tenths of a second.
#[derive(Clone, Debug)]
struct Override {
    property: usize,
    value: u32,
    at: u32,
    lasts: u32,
}

fn overrides() -> impl Strategy<Value = Vec<Override>> {
    let one = (0..PROPERTIES.len(), 1u32..10, 1u32..60, 1u32..60);
    let one = one.prop_map(|(property, value, at, lasts)| Override { property, value, at, lasts });
    proptest::collection::vec(one, 1..25)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn the_latest_active_override_applies_and_everything_is_restored(all in overrides()) {
        let entry = |o: &Override| {
            let (at, lasts) = (f64::from(o.at) / 10.0, f64::from(o.lasts) / 10.0);
            format!("{{at: {at} s, for: {lasts} s, {}}}", (PROPERTIES[o.property].set)(o.value))
        };
        let entries: Vec<String> = [STILL.to_string()].into_iter().chain(all.iter().map(entry)).collect();
        let mut run = disturbed(&entries.join(", "), &SETS);
        let before = run.simulation.state.clone();
        let first = PROPERTIES.map(|property| (property.now)(&run));
        let end = all.iter().map(|o| o.at + o.lasts).max().unwrap_or(0);
        for tenths in 1..=end {
            run.to(f64::from(tenths) / 10.0);
            for (place, property) in PROPERTIES.iter().enumerate() {
                let lasting = all.iter().filter(|o| o.property == place && (o.at..o.at + o.lasts).contains(&tenths));
                let latest = lasting.max_by_key(|o| o.at);
                let expected = latest.map_or(first[place], |o| (property.value)(o.value));
                prop_assert_eq!((property.now)(&run), expected, "property {} at {} tenths", place, tenths);
            }
        }
        let after = &run.simulation.state;
        prop_assert!(after.schedule.asleep());
        prop_assert_eq!(after.world.objects(), before.world.objects());
        prop_assert_eq!(&after.world.areas, &before.world.areas);
        prop_assert_eq!(&after.world.items, &before.world.items);
        prop_assert_eq!(after.operator.open(), before.operator.open());
        prop_assert_eq!(&after.coordinator, &before.coordinator);
    }
}

/// A permanent change during a temporary one remains when that is over.
#[test]
fn a_permanent_override_outlives_earlier_ones() {
    for (place, property) in PROPERTIES.iter().enumerate() {
        let entries = [(1, "for: 4 s, ", 4), (2, "", 5)]
            .map(|(at, lasts, value)| format!("{{at: {at} s, {lasts}{}}}", (property.set)(value)));
        let entries = format!("{STILL}, {}", entries.join(", "));
        let mut run = disturbed(&entries, &SETS);
        for (seconds, value) in [(1.0, 4), (2.0, 5), (5.0, 5), (6.0, 5)] {
            assert_eq!(
                (property.now)(run.to(seconds)),
                (property.value)(value),
                "property {place} at {seconds} s"
            );
        }
    }
}
