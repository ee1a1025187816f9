//! What a structure must and must not contain.

use crate::error::Error;
use crate::structure::{Structure, bit};
use serde::{Deserialize, Serialize};

/// The largest number of parents that can be required for one variable.
const MOST_REQUIRED: usize = 6;

/// What a structure must and must not contain. By default everything is allowed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Constraints {
    /// Edges that must be there, as (parent, child).
    pub required: Vec<(usize, usize)>,
    /// Edges that must not be there, as (parent, child).
    pub forbidden: Vec<(usize, usize)>,
    /// The largest number of parents.
    pub most_parents: Option<usize>,
    /// An order of all variables: edges go from earlier to later ones only.
    pub order: Option<Vec<usize>>,
}

/// Constraints that have been checked, as parent sets.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    pub required: Vec<u64>,
    pub forbidden: Vec<u64>,
    pub most_parents: usize,
}

impl Constraints {
    /// Refuses constraints that contradict each other.
    pub(crate) fn rules(&self, variables: usize) -> Result<Rules, Error> {
        let mut rules = Rules {
            required: vec![0; variables],
            forbidden: (0..variables).map(bit).collect(),
            most_parents: self.most_parents.unwrap_or(usize::MAX),
        };
        for (list, edges, name) in [
            (&mut rules.required, &self.required, "required"),
            (&mut rules.forbidden, &self.forbidden, "forbidden"),
        ] {
            for (parent, child) in edges {
                if *parent >= variables || *child >= variables {
                    let found = format!("{parent} to {child}");
                    let accepted = format!("numbers of variables below {variables}");
                    return Err(Error::new(format!("{name} edges"), found, accepted));
                }
                list[*child] |= bit(*parent);
            }
        }
        if let Some(order) = &self.order {
            check_order(order, variables)?;
            for (place, variable) in order.iter().enumerate() {
                order[place..].iter().for_each(|later| rules.forbidden[*variable] |= bit(*later));
            }
        }
        rules.check()?;
        Ok(rules)
    }
}

impl Rules {
    /// True if a variable may have these parents.
    pub fn allow(&self, variable: usize, parents: u64) -> bool {
        parents & self.forbidden[variable] == 0
            && self.required[variable] & !parents == 0
            && parents.count_ones() as usize <= self.most_parents
    }

    fn check(&self) -> Result<(), Error> {
        for (child, (required, forbidden)) in self.required.iter().zip(&self.forbidden).enumerate() {
            let place = format!("required parents of variable {child}");
            if required & forbidden != 0 {
                let accepted = "edges that are neither forbidden, nor against the order, nor loops";
                return Err(Error::new(place, "a forbidden edge", accepted));
            }
            let most = self.most_parents.min(MOST_REQUIRED);
            if required.count_ones() as usize > most {
                return Err(Error::new(place, required.count_ones(), format!("at most {most}")));
            }
        }
        let required = Structure::from_masks(&self.required);
        if required.order().len() < required.len() {
            return Err(Error::new("required edges", "a cycle", "edges without a cycle"));
        }
        Ok(())
    }
}

fn check_order(order: &[usize], variables: usize) -> Result<(), Error> {
    let mut sorted = order.to_vec();
    sorted.sort_unstable();
    if sorted != (0..variables).collect::<Vec<_>>() {
        let accepted = format!("every number below {variables} once");
        return Err(Error::new("order", format!("{order:?}"), accepted));
    }
    Ok(())
}
