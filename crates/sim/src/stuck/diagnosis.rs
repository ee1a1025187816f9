//! Why a mission was not completed.

use super::case::{StuckCase, Whose};
use super::track::stranded;
use super::work::commonest_task;
use super::{Look, weight};
use crate::model::Model;
use crate::staffing;
use crate::state::State;
use crewlab_missions::{Hindrance, Leftover, Remains};
use crewlab_onboard::event::span;
use crewlab_onboard::{EventKind, Names, Plight, Reason, RobotId, TaskId};
use crewlab_teams as teams;
use crewlab_world::Reach;

/// Progress longer ago than this is not being made any more. [s]
const LATELY: f64 = 60.0;

/// Why a mission was not completed.
#[derive(Clone, Debug, PartialEq)]
pub enum WhyIncomplete {
    /// No robot runs any more.
    TeamLost,
    /// Something is left of a task that no remaining robot can do.
    NobodyAble(TaskId),
    /// No robot can get to what is left, or from there to where it belongs.
    OutOfReach(Remains),
    /// Something else makes what is left impossible: the mission says what.
    Hindered(Hindrance),
    /// What is left depends on a robot that cannot move, or may not.
    CannotMove(RobotId, Plight),
    /// A robot that cannot move keeps a task, and the team's coordinator never takes a task over.
    Kept(RobotId, TaskId),
    /// The goal of a mission without an end did not hold at the time limit.
    GoalMissed,
    /// Progress was still being made.
    TooShort,
    /// Somebody or something was stuck.
    Stuck(StuckCase),
}

impl WhyIncomplete {
    /// Finds out why; `None` if the mission is completed, or has nothing to complete.
    pub(crate) fn of(model: &Model, state: &State) -> Option<WhyIncomplete> {
        let endless = model.mission.endless();
        if state.verdict.completed || (endless && model.goal.is_none()) {
            return None;
        }
        if state.world.bodies.iter().all(|body| body.down()) {
            return Some(WhyIncomplete::TeamLost);
        }
        if endless {
            return Some(WhyIncomplete::GoalMissed);
        }
        let left = model.mission.left(&state.world, state.operator.open()).unwrap_or_default();
        Some(impossible(model, state, &left).unwrap_or_else(|| stuck(model, state)))
    }

    /// True if physics, the design of the run or a known limit of the coordinator explains it.
    pub fn explained(&self) -> bool {
        !matches!(self, WhyIncomplete::Stuck(_) | WhyIncomplete::GoalMissed)
    }

    /// Its name in files.
    pub fn name(&self) -> &'static str {
        match self {
            WhyIncomplete::TeamLost => "team-lost",
            WhyIncomplete::NobodyAble(_) => "nobody-able",
            WhyIncomplete::OutOfReach(_) => "out-of-reach",
            WhyIncomplete::Hindered(_) => "hindered",
            WhyIncomplete::CannotMove(..) => "cannot-move",
            WhyIncomplete::Kept(..) => "kept",
            WhyIncomplete::GoalMissed => "goal-missed",
            WhyIncomplete::TooShort => "too-short",
            WhyIncomplete::Stuck(case) => case.plight.name(),
        }
    }

    /// What runs with the same cause have in common, without names of robots, places and times.
    pub fn label(&self, model: &Model) -> String {
        match self {
            WhyIncomplete::TeamLost => "every robot is lost".into(),
            WhyIncomplete::NobodyAble(task) => {
                format!("no remaining robot can do {}", model.task_name(*task))
            }
            WhyIncomplete::OutOfReach(what) => format!("out of reach: {}", kind(*what)),
            WhyIncomplete::Hindered(hindrance) => hindrance.why.into(),
            WhyIncomplete::CannotMove(_, plight) => {
                format!("what is left depends on a robot that {}", plight_words(plight, model))
            }
            WhyIncomplete::Kept(_, task) => format!(
                "a robot that cannot move keeps {}, and this coordinator never takes a task over",
                model.task_name(*task)
            ),
            WhyIncomplete::GoalMissed => "the goal did not hold at the end".into(),
            WhyIncomplete::TooShort => {
                "the time limit is too short: there was progress shortly before".into()
            }
            WhyIncomplete::Stuck(case) => stuck_label(model, case),
        }
    }

    /// The cause in a sentence, at the end of a run.
    pub fn sentence(&self, model: &Model, state: &State) -> String {
        let now = state.now(model.tick);
        let since = |time| span(now.since(time));
        match self {
            WhyIncomplete::CannotMove(robot, plight) => {
                let words = plight_words(plight, model);
                format!("what is left depends on {}, which {words}", model.robot_name(*robot))
            }
            WhyIncomplete::OutOfReach(what) => format!(
                "no robot can get to what is left, or from there to where it belongs: {}",
                thing(model, state, *what)
            ),
            WhyIncomplete::Hindered(hindrance) => hindrance.words.clone(),
            WhyIncomplete::Kept(robot, task) => format!(
                "{} cannot move and keeps {}; {} never takes a task over",
                model.robot_name(*robot),
                model.task_name(*task),
                state.coordinator(model)
            ),
            WhyIncomplete::GoalMissed => missed(model, state),
            WhyIncomplete::TooShort => {
                let quiet = since(state.stuck.risen());
                match now.since(state.stuck.risen()) > LATELY {
                    false => format!("progress was still being made, the last time {quiet} before the end"),
                    true => format!(
                        "the time limit came {quiet} after the last progress, too early to tell whether the team is stuck"
                    ),
                }
            }
            WhyIncomplete::Stuck(case) => {
                let words = case.told(EventKind::Stuck, now).sentence(model);
                case.robot().map_or(words.clone(), |robot| format!("{} {words}", model.robot_name(robot)))
            }
            other => other.label(model),
        }
    }
}

