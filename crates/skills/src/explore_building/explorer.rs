//! The software of one robot that explores, or of a base.

use super::desk::Desk;
use super::exchange::Exchange;
use super::prospects::Prospects;
use super::report::{Debt, Report};
use super::trip::{Goal, Trip};
use super::{BASE, EXPLORE, ExploreBriefing, sketch};
use crate::Navigator;
use crewlab_control::AnyController;
use crewlab_navigation::atlas::Atlas;
use crewlab_navigation::routes::{Cell, RouteSettings};
use crewlab_navigation::slam::{Footprint, Sweep};
use crewlab_onboard::geometry::{Pose, Vec2};
use crewlab_onboard::locating::Locating;
use crewlab_onboard::{
    BehaviourId, Belief, Choice, Command, Controller, Duty, Findings, Identity, Mark, Message, Outcome,
    Output, Percept, Performer, Scan, Situation, Skills, Subject, Time,
};
use serde::{Deserialize, Serialize};

/// Time between two scans that are added to the map. [s]
const LOOK: f64 = 0.2;
/// Time between two plans (B.4). [s]
const PLAN: f64 = 0.5;
/// A robot that is this near to the base need not get nearer. [m]
const HOME: f64 = 2.0;
/// Smaller frontiers are mostly gaps between rays. [cells]
const LEAST: usize = 4;
/// Clearance that routes prefer, beside the radius. [m]
const COMFORT: f64 = 0.15;

/// One robot.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Explorer {
    briefing: ExploreBriefing,
    navigator: Navigator,
    settings: RouteSettings,
    base: bool,
    atlas: Atlas,
    exchange: Exchange,
    prospects: Prospects,
    report: Report,
    trip: Option<Trip>,
    /// Where the robot has started. [m]
    start: Option<Vec2>,
    /// Its pose, and whether it sees anything.
    pose: Option<Pose>,
    sees: bool,
    looked: Option<Time>,
    planned: Option<Time>,
    /// True if the next plan must not wait.
    hurry: bool,
    #[serde(skip)]
    desk: Option<Box<Desk>>,
    #[serde(skip)]
    footprint: Footprint,
}

impl Explorer {
    pub(super) fn new(briefing: &ExploreBriefing, me: &Identity, controller: AnyController) -> Explorer {
        let sheet = &me.datasheet;
        let range = sheet.sensor("range-scanner").map(|id| sheet.sensors[usize::from(id.0)].range);
        let base = me.robot_type == BASE;
        Explorer {
            navigator: Navigator::new(controller, me),
            settings: RouteSettings {
                radius: sheet.radius,
                preferred_clearance: sheet.radius + COMFORT,
                sensor_range: range.unwrap_or(0.0),
                least_frontier: LEAST,
                ..RouteSettings::default()
            },
            base,
            atlas: Atlas::new(briefing.cell),
            exchange: Exchange::new(base, briefing.map_rate),
            briefing: briefing.clone(),
            prospects: Prospects::default(),
            report: Report::default(),
            trip: None,
            start: None,
            pose: None,
            sees: false,
            looked: None,
            planned: None,
            hurry: false,
            desk: None,
            footprint: Footprint::default(),
        }
    }

    /// Adds a scan to the map.
    fn look(&mut self, situation: &Situation) {
        let now = situation.now;
        let (pose, scan) = (self.navigator.pose(situation), self.navigator.scan(situation));
        (self.pose, self.sees) = (pose, !scan.ranges.is_empty());
        let Some(pose) = pose else { return };
        self.start.get_or_insert(pose.position);
        if self.looked.is_some_and(|looked| now.within(looked, LOOK - 1e-6)) {
            return;
        }
        self.looked = Some(now);
        let radius = situation.me.datasheet.radius;
        if self.sees {
            let sweep = self.sweep(&scan, &pose, radius, now);
            self.footprint.draw(&pose, &sweep, self.atlas.cell());
            self.atlas.look(&self.footprint);
        }
        self.atlas.stand(pose.position, radius);
    }

