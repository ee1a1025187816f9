//! dust-furniture: wanders, finds low pieces, and circles each with the duster arm until there is no dust on it.

use super::knowledge::Knowledge;
use super::talk::Talk;
use crewlab_navigation::{Extent, Visits};
use crewlab_onboard::geometry::{Vec2, wrap};
use crewlab_onboard::{Action, Command, Event, EventKind, Output, Side, Situation, Time};
use serde::{Deserialize, Serialize};
use std::f64::consts::{FRAC_PI_2, TAU};

/// Distance from the rim at which a piece is circled. [m]
const BESIDE: f64 = 0.15;
/// Something nearer than this to the rim is beside the robot. [m]
const CLOSE: f64 = 0.35;
/// A robot nearer than this to a piece's place should see it. [m]
const THERE: f64 = 0.6;
/// How long a robot waits for its sensors before it believes them. [s]
const SURE: f64 = 2.0;
/// A piece that is circled and not seen for this long must be searched for again. [s]
const OUT_OF_SIGHT: f64 = 8.0;
/// Time limit for reaching a piece, ... [s]
const TOO_LONG: f64 = 60.0;
/// ... and for reaching and dusting it. [s]
const MUCH_TOO_LONG: f64 = 240.0;
/// A robot that has wandered, and looked at what has no dust on it, for this long ... [s]
const FRUITLESS: f64 = 300.0;
/// ... does something else, if there is something, for this long, ... [s]
const WEARY: f64 = 120.0;
/// ... and for twice as long each time that it finds nothing again, up to this: other work must get done in between. [s]
const WEARIEST: f64 = 1920.0;
/// A wandering robot goes no farther than this at a time. [m]
const STROLL: f64 = 4.0;
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
enum Stage {
    /// Looking for something to dust, on the way to some point.
    #[default]
    Search,
    /// On the way to a piece.
    Approach(Vec2),
    /// Going round a piece.
    Circle(Vec2),
}

/// Dusts furniture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DustFurniture {
    stage: Stage,
    /// When this stage began.
    since: Time,
    /// When the robot set its mind on this piece.
    chosen: Time,
    /// The number of dusted pieces around it then.
    dusted: usize,
    /// The point a wandering robot goes to.
    stroll: Option<Vec2>,
    /// When it set out.
    set_out: Time,
    /// Where it was how often.
    visits: Visits,
    /// How often it was where.
    extent: Option<Extent>,
    /// True if there was dust on it.
    dusty: bool,
    /// Since when its dust sensor shows no dust.
    clean_since: Option<Time>,
    /// When the piece that is dusted was last seen beside the robot.
    seen: Option<Time>,
    /// The side on which the piece is kept.
    side: Side,
    /// How long the way ahead has been blocked. [s]
    blocked: f64,
    /// How long nothing to dust was found. [s]
    fruitless: f64,
    /// Until when the robot does not search any more.
    weary_until: Option<Time>,
    /// How long it will do something else when it has searched in vain again. [s]
    weary_for: f64,
}

impl Default for DustFurniture {
    fn default() -> Self {
        DustFurniture {
            stage: Stage::Search,
            since: Time::ZERO,
            chosen: Time::ZERO,
            dusted: 0,
            stroll: None,
            set_out: Time::ZERO,
            visits: Visits::default(),
            extent: None,
            dusty: false,
            clean_since: None,
            seen: None,
            side: Side::Left,
            blocked: 0.0,
            fruitless: 0.0,
            weary_until: None,
            weary_for: WEARY,
        }
    }
}

impl DustFurniture {
    /// True if some piece is not dusted yet, as far as the robot knows, and it has not searched in vain for long.
    pub fn applicable(&self, known: &Knowledge, situation: &Situation) -> bool {
        !known.all_dusted() && self.weary_until.is_none_or(|until| situation.now >= until)
    }

    /// Time to find, reach and dust a piece. [s]
    pub fn cost(known: &Knowledge, situation: &Situation) -> f64 {
        let place = known
            .navigator
            .pose(situation)
            .and_then(|pose| known.furniture.next(pose.position, situation.now));
        let way = match place {
            Some(place) => known.navigator.time_to(place, situation),
            None => 2.0 * STROLL / situation.me.datasheet.max_speed.max(1e-9),
        };
        way + 20.0
    }

    /// Starts again.
    pub fn start(&mut self, known: &mut Knowledge, situation: &Situation) {
        known.something_new();
        self.enter(Stage::Search, situation);
    }

    fn enter(&mut self, stage: Stage, situation: &Situation) {
        (self.stage, self.since, self.stroll) = (stage, situation.now, None);
        (self.clean_since, self.dusty) = (None, false);
        (self.extent, self.blocked, self.seen) = (None, 0.0, None);
    }

