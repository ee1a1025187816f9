//! C-PBP, control particle belief propagation (Hämäläinen, Rajamäki, Liu 2015), as SWARM uses it. Walkers sample controls around what the
//! last plan did and what is smooth; those that get into expensive places are replaced by copies of cheaper ones. The cheapest
//! walker is the plan. A backward pass smooths all of them into another candidate for the next plan.

use super::horizon::Horizon;
use super::maths::exp;
use super::noise::Noise;
use super::refine::refine;
use super::unicycle::{Bounds, Control};
use super::vector::{Kernel, LANES, Lanes, Machine, Number, Vector, clip};
use super::walkers::{Around, Block, blocks};
use super::{Moment, Planner, Precision, Problem, Scratch, Spread};
use crewlab_onboard::Stream;
use serde::{Deserialize, Serialize};
use std::ops::Range;

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
}

/// A plan to be made.
struct Planning<'a> {
    planner: &'a mut Cpbp,
    problem: &'a Problem<'a>,
    scratch: &'a mut Scratch,
}

impl Kernel for Planning<'_> {
    type Output = f32;

    #[inline(always)]
    fn run(self, machine: impl Machine) -> f32 {
        let Planning { planner, problem, scratch } = self;
        let before = planner.last_controls(problem.elapsed);
        planner.begin(problem, before, scratch);
        planner.walk(machine, problem, scratch);
        let cost = planner.remember(scratch, before[0]);
        planner.refine(machine, problem, scratch);
        cost
    }
}

