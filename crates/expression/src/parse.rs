//! From text to a checked tree.

use crate::ExpressionError;
use crate::tree::{FUNCTIONS, Function, Node, Operator, Type};
use crate::vocabulary::{Part, Refusal, Vocabulary};

/// Nesting deeper than this is refused, so that no text can exhaust the stack.
const DEEPEST: usize = 100;
/// Expressions with more operators than this are refused, for the same reason.
const LONGEST: usize = 500;

impl Operator {
    /// Its precedence; the higher, the stronger. Powers are not here: they bind more strongly than signs.
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

/// The tree of an expression of the wanted type.
pub(crate) fn root<W: Vocabulary>(
    text: &str,
    vocabulary: &W,
    wanted: Type,
) -> Result<Node<W::Variable>, ExpressionError> {
    let mut parser = Parser { text, at: 0, vocabulary, depth: 0, operators: 0 };
    let (root, found) = parser.expression(0)?;
    if parser.next().is_some() {
        return Err(parser.found("an operator or the end"));
    }
    if found != wanted {
        let message = format!("the result must be {}, this is {}", wanted.words(), found.words());
        return Err(ExpressionError { column: 1, message });
    }
    Ok(root)
}

struct Parser<'a, W> {
    text: &'a str,
    /// The next byte.
    at: usize,
    vocabulary: &'a W,
    depth: usize,
    operators: usize,
}

type Typed<W> = (Node<<W as Vocabulary>::Variable>, Type);

