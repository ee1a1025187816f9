//! Inference against the sum over all combinations of states, and counting.

use crate::random::{Case, case};
use crewlab_learn::{Model, Network, Posterior, Prior, Question, Structure, Validity, Variable};
use proptest::prelude::*;

/// All combinations of states with their probabilities.
fn joint(network: &Network) -> Vec<(Vec<usize>, f64)> {
    let mut all = vec![Vec::new()];
    for variable in network.variables() {
        let more = |states: &Vec<usize>| -> Vec<Vec<usize>> {
            (0..variable.states.len()).map(|state| [&states[..], &[state]].concat()).collect()
        };
        all = all.iter().flat_map(more).collect();
    }
    let probability = |states: &Vec<usize>| -> f64 {
        let factor = |variable: usize| {
            let parents = network.structure().parents(variable);
            let parents: Vec<usize> = parents.iter().map(|parent| states[*parent]).collect();
            network.row(variable, &parents).unwrap().0[states[variable]]
        };
        (0..states.len()).map(factor).product()
    };
    all.into_iter().map(|states| (states.clone(), probability(&states))).collect()
}

fn by_enumeration(network: &Network, query: usize, evidence: &[(usize, usize)]) -> Vec<f64> {
    let mut sums = vec![0.0; network.variables()[query].states.len()];
    for (states, probability) in joint(network) {
        if evidence.iter().all(|(variable, state)| states[*variable] == *state) {
            sums[states[query]] += probability;
        }
    }
    let total: f64 = sums.iter().sum();
    sums.iter().map(|sum| sum / total).collect()
}

/// Evidence on the variables of a bit mask except one, with states from the bits.
fn evidence(network: &Network, known: u8, states: u32, query: usize) -> Vec<(usize, usize)> {
    let variables = network.variables().iter().enumerate();
    let chosen = variables.filter(|(v, _)| known >> v & 1 == 1 && *v != query);
    chosen.map(|(v, variable)| (v, (states >> (2 * v)) as usize % variable.states.len())).collect()
}

proptest! {
    #[test]
    fn posteriors_are_those_of_the_joint_distribution(
        Case { network, table } in case(false), query in 0..5usize, known: u8, states: u32,
    ) {
        let query = query % network.variables().len();
        let evidence = evidence(&network, known, states, query);
        let found = network.posterior(query, &evidence).unwrap();
        for (one, other) in found.probabilities.iter().zip(by_enumeration(&network, query, &evidence)) {
            prop_assert!((one - other).abs() < 1e-12, "{one} {other}");
        }
        // The support is an upper bound on the rows with this evidence.
        let agrees = |row: &usize| evidence.iter().all(|(v, state)| table.state(*row, *v) == Some(*state));
        let rows = (0..table.rows()).filter(agrees).count() as u64;
        prop_assert!(found.support >= rows, "{} {rows}", found.support);
    }

    #[test]
    fn a_prepared_question_is_the_same_question(
        Case { mut network, table } in case(false), query in 0..5usize, known: u8, states: u32,
    ) {
        let query = query % network.variables().len();
        let evidence = evidence(&network, known, states, query);
        let (known, states): (Vec<usize>, Vec<usize>) = evidence.iter().copied().unzip();
        let question = Question::new(&network, &[query], &known).unwrap();
        prop_assert_eq!(question.ask(&network, &states), network.posterior(query, &evidence));
        if table.rows() > 0 {
            network.update(&table.row(0)).unwrap();
            prop_assert_eq!(question.ask(&network, &states), network.posterior(query, &evidence));
        }
    }

    #[test]
    fn joint_distributions_of_pairs_have_the_right_margins(Case { network, .. } in case(false)) {
        let pair = network.joint(&[1, 0], &[]).unwrap().probabilities;
        let states = network.variables()[0].states.len();
        let margin: Vec<f64> = pair.chunks(states).map(|row| row.iter().sum()).collect();
        for (one, other) in margin.iter().zip(network.posterior(1, &[]).unwrap().probabilities) {
            prop_assert!((one - other).abs() < 1e-12);
        }
    }

    #[test]
    fn rows_one_by_one_give_what_all_at_once_give(Case { table, network } in case(true)) {
        let mut online =
            Network::new(network.variables().to_vec(), network.structure().clone(), network.prior()).unwrap();
        for row in 0..table.rows() {
            online.update(&table.row(row)).unwrap();
        }
        prop_assert_eq!(online, network);
    }

    #[test]
    fn model_files_keep_everything(Case { network, .. } in case(true)) {
        let validity = Validity { source: "a test".into(), rows: network.rows(), ..Validity::default() };
        let model = Model { validity, network };
        prop_assert_eq!(Model::from_json(&model.to_json()), Ok(model));
    }
}

#[test]
fn evidence_that_was_never_seen_is_flagged() {
    let variables = vec![Variable::numbered("cause", 3), Variable::numbered("effect", 2)];
    let structure = Structure::new(vec![vec![], vec![0]]).unwrap();
    let mut network = Network::new(variables, structure, Prior::default()).unwrap();
    for (cause, effect) in [(0, 0), (0, 0), (1, 1)] {
        network.update(&[Some(cause), Some(effect)]).unwrap();
    }
    let seen = network.posterior(1, &[(0, 0)]).unwrap();
    assert_eq!((seen.support, seen.guessed), (2, 0));
    // (2 + 1/6) / (2 + 2/6): the sample size of one is divided among six cells.
    assert!((seen.probabilities[0] - (2.0 + 1.0 / 6.0) / (2.0 + 1.0 / 3.0)).abs() < 1e-15);
    let never = network.posterior(1, &[(0, 2)]).unwrap();
    assert_eq!(never, Posterior { probabilities: vec![0.5, 0.5], support: 0, guessed: 1 });
    assert!(!never.seen());
    // Without evidence on the cause, one of the three rows is a guess.
    assert_eq!(network.posterior(1, &[]).unwrap().guessed, 1);
}

#[test]
fn tiny_probabilities_do_not_become_zero() {
    // Sixty effects that contradict the only cause that was ever seen.
    let mut variables = vec![Variable::numbered("cause", 2)];
    variables.extend((1..=60).map(|v| Variable::numbered(format!("effect{v}"), 2)));
    let structure =
        Structure::new((0..=60).map(|v| if v == 0 { vec![] } else { vec![0] }).collect()).unwrap();
    let mut network = Network::new(variables, structure, Prior::SampleSize(1e-6)).unwrap();
    for state in [0, 1] {
        (0..500).for_each(|_| network.update(&[Some(state); 61]).unwrap());
    }
    let evidence: Vec<(usize, usize)> = (1..=60).map(|effect| (effect, usize::from(effect > 30))).collect();
    let found = network.posterior(0, &evidence).unwrap();
    assert!(found.probabilities.iter().all(|one| (one - 0.5).abs() < 1e-9), "{found:?}");
}
