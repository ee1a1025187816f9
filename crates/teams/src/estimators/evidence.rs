//! What a robot observes before it estimates a piece of work: states of a few properties that may drive its cost.

use crewlab_onboard::geometry::Vec2;
use crewlab_onboard::{Choice, Reading, Situation, Skills, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The properties, in the order of [`Evidence`].
pub const COLUMNS: [&str; 6] = ["way", "site", "length", "before", "pace", "crowd"];

/// The state of a property that the robot cannot observe.
const UNKNOWN: &str = "unknown";
/// Side of the squares that sites are told apart by. [m]
const SQUARE: f64 = 3.0;
/// Up to these planned times, work is short or medium. [s]
const LENGTHS: [f64; 2] = [20.0, 60.0];
/// Number of positions, one per second, over which the pace is taken.
const STEPS: usize = 10;
/// Below these shares of its highest speed, a robot stands or is slow.
const PACES: [f64; 2] = [0.1, 0.5];
/// Something within this distance is close. [m]
const CLOSE: f64 = 1.0;
/// Below these shares of close beams, the surroundings are free or busy.
const CROWDS: [f64; 2] = [0.15, 0.4];

/// The state of every property of [`COLUMNS`], by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Evidence(pub [String; COLUMNS.len()]);

impl Evidence {
    /// The states with their names.
    pub fn named(&self) -> impl Iterator<Item = (&'static str, &str)> {
        COLUMNS.into_iter().zip(self.0.iter().map(String::as_str))
    }
}

/// How the last attempt in one way ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Before {
    /// There was none.
    #[default]
    First,
    /// Not much later than planned.
    OnTime,
    /// Later.
    Late,
    /// It failed.
    Failed,
}

impl Before {
    fn name(self) -> &'static str {
        match self {
            Before::First => "first",
            Before::OnTime => "on-time",
            Before::Late => "late",
            Before::Failed => "failed",
        }
    }
}

/// What a robot remembers of the last seconds and attempts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Observation {
    /// Its last positions, one per second. [m]
    trail: Vec<Vec2>,
    noted: Option<Time>,
    /// By behaviour set.
    before: Vec<Before>,
}

impl Observation {
    /// Notes the position, once per second.
    pub fn note(&mut self, situation: &Situation) {
        let now = situation.now;
        if self.noted.is_some_and(|at| at <= now && now.since(at) < 1.0) {
            return;
        }
        self.noted = Some(now);
        if let Some(at) = position(situation) {
            if self.trail.len() > STEPS {
                self.trail.remove(0);
            }
            self.trail.push(at);
        }
    }

    /// Notes how an attempt ended.
    pub fn ended(&mut self, choice: Choice, how: Before) {
        let set = usize::from(choice.behaviour.0);
        if self.before.len() <= set {
            self.before.resize(set + 1, Before::First);
        }
        self.before[set] = how;
    }

    /// The evidence about a piece of work that is planned to take so long. [s]
    pub fn evidence(
        &self,
        choice: Choice,
        planned: f64,
        situation: &Situation,
        skills: &dyn Skills,
    ) -> Evidence {
        let square = |x: f64| (x / SQUARE).floor();
        let site = skills.site(choice, situation);
        let site = site.filter(|site| site.x.is_finite() && site.y.is_finite());
        let before = self.before.get(usize::from(choice.behaviour.0)).copied().unwrap_or_default();
        let pace = self.pace(situation.me.datasheet.max_speed);
        Evidence([
            situation.me.behaviour(choice.behaviour).name.clone(),
            site.map_or(UNKNOWN.into(), |at| format!("{}/{}", square(at.x), square(at.y))),
            level(Some(planned), LENGTHS, ["short", "medium", "long"]).into(),
            before.name().into(),
            level(pace, PACES, ["standing", "slow", "fast"]).into(),
            level(crowd(situation), CROWDS, ["free", "busy", "crowded"]).into(),
        ])
    }

    /// Mean speed over the last seconds as a share of the highest; `None` if it is not known yet.
    fn pace(&self, max_speed: f64) -> Option<f64> {
        let seconds = self.trail.len().checked_sub(1).filter(|steps| *steps > 0)?;
        let way: f64 = self.trail.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
        (max_speed > 0.0).then(|| way / seconds as f64 / max_speed)
    }
}

/// The name of the level that a value has reached.
fn level(value: Option<f64>, limits: [f64; 2], names: [&'static str; 3]) -> &'static str {
    let Some(value) = value.filter(|value| !value.is_nan()) else { return UNKNOWN };
    names[limits.iter().filter(|limit| value >= **limit).count()]
}

/// Where the robot's first sensor of positions or poses says that it is.
fn position(situation: &Situation) -> Option<Vec2> {
    situation.percept.senses.iter().find_map(|sense| match &sense.reading {
        Reading::Point(point) => Some(*point),
        Reading::Pose(pose) => Some(pose.position),
        _ => None,
    })
}

/// Share of the beams of the robot's first range sensor that end close by.
fn crowd(situation: &Situation) -> Option<f64> {
    situation.percept.senses.iter().find_map(|sense| match &sense.reading {
        Reading::Ranges(ranges) if !ranges.is_empty() => {
            let close = ranges.iter().filter(|range| **range < CLOSE).count();
            Some(close as f64 / ranges.len() as f64)
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_have_names_and_what_is_no_number_is_unknown() {
        let name = |value| level(value, PACES, ["standing", "slow", "fast"]);
        assert_eq!(
            [Some(0.0), Some(0.1), Some(0.49), Some(0.5)].map(name),
            ["standing", "slow", "slow", "fast"]
        );
        assert_eq!([None, Some(f64::NAN)].map(name), [UNKNOWN; 2]);
    }

    #[test]
    fn pace_is_a_share_of_the_highest_speed() {
        let at = |x: f64| crewlab_onboard::geometry::vec2(x, 0.0);
        let observation = |trail: Vec<Vec2>| Observation { trail, ..Observation::default() };
        assert_eq!(observation(vec![at(0.0), at(0.5), at(1.0)]).pace(1.0), Some(0.5));
        assert_eq!(observation(vec![at(0.0)]).pace(1.0), None);
        assert_eq!(observation(vec![at(0.0), at(1.0)]).pace(0.0), None);
    }
}
