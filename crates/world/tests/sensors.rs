//! Every kind of sensor, and their common quality parameters.

mod common;

use common::*;
use crewlab_onboard::geometry::{Pose, Vec2, vec2, wrap};
use crewlab_onboard::{Percept, Reading, RobotId, SensorId, Sighting, Stream, StreamKind, Time};
use crewlab_world::aspect::ENERGY;
use crewlab_world::sensors::{KINDS, MountedSensor, SensorSuite};
use crewlab_world::{Area, Aspect, Contact, Emission, Object, Obstacle, Odometer, Quality, Shape, World};
use serde_json::json;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI, TAU};

/// The tests of each kind. A new sensor needs a line here.
const CASES: &[(&str, Tests)] = &[
    (
        "range-scanner",
        &[
            a_scanner_measures_from_its_rim,
            a_scanner_spreads_its_rays_over_its_field_of_view,
            a_scanner_sees_the_configured_things,
            a_scanner_looks_over_lower_objects,
            a_scanner_turns_with_its_robot,
        ],
    ),
    ("low-proximity", &[low_furniture_is_seen_by_the_low_ring_only]),
    ("high-proximity", &[low_furniture_is_seen_by_the_low_ring_only]),
    ("side-range", &[side_beams_measure_to_the_border]),
    ("bumper", &[a_bumper_tells_the_sector, a_bumper_feels_what_the_robot_runs_into]),
    (
        "item-detector",
        &[items_in_range_and_view_are_seen, items_behind_obstacles_are_hidden, carried_items_are_not_seen],
    ),
    ("area-detector", &[areas_are_seen_and_the_one_around_is_felt]),
    ("position", &[a_position_is_where_the_robot_is]),
    ("compass", &[a_compass_tells_the_heading]),
    ("microphones", &[ears_hear_the_side_of_a_source, sound_is_told_apart_by_frequency_and_fades]),
    ("infrared-beacon", &[beacons_are_seen_in_the_line_of_sight]),
    ("heat", &[heat_is_felt_in_front_and_fades]),
    ("dust", &[dust_is_felt_within_reach]),
    ("battery", &[a_battery_gauge_shows_the_share_that_is_left]),
    (
        "tracker",
        &[
            a_tracker_follows_persons_and_items_behind_walls,
            a_tracker_tells_where_handles_point_and_what_is_in_a_hand,
        ],
    ),
    ("ground", &[the_ground_is_felt_under_the_robot_and_seen_ahead]),
    ("odometry", &[odometry_reads_the_odometer_and_not_the_truth]),
    ("curb-detector", &[kerbs_are_seen_where_a_scanner_looks_over_them]),
    ("person-detector", &[persons_are_told_from_things]),
    ("gesture-detector", &[a_gesture_is_seen_when_it_is_made]),
    ("colour-camera", &[colours_are_seen_where_the_head_faces, what_stands_in_between_hides_colours]),
];

#[test]
fn every_kind_has_a_test() {
    for kind in KINDS {
        let tested = CASES.iter().any(|(name, tests)| *name == kind.name && !tests.is_empty());
        assert!(tested, "the sensor {:?} has no test: add one and its line in CASES", kind.name);
        assert!(!kind.summary.is_empty() && !kind.unit.is_empty(), "{}", kind.name);
    }
    for (name, _) in CASES {
        assert!(KINDS.iter().any(|kind| kind.name == *name), "there is no sensor {name:?} any more");
    }
}

#[test]
fn every_kind_is_made_without_parameters_and_refuses_unknown_ones() {
    for kind in KINDS {
        let mounted = sensor(kind.name, json!({}));
        assert_eq!(mounted.sheet().angles.len(), mounted.sheet().directions.len());
        let parsed = crewlab_world::sensors::AnySensor::parse(kind.name, json!({"no-such-key": 1}));
        assert!(parsed.expect("a known kind").is_err(), "{}", kind.name);
    }
    assert!(crewlab_world::sensors::AnySensor::parse("no-such-kind", json!({})).is_none());
}

fn ranges(world: &World, mounted: &MountedSensor) -> Vec<f64> {
    perceive(world, RobotId(0), std::slice::from_ref(mounted)).ranges(SensorId(0)).to_vec()
}

fn sightings(world: &World, mounted: &MountedSensor) -> Vec<Sighting> {
    perceive(world, RobotId(0), std::slice::from_ref(mounted)).sightings(SensorId(0)).to_vec()
}

fn reading(world: &World, mounted: &MountedSensor) -> Reading {
    perceive(world, RobotId(0), std::slice::from_ref(mounted)).reading(SensorId(0)).clone()
}

fn level(world: &World, mounted: &MountedSensor) -> f64 {
    match reading(world, mounted) {
        Reading::Level(level) => level,
        other => panic!("{other:?} is no level"),
    }
}

fn levels(world: &World, mounted: &MountedSensor) -> Vec<f64> {
    match reading(world, mounted) {
        Reading::Levels(levels) => levels,
        other => panic!("{other:?} are no levels"),
    }
}

/// Four rays: front, left, back, right.
fn cross(range: f64, own: serde_json::Value) -> MountedSensor {
    let mut own = own;
    own["rays"] = json!(4);
    sensor_with("range-scanner", own, Quality::perfect(range, TAU))
}

fn check_ranges(expected: [f64; 4], mounted: &MountedSensor, text: &str) {
    assert_close(&ranges(&drawn(text), mounted), &expected);
}

#[test]
fn a_scanner_measures_from_its_rim() {
    let scanner = cross(9.0, json!({}));
    check_ranges(
        [2.25, 1.25, 1.25, 0.25],
        &scanner,
        "......
         .>..#.
         .#....",
    );
    // Robots by their rim, thin walls by themselves.
    check_ranges(
        [1.5, 0.75, 1.25, 0.25],
        &scanner,
        "......
         .-....
         .>.<..",
    );
    // Things beyond its range are not seen.
    check_ranges([2.0, 1.25, 1.25, 0.25], &cross(2.0, json!({})), "......\n.>..#.\n.#....");
}

