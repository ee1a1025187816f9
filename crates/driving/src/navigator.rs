//! A navigator: knows the robot's navigation sensors and drives it to points and along directions. The controller decides how it
//! drives there.

use crate::company::Company;
use crate::persons::without_persons;
use crate::survey::Survey;
use crewlab_control::deadlock::Way;
use crewlab_control::planning::costs::Knot;
use crewlab_control::{AnyController, Pursuit, Wish, free_direction};
use crewlab_navigation::slam::SlamParams;
use crewlab_navigation::{Chart, Locator, Notice, Odometry, Planner, PoseFilter};
use crewlab_onboard::geometry::{Pose, Vec2, wrap};
use crewlab_onboard::locating::{Locating, ODOMETRY};
use crewlab_onboard::{
    Command, Constraint, Controller, Event, EventKind, Goal, Identity, Limits, Message, Neighbour, Output,
    Percept, Scan, SensorId, Situation, Speeds, Steering, Time,
};
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// Distance at which the goal is displayed if the robot only keeps a direction. [m]
const AHEAD: f64 = 1.0;
/// A robot that approaches something slowly stops at this distance from it. [m]
const TOUCHING: f64 = 0.06;

/// Free distance behind a robot that backs off. [m]
const BEHIND: f64 = 0.15;

/// True if a sensor has taken a reading since the last one that was used. An old reading is no news.
fn fresh(percept: &Percept, sensor: SensorId, used: &mut Option<Time>) -> bool {
    let taken = percept.senses.get(usize::from(sensor.0)).map(|sense| sense.at);
    std::mem::replace(used, taken) != taken
}

/// How the robot knows where it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Tracking {
    /// By the sensors' latest readings, unchanged.
    Readings,
    /// By dead reckoning, corrected by readings whose noise the datasheet states.
    Averages(Odometry),
    /// By dead reckoning, corrected by readings whose noise the filter measures.
    Filtered(PoseFilter),
    /// By odometry, which this sensor measures, and scans alone.
    Slam(SensorId, Box<Locator>),
}

impl Tracking {
    /// By the latest readings, or by odometry and scans if there are no others.
    fn of(me: &Identity) -> Tracking {
        match me.datasheet.sensor(ODOMETRY).filter(|_| me.datasheet.locates_itself()) {
            Some(odometry) => {
                Tracking::Slam(odometry, Box::new(Locator::new(SlamParams::on_board(&me.slam))))
            }
            None => Tracking::Readings,
        }
    }
}

/// What a robot needs to drive somewhere: it knows where it is by positioning system and compass, or finds out by itself.
pub fn mobile() -> Constraint {
    let told = Constraint::all(&["position", "compass"]);
    let found = Constraint::Has(ODOMETRY.into());
    Constraint::all(&["drive", "range-scanner"]).and(Constraint::Any(vec![told, found]))
}

/// Navigation of one robot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Navigator {
    position: Option<SensorId>,
    compass: Option<SensorId>,
    scanner: Option<SensorId>,
    controller: AnyController,
    tracking: Tracking,
    /// When the readings of position and heading were taken that the odometry has used.
    used: [Option<Time>; 2],
    /// Finds ways on maps.
    planner: Planner,
    /// The ground, if the robot has a sensor for it.
    survey: Option<Box<Survey>>,
    /// Its waypoints, in the world as the robot believes it to be.
    course: [Option<Vec2>; 2],
    /// True if the robot has driven somewhere since the tick began.
    under_way: bool,
    /// The others on its way, if the controller wants to know them.
    company: Option<Box<Company>>,
}

impl Navigator {
    /// A navigator that uses the sensors `position`, `compass` and `range-scanner`, and `ground` if there is one. A robot without
    /// `position` or `compass` that has `odometry` and `range-scanner` finds out by itself where it is.
    pub fn new(controller: AnyController, me: &Identity) -> Navigator {
        let datasheet = &me.datasheet;
        // One that cannot drive is an obstacle as any other: nobody waits until it goes on, or makes way for it.
        let tells = controller.tells().filter(|_| datasheet.max_speed > 0.0);
        Navigator {
            position: datasheet.sensor("position"),
            compass: datasheet.sensor("compass"),
            scanner: datasheet.sensor("range-scanner"),
            company: tells.map(|every| Box::new(Company::new(every))),
            controller,
            tracking: Tracking::of(me),
            used: [None; 2],
            planner: Planner::default(),
            survey: Survey::new(datasheet).map(Box::new),
            course: [None; 2],
            under_way: false,
        }
    }

