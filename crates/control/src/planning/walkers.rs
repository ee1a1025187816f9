//! The walkers of a plan: trajectories that are simulated side by side, in blocks whose members the compiler computes at once.

use super::Precision;
use super::unicycle::{Control, Pose, advance};

/// Walkers in a block.
pub const LANES: usize = 8;

/// A number for each walker of a block.
pub type Lanes = [f32; LANES];

/// Number of blocks for this many walkers.
pub fn blocks(walkers: usize) -> usize {
    walkers.div_ceil(LANES)
}

/// Where the walkers are, what they did last, and what it has cost. The last block is filled up with walkers that do not count.
#[derive(Clone, Debug, Default)]
pub struct Walkers {
    /// [m]
    pub x: Vec<Lanes>,
    /// [m]
    pub y: Vec<Lanes>,
    /// [rad]
    pub heading: Vec<Lanes>,
    /// The last speed. [m/s]
    pub speed: Vec<Lanes>,
    /// The last turning speed. [rad/s]
    pub turn: Vec<Lanes>,
    /// The speed before. [m/s]
    pub speed_before: Vec<Lanes>,
    /// The turning speed before. [rad/s]
    pub turn_before: Vec<Lanes>,
    /// Costs of all steps so far.
    pub total: Vec<Lanes>,
}

impl Walkers {
    /// Puts all walkers at the start, with the last two controls of the robot.
    pub fn start(&mut self, count: usize, pose: Pose, [last, before]: [Control; 2]) {
        let values = [pose.x, pose.y, pose.heading, last.speed, last.turn, before.speed, before.turn, 0.0];
        for (list, value) in self.lists().into_iter().zip(values) {
            list.clear();
            list.resize(blocks(count), [value; LANES]);
        }
    }

    /// Replaces each walker by its parent.
    pub fn inherit(&mut self, parents: &[u16], spare: &mut Vec<Lanes>) {
        for list in self.lists() {
            spare.clone_from(list);
            let old = spare.as_flattened();
            for (new, parent) in list.as_flattened_mut().iter_mut().zip(parents) {
                *new = old[usize::from(*parent)];
            }
        }
    }

    /// Moves a block of walkers with these controls for one step [s] and adds what the controls cost. Not inlined: that keeps the
    /// vectors whole.
    #[inline(never)]
    pub(super) fn drive(
        &mut self,
        block: usize,
        &[speeds, turns]: &[Lanes; 2],
        (speed, turn): (&Precision, &Precision),
        step: f32,
    ) {
        let [last_speeds, last_turns] = [self.speed[block], self.turn[block]];
        let [speeds_before, turns_before] = [self.speed_before[block], self.turn_before[block]];
        let mut total = self.total[block];
        for i in 0..LANES {
            total[i] += speed.cost(speeds[i], last_speeds[i], speeds_before[i])
                + turn.cost(turns[i], last_turns[i], turns_before[i]);
        }
        self.total[block] = total;
        let poses = [self.x[block], self.y[block], self.heading[block]];
        [self.x[block], self.y[block], self.heading[block]] = advance(poses, [speeds, turns], step);
        [self.speed_before[block], self.turn_before[block]] = [last_speeds, last_turns];
        [self.speed[block], self.turn[block]] = [speeds, turns];
    }

    fn lists(&mut self) -> [&mut Vec<Lanes>; 8] {
        [
            &mut self.x,
            &mut self.y,
            &mut self.heading,
            &mut self.speed,
            &mut self.turn,
            &mut self.speed_before,
            &mut self.turn_before,
            &mut self.total,
        ]
    }
}

/// The smaller of two numbers; the second if they cannot be compared.
#[inline(always)]
pub fn lower(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// The greater of two numbers; the second if they cannot be compared.
#[inline(always)]
pub fn higher(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// The lowest of all numbers. The order of comparisons is fixed, as is that of [`sum`].
#[inline(always)]
pub fn lowest(list: &[Lanes]) -> f32 {
    let mut low = [f32::INFINITY; LANES];
    for block in list {
        for i in 0..LANES {
            low[i] = lower(block[i], low[i]);
        }
    }
    low.into_iter().fold(f32::INFINITY, |a, b| lower(b, a))
}

/// The highest of all numbers.
#[inline(always)]
pub fn highest(list: &[Lanes]) -> f32 {
    let mut high = [f32::NEG_INFINITY; LANES];
    for block in list {
        for i in 0..LANES {
            high[i] = higher(block[i], high[i]);
        }
    }
    high.into_iter().fold(f32::NEG_INFINITY, |a, b| higher(b, a))
}

/// The sum of a block.
#[inline(always)]
pub fn sum(block: &Lanes) -> f32 {
    let mut sums = [0.0; 4];
    for four in block.as_chunks::<4>().0 {
        for i in 0..4 {
            sums[i] += four[i];
        }
    }
    (sums[0] + sums[2]) + (sums[1] + sums[3])
}
