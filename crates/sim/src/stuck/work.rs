//! The work that is left: who goes for it, and who works on its tasks.

use super::Look;
use super::case::{StuckCase, Whose};
use super::track::stranded;
use crate::model::Model;
use crate::staffing;
use crate::state::State;
use crewlab_missions::{Leftover, Remains};
use crewlab_onboard::{Plight, RobotId, TaskId, Time, Vec2};
use serde::{Deserialize, Serialize};

/// Somebody who works within this distance of a thing, beside two radii of its body, goes for it. [m]
const NEAR: f64 = 0.5;
/// Largest number of things that are told of at a time; the others are counted.
const MOST_THINGS: usize = 3;

/// Since when nobody goes for a thing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Attention {
    what: Remains,
    place: Vec2,
    since: Time,
}

/// The work that is left.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Work {
    attention: Vec<Attention>,
    /// When somebody last worked on each task.
    worked: Vec<Time>,
}

impl Work {
    /// Notes that somebody works on a task.
    pub(super) fn note(&mut self, now: Time, model: &Model, task: TaskId) {
        self.worked.resize(model.tasks.len(), Time::ZERO);
        for (place, spec) in model.tasks.iter().enumerate() {
            // Who does a part of a plan works on the whole.
            if place == usize::from(task.0) || spec.plans.iter().any(|plan| plan.parts.contains(&task)) {
                self.worked[place] = now;
            }
        }
    }

    /// Looks at the work that is left; returns what is stuck now. `open` is what was stuck before.
    pub(super) fn look(&mut self, look: &Look, open: &[StuckCase]) -> Vec<StuckCase> {
        let Look { model, state, now, .. } = *look;
        self.worked.resize(model.tasks.len(), Time::ZERO);
        let left = model.mission.left(&state.world, state.operator.open());
        if let Some(left) = &left {
            self.attend(look, left, open);
        }
        let was = |whose: Whose| open.iter().any(|case| case.whose == whose);
        let anybody = state.world.bodies.iter().any(|body| !body.down());
        if !anybody || left.as_ref().is_some_and(Vec::is_empty) {
            return Vec::new();
        }
        let mut cases = Vec::new();
        // A standstill ends when there is progress, not when somebody does something.
        let told = open.iter().any(|case| case.whose == Whose::Mission && case.since == look.risen);
        if told || look.stands_still() {
            cases.push(StuckCase {
                task: commonest_task(model, state),
                ..StuckCase::new(Whose::Mission, Plight::NoProgress, look.risen)
            });
        }
        let left = left.unwrap_or_default();
        let patience = look.patience();
        let due = |whose: Whose, since: Time| {
            let long = now.since(since) >= patience;
            long && (!cases.is_empty() || was(whose))
        };
        let mut things = Vec::new();
        for (leftover, attention) in left.iter().zip(&self.attention) {
            let waits =
                !leftover.tasks.is_empty() && leftover.tasks.iter().all(|task| self.waits(look, *task));
            if !waits && due(Whose::Thing(leftover.what), attention.since) {
                things.push(neglected(look, leftover, attention.since));
            }
        }
        let mut tasks: Vec<TaskId> = left.iter().flat_map(|leftover| leftover.tasks.clone()).collect();
        tasks.sort_unstable();
        tasks.dedup();
        tasks.retain(|task| !self.waits(look, *task));
        let tasks =
            tasks.into_iter().filter(|task| due(Whose::Task(*task), self.worked[usize::from(task.0)]));
        let unstaffed: Vec<StuckCase> =
            tasks.filter_map(|task| unstaffed(look, task, self.worked[usize::from(task.0)])).collect();
        // Those that were told of before stay.
        things.sort_by_key(|case: &StuckCase| (!was(case.whose), case.since, case.whose));
        let more = things.len().saturating_sub(MOST_THINGS);
        things.truncate(MOST_THINGS);
        if let Some(last) = things.last_mut() {
            last.more = more as u32;
        }
        cases.extend(things);
        cases.extend(unstaffed);
        cases
    }

    /// True if a task has to wait for another one that somebody has worked on lately.
    fn waits(&self, look: &Look, task: TaskId) -> bool {
        let lately = |before: &TaskId| look.now.since(self.worked[usize::from(before.0)]) < look.patience();
        look.model.tasks[usize::from(task.0)].after.iter().any(lately)
    }

