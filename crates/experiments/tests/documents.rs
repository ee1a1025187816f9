//! Experiments and tunings in the repository and in its pages can be run.

use crewlab_experiments::{breaking, file, tune};
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn files_in(folder: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join(folder)).expect("a folder");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "yaml"));
    files.sort();
    files
}

#[test]
fn shipped_experiments_can_be_run() {
    let sweeps = [files_in("experiments/sweeps"), files_in("experiments/radio/sweeps")].concat();
    assert!(sweeps.len() >= 10, "{sweeps:?}");
    for path in sweeps {
        let plan = file::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(plan.cells.len() > 1, "{}", path.display());
    }
    for path in files_in("experiments/tuning") {
        tune::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
}

#[test]
fn the_page_on_breaking_has_all_kinds_that_are_tried() {
    let page = fs::read_to_string(root().join("docs/breaking.md")).expect("a page");
    let mut table = "| kind | by default | what is tried, at its worst |\n| --- | --- | --- |\n".to_string();
    for kind in breaking::palette::kinds() {
        let breaking = kind.about.breaking.expect("a kind that is tried");
        let needs: Vec<&str> = kind.about.needs.iter().map(|need| need.words()).collect();
        let needs = if needs.is_empty() { String::new() } else { format!("; needs {}", needs.join(" and ")) };
        let by_default = if breaking.by_default { "yes" } else { "" };
        table += &format!("| `{}` | {by_default} | {}{needs} |\n", kind.name, breaking.tried);
    }
    assert!(page.contains(&table), "docs/breaking.md should have this table:\n{table}");
}

#[test]
fn the_experiments_in_the_pages_can_be_run() {
    let mut checked = 0;
    for page in ["docs/experiments.md", "docs/tuning.md"] {
        let text = fs::read_to_string(root().join(page)).expect("a page");
        for block in text.split("```yaml\n").skip(1).filter_map(|rest| rest.split("```").next()) {
            let whole = match block.contains("scenario: ") {
                true => block.to_string(),
                false => format!("crewlab: 1\nscenario: waste-cleanup\nseeds: 1\n{block}"),
            };
            let name = format!("crewlab-experiment-doc-{}-{checked}.yaml", std::process::id());
            let path = std::env::temp_dir().join(name);
            fs::write(&path, whole).expect("a temporary file");
            let outcome = match block.contains("parameters:") {
                true => tune::read(&path).map(|_| ()),
                false => file::read(&path).map(|_| ()),
            };
            let _ = fs::remove_file(&path);
            outcome.unwrap_or_else(|error| panic!("{page}: {error}"));
            checked += 1;
        }
    }
    assert!(checked >= 3, "only {checked} were found");
}
