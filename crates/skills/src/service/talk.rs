//! The messages of service robots.

use crewlab_onboard::Vec2;
use serde::{Deserialize, Serialize};

/// Knowledge of one person's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// The person's number.
    pub person: u16,
    /// The number of the drink.
    pub drink: Option<u8>,
    /// True if the person has it.
    pub served: bool,
}

/// A cup and the person it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// The cup's number.
    pub cup: u32,
    /// The person's number.
    pub person: u32,
}

/// "Here I am, this is in my hand, this is the cup I want, and these are the orders that I know." Repeated, because messages get
/// lost and robots join late.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ServiceReport {
    /// Where the sender is, if it knows. [m]
    pub at: Option<Vec2>,
    /// The cup in its gripper.
    pub holds: Option<u32>,
    /// The cup that it is about to take.
    pub claims: Option<Claim>,
    /// True if it drives without getting anywhere.
    pub blocked: bool,
    /// All orders that it knows of.
    pub orders: Vec<Order>,
}
