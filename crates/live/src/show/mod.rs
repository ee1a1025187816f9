//! Views of a run: plain data and prepared texts, made by the studio and shared by all viewers.

mod camera;
mod detail;
mod history;
mod marks;
mod overlay;
mod scene;
mod sketch;
pub(crate) mod status;
mod things;

pub(crate) use camera::{Camera, Subject};

pub use history::{Cursor, History, News, Sample};
pub use marks::{
    ITEM_GIVEN, ITEM_PRESENT, ItemMark, ROBOT_DOWN, ROBOT_FAULTY, ROBOT_HOLDING, ROBOT_PRESENT,
    ROBOT_STOPPED, ROBOT_TAKEN_OVER, RobotMark,
};

use crewlab_lab::sim::onboard::RobotId;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// A view of one lane at one moment. Texts are JSON messages as described in `web/src/protocol.ts`; an unchanged text is the
/// same `Arc`.
#[derive(Clone, Debug)]
pub struct LaneView {
    /// Changes when earlier data of the lane is no longer valid.
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
    /// The message `overlay`, if somebody has requested a layer that needs it.
    pub overlay: Option<Arc<str>>,
    /// The message `detail` of each watched robot.
    pub details: BTreeMap<RobotId, Arc<str>>,
    /// Events, tasks and levels over time. Locked only while new entries are copied.
    pub history: Arc<Mutex<History>>,
}

/// The deeds in the current branch.
#[derive(Clone, Debug, Default)]
pub struct DeedList {
    /// Changes when the list is not merely longer than before.
    pub edition: u64,
    /// Each as a JSON object.
    pub list: Vec<Arc<str>>,
}

/// A view of all lanes at one moment.
#[derive(Clone, Debug)]
pub struct View {
    /// The lanes.
    pub lanes: Vec<LaneView>,
    /// The message `status`.
    pub status: Arc<str>,
    /// The deeds.
    pub deeds: Arc<DeedList>,
}
