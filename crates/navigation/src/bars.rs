//! Cells that could not be reached, each avoided for a while.

use crate::Place;
use crewlab_onboard::Time;
use serde::{Deserialize, Serialize};

/// More cells than this are not remembered.
const MOST: usize = 1000;

/// A cell that could not be reached, and until when it is avoided.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Bar {
    cell: Place,
    until: Time,
}

/// The cells that are avoided now.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Bars(Vec<Bar>);

impl Bars {
    /// Avoids a cell for a duration from now on. [s]
    pub fn bar(&mut self, cell: Place, now: Time, duration: f64) {
        if self.0.len() < MOST {
            self.0.push(Bar { cell, until: now.after((duration * 1e9) as u64) });
        }
    }

    /// True if a cell is avoided.
    pub fn holds(&self, cell: Place) -> bool {
        self.0.iter().any(|bar| bar.cell == cell)
    }

    /// Drops cells whose time is over.
    pub fn expire(&mut self, now: Time) {
        self.0.retain(|bar| bar.until > now);
    }

    /// Drops all cells; true if there were any.
    pub fn clear(&mut self) -> bool {
        let any = !self.0.is_empty();
        self.0.clear();
        any
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_avoided_for_its_duration() {
        let mut bars = Bars::default();
        bars.bar((1, 2), Time::ZERO, 60.0);
        bars.expire(Time::from_seconds(59.0));
        assert!(bars.holds((1, 2)) && !bars.holds((2, 1)));
        bars.expire(Time::from_seconds(60.0));
        assert!(!bars.holds((1, 2)) && !bars.clear());
    }
}
