//! What robots and the base have found out, compared with the world.

use crate::Minds;
use crewlab_onboard::{Belief, Findings, RobotId};
use crewlab_skills::explore_building::BASE;
use crewlab_world::World;

/// Share of the floor that the base knows to be free.
pub(super) const KNOWN: &str = "known";
/// The same, known to anybody.
pub(super) const KNOWN_BY_ANY: &str = "known-by-any";
/// Area that the base takes for an obstacle although a robot can stand there. [m²]
pub(super) const ERRORS: &str = "errors";
/// Share of what was seen that several have seen.
pub(super) const OVERLAP: &str = "overlap";
/// Bytes sent about maps.
pub(super) const BYTES: &str = "bytes";

/// A figure, as it was when maps were last compared.
pub(super) fn figure(world: &World, name: &str) -> f64 {
    world.areas.iter().find_map(|area| area.properties.value(name)).unwrap_or(0.0)
}

/// Compares all maps with the world and keeps the figures.
pub(super) fn inspect(world: &mut World, minds: &dyn Minds) {
    let all: Vec<(bool, &dyn Findings)> = RobotId::enumerate(&world.bodies)
        .filter_map(|(robot, body)| Some((&*body.robot_type == BASE, minds.findings(robot)?)))
        .collect();
    let bases = || all.iter().filter(|(base, _)| *base).map(|(_, findings)| findings);
    let Some(floor) = world.floors.first_mut() else { return };
    // A base that is down keeps what it has, but nobody can ask it.
    floor.record(|place| bases().any(|base| base.at(place) == Belief::Free));
    let (mut total, mut any, mut wrong, mut seen, mut often) = (0_u32, 0_u32, 0_u32, 0_u32, 0_u32);
    for place in floor.counted() {
        total += 1;
        any += u32::from(all.iter().any(|(_, findings)| findings.at(place) == Belief::Free));
        wrong += u32::from(bases().any(|base| base.at(place) == Belief::Occupied));
        let times = all.iter().filter(|(_, findings)| findings.seen(place)).count();
        seen += u32::from(times > 0);
        often += u32::from(times > 1);
    }
    let known = total - floor.left(|_| false).count() as u32;
    let share = |part: u32, whole: u32| if whole == 0 { 0.0 } else { f64::from(part) / f64::from(whole) };
    let bytes: u64 = all.iter().map(|(_, findings)| findings.told()).sum();
    let figures = [
        (KNOWN, share(known, total)),
        (KNOWN_BY_ANY, share(any, total)),
        (ERRORS, f64::from(wrong) * floor.cell_area()),
        (OVERLAP, share(often, seen)),
        (BYTES, bytes as f64),
    ];
    for (name, value) in figures {
        if let Some(place) = world.areas.iter_mut().find_map(|area| area.properties.value_mut(name)) {
            *place = value;
        }
    }
}
