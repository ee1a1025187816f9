//! A robot's knowledge of the mission, and the messages between robots.
//!
//! Every robot keeps the whole state of the mission and repeats it with every report: which bound is done, who is in which team,
//! who leads. No robot and no single message is indispensable. The number of bounds done only grows, so knowledge is merged by
//! taking the larger number.

use super::OverwatchBriefing;
use super::finds::{Find, Finds};
use super::route::Group;
use crate::Navigator;
use crewlab_control::AnyController;
use crewlab_onboard::geometry::{Pose, Vec2};
use crewlab_onboard::{Body, Command, Event, EventKind, Identity, Message, Output, RobotId, Situation, Time};
use serde::{Deserialize, Serialize};

/// A place counts as reached at this distance. [m]
pub(super) const ARRIVED: f64 = 0.35;
/// A robot this near to where its team stands is with it, besides the depth of the formation. [m]
const WITH_TEAM: f64 = 1.2;
/// How far beyond the finish a robot stops: it may be somewhat before where it believes to be. [m]
const BEYOND: f64 = 0.4;
/// A robot that comes no nearer to a place for this long, and is not far from it, has arrived: another robot may stand
/// there. [s]
const LINGER: f64 = 5.0;
/// Coming nearer by less than this is noise. [m]
const NEARER: f64 = 0.15;
/// A target that moves by less than this is the same one: it may be a place beside a leader that does not know exactly where it stands. [m]
const SAME_TARGET: f64 = 0.5;

/// A robot that has not got farther than this from where it failed as a leader is stranded. [m]
const STRANDED: f64 = 1.0;

/// Largest number of team-mates that are remembered.
const MOST_MATES: usize = 4096;

/// A robot's report about itself and the mission.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The name of its type.
    pub kind: String,
    /// Its fixed priority.
    pub priority: i32,
    /// Its team, once it has chosen.
    pub group: Option<Group>,
    /// True once it was at its team's gathering point.
    pub joined: bool,
    /// True if it believes that it is its team's leader.
    pub leads: bool,
    /// True while it leads its team to a waypoint.
    pub under_way: bool,
    /// Where it is. [m]
    pub at: Vec2,
    /// Number of bounds of both teams that are done, as far as it knows.
    pub done: u32,
    /// True if it could not get away from where it is when it last led.
    pub stranded: bool,
}

impl Report {
    /// Decodes a report and what follows it; `None` if it is invalid.
    pub fn decode(bytes: &[u8]) -> Option<(Report, &[u8])> {
        let (report, rest): (Report, &[u8]) = postcard::take_from_bytes(bytes).ok()?;
        (report.at.x.is_finite() && report.at.y.is_finite()).then_some((report, rest))
    }

    /// The bytes on the air.
    pub fn encode(&self) -> Vec<u8> {
        // Serialising plain data into a growing vector cannot fail.
        postcard::to_stdvec(self).unwrap_or_default()
    }

    /// True if something changed that others should learn at once.
    fn news(&self, before: &Report) -> bool {
        let state = |r: &Report| (r.group, r.joined, r.leads, r.under_way, r.done, r.stranded);
        state(self) != state(before)
    }
}

/// A team-mate by its last report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mate {
    /// The team-mate.
    pub id: RobotId,
    /// Its report.
    pub report: Report,
    /// When it was heard.
    pub heard: Time,
}

impl Mate {
    /// Its place in the fixed order that breaks ties.
    pub fn order(&self) -> (i32, RobotId) {
        (self.report.priority, self.id)
    }
}

/// A team's leader as its followers know it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leader {
    /// The leader.
    pub id: RobotId,
    /// Where it was last heard. [m]
    pub at: Vec2,
    /// True while it leads to a waypoint.
    pub under_way: bool,
}

/// A robot's progress on the way to a place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Approach {
    target: Vec2,
    /// The least distance so far; none before it set out. [m]
    best: Option<f64>,
    /// When it last came nearer.
    since: Time,
}

