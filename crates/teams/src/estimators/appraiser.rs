//! What a robot's work is worth to it: its plans and the reliability of its capabilities, as its estimator sees them, and what its
//! estimator learns from how the work went.

use super::evidence::{Before, Observation};
use super::{
    EstimationParams, EstimatorName, Evidence, Experience, KINDS, Memory, PlannedStep, Prospect, Reckoning,
    Row,
};
use crewlab_onboard::{
    Appraisal, BehaviourSpec, Capabilities, Choice, Estimate, Event, Identity, Means, Rating, Settlement,
    Situation, Skills, Time,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Work that took more than this share of its planned time was late.
const LATE: f64 = 1.5;

/// The appraiser of one robot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Appraiser {
    capabilities: Capabilities,
    estimator: EstimatorName,
    experience: Experience,
    /// ς, and that of single tasks.
    reliability: (f64, BTreeMap<String, f64>),
    observation: Observation,
    attempt: Option<Attempt>,
    /// Number of its decisions.
    decisions: u32,
}

/// Work in progress: what was known when it began.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Attempt {
    decision: u32,
    choice: Choice,
    evidence: Evidence,
    /// Its planned time. [s]
    planned: f64,
    /// Its utility. [s]
    utility: f64,
    since: Time,
}

/// The worth of a piece of work in one way.
#[derive(Clone, Debug, PartialEq)]
pub struct Valuation {
    /// The expected reward ρ̂: utility minus cost. [s]
    pub reward: f64,
    /// The planned time. [s]
    pub planned: f64,
    /// The time that the estimator reckons with. [s]
    pub time: f64,
    /// Quantiles of the cost at [`super::SHARES`] as rewards, so the largest first; empty if there is only one number. [s]
    pub quantiles: Vec<f64>,
    /// The share ς of outcomes that should not be worse; `None` if the reward is a mean.
    pub level: Option<f64>,
}

impl Appraiser {
    /// The appraiser of a robot with an estimator.
    pub fn new(estimator: EstimatorName, params: &EstimationParams, me: &Identity) -> Appraiser {
        let memory = params.values.get(&me.name).filter(|_| estimator.kind().learns);
        Appraiser {
            capabilities: Capabilities::new(&me.datasheet),
            estimator,
            experience: Experience::new(memory),
            reliability: (params.reliability, params.tasks.clone()),
            observation: Observation::default(),
            attempt: None,
            decisions: 0,
        }
    }

    /// Its memory for the next run; `None` if its estimator does not learn.
    pub fn memory(&self) -> Option<Memory> {
        self.estimator.kind().learns.then(|| self.experience.memory())
    }

    /// Observes; called in every tick.
    pub fn observe(&mut self, situation: &Situation) {
        self.observation.note(situation);
    }

    /// Notes that the robot begins to work on something, as it plans it now, and tells what every estimator expects of it. Only the
    /// team's estimator is asked about the other ways that the robot has. `None` if there is no plan now.
    pub fn begin(
        &mut self,
        choice: Choice,
        others: &[(Choice, Valuation)],
        situation: &Situation,
        skills: &dyn Skills,
    ) -> Option<Event> {
        self.attempt = None;
        let mut prospect = self.prospect(choice, situation, skills);
        let planned = Some(prospect.planned()).filter(|planned| planned.is_finite())?;
        prospect.evidence = self.observation.evidence(choice, planned, situation, skills);
        let way = |choice: &Choice| situation.me.behaviour(choice.behaviour).name.clone();
        let known = KINDS.iter().filter(|kind| !kind.learns || self.estimator.kind().learns);
        let mut estimates: Vec<Estimate> = known
            .map(|kind| {
                let Reckoning { cost, level, .. } = (kind.reckon)(&prospect, &self.experience);
                let (alternative, estimator) = (way(&choice).into(), kind.name.into());
                Estimate {
                    alternative,
                    estimator,
                    level,
                    reward: Some(prospect.utility - cost),
                    chosen: true,
                }
            })
            .collect();
        estimates.extend(others.iter().map(|(other, value)| Estimate {
            alternative: way(other).into(),
            estimator: self.estimator.kind().name.into(),
            level: value.level,
            reward: Some(value.reward),
            chosen: false,
        }));
        self.decisions = self.decisions.wrapping_add(1);
        let known = prospect.evidence.named().map(|(name, state)| (name.into(), state.to_string()));
        let evidence = known.chain([("planned".into(), format!("{planned:.1}"))]).collect();
        self.attempt = Some(Attempt {
            decision: self.decisions,
            choice,
            evidence: prospect.evidence,
            planned,
            utility: prospect.utility,
            since: situation.now,
        });
        let piece = situation.piece(choice);
        Some(Appraisal { decision: self.decisions, evidence, estimates }.event().piece(piece))
    }

