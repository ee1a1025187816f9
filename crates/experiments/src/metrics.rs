//! The metrics of every run: the columns of the table of runs.

use crewlab_lab::run::Summary;
pub use crewlab_lab::sim::missions::Better;
use crewlab_lab::sim::missions::{self, MeasureSpec, SHARE};
use std::sync::LazyLock;

/// A metric.
#[derive(Clone, Copy, Debug)]
pub struct Metric {
    /// The name of its column.
    pub name: &'static str,
    /// Its name in a sentence.
    pub title: &'static str,
    /// Its unit; empty for counts, `share` for shares from 0 to 1.
    pub unit: &'static str,
    /// A one-line description.
    pub summary: &'static str,
    /// Which direction is better.
    pub better: Better,
    /// How it is read off a summary; `None` for a measure of missions, which the summary has by its name.
    of: Option<fn(&Summary) -> Option<f64>>,
}

impl Metric {
    /// A measure of missions as a metric.
    fn measured(spec: &MeasureSpec) -> Metric {
        let MeasureSpec { name, title, unit, summary, better } = *spec;
        Metric { name, title, unit, summary, better, of: None }
    }

    /// Its value in a run; `None` where it is undefined.
    pub fn value(&self, summary: &Summary) -> Option<f64> {
        let measured = || summary.measures.iter().find(|measure| measure.spec.name == self.name)?.value;
        self.of.map_or_else(measured, |of| of(summary))
    }

    /// True for a measure of missions: other missions do not have it.
    pub fn is_measure(&self) -> bool {
        self.of.is_none()
    }

    /// True for shares from 0 to 1, which are shown in per cent.
    pub fn is_share(&self) -> bool {
        self.unit == SHARE
    }
}

/// The metric with this name, and its index in a row.
pub fn find(name: &str) -> Option<(usize, &'static Metric)> {
    METRICS.iter().enumerate().find(|(_, metric)| metric.name == name)
}

/// All metrics, in the order of the table's columns: those of every mission, then the measures of missions.
pub static METRICS: LazyLock<Vec<Metric>> = LazyLock::new(|| {
    let mut all = COMMON.to_vec();
    for spec in missions::KINDS.iter().flat_map(|kind| kind.measures) {
        // Missions that measure the same thing share the column.
        if !all.iter().any(|metric| metric.name == spec.name) {
            all.push(Metric::measured(spec));
        }
    }
    all
});

macro_rules! metrics {
    ($($name:ident, $title:literal, $unit:literal, $better:ident, $summary:literal, $of:expr;)*) => {
        /// The metrics of every mission.
        const COMMON: &[Metric] = &[$(Metric {
            name: stringify!($name),
            title: $title,
            unit: $unit,
            summary: $summary,
            better: Better::$better,
            of: Some($of),
        }),*];
    };
}