#[test]
fn a_scanner_spreads_its_rays_over_its_field_of_view() {
    for (rays, fov, expected) in [
        (1, PI, vec![0.0]),
        (2, PI, vec![-FRAC_PI_2, FRAC_PI_2]),
        (5, PI, vec![-FRAC_PI_2, -FRAC_PI_4, 0.0, FRAC_PI_4, FRAC_PI_2]),
        (4, TAU, vec![0.0, FRAC_PI_2, PI, -FRAC_PI_2]),
    ] {
        let scanner = sensor_with("range-scanner", json!({"rays": rays}), Quality::perfect(9.0, fov));
        let sheet = scanner.sheet();
        assert_close(&sheet.angles, &expected);
        let units: Vec<f64> = sheet.directions.iter().map(|d| d.angle()).collect();
        assert_close(&units, &expected);
        assert_eq!(ranges(&drawn(".>."), &scanner).len(), rays);
    }
    // Each range belongs to the angle at the same place: left is positive.
    let scanner = sensor_with("range-scanner", json!({"rays": 3}), Quality::perfect(9.0, PI));
    let world = drawn(
        ".....
         .>...
         .....
         .....",
    );
    assert_close(&ranges(&world, &scanner), &[2.25, 3.25, 1.25]);
    assert_eq!(sensor("range-scanner", json!({})).sheet().angles.len(), 36);
}

#[test]
fn a_scanner_sees_the_configured_things() {
    let text = ".........
                .>..<.#..
                .........";
    check_ranges([2.5, 1.25, 1.25, 1.25], &cross(9.0, json!({"sees": "everything"})), text);
    check_ranges([4.25, 1.25, 1.25, 1.25], &cross(9.0, json!({"sees": "walls"})), text);
    check_ranges([7.25, 1.25, 1.25, 1.25], &cross(9.0, json!({"sees": "border"})), text);
    // Ground that robots can drive over is not seen at all.
    check_ranges([3.25, 0.25, 1.25, 0.25], &cross(9.0, json!({})), ".>~..");
}

#[test]
fn a_scanner_looks_over_lower_objects() {
    // The low block is 0.5 m high.
    for (height, expected) in [(0.1, 1.25), (0.5, 1.25), (0.51, 3.25), (2.1, 5.25)] {
        let scanner = cross(9.0, json!({"height": height}));
        check_ranges([expected, 0.25, 0.25, 0.25], &scanner, ">._.#.");
    }
}

#[test]
fn a_scanner_turns_with_its_robot() {
    let scanner = cross(9.0, json!({}));
    let east = [3.25, 0.25, 1.25, 0.25];
    for (turns, text) in [".>...", ".^...", ".<...", ".v..."].into_iter().enumerate() {
        let mut expected = east;
        expected.rotate_left(turns);
        check_ranges(expected, &scanner, text);
    }
}

#[test]
fn low_furniture_is_seen_by_the_low_ring_only() {
    let (low, high) = (sensor("low-proximity", json!({})), sensor("high-proximity", json!({})));
    let world = drawn(
        "...#...
         ..._>#.
         .......",
    );
    // Twelve beams with a range of 0.5 m; the front one and the one to the back are at 0 and 6.
    let (below, above) = (ranges(&world, &low), ranges(&world, &high));
    assert_eq!((below.len(), above.len()), (12, 12));
    assert_close(&[below[0], above[0], below[6], above[6]], &[0.25, 0.25, 0.25, 0.5]);
    // Both rings see robots.
    let world = drawn("#><");
    assert_close(&[ranges(&world, &low)[0], ranges(&world, &high)[0]], &[0.5, 0.5]);
    let mut world = drawn("#>...");
    world.bodies.push(disc(vec2(2.1, 0.5), 0.0));
    world.reindex();
    assert_close(&[ranges(&world, &low)[0], ranges(&world, &high)[0]], &[0.1, 0.1]);
}

#[test]
fn side_beams_measure_to_the_border() {
    let text = ".....
                .#...
                .>...
                .....";
    // Left and right; the beams ignore blocks and robots.
    let quality = Quality::perfect(9.0, TAU);
    let beams = sensor_with("side-range", json!({}), quality.clone());
    assert_close(&ranges(&drawn(text), &beams), &[2.25, 1.25]);
    assert_close(&beams.sheet().angles, &[FRAC_PI_2, -FRAC_PI_2]);
    let walls = sensor_with("side-range", json!({"sees": "walls", "angles": [PI, 0.0, FRAC_PI_2]}), quality);
    assert_close(&ranges(&drawn(text), &walls), &[1.25, 3.25, 0.25]);
    // Its default range is 2 m.
    assert_close(&ranges(&drawn(text), &sensor("side-range", json!({}))), &[2.0, 1.25]);
}

/// Sectors that feel something at `side`, seen from the centre, for a robot with this heading.
fn felt(sectors: u32, heading: f64, side: f64) -> Vec<bool> {
    let mut world = arena(9.0, 9.0);
    world.bodies.push(disc(vec2(5.0, 5.0), heading));
    world.bodies[0].contact = Some(Contact { with: Obstacle::Border, normal: -Vec2::unit(side) });
    world.reindex();
    match reading(&world, &sensor("bumper", json!({"sectors": sectors}))) {
        Reading::Contacts(sectors) => sectors,
        other => panic!("{other:?} are no contacts"),
    }
}

