//! Coverage of tasks: for every task the capable robots and their ways, for plans whether the team can staff them, and
//! whose loss would leave a task to nobody.

use crate::run::heterogeneity;
use crewlab_sim::onboard::{RobotId, TaskId, TaskPlan, TaskSpec};
use crewlab_sim::{Model, staffing};
use serde::Serialize;

/// Number of names in a line.
const MOST: usize = 8;

/// One way for one robot to do a task.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Way {
    /// The behaviour set.
    pub behaviour: String,
    /// Its requirements.
    pub needs: String,
    /// The robots that have it.
    pub robots: Vec<String>,
}

/// One way to do a task together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlanCoverage {
    /// Its name.
    pub name: String,
    /// Its parts.
    pub parts: Vec<String>,
    /// Robots that could do them, part by part; empty if the team cannot staff it.
    pub staff: Option<Vec<String>>,
}

/// The coverage of a task.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TaskCoverage {
    /// The task.
    pub task: String,
    /// True if it is only a part of another task's plan.
    pub part: bool,
    /// The robots that can do it alone.
    pub robots: Vec<String>,
    /// Ways to do it alone.
    pub ways: Vec<Way>,
    /// Ways to do it together with others.
    pub plans: Vec<PlanCoverage>,
    /// Robots whose loss would leave it to nobody.
    pub indispensable: Vec<String>,
    /// Notes on its order and state.
    pub order: String,
}

/// The coverage of a team.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Coverage {
    /// The diversity of the robots, from 0 (all have the same capabilities) to 1 (nobody shares any).
    pub heterogeneity: f64,
    /// The tasks, in the mission's order.
    pub tasks: Vec<TaskCoverage>,
}

/// Computes the coverage of a team.
pub fn coverage(model: &Model) -> Coverage {
    let tasks = model.tasks.iter().enumerate();
    Coverage {
        heterogeneity: heterogeneity(&model.team),
        tasks: tasks.map(|(place, spec)| task(model, TaskId(place as u16), spec)).collect(),
    }
}

fn task(model: &Model, id: TaskId, spec: &TaskSpec) -> TaskCoverage {
    let name = |robot: RobotId| model.robot_name(robot).to_string();
    let mut ways: Vec<Way> = Vec::new();
    for member in &model.team {
        for set in staffing::ways(member, id) {
            let robot = member.identity.name.clone();
            match ways.iter_mut().find(|way| way.behaviour == set.name) {
                Some(way) => way.robots.push(robot),
                None => ways.push(Way {
                    behaviour: set.name.clone(),
                    needs: set.needs().to_string(),
                    robots: vec![robot],
                }),
            }
        }
    }
    let plan = |plan: &TaskPlan| PlanCoverage {
        name: plan.name.clone(),
        parts: plan.parts.iter().map(|part| model.task_name(*part).to_string()).collect(),
        staff: staffing::staff(&model.team, &plan.parts, &[])
            .map(|staff| staff.into_iter().map(name).collect()),
    };
    let able = model.robots().filter(|robot| staffing::able(&model.team[*robot], id));
    TaskCoverage {
        task: spec.name.clone(),
        part: spec.part,
        robots: able.map(name).collect(),
        ways,
        plans: spec.plans.iter().map(plan).collect(),
        indispensable: staffing::indispensable(&model.team, id, spec).into_iter().map(name).collect(),
        order: order(model, spec),
    }
}

/// Notes on a task's order and state.
fn order(model: &Model, task: &TaskSpec) -> String {
    let names = |tasks: &[TaskId]| tasks.iter().map(|t| model.task_name(*t)).collect::<Vec<_>>().join(", ");
    let mut words = Vec::new();
    if task.part {
        words.push("only as a part of a plan".into());
    }
    if !task.after.is_empty() {
        words.push(format!("after {}", names(&task.after)));
    }
    if !task.during.is_empty() {
        words.push(format!("while {}", names(&task.during)));
    }
    words.extend(task.every.map(|period| format!("every {period} s")));
    if !task.open {
        words.push("not wanted at the start".into());
    }
    if task.weight != 1.0 {
        words.push(format!("weight {}", task.weight));
    }
    words.join("; ")
}

