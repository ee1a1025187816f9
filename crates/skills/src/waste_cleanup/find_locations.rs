//! find-locations: two ways to find the walls of the room.
//!
//! Methodical, for robots with side sensors: drive to the left wall, then clockwise along the walls. Wander, for all:
//! drive west, north, east and south for a fixed time each, and longer while the wall is not in view and the robot still
//! gets farther. A robot that was interrupted continues with the walls that it has not found yet.

use super::knowledge::{Knowledge, Talk};
use super::sites::Sites;
use super::walls::Walls;
use crewlab_onboard::geometry::{Pose, wrap};
use crewlab_onboard::{Behaviour, Command, Event, EventKind, Output, Situation, Time};
use serde::{Deserialize, Serialize};
use std::f64::consts::{FRAC_PI_2, PI};

/// The directions in turn: west, north, east, south. [rad]
const LEGS: [f64; 4] = [PI, FRAC_PI_2, 0.0, -FRAC_PI_2];
/// Number of the last direction, after which the first one comes.
const LAST: usize = LEGS.len() - 1;
/// A wall ahead counts as reached at this distance from the rim, and one step before: avoidance must not set in first. [m]
const REACHED: f64 = 0.35;
/// Distance at which a wall is followed. [m]
const FOLLOW: f64 = 0.4;
/// Getting farther by less than this is no progress. [m]
const FARTHER: f64 = 0.1;

/// Stores and announces the result.
fn announce(sites: Sites, why: &'static str, known: &mut Knowledge, out: &mut Output) {
    known.believe(sites);
    known.tell(&Talk::Locations(sites), out);
    out.explain(Event::new(EventKind::FoundLocations).saying(why).at(sites.deposit));
}

/// True if a wall at this distance from the rim is reached. [m]
fn reached(ahead: f64, situation: &Situation) -> bool {
    ahead < REACHED + situation.me.datasheet.max_speed * situation.dt
}

/// True if the robot looks in the direction of `leg`.
fn faces(leg: usize, pose: &Pose) -> bool {
    wrap(pose.heading - LEGS[leg]).abs() < 0.1
}

/// Follows the walls clockwise.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Methodical {
    leg: usize,
}

impl Behaviour<Knowledge> for Methodical {
    fn applicable(&self, known: &Knowledge, situation: &Situation) -> bool {
        known.sites.is_none() && known.sides_intact(situation)
    }

    fn cost(&self, _known: &Knowledge, situation: &Situation) -> f64 {
        // The size of the room is unknown; thirty metres along the walls is a fair guess.
        30.0 / situation.me.datasheet.max_speed.max(1e-9)
    }

    fn start(&mut self, known: &Knowledge, _situation: &Situation) {
        self.leg = known.walls.missing_after(LAST).unwrap_or(0);
    }

    fn act(&mut self, known: &mut Knowledge, situation: &Situation, out: &mut Output) -> Command {
        let Some(pose) = known.navigator.pose(situation) else { return Command::stop() };
        if let Some(sites) = known.walls.sites() {
            let why = "all four walls were met, and from them follow the spills and the deposit";
            announce(sites, why, known, out);
            return Command::stop();
        }
        let aligned = faces(self.leg, &pose);
        let radius = situation.me.datasheet.radius;
        if aligned
            && let Some(ahead) = known.border_ahead(situation)
            && reached(ahead, situation)
        {
            known.walls.measure(self.leg, &pose, radius + ahead);
            self.leg = known.walls.missing_after(self.leg).unwrap_or(self.leg);
            return known.navigator.head(LEGS[self.leg], situation, out);
        }
        // Keep the wall on the left at its distance; a wall farther away is left alone, as after an obstacle.
        let correction = match known.border_left(situation) {
            Some(left) if aligned && left < 2.0 * FOLLOW => {
                let on_the_left = (self.leg + LAST) % LEGS.len();
                known.walls.measure(on_the_left, &pose, radius + left);
                (0.5 * (left - FOLLOW)).clamp(-0.2, 0.2)
            }
            _ => 0.0,
        };
        known.navigator.head(LEGS[self.leg] + correction, situation, out)
    }
}

/// Wanders in the four directions for a fixed time each.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Wander {
    leg: usize,
    /// When this leg began.
    since: Time,
    /// How far the robot got in the direction of this leg, and when. [m]
    farthest: Option<(f64, Time)>,
}

impl Wander {
    fn begin(&mut self, leg: usize, now: Time) {
        *self = Wander { leg, since: now, farthest: None };
    }

    /// How long the robot has not got farther on this leg. [s]
    fn stalled(&mut self, pose: &Pose, now: Time) -> f64 {
        let reach = Walls::outwards(self.leg, pose);
        match self.farthest {
            Some((farthest, at)) if reach < farthest + FARTHER => now.since(at),
            _ => {
                self.farthest = Some((reach, now));
                0.0
            }
        }
    }
}

impl Behaviour<Knowledge> for Wander {
    fn applicable(&self, known: &Knowledge, _situation: &Situation) -> bool {
        known.sites.is_none()
    }

    fn cost(&self, known: &Knowledge, _situation: &Situation) -> f64 {
        4.0 * known.briefing.wander_time
    }

    fn start(&mut self, known: &Knowledge, situation: &Situation) {
        self.begin(known.walls.missing_after(LAST).unwrap_or(LAST), situation.now);
    }

    fn act(&mut self, known: &mut Knowledge, situation: &Situation, out: &mut Output) -> Command {
        let Some(pose) = known.navigator.pose(situation) else { return Command::stop() };
        let (time, radius) = (known.briefing.wander_time, situation.me.datasheet.radius);
        let stalled = self.stalled(&pose, situation.now) >= time;
        if stalled && !known.sees_border(situation) {
            // Without eyes for walls, the wall is where the way ends.
            known.walls.measure(self.leg, &pose, radius);
        }
        let met = known.walls.knows(self.leg);
        if stalled || met && situation.now.since(self.since) >= time {
            let Some(leg) = known.walls.missing_after(self.leg) else {
                if let Some(sites) = known.walls.sites() {
                    announce(
                        sites,
                        "all four directions were searched until their walls were met",
                        known,
                        out,
                    );
                }
                return Command::stop();
            };
            self.begin(leg, situation.now);
        }
        let ahead = known.border_ahead(situation).filter(|_| faces(self.leg, &pose));
        if let Some(ahead) = ahead {
            known.walls.measure(self.leg, &pose, radius + ahead);
        }
        match ahead {
            Some(ahead) if reached(ahead, situation) => Command::stop(),
            _ => known.navigator.head(LEGS[self.leg], situation, out),
        }
    }
}