#[test]
fn a_bumper_tells_the_sector() {
    for (heading, side, sector) in [
        (0.0, 0.0, 0),
        (0.0, 0.7, 0),
        (0.0, -0.7, 0),
        (0.0, FRAC_PI_2, 1),
        (0.0, PI, 2),
        (0.0, -FRAC_PI_2, 3),
        (FRAC_PI_2, FRAC_PI_2, 0),
        (FRAC_PI_2, 0.0, 3),
        (PI, 0.0, 2),
        (-2.0, -2.0 + FRAC_PI_2, 1),
    ] {
        let mut expected = vec![false; 4];
        expected[sector] = true;
        assert_eq!(felt(4, heading, side), expected, "heading {heading}, touched at {side}");
    }
    for step in 0..360 {
        let touched = felt(8, 0.5, f64::from(step).to_radians());
        assert_eq!(touched.iter().filter(|t| **t).count(), 1, "exactly one sector at {step}°");
    }
}

#[test]
fn a_touch_on_a_seam_belongs_to_a_sector() {
    let edge = -FRAC_PI_4;
    for side in [edge.next_up(), edge, edge.next_down()] {
        // The bearing used by the sensor must be exact: no rounding on the way.
        assert_eq!(wrap(Vec2::unit(side).angle()), side);
        let touched = felt(4, 0.0, side);
        assert_eq!(touched.iter().filter(|t| **t).count(), 1, "{touched:?} at {side}");
    }
}

#[test]
fn a_bumper_feels_what_the_robot_runs_into() {
    let bumper = sensor("bumper", json!({"sectors": 4}));
    let mut world = drawn(".>#");
    assert_eq!(reading(&world, &bumper), Reading::Contacts(vec![false; 4]));
    run(&mut world, 10, |_, _| crewlab_onboard::Command::drive(1.0, 0.0));
    assert_eq!(reading(&world, &bumper), Reading::Contacts(vec![true, false, false, false]));
    run(&mut world, 30, |_, _| crewlab_onboard::Command::drive(-1.0, 0.0));
    assert_eq!(reading(&world, &bumper), Reading::Contacts(vec![false, false, true, false]));
    // A bumper that covers the front only.
    let front = sensor_with("bumper", json!({"sectors": 4}), Quality::perfect(0.0, PI));
    assert_eq!(reading(&world, &front), Reading::Contacts(vec![false; 4]));
}

/// Kinds in the order of the reading.
fn check_seen(expected: &str, mounted: &MountedSensor, world: &World) {
    let seen: String = sightings(world, mounted).iter().map(|s| s.kind.to_string()).collect();
    assert_eq!(seen, expected);
}

#[test]
fn items_in_range_and_view_are_seen() {
    let world = drawn(
        "....a.....
         ..b...c..d
         ....>.e...
         ..f.......",
    );
    let with = |range, fov| sensor_with("item-detector", json!({}), Quality::perfect(range, fov));
    // Nearest first; equally far ones by number.
    check_seen("aebcf", &with(2.5, TAU), &world);
    check_seen("ae", &with(2.1, TAU), &world);
    check_seen("aebcfd", &with(9.0, TAU), &world);
    check_seen("aecd", &with(9.0, PI), &world);
    check_seen("ecd", &with(9.0, FRAC_PI_2), &world);
    let seen = sightings(&world, &with(2.1, TAU));
    assert_close(&[seen[0].bearing, seen[0].distance, seen[0].extent], &[FRAC_PI_2, 2.0, 0.05]);
    assert_close(&[seen[1].bearing, seen[1].distance], &[0.0, 2.0]);
    assert!(seen.iter().all(|s| !s.inside));
    // Bearings are relative to the front.
    let mut turned = world.clone();
    turned.bodies[0] = disc(turned.bodies[0].pose.position, 3.0);
    turned.reindex();
    assert_close(&[sightings(&turned, &with(2.1, TAU))[1].bearing], &[-3.0]);
}

#[test]
fn items_behind_obstacles_are_hidden() {
    let detector = sensor_with("item-detector", json!({}), Quality::perfect(9.0, TAU));
    check_seen("", &detector, &drawn(">.#.a"));
    check_seen("", &detector, &drawn(">.|.a"));
    check_seen("a", &detector, &drawn(">.a.#"));
    // Low furniture hides what lies behind it on the floor; soft ground and robots do not.
    check_seen("", &detector, &drawn(">._.a"));
    check_seen("a", &detector, &drawn(">.~.a"));
    check_seen("a", &detector, &drawn(">.<.a"));
}

#[test]
fn carried_items_are_not_seen() {
    let detector = sensor_with("item-detector", json!({}), Quality::perfect(9.0, TAU));
    let mut world = drawn(">.a.b");
    world.items[0].holder = Some(RobotId(0));
    world.items_changed();
    world.reindex();
    check_seen("b", &detector, &world);
    world.items[0].holder = None;
    world.items_changed();
    world.reindex();
    check_seen("ab", &detector, &world);
}

#[test]
fn areas_are_seen_and_the_one_around_is_felt() {
    let text = "A.......
                ..>...B.
                ........";
    let drawn = picture(text);
    let mut world = drawn.world.clone();
    world.areas.push(area("spill", drawn.at('A'), 0.5));
    world.areas.push(area("deposit", drawn.at('B'), 1.0));
    world.areas.push(area("site", world.bodies[0].pose.position - vec2(0.5, 0.0), 1.0));
    let with = |range, fov| sensor_with("area-detector", json!({}), Quality::perfect(range, fov));
    // In the order of their numbers; a range of 3 m reaches the rim of the deposit, 2.9 m does not.
    let seen = sightings(&world, &with(3.0, TAU));
    let kinds: Vec<&str> = seen.iter().map(|s| &*s.kind).collect();
    assert_eq!(kinds, ["spill", "deposit", "site"]);
    assert_eq!(seen.iter().map(|s| s.inside).collect::<Vec<_>>(), [false, false, true]);
    assert_close(&[seen[1].bearing, seen[1].distance, seen[1].extent], &[0.0, 4.0, 1.0]);
    assert_close(&[seen[2].bearing.abs(), seen[2].distance], &[PI, 0.5]);
    check_seen("spillsite", &with(2.9, TAU), &world);
    // The area around the robot is felt whatever the field of view.
    check_seen("depositsite", &with(3.0, FRAC_PI_2), &world);
    // An obstacle hides an area but not the one the robot is in.
    for at in [vec2(4.5, 1.5), vec2(1.5, 2.0)] {
        world.add_object(Object::obstacle(
            "post",
            Shape::Circle { radius: 0.1 },
            Pose { position: at, heading: 0.0 },
        ));
    }
    world.reindex();
    check_seen("site", &with(3.0, TAU), &world);
}

