use super::*;
use crate::plan::{Cell, Factor};
use crate::store::{Key, StoredRun};
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;

/// A plan with these cells, and a store with the runs for which `value` gives an outcome.
struct Experiment {
    plan: Plan,
    store: Store,
    folder: PathBuf,
}

impl Drop for Experiment {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn experiment(
    purpose: Purpose,
    factors: &[&str],
    cells: &[&[&str]],
    seeds: u64,
    value: impl Fn(usize, u64) -> Option<f64>,
) -> Experiment {
    static NEXT: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
    let number = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("crewlab-analysis-{}-{number}", std::process::id()));
    let mut store = Store::open(&folder).unwrap();
    let place = |name| metrics::find(name).unwrap().0;
    for cell in 0..cells.len() {
        for seed in 1..=seeds {
            let Some(time) = value(cell, seed) else { continue };
            let mut values = vec![f64::NAN; METRICS.len()];
            values[place("time_s")] = time.min(1000.0);
            values[place("completed")] = f64::from(u8::from(time <= 1000.0));
            let key = Key { scenario: cell as u128, seed };
            store
                .put(StoredRun {
                    key,
                    outcome: RunOutcome::Done { values, result: "same".into(), incomplete: None },
                })
                .unwrap();
        }
    }
    let cell = |(place, levels): (usize, &&[&str])| Cell {
        levels: levels.iter().map(|level| level.to_string()).collect(),
        scenario: Arc::new(json!({})),
        fingerprint: place as u128,
    };
    let plan = Plan {
        name: "test".into(),
        purpose,
        scenario: "none".into(),
        asked: String::new(),
        factors: factors.iter().map(|name| Factor { name: name.to_string(), unit: None }).collect(),
        cells: cells.iter().enumerate().map(cell).collect(),
        seeds: (1..=seeds).collect(),
        left_out: 0,
        metrics: vec!["time_s".into(), "completed".into()],
        time: None,
        per_run: None,
    };
    Experiment { plan, store, folder }
}

/// Pseudo-noise that is the same for a seed in every cell.
fn noise(seed: u64) -> f64 {
    (seed * 37 % 101) as f64
}

#[test]
fn seeds_are_compared_with_themselves() {
    // One is 3 s faster on every seed, and seeds differ by far more than that.
    let made = experiment(Purpose::Comparison, &["who"], &[&["slow"], &["fast"]], 20, |cell, seed| {
        Some(200.0 + noise(seed) - 3.0 * cell as f64)
    });
    let analysis = Analysis::of(&made.plan, &made.store);
    let comparison = analysis.comparisons_in("time_s").next().unwrap();
    assert_eq!((comparison.one.as_str(), comparison.other.as_str()), ("fast", "slow"));
    assert_eq!((comparison.difference, comparison.pairs), (-3.0, 20));
    assert_eq!((comparison.better, comparison.worse, comparison.equal), (20, 0, 0));
    assert!(comparison.significant(), "{comparison:?}");
    assert!(comparison.adjusted_p >= comparison.p);
    assert_eq!(analysis.ranking, [1, 0]);
    // Without pairing the intervals overlap widely.
    let interval = |cell: usize| analysis.cells[cell].figures[analysis.main().0].unwrap().interval.unwrap();
    assert!(interval(0).low < interval(1).high);
    // Completion is the same: no difference.
    let completed = analysis.comparisons_in("completed").next().unwrap();
    assert_eq!((completed.difference, completed.p, completed.significant()), (0.0, Some(1.0), false));
}

#[test]
fn a_team_that_gives_up_is_not_faster() {
    // The first is quick when it completes, which it does on every second seed.
    let made = experiment(Purpose::Comparison, &["who"], &[&["hasty"], &["steady"]], 20, |cell, seed| {
        Some(match cell {
            0 if seed % 2 == 0 => f64::INFINITY,
            0 => 100.0 + noise(seed),
            _ => 300.0 + noise(seed),
        })
    });
    let analysis = Analysis::of(&made.plan, &made.store);
    assert_eq!(analysis.ranking, [1, 0]);
    let hasty = &analysis.cells[0];
    assert_eq!((hasty.completed, hasty.runs), (10, 20));
    assert!(hasty.figures[analysis.main().0].unwrap().mean > 500.0);
    assert!(hasty.worst.iter().all(|run| !run.completed && run.value == 1000.0));
    assert_eq!(hasty.worst[0].seed, 2);
    // Half of the runs are completed at the last of those that are.
    assert_eq!(hasty.median_completion_s, Some(100.0 + (1..20).step_by(2).map(noise).fold(0.0, f64::max)));
    let completed = analysis.comparisons_in("completed").next().unwrap();
    assert!((completed.difference - 0.5).abs() < 1e-12 && completed.significant(), "{completed:?}");
    // McNemar, exact: ten seeds speak for one and none for the other.
    assert!((completed.p.unwrap() - 2.0 * 0.5f64.powi(10)).abs() < 1e-12);
}

