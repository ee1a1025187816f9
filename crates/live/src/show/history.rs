//! What happened so far in one lane, for viewers that come late or missed something.

use crewlab_lab::sim::Logged;
use serde::Serialize;
use serde_json::{Value, json};

/// Events that are kept; older ones go first. An export has them all.
const MOST_EVENTS: usize = 200_000;
/// Entries that a viewer gets in one go: the rest comes with the next frames.
const AT_ONCE: usize = 2_000;

/// One moment of the mission: time, progress, messages sent, delivered, lost.
pub type Sample = (f64, f64, u64, u64, u64);

/// What happened so far.
#[derive(Clone, Debug, Default)]
pub struct History {
    events: Vec<Logged>,
    /// The tick of each event: an event at the border of two ticks does not tell by its time.
    ticks: Vec<u64>,
    /// How many events were there before the first that is kept.
    forgotten: usize,
    /// Who began what when: time, robot, behaviour set or -1.
    shifts: Vec<(f64, u32, i32)>,
    samples: Vec<Sample>,
    /// Times of the rows of levels.
    moments: Vec<f64>,
    /// Levels of all robots' behaviour sets, row by row; not a number where there is none.
    levels: Vec<f32>,
    /// Where each robot's levels begin within a row, and at the end how long a row is.
    columns: Vec<usize>,
}

/// How far a viewer has read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cursor {
    events: usize,
    shifts: usize,
    samples: usize,
    /// The watched robot and how many rows of its levels were read.
    chart: Option<(usize, usize)>,
}

/// What a viewer has not read yet, ready to become messages outside of the lock.
#[derive(Debug, Default)]
pub struct News {
    from: usize,
    events: Vec<Logged>,
    shifts: Vec<(f64, u32, i32)>,
    samples: Vec<Sample>,
    chart: Option<Chart>,
}

#[derive(Debug)]
struct Chart {
    robot: usize,
    fresh: bool,
    rows: Vec<(f64, Vec<f32>)>,
}

impl History {
    /// An empty history of robots with so many behaviour sets each.
    pub fn new(sets: impl IntoIterator<Item = usize>) -> History {
        let mut columns = vec![0];
        for count in sets {
            columns.push(columns[columns.len() - 1] + count);
        }
        History { columns, ..History::default() }
    }

    /// Takes in the events of a tick.
    pub fn note(&mut self, tick: u64, events: &[Logged]) {
        self.events.extend_from_slice(events);
        self.ticks.resize(self.events.len(), tick);
        if self.events.len() > MOST_EVENTS {
            // A quarter at once, so that it does not happen in every tick.
            let gone = self.events.len() - MOST_EVENTS * 3 / 4;
            self.events.drain(..gone);
            self.ticks.drain(..gone);
            self.forgotten += gone;
        }
    }

    /// A robot begins something else, or nothing.
    pub fn shift(&mut self, time: f64, robot: usize, behaviour: Option<u8>) {
        self.shifts.push((time, robot as u32, behaviour.map_or(-1, i32::from)));
    }

    /// Takes in how far the mission is.
    pub fn sample(&mut self, sample: Sample) {
        self.samples.push(sample);
    }

    /// Takes in the levels of all robots' behaviour sets.
    pub fn levels(&mut self, time: f64, row: impl IntoIterator<Item = f32>) {
        self.moments.push(time);
        self.levels.extend(row);
    }

    /// The last event up to a moment that tells why a robot does what it does. [s]
    pub fn last_choice(&self, robot: usize, until: f64) -> Option<&Logged> {
        let about = |logged: &&Logged| {
            let event = &logged.event;
            let told = event.behaviour.is_some() || event.task.is_some();
            told && logged.robot.is_some_and(|id| usize::from(id.0) == robot)
        };
        let gone = self.events.partition_point(|logged| logged.time.seconds() <= until + 1e-9);
        self.events[..gone].iter().rev().find(about)
    }

