//! Orders of variables. Parents come before their children, so an order says which parents are available to whom.

use crate::random::Generator;
use crate::structure::bit;

/// Costs that differ less are equal: sums in another order.
pub(crate) const ROUNDING: f64 = 1e-6;

/// The cost of a variable that lacks a required parent: more than anything real.
const IMPOSSIBLE: f64 = 1e12;

/// The least cost of a variable with these parents available.
pub(crate) type Cost<'a> = dyn Fn(usize, u64) -> f64 + 'a;

/// A good order and its cost: the best of that of a tree and several random ones, each improved by moving one variable at a time.
pub(crate) fn good_order(
    count: usize,
    starts: usize,
    random: &mut Generator,
    cost: &Cost,
) -> (f64, Vec<usize>) {
    let cost: &Cost = &|variable, available| cost(variable, available).min(IMPOSSIBLE);
    let mut winner: (f64, Vec<usize>) = (f64::INFINITY, (0..count).collect());
    for start in 0..=starts {
        let mut order = tree_order(count, cost);
        if start > 0 {
            random.shuffle(&mut order);
        }
        while let Some((from, to)) = best_move(&order, cost) {
            let variable = order.remove(from);
            order.insert(to, variable);
        }
        let found = cost_of(&order, cost);
        if found < winner.0 {
            winner = (found, order);
        }
    }
    winner
}

/// The variables of the tree that saves most, from its root on (Prim 1957, Chow and Liu 1968): where every variable depends on few others,
/// this is most of the best structure.
fn tree_order(count: usize, cost: &Cost) -> Vec<usize> {
    let saved = |variable: usize, parent: usize| cost(variable, 0) - cost(variable, bit(parent));
    let mut order: Vec<usize> = Vec::new();
    let mut best = vec![f64::NEG_INFINITY; count];
    while order.len() < count {
        let left = (0..count).filter(|variable| !order.contains(variable));
        let next = left.reduce(|one, two| if best[two] > best[one] { two } else { one }).unwrap_or_default();
        order.push(next);
        best.iter_mut().enumerate().for_each(|(variable, most)| *most = most.max(saved(variable, next)));
    }
    order
}

/// The cost of the best structure with an order.
pub(crate) fn cost_of(order: &[usize], cost: &Cost) -> f64 {
    let mut available = 0;
    order.iter().fold(0.0, |sum, variable| {
        let own = cost(*variable, available);
        available |= bit(*variable);
        sum + own
    })
}

/// The move of one variable to another place that saves most; nothing if none saves anything. A move is a row of swaps of neighbours,
/// and each of them concerns two variables only.
fn best_move(order: &[usize], cost: &Cost) -> Option<(usize, usize)> {
    let mut winner = (-ROUNDING, None);
    let mut before = 0_u64;
    for (from, moved) in order.iter().copied().enumerate() {
        let (mut change, mut available) = (0.0, before);
        for (to, other) in order.iter().copied().enumerate().skip(from + 1) {
            change += swapped(moved, other, available, cost);
            available |= bit(other);
            if change < winner.0 {
                winner = (change, Some((from, to)));
            }
        }
        (change, available) = (0.0, before);
        for (to, other) in order.iter().copied().enumerate().take(from).rev() {
            available &= !bit(other);
            change += swapped(other, moved, available, cost);
            if change < winner.0 {
                winner = (change, Some((from, to)));
            }
        }
        before |= bit(moved);
    }
    winner.1
}

/// By how much the cost changes if two neighbours swap their places.
fn swapped(first: usize, second: usize, available: u64, cost: &Cost) -> f64 {
    let after = cost(second, available) + cost(first, available | bit(second));
    after - cost(first, available) - cost(second, available | bit(first))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_a_tree_follows_its_edges() {
        // A chain 3 - 1 - 4 - 0 - 2: neighbours save much, others nothing.
        let chain = [3, 1, 4, 0, 2];
        let place = |variable: usize| chain.iter().position(|each| *each == variable).unwrap_or_default();
        let cost: &Cost = &|variable, available| {
            let near = (0..5).filter(|other| place(*other).abs_diff(place(variable)) == 1);
            10.0 - near.map(|other| f64::from(available & bit(other) != 0)).fold(0.0, f64::max)
        };
        let order = tree_order(5, cost);
        assert_eq!(cost_of(&order, cost), 50.0 - 4.0, "{order:?}");
    }

    /// A chain of which every variable saves 1 with its neighbour available, and all but the last want to come late.
    #[test]
    fn a_move_is_worth_what_the_whole_order_changes_by() {
        let cost: &Cost = &|variable: usize, available: u64| {
            let neighbour = bit((variable + 1) % 9);
            10.0 - f64::from(available & neighbour != 0)
                - 0.01 * (available.count_ones() * variable as u32) as f64
        };
        let mut random = Generator::new(3);
        let mut order: Vec<usize> = (0..9).collect();
        random.shuffle(&mut order);
        while let Some((from, to)) = best_move(&order, cost) {
            let mut moved = order.clone();
            let variable = moved.remove(from);
            moved.insert(to, variable);
            let saved = cost_of(&order, cost) - cost_of(&moved, cost);
            let any = (0..9).flat_map(|from| (0..9).map(move |to| (from, to))).map(|(from, to)| {
                let mut other = order.clone();
                let variable = other.remove(from);
                other.insert(to, variable);
                cost_of(&order, cost) - cost_of(&other, cost)
            });
            assert!(saved > 0.0 && any.fold(0.0, f64::max) <= saved + 1e-9);
            order = moved;
        }
        assert!(cost_of(&order, cost) < 90.0 - 7.0, "{order:?}");
    }
}
