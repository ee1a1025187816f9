//! A cleaning robot's knowledge, and the messages between cleaning robots.

use super::delivery::Delivery;
use super::litter::Litter;
use super::mobility::Mobility;
use super::sites::Sites;
use super::walls::Walls;
use super::{
    CleanupBriefing, DEPOSIT, FIND_LOCATIONS, MOVE_SPILL, REPORT_PROGRESS, REPORT_SITE, SPILL, WASTE,
};
use crate::Navigator;
use crewlab_control::AnyController;
use crewlab_onboard::geometry::{Pose, Vec2, wrap};
use crewlab_onboard::{
    Body, Command, EffectorId, Event, EventKind, Identity, Message, Output, Reading, RobotId, Scan, SensorId,
    Sighting, Situation, TaskId, Time,
};
use serde::{Deserialize, Serialize};

/// A reading older than this says nothing about the present. [s]
const STALE: f64 = 1.0;

/// Share of the border sensor's range beyond which a reading may be noise: a beam that sees nothing reads the range.
const WELL_IN_RANGE: f64 = 0.75;
/// Waste nearer than this is seen well enough to tell on which side of the deposit's rim it lies. [m]
const NEAR: f64 = 0.8;
/// Of waste farther away, the place is uncertain by this share of the distance.
const UNCERTAIN: f64 = 0.4;
/// Waste this far from the deposit's rim certainly lies outside. [m]
const FAR_OUTSIDE: f64 = 1.0;
/// The deposit's place is averaged over this time. [s]
const AVERAGED: f64 = 1.0;
/// A cleared spill, and the part of the room around it, is looked at again after this time. [s]
const LOOK_AGAIN: f64 = 120.0;
/// A place that is seen this far from where it was believed to be was moved. [m]
const MOVED: f64 = 0.5;
/// Time between two messages about a place that was moved. [s]
const NEWS: f64 = 5.0;
/// An item that a team-mate holds out is believed to be there for this long. [s]
const OFFERED: f64 = 15.0;

/// A message between robots.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Talk {
    /// "These are the places." Said once by the finder.
    Locations(Sites),
    /// "This spill is cleared."
    Cleared(u8),
    /// "I have just reported."
    Reported,
    /// "The deposit is here now."
    Deposit(Vec2),
    /// "I cannot move and hold an item out here."
    HoldsOut(Vec2),
}

/// An item that a team-mate holds out.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Offer {
    from: RobotId,
    at: Vec2,
    heard: Time,
}

/// The deposit as it is seen.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Deposit {
    /// Averaged over a short time. [m]
    center: Vec2,
    radius: f64,
    /// Since when it has been in view.
    since: Time,
    /// When it was last seen.
    last: Time,
}

/// One robot's knowledge and senses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Knowledge {
    /// Navigation.
    pub navigator: Navigator,
    /// Where things are, once somebody has found them.
    pub sites: Option<Sites>,
    /// True once an area was seen where it should be, so that the walls must have been found correctly.
    pub confirmed: bool,
    /// The walls that the robot itself has found so far.
    pub walls: Walls,
    /// When spills were last known to be cleared.
    pub cleared: [Option<Time>; 2],
    /// Where waste lies outside the deposit.
    pub litter: Litter,
    /// The way of the item in the gripper.
    pub delivery: Delivery,
    /// Whether the robot can move.
    pub mobility: Mobility,
    /// The spill that the robot works on now.
    pub working_on: Option<usize>,
    /// The deposit in view.
    deposit: Option<Deposit>,
    offers: Vec<Offer>,
    /// When the robot last told where the deposit is.
    told: Option<Time>,
    /// The places that the robot believed in before it began to search again.
    doubted: Option<Sites>,
    /// When the last report is known to have been made.
    pub reported: Option<Time>,
    /// Its briefing.
    pub briefing: CleanupBriefing,
    border: Option<SensorId>,
    sides: Option<SensorId>,
    items: Option<SensorId>,
    areas: Option<SensorId>,
    pub(super) gripper: Option<EffectorId>,
    pub(super) report: Option<EffectorId>,
}

impl Knowledge {
    /// A robot's knowledge at boot.
    pub fn new(briefing: &CleanupBriefing, me: &Identity, controller: AnyController) -> Knowledge {
        let sheet = &me.datasheet;
        Knowledge {
            navigator: Navigator::new(controller, me).filtering(),
            sites: None,
            confirmed: false,
            walls: Walls::default(),
            cleared: [None; 2],
            litter: Litter::default(),
            delivery: Delivery::default(),
            mobility: Mobility::default(),
            working_on: None,
            deposit: None,
            offers: Vec::new(),
            told: None,
            doubted: None,
            reported: None,
            briefing: briefing.clone(),
            border: sheet.sensor("border"),
            sides: sheet.sensor("side-range"),
            items: sheet.sensor("item-detector"),
            areas: sheet.sensor("area-detector"),
            gripper: sheet.effector("gripper"),
            report: sheet.effector("report"),
        }
    }

