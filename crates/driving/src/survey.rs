//! What a robot with a ground sensor knows about the ground, and the quickest ways over it.

use crewlab_navigation::{Chart, Ground};
use crewlab_onboard::geometry::{Pose, Vec2};
use crewlab_onboard::{Datasheet, Reading, Scan, SensorId, Situation, Time};
use serde::{Deserialize, Serialize};

/// Interval at which the costs of all places are computed. [s]
const SEARCH: f64 = 1.0;
/// Side of a coarse cell of the map of obstacles. [m]
const COARSE: f64 = 0.6;
/// A goal may lie in an obstacle of this radius: another robot, or what the robot is about to touch. [m]
const INSIDE: f64 = 0.6;

/// The ground and the obstacles on it, as far as a robot has seen them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Survey {
    sensor: SensorId,
    /// When the last reading that was used was taken.
    used: Option<Time>,
    ground: Ground,
    /// Obstacles, for missions that keep no map.
    chart: Chart,
    /// The lengths of all ways from where the robot was ...
    efforts: Vec<u32>,
    /// ... when they were last found. Coordinators ask for costs too often to search for a way each time.
    searched: Option<Time>,
}

impl Survey {
    /// A survey with the sensor `ground`; `None` for a robot without it.
    pub fn new(datasheet: &Datasheet) -> Option<Survey> {
        let sensor = datasheet.sensor("ground")?;
        Some(Survey {
            sensor,
            used: None,
            ground: Ground::default(),
            chart: Chart::new(COARSE, datasheet.radius),
            efforts: Vec::new(),
            searched: None,
        })
    }

    /// The ground.
    pub fn ground(&self) -> &Ground {
        &self.ground
    }

    /// Learns from the readings of the ground sensor and of the range scanner, whose noise is a share of its ranges.
    pub fn look(&mut self, pose: &Pose, scan: &Scan, noise: f64, situation: &Situation) {
        self.chart.draw(pose, scan, noise, situation.dt);
        let Some(sense) = situation.percept.senses.get(usize::from(self.sensor.0)) else { return };
        let Reading::Levels(factors) = &sense.reading else { return };
        if self.used.replace(sense.at) == Some(sense.at) {
            return;
        }
        let (Some(sheet), Some((under, ahead))) =
            (situation.me.datasheet.sensors.get(usize::from(self.sensor.0)), factors.split_first())
        else {
            return;
        };
        let mut learn = |at: Vec2, factor: f64| {
            let noise = sheet.relative_noise * factor + sheet.absolute_noise;
            // A negative reading is a point that the sensor does not see.
            if factor >= 0.0 && self.chart.reach_out(at) {
                self.ground.learn(at, factor, noise);
            }
        };
        learn(pose.position, *under);
        let points = (ahead.len() / sheet.angles.len().max(1)).max(1);
        for (angle, ray) in sheet.angles.iter().zip(ahead.chunks(points)) {
            let direction = Vec2::unit(pose.heading + angle);
            for (place, factor) in ray.iter().enumerate() {
                let away = sheet.range * (place + 1) as f64 / points as f64;
                learn(pose.position + direction * (situation.me.datasheet.radius + away), *factor);
            }
        }
        if !self.ground.is_even() && self.searched.is_none_or(|at| situation.now.since(at) >= SEARCH) {
            self.efforts = self.chart.efforts(&self.ground, pose.position);
            self.searched = Some(situation.now);
        }
    }

    /// Makes room on the map for a goal.
    pub fn include(&mut self, goal: Vec2) {
        self.chart.reach_out(goal);
    }

    /// How many metres of even ground take as long as the way from the robot's position to a point. [m]
    pub fn effort(&self, from: Vec2, to: Vec2) -> f64 {
        let straight = self.ground.effort(from, to);
        self.chart.effort(&self.efforts, to).map_or(straight, |around| straight.min(around))
    }

    /// The next point on the quickest way between two points; `None` if only even ground is known, or if no way is. [m]
    pub fn aim(&self, from: Vec2, to: Vec2) -> Option<Vec2> {
        if self.ground.is_even() {
            return None;
        }
        self.chart.quickest(&self.ground, from, to, INSIDE)
    }
}
