//! What a disturbance may touch, and how what it did is undone.

use super::kinds::{JammerChange, ObjectChange};
use crate::airwaves::Trouble;
use crate::faults::{Fault, Part};
use crate::model::Model;
use crate::state::State;
use crewlab_onboard::geometry::{Pose, Vec2, vec2};
use crewlab_onboard::{RobotId, Stream, Time};
use crewlab_world::{Area, BodyId, IMPASSABLE, Object, ObjectId, Outline, Shape};
use serde::{Deserialize, Serialize};
use std::mem::replace;
use std::sync::Arc;

/// How often a free place is looked for.
const TRIES: usize = 1000;

/// The stage on which a disturbance happens.
pub struct Scene<'a> {
    /// What stays the same.
    pub model: &'a Model,
    /// What changes.
    pub state: &'a mut State,
    /// The time.
    pub now: Time,
    /// Marks what this occurrence does, so that it alone can be undone.
    pub token: u32,
    /// Chance, for this occurrence alone.
    pub random: Stream,
}

/// What came of an attempt.
pub enum Outcome {
    /// It happened.
    Done(Done),
    /// It cannot happen now, and why; it is tried again in the next tick.
    NotYet(String),
}

/// What happened.
pub struct Done {
    /// In words, for the log and the plots.
    pub what: String,
    /// The one robot it happened to.
    pub robot: Option<RobotId>,
    /// How to undo it.
    pub undo: Undo,
}

impl Outcome {
    /// It happened in the world.
    pub fn done(what: impl Into<String>, undo: Undo) -> Outcome {
        Outcome::Done(Done { what: what.into(), robot: None, undo })
    }
}

/// How to undo what a disturbance did.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Undo {
    /// It cannot be undone, or there is nothing to undo.
    #[default]
    Nothing,
    /// Repair what this occurrence broke on these robots.
    Repair(Vec<usize>),
    /// Repair these robots and start their software afresh.
    Reboot(Vec<usize>),
    /// Take these objects away.
    TakeAway(Vec<ObjectId>),
    /// Put this object back where it was.
    PutBack(Box<Object>),
    /// Put this object where it was.
    MoveBack(ObjectId, Pose),
    /// Give this object back what was changed about it.
    ChangeBack(ObjectId, ObjectChange),
    /// Give the jammer on this object back what was changed about it.
    TuneBack(ObjectId, JammerChange),
    /// Clear what this occurrence spoilt on the air.
    ClearAir,
    /// Undo all of these.
    All(Vec<Undo>),
    /// Take these items out of the world.
    HideItems(Vec<u32>),
    /// Put these items back into the world, each where it was.
    PutItems(Vec<(u32, Vec2)>),
    /// Move these items back, each to where it was; those that are gone since then stay away.
    MoveItems(Vec<(u32, Vec2)>),
    /// Turn these items back, each as it was: the value of this aspect.
    TurnItems(String, Vec<(u32, f64)>),
    /// Give an area back what was changed about it.
    RestoreArea(usize, AreaChange),
    /// Take these robots out of the world.
    SendAway(Vec<usize>),
    /// Bring these robots back into the world.
    BringBack(Vec<usize>),
    /// Put this robot back where it was.
    CarryBack(usize, Pose),
    /// Let this coordinator take over again; the one of the start if there is none.
    CoordinateBack(Option<String>),
    /// Give the operator's former word on a task.
    TakeBackOrder {
        /// The task.
        task: usize,
        /// Whether it was wanted, if that was changed.
        open: Option<bool>,
        /// How urgent it was, if that was changed.
        weight: Option<f64>,
    },
}

/// What changes about an area; what is `None` stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AreaChange {
    /// Where it is.
    pub outline: Option<Outline>,
    /// What it is for.
    pub kind: Option<Arc<str>>,
    /// Whether it is there.
    pub present: Option<bool>,
}

