//! The studio: a thread that owns the run, executes commands, and publishes views.

mod album;
mod branch;
mod director;
#[cfg(test)]
pub(crate) mod fake;
mod hands;
mod lane;
mod pace;
mod runs;
mod saving;
mod window;

use crate::shelf::Shelf;
use crate::show::View;
use crate::wire::{Command, Layer};
use branch::Start;
use crewlab_lab::sim::onboard::RobotId;
use crewlab_scenario::{Problems, Request, load};
use director::{Director, chosen};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{oneshot, watch};

/// Largest number of queued commands.
const MOST_ORDERS: usize = 256;

/// Options of a studio.
#[derive(Clone, Debug)]
pub struct StudioOptions {
    /// Threads for the simulation.
    pub threads: usize,
    /// Memory limit of snapshots. [bytes]
    pub memory: usize,
    /// Where exports go.
    pub exports: PathBuf,
    /// Starts playing at once.
    pub play: bool,
    /// Speed as a multiple of real time; `None` for as fast as possible.
    pub speed: Option<f64>,
    /// A second coordinator to compare with.
    pub compare: Option<String>,
    /// Runs that viewers can switch to.
    pub shelf: Option<Arc<dyn Shelf>>,
    /// The key under which the run that is opened first is on the shelf, if it is.
    pub key: Option<String>,
}

/// The result of a command.
pub type Answer = Result<Value, String>;

/// A queued command.
struct Order {
    viewer: u64,
    command: Command,
    reply: oneshot::Sender<Answer>,
}

/// What a viewer watches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Want {
    /// The lane.
    pub lane: usize,
    /// The robot.
    pub robot: Option<RobotId>,
    /// The layers.
    pub layers: Vec<Layer>,
}

/// What all viewers watch, by their number.
#[derive(Debug, Default)]
pub struct Wants(Mutex<BTreeMap<u64, Want>>);

impl Wants {
    /// Sets what a viewer watches.
    pub fn set(&self, viewer: u64, want: Want) {
        self.lock().insert(viewer, want);
    }

    /// A viewer left.
    pub fn forget(&self, viewer: u64) {
        self.lock().remove(&viewer);
    }

    /// True if a viewer is there.
    fn has(&self, viewer: u64) -> bool {
        self.lock().contains_key(&viewer)
    }

    /// How many viewers there are.
    pub fn viewers(&self) -> usize {
        self.lock().len()
    }

    /// Everything that viewers watch.
    fn all(&self) -> Vec<Want> {
        self.lock().values().cloned().collect()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<u64, Want>> {
        // The content is consistent at any time.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Exports of this session, by the name in their address.
pub type Exports = Arc<Mutex<BTreeMap<String, PathBuf>>>;

/// A handle of a studio. The studio closes when the last one is dropped.
#[derive(Clone)]
pub struct Handle {
    orders: SyncSender<Order>,
    /// The latest view; a busy viewer misses those in between.
    pub views: watch::Receiver<Arc<View>>,
    /// What viewers watch.
    pub wants: Arc<Wants>,
    /// Exports of this session.
    pub exports: Exports,
    /// Runs that viewers can switch to.
    pub shelf: Option<Arc<dyn Shelf>>,
}

impl Handle {
    /// Queues a viewer's command; the receiver gets its answer. Refused at once if the queue is full.
    pub fn order(&self, viewer: u64, command: Command) -> Result<oneshot::Receiver<Answer>, String> {
        let (reply, answer) = oneshot::channel();
        match self.orders.try_send(Order { viewer, command, reply }) {
            Ok(()) => Ok(answer),
            Err(TrySendError::Full(_)) => {
                Err("too many commands are queued: this one was not accepted".into())
            }
            Err(TrySendError::Disconnected(_)) => Err("the run has ended".into()),
        }
    }
}

/// Why a studio could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The scenario cannot be used.
    #[error(transparent)]
    Scenario(#[from] Problems),
    /// There is no such coordinator to compare with.
    #[error("{0}")]
    Coordinator(String),
    /// The threads could not be started.
    #[error("cannot start {0} threads: {1}")]
    Threads(usize, String),
}

/// Loads a scenario and opens a studio with it. Returns its handle, and the warnings about the scenario.
pub fn open(request: Request, options: StudioOptions) -> Result<(Handle, Problems), OpenError> {
    let mut scenario = load(&request)?;
    let warnings = std::mem::take(&mut scenario.warnings);
    let (origin, scenario) = (request.clone(), Arc::new(scenario));
    let key = options.key.clone();
    let mut starts = vec![Start { request: origin.clone(), origin, scenario, key }];
    if let Some(coordinator) = &options.compare {
        let mut other = request;
        other.sets.push(chosen(coordinator).map_err(OpenError::Coordinator)?);
        starts.push(Start::load(other)?);
    }
    let threads = options.threads.max(1);
    let failed = |error: String| OpenError::Threads(threads, error);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    let pool = pool.build().map_err(|error| failed(error.to_string()))?;
    let (orders, receiver) = sync_channel(MOST_ORDERS);
    let (wants, exports) = (Arc::new(Wants::default()), Exports::default());
    let shelf = options.shelf.clone();
    let (director, views) = Director::new(starts, options, wants.clone(), exports.clone());
    let thread = std::thread::Builder::new().name("studio".into());
    let started = thread.spawn(move || pool.install(move || director.run(receiver)));
    started.map_err(|error| failed(error.to_string()))?;
    Ok((Handle { orders, views, wants, exports, shelf }, warnings))
}
