//! Planning: trajectories of a robot for the next seconds, found by sampling and rated by costs. Pure computation: a pose, costs and a
//! random stream in, controls out. See docs/planning.md.

pub mod costs;
pub mod cpbp;
pub mod horizon;
pub mod maths;
pub mod mppi;
pub mod noise;
pub mod reference;
pub mod refine;
pub mod unicycle;
pub mod walkers;

pub use costs::{Cost, CostSet};
pub use cpbp::Cpbp;
pub use horizon::Horizon;
pub use mppi::Mppi;
pub use unicycle::{Bounds, Control, Pose};

use crewlab_onboard::Stream;
use noise::Noise;
use walkers::{LANES, Lanes, Walkers};

/// State costs that are not a number, and those of walkers that do not count.
const WORST: f32 = 1e9;

/// A problem to plan for.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a> {
    /// Where the robot is now.
    pub start: Pose,
    /// Its lowest and highest commands.
    pub bounds: Bounds,
    /// What is to be avoided and to be approached.
    pub costs: &'a CostSet,
    /// Time since the last plan was made, of which it is at this place. [s]
    pub elapsed: f32,
}

/// A planner. Its memory is the last plan; nothing else is kept from one plan to the next.
pub trait Planner {
    /// Makes a plan, beginning with what is left of the last one. Returns the plan's cost.
    fn plan(&mut self, problem: &Problem, scratch: &mut Scratch, random: &mut Stream) -> f32;

    /// The control at this time after the plan was made; `None` without a plan or after its end. [s]
    fn control(&self, time: f32) -> Option<Control>;

    /// Number of trajectories of the last plan that are remembered; the first is the plan itself.
    fn paths(&self) -> usize {
        1
    }

    /// The control on one of them at this time after the plan was made, as [`Planner::control`]. [s]
    fn control_on(&self, _path: usize, time: f32) -> Option<Control> {
        self.control(time)
    }

    /// How it draws controls, and by what it rates them.
    fn spread(&self) -> &Spread;

    /// Forgets the last plan.
    fn forget(&mut self);

    /// The times of its plans.
    fn horizon(&self) -> &Horizon;

    /// Steps that it simulates for a plan: walkers times steps. This is its whole budget.
    fn budget(&self) -> usize;
}

/// Standard deviations of the controls, and the mean that they are drawn around.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Spread {
    /// ū, the control that costs nothing.
    pub mean: Control,
    /// σ0, of the control.
    pub control: Control,
    /// σ1, of its difference from step to step.
    pub change: Control,
    /// σ2, of the difference of that.
    pub bend: Control,
}

impl Spread {
    /// The cost of a control after two others.
    pub(crate) fn effort(&self, control: Control, last: Control, before: Control) -> f32 {
        Precision::of(self, |c| c.speed).cost(control.speed, last.speed, before.speed)
            + Precision::of(self, |c| c.turn).cost(control.turn, last.turn, before.turn)
    }
}

/// 1/σ² of the three standard deviations, in one dimension.
#[derive(Clone, Copy, Debug)]
struct Precision {
    mean: f32,
    control: f32,
    change: f32,
    bend: f32,
}

impl Precision {
    fn of(spread: &Spread, dimension: impl Fn(Control) -> f32) -> Precision {
        let inverse = |deviation: f32| 1.0 / (deviation * deviation);
        Precision {
            mean: dimension(spread.mean),
            control: inverse(dimension(spread.control)),
            change: inverse(dimension(spread.change)),
            bend: inverse(dimension(spread.bend)),
        }
    }

    /// The cost of a control after two others.
    #[inline(always)]
    fn cost(&self, control: f32, last: f32, before: f32) -> f32 {
        let (from_mean, change) = (control - self.mean, control - last);
        let bend = change - (last - before);
        from_mean * from_mean * self.control + change * change * self.change + bend * bend * self.bend
    }
}

