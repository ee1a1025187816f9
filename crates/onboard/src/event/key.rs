//! Names of numbers that other code reads, so that both sides spell them alike.

/// The number of an auction.
pub const ROUND: &str = "round";
/// Value of a piece of work before its costs. [s]
pub const UTILITY: &str = "utility";
/// Reward that was earned or is expected. [s]
pub const REWARD: &str = "reward";
/// Value of an award. [s]
pub const VALUE: &str = "value";
/// Opportunity cost: what the rest of the team loses because a winner is busy. [s]
pub const PRICE: &str = "price";
/// Largest possible distance of an allocation from the best one, as a share of the best one.
pub const GAP: &str = "gap";
/// The mission's progress, from 0 to 1.
pub const PROGRESS: &str = "progress";
/// A disturbance's index in the list.
pub const DISTURBANCE: &str = "disturbance";
/// A robot's count of its questions.
pub const QUESTION: &str = "question";
/// The size of a message. [bytes]
pub const BYTES: &str = "bytes";
/// The largest message that a radio accepts. [bytes]
pub const LIMIT: &str = "limit";
/// An object's number.
pub const OBJECT: &str = "object";
/// An item's number.
pub const ITEM: &str = "item";
/// How long something has lasted. [s]
pub const SECONDS: &str = "seconds";
/// Number of further things of which the same is true.
pub const MORE: &str = "more";
/// A direction, counter-clockwise from east. [degrees]
pub const DIRECTION: &str = "direction";
/// Which execution of a behaviour: the same number on every robot of its group.
pub const FRAME: &str = "frame";
/// Which point of that execution.
pub const STAGE: &str = "stage";
