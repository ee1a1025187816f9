//! An idle robot goes where it is not in the way.

use super::approach::Approach;
use super::knowledge::Knowledge;
use super::sites::Sites;
use crewlab_onboard::geometry::{Pose, Vec2};
use crewlab_onboard::{Command, Output, Situation, Time};
use serde::{Deserialize, Serialize};

/// Distance between two places to park, in radii of the robot: others can pass between parked robots.
const SPACING: f64 = 5.0;
/// A place counts as reached at this distance. [m]
const ARRIVED: f64 = 0.15;
/// A place is occupied, or out of reach, if the robot has not come nearer to it for this long. [s]
const PATIENCE: f64 = 8.0;
/// A robot with something this close to its rim is crowded ... [m]
const CLOSE: f64 = 0.15;
/// ... if that lasts for this long. [s]
const CROWDED: f64 = 3.0;
/// Places near a wall are preferred: this many metres of way are worth it to be one metre nearer to one.
const WALL_WORTH: f64 = 2.0;
/// Largest number of places that are remembered as occupied.
const MOST: usize = 16;

/// The place where a robot parks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Parking {
    place: Option<Vec2>,
    approach: Approach,
    /// Places that were occupied, the latest last.
    occupied: Vec<Vec2>,
    /// Since when something has been close.
    close_since: Option<Time>,
}

impl Parking {
    /// The idle robot's action.
    pub fn act(&mut self, known: &mut Knowledge, situation: &Situation, out: &mut Output) -> Command {
        let (Some(sites), Some(pose)) = (known.sites, known.navigator.pose(situation)) else {
            return Command::stop();
        };
        if let Some(place) = self.place {
            let distance = pose.position.distance(place);
            let gives_up = self.approach.stalled(place, distance, situation.now) > PATIENCE;
            if gives_up {
                if self.occupied.len() >= MOST {
                    self.occupied.remove(0);
                }
                self.occupied.push(place);
                known.navigator.set_out();
            }
            if gives_up || distance < ARRIVED {
                self.place = None;
            }
        }
        let crowded = self.crowded(known, situation);
        let radius = situation.me.datasheet.radius;
        if self.place.is_none() && (crowded || sites.in_the_way(pose.position, radius, &known.briefing)) {
            self.place = self.choose(sites, &pose, known, situation);
            self.approach.restart();
        }
        match self.place {
            Some(place) => known.navigator.go_to(place, situation, out),
            None => Command::stop(),
        }
    }

    /// True if something has been close to the robot for a while.
    fn crowded(&mut self, known: &Knowledge, situation: &Situation) -> bool {
        let close = known.navigator.scan(situation).ranges.iter().any(|range| *range < CLOSE);
        if !close {
            self.close_since = None;
            return false;
        }
        let since = *self.close_since.get_or_insert(situation.now);
        situation.now.since(since) > CROWDED
    }

    /// The nearest free place out of the way, rather at a wall.
    fn choose(&self, sites: Sites, pose: &Pose, known: &Knowledge, situation: &Situation) -> Option<Vec2> {
        let radius = situation.me.datasheet.radius;
        let facing = Vec2::unit(pose.heading);
        let scan = known.navigator.scan(situation);
        let obstacles: Vec<Vec2> =
            scan.points(radius).map(|point| pose.position + point.rotated(facing)).collect();
        let free = |place: &Vec2| {
            !sites.in_the_way(*place, radius, &known.briefing)
                && !self.occupied.contains(place)
                && place.distance(pose.position) > ARRIVED
                && obstacles.iter().all(|at| at.distance(*place) > 1.2 * radius)
        };
        let effort = |place: &Vec2| place.distance(pose.position) + WALL_WORTH * sites.to_wall(*place);
        sites.grid(SPACING * radius).filter(free).min_by(|a, b| effort(a).total_cmp(&effort(b)))
    }
}
