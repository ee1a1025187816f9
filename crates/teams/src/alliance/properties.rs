//! `.properties` files in the format of ALLIANCE-SIM figure 3.4.
//!
//! `threshold = v`, `broadcastRate.<set> = v`, `timeAllowedTillCeased.<set>`, `fastImpatience.<set>`,
//! `timeBeforeYielding.<set>`, `timeBeforeGivingUp.<set>`, and per team-mate `timeWillingToAffect.<robot>.<set>` and
//! `slowImpatience.<robot>.<set>`. Times are in seconds, rates per second.

use super::params::{AllianceParams, Patch};

/// An error in a file, and its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertiesError {
    /// Line, from 1; 0 if something is missing.
    pub line: usize,
    /// What is wrong.
    pub message: String,
    /// The key concerned, if there is one.
    pub key: Option<String>,
}

/// The parameters in a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Properties {
    /// The parameters.
    pub params: AllianceParams,
    /// Remarks, such as parameters for robots that are not in the team.
    pub notes: Vec<String>,
}

const PER_SET: [&str; 5] =
    ["broadcastRate", "timeAllowedTillCeased", "fastImpatience", "timeBeforeYielding", "timeBeforeGivingUp"];
const PER_TEAMMATE: [&str; 2] = ["timeWillingToAffect", "slowImpatience"];

impl Properties {
    /// Reads a file for a team of these robots with these behaviour sets; an error if anything is wrong or missing.
    pub fn parse(
        text: &str,
        robots: &[&str],
        behaviours: &[&str],
    ) -> Result<Properties, Vec<PropertiesError>> {
        let (found, errors) = Properties::read(text, robots, behaviours);
        if errors.is_empty() { Ok(found) } else { Err(errors) }
    }

    /// Reads a file and returns the readable part together with all errors.
    pub fn read(text: &str, robots: &[&str], behaviours: &[&str]) -> (Properties, Vec<PropertiesError>) {
        let (mut found, mut errors) = (Properties::default(), Vec::new());
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with(['#', '!']) {
                continue;
            }
            if let Err((message, key)) = found.take(line, robots, behaviours) {
                errors.push(PropertiesError { line: number + 1, message, key });
            }
        }
        // A parameter with an invalid value is not missing.
        let mut missing = found.missing(robots, behaviours);
        missing.retain(|key| !errors.iter().any(|error| error.key.as_ref() == Some(key)));
        errors.extend(missing.into_iter().map(|key| PropertiesError {
            line: 0,
            message: format!("`{key}` is missing: add a line `{key} = <value>`"),
            key: Some(key),
        }));
        (found, errors)
    }

    /// Parses one line, or returns the error and its key.
    fn take(
        &mut self,
        line: &str,
        robots: &[&str],
        behaviours: &[&str],
    ) -> Result<(), (String, Option<String>)> {
        let (key, value) = line
            .split_once(['=', ':'])
            .ok_or_else(|| (format!("expected `key = value`, found `{line}`"), None))?;
        let key: String = key.chars().filter(|c| !c.is_whitespace()).collect();
        let wrong = |message: String| (message, Some(key.clone()));
        let number: f64 =
            value.trim().parse().map_err(|_| wrong(format!("`{}` is not a number", value.trim())))?;
        if !number.is_finite() || number < 0.0 {
            return Err(wrong(format!("`{}` must be finite and not negative", value.trim())));
        }
        let parts: Vec<&str> = key.split('.').collect();
        match parts[..] {
            ["threshold"] => {
                if number == 0.0 {
                    return Err(wrong("`threshold` must be above 0".into()));
                }
                self.params.threshold = Some(number);
            }
            ["broadcastRate", _] if number == 0.0 => {
                return Err(wrong("`broadcastRate` must be above 0".into()));
            }
            [name, set] if PER_SET.contains(&name) => {
                if self.known_set(set, behaviours) {
                    *per_set(self.params.team.behaviours.entry(set.to_string()).or_default(), name) =
                        Some(number);
                }
            }
            [name, robot, set] if PER_TEAMMATE.contains(&name) => {
                if !robots.contains(&robot) {
                    self.notes.push(format!("`{key}` is ignored: no robot `{robot}` in the team"));
                } else if self.known_set(set, behaviours) {
                    let patch = self.params.team.behaviours.entry(set.to_string()).or_default();
                    let toward = patch.toward.entry(robot.to_string()).or_default();
                    match name {
                        "slowImpatience" => toward.slow_impatience = Some(number),
                        _ => toward.time_willing_to_affect = Some(number),
                    }
                }
            }
            _ => {
                let message = format!(
                    "unknown key `{key}`; accepted are threshold, {}.<set> and {}.<robot>.<set>",
                    PER_SET.join(".<set>, "),
                    PER_TEAMMATE.join(".<robot>.<set>, ")
                );
                return Err(wrong(message));
            }
        }
        Ok(())
    }

    /// The names of all parameters.
    pub fn names() -> impl Iterator<Item = &'static str> {
        PER_SET.into_iter().chain(PER_TEAMMATE).chain(["threshold"])
    }

    fn known_set(&mut self, set: &str, behaviours: &[&str]) -> bool {
        let known = behaviours.contains(&set);
        if !known {
            self.notes.push(format!("parameters of `{set}` are ignored: no robot has this behaviour set"));
        }
        known
    }

    fn missing(&mut self, robots: &[&str], behaviours: &[&str]) -> Vec<String> {
        let mut missing = Vec::new();
        if self.params.threshold.is_none() {
            missing.push("threshold".to_string());
        }
        for set in behaviours {
            let patch = self.params.team.behaviours.entry(set.to_string()).or_default();
            missing.extend(
                PER_SET.iter().filter(|name| per_set(patch, name).is_none()).map(|n| format!("{n}.{set}")),
            );
            for robot in robots {
                let toward = patch.toward.get(*robot);
                if toward.and_then(|t| t.time_willing_to_affect).is_none() {
                    missing.push(format!("timeWillingToAffect.{robot}.{set}"));
                }
                if toward.and_then(|t| t.slow_impatience).is_none() {
                    missing.push(format!("slowImpatience.{robot}.{set}"));
                }
            }
            // A robot that joins later is treated like the alphabetically first one named.
            if let Some(first) = patch.toward.values().next().cloned() {
                patch.slow_impatience = first.slow_impatience;
                patch.time_willing_to_affect = first.time_willing_to_affect;
            }
        }
        missing
    }
}

fn per_set<'a>(patch: &'a mut Patch, name: &str) -> &'a mut Option<f64> {
    match name {
        "broadcastRate" => &mut patch.broadcast_rate,
        "timeAllowedTillCeased" => &mut patch.time_allowed_till_ceased,
        "fastImpatience" => &mut patch.fast_impatience,
        "timeBeforeYielding" => &mut patch.time_before_yielding,
        _ => &mut patch.time_before_giving_up,
    }
}