impl Approach {
    /// Records the robot's position on the way to a target. True if the target is another one than before.
    pub fn note(&mut self, target: Vec2, at: Vec2, now: Time) -> bool {
        let distance = at.distance(target);
        let another = target.distance(self.target) > SAME_TARGET;
        if another || self.best.is_none_or(|best| distance < best - NEARER) {
            *self = Approach { target, best: Some(distance), since: now };
        }
        another
    }

    /// How long it has made no progress. [s]
    pub fn stuck(&self, now: Time) -> f64 {
        if self.best.is_some() { now.since(self.since) } else { 0.0 }
    }

    /// True if it is there, or near and makes no progress.
    pub fn arrived(&self, at: Vec2, near: f64, now: Time) -> bool {
        let distance = at.distance(self.target);
        distance < ARRIVED || (distance < near && self.stuck(now) > LINGER)
    }
}

/// One robot's knowledge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Knowledge {
    /// Navigation.
    pub navigator: Navigator,
    /// Its briefing.
    pub briefing: OverwatchBriefing,
    /// Its own team, once it has chosen.
    pub group: Option<Group>,
    /// True once it was at its team's gathering point, or where its team stood when it joined later.
    pub joined: bool,
    /// True if it believes that it is its team's leader.
    pub leads: bool,
    /// True while it leads its team.
    pub under_way: bool,
    /// Number of bounds of both teams that are done.
    pub done: u32,
    /// Since when the state is unchanged: the last bound was completed or this robot took the lead.
    pub since: Time,
    /// True once a follower has its place, until its leader goes on.
    pub settled: bool,
    /// A follower's progress.
    approach: Approach,
    /// When and where it failed as a leader: others should try first.
    failed: Option<(Time, Vec2)>,
    mates: Vec<Mate>,
    /// Waypoints that scouts of both teams have looked at.
    pub finds: Finds,
    /// Since when it has listened without interruption.
    awake: Option<Time>,
    /// When its software last ran.
    last: Time,
    told: Option<(Time, Report)>,
}

impl Knowledge {
    /// A robot's knowledge at boot.
    pub fn new(briefing: &OverwatchBriefing, me: &Identity, controller: AnyController) -> Knowledge {
        Knowledge {
            navigator: Navigator::new(controller, me),
            briefing: briefing.clone(),
            group: None,
            joined: false,
            leads: false,
            under_way: false,
            done: 0,
            since: Time::ZERO,
            settled: false,
            approach: Approach::default(),
            failed: None,
            mates: Vec::new(),
            finds: Finds::default(),
            awake: None,
            last: Time::ZERO,
            told: None,
        }
    }

    /// Processes team-mates' reports.
    pub fn listen(&mut self, situation: &Situation, inbox: &[Message], out: &mut Output) {
        let now = situation.now;
        self.wake(now);
        for message in inbox {
            let Body::Knowledge(bytes) = &message.body else { continue };
            // Another mission's message, or a damaged one: ignored.
            let Some((report, rest)) = Report::decode(bytes) else { continue };
            self.finds.merge(Finds::decode(rest), &self.briefing.route);
            self.advance(report.done, now);
            self.meet(Mate { id: message.from, report, heard: now });
        }
        self.give_way(situation, out);
        self.pass_over(situation, out);
        self.settle(situation);
    }

    /// A robot that was away for long does not know whether its team has another leader now.
    fn wake(&mut self, now: Time) {
        if self.awake.is_none() || now.since(self.last) > self.briefing.silence {
            self.awake = Some(now);
            self.leads = false;
        }
        self.last = now;
    }

    fn meet(&mut self, mate: Mate) {
        match self.mates.binary_search_by_key(&mate.id, |known| known.id) {
            Ok(place) => self.mates[place] = mate,
            // Bounded, so that no sequence of messages can exhaust the memory.
            Err(place) if self.mates.len() < MOST_MATES => self.mates.insert(place, mate),
            Err(_) => {}
        }
    }