impl AreaChange {
    /// Makes the change; gives the one that takes it back.
    pub(super) fn swap_into(&self, area: &mut Area) -> AreaChange {
        AreaChange {
            outline: self.outline.clone().map(|outline| replace(&mut area.outline, outline)),
            kind: self.kind.clone().map(|kind| replace(&mut area.kind, kind)),
            present: self.present.map(|present| replace(&mut area.present, present)),
        }
    }

    /// Takes over from an earlier change what it found, where both change the same.
    fn inherit(&mut self, earlier: &mut AreaChange) {
        inherit(&mut self.outline, &mut earlier.outline);
        inherit(&mut self.kind, &mut earlier.kind);
        inherit(&mut self.present, &mut earlier.present);
    }
}

/// Where both a change and an earlier one have found something, the earlier finding counts.
pub(super) fn inherit<T>(mine: &mut Option<T>, found: &mut Option<T>) {
    if mine.is_some() && found.is_some() {
        *mine = found.take();
    }
}

impl Undo {
    /// Leaves to a later disturbance that still lasts what both have changed: the later one must not be undone by
    /// this one's end, and gives back in the end what this one found.
    pub(super) fn leave_to(&mut self, later: &mut Undo) {
        match (&mut *self, later) {
            (Undo::All(parts), later) => parts.iter_mut().for_each(|part| part.leave_to(later)),
            (_, Undo::All(parts)) => parts.iter_mut().for_each(|part| self.leave_to(part)),
            (Undo::TuneBack(id, before), Undo::TuneBack(other, found)) if id == other => {
                found.inherit(before);
            }
            (Undo::TuneBack(id, before), Undo::PutBack(object)) if *id == object.id => {
                before.swap_into(object);
                *self = Undo::Nothing;
            }
            (Undo::MoveBack(id, before), Undo::MoveBack(other, found)) if id == other => {
                *found = *before;
                *self = Undo::Nothing;
            }
            (Undo::MoveBack(id, before), Undo::PutBack(object)) if *id == object.id => {
                object.place(*before);
                *self = Undo::Nothing;
            }
            (Undo::ChangeBack(id, before), Undo::ChangeBack(other, found)) if id == other => {
                found.inherit(before);
            }
            (Undo::ChangeBack(id, before), Undo::PutBack(object)) if *id == object.id => {
                before.swap_into(object);
                *self = Undo::Nothing;
            }
            (Undo::TakeAway(objects), later @ Undo::PutBack(_)) => {
                if matches!(later, Undo::PutBack(object) if objects.contains(&object.id)) {
                    *later = Undo::Nothing;
                }
            }
            (Undo::RestoreArea(index, before), Undo::RestoreArea(other, found)) if index == other => {
                found.inherit(before);
            }
            (Undo::HideItems(added), Undo::PutItems(put) | Undo::MoveItems(put)) => {
                put.retain(|(item, _)| !added.contains(item));
            }
            (Undo::MoveItems(moved), Undo::PutItems(put) | Undo::MoveItems(put)) => {
                moved.retain(|(item, before)| match put.iter_mut().find(|(other, _)| other == item) {
                    Some((_, found)) => {
                        *found = *before;
                        false
                    }
                    None => true,
                });
            }
            (Undo::TurnItems(aspect, turned), Undo::TurnItems(other, later)) if aspect == other => {
                turned.retain(|(item, before)| match later.iter_mut().find(|(other, _)| other == item) {
                    Some((_, found)) => {
                        *found = *before;
                        false
                    }
                    None => true,
                });
            }
            (Undo::SendAway(here), Undo::BringBack(away)) | (Undo::BringBack(here), Undo::SendAway(away)) => {
                away.retain(|robot| !here.contains(robot));
            }
            (Undo::CarryBack(robot, before), Undo::CarryBack(other, found)) if robot == other => {
                *found = *before;
                *self = Undo::Nothing;
            }
            (Undo::CoordinateBack(before), Undo::CoordinateBack(found)) => {
                *found = before.take();
                *self = Undo::Nothing;
            }
            (
                Undo::TakeBackOrder { task, open, weight },
                Undo::TakeBackOrder { task: other, open: found_open, weight: found_weight },
            ) if task == other => {
                inherit(found_open, open);
                inherit(found_weight, weight);
            }
            _ => {}
        }
    }

