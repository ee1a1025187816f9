//! `crewlab trials`: trials of an experiment as a table, figures and a model.

use crate::harness::{Place, assert_says};

/// Two policies on two of the maps; the first one has one object on the short way and five on the long one.
const EXPERIMENT: &str = "crewlab: 1\nscenario: detour\nset: {parameters.maps: [11, 13]}\nfactors:\n  policy:\n    levels:\n      \
                          short: {parameters.policy: always-short}\n      long: {parameters.policy: always-long}\nseeds: 3\n";

#[test]
fn trials_become_a_table_figures_and_a_model() {
    let place = Place::new();
    place.write("small.yaml", EXPERIMENT);
    let said = place.fine(&["trials", "small.yaml", "--out", "found", "--learn", "model.json", "--quiet"]);
    assert_says(&said, &["short", "long", "limited", "overview", "errors per map"]);
    let table = place.read("found/trials.csv");
    let mut rows = csv::Reader::from_reader(table.as_bytes());
    let header: Vec<String> = rows.headers().expect("a header").iter().map(String::from).collect();
    let column =
        |name: &str| header.iter().position(|known| known == name).unwrap_or_else(|| panic!("{header:?}"));
    let [level, way, map, short, long, seconds] =
        ["policy", "way", "map", "short", "long", "seconds"].map(column);
    let mut count = 0;
    for row in rows.records() {
        let row = row.expect("a row");
        count += 1;
        assert_eq!(row[level], row[way], "each policy takes its way");
        assert_eq!((&row[short], &row[long]), if &row[map] == "11" { ("1", "5") } else { ("5", "1") });
        assert!(row[seconds].parse::<f64>().expect("a time") > 0.0);
    }
    // Two policies, three seeds, two maps in two conditions, one to three trials.
    assert!((24..=72).contains(&count), "{count}");
    for figure in ["errors-by-crowd", "performance-by-crowd", "times"] {
        let svg = place.read(&format!("found/{figure}.svg"));
        assert!(svg.starts_with("<svg") && !svg.contains("NaN"), "{figure}");
    }
    assert!(place.json("model.json").to_string().contains("trials of small"));
    // The scenario takes what was learned.
    let args =
        ["check", "detour", "--set", "parameters.policy=inference", "--set", "parameters.model=model.json"];
    assert_says(&place.fine(&args), &["detour can run"]);
    // Everything again gives the same bytes.
    place.fine(&["trials", "small.yaml", "--out", "again", "--quiet", "--jobs", "1"]);
    assert_eq!(table, place.read("again/trials.csv"));
}

#[test]
fn what_cannot_be_done_is_said() {
    let place = Place::new();
    place.write("small.yaml", EXPERIMENT);
    place.write("other.yaml", "crewlab: 1\nscenario: waste-cleanup\nset: {run.until: 5 s}\nseeds: 1\n");
    let refused = |args: &[&str], words: &[&str]| {
        let outcome = place.crewlab(args);
        assert_ne!(outcome.code, 0, "{}", outcome.out);
        assert_says(&outcome.err, words);
    };
    refused(&["trials", "nowhere.yaml"], &["nowhere.yaml"]);
    place.write("model.json", "mine");
    refused(&["trials", "small.yaml", "--learn", "model.json"], &["model.json exists already", "--force"]);
    refused(
        &["trials", "other.yaml", "--learn", "new.json", "--quiet"],
        &["no run has told of a trial", "the scenario's mission has none"],
    );
}
