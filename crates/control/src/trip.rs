//! A trip: plans from time to time, and plays the plan by time in between.

use crate::planned::{Drives, PlannedParams};
use crate::planning::costs::{Knot, Purpose};
use crate::planning::unicycle::{Bounds, Control, Pose};
use crate::planning::{CostSet, Horizon, Planner, Problem, Scratch, Spread};
use crate::pursuit::Wish;
use crewlab_onboard::{Limits, RobotId, Stream, Time};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;

/// Robots plan at this many different moments of a period.
const MOMENTS: u16 = 8;
/// The control of a tick is the mean of the plan at this many moments of it.
const SAMPLES: usize = 4;

/// A trajectory leads elsewhere if it ends farther from the plan's end than this share of its length.
const ELSEWHERE: f32 = 0.3;

thread_local! {
    /// Buffers for planning. Nothing in them matters from one plan to the next, so the robots of a thread share them: they are several
    /// times as large as a plan.
    static BUFFERS: RefCell<(Scratch, CostSet)> = RefCell::default();
}

/// What a robot plans with in a tick.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Planning<'a> {
    pub(crate) params: &'a PlannedParams,
    pub(crate) limits: &'a Limits,
    /// Where the robot is, in the frame of the costs.
    pub(crate) start: Pose,
    pub(crate) now: Time,
    /// Length of a tick. [s]
    pub(crate) dt: f64,
}

/// A planner, its last plan, and when it was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Trip<P> {
    /// Made with the first plan, which knows the length of a tick.
    planner: Option<P>,
    /// When the current plan was begun, and when it begins.
    made: Option<(Time, Time)>,
    /// What is driven until then, tick by tick, from `made` on.
    meanwhile: Vec<Control>,
    /// Share of a period by which this robot plans later than others.
    moment: f64,
}

impl<P: Drives> Trip<P> {
    pub(crate) fn new(me: RobotId) -> Trip<P> {
        Trip {
            planner: None,
            made: None,
            meanwhile: Vec::new(),
            moment: f64::from(me.0 % MOMENTS) / f64::from(MOMENTS),
        }
    }

    /// The next tick plans anew, with what is left of the last plan.
    pub(crate) fn interrupt(&mut self) {
        self.made = None;
        self.meanwhile.clear();
    }

    /// Forgets the last plan.
    pub(crate) fn forget(&mut self) {
        self.interrupt();
        if let Some(planner) = &mut self.planner {
            planner.forget();
        }
    }

    /// True if it is this robot's moment to plan.
    pub(crate) fn is_due(&self, period: f64, now: Time, dt: f64) -> bool {
        let Some((made, _)) = self.made else { return true };
        let number = |time: f64| (time / period - self.moment).floor();
        let seconds = now.since(Time::default());
        now.since(made) + 0.5 * dt > period || number(seconds + 0.5 * dt) > number(seconds - 0.5 * dt)
    }

    /// Plans. `fill` gives the costs of the times of the plan.
    pub(crate) fn plan(
        &mut self,
        planning: &Planning,
        random: &mut Stream,
        fill: impl FnOnce(&mut CostSet, &Horizon),
    ) {
        let Planning { params, limits, start, now, dt } = *planning;
        let (speed, turn) = (limits.max_speed as f32, limits.max_turn as f32);
        self.bridge(params.delay, now, dt);
        let planner = self.planner.get_or_insert_with(|| {
            let spread = Spread {
                mean: Control { speed: params.cruise as f32 * speed, turn: 0.0 },
                control: Control { speed: 0.5 * speed, turn: 0.4 * turn },
                change: Control { speed: 0.25 * speed, turn: 0.2 * turn },
                bend: Control { speed: 0.5 * speed, turn: 0.4 * turn },
            };
            let first = params.first_step.max(dt) as f32;
            let horizon = Horizon::exponential(usize::from(params.steps), first, params.growth as f32);
            P::new(usize::from(params.walkers), spread, horizon)
        });
        // By the time that the plan begins the robot will have driven on.
        let start = self.meanwhile.iter().fold(start, |pose, control| pose.after(*control, dt as f32));
        let begins = now.after((self.meanwhile.len() as f64 * dt * 1e9) as u64);
        let elapsed = self.made.map_or(0.0, |(_, began)| begins.since(began)) as f32;
        let bounds = Bounds { low: Control { speed: 0.0, turn: -turn }, high: Control { speed, turn } };
        BUFFERS.with_borrow_mut(|(scratch, costs)| {
            costs.clear();
            fill(costs, planner.horizon());
            planner.plan(&Problem { start, bounds, costs, elapsed }, scratch, random);
        });
        self.made = Some((now, begins));
    }

