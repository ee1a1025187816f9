//! Map files: MovingAI, ROS `map_server`, pictures.

use super::shipped::MAPS;
use super::{Cells, Ground, MapSpec, Unknown, rows};
use crate::text::did_you_mean;
use crewlab_navigation::maps::ros::{Header, Mode};
use crewlab_navigation::maps::{CellState, Picture, Raster, movingai};
use crewlab_sim::onboard::geometry::Vec2;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Side of a cell of a MovingAI map, which does not say it. [m]
pub const MOVINGAI_RESOLUTION: f64 = 1.0;
/// Larger files are not maps of an accepted size. [bytes]
const LARGEST_FILE: u64 = 128 << 20;

/// What a file says.
pub struct Found {
    pub cells: Cells,
    /// Side of a cell. [m]
    pub resolution: f64,
    /// Its lower left corner, if it says so. [m]
    pub at: Option<[f64; 2]>,
}

/// Reads a shipped map of this name, or a file in `folder`.
pub fn read(name: &str, folder: &Path, spec: &MapSpec) -> Result<Found, String> {
    if let Some(map) = MAPS.iter().find(|map| map.name == name) {
        return moving_ai(map.text, spec.resolution.unwrap_or(map.resolution));
    }
    let path = folder.join(name);
    let kind = path.extension().map(|kind| kind.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    match kind.as_str() {
        "map" => moving_ai(&text(bytes(&path)?)?, spec.resolution.unwrap_or(MOVINGAI_RESOLUTION)),
        "yaml" | "yml" => ros(&path, spec),
        "png" | "pgm" => picture(&path, spec),
        _ => {
            let shipped = || MAPS.iter().map(|map| map.name);
            let meant = did_you_mean(name, shipped()).map(|map| format!("did you mean `{map}`? "));
            Err(format!(
                "there is no shipped map of this name ({}), and a map file ends with .map, .yaml, .png or .pgm. {}",
                shipped().collect::<Vec<_>>().join(", "),
                meant.unwrap_or_default()
            )
            .trim_end()
            .into())
        }
    }
}

fn bytes(path: &Path) -> Result<Vec<u8>, String> {
    let name = path.strip_prefix(".").unwrap_or(path).display();
    let problem = |why: String| format!("cannot read {name}: {why}");
    let file = File::open(path).map_err(|error| problem(error.to_string()))?;
    let mut bytes = Vec::new();
    file.take(LARGEST_FILE + 1).read_to_end(&mut bytes).map_err(|error| problem(error.to_string()))?;
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(problem(format!("it is larger than {} MiB: make the map coarser", LARGEST_FILE >> 20)));
    }
    Ok(bytes)
}

fn text(bytes: Vec<u8>) -> Result<String, String> {
    String::from_utf8(bytes)
        .map_err(|error| format!("byte {} is not UTF-8 text", error.utf8_error().valid_up_to()))
}

fn moving_ai(text: &str, resolution: f64) -> Result<Found, String> {
    let movingai::Letters { columns, letters, .. } = movingai::letters(text)?;
    let ground = |letter: &u8| rows::ground_of(char::from(*letter)).unwrap_or(Ground::Wall);
    let ground = letters.chunks(columns).rev().flatten().map(ground).collect();
    Ok(Found { cells: Cells { columns, ground }, resolution, at: None })
}

fn ros(path: &Path, spec: &MapSpec) -> Result<Found, String> {
    let mut header = Header::read(&text(bytes(path)?)?)?;
    header.resolution = spec.resolution.unwrap_or(header.resolution);
    let image = path.parent().unwrap_or(Path::new(".")).join(&header.image);
    let picture = Picture::read(&bytes(&image)?).map_err(|message| format!("{}: {message}", header.image))?;
    let at = Some([header.origin.x, header.origin.y]);
    Ok(Found { at, ..found(&header.decode(&picture), spec) })
}

fn picture(path: &Path, spec: &MapSpec) -> Result<Found, String> {
    let missing = "a picture does not say how large its pixels are: add `resolution`, such as `map: {file: plan.png, resolution: 5 cm}`";
    let resolution = spec.resolution.ok_or(missing)?;
    let header = Header {
        image: String::new(),
        resolution,
        origin: Vec2::ZERO,
        negate: false,
        occupied_thresh: 0.5,
        free_thresh: 0.5,
        mode: Mode::Trinary,
    };
    Ok(found(&header.decode(&Picture::read(&bytes(path)?)?), spec))
}

fn found(raster: &Raster, spec: &MapSpec) -> Found {
    let ground = |index: usize| match raster.state(index % raster.columns, index / raster.columns) {
        CellState::Free => Ground::Free,
        CellState::Unknown if spec.unknown == Unknown::Free => Ground::Free,
        CellState::Occupied | CellState::Unknown => Ground::Wall,
    };
    let cells = Cells { columns: raster.columns, ground: (0..raster.cells.len()).map(ground).collect() };
    Found { cells, resolution: raster.resolution, at: None }
}
