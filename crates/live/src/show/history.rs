//! The history of one lane, for viewers that join late or missed something.

use crewlab_lab::sim::Logged;
use crewlab_lab::sim::onboard::{Cause, EventKind, Names, Reason, RobotId};
use serde::Serialize;
use serde_json::{Value, json};

/// Number of events kept; older ones are dropped. An export has them all.
const MOST_EVENTS: usize = 200_000;
/// Number of entries sent at once: the rest follows with the next frames.
const AT_ONCE: usize = 2_000;

/// One moment of the mission.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The time. [s]
    pub time: f64,
    /// The share that is done.
    pub progress: f64,
    /// Messages sent, delivered and lost.
    pub messages: [u64; 3],
    /// The values of the mission's measures.
    pub measures: Vec<Option<f64>>,
}

impl Sample {
    /// As a row for viewers.
    fn row(&self) -> Vec<Value> {
        let head = [json!(self.time), json!(self.progress)].into_iter();
        head.chain(self.messages.map(|count| json!(count)))
            .chain(self.measures.iter().map(|value| json!(value)))
            .collect()
    }
}

/// An event and its sentence, made when it happened: names are known then.
#[derive(Clone, Debug, PartialEq)]
pub struct ToldEvent {
    /// The event.
    pub logged: Logged,
    /// The event as a sentence.
    pub why: String,
}

/// The history.
#[derive(Clone, Debug, Default)]
pub struct History {
    events: Vec<ToldEvent>,
    /// The tick of each event: the time of an event at the border of two ticks is ambiguous.
    ticks: Vec<u64>,
    /// Number of dropped events.
    forgotten: usize,
    /// Starts of work: time, robot, behaviour set or -1.
    shifts: Vec<(f64, RobotId, i32)>,
    samples: Vec<Sample>,
    /// Times of the rows of levels.
    moments: Vec<f64>,
    /// Levels of all robots' behaviour sets, row by row; NaN where there is none.
    levels: Vec<f32>,
    /// Start of each robot's levels within a row, followed by the length of a row.
    columns: Vec<usize>,
}

/// A viewer's read position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cursor {
    events: usize,
    shifts: usize,
    samples: usize,
    /// The watched robot and the number of its rows read.
    chart: Option<(RobotId, usize)>,
}

/// The unread part, to be turned into messages without holding the lock.
#[derive(Debug, Default)]
pub struct News {
    from: usize,
    events: Vec<ToldEvent>,
    shifts: Vec<(f64, RobotId, i32)>,
    samples: Vec<Sample>,
    chart: Option<Chart>,
}

#[derive(Debug)]
struct Chart {
    robot: RobotId,
    fresh: bool,
    rows: Vec<(f64, Vec<f32>)>,
}

impl History {
    /// An empty history of robots with the given numbers of behaviour sets.
    pub fn new(sets: impl IntoIterator<Item = usize>) -> History {
        let mut columns = vec![0];
        for count in sets {
            columns.push(columns[columns.len() - 1] + count);
        }
        History { columns, ..History::default() }
    }

    /// Approximate memory use. [bytes]
    pub(crate) fn memory(&self) -> usize {
        let per_event = size_of::<ToldEvent>() + 256;
        let shifts = self.shifts.len() * size_of::<(f64, RobotId, i32)>();
        self.events.len() * per_event + shifts + self.levels.len() * size_of::<f32>()
    }

    /// Adds the events of a tick.
    pub fn note(&mut self, tick: u64, events: &[Logged], names: &dyn Names) {
        let told = |logged: &Logged| ToldEvent { logged: logged.clone(), why: logged.event.sentence(names) };
        self.events.extend(events.iter().map(told));
        self.ticks.resize(self.events.len(), tick);
        if self.events.len() > MOST_EVENTS {
            // Drops a quarter at once, so that it does not happen in every tick.
            let gone = self.events.len() - MOST_EVENTS * 3 / 4;
            self.events.drain(..gone);
            self.ticks.drain(..gone);
            self.forgotten += gone;
        }
    }

    /// A robot starts other work, or none.
    pub fn shift(&mut self, time: f64, robot: RobotId, behaviour: Option<u8>) {
        self.shifts.push((time, robot, behaviour.map_or(-1, i32::from)));
    }

    /// Adds the progress of the mission.
    pub fn sample(&mut self, sample: Sample) {
        self.samples.push(sample);
    }

