//! What the engine tells people: events.

use super::account::{Agreement, Notice};
use super::graph::NodeId;
use super::plan::Plan;
use super::protocols::Outcome;
use super::team::Job;
use super::teamwork::Teamwork;
use crewlab_onboard::event::key;
use crewlab_onboard::{Event, EventKind, Output, RobotId};

/// Emits what has happened since the last tick.
pub(super) fn explain(engine: &mut Teamwork, out: &mut Output) {
    let notices: Vec<Notice> = engine.take_notices().collect();
    let plan = engine.plan();
    let name = |node: NodeId| plan.graph.node(node).name.clone();
    for notice in notices {
        out.explain(match notice {
            Notice::Agreed(agreement) => agreed(plan, &agreement),
            Notice::Waits(node, others) => {
                let event = Event::new(EventKind::Barrier)
                    .thing(name(node))
                    .with(key::MORE, others.len() as f64)
                    .saying(format!("and waits for {}", list(plan, &others)));
                others.first().map_or(event.clone(), |robot| event.by(*robot))
            }
            Notice::View(robots) => Event::new(EventKind::ViewChanged)
                .with("robots", robots.len() as f64)
                .saying(format!("the team is {}", list(plan, &robots))),
            Notice::Stranded(true) => Event::new(EventKind::Stranded),
            Notice::Stranded(false) => Event::new(EventKind::Rejoined),
            Notice::Split(node) => Event::new(EventKind::Split).thing(name(node)),
            Notice::Leads => Event::new(EventKind::TookChair),
        });
    }
}

/// An event about what a group has agreed on, how, and what its robots contributed.
fn agreed(plan: &Plan, agreement: &Agreement) -> Event {
    let Agreement { kind, node, point: (frame, stage), outcome, took, said } = agreement;
    let name = |node: NodeId| plan.graph.node(node).name.as_str();
    let (event, what) = match outcome {
        Outcome::Next(Some(next)) => (EventKind::Decided, format!("{} follows", name(*next))),
        Outcome::Next(None) => (EventKind::Decided, "nothing follows".into()),
        Outcome::Leader(robot) => (EventKind::Elected, format!("{} decides", plan.robot(*robot))),
        Outcome::Jobs(jobs) if jobs.is_empty() => (EventKind::Allocated, "nobody has work".into()),
        Outcome::Jobs(jobs) => {
            let job = |job: &Job| format!("{} does {}", plan.robot(job.robot), name(job.child));
            (EventKind::Allocated, jobs.iter().map(job).collect::<Vec<_>>().join(", "))
        }
    };
    let protocol = plan.points(*node).of(*kind).kind().name;
    let contributions: Vec<String> =
        said.iter().map(|(robot, words)| format!("{}: {words}", plan.robot(*robot))).collect();
    let why =
        if contributions.is_empty() { String::new() } else { format!(" ({})", contributions.join("; ")) };
    let event = Event::new(event)
        .thing(name(*node))
        .with(key::FRAME, f64::from(*frame))
        .with(key::STAGE, f64::from(*stage))
        .saying(format!("by {protocol}: {what}{why}"));
    took.map_or(event.clone(), |took| event.with(key::SECONDS, took))
}

fn list(plan: &Plan, robots: &[RobotId]) -> String {
    robots.iter().map(|robot| plan.robot(*robot)).collect::<Vec<_>>().join(", ")
}
