//! Executes commands on the runs.

use super::branch::{Deed, Start};
use super::pace::Pace;
use super::runs::Runs;
use super::saving::{Saved, export, save};
use super::window::{Playing, Window};
use super::{Answer, Exports, Order, StudioOptions, Wants, hands};
use crate::shelf;
use crate::show::View;
use crate::wire::Command;
use crewlab_lab::sim::disturbances::AnyDisturbance;
use crewlab_lab::sim::teams;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{oneshot, watch};

/// Longest work between two checks for commands.
const SLICE: Duration = Duration::from_millis(8);
/// Largest number of commands executed before the run continues.
const AT_ONCE: usize = 64;
/// How long to wait for commands when idle.
const PAUSE: Duration = Duration::from_millis(25);
/// Commands may use one in this many parts of the run's time.
const ORDERS_SHARE: u32 = 10;
/// Distances up to this are covered at once. [ticks]
const SHORT_WAY: u64 = 200;
/// Largest number of ticks that one command can ask for.
const MOST_STEPS: u32 = 100_000;
/// The slowest and the fastest speed that can be chosen.
const SPEEDS: std::ops::RangeInclusive<f64> = 0.01..=100_000.0;

/// A tick to reach, as fast as possible.
#[derive(Clone, Copy, Debug)]
struct Aim {
    tick: u64,
    errand: Errand,
}

/// The reason for a journey.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Errand {
    /// A person stepped a few ticks.
    Step,
    /// A person went to another moment.
    Look,
    /// A person intervened while the run was paused.
    Deed,
    /// The run is repeated from its start.
    Again,
}

impl Errand {
    fn words(self) -> &'static str {
        match self {
            Errand::Step => "stepping",
            Errand::Look => "going there",
            Errand::Deed => "doing it",
            Errand::Again => "repeating the run",
        }
    }
}

/// True while it exists.
struct Flag(Arc<AtomicBool>);

impl Flag {
    /// Raises the flag, unless it is raised already.
    fn raise(flag: &Arc<AtomicBool>) -> Option<Flag> {
        (!flag.swap(true, Ordering::Relaxed)).then(|| Flag(flag.clone()))
    }
}

impl Drop for Flag {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

/// The result of loading a run from the shelf.
struct Loaded {
    start: Result<Start, String>,
    reply: oneshot::Sender<Answer>,
    /// Raised until it is processed.
    _flag: Flag,
}

/// Owns and controls the runs.
pub(super) struct Director {
    options: StudioOptions,
    exports: Exports,
    /// True while an export is being written.
    exporting: Arc<AtomicBool>,
    /// True while a run from the shelf is being loaded.
    opening: Arc<AtomicBool>,
    /// The channel on which it arrives.
    loaded: (Sender<Loaded>, Receiver<Loaded>),
    window: Window,
    runs: Runs,
    aim: Option<Aim>,
    wants: Arc<Wants>,
    /// Who drives which robot by hand: the viewer's number by the robot's name.
    drivers: BTreeMap<String, u64>,
    /// The time that commands have used beyond their share.
    debt: Duration,
    playing: bool,
    pace: Pace,
    /// Number of commands executed.
    orders: u64,
    closed: bool,
}

impl Director {
    /// A director for runs of these scenarios, one per lane.
    pub(super) fn new(
        starts: Vec<Start>,
        options: StudioOptions,
        wants: Arc<Wants>,
        exports: Exports,
    ) -> (Director, watch::Receiver<Arc<View>>) {
        let (window, receiver) = Window::new(wants.clone());
        let mut director = Director {
            exports,
            exporting: Arc::default(),
            opening: Arc::default(),
            loaded: channel(),
            window,
            runs: Runs::new(options.threads > 1, options.memory),
            aim: None,
            wants,
            drivers: BTreeMap::new(),
            debt: Duration::ZERO,
            playing: options.play,
            pace: Pace::new(options.speed),
            orders: 0,
            closed: false,
            options,
        };
        director.runs.begin(starts);
        director.set_playing(director.playing);
        director.show();
        (director, receiver)
    }