    /// Adds the levels of all robots' behaviour sets.
    pub fn levels(&mut self, time: f64, row: impl IntoIterator<Item = f32>) {
        self.moments.push(time);
        self.levels.extend(row);
    }

    /// The last event up to a time that explains a robot's work. [s]
    pub fn last_choice(&self, robot: RobotId, until: f64) -> Option<&ToldEvent> {
        let about = |told: &&ToldEvent| {
            let (logged, event) = (&told.logged, &told.logged.event);
            let chosen = event.behaviour.is_some() || event.task.is_some();
            chosen && logged.robot == Some(robot)
        };
        let gone = self.events.partition_point(|told| told.logged.time.seconds() <= until + 1e-9);
        self.events[..gone].iter().rev().find(about)
    }

    /// The history before a tick that begins at this time: the start of a branch.
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
            samples: self.samples[..self.samples.partition_point(|sample| sample.time <= end)].to_vec(),
            moments: self.moments[..moments].to_vec(),
            levels: self.levels[..moments * stride].to_vec(),
            columns: self.columns.clone(),
        }
    }

    /// The unread part, limited in size, with the levels of the watched robot.
    pub fn news(&self, cursor: &mut Cursor, watched: Option<RobotId>) -> News {
        let from = cursor.events.max(self.forgotten);
        let events = &self.events[(from - self.forgotten).min(self.events.len())..];
        let events = events[..events.len().min(AT_ONCE)].to_vec();
        cursor.events = from + events.len();
        let shifts = unread(&self.shifts, &mut cursor.shifts);
        let samples = unread(&self.samples, &mut cursor.samples);
        let chart = watched.filter(|robot| robot.index() + 1 < self.columns.len()).and_then(|robot| {
            let (fresh, read) = match cursor.chart {
                Some((before, read)) if before == robot => (false, read),
                _ => (true, 0),
            };
            let moments = &self.moments[read.min(self.moments.len())..];
            let count = moments.len().min(AT_ONCE);
            cursor.chart = Some((robot, read + count));
            let stride = self.columns.last().copied().unwrap_or(0);
            let (low, high) = (self.columns[robot], self.columns[robot.index() + 1]);
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

/// Most events have few of the fields, and a viewer that joins late gets thousands of events at once: empty fields are left out.
#[derive(Serialize)]
struct EventText<'a> {
    t: f64,
    kind: EventKind,
    why: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    robot: Option<RobotId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    behaviour: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    task: Option<u16>,
    #[serde(skip_serializing_if = "is_undivided")]
    subject: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    other: Option<RobotId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thing: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<[f64; 2]>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    bids: Vec<(RobotId, u16, f64, bool)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    terms: Vec<(&'a str, Option<RobotId>, f64)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    disturbance: Option<DisturbanceText<'a>>,
}

fn is_undivided(subject: &u32) -> bool {
    *subject == 0
}

#[derive(Serialize)]
struct DisturbanceText<'a> {
    what: &'a str,
    planned: bool,
    lasts: Option<f64>,
}

/// An event as sent to viewers.
pub(crate) fn event_text(told: &ToldEvent) -> Value {
    let (logged, event) = (&told.logged, &told.logged.event);
    let disturbance = match &event.reason {
        Some(Reason::Disturbed { cause, lasts }) => {
            Some(DisturbanceText { what: &event.words, planned: *cause == Cause::Planned, lasts: *lasts })
        }
        _ => None,
    };
    json!(EventText {
        t: logged.time.seconds(),
        kind: event.kind,
        why: &told.why,
        robot: logged.robot,
        behaviour: event.behaviour.map(|id| id.0),
        task: event.task.map(|id| id.0),
        subject: event.subject,
        other: event.other,
        thing: event.thing.as_deref(),
        place: event.place.map(|at| [at.x, at.y]),
        bids: event.bids.iter().map(|bid| (bid.robot, bid.part.0, bid.value, bid.won)).collect(),
        // Non-finite numbers become null.
        terms: event.terms.iter().map(|term| (term.name, term.of, term.value)).collect(),
        disturbance,
    })
}

impl News {
    /// The messages for it.
    pub fn messages(&self, lane: usize, epoch: u64) -> Vec<String> {
        let mut messages = Vec::new();
        if !self.events.is_empty() {
            let list: Vec<Value> = self.events.iter().map(event_text).collect();
            let text =
                json!({"type": "events", "lane": lane, "epoch": epoch, "from": self.from, "list": list});
            messages.push(text.to_string());
        }
        if !(self.shifts.is_empty() && self.samples.is_empty()) {
            let samples: Vec<Vec<Value>> = self.samples.iter().map(Sample::row).collect();
            let shifts = &self.shifts;
            let text = json!({"type": "history", "lane": lane, "epoch": epoch, "shifts": shifts, "samples": samples});
            messages.push(text.to_string());
        }
        if let Some(chart) = &self.chart {
            // NaN becomes null.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_lab::sim::onboard::{Event, RobotId, TaskId, Time};
    use std::borrow::Cow;

    /// The names are not used by these events.
    struct Nobody;

    impl Names for Nobody {
        fn robot(&self, _: RobotId) -> Cow<'_, str> {
            "?".into()
        }

        fn task(&self, _: TaskId) -> Cow<'_, str> {
            "?".into()
        }
    }

    fn event(tick: u64, robot: u16, about: bool) -> Logged {
        let task = about.then_some(TaskId(0));
        let event = Event { task, ..Event::new(EventKind::Learned).saying(format!("in tick {tick}")) };
        Logged { time: Time(tick * 100_000_000), robot: Some(RobotId(robot)), event }
    }

    fn history(ticks: u64) -> History {
        let mut history = History::new([2, 1]);
        for tick in 0..ticks {
            let now = (tick + 1) as f64 * 0.1;
            history.note(tick, &[event(tick, 0, tick % 2 == 0)], &Nobody);
            history.shift(now, RobotId(1), Some(tick as u8));
            let measures = vec![Some(1.0), None];
            history.sample(Sample { time: now, progress: 0.5, messages: [tick, tick, 0], measures });
            history.levels(now, [1.0, f32::NAN, tick as f32]);
        }
        history
    }

    #[test]
    fn a_reader_gets_every_entry_exactly_once() {
        let whole = history(5_000);
        let (mut cursor, mut events, mut rows) = (Cursor::default(), 0, 0);
        for _ in 0..10 {
            let news = whole.news(&mut cursor, Some(RobotId(1)));
            assert_eq!(news.from, events);
            events += news.events.len();
            rows += news.chart.as_ref().map_or(0, |chart| chart.rows.len());
            assert!(news.chart.iter().flat_map(|chart| &chart.rows).all(|(_, levels)| levels.len() == 1));
        }
        assert_eq!((events, rows), (5_000, 5_000));
        assert!(whole.news(&mut cursor, Some(RobotId(1))).messages(0, 1).is_empty(), "nothing is new");
        let other = whole.news(&mut cursor, Some(RobotId(0)));
        assert!(other.chart.is_some_and(|chart| chart.fresh && chart.rows[0].1.len() == 2), "another robot");
    }

    #[test]
    fn a_branch_begins_with_the_history_before_it() {
        let part = history(100).before(40, 4.0);
        let news = part.news(&mut Cursor::default(), Some(RobotId(0)));
        assert_eq!((news.events.len(), news.shifts.len(), news.samples.len()), (40, 40, 40));
        assert_eq!(news.chart.map(|chart| chart.rows.len()), Some(40));
    }

    #[test]
    fn the_reason_is_the_last_event_about_a_task_up_to_then() {
        let whole = history(100);
        let why = |until| whole.last_choice(RobotId(0), until).map(|told| told.why.clone());
        assert_eq!(why(5.05).as_deref(), Some("in tick 50"));
        assert_eq!(why(5.15).as_deref(), Some("in tick 50"), "tick 51 says nothing about a task");
        assert_eq!(whole.last_choice(RobotId(1), 100.0), None);
    }

    #[test]
    fn old_events_are_dropped_and_readers_get_their_position() {
        let mut long = History::new([]);
        for tick in 0..MOST_EVENTS as u64 + 10 {
            long.note(tick, &[event(tick, 0, false)], &Nobody);
        }
        let news = long.news(&mut Cursor::default(), None);
        assert_eq!(news.events[0].why, format!("in tick {}", news.from));
        assert!(news.from > 0 && long.events.len() <= MOST_EVENTS);
    }

    #[test]
    fn nan_is_null_for_the_page() {
        let news = history(1).news(&mut Cursor::default(), Some(RobotId(0)));
        let chart = news.messages(0, 7).pop().expect("a chart");
        assert!(chart.contains("[[0.1,1.0,null]]"), "{chart}");
    }
}