/// Buffers for planning, shared by any planners, one after the other. Nothing in it matters from one plan to the next.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    walkers: Walkers,
    noise: Noise,
    /// State costs of the step.
    costs: Vec<Lanes>,
    /// Normalised weights of the walkers.
    weights: Vec<Lanes>,
    near: Vec<u16>,
    spare: Vec<Lanes>,
    /// The path of the last plan that each walker follows.
    prior: Vec<u16>,
    /// The controls on these paths in this step.
    prior_speed: Vec<Lanes>,
    prior_turn: Vec<Lanes>,
    /// 1 for walkers that follow one, else 0.
    followers: Vec<Lanes>,
    /// What all walkers did, step by step.
    history: History,
    ancestors: Vec<u16>,
}

/// What all walkers did: for each step, block after block.
#[derive(Clone, Debug, Default)]
struct History {
    /// Before the step.
    before: Poses,
    /// After it.
    after: Poses,
    speed: Vec<Lanes>,
    turn: Vec<Lanes>,
    /// Normalised weights after the step.
    weights: Vec<Lanes>,
    /// The walker of the step before that each one continues; number after number.
    parents: Vec<u16>,
}

#[derive(Clone, Debug, Default)]
struct Poses {
    x: Vec<Lanes>,
    y: Vec<Lanes>,
    heading: Vec<Lanes>,
}

impl Poses {
    fn resize(&mut self, blocks: usize) {
        [&mut self.x, &mut self.y, &mut self.heading]
            .into_iter()
            .for_each(|list| list.resize(blocks, [0.0; LANES]));
    }

    #[inline(always)]
    fn set(&mut self, at: usize, walkers: &Walkers, block: usize) {
        self.x[at] = walkers.x[block];
        self.y[at] = walkers.y[block];
        self.heading[at] = walkers.heading[block];
    }
}

impl History {
    /// Makes room for a plan of so many blocks altogether.
    fn begin(&mut self, blocks: usize) {
        self.before.resize(blocks);
        self.after.resize(blocks);
        for list in [&mut self.speed, &mut self.turn, &mut self.weights] {
            list.resize(blocks, [0.0; LANES]);
        }
        self.parents.clear();
    }
}

impl Scratch {
    /// Rates the walkers after a step and adds that to their totals; walkers from `count` on do not count.
    #[inline(always)]
    fn rate(&mut self, step: usize, count: usize, costs: &CostSet) {
        let walkers = &mut self.walkers;
        self.costs.resize(walkers.x.len(), [0.0; LANES]);
        let (places, controls) = ((&walkers.x[..], &walkers.y[..]), (&walkers.speed[..], &walkers.turn[..]));
        costs.rate(step, places, controls, &mut self.near, &mut self.costs);
        for (total, costs) in walkers.total.iter_mut().zip(&mut self.costs) {
            for i in 0..LANES {
                // Also if it is not a number.
                costs[i] = if costs[i] < WORST { costs[i] } else { WORST };
                total[i] += costs[i];
            }
        }
        for lane in &mut self.costs.as_flattened_mut()[count..] {
            *lane = WORST;
        }
    }
}

/// The cost of controls from a pose, and where they lead. `last` are the two controls before.
pub fn price(
    problem: &Problem,
    horizon: &Horizon,
    spread: &Spread,
    last: [Control; 2],
    controls: impl Iterator<Item = Control>,
) -> (f32, Pose) {
    let (speed, turn) = (Precision::of(spread, |c| c.speed), Precision::of(spread, |c| c.turn));
    let ([mut last, mut before], mut pose, mut total) = (last, problem.start, 0.0);
    let mut near = Vec::new();
    for (step, control) in controls.take(horizon.steps()).enumerate() {
        pose = pose.after(control, horizon.step(step));
        let mut costs = [[0.0; LANES]];
        let places = ([[pose.x; LANES]], [[pose.y; LANES]]);
        let controls = ([[control.speed; LANES]], [[control.turn; LANES]]);
        problem.costs.rate(step, (&places.0, &places.1), (&controls.0, &controls.1), &mut near, &mut costs);
        total += costs[0][0]
            + speed.cost(control.speed, last.speed, before.speed)
            + turn.cost(control.turn, last.turn, before.turn);
        (last, before) = (control, last);
    }
    (total, pose)
}
