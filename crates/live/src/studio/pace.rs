//! The speed of a run.

use std::time::{Duration, Instant};

/// A run that lags more than this does not try to catch up. [s]
const HOPELESS: f64 = 0.25;
/// Time over which the speed is measured.
const MEASURED: Duration = Duration::from_secs(1);

/// The actual and the wanted speed of the run.
pub(super) struct Pace {
    /// Wanted speed as a multiple of real time; `None` for as fast as possible.
    pub speed: Option<f64>,
    anchor: (Instant, u64),
    measured: (Instant, u64),
    /// Simulated seconds per second, recently.
    pub factor: f64,
    /// Time spent playing.
    pub wall: Duration,
    since: Option<Instant>,
}

impl Pace {
    pub(super) fn new(speed: Option<f64>) -> Pace {
        let now = Instant::now();
        Pace { speed, anchor: (now, 0), measured: (now, 0), factor: 0.0, wall: Duration::ZERO, since: None }
    }

    /// Restarts the timing at this tick.
    pub(super) fn anchor(&mut self, tick: u64) {
        let now = Instant::now();
        (self.anchor, self.measured) = ((now, tick), (now, tick));
        self.factor = 0.0;
    }

    /// Records whether the run plays.
    pub(super) fn playing(&mut self, playing: bool) {
        let now = Instant::now();
        if let Some(since) = self.since {
            self.wall += now - since;
        }
        self.since = playing.then_some(now);
    }

    /// Time spent playing, up to now.
    pub(super) fn spent(&self) -> Duration {
        self.wall + self.since.map_or(Duration::ZERO, |since| since.elapsed())
    }

    /// The tick at which the run should be now.
    pub(super) fn due(&mut self, tick: u64, dt: f64) -> u64 {
        let Some(speed) = self.speed else { return u64::MAX };
        let now = Instant::now();
        let due = self.anchor.1 as f64 + (now - self.anchor.0).as_secs_f64() * speed / dt;
        if (due - tick as f64) * dt > HOPELESS * speed.max(1.0) + dt {
            self.anchor = (now, tick);
            return tick + 1;
        }
        due as u64
    }

    /// Time until the next tick is due.
    pub(super) fn wait(&self, tick: u64, dt: f64) -> Duration {
        let Some(speed) = self.speed else { return Duration::ZERO };
        let ahead = (tick + 1).saturating_sub(self.anchor.1) as f64 * dt / speed;
        Duration::from_secs_f64(ahead).saturating_sub(self.anchor.0.elapsed())
    }

    /// Measures how fast the run goes.
    pub(super) fn measure(&mut self, tick: u64, dt: f64, playing: bool) {
        let elapsed = self.measured.0.elapsed();
        if !playing {
            self.factor = 0.0;
            self.measured = (Instant::now(), tick);
        } else if elapsed >= MEASURED || (self.factor == 0.0 && elapsed >= MEASURED / 4) {
            self.factor = tick.saturating_sub(self.measured.1) as f64 * dt / elapsed.as_secs_f64();
            self.measured = (Instant::now(), tick);
        }
    }
}
