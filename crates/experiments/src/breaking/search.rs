//! Searches for a schedule that defeats a team: of one disturbance, then of two, and so on.

use super::mishap::{Mishap, Schedule};
use super::palette::Palette;
use serde::Serialize;
use std::collections::HashSet;

/// Number of schedules tried at a time. Enough for all cores, and independent of their number.
const AT_A_TIME: usize = 24;
/// Number of schedules of one size that are extended to the next size.
const BEAM: usize = 24;
/// Damage at and above which the mission was not completed.
pub const NOT_COMPLETED: f64 = 1000.0;

/// The effect of a schedule on a team.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScheduleEffect {
    /// The team does not complete the mission, and those to spare do.
    Defeated,
    /// The team completes the mission with at least one seed.
    Survived,
    /// A coordinator to spare does not complete it either.
    NotSpared,
}

/// Evaluates schedules.
pub trait Evaluator {
    /// Why an evaluation fails.
    type Error;

    /// Number of runs left.
    fn left(&self) -> usize;

    /// The damage of schedules with the first seed: at least [`NOT_COMPLETED`] if the mission seems not to be completed. One run
    /// each.
    fn damage(&mut self, schedules: &[Schedule]) -> Result<Vec<f64>, Self::Error>;

    /// The effect on the team and on those to spare, with all seeds.
    fn verdict(&mut self, schedule: &Schedule) -> Result<ScheduleEffect, Self::Error>;
}

/// The schedules of one size that were tried.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Tried {
    /// Number of disturbances in a schedule.
    pub size: usize,
    /// Number of schedules tried.
    pub schedules: usize,
    /// Number of schedules that exist; `None` if they are too many to count.
    pub of: Option<usize>,
    /// Number of those under which the mission was not completed in time on the first seed.
    pub not_completed: usize,
    /// Number of these that failed to defeat: with another seed or more time the mission was completed.
    pub survived: usize,
    /// Number of these that also defeated a coordinator to spare.
    pub not_spared: usize,
    /// True if one was found, which ends the search.
    pub found: bool,
    /// True if no smaller schedule of the palette was skipped.
    pub exhaustive: bool,
}

/// A search.
#[derive(Debug)]
pub struct ScheduleSearch<'a> {
    palette: &'a Palette,
    /// Largest schedule.
    most: usize,
    /// Runs reserved for shrinking.
    reserve: usize,
    /// The schedules tried.
    pub tried: Vec<Tried>,
    /// The damage of each disturbance alone, by its index in the palette, as far as known.
    damage: Vec<Option<f64>>,
    /// Schedules of the last size with their damage.
    last: Vec<(Schedule, f64)>,
    /// Schedules under which those to spare fail; larger ones are not worth trying.
    hopeless: Vec<Schedule>,
}

