//! Disturbances of the radio channel: cut links, split teams, noise, bandwidth. As with robots' faults, everything carries the
//! token of its disturbance, so that undoing one leaves the others.

use crate::address::node;
use crate::faults::FOR_GOOD;
use crewlab_onboard::RobotId;
use crewlab_radio::NodeId;
use serde::{Deserialize, Serialize};

/// More noise than this makes no further difference. [dB]
const MOST_NOISE: f64 = 300.0;
/// A smaller share of bandwidth than this makes no further difference.
const LEAST_BANDWIDTH: f64 = 1e-3;

/// A disturbance of the channel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ChannelFault {
    /// Two robots do not hear each other.
    Cut(RobotId, RobotId),
    /// These robots hear only each other, and the rest only the rest; the station outside the team belongs to the rest.
    Split(Vec<RobotId>),
    /// There is more noise everywhere. [dB]
    Noise(f64),
    /// Only this share of the bandwidth can be used.
    Bandwidth(f64),
}

/// All disturbances of the channel.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Airwaves {
    list: Vec<(u32, ChannelFault)>,
    /// Derived from the list, so that nothing is computed in a tick.
    cuts: Vec<(NodeId, NodeId)>,
    noise_rise: f64,
    bandwidth_share: Option<f64>,
}

impl Airwaves {
    /// True if the channel is undisturbed.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Pairs of nodes that do not hear each other, in order, the lower number first.
    pub fn cuts(&self) -> &[(NodeId, NodeId)] {
        &self.cuts
    }

    /// Increase of the noise level. [dB]
    pub fn noise_rise(&self) -> f64 {
        self.noise_rise
    }

    /// Usable share of the bandwidth; all of it if `None`.
    pub fn bandwidth_share(&self) -> Option<f64> {
        self.bandwidth_share
    }

    /// Disturbs the channel for a team of this size, on behalf of the disturbance with this token.
    pub(crate) fn add(&mut self, token: u32, troubles: impl IntoIterator<Item = ChannelFault>, team: usize) {
        troubles.into_iter().for_each(|trouble| self.note(token, trouble));
        self.refresh(team);
    }

    fn note(&mut self, token: u32, trouble: ChannelFault) {
        // Permanent disturbances of a kind share one entry, so that the list does not grow with the length of a run.
        let known = self.list.iter_mut().filter(|(by, _)| token == FOR_GOOD && *by == FOR_GOOD);
        let merged = known.map(|(_, known)| known).any(|known| match (known, &trouble) {
            (ChannelFault::Noise(rise), ChannelFault::Noise(more)) => {
                *rise = (*rise + more).min(MOST_NOISE);
                true
            }
            (ChannelFault::Bandwidth(share), ChannelFault::Bandwidth(of_it)) => {
                *share = (*share * of_it).max(LEAST_BANDWIDTH);
                true
            }
            (known, trouble) => known == trouble,
        });
        if !merged {
            self.list.push((token, trouble));
        }
    }

    /// Removes the effects of the disturbance with this token.
    pub(crate) fn remove(&mut self, token: u32, team: usize) {
        self.list.retain(|(by, _)| *by != token);
        self.refresh(team);
    }

