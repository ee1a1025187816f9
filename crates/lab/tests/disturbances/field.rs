//! Changes of the world: objects, persons, items, areas, ground.

use super::{LONE, Run, STANDING, assert_close, assert_times, disturbed, service};
use crewlab_lab::sim::onboard::{Reading, RobotId, Sighting, Vec2};
use crewlab_sim::onboard::EventKind;
use std::f64::consts::{FRAC_PI_2, PI};

const CRATE: &str =
    "world.objects=[{name: crate, rectangle: [0.4 m, 0.4 m], at: [6 m, 4.8 m], stocks: {garbage: 5}}]";

#[test]
pub fn an_added_object_is_sensed_until_it_is_gone() {
    let added = "{at: 2 s, for: 3 s, object-added: {name: crate, rectangle: [1 m, 0.4 m], at: [6 m, 4.8 m]}}";
    let mut run = disturbed(added, &[STANDING, "team.robots.gold.at=[8 m, 4 m]"]);
    assert_close(run.to(2.0).clearance("blue"), 1.5, 0.05);
    assert!(run.object("crate").is_some());
    assert_close(run.to(3.0).clearance("blue"), 0.4, 0.05);
    assert!(run.to(5.0).object("crate").is_none());
    assert_close(run.to(5.1).clearance("blue"), 1.5, 0.05);
}

#[test]
pub fn an_object_waits_while_a_robot_stands_in_its_place() {
    let there = "{at: 2 s, for: 3 s, object-added: {name: crate, circle: 0.3 m, at: [6 m, 4 m]}}";
    let mut run = disturbed(&format!("{there}, {{at: 7 s, robot-removed: blue}}"), &[STANDING]);
    assert!(run.to(7.0).object("crate").is_none());
    assert!(run.to(7.1).object("crate").is_some());
    assert!(run.to(10.1).object("crate").is_none(), "its time counts from when it appeared");
    assert_times(&run.times("disturbance-delayed"), &[2.0]);
    // An object that can be driven over need not wait.
    let rug = there.replace("}}", ", penetrability: 0.5}}");
    assert!(disturbed(&rug, &[STANDING]).to(2.0).object("crate").is_some());
}

#[test]
pub fn a_copy_has_the_stocks_of_its_original_until_it_is_gone() {
    let emptied = "{at: 1 s, object-changed: {object: crate, stocks: {garbage: 2}}}";
    let copied = "{at: 2 s, for: 3 s, object-copied: {object: crate, name: twin, at: [3 m, 2 m]}}";
    let mut run = disturbed(&format!("{emptied}, {copied}"), &[STANDING, CRATE]);
    assert!(run.to(1.9).object("twin").is_none());
    let (original, copy) = (run.object("crate").cloned(), run.to(2.0).object("twin").cloned());
    let (original, copy) = (original.expect("it is there"), copy.expect("it appears"));
    assert_ne!(copy.id, original.id);
    assert_eq!((&copy.shape, copy.properties.amount("garbage")), (&original.shape, 2.0));
    assert!(copy.outline.contains(Vec2 { x: 3.0, y: 2.0 }));
    assert!(run.to(5.0).object("twin").is_none() && run.object("crate").is_some());
}

#[test]
pub fn a_copy_waits_while_a_robot_stands_in_its_place() {
    let onto = "{at: 2 s, object-copied: {object: crate, name: twin, at: [6 m, 4 m]}}, {at: 4 s, robot-removed: blue}";
    let mut run = disturbed(onto, &[STANDING, CRATE]);
    assert!(run.to(4.0).object("twin").is_none() && run.to(4.1).object("twin").is_some());
}

#[test]
pub fn a_moved_object_is_moved_back() {
    let moved = "{at: 2 s, for: 3 s, object-moved: {object: crate, to: [3 m, 2 m], heading: 90 deg}}";
    let mut run = disturbed(moved, &[STANDING, CRATE]);
    let before = run.object("crate").expect("it is there").clone();
    let there = run.to(2.0).object("crate").expect("it is there").clone();
    assert_eq!(there.pose.position, Vec2 { x: 3.0, y: 2.0 });
    assert_close(there.pose.heading, std::f64::consts::FRAC_PI_2, 1e-9);
    assert!(there.outline.contains(Vec2 { x: 3.0, y: 2.0 }));
    assert_eq!(run.to(5.0).object("crate"), Some(&before));
}

