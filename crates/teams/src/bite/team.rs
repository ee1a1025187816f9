//! What the team is doing, as far as it has agreed: a function of the record alone, so that everybody who knows the record up to a
//! place knows the same.
//!
//! A frame is a behaviour that a group executes: its execution group is everybody who has the frame on the stack. A robot's stack is
//! the path of frames that it is in.

use super::council::{Entry, Member, View};
use super::graph::{Ends, NodeId};
use super::plan::Plan;
use super::protocols::{self, Outcome, Point, PointKind};
use crewlab_onboard::{RobotId, Subject};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// After so many executions the team goes on from a behaviour only when its leader says so: a plan that gets nowhere must not spin.
const CALM: u16 = 8;

/// Most pauses in a row that are longer than the one before.
const LONGEST_HASTE: u8 = 6;

/// A frame's number; they are never used again.
pub type FrameId = u32;

/// What a robot is to do below a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// Who.
    pub robot: RobotId,
    /// The child that it executes.
    pub child: NodeId,
    /// The piece of the child's task; 0 if it is not divided or if the robot chooses.
    pub subject: Subject,
}

/// A step of the team.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Deed {
    /// Robots have ended a behaviour.
    Ended(FrameId, Vec<RobotId>),
    /// These of its robots, and no others, cannot begin a behaviour.
    Unable(FrameId, Vec<RobotId>),
    /// The team has chosen what follows; nothing if no successor is possible.
    Chosen(FrameId, Option<NodeId>),
    /// The team has chosen who decides at this point.
    Elected(FrameId, RobotId),
    /// The team has divided itself among the children.
    Allocated(FrameId, Vec<Job>),
    /// A robot has decided by its own data alone what follows, or which child it executes.
    Went(FrameId, RobotId, NodeId),
    /// The operator takes a robot, or releases it.
    Taken(RobotId, bool),
    /// After a while the team goes on from a behaviour that it has executed often. True if that was over at once.
    GoOn(FrameId, bool),
}

impl Deed {
    /// The behaviours that it names.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> {
        let (one, jobs): (Option<NodeId>, &[Job]) = match self {
            Deed::Chosen(_, next) => (*next, &[]),
            Deed::Went(.., node) => (Some(*node), &[]),
            Deed::Allocated(_, jobs) => (None, jobs),
            Deed::Ended(..) | Deed::Unable(..) | Deed::Elected(..) | Deed::Taken(..) | Deed::GoOn(..) => {
                (None, &[])
            }
        };
        one.into_iter().chain(jobs.iter().map(|job| job.child))
    }
}

/// An entry of the record.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TeamEntry {
    /// Who is in the team from now on.
    pub view: Option<View>,
    /// What has happened.
    pub deeds: Vec<Deed>,
}

impl Entry for TeamEntry {
    fn view(&self) -> Option<&View> {
        self.view.as_ref()
    }
}

/// What a frame waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Phase {
    /// It is being executed.
    Running,
    /// The team divides itself among its children.
    Allocating,
    /// It is over, and the team chooses what follows.
    Deciding,
}

/// A behaviour that a group executes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Frame {
    /// Its number.
    pub id: FrameId,
    /// The behaviour.
    pub node: NodeId,
    /// The frame that it is a part of.
    pub parent: Option<FrameId>,
    /// Who executes it, in the order of their ids.
    pub members: Vec<RobotId>,
    /// The piece of the task that it is about.
    pub subject: Subject,
    /// Members that have ended it.
    pub ended: Vec<RobotId>,
    /// Members that have no part in it: nobody waits for them, and they end it for nobody.
    pub spare: Vec<RobotId>,
    /// Members that cannot begin it now, as they have told.
    pub unable: Vec<RobotId>,
    /// Its children that nobody got when it was last divided.
    pub open: Vec<NodeId>,
    /// What it waits for.
    pub phase: Phase,
    /// True while it is over and the team rests before it decides what follows.
    pub held: bool,
    /// Counts its points, so that messages about an earlier one are recognised.
    pub stage: u16,
    /// Who decides at this point, if the team has elected somebody.
    pub elected: Option<RobotId>,
    /// Whoever executes, or has executed, the first of its children.
    pub leader: Option<RobotId>,
}

