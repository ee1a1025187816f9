//! The middle lines of free space: cells are taken away in the order of their distance to obstacles, as long as what is left stays
//! connected as it was. Computed tile by tile from the surroundings of the tile, so that a change is felt only nearby.

use super::bits::Bits;
use super::clearance::Clearance;
use super::tiles::{Tiles, Window};
use crate::Place;

/// Side of the tiles in which lines are computed: larger ones share more of their surroundings, smaller ones are computed less often.
/// [cells]
pub const TILE: usize = 128;
/// Distance around a tile from which its lines are computed, beyond the limit of clearances. [cells]
const MARGIN: i32 = 6;
/// How far around a cell no other may have more clearance for it to be a place that a line leads to. [cells]
const PEAK: i32 = 5;
/// The same among the cells at the border to unknown ones. [cells]
const EXIT: i32 = 8;

/// Whether a cell can be taken away without changing how its neighbours are connected, for every set of neighbours. They are
/// bits, counter-clockwise from the right; the Yokoi number of connections over sides and corners must be one.
const SIMPLE: [bool; 256] = {
    let mut table = [false; 256];
    let mut around = 0;
    while around < 256 {
        let (mut number, mut side) = (0, 0);
        while side < 8 {
            let gone = !around >> side & 1;
            number += gone - gone * (!around >> (side + 1) & 1) * (!around >> ((side + 2) % 8) & 1);
            side += 2;
        }
        table[around] = number == 1;
        around += 1;
    }
    table
};

/// The offsets of the neighbours, counter-clockwise from the right.
pub const AROUND: [Place; 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

/// What the lines are made from.
pub struct Ground<'a> {
    /// Where the robot can be.
    pub passable: &'a Bits,
    /// Passable cells beside unknown ones.
    pub border: &'a Bits,
    /// Distances to obstacles.
    pub clearance: &'a Clearance,
}

impl Ground<'_> {
    /// Distance around a tile from which its lines are computed. [cells]
    pub fn margin(&self) -> i32 {
        self.clearance.limit() + MARGIN
    }

    /// Computes the lines in these tiles anew.
    pub fn trace(&self, tiles: &Tiles, lines: &mut Bits) {
        let (columns, rows) = (self.passable.columns(), self.passable.rows());
        for window in tiles.windows() {
            let thinning = Thinning::new(self, window.grown(self.margin(), columns, rows));
            let left = thinning.finish(self);
            for row in window.low..window.high {
                lines.fill_row(row as usize, window.left as usize, window.right as usize, |column| {
                    left.kept((column as i32, row))
                });
            }
        }
    }

    /// How much a cell is worth keeping: by its clearance. Ties are broken by a fixed scramble of the place, so that on a ridge of
    /// equal clearance one cell in a while is a peak, instead of all or none.
    fn worth(&self, (column, row): Place) -> (i32, u32) {
        let scrambled = (column as u32).wrapping_mul(0x9e37_79b1) ^ (row as u32).wrapping_mul(0x85eb_ca77);
        (self.clearance.squared((column, row)), scrambled.wrapping_mul(0xc2b2_ae3d) >> 7)
    }

    /// True if no cell of a set within `reach` cells is worth more.
    fn tops(&self, (column, row): Place, reach: i32, rivals: &Bits) -> bool {
        let worth = self.worth((column, row));
        (-reach..=reach).all(|y| {
            let mut near = rivals.within(row + y, column - reach, column + reach);
            near.all(|other| self.worth((other, row + y)) <= worth)
        })
    }
}

/// What is left of the free space in a window while it is made thinner.
struct Thinning {
    window: Window,
    /// Width with a margin of one cell on each side.
    width: usize,
    /// 1 for cells that are left.
    left: Vec<u8>,
    /// Squared clearance of passable cells, 0 of others. [cells²]
    heights: Vec<i16>,
    /// The cells that may go, by their distance to obstacles.
    levels: Vec<Vec<u32>>,
    /// Cells of open space, where obstacles are farther than the limit.
    open: Vec<u32>,
}

