//! move-spill: carries the waste of one spill to the deposit, one item at a time.

use super::approach::Approach;
use super::knowledge::{Knowledge, Talk};
use super::sites::Sites;
use super::sweep::Sweep;
use super::{SPILL, lasts};
use crewlab_onboard::geometry::{Pose, Vec2};
use crewlab_onboard::{Action, Behaviour, Command, Event, EventKind, Goal, Output, Situation, Time};
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// A place counts as reached at this distance. [m]
const ARRIVED: f64 = 0.3;
/// Waste in view that the robot has not come nearer to for this long is out of reach. [s]
const PATIENCE: f64 = 50.0;
/// After this time it tries to reach the waste from other sides ... [s]
const ONE_SIDE: f64 = 6.0;
/// ... each for this long. [s]
const EACH_SIDE: f64 = 5.0;
/// Angle between two sides: the golden angle, so that any number of them is spread evenly. [rad]
const NEXT_SIDE: f64 = 2.399;
/// The same for waste out of view, and for lookouts. [s]
const FAR_PATIENCE: f64 = 60.0;

/// Carries waste from one spill.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MoveSpill {
    /// 0 for the top spill, 1 for the bottom one.
    spill: usize,
    /// Since when the robot has been at a lookout without finding what it came for.
    puzzled: Option<Time>,
    /// Number of lookout points visited at a spill that is too large to be seen at once.
    looked: usize,
    approach: Approach,
    /// The search of the part of the room that belongs to the spill.
    sweep: Option<Sweep>,
}

impl MoveSpill {
    /// For one of the two spills.
    pub fn new(spill: usize) -> MoveSpill {
        MoveSpill { spill, puzzled: None, looked: 0, approach: Approach::default(), sweep: None }
    }

    /// Goes to the nearest waste and picks it up; without any it looks for some.
    fn fetch(
        &mut self,
        sites: Sites,
        known: &mut Knowledge,
        situation: &Situation,
        out: &mut Output,
    ) -> Command {
        let Some(pose) = known.navigator.pose(situation) else { return Command::stop() };
        if let Some((item, at)) = known.waste_of(self.spill, situation) {
            let goal = Goal { bearing: item.bearing, distance: item.distance };
            return self.pick_up(goal, at, PATIENCE, known, situation, out);
        }
        let now = situation.now;
        let distant = known.litter_of(self.spill, situation).or_else(|| known.offer_of(self.spill, now));
        if let Some(at) = distant {
            let goal = Goal { bearing: pose.bearing(at), distance: pose.position.distance(at) };
            return self.pick_up(goal, at, FAR_PATIENCE, known, situation, out);
        }
        if self.sweep.is_some() || known.cleared[self.spill].is_some() {
            return self.search(sites, &pose, known, situation, out);
        }
        self.look_out(sites, &pose, known, situation, out)
    }

    /// Goes to an item and grips it. What cannot be reached is left alone for a while.
    fn pick_up(
        &mut self,
        goal: Goal,
        at: Vec2,
        patience: f64,
        known: &mut Knowledge,
        situation: &Situation,
        out: &mut Output,
    ) -> Command {
        (self.puzzled, self.looked) = (None, 0);
        let Some(gripper) = known.gripper else { return Command::stop() };
        let stalled = self.approach.stalled(at, goal.distance, situation.now);
        if stalled > patience {
            known.litter.shun(at, situation.now);
            self.approach.restart();
            known.navigator.set_out();
            let why = "the waste here is out of reach; it is left alone for a while";
            out.explain(Event::new(EventKind::Setback).saying(why).at(at));
        }
        let sheet = &situation.me.datasheet;
        let reach = sheet.radius + 0.9 * sheet.effectors[usize::from(gripper.0)].range;
        let in_front = goal.distance <= sheet.radius || goal.bearing.abs() < 1.2;
        if goal.distance > reach && stalled > ONE_SIDE {
            // Something stands beside the waste, such as a dead robot.
            let side = ((stalled - ONE_SIDE) / EACH_SIDE).floor();
            return known.navigator.go_to(at + Vec2::unit(side * NEXT_SIDE) * (0.8 * reach), situation, out);
        }
        if goal.distance > reach || !in_front {
            return known.navigator.go(goal, situation, out);
        }
        Command::stop().with(gripper, Action::Grab)
    }

