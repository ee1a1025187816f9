//! What a walking robot knows.

use super::FormationBriefing;
use super::colour::{Colour, Mark};
use super::eye::Eye;
use super::role::{Phase, Role};
use super::talk::{Count, Status};
use crewlab_onboard::{Body, EffectorId, Identity, Message, Output, RobotId, Situation, Time};
use serde::{Deserialize, Serialize};

/// Time between two messages. [s]
const PERIOD: f64 = 1.0;
/// What was heard longer ago than this does not count. [s]
const SILENCE: f64 = 3.0;
/// A robot that walks and has not seen its colour for this long has lost it. [s]
const LOST: f64 = 1.5;
/// How long a robot that comes to a walk from elsewhere looks for its colour: once around. [s]
const LOOK: f64 = 12.0;
/// How long a robot waits for those behind it. [s]
const PATIENCE: f64 = 20.0;
/// Distance from the paper at which a robot has arrived. [m]
const NEAR: f64 = 0.8;
/// Distance of the last robot of a line from the wall. [m]
const CLEARANCE: f64 = 0.4;

/// What a team-mate has told.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Mate {
    from: RobotId,
    at: Time,
    status: Status,
}

/// A robot's knowledge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Knowledge {
    pub(super) briefing: FormationBriefing,
    pub(super) eye: Eye,
    /// Its own marker. Robots without one are white.
    pub(super) colour: Colour,
    legs: Option<EffectorId>,
    /// What it does.
    pub(super) role: Option<Role>,
    /// When it began that. It is another number for every time it begins.
    began: Time,
    /// How far it has walked since then, by its own commands. [m]
    pub(super) steps: f64,
    /// Since when it has stood where it should.
    pub(super) settled: Option<Time>,
    /// True while a robot whose software has started on its feet, and so in the middle of the mission, has not found its colour.
    pub(super) returned: bool,
    /// When it stood up.
    pub(super) stood: Option<Time>,
    /// When it found its colour; `None` again once it has lost it.
    pub(super) found: Option<Time>,
    /// When the triangle was walked.
    pub(super) walked: Option<Time>,
    /// How many walks of the triangle have ended, as far as it knows.
    walks: Count,
    /// When it took its place in the line.
    pub(super) lined_up: Option<Time>,
    /// When the room was crossed.
    pub(super) crossed: Option<Time>,
    /// How many crossings have ended, as far as it knows.
    crossings: Count,
    /// When it lay down at the end.
    pub(super) lain: Option<Time>,
    /// The paper on the wall at which the team was last.
    here: Colour,
    /// True if it is at that wall, so that a line needs room.
    at_wall: bool,
    mates: Vec<Mate>,
    said: Option<(Time, Status)>,
}

impl Knowledge {
    /// What a robot knows at the start.
    pub fn new(briefing: &FormationBriefing, me: &Identity) -> Knowledge {
        let shown = me.datasheet.effectors.iter().find_map(|effector| Colour::of(&effector.colour));
        Knowledge {
            briefing: briefing.clone(),
            eye: Eye::new(me),
            colour: shown.unwrap_or(Colour::White),
            legs: me.datasheet.effector("legs"),
            role: None,
            began: Time::ZERO,
            steps: 0.0,
            settled: None,
            returned: false,
            stood: None,
            found: None,
            walked: None,
            walks: Count::default(),
            lined_up: None,
            crossed: None,
            crossings: Count::default(),
            lain: None,
            here: Colour::Yellow,
            at_wall: false,
            mates: Vec::new(),
            said: None,
        }
    }

    /// Learns from the percept and from messages.
    pub(super) fn learn(&mut self, situation: &Situation, inbox: &[Message]) {
        self.eye.look(situation);
        self.come_back(situation);
        for message in inbox {
            let Body::Knowledge(bytes) = &message.body else { continue };
            let known = message.from.index() < self.briefing.team;
            if let Some(status) = Status::decode(bytes).filter(|_| known) {
                self.hear(message.from, status, situation.now);
            }
        }
    }

