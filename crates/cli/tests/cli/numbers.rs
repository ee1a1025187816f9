//! Numbers that are not finite, too small, too large or unreasonable.

use super::harness::{Place, assert_says, check_body};

#[test]
fn numbers_must_be_finite() {
    for number in [".nan", ".NaN", ".inf", "-.inf", "1e999", "-1e999", "1e308 h"] {
        check_body(&format!("run: {{until: $0{number}}}\n"), &["numbers must be finite"]);
    }
    check_body("run: {until: $0NaN}\n", &["expected a time", "\"NaN\""]);
    check_body("world: {size: [$0.nan, $0.inf]}\n", &["numbers must be finite", "numbers must be finite"]);
    check_body("team: {alliance: {threshold: $0.inf}}\n", &["numbers must be finite"]);
    check_body("world: {terrain: {cell: 1 m, rows: [[1, $0.nan]]}}\n", &["numbers must be finite"]);
}

#[test]
fn negative_numbers_are_refused_where_they_make_no_sense() {
    let rows = [
        ("run: {until: $0-40 s}\n", "`run.until` must be at least 0 s, found `-40 s`"),
        ("run: {tick: $00 s}\n", "`run.tick` must be at least 1e-6 s, found `0 s`"),
        ("run: {seed: $0-1}\n", "`run.seed` must be at least 0, found `-1`"),
        ("world: {items: {waste: $0-1}}\n", "must be at least 0, found `-1`"),
        ("world: {size: [$0-3 m, 8 m]}\n", "a side of the world must be above 0 m"),
        ("robot-types: {cleaner: {body: {circle: $0-0.2 m}}}\n", "must be at least 0.001 m, found `-0.2 m`"),
        ("team: {alliance: {threshold: $00}}\n", "`team.alliance.threshold` must be greater than 0"),
        ("team: {alliance: {slow-impatience: $0-1 /s}}\n", "must be at least 0"),
        ("disturbances: [{at: $0-3 s, trap: blue}]\n", "must be at least 0 s, found `-3 s`"),
        ("radio: {model: ideal, loss: $0-0.1}\n", "must be at least 0"),
    ];
    for (body, what) in rows {
        check_body(body, &[what]);
    }
}

#[test]
fn numbers_beyond_reason_are_refused() {
    let rows = [
        ("run: {until: $01e12 s}\n", "must be at most 1000000000 s"),
        ("run: {seed: $099999999999999999999}\n", "too large"),
        ("world: {size: [$01e300 m, 8 m]}\n", "at most 1000 km"),
        ("world: {items: {waste: $099999999999}}\n", "must be at most 4294967295"),
        ("radio: {model: ideal, loss: $03}\n", "must be at most 1, found `3`"),
        (
            "team: {robots: [{name: a, type: cleaner, priority: $099999999999}]}\n",
            "must be at most 2147483647",
        ),
        ("team: {robots: [{name: a, type: cleaner, count: $060001}]}\n", "must be at most 60000"),
        (
            "robot-types: {cleaner: {sensors: {range-scanner: {rays: $04000000000}}}}\n",
            "must be at most 10000, found `4000000000`",
        ),
        ("robot-types: {cleaner: {sensors: {range-scanner: {rays: $00}}}}\n", "must be at least 1"),
    ];
    for (body, what) in rows {
        check_body(body, &[what]);
    }
}

/// Extreme values within all limits must not break a run.
#[test]
fn huge_numbers_never_break_a_run() {
    let bodies = [
        "robot-types: {cleaner: {sensors: {range-scanner: {range: 1e300 m}}}}\n",
        "robot-types: {cleaner: {sensors: {range-scanner: {relative-noise: 1e300}}}}\n",
        "robot-types: {cleaner: {effectors: {drive: {max-speed: 1e300 m/s, max-turn: 1e300 rad/s}}}}\n",
        "robot-types: {cleaner: {body: {circle: 1e300 m}}}\n",
        "world: {origin: [1e300 m, -1e300 m]}\n",
        "world: {size: [1000 km, 1000 km]}\n",
        "world: {objects: [{rectangle: [1e300 m, 1e300 m], at: [1e300 m, 3 m]}]}\n",
        "world: {objects: [{circle: 1e-300 m, at: [6 m, 1 m]}]}\n",
        "world: {terrain: {cell: 1e-300 m, rows: [[1e300]]}}\n",
        "team: {alliance: {threshold: 1e308, fast-impatience: 1e308 /s}}\n",
        "team: {alliance: {threshold: 1e-300, broadcast-rate: 1e300 /s}}\n",
        "team: {robots: [{name: a, type: cleaner, heading: 1e300 rad}]}\n",
        "radio: {model: ideal, delay: 1e9 s, range: 1e300 m}\n",
        "run: {record-every: 1e300 s}\n",
        "run: {tick: 60 s}\n",
        "run: {seed: 9223372036854775807}\n",
    ];
    for body in bodies {
        let place = Place::with(body);
        let args = ["run", "scenario.yaml", "-q", "--set", "run.until=20s", "--out", "results"];
        let outcome = place.crewlab(&args);
        assert!([0, 1, 3].contains(&outcome.code), "{body}{}", outcome.code);
        assert_eq!(outcome.code == 1, !place.exists("results"), "{body}");
        if outcome.code != 1 {
            assert!(!place.read("results/robots.csv").contains("NaN"), "{body}");
            place.json("results/summary.json");
        }
    }
}

#[test]
fn a_huge_number_is_quoted_as_it_was_written() {
    check_body("world: {size: [$01e300 m, 8 m]}\n", &["found `1e300 m`"]);
}

#[test]
fn more_items_than_memory_are_refused() {
    let place = Place::with("world: {items: {waste: 4000000000}}\n");
    let outcome = place.crewlab_within(2_000_000, &["check", "scenario.yaml"]);
    assert_eq!(outcome.code, 1);
    assert_says(&outcome.err, &["scenario.yaml:3:24"]);
}