#[test]
pub fn an_object_is_not_moved_onto_a_robot() {
    let onto = "{at: 2 s, object-moved: {object: crate, to: [6 m, 4.1 m]}}, {at: 4 s, robot-removed: blue}";
    let mut run = disturbed(onto, &[STANDING, CRATE]);
    assert_close(run.to(4.0).object("crate").expect("it is there").pose.position.y, 4.8, 1e-9);
    assert_close(run.to(4.1).object("crate").expect("it is there").pose.position.y, 4.1, 1e-9);
    assert_times(&run.times("disturbance-delayed"), &[2.0]);
}

#[test]
pub fn a_removed_object_comes_back_as_it_was() {
    let mut run = disturbed("{at: 2 s, for: 3 s, object-removed: crate}", &[STANDING, CRATE]);
    let before = run.object("crate").expect("it is there").clone();
    assert_eq!(run.to(2.0).object("crate"), None);
    assert_eq!(run.to(5.0).object("crate"), Some(&before));
}

/// Gold takes the crate's place and leaves at 8 s; the crate cannot return before that.
fn with_gold_in_place_of_the_crate(opening: &str, open: impl Fn(&Run) -> bool) {
    let gold = "{at: 3 s, for: 5 s, robot-added: {robot: gold, place: [6 m, 4.8 m]}}";
    let sets = [super::EXPECTING, CRATE];
    let mut run = disturbed(&format!("{opening}, {gold}"), &sets);
    assert!(!open(&run) && open(run.to(2.0)));
    assert!(run.to(3.0).body("gold").present, "there is room now");
    assert!(open(run.to(7.9)));
    assert_times(&run.times("disturbance-delayed"), &[5.0]);
    assert!(run.log.iter().any(|l| l.event.words.contains("cannot be undone yet")));
    assert!(!open(run.to(8.0)));
    assert_times(&run.times("disturbance-over"), &[8.0, 8.0]);
}

#[test]
pub fn a_removed_object_waits_for_a_robot_in_its_place() {
    with_gold_in_place_of_the_crate("{at: 2 s, for: 3 s, object-removed: crate}", |run| {
        run.object("crate").is_none()
    });
}

#[test]
pub fn a_changed_object_is_changed_back() {
    let changed =
        "{at: 2 s, for: 3 s, object-changed: {object: crate, stocks: {garbage: 0}, heat: 7, height: 0.1 m}}";
    let mut run = disturbed(changed, &[STANDING, CRATE]);
    let before = run.object("crate").expect("it is there").clone();
    let now = run.to(2.0).object("crate").expect("it is there").clone();
    assert_eq!((now.properties.amount("garbage"), now.heat, now.height), (0.0, 7.0, 0.1));
    assert_eq!(now.properties.amount("dust"), before.properties.amount("dust"));
    assert!(run.log.iter().any(|l| l.event.words.starts_with("crate has no garbage left")));
    assert_eq!(run.to(5.0).object("crate"), Some(&before));
}

#[test]
pub fn an_opened_door_does_not_close_on_a_robot() {
    let opened = "{at: 2 s, for: 3 s, object-changed: {object: crate, penetrability: 1}}";
    with_gold_in_place_of_the_crate(opened, |run| !run.object("crate").expect("it is there").impassable());
}

#[test]
pub fn a_person_walks_around_without_hitting_anybody() {
    let person = "{at: 2 s, for: 60 s, person: {place: [3 m, 4 m]}}, {at: 2 s, person: {speed: 2 m/s}}";
    let mut run = disturbed(person, &["world.size=[5 m, 6 m]"]);
    let persons = |run: &Run| {
        let objects = run.simulation.state.world.objects().iter();
        objects.filter(|o| o.name == "person").map(|o| o.pose.position).collect::<Vec<_>>()
    };
    assert!(persons(run.to(1.9)).is_empty());
    let mut before = persons(run.to(2.0));
    assert_eq!((before.len(), before[0]), (2, Vec2 { x: 3.0, y: 4.0 }));
    let mut walked = [0.0, 0.0];
    for tenths in 21..=610 {
        let now = persons(run.to(f64::from(tenths) / 10.0));
        for (place, way) in walked.iter_mut().enumerate() {
            *way += now[place].distance(before[place]);
        }
        before = now;
        let world = &run.simulation.state.world;
        for (robot, body) in RobotId::enumerate(&world.bodies) {
            let met = world.overlap(&body.outline_at(&body.pose), Some(robot));
            assert_eq!(met, None, "robot {robot} at {tenths} tenths of a second");
        }
    }
    // They sometimes wait for robots, and cut the corners of their path within one step.
    assert!(walked[0] > 2.0 && walked[0] < 0.8 * 59.0 + 1e-6, "{walked:?}");
    assert!(walked[1] > 20.0 && walked[1] < 2.0 * 59.0 + 1e-6, "{walked:?}");
    assert_eq!(persons(run.to(62.0)).len(), 1);
}

