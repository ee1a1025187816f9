//! Distributes the robots of a team over threads, by effort. The distribution has no influence on results: every robot is
//! processed separately.

use crate::model::Member;
use crate::state::Robot;
use crewlab_onboard::{Datasheet, RobotId};

/// Least effort that is worth another thread. [µs]
const WORTH_A_THREAD: u64 = 80;
/// Shares per thread: estimates are rough, and threads that finish early take over the rest.
const SHARES_PER_THREAD: u64 = 4;
/// Number of rays of a sensor that are cast in a microsecond.
const RAYS_PER_MICROSECOND: u64 = 50;

/// The estimated effort of a team in one tick.
#[derive(Debug, Default)]
pub(crate) struct Efforts {
    /// The cost of each robot's sensors. [µs]
    sensing: Vec<u64>,
    /// The effort of all robots before each one, followed by the total. [µs]
    before: Vec<u64>,
}

impl Efforts {
    pub(crate) fn new(team: &[Member]) -> Efforts {
        let sensing = team.iter().map(|member| sensing(&member.identity.datasheet)).collect();
        Efforts { sensing, before: vec![0] }
    }

    /// Estimates the effort of the robots' software in this tick.
    fn estimate(&mut self, robots: &[Robot]) {
        self.before.truncate(1);
        let mut sum = 0;
        for (robot, sensing) in robots.iter().zip(&self.sensing) {
            sum += u64::from(robot.software.effort()) + sensing;
            self.before.push(sum);
        }
    }

    /// Calls `work` with every robot, its state and slot in `turns`. Contiguous runs of robots of about equal
    /// effort are shared among the threads of the current rayon pool.
    pub(crate) fn share<T: Send>(
        &mut self,
        robots: &mut [Robot],
        turns: &mut [T],
        work: impl Fn(RobotId, &mut Robot, &mut T) + Sync,
    ) {
        self.estimate(robots);
        let shares = SHARES_PER_THREAD * rayon::current_num_threads() as u64;
        let least = (total(&self.before) / shares).max(WORTH_A_THREAD);
        divide(Share { first: 0, before: &self.before, states: robots, slots: turns }, least, &work);
    }
}

fn sensing(datasheet: &Datasheet) -> u64 {
    let rays: usize = datasheet.sensors.iter().map(|sensor| sensor.angles.len()).sum();
    rays as u64 / RAYS_PER_MICROSECOND
}

/// A contiguous part of a team.
struct Share<'a, S, T> {
    /// The place of its first robot in the team.
    first: usize,
    /// One more entry than robots.
    before: &'a [u64],
    states: &'a mut [S],
    slots: &'a mut [T],
}

fn total(before: &[u64]) -> u64 {
    before.last().zip(before.first()).map_or(0, |(last, first)| last - first)
}

/// Number of robots in the first half by effort: at least one, and not all.
fn middle(before: &[u64]) -> usize {
    let half = before[0] + total(before) / 2;
    before.partition_point(|before| *before < half).clamp(1, before.len() - 2)
}

/// Halves a share by effort until its parts are not worth another thread.
fn divide<S: Send, T: Send>(
    share: Share<S, T>,
    least: u64,
    work: &(impl Fn(RobotId, &mut S, &mut T) + Sync),
) {
    let Share { first, before, states, slots } = share;
    let (count, effort) = (states.len(), total(before));
    if count < 2 || effort < 2 * least {
        for (index, (state, slot)) in states.iter_mut().zip(slots).enumerate() {
            work(RobotId::from_index(first + index), state, slot);
        }
        return;
    }
    let cut = middle(before);
    let (low, high) = states.split_at_mut(cut);
    let (front, back) = slots.split_at_mut(cut);
    rayon::join(
        || divide(Share { first, before: &before[..=cut], states: low, slots: front }, least, work),
        || {
            let rest = Share { first: first + cut, before: &before[cut..], states: high, slots: back };
            divide(rest, least, work);
        },
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::sync::{Condvar, Mutex};
    use std::thread::{self, ThreadId};
    use std::time::Duration;

    fn before(efforts: &[u64]) -> Vec<u64> {
        let sums = efforts.iter().scan(0, |sum, effort| {
            *sum += effort;
            Some(*sum)
        });
        [0].into_iter().chain(sums).collect()
    }

    /// Every state is the number of its robot; the slots collect the results.
    fn shared<T: Send + Clone>(
        efforts: &[u64],
        threads: usize,
        empty: T,
        work: impl Fn(usize) -> T + Sync,
    ) -> Vec<T> {
        let mut numbers: Vec<usize> = (0..efforts.len()).collect();
        let mut slots = vec![empty; efforts.len()];
        let before = before(efforts);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let share = Share { first: 0, before: &before, states: &mut numbers, slots: &mut slots };
        pool.install(|| {
            divide(share, WORTH_A_THREAD, &|robot, number: &mut usize, slot: &mut T| {
                assert_eq!(robot.index(), *number);
                *slot = work(robot.index());
            });
        });
        slots
    }

    #[test]
    fn every_robot_is_processed_once_whatever_the_efforts() {
        for efforts in [&[][..], &[0], &[1, 1, 1], &[0; 9], &[500; 10], &[9000, 0, 0, 1], &[1, 0, 0, 9000]] {
            let expected: Vec<Option<usize>> = (0..efforts.len()).map(Some).collect();
            for threads in [1, 2, 8] {
                assert_eq!(shared(efforts, threads, None, Some), expected, "{efforts:?}");
            }
        }
    }

    /// The threads that worked. Each waits for a second one at its first robot, so that a single thread would be detected.
    fn threads_at_work(efforts: &[u64]) -> BTreeSet<String> {
        let (seen, news) = (Mutex::new(Vec::<ThreadId>::new()), Condvar::new());
        let work = |_| {
            let mut threads = seen.lock().expect("no panic");
            if !threads.contains(&thread::current().id()) {
                threads.push(thread::current().id());
                news.notify_all();
            }
            let patience = Duration::from_millis(if efforts.len() == 10 { 30_000 } else { 50 });
            drop(news.wait_timeout_while(threads, patience, |threads| threads.len() < 2).expect("no panic"));
            format!("{:?}", thread::current().id())
        };
        shared(efforts, 2, String::new(), work).into_iter().collect()
    }

    #[test]
    fn ten_expensive_robots_use_two_threads_and_three_cheap_ones_do_not() {
        assert_eq!(threads_at_work(&[200; 10]).len(), 2);
        assert_eq!(threads_at_work(&[3; 3]).len(), 1);
    }

    #[test]
    fn one_expensive_robot_does_not_delay_the_cheap_ones() {
        for (efforts, first) in
            [(&[1000, 10, 10, 10][..], 1), (&[10, 10, 10, 1000], 3), (&[5; 8], 4), (&[0, 0], 1)]
        {
            assert_eq!(middle(&before(efforts)), first, "{efforts:?}");
        }
    }
}
