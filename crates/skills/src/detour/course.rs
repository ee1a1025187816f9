//! The maps of the experiment (appendix C): a loop around an obstacle, on which start and goal lie, so that a short and a long way
//! lead to the goal. Maps that are turned by 90° or 270° lie in a hall of their own, so that nothing fixed ever moves.

use crewlab_onboard::geometry::{Pose, Vec2, vec2};
use serde::{Deserialize, Serialize};

/// Size of a hall. [m]
pub const HALL: (f64, f64) = (10.88, 6.8);
/// Width of the corridor around the obstacle. [m]
pub const CORRIDOR: f64 = 2.0;
/// Thickness of the wall between the two halls. [m]
pub const WALL: f64 = 1.0;
/// Length of the short way. [m]
const SHORT: f64 = 9.12;
/// Where the start lies if it is not shifted: this far before the corner where the short way begins. [m]
const BEFORE_CORNER: f64 = 0.12;
/// Distance between two waypoints. [m]
const STEP: f64 = 1.0;

/// Which way around the obstacle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Way {
    /// The short one.
    Short,
    /// The long one.
    Long,
}

impl Way {
    /// Both ways, in the order of the states of models.
    pub const ALL: [Way; 2] = [Way::Short, Way::Long];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Way::Short => "short",
            Way::Long => "long",
        }
    }

    /// The other one.
    pub fn other(self) -> Way {
        match self {
            Way::Short => Way::Long,
            Way::Long => Way::Short,
        }
    }
}

/// Numbers of objects on the short and on the long way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Ratio(pub u8, pub u8);

impl Ratio {
    /// All ratios, in the order of the states of models.
    pub const ALL: [Ratio; 5] = [Ratio(1, 5), Ratio(1, 3), Ratio(1, 1), Ratio(3, 1), Ratio(5, 1)];

    /// The number of objects on a way.
    pub fn on(self, way: Way) -> u8 {
        match way {
            Way::Short => self.0,
            Way::Long => self.1,
        }
    }

    /// Its place in the list of all.
    pub fn index(self) -> usize {
        Ratio::ALL.iter().position(|ratio| *ratio == self).unwrap_or_default()
    }

    /// As it is written, such as 3/1.
    pub fn text(self) -> String {
        format!("{}/{}", self.0, self.1)
    }
}

/// A map: where start and goal are, and how many objects there are on either way.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Course {
    /// Numbers of objects.
    pub ratio: Ratio,
    /// Start and goal change places.
    pub swapped: bool,
    /// Both are moved clockwise by this share of the short way.
    pub shift: f64,
    /// Number of clockwise quarter turns of the whole map.
    pub quarters: u8,
}

const fn course(short: u8, long: u8, swapped: bool, percent: u8, quarters: u8) -> Course {
    Course { ratio: Ratio(short, long), swapped, shift: percent as f64 / 100.0, quarters }
}

/// The twenty maps. The ratios of maps 2, 19 and 20 are lost in the text and follow from the others: each occurs four times.
pub const COURSES: [Course; 20] = [
    course(5, 1, false, 0, 0),
    course(1, 1, false, 0, 1),
    course(5, 1, false, 0, 2),
    course(1, 3, false, 0, 3),
    course(5, 1, false, 20, 0),
    course(1, 5, false, 20, 1),
    course(1, 1, false, 20, 2),
    course(1, 1, false, 20, 3),
    course(3, 1, false, 40, 0),
    course(3, 1, false, 40, 2),
    course(1, 5, false, 40, 3),
    course(1, 3, true, 0, 0),
    course(5, 1, true, 0, 1),
    course(1, 3, true, 0, 2),
    course(1, 5, true, 0, 3),
    course(3, 1, true, 20, 1),
    course(1, 5, true, 20, 3),
    course(1, 1, true, 40, 0),
    course(1, 3, true, 40, 1),
    course(3, 1, true, 40, 2),
];

impl Course {
    /// Where the robot starts, looking along the short way.
    pub fn start(&self) -> Pose {
        let (position, ahead) = self.at(Way::Short, 0.0);
        Pose { position, heading: ahead.angle() }
    }

    /// Where it has to go. [m]
    pub fn goal(&self) -> Vec2 {
        self.at(Way::Short, SHORT).0
    }

    /// Length of a way. [m]
    pub fn length(&self, way: Way) -> f64 {
        match way {
            Way::Short => SHORT,
            Way::Long => around() - SHORT,
        }
    }

    /// The point of a way after a distance, and the direction there. [m]
    pub fn at(&self, way: Way, distance: f64) -> (Vec2, Vec2) {
        let first = self.shift * SHORT - BEFORE_CORNER;
        let clockwise = (way == Way::Short) != self.swapped;
        let start = if self.swapped { first + SHORT } else { first };
        let sign = if clockwise { 1.0 } else { -1.0 };
        let (point, ahead) = on_loop(start + sign * distance);
        (self.turned(point) + self.centre(), self.turned(ahead) * sign)
    }

