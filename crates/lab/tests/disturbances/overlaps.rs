//! Disturbances that overlap in time: each is undone separately, and in the end everything is as before.

use super::{EXPECTING, LONE, Run, STANDING, assert_close, assert_times, disturbed};
use crewlab_lab::sim::onboard::Vec2;

#[test]
fn faults_of_one_kind_are_undone_one_by_one() {
    let mut run = disturbed(
        "{at: 2 s, for: 8 s, stop: blue}, {at: 5 s, for: 3 s, stop: blue}, \
                             {at: 6 s, for: 9 s, stop: all}",
        &[LONE],
    );
    for (seconds, halted) in
        [(1.9, false), (2.0, true), (8.0, true), (10.0, true), (14.9, true), (15.0, false)]
    {
        assert_eq!(run.to(seconds).body("blue").halted, halted, "at {seconds} s");
    }
    assert!(run.robot("blue").faults.is_empty());
    let slower = |at: u32, span: u32| {
        format!("{{at: {at} s, for: {span} s, drive: {{robot: blue, fault: slower, severity: 50 %}}}}")
    };
    let mut run = disturbed(&format!("{}, {}", slower(4, 4), slower(6, 4)), &[LONE]);
    let full = run.to(2.0).driven_to("blue", 4.0);
    for (until, share) in [(6.0, 0.5), (8.0, 0.25), (10.0, 0.5), (12.0, 1.0)] {
        assert_close(run.driven_to("blue", until) / full, share, 0.03);
    }
}

const CRATE: &str =
    "world.objects=[{name: crate, circle: 0.2 m, at: [3 m, 2 m], stocks: {garbage: 5, dust: 4}}]";

fn crate_at(run: &Run) -> Option<Vec2> {
    run.object("crate").map(|object| object.pose.position)
}

#[test]
fn an_object_moved_twice_ends_where_it_was_first() {
    let at = |x: f64| Some(Vec2 { x, y: 2.0 });
    for (first, second) in [(4, 10), (10, 4), (8, 6)] {
        let moved = format!(
            "{{at: 2 s, for: {first} s, object-moved: {{object: crate, to: [5 m, 2 m]}}}}, \
             {{at: 4 s, for: {second} s, object-moved: {{object: crate, to: [8 m, 2 m]}}}}"
        );
        let mut run = disturbed(&moved, &[STANDING, CRATE]);
        assert_eq!(crate_at(run.to(2.0)), at(5.0));
        assert_eq!(crate_at(run.to(4.0)), at(8.0));
        assert_eq!(crate_at(run.to(f64::from(4 + second) - 0.1)), at(8.0), "the later one still lasts");
        assert_eq!(crate_at(run.to(15.0)), at(3.0));
        assert_eq!(run.times("disturbance-over").len(), 2);
    }
}

#[test]
fn an_object_removed_while_it_is_changed_comes_back_unchanged() {
    let overlapping = "{at: 2 s, for: 4 s, object-moved: {object: crate, to: [5 m, 2 m]}}, \
                       {at: 2 s, for: 4 s, object-changed: {object: crate, stocks: {garbage: 0}, heat: 3}}, \
                       {at: 3 s, for: 2 s, object-changed: {object: crate, stocks: {garbage: 9, dust: 1}}}, \
                       {at: 4 s, for: 6 s, object-removed: crate}";
    let mut run = disturbed(overlapping, &[STANDING, CRATE]);
    let before = run.object("crate").cloned();
    let changed = run.to(3.0).object("crate").expect("the crate");
    let amount = |stock| changed.properties.amount(stock);
    assert_eq!((amount("garbage"), changed.heat, amount("dust")), (9.0, 3.0, 1.0));
    assert_eq!(run.to(9.9).object("crate"), None);
    assert_eq!(run.to(10.0).object("crate"), before.as_ref());
}

#[test]
fn a_temporary_object_does_not_come_back_after_its_end() {
    let overlapping = "{at: 2 s, for: 4 s, object-added: {name: box, circle: 0.2 m, at: [3 m, 6 m]}}, \
                       {at: 3 s, for: 6 s, object-removed: box}, \
                       {at: 2 s, for: 4 s, items-added: {item: waste, count: 3, place: [9 m, 2 m], radius: 0.3 m}}, \
                       {at: 3 s, for: 6 s, items-removed: {item: waste, count: 100}}, \
                       {at: 2 s, for: 4 s, robot-added: {robot: gold}}, \
                       {at: 3 s, for: 6 s, robot-removed: gold}, \
                       {at: 2 s, for: 4 s, area-added: {name: puddle, kind: spill, place: [9 m, 2 m], radius: 1 m}}, \
                       {at: 3 s, for: 6 s, area-removed: puddle}";
    let mut run = disturbed(overlapping, &[EXPECTING]);
    run.to(12.0);
    assert_eq!(run.times("disturbance-over").len(), 8);
    assert_eq!(run.object("box"), None);
    assert_eq!(run.simulation.state.world.present_items().count(), 6);
    assert!(!run.body("gold").present && !run.area("puddle").present);
}

