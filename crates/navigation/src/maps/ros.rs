//! Maps of ROS `map_server`: a YAML file that names a picture and says what its greys mean.

use super::picture::Picture;
use super::raster::Raster;
use crewlab_onboard::geometry::{Vec2, vec2};
use saphyr_parser::{Event, Parser};
use std::collections::BTreeMap;

/// Default thresholds of `map_server`.
const OCCUPIED: f64 = 0.65;
const FREE: f64 = 0.196;
/// Keys that are understood.
const KEYS: [&str; 7] = ["image", "resolution", "origin", "negate", "occupied_thresh", "free_thresh", "mode"];

/// What the greys of a picture mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Free, occupied or unknown.
    #[default]
    Trinary,
    /// Between the thresholds a probability.
    Scale,
    /// The grey is the probability in per cent; more than 100 is unknown.
    Raw,
}

/// The YAML file.
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    /// The picture's file, relative to the YAML file.
    pub image: String,
    /// Side of a pixel. [m]
    pub resolution: f64,
    /// The lower left corner. [m]
    pub origin: Vec2,
    /// True if white is occupied.
    pub negate: bool,
    /// Probability from which a pixel is occupied.
    pub occupied_thresh: f64,
    /// Probability below which it is free.
    pub free_thresh: f64,
    /// What greys mean.
    pub mode: Mode,
}

/// A value with its line.
type Entry = (usize, Vec<String>);

impl Header {
    /// Reads the YAML file. Errors name the line.
    pub fn read(text: &str) -> Result<Header, String> {
        let entries = entries(text)?;
        if let Some((key, (line, _))) = entries.iter().find(|(key, _)| !KEYS.contains(&key.as_str())) {
            return Err(format!("line {line}: unknown key `{key}`; accepted: {}", KEYS.join(", ")));
        }
        let one = |key: &str| match entries.get(key) {
            Some((_, values)) if values.len() == 1 => Ok(Some(values[0].as_str())),
            Some((line, values)) => {
                Err(format!("line {line}: `{key}` needs one value, found {}", values.len()))
            }
            None => Ok(None),
        };
        let line = |key: &str| entries.get(key).map_or(0, |(line, _)| *line);
        let number = |key: &str, default: Option<f64>| match one(key)? {
            Some(said) => finite(said)
                .ok_or_else(|| format!("line {}: `{key}` must be a number, found `{said}`", line(key))),
            None => default.ok_or_else(|| format!("the key `{key}` is missing")),
        };
        let resolution = number("resolution", None)?;
        if !(1e-3..=1e3).contains(&resolution) {
            return Err(format!(
                "line {}: `resolution` must be from 0.001 to 1000 m, found {resolution:?}",
                line("resolution")
            ));
        }
        let (occupied_thresh, free_thresh) =
            (number("occupied_thresh", Some(OCCUPIED))?, number("free_thresh", Some(FREE))?);
        if !(0.0..=1.0).contains(&occupied_thresh)
            || !(0.0..=1.0).contains(&free_thresh)
            || free_thresh > occupied_thresh
        {
            return Err(format!(
                "line {}: thresholds must satisfy 0 <= free_thresh <= occupied_thresh <= 1, found {free_thresh} and {occupied_thresh}",
                line("occupied_thresh").max(line("free_thresh"))
            ));
        }
        let negate = match one("negate")? {
            None | Some("0" | "false") => false,
            Some("1" | "true") => true,
            Some(other) => {
                return Err(format!("line {}: `negate` must be 0 or 1, found `{other}`", line("negate")));
            }
        };
        let mode = match one("mode")? {
            None | Some("trinary") => Mode::Trinary,
            Some("scale") => Mode::Scale,
            Some("raw") => Mode::Raw,
            Some(other) => {
                return Err(format!(
                    "line {}: `mode` must be trinary, scale or raw, found `{other}`",
                    line("mode")
                ));
            }
        };
        let image =
            one("image")?.filter(|name| !name.is_empty()).ok_or("the key `image` is missing")?.to_string();
        let origin = origin(entries.get("origin"))?;
        Ok(Header { image, resolution, origin, negate, occupied_thresh, free_thresh, mode })
    }

