//! The Rao-Blackwellised particle filter (B.3.1): particles for the path, and a map for each.

use super::agreement::agreement;
use super::coarse::search;
use super::footprint::Footprint;
use super::gaussian::{Symmetric, moved};
use super::likelihood::{Likelihood, Moment};
use super::map::SlamMap;
use super::matching::{Prior, Trust, refine_around};
use super::motion::{Motion, MotionNoise};
use super::particle::Particle;
use super::record::Record;
use super::relocation::relocate;
use super::sweep::Sweep;
use crewlab_onboard::Stream;
use crewlab_onboard::geometry::{Pose, wrap};
use crewlab_onboard::locating::FilterChoice;
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// Parameters of the filter.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct SlamParams {
    /// Number of particles. Default: 200.
    pub particles: usize,
    /// Side of a cell. [m] Default: 0.15.
    pub resolution: f64,
    /// The likelihood of scans. Default: `ndt`.
    pub likelihood: Likelihood,
    /// Noise of odometry.
    pub motion: MotionNoise,
    /// Standard deviation of a measured point, including the scanner's. [m] Default: 0.03.
    pub deviation: f64,
    /// The share of a point's information that is its own: errors of neighbouring points have common causes. Default: 0.2.
    pub share: f64,
    /// Scans are used when the robot has moved this far since the last one that was used [m], or has turned so far [rad]. Defaults:
    /// 0.1, 0.1.
    pub every_way: f64,
    /// See `every-way`.
    pub every_turn: f64,
}

impl Default for SlamParams {
    fn default() -> Self {
        SlamParams {
            particles: 200,
            resolution: 0.15,
            likelihood: Likelihood::default(),
            motion: MotionNoise::default(),
            deviation: 0.03,
            share: 0.2,
            every_way: 0.1,
            every_turn: 0.1,
        }
    }
}

impl SlamParams {
    /// For a robot with tasks besides: fewer scans. An unknown likelihood is the default one.
    pub fn on_board(choice: &FilterChoice) -> SlamParams {
        SlamParams {
            particles: usize::from(choice.particles),
            resolution: choice.resolution,
            likelihood: Likelihood::named(&choice.likelihood).unwrap_or_default(),
            every_way: 0.25,
            every_turn: 0.25,
            ..SlamParams::default()
        }
    }

    pub(super) fn trust(&self) -> Trust {
        Trust { deviation: self.deviation, share: self.share }
    }
}

/// Positions farther away are broken: the grid's cells could not be counted. [m]
const FARTHEST: f64 = 1e5;

fn sound(pose: &Pose) -> bool {
    pose.position.x.abs() < FARTHEST && pose.position.y.abs() < FARTHEST && pose.heading.is_finite()
}

/// How far a robot drives, or turns, until it sees other surfaces than before. [m], [rad]
const SIGHT: f64 = 8.0;
const VIEW: f64 = PI;

/// The share of a scan after a motion that the scan before has not told already.
fn news(motion: &Motion) -> f64 {
    (motion.trans.abs() / SIGHT + wrap(motion.rot1 + motion.rot2).abs() / VIEW).min(1.0)
}

/// Moves a particle by odometry alone, with its noise.
fn drift(particle: &mut Particle, moment: &Moment, random: &mut Stream) -> f64 {
    let information = moment.params.motion.covariance(&moment.odometry, &particle.pose).inverse();
    particle.pose = moment.odometry.from(&particle.pose);
    if let Some(root) = information.and_then(|information| information.root()) {
        particle.pose = moved(&particle.pose, root.draw(random).0);
    }
    0.0
}

/// Which particles survive, each about as often as its weight says (systematic resampling).
fn drawn(weights: &[f64], offset: f64) -> Vec<u32> {
    let count = weights.len();
    let (mut chosen, mut sum) = (0, weights.first().copied().unwrap_or(0.0));
    let arrow = |at: usize| (at as f64 + offset) / count as f64;
    let choose = |at| {
        while sum < arrow(at) && chosen + 1 < count {
            chosen += 1;
            sum += weights[chosen];
        }
        chosen as u32
    };
    (0..count).map(choose).collect()
}

