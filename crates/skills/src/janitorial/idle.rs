//! An idle janitor: it stays where it is, and makes way for whoever comes near.

use super::knowledge::Knowledge;
use crewlab_onboard::geometry::Vec2;
use crewlab_onboard::{Command, Output, Situation, Time};
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// How long the robot observes its surroundings before it knows what is normal. [s]
const LOOK: f64 = 3.0;
/// Something has come near if it is closer than this ... [m]
const NEAR: f64 = 0.5;
/// ... and closer than before in that direction by this share.
const NEARER: f64 = 0.3;
/// How long distances are averaged. [s]
const AVERAGE: f64 = 0.5;
/// Number of directions.
const SECTORS: usize = 12;
/// Longest time for making way. [s]
const STEP_ASIDE: f64 = 10.0;

/// An idle robot.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Idle {
    since: Option<Time>,
    /// Current distances, averaged, and the normal ones. [m]
    sectors: Option<([f64; SECTORS], [f64; SECTORS])>,
    /// Where it goes to make way, and since when.
    aside: Option<(Vec2, Time)>,
}

impl Idle {
    /// The robot's action in this tick.
    pub fn act(&mut self, known: &mut Knowledge, situation: &Situation, out: &mut Output) -> Command {
        let Some(pose) = known.navigator.pose(situation) else { return known.navigator.stop() };
        if let Some((goal, since)) = self.aside {
            let over = pose.position.distance(goal) < 0.2 || situation.now.since(since) > STEP_ASIDE;
            let command = if over { None } else { known.go_to(goal, 0.0, situation, out) };
            return command.unwrap_or_else(|| {
                *self = Idle::default();
                known.navigator.stop()
            });
        }
        if self.disturbed(&known.sectors(situation), situation) {
            self.aside = make_way(pose.position, known, out).map(|goal| (goal, situation.now));
        }
        known.navigator.stop()
    }

    /// True if something has come near since the robot stands here.
    fn disturbed(&mut self, ranges: &[f64; SECTORS], situation: &Situation) -> bool {
        let since = *self.since.get_or_insert(situation.now);
        let (mut now, mut usual) = self.sectors.unwrap_or((*ranges, *ranges));
        let share = (situation.dt / AVERAGE).min(1.0);
        for (average, range) in now.iter_mut().zip(ranges) {
            *average += share * (range - *average);
        }
        let looking = situation.now.since(since) < LOOK;
        if looking {
            usual = now;
        }
        self.sectors = Some((now, usual));
        let nearer = |(now, usual): (&f64, &f64)| *now < NEAR && *now < (1.0 - NEARER) * usual - 0.05;
        !looking && now.iter().zip(&usual).any(nearer)
    }
}

/// A free place a little away.
fn make_way(at: Vec2, known: &Knowledge, out: &mut Output) -> Option<Vec2> {
    for _ in 0..12 {
        let goal = at + Vec2::unit(out.random.between(0.0, TAU)) * out.random.between(1.0, 2.0);
        let free = known.chart.stands(known.chart.place(goal));
        if free && known.chart.way(at, goal, 0.0).is_some() {
            return Some(goal);
        }
    }
    None
}
