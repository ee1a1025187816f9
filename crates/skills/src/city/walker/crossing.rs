//! Crossing a street: behind somebody who does, and off the carriageway if nobody leads any more.

use super::super::people::Person;
use super::super::phase::{Crossing, Phase, Trouble};
use super::super::{CROSSING, CROSSROADS};
use super::{CAMERAS, DIALOGUE, MOUTH, Walker};
use crewlab_navigation::behaviours::{Behaviour, PersonTrack};
use crewlab_onboard::geometry::{Pose, Vec2};
use crewlab_onboard::{Event, EventKind, Output, Situation, Time};

/// A crossing that the pointed direction leads over begins at least this far ahead. [m]
const AHEAD: f64 = 3.2;
/// People who cross are at least this fast. [m/s]
const CROSSES: f64 = 0.3;
/// How far behind, ahead and beside the robot people are whom it may follow. [m]
const NEAR: (f64, f64, f64) = (-0.3, 5.0, 2.5);
/// Share of a crossing's radius that counts beside the robot.
const ASIDE: f64 = 0.7;
/// Somebody who falls back farther than this no longer leads the way. [m]
const BEHIND: f64 = -1.5;
/// A corner is entered this near to its middle. [m]
const ENTERED: f64 = 0.6;
/// Beyond this the robot is on the carriageway and does not turn back. [m]
const ON_THE_ROAD: f64 = 1.5;
/// The other side of a street is at least this far. [m]
const ACROSS: f64 = 4.0;
/// Without a person to follow, the robot leaves the carriageway straight on, towards a point this far ahead. [m]
const STRAIGHT: f64 = 2.0;
/// A crossing that takes longer has failed. [s]
const LONG: f64 = 60.0;

/// A corner: its middle, its radius, and whether the robot is inside. [m]
type Refuge = (Vec2, f64, bool);

impl Walker {
    /// The radius of a crossing that lies ahead in a direction [rad], if there is one. [m]
    pub(super) fn crossing_ahead(&self, direction: f64, pose: Pose, situation: &Situation) -> Option<f64> {
        let along = Vec2::unit(direction);
        let ahead = self.areas(CROSSING, pose, situation).find(|(area, at)| {
            let way = *at - pose.position;
            way.dot(along) > AHEAD && way.cross(along).abs() < 0.8 * area.extent
        });
        ahead.map(|(area, _)| area.extent)
    }

    /// True if the robot is beside all pavements, as far as its cameras know the ground.
    pub(super) fn on_the_road(&self, situation: &Situation) -> bool {
        let areas = self.sightings(self.devices.areas, situation);
        !areas.is_empty() && !self.on_the_pavement(situation)
    }

    /// True if the robot is where people walk, but not where they cross a carriageway.
    fn on_the_pavement(&self, situation: &Situation) -> bool {
        let areas = self.sightings(self.devices.areas, situation);
        areas.iter().any(|area| area.inside && &*area.kind != CROSSING)
    }

    /// Leaves the carriageway, on which it should not be: to the nearest corner.
    pub(super) fn leave_road(&mut self, direction: f64, pose: Pose, now: Time) {
        let since = Time::from_seconds((now.seconds() - LONG).max(0.0));
        let crossing = Crossing { person: None, direction, from: pose.position, since, width: 0.0 };
        self.track = PersonTrack::default();
        self.track.see(pose.position, now);
        self.begin(Phase::Follow(crossing), CAMERAS, Behaviour::FollowPerson);
    }

    /// Somebody who crosses the street in this direction near the robot. [rad]
    fn crosser(&self, direction: f64, at: Vec2, width: f64) -> Option<&Person> {
        let along = Vec2::unit(direction);
        let fits = |person: &&Person| {
            let way = person.at - at;
            let ahead = way.dot(along);
            person.velocity.dot(along) > CROSSES
                && (NEAR.0..NEAR.1).contains(&ahead)
                && way.cross(along).abs() < width
        };
        let distance = |person: &&Person| person.at.distance(at);
        self.people.iter().filter(fits).min_by(|one, two| distance(one).total_cmp(&distance(two)))
    }

