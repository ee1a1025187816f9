//! The engine on one robot: it hears, keeps the record with the others, follows its stack, contributes to decisions, and, while it leads
//! the council, puts what was heard into the record. It knows its robot only as [`Local`], so tests can run it without one.

use super::account::Notice;
use super::chair::Chair;
use super::council::{Council, Member, View};
use super::graph::{NodeId, Work};
use super::mates::Mates;
use super::plan::Plan;
use super::protocols::{Outcome, Own};
use super::snapshot::Snapshot;
use super::talk::{BiteMessage, Offer, Talk};
use super::team::{Deed, Frame, FrameId, Phase, Team, TeamEntry};
use crewlab_onboard::{RobotId, Time};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::sync::Arc;

/// Most entries that are repeated at once for a robot that missed them.
const REMINDED: usize = 8;

/// Why a robot is through with a behaviour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It has ended it.
    Done,
    /// It has not begun it, and cannot.
    Unable,
}

/// The robot that the engine runs on.
pub trait Local: Own {
    /// Whether the robot is through with a behaviour on its stack. `leaf` is true if nothing is below it.
    fn end(&mut self, frame: &Frame, leaf: bool, elapsed: f64, count: u16) -> Option<End>;

    /// True if the precondition of a behaviour holds, as far as the robot knows. `count` is how often the team will have executed it
    /// before.
    fn enables(&mut self, node: NodeId, count: u16) -> bool;

    /// What it could do below a frame.
    fn offers(&mut self, frame: &Frame, offers: &mut Vec<Offer>);

    /// True if the operator has the robot.
    fn is_taken(&self) -> bool;

    /// Asks the operator; gives the question's number.
    fn ask(&mut self, text: &str, choices: &[&str]) -> u32;

    /// Takes a question back.
    fn withdraw(&mut self, question: u32);
}

/// Spans of time of the engine. [s]
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pace {
    /// From one status to the next.
    pub status: f64,
    /// Silence after which a team-mate counts as gone.
    pub silence: f64,
    /// Until something that was not answered is said again.
    pub retry: f64,
    /// How long offers are waited for.
    pub collect: f64,
    /// How long the operator's answer is waited for.
    pub answer: f64,
}

/// The engine on one robot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Teamwork {
    pub(super) me: RobotId,
    pub(super) plan: Arc<Plan>,
    pub(super) pace: Pace,
    pub(super) council: Council<TeamEntry>,
    pub(super) team: Team,
    pub(super) mates: Mates,
    chair: Chair,
    snapshot: Snapshot,
    /// Behaviours on the stack that the robot has ended, as far as the record does not show it.
    pub(super) ended: Vec<FrameId>,
    /// Behaviours on the stack that the robot cannot begin.
    pub(super) unable: Vec<FrameId>,
    pub(super) enabled: Vec<NodeId>,
    pub(super) taken: bool,
    /// Since when frames are on the stack, and since when points are open.
    since: Vec<(FrameId, Time)>,
    pub(super) open: Vec<(FrameId, u16, Time)>,
    /// Decisions that contributions were asked for: frame, stage, options.
    pub(super) announced: Vec<(FrameId, u16, u64)>,
    pub(super) contribution: Option<(FrameId, u16, Vec<f32>)>,
    pub(super) offers: Option<(FrameId, Vec<Offer>)>,
    pub(super) went: Option<(FrameId, u16, NodeId)>,
    /// The smallest place in the record that a team-mate was heard to know, if it is behind.
    behind: Option<u32>,
    pub(super) started: Option<Time>,
    status_said: Option<Time>,
    repeated: Option<Time>,
    leaderless: Option<Time>,
    campaigned: Option<Time>,
    quorum_heard: Option<Time>,
    stranded: bool,
    foreign: u64,
    pub(super) notices: Vec<Notice>,
}

