//! push-left-end and push-right-end: a robot drives behind an end of the box and pushes it ahead of the other.

use super::carton::Carton;
use super::end::End;
use super::knowledge::Knowledge;
use crewlab_onboard::geometry::{Pose, Vec2, vec2};
use crewlab_onboard::{Behaviour, Command, Output, Situation, Time};
use serde::{Deserialize, Serialize};

/// Distance of a robot's rim from the end of the box. [m]
const INSET: f64 = 0.05;
/// Distance between the places at which a robot may push an end. [m]
const SPACING: f64 = 0.1;
/// Most places nearer to the middle than usual, and most at the corner.
const MOST: usize = 100;
/// How far beyond the end the middle of a robot may be that pushes a corner, in radii: farther it would slip off.
const BEYOND: f64 = 0.5;
/// Least distance from the middle at which a robot pushes, as a share of the length of the box: nearer it would hardly turn it.
const LEAST: f64 = 0.2;
/// Free distance between a robot that pushes and other things. [m]
const ELBOW: f64 = 0.06;
/// What the scanner sees this near to the box is the box. [m]
const SKIN: f64 = 0.08;
/// Share of the scanner's reach within which it sees something: beyond it may be noise.
const CERTAIN: f64 = 0.9;
/// Distance from which a robot drives straight to the box. [m]
const RUN_UP: f64 = 0.35;
/// How exactly it must be behind its place to begin. [m]
const BEHIND: f64 = 0.1;
/// How far it may get off its place while it pushes. [m]
const ASTRAY: f64 = 0.25;
/// How long a robot tries to push at a place before it takes another. [s]
const PATIENCE: f64 = 20.0;
/// Progress of a push that counts. [m]
const PROGRESS: f64 = 0.03;
/// How often it tries before it leaves the end to others for a while.
const ATTEMPTS: u32 = 3;
/// Least share of the pace: an end that is nearly far enough ahead is pushed slowly.
const SLOWEST: f64 = 0.3;
/// Distance over which a robot corrects its way. [m]
const AHEAD: f64 = 0.4;

/// Pushes an end of the box.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PushEnd {
    end: End,
    /// Which of its places it takes.
    choice: usize,
    /// Room for the robot at each of its places, at most as much as it needs, since something was in the way. [m]
    rooms: Vec<f64>,
    /// True while it drives straight against the box.
    pushing: bool,
    /// Since when it has tried to get behind its place, or to push there.
    since: Option<Time>,
    /// How often it has tried in vain.
    attempts: u32,
    /// How far it has pushed its end, along x. [m]
    best: Option<f64>,
}

impl PushEnd {
    /// Pushes this end.
    pub fn new(end: End) -> PushEnd {
        PushEnd { end, choice: 0, rooms: Vec::new(), pushing: false, since: None, attempts: 0, best: None }
    }

    /// The places at which it can push, best first: near the end, then nearer to the middle, then at the corner.
    fn places(&self, carton: &Carton, radius: f64) -> impl Iterator<Item = Vec2> {
        let (carton, side) = (*carton, self.end.side());
        let tip = carton.length / 2.0;
        let (usual, least) = (tip - radius - INSET, LEAST * carton.length);
        let steps = |way: f64| ((way / SPACING).ceil().max(0.0) as usize).min(MOST);
        let inwards = (0..=steps(usual - least)).map(move |n| (usual - SPACING * n as f64).max(least));
        let last = tip + BEYOND * radius;
        let outwards = (1..=steps(last - usual))
            .map(move |n| (usual + SPACING * n as f64).clamp(least, last.max(least)));
        inwards.chain(outwards).map(move |off| carton.behind(radius, side * off))
    }

    /// The place at which it pushes.
    fn place(&self, carton: &Carton, radius: f64) -> Vec2 {
        self.places(carton, radius).nth(self.choice).unwrap_or(carton.behind(radius, 0.0))
    }

