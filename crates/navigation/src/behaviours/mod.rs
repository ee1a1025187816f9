//! What a robot does to find its way (appendix B.4): behaviours that say where to go next, the selection of one of them, and the
//! control loop that plans, checks and gives up. Independent of any mission.

mod aim;
mod consistency;
mod control;
mod person;
mod pointing;
mod selection;

pub use aim::{Aim, AimKind};
pub use consistency::Consistency;
pub use control::{Control, ControlSettings, Failure, Outcome, Scene};
pub use person::PersonTrack;
pub use pointing::coherent;
pub use selection::{Caller, Selection, Status, Trigger};

use crewlab_onboard::geometry::Vec2;
use serde::{Deserialize, Serialize};

/// A navigation behaviour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Behaviour {
    /// Stands still: in an emergency, in a dialogue, or because nothing else is asked for.
    #[default]
    Idle,
    /// Goes where most of the unknown can be seen for the shortest way (B.4).
    Explore,
    /// Goes to the person that is tracked; the way is taken to be free, and is not planned.
    FollowPerson,
    /// Goes on in a direction until a crossroads. [rad]
    GoInDirection(f64),
    /// Goes to a point, or to the frontier nearest to it while no path is known (B.5). [m]
    ReachGoal(Vec2),
}
