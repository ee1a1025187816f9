//! Controller: VFH+ (Ulrich and Borenstein 1998).
//!
//! What the scanner sees becomes a polar histogram in four stages: the primary histogram adds up certainty and nearness of obstacles, widened
//! by the robot's size; the binary histogram says which directions are free, with a hysteresis; the masked histogram also blocks
//! directions that the robot cannot turn to at its speed; of the openings that are left, the one that costs least is taken.

use crate::detour::Detour;
use crate::neighbours::unexplained;
use crate::{Plugin, free_direction};
use crewlab_onboard::geometry::{Vec2, vec2, wrap};
use crewlab_onboard::{Controller, Identity, Pose, Speeds, Steering, Stream};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Readings that are less certain than this are forgotten.
const FORGOTTEN: f64 = 0.2;
/// At most so many readings are remembered.
const MOST: usize = 1024;
/// Speed of a robot that finds no opening: backwards, turning. [m/s], [rad/s]
const ENCLOSED: Speeds = (-0.05, 1.0);

/// Parameters of VFH+.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct VfhParams {
    /// Clearance kept to obstacles.
    #[schemars(range(min = 0.0), extend("x-unit" = "m"))]
    pub margin: f64,
    /// How far from the rim obstacles count.
    #[schemars(extend("exclusiveMinimum" = 0.0, "x-unit" = "m"))]
    pub window: f64,
    /// Number of sectors of the histogram.
    #[schemars(range(min = 8, max = 360))]
    pub sectors: u16,
    /// A free sector is blocked from this density on; an obstacle at the rim has 1, at the end of the window 0.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub high: f64,
    /// A blocked sector is free again up to this density.
    #[schemars(range(min = 0.0))]
    pub low: f64,
    /// Openings of more than this are wide: the robot keeps to one side of them.
    #[schemars(range(min = 0.1, max = 3.1), extend("x-unit" = "rad"))]
    pub wide: f64,
    /// Cost of a direction's difference from that to the goal.
    #[schemars(range(min = 0.0))]
    pub target_cost: f64,
    /// Cost of its difference from the robot's heading.
    #[schemars(range(min = 0.0))]
    pub wheel_cost: f64,
    /// Cost of its difference from the last direction.
    #[schemars(range(min = 0.0))]
    pub previous_cost: f64,
    /// Share of a reading's certainty that is left after a tick.
    #[schemars(range(min = 0.0, max = 0.95))]
    pub fading: f64,
}

impl Default for VfhParams {
    fn default() -> Self {
        VfhParams {
            margin: 0.04,
            window: 0.6,
            sectors: 72,
            high: 0.3,
            low: 0.15,
            wide: 80.0 * PI / 180.0,
            target_cost: 5.0,
            wheel_cost: 2.0,
            previous_cost: 2.0,
            fading: 0.5,
        }
    }
}

/// Something that was seen, and how certain it is that it is still there.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Seen {
    at: Vec2,
    certainty: f64,
}

/// The controller and its memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Vfh {
    params: VfhParams,
    seen: Vec<Seen>,
    /// The binary histogram: true where it is blocked. Sectors are compass directions if the robot knows its heading.
    blocked: Vec<bool>,
    /// The last direction. [rad]
    previous: Option<f64>,
    /// The last forward speed. [m/s]
    speed: f64,
    detour: Detour,
}

impl Plugin for Vfh {
    const SUMMARY: &'static str = "the opening in a polar histogram of obstacles that costs least: near the goal, the heading and the last direction (VFH+)";
    type Params = VfhParams;

    fn boot(params: &VfhParams, me: &Identity) -> Vfh {
        Vfh {
            params: *params,
            seen: Vec::new(),
            blocked: Vec::new(),
            previous: None,
            speed: 0.0,
            detour: Detour::new(params.margin, me),
        }
    }
}

impl Controller for Vfh {
    fn steer(&mut self, steering: &Steering, random: &mut Stream) -> Speeds {
        let speeds = match self.detour.take_over(steering, random) {
            Some(speeds) => speeds,
            None => self.avoid(steering),
        };
        self.speed = speeds.0;
        speeds
    }

    fn set_out(&mut self) {
        self.previous = None;
        self.detour.set_out();
    }

    fn rest(&mut self) {
        self.speed = 0.0;
        self.seen.clear();
        self.detour.rest();
    }

    fn margin(&self) -> f64 {
        self.params.margin
    }

    fn look_ahead(&self) -> f64 {
        self.params.window
    }

    fn effort(&self) -> u32 {
        4
    }
}

impl Vfh {
    fn avoid(&mut self, steering: &Steering) -> Speeds {
        let Steering { goal, pose, scan, limits, situation, .. } = steering;
        let pose = pose.unwrap_or_default();
        self.look(steering, &pose);
        let window = limits.radius + self.params.window.min(goal.distance);
        let body = limits.radius + self.params.margin;
        let density = self.density(&pose, body, window);
        self.decide(&density);
        let mask = self.mask(&pose, body, self.speed / limits.max_turn.max(1e-9));
        let target = wrap(pose.heading + goal.bearing);
        let choice = self.choose(target, pose.heading, &mask).or_else(|| {
            // A robot that cannot turn to any opening while it drives stops and turns on the spot.
            self.choose(target, pose.heading, &Mask { left: PI, right: PI })
        });
        let Some(direction) = choice else {
            self.previous = None;
            return (ENCLOSED.0.max(-limits.max_speed), ENCLOSED.1.min(limits.max_turn));
        };
        self.previous = Some(direction);
        let bearing = wrap(direction - pose.heading);
        let ahead = free_direction::clearance(scan, limits);
        free_direction::speeds(bearing, ahead, goal.distance, limits, situation.dt)
    }

