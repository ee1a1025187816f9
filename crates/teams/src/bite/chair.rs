//! What the leader of the council does: it puts into the record who has ended what, who belongs to the team, and what the protocols
//! conclude. Its successor needs nothing from it: all robots repeat what the record does not show yet.

use super::council::{Member, View};
use super::graph::NodeId;
use super::protocols::{Outcome, Point};
use super::talk::{Offer, Talk};
use super::team::{Deed, Frame, FrameId, Job, Phase, Team, TeamEntry};
use super::teamwork::{Local, Teamwork, among, is_conditional};
use crewlab_allocation::{Objective, assign};
use crewlab_onboard::{RobotId, Time};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// What is over sooner than this after it began is over at once. [s]
const HASTY: f64 = 1.0;
/// The first pause after something that was over at once. [s]
const SHORTEST_PAUSE: f64 = 0.25;

/// A question to the operator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Asked {
    point: (FrameId, u16),
    question: u32,
    at: Time,
    answer: Option<u8>,
}

/// What a leader remembers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Chair {
    /// When contributions to a decision were last asked for.
    called: Vec<(FrameId, u16, Time)>,
    /// Since when frames last, and since when they are over.
    frames: Vec<(FrameId, Time, Option<Time>)>,
    /// Since when there are offers below a frame.
    offered: Vec<(FrameId, Time)>,
    /// Questions to the operator that are open, one per point.
    asked: Vec<Asked>,
}

impl Chair {
    /// Another robot leads.
    pub fn leave(&mut self, local: &mut dyn Local) {
        self.asked.drain(..).for_each(|asked| local.withdraw(asked.question));
        self.called.clear();
        self.frames.clear();
        self.offered.clear();
    }

    /// The next entry, if there is anything to record.
    pub fn next(
        &mut self,
        work: &mut Teamwork,
        now: Time,
        answers: &[(u32, u8)],
        local: &mut dyn Local,
        say: &mut Vec<Talk>,
    ) -> Option<TeamEntry> {
        for asked in &mut self.asked {
            let answer = answers.iter().find(|(question, _)| *question == asked.question);
            asked.answer = answer.map(|(_, choice)| *choice).or(asked.answer);
        }
        self.watch(&work.team, now);
        if !work.council.can_propose() {
            return None;
        }
        if let Some(view) = self.view(work, now) {
            return Some(TeamEntry { view: Some(view), deeds: Vec::new() });
        }
        let mut deeds = Vec::new();
        reported(work, &mut deeds);
        self.go_on(&work.team, now, &mut deeds);
        let preview;
        let team = if deeds.is_empty() {
            &work.team
        } else {
            let mut next = work.team.clone();
            next.apply(&TeamEntry { view: None, deeds: deeds.clone() }, &work.plan);
            preview = next;
            &preview
        };
        let mut calls = Vec::new();
        for frame in team.frames() {
            if let Some(point) = team.point(frame, &work.plan) {
                self.conclude(point, work, now, local, &mut calls, &mut deeds);
            } else if work.plan.graph.node(frame.node).again && frame.phase == Phase::Running {
                self.divide(team, frame, work, now, &mut deeds);
            }
        }
        self.asked.retain(|asked| {
            let open = team.frame(asked.point.0).is_some_and(|frame| frame.stage == asked.point.1);
            if !open {
                local.withdraw(asked.question);
            }
            open
        });
        let quiet = calls.is_empty() && work.announced.is_empty();
        let frames = team.frames().iter().filter(|_| !quiet);
        let points: Vec<(FrameId, u16)> = frames.map(|frame| (frame.id, frame.stage)).collect();
        for (frame, stage, options) in calls {
            work.announced.retain(|(known, ..)| *known != frame);
            work.announced.push((frame, stage, options));
            say.push(Talk::Announce(frame, stage, options));
        }
        self.called.retain(|(id, ..)| work.team.frame(*id).is_some());
        self.offered.retain(|(id, _)| work.team.frame(*id).is_some());
        // Calls may be about points that the team only comes to by what is being proposed.
        work.announced.retain(|(id, stage, _)| points.contains(&(*id, *stage)));
        (!deeds.is_empty()).then_some(TeamEntry { view: None, deeds })
    }

