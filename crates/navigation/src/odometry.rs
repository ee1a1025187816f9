//! Dead reckoning, corrected by noisy readings of position and heading: an extended Kalman filter.
//!
//! How much a reading counts follows from its noise and from how uncertain dead reckoning has become since the last one. So the
//! estimate depends neither on how often the robot looks nor on a gain that suits one kind of sensor.

use crewlab_onboard::geometry::{Pose, Vec2, vec2, wrap};
use crewlab_onboard::{Datasheet, Speeds};
use serde::{Deserialize, Serialize};

/// A robot that is farther than this from where it should be ... [m]
const CARRIED: f64 = 0.5;
/// ... and by more than this many standard deviations was put somewhere else.
const UNLIKELY: f64 = 6.0;
/// What dead reckoning loses by itself, because wheels slip and bodies are pushed. [m²/s], [rad²/s]
const DRIFT: [f64; 2] = [5e-4, 4e-4];
/// Variance of what a drive delivers, as a share of what is asked: at first and at most, and what it grows by. [1], [1/s]
const WEAR: (f64, f64) = (0.04, 0.002);
/// No drive delivers more than this share of what is asked.
const MOST_DELIVERED: f64 = 1.5;
/// No reading is trusted more than this: datasheets are optimistic. [m], [rad]
const LEAST: [f64; 2] = [0.01, 0.02];

/// Standard deviation of a device's noise: as a share of the value, and independent of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Noise {
    relative: f64,
    absolute: f64,
}

impl Noise {
    fn of(datasheet: &Datasheet, sensor: &str) -> Noise {
        let sheet = datasheet.sensor(sensor).map(|id| &datasheet.sensors[usize::from(id.0)]);
        sheet.map_or(Noise::default(), |s| Noise { relative: s.relative_noise, absolute: s.absolute_noise })
    }

    fn variance(&self, value: f64, least: f64) -> f64 {
        let relative = self.relative * value;
        relative * relative + self.absolute * self.absolute + least * least
    }
}

/// Components of the state: x, y, heading, and what the drive makes of the speeds that are asked of it, driving and turning: less
/// than one if it is worn, on soft ground or blocked. Without these two a slow drive would bend the estimate, and with it the map.
const STATE: usize = 5;

/// A robot's estimate of its pose.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Odometry {
    pose: Option<Pose>,
    /// What the drive makes of the speeds that are asked of it, as a share of them.
    delivers: [f64; 2],
    /// Covariance of the state.
    doubt: [[f64; STATE]; STATE],
    /// What was last asked of the drive.
    asked: Speeds,
    position: Noise,
    compass: Noise,
    /// Noise of the drive, as a share of the speeds.
    drive: f64,
}

impl Odometry {
    /// The odometry of a robot with this equipment.
    pub fn new(datasheet: &Datasheet) -> Odometry {
        let drive = datasheet.effector("drive").map(|id| &datasheet.effectors[usize::from(id.0)]);
        Odometry {
            pose: None,
            delivers: [1.0; 2],
            doubt: [[0.0; STATE]; STATE],
            asked: (0.0, 0.0),
            position: Noise::of(datasheet, "position"),
            compass: Noise::of(datasheet, "compass"),
            drive: drive.map_or(0.0, |sheet| sheet.relative_noise),
        }
    }

    /// The latest estimate; `None` before the first reading.
    pub fn pose(&self) -> Option<Pose> {
        self.pose
    }

    /// Records the command to the drive.
    pub fn ask(&mut self, speeds: Speeds) {
        self.asked = speeds;
    }

    /// Dead reckoning over `dt` seconds, corrected by new readings of position and heading, where there are some.
    pub fn update(&mut self, position: Option<Vec2>, heading: Option<f64>, dt: f64) {
        let Some(before) = self.pose else {
            if let (Some(position), Some(heading)) = (position, heading) {
                self.start(Pose { position, heading });
            }
            return;
        };
        let expected = self.reckon(before, dt);
        let reading = Pose {
            position: position.unwrap_or(expected.position),
            heading: heading.unwrap_or(expected.heading),
        };
        let noise = self.noise(&reading, &expected);
        if self.carried(reading.position.distance(expected.position), noise) {
            return self.start(reading);
        }
        let [driving, turning] = self.delivers;
        let mut state = [expected.position.x, expected.position.y, expected.heading, driving, turning];
        if let Some(position) = position {
            self.correct(0, noise[0], position.x - state[0], &mut state);
            self.correct(1, noise[1], position.y - state[1], &mut state);
        }
        if let Some(heading) = heading {
            self.correct(2, noise[2], wrap(heading - state[2]), &mut state);
        }
        self.pose = Some(Pose { position: vec2(state[0], state[1]), heading: wrap(state[2]) });
        self.delivers = [state[3], state[4]].map(|share| share.clamp(0.0, MOST_DELIVERED));
    }

