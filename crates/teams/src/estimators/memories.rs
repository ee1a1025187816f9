//! A team's experience with costs, for people.

use super::{Experience, Memory};
use crate::{Memories, PlainTable};

/// One row per robot and way: how often, how much longer than planned, how often it failed; and what drives the robot's costs.
pub(crate) fn table(memories: &Memories) -> PlainTable {
    let mut rows = Vec::new();
    for (robot, value) in &memories.robots {
        let Ok(memory) = serde_json::from_value::<Memory>(value.clone()) else { continue };
        let causes: Vec<&str> = Experience::new(Some(&memory)).causes().collect();
        let mut ways: Vec<&str> = memory.rows.iter().map(|row| row.evidence.0[0].as_str()).collect();
        ways.sort_unstable();
        ways.dedup();
        for way in ways {
            let of_it = || memory.rows.iter().filter(|row| row.evidence.0[0] == way);
            let (all, failed) = (of_it().count(), of_it().filter(|row| row.failed).count());
            let done = || of_it().filter(|row| !row.failed).map(|row| row.overrun);
            let mean = done().sum::<f64>() / (all - failed).max(1) as f64;
            let overrun = if failed == all { "-".into() } else { format!("{mean:.2}") };
            let causes = if causes.is_empty() { "nothing known".into() } else { causes.join(", ") };
            rows.push(vec![robot.clone(), way.into(), all.to_string(), failed.to_string(), overrun, causes]);
        }
    }
    let columns = ["Robot", "Way", "Attempts", "Failed", "Time / planned", "Costs depend on"];
    PlainTable {
        heading: "What the robots have learned about their costs".into(),
        note: "Mean time of successful attempts as a share of the planned time; properties that make a difference, by BIC.".into(),
        columns: columns.map(String::from).to_vec(),
        rows,
    }
}
