//! Says why a mission cannot be completed: when its progress stands still, the referee is asked what no robot can reach.

use crewlab_missions::Hindrance;
use crewlab_onboard::{Event, EventKind, Time, Vec2};
use serde::{Deserialize, Serialize};

/// Progress that has not changed for this long stands still. [s]
const STANDSTILL: f64 = 120.0;
/// Time between two questions to the referee. [s]
const AGAIN: f64 = 60.0;
/// Two places nearer to each other than this are the same. [m]
const SAME: f64 = 0.1;

/// Watches the progress of a mission.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HindranceWatch {
    progress: f64,
    since: Time,
    asked: Time,
    /// Places that were told, so that each is told once.
    told: Vec<Vec2>,
}

impl HindranceWatch {
    /// True if progress has stood still for long, and the referee was not asked lately.
    pub(crate) fn due(&mut self, progress: f64, now: Time) -> bool {
        if progress != self.progress {
            (self.progress, self.since) = (progress, now);
        }
        let due = now.since(self.since) >= STANDSTILL && now.since(self.asked) >= AGAIN;
        if due {
            self.asked = now;
        }
        due
    }

    /// The event of a hindrance that was not told yet.
    pub(crate) fn event(&mut self, hindrance: Hindrance) -> Option<Event> {
        if self.told.iter().any(|place| place.distance(hindrance.place) < SAME) {
            return None;
        }
        self.told.push(hindrance.place);
        Some(Event::new(EventKind::OutOfReach).saying(hindrance.words).at(hindrance.place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_referee_is_asked_when_nothing_happens_and_each_place_is_told_once() {
        let mut watch = HindranceWatch::default();
        let asked = |watch: &mut HindranceWatch, progress: f64, seconds: std::ops::Range<u32>| {
            seconds.filter(|second| watch.due(progress, Time::from_seconds(f64::from(*second)))).count()
        };
        assert_eq!(asked(&mut watch, 0.1, 0..100), 0);
        assert_eq!(asked(&mut watch, 0.2, 100..219), 0);
        assert_eq!(asked(&mut watch, 0.2, 219..341), 3);
        let hindrance =
            || Hindrance { place: Vec2::ZERO, words: "waste under a wall".into(), why: "under a wall" };
        assert!(watch.event(hindrance()).is_some() && watch.event(hindrance()).is_none());
    }
}
