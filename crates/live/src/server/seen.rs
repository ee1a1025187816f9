//! The part of the state that a viewer has received, and the messages for the rest.

use crate::shelf::Shelf;
use crate::show::{Cursor, DeedList, LaneView, View};
use crate::studio::Want;
use crate::wire::{Frames, Layer};
use crewlab_lab::catalog;
use crewlab_lab::sim::disturbances::kinds::REPAIRABLE;
use crewlab_lab::sim::disturbances::{About, DisturbanceKind, KINDS};
use crewlab_lab::sim::onboard::RobotId;
use serde_json::{Value, json};
use std::sync::{Arc, PoisonError};
use tokio_tungstenite::tungstenite::Message;

/// Number of history chunks sent at once, before the viewer gets another frame.
const ROUNDS: usize = 4;

/// The first message: the available choices.
pub(super) fn hello(shelf: Option<&dyn Shelf>) -> String {
    let mut catalog = catalog::sections();
    let mut known = |name: &str| {
        let found = catalog.iter_mut().find(|list| list.name == name);
        found.map(|list| std::mem::take(&mut list.entries)).unwrap_or_default()
    };
    let shelf = shelf.map(
        |shelf| json!({"title": shelf.title(), "report": shelf.report().is_some(), "runs": shelf.list()}),
    );
    json!({
        "type": "hello",
        "crewlab": crewlab_lab::VERSION,
        "coordinators": known("coordinators"),
        "disturbances": disturbances(),
        "repairable": REPAIRABLE.iter().map(|(name, _)| name).collect::<Vec<_>>(),
        "shelf": shelf,
    })
    .to_string()
}

/// What can be done to a run by hand.
fn disturbances() -> Vec<Value> {
    let of_kind = |kind: &DisturbanceKind| {
        let About { subject, example, needs, by_hand, listed, .. } = kind.about;
        json!({
            "name": kind.name,
            "summary": kind.about.words(),
            "example": example,
            "group": subject.group(),
            "needs": needs,
            "by_hand": by_hand,
            "listed": listed,
        })
    };
    KINDS.iter().map(of_kind).collect()
}

/// What one viewer has received.
#[derive(Default)]
pub(super) struct Seen {
    lanes: Vec<SeenLane>,
    status: Option<Arc<str>>,
    /// The edition of the list of deeds, and the number received.
    deeds: Option<(u64, usize)>,
    away: bool,
}

#[derive(Default)]
struct SeenLane {
    epoch: Option<u64>,
    scene: Option<Arc<str>>,
    things: Option<Arc<str>>,
    overlay: Option<Arc<str>>,
    detail: Option<Arc<str>>,
    frames: Frames,
    cursor: Cursor,
}

impl Seen {
    /// Forgets what was sent about the watched robot.
    pub fn look_away(&mut self) {
        self.away = true;
    }

    /// True if something was forgotten since the last message to the viewer.
    pub fn is_away(&self) -> bool {
        self.away
    }

    /// The messages that take the viewer from its last state to this view; true if more history is left.
    pub fn catch_up(&mut self, view: &View, want: &Want) -> (Vec<Message>, bool) {
        let mut out = Vec::new();
        let mut more = false;
        self.lanes.resize_with(view.lanes.len(), SeenLane::default);
        let away = std::mem::take(&mut self.away);
        for (lane, (seen, view)) in self.lanes.iter_mut().zip(&view.lanes).enumerate() {
            if away {
                seen.detail = None;
                seen.read_history(lane, view, None, &mut out);
            }
            more |= seen.catch_up(lane, view, want, &mut out);
        }
        out.extend(self.deeds(&view.deeds));
        // Last, so that a viewer that has received this has everything.
        tell(&mut out, &mut self.status, &view.status);
        (out, more)
    }
}

impl Seen {
    /// The message with deeds that the viewer does not have yet.
    fn deeds(&mut self, deeds: &DeedList) -> Option<Message> {
        let now = (deeds.edition, deeds.list.len());
        if self.deeds == Some(now) {
            return None;
        }
        let from = self.deeds.filter(|(edition, _)| *edition == deeds.edition).map_or(0, |(_, count)| count);
        self.deeds = Some(now);
        let list = deeds.list[from.min(deeds.list.len())..].join(",");
        Some(Message::from(format!(r#"{{"type":"deeds","from":{from},"list":[{list}]}}"#)))
    }
}

impl SeenLane {
    fn catch_up(&mut self, lane: usize, view: &LaneView, want: &Want, out: &mut Vec<Message>) -> bool {
        if self.epoch != Some(view.epoch) {
            *self = SeenLane { epoch: Some(view.epoch), ..SeenLane::default() };
        }
        let watched = want.robot.filter(|_| want.lane == lane);
        tell(out, &mut self.scene, &view.scene);
        tell(out, &mut self.things, &view.things);
        out.extend(self.frames.next(lane, view).map(Message::from));
        if let Some(overlay) = view.overlay.as_ref().filter(|_| wants_overlay(want)) {
            tell(out, &mut self.overlay, overlay);
        }
        if let Some(detail) = watched.and_then(|robot| view.details.get(&robot)) {
            tell(out, &mut self.detail, detail);
        }
        self.read_history(lane, view, watched, out)
    }

    /// True if there may be more to read.
    fn read_history(
        &mut self,
        lane: usize,
        view: &LaneView,
        watched: Option<RobotId>,
        out: &mut Vec<Message>,
    ) -> bool {
        for _ in 0..ROUNDS {
            let news = {
                let history = view.history.lock().unwrap_or_else(PoisonError::into_inner);
                history.news(&mut self.cursor, watched)
            };
            let messages = news.messages(lane, view.epoch);
            if messages.is_empty() {
                return false;
            }
            out.extend(messages.into_iter().map(Message::from));
        }
        true
    }
}

fn wants_overlay(want: &Want) -> bool {
    want.layers.iter().any(|layer| *layer != Layer::Field)
}

/// Adds a text that the viewer does not have yet.
fn tell(out: &mut Vec<Message>, seen: &mut Option<Arc<str>>, text: &Arc<str>) {
    if !text.is_empty() && !seen.as_ref().is_some_and(|seen| Arc::ptr_eq(seen, text)) {
        out.push(Message::from(&**text));
        *seen = Some(text.clone());
    }
}
