//! Who auctions, and what happens when that robot is lost.

use crate::field::{Field, tasks};
use crewlab_onboard::EventKind;
use crewlab_teams::muroco::params::{Evaluation, Role, Search};
use crewlab_teams::muroco::{MarketMessage, MurocoParams};

fn team(params: MurocoParams, robots: usize, jobs: usize, work: u32) -> Field {
    let tasks = tasks(jobs, &[]);
    let costs = (0..robots).map(|r| (0..jobs).map(|j| 5.0 + ((r * 3 + j * 7) % 5) as f64).collect());
    Field::new(params, tasks, costs.collect(), work, 3)
}

fn role(auctioneer: Role) -> MurocoParams {
    MurocoParams { auctioneer, ..MurocoParams::default() }
}

#[test]
fn every_strategy_every_evaluation_and_every_search_gets_the_work_done() {
    for auctioneer in [Role::Fixed, Role::Receiver, Role::PriorityQueue] {
        for evaluation in [Evaluation::Central, Evaluation::Distributed] {
            for search in [Search::Exhaustive, Search::Matching, Search::BranchAndBound, Search::Joint] {
                let params = MurocoParams { evaluation, search, ..role(auctioneer) };
                let tasks = tasks(3, &[2]);
                let costs = vec![vec![6.0; tasks.len()]; 4]
                    .into_iter()
                    .map(|costs| {
                        let able = |(cost, task): (f64, &crewlab_onboard::TaskSpec)| {
                            if task.plans.is_empty() { cost } else { f64::INFINITY }
                        };
                        costs.into_iter().zip(&tasks).map(able).collect()
                    })
                    .collect();
                let mut field = Field::new(params, tasks.clone(), costs, 40, 9);
                field.steps(400);
                assert!(field.done(), "{auctioneer:?} {evaluation:?} {search:?}: {:?}", field.jobs);
            }
        }
    }
}

#[test]
fn one_robot_announces_what_all_have_found() {
    for auctioneer in [Role::Fixed, Role::PriorityQueue, Role::Receiver] {
        let mut field = team(role(auctioneer), 3, 3, 50);
        field.steps(300);
        let announces = |talk: &MarketMessage| matches!(talk, MarketMessage::Announce { .. });
        let auctioneers =
            field.robots.iter().filter(|robot| robot.said.iter().any(|(_, _, talk)| announces(talk))).count();
        assert_eq!(auctioneers, 1, "{auctioneer:?}");
        assert!(field.done(), "{auctioneer:?}");
    }
}

#[test]
fn the_next_in_the_queue_takes_over_and_nothing_is_lost() {
    let mut field = team(role(Role::PriorityQueue), 3, 4, 100);
    field.steps(40);
    field.robots[0].runs = false;
    field.steps(60);
    assert_eq!(field.events("took-chair").len(), 1, "the next one, not both");
    assert_eq!(field.robots[1].events.iter().filter(|(_, e)| e.kind == EventKind::TookChair).count(), 1);
    field.steps(500);
    assert!(field.done(), "{:?}", field.jobs);
    // It comes back without memory: it is the first of the queue again.
    field.robots[0].runs = true;
    field.reboot(0);
    field.steps(60);
    assert_eq!(field.robots[1].events.iter().filter(|(_, e)| e.kind == EventKind::LeftChair).count(), 1);
}

#[test]
fn a_fixed_auctioneer_is_a_single_point_of_failure() {
    let mut field = team(role(Role::Fixed), 3, 6, 100);
    field.steps(40);
    field.robots[0].runs = false;
    field.steps(2000);
    assert!(!field.done(), "that is the price of this strategy");
}

#[test]
fn another_robot_auctions_the_tasks_of_a_lost_receiver() {
    let mut field = team(role(Role::Receiver), 3, 4, 100);
    field.steps(40);
    field.robots[0].runs = false;
    field.steps(800);
    assert!(field.done(), "{:?}", field.jobs);
}

#[test]
fn a_dead_robots_task_is_auctioned_again_soon_after_its_silence_is_noticed() {
    let mut field = team(role(Role::PriorityQueue), 4, 2, 100_000);
    field.steps(60);
    let worker = (1..4).find(|robot| field.robots[*robot].software.active.is_some()).expect("a worker");
    let lost = field.robots[worker].software.performer.at.clone().expect("work").0;
    field.robots[worker].runs = false;
    let died = field.tick;
    let taken = (0..200).find(|_| {
        field.step();
        let takes = |robot: &crate::field::Robot| {
            robot.runs && robot.software.performer.at.as_ref().is_some_and(|(piece, _, _)| *piece == lost)
        };
        field.robots.iter().any(takes)
    });
    assert!(taken.is_some());
    // 5 s of silence after its last word, at most 1 s old; an auction takes less than a second.
    assert!(field.tick - died <= 65, "{} ticks", field.tick - died);
}
