//! Reading YAML: what is accepted, and the messages about what is not.

use serde_json::{Value as Json, json};

use super::fixture::{parsed, refused};
use super::node::Node;

fn check(text: &str, expected: &str) {
    let messages = refused(text);
    assert_eq!(messages, expected, "\n{messages}");
}

#[test]
fn a_repeated_key_points_at_the_second() {
    check(
        "a: 1\nb: 2\na: 3\n",
        "\
error: the key `a` is given twice
 --> test.yaml:3:1
  |
3 | a: 3
  | ^ given again here
  |
  = help: `a` was first given in line 1
",
    );
}

#[test]
fn bad_syntax_is_shown_where_it_is() {
    check(
        "a:\n\tb: 1\n",
        "\
error: tabs cannot be used for indentation
 --> test.yaml:2:1
  |
2 |     b: 1
  | ^
  |
  = help: use spaces
",
    );
    check(
        "a: [1, 2\nb: 3\n",
        "\
error: a bracket is not closed, or a comma is missing
 --> test.yaml:2:2
  |
2 | b: 3
  |  ^
  |
  = help: check `[`, `{`, `,` before this place
",
    );
    check(
        "a: 1\na b\n",
        "\
error: a key needs a `:` after it
 --> test.yaml:2:1
  |
2 | a b
  | ^^^
  |
  = help: write `key: value`
",
    );
    check(
        "a: b: c\n",
        "\
error: `:` cannot stand here
 --> test.yaml:1:5
  |
1 | a: b: c
  |     ^
  |
  = help: quote a text that contains `: `, or check the indentation
",
    );
    check(
        "a: \"open\nb: 1\n",
        "\
error: the quote that starts here has no end
 --> test.yaml:1:4
  |
1 | a: \"open
  |    ^
  |
  = help: close it, or indent its lines
",
    );
    check(
        "- a\nb: 1\n",
        "\
error: the indentation does not fit the lines above
 --> test.yaml:2:1
  |
2 | b: 1
  | ^
  |
  = help: entries of one map or list start in one column
",
    );
    check(
        "a: @x\n",
        "\
error: this is not valid YAML
 --> test.yaml:1:4
  |
1 | a: @x
  |    ^ unexpected character: `@'
",
    );
    check(
        "a: 'it's'\n",
        "\
error: nothing can follow a closing quote
 --> test.yaml:1:8
  |
1 | a: 'it's'
  |        ^
  |
  = help: write \"it's\" or 'it''s' for a quote inside a text
",
    );
    check(
        "a: [1,\n",
        "\
error: a value is missing here, or a bracket is not closed
 --> test.yaml:1:6
  |
1 | a: [1,
  |      ^
  |
  = help: check `[`, `{`, `,` before this place
",
    );
    check(
        "a: [1]]\n",
        "\
error: this bracket was never opened
 --> test.yaml:1:7
  |
1 | a: [1]]
  |       ^
  |
  = help: remove it
",
    );
}

#[test]
fn unsupported_yaml_is_refused() {
    check(
        "\
a: !!str x
b: !foo {c: .inf}
c: -.nan
d: 1e999
",
        "\
error: tags are not supported
 --> test.yaml:1:4
  |
1 | a: !!str x
  |    ^^^^^
  |
  = help: remove the tag

error: tags are not supported
 --> test.yaml:2:4
  |
2 | b: !foo {c: .inf}
  |    ^^^^
  |
  = help: remove the tag

error: numbers must be finite
 --> test.yaml:2:13
  |
2 | b: !foo {c: .inf}
  |             ^^^^ not a finite number

error: numbers must be finite
 --> test.yaml:4:4
  |
4 | d: 1e999
  |    ^^^^^ not a finite number
",
    );
    check(
        "a: 1\n---\nb: 2\n",
        "\
error: a scenario file holds one YAML document
 --> test.yaml:2:1
  |
2 | ---
  | ^^^ a second document starts here
",
    );
    check(
        "? [a, b]\n: 1\n",
        "\
error: a key must be text, found a list or map
 --> test.yaml:1:3
  |
1 | ? [a, b]
  |   ^
  |
  = help: quote it if it is meant as text
",
    );
    check(
        "a: *nope\n",
        "\
error: this alias refers to no anchor
 --> test.yaml:1:4
  |
1 | a: *nope
  |    ^^^^^
  |
  = help: `*name` needs a `&name` above it
",
    );
    check(
        "a: &x [*x]\n",
        "\
error: an alias cannot stand inside the value it refers to
 --> test.yaml:1:8
  |
1 | a: &x [*x]
  |        ^^
",
    );
    check(
        "<<: 5\na: 1\n",
        "\
error: `<<` needs a map, or a list of maps, usually an alias
 --> test.yaml:1:5
  |
1 | <<: 5
  |     ^
",
    );
    check(
        ": x\n",
        "\
error: a key is missing here
 --> test.yaml:1:1
  |
1 | : x
  | ^
",
    );
}

fn reads(text: &str, expected: Json) {
    assert_eq!(parsed(text).to_json(), expected, "{text}");
}

#[test]
fn yaml_is_read() {
    reads(
        "a: 1\nb: [x, 2.5, true, ~, '5', \"\\u00e9\"]\n",
        json!({"a": 1, "b": ["x", 2.5, true, null, "5", "é"]}),
    );
    reads("", json!({}));
    reads("# only a comment\n", json!({}));
    reads("---\n", json!({}));
    reads("--- \n...\n", json!({}));
    reads("~", json!(null));
    reads("\u{feff}a: 1", json!({"a": 1}));
    reads("a: 1\r\nb:\r\n  - x\r\n", json!({"a": 1, "b": ["x"]}));
    reads(
        "1: a\ntrue: b\n~: c\n'': d\n1.50: e",
        json!({"1": "a", "true": "b", "~": "c", "": "d", "1.50": "e"}),
    );
    reads("a: |\n  x\n  y\nb: >\n  x\n  y\n", json!({"a": "x\ny\n", "b": "x y\n"}));
    reads("at: 5 min   # comment\nyes: no\n", json!({"at": "5 min", "yes": "no"}));
    reads("[a: b, {c}]", json!([{"a": "b"}, {"c": null}]));
    reads("size: [12 m, 8 m]", json!({"size": ["12 m", "8 m"]}));
}

#[test]
fn anchors_and_merge_keys_are_expanded() {
    reads(
        "a: &x {p: 1}\nb: *x\nc: [*x, *x]",
        json!({"a": {"p": 1}, "b": {"p": 1}, "c": [{"p": 1}, {"p": 1}]}),
    );
    reads("a: &x {p: 1, q: 2}\nb: {<<: *x, q: 3}", json!({"a": {"p": 1, "q": 2}, "b": {"q": 3, "p": 1}}));
    reads("b: {<<: [{p: 1}, {p: 2, q: 2}]}", json!({"b": {"p": 1, "q": 2}}));
    reads("'<<': 5", json!({"<<": 5}));
    reads("a: &x 1\nb: &x 2\nc: *x", json!({"a": 1, "b": 2, "c": 2}));
}

#[test]
fn spans_cover_the_text_of_each_value() {
    let text = "é:\n  k: {z: [1, ü]}\n  l:\n  - a\n  - b: c\nm: \"q\"  # x\n";
    let root = parsed(text);
    let slice = |node: &Node| text[node.span.start..node.span.end].to_owned();
    let first = &root.get("é").expect("é").node;
    assert_eq!(slice(first), "k: {z: [1, ü]}\n  l:\n  - a\n  - b: c");
    assert_eq!(slice(&first.get("k").expect("k").node), "{z: [1, ü]}");
    assert_eq!(slice(&first.get("k").expect("k").node.get("z").expect("z").node), "[1, ü]");
    assert_eq!(slice(&root.get("m").expect("m").node), "\"q\"");
    let key = root.get("m").expect("m").key_span;
    assert_eq!(&text[key.start..key.end], "m");
}