/// A goal that does not hold, with the values of the measures that it names.
fn missed(model: &Model, state: &State) -> String {
    let Some(goal) = &model.goal else { return String::new() };
    let (specs, values) = (model.mission.measures(), model.mission.measure(&state.world, state));
    let measured = goal.asked().iter().map(|place| {
        let value = values.get(*place).copied().flatten();
        let value = value.map_or("undefined".into(), |value| format!("{}", (value * 1e3).round() / 1e3));
        format!("{} is {value}", specs[*place].name)
    });
    let measured = measured.collect::<Vec<_>>().join(", ");
    format!("the goal `{}` did not hold at the end: {measured}", goal.text())
}

/// The cause, if none of what is left can be done by anybody.
fn impossible(model: &Model, state: &State, left: &[Leftover]) -> Option<WhyIncomplete> {
    let team = RobotId::team(model.team.len());
    let gone = |robot: &RobotId| state.world.bodies[*robot].down() || stranded(state, *robot).is_some();
    let (without, able): (Vec<RobotId>, Vec<RobotId>) = team.partition(gone);
    let mut reaches: Vec<(RobotId, Reach)> = Vec::new();
    for robot in able {
        let body = &state.world.bodies[robot];
        let alike = |other: RobotId| state.world.bodies[other].robot_type == body.robot_type;
        if !reaches.iter().any(|(other, reach)| alike(*other) && reach.has(body.pose.position)) {
            reaches.push((robot, Reach::of(&state.world, robot)));
        }
    }
    let hindrances = state.hindering(model, |robot| !without.contains(&robot));
    let mut causes = left.iter().map(|leftover| {
        let unable = |task: &TaskId| {
            let spec = &model.tasks[usize::from(task.0)];
            staffing::crew(&model.team, *task, spec, &without).is_none()
        };
        held_fast(state, leftover)
            .or_else(|| {
                let nobody = !leftover.tasks.is_empty() && leftover.tasks.iter().all(unable);
                nobody.then(|| cut_off(model, state, leftover.tasks[0]))
            })
            .or_else(|| leftover.tasks.iter().find_map(|task| kept(model, state, *task)))
            .or_else(|| {
                let goal = leftover.goal.map(|area| &state.world.areas[area as usize].outline);
                let reached = |(_, reach): &(RobotId, Reach)| {
                    reach.has(leftover.place) && goal.is_none_or(|goal| reach.has_area(goal))
                };
                (!reaches.iter().any(reached)).then_some(WhyIncomplete::OutOfReach(leftover.what))
            })
            .or_else(|| {
                let hindrance = hindrances.iter().find(|hindrance| hindrance.place == leftover.place);
                hindrance.cloned().map(WhyIncomplete::Hindered)
            })
    });
    let first = causes.next()??;
    causes.all(|cause| cause.is_some()).then_some(first)
}

/// The robot that keeps a thing from being done, because it cannot move: the thing itself, or what holds an item.
fn held_fast(state: &State, leftover: &Leftover) -> Option<WhyIncomplete> {
    let (robot, holds) = match leftover.what {
        Remains::Robot(robot) => (robot, false),
        Remains::Item(item) => (state.world.items[item as usize].holder?, true),
        _ => return None,
    };
    let plight = stranded(state, robot)?;
    // Who has only lost its drive can still put an item down.
    let fast = !holds || plight != Plight::DriveDead;
    fast.then_some(WhyIncomplete::CannotMove(robot, plight))
}

/// Why nobody can do a task: a robot that could hears too few of its team, or there is none.
fn cut_off(model: &Model, state: &State, task: TaskId) -> WhyIncomplete {
    let spec = &model.tasks[usize::from(task.0)];
    let team = RobotId::team(model.team.len());
    let (silenced, others): (Vec<RobotId>, Vec<RobotId>) =
        team.partition(|robot| stranded(state, *robot) == Some(Plight::CutOff));
    let lost = |robot: &RobotId| state.world.bodies[*robot].down() || stranded(state, *robot).is_some();
    let lost: Vec<RobotId> = others.into_iter().filter(lost).collect();
    let able = staffing::crew(&model.team, task, spec, &lost);
    match silenced.first().filter(|_| able.is_some()) {
        Some(robot) => WhyIncomplete::CannotMove(*robot, Plight::CutOff),
        None => WhyIncomplete::NobodyAble(task),
    }
}

