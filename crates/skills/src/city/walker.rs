//! A robot's software in the city: perceives, asks, and calls the navigation behaviours.

mod crossing;

use super::indicators::{Indicators, pose_entropy};
use super::people::People;
use super::phase::{Phase, Trouble};
use super::streets::Streets;
use super::{CROSSROADS, CityBriefing, GOAL};
use crate::Navigator;
use crewlab_control::AnyController;
use crewlab_navigation::behaviours::{
    AimKind, Behaviour, Caller, Control, ControlSettings, Failure, Outcome as Step, PersonTrack, Scene,
    Trigger, coherent,
};
use crewlab_navigation::routes::NoRoute;
use crewlab_onboard::event::key;
use crewlab_onboard::geometry::{Pose, Vec2, wrap};
use crewlab_onboard::locating::Locating;
use crewlab_onboard::{
    Action, BehaviourId, Choice, Command, Controller, Duty, EffectorId, Event, EventKind, Identity, Mark,
    Message, Outcome, Output, Percept, Performer, Scan, SensorId, Setback, Sighting, Situation, Skills,
    TaskId, Time,
};
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// Interval of mapping, planning and control: algorithm B.1 at 2 Hz. [s]
const CYCLE: f64 = 0.5;
/// Who asks for behaviours: the dialogue with people, and the cameras, which see the goal and people to follow.
const DIALOGUE: Caller = Caller { id: 1, priority: 1 };
const CAMERAS: Caller = Caller { id: 2, priority: 2 };
/// Pointed directions within this of their mean agree. [rad]
const AGREE: f64 = PI / 6.0;
/// A robot turns to a person beyond this before it speaks. [rad]
const FACING: f64 = PI / 3.0;
/// Turning speed towards a person. [rad/s]
const TURN: f64 = 0.8;
/// A corner this far from another one is another one. [m]
const OTHER_CORNER: f64 = 2.0;
/// A corner out of which the robot has been for longer is a new one. [s]
const LEFT_CORNER: f64 = 8.0;
/// A larger corner is a whole street mouth, whose middle need not be reached. [m]
const MOUTH: f64 = 3.0;
/// After a goal could not be reached, it is not tried again for this long. [s]
const RETRY: f64 = 20.0;
/// A robot on its way that has moved less than this [m] for this long [s] does not get on.
const MOVED: f64 = 0.5;
const STANDS: f64 = 20.0;
/// Without readings of the scanner for this long the robot is blind. [s]
const BLIND: f64 = 3.0;

/// The devices that it uses besides those of the navigator.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Devices {
    curbs: Option<SensorId>,
    persons: Option<SensorId>,
    gestures: Option<SensorId>,
    areas: Option<SensorId>,
    voice: Option<EffectorId>,
}

/// One robot in the city.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Walker {
    navigator: Navigator,
    devices: Devices,
    pub(super) streets: Streets,
    pub(super) control: Control,
    people: People,
    track: PersonTrack,
    phase: Phase,
    /// Where the last waypoint is that the control has accepted. [m]
    waypoint: Option<Vec2>,
    /// Where the robot was when it planned. [m]
    pub(super) planned_from: Vec2,
    last_cycle: Option<Time>,
    /// The gesture that was seen last.
    gesture: Option<Time>,
    /// Directions that people have pointed in since the robot stands here. [rad]
    heard: Vec<f64>,
    /// The corner where it has asked, and when it was last there.
    corner: Option<(Vec2, Time)>,
    /// Where it was when it last moved on, and since when. [m]
    anchor: Option<(Vec2, Time)>,
    /// Until when the goal is not tried again.
    goal_after: Time,
    /// Why the last behaviour failed, in the tick in which it did.
    trouble: Option<Trouble>,
    indicators: Indicators,
    /// When it was last able to see.
    saw: Time,
    arrived: Option<Time>,
    patience: f64,
}

