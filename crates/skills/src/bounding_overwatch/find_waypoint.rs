//! find-waypoint: a scout goes ahead, looks at its team's next waypoint, and finds another place nearby if something stands there.

use super::knowledge::{Approach, Knowledge};
use crewlab_onboard::geometry::{Pose, Vec2};
use crewlab_onboard::{Behaviour, Command, Event, EventKind, Output, Scan, Situation, Time};
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// Distance from which a scout looks at a waypoint. [m]
const VIEW: f64 = 1.8;
/// Number of scans that it averages.
const SCANS: u32 = 20;
/// A ray whose mean is at least this share of the range met nothing, whatever the noise.
const FREE: f64 = 0.85;
/// A leader needs this much room around its centre, besides its own radius. [m]
const ROOM: f64 = 0.5;
/// A team-mate is this wide; what is seen there is no obstacle. [m]
const MATE: f64 = 0.5;
/// Distance between the rings of places around a waypoint that are considered, and their number. [m]
const RING: f64 = 0.3;
const RINGS: u32 = 16;
/// Places on a ring.
const PLACES: u32 = 16;
/// A scout that comes no nearer for this long looks from where it is. [s]
const PATIENCE: f64 = 10.0;
/// A scout that has seen no place to stop goes on for this long before it looks again. [s]
const GO_ON: f64 = 4.0;

/// Looks for a waypoint.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FindWaypoint {
    approach: Approach,
    /// When it last looked and saw no place to stop.
    in_vain: Option<Time>,
    /// Sums of the ranges, ray by ray, since it stands and looks. [m]
    sums: Vec<f64>,
    scans: u32,
}

/// What a scout sees of the ground.
struct Sight {
    at: Vec2,
    /// Obstacles. [m]
    points: Vec<Vec2>,
    /// Directions and how far the way is free, from the centre. [rad], [m]
    rays: Vec<(Vec2, f64)>,
    /// The room that a leader needs around its centre. [m]
    room: f64,
}

impl Sight {
    fn new(pose: &Pose, scan: &Scan, known: &Knowledge, situation: &Situation) -> Sight {
        let radius = situation.me.datasheet.radius;
        let rays = scan.angles.iter().zip(scan.ranges);
        let rays: Vec<(Vec2, f64)> =
            rays.map(|(angle, range)| (Vec2::unit(pose.heading + angle), radius + range)).collect();
        let met = rays.iter().filter(|(_, range)| range - radius < FREE * scan.reach);
        let points = met.map(|(direction, range)| pose.position + *direction * *range);
        let mate =
            |point: &Vec2| known.heard(situation.now).any(|mate| mate.report.at.distance(*point) < MATE);
        Sight {
            at: pose.position,
            points: points.filter(|point| !mate(point)).collect(),
            rays,
            room: radius + ROOM,
        }
    }

    /// True if a leader can stop at a place: it is in sight, and nothing that is seen is near it.
    fn free(&self, place: Vec2) -> bool {
        let way = place - self.at;
        let distance = way.length();
        let near = |(direction, _): &&(Vec2, f64)| direction.x * way.x + direction.y * way.y;
        let towards = self.rays.iter().max_by(|a, b| near(a).total_cmp(&near(b)));
        towards.is_some_and(|(_, range)| *range > distance)
            && self.points.iter().all(|point| point.distance(place) > self.room)
    }

    /// The free place nearest to the planned one.
    fn best(&self, planned: Vec2) -> Option<Vec2> {
        let rings = (0..=RINGS).flat_map(|ring| {
            let count = if ring == 0 { 1 } else { PLACES };
            (0..count).map(move |n| {
                let angle = TAU * f64::from(n) / f64::from(PLACES);
                planned + Vec2::unit(angle) * (RING * f64::from(ring))
            })
        });
        rings.into_iter().find(|place| self.free(*place))
    }
}

impl FindWaypoint {
    /// True if it should stop and look: the waypoint is near, or it is in reach of the scanner and the robot gets no nearer.
    fn may_look(&self, planned: Vec2, at: Vec2, reach: f64, now: Time) -> bool {
        let distance = at.distance(planned);
        let again = self.in_vain.is_none_or(|looked| now.since(looked) > GO_ON);
        let held_up = distance < reach && self.approach.stuck(now) > PATIENCE;
        again && (distance < VIEW.min(0.6 * reach) || held_up)
    }

