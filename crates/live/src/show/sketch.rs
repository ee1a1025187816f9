//! What robots draw on the layers of their mission.

use super::camera::Subject;
use super::scene::{millimetre, point};
use crate::wire::Layer;
use crewlab_lab::sim::onboard::{Mark, RobotId};
use crewlab_lab::sketch;
use serde_json::{Value, json};

/// The places of the requested layers in the mission's list.
fn asked(subject: &Subject, layers: &[Layer]) -> impl Iterator<Item = usize> {
    let known = subject.simulation.model.layers().len();
    let places = layers.iter().filter_map(|layer| match layer {
        Layer::Sketch(place) => Some(usize::from(*place)),
        _ => None,
    });
    places.filter(|place| *place < known).collect::<Vec<_>>().into_iter()
}

fn entry(subject: &Subject, layer: usize, robot: Option<RobotId>, marks: &[Mark]) -> Value {
    let at = robot.map(|robot| point(subject.simulation.state.world.bodies[robot].pose.position));
    let mark = |mark: &Mark| {
        let (shape, numbers) = mark.numbers();
        let numbers = numbers.into_iter().map(|number| json!(millimetre(number)));
        std::iter::once(json!(shape)).chain(numbers).collect::<Value>()
    };
    json!({"layer": layer, "robot": robot, "at": at, "marks": marks.iter().map(mark).collect::<Vec<_>>()})
}

/// The marks of one robot.
pub(super) fn robot(subject: &Subject, layers: &[Layer], robot: RobotId) -> Vec<Value> {
    let all = asked(subject, layers).map(|layer| (layer, sketch::of_robot(subject.simulation, robot, layer)));
    all.map(|(layer, marks)| entry(subject, layer, Some(robot), &marks)).collect()
}

/// The marks of the first `most` robots: each its own, and those about the world together.
pub(super) fn team(subject: &Subject, layers: &[Layer], most: usize) -> Vec<Value> {
    let all = asked(subject, layers).flat_map(|layer| {
        let marks = sketch::of_team(subject.simulation, layer, most).into_iter();
        marks.map(move |(robot, marks)| (layer, robot, marks))
    });
    all.map(|(layer, robot, marks)| entry(subject, layer, robot, &marks)).collect()
}
