//! Conditions: expressions over the state of a run, such as `robots.blue.task == "find-locations" && time > 20.0`.
//!
//! The syntax is a part of the Common Expression Language. Names and types are checked once, before the run, and
//! names become numbers, so that evaluating a condition in every tick costs next to nothing.

use super::Cast;
use crate::model::Model;
use crate::state::State;
use crewlab_onboard::Skills;
use crewlab_world::aspect::ENERGY;
use serde::{Deserialize, Serialize};

/// Nesting deeper than this is refused, so that no text can exhaust the stack.
const DEEPEST: usize = 100;
/// Longer conditions than this many operators are refused, for the same reason.
const LONGEST: usize = 500;

/// A checked condition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Condition {
    text: String,
    root: Node,
}

/// What is wrong with a condition, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConditionError {
    /// The character at which it was noticed, from 1.
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

impl Operator {
    /// How strongly it binds; the higher, the stronger.
    fn strength(self) -> u8 {
        match self {
            Operator::Or => 1,
            Operator::And => 2,
            Operator::Plus | Operator::Minus => 4,
            Operator::Times | Operator::Over => 5,
            _ => 3,
        }
    }
}

const OPERATORS: [(&str, Operator); 12] = [
    ("||", Operator::Or),
    ("&&", Operator::And),
    ("==", Operator::Equal),
    ("!=", Operator::Unequal),
    ("<=", Operator::AtMost),
    (">=", Operator::AtLeast),
    ("<", Operator::Less),
    (">", Operator::Greater),
    ("+", Operator::Plus),
    ("-", Operator::Minus),
    ("*", Operator::Times),
    ("/", Operator::Over),
];