    /// Runs until all handles are dropped.
    pub(super) fn run(mut self, orders: Receiver<Order>) {
        while !self.closed {
            self.listen(&orders);
            self.change();
            self.advance();
            self.show();
        }
    }

    /// Executes commands; waits for them if there is nothing else to do. While the run plays, commands may use a tenth of its time:
    /// slow ones delay the commands that follow, not the run.
    fn listen(&mut self, orders: &Receiver<Order>) {
        let wait = self.idle_for();
        if !wait.is_zero() {
            match orders.recv_timeout(wait) {
                Ok(order) => self.obey(order),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => self.closed = true,
            }
        }
        for _ in 0..AT_ONCE {
            if !self.debt.is_zero() {
                return;
            }
            match orders.try_recv() {
                Ok(order) => self.obey(order),
                Err(TryRecvError::Empty) => return,
                Err(TryRecvError::Disconnected) => {
                    self.closed = true;
                    return;
                }
            }
        }
    }

    fn idle_for(&self) -> Duration {
        if self.aim.is_some() {
            Duration::ZERO
        } else if self.playing {
            self.pace.wait(self.runs.now, self.runs.dt()).min(PAUSE)
        } else {
            PAUSE
        }
    }

    fn show(&mut self) {
        self.pace.measure(self.runs.now, self.runs.dt(), self.playing && self.aim.is_none());
        let opening = || self.opening.load(Ordering::Relaxed).then_some("opening a run");
        let busy = self.aim.map(|aim| aim.errand.words()).or_else(opening);
        let playing = Playing { on: self.playing, speed: self.pace.speed, busy, orders: self.orders };
        self.window.show(&mut self.runs, playing, (self.pace.factor, self.pace.spent()));
    }

    /// Advances the run for a short while.
    fn advance(&mut self) {
        self.let_go();
        let start = Instant::now();
        loop {
            let due = match self.aim {
                Some(aim) => aim.tick,
                None if self.playing => self.pace.due(self.runs.now, self.runs.dt()),
                None => {
                    self.debt = Duration::ZERO;
                    return;
                }
            };
            if self.runs.finished() || self.runs.now >= due {
                break;
            }
            self.runs.tick();
            if start.elapsed() >= SLICE {
                break;
            }
        }
        self.debt = self.debt.saturating_sub((start.elapsed() + self.idle_for()) / ORDERS_SHARE);
        if self.aim.is_some_and(|aim| self.runs.now >= aim.tick || self.runs.finished()) {
            self.aim = None;
            self.pace.anchor(self.runs.now);
        }
        if self.playing && self.aim.is_none() && self.runs.finished() {
            self.set_playing(false);
        }
    }

    /// Returns robots to their software when their driver has left, as soon as the run is where they are driven.
    fn let_go(&mut self) {
        let left = self.drivers.iter().find(|(_, viewer)| !self.wants.has(**viewer));
        let Some(robot) = left.map(|(robot, _)| robot.clone()) else { return };
        if self.aim.is_some() || self.runs.now != self.runs.branch().end() {
            return;
        }
        self.drivers.remove(&robot);
        // If the run is over there is nothing left to drive.
        let _ = self.disturb(0, [("release".to_string(), json!(robot))].into_iter().collect(), None);
    }

    fn set_playing(&mut self, playing: bool) {
        self.playing = playing;
        self.pace.playing(playing);
        self.pace.anchor(self.runs.now);
    }

    fn obey(&mut self, order: Order) {
        let Order { viewer, command, reply } = order;
        let start = Instant::now();
        self.orders += 1;
        match command {
            Command::Export { lane } => self.export(lane, reply),
            Command::Open { key } => self.open(key, reply),
            command => {
                // A viewer who has left needs no answer.
                let _ = reply.send(self.act(viewer, command));
            }
        }
        self.debt += start.elapsed();
    }