impl Walker {
    pub(super) fn new(briefing: &CityBriefing, me: &Identity, controller: AnyController) -> Walker {
        let sheet = &me.datasheet;
        let devices = Devices {
            curbs: sheet.sensor("curb-detector"),
            persons: sheet.sensor("person-detector"),
            gestures: sheet.sensor("gesture-detector"),
            areas: sheet.sensor("area-detector"),
            voice: sheet.effector("ask-way"),
        };
        Walker {
            navigator: Navigator::new(controller, me),
            devices,
            streets: Streets::new(sheet.radius),
            control: Control::new(ControlSettings::default()),
            people: People::default(),
            track: PersonTrack::default(),
            phase: Phase::Ask(Time::ZERO),
            waypoint: None,
            planned_from: Vec2::ZERO,
            last_cycle: None,
            gesture: None,
            heard: Vec::new(),
            corner: None,
            anchor: None,
            goal_after: Time::ZERO,
            trouble: None,
            indicators: Indicators::default(),
            saw: Time::ZERO,
            arrived: None,
            patience: briefing.patience,
        }
    }

    /// What it is doing.
    pub fn phase(&self) -> &Phase {
        &self.phase
    }

    fn sightings<'a>(&self, sensor: Option<SensorId>, situation: &'a Situation) -> &'a [Sighting] {
        sensor.map_or(&[], |id| situation.percept.sightings(id))
    }

    /// The areas of a kind in view, with where their middles are. [m]
    fn areas<'a>(
        &self,
        kind: &'static str,
        pose: Pose,
        situation: &'a Situation,
    ) -> impl Iterator<Item = (&'a Sighting, Vec2)> {
        let all = self.sightings(self.devices.areas, situation).iter();
        all.filter(move |area| &*area.kind == kind)
            .map(move |area| (area, pose.position + Vec2::unit(pose.heading + area.bearing) * area.distance))
    }

    /// The corner in which the robot is, if it has not asked there: its middle and its radius. [m]
    fn new_corner(&self, pose: Pose, situation: &Situation) -> Option<(Vec2, f64)> {
        let known = |at: Vec2| self.corner.is_some_and(|(corner, _)| corner.distance(at) < OTHER_CORNER);
        let mut inside = self.areas(CROSSROADS, pose, situation).filter(|(area, _)| area.inside);
        inside.find(|(_, at)| !known(*at)).map(|(area, at)| (at, area.extent))
    }

    /// Remembers how long the robot has been away from the corner where it asked.
    fn leave_corner(&mut self, pose: Pose, situation: &Situation) {
        let Some((corner, last)) = self.corner else { return };
        let mut inside = self.areas(CROSSROADS, pose, situation).filter(|(area, _)| area.inside);
        let there = inside.any(|(_, at)| corner.distance(at) < OTHER_CORNER);
        drop(inside);
        if there {
            self.corner = Some((corner, situation.now));
        } else if situation.now.since(last) > LEFT_CORNER {
            self.corner = None;
        }
    }

    fn scan_of<'a>(sensor: Option<SensorId>, situation: &'a Situation) -> Scan<'a> {
        sensor.map_or(Scan::NOTHING, |id| {
            let sheet = &situation.me.datasheet.sensors[usize::from(id.0)];
            Scan::of(sheet, situation.percept.ranges(id))
        })
    }

    /// Asks the control for a behaviour, and remembers why.
    fn begin(&mut self, phase: Phase, caller: Caller, behaviour: Behaviour) {
        // What the cameras began ends with them, so that the dialogue is heard again.
        let _ = self.control.trigger(Trigger { caller: CAMERAS, behaviour: Behaviour::Idle });
        self.control = Control::new(ControlSettings::default());
        let _ = self.control.trigger(Trigger { caller, behaviour });
        (self.phase, self.waypoint, self.anchor) = (phase, None, None);
        self.navigator.set_out();
    }

    /// Stops and asks.
    fn ask(&mut self, now: Time) {
        self.begin(Phase::Ask(now), DIALOGUE, Behaviour::Idle);
    }

    /// Stops and asks at a corner: in its middle, if it is a small one.
    fn ask_at(&mut self, (middle, extent): (Vec2, f64), now: Time) {
        self.heard.clear();
        self.corner = Some((middle, now));
        if extent > MOUTH {
            self.ask(now);
        } else {
            self.begin(Phase::Enter(middle), DIALOGUE, Behaviour::ReachGoal(middle));
        }
    }

    /// A gesture that was not used yet, as a direction. [rad]
    fn pointed(&mut self, pose: Pose, situation: &Situation) -> Option<f64> {
        let sensor = self.devices.gestures?;
        let taken = situation.percept.senses.get(usize::from(sensor.0))?.at;
        let seen = situation.percept.sightings(sensor).first()?.heading?;
        let fresh = self.gesture.replace(taken) != Some(taken);
        fresh.then(|| wrap(pose.heading + seen))
    }

    /// Goes where people pointed.
    fn set_off(&mut self, direction: f64, pose: Pose, situation: &Situation, out: &mut Output) {
        let degrees = direction.to_degrees();
        out.explain(Event::new(EventKind::ToldWay).at(pose.position).with(key::DIRECTION, degrees));
        if self.crossing_ahead(direction, pose, situation).is_some() {
            self.begin(Phase::Wait(direction, situation.now), DIALOGUE, Behaviour::Idle);
        } else {
            self.begin(Phase::Walk(direction), DIALOGUE, Behaviour::GoInDirection(direction));
        }
    }

    /// Hears what people say, if they agree.
    fn listen(&mut self, pose: Pose, situation: &Situation, out: &mut Output) {
        let Some(direction) = self.pointed(pose, situation) else { return };
        self.heard.push(direction);
        match coherent(&self.heard, AGREE) {
            Some(mean) => self.set_off(mean, pose, situation, out),
            // They contradict each other: the last one gets another chance.
            None if self.heard.len() > 2 => {
                self.heard.drain(..self.heard.len() - 1);
            }
            None => {}
        }
    }

    /// The behaviour has failed: people are asked again.
    fn fail(&mut self, why: Trouble, now: Time) {
        self.trouble = Some(why);
        if matches!(self.phase, Phase::Reach(_)) {
            self.goal_after = Time::from_seconds(now.seconds() + RETRY);
        }
        self.ask(now);
    }

    /// Goes to the goal as soon as it is seen and a path leads there: it may be on the other side of the street.
    fn spot_goal(&mut self, pose: Pose, situation: &Situation, out: &mut Output) {
        let Some((area, at)) = self.areas(GOAL, pose, situation).next() else { return };
        let inside = area.inside;
        let busy = matches!(self.phase, Phase::Reach(_) | Phase::Follow(_) | Phase::Wait(..));
        if inside {
            self.arrived = Some(situation.now);
            self.ask(situation.now);
        } else if situation.now >= self.goal_after && !busy && self.streets.leads(pose.position, at) {
            out.explain(Event::new(EventKind::SeesGoal).at(at));
            self.begin(Phase::Reach(at), CAMERAS, Behaviour::ReachGoal(at));
        }
    }

    /// True if the robot has not moved on for a while although it is on its way.
    fn stands(&mut self, pose: Pose, now: Time) -> bool {
        let (place, since) = *self.anchor.get_or_insert((pose.position, now));
        if place.distance(pose.position) > MOVED {
            self.anchor = Some((pose.position, now));
        }
        now.since(since) > STANDS
    }

    /// What happens between two cycles of the control.
    fn react(&mut self, pose: Pose, situation: &Situation, out: &mut Output) {
        let now = situation.now;
        let under_way = matches!(self.phase, Phase::Walk(_) | Phase::Enter(_) | Phase::Reach(_));
        if under_way && self.stands(pose, now) {
            self.fail(Trouble::Blocked, now);
        }
        match self.phase.clone() {
            Phase::Ask(since) => {
                self.listen(pose, situation, out);
                // Somebody in view may come nearer.
                let alone = self.people.nearest(pose.position).is_none();
                let patience = if alone { self.patience } else { 2.0 * self.patience };
                if matches!(self.phase, Phase::Ask(_)) && now.since(since) > patience {
                    self.begin(Phase::Seek(now), DIALOGUE, Behaviour::Explore);
                }
            }
            Phase::Seek(since) => {
                let near = self.listener(pose, situation).is_some();
                if near || now.since(since) > self.patience {
                    self.ask(now);
                }
            }
            Phase::Wait(direction, since) => {
                self.follow(direction, pose, situation, out);
                if matches!(self.phase, Phase::Wait(..)) && now.since(since) > self.patience {
                    self.fail(Trouble::NobodyCrosses, now);
                }
            }
            Phase::Follow(_) => self.keep_up(pose, situation),
            Phase::Walk(direction) if self.on_the_road(situation) => self.leave_road(direction, pose, now),
            Phase::Walk(_) | Phase::Enter(_) | Phase::Reach(_) => {}
        }
    }

    /// One cycle: mapping, planning, control, indicators.
    fn cycle(&mut self, pose: Pose, situation: &Situation) {
        let now = situation.now;
        if self.last_cycle.is_some_and(|last| now.since(last) < CYCLE - 1e-9) {
            return;
        }
        self.last_cycle = Some(now);
        let radius = situation.me.datasheet.radius;
        let scan = self.navigator.scan(situation);
        self.streets.look(&pose, &scan, &Walker::scan_of(self.devices.curbs, situation), radius);
        let corner = self.new_corner(pose, situation);
        let outcome = match self.streets.refresh(pose.position) {
            Some(planner) => {
                let scene = Scene { pose, person: &self.track, crossroads: corner.is_some(), now };
                self.planned_from = pose.position;
                self.control.step(planner, &scene)
            }
            None => Step::Continue,
        };
        let uncertainty = self.navigator.locator().and_then(|locator| pose_entropy(locator.slam().poses()));
        let astray = self.control.aim().is_some_and(|aim| aim.kind == AimKind::Frontier);
        self.indicators.sample(&pose, &self.streets, self.control.aim(), uncertainty, now);
        if astray && matches!(self.phase, Phase::Reach(_)) {
            // The path turned out to be none.
            self.fail(Trouble::GoalOutOfReach, now);
            return;
        }
        self.obey(outcome, corner, now);
    }

    fn obey(&mut self, outcome: Step, corner: Option<(Vec2, f64)>, now: Time) {
        match outcome {
            Step::Drive(waypoint) => self.waypoint = Some(waypoint.at),
            Step::Continue => {}
            Step::Stand => self.waypoint = None,
            Step::Completed => match (self.phase.clone(), corner) {
                (Phase::Walk(_), Some(corner)) => self.ask_at(corner, now),
                (Phase::Follow(_), _) => {}
                _ => self.ask(now),
            },
            Step::Failed(why) => match self.phase {
                Phase::Enter(_) => self.ask(now),
                // It stands on a kerb.
                Phase::Walk(direction) if why == Failure::Accuracy(Some(NoRoute::StartBlocked)) => {
                    self.leave_road(direction, Pose { position: self.planned_from, heading: direction }, now);
                }
                Phase::Walk(_) => match self.streets.way_out(self.planned_from) {
                    // It stands at a wall or a kerb: first away from there.
                    Some(place) => {
                        self.trouble = Some(Trouble::Blocked);
                        self.begin(Phase::Enter(place), DIALOGUE, Behaviour::ReachGoal(place));
                    }
                    None => self.fail(Trouble::Blocked, now),
                },
                Phase::Reach(_) => self.fail(Trouble::GoalOutOfReach, now),
                Phase::Seek(_) => self.fail(Trouble::CannotSeek, now),
                _ => self.fail(Trouble::PersonLost, now),
            },
        }
    }

    /// The nearest person who is near enough to be asked, with its bearing. [rad]
    fn listener(&self, pose: Pose, situation: &Situation) -> Option<f64> {
        let voice = self.devices.voice?;
        let reach = situation.me.datasheet.effectors[usize::from(voice.0)].range;
        let near = self.people.nearest(pose.position)?;
        let distance = near.at.distance(pose.position) - situation.me.datasheet.radius;
        (distance <= reach).then(|| pose.bearing(near.at))
    }

    /// Turns to whoever is near, and asks.
    fn talk(&mut self, pose: Pose, situation: &Situation) -> Command {
        let Some((bearing, voice)) = self.listener(pose, situation).zip(self.devices.voice) else {
            return self.navigator.stop();
        };
        let turn = if bearing.abs() > 0.2 { TURN.copysign(bearing) } else { 0.0 };
        let command = self.navigator.spin(turn);
        if bearing.abs() < FACING { command.with(voice, Action::Work) } else { command }
    }
}

