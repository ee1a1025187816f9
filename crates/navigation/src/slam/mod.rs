//! Simultaneous localisation and mapping from odometry and a range scanner: a Rao-Blackwellised particle filter (B.3.1).

mod agreement;
mod coarse;
mod filter;
mod footprint;
mod gaussian;
mod likelihood;
mod lineage;
mod map;
mod mapping;
mod matching;
mod motion;
mod particle;
mod record;
mod relocation;
mod surface;
mod sweep;

pub use filter::{Slam, SlamParams};
pub use footprint::{FREE, Footprint, HIT};
pub use likelihood::{Kind, LIKELIHOODS, Likelihood};
pub use lineage::Lineage;
pub use map::SlamMap;
pub use mapping::absorb;
pub use motion::{Motion, MotionNoise};
pub use sweep::Sweep;

#[cfg(test)]
mod tests;
