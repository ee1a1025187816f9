//! The map of a run: the room, its contents, the robots' paths and the items' final places.

use serde::{Deserialize, Serialize};

use super::ground;
use super::heading::{Heading, MARGIN, spoken};
use super::legend::{self, LegendEntry};
use super::placement::Placement;
use super::svg::{Element, circle, document, group, line, rect};
use super::team::{self, Trails};
use super::theme::Ink;
use super::viewport::Viewport;

/// One map.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WorldFigure {
    /// Shown above the map.
    pub title: String,
    /// Width and height of the world [m].
    pub size: [f64; 2],
    /// The world's lower left corner [m].
    pub origin: [f64; 2],
    /// Obstacles and patches of ground.
    pub objects: Vec<Outline>,
    /// Speed of the ground, if it varies.
    pub terrain: Option<TerrainGrid>,
    /// Places with a meaning.
    pub areas: Vec<AreaOutline>,
    /// Things that are carried.
    pub items: Vec<ItemMark>,
    /// The team.
    pub robots: Vec<RobotPath>,
    /// Where something happened.
    pub marks: Vec<PlaceMark>,
}

/// A place where something happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlaceMark {
    /// Where [m].
    pub at: [f64; 2],
    /// What happens at places like this; shown in the legend.
    pub what: String,
    /// What happened; shown as a tooltip.
    pub label: String,
}

/// A shape in world coordinates [m], y up.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// A disc.
    Circle {
        /// Middle [m].
        center: [f64; 2],
        /// Radius [m].
        radius: f64,
    },
    /// A closed outline.
    Polygon(Vec<[f64; 2]>),
    /// A thin wall.
    Segment([f64; 2], [f64; 2]),
}

/// Something that stands or lies in the world.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Outline {
    /// Where it is.
    pub shape: Shape,
    /// How it is painted.
    pub fill_role: FillRole,
    /// Shown as a tooltip; may be empty.
    pub label: String,
}

/// The effect of an outline on a robot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FillRole {
    /// Nothing gets through.
    Obstacle,
    /// Robots are slower here.
    SlowGround,
    /// Robots are faster here.
    FastGround,
    /// An obstacle that a disturbance put there during the run.
    DisturbanceObstacle,
}

/// Speed factors of the ground on a regular grid.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TerrainGrid {
    /// Cells from left to right.
    pub columns: usize,
    /// Cells from bottom to top.
    pub rows: usize,
    /// Side of a cell [m].
    pub cell: f64,
    /// Row by row from the lower left corner; 1 is ordinary ground, less is slower.
    pub factors: Vec<f64>,
}

/// An area with a meaning for the mission.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AreaOutline {
    /// Shown beside the area.
    pub name: String,
    /// A word like `spill`, `deposit` or `report`; decides the tint.
    pub kind: String,
    /// Where it is.
    pub shape: Shape,
}

/// An item's first and last place [m].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ItemMark {
    /// Place at the start.
    pub from: [f64; 2],
    /// Place at the end.
    pub to: [f64; 2],
    /// Whether a robot still carries it.
    pub carried: bool,
}

/// The path of one robot.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RobotPath {
    /// The robot's name.
    pub name: String,
    /// Index in the team.
    pub index: usize,
    /// Radius of the body [m].
    pub radius: f64,
    /// x [m], y [m], heading [rad].
    pub start: (f64, f64, f64),
    /// x [m], y [m], heading [rad].
    pub end: (f64, f64, f64),
    /// Places in between [m].
    pub trail: Vec<[f64; 2]>,
}

