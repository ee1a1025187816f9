//! A janitor's knowledge and senses, and the messages between janitors.

use super::JanitorBriefing;
use super::ears::Ear;
use super::furniture::Furniture;
use super::room::Room;
use super::talk::{Talk, Word};
use crate::Navigator;
use crewlab_control::AnyController;
use crewlab_navigation::{Chart, Extent};
use crewlab_onboard::geometry::{Pose, Vec2};
use crewlab_onboard::{
    Body, Command, EffectorId, Event, EventKind, Identity, Message, Output, Reading, RobotId, SensorId,
    SensorSheet, Situation, Time, WorkState,
};
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// Work that was done or heard of within this time goes on. [s]
const AT_WORK: f64 = 10.0;
/// Interval at which finished work is announced again, one item at a time. [s]
const RETELL: f64 = 6.0;
/// Interval at which current work is announced. [s]
const TELL: f64 = 3.0;
/// The part of the range within which something low must be to be noticed, and how near two glimpses must be. [m]
const GLIMPSE: f64 = 0.4;
/// The middle of a piece is at least this far behind its rim. [m]
const BEHIND: f64 = 0.3;
/// Standard deviations by which both rings must be wrong for something high to look low.
const UNLIKELY: f64 = 1.8;
/// Standard deviations of the dust sensor's absolute noise above which a reading is dust. A fixed limit would leave a remainder that
/// nobody wipes off.
const CLEAN: f64 = 3.0;
/// Something low that was in view for this long is no noise. [s]
const SIGHTED: f64 = 0.35;
/// A single reading counts for at most this long. [s]
const READING: f64 = 0.2;
/// A glimpse fades this much slower than it grows.
const FADING: f64 = 0.25;

/// A beam averaged with its two neighbours. [m]
fn smooth(ranges: &[f64], beam: usize) -> f64 {
    let count = ranges.len();
    (ranges[(beam + count - 1) % count] + ranges[beam] + ranges[(beam + 1) % count]) / 3.0
}

/// How near something must be in the low ring, and how far the high ring must see above it, so that noise does not make something
/// high look low. Something high half-way between both would have to be off by [`UNLIKELY`] in each ring. [m]
fn low_limits(low: &SensorSheet, high: &SensorSheet) -> (f64, f64) {
    let noise = low.relative_noise.max(high.relative_noise);
    let smoothed = noise / 3f64.sqrt();
    // Nothing is seen beyond the range, so noise only shortens a beam that meets nothing: by this on the mean and by this at random.
    let absent = (1.0 - 0.4 * noise - 0.6 * smoothed).max(0.5) * high.range * 0.999;
    let ratio = (UNLIKELY * smoothed).min(0.8);
    ((absent * (1.0 - ratio) / (1.0 + ratio)).min(low.range * 0.999), absent)
}

/// Something low that was seen just now and may be noise.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Glimpse {
    place: Vec2,
    /// How long it was in view, less what has faded. [s]
    seen: f64,
}

/// One robot's knowledge and senses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Knowledge {
    /// Its briefing.
    pub briefing: JanitorBriefing,
    /// Navigation.
    pub navigator: Navigator,
    /// Its map.
    pub chart: Chart,
    /// Its hearing, per frequency.
    pub ears: Vec<Ear>,
    /// The furniture it knows of.
    pub furniture: Furniture,
    /// Dust on what is within reach: it rises as an average and falls at once; `None` without a sensor.
    pub dust: Option<f64>,
    /// The room, as far as the team knows it.
    pub room: Room,
    /// Which quadrants are known to be clean.
    pub cleaned: [bool; 4],
    /// The round of work.
    pub round: u16,
    /// When each task was found to be finished.
    pub finished: [Option<Time>; 3],
    pub(super) dumper: Option<EffectorId>,
    pub(super) arm: Option<EffectorId>,
    pub(super) vacuum: Option<EffectorId>,
    microphones: Option<SensorId>,
    low: Option<SensorId>,
    high: Option<SensorId>,
    dust_sensor: Option<SensorId>,
    /// Readings of the dust sensor up to this are no dust.
    no_dust: f64,
    glimpse: Option<Glimpse>,
    /// Where there is dust within reach that nobody has claimed, and when the robot last said so.
    smelt: Option<Vec2>,
    told_dust: Option<Time>,
    /// Noise of the range scanner, as a share of its ranges.
    blur: f64,
    told: Option<Time>,
    retold: Time,
    /// Which finished item is announced next.
    turn: u32,
    /// When somebody was last known to be at work.
    busy: Time,
}

