//! Lists that the page and the laboratory share must be equal.

use crewlab_lab::sim::onboard::EventKind;
use std::collections::BTreeMap;
use std::path::Path;

/// The kinds that the page lists, with their topics.
fn on_the_page() -> BTreeMap<String, String> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/kinds.ts");
    let text = std::fs::read_to_string(&file).expect("the page's list of kinds");
    let list =
        text.split_once("TOPICS = {").and_then(|(_, rest)| rest.split_once("} as const")).expect("a list").0;
    let entry = |line: &str| {
        let (kind, topic) = line.trim().split_once(": ")?;
        Some((kind.trim_matches('\'').to_string(), topic.trim_matches([',', '\'']).to_string()))
    };
    list.lines().filter_map(entry).collect()
}

#[test]
fn the_page_knows_every_kind_of_event_and_no_other() {
    let kinds = EventKind::ALL.iter();
    let declared = kinds.map(|kind| (kind.name().to_string(), format!("{:?}", kind.topic()).to_lowercase()));
    assert_eq!(on_the_page(), declared.collect(), "web/src/kinds.ts and crates/onboard/src/event/kind.rs");
}