/// Some names, and the number of the others.
fn listed(names: &[String]) -> String {
    match names.len() {
        0 => "nobody".into(),
        1..=MOST => names.join(", "),
        n => format!("{} and {} more", names[..MOST - 1].join(", "), n - MOST + 1),
    }
}

impl TaskCoverage {
    /// The task in a few lines.
    fn lines(&self) -> Vec<String> {
        let order = if self.order.is_empty() { String::new() } else { format!(" ({})", self.order) };
        let who = match (self.robots.is_empty(), self.plans.is_empty()) {
            (true, false) => "nobody alone".into(),
            _ => listed(&self.robots),
        };
        let mut lines = vec![format!("task {}: {who}{order}", self.task)];
        let plain = |way: &&Way| way.behaviour == self.task && self.ways.len() == 1;
        for way in self.ways.iter().filter(|way| !plain(way)) {
            lines.push(format!("  by {}: {}", way.behaviour, listed(&way.robots)));
        }
        for plan in &self.plans {
            let parts = match &plan.staff {
                Some(staff) => {
                    let pairs = staff.iter().zip(&plan.parts);
                    pairs.map(|(robot, part)| format!("{robot} {part}")).collect::<Vec<_>>().join(", ")
                }
                None => "the team cannot staff it".into(),
            };
            lines.push(format!("  together as {}: {}", plan.name, staffed(&parts, plan)));
        }
        lines
    }

    /// Notes on the task for the team.
    fn notes(&self) -> Vec<String> {
        let missing = self.plans.iter().filter(|plan| plan.staff.is_none());
        let plan = |plan: &PlanCoverage| {
            format!(
                "{} cannot be done as {}: it needs {} robots that can do {}",
                self.task,
                plan.name,
                plan.parts.len(),
                plan.parts.join(", ")
            )
        };
        missing.map(plan).collect()
    }
}

fn staffed(parts: &str, plan: &PlanCoverage) -> String {
    if plan.staff.is_some() { format!("e.g. {parts}") } else { parts.to_string() }
}

impl Coverage {
    /// The coverage as text.
    pub fn lines(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.tasks.iter().flat_map(TaskCoverage::lines).collect();
        lines.push(format!("heterogeneity of the team: {:.2}", self.heterogeneity));
        lines
    }

    /// Notes that are not errors but useful to know before robots fail.
    pub fn notes(&self) -> Vec<String> {
        let mut notes: Vec<String> = self.tasks.iter().flat_map(TaskCoverage::notes).collect();
        let mut robots: Vec<&String> = Vec::new();
        for robot in self.tasks.iter().filter(|task| !task.part).flat_map(|task| &task.indispensable) {
            if !robots.contains(&robot) {
                robots.push(robot);
            }
        }
        for robot in robots {
            let needs = |task: &&TaskCoverage| !task.part && task.indispensable.contains(robot);
            let alone = |task: &&TaskCoverage| task.robots.contains(robot) && task.plans.is_empty();
            let needed = self.tasks.iter().filter(needs);
            let (alone, together): (Vec<&TaskCoverage>, Vec<&TaskCoverage>) = needed.partition(alone);
            let names = |tasks: &[&TaskCoverage]| {
                tasks.iter().map(|task| task.task.as_str()).collect::<Vec<_>>().join(", ")
            };
            if !alone.is_empty() {
                notes.push(format!("only {robot} can do {}: without it, nobody can", names(&alone)));
            }
            if !together.is_empty() {
                notes.push(format!("without {robot} nobody can do {}", names(&together)));
            }
        }
        notes
    }
}
