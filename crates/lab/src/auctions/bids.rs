//! The numbers behind an auction.

use crewlab_sim::Model;
use crewlab_sim::onboard::event::key;
use crewlab_sim::onboard::{Bid, Event, RobotId, TaskId, Term};

/// Number of bids listed for each part, the best ones.
const MOST: usize = 12;

/// The total value of these robots elsewhere; `None` if the coordinator does not report it.
pub(super) fn price_of(event: &Event, robots: &[RobotId]) -> Option<f64> {
    let of = |term: &&Term| term.name == key::PRICE && term.of.is_some_and(|robot| robots.contains(&robot));
    event.terms.iter().filter(of).map(|term| term.value).reduce(|sum, price| sum + price)
}

/// The number of this name, if it is finite.
pub(super) fn number(event: &Event, name: &str) -> Option<f64> {
    event.number(name).filter(|value| value.is_finite())
}

/// All bids as text, part by part, the best first.
pub(super) fn words(bids: &[Bid], model: &Model) -> String {
    let mut parts: Vec<TaskId> = Vec::new();
    for bid in bids {
        if !parts.contains(&bid.part) {
            parts.push(bid.part);
        }
    }
    let of = |part: &TaskId| {
        let mut here: Vec<&Bid> = bids.iter().filter(|bid| bid.part == *part).collect();
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
