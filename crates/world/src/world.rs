//! The world's contents and the index over them.

use crate::IMPASSABLE;
use crate::area::Area;
use crate::aspect::Activity;
use crate::body::{Body, Obstacle};
use crate::floor::Floor;
use crate::grid::{BoxGrid, Disc, DiscGrid};
use crate::item::Item;
use crate::motion::contact;
use crate::object::{Object, ObjectId};
use crate::properties::Properties;
use crate::pushing::Pushable;
use crate::shape::{Bounds, Outline};
use crate::terrain::Terrain;
use crate::traffic::Traffic;
use crate::watch::Watch;
use crewlab_onboard::geometry::{Pose, Vec2, vec2};
use crewlab_onboard::{RobotId, Stream, Time};
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;
use std::sync::Arc;

/// Least distance of items from obstacles. [m]
const CLEARANCE: f64 = 0.25;
/// Number of attempts to find a spot for an item.
const TRIES: usize = 1000;

/// Number of points of a random walk before it goes back.
const WALK: usize = 40;
/// Lower things hide nothing. [m]
const LOW: f64 = 0.2;
/// How long a person waits for a robot in the way before walking around it. [s]
const PERSONS_PATIENCE: f64 = 2.0;
/// Directions to walk around something, relative to the straight way: 30, 60, 90 and 120 degrees to either side.
const SIDESTEPS: [(f64, f64); 8] = [
    (0.866, 0.5),
    (0.866, -0.5),
    (0.5, 0.866),
    (0.5, -0.866),
    (0.0, 1.0),
    (0.0, -1.0),
    (-0.5, 0.866),
    (-0.5, -0.866),
];
/// Number of attempts to find the next point of a random walk.
const STROLLS: usize = 200;

/// The carrier of a stock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Bearer {
    /// An object.
    Object(ObjectId),
    /// An area, by its number.
    Area(u32),
}

/// An event in the world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum WorldEvent {
    /// A body ran into something.
    Contact {
        /// The body that moved.
        body: RobotId,
        /// What it ran into.
        with: Obstacle,
    },
    /// An object that does not yield ran into a body.
    Struck {
        /// The body.
        body: RobotId,
        /// The object.
        by: ObjectId,
    },
    /// An item was picked up.
    Picked {
        /// By whom.
        body: RobotId,
        /// Which item.
        item: u32,
    },
    /// An item was put down.
    Dropped {
        /// By whom.
        body: RobotId,
        /// Which item.
        item: u32,
    },
    /// An item went from hand to hand.
    HandedOver {
        /// Who held it.
        from: RobotId,
        /// Who took it.
        to: RobotId,
        /// Which item.
        item: u32,
    },
    /// An item was given to a person who wants it in an area.
    Given {
        /// By whom.
        body: RobotId,
        /// The area.
        area: u32,
        /// Which item.
        item: u32,
    },
    /// An area came into the world.
    Arrived {
        /// Which area.
        area: u32,
    },
    /// A robot caused a state of an area.
    StateSet {
        /// Who.
        body: RobotId,
        /// Which area.
        area: u32,
        /// Which state.
        state: Arc<str>,
    },
    /// Something of a stock was taken: the first of it, or the last.
    Taken {
        /// By whom.
        body: RobotId,
        /// Which stock.
        stock: Arc<str>,
        /// From what.
        from: Bearer,
        /// True if nothing is left.
        finished: bool,
    },
    /// A body's energy ran out.
    Exhausted {
        /// Whose.
        body: RobotId,
    },
    /// A robot has asked a person the way.
    AskedWay {
        /// Who.
        body: RobotId,
        /// Whom.
        person: ObjectId,
        /// Where the person points, in the world; `None` if it does not know the way. [rad]
        direction: Option<f64>,
    },
}

/// The spatial index. Derived from the world's contents, so never stored.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    pub(crate) bodies: DiscGrid<RobotId>,
    pub(crate) items: DiscGrid<u32>,
    /// Objects that stay where they are; indices refer to `World::objects`.
    fixed: BoxGrid,
    fixed_places: Vec<u32>,
    /// Objects that follow a script or can be pushed.
    pub(crate) moving: Vec<u32>,
    circles: Vec<(Vec2, f64)>,
    /// Objects that are more than obstacles, in their order.
    active: Vec<u32>,
    /// Another one whenever objects were indexed again.
    edition: Arc<()>,
    /// True if some object can be driven over, at least by some robots.
    passable: bool,
    /// True if some object or the terrain changes the energy per metre.
    costly: bool,
    objects_known: bool,
    items_known: bool,
}

