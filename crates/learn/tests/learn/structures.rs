//! The search for structures against all structures, all orders, and itself.

use crate::random::{forward, table};
use crewlab_learn::*;
use proptest::prelude::*;

/// All structures over so many variables.
fn all_structures(count: usize) -> Vec<Structure> {
    let edges: Vec<(usize, usize)> = (0..count)
        .flat_map(|one| (0..count).filter(move |two| *two != one).map(move |two| (one, two)))
        .collect();
    let structure = |bits: u32| {
        let mut parents = vec![Vec::new(); count];
        let chosen = edges.iter().enumerate().filter(|(number, _)| bits >> number & 1 == 1);
        chosen.for_each(|(_, (parent, child))| parents[*child].push(*parent));
        Structure::new(parents).ok()
    };
    (0..1_u32 << edges.len()).filter_map(structure).collect()
}

/// All orders of so many variables.
fn all_orders(count: usize) -> Vec<Vec<usize>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let shorter = all_orders(count - 1);
    let longer = |order: &Vec<usize>| -> Vec<Vec<usize>> {
        let put = |place: usize| [&order[..place], &[count - 1], &order[place..]].concat();
        (0..count).map(put).collect()
    };
    shorter.iter().flat_map(longer).collect()
}

/// Rows in which every variable copies one before it, or is random.
fn tied(count: usize, rows: usize, states: usize, seed: u64) -> Table {
    let mut random = Generator::new(seed);
    let sources: Vec<[usize; 2]> =
        (0..count).map(|v| [random.below(v.max(1)), random.below(v.max(1))]).collect();
    let mut table =
        Table::new((0..count).map(|v| Variable::numbered(format!("v{v}"), states)).collect()).unwrap();
    for _ in 0..rows {
        let mut row: Vec<usize> = Vec::new();
        for (variable, [one, two]) in sources.iter().enumerate() {
            let noise = variable == 0 || random.unit() < 0.3;
            row.push(if noise { random.below(states) } else { (row[*one] + row[*two]) % states });
        }
        table.push(&row.into_iter().map(Some).collect::<Vec<_>>()).unwrap();
    }
    table
}

fn scores(table: &Table) -> Scores {
    Scores::new(Counter::new(table).unwrap())
}

fn best(table: &Table, constraints: &Constraints) -> Optimum {
    optimum(&mut Counter::new(table).unwrap(), constraints).unwrap()
}

