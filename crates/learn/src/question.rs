//! Exact inference by variable elimination, prepared once for every kind of question.

use crate::error::Error;
use crate::network::Network;
use crate::posterior::Posterior;
use crate::structure::{bit, members};

/// The largest intermediate table of a question, in cells.
const MOST_CELLS: usize = 1 << 24;

/// Below this sum, products may have lost digits: the answer is computed again with logarithms.
const SMALLEST_SUM: f64 = 1e-250;

/// A prepared question: the distribution of some variables, given the states of others. It depends on the structure of a network and not
/// on its counts, so it may be asked again after updates.
#[derive(Clone, Debug)]
pub struct Question {
    /// The shape of the network that it was prepared for.
    shape: u64,
    /// The number of states of every variable of the network.
    cardinalities: Vec<usize>,
    evidence: Vec<usize>,
    tables: Vec<CptUse>,
    steps: Vec<Step>,
    /// Cells of all intermediate tables.
    room: usize,
}

/// A probability table of the network with what is free in it.
#[derive(Clone, Debug)]
struct CptUse {
    variable: usize,
    /// Evidence in it: its place in the list of evidence, and the distance of its states in cells.
    fixed: Vec<(usize, usize)>,
    /// Rows that agree with the evidence, relative to the first one.
    rows: Vec<u32>,
    /// True if the state of the variable itself is known.
    observed: bool,
}

/// Multiplies factors and sums over one variable, or over none in the last step.
#[derive(Clone, Debug)]
struct Step {
    /// The factors, and the distance of the summed variable's states in each.
    factors: Vec<(Source, usize)>,
    /// Number of states that are summed over.
    summed: usize,
    /// For every cell of the result and every factor: where the factor is read.
    places: Vec<u32>,
    /// Where the result goes.
    target: usize,
}

/// Where a factor comes from.
#[derive(Clone, Copy, Debug)]
enum Source {
    /// A probability table, by its place among those in use.
    Cpt(usize),
    /// The result of a step, by its first cell.
    Step(usize),
}

/// A factor while the question is prepared.
struct Factor {
    source: Source,
    scope: u64,
    /// Its free variables with the distance of their states.
    strides: Vec<(usize, usize)>,
}

impl Question {
    /// Prepares a question about some variables, given the states of others.
    pub fn new(network: &Network, targets: &[usize], evidence: &[usize]) -> Result<Question, Error> {
        let cardinalities: Vec<usize> = network.families().iter().map(|family| family.states).collect();
        check_names(targets, evidence, cardinalities.len())?;
        let (wanted, known) = (mask(targets), mask(evidence));
        let mut question = Question {
            shape: network.shape(),
            cardinalities,
            evidence: evidence.to_vec(),
            tables: Vec::new(),
            steps: Vec::new(),
            room: 0,
        };
        let mut factors = Vec::new();
        for variable in members(requisite(network, wanted, known)) {
            let factor = question.use_table(network, variable, known);
            factors.extend(Some(factor).filter(|factor| factor.scope != 0));
        }
        question.eliminate(factors, targets)?;
        Ok(question)
    }

    /// Answers the question, for the states of the evidence in the order in which it was prepared.
    pub fn ask(&self, network: &Network, states: &[usize]) -> Result<Posterior, Error> {
        self.check(network, states)?;
        let offset = |table: &CptUse| table.fixed.iter().map(|(at, stride)| states[*at] * stride).sum();
        let offsets: Vec<usize> = self.tables.iter().map(offset).collect();
        let mut probabilities = self.run(network, &offsets);
        let mut sum: f64 = probabilities.iter().sum();
        if sum < SMALLEST_SUM {
            probabilities = self.run_in_logarithms(network, &offsets);
            sum = probabilities.iter().sum();
        }
        probabilities.iter_mut().for_each(|probability| *probability /= sum);
        let (support, guessed) = self.support(network, &offsets);
        Ok(Posterior { probabilities, support, guessed })
    }

