//! What drives cost: from the indicators of runs to a Bayesian network, ties between indicators, and rankings (chapter 4 of ESTIMATION).

mod figures;
pub mod filter;
mod page;
pub mod recordings;
pub mod search;
mod text;

use crewlab_learn::{
    ChainParams, Constraints, Discretisation, Error, MOST_VARIABLES, Model, Network, Prior, Structure, Table,
    Validity, eta_of_network, eta_of_table, loners, ranking,
};
use filter::Filter;
pub use page::write;
use recordings::Recordings;
use search::{Found, search};
use serde::Serialize;
pub use text::{proof, words};

/// What an analysis can be told.
#[derive(Clone, Debug, Default)]
pub struct AnalysisParams {
    /// How values become states.
    pub discretisation: Discretisation,
    /// What the structure must and must not contain, by names.
    pub wishes: Wishes,
    /// The Markov chain.
    pub chain: ChainParams,
    /// The prior of the probability tables.
    pub prior: Prior,
    /// The indicators to look at; all if empty.
    pub columns: Vec<String>,
    /// The rows to look at are those that pass all of these.
    pub filters: Vec<Filter>,
}

/// Constraints with names instead of numbers.
#[derive(Clone, Debug, Default)]
pub struct Wishes {
    /// Edges that must be there, as (parent, child).
    pub required: Vec<(String, String)>,
    /// Edges that must not be there.
    pub forbidden: Vec<(String, String)>,
    /// All edges: nothing is searched.
    pub fixed: Option<Vec<(String, String)>>,
    /// The largest number of parents.
    pub most_parents: Option<usize>,
    /// An order of all variables; edges go from earlier to later ones.
    pub order: Vec<String>,
}

impl Wishes {
    /// The same with numbers; an error names what is not in the table.
    pub fn resolve(&self, table: &Table) -> Result<(Constraints, Option<Structure>), String> {
        let names: Vec<&str> = table.variables().iter().map(|variable| variable.name.as_str()).collect();
        let place = |name: &String| {
            let found = names.iter().position(|known| known == name);
            found.ok_or_else(|| {
                format!("there is no column `{name}` to learn from. Accepted: {}", names.join(", "))
            })
        };
        let edges = |list: &[(String, String)]| -> Result<Vec<(usize, usize)>, String> {
            list.iter().map(|(parent, child)| Ok((place(parent)?, place(child)?))).collect()
        };
        let fixed = match &self.fixed {
            None => None,
            Some(list) => {
                let mut parents = vec![Vec::new(); names.len()];
                edges(list)?.into_iter().for_each(|(parent, child)| parents[child].push(parent));
                Some(Structure::new(parents).map_err(|error| error.to_string())?)
            }
        };
        if let Some((parent, child)) = self.required.iter().find(|edge| self.forbidden.contains(edge)) {
            return Err(format!("the edge {parent}:{child} is both required and forbidden"));
        }
        let order: Vec<usize> = self.order.iter().map(place).collect::<Result<_, _>>()?;
        let missing: Vec<&str> =
            names.iter().copied().filter(|name| !self.order.iter().any(|said| said == name)).collect();
        if !order.is_empty() && (order.len() != names.len() || !missing.is_empty()) {
            let lacks =
                if missing.is_empty() { "each once".into() } else { format!("also {}", missing.join(", ")) };
            return Err(format!("an order has all columns, {lacks}: found {}", self.order.join(", ")));
        }
        let constraints = Constraints {
            required: edges(&self.required)?,
            forbidden: edges(&self.forbidden)?,
            most_parents: self.most_parents,
            order: (!order.is_empty()).then_some(order),
        };
        Ok((constraints, fixed))
    }
}

/// The ties in one environment, or in all together.
#[derive(Clone, Debug, Serialize)]
pub struct Environment {
    /// The name of its scenario; `all` for all together.
    pub name: String,
    /// Number of rows.
    pub rows: usize,
    /// η of every pair, by inference in a network with the common structure and the counts of this environment.
    pub eta: Vec<Vec<f64>>,
    /// η of every pair, from raw counts.
    pub raw_eta: Vec<Vec<f64>>,
    /// Mean of every indicator; nothing without values.
    pub means: Vec<Option<f64>>,
    /// Variance of every indicator.
    pub variances: Vec<Option<f64>>,
    /// The network.
    #[serde(skip)]
    pub network: Network,
}

/// The result of an analysis.
#[derive(Clone, Debug, Serialize)]
pub struct Analysis {
    /// The names of the indicators.
    pub names: Vec<String>,
    /// Number of runs.
    pub runs: usize,
    /// Indicators that were left out, each with the reason.
    pub left_out: Vec<(String, String)>,
    /// The structure.
    pub found: Found,
    /// All environments together, then each one if there are several.
    pub environments: Vec<Environment>,
    /// The indicators with the sums of their ties, the most important one first.
    pub ranking: Vec<(String, f64)>,
    /// Indicators with nothing but weak ties.
    pub weak: Vec<String>,
    /// The model of all environments, with where it is valid.
    #[serde(skip)]
    pub model: Model,
    /// The discretised rows, and the environment of each.
    #[serde(skip)]
    pub table: Table,
    /// The environment of every row.
    #[serde(skip)]
    pub environment_of: Vec<usize>,
}

