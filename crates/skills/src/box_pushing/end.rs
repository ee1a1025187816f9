//! The two ends of the box.

use super::{PUSH_LEFT, PUSH_RIGHT};
use crewlab_onboard::TaskId;
use serde::{Deserialize, Serialize};

/// An end of the box, as seen in the direction of the push.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum End {
    /// The left one.
    Left,
    /// The right one.
    Right,
}

impl End {
    /// Both ends.
    pub const BOTH: [End; 2] = [End::Left, End::Right];

    /// The end that a task is about.
    pub fn of(task: TaskId) -> End {
        if task == PUSH_LEFT { End::Left } else { End::Right }
    }

    /// The task of pushing it.
    pub fn task(self) -> TaskId {
        match self {
            End::Left => PUSH_LEFT,
            End::Right => PUSH_RIGHT,
        }
    }

    /// Its side of the middle: 1 to the left, -1 to the right.
    pub fn side(self) -> f64 {
        match self {
            End::Left => 1.0,
            End::Right => -1.0,
        }
    }
}