    /// Begins to follow somebody across the street.
    pub(super) fn follow(&mut self, direction: f64, pose: Pose, situation: &Situation, out: &mut Output) {
        let now = situation.now;
        let extent = self.crossing_ahead(direction, pose, situation).unwrap_or_default();
        let width = NEAR.2.max(ASIDE * extent);
        let Some(person) = self.crosser(direction, pose.position, width).cloned() else { return };
        out.explain(Event::new(EventKind::FollowsPerson).thing(&*person.name).at(pose.position));
        self.track = PersonTrack::default();
        self.track.see(person.at, now);
        let crossing =
            Crossing { person: Some(person.name), direction, from: pose.position, since: now, width };
        self.begin(Phase::Follow(crossing), CAMERAS, Behaviour::FollowPerson);
    }

    /// Keeps behind the person as far as the corner on the other side. If that is no longer possible, the robot leaves the carriageway:
    /// to that corner, and after a while to any corner.
    pub(super) fn keep_up(&mut self, pose: Pose, situation: &Situation) {
        let Phase::Follow(crossing) = &mut self.phase else { return };
        let (along, age) = (Vec2::unit(crossing.direction), situation.now.since(crossing.since));
        let person = crossing.person.as_ref().and_then(|name| self.people.get(name));
        let ahead = crossing.progress(pose.position);
        let leads = |person: &&Person| {
            let aside = (person.at - crossing.from).cross(along).abs();
            let goes_on = person.velocity.dot(along) > -CROSSES && aside < crossing.width;
            goes_on && crossing.progress(person.at) > ahead + BEHIND
        };
        let person = person.filter(leads).map(|person| person.at).filter(|_| age <= LONG);
        if person.is_none() {
            crossing.person = None;
        }
        let crossing = crossing.clone();
        let refuge = self.refuge(&crossing, age > LONG, pose, situation);
        let there = refuge.is_some_and(|((.., inside), _)| inside);
        let passed = refuge.is_none_or(|((middle, ..), _)| crossing.progress(middle) < ahead);
        if let Some((corner, _)) = refuge.filter(|(corner, near)| *near && corner.2) {
            self.ask_at((corner.0, corner.1), situation.now);
        } else if ahead > ACROSS && passed && !there && self.on_the_pavement(situation) {
            // It has come past the corner.
            self.ask(situation.now);
        } else if person.is_none() && ahead < ON_THE_ROAD && age <= LONG {
            self.begin(Phase::Wait(crossing.direction, situation.now), DIALOGUE, Behaviour::Idle);
        } else if age > 2.0 * LONG {
            self.fail(Trouble::NotAcross, situation.now);
        } else {
            let straight = pose.position + along * STRAIGHT;
            let corner = refuge.map(|((middle, ..), _)| middle);
            // Where the person goes on from the corner is no matter: the way may turn there.
            let person = person.filter(|_| !there);
            self.track.see(person.or(corner).unwrap_or(straight), situation.now);
        }
    }

    /// The nearest corner on the other side of a street, or on any side: its middle, its radius and whether the robot is inside; and
    /// whether the robot is far enough in. [m]
    fn refuge(
        &self,
        crossing: &Crossing,
        any: bool,
        pose: Pose,
        situation: &Situation,
    ) -> Option<(Refuge, bool)> {
        let along = Vec2::unit(crossing.direction);
        let across = |at: Vec2| any || crossing.progress(at) > ACROSS;
        let corners = self.areas(CROSSROADS, pose, situation).filter(|(_, at)| across(*at));
        let distance = |at: &Vec2| at.distance(pose.position);
        let nearest = corners.min_by(|one, two| distance(&one.1).total_cmp(&distance(&two.1)));
        nearest.map(|(area, at)| {
            // A whole street mouth need only be entered half-way.
            let way = at - pose.position;
            let rest = if area.extent > MOUTH { way.dot(along).abs() } else { way.length() };
            let target = if area.extent > MOUTH { pose.position + along * way.dot(along) } else { at };
            ((target, area.extent, area.inside), rest < ENTERED)
        })
    }
}
