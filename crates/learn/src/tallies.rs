//! How often each combination of states of a set of variables occurs. Rows are bits: those with given states are the bits that several masks
//! have in common. The most frequent state of a variable is not counted, because it is what the others leave of the set without that
//! variable, which was counted before.

use crate::ranks::{MOST_RANKED, choose, rank};
use crate::structure::{bit, members};
use pulp::{Arch, Simd, WithSimd};

/// Sets have at most so many combinations of states,
const MOST_CELLS: f64 = 256.0;

/// and so many without most frequent states.
const MOST_COUNTED: f64 = 64.0;

/// The largest number of sets of a size.
const MOST_SETS: f64 = 2e5;

/// Counts that are kept, over all sets.
const MOST_KEPT: usize = 1 << 23;

/// The counts of all sets that were needed so far.
#[derive(Clone, Debug)]
pub(crate) struct Tallies {
    /// Number of states per variable.
    states: Vec<usize>,
    /// For each variable a mask of rows per state but the last one.
    masks: Vec<Vec<u64>>,
    /// 64 bit words of a mask.
    words: usize,
    /// For each size of sets and each set: where its counts begin, plus one.
    places: Vec<Vec<u32>>,
    /// The counts of one set after the other. Within a set, the lowest variable changes fastest.
    counts: Vec<u32>,
    /// The highest variable of a set, the two highest ones, and so on: sets often differ in their lowest variables only.
    common: Vec<Common>,
}

/// The rows of each combination of states of a set, without most frequent states.
#[derive(Clone, Debug, Default)]
struct Common {
    set: u64,
    /// The places of these combinations among all.
    cells: Vec<usize>,
    masks: Vec<u64>,
}

impl Tallies {
    /// Prepares for counting. The last state of each column has to be its most frequent one.
    pub fn new(columns: &[Vec<u8>], states: &[usize], rows: usize) -> Tallies {
        let words = rows.div_ceil(64);
        let masks = |(column, states): (&Vec<u8>, &usize)| {
            let last = states.saturating_sub(1);
            // Variables with more states are never counted here.
            let counted = if last as f64 <= MOST_COUNTED { last } else { 0 };
            let mut masks = vec![0_u64; counted * words];
            for (row, state) in column.iter().enumerate().filter(|(_, state)| usize::from(**state) < counted)
            {
                masks[usize::from(*state) * words + row / 64] |= 1 << (row % 64);
            }
            masks
        };
        let mut all = vec![u64::MAX; words];
        if let Some(last) = all.last_mut().filter(|_| !rows.is_multiple_of(64)) {
            *last >>= 64 - rows % 64;
        }
        Tallies {
            states: states.to_vec(),
            masks: columns.iter().zip(states).map(masks).collect(),
            words,
            places: vec![vec![1]],
            counts: vec![rows as u32],
            common: vec![Common { set: 0, cells: vec![0], masks: all }],
        }
    }

    /// The counts of a set; nothing if it is too large, or if there is no room for it.
    pub fn of(&mut self, set: u64) -> Option<&[u32]> {
        let size = set.count_ones() as usize;
        let (mut cells, mut counted) = (1.0, 1.0);
        for variable in members(set) {
            cells *= self.states[variable] as f64;
            counted *= self.states[variable] as f64 - 1.0;
        }
        let fits = cells <= MOST_CELLS && counted <= MOST_COUNTED && self.counts.len() < MOST_KEPT;
        let fits = fits && (size < self.places.len() || self.provide(size));
        fits.then(|| {
            let place = self.place(set);
            &self.counts[place..place + cells as usize]
        })
    }

    /// Provides for sets of a size; false if there are too many.
    fn provide(&mut self, size: usize) -> bool {
        let sets = |size: usize| choose(self.states.len(), size);
        if size > MOST_RANKED || (1..=size).any(|size| sets(size) > MOST_SETS) {
            return false;
        }
        let more: Vec<Vec<u32>> =
            (self.places.len()..=size).map(|size| vec![0; sets(size) as usize]).collect();
        self.places.extend(more);
        true
    }