impl<'a> ScheduleSearch<'a> {
    /// A search for schedules of at most `most` disturbances.
    pub fn new(palette: &'a Palette, most: usize, reserve: usize) -> ScheduleSearch<'a> {
        let damage = vec![None; palette.mishaps.len()];
        ScheduleSearch {
            palette,
            most,
            reserve,
            tried: Vec::new(),
            damage,
            last: Vec::new(),
            hopeless: Vec::new(),
        }
    }

    /// The first schedule that defeats the team and spares the others, if there is one.
    pub fn run<T: Evaluator>(&mut self, trial: &mut T) -> Result<Option<Schedule>, T::Error> {
        for size in 1..=self.most {
            let found = self.of_size(size, trial)?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    fn of_size<T: Evaluator>(&mut self, size: usize, trial: &mut T) -> Result<Option<Schedule>, T::Error> {
        let free = trial.left().saturating_sub(self.reserve);
        let allowed = free / (self.most - size + 1);
        let (mut schedules, of) = match self.all(size, allowed) {
            Some(all) => {
                let count = all.len();
                (all, Some(count))
            }
            None => (
                self.promising(size, allowed),
                if size == 1 { Some(self.palette.mishaps.len()) } else { None },
            ),
        };
        schedules.truncate(allowed);
        let mut tried = Tried {
            size,
            schedules: 0,
            of,
            not_completed: 0,
            survived: 0,
            not_spared: 0,
            found: false,
            exhaustive: of == Some(schedules.len()) && !self.palette.thinned,
        };
        let found = self.try_all(&schedules, &mut tried, trial);
        tried.exhaustive &= found.is_ok();
        self.tried.push(tried);
        found
    }

    fn try_all<T: Evaluator>(
        &mut self,
        schedules: &[Schedule],
        tried: &mut Tried,
        trial: &mut T,
    ) -> Result<Option<Schedule>, T::Error> {
        self.last.clear();
        for some in schedules.chunks(AT_A_TIME) {
            if trial.left().saturating_sub(self.reserve) < some.len() {
                tried.exhaustive = false;
                break;
            }
            let damage = trial.damage(some)?;
            tried.schedules += some.len();
            let mut failed: Vec<&Schedule> = Vec::new();
            for (schedule, damage) in some.iter().zip(damage) {
                self.note(schedule, damage);
                if damage >= NOT_COMPLETED {
                    failed.push(schedule);
                }
                self.last.push((schedule.clone(), damage));
            }
            tried.not_completed += failed.len();
            failed.sort_by(|one, other| one.smaller(other));
            for schedule in failed {
                if trial.left() <= self.reserve {
                    tried.exhaustive = false;
                    break;
                }
                match trial.verdict(schedule)? {
                    ScheduleEffect::Survived => tried.survived += 1,
                    ScheduleEffect::NotSpared => {
                        tried.not_spared += 1;
                        self.hopeless.push(schedule.clone());
                    }
                    ScheduleEffect::Defeated => {
                        tried.found = true;
                        return Ok(Some(schedule.clone()));
                    }
                }
            }
        }
        let hopeless = &self.hopeless;
        self.last.retain(|(schedule, _)| !hopeless.contains(schedule));
        // The sort is stable, so that the same schedules are extended every time.
        self.last.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        Ok(None)
    }

    fn note(&mut self, schedule: &Schedule, damage: f64) {
        if let [alone] = schedule.mishaps()
            && let Some(place) = self.palette.mishaps.iter().position(|mishap| mishap == alone)
        {
            self.damage[place] = Some(damage);
        }
    }

    /// All schedules of a size, the smallest first; `None` if there are more than `allowed`.
    fn all(&self, size: usize, allowed: usize) -> Option<Vec<Schedule>> {
        let mishaps = &self.palette.mishaps;
        let mut all: Vec<(Schedule, usize)> = vec![(Schedule::default(), 0)];
        for _ in 0..size {
            let mut more = Vec::new();
            for (schedule, from) in &all {
                for (place, mishap) in mishaps.iter().enumerate().skip(*from) {
                    if !schedule.mishaps().iter().any(|there| there.same_subject(mishap)) {
                        more.push((schedule.and(mishap), place + 1));
                    }
                    // There are at most a few times as many of a smaller size.
                    if more.len() > allowed.saturating_mul(2) + mishaps.len() {
                        return None;
                    }
                }
            }
            all = more;
        }
        let mut all: Vec<Schedule> = all.into_iter().map(|(schedule, _)| schedule).collect();
        all.sort_by(|one, other| one.smaller(other));
        (all.len() <= allowed).then_some(all)
    }

    /// The most promising schedules of a size: for one disturbance an even sample of the palette; for more, the most damaging ones of
    /// the last size combined with every other disturbance at its most damaging time.
    fn promising(&self, size: usize, allowed: usize) -> Vec<Schedule> {
        let alone = |mishap: &Mishap| Schedule::new(vec![mishap.clone()]);
        if size == 1 {
            // A stride that visits every index once, whatever `allowed` is.
            let count = self.palette.mishaps.len();
            let stride = (count * 5 / 8).max(1);
            let stride = (stride..).find(|stride| coprime(*stride, count)).unwrap_or(1);
            return (0..count).map(|place| alone(&self.palette.mishaps[place * stride % count])).collect();
        }
        let worst = self.worst_of_each();
        let beam = if size == 2 { self.last.len() } else { BEAM };
        // Of each disturbance only its worst time.
        let counts = |schedule: &Schedule| match schedule.mishaps() {
            [one] => worst.iter().any(|(mishap, _)| *mishap == one),
            _ => true,
        };
        let mut ranked: Vec<(f64, Schedule)> = Vec::new();
        let mut known = HashSet::new();
        let extended = self.last.iter().filter(|(schedule, _)| counts(schedule)).take(beam);
        for (rank, (schedule, damage)) in extended.enumerate() {
            // Both lists begin with the worst: pairs far down in both cannot be among those allowed.
            let enough = allowed.saturating_mul(4) / (rank + 1) + 8;
            for (mishap, more) in worst.iter().take(enough) {
                if schedule.mishaps().iter().any(|there| there.same_subject(mishap)) {
                    continue;
                }
                let both = schedule.and(mishap);
                if known.insert(both.lines()) {
                    ranked.push((damage + more, both));
                }
            }
        }
        ranked.sort_by(|(one, a), (other, b)| other.total_cmp(one).then_with(|| a.smaller(b)));
        ranked.into_iter().map(|(_, schedule)| schedule).collect()
    }

    /// Every disturbance at the time at which it does most damage alone.
    fn worst_of_each(&self) -> Vec<(&'a Mishap, f64)> {
        let mut worst: Vec<(&Mishap, f64)> = Vec::new();
        let palette: &'a Palette = self.palette;
        for (mishap, damage) in palette.mishaps.iter().zip(&self.damage) {
            let Some(damage) = *damage else { continue };
            if self.hopeless.iter().any(|schedule| schedule.mishaps() == std::slice::from_ref(mishap)) {
                continue;
            }
            match worst.iter_mut().find(|(other, _)| other.same_subject(mishap)) {
                Some(known) if known.1 < damage => *known = (mishap, damage),
                Some(_) => {}
                None => worst.push((mishap, damage)),
            }
        }
        worst.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        worst
    }
}

fn coprime(a: usize, b: usize) -> bool {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a == 1
}

#[cfg(test)]
mod tests {
    use super::super::mishap::tests::stressor;
    use super::*;
    use std::convert::Infallible;

    /// A team that is defeated by schedules with all of these lines; every robot lost costs time.
    struct Fake {
        needs: Vec<&'static str>,
        left: usize,
        spared: bool,
    }

    impl Fake {
        fn falls(&self, schedule: &Schedule) -> bool {
            let lines = schedule.lines();
            self.needs.iter().all(|need| lines.iter().any(|line| line.contains(need)))
        }
    }

    impl Evaluator for Fake {
        type Error = Infallible;

        fn left(&self) -> usize {
            self.left
        }

        fn damage(&mut self, schedules: &[Schedule]) -> Result<Vec<f64>, Infallible> {
            self.left -= schedules.len();
            let damage = |schedule: &Schedule| {
                let met = |need: &&&str| schedule.lines().iter().any(|line| line.contains(**need));
                let met = self.needs.iter().filter(met).count();
                if self.falls(schedule) { NOT_COMPLETED } else { 1.0 + met as f64 }
            };
            Ok(schedules.iter().map(damage).collect())
        }

        fn verdict(&mut self, schedule: &Schedule) -> Result<ScheduleEffect, Infallible> {
            self.left -= 1;
            Ok(match self.falls(schedule) {
                true if self.spared => ScheduleEffect::Defeated,
                true => ScheduleEffect::NotSpared,
                false => ScheduleEffect::Survived,
            })
        }
    }

    fn palette(robots: usize) -> Palette {
        let what = [("drive", "slower", 1), ("radio", "deaf", 2), ("trap", "", 5), ("stop", "", 6)];
        let mishaps = what.into_iter().flat_map(|(kind, variant, severity)| {
            (0..robots).flat_map(move |robot| {
                let worst = Mishap::worst(&stressor(kind, variant, severity, &format!("r{robot}")));
                // The middle level, 50 %, of stressors that have levels.
                let rung = worst.rung / 2 + worst.rung % 2;
                [300.0, 40.0].map(move |at| Mishap { at, rung, ..worst.clone() })
            })
        });
        Palette { mishaps: mishaps.collect(), thinned: false }
    }

    fn found(needs: &[&'static str], left: usize, spared: bool) -> (Option<String>, Vec<Tried>) {
        let palette = palette(5);
        let mut search = ScheduleSearch::new(&palette, 3, left / 4);
        let mut fake = Fake { needs: needs.to_vec(), left, spared };
        let found = search.run(&mut fake).unwrap();
        (found.map(|schedule| schedule.lines().join(" ")), search.tried)
    }

    #[test]
    fn the_smallest_single_disturbance_is_found_by_trying_all() {
        let (schedule, tried) = found(&["r3"], 2000, true);
        assert_eq!(
            schedule.as_deref(),
            Some("{at: 300 s, drive: {robot: r3, fault: slower, severity: 50 %}}")
        );
        assert!(tried.len() == 1 && tried[0].exhaustive && tried[0].found, "{tried:?}");
    }

    #[test]
    fn two_and_three_are_found_among_the_most_damaging() {
        let (schedule, tried) = found(&["at: 40 s, stop: r0", "at: 300 s, trap: r4"], 400, true);
        assert_eq!(schedule.as_deref(), Some("{at: 40 s, stop: r0} {at: 300 s, trap: r4}"));
        assert!(tried[0].exhaustive && !tried[1].exhaustive, "{tried:?}");
        let (schedule, tried) = found(&["stop: r0", "stop: r1", "stop: r2"], 600, true);
        assert!(schedule.is_some() && tried.len() == 3, "{tried:?}");
    }

    #[test]
    fn an_invincible_team_is_not_defeated_and_the_budget_holds() {
        for left in [0, 1, 7, 30, 100, 1000] {
            let (schedule, tried) = found(&["nowhere"], left, true);
            assert_eq!(schedule, None);
            let runs: usize = tried.iter().map(|tried| tried.schedules).sum();
            assert!(runs <= left - left / 4, "{left}: {tried:?}");
            assert_eq!(tried[0].exhaustive, left >= 200, "{left}: {tried:?}");
        }
        let (schedule, tried) = found(&["r3"], 2000, false);
        assert!(schedule.is_none() && tried[0].not_spared == 8, "{tried:?}");
    }

    #[test]
    fn a_small_palette_is_tried_in_all_combinations() {
        let palette = palette(1);
        let mut search = ScheduleSearch::new(&palette, 3, 100);
        let found = search.run(&mut Fake { needs: vec!["nowhere"], left: 2000, spared: true }).unwrap();
        assert_eq!(found, None);
        let counts: Vec<(usize, bool)> = search.tried.iter().map(|t| (t.schedules, t.exhaustive)).collect();
        // Four things at two times each: 8; two different things at two times each: 6 x 4; three: 4 x 8.
        assert_eq!(counts, [(8, true), (24, true), (32, true)]);
    }
}
