//! The map's scale: metres to pixels, the same on both axes, y up.

use super::axis::{nice_step, tick_label, ticks, usable};
use super::placement::Extent;
use super::svg::{Element, Path, group, label, line, number, rect};
use super::theme::Ink;
use super::world::WorldFigure;

const LEFT: f64 = 52.0;
const RIGHT_MARGIN: f64 = 20.0;
const WIDEST: f64 = 880.0;
const TALLEST: f64 = 680.0;
const NARROWEST_FIGURE: f64 = 560.0;

/// The part of the world that is shown, and where.
pub struct Viewport {
    origin: [f64; 2],
    size: [f64; 2],
    /// Pixels per metre.
    scale: f64,
    left: f64,
    top: f64,
}

impl Viewport {
    /// The whole figure's width [px].
    pub fn figure_width(figure: &WorldFigure) -> f64 {
        let size = sound_size(figure.size);
        (size[0] * fitting_scale(size) + LEFT + RIGHT_MARGIN).max(NARROWEST_FIGURE)
    }

    /// Fits the world below `top` [px].
    pub fn new(figure: &WorldFigure, top: f64) -> Self {
        let origin = figure.origin.map(|value| if usable(value) { value } else { 0.0 });
        let size = sound_size(figure.size);
        let scale = fitting_scale(size);
        let spare = Self::figure_width(figure) - LEFT - RIGHT_MARGIN - size[0] * scale;
        Self { origin, size, scale, left: LEFT + spare / 2.0, top }
    }

    /// Fits a world of this origin and size [m] into a width, with its upper left corner at a place [px].
    pub fn within(origin: &[f64; 2], size: [f64; 2], left: f64, top: f64, width: f64) -> Self {
        let origin = origin.map(|value| if usable(value) { value } else { 0.0 });
        let size = sound_size(size);
        Self { origin, size, scale: width / size[0], left, top }
    }

    /// The pixel of a place; `None` if it is invalid.
    pub fn at(&self, place: [f64; 2]) -> Option<(f64, f64)> {
        let [x, y] = place;
        (usable(x) && usable(y)).then(|| (self.x(x), self.y(y)))
    }

    /// A length in pixels; at least `least`, and no more than the map.
    pub fn length(&self, metres: f64, least: f64) -> f64 {
        let pixels = if metres.is_finite() { metres * self.scale } else { 0.0 };
        pixels.clamp(least, 4.0 * WIDEST)
    }

    /// The lower edge of the room [px].
    pub fn bottom(&self) -> f64 {
        self.top + self.size[1] * self.scale
    }

    /// The room's extent [px].
    pub fn bounds(&self) -> Extent {
        Extent {
            left: self.left,
            top: self.top,
            right: self.left + self.size[0] * self.scale,
            bottom: self.bottom(),
        }
    }

    /// The world's lower left corner [m].
    pub fn origin(&self) -> [f64; 2] {
        self.origin
    }

    /// An element that clips to the room: a nested viewport, which needs no id unlike a clip path.
    pub fn window(&self) -> Element {
        let room = self.bounds();
        let (width, height) = (room.right - room.left, room.bottom - room.top);
        let corners = [room.left, room.top, width, height].map(number);
        Element::new("svg")
            .with("x", room.left)
            .with("y", room.top)
            .with("width", width)
            .with("height", height)
            .with("viewBox", corners.join(" "))
            .with("overflow", "hidden")
    }

    /// Faint lines at the metre ticks.
    pub fn grid(&self) -> Element {
        let room = self.bounds();
        let mut grid = group().stroke(Ink::Grid, 1.0);
        for x in self.ticks(0) {
            grid.push(line((self.x(x), room.top), (self.x(x), room.bottom)));
        }
        for y in self.ticks(1) {
            grid.push(line((room.left, self.y(y)), (room.right, self.y(y))));
        }
        grid
    }

    /// The walls, tick labels and the scale bar.
    pub fn axes(&self) -> Element {
        let room = self.bounds();
        let step = self.step();
        let mut axes = group().fill(Ink::Muted).with("font-size", "11");
        let walls = rect(room.left, room.top, room.right - room.left, room.bottom - room.top);
        axes.push(walls.with("fill", "none").stroke(Ink::Muted, 1.5));
        let mut free_from = f64::NEG_INFINITY;
        for x in self.ticks(0) {
            let words = metres(x, step);
            let half = super::text::width(&words, 11.0) / 2.0;
            if self.x(x) - half >= free_from {
                axes.push(label(self.x(x), room.bottom + 16.0, 11.0, "middle", &words));
                free_from = self.x(x) + half + 4.0;
            }
        }
        for y in self.ticks(1) {
            axes.push(label(room.left - 7.0, self.y(y) + 4.0, 11.0, "end", &metres(y, step)));
        }
        axes.child(self.scale_bar())
    }

    /// A bar above the map's right corner.
    fn scale_bar(&self) -> Element {
        let room = self.bounds();
        let span = nice_step(self.size[0].max(self.size[1]) * 1.4, 10);
        let length = span * self.scale;
        let y = room.top - 9.0;
        let mut path = Path::default();
        path.move_to(room.right - length, y - 4.0);
        path.vertical_to(y);
        path.horizontal_to(room.right);
        path.vertical_to(y - 4.0);
        group().child(path.outline().stroke(Ink::Muted, 1.3)).child(label(
            room.right - length - 6.0,
            y + 1.0,
            11.0,
            "end",
            &metres(span, span),
        ))
    }

    fn step(&self) -> f64 {
        nice_step(self.size[0].max(self.size[1]), 12)
    }

    fn ticks(&self, axis: usize) -> Vec<f64> {
        ticks(self.origin[axis], self.origin[axis] + self.size[axis], self.step())
    }

    fn x(&self, x: f64) -> f64 {
        self.left + (x - self.origin[0]) * self.scale
    }

    fn y(&self, y: f64) -> f64 {
        self.bottom() - (y - self.origin[1]) * self.scale
    }
}

fn metres(value: f64, step: f64) -> String {
    format!("{} m", tick_label(value, step))
}

/// A size to draw with: a world without extent becomes a square metre, and no side is over fifty times the other.
fn sound_size(size: [f64; 2]) -> [f64; 2] {
    let [width, height] = size.map(|side| if usable(side) && side > 1e-6 { side } else { 0.0 });
    let longest = if width.max(height) > 0.0 { width.max(height) } else { 1.0 };
    [width, height].map(|side| if side > 0.0 { side.max(longest / 50.0) } else { longest })
}

fn fitting_scale(size: [f64; 2]) -> f64 {
    (WIDEST / size[0]).min(TALLEST / size[1])
}
