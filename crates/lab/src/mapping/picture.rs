//! The picture of a finished map.

use super::{Alignment, Survey};
use crewlab_figures::survey::{CellKind, SurveyFigure, draw as draw_figure};
use crewlab_navigation::maps::CellState;
use crewlab_sim::onboard::geometry::{Pose, Vec2};

/// Draws the map with the estimated path, odometry and, if there is one, the reference in the map's frame.
pub(super) fn draw(survey: &Survey, title: &str) -> String {
    let map = &survey.map;
    let cell = |index: usize| match map.state(index % map.columns, index / map.columns) {
        CellState::Occupied => CellKind::Occupied,
        CellState::Free => CellKind::Free,
        CellState::Unknown => CellKind::Unknown,
    };
    let points = |path: &[Pose]| path.iter().map(|pose| [pose.position.x, pose.position.y]).collect();
    let reference = survey.reference.as_ref().map(|reference| {
        let back = Alignment::between(reference, &survey.path);
        reference.iter().map(|pose| back.apply(pose.position)).map(|Vec2 { x, y }| [x, y]).collect()
    });
    draw_figure(&SurveyFigure {
        title: title.to_string(),
        columns: map.columns,
        resolution: map.resolution,
        origin: [map.origin.x, map.origin.y],
        cells: (0..map.cells.len()).map(cell).collect(),
        path: points(&survey.path),
        odometry: points(&survey.odometry),
        reference: reference.unwrap_or_default(),
    })
}
