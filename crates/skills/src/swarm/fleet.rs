//! The models that a robot keeps of the others, from what it has heard: where each is, where it will be, and where it was.

use super::talk::Plan;
use super::trace::Trace;
use crewlab_control::planning::costs::{Knot, Reach};
use crewlab_onboard::{RadioModule, RobotId, Time};
use serde::{Deserialize, Serialize};

/// More robots than this are not remembered: those that were heard longest ago are forgotten first.
const MOST: usize = 64;
/// The quality of a link is asked for again after this time. [s]
const ASKED: f64 = 2.0;
/// Times for which the motion of a guidance vehicle is predicted. [s]
const AHEAD: f32 = 600.0;

/// The model of another robot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Mate {
    pub(super) id: RobotId,
    /// Lamport time of the last message.
    lamport: u64,
    /// When it was heard.
    pub(super) heard: Time,
    plan_at: [f32; 2],
    velocity: [f32; 2],
    /// True for a guidance vehicle.
    pub(super) guides: bool,
    /// Where it will be, after times since it was heard. [s], [m]
    knots: Vec<(f32, [f32; 2])>,
    pub(super) trace: Trace,
    /// The quality of the link by distance, and when it was asked for.
    pub(super) reach: Option<(Reach, Time)>,
}

impl Mate {
    /// Where it will be at times from now on, as far as it has told; after that it stands, and a guidance vehicle goes on as it did.
    pub(super) fn track(&self, now: Time, track: &mut Vec<Knot>) {
        track.clear();
        let age = if self.heard > now { 0.0 } else { now.since(self.heard) as f32 };
        if self.guides {
            let at = |time: f32| [0, 1].map(|d| self.plan_at[d] + self.velocity[d] * time);
            track.push(Knot { time: 0.0, place: at(age) });
            track.push(Knot { time: AHEAD, place: at(age + AHEAD) });
            return;
        }
        let knots = std::iter::once((0.0, self.plan_at)).chain(self.knots.iter().copied());
        track.extend(knots.map(|(time, place)| Knot { time: time - age, place }));
        // Of what is past only the last matters: it is moving on from there.
        let past = track.iter().take_while(|knot| knot.time <= 0.0).count();
        if past > 1 {
            track.drain(..past - 1);
        }
        if let [first, second, ..] = track[..]
            && first.time < 0.0
        {
            let share = -first.time / (second.time - first.time).max(1e-6);
            let place = [0, 1].map(|d| first.place[d] + share * (second.place[d] - first.place[d]));
            track[0] = Knot { time: 0.0, place };
        }
        if let Some(first) = track.first_mut() {
            first.time = 0.0;
        }
    }

    /// Where it is now. [m]
    pub(super) fn place(&self, now: Time) -> [f32; 2] {
        let mut track = Vec::new();
        self.track(now, &mut track);
        track.first().map_or(self.plan_at, |knot| knot.place)
    }
}

/// All models.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Fleet {
    mates: Vec<Mate>,
}

impl Fleet {
    /// The models, by the numbers of the robots.
    pub(super) fn mates(&self) -> &[Mate] {
        &self.mates
    }

    /// Notes what a robot has told about itself. Older messages than the last are dropped.
    pub(super) fn hear(&mut self, from: RobotId, lamport: u64, now: Time, plan: &Plan) {
        let place = self.mates.binary_search_by_key(&from, |mate| mate.id);
        let place = match place {
            Ok(place) if lamport <= self.mates[place].lamport => return,
            Ok(place) => place,
            Err(place) => {
                let mate = Mate {
                    id: from,
                    lamport: 0,
                    heard: now,
                    plan_at: plan.at,
                    velocity: plan.velocity,
                    guides: plan.guides,
                    knots: Vec::new(),
                    trace: Trace::default(),
                    reach: None,
                };
                self.mates.insert(place, mate);
                place
            }
        };
        let mate = &mut self.mates[place];
        (mate.lamport, mate.heard, mate.guides) = (lamport, now, plan.guides);
        (mate.plan_at, mate.velocity) = (plan.at, plan.velocity);
        mate.knots.clear();
        mate.knots.extend(plan.knots.iter().map(|(time, way)| {
            let place = [0, 1].map(|d| plan.at[d] + 0.1 * f32::from(way[d]));
            (0.1 * f32::from(*time), place)
        }));
        if self.mates.len() > MOST {
            let heard = |place: &usize| (self.mates[*place].heard, self.mates[*place].id);
            if let Some(oldest) = (0..self.mates.len()).min_by_key(heard) {
                self.mates.remove(oldest);
            }
        }
    }