/// Draws the map as an SVG document.
pub fn draw(figure: &WorldFigure) -> String {
    let width = Viewport::figure_width(figure);
    let heading = Heading::new(&figure.title, "", width);
    let view = Viewport::new(figure, heading.bottom + 12.0);
    let trails = Trails::new(&figure.robots, &view);
    let (legend, legend_bottom) =
        legend::flow(entries(figure, trails.are_cut), MARGIN, view.bottom() + 28.0, width - 2.0 * MARGIN);
    let summary = format!("Map with {} robots and {} items", figure.robots.len(), figure.items.len());
    let mut svg = document(width, legend_bottom + 14.0, &spoken(&figure.title, "", &summary));
    svg.push(heading.element);
    svg.push(view.grid());
    svg.push(contents(figure, &view, trails.element));
    svg.push(view.axes());
    svg.push(names(figure, &view, &mut Placement::new(view.bounds())));
    svg.push(legend);
    svg.render()
}

/// Everything inside the room, clipped at its walls.
pub(super) fn contents(figure: &WorldFigure, view: &Viewport, trails: Element) -> Element {
    let mut inside = view.window();
    if let Some(terrain) = &figure.terrain {
        inside.push(ground::terrain(terrain, view));
    }
    inside.push(ground::areas(&figure.areas, view));
    inside.push(ground::objects(&figure.objects, view));
    inside.push(ground::items_at_start(&figure.items, view));
    inside.push(trails);
    inside.push(ground::items_at_end(&figure.items, view));
    inside.push(ground::marks(&figure.marks, view));
    inside.push(team::bodies(&figure.robots, view));
    inside
}

/// Names of areas and robots, without overlaps.
pub(super) fn names(figure: &WorldFigure, view: &Viewport, placement: &mut Placement) -> Element {
    team::reserve_bodies(&figure.robots, view, placement);
    let areas = ground::area_names(&figure.areas, view, placement);
    group().child(areas).child(team::names(&figure.robots, view, placement))
}

/// The legend of the symbols that occur.
fn entries(figure: &WorldFigure, trails_are_cut: bool) -> Vec<LegendEntry> {
    let entry =
        |symbol: Element, text: &str| LegendEntry { symbol, symbol_width: 14.0, text: text.to_owned() };
    let mut entries = Vec::new();
    if !figure.robots.is_empty() {
        let ring = circle(7.0, 0.0, 5.0).with("fill", "none").stroke(Ink::Muted, 1.5);
        entries.push(entry(ring, "robot at the start"));
        entries.push(entry(circle(7.0, 0.0, 5.5).fill(Ink::Muted), "robot at the end"));
    }
    if trails_are_cut {
        let stroke = line((0.0, 0.0), (14.0, 0.0)).stroke(Ink::Muted, 1.5);
        entries.push(entry(stroke, "trail (last part only)"));
    }
    if !figure.items.is_empty() {
        let ring = circle(7.0, 0.0, 2.4).with("fill", "none").stroke(Ink::Muted, 1.0);
        entries.push(entry(ring, "item at the start"));
        entries.push(entry(circle(7.0, 0.0, 2.6).fill(Ink::Text), "item at the end"));
    }
    if figure.items.iter().any(|item| item.carried) {
        entries.push(entry(ground::carried_item(7.0, 0.0), "item still carried"));
    }
    let mut happened: Vec<&str> = figure.marks.iter().map(|mark| mark.what.as_str()).collect();
    happened.sort_unstable();
    happened.dedup();
    entries.extend(happened.into_iter().map(|what| entry(ground::mark(7.0, 0.0), what)));
    entries.extend(ground_entries(figure));
    entries
}

/// The legend of the obstacles and kinds of ground that occur.
pub(super) fn ground_entries(figure: &WorldFigure) -> impl Iterator<Item = LegendEntry> + '_ {
    let roles =
        [FillRole::Obstacle, FillRole::DisturbanceObstacle, FillRole::SlowGround, FillRole::FastGround];
    let occurs = |role: &FillRole| {
        figure.terrain.as_ref().is_some_and(|grid| ground::occurs(grid, *role))
            || figure.objects.iter().any(|object| object.fill_role == *role)
    };
    roles.into_iter().filter(occurs).map(|role| LegendEntry {
        symbol: ground::paint(rect(1.0, -5.5, 12.0, 11.0), role),
        symbol_width: 14.0,
        text: ground::role_name(role).to_owned(),
    })
}
