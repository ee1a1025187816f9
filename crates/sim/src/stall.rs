//! Detects active robots that make no progress. ALLIANCE guarantees completion only while robots make progress on their work; a
//! violation is an event.

use crewlab_onboard::{BehaviourId, Event, EventKind, Time, Vec2};
use serde::{Deserialize, Serialize};

/// A robot that stays within this distance for longer than this time makes no progress: it stands still, or drives in circles.
/// [m], [s]
const LIMITS: [(f64, f64); 2] = [(0.25, 90.0), (2.5, 300.0)];

/// A robot's work and place, since when.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stall {
    active: Option<BehaviourId>,
    holding: Option<u32>,
    anchors: [Anchor; 2],
}

/// A place that a robot has not left since a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Anchor {
    place: Vec2,
    since: Time,
    told: bool,
}

/// A robot that has stayed in one place for too long.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Standstill {
    /// For how long. [s]
    stayed: f64,
    /// Within this distance. [m]
    within: f64,
}

impl Standstill {
    /// The event that reports it.
    pub(crate) fn event(self, active: Option<BehaviourId>) -> Event {
        let told = Event::new(EventKind::NoProgress);
        let told = told.with("seconds", self.stayed).with("within-metres", self.within);
        Event { behaviour: active, ..told }
    }
}

impl Stall {
    /// Updates a robot; returns its standstill at the moment when it has been in one place for too long.
    #[inline]
    pub(crate) fn watch(
        &mut self,
        now: Time,
        active: Option<BehaviourId>,
        holding: Option<u32>,
        position: Vec2,
    ) -> Option<Standstill> {
        let same = self.active == active && self.holding == holding && active.is_some();
        (self.active, self.holding) = (active, holding);
        let mut standstill = None;
        for (anchor, (far, long)) in self.anchors.iter_mut().zip(LIMITS) {
            if !same || anchor.place.distance(position) > far {
                *anchor = Anchor { place: position, since: now, told: false };
                continue;
            }
            let stayed = now.since(anchor.since);
            if stayed > long && !anchor.told {
                anchor.told = true;
                standstill = standstill.or(Some(Standstill { stayed, within: far }));
            }
        }
        standstill
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_onboard::geometry::vec2;

    #[test]
    fn standing_while_active_is_reported_once() {
        let mut stall = Stall::default();
        let active = Some(BehaviourId(0));
        let mut told = 0;
        for second in 0..200 {
            told += usize::from(
                stall.watch(Time::from_seconds(f64::from(second)), active, None, vec2(1.0, 1.0)).is_some(),
            );
        }
        assert_eq!(told, 1);
        let again = stall.watch(Time::from_seconds(301.0), active, None, vec2(1.0, 1.0));
        assert!(again.is_some(), "it must be reported again if the robot stays for much longer");
    }

    #[test]
    fn moving_idling_or_handling_items_is_no_stall() {
        let mut stall = Stall::default();
        for second in 0..200 {
            let now = Time::from_seconds(f64::from(second));
            let moved = vec2(0.01 * f64::from(second), 0.0);
            assert_eq!(stall.watch(now, Some(BehaviourId(0)), None, moved), None);
        }
        for second in 0..200u32 {
            let now = Time::from_seconds(f64::from(second));
            assert_eq!(stall.watch(now, None, None, Vec2::ZERO), None);
            assert_eq!(stall.watch(now, Some(BehaviourId(0)), Some(second / 50), Vec2::ZERO), None);
        }
    }
}
