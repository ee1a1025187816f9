//! The steps in which disturbances become milder: round values, so that the result is readable.

/// Durations. [s]
pub const DURATIONS: [f64; 32] = [
    0.5, 1.0, 2.0, 3.0, 5.0, 7.0, 10.0, 15.0, 20.0, 25.0, 30.0, 40.0, 50.0, 60.0, 80.0, 100.0, 120.0, 150.0,
    180.0, 240.0, 300.0, 360.0, 420.0, 480.0, 540.0, 600.0, 900.0, 1200.0, 1800.0, 3600.0, 7200.0, 14400.0,
];

/// The largest of 1, 2 and 5 times a power of ten that does not exceed the value; at least a millisecond.
pub fn nice(value: f64) -> f64 {
    let powers = [1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6, 1e7];
    let steps = powers.into_iter().flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * power));
    steps.take_while(|step| *step <= value).last().unwrap_or(1e-3)
}

/// The nearest multiple of a step, without binary rounding residues.
pub fn rounded(value: f64, step: f64) -> f64 {
    ((value / step).round() * step * 1e3).round() / 1e3
}

/// The lowest index in `0..count` that `holds`, found by bisection: it holds there, and not one index below. `None` if it does
/// not hold at the highest index. If `holds` is not monotone, it is one such index.
pub fn lowest<E>(count: usize, mut holds: impl FnMut(usize) -> Result<bool, E>) -> Result<Option<usize>, E> {
    let Some(mut high) = count.checked_sub(1) else { return Ok(None) };
    if !holds(high)? {
        return Ok(None);
    }
    // It holds at `high`, and at no tested index below `low`.
    let mut low = 0;
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle)? {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    Ok(Some(high))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    #[test]
    fn bisection_finds_the_edge() {
        for count in 0..20 {
            for edge in 0..=count {
                let found = lowest(count, |place| Ok::<_, Infallible>(place >= edge)).unwrap();
                assert_eq!(found, (edge < count).then_some(edge));
            }
        }
    }

    #[test]
    fn nice_numbers() {
        assert_eq!(
            [10.3, 9.9, 2.0, 0.4, 0.0, f64::NAN, -1.0].map(nice),
            [10.0, 5.0, 2.0, 0.2, 1e-3, 1e-3, 1e-3]
        );
    }
}
