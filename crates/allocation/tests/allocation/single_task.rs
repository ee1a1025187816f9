//! One task: all exact methods agree with enumeration.

use crate::stage::{Chance, assert_valid, brute_force, near, plan, rewards, task};
use crewlab_allocation::{Method, Reward, Task, best_coalition};

const EXACT: [Method; 3] = [Method::Matching, Method::Exhaustive, Method::BranchAndBound];

#[test]
fn exact_methods_agree_with_enumeration() {
    for reward in rewards() {
        let mut chance = Chance(1);
        for round in 0..10_000 {
            let robots = if round % 20 == 0 { 7 + chance.below(2) } else { 1 + chance.below(6) };
            let task = task(&mut chance, reward, robots);
            let free: Vec<bool> = (0..robots).map(|_| chance.below(10) > 0).collect();
            let best = brute_force(&task, &free);
            for method in EXACT {
                let found = best_coalition(&task, robots, &free, method).expect("a sound task");
                if let Some(coalition) = &found {
                    assert_valid(&task, &free, coalition);
                }
                let equal = match (best, &found) {
                    (Some(best), Some(found)) => near(best, found.value),
                    (best, found) => best.is_none() && found.is_none(),
                };
                assert!(
                    equal,
                    "{reward:?}, {method:?}, round {round}: {best:?}, found {found:?} in {task:?}"
                );
            }
        }
    }
}

/// How often the thesis' method misses the optimum, on random plans without incapable robots: never for sum and mean, but for all
/// others. (The specification reports 11 %, 8 % and 8 to 10 % for other random plans.)
#[test]
fn the_best_sum_is_not_the_best_for_other_reward_functions() {
    for reward in rewards() {
        let mut chance = Chance(2);
        let (mut missed, rounds) = (0, 1000);
        for _ in 0..rounds {
            let mut plan = plan(&mut chance, reward, 4, 6);
            for entry in plan.subtasks.iter_mut().flatten() {
                *entry = Some(chance.unit());
            }
            let task = Task { id: "t".into(), utility: None, plans: vec![plan] };
            let value =
                |method| best_coalition(&task, 6, &[true; 6], method).expect("sound").expect("one").value;
            let (best, thesis) = (value(Method::Matching), value(Method::BestSum));
            assert!(thesis <= best + 1e-12);
            missed += usize::from(thesis < best - 1e-12);
        }
        match reward {
            Reward::Sum | Reward::Mean => assert_eq!(missed, 0),
            _ => assert!(missed > 0, "{reward:?}"),
        }
    }
}

/// Large plans use the same code as small ones: one plan for every size, where every method must agree.
#[test]
fn a_plan_for_every_size() {
    for reward in rewards() {
        let mut chance = Chance(3);
        let plans = (1..=9).map(|size| plan(&mut chance, reward, size, 9)).collect();
        let task = Task { id: "t".into(), utility: None, plans };
        let value = |method| best_coalition(&task, 9, &[true; 9], method).expect("sound").map(|c| c.value);
        let matching = value(Method::Matching).expect("one");
        assert!(near(matching, value(Method::Exhaustive).expect("one")), "{reward:?}");
        assert!(near(matching, value(Method::BranchAndBound).expect("one")), "{reward:?}");
    }
}

#[test]
fn ties_go_to_the_earlier_plan() {
    let mut chance = Chance(4);
    let one = plan(&mut chance, Reward::Sum, 3, 6);
    let task = Task { id: "t".into(), utility: None, plans: vec![one.clone(), one] };
    for method in EXACT {
        if let Some(found) = best_coalition(&task, 6, &[true; 6], method).expect("sound") {
            assert_eq!(found.plan, 0, "{method:?}");
        }
    }
}
