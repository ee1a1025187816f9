//! Properties of every figure of an analysis, for any input.

use super::bars::{self, BarsFigure};
use super::curves::{self, CurvesFigure};
use super::graph::{self, GraphEdge, GraphFigure};
use super::states::{self, StatesFigure};
use super::tests::{HOSTILE, ODD, check};

#[test]
fn figures_of_an_analysis_are_well_formed_for_any_numbers_and_names() {
    for name in [HOSTILE, "", "speed"] {
        for value in ODD {
            for count in [0, 1, 3, 40] {
                let names = vec![name.to_string(); count];
                let edge = GraphEdge { from: 0, to: count / 2, probability: value };
                check(&graph::draw(&GraphFigure {
                    title: name.into(),
                    subtitle: name.into(),
                    nodes: names.clone(),
                    edges: vec![edge, GraphEdge { from: 99, ..edge }],
                }));
                check(&bars::draw(&BarsFigure {
                    title: name.into(),
                    subtitle: name.into(),
                    what: name.into(),
                    cases: names.clone(),
                    groups: vec![(name.into(), vec![value; count + 1])],
                }));
                check(&curves::draw(&CurvesFigure {
                    title: name.into(),
                    subtitle: name.into(),
                    along: name.into(),
                    what: name.into(),
                    curves: vec![(name.into(), vec![value; count * 100])],
                }));
                let states =
                    (0..count * 100).map(|sample| (sample % 7 > 0).then_some(sample / 10 % 4)).collect();
                check(&states::draw(&StatesFigure {
                    title: name.into(),
                    subtitle: name.into(),
                    rows: vec![(name.into(), 3, states)],
                    changes: vec![(count, name.into())],
                }));
            }
        }
    }
}
