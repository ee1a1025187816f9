//! The data of the radio figures: fates of messages over time, and the moments with the worst links and the most
//! noise.

use super::report::figures::{area, object, point, pose};
use super::trace::Trace;
use crewlab_figures::airspace::{Airspace, DampingWall, JammerMark};
use crewlab_figures::delivery::DeliveryBin;
use crewlab_figures::links::LinkLine;
use crewlab_figures::noise::NoiseField;
use crewlab_figures::world::{RobotPath, WorldFigure};
use crewlab_sim::Simulation;
use crewlab_sim::address::node;
use crewlab_sim::onboard::RobotId;
use crewlab_sim::radio::{Fate, Link, Loss, Physical, Tally};
use crewlab_sim::world::World;
use std::ops::Add;

/// Largest number of bins of time.
const MOST_BINS: usize = 240;
/// Approximate largest number of samples of the links in a run.
const MOST_SAMPLES: u64 = 200;
/// Approximate largest number of links sampled in a run: large teams are sampled less often.
const MOST_LOOKS: u64 = 400_000;
/// In larger teams, unusable links are left out.
const MOST_WITH_ALL_LINKS: usize = 60;
/// Figures show at most this many robots, the first ones.
const MOST_ROBOTS: usize = 200;
/// Cells of the noise map along the longer side of the world.
const CELLS: usize = 80;
/// Number of cells that is enough to detect more noise.
const COARSE: usize = 8;
/// A change in the mean noise that counts. [dB]
const LOUDER: f64 = 0.5;

/// The links at one moment.
#[derive(Clone, Debug, Default)]
pub(super) struct LinkSample {
    /// When. [s]
    pub at: f64,
    /// Sender, receiver, and quality.
    pub links: Vec<(RobotId, RobotId, Link)>,
}

/// The world at the moment that a figure shows.
#[derive(Clone, Debug)]
pub(super) struct Moment {
    /// When. [s]
    pub at: f64,
    /// The map.
    pub world: World,
    /// Mean success of all links, from 0 to 1.
    pub mean: f64,
    /// The usable links.
    pub links: Vec<LinkLine>,
}

/// The noise at the loudest moment.
#[derive(Clone, Debug)]
pub(super) struct Noise {
    /// When. [s]
    pub at: f64,
    /// The map.
    pub world: World,
    /// Its mean on a coarse grid. [dBm]
    mean: f64,
    /// The noise map.
    pub field: NoiseField,
}

/// The radio over time.
#[derive(Clone, Debug)]
pub(super) struct AirTrace {
    bins: Vec<Tally>,
    /// Length of a bin. [ns]
    width: u64,
    every: u64,
    next: u64,
    /// The moment with the worst links.
    pub worst: Option<Moment>,
    /// The last moment.
    pub last: Option<Moment>,
    /// The moment with most noise.
    pub loudest: Option<Noise>,
}

impl AirTrace {
    /// A trace that samples links at most at this interval. [ns]
    pub(super) fn new(simulation: &Simulation, every: u64) -> AirTrace {
        let team = simulation.model.team.len() as u64;
        let looks = MOST_SAMPLES.min(MOST_LOOKS / (team * team).max(1)).max(1);
        AirTrace {
            bins: Vec::new(),
            width: simulation.model.tick.max(1),
            every: every.max(simulation.model.until.0 / looks),
            next: 0,
            worst: None,
            last: None,
            loudest: None,
        }
    }

    /// Adds fates of messages.
    pub(super) fn settled(&mut self, fates: &[Fate]) {
        for fate in fates {
            while fate.sent / self.width >= MOST_BINS as u64 {
                self.bins = self
                    .bins
                    .chunks(2)
                    .map(|pair| pair.iter().copied().fold(Tally::default(), Tally::add))
                    .collect();
                self.width *= 2;
            }
            let place = (fate.sent / self.width) as usize;
            if self.bins.len() <= place {
                self.bins.resize(place + 1, Tally::default());
            }
            self.bins[place].settled(fate);
        }
    }

