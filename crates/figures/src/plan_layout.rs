//! Where the behaviours of a plan are drawn: chains from left to right, parts below their behaviour, and every edge on a track of its
//! own, so that no box and no label covers another.

use super::plan_graph::PlanFigure;
use std::cmp::Reverse;

/// Space between parts and below a box [px].
const GAP: f64 = 12.0;
/// Space left of parts, for the line that leads to them [px].
const INDENT: f64 = 24.0;
/// Space between two parallel lines [px].
const LANE: f64 = 8.0;
/// Where lines leave and enter a box, from its upper edge [px].
pub(super) const PORT: f64 = 15.0;
/// More parts than this are drawn in several columns.
const MOST_STACKED: usize = 5;
/// Most columns of parts.
const MOST_COLUMNS: usize = 40;
/// Wanted ratio of width to height if parts are drawn in columns.
const RATIO: f64 = 1.8;

/// A rectangle.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Area {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// A drawn edge.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Route {
    /// Its corners; the last one is at the left edge of the box that it leads to.
    pub(super) points: Vec<(f64, f64)>,
    /// True if it leads back to what was before.
    pub(super) back: bool,
}

/// A finished layout.
#[derive(Debug, Clone, Default)]
pub(super) struct Layout {
    /// One box per behaviour.
    pub(super) boxes: Vec<Area>,
    /// Edges to what may follow.
    pub(super) routes: Vec<Route>,
    /// Lines to parts.
    pub(super) branches: Vec<Vec<(f64, f64)>>,
    /// The whole drawing [px].
    pub(super) size: (f64, f64),
}

/// A chain with everything below it.
struct Chain {
    columns: Vec<Vec<Block>>,
    edges: Vec<Edge>,
    /// Width of the gap before each column.
    gaps: Vec<f64>,
    widths: Vec<f64>,
    lanes: usize,
    size: (f64, f64),
}

/// A behaviour with its parts.
struct Block {
    node: usize,
    own: (f64, f64),
    parts: Vec<Vec<Chain>>,
    size: (f64, f64),
}

struct Edge {
    from: usize,
    to: usize,
    /// Columns of both.
    columns: (usize, usize),
    back: bool,
    /// Tracks in the gap after the source and before the target, and the lane above; none if one line within a gap is enough.
    long: Option<(usize, usize, usize)>,
    /// The track in the gap.
    track: usize,
}

/// The layout for boxes of these sizes.
pub(super) fn layout(figure: &PlanFigure, sizes: &[(f64, f64)]) -> Layout {
    let mut builder = Builder { figure, sizes, placed: vec![false; sizes.len()] };
    let mut layout = Layout { boxes: vec![Area::default(); sizes.len()], ..Layout::default() };
    let starts = std::iter::once(figure.root).chain(0..sizes.len());
    let mut y = 0.0;
    for start in starts {
        // What no edge leads to is drawn below.
        if start < sizes.len() && !builder.placed[start] {
            let chain = builder.chain(start);
            place_chain(&chain, 0.0, y, &mut layout);
            y += chain.size.1 + 2.0 * GAP;
            layout.size.0 = layout.size.0.max(chain.size.0);
        }
    }
    layout.size.1 = (y - 2.0 * GAP).max(0.0);
    layout
}

struct Builder<'f> {
    figure: &'f PlanFigure,
    sizes: &'f [(f64, f64)],
    placed: Vec<bool>,
}

