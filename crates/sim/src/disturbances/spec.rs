//! A disturbance as scenario files describe it.

use super::{AnyDisturbance, Complaint, Condition, Disturbance, Inventory, When};
use crewlab_onboard::Time;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A disturbance: when it happens (one of `at`, `between`, `every`, `when`, `rate`, `call`), how long it lasts, and what happens.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Timing {
    /// At this time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub at: Option<f64>,
    /// At a random time between these two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-unit" = "s"))]
    pub between: Option<[f64; 2]>,
    /// Repeatedly, with this period; first after one period, or at `from`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1e-3), extend("x-unit" = "s"))]
    pub every: Option<f64>,
    /// When this condition becomes true, such as `robots.blue.task == "find-locations" && time > 20.0`. It can use
    /// `time` (seconds), `progress` (0 to 1), `robots.NAME.task`, `.behaviour`, `.action` (of the plan, where the mission
    /// reports it), `.x`, `.y` (metres), `.energy` (0 to 1),
    /// `.travelled` (metres), `.holding`, `.alive`, `.leader`, `tasks.NAME.robots` (how many work on it) and `.open`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
    /// At random, with this mean rate (a Poisson process).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 1000.0), extend("exclusiveMinimum" = 0.0, "x-unit" = "1/s"))]
    pub rate: Option<f64>,
    /// When it is called by this name from outside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// With `every` and `rate`: not before this time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub from: Option<f64>,
    /// With `every` and `rate`: not after this time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub until: Option<f64>,
    /// Its duration; then it is undone. Default: permanent.
    #[serde(default, rename = "for", skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0), extend("x-unit" = "s"))]
    pub lasts: Option<f64>,
    /// Largest number of occurrences. Default: one for a condition, unlimited if it repeats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub times: Option<u32>,
}

/// A disturbance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct DisturbanceSpec {
    /// When and for how long.
    #[serde(flatten)]
    pub timing: Timing,
    /// What.
    #[serde(flatten)]
    pub what: AnyDisturbance,
}

impl Timing {
    fn when(&self, inventory: &Inventory) -> Result<When, Complaint> {
        let given: Vec<&'static str> = [
            ("at", self.at.is_some()),
            ("between", self.between.is_some()),
            ("every", self.every.is_some()),
            ("when", self.when.is_some()),
            ("rate", self.rate.is_some()),
            ("call", self.call.is_some()),
        ]
        .iter()
        .filter(|(_, given)| *given)
        .map(|(key, _)| *key)
        .collect();
        const ACCEPTED: &str = "give it with one of `at`, `between`, `every`, `when`, `rate`, `call`";
        match given.as_slice() {
            [] => return Err(Complaint::new("", format!("the time is missing: {ACCEPTED}"))),
            [_] => {}
            [first, second, ..] => {
                let message = format!("`{first}` and `{second}` exclude each other: {ACCEPTED}");
                return Err(Complaint::new(second, message));
            }
        }
        let repeats = self.every.is_some() || self.rate.is_some();
        for (key, given) in [("from", self.from.is_some()), ("until", self.until.is_some())] {
            if given && !repeats {
                return Err(Complaint::new(key, format!("`{key}` goes with `every` or `rate`")));
            }
        }
        self.built(inventory)
    }

    fn built(&self, inventory: &Inventory) -> Result<When, Complaint> {
        let time = Time::from_seconds;
        let until = self.until.map_or(Time(u64::MAX), time);
        if let Some(at) = self.at {
            return Ok(When::At(time(at)));
        }
        if let Some([low, high]) = self.between {
            if !(0.0 <= low && low <= high) {
                return Err(Complaint::new(
                    "between",
                    "the first time must not be after the second, nor below 0 s",
                ));
            }
            return Ok(When::Between(time(low), time(high)));
        }
        if let Some(period) = self.every {
            return Ok(When::Every { from: time(self.from.unwrap_or(period)), period, until });
        }
        if let Some(text) = &self.when {
            let condition = Condition::parse(text, inventory);
            return condition.map(When::Condition).map_err(|error| Complaint::new("when", error.to_string()));
        }
        if let Some(rate) = self.rate {
            return Ok(When::Chance { from: time(self.from.unwrap_or(0.0)), rate, until });
        }
        Ok(When::Call(self.call.clone().unwrap_or_default()))
    }
}

impl DisturbanceSpec {
    /// Checks it against the inventory of the run.
    pub fn build(&self, inventory: &Inventory) -> Result<Disturbance, Complaint> {
        let when = self.timing.when(inventory)?;
        self.what.check(inventory).map_err(|complaint| complaint.within(self.what.name()))?;
        let once = matches!(when, When::Condition(_)).then_some(1);
        Ok(Disturbance {
            when,
            lasts: self.timing.lasts.or(self.what.lasts()),
            times: self.timing.times.or(once),
            what: self.what.clone(),
        })
    }
}