    /// Notes how long frames last.
    fn watch(&mut self, team: &Team, now: Time) {
        self.frames.retain(|(id, ..)| team.frame(*id).is_some());
        for frame in team.frames() {
            match self.frames.iter_mut().find(|(id, ..)| *id == frame.id) {
                Some((_, since, over)) => {
                    *since = (*since).min(now);
                    *over = frame.held.then(|| over.map_or(now, |at| at.min(now)));
                }
                None => self.frames.push((frame.id, now, frame.held.then_some(now))),
            }
        }
    }

    /// Lets the team go on from behaviours that it has executed often: at once if they took some time, otherwise after a pause that
    /// doubles each time.
    fn go_on(&self, team: &Team, now: Time, deeds: &mut Vec<Deed>) {
        for (id, since, over) in &self.frames {
            let (Some(over), Some(frame)) = (over, team.frame(*id)) else { continue };
            let at_once = over.since(*since) < HASTY;
            let pause = SHORTEST_PAUSE * f64::from(1u32 << team.haste(frame.node));
            if !at_once || now.since(*over) >= pause {
                deeds.push(Deed::GoOn(*id, at_once));
            }
        }
    }

    /// Who should belong to the team, if that differs from the view.
    fn view(&self, work: &Teamwork, now: Time) -> Option<View> {
        let (me, pace, view) = (work.council.me(), work.pace, work.council.view());
        // Whoever has just started listens first.
        let listened = work.started.is_some_and(|at| now.since(at) > pace.silence);
        let stays =
            |member: &Member| *member == me || !listened || work.mates.takes_part(*member, now, pace.silence);
        let guest =
            |member: Member| !view.has(member) && work.mates.takes_part(member, now, pace.silence / 2.0);
        let guests: Vec<Member> = work
            .mates
            .iter()
            .filter(|mate| guest(mate.member) && mate.slot == work.council.slot())
            .map(|mate| mate.member)
            .collect();
        if guests.is_empty() && view.0.iter().all(stays) {
            return None;
        }
        // Whoever hears too few cannot judge who is gone: the others may hear each other, and agree to anything.
        if !view.is_quorum(|member| stays(&member)) {
            return None;
        }
        let replaced = |member: &Member| guests.iter().any(|guest| guest.robot == member.robot);
        let mut members: Vec<Member> =
            view.0.iter().copied().filter(|member| stays(member) && !replaced(member)).collect();
        members.extend(guests.iter().copied());
        members.sort_unstable();
        (members != view.0).then_some(View(members))
    }

    fn conclude(
        &mut self,
        mut point: Point,
        work: &Teamwork,
        now: Time,
        local: &mut dyn Local,
        calls: &mut Vec<(FrameId, u16, u64)>,
        deeds: &mut Vec<Deed>,
    ) {
        let (id, stage) = (point.frame.id, point.frame.stage);
        let protocol = point.protocol();
        if point.voters.is_empty() || (work.plan.own_data && !protocol.network) {
            return;
        }
        let announced = work.announced.iter().find(|(known, at, _)| (*known, *at) == (id, stage));
        let conditional = is_conditional(&point.options, &work.plan);
        if protocol.announced || conditional {
            let bits = announced.map_or_else(|| enabled(&point, work), |(.., bits)| *bits);
            let options = among(&point.options, bits);
            let only = |options: &[NodeId]| match (point.frame.phase, options) {
                (Phase::Deciding, []) => Some(Outcome::Next(None)),
                (Phase::Deciding, [next]) => Some(Outcome::Next(Some(*next))),
                (_, []) => Some(Outcome::Jobs(Vec::new())),
                (_, [child]) => {
                    let job = |robot: &RobotId| Job { robot: *robot, child: *child, subject: 0 };
                    let able = point.voters.iter().filter(|robot| point.may(**robot, *child));
                    Some(Outcome::Jobs(able.map(job).collect()))
                }
                _ => None,
            };
            if let Some(outcome) = only(&options).filter(|_| conditional) {
                deeds.push(deed(id, outcome));
                return;
            }
            point.options = Cow::Owned(options);
            let called = self.called.iter().position(|(known, at, _)| (*known, *at) == (id, stage));
            let due = called.is_none_or(|place| now.since(self.called[place].2.min(now)) >= work.pace.retry);
            if due {
                called.map(|place| self.called.remove(place));
                self.called.push((id, stage, now));
                calls.push((id, stage, bits));
            }
        }
        let outcome = if protocol.name == "ask-operator" {
            self.ask(&point, work, now, local)
        } else {
            let heard = work.contributions(id, stage, &point.voters);
            (protocol.at_once)(&point).or_else(|| (protocol.conclude)(&point, &heard))
        };
        deeds.extend(outcome.map(|outcome| deed(id, outcome)));
    }