impl Knowledge {
    /// A robot's knowledge at boot.
    pub fn new(briefing: &JanitorBriefing, me: &Identity, controller: AnyController) -> Knowledge {
        let sheet = &me.datasheet;
        let microphones = sheet.sensor("microphones");
        let bands = microphones.map_or(&[][..], |id| &sheet.sensors[usize::from(id.0)].bands);
        Knowledge {
            navigator: Navigator::new(controller, me).averaging(me),
            chart: Chart::new(briefing.cell, sheet.radius),
            ears: bands.iter().map(|frequency| Ear::new(*frequency)).collect(),
            furniture: Furniture::new(briefing.furniture_size, briefing.dusting_patience),
            dust: None,
            room: Room::default(),
            cleaned: [false; 4],
            round: 0,
            finished: [None; 3],
            dumper: sheet.effector("dumper"),
            arm: sheet.effector("duster-arm"),
            vacuum: sheet.effector("vacuum"),
            microphones,
            low: sheet.sensor("low-proximity"),
            high: sheet.sensor("high-proximity"),
            dust_sensor: sheet.sensor("dust"),
            no_dust: sheet
                .sensor("dust")
                .map_or(0.0, |id| CLEAN * sheet.sensors[usize::from(id.0)].absolute_noise),
            glimpse: None,
            smelt: None,
            told_dust: None,
            blur: sheet
                .sensor("range-scanner")
                .map_or(0.0, |id| sheet.sensors[usize::from(id.0)].relative_noise),
            told: None,
            retold: Time::ZERO,
            turn: u32::from(me.id.0),
            busy: Time::ZERO,
            briefing: briefing.clone(),
        }
    }

    /// Processes the percept, after the navigator has begun the tick.
    pub fn look(&mut self, situation: &Situation) {
        let Some(pose) = self.navigator.pose(situation) else { return };
        let scan = self.navigator.scan(situation);
        if !scan.angles.is_empty() {
            self.chart.draw(&pose, &scan, self.blur, situation.dt);
        }
        if let Some(Reading::Levels(levels)) = self.microphones.map(|id| situation.percept.reading(id)) {
            for (ear, pair) in self.ears.iter_mut().zip(levels.chunks_exact(2)) {
                ear.hear(pair[0], pair[1], &pose, self.briefing.noise_floor, situation.dt);
            }
        }
        if let Some(Reading::Level(level)) = self.dust_sensor.map(|id| situation.percept.reading(id)) {
            // Noise must not add up to dust, but dust that is out of reach is soon far away.
            let before = self.dust.unwrap_or(0.0);
            self.dust = Some(level.min(before + (situation.dt / 0.5).min(1.0) * (level - before)));
            self.smell(&pose, situation);
        }
        let low = self.low_thing(situation, &pose);
        if let Some(place) = self.glimpse(low, situation.dt) {
            let outwards = Vec2::unit((place - pose.position).angle());
            self.furniture.see(place + outwards * BEHIND);
        }
    }

    /// There is dust within reach of the sensor: it is on what is nearest.
    fn smell(&mut self, pose: &Pose, situation: &Situation) {
        let sheets = &situation.me.datasheet.sensors;
        let Some(reach) = self.dust_sensor.map(|id| sheets[usize::from(id.0)].range) else { return };
        let Some((bearing, range)) = self.nearest(situation, |_| true) else { return };
        if self.dusty() && range < reach {
            let behind = situation.me.datasheet.radius + range + BEHIND;
            let place = pose.position + Vec2::unit(pose.heading + bearing) * behind;
            self.furniture.smell(place, situation.now);
            self.smelt = self.furniture.dusty_near(place);
        }
    }

