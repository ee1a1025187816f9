//! Rebuilds when the page was rebuilt. The folder is created if it is missing, so that its absence does not count as a change in
//! every build.

fn main() {
    let page = "../../web/dist";
    // If it cannot be created, the binary comes without a page, and says so.
    let _ = std::fs::create_dir_all(page);
    println!("cargo::rerun-if-changed={page}");
}