impl Builder<'_> {
    fn next(&self, node: usize) -> impl Iterator<Item = usize> {
        self.figure.nodes[node].next.iter().copied().filter(|to| *to < self.sizes.len())
    }

    /// All behaviours that follow this one, in an order in which only loops lead back.
    fn in_order(&mut self, first: usize) -> Vec<usize> {
        let mut finished = Vec::new();
        let mut path = vec![(first, 0)];
        self.placed[first] = true;
        while let Some((node, place)) = path.last_mut() {
            // The last alternative is visited first, so that the first one comes first in the end.
            let next: Vec<usize> = self.figure.nodes[*node].next.iter().rev().copied().collect();
            match next.get(*place).copied() {
                Some(to) => {
                    *place += 1;
                    if to < self.placed.len() && !std::mem::replace(&mut self.placed[to], true) {
                        path.push((to, 0));
                    }
                }
                None => {
                    finished.push(*node);
                    path.pop();
                }
            }
        }
        finished.reverse();
        finished
    }

    fn chain(&mut self, first: usize) -> Chain {
        let order = self.in_order(first);
        let mut rank = vec![usize::MAX; self.sizes.len()];
        order.iter().enumerate().for_each(|(place, &node)| rank[node] = place);
        let mut column = vec![0; order.len()];
        for (place, &node) in order.iter().enumerate() {
            for to in self.next(node) {
                if rank[to] != usize::MAX && rank[to] > place {
                    column[rank[to]] = column[rank[to]].max(column[place] + 1);
                }
            }
        }
        let count = column.iter().max().map_or(0, |last| last + 1);
        let mut columns: Vec<Vec<Block>> = (0..count).map(|_| Vec::new()).collect();
        let mut rows = vec![0; order.len()];
        for (place, &node) in order.iter().enumerate() {
            rows[place] = columns[column[place]].len();
            let block = self.block(node);
            columns[column[place]].push(block);
        }
        let mut edges = Vec::new();
        for (place, &node) in order.iter().enumerate() {
            for to in self.next(node).filter(|&to| rank[to] != usize::MAX) {
                let back = rank[to] <= place;
                let (from, until) = (column[place], column[rank[to]]);
                // Between neighbours a line needs no way around.
                let long = (until != from + 1).then_some((0, 0, 0));
                edges.push(Edge { from: node, to, columns: (from, until), back, long, track: 0 });
            }
        }
        let widths: Vec<f64> = columns
            .iter()
            .map(|blocks| blocks.iter().map(|block| block.size.0).fold(0.0, f64::max))
            .collect();
        let (gaps, lanes) = tracks(&mut edges, count);
        let stacked = |blocks: &Vec<Block>| {
            blocks.iter().map(|block| block.size.1).sum::<f64>() + GAP * blocks.len().saturating_sub(1) as f64
        };
        let height = columns.iter().map(stacked).fold(0.0, f64::max);
        let width = widths.iter().sum::<f64>() + gaps.iter().sum::<f64>();
        Chain { size: (width, height + above(lanes)), columns, edges, gaps, widths, lanes }
    }

    fn block(&mut self, node: usize) -> Block {
        let own = self.sizes[node];
        let children = self.figure.nodes[node].children.clone();
        let mut chains = Vec::new();
        for child in children {
            if child < self.placed.len() && !self.placed[child] {
                chains.push(self.chain(child));
            }
        }
        if chains.is_empty() {
            return Block { node, own, parts: Vec::new(), size: own };
        }
        let parts = in_columns(chains);
        let width =
            parts.iter().map(|column| INDENT + widest(column)).sum::<f64>() + GAP * (parts.len() - 1) as f64;
        let height = parts.iter().map(|column| tall(column)).fold(0.0, f64::max);
        Block { node, own, size: (own.0.max(width), own.1 + GAP + height), parts }
    }
}

fn widest(chains: &[Chain]) -> f64 {
    chains.iter().map(|chain| chain.size.0).fold(0.0, f64::max)
}

fn tall(chains: &[Chain]) -> f64 {
    chains.iter().map(|chain| chain.size.1).sum::<f64>() + GAP * chains.len().saturating_sub(1) as f64
}

/// Space above a chain for this many lanes.
fn above(lanes: usize) -> f64 {
    if lanes == 0 { 0.0 } else { LANE * lanes as f64 + 4.0 }
}

/// The chains in as many columns as make them about as wide as wanted.
fn in_columns(chains: Vec<Chain>) -> Vec<Vec<Chain>> {
    if chains.len() <= MOST_STACKED {
        return vec![chains];
    }
    let shape = |columns: usize| {
        let rows = chains.len().div_ceil(columns);
        let parts = chains.chunks(rows);
        let width: f64 = parts.clone().map(|part| INDENT + GAP + widest(part)).sum();
        let height = parts.map(tall).fold(1.0, f64::max);
        (libm::log(width / height / RATIO)).abs()
    };
    let most = chains.len().min(MOST_COLUMNS);
    let best = (1..=most).min_by(|a, b| shape(*a).total_cmp(&shape(*b))).unwrap_or(1);
    let rows = chains.len().div_ceil(best);
    let mut columns: Vec<Vec<Chain>> = Vec::new();
    for (place, chain) in chains.into_iter().enumerate() {
        if place % rows == 0 {
            columns.push(Vec::new());
        }
        if let Some(column) = columns.last_mut() {
            column.push(chain);
        }
    }
    columns
}

