//! A small world for controllers: discs among walls, drawn in letters.

use crewlab_control::{AnyController, ControllerParams};
use crewlab_onboard::geometry::{Pose, Vec2, vec2, wrap};
use crewlab_onboard::{
    Controller, Datasheet, Goal, Identity, Limits, Neighbour, NoRadio, Percept, RobotId, Scan, Situation,
    Steering, Stream, StreamKind, Time,
};
use std::f64::consts::TAU;
use std::sync::Arc;

pub const LIMITS: Limits = Limits { radius: 0.2, max_speed: 0.5, max_turn: 3.0 };
pub const DT: f64 = 0.1;
const RAYS: usize = 48;
const REACH: f64 = 3.0;
/// Side of a letter. [m]
const CELL: f64 = 0.25;

pub fn identity(id: u16) -> Identity {
    let datasheet = Datasheet {
        radius: LIMITS.radius,
        max_speed: LIMITS.max_speed,
        max_turn: LIMITS.max_turn,
        sensors: Vec::new(),
        effectors: Vec::new(),
        further: Vec::new(),
    };
    Identity {
        id: RobotId(id),
        name: format!("r{id}"),
        robot_type: "disc".into(),
        priority: 0,
        datasheet: Arc::new(datasheet),
        behaviours: Arc::new([]),
        floor_plan: Default::default(),
        slam: Default::default(),
    }
}

pub fn boot(name: &str, id: u16) -> AnyController {
    AnyController::boot(name, &ControllerParams::default(), &identity(id)).expect("a controller")
}

pub struct Robot {
    pub pose: Pose,
    pub goal: Vec2,
    pub speeds: (f64, f64),
    pub controller: AnyController,
    pub way: Vec<Vec2>,
}

/// The world: `#` is a wall.
#[derive(Default)]
pub struct Arena {
    pub walls: Vec<Vec2>,
    pub robots: Vec<Robot>,
    pub tick: u64,
    /// Least gap between two robots so far, and between a robot and a wall. [m]
    pub gaps: [f64; 2],
}

impl Arena {
    /// From a picture whose first line is in the north; returns where its letters are.
    pub fn draw(picture: &str) -> (Arena, Vec<(char, Vec2)>) {
        let lines: Vec<&str> = picture.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
        let mut arena = Arena { gaps: [f64::INFINITY; 2], ..Arena::default() };
        let mut letters = Vec::new();
        for (row, line) in lines.iter().rev().enumerate() {
            for (column, letter) in line.chars().enumerate() {
                let at = vec2((column as f64 + 0.5) * CELL, (row as f64 + 0.5) * CELL);
                match letter {
                    '#' => arena.walls.push(at),
                    ' ' | '.' => {}
                    letter => letters.push((letter, at)),
                }
            }
        }
        (arena, letters)
    }

    pub fn add(&mut self, name: &str, at: Vec2, goal: Vec2) {
        let pose = Pose { position: at, heading: (goal - at).angle() };
        let controller = boot(name, self.robots.len() as u16);
        self.robots.push(Robot { pose, goal, speeds: (0.0, 0.0), controller, way: vec![at] });
    }

    fn ray(&self, me: usize, direction: Vec2) -> f64 {
        let from = self.robots[me].pose.position;
        let square = |at: Vec2| {
            let (mut near, mut far) = (0.0_f64, f64::INFINITY);
            for (way, step) in [(at.x - from.x, direction.x), (at.y - from.y, direction.y)] {
                let (a, b) = ((way - CELL / 2.0) / step, (way + CELL / 2.0) / step);
                (near, far) = (near.max(a.min(b)), far.min(a.max(b)));
            }
            if near <= far { near } else { f64::INFINITY }
        };
        let disc = |at: Vec2| {
            let way = at - from;
            let along = way.dot(direction);
            let depth = along * along - way.length_squared() + LIMITS.radius * LIMITS.radius;
            if depth >= 0.0 && along > 0.0 { along - depth.sqrt() } else { f64::INFINITY }
        };
        let walls = self.walls.iter().map(|at| square(*at));
        let others = self.robots.iter().enumerate().filter(|(n, _)| *n != me);
        let hit =
            walls.chain(others.map(|(_, other)| disc(other.pose.position))).fold(f64::INFINITY, f64::min);
        (hit - LIMITS.radius).clamp(0.0, REACH)
    }