    /// Keeps what the last plan says about the time until the next one begins. [s]
    fn bridge(&mut self, delay: f64, now: Time, dt: f64) {
        let ticks = (delay / dt - 1e-9).ceil().max(0.0) as usize;
        let standing = Control::default();
        let controls = (0..ticks).map(|tick| {
            let later = now.after((tick as f64 * dt * 1e9) as u64);
            self.control(later, dt).unwrap_or(standing)
        });
        self.meanwhile = controls.collect();
    }

    /// The mean control over the tick that begins now; `None` without a plan or after its end.
    pub(crate) fn control(&self, now: Time, dt: f64) -> Option<Control> {
        let (made, begins) = self.made?;
        if now < begins {
            return self.meanwhile.get((now.since(made) / dt + 0.5) as usize).copied();
        }
        let planner = self.planner.as_ref()?;
        let mut sum = Control::default();
        for n in 0..SAMPLES {
            let time = now.since(begins) + dt * (n as f64 + 0.5) / SAMPLES as f64;
            let control = planner.control(time as f32)?;
            sum.speed += control.speed / SAMPLES as f32;
            sum.turn += control.turn / SAMPLES as f32;
        }
        Some(sum)
    }

    /// Appends where the robot will be, as it has planned, at `count` times up to the end of its plan, from now on.
    pub(crate) fn trajectory(&self, start: Pose, now: Time, count: usize, knots: &mut Vec<Knot>) {
        let (Some(planner), Some((_, begins))) = (&self.planner, self.made) else { return };
        let horizon = planner.horizon();
        let began = if now < begins { 0.0 } else { now.since(begins) as f32 };
        let Some(first) = horizon.at(began) else { return };
        let left = horizon.steps() - first;
        let (mut pose, mut passed) = (start, began);
        for (done, step) in (first..horizon.steps()).enumerate() {
            let Some(control) = planner.control(horizon.middle(step)) else { return };
            pose = pose.after(control, horizon.end(step) - passed);
            passed = horizon.end(step);
            // Evenly spread over the steps, which are denser in the near future.
            if (done + 1) * count / left > done * count / left {
                knots.push(Knot { time: passed - began, place: [pose.x, pose.y] });
            }
        }
    }

    /// The plan and the cheapest remembered trajectory that leads elsewhere, with what each costs from now on.
    pub(crate) fn considered(&self, wish: &dyn Wish, start: Pose, now: Time) -> Vec<Considered> {
        let (Some(planner), Some((_, begins))) = (&self.planner, self.made) else { return Vec::new() };
        let mut costs = CostSet::default();
        wish.costs(planner.horizon(), &mut costs);
        let elapsed = if now < begins { 0.0 } else { now.since(begins) as f32 };
        let of = |path: usize| Considered::of(planner, path, &costs, start, elapsed);
        let plan = of(0);
        let elsewhere = |other: &Considered| {
            let [dx, dy] = [0, 1].map(|d| other.end[d] - plan.end[d]);
            (dx * dx + dy * dy).sqrt() > ELSEWHERE * plan.way.max(other.way)
        };
        let others = (1..planner.paths()).map(of).filter(elsewhere);
        let other = others.min_by(|a, b| a.total.total_cmp(&b.total));
        [plan].into_iter().chain(other).collect()
    }
}

/// A trajectory that a planner has considered.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Considered {
    /// What it costs from now on.
    pub total: f32,
    /// Where it ends. [m]
    pub end: [f32; 2],
    /// How long it is. [m]
    pub way: f32,
    /// What the cost consists of.
    pub shares: Vec<(Purpose, f32)>,
}

impl Considered {
    fn of(planner: &impl Planner, path: usize, costs: &CostSet, start: Pose, elapsed: f32) -> Considered {
        let (horizon, mut pose) = (planner.horizon(), start);
        let (mut shares, mut way, mut steering) = (Vec::new(), 0.0, 0.0);
        let first = planner.control(elapsed).unwrap_or_default();
        let (mut last, mut before) = (first, first);
        for step in 0..horizon.steps() {
            let control = planner.control_on(path, elapsed + horizon.middle(step)).unwrap_or_default();
            steering += planner.spread().effort(control, last, before);
            (last, before) = (control, last);
            pose = pose.after(control, horizon.step(step));
            way += control.speed.abs() * horizon.step(step);
            costs.share(step, [pose.x, pose.y], control, &mut shares);
        }
        shares.push(("steering".into(), steering));
        let total = shares.iter().map(|(_, cost)| cost).sum();
        Considered { total, end: [pose.x, pose.y], way, shares }
    }
}