#[test]
fn a_position_is_where_the_robot_is() {
    let world = drawn("...\n..>");
    assert_eq!(reading(&world, &sensor("position", json!({}))), Reading::Point(vec2(2.5, 0.5)));
    let biased = Quality { bias: 0.5, ..Quality::perfect(f64::MAX, TAU) };
    assert_eq!(reading(&world, &sensor_with("position", json!({}), biased)), Reading::Point(vec2(3.0, 1.0)));
}

#[test]
fn a_compass_tells_the_heading() {
    let compass = sensor("compass", json!({}));
    for (text, expected) in [(">", 0.0), ("^", FRAC_PI_2), ("<", PI), ("v", -FRAC_PI_2)] {
        assert_eq!(reading(&drawn(text), &compass), Reading::Angle(expected));
    }
    // A bias goes round, too.
    let biased = Quality { bias: 1.0, ..Quality::perfect(f64::MAX, TAU) };
    let Reading::Angle(angle) = reading(&drawn("<"), &sensor_with("compass", json!({}), biased)) else {
        panic!("a compass gives an angle");
    };
    assert_close(&[angle], &[1.0 - PI]);
}

/// A soft object with this emission: soft, so that it hides nothing.
fn source(at: Vec2, emission: Emission) -> Object {
    let pose = Pose { position: at, heading: 0.0 };
    let post = Object::obstacle("source", Shape::Circle { radius: 0.1 }, pose);
    Object { penetrability: 1.0, emissions: vec![emission], ..post }
}

fn heard(text: &str, frequencies: &[f64]) -> Vec<f64> {
    let drawn = picture(text);
    let mut world = drawn.world.clone();
    world.add_object(source(drawn.at('S'), Emission::Sound { frequency: 440.0, level: 8.0, stock: None }));
    world.reindex();
    levels(&world, &sensor("microphones", json!({"frequencies": frequencies})))
}

#[test]
fn ears_hear_the_side_of_a_source() {
    let left = heard("..S\n...\n..>", &[440.0]);
    // All of the sound comes from the left: 8 / 2² there and none of it on the other side.
    assert_close(&left, &[2.0, 0.0]);
    let right = heard("..>\n...\n..S", &[440.0]);
    assert_close(&right, &[0.0, 2.0]);
    assert_close(&heard(">.S", &[440.0]), &[1.0, 1.0]);
    assert_close(&heard("<.S", &[440.0]), &[1.0, 1.0]);
    let ahead_left = heard("..S\n...\n>..", &[440.0]);
    assert!(ahead_left[0] > ahead_left[1] && ahead_left[1] > 0.0, "{ahead_left:?}");
    // Sound goes round corners.
    assert_close(&heard(">#S", &[440.0]), &[1.0, 1.0]);
}

#[test]
fn a_can_falls_silent_once_it_is_empty() {
    let drawn = picture(">.S");
    let mut world = drawn.world.clone();
    let sound = Emission::Sound { frequency: 440.0, level: 8.0, stock: Some("garbage".into()) };
    let mut can = source(drawn.at('S'), sound);
    *can.properties.stocks.amount_mut("garbage") = 3.0;
    let id = world.add_object(can);
    world.reindex();
    let ears = sensor("microphones", json!({"frequencies": [440.0]}));
    assert_close(&levels(&world, &ears), &[1.0, 1.0]);
    *world.object_mut(id).expect("the can").properties.stocks.amount_mut("garbage") = 0.0;
    world.reindex();
    assert_close(&levels(&world, &ears), &[0.0, 0.0]);
}

#[test]
fn sound_is_told_apart_by_frequency_and_fades() {
    // The band is 100 Hz wide.
    assert_close(&heard(">.S", &[440.0, 489.0, 491.0]), &[1.0, 1.0, 1.0, 1.0, 0.0, 0.0]);
    for (text, expected) in [(">S", 4.0), (">.S", 1.0), (">...S", 0.25), (">.....................S", 0.0)] {
        // Twice as far is a quarter as loud; beyond 20 m nothing is heard.
        assert_close(&heard(text, &[440.0]), &[expected, expected]);
    }
}

#[test]
fn beacons_are_seen_in_the_line_of_sight() {
    let look = |text: &str, soft: bool| {
        let drawn = picture(text);
        let mut world = drawn.world.clone();
        let mut post = source(drawn.at('B'), Emission::Beacon { code: "dock".into(), level: 8.0 });
        post.penetrability = if soft { 1.0 } else { 0.0 };
        world.add_object(post);
        world.reindex();
        sightings(&world, &sensor("infrared-beacon", json!({})))
    };
    // Its own housing does not hide it, whatever it is made of.
    for soft in [true, false] {
        let seen = look(">...B", soft);
        assert_eq!((seen.len(), &*seen[0].kind), (1, "dock"));
        assert_close(&[seen[0].bearing, seen[0].distance, seen[0].extent], &[0.0, 4.0, 0.5]);
    }
    assert_eq!(look(">.#.B", false), []);
    assert_eq!(look(">.|.B", false), []);
    assert_eq!(look(">..#B", false), []);
    assert_eq!(look(">...B#", false).len(), 1);
    // It looks to the front half only, 10 m far.
    assert_eq!(look("<...B", false), []);
    assert_eq!(look("^...B", false).len(), 1);
    assert_eq!(look(">.........B", false).len(), 1);
    assert_eq!(look(">..........B", false), []);
}

