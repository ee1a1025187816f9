//! Coalitions worth more than their members' rewards: branch and bound against enumeration.

use crate::stage::{Chance, every_injection, near, plan, rewards};
use crewlab_allocation::{Beyond, Extras, Limit, Pairs, Task, branch_and_bound};

/// A value of the smallest and the largest robot number, which no pairs can express.
struct Odd;

impl Beyond for Odd {
    fn value(&self, _: usize, robots: &[usize]) -> Option<f64> {
        let sum: usize = robots.iter().sum();
        (!sum.is_multiple_of(5)).then_some((sum % 3) as f64)
    }

    fn most(&self, _: usize, _: &[Option<usize>]) -> f64 {
        2.0
    }
}

fn random_pairs(chance: &mut Chance, robots: usize) -> Pairs {
    let mut pairs = Pairs::new(robots);
    for one in 0..robots {
        for other in 0..one {
            let synergy = (chance.below(6) > 0).then(|| chance.unit() * 6.0 - 3.0);
            pairs.set(one, other, synergy).expect("two robots");
        }
    }
    pairs
}

#[test]
fn everything_together_agrees_with_enumeration() {
    for reward in rewards() {
        let mut chance = Chance(11);
        for round in 0..500 {
            let robots = 2 + chance.below(5);
            let size = 1 + chance.below(robots.min(4));
            let plan = plan(&mut chance, reward, size, robots);
            let pairs = random_pairs(&mut chance, robots);
            let limit = Limit {
                loads: (0..robots).map(|_| chance.below(4) as f64).collect(),
                at_least: chance.below(4) as f64,
                at_most: 4.0 + chance.below(6) as f64,
            };
            let (with_limit, with_beyond) = (chance.below(2) == 0, chance.below(2) == 0);
            let mut best: Option<f64> = None;
            every_injection(&plan, &vec![true; robots], &mut |chosen, value| {
                let mut value = value;
                for (place, &one) in chosen.iter().enumerate() {
                    value += chosen[..place].iter().map(|&other| pairs.synergy(one, other)).sum::<f64>();
                }
                let load: f64 = chosen.iter().map(|&robot| limit.loads[robot]).sum();
                let kept = !with_limit || (load >= limit.at_least && load <= limit.at_most);
                let more = if with_beyond { Odd.value(0, chosen) } else { Some(0.0) };
                if let (true, Some(more), true) = (kept, more, value.is_finite()) {
                    best = Some(best.map_or(value + more, |best| best.max(value + more)));
                }
            });
            let extras = Extras {
                pairs: Some(&pairs),
                limits: if with_limit { std::slice::from_ref(&limit) } else { &[] },
                beyond: if with_beyond { Some(&Odd) } else { None },
            };
            let task = Task { id: "t".into(), utility: None, plans: vec![plan] };
            let found =
                branch_and_bound(&task, robots, &vec![true; robots], &extras, u64::MAX).expect("sound");
            assert!(found.complete);
            match (best, &found.coalition) {
                (None, None) => assert_eq!(found.bound, f64::NEG_INFINITY),
                (Some(best), Some(coalition)) => {
                    assert!(near(best, coalition.value), "{reward:?} {round}: {best} {found:?}");
                    assert_eq!(found.bound, coalition.value);
                }
                _ => panic!("{reward:?} {round}: {best:?} {found:?}"),
            }
            // A search that stops early still bounds the best from above.
            let cut = branch_and_bound(&task, robots, &vec![true; robots], &extras, 2).expect("sound");
            if let Some(best) = best {
                assert!(cut.bound >= best - 1e-9, "{reward:?} {round}: {best} {cut:?}");
            }
        }
    }
}

#[test]
fn broken_extras_are_refused() {
    let mut pairs = Pairs::new(3);
    let said = pairs.set(1, 1, Some(2.0)).expect_err("one robot").to_string();
    assert_eq!(said, "pair: found 1 and 1, accepted: two different robots below 3");
    assert!(pairs.set(0, 1, Some(f64::NAN)).is_err());
    let task = Task { id: "t".into(), utility: None, plans: vec![plan(&mut Chance(1), rewards()[0], 2, 4)] };
    let extras = Extras { pairs: Some(&pairs), ..Extras::default() };
    let said = branch_and_bound(&task, 4, &[true; 4], &extras, 9).expect_err("of three").to_string();
    assert_eq!(said, "pairs: found 3, accepted: pairs of 4 robots");
    let limits = [Limit { loads: vec![1.0, -1.0, 0.0, 0.0], at_least: 0.0, at_most: 1.0 }];
    let extras = Extras { limits: &limits, ..Extras::default() };
    assert!(branch_and_bound(&task, 4, &[true; 4], &extras, 9).is_err());
}
