//! Every kind of effector, and the cost of using one.

mod common;

use common::*;
use crewlab_onboard::geometry::{Pose, vec2};
use crewlab_onboard::{Action, RobotId, Side, Time};
use crewlab_world::aspect::ENERGY;
use crewlab_world::effectors::{AnyEffector, KINDS, MountedEffector};
use crewlab_world::{
    Area, Aspect, Bearer, BodyShape, Floor, ObjectId, Outline, Properties, Quality, RobotType, Shape, World,
    WorldEvent,
};
use serde_json::json;
use std::f64::consts::{PI, TAU};

/// The tests of each kind. A new effector needs a line here.
const CASES: &[(&str, Tests)] = &[
    ("drive", &[a_drive_limits_the_body]),
    (
        "gripper",
        &[
            a_gripper_picks_the_nearest_in_front,
            a_gripper_holds_one_item_and_drops_it,
            a_held_item_is_out_of_reach_for_others,
            two_fingers_need_the_handle_on_their_side,
            a_gripper_takes_the_item_that_it_reaches_for,
            an_item_that_is_held_out_goes_from_hand_to_hand,
            an_offer_lasts_no_longer_than_it_is_made,
            a_person_takes_only_what_they_want,
        ],
    ),
    (
        "vacuum",
        &[
            a_vacuum_takes_dust_off_the_ground,
            a_vacuum_leaves_a_trace_of_clean_floor,
            effectors_remove_the_configured_stock,
        ],
    ),
    ("dumper", &[a_dumper_empties_the_nearest_can]),
    ("duster-arm", &[a_duster_arm_works_on_its_side]),
    ("report", &[a_report_lights_the_site]),
    (
        "dialog",
        &[a_dialog_takes_an_order_and_later_ends_with_a_kind_word, a_dialog_is_with_the_person_in_front],
    ),
    ("ask-way", &[a_person_who_knows_the_way_stops_and_points]),
    ("head", &[a_head_pans_as_fast_and_as_far_as_it_can]),
    ("legs", &[legs_stand_up_and_lie_down]),
    ("marker", &[a_marker_shows_its_colour]),
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

/// A world with one robot that has this effector.
fn equipped(mounted: &MountedEffector) -> World {
    let mut world = arena(4.0, 4.0);
    let robot = disc(vec2(1.0, 1.0), 0.0);
    let made = RobotType::new(robot.shape.clone(), Vec::new(), vec![mounted.clone()], Vec::new());
    world.bodies.push(crewlab_world::Body::new(robot.pose, made.shape.clone(), made.drive(), made.aspects));
    world.reindex();
    world
}

#[test]
fn a_head_pans_as_fast_and_as_far_as_it_can() {
    let head = effector("head", json!({"max-pan": 1.0, "max-turn": 4.0}));
    let mut world = equipped(&head);
    let mut faces = |bearing: f64| {
        act(&mut world, RobotId(0), &head, Action::face(bearing));
        head.feedback(&world, RobotId(0))
    };
    // 0.4 rad per tick, not beyond the goal, not beyond the limit.
    assert_close(&[faces(0.5), faces(0.5), faces(9.0), faces(9.0)], &[0.4, 0.5, 0.9, 1.0]);
    assert_close(&[faces(-40.0), faces(0.6)], &[0.6, 0.6]);
    act(&mut world, RobotId(0), &head, Action::Work);
    assert_close(&[world.bodies[0].pan()], &[0.6]);
    // A body without a head looks ahead.
    assert_eq!(disc(vec2(1.0, 1.0), 0.0).pan(), 0.0);
}

#[test]
fn legs_stand_up_and_lie_down() {
    let legs = effector("legs", json!({"rise-time": 0.4}));
    let mut world = equipped(&legs);
    let mut stance = |action| {
        act(&mut world, RobotId(0), &legs, action);
        legs.feedback(&world, RobotId(0))
    };
    let up: Vec<f64> = (0..5).map(|_| stance(Action::Work)).collect();
    assert_close(&up, &[0.25, 0.5, 0.75, 1.0, 1.0]);
    assert_close(&[stance(Action::Grab), stance(Action::Release)], &[1.0, 0.75]);
    assert_eq!(disc(vec2(1.0, 1.0), 0.0).stance(), 1.0, "wheels always stand");
}

#[test]
fn a_marker_shows_its_colour() {
    let marker = effector("marker", json!({"colour": "white", "width": 0.2}));
    assert_eq!(marker.sheet().colour, "white");
    assert_eq!(equipped(&marker).bodies[0].aspect("white"), Some(0.2));
    assert_eq!(effector("drive", json!({})).sheet().colour, "");
}

#[test]
fn a_drive_limits_the_body() {
    let drive =
        effector("drive", json!({"max-speed": 2.0, "max-reverse": 0.5, "max-side": 0.25, "max-turn": 1.5}));
    let shape = Shape::rectangle(0.6, 0.8);
    let robot = RobotType::new(shape.clone(), Vec::new(), vec![drive.clone()], Vec::new());
    let limits = robot.drive();
    assert_eq!((limits.max_speed, limits.max_reverse, limits.max_turn), (2.0, 0.5, 1.5));
    assert_eq!(limits.max_side, 0.25);
    let sheet = robot.datasheet();
    assert_eq!((sheet.radius, sheet.max_speed, sheet.max_turn), (0.5, 2.0, 1.5));
    assert!(sheet.has("drive") && !sheet.has("gripper"));
    // A robot without a drive stays where it is.
    let limits = RobotType::new(shape, Vec::new(), Vec::new(), Vec::new()).drive();
    assert_eq!((limits.max_speed, limits.max_reverse, limits.max_turn), (0.0, 0.0, 0.0));
    // Motion is not an action.
    let mut world = drawn(">.");
    let before = bytes(&world);
    assert_eq!(act(&mut world, RobotId(0), &drive, Action::Work), []);
    assert_eq!(bytes(&world), before);
}

/// A gripper that reaches 1 m from the rim, over this angle.
fn gripper(fov: f64) -> MountedEffector {
    MountedEffector { quality: Quality::perfect(1.0, fov), ..effector("gripper", json!({})) }
}

/// The kind of item that robot 0 picks up; "" if none.
fn check_grab(expected: &str, fov: f64, text: &str) {
    let mut world = drawn(text);
    let events = act(&mut world, RobotId(0), &gripper(fov), Action::Grab);
    let held = world.bodies[0].holding.map(|item| world.items[item as usize].kind.to_string());
    assert_eq!(held.clone().unwrap_or_default(), expected, "{text}");
    let picked = world.bodies[0].holding.map(|item| WorldEvent::Picked { body: RobotId(0), item });
    assert_eq!(events, Vec::from_iter(picked));
    let held_items = world.items.iter().filter(|i| i.holder == Some(RobotId(0))).count();
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
    act(&mut world, RobotId(0), &gripper(0.1), Action::Grab);
    assert_eq!(world.bodies[0].holding, Some(0));
}

#[test]
fn a_gripper_holds_one_item_and_drops_it() {
    let mut world = drawn("a>b");
    let gripper = gripper(TAU);
    assert_eq!(gripper.feedback(&world, RobotId(0)), 0.0);
    assert_eq!(act(&mut world, RobotId(0), &gripper, Action::Release), [], "nothing to drop");
    let picked = act(&mut world, RobotId(0), &gripper, Action::Grab);
    assert_eq!(picked, [WorldEvent::Picked { body: RobotId(0), item: 0 }]);
    assert_eq!(act(&mut world, RobotId(0), &gripper, Action::Grab), [], "its hand is full");
    assert_eq!((world.bodies[0].holding, holder(&world, 1)), (Some(0), None));
    assert_eq!(gripper.feedback(&world, RobotId(0)), 1.0);
    let dropped = act(&mut world, RobotId(0), &gripper, Action::Release);
    assert_eq!(dropped, [WorldEvent::Dropped { body: RobotId(0), item: 0 }]);
    assert_eq!((world.bodies[0].holding, holder(&world, 0)), (None, None));
    // Actions of other effectors have no effect on it.
    assert_eq!(act(&mut world, RobotId(0), &gripper, Action::Work), []);
    assert_eq!(world.bodies[0].holding, None);
}

#[test]
fn a_held_item_is_out_of_reach_for_others() {
    let mut world = drawn(">a<");
    act(&mut world, RobotId(0), &gripper(TAU), Action::Grab);
    assert_eq!(act(&mut world, RobotId(1), &gripper(TAU), Action::Grab), []);
    assert_eq!((holder(&world, 0), world.bodies[1].holding), (Some(RobotId(0)), None));
    act(&mut world, RobotId(0), &gripper(TAU), Action::Release);
    act(&mut world, RobotId(1), &gripper(TAU), Action::Grab);
    assert_eq!(holder(&world, 0), Some(RobotId(1)));
}

#[test]
fn two_fingers_need_the_handle_on_their_side() {
    let two = MountedEffector {
        quality: Quality::perfect(1.0, TAU),
        ..effector("gripper", json!({"grips-by": "handle"}))
    };
    // The robot stands to the west of the item, so that is where the handle must point, give or take 75 degrees.
    for (handle, grasped) in
        [(180.0, true), (110.0, true), (-110.0, true), (100.0, false), (0.0, false), (-100.0, false)]
    {
        for (gripper, expected) in [(&two, grasped), (&gripper(TAU), true)] {
            let mut world = drawn(">a");
            world.items[0].properties.aspects.push(Aspect::fixed("handle", f64::to_radians(handle)));
            act(&mut world, RobotId(0), gripper, Action::Grab);
            assert_eq!(world.bodies[0].holding.is_some(), expected, "{handle} degrees");
        }
    }
    // An item without a handle cannot be gripped by one.
    let mut world = drawn(">a");
    assert_eq!(act(&mut world, RobotId(0), &two, Action::Grab), []);
}

#[test]
fn a_gripper_takes_the_item_that_it_reaches_for() {
    let held = |aim: Action| {
        let mut world = drawn("a>b");
        act(&mut world, RobotId(0), &gripper(TAU), aim);
        world.bodies[0].holding
    };
    // `a` is 1 m behind the robot, `b` 1 m ahead.
    assert_eq!(held(Action::grab_at(vec2(0.9, 0.1))), Some(1));
    assert_eq!(held(Action::grab_at(vec2(-0.9, 0.1))), Some(0));
    assert_eq!(held(Action::grab_at(vec2(0.0, 1.0))), None, "nothing is near");
    assert_eq!(held(Action::grab_at(vec2(f64::INFINITY, f64::NAN))), None);
    assert_eq!(held(Action::Grab), Some(0));
}

#[test]
fn an_item_that_is_held_out_goes_from_hand_to_hand() {
    // The taker may need the handle: the giver turns it towards the taker.
    let taker = MountedEffector {
        quality: Quality::perfect(1.0, PI),
        ..effector("gripper", json!({"grips-by": "handle"}))
    };
    for take in [Action::Grab, Action::grab_at(vec2(0.75, 0.0))] {
        let mut world = drawn("a>.<");
        act(&mut world, RobotId(0), &gripper(TAU), Action::Grab);
        assert_eq!(act(&mut world, RobotId(1), &taker, Action::Grab), [], "it is not held out");
        let mut events = act(&mut world, RobotId(0), &gripper(TAU), Action::Offer);
        events.extend(act(&mut world, RobotId(1), &taker, take));
        assert_eq!(events, [WorldEvent::HandedOver { from: RobotId(0), to: RobotId(1), item: 0 }]);
        assert_eq!((holder(&world, 0), world.bodies[0].holding), (Some(RobotId(1)), None));
        assert_eq!(world.bodies[1].holding, Some(0));
        assert_eq!(
            act(&mut world, RobotId(0), &gripper(TAU), Action::Offer),
            [],
            "an empty hand offers nothing"
        );
        assert_eq!(world.bodies[0].offer, None);
    }
    // The arm reaches 1.25 m from the centre of the giver: a robot behind it gets nothing.
    let mut world = drawn("<a>.");
    act(&mut world, RobotId(1), &gripper(TAU), Action::Grab);
    act(&mut world, RobotId(1), &gripper(TAU), Action::Offer);
    assert_eq!(act(&mut world, RobotId(0), &gripper(TAU), Action::Grab), []);
}

#[test]
fn an_offer_lasts_no_longer_than_it_is_made() {
    let mut world = drawn("a>.<");
    act(&mut world, RobotId(0), &gripper(TAU), Action::Grab);
    act(&mut world, RobotId(0), &gripper(TAU), Action::Offer);
    // Actions in these tests happen at 10 s.
    world.bodies[0].offer = world.bodies[0].offer.map(|(at, _)| (at, Time::from_seconds(9.8)));
    assert_eq!(act(&mut world, RobotId(1), &gripper(TAU), Action::Grab), []);
    world.bodies[0].offer = world.bodies[0].offer.map(|(at, _)| (at, Time::from_seconds(9.9)));
    assert_eq!(
        act(&mut world, RobotId(1), &gripper(TAU), Action::Grab).len(),
        1,
        "that of the last tick counts"
    );
}

/// A person who wants an item of this kind and reaches 0.9 m.
fn person(name: &str, wants: &str, center: crewlab_onboard::Vec2) -> Area {
    let mut area = Area::new(name, "person", Outline::Circle { center, radius: 0.9 });
    area.wants = Some(wants.into());
    area.properties.aspects.push(Aspect::fixed("wish", 2.0));
    area
}

fn of(world: &World, area: usize) -> &Properties {
    &world.areas[area].properties
}

fn by(world: &World, state: &str) -> Option<RobotId> {
    of(world, 0).states.get(state).and_then(|state| state.by)
}

#[test]
fn a_person_takes_only_what_they_want() {
    for (wants, near, given) in [("a", true, true), ("b", true, false), ("a", false, false)] {
        let drawn = picture("a>P");
        let mut world = drawn.world.clone();
        world.areas.push(person("person 1", wants, drawn.at('P') - vec2(if near { 0.2 } else { 0.0 }, 0.0)));
        act(&mut world, RobotId(0), &gripper(TAU), Action::Grab);
        let events = act(&mut world, RobotId(0), &gripper(PI), Action::Release);
        assert_eq!(world.bodies[0].holding, None);
        let (item, body) = (0, RobotId(0));
        if given {
            assert_eq!(events, [WorldEvent::Given { body, area: 0, item }]);
            assert_eq!((by(&world, "served"), world.items[0].keeper), (Some(body), Some(0)));
            assert!(!world.items[0].lies());
            assert_eq!(world.items[0].position, world.areas[0].outline.bounding_circle().0);
            assert_eq!(
                act(&mut world, RobotId(0), &gripper(TAU), Action::Grab),
                [],
                "nobody takes it away again"
            );
        } else {
            assert_eq!(events, [WorldEvent::Dropped { body, item }]);
            assert!(!of(&world, 0).states.has("served") && world.items[0].lies());
        }
    }
}

#[test]
fn a_dialog_takes_an_order_and_later_ends_with_a_kind_word() {
    let drawn = picture(">P");
    let mut world = drawn.world.clone();
    world.areas.push(person("person 1", "a", drawn.at('P') - vec2(0.2, 0.0)));
    let dialog = effector("dialog", json!({"duration": 0.3}));
    let talk = |world: &mut World, state: &str| -> usize {
        let spoken = WorldEvent::StateSet { body: RobotId(0), area: 0, state: state.into() };
        // Three ticks of 0.1 s.
        (0..3)
            .map(|_| act(world, RobotId(0), &dialog, Action::Work))
            .filter(|events| *events == [spoken.clone()])
            .count()
    };
    assert_eq!((talk(&mut world, "ordered"), by(&world, "ordered")), (1, Some(RobotId(0))));
    assert_eq!(dialog.feedback(&world, RobotId(0)), 3.0, "1 + what the person says");
    // Another robot that was not told has to ask again.
    world.areas[0].properties.states.set("ordered", Some(RobotId(7)), None);
    assert_eq!(dialog.feedback(&world, RobotId(0)), 0.0);
    assert!(!of(&world, 0).states.has("attended"));
    // With the cup it is a kind word; meanwhile the person counts as kept company.
    world.areas[0].properties.states.set("served", Some(RobotId(0)), None);
    world.pass_time(Time::ZERO, 0.1, &mut Vec::new());
    let alone = |world: &World| of(world, 0).states.get("served").map(|served| served.lasted);
    assert_eq!(alone(&world), Some(0.1));
    assert_eq!(act(&mut world, RobotId(0), &dialog, Action::Grab), []);
    assert_eq!((talk(&mut world, "attended"), alone(&world)), (1, Some(0.0)));
    assert_eq!(dialog.feedback(&world, RobotId(0)), -1.0);
}

#[test]
fn a_dialog_is_with_the_person_in_front() {
    let drawn = picture("A>B");
    let mut world = drawn.world.clone();
    for (name, mark, off) in [("person 1", 'A', 0.2), ("person 2", 'B', -0.2)] {
        world.areas.push(person(name, "a", drawn.at(mark) + vec2(off, 0.0)));
    }
    let dialog = effector("dialog", json!({"duration": 0.0}));
    let spoken = |area| vec![WorldEvent::StateSet { body: RobotId(0), area, state: "ordered".into() }];
    assert_eq!(act(&mut world, RobotId(0), &dialog, Action::Work), spoken(1));
    world.bodies[0] = disc(world.bodies[0].pose.position, PI);
    assert_eq!(act(&mut world, RobotId(0), &dialog, Action::Work), spoken(0));
    world.bodies[0] = disc(world.bodies[0].pose.position, PI / 2.0);
    assert_eq!(act(&mut world, RobotId(0), &dialog, Action::Work), []);
    // A dialog with an absent person is impossible.
    world.bodies[0] = disc(world.bodies[0].pose.position, PI);
    world.areas[0].present = false;
    assert_eq!(act(&mut world, RobotId(0), &dialog, Action::Work), []);
}

#[test]
fn a_person_comes_when_it_is_time() {
    let mut world = drawn("..");
    let mut area = person("person 1", "a", vec2(0.5, 0.5));
    (area.present, area.arrives) = (false, Some(Time::from_seconds(2.0)));
    world.areas.push(area);
    let mut events = Vec::new();
    world.pass_time(Time::from_seconds(1.9), 0.1, &mut events);
    assert!(events.is_empty() && !world.areas[0].present);
    world.pass_time(Time::from_seconds(2.0), 0.1, &mut events);
    world.pass_time(Time::from_seconds(2.1), 0.1, &mut events);
    assert_eq!(events, [WorldEvent::Arrived { area: 0 }]);
    assert!(world.areas[0].present);
}

fn set(world: &mut World, object: usize, stock: &str, amount: f64) {
    let object = world.object_mut(ObjectId(object as u32)).expect("the object");
    *object.properties.stocks.amount_mut(stock) = amount;
}

/// A picture whose objects carry this much dust and garbage, in reading order.
fn dirty(text: &str, dust: &[f64], garbage: &[f64]) -> World {
    let mut world = drawn(text);
    for (i, dust) in dust.iter().enumerate() {
        set(&mut world, i, "dust", *dust);
    }
    for (i, garbage) in garbage.iter().enumerate() {
        set(&mut world, i, "garbage", *garbage);
    }
    world.reindex();
    world
}

fn dust(world: &World) -> Vec<f64> {
    world.objects().iter().map(|o| o.properties.amount("dust")).collect()
}

fn taken(stock: &str, object: u32, finished: bool) -> WorldEvent {
    let from = Bearer::Object(ObjectId(object));
    WorldEvent::Taken { body: RobotId(0), stock: stock.into(), from, finished }
}

fn cleaned(object: u32, finished: bool) -> WorldEvent {
    taken("dust", object, finished)
}

fn emptied(object: u32) -> WorldEvent {
    taken("garbage", object, true)
}

#[test]
fn a_vacuum_takes_dust_off_the_ground() {
    // Soft ground below the robot, more of it out of reach, and a dusty block that is not ground.
    let mut world = dirty("~.~#", &[0.25, 0.25, 0.25], &[]);
    world.bodies.push(disc(vec2(0.5, 0.5), 0.0));
    let vacuum = effector("vacuum", json!({"rate": 2.0}));
    assert_eq!(act(&mut world, RobotId(0), &vacuum, Action::Work), [cleaned(0, false)]);
    assert_close(&dust(&world), &[0.05, 0.25, 0.25]);
    assert_close(&[vacuum.feedback(&world, RobotId(0))], &[0.2]);
    // It takes no more than there is, and reports when nothing is left.
    assert_eq!(act(&mut world, RobotId(0), &vacuum, Action::Work), [cleaned(0, true)]);
    assert_close(&[dust(&world)[0], vacuum.feedback(&world, RobotId(0))], &[0.0, 0.25]);
    assert_eq!(act(&mut world, RobotId(0), &vacuum, Action::Work), []);
    world.bodies[0] = disc(vec2(2.5, 0.5), 0.0);
    act(&mut world, RobotId(0), &vacuum, Action::Grab);
    assert_close(&dust(&world), &[0.0, 0.25, 0.25]);
    // The rim touches the block, whose dust it does not remove.
    act(&mut world, RobotId(0), &vacuum, Action::Work);
    assert_close(&dust(&world), &[0.0, 0.05, 0.25]);
}

#[test]
fn a_vacuum_leaves_a_trace_of_clean_floor() {
    let mut world = picture("...\n.>.\n...").world;
    world.floors.push(Floor::new("dust", &world.bounds, 0.1, 0.2, &[]));
    let vacuum = effector("vacuum", json!({}));
    let at = world.bodies[0].pose.position;
    let reach = world.bodies[0].radius + vacuum.quality.range;
    act(&mut world, RobotId(0), &vacuum, Action::Work);
    let floor = &world.floors[0];
    assert!(floor.done() > 0);
    assert!(floor.left(|_| false).all(|cell| cell.distance(at) > reach));
}

#[test]
fn effectors_remove_the_configured_stock() {
    let mut world = dirty("~.", &[1.0], &[1.0]);
    world.bodies.push(disc(vec2(0.5, 0.5), 0.0));
    let mut lawn = Area::new("lawn", "lawn", Outline::Circle { center: vec2(0.5, 0.5), radius: 0.4 });
    *lawn.properties.stocks.amount_mut("leaves") = 0.15;
    world.areas.push(lawn);
    for stock in ["leaves", "dust"] {
        world.floors.push(Floor::new(stock, &world.bounds, 0.1, 0.2, &[]));
    }
    let rake = effector("vacuum", json!({"stock": "leaves"}));
    let from = Bearer::Area(0);
    let taken = |finished| WorldEvent::Taken { body: RobotId(0), stock: "leaves".into(), from, finished };
    assert_eq!(act(&mut world, RobotId(0), &rake, Action::Work), [taken(false)]);
    assert_close(&[of(&world, 0).amount("leaves"), rake.feedback(&world, RobotId(0))], &[0.05, 0.1]);
    assert_eq!(act(&mut world, RobotId(0), &rake, Action::Work), [taken(true)]);
    assert_eq!(act(&mut world, RobotId(0), &rake, Action::Work), []);
    // Nothing else was touched, neither on the ground nor on the floor.
    assert_eq!((dust(&world), rake.feedback(&world, RobotId(0))), (vec![1.0], 0.15));
    assert!(world.floors[0].done() > 0 && world.floors[1].done() == 0);
    let tipper = effector("dumper", json!({"stock": "dust"}));
    act(&mut world, RobotId(0), &tipper, Action::Work);
    assert_eq!((dust(&world), tipper.feedback(&world, RobotId(0))), (vec![0.0], 1.0));
    assert_eq!(world.objects()[0].properties.amount("garbage"), 1.0);
}

#[test]
fn a_dumper_empties_the_nearest_can() {
    let dumper = effector("dumper", json!({}));
    let mut world = dirty("#.#..#", &[], &[3.0, 4.0, 5.0]);
    // 0.2 m nearer to the second one; both are within 0.3 m of the rim, the third is not.
    world.bodies.push(disc(vec2(1.55, 0.5), 0.0));
    let left =
        |world: &World| world.objects().iter().map(|o| o.properties.amount("garbage")).collect::<Vec<_>>();
    assert_eq!(act(&mut world, RobotId(0), &dumper, Action::WorkOn(Side::Left)), []);
    assert_eq!(act(&mut world, RobotId(0), &dumper, Action::Work), [emptied(1)]);
    assert_eq!((left(&world), dumper.feedback(&world, RobotId(0))), (vec![3.0, 0.0, 5.0], 4.0));
    assert_eq!(act(&mut world, RobotId(0), &dumper, Action::Work), [emptied(0)]);
    assert_eq!((left(&world), dumper.feedback(&world, RobotId(0))), (vec![0.0, 0.0, 5.0], 7.0));
    assert_eq!(act(&mut world, RobotId(0), &dumper, Action::Work), []);
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
        assert_eq!(act(&mut world, RobotId(0), &arm, Action::WorkOn(side)), [cleaned(object, false)]);
        assert_close(&dust(&world), &expected);
        assert_eq!(act(&mut world, RobotId(0), &arm, Action::WorkOn(side)), [cleaned(object, true)]);
        assert_eq!(act(&mut world, RobotId(0), &arm, Action::WorkOn(side)), []);
    }
    // Sides turn with the robot.
    let mut world = dirty(text, &[0.15, 0.15], &[]);
    world.bodies[0] = disc(world.bodies[0].pose.position, PI);
    act(&mut world, RobotId(0), &arm, Action::WorkOn(Side::Left));
    assert_close(&dust(&world), &[0.15, 0.05]);
    // It reaches 0.3 m, wipes no ground, and needs the side.
    let mut world = dirty("#..\n...\n>..\n~..", &[0.15, 0.15], &[]);
    act(&mut world, RobotId(0), &arm, Action::WorkOn(Side::Left));
    act(&mut world, RobotId(0), &arm, Action::WorkOn(Side::Right));
    act(&mut world, RobotId(0), &arm, Action::Work);
    assert_close(&dust(&world), &[0.15, 0.15]);
}

