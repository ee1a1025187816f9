//! What ALLIANCE stores for each robot from run to run, and a table of it.

use super::{Learned, Memory};
use crate::{Memories, PlainTable};
use serde_json::Value;

/// A robot's memory from a file, or an error.
pub(in crate::alliance) fn memory_of(robot: &str, mut value: Value) -> Result<Memory, String> {
    if let Some(map) = value.as_object_mut() {
        // The derived parameters are for people to read and are ignored.
        map.remove("parameters");
    }
    let memory: Memory =
        serde_json::from_value(value).map_err(|error| format!("the values of robot `{robot}`: {error}"))?;
    match odd_time(&memory) {
        None => Ok(memory),
        Some((about, time)) => Err(format!(
            "the values of robot `{robot}`: a time at `{about}` must be finite and above 0 s, found {time}"
        )),
    }
}

/// An invalid time, and where it is.
pub(in crate::alliance) fn odd_time(memory: &Memory) -> Option<(&str, f64)> {
    let own = memory.own.iter().map(|(set, times)| (set.as_str(), times));
    let others =
        memory.others.iter().flat_map(|(task, robots)| robots.values().map(|times| (task.as_str(), times)));
    let mut all = own.chain(others).flat_map(|(about, times)| times.0.iter().map(move |t| (about, *t)));
    all.find(|(_, time)| !(time.is_finite() && *time > 0.0))
}

/// The values that the team has learned, and the resulting parameters.
pub(in crate::alliance) fn table(memories: &Memories) -> PlainTable {
    let time = |seconds: f64| format!("{seconds:.1} s");
    let mut rows = Vec::new();
    for (robot, value) in &memories.robots {
        let Ok(learned) = serde_json::from_value::<Learned>(value.clone()) else { continue };
        for (set, view) in &learned.parameters {
            let trials = learned.memory.own.get(set).map_or(0, |times| times.0.len());
            let toward = view.toward.iter();
            let patience: Vec<String> =
                toward.map(|(mate, t)| format!("{mate} {}", time(t.time_willing_to_affect_s))).collect();
            rows.push(vec![
                robot.clone(),
                set.clone(),
                trials.to_string(),
                view.task_time_s.map_or("hand-set".into(), time),
                view.category.to_string(),
                format!("{:.3} /s", view.fast_impatience),
                time(view.time_before_yielding_s),
                time(view.time_before_giving_up_s),
                patience.join(", "),
            ]);
        }
    }
    let columns = [
        "Robot",
        "Behaviour set",
        "Trials",
        "Task time",
        "Category",
        "Fast impatience",
        "Yields after",
        "Gives up after",
        "Patient with",
    ];
    PlainTable {
        heading: "What the team has learned".into(),
        note: "Task time: mean of the last trials and one standard deviation; the neutral time without any. \
               Category 1: nobody present is known to be faster. The trials are in learned.json."
            .into(),
        columns: columns.map(String::from).to_vec(),
        rows,
    }
}
