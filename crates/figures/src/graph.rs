//! A directed graph with the probabilities of its edges.

use super::chart::{WIDTH, spoken_value};
use super::heading::{Heading, spoken};
use super::palette::Colour;
use super::svg::{Path, circle, document, label};
use super::text;
use super::theme::Ink;

/// Radius of a node and half the height of the drawing [px].
const NODE: f64 = 6.0;
const HALF: f64 = 230.0;

/// One graph.
#[derive(Debug, Clone, PartialEq)]
pub struct GraphFigure {
    /// Shown above the figure.
    pub title: String,
    /// Smaller, below the title.
    pub subtitle: String,
    /// The names of the nodes.
    pub nodes: Vec<String>,
    /// The edges.
    pub edges: Vec<GraphEdge>,
}

/// An edge between two nodes, by their places in the list.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GraphEdge {
    /// Where it begins.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// Its probability, 0 to 1.
    pub probability: f64,
}

/// Draws the graph: nodes on an ellipse, edges as arrows, wider and darker if they are more probable.
pub fn draw(figure: &GraphFigure) -> String {
    let heading = Heading::new(&figure.title, &figure.subtitle, WIDTH);
    let (middle_x, middle_y) = (WIDTH / 2.0, heading.bottom + HALF + 30.0);
    let summary = format!("{} nodes and {} edges", figure.nodes.len(), figure.edges.len());
    let mut svg = document(WIDTH, middle_y + HALF + 34.0, &spoken(&figure.title, &figure.subtitle, &summary));
    svg.push(heading.element);
    let place = |node: usize| {
        let angle = std::f64::consts::TAU * node as f64 / figure.nodes.len().max(1) as f64;
        (middle_x + 280.0 * libm::sin(angle), middle_y - HALF * libm::cos(angle))
    };
    let known = |edge: &&GraphEdge| {
        edge.from < figure.nodes.len() && edge.to < figure.nodes.len() && edge.from != edge.to
    };
    for edge in figure.edges.iter().filter(known) {
        let ((x, y), (to_x, to_y)) = (place(edge.from), place(edge.to));
        let length = libm::hypot(to_x - x, to_y - y).max(1.0);
        let (along_x, along_y) = ((to_x - x) / length, (to_y - y) / length);
        let tip = (to_x - along_x * (NODE + 2.0), to_y - along_y * (NODE + 2.0));
        let probability = if edge.probability.is_finite() { edge.probability.clamp(0.0, 1.0) } else { 0.0 };
        let shade = format!("{:.2}", 0.35 + 0.65 * probability);
        let paint = Colour::new(0x0072b2);
        let back = (tip.0 - along_x * 11.0, tip.1 - along_y * 11.0);
        let shaft = Path::polyline(&[(x + along_x * NODE, y + along_y * NODE), back]).outline();
        let wing = |side: f64| (back.0 - side * along_y * 5.0, back.1 + side * along_x * 5.0);
        let mut head = Path::polyline(&[tip, wing(1.0), wing(-1.0)]);
        head.close();
        let words = format!(
            "{} to {}: {}",
            figure.nodes[edge.from],
            figure.nodes[edge.to],
            spoken_value(probability)
        );
        svg.push(
            shaft
                .stroke(paint, 1.0 + 2.5 * probability)
                .with("stroke-opacity", shade.as_str())
                .tooltip(&words),
        );
        svg.push(head.area().fill(paint).with("fill-opacity", shade.as_str()));
        // Off the middle, where edges cross.
        let (at_x, at_y) = (x + (to_x - x) * 0.62, y + (to_y - y) * 0.62);
        svg.push(
            label(at_x, at_y + 4.0, 11.0, "middle", &format!("{probability:.2}")).fill(Ink::Text).halo(),
        );
    }
    for (node, name) in figure.nodes.iter().enumerate() {
        let (x, y) = place(node);
        svg.push(circle(x, y, NODE).fill(Ink::Text));
        let aside = (x - middle_x) / 280.0;
        let (anchor, shift) = if aside > 0.2 {
            ("start", 11.0)
        } else if aside < -0.2 {
            ("end", -11.0)
        } else {
            ("middle", 0.0)
        };
        let lift = if anchor != "middle" {
            4.0
        } else if y < middle_y {
            -12.0
        } else {
            22.0
        };
        let shown = text::squeeze(name, 12.5, 175.0);
        svg.push(label(x + shift, y + lift, 12.5, anchor, &shown).fill(Ink::Text).halo());
    }
    svg.render()
}
