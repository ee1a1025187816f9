//! Radio obstacles on a map: walls that damp signals, and jammers.

use serde::{Deserialize, Serialize};

use super::axis::{tick_label, usable};
use super::ground;
use super::legend::LegendEntry;
use super::palette::Colour;
use super::placement::{Extent, Placement};
use super::svg::{Element, Path, circle, group, label, line};
use super::text;
use super::theme::Ink;
use super::viewport::Viewport;
use super::world::Shape;

/// The colour of walls, which is not used for links.
const DAMPING: Colour = Colour::new(0x8457c2);

/// With more walls than this, their damping is shown in tooltips only.
const MOST_LABELS: usize = 24;

/// More walls than this are not drawn.
const MOST_WALLS: usize = 600;

/// Size of a jammer's symbol [px].
const JAMMER: f64 = 8.0;

/// Everything besides robots that affects radio signals.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Airspace {
    /// The walls.
    pub walls: Vec<DampingWall>,
    /// The jammers.
    pub jammers: Vec<JammerMark>,
}

/// Something that damps signals.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DampingWall {
    /// Where it is.
    pub shape: Shape,
    /// Damping per crossing [dB].
    pub damping_db: f64,
}

/// A jammer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JammerMark {
    /// Where it is [m].
    pub at: [f64; 2],
    /// Its power [dBm].
    pub power_dbm: f64,
}

/// The walls; the more they damp, the thicker.
pub fn walls(airspace: &Airspace, view: &Viewport) -> Element {
    let mut drawn = group().with("fill", "none").with("stroke-linecap", "round");
    for wall in airspace.walls.iter().take(MOST_WALLS) {
        if let Some(shape) = ground::outline(&wall.shape, view) {
            let width =
                if wall.damping_db.is_finite() { 1.5 + wall.damping_db.clamp(0.0, 25.0) * 0.14 } else { 5.0 };
            drawn.push(
                shape.stroke(DAMPING, width).tooltip(&format!("damps by {}", decibels(wall.damping_db))),
            );
        }
    }
    drawn
}

/// The jammers.
pub fn jammers(airspace: &Airspace, view: &Viewport) -> Element {
    let mut drawn = group();
    for jammer in &airspace.jammers {
        if let Some((x, y)) = view.at(jammer.at) {
            drawn.push(symbol(x, y).tooltip(&format!("jammer, {} dBm", number(jammer.power_dbm))));
        }
    }
    drawn
}

/// Keeps names away from jammers.
pub fn reserve(airspace: &Airspace, view: &Viewport, placement: &mut Placement) {
    for (x, y) in airspace.jammers.iter().filter_map(|jammer| view.at(jammer.at)) {
        placement.reserve(Extent::around(x, y, 2.6 * JAMMER, 2.6 * JAMMER));
    }
}

/// The damping of each wall, and names of jammers, where there is room.
pub fn labels(airspace: &Airspace, view: &Viewport, placement: &mut Placement) -> Element {
    let mut labels = group().halo();
    for (x, y) in airspace.jammers.iter().filter_map(|jammer| view.at(jammer.at)) {
        let places = super::placement::beside(x, y, JAMMER, text::width("jammer", 11.0), 13.0);
        labels.push(placed("jammer", 11.0, &places, placement).fill(Ink::Alert));
    }
    if airspace.walls.len() > MOST_LABELS {
        return labels;
    }
    for wall in &airspace.walls {
        let Some(extent) = ground::extent(&wall.shape, view) else { continue };
        let words = decibels(wall.damping_db);
        let (width, height) = (text::width(&words, 10.5), 12.0);
        let (x, y) = ((extent.left + extent.right) / 2.0, (extent.top + extent.bottom) / 2.0);
        let upright = extent.bottom - extent.top > extent.right - extent.left;
        let (across, along) = (width / 2.0 + 7.0, height / 2.0 + 6.0);
        let beside = [(across, 0.0), (-across, 0.0)].map(|(dx, dy)| (dx, dy));
        let above = [(0.0, -along), (0.0, along)];
        let order = if upright { [beside, above] } else { [above, beside] };
        let (w, h) = ((extent.right - extent.left) / 2.0, (extent.bottom - extent.top) / 2.0);
        let places: Vec<Extent> = order
            .iter()
            .flatten()
            .map(|(dx, dy)| {
                let out = |by: f64, half: f64| if by == 0.0 { 0.0 } else { by + by.signum() * half };
                // A slanted line is labelled at its middle, a body at its side.
                let thin = matches!(wall.shape, Shape::Segment(..));
                let (w, h) = if thin { (0.0, 0.0) } else { (w, h) };
                Extent::around(x + out(*dx, w), y + out(*dy, h), width, height)
            })
            .collect();
        labels.push(placed(&words, 10.5, &places, placement).fill(DAMPING));
    }
    labels
}

fn placed(words: &str, size: f64, places: &[Extent], placement: &mut Placement) -> Element {
    match placement.choose(places).and_then(|chosen| places.get(chosen)) {
        Some(place) => {
            label((place.left + place.right) / 2.0, place.bottom - size * 0.25, size, "middle", words)
        }
        None => group(),
    }
}

/// The legend of the symbols that occur.
pub fn entries(airspace: &Airspace) -> Vec<LegendEntry> {
    let mut entries = Vec::new();
    if !airspace.walls.is_empty() {
        let all = airspace.walls.iter().map(|wall| wall.damping_db);
        let (low, high) = all.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), d| (l.min(d), h.max(d)));
        let span = if low == high { decibels(low) } else { format!("{} to {}", number(low), decibels(high)) };
        entries.push(LegendEntry {
            symbol: line((0.0, 0.0), (16.0, 0.0)).stroke(DAMPING, 3.0),
            symbol_width: 16.0,
            text: format!("damps signals by {span}"),
        });
    }
    if !airspace.jammers.is_empty() {
        entries.push(LegendEntry { symbol: symbol(8.0, 0.0), symbol_width: 17.0, text: "jammer".into() });
    }
    entries
}

fn number(value: f64) -> String {
    if !usable(value) {
        return "?".into();
    }
    tick_label(value, if value.fract() == 0.0 { 1.0 } else { 0.1 })
}

fn decibels(value: f64) -> String {
    format!("{} dB", number(value))
}

/// A disc with a bolt.
fn symbol(x: f64, y: f64) -> Element {
    let at = |dx: f64, dy: f64| (x + dx * JAMMER, y + dy * JAMMER);
    let mut bolt = Path::polyline(&[
        at(0.2, -0.75),
        at(-0.45, 0.12),
        at(-0.02, 0.12),
        at(-0.2, 0.75),
        at(0.45, -0.14),
        at(0.02, -0.14),
    ]);
    bolt.close();
    group()
        .child(circle(x, y, JAMMER).fill(Ink::Alert).stroke(Ink::Surface, 1.5))
        .child(bolt.area().fill(Ink::Surface))
}
