//! The walkers of a plan: trajectories that are simulated side by side, in blocks that are computed at once.

use super::Precision;
use super::costs::{CostSet, Extent};
use super::unicycle::{Control, Pose, advance};
use super::vector::{LANES, Lanes, Machine, Number, Vector, store_all};

/// State costs that are not a number, and those of walkers that do not count.
const WORST: f32 = 1e9;

/// Number of blocks for this many walkers.
pub fn blocks(walkers: usize) -> usize {
    walkers.div_ceil(LANES)
}

/// Where the walkers of a block are, what they did last, and what it has cost.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub struct Block {
    /// x [m], y [m] and heading [rad].
    pub pose: [Lanes; 3],
    /// The last speed [m/s] and turning speed [rad/s].
    pub controls: [Lanes; 2],
    /// Those before.
    pub before: [Lanes; 2],
    /// Costs of all steps so far.
    pub total: Lanes,
    /// What the last step cost at least: little, except for walkers that do not count.
    least: Lanes,
}

impl Block {
    /// Walkers that are all at one place, with the last two controls of the robot.
    pub(super) fn new(pose: Pose, last: [Control; 2]) -> Block {
        let [controls, before] = last.map(|control| [[control.speed; LANES], [control.turn; LANES]]);
        let pose = [pose.x, pose.y, pose.heading].map(|value| [value; LANES]);
        Block { pose, controls, before, total: [0.0; LANES], least: [-WORST; LANES] }
    }

    /// Replaces a walker by one of another block.
    #[inline(always)]
    fn inherit(&mut self, lane: usize, parent: &Block, from: usize) {
        for (into, values) in self.pose.iter_mut().zip(&parent.pose) {
            into[lane] = values[from];
        }
        for (into, values) in self.controls.iter_mut().zip(&parent.controls) {
            into[lane] = values[from];
        }
        for (into, values) in self.before.iter_mut().zip(&parent.before) {
            into[lane] = values[from];
        }
        self.total[lane] = parent.total[from];
    }

    /// What the walkers have cost so far; more than anything for those that do not count.
    #[inline(always)]
    pub(super) fn counted<M: Machine>(&self, machine: M) -> M::Vector {
        let counts = machine.load(&self.least).at_most(machine.all(0.0));
        counts.pick(machine.load(&self.total), machine.all(f32::INFINITY))
    }

    /// Moves the walkers with these controls for one step [s] and adds what the controls cost. Returns where they are then.
    #[inline(always)]
    pub(super) fn drive<M: Machine>(
        &mut self,
        machine: M,
        controls: [M::Vector; 2],
        precisions: &[Precision; 2],
        step: f32,
    ) -> [M::Vector; 3] {
        let (last, before) = (machine.load_all(&self.controls), machine.load_all(&self.before));
        let speed = precisions[0].cost(controls[0], last[0], before[0]);
        let turn = precisions[1].cost(controls[1], last[1], before[1]);
        self.total = (machine.load(&self.total) + (speed + turn)).lanes();
        let pose = advance(machine.load_all(&self.pose), controls, step);
        self.pose = store_all(pose);
        (self.controls, self.before) = (store_all(controls), self.controls);
        pose
    }
}

/// The least rectangle around some places, lane by lane. [m]
pub(super) struct Around<V> {
    low: [V; 2],
    high: [V; 2],
}

impl<V: Vector> Around<V> {
    /// Around nothing.
    #[inline(always)]
    pub(super) fn nothing(machine: impl Machine<Vector = V>) -> Around<V> {
        let (low, high) = (machine.all(f32::INFINITY), machine.all(f32::NEG_INFINITY));
        Around { low: [low; 2], high: [high; 2] }
    }

    /// Grows it to the places of a block.
    #[inline(always)]
    pub(super) fn include(&mut self, [x, y, _]: [V; 3]) {
        self.low = [x.lower(self.low[0]), y.lower(self.low[1])];
        self.high = [x.higher(self.high[0]), y.higher(self.high[1])];
    }

    /// The rectangle.
    #[inline(always)]
    pub(super) fn extent(self) -> Extent {
        let ([west, south], [east, north]) = (self.low, self.high);
        Extent { x: [west.lowest(), east.highest()], y: [south.lowest(), north.highest()] }
    }
}

/// All walkers. The last block is filled up with some that do not count.
#[derive(Clone, Debug, Default)]
pub struct Walkers {
    /// Block by block.
    pub blocks: Vec<Block>,
    /// The blocks before walkers were replaced.
    old: Vec<Block>,
}

impl Walkers {
    /// Puts all walkers at the start, with the last two controls of the robot.
    pub fn start(&mut self, count: usize, pose: Pose, last: [Control; 2]) {
        self.blocks.clear();
        self.blocks.resize(blocks(count), Block::new(pose, last));
        for extra in count..self.blocks.len() * LANES {
            self.blocks[extra / LANES].least[extra % LANES] = WORST;
        }
    }

    /// Replaces each walker by its parent.
    pub fn inherit(&mut self, parents: &[u16]) {
        self.old.clone_from(&self.blocks);
        for (block, parents) in self.blocks.iter_mut().zip(parents.chunks(LANES)) {
            for (lane, parent) in parents.iter().enumerate().take(LANES) {
                let parent = usize::from(*parent);
                block.inherit(lane, &self.old[parent / LANES], parent % LANES);
            }
        }
    }

    /// Rates all walkers, which have come to places of this extent at the end of a step, and adds that to their totals. Returns the lowest.
    #[inline(always)]
    pub(super) fn rate<M: Machine>(
        &mut self,
        machine: M,
        set: &CostSet,
        step: usize,
        extent: &Extent,
        costs: &mut [Lanes],
    ) -> f32 {
        set.rate(machine, step, &self.blocks, extent, costs);
        let mut lowest = machine.all(f32::INFINITY);
        for (block, costs) in self.blocks.iter_mut().zip(costs) {
            // The worst also if it is not a number.
            let cost = machine.load(costs).lower(machine.all(WORST));
            block.total = (machine.load(&block.total) + cost).lanes();
            let cost = cost.higher(machine.load(&block.least));
            lowest = cost.lower(lowest);
            *costs = cost.lanes();
        }
        lowest.lowest()
    }
}