    fn refresh(&mut self, team: usize) {
        self.cuts.clear();
        let (mut rise, mut share) = (0.0, None);
        for (_, trouble) in &self.list {
            match trouble {
                ChannelFault::Cut(a, b) => self.cuts.push((node(*a.min(b)), node(*a.max(b)))),
                ChannelFault::Split(group) => {
                    let rest = RobotId::team(team).filter(|robot| !group.contains(robot)).map(node);
                    let apart = |other: NodeId| {
                        group.iter().map(move |robot| (other.min(node(*robot)), other.max(node(*robot))))
                    };
                    self.cuts.extend(rest.chain([NodeId::OUTSIDE]).flat_map(apart));
                }
                ChannelFault::Noise(more) => rise += more,
                ChannelFault::Bandwidth(of_it) => share = Some(share.unwrap_or(1.0) * of_it),
            }
        }
        self.cuts.sort_unstable();
        self.cuts.dedup();
        self.noise_rise = f64::min(rise, MOST_NOISE);
        self.bandwidth_share = share.map(|share: f64| share.max(LEAST_BANDWIDTH));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTSIDE: u32 = NodeId::OUTSIDE.0;

    fn cuts(air: &Airwaves) -> Vec<(u32, u32)> {
        air.cuts().iter().map(|(a, b)| (a.0, b.0)).collect()
    }

    #[test]
    fn cuts_are_in_order_and_each_is_undone_alone() {
        let mut air = Airwaves::default();
        air.add(1, [ChannelFault::Cut(RobotId(2), RobotId(0))], 4);
        air.add(2, [ChannelFault::Cut(RobotId(0), RobotId(2))], 4);
        air.add(3, [ChannelFault::Cut(RobotId(1), RobotId(0))], 4);
        assert_eq!(cuts(&air), [(0, 1), (0, 2)]);
        air.remove(1, 4);
        assert_eq!(cuts(&air), [(0, 1), (0, 2)], "the other cut is still there");
        air.remove(2, 4);
        assert_eq!(cuts(&air), [(0, 1)]);
        air.remove(3, 4);
        assert_eq!(air, Airwaves::default());
    }

    #[test]
    fn a_split_team_hears_nothing_across_and_the_operator_is_with_the_rest() {
        let mut air = Airwaves::default();
        air.add(1, [ChannelFault::Split(vec![RobotId(3), RobotId(1)])], 4);
        assert_eq!(cuts(&air), [(0, 1), (0, 3), (1, 2), (1, OUTSIDE), (2, 3), (3, OUTSIDE)]);
        // Two splits at once: only nodes that are on the same side of both hear each other.
        air.add(2, [ChannelFault::Split(vec![RobotId(1), RobotId(0)])], 4);
        air.remove(1, 4);
        assert_eq!(cuts(&air), [(0, 2), (0, 3), (0, OUTSIDE), (1, 2), (1, 3), (1, OUTSIDE)]);
        air.remove(2, 4);
        assert!(air.is_empty() && air.cuts().is_empty());
    }

    #[test]
    fn noise_adds_up_and_bandwidth_is_shared() {
        let mut air = Airwaves::default();
        for token in [1, 2] {
            air.add(token, [ChannelFault::Noise(10.0)], 2);
            air.add(token, [ChannelFault::Bandwidth(0.5)], 2);
        }
        assert_eq!((air.noise_rise(), air.bandwidth_share()), (20.0, Some(0.25)));
        air.remove(1, 2);
        assert_eq!((air.noise_rise(), air.bandwidth_share()), (10.0, Some(0.5)));
        air.remove(2, 2);
        assert_eq!((air.noise_rise(), air.bandwidth_share()), (0.0, None));
    }

    #[test]
    fn permanent_changes_do_not_accumulate() {
        let mut air = Airwaves::default();
        for n in 0..1000 {
            air.add(FOR_GOOD, [ChannelFault::Noise(10.0)], 3);
            air.add(FOR_GOOD, [ChannelFault::Bandwidth(0.5)], 3);
            air.add(FOR_GOOD, [ChannelFault::Cut(RobotId(n % 3), RobotId(2))], 3);
            air.add(FOR_GOOD, [ChannelFault::Split(vec![RobotId(0)])], 3);
        }
        assert!(air.list.len() <= 6, "{:?}", air.list);
        assert_eq!((air.noise_rise(), air.bandwidth_share()), (MOST_NOISE, Some(LEAST_BANDWIDTH)));
        // Temporary disturbances come and go on top of it.
        let before = air.clone();
        air.add(7, [ChannelFault::Cut(RobotId(0), RobotId(1))], 3);
        air.add(7, [ChannelFault::Bandwidth(0.5)], 3);
        air.remove(7, 3);
        assert_eq!(air, before);
    }
}
