//! clean-floor: circles the perimeter to learn the room's dimensions, then cleans a quadrant on a coarse grid.
//!
//! On the grid the robot turns right if the cell there is still dirty, otherwise goes straight, otherwise left; otherwise it
//! heads for the nearest dirty cell. When there is none, the quadrant is clean.

use super::knowledge::Knowledge;
use super::quadrant::{in_quadrant, quadrant_of};
use super::talk::Talk;
use crewlab_navigation::grid::{compass, neighbour, right_front_left, turned};
use crewlab_navigation::{Bars, Chart, Extent, Place, Walk};
use crewlab_onboard::geometry::Vec2;
use crewlab_onboard::{Action, Command, Event, EventKind, Output, Situation, Subject, Time};
use serde::{Deserialize, Serialize};

/// A grid point counts as reached at this distance, ... [m]
const REACHED: f64 = 0.12;
/// ... or at this beyond half of what the robot drives in a tick. [m]
const PASSED: f64 = 0.07;
/// The vacuum's assumed reach is smaller than its nominal one by this. [m]
const SLACK: f64 = 0.1;
/// A neighbouring cell that is not reached within this time cannot be reached. [s]
const TRIAL: f64 = 8.0;
/// How long a cell that could not be reached is left alone. [s]
const BARRED: f64 = 60.0;
/// Number of retries of unreachable cells before a quadrant counts as clean.
const RETRIES: u8 = 2;
/// Walls are nearer than this to a robot that drives along them. [m]
const WALL: f64 = 0.8;
/// A robot that cannot get this far is enclosed. [m]
const NARROW: f64 = 1.0;
/// Time limit of the perimeter. [s]
const PERIMETER_TIME: f64 = 360.0;
/// Estimates are about the next piece of work, because the size of a room is not known: this far along the perimeter, ... [m]
const PERIMETER_PIECE: f64 = 60.0;
/// ... or this far over the floor of a quadrant. [m]
const FLOOR_PIECE: f64 = 30.0;
/// How often a robot counts what is left of its quadrant. [s]
const COUNT: f64 = 2.0;

/// Distance at which a grid point counts as reached. [m]
fn reached(situation: &Situation) -> f64 {
    REACHED.max(PASSED + 0.5 * situation.me.datasheet.max_speed * situation.dt)
}

/// A free place well outside the bounding box of a walk: it shows that the room is larger. [m]
fn beyond(at: Vec2, extent: &Extent, known: &Knowledge) -> Option<Vec2> {
    let chart = &known.chart;
    let outside = |place: Place| chart.seen_free(place) && !extent.holds(chart.point(place), WALL);
    chart.nearest(at, outside).map(|place| chart.point(place))
}

/// True if the robot is enclosed: it knows nothing about a room that it cannot cross.
fn shut_in(at: Vec2, known: &Knowledge) -> bool {
    let chart = &known.chart;
    chart.nearest(at, |place| chart.point(place).distance(at) > NARROW).is_none()
}

/// Cleans the floor.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CleanFloor {
    /// The quadrant, from 1 to 4.
    pub quadrant: u8,
    /// True once the robot has gone along the perimeter.
    walked: bool,
    /// The round of work in which it did.
    round: u16,
    walk: Option<Walk>,
    /// The box around all places on walks along the perimeter.
    extent: Option<Extent>,
    /// How long the robot has gone along the perimeter, also before it was interrupted. [s]
    circled: f64,
    /// The way over floor that it had not covered before. [m]
    swept: f64,
    /// Where it was in the last tick of this piece of work. [m]
    last: Option<Vec2>,
    /// Where the robot goes.
    target: Option<Place>,
    /// When it set out, and how long it may take. [s]
    set_out: (Time, f64),
    /// Its last direction on the grid.
    direction: usize,
    bars: Bars,
    retried: u8,
    /// The way that is left in the quadrant, and when it was counted. [m]
    left: Option<(f64, Time)>,
}

/// What is left of the current piece of a long way. [m]
fn piece(left: f64, piece: f64) -> f64 {
    if left > 0.0 { piece - (-left).rem_euclid(piece) } else { 0.0 }
}