    /// Asks the radio how good the links to the others would be at other distances, each from time to time; at most one per tick,
    /// besides new ones. Links are assumed to exist within `range` if the radio predicts nothing. [m]
    pub(super) fn sound(&mut self, radio: &dyn RadioModule, now: Time, range: f64) {
        let stale = |mate: &&mut Mate| mate.reach.is_none_or(|(_, asked)| !now.within(asked, ASKED));
        let mut asked = false;
        for mate in self.mates.iter_mut().filter(|mate| !mate.guides).filter(stale) {
            if mate.reach.is_some() && std::mem::replace(&mut asked, true) {
                continue;
            }
            let near = radio.predict_at(mate.id, 1.0).map_or(0.0, |link| link.rate);
            let best = if near > 0.0 { near } else { 1.0 };
            let quality = |distance: f64| match radio.predict_at(mate.id, distance) {
                Some(link) => link.rate / best,
                None => (1.0 - distance / range).clamp(0.0, 1.0),
            };
            mate.reach = Some((Reach::of(quality), now));
        }
    }

    /// Continues the traces of all robots where they are believed to be, unless they were silent for too long. [s]
    pub(super) fn note_traces(&mut self, now: Time, every: f64, most: usize, silence: f64) {
        for mate in self.mates.iter_mut().filter(|mate| !mate.guides && now.within(mate.heard, silence)) {
            let place = mate.place(now);
            mate.trace.note(place, now, every, most);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: f64) -> Time {
        Time::from_seconds(seconds)
    }

    fn plan(x: f32, guides: bool) -> Plan {
        Plan { at: [x, 0.0], velocity: [2.0, 0.0], guides, knots: vec![(20, [40, 0]), (40, [40, 60])] }
    }

    fn places(fleet: &Fleet, now: f64) -> Vec<(f32, [f32; 2])> {
        let mut track = Vec::new();
        fleet.mates()[0].track(at(now), &mut track);
        track.into_iter().map(|knot| (knot.time, knot.place)).collect()
    }

    #[test]
    fn a_silent_robot_is_where_it_has_planned_to_be() {
        let mut fleet = Fleet::default();
        fleet.hear(RobotId(3), 1, at(10.0), &plan(100.0, false));
        let all = [(0.0, [100.0, 0.0]), (2.0, [104.0, 0.0]), (4.0, [104.0, 6.0])];
        assert_eq!(places(&fleet, 10.0), all);
        assert_eq!(places(&fleet, 11.0), [(0.0, [102.0, 0.0]), (1.0, [104.0, 0.0]), (3.0, [104.0, 6.0])]);
        assert_eq!(places(&fleet, 99.0), [(0.0, [104.0, 6.0])], "at the end it stands");
    }

    #[test]
    fn a_guidance_vehicle_is_believed_to_go_on() {
        let mut fleet = Fleet::default();
        fleet.hear(RobotId(3), 1, at(0.0), &plan(0.0, true));
        assert_eq!(places(&fleet, 30.0)[0], (0.0, [60.0, 0.0]));
        assert_eq!(places(&fleet, 30.0)[1], (600.0, [1260.0, 0.0]));
    }

    #[test]
    fn old_messages_are_dropped_and_the_longest_silent_are_forgotten() {
        let mut fleet = Fleet::default();
        fleet.hear(RobotId(9), 5, at(1.0), &plan(1.0, false));
        fleet.hear(RobotId(9), 4, at(2.0), &plan(2.0, false));
        assert_eq!(fleet.mates()[0].place(at(1.0)), [1.0, 0.0]);
        for id in 10..90 {
            fleet.hear(RobotId(id), 6, at(f64::from(id)), &plan(0.0, false));
        }
        assert_eq!(fleet.mates().len(), MOST);
        assert_eq!(fleet.mates()[0].id, RobotId(26));
        assert!(fleet.mates().is_sorted_by_key(|mate| mate.id));
    }
}