    /// Tells where there is dust that nobody has claimed, from time to time: the team may believe that all furniture is dusted.
    pub fn tell_dust(&mut self, now: Time, out: &mut Output) {
        let Some(place) = self.smelt.take() else { return };
        if self.told_dust.is_none_or(|told| now.since(told) >= RETELL) {
            self.told_dust = Some(now);
            self.tell(Talk::Dust(place), out);
        }
    }

    /// True if the dust sensor has shown dust lately.
    pub fn dusty(&self) -> bool {
        self.dust.is_some_and(|dust| dust > self.no_dust)
    }

    /// The nearest thing that the low ring sees and the high one does not. [m]
    pub fn low_thing(&self, situation: &Situation, pose: &Pose) -> Option<Vec2> {
        let (low, high) = (self.low?, self.high?);
        let sheets = &situation.me.datasheet.sensors;
        let (low_sheet, high_sheet) = (&sheets[usize::from(low.0)], &sheets[usize::from(high.0)]);
        let (near, absent) = low_limits(low_sheet, high_sheet);
        let (low, high) = (situation.percept.ranges(low), situation.percept.ranges(high));
        let count = low.len().min(high.len()).min(low_sheet.angles.len());
        let beams = (0..count).map(|beam| (smooth(low, beam), smooth(high, beam), low_sheet.angles[beam]));
        let only_low = beams.filter(|(low, high, _)| *low < near && *high >= absent);
        let (range, _, angle) = only_low.min_by(|a, b| a.0.total_cmp(&b.0))?;
        let reach = situation.me.datasheet.radius + range;
        Some(pose.position + Vec2::unit(pose.heading + angle) * reach)
    }

    /// Remembers where something low was seen or that nothing was. Returns the place once that is certain: it was in view for long
    /// enough, however often the robot looks.
    fn glimpse(&mut self, low: Option<Vec2>, dt: f64) -> Option<Vec2> {
        let before =
            self.glimpse.filter(|glimpse| low.is_none_or(|low| glimpse.place.distance(low) < GLIMPSE));
        let seen = before.map_or(0.0, |glimpse| glimpse.seen)
            + if low.is_some() { dt.min(READING) } else { -FADING * dt };
        let place = before.map(|glimpse| glimpse.place).or(low)?;
        let certain = seen >= SIGHTED;
        self.glimpse = (!certain && seen > 0.0).then_some(Glimpse { place, seen });
        low.filter(|_| certain)
    }

    /// Processes team-mates' messages.
    pub fn listen(&mut self, now: Time, inbox: &[Message]) {
        for message in inbox {
            match &message.body {
                Body::Heartbeat { state, .. } if *state != WorkState::Ended => self.busy = now,
                // Another mission's message, or a damaged one: ignored.
                Body::Knowledge(bytes) => {
                    if let Some(word) = Word::decode(bytes) {
                        self.take_in(word, message.from, now);
                    }
                }
                _ => {}
            }
        }
    }

    fn take_in(&mut self, word: Word, from: RobotId, now: Time) {
        if word.round < self.round {
            return;
        }
        if word.round > self.round {
            if now.since(self.busy) < AT_WORK {
                // Whoever doubts has not heard of the work that goes on. It is told what is done under the new round.
                self.round = word.round;
            } else {
                self.start_over(word.round);
            }
        }
        match word.talk {
            Talk::Searching | Talk::FindingDimensions | Talk::Cleaning(_) => self.busy = now,
            Talk::Dusting(place) if place.x.is_finite() && place.y.is_finite() => {
                self.busy = now;
                self.furniture.claim(place, from, now);
            }
            Talk::Dust(place) if place.x.is_finite() && place.y.is_finite() => {
                self.furniture.smell(place, now)
            }
            Talk::Dusted(place) if place.x.is_finite() && place.y.is_finite() => self.furniture.dust(place),
            // Who divides the floor differently has cleaned something else.
            Talk::Cleaned(quadrant, middle) if self.room.agrees(middle) => self.clean(quadrant),
            Talk::Room(low, high) => self.widen(Extent { low, high }),
            Talk::Dusting(_) | Talk::Dust(_) | Talk::Dusted(_) | Talk::Cleaned(..) => {}
        }
    }

