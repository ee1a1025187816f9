//! A corridor where only one robot fits.

use super::arena::{Arena, DT};
use crewlab_control::deadlock::{Deadlock, Way};
use crewlab_onboard::{Controller, RobotId, Steering, Stream, StreamKind};

/// Two robots that want to pass each other; the corridor is 0.75 m wide, and they are 0.4 m each.
fn lane(name: &str) -> Arena {
    let (mut arena, letters) = Arena::draw(
        "
########################################
#..............##########..............#
#..............##########..............#
#..............##########..............#
#..a................................b..#
#......................................#
#......................................#
#..............##########..............#
#..............##########..............#
#..............##########..............#
########################################
",
    );
    let place = |letter: char| letters.iter().find(|(l, _)| *l == letter).expect("a letter").1;
    // In the middle of the corridor.
    let (a, b) = (place('a'), place('b'));
    let lower = crewlab_onboard::geometry::vec2(0.0, -0.25);
    arena.add(name, a + lower, b + lower);
    arena.add(name, b + lower, a + lower);
    arena
}

/// Drives both robots with their share of the rule; returns how often one has backed out, and who.
fn run(arena: &mut Arena, seconds: f64) -> Vec<RobotId> {
    let mut rules = [Deadlock::default(), Deadlock::default()];
    let mut found = Vec::new();
    let mut random = Stream::new(1, StreamKind::Decisions, 0, 0);
    while !arena.arrived() && arena.tick as f64 * DT < seconds {
        arena.step_by(|me, controller, steering| {
            let (way, blocked) = rules[me].resolve(steering, (0, RobotId(me as u16)));
            found.extend(blocked.map(|_| RobotId(me as u16)));
            match way {
                Way::On => controller.steer(steering, &mut random),
                Way::Back(goal) => controller.steer(&Steering { goal, ..*steering }, &mut random),
                Way::Aside => (0.0, 0.0),
            }
        });
    }
    found
}

#[test]
fn the_second_by_priority_backs_out_and_both_get_through() {
    for name in super::SOCIABLE {
        let mut arena = lane(name);
        let found = run(&mut arena, 180.0);
        let places: Vec<_> = arena.robots.iter().map(|robot| robot.pose.position).collect();
        assert!(arena.arrived(), "{name}: {places:?} after {found:?}");
        assert_eq!(found.first(), Some(&RobotId(1)), "{name}: {found:?}");
        assert!(arena.gaps[0] > 0.0 && arena.gaps[1] > 0.0, "{name}: {:?}", arena.gaps);
    }
}
