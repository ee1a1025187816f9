//! `crewlab bench live`: the cost of viewers for the run, and their frame rates.
//!
//! The machine may be busy with other things, so measurements without and with viewers alternate in one process, and the median
//! of the ratios counts. The viewers run here too, as clients that read and count; their processor time is separated from the
//! simulation's by thread names.

use crate::server::{self, serve};
use crate::studio::{self, Handle, Want, open};
use crate::wire::Command;
use crewlab_lab::bench::arena::Arena;
use crewlab_lab::bench::world;
use crewlab_scenario::Request;
use futures_util::StreamExt;
use serde::Serialize;
use serde_json::json;
use std::fs;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::net::TcpStream;
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;
use tokio_tungstenite::client_async;
use tokio_tungstenite::tungstenite::Message;

/// The viewer number of the bench itself.
const OURSELVES: u64 = u64::MAX;
/// Thread name of viewers.
const VIEWERS: &str = "bench-viewers";
/// Time for viewers to come and go before anything is measured.
const SETTLE: Duration = Duration::from_millis(100);
/// A timeout that is long enough for every step.
const PATIENCE: Duration = Duration::from_secs(30);

/// The parameters of the benchmark.
#[derive(Clone, Debug)]
pub struct Workload {
    /// Robots that wander and avoid each other.
    pub robots: usize,
    /// Threads of the simulation.
    pub threads: usize,
    /// Length of a measurement. [s]
    pub seconds: f64,
    /// Number of measurements without and with viewers.
    pub pairs: usize,
    /// Number of viewers in the large test.
    pub viewers: usize,
}

/// The simulation as fast as possible, with viewers and without.
#[derive(Clone, Debug, Serialize)]
pub struct Watched {
    /// Viewers.
    pub viewers: usize,
    /// Median ticks per second without viewers.
    pub ticks_per_s_without: f64,
    /// Median ticks per second with viewers.
    pub ticks_per_s_with: f64,
    /// Median slowdown over the pairs. [%]
    pub slower_percent: f64,
    /// Slowdown per second of processor time of the simulation's own threads. [%]
    pub slower_cpu_percent: f64,
    /// Interquartile range of the slowdown. [%]
    pub slower_cpu_quartiles: [f64; 2],
    /// Mean frames per second over all viewers.
    pub frames_per_s: f64,
    /// Frames per second of the slowest viewer.
    pub frames_per_s_least: f64,
    /// Bytes per robot and frame.
    pub bytes_per_robot: f64,
    /// Data rate to one viewer. [kB/s]
    pub kilobytes_per_s: f64,
    /// Processor time of the server. [% of one core]
    pub server_percent: f64,
}

/// A viewer's frames at a given speed.
#[derive(Clone, Debug, Serialize)]
pub struct Paced {
    /// Speed as a multiple of real time.
    pub speed: f64,
    /// Frames per second.
    pub frames_per_s: f64,
    /// Bytes per robot and frame.
    pub bytes_per_robot: f64,
}

/// All measurements.
#[derive(Clone, Debug, Serialize)]
pub struct LiveFigures {
    /// Robots.
    pub robots: usize,
    /// Threads of the simulation.
    pub threads: usize,
    /// Ticks per second of the simulation alone, without a studio.
    pub bare_ticks_per_s: f64,
    /// With one viewer.
    pub one: Watched,
    /// With many.
    pub many: Watched,
    /// At real time, and at ten times real time.
    pub paced: Vec<Paced>,
}

/// A studio and its server, to be measured.
pub struct Bench {
    handle: Handle,
    running: server::Running,
    clients: Runtime,
    robots: usize,
}

/// The counts of one viewer.
#[derive(Default)]
struct Count {
    frames: AtomicU64,
    frame_bytes: AtomicU64,
    bytes: AtomicU64,
}

/// The start or end of a measurement.
#[derive(Clone, Copy)]
struct Mark {
    at: Instant,
    tick: u64,
    simulation: f64,
    server: f64,
}

