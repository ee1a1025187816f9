//! The robot: decides for a way, drives it, and notices how the trial ends.

use super::course::Way;
use super::estimator::{Estimator, Failure, Question};
use super::model::Experience;
use super::trip::Trip;
use super::{DetourBriefing, SKIP, Venue};
use crate::Navigator;
use crewlab_onboard::{
    Appraisal, BehaviourId, Choice, Command, Controller, Duty, Estimate, Identity, Mark, Message, Output,
    Percept, Performer, Reading, SensorId, Settlement, Situation, Skills, Vec2,
};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::sync::Arc;

/// A robot this near to a start has been put there. [m]
const PUT: f64 = 0.05;
/// Width of the ways on the map. [m]
const BAND: f64 = 0.05;

/// What a robot is at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Phase {
    /// A trial is over; the robot waits to be put to the next start.
    Waiting,
    /// It drives.
    Driving(Trip),
    /// It leaves the map without another trial.
    Skipping,
}

/// One robot on its way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Driver {
    briefing: Arc<DetourBriefing>,
    navigator: Navigator,
    bumper: Option<SensorId>,
    phase: Phase,
    /// The map, by its place in the briefing.
    venue: usize,
    /// What has failed on this map.
    failures: Vec<Failure>,
    /// Decisions on this map, and what the map had cost before each.
    open: Vec<(u32, f64)>,
    /// What the map has cost so far.
    spent: f64,
    /// Decisions so far.
    decisions: u32,
}

impl Driver {
    pub(super) fn new(briefing: Arc<DetourBriefing>, me: &Identity, navigator: Navigator) -> Driver {
        Driver {
            briefing,
            navigator,
            bumper: me.datasheet.sensor("bumper"),
            phase: Phase::Waiting,
            venue: 0,
            failures: Vec::new(),
            open: Vec::new(),
            spent: 0.0,
            decisions: 0,
        }
    }

    fn venue(&self) -> Option<&Venue> {
        self.briefing.venues.get(self.venue)
    }

    /// True if the robot touches something.
    fn touches(&self, percept: &Percept) -> bool {
        let reading = self.bumper.map(|bumper| percept.reading(bumper));
        matches!(reading, Some(Reading::Contacts(sectors)) if sectors.contains(&true))
    }

    /// Begins a trial if the robot has been put to a start.
    fn begin(&mut self, situation: &Situation, out: &mut Output) {
        let Some((venue, pose)) = self.venue().zip(self.navigator.pose(situation)) else { return };
        if pose.position.distance(venue.start.position) > PUT {
            return;
        }
        let way = self.decide(out);
        self.navigator.stop();
        self.navigator.set_out();
        self.phase = match way.zip(self.venue()) {
            Some((way, venue)) => {
                let waypoints = &venue.ways[way as usize];
                Phase::Driving(Trip::new(way, situation.now, pose.position, waypoints))
            }
            None => Phase::Skipping,
        };
    }

    /// Chooses a way, and tells why; `None` if another trial does not pay.
    fn decide(&mut self, out: &mut Output) -> Option<Way> {
        let ratio = self.venue()?.ratio;
        let blind = self.briefing.policy.blind(ratio, out.random);
        let (taken, estimates) = match blind {
            Some(way) => (Some(way), unexpecting(way)),
            None => self.weigh()?,
        };
        self.decisions += 1;
        let decision = self.decisions;
        self.open.push((decision, self.spent));
        out.explain(Appraisal { decision, evidence: self.evidence(), estimates }.event());
        taken
    }

    /// Takes the way of which the estimator expects more, and gives what all estimators expect; `None` without a model.
    fn weigh(&self) -> Option<(Option<Way>, Vec<Estimate>)> {
        let DetourBriefing { model, utility, sigma, trials, estimator, stops, .. } = &*self.briefing;
        let question = Question {
            experience: Experience(model.as_deref()?),
            utility: *utility,
            level: *sigma,
            ratio: self.venue()?.ratio,
            failures: &self.failures,
            trials: usize::from(*trials),
        };
        let all = Estimator::ALL.map(|estimator| (estimator, question.rewards(estimator)));
        let [short, long] = all[*estimator as usize].1;
        let best = if short >= long { Way::Short } else { Way::Long };
        let taken = Some(best).filter(|_| !(*stops && short.max(long) < 0.0));
        let mut estimates = Vec::new();
        for (estimator, rewards) in all {
            estimates.extend(Way::ALL.into_iter().zip(rewards).map(|(way, reward)| Estimate {
                alternative: way.name().into(),
                estimator: estimator.name().into(),
                level: *sigma,
                reward: Some(reward),
                chosen: Some(way) == taken,
            }));
        }
        if *stops {
            estimates.push(Estimate {
                alternative: SKIP.into(),
                estimator: estimator.name().into(),
                level: *sigma,
                reward: Some(0.0),
                chosen: taken.is_none(),
            });
        }
        Some((taken, estimates))
    }

