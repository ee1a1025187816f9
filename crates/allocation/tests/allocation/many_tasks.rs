//! Many tasks at once.

use crewlab_allocation::{Instance, Plan, Reward, Task, greedy, in_rounds, order};

/// Table 3.3: what three robots get for three tasks.
pub fn table_3_3() -> Instance {
    let task = |number: usize, rewards: [f64; 3]| Task {
        id: format!("tau{}", number + 1),
        utility: None,
        plans: vec![Plan { reward: Reward::Mean, subtasks: vec![rewards.map(Some).to_vec()] }],
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
    // As one round for single robots it is one assignment, which finds the 30.
    assert_eq!(in_rounds(&table_3_3()).expect("sound").value, 30.0);
}

/// 3.7: utility over the average coalition size.
#[test]
fn the_order_is_utility_over_average_size() {
    let plan = |size: usize| Plan { reward: Reward::Sum, subtasks: vec![vec![Some(1.0); 6]; size] };
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
