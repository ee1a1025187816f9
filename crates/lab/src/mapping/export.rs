//! The world of a scenario as a map that other programs read.

use crewlab_navigation::maps::{Raster, check_size, movingai, ros};
use crewlab_sim::world::{GroundPlan, World};
use std::io;
use std::path::Path;

/// A map of what stands in a world and stays there; everything else is free.
pub fn map_of(world: &World, resolution: f64) -> Result<Raster, String> {
    let (columns, rows) = GroundPlan::size(&world.bounds, resolution);
    check_size(columns, rows)?;
    let GroundPlan { columns, rows, resolution, origin, occupied } = world.ground_plan(resolution);
    let cells = occupied.iter().map(|occupied| Some(f64::from(u8::from(*occupied)))).collect();
    Ok(Raster { columns, rows, resolution, origin, cells })
}

/// Writes map.yaml and map.pgm, as ROS `map_server` reads them, the same as map.png, and map.map in MovingAI's format, into a folder
/// that exists.
pub fn write_map(map: &Raster, folder: &Path) -> io::Result<()> {
    let (yaml, picture) = ros::write(map, "map.pgm");
    std::fs::write(folder.join("map.yaml"), yaml)?;
    std::fs::write(folder.join("map.pgm"), picture.to_pgm())?;
    std::fs::write(folder.join("map.png"), picture.to_png().map_err(io::Error::other)?)?;
    std::fs::write(folder.join("map.map"), movingai::write(map))
}
