//! How single bodies and small groups move: walls, speed limits, ground, energy, scripted objects.

mod common;

use common::*;
use crewlab_onboard::geometry::{Pose, Vec2, vec2};
use crewlab_onboard::{Command, RobotId, Stream, StreamKind, Time};
use crewlab_world::aspect::ENERGY;
use crewlab_world::motion::{Motion, MotionInput};
use crewlab_world::{Drive, Object, ObjectId, Obstacle, Quality, Script, Shape, Terrain, World, WorldEvent};
use std::f64::consts::{FRAC_PI_4, PI, TAU};

fn forward(speed: f64) -> impl Fn(RobotId, u64) -> Command {
    move |_, _| Command::drive(speed, 0.0)
}

fn x(world: &World, robot: usize) -> f64 {
    world.bodies[robot].pose.position.x
}

/// The farthest place that a robot can reach: within a step's 2⁻¹⁴ of the touch, and never beyond it.
fn assert_stopped_at(found: f64, touch: f64, step: f64) {
    assert!(found <= touch && found > touch - step / 8192.0, "stopped at {found}, the touch is at {touch}");
}

#[test]
fn a_body_stops_at_a_wall() {
    let mut world = drawn(
        ".....
         >..#.
         .....",
    );
    let events = run(&mut world, 40, forward(1.0));
    // The block's face is at 3.
    assert_stopped_at(x(&world, 0), 3.0 - RADIUS, 0.1);
    let with = Obstacle::Object(world.objects()[0].id);
    assert_eq!(events, [WorldEvent::Contact { body: RobotId(0), with }]);
    assert_eq!(world.bodies[0].contact.map(|c| (c.with, c.normal)), Some((with, vec2(-1.0, 0.0))));
    assert!(close(world.bodies[0].travelled, x(&world, 0) - 0.5, 1e-9));
}

#[test]
fn a_body_stops_at_the_border_on_every_side() {
    for (text, out) in
        [("..>", vec2(1.0, 0.0)), ("<..", vec2(-1.0, 0.0)), ("^", vec2(0.0, 1.0)), ("v", vec2(0.0, -1.0))]
    {
        let mut world = drawn(text);
        let events = run(&mut world, 20, forward(1.0));
        let margin = world.bounds.margin(world.bodies[0].pose.position);
        assert!((RADIUS..RADIUS + 1e-4).contains(&margin), "{text} {margin}");
        assert_eq!(events, [WorldEvent::Contact { body: RobotId(0), with: Obstacle::Border }]);
        assert_eq!(world.bodies[0].contact.map(|c| c.normal), Some(-out));
    }
}

/// A robot that drives at 45° into a wall at any angle keeps the part of its speed that goes along the wall.
#[test]
fn a_body_slides_along_a_wall() {
    for shape in [Shape::Circle { radius: RADIUS }, Shape::rectangle(0.4, 0.4)] {
        for turned in 0..16 {
            let along = Vec2::unit(f64::from(turned) * TAU / 16.0);
            let mut world = arena(40.0, 40.0);
            let middle = vec2(20.0, 20.0);
            let pose = Pose { position: middle - along.left() * 1.0, heading: along.angle() };
            let wall = Shape::Segment(vec2(-15.0, 0.0), vec2(15.0, 0.0));
            world.add_object(Object::obstacle("wall", wall, pose));
            let heading = along.angle() - FRAC_PI_4;
            world.bodies.push(body(middle, heading, shape.clone()));
            run(&mut world, 100, forward(1.0));
            let moved = world.bodies[0].pose.position - middle;
            // 10 s at 1 m/s.
            assert!(close(moved.dot(along), 10.0 * (0.5_f64).sqrt(), 1e-3), "{shape:?} {turned} {moved:?}");
            assert_nothing_overlaps(&world, "after sliding");
            assert_eq!(world.bodies[0].contacts, 1, "{shape:?} {turned}");
        }
    }
}

/// The body is 0.5 m long; at 5000 m/s it would move a thousand lengths per tick.
#[test]
fn no_speed_takes_a_body_through_a_thin_wall() {
    for shape in [Shape::Circle { radius: RADIUS }, Shape::rectangle(0.5, 0.5), Shape::rectangle(0.6, 0.3)] {
        for speed in [0.5, 1.0, 3.0, 4.999, 7.0, 12.3, 50.0, 333.0, 5000.0] {
            for shift in 0..10 {
                let mut world = arena(1000.0, 3.0);
                let at = vec2(500.0, 1.5);
                world.add_object(Object::obstacle(
                    "wall",
                    Shape::Segment(vec2(0.0, -1.5), vec2(0.0, 1.5)),
                    Pose { position: at, heading: 0.0 },
                ));
                // Starting places differ by less than a step, so that some step would end just behind the wall.
                let start = vec2(498.0 - 0.037 * f64::from(shift), 1.5);
                world.bodies.push(body(start, 0.0, shape.clone()));
                run(&mut world, 60, forward(speed));
                let front = world.bodies[0].outline_at(&world.bodies[0].pose).bounds().max.x;
                assert!(front <= 500.0 && front > 499.9, "{shape:?} at {speed} m/s stopped at {front}");
            }
        }
    }
}

