//! C-PBP, control particle belief propagation (Hämäläinen, Rajamäki, Liu 2015), as SWARM uses it. Walkers sample controls around what the
//! last plan did and what is smooth; those that get into expensive places are replaced by copies of cheaper ones. The cheapest
//! walker is the plan. A backward pass smooths all of them into another candidate for the next plan.

use super::horizon::Horizon;
use super::maths::exp;
use super::refine::refine;
use super::unicycle::Control;
use super::walkers::{LANES, Lanes, blocks, lowest, sum};
use super::{Planner, Precision, Problem, Scratch, Spread};
use crewlab_onboard::Stream;
use serde::{Deserialize, Serialize};

/// State costs are scaled so that the lowest is not above this: otherwise weights would depend on one walker only.
const SCALED: f32 = 10.0;

/// How C-PBP samples.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sampling {
    /// N, the number of walkers, at least 3.
    pub walkers: usize,
    /// Standard deviations of the controls.
    pub spread: Spread,
    /// β, the share of walkers that do not follow the last plan.
    pub free: f32,
    /// τ: walkers are resampled when the effective number of them is below this share.
    pub resample: f32,
    /// σ_m, the spread around a path of the last plan, in units of σ0.
    pub follow: f32,
}

/// The planner and its last plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cpbp {
    sampling: Sampling,
    horizon: Horizon,
    /// Speeds on all paths of the last plan: step by step the N walkers, the best path and the refined one. Empty without a plan.
    speeds: Vec<f32>,
    /// Turning speeds on them.
    turns: Vec<f32>,
    /// Final weights of the walkers.
    weights: Vec<f32>,
    /// The control before the plan began.
    before: Control,
}

impl Cpbp {
    /// A planner without a plan.
    pub fn new(sampling: Sampling, horizon: Horizon) -> Cpbp {
        let sampling = Sampling { walkers: sampling.walkers.clamp(3, 4096), ..sampling };
        Cpbp {
            sampling,
            horizon,
            speeds: Vec::new(),
            turns: Vec::new(),
            weights: Vec::new(),
            before: sampling.spread.mean,
        }
    }

    /// Paths in a row of the memory: the walkers, the best path and the refined one.
    fn row(&self) -> usize {
        self.sampling.walkers + 2
    }

    /// The controls of the plan.
    pub fn controls(&self) -> impl Iterator<Item = Control> {
        (0..self.horizon.steps().min(self.speeds.len())).map(|step| self.best(step))
    }

    fn best(&self, step: usize) -> Control {
        let at = step * self.row() + self.sampling.walkers;
        Control { speed: self.speeds[at], turn: self.turns[at] }
    }

    /// The last two controls that were executed, if the last plan has been followed for this time. [s]
    pub fn last_controls(&self, elapsed: f32) -> [Control; 2] {
        if self.speeds.is_empty() {
            return [self.before; 2];
        }
        // Right after a plan nothing of it has been executed.
        match self.horizon.at(elapsed).filter(|_| elapsed > 0.0) {
            Some(0) => [self.best(0), self.before],
            Some(step) => [self.best(step), self.best(step - 1)],
            None => [self.before; 2],
        }
    }
}

