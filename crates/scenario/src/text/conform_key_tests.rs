//! The messages about keys, about choices, and about many mistakes at once.

use super::fixture::check_messages as check;

#[test]
fn an_unknown_key_gets_a_suggestion() {
    check(
        "\
mission: m
team:
  alliance:
    treshold: 50
",
        "\
error: unknown key `treshold`
 --> test.yaml:4:5
  |
4 |     treshold: 50
  |     ^^^^^^^^ not a key of `team.alliance`
  |
  = help: did you mean `threshold`?
  = help: accepted keys: `threshold`, `fast-impatience`
",
    );
    check(
        "mision: m\n",
        "\
error: unknown key `mision`
 --> test.yaml:1:1
  |
1 | mision: m
  | ^^^^^^ not a key of the scenario
  |
  = help: did you mean `mission`?
  = help: accepted keys: `mission`, `world`, `team`, `disturbances`, `run`, `extra`
",
    );
    check(
        "mission: m\nteam: {zzz: 1}\n",
        "\
error: unknown key `zzz`
 --> test.yaml:2:8
  |
2 | team: {zzz: 1}
  |        ^^^ not a key of `team`
  |
  = help: accepted keys: `coordinator`, `robots`, `alliance`, `tags`, `radio`, `pair`
",
    );
}

#[test]
fn a_missing_key_is_named_with_its_meaning() {
    check(
        "team: {}\n",
        "\
error: missing key `mission`
 --> test.yaml:1:1
  |
1 | team: {}
  | ^^^^^^^^ the scenario needs `mission`
  |
  = help: `mission`: Which mission to run
",
    );
    check(
        "\
mission: m
team:
  robots:
    - speed: 1 m/s
",
        "\
error: missing key `name`
 --> test.yaml:4:7
  |
4 |     - speed: 1 m/s
  |       ^^^^^^^^^^^^ `team.robots.0` needs `name`
  |
  = help: `name`: Unique within the team
",
    );
    check(
        "",
        "\
error: missing key `mission`
--> test.yaml
 = help: `mission`: Which mission to run
",
    );
    check(
        "mission: ~\n",
        "\
error: `mission` is empty, but it has no default
 --> test.yaml:1:1
  |
1 | mission: ~
  | ^^^^^^^ needs a value
",
    );
}

#[test]
fn a_choice_is_made_by_key_and_by_tag() {
    check(
        "mission: m\nworld: {shape: {circl: 5}}\n",
        "\
error: unknown key `circl`
 --> test.yaml:2:17
  |
2 | world: {shape: {circl: 5}}
  |                 ^^^^^ not a key of `world.shape`
  |
  = help: did you mean `circle`?
  = help: accepted keys: `circle`, `box`
",
    );
    check(
        "mission: m\nworld: {shape: {circle: 5 s}}\n",
        "\
error: expected a length such as `2.5 m` or `30 cm`, found `5 s`, which is a time
 --> test.yaml:2:25
  |
2 | world: {shape: {circle: 5 s}}
  |                         ^^^ `world.shape.circle` takes a length
",
    );
    check(
        "mission: m\nworld: {shape: {circle: 5, box: {width: 1}}}\n",
        "\
error: `box` cannot be given together with `circle`
 --> test.yaml:2:28
  |
2 | world: {shape: {circle: 5, box: {width: 1}}}
  |                            ^^^ remove one of them
",
    );
    check(
        "mission: m\nworld: {shape: {}}\n",
        "\
error: missing key: one of `circle`, `box`
 --> test.yaml:2:9
  |
2 | world: {shape: {}}
  |         ^^^^^ `world.shape` needs one of them
",
    );
    check(
        "mission: m\nteam: {radio: {model: fris, power: 1}}\n",
        "\
error: unknown value `fris` for `team.radio.model`
 --> test.yaml:2:23
  |
2 | team: {radio: {model: fris, power: 1}}
  |                       ^^^^ not accepted here
  |
  = help: did you mean `friis`?
  = help: accepted: `ideal`, `friis`
",
    );
    check(
        "mission: m\nteam: {radio: {power: 1 dBm}}\n",
        "\
error: missing key `model`
 --> test.yaml:2:8
  |
2 | team: {radio: {power: 1 dBm}}
  |        ^^^^^ `team.radio` needs `model`
  |
  = help: `model` is one of `ideal`, `friis`
",
    );
    check(
        "mission: m\nrun: {until: [1]}\n",
        "\
error: expected one of `done`, `forever` or a time such as `40 s` or `5 min`, found a list
 --> test.yaml:2:14
  |
2 | run: {until: [1]}
  |              ^^^ `run.until` takes one of `done`, `forever` or a time
",
    );
}

#[test]
fn all_mistakes_are_shown_in_the_order_of_the_text() {
    check(
        "\
mission: [x]
world:
  size: [12 s, 8 m]
  items: {waste: many}
team:
  coordinator: grredy
  robots:
    - {nme: blue}
disturbances:
  - {at: 40 s, trp: blue}
  - {at: 40 s, every: 5 s, trap: x}
  - {at: 4, break: {robot: x, for: 5 m}}
run: {tick: 0 s, sede: 4}
",
        "\
error: expected text, found a list
 --> test.yaml:1:10
  |
1 | mission: [x]
  |          ^^^ `mission` takes text

error: expected a length such as `2.5 m` or `30 cm`, found `12 s`, which is a time
 --> test.yaml:3:10
  |
3 |   size: [12 s, 8 m]
  |          ^^^^ `world.size.0` takes a length

error: expected a whole number, found the text \"many\"
 --> test.yaml:4:18
  |
4 |   items: {waste: many}
  |                  ^^^^ `world.items.waste` takes a whole number

error: unknown value `grredy` for `team.coordinator`
 --> test.yaml:6:16
  |
6 |   coordinator: grredy
  |                ^^^^^^ not accepted here
  |
  = help: did you mean `greedy`?
  = help: accepted: one of `greedy`, `random`, `alliance`

error: unknown key `nme`
 --> test.yaml:8:8
  |
8 |     - {nme: blue}
  |        ^^^ not a key of `team.robots.0`
  |
  = help: did you mean `name`?
  = help: accepted keys: `name`, `side-range`, `speed`

error: unknown key `trp`
  --> test.yaml:10:16
   |
10 |   - {at: 40 s, trp: blue}
   |                ^^^ not a key of `disturbances.0`
   |
   = help: did you mean `trap`?
   = help: accepted keys: `trap`, `break`

error: `every` cannot be given together with `at`
  --> test.yaml:11:16
   |
11 |   - {at: 40 s, every: 5 s, trap: x}
   |                ^^^^^ remove one of them

error: expected a time such as `40 s` or `5 min`, found `5 m`, which is a length
  --> test.yaml:12:36
   |
12 |   - {at: 4, break: {robot: x, for: 5 m}}
   |                                    ^^^ `disturbances.2.break.for` takes a time

error: `run.tick` must be at least 1 ns, found `0 s`
  --> test.yaml:13:13
   |
13 | run: {tick: 0 s, sede: 4}
   |             ^^^ must be at least 1 ns

error: unknown key `sede`
  --> test.yaml:13:18
   |
13 | run: {tick: 0 s, sede: 4}
   |                  ^^^^ not a key of `run`
   |
   = help: did you mean `seed`?
   = help: accepted keys: `tick`, `until`, `seed`, `robots`
",
    );
}
