//! The fingerprint in the version covers everything that affects results, and nothing else: another colour in a figure must not
//! prevent `--resume`.

#[path = "../sources.rs"]
mod sources;

use sources::{covered, crates, fingerprint};
use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn the_version_covers_everything_that_affects_results() {
    let covered = covered(&crates()).expect("sources");
    let has = |path: &str| covered.iter().any(|file| file.starts_with(path));
    for path in [
        "../Cargo.lock",
        "onboard/src/",
        "onboard/Cargo.toml",
        "teams/src/alliance/motivation.rs",
        "control/src/",
        "allocation/src/",
        "world/src/motion.rs",
        "radio/src/",
        "missions/src/waste_cleanup/defaults.yaml",
        "sim/src/tick.rs",
        "scenario/src/build.rs",
        "statistics/src/",
        "lab/src/run/summary.rs",
        "lab/src/run/recorder.rs",
        "lab/src/auctions/market.rs",
        "experiments/src/metrics.rs",
    ] {
        assert!(has(path), "{path} decides results");
    }
    for path in
        ["figures/", "live/", "cli/", "experiments/src/page", "lab/src/run/report/", "lab/src/explain/"]
    {
        assert!(!has(path), "{path} does not affect results");
    }
}

/// A copy of the tree's manifests and sources that is removed at the end.
struct Copy(PathBuf);

impl Copy {
    fn new() -> Copy {
        let copy = Copy(std::env::temp_dir().join(format!("crewlab-version-{}", std::process::id())));
        let root = crates().join("..");
        for entry in fs::read_dir(crates()).expect("crates") {
            let name = entry.expect("an entry").file_name();
            let (from, to) = (crates().join(&name), copy.crates().join(&name));
            copy_folder(&from.join("src"), &to.join("src"));
            fs::copy(from.join("Cargo.toml"), to.join("Cargo.toml")).expect("a copy");
        }
        for file in ["Cargo.lock", "Cargo.toml"] {
            fs::copy(root.join(file), copy.0.join(file)).expect("a copy");
        }
        copy
    }

    fn crates(&self) -> PathBuf {
        self.0.join("crates")
    }

    /// The fingerprint after this change of a file.
    fn after(&self, file: &str, from: &str, to: &str) -> String {
        let path = self.crates().join(file);
        let text = fs::read_to_string(&path).expect("a source");
        assert!(text.contains(from), "{file} has no {from:?}");
        fs::write(&path, text.replace(from, to)).expect("a writable copy");
        fingerprint(&self.crates()).expect("sources")
    }
}

impl Drop for Copy {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a temporary folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        if entry.file_type().expect("a type").is_dir() {
            copy_folder(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("a copy");
        }
    }
}

#[test]
fn another_colour_in_a_figure_keeps_the_version_and_another_tick_does_not() {
    let copy = Copy::new();
    let before = fingerprint(&copy.crates()).expect("sources");
    assert_eq!(crewlab_lab::VERSION, format!("{}+{before}", env!("CARGO_PKG_VERSION")));
    assert_eq!(copy.after("figures/src/palette.rs", "#", "# "), before, "a colour");
    assert_eq!(copy.after("lab/src/run/report/page.rs", "a", "b"), before, "a word on the page");
    assert_eq!(copy.after("live/src/lib.rs", "a", "b"), before, "the live laboratory");
    let after = copy.after("sim/src/tick.rs", "fn tick", "fn tock");
    assert_ne!(after, before, "the tick");
    assert_ne!(copy.after("scenario/src/build.rs", "a", "b"), after, "how a file becomes a run");
}