    /// Records the number of bounds done. A smaller number than the known one is ignored.
    pub fn advance(&mut self, done: u32, now: Time) {
        let done = done.min(self.briefing.route.total());
        if done > self.done {
            (self.done, self.since) = (done, now);
        }
    }

    /// Two leaders of one team: the one with the lower priority number stays.
    fn give_way(&mut self, situation: &Situation, out: &mut Output) {
        let mine = (situation.me.priority, situation.me.id);
        let other = self.members(situation.now).find(|mate| mate.report.leads && mate.order() < mine);
        if let (true, Some(other)) = (self.leads, other.map(|mate| mate.id)) {
            self.leads = false;
            let why = "another robot of lower priority number leads the team too";
            out.explain(Event::new(EventKind::Resigned).saying(why).by(other));
        }
    }

    /// A leader skips the other team's bound if nobody of that team is heard any more, or nobody who gets anywhere.
    fn pass_over(&mut self, situation: &Situation, out: &mut Output) {
        let (Some(group), Some(awake)) = (self.group, self.awake) else { return };
        if !self.leads || self.briefing.route.turn(self.done) != Some(group.other()) {
            return;
        }
        let may_be_there = |mate: &&Mate| mate.report.group != Some(group) && !mate.report.stranded;
        let heard = self.mates.iter().filter(may_be_there).map(|mate| mate.heard);
        let last = heard.chain([awake, self.since]).max().unwrap_or(awake);
        if situation.now.since(last) > self.briefing.patience + self.briefing.silence {
            self.advance(self.done + 1, situation.now);
            let why = "nobody of the other team is heard any more, or nobody who gets anywhere";
            out.explain(
                Event::new(EventKind::BoundPassedOver).saying(why).with("bound", f64::from(self.done)),
            );
        }
    }

    /// Updates whether a follower has its place.
    fn settle(&mut self, situation: &Situation) {
        let (Some(pose), Some(leader)) = (self.navigator.pose(situation), self.leader(situation)) else {
            return;
        };
        let place = self.place_behind(&leader, situation);
        self.approach.note(place, pose.position, situation.now);
        let reach = self.depth(situation) + WITH_TEAM;
        let far = pose.position.distance(leader.at) > reach;
        let route = &self.briefing.route;
        // Near its place is good enough on the way, but not before the finish. Beyond it any place with the team will do: the robot's own
        // may be behind a crowd.
        let over = route.turn(self.done).is_none();
        let short = over && pose.position.x < route.finish() + BEYOND;
        let near = if over { reach } else { WITH_TEAM };
        if leader.under_way || far || short {
            self.settled = false;
        }
        if !leader.under_way && !short && self.approach.arrived(pose.position, near, situation.now) {
            self.settled = true;
        }
    }

    /// Team-mates of both teams that are heard, in the order of their numbers.
    pub fn heard(&self, now: Time) -> impl Iterator<Item = &Mate> {
        self.mates.iter().filter(move |mate| now.within(mate.heard, self.briefing.silence))
    }

    /// Members of its own team that are heard, without itself.
    pub fn members(&self, now: Time) -> impl Iterator<Item = &Mate> {
        let group = self.group;
        self.heard(now).filter(move |mate| group.is_some() && mate.report.group == group)
    }

    /// Its team's leader, itself perhaps.
    pub fn leader(&self, situation: &Situation) -> Option<Leader> {
        if self.leads {
            let at = self.navigator.pose(situation)?.position;
            return Some(Leader { id: situation.me.id, at, under_way: self.under_way });
        }
        leader_of(self.members(situation.now))
    }

    /// The other team's leader.
    pub fn other_leader(&self, situation: &Situation) -> Option<Leader> {
        let other = self.group?.other();
        leader_of(self.heard(situation.now).filter(|mate| mate.report.group == Some(other)))
    }

    /// Its place among its team's members, the leader left out.
    fn rank(&self, leader: Option<RobotId>, situation: &Situation) -> usize {
        let mine = (situation.me.priority, situation.me.id);
        let before = |mate: &&Mate| mate.order() < mine && Some(mate.id) != leader;
        self.members(situation.now).filter(before).count()
    }