#[test]
fn heat_is_felt_in_front_and_fades() {
    let feel = |text: &str| {
        let drawn = picture(text);
        let mut world = drawn.world.clone();
        for mark in ['H', 'I'].into_iter().filter(|mark| text.contains(*mark)) {
            let pose = Pose { position: drawn.at(mark), heading: 0.0 };
            let stove = Object::obstacle("stove", Shape::rectangle(0.5, 0.5), pose);
            world.add_object(Object { heat: 8.0, ..stove });
        }
        world.reindex();
        level(&world, &sensor("heat", json!({})))
    };
    // Level at 1 m, a quarter at twice the distance; the range is 5 m and the field of view a quarter circle.
    for (text, expected) in
        [(">H", 8.0), (">.H", 2.0), (">...H", 0.5), (">.....H", 0.0), ("<.H", 0.0), ("^.H", 0.0), (">", 0.0)]
    {
        assert_close(&[feel(text)], &[expected]);
    }
    // Several add up.
    assert_close(&[feel(">H.I")], &[8.0 + 8.0 / 9.0]);
}

#[test]
fn dust_is_felt_within_reach() {
    let dusty = |text: &str, dust: &[f64], fov: f64| {
        let mut world = drawn(text);
        let ids: Vec<_> = world.objects().iter().map(|o| o.id).collect();
        for (id, dust) in ids.into_iter().zip(dust) {
            *world.object_mut(id).expect("the object").properties.stocks.amount_mut("dust") = *dust;
        }
        world.reindex();
        level(&world, &sensor_with("dust", json!({}), Quality::perfect(0.5, fov)))
    };
    assert_eq!(dusty(">#", &[3.0], TAU), 3.0);
    // 0.5 m from the rim: the face of the next but one cell is 1.25 m away.
    assert_eq!(dusty(">.#", &[3.0], TAU), 0.0);
    assert_eq!(dusty(">.", &[], TAU), 0.0);
    // An area counts, too, and a sensor may be configured for another stock.
    let mut world = drawn(">.");
    let mut lawn = area("lawn", vec2(0.6, 0.5), 0.3);
    *lawn.properties.stocks.amount_mut("leaves") = 7.0;
    world.areas.push(lawn);
    assert_eq!(level(&world, &sensor("dust", json!({"stock": "leaves"}))), 7.0);
    assert_eq!(level(&world, &sensor("dust", json!({}))), 0.0);
    // The dustiest one counts, and only what is in view.
    assert_eq!(dusty("#>#", &[5.0, 2.0], TAU), 5.0);
    assert_eq!(dusty("#>#", &[5.0, 2.0], PI), 2.0);
}

#[test]
fn the_ground_is_felt_under_the_robot_and_seen_ahead() {
    // Front, left, back and right; points at 1.25 m and 2.25 m from the centre.
    let quality = Quality::perfect(2.0, TAU);
    let own = || json!({"rays": 4, "points": 2});
    let seen = |text: &str| levels(&drawn(text), &sensor_with("ground", own(), quality.clone()));
    const NONE: f64 = -1.0;
    assert_close(&seen(">~="), &[1.0, 0.5, 2.0, NONE, NONE, NONE, NONE, NONE, NONE]);
    // It turns with the robot, and walls hide what is behind them.
    assert_close(&seen("=~<"), &[1.0, 0.5, 2.0, NONE, NONE, NONE, NONE, NONE, NONE]);
    assert_close(&seen(">#="), &[1.0, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE]);
    assert_close(&seen("...\n>~.\n"), &[1.0, 0.5, 1.0, 1.0, NONE, NONE, NONE, NONE, NONE]);
    // What is under the robot comes first; penetrability may depend on the robot's type.
    let mut world = drawn(">~=");
    let at = world.bodies[RobotId(0)].pose;
    let mut mud = Object { penetrability: 0.3, ..Object::obstacle("mud", Shape::rectangle(0.6, 0.6), at) };
    mud.passes = vec![("amphibian".into(), 0.9)];
    world.add_object(mud);
    world.reindex();
    let feel =
        |world: &World, quality: &Quality| levels(world, &sensor_with("ground", own(), quality.clone()));
    assert_close(&feel(&world, &quality)[..3], &[0.3, 0.5, 2.0]);
    world.bodies[RobotId(0)].robot_type = "amphibian".into();
    assert_close(&feel(&world, &quality)[..3], &[0.9, 0.5, 2.0]);
    // Noise belongs to what is seen; what is hidden stays hidden.
    let noisy = feel(&world, &Quality { relative_noise: 0.1, ..quality.clone() });
    assert!(
        noisy[..3]
            .iter()
            .zip([0.9, 0.5, 2.0])
            .all(|(found, truth)| *found != truth && (found - truth).abs() < 0.4 * truth)
    );
    assert_eq!(noisy[3..], [NONE; 6]);
}

#[test]
fn a_battery_gauge_shows_the_share_that_is_left() {
    let gauge = sensor("battery", json!({}));
    let mut world = drawn(">");
    assert_eq!(level(&world, &gauge), 1.0, "a robot without energy to lose is always full");
    let mut energy = aspect(ENERGY, 80.0);
    (energy.min, energy.value) = (40.0, 50.0);
    world.bodies[0].aspects = vec![aspect("heat", 7.0), energy];
    assert_eq!(level(&world, &gauge), 0.25);
    // It never shows less than 0 or more than 1.
    let biased = Quality { bias: 2.0, ..Quality::perfect(0.0, TAU) };
    assert_eq!(level(&world, &sensor_with("battery", json!({}), biased)), 1.0);
}

/// A scanner with one ray to the front.
fn pointer(quality: Quality) -> MountedSensor {
    sensor_with("range-scanner", json!({"rays": 1}), quality)
}

/// The sensors of robot 0, all of them intact.
fn suite<'a>(world: &'a World, sensors: &'a [MountedSensor]) -> SensorSuite<'a> {
    SensorSuite { world, me: RobotId(0), sensors, ailments: &[], odometer: None }
}

