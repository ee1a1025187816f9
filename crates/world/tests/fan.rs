//! Fans of rays skip things that they cannot meet; they must not skip more.

mod common;

use common::*;
use crewlab_onboard::RobotId;
use crewlab_onboard::geometry::Vec2;
use crewlab_world::World;
use crewlab_world::scan::{Beam, Fan, Sees};
use proptest::prelude::*;
use std::f64::consts::TAU;

fn cast(fan: &Fan, world: &World, me: RobotId, range: f64, sees: Sees) -> Vec<f64> {
    let mut out = vec![f64::NAN; 3];
    fan.cast(world, me, Beam { range, sees, mount: 0.7 }, &mut out);
    out
}

/// One ray, tested against everything.
fn brute(world: &World, me: RobotId, angle: f64, range: f64, sees: Sees) -> f64 {
    let body = &world.bodies[me];
    let (origin, direction) = (body.pose.position, Vec2::unit(body.pose.heading + angle));
    let reach = body.radius + range;
    let mut hit = reach.min(world.bounds.exit(origin, direction));
    if sees != Sees::Border {
        let seen = world.objects().iter().filter(|o| o.impassable() && o.height >= 0.7);
        hit = seen.filter_map(|o| o.outline.ray(origin, direction, reach)).fold(hit, f64::min);
    }
    if sees == Sees::Everything {
        let others = RobotId::enumerate(&world.bodies).filter(|(other, _)| *other != me);
        let hits = others.filter_map(|(_, o)| o.outline_at(&o.pose).ray(origin, direction, reach));
        hit = hits.fold(hit, f64::min);
    }
    (hit - body.radius).max(0.0)
}

fn sees() -> impl Strategy<Value = Sees> {
    prop_oneof![Just(Sees::Everything), Just(Sees::Walls), Just(Sees::Border)]
}

/// Full circles, halves, slits, and an almost full circle.
fn fov() -> impl Strategy<Value = f64> {
    prop_oneof![Just(TAU), 0.01..TAU, Just(TAU - 1e-6), Just(TAU / 2.0)]
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn evenly_spread_rays_see_what_the_same_rays_see_one_by_one(
        seed: u64,
        rays in 1..200_usize,
        fov in fov(),
        range in 0.1..12.0_f64,
        sees in sees(),
    ) {
        let world = random_world(seed, 30, 20, 8.0);
        let even = Fan::even(rays, fov);
        let listed = Fan::new(even.angles().to_vec());
        for me in RobotId::team(world.bodies.len()) {
            let found = cast(&even, &world, me, range, sees);
            prop_assert_eq!(found.len(), rays);
            prop_assert_eq!(found, cast(&listed, &world, me, range, sees));
        }
    }

    /// Directions are computed in two ways here, which differ by 1e-16. A ray that just touches something might hit
    /// it in one and pass it in the other, but the cases are the same in every run, and none is that unlucky.
    #[test]
    fn rays_agree_with_a_full_search(
        seed: u64,
        rays in 1..60_usize,
        fov in fov(),
        range in 0.1..12.0_f64,
        sees in sees(),
    ) {
        let world = random_world(seed, 30, 20, 8.0);
        let fan = Fan::even(rays, fov);
        for me in RobotId::team(world.bodies.len()) {
            let found = cast(&fan, &world, me, range, sees);
            for (found, angle) in found.iter().zip(fan.angles()) {
                let expected = brute(&world, me, *angle, range, sees);
                prop_assert!(close(*found, expected, 1e-6), "body {}: {} is not {}", me, found, expected);
            }
        }
    }
}

/// Checks the properties above: most rays must end at something, and at all kinds of things.
#[test]
fn the_worlds_are_full_enough_to_prove_something() {
    let world = random_world(1, 30, 20, 8.0);
    let fan = Fan::even(90, TAU);
    let shorter = |one: Sees, other: Sees| -> usize {
        let count = |me| {
            let (one, other) = (cast(&fan, &world, me, 12.0, one), cast(&fan, &world, me, 12.0, other));
            one.iter().zip(&other).filter(|(a, b)| a < b).count()
        };
        RobotId::team(world.bodies.len()).map(count).sum()
    };
    let rays = 90 * world.bodies.len();
    assert!(shorter(Sees::Everything, Sees::Walls) > rays / 10);
    assert!(shorter(Sees::Walls, Sees::Border) > rays / 10);
}
