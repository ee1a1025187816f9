//! The three scenes of figure B.8.

use crate::Robot;
use crewlab_navigation::behaviours::{Behaviour, Outcome};
use crewlab_navigation::routes::{Origin, RouteSettings};
use crewlab_onboard::geometry::{Vec2, vec2};
use std::f64::consts::PI;

/// (a) A street with a kerb on each side. On its own map the robot cannot cross it, but a person leads it over where the kerb is
/// lowered too little to be seen: the planner is not asked, the next waypoint is the person.
#[test]
fn a_person_is_followed_across_a_street() {
    let street = "
        ....................
        ....................
        ####################
        ....................
        ....................
        ....................
        ....................
        ####################
        ....................
        ....................
    ";
    let mut robot = Robot::new(street, 0.5, vec2(5.0, 0.6), RouteSettings::default());
    let across = vec2(5.5, 4.6);
    assert!(robot.planner.plan(robot.at, across).is_err(), "no planned path leads over kerbs");
    robot.ask(Behaviour::FollowPerson);
    // The person walks ahead at 1 m/s; the robot follows at the same speed.
    for cycle in 0..10 {
        let person = vec2(5.0, (1.6 + 0.5 * f64::from(cycle)).min(4.6));
        robot.person.see(person, robot.now());
        match robot.step() {
            Outcome::Drive(next) => {
                assert_eq!(next.origin, Origin::Goal);
                assert!(
                    next.at.distance(person) < 1.1,
                    "the waypoint is the person, of a second ago at most"
                );
                let way = next.at - robot.at;
                robot.at += way * (0.5 / way.length().max(0.5));
            }
            other => panic!("the person is in sight, but: {other:?}"),
        }
    }
    assert!(robot.at.y > 3.9, "{:?}: on the other side", robot.at);
}

/// (b) A sidewalk between houses and a kerb, 1.2 m wide and with a bend, then a passage of 0.8 m between two boxes. The first
/// waypoints come from the Voronoi graph and keep to the middle of the sidewalk. The passage is narrower than the preferred
/// clearance: there the corners of boxes serve.
#[test]
fn a_narrow_sidewalk_leads_over_voronoi_nodes_and_then_over_corners_of_boxes() {
    let mut rows = vec![vec!['.'; 130]; 40];
    let mut fill = |columns: std::ops::Range<usize>, lines: std::ops::Range<usize>| {
        lines.for_each(|row| rows[row][columns.clone()].fill('#'));
    };
    // The sidewalk is from 1.9 to 3.1 m above the lower edge, and from 0.9 to 2.1 m after 4.5 m.
    fill(0..80, 0..9);
    fill(50..80, 0..19);
    fill(0..40, 21..33);
    fill(0..80, 31..33);
    // A square behind it, with two boxes. The robot does not fit between the boxes and the edge.
    fill(0..130, 0..1);
    fill(0..130, 39..40);
    fill(129..130, 0..40);
    fill(95..101, 4..18);
    fill(95..101, 26..36);
    let text: Vec<String> = rows.iter().map(|row| row.iter().collect()).collect();
    let settings = RouteSettings { radius: 0.25, preferred_clearance: 0.45, ..RouteSettings::default() };
    let mut robot = Robot::new(&text.join("\n"), 0.1, vec2(0.9, 2.5), settings);
    robot.ask(Behaviour::GoInDirection(-0.1));
    assert!(matches!(robot.step(), Outcome::Drive(_)), "the sidewalk is free");
    let route = robot.control.aim().expect("an aim").route.clone();
    let origins: Vec<Origin> = route.waypoints.iter().map(|waypoint| waypoint.origin).collect();
    assert_eq!(origins[..2], [Origin::Voronoi, Origin::Voronoi], "{:?}", route.waypoints);
    assert!(origins.contains(&Origin::Corner), "{:?}", route.waypoints);
    let place = |at: Vec2| robot.planner.space().grid().place(at);
    for waypoint in &route.waypoints {
        let clearance = f64::from(robot.planner.space().clearance.squared(place(waypoint.at))).sqrt() - 0.5;
        match waypoint.origin {
            Origin::Voronoi => assert!(clearance >= 4.5, "{waypoint:?} in the middle"),
            _ => assert!(clearance > 2.5, "{waypoint:?} beside an obstacle"),
        }
    }
    // Without the Voronoi graph's preference the passage would be crossed in its middle.
    let through = route.waypoints.iter().filter(|waypoint| waypoint.at.x > 9.0 && waypoint.at.x < 10.7);
    assert!(through.clone().count() > 0 && through.clone().all(|waypoint| waypoint.origin == Origin::Corner));
}

/// (c) A street full of people, with a way around them. Straight on is blocked; the way around begins at a right angle to the
/// direction. The waypoint is not accepted at first. The accuracy falls until it is, and rises again behind the people.
#[test]
fn a_crowd_is_passed_by_relaxing_the_accuracy() {
    let mut rows = vec![vec!['.'; 300]; 100];
    // People side by side, in the form of a bracket that is open towards the robot.
    rows[20..80].iter_mut().for_each(|row| row[40..44].fill('#'));
    rows[20][34..44].fill('#');
    rows[79][34..44].fill('#');
    let text: Vec<String> = rows.iter().map(|row| row.iter().collect()).collect();
    let mut robot = Robot::new(&text.join("\n"), 0.1, vec2(2.4, 5.0), RouteSettings::default());
    robot.ask(Behaviour::GoInDirection(0.0));
    let mut lowest = 1.0_f64;
    let first = loop {
        match robot.step() {
            Outcome::Continue => lowest = lowest.min(robot.control.accuracy()),
            Outcome::Drive(next) => break next,
            other => panic!("{other:?}"),
        }
    };
    let direction = (first.at - robot.at).angle().abs();
    assert!(direction > PI / 6.0 && direction <= PI / 2.0 + 1e-9, "{direction}");
    assert!(lowest < 1.0, "the accuracy was lowered before");
    assert_eq!(robot.control.accuracy(), 1.0, "and is back up");
    assert_eq!(robot.drive(60), None, "it goes on");
    assert!(robot.at.x > 5.0, "{:?}: past the people", robot.at);
}
