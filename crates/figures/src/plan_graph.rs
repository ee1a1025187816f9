//! A team's plan: behaviours, what they consist of and what may follow them, and the organisation beside them. Behaviours can carry
//! robots, so that the same drawing shows a plan while it is carried out.

use super::heading::{Heading, MARGIN, spoken};
use super::palette::Colour;
use super::plan_layout::{Area, Layout, PORT, layout};
use super::svg::{Element, Path, circle, document, group, label, moved, rect};
use super::text;
use super::theme::Ink;
use serde::Serialize;

/// Narrowest and widest box [px].
const BOX: (f64, f64) = (84.0, 230.0);
/// Space inside a box at its sides [px].
const INSIDE: f64 = 10.0;
/// Height of a line of text [px].
const LINE: f64 = 15.0;
/// Sizes of names and of everything else [px].
const NAME: f64 = 12.5;
const SMALL: f64 = 11.0;
/// How much wider bold text is.
const BOLD: f64 = 1.15;
/// Diameter of a robot's dot, with the space after it [px].
const DOT: f64 = 12.0;
/// If the graph is wider than this, the organisation is drawn below it [px].
const WIDE: f64 = 1100.0;
/// What is written in a protocol's colour.
const PROTOCOL: Colour = Colour::new(0x2f6fd6);
/// Loops.
const LOOP: Colour = Colour::new(0xd9691a);
/// Waiting.
const WAITING: Colour = Colour::new(0xb58400);
/// More lines of an organisation than this are not drawn: a sub-team appears in every team that it is a part of.
const MOST_TEAMS: usize = 400;

/// One plan.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PlanFigure {
    /// Shown above the figure.
    pub title: String,
    /// Smaller, below the title; may be empty.
    pub subtitle: String,
    /// The behaviours.
    pub nodes: Vec<PlanNode>,
    /// The place of the one that the team starts with.
    pub root: usize,
    /// The robots of the whole team; none if the organisation is not shown.
    pub robots: Vec<Badge>,
    /// The sub-teams.
    pub teams: Vec<PlanTeam>,
}

/// A behaviour.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PlanNode {
    /// Its name.
    pub name: String,
    /// Notes below the name.
    pub notes: Vec<String>,
    /// How robots act together at it, such as `decide: voting`.
    pub protocols: Vec<String>,
    /// The places of its parts.
    pub children: Vec<usize>,
    /// The places of those that may follow.
    pub next: Vec<usize>,
    /// Robots that execute it now.
    pub robots: Vec<Badge>,
    /// What is waited for; empty if nothing is.
    pub waiting: String,
}

/// A robot.
#[derive(Debug, Clone, PartialEq)]
pub struct Badge {
    /// Its name.
    pub name: String,
    /// Its colour.
    pub colour: Colour,
}

/// A sub-team.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PlanTeam {
    /// Its name.
    pub name: String,
    /// Its robots.
    pub robots: Vec<Badge>,
    /// The places of the sub-teams that it is a part of.
    pub within: Vec<usize>,
}