/// Simultaneous localisation and mapping.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "Record", try_from = "Record")]
pub struct Slam {
    pub(super) params: SlamParams,
    pub(super) particles: Vec<Particle>,
    /// Odometry at the last scan that was used.
    pub(super) used: Option<Pose>,
    /// The motion since then.
    pub(super) since: Motion,
    /// Of which particle each one is the successor, since the scan before.
    pub(super) parents: Vec<u32>,
}

impl Slam {
    /// A filter that knows nothing yet.
    pub fn new(params: SlamParams) -> Slam {
        let params = SlamParams {
            particles: params.particles.max(1),
            resolution: params.resolution.clamp(0.01, 10.0),
            ..params
        };
        Slam { params, particles: Vec::new(), used: None, since: Motion::default(), parents: Vec::new() }
    }

    /// Its parameters.
    pub fn params(&self) -> &SlamParams {
        &self.params
    }

    /// Takes odometry without a scan.
    pub fn follow(&mut self, odometry: &Pose) {
        if let Some(used) = self.used.filter(|_| sound(odometry)) {
            self.since = Motion::between(&used, odometry);
        }
    }

    /// How well a scan agrees with the most likely map where the robot most likely is, from 0 to 1; `None` if the map is not known
    /// there.
    pub fn agreement(&self, sweep: &Sweep) -> Option<f64> {
        agreement(self.map()?, &self.pose()?, &sweep.features)
    }

    /// Looks for the robot where odometry expects it, then anywhere on its most likely map. True if there is one place where the scan
    /// fits: all particles are there now.
    pub fn relocate(&mut self, odometry: &Pose, sweep: &Sweep) -> bool {
        let trust = self.params.trust();
        let found = self.map().and_then(|map| relocate(map, &sweep.features, self.pose(), trust));
        let (Some(best), Some(pose)) = (self.best(), found) else { return false };
        let found = Particle { pose, weight: 0.0, score: 0.0, map: self.particles[best].map.clone() };
        self.parents = vec![best as u32; self.particles.len()];
        self.particles = vec![found; self.particles.len()];
        (self.used, self.since) = (Some(*odometry), Motion::default());
        true
    }

    /// Takes odometry and the scan that was taken there. The map is in the frame of the first odometry. Odometry that no robot can
    /// have is ignored.
    pub fn update(&mut self, odometry: &Pose, sweep: &Sweep, random: &mut Stream) {
        if !sound(odometry) {
            self.parents = (0..self.particles.len() as u32).collect();
            return;
        }
        let Some(used) = self.used else {
            self.begin(odometry, sweep);
            return;
        };
        self.parents = (0..self.particles.len() as u32).collect();
        self.since = Motion::between(&used, odometry);
        let turned = wrap(odometry.heading - used.heading).abs();
        if self.since.trans.abs() < self.params.every_way && turned < self.params.every_turn {
            return;
        }
        let moment = self.moment(sweep);
        // Without points to match, odometry is the best guess: the most likely particle takes it as it is, the others spread.
        let (matched, best) = (sweep.locates(), self.best());
        for (place, particle) in self.particles.iter_mut().enumerate() {
            let gain = if matched {
                self.params.likelihood.advance(particle, &moment, random)
            } else if best == Some(place) {
                particle.pose = moment.odometry.from(&particle.pose);
                0.0
            } else {
                drift(particle, &moment, random)
            };
            particle.weight += gain;
            particle.score += gain;
        }
        (self.used, self.since) = (Some(*odometry), Motion::default());
        let weights = self.normalise();
        let effective = 1.0 / weights.iter().map(|weight| weight * weight).sum::<f64>();
        let depleted = effective < self.particles.len() as f64 / 2.0;
        if depleted {
            self.parents = drawn(&weights, random.unit());
        }
        self.absorb(sweep, depleted);
    }