/// Ground truth.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct World {
    /// The border; nothing gets out.
    pub bounds: Bounds,
    /// Robots' bodies, by robot number.
    pub bodies: Vec<Body>,
    /// Items, by number.
    pub items: Vec<Item>,
    /// Areas, by number.
    pub areas: Vec<Area>,
    /// Ground that changes speed.
    pub terrain: Option<Terrain>,
    /// Stocks that lie all over the floor.
    pub floors: Vec<Floor>,
    /// What robots have seen lately, if the mission asks for it.
    pub watch: Option<Watch>,
    /// How well robots get to and fro, if the mission asks for it.
    pub traffic: Option<Traffic>,
    objects: Vec<Object>,
    next_object: u32,
    /// False if the floor must be surveyed again because objects have changed. Not part of the index: rebuilding the index after
    /// a restart must not survey the floor at another time.
    surveyed: bool,
    #[serde(skip)]
    pub(crate) index: Index,
}

impl World {
    /// An empty world.
    pub fn new(bounds: Bounds) -> World {
        World {
            bounds,
            bodies: Vec::new(),
            items: Vec::new(),
            areas: Vec::new(),
            terrain: None,
            floors: Vec::new(),
            watch: None,
            traffic: None,
            objects: Vec::new(),
            next_object: 0,
            surveyed: false,
            index: Index::default(),
        }
    }

    /// The existing items.
    pub fn present_items(&self) -> impl Iterator<Item = &Item> {
        self.items.iter().filter(|item| item.present)
    }

    /// The existing areas.
    pub fn present_areas(&self) -> impl Iterator<Item = &Area> {
        self.areas.iter().filter(|area| area.present)
    }

    /// A random spot for an item in a disc, if possible with room for a robot beside it.
    pub fn spot_in(&self, center: Vec2, radius: f64, random: &mut Stream) -> Vec2 {
        let mut spot = center;
        for _ in 0..TRIES {
            // Uniform over the disc, a little inside its rim.
            let distance = 0.9 * radius * random.unit().sqrt();
            spot = center + Vec2::unit(random.between(0.0, TAU)) * distance;
            let blocked = |object: &Object| object.impassable() && object.outline.distance(spot) <= CLEARANCE;
            if self.bounds.margin(spot) > CLEARANCE && !self.any_near(spot, CLEARANCE, blocked) {
                break;
            }
        }
        let (low, high) = (self.bounds.min, self.bounds.max);
        vec2(spot.x.clamp(low.x, high.x), spot.y.clamp(low.y, high.y))
    }

    /// Opens a body's gripper: the item lies where it is.
    pub fn release(&mut self, body: RobotId) -> Option<u32> {
        let holder = &mut self.bodies[body];
        holder.offer = None;
        let item = holder.holding.take()?;
        self.items[item as usize].holder = None;
        self.items_changed();
        Some(item)
    }

    /// Drops a body's item, in front of it if there is room: a gripper without power opens.
    pub fn drop_in_front(&mut self, body: RobotId) -> Option<u32> {
        let item = self.release(body)?;
        let holder = &self.bodies[body];
        let radius = self.items[item as usize].radius;
        let front = holder.pose.position + holder.facing * (holder.radius + radius);
        let blocked = |object: &Object| object.impassable() && object.outline.distance(front) <= radius;
        let free = self.bounds.margin(front) > radius && !self.any_near(front, radius, blocked);
        self.items[item as usize].position = if free { front } else { holder.pose.position };
        Some(item)
    }

    /// All objects, in the order they were added.
    pub fn objects(&self) -> &[Object] {
        &self.objects
    }

    /// The object of this number, if it still exists.
    pub fn object(&self, id: ObjectId) -> Option<&Object> {
        self.objects.binary_search_by_key(&id, |o| o.id).ok().map(|i| &self.objects[i])
    }