    /// Undoes it, or says why that must wait.
    pub(super) fn run(&self, scene: &mut Scene) -> Result<(), String> {
        match self {
            Undo::Nothing => {}
            Undo::Repair(robots) => scene.repair(robots),
            Undo::Reboot(robots) => {
                for &robot in robots {
                    // One that was repaired before its time runs already.
                    if scene.state.robots[robot].faults.has(scene.token) {
                        scene.reboot(robot);
                    }
                }
                scene.repair(robots);
            }
            Undo::TakeAway(objects) => {
                for object in objects {
                    scene.state.world.remove_object(*object);
                }
            }
            Undo::PutBack(object) => {
                scene.no_robot_at(&object.shape, &object.pose, object.impassable())?;
                scene.state.world.restore_object((**object).clone());
            }
            Undo::MoveBack(id, pose) => scene.move_object(*id, *pose)?,
            Undo::ChangeBack(id, before) => {
                scene.change_object(*id, before)?;
            }
            Undo::TuneBack(id, before) => {
                scene.tune(*id, before);
            }
            Undo::ClearAir => {
                let team = scene.model.team.len();
                scene.state.airwaves.remove(scene.token, team);
            }
            Undo::All(parts) => {
                // What waits does not keep the others; doing a part again changes nothing.
                let done: Vec<_> = parts.iter().map(|part| part.run(scene)).collect();
                done.into_iter().collect::<Result<(), String>>()?;
            }
            Undo::HideItems(items) => items.iter().for_each(|item| scene.hide_item(*item)),
            Undo::PutItems(items) => {
                for &(item, position) in items {
                    scene.put_item(item, position);
                }
            }
            Undo::MoveItems(items) => {
                for &(item, position) in items {
                    if scene.state.world.items[item as usize].present {
                        scene.put_item(item, position);
                    }
                }
            }
            Undo::TurnItems(aspect, items) => {
                for &(item, before) in items {
                    if let Some(value) = scene.state.world.items[item as usize].properties.value_mut(aspect) {
                        *value = before;
                    }
                }
            }
            Undo::RestoreArea(index, before) => {
                if let Some(area) = scene.state.world.areas.get_mut(*index) {
                    before.swap_into(area);
                }
            }
            Undo::SendAway(robots) => robots.iter().for_each(|robot| scene.send_away(*robot)),
            Undo::BringBack(robots) => {
                // One for whom there is no room does not keep the others away.
                let brought: Vec<_> = robots.iter().map(|&robot| scene.bring(robot, None)).collect();
                brought.into_iter().collect::<Result<(), String>>()?;
            }
            Undo::CarryBack(robot, pose) => scene.carry(*robot, *pose)?,
            Undo::CoordinateBack(name) => scene.coordinate_by(name.clone()),
            Undo::TakeBackOrder { task, open, weight } => {
                scene.state.operator.order(scene.now, *task, *open, *weight);
            }
        }
        Ok(())
    }
}

