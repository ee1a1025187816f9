//! Who decides for a way.

use super::course::{Ratio, Way};
use crewlab_onboard::Stream;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a robot chooses between the short and the long way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Policy {
    /// Always the short way; for training.
    AlwaysShort,
    /// Always the long way; for training.
    AlwaysLong,
    /// A coin for each trial.
    #[default]
    Random,
    /// The way with fewer objects if they are known, the short one if both have the same number; a coin if they are not known.
    Defensive,
    /// The way of which the estimator expects more. Needs a model.
    Inference,
}

impl Policy {
    /// The way that it takes without expecting anything; `None` if it estimates.
    pub(super) fn blind(self, ratio: Option<Ratio>, random: &mut Stream) -> Option<Way> {
        let mut coin = || if random.chance(0.5) { Way::Short } else { Way::Long };
        match self {
            Policy::AlwaysShort => Some(Way::Short),
            Policy::AlwaysLong => Some(Way::Long),
            Policy::Random => Some(coin()),
            Policy::Defensive => Some(match ratio {
                Some(Ratio(short, long)) if short <= long => Way::Short,
                Some(_) => Way::Long,
                None => coin(),
            }),
            Policy::Inference => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_onboard::StreamKind;

    #[test]
    fn the_defensive_policy_takes_the_emptier_way() {
        let mut random = Stream::new(1, StreamKind::Decisions, 0, 0);
        let mut way = |ratio| Policy::Defensive.blind(ratio, &mut random);
        assert_eq!(way(Some(Ratio(1, 3))), Some(Way::Short));
        assert_eq!(way(Some(Ratio(1, 1))), Some(Way::Short));
        assert_eq!(way(Some(Ratio(5, 1))), Some(Way::Long));
        let tossed: Vec<_> = (0..50).filter_map(|_| way(None)).collect();
        assert!(Way::ALL.iter().all(|way| tossed.contains(way)));
    }
}
