//! Shrinks a schedule that defeats a team: removes disturbances, then makes each of the rest milder.

use super::ladder::{DURATIONS, lowest};
use super::mishap::{Mishap, Schedule};
use super::palette::Palette;

/// The bounds of shrinking.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Step by which disturbances are delayed. [s]
    pub step: f64,
    /// Latest time of a disturbance. [s]
    pub latest: f64,
    /// Time by which temporary disturbances end, so that the team is not defeated by lack of time. [s]
    pub over: f64,
}

/// Counts of the shrinking steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Steps {
    /// Smaller schedules that were tried.
    pub tried: usize,
    /// Disturbances taken away.
    pub removed: usize,
    /// Disturbances replaced by milder ones.
    pub milder: usize,
    /// Levels lowered.
    pub lowered: usize,
    /// Disturbances shortened, or made temporary.
    pub shortened: usize,
    /// Disturbances delayed.
    pub later: usize,
}

/// A schedule being shrunk. Progress is kept even if the judge fails.
#[derive(Clone, Debug)]
pub struct Shrinking<'a> {
    /// The smallest schedule so far.
    pub schedule: Schedule,
    /// The steps so far.
    pub steps: Steps,
    palette: &'a Palette,
    bounds: Bounds,
}

/// Tells whether a schedule still defeats the team.
type Judge<'j, E> = &'j mut dyn FnMut(&Schedule) -> Result<bool, E>;

