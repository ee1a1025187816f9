//! Gives the program a version that changes with what decides how runs end and what is kept of them: the package's version, and a
//! fingerprint of the sources of the laboratory and of the crates below it, of their manifests, and of the libraries' versions. So
//! results of two builds are not taken for those of one.

use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// What counts besides, from the folder of all crates: libraries, how everything is built, and what is kept of a run, which is said
/// above the laboratory.
const BESIDES: [&str; 3] = ["../Cargo.lock", "../Cargo.toml", "experiments/src/metrics.rs"];

fn main() {
    let here = std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo says where the crate is");
    let crates = Path::new(&here).join("..");
    let mut files = Vec::from(BESIDES.map(|file| crates.join(file)));
    let mut names = BTreeSet::new();
    with_all_below(&crates, "lab", &mut names);
    for name in &names {
        files.push(manifest(&crates, name));
        collect(&crates.join(name).join("src"), &mut files);
        println!("cargo::rerun-if-changed=../{name}/src");
        println!("cargo::rerun-if-changed=../{name}/Cargo.toml");
    }
    for file in BESIDES {
        println!("cargo::rerun-if-changed=../{file}");
    }
    files.sort();
    let mut digest = Sha256::new();
    for file in files {
        // Where a file lies is part of it, but not where the whole lies.
        let name = file.strip_prefix(&crates).unwrap_or(&file).to_string_lossy().into_owned();
        let bytes = fs::read(&file).unwrap_or_else(|error| panic!("{name}: {error}"));
        digest.update(format!("{name} {}\n", bytes.len()));
        digest.update(bytes);
    }
    let fingerprint: String = digest.finalize().iter().take(4).map(|byte| format!("{byte:02x}")).collect();
    println!("cargo::rustc-env=CREWLAB_VERSION={}+{fingerprint}", env!("CARGO_PKG_VERSION"));
}

fn manifest(crates: &Path, name: &str) -> PathBuf {
    crates.join(name).join("Cargo.toml")
}

/// A crate of ours and those that it needs, by the names of their folders.
fn with_all_below(crates: &Path, name: &str, found: &mut BTreeSet<String>) {
    if !found.insert(name.to_string()) {
        return;
    }
    let manifest = manifest(crates, name);
    let text =
        fs::read_to_string(&manifest).unwrap_or_else(|error| panic!("{}: {error}", manifest.display()));
    let needed = text.lines().skip_while(|line| *line != "[dependencies]").skip(1);
    for line in needed.take_while(|line| !line.starts_with('[')) {
        if let Some(rest) = line.strip_prefix("crewlab-") {
            let end = rest.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(rest.len());
            with_all_below(crates, &rest[..end], found);
        }
    }
}

/// All sources in a folder and in those inside it.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|ending| ending == "rs" || ending == "yaml") {
            files.push(path);
        }
    }
}