metrics! {
    completed, "completed", "share", More, "1 if the mission was completed, else 0", |s| Some(f64::from(u8::from(s.completed)));
    time_s, "mission time", "s", Less, "simulated time at the end; the time limit if the mission was not completed", |s| Some(s.time_s);
    progress, "progress", "share", More, "share of the mission that was done", |s| Some(s.progress);
    messages, "messages", "", Less, "messages handed to the radio", |s| Some(s.radio.messages as f64);
    bytes, "bytes sent", "B", Less, "bytes in these messages", |s| Some(s.radio.bytes as f64);
    messages_per_task, "messages per task", "", Less, "messages divided by completed tasks", |s| Some(s.radio.per_completed_task.as_ref()?.messages);
    bytes_per_task, "bytes per task", "B", Less, "bytes divided by completed tasks", |s| Some(s.radio.per_completed_task.as_ref()?.bytes);
    delivery_ratio, "delivered", "share", More, "share of the settled copies of messages that arrived", |s| s.radio.delivery_ratio;
    latency_ms, "latency", "ms", Less, "mean time from handing a message over to its arrival", |s| s.radio.mean_latency_ms;
    airtime_s, "airtime", "s", Less, "time on the air of all senders together", |s| Some(s.radio.airtime_s);
    energy_j, "radio energy", "J", Less, "energy that all radios used", |s| Some(s.radio.energy_j);
    completed_tasks, "completed tasks", "", More, "tasks completed; a recurring task counts each time", |s| Some(s.radio.completed_tasks as f64);
    travelled_m, "distance", "m", Less, "distance driven by all robots together", |s| Some(s.teamwork.travelled_m);
    idle_share, "idle time", "share", Less, "share of time without a task, of robots that were not away", |s| s.teamwork.idle_share;
    duplicated_share, "duplicated work", "share", Less, "share of the working time spent on work that another robot was already doing", |s| s.teamwork.duplicated_share;
    working_s, "working time", "s", Neither, "time with a task, of all robots together", |s| Some(s.teamwork.working_s);
    switches, "work left undone", "", Less, "how often a robot left work that was neither finished nor unwanted", |s| Some(s.teamwork.switches as f64);
    fairness, "fairness", "", More, "Jain's index of the robots' working times: 1 if all worked equally long", |s| s.teamwork.fairness;
    coalition_stability, "coalition stability", "share", More, "share of the coalitions that completed their award with all of their robots and no others", |s| s.teamwork.coalition_stability;
    collisions, "collisions", "", Less, "how often a robot ran into something", |s| Some(s.collisions as f64);
    deadlocks, "deadlocks", "", Less, "how often two robots blocked each other where only one could pass, and one backed out", |s| Some(s.deadlocks as f64);
    pose_error_m, "pose error", "m", Less, "mean distance between where robots that locate themselves are and where they believe to be", |s| Some(s.localisation.as_ref()?.mean_error_m);
    pose_error_max_m, "largest pose error", "m", Less, "the largest such distance", |s| Some(s.localisation.as_ref()?.max_error_m);
    synchronisation_s, "synchronisation", "s", Less, "time that a team needs to decide what follows: mean per use, added up over the points of its plan at which it decides", |s| Some(s.interactions.as_ref()?.synchronisation_s);
    allocation_s, "allocation", "s", Less, "time that a team needs to divide its work: mean per use, added up over the points of its plan at which it does", |s| Some(s.interactions.as_ref()?.allocation_s);
    splits, "splits", "", Less, "how often robots of one group went different ways in the team's plan", |s| Some(s.interactions.as_ref()?.splits as f64);
    stuck_episodes, "stuck", "", Less, "how often a robot or a piece of work got stuck", |s| Some(s.stuck_episodes as f64);
    robots_lost, "robots lost", "", Neither, "how often the team lost a robot, temporarily or permanently", |s| Some(s.reallocation.as_ref().map_or(0, |r| r.losses.len()) as f64);
    reallocation_s, "re-allocation latency", "s", Less, "mean time from the loss of a robot at work until another one works on its task", |s| s.reallocation.as_ref()?.mean_s;
    reallocation_max_s, "longest re-allocation", "s", Less, "the longest such time", |s| s.reallocation.as_ref()?.max_s;
    never_reallocated, "never taken over", "", Less, "tasks of lost robots that were open at the end and that no other robot worked on", |s| Some(s.reallocation.as_ref()?.never as f64);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A name stands for one thing, whichever mission measures it.
    #[test]
    fn measures_with_one_name_have_one_meaning() {
        for spec in missions::KINDS.iter().flat_map(|kind| kind.measures) {
            assert!(
                COMMON.iter().all(|metric| metric.name != spec.name),
                "{} is a metric already",
                spec.name
            );
            let (_, metric) = find(spec.name).unwrap_or_else(|| panic!("{} is no metric", spec.name));
            assert_eq!((metric.unit, metric.better), (spec.unit, spec.better), "{}", spec.name);
            let column = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
            assert!(spec.name.chars().all(column) && !spec.summary.is_empty(), "{}", spec.name);
        }
    }
}