    /// Its place in the formation around the point where its team stands. [m]
    pub fn place_at(&self, point: Vec2, situation: &Situation) -> Vec2 {
        point + self.briefing.route.slot(self.rank(None, situation))
    }

    /// Its place behind its leader, who goes along the x axis. [m]
    pub fn place_behind(&self, leader: &Leader, situation: &Situation) -> Vec2 {
        leader.at + self.briefing.route.behind(self.rank(Some(leader.id), situation))
    }

    /// Its leader's goal: the next waypoint if it is the team's turn, otherwise the place where the team should stand. [m]
    pub fn target(&self) -> Option<Vec2> {
        let group = self.group?;
        Some(if self.our_turn() { self.goal(group) } else { self.place_of(group) })
    }

    /// Length of the formation. [m]
    fn depth(&self, situation: &Situation) -> f64 {
        self.briefing.route.behind(self.members(situation.now).count().saturating_sub(1)).length()
    }

    /// True if a point is with the team when that stands at `center`. [m]
    pub fn with_team(&self, point: Vec2, center: Vec2, situation: &Situation) -> bool {
        point.distance(center) < self.depth(situation) + WITH_TEAM
    }

    /// True if its team can set out from `center`: everybody has a team, and all members have joined and are there.
    pub fn gathered(&self, center: Vec2, situation: &Situation) -> bool {
        self.heard(situation.now).all(|mate| mate.report.group.is_some())
            && self.members(situation.now).all(|mate| mate.report.joined)
            && self.collected(center, situation)
    }

    /// True if all members of its team that have joined are with it at `center`.
    pub fn collected(&self, center: Vec2, situation: &Situation) -> bool {
        let mut joined = self.members(situation.now).filter(|mate| mate.report.joined);
        joined.all(|mate| self.with_team(mate.report.at, center, situation))
    }

    /// True if it is its own team's turn to bound.
    pub fn our_turn(&self) -> bool {
        self.group.is_some() && self.briefing.route.turn(self.done) == self.group
    }

    /// Where a team's next bound leads: the planned waypoint, or a place that a scout has found instead. [m]
    pub fn goal(&self, group: Group) -> Vec2 {
        let route = &self.briefing.route;
        let found = self.finds.stop(group, route.own(group, self.done) + 1);
        found.unwrap_or_else(|| route.goal(group, self.done))
    }

    /// The planned place of its team's next stop, if nobody has looked at it yet. [m]
    pub fn unseen(&self) -> Option<Vec2> {
        let (group, route) = (self.group?, &self.briefing.route);
        let own = route.own(group, self.done) + 1;
        let over = own > route.own(group, route.total());
        (!over && self.finds.stop(group, own).is_none()).then(|| route.stop(group, own))
    }

    /// Records where its team can stop next. [m]
    pub fn found(&mut self, at: Vec2) {
        let Some(group) = self.group else { return };
        let own = self.briefing.route.own(group, self.done) + 1;
        self.finds.learn(Find { group, own, at }, &self.briefing.route);
    }

    /// Where a team stands, or stood before the bound that it is making. [m]
    pub fn place_of(&self, group: Group) -> Vec2 {
        let route = &self.briefing.route;
        let found = self.finds.stop(group, route.own(group, self.done));
        found.unwrap_or_else(|| route.rest(group, self.done))
    }

    /// Where its own team stands, or stood before the bound that it is making. [m]
    pub fn rest(&self) -> Option<Vec2> {
        self.group.map(|group| self.place_of(group))
    }

    /// Becomes its team's leader.
    pub fn take_lead(&mut self, situation: &Situation, out: &mut Output) {
        (self.leads, self.since) = (true, situation.now);
        let group = self.group.map_or(0.0, |group| f64::from(group.number()));
        out.explain(Event::new(EventKind::Leads).saying("the team had no leader").with("group", group));
    }

