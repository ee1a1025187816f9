//! MPPI, model predictive path integral control: walkers sample controls around the last plan; the new plan is their mean, weighted by
//! exp(-(J - J_min)/λ). Costs and model are those of C-PBP, for comparison.

use super::cpbp::clip;
use super::horizon::Horizon;
use super::maths::exp;
use super::unicycle::Control;
use super::walkers::{LANES, blocks, lowest, sum};
use super::{Planner, Precision, Problem, Scratch, Spread};
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

    /// The last two controls that were executed, if the last plan has been followed for this time. [s]
    pub fn last_controls(&self, elapsed: f32) -> [Control; 2] {
        let step = self.horizon.at(elapsed).filter(|_| elapsed > 0.0 && !self.controls.is_empty());
        match step {
            Some(0) => [self.controls[0], self.before],
            Some(step) => [self.controls[step], self.controls[step - 1]],
            None => [self.before; 2],
        }
    }
}

impl Planner for Mppi {
    fn plan(&mut self, problem: &Problem, scratch: &mut Scratch, random: &mut Stream) -> f32 {
        let Sampling { walkers: count, spread, noise, temperature } = self.sampling;
        let (width, steps) = (blocks(count), self.horizon.steps());
        let last = self.last_controls(problem.elapsed);
        scratch.noise.seed(random);
        scratch.walkers.start(count, problem.start, last);
        scratch.history.begin(steps * width);
        let (speed, turn) = (Precision::of(&spread, |c| c.speed), Precision::of(&spread, |c| c.turn));
        let (low, high) = (problem.bounds.low, problem.bounds.high);
        for step in 0..steps {
            let old = self.horizon.at(self.horizon.middle(step) + problem.elapsed);
            let nominal = old.and_then(|old| self.controls.get(old).copied()).unwrap_or(spread.mean);
            let Scratch { walkers, history, noise: source, .. } = &mut *scratch;
            for block in 0..width {
                let [first, second] = source.normals();
                let (mut speeds, mut turns) = ([0.0; LANES], [0.0; LANES]);
                for i in 0..LANES {
                    speeds[i] = clip(nominal.speed + noise.speed * first[i], (low.speed, high.speed));
                    turns[i] = clip(nominal.turn + noise.turn * second[i], (low.turn, high.turn));
                }
                if block == 0 {
                    // The first walker repeats the last plan.
                    speeds[0] = clip(nominal.speed, (low.speed, high.speed));
                    turns[0] = clip(nominal.turn, (low.turn, high.turn));
                }
                walkers.drive(block, &[speeds, turns], (&speed, &turn), self.horizon.step(step));
                let at = step * width + block;
                (history.speed[at], history.turn[at]) = (speeds, turns);
            }
            scratch.rate(step, count, problem.costs);
        }
        self.average(scratch, count, temperature);
        self.before = last[0];
        lowest(&scratch.walkers.total)
    }

    fn control(&self, time: f32) -> Option<Control> {
        self.horizon.at(time).and_then(|step| self.controls.get(step).copied())
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
    /// The plan is the weighted mean of the walkers.
    fn average(&mut self, scratch: &mut Scratch, count: usize, temperature: f32) {
        let width = blocks(count);
        let totals = &mut scratch.walkers.total;
        for lane in &mut totals.as_flattened_mut()[count..] {
            *lane = f32::INFINITY;
        }
        let least = lowest(totals);
        let mut sums = [0.0; LANES];
        scratch.weights.resize(width, [0.0; LANES]);
        for (weights, totals) in scratch.weights.iter_mut().zip(totals.iter()) {
            for i in 0..LANES {
                weights[i] = exp((least - totals[i]) / temperature);
                sums[i] += weights[i];
            }
        }
        let whole = sum(&sums);
        self.controls.clear();
        let history = &scratch.history;
        for (speeds, turns) in history.speed.chunks_exact(width).zip(history.turn.chunks_exact(width)) {
            let (mut speed, mut turn) = ([0.0; LANES], [0.0; LANES]);
            for ((speeds, turns), weights) in speeds.iter().zip(turns).zip(&scratch.weights) {
                for i in 0..LANES {
                    speed[i] += weights[i] * speeds[i];
                    turn[i] += weights[i] * turns[i];
                }
            }
            self.controls.push(Control { speed: sum(&speed) / whole, turn: sum(&turn) / whole });
        }
    }
}
