//! A robot that cannot move any more holds out its item, so that a team-mate can take it: across a wall, if it is walled in.

use super::DEPOSIT;
use super::knowledge::{Knowledge, Talk};
use crewlab_onboard::geometry::{Pose, Vec2, wrap};
use crewlab_onboard::{Action, Command, Event, EventKind, Output, Scan, Situation, Time};
use serde::{Deserialize, Serialize};

/// A wall this near to the rim is one to hold the item out across. [m]
const WALL: f64 = 0.35;
/// How long it is held out across each wall. [s]
const EACH_WALL: f64 = 150.0;
/// Obstacles within this angle are one wall. [rad]
const ONE_WALL: f64 = 0.7;
/// The robot faces a wall that is no farther than this from its front. [rad]
const ALIGNED: f64 = 0.2;
/// Time between two messages. [s]
const NEWS: f64 = 5.0;

/// What was said about the item.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HoldingOut {
    told: Option<Time>,
}

impl HoldingOut {
    /// The action of a robot that holds an item and cannot move.
    pub fn act(&mut self, known: &mut Knowledge, situation: &Situation, out: &mut Output) -> Command {
        let (Some(pose), Some(gripper)) = (known.navigator.pose(situation), known.gripper) else {
            return Command::stop();
        };
        let deposit = known.sites.and_then(|sites| known.area(DEPOSIT, sites.deposit, situation));
        if deposit.is_some_and(|(deposit, _)| deposit.inside) {
            return Command::stop().with(gripper, Action::Release);
        }
        let sheet = &situation.me.datasheet;
        let arm = sheet.radius + sheet.effectors[usize::from(gripper.0)].range;
        let at = pose.position + Vec2::unit(pose.heading) * arm;
        let wall = self.wall(&pose, known, situation);
        // Others must find the item where it was said to be.
        let settled = wall.is_none_or(|bearing| bearing.abs() < ALIGNED);
        if settled && self.told.is_none_or(|told| !situation.now.within(told, NEWS)) {
            if self.told.is_none_or(|told| !situation.now.within(told, 2.0 * NEWS)) {
                let why = "the robot cannot move and holds its item out for others to take";
                out.explain(Event::new(EventKind::Setback).saying(why).at(at));
            }
            self.told = Some(situation.now);
            known.tell(&Talk::HoldsOut(at), out);
        }
        let command = match wall {
            Some(bearing) => known.navigator.creep(pose.heading + bearing, situation),
            None => Command::stop(),
        };
        command.with(gripper, Action::Offer)
    }

    /// The direction of a wall around the robot: the one nearest to the middle of the room, and another one after a
    /// while. [rad]
    fn wall(&self, pose: &Pose, known: &Knowledge, situation: &Situation) -> Option<f64> {
        let sites = known.sites?;
        let towards = pose.bearing((sites.low + sites.high) * 0.5);
        let mut walls = nearest_points(&known.navigator.scan(situation));
        walls.sort_by(|a, b| wrap(a - towards).abs().total_cmp(&wrap(b - towards).abs()));
        let attempt = (known.mobility.stuck_for(situation.now) / EACH_WALL) as usize;
        (!walls.is_empty()).then(|| walls[attempt % walls.len()])
    }
}

/// The directions in which obstacles are nearest: one for each wall around the robot. [rad]
fn nearest_points(scan: &Scan) -> Vec<f64> {
    let rays = || scan.angles.iter().copied().zip(scan.ranges.iter().copied());
    let nearest = |&(angle, range): &(f64, f64)| {
        range < WALL && rays().all(|(other, far)| wrap(other - angle).abs() > ONE_WALL || far >= range)
    };
    rays().filter(nearest).map(|(angle, _)| angle).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{FRAC_PI_2, PI};

    #[test]
    fn a_box_has_four_walls() {
        let angles: Vec<f64> = (0..36).map(|i| wrap(f64::from(i) * PI / 18.0)).collect();
        let range = |angle: &f64| {
            let towards = Vec2::unit(angle.abs() % FRAC_PI_2);
            0.3 / towards.x.max(towards.y) - 0.2
        };
        let ranges: Vec<f64> = angles.iter().map(range).collect();
        let walls = nearest_points(&Scan::new(&angles, &ranges, 1.5));
        assert_eq!(walls.len(), 4, "{walls:?}");
        let noisy: Vec<f64> =
            ranges.iter().enumerate().map(|(i, range)| range + 0.001 * ((i * 7) % 5) as f64).collect();
        let walls = nearest_points(&Scan::new(&angles, &noisy, 1.5));
        assert_eq!(walls.len(), 4, "noise makes no walls: {walls:?}");
    }
}
