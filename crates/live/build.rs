//! Builds anew when the page was built anew. The folder is made if it is not there, so that its absence is not taken
//! for a change in every build.

fn main() {
    let page = "../../web/dist";
    // Where it cannot be made, the binary comes without a page, and says so.
    let _ = std::fs::create_dir_all(page);
    println!("cargo::rerun-if-changed={page}");
}
