//! ALLIANCE's parameters in scenarios: for the team, for a robot type, for a robot, and in each of these for a behaviour set.
//! Values for a behaviour set take precedence over general ones; then those of a robot over its type's, and of the type over
//! the team's.

use super::learning::LearningParams;
use super::learning::rules::rate;
use super::motivation::{SetSettings, Toward};
use crate::{Boot, Guarantee, Missing};
use crewlab_onboard::RobotId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Values towards one team-mate.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct TowardPatch {
    /// δslow: growth while this team-mate is heard working on the task.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0), extend("x-unit" = "1/s"))]
    pub slow_impatience: Option<f64>,
    /// φ: how long this team-mate's statements may slow the growth.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub time_willing_to_affect: Option<f64>,
}

/// Some of the parameters of a behaviour set.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Patch {
    /// ρ: how often an active robot states what it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "1/s"))]
    pub broadcast_rate: Option<f64>,
    /// τ: silence after which a team-mate counts as gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub time_allowed_till_ceased: Option<f64>,
    /// φ: how long team-mates' statements may slow the growth.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub time_willing_to_affect: Option<f64>,
    /// δslow: growth of motivation while a team-mate is heard working on the task.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0), extend("x-unit" = "1/s"))]
    pub slow_impatience: Option<f64>,
    /// δfast: growth of motivation otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0), extend("x-unit" = "1/s"))]
    pub fast_impatience: Option<f64>,
    /// ψ: active time after which the robot yields to one that wants the task.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub time_before_yielding: Option<f64>,
    /// λ: active time after which the robot gives the task up anyway.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub time_before_giving_up: Option<f64>,
    /// Values towards particular team-mates, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub toward: BTreeMap<String, TowardPatch>,
}

/// Parameters of a robot or robot type, in general and per behaviour set.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
#[schemars(extend("additionalProperties" = false))]
pub struct Level {
    /// For all behaviour sets.
    #[serde(flatten)]
    pub general: Patch,
    /// For single behaviour sets, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub behaviours: BTreeMap<String, Patch>,
}

/// Parameters of ALLIANCE for a whole team.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
#[schemars(extend("additionalProperties" = false))]
pub struct AllianceParams {
    /// θ: the motivation at which a behaviour set becomes active, one for the whole team.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub threshold: Option<f64>,
    /// A `.properties` file with the parameters. Values in the scenario take precedence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub properties: Option<String>,
    /// Learning of task times, from which the parameters are derived (L-ALLIANCE). Default: no learning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub learning: Option<LearningParams>,
    /// For the whole team.
    #[serde(flatten)]
    pub team: Level,
    /// For single robot types, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub types: BTreeMap<String, Level>,
    /// For single robots, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub robots: BTreeMap<String, Level>,
}

impl AllianceParams {
    /// The threshold and the settings of one robot's behaviour sets, or the names of missing parameters.
    pub fn settings(&self, boot: &Boot) -> Result<(f64, Vec<SetSettings>), Vec<Missing>> {
        let mut missing = Vec::new();
        let threshold = self.threshold.unwrap_or_else(|| {
            missing.push(Missing { key: "threshold".into(), behaviour: None });
            f64::NAN
        });
        let neutral = self.neutral(threshold);
        let sets = boot.me.behaviours.iter().map(|behaviour| {
            let patches = self.patches(boot, &behaviour.name);
            match &neutral {
                Some(neutral) => resolve_neutral(neutral, &patches, boot, &behaviour.name, &mut missing),
                None => resolve(&patches, boot, &behaviour.name, &mut missing),
            }
        });
        let sets: Vec<SetSettings> = sets.collect();
        missing.sort();
        missing.dedup();
        if missing.is_empty() { Ok((threshold, sets)) } else { Err(missing) }
    }

    /// ALLIANCE's guarantee: a mission gets completed if motivations grow strictly, the threshold is finite and every task has a
    /// capable robot. (The progress of active robots is monitored during the run.)
    pub(super) fn guarantee(&self, team: &[Boot]) -> Guarantee {
        let mut found = Guarantee::default();
        for boot in team {
            let Ok((threshold, sets)) = self.settings(boot) else { continue };
            if !threshold.is_finite() || threshold <= 0.0 {
                found.breaches.push(format!("the threshold must be finite and above 0, found {threshold}"));
            }
            for (spec, set) in boot.me.behaviours.iter().zip(&sets) {
                let slow = set.toward.iter().map(|(_, toward)| toward).chain([&set.anyone]);
                let lowest = slow.map(|toward| toward.slow_impatience).fold(set.fast_impatience, f64::min);
                if lowest <= 0.0 {
                    found.breaches.push(format!(
                        "the motivation of {} for {} need not grow: its slowest impatience is {lowest} /s, it must be above 0",
                        boot.me.name, spec.name
                    ));
                }
            }
        }
        if found.breaches.is_empty() {
            let kept = "ALLIANCE's guarantee: finite threshold, motivations grow strictly, every task has a capable robot";
            found.kept.push(kept.into());
        }
        found
    }

