//! The noise floor of a scenario's world. Pictures become rows of levels, so that the resolved scenario needs no other file.

use super::spec::WorldSpec;
use crewlab_sim::radio::physics::{NoiseFloorSpec, NoiseGrid, NoiseSource};
use png::{Decoder, Transformations};
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// The most pixels of a picture; more would make a resolved scenario too large to read.
const MOST_PIXELS: usize = 250_000;

/// A picture: brightness from 0 to 1 row by row from the north, columns, rows.
type Picture = (Vec<f64>, usize, usize);

/// The noise floor of a world, or the invalid key and the reason. A picture is replaced by its levels.
pub(super) fn build(
    spec: &mut NoiseFloorSpec,
    world: &WorldSpec,
    folder: &Path,
    seed: u64,
) -> Result<NoiseGrid, (&'static str, String)> {
    let key = match &spec.source {
        NoiseSource::Rows(_) => "rows",
        NoiseSource::Function(_) => "function",
        NoiseSource::Image(_) => "image.file",
        NoiseSource::Random(_) => "random",
    };
    let build = |spec: &NoiseFloorSpec, picture: Option<Picture>| {
        let picture = |_: &str| picture.ok_or_else(|| "there is no picture".to_string());
        spec.build(world.origin, world.size, seed, picture).map_err(|message| (key, message))
    };
    let NoiseSource::Image(image) = &spec.source else { return build(spec, None) };
    let picture = read(&folder.join(&image.file)).map_err(|message| (key, message))?;
    // Whether the picture fits the world is checked before it is scaled.
    build(spec, Some(picture.clone()))?;
    *spec = as_rows(picture, image.low, image.high, world);
    build(spec, None)
}

/// A picture as rows of square cells that cover the world, around its middle.
fn as_rows((pixels, columns, rows): Picture, low: f64, high: f64, world: &WorldSpec) -> NoiseFloorSpec {
    // A hundredth of a decibel is finer than eight bits of grey.
    let level = |grey: &f64| ((low + (high - low) * grey) * 100.0).round() / 100.0;
    let levels = pixels.chunks(columns).map(|row| row.iter().map(level).collect()).collect();
    let cell = (world.size[0] / columns as f64).max(world.size[1] / rows as f64);
    let covered = [columns as f64 * cell, rows as f64 * cell];
    let at = [0, 1].map(|axis| world.origin[axis] - (covered[axis] - world.size[axis]) / 2.0);
    NoiseFloorSpec { source: NoiseSource::Rows(levels), cell, at: Some(at) }
}

fn read(path: &Path) -> Result<Picture, String> {
    let name = path.strip_prefix(".").unwrap_or(path).display();
    let file = File::open(path).map_err(|error| format!("cannot read {name}: {error}"))?;
    let broken = |error: png::DecodingError| format!("{name} is not a PNG image: {error}");
    let mut decoder = Decoder::new(BufReader::new(file));
    decoder.set_transformations(Transformations::normalize_to_color8());
    let info = decoder.read_header_info().map_err(broken)?;
    let (columns, rows) = (info.width as usize, info.height as usize);
    if columns.saturating_mul(rows) > MOST_PIXELS {
        return Err(format!(
            "{name} has {columns} x {rows} pixels; at most {MOST_PIXELS} are accepted: make it smaller"
        ));
    }
    let mut reader = decoder.read_info().map_err(broken)?;
    let size = reader.output_buffer_size().ok_or_else(|| format!("{name} is too large"))?;
    let mut bytes = vec![0; size];
    let frame = reader.next_frame(&mut bytes).map_err(broken)?;
    bytes.truncate(frame.buffer_size());
    let samples = frame.color_type.samples();
    let grey = |pixel: &[u8]| match pixel {
        // Perceived brightness of red, green and blue; transparency is ignored.
        [red, green, blue, ..] => {
            (299 * u32::from(*red) + 587 * u32::from(*green) + 114 * u32::from(*blue)) as f64 / 255_000.0
        }
        [grey, ..] => f64::from(*grey) / 255.0,
        [] => 0.0,
    };
    Ok((bytes.chunks(samples).map(grey).collect(), columns, rows))
}