    /// The robot's action in this tick.
    pub fn act(&mut self, known: &mut Knowledge, situation: &Situation, out: &mut Output) -> Command {
        let Some(pose) = known.navigator.pose(situation) else { return known.navigator.stop() };
        self.visits.note(pose.position);
        if !matches!(self.stage, Stage::Circle(_)) {
            self.fruitless += situation.dt;
        }
        match self.stage {
            Stage::Search => self.search(pose.position, known, situation, out),
            Stage::Approach(place) => self.approach(place, known, situation, out),
            Stage::Circle(place) => self.circle(place, known, situation, out),
        }
    }

    /// Wanders, mostly to rarely visited places, until a dusty piece is known.
    fn search(
        &mut self,
        at: Vec2,
        known: &mut Knowledge,
        situation: &Situation,
        out: &mut Output,
    ) -> Command {
        if let Some(place) = known.furniture.next(at, situation.now) {
            (self.chosen, self.dusted) = (situation.now, known.furniture.dusted_near(place));
            self.enter(Stage::Approach(place), situation);
            return self.approach(place, known, situation, out);
        }
        known.keep_telling(Talk::Searching, situation.now, out);
        if self.fruitless > FRUITLESS {
            // Perhaps nothing is left and nobody reported it: do something else for a while.
            self.fruitless = 0.0;
            self.weary_until = Some(situation.now.after((self.weary_for * 1e9) as u64));
            self.weary_for = (2.0 * self.weary_for).min(WEARIEST);
            out.explain(
                Event::new(EventKind::SearchedInVain).saying("nothing to dust was found for a long time"),
            );
        }
        let arrived = self.stroll.is_none_or(|goal| goal.distance(at) < 0.4);
        if arrived || situation.now.since(self.set_out) > 25.0 {
            // A goal that was not reached is as good as visited: it may be behind a wall.
            if let Some(missed) = self.stroll.filter(|_| !arrived) {
                self.visits.count_in(missed);
            }
            (self.stroll, self.set_out) = (self.wander(at, known, out), situation.now);
        }
        let command = self.stroll.and_then(|goal| known.go_to(goal, 0.0, situation, out));
        command.unwrap_or_else(|| {
            if let Some(goal) = self.stroll.take() {
                self.visits.count_in(goal);
            }
            known.navigator.stop()
        })
    }

    /// A random point nearby, the least visited of a few.
    fn wander(&self, at: Vec2, known: &Knowledge, out: &mut Output) -> Option<Vec2> {
        let mut best: Option<(u32, Vec2)> = None;
        for _ in 0..8 {
            let distance = out.random.between(1.0, STROLL);
            let goal = at + Vec2::unit(out.random.between(0.0, TAU)) * distance;
            let visits = self.visits.at(goal);
            let stands = known.chart.stands(known.chart.place(goal));
            if stands && best.is_none_or(|(fewest, _)| visits < fewest) {
                best = Some((visits, goal));
            }
        }
        best.map(|(_, goal)| goal)
    }

    fn approach(
        &mut self,
        place: Vec2,
        known: &mut Knowledge,
        situation: &Situation,
        out: &mut Output,
    ) -> Command {
        let Some(pose) = known.navigator.pose(situation) else { return known.navigator.stop() };
        if known.furniture.claimant(place, situation.now).is_some() || known.all_dusted() {
            self.enter(Stage::Search, situation);
            return known.navigator.stop();
        }
        let low = known.low_thing(situation, &pose).filter(|low| low.distance(place) < 1.0);
        let radius = situation.me.datasheet.radius;
        let towards = pose.bearing(place);
        let close = known.nearest(situation, |angle| wrap(angle - towards).abs() < 1.0);
        let beside = low.is_some_and(|low| low.distance(pose.position) < radius + CLOSE)
            || (known.dusty() && close.is_some_and(|(_, range)| range < CLOSE));
        if beside && known.dusty() {
            self.enter(Stage::Circle(place), situation);
            known.something_new();
            return self.circle(place, known, situation, out);
        }
        let there = pose.position.distance(place) < THERE;
        if (there || beside) && !known.dusty() {
            let since = *self.clean_since.get_or_insert(situation.now);
            if situation.now.since(since) > SURE {
                return match low {
                    Some(_) => self.conclude(false, place, known, situation, out),
                    None => self.give_up(place, known, situation),
                };
            }
        } else {
            self.clean_since = None;
        }
        let late =
            situation.now.since(self.since) > TOO_LONG || situation.now.since(self.chosen) > MUCH_TOO_LONG;
        if late {
            return self.give_up(place, known, situation);
        }
        if there {
            return known.navigator.creep((place - pose.position).angle(), situation);
        }
        known
            .go_to(place, 0.9, situation, out)
            .unwrap_or_else(|| known.navigator.go_to(place, situation, out))
    }

    /// Nothing can be dusted there now: looks elsewhere.
    fn give_up(&mut self, place: Vec2, known: &mut Knowledge, situation: &Situation) -> Command {
        known.furniture.shelve(place, situation.now);
        self.enter(Stage::Search, situation);
        known.navigator.stop()
    }

