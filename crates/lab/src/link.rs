//! The budget of a link given on the command line: `crewlab link`.

use crate::budget::LinkBudget;
use crewlab_scenario::text::convert;
use crewlab_scenario::{Problems, RadioParams, load_radio};
use crewlab_sim::radio::PhysicalParams;
use crewlab_sim::radio::physics::{Budget, Conditions, Propagation};
use crewlab_sim::world::Material;
use serde::Serialize;
use thiserror::Error;

/// The largest distance that is accepted. [m]
const FARTHEST: f64 = 1e8;
/// The largest damping of a wall that is accepted. [dB]
const MOST_DAMPING: f64 = 200.0;
/// The powers that are accepted, as for radios. [dBm]
const POWERS: [f64; 2] = [-200.0, 80.0];
/// The most walls that are accepted.
const MOST_WALLS: usize = 1000;

/// A link: a radio at both ends, and its surroundings.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkSetup {
    /// The name of a radio, or a file with one.
    pub radio: String,
    /// Assignments such as `power=10 dBm`.
    pub sets: Vec<String>,
    /// Distance. [m]
    pub distance: f64,
    /// Walls in between: number and damping of each. [dB]
    pub walls: Vec<(usize, f64)>,
    /// Power and distance from the receiver of every jammer. [dBm, m]
    pub jammers: Vec<(f64, f64)>,
    /// Noise floor at the receiver besides its own noise. [dBm]
    pub noise: Option<f64>,
    /// Size of the message.
    pub bytes: u32,
}

/// The budget of a link, and what it leaves out.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LinkReport {
    /// The budget.
    #[serde(flatten)]
    pub budget: LinkBudget,
    /// Remarks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<&'static str>,
}

impl LinkReport {
    /// The budget line by line, in columns, and the remarks.
    pub fn table(&self) -> String {
        let notes = self.notes.iter().map(|note| format!("\n{note}\n"));
        std::iter::once(self.budget.table("")).chain(notes).collect()
    }
}

/// Why a link has no budget.
#[derive(Debug, Error)]
pub enum LinkError {
    /// The radio cannot be read.
    #[error(transparent)]
    Radio(#[from] Problems),
    /// The radio is not a physical one.
    #[error(
        "the ideal radio has no link budget: everyone hears everyone, regardless of power, noise and walls; choose a physical radio, such as wifi-outdoor"
    )]
    Ideal,
    /// The radio does not accept the message.
    #[error("the radio takes messages of at most {most} bytes, found {found}")]
    TooLong {
        /// Its largest message.
        most: u32,
        /// Size of the message.
        found: u32,
    },
}

impl LinkSetup {
    /// The budget of the median link: neither shadowing nor fading is drawn.
    pub fn budget(&self) -> Result<LinkReport, LinkError> {
        let RadioParams::Physical(params) = load_radio(&self.radio, &self.sets)? else {
            return Err(LinkError::Ideal);
        };
        if self.bytes > params.largest_message {
            return Err(LinkError::TooLong { most: params.largest_message, found: self.bytes });
        }
        let budget = Budget::new(&params, &self.conditions(&params));
        Ok(LinkReport { budget: budget.into(), notes: self.notes(&params) })
    }

    fn conditions(&self, params: &PhysicalParams) -> Conditions {
        let propagation = Propagation::new(params);
        let jammer = |(power, distance): &(f64, f64)| {
            let name = format!("{power} dBm from {distance} m");
            (name, power + params.antenna_gain - propagation.loss(*distance))
        };
        Conditions {
            distance: self.distance,
            walls: self.walls.clone(),
            floor: self.noise,
            jammers: self.jammers.iter().map(jammer).collect(),
            bytes: self.bytes,
            ..Conditions::default()
        }
    }

    fn notes(&self, params: &PhysicalParams) -> Vec<&'static str> {
        let elsewhere = params.noise_floor.is_some() && self.noise.is_none();
        let note = "The radio's noise floor depends on the place and is left out; set the noise at the receiver with --noise.";
        if elsewhere { vec![note] } else { Vec::new() }
    }
}

