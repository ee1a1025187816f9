//! Stocks: named amounts of something on a thing, such as dust on a table or garbage in a can. The mission defines what a name
//! means.

use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A named amount.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stock {
    /// Its name.
    pub name: Arc<str>,
    /// The current amount.
    pub amount: f64,
    /// The initial amount.
    pub at_first: f64,
}

/// The stocks of a thing, at most one of each name.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stocks(Vec<Stock>);

impl Stocks {
    /// The stock of this name.
    pub fn get(&self, name: &str) -> Option<&Stock> {
        self.0.iter().find(|stock| &*stock.name == name)
    }

    /// The amount; 0 if there is no such stock.
    pub fn amount(&self, name: &str) -> f64 {
        self.get(name).map_or(0.0, |stock| stock.amount)
    }

    /// The initial amount.
    pub fn at_first(&self, name: &str) -> f64 {
        self.get(name).map_or(0.0, |stock| stock.at_first)
    }

    /// The amount of this name, mutable. Creates an empty stock if there is none.
    pub fn amount_mut(&mut self, name: &str) -> &mut f64 {
        let place = self.0.iter().position(|stock| &*stock.name == name).unwrap_or_else(|| {
            self.0.push(Stock { name: name.into(), amount: 0.0, at_first: 0.0 });
            self.0.len() - 1
        });
        &mut self.0[place].amount
    }

    /// Sets the amount of this name and returns the previous one. A stock that did not exist leaves no trace when it is empty.
    pub fn replace(&mut self, name: &str, amount: f64) -> f64 {
        let before = std::mem::replace(self.amount_mut(name), amount);
        self.0.retain(|stock| &*stock.name != name || stock.amount != 0.0 || stock.at_first != 0.0);
        before
    }

    /// All stocks, in the order of their creation.
    pub fn iter(&self) -> impl Iterator<Item = &Stock> {
        self.0.iter()
    }

    /// True if something of any stock is left.
    pub fn any(&self) -> bool {
        self.0.iter().any(|stock| stock.amount > 0.0)
    }

    /// Makes the current amounts the initial ones.
    pub(crate) fn begin(&mut self) {
        self.0.iter_mut().for_each(|stock| stock.at_first = stock.amount);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stocks_know_what_is_there_and_what_was_there() {
        let mut stocks = Stocks::default();
        assert_eq!((stocks.amount("ore"), stocks.at_first("ore"), stocks.any()), (0.0, 0.0, false));
        *stocks.amount_mut("ore") = 3.0;
        stocks.begin();
        *stocks.amount_mut("ore") -= 1.0;
        *stocks.amount_mut("coal") = 5.0;
        assert_eq!((stocks.amount("ore"), stocks.at_first("ore")), (2.0, 3.0));
        assert_eq!((stocks.amount("coal"), stocks.at_first("coal")), (5.0, 0.0), "it came later");
        assert_eq!(stocks.iter().map(|stock| &*stock.name).collect::<Vec<_>>(), ["ore", "coal"]);
        assert_eq!((stocks.replace("ore", 0.0), stocks.replace("coal", 0.0)), (2.0, 5.0));
        assert!(!stocks.any());
        assert_eq!(stocks.iter().count(), 1, "a stock that was added later is gone when it is empty");
    }
}
