//! States: named conditions of a thing, such as a sign that is lit or an order that was taken. The mission defines what a name
//! means.

use crewlab_onboard::{RobotId, Time};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A state that holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NamedState {
    /// Its name.
    pub name: Arc<str>,
    /// The robot that last caused it.
    pub by: Option<RobotId>,
    /// When it ends by itself; it stays if `None`.
    pub until: Option<Time>,
    /// Time since it began or was last renewed. [s]
    pub lasted: f64,
}

/// The states of a thing that hold, at most one of each name.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct States(Vec<NamedState>);

impl States {
    /// The state of this name, if it holds.
    pub fn get(&self, name: &str) -> Option<&NamedState> {
        self.0.iter().find(|state| &*state.name == name)
    }

    /// True if this state holds.
    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Starts a state, or restarts it.
    pub fn set(&mut self, name: &str, by: Option<RobotId>, until: Option<Time>) {
        self.clear(name);
        self.0.push(NamedState { name: name.into(), by, until, lasted: 0.0 });
    }

    /// Ends a state.
    pub fn clear(&mut self, name: &str) {
        self.0.retain(|state| &*state.name != name);
    }

    /// Restarts the time that a state has lasted.
    pub fn renew(&mut self, name: &str) {
        self.0.iter_mut().filter(|state| &*state.name == name).for_each(|state| state.lasted = 0.0);
    }

    /// Restarts the time that all states have lasted, for comparisons.
    pub fn rejuvenate(&mut self) {
        self.0.iter_mut().for_each(|state| state.lasted = 0.0);
    }

    /// All states that hold, in the order in which they began.
    pub fn iter(&self) -> impl Iterator<Item = &NamedState> {
        self.0.iter()
    }

    /// Advances time: ends states whose time is over.
    pub(crate) fn pass(&mut self, now: Time, dt: f64) {
        // Most things have none.
        if self.0.is_empty() {
            return;
        }
        self.0.retain(|state| state.until.is_none_or(|until| until > now));
        self.0.iter_mut().for_each(|state| state.lasted += dt);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_holds_until_its_time_is_over_or_somebody_ends_it() {
        let mut states = States::default();
        states.set("lit", Some(RobotId(2)), Some(Time::from_seconds(1.0)));
        states.set("open", None, None);
        states.pass(Time::from_seconds(0.9), 0.9);
        assert_eq!(states.get("lit").map(|state| (state.by, state.lasted)), Some((Some(RobotId(2)), 0.9)));
        states.renew("open");
        assert_eq!(states.get("open").map(|state| state.lasted), Some(0.0));
        states.pass(Time::from_seconds(1.0), 0.1);
        assert!(!states.has("lit") && states.has("open"));
        // A restarted state is still one state.
        states.set("open", Some(RobotId(1)), None);
        assert_eq!(states.iter().count(), 1);
        states.clear("open");
        assert!(!states.has("open"));
    }
}
