//! Random instances and brute-force enumeration.

use crewlab_allocation::{Coalition, CoalitionPlan, Instance, Reward, Task};

/// A small random number generator (splitmix64).
pub struct Chance(pub u64);

impl Chance {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Every reward function, with various parameters.
pub fn rewards() -> Vec<Reward> {
    vec![
        Reward::Sum,
        Reward::Mean,
        Reward::Min,
        Reward::Max,
        Reward::Product,
        Reward::Harmonic,
        Reward::MinPlusMean(0.7),
        Reward::MinPlusMean(3.0),
        Reward::Worst(2),
        Reward::Worst(3),
    ]
}

/// A reward: fine or coarse numbers (coarse ones make ties), some negative where that is allowed, some incapable.
fn entry(chance: &mut Chance, reward: Reward, coarse: bool, incapable: f64) -> Option<f64> {
    if chance.unit() < incapable {
        return None;
    }
    let number = if coarse { chance.below(6) as f64 } else { chance.unit() * 10.0 };
    let shift = if matches!(reward, Reward::Product | Reward::Harmonic) { 0.0 } else { 2.0 };
    Some(number - shift)
}

pub fn plan(chance: &mut Chance, reward: Reward, size: usize, robots: usize) -> CoalitionPlan {
    let coarse = chance.below(3) == 0;
    let incapable = [0.0, 0.2, 0.5][chance.below(3)];
    let row = |chance: &mut Chance| (0..robots).map(|_| entry(chance, reward, coarse, incapable)).collect();
    CoalitionPlan { reward, subtasks: (0..size).map(|_| row(chance)).collect() }
}

/// A task with one to three plans of up to four subtasks.
pub fn task(chance: &mut Chance, reward: Reward, robots: usize) -> Task {
    let plans = 1 + chance.below(3);
    let plans = (0..plans).map(|_| {
        let size = 1 + chance.below(4);
        plan(chance, reward, size, robots)
    });
    Task { id: "task".into(), utility: None, plans: plans.collect() }
}

pub fn instance(chance: &mut Chance, tasks: usize, robots: usize, rewards: &[Reward]) -> Instance {
    let task = |number: usize| {
        let reward = rewards[chance.below(rewards.len())];
        Task { id: format!("t{number}"), ..task(chance, reward, robots) }
    };
    Instance { robots, tasks: (0..tasks).map(task).collect() }
}

/// Calls `visit` with the value of every coalition for a plan: every injection of its subtasks into the free robots.
pub fn every_injection(plan: &CoalitionPlan, free: &[bool], visit: &mut dyn FnMut(&[usize], f64)) {
    fn go(
        plan: &CoalitionPlan,
        free: &mut Vec<bool>,
        robots: &mut Vec<usize>,
        got: &mut Vec<f64>,
        visit: &mut dyn FnMut(&[usize], f64),
    ) {
        let Some(row) = plan.subtasks.get(robots.len()) else {
            visit(robots, plan.reward.value(got));
            return;
        };
        for robot in 0..row.len() {
            if let (true, Some(reward)) = (free[robot], row[robot]) {
                free[robot] = false;
                robots.push(robot);
                got.push(reward);
                go(plan, free, robots, got, visit);
                robots.pop();
                got.pop();
                free[robot] = true;
            }
        }
    }
    go(plan, &mut free.to_vec(), &mut Vec::new(), &mut Vec::new(), visit);
}

/// The largest value of any coalition.
pub fn brute_force(task: &Task, free: &[bool]) -> Option<f64> {
    let mut best: Option<f64> = None;
    for plan in &task.plans {
        every_injection(plan, free, &mut |_, value| best = Some(best.map_or(value, |b| b.max(value))));
    }
    best
}

/// The largest total over all tasks, by enumeration.
pub fn brute_force_joint(instance: &Instance, free: &mut Vec<bool>, first: usize) -> f64 {
    let Some(task) = instance.tasks.get(first) else { return 0.0 };
    let mut best = brute_force_joint(instance, free, first + 1);
    for plan in &task.plans {
        let mut found: Vec<(Vec<usize>, f64)> = Vec::new();
        every_injection(plan, free, &mut |robots, value| {
            // Only the best order of the same robots matters to the other tasks.
            let mut sorted = robots.to_vec();
            sorted.sort_unstable();
            match found.iter_mut().find(|(others, _)| *others == sorted) {
                Some((_, best)) => *best = best.max(value),
                None => found.push((sorted, value)),
            }
        });
        for (robots, value) in found {
            robots.iter().for_each(|&robot| free[robot] = false);
            best = best.max(value + brute_force_joint(instance, free, first + 1));
            robots.iter().for_each(|&robot| free[robot] = true);
        }
    }
    best
}

/// Asserts that a coalition is possible and has the stated value.
pub fn assert_valid(task: &Task, free: &[bool], coalition: &Coalition) {
    let plan = &task.plans[coalition.plan];
    let mut free = free.to_vec();
    let mut got = Vec::new();
    assert_eq!(plan.subtasks.len(), coalition.robots.len());
    for (row, &robot) in plan.subtasks.iter().zip(&coalition.robots) {
        assert!(std::mem::replace(&mut free[robot], false), "robot {robot} is not free in {coalition:?}");
        got.push(row[robot].expect("a capable robot"));
    }
    assert_eq!(plan.reward.value(&got), coalition.value);
}

pub fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
}
