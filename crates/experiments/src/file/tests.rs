use super::*;
use std::path::PathBuf;

struct File(PathBuf);

impl File {
    fn with(text: &str) -> File {
        static NEXT: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("crewlab-file-{}-{number}.yaml", std::process::id()));
        std::fs::write(&path, text).unwrap();
        File(path)
    }

    fn plan(&self) -> Plan {
        read(&self.0).unwrap_or_else(|error| panic!("{error}"))
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

const HEAD: &str = "crewlab: 1\nscenario: waste-cleanup\n";

#[test]
fn a_grid_has_every_combination_in_its_scenarios() {
    let file = File::with(&format!(
        "{HEAD}set: {{run.until: 5 min}}\nfactors:\n  team.coordinator: [greedy, random]\n  loss: {{key: radio.loss, from: 0 %, to: 40 %, steps: 3}}\nseeds: {{first: 7, count: 2}}\n"
    ));
    let plan = file.plan();
    let levels: Vec<String> = plan.cells.iter().map(Cell::title).collect();
    assert_eq!(
        levels,
        ["greedy, 0 %", "greedy, 20 %", "greedy, 40 %", "random, 0 %", "random, 20 %", "random, 40 %"]
    );
    assert_eq!((plan.seeds.as_slice(), plan.len()), (&[7, 8][..], 12));
    assert_eq!(plan.factors[1].unit.as_deref(), Some("%"));
    let scenario = &plan.cells[4].scenario;
    assert_eq!(scenario["team"]["coordinator"], "random");
    assert_eq!(scenario["radio"]["loss"], 0.2);
    assert_eq!(scenario["run"]["until"], 300.0);
    // Seed by seed.
    let trial = plan.trial(7);
    assert_eq!((trial.key.scenario, trial.key.seed), (plan.cells[1].fingerprint, 8));
    assert_eq!(trial.load().unwrap().setup.seed, 8);
}

#[test]
fn disturbances_can_be_varied() {
    let file = File::with(&format!(
        "{HEAD}disturb: [{{at: 10 s, trap: gold}}]\nfactors:\n  mishap: {{disturb: [none, random-death, {{at: 20 s, stop: blue}}]}}\n"
    ));
    let counts: Vec<usize> = file
        .plan()
        .cells
        .iter()
        .map(|cell| cell.scenario["disturbances"].as_array().map_or(0, Vec::len))
        .collect();
    assert_eq!(counts, [1, 2, 2]);
}

#[test]
fn an_experiment_without_factors_is_one_cell() {
    let plan = File::with(HEAD).plan();
    assert_eq!((plan.cells.len(), plan.seeds.len()), (1, 10));
    assert_eq!(plan.cells[0].title(), "all runs");
}

#[test]
fn a_plan_survives_its_file() {
    let plan = File::with(&format!("{HEAD}factors: {{radio.loss: [0 %, 10 %]}}\n")).plan();
    let text = serde_json::to_string(&plan).unwrap();
    assert_eq!(serde_json::from_str::<Plan>(&text).unwrap(), plan);
}

#[test]
fn logarithmic_levels_have_equal_ratios_and_whole_ones_no_fractions() {
    let text =
        "factors: {items: {key: world.items.waste, from: 1, to: 1000, steps: 4, scale: log, whole: true}}\n";
    let plan = File::with(&format!("{HEAD}{text}")).plan();
    let levels: Vec<String> = plan.cells.iter().map(Cell::title).collect();
    assert_eq!(levels, ["1", "10", "100", "1000"]);
}
