//! Does what it is told with the runs.

use super::branch::Deed;
use super::pace::Pace;
use super::runs::Runs;
use super::saving::{Saved, export, save};
use super::window::{Playing, Window};
use super::{Answer, Exports, Options, Order, Wants, hands};
use crate::show::View;
use crate::wire::Command;
use crewlab_lab::scenario::{Request, Scenario, load};
use crewlab_lab::sim::teams;
use serde_json::{Map, Value, json};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{oneshot, watch};

/// Work that is done before commands are looked at again.
const SLICE: Duration = Duration::from_millis(8);
/// Commands that are done before the run goes on.
const AT_ONCE: usize = 64;
/// How long to wait for commands when there is nothing to do.
const PAUSE: Duration = Duration::from_millis(25);
/// A way so short is gone at once. [ticks]
const SHORT_WAY: u64 = 200;
/// Ticks that one command can ask for.
const MOST_STEPS: u32 = 100_000;
/// The slowest and the fastest speed that can be chosen.
const SPEEDS: std::ops::RangeInclusive<f64> = 0.01..=100_000.0;

/// Owns the runs.
pub(super) struct Director {
    options: Options,
    exports: Exports,
    /// True while one is made.
    exporting: Arc<AtomicBool>,
    window: Window,
    runs: Runs,
    /// A tick to go to, as fast as possible, and why.
    aim: Option<(u64, &'static str)>,
    playing: bool,
    pace: Pace,
    /// Commands done so far.
    orders: u64,
    closed: bool,
}

impl Director {
    /// A director of runs of these scenarios, one per lane.
    pub(super) fn new(
        scenarios: Vec<(Request, Arc<Scenario>)>,
        options: Options,
        wants: Arc<Wants>,
        exports: Exports,
    ) -> (Director, watch::Receiver<Arc<View>>) {
        let (window, receiver) = Window::new(wants);
        let mut director = Director {
            exports,
            exporting: Arc::default(),
            window,
            runs: Runs::new(options.threads > 1, options.memory),
            aim: None,
            playing: options.play,
            pace: Pace::new(options.speed),
            orders: 0,
            closed: false,
            options,
        };
        let pasts = director.runs.fresh(scenarios);
        director.runs.enter(None, 0, Vec::new(), pasts);
        director.set_playing(director.playing);
        director.show();
        (director, receiver)
    }

    /// Goes on until nobody can give orders any more.
    pub(super) fn run(mut self, orders: Receiver<Order>) {
        while !self.closed {
            self.listen(&orders);
            self.advance();
            self.show();
        }
    }

    /// Does what it is told; waits for orders if there is nothing else to do.
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
        let busy = self.aim.map(|(_, why)| why);
        let playing = Playing { on: self.playing, speed: self.pace.speed, busy, orders: self.orders };
        self.window.show(&mut self.runs, playing, (self.pace.factor, self.pace.spent()));
    }

    /// Takes the run as far as it should be, for a short while.
    fn advance(&mut self) {
        let start = Instant::now();
        loop {
            let due = match self.aim {
                Some((tick, _)) => tick,
                None if self.playing => self.pace.due(self.runs.now, self.runs.dt()),
                None => return,
            };
            if self.runs.finished() || self.runs.now >= due {
                break;
            }
            self.runs.tick();
            if start.elapsed() >= SLICE {
                break;
            }
        }
        if self.aim.is_some_and(|(tick, _)| self.runs.now >= tick || self.runs.finished()) {
            self.aim = None;
            self.pace.anchor(self.runs.now);
        }
        if self.playing && self.aim.is_none() && self.runs.finished() {
            self.set_playing(false);
        }
    }

    fn set_playing(&mut self, playing: bool) {
        self.playing = playing;
        self.pace.playing(playing);
        self.pace.anchor(self.runs.now);
    }

    fn obey(&mut self, order: Order) {
        let Order { command, reply } = order;
        self.orders += 1;
        if let Command::Export { lane } = command {
            return self.export(lane, reply);
        }
        // Somebody who has gone needs no answer.
        let _ = reply.send(self.act(command));
    }