impl Skills for Walker {
    fn applicable(&self, _behaviour: BehaviourId, situation: &Situation) -> bool {
        self.arrived.is_none() && situation.now.since(self.saw) <= BLIND
    }

    fn cost(&self, _choice: Choice, _situation: &Situation) -> f64 {
        // How far the goal is, nobody knows.
        0.0
    }

    fn outcome(&self, choice: Choice, situation: &Situation) -> Outcome {
        match self.arrived {
            Some(_) => Outcome::Done,
            None if self.applicable(choice.behaviour, situation) => Outcome::Ongoing,
            None => Outcome::Failed("its scanner gives no readings"),
        }
    }

    fn setback(&self, _choice: Choice, _situation: &Situation) -> Option<Setback> {
        self.trouble.map(|trouble| Setback { why: trouble.why(), capability: None })
    }

    fn finished(&self, _task: TaskId, _situation: &Situation) -> Option<Time> {
        self.arrived
    }

    fn plan(&self, points: &mut Vec<Vec2>) {
        self.navigator.course(points);
    }

    fn sketch(&self, layer: usize, _me: &Identity, _percept: &Percept, marks: &mut Vec<Mark>) {
        self.draw(layer, marks);
    }

    fn locating(&self) -> Option<&dyn Locating> {
        self.navigator.locating()
    }

