//! The receiving side of a node: the frames that arrive, and the one it is decoding.

use serde::{Deserialize, Serialize};

/// Negative logarithm of a probability that counts as zero.
const HOPELESS: f64 = 40.0;

/// A frame arriving at a node.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Arrival {
    /// Its index among the frames on the air.
    pub(super) frame: u32,
    /// Received power. [mW]
    pub(super) power: f64,
}

/// The frame that a node is decoding.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Lock {
    /// Its index among the frames on the air.
    pub(super) frame: u32,
    /// Received power. [mW]
    pub(super) power: f64,
    /// Time of the last change of the interference. [ns]
    since: u64,
    /// Negative logarithm of the probability that everything was decoded so far, for 200 bytes per whole frame.
    pub(super) failure: f64,
    /// Noise and interference, averaged over the time so far. [mW ns]
    pub(super) disturbed: f64,
    /// True if another frame arrived at the same time.
    pub(super) interfered: bool,
}

/// The receiving side of a node.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Ear {
    arrivals: Vec<Arrival>,
    pub(super) lock: Option<Lock>,
    /// Noise without jammers. [mW]
    pub(super) noise: f64,
    /// Noise that jammers add now. [mW]
    pub(super) jamming: f64,
    /// Time since which it is free to decode a new frame. [ns]
    pub(super) free_since: u64,
    /// When the last frame ended here. [ns]
    last_end: u64,
    /// Noise of the jammers before it last fell, and when that was. [mW, ns]
    past_jamming: (f64, u64),
}

impl Ear {
    /// Noise with jammers. [mW]
    pub(super) fn all_noise(&self) -> f64 {
        self.noise + self.jamming
    }

    /// Power of all other frames. [mW]
    pub(super) fn interference(&self, frame: u32) -> f64 {
        self.arrivals.iter().filter(|arrival| arrival.frame != frame).map(|arrival| arrival.power).sum()
    }

    /// Power of all frames. [mW]
    pub(super) fn signals(&self) -> f64 {
        self.arrivals.iter().map(|arrival| arrival.power).sum()
    }

    /// Accounts for the time since the last change. `failure` gives the loss per whole frame at a ratio of signal to
    /// noise, and the length of the frame.
    #[inline]
    pub(super) fn catch_up(&mut self, now: u64, failure: impl Fn(u32, f64) -> (f64, u64)) {
        let Some(lock) = &mut self.lock else { return };
        if now <= lock.since {
            return;
        }
        let part = (now - std::mem::replace(&mut lock.since, now)) as f64;
        // A frame that can no longer be decoded needs no further computation.
        if lock.failure < HOPELESS {
            let others: f64 =
                self.arrivals.iter().filter(|other| other.frame != lock.frame).map(|other| other.power).sum();
            let disturbance = self.noise + self.jamming + others;
            let (rate, duration) = failure(lock.frame, lock.power / disturbance);
            lock.failure += rate * part / duration.max(1) as f64;
            lock.disturbed += disturbance * part;
            lock.interfered |= others > 0.0;
        }
    }

    /// Begins to decode a frame that started some time ago.
    pub(super) fn lock_on(&mut self, frame: u32, power: f64, started: u64) {
        self.lock =
            Some(Lock { frame, power, since: started, failure: 0.0, disturbed: 0.0, interfered: false });
    }

    /// Sets the noise that jammers add from now on. [mW]
    pub(super) fn hear_jammers(&mut self, now: u64, jamming: f64) {
        if jamming < self.jamming {
            self.past_jamming = (self.jamming, now);
        }
        self.jamming = jamming;
    }

    /// The most noise that jammers added since a moment. [mW]
    pub(super) fn jamming_since(&self, start: u64) -> f64 {
        let (past, until) = self.past_jamming;
        if until > start { past.max(self.jamming) } else { self.jamming }
    }

    /// True if any other frame was on the air here since a moment.
    pub(super) fn disturbed_since(&self, start: u64, frame: u32) -> bool {
        self.free_since > start
            || self.last_end > start
            || self.lock.is_some_and(|lock| lock.frame != frame)
            || self.arrivals.iter().any(|arrival| arrival.frame != frame)
    }

    pub(super) fn begin(&mut self, frame: u32, power: f64) {
        self.arrivals.push(Arrival { frame, power });
    }

    pub(super) fn end(&mut self, now: u64, frame: u32) {
        self.last_end = now;
        if let Some(place) = self.arrivals.iter().position(|arrival| arrival.frame == frame) {
            self.arrivals.swap_remove(place);
        }
    }
}
