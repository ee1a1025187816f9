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
pub mod vector;
pub mod walkers;

pub use costs::{Cost, CostSet};
pub use cpbp::Cpbp;
pub use horizon::Horizon;
pub use mppi::Mppi;
pub use unicycle::{Bounds, Control, Pose};

use crewlab_onboard::Stream;
use noise::Noise;
use vector::{Lanes, Number, Processor};
use walkers::Walkers;

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

    /// The control before the last plan began.
    fn before(&self) -> Control;

    /// The last two controls that were executed, if the last plan has been followed for this time. Right after a plan nothing of it has
    /// been executed. [s]
    fn last_controls(&self, elapsed: f32) -> [Control; 2] {
        let planned = |step: usize| self.control(self.horizon().middle(step));
        let step = self.horizon().at(elapsed).filter(|_| elapsed > 0.0);
        match step.and_then(|step| Some((step, planned(step)?))) {
            Some((0, first)) => [first, self.before()],
            Some((step, now)) => [now, planned(step - 1).unwrap_or(self.before())],
            None => [self.before(); 2],
        }
    }

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
    fn cost<N: Number>(&self, control: N, last: N, before: N) -> N {
        let (from_mean, change) = (control - self.mean, control - last);
        let bend = change - (last - before);
        from_mean * from_mean * self.control + change * change * self.change + bend * bend * self.bend
    }
}

/// Buffers for planning, shared by any planners, one after the other. Nothing in it matters from one plan to the next.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    processor: Processor,
    walkers: Walkers,
    noise: Noise,
    /// Normal variates of the step, for both controls of each walker.
    normals: Vec<[Lanes; 2]>,
    /// State costs of the step.
    costs: Vec<Lanes>,
    /// Normalised weights of the walkers.
    weights: Vec<Lanes>,
    /// What C-PBP has each walker do.
    roles: Vec<cpbp::Role>,
    /// The path of the last plan that each walker follows.
    prior: Vec<u16>,
    ancestors: Vec<u16>,
    /// What all walkers did, step by step.
    history: History,
}

/// What all walkers did.
#[derive(Clone, Debug, Default)]
struct History {
    /// For each step, block after block.
    moments: Vec<Moment>,
    /// The walker of the step before that each one continues, for each step, number after number.
    parents: Vec<u16>,
    /// Whether there are any such: else each walker continues itself.
    resampled: Vec<bool>,
}

/// What the walkers of a block did in a step.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
struct Moment {
    /// The pose before the step: x, y and heading.
    before: [Lanes; 3],
    /// The pose after it.
    after: [Lanes; 3],
    /// Speed and turning speed.
    controls: [Lanes; 2],
    /// Normalised weights after the step.
    weights: Lanes,
}

impl Scratch {
    /// Buffers for planning without the instructions that only some processors have. Plans are the same, only slower.
    pub fn narrow() -> Scratch {
        Scratch { processor: Processor::Plain, ..Scratch::default() }
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
    for (step, control) in controls.take(horizon.steps()).enumerate() {
        pose = pose.after(control, horizon.step(step));
        total += problem.costs.with_moving(step, [pose.x, pose.y], control)
            + speed.cost(control.speed, last.speed, before.speed)
            + turn.cost(control.turn, last.turn, before.turn);
        (last, before) = (control, last);
    }
    (total, pose)
}
