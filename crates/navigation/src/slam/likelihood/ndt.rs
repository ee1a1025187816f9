//! Per-particle scan matching: each particle corrects itself on its own map, and draws its pose around the match.

use super::Moment;
use crate::slam::gaussian::moved;
use crate::slam::matching::{Prior, fit, refine, surprise};
use crate::slam::particle::Particle;
use crewlab_onboard::Stream;
use crewlab_onboard::geometry::Pose;

pub(super) const SUMMARY: &str =
    "each particle matches the scan with the surfaces in its own map and draws its pose around the match";

pub(super) fn advance(particle: &mut Particle, moment: &Moment, random: &mut Stream) -> f64 {
    let (params, points) = (moment.params, &moment.sweep.features[..]);
    let covariance = params.motion.covariance(&moment.odometry, &particle.pose);
    let expected = moment.odometry.from(&particle.pose);
    let Some(information) = covariance.inverse() else { return 0.0 };
    let prior = Prior { pose: expected, information };
    let trust = params.trust();
    let cost = |pose: &Pose| fit(&particle.map, pose, points, trust).cost + surprise(&prior, pose);
    // What was right on the best particle's map may be wrong on this one.
    let matched = moment.corrected.from(&particle.pose);
    let start = if cost(&matched) < cost(&expected) { matched } else { expected };
    let (peak, information) = refine(&particle.map, points, &prior, &start, trust);
    let (Some(root), Some(before)) = (information.root(), prior.information.root()) else { return 0.0 };
    // The proposal is the posterior of this step as far as it is normal. Then the ratio in (B.1) is the same for all draws: the
    // probability of the scan, integrated over poses (Laplace's approximation). To evaluate the ratio at the draw would only add
    // the noise of the approximation.
    let gain = before.log_peak() - root.log_peak() - cost(&peak);
    particle.pose = moved(&peak, root.draw(random).0);
    // The same surfaces are in several scans, with the same error each time: a draw that was a little off, a map that is blurred
    // there. To count it anew with each scan would leave the descendants of one particle after a few metres, all with the same path,
    // and none of them right where a loop closes.
    gain * moment.news
}
