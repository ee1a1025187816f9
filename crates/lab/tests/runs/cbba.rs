//! Whole missions with CBBA: robots bid, agree, take over from dead robots and leave work that they cannot do.

use super::finished;
use crewlab_lab::sim::Logged;

const CBBA: &str = "team.coordinator=cbba";

fn count(log: &[Logged], kind: &str) -> usize {
    log.iter().filter(|logged| logged.event.kind.name() == kind).count()
}

#[test]
fn the_waste_is_cleaned_up_by_robots_that_bid() {
    let (run, log) = finished("waste-cleanup", 1, &[CBBA]);
    assert!(run.state.verdict.completed);
    assert!(count(&log, "bid") > 0 && count(&log, "won") > 0 && count(&log, "activated") > 0);
}

#[test]
fn a_dead_robots_work_is_taken_over() {
    let (run, log) = finished("waste-cleanup-death", 1, &[CBBA]);
    assert!(run.state.verdict.completed);
    assert!(count(&log, "silent") > 0);
}

#[test]
fn a_trapped_robot_gives_up_and_the_others_finish() {
    let (run, log) = finished("waste-cleanup-trapped", 1, &[CBBA]);
    assert!(run.state.verdict.completed);
    assert!(count(&log, "left-to-others") > 0);
}

#[test]
fn loss_does_not_stop_the_market() {
    for set in ["radio.loss=0.5", "radio.loss=1", "radio.delay=2 s"] {
        let (run, _) = finished("waste-cleanup", 2, &[CBBA, set]);
        assert!(run.state.verdict.completed, "{set}");
    }
}