/// Reads a distance such as `200m` or `0.2 km`. [m]
pub fn distance(text: &str) -> Result<f64, String> {
    let metres = quantity(text, "m")?;
    if metres > 0.0 && metres <= FARTHEST {
        return Ok(metres);
    }
    Err(format!("a distance must be above 0 m and at most {FARTHEST} m, found `{}`", text.trim()))
}

/// Reads a power level such as `-90 dBm`. [dBm]
pub fn level(text: &str) -> Result<f64, String> {
    let [least, most] = POWERS;
    let level = quantity(text, "dBm")?;
    if (least..=most).contains(&level) {
        return Ok(level);
    }
    Err(format!("a power level must be between {least} dBm and {most} dBm, found `{}`", text.trim()))
}

/// Reads walls such as `2x12dB`, `12 dB` or `2xconcrete`: number and damping of each. [dB]
pub fn walls(text: &str) -> Result<(usize, f64), String> {
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let each = text[digits..].trim_start().strip_prefix(['x', 'X', '×', '*']).filter(|_| digits > 0);
    let (count, each) = match each {
        Some(each) => (text[..digits].parse().unwrap_or(usize::MAX), each.trim()),
        None => (1, text),
    };
    if count == 0 || count > MOST_WALLS {
        return Err(format!("between 1 and {MOST_WALLS} walls are accepted, found `{}`", &text[..digits]));
    }
    Ok((count, damping(each)?))
}

fn damping(text: &str) -> Result<f64, String> {
    if let Some(material) = Material::ALL.into_iter().find(|material| material.name() == text) {
        return Ok(material.damping());
    }
    if text.starts_with(|c: char| c.is_alphabetic()) {
        let names = || Material::ALL.into_iter().map(Material::name);
        let meant = crewlab_scenario::text::did_you_mean(text, names());
        let meant = meant.map(|name| format!(" (did you mean `{name}`?)")).unwrap_or_default();
        let known = names().collect::<Vec<_>>().join(", ");
        return Err(format!("there is no material `{text}`{meant}; materials: {known}"));
    }
    let damping = quantity(text, "dB")?;
    if (0.0..=MOST_DAMPING).contains(&damping) {
        return Ok(damping);
    }
    Err(format!("a wall takes between 0 dB and {MOST_DAMPING} dB, found `{text}`"))
}

/// Reads a jammer such as `20dBm@300m`: its power, and its distance from the receiver. [dBm, m]
pub fn jammer(text: &str) -> Result<(f64, f64), String> {
    let (power, from) = text.split_once('@').ok_or_else(|| {
        format!("a jammer is POWER@DISTANCE, such as `20dBm@300m`, found `{}`", text.trim())
    })?;
    Ok((level(power)?, distance(from)?))
}

