//! Impossible disturbances are refused with the reason and the accepted values.

use super::attempt;

#[track_caller]
fn check(disturbance: &str, parts: &[&str]) {
    let set = format!("disturbances=[{disturbance}]");
    let problems = match attempt(1, &[&set]) {
        Ok(_) => panic!("{disturbance} was accepted"),
        Err(problems) => problems,
    };
    assert_eq!(problems.errors(), 1, "{disturbance}: {problems}");
    let said = problems.to_string();
    for part in parts {
        assert!(said.contains(part), "{disturbance}: no `{part}` in\n{said}");
    }
}

#[test]
fn unknown_names_are_reported_with_the_known_ones_and_a_suggestion() {
    let rows: [(&str, &[&str]); 24] = [
        ("{at: 1 s, robot-moved: {robot: glod, place: [1 m, 1 m]}}", &["no robot `glod`", "`gold`?"]),
        ("{at: 1 s, take-over: {robot: bleu}}", &["no robot `bleu`", "did you mean `blue`?"]),
        ("{at: 1 s, release: bleu}", &["no robot `bleu`", "did you mean `blue`?"]),
        ("{at: 1 s, repair: {robot: bleu}}", &["no robot `bleu`", "did you mean `blue`?"]),
        (
            "{at: 1 s, repair: {robot: blue, part: griper}}",
            &["no part `griper`", "did you mean `gripper`?", "battery", "compass", "radio", "stop"],
        ),
        (
            "{at: 1 s, coordinator: aliance}",
            &["no coordinator `aliance`", "did you mean `alliance`?", "greedy"],
        ),
        ("{at: 1 s, stop: bleu}", &["no robot `bleu`", "did you mean `blue`?", "blue, gold, green"]),
        ("{at: 1 s, trap: gren}", &["no robot `gren`", "did you mean `green`?"]),
        ("{at: 1 s, robot-added: {robot: rde}}", &["no robot `rde`", "blue, gold, green"]),
        (
            "{at: 1 s, sensor: {robot: blue, sensor: compas, fault: dead}}",
            &["no sensor `compas`", "did you mean `compass`?", "range-scanner"],
        ),
        (
            "{at: 1 s, effector: {robot: blue, effector: griper}}",
            &["no effector `griper`", "did you mean `gripper`?", "report"],
        ),
        ("{at: 1 s, object-removed: crate}", &["no object `crate`", "there are none"]),
        ("{at: 1 s, object-moved: {object: desk, to: [1 m, 1 m]}}", &["no object `desk`"]),
        ("{at: 1 s, object-changed: {object: can 1, stocks: {garbage: 0}}}", &["no object `can 1`"]),
        ("{at: 1 s, area-removed: depsit}", &["no area `depsit`", "did you mean `deposit`?", "top spill"]),
        ("{at: 1 s, items-added: {item: waste, area: spill}}", &["no area `spill`", "bottom spill"]),
        (
            "{at: 1 s, items-moved: {item: waste, from: top spil, area: deposit}}",
            &["no area `top spil`", "did you mean `top spill`?"],
        ),
        (
            "{at: 1 s, task-cancelled: find-location}",
            &["no task `find-location`", "did you mean `find-locations`?"],
        ),
        (
            "{at: 1 s, task-priority: {task: move-spill, weight: 2}}",
            &["no task `move-spill`", "move-spill-top"],
        ),
        ("{at: 1 s, stop: {doing: reporting}}", &["no task `reporting`", "report-progress"]),
        (
            "{at: 1 s, link-cut: {between: [blue, glod]}}",
            &["no robot `glod`", "did you mean `gold`?", "blue, gold, green"],
        ),
        ("{at: 1 s, link-cut: {between: [{doing: cook}, gold]}}", &["no task `cook`"]),
        (
            "{at: 1 s, partition: {group: [blue, gren]}}",
            &["no robot `gren`", "did you mean `green`?", "blue, gold, green"],
        ),
        ("{at: 1 s, radio: {robot: blue, fault: def}}", &["unknown value `def`", "deaf", "mute"]),
    ];
    for (disturbance, parts) in rows {
        check(disturbance, parts);
    }
}

#[test]
fn a_name_that_another_disturbance_adds_is_known() {
    let later = "disturbances=[{at: 1 s, object-added: {name: crate, circle: 0.2 m, at: [6 m, 4 m]}}, \
                 {at: 5 s, object-removed: crate}, \
                 {at: 1 s, area-added: {name: puddle, kind: spill, place: [6 m, 2 m], radius: 1 m}}, \
                 {at: 5 s, area-removed: puddle}]";
    assert!(attempt(1, &[later]).is_ok());
}

