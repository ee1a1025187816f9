//! A team's plan as text: for a terminal, and for Graphviz.

use super::plan_graph::{PlanFigure, PlanNode};
use std::fmt::Write;

/// The plan as lines: parts are indented, and behind each behaviour stands what may follow.
pub fn outline(figure: &PlanFigure) -> String {
    let mut text = String::new();
    let mut seen = vec![false; figure.nodes.len()];
    for start in std::iter::once(figure.root).chain(0..figure.nodes.len()) {
        // Parts are pushed after what follows, so they are written first. No nesting is too deep for this.
        let mut open = vec![(start, 0)];
        while let Some((place, depth)) = open.pop() {
            let Some(node) = figure.nodes.get(place).filter(|_| !std::mem::replace(&mut seen[place], true))
            else {
                continue;
            };
            write_line(node, depth, figure, &mut text);
            open.extend(node.next.iter().rev().map(|&next| (next, depth)));
            open.extend(node.children.iter().rev().map(|&child| (child, depth + 1)));
        }
    }
    text
}

fn write_line(node: &PlanNode, depth: usize, figure: &PlanFigure, text: &mut String) {
    let _ = write!(text, "{}{}", "  ".repeat(depth.min(40)), printable(&node.name));
    let next: Vec<String> =
        node.next.iter().filter_map(|&next| Some(printable(&figure.nodes.get(next)?.name))).collect();
    if !next.is_empty() {
        let _ = write!(text, " -> {}", next.join(" | "));
    }
    let said: Vec<String> = node.notes.iter().chain(&node.protocols).map(|said| printable(said)).collect();
    if !said.is_empty() {
        let _ = write!(text, "  ({})", said.join("; "));
    }
    text.push('\n');
}

/// Text from a file must not control a terminal.
fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// The plan in the language of Graphviz: parts by dashed lines, what follows by arrows.
pub fn dot(figure: &PlanFigure) -> String {
    let quoted = |text: &str| printable(text).replace('\\', "\\\\").replace('"', "\\\"");
    let mut text =
        String::from("digraph plan {\n  node [shape=box, style=rounded, fontname=\"sans-serif\"];\n");
    for (place, node) in figure.nodes.iter().enumerate() {
        let lines = std::iter::once(&node.name).chain(&node.notes).chain(&node.protocols);
        let written: Vec<String> = lines.map(|line| quoted(line)).collect();
        let bold = if place == figure.root { ", penwidth=2" } else { "" };
        let _ = writeln!(text, "  n{place} [label=\"{}\"{bold}];", written.join("\\n"));
    }
    for (place, node) in figure.nodes.iter().enumerate() {
        for child in &node.children {
            let _ = writeln!(text, "  n{place} -> n{child} [style=dashed, arrowhead=none];");
        }
        for next in &node.next {
            let _ = writeln!(text, "  n{place} -> n{next} [constraint=false];");
        }
    }
    text.push_str("}\n");
    text
}