    /// What the robot knows when it decides.
    fn evidence(&self) -> Vec<(Cow<'static, str>, String)> {
        let venue = self.venue();
        let ratio = venue.and_then(|venue| venue.ratio).map_or("?".into(), |ratio| ratio.text());
        let number = venue.map_or(0, |venue| venue.number);
        let failed = |failure: &Failure| format!("{}:{:.1}", failure.way.name(), failure.length);
        let failed: Vec<String> = self.failures.iter().map(failed).collect();
        vec![
            ("map".into(), number.to_string()),
            ("trial".into(), (self.failures.len() + 1).to_string()),
            ("ratio".into(), ratio),
            ("failed".into(), if failed.is_empty() { "-".into() } else { failed.join(",") }),
        ]
    }

    /// Notices how a trial gets on, and whether it is over.
    fn drive(&mut self, mut trip: Trip, situation: &Situation, out: &mut Output) {
        let (Some(venue), Some(pose)) = (self.venue(), self.navigator.pose(situation)) else {
            // Without a position it cannot tell: the trial goes on.
            self.phase = Phase::Driving(trip);
            return;
        };
        trip.note(pose.position);
        let touches = self.touches(situation.percept);
        let reached = !touches && pose.position.distance(venue.goal) <= self.briefing.near;
        let seconds = situation.now.since(trip.since);
        if !(touches || reached || seconds >= self.briefing.limit) {
            self.phase = Phase::Driving(trip);
            return;
        }
        self.phase = Phase::Waiting;
        self.spent += seconds;
        if !reached {
            self.failures.push(Failure { way: trip.way, length: trip.length });
        }
        if reached || self.failures.len() >= usize::from(self.briefing.trials) {
            self.leave(reached, out);
        }
    }

    /// Goes on to the next map, and tells what became of the decisions on this one.
    fn leave(&mut self, reached: bool, out: &mut Output) {
        let gain = if reached { self.briefing.utility } else { 0.0 };
        for (decision, before) in self.open.drain(..) {
            let cost = self.spent - before;
            out.explain(Settlement { decision, success: reached, cost, reward: gain - cost }.event());
        }
        self.venue += 1;
        self.spent = 0.0;
        self.failures.clear();
    }

    /// True if the behaviour set is what the robot has decided for.
    fn wants(&self, name: &str) -> bool {
        match &self.phase {
            Phase::Waiting => false,
            Phase::Driving(trip) => trip.way.name() == name,
            Phase::Skipping => name == SKIP,
        }
    }
}

/// The alternatives of a robot that takes one of them without expecting anything.
fn unexpecting(taken: Way) -> Vec<Estimate> {
    let estimate = |way: Way| Estimate {
        alternative: way.name().into(),
        estimator: "".into(),
        level: None,
        reward: None,
        chosen: way == taken,
    };
    Way::ALL.map(estimate).into()
}

impl Skills for Driver {
    fn applicable(&self, behaviour: BehaviourId, situation: &Situation) -> bool {
        self.wants(&situation.me.behaviour(behaviour).name)
    }

    fn cost(&self, _choice: Choice, situation: &Situation) -> f64 {
        let Phase::Driving(trip) = &self.phase else { return 0.0 };
        let Some(mut from) = self.navigator.pose(situation).map(|pose| pose.position) else { return 0.0 };
        let mut metres = 0.0;
        for point in trip.ahead() {
            metres += from.distance(point);
            from = point;
        }
        metres / situation.me.datasheet.max_speed.max(1e-9)
    }

    fn plan(&self, points: &mut Vec<Vec2>) {
        if let Phase::Driving(trip) = &self.phase {
            points.extend(trip.ahead());
        }
    }

    fn sketch(&self, _layer: usize, _me: &Identity, _percept: &Percept, marks: &mut Vec<Mark>) {
        let Some(venue) = self.venue() else { return };
        for (way, points) in Way::ALL.iter().zip(&venue.ways) {
            let strength = if self.wants(way.name()) { 0.8 } else { 0.3 };
            let mut from = venue.start.position;
            for &to in points {
                marks.push(Mark::Band { from, to, radius: BAND, strength });
                from = to;
            }
        }
        marks.push(Mark::Circle { at: venue.goal, radius: self.briefing.near });
    }
}

impl Performer for Driver {
    fn learn(&mut self, situation: &Situation, inbox: &[Message], out: &mut Output) {
        self.navigator.begin(situation, inbox, out);
        match std::mem::replace(&mut self.phase, Phase::Waiting) {
            Phase::Waiting => self.begin(situation, out),
            Phase::Driving(trip) => self.drive(trip, situation, out),
            Phase::Skipping => self.leave(false, out),
        }
    }

    fn act(&mut self, duty: Duty, situation: &Situation, out: &mut Output) -> Command {
        let Phase::Driving(trip) = &self.phase else { return self.navigator.stop() };
        match trip.next().filter(|_| duty.choice.is_some()) {
            Some(next) => self.navigator.go_to(next, situation, out),
            None => self.navigator.stop(),
        }
    }

    fn skills(&self) -> &dyn Skills {
        self
    }

    fn controller(&self) -> Option<&dyn Controller> {
        Some(self.navigator.controller())
    }
}