    /// Circles a piece with the arm on it.
    fn circle(
        &mut self,
        place: Vec2,
        known: &mut Knowledge,
        situation: &Situation,
        out: &mut Output,
    ) -> Command {
        let Some(pose) = known.navigator.pose(situation) else { return known.navigator.stop() };
        if let Some(low) = known.low_thing(situation, &pose).filter(|low| low.distance(place) < 1.2) {
            self.extent = Some(self.extent.unwrap_or(Extent::of(low)).with(low));
            if low.distance(pose.position) < situation.me.datasheet.radius + 0.4 {
                self.seen = Some(situation.now);
            }
        }
        if known.dusty() {
            self.seen = Some(situation.now);
        }
        let middle = self.extent.map_or(place, |extent| extent.middle());
        let inwards = pose.bearing(middle);
        let nearest = known.nearest(situation, |angle| wrap(angle - inwards).abs() < 1.3);
        let unseen = situation.now.since(self.seen.unwrap_or(self.since));
        let beside = unseen < 1.5 && nearest.is_some_and(|(_, range)| range < 0.3);
        if let Some(verdict) = self.examine(beside, known, situation) {
            return self.conclude(verdict, middle, known, situation, out);
        }
        let mine = situation.me.id;
        if known.furniture.claimant(middle, situation.now).is_some_and(|other| other < mine) {
            self.enter(Stage::Search, situation);
            return known.navigator.stop();
        }
        if self.dusty {
            if beside {
                known.furniture.find_dust(middle);
            }
            known.keep_telling(Talk::Dusting(middle), situation.now, out);
        }
        let far = pose.position.distance(middle) > 2.0;
        if situation.now.since(self.chosen) > MUCH_TOO_LONG {
            return self.give_up(place, known, situation);
        }
        if far || unseen > OUT_OF_SIGHT {
            self.enter(Stage::Approach(place), situation);
            return known.navigator.stop();
        }
        let command = self.go_round(nearest.unwrap_or((inwards, 0.5)), known, situation, out);
        match known.arm {
            Some(arm) => command.with(arm, Action::WorkOn(self.side)),
            None => command,
        }
    }

    /// Drives along the piece, the nearest point of which is in this direction and at this distance. [rad], [m]
    fn go_round(
        &mut self,
        (bearing, range): (f64, f64),
        known: &mut Knowledge,
        situation: &Situation,
        out: &mut Output,
    ) -> Command {
        let Some(pose) = known.navigator.pose(situation) else { return known.navigator.stop() };
        let sign = if self.side == Side::Left { 1.0 } else { -1.0 };
        // Straight along at the right distance, towards it when too far, away from it when too near.
        let correction = (2.5 * (range - BESIDE)).clamp(-0.5, 0.9);
        let wanted = wrap(bearing - sign * (FRAC_PI_2 - correction));
        let aim = pose.position + Vec2::unit(pose.heading + wanted) * 0.5;
        let command = known.navigator.go_to(aim, situation, out);
        // Something else is in the way: circle in the other direction.
        let deviates = command.speed < 0.05 || (command.turn * wanted < 0.0 && command.turn.abs() > 1.0);
        self.blocked = if deviates { self.blocked + situation.dt } else { 0.0 };
        if self.blocked > 4.0 {
            self.blocked = 0.0;
            self.side = if self.side == Side::Left { Side::Right } else { Side::Left };
        }
        command
    }

    /// True if the piece is dusted, false if it was never dusty; `None` while that is open.
    fn examine(&mut self, beside: bool, known: &Knowledge, situation: &Situation) -> Option<bool> {
        if known.dusty() {
            (self.dusty, self.clean_since) = (true, None);
            return None;
        }
        if !beside {
            // Too far away to tell.
            self.clean_since = None;
            return None;
        }
        let since = *self.clean_since.get_or_insert(situation.now);
        // A robot that has drifted away from its piece must not believe that it has dusted it.
        let sure = if self.dusty { 2.0 * SURE } else { SURE };
        (situation.now.since(since) > sure).then_some(self.dusty)
    }

    fn conclude(
        &mut self,
        dusted: bool,
        middle: Vec2,
        known: &mut Knowledge,
        situation: &Situation,
        out: &mut Output,
    ) -> Command {
        let (Stage::Approach(place) | Stage::Circle(place)) = self.stage else {
            return known.navigator.stop();
        };
        // A team-mate has reported it meanwhile, from another side.
        let reported = known.furniture.dusted_near(place) > self.dusted;
        let event = if reported {
            Event::new(EventKind::NotDusty).saying("a team-mate has just dusted it")
        } else if dusted || known.furniture.find_no_dust(middle) {
            known.furniture.dust(middle);
            known.tell(Talk::Dusted(middle), out);
            if dusted {
                (self.fruitless, self.weary_for) = (0.0, WEARY);
            }
            Event::new(EventKind::Dusted).saying("the dust sensor shows no dust any more")
        } else {
            Event::new(EventKind::NotDusty).saying("the dust sensor shows no dust on what is low")
        };
        known.furniture.shelve(place, situation.now);
        out.explain(event.at(middle));
        known.something_new();
        self.enter(Stage::Search, situation);
        known.navigator.stop()
    }
}