#[test]
fn a_seed_counts_once_whatever_else_is_varied() {
    let cells: [&[&str]; 4] = [&["a", "x"], &["a", "y"], &["b", "x"], &["b", "y"]];
    let made = experiment(Purpose::Sweep, &["first", "second"], &cells, 12, |cell, seed| {
        Some(
            100.0
                + noise(seed)
                + 10.0 * (cell / 2) as f64
                + 2.0 * (cell % 2) as f64 * (1.0 + seed as f64 % 2.0),
        )
    });
    let analysis = Analysis::of(&made.plan, &made.store);
    assert!(analysis.ranking.is_empty());
    let found: Vec<(&str, &str, &str, usize, f64)> = analysis
        .comparisons_in("time_s")
        .map(|c| (c.factor.as_str(), c.one.as_str(), c.other.as_str(), c.pairs, c.difference))
        .collect();
    assert_eq!(found, [("first", "b", "a", 12, 10.0), ("second", "y", "x", 12, 3.0)]);
}

#[test]
fn missing_runs_are_left_out_in_pairs() {
    let made = experiment(Purpose::Comparison, &["who"], &[&["a"], &["b"], &["c"]], 10, |cell, seed| {
        (cell != 1 || seed > 4).then(|| 100.0 + noise(seed) + cell as f64)
    });
    let analysis = Analysis::of(&made.plan, &made.store);
    assert_eq!((analysis.asked, analysis.runs), (30, 26));
    let pairs: Vec<usize> = analysis.comparisons_in("time_s").map(|c| c.pairs).collect();
    assert_eq!(pairs, [6, 10, 6]);
    let nothing = experiment(Purpose::Comparison, &["who"], &[&["a"], &["b"]], 3, |_, _| None);
    let analysis = Analysis::of(&nothing.plan, &nothing.store);
    assert!(analysis.comparisons.is_empty() && analysis.runs == 0);
    assert_eq!(analysis.ranking.len(), 2);
    assert!(!crate::text::readable(&analysis, &nothing.plan).is_empty());
}

#[test]
fn one_seed_gives_no_significance() {
    let made =
        experiment(Purpose::Comparison, &["who"], &[&["a"], &["b"]], 1, |cell, _| Some(100.0 + cell as f64));
    let analysis = Analysis::of(&made.plan, &made.store);
    assert!(analysis.comparisons.iter().all(|comparison| !comparison.significant()));
    assert!(analysis.cells[0].figures[analysis.main().0].unwrap().interval.is_none());
}

#[test]
fn points_of_a_hypercube_have_no_pairs() {
    let cells: [&[&str]; 3] = [&["1", "7"], &["2", "9"], &["3", "8"]];
    let made = experiment(Purpose::Sweep, &["x", "y"], &cells, 4, |cell, seed| {
        Some(100.0 + cell as f64 + noise(seed))
    });
    assert!(Analysis::of(&made.plan, &made.store).comparisons.is_empty());
}

#[test]
fn mean_and_seeds_that_disagree_are_not_called_better() {
    // A is a second slower on most seeds, and completes ten that the other does not.
    let made = experiment(Purpose::Comparison, &["who"], &[&["b"], &["a"]], 100, |cell, seed| {
        Some(match (cell, seed % 10) {
            (0, 0) => f64::INFINITY,
            (0, _) => 200.0 + noise(seed),
            _ => 201.0 + noise(seed),
        })
    });
    let analysis = Analysis::of(&made.plan, &made.store);
    let comparison = analysis.comparisons_in("time_s").next().unwrap();
    assert!(comparison.difference < -50.0 && comparison.worse == 90 && comparison.significant());
    let said = crate::text::sentence(comparison, analysis.comparisons.len()).unwrap();
    assert!(said.contains("means and most seeds disagree"), "{said}");
}

#[test]
fn a_factor_with_one_level_hides_no_comparison_and_few_seeds_tell_nothing() {
    let cells: [&[&str]; 2] = [&["a", "x"], &["b", "x"]];
    let made = experiment(Purpose::Sweep, &["first", "second"], &cells, 3, |cell, seed| {
        Some(noise(seed) + cell as f64)
    });
    let analysis = Analysis::of(&made.plan, &made.store);
    let comparison = analysis.comparisons_in("time_s").next().expect("two levels are compared");
    let said = crate::text::sentence(comparison, analysis.comparisons.len()).unwrap();
    assert!(said.contains("too few seeds to tell"), "{said}");
}