    fn neighbours(&self, me: usize) -> Vec<Neighbour> {
        let pose = self.robots[me].pose;
        let facing = Vec2::unit(-pose.heading);
        let others = self.robots.iter().enumerate().filter(|(n, _)| *n != me);
        let mut all: Vec<Neighbour> = others
            .map(|(n, other)| Neighbour {
                id: RobotId(n as u16),
                position: (other.pose.position - pose.position).rotated(facing),
                velocity: (Vec2::unit(other.pose.heading) * other.speeds.0).rotated(facing),
                radius: LIMITS.radius,
                priority: 0,
            })
            .collect();
        all.sort_by(|a, b| a.position.length().total_cmp(&b.position.length()));
        all
    }

    /// Lets `decide` use what a robot perceives.
    pub fn perceive<T>(&self, me: usize, decide: impl FnOnce(&Steering) -> T) -> T {
        let robot = &self.robots[me];
        let angles: Vec<f64> = (0..RAYS).map(|n| wrap(TAU * n as f64 / RAYS as f64)).collect();
        let ranges: Vec<f64> =
            angles.iter().map(|angle| self.ray(me, Vec2::unit(robot.pose.heading + angle))).collect();
        let (identity, percept) = (identity(me as u16), Percept::default());
        let now = Time((self.tick as f64 * DT * 1e9) as u64);
        let situation =
            Situation { now, dt: DT, me: &identity, tasks: &[], percept: &percept, radio: &NoRadio };
        let tells = robot.controller.tells().is_some();
        let neighbours = if tells { self.neighbours(me) } else { Vec::new() };
        let (at, goal) = (robot.pose.position, robot.goal);
        decide(&Steering {
            goal: Goal { bearing: robot.pose.bearing(goal), distance: at.distance(goal) },
            pose: Some(robot.pose),
            scan: Scan::new(&angles, &ranges, REACH),
            neighbours: &neighbours,
            limits: LIMITS,
            situation: &situation,
        })
    }

    /// One tick; `steer` turns what a robot perceives into speeds.
    pub fn step_by(&mut self, mut steer: impl FnMut(usize, &mut AnyController, &Steering) -> (f64, f64)) {
        let speeds: Vec<(AnyController, (f64, f64))> = (0..self.robots.len())
            .map(|me| {
                let mut controller = self.robots[me].controller.clone();
                let speeds = self.perceive(me, |steering| steer(me, &mut controller, steering));
                (controller, speeds)
            })
            .collect();
        for (robot, (controller, (speed, turn))) in self.robots.iter_mut().zip(speeds) {
            assert!(speed.is_finite() && turn.is_finite());
            (robot.controller, robot.speeds) = (controller, (speed, turn));
            let middle = robot.pose.heading + turn * DT / 2.0;
            robot.pose.position += Vec2::unit(middle) * (speed * DT);
            robot.pose.heading = wrap(robot.pose.heading + turn * DT);
            robot.way.push(robot.pose.position);
        }
        self.tick += 1;
        self.measure();
    }

    pub fn step(&mut self) {
        let tick = self.tick;
        self.step_by(|me, controller, steering| {
            let mut random = Stream::new(1, StreamKind::Decisions, me as u32, tick);
            controller.steer(steering, &mut random)
        });
    }

    fn measure(&mut self) {
        for (n, robot) in self.robots.iter().enumerate() {
            let at = robot.pose.position;
            for other in &self.robots[n + 1..] {
                let gap = at.distance(other.pose.position) - 2.0 * LIMITS.radius;
                self.gaps[0] = self.gaps[0].min(gap);
            }
            for wall in &self.walls {
                let half = CELL / 2.0;
                let out = |way: f64| (way.abs() - half).max(0.0);
                let gap = vec2(out(at.x - wall.x), out(at.y - wall.y)).length() - LIMITS.radius;
                self.gaps[1] = self.gaps[1].min(gap);
            }
        }
    }

    /// True if all robots are near their goals.
    pub fn arrived(&self) -> bool {
        self.robots.iter().all(|robot| robot.pose.position.distance(robot.goal) < 0.25)
    }

    /// Runs until all have arrived; panics with where they are if they do not.
    pub fn run(&mut self, seconds: f64) {
        while !self.arrived() {
            let places: Vec<Vec2> = self.robots.iter().map(|robot| robot.pose.position).collect();
            assert!(
                self.tick as f64 * DT < seconds,
                "not there after {seconds} s: {places:?} {:?}",
                self.robots[0].controller
            );
            self.step();
        }
    }
}