    /// The operator's choice; the first option after a time without an answer.
    fn ask(&mut self, point: &Point, work: &Teamwork, now: Time, local: &mut dyn Local) -> Option<Outcome> {
        let at = (point.frame.id, point.frame.stage);
        let place = self.asked.iter().position(|asked| asked.point == at).unwrap_or_else(|| {
            let names: Vec<&str> =
                point.options.iter().map(|option| work.plan.graph.node(*option).name.as_str()).collect();
            let text = format!("what follows {}?", work.plan.graph.node(point.frame.node).name);
            let question = local.ask(&text, &names);
            self.asked.push(Asked { point: at, question, at: now, answer: None });
            self.asked.len() - 1
        });
        let asked = &mut self.asked[place];
        asked.at = asked.at.min(now);
        let late = now.since(asked.at) >= work.pace.answer;
        let choice = asked.answer.map(usize::from).or(late.then_some(0))?;
        let asked = self.asked.remove(place);
        if asked.answer.is_none() {
            local.withdraw(asked.question);
        }
        Some(Outcome::Next(Some(*point.options.get(choice).or(point.options.first())?)))
    }

    /// Divides work among those who have none, where that is done again and again.
    fn divide(&mut self, team: &Team, frame: &Frame, work: &Teamwork, now: Time, deeds: &mut Vec<Deed>) {
        let busy = |robot: &RobotId| team.below(frame.id).any(|child| child.members.contains(robot));
        let mut voters = frame.members.iter().filter(|robot| !team.taken().contains(robot));
        if voters.all(busy) {
            return;
        }
        let idle = team.idle(frame);
        let offers = |robot: RobotId| -> Option<&[Offer]> {
            let made =
                if robot == work.me { work.offers.as_ref() } else { work.mates.of(robot)?.offers.as_ref() };
            made.filter(|(id, _)| *id == frame.id).map(|(_, offers)| offers.as_slice())
        };
        let said: Vec<(RobotId, &[Offer])> =
            idle.iter().filter_map(|robot| Some((*robot, offers(*robot)?))).collect();
        let occupied = |offer: &Offer| {
            offer.exclusive
                && team
                    .below(frame.id)
                    .any(|child| (child.node, child.subject) == (offer.child, offer.subject))
        };
        let mut pieces: Vec<(NodeId, u32, bool)> = Vec::new();
        for offer in said.iter().flat_map(|(_, offers)| offers.iter()) {
            let piece = (offer.child, offer.subject, offer.exclusive);
            if !occupied(offer) && !pieces.contains(&piece) {
                pieces.push(piece);
            }
        }
        if pieces.is_empty() {
            self.offered.retain(|(id, _)| *id != frame.id);
            return;
        }
        let since = match self.offered.iter_mut().find(|(id, _)| *id == frame.id) {
            Some((_, at)) => {
                *at = (*at).min(now);
                *at
            }
            None => {
                self.offered.push((frame.id, now));
                now
            }
        };
        if said.len() < idle.len() && now.since(since) < work.pace.collect {
            return;
        }
        self.offered.retain(|(id, _)| *id != frame.id);
        let jobs = shares(&said, &mut pieces);
        if !jobs.is_empty() {
            deeds.push(Deed::Allocated(frame.id, jobs));
        }
    }
}