    /// Looks at the spill, from several places if it is large.
    fn look_out(
        &mut self,
        sites: Sites,
        pose: &Pose,
        known: &mut Knowledge,
        situation: &Situation,
        out: &mut Output,
    ) -> Command {
        let expected = sites.spills[self.spill];
        let seen = known.area(SPILL, expected, situation);
        // The other spill is much farther from the expected place than its radius.
        let seen = seen.filter(|(area, center)| center.distance(expected) < 1.5 * area.extent);
        let (center, radius) =
            seen.map_or((expected, known.briefing.spill_radius), |(area, center)| (center, area.extent));
        let lookouts = lookouts(center, radius, known.item_range(situation));
        let lookout = lookouts[self.looked.min(lookouts.len() - 1)];
        let distance = pose.position.distance(lookout);
        let sees = known.sees_items(situation) && known.sees_areas(situation);
        let blocked = self.approach.stalled(lookout, distance, situation.now) > FAR_PATIENCE;
        if lasts(&mut self.puzzled, sees && distance < ARRIVED, situation.now) || blocked {
            self.looked += 1;
            if seen.is_none() && !blocked {
                self.doubt(sites, known, situation, out);
            } else if self.looked >= lookouts.len() {
                self.clear(known, situation, out);
            }
            return Command::stop();
        }
        known.navigator.go_to(lookout, situation, out)
    }

    /// The spill is not where it should be: either it was moved, or the robot is wrong about the room.
    fn doubt(&mut self, sites: Sites, known: &mut Knowledge, situation: &Situation, out: &mut Output) {
        if !known.confirmed {
            known.forget(out);
            return;
        }
        self.sweep = Some(self.sweep_of(sites, known, situation));
        let why = "the spill is not where it should be; the robot looks for waste around it";
        out.explain(Event::new(EventKind::Doubt).saying(why).at(sites.spills[self.spill]));
    }

    /// Looks for lost waste in the part of the room that belongs to the spill.
    fn search(
        &mut self,
        sites: Sites,
        pose: &Pose,
        known: &mut Knowledge,
        situation: &Situation,
        out: &mut Output,
    ) -> Command {
        if self.sweep.is_none() {
            let why =
                "the spill was cleared a while ago; the robot looks for waste that was lost or overlooked";
            out.explain(Event::new(EventKind::Doubt).saying(why).at(sites.spills[self.spill]));
        }
        let reach = 0.25 * known.sight(situation);
        let sweep = self.sweep.take().unwrap_or_else(|| self.sweep_of(sites, known, situation));
        let sweep = self.sweep.insert(sweep);
        match sweep.next(pose.position, reach, situation.now) {
            Some(point) => known.navigator.go_to(point, situation, out),
            None => {
                self.clear(known, situation, out);
                Command::stop()
            }
        }
    }

    /// Points from which the part of the room that belongs to the spill can be seen, and the rim of the deposit from near.
    fn sweep_of(&self, sites: Sites, known: &Knowledge, situation: &Situation) -> Sweep {
        let room = sites.grid(0.8 * known.sight(situation));
        let radius = known.briefing.deposit_radius + 2.0 * situation.me.datasheet.radius;
        let count = (TAU * radius).ceil().max(3.0) as usize;
        let rim = ring(sites.deposit, radius, count);
        Sweep::over(room.chain(rim).filter(|point| sites.spill_of(*point) == self.spill))
    }

    /// Believes that nothing is left to do, and says so.
    fn clear(&mut self, known: &mut Knowledge, situation: &Situation, out: &mut Output) {
        (self.sweep, self.looked) = (None, 0);
        known.cleared[self.spill] = Some(situation.now);
        known.tell(&Talk::Cleared(self.spill as u8), out);
        out.explain(Event::new(EventKind::SpillCleared).saying("no waste is left in view at the spill"));
    }
}

/// Evenly spaced points on a circle.
fn ring(center: Vec2, radius: f64, count: usize) -> impl Iterator<Item = Vec2> {
    (0..count).map(move |i| center + Vec2::unit(TAU * i as f64 / count as f64) * radius)
}

/// Lookout points from which a whole spill can be seen: its centre, and for a spill larger than the detector's range also points
/// on rings around it.
fn lookouts(center: Vec2, radius: f64, range: f64) -> Vec<Vec2> {
    let mut places = vec![center];
    let mut seen = 0.8 * range;
    while seen < radius && seen > 0.0 && places.len() < 500 {
        let distance = (seen + 0.4 * range).min(radius);
        let count = (TAU * distance / (0.8 * range)).ceil().max(3.0) as usize;
        places.extend(ring(center, distance, count));
        seen += 0.8 * range;
    }
    places
}

impl Behaviour<Knowledge> for MoveSpill {
    fn applicable(&self, known: &Knowledge, situation: &Situation) -> bool {
        // A robot at work finishes the delivery of its last item; one that lost the task delivers its item without it.
        let last = known.loaded(situation) && known.working_on == Some(self.spill);
        let work = last || known.work_left(self.spill, situation.now);
        known.sites.is_some() && work && !known.mobility.stuck()
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
        *self = MoveSpill::new(self.spill);
    }

    fn act(&mut self, known: &mut Knowledge, situation: &Situation, out: &mut Output) -> Command {
        let Some(sites) = known.sites else { return Command::stop() };
        known.working_on = Some(self.spill);
        if known.loaded(situation) {
            // The next item may lie where this one lay.
            self.approach.restart();
            return known.deliver(sites, situation, out);
        }
        self.fetch(sites, known, situation, out)
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
