//! Scores, structures and posteriors of three data sets, as pyAgrum, bnlearn and pgmpy give them (`tests/data`).

use crewlab_learn::{
    Constraints, Counter, Network, Prior, Scores, Structure, Table, Variable, eta_of_network, k2, optimum,
};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

const SETS: [&str; 3] = ["asia", "rand10", "sachs"];

/// Results must agree to this.
const SLACK: f64 = 1e-9;

fn text(name: &str) -> String {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

fn json(name: &str) -> Value {
    serde_json::from_str(&text(name)).unwrap()
}

fn numbers(value: &Value) -> Vec<usize> {
    value.as_array().unwrap().iter().map(|one| one.as_u64().unwrap() as usize).collect()
}

fn lists(value: &Value) -> Vec<Vec<usize>> {
    value.as_array().unwrap().iter().map(numbers).collect()
}

/// A data set with its true structure and an order for it.
pub struct Set {
    pub table: Table,
    pub truth: Structure,
    pub order: Vec<usize>,
    pub expected: Value,
}

pub fn set(name: &str) -> Set {
    let truth = json(&format!("{name}.truth.json"));
    let text = text(&format!("{name}_500.csv"));
    let mut lines = text.lines();
    let names = lines.next().unwrap().split(',');
    let variables = names.zip(numbers(&truth["card"])).map(|(name, states)| Variable::numbered(name, states));
    let mut table = Table::new(variables.collect()).unwrap();
    for line in lines {
        let row: Vec<Option<usize>> = line.split(',').map(|cell| cell.parse().ok()).collect();
        table.push(&row).unwrap();
    }
    let expected = json("expected.json")["datasets"][format!("{name}_500")].clone();
    let structure = Structure::new(lists(&truth["parents"])).unwrap();
    Set { table, truth: structure, order: numbers(&truth["order"]), expected }
}

fn close(found: f64, expected: &Value, what: &str) {
    let expected = expected.as_f64().unwrap();
    assert!((found - expected).abs() < SLACK, "{what}: {found} {expected}");
}

#[test]
fn scores_are_the_expected_ones() {
    for name in SETS {
        let Set { table, truth, expected, .. } = set(name);
        let mut scores = Scores::new(Counter::new(&table).unwrap());
        close(scores.structure(&truth).unwrap(), &expected["bic_true"], name);
        close(scores.structure(&Structure::empty(truth.len())).unwrap(), &expected["bic_empty"], name);
        let best = Structure::new(lists(&expected["optimal_parents_one_member"])).unwrap();
        close(scores.structure(&best).unwrap(), &expected["bic_optimal"], name);
    }
}

#[test]
fn the_optimum_is_the_expected_one() {
    for name in SETS {
        let Set { table, expected, .. } = set(name);
        let mut counter = Counter::new(&table).unwrap();
        let found = optimum(&mut counter, &Constraints::default()).unwrap();
        close(found.score, &expected["bic_optimal"], name);
        let mut scores = Scores::new(counter);
        close(scores.structure(&found.structure).unwrap(), &expected["bic_optimal"], name);
        assert_eq!(found.certificate.most_parents, None);
    }
}

#[test]
fn posteriors_are_the_expected_ones() {
    let Set { table, truth, .. } = set("rand10");
    let all = json("expected.json");
    for (name, prior) in [("BDeu_ess1", Prior::default()), ("unif_1_per_cell", Prior::PerCell(1.0))] {
        let expected = &all["inference"][format!("rand10_500 true structure, {name}")];
        let mut network = Network::new(table.variables().to_vec(), truth.clone(), prior).unwrap();
        network.fit(&table).unwrap();
        let questions = [
            ("P(X3|X0=0,X1=0)", 3, vec![(0, 0), (1, 0)]),
            ("P(X7|X3=2,X4=1,X9=0)", 7, vec![(3, 2), (4, 1), (9, 0)]),
        ];
        for (words, query, evidence) in questions {
            let found = network.posterior(query, &evidence).unwrap().probabilities;
            for (state, probability) in found.iter().enumerate() {
                close(*probability, &expected[words][state], words);
            }
        }
        for (x, row) in eta_of_network(&network).unwrap().iter().enumerate() {
            for (y, eta) in row.iter().enumerate() {
                close(*eta, &expected["eta"][x][y], "eta");
            }
        }
    }
}

#[test]
fn k2_gives_the_expected_structures() {
    for name in SETS {
        let Set { table, order, expected, .. } = set(name);
        let mut scores = Scores::new(Counter::new(&table).unwrap());
        let found = k2(&mut scores, &order, &Constraints::default()).unwrap();
        assert_eq!(found, Structure::new(lists(&expected["k2_parents"])).unwrap(), "{name}");
        close(scores.structure(&found).unwrap(), &expected["bic_k2"], name);
    }
}