/// As many pieces as possible get a robot, at the least cost; then robots that are left over help with what several may do.
fn shares(said: &[(RobotId, &[Offer])], pieces: &mut [(NodeId, u32, bool)]) -> Vec<Job> {
    pieces.sort_unstable();
    let cost = |offers: &[Offer], piece: &(NodeId, u32, bool)| {
        let offer = offers.iter().find(|offer| (offer.child, offer.subject) == (piece.0, piece.1));
        offer.map(|offer| -f64::from(offer.cost))
    };
    let rewards: Vec<Vec<Option<f64>>> =
        said.iter().map(|(_, offers)| pieces.iter().map(|piece| cost(offers, piece)).collect()).collect();
    let columns =
        assign(&rewards, Objective::Most).ok().flatten().map(|found| found.columns).unwrap_or_default();
    let job = |robot, piece: &(NodeId, u32, bool)| Job { robot, child: piece.0, subject: piece.1 };
    said.iter()
        .zip(columns)
        .zip(&rewards)
        .filter_map(|(((robot, _), column), costs)| {
            let shared = || {
                let open = pieces.iter().zip(costs).filter(|(piece, _)| !piece.2);
                let known = open.filter_map(|(piece, cost)| Some((piece, (*cost)?)));
                known.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(piece, _)| piece)
            };
            let piece = column.map(|column| &pieces[column]).or_else(shared)?;
            Some(job(*robot, piece))
        })
        .collect()
}

/// What robots have said about their work and the record does not show.
fn reported(work: &Teamwork, deeds: &mut Vec<Deed>) {
    let team = &work.team;
    let is_member = |member: Member| work.council.view().has(member);
    let mates = || work.mates.iter().filter(move |mate| is_member(mate.member));
    for mate in mates() {
        let robot = mate.member.robot;
        if mate.taken != team.taken().contains(&robot) {
            deeds.push(Deed::Taken(robot, mate.taken));
        }
    }
    if work.taken != team.taken().contains(&work.me) {
        deeds.push(Deed::Taken(work.me, work.taken));
    }
    for frame in team.frames().iter().filter(|frame| frame.phase == Phase::Running) {
        let new = |robot: RobotId| frame.members.contains(&robot) && !frame.ended.contains(&robot);
        let mut robots: Vec<RobotId> =
            mates().filter(|mate| mate.ended.contains(&frame.id)).map(|mate| mate.member.robot).collect();
        if work.ended.contains(&frame.id) {
            robots.push(work.me);
        }
        let unable = unable(work, frame);
        robots.retain(|robot| new(*robot) && !unable.contains(robot));
        if !robots.is_empty() {
            robots.sort_unstable();
            deeds.push(Deed::Ended(frame.id, robots));
        }
        if unable != frame.unable {
            deeds.push(Deed::Unable(frame.id, unable));
        }
    }
    if work.plan.own_data {
        let mine = work.went.map(|went| (work.me, went));
        let others = mates().filter_map(|mate| mate.went.map(|went| (mate.member.robot, went)));
        for (robot, (id, stage, node)) in mine.into_iter().chain(others) {
            // At an allocation, who has gone is noted as through with it.
            let open = |frame: &Frame| match frame.phase {
                Phase::Running => false,
                Phase::Allocating => !frame.ended.contains(&robot),
                Phase::Deciding => true,
            };
            let here = |frame: &Frame| frame.stage == stage && frame.members.contains(&robot);
            if team.frame(id).is_some_and(|frame| here(frame) && open(frame)) {
                deeds.push(Deed::Went(id, robot, node));
            }
        }
    }
}

/// Members of a frame who say that they cannot begin it, in the order of their ids.
fn unable(work: &Teamwork, frame: &Frame) -> Vec<RobotId> {
    let says = |robot: &RobotId| {
        if *robot == work.me {
            work.unable.contains(&frame.id)
        } else {
            work.mates.of(*robot).is_some_and(|mate| mate.unable.contains(&frame.id))
        }
    };
    frame.members.iter().copied().filter(says).collect()
}

/// The options whose preconditions hold, as far as anybody in the group knows.
fn enabled(point: &Point, work: &Teamwork) -> u64 {
    let knows = |robot: &RobotId, option: &NodeId| {
        if *robot == work.me {
            work.enabled.contains(option)
        } else {
            work.mates.of(*robot).is_some_and(|mate| mate.enabled.contains(option))
        }
    };
    let possible = |option: &NodeId| {
        work.plan.graph.node(*option).when.is_none() || point.voters.iter().any(|robot| knows(robot, option))
    };
    let places = point.options.iter().take(64).enumerate().filter(|(_, option)| possible(option));
    places.map(|(place, _)| 1 << place).sum()
}

fn deed(id: FrameId, outcome: Outcome) -> Deed {
    match outcome {
        Outcome::Next(next) => Deed::Chosen(id, next),
        Outcome::Leader(robot) => Deed::Elected(id, robot),
        Outcome::Jobs(jobs) => Deed::Allocated(id, jobs),
    }
}