    /// Processes team-mates' messages.
    pub fn listen(&mut self, now: Time, inbox: &[Message]) {
        for message in inbox {
            let Body::Knowledge(bytes) = &message.body else { continue };
            match postcard::from_bytes(bytes) {
                Ok(Talk::Locations(sites)) if self.sites.is_none() => self.believe(sites),
                Ok(Talk::Locations(_)) => {}
                Ok(Talk::Cleared(spill)) => {
                    if let Some(cleared) = self.cleared.get_mut(usize::from(spill)) {
                        *cleared = Some(now);
                    }
                }
                Ok(Talk::Reported) => self.reported = Some(now),
                Ok(Talk::Deposit(at)) => {
                    if let Some(sites) = &mut self.sites {
                        sites.deposit = at;
                    }
                }
                Ok(Talk::HoldsOut(at)) => {
                    self.offers.retain(|offer| offer.from != message.from);
                    self.offers.push(Offer { from: message.from, at, heard: now });
                }
                // Another mission's message, or a damaged one: ignored.
                Err(_) => {}
            }
        }
        self.offers.retain(|offer| now.within(offer.heard, OFFERED));
    }

    /// Believes in these places. If they were doubted before and are found again, they must be right.
    pub fn believe(&mut self, sites: Sites) {
        let same = |old: Sites| old.low.distance(sites.low) < MOVED && old.high.distance(sites.high) < MOVED;
        self.confirmed = self.doubted.take().is_some_and(same);
        self.sites = Some(sites);
    }

    /// Discards the believed places: what should be there is not.
    pub fn forget(&mut self, out: &mut Output) {
        self.doubted = self.sites.take();
        self.walls = Walls::default();
        self.confirmed = false;
        // Sightings at wrong places say nothing about the right ones.
        self.cleared = [None; 2];
        self.litter.clear();
        let why = "nothing was found where it should be; the search starts again";
        out.explain(Event::new(EventKind::LocationsWrong).saying(why));
    }

    /// Learns from what is in view: where the areas are and where waste lies.
    pub fn look(&mut self, situation: &Situation, out: &mut Output) {
        let (Some(sites), Some(pose)) = (self.sites, self.navigator.pose(situation)) else { return };
        self.look_at_areas(sites, situation, out);
        let waste: Vec<Vec2> = self.waste(situation).iter().map(|s| place(&pose, s)).collect();
        let outside: Vec<Vec2> = self.waste_outside(situation).into_iter().map(|(_, at)| at).collect();
        let in_view = 0.6 * self.item_range(situation);
        let sees = self.sees_items(situation);
        let scan = self.navigator.scan(situation);
        let empty = |at: Vec2| {
            let distance = at.distance(pose.position);
            let visible = distance < in_view && free_up_to(&scan, pose.bearing(at), distance, situation);
            sees && visible && !Litter::among(waste.iter().copied(), at)
        };
        let mut litter = std::mem::take(&mut self.litter);
        litter.update(outside.into_iter(), empty, situation.now, situation.dt);
        self.litter = litter;
    }

    /// Updates the places of areas that are elsewhere than believed, and tells the team of a deposit that was moved.
    fn look_at_areas(&mut self, mut sites: Sites, situation: &Situation, out: &mut Output) {
        let now = situation.now;
        let seen = |kind: &str, expected: Vec2| self.area(kind, expected, situation).map(|(_, at)| at);
        let report = seen(REPORT_SITE, sites.report_site);
        let spill =
            sites.spills.iter().any(|at| seen(SPILL, *at).is_some_and(|seen| seen.distance(*at) < MOVED));
        self.average_deposit(sites, situation);
        let deposit = self.deposit.filter(|deposit| now.since(deposit.since) > AVERAGED);
        self.confirmed |= spill || deposit.is_some_and(|d| d.center.distance(sites.deposit) < MOVED);
        sites.report_site = report.unwrap_or(sites.report_site);
        if let Some(deposit) = deposit.filter(|deposit| deposit.center.distance(sites.deposit) > MOVED) {
            sites.deposit = deposit.center;
            if self.told.is_none_or(|told| !now.within(told, NEWS)) {
                self.told = Some(now);
                self.tell(&Talk::Deposit(deposit.center), out);
            }
        }
        self.sites = Some(sites);
    }