#[test]
fn no_speed_takes_a_short_wide_body_through_a_thin_wall() {
    // A sweeper: 0.1 m along its way, 1 m across.
    for speed in [0.5, 1.0, 2.0, 3.0, 5.0] {
        for shift in 0..10 {
            let mut world = arena(20.0, 3.0);
            world.add_object(Object::obstacle(
                "wall",
                Shape::Segment(vec2(0.0, -1.5), vec2(0.0, 1.5)),
                Pose::new(10.0, 1.5, 0.0),
            ));
            let start = vec2(8.0 - 0.037 * f64::from(shift), 1.5);
            world.bodies.push(body(start, 0.0, Shape::rectangle(0.1, 1.0)));
            run(&mut world, 60, forward(speed));
            assert!(x(&world, 0) < 10.0, "at {speed} m/s it is at {}", x(&world, 0));
        }
    }
}

#[test]
fn bodies_that_meet_head_on_stop_before_they_overlap() {
    for speed in [0.3, 1.0, 20.0, 900.0] {
        // Too wide to slide past each other: the corridor is 1 m.
        let mut world = drawn(">......<");
        for robot in &mut world.bodies {
            *robot = body(robot.pose.position, robot.pose.heading, Shape::Circle { radius: 0.4 });
        }
        let events = run(&mut world, 200, forward(speed));
        let gap = world.bodies[0].pose.position.distance(world.bodies[1].pose.position) - 0.8;
        assert!((0.0..0.01).contains(&gap), "{gap} at {speed} m/s");
        assert!(x(&world, 0) < x(&world, 1), "they passed through each other at {speed} m/s");
        let meet = |a, b| WorldEvent::Contact { body: RobotId(a), with: Obstacle::Body(RobotId(b)) };
        assert!(events.contains(&meet(0, 1)) && events.contains(&meet(1, 0)), "{events:?}");
    }
}

/// A body that stands still is not moved, and is an obstacle for the others.
#[test]
fn nobody_is_pushed() {
    let mut world = drawn(">..>");
    run(&mut world, 100, |robot, _| Command::drive(if robot == RobotId(0) { 1.0 } else { 0.0 }, 0.0));
    assert_eq!(x(&world, 1), 3.5);
    assert_stopped_at(x(&world, 0), 3.5 - 2.0 * RADIUS, 0.1);
    assert_eq!((world.bodies[0].contacts, world.bodies[1].contacts, world.collisions()), (1, 0, 1));
}

/// The rod is 2 m long and 0.5 m from a wall beside it: it can turn by asin(0.5 / 1.0) = 30° at most (less, for its
/// width), whichever way it tries.
#[test]
fn a_polygon_cannot_turn_into_a_wall() {
    for turn in [0.5, -0.5] {
        let mut world = arena(10.0, 10.0);
        let wall = Shape::Segment(vec2(-4.0, 0.0), vec2(4.0, 0.0));
        world.add_object(Object::obstacle("wall", wall, Pose::new(5.0, 4.5, 0.0)));
        world.bodies.push(body(vec2(5.0, 5.0), 0.0, Shape::rectangle(2.0, 0.1)));
        let events = run(&mut world, 100, |_, _| Command::drive(0.0, turn));
        let heading = world.bodies[0].pose.heading.abs();
        // Its ends' lower corners are 1 m ahead and 0.05 m aside: sin(a) + 0.05 cos(a) = 0.5 gives 0.467.
        assert!(heading <= 0.4674 && heading > 0.4674 - 0.05, "{heading}");
        assert_nothing_overlaps(&world, "after turning");
        assert_eq!(events.len(), 1);
        // A disc of the same reach may turn as it likes.
        world.bodies[0] = body(vec2(5.0, 6.0), 0.0, Shape::Circle { radius: 1.0 });
        run(&mut world, 10, |_, _| Command::drive(0.0, turn));
        assert!(close(world.bodies[0].pose.heading, turn, 1e-12));
    }
}

