//! Shared work: algorithm A.1, and brokers that together find what one finds alone.

use crate::stage::{Chance, rewards, task};
use crewlab_allocation::{Coalition, Method, best_among, best_coalition, better, responsibilities};

/// The numbers z1, z2, ... of coalitions of four robots in table A.1.
fn table_a1() -> Vec<u64> {
    let members: [&[u32]; 15] = [
        &[1, 2, 3, 4],
        &[1, 2, 3],
        &[1, 2, 4],
        &[1, 3, 4],
        &[2, 3, 4],
        &[1, 2],
        &[1, 3],
        &[1, 4],
        &[2, 3],
        &[2, 4],
        &[3, 4],
        &[1],
        &[2],
        &[3],
        &[4],
    ];
    members.iter().map(|robots| robots.iter().map(|robot| 1 << (robot - 1)).sum()).collect()
}

#[test]
fn table_a2() {
    let listed = table_a1();
    let shares: Vec<Vec<usize>> = responsibilities(4)
        .expect("few enough")
        .iter()
        .map(|share| {
            let number = |mask| listed.iter().position(|listed| listed == mask).expect("in the table") + 1;
            share.iter().map(number).collect()
        })
        .collect();
    let expected: [&[usize]; 4] = [&[1, 5, 12], &[2, 6, 9, 13], &[3, 7, 10, 14], &[4, 8, 11, 15]];
    assert_eq!(shares, expected);
}

#[test]
fn work_is_equal_and_covers_all_coalitions() {
    for robots in 0..=16_usize {
        let shares = responsibilities(robots).expect("few enough");
        let mut all: Vec<u64> = shares.iter().flatten().copied().collect();
        all.sort_unstable();
        assert!(all.iter().copied().eq(1..1 << robots), "{robots}");
        for share in &shares {
            let members: u32 = share.iter().map(|mask| mask.count_ones()).sum();
            assert_eq!(members, 1 << (robots - 1), "{robots}");
        }
    }
    let said = responsibilities(21).expect_err("too many").to_string();
    assert_eq!(said, "robots: found 21, accepted: at most 20, because there are 2^R coalitions");
}

#[test]
fn brokers_together_find_what_one_finds_alone() {
    let shares: Vec<_> = (0..=6).map(|robots| responsibilities(robots).expect("few enough")).collect();
    for reward in rewards() {
        let mut chance = Chance(7);
        for _ in 0..300 {
            let robots = 1 + chance.below(6);
            let task = task(&mut chance, reward, robots);
            let free: Vec<bool> = (0..robots).map(|_| chance.below(8) > 0).collect();
            let broker = |share: &Vec<u64>| best_among(&task, robots, &free, share).expect("sound");
            let merged: Option<Coalition> = shares[robots].iter().map(broker).fold(None, better);
            // The same coalition, not only the same value.
            assert_eq!(merged, best_coalition(&task, robots, &free, Method::Exhaustive).expect("sound"));
        }
    }
}

#[test]
fn masks_of_unknown_robots_are_refused() {
    let task = task(&mut Chance(8), rewards()[0], 3);
    let said = best_among(&task, 3, &[true; 3], &[0b111, 0b1000]).expect_err("no robot 3").to_string();
    assert_eq!(said, "coalitions[1]: found 0b1000, accepted: a mask of robots 0 to 2");
}