    /// Adds an object and returns its number.
    pub fn add_object(&mut self, mut object: Object) -> ObjectId {
        object.id = ObjectId(self.next_object);
        object.properties.stocks.begin();
        self.next_object += 1;
        self.objects.push(object);
        self.objects_changed();
        ObjectId(self.next_object - 1)
    }

    /// Removes an object.
    pub fn remove_object(&mut self, id: ObjectId) -> Option<Object> {
        let place = self.objects.binary_search_by_key(&id, |o| o.id).ok()?;
        self.objects_changed();
        Some(self.objects.remove(place))
    }

    /// Restores a removed object with its number.
    pub fn restore_object(&mut self, object: Object) {
        if let Err(place) = self.objects.binary_search_by_key(&object.id, |o| o.id) {
            self.objects.insert(place, object);
            self.objects_changed();
        }
    }

    /// An object, mutable. Queries see the change after the next [`World::reindex`].
    pub fn object_mut(&mut self, id: ObjectId) -> Option<&mut Object> {
        let place = self.objects.binary_search_by_key(&id, |o| o.id).ok()?;
        self.objects_changed();
        Some(&mut self.objects[place])
    }

    /// Properties of an object, mutable; its place cannot be changed.
    pub(crate) fn properties_mut(&mut self, place: usize) -> &mut Properties {
        if let Err(gap) = self.index.active.binary_search(&(place as u32)) {
            self.index.active.insert(gap, place as u32);
        }
        &mut self.objects[place].properties
    }

    /// Puts an object that can be pushed to a pose.
    pub(crate) fn put_object(&mut self, place: usize, pose: Pose) {
        self.objects[place].place(pose);
        self.index.circles[place] = self.objects[place].outline.bounding_circle();
        // Where robots can stand on a floor follows in the next tick.
        if !self.floors.is_empty() {
            self.objects_changed();
        }
    }

    /// How an object can be pushed, mutable.
    pub(crate) fn pushable_mut(&mut self, place: usize) -> Option<&mut Pushable> {
        self.objects[place].pushable.as_mut()
    }

    fn objects_changed(&mut self) {
        (self.index.objects_known, self.surveyed) = (false, false);
    }

    /// Invalidates the index of items after they were moved.
    pub fn items_changed(&mut self) {
        self.index.items_known = false;
    }

    /// Updates the index. Called before every round of sensing.
    pub fn reindex(&mut self) {
        let present = RobotId::team(self.bodies.len()).zip(&self.bodies).filter(|(_, body)| body.present);
        let discs = present.map(|(id, body)| Disc {
            id,
            center: body.pose.position,
            radius: body.radius,
            exact: body.is_circle(),
        });
        self.index.bodies.rebuild(&self.bounds, discs);
        if !self.index.items_known {
            let items = self.items.iter().enumerate().filter(|(_, item)| item.lies());
            let discs = items.map(|(i, item)| Disc {
                id: i as u32,
                center: item.position,
                radius: item.radius,
                exact: true,
            });
            self.index.items.rebuild(&self.bounds, discs);
            self.index.items_known = true;
        }
        if !self.surveyed {
            self.floors.iter_mut().for_each(|floor| floor.survey(&self.bounds, &self.objects));
        }
        self.surveyed = true;
        self.reindex_objects();
    }

    /// Updates the index of objects, if they have changed. Queries are correct without it, but slow if there are many objects.
    pub fn reindex_objects(&mut self) {
        if self.index.objects_known {
            return;
        }
        let index = &mut self.index;
        index.circles = self.objects.iter().map(|o| o.outline.bounding_circle()).collect();
        let soft = |object: &Object| !object.impassable() || !object.passes.is_empty();
        index.passable = self.objects.iter().any(soft);
        index.costly = self.objects.iter().any(|object| object.energy != 1.0);
        let places = 0..self.objects.len() as u32;
        (index.moving, index.fixed_places) = places.partition(|&place| self.objects[place as usize].moves());
        let boxes: Vec<Bounds> =
            index.fixed_places.iter().map(|&place| self.objects[place as usize].outline.bounds()).collect();
        index.fixed.rebuild(&self.bounds, &boxes);
        let places = 0..self.objects.len() as u32;
        index.active = places.filter(|&place| self.objects[place as usize].is_active()).collect();
        index.edition = Arc::new(());
        index.objects_known = true;
    }