    /// The waypoints of a way: every metre, the corners, and the goal. [m]
    pub fn waypoints(&self, way: Way) -> Vec<Vec2> {
        let length = self.length(way);
        let mut distances: Vec<f64> =
            (1..).map(|n| f64::from(n) * STEP).take_while(|d| *d < length).collect();
        let first = self.shift * SHORT - BEFORE_CORNER;
        let start = if self.swapped { first + SHORT } else { first };
        let clockwise = (way == Way::Short) != self.swapped;
        for corner in corners() {
            let ahead = if clockwise { corner - start } else { start - corner };
            distances.push(ahead.rem_euclid(around()));
        }
        distances.push(length);
        distances.retain(|distance| *distance <= length);
        distances.sort_by(f64::total_cmp);
        distances.into_iter().map(|distance| self.at(way, distance).0).collect()
    }

    /// The middle of the hall in which the map lies. [m]
    fn centre(&self) -> Vec2 {
        hall(self.quarters % 2 == 1)
    }

    /// A vector from the middle of the unturned map. Exact, so that turned maps are the same but for rounding in the sums.
    fn turned(&self, vector: Vec2) -> Vec2 {
        match self.quarters % 4 {
            0 => vector,
            1 => vec2(vector.y, -vector.x),
            2 => vec2(-vector.x, -vector.y),
            _ => vec2(-vector.y, vector.x),
        }
    }
}

/// The middle of the hall for maps that lie, or of the one for maps that stand. [m]
pub fn hall(stands: bool) -> Vec2 {
    let (long, wide) = HALL;
    if stands { vec2(long + WALL + wide / 2.0, long / 2.0) } else { vec2(long / 2.0, wide / 2.0) }
}

/// Half the sides of the centre line. [m]
fn half() -> (f64, f64) {
    ((HALL.0 - CORRIDOR) / 2.0, (HALL.1 - CORRIDOR) / 2.0)
}

/// Distances of the corners from the north-west one, clockwise. [m]
fn corners() -> [f64; 4] {
    let (x, y) = half();
    [0.0, 2.0 * x, 2.0 * x + 2.0 * y, 4.0 * x + 2.0 * y]
}

/// Length of the loop. [m]
fn around() -> f64 {
    let (x, y) = half();
    4.0 * (x + y)
}

/// The point of the loop after a clockwise distance from its north-west corner, seen from the middle, and the direction there.
fn on_loop(distance: f64) -> (Vec2, Vec2) {
    let ((x, y), distance) = (half(), distance.rem_euclid(around()));
    let [_, east, south, west] = corners();
    if distance < east {
        (vec2(-x + distance, y), vec2(1.0, 0.0))
    } else if distance < south {
        (vec2(x, y - (distance - east)), vec2(0.0, -1.0))
    } else if distance < west {
        (vec2(x - (distance - south), -y), vec2(-1.0, 0.0))
    } else {
        (vec2(-x, -y + (distance - west)), vec2(0.0, 1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: Vec2, b: Vec2) -> bool {
        a.distance(b) < 1e-9
    }

    #[test]
    fn the_first_map_is_that_of_the_figure() {
        let map = COURSES[0];
        assert!(near(map.start().position, vec2(1.0, 5.68)), "{:?}", map.start());
        assert!(near(map.goal(), vec2(9.88, 5.68)), "{:?}", map.goal());
        assert!((map.length(Way::Long) - 18.24).abs() < 1e-9);
        // The short way leads along the north side, the long one along the south side.
        assert!(map.waypoints(Way::Short).iter().all(|point| point.y > 5.0));
        assert!(map.waypoints(Way::Long).iter().any(|point| point.y < 1.5));
    }

    #[test]
    fn each_ratio_occurs_four_times() {
        for ratio in Ratio::ALL {
            assert_eq!(COURSES.iter().filter(|map| map.ratio == ratio).count(), 4, "{ratio:?}");
        }
    }

    #[test]
    fn ways_lead_from_start_to_goal_on_the_centre_line() {
        for map in COURSES {
            for way in Way::ALL {
                let mut points = vec![map.start().position];
                points.extend(map.waypoints(way));
                let length: f64 = points.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
                assert!((length - map.length(way)).abs() < 1e-9, "{map:?} {way:?} {length}");
                assert!(near(points[points.len() - 1], map.goal()));
                assert!(points.windows(2).all(|pair| pair[0].distance(pair[1]) <= STEP + 1e-9));
            }
        }
    }

    #[test]
    fn a_turned_map_is_the_same_map() {
        let turned = Course { quarters: 1, ..COURSES[8] };
        for way in Way::ALL {
            for distance in [0.0, 0.5, 3.0, 9.0] {
                let from = COURSES[8].at(way, distance).0 - hall(false);
                let to = turned.at(way, distance).0 - hall(true);
                assert!(near(to, vec2(from.y, -from.x)));
            }
        }
    }

    #[test]
    fn swapping_exchanges_start_and_goal() {
        let (plain, swapped) = (COURSES[8], Course { swapped: true, ..COURSES[8] });
        assert!(near(plain.start().position, swapped.goal()));
        assert!(near(plain.goal(), swapped.start().position));
    }
}
