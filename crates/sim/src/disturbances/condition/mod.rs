//! Conditions: expressions over the state of a run, such as `robots.blue.task == "find-locations" && time > 20.0`.
//!
//! The syntax is a part of the Common Expression Language. Names and types are checked once, before the run, and
//! names become numbers, so that evaluating a condition in every tick costs next to nothing.

mod evaluate;
mod parse;

use super::Inventory;
use crate::model::Model;
use crate::state::State;
use serde::{Deserialize, Serialize};

/// A checked condition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Condition {
    text: String,
    root: Node,
}

/// An error in a condition, and its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConditionError {
    /// Column of the error, from 1.
    pub column: usize,
    /// What is wrong and what is accepted.
    pub message: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Operator {
    Or,
    And,
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
    Plus,
    Minus,
    Times,
    Over,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum OfRobot {
    Task,
    Behaviour,
    Action,
    X,
    Y,
    Energy,
    Travelled,
    Holding,
    Alive,
    Leader,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Node {
    Number(f64),
    Text(String),
    Truth(bool),
    Time,
    Progress,
    Robot(u32, OfRobot),
    /// How many robots work on a task.
    Workers(u32),
    /// Whether the operator wants a task.
    Open(u32),
    Not(Box<Node>),
    Negative(Box<Node>),
    Both(Operator, Box<Node>, Box<Node>),
}

impl Condition {
    /// Parses a condition about these robots and tasks.
    pub fn parse(text: &str, inventory: &Inventory) -> Result<Condition, ConditionError> {
        Ok(Condition { root: parse::root(text, inventory)?, text: text.to_string() })
    }

    /// The source text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it holds now.
    pub(crate) fn holds(&self, model: &Model, state: &State, now: f64) -> bool {
        evaluate::holds(&self.root, model, state, now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inventory() -> Inventory<'static> {
        Inventory { robots: vec!["blue", "rover-1"], tasks: vec!["find-locations"], ..Inventory::default() }
    }

    fn error(text: &str) -> (usize, String) {
        let error = Condition::parse(text, &inventory()).expect_err(text);
        (error.column, error.message)
    }

    #[test]
    fn documented_conditions_can_be_parsed() {
        for text in [
            r#"robots.blue.task == "find-locations" && time > 20.0"#,
            "progress >= 0.5 || !robots.blue.alive",
            "robots.blue.action == 'grasp' && robots.blue.x > 4.5",
            "robots['rover-1'].x - 1 < -2 * (3 + robots.rover-1.y)",
            "tasks.find-locations.robots == 0 && tasks.find-locations.open",
            "true != false",
        ] {
            assert!(Condition::parse(text, &inventory()).is_ok(), "{text}");
        }
    }

    #[test]
    fn errors_are_reported_with_their_column() {
        assert_eq!(error("time >").0, 7);
        let (column, message) = error("robots.bleu.task == 'x'");
        assert!(column == 7 && message.contains("no robot `bleu`") && message.contains("blue"), "{message}");
        assert!(error("robots.blue.tusk == 'x'").1.contains("task"));
        let (column, message) = error("time > 20 s");
        assert!(column == 11, "{column} {message}");
        assert!(error("time > 20s").1.contains("seconds"));
        assert!(error("time + 1").1.contains("true or false"));
        assert!(error("time == 'now'").1.contains("two of the same kind"));
        assert!(error("speed > 1").1.contains("there is no `speed`"));
        assert!(error("(time > 1").1.contains("`)` is missing"));
        assert!(error("'open").1.contains("no end"));
        assert!(error(&format!("time{} > 1", "+time".repeat(20_000))).1.contains("too long"));
        assert!(error("robots.blue.task == 'find-location'").1.contains("find-locations"));
        assert!(error("robots.blue.leader").1.contains("no leaders"));
        assert!(error("time-1 > 2").1.contains("spaces"));
        assert!(error(&"(".repeat(5000)).1.contains("deeply"));
        assert!(error(&"!".repeat(5000)).1.contains("deeply"));
        assert!(error("").1.contains("too early"));
        assert!(error("time > 1 time").1.contains("end here"));
    }
}