impl Planner for Cpbp {
    fn plan(&mut self, problem: &Problem, scratch: &mut Scratch, random: &mut Stream) -> f32 {
        let Sampling { walkers: count, spread, free, resample, follow } = self.sampling;
        let (paths, width) = (self.row(), blocks(count));
        let last = self.last_controls(problem.elapsed);
        scratch.noise.seed(random);
        scratch.walkers.start(count, problem.start, last);
        scratch.history.begin(self.horizon.steps() * width);
        self.choose_priors(scratch);

        let speed = Proposal::new(Precision::of(&spread, |c| c.speed), follow);
        let turn = Proposal::new(Precision::of(&spread, |c| c.turn), follow);
        let low_high = |of: fn(Control) -> f32| (of(problem.bounds.low), of(problem.bounds.high));
        let (speed_bounds, turn_bounds) = (low_high(|c| c.speed), low_high(|c| c.turn));
        // Walkers 0 and 1 repeat the last plan's best and refined path; the next ones are free.
        let first_follower = 2 + (free * count as f32) as usize;
        scratch.followers.clear();
        scratch.followers.resize(width, [1.0; LANES]);
        scratch.followers.as_flattened_mut()[..first_follower.min(count)].fill(0.0);
        let uniform = 1.0 / count as f32;
        scratch.weights.clear();
        scratch.weights.resize(width, [uniform; LANES]);

        for step in 0..self.horizon.steps() {
            let resampled = step == 0 || effective(&scratch.weights) < resample * count as f32;
            let parents = scratch.history.parents.len();
            if resampled && step > 0 {
                draw_parents(scratch, count);
                let Scratch { walkers, spare, history, prior, ancestors, .. } = scratch;
                walkers.inherit(&history.parents[parents..], spare);
                ancestors.clone_from(prior);
                for (prior, parent) in prior.iter_mut().zip(&history.parents[parents..]) {
                    *prior = ancestors[usize::from(*parent)];
                }
            } else {
                scratch.history.parents.extend(0..count as u16);
            }

            let old = self.horizon.at(self.horizon.middle(step) + problem.elapsed);
            let old = old.filter(|_| !self.speeds.is_empty()).map(|old| old * paths..(old + 1) * paths);
            if let Some(old) = &old {
                let (speeds, turns) = (&self.speeds[old.clone()], &self.turns[old.clone()]);
                let wanted = scratch.prior_speed.as_flattened_mut().iter_mut();
                let wanted = wanted.zip(scratch.prior_turn.as_flattened_mut());
                for ((speed, turn), prior) in wanted.zip(&scratch.prior) {
                    (*speed, *turn) = (speeds[usize::from(*prior)], turns[usize::from(*prior)]);
                }
            }
            let length = self.horizon.step(step);
            let Scratch { walkers, history, noise: source, prior_speed, prior_turn, followers, .. } =
                &mut *scratch;
            for block in 0..width {
                let at = step * width + block;
                history.before.set(at, walkers, block);
                let [first, second] = source.normals();
                let last = [&walkers.speed[block], &walkers.turn[block]];
                let before = [&walkers.speed_before[block], &walkers.turn_before[block]];
                let following = if old.is_some() { &followers[block] } else { &[0.0; LANES] };
                let mut controls = [
                    speed.draw([last[0], before[0], &prior_speed[block], following, &first], speed_bounds),
                    turn.draw([last[1], before[1], &prior_turn[block], following, &second], turn_bounds),
                ];
                if block == 0 && old.is_some() {
                    for lane in 0..2 {
                        controls[0][lane] = clip(prior_speed[0][lane], speed_bounds);
                        controls[1][lane] = clip(prior_turn[0][lane], turn_bounds);
                    }
                }
                walkers.drive(block, &controls, (&speed.precision, &turn.precision), length);
                history.after.set(at, walkers, block);
                [history.speed[at], history.turn[at]] = controls;
            }
            scratch.rate(step, count, problem.costs);
            weigh(scratch, resampled, count);

            scratch.history.weights[step * width..(step + 1) * width].copy_from_slice(&scratch.weights);
        }
        self.remember(problem, scratch, last[0])
    }

    fn control(&self, time: f32) -> Option<Control> {
        self.horizon.at(time).filter(|_| !self.speeds.is_empty()).map(|step| self.best(step))
    }

    fn paths(&self) -> usize {
        self.sampling.walkers + 1
    }

    fn control_on(&self, path: usize, time: f32) -> Option<Control> {
        // The walkers come first in memory, then the best path.
        let place = if path == 0 { self.sampling.walkers } else { (path - 1).min(self.sampling.walkers - 1) };
        let step = self.horizon.at(time).filter(|_| !self.speeds.is_empty())?;
        let at = step * self.row() + place;
        Some(Control { speed: self.speeds[at], turn: self.turns[at] })
    }

    fn spread(&self) -> &Spread {
        &self.sampling.spread
    }

