//! Watches whether an active robot gets anywhere. ALLIANCE guarantees completion only while robots make progress on
//! what they do; a breach is an event.

use crewlab_onboard::{BehaviourId, Event, Time, Vec2};
use serde::{Deserialize, Serialize};

/// Moving farther than this is progress. [m]
const FAR_ENOUGH: f64 = 0.25;
/// Standing for longer than this while active is none. [s]
const TOO_LONG: f64 = 90.0;

/// What a robot was doing and where, since when.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stall {
    active: Option<BehaviourId>,
    holding: Option<u32>,
    anchor: Vec2,
    since: Time,
    told: bool,
}

impl Stall {
    /// Looks at a robot; an event the moment it has stood for too long.
    pub(crate) fn watch(
        &mut self,
        now: Time,
        active: Option<BehaviourId>,
        holding: Option<u32>,
        position: Vec2,
    ) -> Option<Event> {
        let same = self.active == active && self.holding == holding;
        if active.is_none() || !same || self.anchor.distance(position) > FAR_ENOUGH {
            *self = Stall { active, holding, anchor: position, since: now, told: false };
            return None;
        }
        let standing = now.since(self.since);
        if self.told || standing <= TOO_LONG {
            return None;
        }
        self.told = true;
        let event =
            Event::new("no-progress", "active, but it has neither moved nor picked up or put down anything");
        Some(Event { behaviour: active, ..event.with("seconds", standing) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_onboard::geometry::vec2;

    #[test]
    fn standing_while_active_is_told_once() {
        let mut stall = Stall::default();
        let active = Some(BehaviourId(0));
        let mut told = 0;
        for second in 0..200 {
            told += usize::from(
                stall.watch(Time::from_seconds(f64::from(second)), active, None, vec2(1.0, 1.0)).is_some(),
            );
        }
        assert_eq!(told, 1);
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
