//! Every kind of event in the vocabulary is used.

use crewlab_lab::sim::onboard::EventKind;
use std::fs;
use std::path::{Path, PathBuf};

/// Where events are created: everywhere except in tests, in the vocabulary itself, and where results are read.
const EMITTERS: [&str; 7] = ["onboard", "teams", "driving", "skills", "missions", "sim", "live/src/studio"];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = entry.file_name();
        if path.is_dir() && name != "tests" && name != "event" {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") && name != "tests.rs" {
            found.push(path);
        }
    }
}

#[test]
fn every_kind_of_event_is_emitted_somewhere() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    EMITTERS.iter().for_each(|folder| sources(&crates.join(folder), &mut files));
    let texts = files.iter().map(|file| fs::read_to_string(file).expect("a source file"));
    let texts: Vec<String> = texts
        .map(|text| text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default().to_string())
        .collect();
    let mentions = |text: &String, word: &str| {
        let mut places = text.match_indices(word).map(|(at, _)| &text[at + word.len()..]);
        places.any(|rest| !rest.starts_with(|next: char| next.is_alphanumeric()))
    };
    let silent: Vec<&str> = EventKind::ALL
        .iter()
        .filter(|kind| !texts.iter().any(|text| mentions(text, &format!("EventKind::{kind:?}"))))
        .map(|kind| kind.name())
        .collect();
    assert!(silent.is_empty(), "nobody emits {silent:?}");
}