    fn indicators(&self, _now: Time) -> Vec<Option<f64>> {
        self.indicators.values()
    }
}

impl Performer for Walker {
    fn learn(&mut self, situation: &Situation, inbox: &[Message], out: &mut Output) {
        self.navigator.begin(situation, inbox, out);
        if !self.navigator.scan(situation).ranges.is_empty() {
            self.saw = situation.now;
        }
        if let Some(pose) = self.navigator.pose(situation) {
            let sightings = self.sightings(self.devices.persons, situation);
            self.people.see(&pose, sightings, situation.now);
            self.leave_corner(pose, situation);
        }
    }

    fn act(&mut self, duty: Duty, situation: &Situation, out: &mut Output) -> Command {
        self.trouble = None;
        let pose = self.navigator.pose(situation).filter(|_| duty.choice.is_some() && self.arrived.is_none());
        let Some(pose) = pose else { return self.navigator.stop() };
        self.spot_goal(pose, situation, out);
        self.react(pose, situation, out);
        self.cycle(pose, situation);
        match (&self.phase, self.waypoint) {
            _ if self.arrived.is_some() => self.navigator.stop(),
            (Phase::Ask(_), _) => self.talk(pose, situation),
            (Phase::Follow(_), Some(waypoint)) => self.navigator.step_over_to(waypoint, situation, out),
            (_, Some(waypoint)) => self.navigator.go_to(waypoint, situation, out),
            (_, None) => self.navigator.stop(),
        }
    }

    fn skills(&self) -> &dyn Skills {
        self
    }

    fn controller(&self) -> Option<&dyn Controller> {
        Some(self.navigator.controller())
    }
}