    /// Software that starts again knows nothing of what it did before. That it stands it feels, and what it followed it can see.
    fn come_back(&mut self, situation: &Situation) {
        let unaware = self.stood.is_none() && self.role.is_none();
        if unaware && self.legs.is_some() && self.stands(situation) {
            (self.returned, self.stood) = (true, Some(situation.now));
            let search = if self.seeks_paper() { Role::SearchBlue } else { Role::SearchPink };
            self.mark_of(search, situation.now).into_iter().for_each(|mark| self.eye.look_for(mark));
        }
        if self.returned && self.eye.in_view(situation.now).is_some() {
            (self.returned, self.found) = (false, Some(situation.now));
        }
    }

    fn hear(&mut self, from: RobotId, status: Status, at: Time) {
        // Whoever is ahead knows that the way is done, and all others pass it on: its own word may be lost. A message may also be damaged,
        // so what others tell counts when they have told it twice.
        let before = self.mates.iter().find(|mate| mate.from == from).map(|mate| mate.status);
        let known = |told: Count, before: Option<Count>, ahead: Role, mine: Count| {
            before == Some(told) || (status.role == Some(ahead) && told.follows(mine))
        };
        let (walks, crossings) = (status.walks, status.crossings);
        if known(walks, before.map(|status| status.walks), Role::Lead, self.walks)
            && self.walks.catch_up(walks)
        {
            self.walked.get_or_insert(at);
        }
        if known(crossings, before.map(|status| status.crossings), Role::LineLead, self.crossings)
            && self.crossings.catch_up(crossings)
        {
            self.crossed.get_or_insert(at);
        }
        let ahead = status.role.is_some_and(|role| role.walks() && self.briefing.post(role).is_none());
        if ahead && status.here != self.here {
            (self.here, self.at_wall) = (status.here, true);
        }
        self.mates.retain(|mate| mate.from != from);
        self.mates.push(Mate { from, at, status });
    }

    /// Begins another role.
    pub(super) fn begin(&mut self, role: Role, now: Time) {
        (self.role, self.began, self.steps, self.settled) = (Some(role), now, 0.0, None);
        match role.phase() {
            // What comes later is to be done again.
            Some(Phase::Search) => {
                self.returned = false;
                (self.found, self.walked, self.lined_up, self.crossed) = (None, None, None, None)
            }
            Some(Phase::Triangle) => (self.walked, self.at_wall) = (None, false),
            Some(Phase::LineUp) => (self.lined_up, self.crossed) = (None, None),
            Some(Phase::Line) => self.crossed = None,
            _ => {}
        }
        if let Some(mark) = self.mark_of(role, now) {
            self.eye.look_for(mark);
        }
    }

    /// What a robot in this role follows or looks for.
    pub(super) fn mark_of(&self, role: Role, now: Time) -> Option<Mark> {
        let others = Colour::TEAM.into_iter().filter(|colour| *colour != self.colour);
        let usual = |place: usize| others.clone().nth(place).unwrap_or(Colour::Pink);
        let ahead = |place: usize| {
            let heard = self.mates.iter().filter(|mate| now.within(mate.at, SILENCE));
            let there = |mate: &&Mate| mate.status.role.and_then(Role::place) == Some(place);
            heard.filter(there).map(|mate| mate.status.colour).find(|colour| *colour != self.colour)
        };
        match role {
            Role::SearchBlue | Role::Lead => Some(Mark::Paper(Colour::Blue)),
            Role::SearchPink | Role::FollowLeft | Role::FollowRight => Some(Mark::Robot(usual(0))),
            Role::LineUpFirst | Role::LineLead => Some(Mark::Paper(self.far_wall())),
            _ => role.place().map(|place| Mark::Robot(ahead(place - 1).unwrap_or(usual(place - 1)))),
        }
    }

    /// The paper on the wall to which a line walks.
    fn far_wall(&self) -> Colour {
        if self.here == Colour::Blue { Colour::Yellow } else { Colour::Blue }
    }

    /// True if it is the robot that looks for the paper on the wall, and that the others look for.
    pub(super) fn seeks_paper(&self) -> bool {
        self.colour == Colour::Pink
    }

