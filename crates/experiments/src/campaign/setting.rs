//! One setting of a campaign: a mission with a team, a room, a tick, noise, and a disturbance.

use crate::breaking::report::quoted;
use crewlab_lab::sim::missions::{MissionKind, RoomKind};
use crewlab_scenario::{Problems, Request, load};
use serde_json::Value;
use std::collections::BTreeMap;

/// The names of what a campaign varies, in the order of [`Setting::levels`].
pub const FACTORS: [&str; 7] = ["mission", "coordinator", "robots", "room", "tick", "noise", "disturbance"];

/// The level of `disturbance` at which nothing goes wrong.
pub const NOTHING: &str = "none";

/// A run without progress for this long is not worth its time, with as many robots as in the mission's own team. Longer than any
/// coordinator waits for a team-mate. [min]
const GIVE_UP: f64 = 25.0;

/// The keys of a device that are noise.
const NOISE: [&str; 2] = ["relative-noise", "absolute-noise"];

/// A setting.
#[derive(Clone)]
pub(super) struct Setting {
    pub mission: &'static MissionKind,
    pub coordinator: String,
    /// Number of robots; `None` for the mission's own team.
    pub robots: Option<u32>,
    pub room: RoomKind,
    pub tick: String,
    /// Factor of all noise of sensors and effectors.
    pub noise: f64,
    pub disturbance: Option<String>,
}

/// What a setting starts from: the mission's first scenario in one of its rooms.
#[derive(Clone, Debug)]
struct Base {
    /// Number of robots of the mission's own team.
    robots: usize,
    /// The time limit. [s]
    until: f64,
    /// Every noise: its key in a scenario, and its value in SI units.
    noises: Vec<(String, f64)>,
}

/// The bases of settings, by mission and room.
#[derive(Clone, Debug, Default)]
pub(super) struct Bases(BTreeMap<(&'static str, &'static str), Base>);

impl Bases {
    /// Loads what these missions start from.
    pub(super) fn load(missions: &[&'static MissionKind]) -> Result<Bases, Problems> {
        let mut bases = BTreeMap::new();
        for mission in missions {
            for room in rooms(mission) {
                let scenario = load(&Request {
                    scenario: scenario_of(mission).into(),
                    sets: room.sets.iter().map(|set| set.to_string()).collect(),
                    ..Request::default()
                })?;
                let base = Base {
                    robots: scenario.start.0.team.len(),
                    until: scenario.start.0.until.seconds(),
                    noises: noises(&scenario.resolved),
                };
                bases.insert((mission.name, room.name), base);
            }
        }
        Ok(Bases(bases))
    }
}

/// The scenario that a mission is tried with: its first one.
pub(super) fn scenario_of(mission: &MissionKind) -> &'static str {
    mission.shipped.first().map_or(mission.name, |shipped| shipped.name)
}

/// The rooms of a mission.
pub(super) fn rooms(mission: &MissionKind) -> &'static [RoomKind] {
    const OWN: &[RoomKind] = &[crewlab_lab::sim::missions::OWN_ROOM];
    mission.scaling.map_or(OWN, |scaling| scaling.rooms)
}

/// All noise in a resolved scenario.
fn noises(resolved: &Value) -> Vec<(String, f64)> {
    let empty = serde_json::Map::new();
    let map = |value: &'_ Value| value.as_object().cloned().unwrap_or_else(|| empty.clone());
    let mut found = Vec::new();
    for (name, robot_type) in map(&resolved["robot-types"]) {
        for part in ["sensors", "effectors"] {
            for (device, said) in map(&robot_type[part]) {
                let value = |key: &str| said.get(key)?.as_f64().filter(|value| *value > 0.0);
                let key =
                    |key: &str| Some((format!("robot-types.{name}.{part}.{device}.{key}"), value(key)?));
                found.extend(NOISE.iter().filter_map(|noise| key(noise)));
            }
        }
    }
    found
}

impl Setting {
    /// The level of each of the [`FACTORS`].
    pub(super) fn levels(&self) -> Vec<String> {
        vec![
            self.mission.name.into(),
            self.coordinator.clone(),
            self.robots.map_or("own".into(), |robots| robots.to_string()),
            self.room.name.into(),
            self.tick.clone(),
            format!("{} x", self.noise),
            self.disturbance.clone().unwrap_or(NOTHING.into()),
        ]
    }

    /// What it takes to run it.
    pub(super) fn request(&self, bases: &Bases) -> Request {
        let mut sets: Vec<String> = self.room.sets.iter().map(|set| set.to_string()).collect();
        sets.push(format!("team.coordinator={}", self.coordinator));
        sets.push(format!("run.tick={}", self.tick));
        if let Some((robots, scaling)) = self.robots.zip(self.mission.scaling) {
            sets.push(format!("team.robots={}", scaling.team(robots)));
        }
        let base = bases.0.get(&(self.mission.name, self.room.name));
        // Fewer robots get more time: with their own share of the work each takes as long as in the mission's own team. One that begins
        // all over again makes no progress for longer, too.
        let work = base.map_or(1.0, |base| {
            let robots = self.robots.map_or(base.robots, |robots| robots as usize);
            base.robots as f64 / robots.clamp(1, base.robots.max(1)) as f64
        });
        sets.push(format!("run.give-up={} min", (GIVE_UP * work).ceil()));
        if let Some(base) = base {
            if work > 1.0 {
                sets.push(format!("run.until={} s", (base.until * work).ceil()));
            }
            if self.noise != 1.0 {
                let louder = |(key, value): &(String, f64)| format!("{key}={}", value * self.noise);
                sets.extend(base.noises.iter().map(louder));
            }
        }
        Request {
            scenario: scenario_of(self.mission).into(),
            sets,
            disturbances: self.disturbance.iter().cloned().collect(),
            ..Request::default()
        }
    }
}

/// The command that does one run of a setting.
pub(super) fn command(request: &Request, seed: u64) -> String {
    let mut words = vec![format!("crewlab run {} --seed {seed}", quoted(&request.scenario))];
    words.extend(request.sets.iter().map(|set| format!("--set {}", quoted(set))));
    words.extend(request.disturbances.iter().map(|entry| format!("--disturb {}", quoted(entry))));
    words.join(" ")
}