/// What can be asked of a robot, with its type.
const OF_ROBOT: [(&str, OfRobot, Type); 9] = [
    ("task", OfRobot::Task, Type::Text),
    ("behaviour", OfRobot::Behaviour, Type::Text),
    ("x", OfRobot::X, Type::Number),
    ("y", OfRobot::Y, Type::Number),
    ("energy", OfRobot::Energy, Type::Number),
    ("travelled", OfRobot::Travelled, Type::Number),
    ("holding", OfRobot::Holding, Type::Truth),
    ("alive", OfRobot::Alive, Type::Truth),
    ("leader", OfRobot::Leader, Type::Truth),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum OfRobot {
    Task,
    Behaviour,
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Type {
    Number,
    Text,
    Truth,
}

impl Type {
    fn words(self) -> &'static str {
        match self {
            Type::Number => "a number",
            Type::Text => "a text",
            Type::Truth => "true or false",
        }
    }
}

enum Value<'a> {
    Number(f64),
    Text(&'a str),
    Truth(bool),
}

impl Condition {
    /// Reads a condition about a cast of robots and tasks.
    pub fn parse(text: &str, cast: &Cast) -> Result<Condition, ConditionError> {
        let mut parser = Parser { text, at: 0, cast, depth: 0, operators: 0 };
        let (root, found) = parser.expression(0)?;
        parser.skip_space();
        if parser.at < text.len() {
            return Err(parser.error("the condition should end here, or go on with an operator such as `&&`"));
        }
        if found != Type::Truth {
            let message = format!("a condition must be true or false, this is {}", found.words());
            return Err(ConditionError { column: 1, message });
        }
        Ok(Condition { text: text.to_string(), root })
    }

    /// The condition as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it holds now.
    pub(crate) fn holds(&self, model: &Model, state: &State, now: f64) -> bool {
        matches!(Evaluation { model, state, now }.value(&self.root), Value::Truth(true))
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    cast: &'a Cast<'a>,
    depth: usize,
    operators: usize,
}

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn error(&self, message: impl Into<String>) -> ConditionError {
        self.error_at(self.at, message)
    }

    fn error_at(&self, at: usize, message: impl Into<String>) -> ConditionError {
        ConditionError { column: self.text[..at].chars().count() + 1, message: message.into() }
    }

    fn skip_space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// Takes a sign if it comes next.
    fn takes(&mut self, sign: &str) -> bool {
        self.skip_space();
        let found = self.rest().starts_with(sign);
        if found {
            self.at += sign.len();
        }
        found
    }

    fn expect(&mut self, sign: &str) -> Result<(), ConditionError> {
        if self.takes(sign) { Ok(()) } else { Err(self.error(format!("`{sign}` is missing here"))) }
    }

    /// An expression of operators that bind at least this strongly.
    fn expression(&mut self, least: u8) -> Result<(Node, Type), ConditionError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.error("the condition is nested too deeply"));
        }
        let (mut left, mut kind) = self.operand()?;
        loop {
            self.skip_space();
            let at = self.at;
            let next = OPERATORS.iter().find(|(sign, _)| self.rest().starts_with(sign));
            let Some((sign, operator)) = next.filter(|(_, operator)| operator.strength() > least) else {
                break;
            };
            self.at += sign.len();
            self.operators += 1;
            if self.operators > LONGEST {
                return Err(self.error("the condition is too long"));
            }
            let (right, other) = self.expression(operator.strength())?;
            kind = self.result(sign, *operator, kind, other, at)?;
            self.check_names(&left, &right, at)?;
            left = Node::Both(*operator, Box::new(left), Box::new(right));
        }
        self.depth -= 1;
        Ok((left, kind))
    }

    /// The type of a combination, if its two sides fit.
    fn result(
        &self,
        sign: &str,
        operator: Operator,
        left: Type,
        right: Type,
        at: usize,
    ) -> Result<Type, ConditionError> {
        use Operator as O;
        let (wanted, result) = match operator {
            O::Or | O::And => (Some(Type::Truth), Type::Truth),
            O::Equal | O::Unequal => (None, Type::Truth),
            O::Less | O::AtMost | O::Greater | O::AtLeast => (Some(Type::Number), Type::Truth),
            O::Plus | O::Minus | O::Times | O::Over => (Some(Type::Number), Type::Number),
        };
        let fits = wanted.map_or(left == right, |wanted| left == wanted && right == wanted);
        if fits {
            return Ok(result);
        }
        let takes = wanted
            .map_or("two of the same kind".to_string(), |wanted| format!("{} on both sides", wanted.words()));
        let message = format!("`{sign}` takes {takes}, found {} and {}", left.words(), right.words());
        Err(self.error_at(at, message))
    }

    /// A task that is compared with a text must be one that there is.
    fn check_names(&self, left: &Node, right: &Node, at: usize) -> Result<(), ConditionError> {
        let (Node::Robot(_, OfRobot::Task), Node::Text(text)) = (left, right) else { return Ok(()) };
        if text.is_empty() || self.cast.tasks.contains(&text.as_str()) {
            return Ok(());
        }
        let message = format!("there is no task `{text}`; there are {}", self.cast.tasks.join(", "));
        Err(self.error_at(at, message))
    }

    fn operand(&mut self) -> Result<(Node, Type), ConditionError> {
        self.skip_space();
        let start = self.at;
        let Some(first) = self.rest().chars().next() else {
            return Err(self.error("the condition ends too early"));
        };
        match first {
            '(' => {
                self.at += 1;
                let inner = self.expression(0)?;
                self.expect(")")?;
                Ok(inner)
            }
            '!' | '-' => {
                self.at += 1;
                let wanted = if first == '!' { Type::Truth } else { Type::Number };
                // A sign binds more strongly than any operator.
                let (inner, found) = self.expression(u8::MAX)?;
                if found != wanted {
                    let message = format!("`{first}` takes {}, found {}", wanted.words(), found.words());
                    return Err(self.error_at(start, message));
                }
                let inner = Box::new(inner);
                Ok((if first == '!' { Node::Not(inner) } else { Node::Negative(inner) }, wanted))
            }
            '"' | '\'' => Ok((Node::Text(self.quoted(first)?), Type::Text)),
            '0'..='9' | '.' => self.number(),
            _ if first.is_alphabetic() => self.name(),
            _ => Err(self.error(format!("`{first}` cannot stand here"))),
        }
    }

    fn quoted(&mut self, quote: char) -> Result<String, ConditionError> {
        let inside = &self.rest()[1..];
        let Some(end) = inside.find(quote) else { return Err(self.error("this text has no end")) };
        self.at += end + 2;
        Ok(inside[..end].to_string())
    }

    fn number(&mut self) -> Result<(Node, Type), ConditionError> {
        let rest = self.rest();
        let end = rest.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(rest.len());
        let number: f64 =
            rest[..end].parse().map_err(|_| self.error(format!("`{}` is not a number", &rest[..end])))?;
        self.at += end;
        if self.rest().starts_with(|c: char| c.is_alphabetic()) {
            return Err(self.error("numbers here have no units: times are in seconds, lengths in metres"));
        }
        Ok((Node::Number(number), Type::Number))
    }

    fn word(&mut self) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-')).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn name(&mut self) -> Result<(Node, Type), ConditionError> {
        let start = self.at;
        match self.word() {
            "true" => Ok((Node::Truth(true), Type::Truth)),
            "false" => Ok((Node::Truth(false), Type::Truth)),
            "time" => Ok((Node::Time, Type::Number)),
            "progress" => Ok((Node::Progress, Type::Number)),
            "robots" => self.robot(),
            "tasks" => self.task(),
            other => {
                let message = format!(
                    "there is no `{other}`: a condition can ask for time, progress, robots.NAME.{} and tasks.NAME.robots, .open",
                    OF_ROBOT.map(|(name, ..)| name).join(", .")
                );
                let message = if other.contains('-') {
                    format!("{message} (a minus needs spaces around it)")
                } else {
                    message
                };
                Err(self.error_at(start, message))
            }
        }
    }

    /// What stands behind a dot or in brackets: `.blue` or `["blue 1"]`.
    fn member(&mut self, what: &str, known: &[&str]) -> Result<usize, ConditionError> {
        let start = self.at;
        let name = if self.takes("[") {
            self.skip_space();
            let quote = self.rest().chars().next().filter(|c| ['"', '\''].contains(c));
            let Some(quote) = quote else { return Err(self.error("a name in quotes is missing here")) };
            let name = self.quoted(quote)?;
            self.expect("]")?;
            name
        } else {
            self.expect(".")?;
            self.word().to_string()
        };
        known.iter().position(|one| *one == name).ok_or_else(|| {
            let listed = known.iter().take(12).copied().collect::<Vec<_>>().join(", ");
            self.error_at(start, format!("there is no {what} `{name}`; there are {listed}"))
        })
    }

    fn robot(&mut self) -> Result<(Node, Type), ConditionError> {
        let robot = self.member("robot", &self.cast.robots)?;
        let asked = self.member("such thing to ask of a robot as", &OF_ROBOT.map(|(name, ..)| name))?;
        let (_, asked, kind) = OF_ROBOT[asked];
        if asked == OfRobot::Leader && !self.cast.leaders {
            return Err(self.error("this mission's robots have no leaders"));
        }
        Ok((Node::Robot(robot as u32, asked), kind))
    }

    fn task(&mut self) -> Result<(Node, Type), ConditionError> {
        let task = self.member("task", &self.cast.tasks)? as u32;
        match self.member("such thing to ask of a task as", &["robots", "open"])? {
            0 => Ok((Node::Workers(task), Type::Number)),
            _ => Ok((Node::Open(task), Type::Truth)),
        }
    }
}

