//! Numbers for the sets of one size, in ascending order of their bit masks.

use crate::structure::members;

/// The largest size of sets that have a rank.
pub(crate) const MOST_RANKED: usize = 15;

/// The numbers of sets of each size. Those that do not fit are too large: such sets are never listed.
static BINOMIALS: [[u32; MOST_RANKED + 1]; 65] = {
    let mut rows = [[0_u32; MOST_RANKED + 1]; 65];
    let mut n = 0;
    while n < rows.len() {
        rows[n][0] = 1;
        let mut k = 1;
        while k <= MOST_RANKED && k <= n {
            rows[n][k] = rows[n - 1][k - 1].saturating_add(rows[n - 1][k]);
            k += 1;
        }
        n += 1;
    }
    rows
};

/// The number of sets of a size, without bound.
pub(crate) fn choose(n: usize, k: usize) -> f64 {
    (0..k.min(n)).fold(1.0, |value, i| value * (n - i) as f64 / (i + 1) as f64).round()
}

fn binomial(n: usize, k: usize) -> usize {
    BINOMIALS[n][k] as usize
}

/// The rank of a set among all sets of its size.
pub(crate) fn rank(set: u64) -> usize {
    members(set).enumerate().map(|(place, member)| binomial(member, place + 1)).sum()
}

/// The ranks of a set without each of its members.
pub(crate) fn ranks_without(members: &[usize], ranks: &mut [usize]) {
    let (mut before, mut after) = (0, 0);
    for (place, member) in members.iter().enumerate().skip(1) {
        after += binomial(*member, place);
    }
    for place in 0..members.len() {
        ranks[place] = before + after;
        before += binomial(members[place], place + 1);
        if let Some(next) = members.get(place + 1) {
            after -= binomial(*next, place + 1);
        }
    }
}

/// The next larger number with as many bits.
pub(crate) fn next_of_size(set: u64) -> u64 {
    let lowest = set & set.wrapping_neg();
    let ripple = set.wrapping_add(lowest);
    if ripple == 0 { set } else { ripple | (((set ^ ripple) >> 2) / lowest) }
}
