//! Phase 1, bundle construction: the robot's own plan, and the marginal gain of one more piece.
//!
//! The value of a path is the time-discounted reward of the paper: every piece counts with its value times λ^(its completion
//! time). On board, the distance from one piece to the next is unknown: a piece is expected to take as long as from the robot's
//! present place, wherever it stands in the path. So inserting a piece delays those behind it and speeds up none; the gain of a
//! piece can only shrink when others are in the path, the paper's condition of diminishing marginal gains. Missions may violate
//! it (their estimates change while a bundle is built), so no bid may exceed the bids before it in the bundle.
//!
//! Estimates often cover the next step only (the next item of many). So a piece that the robot has worked on for some time is
//! expected to last as long again.

use super::consensus::Claim;
use crewlab_onboard::{Choice, Piece, RobotId};
use serde::{Deserialize, Serialize};

/// A piece of work that the robot could do now, in the best of its ways.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Offer {
    pub piece: Piece,
    pub choice: Choice,
    /// Its value if it is done at once. [s]
    pub worth: f64,
    /// Expected time to get it done from here. [s]
    pub cost: f64,
}

/// One piece of a bundle.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct BundleEntry {
    pub piece: Piece,
    pub bid: f32,
    /// True once a team-mate has agreed.
    pub confirmed: bool,
}

/// The pieces that a robot claims.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Bundle {
    /// b: in the order in which they were added.
    entries: Vec<BundleEntry>,
    /// p: in the order in which they will be done.
    path: Vec<Offer>,
}

/// The discount over time: λ to the power of a time. [s]
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Discount {
    pub half_life: f64,
}

impl Discount {
    fn after(self, seconds: f64) -> f64 {
        libm::exp2(-seconds / self.half_life)
    }

    /// The value of a path.
    pub(crate) fn worth<'a>(self, path: impl Iterator<Item = &'a Offer>) -> f64 {
        let (mut time, mut worth) = (0.0, 0.0);
        for offer in path {
            time += offer.cost;
            worth += offer.worth * self.after(time);
        }
        worth
    }

    /// The bid for a piece with this gain: never 0, so that distant pieces get done, too.
    pub(crate) fn bid(gain: f64) -> f32 {
        (gain as f32).clamp(f32::MIN_POSITIVE, f32::MAX)
    }

    /// The bid for a piece on its own.
    pub(crate) fn alone(self, offer: &Offer) -> f32 {
        Discount::bid(self.worth([offer].into_iter()))
    }
}

/// A candidate piece: its position and its bid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Candidate {
    pub offer: Offer,
    pub place: usize,
    pub bid: f32,
}

impl Bundle {
    /// The pieces in the order in which they were added.
    pub(crate) fn entries(&self) -> &[BundleEntry] {
        &self.entries
    }

    /// The pieces in the order in which they will be done.
    pub(crate) fn path(&self) -> &[Offer] {
        &self.path
    }

    /// The entry of a piece.
    pub(crate) fn entry(&self, piece: Piece) -> Option<&BundleEntry> {
        self.entries.iter().find(|entry| entry.piece == piece)
    }

    /// The entry of a piece.
    pub(crate) fn entry_mut(&mut self, piece: Piece) -> Option<&mut BundleEntry> {
        self.entries.iter_mut().find(|entry| entry.piece == piece)
    }

    /// The piece with the largest gain among those for which the robot's bid beats the known claim. While a piece is in progress
    /// nothing is put before it. A piece that another works on is considered only if the robot could start it at once: later
    /// estimates, from another place, are too uncertain to interrupt work.
    pub(crate) fn best(
        &self,
        me: RobotId,
        offers: &[Offer],
        busy: bool,
        discount: Discount,
        claim: impl Fn(Piece) -> Option<Claim>,
    ) -> Option<Candidate> {
        let now = discount.worth(self.path.iter());
        let limit = self.entries.iter().map(|entry| entry.bid).fold(f32::MAX, f32::min);
        let mut best: Option<(f64, Candidate)> = None;
        for offer in offers.iter().filter(|offer| self.entry(offer.piece).is_none()) {
            let (gain, place) = self.gain(offer, usize::from(busy), now, discount);
            let bid = Discount::bid(gain).min(limit);
            let own = Claim { winner: me, bid, under_way: false };
            let may = |known: Claim| own.beats(&known) && (place == 0 || !known.under_way);
            if claim(offer.piece).is_none_or(may) && best.is_none_or(|(most, _)| gain > most) {
                best = Some((gain, Candidate { offer: *offer, place, bid }));
            }
        }
        best.map(|(_, candidate)| candidate)
    }

