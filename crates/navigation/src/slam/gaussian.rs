//! Normal distributions of poses, by their information matrix.

use crewlab_onboard::Stream;
use crewlab_onboard::geometry::{Pose, Vec2, vec2, wrap};

/// A difference of poses: x, y [m], heading [rad].
pub type Step = [f64; 3];

/// A symmetric matrix over x, y and heading: xx, xy, xh, yy, yh, hh.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Symmetric(pub [f64; 6]);

impl Symmetric {
    /// The sum of two.
    pub fn plus(&self, other: &Symmetric) -> Symmetric {
        let mut sum = *self;
        sum.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a += b);
        sum
    }

    /// The product with a vector.
    pub fn times(&self, v: Step) -> Step {
        let [a, b, c, d, e, f] = self.0;
        [a * v[0] + b * v[1] + c * v[2], b * v[0] + d * v[1] + e * v[2], c * v[0] + e * v[1] + f * v[2]]
    }

    /// The value of the quadratic form.
    pub fn form(&self, v: Step) -> f64 {
        let w = self.times(v);
        v[0] * w[0] + v[1] * w[1] + v[2] * w[2]
    }

    /// The same matrix if everything is turned by an angle. [rad]
    pub fn turned(&self, angle: f64) -> Symmetric {
        let Vec2 { x: cos, y: sin } = Vec2::unit(angle);
        let [a, b, c, d, e, f] = self.0;
        Symmetric([
            cos * cos * a - 2.0 * cos * sin * b + sin * sin * d,
            cos * sin * (a - d) + (cos * cos - sin * sin) * b,
            cos * c - sin * e,
            sin * sin * a + 2.0 * cos * sin * b + cos * cos * d,
            sin * c + cos * e,
            f,
        ])
    }

    /// The inverse; `None` unless positive definite.
    pub fn inverse(&self) -> Option<Symmetric> {
        let root = self.root()?;
        let columns = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|unit| root.solve(unit));
        Some(Symmetric([
            columns[0][0],
            columns[0][1],
            columns[0][2],
            columns[1][1],
            columns[1][2],
            columns[2][2],
        ]))
    }

    /// The lower triangular root (Cholesky); `None` unless positive definite.
    pub fn root(&self) -> Option<Root> {
        let [a, b, c, d, e, f] = self.0;
        let positive = |value: f64| (value > 1e-12 && value.is_finite()).then(|| value.sqrt());
        let l00 = positive(a)?;
        let (l10, l20) = (b / l00, c / l00);
        let l11 = positive(d - l10 * l10)?;
        let l21 = (e - l20 * l10) / l11;
        let l22 = positive(f - l20 * l20 - l21 * l21)?;
        Some(Root { l00, l10, l11, l20, l21, l22 })
    }
}

/// A lower triangular root L of an information matrix L Lᵀ.
#[derive(Clone, Copy, Debug)]
pub struct Root {
    l00: f64,
    l10: f64,
    l11: f64,
    l20: f64,
    l21: f64,
    l22: f64,
}

impl Root {
    /// Solves L Lᵀ x = b.
    pub fn solve(&self, b: Step) -> Step {
        let y0 = b[0] / self.l00;
        let y1 = (b[1] - self.l10 * y0) / self.l11;
        let y2 = (b[2] - self.l20 * y0 - self.l21 * y1) / self.l22;
        self.back([y0, y1, y2])
    }

    /// Solves Lᵀ x = y.
    fn back(&self, y: Step) -> Step {
        let x2 = y[2] / self.l22;
        let x1 = (y[1] - self.l21 * x2) / self.l11;
        let x0 = (y[0] - self.l10 * x1 - self.l20 * x2) / self.l00;
        [x0, x1, x2]
    }

    /// A draw with mean 0, and the logarithm of its density up to a constant that all normal distributions share.
    pub fn draw(&self, random: &mut Stream) -> (Step, f64) {
        let z = [random.normal(), random.normal(), random.normal()];
        let squares = z.iter().map(|z| z * z).sum::<f64>();
        (self.back(z), self.log_peak() - 0.5 * squares)
    }

    /// The logarithm of the density at the mean, up to the same constant: half the logarithm of the determinant.
    pub fn log_peak(&self) -> f64 {
        libm::log(self.l00 * self.l11 * self.l22)
    }
}

/// A pose moved by a step.
pub fn moved(pose: &Pose, step: Step) -> Pose {
    Pose { position: pose.position + vec2(step[0], step[1]), heading: wrap(pose.heading + step[2]) }
}

/// The step from one pose to another.
pub fn step_between(from: &Pose, to: &Pose) -> Step {
    let way = to.position - from.position;
    [way.x, way.y, wrap(to.heading - from.heading)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_onboard::StreamKind;

    #[test]
    fn draws_have_the_covariance_that_inverts_the_information() {
        let information = Symmetric([40.0, 5.0, -8.0, 90.0, 3.0, 20.0]);
        let root = information.root().expect("positive definite");
        let mut random = Stream::new(3, StreamKind::Decisions, 0, 0);
        let draws: Vec<Step> = (0..40_000).map(|_| root.draw(&mut random).0).collect();
        let covariance = information.inverse().expect("positive definite");
        for (index, (row, column)) in [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)].into_iter().enumerate()
        {
            let mean = draws.iter().map(|draw| draw[row] * draw[column]).sum::<f64>() / draws.len() as f64;
            let scale = (covariance.0[[0, 3, 5][row]] * covariance.0[[0, 3, 5][column]]).sqrt();
            // The standard error of such a mean is below 1.5 scale / √40,000: four of them.
            assert!((mean - covariance.0[index]).abs() < 0.03 * scale, "{row} {column}: {mean}");
        }
    }

    #[test]
    fn what_is_not_positive_definite_has_no_root() {
        assert!(Symmetric([1.0, 2.0, 0.0, 1.0, 0.0, 1.0]).root().is_none());
        assert!(Symmetric([f64::NAN; 6]).root().is_none());
    }

    #[test]
    fn turning_a_matrix_turns_its_quadratic_form() {
        let information = Symmetric([4.0, 1.0, -0.5, 9.0, 0.3, 2.0]);
        let angle = 0.7;
        let (v, w) = (vec2(0.2, -0.4), vec2(0.2, -0.4).rotated(Vec2::unit(angle)));
        let (plain, round) =
            (information.form([v.x, v.y, 0.3]), information.turned(angle).form([w.x, w.y, 0.3]));
        assert!((plain - round).abs() < 1e-12);
    }
}
