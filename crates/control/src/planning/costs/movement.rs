//! The energy of moving (SWARM equation 18): v² G ρ_T + ω² G ρ_R, with the ground's factor G at the robot's place. It depends on
//! the state, so it counts in the weights of walkers as state costs do.

use super::super::vector::{Number, clip};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The factor of the ground, on a grid. Beyond the grid that of the nearest cell holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ground {
    origin: [f32; 2],
    /// 1 over the size of a cell. [1/m]
    per_metre: f32,
    columns: usize,
    rows: usize,
    /// Row by row, along x first.
    factors: Arc<[f32]>,
}

impl Ground {
    /// The same everywhere.
    pub fn even(factor: f32) -> Ground {
        Ground { origin: [0.0; 2], per_metre: 1.0, columns: 1, rows: 1, factors: [factor].into() }
    }

    /// A grid of square cells [m] from its lowest corner [m]; `None` unless there is a factor for each cell.
    pub fn grid(origin: [f32; 2], cell: f32, columns: usize, factors: Vec<f32>) -> Option<Ground> {
        let fits = columns > 0 && !factors.is_empty() && factors.len().is_multiple_of(columns);
        let small = factors.len() < (1 << 22);
        (fits && small && cell > 0.0).then(|| {
            let rows = factors.len() / columns;
            Ground { origin, per_metre: 1.0 / cell, columns, rows, factors: factors.into() }
        })
    }

    /// The factor at a place.
    #[inline(always)]
    fn at<N: Number>(&self, [x, y]: [N; 2]) -> N {
        // Adding it leaves the whole part in the low bits.
        const ROUNDER: f32 = 8_388_608.0;
        let (columns, rows) = (self.columns as u32 as f32, self.rows as u32 as f32);
        let column = (x - self.origin[0]) * self.per_metre - 0.5;
        let column = clip(column, (0.0, columns - 1.0)) + ROUNDER - ROUNDER;
        let row = (y - self.origin[1]) * self.per_metre - 0.5;
        let row = clip(row, (0.0, rows - 1.0)) + ROUNDER - ROUNDER;
        let cell = row * columns + column + ROUNDER;
        cell.map(|cell| self.factors.get((cell.to_bits() & 0x003f_ffff) as usize).copied().unwrap_or(0.0))
    }
}

/// What moving costs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Movement {
    /// G.
    pub ground: Ground,
    /// ρ_T. [s²/m²]
    pub driving: f32,
    /// ρ_R. [s²/rad²]
    pub turning: f32,
}

impl Movement {
    /// The cost of moving at a place. [m]
    #[inline(always)]
    pub fn at<N: Number>(&self, place: [N; 2], [speed, turn]: [N; 2]) -> N {
        self.ground.at(place) * (speed * speed * self.driving + turn * turn * self.turning)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(ground: Ground, (x, y): (f32, f32), (speed, turn): (f32, f32)) -> f32 {
        Movement { ground, driving: 0.5, turning: 0.25 }.at([x, y], [speed, turn])
    }

    #[test]
    fn energy_grows_with_the_square_of_both_speeds_and_with_the_ground() {
        assert_eq!(cost(Ground::even(3.0), (5.0, 5.0), (2.0, 0.0)), 6.0);
        assert_eq!(cost(Ground::even(3.0), (5.0, 5.0), (0.0, -2.0)), 3.0);
        assert_eq!(cost(Ground::even(3.0), (5.0, 5.0), (0.0, 0.0)), 0.0);
    }

    #[test]
    fn the_ground_is_that_of_the_cell() {
        let ground = Ground::grid([-10.0, 0.0], 10.0, 3, (0..6).map(|n| n as f32).collect()).expect("a grid");
        for (at, factor) in [
            ((-5.0, 5.0), 0.0),
            ((0.1, 5.0), 1.0),
            ((9.9, 9.9), 1.0),
            ((10.1, 5.0), 2.0),
            ((-9.9, 10.1), 3.0),
            ((10.1, 19.9), 5.0),
            ((-1e6, -1e6), 0.0),
            ((1e9, 1e9), 5.0),
            ((f32::NAN, 5.0), 0.0),
        ] {
            assert_eq!(cost(ground.clone(), at, (1.0, 0.0)), 0.5 * factor, "{at:?}");
        }
        assert_eq!(Ground::grid([0.0; 2], 1.0, 2, vec![1.0; 3]), None);
        assert_eq!(Ground::grid([0.0; 2], 0.0, 1, vec![1.0; 3]), None);
        assert_eq!(Ground::grid([0.0; 2], 1.0, 0, Vec::new()), None);
    }
}
