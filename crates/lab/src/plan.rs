//! The plan that a team carries out, ready to be drawn.

pub use crewlab_figures::plan_graph::{draw, shape};
pub use crewlab_figures::plan_text::{dot, outline};

use crewlab_figures::palette::robot_colour;
use crewlab_figures::plan_graph::{Badge, PlanFigure, PlanNode, PlanTeam};
use crewlab_sim::Model;
use crewlab_sim::teams::{KINDS, Picture, PictureNode, PicturePoint, kind};

/// The plan of a team.
#[derive(Clone, Debug, PartialEq)]
pub struct TeamPlan {
    /// The coordinator that carries it out.
    pub coordinator: &'static str,
    /// The plan.
    pub picture: Picture,
}

impl TeamPlan {
    /// The plan that this coordinator carries out; `None` if it works without one.
    pub fn of(model: &Model, coordinator: &str) -> Option<TeamPlan> {
        let kind = kind(coordinator)?;
        let picture = (kind.picture)(&model.parameters, &model.tasks)?;
        Some(TeamPlan { coordinator: kind.name, picture })
    }

    /// The plan of the team's coordinator, or of the first one that works by plans; `None` if none does.
    pub fn or_any(model: &Model) -> Option<TeamPlan> {
        let others = || KINDS.iter().find_map(|kind| TeamPlan::of(model, kind.name));
        TeamPlan::of(model, &model.coordinator).or_else(others)
    }

    /// A behaviour's name.
    pub fn name(&self, node: usize) -> &str {
        self.picture.nodes.get(node).map_or("", |node| &node.name)
    }

    /// The drawing of the plan and of the team's organisation.
    pub fn figure(&self, scenario: &str, model: &Model) -> PlanFigure {
        let names: Vec<&str> = model.team.iter().map(|member| member.identity.name.as_str()).collect();
        let badge =
            |(place, name): (usize, &str)| Badge { name: name.into(), colour: robot_colour(name, place) };
        let member = |name: &String| {
            let place = names.iter().position(|known| known == name)?;
            Some(badge((place, name)))
        };
        let teams = self.picture.teams.iter().map(|team| PlanTeam {
            name: team.name.clone(),
            robots: team.members.iter().filter_map(member).collect(),
            within: team.within.clone(),
        });
        PlanFigure {
            title: format!("Plan of {scenario} for {}", self.coordinator),
            subtitle: "Lines downwards lead to the parts of a behaviour, arrows to what may follow it. Loops are orange, protocols blue."
                .into(),
            nodes: self.picture.nodes.iter().map(node).collect(),
            root: self.picture.root,
            robots: names.iter().copied().enumerate().map(badge).collect(),
            teams: teams.collect(),
        }
    }
}

/// A behaviour with what is to be said about it, in words.
fn node(node: &PictureNode) -> PlanNode {
    let work = node.work.as_ref().filter(|work| **work != node.name).map(|work| format!("does {work}"));
    let by = node.by.as_ref().map(|team| format!("by {team}"));
    let needs = (!node.needs.is_empty()).then(|| format!("needs {}", node.needs.join(", ")));
    let when = node.when.as_ref().map(|condition| format!("when {condition}"));
    let until = node.until.as_ref().map(|condition| format!("until {condition}"));
    let any = node.any.then(|| "one ends it for all".to_string());
    let again = node.again.then(|| "again while there is work".to_string());
    let protocol = |point: &PicturePoint| {
        let silent = if point.network { "" } else { " (no radio)" };
        format!("{}: {}{silent}", point.kind, point.protocol)
    };
    PlanNode {
        name: node.name.clone(),
        notes: [work, by, needs, when, until, any, again].into_iter().flatten().collect(),
        protocols: node.points.iter().map(protocol).collect(),
        children: node.children.clone(),
        next: node.next.clone(),
        ..PlanNode::default()
    }
}
