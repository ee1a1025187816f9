//! What a pushing robot knows: where the box is, and whether it has crossed the line.

use super::PushingBriefing;
use super::carton::Carton;
use super::end::End;
use crate::Navigator;
use crewlab_control::AnyController;
use crewlab_onboard::geometry::{Pose, Vec2, vec2, wrap};
use crewlab_onboard::{Command, Identity, Output, SensorId, Situation, Time};
use serde::{Deserialize, Serialize};

/// Distance beyond the line that makes sure that the box has crossed it, whatever the noise. [m]
const BEYOND: f64 = 0.15;
/// A box that was not seen for this long may be anywhere. [s]
const FORGET: f64 = 5.0;
/// How long a robot leaves an end to others that it could not get to. [s]
const LEFT: f64 = 20.0;
/// Distance from the box at which robots drive along it. [m]
const APART: f64 = 0.35;

/// A pushing robot's knowledge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Knowledge {
    /// Its navigator.
    pub navigator: Navigator,
    /// Its briefing.
    pub briefing: PushingBriefing,
    tracker: Option<SensorId>,
    carton: Option<Carton>,
    /// When the sighting was taken that the estimate has used.
    seen: Option<Time>,
    /// Since when the box is beyond the line.
    pub done: Option<Time>,
    /// The end that it could not get to, and when it gave up.
    left: Option<(End, Time)>,
}

impl Knowledge {
    /// The knowledge of a robot before the start.
    pub fn new(briefing: &PushingBriefing, me: &Identity, controller: AnyController) -> Knowledge {
        Knowledge {
            navigator: Navigator::new(controller, me).averaging(me),
            briefing: briefing.clone(),
            tracker: me.datasheet.sensor("tracker"),
            carton: None,
            seen: None,
            done: None,
            left: None,
        }
    }

    /// Looks where the box is.
    pub fn look(&mut self, situation: &Situation) {
        let now = situation.now;
        if !self.seen.is_some_and(|seen| now.within(seen, FORGET)) {
            self.carton = None;
        }
        if let Some((seen, at)) = self.sighting(situation).filter(|(_, at)| self.seen != Some(*at)) {
            let PushingBriefing { depth, length, .. } = self.briefing;
            let dt = self.seen.map_or(0.0, |before| at.since(before));
            self.carton.get_or_insert(Carton { pose: seen, depth, length }).see(seen, dt);
            self.seen = Some(at);
        }
        if let Some(carton) = &self.carton {
            let beyond = carton.tail() - self.briefing.goal;
            self.done =
                if beyond >= BEYOND { self.done.or(Some(now)) } else { self.done.filter(|_| beyond > 0.0) };
        }
    }

    /// The latest sighting of the box, and when it was taken.
    fn sighting(&self, situation: &Situation) -> Option<(Pose, Time)> {
        // What the sensors say now belongs together; an averaged heading is late while the robot turns.
        let (tracker, me) = (self.tracker?, self.navigator.reading(situation)?);
        let at = situation.percept.senses.get(usize::from(tracker.0))?.at;
        let sightings = situation.percept.sightings(tracker);
        let seen = sightings.iter().find(|sighting| *sighting.kind == *self.briefing.name)?;
        let position = me.position + Vec2::unit(me.heading + seen.bearing) * seen.distance;
        let heading = wrap(me.heading + seen.heading? + self.briefing.front);
        Some((Pose { position, heading }, at))
    }

    /// The box, if the robot knows where it is.
    pub fn carton(&self) -> Option<&Carton> {
        self.carton.as_ref()
    }

    /// Leaves an end to others for a while.
    pub fn leave(&mut self, end: End, now: Time) {
        self.left = Some((end, now));
    }

    /// True while it leaves an end to others.
    pub fn leaves(&self, end: End, now: Time) -> bool {
        self.left.is_some_and(|(other, at)| other == end && now.within(at, LEFT))
    }

    /// True if this robot should push an end: it is not far enough ahead of the other yet.
    pub fn lags(&self, end: End, now: Time) -> bool {
        let behind = |carton: &Carton| carton.lead(end, self.briefing.lane) < self.briefing.lead;
        self.done.is_none() && !self.leaves(end, now) && self.carton.as_ref().is_some_and(behind)
    }

    /// Drives to a place behind the box, given in its coordinates, and on the way around it.
    pub fn go_behind(&mut self, to: Vec2, situation: &Situation, out: &mut Output) -> Command {
        let (Some(carton), Some(me)) = (self.carton, self.navigator.pose(situation)) else {
            return self.navigator.stop();
        };
        let radius = situation.me.datasheet.radius;
        let (at, rear) = (carton.seen_from(me.position), carton.behind(radius, 0.0).x);
        let beside = carton.length / 2.0 + radius + APART;
        let via = if at.x < rear - APART / 2.0 {
            to
        } else {
            let side = self.way_around(&carton, at, beside + radius);
            let out_there = at.y * side > beside - APART / 2.0;
            match (out_there, at.x < 0.0 && at.y.abs() < carton.length / 2.0) {
                (true, _) => vec2(rear - APART, beside * side),
                // Right behind the box: straight back.
                (false, true) => {
                    if let Some(command) =
                        self.navigator.back_off(self.briefing.pace, carton.pose.heading, situation)
                    {
                        return command;
                    }
                    vec2(rear - APART, at.y)
                }
                (false, false) => vec2(at.x.max(carton.depth / 2.0 + radius + APART), beside * side),
            }
        };
        self.navigator.go_to(carton.place(via), situation, out)
    }

    /// The side on which a robot drives around the box: the nearer one, if it leaves enough room.
    fn way_around(&self, carton: &Carton, at: Vec2, needs: f64) -> f64 {
        let [low, high] = self.briefing.room;
        let room = |side: f64| {
            let place = carton.place(vec2(at.x, side * needs));
            (place.y - low.y).min(high.y - place.y)
        };
        let near = if at.y < 0.0 { -1.0 } else { 1.0 };
        if room(near) >= 0.0 || room(near) >= room(-near) { near } else { -near }
    }
}
