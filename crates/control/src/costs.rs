//! The cost map of a robot's controller, for display: blocked places, places close to obstacles, and the distance from each place
//! to the goal.

use crewlab_onboard::geometry::{Vec2, vec2};
use crewlab_onboard::{Goal, Limits, Scan};

/// Largest number of cells in a row.
const MOST_CELLS: f64 = 200.0;

/// Cost of a place that is barely free, in addition to its distance to the goal. It falls to zero at a distance of [`REACH`]. [m]
const CLOSE: f64 = 1.0;

/// Distance from blocked places within which closeness has a cost. [m]
const REACH: f64 = 0.35;

/// A square grid of cells around a robot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CostField {
    /// Size of a cell. [m]
    pub cell: f64,
    /// Cells in a row, and rows.
    pub side: usize,
    /// The robot's heading in the frame of the cells: its true heading if rows are parallel to the x axis of the world, 0 if they
    /// point straight ahead of the robot. [rad]
    pub heading: f64,
    /// Row by row, along x first, both ascending: distance to the goal plus the cost of closeness [m]; infinite where the robot
    /// cannot be.
    pub costs: Vec<f64>,
}

impl CostField {
    /// The centre of a cell relative to the robot's centre, in the frame of the cells. [m]
    pub fn place(&self, column: usize, row: usize) -> Vec2 {
        let middle = |n: usize| (n as f64 + 0.5 - self.side as f64 / 2.0) * self.cell;
        vec2(middle(column), middle(row))
    }

    /// The cost of a place given as by [`CostField::place`]; `None` outside the field.
    pub fn at(&self, place: Vec2) -> Option<f64> {
        let index = |x: f64| {
            let index = (x / self.cell + self.side as f64 / 2.0).floor();
            (index >= 0.0 && index < self.side as f64).then_some(index as usize)
        };
        self.costs.get(index(place.y)? * self.side + index(place.x)?).copied()
    }
}

/// The costs of places around a robot, as far as its scanner sees, up to `half` metres to each side. A place is blocked if the
/// robot's body with its `margin` (that of the controller in use) would cover a point that the scanner saw: the corridors of
/// controllers consist of such places. Without a goal, only closeness has a cost.
pub fn cost_field(
    scan: &Scan,
    (limits, margin): (&Limits, f64),
    goal: Option<Goal>,
    heading: f64,
    cell: f64,
    half: f64,
) -> CostField {
    let side = (2.0 * half / cell).round().min(MOST_CELLS);
    if !(cell > 0.0 && half > 0.0 && side >= 1.0 && heading.is_finite()) {
        return CostField::default();
    }
    let points: Vec<Vec2> = scan.points(limits.radius).collect();
    let (back, blocked) = (Vec2::unit(-heading), limits.radius + margin);
    let mut field = CostField { cell, side: side as usize, heading, costs: Vec::new() };
    field.costs.reserve(field.side * field.side);
    for row in 0..field.side {
        for column in 0..field.side {
            let place = field.place(column, row).rotated(back);
            let nearest = points.iter().map(|point| (*point - place).length_squared());
            let free = nearest.fold(f64::INFINITY, f64::min).sqrt() - blocked;
            let near = CLOSE * (1.0 - free / REACH).max(0.0);
            let cost = if free < 0.0 {
                f64::INFINITY
            } else {
                near + goal.map_or(0.0, |goal| way(place, goal, half))
            };
            field.costs.push(cost);
        }
    }
    field
}

