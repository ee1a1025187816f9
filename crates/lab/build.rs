//! Gives the program a version that changes with everything that decides how runs end: the package's version, and a fingerprint of
//! the sources of the laboratory and of the crates below it, and of the libraries' versions. So results of two builds are never
//! taken for those of one.

use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};

/// The crates that a run goes through.
const CRATES: [&str; 9] =
    ["allocation", "control", "lab", "missions", "onboard", "radio", "sim", "teams", "world"];

fn main() {
    let crates = Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default()).join("..");
    let mut files = vec![crates.join("../Cargo.lock")];
    println!("cargo::rerun-if-changed=../../Cargo.lock");
    for name in CRATES {
        println!("cargo::rerun-if-changed=../{name}/src");
        collect(&crates.join(name).join("src"), &mut files);
    }
    files.sort();
    let mut digest = Sha256::new();
    for file in files {
        // Where a file lies is part of it, but not where the whole lies.
        let name = file.strip_prefix(&crates).unwrap_or(&file).to_string_lossy().into_owned();
        let bytes = fs::read(&file).unwrap_or_default();
        digest.update(format!("{name} {}\n", bytes.len()));
        digest.update(bytes);
    }
    let fingerprint: String = digest.finalize().iter().take(4).map(|byte| format!("{byte:02x}")).collect();
    println!("cargo::rustc-env=CREWLAB_VERSION={}+{fingerprint}", env!("CARGO_PKG_VERSION"));
}

/// All files in a folder and in those inside it.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() { collect(&path, files) } else { files.push(path) }
    }
}