    /// Takes the next place with enough room for the robot; if there is none, the one with most. What it has seen of them since the
    /// last progress counts, for from one place it does not see all of another.
    fn move_on(
        &mut self,
        in_vain: bool,
        carton: &Carton,
        me: &Pose,
        known: &Knowledge,
        situation: &Situation,
    ) {
        let places: Vec<Vec2> = self.places(carton, situation.me.datasheet.radius).collect();
        self.rooms.resize(places.len(), ELBOW);
        for (room, place) in self.rooms.iter_mut().zip(&places) {
            *room = room.min(PushEnd::room(*place, carton, me, known, situation));
        }
        if let Some(room) = self.rooms.get_mut(self.choice).filter(|_| in_vain) {
            *room = -carton.length;
        }
        let (rooms, count) = (&self.rooms, self.rooms.len());
        let next = (1..=count).map(|n| (self.choice + n) % count);
        let roomiest = next.reduce(|best, n| if rooms[n] > rooms[best] { n } else { best });
        self.choice = roomiest.unwrap_or(0);
    }

    /// Free distance around a robot at a place, or on its last way there, as far as the scanner sees. [m]
    fn room(place: Vec2, carton: &Carton, me: &Pose, known: &Knowledge, situation: &Situation) -> f64 {
        let (scan, radius) = (known.navigator.scan(situation), situation.me.datasheet.radius);
        let hits = scan.angles.iter().zip(scan.ranges).filter(|(_, range)| **range < CERTAIN * scan.reach);
        let rooms = hits.map(|(angle, range)| {
            let hit = me.position + Vec2::unit(me.heading + angle) * (radius + range);
            let hit = carton.seen_from(hit);
            let on_way = vec2(hit.x.clamp(place.x - RUN_UP, place.x), place.y);
            let behind = hit.x < -carton.depth / 2.0 - SKIN;
            if behind { hit.distance(on_way) - radius } else { f64::INFINITY }
        });
        rooms.fold(f64::INFINITY, f64::min)
    }
}

impl Behaviour<Knowledge> for PushEnd {
    fn applicable(&self, known: &Knowledge, situation: &Situation) -> bool {
        known.lags(self.end, situation.now)
    }

    fn cost(&self, known: &Knowledge, situation: &Situation) -> f64 {
        let Some(carton) = known.carton() else { return f64::INFINITY };
        let radius = situation.me.datasheet.radius;
        let place = carton.place(self.place(carton, radius));
        let push = known.briefing.lead - carton.lead(self.end, known.briefing.lane);
        known.navigator.time_to(place, situation) + push.max(0.0) / known.briefing.pace
    }

    fn start(&mut self, _known: &Knowledge, _situation: &Situation) {
        *self = PushEnd::new(self.end);
    }

    fn act(&mut self, known: &mut Knowledge, situation: &Situation, out: &mut Output) -> Command {
        let (Some(carton), Some(me)) = (known.carton().copied(), known.navigator.pose(situation)) else {
            return known.navigator.stop();
        };
        let radius = situation.me.datasheet.radius;
        let late = !situation.now.within(*self.since.get_or_insert(situation.now), PATIENCE);
        self.attempts += u32::from(late);
        if self.attempts >= ATTEMPTS {
            known.leave(self.end, situation.now);
        }
        let place = self.place(&carton, radius);
        let taken = PushEnd::room(place, &carton, &me, known, situation) < ELBOW;
        if late || taken {
            self.move_on(late, &carton, &me, known, situation);
        }
        if late {
            self.since = None;
        }
        let place = self.place(&carton, radius);
        let at = carton.seen_from(me.position);
        let (off, back) = ((at.y - place.y).abs(), place.x - at.x);
        let limit = if self.pushing { ASTRAY } else { BEHIND };
        self.pushing = off < limit && (-radius..1.5 * RUN_UP).contains(&back);
        if !self.pushing {
            return known.go_behind(place - vec2(RUN_UP, 0.0), situation, out);
        }
        let lead = carton.lead(self.end, known.briefing.lane) / known.briefing.lead;
        let ahead = carton.place(vec2(0.0, self.end.side() * carton.length / 2.0)).x;
        if self.best.is_none_or(|best| ahead > best + PROGRESS) {
            (self.since, self.attempts, self.best) = (None, 0, Some(ahead));
            self.rooms.clear();
        }
        let pace = known.briefing.pace * (1.0 - lead).clamp(SLOWEST, 1.0);
        let direction = carton.pose.heading + vec2(AHEAD, place.y - at.y).angle();
        known.navigator.press(direction, pace, situation)
    }
}