    /// The objects that are more than obstacles, in the order they were added: maps bring thousands that are not.
    pub fn active_objects(&self) -> impl Iterator<Item = &Object> {
        let known = self.index.objects_known;
        let active = self.index.active.iter().filter_map(|&place| self.objects.get(place as usize));
        let all = self.objects.iter().filter(|object| object.is_active());
        active.take(if known { usize::MAX } else { 0 }).chain(all.take(if known { 0 } else { usize::MAX }))
    }

    /// The objects that move, in the order they were added.
    pub fn moving_objects(&self) -> impl Iterator<Item = &Object> {
        self.active_objects().filter(|object| object.moves())
    }

    /// A token that stays the same as long as no object was added, removed or changed, except for those that move; `None` if objects
    /// have changed since the last [`World::reindex`].
    pub fn edition(&self) -> Option<&Arc<()>> {
        self.index.objects_known.then_some(&self.index.edition)
    }

    /// True if a test holds for an object that touches a disc. The test may also be asked about others.
    pub(crate) fn any_near(&self, center: Vec2, reach: f64, test: impl Fn(&Object) -> bool) -> bool {
        if !self.index.objects_known {
            return self.objects.iter().any(test);
        }
        let mut found = false;
        self.objects_near(center, reach, |object, _| found = found || test(object));
        found
    }

    /// Calls `visit` once with every object whose bounding box and bounding circle touch a disc, and with that circle.
    #[inline]
    pub(crate) fn objects_near(&self, center: Vec2, reach: f64, mut visit: impl FnMut(&Object, (Vec2, f64))) {
        let mut check = |place: u32| {
            let (middle, radius) = self.index.circles[place as usize];
            let limit = reach + radius;
            // Objects may have been removed since the index was built; until it is rebuilt, queries are approximate.
            let object = self.objects.get(place as usize);
            if let Some(object) = object.filter(|_| (middle - center).length_squared() <= limit * limit) {
                visit(object, (middle, radius));
            }
        };
        self.index.fixed.near(&Bounds::around(center, reach), |i| {
            check(self.index.fixed_places[i as usize]);
        });
        for &place in &self.index.moving {
            check(place);
        }
    }

    /// Indices of the objects whose outline is within `reach` of `center`, each once, in order.
    pub(crate) fn object_places_within(&self, center: Vec2, reach: f64) -> Vec<usize> {
        let mut found = Vec::new();
        self.objects_near(center, reach, |object, _| {
            if object.outline.distance(center) <= reach {
                // Numbers rise with indices, so a binary search finds the index.
                found.extend(self.objects.binary_search_by_key(&object.id, |o| o.id));
            }
        });
        found.sort_unstable();
        found.dedup();
        found
    }

    /// What an outline would overlap: the border, an object that the body `except` cannot pass (without it, an
    /// impassable one), a body other than `except`. Slow: looks at everything; for set-up and for moving objects.
    pub fn overlap(&self, outline: &Outline, except: Option<RobotId>) -> Option<Obstacle> {
        let robot_type = except.and_then(|id| self.bodies.get(id.index())).map(|body| &*body.robot_type);
        self.overlap_of(outline, robot_type, except)
    }

    /// The same for a robot of this type.
    pub fn overlap_of(
        &self,
        outline: &Outline,
        robot_type: Option<&str>,
        except: Option<RobotId>,
    ) -> Option<Obstacle> {
        if self.crosses_border(outline) {
            return Some(Obstacle::Border);
        }
        let solid = |object: &Object| robot_type.map_or(object.impassable(), |name| object.blocks(name));
        self.first_object(outline, solid).or_else(|| self.body_overlap(outline, except))
    }

    /// What would jam a thing that can be pushed if an object were at this pose, instead of the object of this number: something
    /// solid or the border in an object that can be pushed, or such an object in something solid.
    pub fn jam(&self, object: &Object, pose: &Pose, instead: Option<ObjectId>) -> Option<Obstacle> {
        let outline = object.shape.at(pose);
        let pushable = object.pushable.is_some();
        let border = || (pushable && self.crosses_border(&outline)).then_some(Obstacle::Border);
        let jams = |other: &Object| {
            Some(other.id) != instead && other.impassable() && (pushable || other.pushable.is_some())
        };
        object.impassable().then(|| border().or_else(|| self.first_object(&outline, jams))).flatten()
    }

