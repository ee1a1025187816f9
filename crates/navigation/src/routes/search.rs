//! A*: the shortest path through a graph whose edges are asked for as they are needed.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A graph with a start and a goal beside its nodes.
pub trait Graph {
    /// Number of nodes.
    fn count(&self) -> usize;
    /// Calls `visit` with the neighbours of a node and their distances.
    fn neighbours(&mut self, node: u32, visit: &mut dyn FnMut(u32, f64));
    /// Distance from a node straight to the goal, if it is seen from there.
    fn to_goal(&self, node: u32) -> Option<f64>;
    /// A distance that the rest of the path is at least as long as. It must not fall by more than the length of an edge along it.
    fn rest(&self, node: u32) -> f64;
}

/// A node that was reached.
#[derive(Clone, Copy)]
struct Reached {
    length: f64,
    from: u32,
}

const NOWHERE: Reached = Reached { length: f64::INFINITY, from: u32::MAX };

/// The nodes of the shortest path from a start, which sees some nodes at some distance, to the goal; of equal paths the one whose
/// nodes have lower numbers. Returns the length and the nodes.
pub fn shortest(graph: &mut impl Graph, starts: &[(u32, f64)]) -> Option<(f64, Vec<u32>)> {
    let goal = graph.count() as u32;
    let mut reached = vec![NOWHERE; graph.count() + 1];
    let mut queue = BinaryHeap::new();
    // Lengths are not negative, so their bits have the order of the numbers.
    let key = |total: f64, node: u32| Reverse((total.to_bits(), node));
    for &(node, length) in starts {
        if length < reached[node as usize].length {
            reached[node as usize] = Reached { length, from: goal };
            queue.push(key(length + graph.rest(node), node));
        }
    }
    let mut done = vec![false; graph.count()];
    while let Some(Reverse((_, node))) = queue.pop() {
        if node == goal {
            return Some((reached[goal as usize].length, trail(&reached, goal)));
        }
        if std::mem::replace(&mut done[node as usize], true) {
            continue;
        }
        let length = reached[node as usize].length;
        if let Some(last) = graph.to_goal(node)
            && length + last < reached[goal as usize].length
        {
            reached[goal as usize] = Reached { length: length + last, from: node };
            queue.push(key(length + last, goal));
        }
        let mut found = Vec::new();
        graph.neighbours(node, &mut |next, step| {
            let total = length + step;
            if total < reached[next as usize].length {
                reached[next as usize] = Reached { length: total, from: node };
                found.push((next, total));
            }
        });
        for (next, total) in found {
            queue.push(key(total + graph.rest(next), next));
        }
    }
    None
}

/// The nodes before the goal, from the first.
fn trail(reached: &[Reached], goal: u32) -> Vec<u32> {
    let mut nodes = Vec::new();
    let mut at = reached[goal as usize].from;
    while at != goal {
        nodes.push(at);
        at = reached[at as usize].from;
    }
    nodes.reverse();
    nodes
}
