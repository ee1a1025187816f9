//! Campaigns: missions, coordinators, team sizes, rooms, ticks, noise and disturbances, combined at random and run. They find the
//! places where teams do not finish, and say why.
//!
//! [`plan`] draws settings from a [`Scope`] and makes an ordinary plan of them, so that its runs can be resumed and shared like those
//! of any sweep; [`CampaignReport`] groups the runs that were not completed by their causes.

mod page;
mod report;
mod sequence;
mod setting;
mod space;
mod text;

pub use page::page;
pub use report::{CampaignReport, CauseGroup, IncompleteRun, LevelCount};
pub use setting::{FACTORS, NOTHING};
pub use space::{NOISES, ROBOTS, Scope, ScopeError, TICKS, words};
pub use text::readable;

use crate::plan::{Cell, Factor, Plan, Purpose};
use crewlab_scenario::{Problems, Request, load};
use rayon::prelude::*;
use sequence::Sequence;
use setting::{Bases, Setting};
use space::Space;
use std::collections::BTreeSet;

/// Number of points that are drawn for one new setting before the space counts as used up.
const TRIES: usize = 200;

/// The parameters of a campaign.
#[derive(Clone, Debug)]
pub struct Campaign {
    /// What is varied.
    pub scope: Scope,
    /// Number of runs.
    pub runs: usize,
    /// Number of seeds per setting.
    pub seeds: usize,
    /// The seed of the sample; the runs' seeds count from it.
    pub seed: u64,
    /// The command, for the report.
    pub asked: String,
}

/// Why a campaign cannot be planned.
#[derive(Debug, thiserror::Error)]
pub enum CampaignError {
    /// The scope.
    #[error(transparent)]
    Scope(#[from] ScopeError),
    /// A mission's own scenario.
    #[error(transparent)]
    Scenario(#[from] Problems),
    /// Seeds out of range.
    #[error("{0} seeds from {1} on cannot be used: take fewer, and a seed below 2^63")]
    Seeds(usize, u64),
}

/// A campaign that is ready to run.
#[derive(Debug)]
pub struct PlannedCampaign {
    /// The runs.
    pub plan: Plan,
    /// The requests of the plan's cells, in their order.
    requests: Vec<Request>,
    /// Settings that cannot be run, and why.
    refused: Vec<RefusedSetting>,
}

impl PlannedCampaign {
    /// Why settings cannot be run, each reason once.
    pub fn refusals(&self) -> Vec<&str> {
        let reasons: BTreeSet<&str> = self.refused.iter().map(|refused| refused.reason.as_str()).collect();
        reasons.into_iter().collect()
    }
}

/// A setting that is refused before its runs.
#[derive(Clone, Debug)]
struct RefusedSetting {
    levels: Vec<String>,
    request: Request,
    reason: String,
}

/// Draws the settings of a campaign. The sample is a function of the scope, the numbers and the seed.
pub fn plan(campaign: &Campaign) -> Result<PlannedCampaign, CampaignError> {
    let space = Space::new(&campaign.scope)?;
    let bases = Bases::load(&space.missions())?;
    let settings = draw(&space, campaign.runs.div_ceil(campaign.seeds.max(1)), campaign.seed);
    // A space with few settings gets more seeds instead.
    let seeds = campaign.seeds.max(campaign.runs / settings.len().max(1)).max(1);
    let out_of_range = || CampaignError::Seeds(seeds, campaign.seed);
    let end = campaign.seed.checked_add(seeds as u64).filter(|end| *end <= i64::MAX as u64);
    let end = end.ok_or_else(out_of_range)?;
    // Loading a scenario builds its world, which takes a while for thousands.
    let loaded: Vec<(Vec<String>, Request, Result<Cell, String>)> = settings
        .par_iter()
        .map(|setting| {
            let (levels, request) = (setting.levels(), setting.request(&bases));
            let cell = load(&request).map(|scenario| Cell::new(levels.clone(), &scenario));
            (levels, request, cell.map_err(|problems| problems.brief()))
        })
        .collect();
    let (mut cells, mut requests, mut refused) = (Vec::new(), Vec::new(), Vec::new());
    for (levels, request, cell) in loaded {
        match cell {
            Ok(cell) => {
                cells.push(cell);
                requests.push(request);
            }
            Err(reason) => refused.push(RefusedSetting { levels, request, reason }),
        }
    }
    let plan = Plan {
        name: format!("campaign-{}", campaign.seed),
        purpose: Purpose::Campaign,
        scenario: "many".into(),
        asked: campaign.asked.clone(),
        factors: FACTORS.iter().map(|name| Factor { name: name.to_string(), unit: None }).collect(),
        cells,
        seeds: (campaign.seed..end).collect(),
        left_out: 0,
        metrics: vec!["completed".into(), "time_s".into()],
        time: None,
        per_run: None,
    };
    Ok(PlannedCampaign { plan, requests, refused })
}

/// Different settings, as many as asked for if there are as many.
fn draw(space: &Space, count: usize, seed: u64) -> Vec<Setting> {
    let sequence = Sequence::new(Space::AXES, seed);
    let (mut known, mut settings) = (BTreeSet::new(), Vec::new());
    let mut since = 0;
    for number in 0.. {
        if settings.len() >= count || since >= TRIES {
            break;
        }
        let setting = space.at(&sequence.point(number));
        since += 1;
        if known.insert(setting.levels()) {
            settings.push(setting);
            since = 0;
        }
    }
    settings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn campaign(runs: usize, scope: Scope) -> PlannedCampaign {
        plan(&Campaign { scope, runs, seeds: 1, seed: 1, asked: String::new() }).expect("a plan")
    }

    #[test]
    fn a_larger_campaign_begins_with_the_smaller_one() {
        let few = campaign(20, Scope::default());
        let many = campaign(40, Scope::default());
        let fingerprints = |planned: &PlannedCampaign| {
            planned.plan.cells.iter().map(|cell| cell.fingerprint).collect::<Vec<_>>()
        };
        let (few, many) = (fingerprints(&few), fingerprints(&many));
        assert_eq!(many[..few.len()], few[..]);
        assert!(many.len() > few.len());
    }

    #[test]
    fn a_small_space_gets_more_seeds() {
        let scope = Scope {
            missions: vec!["waste-cleanup".into()],
            coordinators: vec!["greedy".into()],
            robots: Some((3, 3)),
            rooms: vec!["own".into()],
            ticks: vec!["100 ms".into()],
            noises: vec![1.0, 2.0],
            disturbances: vec!["none".into()],
        };
        let planned = campaign(10, scope);
        assert_eq!((planned.plan.cells.len(), planned.plan.seeds.len()), (2, 5));
    }
}