    /// Remembers what the scanner sees. Without a pose only the present counts.
    fn look(&mut self, steering: &Steering, pose: &Pose) {
        if steering.pose.is_none() {
            self.seen.clear();
        }
        let fading = self.params.fading;
        self.seen.iter_mut().for_each(|seen| seen.certainty *= fading);
        self.seen.retain(|seen| seen.certainty >= FORGOTTEN);
        let (facing, mut points) = (Vec2::unit(pose.heading), Vec::new());
        unexplained(steering, self.params.window, &mut points);
        let room = MOST.saturating_sub(self.seen.len());
        let fresh = points.iter().take(room);
        self.seen
            .extend(fresh.map(|point| Seen { at: pose.position + point.rotated(facing), certainty: 1.0 }));
    }

    fn sector(&self) -> f64 {
        TAU / f64::from(self.params.sectors.max(8))
    }

    /// Stage 1, the primary histogram: H(k) = Σ c² (a - b d²), over obstacles widened by the body.
    fn density(&self, pose: &Pose, body: f64, window: f64) -> Vec<f64> {
        let (count, width) = (usize::from(self.params.sectors.max(8)), self.sector());
        let mut density = vec![0.0; count];
        for seen in &self.seen {
            let way = seen.at - pose.position;
            let distance = way.length();
            // What is behind the goal does not matter.
            if distance.is_nan() || distance >= window {
                continue;
            }
            let nearness = 1.0 - ((distance - body).max(0.0) / (window - body).max(1e-6)).min(1.0);
            let magnitude = seen.certainty * seen.certainty * nearness * (2.0 - nearness);
            let half = if distance > body { libm::asin(body / distance) } else { FRAC_PI_2 };
            let (low, high) = ((way.angle() - half) / width, (way.angle() + half) / width);
            for sector in low.round() as i64..=high.round() as i64 {
                density[sector.rem_euclid(count as i64) as usize] += magnitude;
            }
        }
        density
    }

    /// Stage 2, the binary histogram: a sector stays as it is between the two thresholds.
    fn decide(&mut self, density: &[f64]) {
        self.blocked.resize(density.len(), false);
        for (blocked, density) in self.blocked.iter_mut().zip(density) {
            *blocked = *density > self.params.high || (*blocked && *density >= self.params.low);
        }
    }

    /// Stage 3: how far the robot can turn to either side before its turning circle meets something. [m]
    fn mask(&self, pose: &Pose, body: f64, turning_radius: f64) -> Mask {
        let mut mask = Mask { left: PI, right: PI };
        let back = Vec2::unit(-pose.heading);
        for seen in &self.seen {
            let at = (seen.at - pose.position).rotated(back);
            let (bearing, reach) = (at.angle(), turning_radius + body);
            let centre = vec2(0.0, turning_radius.copysign(bearing));
            if at.distance(centre) >= reach {
                continue;
            }
            let side = if bearing >= 0.0 { &mut mask.left } else { &mut mask.right };
            *side = side.min(bearing.abs());
        }
        mask
    }

    /// Stage 4: the direction that costs least, among those in the middle or at the sides of openings. [rad]
    fn choose(&self, target: f64, heading: f64, mask: &Mask) -> Option<f64> {
        let (count, width) = (self.blocked.len(), self.sector());
        let angle = |sector: usize| wrap(sector as f64 * width);
        let free = |sector: usize| {
            !self.blocked[sector % count] && mask.permits(wrap(angle(sector % count) - heading))
        };
        let mut candidates = Vec::new();
        match (0..count).find(|sector| !free(*sector)) {
            None => candidates.push(target),
            Some(wall) => {
                let mut sector = wall;
                while sector < wall + count {
                    let length = (sector..wall + count).take_while(|n| free(*n)).count();
                    if length > 0 {
                        self.opening(sector, length, target, &mut candidates);
                    }
                    sector += length.max(1);
                }
            }
        }
        let off = |a: f64, b: f64| wrap(a - b).abs();
        let cost = |direction: f64| {
            self.params.target_cost * off(direction, target)
                + self.params.wheel_cost * off(direction, heading)
                + self.previous.map_or(0.0, |last| self.params.previous_cost * off(direction, last))
        };
        candidates.into_iter().min_by(|a, b| cost(*a).total_cmp(&cost(*b)))
    }

    /// The directions that an opening offers: its middle, or both its sides and the target if it is wide.
    fn opening(&self, first: usize, length: usize, target: f64, candidates: &mut Vec<f64>) {
        let width = self.sector();
        let (right, span) = (first as f64 * width, (length - 1) as f64 * width);
        if span <= self.params.wide {
            candidates.push(wrap(right + span / 2.0));
            return;
        }
        let aside = self.params.wide / 2.0;
        candidates.extend([wrap(right + aside), wrap(right + span - aside)]);
        let into = (target - right).rem_euclid(TAU);
        if into >= aside && into <= span - aside {
            candidates.push(target);
        }
    }
}

/// How far the robot can turn. [rad]
struct Mask {
    left: f64,
    right: f64,
}

impl Mask {
    fn permits(&self, bearing: f64) -> bool {
        if bearing >= 0.0 { bearing <= self.left } else { -bearing <= self.right }
    }
}