    /// The map that a picture shows.
    pub fn decode(&self, picture: &Picture) -> Raster {
        let cell = |grey: &u8| self.probability(*grey);
        let cells = picture.pixels.chunks(picture.columns.max(1)).rev().flatten().map(cell).collect();
        Raster {
            columns: picture.columns,
            rows: picture.rows,
            resolution: self.resolution,
            origin: self.origin,
            cells,
        }
    }

    fn probability(&self, grey: u8) -> Option<f64> {
        if self.mode == Mode::Raw {
            return (grey <= 100).then(|| f64::from(grey) / 100.0);
        }
        let share = f64::from(grey) / 255.0;
        let occupied = if self.negate { share } else { 1.0 - share };
        if occupied > self.occupied_thresh {
            Some(1.0)
        } else if occupied < self.free_thresh {
            Some(0.0)
        } else if self.mode == Mode::Scale && self.occupied_thresh > self.free_thresh {
            Some((occupied - self.free_thresh) / (self.occupied_thresh - self.free_thresh))
        } else {
            None
        }
    }
}

/// A map as `map_saver` writes it: the YAML file for a picture of this name, and the picture.
pub fn write(raster: &Raster, image: &str) -> (String, Picture) {
    let header = format!(
        "image: {image}\nmode: trinary\nresolution: {}\norigin: [{}, {}, 0]\nnegate: 0\noccupied_thresh: {OCCUPIED}\nfree_thresh: {FREE}\n",
        raster.resolution, raster.origin.x, raster.origin.y
    );
    let grey = |cell: &Option<f64>| match cell {
        Some(probability) if *probability > 0.5 => 0,
        Some(probability) if *probability < 0.5 => 254,
        _ => 205,
    };
    let pixels = raster.cells.chunks(raster.columns.max(1)).rev().flatten().map(grey).collect();
    (header, Picture { columns: raster.columns, rows: raster.rows, pixels })
}

fn finite(said: &str) -> Option<f64> {
    said.parse::<f64>().ok().filter(|value| value.is_finite())
}

fn origin(entry: Option<&Entry>) -> Result<Vec2, String> {
    let (line, values) = entry.ok_or("the key `origin` is missing")?;
    let numbers: Option<Vec<f64>> = values.iter().map(|value| finite(value)).collect();
    match numbers.as_deref() {
        Some([x, y, yaw]) if *yaw == 0.0 && x.abs() <= 1e6 && y.abs() <= 1e6 => Ok(vec2(*x, *y)),
        Some([_, _, yaw]) if *yaw != 0.0 => Err(format!(
            "line {line}: a turned map (yaw {yaw}) is not accepted: turn the picture and set yaw to 0"
        )),
        _ => Err(format!("line {line}: `origin` must be [x, y, yaw] with numbers up to 1e6")),
    }
}

