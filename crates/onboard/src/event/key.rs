//! Names of numbers that others read, so that both sides spell them alike.

/// The number of an auction.
pub const ROUND: &str = "round";
/// What a piece of work is worth before its costs. [s]
pub const UTILITY: &str = "utility";
/// What was earned, or is expected to be. [s]
pub const REWARD: &str = "reward";
/// What an award is worth. [s]
pub const VALUE: &str = "value";
/// What it costs the rest of the team that a winner is not free for something else. [s]
pub const PRICE: &str = "price";
/// How far an allocation may be below the best one, as a share of it.
pub const GAP: &str = "gap";
/// The mission's progress, from 0 to 1.
pub const PROGRESS: &str = "progress";
/// A disturbance's place in the list.
pub const DISTURBANCE: &str = "disturbance";
/// A robot's count of its questions.
pub const QUESTION: &str = "question";
/// The size of a message. [bytes]
pub const BYTES: &str = "bytes";
/// The largest message that a radio takes. [bytes]
pub const LIMIT: &str = "limit";
/// An object's number.
pub const OBJECT: &str = "object";
/// An item's number.
pub const ITEM: &str = "item";
/// How long something has lasted. [s]
pub const SECONDS: &str = "seconds";
/// Number of further things of which the same is true.
pub const MORE: &str = "more";
