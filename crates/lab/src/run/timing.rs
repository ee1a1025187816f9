//! How long on-board software takes: sensing, deciding and acting of each robot, tick by tick. Times differ from run to run, so they are
//! written on request only and are in no hash.

use crate::table::{table, write_header, write_row};
use crewlab_sim::Simulation;
use crewlab_sim::onboard::RobotId;
use std::io::{self, Write};
use std::sync::LazyLock;
use std::time::Instant;

/// Classes of times per doubling. The bounds of a class differ by at most an eighth.
const PER_DOUBLING: usize = 8;

/// The times of one robot.
#[derive(Clone, Debug, Default)]
struct Times {
    count: u64,
    /// [ns]
    sum: f64,
    /// [ns²]
    squares: f64,
    /// [ns]
    longest: u64,
    /// How many times are in each class.
    classes: Vec<u64>,
}

impl Times {
    fn add(&mut self, time: u64) {
        self.count += 1;
        self.sum += time as f64;
        self.squares += (time as f64) * (time as f64);
        self.longest = self.longest.max(time);
        let class = class_of(time);
        if class >= self.classes.len() {
            self.classes.resize(class + 1, 0);
        }
        self.classes[class] += 1;
    }

    fn mean(&self) -> f64 {
        self.sum / self.count.max(1) as f64
    }

    fn deviation(&self) -> f64 {
        (self.squares / self.count.max(1) as f64 - self.mean() * self.mean()).max(0.0).sqrt()
    }

    /// The time that this share of all does not exceed, up to the width of a class. [ns]
    fn quantile(&self, share: f64) -> f64 {
        let wanted = (share * self.count as f64).ceil() as u64;
        let mut below = 0;
        for (class, count) in self.classes.iter().enumerate() {
            below += count;
            if below >= wanted {
                return (end_of(class) as f64).min(self.longest as f64);
            }
        }
        self.longest as f64
    }
}

/// The class of a time: its highest bit, and the next three.
fn class_of(time: u64) -> usize {
    if time < PER_DOUBLING as u64 {
        return time as usize;
    }
    let doublings = time.ilog2() as usize - 3;
    doublings * PER_DOUBLING + (time >> doublings) as usize
}

/// The longest time of a class. [ns]
fn end_of(class: usize) -> u64 {
    if class < 2 * PER_DOUBLING {
        return class as u64;
    }
    let doublings = class / PER_DOUBLING - 1;
    // In 128 bits, because the last class ends where 64 bits do.
    (((class % PER_DOUBLING + PER_DOUBLING + 1) as u128) << doublings.min(60)).wrapping_sub(1) as u64
}

/// A clock for the simulation. [ns]
fn clock() -> u64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_nanos() as u64
}

/// The times of all robots.
pub(super) struct Timing {
    robots: Vec<Times>,
}

impl Timing {
    pub(super) fn new(simulation: &mut Simulation) -> Timing {
        simulation.clock = Some(clock);
        Timing { robots: vec![Times::default(); simulation.model.team.len()] }
    }

    pub(super) fn tick(&mut self, simulation: &Simulation) {
        for (robot, time) in simulation.thinking() {
            self.robots[robot.index()].add(time);
        }
    }

    pub(super) fn write(&self, simulation: &Simulation, out: impl Write) -> io::Result<()> {
        let mut table = csv::Writer::from_writer(out);
        write_header::<TimingRow>(&mut table)?;
        for (robot, times) in RobotId::enumerate(&self.robots) {
            write_row(&mut table, &TimingRow { robot: &simulation.model.team[robot].identity.name, times })?;
        }
        table.flush()
    }
}

/// The times of a robot.
pub(super) struct TimingRow<'a> {
    robot: &'a str,
    times: &'a Times,
}

fn microseconds(nanoseconds: f64) -> String {
    format!("{:.1}", nanoseconds / 1000.0)
}

table! { TimingRow<'_>, |row|
    "robot" [""] "its name" => row.robot;
    "ticks" [""] "ticks in which it ran" => row.times.count.to_string();
    "mean_us" ["µs"] "mean time to sense, decide and act" => microseconds(row.times.mean());
    "sd_us" ["µs"] "standard deviation" => microseconds(row.times.deviation());
    "median_us" ["µs"] "half of the ticks took no longer" => microseconds(row.times.quantile(0.5));
    "p95_us" ["µs"] "95 % of the ticks took no longer" => microseconds(row.times.quantile(0.95));
    "max_us" ["µs"] "the longest tick" => microseconds(row.times.longest as f64);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_narrow_and_cover_all_times() {
        for time in (0..100_000).chain([u64::MAX / 2, u64::MAX]) {
            let class = class_of(time);
            assert!(end_of(class) >= time, "{time}");
            assert!(class == 0 || end_of(class - 1) < time, "{time}");
            assert!(end_of(class) as f64 <= 1.13 * time as f64 + 1.0, "{time}");
        }
    }

    #[test]
    fn quantiles_are_those_of_the_times() {
        let mut times = Times::default();
        (1..=1000).for_each(|time| times.add(time * 100));
        assert!((times.quantile(0.5) / 50_000.0 - 1.0).abs() < 0.13);
        assert!((times.quantile(0.95) / 95_000.0 - 1.0).abs() < 0.13);
        assert_eq!(times.quantile(1.0), 100_000.0);
        assert_eq!(times.mean(), 50_050.0);
    }
}
