//! Mistakes in scenario files. Every text marks with `$0` where the message must point.

use super::harness::{Place, assert_says, check_body, check_mistakes, places};

#[test]
fn a_mistyped_key_is_pointed_at_with_a_suggestion() {
    let rows = [
        ("$0wrold: {size: [3 m, 3 m]}\n", "unknown key `wrold`", "did you mean `world`?"),
        ("team:\n  alliance:\n    $0treshold: 5\n", "unknown key `treshold`", "did you mean `threshold`?"),
        (
            "robot-types:\n  cleaner:\n    sensors:\n      range-scanner: {$0ray: 36}\n",
            "unknown key `ray`",
            "did you mean `rays`?",
        ),
        ("run: {$0untl: 5 min}\n", "unknown key `untl`", "did you mean `until`?"),
        ("world: {$0objcts: []}\n", "unknown key `objcts`", "did you mean `objects`?"),
        ("team: {robots: [{name: a, $0tpe: cleaner}]}\n", "unknown key `tpe`", "did you mean `type`?"),
        (
            "team: {robots: [{name: a, type: cleaner, $0griper: true}]}\n",
            "unknown key `griper`",
            "did you mean `gripper`?",
        ),
        (
            "team: {robots: [{name: a, type: cleaner, gripper: {$0rnge: 3 m}}]}\n",
            "unknown key `rnge`",
            "did you mean `range`?",
        ),
        ("disturbances: [{at: 40 s, $0tarp: blue}]\n", "unknown key `tarp`", "did you mean `trap`?"),
        ("radio: {model: ideal, $0lss: 0.1}\n", "unknown key `lss`", "did you mean `loss`?"),
        ("robot-types: {cleaner: {body: {$0crcle: 1 m}}}\n", "unknown key `crcle`", "did you mean `circle`?"),
        ("parameters: {$0spil-radius: 1 m}\n", "unknown key `spil-radius`", "did you mean `spill-radius`?"),
    ];
    for (body, what, suggestion) in rows {
        check_body(body, &[what, "not a key of", suggestion, "accepted keys:"]);
    }
}

#[test]
fn a_mistyped_name_is_pointed_at_with_a_suggestion() {
    let rows: [(&str, &[&str]); 9] = [
        (
            "team: {coordinator: $0alianse}\n",
            &["unknown value `alianse`", "did you mean `alliance`?", "`greedy`"],
        ),
        (
            "team: {controller: $0pilt}\n",
            &["unknown value `pilt`", "did you mean `pilot`?", "`free-direction`"],
        ),
        (
            "robot-types: {cleaner: {controller: $0free-directon}}\n",
            &["unknown value `free-directon`", "did you mean `free-direction`?", "`pilot`"],
        ),
        (
            "team:\n  robots:\n    - {name: red, type: $0cleanr}\n",
            &["there is no robot type `cleanr`", "did you mean `cleaner`?"],
        ),
        (
            "team:\n  alliance:\n    behaviours:\n      $0move-spil-top: {fast-impatience: 3 /s}\n",
            &["there is no behaviour set `move-spil-top`", "did you mean `move-spill-top`?"],
        ),
        (
            "team:\n  alliance:\n    types:\n      $0cleanr: {fast-impatience: 3 /s}\n",
            &["there is no robot type `cleanr`", "did you mean `cleaner`?"],
        ),
        (
            "team:\n  alliance:\n    robots: {gold: {behaviours: {$0report-progres: {}}}}\n",
            &["there is no behaviour set `report-progres`", "did you mean `report-progress`?"],
        ),
        (
            "disturbances:\n  - {at: 40 s, trap: $0blu}\n",
            &["there is no robot `blu`", "did you mean `blue`?"],
        ),
        ("radio: {model: $0ideel}\n", &["unknown value `ideel`", "did you mean `ideal`?"]),
    ];
    for (body, parts) in rows {
        check_body(body, parts);
    }
    check_mistakes(
        "crewlab: 1\nmission: $0waste-clenup\n",
        &["there is no mission `waste-clenup`", "did you mean `waste-cleanup`?", "diffusion"],
    );
}

