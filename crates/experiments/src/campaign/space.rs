//! What a campaign varies, and how a point of the unit cube becomes a setting.

use super::setting::{FACTORS, NOTHING, Setting, rooms};
use crewlab_lab::sim::missions::{self, MissionKind, RoomKind};
use crewlab_lab::sim::teams;
use crewlab_scenario::PRESETS;
use crewlab_scenario::text::did_you_mean;

/// The ticks that are tried by default.
pub const TICKS: [&str; 5] = ["20 ms", "50 ms", "100 ms", "200 ms", "500 ms"];
/// The factors of noise that are tried by default.
pub const NOISES: [f64; 3] = [0.0, 1.0, 2.0];
/// The team sizes that are tried by default.
pub const ROBOTS: (u32, u32) = (1, 40);
/// The share of undisturbed settings, where nothing else is asked for.
const UNDISTURBED: f64 = 0.25;

/// What a campaign is about. Empty lists stand for everything.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// Missions.
    pub missions: Vec<String>,
    /// Coordinators.
    pub coordinators: Vec<String>,
    /// The smallest and the largest team.
    pub robots: Option<(u32, u32)>,
    /// Rooms, by the names that missions give them.
    pub rooms: Vec<String>,
    /// Ticks, with units.
    pub ticks: Vec<String>,
    /// Factors of all noise.
    pub noises: Vec<f64>,
    /// Disturbances: presets or entries; `none` for none.
    pub disturbances: Vec<String>,
}

/// Why a campaign is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScopeError {
    /// An unknown name.
    #[error("there is no {what} `{name}`{meant}\nAccepted: {accepted}.")]
    Unknown {
        /// What kind of name.
        what: &'static str,
        /// The name.
        name: String,
        /// A similar name.
        meant: String,
        /// All names.
        accepted: String,
    },
    /// No mission fits the rest.
    #[error("no mission can be run with {0}\nTeam sizes and rooms of missions: {1}.")]
    Nothing(String, String),
    /// A mission that cannot fail.
    #[error("the mission `{0}` has nothing to complete, so it cannot fail: choose another one")]
    Endless(String),
    /// A factor of noise that makes no sense.
    #[error("a factor of noise is a number from 0 on, found {0}")]
    Noise(String),
}

/// A mission as a campaign tries it.
#[derive(Clone)]
struct Candidate {
    mission: &'static MissionKind,
    /// The smallest and the largest team; `None` for its own team only.
    robots: Option<(u32, u32)>,
    rooms: Vec<RoomKind>,
}

/// Everything that a campaign can try.
#[derive(Clone)]
pub(super) struct Space {
    candidates: Vec<Candidate>,
    coordinators: Vec<String>,
    ticks: Vec<String>,
    noises: Vec<f64>,
    disturbances: Vec<Option<String>>,
}

fn check(what: &'static str, name: &str, known: &[&str]) -> Result<(), ScopeError> {
    if known.contains(&name) {
        return Ok(());
    }
    let meant = did_you_mean(name, known.iter().copied());
    Err(ScopeError::Unknown {
        what,
        name: name.into(),
        meant: meant.map_or(String::new(), |name| format!("; did you mean `{name}`?")),
        accepted: known.join(", "),
    })
}

/// The level at a position between 0 and 1.
fn pick<T>(levels: &[T], at: f64) -> &T {
    &levels[((at * levels.len() as f64) as usize).min(levels.len() - 1)]
}

impl Space {
    pub(super) fn new(scope: &Scope) -> Result<Space, ScopeError> {
        let coordinators: Vec<&str> = teams::KINDS.iter().map(|kind| kind.name).collect();
        scope.coordinators.iter().try_for_each(|name| check("coordinator", name, &coordinators))?;
        let or_all = |asked: &[String], all: &[&str]| match asked {
            [] => all.iter().map(|name| name.to_string()).collect(),
            asked => asked.to_vec(),
        };
        if let Some(noise) = scope.noises.iter().find(|noise| !(noise.is_finite() && **noise >= 0.0)) {
            return Err(ScopeError::Noise(noise.to_string()));
        }
        Ok(Space {
            candidates: candidates(scope)?,
            coordinators: or_all(&scope.coordinators, &coordinators),
            ticks: or_all(&scope.ticks, &TICKS),
            noises: if scope.noises.is_empty() { NOISES.to_vec() } else { scope.noises.clone() },
            disturbances: disturbances(&scope.disturbances),
        })
    }

    pub(super) fn missions(&self) -> Vec<&'static MissionKind> {
        self.candidates.iter().map(|candidate| candidate.mission).collect()
    }

    /// The number of axes of the cube.
    pub(super) const AXES: usize = FACTORS.len();

    /// The setting at a point of the unit cube.
    pub(super) fn at(&self, point: &[f64]) -> Setting {
        let Candidate { mission, robots, rooms } = pick(&self.candidates, point[0]);
        // Evenly by factors, not by differences: from 1 to 2 is as much as from 20 to 40.
        let size = |(low, high): (u32, u32)| {
            let (low, high) = (f64::from(low), f64::from(high) + 1.0);
            ((low * libm::pow(high / low, point[2])) as u32).min(high as u32 - 1)
        };
        Setting {
            mission,
            coordinator: pick(&self.coordinators, point[1]).clone(),
            robots: robots.map(size),
            room: *pick(rooms, point[3]),
            tick: pick(&self.ticks, point[4]).clone(),
            noise: *pick(&self.noises, point[5]),
            disturbance: pick(&self.disturbances, point[6]).clone(),
        }
    }
}

