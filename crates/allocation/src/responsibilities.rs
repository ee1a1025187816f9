//! Who evaluates which coalitions: algorithm A.1.

use crate::Error;

/// The most robots whose coalitions can be distributed.
pub const MOST_ROBOTS_SHARED: usize = 20;

/// The coalitions that each robot is responsible for, as bit masks (bit 0 is robot 0), such that every robot has 2^(R-1)
/// coalition members to evaluate in total (algorithm A.1; table A.2 for four robots).
///
/// Coalitions are listed by descending size, those of one size in lexicographic order of their members (table A.1).
pub fn responsibilities(robots: usize) -> Result<Vec<Vec<u64>>, Error> {
    if robots > MOST_ROBOTS_SHARED {
        let accepted = format!("at most {MOST_ROBOTS_SHARED}, because there are 2^R coalitions");
        return Err(Error::new("robots", robots, accepted));
    }
    let mut shares = vec![Vec::new(); robots];
    if robots == 0 {
        return Ok(shares);
    }
    let most = 1_usize << (robots - 1);
    let mut counts = vec![0; robots];
    let mut turn = 0;
    for size in (1..=robots).rev() {
        let mut members: Vec<usize> = (0..size).collect();
        loop {
            // The robot whose turn it is takes the coalition unless it has too many members already; then the next one does.
            if let Some(taker) = (turn..turn + robots).map(|r| r % robots).find(|&r| counts[r] + size <= most)
            {
                shares[taker].push(members.iter().fold(0, |mask, &member| mask | 1 << member));
                counts[taker] += size;
                turn = (taker + 1) % robots;
            }
            if !next_combination(&mut members, robots) {
                break;
            }
        }
    }
    Ok(shares)
}

/// Moves on to the lexicographically next members; false after the last ones.
fn next_combination(members: &mut [usize], robots: usize) -> bool {
    let size = members.len();
    let Some(place) = (0..size).rev().find(|&place| members[place] < robots - size + place) else {
        return false;
    };
    members[place] += 1;
    for later in place + 1..size {
        members[later] = members[later - 1] + 1;
    }
    true
}
