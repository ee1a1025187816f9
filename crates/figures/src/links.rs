//! The link graph over the map: which robots can communicate, and how well.

use serde::{Deserialize, Serialize};

use super::airspace::{self, Airspace};
use super::axis::{nice_step, tick_label, ticks, usable};
use super::heading::{Heading, MARGIN, spoken};
use super::legend::{self, LegendEntry};
use super::placement::Placement;
use super::ramp::QUALITY;
use super::svg::{Element, Path, circle, document, group, line};
use super::theme::Ink;
use super::viewport::Viewport;
use super::world::{self, WorldFigure};

/// Up to this many robots, every link is drawn separately, and each half has the colour of the quality at its end.
const FEW: usize = 12;

/// With more links than this, only the shortest ones of each robot are drawn.
const MOST_LINKS: usize = 400;

/// Number of links per robot that are drawn then.
const NEAREST: usize = 6;

/// Colours in a figure with many links.
const SHADES: usize = 12;

/// Links that let fewer messages through than this are dashed.
const RELIABLE: f64 = 0.9;

/// A link graph.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LinkFigure {
    /// Shown above the map.
    pub title: String,
    /// Shown below the title.
    pub subtitle: String,
    /// The map, with the robots where they were.
    pub map: WorldFigure,
    /// Walls and jammers.
    pub airspace: Airspace,
    /// Links that let anything through, one per direction.
    pub links: Vec<LinkLine>,
    /// Rate of the best (greenest) link [Mbit/s].
    pub fastest_mbps: f64,
    /// Robots whose radio does not work, by their index among the map's robots.
    pub silent: Vec<usize>,
}

/// A link in one direction.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct LinkLine {
    /// The sender's index among the map's robots.
    pub from: usize,
    /// The receiver's index among the map's robots.
    pub to: usize,
    /// Fastest reliable rate; 0 if there is none [Mbit/s].
    pub rate_mbps: f64,
    /// Probability that a broadcast gets through.
    pub success: f64,
}

/// Both directions of a link.
#[derive(Debug, Clone, Copy)]
struct Pair {
    ends: [usize; 2],
    /// The quality of reception at either end.
    gets: [Option<LinkLine>; 2],
    /// Its ends [px].
    places: [(f64, f64); 2],
}

impl Pair {
    /// The worse direction.
    fn worst(&self) -> (f64, f64) {
        let both = self.gets.map(|link| link.map_or((0.0, 0.0), |link| (link.rate_mbps, link.success)));
        if both[0] <= both[1] { both[0] } else { both[1] }
    }

    fn length(&self) -> f64 {
        let [a, b] = self.places;
        libm::hypot(a.0 - b.0, a.1 - b.1)
    }
}

/// Draws the graph as an SVG document.
pub fn draw(figure: &LinkFigure) -> String {
    let width = Viewport::figure_width(&figure.map);
    let map_top = |heading: &Heading| heading.bottom + 12.0;
    let plain = Heading::new(&figure.title, &figure.subtitle, width);
    let view = Viewport::new(&figure.map, map_top(&plain));
    let all = pairs(figure, &view);
    let (drawn, left_out) = choose(&all);
    let note = match left_out {
        true => format!("{}; only the {NEAREST} shortest links of each robot are drawn", figure.subtitle),
        false => figure.subtitle.clone(),
    };
    let heading = Heading::new(&figure.title, &note, width);
    let view = Viewport::new(&figure.map, map_top(&heading));
    let shift = map_top(&heading) - map_top(&plain);
    let drawn: Vec<Pair> = drawn.into_iter().map(|pair| moved(pair, shift)).collect();

    let few = figure.map.robots.len() <= FEW;
    let bar_top = view.bottom() + 32.0;
    let (legend, legend_bottom) =
        legend::flow(entries(figure, &all), MARGIN, bar_top + 36.0, width - 2.0 * MARGIN);
    let summary = format!("{} robots, {} links", figure.map.robots.len(), all.len());
    let mut svg = document(width, legend_bottom + 14.0, &spoken(&figure.title, &note, &summary));
    svg.push(heading.element);
    svg.push(view.grid());
    let lines = if few { one_by_one(figure, &drawn) } else { shade_by_shade(figure, &drawn) };
    let missing = if few { missing(figure, &all, &view) } else { group() };
    let above = group().child(airspace::walls(&figure.airspace, &view)).child(missing).child(lines);
    svg.push(world::contents(&figure.map, &view, above));
    svg.push(silent(figure, &view));
    svg.push(airspace::jammers(&figure.airspace, &view));
    svg.push(view.axes());
    svg.push(names(figure, &view));
    svg.push(QUALITY.bar("rate", (MARGIN + 40.0, bar_top, (width - 120.0).min(360.0)), &rates(figure)));
    svg.push(legend);
    svg.render()
}

