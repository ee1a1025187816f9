//! Logs of what range scanners see, for `crewlab map`: one file per robot.

use super::{RunError, RunFolder};
use crate::mapping::Scanner;
use crewlab_sim::onboard::geometry::Pose;
use crewlab_sim::onboard::locating::ODOMETRY;
use crewlab_sim::onboard::{RobotId, SensorId};
use crewlab_sim::{Simulation, State};
use std::fs::File;
use std::io::{BufWriter, Write};

/// Time between two scans of a log. [ns]
const EVERY: u64 = 500_000_000;

/// The log of one robot.
struct RobotLog {
    robot: RobotId,
    scanner: SensorId,
    odometry: Odometry,
    file: BufWriter<File>,
}

/// What a log takes as odometry.
#[derive(Clone, Copy)]
enum Odometry {
    /// The sensor of this name.
    Measured(SensorId),
    /// Readings of position and compass.
    Told(SensorId, SensorId),
}

/// The logs of all robots that have a range scanner and some notion of where they are.
pub(super) struct ScanLog {
    logs: Vec<RobotLog>,
    /// Where all robots were when the tick began: they measure before they move.
    before: Vec<Pose>,
    next: u64,
    folder: std::path::PathBuf,
}

impl ScanLog {
    /// Opens `scans-ROBOT.csv` for each of them.
    pub(super) fn new(folder: &RunFolder, simulation: &Simulation) -> Result<ScanLog, RunError> {
        let mut logs = Vec::new();
        for member in &simulation.model.team {
            let sheet = &member.identity.datasheet;
            let told = || Some(Odometry::Told(sheet.sensor("position")?, sheet.sensor("compass")?));
            let odometry = sheet.sensor(ODOMETRY).map(Odometry::Measured).or_else(told);
            let (Some(scanner), Some(odometry)) = (sheet.sensor("range-scanner"), odometry) else { continue };
            let rays = &sheet.sensors[usize::from(scanner.0)];
            let name = |c: char| if c.is_alphanumeric() { c } else { '-' };
            let file: String = member.identity.name.chars().map(name).collect();
            let mut file = folder.file(&format!("scans-{}-{file}.csv", member.identity.id.index() + 1))?;
            let step = rays.angles.get(1).map_or(0.0, |second| second - rays.angles[0]);
            let described = Scanner {
                first: rays.angles.first().map_or(0.0, |first| tidy(first.to_degrees())),
                step: tidy(step.to_degrees()),
                reach: tidy(rays.range + sheet.radius),
            };
            let ranges: String = (0..rays.angles.len()).map(|ray| format!(",r{ray}")).collect();
            writeln!(file, "{described}\nt,odom_x,odom_y,odom_theta,ref_x,ref_y,ref_theta{ranges}")
                .map_err(|error| folder.write_error(error))?;
            logs.push(RobotLog { robot: member.identity.id, scanner, odometry, file });
        }
        Ok(ScanLog { logs, before: poses(&simulation.state), next: 0, folder: folder.target().to_path_buf() })
    }

    /// Records the readings of a tick, twice per second.
    pub(super) fn tick(&mut self, simulation: &Simulation) -> Result<(), RunError> {
        let now = simulation.now().0;
        let before = std::mem::replace(&mut self.before, poses(&simulation.state));
        if now < self.next {
            return Ok(());
        }
        self.next = now.saturating_add(EVERY);
        for log in &mut self.logs {
            let written = log.write(simulation, &before[log.robot.index()]);
            written.map_err(|error| RunError::Write(self.folder.clone(), error))?;
        }
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<(), RunError> {
        let folder = self.folder;
        let flushed = self.logs.iter_mut().try_for_each(|log| log.file.flush());
        flushed.map_err(|error| RunError::Write(folder, error))
    }
}

fn poses(state: &State) -> Vec<Pose> {
    state.world.bodies.iter().map(|body| body.pose).collect()
}

/// Without the noise of conversions.
fn tidy(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

impl RobotLog {
    fn believed(&self, state: &State) -> Option<Pose> {
        let percept = &state.robots[self.robot].percept;
        match self.odometry {
            Odometry::Measured(odometry) => percept.pose(odometry),
            Odometry::Told(position, compass) => {
                Some(Pose { position: percept.point(position)?, heading: percept.angle(compass)? })
            }
        }
    }

    fn write(&mut self, simulation: &Simulation, truth: &Pose) -> std::io::Result<()> {
        let state = &simulation.state;
        let (body, percept) = (&state.world.bodies[self.robot], &state.robots[self.robot].percept);
        let ranges = percept.ranges(self.scanner);
        let Some(odometry) = self.believed(state).filter(|_| !body.down() && !ranges.is_empty()) else {
            return Ok(());
        };
        let taken = simulation.now().seconds() - simulation.model.dt();
        write!(self.file, "{taken:.3}")?;
        for pose in [&odometry, truth] {
            write!(self.file, ",{:.5},{:.5},{:.6}", pose.position.x, pose.position.y, pose.heading)?;
        }
        // Ranges are measured from the rim.
        ranges.iter().try_for_each(|range| write!(self.file, ",{:.4}", range + body.radius))?;
        writeln!(self.file)
    }
}
