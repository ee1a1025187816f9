//! Small random networks and tables for the tests.

use crewlab_learn::{Network, Prior, Structure, Table, Variable};
use proptest::prelude::*;

/// A network of two to five variables with two or three states each, and rows that it has counted.
#[derive(Clone, Debug)]
pub struct Case {
    pub table: Table,
    pub network: Network,
}

fn variables(count: usize, three: u32) -> Vec<Variable> {
    (0..count).map(|v| Variable::numbered(format!("v{v}"), if three >> v & 1 == 1 { 3 } else { 2 })).collect()
}

/// A structure whose edges go from lower to higher numbers, as the bits say.
pub fn forward(count: usize, edges: u32) -> Structure {
    let mut parents = vec![Vec::new(); count];
    let pairs = (0..count).flat_map(|child| (0..child).map(move |parent| (parent, child)));
    for (number, (parent, child)) in pairs.enumerate() {
        if edges >> number & 1 == 1 {
            parents[child].push(parent);
        }
    }
    Structure::new(parents).unwrap()
}

pub fn table(count: usize, three: u32, cells: &[u8], missing: bool) -> Table {
    let variables = variables(count, three);
    let mut table = Table::new(variables.clone()).unwrap();
    for row in cells.chunks_exact(count) {
        let state = |(cell, variable): (&u8, &Variable)| {
            (!missing || cell % 7 != 0).then_some(usize::from(*cell) / 7 % variable.states.len())
        };
        table.push(&row.iter().zip(&variables).map(state).collect::<Vec<_>>()).unwrap();
    }
    table
}

pub fn case(missing: bool) -> impl Strategy<Value = Case> {
    let cells = prop::collection::vec(any::<u8>(), 0..200);
    (2..6usize, any::<u32>(), any::<u32>(), cells).prop_map(move |(count, three, edges, cells)| {
        let table = table(count, three, &cells, missing);
        let structure = forward(count, edges);
        let mut network = Network::new(table.variables().to_vec(), structure, Prior::default()).unwrap();
        network.fit(&table).unwrap();
        Case { table, network }
    })
}
