//! The camera on the head: looks for a mark and keeps it in view.

use super::colour::Mark;
use crewlab_onboard::geometry::{Vec2, wrap};
use crewlab_onboard::{Action, Command, EffectorId, Identity, SensorId, Sighting, Situation, Time};
use serde::{Deserialize, Serialize};

/// What looks wider than this at the distance that the infrared tells is a paper, not a marker. [m]
const PAPER: f64 = 0.15;
/// Without a sighting for this long, the mark is out of view. [s]
const BLINK: f64 = 0.35;
/// Where the head is sent when it looks around: beyond what it can reach. [rad]
const AROUND: f64 = 3.1;
/// A head that moves less than this in a tick has come to its end. [rad]
const STILL: f64 = 1e-3;

/// A sighting of the mark.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Seen {
    /// When.
    pub at: Time,
    /// Direction from the robot's front. [rad]
    pub bearing: f64,
    /// Distance, if it is within the infrared's range; else that range. [m]
    pub distance: f64,
    /// Which way the robot with the marker faces, relative to the own front. [rad]
    pub facing: Option<f64>,
}

impl Seen {
    /// Where it is: x ahead, y to the left. [m]
    pub fn place(&self) -> Vec2 {
        Vec2::unit(self.bearing) * self.distance
    }

    /// Where the own robot is as seen from the one with the marker: x ahead of it, y to its left. [m]
    pub fn from_there(&self) -> Vec2 {
        -self.place().rotated(Vec2::unit(-self.facing.unwrap_or(0.0)))
    }

    /// Direction of a robot's marker as if the own robot faced the same way as that one; `None` for a paper. [rad]
    pub fn head_angle(&self) -> Option<f64> {
        self.facing.map(|facing| wrap(self.bearing - facing))
    }
}

/// Camera and head.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Eye {
    camera: Option<SensorId>,
    head: Option<EffectorId>,
    mark: Option<Mark>,
    seen: Option<Seen>,
    /// Since when it has been in view.
    since: Option<Time>,
    /// The side to which the head turns while it looks around, 1 for left.
    side: f64,
    /// Where the head was in the last tick. [rad]
    pan: f64,
    /// How often the head has come to an end since it began to look around.
    ends: u32,
}

impl Eye {
    /// The eye of a robot.
    pub fn new(me: &Identity) -> Eye {
        Eye {
            camera: me.datasheet.sensor("colour-camera"),
            head: me.datasheet.effector("head"),
            mark: None,
            seen: None,
            since: None,
            side: 1.0,
            pan: 0.0,
            ends: 0,
        }
    }

    /// Looks for this mark from now on.
    pub fn look_for(&mut self, mark: Mark) {
        if self.mark != Some(mark) {
            (self.mark, self.seen, self.since, self.ends) = (Some(mark), None, None, 0);
        }
    }

    /// What it looks for.
    pub fn mark(&self) -> Option<Mark> {
        self.mark
    }

    /// Takes in what the camera sees.
    pub fn look(&mut self, situation: &Situation) {
        let now = situation.now;
        let sightings = self.camera.map_or(&[][..], |camera| situation.percept.sightings(camera));
        let best = sightings.iter().filter(|sighting| self.shows(sighting)).min_by(|one, two| {
            // The one nearest to where it was.
            let off = |each: &Sighting| self.seen.map_or(0.0, |seen| wrap(each.bearing - seen.bearing).abs());
            off(one).total_cmp(&off(two))
        });
        if let Some(sighting) = best {
            let Sighting { bearing, distance, heading: facing, .. } = *sighting;
            if self.seen.is_none_or(|seen| !now.within(seen.at, BLINK)) {
                self.since = Some(now);
            }
            self.seen = Some(Seen { at: now, bearing, distance, facing });
            self.ends = 0;
        }
    }

    fn shows(&self, sighting: &Sighting) -> bool {
        let Some(mark) = self.mark.filter(|mark| *sighting.kind == *mark.colour().name()) else {
            return false;
        };
        let finite = sighting.bearing.is_finite() && sighting.distance.is_finite();
        let wide = sighting.extent * sighting.distance > PAPER;
        finite && wide == matches!(mark, Mark::Paper(_))
    }

    /// The mark, if it is in view.
    pub fn in_view(&self, now: Time) -> Option<Seen> {
        self.seen.filter(|seen| now.within(seen.at, BLINK))
    }

    /// The last sighting, if it is not older than this. [s]
    pub fn lately(&self, now: Time, span: f64) -> Option<Seen> {
        self.seen.filter(|seen| now.within(seen.at, span))
    }

    /// How long the mark has been in view; 0 if it is not. [s]
    pub fn steady(&self, now: Time) -> f64 {
        self.in_view(now).and(self.since).map_or(0.0, |since| now.since(since))
    }

    /// The side on which the mark was last, 1 for left.
    pub fn last_side(&self) -> f64 {
        self.seen.map_or(1.0, |seen| if seen.bearing < 0.0 { -1.0 } else { 1.0 })
    }

    /// True if the head alone has not found the mark.
    pub fn needs_a_turn(&self) -> bool {
        self.ends >= 2
    }

    /// The same command, with the head turned to the mark; or looking around for it, if it is not in view.
    pub fn watch(&mut self, command: Command, situation: &Situation) -> Command {
        let Some(head) = self.head.filter(|_| self.mark.is_some()) else { return command };
        let pan = situation.percept.feedback(head);
        let stuck = (pan - self.pan).abs() < STILL;
        self.pan = pan;
        let goal = match self.in_view(situation.now) {
            Some(seen) => seen.bearing,
            None => {
                if stuck {
                    self.side = -self.side;
                    self.ends = self.ends.saturating_add(1);
                }
                self.side * AROUND
            }
        };
        command.with(head, Action::face(goal))
    }
}
