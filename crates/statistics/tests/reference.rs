//! Comparison with scipy and statsmodels, whose results `scripts/reference_statistics.py` writes to reference.json.

use crewlab_statistics::{
    self as ours, Bootstrap, Interval, KaplanMeier, Lifetime, Mean, Test, distribution,
};
use serde_json::Value;

/// Tolerance, relative or absolute.
const CLOSE: f64 = 1e-9;

fn reference(part: &str) -> Value {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/reference.json")).unwrap();
    serde_json::from_str::<Value>(&text).unwrap()[part].take()
}

/// The cases of a section, at least `at_least` of them.
fn cases(part: &str, at_least: usize) -> Vec<Value> {
    let cases = reference(part).as_array().unwrap().clone();
    assert!(cases.len() >= at_least, "{part} has {} cases", cases.len());
    cases
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

fn whole(value: &Value) -> u64 {
    value.as_u64().unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(number).collect()
}

fn lifetimes(case: &Value) -> Vec<Lifetime> {
    let observed = case["observed"].as_array().unwrap().iter().map(|value| value.as_bool().unwrap());
    numbers(&case["time"])
        .into_iter()
        .zip(observed)
        .map(|(time, observed)| Lifetime { time, observed })
        .collect()
}

/// Both give the same value, or both give none.
#[track_caller]
fn check(ours: Option<f64>, theirs: &Value, what: &str) {
    match (ours, theirs.as_f64()) {
        (Some(one), Some(two)) => {
            let difference = (one - two).abs();
            assert!(difference <= CLOSE * two.abs().max(1.0), "{what}: {one} instead of {two}");
        }
        (one, two) => assert_eq!(one, two, "{what}"),
    }
}

/// As [`check`], with small probabilities to nine digits, too.
#[track_caller]
fn check_test(ours: Option<Test>, theirs: &Value, what: &str) {
    check(ours.map(|test| test.statistic), &theirs["statistic"], what);
    check(ours.map(|test| test.p), &theirs["p"], what);
    if let (Some(test), Some(p)) = (ours, theirs["p"].as_f64()) {
        // Below that scipy gives 0 where ours still has digits.
        assert!((test.p - p).abs() <= CLOSE * p || test.p < 1e-300, "{what}: p is {} instead of {p}", test.p);
    }
}

#[track_caller]
fn check_interval(ours: Option<Interval>, low: &Value, high: &Value, what: &str) {
    check(ours.map(|interval| interval.low), low, what);
    check(ours.map(|interval| interval.high), high, what);
}

#[test]
fn lists_of_numbers() {
    for case in cases("single", 80) {
        let values = numbers(&case["values"]);
        let what = format!("{} {} values", case["kind"], values.len());
        check(ours::mean(&values), &case["mean"], &what);
        check(ours::median(&values), &case["median"], &what);
        check(ours::standard_deviation(&values), &case["standard_deviation"], &what);
        for pair in case["quantiles"].as_array().unwrap() {
            check(ours::quantile(&values, number(&pair[0])), &pair[1], &what);
        }
        if case["kind"] == "equal" {
            continue;
        }
        for (key, confidence) in [("student_90", 0.9), ("student_95", 0.95), ("student_99", 0.99)] {
            check_interval(ours::student_interval(&values, confidence), &case[key][0], &case[key][1], &what);
        }
        if values.len() > 1 {
            check_interval(
                Mean::of(&values).map(|mean| mean.interval()),
                &case["student_95"][0],
                &case["student_95"][1],
                &what,
            );
        }
        check(ours::jain(&values), &case["jain"], &what);
    }
}

#[test]
fn tests_of_differences() {
    for case in cases("single", 80) {
        let values = numbers(&case["values"]);
        let what = format!("{} {} values", case["kind"], values.len());
        check_test(ours::t_test(&values), &case["t_test"], &what);
        check(ours::cohens_dz(&values), &case["cohens_dz"], &what);
        if values.iter().any(|value| *value != 0.0) {
            check_test(ours::wilcoxon(&values), &case["wilcoxon"], &what);
            check(ours::rank_biserial(&values), &case["rank_biserial"], &what);
        }
    }
    for case in cases("mcnemar", 9) {
        let ours = ours::mcnemar(whole(&case[0]), whole(&case[1])).unwrap();
        check(Some(ours.p), &case[2], &format!("{case}"));
    }
}

#[test]
fn survival() {
    for case in cases("survival", 32) {
        let curve = KaplanMeier::of(&lifetimes(&case)).unwrap();
        let steps = case["steps"].as_array().unwrap();
        assert_eq!(curve.steps().len(), steps.len());
        for (step, theirs) in curve.steps().iter().zip(steps) {
            let what = format!("step {theirs} of {} lifetimes", curve.count());
            check(Some(step.time), &theirs[0], &what);
            assert_eq!(
                (step.at_risk as u64, step.events as u64),
                (whole(&theirs[1]), whole(&theirs[2])),
                "{what}"
            );
            check(Some(step.survival), &theirs[3], &what);
            check(step.standard_error, &theirs[4], &what);
            check_interval(step.interval, &theirs[5], &theirs[6], &what);
        }
        check(curve.median(), &case["median"], "median");
        for pair in case["at"].as_array().unwrap() {
            check(Some(curve.at(number(&pair[0]))), &pair[1], "share");
        }
    }
}

#[test]
fn shares() {
    for case in cases("wilson", 60) {
        let ours = ours::wilson(whole(&case[0]), whole(&case[1]), number(&case[2]));
        check_interval(ours, &case[3], &case[4], &format!("{case}"));
    }
}

#[test]
fn several_treatments() {
    for case in cases("friedman", 24) {
        let blocks: Vec<Vec<f64>> = case["blocks"].as_array().unwrap().iter().map(numbers).collect();
        check_test(ours::friedman(&blocks), &case, &format!("{} blocks", blocks.len()));
    }
}

#[test]
fn several_questions() {
    for case in cases("corrections", 15) {
        let p = numbers(&case["p"]);
        let (ours, theirs) = (ours::holm(&p).unwrap(), numbers(&case["holm"]));
        assert_eq!(ours.len(), theirs.len());
        ours.iter().zip(&theirs).for_each(|(one, two)| assert!((one - two).abs() <= CLOSE, "{one} {two}"));
    }
}

#[test]
fn distributions() {
    let all = reference("distributions");
    let near = |key: &str, ours: &dyn Fn(&Value) -> Option<f64>| {
        let mut worst = 0.0f64;
        for row in all[key].as_array().unwrap() {
            let theirs = number(row.as_array().unwrap().last().unwrap());
            let ours = ours(row).unwrap();
            let difference = if theirs == 0.0 { ours.abs() } else { (ours / theirs - 1.0).abs() };
            worst = worst.max(difference);
            // Relative, tails of 1e-280 included.
            assert!(difference < 1e-10, "{key} of {row}: {ours}");
        }
        println!("{key}: at most {worst:.1e} from scipy");
    };
    near("student_beyond", &|row| distribution::student_beyond(number(&row[0]), number(&row[1])));
    near("student_critical", &|row| distribution::student_critical(number(&row[0]), number(&row[1])));
    near("normal_quantile", &|row| distribution::normal_quantile(number(&row[0])));
    near("normal_below", &|row| Some(distribution::normal_below(number(&row[0]))));
    near("chi_squared_above", &|row| distribution::chi_squared_above(number(&row[0]), number(&row[1])));
    near("coin_beyond", &|row| distribution::coin_beyond(whole(&row[0]), whole(&row[1])));
}

/// Both intervals are from 200,000 resamples. For a statistic that is about normal, an end at the share p of N resamples has the standard
/// error √(p (1 - p) / N) / φ(z), and the bias correction, which enters twice, adds 2 √(0.25 / N) / φ(0): for p = 0.025 together
/// 3.7 / √N, so 0.0083 standard errors of the statistic, or 0.012 for the difference of two ends; acceleration stretches it for skewed values. Five times that is 0.06. A
/// percentile interval instead of BCa is off by more than that in most of the skewed cases.
#[test]
fn bootstraps() {
    const RESAMPLES: usize = 200_000;
    let mut worst = 0.0f64;
    for case in cases("bootstrap", 32) {
        let values = numbers(&case["values"]);
        let statistic = |values: &[f64]| {
            let count = values.len() as f64;
            let mean = values.iter().sum::<f64>() / count;
            match case["statistic"].as_str() {
                Some("mean") => mean,
                _ => (values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>()
                    / (count - 1.0))
                    .sqrt(),
            }
        };
        let how = Bootstrap { resamples: RESAMPLES, confidence: number(&case["confidence"]), seed: 1 };
        let ours = ours::bootstrap(&values, statistic, &how).unwrap();
        let error = number(&case["error"]);
        for (ours, theirs) in [(ours.low, number(&case["low"])), (ours.high, number(&case["high"]))] {
            worst = worst.max((ours - theirs).abs() / error);
            assert!((ours - theirs).abs() < 0.06 * error, "{ours} instead of {theirs}, {case}");
        }
    }
    println!("ends differ by at most {worst:.3} standard errors");
}
