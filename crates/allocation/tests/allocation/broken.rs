//! Every input gives an allocation or an error that says where, what was found and what is accepted.

use crewlab_allocation::{
    CoalitionPlan, Instance, Method, Reward, SearchLimits, Task, best_coalition, greedy, joint,
};
use proptest::prelude::*;

fn one(reward: Reward, subtasks: Vec<Vec<Option<f64>>>) -> Instance {
    let task = Task { id: "t".into(), utility: None, plans: vec![CoalitionPlan { reward, subtasks }] };
    Instance { robots: 2, tasks: vec![task] }
}

#[test]
fn errors_say_where_what_was_found_and_what_is_accepted() {
    let number = "accepted: a finite number of at most 1e12 in magnitude, or null";
    let good = vec![Some(1.0), Some(2.0)];
    let rows: Vec<(Instance, String)> = vec![
        (
            one(Reward::Sum, vec![good.clone(), vec![Some(1.0), Some(f64::NAN)]]),
            format!("tasks[0].plans[0].subtasks[1][1]: found NaN, {number}"),
        ),
        (
            one(Reward::Sum, vec![vec![None, Some(f64::NEG_INFINITY)]]),
            format!("tasks[0].plans[0].subtasks[0][1]: found -inf, {number}"),
        ),
        (
            one(Reward::Sum, vec![vec![Some(1.0)]]),
            "tasks[0].plans[0].subtasks[0]: found 1, accepted: 2 rewards or nulls, one per robot".into(),
        ),
        (one(Reward::Sum, vec![]), "tasks[0].plans[0].subtasks: found none, accepted: at least one subtask".into()),
        (
            one(Reward::Product, vec![vec![Some(1.0), Some(-2.0)]]),
            "tasks[0].plans[0].subtasks[0][1]: found -2, accepted: 0 or more, or null: the plan's reward is `product`"
                .into(),
        ),
        (
            one(Reward::MinPlusMean(-1.0), vec![good.clone()]),
            "tasks[0].plans[0].reward.min-plus-mean: found -1, accepted: a number from 0 to 1e12, the weight of the smallest reward"
                .into(),
        ),
        (
            one(Reward::Worst(0), vec![good.clone()]),
            "tasks[0].plans[0].reward.worst: found 0, accepted: a number of at least 1, the number of smallest rewards to add"
                .into(),
        ),
        (
            Instance { robots: 2, tasks: vec![Task { id: "t".into(), utility: None, plans: vec![] }] },
            "tasks[0].plans: found none, accepted: at least one plan".into(),
        ),
        (
            Instance { robots: 2, tasks: vec![Task { utility: Some(f64::NAN), ..one(Reward::Sum, vec![good]).tasks[0].clone() }] },
            format!("tasks[0].utility: found NaN, {number}"),
        ),
    ];
    for (instance, message) in rows {
        assert_eq!(greedy(&instance).expect_err("broken").to_string(), message);
    }
}

#[test]
fn too_many_robots_for_all_coalitions() {
    let plan = CoalitionPlan { reward: Reward::Sum, subtasks: vec![vec![Some(1.0); 25]] };
    let task = Task { id: "t".into(), utility: None, plans: vec![plan] };
    let said = best_coalition(&task, 25, &[true; 25], Method::Exhaustive).expect_err("too many").to_string();
    assert_eq!(said, "robots: found 25, accepted: at most 24 free robots when all coalitions are enumerated");
    let said = best_coalition(&task, 25, &[true; 3], Method::Matching).expect_err("3 of 25").to_string();
    assert_eq!(said, "free: found 3, accepted: 25 entries, one per robot");
}

fn any_number() -> impl Strategy<Value = Option<f64>> {
    prop_oneof![
        Just(None),
        Just(Some(0.0)),
        Just(Some(-0.0)),
        Just(Some(f64::NAN)),
        Just(Some(f64::INFINITY)),
        Just(Some(1e12)),
        Just(Some(f64::MIN_POSITIVE)),
        (-10.0..10.0).prop_map(Some),
    ]
}

fn any_reward() -> impl Strategy<Value = Reward> {
    prop_oneof![
        Just(Reward::Sum),
        Just(Reward::Mean),
        Just(Reward::Min),
        Just(Reward::Max),
        Just(Reward::Product),
        Just(Reward::Harmonic),
        any::<f64>().prop_map(Reward::MinPlusMean),
        (0_usize..5).prop_map(Reward::Worst),
    ]
}

fn any_instance() -> impl Strategy<Value = Instance> {
    let row = |robots| proptest::collection::vec(any_number(), 0..=robots);
    let full = |robots| proptest::collection::vec(any_number(), robots);
    let line = move |robots| prop_oneof![1 => row(robots), 20 => full(robots)];
    (0_usize..5).prop_flat_map(move |robots| {
        let plan = (any_reward(), proptest::collection::vec(line(robots), 0..4));
        let plan = plan.prop_map(|(reward, subtasks)| CoalitionPlan { reward, subtasks });
        let task = (proptest::option::of(-5.0..5.0), proptest::collection::vec(plan, 0..3));
        let task = task.prop_map(|(utility, plans)| Task { id: String::new(), utility, plans });
        proptest::collection::vec(task, 0..4).prop_map(move |tasks| Instance { robots, tasks })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn nothing_panics_and_equal_input_gives_equal_bits(instance in any_instance()) {
        let sound = instance.check().is_ok();
        let allocation = greedy(&instance);
        prop_assert_eq!(sound, allocation.is_ok());
        if let Ok(allocation) = &allocation {
            prop_assert!(allocation.check(&instance).is_ok());
            prop_assert!(allocation.bound >= allocation.value && allocation.gap >= 0.0);
        }
        prop_assert_eq!(format!("{allocation:?}"), format!("{:?}", greedy(&instance)));
        let best = joint(&instance, &SearchLimits { steps: 20, nodes: 20 });
        prop_assert_eq!(sound, best.is_ok());
        if let (Ok(best), Ok(one_by_one)) = (&best, &allocation) {
            prop_assert!(best.check(&instance).is_ok());
            prop_assert!(best.bound >= one_by_one.value * (1.0 - 1e-9) - 1e-9);
        }
        for task in &instance.tasks {
            for method in [Method::Matching, Method::Exhaustive, Method::BranchAndBound, Method::BestSum] {
                let _ = best_coalition(task, instance.robots, &vec![true; instance.robots], method);
            }
        }
    }
}
