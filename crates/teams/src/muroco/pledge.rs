//! The pledge: the least reward that a robot has promised, and the reward it expects by now (3.14, 3.15).

use super::params::MurocoParams;
use crate::estimators::Valuation;
use crewlab_onboard::{Reason, Time};
use serde::{Deserialize, Serialize};

/// A smaller jump of an estimate is noise. [s]
const NOISE: f64 = 2.0;

/// A promise and its progress.
///
/// The expected reward is the bid minus the cost of setbacks and the delay. Work is late when the time spent plus the time that the
/// bidder now expects it to take exceeds the estimate plus its slack. Where the whole is unknown, plans cover the next piece of work
/// (one more item to carry), so a longer plan that no setback explains starts a new stage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pledge {
    /// The least reward.
    pub floor: f64,
    /// The reward that was bid.
    pub bid: f64,
    slack: f64,
    /// The cost of setbacks so far. [s]
    lost: f64,
    /// Number of the stage.
    pub stages: u32,
    /// Start and estimate of the current stage.
    stage: (Time, f64),
    /// The latest estimate of the time left. [s]
    left: f64,
    /// The latest plan's time. [s]
    planned: f64,
    /// How much longer than planned the work was expected to take when it was bid for. [s]
    surplus: f64,
    /// How much the current stage is expected to take beyond that and its slack: the robot has learned that it promised too much. [s]
    worse: f64,
    /// Since when the reward is below the floor.
    below: Option<Time>,
}

/// The reward floor ρ_min = max(α ρ*, ρ'), for rewards of either sign.
pub fn floor(best: f64, second: Option<f64>, alpha: f64) -> f64 {
    let share = best - (1.0 - alpha) * best.abs();
    second.map_or(share, |second| share.max(second.min(best)))
}

impl Pledge {
    /// The promise of at least `floor` for work of this value.
    pub fn new(floor: f64, value: &Valuation, params: &MurocoParams, now: Time) -> Pledge {
        Pledge {
            floor,
            bid: value.reward,
            slack: params.slack,
            lost: 0.0,
            stages: 0,
            stage: (now, value.time),
            left: value.time,
            planned: value.planned,
            surplus: value.time - value.planned,
            worse: 0.0,
            below: None,
        }
    }

    /// Starts the work.
    pub fn restart(&mut self, now: Time) {
        self.stage = (now, self.left);
    }

    /// Continues in another way, after so many seconds.
    pub fn turn_to(&mut self, value: &Valuation, spent: f64, now: Time) {
        (self.bid, self.lost) = (value.reward - spent, 0.0);
        (self.stage, self.left, self.planned) = ((now, value.time), value.time, value.planned);
        (self.surplus, self.worse) = (value.time - value.planned, 0.0);
    }

    /// The reward expected now, given what is left to do; `None` if the work has become impossible.
    pub fn estimate(&mut self, left: Option<&Valuation>, setback: bool, now: Time) -> Option<f64> {
        let left = left?;
        let (rise, longer) = (left.time - self.left, left.planned - self.planned);
        (self.left, self.planned) = (left.time, left.planned);
        let jump = longer > NOISE.max(0.25 * self.stage.1);
        if setback || jump {
            if setback {
                self.lost += rise.max(0.0);
            } else {
                self.stages = self.stages.saturating_add(1);
                let surplus = left.time - left.planned;
                self.worse = (surplus - self.surplus - self.slack * left.planned).max(0.0);
            }
            self.stage = (now, left.time);
        }
        // A start in the future is from before the clock was set back.
        if self.stage.0 > now {
            self.stage.0 = now;
        }
        Some(self.reward(now))
    }

    /// The reward expected now, by the latest estimate.
    fn reward(&self, now: Time) -> f64 {
        let expected = (1.0 + self.slack) * self.stage.1 + 10.0;
        let late = (now.since(self.stage.0) + self.left - expected).max(0.0);
        self.bid - self.lost - self.worse - late
    }

    /// How far the reward expected now is above the promised one; negative if the promise cannot be kept.
    pub fn margin(&self, now: Time) -> f64 {
        self.reward(now) - self.floor
    }

