//! The walls of the room, as far as a robot has found them.

use super::sites::Sites;
use crewlab_onboard::geometry::{Pose, vec2};
use serde::{Deserialize, Serialize};

/// The walls: west, north, east, south. They stay known when the robot is interrupted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Walls([Wall; 4]);

/// A wall measured this much farther outwards than before was not there before. [m]
const WRONG: f64 = 1.0;

/// The mean of all measurements of a wall's coordinate. [m]
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Wall {
    mean: f64,
    measured: u32,
}

impl Walls {
    /// How far a pose is in the direction of `leg`: along x in the west and the east, along y elsewhere; larger is farther
    /// outwards. [m]
    pub fn outwards(leg: usize, pose: &Pose) -> f64 {
        let along = if leg.is_multiple_of(2) { pose.position.x } else { pose.position.y };
        along * Walls::sign(leg)
    }

    /// Outwards is towards lower coordinates in the west and the south.
    fn sign(leg: usize) -> f64 {
        if leg == 0 || leg == 3 { -1.0 } else { 1.0 }
    }

    /// Records that the wall of `leg` was measured `beyond` metres from the pose. [m]
    pub fn measure(&mut self, leg: usize, pose: &Pose, beyond: f64) {
        let coordinate = Walls::sign(leg) * (Walls::outwards(leg, pose) + beyond);
        let wall = &mut self.0[leg];
        // A robot that sees the wall much farther outwards was wrong before.
        if wall.measured > 0 && Walls::sign(leg) * (coordinate - wall.mean) > WRONG {
            *wall = Wall::default();
        }
        wall.measured = wall.measured.saturating_add(1);
        wall.mean += (coordinate - wall.mean) / f64::from(wall.measured);
    }

    /// The next wall after `leg` that is unknown, in turn: west, north, east, south.
    pub fn missing_after(&self, leg: usize) -> Option<usize> {
        (1..=4).map(|step| (leg + step) % 4).find(|leg| !self.knows(*leg))
    }

    /// True if a wall was found.
    pub fn knows(&self, leg: usize) -> bool {
        self.0[leg].measured > 0
    }

    /// The sites, once all walls are known.
    pub fn sites(&self) -> Option<Sites> {
        let known = |wall: Wall| (wall.measured > 0).then_some(wall.mean);
        let [west, north, east, south] = self.0.map(known);
        Some(Sites::in_room(vec2(west?, south?), vec2(east?, north?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_walls_give_the_sites() {
        let mut walls = Walls::default();
        let pose = |x, y| Pose::new(x, y, 0.0);
        walls.measure(0, &pose(0.5, 4.0), 0.5);
        walls.measure(1, &pose(1.0, 7.5), 0.5);
        walls.measure(2, &pose(11.0, 7.0), 1.0);
        assert_eq!((walls.sites(), walls.missing_after(3)), (None, Some(3)), "one wall is still unknown");
        walls.measure(3, &pose(11.0, 0.25), 0.25);
        assert_eq!(walls.missing_after(0), None);
        let sites = walls.sites().unwrap();
        assert_eq!(sites.deposit, vec2(0.8 * 12.0, 4.0));
        assert!((sites.spills[0] - vec2(4.0, 16.0 / 3.0)).length() < 1e-12);
    }

    #[test]
    fn noise_is_averaged() {
        let mut walls = Walls::default();
        for i in 0..100 {
            let noise = if i % 2 == 0 { 0.5 } else { -0.5 };
            walls.measure(2, &Pose::new(5.0 + noise, 0.0, 0.0), 1.0);
        }
        assert!((walls.0[2].mean - 6.0).abs() < 1e-9);
    }

    #[test]
    fn a_wall_that_turns_out_to_be_farther_away_is_measured_anew() {
        let mut walls = Walls::default();
        walls.measure(3, &Pose::new(0.0, 5.0, 0.0), 1.0);
        walls.measure(3, &Pose::new(0.0, 0.5, 0.0), 0.5);
        walls.measure(3, &Pose::new(0.0, 0.3, 0.0), 0.4);
        assert!((walls.0[3].mean + 0.05).abs() < 1e-9, "{:?}", walls.0[3]);
    }
}
