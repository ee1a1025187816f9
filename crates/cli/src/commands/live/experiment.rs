//! The runs of an experiment as a shelf: the worst ones are listed, all can be opened.

use crate::commands::sweep::warn;
use crewlab_experiments::analysis::{Analysis, amount};
use crewlab_experiments::folder::{self, FolderError};
use crewlab_experiments::page::{REPLAY, replay_key, replayed};
use crewlab_experiments::plan::{Cell, Plan};
use crewlab_experiments::store::Store;
use crewlab_live::shelf::{Shelf, ShelfRun};
use crewlab_scenario::Request;
use std::fs;
use std::path::{Path, PathBuf};

/// An experiment's folder.
#[derive(Debug)]
pub struct Experiment {
    folder: PathBuf,
    plan: Plan,
    worst: Vec<ShelfRun>,
}

impl Experiment {
    /// The experiment in a folder; `None` if there is none.
    pub fn read(path: &Path) -> anyhow::Result<Option<Experiment>> {
        let plan = match folder::read_plan(path) {
            Err(FolderError::Nothing(_)) => return Ok(None),
            other => other?,
        };
        let version = folder::version(path)?;
        if let Some(doubt) = crewlab_lab::doubt(&path.display().to_string(), &version) {
            eprintln!("warning: {doubt}");
        }
        let store = Store::made_by(path, &version)?;
        warn(&store.oddities);
        let analysis = Analysis::of(&plan, &store);
        let (_, metric) = analysis.main();
        let mut worst = Vec::new();
        for (cell, figures) in analysis.cells.iter().enumerate() {
            for run in &figures.worst {
                let ended = if run.completed { "completed" } else { "not completed" };
                worst.push(ShelfRun {
                    key: replay_key(&plan.cells[cell], run.seed),
                    title: format!("{}, seed {}", figures.title(), run.seed),
                    note: format!("{ended}, {} {}", metric.title, amount(run.value, metric)),
                });
            }
        }
        if worst.is_empty() {
            // Without runs yet, the first run of every cell is offered.
            let first = |cell: &Cell| {
                let seed = *plan.seeds.first()?;
                let title = format!("{}, seed {seed}", cell.title());
                Some(ShelfRun { key: replay_key(cell, seed), title, note: "not run yet".into() })
            };
            worst = plan.cells.iter().filter_map(first).collect();
        }
        Ok(Some(Experiment { folder: path.to_path_buf(), plan, worst }))
    }
}

impl Shelf for Experiment {
    fn title(&self) -> String {
        self.plan.name.clone()
    }

    fn list(&self) -> Vec<ShelfRun> {
        self.worst.clone()
    }

    fn run(&self, key: &str) -> Result<Request, String> {
        let found = replayed(&self.plan, key);
        let (cell, seed) = found.ok_or_else(|| {
            format!(
                "there is no run `{key}` in {}: a key is the beginning of a cell's fingerprint and a seed, as in the links of report.html; perhaps the experiment has changed since the report was written",
                self.plan.name
            )
        })?;
        Ok(cell.request(&format!("{} ({})", self.plan.name, cell.title()), seed))
    }

    fn report(&self) -> Option<String> {
        // The links of the served report lead to this server.
        let page = fs::read_to_string(self.folder.join("report.html")).ok()?;
        Some(page.replace(REPLAY, "replay/"))
    }
}
