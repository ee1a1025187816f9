//! Does what it is told with the run, and shows it.

use super::album::{Album, keep_within, weigh};
use super::branch::{Branch, Deed, Past};
use super::lane::Lane;
use super::pace::Pace;
use super::saving::{export, save};
use super::{Answer, Exports, Options, Order, Want, Wants};
use crate::show::{Camera, Subject, View, status};
use crate::wire::Command;
use crewlab_lab::scenario::{Problems, Request, Scenario, load, read_disturbance};
use crewlab_lab::sim::disturbances::{AnyDisturbance, Cast, DisturbanceSpec};
use crewlab_lab::sim::radio::Radio;
use crewlab_lab::sim::teams;
use serde_json::{Map, Value, json};
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
/// Time between two words on the run as a whole.
const STATUS: Duration = Duration::from_millis(100);
/// A way so short is gone at once. [ticks]
const SHORT_WAY: u64 = 200;
/// Ticks that one command can ask for.
const MOST_STEPS: u32 = 100_000;
/// The slowest and the fastest speed that can be chosen.
const SPEEDS: std::ops::RangeInclusive<f64> = 0.01..=100_000.0;
/// Branches that are kept.
const MOST_BRANCHES: usize = 100;
/// Things that can be done to one run by hand.
const MOST_DEEDS: usize = 20_000;

/// Owns the run.
pub(super) struct Director {
    options: Options,
    wants: Arc<Wants>,
    exports: Exports,
    views: watch::Sender<Arc<View>>,
    camera: Camera,
    branches: Vec<Branch>,
    current: usize,
    lanes: Vec<Lane>,
    /// Ticks done at the moment that is shown.
    now: u64,
    /// A tick to go to, as fast as possible, and why.
    aim: Option<(u64, &'static str)>,
    playing: bool,
    pace: Pace,
    epochs: u64,
    closed: bool,
    /// What was shown last.
    seen: Option<Pulse>,
    /// When the run as a whole was last told about.
    told: Option<Instant>,
    status: Arc<str>,
    deeds: Arc<str>,
}

/// What a picture shows, in short.
#[derive(Clone, PartialEq)]
struct Pulse {
    now: u64,
    epochs: Vec<u64>,
    deeds: usize,
    playing: bool,
    speed: Option<u64>,
    busy: Option<&'static str>,
    wants: Vec<Want>,
}

fn told(problems: Problems) -> String {
    problems.brief()
}

impl Director {
    pub(super) fn new(
        request: Request,
        scenario: Scenario,
        other: Option<(Request, Scenario)>,
        options: Options,
        wants: Arc<Wants>,
        exports: Exports,
    ) -> (Director, watch::Receiver<Arc<View>>) {
        let (views, receiver) =
            watch::channel(Arc::new(View { lanes: Vec::new(), status: "".into(), deeds: "".into() }));
        let mut director = Director {
            wants,
            exports,
            views,
            camera: Camera::default(),
            branches: Vec::new(),
            current: 0,
            lanes: Vec::new(),
            now: 0,
            aim: None,
            playing: options.play,
            pace: Pace::new(options.speed),
            epochs: 0,
            closed: false,
            seen: None,
            told: None,
            status: "".into(),
            deeds: "".into(),
            options,
        };
        let mut pasts = vec![director.past(request, Arc::new(scenario))];
        if let Some((request, scenario)) = other {
            pasts.push(director.past(request, Arc::new(scenario)));
        }
        let title = titles(&pasts);
        director.enter(Branch { parent: None, from: 0, title, deeds: Vec::new(), pasts });
        director.pace.playing(director.playing);
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
            self.pace.wait(self.now, self.dt()).min(PAUSE)
        } else {
            PAUSE
        }
    }

    fn dt(&self) -> f64 {
        self.lanes.first().map_or(0.1, |lane| lane.simulation.model.dt())
    }

    fn branch(&self) -> &Branch {
        &self.branches[self.current]
    }

    fn finished(&self) -> bool {
        self.lanes.iter().all(|lane| lane.simulation.finished())
    }

