//! Controllers that plan: every few tenths of a second a planner finds a trajectory to the goal around what the scanner sees; between
//! plans it is played by time. The pilot helps around corners and on the last bit of the way.

use crate::detour::Detour;
use crate::pilot::PilotParams;
use crate::planning::costs::{Cost, CostSet, Knot, Linear, Place, Quadratic, Wall};
use crate::planning::{Cpbp, Horizon, Mppi, Planner, Spread, cpbp, mppi};
use crate::pursuit::{Pursuit, Wish, planned_pose};
use crate::trip::{Considered, Planning, Trip};
use crate::{Plugin, free_direction};
use crewlab_onboard::geometry::{Pose, Vec2};
use crewlab_onboard::{Controller, Goal, Identity, Limits, Scan, Speeds, Steering, Stream, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Cost of a metre farther from the goal, per step. [1/m]
const ATTRACTION: f32 = 20.0;
/// Cost of an obstacle's place, per step.
const REPULSION: f32 = 200.0;
/// Obstacles have a cost up to this distance beyond the margin. [m]
const SOFT: f64 = 0.15;
/// A goal that is only a direction is this far away. [m]
const DIRECTION: f64 = 10.0;
/// Time for a step of a walker on a typical processor. [µs]
const STEP_EFFORT: f64 = 0.03;

/// Parameters of a controller that plans.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct PlannedParams {
    /// Clearance kept to obstacles.
    #[schemars(range(min = 0.0), extend("x-unit" = "m"))]
    pub margin: f64,
    /// Time from plan to plan.
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "s"))]
    pub period: f64,
    /// Trajectories that are simulated for a plan.
    #[schemars(range(min = 3, max = 4096))]
    pub walkers: u16,
    /// Steps of a plan.
    #[schemars(range(min = 1, max = 4096))]
    pub steps: u16,
    /// Length of a plan's first step; at least a tick.
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "s"))]
    pub first_step: f64,
    /// Length of each further step as a multiple of the one before.
    #[schemars(range(min = 1.0, max = 2.0))]
    pub growth: f64,
    /// ū, the speed that costs nothing, as a share of the highest. With 0 a robot stands where nothing draws it on; else it keeps driving.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-unit" = "1"))]
    pub cruise: f64,
    /// Time that a plan takes to be made; meanwhile the robot follows the last one.
    #[serde(rename = "planning-delay")]
    #[schemars(range(min = 0.0, max = 10.0), extend("x-unit" = "s"))]
    pub delay: f64,
}

impl Default for PlannedParams {
    fn default() -> Self {
        PlannedParams {
            margin: 0.06,
            period: 0.3,
            walkers: 24,
            steps: 40,
            first_step: 0.075,
            growth: 1.055,
            cruise: 0.7,
            delay: 0.0,
        }
    }
}

/// A planner that can drive a robot.
pub trait Drives: Planner {
    /// What the controller does, in one line.
    const SUMMARY: &'static str;

    /// A planner for a robot with this spread of its controls.
    fn new(walkers: usize, spread: Spread, horizon: Horizon) -> Self;
}

impl Drives for Cpbp {
    const SUMMARY: &'static str = "plans trajectories by C-PBP around what the scanner sees (SWARM 2.1)";

    fn new(walkers: usize, spread: Spread, horizon: Horizon) -> Cpbp {
        Cpbp::new(cpbp::Sampling { walkers, spread, free: 0.2, resample: 0.5, follow: 0.25 }, horizon)
    }
}

impl Drives for Mppi {
    const SUMMARY: &'static str = "plans trajectories by MPPI around what the scanner sees";

    fn new(walkers: usize, spread: Spread, horizon: Horizon) -> Mppi {
        Mppi::new(mppi::Sampling { walkers, spread, noise: spread.change, temperature: 20.0 }, horizon)
    }
}

/// A controller that plans, and its memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Planned<P> {
    params: PlannedParams,
    trip: Trip<P>,
    detour: Detour,
    /// Share of ticks in which it plans.
    busy: f64,
}

impl<P: Drives + Clone + std::fmt::Debug + PartialEq> Plugin for Planned<P> {
    const SUMMARY: &'static str = P::SUMMARY;
    type Params = PlannedParams;

    fn boot(params: &PlannedParams, me: &Identity) -> Planned<P> {
        Planned {
            params: *params,
            trip: Trip::new(me.id),
            detour: Detour::new(PilotParams::default().margin, me),
            busy: 1.0,
        }
    }

