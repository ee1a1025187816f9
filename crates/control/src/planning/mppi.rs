//! MPPI, model predictive path integral control: walkers sample controls around the last plan; the new plan is their mean, weighted by
//! exp(-(J - J_min)/λ). Costs and model are those of C-PBP, for comparison.

use super::horizon::Horizon;
use super::maths::exp;
use super::unicycle::Control;
use super::vector::{Kernel, Lanes, Machine, Number, Vector, clip};
use super::walkers::{Around, Block, blocks};
use super::{Moment, Planner, Precision, Problem, Scratch, Spread};
use crewlab_onboard::Stream;
use serde::{Deserialize, Serialize};

/// How MPPI samples.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sampling {
    /// Number of walkers, at least 2.
    pub walkers: usize,
    /// Standard deviations in the control costs.
    pub spread: Spread,
    /// Standard deviations of the controls around the last plan.
    pub noise: Control,
    /// λ: cost difference that makes a walker count e times less.
    pub temperature: f32,
}

/// The planner and its last plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mppi {
    sampling: Sampling,
    horizon: Horizon,
    /// The last plan. Empty without one.
    controls: Vec<Control>,
    /// The control before the plan began.
    before: Control,
}

impl Mppi {
    /// A planner without a plan.
    pub fn new(sampling: Sampling, horizon: Horizon) -> Mppi {
        let sampling = Sampling { walkers: sampling.walkers.clamp(2, 4096), ..sampling };
        Mppi { sampling, horizon, controls: Vec::new(), before: sampling.spread.mean }
    }

    /// The controls of the plan.
    pub fn controls(&self) -> impl Iterator<Item = Control> {
        self.controls.iter().copied()
    }
}

/// A plan to be made.
struct Planning<'a> {
    planner: &'a mut Mppi,
    problem: &'a Problem<'a>,
    scratch: &'a mut Scratch,
}

impl Kernel for Planning<'_> {
    type Output = f32;

    #[inline(always)]
    fn run(self, machine: impl Machine) -> f32 {
        self.planner.make(machine, self.problem, self.scratch)
    }
}

impl Planner for Mppi {
    fn plan(&mut self, problem: &Problem, scratch: &mut Scratch, random: &mut Stream) -> f32 {
        scratch.noise.seed(random);
        scratch.processor.run(Planning { planner: self, problem, scratch })
    }

    fn control(&self, time: f32) -> Option<Control> {
        self.horizon.at(time).and_then(|step| self.controls.get(step).copied())
    }

    fn before(&self) -> Control {
        self.before
    }

    fn spread(&self) -> &Spread {
        &self.sampling.spread
    }

    fn forget(&mut self) {
        self.controls.clear();
        self.before = self.sampling.spread.mean;
    }

    fn horizon(&self) -> &Horizon {
        &self.horizon
    }

    fn budget(&self) -> usize {
        self.sampling.walkers * self.horizon.steps()
    }
}

impl Mppi {
    /// Makes a plan.
    #[inline(always)]
    fn make<M: Machine>(&mut self, machine: M, problem: &Problem, scratch: &mut Scratch) -> f32 {
        let Sampling { walkers: count, spread, noise, temperature } = self.sampling;
        let (width, steps) = (blocks(count), self.horizon.steps());
        let last = self.last_controls(problem.elapsed);
        let Scratch { walkers, noise: source, normals, costs, weights, history, .. } = scratch;
        walkers.start(count, problem.start, last);
        normals.resize(width, Default::default());
        costs.resize(width, Lanes::default());
        history.moments.resize(steps * width, Moment::default());
        let precisions = [Precision::of(&spread, |c| c.speed), Precision::of(&spread, |c| c.turn)];
        let bounds = problem.bounds.ranges();
        for (step, moments) in history.moments.chunks_exact_mut(width).enumerate() {
            let old = self.horizon.at(self.horizon.middle(step) + problem.elapsed);
            let nominal = old.and_then(|old| self.controls.get(old).copied()).unwrap_or(spread.mean);
            let (nominal, noise) = ([nominal.speed, nominal.turn], [noise.speed, noise.turn]);
            source.fill(normals);
            // The first walker repeats the last plan.
            (normals[0][0][0], normals[0][1][0]) = (0.0, 0.0);
            let (length, mut around) = (self.horizon.step(step), Around::nothing(machine));
            let places = walkers.blocks.iter_mut().zip(moments.iter_mut());
            for ((block, moment), normals) in places.zip(normals.iter()) {
                let [first, second] = machine.load_all(normals);
                let speed = clip(first * noise[0] + nominal[0], bounds[0]);
                let turn = clip(second * noise[1] + nominal[1], bounds[1]);
                around.include(block.drive(machine, [speed, turn], &precisions, length));
                moment.controls = block.controls;
            }
            let extent = around.extent();
            walkers.rate(machine, problem.costs, step, &extent, costs);
        }
        self.before = last[0];
        self.average(machine, &walkers.blocks, &history.moments, temperature, weights)
    }

    /// The plan is the weighted mean of the walkers. Returns the lowest cost.
    #[inline(always)]
    fn average<M: Machine>(
        &mut self,
        machine: M,
        walkers: &[Block],
        moments: &[Moment],
        temperature: f32,
        weights: &mut Vec<Lanes>,
    ) -> f32 {
        let mut lowest = machine.all(f32::INFINITY);
        for block in walkers {
            lowest = block.counted(machine).lower(lowest);
        }
        let lowest = lowest.lowest();
        let mut sums = machine.all(0.0);
        weights.clear();
        for block in walkers {
            let weight = exp((machine.all(lowest) - block.counted(machine)) / machine.all(temperature));
            sums = sums + weight;
            weights.push(weight.lanes());
        }
        let whole = sums.sum();
        self.controls.clear();
        for moments in moments.chunks_exact(walkers.len()) {
            let mut sums = [machine.all(0.0); 2];
            for (moment, weights) in moments.iter().zip(weights.iter()) {
                let weights = machine.load(weights);
                let [speed, turn] = machine.load_all(&moment.controls);
                sums = [sums[0] + weights * speed, sums[1] + weights * turn];
            }
            self.controls.push(Control { speed: sums[0].sum() / whole, turn: sums[1].sum() / whole });
        }
        lowest
    }
}
