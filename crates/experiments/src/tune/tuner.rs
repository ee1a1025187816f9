//! The search itself: candidates, their runs, and the best of them.

use super::race::{clearly_worse, estimate, looks};
use super::search::ParameterSearch;
use super::space::Setting;
use super::tuning::Tuning;
use crate::folder::{ExperimentFolder, FolderError};
use crate::plan::{Cell, Trial};
use crate::pool::Pool;
use crate::runner::{Ended, Runner};
use crate::store::{RunOutcome, Store, StoreError};
use crate::sweep::SweepOptions;
use crewlab_statistics::mean;
use std::collections::HashSet;
use std::time::{Duration, Instant};

/// Number of candidates chosen before the first of them is evaluated, so that many cores have work. It does not depend on the
/// number of cores, and neither does the result.
const BATCH: usize = 4;
/// Number of attempts to find a new candidate before the search ends.
const ATTEMPTS: usize = 60;

/// A candidate and its results.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The values of the parameters, as labels.
    pub shown: Vec<String>,
    /// The settings; `None` for default values that the search could not have chosen.
    pub settings: Vec<Option<Setting>>,
    /// The scenario; `None` if it was refused.
    pub cell: Option<Cell>,
    /// The metric on the search seeds, as far as they were run.
    pub values: Vec<f64>,
    /// Its outcome.
    pub fate: CandidateFate,
    /// The mean of the metric over the seeds of the search; an estimate if it was given up early.
    pub mean: Option<f64>,
}

/// The outcome of a candidate.
#[derive(Clone, Debug, PartialEq)]
pub enum CandidateFate {
    /// All its runs were done.
    Complete,
    /// It was clearly worse than the best, and stopped.
    GivenUp,
    /// It is unusable, for this reason.
    Failed(String),
}

impl CandidateFate {
    /// Its name.
    pub fn name(&self) -> &'static str {
        match self {
            CandidateFate::Complete => "complete",
            CandidateFate::GivenUp => "given-up",
            CandidateFate::Failed(_) => "failed",
        }
    }
}

/// The progress of a tuning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TuningProgress {
    /// Candidates that were tried.
    pub tried: usize,
    /// Runs that were requested and are done.
    pub runs: usize,
    /// The metric of the best candidate.
    pub best: Option<f64>,
    /// True during the final comparison on the held-out seeds.
    pub held_out: bool,
}

/// Why a tuning fails.
#[derive(Debug, thiserror::Error)]
pub enum TuneError {
    /// The folder.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The metric is undefined.
    #[error("`{0}` has no value in any run of the scenario as it is: choose another metric")]
    NoMeaning(&'static str),
    /// No candidate could be run to its end.
    #[error("no candidate could be run on all seeds; the scenario as it is failed with {0}")]
    NothingRuns(String),
}

/// A tuning that ended, complete or not.
#[derive(Debug)]
pub struct Tuned {
    /// Where the results are.
    pub folder: ExperimentFolder,
    /// All runs.
    pub store: Store,
    /// How it ended.
    pub ended: Ended,
    /// All candidates in order; the first is the default.
    pub candidates: Vec<Candidate>,
    /// Index of the best one.
    pub best: Option<usize>,
    /// The search seeds that count: those on which the metric is defined for the default.
    pub seeds: Vec<u64>,
    /// Runs of the search.
    pub runs: usize,
    /// True if every combination was tried.
    pub exhausted: bool,
}

/// Runs a tuning. Calls `tell` for every run.
pub fn tune(
    tuning: &Tuning,
    options: &SweepOptions,
    tell: &mut dyn FnMut(&TuningProgress),
) -> Result<Tuned, TuneError> {
    let began = Instant::now();
    let folder = ExperimentFolder::claim(&options.out, &tuning.plan(), options.resume, options.force)?;
    folder.write("tuning.yaml", tuning.asked.as_bytes())?;
    let seconds = |time: Option<f64>| time.and_then(|time| Duration::try_from_secs_f64(time).ok());
    let pool = Pool { jobs: options.jobs, per_run: seconds(tuning.per_run), stop: options.stop.clone() };
    let mut runner = Runner::new(Store::open(folder.path())?, pool);
    runner.from_the_end = !folder.is_first();
    runner.retry = options.retry;
    runner.until = seconds(tuning.time).and_then(|time| began.checked_add(time));
    let mut tuner = Tuner {
        tuning,
        runner,
        tell,
        seeds: tuning.seeds.clone(),
        candidates: Vec::new(),
        best: None,
        runs: 0,
        seen: HashSet::new(),
        exhausted: false,
    };
    let ended = match tuner.all() {
        Ok(()) => Ended::Complete,
        Err(Halt::Early(ended)) => ended,
        Err(Halt::Wrong(error)) => return Err(error),
    };
    let Tuner { runner, seeds, candidates, best, runs, exhausted, .. } = tuner;
    Ok(Tuned { folder, store: runner.store, ended, candidates, best, seeds, runs, exhausted })
}

/// Why the search stops.
enum Halt {
    Early(Ended),
    Wrong(TuneError),
}

impl From<StoreError> for Halt {
    fn from(error: StoreError) -> Halt {
        Halt::Wrong(error.into())
    }
}

struct Tuner<'a> {
    tuning: &'a Tuning,
    runner: Runner,
    tell: &'a mut dyn FnMut(&TuningProgress),
    seeds: Vec<u64>,
    candidates: Vec<Candidate>,
    best: Option<usize>,
    runs: usize,
    /// Fingerprints of the candidates so far.
    seen: HashSet<u128>,
    exhausted: bool,
}

