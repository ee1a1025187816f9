//! Figures 4.14 to 4.19: errors and performance by the crowd, performance, reliability and error by the first numeric factor, and the
//! times of trials. Lines are the levels of the other factors.

use super::summary::{mean, rewards};
use super::{Condition, Record};
use crate::plan::{Plan, number};
use crewlab_figures::degradation::{
    DegradationFigure, DegradationGroup, DegradationPanel, DegradationPoint, draw as chart,
};
use crewlab_lab::estimates::Accuracy;
use crewlab_statistics::{Interval, Mean, wilson};
use std::collections::BTreeMap;

/// A figure of an experiment.
pub struct Picture {
    /// The name of its file, without an ending.
    pub file: &'static str,
    /// The figure.
    pub svg: String,
}

const LIMITED: [Condition; 2] = [Condition::Limited, Condition::Overview];
/// Width of the intervals of times. [s]
const INTERVAL: f64 = 10.0;

/// Draws all figures.
pub fn draw(plan: &Plan, records: &[Record]) -> Vec<Picture> {
    let view = View::new(plan, records);
    let crowd = "objects, short minus long way";
    let mut pictures = vec![
        view.by_crowd("errors-by-crowd", "Collisions per map", crowd, |maps| {
            let errors: Vec<f64> = maps.iter().map(|map| map.errors).collect();
            Mean::of(&errors).map(|mean| (mean.mean, Some(mean.interval())))
        }),
        view.by_crowd("performance-by-crowd", "Performance q", crowd, |maps| {
            let rewards: Vec<f64> = maps.iter().map(|map| map.reward / 100.0).collect();
            Mean::of(&rewards).map(|mean| (mean.mean, Some(mean.interval())))
        }),
        view.times(),
    ];
    if let Some(scale) = view.scale {
        pictures.push(view.by_scale(scale, "performance", "Performance q", None, |own, _| {
            let rewards: Vec<f64> = rewards(own.iter().copied()).iter().map(|(one, _)| one / 100.0).collect();
            Mean::of(&rewards).map(|mean| (mean.mean, Some(mean.interval())))
        }));
        let estimators = super::table::estimators(records);
        for (file, what, of) in [
            ("reliability", "Reliability", reliability as Figure),
            ("relative-error", "Mean squared error / variance", relative_error as Figure),
        ] {
            if !estimators.is_empty() {
                pictures.push(view.by_scale(scale, file, what, Some(&estimators), |own, name| {
                    let mut accuracy = Accuracy::default();
                    for record in own {
                        let found = record.expected.iter().find(|one| Some(&*one.estimator) == name);
                        if let Some((expected, reward)) = found.zip(record.reward) {
                            accuracy.add(expected.reward, reward);
                        }
                    }
                    of(&accuracy)
                }));
            }
        }
    }
    pictures
}

type Value = Option<(f64, Option<Interval>)>;
type Figure = fn(&Accuracy) -> Value;

fn reliability(accuracy: &Accuracy) -> Value {
    let (share, count) = (accuracy.reliability()?, accuracy.decisions());
    Some((share, wilson((share * count as f64).round() as u64, count, 0.95)))
}

fn relative_error(accuracy: &Accuracy) -> Value {
    accuracy.relative_error().map(|value| (value, None))
}

/// A map of a run: what it brought, and how often something was touched.
struct MapResult {
    reward: f64,
    errors: f64,
}

struct View<'a> {
    plan: &'a Plan,
    records: &'a [Record],
    /// The factor on the axis of figures: the first one whose levels are numbers.
    scale: Option<usize>,
}