    /// Notes how the work ended, learns from it and tells it; `None` if nothing was begun.
    pub fn end(&mut self, success: bool, now: Time) -> Option<Event> {
        let attempt = self.attempt.take()?;
        // A start in the future is from before the clock was set back.
        let took = if attempt.since > now { 0.0 } else { now.since(attempt.since) };
        // Very short plans would exaggerate.
        let overrun = took / attempt.planned.max(1.0);
        let how = match success {
            false => Before::Failed,
            true if overrun > LATE => Before::Late,
            true => Before::OnTime,
        };
        self.observation.ended(attempt.choice, how);
        if self.estimator.kind().learns {
            self.experience.learn(Row { evidence: attempt.evidence, overrun, failed: !success });
        }
        let reward = if success { attempt.utility - took } else { -took };
        Some(Settlement { decision: attempt.decision, success, cost: took, reward }.event())
    }

    /// Notes that the work ended for reasons that say nothing about its cost.
    pub fn abandon(&mut self) {
        self.attempt = None;
    }

    /// What a piece of work is worth in one way; `None` if its cost is unknown.
    pub fn value(&self, choice: Choice, situation: &Situation, skills: &dyn Skills) -> Option<Valuation> {
        let mut prospect = self.prospect(choice, situation, skills);
        let planned = prospect.planned();
        // Only those who learn ask what is observed.
        if self.estimator.kind().learns {
            prospect.evidence = self.observation.evidence(choice, planned, situation, skills);
        }
        let reckoning = (self.estimator.kind().reckon)(&prospect, &self.experience);
        let reward = prospect.utility - reckoning.cost;
        reward.is_finite().then(|| Valuation {
            reward,
            planned,
            time: reckoning.time,
            quantiles: reckoning.quantiles.iter().map(|cost| prospect.utility - cost).collect(),
            level: reckoning.level,
        })
    }

    /// The robot's plan for a piece of work. For any-of it uses the means with the lowest cost, failures considered.
    fn prospect(&self, choice: Choice, situation: &Situation, skills: &dyn Skills) -> Prospect {
        let spec = situation.me.behaviour(choice.behaviour);
        let mut costs = Vec::new();
        skills.action_costs(choice, situation, &mut costs);
        let (mut weighted, mut steps) = (0.0, Vec::with_capacity(costs.len()));
        for (place, &(action, cost)) in costs.iter().enumerate() {
            let n = (place + 1) as f64;
            let rate = |name: &str| {
                let extra = skills.extra_cost(choice, action, name, situation);
                self.rate(name, situation).map(|reliability| Rating { reliability, extra })
            };
            let means = means(spec, action, &rate, (weighted + n * cost) / n);
            let time = cost + means.extra;
            weighted += n * time;
            steps.push(PlannedStep { time, success: means.reliability });
        }
        let utility = situation.utility(choice.behaviour) * skills.urgency(spec.task);
        let of_task = situation.task(spec.task).and_then(|task| self.reliability.1.get(&task.name));
        let reliability = of_task.copied().unwrap_or(self.reliability.0);
        Prospect { utility, steps, evidence: Evidence::default(), reliability }
    }

    /// The current reliability of a capability; `None` if it does not work.
    fn rate(&self, name: &str, situation: &Situation) -> Option<f64> {
        let works = Capabilities::working(&situation.me.datasheet, situation.percept, name);
        works.then(|| self.capabilities.reliability(name))
    }

    /// Records that a capability failed.
    pub fn failed(&mut self, capability: &str) {
        self.capabilities.used(capability, false);
    }

    /// Records that actions of a plan are completed: each is one successful use of the capabilities that it used (definition 3.5).
    pub fn completed(
        &mut self,
        spec: &BehaviourSpec,
        actions: std::ops::Range<usize>,
        situation: &Situation,
    ) {
        for action in actions {
            let rate =
                |name: &str| self.rate(name, situation).map(|reliability| Rating { reliability, extra: 0.0 });
            let mut used = means(spec, action, &rate, 1.0).used;
            used.sort_unstable();
            used.dedup();
            used.iter().for_each(|name| self.capabilities.used(name, true));
        }
    }
}

/// The means of one action of a plan; none if it has no requirements, and useless ones if they are not met.
fn means<'s>(
    spec: &'s BehaviourSpec,
    action: usize,
    rate: &dyn Fn(&str) -> Option<Rating>,
    fail: f64,
) -> Means<'s> {
    match spec.actions.get(action) {
        Some(action) => action.needs.means(rate, fail).unwrap_or_default(),
        None => Means { reliability: 1.0, ..Means::default() },
    }
}