/// The work done in a measurement.
struct Stretch {
    seconds: f64,
    ticks: f64,
    simulation: f64,
    server: f64,
}

impl Mark {
    fn until(self, end: Mark) -> Stretch {
        Stretch {
            seconds: (end.at - self.at).as_secs_f64().max(1e-9),
            ticks: end.tick.saturating_sub(self.tick) as f64,
            simulation: (end.simulation - self.simulation).max(1e-9),
            server: end.server - self.server,
        }
    }
}

/// Runs all measurements.
pub fn measure(workload: &Workload) -> Result<LiveFigures, String> {
    let arena = Arena::generate(workload.robots, 1);
    let sample = Duration::from_secs_f64(workload.seconds.min(1.0));
    let alone = world::Workload { threads: workload.threads, broadcast: false, sample };
    let bare = world::measure(&arena, &alone)?;
    let bench = Bench::start(&arena, workload.threads, None)?;
    bench.play(None)?;
    let one = bench.watched(1, workload)?;
    let many = bench.watched(workload.viewers, workload)?;
    let mut paced = Vec::new();
    for speed in [1.0, 10.0] {
        paced.push(bench.paced(speed, workload)?);
    }
    Ok(LiveFigures {
        robots: workload.robots,
        threads: workload.threads,
        bare_ticks_per_s: bare.ticks_per_s,
        one,
        many,
        paced,
    })
}

/// The arena as a scenario that does not end.
fn scenario(arena: &Arena) -> Request {
    let thing = |[x, y, yaw]: &[f64; 3]| json!({"rectangle": [arena.box_size, arena.box_size], "at": [x, y], "heading": yaw});
    let robot = |(number, [x, y, yaw]): (usize, &[f64; 3])| json!({"name": format!("robot-{}", number + 1), "type": "wanderer", "at": [x, y], "heading": yaw});
    let bounds = arena.world().bounds;
    let size = [bounds.max.x - bounds.min.x, bounds.max.y - bounds.min.y];
    let text = json!({
        "crewlab": 1,
        "mission": "diffusion",
        "world": {
            "size": size,
            "origin": [bounds.min.x, bounds.min.y],
            "objects": arena.boxes.iter().map(thing).collect::<Vec<_>>(),
        },
        "team": {"robots": arena.robots.iter().enumerate().map(robot).collect::<Vec<_>>()},
        "radio": {"model": "ideal", "range": 0},
        "run": {"until": 1e9},
    });
    Request { scenario: "diffusion".into(), text: Some(text.to_string()), ..Request::default() }
}

impl Bench {
    /// A studio with robots that stand still, and its server.
    pub fn start(arena: &Arena, threads: usize, page: Option<PathBuf>) -> Result<Bench, String> {
        let options = studio::StudioOptions {
            threads,
            memory: 256_000_000,
            exports: std::env::temp_dir(),
            play: false,
            speed: None,
            compare: None,
            shelf: None,
            key: None,
        };
        let (handle, _) = open(scenario(arena), options).map_err(|error| error.to_string())?;
        let served =
            serve(handle.clone(), server::ServerOptions { page, ..server::ServerOptions::default() });
        let running = served.map_err(|error| error.to_string())?;
        let mut clients = tokio::runtime::Builder::new_multi_thread();
        clients.worker_threads(1).thread_name(VIEWERS).enable_all();
        let clients = clients.build().map_err(|error| error.to_string())?;
        Ok(Bench { handle, running, clients, robots: arena.robots.len() })
    }

    /// The address of the page.
    pub fn url(&self) -> String {
        self.running.url()
    }

    /// Starts the robots at a multiple of real time, or as fast as possible.
    pub fn play(&self, speed: Option<f64>) -> Result<(), String> {
        for command in [Command::Speed { factor: speed }, Command::Play {}] {
            let answer = self.handle.order(OURSELVES, command)?;
            answer.blocking_recv().map_err(|_| "the studio has closed".to_string())??;
        }
        Ok(())
    }

