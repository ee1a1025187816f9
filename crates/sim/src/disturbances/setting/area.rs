//! Properties of areas that disturbances override.

use super::super::scene::Scene;
use crewlab_world::Outline;
use serde::{Deserialize, Serialize};
use std::mem::replace;
use std::sync::Arc;

/// A property of an area with a value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in super::super) enum AreaSetting {
    /// Whether it is there.
    Present(bool),
    /// Where it is.
    Outline(Outline),
    /// Its purpose.
    Kind(Arc<str>),
}

impl AreaSetting {
    pub(super) fn swap(&self, area: usize, scene: &mut Scene) -> Option<AreaSetting> {
        let area = scene.state.world.areas.get_mut(area)?;
        Some(match self {
            AreaSetting::Present(present) => AreaSetting::Present(replace(&mut area.present, *present)),
            AreaSetting::Outline(outline) => {
                AreaSetting::Outline(replace(&mut area.outline, outline.clone()))
            }
            AreaSetting::Kind(kind) => AreaSetting::Kind(replace(&mut area.kind, kind.clone())),
        })
    }
}
