//! Robots push objects: what moves, what turns, what stays, and that nothing overlaps.

mod common;

use common::*;
use crewlab_onboard::geometry::{Pose, Vec2, vec2};
use crewlab_onboard::{Command, RobotId};
use crewlab_world::pushing::Pushable;
use crewlab_world::{Object, ObjectId, Quality, Script, Shape, World};
use proptest::prelude::*;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// A box of 0.4 m by 3 m whose long sides face left and right, in the middle of a room.
const LENGTH: f64 = 3.0;
const FRICTION: f64 = 10.0;

fn add(world: &mut World, name: &str, shape: Shape, pose: Pose) -> ObjectId {
    let mut object = Object::obstacle(name, shape, pose);
    object.pushable = Pushable::new(&object.shape, FRICTION);
    world.add_object(object)
}

fn room() -> (World, ObjectId) {
    let mut world = arena(12.0, 8.0);
    let id = add(&mut world, "box", Shape::rectangle(0.4, LENGTH), Pose::new(5.0, 4.0, 0.0));
    (world, id)
}

/// A robot that touches the box from the left, this far above its middle.
fn pusher(world: &mut World, up: f64) -> RobotId {
    world.bodies.push(disc(vec2(4.8 - RADIUS - 1e-3, 4.0 + up), 0.0));
    RobotId::from_index(world.bodies.len() - 1)
}

fn drive(world: &mut World, seconds: f64, speed: f64) {
    run(world, (seconds * 10.0) as u64, |_, _| Command::drive(speed, 0.0));
}

fn pose(world: &World, id: ObjectId) -> Pose {
    world.object(id).expect("the box").pose
}

#[test]
fn a_push_through_the_middle_moves_it_straight() {
    let (mut world, id) = room();
    pusher(&mut world, 0.0);
    drive(&mut world, 5.0, 0.2);
    let pose = pose(&world, id);
    assert!(close(pose.position.x, 6.0, 5e-3) && close(pose.position.y, 4.0, 1e-6), "{pose:?}");
    assert!(pose.heading.abs() < 1e-6);
    assert_eq!(world.collisions(), 0, "what gives way is no collision");
    let pushable = world.object(id).and_then(|object| object.pushable.clone()).expect("pushable");
    assert_eq!(pushable.pushes, 1, "a push that lasts counts once");
    assert_nothing_overlaps(&world, "after the push");
}

/// The centre of rotation lies arm² / offset beyond the centre, as for a quasi-static push against an ellipsoidal limit surface.
#[test]
fn a_push_at_one_end_turns_it_about_a_point_beyond_its_middle() {
    for up in [1.3, -1.3, 0.4] {
        let (mut world, id) = room();
        pusher(&mut world, up);
        drive(&mut world, 1.0, 0.1);
        let (pose, pushable) = (pose(&world, id), world.object(id).and_then(|o| o.pushable.clone()));
        let arm = pushable.expect("pushable").arm;
        let turned = 0.1 / (up + arm * arm / up);
        assert!(close(pose.heading, -turned, 0.05 * turned.abs()), "{up}: {} for {turned}", pose.heading);
        let ahead = 5.0 + turned * arm * arm / up;
        assert!(close(pose.position.x, ahead, 3e-3), "{up}: {} for {ahead}", pose.position.x);
    }
}

#[test]
fn two_robots_at_the_ends_move_it_straight_and_one_of_them_only_turns_it() {
    let (mut world, id) = room();
    pusher(&mut world, 1.2);
    pusher(&mut world, -1.2);
    drive(&mut world, 5.0, 0.2);
    let both = pose(&world, id);
    assert!(close(both.position.x, 6.0, 0.01) && both.heading.abs() < 0.01, "{both:?}");
    let (mut world, id) = room();
    pusher(&mut world, 1.2);
    drive(&mut world, 5.0, 0.2);
    let one = pose(&world, id);
    assert!(one.heading < -0.5 && one.position.x < 5.5, "{one:?}");
}

#[test]
fn a_robot_that_stands_behind_the_other_end_is_a_pivot() {
    let (mut world, id) = room();
    pusher(&mut world, 1.2);
    pusher(&mut world, -1.2);
    let free = {
        let (mut world, id) = room();
        pusher(&mut world, 1.2);
        drive(&mut world, 1.0, 0.2);
        pose(&world, id)
    };
    run(&mut world, 10, |robot, _| Command::drive(if robot == RobotId(0) { 0.2 } else { 0.0 }, 0.0));
    let held = pose(&world, id);
    assert!(held.position.x > free.position.x + 0.03, "{held:?} {free:?}");
    assert_eq!(
        world.bodies[1].pose.position,
        vec2(4.8 - RADIUS - 1e-3, 2.8),
        "robots do not push each other"
    );
    assert_nothing_overlaps(&world, "about the pivot");
}

