//! Which cup to take, and from where.

use super::knowledge::{Cup, Knowledge};
use super::room::FRONT;
use super::trouble::Trouble;
use crewlab_onboard::Situation;
use crewlab_onboard::geometry::{Vec2, wrap};

/// Largest angle between handle and gripper that a robot relies on; the gripper itself can do a little more. [rad]
const HANDLE: f64 = 1.2;
/// How far from the cup a robot stands, as a share of what its gripper reaches.
const STAND: f64 = 0.68;
/// From this share on it can begin to grasp.
const BEGIN: f64 = 0.9;
/// Directions that are tried around the best one. [rad]
const AROUND: [f64; 9] = [0.0, 0.5, -0.5, 1.0, -1.0, 1.8, -1.8, 2.6, -2.6];

/// Where to stand to grasp a cup, or why that cannot be. [m]
pub fn stand(known: &Knowledge, cup: &Cup, situation: &Situation) -> Result<Vec2, Trouble> {
    let distance = STAND * known.reach(situation);
    let place = |direction: f64| cup.at + Vec2::unit(direction) * distance;
    let handle_side = |direction: f64| {
        !known.needs_handle || cup.handle.is_some_and(|handle| wrap(handle - direction).abs() <= HANDLE)
    };
    if known.room.on_counter(cup.at) {
        return if handle_side(FRONT) { Ok(place(FRONT)) } else { Err(Trouble::HandleAway) };
    }
    let me = known.pilot.pose(situation).map_or(cup.at, |pose| pose.position);
    let best = cup.handle.filter(|_| known.needs_handle).unwrap_or_else(|| (me - cup.at).angle());
    let seats = || known.guests.iter().filter(|guest| guest.here);
    let free = |at: Vec2| known.room.has_room(at) && seats().all(|guest| guest.at.distance(at) > 0.6);
    let mut directions =
        AROUND.iter().map(|turn| wrap(best + turn)).filter(|direction| handle_side(*direction));
    directions.find(|direction| free(place(*direction))).map(place).ok_or(Trouble::HandleAway)
}

/// True if the robot can begin to grasp the cup from where it is.
pub fn at_hand(known: &Knowledge, cup: &Cup, situation: &Situation) -> bool {
    let Some(pose) = known.pilot.pose(situation) else { return false };
    let towards = (pose.position - cup.at).angle();
    let handle =
        !known.needs_handle || cup.handle.is_some_and(|handle| wrap(handle - towards).abs() <= HANDLE);
    handle && pose.position.distance(cup.at) <= BEGIN * known.reach(situation)
}

/// The cup of a drink that the robot had best take for a person, or why there is none. It keeps to `mine` if it can.
pub fn choose<'a>(
    known: &'a Knowledge,
    drink: usize,
    person: u32,
    mine: Option<u32>,
    situation: &Situation,
) -> Result<&'a Cup, Trouble> {
    let mut why = Trouble::NoCup;
    let mut best: Option<(&Cup, f64)> = None;
    for cup in known.cups.iter().filter(|cup| cup.drink == drink && !cup.in_hand) {
        if known.claimed(cup.number, person, mine, situation.now) {
            continue;
        }
        match stand(known, cup, situation) {
            Ok(place) => {
                let time =
                    if mine == Some(cup.number) { -1.0 } else { known.pilot.time_to(place, situation) };
                if best.is_none_or(|(_, least)| time < least) {
                    best = Some((cup, time));
                }
            }
            Err(trouble) => why = trouble,
        }
    }
    best.map(|(cup, _)| cup).ok_or(why)
}