    fn act(&mut self, viewer: u64, command: Command) -> Answer {
        match command {
            Command::Play {} => {
                if self.runs.finished() && self.aim.is_none() {
                    return Err("the run is over: go back or start it again".into());
                }
                self.set_playing(true);
            }
            Command::Pause {} => {
                self.set_playing(false);
                self.aim = self.aim.filter(|aim| aim.errand != Errand::Step);
            }
            Command::Step { ticks } => {
                let ticks = ticks.unwrap_or(1);
                if !(1..=MOST_STEPS).contains(&ticks) {
                    return Err(format!("a step must have 1 to {MOST_STEPS} ticks, found {ticks}"));
                }
                self.not_again()?;
                self.set_playing(false);
                let from = self.aim.map_or(self.runs.now, |aim| aim.tick);
                self.aim = Some(Aim { tick: from + u64::from(ticks), errand: Errand::Step });
            }
            Command::Speed { factor } => {
                if let Some(factor) = factor.filter(|factor| !SPEEDS.contains(factor)) {
                    let (low, high) = (SPEEDS.start(), SPEEDS.end());
                    return Err(format!(
                        "a speed must be from {low} to {high} times real time, or null; found {factor}"
                    ));
                }
                self.pace.speed = factor;
                self.pace.anchor(self.runs.now);
            }
            Command::Restart { seed, coordinator } => self.restart(seed, coordinator)?,
            Command::Seek { time } => self.seek(time)?,
            Command::Branch { branch } => self.switch(branch)?,
            Command::Disturb { entry, lane } => return self.disturb(viewer, entry, lane),
            Command::AddRobot { like, place } => return self.add_robot(like, place),
            Command::Compare { coordinator } => self.compare(coordinator)?,
            Command::Save { lane } => {
                let Saved { name, text, result_hash } = self.saved(lane)?;
                return Ok(json!({"name": name, "text": text, "result_hash": result_hash}));
            }
            Command::Watch { .. } | Command::Export { .. } | Command::Open { .. } => {
                return Err("this command is not for the studio".into());
            }
        }
        Ok(Value::Null)
    }

    /// The run of a lane so far, as a scenario.
    fn saved(&self, index: Option<usize>) -> Result<Saved, String> {
        let (lane, past) = self.runs.lane(index)?;
        let deeds = self.runs.branch().deeds_before(lane.simulation.state.tick);
        save(index.unwrap_or(0), lane, past, deeds)
    }

    /// Writes all results of the run so far, in the background.
    fn export(&self, lane: Option<usize>, reply: oneshot::Sender<Answer>) {
        let busy = || "an export is in progress: wait until it is done".to_string();
        let flag = Flag::raise(&self.exporting).ok_or_else(busy);
        let (flag, saved) = match flag.and_then(|flag| Ok((flag, self.saved(lane)?))) {
            Ok(both) => both,
            Err(why) => {
                let _ = reply.send(Err(why));
                return;
            }
        };
        let (into, exports) = (self.options.exports.clone(), self.exports.clone());
        std::thread::spawn(move || {
            let answer = export(&saved, &into, 1).map(|(folder, name)| {
                let report = format!("exports/{name}/report.html");
                let shown = folder.display().to_string();
                exports.lock().unwrap_or_else(PoisonError::into_inner).insert(name, folder);
                json!({"folder": shown, "report": report, "result_hash": saved.result_hash})
            });
            drop(flag);
            let _ = reply.send(answer);
        });
    }

    /// Loads a run from the shelf, in the background.
    fn open(&self, key: String, reply: oneshot::Sender<Answer>) {
        let busy = || "another run is being opened: wait until it is open".to_string();
        let none =
            || "there are no other runs here: `crewlab live FOLDER` opens those in a folder".to_string();
        let shelf = self.options.shelf.clone().ok_or_else(none);
        let ready = shelf.and_then(|shelf| Ok((shelf, Flag::raise(&self.opening).ok_or_else(busy)?)));
        let (shelf, flag) = match ready {
            Ok(both) => both,
            Err(why) => {
                let _ = reply.send(Err(why));
                return;
            }
        };
        let loaded = self.loaded.0.clone();
        std::thread::spawn(move || {
            let start = shelf::find(&*shelf, &key)
                .and_then(|request| Start::load(request).map_err(|problems| problems.brief()))
                .map(|start| Start { key: Some(key), ..start });
            // The studio may have closed.
            let _ = loaded.send(Loaded { start, reply, _flag: flag });
        });
    }