    fn pursue(&mut self, pursuit: &Pursuit, random: &mut Stream) -> Speeds {
        let Pursuit { wish, pose, scan, limits, situation, .. } = pursuit;
        let (now, dt) = (situation.now, situation.dt);
        if self.trip.is_due(self.params.period, now, dt) {
            let planning = Planning { params: &self.params, limits, start: planned_pose(pose), now, dt };
            self.trip.plan(&planning, random, |costs, horizon| wish.costs(horizon, costs));
            self.busy = (dt / self.params.period).min(1.0);
        }
        self.drive(f64::INFINITY, scan, limits, (now, dt))
    }

    fn considered(&self, wish: &dyn Wish, pose: &Pose, now: Time) -> Vec<Considered> {
        self.trip.considered(wish, planned_pose(pose), now)
    }

    fn trajectory(&self, pose: &Pose, now: Time, count: usize, knots: &mut Vec<Knot>) {
        self.trip.trajectory(planned_pose(pose), now, count, knots);
    }
}

impl<P: Drives> Controller for Planned<P> {
    fn steer(&mut self, steering: &Steering, random: &mut Stream) -> Speeds {
        let Steering { goal, scan, limits, situation, .. } = steering;
        let (now, dt) = (situation.now, situation.dt);
        if let Some(speeds) = self.detour.take_over(steering, random) {
            self.trip.interrupt();
            return speeds;
        }
        if self.trip.is_due(self.params.period, now, dt) {
            // Planning is relative to the robot: only controls are kept from plan to plan.
            let planning = Planning { params: &self.params, limits, start: Default::default(), now, dt };
            let margin = self.params.margin;
            self.trip.plan(&planning, random, |costs, _| fill(costs, goal, scan, limits, margin));
            self.busy = (dt / self.params.period).min(1.0);
        }
        self.drive(goal.distance, scan, limits, (now, dt))
    }

    fn set_out(&mut self) {
        self.trip.forget();
        self.detour.set_out();
    }

    fn rest(&mut self) {
        self.trip.interrupt();
        self.detour.rest();
    }

    fn margin(&self) -> f64 {
        self.params.margin
    }

    fn effort(&self) -> u32 {
        let budget = f64::from(self.params.walkers) * f64::from(self.params.steps);
        (budget * STEP_EFFORT * self.busy).max(1.0) as u32
    }
}

impl<P: Drives> Planned<P> {
    /// The speeds of the plan, as far as what is in front of the robot now and the distance of the goal allow: plans are made from
    /// noise.
    fn drive(&self, far: f64, scan: &Scan, limits: &Limits, (now, dt): (Time, f64)) -> Speeds {
        let Some(control) = self.trip.control(now, dt) else { return (0.0, 0.0) };
        let ahead = free_direction::clearance(scan, limits);
        let slow = |gain: f64, distance: f64| 0.05 + gain.min(0.75 / dt) * distance;
        let speed = f64::from(control.speed).min(slow(1.5, ahead)).min(slow(2.0, far));
        (speed, f64::from(control.turn).clamp(-limits.max_turn, limits.max_turn))
    }
}

/// The costs of the robot's surroundings, relative to the robot: x ahead, y to the left.
fn fill(costs: &mut CostSet, goal: &Goal, scan: &Scan, limits: &Limits, margin: f64) {
    let far = if goal.distance.is_finite() { goal.distance } else { DIRECTION };
    let at = Vec2::unit(goal.bearing) * far;
    let reach = (far + DIRECTION) as f32;
    let attraction = Linear::new(-ATTRACTION * reach, reach);
    costs.add(Cost::Linear(attraction, Place::Fixed([at.x as f32, at.y as f32])), 1.0);
    // What is behind the goal does not matter.
    let near = |point: &Vec2| point.length() < limits.radius + goal.distance;
    let points: Vec<Vec2> = scan.points(limits.radius).filter(near).collect();
    // Close to the goal the robot may be close to what is there.
    let body = limits.radius + margin;
    let reach = (body + SOFT.min(0.3 * far)) as f32;
    for (n, point) in points.iter().enumerate() {
        let place = [point.x as f32, point.y as f32];
        match points.get(n + 1).filter(|next| next.distance(*point) < 2.0 * body) {
            // The robot does not fit between the two.
            Some(next) => {
                let next = [next.x as f32, next.y as f32];
                costs.add(Cost::Wall(Wall::new(place, next, REPULSION, reach)), 1.0);
            }
            None => costs.add(Cost::Quadratic(Quadratic::new(REPULSION, reach), Place::Fixed(place)), 1.0),
        }
    }
}
