//! What a walking robot offers to the conditions and bids of a team's plan.

use super::knowledge::Knowledge;
use super::role::Role;
use crewlab_onboard::{SignalSpec, Situation};

const fn signal(name: &'static str, summary: &'static str) -> SignalSpec {
    SignalSpec { name, summary }
}

/// The signals, in their order.
pub const SIGNALS: &[SignalSpec] = &[
    signal("sees-colour", "1 if it sees the colour that it follows or looks for, else 0"),
    signal(
        "lost",
        "1 if it walks and has not seen the colour that it follows for a while, or has not found it since it began, else 0",
    ),
    signal(
        "head-angle",
        "direction of the robot that it follows, as if it faced the same way (rad, left positive): the leftmost follower has the lowest; unknown if it follows a paper or does not see its colour",
    ),
    signal("leader-side", "how far to the left of the robot that it follows it is (m); unknown likewise"),
    signal("distance", "distance of the colour that it follows (m), at most the infrared's range"),
    signal("colour", "its own marker: 0 pink, 1 blue, 2 white"),
    signal("seeks-paper", "1 if it is the robot that looks for the paper on the wall, else 0"),
    signal("stands", "1 if it stands, 0 if it lies"),
    signal("walked", "how far it has walked since its work began (m)"),
    signal("arrived", "1 if it is at the wall to which it walks, else 0"),
    signal("lined-up", "1 if it has its place in the line, else 0"),
];

/// How old a sighting may be that signals are from. [s]
const MEMORY: f64 = 3.0;

impl Knowledge {
    /// The value of a signal, by its place.
    pub(super) fn signal(&self, signal: usize, situation: &Situation) -> Option<f64> {
        let now = situation.now;
        let flag = |value: bool| Some(f64::from(u8::from(value)));
        let seen = self.eye.lately(now, MEMORY);
        match SIGNALS.get(signal)?.name {
            "sees-colour" => flag(self.eye.in_view(now).is_some()),
            "lost" => flag(self.lost(now)),
            "head-angle" => seen.and_then(|seen| seen.head_angle()),
            "leader-side" => seen.filter(|seen| seen.facing.is_some()).map(|seen| seen.from_there().y),
            "distance" => seen.map(|seen| seen.distance),
            "colour" => Role::usual_place(self.colour).map(|place| place as f64),
            "seeks-paper" => flag(self.seeks_paper()),
            "stands" => flag(self.stands(situation)),
            "walked" => Some(self.steps),
            "arrived" => flag(self.arrived(now)),
            "lined-up" => flag(self.lined_up.is_some()),
            _ => None,
        }
    }
}