    /// Takes the run as far as it should be, for a short while.
    fn advance(&mut self) {
        let start = Instant::now();
        loop {
            let due = match self.aim {
                Some((tick, _)) => tick,
                None if self.playing => self.pace.due(self.now, self.dt()),
                None => return,
            };
            if self.finished() || self.now >= due {
                break;
            }
            self.tick();
            if start.elapsed() >= SLICE {
                break;
            }
        }
        if self.aim.is_some_and(|(tick, _)| self.now >= tick) || (self.aim.is_some() && self.finished()) {
            self.aim = None;
            self.pace.anchor(self.now);
        }
        if self.playing && self.aim.is_none() && self.finished() {
            self.set_playing(false);
        }
    }

    fn tick(&mut self) {
        let branch = &mut self.branches[self.current];
        let kept: usize = branch.pasts.iter().map(|past| past.album.len()).sum();
        for (lane, past) in self.lanes.iter_mut().zip(&mut branch.pasts) {
            lane.tick(past, &branch.deeds);
        }
        self.now = self.lanes.iter().map(|lane| lane.simulation.state.tick).max().unwrap_or(0);
        let more = self.branch().pasts.iter().map(|past| past.album.len()).sum::<usize>() > kept;
        if more {
            let pasts = self.branches.iter_mut().flat_map(|branch| &mut branch.pasts);
            let mut albums: Vec<&mut Album> = pasts.map(|past| &mut past.album).collect();
            keep_within(&mut albums, self.options.memory);
        }
    }

    fn set_playing(&mut self, playing: bool) {
        self.playing = playing;
        self.pace.playing(playing);
        self.pace.anchor(self.now);
    }

    fn obey(&mut self, order: Order) {
        let Order { command, reply } = order;
        if matches!(command, Command::Export { .. }) {
            return self.export(command, reply);
        }
        // Somebody who has gone needs no answer.
        let _ = reply.send(self.act(command));
    }

