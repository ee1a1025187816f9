//! The numbers behind an auction, by robot and part.

use crewlab_sim::Model;
use crewlab_sim::onboard::{Event, RobotId, TaskId};
use std::collections::BTreeMap;

/// Number of bids listed for each part, the best ones.
const MOST: usize = 12;

/// A number about a robot and its part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stake {
    pub robot: RobotId,
    pub part: TaskId,
    pub value: f64,
}

/// The robots and tasks, by name.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    robots: BTreeMap<String, RobotId>,
    tasks: BTreeMap<String, TaskId>,
}

impl Names {
    pub(super) fn of(model: &Model) -> Names {
        let tasks = model.tasks.iter().enumerate();
        Names {
            robots: model.roster.iter().cloned().collect(),
            tasks: tasks.map(|(place, task)| (task.name.clone(), TaskId(place as u16))).collect(),
        }
    }

    /// All numbers called `WORD-ROBOT-PART`. Names may have dashes of their own.
    pub(super) fn stakes(&self, event: &Event, word: &str) -> Vec<Stake> {
        let stake = |term: &crewlab_sim::onboard::Term| {
            let rest = term.name.strip_prefix(word)?.strip_prefix('-')?;
            let mut dashes = rest.match_indices('-');
            let (robot, part) = dashes.find_map(|(at, _)| {
                Some((*self.robots.get(&rest[..at])?, *self.tasks.get(&rest[at + 1..])?))
            })?;
            Some(Stake { robot, part, value: term.value })
        };
        event.terms.iter().filter_map(stake).collect()
    }

    /// What robots are worth elsewhere: the numbers called `price-ROBOT`, for these robots together.
    pub(super) fn price(&self, event: &Event, robots: &[RobotId]) -> Option<f64> {
        let of = |term: &crewlab_sim::onboard::Term| {
            let robot = self.robots.get(term.name.strip_prefix("price-")?)?;
            robots.contains(robot).then_some(term.value)
        };
        event.terms.iter().filter_map(of).reduce(|sum, price| sum + price)
    }
}

/// The number of this name.
pub(super) fn number(event: &Event, name: &str) -> Option<f64> {
    event.terms.iter().find(|term| term.name == name).map(|term| term.value).filter(|value| value.is_finite())
}

/// All bids in words, part by part, the best first.
pub(super) fn words(bids: &[Stake], model: &Model) -> String {
    let mut parts: Vec<TaskId> = Vec::new();
    for bid in bids {
        if !parts.contains(&bid.part) {
            parts.push(bid.part);
        }
    }
    let of = |part: &TaskId| {
        let mut here: Vec<&Stake> = bids.iter().filter(|bid| bid.part == *part).collect();
        here.sort_by(|a, b| b.value.total_cmp(&a.value));
        let mut words: Vec<String> = here
            .iter()
            .take(MOST)
            .map(|bid| format!("{} {:.1}", model.robot_name(bid.robot), bid.value))
            .collect();
        if here.len() > MOST {
            words.push(format!("{} lower ones", here.len() - MOST));
        }
        let list = words.join(", ");
        if parts.len() == 1 { list } else { format!("{}: {list}", model.task_name(*part)) }
    };
    parts.iter().map(of).collect::<Vec<_>>().join("; ")
}