    /// True if noise cannot explain that a position is this far off. [m]
    fn carried(&self, off: f64, noise: [f64; 3]) -> bool {
        let spread = self.doubt[0][0] + self.doubt[1][1] + noise[0] + noise[1];
        off > CARRIED && off * off > UNLIKELY * UNLIKELY * spread
    }

    /// Starts anew where a reading says.
    fn start(&mut self, reading: Pose) {
        let [x, y, heading] = self.noise(&reading, &reading);
        self.doubt = [[0.0; STATE]; STATE];
        for (place, doubt) in [x, y, heading, WEAR.0, WEAR.0].into_iter().enumerate() {
            self.doubt[place][place] = doubt;
        }
        self.pose = Some(reading);
    }

    /// Variances of the noise of a reading. The noise belongs to the true value, which is near the reading and the expectation.
    fn noise(&self, reading: &Pose, expected: &Pose) -> [f64; 3] {
        let most = |a: f64, b: f64| a.abs().max(b.abs());
        [
            self.position.variance(most(reading.position.x, expected.position.x), LEAST[0]),
            self.position.variance(most(reading.position.y, expected.position.y), LEAST[0]),
            self.compass.variance(most(reading.heading, expected.heading), LEAST[1]),
        ]
    }

    /// Dead reckoning over `dt` seconds; its uncertainty grows.
    fn reckon(&mut self, before: Pose, dt: f64) -> Pose {
        let asked = [self.asked.0 * dt, self.asked.1 * dt];
        let [way, turn] = [asked[0] * self.delivers[0], asked[1] * self.delivers[1]];
        let along = Vec2::unit(before.heading + turn / 2.0);
        // A wrong heading carries the robot sideways: d(x, y)/d(heading). So does a wrong turn, half as much.
        let sideways = [-along.y * way, along.x * way];
        // How x, y and heading depend on heading and on what the drive delivers.
        let depends = [
            [sideways[0], along.x * asked[0], sideways[0] * asked[1] / 2.0],
            [sideways[1], along.y * asked[0], sideways[1] * asked[1] / 2.0],
            [0.0, 0.0, asked[1]],
        ];
        let gained = |on: [f64; 3], doubt: [f64; 3]| on[0] * doubt[0] + on[1] * doubt[1] + on[2] * doubt[2];
        for row in &mut self.doubt {
            let doubt = [row[2], row[3], row[4]];
            for (value, on) in row.iter_mut().zip(depends) {
                *value += gained(on, doubt);
            }
        }
        for column in 0..STATE {
            let doubt = [self.doubt[2][column], self.doubt[3][column], self.doubt[4][column]];
            for (row, on) in depends.into_iter().enumerate() {
                self.doubt[row][column] += gained(on, doubt);
            }
        }
        let (blurred_way, blurred_turn) = (self.drive * way, self.drive * turn);
        self.doubt[0][0] += blurred_way * blurred_way + DRIFT[0] * dt;
        self.doubt[1][1] += blurred_way * blurred_way + DRIFT[0] * dt;
        self.doubt[2][2] += blurred_turn * blurred_turn + DRIFT[1] * dt;
        for place in 3..STATE {
            // A robot that stands learns nothing about its drive, but the drive does not become any worse.
            self.doubt[place][place] = (self.doubt[place][place] + WEAR.1 * dt).min(WEAR.0);
        }
        Pose { position: before.position + along * way, heading: wrap(before.heading + turn) }
    }

