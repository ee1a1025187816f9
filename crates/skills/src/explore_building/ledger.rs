//! What the base knows, as far as a robot has heard: from the base itself, or from others who have heard it.

use super::talk::Page;
use crewlab_navigation::Place;
use crewlab_navigation::atlas::{Atlas, Leaf};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Largest number of tiles that are remembered.
const MOST: usize = 1 << 17;

/// The tiles of the base, each with the number of the list that it was on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Ledger {
    leaves: BTreeMap<Place, (Leaf, u32)>,
}

impl Ledger {
    /// Notes a page of the base's list. True if it says anything new.
    pub(super) fn note(&mut self, page: &Page) -> bool {
        let listed = |tile: &Place| page.leaves.binary_search_by_key(tile, |(tile, ..)| *tile).is_ok();
        let outside = |tile: &Place| *tile < page.first || *tile > page.last;
        let before = self.leaves.len();
        self.leaves.retain(|tile, (_, stamp)| outside(tile) || listed(tile) || *stamp >= page.stamp);
        let mut news = self.leaves.len() != before;
        for (tile, print, count) in &page.leaves {
            let leaf = Leaf { count: *count, print: *print };
            let full = self.leaves.len() >= MOST;
            match self.leaves.get_mut(tile) {
                Some((known, stamp)) if *stamp < page.stamp => {
                    news |= *known != leaf;
                    (*known, *stamp) = (leaf, page.stamp);
                }
                Some(_) => {}
                None if full => {}
                None => {
                    self.leaves.insert(*tile, (leaf, page.stamp));
                    news = true;
                }
            }
        }
        news
    }

    /// Notes that the base knows the same as a map.
    pub(super) fn settle(&mut self, atlas: &Atlas, stamp: u32) {
        let known = atlas.leaves().iter().take(MOST);
        self.leaves = known.map(|(tile, leaf)| (*tile, (*leaf, stamp))).collect();
    }

    /// A page with what is known of the base's list after a tile, at most `most` entries; `None` if there is nothing.
    pub(super) fn page(&self, after: Option<Place>, most: usize) -> Option<Page> {
        let later = self.leaves.iter().filter(|(tile, _)| after.is_none_or(|after| **tile > after));
        let chosen: Vec<_> = later.take(most).collect();
        // An entry may be older than the page says, never newer: so the lowest number holds for all.
        let stamp = chosen.iter().map(|(_, (_, stamp))| *stamp).min()?;
        let (first, last) = (*chosen.first()?.0, *chosen.last()?.0);
        let leaves = chosen.iter().map(|(tile, (leaf, _))| (**tile, leaf.print, leaf.count)).collect();
        Some(Page { of_base: true, relayed: true, stamp, first, last, leaves })
    }

    /// How many cells of a map the base does not know, at least.
    pub(super) fn missing(&self, atlas: &Atlas) -> usize {
        let missing = |(tile, leaf): (&Place, &Leaf)| match self.leaves.get(tile) {
            Some((known, _)) if known == leaf => 0,
            Some((known, _)) => usize::from(leaf.count.saturating_sub(known.count).max(1)),
            None => usize::from(leaf.count),
        };
        atlas.leaves().iter().map(missing).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_navigation::atlas::AREA;
    use crewlab_navigation::routes::Cell;

    fn page(stamp: u32, leaves: Vec<(Place, u16, u16)>) -> Page {
        Page { of_base: true, relayed: false, stamp, first: (0, 0), last: (9, 9), leaves }
    }

    #[test]
    fn later_lists_count_and_older_ones_do_not() {
        let mut ledger = Ledger::default();
        assert!(ledger.note(&page(5, vec![((0, 0), 7, 100)])));
        assert!(!ledger.note(&page(4, vec![((0, 0), 8, 50)])));
        assert!(ledger.note(&page(6, vec![((0, 0), 9, 120)])));
        assert_eq!(
            ledger.page(None, 9).map(|page| (page.stamp, page.leaves)),
            Some((6, vec![((0, 0), 9, 120)]))
        );
        assert_eq!(ledger.page(Some((0, 0)), 9), None);
        assert!(ledger.note(&page(7, Vec::new())), "the base has lost it");
        assert_eq!(ledger, Ledger::default());
    }

    #[test]
    fn what_the_base_has_not_listed_is_missing() {
        let mut atlas = Atlas::new(0.1);
        atlas.learn((0, 0), &[Cell::Free; AREA]);
        let mut ledger = Ledger::default();
        assert_eq!(ledger.missing(&atlas), AREA);
        ledger.note(&page(1, vec![((0, 0), 1, 200)]));
        assert_eq!(ledger.missing(&atlas), AREA - 200);
        let leaf = atlas.leaves()[&(0, 0)];
        ledger.note(&page(2, vec![((0, 0), leaf.print, leaf.count)]));
        assert_eq!(ledger.missing(&atlas), 0);
        atlas.learn((3, 0), &[Cell::Occupied; AREA]);
        assert_eq!(ledger.missing(&atlas), AREA);
        ledger.settle(&atlas, 3);
        assert_eq!(ledger.missing(&atlas), 0);
    }
}