fn quantity(text: &str, unit: &str) -> Result<f64, String> {
    convert(text, unit).map_err(|error| match error.help() {
        Some(help) => format!("{error}; {help}"),
        None => error.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_read_with_and_without_spaces() {
        assert_eq!((distance("200m"), distance(" 0.2 km ")), (Ok(200.0), Ok(200.0)));
        assert_eq!(distance("200"), Ok(200.0));
        assert_eq!((level("-90dBm"), level("20 dBm")), (Ok(-90.0), Ok(20.0)));
        for (text, expected) in [
            ("2x12dB", (2, 12.0)),
            ("2 x 12 dB", (2, 12.0)),
            ("12 dB", (1, 12.0)),
            ("12", (1, 12.0)),
            ("3×7.5dB", (3, 7.5)),
            ("2xconcrete", (2, 15.0)),
            ("1 x inner-wall", (1, 5.0)),
            ("concrete-with-windows", (1, 7.0)),
            ("wood", (1, 4.0)),
            ("10xstone", (10, 12.0)),
        ] {
            assert_eq!(walls(text), Ok(expected), "{text}");
        }
        assert_eq!(jammer("20dBm@300m"), Ok((20.0, 300.0)));
        assert_eq!(jammer("-10 dBm @ 0.3 km"), Ok((-10.0, 300.0)));
    }

    #[test]
    fn refusals_say_what_was_found_and_what_is_accepted() {
        let check = |outcome: Result<String, String>, parts: &[&str]| {
            let error = outcome.expect_err("refused");
            parts.iter().for_each(|part| assert!(error.contains(part), "{error:?} lacks {part:?}"));
        };
        let say = |value: f64| value.to_string();
        check(distance("200 s").map(say), &["expected a length", "found `200 s`, which is a time"]);
        check(distance("0 m").map(say), &["above 0 m", "found `0 m`"]);
        check(distance("-3m").map(say), &["above 0 m", "found `-3m`"]);
        check(distance("1e9 km").map(say), &["at most 100000000 m"]);
        check(distance("far").map(say), &["expected a length", "\"far\""]);
        check(level("20 W").map(say), &["expected a power level", "which is a power"]);
        check(level("300 dBm").map(say), &["between -200 dBm and 80 dBm", "found `300 dBm`"]);
        let walls = |text: &str| walls(text).map(|walls| format!("{walls:?}"));
        check(walls("0x12dB"), &["between 1 and 1000 walls", "found `0`"]);
        check(walls("99999999999999999999999x1dB"), &["between 1 and 1000 walls"]);
        check(walls("2x"), &["expected"]);
        check(walls(""), &["expected"]);
        check(walls("2x-3dB"), &["between 0 dB and 200 dB", "found `-3dB`"]);
        check(walls("12 m"), &["found `12 m`, which is a length"]);
        check(walls("2xconcret"), &["no material `concret`", "did you mean `concrete`?", "wood, inner-wall"]);
        check(walls("cheese"), &["no material `cheese`; materials: wood"]);
        let jammer = |text: &str| jammer(text).map(|jammer| format!("{jammer:?}"));
        check(jammer("20dBm"), &["POWER@DISTANCE", "found `20dBm`"]);
        check(jammer("20dBm@"), &["expected a length"]);
        check(jammer("@3m"), &["expected a power level"]);
    }

    fn link(radio: &str, sets: &[&str], distance: f64) -> LinkSetup {
        let sets = sets.iter().map(|set| set.to_string()).collect();
        LinkSetup {
            radio: radio.into(),
            sets,
            distance,
            walls: vec![],
            jammers: vec![],
            noise: None,
            bytes: 200,
        }
    }

    #[test]
    fn a_jammer_of_equal_power_is_as_bad_as_it_is_near() {
        let sets = ["path-loss=friis", "thermal-noise=false"];
        let jammed = LinkSetup { jammers: vec![(20.0, 300.0)], ..link("wifi-outdoor", &sets, 100.0) };
        let report = jammed.budget().expect("a budget");
        assert!((report.budget.sinr_db - 20.0 * libm::log10(3.0)).abs() < 1e-9, "{}", report.budget.sinr_db);
    }

    #[test]
    fn presets_keep_what_they_promise() {
        for (radio, near, far) in
            [("wifi-indoor", 10.0, 500.0), ("wifi-outdoor", 100.0, 3000.0), ("lte", 100.0, 20e3)]
        {
            let success =
                |distance| link(radio, &[], distance).budget().expect("a budget").budget.broadcast.success;
            assert!(
                success(near) > 0.99 && success(far) < 0.01,
                "{radio}: {} {}",
                success(near),
                success(far)
            );
        }
    }

    #[test]
    fn infinities_are_null_and_written_in_words() {
        let report = link("wifi-outdoor", &["thermal-noise=false"], 10.0).budget().expect("a budget");
        let json = serde_json::to_value(&report).expect("JSON");
        assert!(json["noise_dbm"].is_null() && json["sinr_db"].is_null() && json["success"] == 1.0);
        assert!(report.table().contains(" -inf dBm"), "{}", report.table());
    }

    #[test]
    fn impossible_links_are_reported() {
        assert!(matches!(link("ideal", &[], 10.0).budget(), Err(LinkError::Ideal)));
        let long = LinkSetup { bytes: 9000, ..link("lte", &[], 10.0) };
        assert!(matches!(long.budget(), Err(LinkError::TooLong { found: 9000, .. })));
        assert!(matches!(link("wifi", &[], 10.0).budget(), Err(LinkError::Radio(_))));
    }
}
