//! Drawings of plans: nothing covers anything, whatever the graph.

use super::palette::Colour;
use super::plan_graph::{Badge, PlanFigure, PlanNode, PlanTeam, draw};
use super::plan_layout::{Layout, layout};
use super::plan_text::{dot, outline};
use super::wellformed::check;

/// A plan from a list of behaviours: name, parts, followers.
fn plan(nodes: &[(&str, &[usize], &[usize])]) -> PlanFigure {
    let node = |(name, children, next): &(&str, &[usize], &[usize])| PlanNode {
        name: name.to_string(),
        children: children.to_vec(),
        next: next.to_vec(),
        ..PlanNode::default()
    };
    PlanFigure { title: "A plan".into(), nodes: nodes.iter().map(node).collect(), ..PlanFigure::default() }
}

fn badge(name: &str) -> Badge {
    Badge { name: name.into(), colour: Colour::new(0x2f6fd6) }
}

/// Boxes are apart, and lines only touch the boxes that they connect.
fn nothing_overlaps(layout: &Layout) {
    for (place, one) in layout.boxes.iter().enumerate() {
        for other in &layout.boxes[place + 1..] {
            let apart = one.x + one.width <= other.x
                || other.x + other.width <= one.x
                || one.y + one.height <= other.y
                || other.y + other.height <= one.y;
            assert!(apart, "{one:?} {other:?}");
        }
        assert!(one.x >= 0.0 && one.y >= 0.0);
        assert!(one.x + one.width <= layout.size.0 + 1e-9 && one.y + one.height <= layout.size.1 + 1e-9);
    }
    let lines = layout.routes.iter().map(|route| &route.points).chain(&layout.branches);
    for points in lines {
        for pair in points.windows(2) {
            let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
            assert!(x0 == x1 || y0 == y1, "lines are horizontal or vertical: {points:?}");
            for area in &layout.boxes {
                // The interior: lines begin and end at edges.
                let (left, right) = (x0.min(x1), x0.max(x1));
                let (top, bottom) = (y0.min(y1), y0.max(y1));
                let through = left < area.x + area.width - 1e-6
                    && right > area.x + 1e-6
                    && top < area.y + area.height - 1e-6
                    && bottom > area.y + 1e-6;
                assert!(!through, "{points:?} runs through {area:?}");
            }
        }
    }
}

fn laid_out(figure: &PlanFigure) -> Layout {
    let sizes: Vec<(f64, f64)> = (0..figure.nodes.len())
        .map(|place| (90.0 + (place * 37 % 120) as f64, 30.0 + (place * 23 % 60) as f64))
        .collect();
    let layout = layout(figure, &sizes);
    nothing_overlaps(&layout);
    layout
}

#[test]
fn chains_go_right_and_parts_down() {
    let figure = plan(&[("a", &[2, 3], &[1]), ("b", &[], &[0]), ("x", &[], &[]), ("y", &[], &[])]);
    let layout = laid_out(&figure);
    let [a, b, x, y] = [0, 1, 2, 3].map(|place| layout.boxes[place]);
    assert!(b.x > a.x + a.width && b.y == a.y);
    assert!(x.x > a.x && x.y >= a.y + a.height && y.y >= x.y + x.height);
    let back: Vec<bool> = layout.routes.iter().map(|route| route.back).collect();
    assert_eq!((back, layout.branches.len()), (vec![false, true], 2));
}

#[test]
fn many_parts_stand_in_columns() {
    let children: Vec<usize> = (1..100).collect();
    let mut nodes: Vec<(&str, &[usize], &[usize])> = vec![("mission", &children, &[])];
    nodes.resize(100, ("task", &[], &[]));
    let (width, height) = laid_out(&plan(&nodes)).size;
    assert!((1.0..3.0).contains(&(width / height)), "{width} x {height}");
}

#[test]
fn random_graphs_are_drawn_without_overlaps() {
    // A small generator is enough: it only has to reach many shapes.
    let mut state = 7_u64;
    let mut below = |limit: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % limit.max(1)
    };
    for _ in 0..300 {
        let count = 1 + below(30);
        let mut figure = plan(&vec![("behaviour", &[][..], &[][..]); count]);
        for place in 0..count {
            // Also edges that no sound plan has: to nothing, to itself, to a parent.
            figure.nodes[place].children = (0..below(4)).map(|_| below(count + 1)).collect();
            figure.nodes[place].next = (0..below(4)).map(|_| below(count + 1)).collect();
        }
        figure.root = below(count);
        laid_out(&figure);
        check(&draw(&figure));
    }
}

#[test]
fn everything_about_a_behaviour_is_drawn() {
    let mut figure = plan(&[("walk", &[], &[0]), ("a < b & \"c\"", &[], &[])]);
    figure.nodes[0] = PlanNode {
        notes: vec!["does walk".into()],
        protocols: vec!["decide: leader".into()],
        robots: vec![badge("pink"), badge("white")],
        waiting: "waiting for blue".into(),
        ..figure.nodes[0].clone()
    };
    figure.robots = ["pink", "white", "blue"].map(badge).to_vec();
    figure.teams = vec![
        PlanTeam { name: "front".into(), robots: vec![badge("pink"), badge("blue")], within: Vec::new() },
        PlanTeam { name: "pair".into(), robots: vec![badge("blue")], within: vec![0] },
    ];
    let svg = draw(&figure);
    check(&svg);
    for part in [
        "walk",
        "does walk",
        "decide: leader",
        "waiting for blue",
        "white",
        "front",
        "pair",
        "whole team",
        "2 behaviours",
    ] {
        assert!(svg.contains(part), "{part}");
    }
    check(&draw(&PlanFigure::default()));
    // Teams within each other come to an end.
    figure.teams[0].within = vec![1];
    check(&draw(&figure));
}

#[test]
fn a_plan_is_written_as_text() {
    let mut figure = plan(&[
        ("search", &[1, 2], &[3]),
        ("blue", &[], &[]),
        ("pink", &[], &[2]),
        ("say \"hi\"\n", &[], &[0]),
    ]);
    figure.nodes[0].protocols = vec!["allocate: sf3".into()];
    assert_eq!(
        outline(&figure),
        "search -> say \"hi\"   (allocate: sf3)\n  blue\n  pink -> pink\nsay \"hi\"  -> search\n"
    );
    let text = dot(&figure);
    assert!(
        text.contains("n0 [label=\"search\\nallocate: sf3\", penwidth=2];")
            && text.contains("say \\\"hi\\\" ")
    );
    assert!(
        text.contains("n0 -> n1 [style=dashed, arrowhead=none];")
            && text.contains("n3 -> n0 [constraint=false];")
    );
}