    fn act(&mut self, command: Command) -> Answer {
        match command {
            Command::Play {} => {
                if self.finished() && self.aim.is_none() {
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
                let from = self.aim.map_or(self.now, |(tick, _)| tick);
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
                self.pace.anchor(self.now);
            }
            Command::Restart { seed, coordinator } => self.restart(seed, coordinator)?,
            Command::Seek { time } => self.seek(time)?,
            Command::Branch { id } => self.switch(id)?,
            Command::Disturb { entry } => return self.disturb(entry),
            Command::AddRobot { like, place } => return self.add_robot(like, place),
            Command::Compare { coordinator } => self.compare(coordinator)?,
            Command::Save { lane } => {
                let (lane, past) = self.lane(lane)?;
                let saved = save(lane, past, self.branch().deeds_before(lane.simulation.state.tick))?;
                return Ok(json!({"name": saved.name, "text": saved.text, "result_hash": saved.result_hash}));
            }
            Command::Watch { .. } | Command::Export { .. } => {
                return Err("this is not for the studio".into());
            }
        }
        Ok(Value::Null)
    }

    fn lane(&self, lane: Option<usize>) -> Result<(&Lane, &Past), String> {
        let lane = lane.unwrap_or(0);
        let found = self.lanes.get(lane).zip(self.branch().pasts.get(lane));
        found.ok_or_else(|| format!("there is no lane {lane}"))
    }

    /// Writes all results of the run so far, without keeping the run waiting.
    fn export(&mut self, command: Command, reply: oneshot::Sender<Answer>) {
        let Command::Export { lane } = command else { return };
        let saved = self.lane(lane).and_then(|(lane, past)| {
            save(lane, past, self.branch().deeds_before(lane.simulation.state.tick))
        });
        let saved = match saved {
            Ok(saved) => saved,
            Err(why) => {
                let _ = reply.send(Err(why));
                return;
            }
        };
        let (into, exports) = (self.options.exports.clone(), self.exports.clone());
        std::thread::spawn(move || {
            let answer = export(&saved, &into, 1).map(|(folder, result_hash)| {
                let name =
                    folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
                let report = format!("exports/{name}/report.html");
                let shown = folder.display().to_string();
                exports.lock().unwrap_or_else(PoisonError::into_inner).insert(name, folder);
                json!({"folder": shown, "report": report, "result_hash": result_hash})
            });
            let _ = reply.send(answer);
        });
    }

    fn past(&mut self, request: Request, scenario: Arc<Scenario>) -> Past {
        self.epochs += 1;
        Past::new(request, scenario, self.epochs)
    }

    /// Makes a branch whose lanes have not begun the current one, at its start.
    fn enter(&mut self, branch: Branch) {
        let parallel = self.options.threads > 1;
        self.lanes = branch.pasts.iter().map(|past| Lane::start(&past.scenario, parallel)).collect();
        self.branches.push(branch);
        self.current = self.branches.len() - 1;
        self.now = 0;
        self.aim = None;
        self.pace.anchor(0);
    }

    fn room_for_a_branch(&self) -> Result<(), String> {
        if self.branches.len() < MOST_BRANCHES {
            return Ok(());
        }
        Err(format!("there are {MOST_BRANCHES} branches already: start again, or save what you have"))
    }

    fn restart(&mut self, seed: Option<u64>, coordinator: Option<String>) -> Result<(), String> {
        let mut loaded = Vec::new();
        for (index, past) in self.branch().pasts.iter().enumerate() {
            let mut request = past.request.clone();
            request.seed = seed.or(request.seed);
            if let Some(coordinator) = coordinator.as_deref().filter(|_| index == 0) {
                request.sets.push(chosen(coordinator)?);
            }
            let scenario = load(&request).map_err(told)?;
            loaded.push((request, scenario));
        }
        let pasts: Vec<Past> =
            loaded.into_iter().map(|(request, scenario)| self.past(request, Arc::new(scenario))).collect();
        self.branches.clear();
        let title = titles(&pasts);
        self.pace = Pace::new(self.pace.speed);
        self.enter(Branch { parent: None, from: 0, title, deeds: Vec::new(), pasts });
        self.pace.playing(self.playing);
        Ok(())
    }

    fn seek(&mut self, time: f64) -> Result<(), String> {
        if !time.is_finite() || time < 0.0 {
            return Err(format!("a time is from 0 s to the end of the run so far, found {time}"));
        }
        let tick = ((time / self.dt()).round() as u64).min(self.branch().end());
        self.go(tick, "going there");
        Ok(())
    }

    /// Goes to a tick of this branch.
    fn go(&mut self, tick: u64, why: &'static str) {
        let branch = &self.branches[self.current];
        for (lane, past) in self.lanes.iter_mut().zip(&branch.pasts) {
            lane.approach(past, tick.min(past.end));
        }
        self.now = self.lanes.iter().map(|lane| lane.simulation.state.tick).max().unwrap_or(0);
        self.aim = Some((tick, why));
    }

    fn switch(&mut self, id: usize) -> Result<(), String> {
        let Some(branch) = self.branches.get(id) else {
            return Err(format!("there is no branch {id}: there are {}", self.branches.len()));
        };
        let end = branch.end();
        if id != self.current {
            let parallel = self.options.threads > 1;
            self.lanes = branch.pasts.iter().map(|past| Lane::start(&past.scenario, parallel)).collect();
            self.current = id;
        }
        self.set_playing(false);
        self.go(end, "going to the branch");
        Ok(())
    }

    /// Arrives where it is going, if that is near; says that it is busy if it is not.
    fn arrive(&mut self) -> Result<(), String> {
        let Some((tick, why)) = self.aim else { return Ok(()) };
        if tick.saturating_sub(self.now) > SHORT_WAY {
            return Err(format!("the studio is busy ({why}): try again when it is there"));
        }
        while self.now < tick && !self.finished() {
            self.tick();
        }
        self.aim = None;
        self.pace.anchor(self.now);
        Ok(())
    }

    /// What is done from now on is done to a branch of its own, if the run has been further than now.
    fn part(&mut self, title: &str) -> Result<(), String> {
        if self.now == self.branch().end() {
            return Ok(());
        }
        self.room_for_a_branch()?;
        let numbers: Vec<u64> = (1..=self.lanes.len() as u64).map(|add| self.epochs + add).collect();
        self.epochs += self.lanes.len() as u64;
        let from = &self.branches[self.current];
        let pasts = self.lanes.iter().zip(&from.pasts).zip(numbers);
        let pasts = pasts.map(|((lane, past), epoch)| past.parted(&lane.simulation, epoch)).collect();
        let deeds = from.deeds_before(self.now).to_vec();
        let branch = Branch { parent: Some(self.current), from: self.now, title: title.into(), deeds, pasts };
        self.branches.push(branch);
        self.current = self.branches.len() - 1;
        self.pace.anchor(self.now);
        Ok(())
    }

    /// Lets something happen in the next tick, or says why not.
    fn disturb(&mut self, entry: Map<String, Value>) -> Answer {
        let mut spec = read_disturbance(&Value::Object(entry).to_string()).map_err(told)?;
        self.arrive()?;
        self.when(&mut spec)?;
        if self.finished() {
            return Err("the run is over: go back to a moment before its end".into());
        }
        if self.branch().deeds.len() >= MOST_DEEDS {
            return Err(format!("{MOST_DEEDS} things were done to this run by hand: that is the limit"));
        }
        self.check(&spec)?;
        let text = describe(&spec);
        self.part(&text)?;
        let deed = Deed { tick: self.now, spec, text: text.clone() };
        self.branches[self.current].deeds.push(deed);
        if !self.playing {
            // So that it can be seen.
            self.aim = Some((self.now + 1, "doing it"));
        }
        Ok(json!({"text": text}))
    }

    /// Fills in the time of something done by hand: with the next tick, unless it is to happen later.
    fn when(&self, spec: &mut DisturbanceSpec) -> Result<(), String> {
        let Some(lane) = self.lanes.first() else { return Err("there is no run".into()) };
        let timing = &mut spec.timing;
        let recurring = timing.between.is_some()
            || timing.every.is_some()
            || timing.when.is_some()
            || timing.rate.is_some()
            || timing.call.is_some()
            || timing.from.is_some()
            || timing.until.is_some()
            || timing.times.is_some();
        if recurring {
            return Err(
                "what is done by hand happens now, or `at` a later time, and lasts `for` a while or for \
                        good; other times belong into a scenario, because they would count from its start"
                    .into(),
            );
        }
        let next = lane.simulation.now().after(lane.simulation.model.tick).seconds();
        match timing.at {
            Some(at) if at < next => {
                Err(format!("`at: {at} s` has gone by: it is {} s", lane.simulation.now().seconds()))
            }
            Some(_) => Ok(()),
            None => {
                timing.at = Some(next);
                Ok(())
            }
        }
    }

    /// Complains about what can never work, with what is still to happen in this tick in mind.
    fn check(&self, spec: &DisturbanceSpec) -> Result<(), String> {
        let branch = self.branch();
        let waiting: Vec<&AnyDisturbance> = branch.deeds[branch.deeds_before(self.now).len()..]
            .iter()
            .filter(|deed| deed.tick == self.now && self.now == branch.end())
            .map(|deed| &deed.spec.what)
            .collect();
        for lane in &self.lanes {
            let (model, state) = (&lane.simulation.model, &lane.simulation.state);
            let planned = state.schedule.disturbances().iter().map(|disturbance| &disturbance.what);
            let planned = planned.chain(waiting.iter().copied());
            let cast = Cast::new(&model.mission, &model.tasks, &model.team, &state.world, planned);
            spec.build(&cast.on_the(&state.radio)).map_err(|complaint| {
                let known = complaint.unknown.as_ref().map(|(_, names)| names.join(", "));
                let known = known.map(|names| format!("; there are: {names}")).unwrap_or_default();
                let key = &complaint.key;
                let at = if key.is_empty() { String::new() } else { format!("`{key}`: ") };
                format!("{at}{}{known}", complaint.message)
            })?;
        }
        Ok(())
    }

    /// One more robot: the run is done again from the start with it in reserve, up to now, and then it joins.
    fn add_robot(&mut self, like: usize, place: [f64; 2]) -> Answer {
        self.arrive()?;
        if self.finished() {
            return Err("the run is over: go back to a moment before its end".into());
        }
        self.room_for_a_branch()?;
        let Some(lane) = self.lanes.first() else { return Err("there is no run".into()) };
        let team = &lane.simulation.model.team;
        let Some(model) = team.get(like).map(|member| &member.identity) else {
            return Err(format!("there is no robot {like}: there are {}", team.len()));
        };
        let taken = |name: &str| team.iter().any(|member| member.identity.name == name);
        let numbered = (2..).map(|number| format!("{}-{number}", model.name));
        let Some(name) = numbered.into_iter().find(|name| !taken(name)) else {
            return Err("there is no name left".into());
        };
        let mut robot = self.described(&model.name);
        robot.insert("name".into(), json!(name));
        robot.insert("type".into(), json!(model.robot_type));
        robot.insert("absent".into(), json!(true));
        let set = format!("team.robots.+={}", Value::Object(robot));
        let mut loaded = Vec::new();
        for past in &self.branch().pasts {
            let mut request = past.request.clone();
            request.sets.push(set.clone());
            let scenario = load(&request).map_err(told)?;
            loaded.push((request, Arc::new(scenario)));
        }
        let entry = json!({"robot-added": {"robot": name, "place": place}});
        let mut spec = read_disturbance(&entry.to_string()).map_err(told)?;
        self.when(&mut spec)?;
        if let Some((_, scenario)) = loaded.first() {
            let (model, state) = &scenario.start;
            spec.build(&Cast::of(model, state)).map_err(|complaint| complaint.message)?;
        }
        let (now, text) = (self.now, describe(&spec));
        let mut deeds = self.branch().deeds_before(now).to_vec();
        deeds.push(Deed { tick: now, spec, text: text.clone() });
        let pasts = loaded.into_iter().map(|(request, scenario)| self.past(request, scenario)).collect();
        let branch = Branch { parent: Some(self.current), from: now, title: text.clone(), deeds, pasts };
        self.enter(branch);
        self.aim = Some((now + 1, "doing the run again with one more robot"));
        Ok(json!({"text": text, "robot": name}))
    }

    /// A robot as the scenario describes it, without its place; nothing if it is one of many.
    fn described(&self, name: &str) -> Map<String, Value> {
        let resolved = &self.branch().pasts[0].scenario.resolved;
        let robots = resolved["team"]["robots"].as_array().into_iter().flatten();
        let mut found = robots.filter_map(Value::as_object).find(|robot| robot["name"] == name).cloned();
        if let Some(robot) = &mut found {
            ["at", "heading", "count", "priority"].iter().for_each(|key| {
                robot.remove(*key);
            });
        }
        found.unwrap_or_default()
    }

    /// Begins to compare with another coordinator on the same seed, or ends it.
    fn compare(&mut self, coordinator: Option<String>) -> Result<(), String> {
        self.room_for_a_branch()?;
        self.arrive()?;
        let (now, parent) = (self.now, Some(self.current));
        let first = &self.branch().pasts[0];
        let (request, scenario) = (first.request.clone(), first.scenario.clone());
        let deeds = self.branch().deeds_before(now).to_vec();
        let mut pasts = vec![(request.clone(), scenario)];
        if let Some(coordinator) = coordinator {
            let mut other = request;
            other.sets.push(chosen(&coordinator)?);
            let scenario = load(&other).map_err(told)?;
            pasts.push((other, Arc::new(scenario)));
        } else if self.lanes.len() < 2 {
            return Err("there is nothing that is being compared".into());
        }
        let pasts: Vec<Past> =
            pasts.into_iter().map(|(request, scenario)| self.past(request, scenario)).collect();
        let title = titles(&pasts);
        self.enter(Branch { parent, from: now, title, deeds, pasts });
        self.aim = Some((now, "doing the run again"));
        Ok(())
    }

    /// Shows what there is to see, if it is time and if anybody looks.
    fn show(&mut self) {
        self.pace.measure(self.now, self.dt(), self.playing && self.aim.is_none());
        let wants = self.wants.all();
        for (index, lane) in self.lanes.iter_mut().enumerate() {
            let watched = wants.iter().filter(|want| want.lane == index).filter_map(|want| want.robot);
            lane.watched.clear();
            lane.watched.extend(watched);
            lane.watched.sort_unstable();
            lane.watched.dedup();
        }
        let pulse = self.pulse(&wants);
        if (wants.is_empty() && self.seen.is_some())
            || self.seen.as_ref() == Some(&pulse)
            || !self.camera.due()
        {
            return;
        }
        let branch = &self.branches[self.current];
        self.camera.begin(self.lanes.len());
        let mut lanes = Vec::new();
        for (index, (lane, past)) in self.lanes.iter().zip(&branch.pasts).enumerate() {
            let subject = Subject {
                lane: index,
                epoch: past.epoch,
                scenario: &past.scenario,
                simulation: &lane.simulation,
                history: &past.history,
                mail: &lane.mail,
            };
            lanes.push(self.camera.shoot(&subject, &wants));
        }
        self.tell(&pulse, wants.len());
        self.seen = Some(pulse);
        let (status, deeds) = (self.status.clone(), self.deeds.clone());
        self.views.send_replace(Arc::new(View { lanes, status, deeds }));
    }

    /// What must change for another picture to be worth taking.
    fn pulse(&self, wants: &[Want]) -> Pulse {
        Pulse {
            now: self.now,
            epochs: self.branch().pasts.iter().map(|past| past.epoch).collect(),
            deeds: self.branch().deeds.len(),
            playing: self.playing,
            speed: self.pace.speed.map(f64::to_bits),
            busy: self.aim.map(|(_, why)| why),
            wants: wants.to_vec(),
        }
    }

    /// Brings the texts about the run as a whole up to date.
    fn tell(&mut self, pulse: &Pulse, viewers: usize) {
        let steady = self.seen.as_ref().is_some_and(|seen| Pulse { now: seen.now, ..pulse.clone() } == *seen);
        if !steady || self.told.is_none_or(|told| told.elapsed() >= STATUS) {
            self.told = Some(Instant::now());
            self.status = json!(self.status(viewers)).to_string().into();
        }
        let branch = self.branch();
        let same = |seen: &Pulse| (seen.deeds, &seen.epochs) == (pulse.deeds, &pulse.epochs);
        if !self.seen.as_ref().is_some_and(same) {
            let entry = |deed: &Deed| serde_json::to_value(&deed.spec).unwrap_or_default();
            let list = branch.deeds.iter().enumerate().map(|(number, deed)| status::Deed {
                number,
                at: deed.spec.timing.at.unwrap_or_default(),
                text: &deed.text,
                entry: entry(deed),
            });
            self.deeds = json!(status::Deeds { list: list.collect() }).to_string().into();
        }
    }

    fn status(&self, viewers: usize) -> status::Status {
        let dt = self.dt();
        let branch = self.branch();
        let seconds = |tick: u64| tick as f64 * dt;
        let (count, bytes) =
            weigh(self.branches.iter().flat_map(|branch| &branch.pasts).map(|past| &past.album));
        status::Status {
            playing: self.playing,
            speed: self.pace.speed,
            time: seconds(self.now),
            tick: self.now,
            end: seconds(branch.end()),
            end_tick: branch.end(),
            factor: self.pace.factor,
            wall: self.pace.spent().as_secs_f64(),
            busy: self.aim.map(|(_, why)| why),
            lanes: self.lanes.iter().zip(&branch.pasts).map(|(lane, past)| lane_status(lane, past)).collect(),
            branches: self
                .branches
                .iter()
                .enumerate()
                .map(|(id, branch)| status::Branch {
                    id,
                    parent: branch.parent,
                    from: seconds(branch.from),
                    end: seconds(branch.end()),
                    title: branch.title.clone(),
                })
                .collect(),
            branch: self.current,
            questions: Vec::new(),
            snapshots: status::Snapshots { count, bytes, bound: self.options.memory },
            viewers,
        }
    }
}

fn lane_status(lane: &Lane, past: &Past) -> status::Lane {
    let (model, state) = (&lane.simulation.model, &lane.simulation.state);
    let (tally, finished) = (state.radio.tally(), lane.simulation.finished());
    status::Lane {
        epoch: past.epoch,
        coordinator: model.coordinator.clone(),
        progress: state.verdict.progress,
        completed: state.verdict.completed,
        finished,
        sent: tally.copies,
        delivered: tally.delivered,
        lost: tally.lost.total(),
        result_hash: finished.then(|| lane.fingerprint()),
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

fn titles(pasts: &[Past]) -> String {
    let names: Vec<&str> = pasts.iter().map(|past| past.scenario.setup.coordinator.as_str()).collect();
    names.join(" | ")
}

/// A disturbance in a line: its kind and what it says, without its time.
fn describe(spec: &DisturbanceSpec) -> String {
    let what = serde_json::to_value(&spec.what).unwrap_or_default();
    let inside = what.get(spec.what.name()).cloned().unwrap_or_default();
    let lasts = spec.timing.lasts.map(|seconds| format!(" for {seconds} s")).unwrap_or_default();
    format!("{}: {}{lasts}", spec.what.name(), plain(&inside))
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(list) => format!("[{}]", list.iter().map(plain).collect::<Vec<_>>().join(", ")),
        Value::Object(map) => {
            let said = map.iter().filter(|(_, value)| !value.is_null());
            said.map(|(key, value)| format!("{key} {}", plain(value))).collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}
