//! `crewlab bench radio`.

use crate::terminal::print;
use crewlab_lab::bench::radio::{RadioRow, RadioSetting, measure, published, radio};
use std::process::ExitCode;

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  crewlab bench radio\n  crewlab bench radio --nodes 100 --set path-loss=log-distance --set exponent=2.7\n  crewlab bench radio --nodes 200 --size 2000 2000 --radio wifi-outdoor --bytes 1000 --seeds 3\n\nEvery node broadcasts 200 bytes ten times per second for ten seconds while moving randomly. Receivers lock on to frames from\n-82 dBm and 4 dB, the first one wins, as in ns-3; --set sensitivity=null --set preamble-sinr=null --set 'capture=10 dB'\ngives the receivers of the presets. CPU is processor time per 10 simulated seconds."
)]
pub struct Args {
    /// Numbers of nodes [default: the published settings]
    #[arg(long, value_name = "N", num_args = 1.., value_parser = clap::value_parser!(u32).range(1..=60000))]
    nodes: Vec<u32>,
    /// Width and height of the area [m]
    #[arg(long, value_name = "M", num_args = 2, default_values_t = [600.0, 275.0])]
    size: Vec<f64>,
    /// Walls of 15 dB at random places
    #[arg(long, value_name = "N", default_value_t = 0)]
    walls: u16,
    /// Bytes per message
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=2304))]
    bytes: u32,
    /// A radio or a file with one [default: free space at 2.4 GHz and 20 dBm]
    #[arg(long, value_name = "NAME_OR_FILE")]
    radio: Option<String>,
    /// Change a value of the radio (may be repeated)
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
    /// Seeds for each number of nodes
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=1000))]
    seeds: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let settings = if args.nodes.is_empty() { published() } else { asked(args)? };
    if args.nodes.is_empty() {
        anyhow::ensure!(
            args.sets.is_empty() && args.radio.is_none() && args.walls == 0,
            "--radio, --set and --walls need --nodes: without it the published settings run unchanged"
        );
    }
    if args.json {
        let rows: Vec<RadioRow> = settings.iter().map(measure).collect();
        print(&format!("{}\n", serde_json::to_string_pretty(&rows)?))?;
        return Ok(ExitCode::SUCCESS);
    }
    print(&format!(
        "{:<24} {:>6} {:>6} {:>10} {:>13} {:>24} {:>26}\n",
        "setting", "nodes", "seeds", "CPU", "per node, s", "delivered", "latency"
    ))?;
    for setting in &settings {
        let row = measure(setting);
        let range = |[low, high]: [f64; 2]| format!("{low:.3} to {high:.3}");
        let delivered = format!("{:.3} ({})", row.delivery, range(row.delivery_range));
        let latency = format!("{:.3} ms ({})", row.latency_ms, range(row.latency_range_ms));
        print(&format!(
            "{:<24} {:>6} {:>6} {:>8.3} s {:>10.1} us {:>24} {:>26}\n",
            row.setting, row.nodes, row.seeds, row.cpu_s, row.per_node_us, delivered, latency
        ))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The requested settings.
fn asked(args: &Args) -> anyhow::Result<Vec<RadioSetting>> {
    let free = ["path-loss=friis".to_string(), "power=20 dBm".into()];
    let sets: Vec<String> = match args.radio {
        None => free.iter().chain(&args.sets).cloned().collect(),
        Some(_) => args.sets.clone(),
    };
    let name = args.radio.as_deref().unwrap_or("wifi-outdoor");
    let Some(workload) = radio(name, &sets)? else {
        anyhow::bail!(
            "the ideal radio cannot be measured here; choose a physical radio such as wifi-outdoor"
        );
    };
    let [width, height] = [args.size[0], args.size[1]];
    anyhow::ensure!(
        [width, height].iter().all(|side| (1.0..=1e6).contains(side)),
        "--size must be from 1 to 1000000 metres, found {width} and {height}"
    );
    let setting = |nodes: &u32| {
        let mut workload = workload.clone();
        workload.nodes = *nodes as usize;
        workload.size = [width, height];
        workload.walls = usize::from(args.walls);
        workload.bytes = args.bytes as usize;
        RadioSetting { name: format!("{width} m x {height} m"), workload, seeds: args.seeds }
    };
    Ok(args.nodes.iter().map(setting).collect())
}
