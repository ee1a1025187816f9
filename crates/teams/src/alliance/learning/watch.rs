//! Who works on what since when, as one robot hears and does it, and what to make of it when the work ends.

use crewlab_onboard::{RobotId, Subject, TaskId, TaskSpec, Time};
use serde::{Deserialize, Serialize};

/// More than this is not remembered, so that no talk, however odd, can fill the memory.
const MOST: usize = 4096;

/// A piece of work: a task and which part of it.
pub(super) type Piece = (TaskId, Subject);

/// One robot's work on a piece.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Attempt {
    pub robot: RobotId,
    pub piece: Piece,
    /// When it began, or when the robot was first heard at it.
    pub started: Time,
    /// When the robot was last heard at it.
    pub heard: Time,
    /// True if the beginning was not missed and nobody else did some of the piece: its time is that of the whole piece.
    pub whole: bool,
}

/// How an attempt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The piece is done.
    Finished,
    /// The piece is left to do.
    BrokenOff,
    /// The run ended meanwhile.
    Unknown,
}

/// All attempts that are going on, one per robot, and the pieces that somebody has already worked on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Watch {
    /// By robot.
    attempts: Vec<Attempt>,
    /// The latest last.
    begun: Vec<Piece>,
}

impl Watch {
    /// The attempts that are going on.
    pub(super) fn attempts(&self) -> &[Attempt] {
        &self.attempts
    }

    /// What a robot is at.
    pub(super) fn of(&self, robot: RobotId) -> Option<&Attempt> {
        self.find(robot).ok().map(|place| &self.attempts[place])
    }

    fn find(&self, robot: RobotId) -> Result<usize, usize> {
        self.attempts.binary_search_by_key(&robot, |attempt| attempt.robot)
    }

    /// A robot that was at nothing begins; `from_start` unless its beginning was missed.
    pub(super) fn begin(
        &mut self,
        robot: RobotId,
        piece: Piece,
        now: Time,
        from_start: bool,
        tasks: &[TaskSpec],
    ) {
        let Err(place) = self.find(robot) else { return };
        if self.attempts.len() >= MOST {
            return;
        }
        let shared = tasks.get(usize::from(piece.0.0)).is_some_and(|task| !task.exclusive);
        let mut whole = from_start && !self.begun.contains(&piece);
        if shared {
            // Where several may work at once, nobody's time is that of the whole piece once there are two.
            for other in self.attempts.iter_mut().filter(|other| other.piece == piece) {
                (other.whole, whole) = (false, false);
            }
        }
        self.attempts.insert(place, Attempt { robot, piece, started: now, heard: now, whole });
    }

    /// A robot is heard at the piece it is at.
    pub(super) fn go_on(&mut self, robot: RobotId, now: Time) {
        if let Ok(place) = self.find(robot) {
            self.attempts[place].heard = now;
        }
    }

    /// Takes an attempt out.
    pub(super) fn end(&mut self, robot: RobotId) -> Option<Attempt> {
        self.find(robot).ok().map(|place| self.attempts.remove(place))
    }

    /// Remembers that somebody has worked on a piece. A periodic task that is done begins anew.
    pub(super) fn mark(&mut self, piece: Piece, end: End, tasks: &[TaskSpec]) {
        let periodic = tasks.get(usize::from(piece.0.0)).is_some_and(|task| task.every.is_some());
        self.begun.retain(|begun| *begun != piece);
        if !(periodic && end == End::Finished) {
            self.begun.push(piece);
            let surplus = self.begun.len().saturating_sub(MOST);
            self.begun.drain(..surplus);
        }
    }
}