#[test]
fn parameters_of_an_unknown_robot_are_a_warning() {
    let place = Place::with("team: {alliance: {robots: {bleu: {fast-impatience: 4 /s}}}}\n");
    let outcome = place.crewlab(&["check", "scenario.yaml"]);
    assert_eq!(outcome.code, 0);
    assert_eq!(places(&outcome.err), ["scenario.yaml:3:28"]);
    assert_says(&outcome.err, &["warning: there is no robot `bleu` in the team", "did you mean `blue`?"]);
}

#[test]
fn the_mission_must_be_named() {
    let rows = [
        ("$0crewlab: 1\n", "the scenario does not name its mission"),
        ("$0# nothing yet\n", "the scenario does not name its mission"),
        ("crewlab: 1\nmission: $0[1]\n", "`mission` must be the name of a mission"),
    ];
    for (text, what) in rows {
        check_mistakes(text, &[what, "missions: waste-cleanup, ", "diffusion"]);
    }
}

#[test]
fn a_scenario_is_a_map() {
    for text in ["$0hello\n", "$0- a\n- b\n"] {
        check_mistakes(text, &["a scenario is a map of keys such as `mission: waste-cleanup`"]);
    }
}

#[test]
fn a_newer_format_is_refused() {
    check_mistakes("crewlab: $02\nmission: waste-cleanup\n", &["this file has format 2"]);
}

#[test]
fn a_wrong_unit_is_explained() {
    let rows: [(&str, &[&str]); 6] = [
        ("run: {until: $040 m}\n", &["expected a time", "`40 s`", "found `40 m`, which is a length"]),
        ("run: {until: $040 sm}\n", &["unknown unit `sm` in `40 sm`", "accepted units: `s`, `ms`"]),
        ("world: {size: [3, $04 s]}\n", &["expected a length", "found `4 s`, which is a time"]),
        (
            "robot-types: {cleaner: {effectors: {drive: {max-speed: $03 m}}}}\n",
            &["expected a speed", "found `3 m`, which is a length"],
        ),
        (
            "team: {robots: [{name: a, type: cleaner, heading: $03 kg}]}\n",
            &["expected an angle", "found `3 kg`, which is a mass"],
        ),
        ("world: {items: {waste: $03 m}}\n", &["expected a whole number", "found", "3 m"]),
    ];
    for (body, parts) in rows {
        check_body(body, parts);
    }
}

#[test]
fn a_wrong_type_is_explained() {
    let rows: [(&str, &[&str]); 8] = [
        ("run: {until: $0[1, 2]}\n", &["expected a time", "found a list"]),
        ("team: $05\n", &["expected a map, found the number 5", "`team` takes a map"]),
        ("world: {items: {waste: $02.5}}\n", &["must be a whole number, found `2.5`"]),
        ("world: {items: {waste: $0many}}\n", &["expected a whole number, found the text \"many\""]),
        ("run: {seed: $0\"3\"}\n", &["expected a whole number, found the text \"3\"", "without quotes"]),
        ("run: {until: $0true}\n", &["expected a time"]),
        ("include: $0types.yaml\n", &["expected a list, found the text \"types.yaml\"", "`[a, b]`"]),
        ("team: {robots: [$0red]}\n", &["expected a map, found the text \"red\""]),
    ];
    for (body, parts) in rows {
        check_body(body, parts);
    }
}

#[test]
fn a_missing_key_is_named() {
    let rows: [(&str, &[&str]); 5] = [
        ("disturbances:\n  - $0{at: 40 s}\n", &["missing key: one of `sensor`, `drive`"]),
        (
            "disturbances:\n  - $0{trap: blue}\n",
            &["the time is missing", "`at`, `between`, `every`, `when`, `rate`, `call`"],
        ),
        ("team:\n  robots:\n    - $0{type: cleaner}\n", &["missing key `name`"]),
        ("team:\n  robots:\n    - $0{name: red}\n", &["missing key `type`"]),
        (
            "world: {objects: [$0{at: [3 m, 3 m]}]}\n",
            &["missing key: one of `rectangle`, `circle`, `polygon`, `wall`"],
        ),
    ];
    for (body, parts) in rows {
        check_body(body, parts);
    }
}