#[test]
fn headings_go_round_and_arcs_have_the_right_radius() {
    let mut world = arena(20.0, 20.0);
    world.bodies.push(disc(vec2(10.0, 10.0), 0.0));
    let start = world.bodies[0].pose.position;
    // A circle of radius speed / turn = 2 m, once round in 2π s; 63 ticks of 0.1 s are a little more.
    let mut farthest = 0.0_f64;
    for _ in 0..63 {
        run(&mut world, 1, |_, _| Command::drive(2.0, 1.0));
        farthest = farthest.max(world.bodies[0].pose.position.distance(start));
        assert!(world.bodies[0].pose.heading.abs() <= PI);
    }
    // Each step follows the chord, which is 1/2400 too long: a tenth of a percent in total.
    assert!(close(farthest, 4.0, 0.01), "{farthest}");
    assert!(close(world.bodies[0].pose.heading, 6.3 - TAU, 1e-9));
    assert!(world.bodies[0].pose.position.distance(start) < 2.0 * (6.3 - TAU) + 0.01);
}

#[test]
fn commands_are_cut_to_the_limits_of_the_drive() {
    let limits = Drive { max_speed: 0.5, max_reverse: 0.25, max_side: 0.0, max_turn: 2.0, max_push: None };
    for (speed, turn, moved, turned) in [
        (0.3, 0.0, 0.03, 0.0),
        (9.0, 0.0, 0.05, 0.0),
        (-9.0, 0.0, -0.025, 0.0),
        (-0.1, 0.0, -0.01, 0.0),
        (0.0, 1.0, 0.0, 0.1),
        (0.0, 9.0, 0.0, 0.2),
        (0.0, -9.0, 0.0, -0.2),
    ] {
        let mut world = arena(10.0, 10.0);
        world.bodies.push(disc(vec2(5.0, 5.0), 0.0));
        world.bodies[0].drive = limits;
        run(&mut world, 1, |_, _| Command::drive(speed, turn));
        assert_close(&[x(&world, 0) - 5.0, world.bodies[0].pose.heading], &[moved, turned]);
    }
}

#[test]
fn legs_step_sideways_and_wheels_do_not() {
    for (max_side, side, moved) in [(0.2, 0.1, 0.01), (0.2, 9.0, 0.02), (0.2, -9.0, -0.02), (0.0, 9.0, 0.0)] {
        let mut world = arena(10.0, 10.0);
        world.bodies.push(disc(vec2(5.0, 5.0), 0.0));
        world.bodies[0].drive.max_side = max_side;
        run(&mut world, 1, |_, _| Command::walk(0.1, side, 0.0));
        assert_close(&[x(&world, 0), world.bodies[0].pose.position.y], &[5.01, 5.0 + moved]);
    }
    // A step to the side ends at a wall, as any other.
    let mut world = arena(10.0, 10.0);
    world.bodies.push(disc(vec2(5.0, 9.0), 0.0));
    world.bodies[0].drive.max_side = 1e4;
    run(&mut world, 1, |_, _| Command::walk(0.0, 50.0, 0.0));
    assert!(close(world.bodies[0].pose.position.y, 10.0 - world.bodies[0].radius, 1e-3));
}

#[test]
fn commands_that_are_no_numbers_are_ignored() {
    let mut world = arena(10.0, 10.0);
    world.bodies.push(disc(vec2(5.0, 5.0), 0.3));
    let before = world.bodies[0].clone();
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        run(&mut world, 1, |_, _| Command::drive(bad, 0.1));
        run(&mut world, 1, |_, _| Command::drive(0.1, bad));
        run(&mut world, 1, |_, _| Command::walk(0.1, bad, 0.0));
        assert_eq!(world.bodies[0], before, "{bad}");
    }
    run(&mut world, 1, |_, _| Command::drive(0.1, 0.1));
    assert_ne!(world.bodies[0], before);
}

#[test]
fn a_robot_without_an_order_stands_still() {
    let mut world = drawn("..>..>..");
    let command = Command::drive(1.0, 0.0);
    let drive = Quality::perfect(0.0, TAU);
    let order = |robot: RobotId| {
        let random = Stream::of_robot(0, StreamKind::Effectors, robot, 0);
        (robot == RobotId(1)).then_some(MotionInput { command: &command, drive: &drive, random })
    };
    Motion::default().advance(&mut world, DT, false, order, &mut Vec::new());
    assert_close(&[x(&world, 0), x(&world, 1)], &[2.5, 5.6]);
}