    /// Resigns as leader.
    pub fn resign(&mut self, situation: &Situation, out: &mut Output) {
        let at = self.navigator.pose(situation).map_or(Vec2::ZERO, |pose| pose.position);
        (self.leads, self.failed) = (false, Some((situation.now, at)));
        out.explain(
            Event::new(EventKind::Resigned).saying("it came no nearer to the way point for too long"),
        );
    }

    /// True if it may try to lead: it has not failed recently.
    pub fn may_lead(&self, now: Time) -> bool {
        self.failed.is_none_or(|(failed, _)| now.since(failed) > 4.0 * self.briefing.patience)
    }

    /// True if it is still where it failed as a leader.
    fn stranded(&self, at: Vec2) -> bool {
        self.failed.is_some_and(|(_, place)| place.distance(at) < STRANDED)
    }

    /// True if it has waited since a moment for as long as a leader waits for its team.
    pub fn waited(&self, since: Time, now: Time) -> bool {
        now.since(since) > self.briefing.patience
    }

    /// Drives to a point, not faster than `fastest`. [m], [m/s]
    pub fn drive(&mut self, target: Vec2, fastest: f64, situation: &Situation, out: &mut Output) -> Command {
        let mut command = self.navigator.go_to(target, situation, out);
        command.speed = command.speed.min(fastest);
        command
    }

    /// Sends a report at once if something has changed, and repeats it from time to time.
    pub fn speak(&mut self, situation: &Situation, out: &mut Output) {
        let Some(Pose { position: at, .. }) = self.navigator.pose(situation) else { return };
        let report = Report {
            kind: situation.me.robot_type.clone(),
            priority: situation.me.priority,
            group: self.group,
            joined: self.joined,
            leads: self.leads,
            under_way: self.under_way,
            at,
            done: self.done,
            stranded: self.stranded(at),
        };
        // Members of a moving team must know each other's positions.
        let moving = self.leader(situation).is_some_and(|leader| leader.under_way);
        let period = self.briefing.report_period * if moving { 0.5 } else { 1.0 };
        let due = self.told.as_ref().is_none_or(|(when, told)| {
            report.news(told) || situation.now.since(*when) >= period - situation.dt / 2.0
        });
        if due {
            out.say(Body::Knowledge([report.encode(), self.finds.encode()].concat()));
            self.told = Some((situation.now, report));
        }
    }
}