/// An outcome that needed no message: it followed from what all know.
#[derive(Clone, Debug, PartialEq)]
pub struct Settled {
    /// What was agreed.
    pub kind: PointKind,
    /// The frame whose point it was, as it was then.
    pub frame: Frame,
    /// The outcome.
    pub outcome: Outcome,
}

/// The team's state.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Team {
    members: Vec<Member>,
    frames: Vec<Frame>,
    next: FrameId,
    counts: Vec<u16>,
    /// How often in a row each behaviour was over at once, since the team has executed it often.
    haste: Vec<u8>,
    taken: Vec<RobotId>,
    splits: u32,
}

impl Team {
    /// A team that begins its plan, and what follows at once.
    pub fn begin(view: &View, plan: &Plan) -> (Team, Vec<Settled>) {
        let (members, nodes) = (view.0.clone(), plan.graph.nodes.len());
        let mut team = Team { members, counts: vec![0; nodes], haste: vec![0; nodes], ..Team::default() };
        let robots = view.0.iter().map(|member| member.robot).collect();
        team.open(plan.graph.root, None, robots, 0, plan);
        let mut settled = Vec::new();
        team.settle(plan, &mut settled);
        (team, settled)
    }

    /// True if this can be the state of a team with this plan: then nothing in it leads out of the plan.
    pub fn fits(&self, plan: &Plan) -> bool {
        let known = |node: &NodeId| node.index() < plan.graph.nodes.len();
        self.counts.len() == plan.graph.nodes.len()
            && self.haste.len() == plan.graph.nodes.len()
            && self.haste.iter().all(|haste| *haste <= LONGEST_HASTE)
            && self.next < FrameId::MAX / 2
            && self.frames.iter().all(|frame| known(&frame.node) && frame.id < self.next)
            && self.frames.is_sorted_by(|one, other| one.id < other.id)
            && self.frames.iter().all(|frame| frame.parent.is_none_or(|parent| parent < frame.id))
            && self.frames.iter().all(|frame| frame.members.is_sorted_by(|one, other| one < other))
    }

    /// The frames, in the order of their numbers: parents before their children.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// A frame, while it lasts.
    pub fn frame(&self, id: FrameId) -> Option<&Frame> {
        let place = self.frames.binary_search_by_key(&id, |frame| frame.id).ok()?;
        Some(&self.frames[place])
    }

    fn frame_mut(&mut self, id: FrameId) -> Option<&mut Frame> {
        let place = self.frames.binary_search_by_key(&id, |frame| frame.id).ok()?;
        Some(&mut self.frames[place])
    }

    /// The robot's stack: the frames that it is in, the outermost first.
    pub fn stack(&self, robot: RobotId) -> impl Iterator<Item = &Frame> {
        self.frames.iter().filter(move |frame| frame.members.binary_search(&robot).is_ok())
    }

    /// How often the team has executed a behaviour.
    pub fn count(&self, node: NodeId) -> u16 {
        self.counts.get(node.index()).copied().unwrap_or(0)
    }

    /// How often in a row a behaviour was over at once.
    pub fn haste(&self, node: NodeId) -> u8 {
        self.haste.get(node.index()).copied().unwrap_or(0)
    }

    /// True if the plan is at its end.
    pub fn is_over(&self) -> bool {
        self.frames.is_empty()
    }

    /// Robots that the operator has taken: they do not take part in decisions.
    pub fn taken(&self) -> &[RobotId] {
        &self.taken
    }

    /// How often robots of one group have decided differently, by protocols that do not communicate.
    pub fn splits(&self) -> u32 {
        self.splits
    }

    /// Members of a frame who take part in decisions.
    pub fn voters(&self, frame: &Frame) -> Vec<RobotId> {
        frame.members.iter().copied().filter(|robot| !self.taken.contains(robot)).collect()
    }

    /// The frames directly below a frame.
    pub fn below(&self, id: FrameId) -> impl Iterator<Item = &Frame> {
        self.frames.iter().filter(move |frame| frame.parent == Some(id))
    }

