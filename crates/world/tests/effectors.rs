//! Every kind of effector, and what using one costs.

mod common;

use common::*;
use crewlab_onboard::geometry::vec2;
use crewlab_onboard::{Action, Side, Time};
use crewlab_world::aspect::ENERGY;
use crewlab_world::effectors::{AnyEffector, KINDS, MountedEffector};
use crewlab_world::{
    Area, AreaState, BodyId, BodyShape, Floor, ObjectId, Outline, Quality, RobotType, Shape, World,
    WorldEvent,
};
use serde_json::json;
use std::f64::consts::{PI, TAU};

/// The tests of each kind. Whoever adds an effector adds its line here.
const CASES: &[(&str, Tests)] = &[
    ("drive", &[a_drive_limits_the_body]),
    (
        "gripper",
        &[
            a_gripper_picks_the_nearest_in_front,
            a_gripper_holds_one_item_and_drops_it,
            a_held_item_is_out_of_reach_for_others,
        ],
    ),
    ("vacuum", &[a_vacuum_takes_dust_off_the_ground, a_vacuum_leaves_a_trace_of_clean_floor]),
    ("dumper", &[a_dumper_empties_the_nearest_can]),
    ("duster-arm", &[a_duster_arm_works_on_its_side]),
    ("report", &[a_report_lights_the_site]),
];

#[test]
fn every_kind_has_a_test() {
    for kind in KINDS {
        let tested = CASES.iter().any(|(name, tests)| *name == kind.name && !tests.is_empty());
        assert!(tested, "the effector {:?} has no test: add one and its line in CASES", kind.name);
        assert!(!kind.summary.is_empty() && !kind.unit.is_empty(), "{}", kind.name);
    }
    for (name, _) in CASES {
        assert!(KINDS.iter().any(|kind| kind.name == *name), "there is no effector {name:?} any more");
    }
}

#[test]
fn every_kind_is_made_without_parameters_and_refuses_unknown_ones() {
    for kind in KINDS {
        assert_eq!(effector(kind.name, json!({})).sheet().kind, kind.name);
        let parsed = AnyEffector::parse(kind.name, json!({"no-such-key": 1}));
        assert!(parsed.expect("a known kind").is_err(), "{}", kind.name);
    }
    assert!(AnyEffector::parse("no-such-kind", json!({})).is_none());
}

#[test]
fn a_drive_limits_the_body() {
    let drive = effector("drive", json!({"max-speed": 2.0, "max-reverse": 0.5, "max-turn": 1.5}));
    let shape = Shape::rectangle(0.6, 0.8);
    let robot = RobotType::new(shape.clone(), Vec::new(), vec![drive.clone()], Vec::new());
    let limits = robot.drive();
    assert_eq!((limits.max_speed, limits.max_reverse, limits.max_turn), (2.0, 0.5, 1.5));
    let sheet = robot.datasheet();
    assert_eq!((sheet.radius, sheet.max_speed, sheet.max_turn), (0.5, 2.0, 1.5));
    assert!(sheet.has("drive") && !sheet.has("gripper"));
    // A robot without a drive stays where it is.
    let limits = RobotType::new(shape, Vec::new(), Vec::new(), Vec::new()).drive();
    assert_eq!((limits.max_speed, limits.max_reverse, limits.max_turn), (0.0, 0.0, 0.0));
    // Motion is not an action.
    let mut world = drawn(">.");
    let before = bytes(&world);
    assert_eq!(act(&mut world, 0, &drive, Action::Work), []);
    assert_eq!(bytes(&world), before);
}

/// A gripper that reaches 1 m from the rim, over this angle.
fn gripper(fov: f64) -> MountedEffector {
    MountedEffector { quality: Quality::perfect(1.0, fov), ..effector("gripper", json!({})) }
}