/// A robot may be too weak to move a box straight and strong enough to turn it; two of them are strong enough.
#[test]
fn a_heavy_box_needs_two_robots() {
    let moved = |ups: &[f64]| {
        let (mut world, id) = room();
        for up in ups {
            let robot = pusher(&mut world, *up);
            world.bodies[robot].drive.max_push = Some(0.6 * FRICTION);
        }
        drive(&mut world, 3.0, 0.2);
        let pose = pose(&world, id);
        (pose.position.x - 5.0, pose.heading)
    };
    assert_eq!(moved(&[0.0]), (0.0, 0.0), "one alone in the middle");
    let (_, turned) = moved(&[1.2]);
    assert!(turned < -0.2, "one alone at an end: {turned}");
    let (ahead, turned) = moved(&[1.2, -1.2]);
    assert!(close(ahead, 0.6, 0.02) && turned.abs() < 0.02, "two: {ahead} {turned}");
}

#[test]
fn it_stops_at_walls_borders_robots_and_other_boxes() {
    let room_with = |thing: &dyn Fn(&mut World)| {
        let (mut world, id) = room();
        pusher(&mut world, 0.0);
        thing(&mut world);
        run(&mut world, 300, |robot, _| Command::drive(if robot == RobotId(0) { 0.3 } else { 0.0 }, 0.0));
        assert_nothing_overlaps(&world, "pushed against something");
        pose(&world, id).position.x
    };
    let wall = room_with(&|world| {
        let wall = Shape::Segment(vec2(0.0, -2.0), vec2(0.0, 2.0));
        world.add_object(Object::obstacle("wall", wall, Pose::new(7.0, 4.0, 0.0)));
    });
    assert!(close(wall, 6.8, 2e-3) && wall <= 6.8, "{wall}");
    let border = room_with(&|_| {});
    assert!(close(border, 11.8, 2e-3) && border <= 11.8, "{border}");
    let robot = room_with(&|world| world.bodies.push(disc(vec2(7.0, 4.0), 0.0)));
    assert!(close(robot, 6.8 - RADIUS, 2e-3) && robot <= 6.8 - RADIUS, "robots are not pushed: {robot}");
    let boxes = room_with(&|world| {
        add(world, "other", Shape::rectangle(0.4, 0.4), Pose::new(7.0, 4.0, 0.0));
    });
    assert!(close(boxes, 6.6, 2e-3) && boxes <= 6.6, "a box does not push another: {boxes}");
}

#[test]
fn it_slides_along_a_wall_beside_it() {
    let (mut world, id) = room();
    let wall = Shape::Segment(vec2(-4.0, 0.0), vec2(4.0, 0.0));
    world.add_object(Object::obstacle("wall", wall, Pose::new(6.0, 4.0 + LENGTH / 2.0 + 1e-3, 0.0)));
    pusher(&mut world, 0.0);
    drive(&mut world, 5.0, 0.2);
    assert!(close(pose(&world, id).position.x, 6.0, 0.01));
    assert_nothing_overlaps(&world, "beside a wall");
}

#[test]
fn other_objects_are_not_pushed_and_persons_wait_for_boxes() {
    let mut world = arena(12.0, 8.0);
    let desk =
        world.add_object(Object::obstacle("desk", Shape::rectangle(0.4, 3.0), Pose::new(5.0, 4.0, 0.0)));
    pusher(&mut world, 0.0);
    drive(&mut world, 5.0, 0.2);
    assert_eq!(pose(&world, desk), Pose::new(5.0, 4.0, 0.0));
    for yields in [true, false] {
        let (mut world, id) = room();
        let mut cart = Object::obstacle("cart", Shape::Circle { radius: 0.3 }, Pose::new(2.0, 4.0, 0.0));
        cart.script = Some(Script { yields, ..Script::new(vec![vec2(9.0, 4.0)], 0.5, false) });
        let cart = world.add_object(cart);
        run(&mut world, 200, |_, _| Command::stop());
        assert_eq!(pose(&world, id).position, vec2(5.0, 4.0));
        assert!(pose(&world, cart).position.x <= 4.5, "{yields}");
    }
}

/// The length of a tick hardly matters.
#[test]
fn a_long_tick_pushes_as_far_as_many_short_ones() {
    let (mut world, id) = room();
    pusher(&mut world, 0.8);
    drive(&mut world, 1.0, 0.5);
    let short = pose(&world, id);
    let (mut world, id) = room();
    pusher(&mut world, 0.8);
    drive(&mut world, 0.1, 5.0);
    let long = pose(&world, id);
    assert!(short.position.distance(long.position) < 2e-3 && close(short.heading, long.heading, 2e-3));
}

