//! A guidance vehicle: it follows its route and tells the robots what is wanted.

use crate::Navigator;
use crewlab_onboard::geometry::{Vec2, vec2};
use crewlab_onboard::{Command, Output, Situation};
use serde::{Deserialize, Serialize};

/// A point of the route counts as reached at this distance. [m]
const REACHED: f64 = 2.0;

/// What a guidance vehicle does.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Guidance {
    /// The points that it drives to, one after the other. [m]
    pub route: Vec<[f64; 2]>,
    /// It drives to the first point again after the last.
    pub repeat: bool,
    /// Its speed. [m/s]
    pub pace: f64,
    /// What it tells the robots to do: times and the weights of the objectives. [s]
    pub orders: Vec<(f64, [f32; 3])>,
}

/// How far it is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Guide {
    next: usize,
}

impl Guide {
    /// Drives along the route.
    pub(super) fn act(
        &mut self,
        guidance: &Guidance,
        navigator: &mut Navigator,
        situation: &Situation,
        out: &mut Output,
    ) -> Command {
        let Some(pose) = navigator.pose(situation) else { return navigator.stop() };
        let target = |next: usize| guidance.route.get(next).map(|[x, y]| vec2(*x, *y));
        let reached = |target: Vec2| target.distance(pose.position) < REACHED;
        if target(self.next).is_some_and(reached) {
            self.next += 1;
            if guidance.repeat && self.next >= guidance.route.len() {
                self.next = 0;
            }
        }
        match target(self.next) {
            Some(target) => {
                let command = navigator.go_to(target, situation, out);
                Command { speed: command.speed.min(guidance.pace), ..command }
            }
            None => navigator.stop(),
        }
    }

    /// The order that is in force at a time since the start. [s]
    pub(super) fn order(guidance: &Guidance, time: f64) -> Option<[f32; 3]> {
        guidance.orders.iter().rev().find(|(at, _)| *at <= time).map(|(_, weights)| *weights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_order_is_in_force() {
        let orders = vec![(10.0, [1.0, 0.0, 0.0]), (60.0, [0.0, 1.0, 0.0])];
        let guidance = Guidance { orders, ..Guidance::default() };
        assert_eq!(Guide::order(&guidance, 9.0), None);
        assert_eq!(Guide::order(&guidance, 10.0), Some([1.0, 0.0, 0.0]));
        assert_eq!(Guide::order(&guidance, 1e6), Some([0.0, 1.0, 0.0]));
    }
}
