//! Which cells a scan shows free and which occupied, each once.

use super::sweep::Sweep;
use crate::Place;
use crate::maps::TILE;
use crewlab_onboard::geometry::{Pose, Vec2, vec2};

/// A ray passed through the cell.
pub const FREE: u8 = 1;
/// A ray ended in the cell.
pub const HIT: u8 = 2;
/// Rays are cut at this length: farther away they are too sparse to tell what is free. [cells]
const LONGEST: f64 = 400.0;

/// The cells of a scan: a box of whole tiles. Reused from scan to scan.
#[derive(Clone, Debug, Default)]
pub struct Footprint {
    /// The lower left tile.
    pub low: Place,
    /// Size in tiles.
    pub columns: i32,
    /// Size in tiles.
    pub rows: i32,
    /// Row by row from the lower left cell.
    marks: Vec<u8>,
}

impl Footprint {
    /// Draws a scan that was taken at a pose into cells of this side. [m]
    pub fn draw(&mut self, pose: &Pose, sweep: &Sweep, resolution: f64) {
        let facing = Vec2::unit(pose.heading);
        let scale = 1.0 / resolution;
        let from = pose.position * scale;
        let ends = |points: &[Vec2]| -> Vec<(Vec2, bool)> {
            let end = |point: &Vec2| {
                let way = point.rotated(facing) * scale;
                let length = way.length();
                if length > LONGEST { (from + way * (LONGEST / length), false) } else { (from + way, true) }
            };
            points.iter().map(end).collect()
        };
        let (echoes, open) = (ends(&sweep.echoes), ends(&sweep.open));
        self.cover(from, echoes.iter().chain(&open).map(|(end, _)| *end));
        let corner = vec2(f64::from(self.low.0 * TILE), f64::from(self.low.1 * TILE));
        for (end, _) in echoes.iter().chain(&open) {
            self.clear(from - corner, *end - corner);
        }
        let hits = echoes.iter().filter(|(_, whole)| *whole);
        hits.for_each(|(end, _)| self.mark(*end - corner, HIT));
        open.iter().for_each(|(end, _)| {
            let at = *end - corner;
            if self.marks.get(self.index(at)) == Some(&0) {
                self.mark(at, FREE);
            }
        });
    }

    /// The marks of one row of a tile, given relative to the box.
    pub fn row(&self, column: i32, row: i32, line: i32) -> &[u8] {
        let from = ((row * TILE + line) * self.columns * TILE + column * TILE) as usize;
        self.marks.get(from..from + TILE as usize).unwrap_or_default()
    }

    /// True if the scan touches a tile, given relative to the box.
    pub fn touches(&self, column: i32, row: i32) -> bool {
        (0..TILE).any(|line| self.row(column, row, line).iter().any(|mark| *mark != 0))
    }

    /// Makes an empty box around some points.
    fn cover(&mut self, from: Vec2, points: impl Iterator<Item = Vec2>) {
        let (low, high) = points.fold((from, from), |(low, high), point| {
            (vec2(low.x.min(point.x), low.y.min(point.y)), vec2(high.x.max(point.x), high.y.max(point.y)))
        });
        let tile = |value: f64| (value.floor() as i32).div_euclid(TILE);
        self.low = (tile(low.x), tile(low.y));
        self.columns = tile(high.x) - self.low.0 + 1;
        self.rows = tile(high.y) - self.low.1 + 1;
        self.marks.clear();
        self.marks.resize((self.columns * TILE) as usize * (self.rows * TILE) as usize, 0);
    }

    fn index(&self, at: Vec2) -> usize {
        at.y as usize * (self.columns * TILE) as usize + at.x as usize
    }

    fn mark(&mut self, at: Vec2, mark: u8) {
        let index = self.index(at);
        if let Some(cell) = self.marks.get_mut(index) {
            *cell = mark;
        }
    }

    /// Marks the cells that a ray crosses before the one in which it ends. Coordinates are in cells from the box's corner.
    fn clear(&mut self, from: Vec2, to: Vec2) {
        let stride = (self.columns * TILE) as isize;
        let way = to - from;
        let cells = |from: f64, to: f64| ((to as i32) - (from as i32)).unsigned_abs();
        let steps = cells(from.x, to.x) + cells(from.y, to.y);
        // The ray's parameter at the next border in x and in y, and what one cell adds to it.
        let border = |from: f64, way: f64| match way {
            way if way > 0.0 => ((from.floor() + 1.0 - from) / way, 1.0 / way),
            way if way < 0.0 => ((from - from.floor()) / -way, 1.0 / -way),
            _ => (f64::INFINITY, f64::INFINITY),
        };
        let ((mut next_x, add_x), (mut next_y, add_y)) = (border(from.x, way.x), border(from.y, way.y));
        let step_x = if way.x > 0.0 { 1 } else { -1 };
        let step_y = if way.y > 0.0 { stride } else { -stride };
        let mut index = self.index(from) as isize;
        for _ in 0..steps {
            if let Some(cell) = self.marks.get_mut(index as usize) {
                *cell = FREE;
            }
            if next_x < next_y {
                index += step_x;
                next_x += add_x;
            } else {
                index += step_y;
                next_y += add_y;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The marks as text, the upper row first: `.` free, `#` hit.
    fn picture(echoes: &[Vec2], pose: Pose) -> Vec<String> {
        let mut footprint = Footprint::default();
        footprint.draw(&pose, &Sweep { echoes: echoes.to_vec(), ..Sweep::default() }, 1.0);
        let width = (footprint.columns * TILE) as usize;
        let rows = footprint.marks.chunks(width).rev();
        let text = rows.map(|row| row.iter().map(|mark| [' ', '.', '#'][usize::from(*mark)]).collect());
        text.filter(|row: &String| !row.trim().is_empty()).collect()
    }

    #[test]
    fn rays_free_what_they_cross_and_end_in_walls() {
        let pose = Pose::new(2.5, 2.5, 0.0);
        let rows = picture(&[vec2(4.0, 0.0), vec2(3.0, 3.0), vec2(0.0, 2.0)], pose);
        let found: Vec<&str> = rows.iter().map(|row| row.trim_end()).collect();
        assert_eq!(found, ["    .#", "  #..", "  ..", "  ....#"]);
    }

    #[test]
    fn a_wall_is_not_freed_by_rays_that_graze_it() {
        let pose = Pose::new(0.5, 0.5, 0.0);
        let rows = picture(&[vec2(3.0, 0.0), vec2(6.0, 0.0)], pose);
        assert_eq!(rows[0].trim_end(), "...#..#");
    }
}
