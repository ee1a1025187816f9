//! The figure of what robots believe and intend at the end of a run, as the layers of the live laboratory show it.

use super::figures::{Drawn, Part, point};
use crate::run::summary::Summary;
use crate::sketch;
use crewlab_figures::axis::time_label;
use crewlab_figures::layers::{self, LayerMark, LayersFigure, MapLayer, MarkShape};
use crewlab_figures::world::{RobotPath, WorldFigure};
use crewlab_sim::Simulation;
use crewlab_sim::onboard::{About, LayerSpec, Mark, RobotId};

fn mark(robot: Option<RobotId>, mark: &Mark) -> LayerMark {
    let (shape, strength) = match *mark {
        Mark::Circle { at, radius } => (MarkShape::Circle(point(at), radius), 1.0),
        Mark::Disc { at, radius, strength } => (MarkShape::Disc(point(at), radius), strength),
        Mark::Band { from, to, radius, strength } => {
            (MarkShape::Band(point(from), point(to), radius), strength)
        }
        Mark::Cone { from, to, radius, strength } => {
            (MarkShape::Cone(point(from), point(to), radius), strength)
        }
    };
    LayerMark { robot: robot.map(RobotId::index), shape, strength }
}

/// The figure; `None` if no layer fits it. `map` is that of the paths.
pub(super) fn draw(map: &WorldFigure, simulation: &Simulation, summary: &Summary) -> Option<Drawn> {
    let specs = simulation.model.layers();
    // What only helps to understand one robot would be clutter if all drew it at once.
    let fits = |(_, spec): &(usize, &LayerSpec)| spec.shown || spec.about == About::World;
    let specs: Vec<(usize, &LayerSpec)> = specs.iter().enumerate().filter(fits).collect();
    if specs.is_empty() {
        return None;
    }
    let most = map.robots.len();
    let layer = |(place, spec): &(usize, &LayerSpec)| {
        let all = sketch::of_team(simulation, *place, most).into_iter();
        let marks = all.flat_map(|(robot, marks)| marks.into_iter().map(move |it| mark(robot, &it)));
        MapLayer { title: spec.title.to_lowercase(), marks: marks.collect() }
    };
    let nowhere = (f64::NAN, f64::NAN, 0.0);
    let at_the_end = |robot: &RobotPath| RobotPath { start: nowhere, trail: Vec::new(), ..robot.clone() };
    let title = format!(
        "{}: what the robots believe and intend after {}",
        summary.scenario,
        time_label(summary.time_s)
    );
    let plan = |robot: RobotId| simulation.state.plan(robot).into_iter().map(point).collect();
    let figure = LayersFigure {
        map: WorldFigure {
            title,
            robots: map.robots.iter().map(at_the_end).collect(),
            marks: Vec::new(),
            ..map.clone()
        },
        plans: simulation.model.robots().take(most).map(plan).collect(),
        layers: specs.iter().map(layer).collect(),
    };
    let meanings: Vec<String> =
        specs.iter().map(|(_, spec)| format!("{}: {}", spec.title, spec.summary.to_lowercase())).collect();
    Some(Drawn {
        file: "layers".into(),
        part: Part::World,
        caption: format!("What the robots believe and intend at the end. {}.", meanings.join(". ")),
        svg: layers::draw(&figure),
    })
}
