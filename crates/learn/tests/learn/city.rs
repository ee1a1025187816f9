//! What the thesis found in Munich (section 4.4.3), on what our robot recorded in the city (`tests/data/city.csv`): which indicators are tied.
//! What holds in one environment more than in the other is too close to call (docs/analysis.md).

use crewlab_learn::{Constraints, Counter, Network, Prior, Table, Variable, eta_of_network, optimum};
use std::fs;
use std::path::PathBuf;

fn table() -> Table {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/city.csv");
    let text = fs::read_to_string(file).unwrap();
    let mut lines = text.lines();
    let names = lines.next().unwrap().split(',').skip(1);
    let mut table = Table::new(names.map(|name| Variable::numbered(name, 3)).collect()).unwrap();
    for line in lines {
        table.push(&line.split(',').skip(1).map(|cell| cell.parse().ok()).collect::<Vec<_>>()).unwrap();
    }
    table
}

/// The best network for all rows.
fn network() -> Network {
    let table = table();
    let best = optimum(&mut Counter::new(&table).unwrap(), &Constraints::default()).unwrap();
    let mut network = Network::new(table.variables().to_vec(), best.structure, Prior::default()).unwrap();
    network.fit(&table).unwrap();
    network
}

fn place(network: &Network, name: &str) -> usize {
    network.variables().iter().position(|variable| variable.name == name).unwrap()
}

fn tie(network: &Network, one: &str, two: &str) -> f64 {
    eta_of_network(network).unwrap()[place(network, one)][place(network, two)]
}

#[test]
fn map_uncertainty_is_tied_to_pose_path_and_orientation() {
    let all = network();
    let map = |network: &Network, other: &str| tie(network, "map-uncertainty", other);
    for other in ["pose-uncertainty", "path-turning", "heading-variance"] {
        assert!(map(&all, other) > 0.02, "{other}: {}", map(&all, other));
    }
}

#[test]
fn waypoints_are_tied_to_clear_ones_and_to_the_length_of_the_path() {
    let all = network();
    assert!(tie(&all, "waypoints", "clear-waypoints") > 0.05);
    assert!(tie(&all, "waypoints", "path-length") > 0.05);
}

/// The share of rows with a certain pose falls as the map becomes less certain.
#[test]
fn the_pose_is_less_certain_where_the_map_is() {
    let all = network();
    let (map, pose) = (place(&all, "map-uncertainty"), place(&all, "pose-uncertainty"));
    let certain = |state| all.posterior(pose, &[(map, state)]).unwrap().probabilities[0];
    assert!(certain(0) > 2.0 * certain(1) && certain(1) > 2.0 * certain(2));
}
