//! What a coalition is worth: a named function of its members' rewards, or a formula of the scenario.

use super::injections::injections;
use super::params::MurocoParams;
use crewlab_allocation::{Coalition, Method, Reward, Task, best_among, best_coalition, better};
use crewlab_expression::{ExpressionError, Formula, Part, Refusal, Type, Value, Vocabulary};
use serde::{Deserialize, Serialize};

/// What a formula can use about the members' rewards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Measure {
    Sum,
    Mean,
    Least,
    Most,
    Product,
    Size,
}

/// The names in a formula.
const NAMES: [(&str, Measure); 6] = [
    ("sum", Measure::Sum),
    ("mean", Measure::Mean),
    ("least", Measure::Least),
    ("most", Measure::Most),
    ("product", Measure::Product),
    ("size", Measure::Size),
];

struct Names;

impl Vocabulary for Names {
    type Variable = Measure;

    fn names(&self) -> String {
        NAMES.map(|(name, _)| name).join(", ")
    }

    fn units(&self) -> &str {
        "rewards are in seconds of work; size is the number of robots"
    }

    fn resolve(&self, name: &[Part]) -> Result<(Measure, Type), Refusal> {
        let [part] = name else { return Err(Refusal::Unknown) };
        let known = NAMES.iter().find(|(name, _)| *name == part.text);
        known.map(|(_, measure)| (*measure, Type::Number)).ok_or(Refusal::Unknown)
    }
}

/// The value of coalitions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Worth {
    reward: Reward,
    formula: Option<Formula<Measure>>,
}

impl Worth {
    /// The function that the parameters name, or their formula.
    pub fn of(params: &MurocoParams) -> Result<Worth, ExpressionError> {
        let formula = params.coalition_formula.as_ref().map(|text| Formula::parse(text, &Names));
        Ok(Worth { reward: params.coalition_reward.reward(), formula: formula.transpose()? })
    }

    /// The function, for solvers that cannot use a formula.
    pub fn reward(&self) -> Reward {
        self.reward
    }

    /// True if the slowest member alone decides.
    pub fn is_min(&self) -> bool {
        self.formula.is_none() && self.reward == Reward::Min
    }

    /// The value of a coalition whose members get these rewards. [s]
    pub fn value(&self, rewards: &[f64]) -> f64 {
        let Some(formula) = &self.formula else { return self.reward.value(rewards) };
        let value = formula.value(|measure| {
            Value::Number(match measure {
                Measure::Sum => Reward::Sum.value(rewards),
                Measure::Mean => Reward::Mean.value(rewards),
                Measure::Least => Reward::Min.value(rewards),
                Measure::Most => Reward::Max.value(rewards),
                Measure::Product => Reward::Product.value(rewards),
                Measure::Size => rewards.len() as f64,
            })
        });
        // A formula without a value, such as a logarithm of a negative reward, is the worst there is.
        if value.is_nan() { f64::NEG_INFINITY } else { value }
    }

    /// The best coalition for a task.
    pub fn best(&self, task: &Task, robots: usize, method: Method) -> Option<Coalition> {
        let found = best_coalition(task, robots, &vec![true; robots], method).ok().flatten();
        match self.formula {
            // What the named function prefers is a start.
            Some(_) => {
                better(found.map(|found| self.valued(found, task)), self.best_of(task, |_| true, None))
            }
            None => found,
        }
    }

    /// The best of some coalitions, each a bit mask of robots.
    pub fn best_among(&self, task: &Task, robots: usize, coalitions: &[u64]) -> Option<Coalition> {
        if self.formula.is_none() {
            return best_among(task, robots, &vec![true; robots], coalitions).ok().flatten();
        }
        let found = coalitions.iter().filter_map(|mask| {
            self.best_of(task, |robot| mask >> robot & 1 == 1, Some(mask.count_ones() as usize))
        });
        found.fold(None, |best, next| better(best, Some(next)))
    }

    /// The best coalition of some robots by the formula, over all plans, or those of one size.
    fn best_of(&self, task: &Task, member: impl Fn(usize) -> bool, size: Option<usize>) -> Option<Coalition> {
        let mut best = None;
        for (plan, way) in task.plans.iter().enumerate() {
            if size.is_some_and(|size| size != way.subtasks.len()) {
                continue;
            }
            let row = |row: &Vec<Option<f64>>| {
                row.iter().enumerate().map(|(robot, bid)| bid.filter(|_| member(robot))).collect()
            };
            let rows: Vec<Vec<Option<f64>>> = way.subtasks.iter().map(row).collect();
            injections(&rows, &mut |robots| {
                let found = Coalition { plan, robots: robots.to_vec(), value: 0.0 };
                best = better(best.take(), Some(self.valued(found, task)));
            });
        }
        best.filter(|best: &Coalition| best.value.is_finite())
    }

    fn valued(&self, coalition: Coalition, task: &Task) -> Coalition {
        let rows = coalition.robots.iter().zip(&task.plans[coalition.plan].subtasks);
        let bids: Vec<f64> = rows.map(|(robot, row)| row[*robot].unwrap_or_default()).collect();
        Coalition { value: self.value(&bids), ..coalition }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_allocation::CoalitionPlan;
    use proptest::prelude::*;

    fn worth(formula: &str) -> Worth {
        let params = MurocoParams { coalition_formula: Some(formula.into()), ..MurocoParams::default() };
        Worth::of(&params).expect("a formula")
    }

    #[test]
    fn a_formula_knows_the_rewards_and_their_number() {
        assert_eq!(worth("least + 2 * most - size").value(&[3.0, 5.0]), 11.0);
        assert_eq!(worth("product / sum + mean").value(&[2.0, 2.0]), 3.0);
        assert_eq!(worth("ln(least)").value(&[-1.0]), f64::NEG_INFINITY);
    }

    #[test]
    fn mistakes_say_what_is_accepted() {
        let params = MurocoParams { coalition_formula: Some("worst + 1".into()), ..MurocoParams::default() };
        let error = Worth::of(&params).expect_err("a mistake").to_string();
        assert!(error.contains("sum, mean, least, most, product, size"), "{error}");
    }

    proptest! {
        /// The formula of a named function finds coalitions of the same value.
        #[test]
        fn formulas_are_as_good_as_the_exact_methods(
            bids in prop::collection::vec(prop::option::weighted(0.8, -50.0..50.0_f64), 3 * 6),
            parts in 1..=3_usize,
        ) {
            let subtasks: Vec<Vec<Option<f64>>> = bids.chunks(6).take(parts).map(<[_]>::to_vec).collect();
            for (reward, formula) in [(Reward::Min, "least"), (Reward::Sum, "sum"), (Reward::Max, "most")] {
                let plans = vec![CoalitionPlan { reward, subtasks: subtasks.clone() }];
                let task = Task { id: "task".into(), utility: None, plans };
                let exact = best_coalition(&task, 6, &[true; 6], Method::Matching).expect("a valid task");
                let all: Vec<u64> = (1..64).collect();
                for found in [
                    worth(formula).best(&task, 6, Method::Matching),
                    worth(formula).best_among(&task, 6, &all),
                ] {
                    prop_assert_eq!(found.is_some(), exact.is_some());
                    let value = |found: &Option<Coalition>| found.as_ref().map_or(0.0, |found| found.value);
                    prop_assert!((value(&found) - value(&exact)).abs() < 1e-9, "{}: {:?} {:?}", formula, found, exact);
                }
            }
        }
    }
}