#[test]
fn a_robot_removed_and_added_again_stays_when_both_are_over() {
    for (removed, added) in [(4, 8), (8, 4)] {
        let overlapping = format!(
            "{{at: 2 s, for: {removed} s, robot-removed: gold}}, \
             {{at: 3 s, for: {added} s, robot-added: {{robot: gold, place: [3 m, 2 m]}}}}"
        );
        let mut run = disturbed(&overlapping, &[STANDING]);
        assert!(!run.to(2.0).body("gold").present);
        assert!(run.to(3.0).body("gold").present);
        assert!(run.to(12.0).body("gold").present, "removed for {removed} s, added for {added} s");
        assert_eq!(run.body("gold").pose.position, Vec2 { x: 3.0, y: 2.0 }, "it was moved");
    }
}

/// A robot that has been brought back is not moved while others still wait for room.
#[test]
fn robots_come_back_one_after_the_other_and_stay_where_they_are() {
    let pair = "team.robots=[{name: a, type: cleaner, at: [0.3 m, 0.3 m], drive: false}, \
                {name: b, type: cleaner, at: [0.9 m, 0.3 m]}]";
    // There is room for two, and then a box stands in the place of the second.
    let full = "{at: 2 s, for: 2 s, robot-removed: all}, \
                {at: 3 s, for: 6 s, object-added: {name: box, rectangle: [0.1 m, 0.1 m], at: [0.85 m, 0.3 m]}}";
    let room = ["world.size=[1.2 m, 0.6 m]", "world.items.waste=0"];
    let mut run = disturbed(full, &[pair, room[0], room[1]]);
    let place = run.body("a").pose.position;
    for tenths in 41..=89 {
        let a = run.to(f64::from(tenths) / 10.0).body("a");
        assert!(a.present && a.pose.position == place, "{tenths}: {:?}", a.pose);
        assert!(!run.body("b").present);
    }
    assert!(run.to(9.2).body("b").present);
}

#[test]
fn an_area_changed_in_several_ways_is_restored() {
    let overlapping = "{at: 2 s, for: 4 s, area-moved: {area: deposit, to: [8 m, 5 m]}}, \
                       {at: 3 s, for: 5 s, area-changed: {area: deposit, radius: 0.3 m, kind: puddle}}, \
                       {at: 4 s, for: 8 s, area-removed: deposit}, \
                       {at: 5 s, for: 3 s, task-priority: {task: report-progress, weight: 7}}";
    let mut run = disturbed(overlapping, &[STANDING]);
    let before = run.area("deposit").clone();
    for seconds in [4.0, 6.0, 8.0, 11.9] {
        assert!(!run.to(seconds).area("deposit").present, "it is away at {seconds} s");
    }
    assert_eq!(run.to(12.0).area("deposit"), &before);
}

#[test]
fn after_all_orders_end_a_task_is_restored() {
    let overlapping = "{at: 2 s, for: 4 s, task-cancelled: find-locations}, \
                       {at: 3 s, for: 6 s, task-added: find-locations}, \
                       {at: 4 s, for: 8 s, task-cancelled: find-locations}";
    let mut run = disturbed(overlapping, &[]);
    let open = |run: &Run| run.simulation.state.operator.wants(0);
    for (seconds, expected) in
        [(2.0, false), (3.0, true), (4.0, false), (9.0, false), (11.9, false), (12.0, true)]
    {
        assert_eq!(open(run.to(seconds)), expected, "at {seconds} s");
    }
}

#[test]
fn items_moved_and_then_removed_permanently_stay_removed() {
    let overlapping = "{at: 2 s, for: 6 s, items-moved: {item: waste, count: 100, place: [9 m, 2 m], radius: 0.5 m}}, \
                       {at: 4 s, items-removed: {item: waste, count: 100}}";
    let mut run = disturbed(overlapping, &[]);
    run.to(9.0);
    assert_times(&run.times("disturbance-over"), &[8.0]);
    assert_eq!(run.simulation.state.world.present_items().count(), 0);
}
