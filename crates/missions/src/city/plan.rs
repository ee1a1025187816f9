//! The plan of a city: blocks of houses with pavements around them, streets between them, kerbs, and streets without cars.

use crewlab_onboard::geometry::{Pose, Vec2, vec2};
use crewlab_world::{Bounds, Object, Outline, Shape};

/// Width of a kerb. [m]
const KERB: f64 = 0.15;
/// Height of a kerb, and of a lowered one. [m]
const HEIGHTS: (f64, f64) = (0.12, 0.03);
/// Speed on a lowered kerb, as a share.
const LOWERED: f64 = 0.9;

/// A rectangle along the axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rect {
    /// The lower left corner. [m]
    pub low: Vec2,
    /// The upper right corner. [m]
    pub high: Vec2,
}

impl Rect {
    /// Around a middle, with half its width and height. [m]
    pub fn around(middle: Vec2, half: Vec2) -> Rect {
        Rect { low: middle - half, high: middle + half }
    }

    /// Its middle. [m]
    pub fn middle(&self) -> Vec2 {
        (self.low + self.high) * 0.5
    }

    /// Width and height. [m]
    pub fn size(&self) -> Vec2 {
        self.high - self.low
    }

    /// As an outline.
    pub fn outline(&self) -> Outline {
        let Rect { low, high } = *self;
        Outline::Polygon(vec![low, vec2(high.x, low.y), high, vec2(low.x, high.y)])
    }

    /// As an object that nothing passes.
    fn object(&self, name: &str) -> Object {
        let (size, middle) = (self.size(), self.middle());
        Object::obstacle(name, Shape::rectangle(size.x, size.y), Pose::new(middle.x, middle.y, 0.0))
    }
}

/// The plan. Streets are counted from the lower left.
#[derive(Clone, Debug, PartialEq)]
pub struct CityPlan {
    /// The whole city. [m]
    pub bounds: Bounds,
    /// Columns and rows of blocks.
    pub blocks: [usize; 2],
    /// Width of pavements. [m]
    pub pavement: f64,
    /// Width of carriageways. [m]
    pub road: f64,
    /// Streets from south to north without cars and kerbs, by number.
    pub pedestrian: Vec<usize>,
}

impl CityPlan {
    /// The side of a block along an axis, pavements included. [m]
    fn block(&self, axis: usize) -> f64 {
        let size = [self.bounds.size().x, self.bounds.size().y][axis];
        (size - (self.blocks[axis] - 1) as f64 * self.road) / self.blocks[axis] as f64
    }

    /// Where a column or a row of blocks begins and ends. [m]
    pub fn span(&self, axis: usize, number: usize) -> (f64, f64) {
        let low = [self.bounds.min.x, self.bounds.min.y][axis];
        let from = low + number as f64 * (self.block(axis) + self.road);
        (from, from + self.block(axis))
    }

    /// True if the blocks are large enough for houses.
    pub fn fits(&self) -> bool {
        (0..2).all(|axis| self.block(axis) >= 2.0 * self.pavement + 2.0)
    }

    /// Number of streets across an axis.
    pub fn streets(&self, axis: usize) -> usize {
        self.blocks[axis] - 1
    }

    /// True if a street from south to north has no cars.
    pub fn is_zone(&self, street: usize) -> bool {
        self.pedestrian.contains(&street)
    }

    /// The blocks, by column and row.
    fn all_blocks(&self) -> impl Iterator<Item = [usize; 2]> {
        let [columns, rows] = self.blocks;
        (0..rows).flat_map(move |row| (0..columns).map(move |column| [column, row]))
    }

    /// Houses, one per block.
    pub fn houses(&self) -> Vec<Object> {
        let house = |place: [usize; 2]| {
            let side = |axis: usize| {
                let (low, high) = self.span(axis, place[axis]);
                let margin = |street: bool| if street { self.pavement } else { 0.0 };
                (low + margin(place[axis] > 0), high - margin(place[axis] < self.streets(axis)))
            };
            let ((left, right), (bottom, top)) = (side(0), side(1));
            Rect { low: vec2(left, bottom), high: vec2(right, top) }.object("house")
        };
        self.all_blocks().map(house).collect()
    }

    /// All kerbs, lowered where people cross.
    pub fn kerbs(&self) -> Vec<Object> {
        let mut kerbs = Vec::new();
        for place in self.all_blocks() {
            for (axis, upper) in [(0, false), (0, true), (1, false), (1, true)] {
                let street = if upper { Some(place[axis]) } else { place[axis].checked_sub(1) };
                let street = street.filter(|street| *street < self.streets(axis));
                let cars = street.is_some_and(|street| axis == 1 || !self.is_zone(street));
                if cars {
                    self.kerb_of(place, axis, upper, &mut kerbs);
                }
            }
        }
        for (street, crossing) in self.crossroads().filter(|(street, _)| self.is_zone(*street)) {
            // The mouth of a street without cars: people cross along its whole width.
            let ((_, left), (right, _)) = (self.span(0, street), self.span(0, street + 1));
            let ((_, low), (high, _)) = (self.span(1, crossing), self.span(1, crossing + 1));
            for y in [low - KERB / 2.0, high + KERB / 2.0] {
                let (from, to) = (vec2(left, y - KERB / 2.0), vec2(right, y + KERB / 2.0));
                kerbs.push(kerb(Rect { low: from, high: to }, true));
            }
        }
        kerbs
    }

    /// The kerb on one side of a block.
    fn kerb_of(&self, place: [usize; 2], axis: usize, upper: bool, kerbs: &mut Vec<Object>) {
        let along = 1 - axis;
        let (low, high) = self.span(axis, place[axis]);
        let across = if upper { (high - KERB, high) } else { (low, low + KERB) };
        let (from, to) = self.span(along, place[along]);
        let corner = |street: bool| if street { self.pavement } else { 0.0 };
        let first = from + corner(place[along] > 0);
        let last = to - corner(place[along] < self.streets(along));
        for ((start, end), lowered) in [((from, first), true), ((first, last), false), ((last, to), true)] {
            if end > start {
                let at = |across: f64, along: f64| {
                    if axis == 0 { vec2(across, along) } else { vec2(along, across) }
                };
                kerbs.push(kerb(Rect { low: at(across.0, start), high: at(across.1, end) }, lowered));
            }
        }
    }

    /// All crossroads: the street from south to north, and the one from west to east.
    pub fn crossroads(&self) -> impl Iterator<Item = (usize, usize)> {
        let streets = self.streets(0);
        (0..self.streets(1)).flat_map(move |row| (0..streets).map(move |column| (column, row)))
    }
}

fn kerb(rect: Rect, lowered: bool) -> Object {
    let mut kerb = rect.object(if lowered { "lowered kerb" } else { "kerb" });
    kerb.height = if lowered { HEIGHTS.1 } else { HEIGHTS.0 };
    if lowered {
        kerb.penetrability = LOWERED;
    }
    kerb
}
