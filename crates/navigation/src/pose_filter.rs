//! Where a robot is, from noisy readings and from what was asked of its drive: a Kalman filter per coordinate that finds out by
//! itself how noisy the readings are.

use crewlab_onboard::geometry::{Pose, Vec2, vec2, wrap};
use crewlab_onboard::{Speeds, Time};
use serde::{Deserialize, Serialize};

/// Error of the drive: standard deviation as a share of the way, and of the turn.
const DRIVE_ERROR: f64 = 0.05;
/// Standard deviation of the drift per root of a second, also while the robot stands: it may be pushed. [m], [rad]
const DRIFT: f64 = 0.002;
/// Number of readings over which their noise is measured.
const MEMORY: f64 = 50.0;
/// Number of readings over which a lasting error is noticed: the robot was blocked, or carried away.
const SHORT_MEMORY: f64 = 10.0;
/// A lasting error of this many standard deviations of its mean is one.
const LASTING: f64 = 4.0;
/// A single error counts with at most this many standard deviations when the noise is measured.
const OUTLIER: f64 = 3.0;
/// A robot without readings for longer than this does not know where it is. [s]
const LOST: f64 = 5.0;

/// One coordinate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Coordinate {
    value: f64,
    /// Variance of the estimate.
    variance: f64,
    /// Measured variance of the readings.
    noise: f64,
    /// Mean of the latest errors, in standard deviations.
    lasting: f64,
    readings: u32,
}

impl Coordinate {
    /// The expected change, with its standard deviation.
    fn predict(&mut self, change: f64, deviation: f64) {
        self.value += change;
        self.variance += deviation * deviation;
    }

    /// Corrects the estimate by a reading that differs by `error` from what was expected.
    fn correct(&mut self, error: f64) {
        self.readings = self.readings.saturating_add(1);
        let expected = (self.variance + self.noise).max(1e-12);
        let deviation = expected.sqrt();
        let share = 1.0 / SHORT_MEMORY;
        self.lasting += share * (error / deviation - self.lasting);
        // The mean of white noise over this memory has the variance share / (2 - share).
        if self.lasting.abs() > LASTING * (share / (2.0 - share)).sqrt() {
            self.variance = self.variance.max(self.noise);
        }
        // At first every reading counts: nothing is known about the noise.
        let limit = if f64::from(self.readings) < SHORT_MEMORY { f64::INFINITY } else { OUTLIER * deviation };
        let clipped = error.clamp(-limit, limit);
        let rate = 1.0 / f64::from(self.readings).min(MEMORY);
        self.noise += rate * ((clipped * clipped - self.variance).max(0.0) - self.noise);
        let gain = self.variance / (self.variance + self.noise).max(1e-12);
        self.value += gain * error;
        self.variance *= 1.0 - gain;
    }
}

/// Where a robot thinks it is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PoseFilter {
    started: bool,
    x: Coordinate,
    y: Coordinate,
    heading: Coordinate,
    /// What was last asked of the drive.
    asked: Speeds,
    /// When the position and the heading were last measured.
    measured: [Time; 2],
    now: Time,
}

impl PoseFilter {
    /// The latest estimate; nothing before the first readings, or long after the last ones.
    pub fn pose(&self) -> Option<Pose> {
        let lost = self.measured.iter().any(|at| !self.now.within(*at, LOST));
        let pose = Pose { position: vec2(self.x.value, self.y.value), heading: self.heading.value };
        (self.started && !lost).then_some(pose)
    }

    /// Notes what is asked of the drive.
    pub fn ask(&mut self, speeds: Speeds) {
        self.asked = speeds;
    }

    /// Advances the estimate by `dt` seconds to `now`, and corrects it by readings that were taken since.
    pub fn update(
        &mut self,
        position: Option<(Vec2, Time)>,
        heading: Option<(f64, Time)>,
        now: Time,
        dt: f64,
    ) {
        self.now = now;
        if !self.started {
            if let (Some((at, measured)), Some((angle, turned))) = (position, heading) {
                let known = |value| Coordinate { value, variance: 1.0, ..Coordinate::default() };
                (self.x, self.y, self.heading) = (known(at.x), known(at.y), known(angle));
                (self.measured, self.started) = ([measured, turned], true);
            }
            return;
        }
        self.predict(dt);
        let fresh = |at: Time, last: Time| at != last;
        if let Some((at, measured)) = position.filter(|(_, at)| fresh(*at, self.measured[0])) {
            self.x.correct(at.x - self.x.value);
            self.y.correct(at.y - self.y.value);
            self.measured[0] = measured;
        }
        if let Some((angle, measured)) = heading.filter(|(_, at)| fresh(*at, self.measured[1])) {
            self.heading.correct(wrap(angle - self.heading.value));
            self.heading.value = wrap(self.heading.value);
            self.measured[1] = measured;
        }
    }