/// Positions of the present items.
fn items(run: &Run) -> Vec<Vec2> {
    run.simulation.state.world.present_items().map(|item| item.position).collect()
}

fn within(run: &Run, area: &str) -> usize {
    items(run).iter().filter(|at| run.area(area).outline.contains(**at)).count()
}

#[test]
pub fn added_items_disappear_again() {
    let added = "{at: 2 s, for: 3 s, items-added: {item: waste, count: 4, area: top spill}}, \
                 {at: 3 s, items-added: {item: waste, place: [9 m, 2 m], radius: 0.3 m}}";
    let mut run = disturbed(added, &[]);
    let before = items(&run);
    assert_eq!((before.len(), within(&run, "top spill")), (6, 3));
    assert_eq!(within(run.to(2.0), "top spill"), 7);
    let ninth = |run: &Run| items(run).iter().filter(|at| at.distance(Vec2 { x: 9.0, y: 2.0 }) < 0.3).count();
    assert_eq!(ninth(run.to(3.0)), 1);
    assert_eq!((within(run.to(5.0), "top spill"), ninth(&run)), (3, 1));
    assert_eq!(items(&run)[..6], before);
}

#[test]
pub fn removed_items_come_back_to_where_they_were() {
    let removed = "{at: 2 s, for: 3 s, items-removed: {item: waste, count: 2, area: top spill}}, \
                   {at: 3 s, for: 1 s, items-removed: {item: waste, count: 100}}";
    let mut run = disturbed(removed, &[]);
    let before = items(&run);
    assert_eq!((within(run.to(2.0), "top spill"), items(&run).len()), (1, 4));
    assert_eq!(items(run.to(3.0)).len(), 0);
    assert_eq!(items(run.to(4.0)).len(), 4);
    assert_eq!(items(run.to(5.0)), before);
}

#[test]
pub fn moved_items_are_moved_back() {
    let moved =
        "{at: 2 s, for: 3 s, items-moved: {item: waste, count: 2, from: top spill, area: bottom spill}}";
    let mut run = disturbed(moved, &[]);
    let before = items(&run);
    run.to(2.0);
    assert_eq!((within(&run, "top spill"), within(&run, "bottom spill")), (1, 5));
    assert_eq!(items(run.to(5.0)), before);
}

/// Direction of the only cup's handle. [rad]
fn handle(run: &Run) -> Option<f64> {
    run.simulation.state.world.items[0].properties.value("handle")
}

#[test]
pub fn a_turned_item_is_turned_back() {
    let first = Some(-FRAC_PI_2);
    let mut run = service("{at: 2 s, for: 3 s, item-turned: {item: coffee, to: 90 deg}}");
    assert_eq!(handle(run.to(1.9)), first);
    assert_eq!(handle(run.to(2.0)), Some(FRAC_PI_2));
    assert_eq!(handle(run.to(5.0)), first);
    // Two at a time: whichever ends first, the other one still applies, and in the end the item is as before.
    for (one, other, between) in [(4, 10, 1.0), (10, 4, 2.0)] {
        let turned = format!(
            "{{at: 1 s, for: {one} s, item-turned: {{item: coffee, to: 2}}}}, {{at: 2 s, for: {other} s, item-turned: {{item: coffee, to: 1}}}}"
        );
        let mut run = service(&turned);
        assert_eq!(handle(run.to(2.0)), Some(1.0));
        assert_eq!(handle(run.to(8.0)), Some(between));
        assert_eq!(handle(run.to(12.5)), first);
    }
    // Without a direction, it is turned anywhere.
    let mut run = service("{at: 2 s, item-turned: {item: coffee}}");
    assert!(handle(run.to(2.0)) != first && handle(&run).is_some_and(|angle| angle.abs() <= PI));
}