    /// The current tick of the run.
    fn mark(&self) -> Result<Mark, String> {
        let mut views = self.handle.views.clone();
        views.mark_unchanged();
        // Views are made only if somebody watches, so the bench does for a moment.
        self.handle.wants.set(OURSELVES, Want::default());
        let tick = self.clients.block_on(async {
            let changed = tokio::time::timeout(PATIENCE, views.changed()).await;
            changed.ok()?.ok()?;
            views.borrow().lanes.first().map(|lane| lane.tick)
        });
        let at = Instant::now();
        self.handle.wants.forget(OURSELVES);
        let (simulation, server) = processor_time();
        let tick = tick.ok_or("the studio shows nothing")?;
        Ok(Mark { at, tick, simulation, server })
    }

    fn stretch(&self, seconds: f64) -> Result<Stretch, String> {
        let begin = self.mark()?;
        std::thread::sleep(Duration::from_secs_f64(seconds));
        Ok(begin.until(self.mark()?))
    }

    /// Connects viewers.
    fn invite(&self, count: usize) -> (Vec<Arc<Count>>, Vec<JoinHandle<()>>) {
        let counts: Vec<Arc<Count>> = (0..count).map(|_| Arc::default()).collect();
        let address = self.running.address();
        let viewer = |count: &Arc<Count>| self.clients.spawn(look(address, count.clone()));
        let viewers = counts.iter().map(viewer).collect();
        // The initial messages are large and not representative, so they are not counted.
        let start = Instant::now();
        let seated = |count: &Arc<Count>| count.read()[0] >= 5;
        while !counts.iter().all(seated) && start.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(10));
        }
        std::thread::sleep(SETTLE);
        (counts, viewers)
    }

    fn leave(&self, viewers: Vec<JoinHandle<()>>) {
        for viewer in &viewers {
            viewer.abort();
        }
        self.clients.block_on(async {
            for viewer in viewers {
                // It was told to end.
                let _ = viewer.await;
            }
        });
        std::thread::sleep(SETTLE);
    }

    fn watched(&self, viewers: usize, workload: &Workload) -> Result<Watched, String> {
        let mut pairs = Vec::new();
        let mut got = Vec::new();
        for pair in 0..workload.pairs.max(1) {
            // Alternates which comes first, so that neither has an advantage.
            let first = if pair % 2 == 0 { Some(self.stretch(workload.seconds)?) } else { None };
            let (counts, tasks) = self.invite(viewers);
            let before: Vec<[u64; 3]> = counts.iter().map(|count| count.read()).collect();
            let with = self.stretch(workload.seconds)?;
            for (count, before) in counts.iter().zip(before) {
                got.push((count.since(before), with.seconds));
            }
            self.leave(tasks);
            let without = match first {
                Some(without) => without,
                None => self.stretch(workload.seconds)?,
            };
            pairs.push((without, with));
        }
        let middle = |figure: &dyn Fn(&(Stretch, Stretch)) -> f64| median(pairs.iter().map(figure).collect());
        let rate = |stretch: &Stretch| stretch.ticks / stretch.seconds;
        let efficiency = |stretch: &Stretch| stretch.ticks / stretch.simulation;
        let slower =
            |(without, with): &(Stretch, Stretch)| 100.0 * (1.0 - efficiency(with) / efficiency(without));
        let spread = quartiles(pairs.iter().map(slower).collect());
        let frames: Vec<f64> = got.iter().map(|([frames, ..], seconds)| *frames as f64 / seconds).collect();
        let [sum, frame_bytes, bytes] = total(got.iter().map(|(got, _)| *got));
        let time: f64 = got.iter().map(|(_, seconds)| seconds).sum();
        Ok(Watched {
            viewers,
            ticks_per_s_without: middle(&|(without, _)| rate(without)),
            ticks_per_s_with: middle(&|(_, with)| rate(with)),
            slower_percent: 100.0 * (1.0 - middle(&|(without, with)| rate(with) / rate(without))),
            slower_cpu_percent: middle(&slower),
            slower_cpu_quartiles: spread,
            frames_per_s: frames.iter().sum::<f64>() / frames.len().max(1) as f64,
            frames_per_s_least: frames.iter().copied().fold(f64::INFINITY, f64::min),
            bytes_per_robot: frame_bytes / sum.max(1.0) / self.robots as f64,
            kilobytes_per_s: bytes / time.max(1e-9) / 1000.0,
            server_percent: 100.0 * middle(&|(_, with)| with.server / with.seconds),
        })
    }

    fn paced(&self, speed: f64, workload: &Workload) -> Result<Paced, String> {
        self.play(Some(speed))?;
        let (counts, tasks) = self.invite(1);
        let before: Vec<[u64; 3]> = counts.iter().map(|count| count.read()).collect();
        let stretch = self.stretch(workload.seconds * 2.0)?;
        let [frames, frame_bytes, _] =
            total(counts.iter().zip(before).map(|(count, before)| count.since(before)));
        self.leave(tasks);
        Ok(Paced {
            speed,
            frames_per_s: frames / stretch.seconds,
            bytes_per_robot: frame_bytes / frames.max(1.0) / self.robots as f64,
        })
    }
}