    fn predict(&mut self, dt: f64) {
        let (way, turn) = (self.asked.0 * dt, self.asked.1 * dt);
        let moved = Vec2::unit(self.heading.value + turn / 2.0) * way;
        let drift = DRIFT * dt.sqrt();
        // An error of the heading becomes one of the place.
        let aside = way * self.heading.variance.sqrt().min(1.0);
        let deviation = DRIVE_ERROR * way.abs() + aside.abs() + drift;
        self.x.predict(moved.x, deviation);
        self.y.predict(moved.y, deviation);
        self.heading.predict(turn, DRIVE_ERROR * turn.abs() + drift);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_onboard::{Stream, StreamKind};

    /// Drives along the x axis at 0.5 m/s for so many ticks of 0.1 s with readings of this noise; gives the largest error after
    /// the first half.
    fn drive(noise: f64, blocked_from: u32, ticks: u32) -> f64 {
        let mut filter = PoseFilter::default();
        let mut random = Stream::new(1, StreamKind::Sensors, 0, 0);
        let (mut x, mut worst) = (10.0, 0.0_f64);
        for tick in 0..ticks {
            let now = Time::from_seconds(0.1 * f64::from(tick));
            let reading = vec2(x + noise * random.normal(), noise * random.normal());
            filter.update(Some((reading, now)), Some((0.1 * noise * random.normal(), now)), now, 0.1);
            if tick > ticks / 2 {
                let pose = filter.pose().expect("readings");
                worst = worst.max(pose.position.distance(vec2(x, 0.0)));
            }
            filter.ask((0.5, 0.0));
            x += if tick < blocked_from { 0.05 } else { 0.0 };
        }
        worst
    }

    #[test]
    fn large_noise_is_averaged_and_small_noise_is_followed() {
        assert!(drive(0.01, u32::MAX, 600) < 0.04);
        let worst = drive(2.0, u32::MAX, 600);
        assert!(worst < 1.0, "{worst}: an eighth of the largest single error, about four deviations of 2 m");
    }

    #[test]
    fn a_robot_that_is_blocked_notices_it() {
        let worst = drive(0.01, 200, 600);
        // Two steps of the drive; if it were believed, the robot would be 20 m off.
        assert!(worst < 0.1, "{worst}: the drive is not believed for ever");
    }

    #[test]
    fn a_robot_that_is_carried_away_notices_it() {
        let mut filter = PoseFilter::default();
        let mut measure = |x: f64, tick: u32| {
            let now = Time::from_seconds(0.1 * f64::from(tick));
            let noise = if tick.is_multiple_of(2) { 0.01 } else { -0.01 };
            filter.update(Some((vec2(x + noise, 0.0), now)), Some((0.0, now)), now, 0.1);
            filter.pose().expect("readings").position.x
        };
        for tick in 0..100 {
            measure(1.0, tick);
        }
        let there = (100..130).map(|tick| measure(8.0, tick)).last().expect("readings");
        assert!((there - 8.0).abs() < 0.1, "{there}");
    }

    #[test]
    fn without_readings_the_drive_is_believed_for_a_while() {
        let mut filter = PoseFilter::default();
        let at = |seconds| Time::from_seconds(seconds);
        let reading = (Some((vec2(1.0, 2.0), at(0.0))), Some((0.0, at(0.0))));
        filter.update(reading.0, reading.1, at(0.0), 0.1);
        filter.ask((0.5, 0.0));
        filter.update(reading.0, reading.1, at(2.0), 2.0);
        assert_eq!(filter.pose().map(|pose| pose.position), Some(vec2(2.0, 2.0)));
        filter.update(reading.0, reading.1, at(6.0), 4.0);
        assert_eq!(filter.pose(), None, "after that the robot is lost");
    }
}
