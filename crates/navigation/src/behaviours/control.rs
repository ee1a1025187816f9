//! The control of the active behaviour (algorithm B.1): twice per second it checks its constraints (figure B.5), plans, and checks
//! whether the next waypoint is consistent (figure B.6).

use super::Behaviour;
use super::aim::{Aim, AimKind};
use super::consistency::Consistency;
use super::person::PersonTrack;
use super::selection::{Selection, Status, Trigger};
use crate::routes::{NoRoute, RoutePlanner, Waypoint};
use crewlab_onboard::Time;
use crewlab_onboard::geometry::{Pose, Vec2};
use serde::{Deserialize, Serialize};

/// Interval of the control loop. [s]
const PERIOD: f64 = 0.5;

/// Parameters of the control. The thesis found its own by experiment and does not give all of them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ControlSettings {
    /// Failed trials that are tolerated before the accuracy is lowered: MAXTRIALS, default 4.
    pub max_trials: u32,
    /// By how much the accuracy is lowered; default 0.25.
    pub accuracy_step: f64,
    /// Lowest accuracy at which a behaviour goes on: MINACC, default 0.25.
    pub min_accuracy: f64,
    /// Distance of the checkpoint in a direction: d, default 10. [m]
    pub look_ahead: f64,
    /// Distance at which a goal is reached; default 0.3. [m]
    pub arrival: f64,
    /// How far from a goal in an obstacle the robot may stop at accuracy 0; default 4. [m]
    pub tolerance: f64,
    /// Unknown area that is worth a metre of the way: γ, default 1. [m²/m]
    pub gamma: f64,
}

impl Default for ControlSettings {
    fn default() -> ControlSettings {
        ControlSettings {
            max_trials: 4,
            accuracy_step: 0.25,
            min_accuracy: 0.25,
            look_ahead: 10.0,
            arrival: 0.3,
            tolerance: 4.0,
            gamma: 1.0,
        }
    }
}

/// What the control learns from other modules in every cycle.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// Where the robot is.
    pub pose: Pose,
    /// The person to follow.
    pub person: &'a PersonTrack,
    /// True if the robot is at a crossroads.
    pub crossroads: bool,
    /// The time.
    pub now: Time,
}

/// Why a behaviour failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Failure {
    /// The accuracy fell below the lowest: no path was found, for the last reason, or none that was consistent.
    Accuracy(Option<NoRoute>),
    /// The person was lost.
    PersonLost,
}

/// What the robot is to do.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Stand still.
    Stand,
    /// Drive to a waypoint.
    Drive(Waypoint),
    /// Go on as before: the new waypoint is not trusted, or there is none yet.
    Continue,
    /// The behaviour is completed; the robot stands.
    Completed,
    /// The behaviour failed; the robot stands. Whoever asked for it is to be asked again.
    Failed(Failure),
}

/// The control and the selection that it serves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Control {
    settings: ControlSettings,
    selection: Selection,
    accuracy: f64,
    failed_trials: u32,
    consistency: Consistency,
    /// Why the last trial had no path.
    obstacle: Option<NoRoute>,
    last_cycle: Option<Time>,
    /// What the robot was last on its way to.
    aim: Option<Aim>,
}

impl Control {
    /// The control of a robot of which nothing has been asked yet.
    pub fn new(settings: ControlSettings) -> Control {
        Control {
            settings,
            selection: Selection::default(),
            accuracy: 1.0,
            failed_trials: 0,
            consistency: Consistency::default(),
            obstacle: None,
            last_cycle: None,
            aim: None,
        }
    }

    /// Asks for a behaviour; true if the request is accepted. Another behaviour starts with full accuracy.
    pub fn trigger(&mut self, trigger: Trigger) -> bool {
        let accepted = self.selection.trigger(trigger);
        if accepted {
            self.restart();
        }
        accepted
    }

    fn restart(&mut self) {
        (self.accuracy, self.failed_trials, self.obstacle) = (1.0, 0, None);
        (self.last_cycle, self.aim) = (None, None);
        self.consistency.clear();
    }

    /// The selection.
    pub fn selection(&self) -> &Selection {
        &self.selection
    }

    /// The accuracy that is claimed now, from 0 to 1.
    pub fn accuracy(&self) -> f64 {
        self.accuracy
    }

    /// Consecutive trials without a waypoint that was accepted.
    pub fn failed_trials(&self) -> u32 {
        self.failed_trials
    }

    /// What the robot is on its way to, with the route.
    pub fn aim(&self) -> Option<&Aim> {
        self.aim.as_ref()
    }