/// Displacements of single ticks at 1 m/s, one per seed.
fn steps(drive: &Quality, command: &Command) -> Vec<(f64, f64)> {
    (0..4000)
        .map(|seed| {
            let mut world = arena(10.0, 10.0);
            world.bodies.push(disc(vec2(5.0, 5.0), 0.0));
            run_with(&mut world, 7..8, drive, false, seed, |_, _| command.clone());
            let pose = world.bodies[0].pose;
            (pose.position.distance(vec2(5.0, 5.0)) * (pose.position.x - 5.0).signum(), pose.heading)
        })
        .collect()
}

#[test]
fn noise_and_bias_of_the_drive_have_their_stated_size() {
    let noisy = Quality { relative_noise: 0.2, bias: 0.5, ..Quality::perfect(0.0, TAU) };
    let (moved, turned): (Vec<f64>, Vec<f64>) = steps(&noisy, &Command::drive(1.0, 2.0)).into_iter().unzip();
    let (mean, deviation) = moments(&moved);
    // 1.5 ± 0.2 m/s over 0.1 s; standard errors of 4000 draws are 0.0003 and 0.0002: five of them.
    assert!(close(mean, 0.15, 0.0016) && close(deviation, 0.02, 0.0011), "{mean} {deviation}");
    let (mean, deviation) = moments(&turned);
    // The bias is a forward speed, so it does not act on the turn: 2 ± 0.4 rad/s.
    assert!(close(mean, 0.2, 0.0032) && close(deviation, 0.04, 0.0022), "{mean} {deviation}");
    // A drive that is not commanded to move does not creep.
    assert!(steps(&noisy, &Command::stop()).iter().all(|&step| step == (0.0, 0.0)));
}

#[test]
fn a_drive_that_drops_out_stands_still() {
    let dropping = |dropout| Quality { dropout, ..Quality::perfect(0.0, TAU) };
    let command = Command::drive(1.0, 1.0);
    assert!(steps(&dropping(1.0), &command).iter().all(|&step| step == (0.0, 0.0)));
    let moved = steps(&dropping(0.25), &command).iter().filter(|step| step.0 != 0.0).count();
    // Binomial with mean 3000 and standard deviation 27: five of them.
    assert!((2863..=3137).contains(&moved), "{moved}");
    // A drop-out takes the whole step, turn included.
    assert!(steps(&dropping(0.25), &command).iter().all(|step| (step.0 == 0.0) == (step.1 == 0.0)));
}

/// Way of one tick at 1 m/s, and after a drive over the whole picture.
fn check_step(expected: f64, world: &mut World) {
    let before = x(world, 0);
    run(world, 1, forward(1.0));
    let moved = x(world, 0) - before;
    assert!(close(moved, expected, 1e-12), "moved {moved}, expected {expected}");
}

#[test]
fn soft_and_smooth_ground_change_speed_by_their_factor() {
    for (text, expected) in [("..>..", 0.1), ("..A..", 0.1), ("..~..", 0.05), ("..=..", 0.2)] {
        let mut world = drawn(text);
        world.bodies = vec![disc(vec2(2.5, 0.5), 0.0)];
        check_step(expected, &mut world);
    }
    // Both at once multiply.
    let mut world = drawn("..~..");
    let again = world.objects()[0].clone();
    world.add_object(again);
    world.bodies.push(disc(vec2(2.5, 0.5), 0.0));
    check_step(0.025, &mut world);
    // Only the centre counts.
    let mut world = drawn("..~..");
    world.bodies.push(disc(vec2(1.9, 0.5), 0.0));
    check_step(0.1, &mut world);
    check_step(0.05, &mut world);
}

#[test]
fn terrain_changes_speed_by_its_factor() {
    let mut world = arena(10.0, 1.0);
    world.terrain = Some(Terrain {
        origin: Vec2::ZERO,
        cell: 1.0,
        columns: 3,
        rows: 1,
        factors: vec![0.5, 2.0, 1.0],
        energy: Vec::new(),
    });
    for (start, expected) in [(0.5, 0.05), (1.5, 0.2), (2.5, 0.1), (7.5, 0.1)] {
        world.bodies = vec![disc(vec2(start, 0.5), 0.0)];
        check_step(expected, &mut world);
    }
    // Terrain and objects multiply.
    let soft = drawn("~").objects()[0].clone();
    world.add_object(soft);
    world.bodies = vec![disc(vec2(0.5, 0.5), 0.0)];
    check_step(0.025, &mut world);
}

#[test]
fn soft_ground_does_not_slow_turning() {
    let mut world = drawn("~");
    world.bodies.push(disc(vec2(0.5, 0.5), 0.0));
    run(&mut world, 1, |_, _| Command::drive(0.0, 1.0));
    assert!(close(world.bodies[0].pose.heading, 0.1, 1e-12));
}