    /// Samples the links if it is time; not with the ideal radio.
    pub(super) fn look(&mut self, simulation: &Simulation) -> Option<LinkSample> {
        let radio = simulation.state.radio.as_physical()?;
        let now = moment(simulation);
        if now < self.next {
            return None;
        }
        self.next = now.saturating_add(self.every);
        let sample = sample(simulation, radio, now);
        self.listen(simulation, radio, sample.at);
        let mean = mean_success(&sample, simulation.model.team.len());
        if self.worst.as_ref().is_none_or(|worst| mean < worst.mean - 0.02) {
            self.worst = Some(remember(&sample, simulation, mean));
        }
        Some(sample)
    }

    /// Samples the links once more at the end.
    pub(super) fn finish(&mut self, simulation: &Simulation) -> Option<LinkSample> {
        let radio = simulation.state.radio.as_physical().filter(|_| simulation.state.tick > 0)?;
        let now = moment(simulation);
        let fresh = now.saturating_add(self.every) != self.next;
        let sample = sample(simulation, radio, now);
        let mean = mean_success(&sample, simulation.model.team.len());
        self.last = Some(remember(&sample, simulation, mean));
        self.listen(simulation, radio, sample.at);
        fresh.then_some(sample)
    }

    /// Keeps the noise map if it is the loudest so far.
    fn listen(&mut self, simulation: &Simulation, radio: &Physical, at: f64) {
        let world = &simulation.state.world;
        let coarse = field(world, radio, COARSE);
        let mean = coarse.levels.iter().sum::<f64>() / coarse.levels.len().max(1) as f64;
        if mean.is_finite() && self.loudest.as_ref().is_none_or(|loudest| mean > loudest.mean + LOUDER) {
            self.loudest = Some(Noise { at, world: world.clone(), mean, field: field(world, radio, CELLS) });
        }
    }

    /// The fates of messages over time, and the names of the reasons for losses.
    pub(super) fn delivery(&self, duration: f64) -> (Vec<DeliveryBin>, Vec<String>) {
        let width = self.width as f64 * 1e-9;
        // Few enough bins that a step is visible.
        let together = self.bins.len().div_ceil(MOST_BINS / 2).max(1);
        let bin = |(index, bins): (usize, &[Tally])| {
            let all = bins.iter().copied().fold(Tally::default(), Tally::add);
            let from_s = (index * together) as f64 * width;
            DeliveryBin {
                from_s,
                to_s: (((index + 1) * together) as f64 * width).min(duration.max(from_s + 1e-9)),
                delivered: all.delivered,
                latency_ms: all.mean_latency().map(|seconds| seconds * 1e3),
                lost: Loss::ALL.iter().map(|why| all.lost.of(*why)).collect(),
            }
        };
        let bins = self.bins.chunks(together).enumerate().map(bin).collect();
        (bins, Loss::ALL.iter().map(|why| why.name().to_string()).collect())
    }
}

/// The time that the radio knows: the start of the last tick. [ns]
fn moment(simulation: &Simulation) -> u64 {
    simulation.now().0.saturating_sub(simulation.model.tick)
}

fn sample(simulation: &Simulation, radio: &Physical, now: u64) -> LinkSample {
    let team = simulation.model.team.len();
    let mut links = Vec::new();
    for from in simulation.model.robots() {
        for to in simulation.model.robots().filter(|to| *to != from) {
            let link = radio.link(node(from), node(to));
            let shown = |link: &Link| team <= MOST_WITH_ALL_LINKS || link.success > 0.0;
            links.extend(link.filter(shown).map(|link| (from, to, link)));
        }
    }
    LinkSample { at: now as f64 * 1e-9, links }
}

fn mean_success(sample: &LinkSample, team: usize) -> f64 {
    let pairs = team * team.saturating_sub(1);
    sample.links.iter().map(|(_, _, link)| link.success).sum::<f64>() / pairs.max(1) as f64
}