impl Teamwork {
    /// The engine of a robot in a team. `life` is 0 at the start of a mission, and a drawn number after a restart.
    pub fn new(me: Member, roster: &[RobotId], plan: Arc<Plan>, pace: Pace) -> Teamwork {
        let mut members: Vec<Member> = roster.iter().map(|&robot| Member { robot, life: 0 }).collect();
        if me.life == 0 && members.iter().all(|member| member.robot != me.robot) {
            members.push(Member { robot: me.robot, life: 0 });
        }
        members.sort_unstable();
        let view = View(members);
        let (team, settled) = Team::begin(&view, &plan);
        let mut teamwork = Teamwork {
            me: me.robot,
            plan,
            pace,
            council: Council::new(me, view),
            team,
            mates: Mates::default(),
            chair: Chair::default(),
            snapshot: Snapshot::default(),
            ended: Vec::new(),
            unable: Vec::new(),
            enabled: Vec::new(),
            taken: false,
            since: Vec::new(),
            open: Vec::new(),
            announced: Vec::new(),
            contribution: None,
            offers: None,
            went: None,
            behind: None,
            started: None,
            status_said: None,
            repeated: None,
            leaderless: None,
            campaigned: None,
            quorum_heard: None,
            stranded: false,
            foreign: 0,
            notices: Vec::new(),
        };
        teamwork.notice_settled(settled);
        teamwork
    }

    /// The team's state, as the robot knows it.
    pub fn team(&self) -> &Team {
        &self.team
    }

    /// The robot's part in the council.
    pub fn council(&self) -> &Council<TeamEntry> {
        &self.council
    }

    /// The plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// True if the robot may act: it belongs to the team and hears enough of it.
    pub fn is_steady(&self) -> bool {
        self.council.is_member() && !self.stranded
    }

    /// Number of messages about another graph, or about behaviours that are not in this one.
    pub fn foreign(&self) -> u64 {
        self.foreign
    }

    /// The frames that the robot executes, the outermost first: those that are not over and not waiting for the others. None while the
    /// operator has the robot, so that it holds no effectors.
    pub fn executed(&self) -> impl Iterator<Item = &Frame> {
        let steady = self.is_steady() && !self.taken;
        let mut cut = false;
        self.team.stack(self.me).take_while(move |frame| {
            // Whoever is done with its part still executes the whole, and waits there.
            let leaf = self.plan.graph.node(frame.node).children.is_empty();
            let over = self.ended.contains(&frame.id) || (leaf && frame.ended.contains(&self.me));
            cut |= !steady || over || frame.phase != Phase::Running;
            !cut
        })
    }

    /// How long a frame has been on the robot's stack. [s]
    pub fn elapsed(&self, frame: FrameId, now: Time) -> f64 {
        let since = self.since.iter().find(|(id, _)| *id == frame);
        since.map_or(0.0, |(_, since)| now.since((*since).min(now)))
    }

