//! A walk around a room, with the wall on the right.

use crate::Place;
use crate::grid::{RIGHT_FRONT_LEFT_BACK, neighbour, turned};
use serde::{Deserialize, Serialize};

/// Steps along the perimeter that are remembered.
const LONGEST: usize = 2000;
/// A walk shorter than this was not around a room. [cells]
const SHORTEST: usize = 8;

/// A walk along the perimeter with the wall on the right.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Walk {
    /// The cell it comes from.
    pub cell: Place,
    /// Its direction.
    pub direction: usize,
    /// True along a wall, false on the way to one.
    along: bool,
    /// Quarter turns to the left so far.
    turns: i32,
    /// Consecutive turns to the right: after four there is no wall on the right.
    rights: u8,
    /// The places along the wall, with the direction and the turns at each.
    steps: Vec<(Place, usize, i32)>,
    /// Direction and turns before the last step, in case that step cannot be taken.
    before: (usize, i32),
    /// Cells that could not be stepped on. They stay walls, or a walk would not close.
    walls: Vec<Place>,
}

impl Walk {
    /// A walk that begins at a cell, in a direction.
    pub fn new(cell: Place, direction: usize) -> Walk {
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

    /// Takes one more step of the walk. It is closed if it returns to a place in the same direction: true if that was around the
    /// room, with a full turn to the left; false if it was around an island. A wall need not look the same twice, so after a full
    /// turn to the left it is enough to come back beside a place.
    fn step(&mut self, turn: i32) -> Option<bool> {
        self.before = (self.direction, self.turns);
        (self.direction, self.turns) = (turned(self.direction, turn), self.turns + turn);
        self.rights = if turn == -1 { self.rights + 1 } else { 0 };
        let before = self.steps.iter().rposition(|step| (step.0, step.1) == (self.cell, self.direction));
        let closed = before.map(|place| {
            let turned_left = self.turns > self.steps[place].2;
            turned_left && self.steps.len() - place >= SHORTEST
        });
        let round = || self.steps.iter().rev().skip(SHORTEST).any(|step| self.comes_round_to(step));
        let closed = closed.or_else(|| round().then_some(true));
        if self.steps.len() < LONGEST {
            self.steps.push((self.cell, self.direction, self.turns));
        }
        if self.rights >= 4 { Some(false) } else { closed }
    }

    /// True if a full turn to the left has led back to a place along the wall, or to one beside it.
    fn comes_round_to(&self, (place, direction, turns): &(Place, usize, i32)) -> bool {
        let beside = (place.0 - self.cell.0).abs() <= 1 && (place.1 - self.cell.1).abs() <= 1;
        beside && *direction == self.direction && self.turns - turns == 4
    }

    /// The last step could not be taken: undoes it.
    pub fn take_back(&mut self, cell: Place) {
        if self.along {
            self.walls.push(cell);
            (self.direction, self.turns) = self.before;
            self.rights = self.rights.saturating_sub(1);
            self.steps.pop();
        }
    }

    /// Chooses the direction of the next step: towards a wall, or along it with the wall on the right. Tells whether the walk is
    /// closed: true around a room, false around an island or nothing.
    pub fn walk_on(&mut self, passable: impl Fn(Place) -> bool) -> Option<bool> {
        let cell = self.cell;
        if !self.along {
            if passable(neighbour(cell, self.direction)) {
                return None;
            }
            *self = Walk { along: true, ..Walk::new(cell, turned(self.direction, 1)) };
        }
        for turn in RIGHT_FRONT_LEFT_BACK {
            let next = neighbour(cell, turned(self.direction, turn));
            if !self.walls.contains(&next) {
                if passable(next) {
                    return self.step(turn);
                }
                self.walls.push(next);
            }
        }
        // Enclosed, or apparently so: start again.
        Some(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn a_walk_around_the_room_turns_left_and_one_around_an_island_right() {
        assert_eq!(walk(&[0, 0, 1, 0, 1, 0, 1, 0]), None);
        assert_eq!(walk(&[0, 0, 1, 0, 1, 0, 1, 0, 1, 0]), Some(true));
        assert_eq!(walk(&[0, 0, -1, 0, -1, 0, -1, 0, -1, 0]), Some(false));
        assert_eq!(walk(&[0, 0, 0, -1, -1, -1, -1]), Some(false), "round nothing");
        assert_eq!(walk(&[0, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0]), Some(true), "a corridor is a room");
        // Three cells along each wall, and back one cell farther from the first wall than at the start.
        let once = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1];
        assert_eq!(walk(&once), Some(true), "a wall need not look the same twice");
    }

    #[test]
    fn a_step_that_cannot_be_taken_is_undone() {
        let mut walk = Walk { along: true, ..Walk::new((0, 0), 0) };
        walk.step(0);
        let before = (walk.direction, walk.turns, walk.steps.clone());
        walk.step(-1);
        walk.take_back((0, -1));
        assert_eq!((walk.direction, walk.turns, walk.steps.clone()), before);
    }
}
