//! Who works on what and since when, from the perspective of one robot, and how the work ended.

use crewlab_onboard::{RobotId, Subject, TaskId, TaskSpec, Time};
use serde::{Deserialize, Serialize};

/// Largest number of entries, so that no sequence of messages can exhaust the memory.
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
    /// True if the start was observed and nobody else worked on the piece: the time covers the whole piece.
    pub whole: bool,
}

/// How an attempt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The piece is done.
    Finished,
    /// The piece is left to do.
    BrokenOff,
    /// The run ended first.
    Unknown,
}

/// All current attempts, one per robot, and the pieces that somebody has already worked on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Watch {
    /// By robot.
    attempts: Vec<Attempt>,
    /// The latest last.
    begun: Vec<Piece>,
}

impl Watch {
    /// The current attempts.
    pub(super) fn attempts(&self) -> &[Attempt] {
        &self.attempts
    }

    /// A robot's current attempt.
    pub(super) fn of(&self, robot: RobotId) -> Option<&Attempt> {
        self.find(robot).ok().map(|place| &self.attempts[place])
    }

    fn find(&self, robot: RobotId) -> Result<usize, usize> {
        self.attempts.binary_search_by_key(&robot, |attempt| attempt.robot)
    }

    /// Starts an attempt of an idle robot; `from_start` unless its start was missed.
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
            // Once two robots share a piece, neither's time covers the whole piece.
            for other in self.attempts.iter_mut().filter(|other| other.piece == piece) {
                (other.whole, whole) = (false, false);
            }
        }
        self.attempts.insert(place, Attempt { robot, piece, started: now, heard: now, whole });
    }

    /// A robot is heard working on its piece.
    pub(super) fn go_on(&mut self, robot: RobotId, now: Time) {
        if let Ok(place) = self.find(robot) {
            self.attempts[place].heard = now;
        }
    }

    /// Removes an attempt.
    pub(super) fn end(&mut self, robot: RobotId) -> Option<Attempt> {
        self.find(robot).ok().map(|place| self.attempts.remove(place))
    }

    /// Remembers that somebody has worked on a piece. A finished periodic task starts again.
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