#[test]
fn times_that_make_no_sense_are_refused() {
    let rows: [(&str, &[&str]); 11] = [
        ("{stop: blue}", &["the time is missing", "`at`, `between`, `every`, `when`, `rate`, `call`"]),
        ("{at: 1 s, every: 2 s, stop: blue}", &["`at` and `every` exclude each other"]),
        ("{between: [1 s, 2 s], call: x, stop: blue}", &["`between` and `call` exclude each other"]),
        ("{at: 1 s, from: 2 s, stop: blue}", &["`from` goes with `every` or `rate`"]),
        ("{when: time > 1, until: 2 s, stop: blue}", &["`until` goes with `every` or `rate`"]),
        ("{between: [9 s, 2 s], stop: blue}", &["the first time must not be after the second"]),
        ("{between: [9 s], stop: blue}", &["between"]),
        ("{at: -1 s, stop: blue}", &["at least"]),
        ("{every: 0 s, stop: blue}", &["at least"]),
        ("{rate: 0 /s, stop: blue}", &["greater than 0"]),
        ("{at: 1 s, for: -2 s, stop: blue}", &["at least"]),
    ];
    for (disturbance, parts) in rows {
        check(disturbance, parts);
    }
}

#[test]
fn a_bad_condition_is_reported_with_its_column() {
    let rows: [(&str, &[&str]); 6] = [
        ("time >", &["column 7", "found the end"]),
        ("robots.bleu.x > 1", &["column 7", "no robot `bleu`", "blue"]),
        ("robots.blue.speed > 1", &["column 12", "`speed`", "travelled"]),
        ("tasks.cook.open", &["column 6", "no task `cook`"]),
        ("time > 20s", &["column 10", "in seconds"]),
        ("time + 1", &["true or false"]),
    ];
    for (condition, parts) in rows {
        check(&format!("{{when: \"{condition}\", stop: blue}}"), parts);
    }
}

#[test]
fn values_out_of_range_are_refused() {
    let rows: [(&str, &[&str]); 37] = [
        ("{at: 1 s, answer: {robot: blue, question: 0, choice: yes}}", &["question", "1"]),
        ("{at: 1 s, answer: {robot: blue, question: 1, choice: ' '}}", &["one of the choices"]),
        ("{at: 1 s, robot-moved: {robot: blue, place: [99 m, 1 m]}}", &["outside the world"]),
        ("{at: 1 s, robot-moved: {robot: blue, place: [0.05 m, 1 m]}}", &["the border is in the way"]),
        ("{at: 1 s, take-over: {robot: blue, speed: 2}}", &["speed", "1"]),
        ("{at: 1 s, take-over: {robot: blue, turn: -150 %}}", &["turn", "-1"]),
        ("{at: 1 s, items-moved: {area: deposit}}", &["`item`", "`number`"]),
        ("{at: 1 s, items-moved: {number: 99, area: deposit}}", &["no item 99", "from 0 to 5"]),
        ("{at: 1 s, items-moved: {number: 1, from: deposit, area: deposit}}", &["leave `from` out"]),
        ("{at: 1 s, items-removed: {number: 1, count: 2}}", &["leave `count` out"]),
        (
            "{at: 1 s, sensor: {robot: blue, fault: drops-out, severity: 1.5}}",
            &["a share of missed readings must be from 0 to 1"],
        ),
        ("{at: 1 s, sensor: {robot: blue, fault: noisier, severity: -1}}", &["noise cannot be below 0"]),
        ("{at: 1 s, sensor: {robot: blue, fault: lost}}", &["unknown value `lost`", "dead"]),
        ("{at: 1 s, drive: {robot: blue, fault: slower, severity: 150 %}}", &["severity", "1"]),
        ("{at: 1 s, drive: {robot: blue, fault: slower, severity: -0.5}}", &["from 0 to 1"]),
        ("{at: 1 s, radio: {robot: blue, fault: lossy, severity: 2}}", &["severity", "1"]),
        ("{at: 1 s, effector: {robot: blue, effector: drive}}", &["a disturbance of its own: `drive`"]),
        ("{at: 1 s, battery: {robot: blue, drain: 0.1 /s}}", &["no battery to drain", "energy"]),
        ("{at: 1 s, stop: leader}", &["have no leaders"]),
        ("{at: 1 s, object-added: {name: x, rectangle: [0 m, 1 m]}}", &["above 0 m"]),
        ("{at: 1 s, items-added: {item: waste}}", &["`area` or with `place`"]),
        ("{at: 1 s, items-added: {item: waste, place: [99 m, 1 m]}}", &["outside the world"]),
        ("{at: 1 s, robot-added: {robot: gold, place: [99 m, 1 m]}}", &["outside the world"]),
        ("{at: 1 s, person: {place: [0 m, 0 m]}}", &["not inside the world"]),
        ("{at: 1 s, terrain: {factor: 0.05}}", &["0.1"]),
        ("{at: 1 s, terrain: {factor: 0.5, place: [1 m, 1 m]}}", &["needs a `size`"]),
        ("{at: 1 s, area-changed: {area: deposit}}", &["nothing changes"]),
        ("{at: 1 s, link-cut: {between: [blue, blue]}}", &["two different ends"]),
        ("{at: 1 s, link-cut: {between: [blue]}}", &["between"]),
        ("{at: 1 s, partition: {group: []}}", &["at least one robot"]),
        ("{at: 1 s, partition: {}}", &["at least one robot", "`share: 50 %`"]),
        ("{at: 1 s, partition: {group: [blue], share: 50 %}}", &["exclude each other"]),
        ("{at: 1 s, partition: {share: 150 %}}", &["at most"]),
        ("{at: 1 s, noise: {rise: 200 dB}}", &["at most"]),
        ("{at: 1 s, noise: {rise: -1 dB}}", &["at least"]),
        ("{at: 1 s, bandwidth: {share: 0}}", &["greater than 0"]),
        ("{at: 1 s, jammer: {object: x, power: 90 dBm}}", &["at most"]),
    ];
    for (disturbance, parts) in rows {
        check(disturbance, parts);
    }
    let crate_there = "world.objects=[{name: crate, circle: 0.2 m, at: [6 m, 4 m]}]";
    let nothing = attempt(1, &[crate_there, "disturbances=[{at: 1 s, object-changed: {object: crate}}]"]);
    assert!(nothing.is_err_and(|problems| problems.to_string().contains("nothing changes")));
}

