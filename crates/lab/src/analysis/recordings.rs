//! What runs have recorded, as one table: a row per moment and robot, a column per indicator.

use super::filter::Filter;
use crate::table::Reader;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Variances are over this time. [s]
const WINDOW: f64 = 10.0;

/// The runs are searched for in folders up to this depth.
const DEPTH: usize = 3;

/// The rows of several runs, one run after the other.
#[derive(Clone, Debug, Default)]
pub struct Recordings {
    /// The names of the columns, sorted.
    pub names: Vec<String>,
    /// The values, column by column.
    pub columns: Vec<Vec<Option<f64>>>,
    /// The environment of every row, by its place in the list.
    pub environment_of: Vec<usize>,
    /// The environments: the names of the scenarios.
    pub environments: Vec<String>,
    /// The hashes of the scenarios, sorted.
    pub scenarios: Vec<String>,
    /// The folders of the runs.
    pub runs: Vec<PathBuf>,
}

/// The rows of one run.
type Rows = BTreeMap<Moment, BTreeMap<String, f64>>;

/// Two values with their names.
type Named = [(&'static str, f64); 2];

/// When and on which robot; times in milliseconds.
type Moment = (i64, String);

impl Recordings {
    /// Reads results folders. A folder of results folders stands for all of them.
    pub fn read(folders: &[PathBuf]) -> Result<Recordings, String> {
        let mut runs = Vec::new();
        for folder in folders {
            let before = runs.len();
            find_runs(folder, DEPTH, &mut runs)?;
            if runs.len() == before {
                return Err(format!(
                    "{}: no run found. Give the results folder of `crewlab run` (it has manifest.json), or a folder that contains some",
                    folder.display()
                ));
            }
        }
        // The same run, named twice or found in a folder that was named as well, counts once.
        let mut seen = BTreeSet::new();
        runs.retain(|run| seen.insert(fs::canonicalize(run).unwrap_or_else(|_| run.clone())));
        let mut all = Recordings::default();
        let mut rows: Vec<(usize, BTreeMap<String, f64>)> = Vec::new();
        for run in runs {
            let manifest =
                fs::read(run.join("manifest.json")).map_err(|error| at(&run, &error.to_string()))?;
            let manifest: Value =
                serde_json::from_slice(&manifest).map_err(|error| at(&run, &error.to_string()))?;
            let text = |key: &str| manifest[key].as_str().unwrap_or("unknown").to_string();
            let environment = all.environment(&text("scenario"));
            all.scenarios.push(text("scenario_hash"));
            rows.extend(rows_of(&run)?.into_values().map(|row| (environment, row)));
            all.runs.push(run);
        }
        all.scenarios.sort();
        all.scenarios.dedup();
        all.fill(&rows);
        Ok(all)
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.environment_of.len()
    }

    /// Keeps some of the columns; an error names those that are not there.
    pub fn select(&mut self, wanted: &[String]) -> Result<(), String> {
        let places: Vec<usize> = wanted.iter().map(|name| self.place(name)).collect::<Result<_, _>>()?;
        self.columns = places.iter().map(|place| self.columns[*place].clone()).collect();
        self.names = places.iter().map(|place| self.names[*place].clone()).collect();
        Ok(())
    }

    /// Keeps the rows that pass a filter.
    pub fn keep(&mut self, filter: &Filter) -> Result<(), String> {
        let place = self.place(&filter.name)?;
        let kept: Vec<usize> =
            (0..self.rows()).filter(|row| filter.accepts(self.columns[place][*row])).collect();
        for column in &mut self.columns {
            *column = kept.iter().map(|row| column[*row]).collect();
        }
        self.environment_of = kept.iter().map(|row| self.environment_of[*row]).collect();
        Ok(())
    }

    /// The place of a column.
    fn place(&self, name: &str) -> Result<usize, String> {
        self.names.iter().position(|known| known == name).ok_or_else(|| {
            format!("there is no indicator `{name}` in these runs. Accepted: {}", self.names.join(", "))
        })
    }

    fn environment(&mut self, name: &str) -> usize {
        let known = self.environments.iter().position(|known| known == name);
        known.unwrap_or_else(|| {
            self.environments.push(name.to_string());
            self.environments.len() - 1
        })
    }

    fn fill(&mut self, rows: &[(usize, BTreeMap<String, f64>)]) {
        let mut names: Vec<&String> = rows.iter().flat_map(|(_, row)| row.keys()).collect();
        names.sort();
        names.dedup();
        self.columns =
            names.iter().map(|name| rows.iter().map(|(_, row)| row.get(*name).copied()).collect()).collect();
        self.names = names.into_iter().cloned().collect();
        self.environment_of = rows.iter().map(|(environment, _)| *environment).collect();
    }
}

/// Results folders at or below a folder, in alphabetical order.
fn find_runs(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) -> Result<(), String> {
    if folder.join("manifest.json").is_file() {
        found.push(folder.to_path_buf());
        return Ok(());
    }
    let entries = fs::read_dir(folder).map_err(|error| at(folder, &error.to_string()))?;
    let mut below: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    below.sort();
    if depth > 0 {
        below.iter().try_for_each(|folder| find_runs(folder, depth - 1, found))?;
    }
    Ok(())
}

/// The indicators of a run. Speed and the variance of the heading come from the robots' paths if nobody gives them.
fn rows_of(run: &Path) -> Result<Rows, String> {
    let mut rows = Rows::new();
    let mut given = false;
    if let Some(mut table) = open(run, "indicators.csv")? {
        given = true;
        while table.advance().map_err(|error| at(run, &error))? {
            let cell = |column: &str| table.cell(column).unwrap_or_default().to_string();
            let (Some(moment), Ok(value)) =
                (moment(&cell("time_s"), &cell("robot")), cell("value").parse::<f64>())
            else {
                return Err(at(run, "indicators.csv has a row without a time or a value"));
            };
            rows.entry(moment).or_default().insert(cell("indicator"), value);
        }
    }
    for (moment, values) in motion(run)? {
        let row = if given { rows.get_mut(&moment) } else { Some(rows.entry(moment).or_default()) };
        if let Some(row) = row {
            values.into_iter().for_each(|(name, value)| _ = row.entry(name.to_string()).or_insert(value));
        }
    }
    Ok(rows)
}

/// Speed [m/s] and variance of the heading [rad²] of every robot, from its path.
fn motion(run: &Path) -> Result<Vec<(Moment, Named)>, String> {
    let mut paths: BTreeMap<String, Vec<(i64, [f64; 3])>> = BTreeMap::new();
    if let Some(mut table) = open(run, "robots.csv")? {
        while table.advance().map_err(|error| at(run, &error))? {
            let cell = |column: &str| table.cell(column).unwrap_or_default().to_string();
            let numbers = ["x_m", "y_m", "heading_rad"].map(|column| cell(column).parse::<f64>());
            if let (Some((time, robot)), [Ok(x), Ok(y), Ok(heading)]) =
                (moment(&cell("time_s"), &cell("robot")), numbers)
            {
                paths.entry(robot).or_default().push((time, [x, y, heading]));
            }
        }
    }
    let mut all = Vec::new();
    for (robot, path) in paths {
        let mut headings: Vec<(f64, f64)> = Vec::new();
        for pair in path.windows(2) {
            let ((before, [x, y, heading]), (now, [new_x, new_y, new_heading])) = (pair[0], pair[1]);
            let seconds = (now - before) as f64 / 1000.0;
            if seconds <= 0.0 {
                continue;
            }
            // Headings are unwrapped: a turn through north is not a jump.
            let turn = libm::remainder(new_heading - heading, std::f64::consts::TAU);
            let last = headings.last().map_or(heading, |(_, heading)| *heading);
            let time = now as f64 / 1000.0;
            headings.push((time, last + turn));
            headings.retain(|(then, _)| time - then <= WINDOW);
            let values: Vec<f64> = headings.iter().map(|(_, heading)| *heading).collect();
            let deviation = crewlab_statistics::standard_deviation(&values).unwrap_or(0.0);
            let speed = libm::hypot(new_x - x, new_y - y) / seconds;
            all.push(((now, robot.clone()), [("speed", speed), ("heading-variance", deviation * deviation)]));
        }
    }
    Ok(all)
}

fn open(run: &Path, file: &str) -> Result<Option<Reader>, String> {
    Reader::open(&run.join(file)).map_err(|error| at(&run.join(file), &error))
}

fn moment(time: &str, robot: &str) -> Option<Moment> {
    let seconds = time.parse::<f64>().ok().filter(|seconds| seconds.is_finite())?;
    Some(((seconds * 1000.0).round() as i64, robot.to_string()))
}

fn at(place: &Path, error: &str) -> String {
    format!("{}: {error}", place.display())
}