    /// Registers the table of a variable and says what is free in it.
    fn use_table(&mut self, network: &Network, variable: usize, known: u64) -> Factor {
        let family = &network.families()[variable];
        let cells = family.parents.iter().map(|(parent, stride)| (*parent, stride * family.states));
        let (mut fixed, mut strides) = (Vec::new(), Vec::new());
        for (member, stride) in cells.chain(std::iter::once((variable, 1))) {
            if known & bit(member) == 0 {
                strides.push((member, stride));
            } else {
                fixed.extend(self.evidence.iter().position(|one| *one == member).map(|at| (at, stride)));
            }
        }
        let mut rows = vec![0_u32];
        for (parent, stride) in family.parents.iter().filter(|(parent, _)| known & bit(*parent) == 0) {
            let states = 0..self.cardinalities[*parent];
            rows =
                states.flat_map(|state| rows.iter().map(move |row| row + (state * stride) as u32)).collect();
        }
        let observed = known & bit(variable) != 0;
        self.tables.push(CptUse { variable, fixed, rows, observed });
        let scope = strides.iter().fold(0, |scope, (member, _)| scope | bit(*member));
        Factor { source: Source::Cpt(self.tables.len() - 1), scope, strides }
    }

    /// Sums all other variables out, each time the one with the smallest result.
    fn eliminate(&mut self, mut factors: Vec<Factor>, targets: &[usize]) -> Result<(), Error> {
        let wanted = mask(targets);
        let mut left = factors.iter().fold(0, |left, factor| left | factor.scope) & !wanted;
        while left != 0 {
            let union = |variable: usize| {
                let with = factors.iter().filter(|factor| factor.scope & bit(variable) != 0);
                with.fold(0, |union, factor| union | factor.scope)
            };
            let size = |scope: u64| members(scope).map(|v| self.cardinalities[v] as f64).product::<f64>();
            let cost = |variable: &usize| size(union(*variable));
            let next = members(left).min_by(|one, two| cost(one).total_cmp(&cost(two))).unwrap_or_default();
            let (mut with, without) = factors.into_iter().partition(|factor| factor.scope & bit(next) != 0);
            factors = without;
            let scope = with.iter().fold(0, |union, factor: &Factor| union | factor.scope) & !bit(next);
            let result = self.step(&mut with, &members(scope).collect::<Vec<_>>(), Some(next))?;
            factors.extend(Some(result).filter(|result| result.scope != 0));
            left &= !bit(next);
        }
        self.step(&mut factors, targets, None)?;
        Ok(())
    }

    /// Adds a step that multiplies factors into a table over `scope`, summed over one more variable.
    fn step(
        &mut self,
        factors: &mut [Factor],
        scope: &[usize],
        summed: Option<usize>,
    ) -> Result<Factor, Error> {
        let cells = scope.iter().try_fold(1_usize, |cells, v| cells.checked_mul(self.cardinalities[*v]));
        let work = cells.and_then(|cells| cells.checked_mul(factors.len().max(1)));
        let (Some(cells), Some(_)) = (cells, work.filter(|work| *work <= MOST_CELLS)) else {
            let accepted = format!("{MOST_CELLS} cells; use fewer edges or states, or give more evidence");
            return Err(Error::new("question", "too large an intermediate table", accepted));
        };
        let stride = |factor: &Factor, variable: usize| {
            factor.strides.iter().find(|(member, _)| *member == variable).map_or(0, |(_, stride)| *stride)
        };
        let mut places = Vec::with_capacity(cells * factors.len());
        let mut states = vec![0_usize; scope.len()];
        let strides: Vec<Vec<usize>> =
            factors.iter().map(|factor| scope.iter().map(|v| stride(factor, *v)).collect()).collect();
        for _ in 0..cells {
            for strides in &strides {
                places
                    .push(strides.iter().zip(&states).map(|(stride, state)| stride * state).sum::<usize>()
                        as u32);
            }
            for (at, variable) in scope.iter().enumerate().rev() {
                states[at] += 1;
                if states[at] < self.cardinalities[*variable] {
                    break;
                }
                states[at] = 0;
            }
        }
        let target = self.room;
        self.room += cells;
        let sources = factors.iter().map(|f| (f.source, summed.map_or(0, |v| stride(f, v)))).collect();
        let summed = summed.map_or(1, |variable| self.cardinalities[variable]);
        self.steps.push(Step { factors: sources, summed, places, target });
        let mut distance = cells;
        let mut result = Vec::new();
        for variable in scope {
            distance /= self.cardinalities[*variable].max(1);
            result.push((*variable, distance));
        }
        Ok(Factor { source: Source::Step(target), scope: mask(scope), strides: result })
    }

