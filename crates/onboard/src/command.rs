//! Commands of a robot's software to its hardware.

use crate::geometry::Vec2;
use crate::hardware::EffectorId;
use serde::{Deserialize, Serialize};

/// A side of the robot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Side {
    /// The left side.
    Left,
    /// The right side.
    Right,
}

/// The action of one effector in this tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Action {
    /// Gripper: pick up the nearest item within reach, or take one that a team-mate holds out.
    Grab,
    /// Gripper: the same with the item nearest to a place, if it is close to it.
    GrabAt {
        /// How far ahead of the robot's centre. [mm]
        ahead: i16,
        /// How far to its left. [mm]
        left: i16,
    },
    /// Gripper: put down what is held, or give it to a person who wants it.
    Release,
    /// Gripper: hold out what is held, so that another robot's gripper can take it.
    Offer,
    /// Vacuum, dumper, report, dialog: work during this tick.
    Work,
    /// Duster arm: work on this side during this tick.
    WorkOn(Side),
    /// Head: turn towards this direction, counter-clockwise from the front. [mrad]
    Face(i16),
}

impl Action {
    /// Grabs the item at a place relative to the robot: x ahead of its centre, y to its left. [m]
    pub fn grab_at(place: Vec2) -> Action {
        // The cast saturates, so that no place can overflow.
        let millimetres = |metres: f64| (metres * 1e3).round() as i16;
        Action::GrabAt { ahead: millimetres(place.x), left: millimetres(place.y) }
    }

    /// Turns the head towards a direction, counter-clockwise from the front. [rad]
    pub fn face(bearing: f64) -> Action {
        // The cast saturates, and half a turn is 3142 mrad.
        Action::Face((bearing * 1e3).round() as i16)
    }
}

/// An action of one effector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Use {
    /// Which effector.
    pub effector: EffectorId,
    /// Its action.
    pub action: Action,
}

/// One tick's command.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Command {
    /// Forward speed. [m/s]
    pub speed: f64,
    /// Speed to the left, for drives that can step sideways. [m/s]
    pub side: f64,
    /// Turning speed, counter-clockwise. [rad/s]
    pub turn: f64,
    /// Other effectors' actions.
    pub uses: Vec<Use>,
}

impl Command {
    /// Stand still and do nothing.
    pub fn stop() -> Command {
        Command::default()
    }

    /// Drive with these speeds. [m/s], [rad/s]
    pub fn drive(speed: f64, turn: f64) -> Command {
        Command { speed, turn, ..Command::default() }
    }

    /// Walk with these speeds: forward, to the left, and turning. [m/s], [rad/s]
    pub fn walk(speed: f64, side: f64, turn: f64) -> Command {
        Command { speed, side, turn, uses: Vec::new() }
    }

    /// Drive with these speeds of the left and the right wheel of a differential drive whose wheels are `base` apart. [m/s],
    /// [m]
    pub fn wheels(left: f64, right: f64, base: f64) -> Command {
        Command::drive((left + right) / 2.0, (right - left) / base)
    }

    /// The same command with one more effector action.
    pub fn with(mut self, effector: EffectorId, action: Action) -> Command {
        self.uses.push(Use { effector, action });
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_turning_wheel_turns_on_the_other() {
        let command = Command::wheels(0.05, 0.0, 0.14);
        assert_eq!((command.speed, command.turn), (0.025, -0.05 / 0.14));
    }
}
