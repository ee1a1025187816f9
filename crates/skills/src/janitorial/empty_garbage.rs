//! empty-garbage: follows the sound of one frequency to its can, and dumps until it falls silent.

use super::ears::Ear;
use super::knowledge::Knowledge;
use crewlab_onboard::geometry::Vec2;
use crewlab_onboard::{Action, Command, Event, EventKind, Output, Situation, Subject, Time};
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// Turning speed while listening around. [rad/s]
const LISTEN: f64 = 1.5;
/// The sound is lost when its level falls below this part of the highest.
const LOST: f64 = 0.4;
/// Below this distance the robot drives straight at the can. [m]
const APPROACH: f64 = 1.0;
/// Below this distance it tries to dump: the distance is only estimated from the level. [m]
const DUMP: f64 = 1.5;
/// Dumping for this long without effect, the robot tries from another side. [s]
const IN_VAIN: f64 = 10.0;
/// A robot that works on a can for this long without success leaves it to others, ... [s]
const TOO_LONG: f64 = 300.0;
/// ... for this long at first, and twice as long every time. [s]
const PAUSE: f64 = 300.0;
/// How long the place of the can is averaged. [s]
const PLACE_TIME: f64 = 1.0;

/// A frequency whose cans the robot could not empty.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Shelved {
    frequency: Subject,
    until: Time,
    /// How long it is left alone the next time. [s]
    pause: f64,
}

/// Empties the cans of one frequency.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EmptyGarbage {
    /// The frequency it listens to. [Hz]
    pub frequency: Subject,
    /// How far the robot still turns to listen around. [rad]
    listening: f64,
    /// The highest level so far.
    loudest: f64,
    /// Where the can seems to be.
    place: Option<Vec2>,
    /// How long it has tried to dump. [s]
    dumping: f64,
    /// Where the robot goes to try from another side.
    aside: Option<Vec2>,
    /// How long it has been going aside. [s]
    going: f64,
    /// How long it has worked on this frequency. [s]
    tried: f64,
    /// The frequencies that it has left alone.
    shelved: Vec<Shelved>,
}

impl EmptyGarbage {
    /// The frequencies that are heard, the loudest first.
    pub fn subjects(&self, known: &Knowledge, now: Time, subjects: &mut Vec<Subject>) {
        let open = |ear: &&Ear| ear.hears() && !self.leaves(ear.frequency, now);
        let mut heard: Vec<_> = known.ears.iter().filter(open).collect();
        heard.sort_by(|a, b| b.level.total_cmp(&a.level));
        subjects.extend(heard.iter().map(|ear| ear.frequency));
    }

    /// True if the robot has given up this frequency for now.
    pub fn leaves(&self, frequency: Subject, now: Time) -> bool {
        self.shelved.iter().any(|shelved| shelved.frequency == frequency && now < shelved.until)
    }

    /// Leaves this frequency alone for a while.
    fn shelve(&mut self, now: Time) {
        self.tried = 0.0;
        let frequency = self.frequency;
        let before = self.shelved.iter().find(|shelved| shelved.frequency == frequency);
        let pause = before.map_or(PAUSE, |shelved| shelved.pause);
        self.shelved.retain(|shelved| shelved.frequency != frequency);
        self.shelved.push(Shelved { frequency, until: now.after((pause * 1e9) as u64), pause: 2.0 * pause });
    }

    /// Time to get to the can of a frequency. [s]
    pub fn cost(frequency: Subject, known: &Knowledge, situation: &Situation) -> f64 {
        let ear = known.ears.iter().find(|ear| ear.frequency == frequency && ear.hears());
        ear.map_or(f64::INFINITY, |ear| {
            ear.distance(known.briefing.loudness) / situation.me.datasheet.max_speed.max(1e-9)
        })
    }

    /// Starts with a frequency.
    pub fn start(&mut self, frequency: Subject) {
        let shelved = std::mem::take(&mut self.shelved);
        *self = EmptyGarbage { frequency, listening: TAU, shelved, ..EmptyGarbage::default() };
    }

    /// The robot's action in this tick.
    pub fn act(&mut self, known: &mut Knowledge, situation: &Situation, out: &mut Output) -> Command {
        let heard = known.ears.iter().find(|ear| ear.frequency == self.frequency && ear.hears()).copied();
        let (Some(ear), Some(pose)) = (heard, known.navigator.pose(situation)) else {
            return known.navigator.stop();
        };
        self.tried += situation.dt;
        if self.tried > TOO_LONG {
            self.shelve(situation.now);
        }
        if self.listening > 0.0 {
            self.listening -= LISTEN * situation.dt;
            if ear.certain() && self.listening < TAU / 2.0 {
                self.listening = 0.0;
            }
            (self.loudest, self.place) = (ear.level, None);
            return known.navigator.spin(LISTEN);
        }
        self.loudest = self.loudest.max(ear.level);
        if ear.level < LOST * self.loudest {
            self.listening = TAU;
        }
        let distance = ear.distance(known.briefing.loudness);
        let command = match self.aside {
            Some(aside) => self.go_aside(aside, known, situation, out),
            None if distance < APPROACH => known.navigator.creep(ear.towards.angle(), situation),
            None => {
                let guess = pose.position + Vec2::unit(ear.towards.angle()) * distance;
                let before = self.place.unwrap_or(guess);
                let place = before + (guess - before) * (situation.dt / PLACE_TIME).min(1.0);
                self.place = Some(place);
                known
                    .go_to(place, 0.7, situation, out)
                    .unwrap_or_else(|| known.navigator.go_to(place, situation, out))
            }
        };
        if distance > DUMP {
            return command;
        }
        self.dumping += situation.dt;
        if self.dumping > IN_VAIN && self.aside.is_none() {
            (self.dumping, self.going) = (0.0, 0.0);
            let direction = Vec2::unit(out.random.between(0.0, TAU));
            self.aside = Some(pose.position + direction * 1.0);
            let why = "the dumper was used and the can still sounds: try from another side";
            out.explain(
                Event::new(EventKind::DumpingInVain).saying(why).with("frequency", f64::from(self.frequency)),
            );
        }
        match known.dumper {
            Some(dumper) => command.with(dumper, Action::Work),
            None => command,
        }
    }

    fn go_aside(
        &mut self,
        aside: Vec2,
        known: &mut Knowledge,
        situation: &Situation,
        out: &mut Output,
    ) -> Command {
        self.going += situation.dt;
        let there = known.navigator.pose(situation).is_none_or(|pose| pose.position.distance(aside) < 0.2);
        if there || self.going > 4.0 {
            (self.aside, self.listening) = (None, TAU);
        }
        known.navigator.go_to(aside, situation, out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_can_that_cannot_be_emptied_is_left_alone_longer_every_time() {
        let at = Time::from_seconds;
        let mut set = EmptyGarbage::default();
        set.start(2000);
        set.shelve(at(0.0));
        assert!(set.leaves(2000, at(299.0)) && !set.leaves(2000, at(300.0)) && !set.leaves(3000, at(1.0)));
        set.start(2000);
        set.shelve(at(1000.0));
        assert!(set.leaves(2000, at(1599.0)) && !set.leaves(2000, at(1600.0)));
    }
}