fn remember(sample: &LinkSample, simulation: &Simulation, mean: f64) -> Moment {
    let line = |(from, to, link): &(RobotId, RobotId, Link)| LinkLine {
        from: from.index(),
        to: to.index(),
        rate_mbps: link.rate * 1e-6,
        success: link.success,
    };
    Moment {
        at: sample.at,
        world: simulation.state.world.clone(),
        mean,
        links: sample.links.iter().filter(|(_, _, link)| link.success > 0.0).map(line).collect(),
    }
}

/// The noise with all jammers on, on a grid of square cells with this many along the longer side.
fn field(world: &World, radio: &Physical, cells: usize) -> NoiseField {
    let (low, size) = (world.bounds.min, world.bounds.size());
    let side = size.x.max(size.y).max(1e-9) / cells as f64;
    let count = |length: f64| ((length / side).round() as usize).clamp(1, cells);
    let (columns, rows) = (count(size.x), count(size.y));
    let level = |index: usize| {
        let (column, row) = (index % columns, index / columns);
        let x = low.x + (column as f64 + 0.5) * size.x / columns as f64;
        let y = low.y + (row as f64 + 0.5) * size.y / rows as f64;
        radio.loudest_noise_at([x, y]).unwrap_or(f64::NAN)
    };
    NoiseField { columns, rows, levels: (0..columns * rows).map(level).collect() }
}

/// Walls and jammers of a world.
pub(super) fn airspace(world: &World) -> Airspace {
    let walls = world.objects().iter().filter(|object| object.damping > 0.0);
    let jammers = world.objects().iter().filter_map(|object| {
        let jammer = object.jammer.as_ref().filter(|jammer| jammer.on)?;
        Some(JammerMark { at: point(object.pose.position), power_dbm: jammer.power })
    });
    Airspace {
        walls: walls
            .map(|object| DampingWall {
                shape: super::report::figures::shape(&object.outline),
                damping_db: object.damping,
            })
            .collect(),
        jammers: jammers.collect(),
    }
}

/// A world with its robots, without their trails.
pub(super) fn map(world: &World, trace: &Trace, simulation: &Simulation) -> WorldFigure {
    let team = simulation.model.team.iter().zip(&world.bodies).enumerate().take(MOST_ROBOTS);
    WorldFigure {
        title: String::new(),
        size: point(world.bounds.size()),
        origin: point(world.bounds.min),
        objects: world.objects().iter().map(|o| object(o, trace)).collect(),
        terrain: None,
        marks: Vec::new(),
        areas: world.present_areas().map(area).collect(),
        items: Vec::new(),
        robots: team
            .map(|(index, (member, body))| RobotPath {
                name: member.identity.name.clone(),
                index,
                radius: body.radius,
                start: (f64::NAN, f64::NAN, f64::NAN),
                end: pose(&body.pose, body.present),
                trail: Vec::new(),
            })
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_sim::radio::NodeId;

    fn empty(width: u64) -> AirTrace {
        AirTrace { bins: Vec::new(), width, every: 1, next: 0, worst: None, last: None, loudest: None }
    }

    #[test]
    fn merging_bins_loses_no_message() {
        let mut air = empty(1_000_000);
        let fate = |step: u64| Fate {
            sender: NodeId(0),
            receiver: NodeId(1),
            payload: [].into(),
            sent: step * 7_000_000,
            settled: step * 7_000_000 + 2_000_000,
            lost: step.is_multiple_of(3).then_some(Loss::Wall),
            signal: None,
        };
        (0..3000).for_each(|step| air.settled(&[fate(step)]));
        let (bins, reasons) = air.delivery(21.0);
        assert!(bins.len() <= MOST_BINS / 2);
        let wall = reasons.iter().position(|name| name == "wall").expect("a reason");
        assert_eq!(bins.iter().map(|bin| bin.lost[wall]).sum::<u64>(), 1000);
        assert_eq!(bins.iter().map(|bin| bin.delivered).sum::<u64>(), 2000);
        assert!(bins.iter().filter_map(|bin| bin.latency_ms).all(|ms| (ms - 2.0).abs() < 1e-9));
        assert!(bins.windows(2).all(|pair| pair[0].to_s == pair[1].from_s && pair[0].from_s < pair[0].to_s));
    }
}
