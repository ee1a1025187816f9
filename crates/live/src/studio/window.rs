//! Publishes views of the runs when something has changed, and no more often than needed.

use super::branch::{Branch, Deed, Past};
use super::lane::Lane;
use super::runs::Runs;
use super::{Want, Wants};
use crate::show::{Camera, DeedList, Subject, View, status};
use crewlab_lab::sim::Operator;
use crewlab_lab::sim::onboard::TaskSpec;
use crewlab_lab::sim::radio::Radio;
use serde_json::json;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// Interval between two updates of the status.
const STATUS: Duration = Duration::from_millis(100);

/// The playback state.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Playing {
    /// True if it plays.
    pub on: bool,
    /// Speed as a multiple of real time; `None` for as fast as possible.
    pub speed: Option<f64>,
    /// The current activity of the studio.
    pub busy: Option<&'static str>,
    /// Number of commands executed.
    pub orders: u64,
}

/// What a view shows, in short.
#[derive(Clone, PartialEq)]
struct Pulse {
    now: u64,
    epochs: Vec<u64>,
    deeds: usize,
    playing: Playing,
    wants: Vec<Want>,
}

/// The published views.
pub(super) struct Window {
    wants: Arc<Wants>,
    views: watch::Sender<Arc<View>>,
    camera: Camera,
    /// What was published last.
    seen: Option<Pulse>,
    /// True if something has happened since the last status, ...
    stale: bool,
    /// ... which was sent then.
    told: Option<Instant>,
    status: Arc<str>,
    deeds: Arc<DeedList>,
    /// The numbers of the deeds in the list.
    listed: Vec<u64>,
}

impl Window {
    /// A window without a view yet.
    pub(super) fn new(wants: Arc<Wants>) -> (Window, watch::Receiver<Arc<View>>) {
        let nothing: Arc<str> = "".into();
        let deeds = Arc::new(DeedList::default());
        let view = View { lanes: Vec::new(), status: nothing.clone(), deeds: deeds.clone() };
        let (views, receiver) = watch::channel(Arc::new(view));
        let window = Window {
            wants,
            views,
            camera: Camera::default(),
            seen: None,
            stale: false,
            told: None,
            status: nothing,
            deeds,
            listed: Vec::new(),
        };
        (window, receiver)
    }

    /// Publishes a view if it is due, if there is something new, and if anybody watches. `speed` returns the recent simulated seconds
    /// per second and the time spent playing.
    pub(super) fn show(&mut self, runs: &mut Runs, playing: Playing, speed: (f64, Duration)) {
        let wants = self.wants.all();
        for (index, lane) in runs.lanes.iter_mut().enumerate() {
            let watched = wants.iter().filter(|want| want.lane == index).filter_map(|want| want.robot);
            lane.watched.clear();
            lane.watched.extend(watched);
            lane.watched.sort_unstable();
            lane.watched.dedup();
        }
        let pulse = Pulse {
            now: runs.now,
            epochs: runs.branch().pasts.iter().map(|past| past.epoch).collect(),
            deeds: runs.branch().deeds.len(),
            playing,
            wants,
        };
        let nobody = pulse.wants.is_empty() && self.seen.is_some();
        let nothing_new = self.seen.as_ref() == Some(&pulse) && !self.stale && !self.camera.behind();
        if nobody || nothing_new || !self.camera.due() {
            return;
        }
        self.camera.begin(runs.lanes.len());
        let mut lanes = Vec::new();
        for (index, (lane, past)) in runs.lanes.iter().zip(&runs.branch().pasts).enumerate() {
            let subject = Subject {
                lane: index,
                epoch: past.epoch,
                scenario: &past.start.scenario,
                key: past.start.key.as_deref(),
                simulation: &lane.simulation,
                history: &past.history,
                mail: &lane.mail,
            };
            lanes.push(self.camera.shoot(&subject, &pulse.wants));
        }
        self.tell(runs, &pulse, speed);
        self.seen = Some(pulse);
        let (status, deeds) = (self.status.clone(), self.deeds.clone());
        self.views.send_replace(Arc::new(View { lanes, status, deeds }));
    }