    fn begin(&mut self, odometry: &Pose, sweep: &Sweep) {
        let map = SlamMap::new(self.params.resolution);
        let first = Particle { pose: *odometry, map, weight: 0.0, score: 0.0 };
        self.particles = vec![first];
        self.parents = vec![0; self.params.particles];
        self.used = Some(*odometry);
        self.absorb(sweep, true);
    }

    /// What all particles have in common: odometry, and its correction on the best particle's map.
    fn moment<'a>(&self, sweep: &'a Sweep) -> Moment<'a> {
        let (params, odometry) = (self.params, self.since);
        let news = news(&odometry);
        let uncorrected =
            Moment { odometry, corrected: odometry, certainty: Symmetric::default(), news, sweep, params };
        let Some(best) = self.best().map(|best| &self.particles[best]) else { return uncorrected };
        let Some(information) = params.motion.covariance(&odometry, &best.pose).inverse() else {
            return uncorrected;
        };
        let prior = Prior { pose: odometry.from(&best.pose), information };
        let points = &sweep.features[..];
        let start = search(&best.map, points, &prior, params.share);
        let (pose, information) =
            refine_around(&best.map, points, &prior, [prior.pose, start], params.trust());
        let corrected = Motion::between(&best.pose, &pose);
        Moment { corrected, certainty: information.turned(-best.pose.heading), ..uncorrected }
    }

    /// Adds the scan to the maps. If particles were drawn anew, the successors of one particle share its map.
    fn absorb(&mut self, sweep: &Sweep, anew: bool) {
        let mut footprint = Footprint::default();
        let mut add = |particle: &mut Particle| {
            footprint.draw(&particle.pose, sweep, particle.map.resolution());
            particle.map.absorb(&particle.pose, sweep, &footprint);
        };
        if !anew {
            self.particles.iter_mut().for_each(add);
            return;
        }
        let mut successors = Vec::with_capacity(self.parents.len());
        for (at, parent) in self.parents.iter().enumerate() {
            let parent = *parent as usize;
            if at == 0 || self.parents[at - 1] as usize != parent {
                self.particles[parent].weight = 0.0;
                add(&mut self.particles[parent]);
            }
            successors.push(self.particles[parent].clone());
        }
        self.particles = successors;
    }

    /// The weights, adding up to one.
    fn normalise(&mut self) -> Vec<f64> {
        let most = self.particles.iter().map(|particle| particle.weight).fold(f64::NEG_INFINITY, f64::max);
        self.particles.iter_mut().for_each(|particle| particle.weight -= most);
        let weights: Vec<f64> = self.particles.iter().map(|particle| libm::exp(particle.weight)).collect();
        let sum: f64 = weights.iter().sum();
        weights.iter().map(|weight| weight / sum).collect()
    }

    /// The most likely particle.
    pub fn best(&self) -> Option<usize> {
        let best = |best: usize, at: usize| {
            if self.particles[at].score > self.particles[best].score { at } else { best }
        };
        (0..self.particles.len()).reduce(best)
    }

    /// Where the robot most likely is; `None` before the first scan.
    pub fn pose(&self) -> Option<Pose> {
        self.best().map(|best| self.since.from(&self.particles[best].pose))
    }

    /// The most likely map; `None` before the first scan.
    pub fn map(&self) -> Option<&SlamMap> {
        self.best().map(|best| &self.particles[best].map)
    }

    /// Where the robot is according to each particle.
    pub fn poses(&self) -> impl Iterator<Item = Pose> {
        self.particles.iter().map(|particle| self.since.from(&particle.pose))
    }

    /// Of which particle each one is the successor, since the scan before.
    pub fn parents(&self) -> &[u32] {
        &self.parents
    }
}