    /// The rays of a scan. Those that may have hit a team-mate only tell that the way to it is free.
    fn sweep(&self, scan: &Scan, pose: &Pose, radius: f64, now: Time) -> Sweep {
        let mut sweep = Sweep::new(scan, radius, self.atlas.cell(), f64::INFINITY);
        let facing = Vec2::unit(pose.heading);
        let short = 2.0 * self.atlas.cell();
        let mut cut = Vec::new();
        sweep.echoes.retain(|echo| {
            let mate = self.exchange.mates.explain(pose.position + echo.rotated(facing), now);
            let length = echo.length();
            if mate && length > short + radius {
                cut.push(*echo * ((length - short) / length));
            }
            !mate
        });
        sweep.open.extend(cut);
        sweep
    }

    /// Looks for frontiers and plans the way, at 2 Hz.
    fn plan(&mut self, situation: &Situation) {
        let now = situation.now;
        let due = self.planned.is_none_or(|planned| !now.within(planned, PLAN - 1e-6));
        if self.base || !(due || self.hurry) {
            return;
        }
        (self.planned, self.hurry) = (Some(now), false);
        let Some(pose) = self.pose else { return self.prospects.clear() };
        self.desk = Desk::update(self.desk.take(), &mut self.atlas, self.settings);
        if let Some(desk) = &self.desk {
            self.prospects.look(desk, pose.position, self.briefing.gamma, now);
        }
        self.route(&pose, now);
        self.owe(&pose, now);
    }

    /// Plans the way of the trip; gives its goal up if the robot does not get there.
    fn route(&mut self, pose: &Pose, now: Time) {
        let Some(mut trip) = self.trip.take() else { return };
        let to = match trip.goal {
            Goal::Base => Some(self.home()),
            Goal::Frontier(subject) => self.prospects.get(subject).map(|prospect| prospect.at),
        };
        let route = to.and_then(|to| self.way(pose.position, to));
        if !trip.replan(route, pose.position, now)
            && let Goal::Frontier(subject) = trip.goal
        {
            self.prospects.shun(subject, now);
        }
        self.trip = Some(trip);
    }

    /// A route to a point, or to the nearest place to it.
    fn way(&mut self, from: Vec2, to: Vec2) -> Option<Vec<Vec2>> {
        let planner = &mut self.desk.as_mut()?.planner;
        let space = planner.space();
        let region = space.region(space.depart(from).ok()?.spot.cell())?;
        let near = space.nearest(to, region, HOME)?;
        let near = space.grid().point(near);
        let route = planner.plan(from, near).ok()?;
        Some(route.waypoints.iter().map(|waypoint| waypoint.at).collect())
    }

    /// Where the base is, as far as the robot knows. [m]
    fn home(&self) -> Vec2 {
        self.exchange.mates.base().or(self.start).unwrap_or(Vec2::ZERO)
    }

    /// Decides whether the map must be brought home.
    fn owe(&mut self, pose: &Pose, now: Time) {
        let side = self.atlas.cell();
        let home = pose.position.distance(self.home()) < 1.5 * HOME
            || self.trip.as_ref().is_some_and(|trip| trip.goal == Goal::Base && trip.route.is_empty());
        let debt = Debt {
            area: self.exchange.ledger.missing(&self.atlas) as f64 * side * side,
            contact: self.exchange.in_contact(now),
            idle: self.prospects.worth().next().is_none(),
            home,
        };
        self.report.decide(debt, self.briefing.report_at, now);
    }

    fn goal(choice: Choice, situation: &Situation) -> Goal {
        match situation.me.behaviour(choice.behaviour).task {
            EXPLORE => Goal::Frontier(choice.subject),
            _ => Goal::Base,
        }
    }

    /// Drives along the route.
    fn drive(&mut self, pose: &Pose, situation: &Situation, out: &mut Output) -> Command {
        let near = self.home().distance(pose.position) < HOME || self.exchange.in_contact(situation.now);
        let next = match &mut self.trip {
            Some(trip) if trip.goal == Goal::Base && near => None,
            Some(trip) => trip.next(pose.position),
            None => None,
        };
        match next {
            Some(next) => self.navigator.go_to(next, situation, out),
            None => self.navigator.stop(),
        }
    }
}

impl Skills for Explorer {
    fn locating(&self) -> Option<&dyn Locating> {
        self.navigator.locating()
    }

    fn applicable(&self, behaviour: BehaviourId, situation: &Situation) -> bool {
        match situation.me.behaviour(behaviour).task {
            EXPLORE => {
                let ready = self.sees && self.pose.is_some() && !self.report.due;
                ready && self.prospects.worth().next().is_some()
            }
            _ => self.report.due && self.pose.is_some(),
        }
    }

