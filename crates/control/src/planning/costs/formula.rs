//! A cost written as a formula over the place and the distance from a point. It is slower than the other costs: it is computed walker by
//! walker.

use super::super::vector::{LANES, Lanes};
use super::super::walkers::Block;
use crewlab_expression::{ExpressionError, Formula, Part, Refusal, Type, Value, Vocabulary};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What a formula can use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Quantity {
    X,
    Y,
    Distance,
}

/// A cost at any distance. What is not a number is a very high cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FormulaCost(Arc<Formula<Quantity>>);

/// The names in a formula.
struct Names {
    /// True if there is a point that distances are measured from.
    anchored: bool,
}

impl Vocabulary for Names {
    type Variable = Quantity;

    fn names(&self) -> String {
        if self.anchored { "x, y, d" } else { "x, y (and d, the distance, with `at` or `around`)" }.into()
    }

    fn units(&self) -> &str {
        "x, y and the distance d are in metres"
    }

    fn resolve(&self, name: &[Part]) -> Result<(Quantity, Type), Refusal> {
        let [part] = name else { return Err(Refusal::Unknown) };
        let quantity = match part.text.as_str() {
            "x" => Quantity::X,
            "y" => Quantity::Y,
            "d" if self.anchored => Quantity::Distance,
            _ => return Err(Refusal::Unknown),
        };
        Ok((quantity, Type::Number))
    }
}

impl FormulaCost {
    /// Parses a formula over x, y and, if there is a point that distances are measured from, d.
    pub fn parse(text: &str, anchored: bool) -> Result<FormulaCost, ExpressionError> {
        Ok(FormulaCost(Arc::new(Formula::parse(text, &Names { anchored })?)))
    }

    /// The cost at a place, at a distance from the point. [m]
    pub fn value(&self, [x, y]: [f32; 2], distance: f32) -> f32 {
        let value = self.0.value(|quantity| {
            Value::Number(f64::from(match quantity {
                Quantity::X => x,
                Quantity::Y => y,
                Quantity::Distance => distance,
            }))
        });
        value as f32
    }

    /// Adds the cost to those of all walkers.
    pub(super) fn rate(&self, weight: f32, from: [f32; 2], walkers: &[Block], costs: &mut [Lanes]) {
        for (block, costs) in walkers.iter().zip(costs) {
            let [x, y, _] = &block.pose;
            for i in 0..LANES {
                let (dx, dy) = (x[i] - from[0], y[i] - from[1]);
                costs[i] += weight * self.value([x[i], y[i]], (dx * dx + dy * dy).sqrt());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::unicycle::{Control, Pose};
    use super::*;

    #[test]
    fn a_formula_knows_the_place_and_the_distance() {
        let cost = FormulaCost::parse("max(0, 25 - d) + 2 * x - y", true).expect("a formula");
        let mut costs = [[1.0; LANES]];
        let block = Block::new(Pose::default(), [Control::default(); 2]);
        cost.rate(0.5, [3.0, 4.0], &[block], &mut costs);
        assert_eq!(costs[0], [11.0; LANES]);
        assert_eq!(cost.value([10.0, 1.0], 30.0), 19.0);
    }

    #[test]
    fn mistakes_say_what_is_accepted() {
        let error =
            |text: &str, anchored| FormulaCost::parse(text, anchored).expect_err("a mistake").to_string();
        assert!(error("z + 1", true).contains("x, y, d"), "{}", error("z + 1", true));
        assert!(error("25 - d", false).contains("`around`"));
        assert!(error("x >", true).starts_with("column "));
        assert!(error("x > 3", true).contains("number"));
    }
}
