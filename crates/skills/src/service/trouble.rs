//! The problems of a piece of work.

use serde::{Deserialize, Serialize};

/// A problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Trouble {
    /// The cup was moved while the robot was about to grasp it.
    Moved,
    /// The gripper closed, but the cup is not in it.
    NotGrasped,
    /// The cup is no longer in the gripper.
    Lost,
    /// The person did not take the cup.
    NotTaken,
    /// No cup of the drink can be grasped.
    NoCup,
    /// The handle of the cup points away from where the robot can stand.
    HandleAway,
    /// The robot does not get there.
    NoWay,
    /// The person does not answer.
    NoAnswer,
    /// The partner does not come, or does not take or give the cup.
    NoPartner,
    /// The person has left.
    Gone,
    /// The emergency stop is pressed.
    Stopped,
    /// A device that the work needs does not work.
    Broken,
}

impl Trouble {
    /// A description.
    pub fn why(self) -> &'static str {
        match self {
            Trouble::Moved => "the cup was moved",
            Trouble::NotGrasped => "the gripper did not get hold of the cup",
            Trouble::Lost => "the cup is no longer in the gripper",
            Trouble::NotTaken => "the person did not take the cup",
            Trouble::NoCup => "no cup of the drink can be had",
            Trouble::HandleAway => "the handle of the cup cannot be reached",
            Trouble::NoWay => "the robot does not get there",
            Trouble::NoAnswer => "the person does not answer",
            Trouble::NoPartner => "the partner does not hand the cup over",
            Trouble::Gone => "the person has left",
            Trouble::Stopped => "its emergency stop is pressed",
            Trouble::Broken => "a device that it needs does not work",
        }
    }

    /// True if the robot should avoid the work for a while: the cause is not visible, so nothing else would keep it from retrying
    /// at once.
    pub fn shun(self) -> bool {
        matches!(
            self,
            Trouble::NotGrasped | Trouble::NoWay | Trouble::NoAnswer | Trouble::NoPartner | Trouble::NotTaken
        )
    }
}