    fn act(&mut self, command: Command) -> Answer {
        match command {
            Command::Play {} => {
                if self.runs.finished() && self.aim.is_none() {
                    return Err("the run is over: go back or start it again".into());
                }
                self.set_playing(true);
            }
            Command::Pause {} => self.set_playing(false),
            Command::Step { ticks } => {
                let ticks = ticks.unwrap_or(1);
                if !(1..=MOST_STEPS).contains(&ticks) {
                    return Err(format!("a step has from 1 to {MOST_STEPS} ticks, found {ticks}"));
                }
                self.set_playing(false);
                let from = self.aim.map_or(self.runs.now, |(tick, _)| tick);
                self.aim = Some((from + u64::from(ticks), "stepping"));
            }
            Command::Speed { factor } => {
                if let Some(factor) = factor.filter(|factor| !SPEEDS.contains(factor)) {
                    let (low, high) = (SPEEDS.start(), SPEEDS.end());
                    return Err(format!(
                        "a speed is from {low} to {high} times real time, or null, found {factor}"
                    ));
                }
                self.pace.speed = factor;
                self.pace.anchor(self.runs.now);
            }
            Command::Restart { seed, coordinator } => self.restart(seed, coordinator)?,
            Command::Seek { time } => self.seek(time)?,
            Command::Branch { branch } => self.switch(branch)?,
            Command::Disturb { entry } => return self.disturb(entry),
            Command::LetGo { robot } => return self.let_go(&robot),
            Command::AddRobot { like, place } => return self.add_robot(like, place),
            Command::Compare { coordinator } => self.compare(coordinator)?,
            Command::Save { lane } => {
                let Saved { name, text, result_hash } = self.saved(lane)?;
                return Ok(json!({"name": name, "text": text, "result_hash": result_hash}));
            }
            Command::Watch { .. } | Command::Export { .. } => {
                return Err("this is not for the studio".into());
            }
        }
        Ok(Value::Null)
    }

    /// The run of a lane up to now, as a scenario.
    fn saved(&self, lane: Option<usize>) -> Result<Saved, String> {
        let (lane, past) = self.runs.lane(lane)?;
        save(lane, past, self.runs.branch().deeds_before(lane.simulation.state.tick))
    }

    /// Writes all results of the run so far, without keeping the run waiting.
    fn export(&self, lane: Option<usize>, reply: oneshot::Sender<Answer>) {
        let saved = match self.saved(lane) {
            Ok(saved) if !self.exporting.swap(true, Ordering::Relaxed) => saved,
            other => {
                let busy = "an export is under way: wait until it is done".to_string();
                let _ = reply.send(Err(other.err().unwrap_or(busy)));
                return;
            }
        };
        let (into, exports) = (self.options.exports.clone(), self.exports.clone());
        let exporting = self.exporting.clone();
        std::thread::spawn(move || {
            let answer = export(&saved, &into, 1).map(|(folder, name)| {
                let report = format!("exports/{name}/report.html");
                let shown = folder.display().to_string();
                exports.lock().unwrap_or_else(PoisonError::into_inner).insert(name, folder);
                json!({"folder": shown, "report": report, "result_hash": saved.result_hash})
            });
            exporting.store(false, Ordering::Relaxed);
            let _ = reply.send(answer);
        });
    }

    /// From the start, perhaps with another seed or coordinator.
    fn restart(&mut self, seed: Option<u64>, coordinator: Option<String>) -> Result<(), String> {
        let changes = coordinator.as_deref().map(chosen).transpose()?;
        let loaded = self.load_again(|lane, request| {
            request.seed = seed.or(request.seed);
            request.sets.extend(changes.clone().filter(|_| lane == 0));
        })?;
        let pasts = self.runs.fresh(loaded);
        self.runs.branches.clear();
        self.runs.enter(None, 0, Vec::new(), pasts);
        self.aim = None;
        self.pace = Pace::new(self.pace.speed);
        self.set_playing(self.playing);
        Ok(())
    }

    /// The scenarios of all lanes, changed and loaded again.
    fn load_again(
        &self,
        change: impl Fn(usize, &mut Request),
    ) -> Result<Vec<(Request, Arc<Scenario>)>, String> {
        let pasts = self.runs.branch().pasts.iter().enumerate();
        let again = pasts.map(|(lane, past)| {
            let mut request = past.request.clone();
            change(lane, &mut request);
            let scenario = load(&request).map_err(|problems| problems.brief())?;
            Ok((request, Arc::new(scenario)))
        });
        again.collect()
    }

    fn seek(&mut self, time: f64) -> Result<(), String> {
        if !time.is_finite() || time < 0.0 {
            return Err(format!("a time is from 0 s to the end of the run so far, found {time}"));
        }
        let tick = ((time / self.runs.dt()).round() as u64).min(self.runs.branch().end());
        self.runs.approach(tick);
        self.aim = Some((tick, "going there"));
        Ok(())
    }