impl<'a> View<'a> {
    fn new(plan: &'a Plan, records: &'a [Record]) -> View<'a> {
        let numeric = |factor: &usize| plan.levels(*factor).iter().all(|level| number(level).is_some());
        let scale = (0..plan.factors.len()).find(numeric);
        View { plan, records, scale }
    }

    /// The name of a cell's line: its levels without that on the axis.
    fn line(&self, cell: usize) -> String {
        let levels = self.plan.cells[cell].levels.iter().enumerate();
        let others: Vec<&str> =
            levels.filter(|(place, _)| Some(*place) != self.scale).map(|(_, level)| level.as_str()).collect();
        if others.is_empty() { "all".into() } else { others.join(", ") }
    }

    fn level(&self, cell: usize) -> &str {
        self.scale.map_or("", |scale| &self.plan.cells[cell].levels[scale])
    }

    /// All lines, in the order of the plan.
    fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for cell in 0..self.plan.cells.len() {
            let line = self.line(cell);
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
        lines
    }

    fn levels(&self) -> Vec<String> {
        let mut levels: Vec<String> = Vec::new();
        for cell in 0..self.plan.cells.len() {
            let level = self.level(cell).to_string();
            if !levels.contains(&level) {
                levels.push(level);
            }
        }
        levels
    }

    /// Panels by level and condition; the crowd on the axis.
    fn by_crowd(&self, file: &'static str, what: &str, axis: &str, of: fn(&[MapResult]) -> Value) -> Picture {
        let mut panels = Vec::new();
        for level in self.levels() {
            for condition in LIMITED {
                let mut groups = Vec::new();
                for line in self.lines() {
                    let mut by: BTreeMap<i64, Vec<MapResult>> = BTreeMap::new();
                    let counts = |record: &&Record| {
                        self.line(record.cell) == line
                            && self.level(record.cell) == level
                            && condition.counts(record)
                    };
                    for record in self.records.iter().filter(counts) {
                        let maps = by.entry(record.crowding() as i64).or_default();
                        if record.is_first() {
                            maps.push(MapResult { reward: record.reward.unwrap_or_default(), errors: 0.0 });
                        }
                        if let Some(map) = maps.last_mut() {
                            map.errors += record.number("touched");
                        }
                    }
                    let points = by.iter().filter_map(|(crowd, maps)| point(*crowd as f64, of(maps)));
                    groups.push(DegradationGroup { name: line, points: points.collect() });
                }
                if groups.iter().any(|group| !group.points.is_empty()) {
                    let at = if level.is_empty() { String::new() } else { format!(", {level}") };
                    panels.push(panel(format!("{what}, {}{at}", condition.name()), groups));
                }
            }
        }
        figure(file, what, axis, "", panels)
    }

    /// Panels by condition and estimator; the numeric factor on the axis.
    fn by_scale(
        &self,
        scale: usize,
        file: &'static str,
        what: &str,
        estimators: Option<&[&str]>,
        of: impl Fn(&[&Record], Option<&str>) -> Value,
    ) -> Picture {
        let mut panels = Vec::new();
        let names = estimators.map_or(vec![None], |names| names.iter().copied().map(Some).collect());
        for name in names {
            for condition in Condition::ALL {
                let mut groups = Vec::new();
                for line in self.lines() {
                    let cells = (0..self.plan.cells.len()).filter(|cell| self.line(*cell) == line);
                    let points = cells.filter_map(|cell| {
                        let counts = |record: &&Record| record.cell == cell && condition.counts(record);
                        let own: Vec<&Record> = self.records.iter().filter(counts).collect();
                        let level = number(&self.plan.cells[cell].levels[scale])?.0;
                        point(level, of(&own, name))
                    });
                    groups.push(DegradationGroup { name: line.clone(), points: points.collect() });
                }
                groups.retain(|group| name.is_none() || !group.points.is_empty());
                let by = name.map_or(String::new(), |name| format!(" of {name}"));
                panels.push(panel(format!("{what}{by}, {}", condition.name()), groups));
            }
        }
        let factor = &self.plan.factors[scale];
        figure(file, what, &factor.name, factor.unit.as_deref().unwrap_or_default(), panels)
    }

    /// Times of trials that reached the goal and of those that failed, by way, where the short way has three objects and the long one
    /// one (figure 4.18).
    fn times(&self) -> Picture {
        let mut panels = Vec::new();
        for (reached, status) in [(1.0, "success"), (0.0, "failed")] {
            for way in ["short", "long"] {
                let mut groups = Vec::new();
                for level in self.levels() {
                    let counts = |record: &&Record| {
                        let ratio = (record.number("short"), record.number("long")) == (3.0, 1.0);
                        let same = record.way == way && record.number("reached") == reached;
                        ratio && same && self.level(record.cell) == level
                    };
                    let own: Vec<&Record> = self.records.iter().filter(counts).collect();
                    let interval = |seconds: f64| (seconds / INTERVAL).ceil().clamp(1.0, 4.0);
                    let share = |k: f64| {
                        mean(
                            own.iter()
                                .map(|record| f64::from(u8::from(interval(record.number("seconds")) == k))),
                        )
                    };
                    let points = (1..=4).filter(|_| !own.is_empty());
                    let points = points.filter_map(|k| {
                        point((f64::from(k) - 0.5) * INTERVAL, Some((share(f64::from(k)), None)))
                    });
                    let name = if level.is_empty() { "all".into() } else { level };
                    groups.push(DegradationGroup { name, points: points.collect() });
                }
                panels.push(panel(format!("Share of trials, {status}, {way}"), groups));
            }
        }
        figure("times", "Times of trials at 3/1", "time of a trial, in intervals of 10 s", "s", panels)
    }
}

fn point(level: f64, value: Value) -> Option<DegradationPoint> {
    let (value, interval) = value?;
    Some(DegradationPoint { level, value, interval, partial: false })
}

fn panel(what: String, groups: Vec<DegradationGroup>) -> DegradationPanel {
    DegradationPanel { what, unit: String::new(), share: false, groups }
}

fn figure(
    file: &'static str,
    title: &str,
    level: &str,
    level_unit: &str,
    panels: Vec<DegradationPanel>,
) -> Picture {
    let figure = DegradationFigure {
        title: title.into(),
        subtitle: String::new(),
        level: level.into(),
        level_unit: level_unit.into(),
        panels,
        note: String::new(),
    };
    Picture { file, svg: chart(&figure) }
}
