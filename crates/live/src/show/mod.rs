//! What there is to see of a run: plain data and prepared texts, made by the studio and handed to all viewers.

mod camera;
mod detail;
mod history;
mod marks;
mod overlay;
mod scene;
pub(crate) mod status;
mod things;

pub(crate) use camera::{Camera, Subject};

pub use history::{Cursor, History, News};
pub use marks::{
    ITEM_GIVEN, ITEM_PRESENT, ItemMark, ROBOT_DOWN, ROBOT_FAULTY, ROBOT_HOLDING, ROBOT_PRESENT,
    ROBOT_STOPPED, ROBOT_TAKEN_OVER, RobotMark,
};

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// What there is to see of one lane at one moment. Texts are JSON messages as `web/src/protocol.ts` describes them;
/// a text that did not change is the same `Arc`.
#[derive(Clone, Debug)]
pub struct LaneView {
    /// Changes when what was known of the lane no longer holds.
    pub epoch: u64,
    /// Ticks done.
    pub tick: u64,
    /// The robots.
    pub robots: Vec<RobotMark>,
    /// The items.
    pub items: Vec<ItemMark>,
    /// The message `scene`.
    pub scene: Arc<str>,
    /// The message `things`.
    pub things: Arc<str>,
    /// The message `overlay`, if somebody wants a layer that needs it.
    pub overlay: Option<Arc<str>>,
    /// The message `detail` of each robot that somebody watches.
    pub details: BTreeMap<usize, Arc<str>>,
    /// Events, tasks and levels over time. Held for as long as it takes to copy what is new.
    pub history: Arc<Mutex<History>>,
}

/// What people did to the branch that is shown.
#[derive(Clone, Debug, Default)]
pub struct DeedList {
    /// Changes when the list is not just a longer one than before.
    pub edition: u64,
    /// Each as a JSON object.
    pub list: Vec<Arc<str>>,
}

/// What there is to see at one moment.
#[derive(Clone, Debug)]
pub struct View {
    /// The lanes.
    pub lanes: Vec<LaneView>,
    /// The message `status`.
    pub status: Arc<str>,
    /// What people did.
    pub deeds: Arc<DeedList>,
}
