//! The structure of a network: a directed acyclic graph.

use crate::error::Error;
use crate::variable::MOST_VARIABLES;
use serde::{Deserialize, Serialize};

/// The parents of every variable. Acyclic, as every constructor checks it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<Vec<usize>>", into = "Vec<Vec<usize>>")]
pub struct Structure {
    parents: Vec<Vec<usize>>,
}

impl Structure {
    /// A structure from the parents of every variable. Their order decides the layout of probability tables.
    pub fn new(parents: Vec<Vec<usize>>) -> Result<Structure, Error> {
        let count = parents.len();
        if count > MOST_VARIABLES {
            return Err(Error::new("structure", count, format!("at most {MOST_VARIABLES} variables")));
        }
        for (child, list) in parents.iter().enumerate() {
            let place = || format!("parents of variable {child}");
            if let Some(wrong) = list.iter().find(|parent| **parent >= count) {
                return Err(Error::new(place(), wrong, format!("numbers below {count}")));
            }
            if let Some(twice) = list.iter().enumerate().find(|(at, parent)| list[..*at].contains(parent)) {
                return Err(Error::new(place(), format!("{} twice", twice.1), "each parent once"));
            }
        }
        let structure = Structure { parents };
        if structure.order().len() < count {
            return Err(Error::new("structure", "a cycle", "edges without a cycle"));
        }
        Ok(structure)
    }

    /// A structure without edges.
    pub fn empty(count: usize) -> Structure {
        Structure { parents: vec![Vec::new(); count.min(MOST_VARIABLES)] }
    }

    /// A structure from parent sets as bit masks that are known to be acyclic.
    pub(crate) fn from_masks(masks: &[u64]) -> Structure {
        Structure { parents: masks.iter().map(|mask| members(*mask).collect()).collect() }
    }

    /// Number of variables.
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// True without variables.
    pub fn is_empty(&self) -> bool {
        self.parents.is_empty()
    }

    /// The parents of a variable.
    pub fn parents(&self, variable: usize) -> &[usize] {
        self.parents.get(variable).map_or(&[], Vec::as_slice)
    }

    /// All edges as (parent, child), by child.
    pub fn edges(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let lists = self.parents.iter().enumerate();
        lists.flat_map(|(child, list)| list.iter().map(move |parent| (*parent, child)))
    }

    /// The variables, every parent before its children; the lowest number first. Shorter than the structure if there is a cycle.
    pub fn order(&self) -> Vec<usize> {
        let masks = self.masks();
        let (mut placed, mut order) = (0_u64, Vec::with_capacity(masks.len()));
        while let Some(next) = (0..masks.len()).find(|v| placed & bit(*v) == 0 && masks[*v] & !placed == 0) {
            placed |= bit(next);
            order.push(next);
        }
        order
    }

    /// Parent sets as bit masks.
    pub(crate) fn masks(&self) -> Vec<u64> {
        self.parents.iter().map(|list| list.iter().fold(0, |mask, parent| mask | bit(*parent))).collect()
    }
}

/// The bit of a variable in a set.
pub(crate) fn bit(variable: usize) -> u64 {
    1 << variable
}

/// The members of a set, ascending.
pub(crate) fn members(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let next = (mask != 0).then(|| mask.trailing_zeros() as usize)?;
        mask &= mask - 1;
        Some(next)
    })
}

impl TryFrom<Vec<Vec<usize>>> for Structure {
    type Error = Error;

    fn try_from(parents: Vec<Vec<usize>>) -> Result<Structure, Error> {
        Structure::new(parents)
    }
}

impl From<Structure> for Vec<Vec<usize>> {
    fn from(structure: Structure) -> Vec<Vec<usize>> {
        structure.parents
    }
}