    /// Tells what was seen. A scout that sees no place to stop tells nothing: nobody would look again.
    fn look(
        &mut self,
        pose: &Pose,
        scan: &Scan,
        planned: Vec2,
        known: &mut Knowledge,
        situation: &Situation,
        out: &mut Output,
    ) {
        let means: Vec<f64> = self.sums.iter().map(|sum| sum / f64::from(self.scans)).collect();
        let best = Sight::new(pose, &Scan { ranges: &means, ..*scan }, known, situation).best(planned);
        *self = FindWaypoint { in_vain: Some(situation.now), ..FindWaypoint::default() };
        let Some(at) = best else { return };
        known.found(at);
        let why = if at == planned {
            "the next way point is free"
        } else {
            "something stands at the next way point; the team can stop here"
        };
        out.explain(Event::new(EventKind::FoundLocations).saying(why).at(at));
    }
}

impl Behaviour<Knowledge> for FindWaypoint {
    fn applicable(&self, known: &Knowledge, situation: &Situation) -> bool {
        // A leader has to wait for its team, unless there is nobody else.
        let free = !known.leads || known.members(situation.now).next().is_none();
        known.joined && free && known.unseen().is_some()
    }

    fn cost(&self, known: &Knowledge, situation: &Situation) -> f64 {
        known.unseen().map_or(f64::INFINITY, |planned| known.navigator.time_to(planned, situation))
    }

    fn start(&mut self, _known: &Knowledge, _situation: &Situation) {
        *self = FindWaypoint::default();
    }

    fn act(&mut self, known: &mut Knowledge, situation: &Situation, out: &mut Output) -> Command {
        let (Some(pose), Some(planned)) = (known.navigator.pose(situation), known.unseen()) else {
            return Command::stop();
        };
        self.approach.note(planned, pose.position, situation.now);
        let scan = known.navigator.scan(situation);
        if self.scans == 0 && !self.may_look(planned, pose.position, scan.reach, situation.now) {
            return known.navigator.go_to(planned, situation, out);
        }
        if self.sums.len() != scan.ranges.len() {
            (self.sums, self.scans) = (vec![0.0; scan.ranges.len()], 0);
        }
        self.sums.iter_mut().zip(scan.ranges).for_each(|(sum, range)| *sum += range);
        self.scans += 1;
        if self.scans >= SCANS {
            self.look(&pose, &scan, planned, known, situation, out);
        }
        known.navigator.stop()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_onboard::geometry::vec2;

    const REACH: f64 = 3.0;
    const BOULDER: f64 = 1.4;
    const PLANNED: Vec2 = Vec2 { x: 10.0, y: 5.0 };

    /// What a robot sees from a place, with a boulder at the planned waypoint or without.
    fn sight(at: Vec2, boulder: bool) -> Sight {
        let range = |direction: Vec2| {
            let way = PLANNED - at;
            let along = direction.x * way.x + direction.y * way.y;
            let aside = way.length() * way.length() - along * along;
            let hit = boulder && along > 0.0 && aside < BOULDER * BOULDER;
            if hit { (along - (BOULDER * BOULDER - aside).sqrt()).min(REACH) } else { REACH }
        };
        let directions = (0..36).map(|n| Vec2::unit(TAU * f64::from(n) / 36.0));
        let rays: Vec<(Vec2, f64)> = directions.map(|direction| (direction, range(direction))).collect();
        let met = rays.iter().filter(|(_, range)| *range < REACH);
        let points = met.map(|(direction, range)| at + *direction * *range).collect();
        Sight { at, points, rays, room: 0.2 + ROOM }
    }

    #[test]
    fn a_place_counts_only_if_it_is_in_sight_and_free() {
        let near = PLANNED - vec2(VIEW, 0.0);
        assert_eq!(sight(near, false).best(PLANNED), Some(PLANNED));
        let beside = sight(near, true).best(PLANNED).expect("a place in front of the boulder");
        assert!(beside.distance(PLANNED) > BOULDER + 0.2 && beside.distance(PLANNED) < 3.0, "{beside:?}");
        for boulder in [false, true] {
            assert_eq!(sight(PLANNED - vec2(8.0, 0.0), boulder).best(PLANNED), None, "too far away");
        }
    }

    #[test]
    fn a_scout_that_is_held_up_far_away_does_not_look() {
        let late = Time::from_seconds(2.0 * PATIENCE);
        for (distance, looks) in [(7.0, false), (REACH + 0.1, false), (REACH - 0.1, true), (1.0, true)] {
            let (mut scout, at) = (FindWaypoint::default(), PLANNED - vec2(distance, 0.0));
            scout.approach.note(PLANNED, at, Time::ZERO);
            assert_eq!(scout.may_look(PLANNED, at, REACH, late), looks, "{distance} m");
            // It has just looked: it goes on first.
            scout.in_vain = Some(late);
            assert!(!scout.may_look(PLANNED, at, REACH, late));
        }
    }
}