    /// Members of a frame that have nothing to do below it.
    pub fn idle(&self, frame: &Frame) -> Vec<RobotId> {
        let busy = |robot: &RobotId| self.below(frame.id).any(|child| child.members.contains(robot));
        let mut voters = self.voters(frame);
        voters.retain(|robot| !busy(robot));
        voters
    }

    /// What is to be agreed at a frame; `None` while it runs.
    pub fn point<'a>(&'a self, frame: &'a Frame, plan: &'a Plan) -> Option<Point<'a>> {
        let node = plan.graph.node(frame.node);
        let (kind, options) = match frame.phase {
            Phase::Running => return None,
            Phase::Deciding if frame.held => return None,
            Phase::Allocating => (PointKind::Allocate, &node.children),
            Phase::Deciding => (PointKind::Decide, &node.next),
        };
        let options = Cow::Borrowed(options.as_slice());
        Some(Point { kind, frame, options, voters: self.voters(frame), count: self.count(frame.node), plan })
    }

    /// Takes the next entry of the record. Gives what follows from it without a message.
    pub fn apply(&mut self, entry: &TeamEntry, plan: &Plan) -> Vec<Settled> {
        let mut settled = Vec::new();
        if let Some(view) = &entry.view {
            self.regroup(view, plan);
        }
        for deed in &entry.deeds {
            self.take(deed, plan);
            self.settle(plan, &mut settled);
        }
        self.settle(plan, &mut settled);
        settled
    }

    /// Members leave and join. Who starts anew has left and joins.
    fn regroup(&mut self, view: &View, plan: &Plan) {
        let gone: Vec<RobotId> =
            self.members.iter().filter(|member| !view.has(**member)).map(|member| member.robot).collect();
        let new: Vec<RobotId> = view
            .0
            .iter()
            .filter(|member| !self.members.contains(member))
            .map(|member| member.robot)
            .collect();
        self.members.clone_from(&view.0);
        self.taken.retain(|robot| !gone.contains(robot));
        for frame in &mut self.frames {
            gone.iter().for_each(|robot| frame.forget(*robot));
            frame.elected = frame.elected.filter(|robot| !gone.contains(robot));
            frame.leader = frame.leader.filter(|robot| !gone.contains(robot));
        }
        self.repair(plan);
        for robot in new {
            self.join(robot, plan);
        }
    }

    /// Behaviours whose whole group is lost are done by others: their parents are allocated again.
    fn repair(&mut self, plan: &Plan) {
        while let Some(lost) = self.frames.iter().find(|frame| frame.members.is_empty()) {
            let (id, parent) = (lost.id, lost.parent);
            self.drop_below(id);
            self.frames.retain(|frame| frame.id != id);
            if let Some(parent) = parent.and_then(|parent| self.frame(parent))
                && !plan.graph.node(parent.node).again
                && !parent.members.is_empty()
            {
                let parent = parent.id;
                self.drop_below(parent);
                self.allocate(parent);
            }
        }
    }

    /// A robot joins the whole team, and whoever does together what is not divided.
    fn join(&mut self, robot: RobotId, plan: &Plan) {
        let mut within: Vec<Option<FrameId>> = vec![None];
        let mut late = None;
        for place in 0..self.frames.len() {
            let frame = &self.frames[place];
            let divided = frame.parent.and_then(|id| self.frame(id)).is_some_and(|parent| {
                let node = plan.graph.node(parent.node);
                node.again || node.children.len() > 1
            });
            let by = plan.graph.node(frame.node).by;
            if within.contains(&frame.parent) && !divided && plan.organisation.includes(by, robot) {
                let frame = &mut self.frames[place];
                insert(&mut frame.members, robot);
                within.push(Some(frame.id));
                if frame.phase == Phase::Running && is_shared_once(plan, frame.node) {
                    late = Some(frame.id);
                }
            }
        }
        if let Some(id) = late {
            self.welcome(id, robot, plan);
        }
    }

    /// A robot comes to a behaviour whose children are divided already. They are divided anew if it can do one that nobody has; otherwise
    /// it has no part.
    fn welcome(&mut self, id: FrameId, robot: RobotId, plan: &Plan) {
        let Some(frame) = self.frame_mut(id) else { return };
        insert(&mut frame.spare, robot);
        let may = |child: &NodeId| plan.organisation.includes(plan.graph.node(*child).by, robot);
        if frame.open.iter().any(may) {
            self.drop_below(id);
            self.allocate(id);
        }
    }

    fn take(&mut self, deed: &Deed, plan: &Plan) {
        match deed {
            Deed::Ended(id, robots) => {
                if let Some(frame) = self.frame_mut(*id) {
                    for robot in robots {
                        if frame.members.contains(robot) {
                            insert(&mut frame.ended, *robot);
                        }
                    }
                }
            }
            Deed::Unable(id, robots) => {
                if let Some(frame) = self.frame_mut(*id) {
                    frame.unable = robots.clone();
                    frame.unable.retain(|robot| frame.members.contains(robot));
                }
            }
            Deed::Chosen(id, next) => {
                if self.frame(*id).is_some_and(|frame| frame.phase == Phase::Deciding) {
                    self.follow(*id, *next, plan);
                }
            }
            Deed::Elected(id, robot) => {
                if let Some(frame) = self.frame_mut(*id)
                    && frame.phase != Phase::Running
                    && frame.members.contains(robot)
                {
                    frame.elected = Some(*robot);
                    frame.stage = frame.stage.wrapping_add(1);
                }
            }
            Deed::Allocated(id, jobs) => self.divide(*id, jobs, plan),
            Deed::GoOn(id, at_once) => {
                let Some(frame) = self.frame_mut(*id).filter(|frame| frame.held) else { return };
                frame.held = false;
                let node = frame.node;
                if let Some(haste) = self.haste.get_mut(node.index()) {
                    *haste = if *at_once { (*haste + 1).min(LONGEST_HASTE) } else { 0 };
                }
            }
            Deed::Went(id, robot, node) => self.went(*id, *robot, *node, plan),
            Deed::Taken(robot, taken) => {
                self.taken.retain(|known| known != robot);
                if *taken && self.members.iter().any(|member| member.robot == *robot) {
                    insert(&mut self.taken, *robot);
                    self.give_back(*robot, plan);
                } else if let Some(id) = self.idles_below(*robot, plan) {
                    self.welcome(id, *robot, plan);
                }
            }
        }
    }

    /// Everything that follows without anybody deciding: barriers that are complete, the only way to go on, protocols that need
    /// nothing but what all know.
    fn settle(&mut self, plan: &Plan, settled: &mut Vec<Settled>) {
        // Each pass ends or decides one frame. A plan that goes round in circles without any work is left for the next entry.
        for _ in 0..4 * (self.frames.len() + plan.graph.nodes.len()) + 4 {
            let over =
                self.frames.iter().rev().find(|frame| self.is_ended(frame, plan)).map(|frame| frame.id);
            if let Some(id) = over {
                self.close(id, plan);
                continue;
            }
            if let Some((id, next)) =
                self.frames.iter().find_map(|frame| Some((frame.id, only_way(frame, plan)?)))
            {
                self.follow(id, next, plan);
                continue;
            }
            let decided = self.frames.iter().find_map(|frame| {
                let point = self.point(frame, plan)?;
                let outcome = protocols::at_once(&point)?;
                Some(Settled { kind: point.kind, frame: frame.clone(), outcome })
            });
            let Some(step) = decided else { return };
            let id = step.frame.id;
            match &step.outcome {
                Outcome::Next(next) => self.follow(id, *next, plan),
                Outcome::Leader(robot) => self.take(&Deed::Elected(id, *robot), plan),
                Outcome::Jobs(jobs) => self.divide(id, jobs, plan),
            }
            settled.push(step);
        }
    }

    /// The barrier of a frame (wait-all, any-ends-all).
    fn is_ended(&self, frame: &Frame, plan: &Plan) -> bool {
        if frame.phase != Phase::Running {
            return false;
        }
        if !frame.ended.is_empty() && plan.ends(frame.node) == Ends::Any {
            return true;
        }
        // Without anybody who takes part only those that have ended it count.
        let mut voters = frame.members.iter().filter(|robot| !self.taken.contains(robot)).peekable();
        let somebody = !frame.ended.is_empty() || voters.peek().is_some();
        somebody && voters.all(|robot| self.is_done(frame, *robot, plan))
    }

    /// True if nobody has to wait for a member of a frame.
    fn is_done(&self, frame: &Frame, robot: RobotId, plan: &Plan) -> bool {
        if frame.ended.contains(&robot) || frame.spare.contains(&robot) {
            return true;
        }
        // Whoever cannot begin its part leaves the others alone: what one ends for all is over without it only if nobody is left who does
        // anything, or if others have ended its part.
        let stuck = self.stack(robot).any(|part| part.id >= frame.id && part.unable.contains(&robot));
        let others = plan.ends(frame.node) == Ends::All && !frame.ended.is_empty();
        stuck && (plan.ends(frame.node) == Ends::Any || others || !self.is_within_any(frame, plan))
    }

    /// True if a frame is a part of a behaviour that one robot ends for all.
    pub fn is_within_any(&self, frame: &Frame, plan: &Plan) -> bool {
        let above = |frame: &Frame| frame.parent.and_then(|parent| self.frame(parent));
        std::iter::successors(above(frame), |frame| above(frame)).any(|one| plan.ends(one.node) == Ends::Any)
    }

    /// The behaviour of a robot's stack whose children others have divided among themselves without it.
    fn idles_below(&self, robot: RobotId, plan: &Plan) -> Option<FrameId> {
        let last = self.stack(robot).last()?;
        (last.phase == Phase::Running && is_shared_once(plan, last.node)).then_some(last.id)
    }

    /// What is divided goes to others while the operator has the robot. Released, it takes what is open then.
    fn give_back(&mut self, robot: RobotId, plan: &Plan) {
        let mut under: Vec<FrameId> = Vec::new();
        for frame in &mut self.frames {
            if frame.parent.is_some_and(|parent| under.contains(&parent)) {
                frame.forget(robot);
                under.push(frame.id);
            } else if plan.graph.node(frame.node).children.len() > 1 || plan.graph.node(frame.node).again {
                under.push(frame.id);
            }
            // It decides nothing for others either.
            frame.elected = frame.elected.filter(|elected| *elected != robot);
            frame.leader = frame.leader.filter(|leader| *leader != robot);
        }
        self.repair(plan);
    }

    fn close(&mut self, id: FrameId, plan: &Plan) {
        self.drop_below(id);
        let Some(frame) = self.frame_mut(id) else { return };
        let node = frame.node;
        (frame.phase, frame.elected) = (Phase::Deciding, None);
        frame.stage = frame.stage.wrapping_add(1);
        if let Some(count) = self.counts.get_mut(node.index()) {
            *count = count.saturating_add(1);
        }
        let often = self.count(node) > CALM && !plan.graph.node(node).next.is_empty();
        if let Some(frame) = self.frame_mut(id) {
            frame.held = often;
        }
        if let Some(next) = self.frame(id).and_then(|frame| only_way(frame, plan)) {
            self.follow(id, next, plan);
        }
    }

    /// A frame is replaced by what follows; its chain is over if nothing does.
    fn follow(&mut self, id: FrameId, next: Option<NodeId>, plan: &Plan) {
        let Some(place) = self.frames.iter().position(|frame| frame.id == id) else { return };
        let frame = self.frames.remove(place);
        if let Some(next) = next {
            let group = self.group(&frame, plan);
            self.open(next, frame.parent, group, frame.subject, plan);
        } else if let Some(parent) = frame.parent.and_then(|parent| self.frame_mut(parent))
            && !plan.graph.node(parent.node).again
        {
            for robot in &frame.members {
                let idle = frame.spare.contains(robot) || frame.unable.contains(robot);
                let known = match idle && !frame.ended.contains(robot) {
                    true => &mut parent.spare,
                    false => &mut parent.ended,
                };
                insert(known, *robot);
            }
        }
    }

    /// Who may execute what follows a frame that is over: whoever executes its parent, or who has got this chain if there are several.
    fn group(&self, frame: &Frame, plan: &Plan) -> Vec<RobotId> {
        let chains = self.frames.iter().any(|other| other.parent == frame.parent);
        let parent = frame.parent.and_then(|parent| self.frame(parent));
        let divided = |parent: &Frame| {
            let node = plan.graph.node(parent.node);
            node.again || node.children.len() > 1
        };
        match parent {
            // Robots that went different ways stay apart.
            _ if chains || plan.own_data => frame.members.clone(),
            None => self.members.iter().map(|member| member.robot).collect(),
            Some(parent) if divided(parent) => frame.members.clone(),
            Some(parent) => parent.members.clone(),
        }
    }

    fn open(
        &mut self,
        node: NodeId,
        parent: Option<FrameId>,
        members: Vec<RobotId>,
        subject: Subject,
        plan: &Plan,
    ) {
        let by = plan.graph.node(node).by;
        if members.is_empty() {
            return;
        }
        let (mut members, others): (Vec<_>, Vec<_>) =
            members.into_iter().partition(|robot| plan.organisation.includes(by, *robot));
        // If nobody of the sub-team is left, the others go on with what follows.
        let skipped = members.is_empty();
        if skipped {
            members = others;
        } else if let Some(parent) = parent.and_then(|parent| self.frame_mut(parent)) {
            others.iter().for_each(|robot| insert(&mut parent.spare, *robot));
            parent.spare.retain(|robot| !members.contains(robot));
        }
        let id = self.next;
        self.next += 1;
        let phase = if skipped { Phase::Deciding } else { Phase::Running };
        let frame = Frame {
            id,
            node,
            parent,
            members: members.clone(),
            subject,
            ended: Vec::new(),
            // Whoever only passes by has no part in it.
            spare: if skipped { members.clone() } else { Vec::new() },
            unable: Vec::new(),
            open: Vec::new(),
            phase,
            held: false,
            stage: 0,
            elected: None,
            leader: None,
        };
        self.frames.push(frame);
        if skipped {
            return;
        }
        match plan.graph.node(node).children.as_slice() {
            [] => {}
            _ if plan.graph.node(node).again => {}
            [only] if plan.graph.node(*only).when.is_none() => {
                self.open(*only, Some(id), members, subject, plan)
            }
            _ => self.allocate(id),
        }
    }

    fn allocate(&mut self, id: FrameId) {
        if let Some(frame) = self.frame_mut(id) {
            (frame.phase, frame.elected) = (Phase::Allocating, None);
            frame.ended.clear();
            frame.spare.clear();
            frame.unable.clear();
            frame.stage = frame.stage.wrapping_add(1);
        }
    }

    /// Robots begin their jobs; whoever has none stands by.
    fn divide(&mut self, id: FrameId, jobs: &[Job], plan: &Plan) {
        let Some(frame) = self.frame(id) else { return };
        let node = plan.graph.node(frame.node);
        if frame.phase == Phase::Deciding || (frame.phase == Phase::Running && !node.again) {
            return;
        }
        let jobs: Vec<Job> = jobs
            .iter()
            .copied()
            .filter(|job| frame.members.contains(&job.robot) && node.children.contains(&job.child))
            .filter(|job| plan.organisation.includes(plan.graph.node(job.child).by, job.robot))
            .collect();
        for job in &jobs {
            let mut under = vec![id];
            for frame in &mut self.frames {
                if frame.parent.is_some_and(|parent| under.contains(&parent)) {
                    under.push(frame.id);
                    frame.forget(job.robot);
                }
            }
        }
        self.frames.retain(|frame| !frame.members.is_empty());
        if let Some(frame) = self.frame_mut(id) {
            frame.phase = Phase::Running;
            frame.stage = frame.stage.wrapping_add(1);
            frame.leader = jobs.iter().find(|job| job.child == node.children[0]).map(|job| job.robot);
            if !node.again {
                frame.ended.clear();
                frame.spare = frame.members.clone();
                frame.spare.retain(|robot| jobs.iter().all(|job| job.robot != *robot));
                frame.open = node.children.clone();
                frame.open.retain(|child| jobs.iter().all(|job| job.child != *child));
            }
        }
        let mut left = jobs;
        while let Some(first) = left.first().copied() {
            let same = |job: &Job| (job.child, job.subject) == (first.child, first.subject);
            let mut robots: Vec<RobotId> = left.iter().filter(|job| same(job)).map(|job| job.robot).collect();
            robots.sort_unstable();
            left.retain(|job| !same(job));
            let known =
                self.below(id).find(|child| (child.node, child.subject) == (first.child, first.subject));
            match known.map(|child| child.id).and_then(|child| self.frame_mut(child)) {
                Some(child) => robots.into_iter().for_each(|robot| insert(&mut child.members, robot)),
                None => self.open(first.child, Some(id), robots, first.subject, plan),
            }
        }
    }

    /// A robot goes its own way. Others of its group may go another one: that is a split.
    fn went(&mut self, id: FrameId, robot: RobotId, node: NodeId, plan: &Plan) {
        let Some(frame) = self.frame_mut(id) else { return };
        let options = plan.graph.node(frame.node);
        let Ok(place) = frame.members.binary_search(&robot) else { return };
        let (parent, subject) = match frame.phase {
            Phase::Deciding if options.next.contains(&node) => {
                frame.members.remove(place);
                (frame.parent, frame.subject)
            }
            Phase::Allocating if options.children.contains(&node) => {
                insert(&mut frame.ended, robot);
                (Some(id), 0)
            }
            _ => return,
        };
        let (deciding, rest) =
            (frame.phase == Phase::Deciding, frame.members.len().saturating_sub(frame.ended.len()));
        let siblings: Vec<(FrameId, NodeId)> = self
            .frames
            .iter()
            .filter(|other| other.parent == parent && other.id > id)
            .map(|other| (other.id, other.node))
            .collect();
        // Another way that somebody else of the group has gone, or a child that somebody else has taken while others are free.
        let other_way = |other: &NodeId| *other != node && options.next.contains(other);
        let split = match deciding {
            true => siblings.iter().any(|(_, other)| other_way(other)),
            false => rest > 0 && siblings.iter().any(|(_, other)| *other == node),
        };
        self.splits = self.splits.saturating_add(u32::from(split));
        match siblings.iter().find(|(_, other)| *other == node) {
            Some((same, _)) => {
                if let Some(frame) = self.frame_mut(*same)
                    && plan.organisation.includes(plan.graph.node(node).by, robot)
                {
                    insert(&mut frame.members, robot);
                }
            }
            None => self.open(node, parent, vec![robot], subject, plan),
        }
        if deciding && self.frame(id).is_some_and(|frame| frame.members.is_empty()) {
            self.frames.retain(|frame| frame.id != id);
        } else if !deciding
            && rest == 0
            && let Some(frame) = self.frame_mut(id)
        {
            frame.phase = Phase::Running;
            frame.ended.clear();
        }
    }

    fn drop_below(&mut self, id: FrameId) {
        let mut gone = vec![id];
        for frame in &self.frames {
            if frame.parent.is_some_and(|parent| gone.contains(&parent)) {
                gone.push(frame.id);
            }
        }
        self.frames.retain(|frame| frame.id == id || !gone.contains(&frame.id));
    }
}

impl Frame {
    /// A robot leaves it.
    fn forget(&mut self, robot: RobotId) {
        for robots in [&mut self.members, &mut self.ended, &mut self.spare, &mut self.unable] {
            robots.retain(|known| *known != robot);
        }
    }
}

/// What follows a frame that is over, if nobody has to choose.
fn only_way(frame: &Frame, plan: &Plan) -> Option<Option<NodeId>> {
    match plan.graph.node(frame.node).next.as_slice() {
        _ if frame.phase != Phase::Deciding || frame.held => None,
        [] => Some(None),
        [only] if plan.graph.node(*only).when.is_none() => Some(Some(*only)),
        _ => None,
    }
}

/// True if the children of a behaviour are divided among several robots once, not again and again.
fn is_shared_once(plan: &Plan, node: NodeId) -> bool {
    let node = plan.graph.node(node);
    node.children.len() > 1 && !node.again
}

/// Adds a robot to a list in the order of ids, once.
fn insert(robots: &mut Vec<RobotId>, robot: RobotId) {
    if let Err(place) = robots.binary_search(&robot) {
        robots.insert(place, robot);
    }
}
