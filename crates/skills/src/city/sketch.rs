//! What a robot that finds its way would draw on a map.

use super::walker::Walker;
use crewlab_navigation::routes::sketch::{self, RouteLayer};
use crewlab_onboard::{LayerSpec, Mark};

/// The layers: those of routes.
pub const LAYERS: &[LayerSpec] = &sketch::LAYERS;

impl Walker {
    /// Appends its marks on a layer.
    pub(super) fn draw(&self, layer: usize, marks: &mut Vec<Mark>) {
        if let Some((layer, planner)) = RouteLayer::at(layer).zip(self.streets.planner()) {
            let route = self.control.aim().map(|aim| (self.planned_from, &aim.route));
            sketch::sketch(layer, planner, route, marks);
        }
    }
}