#[test]
fn an_order_between_tasks_that_cannot_be_kept_is_refused() {
    check_body(
        "tasks: $0{find-locations: {after: [report-progress]}}\n",
        &["tasks wait for each other in a circle", "find-locations -> report-progress -> find-locations"],
    );
    check_body("tasks: {sweep: $0{every: 5 s}}\n", &["there is no task `sweep`", "report-progress"]);
    check_body("tasks: {move-spill-top: {while: $0[sweep]}}\n", &["there is no task `sweep`"]);
    check_body("tasks: {move-spill-top: {every: $0-5 s}}\n", &["greater than 0 s"]);
}

#[test]
fn two_robots_of_one_name_are_refused() {
    check_body(
        "team:\n  robots:\n    - {name: red, type: cleaner}\n    - {name: $0red, type: cleaner}\n",
        &["two robots are named `red`", "must be unique"],
    );
    check_body(
        "team:\n  robots:\n    - {name: red, type: cleaner, count: 3}\n    - {name: $0red-2, type: cleaner}\n",
        &["two robots are named `red-2`"],
    );
}

#[test]
fn robots_must_stand_on_free_ground() {
    let rows: [(&str, &[&str]); 5] = [
        (
            "world:\n  objects:\n    - {rectangle: [1 m, 1 m], at: [6 m, 4 m]}\n\
             team:\n  robots:\n    - $0{name: red, type: cleaner, at: [6 m, 4 m]}\n",
            &["robot `red` at [6.00 m, 4.00 m] is inside an object", "move it"],
        ),
        (
            "world:\n  objects:\n    - {wall: [[0 m, 0 m], [0 m, 2 m]], at: [6 m, 3 m]}\n\
             team:\n  robots:\n    - $0{name: red, type: cleaner, at: [6.1 m, 4 m]}\n",
            &["robot `red` at [6.10 m, 4.00 m]", "object"],
        ),
        (
            "team:\n  robots:\n    - {name: red, type: cleaner, at: [6 m, 4 m]}\n    \
             - $0{name: tan, type: cleaner, at: [6.1 m, 4 m]}\n",
            &["robot `tan` at [6.10 m, 4.00 m] overlaps"],
        ),
        (
            "team:\n  robots:\n    - $0{name: red, type: cleaner, at: [60 m, 4 m]}\n",
            &["robot `red` at [60.00 m, 4.00 m] overlaps the border of the world"],
        ),
        (
            "team:\n  robots:\n    - $0{name: red, type: cleaner, at: [0.1 m, 4 m]}\n    \
             - $0{name: tan, type: cleaner, at: [11.9 m, 4 m]}\n",
            &["robot `red` at [0.10 m", "border of the world", "robot `tan` at [11.90 m", "border"],
        ),
    ];
    for (body, parts) in rows {
        check_body(body, parts);
    }
}

#[test]
fn a_robot_that_overlaps_another_names_it() {
    check_body(
        "team:\n  robots:\n    - {name: red, type: cleaner, at: [6 m, 4 m]}\n    \
         - $0{name: tan, type: cleaner, at: [6.1 m, 4 m]}\n",
        &["robot `tan` at [6.10 m, 4.00 m] overlaps robot `red`"],
    );
}