impl Tuner<'_> {
    fn all(&mut self) -> Result<(), Halt> {
        let mut search = ParameterSearch::new(&self.tuning.space, self.tuning.start);
        self.default(&mut search)?;
        let combinations = self.tuning.space.count().filter(|count| *count <= self.tuning.candidates as u64);
        let mut all = 0..combinations.unwrap_or(0);
        loop {
            let room = BATCH.min(self.tuning.candidates.saturating_sub(self.candidates.len()));
            let batch: Vec<Candidate> = (0..room)
                .map_while(|_| match combinations {
                    Some(_) => all.find_map(|index| self.fresh(self.tuning.space.combination(index))),
                    None => self.sought(&mut search),
                })
                .collect();
            if batch.is_empty() {
                break;
            }
            let first = self.candidates.len();
            self.race(batch)?;
            self.learn(&mut search, first);
        }
        self.exhausted = combinations.is_some() || self.candidates.len() < self.tuning.candidates;
        let failed = |candidate: &Candidate| match &candidate.fate {
            CandidateFate::Failed(reason) => reason.clone(),
            _ => String::new(),
        };
        let Some(best) = self.best else {
            let reason = self.candidates.first().map(failed).unwrap_or_default();
            return Err(Halt::Wrong(TuneError::NothingRuns(reason)));
        };
        let cells = [Some(0), Some(best).filter(|best| *best > 0)].into_iter().flatten();
        let cells: Vec<Cell> = cells.filter_map(|which| self.candidates[which].cell.clone()).collect();
        let held_out = &self.tuning.held_out;
        let trials = held_out.iter().flat_map(|seed| cells.iter().map(|cell| cell.trial(*seed))).collect();
        self.run(trials, true)
    }

    /// Evaluates the default first, so that nothing worse is chosen. Seeds on which the metric is undefined are left out.
    fn default(&mut self, search: &mut ParameterSearch) -> Result<(), Halt> {
        let cell = self.tuning.default.clone();
        self.run(self.seeds.iter().map(|seed| cell.trial(*seed)).collect(), false)?;
        let column = self.tuning.column;
        let store = &self.runner.store;
        self.seeds.retain(|seed| match store.get(&cell.trial(*seed).key) {
            Some(outcome @ RunOutcome::Done { .. }) => outcome.value(column).is_some(),
            _ => true,
        });
        if self.seeds.is_empty() {
            return Err(Halt::Wrong(TuneError::NoMeaning(self.tuning.metric.name)));
        }
        self.seen.insert(cell.fingerprint);
        let given = &self.tuning.given;
        self.candidates.push(Candidate {
            shown: given.iter().map(|given| given.shown.clone()).collect(),
            settings: given.iter().map(|given| given.setting.clone()).collect(),
            cell: Some(cell),
            values: Vec::new(),
            fate: CandidateFate::Complete,
            mean: None,
        });
        self.collect(0, self.seeds.len());
        self.settle(0);
        self.learn(search, 0);
        Ok(())
    }

    /// A candidate that was not tried before.
    fn sought(&mut self, search: &mut ParameterSearch) -> Option<Candidate> {
        (0..ATTEMPTS).find_map(|attempt| {
            let settings = if attempt < ATTEMPTS / 2 { search.ask() } else { search.random() };
            self.fresh(settings)
        })
    }

    fn fresh(&mut self, settings: Vec<Setting>) -> Option<Candidate> {
        let shown: Vec<String> = settings.iter().map(|setting| setting.shown.clone()).collect();
        let (cell, fate) = match self.tuning.cell(&settings) {
            Ok(cell) if !self.seen.insert(cell.fingerprint) => return None,
            Ok(cell) => (Some(cell), CandidateFate::Complete),
            Err(_) if self.candidates.iter().any(|known| known.shown == shown) => return None,
            Err(problems) => {
                (None, CandidateFate::Failed(format!("the scenario refuses it: {}", problems.brief())))
            }
        };
        let settings = settings.into_iter().map(Some).collect();
        Some(Candidate { shown, settings, cell, values: Vec::new(), fate, mean: None })
    }

    /// Runs new candidates, and stops those that are clearly worse than the best so far.
    fn race(&mut self, batch: Vec<Candidate>) -> Result<(), Halt> {
        let first = self.candidates.len();
        self.candidates.extend(batch);
        let mut racing: Vec<usize> = (first..self.candidates.len()).collect();
        racing.retain(|which| self.candidates[*which].cell.is_some());
        let mut done = 0;
        for look in looks(self.seeds.len()) {
            let cells: Vec<&Cell> =
                racing.iter().filter_map(|which| self.candidates[*which].cell.as_ref()).collect();
            let seeds = &self.seeds[done..look];
            let trials = seeds.iter().flat_map(|seed| cells.iter().map(|cell| cell.trial(*seed))).collect();
            if let Err(halt) = self.run(trials, false) {
                // Unfinished candidates do not count.
                self.candidates.truncate(first);
                return Err(halt);
            }
            racing.retain(|which| self.stays(*which, look));
            done = look;
        }
        (first..self.candidates.len()).for_each(|which| self.settle(which));
        Ok(())
    }

    /// Tests a candidate after `look` seeds: true if it continues.
    fn stays(&mut self, which: usize, look: usize) -> bool {
        self.collect(which, look);
        if self.candidates[which].fate != CandidateFate::Complete {
            return false;
        }
        let losses = |which: usize| self.losses(which);
        let worse = look < self.seeds.len()
            && self.best.is_some_and(|best| clearly_worse(&losses(which), &losses(best)));
        if worse {
            self.candidates[which].fate = CandidateFate::GivenUp;
        }
        !worse
    }

    fn losses(&self, which: usize) -> Vec<f64> {
        self.candidates[which].values.iter().map(|value| self.tuning.goal.loss(*value)).collect()
    }

    /// Collects the first results of a candidate from the store. A single undefined value makes it unusable.
    fn collect(&mut self, which: usize, seeds: usize) {
        let Some(cell) = self.candidates[which].cell.clone() else { return };
        let mut values = Vec::with_capacity(seeds);
        let mut fate = CandidateFate::Complete;
        for seed in &self.seeds[..seeds] {
            let outcome = self.runner.store.get(&cell.trial(*seed).key);
            match outcome.and_then(|outcome| outcome.value(self.tuning.column)) {
                Some(value) => values.push(value),
                None => {
                    fate = CandidateFate::Failed(match outcome {
                        Some(RunOutcome::Failed { failure, reason }) => {
                            format!("seed {seed} {failure}: {reason}")
                        }
                        _ => format!("{} has no value on seed {seed}", self.tuning.metric.name),
                    });
                    break;
                }
            }
        }
        self.candidates[which].values = values;
        self.candidates[which].fate = fate;
    }

    /// Computes the mean of a candidate that gets no more runs.
    fn settle(&mut self, which: usize) {
        let losses = self.losses(which);
        let best = self.best.map(|best| self.losses(best));
        let loss = match (&self.candidates[which].fate, best) {
            (CandidateFate::Complete, _) => mean(&losses),
            (CandidateFate::GivenUp, Some(best)) => estimate(&losses, &best),
            _ => None,
        };
        // The loss function is its own inverse.
        self.candidates[which].mean = loss.map(|loss| self.tuning.goal.loss(loss));
    }

    /// Reports the candidates from `first` on to the search, and finds the best.
    fn learn(&mut self, search: &mut ParameterSearch, first: usize) {
        for which in first..self.candidates.len() {
            let candidate = &self.candidates[which];
            let loss = candidate.mean.map_or(f64::INFINITY, |mean| self.tuning.goal.loss(mean));
            let places: Vec<Option<f64>> = candidate
                .settings
                .iter()
                .map(|setting| setting.as_ref().map(|setting| setting.place))
                .collect();
            search.tell(&places, loss);
            let best = self.best.and_then(|best| self.candidates[best].mean);
            let best = best.map_or(f64::INFINITY, |mean| self.tuning.goal.loss(mean));
            if candidate.fate == CandidateFate::Complete && loss < best {
                self.best = Some(which);
            }
        }
    }

    /// Does the given runs.
    fn run(&mut self, trials: Vec<Trial>, held_out: bool) -> Result<(), Halt> {
        let best = self.best.and_then(|best| self.candidates[best].mean);
        let mut progress = TuningProgress { tried: self.candidates.len(), runs: self.runs, best, held_out };
        let Tuner { runner, tell, .. } = self;
        let ended = runner.run(&trials, &mut |_, _| {
            progress.runs += 1;
            tell(&progress);
        })?;
        if !held_out {
            self.runs += trials.len();
        }
        match ended {
            Ended::Complete => Ok(()),
            early => Err(Halt::Early(early)),
        }
    }
}
