//! The checked form of an expression, and its value.

use serde::{Deserialize, Serialize};

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// A number.
    Number,
    /// A text.
    Text,
    /// True or false.
    Truth,
}

impl Type {
    /// Its name in messages.
    pub fn words(self) -> &'static str {
        match self {
            Type::Number => "a number",
            Type::Text => "a text",
            Type::Truth => "true or false",
        }
    }
}

/// A value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// A number.
    Number(f64),
    /// A text.
    Text(&'a str),
    /// True or false.
    Truth(bool),
}

/// A function of one or two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Function {
    Exp,
    Ln,
    Log10,
    Sqrt,
    Abs,
    Sin,
    Cos,
    Min,
    Max,
    Hypot,
}

/// All functions with their names and the number of their arguments.
pub const FUNCTIONS: [(&str, Function, usize); 10] = [
    ("exp", Function::Exp, 1),
    ("ln", Function::Ln, 1),
    ("log10", Function::Log10, 1),
    ("sqrt", Function::Sqrt, 1),
    ("abs", Function::Abs, 1),
    ("min", Function::Min, 2),
    ("max", Function::Max, 2),
    ("sin", Function::Sin, 1),
    ("cos", Function::Cos, 1),
    ("hypot", Function::Hypot, 2),
];

impl Function {
    /// Its value; a function of one argument ignores the second.
    fn value(self, first: f64, second: f64) -> f64 {
        match self {
            Function::Exp => libm::exp(first),
            Function::Ln => libm::log(first),
            Function::Log10 => libm::log10(first),
            Function::Sqrt => first.sqrt(),
            Function::Abs => first.abs(),
            Function::Sin => libm::sin(first),
            Function::Cos => libm::cos(first),
            Function::Min => first.min(second),
            Function::Max => first.max(second),
            Function::Hypot => libm::hypot(first, second),
        }
    }
}

/// An operator between two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Operator {
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
    Power,
}

/// An expression whose types have been checked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Node<V> {
    Number(f64),
    Text(String),
    Truth(bool),
    Variable(V),
    Not(Box<Node<V>>),
    Negative(Box<Node<V>>),
    Both(Operator, Box<Node<V>>, Box<Node<V>>),
    Call(Function, Box<[Node<V>]>),
}

impl<V> Node<V> {
    fn value<'a>(&'a self, of: &impl Fn(&'a V) -> Value<'a>) -> Value<'a> {
        match self {
            Node::Number(number) => Value::Number(*number),
            Node::Text(text) => Value::Text(text),
            Node::Truth(truth) => Value::Truth(*truth),
            Node::Variable(variable) => of(variable),
            Node::Not(inner) => Value::Truth(!inner.truth(of)),
            Node::Negative(inner) => Value::Number(-inner.number(of)),
            Node::Both(operator, left, right) => both(*operator, left, right, of),
            Node::Call(function, arguments) => {
                let argument = |n: usize| arguments.get(n).map_or(f64::NAN, |node| node.number(of));
                Value::Number(function.value(argument(0), argument(1)))
            }
        }
    }

    pub(crate) fn number<'a>(&'a self, of: &impl Fn(&'a V) -> Value<'a>) -> f64 {
        // Types were checked when the expression was parsed.
        match self.value(of) {
            Value::Number(number) => number,
            _ => f64::NAN,
        }
    }

    pub(crate) fn truth<'a>(&'a self, of: &impl Fn(&'a V) -> Value<'a>) -> bool {
        matches!(self.value(of), Value::Truth(true))
    }
}

fn both<'a, V>(
    operator: Operator,
    left: &'a Node<V>,
    right: &'a Node<V>,
    of: &impl Fn(&'a V) -> Value<'a>,
) -> Value<'a> {
    let truth = Value::Truth;
    let number = |calculate: fn(f64, f64) -> f64| Value::Number(calculate(left.number(of), right.number(of)));
    let compare = |compare: fn(&f64, &f64) -> bool| truth(compare(&left.number(of), &right.number(of)));
    match operator {
        Operator::Or => truth(left.truth(of) || right.truth(of)),
        Operator::And => truth(left.truth(of) && right.truth(of)),
        Operator::Equal => truth(left.value(of) == right.value(of)),
        Operator::Unequal => truth(left.value(of) != right.value(of)),
        Operator::Less => compare(f64::lt),
        Operator::AtMost => compare(f64::le),
        Operator::Greater => compare(f64::gt),
        Operator::AtLeast => compare(f64::ge),
        Operator::Plus => number(|a, b| a + b),
        Operator::Minus => number(|a, b| a - b),
        Operator::Times => number(|a, b| a * b),
        Operator::Over => number(|a, b| a / b),
        Operator::Power => number(libm::pow),
    }
}
