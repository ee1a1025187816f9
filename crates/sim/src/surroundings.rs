//! The radio's view of the world: nodes, walls and jammers.

use crate::state::{Robot, State};
use crewlab_onboard::geometry::{Pose, Vec2};
use crewlab_radio::{Jammer, Node, Surroundings, Wall, WallShape};
use crewlab_world::{Object, ObjectId, Outline, World};
use std::sync::Arc;

/// Buffers that are reused in every tick.
#[derive(Default)]
pub(crate) struct Around {
    nodes: Vec<Node>,
    walls: Vec<Wall>,
    /// The edition of the world's objects that the walls were made from, and the places of those that move.
    known: Option<(Arc<()>, Vec<(ObjectId, Pose)>)>,
    jammers: Vec<Jammer>,
}

fn point(at: Vec2) -> [f64; 2] {
    [at.x, at.y]
}

fn damping(world: &World) -> impl Iterator<Item = &Object> {
    world.objects().iter().filter(|object| object.damping > 0.0)
}

fn wall(object: &Object) -> Wall {
    let shape = match &object.outline {
        Outline::Circle { center, radius } => WallShape::Circle { center: point(*center), radius: *radius },
        Outline::Polygon(corners) => {
            WallShape::Polygon(corners.iter().map(|corner| point(*corner)).collect())
        }
        Outline::Segment(a, b) => WallShape::Segment(point(*a), point(*b)),
    };
    Wall { shape, damping: object.damping }
}

/// All radiation obstacles of a world.
pub(crate) fn walls(world: &World) -> Vec<Wall> {
    damping(world).map(wall).collect()
}

impl Around {
    /// The current surroundings. An ideal radio needs no walls or jammers, so they are skipped.
    pub(crate) fn look(&mut self, state: &State) -> Surroundings<'_> {
        let State { world, robots, schedule, radio, .. } = state;
        self.nodes.clear();
        self.nodes.extend(world.bodies.iter().map(|body| {
            let up = !body.down();
            Node { position: point(body.pose.position), speaks: up, hears: up, alive: up, loss: 0.0 }
        }));
        if !schedule.untouched() {
            self.note_faults(robots);
        }
        let mut same_walls = true;
        if radio.as_physical().is_some() {
            same_walls = self.note_walls(world);
            self.note_jammers(world);
        }
        Surroundings {
            nodes: &self.nodes,
            walls: &self.walls,
            same_walls,
            jammers: &self.jammers,
            ..Surroundings::default()
        }
    }

    fn note_faults(&mut self, robots: &[Robot]) {
        let broken = self.nodes.iter_mut().zip(robots).filter(|(_, robot)| !robot.faults.is_empty());
        for (node, robot) in broken {
            let (speaks, hears, loss) = robot.faults.radio();
            node.speaks &= speaks;
            node.hears &= hears;
            node.loss = loss;
        }
    }

    /// True if the walls are those of the last time.
    fn note_walls(&mut self, world: &World) -> bool {
        let moving = || {
            let moving = world.moving_objects().filter(|object| object.damping > 0.0);
            moving.map(|object| (object.id, object.pose))
        };
        let same = self.known.as_ref().is_some_and(|(edition, places)| {
            world.edition().is_some_and(|now| Arc::ptr_eq(now, edition))
                && moving().eq(places.iter().copied())
        });
        if !same {
            self.known = world.edition().map(|edition| (edition.clone(), moving().collect()));
            self.walls.clear();
            self.walls.extend(damping(world).map(wall));
        }
        same
    }

    fn note_jammers(&mut self, world: &World) {
        self.jammers.clear();
        self.jammers.extend(world.active_objects().filter_map(|object| {
            let jammer = object.jammer.as_ref().filter(|jammer| jammer.on)?;
            Some(Jammer {
                position: point(object.pose.position),
                power: jammer.power,
                band: jammer.band,
                duty_cycle: jammer.duty_cycle,
                period: jammer.period,
            })
        }));
    }
}