/// A line of a box.
enum Line<'p> {
    Note(&'p str),
    Protocol(&'p str),
    Waiting(&'p str),
    /// Robots side by side.
    Robots(Vec<(f64, &'p Badge)>),
}

/// A box with its lines.
struct Card<'p> {
    name: &'p str,
    lines: Vec<Line<'p>>,
    size: (f64, f64),
}

impl<'p> Card<'p> {
    fn of(node: &'p PlanNode) -> Card<'p> {
        let notes = node.notes.iter().map(|note| Line::Note(note));
        let protocols = node.protocols.iter().map(|protocol| Line::Protocol(protocol));
        let waiting =
            Some(&node.waiting).filter(|waiting| !waiting.is_empty()).map(|text| Line::Waiting(text));
        let lines = notes.chain(protocols).collect();
        Card::new(&node.name, lines, &node.robots, waiting)
    }

    fn new(name: &'p str, mut lines: Vec<Line<'p>>, robots: &'p [Badge], last: Option<Line<'p>>) -> Card<'p> {
        lines.extend(last);
        let wide = lines.iter().map(|line| match line {
            Line::Note(said) | Line::Protocol(said) | Line::Waiting(said) => text::width(said, SMALL),
            Line::Robots(_) => 0.0,
        });
        let named = text::width(name, NAME) * BOLD;
        let dots: f64 = robots.iter().map(|robot| DOT + text::width(&robot.name, SMALL) + 8.0).sum();
        let width = wide.fold(named.max(dots), f64::max) + 2.0 * INSIDE;
        let width = width.ceil().clamp(BOX.0, BOX.1);
        lines.extend(rows(robots, width - 2.0 * INSIDE).into_iter().map(Line::Robots));
        let height = 2.0 * PORT + LINE * lines.len() as f64 - if lines.is_empty() { 0.0 } else { 4.0 };
        Card { name, lines, size: (width, height) }
    }

    fn draw(&self, area: Area, first: bool) -> Element {
        let room = area.width - 2.0 * INSIDE;
        let waits = self.lines.iter().any(|line| matches!(line, Line::Waiting(_)));
        let busy = self.lines.iter().any(|line| matches!(line, Line::Robots(_)));
        let frame = rect(area.x, area.y, area.width, area.height).with("rx", 5.0).fill(Ink::Track);
        let frame = match (waits, busy || first) {
            (true, _) => frame.stroke(WAITING, 2.0).with("stroke-dasharray", "5 3"),
            (_, true) => frame.stroke(Ink::Text, 1.6),
            _ => frame.stroke(Ink::Frame, 1.0),
        };
        let mut card = group().child(frame);
        let mut y = area.y + PORT + 4.5;
        let name = label(area.x + INSIDE, y, NAME, "start", &text::squeeze(self.name, NAME * BOLD, room));
        card.push(name.fill(Ink::Text).with("font-weight", "600").tooltip(self.name));
        for line in &self.lines {
            y += LINE;
            let written =
                |said: &str| label(area.x + INSIDE, y, SMALL, "start", &text::shorten(said, SMALL, room));
            match line {
                Line::Note(said) => card.push(written(said).fill(Ink::Muted).tooltip(said)),
                Line::Protocol(said) => card.push(written(said).fill(PROTOCOL).tooltip(said)),
                Line::Waiting(said) => card.push(written(said).fill(WAITING).tooltip(said)),
                Line::Robots(robots) => {
                    for (x, robot) in robots {
                        let x = area.x + INSIDE + x;
                        card.push(circle(x + 4.0, y - 4.0, 4.0).fill(robot.colour));
                        let name = text::squeeze(&robot.name, SMALL, room - DOT);
                        card.push(
                            label(x + DOT, y, SMALL, "start", &name).fill(Ink::Text).tooltip(&robot.name),
                        );
                    }
                }
            }
        }
        card
    }
}

/// Robots in as many rows as they need.
fn rows(robots: &[Badge], room: f64) -> Vec<Vec<(f64, &Badge)>> {
    let mut rows: Vec<Vec<(f64, &Badge)>> = Vec::new();
    let mut x = f64::INFINITY;
    for robot in robots {
        let width = (DOT + text::width(&robot.name, SMALL)).min(room);
        if x + width > room {
            rows.push(Vec::new());
            x = 0.0;
        }
        if let Some(row) = rows.last_mut() {
            row.push((x, robot));
        }
        x += width + 8.0;
    }
    rows
}

/// The graph of a plan for those who draw it themselves: all places in pixels.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlanShape {
    /// Width and height.
    pub size: (f64, f64),
    /// The place of the behaviour that the team starts with.
    pub root: usize,
    /// The behaviours. Each box ends with a free line, for the robots that execute the behaviour.
    pub boxes: Vec<PlanBox>,
    /// The corners of the edges to what may follow; they lead to the left edge of a box.
    pub routes: Vec<PlanRoute>,
    /// The corners of the lines to parts.
    pub branches: Vec<Vec<(f64, f64)>>,
}

/// A behaviour's box.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlanBox {
    /// Its name.
    pub name: String,
    /// Left upper corner, width and height.
    pub area: (f64, f64, f64, f64),
    /// Notes below the name.
    pub notes: Vec<String>,
    /// How robots act together at it; these lines follow the notes.
    pub protocols: Vec<String>,
}

/// An edge to what may follow.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlanRoute {
    /// Its corners.
    pub points: Vec<(f64, f64)>,
    /// True if it leads back to what was before.
    pub back: bool,
}

