//! The robots nearby, from what they have told by radio.

use crewlab_onboard::geometry::{Pose, Vec2, vec2};
use crewlab_onboard::{Body, Message, Motion, Neighbour, RobotId, Steering, Time};
use serde::{Deserialize, Serialize};

/// More robots than this are not remembered: those that were heard longest ago are forgotten first.
const MOST: usize = 128;
/// A robot that was silent for this long is forgotten. [s]
const SILENCE: f64 = 2.0;
/// A place or a speed beyond this is not believed. [m], [m/s]
const BELIEVED: f32 = 1e6;
/// A point that the scanner sees belongs to a neighbour if it is no farther from it than this many radii ...
const RIM: f64 = 1.25;
/// ... and this. [m]
const BLUR: f64 = 0.04;

/// What a robot has told, and when it was heard.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Heard {
    id: RobotId,
    motion: Motion,
    at: Time,
}

/// All robots that were heard lately, by their numbers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Neighbours {
    heard: Vec<Heard>,
}

impl Neighbours {
    /// Notes where robots say that they are.
    pub fn hear(&mut self, inbox: &[Message], now: Time) {
        for message in inbox {
            if let Body::Motion(motion) = message.body
                && believable(&motion)
            {
                self.note(Heard { id: message.from, motion, at: now });
            }
        }
        self.heard.retain(|heard| now.within(heard.at, SILENCE));
    }

    fn note(&mut self, news: Heard) {
        match self.heard.binary_search_by_key(&news.id, |heard| heard.id) {
            Ok(place) => self.heard[place] = news,
            Err(place) => {
                self.heard.insert(place, news);
                if self.heard.len() > MOST {
                    let oldest = (0..self.heard.len()).min_by_key(|n| (self.heard[*n].at, self.heard[*n].id));
                    oldest.map(|oldest| self.heard.remove(oldest));
                }
            }
        }
    }

    /// Those within a distance of a robot, as they are believed to be now, the nearest first. [m]
    pub fn around(&self, pose: &Pose, reach: f64, now: Time, around: &mut Vec<Neighbour>) {
        let facing = Vec2::unit(-pose.heading);
        around.reserve(self.heard.len());
        for heard in &self.heard {
            let Motion { at, velocity, radius, priority } = heard.motion;
            let velocity = vec2(velocity[0].into(), velocity[1].into());
            let place = vec2(at[0].into(), at[1].into()) + velocity * now.since(heard.at);
            let position = (place - pose.position).rotated(facing);
            if position.length_squared() <= reach * reach {
                let velocity = velocity.rotated(facing);
                around.push(Neighbour { id: heard.id, position, velocity, radius: radius.into(), priority });
            }
        }
        // Places are finite, so the order is total; robots at the same distance keep that of their numbers.
        around.sort_by(|a, b| a.position.length_squared().total_cmp(&b.position.length_squared()));
    }
}

fn believable(motion: &Motion) -> bool {
    let Motion { at, velocity, radius, .. } = motion;
    let numbers = at.iter().chain(velocity).chain([radius]);
    numbers.into_iter().all(|number| number.is_finite() && number.abs() < BELIEVED) && *radius >= 0.0
}

/// Appends the points that the scanner sees within a distance of the rim, that no neighbour explains, and that are not behind the goal. [m]
pub(crate) fn unexplained(steering: &Steering, reach: f64, points: &mut Vec<Vec2>) {
    let radius = steering.limits.radius;
    // What is behind the goal does not matter.
    let far = radius + reach.min(steering.goal.distance.max(0.0));
    // Nor do those who are too far away to have been seen.
    let visible = |neighbour: &Neighbour| neighbour.position.length() < far + rim(neighbour);
    let nearby = steering.neighbours.iter().rposition(visible).map_or(0, |last| last + 1);
    let nearby = &steering.neighbours[..nearby];
    let explained = |point: &Vec2| nearby.iter().any(|neighbour| explains(neighbour, *point));
    points.extend(steering.scan.points_within(radius, far).filter(|point| !explained(point)));
}

/// A point this far from a neighbour's centre belongs to it. [m]
fn rim(neighbour: &Neighbour) -> f64 {
    RIM * neighbour.radius + BLUR
}

/// True if a point that the scanner sees is on a neighbour's rim.
pub(crate) fn explains(neighbour: &Neighbour, point: Vec2) -> bool {
    let rim = rim(neighbour);
    (point - neighbour.position).length_squared() < rim * rim
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: f64) -> Time {
        Time::from_seconds(seconds)
    }

    fn told(from: u32, x: f32, speed: f32) -> Message {
        let motion = Motion { at: [x, 0.0], velocity: [speed, 0.0], radius: 0.2, priority: 0 };
        Message { from: RobotId(from as _), number: 0, lamport: 1, body: Body::Motion(motion) }
    }

    fn around(neighbours: &Neighbours, pose: Pose, now: f64) -> Vec<Neighbour> {
        let mut found = Vec::new();
        neighbours.around(&pose, 5.0, at(now), &mut found);
        found
    }

    #[test]
    fn robots_go_on_as_they_have_told_until_they_are_forgotten() {
        let mut neighbours = Neighbours::default();
        neighbours.hear(&[told(7, 3.0, 1.0), told(3, 1.0, 0.0), told(4, 9.0, 0.0)], at(1.0));
        let found = around(&neighbours, Pose::new(0.0, 0.0, std::f64::consts::PI), 1.5);
        assert_eq!(
            found.iter().map(|n| n.id).collect::<Vec<_>>(),
            [RobotId(3), RobotId(7)],
            "the nearest first"
        );
        assert!(found[1].position.distance(vec2(-3.5, 0.0)) < 1e-6, "behind a robot that looks west");
        assert!(found[1].velocity.distance(vec2(-1.0, 0.0)) < 1e-6);
        neighbours.hear(&[], at(3.1));
        assert!(around(&neighbours, Pose::default(), 3.1).is_empty());
    }

    #[test]
    fn nonsense_is_not_believed_and_memory_is_bounded() {
        let mut neighbours = Neighbours::default();
        neighbours.hear(&[told(1, f32::NAN, 0.0), told(2, 0.0, 1e9)], at(0.0));
        assert_eq!(neighbours, Neighbours::default());
        let crowd: Vec<Message> = (0..1000).map(|id| told(id, 1.0, 0.0)).collect();
        neighbours.hear(&crowd, at(0.0));
        assert_eq!(neighbours.heard.len(), MOST);
    }
}
