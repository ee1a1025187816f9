//! clean-floor: circles the perimeter to learn the room's dimensions, then cleans a quadrant on a coarse grid.
//!
//! On the grid the robot turns right if the cell there is still dirty, otherwise goes straight, otherwise left; otherwise it
//! heads for the nearest dirty cell. When there is none, the quadrant is clean.

use super::chart::{Chart, Place};
use super::extent::Extent;
use super::knowledge::{Knowledge, Talk};
use crewlab_onboard::geometry::Vec2;
use crewlab_onboard::{Action, Command, Event, EventKind, Output, Situation, Subject, Time};
use serde::{Deserialize, Serialize};

/// East, north, west, south.
const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];
/// A grid point counts as reached at this distance. [m]
const REACHED: f64 = 0.12;
/// The vacuum's assumed reach is smaller than its nominal one by this. [m]
const SLACK: f64 = 0.1;
/// Quadrants overlap by this, since every robot measures the room for itself. [m]
const OVERLAP: f64 = 0.3;
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
/// Steps along the perimeter that are remembered.
const LONGEST: usize = 2000;
/// A shorter walk than this was not around a room. [cells]
const SHORTEST: usize = 8;

/// Right, straight on, left, back: as quarter turns to the left.
const RIGHT_FRONT_LEFT_BACK: [i32; 4] = [-1, 0, 1, 2];

/// The direction after some quarter turns to the left.
pub fn turned(direction: usize, quarters: i32) -> usize {
    (direction as i32 + quarters).rem_euclid(4) as usize
}

/// The direction nearest to a vector.
pub fn compass(way: Vec2) -> usize {
    match (way.x.abs() > way.y.abs(), way.x > 0.0, way.y > 0.0) {
        (true, true, _) => 0,
        (true, false, _) => 2,
        (false, _, true) => 1,
        (false, _, false) => 3,
    }
}

/// The neighbouring cell in a direction.
pub fn neighbour(cell: Place, direction: usize) -> Place {
    let (column, row) = DIRECTIONS[direction % 4];
    (cell.0 + column, cell.1 + row)
}

/// The right-front-left rule: the first of the cells to the right, ahead and to the left that is wanted, with the
/// quarter turns to the left that lead there.
pub fn right_front_left(
    cell: Place,
    direction: usize,
    wanted: impl Fn(Place) -> bool,
) -> Option<(Place, i32)> {
    let tries = RIGHT_FRONT_LEFT_BACK[..3].iter();
    tries.map(|&turn| (neighbour(cell, turned(direction, turn)), turn)).find(|(cell, _)| wanted(*cell))
}

/// The quadrant of a point, from 1 in the upper right counter-clockwise to 4 in the lower right.
pub fn quadrant_of(point: Vec2, middle: Vec2) -> u8 {
    match (point.x >= middle.x, point.y >= middle.y) {
        (true, true) => 1,
        (false, true) => 2,
        (false, false) => 3,
        (true, false) => 4,
    }
}

/// True if a point is in a quadrant or just beside it.
pub fn in_quadrant(point: Vec2, quadrant: u8, middle: Vec2) -> bool {
    let right = matches!(quadrant, 1 | 4);
    let upper = matches!(quadrant, 1 | 2);
    let beyond = |value: f64, side: bool| if side { value >= -OVERLAP } else { value <= OVERLAP };
    beyond(point.x - middle.x, right) && beyond(point.y - middle.y, upper)
}

/// A walk along the perimeter with the wall on the right.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Walk {
    /// The cell it comes from.
    cell: Place,
    /// Where it heads.
    direction: usize,
    /// True along a wall, false on the way to one.
    along: bool,
    /// Quarter turns to the left since.
    turns: i32,
    /// Consecutive turns to the right: after four there is no wall on the right.
    rights: u8,
    /// Where it has been along the wall, with the direction and the turns until there.
    steps: Vec<(Place, usize, i32)>,
    /// Direction and turns before the last step, in case that step cannot be taken.
    before: (usize, i32),
    /// Cells that could not be stepped on. They stay walls, or a walk would not close.
    walls: Vec<Place>,
}

impl Walk {
    fn new(cell: Place, direction: usize) -> Walk {
        Walk {
            cell,
            direction,
            along: false,
            turns: 0,
            rights: 0,
            steps: Vec::new(),
            before: (direction, 0),
            walls: Vec::new(),
        }
    }

