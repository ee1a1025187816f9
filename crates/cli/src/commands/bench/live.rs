//! `crewlab bench live`.

use std::path::PathBuf;

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  crewlab bench live --pairs 9\n\nStretches without and with viewers alternate in one process; the median of the ratios counts."
)]
#[cfg_attr(not(feature = "live"), allow(dead_code))]
pub struct Args {
    /// Number of robots, which wander and avoid each other
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=60000))]
    robots: u32,
    /// Number of simulation threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Seconds per stretch
    #[arg(long, default_value_t = 1.0)]
    seconds: f64,
    /// Pairs of stretches without and with viewers
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pairs: u16,
    /// Number of viewers in the test with many viewers
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=64))]
    viewers: u16,
    /// Measure the page in Chromium instead; needs Node.js and web/node_modules; run it in the source folder
    #[arg(long)]
    chromium: bool,
    /// Serve the page from a folder, with --chromium
    #[arg(long, value_name = "DIR", requires = "chromium")]
    page: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[cfg(not(feature = "live"))]
pub fn run(_: &Args) -> anyhow::Result<std::process::ExitCode> {
    anyhow::bail!("this crewlab was built without the live laboratory: build it with the feature `live`")
}

#[cfg(feature = "live")]
pub use with::run;

#[cfg(feature = "live")]
mod with {
    use super::Args;
    use crate::terminal::print;
    use anyhow::Context;
    use crewlab_lab::bench::arena::Arena;
    use crewlab_live::bench::{Bench, LiveFigures, Watched, Workload, measure};
    use serde::{Deserialize, Serialize};
    use std::fmt::Write;
    use std::path::Path;
    use std::process::{Command, ExitCode, Stdio};

    /// Speed of the run while the page is measured: fast enough for 30 different frames per second.
    const SPEED: f64 = 10.0;
    const SCRIPT: &str = "web/bench/page.mjs";

    pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
        anyhow::ensure!(
            args.seconds > 0.0 && args.seconds <= 3600.0,
            "--seconds must be above 0 and at most 3600, found {}",
            args.seconds
        );
        if args.chromium {
            let drawn = in_chromium(args)?;
            let text = format!(
                "{} robots in Chromium {}, the run at {SPEED}x real time\n  {:<32} {:>8.1}   target 30\n  {:<32} {:>8.1}\n",
                args.robots,
                drawn.chromium,
                "pictures drawn per second",
                drawn.drawn_per_s,
                "frames received per second",
                drawn.received_per_s
            );
            let json = serde_json::to_string_pretty(&drawn)?;
            print(&if args.json { format!("{json}\n") } else { text })?;
            return Ok(ExitCode::SUCCESS);
        }
        let workload = Workload {
            robots: args.robots as usize,
            threads: usize::from(args.threads),
            seconds: args.seconds,
            pairs: usize::from(args.pairs),
            viewers: usize::from(args.viewers),
        };
        let report = measure(&workload).map_err(anyhow::Error::msg)?;
        let text = if args.json { serde_json::to_string_pretty(&report)? + "\n" } else { table(&report) };
        print(&text)?;
        Ok(ExitCode::SUCCESS)
    }

    fn table(report: &LiveFigures) -> String {
        let mut text = format!(
            "{} robots, {} thread(s) for the simulation; alone it does {:.0} ticks/s\n\n",
            report.robots, report.threads, report.bare_ticks_per_s
        );
        // Writing into a string cannot fail.
        let _ = writeln!(
            text,
            "{:<40} {:>10} {:>10}   target",
            "as fast as possible, viewers:", 1, report.many.viewers
        );
        let mut row = |name: &str, figure: &dyn Fn(&Watched) -> f64, digits: usize, target: &str| {
            let (one, many) = (figure(&report.one), figure(&report.many));
            let _ = writeln!(text, "  {name:<38} {one:>10.digits$} {many:>10.digits$}   {target}");
        };
        row("ticks/s without viewers", &|w| w.ticks_per_s_without, 0, "");
        row("ticks/s with viewers", &|w| w.ticks_per_s_with, 0, "");
        row("slower, by the clock [%]", &|w| w.slower_percent, 1, "under 5 with one");
        row("slower, by its processor time [%]", &|w| w.slower_cpu_percent, 1, "under 5 with one");
        row("  a quarter of the pairs is below", &|w| w.slower_cpu_quartiles[0], 1, "");
        row("  a quarter of the pairs is above", &|w| w.slower_cpu_quartiles[1], 1, "");
        row("frames/s per viewer", &|w| w.frames_per_s, 1, "30");
        row("frames/s of the worst viewer", &|w| w.frames_per_s_least, 1, "30");
        row("bytes per robot and frame", &|w| w.bytes_per_robot, 2, "");
        row("kB/s per viewer in total", &|w| w.kilobytes_per_s, 0, "");
        row("server [% of a core]", &|w| w.server_percent, 1, "");
        let _ = writeln!(text, "\n{:<40} {:>10} {:>10}", "one viewer", "frames/s", "B/robot");
        for paced in &report.paced {
            let name = format!("at {}x real time", paced.speed);
            let _ =
                writeln!(text, "  {name:<38} {:>10.1} {:>10.2}", paced.frames_per_s, paced.bytes_per_robot);
        }
        text
    }

    /// The measurements of the page in a browser.
    #[derive(Serialize, Deserialize)]
    struct Drawn {
        drawn_per_s: f64,
        received_per_s: f64,
        chromium: String,
    }

    fn in_chromium(args: &Args) -> anyhow::Result<Drawn> {
        anyhow::ensure!(
            Path::new(SCRIPT).is_file() && Path::new("web/node_modules").is_dir(),
            "{SCRIPT} or web/node_modules is missing: use --chromium in the source folder, after `make page`"
        );
        let arena = Arena::generate(args.robots as usize, 1);
        let bench =
            Bench::start(&arena, usize::from(args.threads), args.page.clone()).map_err(anyhow::Error::msg)?;
        bench.play(Some(SPEED)).map_err(anyhow::Error::msg)?;
        let seconds = (args.seconds * 10.0).to_string();
        let mut command = Command::new("node");
        command.args([SCRIPT, &bench.url(), &seconds]).stderr(Stdio::inherit());
        let output = command.output().context("cannot start node")?;
        anyhow::ensure!(output.status.success(), "cannot measure the page: {SCRIPT} failed");
        serde_json::from_slice(&output.stdout).context("cannot measure the page")
    }
}
