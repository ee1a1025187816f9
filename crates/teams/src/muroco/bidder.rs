//! The bidder: the current reward of a piece of work for this robot.

use super::alternatives::alternatives;
use super::params::MurocoParams;
use super::talk::Bids;
use crewlab_onboard::{
    BehaviourId, BehaviourSpec, Capabilities, Choice, Identity, Piece, Situation, Skills, Subject, TaskId,
    Time,
};
use serde::{Deserialize, Serialize};

/// Largest number of pieces remembered as given back.
const MOST: usize = 256;

/// Largest multiple of the first pause: a part that failed before may work by now.
const LONGEST: f64 = 4.0;

/// A part that the robot gave back and does not bid for until some time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct GivenBack {
    part: TaskId,
    subject: Subject,
    at: Time,
    for_seconds: f64,
}

/// The bidder of one robot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bidder {
    /// The reliability of its capabilities.
    pub capabilities: Capabilities,
    /// The last bid made with each behaviour set.
    made: Vec<Option<f64>>,
    given_back: Vec<GivenBack>,
    failure_aware: bool,
    sit_out: f64,
}

impl Bidder {
    pub fn new(params: &MurocoParams, me: &Identity) -> Bidder {
        Bidder {
            capabilities: Capabilities::new(&me.datasheet),
            made: vec![None; me.behaviours.len()],
            given_back: Vec::new(),
            failure_aware: params.failure_aware,
            sit_out: params.sit_out,
        }
    }

    /// The best way to do a part and its expected reward (3.3); `None` if the robot cannot do it.
    pub fn bid(
        &self,
        part: TaskId,
        subject: Subject,
        situation: &Situation,
        skills: &dyn Skills,
    ) -> Option<(Choice, f64)> {
        if self.sits_out(part, subject, situation.now) {
            return None;
        }
        let ways = situation.me.behaviours().filter(|(_, spec)| spec.task == part);
        let choices = ways.map(|(behaviour, _)| Choice { behaviour, subject });
        let bids = choices.filter_map(|choice| Some((choice, self.reward(choice, situation, skills)?)));
        bids.reduce(|best, bid| if bid.1 > best.1 { bid } else { best })
    }

    /// The robot's bids for all parts of all alternatives of a piece of work.
    pub fn bids(&mut self, piece: Piece, situation: &Situation, skills: &dyn Skills) -> Bids {
        let mut bid = |part: &TaskId| {
            let (choice, reward) = self.bid(*part, piece.subject, situation, skills)?;
            if let Some(made) = self.made.get_mut(usize::from(choice.behaviour.0)) {
                *made = Some(reward);
            }
            Some(reward)
        };
        let ways = alternatives(situation.tasks, piece.task);
        ways.iter().map(|parts| parts.iter().map(&mut bid).collect()).collect()
    }

    /// The last bid made with each behaviour set that it bid with.
    pub fn made(&self) -> impl Iterator<Item = (BehaviourId, f64)> {
        let sets = self.made.iter().enumerate();
        sets.filter_map(|(set, bid)| bid.map(|bid| (BehaviourId(set as u8), bid)))
    }

    /// The expected reward of one way, with failures considered (3.13); `None` if it is impossible now.
    pub fn reward(&self, choice: Choice, situation: &Situation, skills: &dyn Skills) -> Option<f64> {
        let spec = situation.me.behaviour(choice.behaviour);
        let task = situation.task(spec.task)?;
        let works = |name: &str| Capabilities::working(&situation.me.datasheet, situation.percept, name);
        if !spec.actions.iter().all(|action| action.needs.met(&works)) {
            return None;
        }
        let mut subjects = Vec::new();
        if task.part {
            skills.together(choice.behaviour, situation, &mut subjects);
        } else {
            skills.possible(choice.behaviour, situation, &mut subjects);
        }
        if !subjects.contains(&choice.subject) {
            return None;
        }
        let mut costs = Vec::new();
        skills.action_costs(choice, situation, &mut costs);
        let utility = situation.utility(choice.behaviour) * skills.urgency(spec.task);
        let reward = utility - self.expected_cost(spec, &costs, situation);
        reward.is_finite().then_some(reward)
    }

    /// Σ ĉ(a_n) with ĉ(a_n) = c(a_n) + (1 - P(χ_an)) Σ_{l ≤ n} (l/n) c(a_l) (3.13). [s]
    fn expected_cost(&self, spec: &BehaviourSpec, costs: &[(usize, f64)], situation: &Situation) -> f64 {
        let mut weighted = 0.0;
        let mut total = 0.0;
        for (place, &(action, cost)) in costs.iter().enumerate() {
            let n = (place + 1) as f64;
            weighted += n * cost;
            let needs = spec.actions.get(action).map(|action| &action.needs);
            let reliable = |name: &str| self.reliability(name, situation);
            let success = needs.map_or(1.0, |needs| needs.reliability(&reliable));
            let risk = if self.failure_aware { (1.0 - success) * weighted / n } else { 0.0 };
            total += cost + risk;
        }
        total
    }

    /// The current reliability of a capability: 0 if it does not work.
    fn reliability(&self, name: &str, situation: &Situation) -> f64 {
        let works = Capabilities::working(&situation.me.datasheet, situation.percept, name);
        if works { self.capabilities.reliability(name) } else { 0.0 }
    }

    /// Records how the actions of a plan went: one capability failed, or all that were used succeeded.
    pub fn learn(&mut self, spec: &BehaviourSpec, failed: Option<&str>, situation: &Situation) {
        if let Some(name) = failed {
            return self.capabilities.used(name, false);
        }
        let reliable = |name: &str| self.reliability(name, situation);
        let mut names: Vec<&str> = spec.actions.iter().flat_map(|a| a.needs.used(&reliable)).collect();
        names.sort_unstable();
        names.dedup();
        names.iter().for_each(|name| self.capabilities.used(name, true));
    }

    /// Suspends bidding for a part, for twice as long each time, up to a limit.
    pub fn give_back(&mut self, part: TaskId, subject: Subject, now: Time) {
        match self.given_back.iter_mut().find(|g| g.part == part && g.subject == subject) {
            Some(given) => {
                given.at = now;
                given.for_seconds = (2.0 * given.for_seconds).min(LONGEST * self.sit_out);
            }
            None => {
                if self.given_back.len() >= MOST {
                    self.given_back.remove(0);
                }
                self.given_back.push(GivenBack { part, subject, at: now, for_seconds: self.sit_out });
            }
        }
    }

    fn sits_out(&self, part: TaskId, subject: Subject, now: Time) -> bool {
        let given = self.given_back.iter().find(|g| g.part == part && g.subject == subject);
        given.is_some_and(|given| now.within(given.at, given.for_seconds))
    }
}