    /// The answer before normalisation.
    fn run(&self, network: &Network, offsets: &[usize]) -> Vec<f64> {
        let mut room = vec![0.0; self.room];
        let families = network.families();
        for (number, step) in self.steps.iter().enumerate() {
            let end = self.steps.get(number + 1).map_or(self.room, |next| next.target);
            let (before, rest) = room.split_at_mut(step.target);
            let read: Vec<(&[f64], usize)> = step
                .factors
                .iter()
                .map(|(source, stride)| match source {
                    Source::Cpt(table) => {
                        let family = &families[self.tables[*table].variable];
                        (&family.probabilities[offsets[*table]..], *stride)
                    }
                    Source::Step(first) => (&before[*first..], *stride),
                })
                .collect();
            step.multiply(&read, &mut rest[..end - step.target]);
        }
        room.split_off(self.steps.last().map_or(0, |step| step.target))
    }

    /// The same with logarithms: slower, and right for probabilities that are too small for products.
    fn run_in_logarithms(&self, network: &Network, offsets: &[usize]) -> Vec<f64> {
        let mut room = vec![0.0; self.room];
        for (number, step) in self.steps.iter().enumerate() {
            let end = self.steps.get(number + 1).map_or(self.room, |next| next.target);
            for cell in 0..end - step.target {
                let places = &step.places[cell * step.factors.len()..];
                let term = |state: usize| {
                    let value = |((source, stride), place): (&(Source, usize), &u32)| {
                        let at = *place as usize + state * stride;
                        match source {
                            Source::Cpt(table) => {
                                let family = &network.families()[self.tables[*table].variable];
                                libm::log(family.probabilities[offsets[*table] + at])
                            }
                            Source::Step(first) => room[first + at],
                        }
                    };
                    step.factors.iter().zip(places).map(value).sum::<f64>()
                };
                let terms: Vec<f64> = (0..step.summed).map(term).collect();
                room[step.target + cell] = log_sum(&terms);
            }
        }
        let answer = room.split_off(self.steps.last().map_or(0, |step| step.target));
        let largest = answer.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        answer.iter().map(|value| libm::exp(value - largest)).collect()
    }

    /// How often evidence was seen at most, and how many of the rows in use never were.
    fn support(&self, network: &Network, offsets: &[usize]) -> (u64, usize) {
        let (mut support, mut guessed) = (network.rows(), 0);
        for (table, offset) in self.tables.iter().zip(offsets) {
            let family = &network.families()[table.variable];
            let (first, state) = (offset / family.states, offset % family.states);
            let mut seen = 0;
            for row in &table.rows {
                let row = first + *row as usize;
                let count = if table.observed {
                    family.counts[row * family.states + state]
                } else {
                    family.totals[row]
                };
                seen += u64::from(count);
                guessed += usize::from(family.totals[row] == 0);
            }
            support = support.min(seen);
        }
        (support, guessed)
    }

    fn check(&self, network: &Network, states: &[usize]) -> Result<(), Error> {
        if self.shape != network.shape() {
            return Err(Error::new("question", "another network", "the network it was prepared for"));
        }
        if states.len() != self.evidence.len() {
            let accepted = format!("{} states", self.evidence.len());
            return Err(Error::new("evidence", format!("{} states", states.len()), accepted));
        }
        for (variable, state) in self.evidence.iter().zip(states) {
            if *state >= self.cardinalities[*variable] {
                let name = &network.variables()[*variable].name;
                let accepted = format!("states below {}", self.cardinalities[*variable]);
                return Err(Error::new(
                    format!("evidence on {name}"),
                    format!("the state {state}"),
                    accepted,
                ));
            }
        }
        Ok(())
    }
}

