//! How well robots that go to and fro get on: their progress towards their goals, measured in every tick.

use crate::body::Body;
use crewlab_onboard::Shuttle;
use serde::{Deserialize, Serialize};

/// The goals of all robots, and how they get on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Traffic {
    /// The way of each robot, as it was told.
    shuttles: Vec<Shuttle>,
    /// Sum of speed towards the goal as a share of the robot's top speed, times the time, over all robots. [s]
    advance: f64,
    /// Time that robots were under way. [s]
    time: f64,
}

impl Traffic {
    /// Nobody has moved yet.
    pub fn new(shuttles: Vec<Shuttle>) -> Traffic {
        Traffic { shuttles, ..Traffic::default() }
    }

    /// Looks at all robots after they have moved.
    pub(crate) fn pass(&mut self, bodies: &[Body], dt: f64) {
        for (shuttle, body) in self.shuttles.iter_mut().zip(bodies).filter(|(_, body)| body.present) {
            let (direction, _) = shuttle.leg().way(body.from);
            let moved = (body.pose.position - body.from).dot(direction);
            self.advance += moved / body.drive.max_speed.max(1e-9);
            self.time += dt;
            shuttle.arrive(body.pose.position);
        }
    }

    /// Mean of the speed towards the goal as a share of the top speed; `None` before the first tick.
    pub fn efficacy(&self) -> Option<f64> {
        (self.time > 0.0).then(|| self.advance / self.time)
    }

    /// Goals that were reached by all robots together.
    pub fn arrivals(&self) -> u64 {
        self.shuttles.iter().map(|shuttle| u64::from(shuttle.turns)).sum()
    }

    /// Begins to measure again, from where the robots are now.
    pub fn restart(&mut self) {
        (self.advance, self.time) = (0.0, 0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Drive;
    use crate::shape::Shape;
    use crewlab_onboard::geometry::{Pose, vec2};
    use crewlab_onboard::{Leg, Vec2};

    #[test]
    fn only_the_way_to_the_goal_counts() {
        let ends = [vec2(4.0, 0.0), vec2(-4.0, 0.0)].map(|at| Leg::Point { at, within: 0.5 });
        let mut traffic = Traffic::new(vec![Shuttle::new(ends)]);
        let drive = Drive { max_speed: 1.0, max_reverse: 1.0, max_turn: 1.0, max_side: 0.0, max_push: None };
        let mut body = Body::new(Pose::default(), Shape::Circle { radius: 0.1 }, drive, Vec::new());
        assert_eq!(traffic.efficacy(), None);
        let mut go = |to: Vec2, traffic: &mut Traffic| {
            body.from = body.pose.position;
            body.pose.position = to;
            traffic.pass(std::slice::from_ref(&body), 1.0);
        };
        go(vec2(1.0, 0.0), &mut traffic);
        assert_eq!(traffic.efficacy(), Some(1.0));
        go(vec2(1.0, 0.5), &mut traffic);
        assert_eq!(traffic.efficacy(), Some(0.5), "sideways is no progress");
        go(vec2(3.8, 0.0), &mut traffic);
        assert_eq!(traffic.arrivals(), 1);
        traffic.restart();
        go(vec2(2.8, 0.0), &mut traffic);
        assert_eq!(traffic.efficacy(), Some(1.0), "back again is progress now");
    }
}