#[test]
fn nothing_passes_up_to_a_penetrability_of_a_tenth() {
    for (penetrability, passes) in [(0.0, false), (0.1, false), (0.11, true), (1.0, true)] {
        let mut world = drawn(">.#...");
        let id = world.objects()[0].id;
        world.object_mut(id).expect("the block").penetrability = penetrability;
        run(&mut world, 300, forward(1.0));
        assert_eq!(x(&world, 0) > 3.0, passes, "penetrability {penetrability}");
        assert_eq!(world.bodies[0].contacts, 1, "the block or, behind it, the border");
    }
}

#[test]
fn a_body_without_energy_stops_and_is_reported_once() {
    let mut world = arena(100.0, 10.0);
    for i in 0..3 {
        let mut body = disc(vec2(5.0, 2.0 + 2.0 * f64::from(i)), 0.0);
        body.aspects.push(aspect(ENERGY, 1.0));
        world.bodies.push(body);
    }
    world.bodies[0].aspects[0].per_metre = -0.5;
    world.bodies[1].aspects[0].per_second = -1.0;
    world.bodies[2].aspects[0].per_metre = -0.001;
    let events = run(&mut world, 50, forward(1.0));
    // Two metres at half a unit per metre; one second at a unit per second. One tick for rounding.
    assert!(close(x(&world, 0), 7.0, 0.1001), "{}", x(&world, 0));
    assert!(close(x(&world, 1), 6.0, 0.1001), "{}", x(&world, 1));
    assert!(close(x(&world, 2), 10.0, 1e-9), "{}", x(&world, 2));
    let exhausted = |body| WorldEvent::Exhausted { body: RobotId(body) };
    assert_eq!(events, [exhausted(1), exhausted(0)]);
    assert_eq!(world.bodies[0].aspects[0].value, 0.0);
}

#[test]
fn turning_also_costs_energy() {
    let mut world = arena(10.0, 10.0);
    world.bodies.push(disc(vec2(5.0, 5.0), 0.0));
    world.bodies[0].aspects.push(aspect(ENERGY, 1.0));
    world.bodies[0].aspects[0].per_radian = -0.5;
    run(&mut world, 5, |_, _| Command::drive(0.0, -1.0));
    assert!(close(world.bodies[0].aspects[0].value, 0.75, 1e-9));
}

#[test]
fn a_touch_that_lasts_counts_once() {
    let mut world = drawn("..>..#");
    run(&mut world, 100, forward(1.0));
    assert_eq!(world.bodies[0].contacts, 1);
    run(&mut world, 1, forward(-1.0));
    assert_eq!((world.bodies[0].contacts, world.bodies[0].contact), (1, None));
    let events = run(&mut world, 100, forward(1.0));
    assert_eq!((world.bodies[0].contacts, events.len()), (2, 1));
}

/// In a corner of two walls a robot touches one and then the other; pushing on is no new touch.
#[test]
fn pushing_into_a_corner_counts_a_touch_per_wall() {
    for angle in [0.3, 0.5, FRAC_PI_4, 1.0, 1.3] {
        for size in [0.2, 0.4, 1.0] {
            let mut world = arena(20.0, 20.0);
            for (x, y, heading) in [(12.0, 10.0, PI / 2.0), (10.0, 12.0, 0.0)] {
                let wall = Shape::Segment(vec2(-4.0, 0.0), vec2(4.0, 0.0));
                world.add_object(Object::obstacle("wall", wall, Pose::new(x, y, heading)));
            }
            world.bodies.push(disc(vec2(10.0, 10.0), angle));
            let events = run(&mut world, 600, forward(size));
            assert!(world.bodies[0].pose.position.distance(vec2(11.75, 11.75)) < 1e-3);
            assert!(events.len() <= 2, "{} touches at {angle} rad and {size} m/s", events.len());
        }
    }
}

fn scripted(points: &[(f64, f64)], repeat: bool) -> (World, ObjectId) {
    let mut world = arena(10.0, 10.0);
    let points: Vec<Vec2> = points.iter().map(|&(x, y)| vec2(x, y)).collect();
    let pose = Pose { position: points[0], heading: 0.0 };
    let mut cart = Object::obstacle("cart", Shape::rectangle(0.4, 0.4), pose);
    cart.script = Some(Script::new(points, 1.0, repeat));
    let id = world.add_object(cart);
    (world, id)
}

fn place(world: &World, id: ObjectId) -> Vec2 {
    world.object(id).expect("the object").pose.position
}

