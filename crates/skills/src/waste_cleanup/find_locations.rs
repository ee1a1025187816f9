//! find-locations: two ways to find the walls of the room.
//!
//! Methodical, for robots with side sensors: drive to the left wall, then clockwise along the walls. Wander, for all:
//! drive west, north, east and south for a fixed time each (three times as long where no wall was met) and keep track
//! of the farthest points.

use super::knowledge::{Knowledge, Sites, Talk};
use crewlab_onboard::geometry::{Pose, vec2};
use crewlab_onboard::{Behaviour, Command, Event, EventKind, Output, Situation, Time};
use serde::{Deserialize, Serialize};
use std::f64::consts::{FRAC_PI_2, PI};

/// The directions in turn: west, north, east, south. [rad]
const LEGS: [f64; 4] = [PI, FRAC_PI_2, 0.0, -FRAC_PI_2];
/// A wall ahead counts as reached at this distance from the rim, a little before avoidance sets in. [m]
const REACHED: f64 = 0.4;
/// Distance at which a wall is followed. [m]
const FOLLOW: f64 = 0.4;

/// The farthest coordinates known so far: west, north, east, south. [m]
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Walls([Option<f64>; 4]);

impl Walls {
    /// The coordinate that `leg` is about.
    fn coordinate(leg: usize, pose: &Pose) -> f64 {
        if leg.is_multiple_of(2) { pose.position.x } else { pose.position.y }
    }

    /// Outwards is towards lower coordinates in the west and the south.
    fn outwards(leg: usize) -> f64 {
        if leg == 0 || leg == 3 { -1.0 } else { 1.0 }
    }

    /// Records that the room extends at least `beyond` metres from the pose in the direction of `leg`.
    fn extend(&mut self, leg: usize, pose: &Pose, beyond: f64) {
        let sign = Walls::outwards(leg);
        let reach = Walls::coordinate(leg, pose) + sign * beyond;
        let farthest =
            self.0[leg].map_or(reach, |known| if sign > 0.0 { known.max(reach) } else { known.min(reach) });
        self.0[leg] = Some(farthest);
    }

    fn sites(&self) -> Option<Sites> {
        let [west, north, east, south] = self.0;
        Some(Sites::in_room(vec2(west?, south?), vec2(east?, north?)))
    }
}

/// Stores and announces the result.
fn announce(sites: Sites, why: &'static str, known: &mut Knowledge, out: &mut Output) {
    known.sites = Some(sites);
    known.tell(&Talk::Locations(sites), out);
    out.explain(Event::new(EventKind::FoundLocations).saying(why).at(sites.deposit));
}

/// Follows the walls clockwise.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Methodical {
    leg: usize,
    walls: Walls,
}

impl Behaviour<Knowledge> for Methodical {
    fn applicable(&self, known: &Knowledge, situation: &Situation) -> bool {
        known.sites.is_none() && known.sides_intact(situation)
    }

    fn cost(&self, _known: &Knowledge, situation: &Situation) -> f64 {
        // The size of the room is unknown; thirty metres along the walls is a fair guess.
        30.0 / situation.me.datasheet.max_speed.max(1e-9)
    }

    fn start(&mut self, _known: &Knowledge, _situation: &Situation) {
        *self = Methodical::default();
    }

    fn act(&mut self, known: &mut Knowledge, situation: &Situation, out: &mut Output) -> Command {
        let Some(pose) = known.navigator.pose(situation) else { return Command::stop() };
        let along = LEGS[self.leg];
        let aligned = crewlab_onboard::geometry::wrap(pose.heading - along).abs() < 0.1;
        let radius = situation.me.datasheet.radius;
        if aligned
            && let Some(ahead) = known.border_ahead(situation)
            && ahead < REACHED
        {
            self.walls.extend(self.leg, &pose, radius + ahead);
            if self.leg + 1 == LEGS.len() {
                if let Some(sites) = self.walls.sites() {
                    let why = "all four walls were met, and from them follow the spills and the deposit";
                    announce(sites, why, known, out);
                }
                return Command::stop();
            }
            self.leg += 1;
            return known.navigator.head(LEGS[self.leg], situation, out);
        }
        // Keep the wall on the left at its distance; a wall farther away is left alone, as after an obstacle.
        let correction = match known.border_left(situation) {
            Some(left) if aligned && self.leg > 0 && left < 2.0 * FOLLOW => {
                self.walls.extend(self.leg - 1, &pose, radius + left);
                (0.5 * (left - FOLLOW)).clamp(-0.2, 0.2)
            }
            _ => 0.0,
        };
        known.navigator.head(along + correction, situation, out)
    }
}

/// Wanders in the four directions for a fixed time each.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Wander {
    leg: usize,
    /// When this leg began.
    since: Time,
    /// True if the wall was met on this leg.
    met: bool,
    walls: Walls,
}

impl Behaviour<Knowledge> for Wander {
    fn applicable(&self, known: &Knowledge, _situation: &Situation) -> bool {
        known.sites.is_none()
    }

    fn cost(&self, known: &Knowledge, _situation: &Situation) -> f64 {
        4.0 * known.briefing.wander_time
    }

    fn start(&mut self, _known: &Knowledge, situation: &Situation) {
        *self = Wander { since: situation.now, ..Wander::default() };
    }

    fn act(&mut self, known: &mut Knowledge, situation: &Situation, out: &mut Output) -> Command {
        let Some(pose) = known.navigator.pose(situation) else { return Command::stop() };
        // A robot that was delayed, or whose room is large, continues for a while if it has not met the wall.
        let patience = if self.met { 1.0 } else { 3.0 };
        if situation.now.since(self.since) >= patience * known.briefing.wander_time {
            (self.leg, self.since, self.met) = (self.leg + 1, situation.now, false);
        }
        let leg = self.leg;
        let Some(&along) = LEGS.get(leg) else {
            match self.walls.sites() {
                Some(sites) => {
                    let why =
                        "all four directions were searched; the walls are taken to be where the way ended";
                    announce(sites, why, known, out);
                }
                // A leg without a position gave no information: start again.
                None => self.start(known, situation),
            }
            return Command::stop();
        };
        let radius = situation.me.datasheet.radius;
        let aligned = crewlab_onboard::geometry::wrap(pose.heading - along).abs() < 0.1;
        let ahead = known.border_ahead(situation).filter(|_| aligned);
        self.walls.extend(leg, &pose, radius + ahead.unwrap_or(0.0));
        match ahead {
            Some(ahead) if ahead < REACHED => {
                self.met = true;
                Command::stop()
            }
            _ => known.navigator.head(along, situation, out),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_walls_give_the_sites() {
        let mut walls = Walls::default();
        let pose = |x, y| Pose::new(x, y, 0.0);
        walls.extend(0, &pose(0.5, 4.0), 0.5);
        walls.extend(1, &pose(1.0, 7.5), 0.5);
        walls.extend(2, &pose(11.0, 7.0), 1.0);
        assert_eq!(walls.sites(), None, "one wall is still unknown");
        walls.extend(3, &pose(11.0, 0.25), 0.25);
        let sites = walls.sites().unwrap();
        assert_eq!(sites.deposit, vec2(0.8 * 12.0, 4.0));
        assert!((sites.spills[0] - vec2(4.0, 16.0 / 3.0)).length() < 1e-12);
    }

    #[test]
    fn walls_only_move_outwards() {
        let mut walls = Walls::default();
        walls.extend(2, &Pose::new(5.0, 0.0, 0.0), 1.0);
        walls.extend(2, &Pose::new(3.0, 0.0, 0.0), 1.0);
        assert_eq!(walls.0[2], Some(6.0));
    }
}
