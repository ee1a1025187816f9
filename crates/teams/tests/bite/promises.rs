//! Teams in which everything goes wrong that can.

use crewlab_teams::bite::rehearsal::{Trouble, rehearse};

const QUIET: Trouble =
    Trouble { loss: 0.0, crashes: 0, restarts: 0, partitions: 0, clocks: false, until: 0.0 };

#[test]
fn a_team_without_trouble_comes_to_the_end_of_its_plan() {
    for seed in 0..200 {
        let robots = 1 + seed as usize % 12;
        let went = rehearse(seed, robots, Some(QUIET), false, 600.0);
        assert!(went.ended && went.is_kept(), "seed {seed}: {went:?}\n{}", went.words);
    }
}

#[test]
fn robots_never_differ_and_every_run_ends_or_says_why() {
    let runs = std::env::var("RUNS").map_or(1500, |runs| runs.parse().unwrap_or(1500));
    let mut broken = Vec::new();
    for seed in 0..runs {
        let robots = 2 + seed as usize % 11;
        let went = rehearse(seed, robots, None, false, 600.0);
        if !went.is_kept() {
            broken.push(format!("seed {seed}: {went:?}\n{}", went.words));
        }
    }
    assert!(broken.is_empty(), "{} of {runs}:\n{}", broken.len(), broken[..broken.len().min(5)].join("\n\n"));
}
