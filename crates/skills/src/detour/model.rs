//! What is learned about trials: the network of figure 4.13, whose structure is fixed, and what is asked of it.

use super::course::{Ratio, Way};
use crewlab_learn::{
    CostDistribution, Error, Model, Network, Prior, Rounding, Structure, Validity, Variable,
};

// The variables of the network.
const RATIO: usize = 0;
const WAY: usize = 1;
const STATUS: usize = 2;
const TIME: usize = 3;
const LENGTH: usize = 4;
const FINE_TIME: usize = 5;
const FIRST_RATIO: usize = 6;

/// Width of the intervals of the fine time. [s]
pub(super) const STEP: f64 = 0.5;
/// Where they begin: half a tick late, because times are whole ticks of 0.1 s, and the middle of an interval must be the mean of those in
/// it. [s]
pub(super) const ORIGIN: f64 = 0.05;
/// Number of these intervals.
const STEPS: usize = 240;

/// How a trial ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The goal was reached.
    Success,
    /// Something was touched, or time was up.
    Failed,
}

/// A trial, as the model learns from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trial {
    /// The numbers of objects.
    pub ratio: Ratio,
    /// The way that the robot took.
    pub way: Way,
    /// True for the first trial of a map.
    pub first: bool,
    /// How it ended.
    pub status: Status,
    /// How long it took, t_r. [s]
    pub seconds: f64,
    /// Distance driven, l_p. [m]
    pub metres: f64,
}

/// The network before it has seen anything. Ratio and way have no causes; they decide the status, all three the time, ratio and status
/// the length. Beside the four intervals of the text there are fine ones, and the ratio over first trials alone: maps that fail have more
/// trials, so over all trials the crowded ones are more frequent than they are.
fn network() -> Result<Network, Error> {
    let ratios = || Ratio::ALL.map(Ratio::text);
    let fine = (0..=STEPS).map(|step| ORIGIN + step as f64 * STEP).collect();
    let variables = vec![
        Variable::named("ratio", ratios()),
        Variable::named("way", Way::ALL.map(Way::name)),
        Variable::named("status", ["success", "failed"]),
        Variable::intervals("t_r", vec![0.0, 10.0, 20.0, 30.0, 40.0]),
        Variable::intervals("l_p", vec![0.0, 3.0, 6.0, 9.0]),
        Variable::intervals("t_r_fine", fine),
        Variable::named("ratio_of_map", ratios()),
    ];
    let causes = vec![RATIO, WAY, STATUS];
    let parents = vec![vec![], vec![], vec![RATIO, WAY], causes.clone(), vec![RATIO, STATUS], causes, vec![]];
    Network::new(variables, Structure::new(parents)?, Prior::default())
}

/// Learns a model from trials. `place` tells where it is valid, `source` where the trials are from.
pub fn learn(trials: &[Trial], place: &str, source: &str) -> Result<Model, Error> {
    let mut network = network()?;
    let state =
        |variable: usize, value: f64, network: &Network| network.variables()[variable].state_of(value);
    for trial in trials {
        let ratio = Some(trial.ratio.index());
        let row = [
            ratio,
            Some(trial.way as usize),
            Some(trial.status as usize),
            state(TIME, trial.seconds, &network),
            state(LENGTH, trial.metres, &network),
            state(FINE_TIME, trial.seconds, &network),
            ratio.filter(|_| trial.first),
        ];
        network.update(&row)?;
    }
    let validity = Validity {
        source: source.to_string(),
        scenarios: vec![place.to_string()],
        rows: trials.len() as u64,
        ..Validity::default()
    };
    Ok(Model { validity, network })
}

/// Why a model cannot be used in this place; `None` if it can.
pub fn objection(model: &Model, place: &str) -> Option<String> {
    let expected = network().ok()?;
    let names = |network: &Network| {
        let all = network.variables().iter().map(|one| format!("{} ({})", one.name, one.states.len()));
        all.collect::<Vec<_>>().join(", ")
    };
    let same = model.network.variables() == expected.variables()
        && model.network.structure() == expected.structure();
    if !same {
        return Some(format!(
            "the model is about {}, and robots here need one about {}, as `crewlab trials --learn` writes it",
            names(&model.network),
            names(&expected)
        ));
    }
    let known = &model.validity.scenarios;
    (!known.iter().any(|known| known == place)).then(|| {
        format!(
            "the model was learned where {}, and here {place}: it is not valid here; learn one for this place",
            known.join(" or ")
        )
    })
}

/// The answers of a model.
#[derive(Clone, Copy)]
pub(super) struct Experience<'a>(pub &'a Model);

impl Experience<'_> {
    /// Probabilities of a variable given its parents; nothing if the network has no such row.
    fn row(&self, variable: usize, parents: &[usize]) -> &[f64] {
        self.0.network.row(variable, parents).map_or(&[], |(row, _)| row)
    }

    /// P(success | ratio, way).
    pub fn success(&self, ratio: usize, way: Way) -> f64 {
        self.row(STATUS, &[ratio, way as usize]).first().copied().unwrap_or_default()
    }

    /// The time of a trial in the four intervals of the text.
    pub fn time(&self, status: Status, ratio: usize, way: Way) -> Option<CostDistribution> {
        let row = self.row(TIME, &[ratio, way as usize, status as usize]);
        CostDistribution::of(&self.0.network.variables()[TIME], row).ok()
    }

    /// The time of a trial in steps of [`STEP`].
    pub fn fine_time(&self, status: Status, ratio: usize, way: Way) -> &[f64] {
        self.row(FINE_TIME, &[ratio, way as usize, status as usize])
    }

    /// P(ratio) over all trials.
    pub fn ratios(&self) -> Vec<f64> {
        self.row(RATIO, &[]).to_vec()
    }

    /// P(ratio) over maps.
    pub fn ratios_of_maps(&self) -> Vec<f64> {
        self.row(FIRST_RATIO, &[]).to_vec()
    }

    /// P(ratio | failed, way, length), a term of (4.30).
    pub fn ratios_after(&self, way: Way, length: f64) -> Vec<f64> {
        let length = self.0.network.variables()[LENGTH].state_of(length).unwrap_or_default();
        let evidence = [(STATUS, Status::Failed as usize), (WAY, way as usize), (LENGTH, length)];
        let posterior = self.0.network.posterior(RATIO, &evidence);
        posterior.map_or_else(|_| self.ratios(), |posterior| posterior.probabilities)
    }
}

/// The cost of a time: its mean (4.31), or the bound of its quantile (4.32 as meant).
pub(super) fn cost(time: &CostDistribution, level: Option<f64>) -> f64 {
    level.map_or_else(|| time.mean(), |level| time.quantile(level, Rounding::Bound))
}
