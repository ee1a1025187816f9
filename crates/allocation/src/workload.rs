//! Instances for comparing allocators, drawn from a seed: the same on every machine.

use crate::{CoalitionPlan, Instance, Reward, Task};

/// Random numbers from a seed (splitmix64).
struct Chance(u64);

impl Chance {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    fn below(&mut self, limit: usize) -> usize {
        ((self.unit() * limit as f64) as usize).min(limit.saturating_sub(1))
    }
}

/// Three digits keep files small, and other programs read the same numbers.
fn rounded(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}

/// The benchmark of figure 3.8: one task for `robots` robots of which the first `capable` can do any subtask, with a plan for
/// every coalition size from 1 to `robots`. Rewards are between 0 and 1; the reward function is the mean.
pub fn every_size(robots: usize, capable: usize, seed: u64) -> Instance {
    let mut chance = Chance(seed);
    let mut row = || (0..robots).map(|robot| (robot < capable).then(|| rounded(chance.unit()))).collect();
    let plans = (1..=robots)
        .map(|size| CoalitionPlan { reward: Reward::Mean, subtasks: (0..size).map(|_| row()).collect() })
        .collect();
    Instance { robots, tasks: vec![Task { id: "carry".into(), utility: None, plans }] }
}

/// Robots and tasks at random places in a square of 100 m. A task has two or three alternative plans of different sizes
/// between `sizes.0` and `sizes.1`. A subtask needs one of four skills, of which a robot has two, so that about half of the
/// robots are capable. Its reward is its share of the plan's utility minus the distance; the reward function is the sum.
pub fn spatial(robots: usize, tasks: usize, sizes: (usize, usize), seed: u64) -> Instance {
    let mut chance = Chance(seed);
    struct Robot {
        at: (f64, f64),
        skills: (usize, usize),
        speed: f64,
    }
    let somewhere = |chance: &mut Chance| (chance.between(0.0, 100.0), chance.between(0.0, 100.0));
    let team: Vec<Robot> = (0..robots)
        .map(|_| {
            let (at, first) = (somewhere(&mut chance), chance.below(4));
            let skills = (first, (first + 1 + chance.below(3)) % 4);
            Robot { at, skills, speed: chance.between(0.7, 1.3) }
        })
        .collect();
    let tasks = (0..tasks)
        .map(|number| {
            let (at, worth) = (somewhere(&mut chance), chance.between(30.0, 60.0));
            let mut left: Vec<usize> = (sizes.0..=sizes.1).collect();
            let plans = (2 + chance.below(2)).min(left.len());
            let plans = (0..plans).map(|_| {
                let size = left.remove(chance.below(left.len()));
                let share = worth * chance.between(0.85, 1.15) / size as f64;
                let subtasks = (0..size).map(|_| {
                    let (skill, effort) = (chance.below(4), chance.between(0.7, 1.3));
                    let reward = |robot: &Robot| {
                        let (x, y) = (robot.at.0 - at.0, robot.at.1 - at.1);
                        let way = (x * x + y * y).sqrt() / robot.speed * effort;
                        let capable = robot.skills.0 == skill || robot.skills.1 == skill;
                        capable.then(|| rounded(share - 0.2 * way))
                    };
                    team.iter().map(reward).collect()
                });
                CoalitionPlan { reward: Reward::Sum, subtasks: subtasks.collect() }
            });
            Task { id: format!("t{number}"), utility: Some(rounded(worth)), plans: plans.collect() }
        })
        .collect();
    Instance { robots, tasks }
}

/// Rewards between 0 and 1 for a square assignment.
pub fn square(size: usize, seed: u64) -> Vec<Vec<Option<f64>>> {
    let mut chance = Chance(seed);
    (0..size).map(|_| (0..size).map(|_| Some(chance.unit())).collect()).collect()
}

/// One plan of `size` subtasks for `robots` robots with rewards between 0 and 1, and synergies between -`strength` and
/// `strength` for all pairs.
pub fn pairwise(robots: usize, size: usize, strength: f64, seed: u64) -> (Task, crate::Pairs) {
    let mut chance = Chance(seed);
    let subtasks = (0..size).map(|_| (0..robots).map(|_| Some(chance.unit())).collect()).collect();
    let mut pairs = crate::Pairs::new(robots);
    for one in 0..robots {
        for other in 0..one {
            // Two different known robots and a finite number: never refused.
            let _ = pairs.set(one, other, Some(chance.between(-strength, strength)));
        }
    }
    let plans = vec![CoalitionPlan { reward: Reward::Sum, subtasks }];
    (Task { id: "together".into(), utility: None, plans }, pairs)
}