impl CleanFloor {
    /// The quadrants that are not known to be clean, the nearest first.
    pub fn subjects(&self, known: &Knowledge, situation: &Situation, subjects: &mut Vec<Subject>) {
        let mut left: Vec<u8> = (1..=4).filter(|q| !known.cleaned[usize::from(*q) - 1]).collect();
        match (self.middle(known), known.navigator.pose(situation)) {
            (Some(middle), Some(pose)) => {
                let here = quadrant_of(pose.position, middle);
                left.sort_by_key(|q| (4 + q - here) % 4);
            }
            // The quadrants are still unknown: robots begin with different ones.
            _ => left.sort_by_key(|q| (u16::from(*q) + situation.me.id.0) % 4),
        }
        subjects.extend(left.into_iter().map(Subject::from));
    }

    /// Time for the next piece of work on a quadrant. [s]
    pub fn cost(&self, quadrant: Subject, known: &Knowledge, situation: &Situation) -> f64 {
        let speed = situation.me.datasheet.max_speed.max(1e-9);
        let way = match (self.middle(known), known.navigator.pose(situation)) {
            (Some(middle), Some(pose)) => {
                let quadrant = quadrant as u8;
                let here = in_quadrant(pose.position, quadrant, middle);
                let way = if here { 0.0 } else { pose.position.distance(middle) };
                let left = self.left.filter(|_| quadrant == self.quadrant);
                way + left.map_or(FLOOR_PIECE, |(left, _)| piece(left, FLOOR_PIECE))
            }
            // By the way and not by the time: who is walled in or has to wait gets nowhere, and others should see that.
            _ => PERIMETER_PIECE - self.swept.rem_euclid(PERIMETER_PIECE),
        };
        way / speed
    }

    /// The place by which the floor is divided, once the robot has gone along the perimeter. [m]
    fn middle(&self, known: &Knowledge) -> Option<Vec2> {
        known.room.middle().filter(|_| self.walked)
    }

    /// Counts what is left of the quadrant, from time to time.
    fn count(&mut self, middle: Vec2, known: &Knowledge, now: Time) {
        if self.left.is_some_and(|(_, counted)| now.within(counted, COUNT)) {
            return;
        }
        let (Some(extent), chart) = (self.extent, &known.chart) else { return };
        let [low, high] = [extent.low, extent.high].map(|corner| Chart::coarse(chart.place(corner)));
        let cells = (low.0..=high.0).flat_map(|column| (low.1..=high.1).map(move |row| (column, row)));
        let due = |cell: &Place| {
            let centre = chart.coarse_point(*cell);
            in_quadrant(centre, self.quadrant, middle)
                && chart.is_due(chart.place(centre))
                && !self.bars.holds(*cell)
        };
        let left = cells.filter(due).count() as f64 * known.briefing.cell;
        self.left = Some((left, now));
    }

    /// Starts a quadrant.
    pub fn start(&mut self, quadrant: Subject, known: &mut Knowledge) {
        known.something_new();
        self.quadrant = quadrant.clamp(1, 4) as u8;
        (self.target, self.retried, self.left) = (None, 0, None);
        self.last = None;
        self.bars.clear();
        // What is known of the room stays: a robot that is often interrupted would never get round a large one.
        self.walk = None;
    }

    /// The robot's action in this tick.
    pub fn act(&mut self, known: &mut Knowledge, situation: &Situation, out: &mut Output) -> Command {
        let Some(pose) = known.navigator.pose(situation) else { return known.navigator.stop() };
        if self.round != known.round {
            *self = CleanFloor { quadrant: self.quadrant, round: known.round, ..CleanFloor::default() };
        }
        self.bars.expire(situation.now);
        let command = match self.middle(known) {
            None => self.circle(pose.position, known, situation, out),
            Some(middle) => self.clean(pose.position, middle, known, situation, out),
        };
        let Some(vacuum) = known.vacuum else { return command };
        let sheet = &situation.me.datasheet;
        let reach = sheet.radius + sheet.effectors[usize::from(vacuum.0)].range - SLACK;
        let from = self.last.replace(pose.position).unwrap_or(pose.position);
        self.swept += known.chart.cover(from, pose.position, reach) / (2.0 * reach).max(1e-9);
        command.with(vacuum, Action::Work)
    }

