//! Which behaviours of a robot's stack hold the effectors that they need (BITE, algorithm 2). The innermost one comes first; the others
//! take turns at what it leaves free.

use super::team::FrameId;
use crewlab_onboard::Time;
use serde::{Deserialize, Serialize};

/// The turns of behaviours that want the same effectors.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Turns {
    /// Behaviours above the innermost one, and when each last began to hold its effectors.
    held: Vec<(FrameId, Time)>,
    granted: Vec<FrameId>,
    tried: Option<Time>,
}

impl Turns {
    /// Whether each behaviour holds all that it needs, in the order of `stack`, the innermost last. Behaviours that stand by try again
    /// every `standby` seconds; whoever has waited longest comes first, and takes all that it needs at once, so nobody waits for
    /// somebody who waits.
    pub fn hold(&mut self, stack: &[(FrameId, &[String])], now: Time, standby: f64, holds: &mut Vec<bool>) {
        holds.clear();
        let Some(((inner, needs), outer)) = stack.split_last() else {
            self.held.clear();
            return;
        };
        let known = |id: &FrameId| stack.iter().any(|(frame, _)| frame == id);
        self.held.retain(|(id, _)| known(id));
        self.granted.retain(known);
        let due = self.tried.is_none_or(|at| at > now || now.since(at) >= standby);
        let new = outer.iter().any(|(id, _)| self.held.iter().all(|(known, _)| known != id));
        if due || new || self.granted.contains(inner) {
            self.tried = Some(now);
            let last = |id: FrameId| self.held.iter().find(|(known, _)| *known == id).map(|(_, at)| *at);
            let mut queue: Vec<&(FrameId, &[String])> = outer.iter().collect();
            queue.sort_by_key(|(id, _)| (last(*id), *id));
            let mut taken: Vec<&String> = needs.iter().collect();
            let mut granted = Vec::new();
            for (id, needs) in queue {
                if needs.iter().all(|need| !taken.contains(&need)) {
                    taken.extend(needs.iter());
                    granted.push(*id);
                }
            }
            for id in &granted {
                match self.held.iter_mut().find(|(known, _)| known == id) {
                    Some((_, at)) => *at = now,
                    None => self.held.push((*id, now)),
                }
            }
            self.granted = granted;
        }
        holds.extend(outer.iter().map(|(id, _)| self.granted.contains(id)));
        holds.push(true);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(turns: &mut Turns, stack: &[(FrameId, Vec<String>)], at: f64) -> Vec<bool> {
        let stack: Vec<(FrameId, &[String])> =
            stack.iter().map(|(id, needs)| (*id, needs.as_slice())).collect();
        let mut holds = Vec::new();
        turns.hold(&stack, Time::from_seconds(at), 0.128, &mut holds);
        holds
    }

    fn needs(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| name.to_string()).collect()
    }

    #[test]
    fn the_innermost_behaviour_comes_first_and_the_others_get_what_is_left() {
        let stack = [(1, needs(&["head"])), (2, needs(&["drive"])), (3, needs(&["drive"]))];
        assert_eq!(holds(&mut Turns::default(), &stack, 0.0), [true, false, true]);
    }

    #[test]
    fn two_behaviours_that_need_the_same_take_turns_at_the_standby_period() {
        let stack = [(1, needs(&["head"])), (2, needs(&["head"])), (3, needs(&["drive"]))];
        let mut turns = Turns::default();
        let seen: Vec<Vec<bool>> =
            (0..6).map(|tick| holds(&mut turns, &stack, f64::from(tick) * 0.128)).collect();
        assert!(seen.iter().all(|holds| holds[0] != holds[1] && holds[2]), "{seen:?}");
        assert!(seen.windows(2).all(|pair| pair[0][0] != pair[1][0]), "{seen:?}");
        // Within a period nobody is interrupted.
        assert_eq!(holds(&mut turns, &stack, 5.0 * 0.128 + 0.05), seen[5]);
    }

    #[test]
    fn nobody_starves_whatever_each_needs() {
        let stack =
            [(1, needs(&["a", "b"])), (2, needs(&["b", "c"])), (3, needs(&["a", "c"])), (4, needs(&[]))];
        let (mut turns, mut count) = (Turns::default(), [0; 3]);
        for tick in 0..30 {
            let holds = holds(&mut turns, &stack, f64::from(tick) * 0.13);
            (0..3).for_each(|place| count[place] += u32::from(holds[place]));
        }
        assert_eq!(count, [10; 3]);
    }
}