    fn switch(&mut self, id: usize) -> Result<(), String> {
        let end = self.runs.switch(id)?;
        self.set_playing(false);
        self.aim = Some((end, "going to the branch"));
        Ok(())
    }

    /// Arrives where it is going, if that is near; says that it is busy if it is not.
    fn arrive(&mut self) -> Result<(), String> {
        let Some((tick, why)) = self.aim else { return Ok(()) };
        if tick.saturating_sub(self.runs.now) > SHORT_WAY {
            return Err(format!("the studio is busy ({why}): try again when it is there"));
        }
        while self.runs.now < tick && !self.runs.finished() {
            self.runs.tick();
        }
        self.aim = None;
        self.pace.anchor(self.runs.now);
        Ok(())
    }

    /// Lets something happen in the next tick, or says why not.
    fn disturb(&mut self, entry: Map<String, Value>) -> Answer {
        self.arrive()?;
        let deed = hands::deed(entry, &self.runs)?;
        let text = deed.text.clone();
        self.runs.part(&text)?;
        self.runs.branches[self.runs.current].deeds.push(deed);
        if !self.playing {
            // So that it can be seen.
            self.aim = Some((self.runs.now + 1, "doing it"));
        }
        Ok(json!({"text": text}))
    }

    fn let_go(&mut self, robot: &str) -> Answer {
        let driven = self.runs.lanes.iter().any(|lane| {
            let (model, state) = (&lane.simulation.model, &lane.simulation.state);
            model.robot(robot).is_some_and(|robot| state.robots[robot].faults.hand().is_some())
        });
        if !driven || self.runs.finished() {
            return Ok(Value::Null);
        }
        self.disturb([("release".to_string(), json!(robot))].into_iter().collect())
    }

    /// One more robot: the run is done again from the start with it in reserve, up to now, and then it joins.
    fn add_robot(&mut self, like: usize, place: [f64; 2]) -> Answer {
        self.arrive()?;
        hands::not_over(&self.runs)?;
        self.runs.room_for_a_branch()?;
        let (name, set) = hands::reserve(like, &self.runs)?;
        let loaded = self.load_again(|_, request| request.sets.push(set.clone()))?;
        let Some((_, scenario)) = loaded.first() else { return Err("there is no run".into()) };
        let deed = hands::joins(&name, place, &scenario.start, &self.runs)?;
        let text = deed.text.clone();
        self.again(loaded, Some(deed), "doing the run again with one more robot");
        Ok(json!({"text": text, "robot": name}))
    }

    /// Begins to compare with another coordinator on the same seed, or ends it.
    fn compare(&mut self, coordinator: Option<String>) -> Result<(), String> {
        self.runs.room_for_a_branch()?;
        self.arrive()?;
        let (_, first) = self.runs.lane(None)?;
        let mut scenarios = vec![(first.request.clone(), first.scenario.clone())];
        if let Some(coordinator) = coordinator {
            let mut other = first.request.clone();
            other.sets.push(chosen(&coordinator)?);
            let scenario = load(&other).map_err(|problems| problems.brief())?;
            scenarios.push((other, Arc::new(scenario)));
        } else if self.runs.lanes.len() < 2 {
            return Err("there is nothing that is being compared".into());
        }
        self.again(scenarios, None, "doing the run again");
        Ok(())
    }

    /// Does the run again from the start up to now, with what was done to it, in a branch of its own.
    fn again(&mut self, scenarios: Vec<(Request, Arc<Scenario>)>, deed: Option<Deed>, why: &'static str) {
        let (now, parent) = (self.runs.now, Some(self.runs.current));
        let deeds = self.runs.branch().deeds_before(now).iter().cloned().chain(deed);
        let deeds: Vec<Deed> = deeds.collect();
        let last = deeds.last().map_or(now, |deed| now.max(deed.tick + 1));
        let pasts = self.runs.fresh(scenarios);
        self.runs.enter(parent, now, deeds, pasts);
        self.aim = Some((last, why));
    }
}

/// The assignment that chooses a coordinator.
pub(super) fn chosen(coordinator: &str) -> Result<String, String> {
    if teams::KINDS.iter().any(|kind| kind.name == coordinator) {
        return Ok(format!("team.coordinator={coordinator}"));
    }
    let known: Vec<&str> = teams::KINDS.iter().map(|kind| kind.name).collect();
    Err(format!("there is no coordinator `{coordinator}`; there are: {}", known.join(", ")))
}