impl Count {
    fn read(&self) -> [u64; 3] {
        [&self.frames, &self.frame_bytes, &self.bytes].map(|count| count.load(Ordering::Relaxed))
    }

    fn since(&self, before: [u64; 3]) -> [u64; 3] {
        let now = self.read();
        std::array::from_fn(|index| now[index] - before[index])
    }

    fn note(&self, message: &Message) {
        let length = message.len() as u64;
        self.bytes.fetch_add(length, Ordering::Relaxed);
        if message.is_binary() {
            self.frames.fetch_add(1, Ordering::Relaxed);
            self.frame_bytes.fetch_add(length, Ordering::Relaxed);
        }
    }
}

/// A viewer that reads and counts. Failures are reported in its count.
async fn look(address: SocketAddr, count: Arc<Count>) {
    let Ok(stream) = TcpStream::connect(address).await else { return };
    let Ok((mut socket, _)) = client_async(format!("ws://{address}/ws"), stream).await else { return };
    while let Some(Ok(message)) = socket.next().await {
        count.note(&message);
    }
}

fn total(counts: impl Iterator<Item = [u64; 3]>) -> [f64; 3] {
    let sum =
        counts.fold([0; 3], |sum: [u64; 3], count| std::array::from_fn(|index| sum[index] + count[index]));
    sum.map(|number| number as f64)
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    match numbers.len() {
        0 => f64::NAN,
        odd if odd % 2 == 1 => numbers[odd / 2],
        even => (numbers[even / 2 - 1] + numbers[even / 2]) / 2.0,
    }
}

/// The lower and the upper quartile.
fn quartiles(mut numbers: Vec<f64>) -> [f64; 2] {
    numbers.sort_by(f64::total_cmp);
    let at = |share: f64| numbers.get((numbers.len() as f64 * share) as usize).copied().unwrap_or(f64::NAN);
    [at(0.25), at(0.75)]
}

/// Processor time so far of the simulation's threads and of the server's; 0 if the system does not report it. [s]
fn processor_time() -> (f64, f64) {
    let (mut simulation, mut server) = (0.0, 0.0);
    for thread in fs::read_dir("/proc/self/task").into_iter().flatten().flatten() {
        let read = |name: &str| fs::read_to_string(thread.path().join(name)).unwrap_or_default();
        let (name, used) = (read("comm"), read("schedstat"));
        let used = used.split_whitespace().next().and_then(|used| used.parse::<f64>().ok()).unwrap_or(0.0);
        if name.starts_with("crewlab-server") {
            server += used * 1e-9;
        } else if !name.starts_with(VIEWERS) {
            simulation += used * 1e-9;
        }
    }
    (simulation, server)
}
