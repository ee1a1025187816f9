//! The choice of a cup, and of a place to grasp it from.

use super::knowledge::{Cup, Knowledge};
use super::room::FRONT;
use super::trouble::Trouble;
use crewlab_onboard::Situation;
use crewlab_onboard::geometry::{Vec2, wrap};

/// Largest angle between handle and gripper that a robot relies on; the gripper itself tolerates a little more. [rad]
const HANDLE: f64 = 1.2;
/// Distance of the robot from the cup, as a share of its gripper's reach.
const STAND: f64 = 0.6;
/// Distances, as shares of the reach, at which it starts to grasp: while it can get nearer, and when something is in its way.
const BEGIN: (f64, f64) = (0.7, 0.93);
/// Directions that are tried around the best one, and distances as a share of the gripper's reach. [rad]
const AROUND: [(f64, f64); 9] = [
    (0.0, STAND),
    (0.5, STAND),
    (-0.5, STAND),
    (1.0, 0.89),
    (-1.0, 0.89),
    (1.8, STAND),
    (-1.8, STAND),
    (2.6, STAND),
    (-2.6, STAND),
];
/// Directions from which a cup on the counter can be taken: the first ones of these.
const FROM_FRONT: usize = 5;
/// Least distance of robots from each other, and from persons. [m]
const APART: f64 = 0.6;

/// Where to stand to grasp a cup, the best place first, or why there is none. Places occupied by team-mates come last. [m]
pub fn stands(known: &Knowledge, cup: &Cup, situation: &Situation) -> Result<Vec<Vec2>, Trouble> {
    let reach = known.reach(situation);
    let on_counter = known.briefing.room.on_counter(cup.at);
    let me = known.navigator.pose(situation).map_or(cup.at, |pose| pose.position);
    let handle = cup.handle.filter(|_| known.needs_handle);
    let best = if on_counter { FRONT } else { handle.unwrap_or_else(|| (me - cup.at).angle()) };
    let near_handle = |direction: f64| {
        !known.needs_handle || cup.handle.is_some_and(|handle| wrap(handle - direction).abs() <= HANDLE)
    };
    let seats = || known.guests.iter().filter(|guest| guest.here);
    let free =
        |at: Vec2| known.briefing.room.has_room(at) && seats().all(|guest| guest.at.distance(at) > APART);
    let directions = AROUND.iter().take(if on_counter { FROM_FRONT } else { AROUND.len() });
    let mut places: Vec<Vec2> = directions
        .map(|(turn, share)| (wrap(best + turn), share * reach))
        .filter(|(direction, _)| near_handle(*direction))
        .map(|(direction, distance)| cup.at + Vec2::unit(direction) * distance)
        .filter(|place| free(*place))
        .collect();
    places.sort_by_key(|place| known.mate_at(*place, APART, situation.now));
    if places.is_empty() { Err(Trouble::HandleAway) } else { Ok(places) }
}

/// The best place to stand to grasp a cup, or why there is none. [m]
pub fn stand(known: &Knowledge, cup: &Cup, situation: &Situation) -> Result<Vec2, Trouble> {
    stands(known, cup, situation).and_then(|places| places.first().copied().ok_or(Trouble::HandleAway))
}

/// True if the robot can start to grasp the cup from where it is; `blocked` if it gets no nearer.
pub fn at_hand(known: &Knowledge, cup: &Cup, blocked: bool, situation: &Situation) -> bool {
    let share = if blocked { BEGIN.1 } else { BEGIN.0 };
    let Some(pose) = known.navigator.pose(situation) else { return false };
    let towards = (pose.position - cup.at).angle();
    let handle =
        !known.needs_handle || cup.handle.is_some_and(|handle| wrap(handle - towards).abs() <= HANDLE);
    handle && pose.position.distance(cup.at) <= share * known.reach(situation)
}

/// The best cup of a drink for a person, or why there is none. Prefers `mine` if possible.
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
                    if mine == Some(cup.number) { -1.0 } else { known.navigator.time_to(place, situation) };
                if best.is_none_or(|(_, least)| time < least) {
                    best = Some((cup, time));
                }
            }
            Err(trouble) => why = trouble,
        }
    }
    best.map(|(cup, _)| cup).ok_or(why)
}