    /// Updates the texts about the whole run.
    fn tell(&mut self, runs: &Runs, pulse: &Pulse, speed: (f64, Duration)) {
        let steady = self.seen.as_ref().is_some_and(|seen| Pulse { now: seen.now, ..pulse.clone() } == *seen);
        self.stale = steady && self.told.is_some_and(|told| told.elapsed() < STATUS);
        if !self.stale {
            self.told = Some(Instant::now());
            self.status = json!(status(runs, pulse, speed)).to_string().into();
        }
        let same = |seen: &Pulse| (seen.deeds, &seen.epochs) == (pulse.deeds, &pulse.epochs);
        if !self.seen.as_ref().is_some_and(same) {
            self.list(runs.branch());
        }
    }

    /// Updates the list of deeds.
    fn list(&mut self, branch: &Branch) {
        let numbers: Vec<u64> = branch.deeds.iter().map(|deed| deed.number).collect();
        let deeds = Arc::make_mut(&mut self.deeds);
        if !numbers.starts_with(&self.listed) {
            *deeds = DeedList { edition: deeds.edition + 1, list: Vec::new() };
        }
        let known = deeds.list.len();
        deeds
            .list
            .extend(branch.deeds.iter().enumerate().skip(known).map(|(place, deed)| deed_text(place, deed)));
        self.listed = numbers;
    }
}

fn deed_text(place: usize, deed: &Deed) -> Arc<str> {
    let text = status::Deed {
        number: place,
        at: deed.spec.timing.at.unwrap_or_default(),
        text: &deed.text,
        entry: serde_json::to_value(&deed.spec).unwrap_or_default(),
    };
    json!(text).to_string().into()
}

fn status(runs: &Runs, pulse: &Pulse, (factor, wall): (f64, Duration)) -> status::Status {
    let branch = runs.branch();
    let (count, bytes) = runs.snapshots();
    let branches = runs.branches.iter().enumerate().map(|(id, branch)| status::Branch {
        id,
        parent: branch.parent,
        from: runs.seconds(branch.from),
        end: runs.seconds(branch.end()),
        title: branch.title.clone(),
    });
    let playing = &pulse.playing;
    status::Status {
        playing: playing.on,
        speed: playing.speed,
        time: runs.seconds(runs.now),
        tick: runs.now,
        end: runs.seconds(branch.end()),
        end_tick: branch.end(),
        factor,
        wall: wall.as_secs_f64(),
        busy: playing.busy,
        lanes: runs.lanes.iter().zip(&branch.pasts).map(|(lane, past)| lane_status(lane, past)).collect(),
        branches: branches.collect(),
        branch: runs.current,
        questions: runs.lanes.iter().enumerate().flat_map(|(index, lane)| questions(index, lane)).collect(),
        snapshots: status::Snapshots { count, bytes, bound: runs.memory() },
        orders: playing.orders,
        viewers: pulse.wants.len(),
    }
}

/// The open questions of a lane's robots.
fn questions(index: usize, lane: &Lane) -> Vec<status::Question> {
    let open = lane.simulation.state.questions();
    open.map(|(robot, question)| status::Question {
        lane: index,
        robot,
        number: question.number,
        text: question.text.clone(),
        choices: question.choices.clone(),
        asked: question.asked.seconds(),
    })
    .collect()
}

/// What the operator wants differently than at the start.
fn changes(tasks: &[TaskSpec], operator: &Operator) -> Vec<(usize, bool, f64)> {
    let word = |(number, task): (usize, &TaskSpec)| {
        let now = operator.word(number)?;
        let changed = now.open != task.open || now.weight != task.weight;
        changed.then_some((number, now.open, now.weight))
    };
    tasks.iter().enumerate().filter_map(word).collect()
}

fn lane_status(lane: &Lane, past: &Past) -> status::Lane {
    let (model, state) = (&lane.simulation.model, &lane.simulation.state);
    let (tally, finished) = (state.radio.tally(), lane.simulation.finished());
    status::Lane {
        epoch: past.epoch,
        coordinator: state.coordinator(model).to_string(),
        progress: state.verdict.progress,
        completed: state.verdict.completed,
        finished,
        sent: tally.copies,
        delivered: tally.delivered,
        lost: tally.lost.total(),
        operator: changes(&model.tasks, &state.operator),
        result_hash: lane.result.clone(),
    }
}