#[test]
fn a_scripted_object_follows_its_path_to_the_end() {
    let (mut world, cart) = scripted(&[(1.0, 1.0), (3.0, 1.0), (3.0, 2.0)], false);
    for (ticks, x, y) in [(10, 2.0, 1.0), (5, 2.5, 1.0), (10, 3.0, 1.5), (5, 3.0, 2.0), (50, 3.0, 2.0)] {
        run(&mut world, ticks, forward(0.0));
        assert!(place(&world, cart).distance(vec2(x, y)) < 1e-9, "{:?}", place(&world, cart));
    }
    // Its outline moved with it.
    let object = world.object(cart).expect("the cart");
    assert_eq!(object.outline, object.shape.at(&object.pose));
}

#[test]
fn a_repeated_path_starts_again() {
    let (mut world, cart) = scripted(&[(1.0, 1.0), (3.0, 1.0), (3.0, 2.0)], true);
    // Back from the last point to the first it is √5 m.
    run(&mut world, 30, forward(0.0));
    assert!(place(&world, cart).distance(vec2(3.0, 2.0)) < 1e-9);
    run(&mut world, 10, forward(0.0));
    let way = 1.0 / 5.0_f64.sqrt();
    assert!(place(&world, cart).distance(vec2(3.0 - 2.0 * way, 2.0 - way)) < 1e-9);
    // One round is 3 + √5 m, the tick does not divide it: corners are cut by less than a step.
    run(&mut world, 13, forward(0.0));
    let beyond = 5.3 - 3.0 - 5.0_f64.sqrt();
    assert!(place(&world, cart).distance(vec2(1.0 + beyond, 1.0)) < 1e-9, "{:?}", place(&world, cart));
}

#[test]
fn a_path_of_one_place_ends() {
    for repeat in [false, true] {
        let (mut world, cart) = scripted(&[(1.0, 1.0), (1.0, 1.0)], repeat);
        run(&mut world, 5, forward(0.0));
        assert_eq!(place(&world, cart), vec2(1.0, 1.0));
    }
}

#[test]
fn a_scripted_object_waits_for_a_robot_in_its_way() {
    let (mut world, cart) = scripted(&[(1.0, 1.0), (9.0, 1.0)], false);
    world.bodies.push(disc(vec2(5.0, 1.0), PI / 2.0));
    run(&mut world, 100, forward(0.0));
    let waiting = place(&world, cart).x;
    // Its front is 0.2 m ahead of its centre and the robot's rim 0.25 m: it stops less than a step before.
    assert!(waiting <= 4.55 && waiting > 4.55 - 0.1001, "{waiting}");
    assert_eq!(world.bodies[0].pose.position, vec2(5.0, 1.0));
    // It continues as soon as the robot is out of its way, towards the same waypoint.
    run(&mut world, 10, forward(1.0));
    run(&mut world, 100, forward(0.0));
    assert_eq!(place(&world, cart), vec2(9.0, 1.0));
}

#[test]
fn a_fast_scripted_object_waits_too() {
    let (mut world, cart) = scripted(&[(1.0, 1.0), (9.0, 1.0)], false);
    world.object_mut(cart).expect("the cart").script.as_mut().expect("its script").speed = 15.0;
    world.bodies.push(disc(vec2(5.0, 1.0), 0.0));
    run(&mut world, 100, forward(0.0));
    assert!(place(&world, cart).x < 5.0, "{:?}", place(&world, cart));
}

#[test]
fn a_soft_scripted_object_passes_under_robots() {
    let (mut world, cart) = scripted(&[(1.0, 1.0), (9.0, 1.0)], false);
    world.object_mut(cart).expect("the cart").penetrability = 1.0;
    world.bodies.push(disc(vec2(5.0, 1.0), 0.0));
    run(&mut world, 100, forward(0.0));
    assert_eq!(place(&world, cart), vec2(9.0, 1.0));
}

#[test]
fn aspects_of_objects_follow_time_and_way() {
    let (mut world, cart) = scripted(&[(1.0, 1.0), (3.0, 1.0)], false);
    let mut wear = aspect("wear", 100.0);
    (wear.value, wear.per_metre, wear.per_second) = (0.0, 2.0, 1.0);
    world.object_mut(cart).expect("the cart").properties.aspects.push(wear.clone());
    let mut still = Object::obstacle("stove", Shape::rectangle(1.0, 1.0), Pose::new(8.0, 8.0, 0.0));
    still.properties.aspects.push(wear);
    let still = world.add_object(still);
    world.reindex();
    for _ in 0..50 {
        world.move_objects(DT, &mut Vec::new());
        world.pass_time(Time::ZERO, DT, &mut Vec::new());
    }
    // 5 s, and 2 m for the one that moves: neither may be counted by both passes.
    let value = |id| world.object(id).expect("the object").properties.aspects[0].value;
    assert_close(&[value(cart), value(still)], &[9.0, 5.0]);
}