/// Readings over many ticks of a robot with 4.25 m of free space in front.
fn measured(quality: Quality, ticks: u64) -> Vec<f64> {
    let (world, sensors) = (drawn(">...."), [pointer(quality)]);
    let reading = |tick| {
        let mut percept = blank(&sensors);
        suite(&world, &sensors).sense(Time(tick), Stream::new(3, StreamKind::Sensors, 0, tick), &mut percept);
        percept.ranges(SensorId(0))[0]
    };
    (0..ticks).map(reading).collect()
}

#[test]
fn noise_and_bias_have_their_stated_size() {
    let far = Quality::perfect(100.0, TAU);
    for (quality, mean, deviation) in [
        (far.clone(), 4.25, 0.0),
        (Quality { relative_noise: 0.1, ..far.clone() }, 4.25, 0.425),
        (Quality { absolute_noise: 0.2, ..far.clone() }, 4.25, 0.2),
        (Quality { bias: -1.0, absolute_noise: 0.2, ..far.clone() }, 3.25, 0.2),
        (Quality { bias: 1.5, ..far }, 5.75, 0.0),
    ] {
        let (found, spread) = moments(&measured(quality.clone(), 5000));
        // Standard errors of 5000 draws are 1/70 and 1/100 of the deviation: five of them.
        assert!(close(found, mean, deviation / 14.0 + 1e-9), "mean {found} of {quality:?}");
        assert!(close(spread, deviation, deviation / 20.0 + 1e-9), "deviation {spread} of {quality:?}");
    }
}

#[test]
fn noisy_ranges_stay_within_the_range() {
    let wild = Quality { absolute_noise: 50.0, ..Quality::perfect(6.0, TAU) };
    let found = measured(wild, 200);
    assert!(found.iter().all(|r| (0.0..=6.0).contains(r)));
    assert!(found.contains(&0.0) && found.contains(&6.0), "both ends are reached: {found:?}");
}

#[test]
fn noise_is_a_function_of_seed_robot_and_tick_only() {
    let noisy = Quality { relative_noise: 0.1, absolute_noise: 0.1, ..Quality::perfect(9.0, TAU) };
    let sensors = [pointer(noisy), sensor("compass", json!({}))];
    // Both robots are in the same place as far as their sensors can tell.
    let world = drawn(
        ">....
         >....",
    );
    let at = |me, seed, tick, percept: &mut Percept| {
        let noise = Stream::of_robot(seed, StreamKind::Sensors, RobotId(me), tick);
        let suite = SensorSuite { me: RobotId(me), ..suite(&world, &sensors) };
        suite.sense(Time::from_seconds(tick as f64), noise, percept);
        percept.clone()
    };
    let first = at(0, 1, 7, &mut blank(&sensors));
    // Neither earlier measurements of others nor earlier readings change it.
    let mut used = blank(&sensors);
    at(1, 1, 7, &mut used);
    at(0, 1, 6, &mut used);
    assert_eq!(at(0, 1, 7, &mut used), first);
    for (me, seed, tick) in [(1, 1, 7), (0, 2, 7), (0, 1, 8)] {
        let other = at(me, seed, tick, &mut blank(&sensors));
        assert_ne!(
            other.ranges(SensorId(0)),
            first.ranges(SensorId(0)),
            "robot {me}, seed {seed}, tick {tick}"
        );
    }
}

#[test]
fn a_reading_is_kept_until_the_period_is_over() {
    let slow = Quality { period: 0.3, ..Quality::perfect(9.0, TAU) };
    let sensors = [pointer(slow), pointer(Quality::perfect(9.0, TAU))];
    let mut world = drawn(">.........");
    let mut percept = blank(&sensors);
    let mut seen = Vec::new();
    for tick in 0..8 {
        world.reindex();
        let now = Time::from_seconds(tick as f64 * DT);
        suite(&world, &sensors).sense(now, Stream::new(1, StreamKind::Sensors, 0, tick), &mut percept);
        assert_eq!(percept.senses[1].at, now);
        seen.push((percept.senses[0].at.seconds(), percept.ranges(SensorId(0))[0]));
        world.bodies[0].pose.position += vec2(0.5, 0.0);
    }
    let kept: Vec<f64> = [0.0, 0.0, 0.0, 0.3, 0.3, 0.3, 0.6, 0.6].to_vec();
    assert_close(&seen.iter().map(|s| s.0).collect::<Vec<_>>(), &kept);
    // Half a metre per tick, so 1.5 m per period.
    let expected: Vec<f64> = kept.iter().map(|at| 9.0_f64.min(9.25 - at * 5.0)).collect();
    assert_close(&seen.iter().map(|s| s.1).collect::<Vec<_>>(), &expected);
}

/// How many of 4000 ticks brought a new reading.
fn updates(quality: Quality) -> usize {
    let (world, sensors) = (drawn(">...."), [pointer(quality)]);
    let mut percept = blank(&sensors);
    let mut count = 0;
    for tick in 1..=4000 {
        let now = Time::from_seconds(tick as f64 * DT);
        suite(&world, &sensors).sense(now, Stream::new(1, StreamKind::Sensors, 0, tick), &mut percept);
        count += usize::from(percept.senses[0].at == now);
    }
    assert_eq!(count == 0, percept.senses[0].reading == Reading::Missing);
    count
}

#[test]
fn measurements_drop_out_as_often_as_stated() {
    let dropping = |dropout| Quality { dropout, ..Quality::perfect(9.0, TAU) };
    assert_eq!(updates(dropping(0.0)), 4000);
    assert_eq!(updates(dropping(1.0)), 0);
    // Binomial with mean 3000 and standard deviation 27: five of them.
    let kept = updates(dropping(0.25));
    assert!((2863..=3137).contains(&kept), "{kept}");
}