    /// Takes the walk one step further. It is closed if it returns to a place in the same direction: true if that was around the
    /// room, with a full turn to the left; false if it was around an island.
    fn step(&mut self, turn: i32) -> Option<bool> {
        self.before = (self.direction, self.turns);
        (self.direction, self.turns) = (turned(self.direction, turn), self.turns + turn);
        self.rights = if turn == -1 { self.rights + 1 } else { 0 };
        let before = self.steps.iter().rposition(|step| (step.0, step.1) == (self.cell, self.direction));
        let closed = before.map(|place| {
            let turned_left = self.turns > self.steps[place].2;
            turned_left && self.steps.len() - place >= SHORTEST
        });
        if self.steps.len() < LONGEST {
            self.steps.push((self.cell, self.direction, self.turns));
        }
        if self.rights >= 4 { Some(false) } else { closed }
    }

    /// The last step could not be taken: undoes it.
    fn take_back(&mut self, cell: Place) {
        if self.along {
            self.walls.push(cell);
            (self.direction, self.turns) = self.before;
            self.rights = self.rights.saturating_sub(1);
            self.steps.pop();
        }
    }
}

/// A place well outside the box around a walk that was seen to be free: the room is larger. [m]
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

/// A cell that could not be reached, and until when it is left alone.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Bar {
    cell: Place,
    until: Time,
}

/// Cleans the floor.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CleanFloor {
    /// The quadrant, from 1 to 4.
    pub quadrant: u8,
    /// The middle of the room, once the perimeter is known. [m]
    pub middle: Option<Vec2>,
    /// The round of work in which it was found.
    round: u16,
    walk: Option<Walk>,
    /// The box around all places on walks along the perimeter.
    extent: Option<Extent>,
    /// When the walk along the perimeter began.
    began: Option<Time>,
    /// Where the robot goes.
    target: Option<Place>,
    /// When it set out, and how long it may take. [s]
    set_out: (Time, f64),
    /// Where it last headed on the grid.
    direction: usize,
    bars: Vec<Bar>,
    retried: u8,
}

impl CleanFloor {
    /// The quadrants that are not known to be clean, the nearest first.
    pub fn subjects(&self, known: &Knowledge, situation: &Situation, subjects: &mut Vec<Subject>) {
        let mut left: Vec<u8> = (1..=4).filter(|q| !known.cleaned[usize::from(*q) - 1]).collect();
        match (self.middle, known.pose) {
            (Some(middle), Some(pose)) => {
                let here = quadrant_of(pose.position, middle);
                left.sort_by_key(|q| (4 + q - here) % 4);
            }
            // The quadrants are still unknown: robots begin with different ones.
            _ => left.sort_by_key(|q| (u16::from(*q) + situation.me.id.0) % 4),
        }
        subjects.extend(left.into_iter().map(Subject::from));
    }

    /// Time to clean a quadrant. [s]
    pub fn cost(&self, quadrant: Subject, known: &Knowledge, situation: &Situation) -> f64 {
        let speed = situation.me.datasheet.max_speed.max(1e-9);
        match (self.middle, known.pose) {
            (Some(middle), Some(pose)) => {
                let here = in_quadrant(pose.position, quadrant as u8, middle);
                let way = if here { 0.0 } else { pose.position.distance(middle) };
                (way + 30.0) / speed
            }
            _ => 60.0 / speed,
        }
    }

    /// Starts a quadrant.
    pub fn start(&mut self, quadrant: Subject, known: &mut Knowledge) {
        known.something_new();
        self.quadrant = quadrant.clamp(1, 4) as u8;
        (self.target, self.retried) = (None, 0);
        if self.middle.is_none() {
            (self.walk, self.began, self.extent) = (None, None, None);
        }
    }

    /// The robot's action in this tick.
    pub fn act(&mut self, known: &mut Knowledge, situation: &Situation, out: &mut Output) -> Command {
        let Some(pose) = known.pose else { return known.rest() };
        if self.round != known.round {
            *self = CleanFloor { quadrant: self.quadrant, round: known.round, ..CleanFloor::default() };
        }
        self.bars.retain(|bar| bar.until > situation.now);
        let command = match self.middle {
            None => self.circle(pose.position, known, situation, out),
            Some(middle) => self.clean(pose.position, middle, known, situation, out),
        };
        let Some(vacuum) = known.vacuum else { return command };
        let sheet = &situation.me.datasheet;
        let reach = sheet.radius + sheet.effectors[usize::from(vacuum.0)].range - SLACK;
        known.chart.clean(pose.position, reach);
        command.with(vacuum, Action::Work)
    }

    fn barred(&self, cell: Place) -> bool {
        self.bars.iter().any(|bar| bar.cell == cell)
    }

    fn bar(&mut self, cell: Place, situation: &Situation) {
        if self.bars.len() < 1000 {
            self.bars.push(Bar { cell, until: situation.now.after((BARRED * 1e9) as u64) });
        }
    }