    /// A quadrant is clean.
    pub fn clean(&mut self, quadrant: u8) {
        if let Some(cleaned) = self.cleaned.get_mut(usize::from(quadrant).wrapping_sub(1)) {
            *cleaned = true;
        }
    }

    /// Somebody has walked along these walls. If the floor is divided differently from now on, no quadrant is known to be clean.
    pub fn widen(&mut self, walk: Extent) {
        if self.room.widen(walk) {
            self.cleaned = [false; 4];
        }
    }

    /// Extends the map over the whole room: floor that is not on the map would count as clean.
    pub fn map_room(&mut self) {
        if let Some(room) = self.room.extent() {
            self.chart.reach_out(room.low);
            self.chart.reach_out(room.high);
        }
    }

    /// Notes when tasks came to an end.
    pub fn settle(&mut self, now: Time) {
        let quiet = self.ears.iter().all(|ear| !ear.hears());
        let done = [quiet, self.all_dusted(), self.cleaned.iter().all(|cleaned| *cleaned)];
        for (finished, done) in self.finished.iter_mut().zip(done) {
            *finished = if done { finished.or(Some(now)) } else { None };
        }
    }

    /// True if as many pieces are dusted as there are, and there is no dust. Two reports of one piece from two sides may have
    /// counted twice.
    pub fn all_dusted(&self) -> bool {
        self.furniture.dusted() >= self.briefing.dustable_objects as usize && !self.furniture.any_dusty()
    }

    /// Sends a message to the team.
    pub fn tell(&self, talk: Talk, out: &mut Output) {
        out.say(Body::Knowledge(Word { round: self.round, talk }.encode()));
    }

    /// Announces current work from time to time.
    pub fn keep_telling(&mut self, talk: Talk, now: Time, out: &mut Output) {
        if self.told.is_none_or(|told| now.since(told) >= TELL) {
            self.told = Some(now);
            self.tell(talk, out);
        }
    }

    /// Makes the next announcement immediate.
    pub fn something_new(&mut self) {
        self.told = None;
    }

    /// Announces one finished item again: a message may have been lost, or a robot may have joined later.
    pub fn retell(&mut self, now: Time, out: &mut Output) {
        if now.since(self.retold) < RETELL {
            return;
        }
        self.retold = now;
        let quadrants = (1..=4u8).zip(self.cleaned).filter(|(_, cleaned)| *cleaned);
        let quadrants = quadrants.zip(self.room.middle().into_iter().cycle());
        let room = self.room.extent().map(|room| Talk::Room(room.low, room.high));
        let finished: Vec<Talk> = quadrants
            .map(|((quadrant, _), middle)| Talk::Cleaned(quadrant, middle))
            .chain(room)
            .chain(self.furniture.dusted_places().map(Talk::Dusted))
            .collect();
        if !finished.is_empty() {
            self.turn = self.turn.wrapping_add(1);
            self.tell(finished[self.turn as usize % finished.len()], out);
        }
    }

    /// A robot that is idle, hears nobody at work and is still not switched off doubts that everything is done: something may have been
    /// missed or moved. Then the team checks everything once more.
    pub fn doubt(&mut self, idle: bool, now: Time, out: &mut Output) {
        if !idle {
            self.busy = now;
        }
        if now.since(self.busy) < self.briefing.doubt_after {
            return;
        }
        self.busy = now;
        self.start_over(self.round.saturating_add(1));
        let why = "nothing is left to do, nobody is at work, and yet the mission goes on: look again";
        out.explain(Event::new(EventKind::Doubt).saying(why).with("round", f64::from(self.round)));
    }

    fn start_over(&mut self, round: u16) {
        self.round = round;
        self.cleaned = [false; 4];
        self.furniture.forget();
        self.chart = Chart::new(self.briefing.cell, self.chart.radius());
    }

    /// Drives to a point by the way that the map suggests. The point may lie in an obstacle of radius `inside`. `None` if
    /// there is no way. [m]
    pub fn go_to(
        &mut self,
        goal: Vec2,
        inside: f64,
        situation: &Situation,
        out: &mut Output,
    ) -> Option<Command> {
        self.navigator.go_by_map(&self.chart, goal, inside, situation, out)
    }