#[test]
fn a_report_lights_the_site() {
    let drawn = picture("S...T");
    let mut world = drawn.world.clone();
    for (mark, kind) in [('S', "spill"), ('S', "report-site"), ('T', "report-site")] {
        world.areas.push(Area::new(kind, kind, Outline::Circle { center: drawn.at(mark), radius: 0.5 }));
    }
    let report = effector("report", json!({"lasts": 3.0}));
    let until = |area: &Area| area.properties.states.get("lit").map(|lit| lit.until);
    let seen = |world: &World| world.areas.iter().map(until).collect::<Vec<_>>();
    // Its reach is 0.2 m from the rim, so 0.45 m from the centre; the rim of the site is at 4.
    world.bodies.push(disc(vec2(3.54, 0.5), 0.0));
    assert_eq!(act(&mut world, RobotId(0), &report, Action::Work), []);
    world.bodies[0] = disc(vec2(3.56, 0.5), 0.0);
    assert_eq!(act(&mut world, RobotId(0), &report, Action::Grab), []);
    assert_eq!(seen(&world), [None; 3]);
    let reported = |area| WorldEvent::StateSet { body: RobotId(0), area, state: "lit".into() };
    assert_eq!(act(&mut world, RobotId(0), &report, Action::Work), [reported(2)]);
    // Actions in these tests happen at 10 s.
    let lit = Some(Some(Time::from_seconds(13.0)));
    assert_eq!(seen(&world), [None, None, lit]);
    // At a place with several areas, only the report site counts.
    world.bodies[0] = disc(vec2(0.5, 0.5), 0.0);
    assert_eq!(act(&mut world, RobotId(0), &report, Action::Work), [reported(1)]);
    assert_eq!(act(&mut world, RobotId(0), &report, Action::Work), [reported(1)]);
    assert_eq!(seen(&world), [None, lit, lit]);
    world.pass_time(Time::from_seconds(12.9), DT, &mut Vec::new());
    assert_eq!(seen(&world), [None, lit, lit]);
    world.pass_time(Time::from_seconds(13.0), DT, &mut Vec::new());
    assert_eq!(seen(&world), [None; 3]);
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
    let outline = Outline::Circle { center: vec2(0.5, 2.5), radius: 0.5 };
    world.areas.push(Area::new("site", "report-site", outline));
    let mut area = person("person 1", "tea", vec2(0.9, 2.5));
    *area.properties.stocks.amount_mut("talk") = 100.0;
    world.areas.push(area);
    let shape = crewlab_world::Shape::Circle { radius: 0.1 };
    let mut passer_by = crewlab_world::Object::obstacle("anna", shape, Pose::new(1.3, 2.5, 0.0));
    passer_by.properties.states.set("person", None, None);
    *passer_by.properties.stocks.amount_mut("talk") = 100.0;
    world.add_object(passer_by);
    world.reindex();
    world
}