/// Gives every edge its tracks; the widths of the gaps before each column and after the last one, and the number of lanes.
fn tracks(edges: &mut [Edge], columns: usize) -> (Vec<f64>, usize) {
    let mut used = vec![0_usize; columns + 1];
    let mut take = |gap: usize| {
        used[gap] += 1;
        used[gap] - 1
    };
    for edge in edges.iter_mut() {
        let (from, to) = edge.columns;
        match &mut edge.long {
            None => edge.track = take(from + 1),
            Some((out, back, _)) => (*out, *back) = (take(from + 1), take(to)),
        }
    }
    // Short ways are below long ones.
    let mut long: Vec<usize> = (0..edges.len()).filter(|&place| edges[place].long.is_some()).collect();
    let ends = |edge: &Edge| {
        let (from, to) = (edge.columns.0 + 1, edge.columns.1);
        (from.min(to), from.max(to))
    };
    long.sort_by_key(|&place| {
        let (left, right) = ends(&edges[place]);
        (right - left, Reverse(left), place)
    });
    let mut lanes: Vec<Vec<(usize, usize)>> = Vec::new();
    for place in long {
        let (left, right) = ends(&edges[place]);
        let free = |lane: &Vec<(usize, usize)>| lane.iter().all(|(a, b)| *b < left || right < *a);
        let lane = lanes.iter().position(free).unwrap_or_else(|| {
            lanes.push(Vec::new());
            lanes.len() - 1
        });
        lanes[lane].push((left, right));
        if let Some((.., chosen)) = &mut edges[place].long {
            *chosen = lane;
        }
    }
    let gap = |(place, used): (usize, &usize)| match (place, *used) {
        (_, 0) => 0.0,
        // Room for the lines, and for the head of an arrow.
        (0, lines) => LANE * lines as f64 + 14.0,
        (place, lines) if place == columns => LANE * lines as f64 + 4.0,
        (_, lines) => LANE * lines as f64 + 24.0,
    };
    (used.iter().enumerate().map(gap).collect(), lanes.len())
}

fn place_chain(chain: &Chain, x: f64, y: f64, layout: &mut Layout) {
    let top = y + above(chain.lanes);
    let mut lefts = Vec::new();
    let mut left = x;
    for (column, blocks) in chain.columns.iter().enumerate() {
        left += chain.gaps[column];
        lefts.push(left);
        let mut upper = top;
        for block in blocks {
            place_block(block, left, upper, layout);
            upper += block.size.1 + GAP;
        }
        left += chain.widths[column];
    }
    let end = left;
    for edge in &chain.edges {
        let (from, to) = (layout.boxes[edge.from], layout.boxes[edge.to]);
        let start = (from.x + from.width, from.y + PORT);
        let finish = (to.x, to.y + PORT);
        // Lines begin right of everything in their column.
        let after = |column: usize, track: usize| {
            lefts.get(column).map_or(end, |left| left + chain.widths[column]) + 6.0 + LANE * track as f64
        };
        let before = |column: usize, track: usize| {
            let gap_start = if column == 0 { x } else { lefts[column - 1] + chain.widths[column - 1] };
            gap_start + 6.0 + LANE * track as f64
        };
        let points = match edge.long {
            None if start.1 == finish.1 => vec![start, finish],
            None => {
                let at = after(edge.columns.0, edge.track);
                vec![start, (at, start.1), (at, finish.1), finish]
            }
            Some((out, back, lane)) => {
                let lane = top - 6.0 - LANE * lane as f64;
                let (out, back) = (after(edge.columns.0, out), before(edge.columns.1, back));
                vec![start, (out, start.1), (out, lane), (back, lane), (back, finish.1), finish]
            }
        };
        layout.routes.push(Route { points, back: edge.back });
    }
}

fn place_block(block: &Block, x: f64, y: f64, layout: &mut Layout) {
    let (width, height) = block.own;
    layout.boxes[block.node] = Area { x, y, width, height };
    let (bottom, mut left) = (y + height, x);
    for (place, column) in block.parts.iter().enumerate() {
        let trunk = left + 10.0;
        let mut upper = bottom + GAP;
        for chain in column {
            place_chain(chain, left + INDENT, upper, layout);
            let Some(first) = chain.columns.first().and_then(|blocks| blocks.first()) else { continue };
            let child = layout.boxes[first.node];
            let port = (child.x, child.y + PORT);
            let bend = bottom + GAP / 2.0;
            let start = (x + 10.0, bottom);
            layout.branches.push(match place {
                0 => vec![start, (trunk, port.1), port],
                _ => vec![start, (start.0, bend), (trunk, bend), (trunk, port.1), port],
            });
            upper += chain.size.1 + GAP;
        }
        left += INDENT + widest(column) + GAP;
    }
}
