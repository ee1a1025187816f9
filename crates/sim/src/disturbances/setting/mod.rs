//! A property of something in a run with a value: what disturbances override.

mod area;
mod item;
mod object;
mod robot;
mod task;

pub(super) use area::AreaSetting;
pub(super) use item::ItemSetting;
pub(super) use object::{ObjectSetting, Quantity};
pub(super) use robot::RobotSetting;
pub(super) use task::TaskSetting;

use super::scene::Scene;
use crewlab_onboard::RobotId;
use crewlab_world::ObjectId;
use serde::{Deserialize, Serialize};
use std::mem::discriminant;

/// A property with a value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Setting {
    /// Of an object.
    Object(ObjectId, ObjectSetting),
    /// Of an area, by its index.
    Area(usize, AreaSetting),
    /// Of an item, by its number.
    Item(u32, ItemSetting),
    /// Of a robot.
    Robot(RobotId, RobotSetting),
    /// The operator's order about a task, by its number.
    Task(usize, TaskSetting),
    /// The coordinator that runs on all robots; that of the start if `None`.
    Coordinator(Option<String>),
}

impl Setting {
    /// True if both concern the same property of the same thing, whatever their values.
    pub(super) fn same_property(&self, other: &Setting) -> bool {
        match (self, other) {
            (Setting::Object(a, one), Setting::Object(b, other)) => a == b && one.same_property(other),
            (Setting::Area(a, one), Setting::Area(b, other)) => {
                a == b && discriminant(one) == discriminant(other)
            }
            (Setting::Item(a, one), Setting::Item(b, other)) => a == b && one.same_property(other),
            (Setting::Robot(a, one), Setting::Robot(b, other)) => {
                a == b && discriminant(one) == discriminant(other)
            }
            (Setting::Task(a, one), Setting::Task(b, other)) => {
                a == b && discriminant(one) == discriminant(other)
            }
            (Setting::Coordinator(_), Setting::Coordinator(_)) => true,
            _ => false,
        }
    }

    /// Sets the property and returns its previous setting, `None` if the thing is gone; or tells why it must wait.
    pub(super) fn swap(&self, scene: &mut Scene) -> Result<Option<Setting>, String> {
        Ok(match self {
            Setting::Object(id, setting) => {
                setting.swap(*id, scene)?.map(|before| Setting::Object(*id, before))
            }
            Setting::Area(area, setting) => {
                setting.swap(*area, scene).map(|before| Setting::Area(*area, before))
            }
            Setting::Item(item, setting) => {
                setting.swap(*item, scene).map(|before| Setting::Item(*item, before))
            }
            Setting::Robot(robot, setting) => {
                setting.swap(*robot, scene)?.map(|before| Setting::Robot(*robot, before))
            }
            Setting::Task(task, setting) => {
                setting.swap(*task, scene).map(|before| Setting::Task(*task, before))
            }
            Setting::Coordinator(name) => {
                let before = scene.state.coordinator.clone();
                scene.coordinate_by(name.clone());
                Some(Setting::Coordinator(before))
            }
        })
    }
}