    /// The same history before a tick, which begins at this time: what a branch begins with.
    pub fn before(&self, tick: u64, time: f64) -> History {
        let end = time + 1e-9;
        let moments = self.moments.partition_point(|moment| *moment <= end);
        let stride = self.columns.last().copied().unwrap_or(0);
        let events = self.ticks.partition_point(|of| *of < tick);
        History {
            events: self.events[..events].to_vec(),
            ticks: self.ticks[..events].to_vec(),
            forgotten: self.forgotten,
            shifts: self.shifts[..self.shifts.partition_point(|shift| shift.0 <= end)].to_vec(),
            samples: self.samples[..self.samples.partition_point(|sample| sample.0 <= end)].to_vec(),
            moments: self.moments[..moments].to_vec(),
            levels: self.levels[..moments * stride].to_vec(),
            columns: self.columns.clone(),
        }
    }

    /// What the reader has not read yet, at most so much at once, and of the levels those of the watched robot.
    pub fn news(&self, cursor: &mut Cursor, watched: Option<usize>) -> News {
        let from = cursor.events.max(self.forgotten);
        let events = &self.events[(from - self.forgotten).min(self.events.len())..];
        let events = events[..events.len().min(AT_ONCE)].to_vec();
        cursor.events = from + events.len();
        let shifts = unread(&self.shifts, &mut cursor.shifts);
        let samples = unread(&self.samples, &mut cursor.samples);
        let chart = watched.filter(|robot| robot + 1 < self.columns.len()).and_then(|robot| {
            let (fresh, read) = match cursor.chart {
                Some((before, read)) if before == robot => (false, read),
                _ => (true, 0),
            };
            let moments = &self.moments[read.min(self.moments.len())..];
            let count = moments.len().min(AT_ONCE);
            cursor.chart = Some((robot, read + count));
            let stride = self.columns.last().copied().unwrap_or(0);
            let (low, high) = (self.columns[robot], self.columns[robot + 1]);
            let row = |index: usize| {
                let start = (read + index) * stride;
                (moments[index], self.levels[start + low..start + high].to_vec())
            };
            let rows: Vec<_> = (0..count).map(row).collect();
            (fresh || !rows.is_empty()).then_some(Chart { robot, fresh, rows })
        });
        if watched.is_none() {
            cursor.chart = None;
        }
        News { from, events, shifts, samples, chart }
    }
}

fn unread<T: Clone>(list: &[T], read: &mut usize) -> Vec<T> {
    let new = &list[(*read).min(list.len())..];
    let new = new[..new.len().min(AT_ONCE)].to_vec();
    *read += new.len();
    new
}

#[derive(Serialize)]
struct EventText<'a> {
    t: f64,
    robot: Option<u16>,
    kind: &'a str,
    why: &'a str,
    behaviour: Option<u8>,
    task: Option<u16>,
    other: Option<u16>,
    terms: Vec<(&'a str, Option<f64>)>,
}

/// An event as viewers get it.
pub(crate) fn event_text(logged: &Logged) -> Value {
    let event = &logged.event;
    json!(EventText {
        t: logged.time.seconds(),
        robot: logged.robot.map(|id| id.0),
        kind: &event.kind,
        why: &event.why,
        behaviour: event.behaviour.map(|id| id.0),
        task: event.task.map(|id| id.0),
        other: event.other.map(|id| id.0),
        terms: event.terms.iter().map(|term| (&*term.name, Some(term.value))).collect(),
    })
}

impl News {
    /// The messages that tell it.
    pub fn messages(&self, lane: usize, epoch: u64) -> Vec<String> {
        let mut messages = Vec::new();
        if !self.events.is_empty() {
            let list: Vec<Value> = self.events.iter().map(event_text).collect();
            let text =
                json!({"type": "events", "lane": lane, "epoch": epoch, "from": self.from, "list": list});
            messages.push(text.to_string());
        }
        if !(self.shifts.is_empty() && self.samples.is_empty()) {
            let (shifts, samples) = (&self.shifts, &self.samples);
            let text = json!({"type": "history", "lane": lane, "epoch": epoch, "shifts": shifts, "samples": samples});
            messages.push(text.to_string());
        }
        if let Some(chart) = &self.chart {
            // What is no number becomes null.
            let row = |(time, levels): &(f64, Vec<f32>)| {
                let rest = levels.iter().map(|level| json!(level));
                Value::Array([json!(time)].into_iter().chain(rest).collect())
            };
            let rows: Vec<Value> = chart.rows.iter().map(row).collect();
            let text = json!({
                "type": "chart", "lane": lane, "epoch": epoch, "robot": chart.robot, "fresh": chart.fresh, "rows": rows,
            });
            messages.push(text.to_string());
        }
        messages
    }
}