fn candidates(scope: &Scope) -> Result<Vec<Candidate>, ScopeError> {
    let names: Vec<&str> = missions::KINDS.iter().map(|kind| kind.name).collect();
    scope.missions.iter().try_for_each(|name| check("mission", name, &names))?;
    let endless = |name: &&String| missions::KINDS.iter().any(|kind| kind.name == **name && kind.endless);
    if let Some(name) = scope.missions.iter().find(endless) {
        return Err(ScopeError::Endless(name.clone()));
    }
    let asked = |kind: &&MissionKind| {
        !kind.endless && (scope.missions.is_empty() || scope.missions.iter().any(|name| name == kind.name))
    };
    let kinds: Vec<&'static MissionKind> = missions::KINDS.iter().filter(asked).collect();
    let all: Vec<&str> = kinds.iter().flat_map(|kind| rooms(kind)).map(|room| room.name).collect();
    scope.rooms.iter().try_for_each(|name| check("room", name, &all))?;
    let (low, high) = scope.robots.unwrap_or(ROBOTS);
    let candidate = |mission: &&'static MissionKind| {
        let fits =
            |room: &&RoomKind| scope.rooms.is_empty() || scope.rooms.iter().any(|name| name == room.name);
        let rooms: Vec<RoomKind> = rooms(mission).iter().filter(fits).copied().collect();
        let robots = mission.scaling.map(|scaling| (low.max(scaling.robots.0), high.min(scaling.robots.1)));
        let possible = robots.is_none_or(|(low, high)| low <= high) && !rooms.is_empty();
        possible.then_some(Candidate { mission, robots, rooms })
    };
    let candidates: Vec<Candidate> = kinds.iter().filter_map(candidate).collect();
    if candidates.is_empty() {
        let asked = format!("{low} to {high} robots in the room {}", scope.rooms.join(" or "));
        let words = |kind: &&&MissionKind| format!("{}: {}", kind.name, words(kind));
        return Err(ScopeError::Nothing(
            asked,
            kinds.iter().map(|kind| words(&kind)).collect::<Vec<_>>().join("; "),
        ));
    }
    Ok(candidates)
}

/// The teams and rooms of a mission, in words.
pub fn words(mission: &MissionKind) -> String {
    let team = mission.scaling.map_or("its own team".to_string(), |scaling| {
        format!("{} to {} robots", scaling.robots.0, scaling.robots.1)
    });
    let rooms: Vec<&str> = rooms(mission).iter().map(|room| room.name).collect();
    format!("{team}, rooms {}", rooms.join(", "))
}

/// The disturbances to choose from; with all presets a fixed share is undisturbed.
fn disturbances(asked: &[String]) -> Vec<Option<String>> {
    if !asked.is_empty() {
        return asked.iter().map(|entry| Some(entry.clone()).filter(|entry| entry != NOTHING)).collect();
    }
    let presets = PRESETS.len() as f64;
    let undisturbed = (presets * UNDISTURBED / (1.0 - UNDISTURBED)).round() as usize;
    let presets = PRESETS.iter().map(|preset| Some(preset.name.to_string()));
    std::iter::repeat_n(None, undisturbed).chain(presets).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_of_the_cube_are_the_ends_of_the_axes() {
        let scope = Scope { missions: vec!["waste-cleanup".into()], ..Scope::default() };
        let space = Space::new(&scope).expect("a space");
        assert_eq!(space.at(&[0.0; 7]).robots, Some(1));
        let last = space.at(&[1.0 - 1e-12; 7]);
        assert_eq!((last.robots, last.tick.as_str(), last.noise), (Some(40), "500 ms", 2.0));
        assert_eq!(space.at(&[0.0; 7]).disturbance, None);
    }

    #[test]
    fn what_cannot_be_run_is_refused_with_what_can() {
        let of = |scope: Scope| Space::new(&scope).err().expect("refused").to_string();
        let mission = |name: &str| Scope { missions: vec![name.into()], ..Scope::default() };
        assert!(of(mission("waste")).contains("waste-cleanup"));
        assert!(of(mission("diffusion")).contains("nothing to complete"));
        let few = of(Scope { robots: Some((30, 40)), ..mission("service") });
        assert!(few.contains("30 to 40") && few.contains("2 to 10"), "{few}");
        assert!(of(Scope { noises: vec![-1.0], ..Scope::default() }).contains("-1"));
        assert!(
            of(Scope { rooms: vec!["smal".into()], ..Scope::default() }).contains("did you mean `small`")
        );
    }
}