struct Evaluation<'a> {
    model: &'a Model,
    state: &'a State,
    now: f64,
}

impl<'a> Evaluation<'a> {
    fn value(&self, node: &'a Node) -> Value<'a> {
        match node {
            Node::Number(number) => Value::Number(*number),
            Node::Text(text) => Value::Text(text),
            Node::Truth(truth) => Value::Truth(*truth),
            Node::Time => Value::Number(self.now),
            Node::Progress => Value::Number(self.state.verdict.progress),
            Node::Robot(robot, asked) => self.of_robot(*robot as usize, *asked),
            Node::Workers(task) => Value::Number(self.workers(*task as usize) as f64),
            Node::Open(task) => Value::Truth(self.state.operator.wants(*task as usize)),
            Node::Not(inner) => Value::Truth(!self.truth(inner)),
            Node::Negative(inner) => Value::Number(-self.number(inner)),
            Node::Both(operator, left, right) => self.both(*operator, left, right),
        }
    }

    fn number(&self, node: &'a Node) -> f64 {
        // Types were checked when the condition was read.
        match self.value(node) {
            Value::Number(number) => number,
            _ => f64::NAN,
        }
    }

    fn truth(&self, node: &'a Node) -> bool {
        matches!(self.value(node), Value::Truth(true))
    }

    fn both(&self, operator: Operator, left: &'a Node, right: &'a Node) -> Value<'a> {
        let truth = Value::Truth;
        let number = |of: fn(f64, f64) -> f64| Value::Number(of(self.number(left), self.number(right)));
        let compare = |of: fn(&f64, &f64) -> bool| truth(of(&self.number(left), &self.number(right)));
        match operator {
            Operator::Or => truth(self.truth(left) || self.truth(right)),
            Operator::And => truth(self.truth(left) && self.truth(right)),
            Operator::Equal => truth(self.equal(left, right)),
            Operator::Unequal => truth(!self.equal(left, right)),
            Operator::Less => compare(f64::lt),
            Operator::AtMost => compare(f64::le),
            Operator::Greater => compare(f64::gt),
            Operator::AtLeast => compare(f64::ge),
            Operator::Plus => number(|a, b| a + b),
            Operator::Minus => number(|a, b| a - b),
            Operator::Times => number(|a, b| a * b),
            Operator::Over => number(|a, b| a / b),
        }
    }

