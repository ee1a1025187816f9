//! Everything that makes a coalition worth more or less than its members' rewards.

use crate::Error;
use crate::instance::LARGEST;

/// All terms beyond the members' rewards. None by default.
#[derive(Clone, Copy, Default)]
pub struct Extras<'a> {
    /// Pairs that help or hinder each other.
    pub pairs: Option<&'a Pairs>,
    /// Limits on the whole coalition.
    pub limits: &'a [Limit],
    /// A value that only the whole coalition has.
    pub beyond: Option<&'a dyn Beyond>,
}

/// The value that two robots add to a coalition with both of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Pairs {
    robots: usize,
    cells: Vec<f64>,
}

impl Pairs {
    /// Pairs that all add 0.
    pub fn new(robots: usize) -> Pairs {
        Pairs { robots, cells: vec![0.0; robots * robots] }
    }

    /// Sets the `synergy` of two robots in one coalition (negative: they hinder each other). `None` forbids them in one
    /// coalition.
    pub fn set(&mut self, one: usize, other: usize, synergy: Option<f64>) -> Result<(), Error> {
        if one >= self.robots || other >= self.robots || one == other {
            let accepted = format!("two different robots below {}", self.robots);
            return Err(Error::new("pair", format!("{one} and {other}"), accepted));
        }
        if let Some(synergy) = synergy.filter(|synergy| !synergy.is_finite() || synergy.abs() > LARGEST) {
            let accepted = format!("a finite number of at most {LARGEST:e} in magnitude");
            return Err(Error::new("synergy", synergy, accepted));
        }
        let synergy = synergy.unwrap_or(f64::NEG_INFINITY);
        self.cells[one * self.robots + other] = synergy;
        self.cells[other * self.robots + one] = synergy;
        Ok(())
    }

    /// The synergy of two robots; `-∞` if they must not be in one coalition, 0 for unknown robots.
    pub fn synergy(&self, one: usize, other: usize) -> f64 {
        if one.max(other) >= self.robots { 0.0 } else { self.cells[one * self.robots + other] }
    }
}

/// A limit on a sum over a coalition, e.g. on its joint payload.
#[derive(Clone, Debug, PartialEq)]
pub struct Limit {
    /// The contribution of each robot; not negative.
    pub loads: Vec<f64>,
    /// The least sum, `-∞` if there is no such limit.
    pub at_least: f64,
    /// The largest sum, `∞` if there is no such limit.
    pub at_most: f64,
}

/// A value that only the whole coalition has.
pub trait Beyond {
    /// The value in addition to rewards and pairs; `robots` has the robot of each subtask. `None` if this coalition is
    /// impossible. Must be deterministic.
    fn value(&self, plan: usize, robots: &[usize]) -> Option<f64>;

    /// An upper bound on [`Beyond::value`] for all coalitions with these robots at these subtasks. The tighter it is, the
    /// shorter the search; `∞` disables pruning.
    fn most(&self, plan: usize, robots: &[Option<usize>]) -> f64 {
        let _ = (plan, robots);
        f64::INFINITY
    }
}

impl Extras<'_> {
    pub(super) fn check(&self, robots: usize) -> Result<(), Error> {
        if let Some(pairs) = self.pairs.filter(|pairs| pairs.robots != robots) {
            return Err(Error::new("pairs", pairs.robots, format!("pairs of {robots} robots")));
        }
        for (number, limit) in self.limits.iter().enumerate() {
            let place = |what: &str| format!("limits[{number}].{what}");
            if limit.loads.len() != robots {
                let accepted = format!("{robots} loads, one per robot");
                return Err(Error::new(place("loads"), limit.loads.len(), accepted));
            }
            if let Some(load) = limit.loads.iter().find(|load| !(load.is_finite() && **load >= 0.0)) {
                return Err(Error::new(place("loads"), load, "finite numbers of at least 0"));
            }
            for (what, number) in [("at_least", limit.at_least), ("at_most", limit.at_most)] {
                if number.is_nan() {
                    return Err(Error::new(place(what), number, "a number, or an infinite one for no limit"));
                }
            }
        }
        Ok(())
    }
}
