//! A pilot: knows the robot's navigation sensors and drives it to points and along directions, avoidance always on.

use crate::avoidance::{Avoidance, Goal, Limits, Scan};
use crewlab_onboard::geometry::{Pose, Vec2, wrap};
use crewlab_onboard::{Command, Identity, SensorId, Situation};
use serde::{Deserialize, Serialize};

/// Displayed distance of the goal of a robot that only keeps a direction. [m]
const AHEAD: f64 = 1.0;

/// Navigation of one robot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pilot {
    position: Option<SensorId>,
    compass: Option<SensorId>,
    scanner: Option<SensorId>,
    avoidance: Avoidance,
    /// Its goal in the world frame, as the robot believes it.
    goal: Option<Vec2>,
}

impl Pilot {
    /// A pilot that uses the sensors `position`, `compass` and `range-scanner`.
    pub fn new(me: &Identity) -> Pilot {
        let datasheet = &me.datasheet;
        Pilot {
            position: datasheet.sensor("position"),
            compass: datasheet.sensor("compass"),
            scanner: datasheet.sensor("range-scanner"),
            avoidance: Avoidance::new(me.id.0),
            goal: None,
        }
    }

    /// Sets out for a new goal: forgets the obstacles on the way to the old one.
    pub fn set_out(&mut self) {
        self.avoidance.set_out();
    }

    /// Starts a tick without a goal.
    pub fn rest(&mut self) {
        self.goal = None;
    }

    /// The goal in this tick, as the robot believes it; a little ahead if the robot only keeps a
    /// direction. [m]
    pub fn goal(&self) -> Option<Vec2> {
        self.goal
    }

    /// The robot's own estimate of its position.
    pub fn pose(&self, situation: &Situation) -> Option<Pose> {
        let position = situation.percept.point(self.position?)?;
        let heading = situation.percept.angle(self.compass?)?;
        Some(Pose { position, heading })
    }

    /// Drives to a point; stops if the robot does not know where it is.
    pub fn go_to(&mut self, target: Vec2, situation: &Situation) -> Command {
        let Some(pose) = self.pose(situation) else { return Command::stop() };
        let goal = Goal { bearing: pose.bearing(target), distance: pose.position.distance(target) };
        let command = self.go(goal, situation);
        self.goal = Some(target);
        command
    }

    /// Drives in a compass direction. [rad]
    pub fn head(&mut self, direction: f64, situation: &Situation) -> Command {
        let Some(pose) = self.pose(situation) else { return Command::stop() };
        self.go(Goal { bearing: wrap(direction - pose.heading), distance: f64::INFINITY }, situation)
    }

    /// Drives to a goal given relative to the robot.
    pub fn go(&mut self, goal: Goal, situation: &Situation) -> Command {
        let sheet = &situation.me.datasheet;
        let limits = Limits { radius: sheet.radius, max_speed: sheet.max_speed, max_turn: sheet.max_turn };
        let scan = match self.scanner {
            Some(id) => {
                let scanner = &sheet.sensors[usize::from(id.0)];
                Scan { angles: &scanner.angles, ranges: situation.percept.ranges(id), reach: scanner.range }
            }
            None => Scan { angles: &[], ranges: &[], reach: 0.0 },
        };
        let far = if goal.distance.is_finite() { goal.distance } else { AHEAD };
        let ahead = |pose: Pose| pose.position + Vec2::unit(pose.heading + goal.bearing) * far;
        self.goal = self.pose(situation).map(ahead);
        let (speed, turn) = self.avoidance.steer(goal, &scan, &limits, situation.dt);
        Command::drive(speed, turn)
    }

    /// Time to drive to a point in a straight line. [s]
    pub fn time_to(&self, target: Vec2, situation: &Situation) -> f64 {
        let distance = self.pose(situation).map_or(f64::INFINITY, |pose| pose.position.distance(target));
        distance / situation.me.datasheet.max_speed.max(1e-9)
    }
}
