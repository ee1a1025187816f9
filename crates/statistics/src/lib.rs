//! Means, intervals, tests and survival: numbers in, numbers out.
//!
//! Self-contained: no clock, no files, no threads, and randomness only from a given seed. Equal input gives equal bits. What the
//! numbers mean (mission times, shares of completed runs) is up to the caller.
//!
//! | question | item |
//! | --- | --- |
//! | what is typical, and how much does it vary? | [`mean`], [`median`], [`quantile`], [`standard_deviation`], [`Mean`] |
//! | how sure is that? | [`student_interval`], [`bootstrap()`], [`wilson`] |
//! | when are runs done, if some never are? | [`KaplanMeier`] |
//! | do two differ, pair by pair? | [`t_test`], [`wilcoxon`], [`mcnemar`] |
//! | do several differ? | [`friedman`] |
//! | how much do they differ? | [`cohens_dz`], [`rank_biserial`] |
//! | how sure is that after several tests? | [`holm`] |
//! | is it distributed evenly? | [`jain`] |
//!
//! Nothing here panics. A list that is too short or has a value that is not finite gives `None`. So does a question whose answer is
//! not a number, such as the mean over the standard deviation of values that are all equal.
//!
//! Everything is compared with scipy and statsmodels (`tests/reference.rs`).

#![warn(missing_docs)]

pub mod bootstrap;
pub mod correction;
pub mod distribution;
pub mod effect;
pub mod fairness;
pub mod friedman;
pub mod interval;
pub mod location;
pub mod mean;
pub mod paired;
mod rank;
pub mod share;
pub mod survival;
pub mod test;

pub use bootstrap::{Bootstrap, bootstrap};
pub use correction::holm;
pub use effect::{cohens_dz, rank_biserial};
pub use fairness::jain;
pub use friedman::friedman;
pub use interval::Interval;
pub use location::{mean, median, quantile, standard_deviation};
pub use mean::{Mean, student_interval};
pub use paired::{mcnemar, t_test, wilcoxon};
pub use share::wilson;
pub use survival::{KaplanMeier, Lifetime, SurvivalStep};
pub use test::Test;

/// True if the list is not empty and all values are finite.
fn usable(values: &[f64]) -> bool {
    !values.is_empty() && values.iter().all(|value| value.is_finite())
}

/// The number, unless sums or squares have overflowed.
fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

/// True for a valid confidence level: above 0 and below 1.
fn is_confidence(confidence: f64) -> bool {
    confidence > 0.0 && confidence < 1.0
}
