//! How well robots that locate themselves know where they are: what they believe, beside the truth.

use super::summary::rounded;
use crewlab_sim::Simulation;
use crewlab_sim::onboard::geometry::{Pose, wrap};
use crewlab_sim::onboard::{Performer, RobotId};
use serde::Serialize;

/// Where a robot believes to be and where it was when it took the readings that it believes so by.
pub(super) struct Belief {
    pub robot: RobotId,
    pub truth: Pose,
    /// `None` if it is lost.
    pub believed: Option<Pose>,
}

impl Belief {
    /// Those of all running robots that locate themselves.
    pub(super) fn all(simulation: &Simulation) -> impl Iterator<Item = Belief> + '_ {
        simulation.model.robots().filter_map(|robot| Belief::of(simulation, robot))
    }

    /// That of one robot; `None` if it does not run or does not locate itself.
    pub(super) fn of(simulation: &Simulation, robot: RobotId) -> Option<Belief> {
        let (body, mind) = (&simulation.state.world.bodies[robot], &simulation.state.robots[robot]);
        let locating = mind.software.performer.skills().locating().filter(|_| !body.down())?;
        Some(Belief { robot, truth: simulation.sensed_at(robot), believed: locating.believed() })
    }

    /// How far it is from where it believes to be. [m]
    pub(super) fn distance(&self) -> Option<f64> {
        self.believed.map(|believed| believed.position.distance(self.truth.position))
    }

    /// How far it is turned from where it believes to look. [rad]
    pub(super) fn turn(&self) -> Option<f64> {
        self.believed.map(|believed| wrap(believed.heading - self.truth.heading))
    }
}

/// The errors of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Localisation {
    /// Mean distance between where a robot is and where it believes to be. [m]
    pub mean_error_m: f64,
    /// The largest one. [m]
    pub max_error_m: f64,
    /// Mean error of the heading. [deg]
    pub mean_error_deg: f64,
    /// Share of the time in which robots did not know where they were.
    pub lost_share: f64,
}

/// Adds up errors.
#[derive(Default)]
pub(super) struct Errors {
    known: f64,
    lost: f64,
    distance: f64,
    turn: f64,
    most: f64,
}

impl Errors {
    pub(super) fn tick(&mut self, simulation: &Simulation) {
        for belief in Belief::all(simulation) {
            let (Some(distance), Some(turn)) = (belief.distance(), belief.turn()) else {
                self.lost += 1.0;
                continue;
            };
            self.known += 1.0;
            self.distance += distance;
            self.turn += turn.abs();
            self.most = self.most.max(distance);
        }
    }

    /// The summary; `None` if no robot locates itself.
    pub(super) fn finish(self) -> Option<Localisation> {
        let count = self.known.max(1.0);
        (self.known + self.lost > 0.0).then(|| Localisation {
            mean_error_m: rounded(self.distance / count),
            max_error_m: rounded(self.most),
            mean_error_deg: rounded((self.turn / count).to_degrees()),
            lost_share: rounded(self.lost / (self.known + self.lost)),
        })
    }
}
