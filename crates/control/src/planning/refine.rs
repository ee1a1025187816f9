//! The backward pass of C-PBP: Gaussian smoothing over the walkers' transitions. From the mean final state it asks backwards which
//! state and control led there, by weighted linear regression.

use super::History;
use super::unicycle::Control;
use super::walkers::{LANES, Lanes, sum};

/// ε, which keeps the regression solvable where all walkers are in one place. [m²]
const RIDGE: f32 = 1e-3;

/// Refined controls from the last step to the first; `None` from where there is nothing to smooth.
pub(super) fn refine(history: &History, width: usize, mut found: impl FnMut(usize, Option<Control>)) {
    let steps = history.speed.len() / width.max(1);
    let mut target: Option<[f32; 3]> = None;
    for step in (0..steps).rev() {
        let row = step * width..(step + 1) * width;
        let weights = &history.weights[row.clone()];
        let after = [
            &history.after.x[row.clone()],
            &history.after.y[row.clone()],
            &history.after.heading[row.clone()],
        ];
        let mut mean = [0.0; 3];
        for (mean, list) in mean.iter_mut().zip(after) {
            let mut sums = [0.0; LANES];
            for (values, weights) in list.iter().zip(weights) {
                for i in 0..LANES {
                    sums[i] += weights[i] * values[i];
                }
            }
            *mean = sum(&sums);
        }
        // The pass begins at the weighted mean of the final states.
        let wanted = *target.get_or_insert(mean);
        let gain = solve(covariance(after, weights, mean), std::array::from_fn(|d| wanted[d] - mean[d]));
        let Some(gain) = gain else {
            target = None;
            found(step, None);
            continue;
        };
        // μ + Σ_xu,x' g is a mean with the weights w (1 + (x' - μ') g).
        let before = [
            &history.before.x[row.clone()],
            &history.before.y[row.clone()],
            &history.before.heading[row.clone()],
        ];
        let (speed, turn) = (&history.speed[row.clone()], &history.turn[row]);
        let mut sums = [[0.0; LANES]; 5];
        for block in 0..width {
            for i in 0..LANES {
                let along = (after[0][block][i] - mean[0]) * gain[0]
                    + (after[1][block][i] - mean[1]) * gain[1]
                    + (after[2][block][i] - mean[2]) * gain[2];
                let weight = weights[block][i] * (1.0 + along);
                sums[0][i] += weight * before[0][block][i];
                sums[1][i] += weight * before[1][block][i];
                sums[2][i] += weight * before[2][block][i];
                sums[3][i] += weight * speed[block][i];
                sums[4][i] += weight * turn[block][i];
            }
        }
        let [x, y, heading, speed, turn] = sums.map(|sums| sum(&sums));
        target = Some([x, y, heading]);
        found(step, Some(Control { speed, turn }));
    }
}

/// xx, yy, hh, xy, xh, yh.
fn covariance([x, y, heading]: [&[Lanes]; 3], weights: &[Lanes], mean: [f32; 3]) -> [f32; 6] {
    let mut sums = [[0.0; LANES]; 6];
    for (((x, y), heading), weights) in x.iter().zip(y).zip(heading).zip(weights) {
        for i in 0..LANES {
            let (dx, dy, dh) = (x[i] - mean[0], y[i] - mean[1], heading[i] - mean[2]);
            let (wx, wy, wh) = (weights[i] * dx, weights[i] * dy, weights[i] * dh);
            sums[0][i] += wx * dx;
            sums[1][i] += wy * dy;
            sums[2][i] += wh * dh;
            sums[3][i] += wx * dy;
            sums[4][i] += wx * dh;
            sums[5][i] += wy * dh;
        }
    }
    sums.map(|sums| sum(&sums))
}

/// (Σ + εI)⁻¹ d by Cramer's rule; `None` if it is not finite.
fn solve([xx, yy, hh, xy, xh, yh]: [f32; 6], d: [f32; 3]) -> Option<[f32; 3]> {
    let [xx, yy, hh] = [xx + RIDGE, yy + RIDGE, hh + RIDGE].map(f64::from);
    let [xy, xh, yh] = [xy, xh, yh].map(f64::from);
    let d = d.map(f64::from);
    let (a, b, c) = (yy * hh - yh * yh, xh * yh - xy * hh, xy * yh - xh * yy);
    let (e, f, g) = (xx * hh - xh * xh, xy * xh - xx * yh, xx * yy - xy * xy);
    let per_determinant = 1.0 / (xx * a + xy * b + xh * c);
    let solved =
        [a * d[0] + b * d[1] + c * d[2], b * d[0] + e * d[1] + f * d[2], c * d[0] + f * d[1] + g * d[2]];
    let solved = solved.map(|value| (value * per_determinant) as f32);
    solved.iter().all(|value| value.is_finite()).then_some(solved)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_solution_satisfies_the_equations() {
        let matrix = [2.0, 3.0, 1.0, 0.5, 0.2, -0.4];
        let wanted = [1.0, -2.0, 0.5];
        let [x, y, h] = solve(matrix, wanted).expect("a solution");
        let [xx, yy, hh, xy, xh, yh] = matrix;
        let got = [
            (xx + RIDGE) * x + xy * y + xh * h,
            xy * x + (yy + RIDGE) * y + yh * h,
            xh * x + yh * y + (hh + RIDGE) * h,
        ];
        assert!(got.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-5), "{got:?}");
        assert_eq!(solve([f32::NAN; 6], wanted), None);
    }
}
