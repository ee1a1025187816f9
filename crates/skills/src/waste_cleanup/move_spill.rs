//! move-spill: carries the waste of one spill to the deposit, one item at a time.

use super::knowledge::{Knowledge, Sites, Talk, place};
use super::{DEPOSIT, SPILL, WASTE};
use crewlab_onboard::geometry::Vec2;
use crewlab_onboard::{
    Action, Behaviour, Command, Event, EventKind, Goal, Output, Sighting, Situation, Time,
};
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// A place counts as reached at this distance. [m]
const ARRIVED: f64 = 0.3;
/// A robot that has been in the deposit for this long puts its item down where it is. [s]
const LINGER: f64 = 8.0;
/// How long a robot looks around at a place before it believes that nothing is there. [s]
const LOOK_AROUND: f64 = 1.0;

/// Carries waste from one spill.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MoveSpill {
    /// 0 for the top spill, 1 for the bottom one.
    spill: usize,
    /// The place in the deposit for the item in the gripper, relative to its centre. [m]
    slot: Vec2,
    /// Since when the robot has been at a place without finding what it came for.
    puzzled: Option<Time>,
    /// Since when the robot has been in the deposit with an item.
    arrived: Option<Time>,
    /// Number of lookout points visited at a spill that is too large to be seen at once.
    looked: usize,
}

impl MoveSpill {
    /// For one of the two spills.
    pub fn new(spill: usize) -> MoveSpill {
        MoveSpill { spill, slot: Vec2::ZERO, puzzled: None, arrived: None, looked: 0 }
    }

    /// Takes the item to the deposit.
    fn deliver(
        &mut self,
        sites: Sites,
        known: &mut Knowledge,
        situation: &Situation,
        out: &mut Output,
    ) -> Command {
        let Some(pose) = known.navigator.pose(situation) else { return Command::stop() };
        let seen = known.area(DEPOSIT, sites.deposit, situation);
        let center = seen.map_or(sites.deposit, |(_, center)| center);
        if let (Some((deposit, _)), Some(gripper)) = (seen, known.gripper) {
            let well_inside = deposit.inside && deposit.distance < 0.8 * deposit.extent;
            if !well_inside {
                self.arrived = None;
            }
            let at_slot = pose.position.distance(center + self.slot) < ARRIVED;
            // Another robot may stand on the slot: then any place well inside is good enough.
            if well_inside && (at_slot || self.lingers(situation)) {
                self.arrived = None;
                return Command::stop().with(gripper, Action::Release);
            }
        } else if self
            .nothing_here(known.sees_areas(situation) && pose.position.distance(center) < ARRIVED, situation)
        {
            forget(known, out);
        }
        known.navigator.go_to(center + self.slot, situation, out)
    }

    /// Goes to the spill and picks an item up.
    fn fetch(
        &mut self,
        sites: Sites,
        known: &mut Knowledge,
        situation: &Situation,
        out: &mut Output,
    ) -> Command {
        let Some(pose) = known.navigator.pose(situation) else { return Command::stop() };
        let seen = known.area(SPILL, sites.spills[self.spill], situation);
        // The other spill is much farther from the expected place than its radius.
        let seen =
            seen.filter(|(area, center)| center.distance(sites.spills[self.spill]) < 1.5 * area.extent);
        let (center, radius) = match seen {
            Some((area, center)) => (center, area.extent),
            None => (sites.spills[self.spill], 0.0),
        };
        let of_this_spill =
            |s: &&Sighting| &*s.kind == WASTE && place(&pose, s).distance(center) <= radius + ARRIVED;
        if let Some(item) = known.items(situation).iter().find(of_this_spill) {
            (self.puzzled, self.looked) = (None, 0);
            return self.pick_up(item, known, situation, out);
        }
        if let Some(stray) = known.stray_of(self.spill, situation).filter(|_| known.cleared[self.spill]) {
            let lost = |s: &&Sighting| &*s.kind == WASTE && place(&pose, s).distance(stray) <= ARRIVED;
            if let Some(item) = known.items(situation).iter().find(lost) {
                return self.pick_up(item, known, situation, out);
            }
            return known.navigator.go_to(stray, situation, out);
        }
        let lookouts = lookouts(center, radius, known.item_range(situation));
        let lookout = lookouts[self.looked.min(lookouts.len() - 1)];
        let sees = known.sees_items(situation) && known.sees_areas(situation);
        if self.nothing_here(sees && pose.position.distance(lookout) < ARRIVED, situation) {
            self.looked += 1;
            if seen.is_none() {
                forget(known, out);
            } else if self.looked >= lookouts.len() {
                known.cleared[self.spill] = true;
                known.tell(&Talk::Cleared(self.spill as u8), out);
                out.explain(
                    Event::new(EventKind::SpillCleared).saying("no waste is left in view at the spill"),
                );
            }
            return Command::stop();
        }
        known.navigator.go_to(lookout, situation, out)
    }