    /// Switches to a requested run once it is loaded. One that failed to load changes nothing.
    fn change(&mut self) {
        while let Ok(Loaded { start, reply, _flag }) = self.loaded.1.try_recv() {
            let begun = Instant::now();
            let answer = start.map(|start| {
                self.begin(vec![start], self.options.play);
                Value::Null
            });
            let _ = reply.send(answer);
            self.debt += begun.elapsed();
        }
    }

    /// Restarts without any deeds.
    fn begin(&mut self, starts: Vec<Start>, playing: bool) {
        self.runs.begin(starts);
        self.aim = None;
        self.drivers.clear();
        self.pace = Pace::new(self.pace.speed);
        self.set_playing(playing);
    }

    /// Restarts, optionally with another seed or coordinator; without robots that were added by hand.
    fn restart(&mut self, seed: Option<u64>, coordinator: Option<String>) -> Result<(), String> {
        let chosen = coordinator.as_deref().map(chosen).transpose()?;
        let same = seed.is_none() && chosen.is_none();
        let again = self.runs.branch().pasts.iter().enumerate().map(|(lane, past)| {
            let mut request = past.start.origin.clone();
            request.seed = seed.or(request.seed);
            request.sets.extend(chosen.clone().filter(|_| lane == 0));
            let loaded = Start::load(request).map_err(|problems| problems.brief())?;
            Ok(Start { key: past.start.key.clone().filter(|_| same), ..loaded })
        });
        let starts = again.collect::<Result<Vec<Start>, String>>()?;
        self.begin(starts, self.playing);
        Ok(())
    }

    /// Refuses a command while the run is being repeated.
    fn not_again(&self) -> Result<(), String> {
        match self.aim {
            Some(Aim { errand: Errand::Again, .. }) => Err(busy(Errand::Again)),
            _ => Ok(()),
        }
    }

    fn seek(&mut self, time: f64) -> Result<(), String> {
        if !time.is_finite() || time < 0.0 {
            return Err(format!("a time must be from 0 s to the current end of the run; found {time}"));
        }
        self.not_again()?;
        let tick = ((time / self.runs.dt()).round() as u64).min(self.runs.branch().end());
        self.runs.approach(tick);
        self.aim = Some(Aim { tick, errand: Errand::Look });
        Ok(())
    }

    fn switch(&mut self, id: usize) -> Result<(), String> {
        self.not_again()?;
        let tick = self.runs.switch(id)?;
        self.set_playing(false);
        self.drivers.clear();
        self.aim = Some(Aim { tick, errand: Errand::Look });
        Ok(())
    }

    /// Covers a short distance at once; reports that it is busy otherwise.
    fn arrive(&mut self) -> Result<(), String> {
        let Some(Aim { tick, errand }) = self.aim else { return Ok(()) };
        if tick.saturating_sub(self.runs.now) > SHORT_WAY {
            return Err(busy(errand));
        }
        while self.runs.now < tick && !self.runs.finished() {
            self.runs.tick();
        }
        self.aim = None;
        self.pace.anchor(self.runs.now);
        Ok(())
    }

    /// Applies a deed in the next tick, or tells why not.
    fn disturb(&mut self, viewer: u64, entry: Map<String, Value>, lane: Option<usize>) -> Answer {
        self.arrive()?;
        let deed = hands::deed(entry, lane, &mut self.runs)?;
        let text = deed.text.clone();
        self.runs.part(&text)?;
        match &deed.spec.what {
            AnyDisturbance::TakeOver(taken) => {
                self.drivers.insert(taken.robot.clone(), viewer);
            }
            AnyDisturbance::Release(robot) => {
                self.drivers.remove(&robot.0);
            }
            _ => {}
        }
        self.runs.add(deed);
        if !self.playing {
            // Advances the run so that the effect is visible.
            self.aim = Some(Aim { tick: self.runs.now + 1, errand: Errand::Deed });
        }
        Ok(json!({"text": text}))
    }

