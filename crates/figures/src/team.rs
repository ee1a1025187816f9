//! Robots on the map: trails, bodies and names.

use super::palette::{robot_colour, robot_dash};
use super::placement::{Extent, Placement, beside};
use super::svg::{Element, Path, circle, group, label, line};
use super::text;
use super::theme::Ink;
use super::thin::{self, BUDGET, Point};
use super::viewport::Viewport;
use super::world::RobotPath;

/// Smallest radius of a drawn body [px].
const SMALLEST: f64 = 3.5;

/// From this team size on, bodies are drawn with less detail.
const CROWD: usize = 100;

/// A name longer than this is shortened [px].
const WIDEST_NAME: f64 = 130.0;

/// The trails of all robots.
pub struct Trails {
    /// What to draw.
    pub element: Element,
    /// Whether they were too long to be shown from the start.
    pub are_cut: bool,
}

impl Trails {
    /// Draws the trails with start and end, thinned so that together with the bodies they keep the figure small.
    pub fn new(robots: &[RobotPath], view: &Viewport) -> Self {
        let budget = (BUDGET * 5 / 8).saturating_sub(10 * robots.len()).max(BUDGET / 4);
        let trails = robots.iter().map(|robot| thin::by_distance(&places(robot, view), 0.6)).collect();
        let mut trails = thin::together(trails, budget);
        let are_cut = thin::latest(&mut trails, budget);
        let mut element = group().with("stroke-linejoin", "round").with("stroke-linecap", "round");
        for (robot, points) in robots.iter().zip(trails).filter(|(_, points)| points.len() > 1) {
            element.push(trail(robot, &points, robots.len()));
        }
        Self { element, are_cut }
    }
}

fn trail(robot: &RobotPath, points: &[Point], team: usize) -> Element {
    let (width, opacity) = match team {
        0..=10 => (1.7, "0.6"),
        11..=40 => (1.2, "0.5"),
        _ => (0.8, "0.5"),
    };
    let colour = robot_colour(&robot.name, robot.index);
    let drawn = Path::polyline(points).outline().stroke(colour, width).with("stroke-opacity", opacity);
    let drawn = match robot_dash(&robot.name, robot.index) {
        Some(dash) if team <= 40 => drawn.with("stroke-dasharray", dash),
        _ => drawn,
    };
    drawn.tooltip(&robot.name)
}

/// Start bodies hollow, end bodies filled, each with a tick that shows the heading.
pub fn bodies(robots: &[RobotPath], view: &Viewport) -> Element {
    let mut bodies = group();
    for robot in robots {
        if let Some(at) = view.at([robot.start.0, robot.start.1]) {
            bodies.push(start_body(robot, at, view.length(robot.radius, SMALLEST), robots.len()));
        }
    }
    for robot in robots {
        let colour = robot_colour(&robot.name, robot.index);
        let radius = view.length(robot.radius, SMALLEST);
        if let Some((x, y)) = view.at([robot.end.0, robot.end.1]) {
            let disc = circle(x, y, radius).fill(colour).stroke(Ink::Surface, 1.2);
            let tick = heading_tick((x, y), robot.end.2, 0.1 * radius, 0.95 * radius);
            let tick = tick.map(|tick| tick.stroke(colour.ink(), (radius * 0.22).clamp(1.0, 3.0)));
            bodies.push(with_tick(disc, tick).tooltip(&format!("{} at the end", robot.name)));
        }
    }
    bodies
}

/// A ring; in a large team a thin and plain one.
fn start_body(robot: &RobotPath, (x, y): Point, radius: f64, team: usize) -> Element {
    let colour = robot_colour(&robot.name, robot.index);
    if team > CROWD {
        return circle(x, y, radius).with("fill", "none").stroke(colour, 0.8);
    }
    let (width, cover) = if team > 20 { (1.0, "0") } else { (1.6, "0.75") };
    let ring = circle(x, y, radius).fill(Ink::Surface).with("fill-opacity", cover).stroke(colour, width);
    let tick = heading_tick((x, y), robot.start.2, 0.2 * radius, 1.3 * radius);
    let tick = tick.map(|tick| tick.stroke(colour, width));
    with_tick(ring, tick).tooltip(&format!("{} at the start", robot.name))
}

/// Keeps labels away from the bodies.
pub fn reserve_bodies(robots: &[RobotPath], view: &Viewport, placement: &mut Placement) {
    for robot in robots {
        let side = 2.0 * view.length(robot.radius, SMALLEST);
        for place in [robot.start, robot.end] {
            if let Some((x, y)) = view.at([place.0, place.1]) {
                placement.reserve(Extent::around(x, y, side, side));
            }
        }
    }
}

/// Names beside the end bodies; a name without a free place appears in the tooltip only.
pub fn names(robots: &[RobotPath], view: &Viewport, placement: &mut Placement) -> Element {
    let size = if robots.len() > 20 { 10.0 } else { 12.0 };
    let mut names = group().fill(Ink::Text).halo().with("font-weight", "600").with("text-anchor", "middle");
    for robot in robots {
        let Some((x, y)) = view.at([robot.end.0, robot.end.1]) else { continue };
        let shown = text::squeeze(&robot.name, size, WIDEST_NAME);
        let radius = view.length(robot.radius, SMALLEST);
        let candidates = beside(x, y, radius, text::width(&shown, size), size + 2.0);
        if let Some(place) = placement.choose(&candidates).and_then(|chosen| candidates.get(chosen)) {
            let (middle, baseline) = ((place.left + place.right) / 2.0, place.bottom - size * 0.25);
            names.push(label(middle, baseline, size, "middle", &shown).tooltip(&robot.name));
        }
    }
    names
}

fn with_tick(body: Element, tick: Option<Element>) -> Element {
    let drawn = group().child(body);
    match tick {
        Some(tick) => drawn.child(tick),
        None => drawn,
    }
}

fn heading_tick(middle: Point, heading: f64, from: f64, to: f64) -> Option<Element> {
    let (sine, cosine) = heading.is_finite().then(|| libm::sincos(heading))?;
    let at = |reach: f64| (middle.0 + cosine * reach, middle.1 - sine * reach);
    Some(line(at(from), at(to)).with("stroke-linecap", "round"))
}

fn places(robot: &RobotPath, view: &Viewport) -> Vec<Point> {
    let start = [robot.start.0, robot.start.1];
    let end = [robot.end.0, robot.end.1];
    [start]
        .into_iter()
        .chain(robot.trail.iter().copied())
        .chain([end])
        .filter_map(|place| view.at(place))
        .collect()
}