impl Step {
    /// Fills the result.
    fn multiply(&self, factors: &[(&[f64], usize)], result: &mut [f64]) {
        match factors {
            [] => result.fill(1.0),
            [(one, stride)] => {
                for (cell, place) in result.iter_mut().zip(&self.places) {
                    let values = one[*place as usize..].iter().step_by((*stride).max(1));
                    *cell = values.take(self.summed).sum();
                }
            }
            factors => {
                for (cell, places) in result.iter_mut().zip(self.places.chunks_exact(factors.len())) {
                    *cell = 0.0;
                    for state in 0..self.summed {
                        let mut product = 1.0;
                        for ((values, stride), place) in factors.iter().zip(places) {
                            product *= values[*place as usize + state * stride];
                        }
                        *cell += product;
                    }
                }
            }
        }
    }
}

fn mask(variables: &[usize]) -> u64 {
    variables.iter().fold(0, |mask, variable| mask | bit(*variable))
}

/// The logarithm of a sum of exponentials.
pub(crate) fn log_sum(terms: &[f64]) -> f64 {
    let largest = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if largest == f64::NEG_INFINITY {
        return largest;
    }
    largest + libm::log(terms.iter().map(|term| libm::exp(term - largest)).sum())
}

/// Refuses unknown variables, variables that are named twice, and questions about evidence.
fn check_names(targets: &[usize], evidence: &[usize], count: usize) -> Result<(), Error> {
    if targets.is_empty() {
        return Err(Error::new("question", "no variable", "at least one variable to ask about"));
    }
    let all: Vec<usize> = targets.iter().chain(evidence).copied().collect();
    for (at, variable) in all.iter().enumerate() {
        if *variable >= count {
            return Err(Error::new(
                "question",
                format!("variable {variable}"),
                format!("numbers below {count}"),
            ));
        }
        if all[..at].contains(variable) {
            let accepted = "every variable once, either in the question or in the evidence";
            return Err(Error::new("question", format!("variable {variable} twice"), accepted));
        }
    }
    Ok(())
}

/// The variables whose tables matter for a question (Bayes ball, Shachter 1998): all others are cut off by evidence or have no
/// descendants that are asked for or known.
fn requisite(network: &Network, wanted: u64, known: u64) -> u64 {
    let families = network.families();
    let parents: Vec<u64> =
        families.iter().map(|family| family.parents.iter().fold(0, |mask, (v, _)| mask | bit(*v))).collect();
    let children = |variable: usize| {
        parents
            .iter()
            .enumerate()
            .filter(move |(_, mask)| *mask & bit(variable) != 0)
            .fold(0, |m, (v, _)| m | bit(v))
    };
    // Variables still to be visited from a child and from a parent; variables whose parents and whose children have been visited.
    let (mut up, mut down, mut top, mut bottom) = (wanted, 0_u64, 0_u64, 0_u64);
    while up | down != 0 {
        if let Some(variable) = members(up).next() {
            up &= !bit(variable);
            if known & bit(variable) != 0 {
                continue;
            }
            if top & bit(variable) == 0 {
                top |= bit(variable);
                up |= parents[variable];
            }
            if bottom & bit(variable) == 0 {
                bottom |= bit(variable);
                down |= children(variable);
            }
        } else if let Some(variable) = members(down).next() {
            down &= !bit(variable);
            if known & bit(variable) != 0 {
                if top & bit(variable) == 0 {
                    top |= bit(variable);
                    up |= parents[variable];
                }
            } else if bottom & bit(variable) == 0 {
                bottom |= bit(variable);
                down |= children(variable);
            }
        }
    }
    top
}
