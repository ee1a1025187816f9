//! The context in which a disturbance happens.

use super::layers::{self, Layers};
use super::setting::{AreaSetting, ItemSetting, ObjectSetting, RobotSetting, Setting};
use crate::airwaves::ChannelFault;
use crate::faults::{Fault, Part};
use crate::model::Model;
use crate::state::State;
use crewlab_onboard::geometry::{Pose, Vec2, vec2};
use crewlab_onboard::{RobotId, Stream, Time};
use crewlab_world::{Area, Item, Object, ObjectId, Obstacle, Shape};

/// Number of attempts to find a free place.
const TRIES: usize = 1000;

/// The stage on which a disturbance happens.
pub struct Scene<'a> {
    /// The constants.
    pub model: &'a Model,
    /// The state.
    pub state: &'a mut State,
    /// The overrides of lasting disturbances.
    pub(super) layers: &'a mut Layers,
    /// The time.
    pub now: Time,
    /// Marks the effects of this occurrence, so that it alone can be undone.
    pub token: u32,
    /// Random numbers for this occurrence.
    pub random: Stream,
}

/// The result of an attempt.
pub enum Attempt {
    /// It happened.
    Done(Done),
    /// It cannot happen now, for this reason; it is tried again in the next tick.
    NotYet(String),
}

/// What happened.
pub struct Done {
    /// A description for the log and the plots.
    pub what: String,
    /// The robot it happened to, if it is only one.
    pub robot: Option<RobotId>,
}

impl Attempt {
    /// It happened in the world.
    pub fn done(what: impl Into<String>) -> Attempt {
        Attempt::Done(Done { what: what.into(), robot: None })
    }
}