    /// Replaces hand-set rates and times until something is learned: the neutral time for everybody.
    fn neutral(&self, threshold: f64) -> Option<Patch> {
        let learning = self.learning.as_ref().filter(|learning| learning.ignores_hand_set())?;
        let time = learning.neutral_time;
        Some(Patch {
            time_willing_to_affect: Some(time),
            slow_impatience: Some(rate(threshold, time)),
            fast_impatience: Some(rate(threshold, learning.max_delay)),
            time_before_yielding: Some(time),
            time_before_giving_up: Some(learning.giving_up_factor * time),
            ..Patch::default()
        })
    }

    /// The patches for one behaviour set of one robot, the most specific first.
    fn patches(&self, boot: &Boot, behaviour: &str) -> Vec<&Patch> {
        let levels = [self.robots.get(&boot.me.name), self.types.get(&boot.me.robot_type), Some(&self.team)];
        let specific = levels.iter().flatten().filter_map(|level| level.behaviours.get(behaviour));
        let general = levels.iter().flatten().map(|level| &level.general);
        specific.chain(general).collect()
    }
}

fn resolve(patches: &[&Patch], boot: &Boot, behaviour: &str, missing: &mut Vec<Missing>) -> SetSettings {
    let mut first = |name: &str, get: &dyn Fn(&Patch) -> Option<f64>| {
        patches.iter().find_map(|patch| get(patch)).unwrap_or_else(|| {
            missing.push(Missing { key: name.into(), behaviour: Some(behaviour.into()) });
            f64::NAN
        })
    };
    let anyone = Toward {
        slow_impatience: first("slow-impatience", &|p| p.slow_impatience),
        time_willing_to_affect: first("time-willing-to-affect", &|p| p.time_willing_to_affect),
    };
    SetSettings {
        broadcast_rate: first("broadcast-rate", &|p| p.broadcast_rate),
        time_allowed_till_ceased: first("time-allowed-till-ceased", &|p| p.time_allowed_till_ceased),
        fast_impatience: first("fast-impatience", &|p| p.fast_impatience),
        time_before_yielding: first("time-before-yielding", &|p| p.time_before_yielding),
        time_before_giving_up: first("time-before-giving-up", &|p| p.time_before_giving_up),
        anyone,
        toward: toward_each(patches, boot, anyone),
    }
}

/// The neutral values, with the broadcast rate and the patience of the scenario.
fn resolve_neutral(
    neutral: &Patch,
    patches: &[&Patch],
    boot: &Boot,
    behaviour: &str,
    missing: &mut Vec<Missing>,
) -> SetSettings {
    let all: Vec<&Patch> = [neutral].into_iter().chain(patches.iter().copied()).collect();
    SetSettings { toward: Vec::new(), ..resolve(&all, boot, behaviour, missing) }
}

/// Values towards the team-mates that some patch names, in the order of their numbers.
fn toward_each(patches: &[&Patch], boot: &Boot, anyone: Toward) -> Vec<(RobotId, Toward)> {
    let names: BTreeSet<&String> = patches.iter().flat_map(|patch| patch.toward.keys()).collect();
    let mut each = Vec::new();
    for name in names {
        let Some((_, robot)) = boot.roster.iter().find(|(known, _)| known == name) else { continue };
        let named: Vec<&TowardPatch> = patches.iter().filter_map(|patch| patch.toward.get(name)).collect();
        let slow_impatience = named.iter().find_map(|patch| patch.slow_impatience);
        let time_willing_to_affect = named.iter().find_map(|patch| patch.time_willing_to_affect);
        let toward = Toward {
            slow_impatience: slow_impatience.unwrap_or(anyone.slow_impatience),
            time_willing_to_affect: time_willing_to_affect.unwrap_or(anyone.time_willing_to_affect),
        };
        each.push((*robot, toward));
    }
    each.sort_by_key(|(robot, _)| *robot);
    each
}
