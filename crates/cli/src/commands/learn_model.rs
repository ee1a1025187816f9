//! `crewlab learn-model`.

use super::write_new;
use crate::terminal::print;
use anyhow::{Context, bail};
use crewlab_lab::analysis::Wishes;
use crewlab_lab::analysis::search::search;
use crewlab_lab::learn::{ChainParams, Discretisation, Model, Network, Prior, Table, Validity};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The largest table. [bytes]
const MOST_BYTES: u64 = 256 << 20;

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  crewlab learn-model trips.csv --out trips.json\n  crewlab learn-model trips.csv --method quantile --parents 3 --require crowd:cost --out trips.json\n  crewlab ask trips.json --given crowd=high --query cost\n\nThe first line of the file has the names of the columns. Columns of numbers with more than --categories different values are divided\ninto intervals, others have one state per value. Empty cells, `-`, `NA`, `NaN`, `null` and `none` are missing: such rows are not used in the search for the\nstructure, and tables count what is there. Up to 64 columns; the structure is the proven optimum (BIC) with up to 28 of them."
)]
pub struct Args {
    /// The table
    #[arg(value_name = "FILE.csv")]
    file: PathBuf,
    #[command(flatten)]
    learning: LearningArgs,
    /// Columns of numbers with at most this many different values are not divided into intervals
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=254))]
    categories: u16,
    /// The model file
    #[arg(long, value_name = "MODEL")]
    out: PathBuf,
    /// Replace the model file if it exists
    #[arg(long)]
    force: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// How a structure and its tables are learned.
#[derive(clap::Args)]
pub struct LearningArgs {
    /// Number of states of a column of numbers
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(2..=254))]
    states: u16,
    /// How numbers become states: uniform (equal widths), quantile (equal counts) or entropy (tells most about --target)
    #[arg(long, value_name = "NAME", default_value = "uniform")]
    method: String,
    /// The column that --method entropy divides the others for
    #[arg(long, value_name = "COLUMN")]
    target: Option<String>,
    /// Largest number of parents
    #[arg(long, value_name = "N")]
    parents: Option<usize>,
    /// An edge that must be there (may be repeated)
    #[arg(long, value_name = "PARENT:CHILD", value_parser = edge)]
    require: Vec<(String, String)>,
    /// An edge that must not be there (may be repeated)
    #[arg(long, value_name = "PARENT:CHILD", value_parser = edge)]
    forbid: Vec<(String, String)>,
    /// All edges, instead of a search (may be repeated)
    #[arg(long, value_name = "PARENT:CHILD", value_parser = edge, conflicts_with_all = ["require", "forbid", "order", "parents"])]
    edge: Vec<(String, String)>,
    /// An order of all columns; edges go from earlier to later ones
    #[arg(long, value_name = "COLUMN,...", value_delimiter = ',')]
    order: Vec<String>,
    /// Steps of the Markov chain
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    steps: u32,
    /// Steps of the chains over orders that give the probabilities of edges with more than 16 columns
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    order_steps: u32,
    /// Seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Equivalent sample size of the prior
    #[arg(long, value_name = "X", default_value_t = 1.0)]
    prior: f64,
}

/// Accepts `parent:child`.
fn edge(said: &str) -> Result<(String, String), String> {
    let (parent, child) = said.split_once(':').ok_or("PARENT:CHILD is accepted, such as crowd:cost")?;
    Ok((parent.trim().to_string(), child.trim().to_string()))
}

impl LearningArgs {
    /// How numbers become states.
    pub fn discretisation(&self) -> anyhow::Result<Discretisation> {
        super::accepted("method", &self.method, &["uniform", "quantile", "entropy"])?;
        let states = usize::from(self.states);
        Ok(match (self.method.as_str(), &self.target) {
            ("entropy", Some(target)) => Discretisation::Entropy { states, target: target.clone() },
            ("entropy", None) => bail!("--method entropy needs --target COLUMN"),
            (_, Some(_)) => bail!("--target is for --method entropy only"),
            ("quantile", None) => Discretisation::Quantile { states },
            _ => Discretisation::Uniform { states },
        })
    }