    fn equal(&self, left: &'a Node, right: &'a Node) -> bool {
        match (self.value(left), self.value(right)) {
            (Value::Number(a), Value::Number(b)) => a == b,
            (Value::Text(a), Value::Text(b)) => a == b,
            (Value::Truth(a), Value::Truth(b)) => a == b,
            _ => false,
        }
    }

    fn workers(&self, task: usize) -> usize {
        let robots = 0..self.state.robots.len();
        robots
            .filter(|robot| self.state.task_of(self.model, *robot).is_some_and(|t| usize::from(t.0) == task))
            .count()
    }

    fn of_robot(&self, robot: usize, asked: OfRobot) -> Value<'a> {
        let (body, software) = (&self.state.world.bodies[robot], &self.state.robots[robot].software);
        let active = software.active.filter(|_| !body.down());
        match asked {
            OfRobot::Task => {
                let task = self.state.task_of(self.model, robot);
                Value::Text(task.map_or("", |task| self.model.task_name(task)))
            }
            OfRobot::Behaviour => {
                let identity = &self.model.team[robot].identity;
                Value::Text(active.map_or("", |choice| &identity.behaviour(choice.behaviour).name))
            }
            OfRobot::X => Value::Number(body.pose.position.x),
            OfRobot::Y => Value::Number(body.pose.position.y),
            OfRobot::Energy => {
                let energy = body.aspects.iter().find(|aspect| aspect.name == ENERGY);
                Value::Number(energy.map_or(1.0, |aspect| aspect.fraction()))
            }
            OfRobot::Travelled => Value::Number(body.travelled),
            OfRobot::Holding => Value::Truth(body.holding.is_some()),
            OfRobot::Alive => Value::Truth(!body.down()),
            OfRobot::Leader => Value::Truth(!body.down() && software.skills.leads()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cast() -> Cast<'static> {
        Cast { robots: vec!["blue", "rover-1"], tasks: vec!["find-locations"], ..Cast::default() }
    }

    fn error(text: &str) -> (usize, String) {
        let error = Condition::parse(text, &cast()).expect_err(text);
        (error.column, error.message)
    }

    #[test]
    fn what_the_documents_promise_can_be_read() {
        for text in [
            r#"robots.blue.task == "find-locations" && time > 20.0"#,
            "progress >= 0.5 || !robots.blue.alive",
            "robots['rover-1'].x - 1 < -2 * (3 + robots.rover-1.y)",
            "tasks.find-locations.robots == 0 && tasks.find-locations.open",
            "true != false",
        ] {
            assert!(Condition::parse(text, &cast()).is_ok(), "{text}");
        }
    }

    #[test]
    fn mistakes_are_told_with_their_place() {
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