    /// Adds a robot: the run is repeated from the start up to now with it in reserve, and then it joins.
    fn add_robot(&mut self, like: usize, place: [f64; 2]) -> Answer {
        self.arrive()?;
        hands::not_over(&self.runs)?;
        self.runs.room_for_a_branch()?;
        let (name, set) = hands::reserve(like, &self.runs)?;
        let again = self.runs.branch().pasts.iter().map(|past| {
            let mut request = past.start.request.clone();
            request.sets.push(set.clone());
            let loaded = Start::load(request).map_err(|problems| problems.brief())?;
            let Start { origin, key, .. } = past.start.clone();
            Ok(Start { origin, key, ..loaded })
        });
        let starts = again.collect::<Result<Vec<Start>, String>>()?;
        let Some(first) = starts.first() else { return Err("there is no run".into()) };
        let deed = hands::joins(&name, place, &first.scenario.start, &mut self.runs)?;
        let text = deed.text.clone();
        self.again(starts, Some(deed));
        Ok(json!({"text": text, "robot": name}))
    }

    /// Starts or ends a comparison with another coordinator on the same seed.
    fn compare(&mut self, coordinator: Option<String>) -> Result<(), String> {
        self.runs.room_for_a_branch()?;
        self.arrive()?;
        let (_, first) = self.runs.lane(None)?;
        let Some(coordinator) = coordinator else {
            if self.runs.lanes.len() < 2 {
                return Err("nothing is being compared".into());
            }
            let title = first.start.scenario.setup.coordinator.clone();
            self.runs.split(title, 1);
            self.pace.anchor(self.runs.now);
            return Ok(());
        };
        let deeds = self.runs.branch().deeds_up_to(self.runs.now);
        if deeds.iter().any(|deed| matches!(deed.spec.what, AnyDisturbance::Coordinator(_))) {
            return Err(
                "the coordinator was changed during this run, so both lanes would have the same one: compare \
                        from a moment before that, or start again"
                    .into(),
            );
        }
        let mut other = first.start.request.clone();
        other.sets.push(chosen(&coordinator)?);
        let loaded = Start::load(other).map_err(|problems| problems.brief())?;
        let mut origin = first.start.origin.clone();
        origin.sets.push(chosen(&coordinator)?);
        let starts = vec![first.start.clone(), Start { origin, ..loaded }];
        self.again(starts, None);
        Ok(())
    }

    /// Repeats the run from the start up to now, with its deeds, in its own branch.
    fn again(&mut self, starts: Vec<Start>, deed: Option<Deed>) {
        let (now, parent) = (self.runs.now, Some(self.runs.current));
        let deeds = self.runs.branch().deeds_up_to(now);
        self.runs.enter(parent, now, deeds, starts);
        if let Some(deed) = deed {
            self.runs.add(deed);
        }
        let last = self.runs.branch().deeds.last().map_or(now, |deed| now.max(deed.tick + 1));
        self.aim = Some(Aim { tick: last, errand: Errand::Again });
    }
}

fn busy(errand: Errand) -> String {
    format!("the studio is busy ({}): try again when it is done", errand.words())
}

/// The assignment that chooses a coordinator.
pub(super) fn chosen(coordinator: &str) -> Result<String, String> {
    if teams::KINDS.iter().any(|kind| kind.name == coordinator) {
        return Ok(format!("team.coordinator={coordinator}"));
    }
    let known: Vec<&str> = teams::KINDS.iter().map(|kind| kind.name).collect();
    Err(format!("there is no coordinator `{coordinator}`; there are: {}", known.join(", ")))
}
