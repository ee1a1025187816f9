//! Carries the item in the gripper to the deposit and puts it down there.

use super::DEPOSIT;
use super::approach::Approach;
use super::knowledge::Knowledge;
use super::sites::Sites;
use super::sweep::Sweep;
use crewlab_onboard::geometry::{Pose, Vec2};
use crewlab_onboard::{Action, Command, Event, EventKind, Output, Situation, Time};
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// A slot counts as reached within this share of the deposit's radius ...
const AT_SLOT: f64 = 0.25;
/// ... and this distance. [m]
const AT_SLOT_AT_MOST: f64 = 0.3;
/// Slots lie within this share of the deposit's radius. Later attempts may use more of it.
const SLOTS: [f64; 2] = [0.55, 0.75];
/// An item is well inside the deposit within this share of its radius.
const WELL_INSIDE: f64 = 0.9;
/// A robot near the deposit that has not come nearer to its slot for this long makes do with where it is, or with another slot;
/// longer after every failure. [s]
const PATIENCE: f64 = 4.0;
/// Longest such time. [s]
const MOST_PATIENCE: f64 = 20.0;
/// From this distance to the rim on, getting to the slot is a matter of the slot and not of the way. [m]
const NEAR: f64 = 1.0;
/// Without any sight of the deposit after this number of slots, it is elsewhere.
const IN_VAIN: u32 = 6;

/// The way of one item into the deposit.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Delivery {
    /// The place for the item, relative to the centre of the deposit and its radius.
    slot: Option<Vec2>,
    approach: Approach,
    /// Number of slots that could not be reached.
    failures: u32,
    /// Since when the robot has been where the deposit should be without seeing it.
    puzzled: Option<Time>,
    /// The search for a deposit that is not where it should be.
    search: Option<Sweep>,
}

/// The deposit as the robot sees it, or as it believes it to be.
struct Target {
    center: Vec2,
    radius: f64,
    /// Distance from its centre, if it is in view. [m]
    seen: Option<f64>,
    inside: bool,
}

impl Delivery {
    /// The robot's action while it holds an item.
    pub fn act(
        &mut self,
        sites: Sites,
        known: &mut Knowledge,
        situation: &Situation,
        out: &mut Output,
    ) -> Command {
        let Some(pose) = known.navigator.pose(situation) else { return Command::stop() };
        let target = target(sites, known, situation);
        if target.seen.is_some() {
            (self.puzzled, self.search) = (None, None);
        } else if let Some(search) = &mut self.search {
            let reach = 0.25 * known.sight(situation);
            match search.next(pose.position, reach, situation.now) {
                Some(point) => return known.navigator.go_to(point, situation, out),
                None => {
                    *self = Delivery::default();
                    known.forget(out);
                    return Command::stop();
                }
            }
        } else if self.misses_deposit(&target, &pose, known, situation) {
            self.look_elsewhere(sites, known, situation, out);
            return Command::stop();
        }
        self.go_to_slot(&target, &pose, known, situation, out)
    }

    fn go_to_slot(
        &mut self,
        target: &Target,
        pose: &Pose,
        known: &mut Knowledge,
        situation: &Situation,
        out: &mut Output,
    ) -> Command {
        let slot = *self.slot.get_or_insert_with(|| random_slot(SLOTS[0], out));
        let place = target.center + slot * target.radius;
        let distance = pose.position.distance(place);
        let near = pose.position.distance(target.center) < target.radius + NEAR;
        let stalled = near && self.approach.stalled(place, distance, situation.now) > self.patience();
        let arrived = distance < (AT_SLOT * target.radius).min(AT_SLOT_AT_MOST);
        let well_inside = target.seen.is_some_and(|seen| seen < WELL_INSIDE * target.radius);
        // Something may stand on the slot: then any place inside is good enough.
        let good_enough = target.inside && (well_inside || self.failures > 1);
        if let Some(gripper) = known.gripper
            && (target.inside && well_inside && arrived || good_enough && stalled)
        {
            return Command::stop().with(gripper, Action::Release);
        }
        if stalled || arrived && !target.inside {
            self.try_elsewhere(target, pose, out);
            known.navigator.set_out();
        }
        known.navigator.go_to(place, situation, out)
    }

    fn patience(&self) -> f64 {
        (PATIENCE * f64::from(1 + self.failures)).min(MOST_PATIENCE)
    }

    /// Chooses another slot: first the nearest one, then any.
    fn try_elsewhere(&mut self, target: &Target, pose: &Pose, out: &mut Output) {
        self.approach.restart();
        self.failures += 1;
        let towards = pose.position - target.center;
        let slot = match self.failures {
            1 if towards.length() > 0.0 => towards * (SLOTS[1] / towards.length()),
            _ => random_slot(SLOTS[1], out),
        };
        self.slot = Some(slot);
    }

    /// True once the robot has been at the deposit's place for a while, or tried to get there often enough, without seeing it.
    fn misses_deposit(
        &mut self,
        target: &Target,
        pose: &Pose,
        known: &Knowledge,
        situation: &Situation,
    ) -> bool {
        let there = known.sees_areas(situation) && pose.position.distance(target.center) < AT_SLOT_AT_MOST;
        known.sees_areas(situation) && self.failures >= IN_VAIN
            || super::lasts(&mut self.puzzled, there, situation.now)
    }

    /// The deposit is not where it should be: either it was moved, or the robot is wrong about the room.
    fn look_elsewhere(
        &mut self,
        sites: Sites,
        known: &mut Knowledge,
        situation: &Situation,
        out: &mut Output,
    ) {
        *self = Delivery::default();
        if !known.confirmed {
            known.forget(out);
            return;
        }
        let spacing = 0.8 * known.sight(situation);
        self.search = Some(Sweep::over(sites.grid(spacing)));
        let why = "the deposit is not where it should be; the robot looks for it in the whole room";
        out.explain(Event::new(EventKind::Doubt).saying(why).at(sites.deposit));
    }
}

fn target(sites: Sites, known: &Knowledge, situation: &Situation) -> Target {
    match known.area(DEPOSIT, sites.deposit, situation) {
        Some((deposit, center)) => {
            Target { center, radius: deposit.extent, seen: Some(deposit.distance), inside: deposit.inside }
        }
        None => {
            let radius = known.briefing.deposit_radius;
            Target { center: sites.deposit, radius, seen: None, inside: false }
        }
    }
}

/// A random place within a share of the unit disc.
fn random_slot(share: f64, out: &mut Output) -> Vec2 {
    let distance = share * out.random.unit().sqrt();
    Vec2::unit(out.random.between(0.0, TAU)) * distance
}
