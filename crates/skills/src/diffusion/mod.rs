//! Diffusion on board: robots wander and avoid each other.

use crate::Briefing;
use crewlab_control::AnyController;
use crewlab_onboard::geometry::{Vec2, vec2};
use crewlab_onboard::{
    BehaviourId, BehaviourSpec, Body, Choice, Command, Constraint, Duty, Identity, Message, Output,
    Performer, SensorId, Situation, Skills, TaskId,
};
use serde::{Deserialize, Serialize};

/// Below this distance a reading is 1. [m]
const NEAR: f64 = 0.009889556;
/// From this distance on a reading is 0. [m]
const FAR: f64 = 0.0999;
/// Readings that point less than this to the side and are weak do not turn the robot: 7.5 degrees. [rad]
const STRAIGHT: f64 = 7.5 * std::f64::consts::PI / 180.0;

/// The briefing of diffusing robots.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DiffusionBriefing {
    /// Speed of a driving wheel. [m/s]
    pub wheel_speed: f64,
    /// Distance between the wheels. [m]
    pub wheel_base: f64,
    /// Every robot broadcasts a short message in every tick.
    pub broadcast: bool,
}

impl Briefing for DiffusionBriefing {
    type Skills = Diffuser;

    fn boot(&self, me: &Identity, _controller: AnyController) -> Diffuser {
        Diffuser { briefing: self.clone(), ring: me.datasheet.sensor("low-proximity"), seen: 0, heard: 0 }
    }
}

/// The one behaviour set.
pub fn sets() -> Vec<BehaviourSpec> {
    let needs = Constraint::all(&["low-proximity", "drive"]);
    vec![BehaviourSpec::new("diffuse", TaskId(0)).action("diffuse", needs)]
}

/// One diffusing robot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Diffuser {
    briefing: DiffusionBriefing,
    ring: Option<SensorId>,
    /// Ticks with a non-zero reading.
    pub seen: u64,
    /// Messages heard.
    pub heard: u64,
}

/// The reading of a beam with free distance `distance`.
fn reading(distance: f64) -> f64 {
    if distance < NEAR {
        1.0
    } else if distance < FAR {
        0.0100527 / (distance + 0.000163144)
    } else {
        0.0
    }
}

impl Diffuser {
    /// Speeds of the left and the right wheel for these beams.
    fn wheels(&mut self, beams: &[Vec2], ranges: &[f64]) -> (f64, f64) {
        let mut sum = vec2(0.0, 0.0);
        for (beam, &distance) in beams.iter().zip(ranges) {
            if distance < FAR {
                sum += *beam * reading(distance);
            }
        }
        let speed = self.briefing.wheel_speed;
        if sum == Vec2::ZERO {
            return (speed, speed);
        }
        self.seen += 1;
        let mean = sum * (1.0 / beams.len() as f64);
        let angle = mean.angle();
        if angle.abs() <= STRAIGHT && mean.length() < 0.1 {
            (speed, speed)
        } else if angle > 0.0 {
            (speed, 0.0)
        } else {
            (0.0, speed)
        }
    }
}

impl Skills for Diffuser {
    fn applicable(&self, _behaviour: BehaviourId, _situation: &Situation) -> bool {
        true
    }

    fn cost(&self, _choice: Choice, _situation: &Situation) -> f64 {
        0.0
    }
}

impl Performer for Diffuser {
    fn learn(&mut self, _situation: &Situation, inbox: &[Message], _out: &mut Output) {
        self.heard += inbox.len() as u64;
    }

    fn act(&mut self, duty: Duty, situation: &Situation, out: &mut Output) -> Command {
        if self.briefing.broadcast {
            out.say(Body::Knowledge(Vec::new()));
        }
        let (Some(_), Some(ring)) = (duty.choice, self.ring) else { return Command::stop() };
        let beams = &situation.me.datasheet.sensors[usize::from(ring.0)].directions;
        let (left, right) = self.wheels(beams, situation.percept.ranges(ring));
        Command::wheels(left, right, self.briefing.wheel_base)
    }

    fn skills(&self) -> &dyn Skills {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readings_follow_the_workload() {
        for (distance, value) in
            [(0.0, 1.0), (0.0098, 1.0), (0.05, 0.0100527 / 0.050163144), (0.0999, 0.0), (0.1, 0.0)]
        {
            assert_eq!(reading(distance), value);
        }
    }

    #[test]
    fn something_on_the_left_turns_the_robot_right() {
        let beams: Vec<Vec2> =
            (0..24).map(|i| Vec2::unit(f64::from(i) * std::f64::consts::TAU / 24.0)).collect();
        let briefing = DiffusionBriefing { wheel_speed: 0.05, wheel_base: 0.14, broadcast: false };
        let mut robot = Diffuser { briefing, ring: None, seen: 0, heard: 0 };
        let mut ranges = vec![0.1; 24];
        assert_eq!(robot.wheels(&beams, &ranges), (0.05, 0.05));
        ranges[6] = 0.01;
        assert_eq!(robot.wheels(&beams, &ranges), (0.05, 0.0));
        ranges[6] = 0.1;
        ranges[18] = 0.01;
        assert_eq!(robot.wheels(&beams, &ranges), (0.0, 0.05));
        assert_eq!(robot.seen, 2);
    }
}