/// Analyses what runs have recorded.
pub fn analyse(mut recordings: Recordings, params: &AnalysisParams) -> Result<Analysis, String> {
    for filter in &params.filters {
        recordings.keep(filter)?;
    }
    if !params.columns.is_empty() {
        recordings.select(&params.columns)?;
    }
    let left_out = leave_out(&mut recordings);
    if recordings.names.len() < 2 {
        let reasons: Vec<String> = left_out.iter().map(|(name, why)| format!("{name}: {why}")).collect();
        return Err(format!(
            "there is nothing to compare: at least two indicators that vary are needed, but only {} was found in {} rows. {}",
            recordings.names.len(),
            recordings.rows(),
            reasons.join("; ")
        ));
    }
    if recordings.names.len() > MOST_VARIABLES {
        return Err(format!(
            "{} indicators were found; up to {MOST_VARIABLES} can be analysed at once (the optimum is proven up to 28). Choose some with --columns: {}",
            recordings.names.len(),
            recordings.names.join(", ")
        ));
    }
    let say = |error: Error| error.to_string();
    let table =
        Table::from_numbers(&recordings.names, &recordings.columns, &params.discretisation).map_err(say)?;
    let (constraints, fixed) = params.wishes.resolve(&table)?;
    let found = search(&table, &constraints, &params.chain, fixed.as_ref()).map_err(say)?;
    let environments = environments(&recordings, &table, &found.structure, params.prior).map_err(say)?;
    let eta = &environments[0].eta;
    let name = |variable: usize| recordings.names[variable].clone();
    let model = Model {
        validity: Validity {
            source: recordings.environments.join(", "),
            scenarios: recordings.scenarios.clone(),
            rows: table.rows() as u64,
            incomplete: found.left_out as u64,
            discretisation: Some(params.discretisation.clone()),
        },
        network: environments[0].network.clone(),
    };
    Ok(Analysis {
        ranking: ranking(eta).into_iter().map(|(variable, sum)| (name(variable), sum)).collect(),
        weak: loners(eta).into_iter().map(name).collect(),
        names: recordings.names.clone(),
        runs: recordings.runs.len(),
        left_out,
        found,
        environments,
        model,
        table,
        environment_of: recordings.environment_of,
    })
}

/// Removes columns that tell nothing; gives their names and the reason.
fn leave_out(recordings: &mut Recordings) -> Vec<(String, String)> {
    let (mut left_out, mut kept) = (Vec::new(), Vec::new());
    for (place, name) in recordings.names.iter().enumerate() {
        let mut values = recordings.columns[place].iter().flatten().filter(|value| value.is_finite());
        let first = values.next();
        match first {
            None => left_out.push((name.clone(), "no values".to_string())),
            Some(first) if values.all(|value| value == first) => {
                left_out.push((name.clone(), format!("always {first}")));
            }
            Some(_) => kept.push(name.clone()),
        }
    }
    // All of these names are there.
    let _ = recordings.select(&kept);
    left_out
}

/// The ties in all environments together, and in each one if there are several.
fn environments(
    recordings: &Recordings,
    table: &Table,
    structure: &Structure,
    prior: Prior,
) -> Result<Vec<Environment>, Error> {
    let one = |name: &str, rows: &[usize]| {
        let part = table.pick(rows);
        let mut network = Network::new(table.variables().to_vec(), structure.clone(), prior)?;
        network.fit(&part)?;
        let values =
            |column: &Vec<Option<f64>>| -> Vec<f64> { rows.iter().filter_map(|row| column[*row]).collect() };
        let variance = |column: &Vec<Option<f64>>| {
            crewlab_statistics::standard_deviation(&values(column)).map(|deviation| deviation * deviation)
        };
        Ok(Environment {
            name: name.to_string(),
            rows: rows.len(),
            eta: eta_of_network(&network)?,
            raw_eta: eta_of_table(&part),
            means: recordings
                .columns
                .iter()
                .map(|column| crewlab_statistics::mean(&values(column)))
                .collect(),
            variances: recordings.columns.iter().map(variance).collect(),
            network,
        })
    };
    let mut all = vec![one("all", &(0..table.rows()).collect::<Vec<_>>())?];
    if recordings.environments.len() > 1 {
        for (place, name) in recordings.environments.iter().enumerate() {
            let rows: Vec<usize> =
                (0..table.rows()).filter(|row| recordings.environment_of[*row] == place).collect();
            all.push(one(name, &rows)?);
        }
    }
    Ok(all)
}
