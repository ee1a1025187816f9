//! The conditions of behaviours: the mission's signals, `elapsed` and `count`.

use crate::bite::graph::Variable;
use crewlab_expression::{Condition, ExpressionError, Part, Refusal, Type, Vocabulary};

struct Names<'a> {
    /// Each as it is written in a condition, with its number, the longest first.
    signals: Vec<(String, usize)>,
    declared: &'a [&'a str],
}

/// A name as conditions write it: a minus would be a subtraction.
pub fn spelt(name: &str) -> String {
    name.replace('-', "_")
}

impl Vocabulary for Names<'_> {
    type Variable = Variable;

    fn names(&self) -> String {
        let names = self.declared.iter().take(12).map(|name| spelt(name));
        names.chain(["elapsed".into(), "count".into()]).collect::<Vec<_>>().join(", ")
    }

    fn units(&self) -> &str {
        "`elapsed` is in seconds, signals are in SI units"
    }

    fn resolve(&self, name: &[Part]) -> Result<(Variable, Type), Refusal> {
        let [part] = name else {
            let message = "a name in the condition of a behaviour has no parts".into();
            return Err(Refusal::Part { part: 1, message });
        };
        let signal = || {
            let (_, number) = self.signals.iter().find(|(name, _)| *name == part.text)?;
            u16::try_from(*number).ok().map(Variable::Signal)
        };
        let variable = match part.text.as_str() {
            "elapsed" => Some(Variable::Elapsed),
            "count" => Some(Variable::Count),
            _ => signal(),
        };
        variable.map(|variable| (variable, Type::Number)).ok_or(Refusal::Unknown)
    }
}

/// A condition over these signals.
pub(super) fn condition(text: &str, signals: &[&str]) -> Result<Condition<Variable>, ExpressionError> {
    let mut spelled: Vec<(String, usize)> = signals.iter().map(|name| spelt(name)).zip(0..).collect();
    spelled.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    let text = with_names(text, signals);
    Condition::parse(&text, &Names { signals: spelled, declared: signals })
}

/// Signals may have a minus inside: `sees-colour` means `sees_colour`. Nothing moves, so columns stay as they are.
fn with_names(text: &str, signals: &[&str]) -> String {
    let mut longest: Vec<&str> = signals.iter().copied().filter(|name| name.contains('-')).collect();
    longest.sort_by_key(|name| std::cmp::Reverse(name.len()));
    let inside = |c: char| c.is_alphanumeric() || c == '_';
    let (mut written, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(first) = rest.chars().next() {
        let starts = !written.ends_with(inside);
        let whole = |name: &&&str| {
            rest.strip_prefix(**name).is_some_and(|after| !after.starts_with(|c| inside(c) || c == '-'))
        };
        let length = match longest.iter().filter(|_| starts).find(whole) {
            Some(name) => name.len(),
            None => first.len_utf8(),
        };
        let (taken, after) = rest.split_at(length);
        written.push_str(&if length > first.len_utf8() { spelt(taken) } else { taken.into() });
        rest = after;
    }
    written
}