    fn forget(&mut self) {
        self.speeds.clear();
        self.turns.clear();
        self.weights.clear();
        self.before = self.sampling.spread.mean;
    }

    fn horizon(&self) -> &Horizon {
        &self.horizon
    }

    fn budget(&self) -> usize {
        self.sampling.walkers * self.horizon.steps()
    }
}

impl Cpbp {
    /// Each walker draws a path of the last plan to follow, by the final weights. The first two repeat the best and the refined one.
    fn choose_priors(&self, scratch: &mut Scratch) {
        let count = self.sampling.walkers;
        let width = blocks(count);
        scratch.prior_speed.resize(width, [0.0; LANES]);
        scratch.prior_turn.resize(width, [0.0; LANES]);
        scratch.prior.clear();
        if self.weights.is_empty() {
            scratch.prior.resize(count, 0);
            return;
        }
        scratch.prior.extend([count as u16, count as u16 + 1]);
        let offset = scratch.noise.unit();
        let turned = (scratch.noise.unit() * count as f32) as usize;
        systematic(&self.weights, count - 2, offset, &mut scratch.prior);
        scratch.prior[2..].rotate_left(turned % (count - 2));
    }

    /// Keeps all paths, the best one and the refined one. Returns the cost of the best.
    fn remember(&mut self, problem: &Problem, scratch: &mut Scratch, before: Control) -> f32 {
        let (count, paths, steps) = (self.sampling.walkers, self.row(), self.horizon.steps());
        let totals = &scratch.walkers.total.as_flattened()[..count];
        let mut best = 0;
        for (walker, total) in totals.iter().enumerate() {
            // If totals are not a number the first remains, which repeats the last plan.
            if *total < totals[best] {
                best = walker;
            }
        }
        let cost = totals[best];
        self.before = before;
        self.weights.clear();
        self.weights.extend_from_slice(&scratch.weights.as_flattened()[..count]);
        self.speeds.resize(steps * paths, 0.0);
        self.turns.resize(steps * paths, 0.0);
        let Scratch { history, ancestors, .. } = scratch;
        ancestors.clear();
        ancestors.extend(0..count as u16);
        let stride = blocks(count) * LANES;
        let (speeds, turns) = (history.speed.as_flattened(), history.turn.as_flattened());
        for step in (0..steps).rev() {
            let row = step * paths..(step + 1) * paths;
            let (into_speeds, into_turns) = (&mut self.speeds[row.clone()], &mut self.turns[row]);
            let from = step * stride..(step + 1) * stride;
            let (speeds, turns) = (&speeds[from.clone()], &turns[from]);
            let parents = &history.parents[step * count..(step + 1) * count];
            let into = into_speeds.iter_mut().zip(into_turns.iter_mut());
            for ((speed, turn), ancestor) in into.zip(ancestors.iter_mut()) {
                let walker = usize::from(*ancestor);
                (*speed, *turn) = (speeds[walker], turns[walker]);
                *ancestor = parents[walker];
            }
            (into_speeds[count], into_turns[count]) = (into_speeds[best], into_turns[best]);
        }
        refine(history, blocks(count), |step, control| {
            let at = step * paths + count + 1;
            // Where there is nothing to smooth the best path remains.
            let best = Control { speed: self.speeds[at - 1], turn: self.turns[at - 1] };
            let control = control.unwrap_or(best);
            let (low, high) = (problem.bounds.low, problem.bounds.high);
            self.speeds[at] = clip(control.speed, (low.speed, high.speed));
            self.turns[at] = clip(control.turn, (low.turn, high.turn));
        });
        cost
    }
}

/// Samples controls in one dimension from a product of Gaussians.
struct Proposal {
    precision: Precision,
    /// 1/(σ_m σ0)².
    follow: f32,
    /// 1/λ and its root, of a free walker and of one that follows a path.
    free: (f32, f32),
    following: (f32, f32),
}

impl Proposal {
    fn new(precision: Precision, follow: f32) -> Proposal {
        let follow = precision.control / (follow * follow);
        let inverse = |precision: f32| (1.0 / precision, (1.0 / precision).sqrt());
        let free = precision.control + precision.change + precision.bend;
        Proposal { precision, follow, free: inverse(free), following: inverse(free + follow) }
    }