/// Usable links, both directions together.
fn pairs(figure: &LinkFigure, view: &Viewport) -> Vec<Pair> {
    let robots = &figure.map.robots;
    let place = |robot: usize| robots.get(robot).and_then(|robot| view.at([robot.end.0, robot.end.1]));
    let mut links: Vec<&LinkLine> =
        figure.links.iter().filter(|link| link.success > 0.0 && link.from != link.to).collect();
    let ends = |link: &LinkLine| [link.from.min(link.to), link.from.max(link.to)];
    links.sort_by_key(|link| ends(link));
    let mut pairs = Vec::new();
    for both in links.chunk_by(|one, two| ends(one) == ends(two)) {
        let ends = ends(both[0]);
        let gets = ends.map(|end| both.iter().find(|link| link.to == end).map(|link| **link));
        if let [Some(a), Some(b)] = ends.map(place) {
            pairs.push(Pair { ends, gets, places: [a, b] });
        }
    }
    pairs
}

/// The links to draw, and whether any were left out.
fn choose(all: &[Pair]) -> (Vec<Pair>, bool) {
    if all.len() <= MOST_LINKS {
        return (all.to_vec(), false);
    }
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by(|one, two| all[*one].length().total_cmp(&all[*two].length()).then(one.cmp(two)));
    let robots = all.iter().map(|pair| pair.ends[1] + 1).max().unwrap_or(0);
    let mut drawn = vec![0; robots];
    let mut kept = Vec::new();
    for index in order {
        let pair = all[index];
        if pair.ends.iter().any(|end| drawn[*end] < NEAREST) {
            pair.ends.iter().for_each(|end| drawn[*end] += 1);
            kept.push(pair);
        }
    }
    let left_out = kept.len() < all.len();
    (kept, left_out)
}

fn moved(mut pair: Pair, down: f64) -> Pair {
    pair.places.iter_mut().for_each(|place| place.1 += down);
    pair
}

fn share(figure: &LinkFigure, rate: f64) -> f64 {
    if usable(figure.fastest_mbps) && figure.fastest_mbps > 0.0 { rate / figure.fastest_mbps } else { 0.0 }
}

