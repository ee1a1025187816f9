//! Warnings about a scenario that can run, but hardly as its author wants.

use super::text::{Diagnostic, SpanIndex};
use crewlab_sim::onboard::Performer;
use crewlab_sim::{Member, Model, State};

/// A position that is off by more than this many radii of its robot is hardly one.
const USABLE: f64 = 4.0;

/// Robots that talk for longer about each piece of work lose much time. [s]
const TALK: f64 = 1.0;

/// Everything doubtful about a run that could start.
pub(super) fn about(model: &Model, state: &State, spans: &SpanIndex) -> Vec<Diagnostic> {
    let of_mission = model.mission.warnings(&state.world).into_iter().map(Diagnostic::warning);
    let of_team = [
        long_tick(model, state, spans),
        slow_talks(model, spans),
        vague_positions(model, state),
        idle_filter(model, spans),
    ];
    of_mission.chain(of_team.into_iter().flatten()).collect()
}

/// A particle filter that no robot has.
fn idle_filter(model: &Model, spans: &SpanIndex) -> Option<Diagnostic> {
    let used = model.team.iter().any(|member| member.identity.datasheet.locates_itself());
    if used || !spans.contains("team.slam") {
        return None;
    }
    let message = "`slam` has no effect: no robot locates itself";
    let help =
        ["a robot does so that has `odometry` and `range-scanner`, and not both `position` and `compass`"];
    Some(Diagnostic::warning(message).at(spans.find_key("team.slam")).with_help(help))
}

/// A tick in which some robot drives farther than its controller looks ahead.
fn long_tick(model: &Model, state: &State, spans: &SpanIndex) -> Option<Diagnostic> {
    let mut shortest: Option<(f64, f64, &Member)> = None;
    for (member, robot) in model.team.iter().zip(&state.robots) {
        let look = robot.software.performer.controller().map_or(f64::INFINITY, |it| it.look_ahead());
        let longest = look / member.identity.datasheet.max_speed.max(1e-9);
        if shortest.is_none_or(|(shortest, ..)| longest < shortest) {
            shortest = Some((longest, look, member));
        }
    }
    let (longest, look, member) = shortest?;
    let way = member.identity.datasheet.max_speed * model.dt();
    // A little slack for rounding.
    if way <= look * 1.001 {
        return None;
    }
    let message = format!(
        "robot `{}` drives up to {way:.2} m in a tick, but its controller `{}` looks only {look:.2} m ahead: \
         it will run into things and past its goals",
        member.identity.name, member.controller
    );
    let help = [format!("take a tick of at most {:.0} ms, or a longer `look-ahead`", longest * 1e3)];
    Some(Diagnostic::warning(message).at(spans.find("run.tick")).with_help(help))
}

/// A tick with which a coordinator talks so long about a piece of work that it matters.
fn slow_talks(model: &Model, spans: &SpanIndex) -> Option<Diagnostic> {
    let kind = crewlab_sim::teams::kind(&model.coordinator)?;
    let talks = f64::from((kind.talks)(&model.parameters));
    let takes = talks * model.dt();
    if takes <= TALK || model.team.len() < 2 {
        return None;
    }
    let message = format!(
        "robots begin to work {takes:.1} s after a task is announced: `{}` takes up to {talks} messages one after the other, and each \
         is heard a tick after it was sent",
        kind.name
    );
    let help = [format!("with a tick of at most {:.0} ms it takes less than {TALK} s", TALK / talks * 1e3)];
    Some(Diagnostic::warning(message).at(spans.find("run.tick")).with_help(help))
}

/// A sensor of position whose noise is large compared with the robot, at least in a part of the world.
fn vague_positions(model: &Model, state: &State) -> Option<Diagnostic> {
    let bounds = &state.world.bounds;
    let farthest = [bounds.min.x, bounds.min.y, bounds.max.x, bounds.max.y]
        .map(f64::abs)
        .into_iter()
        .fold(0.0, f64::max);
    let error = |member: &Member| {
        let sensors = member.identity.datasheet.sensors.iter().filter(|sensor| sensor.kind == "position");
        sensors.map(|sensor| sensor.relative_noise * farthest + sensor.absolute_noise).reduce(f64::min)
    };
    let (error, member) = model.team.iter().find_map(|member| {
        let error = error(member).filter(|error| *error > USABLE * member.identity.datasheet.radius)?;
        Some((error, member))
    })?;
    let message = format!(
        "the position that robot `{}` measures is off by up to {error:.1} m (standard deviation): it will work mostly by dead \
         reckoning, be slower, miss places that it takes for done, and perhaps not finish in time",
        member.identity.name
    );
    let help =
        ["noise as a share grows with the distance from the origin of the world; `absolute-noise` does not"];
    Some(Diagnostic::warning(message).with_help(help))
}