    /// What has happened since the last call.
    pub fn take_notices(&mut self) -> std::vec::Drain<'_, Notice> {
        self.notices.drain(..)
    }

    /// Hears a team-mate.
    pub fn hear(&mut self, now: Time, from: RobotId, message: BiteMessage, say: &mut Vec<Talk>) {
        if message.plan != self.plan.graph.version || !message.talk.fits(&self.plan.graph) {
            self.foreign += 1;
            return;
        }
        let member = Member { robot: from, life: message.life };
        // What was under way when a robot lost its memory counts for nothing any more.
        if message.life == 0 && self.council.view().member(from).is_some_and(|known| known.life > 0) {
            return;
        }
        let mate = self.mates.note(member, now);
        match message.talk {
            Talk::Council(motion) => {
                let mut motions = Vec::new();
                self.council.hear(member, motion, &mut motions);
                say.extend(motions.into_iter().map(Talk::Council));
                self.catch_up(now);
            }
            Talk::Status { slot, promised, ended, unable, enabled, taken, alone } => {
                (mate.slot, mate.promised) = (slot, Some(promised));
                (mate.ended, mate.unable, mate.enabled, mate.taken) = (ended, unable, enabled, taken);
                mate.alone = alone.then(|| mate.alone.unwrap_or(now));
                if slot < self.council.slot() {
                    self.behind = Some(self.behind.map_or(slot, |known| known.min(slot)));
                }
                if self.council.view().has(member) && promised > self.council.promised() {
                    self.council.defer(promised);
                }
            }
            Talk::Offers(frame, offers) => mate.offers = Some((frame, offers)),
            Talk::Contribution(frame, stage, values) => mate.contribution = Some((frame, stage, values)),
            Talk::Went(frame, stage, node) => mate.went = Some((frame, stage, node)),
            Talk::Announce(frame, stage, options) => {
                if member == self.council.leader() {
                    self.announced.retain(|(known, ..)| *known != frame);
                    self.announced.push((frame, stage, options));
                }
            }
            Talk::State { slot, part, bytes } => {
                if slot > self.council.slot()
                    && let Some(state) = self.snapshot.collect(slot, part, bytes)
                {
                    let (view, ballot, team) = state;
                    if !team.fits(&self.plan) || !view.is_sound() {
                        self.foreign += 1;
                        return;
                    }
                    self.council.adopt(slot, view, ballot);
                    self.team = team;
                }
            }
        }
    }

    /// One tick.
    pub fn tick(&mut self, now: Time, answers: &[(u32, u8)], local: &mut dyn Local, say: &mut Vec<Talk>) {
        self.set_clocks(now);
        self.catch_up(now);
        let mut motions = Vec::new();
        self.keep_order(now, &mut motions);
        say.extend(motions.into_iter().map(Talk::Council));
        self.catch_up(now);
        let news = self.follow(now, local);
        let asked = self.contribute(local, say);
        self.preside(now, answers, local, say);
        self.catch_up(now);
        self.help(say);
        self.speak(now, news || asked, say);
    }

    /// A clock that was set back: what seems to lie in the future has just happened.
    fn set_clocks(&mut self, now: Time) {
        self.started.get_or_insert(now);
        self.mates.settle(now);
        self.since.iter_mut().for_each(|(_, at)| *at = (*at).min(now));
        self.open.iter_mut().for_each(|(.., at)| *at = (*at).min(now));
        let times = [
            &mut self.started,
            &mut self.status_said,
            &mut self.repeated,
            &mut self.leaderless,
            &mut self.campaigned,
            &mut self.quorum_heard,
        ];
        times.into_iter().flatten().for_each(|at| *at = (*at).min(now));
    }

    /// Applies what the council has decided.
    fn catch_up(&mut self, now: Time) {
        while let Some(entry) = self.council.take() {
            self.notice_outcomes(&entry, now);
            let splits = self.team.splits();
            let settled = self.team.apply(&entry, &self.plan);
            self.notice_settled(settled);
            if let Some(view) = &entry.view {
                self.notices.push(Notice::View(view.0.iter().map(|member| member.robot).collect()));
            }
            if self.team.splits() > splits
                && let Some(Deed::Went(_, _, node)) =
                    entry.deeds.iter().find(|deed| matches!(deed, Deed::Went(..)))
            {
                self.notices.push(Notice::Split(*node));
            }
            self.note_points(now);
        }
    }

    /// Notes when points of the robot's frames open.
    fn note_points(&mut self, now: Time) {
        let (team, me) = (&self.team, self.me);
        self.open.retain(|(id, stage, _)| {
            team.frame(*id)
                .is_some_and(|f| f.phase != Phase::Running && (f.stage == *stage || f.elected.is_some()))
        });
        for frame in team.stack(me).filter(|frame| frame.phase != Phase::Running) {
            if self.open.iter().all(|(id, ..)| *id != frame.id) {
                self.open.push((frame.id, frame.stage, now));
            }
        }
    }

    /// Elections, and whether enough of the team is heard.
    fn keep_order(&mut self, now: Time, say: &mut Vec<super::council::Motion<TeamEntry>>) {
        let (pace, me) = (self.pace, self.council.me());
        // Whoever is heard counts, even if it hears nobody yet: otherwise two robots would wait for each other.
        let hears = |member: Member| member == me || self.mates.hears(member, now, pace.silence);
        let takes_part = |member: Member| self.mates.takes_part(member, now, pace.silence);
        let is_heard = self.council.view().is_quorum(hears);
        if self.quorum_heard.is_none() || is_heard {
            self.quorum_heard = Some(now);
        }
        let alone = self.quorum_heard.is_some_and(|at| now.since(at) > pace.silence);
        if alone != self.stranded {
            self.stranded = alone;
            self.notices.push(Notice::Stranded(alone));
        }
        if !self.council.is_member() {
            return;
        }
        let leader = self.council.leader();
        let led = if leader == me {
            self.council.leads()
        } else {
            let young = self.started.is_some_and(|at| now.since(at) <= pace.silence);
            self.council.view().has(leader) && (young || takes_part(leader))
        };
        if led {
            self.leaderless = None;
        } else {
            let since = *self.leaderless.get_or_insert(now);
            // Whoever has the lowest number among those that are heard tries first.
            let before = self.council.view().0.iter().take_while(|member| **member != me);
            let rank = before.filter(|member| takes_part(**member)).count() as f64;
            let rested = self.campaigned.is_none_or(|at| now.since(at) >= (4.0 + 3.0 * rank) * pace.retry);
            // A deaf robot could only keep others from leading.
            if is_heard && now.since(since) >= 3.0 * rank * pace.retry && rested {
                self.campaigned = Some(now);
                let led = self.council.leads();
                self.council.campaign(say);
                if self.council.leads() && !led {
                    self.notices.push(Notice::Leads);
                }
            }
        }
        if self.repeated.is_none_or(|at| now.since(at) >= pace.retry) {
            self.repeated = Some(now);
            self.council.repeat(say);
        }
    }

    /// Follows the stack: what has ended, what may follow. True if the others have to know at once.
    fn follow(&mut self, now: Time, local: &mut dyn Local) -> bool {
        let (team, me) = (&self.team, self.me);
        self.since.retain(|(id, _)| team.frame(*id).is_some());
        self.ended.retain(|id| {
            team.frame(*id).is_some_and(|f| {
                f.phase == Phase::Running && f.members.contains(&me) && !f.ended.contains(&me)
            })
        });
        self.went = self.went.filter(|(id, ..)| team.frame(*id).is_some_and(|f| f.members.contains(&me)));
        let running = |id: &FrameId| {
            team.frame(*id).is_some_and(|f| f.phase == Phase::Running && f.members.contains(&me))
        };
        self.unable.retain(running);
        let mut stuck = false;
        let before = (self.ended.len(), self.taken);
        self.taken = local.is_taken();
        let graph = &self.plan.graph;
        self.enabled.retain(|option| {
            let leads = |frame: &Frame| {
                let node = graph.node(frame.node);
                node.next.contains(option) || node.children.contains(option)
            };
            team.stack(me).any(leads)
        });
        let steady = self.council.is_member() && !self.stranded;
        let (mut over, mut awaited) = (false, false);
        for frame in team.stack(me) {
            if self.since.iter().all(|(id, _)| *id != frame.id) {
                self.since.push((frame.id, now));
            }
            let node = self.plan.graph.node(frame.node);
            for &option in node.next.iter().chain(&node.children) {
                if self.plan.graph.node(option).when.is_none() {
                    continue;
                }
                let known = self.enabled.iter().position(|known| *known == option);
                // What follows itself has then been executed once more.
                let again = u16::from(option == frame.node && frame.phase == Phase::Running);
                match (known, local.enables(option, team.count(option).saturating_add(again))) {
                    (Some(place), false) => {
                        self.enabled.swap_remove(place);
                        awaited |= frame.phase != Phase::Running;
                    }
                    (None, true) => {
                        self.enabled.push(option);
                        // A message is worth its cost if somebody waits for it, or if another one may end this at any time; otherwise
                        // the next status tells it for nothing, at the latest with the end of the robot's own part.
                        let any = self.plan.ends(frame.node) == super::graph::Ends::Any;
                        awaited |= any || frame.phase != Phase::Running || !frame.ended.is_empty();
                    }
                    _ => {}
                }
            }
            over |=
                frame.phase != Phase::Running || frame.ended.contains(&me) || self.ended.contains(&frame.id);
            if over || !steady || self.taken {
                continue;
            }
            let leaf = node.children.is_empty();
            let since = self.since.iter().find(|(id, _)| *id == frame.id).map_or(now, |(_, at)| *at);
            let end = local.end(frame, leaf, now.since(since), team.count(frame.node));
            let known = self.unable.iter().position(|id| *id == frame.id);
            match (end, known) {
                (Some(End::Unable), None) => self.unable.push(frame.id),
                (Some(End::Done) | None, Some(place)) => _ = self.unable.swap_remove(place),
                _ => {}
            }
            stuck |= known.is_some() != (end == Some(End::Unable));
            // In what one robot ends for all, it tries on: the others go on meanwhile, and need it.
            let tries = end == Some(End::Unable) && team.is_within_any(frame, &self.plan);
            if end.is_some() && !tries {
                self.ended.push(frame.id);
                over = true;
                let waited = |robot: &RobotId| {
                    *robot != me && !frame.ended.contains(robot) && !frame.spare.contains(robot)
                };
                let voters = team.voters(frame);
                let others: Vec<RobotId> = voters.into_iter().filter(waited).collect();
                let waits = self.plan.ends(frame.node) == super::graph::Ends::All;
                if waits && now > since && !others.is_empty() {
                    self.notices.push(Notice::Waits(frame.node, others));
                }
            }
        }
        stuck || awaited || (before != (self.ended.len(), self.taken) && before.0 <= self.ended.len())
    }

    /// Contributes to decisions that are open, and offers to work where work is divided. True if there is something new.
    fn contribute(&mut self, local: &mut dyn Local, say: &mut Vec<Talk>) -> bool {
        if !self.council.is_member() || self.stranded || self.taken {
            return false;
        }
        let (team, plan, me) = (&self.team, &self.plan, self.me);
        let (mut new, mut alone) = (false, None);
        for frame in team.stack(me) {
            if frame.phase == Phase::Running || frame.held {
                continue;
            }
            if self
                .contribution
                .as_ref()
                .is_some_and(|(id, stage, _)| (*id, *stage) == (frame.id, frame.stage))
            {
                break;
            }
            let Some(mut point) = team.point(frame, plan) else { continue };
            let protocol = point.protocol();
            if self.plan.own_data && !protocol.network {
                alone = Some(frame.id);
                break;
            }
            let options =
                self.announced.iter().find(|(id, stage, _)| (*id, *stage) == (frame.id, frame.stage));
            match options {
                Some((.., bits)) => point.options = Cow::Owned(among(&point.options, *bits)),
                None if protocol.announced || is_conditional(&point.options, plan) => break,
                None => {}
            }
            if let Some(values) = (protocol.contribute)(&point, me, local) {
                say.push(Talk::Contribution(frame.id, frame.stage, values.clone()));
                self.contribution = Some((frame.id, frame.stage, values));
                new = true;
            }
            break;
        }
        if let Some(id) = alone {
            new |= self.go_alone(id, say);
        }
        new | self.offer(local, say)
    }

    /// Decides by the robot's own data alone.
    fn go_alone(&mut self, id: FrameId, say: &mut Vec<Talk>) -> bool {
        let Some(frame) = self.team.frame(id) else { return false };
        let stage = frame.stage;
        if self.went.is_some_and(|(known, at, _)| (known, at) == (id, stage)) {
            return false;
        }
        let Some(mut point) = self.team.point(frame, &self.plan) else { return false };
        // It knows of those whom it hears, and counts what it has seen itself.
        let now = self.status_said.unwrap_or(Time::ZERO);
        point.voters.retain(|robot| {
            *robot == self.me
                || self
                    .mates
                    .of(*robot)
                    .is_some_and(|mate| now.within(mate.heard.min(now), self.pace.silence))
        });
        let node = match (point.protocol().at_once)(&point) {
            Some(Outcome::Next(next)) => next,
            Some(Outcome::Jobs(jobs)) => jobs.iter().find(|job| job.robot == self.me).map(|job| job.child),
            _ => None,
        };
        let node = node.or_else(|| point.options.first().copied());
        say.extend(node.map(|node| Talk::Went(id, stage, node)));
        self.went = node.map(|node| (id, stage, node));
        node.is_some()
    }

    /// Offers to work below a frame whose work is divided again and again, while the robot has nothing to do there.
    fn offer(&mut self, local: &mut dyn Local, say: &mut Vec<Talk>) -> bool {
        let (team, me) = (&self.team, self.me);
        let again = |frame: &&Frame| self.plan.graph.node(frame.node).again && frame.phase == Phase::Running;
        let Some(frame) = team.stack(me).filter(again).last() else {
            self.offers = None;
            return false;
        };
        let below = team.below(frame.id).find(|child| child.members.contains(&me));
        let busy =
            below.is_some_and(|child| !self.ended.contains(&child.id) && child.phase == Phase::Running);
        if busy || self.ended.contains(&frame.id) {
            self.offers = None;
            return false;
        }
        let mut offers = Vec::new();
        local.offers(frame, &mut offers);
        let may = |child: NodeId| {
            let node = self.plan.graph.node(child);
            let enabled = node.when.is_none() || self.enabled.contains(&child);
            enabled && self.plan.organisation.includes(node.by, me)
        };
        offers.retain(|offer| may(offer.child));
        let same = self.offers.as_ref().is_some_and(|(id, known)| *id == frame.id && alike(known, &offers));
        if same {
            return false;
        }
        say.push(Talk::Offers(frame.id, offers.clone()));
        self.offers = Some((frame.id, offers));
        true
    }

    /// Leads the council, if it is the robot's turn.
    fn preside(&mut self, now: Time, answers: &[(u32, u8)], local: &mut dyn Local, say: &mut Vec<Talk>) {
        let mut chair = std::mem::take(&mut self.chair);
        if self.council.leads() && !self.stranded {
            if let Some(entry) = chair.next(self, now, answers, local, say) {
                let mut motions = Vec::new();
                self.council.propose(entry, &mut motions);
                say.extend(motions.into_iter().map(Talk::Council));
            }
        } else {
            chair.leave(local);
        }
        self.chair = chair;
    }

    /// Whoever leads, or wants to lead, repeats entries for robots that missed them; everybody does if the leader itself is behind.
    fn help(&mut self, say: &mut Vec<Talk>) {
        let Some(slot) = self.behind.take() else { return };
        let leader = self.council.leader();
        let lags = self.mates.of(leader.robot).is_some_and(|mate| mate.slot < self.council.slot());
        if (leader != self.council.me() && !lags) || slot >= self.council.slot() {
            return;
        }
        let mut motions = Vec::new();
        if self.council.remind(slot, REMINDED, &mut motions) {
            say.extend(motions.into_iter().map(Talk::Council));
        } else {
            let state = (self.council.view().clone(), self.council.promised(), self.team.clone());
            Snapshot::tell(self.council.slot(), &state, say);
        }
    }

    /// The status, at a rate and at news; and once more what the record does not show yet.
    fn speak(&mut self, now: Time, news: bool, say: &mut Vec<Talk>) {
        // Half of the time since the last one is enough for news: a message may have been lost.
        let due = self.status_said.is_none_or(|at| now.since(at) >= self.pace.status - 1e-9);
        if !due && !news {
            return;
        }
        self.status_said = Some(now);
        say.push(Talk::Status {
            slot: self.council.slot(),
            promised: self.council.promised(),
            ended: self.ended.clone(),
            unable: self.unable.clone(),
            enabled: self.enabled.clone(),
            taken: self.taken,
            alone: self.stranded,
        });
        if due {
            let team = &self.team;
            if let Some((id, stage, values)) = &self.contribution
                && team.frame(*id).is_some_and(|frame| frame.stage == *stage && frame.phase != Phase::Running)
            {
                say.push(Talk::Contribution(*id, *stage, values.clone()));
            }
            if let Some((frame, offers)) = self.offers.as_ref().filter(|(_, offers)| !offers.is_empty()) {
                say.push(Talk::Offers(*frame, offers.clone()));
            }
            if let Some((frame, stage, node)) = self.went {
                say.push(Talk::Went(frame, stage, node));
            }
        }
    }

    /// Whose contribution to a decision was heard, and what it is.
    pub(super) fn contributions(
        &self,
        id: FrameId,
        stage: u16,
        voters: &[RobotId],
    ) -> Vec<(RobotId, &[f32])> {
        let of = |robot: RobotId| -> Option<(RobotId, &[f32])> {
            let made = if robot == self.me {
                self.contribution.as_ref()
            } else {
                self.mates.of(robot)?.contribution.as_ref()
            };
            made.filter(|(known, at, _)| (*known, *at) == (id, stage))
                .map(|(.., values)| (robot, values.as_slice()))
        };
        voters.iter().filter_map(|robot| of(*robot)).collect()
    }

    /// True if the behaviour has work of its own.
    pub fn works(&self, node: NodeId) -> bool {
        self.plan.graph.node(node).work != Work::None
    }
}

/// The options whose bits are set.
pub(super) fn among(options: &[NodeId], bits: u64) -> Vec<NodeId> {
    let set = |(place, _): &(usize, &NodeId)| place < &64 && bits & (1 << place) != 0;
    options.iter().enumerate().filter(set).map(|(_, option)| *option).collect()
}

/// True if an option has a precondition: then somebody has to say which are possible.
pub(super) fn is_conditional(options: &[NodeId], plan: &Plan) -> bool {
    options.iter().any(|option| plan.graph.node(*option).when.is_some())
}

/// True if offers name the same work at about the same cost.
fn alike(one: &[Offer], other: &[Offer]) -> bool {
    let close = |a: f32, b: f32| (a - b).abs() <= 0.2 * a.max(b).max(1.0);
    one.len() == other.len()
        && one
            .iter()
            .zip(other)
            .all(|(a, b)| (a.child, a.subject) == (b.child, b.subject) && close(a.cost, b.cost))
}
