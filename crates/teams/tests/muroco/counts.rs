//! Table 3.1: messages per auction, those of a robot to itself included.

use crate::field::{Field, tasks};
use crewlab_teams::muroco::params::{CoalitionReward, Evaluation, Pruning};
use crewlab_teams::muroco::{MurocoParams, Tally};

/// Runs until the first auction has ended, and counts.
fn count(params: MurocoParams, robots: usize, single: usize, several: &[usize]) -> Tally {
    let tasks = tasks(single, several);
    let able = |task: &crewlab_onboard::TaskSpec| if task.plans.is_empty() { 10.0 } else { f64::INFINITY };
    let costs = vec![tasks.iter().map(able).collect::<Vec<_>>(); robots];
    let mut field = Field::new(params, tasks, costs, 1_000_000, 1);
    field.steps(60);
    let busy = field.robots.iter().filter(|robot| robot.software.active.is_some()).count();
    assert_eq!(busy, robots, "the worst case: everybody gets something");
    field.tally()
}

#[test]
fn an_auction_for_single_robots_takes_four_messages_per_robot() {
    for robots in 1..=8 {
        let tally = count(MurocoParams::default(), robots, robots, &[]);
        let r = robots as u64;
        let expected = Tally { announce: r, request: 0, reply: 0, bid: r, assign: r, acknowledge: r };
        assert_eq!(tally, expected);
        assert_eq!(tally.total(), 4 * r);
    }
}

#[test]
fn an_auction_for_a_coalition_takes_r_squared_and_3_r() {
    for robots in 2..=8 {
        // With the sum of rewards the largest coalition is the best one.
        let params = MurocoParams { coalition_reward: CoalitionReward::Sum, ..MurocoParams::default() };
        let tally = count(params, robots, 0, &[robots]);
        let r = robots as u64;
        let expected = Tally { announce: r, request: 0, reply: 0, bid: r, assign: r, acknowledge: r * r };
        assert_eq!(tally, expected);
        assert_eq!(tally.total(), r * r + 3 * r);
    }
}

#[test]
fn a_distributed_auction_takes_3_r_squared_and_3_r() {
    for robots in 2..=8 {
        let params = MurocoParams {
            coalition_reward: CoalitionReward::Sum,
            evaluation: Evaluation::Distributed,
            pruning: Pruning::Off,
            ..MurocoParams::default()
        };
        let tally = count(params, robots, 0, &[robots]);
        let r = robots as u64;
        let expected =
            Tally { announce: r, request: r * r, reply: r * r, bid: r, assign: r, acknowledge: r * r };
        assert_eq!(tally, expected);
        assert_eq!(tally.total(), 3 * r * r + 3 * r);
    }
}

#[test]
fn pruning_saves_messages_and_changes_nothing_else() {
    let winners = |pruning: Pruning| {
        let params = MurocoParams { evaluation: Evaluation::Distributed, pruning, ..MurocoParams::default() };
        let tasks = tasks(0, &[3]);
        // Robot 3 can do nothing; the others can do everything, each at its own cost.
        let able = |robot: usize| {
            move |task: &crewlab_onboard::TaskSpec| {
                if task.part && robot != 3 { 10.0 + robot as f64 } else { f64::INFINITY }
            }
        };
        let costs = (0..4).map(|robot| tasks.iter().map(able(robot)).collect()).collect();
        let mut field = Field::new(params, tasks, costs, 1_000_000, 1);
        field.steps(60);
        let busy: Vec<bool> = field.robots.iter().map(|robot| robot.software.active.is_some()).collect();
        (busy, field.tally().total())
    };
    let (all, most) = winners(Pruning::Off);
    assert_eq!(all, [true, true, false, false], "two are enough, and the mean is best with the cheapest");
    for pruning in [Pruning::Union, Pruning::Each, Pruning::Perfect] {
        let (pruned, fewer) = winners(pruning);
        assert_eq!(pruned, all);
        assert!(fewer <= most, "{pruning:?}: {fewer} of {most}");
    }
}
