//! Controllers that avoid: what their papers promise, in small scenes, and nonsense that must not bring them down.

mod arena;
mod deadlock;
mod nonsense;

use arena::{Arena, LIMITS};
use crewlab_onboard::geometry::{Vec2, vec2};
use std::f64::consts::TAU;

/// Those whose robots tell each other where they are.
const SOCIABLE: [&str; 2] = ["orca", "human-like"];
const ALL: [&str; 3] = ["vfh", "orca", "human-like"];

fn open() -> Arena {
    Arena::draw("").0
}

#[test]
fn an_empty_way_is_driven_straight() {
    for name in ALL {
        let mut arena = open();
        arena.add(name, vec2(0.0, 0.0), vec2(4.0, 0.0));
        arena.run(11.0);
        let aside = arena.robots[0].way.iter().map(|at| at.y.abs()).fold(0.0, f64::max);
        assert!(aside < 1e-6, "{name}: {aside} m");
    }
}

/// Van den Berg et al.: both take half of the avoidance, so that two robots that meet head-on do the same.
#[test]
fn two_robots_that_meet_head_on_pass_alike_without_contact() {
    for name in SOCIABLE {
        let mut arena = open();
        arena.add(name, vec2(-2.5, 0.0), vec2(2.5, 0.0));
        arena.add(name, vec2(2.5, 0.0), vec2(-2.5, 0.0));
        arena.run(25.0);
        assert!(arena.gaps[0] > 0.0, "{name}: {} m", arena.gaps[0]);
        let [one, other] = &arena.robots[..] else { panic!("two robots") };
        for (a, b) in one.way.iter().zip(&other.way) {
            assert!((*a + *b).length() < 1e-6, "{name}: {a:?} and {b:?} are not opposite");
        }
    }
}

#[test]
fn eight_robots_on_a_circle_swap_places() {
    for name in SOCIABLE {
        let mut arena = open();
        for n in 0..8 {
            let place = Vec2::unit(TAU * f64::from(n) / 8.0) * 3.0;
            arena.add(name, place, -place);
        }
        arena.run(60.0);
        assert!(arena.gaps[0] > -1e-3, "{name}: {} m", arena.gaps[0]);
    }
}

/// The way straight ahead is closed; VFH+ takes the gap beside it, and the others get round too.
#[test]
fn a_gap_in_a_wall_is_found() {
    for name in ALL {
        let (mut arena, letters) = Arena::draw(
            "
....................
..........#.........
..........#.........
....................
....................
....................
..........#.........
....a.....#.......g.
..........#.........
..........#.........
..........#.........
..........#.........
",
        );
        let place = |letter: char| letters.iter().find(|(l, _)| *l == letter).expect("a letter").1;
        arena.add(name, place('a'), place('g'));
        arena.run(60.0);
        assert!(arena.gaps[1] > 0.0, "{name}: {} m", arena.gaps[1]);
    }
}

/// Guzzi et al.: the speed falls with the free distance, so that the robot can stop within η.
#[test]
fn a_human_like_robot_slows_down_before_an_obstacle() {
    let (mut arena, _) = Arena::draw(&"...............#\n".repeat(40));
    arena.add("human-like", vec2(1.0, 5.0), vec2(6.0, 5.0));
    // It turns aside in the end; before, it must be slow.
    while arena.robots[0].pose.heading.abs() < 0.3 && arena.tick < 100 {
        let free = 3.75 - arena.robots[0].pose.position.x - LIMITS.radius;
        arena.step();
        let speed = arena.robots[0].speeds.0;
        assert!(speed <= free / 0.5 + 1e-6, "{speed} m/s, {free} m from the wall");
    }
    assert!(arena.gaps[1] > 0.0, "{:?}", arena.gaps);
    assert!(arena.robots[0].way.last().expect("a way").x > 2.5, "it came near");
}
