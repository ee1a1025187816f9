//! One robot: where it has been since it last got on.

use super::Look;
use super::case::{StuckCase, Whose};
use crate::faults::Faults;
use crate::state::State;
use crewlab_onboard::geometry::vec2;
use crewlab_onboard::{Choice, Command, Plight, RobotId, Time, Vec2};
use crewlab_world::{Body, Obstacle};
use serde::{Deserialize, Serialize};

/// The circle that a robot must leave: its diameter in radii of its body, ...
const BODIES: f64 = 4.0;
/// ... plus the way that it drives at full speed in this time. [s]
const DRIVE: f64 = 3.0;
/// A robot that is stuck must get farther away than that to count as free, by this factor.
const FREE: f64 = 1.5;
/// Least time within the circle, without progress of the robot or the mission, ... [s]
const LONG: f64 = 40.0;
/// ... and the least number of times that the robot could have crossed the circle.
const CROSSINGS: f64 = 8.0;
/// While others make progress, a robot is stuck after this many times as long: it may just have to wait its turn.
const OWN: f64 = 4.5;

/// Number of looks at a robot that stands before its surroundings are searched for a way out.
const LOOKS_PER_WALLS: u32 = 40;

/// A robot's whereabouts since it last got on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Track {
    /// When it last did something.
    pub deed: Time,
    choice: Option<Choice>,
    /// Since when it works on this within a small circle.
    since: Time,
    /// The corners of the box that it has not left. [m]
    low: Vec2,
    high: Vec2,
    /// What it had collected.
    load: f64,
    /// How far it had driven then. [m]
    travelled: f64,
    /// Number of looks since then, and of those in which it was told to move.
    looks: u32,
    tried: u32,
}

impl Track {
    /// Looks at a robot; returns its case if it is stuck. `open` is how it was stuck before.
    pub(super) fn look(
        &mut self,
        look: &Look,
        robot: RobotId,
        command: &Command,
        open: Option<&Plight>,
    ) -> Option<StuckCase> {
        let (state, now) = (look.state, look.now);
        let (body, faults) = (&state.world.bodies[robot], &state.robots[robot].faults);
        let choice = state.active(robot).filter(|_| faults.hand().is_none());
        let load = body.load.iter().map(|stock| stock.amount).sum();
        if load != self.load {
            (self.load, self.deed) = (load, now);
        }
        let circle = BODIES * body.radius + DRIVE * body.drive.max_speed;
        let limit = if open.is_some() { FREE * circle } else { circle };
        if choice.is_none() || choice != self.choice || !self.stays(body.pose.position, limit) {
            self.restart(now, choice, body);
            return None;
        }
        self.looks += 1;
        self.tried += u32::from(command.speed != 0.0 || command.side != 0.0 || command.turn != 0.0);
        let since = self.since.max(self.deed);
        let plight = self.plight(look, robot, since, circle, open)?;
        Some(self.case(look, robot, plight, since))
    }

    /// Extends the box to a place; false if it grows too large.
    fn stays(&mut self, place: Vec2, limit: f64) -> bool {
        self.low = vec2(self.low.x.min(place.x), self.low.y.min(place.y));
        self.high = vec2(self.high.x.max(place.x), self.high.y.max(place.y));
        let size = self.high - self.low;
        size.x.max(size.y) <= limit
    }

    fn restart(&mut self, now: Time, choice: Option<Choice>, body: &Body) {
        let place = body.pose.position;
        *self = Track {
            deed: self.deed,
            load: self.load,
            choice,
            since: now,
            low: place,
            high: place,
            travelled: body.travelled,
            looks: 0,
            tried: 0,
        };
    }

    /// How the robot is stuck, if it is.
    fn plight(
        &self,
        look: &Look,
        robot: RobotId,
        since: Time,
        circle: f64,
        open: Option<&Plight>,
    ) -> Option<Plight> {
        let (state, now) = (look.state, look.now);
        let (body, faults) = (&state.world.bodies[robot], &state.robots[robot].faults);
        let long = LONG.max(CROSSINGS * circle / body.drive.max_speed.max(1e-9));
        let (own, quiet) = (now.since(since), now.since(since.max(look.risen)));
        if let Some(plight) = immobile(faults).filter(|_| own >= long) {
            return Some(plight);
        }
        match open {
            // A robot that waits is freed by the mission's progress; one that tries to move must get on itself.
            Some(Plight::Waiting) => (quiet >= long).then_some(Plight::Waiting),
            Some(open) => (own >= long).then(|| open.clone()),
            None if 2 * self.tried < self.looks => {
                if self.looks.is_multiple_of(LOOKS_PER_WALLS) && state.world.is_enclosed(robot) {
                    return Some(Plight::WalledIn);
                }
                let quiet = now.since(since.max(look.risen).max(look.deed));
                (quiet >= look.patience()).then_some(Plight::Waiting)
            }
            None if quiet < long && own < OWN * long => None,
            None if state.world.is_enclosed(robot) => Some(Plight::WalledIn),
            None if body.travelled - self.travelled > circle => Some(Plight::Circling),
            None => Some(Plight::Blocked),
        }
    }

    fn case(&self, look: &Look, robot: RobotId, plight: Plight, since: Time) -> StuckCase {
        let (world, model) = (&look.state.world, look.model);
        let place = (self.low + self.high) * 0.5;
        let area = world.present_areas().find(|area| area.outline.contains(place));
        let area = area.map(|area| area.name.to_string()).filter(|name| !name.is_empty());
        let behaviour = self.choice.map(|choice| choice.behaviour);
        let (other, thing) = match (&plight, world.bodies[robot].contact.map(|contact| contact.with)) {
            (Plight::Blocked, Some(Obstacle::Body(other))) => (Some(other), None),
            (Plight::Blocked, Some(Obstacle::Object(id))) => {
                let name = world.object(id).map(|object| object.name.clone());
                (None, Some(name.filter(|name| !name.is_empty()).unwrap_or("an object".into())))
            }
            (Plight::Blocked, Some(Obstacle::Border)) => (None, Some("the border".into())),
            (Plight::Blocked, None) => (None, None),
            _ => (None, area),
        };
        StuckCase {
            behaviour,
            task: behaviour.map(|behaviour| model.team[robot].identity.behaviour(behaviour).task),
            subject: self.choice.map_or(0, |choice| choice.subject),
            other,
            thing,
            place: Some(place),
            ..StuckCase::new(Whose::Robot(robot), plight, since)
        }
    }
}

/// Why a robot cannot move, whatever its software does, or does not because its coordinator keeps it from doing anything.
pub(super) fn stranded(state: &State, robot: RobotId) -> Option<Plight> {
    let withdrawn = || state.robots[robot].software.coordinator.withdrawn().then_some(Plight::CutOff);
    immobile(&state.robots[robot].faults)
        .or_else(|| state.world.is_enclosed(robot).then_some(Plight::WalledIn))
        .or_else(withdrawn)
}

/// Why a robot's faults keep it from moving.
fn immobile(faults: &Faults) -> Option<Plight> {
    if faults.is_empty() {
        None
    } else if faults.freezes() {
        Some(Plight::EmergencyStop)
    } else {
        faults.immobile().then_some(Plight::DriveDead)
    }
}
