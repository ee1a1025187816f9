//! Whatever a robot perceives, its controller gives numbers, and never panics.

use super::arena::{LIMITS, boot, identity};
use crewlab_control::KINDS;
use crewlab_onboard::geometry::{Pose, Vec2, vec2};
use crewlab_onboard::{
    Controller, Goal, Neighbour, NoRadio, Percept, RobotId, Scan, Situation, Steering, Stream, StreamKind,
    Time,
};
use proptest::prelude::*;

/// Mostly ordinary numbers, and the worst ones.
fn number(most: f64) -> impl Strategy<Value = f64> {
    prop_oneof![
        8 => -most..most,
        1 => Just(0.0),
        1 => prop::sample::select(vec![f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -0.0, 1e-300]),
    ]
}

fn vector() -> impl Strategy<Value = Vec2> {
    (number(3.0), number(3.0)).prop_map(|(x, y)| vec2(x, y))
}

fn neighbour() -> impl Strategy<Value = Neighbour> {
    let finite = (-3.0..3.0f64, -3.0..3.0f64, -1.0..1.0f64, -1.0..1.0f64, 0.0..0.5f64, 0..9u16);
    finite.prop_map(|(x, y, vx, vy, radius, id)| Neighbour {
        id: RobotId(id),
        position: vec2(x, y),
        velocity: vec2(vx, vy),
        radius,
        priority: 0,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn commands_are_finite(
        ranges in prop::collection::vec(number(2.0), 0..40),
        neighbours in prop::collection::vec(neighbour(), 0..12),
        goal in (number(7.0), prop_oneof![Just(0.0), Just(f64::INFINITY), 0.0..5.0f64]),
        at in prop::option::of((vector(), number(7.0))),
        ticks in 1..4u64,
    ) {
        let angles: Vec<f64> = (0..36).map(|n| f64::from(n) * 0.17).collect();
        for kind in KINDS {
            let mut controller = boot(kind.name, 3);
            let mut random = Stream::new(1, StreamKind::Decisions, 0, 0);
            for tick in 0..ticks {
                let (me, percept) = (identity(3), Percept::default());
                let now = Time(tick * 100_000_000);
                let situation = Situation { now, dt: 0.1, me: &me, tasks: &[], percept: &percept, radio: &NoRadio };
                let pose = at.map(|(position, heading)| Pose { position, heading });
                let (speed, turn) = controller.steer(
                    &Steering {
                        goal: Goal { bearing: goal.0, distance: goal.1 },
                        pose,
                        scan: Scan::new(&angles, &ranges, 2.0),
                        neighbours: &neighbours,
                        limits: LIMITS,
                        situation: &situation,
                    },
                    &mut random,
                );
                prop_assert!(speed.is_finite() && turn.is_finite(), "{}: {speed} {turn}", kind.name);
            }
        }
    }
}