#[test]
fn measurements_drop_out_as_often_as_stated_with_a_period_too() {
    let slow = Quality { period: 1.0, dropout: 0.5, ..Quality::perfect(9.0, TAU) };
    // 400 measurements are due: binomial with mean 200 and standard deviation 10: five of them.
    let kept = updates(slow);
    assert!((150..=250).contains(&kept), "{kept}");
}

#[test]
fn a_bearing_has_a_tenth_of_the_relative_noise() {
    let noisy = Quality { relative_noise: 0.2, ..Quality::perfect(9.0, TAU) };
    let (world, sensors) = (drawn("<..a"), [sensor_with("item-detector", json!({}), noisy)]);
    let (bearings, distances): (Vec<f64>, Vec<f64>) = (0..5000)
        .map(|tick| {
            let mut percept = blank(&sensors);
            suite(&world, &sensors).sense(
                Time(tick),
                Stream::new(1, StreamKind::Sensors, 0, tick),
                &mut percept,
            );
            let seen = &percept.sightings(SensorId(0))[0];
            assert!(seen.bearing.abs() <= PI && seen.distance >= 0.0);
            (wrap(seen.bearing - PI), seen.distance)
        })
        .unzip();
    let (mean, deviation) = moments(&bearings);
    assert!(close(mean, 0.0, 0.0015) && close(deviation, 0.02, 0.001), "{mean} {deviation}");
    let (mean, deviation) = moments(&distances);
    assert!(close(mean, 3.0, 0.043) && close(deviation, 0.6, 0.03), "{mean} {deviation}");
}

/// A person in an area of this name.
fn person(name: &str, center: Vec2) -> Area {
    let mut area = area("person", center, 1.0);
    area.name = name.into();
    area
}

#[test]
fn a_tracker_follows_persons_and_items_behind_walls() {
    let drawn = picture("a#>#P..b");
    let mut world = drawn.world.clone();
    world.areas.extend([person("person 1", drawn.at('P')), area("spill", drawn.at('P'), 1.0)]);
    let mut absent = person("person 2", drawn.at('P'));
    absent.present = false;
    world.areas.push(absent);
    let seen = |world: &World, range: f64| -> Vec<(String, f64, f64)> {
        let tracker = sensor_with("tracker", json!({}), Quality::perfect(range, TAU));
        let percept = perceive(world, RobotId(0), &[tracker]);
        let place = |s: &Sighting| (s.kind.to_string(), s.bearing.abs(), s.distance);
        percept.sightings(SensorId(0)).iter().map(place).collect()
    };
    let all = [("person 1".to_string(), 0.0, 2.0), ("a 1".into(), PI, 2.0), ("b 2".into(), 0.0, 5.0)];
    assert_eq!(seen(&world, 50.0), all);
    assert_eq!(seen(&world, 4.0), all[..2]);
    world.items[0].present = false;
    assert_eq!(seen(&world, 4.0), all[..1]);
}

#[test]
fn a_tracker_tells_where_handles_point_and_what_is_in_a_hand() {
    let mut world = drawn("a^b");
    world.items[0].properties.aspects.push(Aspect::fixed("handle", PI));
    let sightings = |world: &World| {
        let percept = perceive(world, RobotId(0), &[sensor("tracker", json!({}))]);
        percept.sightings(SensorId(0)).iter().map(|s| (s.heading, s.inside)).collect::<Vec<_>>()
    };
    // The robot looks to the north, the handle points to the west: to its left.
    let [(Some(handle), false), (None, false)] = sightings(&world)[..] else {
        panic!("{:?}", sightings(&world))
    };
    assert!((handle - FRAC_PI_2).abs() < 1e-12);
    world.items[0].holder = Some(RobotId(0));
    world.items[1].keeper = Some(0);
    assert!(sightings(&world).iter().all(|(_, in_hand)| *in_hand));
}

#[test]
fn odometry_reads_the_odometer_and_not_the_truth() {
    let (world, mounted) = (drawn("...\n..>"), sensor("odometry", json!({"way-per-way": 0.0})));
    assert_eq!(reading(&world, &mounted), Reading::Missing, "nothing counts");
    let noise = mounted.odometry().expect("odometry").clone();
    let odometer = Odometer::new(noise, Pose::new(1.0, 2.0, 0.5));
    let sensors = [mounted];
    let suite = SensorSuite { odometer: Some(&odometer), ..suite(&world, &sensors) };
    let mut percept = blank(&sensors);
    suite.sense(Time::ZERO, Stream::new(1, StreamKind::Sensors, 0, 0), &mut percept);
    assert_eq!(percept.pose(SensorId(0)), Some(Pose::new(1.0, 2.0, 0.5)));
}

#[test]
fn kerbs_are_seen_where_a_scanner_looks_over_them() {
    let mut world = arena(20.0, 20.0);
    world.bodies.push(disc(vec2(5.0, 5.0), 0.0));
    let rim = world.bodies[0].radius;
    let low = |height: f64, x: f64| {
        let mut kerb = Object::obstacle("kerb", Shape::rectangle(0.2, 4.0), Pose::new(x, 5.0, 0.0));
        kerb.height = height;
        kerb
    };
    world.add_object(low(0.12, 8.1));
    world.reindex();
    let detector = |own| sensor_with("curb-detector", own, Quality::perfect(5.0, FRAC_PI_2));
    let ahead = |world: &World, own| {
        let percept = perceive(world, RobotId(0), &[detector(own)]);
        let ranges = percept.ranges(SensorId(0)).to_vec();
        ranges[ranges.len() / 2]
    };
    assert!((ahead(&world, json!({})) - (3.0 - rim)).abs() < 1e-9);
    let scanner = sensor_with("range-scanner", json!({"rays": 1, "height": 0.3}), Quality::perfect(5.0, 0.1));
    assert_eq!(perceive(&world, RobotId(0), &[scanner]).ranges(SensorId(0)), [5.0]);
    // A lowered kerb that robots drive over is still a step, one that is too low is not.
    assert!(ahead(&world, json!({"lowest": 0.2})) > 4.9);
    // What stands before a step hides it, and is none.
    let mut post = low(1.0, 7.0);
    post.name = "post".into();
    world.add_object(post);
    world.reindex();
    assert_eq!(ahead(&world, json!({})), 5.0);
}