    /// The gain of a piece at its best position, not before `first`.
    fn gain(&self, offer: &Offer, first: usize, now: f64, discount: Discount) -> (f64, usize) {
        let mut best = (f64::NEG_INFINITY, first);
        for place in first.min(self.path.len())..=self.path.len() {
            let (before, behind) = self.path.split_at(place);
            let gain = discount.worth(before.iter().chain([offer]).chain(behind)) - now;
            // The last of equal positions: pieces added first are done first.
            if gain >= best.0 {
                best = (gain, place);
            }
        }
        best
    }

    /// Adds a piece.
    pub(crate) fn add(&mut self, candidate: Candidate) {
        let Candidate { offer, place, bid } = candidate;
        self.entries.push(BundleEntry { piece: offer.piece, bid, confirmed: false });
        self.path.insert(place.min(self.path.len()), offer);
    }

    /// Removes a piece.
    pub(crate) fn remove(&mut self, piece: Piece) {
        self.entries.retain(|entry| entry.piece != piece);
        self.path.retain(|offer| offer.piece != piece);
    }

    /// Removes everything from this index of the bundle on, and returns the pieces.
    pub(crate) fn cut(&mut self, place: usize) -> Vec<Piece> {
        let pieces: Vec<Piece> =
            self.entries.drain(place.min(self.entries.len())..).map(|e| e.piece).collect();
        self.path.retain(|offer| !pieces.contains(&offer.piece));
        pieces
    }

    /// Updates the estimates of the pieces in the path.
    pub(crate) fn refresh(&mut self, offers: &[Offer]) {
        for stop in &mut self.path {
            if let Some(offer) = offers.iter().find(|offer| offer.piece == stop.piece) {
                *stop = *offer;
            }
        }
    }

    /// The first piece of the path is expected to take no less than this. [s]
    pub(crate) fn expect(&mut self, seconds: f64) {
        if let Some(first) = self.path.first_mut() {
            first.cost = first.cost.max(seconds);
        }
    }