#[test]
fn an_object_that_does_not_yield_pushes_a_robot_ahead_of_it() {
    let (mut world, cart) = scripted(&[(1.0, 1.0), (9.0, 1.0)], false);
    world.object_mut(cart).expect("the cart").script.as_mut().expect("its script").yields = false;
    world.bodies.push(disc(vec2(5.0, 1.0), PI / 2.0));
    world.bodies.push(disc(vec2(5.0, 3.0), PI / 2.0));
    let events = run(&mut world, 60, forward(0.0));
    // It passes as if nobody were there; the robot is its half width and the robot's radius ahead.
    assert!(place(&world, cart).distance(vec2(7.0, 1.0)) < 1e-9);
    assert_close(&[world.bodies[0].pose.position.y, world.bodies[0].pose.heading], &[1.0, PI / 2.0]);
    let ahead = world.bodies[0].pose.position.x - 7.0;
    assert!((0.45..0.55).contains(&ahead), "{ahead}");
    // That is one contact, however long it lasts, and the robot itself has not driven.
    assert_eq!(events, [WorldEvent::Struck { body: RobotId(0), by: cart }]);
    assert_eq!((world.bodies[0].contacts, world.bodies[0].struck, world.bodies[0].travelled), (1, 1, 0.0));
    assert_eq!(world.bodies[0].contact.map(|touch| touch.with), Some(Obstacle::Object(cart)));
    assert_eq!((world.bodies[1].pose.position, world.bodies[1].struck), (vec2(5.0, 3.0), 0));
    assert_nothing_overlaps(&world, "after the push");
}

#[test]
fn an_object_that_does_not_yield_stops_where_a_robot_cannot_get_away() {
    let (mut world, cart) = scripted(&[(1.0, 1.0), (9.0, 1.0)], false);
    world.object_mut(cart).expect("the cart").script.as_mut().expect("its script").yields = false;
    world.add_object(Object::obstacle("wall", Shape::rectangle(0.2, 4.0), Pose::new(6.0, 1.0, 0.0)));
    world.bodies.push(disc(vec2(5.0, 1.0), 0.0));
    let events = run(&mut world, 100, forward(0.0));
    assert_eq!(events, [WorldEvent::Struck { body: RobotId(0), by: cart }]);
    let (front, back) = (place(&world, cart).x + 0.2, world.bodies[0].pose.position.x - 0.25);
    // Robot and wall are less than a step apart, and so are cart and robot.
    assert!(world.bodies[0].pose.position.x > 5.9 - 0.25 - 0.1001 && back - front < 0.1001, "{front} {back}");
    assert_nothing_overlaps(&world, "at the wall");
    // Once the robot is gone, the cart continues; the next contact is a new one.
    world.bodies[0].present = false;
    run(&mut world, 10, forward(0.0));
    assert!(place(&world, cart).x > front, "{:?}", place(&world, cart));
}

#[test]
fn robots_of_some_types_pass_where_others_do_not() {
    // The robots start 2 m before a block that only trucks pass, at half their speed; and one that only trucks do not.
    for (robot_type, exception, reached) in
        [("scout", 0.5, 0.75), (TRUCK, 0.5, 4.0), ("scout", 0.0, 0.75), (TRUCK, 0.0, 0.75)]
    {
        let mut world = drawn(">#..........");
        world.object_mut(ObjectId(0)).expect("the block").passes.push((TRUCK.into(), exception));
        world.bodies[0].robot_type = robot_type.into();
        run(&mut world, 100, forward(1.0));
        let found = x(&world, 0);
        if reached > 1.0 {
            assert!(found > reached, "{robot_type} {exception}: {found}");
        } else {
            assert_stopped_at(found, reached, 0.1);
        }
    }
    let mut world = drawn(">~....");
    world.object_mut(ObjectId(0)).expect("the ground").passes.push((TRUCK.into(), 0.0));
    world.bodies[0].robot_type = TRUCK.into();
    run(&mut world, 100, forward(1.0));
    assert_stopped_at(x(&world, 0), 0.75, 0.1);
}

