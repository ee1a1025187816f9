//! The team's plan: how it was used, and where robots stood in it over time.

use super::figures::{Drawn, Part, marks};
use crate::plan::{TeamPlan, draw as draw_plan};
use crate::run::summary::Summary;
use crate::run::trace::{Stretch, Trace};
use crewlab_figures::gantt::{self, TaskFigure, TaskRow, TaskSpan};
use crewlab_figures::palette::robot_colour;
use crewlab_figures::plan_graph::Badge;
use crewlab_sim::Simulation;

/// The figures; none if the team has no plan.
pub(super) fn draw(trace: &Trace, simulation: &Simulation, summary: &Summary) -> Vec<Drawn> {
    let Some(plan) = trace.stacks.plan() else { return Vec::new() };
    vec![
        Drawn {
            file: "plan".into(),
            part: Part::Plan,
            caption: "The plan, with how often and for how long its protocols were used, and with the robots that carry out each \
                      behaviour at the end of the run."
                .into(),
            svg: used(plan, trace, simulation, summary),
        },
        Drawn {
            file: "stacks".into(),
            part: Part::Plan,
            caption: "The innermost behaviour of each robot over time. In the gaps it waits for others, or does not run.".into(),
            svg: over_time(plan, trace, simulation, summary),
        },
    ]
}

/// The plan with its uses and its robots.
fn used(plan: &TeamPlan, trace: &Trace, simulation: &Simulation, summary: &Summary) -> String {
    let model = &simulation.model;
    let mut figure = plan.figure(&summary.scenario, model);
    let uses = summary.interactions.as_ref().map_or(&[][..], |interactions| &interactions.points);
    for (node, said) in plan.picture.nodes.iter().zip(&mut figure.nodes) {
        for (point, words) in node.points.iter().zip(&mut said.protocols) {
            let known = uses.iter().find(|used| used.behaviour == node.name && used.kind == point.kind);
            if let Some(used) = known {
                *words += &format!(", {}x", used.uses);
                *words += &used.mean_s.map_or(String::new(), |mean| format!(" {mean:.2} s"));
            }
        }
    }
    for robot in model.robots() {
        let Some(standing) = trace.stacks.of(robot) else { continue };
        let name = model.robot_name(robot);
        for node in &standing.stack {
            let badge = Badge { name: name.into(), colour: robot_colour(name, robot.index()) };
            figure.nodes[*node].robots.push(badge);
        }
        if let Some(wait) = &standing.wait {
            let missing: Vec<&str> = wait.missing.iter().map(|robot| model.robot_name(*robot)).collect();
            let whom = if missing.is_empty() {
                String::new()
            } else {
                format!(": waits for {}", missing.join(", "))
            };
            figure.nodes[wait.node].waiting = format!("{}{whom}", wait.kind);
        }
    }
    draw_plan(&figure)
}

/// Behaviours of all robots over time.
fn over_time(plan: &TeamPlan, trace: &Trace, simulation: &Simulation, summary: &Summary) -> String {
    let span = |stretch: &Stretch<usize>| TaskSpan {
        task: plan.name(stretch.what).into(),
        from_s: stretch.from,
        to_s: stretch.to,
    };
    let team = simulation.model.team.iter().zip(&trace.stacks.spans);
    let rows: Vec<TaskRow> = team
        .map(|(member, spans)| TaskRow {
            name: member.identity.name.clone(),
            spans: spans.iter().map(span).collect(),
        })
        .collect();
    let executed = |name: &&str| rows.iter().any(|row| row.spans.iter().any(|span| span.task == **name));
    let names = (0..plan.picture.nodes.len()).map(|node| plan.name(node));
    gantt::draw(&TaskFigure {
        title: format!("Behaviours of {} over time", summary.scenario),
        duration_s: summary.time_s,
        tasks: names.filter(executed).map(String::from).collect(),
        robots: rows,
        marks: marks(trace),
        progress: trace.progress.clone(),
        auctions: Vec::new(),
    })
}
