//! A scan in the robot's frame, as the filter uses it.

use crewlab_onboard::Scan;
use crewlab_onboard::geometry::Vec2;

/// Echoes nearer than this are the robot itself. [m]
const NEAREST: f64 = 0.02;

/// Fewer features than this locate nothing: odometry alone counts.
const FEWEST: usize = 8;

/// A scan: x ahead, y to the left. [m]
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sweep {
    /// Where something was seen.
    pub echoes: Vec<Vec2>,
    /// Up to where rays saw nothing.
    pub open: Vec<Vec2>,
    /// The echoes thinned to about one per cell of the map: neighbouring rays that meet the same cell are no independent evidence.
    pub features: Vec<Vec2>,
}

impl Sweep {
    /// Of a scan by a robot of this radius [m], for a map of this resolution [m]. Rays that saw nothing clear the map up to
    /// `cleared`; 0: they say nothing, because glass and black surfaces return no echo either. [m]
    pub fn new(scan: &Scan, radius: f64, resolution: f64, cleared: f64) -> Sweep {
        let echoes: Vec<Vec2> = scan.ends(radius, |range| range >= NEAREST && range < scan.certain).collect();
        let features = thinned(&echoes, resolution);
        let open = if cleared > 0.0 {
            let cleared = radius + cleared.min(scan.reach);
            let missed = scan.angles.iter().zip(scan.ranges).filter(|(_, range)| **range >= scan.certain);
            missed.map(|(angle, _)| Vec2::unit(*angle) * cleared).collect()
        } else {
            Vec::new()
        };
        Sweep { echoes, open, features }
    }

    /// True if there are enough points to locate a robot by them.
    pub fn locates(&self) -> bool {
        self.features.len() >= FEWEST
    }
}

/// The middles of groups of consecutive points that are within `distance` of the group's first point.
fn thinned(points: &[Vec2], distance: f64) -> Vec<Vec2> {
    let mut groups: Vec<(Vec2, Vec2, f64)> = Vec::new();
    for &point in points {
        match groups.last_mut() {
            Some((first, sum, count)) if first.distance(point) < distance => {
                *sum += point;
                *count += 1.0;
            }
            _ => groups.push((point, point, 1.0)),
        }
    }
    groups.into_iter().map(|(_, sum, count)| sum * (1.0 / count)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_onboard::SensorSheet;
    use crewlab_onboard::geometry::vec2;

    #[test]
    fn only_echoes_count_unless_open_rays_may_clear() {
        let scan = Scan::new(&[-0.5, 0.0, 0.5], &[2.0, 10.0, f64::NAN], 10.0);
        let sweep = Sweep::new(&scan, 0.2, 0.1, 0.0);
        assert_eq!((sweep.echoes.len(), sweep.open.len()), (1, 0));
        assert!((sweep.echoes[0].length() - 2.2).abs() < 1e-12);
        let sweep = Sweep::new(&scan, 0.2, 0.1, 4.0);
        assert_eq!(sweep.open, [Vec2::unit(0.0) * 4.2]);
    }

    #[test]
    fn noise_makes_no_echo_of_a_ray_that_saw_nothing() {
        let (angles, directions) = (vec![0.0, 0.1], vec![Vec2::unit(0.0), Vec2::unit(0.1)]);
        let scanner =
            SensorSheet { angles, directions, range: 5.0, absolute_noise: 0.02, ..SensorSheet::default() };
        let sweep = Sweep::new(&Scan::of(&scanner, &[4.8, 4.95]), 0.2, 0.1, 3.0);
        assert_eq!((sweep.echoes, sweep.open), (vec![vec2(5.0, 0.0)], vec![Vec2::unit(0.1) * 3.2]));
    }

    #[test]
    fn features_are_about_one_per_cell() {
        let angles: Vec<f64> = (0..100).map(|ray| f64::from(ray) * 0.01).collect();
        let ranges = vec![1.0; 100];
        let sweep = Sweep::new(&Scan::new(&angles, &ranges, 10.0), 0.0, 0.15, 0.0);
        assert_eq!(sweep.features.len(), 7, "an arc of 1 m in steps of 0.15 m");
    }
}
