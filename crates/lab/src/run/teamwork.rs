//! Teamwork measures: work, idle time, duplicated work, abandoned work. Derived from the robots' actions, so they mean the same for
//! every coordinator.

use super::reallocation::{Standing, succeeds};
use super::summary::rounded;
use crewlab_sim::Simulation;
use crewlab_sim::onboard::{Outcome, Piece, RobotId, TaskSpec};
use crewlab_statistics::jain;
use serde::Serialize;

/// Teamwork measures. Times are robot-seconds: two robots at work for a second have worked for two.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Teamwork {
    /// Time with a task, of robots that were present and not lost. [s]
    pub working_s: f64,
    /// Time without a task, of robots that were present and not lost. [s]
    pub idle_s: f64,
    /// Time in which robots were lost or absent. Together with the two above: robots times the time of the run. [s]
    pub away_s: f64,
    /// `idle_s` over `working_s + idle_s`; `None` if both are 0.
    pub idle_share: Option<f64>,
    /// Time spent on work that another robot was already doing: n - 1 for each piece of an exclusive task with n robots at work
    /// on it. [s]
    pub duplicated_s: f64,
    /// `duplicated_s` over `working_s`; `None` if nobody worked.
    pub duplicated_share: Option<f64>,
    /// Distance driven by all robots. [m]
    pub travelled_m: f64,
    /// How often a robot left a piece of work for another one or for nothing although, as far as it knew, the piece was neither
    /// finished nor unwanted.
    pub switches: u64,
    /// Jain's index of the working times w of all robots that were ever present, (Σw)² / (n Σw²): 1 if all worked equally long, 1/n if
    /// one did everything; `None` if nobody worked.
    pub fairness: Option<f64>,
    /// Coalitions: awards to two or more robots with a known outcome.
    pub coalitions: u64,
    /// Share of the coalitions whose members alone completed the awarded work; `None` if there were none.
    pub coalition_stability: Option<f64>,
}

impl Teamwork {
    /// A one-sentence summary.
    pub fn sentence(&self) -> String {
        let Some(idle) = self.idle_share else { return "no robot was present".into() };
        let mut words = format!("at work {:.0} % of the time", (1.0 - idle) * 100.0);
        if let Some(share) = self.duplicated_share.filter(|share| *share > 0.0) {
            words += &format!(" ({:.1} % of it duplicated)", share * 100.0);
        }
        words += match self.switches {
            0 => String::new(),
            1 => ", left work undone once".to_string(),
            n => format!(", left work undone {n} times"),
        }
        .as_str();
        words + &self.fairness.map_or(String::new(), |fairness| format!(", fairness {fairness:.2}"))
    }
}

/// The times of one robot.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Hours {
    /// Time with a task. [s]
    pub working_s: f64,
    /// Time without a task. [s]
    pub idle_s: f64,
}

/// One robot's time, in ticks.
#[derive(Clone, Copy, Debug, Default)]
struct Sheet {
    work: Option<Piece>,
    working: u64,
    idle: u64,
}

/// Counts in every tick who works on what.
#[derive(Clone, Debug)]
pub(super) struct Timesheet {
    sheets: Vec<Sheet>,
    /// The robots present at the start.
    present: Vec<bool>,
    /// The exclusive tasks.
    exclusive: Vec<bool>,
    /// Number of robots at work on each piece of an exclusive task, by piece. There is room for one piece per robot.
    crowds: Vec<(Piece, u32)>,
    /// Number of robots that duplicate work now.
    extra: u64,
    /// The sum over all ticks.
    duplicated: u64,
    switches: u64,
}

impl Timesheet {
    pub(super) fn new(simulation: &Simulation) -> Timesheet {
        let present = simulation.state.world.bodies.iter().map(|body| body.present).collect();
        Timesheet::of(present, &simulation.model.tasks)
    }

    fn of(present: Vec<bool>, tasks: &[TaskSpec]) -> Timesheet {
        Timesheet {
            sheets: vec![Sheet::default(); present.len()],
            crowds: Vec::with_capacity(present.len()),
            exclusive: tasks.iter().map(|task| task.exclusive).collect(),
            present,
            extra: 0,
            duplicated: 0,
            switches: 0,
        }
    }

    /// Processes one tick.
    pub(super) fn tick(&mut self, simulation: &Simulation, standings: &[Standing]) {
        self.note(standings, |robot, now| {
            let (choice, outcome) = simulation.left(robot)?;
            let task = simulation.model.team[robot].identity.behaviour(choice.behaviour).task;
            let left = Piece { task, subject: choice.subject };
            Some(switched(&simulation.model.tasks, left, outcome, now))
        });
    }