/// Space left of the graph, for the arrow to its first behaviour [px].
const START: f64 = 22.0;

/// Where the behaviours of a plan are drawn.
pub fn shape(figure: &PlanFigure) -> PlanShape {
    let card = |node| {
        let (width, height) = Card::of(node).size;
        (width, height + LINE)
    };
    let sizes: Vec<(f64, f64)> = figure.nodes.iter().map(card).collect();
    let graph = layout(figure, &sizes);
    let right = |points: &[(f64, f64)]| points.iter().map(|(x, y)| (START + x, *y)).collect::<Vec<_>>();
    let boxes = figure.nodes.iter().zip(&graph.boxes).map(|(node, area)| PlanBox {
        name: node.name.clone(),
        area: (START + area.x, area.y, area.width, area.height),
        notes: node.notes.clone(),
        protocols: node.protocols.clone(),
    });
    PlanShape {
        size: (START + graph.size.0, graph.size.1),
        root: figure.root,
        boxes: boxes.collect(),
        routes: graph
            .routes
            .iter()
            .map(|route| PlanRoute { points: right(&route.points), back: route.back })
            .collect(),
        branches: graph.branches.iter().map(|branch| right(branch)).collect(),
    }
}

/// Draws the figure as an SVG document.
pub fn draw(figure: &PlanFigure) -> String {
    let cards: Vec<Card> = figure.nodes.iter().map(Card::of).collect();
    let sizes: Vec<(f64, f64)> = cards.iter().map(|card| card.size).collect();
    let graph = layout(figure, &sizes);
    let teams = organisation(figure);
    let team_cards: Vec<Card> = teams.iter().map(|(team, _)| team.card()).collect();
    let team_size =
        team_cards.iter().zip(&teams).fold((0.0_f64, 0.0), |(width, height), (card, (_, depth))| {
            (width.max(INDENT * *depth as f64 + card.size.0), height + card.size.1 + 8.0)
        });
    let below = graph.size.0 > WIDE;
    let (team_x, width) = match (team_cards.is_empty(), below) {
        (true, _) => (0.0, START + graph.size.0),
        (_, true) => (0.0, (START + graph.size.0).max(team_size.0)),
        (_, false) => (START + graph.size.0 + 36.0, START + graph.size.0 + 36.0 + team_size.0),
    };
    let width = (width + 2.0 * MARGIN).max(360.0);
    let heading = Heading::new(&figure.title, &figure.subtitle, width);
    let top = heading.bottom + 4.0;
    let (team_y, bottom) = match (team_cards.is_empty(), below) {
        (true, _) => (0.0, graph.size.1),
        (_, true) => (graph.size.1 + 28.0, graph.size.1 + 28.0 + team_size.1 + 18.0),
        (_, false) => (0.0, graph.size.1.max(team_size.1 + 18.0)),
    };
    let count = figure.nodes.len();
    let summary = format!("{count} {}", if count == 1 { "behaviour" } else { "behaviours" });
    let mut svg = document(width, top + bottom + MARGIN, &spoken(&figure.title, &figure.subtitle, &summary));
    svg.push(heading.element);
    svg.push(moved(MARGIN + START, top).child(drawn(figure, &graph, &cards)));
    if !team_cards.is_empty() {
        svg.push(moved(MARGIN + team_x, top + team_y).child(organised(&teams, &team_cards)));
    }
    svg.render()
}