    /// The ranges of the scanner, shortened where a step is nearer; `None` if no step is in view.
    fn stepwise(scan: &Scan, situation: &Situation) -> Option<Vec<f64>> {
        let id = situation.me.datasheet.sensor("curb-detector")?;
        let sheet = &situation.me.datasheet.sensors[usize::from(id.0)];
        let steps = Scan::of(sheet, situation.percept.ranges(id));
        let seen = steps.angles.iter().zip(steps.ranges).filter(|(_, range)| **range < steps.certain);
        let seen: Vec<(f64, f64)> = seen.map(|(angle, range)| (*angle, *range)).collect();
        // Neighbouring rays of the two sensors are about as far apart.
        let spacing = TAU / sheet.angles.len().max(1) as f64;
        (!seen.is_empty()).then(|| {
            let nearest = |(angle, range): (&f64, &f64)| {
                let beside = seen.iter().filter(|(other, _)| wrap(angle - other).abs() <= spacing / 2.0);
                beside.map(|(_, step)| *step).fold(*range, f64::min)
            };
            scan.angles.iter().zip(scan.ranges).map(nearest).collect()
        })
    }

    /// The same navigator, but it averages noisy readings with the expected motion.
    pub fn averaging(self, me: &Identity) -> Navigator {
        self.tracking_by(Tracking::Averages(Odometry::new(&me.datasheet)))
    }

    /// The same navigator, but it weighs readings against the expected motion by their noise, which it measures.
    pub fn filtering(self) -> Navigator {
        self.tracking_by(Tracking::Filtered(PoseFilter::default()))
    }

    /// Readings can be averaged only if there are any.
    fn tracking_by(self, tracking: Tracking) -> Navigator {
        match self.tracking {
            Tracking::Slam(..) => self,
            _ => Navigator { tracking, ..self },
        }
    }

    /// Begins a tick, in which the robot stands still until it is told to drive. Robots whose controllers care tell each other where
    /// they are.
    pub fn begin(&mut self, situation: &Situation, inbox: &[Message], out: &mut Output) {
        self.course = [None; 2];
        if !std::mem::take(&mut self.under_way) {
            self.rest();
        }
        let percept = situation.percept;
        let reading = self.reading(situation);
        let taken = |id: Option<SensorId>| {
            id.and_then(|id| percept.senses.get(usize::from(id.0))).map(|sense| sense.at)
        };
        let times = taken(self.position).zip(taken(self.compass));
        match &mut self.tracking {
            Tracking::Readings | Tracking::Slam(..) => {}
            Tracking::Averages(odometry) => {
                let position = self.position.filter(|id| fresh(percept, *id, &mut self.used[0]));
                let compass = self.compass.filter(|id| fresh(percept, *id, &mut self.used[1]));
                let (position, heading) =
                    (position.and_then(|id| percept.point(id)), compass.and_then(|id| percept.angle(id)));
                odometry.update(position, heading, situation.dt);
            }
            Tracking::Filtered(filter) => {
                let position = reading.zip(times).map(|(pose, (at, _))| (pose.position, at));
                let heading = reading.zip(times).map(|(pose, (_, at))| (pose.heading, at));
                filter.update(position, heading, situation.now, situation.dt);
                // Until it is asked to drive again.
                filter.ask((0.0, 0.0));
            }
        }
        self.locate(situation, out);
        self.survey(situation);
        let pose = self.pose(situation);
        if let Some(company) = &mut self.company {
            company.begin(pose, situation, inbox, out);
        }
    }

    /// Finds out where the robot is, if nothing tells it.
    fn locate(&mut self, situation: &Situation, out: &mut Output) {
        let scan = self.scan(situation);
        let Tracking::Slam(sensor, locator) = &mut self.tracking else { return };
        let still = without_persons(&scan, situation);
        let scan = still.as_ref().map_or(scan, |ranges| Scan { ranges, ..scan });
        let odometry = situation.percept.pose(*sensor);
        let radius = situation.me.datasheet.radius;
        let notice = locator.update(odometry, &scan, radius, situation.now, out.random);
        out.events.extend(notice.map(|notice| match notice {
            Notice::Lost => Event::new(EventKind::Lost),
            Notice::NoOdometry => Event::new(EventKind::Lost).thing(ODOMETRY),
            Notice::NoScans => Event::new(EventKind::DeadReckoning),
            Notice::Located => Event::new(EventKind::Located),
        }));
    }