    fn average_deposit(&mut self, sites: Sites, situation: &Situation) {
        let (now, dt) = (situation.now, situation.dt);
        let before = self.deposit.filter(|deposit| now.within(deposit.last, AVERAGED));
        let Some((area, at)) = self.area(DEPOSIT, sites.deposit, situation) else {
            self.deposit = before;
            return;
        };
        let new = Deposit { center: at, radius: area.extent, since: now, last: now };
        let averaged = |old: Deposit| {
            // The first readings are averaged evenly.
            let share = dt / (now.since(old.since) + dt).min(AVERAGED.max(dt));
            Deposit { center: old.center + (at - old.center) * share, since: old.since, ..new }
        };
        self.deposit = Some(before.map_or(new, averaged));
    }

    /// The waste in view, nearest first.
    fn waste<'a>(&self, situation: &'a Situation) -> Vec<&'a Sighting> {
        self.items(situation).iter().filter(|sighting| &*sighting.kind == WASTE).collect()
    }

    /// The waste in view that lies outside the deposit as far as this reading tells, nearest first, and its places.
    fn waste_outside<'a>(&self, situation: &'a Situation) -> Vec<(&'a Sighting, Vec2)> {
        let (Some(sites), Some(pose)) = (self.sites, self.navigator.pose(situation)) else {
            return Vec::new();
        };
        let outside = |sighting: &Sighting, at: Vec2| {
            let doubt = if sighting.distance < NEAR { 0.0 } else { UNCERTAIN * sighting.distance };
            match self.deposit {
                // Both are seen from the same place, so that an error of the robot's own place does not matter.
                Some(deposit) => at.distance(deposit.center) > deposit.radius + doubt,
                None => at.distance(sites.deposit) > self.briefing.deposit_radius + MOVED + doubt,
            }
        };
        let waste = self.waste(situation).into_iter().map(|sighting| (sighting, place(&pose, sighting)));
        waste.filter(|(sighting, at)| outside(sighting, *at)).collect()
    }

    /// The nearest waste in view that a robot at work on a spill should pick up, and its place.
    pub fn waste_of<'a>(&self, spill: usize, situation: &'a Situation) -> Option<(&'a Sighting, Vec2)> {
        let sites = self.sites?;
        let center = self.deposit.map_or(sites.deposit, |deposit| deposit.center);
        let far_outside = |at: Vec2| at.distance(center) > self.briefing.deposit_radius + FAR_OUTSIDE;
        let mine = |at: Vec2| sites.spill_of(at) == spill && !self.litter.shuns(at, situation.now);
        // Near the deposit a single reading is not enough.
        let sure = |at: Vec2| far_outside(at) || self.litter.knows(at);
        self.waste_outside(situation).into_iter().find(|(_, at)| mine(*at) && sure(*at))
    }

    /// The known waste of a spill nearest to the robot. Waste elsewhere belongs to the nearer spill.
    pub fn litter_of(&self, spill: usize, situation: &Situation) -> Option<Vec2> {
        let (sites, pose) = (self.sites?, self.navigator.pose(situation)?);
        let of_spill = self.litter.places(situation.now).filter(|at| sites.spill_of(*at) == spill);
        of_spill.min_by(|a, b| a.distance(pose.position).total_cmp(&b.distance(pose.position)))
    }

    /// The place where a team-mate that cannot move holds out an item of a spill.
    pub fn offer_of(&self, spill: usize, now: Time) -> Option<Vec2> {
        let sites = self.sites?;
        let places = self.offers.iter().map(|offer| offer.at);
        places.filter(|at| sites.spill_of(*at) == spill).find(|at| !self.litter.shuns(*at, now))
    }

    /// True if something is left to do at a spill or with waste lost near it, as far as the robot knows.
    pub fn work_left(&self, spill: usize, now: Time) -> bool {
        let Some(sites) = self.sites else { return true };
        let cleared = self.cleared[spill].is_some_and(|at| now.within(at, LOOK_AGAIN));
        let known = self.litter.places(now).any(|at| sites.spill_of(at) == spill);
        !cleared || known || self.offer_of(spill, now).is_some()
    }

    /// When a task is known to have been finished.
    pub fn finished(&self, task: TaskId, now: Time) -> Option<Time> {
        let once = |done: bool| done.then_some(Time::ZERO);
        match task {
            FIND_LOCATIONS => once(self.sites.is_some()),
            REPORT_PROGRESS => self.reported,
            _ => once(!self.work_left(usize::from(task == MOVE_SPILL[1]), now)),
        }
    }

    /// Takes the item in the gripper to the deposit.
    pub fn deliver(&mut self, sites: Sites, situation: &Situation, out: &mut Output) -> Command {
        let mut delivery = std::mem::take(&mut self.delivery);
        let command = delivery.act(sites, self, situation, out);
        self.delivery = delivery;
        command
    }

    /// Sends a message to the team.
    pub fn tell(&self, talk: &Talk, out: &mut Output) {
        // Serialising plain data into a growing vector cannot fail.
        out.say(Body::Knowledge(postcard::to_stdvec(talk).unwrap_or_default()));
    }

    /// Free distance to the border straight ahead, if it is well within range. [m]
    pub fn border_ahead(&self, situation: &Situation) -> Option<f64> {
        let id = self.border?;
        let range = *situation.percept.ranges(id).first()?;
        (range < situation.me.datasheet.sensors[usize::from(id.0)].range * WELL_IN_RANGE).then_some(range)
    }

    /// Free distance to the border on the left, if it is in range. [m]
    pub fn border_left(&self, situation: &Situation) -> Option<f64> {
        let id = self.sides?;
        let range = *situation.percept.ranges(id).first()?;
        (range < situation.me.datasheet.sensors[usize::from(id.0)].range * 0.999).then_some(range)
    }

    /// True if the sensor of the border ahead gives readings.
    pub fn sees_border(&self, situation: &Situation) -> bool {
        gives_readings(self.border, situation)
    }

    /// True if the side sensors give readings.
    pub fn sides_intact(&self, situation: &Situation) -> bool {
        self.sides.is_some_and(|id| !situation.percept.ranges(id).is_empty())
    }

    /// True if the gripper reports a load.
    pub fn loaded(&self, situation: &Situation) -> bool {
        self.gripper.is_some_and(|gripper| situation.percept.feedback(gripper) > 0.5)
    }

    /// How far items are seen. [m]
    pub fn item_range(&self, situation: &Situation) -> f64 {
        self.items.map_or(0.0, |id| situation.me.datasheet.sensors[usize::from(id.0)].range)
    }

    /// How far both waste and areas are seen. [m]
    pub fn sight(&self, situation: &Situation) -> f64 {
        let range = |id: SensorId| situation.me.datasheet.sensors[usize::from(id.0)].range;
        self.areas.map_or(0.0, range).min(self.item_range(situation))
    }

    /// True unless the item detector is silent, when an empty view means nothing.
    pub fn sees_items(&self, situation: &Situation) -> bool {
        gives_readings(self.items, situation)
    }

    /// True unless the area detector is silent.
    pub fn sees_areas(&self, situation: &Situation) -> bool {
        gives_readings(self.areas, situation)
    }

    /// The items in view.
    pub fn items<'a>(&self, situation: &'a Situation) -> &'a [Sighting] {
        self.items.map_or(&[], |id| situation.percept.sightings(id))
    }

    /// The area of a kind nearest to where it is expected, with the position where it was seen.
    pub fn area<'a>(
        &self,
        kind: &str,
        expected: Vec2,
        situation: &'a Situation,
    ) -> Option<(&'a Sighting, Vec2)> {
        let pose = self.navigator.pose(situation)?;
        let seen = situation.percept.sightings(self.areas?).iter().filter(|s| &*s.kind == kind);
        seen.map(|sighting| (sighting, place(&pose, sighting)))
            .min_by(|a, b| a.1.distance(expected).total_cmp(&b.1.distance(expected)))
    }
}