/// Distance from a place to the goal. If the goal is only a direction, it is measured along that direction from beyond the
/// corners of the field. [m]
fn way(place: Vec2, goal: Goal, half: f64) -> f64 {
    let direction = Vec2::unit(goal.bearing);
    if goal.distance.is_finite() {
        place.distance(direction * goal.distance)
    } else {
        2.0 * half - (place.x * direction.x + place.y * direction.y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::free_direction::{FreeDirectionParams, free_bearing};
    use crewlab_onboard::{Stream, StreamKind};
    use std::f64::consts::{FRAC_PI_2, PI};

    const LIMITS: Limits = Limits { radius: 0.2, max_speed: 0.5, max_turn: PI };
    const MARGIN: f64 = 0.06;
    const AHEAD: Goal = Goal { bearing: 0.0, distance: 2.0 };

    fn field(obstacles: &[(f64, f64)], goal: Option<Goal>, heading: f64) -> CostField {
        let angles: Vec<f64> = obstacles.iter().map(|o| o.0).collect();
        let ranges: Vec<f64> = obstacles.iter().map(|o| o.1).collect();
        let scan = Scan::new(&angles, &ranges, 1.5);
        cost_field(&scan, (&LIMITS, MARGIN), goal, heading, 0.1, 1.5)
    }

    /// The field as text: `#` blocked, `+` close, `.` free; y grows upwards.
    fn picture(field: &CostField) -> Vec<String> {
        let sign = |cost: &f64| match cost {
            cost if cost.is_infinite() => '#',
            cost if *cost > 0.0 => '+',
            _ => '.',
        };
        field.costs.chunks(field.side).rev().map(|row| row.iter().map(sign).collect()).collect()
    }

    #[test]
    fn a_seen_point_blocks_a_disc_around_it() {
        let scan = Scan::new(&[0.0, PI], &[0.6, 1.5], 1.5);
        let field = cost_field(&scan, (&LIMITS, MARGIN), None, 0.0, 0.2, 1.4);
        #[rustfmt::skip]
        assert_eq!(picture(&field), [
            "..............",
            "..............",
            "..............",
            "..............",
            ".........++++.",
            "........++++++",
            "........++##++",
            "........++##++",
            "........++++++",
            ".........++++.",
            "..............",
            "..............",
            "..............",
            "..............",
        ]);
    }

    #[test]
    fn costs_fall_towards_the_goal_and_rise_towards_obstacles() {
        let free = field(&[], Some(AHEAD), 0.0);
        assert!((free.at(vec2(1.0, 0.0)).unwrap() - 1.0).abs() < 0.1);
        assert!(free.at(vec2(1.0, 0.0)) < free.at(vec2(0.0, 0.0)));
        assert!(free.at(vec2(0.0, 0.0)) < free.at(vec2(-1.0, 0.0)));
        assert_eq!(free.at(vec2(9.0, 0.0)), None);
        let seen = field(&[(0.0, 0.6)], Some(AHEAD), 0.0);
        let (beside, far) = (vec2(0.8, 0.35), vec2(0.8, 1.2));
        assert!(seen.at(beside).unwrap() > free.at(beside).unwrap() + 0.5);
        assert_eq!(seen.at(far), free.at(far));
    }

    #[test]
    fn the_field_turns_with_the_frame_and_not_with_the_robot() {
        // The robot looks along y: the area ahead of it lies there.
        let field = field(&[(0.0, 0.6)], Some(AHEAD), FRAC_PI_2);
        assert_eq!(field.at(vec2(0.0, 0.8)), Some(f64::INFINITY));
        assert!(field.at(vec2(0.8, 0.0)).unwrap().is_finite());
        assert!(field.at(vec2(0.0, 1.45)).unwrap() < field.at(vec2(1.45, 0.0)).unwrap());
    }

    #[test]
    fn a_direction_alone_is_a_goal_too() {
        let field = field(&[], Some(Goal { bearing: PI, distance: f64::INFINITY }), 0.0);
        assert!(field.costs.iter().all(|cost| cost.is_finite() && *cost >= 0.0));
        assert!(field.at(vec2(-1.0, 0.0)) < field.at(vec2(1.0, 0.0)));
    }

    #[test]
    fn invalid_input_gives_an_empty_field() {
        let scan = Scan::new(&[], &[], 0.0);
        for (heading, cell, half) in
            [(0.0, 0.0, 1.0), (0.0, -1.0, 1.0), (f64::NAN, 0.1, 1.0), (0.0, 0.1, f64::NAN), (0.0, 0.1, 0.0)]
        {
            let field = cost_field(&scan, (&LIMITS, MARGIN), None, heading, cell, half);
            assert_eq!(field, CostField::default(), "{heading} {cell} {half}");
        }
        let huge = cost_field(&scan, (&LIMITS, MARGIN), None, 0.0, 1e-9, 1e9);
        assert_eq!(huge.costs.len(), 200 * 200);
    }

    /// On a path that the steering considers free, the body covers no detected point, except those that the steering ignores: beside
    /// or behind the robot, or too far away.
    #[test]
    fn corridors_of_the_steering_are_free_cells() {
        let mut random = Stream::new(1, StreamKind::Decisions, 0, 0);
        let params = FreeDirectionParams::default();
        let (mut ways, mut free) = (0, 0);
        for _ in 0..300 {
            let count = 1 + random.below(20);
            let angles: Vec<f64> = (0..count).map(|_| random.between(-PI, PI)).collect();
            let ranges: Vec<f64> = (0..count).map(|_| random.between(0.0, 1.4)).collect();
            let scan = Scan::new(&angles, &ranges, 1.5);
            let goal = Goal { bearing: random.between(-PI, PI), distance: 2.0 };
            let Some(bearing) = free_bearing(&params, goal, &scan, &LIMITS) else { continue };
            let field = cost_field(&scan, (&LIMITS, params.margin), Some(goal), 0.0, 0.01, 0.5);
            for step in 0..=20 {
                let place = Vec2::unit(bearing) * (f64::from(step) * 0.02);
                let unseen = scan.points(LIMITS.radius).any(|point| {
                    let ahead = point.rotated(Vec2::unit(-bearing)).x;
                    let covered = point.distance(place) - LIMITS.radius - params.margin;
                    let not_looked_at = ahead <= 0.05 || ahead >= LIMITS.radius + 0.25;
                    // The middle of the cell is up to 0.71 cells away.
                    covered.abs() < 0.008 || (covered < 0.0 && not_looked_at)
                });
                let cost = field.at(place).expect("within the field");
                assert!(cost.is_finite() || unseen, "{bearing}, step {step}: {scan:?}");
                free += usize::from(cost.is_finite());
            }
            ways += 21;
        }
        assert!(ways > 21 * 200 && free > ways / 2, "{free} of {ways} places are free");
    }
}
