//! Adding a plug-in touches the files that CONTRIBUTING.md names and no others.
//!
//! In a scratch copy of the sources, an existing plug-in of each kind is added once more under another name. The copy must
//! compile: if a plug-in is mentioned anywhere besides its own files and its registry, the compiler reports it here.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The crates from on-board code up to scenario files: all that have a registry, or use one.
const LEAF: &str = "scenario";

/// A plug-in that is added again under another name.
struct Addition {
    /// Its kind, as in the table of CONTRIBUTING.md.
    kind: &'static str,
    /// Its files and the copies of them.
    copies: &'static [(&'static str, &'static str)],
    /// What is replaced in the copies.
    renamed: &'static [(&'static str, &'static str)],
    /// Files that get lines: after the first line that starts with the text, this line is added.
    lines: &'static [(&'static str, &'static str, &'static str)],
}

const ADDITIONS: [Addition; 5] = [
    Addition {
        kind: "sensor",
        copies: &[("world/src/sensors/heat.rs", "world/src/sensors/warmth.rs")],
        renamed: &[("Heat", "Warmth")],
        lines: &[
            ("world/src/sensors/mod.rs", "mod heat;", "mod warmth;"),
            ("world/src/sensors/mod.rs", "    \"heat\" =>", "    \"warmth\" => Warmth(warmth::Warmth),"),
        ],
    },
    Addition {
        kind: "coordinator",
        copies: &[("teams/src/greedy.rs", "teams/src/eager.rs")],
        renamed: &[("Greedy", "Eager")],
        lines: &[
            ("teams/src/lib.rs", "mod greedy;", "mod eager;"),
            ("teams/src/lib.rs", "    \"greedy\" ", "    \"eager\" eager => Eager(eager::Eager),"),
        ],
    },
    Addition {
        kind: "controller",
        copies: &[("control/src/free_direction.rs", "control/src/gap.rs")],
        renamed: &[("FreeDirection", "Gap")],
        lines: &[
            ("control/src/lib.rs", "pub mod free_direction;", "pub mod gap;"),
            ("control/src/lib.rs", "    \"free-direction\" ", "    \"gap\" gap => Gap(gap::Gap),"),
        ],
    },
    Addition {
        kind: "disturbance",
        copies: &[("sim/src/disturbances/kinds/stop.rs", "sim/src/disturbances/kinds/halt.rs")],
        renamed: &[
            ("Stop(", "Halt("),
            ("for Stop ", "for Halt "),
            ("struct Stop", "struct Halt"),
            ("Fault::Halt(", "Fault::Stop("),
        ],
        lines: &[
            ("sim/src/disturbances/kinds/mod.rs", "mod stop;", "mod halt;"),
            ("sim/src/disturbances/kinds/mod.rs", "    \"stop\" =>", "    \"halt\" => halt::Halt,"),
        ],
    },
    Addition {
        kind: "mission",
        copies: &[
            ("skills/src/diffusion", "skills/src/roaming"),
            ("missions/src/diffusion", "missions/src/roaming"),
        ],
        renamed: &[("Diffusion", "Roaming"), ("diffusion", "roaming")],
        lines: &[
            ("skills/src/lib.rs", "pub mod diffusion;", "pub mod roaming;"),
            ("skills/src/lib.rs", "    Diffusion(", "    Roaming(roaming::RoamingBriefing),"),
            ("missions/src/lib.rs", "pub mod diffusion;", "pub mod roaming;"),
            ("missions/src/lib.rs", "    \"diffusion\" =>", "    \"roaming\" => Roaming(roaming),"),
        ],
    },
];

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Copies a file or a folder, without build output.
fn copy(from: &Path, to: &Path) {
    if from.is_dir() {
        fs::create_dir_all(to).expect("a folder");
        for entry in fs::read_dir(from).expect("a folder to read").flatten() {
            if entry.file_name() != "target" && entry.file_name() != "node_modules" {
                copy(&entry.path(), &to.join(entry.file_name()));
            }
        }
    } else {
        fs::create_dir_all(to.parent().expect("a folder above")).expect("a folder");
        fs::copy(from, to).expect("a file that can be copied");
    }
}

/// All files below a path, or the file itself.
fn files(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_path_buf()];
    }
    let entries = fs::read_dir(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    entries.flatten().flat_map(|entry| files(&entry.path())).collect()
}

impl Addition {
    /// Adds it to the sources in `crates`; returns the number of files and folders that it touched.
    fn add(&self, crates: &Path) -> usize {
        let mut touched = BTreeSet::new();
        for (from, to) in self.copies {
            copy(&crates.join(from), &crates.join(to));
            touched.insert(*to);
            for file in files(&crates.join(to)) {
                let text = fs::read_to_string(&file).expect("a source file");
                let text = self.renamed.iter().fold(text, |text, (old, new)| text.replace(old, new));
                fs::write(&file, text).expect("a file that can be written");
                let name = file.file_name().and_then(|name| name.to_str()).expect("a name");
                if let Some((_, new)) = self.renamed.iter().find(|(old, _)| name.starts_with(old)) {
                    fs::rename(&file, file.with_file_name(format!("{new}.yaml"))).expect("a new name");
                }
            }
        }
        for (file, after, line) in self.lines {
            let path = crates.join(file);
            let text = fs::read_to_string(&path).expect("a registry");
            let place = text
                .lines()
                .position(|candidate| {
                    candidate.trim_start_matches("pub ").starts_with(after.trim_start_matches("pub "))
                })
                .unwrap_or_else(|| panic!("{}: no line in {file} starts with `{after}`", self.kind));
            let mut lines: Vec<&str> = text.lines().collect();
            lines.insert(place + 1, line);
            fs::write(&path, lines.join("\n") + "\n").expect("a registry that can be written");
            touched.insert(*file);
        }
        touched.len()
    }
}

/// The number of files or folders that CONTRIBUTING.md promises for a kind of plug-in: the second column of its table.
fn promised(kind: &str) -> usize {
    let text = fs::read_to_string(sources().join("CONTRIBUTING.md")).expect("CONTRIBUTING.md");
    let row = text.lines().find(|line| line.starts_with(&format!("| {kind} |")));
    let row = row.unwrap_or_else(|| panic!("the table in CONTRIBUTING.md has no row `{kind}`"));
    let cell = row.split('|').nth(2).unwrap_or_default().trim();
    cell.parse().unwrap_or_else(|_| panic!("`{cell}` in the row `{kind}` of CONTRIBUTING.md is no number"))
}

#[test]
fn a_plugin_is_its_own_files_and_its_registry() {
    // The same target folder for every run, so that unchanged crates are not compiled again.
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("extending");
    let _ = fs::remove_dir_all(&scratch);
    let crates = scratch.join("crates");
    for file in ["Cargo.toml", "Cargo.lock", "docs"] {
        copy(&sources().join(file), &scratch.join(file));
    }
    copy(&sources().join("crates"), &crates);
    for addition in &ADDITIONS {
        let touched = addition.add(&crates);
        assert_eq!(touched, promised(addition.kind), "files touched by a new {}", addition.kind);
    }
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target folder");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let checked = Command::new(cargo)
        .args(["check", "--offline", "--locked", "--quiet", "--package", &format!("crewlab-{LEAF}")])
        .arg("--target-dir")
        .arg(target)
        .current_dir(&scratch)
        .output()
        .expect("cargo can be run");
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
}