    /// Updates who goes for what; afterwards there is one entry per leftover, in their order.
    fn attend(&mut self, look: &Look, left: &[Leftover], open: &[StuckCase]) {
        let working = working(look);
        let mut before = std::mem::take(&mut self.attention);
        before.sort_unstable_by_key(|attention| attention.what);
        let attention = left.iter().map(|leftover| {
            let Leftover { what, place, .. } = *leftover;
            let known = before.binary_search_by_key(&what, |attention| attention.what);
            let known = known.ok().map(|index| before[index]).filter(|known| known.place == place);
            let since = known.filter(|_| !goes_for(look, open, &working, leftover)).map(|known| known.since);
            Attention { what, place, since: since.unwrap_or(look.now) }
        });
        self.attention = attention.collect();
    }
}

/// The task that most robots work on; the first of several, `None` if everybody is idle.
pub(super) fn commonest_task(model: &Model, state: &State) -> Option<TaskId> {
    let mut counts = vec![0u32; model.tasks.len()];
    for task in RobotId::team(model.team.len()).filter_map(|robot| state.task_of(model, robot)) {
        counts[usize::from(task.0)] += 1;
    }
    let most = counts.iter().copied().max().filter(|most| *most > 0)?;
    counts.iter().position(|count| *count == most).map(|task| TaskId(task as u16))
}

/// A robot at work: its place, its reach, and where it is heading.
struct Working {
    place: Vec2,
    near: f64,
    goal: Option<Vec2>,
}

fn working(look: &Look) -> Vec<Working> {
    let state = look.state;
    let at_work = RobotId::team(state.robots.len()).filter(|robot| state.active(*robot).is_some());
    let working = at_work.map(|robot| {
        let body = &state.world.bodies[robot];
        let goal = state.plan(robot).last().copied();
        Working { place: body.pose.position, near: 2.0 * body.radius + NEAR, goal }
    });
    working.collect()
}

/// True if somebody goes for a thing: holds it, works beside it, or is heading for it.
fn goes_for(look: &Look, open: &[StuckCase], working: &[Working], leftover: &Leftover) -> bool {
    let state = look.state;
    match leftover.what {
        Remains::Item(item) => {
            if let Some(holder) = state.world.items[item as usize].holder {
                let fast = |case: &StuckCase| case.whose == Whose::Robot(holder) && case.plight.cannot_move();
                return state.active(holder).is_some() && !open.iter().any(fast);
            }
        }
        // A robot that has to get somewhere is on its way while it works.
        Remains::Robot(robot) => return state.active(robot).is_some(),
        // Who works on the floor goes for all of it.
        Remains::Floor(_) => {
            let busy = |robot| {
                let task = state.task_of(look.model, robot);
                task.is_some_and(|task| leftover.tasks.contains(&task))
            };
            return RobotId::team(state.robots.len()).any(busy);
        }
        Remains::Object(_) | Remains::Area(_) => {}
    }
    let near = |robot: &Working, place: Vec2| place.distance(leftover.place) <= robot.near;
    working.iter().any(|robot| near(robot, robot.place) || robot.goal.is_some_and(|goal| near(robot, goal)))
}

fn neglected(look: &Look, leftover: &Leftover, since: Time) -> StuckCase {
    let world = &look.state.world;
    let thing = match leftover.what {
        Remains::Item(item) => Some(world.items[item as usize].kind.to_string()),
        Remains::Object(id) => world.object(id).map(|object| object.name.clone()),
        Remains::Area(area) => Some(world.areas[area as usize].name.to_string()),
        Remains::Robot(robot) => Some(look.model.robot_name(robot).to_string()),
        Remains::Floor(floor) => Some(format!("{} on the floor", world.floors[floor as usize].stock)),
    };
    StuckCase {
        task: leftover.tasks.first().copied().filter(|_| leftover.tasks.len() == 1),
        thing,
        place: Some(leftover.place),
        ..StuckCase::new(Whose::Thing(leftover.what), Plight::Neglected, since)
    }
}

/// The case of a task that nobody works on, if somebody idle could.
fn unstaffed(look: &Look, task: TaskId, since: Time) -> Option<StuckCase> {
    let Look { model, state, .. } = *look;
    let able = |robot: &RobotId| {
        let robot = *robot;
        let idle = !state.world.bodies[robot].down() && state.active(robot).is_none();
        idle && staffing::able(&model.team[robot], task) && stranded(state, robot).is_none()
    };
    let idle: Vec<RobotId> = RobotId::team(model.team.len()).filter(able).collect();
    let wanted = state.operator.wants(usize::from(task.0)) && !idle.is_empty();
    wanted.then(|| StuckCase {
        task: Some(task),
        ..StuckCase::new(Whose::Task(task), Plight::Unstaffed(idle), since)
    })
}
