//! Recognises teams that are stuck: robots at work that get nowhere, and work that nobody does. It looks at the truth about once
//! per second, tells what begins and what ends as events, and changes nothing else. Missions without an end are not watched.
//!
//! A robot is judged by itself ([`track`]): it is stuck if it works on the same choice within a small circle for long, without
//! having done anything. What is left to do ([`work`]) is judged when the mission has stood still for long. Why a mission was
//! not completed is found when a run ends ([`diagnosis`]).

mod case;
mod diagnosis;
mod track;
mod work;

pub use case::{StuckCase, Whose};
pub use diagnosis::WhyIncomplete;

use crate::log::Logged;
use crate::model::Model;
use crate::state::State;
use crewlab_onboard::{Command, EventKind, Plight, RobotId, Time, Topic};
use serde::{Deserialize, Serialize};
use track::Track;
use work::Work;

/// Time between two looks at the robots. [s]
const LOOK: f64 = 1.0;
/// Number of looks at the robots per look at the work that is left.
const LOOKS_PER_WORK: u64 = 10;
/// A mission that has made no progress for this long stands still, ... [s]
const STANDSTILL: f64 = 300.0;
/// ... unless a robot needs longer to drive around the room this many times.
const ROUNDS: f64 = 2.0;
/// Where robots do things that lead nowhere, such as carrying items to and fro, it stands still after this many times as long.
const IN_VAIN: f64 = 3.0;

/// The watch over a team. Part of a run's state, but not of its result hash, which has the events.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StuckWatch {
    tracks: Vec<Track>,
    work: Work,
    /// The highest progress so far.
    best: f64,
    /// When it was reached.
    risen: Time,
    /// When a robot last did something.
    deed: Time,
    cases: Vec<StuckCase>,
    /// The longest time that a robot was stuck since the mission last made progress, if that is over.
    longest: Option<StuckCase>,
    episodes: u64,
}

/// What the watch sees in one look.
struct Look<'a> {
    model: &'a Model,
    state: &'a State,
    now: Time,
    /// When the mission last made progress, and when a robot last did something.
    risen: Time,
    deed: Time,
}

impl Look<'_> {
    /// How long the mission may do without progress. [s]
    fn patience(&self) -> f64 {
        let size = self.state.world.bounds.size();
        let speeds = self.state.world.bodies.iter().map(|body| body.drive.max_speed);
        let slowest = speeds.filter(|speed| *speed > 0.0).fold(f64::INFINITY, f64::min);
        STANDSTILL.max(ROUNDS * 2.0 * (size.x + size.y) / slowest)
    }

    /// True if the mission has stood still for long.
    fn stands_still(&self) -> bool {
        let patience = self.patience();
        self.now.since(self.risen.max(self.deed)) >= patience
            || self.now.since(self.risen) >= IN_VAIN * patience
    }
}

impl StuckWatch {
    /// What is stuck now, the oldest first.
    pub fn cases(&self) -> &[StuckCase] {
        &self.cases
    }

    /// How often something got stuck so far.
    pub fn episodes(&self) -> u64 {
        self.episodes
    }

    /// When the mission last made progress.
    pub fn risen(&self) -> Time {
        self.risen
    }

    /// The case of a robot that is stuck.
    pub fn of(&self, robot: RobotId) -> Option<&StuckCase> {
        self.cases.iter().find(|case| case.whose == Whose::Robot(robot))
    }

