//! The index over the world: it must always show the current state, also after changes and after a restart.

mod common;

use common::*;
use crewlab_onboard::geometry::{Pose, vec2};
use crewlab_onboard::{Command, Reading, RobotId, SensorId};
use crewlab_world::scan::{Beam, Fan, Sees};
use crewlab_world::sensors::{KINDS, MountedSensor};
use crewlab_world::{Emission, Object, ObjectId, Shape, World};
use proptest::prelude::*;
use serde_json::json;
use std::f64::consts::TAU;

/// Free way in front of robot 0. [m]
fn ahead(world: &mut World) -> f64 {
    world.reindex();
    let mut out = Vec::new();
    Fan::new(vec![0.0]).cast(
        world,
        RobotId(0),
        Beam { range: 100.0, sees: Sees::Everything, mount: 0.1 },
        &mut out,
    );
    out[0]
}

fn block(x: f64) -> Object {
    Object::obstacle("block", Shape::rectangle(1.0, 1.0), Pose::new(x, 0.5, 0.0))
}

#[test]
fn objects_are_seen_exactly_while_they_exist() {
    let mut world = drawn(">.........");
    assert_close(&[ahead(&mut world)], &[9.25]);
    let far = world.add_object(block(8.5));
    assert_close(&[ahead(&mut world)], &[7.25]);
    let near = world.add_object(block(4.5));
    assert_close(&[ahead(&mut world)], &[3.25]);
    world.object_mut(near).expect("the block").place(Pose::new(6.5, 0.5, 0.0));
    assert_close(&[ahead(&mut world)], &[5.25]);
    world.object_mut(near).expect("the block").penetrability = 1.0;
    assert_close(&[ahead(&mut world)], &[7.25]);
    world.object_mut(far).expect("the block").height = 0.05;
    assert_close(&[ahead(&mut world)], &[9.25]);
    world.object_mut(far).expect("the block").height = 1.0;
    assert!(world.remove_object(near).is_some());
    assert_close(&[ahead(&mut world)], &[7.25]);
    assert!(world.remove_object(far).is_some());
    assert_close(&[ahead(&mut world)], &[9.25]);
}

/// The block is moved from the far corner to the robot's front: an index that still had it there would look for it
/// in the wrong cells and towards the wrong side.
#[test]
fn an_object_that_was_moved_is_looked_for_at_its_new_place() {
    let mut world = drawn(
        "#.........
         ..........
         ..........
         .......>..",
    );
    let dust = sensor("dust", json!({}));
    let rays = Fan::even(4, TAU);
    let sense = |world: &mut World| {
        world.reindex();
        let mut out = Vec::new();
        rays.cast(world, RobotId(0), Beam { range: 1.0, sees: Sees::Walls, mount: 0.1 }, &mut out);
        (out[0], perceive(world, RobotId(0), std::slice::from_ref(&dust)).reading(SensorId(0)).clone())
    };
    assert_eq!(sense(&mut world), (1.0, Reading::Level(0.0)));
    let block = world.object_mut(ObjectId(0)).expect("the block");
    *block.properties.stocks.amount_mut("dust") = 3.0;
    block.place(Pose::new(8.5, 0.5, 0.0));
    assert_eq!(sense(&mut world), (0.25, Reading::Level(3.0)));
}

#[test]
fn changes_show_after_the_index_was_rebuilt() {
    let mut world = drawn("......#");
    let (from, to) = (vec2(0.5, 0.5), vec2(5.5, 0.5));
    assert!(world.in_sight(from, to));
    world.object_mut(ObjectId(0)).expect("the block").place(Pose::new(3.5, 0.5, 0.0));
    world.reindex();
    assert!(!world.in_sight(from, to), "the block was moved between the two");
    // The index still contains the object, which must not cause an error.
    world.remove_object(ObjectId(0));
    assert!(world.in_sight(from, to));
}

#[test]
fn numbers_stay_with_their_objects() {
    let mut world = arena(9.0, 9.0);
    let ids: Vec<ObjectId> = (0..4).map(|i| world.add_object(block(f64::from(i)))).collect();
    assert_eq!(world.remove_object(ids[1]).map(|o| o.id), Some(ids[1]));
    assert_eq!(world.remove_object(ids[1]), None, "it is gone");
    assert!(world.object(ids[1]).is_none() && world.object_mut(ids[1]).is_none());
    assert_eq!(world.object(ids[2]).map(|o| o.pose.position.x), Some(2.0));
    let new = world.add_object(block(7.0));
    assert!(!ids.contains(&new), "numbers are not used again");
    assert_eq!(world.object(new).map(|o| o.pose.position.x), Some(7.0));
    assert_eq!(world.objects().len(), 4);
}