/// The kind of item that robot 0 picks up; "" if none.
fn check_grab(expected: &str, fov: f64, text: &str) {
    let mut world = drawn(text);
    let events = act(&mut world, 0, &gripper(fov), Action::Grab);
    let held = world.bodies[0].holding.map(|item| world.items[item as usize].kind.to_string());
    assert_eq!(held.clone().unwrap_or_default(), expected, "{text}");
    let picked = world.bodies[0].holding.map(|item| WorldEvent::Picked { body: BodyId(0), item });
    assert_eq!(events, Vec::from_iter(picked));
    let held_items = world.items.iter().filter(|i| i.holder == Some(BodyId(0))).count();
    assert_eq!(held_items, usize::from(held.is_some()));
}

#[test]
fn a_gripper_picks_the_nearest_in_front() {
    check_grab("b", PI, "a>bc");
    check_grab("", PI, "a>.c");
    check_grab("b", TAU, ".>b");
    check_grab("a", TAU, "a>.b");
    check_grab("c", PI, "..c\nab>\n...");
    // At 1.25 m from the centre all cells beside are in reach, those across a corner are not.
    check_grab(
        "",
        TAU,
        "a.b
         .>.
         c.d",
    );
    // Of equally near ones the first is taken.
    check_grab("a", TAU, "a>b");
}

#[test]
fn a_gripper_picks_what_lies_under_its_robot() {
    let mut world = drawn(".>.");
    let center = world.bodies[0].pose.position;
    world.items.push(item("behind", center - vec2(RADIUS - 0.01, 0.0)));
    world.items_changed();
    act(&mut world, 0, &gripper(0.1), Action::Grab);
    assert_eq!(world.bodies[0].holding, Some(0));
}

#[test]
fn a_gripper_holds_one_item_and_drops_it() {
    let mut world = drawn("a>b");
    let gripper = gripper(TAU);
    assert_eq!(gripper.feedback(&world, 0), 0.0);
    assert_eq!(act(&mut world, 0, &gripper, Action::Release), [], "nothing to drop");
    let picked = act(&mut world, 0, &gripper, Action::Grab);
    assert_eq!(picked, [WorldEvent::Picked { body: BodyId(0), item: 0 }]);
    assert_eq!(act(&mut world, 0, &gripper, Action::Grab), [], "its hand is full");
    assert_eq!((world.bodies[0].holding, holder(&world, 1)), (Some(0), None));
    assert_eq!(gripper.feedback(&world, 0), 1.0);
    let dropped = act(&mut world, 0, &gripper, Action::Release);
    assert_eq!(dropped, [WorldEvent::Dropped { body: BodyId(0), item: 0 }]);
    assert_eq!((world.bodies[0].holding, holder(&world, 0)), (None, None));
    // Actions of other effectors mean nothing to it.
    assert_eq!(act(&mut world, 0, &gripper, Action::Work), []);
    assert_eq!(world.bodies[0].holding, None);
}

#[test]
fn a_held_item_is_out_of_reach_for_others() {
    let mut world = drawn(">a<");
    act(&mut world, 0, &gripper(TAU), Action::Grab);
    assert_eq!(act(&mut world, 1, &gripper(TAU), Action::Grab), []);
    assert_eq!((holder(&world, 0), world.bodies[1].holding), (Some(BodyId(0)), None));
    act(&mut world, 0, &gripper(TAU), Action::Release);
    act(&mut world, 1, &gripper(TAU), Action::Grab);
    assert_eq!(holder(&world, 0), Some(BodyId(1)));
}

/// A picture whose objects carry this much dust and garbage, in reading order.
fn dirty(text: &str, dust: &[f64], garbage: &[f64]) -> World {
    let mut world = drawn(text);
    for (i, dust) in dust.iter().enumerate() {
        world.object_mut(ObjectId(i as u32)).expect("the object").dust = *dust;
    }
    for (i, garbage) in garbage.iter().enumerate() {
        world.object_mut(ObjectId(i as u32)).expect("the object").garbage = *garbage;
    }
    world.reindex();
    world
}

fn dust(world: &World) -> Vec<f64> {
    world.objects().iter().map(|o| o.dust).collect()
}