/// The leader among these.
fn leader_of<'a>(mates: impl Iterator<Item = &'a Mate>) -> Option<Leader> {
    let leading = mates.filter(|mate| mate.report.leads).min_by_key(|mate| mate.order())?;
    Some(Leader { id: leading.id, at: leading.report.at, under_way: leading.report.under_way })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounding_overwatch::{Room, Route};
    use crewlab_onboard::geometry::vec2;
    use crewlab_onboard::message::LamportClock;
    use crewlab_onboard::{
        Datasheet, NoRadio, Percept, Questions, Reading, Sense, SensorSheet, Stream, StreamKind,
    };

    fn report() -> Report {
        Report {
            kind: "scout".into(),
            priority: -3,
            group: Some(Group::Second),
            joined: true,
            leads: true,
            under_way: false,
            at: vec2(12.5, 3.0),
            done: 5,
            stranded: false,
        }
    }

    fn identity(id: u16) -> Identity {
        let sensor = |name: &str| SensorSheet { name: name.into(), ..SensorSheet::default() };
        let datasheet = Datasheet {
            radius: 0.2,
            max_speed: 0.5,
            max_turn: 3.0,
            sensors: ["position", "compass"].map(sensor).into(),
            effectors: Vec::new(),
            further: Vec::new(),
        };
        Identity {
            id: RobotId(id),
            name: format!("r{id}"),
            robot_type: "scout".into(),
            priority: 0,
            datasheet: datasheet.into(),
            behaviours: Vec::new().into(),
            floor_plan: Default::default(),
            slam: Default::default(),
        }
    }

    /// Lets a robot that does not know where it is hear reports at a time. [s]
    fn hear(known: &mut Knowledge, me: &Identity, seconds: f64, reports: &[(u16, Report)]) {
        hear_at(known, me, seconds, reports, &Percept::default());
    }

    /// The same with a percept.
    fn hear_at(
        known: &mut Knowledge,
        me: &Identity,
        seconds: f64,
        reports: &[(u16, Report)],
        percept: &Percept,
    ) {
        let inbox: Vec<Message> = reports
            .iter()
            .map(|(from, report)| Message {
                from: RobotId(*from),
                number: 0,
                lamport: 0,
                body: Body::Knowledge(report.encode()),
            })
            .collect();
        let now = Time::from_seconds(seconds);
        let situation = Situation { now, dt: 0.1, me, tasks: &[], percept, radio: &NoRadio };
        let mut out = Output {
            me: me.id,
            clock: &mut LamportClock::default(),
            count: &mut 0,
            frames: &mut Vec::new(),
            largest_message: usize::MAX,
            refused: &mut 0,
            events: &mut Vec::new(),
            questions: &mut Questions::default(),
            now,
            random: &mut Stream::new(1, StreamKind::Decisions, 0, 0),
        };
        known.listen(&situation, &inbox, &mut out);
    }

    fn briefing() -> OverwatchBriefing {
        let room = Room { low: Vec2::ZERO, high: vec2(30.0, 10.0) };
        OverwatchBriefing {
            route: Route::new(room, 4, 8),
            longest_wait: 6.0,
            report_period: 1.0,
            silence: 5.0,
            patience: 20.0,
            pace: 0.35,
        }
    }

    fn member(id: u16) -> (Knowledge, Identity) {
        let me = identity(id);
        let controller = AnyController::boot("pilot", &Default::default(), &me).expect("a controller");
        let mut known = Knowledge::new(&briefing(), &me, controller);
        known.group = Some(Group::Second);
        (known, me)
    }

    #[test]
    fn reports_survive_the_air_and_damaged_ones_are_refused() {
        let bytes = report().encode();
        assert_eq!(Report::decode(&bytes), Some((report(), &[][..])));
        for cut in 0..bytes.len() {
            assert_eq!(Report::decode(&bytes[..cut]), None);
        }
        assert_eq!(Report::decode(&Report { at: vec2(f64::NAN, 0.0), ..report() }.encode()), None);
    }

    #[test]
    fn the_play_only_goes_forward_and_not_beyond_the_end() {
        let (mut known, me) = member(1);
        for (told, expected) in [(2, 2), (1, 2), (5, 5), (0, 5), (u32::MAX, known.briefing.route.total())] {
            hear(&mut known, &me, 1.0, &[(2, Report { done: told, ..report() })]);
            assert_eq!(known.done, expected);
        }
    }

    #[test]
    fn the_order_of_reports_does_not_matter() {
        let reports = [(2, Report { done: 3, ..report() }), (3, Report { leads: false, ..report() })];
        let (mut one, me) = member(1);
        let (mut other, _) = member(1);
        hear(&mut one, &me, 1.0, &reports);
        hear(&mut other, &me, 1.0, &[reports[1].clone(), reports[0].clone()]);
        assert_eq!(one, other);
    }

    #[test]
    fn a_leader_that_falls_silent_is_lost() {
        let (mut known, me) = member(1);
        hear(&mut known, &me, 1.0, &[(2, report())]);
        let leader = |known: &Knowledge, seconds: f64| {
            leader_of(known.members(Time::from_seconds(seconds))).map(|leader| leader.id)
        };
        assert_eq!(leader(&known, 1.0 + known.briefing.silence), Some(RobotId(2)));
        assert_eq!(leader(&known, 1.1 + known.briefing.silence), None);
    }

    #[test]
    fn of_two_leaders_the_first_in_the_fixed_order_stays() {
        for (id, stays) in [(1, true), (3, false)] {
            let (mut known, me) = member(id);
            hear(&mut known, &me, 0.9, &[]);
            known.leads = true;
            hear(&mut known, &me, 1.0, &[(2, Report { priority: 0, ..report() })]);
            assert_eq!(known.leads, stays);
        }
    }

    #[test]
    fn a_robot_that_was_away_for_long_does_not_claim_to_lead() {
        let (mut known, me) = member(1);
        hear(&mut known, &me, 1.0, &[]);
        known.leads = true;
        hear(&mut known, &me, 1.1, &[]);
        assert!(known.leads);
        hear(&mut known, &me, 30.0, &[]);
        assert!(!known.leads);
    }

    #[test]
    fn a_team_that_is_not_heard_any_more_is_passed_over() {
        let (mut known, me) = member(1);
        let other = Report { group: Some(Group::First), leads: false, done: 2, ..report() };
        hear(&mut known, &me, 1.0, &[(2, other)]);
        known.leads = true;
        for second in 2..40 {
            hear(&mut known, &me, f64::from(second), &[]);
            let over = f64::from(second) - 1.0 > known.briefing.patience + known.briefing.silence;
            assert_eq!(known.done, if over { 3 } else { 2 }, "after {second} s");
        }
    }

    #[test]
    fn a_team_of_stranded_robots_is_passed_over() {
        let (mut known, me) = member(1);
        known.leads = true;
        let other =
            |stranded| Report { group: Some(Group::First), leads: false, done: 2, stranded, ..report() };
        for second in 1..60 {
            // Half a minute on its way, then it reports that it does not get away.
            hear(&mut known, &me, f64::from(second), &[(2, other(second > 30))]);
            known.leads = true;
            // By then the bound has taken longer than the patience of a leader.
            assert_eq!(known.done, if second > 30 { 3 } else { 2 }, "after {second} s");
        }
    }

    /// Somebody may stand at its place. On the way a place nearby will do, but in the end all must be beyond the finish.
    #[test]
    fn near_its_place_is_good_enough_except_before_the_finish() {
        let settles = |x: f64, done: u32| {
            let (mut known, me) = member(1);
            (known.joined, known.done) = (true, done);
            let (finish, now) = (known.briefing.route.finish(), Time::ZERO);
            let sense = |reading| Sense { at: now, tried: Some(now), reading };
            let senses = [Reading::Point(vec2(finish + x, 3.0)), Reading::Angle(0.0)].map(sense);
            let percept = Percept { senses: senses.into(), ..Percept::default() };
            let leader = Report { at: vec2(finish + x + 1.5, 3.0), done, ..report() };
            for second in 0..10 {
                hear_at(&mut known, &me, f64::from(second), &[(2, leader.clone())], &percept);
            }
            known.settled
        };
        let over = briefing().route.total();
        assert!(settles(-0.1, over - 1) && settles(BEYOND + 0.1, over));
        assert!(!settles(-0.1, over));
        assert!(!settles(0.1, over), "it may be before the finish in truth");
    }

    #[test]
    fn a_place_with_somebody_else_on_it_is_reached_by_lingering() {
        let (mut approach, target) = (Approach::default(), vec2(5.0, 0.0));
        let at = |x: f64| vec2(x, 0.0);
        approach.note(target, at(0.0), Time::ZERO);
        approach.note(target, at(4.3), Time::from_seconds(10.0));
        assert!(!approach.arrived(at(4.3), 1.0, Time::from_seconds(12.0)));
        assert!(approach.arrived(at(4.3), 1.0, Time::from_seconds(16.0)));
        assert!(!approach.arrived(at(4.3), 0.5, Time::from_seconds(16.0)), "too far away");
        assert!(approach.arrived(at(4.8), 0.5, Time::from_seconds(16.0)));
        assert!(!approach.note(target, at(4.8), Time::from_seconds(17.0)));
        assert!(approach.note(at(9.0), at(4.8), Time::from_seconds(18.0)), "another target");
        assert_eq!(approach.stuck(Time::from_seconds(18.0)), 0.0);
    }
}
