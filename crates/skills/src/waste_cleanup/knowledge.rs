//! A cleaning robot's knowledge, and the messages between cleaning robots.

use super::{CleanupBriefing, FIND_LOCATIONS, MOVE_SPILL, REPORT_PROGRESS, WASTE};
use crate::Navigator;
use crewlab_control::AnyController;
use crewlab_onboard::geometry::{Pose, Vec2, vec2};
use crewlab_onboard::{
    Body, EffectorId, Identity, Message, Output, Reading, SensorId, Sighting, Situation, TaskId, Time,
};
use serde::{Deserialize, Serialize};

/// Two sightings this near to each other are of one item. [m]
const SAME: f64 = 0.3;
/// Largest number of lost items that are remembered.
const MOST_STRAYS: usize = 64;

/// A reading older than this says nothing about the present. [s]
const STALE: f64 = 1.0;

/// Absolute positions of the places that matter. [m]
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sites {
    /// Centres of the top and the bottom spill.
    pub spills: [Vec2; 2],
    /// Centre of the deposit.
    pub deposit: Vec2,
    /// Centre of the report site.
    pub report_site: Vec2,
}

impl Sites {
    /// The sites in a room whose walls are at these coordinates, by the qualitative knowledge of every robot.
    pub fn in_room(low: Vec2, high: Vec2) -> Sites {
        let at = |x: f64, y: f64| low + vec2((high.x - low.x) * x, (high.y - low.y) * y);
        Sites {
            spills: [at(1.0 / 3.0, 2.0 / 3.0), at(1.0 / 3.0, 1.0 / 3.0)],
            deposit: at(0.8, 0.5),
            report_site: at(1.0 / 12.0, 0.5),
        }
    }
}

/// A message between robots.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Talk {
    /// "These are the places." Said once by the finder.
    Locations(Sites),
    /// "This spill is cleared."
    Cleared(u8),
    /// "I have just reported."
    Reported,
}

/// One robot's knowledge and senses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Knowledge {
    /// Navigation.
    pub navigator: Navigator,
    /// Where things are, once somebody has found them.
    pub sites: Option<Sites>,
    /// Which spills are known to be cleared.
    pub cleared: [bool; 2],
    /// Where waste was seen outside the spills and the deposit: somebody lost it. [m]
    pub strays: Vec<Vec2>,
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
            navigator: Navigator::new(controller, me),
            sites: None,
            cleared: [false; 2],
            strays: Vec::new(),
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
                Ok(Talk::Locations(sites)) => self.sites = self.sites.or(Some(sites)),
                Ok(Talk::Cleared(spill)) => {
                    if let Some(cleared) = self.cleared.get_mut(usize::from(spill)) {
                        *cleared = true;
                    }
                }
                Ok(Talk::Reported) => self.reported = Some(now),
                // Another mission's message, or a damaged one: ignored.
                Err(_) => {}
            }
        }
    }

    /// Records lost waste, and lost waste that is gone.
    pub fn look_for_strays(&mut self, situation: &Situation) {
        let (Some(sites), Some(pose)) = (self.sites, self.navigator.pose(situation)) else { return };
        let waste = || self.items(situation).iter().filter(|s| &*s.kind == WASTE).map(|s| place(&pose, s));
        let lost = waste().filter(|at| self.is_stray(sites, *at));
        let fresh: Vec<Vec2> =
            lost.filter(|at| !self.strays.iter().any(|s| s.distance(*at) < SAME)).collect();
        let in_view = 0.6 * self.item_range(situation);
        let sees = self.sees_items(situation);
        let gone = |stray: &Vec2| {
            let near = stray.distance(pose.position) < in_view;
            sees && near && !waste().any(|at| at.distance(*stray) < SAME)
        };
        let kept: Vec<Vec2> = self.strays.iter().copied().filter(|stray| !gone(stray)).collect();
        self.strays = kept;
        self.strays.extend(fresh);
        self.strays.truncate(MOST_STRAYS);
    }

    /// True if waste at this place lies neither in a spill nor in the deposit.
    fn is_stray(&self, sites: Sites, at: Vec2) -> bool {
        let spilt = sites.spills.iter().any(|spill| spill.distance(at) <= self.briefing.spill_radius + SAME);
        // Robots put waste down well inside the deposit: what lies at its rim fell there.
        !spilt && sites.deposit.distance(at) > 0.9 * self.briefing.deposit_radius
    }

    /// The lost waste nearest to the robot that belongs to a spill: that of the nearer spill.
    pub fn stray_of(&self, spill: usize, situation: &Situation) -> Option<Vec2> {
        let (sites, pose) = (self.sites?, self.navigator.pose(situation)?);
        let of_spill = self.strays.iter().copied().filter(|at| nearest_spill(sites, *at) == spill);
        of_spill.min_by(|a, b| a.distance(pose.position).total_cmp(&b.distance(pose.position)))
    }

    /// True if something is left to do at a spill or with waste lost near it.
    pub fn work_left(&self, spill: usize) -> bool {
        let lost = |sites: Sites| self.strays.iter().any(|at| nearest_spill(sites, *at) == spill);
        !self.cleared[spill] || self.sites.is_some_and(lost)
    }

    /// When a task is known to have been finished.
    pub fn finished(&self, task: TaskId) -> Option<Time> {
        let once = |done: bool| done.then_some(Time::ZERO);
        match task {
            FIND_LOCATIONS => once(self.sites.is_some()),
            REPORT_PROGRESS => self.reported,
            _ => once(!self.work_left(usize::from(task == MOVE_SPILL[1]))),
        }
    }

    /// Sends a message to the team.
    pub fn tell(&self, talk: &Talk, out: &mut Output) {
        // Serialising plain data into a growing vector cannot fail.
        out.say(Body::Knowledge(postcard::to_stdvec(talk).unwrap_or_default()));
    }

    /// Free distance to the border straight ahead, if it is in range. [m]
    pub fn border_ahead(&self, situation: &Situation) -> Option<f64> {
        let id = self.border?;
        let range = *situation.percept.ranges(id).first()?;
        (range < situation.me.datasheet.sensors[usize::from(id.0)].range * 0.999).then_some(range)
    }

    /// Free distance to the border on the left, if it is in range. [m]
    pub fn border_left(&self, situation: &Situation) -> Option<f64> {
        let id = self.sides?;
        let range = *situation.percept.ranges(id).first()?;
        (range < situation.me.datasheet.sensors[usize::from(id.0)].range * 0.999).then_some(range)
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

/// The spill that a place is nearer to.
fn nearest_spill(sites: Sites, at: Vec2) -> usize {
    usize::from(sites.spills[1].distance(at) < sites.spills[0].distance(at))
}

/// The position of a sighting, by the robot's own estimate. [m]
pub fn place(pose: &Pose, sighting: &Sighting) -> Vec2 {
    pose.position + Vec2::unit(pose.heading + sighting.bearing) * sighting.distance
}
