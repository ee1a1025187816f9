//! Allocations of many tasks.

use crate::stage::{Chance, brute_force_joint, instance, near, rewards};
use crewlab_allocation::{
    Allocation, CoalitionPlan, Instance, Reward, SearchLimits, Task, greedy, in_rounds, joint, order, repair,
    workload,
};

fn solve(instance: &Instance) -> Allocation {
    joint(instance, &SearchLimits::default()).expect("sound")
}

/// Table 3.3: rewards of three robots for three tasks.
pub fn table_3_3() -> Instance {
    let task = |number: usize, rewards: [f64; 3]| Task {
        id: format!("tau{}", number + 1),
        utility: None,
        plans: vec![CoalitionPlan { reward: Reward::Mean, subtasks: vec![rewards.map(Some).to_vec()] }],
    };
    let rewards = [[10.0, 10.0, 10.0], [10.0, 1.0, 1.0], [10.0, 10.0, 1.0]];
    Instance { robots: 3, tasks: rewards.into_iter().enumerate().map(|(n, r)| task(n, r)).collect() }
}

#[test]
fn greedy_gets_12_of_30_in_table_3_3() {
    let allocation = greedy(&table_3_3()).expect("sound");
    assert_eq!((allocation.value, allocation.bound), (12.0, 30.0));
    let robots: Vec<usize> = allocation.assignment.iter().flatten().map(|c| c.robots[0]).collect();
    assert_eq!(robots, [0, 1, 2]);
    // A round for single robots is one assignment, which finds the 30.
    assert_eq!(in_rounds(&table_3_3()).expect("sound").value, 30.0);
    let best = solve(&table_3_3());
    assert_eq!((best.value, best.gap), (30.0, 0.0));
    let robots: Vec<usize> = best.assignment.iter().flatten().map(|c| c.robots[0]).collect();
    assert_eq!(robots, [2, 0, 1]);
}

/// 3.7: utility over the average coalition size.
#[test]
fn the_order_is_utility_over_average_size() {
    let plan = |size: usize| CoalitionPlan { reward: Reward::Sum, subtasks: vec![vec![Some(1.0); 6]; size] };
    let task = |utility: Option<f64>, sizes: &[usize]| Task {
        id: "t".into(),
        utility,
        plans: sizes.iter().map(|&size| plan(size)).collect(),
    };
    let tasks = vec![
        task(Some(6.0), &[2, 4]), // 2
        task(Some(6.0), &[2]),    // 3
        task(None, &[1, 3]),      // best reward 3, over 2
        task(Some(2.0), &[1]),    // 2, but later than the first
    ];
    assert_eq!(order(&Instance { robots: 6, tasks }).expect("sound"), [1, 0, 3, 2]);
}

/// Every reward function alone, and all mixed: proven optima are optimal.
#[test]
fn joint_agrees_with_enumeration() {
    let kinds: Vec<Vec<Reward>> =
        rewards().into_iter().map(|reward| vec![reward]).chain([rewards(), rewards()]).collect();
    for kinds in kinds {
        let mut chance = Chance(21);
        for round in 0..100 {
            let (tasks, robots) = (1 + chance.below(3), 1 + chance.below(6));
            let instance = instance(&mut chance, tasks, robots, &kinds);
            let best = brute_force_joint(&instance, &mut vec![true; robots], 0);
            let found = solve(&instance);
            assert_eq!(found.check(&instance), Ok(()));
            assert!(near(found.value, best), "{kinds:?} {round}: {best} {found:?} {instance:?}");
            assert!(found.gap == 0.0 && found.bound >= found.value, "{kinds:?} {round}: {found:?}");
        }
    }
}

/// The bound that the prices prove, computed without the crate's search: their sum and every task's value above them.
fn proven(instance: &Instance, prices: &[f64]) -> f64 {
    let mut bound: f64 = prices.iter().sum();
    for task in &instance.tasks {
        let mut best: f64 = 0.0;
        for plan in &task.plans {
            crate::stage::every_injection(plan, &vec![true; instance.robots], &mut |robots, value| {
                best = best.max(value - robots.iter().map(|&robot| prices[robot]).sum::<f64>());
            });
        }
        bound += best;
    }
    bound
}

#[test]
fn limits_leave_a_certified_gap() {
    let mut chance = Chance(22);
    for round in 0..200 {
        let (tasks, robots) = (1 + chance.below(3), 1 + chance.below(6));
        let instance = instance(&mut chance, tasks, robots, &rewards());
        let best = solve(&instance).value;
        for limits in
            [SearchLimits { steps: 1, nodes: 0 }, SearchLimits { steps: 3, nodes: 1 }, SearchLimits::quick()]
        {
            let found = joint(&instance, &limits).expect("sound");
            assert_eq!(found.check(&instance), Ok(()));
            assert!(found.value <= best + 1e-9 && best <= found.bound + 1e-9, "{round}: {best} {found:?}");
            // Any prices bound the best from above, and the search only lowers that bound.
            let proven = proven(&instance, &found.prices);
            assert!(proven >= found.bound - 1e-9, "{round}: {proven} {found:?}");
            if limits.steps == 1 && limits.nodes == 0 {
                assert!(near(proven, found.bound), "{round}: {proven} {found:?}");
            }
        }
        let one = greedy(&instance).expect("sound");
        assert!(one.value <= best + 1e-9 && best <= one.bound + 1e-9, "{round}");
        assert_eq!(in_rounds(&instance).expect("sound").check(&instance), Ok(()));
    }
}

#[test]
fn a_team_in_space_is_allocated_to_the_proven_optimum() {
    let instance = workload::spatial(60, 18, (2, 5), 1);
    let best = solve(&instance);
    assert_eq!((best.gap, best.check(&instance)), (0.0, Ok(())));
    assert!(greedy(&instance).expect("sound").value <= best.value);
    // Equal input, equal bits.
    assert_eq!(format!("{best:?}"), format!("{:?}", solve(&instance)));
    let quick = joint(&instance, &SearchLimits::quick()).expect("sound");
    assert!(quick.value >= 0.995 * best.value && quick.bound >= best.value);
}

/// Whichever robot fails, the repaired allocation does without it, is never better than the optimum and bounds how much worse
/// it may be.
#[test]
fn repairs_are_sound() {
    let check = |instance: &Instance, failed: usize| {
        let before = solve(instance);
        let mended = repair(instance, &before, failed).expect("sound");
        assert_eq!(mended.check(instance), Ok(()));
        assert!(!mended.busy(instance.robots)[failed]);
        let mut without = instance.clone();
        for row in without.tasks.iter_mut().flat_map(|t| &mut t.plans).flat_map(|p| &mut p.subtasks) {
            row[failed] = None;
        }
        let best = solve(&without);
        assert!(mended.value <= best.value + 1e-9, "{mended:?}");
        assert!(mended.bound >= best.value - 1e-9, "{mended:?}");
        assert!(best.value - mended.value <= mended.gap * mended.bound.abs() + 1e-9, "{mended:?}");
    };
    let mut chance = Chance(23);
    for _ in 0..200 {
        let (tasks, robots) = (1 + chance.below(3), 1 + chance.below(6));
        let instance = instance(&mut chance, tasks, robots, &rewards());
        check(&instance, chance.below(robots));
    }
    for failed in 0..10 {
        check(&workload::spatial(40, 12, (2, 5), 3), failed);
    }
    let table = table_3_3();
    let said = repair(&table, &solve(&table), 3).expect_err("no robot 3").to_string();
    assert_eq!(said, "failed_robot: found 3, accepted: a robot below 3");
}
