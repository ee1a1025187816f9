//! Plans that are wrong in every way, and plans that are right.

mod findings;
mod plans;
mod trees;

use super::{Equipment, Known, Plan, PlanSpec, compile};
use crate::Finding;
use crewlab_onboard::{TaskId, TaskSpec};
use serde_json::Value;

/// Two tasks, `sweep` and `mop`, and a part, `hold`.
fn tasks() -> Vec<TaskSpec> {
    let mop = TaskSpec::new("mop", "Mop.").together("pair", &[TaskId(2), TaskId(2)]);
    vec![TaskSpec::new("sweep", "Sweep."), mop, TaskSpec::new("hold", "Hold.").as_part()]
}

/// Compiles a plan for the robots a, b and c.
fn compiled(plan: &Value) -> (Option<Plan>, Vec<Finding>) {
    let spec: PlanSpec =
        serde_json::from_value(plan.clone()).unwrap_or_else(|error| panic!("{error}: {plan}"));
    let fitted = [vec!["drive"], vec!["drive", "brush"], vec!["arm"]];
    let known = Known {
        robots: &["a", "b", "c"],
        sets: &["sweep-well", "sweep-fast", "walk"],
        tasks: &tasks(),
        signals: &["lost", "sees-colour", "colour"],
        equipment: Some(Equipment {
            sets: &["sweep-well", "walk"],
            effectors: &["arm", "brush", "drive"],
            fitted: &fitted,
        }),
    };
    let mut findings = Vec::new();
    let plan = compile(&spec, &known, &mut findings);
    assert_eq!(plan.is_none(), findings.iter().any(|finding| !finding.warning), "{findings:?}");
    (plan, findings)
}
