//! `crewlab live`.

#[cfg(feature = "live")]
mod experiment;
#[cfg(feature = "live")]
mod results;

use super::ScenarioArgs;
use std::net::IpAddr;
use std::path::PathBuf;
#[cfg(not(feature = "live"))]
use std::process::ExitCode;

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  crewlab live waste-cleanup --seed 7 --speed 4\n\nThe first line printed is the address of the page. Ctrl-C stops it.\n\nInstead of a scenario you can give the results folder of a run, a folder with several of them, or that of a sweep or comparison. It repeats the run; the report is at /report:\n  crewlab live runs/waste-cleanup-7\n  crewlab live sweeps/loss\n\nOnly this machine has access, and in a browser only the page itself. --bind admits others who know the token:\n  crewlab live waste-cleanup --bind 0.0.0.0"
)]
#[cfg_attr(not(feature = "live"), allow(dead_code))]
pub struct Args {
    #[command(flatten)]
    which: ScenarioArgs,
    /// Seed of all random streams [default: the scenario's]
    #[arg(long, value_parser = clap::value_parser!(u64).range(0..=i64::MAX as u64))]
    seed: Option<u64>,
    /// A second coordinator on the same seed, shown side by side
    #[arg(long, value_name = "COORDINATOR")]
    compare: Option<String>,
    /// Port to listen on; 0 for any free port
    #[arg(long, default_value_t = 8420)]
    port: u16,
    /// Address to listen on; all but the loopback address need a token [default: 127.0.0.1]
    #[arg(long, value_name = "ADDRESS")]
    bind: Option<IpAddr>,
    /// Token that viewers need [default: random with --bind, none without]
    #[arg(long)]
    token: Option<String>,
    /// Speed as a multiple of real time, or `max`
    #[arg(long, default_value = "1", value_parser = speed)]
    speed: Speed,
    /// Start paused
    #[arg(long)]
    paused: bool,
    /// Do not open a browser
    #[arg(long)]
    no_open: bool,
    /// Memory for snapshots to go back to [MB]
    #[arg(long, value_name = "MB", default_value_t = 512, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    memory: u32,
    /// Number of threads; does not affect the results [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Serve the page from a folder, for development
    #[arg(long, value_name = "DIR")]
    page: Option<PathBuf>,
    /// Folder for exported runs
    #[arg(long, value_name = "DIR", default_value = "runs")]
    out: PathBuf,
}