    fn crosses_border(&self, outline: &Outline) -> bool {
        let bounds = outline.bounds();
        self.bounds.margin(bounds.min).min(self.bounds.margin(bounds.max)) < 0.0
    }

    /// The first object for which `fits` holds and that an outline would overlap.
    fn first_object(&self, outline: &Outline, fits: impl Fn(&Object) -> bool) -> Option<Obstacle> {
        let bounds = outline.bounds();
        let near = |other: &Outline| {
            let other = other.bounds();
            other.min.x <= bounds.max.x
                && other.max.x >= bounds.min.x
                && other.min.y <= bounds.max.y
                && other.max.y >= bounds.min.y
        };
        let overlaps = |o: &Object| fits(o) && near(&o.outline) && o.outline.overlaps(outline);
        if !self.index.objects_known {
            return self.objects.iter().find(|o| overlaps(o)).map(|o| Obstacle::Object(o.id));
        }
        let mut found: Option<ObjectId> = None;
        let (center, radius) = outline.bounding_circle();
        self.objects_near(center, radius, |object, _| {
            // Numbers rise with the order.
            if found.is_none_or(|first| object.id < first) && overlaps(object) {
                found = Some(object.id);
            }
        });
        found.map(Obstacle::Object)
    }

    /// The first body an outline would overlap.
    pub fn body_overlap(&self, outline: &Outline, except: Option<RobotId>) -> Option<Obstacle> {
        let fits = |id: RobotId, _: &Body| except != Some(id);
        self.first_body(outline, fits).map(Obstacle::Body)
    }

    /// The first body for which `fits` holds and that an outline would overlap.
    fn first_body(&self, outline: &Outline, fits: impl Fn(RobotId, &Body) -> bool) -> Option<RobotId> {
        let (center, radius) = outline.bounding_circle();
        let overlapped = RobotId::enumerate(&self.bodies).find(|(id, body)| {
            let limit = body.radius + radius;
            body.present
                && fits(*id, body)
                && (body.pose.position - center).length_squared() < limit * limit
                && body.outline_at(&body.pose).overlaps(outline)
        });
        overlapped.map(|(id, _)| id)
    }

    /// True if no impassable object stands on the straight line between two points. Things as low as a kerb hide nothing.
    pub fn in_sight(&self, from: Vec2, to: Vec2) -> bool {
        self.in_sight_past(from, to, |_| false)
    }

    /// The same if some objects do not count.
    pub(crate) fn in_sight_past(&self, from: Vec2, to: Vec2, ignored: impl Fn(&Object) -> bool) -> bool {
        let way = to - from;
        let distance = way.length();
        if distance == 0.0 {
            return true;
        }
        let direction = way * (1.0 / distance);
        let mut clear = true;
        let hides = |object: &&Object| object.impassable() && object.height >= LOW && !ignored(object);
        let mut look = |place: u32| {
            // Objects may have been removed since the index was built.
            let object = self.objects.get(place as usize).filter(|object| clear && hides(object));
            clear =
                clear && object.is_none_or(|object| object.outline.ray(from, direction, distance).is_none());
        };
        self.index.fixed.near(&Bounds::between(from, to), |i| look(self.index.fixed_places[i as usize]));
        self.index.moving.iter().for_each(|place| look(*place));
        clear
    }

    /// Speed factor for a robot of this type at a point: terrain and penetrable objects there.
    pub(crate) fn speed_factor(&self, point: Vec2, robot_type: &str) -> f64 {
        let mut factor = self.terrain.as_ref().map_or(1.0, |terrain| terrain.factor(point));
        if !self.index.passable {
            return factor;
        }
        let mut last = None;
        self.objects_near(point, 0.0, |object, _| {
            let penetrability = object.penetrability_for(robot_type);
            if penetrability > IMPASSABLE && last != Some(object.id) && object.outline.contains(point) {
                factor *= penetrability;
                last = Some(object.id);
            }
        });
        factor
    }

    /// Factor on the energy per metre for a robot of this type at a point.
    pub(crate) fn energy_factor(&self, point: Vec2, robot_type: &str) -> f64 {
        let mut factor = self.terrain.as_ref().map_or(1.0, |terrain| terrain.energy(point));
        if !self.index.costly {
            return factor;
        }
        let mut last = None;
        self.objects_near(point, 0.0, |object, _| {
            if !object.blocks(robot_type) && last != Some(object.id) && object.outline.contains(point) {
                factor *= object.energy;
                last = Some(object.id);
            }
        });
        factor
    }

