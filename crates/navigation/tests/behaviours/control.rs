//! Algorithm B.1 with figures B.5 and B.6.

use crate::Robot;
use crewlab_navigation::behaviours::{AimKind, Behaviour, Caller, Failure, Outcome, Trigger};
use crewlab_navigation::routes::{Cell, NoRoute, RouteSettings};
use crewlab_onboard::geometry::vec2;

/// A room with a table, of 14 m x 7 m.
const ROOM: &str = "
    ############################
    #..........................#
    #..........................#
    #..........................#
    #..........####............#
    #..........####............#
    #..........####............#
    #..........####............#
    #..........####............#
    #..........####............#
    #..........................#
    #..........................#
    #..........................#
    ############################
";

fn robot() -> Robot {
    Robot::new(ROOM, 0.5, vec2(2.0, 3.0), RouteSettings::default())
}

#[test]
fn a_robot_that_is_asked_for_nothing_stands() {
    assert_eq!(robot().step(), Outcome::Stand);
}

#[test]
fn a_goal_is_reached_around_a_table() {
    let mut robot = robot();
    robot.ask(Behaviour::ReachGoal(vec2(10.0, 3.0)));
    assert_eq!(robot.drive(200), Some(Outcome::Completed));
    assert!(robot.at.distance(vec2(10.0, 3.0)) <= 0.3 && robot.control.selection().is_inactive());
    assert_eq!(robot.step(), Outcome::Stand);
}

/// Figure B.5: MAXTRIALS of 4 are exceeded by the fifth failed trial, and four accuracies (1, 0.75, 0.5, 0.25) get five trials each.
#[test]
fn a_goal_that_cannot_be_reached_lowers_the_accuracy_until_the_behaviour_fails() {
    let mut robot = robot();
    // Outside of the map, farther than any tolerance.
    robot.ask(Behaviour::ReachGoal(vec2(30.0, 3.0)));
    let mut accuracies = Vec::new();
    let failed = loop {
        match robot.step() {
            Outcome::Continue => accuracies.push(robot.control.accuracy()),
            end => break end,
        }
    };
    assert_eq!(failed, Outcome::Failed(Failure::Accuracy(Some(NoRoute::GoalOutside))));
    let expected: Vec<f64> = [1.0, 0.75, 0.5, 0.25].iter().flat_map(|accuracy| [*accuracy; 5]).collect();
    assert_eq!(accuracies, expected);
    assert!(robot.control.selection().is_inactive(), "whoever asked is asked again");
    robot.ask(Behaviour::ReachGoal(vec2(4.0, 3.0)));
    assert!(matches!(robot.step(), Outcome::Drive(_)), "a new request starts with full accuracy");
    assert_eq!(robot.control.accuracy(), 1.0);
}

/// A goal in a table: at a lower accuracy it is enough to get near.
#[test]
fn a_goal_in_an_obstacle_is_reached_as_far_as_possible() {
    let mut robot = robot();
    robot.ask(Behaviour::ReachGoal(vec2(5.9, 3.2)));
    assert_eq!(robot.drive(200), Some(Outcome::Completed));
    let distance = robot.at.distance(vec2(5.9, 3.2));
    assert!(distance > 0.5 && distance < 2.0, "{distance}");
}

/// B.5: while no path is known, the robot goes to the frontier nearest to its goal, and on when it sees more.
#[test]
fn a_goal_in_the_unknown_is_approached_over_the_nearest_frontier() {
    let mut robot = robot();
    let known = robot.planner.space().grid().clone();
    let mut seen = known.clone();
    // The right part of the room is not known yet, nor is a corner on the left.
    let hidden = |column: i32, row: i32| column > 7 || (column < 4 && row > 9);
    for row in 0..14 {
        (0..24)
            .filter(|column| hidden(*column, row))
            .for_each(|column| seen.set((column, row), Cell::Unknown));
    }
    robot.planner.update(&seen);
    robot.ask(Behaviour::ReachGoal(vec2(10.0, 3.0)));
    assert!(matches!(robot.step(), Outcome::Drive(_)));
    let aim = robot.control.aim().expect("an aim").clone();
    assert_eq!(aim.kind, AimKind::Frontier);
    assert!((aim.at.x - 3.75).abs() < 0.01 && (aim.at.y - 3.25).abs() <= 1.0, "{:?}", aim.at);
    robot.planner.update(&known);
    assert_eq!(robot.drive(200), Some(Outcome::Completed));
}

/// B.4: a large unknown area is worth a longer way, unless the way is expensive.
#[test]
fn exploration_weighs_what_can_be_seen_against_the_way() {
    let street = "
        ############################
        ??.......................???
        #?.......................???
        #########################???
    ";
    let first = |gamma: f64| {
        let settings = RouteSettings { radius: 0.1, least_frontier: 1, ..RouteSettings::default() };
        let mut robot = Robot::new(street, 0.5, vec2(3.0, 1.25), settings);
        let aim = crewlab_navigation::behaviours::Aim::explore(&mut robot.planner, robot.at, gamma);
        aim.expect("a start").expect("a frontier").at.x
    };
    assert!(first(0.0) > 10.0, "the large one, far away");
    assert!(first(1.0) < 2.0, "the small one nearby");
    let mut robot = robot();
    robot.ask(Behaviour::Explore);
    assert_eq!(robot.step(), Outcome::Completed, "nothing is unknown");
}

#[test]
fn a_direction_is_followed_until_a_crossroads() {
    let mut robot = robot();
    robot.at = vec2(1.0, 1.0);
    robot.ask(Behaviour::GoInDirection(0.0));
    let Outcome::Drive(next) = robot.step() else { panic!("the way is free") };
    assert!((next.at.y - 1.0).abs() < 0.5 && next.at.x > 5.0, "{next:?}");
    robot.crossroads = true;
    assert_eq!(robot.step(), Outcome::Completed);
}

#[test]
fn a_direction_into_a_wall_is_given_up_and_asked_for_again() {
    let mut robot = robot();
    robot.ask(Behaviour::GoInDirection(std::f64::consts::PI));
    assert!(matches!(robot.drive(100), Some(Outcome::Failed(Failure::Accuracy(_)))));
}

#[test]
fn the_loop_runs_twice_per_second() {
    let mut robot = robot();
    robot.ask(Behaviour::ReachGoal(vec2(10.0, 3.0)));
    let scene = |robot: &Robot, seconds: f64| {
        let pose = crewlab_onboard::geometry::Pose { position: robot.at, heading: 0.0 };
        (pose, crewlab_onboard::Time::from_seconds(seconds))
    };
    let mut planned = 0;
    for tick in 0..100 {
        let (pose, now) = scene(&robot, 0.1 * f64::from(tick));
        let scene =
            crewlab_navigation::behaviours::Scene { pose, person: &robot.person, crossroads: false, now };
        planned += u32::from(matches!(robot.control.step(&mut robot.planner, &scene), Outcome::Drive(_)));
    }
    assert_eq!(planned, 20, "in ten seconds");
}

#[test]
fn an_emergency_takes_over_and_a_whim_does_not() {
    let mut robot = robot();
    robot.ask(Behaviour::ReachGoal(vec2(10.0, 3.0)));
    let ask = |priority, behaviour| Trigger { caller: Caller { id: 9, priority }, behaviour };
    assert!(!robot.control.trigger(ask(1, Behaviour::Explore)));
    assert!(matches!(robot.step(), Outcome::Drive(_)));
    assert!(robot.control.trigger(ask(200, Behaviour::Idle)));
    assert_eq!(robot.step(), Outcome::Stand);
}