impl Scene<'_> {
    /// A robot's name.
    pub(super) fn name(&self, robot: RobotId) -> &str {
        &self.model.team[robot].identity.name
    }

    /// Names of robots, for the log.
    pub(super) fn names(&self, robots: &[RobotId]) -> String {
        match robots {
            [] => "nobody".into(),
            [one] => self.name(*one).into(),
            [rest @ .., last] if robots.len() <= 4 => {
                let rest: Vec<&str> = rest.iter().map(|robot| self.name(*robot)).collect();
                format!("{} and {}", rest.join(", "), self.name(*last))
            }
            _ => format!("{} robots", robots.len()),
        }
    }

    /// Breaks something on robots: the whole effect of a disturbance that does nothing else. `what` gets the robots' names.
    pub(super) fn break_on(
        &mut self,
        robots: &[RobotId],
        what: impl Fn(&str) -> String,
        faults: impl Fn(RobotId) -> Vec<Fault>,
    ) -> Attempt {
        let broken: Vec<(RobotId, Fault)> = robots
            .iter()
            .flat_map(|&robot| faults(robot).into_iter().map(move |fault| (robot, fault)))
            .collect();
        if broken.is_empty() {
            return Attempt::NotYet(format!("{} has nothing of the kind", self.names(robots)));
        }
        for (robot, fault) in broken {
            self.state.robots[robot].faults.add(self.token, fault);
            self.refresh(robot);
        }
        self.done_to(robots, what)
    }

    /// Something happened to these robots.
    pub(super) fn done_to(&self, robots: &[RobotId], what: impl Fn(&str) -> String) -> Attempt {
        let robot = match robots {
            [one] => Some(*one),
            _ => None,
        };
        Attempt::Done(Done { what: what(&self.names(robots)), robot })
    }

    /// Repairs a part of robots, or everything, whatever broke it. Crashed software restarts.
    pub(super) fn mend(&mut self, robot: RobotId, part: Option<Part>) -> Vec<Fault> {
        let mended = self.state.robots[robot].faults.repair(part);
        self.refresh(robot);
        if mended.contains(&Fault::Crash) {
            self.reboot(robot);
        }
        mended
    }

    /// Switches all robots to the coordinator of this name, or to that of the start.
    pub(super) fn coordinate_by(&mut self, name: Option<String>) {
        self.state.coordinator = name;
        for robot in self.model.robots() {
            let name = self.state.coordinator(self.model);
            if let Some(Ok(coordinator)) = self.model.coordinate(robot, name, false) {
                self.state.robots[robot].software.coordinate_by(coordinator);
            }
        }
    }

    /// Updates the state derived from a robot's faults.
    fn refresh(&mut self, robot: RobotId) {
        let (body, faults) = (&mut self.state.world.bodies[robot], &self.state.robots[robot].faults);
        (body.halted, body.stranded) = (faults.stopped(), faults.immobile());
    }

    /// Ends the effects of this occurrence, or tells why some must wait. Crashed software restarts, unless it was repaired
    /// before.
    pub(super) fn end(&mut self) -> Result<(), String> {
        for robot in self.model.robots() {
            if !self.state.robots[robot].faults.has(self.token) {
                continue;
            }
            if self.state.robots[robot].faults.remove(self.token).contains(&Fault::Crash) {
                self.reboot(robot);
            }
            self.refresh(robot);
        }
        self.state.airwaves.remove(self.token, self.model.team.len());
        layers::end(self)
    }

    /// Overrides a property for the duration of this occurrence, or tells why that must wait.
    pub(super) fn set(&mut self, setting: Setting) -> Result<(), String> {
        if let Some(before) = setting.swap(self)? {
            self.layers.note(self.token, before, setting);
        }
        Ok(())
    }

    /// Adds an object to the world for the duration of this occurrence.
    pub(super) fn add_object(&mut self, object: Object) -> ObjectId {
        let id = self.state.world.add_object(object);
        self.added(|present| Setting::Object(id, ObjectSetting::Present(present)));
        id
    }

    /// Adds an object that may wander.
    pub(super) fn add_walker(&mut self, object: Object) {
        let id = self.add_object(object);
        self.state.world.plan_walk(id, &mut self.random);
    }

    /// Adds items to the world.
    pub(super) fn add_items(&mut self, items: impl IntoIterator<Item = Item>) {
        for item in items {
            let number = self.state.world.items.len() as u32;
            self.state.world.items.push(item);
            self.added(|present| Setting::Item(number, ItemSetting::Present(present)));
        }
        self.state.world.items_changed();
    }

    /// Adds an area to the world.
    pub(super) fn add_area(&mut self, area: Area) {
        let place = self.state.world.areas.len();
        self.state.world.areas.push(area);
        self.added(|present| Setting::Area(place, AreaSetting::Present(present)));
    }

    /// Puts an absent robot into the world, at a place or where there is room.
    pub(super) fn add_robot(&mut self, robot: RobotId, at: Option<Pose>) -> Result<(), String> {
        self.bring(robot, at)?;
        self.added(|present| Setting::Robot(robot, RobotSetting::Present(present)));
        Ok(())
    }

    /// Records that something was added.
    fn added(&mut self, presence: impl Fn(bool) -> Setting) {
        self.layers.note(self.token, presence(false), presence(true));
    }

    /// Restarts a robot's software without memory.
    pub(super) fn reboot(&mut self, robot: RobotId) {
        let coordinator = self.state.coordinator(self.model).to_string();
        if let Some(software) = self.model.reboot(robot, &coordinator) {
            self.state.robots[robot].software = software;
            self.state.operator.forget(robot);
            if let Some(estimator) = &mut self.state.robots[robot].estimator {
                **estimator = Default::default();
            }
        }
    }

    /// The number of the task of this name.
    pub(super) fn task(&self, name: &str) -> Result<usize, String> {
        let found = self.model.tasks.iter().position(|spec| spec.name == name);
        found.ok_or_else(|| format!("there is no task {name}"))
    }

    /// The object of this name.
    pub(super) fn object(&self, name: &str) -> Result<&Object, String> {
        let found = self.state.world.objects().iter().find(|object| object.name == name);
        found.ok_or_else(|| format!("there is no object `{name}` now"))
    }

    /// The index of an existing area.
    pub(super) fn area(&self, name: &str) -> Result<usize, String> {
        let found = self.state.world.areas.iter().position(|area| area.present && &*area.name == name);
        found.ok_or_else(|| format!("there is no area `{name}` now"))
    }

    /// Fails while an object cannot be at a pose, instead of the object of this number: a robot that cannot pass it stands there,
    /// or something that can be pushed would be stuck in it.
    pub(super) fn room_for(
        &self,
        object: &Object,
        pose: &Pose,
        instead: Option<ObjectId>,
    ) -> Result<(), String> {
        let world = &self.state.world;
        if world.in_the_way(object, pose) {
            return Err("a robot stands where it must go".into());
        }
        match world.jam(object, pose, instead) {
            Some(Obstacle::Object(id)) => {
                let name = world.object(id).map_or("", |object| &object.name);
                Err(format!("{} stands where it must go", if name.is_empty() { "an object" } else { name }))
            }
            Some(_) => Err("the border is where it must go".into()),
            None => Ok(()),
        }
    }

    /// Disturbs the channel: the whole effect of a disturbance that does nothing else.
    pub(super) fn spoil(
        &mut self,
        what: String,
        troubles: impl IntoIterator<Item = ChannelFault>,
    ) -> Attempt {
        self.state.airwaves.add(self.token, troubles, self.model.team.len());
        Attempt::done(what)
    }

    /// Puts a robot into the world: at a place, or at its last place or its start, or at any free place. One that is already
    /// there stays where it is.
    pub(super) fn bring(&mut self, robot: RobotId, at: Option<Pose>) -> Result<(), String> {
        let body = &self.state.world.bodies[robot];
        if body.present {
            return Ok(());
        }
        let (shape, usual) = (body.shape.clone(), body.pose);
        let free =
            |scene: &Self, pose: &Pose| scene.state.world.overlap(&shape.at(pose), Some(robot)).is_none();
        let pose = match at {
            Some(pose) if free(self, &pose) => pose,
            Some(_) => return Err("something is where it must go".into()),
            None if free(self, &usual) => usual,
            None => {
                let position = self.free_place(&shape).ok_or("there is no room for it")?;
                Pose { position, heading: usual.heading }
            }
        };
        let body = &mut self.state.world.bodies[robot];
        (body.pose, body.facing, body.present) = (pose, Vec2::unit(pose.heading), true);
        self.state.odometers.set(robot, pose);
        Ok(())
    }

    /// A random spot for an item in a disc, given by centre and radius.
    pub(super) fn spot_in(&mut self, (center, radius): (Vec2, f64)) -> Vec2 {
        self.state.world.spot_in(center, radius, &mut self.random)
    }

    /// A free place for a shape anywhere in the world.
    pub(super) fn free_place(&mut self, shape: &Shape) -> Option<Vec2> {
        let (low, size) = (self.state.world.bounds.min, self.state.world.bounds.size());
        (0..TRIES).find_map(|_| {
            let position = low + vec2(size.x * self.random.unit(), size.y * self.random.unit());
            let pose = Pose { position, heading: 0.0 };
            self.state.world.overlap(&shape.at(&pose), None).is_none().then_some(position)
        })
    }
}
