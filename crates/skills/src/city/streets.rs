//! The robot's map of the streets around it: what its laser sees, fused with the steps that its curb detector finds (B.3), and the
//! planner on it.

use crewlab_navigation::Place;
use crewlab_navigation::maps::{CellWindow, OccupancyGrid, fuse};
use crewlab_navigation::routes::{RoutePlanner, RouteSettings};
use crewlab_navigation::slam::{Sweep, absorb};
use crewlab_onboard::Scan;
use crewlab_onboard::geometry::{Pose, Vec2};
use serde::{Deserialize, Serialize};

/// Side of a cell. [m]
pub const CELL: f64 = 0.15;
/// Side of a cell of the grid of steps. [m]
const STEP_CELL: f64 = 0.075;
/// Cells that are occupied with at least this probability are obstacles: P_occ.
const OCCUPIED: f64 = 0.6;
/// Rays are cut at this length: farther away they are too sparse for the map. [m]
const MAPPED: f64 = 10.0;
/// Most evidence for or against an obstacle, in log-odds: people move on, kerbs do not.
const EVIDENCE: (f64, f64) = (4.0, 4.0);
/// Size of the part of the map on which routes are planned, and by how much it moves. [cells]
const WINDOW: (i32, i32) = (224, 64);
/// Distance that the robot keeps from obstacles beyond its radius. [m]
const MARGIN: f64 = 0.12;

/// How far a robot moves that stands too near to an obstacle. [m]
const WAY_OUT: f64 = 0.7;

/// The map.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Streets {
    laser: OccupancyGrid,
    steps: OccupancyGrid,
    settings: RouteSettings,
    /// A function of the grids and of where the robot is, so a snapshot need not contain it.
    #[serde(skip)]
    planner: Option<Box<RoutePlanner>>,
}

/// A scan whose rays are cut at a length, as if nothing were farther away. [m]
fn cut(scan: &Scan, length: f64, radius: f64) -> Sweep {
    Sweep::new(&Scan { certain: scan.certain.min(length), ..*scan }, radius, CELL, length)
}

impl Streets {
    /// The map of a robot of this radius that has seen nothing yet. [m]
    pub fn new(radius: f64) -> Streets {
        let settings = RouteSettings {
            radius: radius + MARGIN,
            preferred_clearance: radius + 0.25,
            sensor_range: MAPPED,
            ..RouteSettings::default()
        };
        Streets {
            laser: OccupancyGrid::new(CELL),
            steps: OccupancyGrid::new(STEP_CELL),
            settings,
            planner: None,
        }
    }

    /// Takes in a scan of the surroundings and one of the steps in the ground.
    pub fn look(&mut self, pose: &Pose, scan: &Scan, steps: &Scan, radius: f64) {
        if !scan.ranges.is_empty() {
            absorb(&mut self.laser, pose, &cut(scan, MAPPED, radius), EVIDENCE.0);
        }
        // A ray that meets no step may have been stopped by something higher: it says nothing.
        let steps = Sweep::new(steps, radius, STEP_CELL, 0.0);
        if !steps.echoes.is_empty() {
            absorb(&mut self.steps, pose, &steps, EVIDENCE.1);
        }
    }

    /// The cells around a place on which routes are planned.
    fn window(&self, around: Vec2) -> CellWindow {
        let (size, step) = WINDOW;
        let middle = self.laser.place(around);
        let low = |cell: i32| (cell - size / 2).div_euclid(step) * step;
        let side = (size + step) as usize;
        CellWindow { low: (low(middle.0), low(middle.1)), columns: side, rows: side }
    }

    /// Plans anew with what is known around a place; `None` if there is no such map.
    pub fn refresh(&mut self, around: Vec2) -> Option<&mut RoutePlanner> {
        let grid = fuse(&self.laser, &self.steps, self.window(around), OCCUPIED).ok()?;
        match &mut self.planner {
            Some(planner) => planner.update(&grid),
            None => self.planner = Some(Box::new(RoutePlanner::new(self.settings, grid))),
        }
        self.planner.as_deref_mut()
    }

    /// True if a path is known from one place to another.
    pub fn leads(&mut self, from: Vec2, to: Vec2) -> bool {
        self.planner.as_mut().is_some_and(|planner| planner.plan(from, to).is_ok())
    }

    /// For a robot that stands too near to an obstacle: a place away from it.
    pub fn way_out(&self, from: Vec2) -> Option<Vec2> {
        let space = self.planner.as_ref()?.space();
        let departure = space.depart(from).ok().filter(|departure| departure.escape)?;
        let way = space.point(departure.spot) - from;
        (way.length() > 1e-6).then(|| from + way * (WAY_OUT / way.length()))
    }

    /// The planner with the last map.
    pub fn planner(&self) -> Option<&RoutePlanner> {
        self.planner.as_deref()
    }

    /// The probabilities of the cells in a square around a place, row by row; `None` for those that were never seen. [m]
    pub fn around(&self, middle: Vec2, side: f64) -> (Place, Vec<Option<f64>>) {
        let half = (side / CELL / 2.0) as i32;
        let at = self.laser.place(middle);
        let low = (at.0 - half, at.1 - half);
        let places = (0..2 * half).flat_map(|row| (0..2 * half).map(move |column| (column, row)));
        // Most cells have as much evidence as their neighbour: all that counts.
        let (mut same, mut known) = (0.0, 0.5);
        let cell = |(column, row): Place| {
            let place = (low.0 + column, low.1 + row);
            let log_odds = self.laser.log_odds(place)?;
            if log_odds != same {
                (same, known) = (log_odds, self.laser.probability(place));
            }
            Some(known)
        };
        (low, places.map(cell).collect())
    }
}
