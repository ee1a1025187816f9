//! The properties that the live laboratory relies on: a run continues from a snapshot byte for byte, and a robot in reserve
//! changes nothing before it is added. For every mission, every coordinator, an ideal and a physical radio, and any disturbances.
//!
//! `CREWLAB_CASES=20 cargo test --test replay` tries this many cases of each kind instead of one.

mod reserve;
mod snapshots;
mod trouble;

use crewlab_lab::sim::radio::Fate;
use crewlab_lab::sim::{Logged, Simulation, Visibility, missions, teams};
use crewlab_scenario::{Request, Scenario, load};
use rayon::prelude::*;

const RADIOS: [&str; 4] = [
    "ideal",
    "{model: ideal, loss: 0.2, delay: 0.25 s}",
    "wifi-indoor",
    "{model: wifi-indoor, forwarding: link-state, power: -30 dBm}",
];

/// Any parameters that ALLIANCE can work with.
const ALLIANCE: &str = "{threshold: 10, broadcast-rate: 1 /s, slow-impatience: 1 /s, fast-impatience: 5 /s, \
                        time-allowed-till-ceased: 5 s, time-willing-to-affect: 20 s, time-before-yielding: 20 s, \
                        time-before-giving-up: 60 s}";

/// The events and the fates of messages of a tick.
type Record = (Vec<Logged>, Vec<Fate>);

/// A mission with a coordinator and a radio.
struct Setting {
    mission: &'static str,
    coordinator: &'static str,
    radio: &'static str,
}

/// Every mission with every coordinator and every radio.
fn settings() -> Vec<Setting> {
    let mut settings = Vec::new();
    for mission in missions::KINDS {
        for coordinator in teams::KINDS {
            for radio in RADIOS {
                settings.push(Setting { mission: mission.name, coordinator: coordinator.name, radio });
            }
        }
    }
    settings
}

impl Setting {
    fn scenario(&self) -> Scenario {
        let mut sets =
            vec![format!("team.coordinator={}", self.coordinator), format!("radio={}", self.radio)];
        if self.mission == "diffusion" {
            // Enough robots to run into each other, but not so many that the test is slow.
            sets.push("team.robots=[{name: d, type: wanderer, count: 12}]".into());
            sets.push("world.size=[3 m, 3 m]".into());
            sets.push("world.objects=[]".into());
            sets.push("parameters.broadcast=true".into());
            // The mission has no defaults for ALLIANCE, because wandering needs none.
            sets.push(format!("team.alliance={ALLIANCE}"));
        }
        let request = Request { scenario: self.mission.into(), sets, seed: Some(1), ..Request::default() };
        load(&request).unwrap_or_else(|problems| panic!("{problems}"))
    }

    fn name(&self) -> String {
        format!("{}, {}, {}", self.mission, self.coordinator, self.radio)
    }
}

/// Tries every setting as often as the environment variable says, in parallel.
fn try_all(check: impl Fn(&Setting, &Scenario, u64) + Sync) {
    let cases = std::env::var("CREWLAB_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    settings().par_iter().enumerate().for_each(|(place, setting)| {
        let scenario = setting.scenario();
        for case in 0..cases {
            check(setting, &scenario, 1 + place as u64 + 1000 * case);
        }
    });
}

/// In some teams robots hear the robots before them in the same tick.
fn visibility(seed: u64) -> Visibility {
    if seed.is_multiple_of(3) { Visibility::SameTick } else { Visibility::EndOfTick }
}

/// One tick and its events.
fn tick(run: &mut Simulation) -> Record {
    let mut log = Vec::new();
    run.listen = true;
    run.tick(&mut log);
    (log, std::mem::take(&mut run.fates))
}
