//! Terrain, areas, obstacles and items on the map.

use std::collections::BTreeSet;

use super::palette::{Colour, area_colour};
use super::placement::{Extent, Placement};
use super::svg::{Element, Path, circle, group, label, line};
use super::text;
use super::theme::Ink;
use super::thin;
use super::viewport::Viewport;
use super::world::{AreaOutline, FillRole, ItemMark, Outline, PlaceMark, Shape};

pub use super::terrain::{occurs, terrain};

/// Largest number of items drawn; items on the same spot are drawn once.
const MOST_ITEMS: usize = 800;

/// Approximate largest number of points of one polygon.
const MOST_CORNERS: usize = 400;

/// Obstacles and patches of ground.
pub fn objects(objects: &[Outline], view: &Viewport) -> Element {
    let mut drawn = group();
    for object in objects {
        if let Some(shape) = outline(&object.shape, view) {
            let painted = match object.shape {
                Shape::Segment(..) => {
                    shape.stroke(role_colour(object.fill_role), 4.0).with("stroke-linecap", "round")
                }
                _ => paint(shape, object.fill_role),
            };
            let name = if object.label.trim().is_empty() {
                role_name(object.fill_role)
            } else {
                object.label.as_str()
            };
            drawn.push(painted.tooltip(name));
        }
    }
    drawn
}

/// Softly tinted areas.
pub fn areas(areas: &[AreaOutline], view: &Viewport) -> Element {
    let mut drawn = group();
    for (area, colour) in areas.iter().zip(tints(areas)) {
        if let Some(shape) = outline(&area.shape, view) {
            let tinted = shape.fill(colour).with("fill-opacity", "0.12").stroke(colour, 1.5);
            let name = if area.kind.is_empty() {
                area.name.clone()
            } else {
                format!("{} ({})", area.name, area.kind)
            };
            drawn.push(tinted.with("stroke-opacity", "0.8").tooltip(&name));
        }
    }
    drawn
}

/// Area names above, below or inside their outline.
pub fn area_names(areas: &[AreaOutline], view: &Viewport, placement: &mut Placement) -> Element {
    let mut names = group().fill(Ink::Text).halo().with("font-style", "italic");
    for area in areas {
        let Some(extent) = extent(&area.shape, view) else { continue };
        let shown = text::shorten(&area.name, 11.5, 170.0);
        let (width, height) = (text::width(&shown, 11.5), 15.0);
        let (x, y) = ((extent.left + extent.right) / 2.0, (extent.top + extent.bottom) / 2.0);
        let candidates = [
            Extent::around(x, extent.top - 9.0, width, height),
            Extent::around(x, extent.bottom + 9.0, width, height),
            Extent::around(extent.right + 6.0 + width / 2.0, y, width, height),
            Extent::around(extent.left - 6.0 - width / 2.0, y, width, height),
            Extent::around(x, y, width, height),
            Extent::around(x, extent.top + 12.0, width, height),
        ];
        if let Some(place) = placement.choose(&candidates).and_then(|chosen| candidates.get(chosen)) {
            let middle = (place.left + place.right) / 2.0;
            names.push(label(middle, place.bottom - 3.5, 11.5, "middle", &shown).tooltip(&area.name));
        }
    }
    names
}

/// Faint rings where items were.
pub fn items_at_start(items: &[ItemMark], view: &Viewport) -> Element {
    let mut drawn = group().with("fill", "none").stroke(Ink::Muted, 1.0).with("stroke-opacity", "0.75");
    for (x, y) in spots(items.iter().map(|item| item.from), view) {
        drawn.push(circle(x, y, 2.4));
    }
    drawn
}

/// Dots where items are, with a ring around those still carried.
pub fn items_at_end(items: &[ItemMark], view: &Viewport) -> Element {
    let mut dots = group().fill(Ink::Text).stroke(Ink::Surface, 0.7);
    for (x, y) in spots(items.iter().filter(|item| !item.carried).map(|item| item.to), view) {
        dots.push(circle(x, y, 2.6));
    }
    let mut carried = group();
    for (x, y) in spots(items.iter().filter(|item| item.carried).map(|item| item.to), view) {
        carried.push(carried_item(x, y));
    }
    group().child(dots).child(carried)
}

/// Places where something happened.
pub fn marks(marks: &[PlaceMark], view: &Viewport) -> Element {
    let mut all = group();
    for place in marks {
        for (x, y) in spots(std::iter::once(place.at), view) {
            all.push(mark(x, y).tooltip(&place.label));
        }
    }
    all
}

/// The symbol of a place where something happened.
pub fn mark(x: f64, y: f64) -> Element {
    circle(x, y, 3.4).fill(Ink::Alert).stroke(Ink::Surface, 1.0)
}