    fn subjects(&self, behaviour: BehaviourId, situation: &Situation, subjects: &mut Vec<Subject>) {
        match situation.me.behaviour(behaviour).task {
            EXPLORE => subjects.extend(self.prospects.worth().map(|prospect| prospect.subject)),
            _ => subjects.push(0),
        }
    }

    fn cost(&self, choice: Choice, situation: &Situation) -> f64 {
        let speed = situation.me.datasheet.max_speed.max(1e-9);
        match situation.me.behaviour(choice.behaviour).task {
            EXPLORE => {
                self.prospects.get(choice.subject).map_or(f64::INFINITY, |prospect| prospect.way / speed)
            }
            _ => self.navigator.time_to(self.home(), situation),
        }
    }

    fn outcome(&self, choice: Choice, situation: &Situation) -> Outcome {
        let explores = situation.me.behaviour(choice.behaviour).task == EXPLORE;
        let mut subjects = Vec::new();
        self.possible(choice.behaviour, situation, &mut subjects);
        if subjects.contains(&choice.subject) {
            Outcome::Ongoing
        } else if explores && !self.sees {
            Outcome::Failed("the scanner shows nothing")
        } else if self.pose.is_none() {
            Outcome::Failed("the robot does not know where it is")
        } else if explores && self.prospects.shuns(choice.subject) {
            Outcome::Failed("the robot does not get there, or sees nothing new from there")
        } else {
            Outcome::Done
        }
    }

    fn plan(&self, points: &mut Vec<Vec2>) {
        match &self.trip {
            Some(trip) if self.navigator.under_way() => points.extend(&trip.route),
            _ => self.navigator.course(points),
        }
    }

    fn sketch(&self, layer: usize, _me: &Identity, _percept: &Percept, marks: &mut Vec<Mark>) {
        sketch::draw(self, layer, marks);
    }

    fn findings(&self) -> Option<&dyn Findings> {
        Some(self)
    }
}

impl Performer for Explorer {
    fn learn(&mut self, situation: &Situation, inbox: &[Message], out: &mut Output) {
        self.navigator.begin(situation, inbox, out);
        self.exchange.hear(inbox, &mut self.atlas, situation.now);
        self.look(situation);
        self.plan(situation);
        let at = self.pose.map(|pose| pose.position);
        self.exchange.speak(&mut self.atlas, at, situation, out);
    }

    fn act(&mut self, duty: Duty, situation: &Situation, out: &mut Output) -> Command {
        let goal = duty.choice.map(|choice| Explorer::goal(choice, situation));
        if duty.fresh || self.trip.as_ref().map(|trip| trip.goal) != goal {
            self.navigator.set_out();
            self.trip = goal.map(|goal| Trip::new(goal, situation.now));
            self.hurry = goal.is_some();
        }
        match self.pose {
            Some(pose) => self.drive(&pose, situation, out),
            None => self.navigator.stop(),
        }
    }

    fn skills(&self) -> &dyn Skills {
        self
    }

    fn controller(&self) -> Option<&dyn Controller> {
        Some(self.navigator.controller())
    }

    fn effort(&self) -> u32 {
        // A plan takes milliseconds, but only one tick in five has one.
        if self.base { 20 } else { 600 }
    }
}

impl Findings for Explorer {
    fn at(&self, place: Vec2) -> Belief {
        match self.atlas.at(place) {
            Cell::Unknown => Belief::Unknown,
            Cell::Free => Belief::Free,
            Cell::Occupied => Belief::Occupied,
        }
    }

    fn seen(&self, place: Vec2) -> bool {
        self.atlas.saw(place)
    }

    fn told(&self) -> u64 {
        self.exchange.sent
    }
}

/// What a sketch shows.
impl Explorer {
    pub(super) fn desk(&self) -> Option<&Desk> {
        self.desk.as_deref()
    }

    pub(super) fn prospects(&self) -> &Prospects {
        &self.prospects
    }

    pub(super) fn route_points(&self) -> impl Iterator<Item = Vec2> {
        let from = self.pose.map(|pose| pose.position).filter(|_| self.trip.is_some());
        from.into_iter().chain(self.trip.iter().flat_map(|trip| trip.route.iter().copied()))
    }
}
