//! Likelihoods of a scan given a particle's map, and how each of them moves and weighs a particle (B.1).

mod correlation;
mod ndt;

use super::filter::SlamParams;
use super::gaussian::Symmetric;
use super::motion::Motion;
use super::particle::Particle;
use super::sweep::Sweep;
use crewlab_onboard::Stream;
use serde::{Deserialize, Serialize};

/// What all particles have in common when a scan arrives.
pub(super) struct Moment<'a> {
    /// What odometry says since the last scan.
    pub odometry: Motion,
    /// The same, corrected by matching the scan with the best particle's map.
    pub corrected: Motion,
    /// The information about that match, in the frame of the robot before the motion.
    pub certainty: Symmetric,
    /// The share of the scan that the one before has not told already, up to 1.
    pub news: f64,
    pub sweep: &'a Sweep,
    pub params: SlamParams,
}

/// A likelihood's entry in the registry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Its name.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
}

macro_rules! registry {
    ($first:literal => $default:ident($home:ident), $($name:literal => $variant:ident($module:ident),)*) => {
        /// A likelihood of scans.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum Likelihood {
            #[doc = concat!("`", $first, "`")]
            #[default]
            $default,
            $(#[doc = concat!("`", $name, "`")] $variant,)*
        }

        /// All likelihoods. The first one is the default.
        pub const LIKELIHOODS: &[Kind] = &[
            Kind { name: $first, summary: $home::SUMMARY },
            $(Kind { name: $name, summary: $module::SUMMARY },)*
        ];

        impl Likelihood {
            /// The likelihood of this name.
            pub fn named(name: &str) -> Option<Likelihood> {
                match name { $first => Some(Likelihood::$default), $($name => Some(Likelihood::$variant),)* _ => None }
            }

            /// Draws the particle's new pose and returns the logarithm of what its weight is multiplied with (B.1).
            pub(super) fn advance(self, particle: &mut Particle, moment: &Moment, random: &mut Stream) -> f64 {
                match self {
                    Likelihood::$default => $home::advance(particle, moment, random),
                    $(Likelihood::$variant => $module::advance(particle, moment, random),)*
                }
            }
        }
    };
}

registry! {
    "ndt" => Ndt(ndt),
    "correlation" => Correlation(correlation),
}
