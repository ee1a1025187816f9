//! The sources that affect the results of runs, and their fingerprint. The build script derives the version of the program from
//! it; `tests/version.rs` checks what it covers.

use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Covered in addition to the crates: library versions, build settings, and the metrics that an experiment stores for each run.
const ALSO: [&str; 3] = ["../Cargo.lock", "../Cargo.toml", "experiments/src/metrics.rs"];

/// Not covered: drawing, analyses, explanations, checks before a run and benchmarks.
const EXCEPT: [&str; 10] = [
    "figures",
    "lab/src/analysis",
    "lab/src/bench",
    "lab/src/budget.rs",
    "lab/src/catalog.rs",
    "lab/src/check.rs",
    "lab/src/coverage.rs",
    "lab/src/explain",
    "lab/src/link.rs",
    "lab/src/run/report",
];

/// The files that the fingerprint covers, relative to the folder of all crates: the laboratory and every crate below it, without
/// the code that only presents results.
pub fn covered(crates: &Path) -> io::Result<Vec<String>> {
    let mut names = BTreeSet::new();
    with_all_below(crates, "lab", &mut names)?;
    let mut paths = Vec::from(ALSO.map(str::to_string));
    for name in &names {
        paths.push(format!("{name}/Cargo.toml"));
        files(crates, &format!("{name}/src"), &mut paths)?;
    }
    paths.sort();
    Ok(paths)
}

/// The fingerprint of all covered files: their paths below the folder of all crates, and their bytes.
pub fn fingerprint(crates: &Path) -> io::Result<String> {
    let mut digest = Sha256::new();
    for path in covered(crates)? {
        let bytes = read(&crates.join(&path))?;
        digest.update(format!("{path} {}\n", bytes.len()));
        digest.update(bytes);
    }
    Ok(digest.finalize().iter().take(4).map(|byte| format!("{byte:02x}")).collect())
}

/// One of our crates and those it depends on, by the names of their folders.
fn with_all_below(crates: &Path, name: &str, found: &mut BTreeSet<String>) -> io::Result<()> {
    if EXCEPT.contains(&name) || !found.insert(name.to_string()) {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&read(&crates.join(name).join("Cargo.toml"))?).into_owned();
    let needed = text.lines().skip_while(|line| *line != "[dependencies]").skip(1);
    for line in needed.take_while(|line| !line.starts_with('[')) {
        if let Some(rest) = line.strip_prefix("crewlab-") {
            let end = rest.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(rest.len());
            with_all_below(crates, &rest[..end], found)?;
        }
    }
    Ok(())
}

/// All sources in a folder and in the folders inside it, without unit tests.
fn files(crates: &Path, folder: &str, found: &mut Vec<String>) -> io::Result<()> {
    let entries = fs::read_dir(crates.join(folder)).map_err(|error| at(&crates.join(folder), &error))?;
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{folder}/{name}");
        let test = name == "tests" || name == "tests.rs" || name.ends_with("_tests.rs");
        if test || EXCEPT.contains(&path.as_str()) {
            continue;
        }
        if entry.file_type()?.is_dir() {
            files(crates, &path, found)?;
        } else if [".rs", ".yaml", ".map"].iter().any(|ending| name.ends_with(ending)) {
            found.push(path);
        }
    }
    Ok(())
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    fs::read(path).map_err(|error| at(path, &error))
}

fn at(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// The folder of all crates.
pub fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}
