//! What robots draw on the layers of their mission, for the live laboratory and for reports.

use crewlab_sim::Simulation;
use crewlab_sim::onboard::{About, Mark, RobotId};
use std::collections::BTreeSet;

/// Largest number of marks of one layer.
const MOST_MARKS: usize = 4_000;
/// Largest number of marks about the world that are compared with each other.
const MOST_COMPARED: usize = 40_000;
/// Marks about the world that differ by less than this share of their radius are shown once.
const ALIKE: f64 = 0.125;

/// A robot's marks on a layer, by the layer's place in the mission's list.
pub fn of_robot(simulation: &Simulation, robot: RobotId, layer: usize) -> Vec<Mark> {
    let mut marks = simulation.state.sketch(&simulation.model, robot, layer);
    marks.retain(|mark| mark.numbers().1.iter().all(|number| number.is_finite()));
    marks.truncate(MOST_MARKS);
    marks
}

/// The marks of the first `most` robots on a layer: each its own, or together those about the world, which are nobody's.
pub fn of_team(simulation: &Simulation, layer: usize, most: usize) -> Vec<(Option<RobotId>, Vec<Mark>)> {
    let layers = simulation.model.layers();
    let Some(spec) = layers.get(layer) else { return Vec::new() };
    let each = simulation.model.robots().take(most).map(|robot| (robot, of_robot(simulation, robot, layer)));
    match spec.about {
        About::Robot => {
            let mut left = MOST_MARKS;
            let own = each.map(|(robot, mut marks)| {
                marks.truncate(left);
                left -= marks.len();
                (Some(robot), marks)
            });
            own.filter(|(_, marks)| !marks.is_empty()).collect()
        }
        About::World => {
            let mut merged = Merged::default();
            each.flat_map(|(_, marks)| marks).take(MOST_COMPARED).for_each(|mark| merged.add(mark));
            vec![(None, merged.marks)]
        }
    }
}

/// Marks without those that are almost the same.
#[derive(Default)]
struct Merged {
    marks: Vec<Mark>,
    known: BTreeSet<(&'static str, [i64; 4])>,
}

impl Merged {
    fn add(&mut self, mark: Mark) {
        let (shape, numbers) = mark.numbers();
        // Strengths come first and radii last.
        let Some((radius, places)) = numbers.get(1..).and_then(|rest| rest.split_last()) else { return };
        let cell = (radius * ALIKE).max(1e-3);
        let mut near = [0; 4];
        near.iter_mut().zip(places).for_each(|(near, number)| *near = (number / cell).round() as i64);
        if self.marks.len() >= MOST_MARKS || self.has_beside(shape, near, places.len()) {
            return;
        }
        self.known.insert((shape, near));
        self.marks.push(mark);
    }

    /// True if there is a mark in this cell or in one beside it. The cell has `count` numbers.
    fn has_beside(&self, shape: &'static str, cell: [i64; 4], count: usize) -> bool {
        const WAYS: [i64; 3] = [0, -1, 1];
        // The cells beside it are counted by numbers with base three.
        (0..3usize.pow(count as u32)).any(|code| {
            let mut beside = cell;
            let mut rest = code;
            for number in &mut beside {
                *number = number.saturating_add(WAYS[rest % 3]);
                rest /= 3;
            }
            self.known.contains(&(shape, beside))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_sim::onboard::Vec2;

    #[test]
    fn what_robots_know_alike_is_shown_once() {
        let mut merged = Merged::default();
        let disc = |x: f64| Mark::Disc { at: Vec2 { x, y: 0.0 }, radius: 8.0, strength: 1.0 };
        [disc(100.0), disc(100.6), disc(99.4), disc(104.0)].into_iter().for_each(|mark| merged.add(mark));
        assert_eq!(merged.marks, [disc(100.0), disc(104.0)]);
        let circle = Mark::Circle { at: Vec2 { x: 100.0, y: 0.0 }, radius: 8.0 };
        merged.add(circle);
        assert_eq!(merged.marks.len(), 3, "another shape is another mark");
        let wall = |x: f64| Mark::Band {
            from: Vec2 { x, y: 0.0 },
            to: Vec2 { x, y: 9.0 },
            radius: 8.0,
            strength: 1.0,
        };
        [wall(0.0), wall(0.1), wall(50.0)].into_iter().for_each(|mark| merged.add(mark));
        assert_eq!(merged.marks.len(), 5);
    }
}