    /// Draws the next controls of a block and clips them to the bounds: from the last controls, those before, the paths that walkers
    /// follow, 1 for those that do, and normal variates. Not inlined: that keeps the vectors whole.
    #[inline(never)]
    fn draw(&self, [last, before, prior, following, normal]: [&Lanes; 5], bounds: (f32, f32)) -> Lanes {
        let Precision { mean, control, change, bend } = self.precision;
        let mut drawn = [0.0; LANES];
        for i in 0..LANES {
            let sum = mean * control
                + last[i] * change
                + (2.0 * last[i] - before[i]) * bend
                + following[i] * self.follow * prior[i];
            let inverse = self.free.0 + following[i] * (self.following.0 - self.free.0);
            let deviation = self.free.1 + following[i] * (self.following.1 - self.free.1);
            drawn[i] = clip(sum * inverse + deviation * normal[i], bounds);
        }
        drawn
    }
}

/// The nearest number within the bounds; the lower bound for what is not a number.
#[inline(always)]
pub(super) fn clip(x: f32, (low, high): (f32, f32)) -> f32 {
    let x = if x > low { x } else { low };
    if x < high { x } else { high }
}

/// The effective number of walkers, 1/Σw².
fn effective(weights: &[Lanes]) -> f32 {
    let mut squares = [0.0; LANES];
    for block in weights {
        for i in 0..LANES {
            squares[i] += block[i] * block[i];
        }
    }
    1.0 / sum(&squares)
}

/// Draws `count` numbers by weights that add up to 1, with a single random number (systematic resampling).
fn systematic(weights: &[f32], count: usize, offset: f32, drawn: &mut Vec<u16>) {
    let (mut index, mut reached) = (0, weights[0]);
    for n in 0..count {
        let wanted = (n as f32 + offset) / count as f32;
        while reached < wanted && index + 1 < weights.len() {
            index += 1;
            reached += weights[index];
        }
        drawn.push(index as u16);
    }
}

/// Draws the walkers that are continued. The first two continue themselves.
fn draw_parents(scratch: &mut Scratch, count: usize) {
    let offset = scratch.noise.unit();
    // Free walkers must not always continue the first ones.
    let turned = (scratch.noise.unit() * count as f32) as usize;
    let parents = &mut scratch.history.parents;
    parents.extend([0, 1]);
    let begin = parents.len();
    systematic(&scratch.weights.as_flattened()[..count], count - 2, offset, parents);
    parents[begin..].rotate_left(turned % (count - 2));
}

/// Weights of the walkers by their state costs, exp(-(s - s_min)/2), times the ones before unless these were used up by resampling.
fn weigh(scratch: &mut Scratch, resampled: bool, count: usize) {
    let least = lowest(&scratch.costs);
    let scale = if least > SCALED { SCALED / least } else { 1.0 };
    let mut sums = [0.0; LANES];
    for (weights, costs) in scratch.weights.iter_mut().zip(&scratch.costs) {
        let old = if resampled { [1.0; LANES] } else { *weights };
        *weights = likelihood(costs, least, 0.5 * scale, &old);
        for i in 0..LANES {
            sums[i] += weights[i];
        }
    }
    let whole = sum(&sums);
    let per_whole = 1.0 / whole;
    if whole > 0.0 && per_whole.is_finite() && whole.is_finite() {
        for block in &mut scratch.weights {
            for weight in block {
                *weight *= per_whole;
            }
        }
    } else {
        scratch.weights.as_flattened_mut().fill(1.0 / count as f32);
    }
    scratch.weights.as_flattened_mut()[count..].fill(0.0);
}

/// exp(-scale (s - s_min)) of a block, times the weights before.
#[inline(never)]
fn likelihood(costs: &Lanes, least: f32, scale: f32, old: &Lanes) -> Lanes {
    let mut weights = [0.0; LANES];
    for i in 0..LANES {
        weights[i] = old[i] * exp(scale * (least - costs[i]));
    }
    weights
}
