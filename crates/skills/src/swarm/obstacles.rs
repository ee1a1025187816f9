//! What is in the way, as far as the robot has sensed it or was told of it: cells of a coarse grid.

use crewlab_onboard::Time;
use crewlab_onboard::geometry::Vec2;
use serde::{Deserialize, Serialize};

/// More cells than this are not remembered.
const MOST: usize = 2000;
/// A cell that was not seen for this long is forgotten: what was there may have moved. [s]
const KEPT: f64 = 300.0;
/// A cell is told to others again after this time. [s]
const TOLD: f64 = 60.0;

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Seen {
    cell: [i16; 2],
    /// Where in the cell. [m]
    place: [f32; 2],
    at: Time,
    told: Option<Time>,
}

/// The cells, sorted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Obstacles {
    seen: Vec<Seen>,
    checked: Time,
}

fn cell_of(place: Vec2, side: f64) -> Option<[i16; 2]> {
    let number = |value: f64| {
        let cell = (value / side).floor();
        (cell.abs() < 32_000.0).then_some(cell as i16)
    };
    Some([number(place.x)?, number(place.y)?])
}

impl Obstacles {
    /// Notes that something is at a place.
    pub(super) fn see(&mut self, place: Vec2, side: f64, now: Time) {
        if let Some(cell) = cell_of(place, side) {
            self.note(cell, [place.x as f32, place.y as f32], now);
        }
    }

    /// Notes that somebody has seen something in a cell.
    pub(super) fn learn(&mut self, cell: [i16; 2], side: f64, now: Time) {
        let middle = cell.map(|number| ((f64::from(number) + 0.5) * side) as f32);
        if let Err(place) = self.seen.binary_search_by_key(&cell, |seen| seen.cell)
            && self.seen.len() < MOST
        {
            // Whoever told it will tell it again.
            self.seen.insert(place, Seen { cell, place: middle, at: now, told: Some(now) });
        }
    }

    fn note(&mut self, cell: [i16; 2], place: [f32; 2], now: Time) {
        match self.seen.binary_search_by_key(&cell, |seen| seen.cell) {
            Ok(index) => (self.seen[index].at, self.seen[index].place) = (now, place),
            Err(index) if self.seen.len() < MOST => {
                self.seen.insert(index, Seen { cell, place, at: now, told: None });
            }
            Err(_) => {}
        }
    }

    /// Forgets what was not seen for long.
    pub(super) fn expire(&mut self, now: Time) {
        if now.within(self.checked, 10.0) {
            return;
        }
        self.checked = now;
        self.seen.retain(|seen| now.within(seen.at, KEPT) || seen.at > now);
    }

    /// Up to `most` cells that others should be told of.
    pub(super) fn news(&mut self, now: Time, most: usize) -> Vec<[i16; 2]> {
        let due = |seen: &&mut Seen| seen.told.is_none_or(|told| !now.within(told, TOLD));
        let fresh = self.seen.iter_mut().filter(|seen| now.within(seen.at, TOLD)).filter(due).take(most);
        fresh
            .map(|seen| {
                seen.told = Some(now);
                seen.cell
            })
            .collect()
    }

    /// The places of what is within a distance. [m]
    pub(super) fn near(&self, at: [f32; 2], reach: f32) -> impl Iterator<Item = [f32; 2]> {
        self.within(at, reach).map(|seen| seen.place)
    }

    /// The lines between neighbouring places within a distance: a robot does not fit through there. [m]
    pub(super) fn lines(&self, at: [f32; 2], reach: f32) -> impl Iterator<Item = [[f32; 2]; 2]> {
        // Each pair once.
        const BESIDE: [[i16; 2]; 4] = [[1, 0], [1, 1], [0, 1], [-1, 1]];
        let beside = |seen: &Seen, way: [i16; 2]| {
            let cell = [0, 1].map(|d| seen.cell[d].saturating_add(way[d]));
            self.seen.binary_search_by_key(&cell, |seen| seen.cell).ok().map(|index| self.seen[index].place)
        };
        self.within(at, reach).flat_map(move |seen| {
            BESIDE.into_iter().filter_map(move |way| Some([seen.place, beside(seen, way)?]))
        })
    }

    fn within(&self, at: [f32; 2], reach: f32) -> impl Iterator<Item = &Seen> {
        let close = move |place: [f32; 2]| {
            let [dx, dy] = [0, 1].map(|d| place[d] - at[d]);
            dx * dx + dy * dy < reach * reach
        };
        self.seen.iter().filter(move |seen| close(seen.place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crewlab_onboard::geometry::vec2;

    #[test]
    fn what_is_seen_is_kept_told_once_and_forgotten() {
        let mut obstacles = Obstacles::default();
        let now = Time::from_seconds(20.0);
        obstacles.see(vec2(-1.0, 9.0), 4.0, now);
        obstacles.see(vec2(-1.5, 9.5), 4.0, now);
        obstacles.learn([7, 7], 4.0, now);
        obstacles.see(vec2(f64::NAN, 1e9), 4.0, now);
        assert_eq!(obstacles.near([0.0, 0.0], 1e3).count(), 2);
        assert_eq!(obstacles.near([0.0, 10.0], 5.0).collect::<Vec<_>>(), [[-1.5, 9.5]]);
        assert_eq!(obstacles.news(now, 24), [[-1, 2]], "what others have told is not told again");
        assert_eq!(obstacles.news(now, 24).len(), 0);
        obstacles.see(vec2(-5.0, 9.0), 4.0, now);
        assert_eq!(obstacles.lines([0.0, 0.0], 1e3).collect::<Vec<_>>(), [[[-5.0, 9.0], [-1.5, 9.5]]]);
        obstacles.expire(Time::from_seconds(1000.0));
        assert_eq!(obstacles.near([0.0, 0.0], 1e3).count(), 0);
    }
}