    /// True if it stands.
    pub(super) fn stands(&self, situation: &Situation) -> bool {
        self.stance(situation) >= 1.0
    }

    /// How far it has stood up, from 0 to 1.
    pub(super) fn stance(&self, situation: &Situation) -> f64 {
        self.legs.map_or(1.0, |legs| situation.percept.feedback(legs))
    }

    /// Its legs, if it has any.
    pub(super) fn legs(&self) -> Option<EffectorId> {
        self.legs
    }

    /// True if it has not seen its colour since it began.
    pub(super) fn seeks(&self, now: Time) -> bool {
        let span = now.since(self.began.min(now)).min(LOOK);
        self.eye.lately(now, span).is_none()
    }

    /// True if it walks and has lost its colour. What it has not seen since it began it looks for first.
    pub(super) fn lost(&self, now: Time) -> bool {
        let patience = if self.seeks(now) { LOOK } else { LOST };
        self.role.is_some_and(Role::walks)
            && self.eye.lately(now, patience).is_none()
            && now.since(self.began) > patience
    }

    /// True if it is at the wall whose paper it looks at.
    pub(super) fn arrived(&self, now: Time) -> bool {
        let near = self.eye.in_view(now).is_some_and(|seen| seen.distance <= NEAR);
        near && matches!(self.eye.mark(), Some(Mark::Paper(_)))
    }

    /// True if the robot ahead in the line has its place, as far as it has told.
    pub(super) fn settled_ahead(&self, now: Time) -> bool {
        let Some(place) = self.role.and_then(Role::place) else { return true };
        let ahead =
            |mate: &&Mate| mate.status.role.and_then(Role::place).is_some_and(|other| other + 1 == place);
        let mut heard = self.mates.iter().filter(|mate| now.within(mate.at, SILENCE)).filter(ahead);
        heard.all(|mate| mate.status.lined_up)
    }

    /// How far the first of a line still has to walk, so that there is room behind it. [m]
    pub(super) fn room_to_make(&self) -> f64 {
        let needed =
            if self.at_wall { (2.0 * self.briefing.spacing + CLEARANCE - NEAR).max(0.0) } else { 0.0 };
        (needed - self.steps).max(0.0)
    }

    /// True if a robot behind does not see its colour, or is not there yet: who is ahead waits for it, but not for ever.
    pub(super) fn waits(&self, now: Time) -> bool {
        let phase = self.role.and_then(Role::phase);
        let behind = |status: &Status| match status.role.and_then(Role::phase) {
            Some(other) if Some(other) == phase => !status.sees,
            other => other < phase,
        };
        let mut heard = self.mates.iter().filter(|mate| now.within(mate.at, SILENCE));
        now.since(self.began) < PATIENCE && heard.any(|mate| behind(&mate.status))
    }

    /// Notes that the triangle has been walked.
    pub(super) fn end_walk(&mut self, now: Time) {
        if self.walked.is_none() {
            self.walked = Some(now);
            self.walks.count();
        }
    }

    /// Notes that the room has been crossed.
    pub(super) fn end_crossing(&mut self, now: Time) {
        if self.crossed.is_none() {
            self.crossed = Some(now);
            self.crossings.count();
        }
    }

    /// Notes that the team is at the wall whose paper it has walked to.
    pub(super) fn reach_wall(&mut self) {
        if let Some(Mark::Paper(colour)) = self.eye.mark() {
            (self.here, self.at_wall) = (colour, true);
        }
    }

    /// Tells the others about itself, if something has changed or from time to time.
    pub(super) fn tell(&mut self, situation: &Situation, out: &mut Output) {
        let now = situation.now;
        let status = Status {
            colour: self.colour,
            role: self.role,
            sees: self.eye.in_view(now).is_some(),
            walks: self.walks,
            lined_up: self.lined_up.is_some(),
            crossings: self.crossings,
            here: self.here,
        };
        let known = self.said.is_some_and(|(at, said)| said == status && now.within(at, PERIOD));
        if !known {
            self.said = Some((now, status));
            out.say(Body::Knowledge(status.encode()));
        }
    }
}
