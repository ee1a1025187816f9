//! How a team is stuck, as data.

use crate::robot_id::RobotId;
use serde::{Deserialize, Serialize};

/// How a robot or a piece of work is stuck. A new one goes to the end of the list: its place is part of the result hash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Plight {
    /// A robot at work drives around within a small circle.
    Circling,
    /// A robot at work tries to move and stays where it is.
    Blocked,
    /// A robot at work neither moves nor tries to, and the mission stands still.
    Waiting,
    /// A robot cannot move: obstacles enclose it.
    WalledIn,
    /// A robot cannot move: its drive is dead.
    DriveDead,
    /// A robot cannot move: its emergency stop is pressed.
    EmergencyStop,
    /// A robot has stopped by itself: it hears too few of its team to act safely.
    CutOff,
    /// Nobody goes for something that still counts.
    Neglected,
    /// Nobody works on a task of which something is left, while these robots that could do it are idle.
    Unstaffed(Vec<RobotId>),
    /// The mission makes no progress although something is left to do.
    NoProgress,
}

impl Plight {
    /// Its name in files.
    pub fn name(&self) -> &'static str {
        match self {
            Plight::Circling => "circling",
            Plight::Blocked => "blocked",
            Plight::Waiting => "waiting",
            Plight::WalledIn => "walled-in",
            Plight::DriveDead => "drive-dead",
            Plight::EmergencyStop => "emergency-stop",
            Plight::CutOff => "cut-off",
            Plight::Neglected => "neglected",
            Plight::Unstaffed(_) => "unstaffed",
            Plight::NoProgress => "no-progress",
        }
    }

    /// True if a robot is physically unable to move, whatever its software does.
    pub fn cannot_move(&self) -> bool {
        matches!(self, Plight::WalledIn | Plight::DriveDead | Plight::EmergencyStop)
    }
}