/// Random boxes among random robots, walls and persons. Each starts in a free place.
fn with_boxes(seed: u64, bodies: usize, objects: usize, boxes: usize, side: f64) -> World {
    let mut world = random_world(seed, bodies, objects, side);
    // Objects that move through walls by their script would overlap boxes at walls.
    let mut random = crewlab_onboard::Stream::new(seed, crewlab_onboard::StreamKind::World, 2, 0);
    for _ in 0..boxes {
        let shape = match random.below(3) {
            0 => Shape::Circle { radius: random.between(0.05, 0.5) },
            1 => Shape::rectangle(random.between(0.02, 0.5), random.between(0.5, 2.5)),
            _ => Shape::convex(ellipse_corners(
                &[1.0, 2.0, 1.5, 2.5, 1.2],
                [0.5, 0.3],
                random.between(0.0, PI),
            ))
            .unwrap_or(Shape::rectangle(0.3, 0.3)),
        };
        for _ in 0..30 {
            let at = vec2(random.between(0.0, side), random.between(0.0, side));
            let pose = Pose { position: at, heading: random.between(-PI, PI) };
            if world.overlap(&shape.at(&pose), None).is_none() {
                add(&mut world, "box", shape, pose);
                break;
            }
        }
    }
    world.reindex();
    world
}

/// Fails if a box is in the border or in something solid.
fn assert_boxes_are_free(world: &World, when: &str) {
    for (i, object) in world.objects().iter().enumerate().filter(|(_, object)| object.pushable.is_some()) {
        let bounds = object.outline.bounds();
        let margin = world.bounds.margin(bounds.min).min(world.bounds.margin(bounds.max));
        assert!(margin >= 0.0, "{when}: box {i} is outside by {margin}");
        for (j, other) in
            world.objects().iter().enumerate().filter(|(j, other)| *j != i && other.impassable())
        {
            let apart = separation(&object.outline, &other.outline);
            assert!(apart >= -1e-9, "{when}: box {i} overlaps object {j} by {apart}");
        }
    }
}

const DRIVE: Quality = Quality { relative_noise: 0.2, ..Quality::perfect(0.0, TAU) };

fn shoved(world: &World, parallel: bool, seed: u64) -> World {
    let mut world = world.clone();
    run_with(&mut world, 0..30, &DRIVE, parallel, seed, |i, t| random_command(seed, i, t));
    world
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn nothing_ever_overlaps(
        seed: u64, bodies in 2..50_usize, objects in 0..10_usize, boxes in 1..12_usize, side in 4.0..15.0_f64
    ) {
        let mut world = with_boxes(seed, bodies, objects, boxes, side);
        for tick in 0..120 {
            run_with(&mut world, tick..tick + 1, &DRIVE, false, seed, |i, t| random_command(seed, i, t));
            assert_nothing_overlaps(&world, &format!("after tick {tick}"));
            assert_boxes_are_free(&world, &format!("after tick {tick}"));
        }
    }
}

#[test]
fn random_robots_do_push_boxes_and_threads_do_not_matter() {
    let world = with_boxes(5, 900, 40, 80, 40.0);
    assert!(world.bodies.len() >= 600, "fewer would not be moved in parallel");
    let expected = shoved(&world, false, 5);
    let pushed = expected.objects().iter().filter_map(|o| o.pushable.as_ref()).filter(|p| p.pushes > 0);
    assert!(pushed.clone().count() > 20 && pushed.clone().any(|p| p.turned > 0.1), "{}", pushed.count());
    for threads in [1, 2, 8] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        assert!(
            bytes(&pool.install(|| shoved(&world, true, 5))) == bytes(&expected),
            "{threads} threads differ"
        );
    }
}

#[test]
fn sensors_see_a_box_where_it_was_pushed_to() {
    let (mut world, id) = room();
    pusher(&mut world, 1.2);
    drive(&mut world, 3.0, 0.2);
    world.reindex();
    let sensors =
        [sensor("tracker", serde_json::json!({})), sensor("range-scanner", serde_json::json!({"rays": 4}))];
    let percept = perceive(&world, RobotId(0), &sensors);
    let (me, there) = (&world.bodies[0].pose, pose(&world, id));
    let sighting = percept.sightings(crewlab_onboard::SensorId(0)).first().expect("the box").clone();
    let seen = me.position + Vec2::unit(me.heading + sighting.bearing) * sighting.distance;
    assert_eq!(&*sighting.kind, "box");
    assert!(seen.distance(there.position) < 1e-9);
    assert!(close(sighting.heading.expect("a heading"), there.heading - me.heading, 1e-9));
    assert!(there.heading.abs() > 0.2 && there.heading.abs() < FRAC_PI_2);
    let ahead = percept.ranges(crewlab_onboard::SensorId(1))[0];
    assert!(ahead < 0.05, "the scanner sees it right ahead: {ahead}");
}

/// Near its middle one robot cannot even turn the box, and the other is no lever; together they push it straight.
#[test]
fn two_weak_robots_side_by_side_share_the_effort() {
    let (mut world, id) = room();
    for up in [RADIUS + 0.02, -RADIUS - 0.02] {
        let robot = pusher(&mut world, up);
        world.bodies[robot].drive.max_push = Some(0.6 * FRICTION);
    }
    run(&mut world, 20, |robot, _| Command::drive(if robot == RobotId(0) { 0.2 } else { 0.0 }, 0.0));
    assert_eq!(pose(&world, id), Pose::new(5.0, 4.0, 0.0), "the other one stands still");
    drive(&mut world, 3.0, 0.2);
    assert!(pose(&world, id).position.x > 5.5, "{:?}", pose(&world, id));
}
