//! Tests of ALLIANCE. The formulas are in `formulas`, their consequences over time in `states`, properties of any team in
//! `laws`, and the parameters in `parameters`.

mod formulas;
mod laws;
mod parameters;
mod states;

pub(super) use crate::team;

use super::{Alliance, SetSettings, Toward};
use team::{Team, identity, tasks};

/// θ in these tests.
const THRESHOLD: f64 = 2.0;

/// The tick in these tests. With powers of two all sums below are exact. [s]
const TICK: f64 = 0.5;

/// δfast 1/s, δslow 0.25/s, φ 20 s, τ 3 s, ρ 1/s; ψ and λ far away.
fn settings() -> SetSettings {
    SetSettings {
        broadcast_rate: 1.0,
        time_allowed_till_ceased: 3.0,
        fast_impatience: 1.0,
        time_before_yielding: 1000.0,
        time_before_giving_up: 2000.0,
        anyone: Toward { slow_impatience: 0.25, time_willing_to_affect: 20.0 },
        toward: Vec::new(),
    }
}

/// A team on one task, one robot per priority, with the same settings.
fn on_one_task(exclusive: bool, priorities: &[i32], settings: &SetSettings) -> Team<Alliance> {
    let robots = priorities.iter().enumerate().map(|(i, priority)| {
        (identity(i as u16, *priority, &[0]), Alliance::new(THRESHOLD, vec![settings.clone()]))
    });
    Team::new(TICK, tasks(&[exclusive]), robots.collect())
}
