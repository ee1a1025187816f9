//! Parameters of estimators, for every coordinator that asks them.

use super::experience::Memory;
use crate::{Finding, Memories, Preparation};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Parameters of estimators.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct EstimationParams {
    /// ς: the share of cases in which the cost shall not exceed the estimate, for `learned-quantile`.
    #[schemars(range(min = 0.01, max = 0.99))]
    pub reliability: f64,
    /// The same for single tasks.
    pub tasks: BTreeMap<String, f64>,
    /// A file of earlier experience, such as the learned.json of a run, for `learned-mean` and `learned-quantile`.
    pub file: Option<String>,
    /// Earlier experience, by robot; the content of a `file`.
    pub values: BTreeMap<String, Memory>,
}

impl Default for EstimationParams {
    fn default() -> Self {
        EstimationParams { reliability: 0.75, tasks: BTreeMap::new(), file: None, values: BTreeMap::new() }
    }
}

impl EstimationParams {
    /// Replaces the file by its content, and checks everything.
    pub fn prepare(&mut self, preparation: &mut Preparation) {
        for (task, reliability) in &self.tasks {
            let path = format!("estimation.tasks.{task}");
            if !preparation.tasks.iter().any(|known| known.name == *task) {
                let finding = Finding::error(format!("there is no task `{task}`")).at_key(path);
                let names = preparation.tasks.iter().map(|task| task.name.as_str());
                preparation.findings.push(finding.unknown(task, names).listed());
            } else if !(0.01..=0.99).contains(reliability) {
                let message = format!("a reliability must be from 0.01 to 0.99, found {reliability}");
                preparation.findings.push(Finding::error(message).at(path));
            }
        }
        if let Some(file) = self.file.take() {
            match read(&file, preparation) {
                Ok(values) => self.values = values,
                Err(message) => {
                    return preparation.findings.push(Finding::error(message).at("estimation.file"));
                }
            }
        }
        for (robot, memory) in &self.values {
            if let Some(mistake) = memory.mistake() {
                let message = format!("the experience of robot `{robot}`: {mistake}");
                preparation.findings.push(Finding::error(message).at("estimation"));
            }
        }
        self.warn_of_other_work(preparation);
    }

    /// Warns of experience with ways that the team does not have: it was gained elsewhere.
    fn warn_of_other_work(&self, preparation: &mut Preparation) {
        let rows = self.values.values().flat_map(|memory| &memory.rows);
        let mut strange: Vec<&str> = rows.map(|row| row.evidence.0[0].as_str()).collect();
        strange.retain(|way| !preparation.sets.contains(way));
        strange.sort_unstable();
        strange.dedup();
        if !strange.is_empty() {
            let message = format!(
                "the experience is from another mission: nobody can do {} here, so it says little about this one",
                strange.join(", ")
            );
            preparation.findings.push(Finding::warning(message).at("estimation"));
        }
    }
}

fn read(path: &str, preparation: &mut Preparation) -> Result<BTreeMap<String, Memory>, String> {
    let file = (preparation.read)(path)?;
    let memories = Memories::parse(&file.text).map_err(|message| format!("{}: {message}", file.name))?;
    let mut values = BTreeMap::new();
    for (robot, value) in memories.robots {
        let memory = serde_json::from_value(value).map_err(|error| {
            format!("{}: the values of robot `{robot}` are no experience with costs: {error}", file.name)
        })?;
        values.insert(robot, memory);
    }
    if !values.keys().any(|name| preparation.robots.contains(&name.as_str())) {
        let found: Vec<&str> = values.keys().map(String::as_str).collect();
        return Err(format!(
            "the experience is that of other robots ({}) than the team's ({})",
            found.join(", "),
            preparation.robots.join(", ")
        ));
    }
    Ok(values)
}