#[test]
pub fn a_cup_that_is_turned_away_needs_three_fingers() {
    let at = |name: &str| format!("robots.{name}.action == 'grasp'");
    let mut run = service(&format!(
        "{{when: \"{} || {}\", item-turned: {{item: coffee, to: 90 deg}}}}",
        at("eddie"),
        at("jimmy")
    ));
    run.await_event("disturbance", 300.0);
    run.await_event("mission-completed", 300.0);
    let picked: Vec<_> = run.log.iter().filter(|logged| logged.event.kind == EventKind::Picked).collect();
    assert_eq!(picked.len(), 1);
    assert_eq!(picked[0].robot, Some(run.number("poppy")));
}

/// The detector's sightings of areas of a kind.
fn seen(run: &Run, kind: &str) -> Vec<Sighting> {
    match run.reading("blue", "area-detector") {
        Reading::Sightings(all) => all.iter().filter(|s| &*s.kind == kind).cloned().collect(),
        other => panic!("a detector gives sightings, not {other:?}"),
    }
}

/// Blue stands 1.6 m before the centre of the deposit.
const WATCHER: &str = "team.robots.blue.at=[8 m, 4 m]";

#[test]
pub fn an_added_area_is_detected_until_it_is_gone() {
    let added =
        "{at: 2 s, for: 3 s, area-added: {name: third spill, kind: spill, place: [6 m, 3 m], radius: 0.5 m}}";
    let mut run = disturbed(added, &[STANDING]);
    assert!(seen(run.to(2.0), "spill").iter().all(|s| s.extent > 0.9));
    let third = |run: &Run| seen(run, "spill").into_iter().find(|s| (s.extent - 0.5).abs() < 0.1);
    assert_close(third(run.to(3.0)).expect("it is near").distance, 1.0, 0.1);
    assert_eq!(third(run.to(5.1)), None);
}

#[test]
pub fn a_moved_area_is_detected_elsewhere() {
    let mut run =
        disturbed("{at: 2 s, for: 3 s, area-moved: {area: deposit, to: [8 m, 5 m]}}", &[STANDING, WATCHER]);
    let distance = |run: &Run| seen(run, "deposit")[0].distance;
    assert_close(distance(run.to(2.0)), 1.6, 0.1);
    assert_close(distance(run.to(3.0)), 1.0, 0.1);
    assert_close(distance(run.to(5.1)), 1.6, 0.1);
}

#[test]
pub fn a_removed_area_is_not_detected() {
    let mut run = disturbed("{at: 2 s, for: 3 s, area-removed: deposit}", &[STANDING, WATCHER]);
    assert_eq!(seen(run.to(2.0), "deposit").len(), 1);
    assert_eq!(seen(run.to(3.0), "deposit").len(), 0);
    assert_eq!(seen(run.to(5.1), "deposit").len(), 1);
}

#[test]
pub fn a_changed_area_has_another_size_and_kind() {
    let changed = "{at: 2 s, for: 3 s, area-changed: {area: deposit, radius: 0.4 m, kind: puddle}}";
    let mut run = disturbed(changed, &[STANDING, WATCHER]);
    let before = run.area("deposit").clone();
    assert_eq!(seen(run.to(2.0), "deposit").len(), 1);
    assert_eq!(seen(run.to(3.0), "deposit").len(), 0);
    assert_close(seen(&run, "puddle")[0].extent, 0.4, 0.05);
    run.to(5.1);
    assert_eq!((seen(&run, "deposit").len(), seen(&run, "puddle").len()), (1, 0));
    assert_eq!(run.area("deposit"), &before);
}

#[test]
pub fn heavy_ground_slows_robots_on_it() {
    let everywhere = "{at: 4 s, for: 4 s, terrain: {factor: 0.4}}";
    let mut run = disturbed(everywhere, &[LONE]);
    let full = run.to(2.0).driven_to("blue", 4.0) / 2.0;
    assert_close(run.driven_to("blue", 8.0) / 4.0 / full, 0.4, 0.02);
    assert_close(run.driven_to("blue", 10.0) / 2.0 / full, 1.0, 0.03);
    let elsewhere = "{at: 4 s, for: 4 s, terrain: {factor: 0.4, place: [2 m, 2 m], size: [2 m, 2 m]}}";
    let mut run = disturbed(elsewhere, &[LONE]);
    assert_close(run.to(4.0).driven_to("blue", 8.0) / 4.0 / full, 1.0, 0.03);
}