impl Thinning {
    fn new(ground: &Ground, window: Window) -> Thinning {
        let (width, height) = window.size();
        let limit = ground.clearance.limit();
        let mut thinning = Thinning {
            window,
            width: width + 2,
            left: vec![0; (width + 2) * (height + 2)],
            heights: vec![0; (width + 2) * (height + 2)],
            levels: vec![Vec::new(); limit as usize + 1],
            open: Vec::new(),
        };
        let roots: Vec<u8> = (0..=limit * limit).map(|squared| f64::from(squared).sqrt() as u8).collect();
        for row in window.low..window.high {
            let clearances = ground.clearance.row(row as usize);
            for column in ground.passable.within(row, window.left, window.right - 1) {
                let index = thinning.index((column, row));
                thinning.left[index] = 1;
                thinning.heights[index] = clearances[column as usize];
                // Beyond the border of the window lines may go on: its outermost cells stay.
                let rim = column == window.left
                    || row == window.low
                    || column == window.right - 1
                    || row == window.high - 1;
                match roots.get(clearances[column as usize] as usize) {
                    None => thinning.open.push(index as u32),
                    Some(_) if rim => {}
                    Some(level) => thinning.levels[usize::from(*level)].push(index as u32),
                }
            }
        }
        thinning
    }

    fn index(&self, (column, row): Place) -> usize {
        (row - self.window.low + 1) as usize * self.width + (column - self.window.left + 1) as usize
    }

    fn place(&self, index: usize) -> Place {
        (
            (index % self.width) as i32 + self.window.left - 1,
            (index / self.width) as i32 + self.window.low - 1,
        )
    }

    fn kept(&self, place: Place) -> bool {
        self.left[self.index(place)] == 1
    }

    /// The neighbours that are left, as bits.
    fn around(&self, index: usize) -> usize {
        let up = &self.left[index + self.width - 1..][..3];
        let beside = &self.left[index - 1..][..3];
        let down = &self.left[index - self.width - 1..][..3];
        let bits = beside[2] | up[2] << 1 | up[1] << 2 | up[0] << 3;
        usize::from(bits | beside[0] << 4 | down[0] << 5 | down[1] << 6 | down[2] << 7)
    }

    /// Takes a cell away if this changes no connection and it is no end; true if it is gone.
    fn take(&mut self, ground: &Ground, index: u32) -> bool {
        let at = index as usize;
        let gone = SIMPLE[self.around(at)] && !self.is_end(ground, at);
        self.left[at] &= u8::from(!gone);
        gone
    }

    /// True if a line must lead here: to the middle of a room, or out into the unknown.
    fn is_end(&self, ground: &Ground, at: usize) -> bool {
        let place = self.place(at);
        // Almost every cell has a higher neighbour, which is quickly seen.
        let three =
            |middle: usize| self.heights[middle - 1].max(self.heights[middle]).max(self.heights[middle + 1]);
        let highest = three(at - self.width).max(three(at)).max(three(at + self.width));
        (highest == self.heights[at] && ground.tops(place, PEAK, ground.passable))
            || (ground.border.has(place) && ground.tops(place, EXIT, ground.border))
    }

    /// Takes cells away level by level, then what is left of open space but its outline, then what became superfluous by that.
    fn finish(mut self, ground: &Ground) -> Thinning {
        let mut rest = Vec::new();
        for mut level in std::mem::take(&mut self.levels) {
            level.retain(|index| !self.take(ground, *index));
            level.retain(|index| !self.take(ground, *index));
            rest.append(&mut level);
        }
        rest.append(&mut self.outline(ground));
        loop {
            let before = rest.len();
            rest.retain(|index| !self.take(ground, *index));
            if rest.len() == before {
                return self;
            }
        }
    }

    /// Removes open space but the cells at its border to space that is not open; returns those of them that may go.
    fn outline(&mut self, ground: &Ground) -> Vec<u32> {
        let open = std::mem::take(&mut self.open);
        let beside = [1, self.width as isize, -1, -(self.width as isize)];
        let mut inner = vec![false; self.left.len()];
        open.iter().for_each(|index| inner[*index as usize] = true);
        let borders = |index: &u32| {
            beside.iter().any(|step| {
                let next = (*index as isize + step) as usize;
                !inner[next] && ground.passable.has(self.place(next))
            })
        };
        let (outline, inside): (Vec<u32>, Vec<u32>) = open.iter().partition(|index| borders(index));
        inside.iter().for_each(|index| self.left[*index as usize] = 0);
        let window = self.window;
        let may_go = |index: &u32| {
            let (column, row) = self.place(*index as usize);
            let rim = column == window.left
                || row == window.low
                || column == window.right - 1
                || row == window.high - 1;
            !rim && !ground.border.has((column, row))
        };
        outline.into_iter().filter(may_go).collect()
    }
}
