//! The bidder: the current reward of a piece of work for this robot.

use super::alternatives::alternatives;
use super::context::TickContext;
use super::params::MurocoParams;
use super::talk::{Bids, Quote};
use crate::estimators::{Appraiser, Valuation};
use crewlab_onboard::{
    BehaviourId, Capabilities, Choice, Identity, Piece, Situation, Skills, Subject, TaskId, Time,
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
    /// What work is worth to the robot.
    pub appraiser: Appraiser,
    /// The last bid made with each behaviour set.
    made: Vec<Option<f64>>,
    given_back: Vec<GivenBack>,
    sit_out: f64,
}

impl Bidder {
    pub fn new(params: &MurocoParams, me: &Identity) -> Bidder {
        Bidder {
            appraiser: Appraiser::new(params.estimator, &params.estimation, me),
            made: vec![None; me.behaviours.len()],
            given_back: Vec::new(),
            sit_out: params.sit_out,
        }
    }

    /// The best way to do a part and what it is worth (3.3); `None` if the robot cannot do it.
    pub fn bid(
        &self,
        part: TaskId,
        subject: Subject,
        situation: &Situation,
        skills: &dyn Skills,
    ) -> Option<(Choice, Valuation)> {
        if self.sits_out(part, subject, situation.now) {
            return None;
        }
        let ways = situation.me.behaviours().filter(|(_, spec)| spec.task == part);
        let choices = ways.map(|(behaviour, _)| Choice { behaviour, subject });
        let bids = choices.filter_map(|choice| Some((choice, self.value(choice, situation, skills)?)));
        bids.reduce(|best, bid| if bid.1.reward > best.1.reward { bid } else { best })
    }

    /// The robot's bids for all parts of all alternatives of a piece of work.
    pub fn bids(&mut self, piece: Piece, situation: &Situation, skills: &dyn Skills) -> Bids {
        let mut bid = |part: &TaskId| {
            let (choice, value) = self.bid(*part, piece.subject, situation, skills)?;
            if let Some(made) = self.made.get_mut(usize::from(choice.behaviour.0)) {
                *made = Some(value.reward);
            }
            Some(Quote { reward: value.reward, quantiles: value.quantiles })
        };
        let ways = alternatives(situation.tasks, piece.task);
        ways.iter().map(|parts| parts.iter().map(&mut bid).collect()).collect()
    }

    /// The last bid made with each behaviour set that it bid with.
    pub fn made(&self) -> impl Iterator<Item = (BehaviourId, f64)> {
        let sets = self.made.iter().enumerate();
        sets.filter_map(|(set, bid)| bid.map(|bid| (BehaviourId(set as u8), bid)))
    }

    /// What one way is worth now; `None` if it is impossible.
    pub fn value(&self, choice: Choice, situation: &Situation, skills: &dyn Skills) -> Option<Valuation> {
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
        self.appraiser.value(choice, situation, skills)
    }

    /// Begins to work on something, and tells what the robot expects of it and of its other ways.
    pub fn begin(&mut self, choice: Choice, context: &mut TickContext) {
        let (situation, skills) = (context.situation, context.skills);
        let task = situation.me.behaviour(choice.behaviour).task;
        let ways =
            situation.me.behaviours().filter(|(id, spec)| spec.task == task && *id != choice.behaviour);
        let ways = ways.map(|(behaviour, _)| Choice { behaviour, ..choice });
        let others: Vec<(Choice, Valuation)> =
            ways.filter_map(|other| Some((other, self.value(other, situation, skills)?))).collect();
        if let Some(event) = self.appraiser.begin(choice, &others, situation, skills) {
            context.out.explain(event);
        }
    }

    /// Notes and tells how the work ended.
    pub fn end(&mut self, success: bool, context: &mut TickContext) {
        if let Some(event) = self.appraiser.end(success, context.now()) {
            context.out.explain(event);
        }
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