    /// Moves scripted objects along their paths. One that would run into a robot waits, or pushes the robot along if it does not
    /// yield; only robots move what can be pushed, so it waits there; a person who has waited for a while walks around,
    /// and one that is spoken to stands still. Nothing overlaps in any case.
    pub fn move_objects(&mut self, dt: f64, events: &mut Vec<WorldEvent>) {
        for turn in 0..self.index.moving.len() {
            let place = self.index.moving[turn] as usize;
            let Some(object) = self.objects.get(place) else { continue };
            let Some(script) = object.script.as_ref().filter(|_| !object.is_addressed()) else { continue };
            let (mut position, mut next) = script.advance(object.pose.position, script.speed * dt);
            let mut free = if self.pushable_in_the_way(object, position) {
                false
            } else if script.yields {
                !self.body_in_the_way(object, position)
            } else {
                self.push_bodies(place, position, events)
            };
            let object = &self.objects[place];
            let Some(script) = &object.script else { continue };
            let waited = if free { (script.waited - dt).max(0.0) } else { script.waited + dt };
            if !free && script.sidesteps && waited > PERSONS_PATIENCE {
                let around = self.sidestep(object, position);
                (position, next) = (around.unwrap_or(position), script.next);
                free = around.is_some();
            }
            let object = &mut self.objects[place];
            let pose = Pose { position, heading: object.pose.heading };
            let moved = if free { position.distance(object.pose.position) } else { 0.0 };
            if let Some(script) = &mut object.script {
                script.waited = waited.min(2.0 * PERSONS_PATIENCE);
            }
            if free {
                object.place(pose);
                if let Some(script) = &mut object.script {
                    script.next = next;
                }
                self.index.circles[place] = object.outline.bounding_circle();
            }
            let activity = Activity { seconds: dt, metres: moved, ..Activity::default() };
            object.properties.aspects.iter_mut().for_each(|aspect| aspect.apply(&activity));
        }
    }

    /// Where an object gets to that walks around what is in its way to `goal`: a step of the same length in the direction that is
    /// free and nearest to the straight one; `None` if no direction is free.
    fn sidestep(&self, object: &Object, goal: Vec2) -> Option<Vec2> {
        let start = object.pose.position;
        let within = object.script.as_ref().and_then(|script| script.within);
        let free = |to: &Vec2| {
            let outline = object.shape.at(&Pose { position: *to, heading: object.pose.heading });
            let inside = self.bounds.margin(*to) >= outline.bounding_circle().1;
            // Those who move pass each other, here as elsewhere: in a crowd nobody would get free.
            let solid = |other: &Object| {
                other.script.is_none() && other.impassable() && other.outline.overlaps(&outline)
            };
            let (center, radius) = outline.bounding_circle();
            inside
                && within.is_none_or(|within| within.margin(*to) >= 0.0)
                && !self.body_in_the_way(object, *to)
                && !self.any_near(center, radius, solid)
        };
        SIDESTEPS.iter().map(|(x, y)| start + (goal - start).rotated(vec2(*x, *y))).find(free)
    }

    /// The outlines of an object on its straight way to `goal`: enough of them that it cannot jump over a body.
    fn way_of(&self, object: &Object, goal: Vec2) -> impl Iterator<Item = Outline> + use<> {
        let Pose { position: start, heading } = object.pose;
        let there = self.bodies.iter().filter(|body| body.present);
        let smallest = there.map(|body| body.width).fold(f64::INFINITY, f64::min);
        // The two overlap along at least the width of the wider one, so half of that cannot jump over a body.
        let step = (object.shape.width().max(smallest) / 2.0).max(1e-6);
        let steps = (start.distance(goal) / step).ceil().clamp(1.0, 1e4) as u32;
        let shape = object.shape.clone();
        (1..=steps).map(move |n| {
            let position = start + (goal - start) * (f64::from(n) / f64::from(steps));
            shape.at(&Pose { position, heading })
        })
    }

