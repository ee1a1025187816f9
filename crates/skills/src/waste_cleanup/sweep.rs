//! Looks at a part of the room, point by point, for what is not where it should be.

use super::approach::Approach;
use crewlab_onboard::Time;
use crewlab_onboard::geometry::Vec2;
use serde::{Deserialize, Serialize};

/// A point is left out if the robot has not come nearer to it for this long. [s]
const PATIENCE: f64 = 30.0;

/// The points that are still to be seen.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sweep {
    pending: Vec<Vec2>,
    /// The point that the robot is heading to.
    target: Option<Vec2>,
    approach: Approach,
}

impl Sweep {
    /// Over these points.
    pub fn over(points: impl Iterator<Item = Vec2>) -> Sweep {
        Sweep { pending: points.collect(), target: None, approach: Approach::default() }
    }

    /// The point to go to now; `None` once each was seen from within `reach`, or could not be reached. [m]
    pub fn next(&mut self, position: Vec2, reach: f64, now: Time) -> Option<Vec2> {
        self.pending.retain(|point| point.distance(position) > reach);
        if let Some(target) = self.target {
            let gives_up = self.approach.stalled(target, target.distance(position), now) > PATIENCE;
            if gives_up {
                self.pending.retain(|point| *point != target);
            }
            if !self.pending.contains(&target) {
                self.target = None;
                self.approach.restart();
            }
        }
        let distance = |point: &Vec2| point.distance(position);
        let nearest = || self.pending.iter().copied().min_by(|a, b| distance(a).total_cmp(&distance(b)));
        self.target = self.target.or_else(nearest);
        self.target
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_onboard::geometry::vec2;

    #[test]
    fn all_points_are_visited_and_those_out_of_reach_are_left_out() {
        let points = [vec2(1.0, 0.0), vec2(3.0, 0.0), vec2(2.0, 50.0)];
        let mut sweep = Sweep::over(points.into_iter());
        let (mut position, mut seconds) = (Vec2::ZERO, 0.0);
        let mut visited = Vec::new();
        while let Some(target) = sweep.next(position, 0.5, Time::from_seconds(seconds)) {
            if visited.last() != Some(&target) {
                visited.push(target);
            }
            // The robot cannot leave the axis.
            position.x += (target.x - position.x).clamp(-0.5, 0.5);
            seconds += 1.0;
            assert!(seconds < 60.0, "it ends");
        }
        assert_eq!(visited, points);
    }
}