    /// One cycle of algorithm B.1, if it is due.
    pub fn step(&mut self, planner: &mut RoutePlanner, scene: &Scene) -> Outcome {
        let behaviour = self.selection.behaviour();
        if behaviour == Behaviour::Idle {
            return Outcome::Stand;
        }
        // Within a nanosecond, so that ticks which divide the period do not miss it by rounding.
        if self.last_cycle.is_some_and(|last| scene.now.since(last) < PERIOD - 1e-9) {
            return Outcome::Continue;
        }
        self.last_cycle = Some(scene.now);
        if !self.check_constraints() {
            return self.end(Status::Failed, Outcome::Failed(Failure::Accuracy(self.obstacle)));
        }
        match self.aim_of(behaviour, planner, scene) {
            Ok(Goal::Aim(aim)) if self.arrived(behaviour, &aim, scene) => {
                self.end(Status::Completed, Outcome::Completed)
            }
            Ok(Goal::Aim(aim)) => self.check(behaviour, aim, scene),
            Ok(Goal::Reached) => self.end(Status::Completed, Outcome::Completed),
            Ok(Goal::Lost) => self.end(Status::Failed, Outcome::Failed(Failure::PersonLost)),
            Err(reason) => {
                self.obstacle = Some(reason);
                self.failed_trials += 1;
                Outcome::Continue
            }
        }
    }

    /// Figure B.5: too many failed trials lower the accuracy; false if it is too low to go on.
    fn check_constraints(&mut self) -> bool {
        if self.failed_trials > self.settings.max_trials {
            self.accuracy -= self.settings.accuracy_step;
            // Every accuracy gets as many trials.
            self.failed_trials = 0;
        }
        self.accuracy >= self.settings.min_accuracy - 1e-9
    }

    fn aim_of(
        &self,
        behaviour: Behaviour,
        planner: &mut RoutePlanner,
        scene: &Scene,
    ) -> Result<Goal, NoRoute> {
        let from = scene.pose.position;
        let tolerance = (1.0 - self.accuracy) * self.settings.tolerance;
        Ok(match behaviour {
            Behaviour::Idle => Goal::Reached,
            Behaviour::GoInDirection(_) if scene.crossroads => Goal::Reached,
            Behaviour::GoInDirection(direction) => {
                // The checkpoint is not a place of its own: a tenth of its distance is near enough at any accuracy.
                let ahead = self.settings.look_ahead;
                let checkpoint = from + Vec2::unit(direction) * ahead;
                Goal::Aim(Aim::towards(planner, from, checkpoint, tolerance.max(0.1 * ahead))?)
            }
            Behaviour::ReachGoal(goal) if goal.distance(from) <= self.settings.arrival => Goal::Reached,
            Behaviour::ReachGoal(goal) => Goal::Aim(Aim::towards(planner, from, goal, tolerance)?),
            Behaviour::Explore => {
                Aim::explore(planner, from, self.settings.gamma)?.map_or(Goal::Reached, Goal::Aim)
            }
            Behaviour::FollowPerson => scene
                .person
                .goal(scene.now)
                .map_or(Goal::Lost, |person| Goal::Aim(Aim::straight(from, person))),
        })
    }

    /// True if the robot is as near to a goal as it can be.
    fn arrived(&self, behaviour: Behaviour, aim: &Aim, scene: &Scene) -> bool {
        let near = aim.at.distance(scene.pose.position) <= self.settings.arrival;
        matches!(behaviour, Behaviour::ReachGoal(_)) && aim.kind == AimKind::Substitute && near
    }

    /// Figure B.6.
    fn check(&mut self, behaviour: Behaviour, aim: Aim, scene: &Scene) -> Outcome {
        let Some(next) = aim.route.next() else { return Outcome::Continue };
        let way = next.at - scene.pose.position;
        // A robot that is there already has no direction to check.
        if way.length() <= self.settings.arrival {
            (self.failed_trials, self.accuracy, self.obstacle, self.aim) = (0, 1.0, None, Some(aim));
            return Outcome::Drive(next);
        }
        let direction = way.angle();
        let asked = match behaviour {
            Behaviour::GoInDirection(direction) => Some(direction),
            _ => None,
        };
        let accepted = self.consistency.accepts(direction, asked, self.accuracy, self.settings.min_accuracy);
        self.obstacle = None;
        self.aim = Some(aim);
        if accepted {
            (self.failed_trials, self.accuracy) = (0, 1.0);
            return Outcome::Drive(next);
        }
        self.failed_trials += 1;
        Outcome::Continue
    }

    fn end(&mut self, status: Status, outcome: Outcome) -> Outcome {
        self.selection.report(status);
        self.restart();
        outcome
    }
}

/// What a behaviour wants.
enum Goal {
    /// To go somewhere.
    Aim(Aim),
    /// Nothing more.
    Reached,
    /// To follow somebody who is not there.
    Lost,
}