const ACTIONS: [Action; 8] = [
    Action::Grab,
    Action::GrabAt { ahead: 0, left: 0 },
    Action::Offer,
    Action::Release,
    Action::Work,
    Action::WorkOn(Side::Left),
    Action::WorkOn(Side::Right),
    Action::Face(300),
];

/// The world as if nothing cost energy.
fn without_energy(world: &World) -> World {
    let mut world = world.clone();
    world.bodies[0].aspects.retain(|aspect| aspect.name != ENERGY);
    world
}

#[test]
fn an_effector_that_drops_out_does_nothing() {
    for kind in KINDS {
        let mut mounted = effector(kind.name, json!({}));
        // First checks that there is something to do, so that doing nothing is meaningful.
        let busy = || {
            let mut world = busy();
            world.bodies[0].aspects.retain(|aspect| aspect.name == ENERGY);
            world.bodies[0].aspects.extend(
                RobotType::new(disc(vec2(0.0, 0.0), 0.0).shape, vec![], vec![mounted.clone()], vec![])
                    .aspects,
            );
            world
        };
        let mut world = busy();
        let mut works = |action: &Action| {
            let before = bytes(&without_energy(&world));
            act(&mut world, RobotId(0), &mounted, *action);
            bytes(&without_energy(&world)) != before
        };
        let done = ACTIONS.iter().filter(|action| works(action)).count() > 0;
        assert_eq!(done, !["drive", "marker"].contains(&kind.name), "{}", kind.name);
        let mut world = busy();
        mounted.quality.dropout = 1.0;
        let before = bytes(&world);
        for action in ACTIONS {
            assert_eq!(act(&mut world, RobotId(0), &mounted, action), [], "{} {action:?}", kind.name);
        }
        assert_eq!(bytes(&world), before, "{}: it costs nothing either", kind.name);
    }
}

