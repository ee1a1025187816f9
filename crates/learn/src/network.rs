//! A Bayesian network: a structure and the counts that were seen.

use crate::error::Error;
use crate::posterior::Posterior;
use crate::prior::Prior;
use crate::question::Question;
use crate::structure::Structure;
use crate::table::{Table, check_row};
use crate::variable::{Variable, check_all};
use serde::{Deserialize, Serialize};

/// The largest number of cells in all probability tables of a network.
pub const MOST_CELLS: usize = 1 << 22;

/// A Bayesian network. Its probabilities are those of the counted rows with a Dirichlet prior, so that adding rows one by one gives
/// exactly what counting them at once gives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Saved", into = "Saved")]
pub struct Network {
    variables: Vec<Variable>,
    structure: Structure,
    prior: Prior,
    rows: u64,
    families: Vec<Family>,
    /// Tells networks of another shape apart.
    shape: u64,
}

/// A variable with its parents. Tables have a row per combination of the parents' states (the first parent changes slowest) and a
/// cell per state.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Family {
    /// Number of states.
    pub states: usize,
    /// Every parent and the distance of its states in rows.
    pub parents: Vec<(usize, usize)>,
    /// The prior count per cell.
    prior: f64,
    /// How often each cell was seen.
    pub counts: Vec<u32>,
    /// How often each row was seen.
    pub totals: Vec<u32>,
    /// The probability of each cell within its row.
    pub probabilities: Vec<f64>,
}

impl Family {
    fn new(variable: usize, variables: &[Variable], structure: &Structure, prior: Prior) -> Option<Family> {
        let states = variables[variable].states.len();
        let mut rows = 1_usize;
        let mut parents = Vec::new();
        for parent in structure.parents(variable).iter().rev() {
            parents.push((*parent, rows));
            rows = rows.checked_mul(variables[*parent].states.len()).filter(|rows| *rows <= MOST_CELLS)?;
        }
        parents.reverse();
        let cells = rows.checked_mul(states).filter(|cells| *cells <= MOST_CELLS)?;
        let (counts, totals, probabilities) = (vec![0; cells], vec![0; rows], vec![0.0; cells]);
        let mut family = Family { states, parents, prior: prior.cell(cells), counts, totals, probabilities };
        (0..rows).for_each(|row| family.refresh(row));
        Some(family)
    }

    /// Counts a row of a table, if all values of this family are there.
    fn count(&mut self, variable: usize, state_of: impl Fn(usize) -> Option<usize>) -> Option<usize> {
        let state = state_of(variable)?;
        let mut row = 0;
        for (parent, stride) in &self.parents {
            row += state_of(*parent)? * stride;
        }
        let cell = &mut self.counts[row * self.states + state];
        *cell = cell.saturating_add(1);
        self.totals[row] = self.totals[row].saturating_add(1);
        Some(row)
    }

    /// Computes the probabilities of a row anew.
    fn refresh(&mut self, row: usize) {
        let scale = 1.0 / (f64::from(self.totals[row]) + self.prior * self.states as f64);
        let cells = row * self.states..(row + 1) * self.states;
        for (probability, count) in self.probabilities[cells.clone()].iter_mut().zip(&self.counts[cells]) {
            *probability = (f64::from(*count) + self.prior) * scale;
        }
    }
}

impl Network {
    /// A network that has seen nothing yet.
    pub fn new(variables: Vec<Variable>, structure: Structure, prior: Prior) -> Result<Network, Error> {
        check_all(&variables)?;
        prior.check()?;
        if structure.len() != variables.len() {
            let accepted = format!("{} variables as in the network", variables.len());
            return Err(Error::new("structure", format!("{} variables", structure.len()), accepted));
        }
        let mut families: Vec<Family> = Vec::new();
        let mut cells = 0;
        for (number, variable) in variables.iter().enumerate() {
            let family = Family::new(number, &variables, &structure, prior);
            let family =
                family.filter(|family| cells + family.counts.len() <= MOST_CELLS).ok_or_else(|| {
                    let accepted =
                        format!("at most {MOST_CELLS} cells in all tables; use fewer parents or states");
                    Error::new(
                        format!("variable {}", variable.name),
                        "too large a probability table",
                        accepted,
                    )
                })?;
            cells += family.counts.len();
            families.push(family);
        }
        let shape = shape(&families);
        Ok(Network { variables, structure, prior, rows: 0, families, shape })
    }

    /// Forgets everything and counts the rows of a table. Families with a missing value are not counted in that row.
    pub fn fit(&mut self, table: &Table) -> Result<(), Error> {
        self.check_table(table)?;
        for (variable, family) in self.families.iter_mut().enumerate() {
            family.counts.fill(0);
            family.totals.fill(0);
            for row in 0..table.rows() {
                family.count(variable, |variable| table.state(row, variable));
            }
            (0..family.totals.len()).for_each(|row| family.refresh(row));
        }
        self.rows = table.rows() as u64;
        Ok(())
    }

    /// Counts one more row; the result is the same as counting it with all others at once.
    pub fn update(&mut self, row: &[Option<usize>]) -> Result<(), Error> {
        check_row(&self.variables, row)?;
        for (variable, family) in self.families.iter_mut().enumerate() {
            if let Some(changed) = family.count(variable, |variable| row[variable]) {
                family.refresh(changed);
            }
        }
        self.rows += 1;
        Ok(())
    }