/// A person at a place, as scenarios describe one.
fn walker(name: &str, at: Vec2) -> Object {
    let text = json!({"name": name, "at": [at.x, at.y]});
    let spec: crewlab_world::PersonSpec = serde_json::from_value(text).expect("a person");
    spec.build().expect("a person")
}

#[test]
fn persons_are_told_from_things() {
    let mut world = arena(20.0, 20.0);
    world.bodies.push(disc(vec2(5.0, 5.0), 0.0));
    world.add_object(walker("anna", vec2(9.0, 5.0)));
    world.add_object(walker("ben", vec2(8.0, 5.0)));
    world.add_object(Object::obstacle("post", Shape::Circle { radius: 0.2 }, Pose::new(7.0, 8.0, 0.0)));
    world.reindex();
    let detector = sensor("person-detector", json!({}));
    check_seen("benanna", &detector, &world);
    world.add_object(Object::obstacle("wall", Shape::rectangle(0.2, 2.0), Pose::new(7.0, 5.0, 0.0)));
    world.reindex();
    check_seen("", &detector, &world);
}

#[test]
fn a_gesture_is_seen_when_it_is_made() {
    let mut world = arena(20.0, 20.0);
    world.bodies.push(disc(vec2(5.0, 5.0), FRAC_PI_2));
    let anna = world.add_object(walker("anna", vec2(5.0, 7.0)));
    world.reindex();
    let detector = sensor_with("gesture-detector", json!({}), Quality::perfect(4.0, TAU));
    assert!(sightings(&world, &detector).is_empty());
    let person = world.object_mut(anna).expect("anna");
    person.properties.aspects.push(Aspect::fixed("pointing", 0.0));
    person.properties.states.set("pointing", Some(RobotId(0)), None);
    world.reindex();
    let seen = sightings(&world, &detector);
    assert_close(&[seen[0].heading.expect("a direction")], &[-FRAC_PI_2]);
    world.pass_time(Time::from_seconds(0.1), 0.1, &mut Vec::new());
    assert!(sightings(&world, &detector).is_empty(), "the same gesture is not seen twice");
}

/// What a camera with these parameters sees, in a world of robots, the first of which has it and turns its head to `pan`, while the
/// second has a pink marker; a blue paper hangs at the place `P`.
fn colours(text: &str, pan: f64, own: serde_json::Value) -> Vec<Sighting> {
    let drawn = picture(text);
    let mut world = drawn.world.clone();
    world.bodies[0].aspects.push(Aspect { min: -PI, max: PI, ..Aspect::fixed("pan", pan) });
    world.bodies[0].aspects.push(Aspect::fixed("white", 0.1));
    if let Some(other) = world.bodies.get_mut(1) {
        other.aspects.push(Aspect::fixed("pink", 0.1));
    }
    if text.contains('P') {
        let pose = Pose { position: drawn.at('P'), heading: 0.0 };
        let mut paper = Object::obstacle("paper", Shape::rectangle(0.02, 0.6), pose);
        paper.properties.aspects.push(Aspect::fixed("blue", 0.6));
        world.add_object(paper);
    }
    world.reindex();
    sightings(&world, &sensor("colour-camera", own))
}

#[test]
fn colours_are_seen_where_the_head_faces() {
    let own = || json!({"infrared-range": 1.5});
    let seen = colours(".....\n>^..P", 0.0, own());
    let kinds = |seen: &[Sighting]| seen.iter().map(|each| each.kind.to_string()).collect::<Vec<_>>();
    assert_eq!(kinds(&seen), ["pink"], "the robot hides the paper, and nobody sees itself");
    assert_close(&[seen[0].bearing, seen[0].distance, seen[0].extent], &[0.0, 1.0, 2.0 * 0.05_f64.atan()]);
    assert_eq!(seen[0].heading, Some(FRAC_PI_2));
    // Infrared ends at 1.5 m; the width is that of the true distance.
    let seen = colours("...P\n....\n>...", FRAC_PI_4, own());
    assert_eq!((kinds(&seen), seen[0].heading), (vec!["blue".to_string()], None));
    let (bearing, distance) = (2f64.atan2(3.0), 13f64.sqrt());
    assert_close(&[seen[0].bearing, seen[0].distance], &[bearing, 1.5]);
    assert_close(&[seen[0].extent], &[2.0 * 0.3_f64.atan2(distance)]);
    // 30 degrees to either side of where the head faces.
    for (pan, count) in [(0.0, 0), (bearing - 0.52, 1), (bearing - 0.53, 0), (bearing + 0.52, 1), (PI, 0)] {
        assert_eq!(colours("...P\n....\n>...", pan, own()).len(), count, "{pan}");
    }
    // A colour that it does not know, and something too far away.
    assert_eq!(colours(">..P", 0.0, json!({"colours": ["green"]})), []);
    assert_eq!(colours(">.........P", 0.0, own()).len(), 1);
    assert_eq!(colours(">..........P", 0.0, own()), []);
}

#[test]
fn what_stands_in_between_hides_colours() {
    for (text, count) in
        [(">.^", 1), (">#^", 0), (">|^", 0), ("^.>\n...", 0), (">.P", 1), (">.P#", 1), (">#P", 0)]
    {
        assert_eq!(colours(text, 0.0, json!({})).len(), count, "{text}");
    }
    // A third robot on the line, and one that is not there.
    let picture = drawn(">.^.<");
    for (present, count) in [(true, 0), (false, 1)] {
        let mut world = picture.clone();
        world.bodies[2].aspects.push(Aspect::fixed("pink", 0.1));
        world.bodies[1].present = present;
        world.reindex();
        assert_eq!(sightings(&world, &sensor("colour-camera", json!({}))).len(), count);
    }
}