    fn pick_up(
        &mut self,
        item: &Sighting,
        known: &mut Knowledge,
        situation: &Situation,
        out: &mut Output,
    ) -> Command {
        let Some(gripper) = known.gripper else { return Command::stop() };
        let sheet = &situation.me.datasheet;
        let reach = sheet.radius + 0.7 * sheet.effectors[usize::from(gripper.0)].range;
        let in_front = item.distance <= sheet.radius || item.bearing.abs() < 1.2;
        if item.distance > reach || !in_front {
            return known.navigator.go(
                Goal { bearing: item.bearing, distance: item.distance },
                situation,
                out,
            );
        }
        let radius = 0.6 * known.briefing.deposit_radius * out.random.unit().sqrt();
        self.slot = Vec2::unit(out.random.between(0.0, TAU)) * radius;
        Command::stop().with(gripper, Action::Grab)
    }

    /// True once the robot has been in the deposit for longer than it takes to get to any slot.
    fn lingers(&mut self, situation: &Situation) -> bool {
        let since = *self.arrived.get_or_insert(situation.now);
        situation.now.since(since) > LINGER
    }

    /// True once the robot has been `there` for a while, with working sensors, without finding anything.
    fn nothing_here(&mut self, there: bool, situation: &Situation) -> bool {
        if !there {
            self.puzzled = None;
            return false;
        }
        let since = *self.puzzled.get_or_insert(situation.now);
        let sure = situation.now.since(since) >= LOOK_AROUND;
        if sure {
            self.puzzled = None;
        }
        sure
    }
}

/// Lookout points from which a whole spill can be seen: its centre, and for a spill larger than the detector's range also points
/// on rings around it.
fn lookouts(center: Vec2, radius: f64, range: f64) -> Vec<Vec2> {
    let mut places = vec![center];
    let mut seen = 0.8 * range;
    while seen < radius && seen > 0.0 && places.len() < 500 {
        let ring = (seen + 0.4 * range).min(radius);
        let count = (TAU * ring / (0.8 * range)).ceil().max(3.0) as usize;
        places.extend((0..count).map(|i| center + Vec2::unit(TAU * i as f64 / count as f64) * ring));
        seen += 0.8 * range;
    }
    places
}

/// Discards the believed places: the expected area is not here.
fn forget(known: &mut Knowledge, out: &mut Output) {
    known.sites = None;
    // Sightings at wrong places say nothing about the right ones.
    known.cleared = [false; 2];
    known.strays.clear();
    out.explain(
        Event::new(EventKind::LocationsWrong)
            .saying("nothing was found where it should be; the search starts again"),
    );
}

impl Behaviour<Knowledge> for MoveSpill {
    fn applicable(&self, known: &Knowledge, situation: &Situation) -> bool {
        // An item in the gripper must be delivered, wherever it came from.
        known.sites.is_some() && (known.loaded(situation) || known.work_left(self.spill))
    }

    fn cost(&self, known: &Knowledge, situation: &Situation) -> f64 {
        let Some(sites) = known.sites else { return f64::INFINITY };
        if known.loaded(situation) {
            return known.navigator.time_to(sites.deposit, situation);
        }
        let way = sites.spills[self.spill].distance(sites.deposit);
        known.navigator.time_to(sites.spills[self.spill], situation)
            + way / situation.me.datasheet.max_speed.max(1e-9)
    }

    fn start(&mut self, _known: &Knowledge, _situation: &Situation) {
        (self.puzzled, self.arrived, self.looked) = (None, None, 0);
    }

    fn act(&mut self, known: &mut Knowledge, situation: &Situation, out: &mut Output) -> Command {
        let Some(sites) = known.sites else { return Command::stop() };
        if known.loaded(situation) {
            self.deliver(sites, known, situation, out)
        } else {
            self.fetch(sites, known, situation, out)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_of_a_spill_is_seen_from_some_lookout() {
        for (radius, range) in [(1.0, 2.5), (3.5, 2.5), (5.0, 1.0), (2.0, 1.9)] {
            let places = lookouts(Vec2::ZERO, radius, range);
            for step in 0..2000 {
                // A spiral over the whole disc.
                let share = f64::from(step) / 2000.0;
                let point = Vec2::unit(share * 300.0) * (radius * share);
                let nearest = places.iter().map(|p| p.distance(point)).fold(f64::INFINITY, f64::min);
                assert!(nearest <= range, "radius {radius}, range {range}, {point:?}");
            }
        }
        assert_eq!(
            lookouts(Vec2::ZERO, 1.0, 2.5).len(),
            1,
            "the shipped spills are overlooked from their centre"
        );
    }
}