    /// The distribution of a variable given evidence: pairs of a variable and its state.
    pub fn posterior(&self, query: usize, evidence: &[(usize, usize)]) -> Result<Posterior, Error> {
        self.joint(&[query], evidence)
    }

    /// The joint distribution of some variables given evidence. The states of the last variable change fastest.
    pub fn joint(&self, targets: &[usize], evidence: &[(usize, usize)]) -> Result<Posterior, Error> {
        let known: Vec<usize> = evidence.iter().map(|(variable, _)| *variable).collect();
        let states: Vec<usize> = evidence.iter().map(|(_, state)| *state).collect();
        Question::new(self, targets, &known)?.ask(self, &states)
    }

    /// How probable it is that all of this holds together: pairs of a variable and its state.
    pub fn probability(&self, evidence: &[(usize, usize)]) -> Result<f64, Error> {
        let mut probability = 1.0;
        for (place, (variable, state)) in evidence.iter().enumerate() {
            let answer = self.posterior(*variable, &evidence[..place])?;
            probability *= answer.probabilities.get(*state).copied().unwrap_or_default();
        }
        Ok(probability)
    }

    /// The distribution of a variable given all its parents, in the order of the structure, and how often they were seen so.
    pub fn row(&self, variable: usize, parents: &[usize]) -> Option<(&[f64], u32)> {
        let family = self.families.get(variable).filter(|family| family.parents.len() == parents.len())?;
        let mut row = 0;
        for ((parent, stride), state) in family.parents.iter().zip(parents) {
            row += stride * Some(*state).filter(|state| *state < self.variables[*parent].states.len())?;
        }
        let cells = row * family.states..(row + 1) * family.states;
        Some((&family.probabilities[cells], family.totals[row]))
    }

    /// The variables.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// The structure.
    pub fn structure(&self) -> &Structure {
        &self.structure
    }

    /// The prior.
    pub fn prior(&self) -> Prior {
        self.prior
    }

    /// Number of rows that were counted.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The variable with a name.
    pub fn variable_named(&self, name: &str) -> Option<usize> {
        self.variables.iter().position(|variable| variable.name == name)
    }

    pub(crate) fn shape(&self) -> u64 {
        self.shape
    }

    pub(crate) fn families(&self) -> &[Family] {
        &self.families
    }

    fn check_table(&self, table: &Table) -> Result<(), Error> {
        let shape = |variables: &[Variable]| -> Vec<(String, usize)> {
            variables.iter().map(|variable| (variable.name.clone(), variable.states.len())).collect()
        };
        let (own, other) = (shape(&self.variables), shape(table.variables()));
        if own == other {
            return Ok(());
        }
        let words = |shape: Vec<(String, usize)>| {
            let words: Vec<String> =
                shape.iter().map(|(name, states)| format!("{name} ({states})")).collect();
            words.join(", ")
        };
        Err(Error::new("columns with their numbers of states", words(other), words(own)))
    }
}

/// A fingerprint of all parents and numbers of states (FNV-1a).
fn shape(families: &[Family]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |value: usize| hash = (hash ^ value as u64).wrapping_mul(0x0100_0000_01b3);
    for family in families {
        add(family.states);
        add(family.parents.len());
        family.parents.iter().for_each(|(parent, _)| add(*parent));
    }
    hash
}

/// A network as it is saved: what cannot be computed from the rest.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Saved {
    variables: Vec<Variable>,
    structure: Structure,
    prior: Prior,
    rows: u64,
    counts: Vec<Vec<u32>>,
}

impl From<Network> for Saved {
    fn from(network: Network) -> Saved {
        let Network { variables, structure, prior, rows, families, .. } = network;
        Saved {
            variables,
            structure,
            prior,
            rows,
            counts: families.into_iter().map(|one| one.counts).collect(),
        }
    }
}

impl TryFrom<Saved> for Network {
    type Error = Error;

    fn try_from(saved: Saved) -> Result<Network, Error> {
        let Saved { variables, structure, prior, rows, counts } = saved;
        let mut network = Network::new(variables, structure, prior)?;
        if counts.len() != network.families.len() {
            return Err(Error::new("counts", counts.len(), format!("{} tables", network.families.len())));
        }
        for ((family, counts), variable) in network.families.iter_mut().zip(counts).zip(&network.variables) {
            let place = || format!("counts of {}", variable.name);
            if counts.len() != family.counts.len() {
                return Err(Error::new(place(), counts.len(), format!("{} cells", family.counts.len())));
            }
            let total: u64 = counts.iter().copied().map(u64::from).sum();
            if total > rows {
                return Err(Error::new(place(), format!("{total} rows"), format!("at most {rows} rows")));
            }
            family.counts = counts;
            for row in 0..family.totals.len() {
                let cells = &family.counts[row * family.states..(row + 1) * family.states];
                family.totals[row] = cells.iter().fold(0, |sum: u32, count| sum.saturating_add(*count));
                family.refresh(row);
            }
        }
        network.rows = rows;
        Ok(network)
    }
}
