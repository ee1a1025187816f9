//! The thesis' results for MuRoCo in its service scenario, and the robustness of the market.

use super::{completed, experiment, finished};
use crewlab_lab::sim::missions::service;
use crewlab_lab::sim::{Logged, Simulation};
use crewlab_sim::onboard::EventKind;
use rayon::prelude::*;
use std::collections::BTreeSet;

const MARKET: &str = "team.coordinator=muroco";

/// Which robot started which behaviour set, in order.
fn assignments<'a>(run: &'a Simulation, log: &'a [Logged]) -> Vec<(&'a str, &'a str)> {
    let activated = log.iter().filter(|logged| logged.event.kind == EventKind::Activated);
    let named = activated.filter_map(|logged| {
        let member = &run.model.team[usize::from(logged.robot?.0)].identity;
        Some((member.name.as_str(), member.behaviour(logged.event.behaviour?).name.as_str()))
    });
    named.collect()
}

/// The ways to run an auction: all must give the same result.
fn ways() -> Vec<[String; 3]> {
    let mut ways = Vec::new();
    for role in ["priority-queue", "receiver", "fixed"] {
        for (evaluation, search) in [
            ("central", "matching"),
            ("central", "exhaustive"),
            ("central", "joint"),
            ("distributed", "matching"),
        ] {
            ways.push([
                format!("team.muroco.auctioneer={role}"),
                format!("team.muroco.evaluation={evaluation}"),
                format!("team.muroco.search={search}"),
            ]);
        }
    }
    ways
}

/// Figure 3.6: eddie takes the order; only poppy can grasp the cup, and only eddie can bring it with a kind word.
#[test]
fn poppy_fetches_and_eddie_brings() {
    ways().par_iter().for_each(|way| {
        for seed in 1..=3 {
            let sets = [MARKET, &way[0], &way[1], &way[2]];
            let (run, log) = finished(&experiment("muroco/figure-3.6.yaml"), seed, &sets);
            let expected =
                [("eddie", "order"), ("eddie", "bring-from-partner"), ("poppy", "fetch-to-partner")];
            assert_eq!(assignments(&run, &log), expected, "{way:?}, seed {seed}");
            assert!(run.state.verdict.completed, "{way:?}, seed {seed}");
            assert!(
                log.iter().any(|logged| logged.event.kind == EventKind::HandedOver),
                "{way:?}, seed {seed}"
            );
        }
    });
}

/// Figure 3.7: eddie serves alone; the cup is shifted, which he recovers from; it is turned, so poppy fetches and eddie brings;
/// eddie's emergency stop is pressed, so poppy finishes alone.
#[test]
fn disturbances_lead_to_the_sequence_of_figure_3_7() {
    ways().par_iter().for_each(|way| {
        for seed in 1..=3 {
            let sets = [MARKET, &way[0], &way[1], &way[2]];
            let (run, log) = finished(&experiment("muroco/figure-3.7.yaml"), seed, &sets);
            let expected = [
                ("eddie", "order"),
                ("eddie", "bring"),
                ("eddie", "bring-from-partner"),
                ("poppy", "fetch-to-partner"),
                ("poppy", "fetch"),
            ];
            assert_eq!(assignments(&run, &log), expected, "{way:?}, seed {seed}");
            assert!(run.state.verdict.completed, "{way:?}, seed {seed}");
            let kinds: Vec<&str> = log.iter().map(|logged| logged.event.kind.name()).collect();
            let place = |kind: &str| kinds.iter().position(|known| *known == kind);
            // Shifted: recoverable. Turned: returned. Stopped: returned, and poppy is released.
            assert!(place("setback") < place("given-back"), "{way:?}, seed {seed}");
            assert_eq!(kinds.iter().filter(|kind| **kind == "given-back").count(), 2, "{way:?}, seed {seed}");
            assert_eq!(kinds.iter().filter(|kind| **kind == "released").count(), 1, "{way:?}, seed {seed}");
        }
    });
}

/// Every issued order and every issued serving is completed, or given up with a reason, whatever disturbances happen.
#[test]
fn every_serve_task_ends_completed_or_failed_with_a_reason() {
    let storm = "disturbances=[{rate: 40 /h, for: 30 s, emergency-stop: random}, \
                 {rate: 40 /h, item-turned: {item: coffee}}, {rate: 40 /h, item-turned: {item: tea}}, \
                 {rate: 20 /h, for: 20 s, stop: random}, {rate: 20 /h, for: 10 s, crash: random}]";
    let unsettled: Vec<String> = (1..=200u64)
        .into_par_iter()
        .filter_map(|seed| {
            let (run, log) = finished("service-rush", seed, &[MARKET, storm]);
            let of = |kind: &str| -> BTreeSet<(u16, u32)> {
                let events = log.iter().map(|logged| &logged.event).filter(|event| event.kind.name() == kind);
                let piece = events.filter_map(|event| Some((event.task?.0, event.subject)));
                piece.collect()
            };
            let ended: BTreeSet<_> = ["completed", "given-up"].iter().flat_map(|kind| of(kind)).collect();
            // The run may end before the auctioneer has heard of the last cup; the referee has seen it.
            let receipts = service::receipts(&run.state.world);
            let served =
                |person: u32| receipts.get(person as usize - 1).is_some_and(|receipt| receipt.served);
            let left: Vec<_> =
                of("issued").difference(&ended).filter(|(_, person)| !served(*person)).copied().collect();
            (!left.is_empty()).then(|| format!("seed {seed}: {left:?}"))
        })
        .collect();
    assert!(unsettled.is_empty(), "{unsettled:#?}");
}

/// The shipped scenarios show the same as the figures.
#[test]
fn the_shipped_scenarios_have_the_same_result() {
    for (shipped, figure) in [("service", "3.6"), ("service-disturbed", "3.7")] {
        let (run, log) = finished(shipped, 1, &[]);
        let (other, figure) = finished(&experiment(&format!("muroco/figure-{figure}.yaml")), 1, &[]);
        assert_eq!(assignments(&run, &log), assignments(&other, &figure), "{shipped}");
    }
}

/// The other missions, with robots that die, are walled in, or hear little or nothing.
#[test]
fn a_market_cleans_up_whatever_happens() {
    for scenario in ["waste-cleanup", "waste-cleanup-death", "waste-cleanup-trapped", "janitorial-robot-dies"]
    {
        assert_eq!(completed(scenario, 20, &[MARKET]), (20, vec![]), "{scenario}");
    }
    for radio in ["radio.loss=0.5", "radio.loss=1", "radio.model=wifi-indoor"] {
        assert_eq!(completed("waste-cleanup", 6, &[MARKET, radio]), (6, vec![]), "{radio}");
    }
    assert_eq!(completed("bounding-overwatch", 10, &[MARKET]), (10, vec![]));
}