    /// The estimate of a robot that finds out by itself where it is.
    pub fn locating(&self) -> Option<&dyn Locating> {
        self.locator().map(|locator| locator as &dyn Locating)
    }

    /// What estimates where the robot is, if it has neither position nor compass.
    pub fn locator(&self) -> Option<&Locator> {
        match &self.tracking {
            Tracking::Slam(_, locator) => Some(locator),
            _ => None,
        }
    }

    /// Typical duration of a tick, roughly. [µs]
    pub fn effort(&self) -> u32 {
        let locating = self.locator().map_or(0, Locator::effort);
        self.controller.effort().saturating_add(locating)
    }

    /// Stands still on purpose.
    fn rest(&mut self) {
        self.controller.rest();
        if let Some(company) = &mut self.company {
            company.rest();
        }
    }

    /// The robots nearby, the nearest first; empty unless the controller wants to know them.
    fn neighbours(&self, pose: Option<Pose>, situation: &Situation) -> Vec<Neighbour> {
        self.company.as_ref().map_or_else(Vec::new, |company| company.around(pose, situation))
    }

    /// Learns about the ground.
    fn survey(&mut self, situation: &Situation) {
        let (pose, scan) = (self.pose(situation), self.scan(situation));
        let Some((survey, pose)) = self.survey.as_mut().zip(pose) else { return };
        let noise = self.scanner.map(|id| situation.me.datasheet.sensors[usize::from(id.0)].relative_noise);
        survey.look(&pose, &scan, noise.unwrap_or(0.0), situation);
    }

    /// True if the robot went somewhere in this tick.
    pub fn under_way(&self) -> bool {
        self.under_way
    }

    /// Its controller.
    pub fn controller(&self) -> &dyn Controller {
        &self.controller
    }

    /// The same, with what it can do beyond the interface of controllers.
    pub fn any_controller(&self) -> &AnyController {
        &self.controller
    }

    /// Sets out for another goal than before.
    pub fn set_out(&mut self) {
        self.controller.set_out();
    }

    /// Its waypoints in this tick, as the robot believes the world to be; a point a little ahead if it only keeps a direction.
    /// [m]
    pub fn course(&self, points: &mut Vec<Vec2>) {
        points.extend(self.course.iter().flatten());
    }

    /// The robot's estimate of its pose.
    pub fn pose(&self, situation: &Situation) -> Option<Pose> {
        match &self.tracking {
            Tracking::Readings => self.reading(situation),
            Tracking::Averages(odometry) => odometry.pose(),
            Tracking::Filtered(filter) => filter.pose(),
            Tracking::Slam(_, locator) => locator.pose(),
        }
    }

    /// The robot's pose by the latest readings alone.
    pub fn reading(&self, situation: &Situation) -> Option<Pose> {
        let position = situation.percept.point(self.position?)?;
        let heading = situation.percept.angle(self.compass?)?;
        Some(Pose { position, heading })
    }