    /// True if the robot can go to a coarse cell, as far as it knows.
    fn passable(&self, cell: Place, known: &Knowledge) -> bool {
        !self.barred(cell) && known.chart.standing_place(cell).is_some()
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
        let began = *self.began.get_or_insert(situation.now);
        let here = Chart::coarse(known.chart.place(at));
        let mut walk = self.walk.take().unwrap_or_else(|| Walk::new(here, self.direction));
        let extent = self.extent.map_or(Extent::of(at), |extent| extent.with(at));
        self.extent = Some(extent);
        if let Some(target) = self.target {
            let cell = Chart::coarse(target);
            let late = situation.now.since(self.set_out.0) > TRIAL;
            if known.chart.point(target).distance(at) < REACHED {
                (self.target, walk.cell) = (None, cell);
            } else if late || !self.passable(cell, known) {
                if late {
                    self.bar(cell, situation);
                }
                self.target = None;
                walk.take_back(cell);
            } else if !known.chart.stands(target) {
                self.target = known.chart.standing_place(cell);
            }
        }
        if self.target.is_none() {
            let round = self.walk_on(&mut walk, known);
            let late = situation.now.since(began) > PERIMETER_TIME;
            let beyond = if round == Some(true) && !late { beyond(at, &extent, known) } else { None };
            if late && shut_in(at, known) {
                // This is not the room. Wait to be let out.
                (self.began, self.extent) = (None, None);
                return known.rest();
            }
            if late || (round == Some(true) && beyond.is_none()) {
                return self.found(&extent, known, out);
            }
            if round.is_some() {
                // Not around the room: continue across it, to where there is more of it or anywhere.
                let direction = beyond.map(|point| compass(point - at));
                walk = Walk::new(here, direction.unwrap_or_else(|| out.random.below(4)));
            }
            let cell = neighbour(walk.cell, walk.direction);
            self.target = known.chart.standing_place(cell).filter(|_| !self.barred(cell));
            self.set_out = (situation.now, TRIAL);
        }
        self.walk = Some(walk);
        self.go(known, situation, out)
    }

    /// Chooses the direction of the next step: to a wall, or along it with the wall on the right.
    fn walk_on(&self, walk: &mut Walk, known: &Knowledge) -> Option<bool> {
        let cell = walk.cell;
        if !walk.along {
            if self.passable(neighbour(cell, walk.direction), known) {
                return None;
            }
            *walk = Walk { along: true, ..Walk::new(cell, turned(walk.direction, 1)) };
        }
        for turn in RIGHT_FRONT_LEFT_BACK {
            let next = neighbour(cell, turned(walk.direction, turn));
            if !walk.walls.contains(&next) {
                if self.passable(next, known) {
                    return walk.step(turn);
                }
                walk.walls.push(next);
            }
        }
        // Enclosed, or so it seems: start again.
        Some(false)
    }