fn cleaned(object: u32, finished: bool) -> WorldEvent {
    WorldEvent::Cleaned { body: BodyId(0), object: ObjectId(object), finished }
}

#[test]
fn a_vacuum_takes_dust_off_the_ground() {
    // Soft ground below the robot, more of it out of reach, and a dusty block that is not ground.
    let mut world = dirty("~.~#", &[0.25, 0.25, 0.25], &[]);
    world.bodies.push(disc(vec2(0.5, 0.5), 0.0));
    let vacuum = effector("vacuum", json!({"rate": 2.0}));
    assert_eq!(act(&mut world, 0, &vacuum, Action::Work), [cleaned(0, false)]);
    assert_close(&dust(&world), &[0.05, 0.25, 0.25]);
    assert_close(&[vacuum.feedback(&world, 0)], &[0.2]);
    // It takes no more than there is, and says when nothing is left.
    assert_eq!(act(&mut world, 0, &vacuum, Action::Work), [cleaned(0, true)]);
    assert_close(&[dust(&world)[0], vacuum.feedback(&world, 0)], &[0.0, 0.25]);
    assert_eq!(act(&mut world, 0, &vacuum, Action::Work), []);
    world.bodies[0] = disc(vec2(2.5, 0.5), 0.0);
    act(&mut world, 0, &vacuum, Action::Grab);
    assert_close(&dust(&world), &[0.0, 0.25, 0.25]);
    // The rim touches the block, whose dust is not its business.
    act(&mut world, 0, &vacuum, Action::Work);
    assert_close(&dust(&world), &[0.0, 0.05, 0.25]);
}

#[test]
fn a_vacuum_leaves_a_trace_of_clean_floor() {
    let mut world = picture("...\n.>.\n...").world;
    world.floor = Some(Floor::new(&world.bounds, 0.1, 0.2, &[]));
    let vacuum = effector("vacuum", json!({}));
    let at = world.bodies[0].pose.position;
    let reach = world.bodies[0].radius + vacuum.quality.range;
    act(&mut world, 0, &vacuum, Action::Work);
    let floor = world.floor.as_ref().expect("a floor");
    assert!(floor.done() > 0);
    assert!(floor.dirty(|_| false).all(|cell| cell.distance(at) > reach));
}

#[test]
fn a_dumper_empties_the_nearest_can() {
    let dumper = effector("dumper", json!({}));
    let mut world = dirty("#.#..#", &[], &[3.0, 4.0, 5.0]);
    // 0.2 m nearer to the second one; both are within 0.3 m of the rim, the third is not.
    world.bodies.push(disc(vec2(1.55, 0.5), 0.0));
    let left = |world: &World| world.objects().iter().map(|o| o.garbage).collect::<Vec<_>>();
    assert_eq!(act(&mut world, 0, &dumper, Action::WorkOn(Side::Left)), []);
    assert_eq!(act(&mut world, 0, &dumper, Action::Work), [cleaned(1, true)]);
    assert_eq!((left(&world), dumper.feedback(&world, 0)), (vec![3.0, 0.0, 5.0], 4.0));
    assert_eq!(act(&mut world, 0, &dumper, Action::Work), [cleaned(0, true)]);
    assert_eq!((left(&world), dumper.feedback(&world, 0)), (vec![0.0, 0.0, 5.0], 7.0));
    assert_eq!(act(&mut world, 0, &dumper, Action::Work), []);
}

