//! Experiments and tunings in the repository and in its pages can be run.

use crewlab_experiments::{breaking, file, tune};
use crewlab_scenario::{Request, load};
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut entries: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    let files =
        entries.into_iter().flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] });
    files.filter(|path| path.extension().is_some_and(|ending| ending == "yaml")).collect()
}

/// Scenarios, disturbances, sweeps and tunings: whoever follows a page must be able to run them.
#[test]
fn everything_in_the_folder_of_experiments_can_be_run() {
    // As the pages say: from the folder of the repository. Some files name models by their paths from there.
    std::env::set_current_dir(root()).expect("the repository");
    let mut kinds = [0; 4];
    for path in files_below(&root().join("experiments")) {
        let text = fs::read_to_string(&path).expect("a text");
        let place = path.display().to_string();
        let has = |key: &str| text.lines().any(|line| line.starts_with(key));
        let (kind, outcome) = if has("- ") {
            // They are made for the waste cleanup beside them.
            let scenario = path.with_file_name("waste.yaml").display().to_string();
            let request = Request { scenario, disturbances: vec![place.clone()], ..Request::default() };
            (0, load(&request).map(|_| ()).map_err(|problems| problems.to_string()))
        } else if !has("scenario:") {
            let request = Request { scenario: place.clone(), ..Request::default() };
            (1, load(&request).map(|_| ()).map_err(|problems| problems.to_string()))
        } else if has("parameters:") {
            (2, tune::read(&path).map(|_| ()).map_err(|error| error.to_string()))
        } else {
            let plan = file::read(&path).map_err(|error| error.to_string());
            (3, plan.map(|plan| assert!(!plan.cells.is_empty(), "{place}")))
        };
        outcome.unwrap_or_else(|error| panic!("{place}: {error}"));
        kinds[kind] += 1;
    }
    assert!(kinds[0] >= 2 && kinds[1] >= 25 && kinds[2] >= 2 && kinds[3] >= 35, "{kinds:?}");
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
