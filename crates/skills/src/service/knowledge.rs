//! A service robot's knowledge: persons and cups, orders, team-mates and what they hold.

use super::passage::Passage;
use super::talk::{Claim, Order, ServiceReport};
use super::{DRINKS, PERSON, ServiceBriefing};
use crate::Navigator;
use crewlab_control::AnyController;
use crewlab_onboard::geometry::{Pose, Vec2, wrap};
use crewlab_onboard::{
    Body, EffectorId, Identity, Message, Output, Reading, RobotId, SensorId, Situation, Time,
};
use serde::{Deserialize, Serialize};

/// Interval of reports, and the interval while a partner waits for them. [s]
const REPORT: (f64, f64) = (1.0, 0.3);
/// Reports older than this are ignored. [s]
const FRESH: f64 = 3.0;
/// A held cup is this near to the centre of its holder. [m]
const IN_HAND: f64 = 0.4;
/// Largest number of persons that are remembered.
const MOST_PERSONS: usize = 100;

/// A person, as far as known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Guest {
    /// The person's number.
    pub number: u32,
    /// Where the person is. [m]
    pub at: Vec2,
    /// True if the person is there, by the tracker.
    pub here: bool,
    /// The number of the drink that the person ordered, if anybody has asked.
    pub drink: Option<usize>,
    /// True if the person has it.
    pub served: bool,
}

/// A cup, as the tracker last saw it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cup {
    /// Its number.
    pub number: u32,
    /// Its drink.
    pub drink: usize,
    /// Where it is. [m]
    pub at: Vec2,
    /// Direction in which its handle points. [rad]
    pub handle: Option<f64>,
    /// True if somebody holds it.
    pub in_hand: bool,
}

/// A team-mate, as it last reported.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mate {
    /// The team-mate.
    pub robot: RobotId,
    /// When it was heard.
    pub heard: Time,
    /// Its report.
    pub report: ServiceReport,
}

/// One robot's knowledge, senses and tools.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Knowledge {
    /// Navigation.
    pub navigator: Navigator,
    /// The robot's identity.
    pub me: RobotId,
    /// Its briefing.
    pub briefing: ServiceBriefing,
    /// The persons, by number.
    pub guests: Vec<Guest>,
    /// The cups, by number.
    pub cups: Vec<Cup>,
    /// The cup in the gripper.
    pub held: Option<u32>,
    /// The gripper.
    pub gripper: Option<EffectorId>,
    /// True if the gripper grasps cups by the handle.
    pub needs_handle: bool,
    /// The dialog module.
    pub dialog: Option<EffectorId>,
    mates: Vec<Mate>,
    /// Whether it gets on with its work.
    pub passage: Passage,
    tracker: Option<SensorId>,
    /// Time and content of its last report: hand, claim and orders.
    said: Option<(Time, ServiceReport)>,
}

impl Knowledge {
    /// A robot's knowledge at boot.
    pub fn new(briefing: &ServiceBriefing, me: &Identity, controller: AnyController) -> Knowledge {
        let sheet = &me.datasheet;
        let (two, three) = (sheet.effector("two-finger"), sheet.effector("three-finger"));
        Knowledge {
            navigator: Navigator::new(controller, me),
            me: me.id,
            briefing: briefing.clone(),
            guests: Vec::new(),
            cups: Vec::new(),
            held: None,
            gripper: three.or(two),
            needs_handle: three.is_none(),
            dialog: sheet.effector("dialog"),
            mates: Vec::new(),
            passage: Passage::default(),
            tracker: sheet.sensor("tracker"),
            said: None,
        }
    }

    /// Processes the readings of the tracker and the gripper.
    pub fn look(&mut self, situation: &Situation) {
        if let (Some(pose), Some(tracker)) = (self.navigator.pose(situation), self.tracker)
            && matches!(situation.percept.reading(tracker), Reading::Sightings(_))
        {
            self.track(&pose, tracker, situation);
        }
        let loaded = self.gripper.is_some_and(|gripper| situation.percept.feedback(gripper) > 0.5);
        self.held = if loaded { self.cup_at_hand(situation).or(self.held) } else { None };
    }

    fn track(&mut self, pose: &Pose, tracker: SensorId, situation: &Situation) {
        self.cups.clear();
        let range = situation.me.datasheet.sensors[usize::from(tracker.0)].range;
        for guest in self.guests.iter_mut().filter(|guest| guest.at.distance(pose.position) < 0.9 * range) {
            guest.here = false;
        }
        for sighting in situation.percept.sightings(tracker) {
            let Some((word, number)) = sighting.kind.rsplit_once(' ') else { continue };
            let Ok(number) = number.parse::<u32>() else { continue };
            let at = pose.position + Vec2::unit(pose.heading + sighting.bearing) * sighting.distance;
            if word == PERSON {
                if let Some(guest) = self.guest_mut(number) {
                    (guest.at, guest.here) = (at, true);
                }
            } else if let Some(drink) = DRINKS.iter().position(|drink| *drink == word) {
                let handle = sighting.heading.map(|heading| wrap(heading + pose.heading));
                self.cups.push(Cup { number, drink, at, handle, in_hand: sighting.inside });
            }
        }
        // Only the person can be so near to the seat.
        let cups = &self.cups;
        for guest in self.guests.iter_mut().filter(|guest| guest.here && !guest.served) {
            let has = |cup: &Cup| cup.in_hand && cup.at.distance(guest.at) < 0.3;
            let ordered = |cup: &Cup| guest.drink.is_none_or(|drink| drink == cup.drink);
            guest.served = cups.iter().any(|cup| has(cup) && ordered(cup));
        }
    }

