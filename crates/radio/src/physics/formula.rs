//! Formulas of scenario files: expressions over x and y that can do nothing but give a number.

/// An expression over x and y.
#[derive(Clone, Debug)]
pub struct Formula {
    /// What to do with a stack of numbers, one after the other.
    steps: Vec<Step>,
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Number(f64),
    X,
    Y,
    One(fn(f64) -> f64),
    Two(fn(f64, f64) -> f64),
}

/// Longest formula, in characters.
const LONGEST: usize = 1000;
/// Deepest nesting.
const DEEPEST: usize = 50;

impl Formula {
    /// Reads a formula: numbers, `x`, `y`, `+ - * / ^`, parentheses, and the functions `exp ln log10 sqrt abs min max
    /// sin cos hypot`. The error says what is wrong in which column.
    pub fn parse(text: &str) -> Result<Formula, String> {
        let length = text.chars().count();
        if length > LONGEST {
            return Err(format!("the formula has {length} characters, {LONGEST} are allowed"));
        }
        let mut parser = Parser { text: text.chars().collect(), at: 0, depth: 0, steps: Vec::new() };
        parser.sum()?;
        match parser.peek() {
            None => Ok(Formula { steps: parser.steps }),
            Some(found) => Err(parser.wrong(format!("found `{found}`, expected an operator or the end"))),
        }
    }

    /// Its value at a place. [m]
    pub fn value(&self, x: f64, y: f64) -> f64 {
        let mut stack = Vec::with_capacity(8);
        for step in &self.steps {
            // The parser puts every function after its arguments, so that there is always enough on the stack.
            let mut pop = || stack.pop().unwrap_or(f64::NAN);
            let value = match step {
                Step::Number(number) => *number,
                Step::X => x,
                Step::Y => y,
                Step::One(function) => function(pop()),
                Step::Two(function) => {
                    let second = pop();
                    function(pop(), second)
                }
            };
            stack.push(value);
        }
        stack.pop().unwrap_or(f64::NAN)
    }
}

fn function_of_one(name: &str) -> Option<fn(f64) -> f64> {
    Some(match name {
        "exp" => libm::exp,
        "ln" => libm::log,
        "log10" => libm::log10,
        "sqrt" => f64::sqrt,
        "abs" => f64::abs,
        "sin" => libm::sin,
        "cos" => libm::cos,
        _ => return None,
    })
}

fn function_of_two(name: &str) -> Option<fn(f64, f64) -> f64> {
    Some(match name {
        "min" => f64::min,
        "max" => f64::max,
        "hypot" => libm::hypot,
        _ => return None,
    })
}

struct Parser {
    text: Vec<char>,
    at: usize,
    depth: usize,
    steps: Vec<Step>,
}

impl Parser {
    /// The next character that is not a space.
    fn peek(&mut self) -> Option<char> {
        while self.text.get(self.at).is_some_and(|c| c.is_whitespace()) {
            self.at += 1;
        }
        self.text.get(self.at).copied()
    }

    fn take(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, wanted: char) -> Result<(), String> {
        if self.take(wanted) {
            return Ok(());
        }
        let found = self.peek().map_or("the end".into(), |c| format!("`{c}`"));
        Err(self.wrong(format!("found {found}, expected `{wanted}`")))
    }

    fn wrong(&self, what: String) -> String {
        format!("column {}: {what}", self.at + 1)
    }

    /// The longest run of characters from here that all are accepted.
    fn run(&mut self, accepted: impl Fn(char) -> bool) -> String {
        let run: String = self.text[self.at..].iter().copied().take_while(|c| accepted(*c)).collect();
        self.at += run.chars().count();
        run
    }

    fn sum(&mut self) -> Result<(), String> {
        self.product()?;
        loop {
            let operator: fn(f64, f64) -> f64 = match self.peek() {
                Some('+') => |a, b| a + b,
                Some('-') => |a, b| a - b,
                _ => return Ok(()),
            };
            self.at += 1;
            self.product()?;
            self.steps.push(Step::Two(operator));
        }
    }

    fn product(&mut self) -> Result<(), String> {
        self.sign()?;
        loop {
            let operator: fn(f64, f64) -> f64 = match self.peek() {
                Some('*') => |a, b| a * b,
                Some('/') => |a, b| a / b,
                _ => return Ok(()),
            };
            self.at += 1;
            self.sign()?;
            self.steps.push(Step::Two(operator));
        }
    }