    /// True if the robot can go to a coarse cell, as far as it knows.
    fn passable(&self, cell: Place, known: &Knowledge) -> bool {
        !self.bars.holds(cell) && known.chart.standing_place(cell).is_some()
    }

    /// Goes along the perimeter.
    fn circle(
        &mut self,
        at: Vec2,
        known: &mut Knowledge,
        situation: &Situation,
        out: &mut Output,
    ) -> Command {
        known.keep_telling(Talk::FindingDimensions, situation.now, out);
        self.circled += situation.dt;
        let here = Chart::coarse(known.chart.place(at));
        let mut walk = self.walk.take().unwrap_or_else(|| Walk::new(here, self.direction));
        let extent = self.extent.map_or(Extent::of(at), |extent| extent.with(at));
        self.extent = Some(extent);
        if let Some(target) = self.target {
            let cell = Chart::coarse(target);
            let late = situation.now.since(self.set_out.0) > TRIAL;
            if known.chart.point(target).distance(at) < reached(situation) {
                (self.target, walk.cell) = (None, cell);
            } else if late || !self.passable(cell, known) {
                if late {
                    self.bars.bar(cell, situation.now, BARRED);
                }
                self.target = None;
                walk.take_back(cell);
            } else if !known.chart.stands(target) {
                self.target = known.chart.standing_place(cell);
            }
        }
        if self.target.is_none() {
            let round = walk.walk_on(|cell| self.passable(cell, known));
            let late = self.circled > PERIMETER_TIME;
            let beyond = if round == Some(true) && !late { beyond(at, &extent, known) } else { None };
            if late && shut_in(at, known) {
                // This is not the room. Wait to be let out.
                (self.circled, self.extent) = (0.0, None);
                return known.navigator.stop();
            }
            if late || (round == Some(true) && beyond.is_none()) {
                return self.found(&extent, known, out);
            }
            if round.is_some() {
                // Not around the room: continue across it, to a place outside the walk or anywhere.
                let direction = beyond.map(|point| compass(point - at));
                walk = Walk::new(here, direction.unwrap_or_else(|| out.random.below(4)));
            }
            let cell = neighbour(walk.cell, walk.direction);
            self.target = known.chart.standing_place(cell).filter(|_| !self.bars.holds(cell));
            self.set_out = (situation.now, TRIAL);
        }
        self.walk = Some(walk);
        self.go(known, situation, out)
    }

    /// The perimeter is known.
    fn found(&mut self, extent: &Extent, known: &mut Knowledge, out: &mut Output) -> Command {
        (self.walked, self.walk, self.target) = (true, None, None);
        self.bars.clear();
        known.widen(*extent);
        known.tell(Talk::Room(extent.low, extent.high), out);
        let size = extent.high - extent.low;
        let event = Event::new(EventKind::FoundDimensions).saying("the perimeter was circled");
        out.explain(event.with("width", size.x).with("height", size.y).at(extent.middle()));
        known.something_new();
        known.navigator.stop()
    }

    /// Cleans the quadrant cell by cell.
    fn clean(
        &mut self,
        at: Vec2,
        middle: Vec2,
        known: &mut Knowledge,
        situation: &Situation,
        out: &mut Output,
    ) -> Command {
        known.keep_telling(Talk::Cleaning(self.quadrant), situation.now, out);
        known.map_room();
        self.count(middle, known, situation.now);
        if let Some(target) = self.target {
            let cell = Chart::coarse(target);
            let near = known.chart.point(target).distance(at) < reached(situation);
            let late = situation.now.since(self.set_out.0) > self.set_out.1;
            let gone = known.chart.due_place(cell).is_none();
            // From nearby it is no place to stand. It may look like one again from farther away, for ever.
            let blocked = gone && !known.chart.is_covered(target);
            if late || (blocked && !near) {
                self.bars.bar(cell, situation.now, BARRED);
            }
            if late || near || gone {
                self.target = None;
            }
        }
        if self.target.is_none() {
            self.target = self.choose(at, middle, known, situation);
        }
        if self.target.is_some() {
            return self.go(known, situation, out);
        }
        if shut_in(at, known) {
            return known.navigator.stop();
        }
        if self.retried < RETRIES && self.bars.retry() {
            self.retried += 1;
            return known.navigator.stop();
        }
        self.completed(middle, known, out);
        known.navigator.stop()
    }

