//! The best family of a variable among those whose parents are available.

use crate::structure::members;

/// Up to this number of possible parents, the best costs are in a table.
const MOST_TABULATED: u32 = 18;

/// For every variable: its useful families, and the least cost for every set of available parents. A cost is a negative score.
#[derive(Clone, Debug)]
pub(crate) struct BestParents {
    lists: Vec<Vec<(f64, u64)>>,
    tables: Vec<Option<CostTable>>,
    /// Sets are split into so many low bits and the rest.
    low_bits: u32,
}

/// The least cost for every set of possible parents, with the sets' bits moved together.
#[derive(Clone, Debug)]
struct CostTable {
    costs: Vec<f64>,
    low: Vec<u32>,
    high: Vec<u32>,
}

impl BestParents {
    /// From lists of (score, parents), the best one first.
    pub fn new(lists: Vec<Vec<(f64, u64)>>) -> BestParents {
        let count = lists.len() as u32;
        let low_bits = count.div_ceil(2);
        let tables = lists.iter().map(|list| CostTable::new(list, low_bits, count - low_bits)).collect();
        BestParents { lists, tables, low_bits }
    }

    /// The least cost of a variable if these parents are available; infinite if it needs others.
    #[inline]
    pub fn cost(&self, variable: usize, available: u64) -> f64 {
        match &self.tables[variable] {
            Some(table) => {
                let low = table.low[(available & ((1 << self.low_bits) - 1)) as usize];
                table.costs[(low | table.high[(available >> self.low_bits) as usize]) as usize]
            }
            None => self.best(variable, available).map_or(f64::INFINITY, |(score, _)| -score),
        }
    }

    /// The best family if these parents are available, as (score, parents).
    pub fn best(&self, variable: usize, available: u64) -> Option<(f64, u64)> {
        self.lists[variable].iter().copied().find(|(_, parents)| parents & !available == 0)
    }
}

impl CostTable {
    fn new(list: &[(f64, u64)], low_bits: u32, high_bits: u32) -> Option<CostTable> {
        let possible = list.iter().fold(0, |union, (_, parents)| union | parents);
        if possible.count_ones() > MOST_TABULATED || low_bits > MOST_TABULATED {
            return None;
        }
        let place = |variable: usize| 1_u32 << (possible & ((1 << variable) - 1)).count_ones();
        let together = |set: u64| members(set & possible).fold(0, |code, variable| code | place(variable));
        let mut costs = vec![f64::INFINITY; 1 << possible.count_ones()];
        for (score, parents) in list.iter().rev() {
            costs[together(*parents) as usize] = -score;
        }
        for bit in (0..possible.count_ones()).map(|place| 1 << place) {
            for block in costs.chunks_exact_mut(2 * bit) {
                let (without, with) = block.split_at_mut(bit);
                with.iter_mut().zip(without).for_each(|(with, without)| *with = with.min(*without));
            }
        }
        Some(CostTable {
            costs,
            low: codes(0, low_bits, together),
            high: codes(low_bits, high_bits, together),
        })
    }
}

/// The code of every set within a range of bits.
pub(crate) fn codes(first: u32, bits: u32, together: impl Fn(u64) -> u32) -> Vec<u32> {
    let mut codes = vec![0_u32];
    for bit in first..first + bits {
        let code = together(1 << bit);
        let more: Vec<u32> = codes.iter().map(|known| known | code).collect();
        codes.extend(more);
    }
    codes
}