    /// `switched` tells whether a robot that changed its work left something undone.
    fn note(&mut self, standings: &[Standing], switched: impl Fn(RobotId, Option<Piece>) -> Option<bool>) {
        for (robot, standing) in RobotId::enumerate(standings) {
            let sheet = &mut self.sheets[robot];
            sheet.working += u64::from(standing.work.is_some());
            sheet.idle += u64::from(!standing.lost && standing.work.is_none());
            if sheet.work == standing.work {
                continue;
            }
            let before = std::mem::replace(&mut sheet.work, standing.work);
            before.into_iter().for_each(|piece| self.leave(piece));
            standing.work.into_iter().for_each(|piece| self.join(piece));
            // Only a robot that had a piece can leave it; a lost robot did not choose to.
            if before.is_some() && !standing.lost && switched(robot, standing.work) == Some(true) {
                self.switches += 1;
            }
        }
        self.duplicated += self.extra;
    }

    fn counts(&self, piece: Piece) -> bool {
        self.exclusive.get(usize::from(piece.task.0)).copied().unwrap_or(false)
    }

    fn join(&mut self, piece: Piece) {
        if !self.counts(piece) {
            return;
        }
        match self.crowds.binary_search_by_key(&piece, |(piece, _)| *piece) {
            Ok(place) => {
                self.crowds[place].1 += 1;
                self.extra += 1;
            }
            Err(place) => self.crowds.insert(place, (piece, 1)),
        }
    }

    fn leave(&mut self, piece: Piece) {
        if !self.counts(piece) {
            return;
        }
        let Ok(place) = self.crowds.binary_search_by_key(&piece, |(piece, _)| *piece) else { return };
        if self.crowds[place].1 > 1 {
            self.crowds[place].1 -= 1;
            self.extra -= 1;
        } else {
            self.crowds.remove(place);
        }
    }

    /// The measures of the team and of every robot. `coalitions`: their number, and how many of them completed their awards.
    pub(super) fn finish(self, simulation: &Simulation, coalitions: (u64, u64)) -> (Teamwork, Vec<Hours>) {
        let bodies = &simulation.state.world.bodies;
        let travelled = bodies.iter().map(|body| body.travelled).sum();
        let here: Vec<bool> = bodies.iter().map(|body| body.present).collect();
        self.close(&here, simulation.state.tick, simulation.model.dt(), travelled, coalitions)
    }

    fn close(
        self,
        here: &[bool],
        ticks: u64,
        dt: f64,
        travelled: f64,
        (coalitions, kept): (u64, u64),
    ) -> (Teamwork, Vec<Hours>) {
        let seconds = |ticks: u64| rounded(ticks as f64 * dt);
        let share = |part: u64, of: u64| (of > 0).then(|| rounded(part as f64 / of as f64));
        let working: u64 = self.sheets.iter().map(|sheet| sheet.working).sum();
        let idle: u64 = self.sheets.iter().map(|sheet| sheet.idle).sum();
        let there = self.sheets.iter().zip(self.present.iter().zip(here));
        let there =
            there.filter(|(sheet, (first, last))| **first || **last || sheet.working + sheet.idle > 0);
        let worked: Vec<f64> = there.map(|(sheet, _)| sheet.working as f64).collect();
        let teamwork = Teamwork {
            working_s: seconds(working),
            idle_s: seconds(idle),
            away_s: seconds((self.sheets.len() as u64 * ticks).saturating_sub(working + idle)),
            idle_share: share(idle, working + idle),
            duplicated_s: seconds(self.duplicated),
            duplicated_share: share(self.duplicated, working),
            travelled_m: rounded(travelled),
            switches: self.switches,
            fairness: fairness(&worked),
            coalitions,
            coalition_stability: share(kept, coalitions),
        };
        let hours = |sheet: &Sheet| Hours { working_s: seconds(sheet.working), idle_s: seconds(sheet.idle) };
        (teamwork, self.sheets.iter().map(hours).collect())
    }
}

/// True if a robot that left a piece of work for this one, or for nothing, left it undone. Continuing with the whole that the
/// piece was a part of, or with a part of it, does not count as leaving.
fn switched(tasks: &[TaskSpec], left: Piece, outcome: Outcome, now: Option<Piece>) -> bool {
    let undone = matches!(outcome, Outcome::Ongoing | Outcome::Failed(_));
    undone && !now.is_some_and(|now| succeeds(tasks, left, now))
}

