//! The predicted trajectories of other robots and of moving objects, sampled once per plan at the ends of its steps.

use super::super::horizon::Horizon;
use serde::{Deserialize, Serialize};

/// A place at a time. [s], [m]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Knot {
    /// From the beginning of the plan. [s]
    pub time: f32,
    /// [m]
    pub place: [f32; 2],
}

/// A trajectory in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrackId(u16);

/// Sampled trajectories. Between knots an object moves evenly; before the first and after the last it stands.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tracks {
    /// Object by object, a place per step.
    places: Vec<[f32; 2]>,
    steps: usize,
    count: u16,
}

impl Tracks {
    /// Forgets all trajectories; keeps the memory.
    pub fn clear(&mut self) {
        self.places.clear();
        self.count = 0;
    }

    /// Samples a trajectory, whose knots ascend in time.
    pub fn add(&mut self, knots: &[Knot], horizon: &Horizon) -> TrackId {
        self.steps = horizon.steps();
        // An object of which nothing is known is nowhere, which costs nothing.
        let place = knots.first().map_or([f32::INFINITY; 2], |first| first.place);
        let mut from = Knot { time: 0.0, place };
        let mut ends = horizon.ends();
        for knot in knots {
            let per_time = 1.0 / (knot.time - from.time);
            let rate = [0, 1].map(|d| (knot.place[d] - from.place[d]) * per_time);
            let before = ends.iter().take_while(|end| **end < knot.time).count();
            let (now, later) = ends.split_at(before);
            self.places.extend(now.iter().map(|end| {
                let time = end - from.time;
                [from.place[0] + rate[0] * time, from.place[1] + rate[1] * time]
            }));
            (ends, from) = (later, *knot);
        }
        self.places.resize(self.places.len() + ends.len(), from.place);
        self.count += 1;
        TrackId(self.count - 1)
    }

    /// Where an object is at the end of a step. [m]
    #[inline(always)]
    pub fn at(&self, step: usize, track: TrackId) -> [f32; 2] {
        self.places[usize::from(track.0) * self.steps + step]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_move_evenly_between_knots_and_stand_outside() {
        let horizon = Horizon::equidistant(6, 1.0);
        let mut tracks = Tracks::default();
        let knot = |time, x| Knot { time, place: [x, 2.0 * x] };
        let track = tracks.add(&[knot(2.0, 0.0), knot(4.0, 10.0), knot(5.0, 10.0)], &horizon);
        let single = tracks.add(&[knot(0.0, 7.0)], &horizon);
        let nowhere = tracks.add(&[], &horizon);
        let xs: Vec<f32> = (0..6).map(|step| tracks.at(step, track)[0]).collect();
        assert_eq!(xs, [0.0, 0.0, 5.0, 10.0, 10.0, 10.0]);
        assert_eq!(tracks.at(3, single), [7.0, 14.0]);
        assert_eq!(tracks.at(3, nowhere), [f32::INFINITY; 2]);
    }
}