    /// What the structure must look like.
    pub fn wishes(&self) -> Wishes {
        Wishes {
            required: self.require.clone(),
            forbidden: self.forbid.clone(),
            fixed: (!self.edge.is_empty()).then(|| self.edge.clone()),
            most_parents: self.parents,
            order: self.order.clone(),
        }
    }

    pub fn chain(&self) -> ChainParams {
        ChainParams { steps: self.steps as usize, order_steps: self.order_steps as usize, seed: self.seed }
    }

    pub fn prior(&self) -> Prior {
        Prior::SampleSize(self.prior)
    }
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if args.out.exists() && !args.force {
        bail!("{} exists already; choose another file or add --force", args.out.display());
    }
    let discretisation = args.learning.discretisation()?;
    let (names, rows) = read(&args.file)?;
    let file = || args.file.display().to_string();
    let table =
        Table::from_text(&names, &rows, &discretisation, usize::from(args.categories)).with_context(file)?;
    let (constraints, fixed) = args.learning.wishes().resolve(&table).map_err(anyhow::Error::msg)?;
    let found = search(&table, &constraints, &args.learning.chain(), fixed.as_ref()).with_context(file)?;
    let mut network =
        Network::new(table.variables().to_vec(), found.structure.clone(), args.learning.prior())?;
    network.fit(&table)?;
    let validity = Validity {
        source: args.file.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned()),
        scenarios: Vec::new(),
        rows: table.rows() as u64,
        incomplete: found.left_out as u64,
        discretisation: Some(discretisation),
    };
    let model = Model { validity, network };
    if args.force && args.out.exists() {
        std::fs::remove_file(&args.out).with_context(|| format!("cannot replace {}", args.out.display()))?;
    }
    write_new(&args.out, &model.to_json())?;
    if args.json {
        let columns: Vec<&str> = names.iter().map(String::as_str).collect();
        let text = json!({"columns": columns, "rows": table.rows(), "found": found});
        print(&format!("{}\n", serde_json::to_string_pretty(&text)?))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut text = format!("rows                 {} ({} incomplete)\n", table.rows(), found.left_out);
    for variable in table.variables().iter().filter(|variable| variable.states.len() == 1) {
        text += &format!("constant             {}: it tells nothing\n", variable.name);
    }
    text += &crewlab_lab::analysis::proof(&found);
    for (parent, child) in found.structure.edges() {
        let probability = found.edges.probabilities[parent][child];
        text += &format!(
            "edge                 {} -> {} (probability {probability:.3})\n",
            names[parent], names[child]
        );
    }
    print(&format!("{text}written              {}\n", args.out.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// The header and the rows of a CSV file.
fn read(file: &Path) -> anyhow::Result<(Vec<String>, Vec<Vec<String>>)> {
    let place = || format!("cannot read {}", file.display());
    let size = std::fs::metadata(file).with_context(place)?.len();
    if size > MOST_BYTES {
        bail!("{} has {size} bytes; at most {MOST_BYTES} are accepted", file.display());
    }
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_path(file).with_context(place)?;
    let names: Vec<String> =
        reader.headers().with_context(place)?.iter().map(|name| name.trim().to_string()).collect();
    let mut rows = Vec::new();
    let only = names.first().filter(|_| names.len() == 1);
    if let Some(mark) = only.and_then(|name| [';', '\t', '|'].into_iter().find(|mark| name.contains(*mark))) {
        bail!(
            "{}: the only column is `{}`. Cells are separated by commas; here it seems to be `{}`",
            file.display(),
            names[0],
            mark.escape_default()
        );
    }
    for record in reader.records() {
        rows.push(record.with_context(place)?.iter().map(str::to_string).collect());
    }
    Ok((names, rows))
}