#[test]
fn a_duster_arm_works_on_its_side() {
    let text = "#.
                >.
                #.";
    let arm = effector("duster-arm", json!({"rate": 1.0}));
    for (side, expected) in [(Side::Left, [0.05, 0.15]), (Side::Right, [0.15, 0.05])] {
        let mut world = dirty(text, &[0.15, 0.15], &[]);
        let object = u32::from(side == Side::Right);
        assert_eq!(act(&mut world, 0, &arm, Action::WorkOn(side)), [cleaned(object, false)]);
        assert_close(&dust(&world), &expected);
        assert_eq!(act(&mut world, 0, &arm, Action::WorkOn(side)), [cleaned(object, true)]);
        assert_eq!(act(&mut world, 0, &arm, Action::WorkOn(side)), []);
    }
    // Sides turn with the robot.
    let mut world = dirty(text, &[0.15, 0.15], &[]);
    world.bodies[0] = disc(world.bodies[0].pose.position, PI);
    act(&mut world, 0, &arm, Action::WorkOn(Side::Left));
    assert_close(&dust(&world), &[0.15, 0.05]);
    // It reaches 0.3 m, wipes no ground, and needs to be told the side.
    let mut world = dirty("#..\n...\n>..\n~..", &[0.15, 0.15], &[]);
    act(&mut world, 0, &arm, Action::WorkOn(Side::Left));
    act(&mut world, 0, &arm, Action::WorkOn(Side::Right));
    act(&mut world, 0, &arm, Action::Work);
    assert_close(&dust(&world), &[0.15, 0.15]);
}

#[test]
fn a_report_lights_the_site() {
    let drawn = picture("S...T");
    let mut world = drawn.world.clone();
    for (mark, kind) in [('S', "spill"), ('S', "report-site"), ('T', "report-site")] {
        world.areas.push(Area {
            name: kind.into(),
            kind: kind.into(),
            outline: Outline::Circle { center: drawn.at(mark), radius: 0.5 },
            state: AreaState::Quiet,
            reports: 0,
            present: true,
            person: None,
        });
    }
    let report = effector("report", json!({"lit": 3.0}));
    let seen = |world: &World| world.areas.iter().map(|a| (a.state, a.reports)).collect::<Vec<_>>();
    let quiet = (AreaState::Quiet, 0);
    // Its reach is 0.2 m from the rim, so 0.45 m from the centre; the rim of the site is at 4.
    world.bodies.push(disc(vec2(3.54, 0.5), 0.0));
    assert_eq!(act(&mut world, 0, &report, Action::Work), []);
    world.bodies[0] = disc(vec2(3.56, 0.5), 0.0);
    assert_eq!(act(&mut world, 0, &report, Action::Grab), []);
    assert_eq!(seen(&world), [quiet; 3]);
    let reported = |area| WorldEvent::Reported { body: BodyId(0), area };
    assert_eq!(act(&mut world, 0, &report, Action::Work), [reported(2)]);
    // Actions in these tests happen at 10 s.
    let lit = AreaState::Lit { until: Time::from_seconds(13.0) };
    assert_eq!(seen(&world), [quiet, quiet, (lit, 1)]);
    // At a place with several areas, it is the report site that counts.
    world.bodies[0] = disc(vec2(0.5, 0.5), 0.0);
    assert_eq!(act(&mut world, 0, &report, Action::Work), [reported(1)]);
    assert_eq!(act(&mut world, 0, &report, Action::Work), [reported(1)]);
    assert_eq!(seen(&world), [quiet, (lit, 2), (lit, 1)]);
}

/// A world in which every kind of effector finds something to do.
fn busy() -> World {
    let mut world = dirty(
        "~#.
         ...
         .a.",
        &[1.0, 1.0],
        &[0.0, 1.0],
    );
    let mut robot = disc(vec2(0.7, 2.5), 0.0);
    robot.aspects.push(aspect(ENERGY, 10.0));
    robot.aspects[0].per_use = -1.0;
    world.bodies.push(robot);
    world.items.push(item("near", vec2(0.7, 2.4)));
    world.areas.push(Area {
        name: "site".into(),
        kind: "report-site".into(),
        outline: Outline::Circle { center: vec2(0.5, 2.5), radius: 0.5 },
        state: AreaState::Quiet,
        reports: 0,
        present: true,
        person: None,
    });
    world
}

