//! The capabilities that a mission's tasks require, as bits: the form in which robots exchange them.

use crewlab_onboard::capability::Device;
use crewlab_onboard::{Constraint, Datasheet, Percept, TaskSpec};
use serde::{Deserialize, Serialize};

/// All names, in an order that every robot derives in the same way, and this robot's equipment for each.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Vocabulary(Vec<(String, Option<Device>)>);

/// A set of capabilities.
pub type Bits = Vec<u64>;

impl Vocabulary {
    /// The requirements of these tasks, for a robot with this equipment.
    pub fn of(tasks: &[TaskSpec], datasheet: &Datasheet) -> Vocabulary {
        let mut names: Vec<&str> = tasks.iter().flat_map(|task| task.needs.names()).collect();
        names.sort_unstable();
        names.dedup();
        Vocabulary(names.iter().map(|name| (name.to_string(), Device::of(datasheet, name))).collect())
    }

    /// The capabilities that work on this robot now, as far as it can tell.
    pub fn working(&self, percept: &Percept) -> Bits {
        let mut bits = vec![0; self.0.len().div_ceil(64)];
        for (place, (_, device)) in self.0.iter().enumerate() {
            if device.is_some_and(|device| device.works(percept)) {
                bits[place / 64] |= 1 << (place % 64);
            }
        }
        bits
    }

    fn has(&self, bits: &[u64], name: &str) -> bool {
        let place = self.0.binary_search_by(|(known, _)| known.as_str().cmp(name));
        place.is_ok_and(|place| bits.get(place / 64).is_some_and(|word| word & (1 << (place % 64)) != 0))
    }

    /// True if a set of capabilities meets a constraint.
    pub fn meets(&self, bits: &[u64], constraint: &Constraint) -> bool {
        constraint.met(&|name| self.has(bits, name))
    }

    /// False if the capabilities of several robots together rule out that one of them meets a constraint: for most constraints, if
    /// their union does not meet it (definition 3.12); where the absence of a capability is needed, if all have it.
    pub fn within_reach(&self, robots: &[&Bits], constraint: &Constraint) -> bool {
        let has = |name: &str| robots.iter().any(|bits| self.has(bits, name));
        let lacks = |name: &str| robots.iter().any(|bits| !self.has(bits, name));
        constraint.within_reach(&has, &lacks)
    }
}
