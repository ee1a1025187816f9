//! Properties of any team in any world: nothing overlaps, and threads do not matter.

mod common;

use common::*;
use crewlab_world::{Quality, World};
use proptest::prelude::*;
use std::f64::consts::TAU;

const DRIVE: Quality =
    Quality { relative_noise: 0.2, bias: 0.05, dropout: 0.05, ..Quality::perfect(0.0, TAU) };

/// Moves a random crowd and checks it after every tick.
fn watch(seed: u64, bodies: usize, objects: usize, side: f64, ticks: u64) -> World {
    let mut world = random_world(seed, bodies, objects, side);
    assert_nothing_overlaps(&world, "at the start");
    for tick in 0..ticks {
        run_with(&mut world, tick..tick + 1, &DRIVE, false, seed, |i, t| random_command(seed, i, t));
        assert_nothing_overlaps(&world, &format!("after tick {tick}"));
    }
    world
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn nothing_ever_overlaps(seed: u64, bodies in 5..60_usize, objects in 0..20_usize, side in 4.0..15.0_f64) {
        watch(seed, bodies, objects, side, 200);
    }
}

/// Checks the property above: its worlds must be full enough for bodies to meet all kinds of things.
#[test]
fn the_crowds_are_dense_enough_to_prove_something() {
    let worlds: Vec<World> = (0..4).map(|seed| watch(seed, 60, 20, 9.0, 100)).collect();
    for world in &worlds {
        assert!(world.bodies.len() >= 40, "{} bodies found a place", world.bodies.len());
        assert!(world.collisions() > 500, "{} touches", world.collisions());
    }
    let touched = |kind: fn(&crewlab_world::Obstacle) -> bool| {
        worlds.iter().flat_map(|w| &w.bodies).filter_map(|b| b.contact).filter(|c| kind(&c.with)).count()
    };
    use crewlab_world::Obstacle::{Body, Border, Object};
    assert!(touched(|o| matches!(o, Border)) > 5);
    assert!(touched(|o| matches!(o, Body(_))) > 5);
    assert!(touched(|o| matches!(o, Object(_))) > 5);
    let scripted = worlds.iter().flat_map(World::objects).filter(|o| o.script.is_some()).count();
    assert!(scripted > 5, "{scripted} objects move");
    let struck: u64 = worlds.iter().flat_map(|w| &w.bodies).map(|b| b.struck).sum();
    assert!(struck > 20, "objects that do not yield ran into robots {struck} times");
    let walks = worlds.iter().flat_map(World::objects).filter_map(|o| o.script.as_ref());
    assert!(walks.filter(|script| script.within.is_some() && script.points.len() > 2).count() > 2);
    let through = worlds.iter().filter(|world| {
        let inside = |b: &crewlab_world::Body, o: &crewlab_world::Object| {
            o.impassable() && o.outline.contains(b.pose.position)
        };
        world.bodies.iter().any(|b| world.objects().iter().any(|o| inside(b, o)))
    });
    assert!(through.count() > 0, "nobody stands in an object that makes an exception");
}

fn moved(world: &World, parallel: bool) -> World {
    let mut world = world.clone();
    run_with(&mut world, 0..30, &DRIVE, parallel, 5, |i, t| random_command(5, i, t));
    world
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let world = random_world(5, 1000, 60, 40.0);
    assert!(world.bodies.len() >= 600, "fewer would not be moved in parallel");
    let expected = moved(&world, false);
    // Both ways of moving are taken: some bodies touch things, others drive freely.
    let untouched = expected.bodies.iter().filter(|b| b.contacts == 0 && b.travelled > 0.5).count();
    assert!(expected.collisions() > 200 && untouched > 50, "{} {untouched}", expected.collisions());
    for threads in [1, 2, 8] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        assert!(bytes(&pool.install(|| moved(&world, true))) == bytes(&expected), "{threads} threads differ");
    }
}