/// The speed; `None` for as fast as possible.
#[derive(Clone, Copy)]
struct Speed(#[cfg_attr(not(feature = "live"), allow(dead_code))] Option<f64>);

fn speed(text: &str) -> Result<Speed, String> {
    if text == "max" {
        return Ok(Speed(None));
    }
    let number = text.trim_end_matches('x').parse::<f64>().ok();
    let number = number.filter(|number| (0.01..=100_000.0).contains(number));
    number
        .map(|number| Speed(Some(number)))
        .ok_or_else(|| "must be from 0.01 to 100000, or `max`".to_string())
}

#[cfg(not(feature = "live"))]
pub fn run(_: Args) -> anyhow::Result<ExitCode> {
    anyhow::bail!(
        "this crewlab was built without the live laboratory: build it with the feature `live`, which is on by default"
    )
}

#[cfg(feature = "live")]
pub use with::run;

#[cfg(feature = "live")]
mod with {
    use super::Args;
    use super::experiment::Experiment;
    use super::results::{Results, name_of, within};
    use crate::commands::run::stop_on_signals;
    use crate::commands::threads;
    use crate::terminal::{print, warn};
    use anyhow::{Context, anyhow, bail};
    use crewlab_lab::catalog;
    use crewlab_live::server::{self, Running, Token, serve};
    use crewlab_live::shelf::Shelf;
    use crewlab_live::studio::{self, Exports, OpenError};
    use crewlab_scenario::Request;
    use std::io;
    use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
    use std::path::Path;
    use std::process::{Command, ExitCode, Stdio};
    use std::sync::atomic::Ordering;
    use std::sync::{Arc, PoisonError};
    use std::time::Duration;

    pub fn run(args: Args) -> anyhow::Result<ExitCode> {
        let address = SocketAddr::new(args.bind.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST)), args.port);
        let token = token(&args, address)?;
        let shelf = shelf_of(Path::new(&args.which.scenario))?;
        let (request, key) = first_of(shelf.as_deref(), &args)?;
        let options = studio::StudioOptions {
            threads: threads(args.threads),
            memory: args.memory as usize * 1_000_000,
            exports: args.out.clone(),
            play: !args.paused,
            speed: args.speed.0,
            compare: args.compare.clone(),
            shelf: shelf.map(Arc::from),
            key,
        };
        let (handle, warnings) = studio::open(request, options).map_err(|error| match error {
            OpenError::Scenario(problems) => anyhow::Error::new(problems),
            other => other.into(),
        })?;
        warn(&warnings);
        let exports = handle.exports.clone();
        let stop = stop_on_signals()?;
        let options =
            server::ServerOptions { address, token, page: args.page, ..server::ServerOptions::default() };
        let running = serve(handle, options).map_err(|error| sorry(error, address))?;
        greet(&running, address)?;
        if !args.no_open && has_display() {
            open(&running.url());
        }
        while !stop.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(50));
        }
        running.stop();
        eprintln!("{}", kept(&exports));
        Ok(ExitCode::SUCCESS)
    }

    /// The runs in a folder: each kind of folder that holds runs is opened in its own way.
    fn shelf_of(path: &Path) -> anyhow::Result<Option<Box<dyn Shelf>>> {
        if !path.is_dir() || is_shipped(path) {
            return Ok(None);
        }
        if let Some(experiment) = Experiment::read(path)? {
            return Ok(Some(Box::new(experiment)));
        }
        if let Some(results) = Results::read(path)? {
            if let Some(doubt) = results.doubts() {
                eprintln!("warning: {doubt}");
            }
            return Ok(Some(Box::new(results)));
        }
        bail!(
            "{} is a folder without the results of a run: {}; accepted: the name of a shipped scenario, a scenario file, \
             a results folder of `crewlab run`, `sweep` or `compare`, or a folder that contains results of `crewlab run`",
            path.display(),
            found_in(path)?
        )
    }

    /// The name of a shipped scenario takes precedence; `./NAME` is a folder of that name.
    fn is_shipped(path: &Path) -> bool {
        let shipped = catalog::sections().into_iter().filter(|list| list.name == "scenarios");
        shipped.flat_map(|list| list.entries).any(|entry| path.as_os_str() == entry.name.as_str())
    }

    /// A short description of a folder's content.
    fn found_in(folder: &Path) -> anyhow::Result<String> {
        let names: Vec<String> = within(folder)?.iter().map(|path| name_of(path)).collect();
        Ok(match (&names[..], names.iter().any(|name| name == "learning.csv")) {
            ([], _) => "it is empty".into(),
            (_, true) => "it contains the results of `crewlab learn`, which are not single runs".into(),
            (few, _) if few.len() <= 5 => format!("found {}", few.join(", ")),
            _ => format!("found {} and {} more", names[..4].join(", "), names.len() - 4),
        })
    }

    /// The first run, and its key if it is on the shelf unchanged.
    fn first_of(shelf: Option<&dyn Shelf>, args: &Args) -> anyhow::Result<(Request, Option<String>)> {
        let asked = Request { seed: args.seed, ..args.which.request() };
        let Some(shelf) = shelf else { return Ok((asked, None)) };
        let first = shelf.list().into_iter().next();
        let key = first.with_context(|| format!("there are no runs in {}", args.which.scenario))?.key;
        let mut request = shelf.run(&key).map_err(|why| anyhow!(why))?;
        let changed = asked.seed.is_some() || !asked.sets.is_empty() || !asked.disturbances.is_empty();
        request.seed = asked.seed.or(request.seed);
        request.sets.extend(asked.sets);
        request.disturbances.extend(asked.disturbances);
        Ok((request, (!changed).then_some(key)))
    }

    fn token(args: &Args, address: SocketAddr) -> anyhow::Result<Option<Token>> {
        match &args.token {
            Some(text) => Token::chosen(text).map(Some).map_err(anyhow::Error::msg).context("--token"),
            None if address.ip().to_canonical().is_loopback() => Ok(None),
            None => Token::random().map(Some).context("cannot make a token; set one with --token"),
        }
    }

    fn sorry(error: io::Error, address: SocketAddr) -> anyhow::Error {
        let port = address.port();
        let words = match error.kind() {
            io::ErrorKind::AddrInUse => format!(
                "port {port} is in use, perhaps by another `crewlab live`: stop that one, or use --port 0 for any free port"
            ),
            io::ErrorKind::PermissionDenied => {
                format!(
                    "port {port} needs special rights: use one from 1024 on, or --port 0 for any free port"
                )
            }
            io::ErrorKind::AddrNotAvailable => {
                format!(
                    "{} is not an address of this machine: --bind 0.0.0.0 listens on all of them",
                    address.ip()
                )
            }
            _ => return anyhow::Error::new(error).context("cannot serve"),
        };
        anyhow::Error::msg(words)
    }

    /// The address is printed first and at once, also for programs that wait for it.
    fn greet(running: &Running, asked: SocketAddr) -> anyhow::Result<()> {
        print(&format!("{}\n", running.url()))?;
        if asked.ip().is_unspecified() {
            let there = own_address().map_or_else(|| "THIS-MACHINE".into(), |address| address.to_string());
            let url = running.url().replacen("127.0.0.1", &there, 1).replacen("[::1]", &there, 1);
            print(&format!("From other machines: {url}\n"))?;
        }
        if !asked.ip().to_canonical().is_loopback() {
            eprintln!(
                "Anyone with this address can watch and disturb the run. The connection is not encrypted."
            );
        }
        eprintln!("Press Ctrl-C to stop.");
        Ok(())
    }

    /// The address by which other machines most likely know this one. Sends nothing.
    fn own_address() -> Option<IpAddr> {
        let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
        socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
        Some(socket.local_addr().ok()?.ip())
    }

    fn has_display() -> bool {
        let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        cfg!(not(target_os = "linux")) || set("DISPLAY") || set("WAYLAND_DISPLAY")
    }

    /// Opens a browser; if there is none, the address is on the screen.
    fn open(url: &str) {
        let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
        let mut command = Command::new(program);
        command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        if let Ok(mut child) = command.spawn() {
            std::thread::spawn(move || child.wait());
        }
    }

    fn kept(exports: &Exports) -> String {
        let exports = exports.lock().unwrap_or_else(PoisonError::into_inner);
        let folders: Vec<String> = exports.values().map(|folder| folder.display().to_string()).collect();
        match &folders[..] {
            [] => "The run was not saved: nothing was exported.".into(),
            [one] => format!("Stopped. Exported: {one}"),
            _ => format!("Stopped. Exported: {}", folders.join(", ")),
        }
    }
}
