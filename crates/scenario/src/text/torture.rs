//! Hostile texts: none may panic, hang, or exhaust the memory.

use super::conform::conform;
use super::diagnostic::render;
use super::fixture::{Dice, parsed, refused};
use super::overrides::apply_set;
use super::parse::parse;
use super::print::to_yaml;
use super::sample::{VALID, schema};
use super::source::SourceMap;

/// All steps for a text; returns whether it passed without an error.
fn survive(text: &str, schema: &serde_json::Value) -> bool {
    let mut sources = SourceMap::default();
    let id = sources.add("torture.yaml".into(), text.into());
    match parse(&sources, id) {
        Ok(root) => {
            let outcome = conform(&root, schema);
            render(&outcome.diagnostics, &sources, false);
            assert_eq!(parsed(&to_yaml(&root.to_json())).to_json(), root.to_json(), "{text:?}");
            outcome.diagnostics.is_empty()
        }
        Err(errors) => {
            assert!(!errors.is_empty() && errors.iter().all(|error| error.span.is_some()));
            render(&errors, &sources, false);
            false
        }
    }
}

#[test]
fn mutations_of_a_valid_file_survive() {
    let schema = schema();
    let pieces = [
        "\t",
        "\n",
        " ",
        "  ",
        ":",
        ": ",
        "- ",
        "[",
        "]",
        "{",
        "}",
        ",",
        "\"",
        "'",
        "#",
        " #",
        "&a ",
        "*a",
        "!",
        "!!x ",
        "|",
        ">",
        "%",
        "@",
        "`",
        "?",
        "? ",
        "<<: ",
        "---\n",
        "...\n",
        "~",
        "é",
        "日",
        "🤖",
        "\u{0}",
        "\r",
        "\u{feff}",
        "\u{85}",
        "\u{2028}",
        "1e999",
        ".inf",
        "-",
        "+",
        "0x",
        "\\",
        "\u{1b}[31m",
        "null",
        "true",
        "5 s",
        "9999999999999999999999",
    ];
    let mut dice = Dice::new(1);
    let mut right = 0;
    for _ in 0..6000 {
        let mut text: Vec<char> = VALID.chars().collect();
        for _ in 0..=dice.below(4) {
            let at = dice.below(text.len());
            let end = (at + dice.below(12)).min(text.len());
            match dice.below(4) {
                0 => drop(text.drain(at..end)),
                1 => drop(text.splice(at..at, dice.pick(&pieces).chars())),
                2 => drop(text.splice(at..end, dice.pick(&pieces).chars())),
                _ => {
                    let copy: Vec<char> = text[at..end].to_vec();
                    let to = dice.below(text.len());
                    drop(text.splice(to..to, copy));
                }
            }
        }
        right += usize::from(survive(&text.into_iter().collect::<String>(), &schema));
    }
    // If all of them were valid or all invalid, the mutations would test nothing.
    assert!((100..5000).contains(&right), "{right}");
}

#[test]
fn garbage_survives() {
    let schema = schema();
    let mut dice = Dice::new(2);
    let letters: Vec<char> = "ab: -\n\t[]{},\"'#&*!|>%@?<~.\\0159é🤖\u{0}\u{85}\r\u{feff}".chars().collect();
    for _ in 0..6000 {
        let bytes: Vec<u8> = (0..dice.below(60)).map(|_| dice.next() as u8).collect();
        survive(&String::from_utf8_lossy(&bytes), &schema);
        let text: String = (0..dice.below(40)).map(|_| *dice.pick(&letters)).collect();
        survive(&text, &schema);
    }
}

#[test]
fn every_start_and_every_end_of_a_valid_file_survives() {
    let schema = schema();
    for (at, _) in VALID.char_indices() {
        survive(&VALID[..at], &schema);
        survive(&VALID[at..], &schema);
    }
}

#[test]
fn random_assignments_survive() {
    let mut dice = Dice::new(3);
    let pieces = [
        "team", "robots", "blue", "0", ".", "..", "=", "[", "]", "5 m", "é", " ", "\n", "*a", "#", ": ",
        "\u{0}", "run", "~",
    ];
    for _ in 0..6000 {
        let mut sources = SourceMap::default();
        let assignment: String = (0..dice.below(9)).map(|_| *dice.pick(&pieces)).collect();
        if let Err(errors) = apply_set(&mut sources, parsed(VALID), &assignment) {
            render(&errors, &sources, false);
        }
    }
}

fn check(text: &str, sentence: &str) {
    let messages = refused(text);
    assert!(messages.starts_with(&format!("error: {sentence}\n")), "{messages}");
}

#[test]
fn bombs_are_refused() {
    let too_large = "this text holds more than 200000 values";
    let too_deep = "lists and maps are nested more than 64 levels deep";
    let laughs = |open: &str, close: &str, with: &dyn Fn(usize, usize) -> String| {
        let lines = (1..30).map(|level| {
            let parts: Vec<String> = (0..9).map(|part| with(level - 1, part)).collect();
            format!("a{level}: &a{level} {open}{}{close}\n", parts.join(", "))
        });
        format!("a0: &a0 {{x: lol}}\n{}", lines.collect::<String>())
    };
    check(&laughs("[", "]", &|level, _| format!("*a{level}")), too_large);
    check(&laughs("{", "}", &|level, part| format!("k{part}: *a{level}")), too_large);
    // Long texts are counted by their length.
    check(&format!("a: &a \"{}\"\nb: [{}]", "x".repeat(1_000_000), "*a, ".repeat(1000)), too_large);
    check(&"- 1\n".repeat(300_000), too_large);
    // Every anchor keeps a copy of what is inside it.
    let shells: String = (0..60).map(|level| format!("&a{level} [")).collect();
    check(&format!("{shells}{}{}", "1, ".repeat(50_000), "]".repeat(60)), too_large);
    // Doubling one level at a time stays small, so depth must stop it.
    let chain: String = (1..100).map(|level| format!("a{level}: &a{level} [*a{}]\n", level - 1)).collect();
    check(&format!("a0: &a0 1\n{chain}"), too_deep);
    check(&"- ".repeat(5000), too_deep);
    check(&(0..200).map(|level| format!("{}a:\n", " ".repeat(level))).collect::<String>(), too_deep);
    check(&"[".repeat(100), too_deep);
    check(&"{a: ".repeat(100_000), too_deep);
}

#[test]
fn many_keys_take_little_time() {
    // One map of a hundred thousand keys: comparing each with each would take minutes.
    let keys = |offset: usize| (0..100_000).map(|key| format!("k{}: 1\n", key + offset)).collect::<String>();
    let merged = super::node::merge(parsed(&keys(0)), parsed(&keys(50_000)));
    assert_eq!(merged.entries().len(), 150_000);
    assert_eq!(conform(&merged, &schema()).diagnostics.len(), 150_001);
    let repeated = "k: 1\n".repeat(90_000);
    assert!(refused(&repeated).ends_with("... and 89949 more\n"));
}