    /// The perimeter is known.
    fn found(&mut self, extent: &Extent, known: &mut Knowledge, out: &mut Output) -> Command {
        let middle = extent.middle();
        (self.middle, self.walk, self.target) = (Some(middle), None, None);
        self.bars.clear();
        let size = extent.high - extent.low;
        let event = Event::new(EventKind::FoundDimensions, "the perimeter was circled");
        out.explain(
            event.with("width", size.x).with("height", size.y).with("x", middle.x).with("y", middle.y),
        );
        known.something_new();
        known.rest()
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
        if let Some(target) = self.target {
            let cell = Chart::coarse(target);
            let near = known.chart.point(target).distance(at) < REACHED;
            let late = situation.now.since(self.set_out.0) > self.set_out.1;
            if late {
                self.bar(cell, situation);
            }
            if late || near || known.chart.due_place(cell).is_none() {
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
            return known.rest();
        }
        if self.retried < RETRIES && !self.bars.is_empty() {
            self.retried += 1;
            self.bars.clear();
            return known.rest();
        }
        self.completed(known, out);
        known.rest()
    }

    fn completed(&mut self, known: &mut Knowledge, out: &mut Output) {
        if let Some(cleaned) = known.cleaned.get_mut(usize::from(self.quadrant).wrapping_sub(1)) {
            *cleaned = true;
        }
        known.tell(Talk::Cleaned(self.quadrant), out);
        let why = "every cell of the quadrant was visited or cannot be reached";
        out.explain(Event::new(EventKind::QuadrantCleaned, why).with("quadrant", f64::from(self.quadrant)));
    }

    /// The next cell: to the right, ahead, to the left, otherwise the nearest dirty one.
    fn choose(&mut self, at: Vec2, middle: Vec2, known: &Knowledge, situation: &Situation) -> Option<Place> {
        let chart = &known.chart;
        let quadrant = self.quadrant;
        let here = Chart::coarse(chart.place(at));
        let inside = |cell: Place| in_quadrant(chart.coarse_point(cell), quadrant, middle);
        let due = |cell: Place| inside(cell) && !self.barred(cell) && chart.due_place(cell).is_some();
        if let Some((cell, turn)) = right_front_left(here, self.direction, due) {
            self.direction = turned(self.direction, turn);
            self.set_out = (situation.now, TRIAL);
            return chart.due_place(cell);
        }
        let left = |place: Place| {
            let cell = Chart::coarse(place);
            chart.is_due(place) && inside(cell) && !self.barred(cell)
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
        let Some(target) = self.target else { return known.spin(0.5) };
        let goal = known.chart.point(target);
        match known.go_to(goal, 0.0, situation, out) {
            Some(command) => command,
            None => {
                self.bar(Chart::coarse(target), situation);
                self.target = None;
                known.rest()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_onboard::geometry::vec2;

    #[test]
    fn right_comes_before_front_before_left() {
        let north = 1;
        let choose = |wanted: &[Place]| right_front_left((5, 5), north, |cell| wanted.contains(&cell));
        assert_eq!(choose(&[(4, 5), (5, 6), (6, 5)]), Some(((6, 5), -1)));
        assert_eq!(choose(&[(4, 5), (5, 6)]), Some(((5, 6), 0)));
        assert_eq!(choose(&[(4, 5)]), Some(((4, 5), 1)));
        assert_eq!(choose(&[(5, 4)]), None, "what is behind must be searched for");
    }

    #[test]
    fn the_rule_snakes_over_a_rectangle_without_a_gap() {
        let mut left: Vec<Place> = (0..30).map(|n| (n % 6, n / 6)).collect();
        let (mut cell, mut direction) = ((0, 0), 1);
        left.retain(|other| *other != cell);
        let mut searches = 0;
        while !left.is_empty() {
            match right_front_left(cell, direction, |other| left.contains(&other)) {
                Some((next, turn)) => (cell, direction) = (next, turned(direction, turn)),
                None => {
                    searches += 1;
                    cell = left[0];
                }
            }
            left.retain(|other| *other != cell);
        }
        assert!(searches <= 2, "{searches}");
    }

    #[test]
    fn quadrants_cover_the_plane_and_overlap_a_little() {
        let middle = vec2(5.0, 4.0);
        for (x, y, quadrant) in [(9.0, 7.0, 1), (1.0, 7.0, 2), (1.0, 1.0, 3), (9.0, 1.0, 4)] {
            assert_eq!(quadrant_of(vec2(x, y), middle), quadrant);
            assert!(in_quadrant(vec2(x, y), quadrant, middle));
            let others = (1..=4).filter(|q| *q != quadrant);
            assert!(others.into_iter().all(|q| !in_quadrant(vec2(x, y), q, middle)));
        }
        assert!((1..=4).all(|q| in_quadrant(middle, q, middle)));
    }

    /// Walks `turns` one cell at a time; returns the first answer to whether the walk is closed.
    fn walk(turns: &[i32]) -> Option<bool> {
        let mut walk = Walk { along: true, ..Walk::new((0, 0), 0) };
        turns.iter().find_map(|turn| {
            let closed = walk.step(*turn);
            walk.cell = neighbour(walk.cell, walk.direction);
            closed
        })
    }

    #[test]
    fn a_walk_round_the_room_turns_left_and_one_round_an_island_right() {
        assert_eq!(walk(&[0, 0, 1, 0, 1, 0, 1, 0]), None);
        assert_eq!(walk(&[0, 0, 1, 0, 1, 0, 1, 0, 1, 0]), Some(true));
        assert_eq!(walk(&[0, 0, -1, 0, -1, 0, -1, 0, -1, 0]), Some(false));
        assert_eq!(walk(&[0, 0, 0, -1, -1, -1, -1]), Some(false), "round nothing");
        assert_eq!(walk(&[0, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0]), Some(true), "a corridor is a room");
    }

    #[test]
    fn a_step_that_cannot_be_taken_is_as_if_it_had_not_been_tried() {
        let mut walk = Walk { along: true, ..Walk::new((0, 0), 0) };
        walk.step(0);
        let before = (walk.direction, walk.turns, walk.steps.clone());
        walk.step(-1);
        walk.take_back((0, -1));
        assert_eq!((walk.direction, walk.turns, walk.steps.clone()), before);
    }
}