fn drawn(figure: &PlanFigure, graph: &Layout, cards: &[Card]) -> Element {
    let mut all = group();
    for branch in &graph.branches {
        all.push(Path::polyline(branch).outline().stroke(Ink::Frame, 1.4));
    }
    // Loops first: where lines cross, the way ahead is on top.
    for back in [true, false] {
        for route in graph.routes.iter().filter(|route| route.back == back) {
            let line = Path::polyline(&route.points).outline().with("stroke-linejoin", "round");
            let Some(&tip) = route.points.last() else { continue };
            all.push(if back { line.stroke(LOOP, 1.5) } else { line.stroke(Ink::Muted, 1.5) });
            let head = head(tip);
            all.push(if back { head.fill(LOOP) } else { head.fill(Ink::Muted) });
        }
    }
    for (place, (card, area)) in cards.iter().zip(&graph.boxes).enumerate() {
        all.push(card.draw(*area, place == figure.root));
    }
    if let Some(first) = graph.boxes.get(figure.root) {
        all.push(circle(-14.0, first.y + PORT, 4.0).fill(Ink::Text));
        let line = Path::polyline(&[(-14.0, first.y + PORT), (first.x - 4.0, first.y + PORT)]);
        all.push(line.outline().stroke(Ink::Text, 1.6));
        all.push(head((first.x, first.y + PORT)).fill(Ink::Text));
    }
    all
}

/// The head of an arrow to the right.
fn head((x, y): (f64, f64)) -> Element {
    let mut path = Path::polyline(&[(x, y), (x - 7.0, y - 3.5), (x - 7.0, y + 3.5)]);
    path.close();
    path.area()
}

/// Space by which a sub-team is moved to the right of what it is a part of [px].
const INDENT: f64 = 22.0;

/// A line of the organisation.
struct TeamLine<'p> {
    name: &'p str,
    robots: &'p [Badge],
}

impl<'p> TeamLine<'p> {
    fn card(&self) -> Card<'p> {
        Card::new(self.name, Vec::new(), self.robots, None)
    }
}

/// The whole team and its parts with their depths, from the outside to the inside.
fn organisation(figure: &PlanFigure) -> Vec<(TeamLine<'_>, usize)> {
    if figure.robots.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![(TeamLine { name: "whole team", robots: &figure.robots }, 0)];
    let outer = (0..figure.teams.len()).filter(|&team| figure.teams[team].within.is_empty());
    let mut open: Vec<(usize, usize)> = outer.rev().map(|team| (team, 1)).collect();
    while let Some((place, depth)) = open.pop().filter(|_| lines.len() < MOST_TEAMS) {
        let team = &figure.teams[place];
        lines.push((TeamLine { name: &team.name, robots: &team.robots }, depth));
        let inner =
            (0..figure.teams.len()).rev().filter(|&inner| figure.teams[inner].within.contains(&place));
        // Teams within each other are no organisation; the depth keeps them from going on for ever.
        open.extend(inner.filter(|_| depth < 16).map(|inner| (inner, depth + 1)));
    }
    lines
}

fn organised(lines: &[(TeamLine, usize)], cards: &[Card]) -> Element {
    let mut all = group();
    all.push(label(0.0, 8.0, SMALL, "start", "organisation").fill(Ink::Muted));
    let mut y = 18.0;
    // Where the box of the last team at each depth ends.
    let mut bottoms: Vec<f64> = Vec::new();
    for ((_, depth), card) in lines.iter().zip(cards) {
        let x = INDENT * *depth as f64;
        if let Some(above) = depth.checked_sub(1).and_then(|above| bottoms.get(above)) {
            let trunk = x - INDENT + 10.0;
            let path = Path::polyline(&[(trunk, *above), (trunk, y + PORT), (x, y + PORT)]);
            all.push(path.outline().stroke(Ink::Frame, 1.4));
        }
        all.push(card.draw(Area { x, y, width: card.size.0, height: card.size.1 }, false));
        bottoms.truncate(*depth);
        bottoms.push(y + card.size.1);
        y += card.size.1 + 8.0;
    }
    all
}