/// How a robot cannot move, in words that continue a sentence about it.
fn plight_words(plight: &Plight, model: &Model) -> String {
    Reason::Stuck(plight.clone()).text("", model)
}

/// The robot that cannot move and keeps an exclusive task, or one that has to be done before it.
fn kept(model: &Model, state: &State, task: TaskId) -> Option<WhyIncomplete> {
    if !teams::kind(state.coordinator(model)).is_some_and(|kind| kind.keeps) {
        return None;
    }
    let mut tasks = vec![task];
    // What has to be done before, and before that; the list grows while it is read.
    for place in 0.. {
        let Some(task) = tasks.get(place) else { break };
        let before = model.tasks[usize::from(task.0)].after.iter().filter(|task| !tasks.contains(task));
        let before: Vec<TaskId> = before.copied().collect();
        tasks.extend(before);
    }
    RobotId::team(model.team.len()).find_map(|robot| {
        let task = state.task_of(model, robot).filter(|task| tasks.contains(task))?;
        let keeps = model.tasks[usize::from(task.0)].exclusive && stranded(state, robot).is_some();
        keeps.then_some(WhyIncomplete::Kept(robot, task))
    })
}

/// The case that explains most; the time limit if nothing is stuck.
fn stuck(model: &Model, state: &State) -> WhyIncomplete {
    let now = state.now(model.tick);
    let watch = &state.stuck;
    let look = Look { model, state, now, risen: watch.risen, deed: watch.deed };
    let by_weight = |case: &&StuckCase| (weight(&case.plight), case.since);
    let cases = watch.cases().iter().chain(&watch.longest);
    let worst = cases.filter(|case| !case.plight.cannot_move()).min_by_key(by_weight);
    let still = now.since(watch.risen) >= look.patience();
    match worst {
        Some(case) if still || (case.until.is_none() && case.robot().is_some()) => {
            let task = if case.whose == Whose::Mission { commonest_task(model, state) } else { case.task };
            WhyIncomplete::Stuck(StuckCase { task, ..case.clone() })
        }
        None if still => WhyIncomplete::Stuck(StuckCase {
            task: commonest_task(model, state),
            ..StuckCase::new(Whose::Mission, Plight::NoProgress, watch.risen)
        }),
        _ => WhyIncomplete::TooShort,
    }
}

/// What kind of thing it is.
fn kind(what: Remains) -> &'static str {
    match what {
        Remains::Item(_) => "an item",
        Remains::Object(_) => "an object",
        Remains::Area(_) => "an area",
        Remains::Robot(_) => "the way of a robot",
        Remains::Floor(_) => "the floor",
    }
}

/// A thing that is left, in words.
fn thing(model: &Model, state: &State, what: Remains) -> String {
    let world = &state.world;
    let at = |place: crewlab_onboard::Vec2| format!("at ({:.1}, {:.1})", place.x, place.y);
    match what {
        Remains::Item(item) => {
            let lies = &world.items[item as usize];
            format!("item {item} ({}) {}", lies.kind, at(lies.position))
        }
        Remains::Object(id) => world.object(id).map_or("an object".into(), |object| object.name.clone()),
        Remains::Area(area) => world.areas[area as usize].name.to_string(),
        Remains::Robot(robot) => {
            let place = world.bodies[robot].pose.position;
            format!("{} {}", model.robot_name(robot), at(place))
        }
        Remains::Floor(_) => "the floor".into(),
    }
}

fn stuck_label(model: &Model, case: &StuckCase) -> String {
    let on = case.task.map_or(String::new(), |task| format!(", on {}", model.task(task)));
    let place = case.thing.as_ref().map_or(String::new(), |area| format!(" in the {area}"));
    match (&case.plight, case.whose) {
        (Plight::Blocked, _) => {
            let by = match (case.other, &case.thing) {
                (Some(_), _) => " by a robot",
                (None, Some(_)) => " by an obstacle",
                (None, None) => "",
            };
            format!("a robot is blocked{by}{on}")
        }
        (Plight::Circling, _) => format!("a robot circles{place}{on}"),
        (Plight::Waiting, _) => format!("a robot waits{on}"),
        (Plight::Neglected, Whose::Thing(Remains::Robot(_))) => "a robot is left behind, idle".into(),
        (Plight::Neglected, Whose::Thing(what)) => {
            let kind =
                case.thing.as_deref().filter(|_| matches!(what, Remains::Item(_))).unwrap_or(kind(what));
            format!("nobody goes for {kind} that is left{on}")
        }
        (Plight::Unstaffed(_), _) => format!("robots are idle and nobody works{on}"),
        (Plight::NoProgress, _) if case.task.is_none() => "no progress: every robot is idle".into(),
        (Plight::NoProgress, _) => format!("no progress: robots work in vain{on}"),
        (plight, _) => format!("a robot is stuck: {}", plight.name()),
    }
}