#[test]
fn moved_bodies_and_scripted_objects_are_seen_where_they_are() {
    let mut world = drawn(">....<....");
    assert_close(&[ahead(&mut world)], &[4.5]);
    run(&mut world, 10, |robot, _| Command::drive(f64::from(robot.0), 0.0));
    assert_close(&[ahead(&mut world)], &[3.5]);
    world.bodies.truncate(1);
    let mut cart = block(9.0);
    let points = vec![vec2(5.0, 0.5)];
    cart.script = Some(crewlab_world::Script::new(points, 1.0, false));
    world.add_object(cart);
    assert_close(&[ahead(&mut world)], &[7.75]);
    run(&mut world, 20, |_, _| Command::stop());
    assert_close(&[ahead(&mut world)], &[5.75]);
}

fn one_of_each() -> Vec<MountedSensor> {
    let own = |kind: &str| match kind {
        "microphones" => json!({"frequencies": [440.0]}),
        "side-range" => json!({"sees": "everything"}),
        _ => json!({}),
    };
    let mount = |name| {
        let mut mounted = sensor(name, own(name));
        mounted.quality.relative_noise = 0.1;
        mounted
    };
    KINDS.iter().map(|kind| mount(kind.name)).collect()
}

/// A random world in which every sensor has something to sense.
fn rich_world(seed: u64) -> World {
    let mut world = random_world(seed, 30, 15, 9.0);
    for id in (0..15).map(ObjectId) {
        let object = world.object_mut(id).expect("the object");
        *object.properties.stocks.amount_mut("dust") = 1.0 + f64::from(id.0);
        object.heat = 2.0;
        object.emissions.push(Emission::Sound { frequency: 440.0, level: 1.0, stock: None });
        object.emissions.push(Emission::Beacon { code: format!("b{}", id.0), level: 1.0 });
    }
    run_with(&mut world, 0..20, &crewlab_world::Quality::perfect(0.0, 1.0), false, seed, |i, t| {
        random_command(seed, i, t)
    });
    world
}

proptest! {
    #![proptest_config(cases(12))]

    #[test]
    fn a_restored_world_is_sensed_the_same(seed in 0..1_000_000_u64) {
        let mut world = rich_world(seed);
        let mut restored: World = postcard::from_bytes(&bytes(&world)).expect("a world can be read");
        let sensors = one_of_each();
        let all = |world: &World| -> Vec<_> {
            RobotId::team(world.bodies.len()).map(|me| perceive(world, me, &sensors)).collect()
        };
        world.reindex();
        restored.reindex();
        let percepts = all(&world);
        prop_assert_eq!(&percepts, &all(&restored));
        // Such an equality is meaningful only if there was something to sense.
        let scanner = |p: &crewlab_onboard::Percept| p.ranges(SensorId(0)).iter().any(|r| *r < 2.0);
        prop_assert!(percepts.iter().any(scanner));
        let items = KINDS.iter().position(|k| k.name == "item-detector").expect("the kind") as u8;
        prop_assert!(percepts.iter().any(|p| !p.sightings(SensorId(items)).is_empty()));
        // Both continue in the same way.
        for world in [&mut world, &mut restored] {
            run(world, 20, |i, t| random_command(seed, i, t + 20));
        }
        prop_assert!(bytes(&world) == bytes(&restored));
    }
}

/// Tests lines of sight from everywhere to everywhere, with the index and without. Low things hide nothing.
#[test]
fn lines_of_sight_agree_with_a_full_search() {
    let mut hidden = 0;
    for seed in 0..20 {
        let world = random_world(seed, 0, 30, 10.0);
        for from in &world.items {
            for to in &world.items {
                let way = to.position - from.position;
                let clear = way.length() == 0.0
                    || world.objects().iter().filter(|o| o.impassable() && o.height >= 0.2).all(|object| {
                        let direction = way * (1.0 / way.length());
                        object.outline.ray(from.position, direction, way.length()).is_none()
                    });
                assert_eq!(world.in_sight(from.position, to.position), clear, "seed {seed}");
                hidden += usize::from(!clear);
            }
        }
    }
    // 18 000 pairs: both answers occur often.
    assert!((2_000..16_000).contains(&hidden), "{hidden}");
}