    /// Notes what has happened in a tick, and looks around when it is time. `command` gives what a robot's hardware was told to
    /// do; `happened` are the tick's events.
    pub(crate) fn tick<'a>(
        &mut self,
        model: &Model,
        state: &State,
        command: impl Fn(RobotId) -> &'a Command,
        happened: &[Logged],
    ) -> Vec<Logged> {
        if model.mission.endless() || state.verdict.completed {
            return Vec::new();
        }
        let now = Time((state.tick + 1) * model.tick);
        self.tracks.resize_with(model.team.len(), Track::default);
        self.note(now, state.verdict.progress, happened);
        let every = ((LOOK * 1e9) as u64 / model.tick).max(1);
        if !state.tick.is_multiple_of(every) {
            return Vec::new();
        }
        let look = Look { model, state, now, risen: self.risen, deed: self.deed };
        let mut told = Vec::new();
        for robot in RobotId::team(model.team.len()) {
            let open = self.cases.iter().find(|case| case.whose == Whose::Robot(robot));
            let verdict =
                self.tracks[robot].look(&look, robot, command(robot), open.map(|case| &case.plight));
            if let Some(task) = state.task_of(model, robot) {
                self.work.note(now, model, task);
            }
            self.settle(Whose::Robot(robot), verdict, now, &mut told);
        }
        if state.tick.is_multiple_of(every * LOOKS_PER_WORK) {
            let open: Vec<Whose> = self.cases.iter().map(|case| case.whose).collect();
            let found = self.work.look(&look, &self.cases);
            for whose in open.into_iter().filter(|whose| !matches!(whose, Whose::Robot(_))) {
                if !found.iter().any(|case| case.whose == whose) {
                    self.settle(whose, None, now, &mut told);
                }
            }
            found.into_iter().for_each(|case| self.settle(case.whose, Some(case), now, &mut told));
        }
        told
    }

    /// Notes progress: of the mission, and of robots.
    fn note(&mut self, now: Time, progress: f64, happened: &[Logged]) {
        let disturbed = happened.iter().any(|logged| logged.event.kind.topic() == Topic::Disturbance);
        // Carrying something out of where it counts and back again is no progress; more work because of a disturbance is a new start.
        if progress > self.best || (disturbed && progress < self.best) {
            (self.best, self.risen) = (progress, now);
            self.longest = None;
        }
        for logged in happened.iter().filter(|logged| is_deed(logged.event.kind)) {
            let Some(robot) = logged.robot else { continue };
            if let Some(track) = self.tracks.get_mut(robot.index()) {
                track.deed = now;
            }
            if logged.event.kind != EventKind::Reported {
                self.deed = now;
            }
        }
    }

    /// Opens, keeps or closes a case.
    fn settle(&mut self, whose: Whose, found: Option<StuckCase>, now: Time, told: &mut Vec<Logged>) {
        let open = self.cases.iter().position(|case| case.whose == whose);
        match (open, found) {
            (None, Some(case)) => {
                told.push(case.event(EventKind::Stuck, now));
                self.episodes += 1;
                self.cases.push(case);
            }
            (Some(place), None) => {
                let mut case = self.cases.remove(place);
                told.push(case.event(EventKind::StuckOver, now));
                case.until = Some(now);
                let is_longest =
                    self.longest.as_ref().is_none_or(|longest| longest.lasted(now) < case.lasted(now));
                if case.robot().is_some() && is_longest {
                    self.longest = Some(case);
                }
            }
            _ => {}
        }
    }
}

/// True if an event means that a robot has done something for its mission.
fn is_deed(kind: EventKind) -> bool {
    use EventKind::*;
    matches!(
        kind,
        Picked
            | Dropped
            | HandedOver
            | Given
            | Taken
            | State
            | FoundLocations
            | FoundDimensions
            | NotDusty
            | JoinedGroup
            | OrderTaken
            | Dusted
            | Done
            | Completed
            | SpillCleared
            | QuadrantCleaned
            | BoundCompleted
            | Reported
            | Served
    )
}

/// The order of plights by how much they explain.
fn weight(plight: &Plight) -> usize {
    match plight {
        Plight::Circling => 0,
        Plight::Blocked => 1,
        Plight::Neglected => 2,
        Plight::Unstaffed(_) => 3,
        Plight::Waiting => 4,
        Plight::NoProgress => 5,
        Plight::WalledIn | Plight::DriveDead | Plight::EmergencyStop | Plight::CutOff => 6,
    }
}
