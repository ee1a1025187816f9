//! The goal of a run whose mission has nothing to complete: a condition over the mission's measures at the time limit, such as
//! `seen_share >= 0.5 && contacts == 0`.

use crewlab_expression::{Condition, ExpressionError, Part, Refusal, Type, Value, Vocabulary};
use crewlab_missions::MeasureSpec;
use std::cell::{Cell, RefCell};

/// A goal, with names and types checked. It holds or not at the end of a run; what happens before does not matter.
#[derive(Clone, Debug, PartialEq)]
pub struct Goal {
    condition: Condition<usize>,
    /// The measures it asks for, in the order in which it names them, by their places in the mission's list.
    asked: Vec<usize>,
}

/// The measures of a mission, as the names of a goal.
struct Measures {
    specs: &'static [MeasureSpec],
    asked: RefCell<Vec<usize>>,
}

impl Vocabulary for Measures {
    type Variable = usize;

    fn names(&self) -> String {
        self.specs.iter().map(|spec| spec.name).collect::<Vec<_>>().join(", ")
    }

    fn units(&self) -> &str {
        "measures are in the units of summary.json, and shares are from 0 to 1"
    }

    fn resolve(&self, name: &[Part]) -> Result<(usize, Type), Refusal> {
        let [part] = name else { return Err(Refusal::Unknown) };
        let place = self.specs.iter().position(|spec| spec.name == part.text).ok_or(Refusal::Unknown)?;
        let mut asked = self.asked.borrow_mut();
        if !asked.contains(&place) {
            asked.push(place);
        }
        Ok((place, Type::Number))
    }
}

impl Goal {
    /// Parses a goal over these measures.
    pub fn parse(text: &str, specs: &'static [MeasureSpec]) -> Result<Goal, ExpressionError> {
        let measures = Measures { specs, asked: RefCell::default() };
        let condition = Condition::parse(text, &measures)?;
        Ok(Goal { condition, asked: measures.asked.into_inner() })
    }

    /// The source text.
    pub fn text(&self) -> &str {
        self.condition.text()
    }

    /// The places of the measures that it names, in their order in the text.
    pub fn asked(&self) -> &[usize] {
        &self.asked
    }

    /// Whether it holds for these values of all measures. A goal that depends on an undefined measure does not.
    pub fn holds(&self, values: &[Option<f64>]) -> bool {
        let defined = Cell::new(true);
        let value = |place: &usize| {
            let value = values.get(*place).copied().flatten();
            defined.set(defined.get() && value.is_some());
            Value::Number(value.unwrap_or(f64::NAN))
        };
        self.condition.holds(value) && defined.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_missions::KINDS;

    fn measures() -> &'static [MeasureSpec] {
        KINDS.iter().find(|kind| kind.name == "swarm").map_or(&[], |kind| kind.measures)
    }

    fn goal(text: &str) -> Goal {
        Goal::parse(text, measures()).expect(text)
    }

    #[test]
    fn a_goal_is_about_the_measures() {
        let seen = |share| [vec![Some(share)], vec![None; measures().len() - 1]].concat();
        let half = goal("seen_share >= 0.5");
        assert!(half.holds(&seen(0.5)) && !half.holds(&seen(0.49)) && !half.holds(&[]));
        let several = goal("followers > 3 || contacts < 1 && followers > 1");
        let names: Vec<&str> = several.asked().iter().map(|place| measures()[*place].name).collect();
        assert_eq!(names, ["followers", "contacts"]);
    }

    /// Even where the condition as such would hold for any number.
    #[test]
    fn an_undefined_measure_reaches_no_goal() {
        for text in ["followers != 3", "!(followers > 3)", "seen_share > 0.1 && followers != 3"] {
            assert!(!goal(text).holds(&[Some(0.5), Some(0.5), None]), "{text}");
        }
        assert!(goal("seen_share > 0.1 || followers > 3").holds(&[Some(0.5), Some(0.5), None]));
    }

    #[test]
    fn mistakes_say_what_is_accepted() {
        let error = |text: &str| Goal::parse(text, measures()).expect_err(text).to_string();
        assert!(error("seen > 0.5").contains("seen_share, seen_well_share"), "{}", error("seen > 0.5"));
        assert!(error("seen_share + 1").contains("true or false"));
        assert!(error("seen_share == 'all'").starts_with("column "));
        assert!(error("").contains("found the end"));
    }
}
