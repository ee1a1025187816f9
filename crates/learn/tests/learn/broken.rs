//! Input that cannot be used is refused with a message, and odd input works.

use crate::random::table;
use crewlab_learn::{
    Discretisation, Error, Model, Network, Prior, Question, Structure, Table, Validity, Variable,
};
use proptest::prelude::*;

fn names(count: usize) -> Vec<String> {
    (0..count).map(|column| format!("c{column}")).collect()
}

fn text(rows: &[&[&str]]) -> Vec<Vec<String>> {
    rows.iter().map(|row| row.iter().map(|cell| (*cell).to_string()).collect()).collect()
}

/// The message has to contain a word about what was found and one about what is accepted.
fn refused<T: std::fmt::Debug>(result: Result<T, Error>, found: &str, accepted: &str) {
    let message = result.unwrap_err().to_string();
    assert!(message.contains(found) && message.contains(accepted), "{message}");
}

/// One cell that is no number must not make a state of every number.
#[test]
fn odd_cells_among_numbers_are_named() {
    let column = |odd: &str| {
        let rows = (0..20).map(|row| vec![if row == 7 { odd.to_string() } else { format!("{row}.5") }]);
        Table::from_text(&names(1), &rows.collect::<Vec<_>>(), &Discretisation::default(), 8)
    };
    for odd in ["oops", "inf", "1,5"] {
        refused(column(odd), &format!("column c0: found `{odd}` in row 8 among numbers"), "finite numbers");
    }
    for missing in ["", "-", "NA", "null"] {
        assert_eq!(column(missing).unwrap().state(7, 0), None, "{missing}");
    }
    let empty = text(&[&["1", ""], &["2", "NA"]]);
    refused(
        Table::from_text(&names(2), &empty, &Discretisation::default(), 8),
        "column c1: found no value",
        "leave",
    );
    let nameless = [String::new()];
    refused(
        Table::from_text(&nameless, &text(&[&["1"]]), &Discretisation::default(), 8),
        "column 1",
        "a name",
    );
}