/// The symbol of an item that a robot holds.
pub fn carried_item(x: f64, y: f64) -> Element {
    let dot = circle(x, y, 2.2).fill(Ink::Text);
    group().child(circle(x, y, 5.0).with("fill", "none").stroke(Ink::Text, 1.2)).child(dot)
}

/// Paints a shape according to its role.
pub fn paint(shape: Element, role: FillRole) -> Element {
    let colour = role_colour(role);
    match role {
        FillRole::Obstacle => shape.fill(colour).with("fill-opacity", "0.55").stroke(colour, 1.2),
        FillRole::DisturbanceObstacle => shape
            .fill(colour)
            .with("fill-opacity", "0.35")
            .stroke(colour, 1.6)
            .with("stroke-dasharray", "5 3"),
        FillRole::SlowGround | FillRole::FastGround => shape.fill(colour).with("fill-opacity", "0.25"),
    }
}

/// The colour of a role.
pub fn role_colour(role: FillRole) -> Colour {
    match role {
        FillRole::Obstacle => Colour::new(0x6f7985),
        FillRole::DisturbanceObstacle => Colour::new(0xc9423c),
        FillRole::SlowGround => Colour::new(0xa5702a),
        FillRole::FastGround => Colour::new(0x158a83),
    }
}

/// The description of a role.
pub fn role_name(role: FillRole) -> &'static str {
    match role {
        FillRole::Obstacle => "obstacle",
        FillRole::DisturbanceObstacle => "obstacle set during the run",
        FillRole::SlowGround => "slow ground",
        FillRole::FastGround => "fast ground",
    }
}

/// One colour per area; kinds without a colour of their own get one in order of appearance.
fn tints(areas: &[AreaOutline]) -> Vec<Colour> {
    let mut kinds: Vec<&str> = Vec::new();
    let mut tints = Vec::new();
    for area in areas {
        let known = kinds.iter().position(|kind| *kind == area.kind);
        let index = known.unwrap_or_else(|| {
            kinds.push(&area.kind);
            kinds.len() - 1
        });
        tints.push(area_colour(&area.kind, index));
    }
    tints
}

/// A shape on the map.
pub fn outline(shape: &Shape, view: &Viewport) -> Option<Element> {
    match shape {
        Shape::Circle { center, radius } => {
            let (x, y) = view.at(*center)?;
            Some(circle(x, y, view.length(*radius, 1.0)))
        }
        Shape::Polygon(corners) => {
            let points: Vec<_> = corners.iter().filter_map(|corner| view.at(*corner)).collect();
            let mut spacing = 0.3;
            let mut thinned = thin::by_distance(&points, spacing);
            while thinned.len() > MOST_CORNERS && spacing < 2000.0 {
                spacing *= 1.5;
                thinned = thin::by_distance(&thinned, spacing);
            }
            let mut path = Path::polyline(&thinned);
            path.close();
            (thinned.len() >= 2).then(|| path.area())
        }
        Shape::Segment(from, to) => Some(line(view.at(*from)?, view.at(*to)?)),
    }
}

/// The box around a shape on the map.
pub fn extent(shape: &Shape, view: &Viewport) -> Option<Extent> {
    let points = match shape {
        Shape::Circle { center, radius } => {
            let (x, y) = view.at(*center)?;
            let side = 2.0 * view.length(*radius, 1.0);
            return Some(Extent::around(x, y, side, side));
        }
        Shape::Polygon(corners) => corners.clone(),
        Shape::Segment(from, to) => vec![*from, *to],
    };
    let boxes =
        points.into_iter().filter_map(|point| view.at(point)).map(|(x, y)| Extent::around(x, y, 0.0, 0.0));
    boxes.reduce(|one, two| Extent {
        left: one.left.min(two.left),
        top: one.top.min(two.top),
        right: one.right.max(two.right),
        bottom: one.bottom.max(two.bottom),
    })
}

/// The distinct spots of items [px], on a raster that gets coarser until there are not too many.
fn spots(places: impl Iterator<Item = [f64; 2]>, view: &Viewport) -> Vec<(f64, f64)> {
    let points: Vec<_> = places.filter_map(|place| view.at(place)).collect();
    let mut raster = 0.25;
    loop {
        let mut seen = BTreeSet::new();
        let cell = |(x, y): (f64, f64)| ((x / raster).round() as i64, (y / raster).round() as i64);
        let kept: Vec<_> = points.iter().copied().filter(|point| seen.insert(cell(*point))).collect();
        if kept.len() <= MOST_ITEMS || raster > 1000.0 {
            return kept.into_iter().take(MOST_ITEMS).collect();
        }
        raster *= 1.5;
    }
}