#[test]
fn a_noisy_effector_works_at_its_noisy_rate() {
    let mut vacuum = effector("vacuum", json!({"rate": 1.0}));
    vacuum.quality.bias = 0.3;
    let mut world = busy();
    act(&mut world, RobotId(0), &vacuum, Action::Work);
    // A tick's share of the rate is 0.1.
    assert_close(&dust(&world)[..2], &[0.6, 1.0]);
    // It may take nothing, but never gives dust back.
    vacuum.quality.bias = -5.0;
    act(&mut world, RobotId(0), &vacuum, Action::Work);
    assert_close(&dust(&world)[..2], &[0.6, 1.0]);
}

#[test]
fn every_use_acts_on_the_aspects() {
    let mut world = busy();
    (world.bodies[0].aspects[0].value, world.bodies[0].aspects[0].max) = (100.0, 100.0);
    world.bodies[0].aspects.push(aspect("calm", 5.0));
    for kind in KINDS {
        act(&mut world, RobotId(0), &effector(kind.name, json!({})), Action::Work);
    }
    let values: Vec<f64> = world.bodies[0].aspects.iter().map(|a| a.value).collect();
    assert_close(&values, &[100.0 - KINDS.len() as f64, 5.0]);
}

#[test]
fn a_use_that_empties_the_battery_is_reported() {
    let mut world = busy();
    world.bodies[0].aspects[0].per_use = -10.0;
    let mut events = act(&mut world, RobotId(0), &effector("vacuum", json!({})), Action::Work);
    assert!(world.bodies[0].exhausted());
    events.extend(run(&mut world, 5, |_, _| crewlab_onboard::Command::drive(1.0, 0.0)));
    let told = events.iter().filter(|e| **e == WorldEvent::Exhausted { body: RobotId(0) }).count();
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

#[test]
fn a_person_who_knows_the_way_stops_and_points() {
    let mut world = arena(20.0, 20.0);
    world.bodies.push(disc(vec2(5.0, 5.0), 0.0));
    let spec = json!({"name": "anna", "at": [6.5, 5.0], "path": {"points": [[6.5, 9.0]], "speed": 1.0}});
    let spec: crewlab_world::PersonSpec = serde_json::from_value(spec).expect("a person");
    let anna = world.add_object(spec.build().expect("a person"));
    world.reindex();
    let asks = effector("ask-way", json!({"duration": 0.3}));
    let ask = |world: &mut World| -> Vec<WorldEvent> {
        (0..3).flat_map(|_| act(world, RobotId(0), &asks, Action::Work)).collect()
    };
    let answer = |direction| vec![WorldEvent::AskedWay { body: RobotId(0), person: anna, direction }];
    assert_eq!(ask(&mut world), answer(None), "nobody knows a way here");
    assert_eq!(asks.feedback(&world, RobotId(0)), -1.0);
    let outline = crewlab_world::Outline::Circle { center: vec2(5.0, 5.0), radius: 3.0 };
    let mut pavement = crewlab_world::Area::new("", "pavement", outline);
    pavement.properties.aspects.push(Aspect::fixed("way", 1.25));
    world.areas.push(pavement);
    assert_eq!(ask(&mut world), answer(Some(1.25)));
    assert_eq!(asks.feedback(&world, RobotId(0)), 1.0);
    let at = |world: &World| world.object(anna).expect("anna").pose.position;
    world.move_objects(0.1, &mut Vec::new());
    assert_eq!(at(&world), vec2(6.5, 5.0), "she stands while she points");
    world.pass_time(Time::from_seconds(20.0), 0.1, &mut Vec::new());
    world.move_objects(0.1, &mut Vec::new());
    assert_close(&[at(&world).y], &[5.1]);
    assert_eq!(world.bodies[0].load.amount("questions"), 2.0);
    // Nobody in front: nobody to ask.
    world.bodies[0] = disc(vec2(5.0, 5.0), PI);
    assert_eq!(ask(&mut world), []);
}
