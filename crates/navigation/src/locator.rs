//! Where a robot is that has only odometry and a range scanner: SLAM at most twice per second, odometry in between. A robot whose
//! scans stop fitting its map was carried away, or its odometry is wrong: it is lost until it finds itself on its map again.

use crate::slam::{Slam, SlamParams, Sweep};
use crewlab_onboard::geometry::Pose;
use crewlab_onboard::{Scan, Stream, Time};
use serde::{Deserialize, Serialize};

/// Time between two scans that are used. [s]
const EVERY: f64 = 0.5;
/// The same while the robot is lost: it searches its whole map. [s]
const SEARCH_EVERY: f64 = 2.0;
/// A scan of which less than this agrees with the map does not fit.
const FITS: f64 = 0.5;
/// So many scans in a row that do not fit mean that the robot is not where it believes to be.
const MISFITS: u8 = 4;
/// A scanner that has been silent for this long is dead. [s]
const SILENT: f64 = 2.0;

/// What a robot notices about its own place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    /// Its scans do not fit its map any more: it does not know where it is.
    Lost,
    /// There is no odometry: it does not know where it is.
    NoOdometry,
    /// There are no scans: odometry alone says where it is.
    NoScans,
    /// It knows again where it is.
    Located,
}

/// How well the robot knows where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum State {
    Located,
    DeadReckoning,
    Lost,
    NoOdometry,
}

/// A robot's estimate of its own pose.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Locator {
    slam: Slam,
    state: State,
    /// Where the robot believes to be.
    pose: Option<Pose>,
    /// When a scan was last used.
    scanned: Option<Time>,
    /// The number of scans in a row that did not fit.
    misfits: u8,
}

impl Locator {
    /// For a robot that has just been switched on.
    pub fn new(params: SlamParams) -> Locator {
        Locator { slam: Slam::new(params), state: State::Located, pose: None, scanned: None, misfits: 0 }
    }

    /// Takes the readings of a tick. `scan` is empty if the scanner gives no reading, `radius` is the robot's. [m]
    pub fn update(
        &mut self,
        odometry: Option<Pose>,
        scan: &Scan,
        radius: f64,
        now: Time,
        random: &mut Stream,
    ) -> Option<Notice> {
        let before = self.state;
        match odometry {
            Some(odometry) => self.advance(&odometry, scan, radius, now, random),
            None => (self.state, self.pose) = (State::NoOdometry, None),
        }
        let notice = match self.state {
            State::Located => Notice::Located,
            State::DeadReckoning => Notice::NoScans,
            State::Lost => Notice::Lost,
            State::NoOdometry => Notice::NoOdometry,
        };
        (before != self.state).then_some(notice)
    }

    fn advance(&mut self, odometry: &Pose, scan: &Scan, radius: f64, now: Time, random: &mut Stream) {
        self.slam.follow(odometry);
        let every = if self.state == State::Lost { SEARCH_EVERY } else { EVERY };
        let since = self.scanned.map(|scanned| now.since(scanned));
        if scan.ranges.is_empty() {
            if self.state != State::Lost && since.is_none_or(|since| since > SILENT) {
                self.state = State::DeadReckoning;
            }
        } else if since.is_none_or(|since| since >= every - 1e-6) {
            self.scanned = Some(now);
            let sweep = Sweep::new(scan, radius, self.slam.params().resolution, 0.0);
            self.look(odometry, &sweep, random);
        }
        let known = self.state != State::Lost;
        // Before the first scan the odometer, which people have set, is all there is.
        self.pose = known.then(|| self.slam.pose().unwrap_or(*odometry));
    }

    /// Uses a scan.
    fn look(&mut self, odometry: &Pose, sweep: &Sweep, random: &mut Stream) {
        if self.state == State::Lost {
            if self.slam.relocate(odometry, sweep) {
                (self.state, self.misfits) = (State::Located, 0);
            }
            return;
        }
        if self.slam.agreement(sweep).is_some_and(|share| share < FITS) {
            self.misfits += 1;
            if self.misfits >= MISFITS {
                self.state = State::Lost;
            }
            return;
        }
        (self.state, self.misfits) = (State::Located, 0);
        self.slam.update(odometry, sweep, random);
    }

    /// Where the robot believes to be; `None` if it does not know.
    pub fn pose(&self) -> Option<Pose> {
        self.pose
    }

    /// Typical duration of a tick, roughly. [µs]
    pub fn effort(&self) -> u32 {
        // A particle takes about 50 µs per scan, and a scan is used every five ticks.
        100 + 10 * self.slam.params().particles as u32
    }

    /// Its filter.
    pub fn slam(&self) -> &Slam {
        &self.slam
    }
}