    /// The cup in somebody's hand at the robot's own place.
    fn cup_at_hand(&self, situation: &Situation) -> Option<u32> {
        let me = self.navigator.pose(situation)?.position;
        let near = self.cups.iter().filter(|cup| cup.in_hand && cup.at.distance(me) < IN_HAND);
        near.min_by(|a, b| a.at.distance(me).total_cmp(&b.at.distance(me))).map(|cup| cup.number)
    }

    /// Processes team-mates' reports.
    pub fn listen(&mut self, now: Time, inbox: &[Message]) {
        for message in inbox {
            let Body::Knowledge(bytes) = &message.body else { continue };
            // Another mission's message, or a damaged one: ignored.
            let Ok(report) = postcard::from_bytes::<ServiceReport>(bytes) else { continue };
            for order in &report.orders {
                let Some(guest) = self.guest_mut(u32::from(order.person)) else { continue };
                let drink = order.drink.map(usize::from).filter(|drink| *drink < DRINKS.len());
                guest.drink = guest.drink.or(drink);
                guest.served |= order.served;
            }
            let mate = Mate { robot: message.from, heard: now, report };
            self.mates.retain(|known| known.robot != mate.robot && now.within(known.heard, FRESH));
            self.mates.push(mate);
        }
    }

    /// Sends a report if something has changed that others should know, or if a report is due.
    pub fn report(&mut self, claims: Option<Claim>, urgent: bool, situation: &Situation, out: &mut Output) {
        let ordered = |guest: &&Guest| guest.drink.is_some() || guest.served;
        let orders = self.guests.iter().filter(ordered).map(|guest| Order {
            person: guest.number as u16,
            drink: guest.drink.map(|drink| drink as u8),
            served: guest.served,
        });
        let report = ServiceReport {
            at: self.navigator.pose(situation).map(|pose| pose.position),
            holds: self.held,
            claims,
            blocked: self.passage.blocked(situation.now),
            orders: orders.collect(),
        };
        let pause = if urgent { REPORT.1 } else { REPORT.0 };
        let silent = self.said.as_ref().is_none_or(|(at, said)| {
            let news =
                ServiceReport { at: None, ..said.clone() } != ServiceReport { at: None, ..report.clone() };
            news || !situation.now.within(*at, pause - 1e-6)
        });
        if silent {
            // Serialising plain data into a growing vector cannot fail.
            out.say(Body::Knowledge(postcard::to_stdvec(&report).unwrap_or_default()));
            self.said = Some((situation.now, report));
        }
    }

    /// The person of this number.
    pub fn guest(&self, number: u32) -> Option<&Guest> {
        self.guests.binary_search_by_key(&number, |guest| guest.number).ok().map(|place| &self.guests[place])
    }

    /// The person with this number, added if unknown.
    pub fn guest_mut(&mut self, number: u32) -> Option<&mut Guest> {
        let place = match self.guests.binary_search_by_key(&number, |guest| guest.number) {
            Ok(place) => place,
            Err(_) if self.guests.len() >= MOST_PERSONS || u16::try_from(number).is_err() => return None,
            Err(place) => {
                let new = Guest { number, at: Vec2::ZERO, here: false, drink: None, served: false };
                self.guests.insert(place, new);
                place
            }
        };
        Some(&mut self.guests[place])
    }

    /// The cup of this number, where it was last seen.
    pub fn cup(&self, number: u32) -> Option<&Cup> {
        self.cups.iter().find(|cup| cup.number == number)
    }

    /// A team-mate that was heard recently.
    pub fn mate(&self, robot: RobotId, now: Time) -> Option<&Mate> {
        self.mates.iter().find(|mate| mate.robot == robot && now.within(mate.heard, FRESH))
    }

    /// Where a team-mate within this distance of a place is that does not get through. [m]
    pub fn blocked_mate(&self, place: Vec2, distance: f64, now: Time) -> Option<Vec2> {
        let fresh = self.mates.iter().filter(|mate| now.within(mate.heard, FRESH) && mate.report.blocked);
        fresh.filter_map(|mate| mate.report.at).find(|at| at.distance(place) < distance)
    }

    /// True if a team-mate that was heard recently is within this distance of a place. [m]
    pub fn mate_at(&self, place: Vec2, distance: f64, now: Time) -> bool {
        let fresh = self.mates.iter().filter(|mate| now.within(mate.heard, FRESH));
        fresh.filter_map(|mate| mate.report.at).any(|at| at.distance(place) < distance)
    }

    /// True if a team-mate wants this cup for somebody else. If two want the same one, the robot with the lower number gets it.
    pub fn claimed(&self, cup: u32, person: u32, mine: Option<u32>, now: Time) -> bool {
        let fresh = self.mates.iter().filter(|mate| now.within(mate.heard, FRESH));
        let mut claims = fresh.filter_map(|mate| mate.report.claims.map(|claim| (mate.robot, claim)));
        claims.any(|(robot, claim)| {
            claim.cup == cup && claim.person != person && (mine != Some(cup) || robot < self.me)
        })
    }

    /// True if the robot holds this drink.
    pub fn holds(&self, drink: usize) -> bool {
        self.held.and_then(|held| self.cup(held)).is_some_and(|cup| cup.drink == drink)
    }

    /// How far the gripper reaches from the robot's centre. [m]
    pub fn reach(&self, situation: &Situation) -> f64 {
        let sheet = &situation.me.datasheet;
        let range = self.gripper.map_or(0.0, |gripper| sheet.effectors[usize::from(gripper.0)].range);
        sheet.radius + range
    }
}