    /// Powers bind more tightly than signs before them: -2^2 is -4, and 2^-1 is a half. All nesting passes here.
    fn sign(&mut self) -> Result<(), String> {
        if self.depth == DEEPEST {
            return Err(self.wrong(format!("nested more than {DEEPEST} deep")));
        }
        self.depth += 1;
        if self.take('-') {
            self.sign()?;
            self.steps.push(Step::One(|a| -a));
        } else if !self.take('+') {
            self.atom()?;
            if self.take('^') {
                self.sign()?;
                self.steps.push(Step::Two(libm::pow));
            }
        } else {
            self.sign()?;
        }
        self.depth -= 1;
        Ok(())
    }

    fn atom(&mut self) -> Result<(), String> {
        match self.peek() {
            Some('(') => {
                self.at += 1;
                self.sum()?;
                self.expect(')')
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_ascii_alphabetic() => self.name(),
            Some(c) => Err(self.wrong(format!("found `{c}`, expected a number, x, y, a function or `(`"))),
            None => Err(self.wrong("found the end, expected a number, x, y, a function or `(`".into())),
        }
    }

    fn number(&mut self) -> Result<(), String> {
        let start = self.at;
        let mut digits = self.run(|c| c.is_ascii_digit() || c == '.');
        // An exponent: `e`, perhaps a sign, and digits.
        if matches!(self.text.get(self.at), Some('e' | 'E')) {
            self.at += 1;
            digits.push('e');
            if let Some(sign @ ('+' | '-')) = self.text.get(self.at) {
                digits.push(*sign);
                self.at += 1;
            }
            digits += &self.run(|c| c.is_ascii_digit());
        }
        let number = digits.parse().map_err(|_| {
            self.at = start;
            self.wrong(format!("`{digits}` is not a number"))
        })?;
        self.steps.push(Step::Number(number));
        Ok(())
    }

    fn name(&mut self) -> Result<(), String> {
        let start = self.at;
        let name = self.run(|c| c.is_ascii_alphanumeric() || c == '_');
        match name.as_str() {
            "x" => self.steps.push(Step::X),
            "y" => self.steps.push(Step::Y),
            _ => {
                let step = function_of_one(&name).map(Step::One).or(function_of_two(&name).map(Step::Two));
                let Some(step) = step else {
                    self.at = start;
                    return Err(self.wrong(format!(
                        "`{name}` is unknown; there are x, y, exp, ln, log10, sqrt, abs, min, max, sin, cos and hypot"
                    )));
                };
                self.expect('(')?;
                self.sum()?;
                if matches!(step, Step::Two(_)) {
                    self.expect(',')?;
                    self.sum()?;
                }
                self.expect(')')?;
                self.steps.push(step);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn values() {
        let check = |text: &str, expected: f64| {
            let value = Formula::parse(text).map(|formula| formula.value(3.0, 4.0));
            assert!(value.as_ref().is_ok_and(|v| (v - expected).abs() < 1e-12), "{text}: {value:?}");
        };
        check("-90", -90.0);
        check(" 1 + 2 * x - y / 2 ", 5.0);
        check("10 - 4 - 3", 3.0);
        check("16 / 4 / 2", 2.0);
        check("2 ^ 3 ^ 2", 512.0);
        check("-2^2", -4.0);
        check("2^-1 * --+x", 1.5);
        check("(1 + x) * (y - 1)", 12.0);
        check("-95 + 20 * exp(-((x - 3)^2 + (y - 4)^2) / 50)", -75.0);
        check("min(x, y) + max(x, y) * hypot(x, y)", 23.0);
        check("ln(exp(2)) + log10(1e3) + sqrt(y) + abs(-x) + sin(0) + cos(0)", 11.0);
        check("1.5e-1 + .5 + 2.", 2.65);
    }

    #[test]
    fn errors_say_where() {
        let check = |text: &str, expected: &str| {
            let error = Formula::parse(text).err().unwrap_or_default();
            assert!(error.contains(expected), "{text}: {error}");
        };
        check("", "column 1: found the end");
        check("1 +", "column 4: found the end");
        check("1 + * 2", "column 5: found `*`");
        check("2 x", "column 3: found `x`, expected an operator or the end");
        check("(x + 1", "column 7: found the end, expected `)`");
        check("min(x)", "column 6: found `)`, expected `,`");
        check("sqrt x", "column 6: found `x`, expected `(`");
        check("x + tan(y)", "column 5: `tan` is unknown; there are x, y, exp");
        check("1.2.3", "column 1: `1.2.3` is not a number");
        check("1e", "is not a number");
        check("ä + 1", "column 1: found `ä`");
        check(&"(".repeat(200), "nested more than 50 deep");
        check(&"-".repeat(200), "nested more than 50 deep");
        check(&"2^".repeat(200), "nested more than 50 deep");
        check(&"1+".repeat(600), "1200 characters, 1000 are allowed");
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "[xy0-9.e+*/^(), a-z-]{0,40}") {
            if let Ok(formula) = Formula::parse(&text) {
                formula.value(1.0, 2.0);
            }
        }
    }
}
