//! Properties that a mission can give to things: named stocks, states and aspects. The world knows how they change, not what they
//! mean.

use crate::aspect::{Activity, Aspect};
use crate::states::States;
use crate::stock::Stocks;
use crewlab_onboard::Time;
use serde::{Deserialize, Serialize};

/// Named properties of an object, an item or an area.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Properties {
    /// Amounts that can be removed.
    pub stocks: Stocks,
    /// Conditions that hold.
    pub states: States,
    /// Scalars that change with time and with their owner's activity.
    pub aspects: Vec<Aspect>,
}

impl Properties {
    /// The amount of a stock.
    pub fn amount(&self, stock: &str) -> f64 {
        self.stocks.amount(stock)
    }

    /// The value of an aspect, if there is one of this name.
    pub fn value(&self, aspect: &str) -> Option<f64> {
        self.aspects.iter().find(|each| each.name == aspect).map(|each| each.value)
    }

    /// The value of an aspect, mutable.
    pub fn value_mut(&mut self, aspect: &str) -> Option<&mut f64> {
        self.aspects.iter_mut().find(|each| each.name == aspect).map(|each| &mut each.value)
    }

    /// Advances states, and applies an activity to aspects.
    pub(crate) fn pass(&mut self, now: Time, activity: &Activity) {
        self.states.pass(now, activity.seconds);
        self.aspects.iter_mut().for_each(|aspect| aspect.apply(activity));
    }
}
