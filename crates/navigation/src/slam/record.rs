//! A filter as plain data: tiles that particles share are written once.

use super::filter::{Slam, SlamParams};
use super::map::SlamMap;
use super::motion::Motion;
use super::particle::Particle;
use super::surface::Surface;
use crate::maps::{Evidence, OccupancyGrid, Pool};
use crewlab_onboard::geometry::Pose;
use serde::{Deserialize, Serialize};

/// What is written of a filter.
#[derive(Serialize, Deserialize)]
pub(super) struct Record {
    params: SlamParams,
    used: Option<Pose>,
    since: Motion,
    parents: Vec<u32>,
    /// Pose, weight and score of each particle.
    particles: Vec<(Pose, f64, f64)>,
    occupancy: Pool<Evidence>,
    surfaces: Pool<Surface>,
}

impl From<Slam> for Record {
    fn from(slam: Slam) -> Record {
        let maps = || slam.particles.iter().map(|particle| &particle.map);
        Record {
            params: slam.params,
            used: slam.used,
            since: slam.since,
            parents: slam.parents.clone(),
            particles: slam.particles.iter().map(|one| (one.pose, one.weight, one.score)).collect(),
            occupancy: Pool::pack(maps().map(|map| &map.occupancy.cells)),
            surfaces: Pool::pack(maps().map(|map| &map.surfaces)),
        }
    }
}

impl TryFrom<Record> for Slam {
    type Error = &'static str;

    fn try_from(record: Record) -> Result<Slam, &'static str> {
        let broken = "the record of a map contradicts itself";
        let occupancy = record.occupancy.unpack().ok_or(broken)?;
        let surfaces = record.surfaces.unpack().ok_or(broken)?;
        if occupancy.len() != record.particles.len() || surfaces.len() != record.particles.len() {
            return Err(broken);
        }
        let maps = occupancy.into_iter().zip(surfaces).map(|(cells, surfaces)| {
            let grid = OccupancyGrid::new(record.params.resolution);
            SlamMap { occupancy: OccupancyGrid { cells, ..grid }, surfaces }
        });
        let particle = |((pose, weight, score), map)| Particle { pose, map, weight, score };
        Ok(Slam {
            params: record.params,
            particles: record.particles.into_iter().zip(maps).map(particle).collect(),
            used: record.used,
            since: record.since,
            parents: record.parents,
        })
    }
}