    /// The reading of the range scanner; empty if there is none.
    pub fn scan<'a>(&self, situation: &'a Situation) -> Scan<'a> {
        match self.scanner {
            Some(id) => {
                let scanner = &situation.me.datasheet.sensors[usize::from(id.0)];
                Scan::of(scanner, situation.percept.ranges(id))
            }
            None => Scan::NOTHING,
        }
    }

    fn limits(&self, situation: &Situation) -> Limits {
        let sheet = &situation.me.datasheet;
        Limits { radius: sheet.radius, max_speed: sheet.max_speed, max_turn: sheet.max_turn }
    }

    /// Stands still on purpose.
    pub fn stop(&mut self) -> Command {
        self.spin(0.0)
    }

    /// Turns on the spot on purpose. [rad/s]
    pub fn spin(&mut self, turn: f64) -> Command {
        self.course = [None; 2];
        self.rest();
        self.drive((0.0, turn))
    }

    /// Drives to a point, on the quickest way if the robot knows the ground, or around the walls of its floor plan; stops if it does
    /// not know where it is.
    pub fn go_to(&mut self, target: Vec2, situation: &Situation, out: &mut Output) -> Command {
        let position = self.pose(situation).map(|pose| pose.position);
        let aim = position.filter(|_| self.knows_ways(situation)).and_then(|at| {
            let plan = &situation.me.floor_plan;
            self.survey.iter_mut().for_each(|survey| survey.include(target));
            let survey = self.survey.as_deref();
            let find = || survey.and_then(|survey| survey.aim(at, target)).or_else(|| plan.next(at, target));
            self.planner.aim(at, target, situation.now, find)
        });
        self.go_by(aim.unwrap_or(target), target, situation, out)
    }

    /// True if the robot may know a better way than straight ahead.
    fn knows_ways(&self, situation: &Situation) -> bool {
        self.survey.is_some() || situation.me.floor_plan.is_there()
    }

    /// Drives to a point on the way to another one.
    fn go_by(&mut self, aim: Vec2, target: Vec2, situation: &Situation, out: &mut Output) -> Command {
        let command = self.go_straight(aim, situation, out);
        self.course[1] = Some(target).filter(|target| *target != aim);
        command
    }

    /// Drives to a point in a straight line.
    fn go_straight(&mut self, target: Vec2, situation: &Situation, out: &mut Output) -> Command {
        let Some(pose) = self.pose(situation) else { return self.stop() };
        let goal = Goal { bearing: pose.bearing(target), distance: pose.position.distance(target) };
        let command = self.steer(goal, situation, out);
        self.course = [Some(target), None];
        command
    }

    /// Drives to a point along the path that a map suggests. The point may lie in an obstacle of radius `inside`. `None` if there
    /// is no path. [m]
    pub fn go_by_map(
        &mut self,
        chart: &Chart,
        target: Vec2,
        inside: f64,
        situation: &Situation,
        out: &mut Output,
    ) -> Option<Command> {
        let at = self.pose(situation)?.position;
        let ground = self.survey.as_ref().map(|survey| survey.ground()).filter(|ground| !ground.is_even());
        let aim = self.planner.aim(at, target, situation.now, || match ground {
            Some(ground) => chart.quickest(ground, at, target, inside),
            None => chart.way(at, target, inside),
        })?;
        Some(self.go_by(aim, target, situation, out))
    }

    /// Drives in a compass direction. [rad]
    pub fn head(&mut self, direction: f64, situation: &Situation, out: &mut Output) -> Command {
        let Some(pose) = self.pose(situation) else { return self.stop() };
        let goal = Goal { bearing: wrap(direction - pose.heading), distance: f64::INFINITY };
        self.steer(goal, situation, out)
    }

    /// Drives to a goal given relative to the robot, on the way that the robot knows.
    pub fn go(&mut self, goal: Goal, situation: &Situation, out: &mut Output) -> Command {
        match self.pose(situation).filter(|_| self.knows_ways(situation) && goal.distance.is_finite()) {
            Some(pose) => {
                let away = Vec2::unit(pose.heading + goal.bearing) * goal.distance;
                self.go_to(pose.position + away, situation, out)
            }
            None => self.steer(goal, situation, out),
        }
    }

    /// Drives by costs instead of to a goal.
    pub fn pursue(&mut self, wish: &dyn Wish, situation: &Situation, out: &mut Output) -> Command {
        let Some(pose) = self.pose(situation) else { return self.stop() };
        let (scan, limits) = (self.scan(situation), self.limits(situation));
        let neighbours = self.neighbours(Some(pose), situation);
        let pursuit = Pursuit { wish, pose, scan, neighbours: &neighbours, limits, situation };
        let speeds = self.controller.pursue(&pursuit, out.random);
        (self.course, self.under_way) = ([None; 2], true);
        self.drive(speeds)
    }

    /// Appends where the robot will be at `count` times from now on, as its controller has planned.
    pub fn trajectory(&self, situation: &Situation, count: usize, knots: &mut Vec<Knot>) {
        if let Some(pose) = self.pose(situation) {
            self.controller.trajectory(&pose, situation.now, count, knots);
        }
    }

    /// Drives straight to a point over steps in the ground, where a robot that does not cross them keeps away from them.
    pub fn step_over_to(&mut self, target: Vec2, situation: &Situation, out: &mut Output) -> Command {
        let Some(pose) = self.pose(situation) else { return self.stop() };
        let goal = Goal { bearing: pose.bearing(target), distance: pose.position.distance(target) };
        let command = self.steer_by(goal, false, situation, out);
        self.course = [Some(target), None];
        command
    }

    /// Lets the controller drive to a goal.
    fn steer(&mut self, goal: Goal, situation: &Situation, out: &mut Output) -> Command {
        self.steer_by(goal, true, situation, out)
    }

    /// The same; the controller keeps away from steps in the ground if it heeds them.
    fn steer_by(
        &mut self,
        goal: Goal,
        heeds_steps: bool,
        situation: &Situation,
        out: &mut Output,
    ) -> Command {
        let pose = self.pose(situation);
        let (scan, limits) = (self.scan(situation), self.limits(situation));
        let stepwise = Navigator::stepwise(&scan, situation).filter(|_| heeds_steps);
        let scan = stepwise.as_ref().map_or(scan, |ranges| Scan { ranges, ..scan });
        let neighbours = self.neighbours(pose, situation);
        let steering = Steering { goal, pose, scan, neighbours: &neighbours, limits, situation };
        let way = self.company.as_mut().map_or(Way::On, |company| company.resolve(&steering, out));
        let speeds = match way {
            Way::On => self.controller.steer(&steering, out.random),
            Way::Back(goal) => self.controller.steer(&Steering { goal, ..steering }, out.random),
            Way::Aside => (0.0, 0.0),
        };
        let far = if goal.distance.is_finite() { goal.distance } else { AHEAD };
        let ahead = |pose: Pose| pose.position + Vec2::unit(pose.heading + goal.bearing) * far;
        (self.course, self.under_way) = ([pose.map(ahead), None], true);
        self.drive(speeds)
    }

    /// Drives straight up to an object in a compass direction, which a controller would avoid. [rad]
    pub fn creep(&mut self, direction: f64, situation: &Situation) -> Command {
        let Some(pose) = self.pose(situation) else { return self.stop() };
        let limits = self.limits(situation);
        let ahead = free_direction::clearance(&self.scan(situation), &limits);
        let bearing = wrap(direction - pose.heading);
        let (speed, turn) = free_direction::speeds(bearing, ahead, 0.1, &limits, situation.dt);
        let there = pose.position + Vec2::unit(direction) * (limits.radius + ahead);
        (self.course, self.under_way) = ([Some(there), None], true);
        self.drive((if ahead < TOUCHING { 0.0 } else { speed }, turn))
    }

    /// Drives straight against an object in a compass direction, whatever is in the way. [rad], [m/s]
    pub fn press(&mut self, direction: f64, pace: f64, situation: &Situation) -> Command {
        let Some(pose) = self.pose(situation) else { return self.stop() };
        let limits = self.limits(situation);
        let limits = Limits { max_speed: limits.max_speed.min(pace), ..limits };
        let bearing = wrap(direction - pose.heading);
        let speeds = free_direction::speeds(bearing, f64::INFINITY, f64::INFINITY, &limits, situation.dt);
        let there = pose.position + Vec2::unit(direction) * AHEAD;
        (self.course, self.under_way) = ([Some(there), None], true);
        self.drive(speeds)
    }

    /// Drives backwards, away from what is in front in a compass direction; `None` if the robot looks elsewhere or something is
    /// behind it. [m/s], [rad]
    pub fn back_off(&mut self, pace: f64, direction: f64, situation: &Situation) -> Option<Command> {
        let pose = self.pose(situation)?;
        let radius = situation.me.datasheet.radius;
        let scan = self.scan(situation);
        let behind = scan
            .points(radius)
            .any(|point| point.x < 0.0 && point.x > -radius - BEHIND && point.y.abs() < radius);
        let looks = wrap(direction - pose.heading).abs() < 1.0;
        if behind || !looks {
            return None;
        }
        let there = pose.position - Vec2::unit(pose.heading) * AHEAD;
        (self.course, self.under_way) = ([Some(there), None], true);
        Some(self.drive((-pace, 0.0)))
    }

    /// Remembers the command to the drive.
    fn drive(&mut self, (speed, turn): Speeds) -> Command {
        if let Some(company) = &mut self.company {
            company.drive((speed, turn));
        }
        match &mut self.tracking {
            Tracking::Readings | Tracking::Slam(..) => {}
            Tracking::Averages(odometry) => odometry.ask((speed, turn)),
            Tracking::Filtered(filter) => filter.ask((speed, turn)),
        }
        Command::drive(speed, turn)
    }

    /// Time to drive to a point: in a straight line, or on the quickest way if the robot knows the ground. [s]
    pub fn time_to(&self, target: Vec2, situation: &Situation) -> f64 {
        let distance = self.pose(situation).map_or(f64::INFINITY, |pose| match &self.survey {
            Some(survey) => survey.effort(pose.position, target),
            None => pose.position.distance(target),
        });
        distance / situation.me.datasheet.max_speed.max(1e-9)
    }
}
