//! The effect of a jammer on a channel, and its timing.

use crate::Jammer;

impl Jammer {
    /// Share of its power that falls into the channel of this width [Hz] around this frequency [Hz].
    pub fn share(&self, frequency: f64, bandwidth: f64) -> f64 {
        let Some([one, other]) = self.band else { return 1.0 };
        let (low, high) = (one.min(other), one.max(other));
        let (bottom, top) = (frequency - bandwidth / 2.0, frequency + bandwidth / 2.0);
        if high > low {
            ((high.min(top) - low.max(bottom)) / (high - low)).max(0.0)
        } else {
            // A single tone is in the channel or not.
            f64::from(u8::from(bottom <= low && low <= top))
        }
    }

    /// True if it is on at a time [ns]. Every period begins with its burst.
    pub fn is_on(&self, now: u64) -> bool {
        let (on, period) = self.burst();
        now % period < on
    }

    /// The first time after this one [ns] at which it goes on or off; `None` if it never does. [ns]
    pub fn next_switch(&self, now: u64) -> Option<u64> {
        let (on, period) = self.burst();
        if on == 0 || on >= period {
            return None;
        }
        let phase = now % period;
        (now - phase).checked_add(if phase < on { on } else { period })
    }

    /// Length of a burst and of a period, which is at least 1. [ns]
    fn burst(&self) -> (u64, u64) {
        let period = ((self.period * 1e9).round() as u64).max(1);
        let on = (self.duty_cycle.clamp(0.0, 1.0) * period as f64).round() as u64;
        (on, period)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn jammer(duty_cycle: f64, period: f64) -> Jammer {
        Jammer { position: [0.0, 0.0], power: 20.0, band: None, duty_cycle, period }
    }

    #[test]
    fn only_what_falls_into_the_channel_counts() {
        let share = |low, high| Jammer { band: Some([low, high]), ..jammer(1.0, 1.0) }.share(2.4e9, 20e6);
        assert_eq!(jammer(1.0, 1.0).share(2.4e9, 20e6), 1.0);
        assert_eq!(share(2.395e9, 2.405e9), 1.0);
        assert_eq!(share(2.38e9, 2.42e9), 0.5);
        assert_eq!(share(2.405e9, 2.425e9), 0.25);
        assert_eq!(share(5.0e9, 5.1e9), 0.0);
        assert_eq!(share(2.4e9, 2.4e9), 1.0);
        assert_eq!(share(2.5e9, 2.5e9), 0.0);
    }

    #[test]
    fn bursts_come_at_the_start_of_every_period() {
        let jammer = jammer(0.25, 1e-6);
        assert!(jammer.is_on(0) && jammer.is_on(249) && !jammer.is_on(250) && !jammer.is_on(999));
        assert!(jammer.is_on(5_000_000));
        assert_eq!(jammer.next_switch(0), Some(250));
        assert_eq!(jammer.next_switch(250), Some(1000));
        assert_eq!(jammer.next_switch(999), Some(1000));
        assert_eq!(jammer.next_switch(1000), Some(1250));
    }

    #[test]
    fn some_never_switch() {
        for (duty_cycle, on) in [(1.0, true), (2.0, true), (0.0, false), (-1.0, false), (f64::NAN, false)] {
            for period in [1.0, 0.0, -1.0, f64::NAN, f64::INFINITY] {
                let jammer = jammer(duty_cycle, period);
                assert_eq!((jammer.is_on(12345), jammer.next_switch(12345)), (on, None), "{jammer:?}");
            }
        }
        assert_eq!(jammer(0.5, 1e9).next_switch(u64::MAX - 1), None);
    }

    proptest! {
        #[test]
        fn it_stays_as_it_is_until_the_next_switch(duty in 0.0..1.0f64, period in 1e-8..1e-5f64, now in 0..100_000u64) {
            let jammer = jammer(duty, period);
            if let Some(next) = jammer.next_switch(now) {
                prop_assert!(next > now);
                prop_assert!((now..next).all(|t| jammer.is_on(t) == jammer.is_on(now)));
                prop_assert_ne!(jammer.is_on(next), jammer.is_on(now));
            }
        }
    }
}