/// Each half of a link shows the quality of reception at its end.
fn one_by_one(figure: &LinkFigure, pairs: &[Pair]) -> Element {
    let mut drawn = group().with("stroke-linecap", "butt");
    for pair in pairs {
        let [a, b] = pair.places;
        let middle = ((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0);
        for (get, end) in pair.gets.iter().zip(pair.places) {
            let Some(link) = get else { continue };
            let half = line(middle, end).stroke(QUALITY.at(share(figure, link.rate_mbps)), 2.4);
            let half = if link.success < RELIABLE { half.with("stroke-dasharray", "6 4") } else { half };
            drawn.push(half.tooltip(&told(figure, link)));
        }
    }
    drawn
}

/// Faint lines between robots that cannot communicate.
fn missing(figure: &LinkFigure, pairs: &[Pair], view: &Viewport) -> Element {
    let mut path = Path::default();
    let robots = &figure.map.robots;
    for (first, one) in robots.iter().enumerate() {
        for (second, two) in robots.iter().enumerate().skip(first + 1) {
            let places = [one, two].map(|robot| view.at([robot.end.0, robot.end.1]));
            if let [Some(a), Some(b)] = places
                && !pairs.iter().any(|pair| pair.ends == [first, second])
            {
                path.add(&Path::polyline(&[a, b]));
            }
        }
    }
    if path.is_empty() { group() } else { faint(path.outline()) }
}

fn faint(line: Element) -> Element {
    line.stroke(Ink::Frame, 1.0).with("stroke-dasharray", "1.5 4").with("stroke-linecap", "round")
}

fn told(figure: &LinkFigure, link: &LinkLine) -> String {
    let name = |robot: usize| figure.map.robots.get(robot).map_or("?", |robot| robot.name.as_str());
    let rate = if link.rate_mbps > 0.0 {
        format!("{} Mbit/s", super::svg::number(link.rate_mbps))
    } else {
        "no rate is reliable".into()
    };
    format!(
        "{} to {}: {rate}, {:.0} % of broadcasts arrive",
        name(link.from),
        name(link.to),
        link.success.clamp(0.0, 1.0) * 100.0
    )
}

/// One path per colour: a large team's links stay a small figure.
fn shade_by_shade(figure: &LinkFigure, pairs: &[Pair]) -> Element {
    let width = if pairs.len() > 150 { 0.9 } else { 1.4 };
    let mut drawn = group().with("stroke-opacity", "0.85");
    for shade in 0..SHADES {
        for gaps in [true, false] {
            let mut path = Path::default();
            for pair in pairs {
                let (rate, success) = pair.worst();
                let its = ((share(figure, rate) * SHADES as f64) as usize).min(SHADES - 1);
                if its == shade && (success < RELIABLE) == gaps {
                    path.add(&Path::polyline(&pair.places));
                }
            }
            if !path.is_empty() {
                let colour = QUALITY.at(shade as f64 / (SHADES - 1) as f64);
                let lines = path.outline().stroke(colour, width);
                drawn.push(if gaps { lines.with("stroke-dasharray", "4 3") } else { lines });
            }
        }
    }
    drawn
}

/// Crosses over robots whose radio does not work.
fn silent(figure: &LinkFigure, view: &Viewport) -> Element {
    let mut drawn = group();
    for robot in figure.silent.iter().filter_map(|robot| figure.map.robots.get(*robot)) {
        if let Some((x, y)) = view.at([robot.end.0, robot.end.1]) {
            drawn.push(cross(x, y));
        }
    }
    drawn
}

fn cross(x: f64, y: f64) -> Element {
    let mut path = Path::polyline(&[(x - 6.0, y - 6.0), (x + 6.0, y + 6.0)]);
    path.add(&Path::polyline(&[(x - 6.0, y + 6.0), (x + 6.0, y - 6.0)]));
    path.outline().stroke(Ink::Alert, 2.0)
}

fn names(figure: &LinkFigure, view: &Viewport) -> Element {
    let mut placement = Placement::new(view.bounds());
    airspace::reserve(&figure.airspace, view, &mut placement);
    let names = world::names(&figure.map, view, &mut placement);
    group().child(names).child(airspace::labels(&figure.airspace, view, &mut placement))
}

fn rates(figure: &LinkFigure) -> Vec<(f64, String)> {
    let fastest = if usable(figure.fastest_mbps) { figure.fastest_mbps.max(0.0) } else { 0.0 };
    if fastest < 0.01 {
        return vec![(0.0, "0".into())];
    }
    let step = nice_step(fastest, 4);
    let mut marks: Vec<(f64, String)> = ticks(0.0, fastest, step)
        .into_iter()
        .filter(|rate| fastest - rate > 0.6 * step)
        .map(|rate| (rate / fastest, tick_label(rate, step)))
        .collect();
    marks.push((1.0, format!("{} Mbit/s", super::svg::number(fastest))));
    marks
}

/// The legend of the symbols that occur.
fn entries(figure: &LinkFigure, all: &[Pair]) -> Vec<LegendEntry> {
    let mut entries = Vec::new();
    if !figure.map.robots.is_empty() {
        let symbol = circle(7.0, 0.0, 5.5).fill(Ink::Muted);
        entries.push(LegendEntry { symbol, symbol_width: 14.0, text: "robot".into() });
    }
    if !figure.silent.is_empty() {
        entries.push(LegendEntry {
            symbol: cross(8.0, 0.0),
            symbol_width: 16.0,
            text: "its radio does not work".into(),
        });
    }
    if all.iter().any(|pair| pair.worst().1 < RELIABLE) {
        let symbol =
            line((0.0, 0.0), (22.0, 0.0)).stroke(QUALITY.at(0.0), 2.0).with("stroke-dasharray", "6 4");
        let text = "loses more than 10 % of broadcasts".into();
        entries.push(LegendEntry { symbol, symbol_width: 22.0, text });
    }
    let robots = figure.map.robots.len();
    if robots <= FEW && all.len() < robots * robots.saturating_sub(1) / 2 {
        let symbol = faint(line((0.0, 0.0), (22.0, 0.0)));
        entries.push(LegendEntry { symbol, symbol_width: 22.0, text: "no link".into() });
    }
    entries.extend(airspace::entries(&figure.airspace));
    entries
}
