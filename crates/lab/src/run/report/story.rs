//! Snapshots of a run, evenly spread over its time although its length is not known in advance.

use super::figures::{area, object, point, pose};
use crate::run::trace::Trace;
use crewlab_figures::storyboard::{Frame, StoryFigure};
use crewlab_figures::world::{ItemMark, RobotPath, WorldFigure};
use crewlab_sim::Simulation;
use crewlab_sim::onboard::RobotId;
use crewlab_sim::world::World;

/// Largest number of frames in the figure.
const FRAMES: usize = 12;
/// Largest team that is drawn.
const MOST_ROBOTS: usize = 24;

/// One snapshot.
#[derive(Clone, Debug)]
struct Shot {
    at: f64,
    /// The world, without its index.
    world: World,
    tasks: Vec<String>,
    /// The length of the trails.
    sampled: usize,
}

/// Takes snapshots: when there are too many, every second one is dropped and the interval doubled.
#[derive(Clone, Debug)]
pub(crate) struct Story {
    shots: Vec<Shot>,
    interval: f64,
}

impl Story {
    pub(crate) fn new() -> Story {
        Story { shots: Vec::new(), interval: 1.0 }
    }

    /// Takes a snapshot if it is time. `sampled` is the number of points in the trails so far.
    pub(crate) fn tick(&mut self, simulation: &Simulation, sampled: usize) {
        let now = simulation.now().seconds();
        if simulation.model.team.len() > MOST_ROBOTS || now + 1e-9 < self.shots.len() as f64 * self.interval {
            return;
        }
        if self.shots.len() >= 2 * FRAMES {
            let mut index = 0;
            self.shots.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            self.interval *= 2.0;
            return;
        }
        self.shots.push(shot(simulation, sampled));
    }

    /// The figure; `None` if the team is too large.
    pub(crate) fn figure(&self, trace: &Trace, simulation: &Simulation, title: &str) -> Option<StoryFigure> {
        let last = shot(simulation, trace.robots.first().map_or(0, |robot| robot.trail.len()));
        let step = self.shots.len().div_ceil(FRAMES - 1).max(1);
        let mut shots: Vec<&Shot> = self.shots.iter().step_by(step).collect();
        if shots.is_empty() {
            return None;
        }
        shots.push(&last);
        let mut before: Option<&Shot> = None;
        let frames = shots.into_iter().map(|shot| {
            let frame = frame(shot, before.replace(shot), trace, simulation);
            Frame { at_s: shot.at, map: frame, tasks: shot.tasks.clone() }
        });
        Some(StoryFigure {
            title: title.to_string(),
            subtitle: "read from left to right; a ring marks a robot's place in the previous frame".into(),
            frames: frames.collect(),
        })
    }
}

fn shot(simulation: &Simulation, sampled: usize) -> Shot {
    let task = |robot: RobotId| {
        let body = &simulation.state.world.bodies[robot];
        if body.down() {
            return if body.present { "stopped" } else { "not there" }.to_string();
        }
        let task = simulation.state.task_of(&simulation.model, robot);
        task.map_or(String::new(), |task| simulation.model.task_name(task).to_string())
    };
    Shot {
        at: simulation.now().seconds(),
        world: simulation.state.world.clone(),
        tasks: simulation.model.robots().map(task).collect(),
        sampled,
    }
}

fn frame(shot: &Shot, before: Option<&Shot>, trace: &Trace, simulation: &Simulation) -> WorldFigure {
    let world = &shot.world;
    let at = |world: &World, robot: RobotId| pose(&world.bodies[robot].pose, world.bodies[robot].present);
    let robots = RobotId::enumerate(simulation.model.team.iter().zip(&trace.robots));
    WorldFigure {
        title: String::new(),
        size: point(world.bounds.size()),
        origin: point(world.bounds.min),
        objects: world.objects().iter().map(|o| object(o, trace)).collect(),
        terrain: None,
        areas: world.present_areas().map(area).collect(),
        items: world
            .present_items()
            .map(|item| {
                let at = point(item.position);
                ItemMark { from: at, to: at, carried: item.holder.is_some() }
            })
            .collect(),
        robots: robots
            .map(|(id, (member, robot))| {
                let from = before.map_or(0, |before| before.sampled).min(robot.trail.len());
                let to = shot.sampled.min(robot.trail.len()).max(from);
                RobotPath {
                    name: member.identity.name.clone(),
                    index: id.index(),
                    radius: world.bodies[id].radius,
                    start: before.map_or(at(world, id), |before| at(&before.world, id)),
                    end: at(world, id),
                    trail: robot.trail[from..to].to_vec(),
                }
            })
            .collect(),
    }
}