    /// Why the pledge cannot be kept, once it has been below the floor for a while.
    pub fn broken(&mut self, reward: Option<f64>, patience: f64, now: Time) -> Option<Reason> {
        if reward.is_some_and(|reward| reward >= self.floor) {
            self.below = None;
            return None;
        }
        let since = *self.below.get_or_insert(now);
        if now.within(since, patience) {
            return None;
        }
        if since > now {
            self.below = Some(now);
            return None;
        }
        Some(match reward {
            None => Reason::WayBlocked,
            Some(to) => Reason::RewardFell { to, pledged: self.floor },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Work that is planned to take this long, and is expected to take the same.
    fn left(planned: f64) -> Valuation {
        Valuation { reward: 600.0 - planned, planned, time: planned, quantiles: Vec::new(), level: None }
    }

    fn pledge() -> Pledge {
        Pledge::new(500.0, &left(60.0), &MurocoParams::default(), Time::ZERO)
    }

    fn at(seconds: f64) -> Time {
        Time::from_seconds(seconds)
    }

    #[test]
    fn the_floor_is_the_second_best_bid_or_a_share_of_the_best() {
        assert_eq!(floor(100.0, None, 0.75), 75.0);
        assert_eq!(floor(100.0, Some(90.0), 0.75), 90.0);
        assert_eq!(floor(100.0, Some(20.0), 0.75), 75.0);
        assert_eq!(floor(-100.0, None, 0.75), -125.0, "a negative reward can get worse, too");
        assert_eq!(
            floor(100.0, Some(120.0), 0.75),
            100.0,
            "the best need not win where all are assigned at once"
        );
    }

    #[test]
    fn work_as_estimated_keeps_the_pledge() {
        let mut pledge = pledge();
        for second in 0..60 {
            let reward = pledge.estimate(Some(&left(60.0 - f64::from(second))), false, at(f64::from(second)));
            assert_eq!(reward, Some(540.0));
            assert_eq!(pledge.broken(reward, 2.0, at(f64::from(second))), None);
        }
    }

    #[test]
    fn a_robot_without_progress_breaks_it() {
        let mut pledge = pledge();
        let broken = (0..600).find(|second| {
            let now = at(f64::from(*second));
            let reward = pledge.estimate(Some(&left(60.0)), false, now);
            pledge.broken(reward, 2.0, now).is_some()
        });
        // Late from 70 s on, 40 s too late at 110 s, and 2 s of patience.
        assert_eq!(broken, Some(114));
    }

    #[test]
    fn a_new_stage_is_not_a_setback_but_a_setback_has_a_cost() {
        let mut pledge = pledge();
        pledge.estimate(Some(&left(1.0)), false, at(59.0));
        assert_eq!(pledge.estimate(Some(&left(80.0)), false, at(60.0)), Some(540.0));
        assert_eq!(pledge.estimate(Some(&left(95.0)), true, at(61.0)), Some(525.0));
    }

    #[test]
    fn a_worse_estimate_of_the_same_plan_is_a_delay_and_not_a_new_stage() {
        let mut pledge = pledge();
        let slower = Valuation { time: 150.0, ..left(50.0) };
        // 10 s spent and 150 s to come, where 2 * 60 + 10 are allowed.
        assert_eq!(pledge.estimate(Some(&slower), false, at(10.0)), Some(510.0));
        let setback = Valuation { time: 170.0, ..left(50.0) };
        assert_eq!(pledge.estimate(Some(&setback), true, at(11.0)), Some(520.0), "it cost 20 s");
    }

    #[test]
    fn a_robot_that_learns_that_it_is_slow_does_not_get_more_time_for_the_next_item() {
        let mut pledge = pledge();
        pledge.estimate(Some(&left(1.0)), false, at(59.0));
        // The next item is planned to take as long as the first one; by now the robot expects three times that.
        let next = Valuation { time: 180.0, ..left(60.0) };
        assert_eq!(
            pledge.estimate(Some(&next), false, at(60.0)),
            Some(480.0),
            "120 s more, 60 s of them slack"
        );
        assert!(pledge.margin(at(60.0)) < 0.0);
    }

    #[test]
    fn a_momentary_impossibility_is_waited_out() {
        let mut pledge = pledge();
        assert_eq!(pledge.broken(None, 2.0, at(1.0)), None);
        assert_eq!(pledge.broken(Some(540.0), 2.0, at(2.0)), None);
        assert_eq!(pledge.broken(None, 2.0, at(3.0)), None);
        assert!(pledge.broken(None, 2.0, at(5.5)).is_some());
    }
}
