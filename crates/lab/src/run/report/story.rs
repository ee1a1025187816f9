//! Snapshots of a run: whenever robots begin other work, and in between where nothing begins for long. The length of a run is not
//! known in advance.

use super::figures::{area, object, point, pose};
use crate::run::trace::Trace;
use crewlab_figures::storyboard::{Frame, StoryFigure};
use crewlab_figures::world::{ItemMark, RobotPath, WorldFigure};
use crewlab_sim::Simulation;
use crewlab_sim::onboard::{RobotId, TaskId};
use crewlab_sim::world::World;
use std::borrow::Borrow;

/// Largest number of frames in the figure.
const FRAMES: usize = 12;
/// Largest team that is drawn.
const MOST_ROBOTS: usize = 24;
/// Beginnings within this time of a snapshot wait for the next one. [s]
const APART: f64 = 1.0;

/// One snapshot.
#[derive(Clone, Debug)]
struct Shot {
    at: f64,
    /// The world, without its index.
    world: World,
    tasks: Vec<String>,
    /// What each robot works on.
    work: Vec<Option<TaskId>>,
    /// The length of the trails.
    sampled: usize,
}

/// Takes snapshots of two kinds. Those at even intervals: when there are too many, every second one is dropped and the interval
/// doubled. Those of beginnings: when there are too many, the one that is soonest followed by another is dropped.
#[derive(Clone, Debug)]
pub(crate) struct Story {
    even: Vec<Shot>,
    interval: f64,
    beginnings: Vec<Shot>,
}

impl Story {
    pub(crate) fn new() -> Story {
        Story { even: Vec::new(), interval: 1.0, beginnings: Vec::new() }
    }

    /// Takes a snapshot if it is time. `sampled` is the number of points in the trails so far.
    pub(crate) fn tick(&mut self, simulation: &Simulation, sampled: usize) {
        if simulation.model.team.len() > MOST_ROBOTS {
            return;
        }
        let now = simulation.now().seconds();
        if now + 1e-9 >= self.even.len() as f64 * self.interval {
            self.take_even(simulation, sampled);
        }
        if self.begins(simulation, now) {
            self.beginnings.push(shot(simulation, sampled));
            if self.beginnings.len() > 2 * FRAMES {
                drop_soonest_followed(&mut self.beginnings);
            }
        }
    }

    fn take_even(&mut self, simulation: &Simulation, sampled: usize) {
        if self.even.len() >= 2 * FRAMES {
            let mut index = 0;
            self.even.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            self.interval *= 2.0;
            return;
        }
        self.even.push(shot(simulation, sampled));
    }

    /// True if some robot has begun other work since the last snapshot of a beginning.
    fn begins(&self, simulation: &Simulation, now: f64) -> bool {
        let Some(last) = self.beginnings.last().or(self.even.first()) else { return false };
        let new = |robot: RobotId| {
            let task = simulation.state.task_of(&simulation.model, robot);
            task.is_some() && last.work.get(robot.index()) != Some(&task)
        };
        let soon = self.beginnings.last().is_some_and(|last| now - last.at < APART);
        !soon && simulation.model.robots().any(new)
    }

    /// The snapshots to show: the first, beginnings, and even ones where the gap is widest.
    fn chosen(&self) -> Vec<&Shot> {
        let mut shots: Vec<&Shot> = self.beginnings.iter().collect();
        while shots.len() > FRAMES - 2 {
            drop_soonest_followed(&mut shots);
        }
        if let Some(first) =
            self.even.first().filter(|first| shots.first().is_none_or(|shot| shot.at > first.at))
        {
            shots.insert(0, first);
        }
        while shots.len() < FRAMES - 1 {
            let Some(next) = self.even.iter().max_by(|a, b| gap(a, &shots).total_cmp(&gap(b, &shots))) else {
                break;
            };
            if gap(next, &shots) < APART {
                break;
            }
            shots.push(next);
            shots.sort_by(|a, b| a.at.total_cmp(&b.at));
        }
        shots
    }

    /// The figure; `None` if the team is too large.
    pub(crate) fn figure(&self, trace: &Trace, simulation: &Simulation, title: &str) -> Option<StoryFigure> {
        let last = shot(simulation, trace.robots.first().map_or(0, |robot| robot.trail.len()));
        let mut shots = self.chosen();
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

/// The time between a snapshot and the nearest of some others. [s]
fn gap(shot: &Shot, others: &[&Shot]) -> f64 {
    others.iter().map(|other| (other.at - shot.at).abs()).fold(f64::INFINITY, f64::min)
}

/// Drops the snapshot that another follows soonest.
fn drop_soonest_followed<S: Borrow<Shot>>(shots: &mut Vec<S>) {
    let pairs = shots.windows(2).map(|pair| pair[1].borrow().at - pair[0].borrow().at);
    if let Some((place, _)) = pairs.enumerate().min_by(|a, b| a.1.total_cmp(&b.1)) {
        shots.remove(place);
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
        work: simulation
            .model
            .robots()
            .map(|robot| simulation.state.task_of(&simulation.model, robot))
            .collect(),
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
        marks: Vec::new(),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_scenario::{Request, load};

    /// The first frames of figure 7: both robots set out for the same can, then one for another while the third dusts.
    #[test]
    fn frames_show_what_begins() {
        let request = Request { scenario: "janitorial".into(), seed: Some(1), ..Request::default() };
        let (model, state) = load(&request).unwrap_or_else(|problems| panic!("{problems}")).start;
        let mut simulation = Simulation::new(model, state, false);
        let mut story = Story::new();
        for _ in 0..4000 {
            simulation.tick(&mut Vec::new());
            story.tick(&simulation, 0);
        }
        let shots = story.chosen();
        assert!(shots.len() < FRAMES && shots.is_sorted_by(|a, b| a.at < b.at));
        let tasks = |shot: &Shot| shot.tasks.clone();
        let first: Vec<Vec<String>> = shots.iter().map(|shot| tasks(shot)).take(3).collect();
        let (can, dust) = ("empty-garbage", "dust-furniture");
        assert_eq!(first, [["", "", ""], [can, can, ""], [can, can, dust]]);
        // Later, long work is shown as well.
        let gaps = shots.windows(2).map(|pair| pair[1].at - pair[0].at);
        assert!(gaps.fold(0.0, f64::max) < 100.0);
    }
}
