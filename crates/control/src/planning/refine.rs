//! The backward pass of C-PBP: Gaussian smoothing over the walkers' transitions. From the mean final state it asks backwards which
//! state and control led there, by weighted linear regression.

use super::Moment;
use super::unicycle::Control;
use super::vector::{Machine, Vector};

/// ε, which keeps the regression solvable where all walkers are in one place. [m²]
const RIDGE: f32 = 1e-3;

/// Refined controls from the last step to the first; `None` from where there is nothing to smooth.
#[inline(always)]
pub(super) fn refine<M: Machine>(
    machine: M,
    moments: &[Moment],
    width: usize,
    mut found: impl FnMut(usize, Option<Control>),
) {
    let mut target: Option<[f32; 3]> = None;
    for (step, moments) in moments.chunks_exact(width).enumerate().rev() {
        let states = Distribution::of(machine, moments);
        // The pass begins at the weighted mean of the final states.
        let wanted = *target.get_or_insert(states.mean);
        let gain = solve(states.covariance, [0, 1, 2].map(|d| wanted[d] - states.mean[d]));
        let cause = gain.map(|gain| regress(machine, moments, states.mean, gain));
        target = cause.map(|[x, y, heading, ..]| [x, y, heading]);
        found(step, cause.map(|[.., speed, turn]| Control { speed, turn }));
    }
}

/// Where the walkers are after a step.
struct Distribution {
    /// x, y and heading.
    mean: [f32; 3],
    /// xx, yy, hh, xy, xh, yh.
    covariance: [f32; 6],
}

impl Distribution {
    #[inline(always)]
    fn of<M: Machine>(machine: M, moments: &[Moment]) -> Distribution {
        let mut first = [machine.all(0.0); 3];
        for moment in moments {
            let (weights, [x, y, h]) = (machine.load(&moment.weights), machine.load_all(&moment.after));
            add(&mut first, [x * weights, y * weights, h * weights]);
        }
        let mean = sums(first);
        let mut second = [machine.all(0.0); 6];
        for moment in moments {
            let (weights, [x, y, h]) = (machine.load(&moment.weights), machine.load_all(&moment.after));
            let (x, y, h) = (x - mean[0], y - mean[1], h - mean[2]);
            let (wx, wy, wh) = (x * weights, y * weights, h * weights);
            add(&mut second, [wx * x, wy * y, wh * h, wx * y, wx * h, wy * h]);
        }
        Distribution { mean, covariance: sums(second) }
    }
}

/// State and controls before the step that led to a state: μ + Σ_xu,x' g, which is a mean with the weights w (1 + (x' - μ') g).
#[inline(always)]
fn regress<M: Machine>(machine: M, moments: &[Moment], mean: [f32; 3], gain: [f32; 3]) -> [f32; 5] {
    let (mut states, mut controls) = ([machine.all(0.0); 3], [machine.all(0.0); 2]);
    for moment in moments {
        let [x, y, h] = machine.load_all(&moment.after);
        let along = (x - mean[0]) * gain[0] + (y - mean[1]) * gain[1] + (h - mean[2]) * gain[2];
        let weights = machine.load(&moment.weights) * (along + 1.0);
        let ([x, y, h], [speed, turn]) =
            (machine.load_all(&moment.before), machine.load_all(&moment.controls));
        add(&mut states, [x * weights, y * weights, h * weights]);
        add(&mut controls, [speed * weights, turn * weights]);
    }
    let ([x, y, h], [speed, turn]) = (sums(states), sums(controls));
    [x, y, h, speed, turn]
}

/// Adds to sums, each by itself.
#[inline(always)]
fn add<V: Vector, const N: usize>(sums: &mut [V; N], values: [V; N]) {
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum = *sum + value;
    }
}

/// The sums over the walkers of a block.
#[inline(always)]
fn sums<V: Vector, const N: usize>(blocks: [V; N]) -> [f32; N] {
    let mut sums = [0.0; N];
    for (sum, block) in sums.iter_mut().zip(blocks) {
        *sum = block.sum();
    }
    sums
}

/// (Σ + εI)⁻¹ d by Cramer's rule; `None` if it is not finite.
#[inline(always)]
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
