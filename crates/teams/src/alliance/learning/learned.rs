//! The values that a robot has learned, by name: for the next run and for people.

use super::watch::End;
use super::{Learner, Memory, Times, Trials};
use crate::Boot;
use crewlab_onboard::{RobotId, TaskId, Time};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Learned parameters towards one team-mate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TowardView {
    /// φ: how long this team-mate may slow the impatience. [s]
    pub time_willing_to_affect_s: f64,
    /// δslow. [1/s]
    pub slow_impatience: f64,
}

/// Learned parameters of one behaviour set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SetView {
    /// The task.
    pub task: String,
    /// task_time: mean and one standard deviation of the robot's own trials; the neutral time if there were none. [s]
    pub task_time_s: Option<f64>,
    /// 1 if nobody present is known to be better, otherwise 2.
    pub category: u8,
    /// δfast. [1/s]
    pub fast_impatience: f64,
    /// ψ. [s]
    pub time_before_yielding_s: f64,
    /// λ. [s]
    pub time_before_giving_up_s: f64,
    /// φ and δslow towards team-mates with known times.
    pub toward: BTreeMap<String, TowardView>,
}

/// What one robot has learned.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Learned {
    /// The trials.
    #[serde(flatten)]
    pub memory: Memory,
    /// The resulting parameters per behaviour set, for people to read.
    pub parameters: BTreeMap<String, SetView>,
}

impl Learner {
    /// Restores what was learned before. Unknown names are ignored.
    pub(super) fn remember(&mut self, memory: &Memory, boot: &Boot) {
        let most = self.knobs.trials;
        for (set, spec) in boot.me.behaviours.iter().enumerate() {
            if let Some(times) = memory.own.get(&spec.name) {
                self.own[set] = Trials::of(&times.0, most);
            }
        }
        for (name, by_robot) in &memory.others {
            let Some(task) = boot.tasks.iter().position(|task| task.name == *name) else { continue };
            for (robot, times) in by_robot {
                let Some((_, id)) = boot.roster.iter().find(|(known, _)| known == robot) else { continue };
                let key = (TaskId(task as u16), *id);
                if *id != boot.me.id
                    && !times.0.is_empty()
                    && let Some(trials) = self.acquaintance(key)
                {
                    *trials = Trials::of(&times.0, most);
                }
            }
        }
        self.stale = true;
    }

    /// The knowledge at the end of a run. Unfinished attempts count if they took longer than expected.
    pub(in crate::alliance) fn learned(&self, boot: &Boot, active: Option<usize>, now: Time) -> Learned {
        let mut closed = self.clone();
        while let Some(mut attempt) = closed.watch.attempts().first().copied() {
            closed.watch.end(attempt.robot);
            let own = (attempt.robot == boot.me.id).then_some(active).flatten();
            if own.is_some() {
                attempt.heard = now;
            }
            if let Some(time) = closed.judge(&attempt, End::Unknown, own)
                && (own.is_some() || attempt.robot != boot.me.id)
            {
                closed.record(&attempt, own, time);
            }
        }
        Learned { memory: closed.memory(boot), parameters: closed.views(boot) }
    }

    fn memory(&self, boot: &Boot) -> Memory {
        let mut memory = Memory::default();
        for (spec, trials) in boot.me.behaviours.iter().zip(&self.own) {
            if !trials.times().is_empty() {
                memory.own.insert(spec.name.clone(), written(trials));
            }
        }
        for known in &self.others {
            let (Some(task), Some(robot)) =
                (boot.tasks.get(usize::from(known.key.0.0)), name(boot, known.key.1))
            else {
                continue;
            };
            let by_robot = memory.others.entry(task.name.clone()).or_default();
            by_robot.insert(robot.to_string(), written(&known.trials));
        }
        memory
    }

    fn views(&self, boot: &Boot) -> BTreeMap<String, SetView> {
        let spread = self.spread();
        let view = |(set, spec): (usize, &crewlab_onboard::BehaviourSpec)| {
            let settings = self.setting(set, &spread);
            let toward = self.known(spec.task).iter().filter_map(|known| {
                let toward = settings.toward(known.key.1);
                let view = TowardView {
                    time_willing_to_affect_s: rounded(toward.time_willing_to_affect),
                    slow_impatience: rounded(toward.slow_impatience),
                };
                Some((name(boot, known.key.1)?.to_string(), view))
            });
            let task = boot.tasks.get(usize::from(spec.task.0)).map_or(String::new(), |t| t.name.clone());
            let view = SetView {
                task,
                task_time_s: self.own_time(set).map(rounded),
                category: self.category(set).number(),
                fast_impatience: rounded(settings.fast_impatience),
                time_before_yielding_s: rounded(settings.time_before_yielding),
                time_before_giving_up_s: rounded(settings.time_before_giving_up),
                toward: toward.collect(),
            };
            (spec.name.clone(), view)
        };
        boot.me.behaviours.iter().enumerate().map(view).collect()
    }
}

fn name<'a>(boot: &'a Boot, robot: RobotId) -> Option<&'a str> {
    let known = boot.roster.iter().find(|(_, id)| *id == robot);
    known.map(|(name, _)| name.as_str())
}

fn written(trials: &Trials) -> Times {
    Times(trials.times().iter().copied().map(rounded).collect())
}

/// Rounded to the microsecond, so that files are readable; never to zero.
fn rounded(value: f64) -> f64 {
    ((value * 1e6).round() / 1e6).max(1e-6)
}