#[test]
fn only_jammers_can_be_switched() {
    let objects = "world.objects=[{name: crate, circle: 0.2 m, at: [6 m, 4 m]}, \
                   {name: jammer, circle: 0.1 m, at: [9 m, 4 m], jammer: {}}]";
    for (name, parts) in [
        ("jamer", &["no jammer `jamer`", "did you mean `jammer`?"][..]),
        ("crate", &["`crate` is not a jammer", "`jammer: {on: false}`"]),
    ] {
        let set = format!("disturbances=[{{at: 1 s, jammer: {{object: {name}}}}}]");
        let said = attempt(1, &["radio=wifi-outdoor", objects, &set]).err().map(|p| p.to_string());
        let said = said.unwrap_or_else(|| panic!("{name} was accepted"));
        assert!(parts.iter().all(|part| said.contains(part)), "{said}");
    }
    // A jammer that another disturbance adds is known.
    let later = "disturbances=[{at: 1 s, object-added: {name: late, circle: 0.1 m, at: [6 m, 2 m], jammer: {on: false}}}, \
                 {at: 5 s, jammer: {object: late}}]";
    assert!(attempt(1, &["radio=wifi-outdoor", later]).is_ok());
}

#[test]
fn walls_and_jammers_that_make_no_sense_are_refused() {
    for (keys, part) in [
        ("damping: 300 dB", "at most"),
        ("damping: -1 dB", "at least"),
        ("material: glas", "unknown value `glas`"),
        ("jammer: {power: 100 dBm}", "at most"),
        ("jammer: {duty-cycle: 0}", "greater than 0"),
        ("jammer: {pwer: 1 dBm}", "power"),
        ("jammer: {band: [2.5 GHz, 2.4 GHz]}", "must be below the upper one"),
    ] {
        let set = format!("world.objects=[{{name: crate, circle: 0.2 m, at: [6 m, 4 m], {keys}}}]");
        let said = attempt(1, &[&set]).err().map(|problems| problems.to_string());
        assert!(said.as_ref().is_some_and(|said| said.contains(part)), "{keys}: {said:?}");
    }
}

#[test]
fn a_coordinator_without_its_parameters_is_refused_with_what_is_missing() {
    let sets = ["team.alliance.threshold=null", "disturbances=[{at: 1 s, coordinator: alliance}]"];
    let said = attempt(1, &sets).err().expect("it cannot take over").to_string();
    for part in ["alliance cannot take over", "`threshold`", "team.alliance"] {
        assert!(said.contains(part), "no `{part}` in\n{said}");
    }
    assert!(attempt(1, &["disturbances=[{at: 1 s, coordinator: alliance}]"]).is_ok());
}

#[test]
fn a_robot_without_a_drive_cannot_be_driven() {
    let sets = [super::STANDING, "disturbances=[{at: 1 s, take-over: {robot: blue, speed: 1}}]"];
    let said = attempt(1, &sets).err().expect("it has none").to_string();
    assert!(said.contains("blue has no drive"), "{said}");
}
