//! A detour by the pilot, for controllers that look some seconds ahead and not around corners: a robot that gets no closer hands over
//! to the pilot for a while, as it does for the last bit of the way.

use crate::pilot::PilotParams;
use crate::{Pilot, Plugin};
use crewlab_onboard::geometry::Vec2;
use crewlab_onboard::{Controller, Goal, Identity, Speeds, Steering, Stream, Time};
use serde::{Deserialize, Serialize};

/// A robot that for this long ... [s]
const PATIENCE: f64 = 5.0;
/// ... has come no closer than this hands over to the pilot ... [m]
const CLOSER: f64 = 0.15;
/// ... for this long. [s]
const DETOUR: f64 = 30.0;
/// A distance to the goal that changes by more than this in a tick is that of another goal. [m]
const JUMP: f64 = 0.6;
/// The last bit of the way is the pilot's, which comes to a point exactly. [m]
const DOCKING: f64 = 0.3;
/// A robot that waits for another one within this many radii needs no detour.
const CROWDED: f64 = 5.0;

/// The last progress on the way to the goal.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Progress {
    /// Least distance to the goal so far. [m]
    least: f64,
    /// Distance in the last tick. [m]
    last: f64,
    /// Where the robot was; it counts if the goal is only a direction.
    place: Option<Vec2>,
    at: Time,
}

/// The pilot, and whether it drives.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Detour {
    pilot: Pilot,
    progress: Option<Progress>,
    /// The pilot drives until then.
    until: Option<Time>,
}

impl Detour {
    /// A pilot that keeps this clearance. [m]
    pub(crate) fn new(margin: f64, me: &Identity) -> Detour {
        let params = PilotParams { margin, ..PilotParams::default() };
        Detour { pilot: Pilot::boot(&params, me), progress: None, until: None }
    }

    /// The pilot's speeds if it drives in this tick.
    pub(crate) fn take_over(&mut self, steering: &Steering, random: &mut Stream) -> Option<Speeds> {
        let drives = self.docks(steering) || self.detours(steering);
        drives.then(|| self.pilot.steer(steering, random))
    }

    /// True on the last bit of the way, unless somebody else is in it: the pilot does not know how others move.
    fn docks(&self, steering: &Steering) -> bool {
        steering.goal.distance < DOCKING && !crowded(steering)
    }

    /// True while the pilot drives because the robot has come no closer for a while.
    fn detours(&mut self, steering: &Steering) -> bool {
        let (now, goal) = (steering.situation.now, &steering.goal);
        let place = steering.pose.map(|pose| pose.position);
        if self.until.is_some_and(|until| now < until) {
            return true;
        }
        if self.until.take().is_some() {
            self.progress = None;
        }
        let Some(progress) = &mut self.progress else {
            self.progress = Some(Progress { least: goal.distance, last: goal.distance, place, at: now });
            return false;
        };
        if progress.closer(goal, place) || crowded(steering) {
            *progress = Progress { least: goal.distance, last: goal.distance, place, at: now };
        } else if now.since(progress.at) > PATIENCE {
            self.until = Some(now.after((DETOUR * 1e9) as u64));
            self.pilot.set_out();
            return true;
        }
        progress.last = goal.distance;
        false
    }

    pub(crate) fn set_out(&mut self) {
        (self.progress, self.until) = (None, None);
        self.pilot.set_out();
    }

    pub(crate) fn rest(&mut self) {
        self.progress = None;
        self.pilot.rest();
    }
}

impl Progress {
    fn closer(&self, goal: &Goal, place: Option<Vec2>) -> bool {
        if goal.distance.is_finite() {
            // A goal that jumps is another goal.
            goal.distance < self.least - CLOSER || (goal.distance - self.last).abs() > JUMP
        } else {
            self.place.zip(place).is_none_or(|(then, now)| then.distance(now) > CLOSER)
        }
    }
}

/// True if a neighbour is so near that the robot may have to wait for it.
fn crowded(steering: &Steering) -> bool {
    let near = CROWDED * steering.limits.radius;
    steering.neighbours.first().is_some_and(|neighbour| neighbour.position.length() < near)
}