/// The entries of a flat YAML map: scalars, and lists of scalars.
fn entries(text: &str) -> Result<BTreeMap<String, Entry>, String> {
    let mut entries: BTreeMap<String, Entry> = BTreeMap::new();
    let (mut depth, mut key) = (0, None::<(usize, String)>);
    let mut list: Option<Vec<String>> = None;
    for event in Parser::new_from_str(text) {
        let (event, span) =
            event.map_err(|error| format!("line {}: {}", error.marker().line(), error.info()))?;
        let line = span.start.line();
        match event {
            Event::MappingStart(..) if depth == 0 => depth = 1,
            Event::MappingEnd => depth = 0,
            Event::SequenceStart(..) if key.is_some() && list.is_none() => list = Some(Vec::new()),
            Event::SequenceEnd => {
                if let (Some((line, key)), Some(list)) = (key.take(), list.take()) {
                    entries.insert(key, (line, list));
                }
            }
            Event::Scalar(word, ..) if depth == 1 => match (&mut list, key.take()) {
                (Some(list), name) => {
                    list.push(word.into_owned());
                    key = name;
                }
                (None, Some((line, name))) => {
                    entries.insert(name, (line, vec![word.into_owned()]));
                }
                (None, None) => key = Some((line, word.into_owned())),
            },
            Event::MappingStart(..) | Event::SequenceStart(..) | Event::Scalar(..) | Event::Alias(..) => {
                return Err(format!("line {line}: a map file is a list of keys with plain values"));
            }
            _ => {}
        }
    }
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const YAML: &str = "image: a.pgm\nresolution: 0.05\norigin: [-1.5, 2, 0.0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n";

    proptest! {
        #[test]
        fn maps_survive(columns in 1..30usize, rows in 1..30usize, seed in any::<u64>(), x in -100.0..100.0) {
            let cell = |at: usize| [None, Some(0.0), Some(1.0)][((seed >> (at % 50)) % 3) as usize];
            let cells = (0..columns * rows).map(cell).collect();
            let raster = Raster { columns, rows, resolution: 0.15, origin: vec2(x, -x), cells };
            let (yaml, picture) = write(&raster, "map.pgm");
            let read = Picture::read(&picture.to_pgm()).expect("a picture");
            prop_assert_eq!(Header::read(&yaml).expect("a header").decode(&read), raster.clone());
            let again = Raster::of(&raster.grid());
            prop_assert!(again.columns <= columns && again.rows <= rows);
        }

        #[test]
        fn any_text_is_a_header_or_a_message(text in "([a-z_]{1,12}: [-0-9.a-z\\[\\]{},&*|>]{0,12}\n){0,8}") {
            let _ = Header::read(&text);
        }
    }

    #[test]
    fn greys_mean_what_the_mode_says() {
        let header = |mode: &str, negate: u8| {
            Header::read(&YAML.replace("negate: 0", &format!("negate: {negate}\nmode: {mode}")))
                .expect("a header")
        };
        let decode = |header: &Header, grey| header.probability(grey);
        let trinary = header("trinary", 0);
        assert_eq!([0, 205, 254].map(|grey| decode(&trinary, grey)), [Some(1.0), None, Some(0.0)]);
        assert_eq!(decode(&header("trinary", 1), 0), Some(0.0), "negated");
        assert!(decode(&header("scale", 0), 150).is_some_and(|p| p > 0.0 && p < 1.0));
        assert_eq!(
            [0, 40, 100, 101].map(|grey| decode(&header("raw", 0), grey)),
            [Some(0.0), Some(0.4), Some(1.0), None]
        );
    }

    #[test]
    fn mistakes_are_reported_with_their_line() {
        let said = |from: &str, to: &str| Header::read(&YAML.replace(from, to)).expect_err("a mistake");
        assert!(said("0.05", "fine").contains("line 2: `resolution` must be a number, found `fine`"));
        assert!(said("0.05", "-1").contains("from 0.001 to 1000"));
        assert!(said("2, 0.0", "2, 0.3").contains("line 3: a turned map (yaw 0.3)"));
        assert!(said("[-1.5, 2, 0.0]", "[1, 2]").contains("`origin` must be [x, y, yaw]"));
        assert!(
            said("occupied_thresh: 0.65", "occupied_thresh: 0.1").contains("free_thresh <= occupied_thresh")
        );
        assert!(said("negate: 0", "negate: maybe").contains("line 4: `negate`"));
        assert!(said("image: a.pgm\n", "").contains("`image` is missing"));
        assert!(said("negate", "negates").contains("unknown key `negates`"));
        assert!(said("image: a.pgm", "image: [").contains("line "));
        assert!(said("image: a.pgm", "image: {a: b}").contains("plain values"));
    }
}
