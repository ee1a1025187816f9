//! Coalitions ranked by reliability. Where the slowest member decides, many coalitions have the same value: the others only have to
//! keep up. Of these the auctioneer takes the one whose members most reliably do.

use super::injections::injections;
use super::talk::{Bids, Offer, Quote};
use crate::estimators::SHARES;
use crewlab_onboard::RobotId;

/// rel = P(ρ ≥ least): the probability that a robot's reward is at least the coalition's. A bid without quantiles is taken at its
/// word.
fn reliability(quote: &Quote, least: f64) -> f64 {
    let points: Vec<(f64, f64)> = quote.quantiles.iter().copied().zip(SHARES).collect();
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return 1.0 };
    if least >= first.0 {
        return first.1 / 2.0;
    }
    if least <= last.0 {
        return (1.0 + last.1) / 2.0;
    }
    let between = points.windows(2).find(|pair| pair[0].0 > least && least >= pair[1].0);
    between.map_or(last.1, |pair| {
        let ((high, below), (low, above)) = (pair[0], pair[1]);
        below + (above - below) * (high - least) / (high - low)
    })
}

/// The offer with the same plan and a value at least as high whose least reliable member is the most reliable; then the second least
/// reliable one decides, and so on. The same offer if no bid has quantiles or nobody is more reliable.
pub fn steadiest(offer: Offer, bids: &[Option<&Bids>], robots: &[RobotId]) -> Offer {
    let way = usize::from(offer.alternative);
    let quote = |part: usize, robot: usize| {
        let quote = bids.get(robot).copied().flatten()?.get(way)?.get(part)?.as_ref()?;
        (quote.reward >= offer.value && quote.reward.is_finite()).then_some(quote)
    };
    let rate = |part: usize, robot: usize| quote(part, robot).map(|quote| reliability(quote, offer.value));
    let rows: Vec<Vec<Option<f64>>> = (0..offer.members.len())
        .map(|part| (0..robots.len()).map(|robot| rate(part, robot)).collect())
        .collect();
    let ranks = |staff: &[usize]| {
        let mut ranks: Vec<f64> =
            staff.iter().zip(&rows).map(|(robot, row)| row[*robot].unwrap_or(0.0)).collect();
        ranks.sort_by(f64::total_cmp);
        ranks
    };
    let place = |member: &RobotId| robots.iter().position(|robot| robot == member);
    let Some(current) = offer.members.iter().map(place).collect::<Option<Vec<usize>>>() else { return offer };
    let mut best = (ranks(&current), current.clone());
    injections(&rows, &mut |staff| {
        let ranks = ranks(staff);
        if ranks > best.0 {
            best = (ranks, staff.to_vec());
        }
    });
    if best.1 == current {
        return offer;
    }
    let rewards = best.1.iter().enumerate();
    let rewards = rewards.map(|(part, robot)| quote(part, *robot).map_or(offer.value, |quote| quote.reward));
    Offer { members: best.1.iter().map(|robot| robots[*robot]).collect(), bids: rewards.collect(), ..offer }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quote(quantiles: [f64; 5]) -> Option<Quote> {
        Some(Quote { reward: quantiles[2], quantiles: quantiles.to_vec() })
    }

    #[test]
    fn reliability_is_interpolated_between_quantiles() {
        let quote = quote([90.0, 80.0, 70.0, 60.0, 40.0]).expect("a quote");
        assert_eq!(reliability(&quote, 70.0), 0.5);
        assert!((reliability(&quote, 50.0) - 0.825).abs() < 1e-12);
        assert_eq!((reliability(&quote, 95.0), reliability(&quote, 0.0)), (0.05, 0.95));
        assert_eq!(reliability(&Quote { reward: 1.0, quantiles: Vec::new() }, 50.0), 1.0);
    }

    /// Robot 0 is the only one for the first part and the slowest. Robots 1 and 2 are both faster on the second part; robot 1 has the
    /// higher bid, but in one of four cases it is much slower.
    #[test]
    fn of_those_that_keep_up_the_most_reliable_one_is_taken() {
        let slow = quote([60.0, 55.0, 50.0, 45.0, 40.0]);
        let gambler = quote([99.0, 95.0, 90.0, 10.0, 0.0]);
        let steady = quote([75.0, 72.0, 70.0, 68.0, 65.0]);
        let bids: [Bids; 3] = [vec![vec![slow, None]], vec![vec![None, gambler]], vec![vec![None, steady]]];
        let bids: Vec<Option<&Bids>> = bids.iter().map(Some).collect();
        let robots: Vec<RobotId> = (0..3).map(RobotId::from_index).collect();
        let offer = Offer {
            alternative: 0,
            members: vec![robots[0], robots[1]],
            bids: vec![50.0, 90.0],
            value: 50.0,
        };
        let found = steadiest(offer.clone(), &bids, &robots);
        assert_eq!(
            (found.members, found.bids, found.value),
            (vec![robots[0], robots[2]], vec![50.0, 70.0], 50.0)
        );
        let plain: Vec<Bids> = bids
            .iter()
            .flatten()
            .map(|bids| {
                let plain = |quote: &Quote| Quote { quantiles: Vec::new(), ..quote.clone() };
                bids.iter().map(|row| row.iter().map(|quote| quote.as_ref().map(plain)).collect()).collect()
            })
            .collect();
        let plain: Vec<Option<&Bids>> = plain.iter().map(Some).collect();
        assert_eq!(steadiest(offer.clone(), &plain, &robots), offer, "without quantiles nothing changes");
    }
}