    /// Marks the first piece of the path as in progress: it moves to the head of the bundle, so that the loss of another piece
    /// cannot remove it, and its bid rises to this one if that is higher.
    pub(crate) fn commit(&mut self, bid: f32) {
        let Some(piece) = self.path.first().map(|offer| offer.piece) else { return };
        if let Some(place) = self.entries.iter().position(|entry| entry.piece == piece) {
            self.entries[..=place].rotate_right(1);
            self.entries[0].bid = self.entries[0].bid.max(bid);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_onboard::{BehaviourId, TaskId};
    use proptest::prelude::*;

    const MINUTE: Discount = Discount { half_life: 60.0 };

    fn offer(subject: u32, worth: f64, cost: f64) -> Offer {
        let choice = Choice { behaviour: BehaviourId(0), subject };
        Offer { piece: Piece { task: TaskId(0), subject }, choice, worth, cost }
    }

    fn filled(offers: &[Offer], limit: usize) -> Bundle {
        let mut bundle = Bundle::default();
        while bundle.entries().len() < limit {
            let Some(candidate) = bundle.best(RobotId(0), offers, false, MINUTE, |_| None) else { break };
            bundle.add(candidate);
        }
        bundle
    }

    fn subjects(bundle: &Bundle) -> (Vec<u32>, Vec<u32>) {
        let added = bundle.entries().iter().map(|entry| entry.piece.subject).collect();
        (added, bundle.path().iter().map(|stop| stop.piece.subject).collect())
    }

    #[test]
    fn the_reward_halves_with_every_half_life() {
        assert_eq!(MINUTE.worth([offer(0, 600.0, 60.0)].iter()), 300.0);
        assert_eq!(MINUTE.worth([offer(0, 600.0, 60.0), offer(1, 400.0, 60.0)].iter()), 400.0);
        assert!(Discount::bid(0.0) > 0.0 && Discount::bid(f64::NAN).is_nan());
        assert_eq!(MINUTE.alone(&offer(0, 600.0, f64::INFINITY)), f32::MIN_POSITIVE);
    }

    #[test]
    fn the_largest_gain_is_added_first_and_short_pieces_are_done_first() {
        // Alone: 300 and 238, so 0 is added first; but 1 takes a second only, and 0 loses next to nothing by waiting.
        let bundle = filled(&[offer(0, 600.0, 60.0), offer(1, 240.0, 1.0)], 3);
        assert_eq!(subjects(&bundle), (vec![0, 1], vec![1, 0]));
        assert_eq!(bundle.entries()[0].bid, 300.0);
    }

    #[test]
    fn nothing_is_put_before_the_piece_in_progress() {
        let mut bundle = filled(&[offer(0, 600.0, 60.0)], 1);
        let candidate = bundle.best(RobotId(0), &[offer(1, 240.0, 1.0)], true, MINUTE, |_| None);
        bundle.add(candidate.expect("something to add"));
        assert_eq!(subjects(&bundle), (vec![0, 1], vec![0, 1]));
    }

    #[test]
    fn the_piece_in_progress_heads_the_bundle_and_its_bid_only_rises() {
        let mut bundle = filled(&[offer(0, 600.0, 60.0), offer(1, 240.0, 1.0)], 3);
        bundle.commit(235.0);
        assert_eq!(subjects(&bundle), (vec![1, 0], vec![1, 0]));
        let bid = bundle.entries()[0].bid;
        bundle.commit(bid + 9.0);
        bundle.commit(1.0);
        assert_eq!(bundle.entries()[0].bid, bid + 9.0);
        assert_eq!(bundle.cut(1).len(), 1, "the loss of the other leaves it");
        assert_eq!(subjects(&bundle), (vec![1], vec![1]));
    }

    #[test]
    fn a_better_claim_of_somebody_else_is_left_alone() {
        let offers = [offer(0, 600.0, 60.0), offer(1, 600.0, 90.0)];
        let claim = |winner, bid| {
            let claim = Claim { winner, bid, under_way: false };
            move |piece: Piece| (piece.subject == 0).then_some(claim)
        };
        let best = |claim: &dyn Fn(Piece) -> Option<Claim>| {
            Bundle::default().best(RobotId(4), &offers, false, MINUTE, claim).map(|c| c.offer.piece.subject)
        };
        assert_eq!(best(&claim(RobotId(9), 299.0)), Some(0));
        assert_eq!(best(&claim(RobotId(9), 300.0)), Some(0), "of equal bids the lower number");
        assert_eq!(best(&claim(RobotId(3), 300.0)), Some(1));
        assert_eq!(best(&claim(RobotId(9), 301.0)), Some(1));
    }

    #[test]
    fn work_in_progress_is_bid_for_only_by_robots_that_could_start_at_once() {
        let under_way = |_| Some(Claim { winner: RobotId(9), bid: 100.0, under_way: true });
        let planned = |_| Some(Claim { winner: RobotId(9), bid: 100.0, under_way: false });
        let offers = [offer(1, 600.0, 10.0)];
        let free = Bundle::default();
        assert!(free.best(RobotId(0), &offers, false, MINUTE, under_way).is_some());
        let busy = filled(&[offer(0, 600.0, 1.0)], 1);
        assert!(busy.best(RobotId(0), &offers, true, MINUTE, under_way).is_none());
        assert!(busy.best(RobotId(0), &offers, true, MINUTE, planned).is_some());
    }

    proptest! {
        /// Diminishing marginal gains: what a piece adds, it adds at least as much to a path with fewer pieces.
        #[test]
        fn gains_diminish(
            pieces in proptest::collection::vec((1.0..1_000.0f64, 0.0..300.0f64), 2..7),
            extra in (1.0..1_000.0f64, 0.0..300.0f64),
        ) {
            let offers: Vec<Offer> =
                pieces.iter().enumerate().map(|(i, (w, c))| offer(i as u32, *w, *c)).collect();
            let extra = offer(99, extra.0, extra.1);
            let gain = |count: usize| {
                let bundle = filled(&offers[..count], 99);
                bundle.gain(&extra, 0, MINUTE.worth(bundle.path().iter()), MINUTE).0
            };
            let gains: Vec<f64> = (0..=offers.len()).map(gain).collect();
            prop_assert!(gains.windows(2).all(|pair| pair[1] <= pair[0] + 1e-9), "{gains:?}");
            prop_assert!(gains.iter().all(|gain| *gain >= -1e-9), "{gains:?}");
        }

        /// Bids never rise along a bundle, whatever the estimates.
        #[test]
        fn bids_do_not_rise_along_the_bundle(
            pieces in proptest::collection::vec((0.1..1_000.0f64, 0.0..3_000.0f64), 1..9),
        ) {
            let offers: Vec<Offer> =
                pieces.iter().enumerate().map(|(i, (w, c))| offer(i as u32, *w, *c)).collect();
            let bundle = filled(&offers, 5);
            prop_assert_eq!(bundle.entries().len(), offers.len().min(5));
            prop_assert!(bundle.entries().windows(2).all(|pair| pair[1].bid <= pair[0].bid));
        }
    }
}