/// Jain's index of the working times; `None` if nobody worked.
fn fairness(shares: &[f64]) -> Option<f64> {
    jain(shares).map(rounded)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_sim::onboard::TaskId;

    const LOST: Standing = Standing { lost: true, work: None };
    const IDLE: Standing = Standing { lost: false, work: None };

    fn at(task: u16, subject: u32) -> Standing {
        Standing { lost: false, work: Some(Piece { task: TaskId(task), subject }) }
    }

    /// A team with two tasks, one for one robot at a time and one for all; every change leaves something undone.
    fn team(present: &[bool], ticks: &[&[Standing]]) -> (Teamwork, Vec<Hours>) {
        let tasks = [TaskSpec::new("alone", ""), TaskSpec::new("all", "").shared()];
        let mut sheet = Timesheet::of(present.to_vec(), &tasks);
        ticks.iter().for_each(|standings| sheet.note(standings, |_, _| Some(true)));
        sheet.close(present, ticks.len() as u64, 0.5, 3.0, (4, 3))
    }

    #[test]
    fn time_is_work_idleness_or_absence() {
        let (team, hours) = team(
            &[true, true, true],
            &[
                &[at(0, 0), IDLE, at(1, 0)],
                &[at(0, 0), LOST, at(1, 0)],
                &[at(0, 0), LOST, IDLE],
                &[at(0, 0), IDLE, at(1, 0)],
            ],
        );
        assert_eq!((team.working_s, team.idle_s, team.away_s), (3.5, 1.5, 1.0));
        assert_eq!((team.idle_share, team.travelled_m), (Some(0.3), 3.0));
        assert_eq!((team.duplicated_s, team.duplicated_share), (0.0, Some(0.0)));
        assert_eq!((team.coalitions, team.coalition_stability), (4, Some(0.75)));
        let each: Vec<(f64, f64)> = hours.iter().map(|hours| (hours.working_s, hours.idle_s)).collect();
        assert_eq!(each, [(2.0, 0.0), (0.0, 1.0), (1.5, 0.5)]);
        // (4 + 0 + 3)² / (3 (16 + 9))
        assert_eq!(team.fairness, Some(rounded(49.0 / 75.0)));
        assert_eq!(team.sentence(), "at work 70 % of the time, left work undone once, fairness 0.65");
    }

    #[test]
    fn duplicate_work_is_counted_for_all_but_one() {
        let (team, _) = team(
            &[true; 4],
            &[
                // Three at the same piece and one at another: two duplicates.
                &[at(0, 1), at(0, 1), at(0, 1), at(0, 2)],
                // Two and two: one duplicate each.
                &[at(0, 1), at(0, 2), at(0, 1), at(0, 2)],
                // A shared task is never duplicated, and a lost robot does nothing.
                &[at(1, 0), at(1, 0), at(0, 1), LOST],
                // The pieces are left.
                &[IDLE, IDLE, IDLE, IDLE],
                &[at(0, 1), IDLE, at(0, 1), IDLE],
            ],
        );
        assert_eq!((team.duplicated_s, team.working_s), (2.5, 6.5));
        assert_eq!(team.duplicated_share, Some(rounded(5.0 / 13.0)));
    }

    #[test]
    fn only_a_present_robot_that_had_a_piece_can_abandon_it() {
        let (team, _) = team(
            &[true; 3],
            &[
                &[IDLE, at(0, 0), at(0, 1)],
                // The first begins, the second is lost, the third changes its mind.
                &[at(0, 2), LOST, at(1, 0)],
                // The first rests, the second is back.
                &[IDLE, at(0, 0), at(1, 0)],
            ],
        );
        assert_eq!(team.switches, 2);
    }

    #[test]
    fn work_is_left_undone_unless_it_is_finished_unwanted_or_continued_in_another_way() {
        let tasks = [
            TaskSpec::new("serve", "").together("fetch + bring", &[TaskId(1), TaskId(2)]),
            TaskSpec::new("fetch", "").as_part(),
            TaskSpec::new("bring", "").as_part(),
        ];
        let piece = |task: u16, subject: u32| Piece { task: TaskId(task), subject };
        let left = |outcome: Outcome, now: Option<Piece>| switched(&tasks, piece(0, 7), outcome, now);
        assert!(left(Outcome::Ongoing, None) && left(Outcome::Failed("broken"), None));
        assert!(left(Outcome::Ongoing, Some(piece(0, 8))));
        assert!(!left(Outcome::Done, None) && !left(Outcome::Unwanted, Some(piece(0, 8))));
        assert!(!left(Outcome::Failed("alone"), Some(piece(1, 7))));
        assert!(left(Outcome::Ongoing, Some(piece(1, 8))));
    }

    #[test]
    fn fairness_is_1_for_equals_and_1_over_n_for_one_who_does_all() {
        assert_eq!(fairness(&[2.0, 2.0, 2.0]), Some(1.0));
        assert_eq!(fairness(&[0.0, 5.0, 0.0, 0.0]), Some(0.25));
        assert_eq!(fairness(&[0.0, 0.0]), None);
        assert_eq!(fairness(&[]), None);
    }

    #[test]
    fn robots_that_never_came_do_not_count_for_fairness() {
        let ticks: [&[Standing]; 2] = [&[at(0, 0), LOST], &[at(0, 0), LOST]];
        assert_eq!(team(&[true, false], &ticks).0.fairness, Some(1.0));
        // One that was present and lost from the start counts.
        assert_eq!(team(&[true, true], &ticks).0.fairness, Some(0.5));
        let nobody = team(&[], &[]).0;
        assert_eq!((nobody.idle_share, nobody.duplicated_share, nobody.fairness), (None, None, None));
    }
}
