//! Families that can be part of the best structure. All others have a subset of their parents with at least the same score.

use crate::constraints::Rules;
use crate::counter::Counter;
use crate::ranks::{MOST_RANKED, choose, next_of_size, ranks_without};
use crate::structure::bit;

/// Gains below this are rounding errors.
const ROUNDING: f64 = 1e-9;

/// The largest number of parents that is ever looked at.
const MOST_PARENTS: usize = MOST_RANKED - 1;

/// The largest number of families of one size that are kept in memory.
const MOST_FAMILIES: f64 = 6e7;

/// The useful families of every variable.
#[derive(Clone, Debug)]
pub(crate) struct Families {
    /// For every variable its families as (score, parents), the best one first.
    pub lists: Vec<Vec<(f64, u64)>>,
    /// Number of sets of variables whose combinations of states were counted.
    pub counted: u64,
    /// Number of parents up to which families were looked at, if the search had to stop there.
    pub limit: Option<usize>,
}

/// The sets of one size, in ascending order of their bit masks.
struct Level {
    /// h of each set; NaN if it was not needed yet.
    disorders: Vec<f64>,
    /// For each set and each of its members: the best score of this member with any of the others as parents.
    best: Vec<f64>,
}

/// How families are searched for.
pub(crate) struct Search<'a> {
    pub rules: &'a Rules,
    /// Families are kept if their score is at most this far below that of the best subset.
    pub slack: f64,
    /// Most rows to count, over all sets.
    pub most_work: f64,
}

impl Search<'_> {
    /// Searches families by the number of parents, until no more parents can help: LL(i|P) = h(P ∪ i) - h(P) is at most zero, so a family
    /// whose penalty alone is worse than a subset of it is useless, and so are all larger ones.
    pub fn run(&self, counter: &mut Counter) -> Families {
        let count = counter.variables();
        let mut families = Families { lists: vec![Vec::new(); count], counted: 0, limit: None };
        let mut below = Level { disorders: vec![counter.disorder(0)], best: Vec::new() };
        let demanded = self.rules.required.iter().map(|set| set.count_ones() as usize).max().unwrap_or(0);
        for parents in 0..count {
            let sets = choose(count, parents + 1);
            let work = families.counted as f64 * counter.rows() as f64;
            if parents > MOST_PARENTS || sets * (parents + 1) as f64 > MOST_FAMILIES || work > self.most_work
            {
                families.limit = Some(parents.saturating_sub(1));
                break;
            }
            let Some(level) = self.level(counter, parents, &mut below, &mut families).or((parents
                < demanded)
                .then(|| Level {
                    disorders: vec![f64::NAN; sets as usize],
                    best: vec![f64::NEG_INFINITY; sets as usize * (parents + 1)],
                }))
            else {
                break;
            };
            below = level;
        }
        for list in &mut families.lists {
            list.sort_by(|one, two| two.0.total_cmp(&one.0).then(one.1.cmp(&two.1)));
        }
        families
    }

    /// All families with so many parents; nothing if none of them can be useful.
    fn level(
        &self,
        counter: &mut Counter,
        parents: usize,
        below: &mut Level,
        families: &mut Families,
    ) -> Option<Level> {
        let (count, size) = (counter.variables(), parents + 1);
        let unit = 0.5 * libm::log(counter.rows() as f64);
        let worst = below.best.iter().copied().fold(f64::INFINITY, f64::min);
        if parents > 0 && -unit * least_cells(counter, parents) <= worst - self.slack {
            return None;
        }
        let sets = choose(count, size) as usize;
        let mut level = Level { disorders: vec![f64::NAN; sets], best: vec![f64::NEG_INFINITY; sets * size] };

        let share = |states: f64| (states - 1.0) / states;
        let price: Vec<f64> =
            (0..count).map(|variable| unit * share(counter.states(variable) as f64)).collect();
        let mut members = vec![0_usize; size];
        let mut without = vec![0_usize; size];
        let (mut useful, mut set) = (false, (1_u64 << size) - 1);
        for rank in 0..sets {
            list_members(set, &mut members);
            ranks_without(&members, &mut without);
            let cells = counter.cells(set);
            for place in 0..size {
                let variable = members[place];
                let others = set & !bit(variable);
                let known = self.best_below(below, &without, place, parents);
                let penalty = cells * price[variable];
                let mut best = known;
                if -penalty > known - self.slack && self.rules.allow(variable, others) {
                    useful = true;
                    let most = most_likelihood(&below.disorders, &without, place) - penalty;
                    if most > known - self.slack {
                        let own = fetch(&mut level.disorders[rank], set, counter, families);
                        let rest = fetch(&mut below.disorders[without[place]], others, counter, families);
                        let score = own - rest - penalty;
                        if score > known - self.slack + ROUNDING {
                            families.lists[variable].push((score, others));
                        }
                        best = best.max(score);
                    }
                }
                level.best[rank * size + place] = best;
            }
            set = next_of_size(set);
        }
        useful.then_some(level)
    }

    /// The best score of a member with all but one of the others as parents.
    fn best_below(&self, below: &Level, without: &[usize], place: usize, parents: usize) -> f64 {
        // Scores are numbers, so the faster comparison will do.
        let larger = |one: f64, two: f64| if one > two { one } else { two };
        let best = (0..place)
            .map(|other| below.best[without[other] * parents + place - 1])
            .fold(f64::NEG_INFINITY, larger);
        let after = place + 1..without.len();
        after.map(|other| below.best[without[other] * parents + place]).fold(best, larger)
    }
}

/// No family with so many parents is described by fewer numbers.
fn least_cells(counter: &Counter, parents: usize) -> f64 {
    let mut states: Vec<usize> = (0..counter.variables()).map(|variable| counter.states(variable)).collect();
    states.sort_unstable();
    let rows: f64 = states.iter().take(parents).map(|states| *states as f64).product();
    rows * (states.first().map_or(1.0, |states| *states as f64) - 1.0)
}

/// No likelihood of a member with all others as parents is larger, as far as the sets below were counted: h never grows with a set, so
/// h(P ∪ i) is at most that of P ∪ i without any of the parents.
fn most_likelihood(below: &[f64], without: &[usize], place: usize) -> f64 {
    let rest = below[without[place]];
    // Comparisons with NaN are false: what was not counted is no bound.
    without
        .iter()
        .map(|other| below[*other] - rest)
        .fold(0.0, |least, bound| if bound < least { bound } else { least })
}

/// The value, counted if it is not known yet.
fn fetch(known: &mut f64, set: u64, counter: &mut Counter, families: &mut Families) -> f64 {
    if known.is_nan() {
        *known = counter.disorder(set);
        families.counted += 1;
    }
    *known
}

fn list_members(mut set: u64, members: &mut [usize]) {
    for member in members {
        *member = set.trailing_zeros() as usize;
        set &= set - 1;
    }
}
