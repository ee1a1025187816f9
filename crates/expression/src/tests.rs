//! The language itself, with a small vocabulary: x, y and `things.NAME.kind`.

use super::*;
use proptest::prelude::*;

#[derive(Clone, Debug, PartialEq)]
enum Name {
    Axis(usize),
    Kind(usize),
}

struct Words;

const THINGS: [&str; 2] = ["box", "door 1"];

impl Vocabulary for Words {
    type Variable = Name;

    fn names(&self) -> String {
        "x, y".into()
    }

    fn units(&self) -> &str {
        "lengths are in metres"
    }

    fn resolve(&self, name: &[Part]) -> Result<(Name, Type), Refusal> {
        let words: Vec<&str> = name.iter().map(|part| part.text.as_str()).collect();
        match words[..] {
            ["x"] => Ok((Name::Axis(0), Type::Number)),
            ["y"] => Ok((Name::Axis(1), Type::Number)),
            ["things", thing, "kind"] => {
                let index = THINGS.iter().position(|one| *one == thing);
                let unknown = || Refusal::unknown_part(1, "thing", thing, &THINGS);
                Ok((Name::Kind(index.ok_or_else(unknown)?), Type::Text))
            }
            _ => Err(Refusal::Unknown),
        }
    }
}

fn formula(text: &str) -> Result<Formula<Name>, ExpressionError> {
    Formula::parse(text, &Words)
}

fn at(place: [f64; 2], name: &Name) -> Value<'static> {
    match name {
        Name::Axis(axis) => Value::Number(place[*axis]),
        Name::Kind(thing) => Value::Text(["wooden", "steel"][*thing]),
    }
}

/// One language: a condition can calculate, and names, texts and numbers go together where their types do.
#[test]
fn conditions_hold_or_not() {
    let check = |text: &str, expected: bool| {
        let condition = Condition::parse(text, &Words).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(condition.holds(|name| at([3.0, 4.0], name)), expected, "{text}");
    };
    check("hypot(x, y) == 5 && x^2 + y^2 == 25", true);
    check("x-1 < 2", false);
    check("!(x > y) || false", true);
    check("-x < 1e-3 && +y >= 4", true);
    check("things['door 1'].kind == \"steel\"", true);
    check("things.box.kind != 'wooden'", false);
    check("1 / 0 > 1e300 && !(0 / 0 == 0 / 0)", true);
}

#[test]
fn names_are_refused_with_their_place() {
    let check = |text: &str, expected: &str| {
        let error = Condition::parse(text, &Words).expect_err(text).to_string();
        assert!(error.contains(expected), "{text}: {error}");
    };
    check("things.crate.kind == 'x'", "column 7: there is no thing `crate`; there are box, door 1");
    check("x > 1 && things.box-1.kind == ''", "a minus needs spaces");
    check("things[box].kind == 'x'", "column 8: found `b`, expected a name in quotes");
    check("x == 'x'", "column 3: `==` takes two of the same kind, found a number and a text");
    check("x && y", "`&&` takes true or false on both sides, found a number and a number");
    check("!x", "column 1: `!` takes true or false, found a number");
}

#[test]
fn values() {
    let check = |text: &str, expected: f64| {
        let value = formula(text).map(|formula| formula.value(|axis| at([3.0, 4.0], axis)));
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
        let error = formula(text).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.contains(expected), "{text}: {error}");
    };
    check("", "column 1: found the end");
    check("1 +", "column 4: found the end");
    check("1 + * 2", "column 5: found `*`");
    check("2 x", "column 3: found `x`, expected an operator or the end");
    check("(x + 1", "column 7: found the end, expected `)`");
    check("min(x)", "column 6: found `)`, expected `,`");
    check("sqrt x", "column 6: found `x`, expected `(`");
    check("x + tan(y)", "column 5: there is no function `tan`; there are exp");
    check("1.2.3", "column 1: `1.2.3` is not a number");
    check("1e", "is not a number");
    check("ä + 1", "column 1: found `ä`");
    check("x + z", "column 5: there is no `z`; there are x, y and the functions exp");
    check("2x", "column 2: numbers have no units here: lengths are in metres; a product is written with `*`");
    check("x > 1", "column 1: the result must be a number, this is true or false");
    check("sqrt('x')", "column 6: `sqrt` takes a number, found a text");
    check(&"(".repeat(200), "at most 100 levels");
    check(&"-".repeat(200), "at most 100 levels");
    check(&"2^".repeat(200), "at most 100 levels");
    check(&"1+".repeat(600), "at most 500 operators");
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "[xy0-9.e+*/^(), a-z-]{0,40}") {
        if let Ok(formula) = formula(&text) {
            formula.value(|axis| at([1.0, 2.0], axis));
        }
    }
}