#[test]
fn heavy_ground_costs_energy_per_metre_and_nothing_else() {
    let spent = |world: &mut World| {
        let mut energy = aspect(ENERGY, 100.0);
        (energy.per_metre, energy.per_second) = (-1.0, -0.5);
        let mut wear = aspect("wear", 100.0);
        wear.per_metre = -1.0;
        world.bodies[0].aspects = vec![energy, wear];
        // One metre in one second, from the middle of a cell: half of it on the ground there.
        run(world, 10, forward(1.0));
        let left = |place: usize| world.bodies[0].aspects[place].value;
        (100.0 - left(0), 100.0 - left(1), x(world, 0))
    };
    let (plain, wear, reached) = spent(&mut drawn(">.."));
    assert_close(&[plain, wear, reached], &[1.5, 1.0, 1.5]);
    let mut patch = drawn("v=.");
    patch.bodies[0] = disc(vec2(1.5, 0.5), 0.0);
    let object = patch.object_mut(ObjectId(0)).expect("the ground");
    (object.penetrability, object.energy) = (1.0, 3.0);
    let (heavy, wear, _) = spent(&mut patch);
    // Five steps of 0.1 m begin on the patch and five beyond it, give or take the one at its edge.
    assert!((heavy - (0.5 + 0.5 * 3.0 + 0.5)).abs() < 0.21 && heavy > 2.2, "{heavy}");
    assert_close(&[wear], &[1.0]);
    let mut terrain = drawn(">..");
    terrain.terrain = Some(Terrain {
        origin: Vec2::ZERO,
        cell: 3.0,
        columns: 1,
        rows: 1,
        factors: vec![1.0],
        energy: vec![4.0],
    });
    assert_close(&[spent(&mut terrain).0], &[4.5]);
}

#[test]
fn a_wanderer_stays_in_its_rectangle_and_out_of_furniture() {
    let within = crewlab_world::Bounds { min: vec2(1.0, 1.0), max: vec2(6.0, 9.0) };
    let walk = |seed: u64| {
        let mut world = arena(10.0, 10.0);
        world.add_object(Object::obstacle("table", Shape::rectangle(2.0, 2.0), Pose::new(3.5, 5.0, 0.0)));
        let mut person = Object::obstacle("person", Shape::Circle { radius: 0.25 }, Pose::new(2.0, 2.0, 0.0));
        person.script = Some(Script { within: Some(within), ..Script::new(Vec::new(), 1.0, true) });
        let id = world.add_object(person);
        world.plan_walk(id, &mut Stream::new(seed, StreamKind::World, 1, 0));
        let mut places = Vec::new();
        for _ in 0..600 {
            run(&mut world, 1, forward(0.0));
            let person = world.object(id).expect("the person");
            let table = &world.objects()[0];
            assert!(table.outline.distance(person.pose.position) > 0.24, "{:?}", person.pose);
            places.push(person.pose.position);
        }
        places
    };
    let places = walk(1);
    assert!(places.iter().all(|p| (1.0..=6.0).contains(&p.x) && (1.0..=9.0).contains(&p.y)));
    let far = places.iter().map(|p| p.distance(places[0])).fold(0.0, f64::max);
    assert!(far > 3.0, "it hardly walks: {far} m");
    assert_eq!(places, walk(1), "the same chance, the same walk");
    assert_ne!(places, walk(2));
}

/// How far the last of several persons gets in 30 s who walk along the middle of a corridor of this width, with a robot in the way.
fn walk_past(persons: u32, width: f64, sidesteps: bool) -> f64 {
    let mut world = arena(10.0, width);
    world.bodies.push(disc(vec2(5.0, width / 2.0), 0.0));
    let way = vec![vec2(9.0, width / 2.0)];
    let start = |n: u32| Pose::new(1.0 + 0.1 * f64::from(n), width / 2.0, 0.0);
    let ids = (0..persons).map(|n| {
        let mut person = Object::obstacle("person", Shape::Circle { radius: 0.25 }, start(n));
        person.script = Some(Script { sidesteps, ..Script::new(way.clone(), 1.0, false) });
        world.add_object(person)
    });
    let ids: Vec<_> = ids.collect();
    for _ in 0..300 {
        run(&mut world, 1, forward(0.0));
        for id in &ids {
            let outline = &world.object(*id).expect("the person").outline;
            assert_eq!(world.body_overlap(outline, None), None, "nobody is run over");
        }
    }
    let places = ids.iter().map(|id| world.object(*id).expect("the person").pose.position.x);
    places.fold(f64::INFINITY, f64::min)
}

#[test]
fn a_person_walks_around_a_robot_that_stays_in_the_way() {
    assert!(walk_past(1, 4.0, true) > 8.9);
    assert!(walk_past(4, 4.0, true) > 8.9, "a crowd gets past, too");
    assert!(walk_past(1, 4.0, false) < 5.0, "a cart on rails waits");
    assert!(walk_past(1, 1.1, true) < 5.0, "there is no room to walk around");
}
