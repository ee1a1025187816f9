//! Ground that changes speed: robots with a sensor for it choose the quickest way.

use super::{completed, experiment, simulation};
use crewlab_lab::sim::onboard::EventKind;
use crewlab_lab::sim::onboard::geometry::Vec2;

const NO_SENSOR: &str = "robot-types.cleaner.sensors.ground=null";
const SHALLOW: &str =
    "world.objects=[{name: puddle, rectangle: [2.5 m, 4.4 m], at: [7 m, 4 m], penetrability: 0.9}]";

/// Runs with a puddle between the spills and the deposit: metres that the robots drove through it, and when they were done. [s]
fn through_the_puddle(sets: &[&str]) -> (f64, f64) {
    let mut run = simulation(&experiment("ground/waste-cleanup-puddle.yaml"), 1, sets);
    let mut log = Vec::new();
    let mut through = 0.0;
    while !run.finished() {
        let before: Vec<Vec2> = run.state.world.bodies.iter().map(|body| body.pose.position).collect();
        run.tick(&mut log);
        let world = &run.state.world;
        let puddle = world.objects().iter().find(|object| object.name == "puddle").expect("the puddle");
        for (body, before) in world.bodies.iter().zip(before) {
            if puddle.outline.contains(before) {
                through += body.pose.position.distance(before);
            }
        }
    }
    assert!(log.iter().any(|l| l.event.kind == EventKind::MissionCompleted), "{sets:?}");
    (through, run.now().seconds())
}

#[test]
fn robots_with_a_ground_sensor_drive_around_a_deep_puddle_and_through_a_shallow_one() {
    let (blind, slow) = through_the_puddle(&[NO_SENSOR]);
    let (seeing, quick) = through_the_puddle(&[]);
    assert!(blind > 100.0 && seeing < 0.25 * blind, "{blind} m without the sensor, {seeing} m with it");
    assert!(quick < 0.9 * slow, "{quick} s instead of {slow} s");
    let (blind, seeing) = (through_the_puddle(&[NO_SENSOR, SHALLOW]).0, through_the_puddle(&[SHALLOW]).0);
    assert!(blind > 100.0 && seeing > 0.8 * blind, "{blind} m without the sensor, {seeing} m with it");
}

/// Other missions, whose robots drive by a map or in formation, complete with the sensor, too.
#[test]
fn any_mission_can_use_the_sensor() {
    let puddle = "world.objects=[{name: puddle, circle: 1 m, at: [4 m, 3 m], penetrability: 0.2}]";
    for (name, robot_type) in [("janitorial", "janitor"), ("bounding-overwatch", "scout")] {
        let sensor = format!("robot-types.{robot_type}.sensors.ground={{relative-noise: 5 %}}");
        let (count, failed) = completed(name, 3, &[puddle, &sensor]);
        assert_eq!(count, 3, "{name}, seeds {failed:?}");
    }
}