    fn completed(&mut self, middle: Vec2, known: &mut Knowledge, out: &mut Output) {
        known.clean(self.quadrant);
        known.tell(Talk::Cleaned(self.quadrant, middle), out);
        let why = "every cell of the quadrant was visited or cannot be reached";
        out.explain(
            Event::new(EventKind::QuadrantCleaned).saying(why).with("quadrant", f64::from(self.quadrant)),
        );
    }

    /// The next cell: to the right, ahead, to the left, otherwise the nearest dirty one.
    fn choose(&mut self, at: Vec2, middle: Vec2, known: &Knowledge, situation: &Situation) -> Option<Place> {
        let chart = &known.chart;
        let quadrant = self.quadrant;
        let here = Chart::coarse(chart.place(at));
        let inside = |cell: Place| in_quadrant(chart.coarse_point(cell), quadrant, middle);
        let due = |cell: Place| inside(cell) && !self.bars.holds(cell) && chart.due_place(cell).is_some();
        if let Some((cell, turn)) = right_front_left(here, self.direction, due) {
            self.direction = turned(self.direction, turn);
            self.set_out = (situation.now, TRIAL);
            return chart.due_place(cell);
        }
        let left = |place: Place| {
            let cell = Chart::coarse(place);
            chart.is_due(place) && inside(cell) && !self.bars.holds(cell)
        };
        let found = chart.nearest(at, left)?;
        let way = chart.point(found) - at;
        self.direction = compass(way);
        let speed = situation.me.datasheet.max_speed.max(1e-9);
        self.set_out = (situation.now, TRIAL + 4.0 * way.length() / speed);
        Some(found)
    }

    /// Drives to the target.
    fn go(&mut self, known: &mut Knowledge, situation: &Situation, out: &mut Output) -> Command {
        let Some(target) = self.target else { return known.navigator.spin(0.5) };
        let goal = known.chart.point(target);
        match known.go_to(goal, 0.0, situation, out) {
            Some(command) => command,
            None => {
                self.bars.bar(Chart::coarse(target), situation.now, BARRED);
                self.target = None;
                known.navigator.stop()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::Janitor;
    use super::*;
    use crewlab_onboard::geometry::vec2;

    /// The expected time of a robot that has gone along a wall for a minute at this speed. [m/s], [s]
    fn expected(speed: f64) -> f64 {
        let (mut janitor, mut set) = (Janitor::new(), CleanFloor::default());
        set.start(1, &mut janitor.known);
        let mut cost = f64::NAN;
        for tick in 0..600 {
            let seconds = 0.1 * f64::from(tick);
            let at = vec2(1.0 + speed * seconds, 1.0);
            janitor.tick(at, seconds, |known, situation, out| {
                set.act(known, situation, out);
                cost = set.cost(1, known, situation);
            });
        }
        cost
    }

    #[test]
    fn only_who_gets_on_along_the_perimeter_expects_to_be_done_sooner() {
        let whole = PERIMETER_PIECE / 0.5;
        assert!(expected(0.0) > whole - 2.0, "{}", expected(0.0));
        let (slow, fast) = (expected(0.25), expected(0.5));
        assert!(slow < whole - 20.0 && fast < slow - 20.0, "{slow}, {fast}");
    }

    /// The robot has not been in the upper right quadrant, and cannot get there.
    #[test]
    fn floor_that_the_robot_has_never_seen_is_not_clean() {
        let (mut janitor, mut set) = (Janitor::new(), CleanFloor { walked: true, ..CleanFloor::default() });
        janitor.hear(0.0, &[Talk::Room(vec2(0.3, 0.3), vec2(15.7, 11.7))]);
        set.start(1, &mut janitor.known);
        for tick in 0..50 {
            let seconds = 0.1 * f64::from(tick);
            janitor.tick(vec2(2.0, 2.0), seconds, |known, situation, out| {
                set.act(known, situation, out);
            });
        }
        assert!(!janitor.known.cleaned[0]);
    }
}