impl Scene<'_> {
    /// A robot's name.
    pub(super) fn name(&self, robot: usize) -> &str {
        &self.model.team[robot].identity.name
    }

    /// Names of robots, for the log.
    pub(super) fn names(&self, robots: &[usize]) -> String {
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

    /// Breaks something on robots: the whole outcome of a disturbance that does no more than that. `what` gets the
    /// robots' names.
    pub(super) fn break_on(
        &mut self,
        robots: &[usize],
        what: impl Fn(&str) -> String,
        faults: impl Fn(usize) -> Vec<Fault>,
    ) -> Outcome {
        let broken: Vec<(usize, Fault)> = robots
            .iter()
            .flat_map(|&robot| faults(robot).into_iter().map(move |fault| (robot, fault)))
            .collect();
        if broken.is_empty() {
            return Outcome::NotYet(format!("{} has nothing of the kind", self.names(robots)));
        }
        for (robot, fault) in broken {
            self.state.robots[robot].faults.add(self.token, fault);
            self.refresh(robot);
        }
        self.done_to(robots, what, Undo::Repair(robots.to_vec()))
    }

    /// Something happened to these robots.
    pub(super) fn done_to(&self, robots: &[usize], what: impl Fn(&str) -> String, undo: Undo) -> Outcome {
        let robot = match robots {
            [one] => Some(RobotId(*one as u16)),
            _ => None,
        };
        Outcome::Done(Done { what: what(&self.names(robots)), robot, undo })
    }

    /// Repairs a part of robots, or everything, whatever broke it. One whose software had crashed starts afresh.
    pub(super) fn mend(&mut self, robot: usize, part: Option<Part>) -> Vec<Fault> {
        let mended = self.state.robots[robot].faults.repair(part);
        self.refresh(robot);
        if mended.contains(&Fault::Crash) {
            self.reboot(robot);
        }
        mended
    }

    /// Lets the coordinator of this name take over on all robots, or that of the start.
    pub(super) fn coordinate_by(&mut self, name: Option<String>) {
        self.state.coordinator = name;
        for robot in 0..self.model.team.len() {
            let name = self.state.coordinator(self.model);
            if let Some(Ok(coordinator)) = self.model.coordinate(robot, name) {
                self.state.robots[robot].software.coordinate_by(coordinator);
            }
        }
    }

    /// Puts a robot somewhere else, with what it holds. One that is not there will come back to that place.
    pub(super) fn carry(&mut self, robot: usize, pose: Pose) -> Result<(), String> {
        let world = &mut self.state.world;
        let (body, id) = (&world.bodies[robot], BodyId(robot as u32));
        if body.present && world.overlap(&body.outline_at(&pose), Some(id)).is_some() {
            return Err("something is where it must go".into());
        }
        let body = &mut world.bodies[robot];
        (body.pose, body.facing) = (pose, Vec2::unit(pose.heading));
        (body.contact, body.offer) = (None, None);
        if let Some(item) = body.holding {
            world.items[item as usize].position = pose.position;
        }
        Ok(())
    }

    /// Brings what follows from a robot's faults up to date.
    fn refresh(&mut self, robot: usize) {
        self.state.world.bodies[robot].halted = self.state.robots[robot].faults.stopped();
    }

    fn repair(&mut self, robots: &[usize]) {
        for &robot in robots {
            self.state.robots[robot].faults.remove(self.token);
            self.refresh(robot);
        }
    }

    /// Starts a robot's software afresh: what it knew is gone.
    pub(super) fn reboot(&mut self, robot: usize) {
        let coordinator = self.state.coordinator(self.model).to_string();
        if let Some(software) = self.model.boot(robot, &coordinator) {
            self.state.robots[robot].software = software;
            self.state.operator.forget(RobotId(robot as u16));
            if let Some(estimator) = &mut self.state.robots[robot].estimator {
                **estimator = Default::default();
            }
        }
    }

    /// Changes the operator's word on a task; what is `None` stays as it is.
    pub(super) fn order(
        &mut self,
        task: &str,
        open: Option<bool>,
        weight: Option<f64>,
        what: String,
    ) -> Outcome {
        let found = self.model.tasks.iter().position(|spec| spec.name == task);
        let known = found.and_then(|task| self.state.operator.word(task).map(|word| (task, word)));
        let Some((task, word)) = known else { return Outcome::NotYet(format!("there is no task {task}")) };
        self.state.operator.order(self.now, task, open, weight);
        let undo =
            Undo::TakeBackOrder { task, open: open.map(|_| word.open), weight: weight.map(|_| word.weight) };
        Outcome::done(what, undo)
    }

    /// The object of this name.
    pub(super) fn object(&self, name: &str) -> Result<&Object, String> {
        let found = self.state.world.objects().iter().find(|object| object.name == name);
        found.ok_or_else(|| format!("there is no object `{name}` now"))
    }

    /// The place of an area that is there.
    pub(super) fn area(&self, name: &str) -> Result<usize, String> {
        let found = self.state.world.areas.iter().position(|area| area.present && &*area.name == name);
        found.ok_or_else(|| format!("there is no area `{name}` now"))
    }

    /// Fails while a robot stands where something impassable must go.
    pub(super) fn no_robot_at(&self, shape: &Shape, pose: &Pose, impassable: bool) -> Result<(), String> {
        let blocked = impassable && self.state.world.body_overlap(&shape.at(pose), None).is_some();
        if blocked { Err("a robot stands where it must go".into()) } else { Ok(()) }
    }

    /// Puts an object somewhere else.
    pub(super) fn move_object(&mut self, id: ObjectId, pose: Pose) -> Result<(), String> {
        let Some(object) = self.state.world.object(id) else { return Ok(()) };
        self.no_robot_at(&object.shape, &pose, object.impassable())?;
        if let Some(object) = self.state.world.object_mut(id) {
            object.place(pose);
        }
        Ok(())
    }

    /// Changes properties of an object; gives what would change them back.
    pub(super) fn change_object(
        &mut self,
        id: ObjectId,
        change: &ObjectChange,
    ) -> Result<ObjectChange, String> {
        let Some(now) = self.state.world.object(id) else { return Ok(ObjectChange::default()) };
        let hardens = change.penetrability.is_some_and(|p| p <= IMPASSABLE) && !now.impassable();
        self.no_robot_at(&now.shape, &now.pose, hardens)?;
        Ok(self.state.world.object_mut(id).map(|object| change.swap_into(object)).unwrap_or_default())
    }

    /// Changes the jammer on an object; gives what would change it back.
    pub(super) fn tune(&mut self, id: ObjectId, change: &JammerChange) -> JammerChange {
        self.state.world.object_mut(id).map(|object| change.swap_into(object)).unwrap_or_default()
    }

    /// Spoils the air: the whole outcome of a disturbance that does no more than that.
    pub(super) fn spoil(&mut self, what: String, troubles: impl IntoIterator<Item = Trouble>) -> Outcome {
        self.state.airwaves.add(self.token, troubles, self.model.team.len());
        Outcome::done(what, Undo::ClearAir)
    }

    /// Takes an item out of the world, out of a gripper too.
    pub(super) fn hide_item(&mut self, item: u32) {
        let world = &mut self.state.world;
        if let Some(BodyId(holder)) = world.items[item as usize].holder.take() {
            let holder = &mut world.bodies[holder as usize];
            (holder.holding, holder.offer) = (None, None);
        }
        world.items[item as usize].present = false;
        world.items_changed();
    }

    /// Puts an item on the floor somewhere.
    pub(super) fn put_item(&mut self, item: u32, position: Vec2) {
        self.hide_item(item);
        let there = &mut self.state.world.items[item as usize];
        (there.position, there.present, there.keeper) = (position, true, None);
    }

    /// Takes a robot out of the world; what it held stays behind.
    pub(super) fn send_away(&mut self, robot: usize) {
        self.state.world.drop_in_front(BodyId(robot as u32));
        let body = &mut self.state.world.bodies[robot];
        (body.present, body.contact) = (false, None);
    }

    /// Puts a robot into the world: at a place, else where it was last or shall start, else anywhere free. One that
    /// is there already stays where it is.
    pub(super) fn bring(&mut self, robot: usize, at: Option<Pose>) -> Result<(), String> {
        let body = &self.state.world.bodies[robot];
        if body.present {
            return Ok(());
        }
        let (shape, usual) = (body.shape.clone(), body.pose);
        let free = |scene: &Self, pose: &Pose| scene.state.world.overlap(&shape.at(pose), None).is_none();
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