impl<'a, W: Vocabulary> Parser<'a, W> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn error(&self, message: impl Into<String>) -> ExpressionError {
        self.error_at(self.at, message)
    }

    fn error_at(&self, at: usize, message: impl Into<String>) -> ExpressionError {
        ExpressionError { column: self.text[..at].chars().count() + 1, message: message.into() }
    }

    /// The error for an unexpected character.
    fn found(&mut self, expected: &str) -> ExpressionError {
        let found = self.next().map_or("the end".to_string(), |found| format!("`{found}`"));
        self.error(format!("found {found}, expected {expected}"))
    }

    /// The next character that is not a space.
    fn next(&mut self) -> Option<char> {
        self.at = self.text.len() - self.rest().trim_start().len();
        self.rest().chars().next()
    }

    /// Consumes a character if it comes next.
    fn takes(&mut self, wanted: char) -> bool {
        let found = self.next() == Some(wanted);
        if found {
            self.at += wanted.len_utf8();
        }
        found
    }

    fn expect(&mut self, wanted: char) -> Result<(), ExpressionError> {
        if self.takes(wanted) { Ok(()) } else { Err(self.found(&format!("`{wanted}`"))) }
    }

    fn count_operator(&mut self) -> Result<(), ExpressionError> {
        self.operators += 1;
        if self.operators > LONGEST {
            return Err(
                self.error(format!("the expression is too long: at most {LONGEST} operators are accepted"))
            );
        }
        Ok(())
    }

    /// Parses operators of a higher precedence than this.
    fn expression(&mut self, least: u8) -> Result<Typed<W>, ExpressionError> {
        let (mut left, mut kind) = self.signed()?;
        while self.next().is_some() {
            let at = self.at;
            let next = OPERATORS.iter().find(|(sign, _)| self.rest().starts_with(sign));
            let Some((sign, operator)) = next.filter(|(_, operator)| operator.strength() > least) else {
                break;
            };
            self.at += sign.len();
            self.count_operator()?;
            let (right, other) = self.expression(operator.strength())?;
            kind = self.result(sign, *operator, kind, other, at)?;
            if let (Node::Variable(variable), Node::Text(text)) = (&left, &right) {
                let checked = self.vocabulary.check_text(variable, text);
                checked.map_err(|message| self.error_at(at, message))?;
            }
            left = Node::Both(*operator, Box::new(left), Box::new(right));
        }
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
    ) -> Result<Type, ExpressionError> {
        use Operator as O;
        let (wanted, result) = match operator {
            O::Or | O::And => (Some(Type::Truth), Type::Truth),
            O::Equal | O::Unequal => (None, Type::Truth),
            O::Less | O::AtMost | O::Greater | O::AtLeast => (Some(Type::Number), Type::Truth),
            O::Plus | O::Minus | O::Times | O::Over | O::Power => (Some(Type::Number), Type::Number),
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

    /// An operand with its signs. Powers bind more strongly than signs before them: -2^2 is -4, and 2^-1 is a half. All nesting
    /// passes here.
    fn signed(&mut self) -> Result<Typed<W>, ExpressionError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.error(format!("nested too deeply: at most {DEEPEST} levels are accepted")));
        }
        let first = self.next();
        let start = self.at;
        let signed = match first {
            Some(sign @ ('!' | '-' | '+')) => {
                self.at += 1;
                let wanted = if sign == '!' { Type::Truth } else { Type::Number };
                let (inner, found) = self.signed()?;
                if found != wanted {
                    let message = format!("`{sign}` takes {}, found {}", wanted.words(), found.words());
                    return Err(self.error_at(start, message));
                }
                let node = match sign {
                    '!' => Node::Not(Box::new(inner)),
                    '-' => Node::Negative(Box::new(inner)),
                    _ => inner,
                };
                (node, wanted)
            }
            _ => self.power()?,
        };
        self.depth -= 1;
        Ok(signed)
    }

    fn power(&mut self) -> Result<Typed<W>, ExpressionError> {
        let (base, kind) = self.operand()?;
        if self.next() != Some('^') {
            return Ok((base, kind));
        }
        let at = self.at;
        self.at += 1;
        self.count_operator()?;
        let (exponent, other) = self.signed()?;
        let kind = self.result("^", Operator::Power, kind, other, at)?;
        Ok((Node::Both(Operator::Power, Box::new(base), Box::new(exponent)), kind))
    }

    fn operand(&mut self) -> Result<Typed<W>, ExpressionError> {
        match self.next() {
            Some('(') => {
                self.at += 1;
                let inner = self.expression(0)?;
                self.expect(')')?;
                Ok(inner)
            }
            Some(quote @ ('"' | '\'')) => Ok((Node::Text(self.quoted(quote)?), Type::Text)),
            Some('0'..='9' | '.') => self.number(),
            Some(first) if first.is_ascii_alphabetic() => self.word(),
            _ => Err(self.found("a number, a name, a function or `(`")),
        }
    }

    fn quoted(&mut self, quote: char) -> Result<String, ExpressionError> {
        let inside = &self.rest()[1..];
        let Some(end) = inside.find(quote) else { return Err(self.error("this text has no end")) };
        self.at += end + 2;
        Ok(inside[..end].to_string())
    }

    /// Consumes all accepted characters from here.
    fn run(&mut self, accepted: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c: char| !accepted(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn number(&mut self) -> Result<Typed<W>, ExpressionError> {
        let start = self.at;
        self.run(|c| c.is_ascii_digit() || c == '.');
        // An exponent: `e`, perhaps a sign, and digits.
        if self.rest().starts_with(['e', 'E']) {
            self.at += 1;
            self.at += usize::from(self.rest().starts_with(['+', '-']));
            self.run(|c| c.is_ascii_digit());
        }
        let digits = &self.text[start..self.at];
        let number: f64 =
            digits.parse().map_err(|_| self.error_at(start, format!("`{digits}` is not a number")))?;
        if self.rest().starts_with(char::is_alphabetic) {
            let units = self.vocabulary.units();
            let message = format!("numbers have no units here: {units}; a product is written with `*`");
            return Err(self.error(message));
        }
        Ok((Node::Number(number), Type::Number))
    }

    /// Parses what begins with a letter: true, false, a function or a name.
    fn word(&mut self) -> Result<Typed<W>, ExpressionError> {
        let start = self.at;
        let word = self.run(|c| c.is_ascii_alphanumeric() || c == '_');
        match word {
            "true" => return Ok((Node::Truth(true), Type::Truth)),
            "false" => return Ok((Node::Truth(false), Type::Truth)),
            _ => {}
        }
        if let Some((name, function, arguments)) = FUNCTIONS.iter().find(|(name, ..)| *name == word) {
            return self.call(name, *function, *arguments);
        }
        if self.next() == Some('(') {
            return Err(
                self.error_at(start, format!("there is no function `{word}`; there are {}", functions()))
            );
        }
        self.name(Part { text: word.to_string(), at: start })
    }

    fn call(&mut self, name: &str, function: Function, count: usize) -> Result<Typed<W>, ExpressionError> {
        self.expect('(')?;
        let mut arguments = Vec::with_capacity(count);
        for argument in 0..count {
            if argument > 0 {
                self.expect(',')?;
            }
            self.next();
            let at = self.at;
            let (node, found) = self.expression(0)?;
            if found != Type::Number {
                return Err(self.error_at(at, format!("`{name}` takes a number, found {}", found.words())));
            }
            arguments.push(node);
        }
        self.expect(')')?;
        Ok((Node::Call(function, arguments.into()), Type::Number))
    }

    /// Parses a name: its first part, and the parts after dots or in brackets, as in `.blue` or `["blue 1"]`.
    fn name(&mut self, first: Part) -> Result<Typed<W>, ExpressionError> {
        let mut parts = vec![first];
        while let Some('.' | '[') = self.next() {
            let at = self.at;
            let text = if self.takes('[') {
                let Some(quote @ ('"' | '\'')) = self.next() else {
                    return Err(self.found("a name in quotes"));
                };
                let text = self.quoted(quote)?;
                self.expect(']')?;
                text
            } else {
                self.at += 1;
                // Names of robots and tasks may have a minus inside.
                self.run(|c| c.is_alphanumeric() || c == '_' || c == '-').to_string()
            };
            parts.push(Part { text, at });
        }
        let resolved = self.vocabulary.resolve(&parts);
        let (variable, kind) = resolved.map_err(|refusal| self.refused(&parts, refusal))?;
        Ok((Node::Variable(variable), kind))
    }

    fn refused(&self, parts: &[Part], refusal: Refusal) -> ExpressionError {
        match refusal {
            Refusal::Unknown => {
                let (name, names) = (&parts[0].text, self.vocabulary.names());
                let message =
                    format!("there is no `{name}`; there are {names} and the functions {}", functions());
                self.error_at(parts[0].at, message)
            }
            Refusal::Part { part, message } => {
                let at = parts.get(part).map_or(self.at, |part| part.at);
                let minus = parts.get(part).is_some_and(|part| part.text.contains('-'));
                let hint = if minus { " (a minus needs spaces around it here)" } else { "" };
                self.error_at(at, message + hint)
            }
        }
    }
}

/// The names of all functions.
fn functions() -> String {
    FUNCTIONS.map(|(name, ..)| name).join(", ")
}
