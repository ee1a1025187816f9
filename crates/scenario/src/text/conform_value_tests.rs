//! The messages about values.

use super::fixture::check_messages as check;

#[test]
fn a_wrong_type_says_what_is_accepted() {
    check(
        "mission: m\nteam: {robots: 5, alliance: [1]}\n",
        "\
error: expected a list, found the number 5
 --> test.yaml:2:16
  |
2 | team: {robots: 5, alliance: [1]}
  |                ^ `team.robots` takes a list
  |
  = help: a list is written as `[a, b]`

error: expected a map, found a list
 --> test.yaml:2:29
  |
2 | team: {robots: 5, alliance: [1]}
  |                             ^^^ `team.alliance` takes a map
",
    );
    check(
        "mission: 5\n",
        "\
error: expected text, found the number 5
 --> test.yaml:1:10
  |
1 | mission: 5
  |          ^ `mission` takes text
  |
  = help: put it in quotes if it is meant as text
",
    );
    check(
        "mission: m\nteam: {robots: [{name: b, side-range: yes}]}\n",
        "\
error: expected `true` or `false`, found the text \"yes\"
 --> test.yaml:2:39
  |
2 | team: {robots: [{name: b, side-range: yes}]}
  |                                       ^^^ `team.robots.0.side-range` takes `true` or `false`
  |
  = help: write `true`
",
    );
    check(
        "mission: m\nworld: {slip: [1]}\n",
        "\
error: expected a ratio such as `0.5` or `50 %`, found a list
 --> test.yaml:2:15
  |
2 | world: {slip: [1]}
  |               ^^^ `world.slip` takes a ratio
",
    );
}

#[test]
fn a_wrong_unit_says_what_it_measures() {
    check(
        "mission: m\nrun: {tick: 40 m}\n",
        "\
error: expected a time such as `40 s` or `5 min`, found `40 m`, which is a length
 --> test.yaml:2:13
  |
2 | run: {tick: 40 m}
  |             ^^^^ `run.tick` takes a time
",
    );
    check(
        "mission: m\nrun: {until: 5 mins}\n",
        "\
error: unknown unit `mins` in `5 mins`, expected a time such as `40 s` or `5 min`
 --> test.yaml:2:14
  |
2 | run: {until: 5 mins}
  |              ^^^^^^ `run.until` takes one of `done`, `forever` or a time
  |
  = help: did you mean `min`?
",
    );
}

#[test]
fn a_number_out_of_range_shows_the_limit() {
    check(
        "mission: m\nteam: {robots: [{name: b, speed: -3 cm/s}]}\n",
        "\
error: `team.robots.0.speed` must be at least 0 m/s, found `-3 cm/s`
 --> test.yaml:2:34
  |
2 | team: {robots: [{name: b, speed: -3 cm/s}]}
  |                                  ^^^^^^^ must be at least 0 m/s
",
    );
    check(
        "mission: m\nrun: {seed: -1, robots: 10, tick: 0}\n",
        "\
error: `run.seed` must be at least 0, found `-1`
 --> test.yaml:2:13
  |
2 | run: {seed: -1, robots: 10, tick: 0}
  |             ^^ must be at least 0

error: `run.robots` must be less than 10, found `10`
 --> test.yaml:2:25
  |
2 | run: {seed: -1, robots: 10, tick: 0}
  |                         ^^ must be less than 10

error: `run.tick` must be at least 1 ns, found `0`
 --> test.yaml:2:35
  |
2 | run: {seed: -1, robots: 10, tick: 0}
  |                                   ^ must be at least 1 ns
",
    );
    check(
        "mission: m\nrun: {seed: 1.5, robots: 3000000000, tick: 0.5 ns}\n",
        "\
error: `run.seed` must be a whole number, found `1.5`
 --> test.yaml:2:13
  |
2 | run: {seed: 1.5, robots: 3000000000, tick: 0.5 ns}
  |             ^^^ not a whole number

error: `run.robots` must be at most 2147483647, found `3000000000`
 --> test.yaml:2:26
  |
2 | run: {seed: 1.5, robots: 3000000000, tick: 0.5 ns}
  |                          ^^^^^^^^^^ must be at most 2147483647

error: `run.tick` must be a whole number of ns, found `0.5 ns`
 --> test.yaml:2:44
  |
2 | run: {seed: 1.5, robots: 3000000000, tick: 0.5 ns}
  |                                            ^^^^^^ not a whole number
",
    );
}

#[test]
fn a_word_outside_the_list_is_corrected() {
    check(
        "mission: m\nteam: {coordinator: gredy}\n",
        "\
error: unknown value `gredy` for `team.coordinator`
 --> test.yaml:2:21
  |
2 | team: {coordinator: gredy}
  |                     ^^^^^ not accepted here
  |
  = help: did you mean `greedy`?
  = help: accepted: one of `greedy`, `random`, `alliance`
",
    );
    check(
        "mission: m\nrun: {until: dune}\n",
        "\
error: unknown value `dune` for `run.until`
 --> test.yaml:2:14
  |
2 | run: {until: dune}
  |              ^^^^ not accepted here
  |
  = help: did you mean `done`?
  = help: accepted: one of `done`, `forever` or a time such as `40 s` or `5 min`
",
    );
    check(
        "mission: m\nworld: {shape: circle}\n",
        "\
error: unknown value `circle` for `world.shape`
 --> test.yaml:2:16
  |
2 | world: {shape: circle}
  |                ^^^^^^ not accepted here
  |
  = help: `circle` needs a value: write `circle: ...`
  = help: accepted: `open`, a map with `circle` or a map with `box`
",
    );
}

#[test]
fn lists_have_lengths_and_no_repeats() {
    check(
        "mission: m\nworld: {size: [1, 2, 3 s]}\n",
        "\
error: `world.size` needs exactly 2 items, found 3
 --> test.yaml:2:15
  |
2 | world: {size: [1, 2, 3 s]}
  |               ^^^^^^^^^^^ 3 items

error: expected a length such as `2.5 m` or `30 cm`, found `3 s`, which is a time
 --> test.yaml:2:22
  |
2 | world: {size: [1, 2, 3 s]}
  |                      ^^^ `world.size.2` takes a length
",
    );
    check(
        "mission: m\nteam: {tags: [a, b, a]}\n",
        "\
error: `team.tags` lists the text \"a\" twice
 --> test.yaml:2:21
  |
2 | team: {tags: [a, b, a]}
  |                     ^ listed again here
  |
  = help: items 1 and 3 are the same
",
    );
}
