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

/// The figures: what the team believes and intends, and everything that one robot knows. Some missions have no layers.
pub(super) fn draw(map: &WorldFigure, simulation: &Simulation, summary: &Summary) -> Vec<Drawn> {
    let specs = simulation.model.layers();
    let specs: Vec<(usize, &LayerSpec)> = specs.iter().enumerate().collect();
    let after = time_label(summary.time_s);
    // What only helps to understand one robot would be clutter if all drew it at once.
    let fits = |(_, spec): &(usize, &LayerSpec)| spec.shown || spec.about == About::World;
    let (common, own): (Vec<_>, Vec<_>) = specs.iter().copied().partition(fits);
    let mut drawn = Vec::new();
    if !common.is_empty() {
        let title = format!("{}: what the robots believe and intend after {after}", summary.scenario);
        let everybody: Vec<RobotId> = simulation.model.robots().take(map.robots.len()).collect();
        let says = "What the robots believe and intend at the end.";
        drawn.push(figure("layers", title, says, &common, &everybody, map, simulation));
    }
    let rich = |robot: &RobotId| {
        own.iter().any(|(place, _)| !sketch::of_robot(simulation, *robot, *place).is_empty())
    };
    if let Some(robot) = simulation.model.robots().take(map.robots.len()).find(rich) {
        let name = simulation.model.robot_name(robot);
        let title = format!("{}: what {name} knows and intends after {after}", summary.scenario);
        let says = format!("Everything that {name} knows and intends at the end.");
        drawn.push(figure("layers-of-one", title, &says, &specs, &[robot], map, simulation));
    }
    drawn
}

/// A map with some layers of some robots. `map` is that of the paths.
fn figure(
    file: &str,
    title: String,
    says: &str,
    specs: &[(usize, &LayerSpec)],
    robots: &[RobotId],
    map: &WorldFigure,
    simulation: &Simulation,
) -> Drawn {
    let most = map.robots.len();
    let layer = |(place, spec): &(usize, &LayerSpec)| {
        let all = sketch::of_team(simulation, *place, most).into_iter();
        let all = all.filter(|(robot, _)| robot.is_none_or(|robot| robots.contains(&robot)));
        let marks = all.flat_map(|(robot, marks)| marks.into_iter().map(move |it| mark(robot, &it)));
        MapLayer { title: spec.title.to_lowercase(), marks: marks.collect() }
    };
    let nowhere = (f64::NAN, f64::NAN, 0.0);
    let at_the_end = |robot: &RobotPath| RobotPath { start: nowhere, trail: Vec::new(), ..robot.clone() };
    let plan = |robot: RobotId| match robots.contains(&robot) {
        true => simulation.state.plan(robot).into_iter().map(point).collect(),
        false => Vec::new(),
    };
    let figure = LayersFigure {
        map: WorldFigure {
            title,
            robots: map.robots.iter().map(at_the_end).collect(),
            marks: Vec::new(),
            ..map.clone()
        },
        plans: simulation.model.robots().take(most).map(plan).collect(),
        layers: specs.iter().map(layer).collect(),
        coloured: robots.len() == 1,
    };
    let meanings: Vec<String> =
        specs.iter().map(|(_, spec)| format!("{}: {}", spec.title, spec.summary.to_lowercase())).collect();
    Drawn {
        file: file.into(),
        part: Part::World,
        caption: format!("{says} {}.", meanings.join(". ")),
        svg: layers::draw(&figure),
    }
}
