//! `crewlab link`.

use crate::terminal::print;
use crewlab_lab::link::{LinkError, LinkSetup, distance, jammer, level, walls};
use std::process::ExitCode;

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  crewlab link --radio wifi-outdoor --set path-loss=friis --set 'power=20 dBm' --distance 100m\n  crewlab link --radio wifi-indoor --distance '0.03 km' --walls 2xconcrete --walls '4 dB'\n  crewlab link --radio lte --distance 300m --jammer 20dBm@2km --noise -90dBm --bytes 1000 --json\n\nMaterials of walls: wood (4 dB), inner-wall (5 dB), concrete-with-windows (7 dB), stone (12 dB), concrete (15 dB).\n\nWithout random shadowing and fading: the result is the median link."
)]
pub struct Args {
    /// A radio (see `crewlab list radios`), or a file with a radio or a scenario
    #[arg(long, value_name = "NAME_OR_FILE")]
    radio: String,
    /// Change a value of the radio, e.g. --set frequency='5 GHz' (may be repeated)
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
    /// Distance from sender to receiver, e.g. 200m or '0.2 km'
    #[arg(long, value_name = "LENGTH", value_parser = distance, allow_hyphen_values = true)]
    distance: f64,
    /// Walls in between, e.g. 2x12dB, '12 dB' or 2xconcrete (may be repeated)
    #[arg(long, value_name = "N x DAMPING", value_parser = walls)]
    walls: Vec<(usize, f64)>,
    /// A jammer that the receiver hears, e.g. 20dBm@300m (may be repeated)
    #[arg(long = "jammer", value_name = "POWER@DISTANCE", value_parser = jammer, allow_hyphen_values = true)]
    jammers: Vec<(f64, f64)>,
    /// Additional noise at the receiver, e.g. -90dBm
    #[arg(long, value_name = "POWER", value_parser = level, allow_hyphen_values = true)]
    noise: Option<f64>,
    /// Message size in bytes
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    bytes: u32,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let link = LinkSetup {
        radio: args.radio,
        sets: args.sets,
        distance: args.distance,
        walls: args.walls,
        jammers: args.jammers,
        noise: args.noise,
        bytes: args.bytes,
    };
    let report = match link.budget() {
        // With its place in the text.
        Err(LinkError::Radio(problems)) => return Err(problems.into()),
        other => other?,
    };
    if args.json {
        print(&format!("{}\n", serde_json::to_string_pretty(&report)?))?;
    } else {
        print(&report.table())?;
    }
    Ok(ExitCode::SUCCESS)
}