/// True if a sensor is there, has measured, and has not missed its readings for long.
fn gives_readings(sensor: Option<SensorId>, situation: &Situation) -> bool {
    let sense = sensor.and_then(|id| situation.percept.senses.get(usize::from(id.0)));
    sense.is_some_and(|sense| {
        let recent = sense.tried.is_none_or(|tried| tried.since(sense.at) <= STALE);
        recent && sense.reading != Reading::Missing
    })
}

/// True if the scanner sees nothing in a direction up to a distance from the robot's centre. [rad], [m]
fn free_up_to(scan: &Scan, bearing: f64, distance: f64, situation: &Situation) -> bool {
    let rays = scan.angles.iter().zip(scan.ranges);
    let off = |angle: f64| wrap(angle - bearing).abs();
    let nearest = rays.min_by(|a, b| off(*a.0).total_cmp(&off(*b.0)));
    // Beyond its reach the scanner sees nothing, and then nothing is known to be in the way.
    nearest.is_none_or(|(_, range)| {
        *range >= 0.999 * scan.reach || situation.me.datasheet.radius + range >= distance
    })
}

/// The position of a sighting, by the robot's own estimate. [m]
pub fn place(pose: &Pose, sighting: &Sighting) -> Vec2 {
    pose.position + Vec2::unit(pose.heading + sighting.bearing) * sighting.distance
}