    /// Corrects the state by one measured component, which is `error` larger than expected.
    fn correct(&mut self, place: usize, noise: f64, error: f64, state: &mut [f64; STATE]) {
        let row = self.doubt[place];
        let spread = (row[place] + noise).max(1e-12);
        for (i, value) in state.iter_mut().enumerate() {
            let gain = self.doubt[i][place] / spread;
            *value += gain * error;
            for (j, doubt) in self.doubt[i].iter_mut().enumerate() {
                *doubt -= gain * row[j];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_onboard::{EffectorSheet, SensorSheet, Stream, StreamKind};

    /// A robot whose position and compass are noisy by this share, and by this many metres and radians.
    fn datasheet(relative_noise: f64, absolute_noise: f64) -> Datasheet {
        let sensor = |name: &str, absolute_noise: f64| SensorSheet {
            relative_noise,
            absolute_noise,
            name: name.into(),
            ..SensorSheet::default()
        };
        let drive = EffectorSheet {
            name: "drive".into(),
            kind: "drive".into(),
            range: 0.0,
            colour: String::new(),
            relative_noise: 0.2,
        };
        Datasheet {
            radius: 0.2,
            max_speed: 0.5,
            max_turn: 3.0,
            sensors: vec![sensor("position", absolute_noise), sensor("compass", absolute_noise)],
            effectors: vec![drive],
            further: Vec::new(),
        }
    }

    /// Mean error of the estimated and of the raw position over 200 s of driving in circles, with one reading per `dt` seconds and a
    /// drive that delivers this share of what is asked. [m]
    fn errors(relative: f64, absolute: f64, dt: f64, delivers: f64) -> (f64, f64) {
        let mut random = Stream::new(1, StreamKind::Sensors, 0, 0);
        let mut odometry = Odometry::new(&datasheet(relative, absolute));
        let (mut pose, mut sum, mut raw) = (Pose::new(8.0, 5.0, 0.0), 0.0, 0.0);
        let count = (200.0 / dt) as u32;
        for _ in 0..count {
            let mut noisy = |value: f64| value + (relative * value + absolute) * random.normal();
            let position = vec2(noisy(pose.position.x), noisy(pose.position.y));
            let heading = wrap(noisy(pose.heading));
            odometry.update(Some(position), Some(heading), dt);
            sum += odometry.pose().map_or(f64::NAN, |guess| guess.position.distance(pose.position));
            raw += position.distance(pose.position);
            odometry.ask((0.4, 1.3));
            let mut driven = |speed: f64| delivers * speed * dt * (1.0 + 0.2 * random.normal());
            let (way, turn) = (driven(0.4), driven(1.3));
            pose.position += Vec2::unit(pose.heading + turn / 2.0) * way;
            pose.heading = wrap(pose.heading + turn);
        }
        (sum / f64::from(count), raw / f64::from(count))
    }

    #[test]
    fn noise_is_averaged_whatever_the_tick() {
        for dt in [0.02, 0.1, 0.5] {
            let (error, raw) = errors(0.0, 0.04, dt, 1.0);
            assert!(error < 0.8 * raw, "{dt}: {error} of {raw}");
        }
    }

    /// 20 % of the coordinates and of the heading. Fewer readings average less, so the longest tick sets the bound.
    #[test]
    fn noise_that_is_a_share_of_the_coordinates_is_averaged_too() {
        for dt in [0.02, 0.1, 0.5] {
            let (error, raw) = errors(0.2, 0.0, dt, 1.0);
            assert!(error < raw / 3.0, "{dt}: {error} of {raw}");
        }
    }

    /// With an estimate that believes the drive, the mean error is several times as large.
    #[test]
    fn a_drive_that_delivers_less_than_is_asked_does_not_bend_the_estimate() {
        for (dt, share) in [(0.05, 0.5), (0.1, 0.25), (0.5, 0.5)] {
            let (error, raw) = errors(0.0, 0.04, dt, share);
            assert!(error < raw, "{dt}: {error} of {raw}");
            let (precise, _) = errors(0.0, 0.0, dt, share);
            assert!(precise < 0.02, "{dt}: {precise}");
        }
    }

    #[test]
    fn a_robot_that_was_moved_starts_again() {
        let mut odometry = Odometry::new(&datasheet(0.0, 0.04));
        odometry.update(None, Some(0.0), 0.1);
        assert_eq!(odometry.pose(), None, "half a pose is none");
        odometry.update(Some(vec2(0.0, 0.0)), Some(0.0), 0.1);
        odometry.update(Some(vec2(3.0, 4.0)), Some(0.0), 0.1);
        assert_eq!(odometry.pose().map(|pose| pose.position), Some(vec2(3.0, 4.0)));
    }

    #[test]
    fn without_readings_the_drive_is_believed() {
        let mut odometry = Odometry::new(&datasheet(0.0, 0.04));
        odometry.update(Some(vec2(1.0, 1.0)), Some(0.0), 0.1);
        odometry.ask((0.5, 0.0));
        for _ in 0..20 {
            odometry.update(None, None, 0.1);
        }
        let pose = odometry.pose().expect("a pose");
        assert!(pose.position.distance(vec2(2.0, 1.0)) < 1e-9, "{pose:?}");
    }
}