/// What holds together is as probable as the joint distribution says.
#[test]
fn the_probability_of_evidence_is_that_of_the_joint_distribution() {
    let cells: Vec<u8> = (0..240u32).map(|cell| (cell.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let table = table(4, 0b0101, &cells, false);
    let structure = Structure::new(vec![vec![], vec![0], vec![1], vec![0, 2]]).unwrap();
    let mut network = Network::new(table.variables().to_vec(), structure, Prior::SampleSize(1.0)).unwrap();
    network.fit(&table).unwrap();
    let joint = network.joint(&[0, 3], &[]).unwrap().probabilities;
    let states = network.variables()[3].states.len();
    for (cell, expected) in joint.iter().enumerate() {
        let found = network.probability(&[(0, cell / states), (3, cell % states)]).unwrap();
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    }
    assert_eq!(network.probability(&[]).unwrap(), 1.0);
}

#[test]
fn tables_that_make_no_sense_are_refused() {
    let rows = text(&[&["1", "2"], &["3"]]);
    refused(Table::from_text(&names(2), &rows, &Discretisation::default(), 10), "1 cells", "2 cells");
    let twice = vec![Variable::numbered("x", 2), Variable::numbered("x", 2)];
    refused(Table::new(twice), "the name x twice", "different names");
    refused(Table::new(vec![]), "0", "1 to 64 variables");
    let many = (0..65).map(|v| Variable::numbered(format!("v{v}"), 2)).collect();
    refused(Table::new(many), "65", "1 to 64 variables");
    refused(Table::new(vec![Variable::numbered("x", 255)]), "255 states", "1 to 254");
    let mut table = Table::new(vec![Variable::numbered("x", 2)]).unwrap();
    refused(table.push(&[Some(2)]), "the state 2", "states below 2");
    refused(table.push(&[]), "0 cells", "1 cells");
    let one = Discretisation::Uniform { states: 1 };
    refused(Table::from_numbers(&names(1), &[vec![Some(1.0)]], &one), "1 states", "2 to 254");
    let entropy = Discretisation::Entropy { states: 3, target: "cost".into() };
    refused(Table::from_numbers(&names(1), &[vec![Some(1.0)]], &entropy), "cost", "one of c0");
    let uneven = [vec![Some(1.0)], vec![]];
    refused(Table::from_numbers(&names(2), &uneven, &Discretisation::default()), "0 values", "1 values");
}

#[test]
fn words_numbers_and_missing_cells_become_states() {
    let rows = text(&[&["b", "1", ""], &["a", "2", "NaN"], &["", "10", "7"], &["b", "-", "7"]]);
    let table = Table::from_text(&names(3), &rows, &Discretisation::default(), 10).unwrap();
    assert_eq!(table.variables()[0].states, ["a", "b"]);
    assert_eq!(table.variables()[1].states, ["1", "2", "10"], "numbers in their own order");
    assert_eq!(table.row(0), [Some(1), Some(0), None]);
    let (complete, left_out) = table.complete();
    assert_eq!((complete.rows(), left_out), (0, 4));
    // With more different numbers than categories, intervals: [1, 4], ]4, 7], ]7, 10].
    let table = Table::from_text(&names(3), &rows, &Discretisation::default(), 2).unwrap();
    assert_eq!(table.variables()[1].bounds, Some(vec![1.0, 4.0, 7.0, 10.0]));
    assert_eq!((0..4).map(|row| table.state(row, 1)).collect::<Vec<_>>(), [Some(0), Some(0), Some(2), None]);
}

#[test]
fn quantiles_have_about_equally_many_values_and_no_empty_states() {
    let column: Vec<Option<f64>> = (0..90).map(|value| Some(f64::from(value * value))).collect();
    let quantile = Discretisation::Quantile { states: 3 };
    let table = Table::from_numbers(&names(1), &[column], &quantile).unwrap();
    let count = |state| (0..90).filter(|row| table.state(*row, 0) == Some(state)).count();
    assert_eq!([count(0), count(1), count(2)], [30, 30, 30]);
    let mostly_zero: Vec<Option<f64>> = (0..90).map(|value| Some(f64::from((value - 80).max(0)))).collect();
    let table = Table::from_numbers(&names(1), &[mostly_zero], &quantile).unwrap();
    assert_eq!(table.variables()[0].states.len(), 2);
    assert_eq!((0..90).filter(|row| table.state(*row, 0) == Some(0)).count(), 81);
}

#[test]
fn entropy_cuts_where_the_target_changes() {
    let x: Vec<Option<f64>> = (0..100).map(|value| Some(f64::from(value))).collect();
    let y: Vec<Option<f64>> = (0..100).map(|value| Some(if value < 17 { 0.0 } else { 1.0 })).collect();
    let entropy = Discretisation::Entropy { states: 3, target: "c1".into() };
    let table = Table::from_numbers(&names(2), &[x, y], &entropy).unwrap();
    // One cut tells everything; a second one would tell nothing.
    assert_eq!(table.variables()[0].bounds, Some(vec![0.0, 16.0, 99.0]));
}

#[test]
fn entropy_cuts_where_a_target_of_words_changes() {
    let row = |value: i32| vec![value.to_string(), if value < 17 { "calm" } else { "busy" }.to_string()];
    let rows: Vec<Vec<String>> = (0..100).map(row).collect();
    let entropy = Discretisation::Entropy { states: 3, target: "c1".into() };
    let table = Table::from_text(&names(2), &rows, &entropy, 8).unwrap();
    assert_eq!(table.variables()[0].bounds, Some(vec![0.0, 16.0, 99.0]));
    // Nothing to divide, and nothing to tell about.
    let rows = text(&[&["calm", "busy"]]);
    assert!(Table::from_text(&names(2), &rows, &entropy, 8).is_ok());
    let moon = Discretisation::Entropy { states: 3, target: "moon".into() };
    refused(Table::from_text(&names(2), &rows, &moon, 8), "moon", "a column");
}

#[test]
fn structures_and_networks_that_make_no_sense_are_refused() {
    refused(Structure::new(vec![vec![1], vec![0]]), "a cycle", "without a cycle");
    refused(Structure::new(vec![vec![0]]), "a cycle", "without a cycle");
    refused(Structure::new(vec![vec![7]]), "7", "below 1");
    refused(Structure::new(vec![vec![], vec![0, 0]]), "0 twice", "once");
    let variables = |count: usize, states: usize| -> Vec<Variable> {
        (0..count).map(|v| Variable::numbered(format!("v{v}"), states)).collect()
    };
    let network = |variables, structure| Network::new(variables, structure, Prior::default());
    refused(network(variables(2, 2), Structure::empty(3)), "3 variables", "2 variables");
    let all = Structure::new((0..8).map(|child| (0..child).collect()).collect()).unwrap();
    refused(network(variables(8, 100), all), "too large", "fewer parents or states");
    for prior in [Prior::SampleSize(0.0), Prior::PerCell(f64::NAN)] {
        refused(Network::new(variables(1, 2), Structure::empty(1), prior), "", "a number from");
    }
    let known = network(variables(2, 2), Structure::empty(2)).unwrap();
    refused(known.posterior(2, &[]), "variable 2", "below 2");
    refused(known.posterior(0, &[(0, 1)]), "variable 0 twice", "once");
    refused(known.posterior(0, &[(1, 2)]), "the state 2", "below 2");
    let other = network(variables(2, 3), Structure::empty(2)).unwrap();
    let question = Question::new(&known, &[0], &[1]).unwrap();
    refused(question.ask(&other, &[0]), "another network", "prepared for");
    refused(question.ask(&known, &[]), "0 states", "1 states");
    refused(known.clone().fit(&table(2, 3, &[], false)), "v0 (3)", "v0 (2)");
}

#[test]
fn damaged_and_foreign_model_files_are_refused() {
    let network =
        Network::new(vec![Variable::numbered("x", 2)], Structure::empty(1), Prior::default()).unwrap();
    let model = Model { validity: Validity::default(), network };
    let text = model.to_json();
    refused(Model::from_json(""), "damaged JSON", "learn-model");
    refused(Model::from_json(&text[..text.len() / 2]), "damaged JSON", "learn-model");
    refused(Model::from_json("{}"), "another kind", "learn-model");
    refused(
        Model::from_json(&text.replace("\"version\":1", "\"version\":2")),
        "version 2",
        "learn the model again",
    );
    refused(Model::from_json(&text.replace("\"rows\":0", "\"rows\":-1")), "damaged model", "learn-model");
    let counts = text.replace("\"counts\":[[0,0]]", "\"counts\":[[0]]");
    assert_ne!(counts, text);
    refused(Model::from_json(&counts), "damaged model", "learn-model");
    refused(Model::from_json(&" ".repeat(crewlab_learn::MOST_BYTES + 1)), "bytes", "at most");
}

#[test]
fn a_model_of_another_scenario_warns() {
    let validity = Validity { scenarios: vec!["abc".into()], source: "run-1".into(), ..Validity::default() };
    assert_eq!(validity.warning("abc"), None);
    assert!(validity.warning("def").unwrap().contains("run-1"));
    assert_eq!(Validity::default().warning("def"), None, "a table without a scenario");
}

proptest! {
    #[test]
    fn any_numbers_can_be_discretised(
        column in prop::collection::vec(prop::option::of(prop::num::f64::ANY), 0..40), states in 2..12usize,
    ) {
        let target: Vec<Option<f64>> = (0..column.len()).map(|row| Some((row % 3) as f64)).collect();
        for method in [
            Discretisation::Uniform { states },
            Discretisation::Quantile { states },
            Discretisation::Entropy { states, target: "c1".into() },
        ] {
            let table = Table::from_numbers(&names(2), &[column.clone(), target.clone()], &method).unwrap();
            prop_assert!(table.variables()[0].states.len() <= states);
            for (row, value) in column.iter().enumerate() {
                let finite = value.is_some_and(f64::is_finite);
                prop_assert_eq!(table.state(row, 0).is_some(), finite);
            }
        }
    }

    #[test]
    fn any_text_is_a_table_or_an_error(cells in prop::collection::vec("[ -~]{0,6}", 0..40), most in 0..20usize) {
        let rows: Vec<Vec<String>> = cells.chunks(3).map(<[String]>::to_vec).collect();
        let _ = Table::from_text(&names(3), &rows, &Discretisation::default(), most);
    }
}