    /// Where the counts of a set begin.
    fn place(&mut self, set: u64) -> usize {
        let size = set.count_ones() as usize;
        let rank = rank(set);
        match self.places[size][rank] {
            0 => {
                let place = self.count(set);
                self.places[size][rank] = place as u32 + 1;
                place
            }
            place => place as usize - 1,
        }
    }

    /// Counts a set with at least one member.
    fn count(&mut self, set: u64) -> usize {
        let size = set.count_ones() as usize;
        // For each member its number of states, and where the counts without it begin.
        let mut variables = [(0, 0); MOST_RANKED];
        for (variable, own) in members(set).zip(&mut variables) {
            *own = (self.states[variable], self.place(set & !bit(variable)));
        }
        let lowest = set.trailing_zeros() as usize;
        let rest = set & !bit(lowest);
        self.prepare(rest);
        let place = self.counts.len();
        let cells: usize = variables[..size].iter().map(|(states, _)| states).product();
        self.counts.resize(place + cells, 0);
        let (known, own) = self.counts.split_at_mut(place);
        let common = &self.common[rest.count_ones() as usize];
        // Without an instruction that counts bits, which not all processors have, this takes several times as long.
        Arch::new().dispatch(Filling {
            common,
            masks: &self.masks[lowest],
            words: self.words,
            variables: &variables[..size],
            known,
            counts: own,
        });
        place
    }

    /// Finds the rows that the combinations of states of a set have in common.
    fn prepare(&mut self, set: u64) {
        let size = set.count_ones() as usize;
        if self.common.len() <= size {
            self.common.resize_with(size + 1, Common::default);
        }
        if self.common[size].set == set {
            return;
        }
        let lowest = set.trailing_zeros() as usize;
        self.prepare(set & !bit(lowest));
        let (before, after) = self.common.split_at_mut(size);
        let (from, to) = (&before[size - 1], &mut after[0]);
        to.set = set;
        to.cells.clear();
        to.masks.clear();
        let (states, masks) = (self.states[lowest], &self.masks[lowest]);
        for (cell, common) in from.cells.iter().zip(from.masks.chunks_exact(self.words)) {
            for (state, own) in masks.chunks_exact(self.words).enumerate() {
                to.cells.push(cell * states + state);
                to.masks.extend(common.iter().zip(own).map(|(one, two)| one & two));
            }
        }
    }
}

/// What it takes to count a set.
struct Filling<'a> {
    /// The rows of all members but the lowest one.
    common: &'a Common,
    /// Those of the lowest member.
    masks: &'a [u64],
    words: usize,
    variables: &'a [(usize, usize)],
    known: &'a [u32],
    counts: &'a mut [u32],
}

impl WithSimd for Filling<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Filling { common, masks, words, variables, known, counts } = self;
        let lowest = variables.first().map_or(1, |(states, _)| *states);
        for (cell, rest) in common.cells.iter().zip(common.masks.chunks_exact(words)) {
            for (count, own) in counts[cell * lowest..].iter_mut().zip(masks.chunks_exact(words)) {
                *count = rest.iter().zip(own).map(|(one, two)| (one & two).count_ones()).sum();
            }
        }
        let mut block = 1;
        for (states, sums) in variables {
            // A step of this variable is a block of counts. Where a higher variable has its most frequent state, the result is
            // meaningless until that variable's turn.
            let sums = known[*sums..].chunks_exact(block);
            for (counts, sums) in counts.chunks_exact_mut(block * states).zip(sums) {
                let (others, last) = counts.split_at_mut(block * (states - 1));
                if block == 1 {
                    last[0] = others.iter().fold(sums[0], |left, other| left.wrapping_sub(*other));
                    continue;
                }
                last.iter_mut().zip(sums).for_each(|(last, sum)| *last = *sum);
                for other in others.chunks_exact(block) {
                    last.iter_mut().zip(other).for_each(|(last, other)| *last = last.wrapping_sub(*other));
                }
            }
            block *= states;
        }
    }
}