#[test]
fn objects_and_terrain_must_have_a_shape() {
    let rows: [(&str, &[&str]); 8] = [
        (
            "world:\n  objects:\n    - $0{polygon: [[0 m, 0 m], [2 m, 0 m], [0.2 m, 0.2 m], [0 m, 2 m]]}\n",
            &["do not form a convex polygon"],
        ),
        ("world: {objects: [$0{polygon: []}]}\n", &["polygon"]),
        (
            "world: {objects: [$0{rectangle: [0 m, 1 m]}]}\n",
            &["a rectangle's width and height must be above 0 m"],
        ),
        ("world: {objects: [$0{wall: [[0 m, 0 m], [0 m, 0 m]]}]}\n", &["a wall needs two different ends"]),
        (
            "world: {objects: [{$0circle: 1 m, rectangle: [1 m, 1 m]}]}\n",
            &["`circle` cannot be given together with `rectangle`"],
        ),
        (
            "world:\n  terrain: {cell: 1 m, rows: $0[[1, 1], [1]]}\n",
            &["row 2 has 1 factors, the first has 2"],
        ),
        ("world: {terrain: {cell: 1 m, rows: $0[[-1]]}}\n", &["factors must not be negative"]),
        ("world: {terrain: {cell: 1 m, rows: $0[]}}\n", &["at least one row"]),
    ];
    for (body, parts) in rows {
        check_body(body, parts);
    }
}

#[test]
fn a_task_that_nobody_can_do_is_named() {
    check_body(
        "team:\n  robots:\n    $0$0- {name: red, type: cleaner, gripper: false}\n",
        &["nobody can do task `move-spill-top`", "nobody can do task `move-spill-bottom`"],
    );
    let place = Place::with("robot-types: {cleaner: {effectors: {gripper: null}}}\n");
    let said = place.refused(&["run", "scenario.yaml"]);
    assert_says(&said, &["nobody can do task `move-spill-top`", "nobody can do task `move-spill-bottom`"]);
}

#[test]
fn a_task_that_nobody_can_do_says_what_equipment_it_needs() {
    let place = Place::with("robot-types: {cleaner: {effectors: {gripper: null}}}\n");
    assert_says(&place.refused(&["check", "scenario.yaml"]), &["nobody can do task", "gripper"]);
}

#[test]
fn a_missing_parameter_of_alliance_is_named() {
    check_body(
        "team:\n  alliance:\n    $0threshold: null\n",
        &["parameter `threshold` of alliance is missing"],
    );
}

#[test]
fn a_missing_parameter_is_pointed_at_where_it_was_taken_away() {
    check_body(
        "team:\n  alliance:\n    broadcast-rate: 2 /s\n    $0threshold: null\n",
        &["parameter `threshold` of alliance is missing"],
    );
}

#[test]
fn a_missing_parameter_is_reported_once() {
    check_body(
        "team:\n  alliance:\n    fast-impatience: 2 /s\n    $0slow-impatience: null\n",
        &["slow-impatience", "is missing"],
    );
}

#[test]
fn yaml_mistakes_are_explained() {
    let rows: [(&str, &[&str]); 9] = [
        ("run: {until: 5 s}\n$0run: {until: 6 s}\n", &["the key `run` is given twice", "line 3"]),
        ("run: {until: 5 s, $0until: 6 s}\n", &["the key `until` is given twice"]),
        ("run:\n$0\tuntil: 5 s\n", &["tabs cannot be used for indentation", "use spaces"]),
        ("run: {until: $05", &["a bracket is not closed"]),
        ("name: a$0: b\n", &["`:` cannot stand here"]),
        ("name: $0\"abc\nrun: {until: 4 s}\n", &["the quote that starts here has no end"]),
        ("run:\n  until: 4 s\n $0seed: 3\n", &["the indentation does not fit"]),
        ("x: $0*nope\n", &["this alias refers to no anchor"]),
        ("$0---\ncrewlab: 1\n", &["one YAML document"]),
    ];
    for (body, parts) in rows {
        check_body(body, parts);
    }
}

#[test]
fn yaml_bombs_are_refused() {
    let mut laughs = "a: &a0 [x, x, x, x, x, x, x, x, x]\n".to_string();
    for n in 1..12 {
        let aliases = vec![format!("*a{}", n - 1); 9].join(", ");
        laughs += &format!("b{n}: &a{n} [{aliases}]\n");
    }
    let rows = [
        (format!("world: {}\n", "[".repeat(100_000)), "nested more than 64 levels deep"),
        (format!("world: {}\n", "{a: ".repeat(20_000)), "nested more than 64 levels deep"),
        (laughs, "more than 200000 values"),
    ];
    for (body, what) in rows {
        let place = Place::with(&body);
        let said = place.refused(&["check", "scenario.yaml"]);
        assert!(said.contains(what), "{what}");
        assert!(said.len() < 2000, "the message quotes only what matters, not {} bytes", said.len());
    }
}