impl Planner for Cpbp {
    fn plan(&mut self, problem: &Problem, scratch: &mut Scratch, random: &mut Stream) -> f32 {
        scratch.noise.seed(random);
        scratch.processor.run(Planning { planner: self, problem, scratch })
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

    fn before(&self) -> Control {
        self.before
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

/// What the walkers of a block do.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(super) struct Role {
    /// 1 for walkers that count, else 0.
    counts: Lanes,
    /// 1 for walkers that follow a path of the last plan, else 0.
    follows: Lanes,
    /// Negative for walkers that repeat a path.
    repeats: Lanes,
    /// The controls on these paths in this step.
    wanted: [Lanes; 2],
}

impl Role {
    /// The roles in a block, of this many walkers altogether.
    fn of(block: usize, walkers: usize, first_follower: usize) -> Role {
        let mark = |those: Range<usize>, yes: f32, no: f32| {
            std::array::from_fn(|lane| if those.contains(&(block * LANES + lane)) { yes } else { no })
        };
        Role {
            counts: mark(0..walkers, 1.0, 0.0),
            follows: mark(first_follower..usize::MAX, 1.0, 0.0),
            repeats: mark(0..2, -1.0, 1.0),
            wanted: Default::default(),
        }
    }
}

impl Cpbp {
    /// Puts walkers at the start and gives them their roles.
    fn begin(&self, problem: &Problem, last: [Control; 2], scratch: &mut Scratch) {
        let Sampling { walkers: count, free, .. } = self.sampling;
        let (width, steps) = (blocks(count), self.horizon.steps());
        scratch.walkers.start(count, problem.start, last);
        scratch.normals.resize(width, Default::default());
        scratch.costs.resize(width, Lanes::default());
        scratch.weights.resize(width, Lanes::default());
        scratch.history.moments.resize(steps * width, Moment::default());
        scratch.history.parents.resize(steps * count, 0);
        scratch.history.resampled.clear();
        // Walkers 0 and 1 repeat the last plan's best and refined path; the next ones are free.
        let first_follower = 2 + (free * count as f32) as usize;
        scratch.roles.clear();
        scratch.roles.extend((0..width).map(|block| Role::of(block, count, first_follower)));
        even_out(&scratch.roles, &mut scratch.weights);
        self.choose_priors(scratch);
    }

    /// Each walker draws a path of the last plan to follow, by the final weights. The first two repeat the best and the refined one.
    fn choose_priors(&self, scratch: &mut Scratch) {
        let count = self.sampling.walkers;
        scratch.prior.clear();
        scratch.prior.resize(blocks(count) * LANES, 0);
        if !self.weights.is_empty() {
            scratch.prior[..2].copy_from_slice(&[count as u16, count as u16 + 1]);
            resample(&self.weights, &mut scratch.noise, &mut scratch.prior[2..count]);
        }
    }

    /// Simulates the walkers from the first step to the last.
    #[inline(always)]
    fn walk<M: Machine>(&self, machine: M, problem: &Problem, scratch: &mut Scratch) {
        let Sampling { walkers: count, spread, resample, follow, .. } = self.sampling;
        let precisions = [Precision::of(&spread, |c| c.speed), Precision::of(&spread, |c| c.turn)];
        let proposals = Proposals::new(precisions, follow, problem.bounds);
        let mut effective = 0.0;
        for step in 0..self.horizon.steps() {
            let resampled = step == 0 || effective < resample * count as f32;
            scratch.history.resampled.push(resampled && step > 0);
            if resampled && step > 0 {
                replace(scratch, step, count);
            }
            let guided = self.guide(step, problem.elapsed, scratch);
            let Scratch { walkers, noise, normals, costs, weights, roles, history, .. } = &mut *scratch;
            let width = roles.len();
            let moments = &mut history.moments[step * width..(step + 1) * width];
            noise.fill(normals);
            let (length, mut around) = (self.horizon.step(step), Around::nothing(machine));
            let places = walkers.blocks.iter_mut().zip(moments.iter_mut());
            for ((block, moment), (role, normals)) in places.zip(roles.iter().zip(normals.iter())) {
                let controls = proposals.draw(machine, block, normals, guided.then_some(role));
                moment.before = block.pose;
                around.include(block.drive(machine, controls, &precisions, length));
                (moment.after, moment.controls) = (block.pose, block.controls);
            }
            let extent = around.extent();
            let least = walkers.rate(machine, problem.costs, step, &extent, costs);
            effective = weigh(machine, roles, costs, least, resampled, weights);
            for (moment, weights) in moments.iter_mut().zip(weights) {
                moment.weights = *weights;
            }
        }
    }

    /// Shows walkers the controls on the paths that they follow. False if the last plan has nothing to say about this step.
    fn guide(&self, step: usize, elapsed: f32, scratch: &mut Scratch) -> bool {
        let old = self.horizon.at(self.horizon.middle(step) + elapsed).filter(|_| !self.speeds.is_empty());
        let Some(old) = old else { return false };
        let row = old * self.row()..(old + 1) * self.row();
        let (speeds, turns) = (&self.speeds[row.clone()], &self.turns[row]);
        for (role, paths) in scratch.roles.iter_mut().zip(scratch.prior.as_chunks::<LANES>().0) {
            let [wanted_speeds, wanted_turns] = &mut role.wanted;
            for lane in 0..LANES {
                let path = usize::from(paths[lane]);
                (wanted_speeds[lane], wanted_turns[lane]) = (speeds[path], turns[path]);
            }
        }
        true
    }

    /// Keeps all paths and the best one. Returns the cost of the best.
    fn remember(&mut self, scratch: &mut Scratch, before: Control) -> f32 {
        let (count, paths, steps) = (self.sampling.walkers, self.row(), self.horizon.steps());
        let totals = scratch.walkers.blocks.iter().flat_map(|block| block.total).take(count);
        // If totals are not a number the first remains, which repeats the last plan.
        let (best, cost) = totals
            .enumerate()
            .reduce(|best, other| if other.1 < best.1 { other } else { best })
            .unwrap_or_default();
        self.before = before;
        self.weights.clear();
        self.weights.extend_from_slice(&scratch.weights.as_flattened()[..count]);
        self.speeds.resize(steps * paths, 0.0);
        self.turns.resize(steps * paths, 0.0);
        let Scratch { history, ancestors, .. } = scratch;
        ancestors.clear();
        ancestors.extend(0..count as u16);
        let width = blocks(count);
        let rows = self.speeds.chunks_exact_mut(paths).zip(self.turns.chunks_exact_mut(paths));
        for (step, (speeds, turns)) in rows.enumerate().rev() {
            let moments = &history.moments[step * width..(step + 1) * width];
            for ((speed, turn), ancestor) in speeds.iter_mut().zip(turns.iter_mut()).zip(ancestors.iter()) {
                let (block, lane) = (usize::from(*ancestor) / LANES, usize::from(*ancestor) % LANES);
                let [speeds, turns] = &moments[block].controls;
                (*speed, *turn) = (speeds[lane], turns[lane]);
            }
            (speeds[count], turns[count]) = (speeds[best], turns[best]);
            if history.resampled[step] {
                let parents = &history.parents[step * count..(step + 1) * count];
                ancestors.iter_mut().for_each(|ancestor| *ancestor = parents[usize::from(*ancestor)]);
            }
        }
        cost
    }

    /// Keeps the refined path.
    #[inline(always)]
    fn refine<M: Machine>(&mut self, machine: M, problem: &Problem, scratch: &Scratch) {
        let (count, paths) = (self.sampling.walkers, self.row());
        let [speed_bounds, turn_bounds] = problem.bounds.ranges();
        refine(machine, &scratch.history.moments, blocks(count), |step, control| {
            // Where there is nothing to smooth the best path remains.
            let control = control.unwrap_or_else(|| self.best(step));
            let at = step * paths + count + 1;
            self.speeds[at] = clip(control.speed, speed_bounds);
            self.turns[at] = clip(control.turn, turn_bounds);
        });
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

    /// Draws the next controls from the last ones, those before, and normal variates; and from the paths that walkers follow, with 1 for
    /// those that do and 0 for the others.
    #[inline(always)]
    fn draw<N: Number>(&self, last: N, before: N, normal: N, path: Option<(N, N)>) -> N {
        let Precision { mean, control, change, bend } = self.precision;
        let sum = last * change + mean * control + (last * 2.0 - before) * bend;
        let Some((wanted, follows)) = path else { return sum * self.free.0 + normal * self.free.1 };
        let inverse = follows * (self.following.0 - self.free.0) + self.free.0;
        let deviation = follows * (self.following.1 - self.free.1) + self.free.1;
        (sum + follows * self.follow * wanted) * inverse + deviation * normal
    }
}

/// Samples speeds and turning speeds.
struct Proposals {
    dimensions: [Proposal; 2],
    bounds: [(f32, f32); 2],
}

impl Proposals {
    fn new(precisions: [Precision; 2], follow: f32, bounds: Bounds) -> Proposals {
        let dimensions = precisions.map(|precision| Proposal::new(precision, follow));
        Proposals { dimensions, bounds: bounds.ranges() }
    }

    /// Draws the next controls of a block, within the bounds, from normal variates. Walkers have no role where the last plan has ended.
    #[inline(always)]
    fn draw<M: Machine>(
        &self,
        machine: M,
        block: &Block,
        normals: &[Lanes; 2],
        role: Option<&Role>,
    ) -> [M::Vector; 2] {
        let mut controls = machine.load_all(normals);
        for (d, (control, proposal)) in controls.iter_mut().zip(&self.dimensions).enumerate() {
            let (last, before) = (machine.load(&block.controls[d]), machine.load(&block.before[d]));
            let drawn = if let Some(role) = role {
                let wanted = machine.load(&role.wanted[d]);
                let drawn =
                    proposal.draw(last, before, *control, Some((wanted, machine.load(&role.follows))));
                machine.load(&role.repeats).pick(wanted, drawn)
            } else {
                proposal.draw(last, before, *control, None)
            };
            *control = clip(drawn, self.bounds[d]);
        }
        controls
    }
}

/// Draws numbers by weights that add up to 1, with a single random number (systematic resampling). Another one decides where the
/// list begins: free walkers must not always get the first ones.
fn resample(weights: &[f32], noise: &mut Noise, drawn: &mut [u16]) {
    let (offset, turned) = (noise.unit(), noise.unit());
    let count = drawn.len();
    // Draw n is at (n + offset) / count. First: how many numbers end right before each draw. This way nothing is searched for, which
    // processors would guess wrongly.
    drawn.fill(0);
    let mut reached = 0.0;
    for weight in &weights[..weights.len() - 1] {
        reached += weight;
        let next = (reached * count as f32 - offset + 1.0) as usize;
        if let Some(ended) = drawn.get_mut(next) {
            *ended += 1;
        }
    }
    let mut number = 0;
    for drawn in drawn.iter_mut() {
        number += *drawn;
        *drawn = number;
    }
    drawn.rotate_left((turned * weights.len() as f32) as usize % count);
}

/// Replaces walkers by copies of others, by their weights. The first two continue themselves.
fn replace(scratch: &mut Scratch, step: usize, count: usize) {
    let Scratch { walkers, weights, noise, prior, ancestors, history, .. } = scratch;
    let parents = &mut history.parents[step * count..(step + 1) * count];
    parents[..2].copy_from_slice(&[0, 1]);
    resample(&weights.as_flattened()[..count], noise, &mut parents[2..]);
    walkers.inherit(parents);
    ancestors.clone_from(prior);
    for (prior, parent) in prior.iter_mut().zip(parents) {
        *prior = ancestors[usize::from(*parent)];
    }
}

/// Weights of the walkers by their state costs, exp(-(s - s_min)/2), times the ones before unless these were used up by resampling.
/// Returns the effective number of walkers, 1/Σw².
#[inline(always)]
fn weigh<M: Machine>(
    machine: M,
    roles: &[Role],
    costs: &[Lanes],
    least: f32,
    resampled: bool,
    weights: &mut [Lanes],
) -> f32 {
    let scale = if least > SCALED { SCALED / least } else { 1.0 };
    let mut sums = machine.all(0.0);
    for (weights, (costs, role)) in weights.iter_mut().zip(costs.iter().zip(roles)) {
        let old = machine.load(if resampled { &role.counts } else { weights });
        let weight = old * exp((machine.all(least) - machine.load(costs)) * (0.5 * scale));
        sums = sums + weight;
        *weights = weight.lanes();
    }
    let whole = sums.sum();
    let per_whole = 1.0 / whole;
    if !(whole > 0.0 && per_whole.is_finite() && whole.is_finite()) {
        return even_out(roles, weights);
    }
    let mut squares = machine.all(0.0);
    for weights in weights.iter_mut() {
        let weight = machine.load(weights) * per_whole;
        squares = squares + weight * weight;
        *weights = weight.lanes();
    }
    1.0 / squares.sum()
}

/// Gives all walkers the same weight. Returns their number.
fn even_out(roles: &[Role], weights: &mut [Lanes]) -> f32 {
    let count = roles.iter().flat_map(|role| role.counts).sum::<f32>();
    for (weights, role) in weights.iter_mut().zip(roles) {
        *weights = role.counts.map(|one| one / count);
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_onboard::StreamKind;

    #[test]
    fn numbers_are_drawn_as_often_as_their_weights_say() {
        let weights = [0.0, 0.5, 0.01, 0.0, 0.29, 0.2, 0.0];
        let mut noise = Noise::default();
        for seed in 0..100 {
            noise.seed(&mut Stream::new(seed, StreamKind::Decisions, 1, 1));
            let mut drawn = [0; 20];
            resample(&weights, &mut noise, &mut drawn);
            for (number, weight) in weights.iter().enumerate() {
                let times = drawn.iter().filter(|drawn| usize::from(**drawn) == number).count() as f32;
                assert!((times - 20.0 * weight).abs() < 1.0 + 1e-4, "{number} in {drawn:?}");
                assert!(times == 0.0 || *weight > 0.0, "{number} in {drawn:?}");
            }
        }
    }
}
