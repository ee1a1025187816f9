//! What the engine can tell people about itself: what was agreed, how long that took, who contributed what, and where the robot stands.

use super::graph::NodeId;
use super::protocols::{Outcome, Point, PointKind};
use super::team::{Deed, Frame, FrameId, Job, Phase, Settled, TeamEntry};
use super::teamwork::{Teamwork, among};
use crate::picture::{Standing, Wait};
use crewlab_onboard::{RobotId, Time};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Something that the engine did or learned, for people.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Notice {
    /// The robot's group has agreed.
    Agreed(Agreement),
    /// The robot has ended a behaviour and waits for these.
    Waits(NodeId, Vec<RobotId>),
    /// Who belongs to the team.
    View(Vec<RobotId>),
    /// The robot hears too few to decide anything, and stops; or hears enough again.
    Stranded(bool),
    /// Robots of one group went different ways.
    Split(NodeId),
    /// The robot leads the council.
    Leads,
}

/// What a group has agreed on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Agreement {
    /// At which kind of point.
    pub kind: PointKind,
    /// The behaviour that the point belongs to.
    pub node: NodeId,
    /// Which execution of it, and which of its points: the same on every robot.
    pub point: (FrameId, u16),
    /// The outcome.
    pub outcome: Outcome,
    /// How long after the robot had reached the point; `None` for work that is divided again and again. [s]
    pub took: Option<f64>,
    /// What robots contributed, in words, as far as this robot heard it.
    pub said: Vec<(RobotId, String)>,
}

impl Teamwork {
    /// Tells what was agreed at the robot's points by an entry that is about to be taken.
    pub(super) fn notice_outcomes(&mut self, entry: &TeamEntry, now: Time) {
        for deed in &entry.deeds {
            let (id, outcome) = match deed {
                Deed::Chosen(id, next) => (*id, Outcome::Next(*next)),
                Deed::Allocated(id, jobs) => (*id, Outcome::Jobs(jobs.clone())),
                Deed::Elected(id, robot) => (*id, Outcome::Leader(*robot)),
                // It has chosen at once, and the record only follows.
                Deed::Went(id, robot, node) if *robot == self.me => (*id, self.own_way(*id, *node)),
                Deed::Ended(..) | Deed::Unable(..) | Deed::Went(..) | Deed::Taken(..) | Deed::GoOn(..) => {
                    continue;
                }
            };
            let Some(frame) = self.team.frame(id).filter(|frame| frame.members.contains(&self.me)) else {
                continue;
            };
            let again = frame.phase == Phase::Running;
            let kind = match &outcome {
                Outcome::Jobs(_) => PointKind::Allocate,
                _ if frame.phase == Phase::Allocating => PointKind::Allocate,
                _ => PointKind::Decide,
            };
            let open = self.open.iter().find(|(known, ..)| *known == id).map(|(.., at)| *at);
            let took = match deed {
                Deed::Went(..) => Some(0.0),
                _ => open.filter(|_| !again).map(|at| now.since(at.min(now))),
            };
            let said = if again { self.offers_in_words(id) } else { self.contributions_in_words(frame) };
            let (node, point) = (frame.node, (id, frame.stage));
            self.notices.push(Notice::Agreed(Agreement { kind, node, point, outcome, took, said }));
        }
    }

    /// What the robot has chosen for itself.
    fn own_way(&self, id: FrameId, node: NodeId) -> Outcome {
        match self.team.frame(id).map(|frame| frame.phase) {
            Some(Phase::Allocating) => Outcome::Jobs(vec![Job { robot: self.me, child: node, subject: 0 }]),
            _ => Outcome::Next(Some(node)),
        }
    }

    /// Tells what followed without a message at the robot's points.
    pub(super) fn notice_settled(&mut self, settled: Vec<Settled>) {
        for Settled { kind, frame, outcome } in settled {
            if frame.members.contains(&self.me) {
                let (node, point, took) = (frame.node, (frame.id, frame.stage), Some(0.0));
                let said = Vec::new();
                self.notices.push(Notice::Agreed(Agreement { kind, node, point, outcome, took, said }));
            }
        }
    }

    /// What was contributed at a frame's point, in words.
    fn contributions_in_words(&self, frame: &Frame) -> Vec<(RobotId, String)> {
        let Some(point) = self.point_as_asked(frame) else { return Vec::new() };
        let told = point.protocol().told;
        let heard = self.contributions(frame.id, frame.stage, &point.voters);
        heard.into_iter().map(|(robot, values)| (robot, told(&point, values))).collect()
    }

    /// The best offer of each robot for work below a frame, in words.
    fn offers_in_words(&self, id: FrameId) -> Vec<(RobotId, String)> {
        let mates = self.mates.iter().map(|mate| (mate.member.robot, mate.offers.as_ref()));
        let all = mates.chain([(self.me, self.offers.as_ref())]);
        let mut words: Vec<(RobotId, String)> = all
            .filter_map(|(robot, offers)| {
                let (_, offers) = offers.filter(|(frame, _)| *frame == id)?;
                let best = offers.iter().min_by(|a, b| a.cost.total_cmp(&b.cost))?;
                Some((robot, format!("{} for {:.0} s", self.plan.graph.node(best.child).name, best.cost)))
            })
            .collect();
        words.sort_by_key(|(robot, _)| *robot);
        words
    }

    /// A frame's point, with the options that were announced for it.
    fn point_as_asked<'a>(&'a self, frame: &'a Frame) -> Option<Point<'a>> {
        let mut point = self.team.point(frame, &self.plan)?;
        let asked = self.announced.iter().find(|(id, stage, _)| (*id, *stage) == (frame.id, frame.stage));
        if let Some((.., bits)) = asked {
            point.options = Cow::Owned(among(&point.options, *bits));
        }
        Some(point)
    }

    /// Where the robot stands in the plan, and what it waits for.
    pub fn standing(&self) -> Standing {
        let stack: Vec<&Frame> = self.team.stack(self.me).collect();
        let open = stack.iter().find(|frame| frame.phase != Phase::Running);
        let wait = match open.and_then(|frame| Some((frame, self.point_as_asked(frame)?))) {
            Some((frame, point)) => {
                let heard = self.contributions(frame.id, frame.stage, &point.voters);
                let mut missing = (point.protocol().asked)(&point);
                missing.retain(|robot| heard.iter().all(|(known, _)| known != robot));
                let said = self.contributions_in_words(frame);
                Some(Wait { node: frame.node.index(), kind: point.kind.name().into(), missing, said })
            }
            None => stack.iter().find_map(|frame| self.barrier(frame)),
        };
        Standing { stack: stack.iter().map(|frame| frame.node.index()).collect(), wait }
    }

    /// The barrier of a behaviour that the robot has ended, if others still execute it.
    fn barrier(&self, frame: &Frame) -> Option<Wait> {
        let ended = |robot: &RobotId| {
            let told = self.mates.of(*robot).is_some_and(|mate| mate.ended.contains(&frame.id));
            frame.ended.contains(robot)
                || frame.spare.contains(robot)
                || told
                || (*robot == self.me && self.ended.contains(&frame.id))
        };
        if !ended(&self.me) || frame.members.len() < 2 {
            return None;
        }
        let mut missing = self.team.voters(frame);
        missing.retain(|robot| !ended(robot));
        let kind = PointKind::Terminate.name().to_string();
        Some(Wait { node: frame.node.index(), kind, missing, said: Vec::new() })
    }
}
