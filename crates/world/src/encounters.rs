//! Near misses and effort: how often robots come close to each other, and on what ground they drive.

use crate::body::Body;
use crate::terrain::Terrain;
use crewlab_onboard::RobotId;
use serde::{Deserialize, Serialize};

/// A gap between two bodies below this is a near miss. [m]
pub const NEAR: f64 = 0.5;

/// Counts over a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Encounters {
    /// How often two robots came nearer than [`NEAR`].
    pub near_misses: u64,
    /// Pairs that are near each other now.
    near: Vec<(RobotId, RobotId)>,
    /// Robots from west to east, nearly sorted from tick to tick.
    order: Vec<RobotId>,
    /// How far each robot had driven at its last step. [m]
    driven: Vec<f64>,
    /// Distance driven by all, and the same weighted by the energy factor of the ground. [m]
    way: [f64; 2],
}

impl Encounters {
    /// Looks at all robots that take part; `counts` says which do.
    pub(crate) fn note(
        &mut self,
        bodies: &[Body],
        terrain: Option<&Terrain>,
        counts: impl Fn(&Body) -> bool,
    ) {
        self.drive(bodies, terrain, &counts);
        self.order.retain(|robot| robot.index() < bodies.len());
        self.order.extend(RobotId::team(bodies.len()).skip(self.order.len()));
        let west = |robot: &RobotId| bodies[robot.index()].pose.position.x;
        self.order.sort_by(|a, b| west(a).total_cmp(&west(b)));
        let widest = bodies.iter().map(|body| body.shape.radius()).fold(0.0, f64::max);
        // The new pairs come after the old ones in the same list, which then loses those.
        let old = self.near.len();
        for (n, a) in self.order.iter().enumerate() {
            let one = &bodies[a.index()];
            if !counts(one) {
                continue;
            }
            let reach = one.shape.radius() + widest + NEAR;
            for b in self.order[n + 1..].iter().take_while(|b| west(b) - west(a) < reach) {
                let other = &bodies[b.index()];
                let gap = one.pose.position.distance(other.pose.position)
                    - one.shape.radius()
                    - other.shape.radius();
                if counts(other) && gap < NEAR {
                    self.near.push((*a.min(b), *a.max(b)));
                }
            }
        }
        let (before, now) = self.near.split_at_mut(old);
        now.sort_unstable();
        self.near_misses += now.iter().filter(|pair| before.binary_search(pair).is_err()).count() as u64;
        self.near.drain(..old);
    }

    fn drive(&mut self, bodies: &[Body], terrain: Option<&Terrain>, counts: &impl Fn(&Body) -> bool) {
        self.driven.resize(bodies.len(), 0.0);
        for (body, driven) in bodies.iter().zip(&mut self.driven) {
            let step = body.travelled - std::mem::replace(driven, body.travelled);
            if counts(body) {
                let factor = terrain.map_or(1.0, |terrain| terrain.energy(body.pose.position));
                self.way[0] += step;
                self.way[1] += step * factor;
            }
        }
    }

    /// Energy per metre as a multiple of that on plain ground, on average; `None` if nobody has driven.
    pub fn ground_factor(&self) -> Option<f64> {
        (self.way[0] > 0.0).then(|| self.way[1] / self.way[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Drive;
    use crate::shape::Shape;
    use crewlab_onboard::geometry::Pose;

    fn body(x: f64, y: f64) -> Body {
        let drive = Drive { max_speed: 1.0, max_reverse: 1.0, max_turn: 1.0, max_side: 0.0, max_push: None };
        Body::new(Pose::new(x, y, 0.0), Shape::Circle { radius: 0.3 }, drive, Vec::new())
    }

    #[test]
    fn a_near_miss_counts_once_until_the_robots_part() {
        let mut encounters = Encounters::default();
        let mut see = |xs: [f64; 3]| {
            encounters.note(&xs.map(|x| body(x, 0.0)), None, |_| true);
            encounters.near_misses
        };
        assert_eq!(see([0.0, 5.0, 10.0]), 0);
        assert_eq!(see([4.0, 5.0, 10.0]), 1, "a gap of 0.4 m");
        assert_eq!(see([4.1, 5.0, 10.0]), 1, "still near");
        assert_eq!(see([3.0, 5.0, 6.0]), 2, "another pair");
        assert_eq!(see([4.0, 5.0, 6.0]), 3, "the first pair again");
    }

    #[test]
    fn robots_that_do_not_take_part_are_left_out() {
        let mut encounters = Encounters::default();
        let mut bodies = [body(0.0, 0.0), body(0.8, 0.0)];
        bodies[1].robot_type = "truck".into();
        bodies[0].travelled = 3.0;
        bodies[1].travelled = 7.0;
        encounters.note(&bodies, None, |body| &*body.robot_type != "truck");
        assert_eq!((encounters.near_misses, encounters.ground_factor()), (0, Some(1.0)));
    }
}
