//! Cells that could not be reached, each avoided for a while.

use crate::Place;
use crewlab_onboard::Time;
use serde::{Deserialize, Serialize};

/// More cells than this are not remembered.
const MOST: usize = 1000;

/// A cell that could not be reached as often as this cannot be reached: it is avoided until everything is forgotten. If it were
/// tried for ever, many such cells would keep a robot busy for ever.
const GIVEN_UP: u8 = 3;

/// A cell that could not be reached, and until when it is avoided.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Bar {
    cell: Place,
    until: Time,
    failures: u8,
}

impl Bar {
    fn holds(&self, now: Time) -> bool {
        self.failures >= GIVEN_UP || self.until > now
    }
}

/// The cells that could not be reached.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Bars {
    bars: Vec<Bar>,
    now: Time,
}

impl Bars {
    /// Avoids a cell for a duration from now on. [s]
    pub fn bar(&mut self, cell: Place, now: Time, duration: f64) {
        let until = now.after((duration * 1e9) as u64);
        let known = self.bars.iter_mut().find(|bar| bar.cell == cell);
        if let Some(bar) = known {
            (bar.until, bar.failures) = (until, bar.failures.saturating_add(1));
        } else if self.bars.len() < MOST {
            self.bars.push(Bar { cell, until, failures: 1 });
        }
    }

    /// True if a cell is avoided.
    pub fn holds(&self, cell: Place) -> bool {
        self.bars.iter().any(|bar| bar.cell == cell && bar.holds(self.now))
    }

    /// Admits cells whose time is over.
    pub fn expire(&mut self, now: Time) {
        self.now = now;
    }

    /// Admits all cells but those that cannot be reached; true if there were any.
    pub fn retry(&mut self) -> bool {
        let now = self.now;
        let waiting = |bar: &&mut Bar| bar.failures < GIVEN_UP && bar.until > now;
        self.bars.iter_mut().filter(waiting).map(|bar| bar.until = now).count() > 0
    }

    /// Forgets all cells.
    pub fn clear(&mut self) {
        self.bars.clear();
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
        assert!(!bars.holds((1, 2)) && !bars.retry());
    }

    /// A robot needs 10 s to find out that it cannot reach a cell, and there are twenty: when the last is barred, the first is free
    /// again.
    #[test]
    fn many_cells_that_cannot_be_reached_do_not_keep_a_robot_busy_for_ever() {
        let mut bars = Bars::default();
        let mut now = 0.0;
        while let Some(cell) = (0..20).map(|n| (n, 0)).find(|cell| !bars.holds(*cell)) {
            now += 10.0;
            bars.bar(cell, Time::from_seconds(now), 60.0);
            bars.expire(Time::from_seconds(now));
            assert!(now < 1e4, "still trying");
        }
        bars.retry();
        assert!(bars.holds((0, 0)), "it was given up");
        bars.clear();
        assert!(!bars.holds((0, 0)));
    }
}