const ACTIONS: [Action; 5] =
    [Action::Grab, Action::Release, Action::Work, Action::WorkOn(Side::Left), Action::WorkOn(Side::Right)];

#[test]
fn an_effector_that_drops_out_does_nothing() {
    for kind in KINDS {
        let mut mounted = effector(kind.name, json!({}));
        // First that there is something to do, so that doing nothing means something.
        let mut world = busy();
        let done: usize = ACTIONS.iter().map(|&a| act(&mut world, 0, &mounted, a).len()).sum();
        assert_eq!(done > 0, kind.name != "drive", "{} did {done} things", kind.name);
        mounted.quality.dropout = 1.0;
        let mut world = busy();
        let before = bytes(&world);
        for action in ACTIONS {
            assert_eq!(act(&mut world, 0, &mounted, action), [], "{} {action:?}", kind.name);
        }
        assert_eq!(bytes(&world), before, "{}: it costs nothing either", kind.name);
    }
}

#[test]
fn a_noisy_effector_works_at_its_noisy_rate() {
    let mut vacuum = effector("vacuum", json!({"rate": 1.0}));
    vacuum.quality.bias = 0.3;
    let mut world = busy();
    act(&mut world, 0, &vacuum, Action::Work);
    // A tick's share of the rate is 0.1.
    assert_close(&dust(&world), &[0.6, 1.0]);
    // It may take nothing, but never gives dust back.
    vacuum.quality.bias = -5.0;
    act(&mut world, 0, &vacuum, Action::Work);
    assert_close(&dust(&world), &[0.6, 1.0]);
}

#[test]
fn every_use_acts_on_the_aspects() {
    let mut world = busy();
    world.bodies[0].aspects.push(aspect("calm", 5.0));
    for kind in KINDS {
        act(&mut world, 0, &effector(kind.name, json!({})), Action::Work);
    }
    let values: Vec<f64> = world.bodies[0].aspects.iter().map(|a| a.value).collect();
    assert_close(&values, &[10.0 - KINDS.len() as f64, 5.0]);
}

#[test]
fn a_use_that_empties_the_battery_is_told() {
    let mut world = busy();
    world.bodies[0].aspects[0].per_use = -10.0;
    let mut events = act(&mut world, 0, &effector("vacuum", json!({})), Action::Work);
    assert!(world.bodies[0].exhausted());
    events.extend(run(&mut world, 5, |_, _| crewlab_onboard::Command::drive(1.0, 0.0)));
    let told = events.iter().filter(|e| **e == WorldEvent::Exhausted { body: BodyId(0) }).count();
    assert_eq!(told, 1, "{events:?}");
}

#[test]
fn body_shapes_are_what_scenarios_say() {
    let corners = |shape: BodyShape| match shape.shape() {
        Ok(Shape::Polygon(corners)) => corners,
        other => panic!("{other:?} is no polygon"),
    };
    let rectangle = corners(BodyShape::Rectangle([2.0, 1.0]));
    assert!(rectangle.iter().all(|c| c.x.abs() == 1.0 && c.y.abs() == 0.5), "length is towards the front");
    assert_eq!(corners(BodyShape::Polygon(vec![[1.0, 0.0], [-1.0, 1.0], [-1.0, -1.0]])).len(), 3);
    assert_eq!(BodyShape::Circle(0.3).shape(), Ok(Shape::Circle { radius: 0.3 }));
    let dart = vec![[1.0, 0.0], [-1.0, 1.0], [0.0, 0.0], [-1.0, -1.0]];
    assert!(BodyShape::Polygon(dart).shape().is_err());
}

#[test]
fn impossible_body_shapes_are_refused() {
    for shape in [
        BodyShape::Rectangle([0.5, -0.5]),
        BodyShape::Rectangle([0.0, 0.5]),
        BodyShape::Rectangle([f64::NAN, 0.5]),
        BodyShape::Circle(-0.3),
        BodyShape::Circle(0.0),
    ] {
        assert!(shape.shape().is_err(), "{shape:?}");
    }
}
