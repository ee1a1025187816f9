//! The extended Voronoi graph (B.3.3): junctions, ends and branches of the middle lines of free space. Where obstacles are farther
//! than a limit, it follows them at this distance; it ends at the border to the unknown.

use super::bits::Bits;
use super::clearance::Clearance;
use super::regions::Regions;
use super::sight::{Spot, sees};
use super::skeleton::AROUND;
use crate::Place;

/// A dead end nearer to its junction than this multiple of the junction's clearance is pruned: it only leads into a corner.
const SPUR: f64 = 1.5;

/// A line of cells from one junction or end to another.
#[derive(Clone, Debug, PartialEq)]
pub struct Branch {
    /// Its cells, side by side or corner to corner.
    pub cells: Vec<Place>,
    /// True if it ends where the unknown begins.
    pub to_frontier: bool,
}

/// The graph.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VoronoiGraph {
    /// Its lines, in the order of their beginnings.
    pub branches: Vec<Branch>,
    /// Cells where three or more lines meet, one for each group of such cells.
    pub junctions: Vec<Place>,
}

/// How the lines go on at a cell.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    End,
    Line,
    Junction,
}

/// Lines on the way to a graph.
struct Tracer<'a> {
    lines: &'a Bits,
    border: &'a Bits,
    clearance: &'a Clearance,
    done: Bits,
    ends: Bits,
    junctions: Bits,
}

/// The number of separate groups of neighbours, for every set of neighbours.
const GROUPS: [u8; 256] = {
    let mut table = [0; 256];
    let mut around: usize = 0;
    while around < 256 {
        // Where a neighbour is followed by none, a group ends.
        table[around] = (around as u8 & !(around as u8).rotate_right(1)).count_ones() as u8;
        around += 1;
    }
    table
};

impl VoronoiGraph {
    /// The graph of some lines; `border` are the cells at the border to the unknown.
    pub fn of(lines: &Bits, border: &Bits, clearance: &Clearance) -> VoronoiGraph {
        let nothing = || Bits::new(lines.columns(), lines.rows());
        let mut tracer =
            Tracer { lines, border, clearance, done: nothing(), ends: nothing(), junctions: nothing() };
        let cells: Vec<Place> = lines.iter().collect();
        for cell in &cells {
            match GROUPS[usize::from(lines.around(*cell))] {
                0 | 1 => tracer.ends.add(*cell),
                2 => {}
                _ => tracer.junctions.add(*cell),
            }
        }
        let mut graph = VoronoiGraph::default();
        let (plain, knots): (Vec<Place>, Vec<Place>) =
            cells.iter().partition(|cell| tracer.kind(**cell) == Kind::Line);
        for cell in &knots {
            for (x, y) in AROUND {
                let next = (cell.0 + x, cell.1 + y);
                if lines.has(next) && tracer.kind(next) == Kind::Line {
                    graph.branches.extend(tracer.walk(*cell, next));
                }
            }
        }
        // Rings without a junction are left.
        for cell in &plain {
            if !tracer.done.has(*cell) {
                tracer.done.add(*cell);
                let next = tracer.neighbours(*cell).find(|next| !tracer.done.has(*next));
                graph.branches.extend(next.and_then(|next| tracer.walk(*cell, next)));
            }
        }
        graph.branches.retain(|branch| !tracer.is_spur(branch));
        graph.junctions = tracer.groups();
        graph
    }

    /// Cells sampled on the graph: its junctions, the ends of its branches, and points between them that are at most `spacing` cells
    /// apart and see each other, in order and without repetition.
    pub fn samples(&self, passable: &Bits, spacing: usize) -> Vec<Place> {
        let mut samples = self.junctions.clone();
        for branch in &self.branches {
            let cells = &branch.cells;
            let (mut at, last) = (0, cells.len() - 1);
            samples.push(cells[0]);
            while at < last {
                let from = Spot::centre(cells[at]);
                let seen = |next: &usize| sees(passable, from, Spot::centre(cells[*next]));
                at = (at + 1..=(at + spacing.max(1)).min(last)).rev().find(seen).unwrap_or(at + 1);
                samples.push(cells[at]);
            }
        }
        samples.sort_unstable_by_key(|(column, row)| (*row, *column));
        samples.dedup();
        samples
    }
}

impl Tracer<'_> {
    /// The neighbours on a line, those at its sides before those at its corners.
    fn neighbours(&self, (column, row): Place) -> impl Iterator<Item = Place> + use<> {
        let around = self.lines.around((column, row));
        let there = [0, 2, 4, 6, 1, 3, 5, 7].into_iter().filter(move |at| around >> at & 1 == 1);
        there.map(move |at: usize| (column + AROUND[at].0, row + AROUND[at].1))
    }

    fn kind(&self, cell: Place) -> Kind {
        match (self.ends.has(cell), self.junctions.has(cell)) {
            (true, _) => Kind::End,
            (_, true) => Kind::Junction,
            _ => Kind::Line,
        }
    }

    /// Follows a line from an end or a junction to the next one.
    fn walk(&mut self, start: Place, first: Place) -> Option<Branch> {
        if self.done.has(first) {
            return None;
        }
        let (mut cells, mut at) = (vec![start], first);
        loop {
            self.done.add(at);
            cells.push(at);
            let last = cells[cells.len() - 2];
            let touches = |(x, y): Place, (p, q): Place| (x - p).abs() <= 1 && (y - q).abs() <= 1;
            // Right after the start its own group of junction cells is still near.
            let stop = self.neighbours(at).find(|next| {
                self.kind(*next) != Kind::Line
                    && *next != last
                    && !(cells.len() <= 3 && touches(*next, start))
            });
            if let Some(stop) = stop {
                cells.push(stop);
                break;
            }
            let Some(next) =
                self.neighbours(at).find(|next| !self.done.has(*next) && self.kind(*next) == Kind::Line)
            else {
                break;
            };
            at = next;
        }
        let ends = [start, *cells.last()?];
        let to_frontier = ends.iter().any(|end| self.kind(*end) == Kind::End && self.border.has(*end));
        Some(Branch { cells, to_frontier })
    }

    /// True for a short branch into a corner.
    fn is_spur(&self, branch: &Branch) -> bool {
        let (first, last) = (branch.cells[0], branch.cells[branch.cells.len() - 1]);
        let spur = |end: Place, junction: Place| {
            let reach = SPUR * SPUR * f64::from(self.clearance.squared(junction));
            let (x, y) = (f64::from(end.0 - junction.0), f64::from(end.1 - junction.1));
            self.kind(end) == Kind::End && self.kind(junction) == Kind::Junction && x * x + y * y <= reach
        };
        !branch.to_frontier && (spur(first, last) || spur(last, first))
    }

    /// One junction for each group of junction cells that touch: the one with the most clearance.
    fn groups(&self) -> Vec<Place> {
        let regions = Regions::of(&self.junctions, true);
        let mut best: Vec<Option<Place>> = vec![None; regions.count()];
        for cell in self.junctions.iter() {
            if let Some(region) = regions.at(cell) {
                let better = |other: &Place| self.clearance.squared(cell) > self.clearance.squared(*other);
                if best[region].as_ref().is_none_or(better) {
                    best[region] = Some(cell);
                }
            }
        }
        best.into_iter().flatten().collect()
    }
}
