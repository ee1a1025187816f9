//! Gives the program a version that changes with everything that affects the results of runs: the package's version and a
//! fingerprint of the sources. So results of two different builds are never mixed.

mod sources;

use std::collections::BTreeSet;

fn main() {
    let crates = sources::crates();
    let covered = sources::covered(&crates).expect("the sources can be listed");
    // Whole folders, so that a new file counts as well.
    let watched: BTreeSet<&str> =
        covered.iter().map(|path| path.find("/src/").map_or(path.as_str(), |at| &path[..at + 4])).collect();
    for path in watched {
        println!("cargo::rerun-if-changed=../{path}");
    }
    let fingerprint = sources::fingerprint(&crates).expect("the sources can be read");
    println!("cargo::rustc-env=CREWLAB_VERSION={}+{fingerprint}", env!("CARGO_PKG_VERSION"));
}
