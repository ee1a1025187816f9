//! A walking robot's behaviour sets behind the interface that coordinators use.

use super::FormationBriefing;
use super::knowledge::Knowledge;
use super::role::{Phase, Role};
use crewlab_onboard::{
    BehaviourId, Choice, Command, Duty, Identity, Message, Outcome, Output, Performer, Situation, Skills,
    TaskId, Time,
};
use serde::{Deserialize, Serialize};

/// Typical time to find a colour. [s]
const SEARCH: f64 = 4.0;
/// Typical time to line up. [s]
const LINE_UP: f64 = 6.0;
/// Typical way across the room. [m]
const ROOM: f64 = 4.0;
/// Typical time to stand up. [s]
const RISE: f64 = 3.0;

/// One walking robot's software.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Walker {
    known: Knowledge,
}

impl Walker {
    pub(super) fn new(briefing: &FormationBriefing, me: &Identity) -> Walker {
        Walker { known: Knowledge::new(briefing, me) }
    }

    fn role(behaviour: BehaviourId, situation: &Situation) -> Option<Role> {
        Role::of(situation.me.behaviour(behaviour).task)
    }

    /// When this robot was done with a role; others may have to do it, too.
    fn done(&self, role: Role) -> Option<Time> {
        let known = &self.known;
        match role.phase()? {
            Phase::StandUp => known.stood,
            Phase::Search => known.found,
            Phase::Triangle => known.walked,
            Phase::LineUp => known.lined_up,
            Phase::Line => known.crossed,
            Phase::End => known.lain,
        }
    }

    /// Work beside the choice: only what leaves everything else alone.
    fn beside(&mut self, choice: Choice, situation: &Situation) -> Command {
        match Walker::role(choice.behaviour, situation) {
            Some(Role::Watch) => self.known.eye.watch(Command::stop(), situation),
            _ => Command::stop(),
        }
    }
}

impl Skills for Walker {
    fn applicable(&self, behaviour: BehaviourId, situation: &Situation) -> bool {
        let known = &self.known;
        let Some(role) = Walker::role(behaviour, situation) else { return false };
        let (stands, leads) = (known.stood.is_some(), known.seeks_paper());
        let usual = role.place() == Role::usual_place(known.colour);
        match role {
            Role::StandUp => !stands,
            Role::SearchBlue => stands && leads && known.found.is_none() && known.walked.is_none(),
            Role::SearchPink => stands && !leads && known.found.is_none() && known.walked.is_none(),
            Role::Lead => leads && known.found.is_some() && known.walked.is_none(),
            Role::FollowLeft | Role::FollowRight => !leads && known.found.is_some() && known.walked.is_none(),
            Role::LineUpFirst | Role::LineUpSecond | Role::LineUpThird => {
                usual && known.walked.is_some() && known.lined_up.is_none() && known.crossed.is_none()
            }
            Role::LineLead | Role::LineMiddle | Role::LineLast => {
                usual && known.lined_up.is_some() && known.crossed.is_none()
            }
            Role::End => known.crossed.is_some() && known.lain.is_none(),
            Role::Watch => false,
        }
    }

    fn cost(&self, choice: Choice, situation: &Situation) -> f64 {
        let known = &self.known;
        let Some(role) = Walker::role(choice.behaviour, situation) else { return f64::INFINITY };
        let pace = known.briefing.pace.max(0.01);
        match role.phase() {
            Some(Phase::StandUp) => RISE * (1.0 - known.stance(situation)),
            Some(Phase::End) => RISE * known.stance(situation),
            Some(Phase::Search) => SEARCH,
            Some(Phase::LineUp) => LINE_UP,
            Some(Phase::Triangle) => {
                let seen =
                    known.eye.lately(situation.now, f64::INFINITY).filter(|seen| seen.facing.is_some());
                let way = known
                    .briefing
                    .post(role)
                    .zip(seen)
                    .map_or(0.0, |(post, seen)| post.distance(seen.from_there()));
                (way + known.briefing.stretch) / pace
            }
            Some(Phase::Line) => ROOM / pace,
            None => 0.0,
        }
    }

    fn outcome(&self, choice: Choice, situation: &Situation) -> Outcome {
        let Some(role) = Walker::role(choice.behaviour, situation) else {
            return Outcome::Failed("there is no such work");
        };
        if self.known.role != Some(role) {
            // It has not begun, so what was done before does not count.
            Outcome::Ongoing
        } else if self.done(role).is_some() {
            Outcome::Done
        } else if self.known.lost(situation.now) {
            Outcome::Failed("it has lost the colour that it follows")
        } else {
            Outcome::Ongoing
        }
    }

    fn finished(&self, task: TaskId, _situation: &Situation) -> Option<Time> {
        let role = Role::of(task)?;
        // What others look for keeps nobody from going on.
        let others = match role {
            Role::SearchBlue => !self.known.seeks_paper(),
            Role::SearchPink => self.known.seeks_paper(),
            _ => false,
        };
        if others { self.known.stood } else { self.done(role) }
    }

    fn signal(&self, signal: usize, situation: &Situation) -> Option<f64> {
        self.known.signal(signal, situation)
    }

    fn leads(&self) -> bool {
        matches!(self.known.role, Some(Role::Lead | Role::LineLead))
    }
}

impl Performer for Walker {
    fn learn(&mut self, situation: &Situation, inbox: &[Message], _out: &mut Output) {
        self.known.learn(situation, inbox);
    }

    fn act(&mut self, duty: Duty, situation: &Situation, out: &mut Output) -> Command {
        let role = duty.choice.and_then(|choice| Walker::role(choice.behaviour, situation));
        let mut command = match role {
            Some(role) => {
                if duty.fresh || self.known.role != Some(role) {
                    self.known.begin(role, situation.now);
                }
                self.known.walk(role, situation)
            }
            None => {
                self.known.role = None;
                let still = if self.known.returned { self.known.look_around() } else { Command::stop() };
                self.known.eye.watch(still, situation)
            }
        };
        if duty.halting {
            (command.speed, command.side, command.turn) = (0.0, 0.0, 0.0);
        }
        for choice in duty.beside {
            let more = self.beside(*choice, situation).uses;
            let free =
                more.into_iter().filter(|new| command.uses.iter().all(|old| old.effector != new.effector));
            let free: Vec<_> = free.collect();
            command.uses.extend(free);
        }
        self.known.tell(situation, out);
        command
    }

    fn skills(&self) -> &dyn Skills {
        self
    }
}