    /// The nearest thing that the scanner sees: bearing and distance from the rim. Readings are averaged with their
    /// neighbours, so that one noisy ray does not count. [rad], [m]
    pub fn nearest(&self, situation: &Situation, wanted: impl Fn(f64) -> bool) -> Option<(f64, f64)> {
        let scan = self.navigator.scan(situation);
        let (angles, ranges) = (scan.angles, scan.ranges);
        let count = ranges.len().min(angles.len());
        let seen = (0..count).filter(|i| wanted(angles[*i])).map(|i| (angles[i], smooth(ranges, i)));
        seen.min_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, range)| *range < scan.reach * 0.9)
    }

    /// Mean distances that the scanner sees in directions all around. [m]
    pub fn sectors<const COUNT: usize>(&self, situation: &Situation) -> [f64; COUNT] {
        let scan = self.navigator.scan(situation);
        let mut sums = [(0.0, 0.0); COUNT];
        for (angle, range) in scan.angles.iter().zip(scan.ranges) {
            let sector = (angle.rem_euclid(TAU) / TAU * COUNT as f64) as usize % COUNT.max(1);
            sums[sector] = (sums[sector].0 + range, sums[sector].1 + 1.0);
        }
        sums.map(|(sum, count)| if count > 0.0 { sum / count } else { scan.reach })
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::Janitor;
    use super::*;
    use crewlab_onboard::geometry::vec2;

    #[test]
    fn dust_shows_that_a_piece_was_counted_twice() {
        let mut janitor = Janitor::new();
        // A desk was dusted from its two ends at the same time.
        let places = [vec2(6.5, 5.5), vec2(7.6, 5.9), vec2(4.0, 2.0)];
        janitor.hear(100.0, &places.map(Talk::Dusted));
        assert!(janitor.known.all_dusted());
        let chest = vec2(2.9, 5.9);
        janitor.hear(200.0, &[Talk::Dust(chest)]);
        assert!(!janitor.known.all_dusted());
        let next = janitor.known.furniture.next(vec2(0.0, 0.0), Time::from_seconds(200.0));
        assert_eq!(next, Some(chest));
        janitor.hear(300.0, &[Talk::Dusted(chest)]);
        assert!(janitor.known.all_dusted());
    }

    #[test]
    fn the_doubt_of_a_deaf_robot_does_not_undo_work_that_goes_on() {
        let mut janitor = Janitor::new();
        let (desk, newer) = (vec2(6.5, 5.5), Word { round: 1, talk: Talk::Searching });
        janitor.hear(100.0, &[Talk::Searching, Talk::Dusted(desk)]);
        janitor.known.take_in(newer, RobotId(1), Time::from_seconds(105.0));
        assert_eq!((janitor.known.round, janitor.known.furniture.dusted()), (1, 1), "somebody was at work");
        let newest = Word { round: 2, ..newer };
        janitor.known.take_in(newest, RobotId(1), Time::from_seconds(300.0));
        assert_eq!((janitor.known.round, janitor.known.furniture.dusted()), (2, 0), "nobody was");
    }

    #[test]
    fn a_quadrant_around_another_middle_is_another_one() {
        let mut janitor = Janitor::new();
        let (middle, cramped) = (vec2(8.0, 6.0), vec2(3.0, 3.0));
        janitor.hear(1.0, &[Talk::Room(vec2(0.3, 0.3), vec2(5.7, 5.7)), Talk::Cleaned(1, cramped)]);
        assert_eq!(janitor.known.cleaned, [true, false, false, false]);
        janitor.hear(2.0, &[Talk::Room(vec2(0.3, 0.3), vec2(15.7, 11.7))]);
        assert_eq!(janitor.known.cleaned, [false; 4], "the room is larger");
        janitor.hear(3.0, &[Talk::Cleaned(1, cramped), Talk::Cleaned(2, middle)]);
        assert_eq!(janitor.known.cleaned, [false, true, false, false]);
    }
}
