//! From text to a checked tree.

use super::{ConditionError, Node, OfRobot, Operator};
use crate::disturbances::Inventory;

/// Nesting deeper than this is refused, so that no text can exhaust the stack.
const DEEPEST: usize = 100;
/// Longer conditions than this many operators are refused, for the same reason.
const LONGEST: usize = 500;

impl Operator {
    /// Its precedence; the higher, the stronger.
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

/// The attributes of a robot, with their types.
const OF_ROBOT: [(&str, OfRobot, Type); 10] = [
    ("task", OfRobot::Task, Type::Text),
    ("behaviour", OfRobot::Behaviour, Type::Text),
    ("action", OfRobot::Action, Type::Text),
    ("x", OfRobot::X, Type::Number),
    ("y", OfRobot::Y, Type::Number),
    ("energy", OfRobot::Energy, Type::Number),
    ("travelled", OfRobot::Travelled, Type::Number),
    ("holding", OfRobot::Holding, Type::Truth),
    ("alive", OfRobot::Alive, Type::Truth),
    ("leader", OfRobot::Leader, Type::Truth),
];

/// Parses a condition about these robots and tasks into a tree.
pub(super) fn root(text: &str, inventory: &Inventory) -> Result<Node, ConditionError> {
    let mut parser = Parser { text, at: 0, inventory, depth: 0, operators: 0 };
    let (root, found) = parser.expression(0)?;
    parser.skip_space();
    if parser.at < text.len() {
        return Err(parser.error("the condition should end here, or go on with an operator such as `&&`"));
    }
    if found != Type::Truth {
        let message = format!("a condition must be true or false, this is {}", found.words());
        return Err(ConditionError { column: 1, message });
    }
    Ok(root)
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    inventory: &'a Inventory<'a>,
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

    /// Consumes a sign if it comes next.
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

    /// Parses operators of at least this precedence.
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

    /// A text compared with a task must be the name of one.
    fn check_names(&self, left: &Node, right: &Node, at: usize) -> Result<(), ConditionError> {
        let (Node::Robot(_, OfRobot::Task), Node::Text(text)) = (left, right) else { return Ok(()) };
        if text.is_empty() || self.inventory.tasks.contains(&text.as_str()) {
            return Ok(());
        }
        let message = format!("there is no task `{text}`; there are {}", self.inventory.tasks.join(", "));
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

    /// The name after a dot or in brackets: `.blue` or `["blue 1"]`.
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
        let robot = self.member("robot", &self.inventory.robots)?;
        let asked = self.member("such thing to ask of a robot as", &OF_ROBOT.map(|(name, ..)| name))?;
        let (_, asked, kind) = OF_ROBOT[asked];
        if asked == OfRobot::Leader && !self.inventory.leaders {
            return Err(self.error("this mission's robots have no leaders"));
        }
        Ok((Node::Robot(robot as u32, asked), kind))
    }

    fn task(&mut self) -> Result<(Node, Type), ConditionError> {
        let task = self.member("task", &self.inventory.tasks)? as u32;
        match self.member("such thing to ask of a task as", &["robots", "open"])? {
            0 => Ok((Node::Workers(task), Type::Number)),
            _ => Ok((Node::Open(task), Type::Truth)),
        }
    }
}
