//! Documents name only what exists, and their scenarios can be run.

use crewlab_lab::scenario::{Request, load};
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn pages() -> Vec<PathBuf> {
    let docs = std::fs::read_dir(root().join("docs")).expect("docs exist");
    let docs = docs
        .filter_map(|entry| entry.ok().map(|e| e.path()))
        .filter(|p| p.extension().is_some_and(|e| e == "md"));
    let mut pages: Vec<PathBuf> = docs.collect();
    pages.extend(["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"].map(|name| root().join(name)));
    pages.sort();
    pages
}

/// Paths in backticks that begin with a folder of the repository, and the targets of links and pictures.
fn named_paths(text: &str) -> Vec<String> {
    let ticked = text.split('`').skip(1).step_by(2).filter(|word| {
        ["crates/", "docs/", "scripts/"].iter().any(|folder| word.starts_with(folder))
            && !word.contains([' ', '<', '*'])
    });
    let linked = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    ticked.chain(linked.filter(|link| !link.contains("://"))).map(str::to_string).collect()
}

#[test]
fn documents_name_only_what_exists() {
    for page in pages() {
        let text = std::fs::read_to_string(&page).expect("a readable page");
        let folder = page.parent().expect("a folder");
        for path in named_paths(&text) {
            let exists = folder.join(&path).exists() || root().join(&path).exists();
            // The skeletons in the pages on writing things name files that the reader will make.
            let to_be_made = path.contains("first_come");
            assert!(exists || to_be_made, "{} names {path}, which does not exist", page.display());
        }
    }
}

/// Every YAML block that is a whole scenario passes the check; parts are laid over a whole one.
#[test]
fn scenarios_in_documents_can_be_run() {
    let mut checked = 0;
    for page in pages() {
        let text = std::fs::read_to_string(&page).expect("a readable page");
        for block in text.split("```yaml\n").skip(1).filter_map(|rest| rest.split("```").next()) {
            let whole = if block.contains("mission:") {
                block.to_string()
            } else {
                format!("crewlab: 1\nmission: waste-cleanup\n{block}")
            };
            let file =
                std::env::temp_dir().join(format!("crewlab-doc-{}-{checked}.yaml", std::process::id()));
            std::fs::write(&file, whole).expect("a writable temporary folder");
            let request = Request { scenario: file.display().to_string(), ..Request::default() };
            let outcome = load(&request);
            let _ = std::fs::remove_file(&file);
            if let Err(problems) = outcome {
                panic!("{}: {problems}", page.display());
            }
            checked += 1;
        }
    }
    assert!(checked >= 3, "only {checked} scenarios were found");
}
