//! Maps from recorded logs: the on-board filter runs over a log, and its path is compared with the log's reference. Maps of worlds, too.

mod errors;
mod export;
mod log;
mod picture;
mod scanner;

pub use errors::{Alignment, Errors};
pub use export::{map_of, write_map};
pub use log::{Log, LogError, Row};
pub use scanner::Scanner;

use crate::bench::cpu;
use crewlab_navigation::maps::Raster;
use crewlab_navigation::slam::{Lineage, Slam, SlamParams, Sweep};
use crewlab_sim::onboard::geometry::Pose;
use crewlab_sim::onboard::{Scan, Stream, StreamKind};
use serde::Serialize;
use std::fmt::Write;
use std::io::{self, BufRead};
use std::path::Path;

/// The rate of scans that a robot must keep up with. [1/s]
const RATE: f64 = 2.0;

/// The outcome of a log in numbers.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// Number of scans.
    pub scans: usize,
    /// Scans whose time is before that of the scan before them. The order of the lines counts, not the time.
    pub out_of_order: usize,
    /// Scans with too few points to locate a robot by: odometry alone moved the estimate.
    pub without_points: usize,
    /// Number of particles.
    pub particles: usize,
    /// Side of a cell. [m]
    pub resolution_m: f64,
    /// Absolute trajectory error after rigid alignment, root mean square [m]; nothing without a reference.
    pub ate_rmse_m: Option<f64>,
    /// The same of odometry. [m]
    pub ate_odometry_m: Option<f64>,
    /// Error of the motion from scan to scan, root mean square. [m]
    pub rpe_m: Option<f64>,
    /// The same of the turn. [deg]
    pub rpe_deg: Option<f64>,
    /// Processor time per scan. [ms]
    pub ms_per_scan: f64,
    /// How many times faster than two scans per second.
    pub realtime_factor: f64,
}

/// A finished map.
#[derive(Debug)]
pub struct Survey {
    /// In numbers.
    pub summary: Summary,
    /// What is free and what is occupied.
    pub map: Raster,
    times: Vec<f64>,
    path: Vec<Pose>,
    odometry: Vec<Pose>,
    reference: Option<Vec<Pose>>,
    errors: Option<Errors>,
}

/// Runs the filter over a log; `progress` is called after each scan.
pub fn survey(
    log: Log<impl BufRead>,
    params: SlamParams,
    seed: u64,
    mut progress: impl FnMut(),
) -> Result<Survey, LogError> {
    let (angles, reach) = (log.angles().to_vec(), log.reach());
    let (mut slam, mut lineage) = (Slam::new(params), Lineage::default());
    let (mut times, mut odometry, mut reference) = (Vec::new(), Vec::new(), Vec::new());
    let (mut spent, mut without_points) = (0.0, 0);
    for (tick, row) in log.enumerate() {
        let row = row?;
        let before = cpu::seconds();
        let scan = Scan::new(&angles, &row.ranges, reach);
        let sweep = Sweep::new(&scan, 0.0, slam.params().resolution, 0.0);
        slam.update(&row.odometry, &sweep, &mut Stream::new(seed, StreamKind::Decisions, 0, tick as u64));
        lineage.note(&slam);
        without_points += usize::from(!sweep.locates());
        spent += cpu::seconds() - before;
        times.push(row.time);
        odometry.push(row.odometry);
        reference.extend(row.reference);
        progress();
    }
    let (Some(best), Some(map)) = (slam.best(), slam.map()) else { return Err(LogError::empty()) };
    let path = lineage.path(best);
    let reference = Some(reference).filter(|reference| reference.len() == path.len());
    let errors = reference.as_ref().map(|reference| Errors::of(&path, reference));
    let ms = 1e3 * spent / times.len() as f64;
    let summary = Summary {
        scans: times.len(),
        out_of_order: times.windows(2).filter(|pair| pair[1] < pair[0]).count(),
        without_points,
        particles: slam.params().particles,
        resolution_m: slam.params().resolution,
        ate_rmse_m: errors.as_ref().map(|errors| errors.absolute),
        ate_odometry_m: reference.as_ref().map(|reference| Errors::of(&odometry, reference).absolute),
        rpe_m: errors.as_ref().map(|errors| errors.step),
        rpe_deg: errors.as_ref().map(|errors| errors.turn.to_degrees()),
        ms_per_scan: ms,
        realtime_factor: 1e3 / RATE / ms.max(1e-6),
    };
    Ok(Survey { summary, map: Raster::of(map.occupancy()), times, path, odometry, reference, errors })
}

impl Survey {
    /// Writes map.yaml, map.pgm, trajectory.csv, map.svg and summary.json into a folder that exists.
    pub fn write(&self, folder: &Path, title: &str) -> io::Result<()> {
        let summary = serde_json::to_string_pretty(&self.summary)?;
        write_map(&self.map, folder)?;
        std::fs::write(folder.join("trajectory.csv"), self.trajectory())?;
        std::fs::write(folder.join("map.svg"), picture::draw(self, title))?;
        std::fs::write(folder.join("summary.json"), summary + "\n")
    }

    /// The estimated path, one row per scan, with the distance from the aligned reference.
    fn trajectory(&self) -> String {
        let mut text = String::from("t,x,y,theta,error\n");
        for (at, (time, pose)) in self.times.iter().zip(&self.path).enumerate() {
            let error = self.errors.as_ref().and_then(|errors| errors.distances.get(at));
            let error = error.map_or(String::new(), |error| format!("{error:.4}"));
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "{time:.3},{:.4},{:.4},{:.5},{error}",
                pose.position.x, pose.position.y, pose.heading
            );
        }
        text
    }
}