    /// True if a body that cannot pass an object stands where it would be at this pose.
    pub fn in_the_way(&self, object: &Object, pose: &Pose) -> bool {
        let blocked = |_: RobotId, body: &Body| object.blocks(&body.robot_type);
        self.first_body(&object.shape.at(pose), blocked).is_some()
    }

    /// True if a body that cannot pass an object stands on its straight way to `goal`.
    fn body_in_the_way(&self, object: &Object, goal: Vec2) -> bool {
        if object.impassable() || !object.passes.is_empty() {
            let blocked = |_: RobotId, body: &Body| object.blocks(&body.robot_type);
            self.way_of(object, goal).any(|outline| self.first_body(&outline, blocked).is_some())
        } else {
            false
        }
    }

    /// True if something that can be pushed stands on an object's straight way to `goal`.
    fn pushable_in_the_way(&self, object: &Object, goal: Vec2) -> bool {
        let there = self.index.moving.iter().filter_map(|&place| self.objects.get(place as usize));
        let mut there = there.filter(|other| other.pushable.is_some() && object.impassable());
        there.any(|other| self.way_of(object, goal).any(|outline| other.outline.overlaps(&outline)))
    }

    /// Lets an object that does not yield push bodies ahead of it on its straight way to `goal`. A body keeps its place
    /// relative to the object. Gives false if one of them cannot get away: then nothing moves. Either way the object has
    /// run into them, which counts once as long as it lasts.
    fn push_bodies(&mut self, place: usize, goal: Vec2, events: &mut Vec<WorldEvent>) -> bool {
        let object = self.objects[place].clone();
        let mut before: Vec<(RobotId, Pose)> = Vec::new();
        let mut free = true;
        let mut from = object.outline.bounding_circle().0;
        for outline in self.way_of(&object, goal) {
            let step = outline.bounding_circle().0 - from;
            from += step;
            let blocked = |_: RobotId, body: &Body| object.blocks(&body.robot_type);
            while let Some(id) = self.first_body(&outline, blocked).filter(|_| free) {
                let body = &self.bodies[id];
                if !before.iter().any(|(pushed, _)| *pushed == id) {
                    before.push((id, body.pose));
                }
                // A nanometre more than the object moves, so that rounding cannot let them overlap.
                let position = body.pose.position + step * (1.0 + 1e-9 / step.length().max(1e-9));
                let pose = Pose { position, heading: body.pose.heading };
                let there = body.outline_at(&pose);
                free = !there.overlaps(&outline) && self.overlap(&there, Some(id)).is_none();
                if free {
                    self.bodies[id].pose = pose;
                }
            }
        }
        let touched: Vec<RobotId> = before.iter().map(|(id, _)| *id).collect();
        for (id, pose) in before {
            let body = &mut self.bodies[id];
            if !free {
                body.pose = pose;
            }
            let away = body.pose.position - object.outline.nearest(body.pose.position);
            body.contact = Some(contact(Obstacle::Object(object.id), away));
            if !object.script.as_ref().is_some_and(|script| script.touching.contains(&id)) {
                (body.contacts, body.struck) = (body.contacts + 1, body.struck + 1);
                events.push(WorldEvent::Struck { body: id, by: object.id });
            }
        }
        if let Some(script) = &mut self.objects[place].script {
            script.touching = touched;
        }
        free
    }

    /// Chooses the waypoints of an object that wanders: random places in its rectangle, each on a straight way from
    /// the one before that is free of obstacles, and back the same way.
    pub fn plan_walk(&mut self, id: ObjectId, random: &mut Stream) {
        let Some(object) = self.object(id) else { return };
        let Some(within) = object.script.as_ref().and_then(|script| script.within) else { return };
        let points = self.walk(object.pose.position, object.outline.bounding_circle().1, &within, random);
        if let Some(script) = self.object_mut(id).and_then(|object| object.script.as_mut()) {
            (script.points, script.next) = (points, 0);
        }
    }

    /// A random walk for something of this radius, there and back.
    fn walk(&self, start: Vec2, radius: f64, within: &Bounds, random: &mut Stream) -> Vec<Vec2> {
        let mut points = Vec::new();
        let mut from = start;
        for _ in 0..WALK {
            let Some(next) = self.stroll(from, radius, within, random) else { break };
            points.push(next);
            from = next;
        }
        // Back the same way, so that the way from the last point to the first is free too.
        let back: Vec<Vec2> = points.iter().rev().skip(1).copied().chain([start]).collect();
        points.extend(back);
        points
    }

