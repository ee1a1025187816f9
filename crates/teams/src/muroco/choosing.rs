//! The choice of what to announce next, and whether anybody could do it.

use super::alternatives::{alternatives, takes_several, worth_per_robot};
use super::context::TickContext;
use super::params::Search;
use super::pruning::staffed;
use super::vocabulary::Bits;
use crewlab_onboard::{Piece, TaskId};

/// A robot counts as available for this many times the silence after which it counts as gone: messages get lost, and work that
/// nobody can do is reported to the operator.
const LONG_GONE: f64 = 4.0;

/// What is announced next: everything if all tasks are solved jointly; otherwise the task for several robots with the highest
/// utility per robot (3.7), unless the single-robot tasks have a higher mean utility (3.8).
pub fn chosen(open: &[Piece], context: &TickContext) -> Vec<Piece> {
    let tasks = context.situation.tasks;
    if context.params.search == Search::Joint {
        return open.to_vec();
    }
    let several = |piece: &&Piece| takes_several(tasks, piece.task);
    let worth = |piece: &Piece| worth_per_robot(tasks, piece.task, context.skills.urgency(piece.task));
    let best = open.iter().filter(several).map(|piece| (*piece, worth(piece)));
    let best = best.reduce(|best, next| if next.1 > best.1 { next } else { best });
    let single: Vec<Piece> = open.iter().filter(|piece| !several(piece)).copied().collect();
    let average = single.iter().map(&worth).sum::<f64>() / single.len().max(1) as f64;
    match best {
        Some((piece, worth)) if single.is_empty() || worth > average => vec![piece],
        _ => single,
    }
}

/// True if some robots heard recently have, together, the capabilities for one of the alternatives.
pub fn coverable(piece: Piece, context: &TickContext) -> bool {
    let tasks = context.situation.tasks;
    let heard = context.mates.alive(context.now(), LONG_GONE * context.silence());
    let mates: Vec<&Bits> = heard.map(|mate| &mate.capabilities).collect();
    let able = |parts: &Vec<TaskId>| staffed(&mates, parts, tasks, context.vocabulary);
    alternatives(tasks, piece.task).iter().any(able)
}
