//! A robot without work waits for its turn; after a while it makes room.

use super::knowledge::Knowledge;
use crewlab_onboard::geometry::vec2;
use crewlab_onboard::{Command, Output, Situation, Time};
use serde::{Deserialize, Serialize};

/// How long a robot stays where it has pushed. [s]
const PATIENCE: f64 = 8.0;
/// Distance from the box of robots that stand by. [m]
const STAND_BY: f64 = 1.2;
/// Distance at which a robot is in the way. [m]
const TOO_NEAR: f64 = 0.9;

/// Waits.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Idle {
    since: Option<Time>,
    leaving: bool,
}

impl Idle {
    /// Has work again.
    pub fn end(&mut self) {
        *self = Idle::default();
    }

    /// Stands still, or leaves the box if it has stood near it for long.
    pub fn act(&mut self, known: &mut Knowledge, situation: &Situation, out: &mut Output) -> Command {
        let since = *self.since.get_or_insert(situation.now);
        let (Some(carton), Some(me)) = (known.carton().copied(), known.navigator.pose(situation)) else {
            return known.navigator.stop();
        };
        let radius = situation.me.datasheet.radius;
        let (at, rear) = (carton.seen_from(me.position), carton.behind(radius, 0.0).x);
        // In front of the box it is in the way at once.
        let near = |distance: f64| at.x > rear - distance && at.y.abs() < carton.length / 2.0 + 2.0 * radius;
        let in_front = near(0.0) && at.x > 0.0;
        let waited = !situation.now.within(since, PATIENCE);
        self.leaving = known.done.is_none()
            && if self.leaving { near(STAND_BY) } else { in_front || (waited && near(TOO_NEAR)) };
        if !self.leaving {
            return known.navigator.stop();
        }
        let off = at.y.clamp(-carton.length / 2.0, carton.length / 2.0);
        known.go_behind(vec2(rear - STAND_BY - 0.1, off), situation, out)
    }
}