impl<'a> Shrinking<'a> {
    /// Starts with a schedule that the judge has accepted.
    pub fn new(schedule: Schedule, palette: &'a Palette, bounds: Bounds) -> Shrinking<'a> {
        Shrinking { schedule, steps: Steps::default(), palette, bounds }
    }

    /// Continues until no single step makes it smaller. Every accepted step makes it smaller in the sense of
    /// [`Schedule::smaller`] on finite ladders, so this terminates.
    pub fn finish<E>(&mut self, judge: Judge<E>) -> Result<(), E> {
        loop {
            let before = self.schedule.clone();
            self.remove(judge)?;
            self.soften(judge)?;
            self.lower(judge)?;
            self.shorten(judge)?;
            self.put_off(judge)?;
            if self.schedule == before {
                return Ok(());
            }
        }
    }

    fn accepts<E>(&mut self, schedule: &Schedule, judge: Judge<E>) -> Result<bool, E> {
        self.steps.tried += 1;
        judge(schedule)
    }

    fn remove<E>(&mut self, judge: Judge<E>) -> Result<(), E> {
        let mut place = 0;
        while place < self.schedule.mishaps().len() && self.schedule.mishaps().len() > 1 {
            let smaller = self.schedule.without(place);
            if self.accepts(&smaller, judge)? {
                self.schedule = smaller;
                self.steps.removed += 1;
                // A disturbance that was needed before may not be needed now.
                place = 0;
            } else {
                place += 1;
            }
        }
        Ok(())
    }

    /// Replaces each disturbance by a milder kind.
    fn soften<E>(&mut self, judge: Judge<E>) -> Result<(), E> {
        for place in 0..self.schedule.mishaps().len() {
            let there = self.schedule.mishaps()[place].clone();
            for milder in self.palette.milder(&there) {
                let twice = self.schedule.mishaps().iter().any(|other| other.same_subject(&milder));
                let smaller = self.schedule.with(place, milder);
                if !twice && self.accepts(&smaller, judge)? {
                    self.schedule = smaller;
                    self.steps.milder += 1;
                    break;
                }
            }
        }
        Ok(())
    }

    fn lower<E>(&mut self, judge: Judge<E>) -> Result<(), E> {
        for mishap in self.schedule.mishaps().to_vec() {
            let at = |rung: usize| Mishap { rung, ..mishap.clone() };
            self.steps.lowered += usize::from(self.descend(&mishap, mishap.rung, at, judge)?);
        }
        Ok(())
    }

    fn shorten<E>(&mut self, judge: Judge<E>) -> Result<(), E> {
        for mishap in self.schedule.mishaps().to_vec() {
            let longest = mishap.lasts.unwrap_or(f64::INFINITY);
            let fits = |lasts: &f64| *lasts < longest && mishap.at + lasts <= self.bounds.over;
            let shorter: Vec<f64> = DURATIONS.into_iter().filter(fits).collect();
            let at = |place: usize| Mishap { lasts: Some(shorter[place]), ..mishap.clone() };
            self.steps.shortened += usize::from(self.descend(&mishap, shorter.len(), at, judge)?);
        }
        Ok(())
    }

    fn put_off<E>(&mut self, judge: Judge<E>) -> Result<(), E> {
        for mishap in self.schedule.mishaps().to_vec() {
            let times = later(&mishap, &self.bounds);
            let at = |place: usize| Mishap { at: times[times.len() - 1 - place], ..mishap.clone() };
            self.steps.later += usize::from(self.descend(&mishap, times.len(), at, judge)?);
        }
        Ok(())
    }

    /// Replaces a disturbance by the mildest alternative that is accepted. True if there is one.
    fn descend<E>(
        &mut self,
        mishap: &Mishap,
        count: usize,
        mut at: impl FnMut(usize) -> Mishap,
        judge: Judge<E>,
    ) -> Result<bool, E> {
        let same = |other: &Mishap| other.same_subject(mishap);
        let Some(place) = self.schedule.mishaps().iter().position(same) else { return Ok(false) };
        let schedule = self.schedule.clone();
        let found = lowest(count, |step| self.accepts(&schedule.with(place, at(step)), judge))?;
        if let Some(step) = found {
            self.schedule = schedule.with(place, at(step));
        }
        Ok(found.is_some())
    }
}

/// Later times for a disturbance, the earliest first.
fn later(mishap: &Mishap, bounds: &Bounds) -> Vec<f64> {
    let lasts = mishap.lasts.unwrap_or(0.0);
    let times =
        (1..=100).map(|count| super::ladder::rounded(mishap.at + f64::from(count) * bounds.step, 1e-3));
    times.take_while(|at| *at <= bounds.latest && at + lasts <= bounds.over.max(bounds.latest)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::mishap::tests::stressor;
    use super::*;
    use crewlab_lab::sim::disturbances::stress::Whom;
    use proptest::prelude::*;
    use std::convert::Infallible;

    const BOUNDS: Bounds = Bounds { step: 10.0, latest: 500.0, over: 2000.0 };
    const ROBOTS: [&str; 3] = ["blue", "gold", "green"];
    type What = (&'static str, &'static str, u32);
    const STOP: What = ("stop", "", 6);
    const WHAT: [What; 5] =
        [("drive", "slower", 1), ("radio", "deaf", 2), ("radio", "dead", 3), ("emergency-stop", "", 4), STOP];

    fn mishap((kind, variant, severity): &What, robot: usize, at: f64) -> Mishap {
        Mishap { at, ..Mishap::worst(&stressor(kind, variant, *severity, ROBOTS[robot])) }
    }

    fn palette() -> Palette {
        let of = |robot: usize| WHAT.iter().map(move |what| mishap(what, robot, 40.0));
        Palette { mishaps: (0..3).flat_map(of).collect(), thinned: false }
    }

    /// A condition that defeats a team: for some robots, a disturbance that is severe, early and long enough.
    #[derive(Clone, Debug)]
    struct Need {
        severity: u32,
        level: u32,
        lasts: f64,
        at: f64,
    }

    fn defeats(needs: &[Option<Need>], schedule: &Schedule) -> bool {
        let met = |robot: usize, need: &Need| {
            schedule.mishaps().iter().any(|mishap| {
                mishap.stressor.whom == Whom::Robot(ROBOTS[robot].into())
                    && mishap.severity() >= need.severity
                    && mishap.level().is_none_or(|level| level >= need.level)
                    && mishap.lasts.is_none_or(|lasts| lasts >= need.lasts)
                    && mishap.at <= need.at
            })
        };
        needs.iter().enumerate().all(|(robot, need)| need.as_ref().is_none_or(|need| met(robot, need)))
    }

    /// Every schedule that is one step smaller.
    fn one_step_smaller(schedule: &Schedule, palette: &Palette) -> Vec<Schedule> {
        let mut smaller = Vec::new();
        for (place, mishap) in schedule.mishaps().iter().enumerate() {
            if schedule.mishaps().len() > 1 {
                smaller.push(schedule.without(place));
            }
            smaller.extend(palette.milder(mishap).map(|milder| schedule.with(place, milder)));
            let rung = mishap.rung.checked_sub(1);
            smaller.extend(rung.map(|rung| schedule.with(place, Mishap { rung, ..mishap.clone() })));
            let longest = mishap.lasts.unwrap_or(f64::INFINITY);
            let fits = |lasts: &f64| *lasts < longest && mishap.at + lasts <= BOUNDS.over;
            let lasts = DURATIONS.into_iter().rev().find(fits);
            smaller.extend(
                lasts.map(|lasts| schedule.with(place, Mishap { lasts: Some(lasts), ..mishap.clone() })),
            );
            let at = later(mishap, &BOUNDS).first().copied();
            smaller.extend(at.map(|at| schedule.with(place, Mishap { at, ..mishap.clone() })));
        }
        smaller
    }

    fn need() -> impl Strategy<Value = Option<Need>> {
        let parts = (1u32..=6, 1u32..=90, 0.0f64..4000.0, 40.0f64..600.0);
        let need = parts.prop_map(|(severity, level, lasts, at)| Need { severity, level, lasts, at });
        proptest::option::of(need)
    }

    proptest! {
        /// For every monotone condition, no schedule that is one step smaller defeats the team.
        #[test]
        fn the_result_is_one_minimal(needs in proptest::collection::vec(need(), 3), extra in 0usize..5) {
            prop_assume!(needs.iter().any(Option::is_some));
            let palette = palette();
            let mut all: Vec<Mishap> = (0..3).map(|robot| mishap(&STOP, robot, 40.0)).collect();
            all.push(mishap(&WHAT[extra.min(3)], extra % 3, 40.0));
            let start = Schedule::new(all);
            prop_assert!(defeats(&needs, &start));
            let mut shrinking = Shrinking::new(start.clone(), &palette, BOUNDS);
            let mut judged = 0;
            shrinking.finish(&mut |schedule: &Schedule| {
                judged += 1;
                Ok::<bool, Infallible>(defeats(&needs, schedule))
            }).unwrap();
            let end = shrinking.schedule;
            prop_assert!(defeats(&needs, &end));
            prop_assert!(end.smaller(&start).is_lt());
            prop_assert_eq!(end.mishaps().len(), needs.iter().flatten().count());
            for smaller in one_step_smaller(&end, &palette) {
                prop_assert!(!defeats(&needs, &smaller), "{} is smaller than {}", smaller.words(), end.words());
            }
            prop_assert_eq!(judged, shrinking.steps.tried);
            // A few bisections per disturbance and round.
            prop_assert!(judged < 400, "{} were tried", judged);
        }
    }

    #[test]
    fn progress_is_kept_if_the_judge_fails() {
        let palette = palette();
        let start = Schedule::new((0..3).map(|robot| mishap(&STOP, robot, 40.0)).collect());
        let mut shrinking = Shrinking::new(start, &palette, BOUNDS);
        let mut left = 1;
        let ended = shrinking.finish(&mut |_: &Schedule| {
            left -= 1;
            if left < 0 { Err("used up") } else { Ok(true) }
        });
        assert_eq!(ended, Err("used up"));
        assert_eq!(shrinking.schedule.mishaps().len(), 2);
    }

    #[test]
    fn shrinking_terminates_with_any_judge() {
        let palette = palette();
        let start = Schedule::new((0..3).map(|robot| mishap(&STOP, robot, 40.0)).collect());
        for salt in 0..50u64 {
            let mut shrinking = Shrinking::new(start.clone(), &palette, BOUNDS);
            let odd = |schedule: &Schedule| {
                schedule
                    .words()
                    .bytes()
                    .fold(salt, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()))
                    % 3
                    == 0
            };
            shrinking.finish(&mut |schedule: &Schedule| Ok::<bool, Infallible>(odd(schedule))).unwrap();
            assert!(shrinking.schedule == start || odd(&shrinking.schedule));
        }
    }
}
