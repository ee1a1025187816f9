//! Watching a run must not change it.

use super::scenario;
use crewlab_lab::run::{Options, run};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

#[test]
fn a_run_is_the_same_with_and_without_records() {
    for radio in ["ideal", "wifi-indoor", "{model: wifi-indoor, power: -36 dBm, forwarding: flooding}", "lte"]
    {
        let radio = format!("radio={radio}");
        let scenario = scenario("waste-cleanup", 3, &[&radio, "run.until=90 s"]);
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("records");
        let options = |out| Options { out, force: true, threads: 1, stop: Arc::new(AtomicBool::new(false)) };
        let unseen = run(&scenario, &options(None), &mut |_| {}).expect("a run");
        let seen = run(&scenario, &options(Some(folder.clone())), &mut |_| {}).expect("a run");
        assert_eq!(unseen, seen, "{radio}");
        std::fs::remove_dir_all(folder).expect("the folder of the run");
    }
}
