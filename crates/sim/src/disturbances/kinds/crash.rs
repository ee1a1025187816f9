//! A robot's software crashes and starts again without memory.

use super::super::{Cast, Complaint, Disturb, Done, Outcome, Scene, Target, Undo};
use super::or_wait;
use crate::faults::Fault;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How long a restart takes unless the scenario says otherwise. [s]
const RESTART: f64 = 10.0;

/// Crashes robots' software.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Crash(pub Target);

impl Disturb for Crash {
    const SUMMARY: &'static str =
        "a robot's software crashes and starts again without memory, after 10 s or after `for`";
    const EXAMPLE: &'static str = "{rate: 4 /h, for: 20 s, crash: random}";

    fn check(&self, cast: &Cast) -> Result<(), Complaint> {
        self.0.check("", cast)
    }

    fn apply(&self, scene: &mut Scene) -> Outcome {
        let robots = or_wait!(self.0.resolve(scene));
        let verb = if robots.len() == 1 { "crashes" } else { "crash" };
        match scene.break_on(&robots, |names| format!("{names} {verb}"), |_| vec![Fault::Crash]) {
            Outcome::Done(done) => Outcome::Done(Done { undo: Undo::Reboot(robots), ..done }),
            other => other,
        }
    }

    fn lasts(&self) -> Option<f64> {
        Some(RESTART)
    }
}
