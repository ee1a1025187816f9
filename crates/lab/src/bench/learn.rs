//! `crewlab bench learn`: the speed of learning and asking networks, and its targets.

use crewlab_learn::workload::draw;
use crewlab_learn::{
    Constraints, Counter, Error, Network, Prior, Question, Scores, Structure, Table, k2, optimum,
};
use serde::Serialize;
use std::hint::black_box;
use std::time::Instant;

/// Rows of every table, and states of every variable.
const ROWS: usize = 500;
const STATES: usize = 3;

/// The largest number of parents in the networks that rows are drawn from.
const PARENTS: usize = 3;

/// One measurement.
#[derive(Clone, Debug, Serialize)]
pub struct LearnRow {
    /// What is measured.
    pub what: &'static str,
    /// Number of variables.
    pub variables: usize,
    /// The shortest time of several, on the slowest of five seeds. [us]
    pub us: f64,
    /// The target; nothing for measurements that have none. [us]
    pub target_us: Option<f64>,
}

/// Measures everything over a few seeds; `quick` leaves the large optima out.
pub fn measure(quick: bool) -> Result<Vec<LearnRow>, Error> {
    let mut rows = vec![
        row("optimum, proven", 10, Some(100.0), 20, best)?,
        row("K2 with a given order", 10, Some(25.0), 50, ordered)?,
        row("posterior, prepared question", 10, Some(0.8), 5, prepared)?,
        row("posterior, question prepared each time", 10, None, 5, unprepared)?,
        row("update by one row", 10, Some(0.5), 5, updated)?,
    ];
    if !quick {
        rows.push(row("optimum, proven", 25, Some(0.5e6), 3, best)?);
        rows.push(row("optimum, proven", 28, Some(4e6), 3, best)?);
    }
    Ok(rows)
}

type Work = fn(&Table, &Structure) -> Result<f64, Error>;

fn row(
    what: &'static str,
    variables: usize,
    target_us: Option<f64>,
    times: usize,
    work: Work,
) -> Result<LearnRow, Error> {
    let mut longest = 0.0_f64;
    for seed in 1..=5 {
        let (table, truth) = draw(variables, STATES, PARENTS, ROWS, seed)?;
        let mut shortest = f64::INFINITY;
        for _ in 0..times {
            shortest = shortest.min(work(&table, &truth)?);
        }
        longest = longest.max(shortest);
    }
    Ok(LearnRow { what, variables, us: longest * 1e6, target_us })
}

/// Wall-clock time of some work: processor time is too coarse for it, and the shortest of several is taken. [s]
fn timed(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

fn best(table: &Table, _: &Structure) -> Result<f64, Error> {
    let mut counter = Counter::new(table)?;
    Ok(timed(|| _ = black_box(optimum(&mut counter, &Constraints::default()))))
}

fn ordered(table: &Table, truth: &Structure) -> Result<f64, Error> {
    let mut scores = Scores::new(Counter::new(table)?);
    let order = truth.order();
    Ok(timed(|| _ = black_box(k2(&mut scores, &order, &Constraints::default()))))
}

fn fitted(table: &Table, truth: &Structure) -> Result<Network, Error> {
    let mut network = Network::new(table.variables().to_vec(), truth.clone(), Prior::default())?;
    network.fit(table)?;
    Ok(network)
}

/// How often short work is repeated.
const REPEATED: usize = 2000;

/// The mean over the questions about each variable, given the two after it.
fn prepared(table: &Table, truth: &Structure) -> Result<f64, Error> {
    let network = fitted(table, truth)?;
    let count = table.variables().len();
    let question = |v: usize| Question::new(&network, &[v], &[(v + 1) % count, (v + 2) % count]);
    let questions: Vec<Question> = (0..count).map(question).collect::<Result<_, _>>()?;
    let all = || {
        for turn in 0..REPEATED {
            _ = black_box(questions[turn % count].ask(&network, &[turn % STATES, turn / 3 % STATES]));
        }
    };
    Ok(timed(all) / REPEATED as f64)
}

fn unprepared(table: &Table, truth: &Structure) -> Result<f64, Error> {
    let network = fitted(table, truth)?;
    let count = table.variables().len();
    let all = || {
        for turn in 0..REPEATED {
            let (one, two) = ((turn + 1) % count, (turn + 2) % count);
            _ = black_box(network.posterior(turn % count, &[(one, turn % STATES), (two, turn / 3 % STATES)]));
        }
    };
    Ok(timed(all) / REPEATED as f64)
}

fn updated(table: &Table, truth: &Structure) -> Result<f64, Error> {
    let mut network = fitted(table, truth)?;
    let rows: Vec<Vec<Option<usize>>> = (0..table.rows()).map(|row| table.row(row)).collect();
    let all = || {
        for turn in 0..REPEATED {
            _ = black_box(network.update(&rows[turn % rows.len()]));
        }
    };
    Ok(timed(all) / REPEATED as f64)
}