#[test]
fn a_name_must_be_usable_as_a_folder() {
    check_body("name: $0../../x\n", &["no slashes"]);
    check_body("name: $0.hidden\n", &["no dot in front"]);
    check_body("name: $0\"\"\n", &["a name must be usable as a folder"]);
}

#[test]
fn a_robot_needs_a_name_that_can_be_read() {
    check_body("team: {robots: [{name: $0\"\", type: cleaner}]}\n", &["name"]);
}

#[test]
fn a_team_needs_robots() {
    check_body("team: {robots: $0[]}\n", &["a team has between 1 and 60000 robots, found 0"]);
    check_body(
        "team: {robots: $0[{name: a, type: cleaner, count: 60000}, {name: b, type: cleaner, count: 9}]}\n",
        &["a team has between 1 and 60000 robots, found 60009"],
    );
}

#[test]
fn a_flood_of_mistakes_is_cut() {
    let place = Place::with("team: {robots: [{name: a, type: cleaner, count: 1000}]}\n");
    let said = place.refused(&["check", "scenario.yaml"]);
    assert!(said.matches("error: ").count() <= 50);
    assert_says(&said, &["no free place was found for robot `a-", "... and ", " more"]);
}

#[test]
fn several_mistakes_are_reported_at_once_in_the_order_of_the_text() {
    check_body(
        "$0wrold: {}\nrun: {until: $040 m, $0sed: 3}\nteam:\n  coordinator: $0greed\n  alliance: {$0treshold: 4}\n",
        &["`wrold`", "`40 m`", "`sed`", "did you mean `seed`?", "`greed`", "`treshold`"],
    );
    // The order of the text matters, not the mission's own order of keys.
    check_body(
        "team:\n  robots:\n    - {name: blue, type: $0cleanr}\n    - {name: gold, type: cleaner}\n    \
         - {name: $0gold, type: cleaner}\n",
        &["did you mean `cleaner`?", "two robots are named `gold`"],
    );
}

#[test]
fn mistakes_between_keys_are_in_the_order_of_the_text_too() {
    check_body(
        "disturbances:\n  - {at: 40 s, trap: $0glod}\nteam:\n  robots:\n    - {name: gold, type: cleaner}\n    \
         - {name: $0gold, type: cleaner}\nworld:\n  terrain: {cell: 1 m, rows: $0[[1, 1], [1]]}\n",
        &["there is no robot `glod`", "two robots", "row 2"],
    );
}

#[test]
fn mistakes_in_keys_and_between_keys_are_reported_together() {
    check_body(
        "run: {until: $040 m}\ndisturbances:\n  - {at: 40 s, trap: $0blu}\n",
        &["which is a length", "there is no robot `blu`"],
    );
}

#[test]
fn a_mistake_is_not_reported_twice() {
    check_body(
        "team:\n  robots:\n    - {name: blue, type: $0cleanr}\ndisturbances:\n  - {at: 40 s, trap: blue}\n",
        &["there is no robot type `cleanr`"],
    );
}

#[test]
fn a_mistyped_sensor_gets_a_suggestion() {
    check_body(
        "robot-types:\n  cleaner:\n    sensors:\n      $0range-scaner: {rays: 36}\n",
        &["range-scaner", "did you mean `range-scanner`?"],
    );
}

#[test]
fn a_mistyped_item_gets_a_suggestion() {
    check_body("world: {items: {$0wast: 3}}\n", &["found `wast`", "did you mean `waste`?"]);
}

#[test]
fn a_key_that_was_left_empty_is_pointed_at() {
    check_body("$0robot-types:\n", &["robot-types", "empty"]);
}