    /// A place to which the straight way is free of obstacles.
    fn stroll(&self, from: Vec2, radius: f64, within: &Bounds, random: &mut Stream) -> Option<Vec2> {
        let edge = self.bounds.min + vec2(radius, radius);
        let all = self.bounds.size() - vec2(2.0 * radius, 2.0 * radius);
        let low = vec2(edge.x.max(within.min.x), edge.y.max(within.min.y));
        let room = all - (low - edge);
        let room = vec2(room.x.min(within.max.x - low.x), room.y.min(within.max.y - low.y));
        if room.x <= 0.0 || room.y <= 0.0 {
            return None;
        }
        (0..STROLLS).find_map(|_| {
            let to = low + vec2(room.x * random.unit(), room.y * random.unit());
            let steps = (from.distance(to) / (radius / 2.0)).ceil().clamp(1.0, 1e4) as u32;
            let clear = (0..=steps).all(|n| {
                let at = from + (to - from) * (f64::from(n) / f64::from(steps));
                !self.any_near(at, radius, |object| {
                    object.impassable() && object.script.is_none() && object.outline.distance(at) <= radius
                })
            });
            clear.then_some(to)
        })
    }

    /// Advances the properties of things: ends states whose time is over, changes aspects, and adds areas whose time has come.
    /// Aspects of scripted objects change in [`World::move_objects`].
    pub fn pass_time(&mut self, now: Time, dt: f64, events: &mut Vec<WorldEvent>) {
        if let Some(watch) = &mut self.watch {
            watch.pass(now, &self.bodies, self.terrain.as_ref());
        }
        if let Some(traffic) = &mut self.traffic {
            traffic.pass(&self.bodies, dt);
        }
        let activity = Activity { seconds: dt, ..Activity::default() };
        let pass = |object: &mut Object| {
            object.properties.states.pass(now, dt);
            if object.script.is_none() {
                object.properties.aspects.iter_mut().for_each(|aspect| aspect.apply(&activity));
            }
        };
        if self.index.objects_known {
            self.index.active.iter().for_each(|&place| pass(&mut self.objects[place as usize]));
        } else {
            self.objects.iter_mut().for_each(pass);
        }
        for item in &mut self.items {
            item.properties.pass(now, &activity);
        }
        for (index, area) in self.areas.iter_mut().enumerate() {
            if area.arrives.is_some_and(|time| time <= now) {
                (area.arrives, area.present) = (None, true);
                events.push(WorldEvent::Arrived { area: index as u32 });
            }
            if area.present && area.wants.is_some() && !area.given {
                area.waited += dt;
            }
            area.properties.pass(now, &activity);
        }
    }

    /// The area nearest to straight ahead of a body, among those in which it stands and whose centre is in its view, by
    /// its number. [rad]
    pub(crate) fn area_ahead(&self, body: RobotId, fov: f64, fits: impl Fn(&Area) -> bool) -> Option<usize> {
        let pose = &self.bodies[body].pose;
        let off = |area: &Area| pose.bearing(area.outline.bounding_circle().0).abs();
        let there = |area: &Area| {
            area.present && fits(area) && area.outline.contains(pose.position) && off(area) <= fov / 2.0
        };
        let areas = self.areas.iter().enumerate().filter(|(_, area)| there(area));
        areas.min_by(|a, b| off(a.1).total_cmp(&off(b.1))).map(|(index, _)| index)
    }

    /// Reports which bodies have run out of energy since the last call.
    pub fn tell_exhausted(&mut self, events: &mut Vec<WorldEvent>) {
        let tiring = |body: &Body| body.present && !body.aspects.is_empty();
        for (id, body) in RobotId::enumerate(&mut self.bodies).filter(|(_, body)| tiring(body)) {
            let exhausted = body.exhausted();
            if exhausted && !body.told_exhausted {
                events.push(WorldEvent::Exhausted { body: id });
            }
            body.told_exhausted = exhausted;
        }
    }

    /// All touches so far.
    pub fn collisions(&self) -> u64 {
        self.bodies.iter().map(|b| b.contacts).sum()
    }
}
