//! What the robots of a swarm tell each other.

use serde::{Deserialize, Serialize};

/// Most knots of a trajectory in a message.
pub(super) const KNOTS: usize = 6;
/// Most obstacle cells in a message.
pub(super) const CELLS: usize = 24;

/// A message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Talk {
    /// "Here I am, and there I will be."
    Plan(Plan),
    /// "These objectives have these weights now." By guidance vehicles only.
    Order([f32; 3]),
    /// "There is something in the way in these cells."
    Obstacles(Vec<[i16; 2]>),
}

/// Where a robot is and will be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Plan {
    /// Where it is. [m]
    pub(super) at: [f32; 2],
    /// How it moves. [m/s]
    pub(super) velocity: [f32; 2],
    /// True for a guidance vehicle.
    pub(super) guides: bool,
    /// Where it will be, relative to where it is, after times in tenths of a second. [0.1 s], [0.1 m]
    pub(super) knots: Vec<(u16, [i16; 2])>,
}

impl Talk {
    pub(super) fn encode(&self) -> Vec<u8> {
        // Plain data into a growing vector cannot fail; an empty message is ignored.
        postcard::to_stdvec(self).unwrap_or_default()
    }

    /// `None` for a damaged message, or another mission's.
    pub(super) fn decode(bytes: &[u8]) -> Option<Talk> {
        let (talk, rest) = postcard::take_from_bytes::<Talk>(bytes).ok()?;
        let believed = |value: f32| value.is_finite() && value.abs() < 1e6;
        let sound = match &talk {
            Talk::Plan(plan) => {
                plan.at.into_iter().chain(plan.velocity).all(believed)
                    && plan.knots.len() <= KNOTS
                    && plan.knots.is_sorted_by_key(|(time, _)| *time)
            }
            Talk::Order(weights) => weights.iter().all(|weight| believed(*weight)),
            Talk::Obstacles(cells) => cells.len() <= CELLS,
        };
        (rest.is_empty() && sound).then_some(talk)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(x: f32, count: usize) -> Talk {
        let knots = (0..count).map(|n| (10 * n as u16, [n as i16, -5])).collect();
        Talk::Plan(Plan { at: [x, -20.5], velocity: [1.0, 0.0], guides: false, knots })
    }

    #[test]
    fn messages_are_small_and_come_back() {
        for talk in [plan(300.0, KNOTS), Talk::Order([1.0, 0.0, 0.5]), Talk::Obstacles(vec![[3, -4]; CELLS])]
        {
            let bytes = talk.encode();
            assert!(bytes.len() <= 100, "{} bytes", bytes.len());
            assert_eq!(Talk::decode(&bytes), Some(talk));
        }
    }

    #[test]
    fn what_is_not_sound_is_ignored() {
        assert_eq!(Talk::decode(&plan(f32::NAN, 1).encode()), None);
        assert_eq!(Talk::decode(&plan(0.0, KNOTS + 1).encode()), None);
        assert_eq!(Talk::decode(&Talk::Order([f32::INFINITY, 0.0, 0.0]).encode()), None);
        let mut longer = plan(0.0, 1).encode();
        longer.push(0);
        assert_eq!(Talk::decode(&longer), None);
        assert_eq!(Talk::decode(&[]), None);
    }
}