#[test]
fn there_are_as_many_structures_as_the_formula_says() {
    for count in 1..=4 {
        assert_eq!(acyclic_graphs(count), Some(all_structures(count).len() as u128));
    }
    assert_eq!(acyclic_graphs(5), Some(29281));
    assert_eq!(acyclic_graphs(10), Some(4_175_098_976_430_598_143));
    assert_eq!(acyclic_graphs(64), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn nothing_beats_the_optimum(three: u32, cells in prop::collection::vec(any::<u8>(), 4..400), required: bool) {
        let table = table(4, three, &cells, false);
        let mut scores = scores(&table);
        let constraints = Constraints {
            required: if required { vec![(2, 0)] } else { vec![] },
            forbidden: vec![(1, 3)],
            ..Constraints::default()
        };
        let found = best(&table, &constraints);
        let allowed = |structure: &Structure| {
            (!required || structure.parents(0).contains(&2)) && !structure.parents(3).contains(&1)
        };
        prop_assert!(allowed(&found.structure), "{:?}", found);
        prop_assert!((scores.structure(&found.structure).unwrap() - found.score).abs() < 1e-9);
        let all = all_structures(4);
        let scores = all.iter().filter(|one| allowed(one)).map(|one| scores.structure(one).unwrap());
        let highest = scores.fold(f64::NEG_INFINITY, f64::max);
        prop_assert!((highest - found.score).abs() < 1e-8, "{highest} {}", found.score);
    }

    #[test]
    fn the_score_is_a_sum_over_families(three: u32, edges: u32, cells in prop::collection::vec(any::<u8>(), 5..200)) {
        let table = table(5, three, &cells, false);
        let mut scores = scores(&table);
        let structure = forward(5, edges);
        // With one family after the other, all other variables without parents.
        let empty = scores.structure(&Structure::empty(5)).unwrap();
        let mut sum = empty;
        for variable in 0..5 {
            let mut parents = vec![Vec::new(); 5];
            parents[variable] = structure.parents(variable).to_vec();
            sum += scores.structure(&Structure::new(parents).unwrap()).unwrap() - empty;
        }
        prop_assert!((scores.structure(&structure).unwrap() - sum).abs() < 1e-8);
    }

    #[test]
    fn edge_probabilities_are_those_of_all_orders(three: u32, cells in prop::collection::vec(any::<u8>(), 4..200)) {
        let table = table(4, three, &cells, false);
        let mut scores = scores(&table);
        let structures = all_structures(4);
        let (mut total, mut edges) = (0.0, vec![vec![0.0; 4]; 4]);
        // An order has all structures whose edges it does not turn back; their weights are relative to the empty structure.
        let empty = scores.structure(&Structure::empty(4)).unwrap();
        for order in all_orders(4) {
            let place = |variable: usize| order.iter().position(|one| *one == variable).unwrap();
            for structure in structures.iter().filter(|one| one.edges().all(|(from, to)| place(from) < place(to))) {
                let weight = (scores.structure(structure).unwrap() - empty).exp();
                total += weight;
                structure.edges().for_each(|(from, to)| edges[from][to] += weight);
            }
        }
        let found = edge_probabilities(&mut Counter::new(&table).unwrap(), &Constraints::default(), 0, 1).unwrap();
        prop_assert_eq!(found.method, EdgeMethod::Exact);
        for (one, two) in found.probabilities.iter().flatten().zip(edges.iter().flatten()) {
            prop_assert!((one - two / total).abs() < 1e-9, "{one} {}", two / total);
        }
    }

    #[test]
    fn ties_are_between_none_and_full(three: u32, edges: u32, cells in prop::collection::vec(any::<u8>(), 0..200)) {
        let table = table(4, three, &cells, false);
        let mut network = Network::new(table.variables().to_vec(), forward(4, edges), Prior::default()).unwrap();
        network.fit(&table).unwrap();
        for all in [eta_of_network(&network).unwrap(), eta_of_table(&table)] {
            for (x, row) in all.iter().enumerate() {
                prop_assert!(row.iter().all(|tie| (0.0..=1.0).contains(tie)));
                prop_assert!(row.iter().enumerate().all(|(y, tie)| *tie == all[y][x]));
            }
        }
    }
}

#[test]
fn bounds_lose_nothing() {
    // With an order, the optimum is a sum of independent families: no bounds are involved. The best one of many random orders comes close
    // to the optimum, and none may exceed it.
    for seed in 0..3 {
        let table = tied(15, 300, 3, seed);
        let found = best(&table, &Constraints::default());
        let order = found.structure.order();
        let again = best(&table, &Constraints { order: Some(order.clone()), ..Constraints::default() });
        assert!((found.score - again.score).abs() < 1e-8);
        let mut random = Generator::new(seed);
        let mut other = order;
        for _ in 0..20 {
            let (one, two) = (random.below(15), random.below(15));
            other.swap(one, two);
            let ordered = best(&table, &Constraints { order: Some(other.clone()), ..Constraints::default() });
            assert!(ordered.score <= found.score + 1e-8);
        }
    }
}

#[test]
fn the_chain_and_k2_find_good_structures_and_none_that_is_better_than_the_optimum() {
    let table = tied(8, 400, 2, 5);
    let mut scores = scores(&table);
    let found = chain(&mut scores, &Constraints::default(), &ChainParams::default()).unwrap();
    let greedy = k2(&mut scores, &found.best.order(), &Constraints::default()).unwrap();
    let proven = best(&table, &Constraints::default()).score;
    let empty = scores.structure(&Structure::empty(8)).unwrap();
    for score in [found.score, scores.structure(&greedy).unwrap()] {
        assert!(score <= proven + 1e-8);
        assert!(score - empty > 0.8 * (proven - empty), "{empty} {score} {proven}");
    }
    assert_eq!(found.accepted.len(), 2000);
    let (one, two) = (found.accepted_per_proposed(), found.accepted_per_rejected());
    assert!(one.iter().all(|ratio| (0.0..=1.0).contains(ratio)) && two.iter().all(|ratio| ratio.is_finite()));
    let again = chain(&mut scores, &Constraints::default(), &ChainParams::default()).unwrap();
    assert_eq!(again, found, "the same seed");
}

#[test]
fn constraints_hold_in_every_search() {
    let table = tied(6, 300, 2, 1);
    let mut scores = scores(&table);
    let constraints = Constraints {
        required: vec![(5, 0), (4, 0)],
        forbidden: vec![(0, 1), (1, 0)],
        most_parents: Some(2),
        order: None,
    };
    let order = [5, 4, 3, 2, 1, 0];
    let structures = [
        best(&table, &constraints).structure,
        chain(&mut scores, &constraints, &ChainParams::default()).unwrap().best,
        k2(&mut scores, &order, &constraints).unwrap(),
    ];
    for structure in structures {
        assert_eq!(structure.parents(0), [4, 5]);
        assert!(!structure.parents(1).contains(&0));
        assert!((0..6).all(|variable| structure.parents(variable).len() <= 2));
    }
    let edges =
        edge_probabilities(&mut Counter::new(&table).unwrap(), &constraints, 0, 1).unwrap().probabilities;
    assert!((edges[5][0] - 1.0).abs() < 1e-9 && edges[0][1] == 0.0);
}

#[test]
fn contradictions_are_refused() {
    let table = tied(3, 50, 2, 1);
    let mut scores = scores(&table);
    let refused = |constraints: Constraints, word: &str| {
        let error = optimum(&mut Counter::new(&table).unwrap(), &constraints).unwrap_err().to_string();
        assert!(error.contains(word), "{error}");
    };
    let edges = |required: &[(usize, usize)], forbidden: &[(usize, usize)]| Constraints {
        required: required.to_vec(),
        forbidden: forbidden.to_vec(),
        ..Constraints::default()
    };
    refused(edges(&[(0, 1)], &[(0, 1)]), "a forbidden edge");
    refused(edges(&[(0, 1), (1, 0)], &[]), "a cycle");
    refused(edges(&[(1, 1)], &[]), "a forbidden edge");
    refused(edges(&[(0, 7)], &[]), "below 3");
    refused(Constraints { order: Some(vec![0, 1, 1]), ..Constraints::default() }, "once");
    refused(Constraints { most_parents: Some(0), ..edges(&[(0, 1)], &[]) }, "at most 0");
    assert!(k2(&mut scores, &[0, 1], &Constraints::default()).is_err());
}

#[test]
fn more_variables_than_can_be_proven_are_sampled() {
    let table = tied(30, 200, 2, 3);
    let error = optimum(&mut Counter::new(&table).unwrap(), &Constraints::default()).unwrap_err();
    assert!(error.to_string().contains("at most 28"), "{error}");
    let table = tied(17, 400, 2, 3);
    let sampled =
        edge_probabilities(&mut Counter::new(&table).unwrap(), &Constraints::default(), 2000, 1).unwrap();
    assert!(matches!(sampled.method, EdgeMethod::Sampled { .. }));
    assert!(sampled.probabilities.iter().flatten().all(|one| (0.0..=1.0).contains(one)));
}

#[test]
fn odd_tables_have_structures_too() {
    // One row, constant columns, a hundred states, many rows: no NaN, no panic.
    for (count, rows, states) in [(4, 1, 3), (4, 2, 3), (4, 50, 1), (4, 300, 100), (5, 50_000, 2)] {
        let table = tied(count, rows, states, 1);
        let mut counter = Counter::new(&table).unwrap();
        let found = optimum(&mut counter, &Constraints::default()).unwrap();
        assert!(found.score.is_finite(), "{count} {rows} {states}");
        if rows < 3 || states == 1 {
            assert_eq!(found.structure, Structure::empty(count), "nothing can be learned");
        }
        let edges = edge_probabilities(&mut counter, &Constraints::default(), 100, 1).unwrap();
        assert!(edges.probabilities.iter().flatten().all(|one| (0.0..=1.0).contains(one)), "{edges:?}");
    }
    let empty = Table::new(vec![Variable::numbered("x", 2)]).unwrap();
    assert!(Counter::new(&empty).unwrap_err().to_string().contains("at least one row"));
}

#[test]
fn rankings_name_what_is_tied_to_nothing() {
    let ties = vec![vec![0.0, 0.5, 0.01], vec![0.5, 0.0, 0.0], vec![0.01, 0.0, 0.0]];
    assert_eq!(ranking(&ties).iter().map(|(variable, _)| *variable).collect::<Vec<_>>(), [0, 1, 2]);
    assert_eq!(loners(&ties), [2]);
    assert_eq!(eta(&[0.5, 0.0, 0.0, 0.5], 2), 1.0);
    assert_eq!(eta(&[0.25; 4], 2), 0.0);
    assert_eq!(eta(&[1.0, 0.0], 2), 0.0, "nothing varies");
    assert_eq!(eta(&[f64::NAN], 1), 0.0);
}
