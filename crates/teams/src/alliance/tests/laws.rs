//! Properties that hold for any team, any parameters and any radio.

use super::super::{Alliance, SetSettings, Toward};
use super::team::{Team, Visibility, identity, tasks};
use crewlab_onboard::EventKind;
use crewlab_onboard::{Body, GaugeState, Message, RobotId, Stream, StreamKind, TaskId, WorkState};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::collections::BTreeMap;

/// The same cases in every run; `PROPTEST_CASES` and `PROPTEST_RNG_SEED` change their number and their seed.
fn config(cases: u32) -> ProptestConfig {
    let given = ProptestConfig::default();
    let asked = |name| std::env::var_os(name).is_some();
    ProptestConfig {
        cases: if asked("PROPTEST_CASES") { given.cases } else { cases },
        rng_seed: if asked("PROPTEST_RNG_SEED") { given.rng_seed } else { RngSeed::Fixed(7) },
        failure_persistence: None,
        ..given
    }
}

/// A team, its parameters, and the quality of the radio.
#[derive(Clone, Debug)]
struct Plan {
    tick: f64,
    threshold: f64,
    /// Per task.
    exclusive: Vec<bool>,
    /// Priority, and task and settings of each set.
    robots: Vec<(i32, Vec<(u16, SetSettings)>)>,
    /// All robots are like the first and have the same sets applicable, so that they often start at once.
    twins: bool,
    visibility: Visibility,
    /// Seed of everything that changes over time.
    seed: u64,
    loss: f64,
    /// True if robots fall silent and garbage is transmitted.
    rough: bool,
}

/// Settings for a threshold of 1; an undisturbed set needs 0.3 s to 5 s.
fn any_settings() -> impl Strategy<Value = SetSettings> {
    let times = (0.3..5.0f64, 0.0..1.0f64, 0.2..3.0f64, 0.0..10.0f64, 0.0..10.0f64, 0.0..20.0f64);
    (times, 0.5..10.0f64).prop_map(|((alone, slow, ceased, affect, yielding, giving_up), rate)| SetSettings {
        broadcast_rate: rate,
        time_allowed_till_ceased: ceased,
        fast_impatience: 1.0 / alone,
        time_before_yielding: yielding,
        time_before_giving_up: giving_up,
        anyone: Toward { slow_impatience: slow / alone, time_willing_to_affect: affect },
        toward: vec![(
            RobotId(1),
            Toward { slow_impatience: 0.5 * slow / alone, time_willing_to_affect: 2.0 },
        )],
    })
}

fn any_plan() -> impl Strategy<Value = Plan> {
    let set = (0..3u16, any_settings());
    let robot = (0..3i32, prop::collection::vec(set, 1..=4));
    let team = (
        prop::collection::vec(robot, 2..=5),
        prop::collection::vec(prop::bool::weighted(0.7), 3),
        prop::sample::select(vec![0.05, 0.1, 0.25]),
        prop::sample::select(vec![0.01, 1.0, 300.0]),
        any::<bool>(),
    );
    let air = (any::<u64>(), 0.0..0.6f64, any::<bool>(), any::<bool>());
    (team, air).prop_map(|((mut robots, exclusive, tick, threshold, twins), (seed, loss, rough, same))| {
        for (_, sets) in &mut robots {
            sets.iter_mut().for_each(|(_, settings)| scale(settings, threshold));
        }
        let visibility = if same { Visibility::SameTick } else { Visibility::EndOfTick };
        Plan { tick, threshold, exclusive, robots, twins, visibility, seed, loss, rough }
    })
}

fn scale(settings: &mut SetSettings, threshold: f64) {
    settings.fast_impatience *= threshold;
    settings.anyone.slow_impatience *= threshold;
    settings.toward.iter_mut().for_each(|(_, toward)| toward.slow_impatience *= threshold);
}

impl Plan {
    /// A plan for a radio without losses and with sufficiently frequent statements.
    fn calm(mut self) -> Plan {
        (self.loss, self.rough, self.visibility) = (0.0, false, Visibility::EndOfTick);
        // A statement is due at the latest half a tick after its time and takes a tick to be heard.
        let slowest = |settings: &SetSettings| 1.0 / settings.broadcast_rate + 2.0 * self.tick;
        let all = self.robots.iter().flat_map(|(_, sets)| sets);
        let span = all.map(|(_, settings)| slowest(settings)).fold(0.0, f64::max);
        for (_, settings) in self.robots.iter_mut().flat_map(|(_, sets)| sets) {
            settings.time_allowed_till_ceased = settings.time_allowed_till_ceased.max(span);
        }
        self
    }

    fn team(&self) -> Team<Alliance> {
        let robots = self.robots.iter().enumerate().map(|(i, (priority, sets))| {
            let sets = if self.twins { &self.robots[0].1 } else { sets };
            let tasks: Vec<u16> = sets.iter().map(|(task, _)| *task).collect();
            let settings = sets.iter().map(|(_, settings)| settings.clone()).collect();
            (identity(i as u16, *priority, &tasks), Alliance::new(self.threshold, settings))
        });
        let mut team = Team::new(self.tick, tasks(&self.exclusive), robots.collect());
        team.visibility = self.visibility;
        let (seed, loss) = (self.seed, self.loss);
        let mut losses = Stream::new(seed, StreamKind::World, 0, 0);
        team.lost = Box::new(move |_, _, _| losses.chance(loss));
        team
    }

    /// Steps the team and disturbs it; calls `look` after every tick.
    fn run(&self, team: &mut Team<Alliance>, ticks: u64, mut look: impl FnMut(&mut Team<Alliance>, u64)) {
        for tick in 0..ticks {
            let mut random = Stream::new(self.seed, StreamKind::World, 0, tick);
            self.flip(team, &mut random);
            if self.rough {
                disturb(team, &mut random);
            }
            team.step();
            look(team, tick);
        }
    }

    /// Behaviour sets become applicable and inapplicable.
    fn flip(&self, team: &mut Team<Alliance>, random: &mut Stream) {
        for robot in 0..team.robots.len() {
            if self.twins && robot > 0 {
                let first = team.robots[0].applicable().to_vec();
                team.robots[robot].applicable().copy_from_slice(&first);
                continue;
            }
            for applicable in team.robots[robot].applicable() {
                *applicable ^= random.chance(0.03);
            }
        }
    }
}

/// Robots fall silent and come back; meaningless bytes and invented messages arrive.
fn disturb(team: &mut Team<Alliance>, random: &mut Stream) {
    for robot in &mut team.robots {
        robot.sends ^= random.chance(0.02);
    }
    let listener = random.below(team.robots.len());
    if random.chance(0.3) {
        let length = random.below(12);
        team.inject(listener, (0..length).map(|_| random.bits() as u8).collect());
    }
    if random.chance(0.3) {
        let (task, subject) = (TaskId(random.below(5) as u16), random.below(2) as u32);
        let state = [WorkState::Started, WorkState::Working, WorkState::Ended][random.below(3)];
        let priority = random.below(5) as i32 - 2;
        let body = match random.below(3) {
            0 => Body::Want { task, subject },
            _ => Body::Heartbeat { task, subject, state, priority },
        };
        let (from, lamport) = (RobotId(random.below(8) as u16), random.bits() >> random.below(64));
        team.inject(listener, Message { from, number: 0, lamport, body }.encode());
    }
}

proptest! {
    #![proptest_config(config(128))]

    #[test]
    fn levels_and_states_stay_in_bounds(plan in any_plan()) {
        let mut team = plan.team();
        plan.run(&mut team, 400, |team, _| {
            for robot in &team.robots {
                let gauges = robot.gauges();
                for gauge in &gauges {
                    // A comparison with NaN is false.
                    assert!(gauge.level >= 0.0 && gauge.level <= plan.threshold, "{gauge:?}");
                    let over = gauge.level >= plan.threshold;
                    assert_eq!(gauge.state != GaugeState::Hibernating, over, "{gauge:?}");
                }
                let active: Vec<_> = gauges.iter().filter(|g| g.state == GaugeState::Active).collect();
                assert!(active.len() <= 1, "{active:?}");
                assert_eq!(active.first().map(|gauge| gauge.behaviour), robot.software.active.map(|choice| choice.behaviour));
                for gauge in gauges.iter().filter(|gauge| gauge.state == GaugeState::Waiting) {
                    let task = robot.identity.behaviour(gauge.behaviour).task;
                    assert!(plan.exclusive[usize::from(task.0)], "waits for a shared task");
                }
            }
        });
    }

    #[test]
    fn a_teammate_resets_a_set_at_most_once(plan in any_plan()) {
        let mut team = plan.team();
        plan.run(&mut team, 400, |_, _| {});
        for robot in &team.robots {
            let mut resets = BTreeMap::new();
            for (_, event) in &robot.events {
                if event.kind == EventKind::Reset {
                    *resets.entry((event.behaviour, event.other)).or_insert(0) += 1;
                }
            }
            assert!(resets.keys().all(|(set, by)| set.is_some() && by.is_some()), "{resets:?}");
            assert!(resets.values().all(|count| *count == 1), "{resets:?}");
        }
    }

    #[test]
    fn statements_follow_the_state(plan in any_plan()) {
        // Heartbeats of one robot read (Started Working* Ended)*, each group about one task.
        let mut team = plan.team();
        plan.run(&mut team, 400, |_, _| {});
        for robot in &team.robots {
            let mut current = None;
            for (at, body) in &robot.said {
                if let Body::Heartbeat { task, state, .. } = body {
                    let expected = if *state == WorkState::Started { None } else { Some(*task) };
                    assert_eq!(current, expected, "{state:?} at {at:?}");
                    current = (*state != WorkState::Ended).then_some(*task);
                }
            }
            assert_eq!(current.map(|task| usize::from(task.0)), robot.active_task());
        }
    }

    #[test]
    fn changes_of_state_are_all_explained(plan in any_plan()) {
        let mut team = plan.team();
        let mut before: Vec<_> = team.robots.iter().map(|robot| robot.gauges()).collect();
        let mut seen = vec![0; before.len()];
        plan.run(&mut team, 300, |team, _| {
            for (i, robot) in team.robots.iter().enumerate() {
                let events = &robot.events[seen[i]..];
                for (old, new) in before[i].iter().zip(robot.gauges()) {
                    let kinds: Vec<&str> = events
                        .iter()
                        .filter(|(_, event)| event.behaviour == Some(new.behaviour))
                        .map(|(_, event)| event.kind.name())
                        .filter(|kind| !["patient", "impatient"].contains(kind))
                        .collect();
                    let expected: &[&str] = match (old.state, new.state) {
                        (_, GaugeState::Active) => &["activated"],
                        (_, GaugeState::Waiting) => &["waiting"],
                        _ => &["ended", "reset", "yielded", "left-to-others", "inhibited"],
                    };
                    if old.state == new.state {
                        assert!(kinds.is_empty() || kinds == ["reset"], "{old:?} {new:?} {kinds:?}");
                    } else {
                        assert!(kinds.len() == 1 && expected.contains(&kinds[0]), "{old:?} {new:?} {kinds:?}");
                    }
                }
                before[i] = robot.gauges();
                seen[i] = robot.events.len();
            }
        });
    }

    #[test]
    fn a_robot_alone_takes_the_task_it_is_most_impatient_for(plan in any_plan(), useful in any::<[bool; 4]>()) {
        let mut team = plan.team();
        team.robots.truncate(1);
        let sets = &plan.robots[0].1;
        team.robots[0].applicable().copy_from_slice(&useful[..sets.len()]);
        let needs = |settings: &SetSettings| plan.threshold / settings.fast_impatience;
        let useful_sets = sets.iter().zip(useful).filter(|(_, useful)| *useful);
        let soonest = useful_sets.map(|((_, settings), _)| needs(settings)).fold(f64::INFINITY, f64::min);
        if soonest.is_finite() {
            // Growth comes in whole ticks, and the sum of n roundings may miss θ by one tick.
            let ticks = (soonest / plan.tick).ceil() as usize;
            let first = (1..=ticks + 1).find_map(|tick| {
                team.step();
                team.robots[0].active().map(|set| (tick, set))
            });
            let (tick, set) = first.expect("an active set");
            prop_assert!(tick + 1 >= ticks, "active in tick {tick} instead of {ticks}");
            prop_assert!(useful[set]);
            prop_assert!(needs(&sets[set].1) <= soonest + 2.0 * plan.tick);
        } else {
            team.steps(200);
            prop_assert_eq!(team.robots[0].active(), None);
        }
    }

    #[test]
    fn two_robots_are_on_one_exclusive_task_for_one_tick_at_most(plan in any_plan().prop_map(Plan::calm)) {
        // Two can start only in the same tick, since a start is heard in the next; then they hear each other, and
        // one of them drops the task.
        let mut team = plan.team();
        let mut crowded = vec![0; plan.exclusive.len()];
        plan.run(&mut team, 600, |team, tick| {
            for (task, exclusive) in plan.exclusive.iter().enumerate() {
                let workers = team.robots.iter().filter(|robot| robot.active_task() == Some(task)).count();
                crowded[task] = if *exclusive && workers > 1 { crowded[task] + 1 } else { 0 };
                assert!(crowded[task] <= 1, "{workers} robots on task {task} in tick {tick}");
            }
        });
    }

    #[test]
    fn a_restored_robot_goes_on_as_if_nothing_had_happened(plan in any_plan(), restored_at in 0..200u64) {
        let mut through = plan.team();
        plan.run(&mut through, 250, |_, _| {});
        let mut restored = plan.team();
        plan.run(&mut restored, 250, |team, tick| {
            if tick == restored_at {
                for robot in &mut team.robots {
                    let coordinator = &mut robot.software.coordinator;
                    let bytes = postcard::to_stdvec(coordinator).expect("bytes");
                    let copy = postcard::from_bytes(&bytes).expect("the same coordinator");
                    assert_eq!(*coordinator, copy);
                    *coordinator = copy;
                }
            }
        });
        for (a, b) in through.robots.iter().zip(&restored.robots) {
            prop_assert_eq!(&a.said, &b.said);
            prop_assert_eq!(&a.events, &b.events);
            prop_assert_eq!(&a.software.coordinator, &b.software.coordinator);
        }
    }
}

/// A message to one robot: when [ticks], from whom, about which task.
type Talk = Vec<(u64, u16, u16, Say)>;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Say {
    Works,
    Ends,
    Wants,
}

/// The formulas word by word, over the whole history of messages.
struct Words<'a> {
    talk: &'a Talk,
    settings: &'a SetSettings,
    task: u16,
    tick: f64,
    now: u64,
}

impl Words<'_> {
    fn span(&self, since: u64) -> f64 {
        (self.now - since) as f64 * self.tick
    }

    /// The last and the first time k said one of these about the task.
    fn times(&self, k: u16, says: &[Say]) -> (Option<usize>, Option<usize>) {
        let fits = |(at, from, task, say): &(u64, u16, u16, Say)| {
            *at <= self.now && *from == k && *task == self.task && says.contains(say)
        };
        (self.talk.iter().rposition(fits), self.talk.iter().position(fits))
    }

    fn within(&self, place: Option<usize>) -> bool {
        place.is_some_and(|p| self.span(self.talk[p].0) <= self.settings.time_allowed_till_ceased)
    }

    /// k said within τ that it works on the task, and not since that it has ended.
    fn works(&self, k: u16) -> bool {
        let (works, _) = self.times(k, &[Say::Works]);
        self.within(works) && works > self.times(k, &[Say::Ends]).0
    }

    /// k said within τ that it wants the task, and not since that it works on it.
    fn wants(&self, k: u16) -> bool {
        let (wants, _) = self.times(k, &[Say::Wants]);
        self.within(wants) && wants > self.times(k, &[Say::Works]).0
    }

    fn met(&self, k: u16) -> Option<u64> {
        self.times(k, &[Say::Works, Say::Wants]).1.map(|place| self.talk[place].0)
    }

    fn motivation(&self, before: f64, active_since: Option<u64>, sensory: bool, suppressed: bool) -> f64 {
        let mut impatience = self.settings.fast_impatience;
        let mut rates = Vec::new();
        for k in 1..=3 {
            let (_, toward) = self.settings.toward[usize::from(k - 1)];
            if self.works(k) && self.span(self.met(k).unwrap()) <= toward.time_willing_to_affect {
                rates.push(toward.slow_impatience);
            }
        }
        if !rates.is_empty() {
            impatience = rates.into_iter().fold(f64::INFINITY, f64::min);
        }
        let acquiesces = active_since.is_some_and(|since| {
            let active_for = self.span(since);
            let heard = (1..=3).any(|k| self.works(k) || self.wants(k));
            active_for > self.settings.time_before_giving_up
                || (active_for > self.settings.time_before_yielding && heard)
        });
        let factor = f64::from(u8::from(sensory && !suppressed && !acquiesces));
        (before + impatience * self.tick) * factor
    }
}

/// Durations that never end on a tick, so that the rounding at boundaries does not matter.
fn off_the_ticks() -> impl Strategy<Value = f64> {
    (0..40u32).prop_map(|quarters| f64::from(quarters) * 0.25 + 0.1)
}

fn settings_toward_three() -> impl Strategy<Value = SetSettings> {
    let spans = (off_the_ticks(), off_the_ticks(), off_the_ticks());
    let toward = prop::collection::vec((0.0..0.3f64, off_the_ticks()), 3);
    (spans, toward, 0.3..2.0f64).prop_map(|((ceased, yielding, giving_up), toward, fast)| SetSettings {
        broadcast_rate: 1.0,
        time_allowed_till_ceased: ceased,
        fast_impatience: fast,
        time_before_yielding: yielding,
        time_before_giving_up: giving_up,
        anyone: Toward { slow_impatience: f64::NAN, time_willing_to_affect: f64::NAN },
        toward: (1u16..)
            .zip(toward)
            .map(|(k, (slow_impatience, time_willing_to_affect))| {
                (RobotId(k), Toward { slow_impatience, time_willing_to_affect })
            })
            .collect(),
    })
}

proptest! {
    #![proptest_config(config(256))]

    /// Shared tasks, so that a set is active exactly when it is at θ, nothing is reset, and only the formulas matter.
    #[test]
    fn bounded_memory_gives_what_the_whole_history_would(
        sets in prop::collection::vec((0..2u16, settings_toward_three()), 1..=3),
        talk in prop::collection::vec(
            (0..120u64, 1..=3u16, 0..2u16, prop::sample::select(vec![Say::Works, Say::Works, Say::Ends, Say::Wants])),
            0..60,
        ),
        useless in prop::collection::vec((0..120u64, 0..3usize), 0..6),
    ) {
        let (tick, threshold) = (0.25, 1.0);
        let mut talk: Talk = talk;
        talk.sort_by_key(|(at, ..)| *at);
        let on: Vec<u16> = sets.iter().map(|(task, _)| *task).collect();
        let alliance = Alliance::new(threshold, sets.iter().map(|(_, settings)| settings.clone()).collect());
        let mut team = Team::new(tick, tasks(&[false, false]), vec![(identity(0, 0, &on), alliance)]);
        let mut levels = vec![0.0; sets.len()];
        let mut active: Option<(usize, u64)> = None;
        for now in 0..120 {
            for (_, from, task, say) in talk.iter().filter(|(at, ..)| *at == now) {
                let (task, subject, priority) = (TaskId(*task), 0, 0);
                team.tell(0, *from, match say {
                    Say::Works => Body::Heartbeat { task, subject, state: WorkState::Working, priority },
                    Say::Ends => Body::Heartbeat { task, subject, state: WorkState::Ended, priority },
                    Say::Wants => Body::Want { task, subject },
                });
            }
            for (i, useful) in team.robots[0].applicable().iter_mut().enumerate() {
                *useful = !useless.contains(&(now, i));
            }
            team.step();
            for (i, (task, settings)) in sets.iter().enumerate() {
                let words = Words { talk: &talk, settings, task: *task, tick, now };
                let since = active.filter(|(set, _)| *set == i).map(|(_, since)| since);
                let suppressed = active.is_some_and(|(set, _)| set != i);
                let level = words.motivation(levels[i], since, !useless.contains(&(now, i)), suppressed);
                levels[i] = level.min(threshold);
                if levels[i] < threshold && since.is_some() {
                    active = None;
                } else if levels[i] >= threshold && since.is_none() {
                    active = Some((i, now));
                }
            }
            let gauges = team.robots[0].gauges();
            let found: Vec<f64> = gauges.iter().map(|gauge| gauge.level).collect();
            prop_assert_eq!(&found, &levels, "at tick {}", now);
            prop_assert_eq!(team.robots[0].active(), active.map(|(set, _)| set), "at tick {}", now);
        }
    }
}

/// A team of four with many messages on three tasks; one robot starts all tasks again and again.
fn talkative() -> Plan {
    let settings = SetSettings {
        broadcast_rate: 5.0,
        time_allowed_till_ceased: 1.0,
        fast_impatience: 1.0,
        time_before_yielding: 3.0,
        time_before_giving_up: 5.0,
        anyone: Toward { slow_impatience: 0.2, time_willing_to_affect: 4.0 },
        toward: Vec::new(),
    };
    let sets: Vec<_> = (0..3).map(|task| (task, settings.clone())).collect();
    Plan {
        tick: 0.1,
        threshold: 1.0,
        exclusive: vec![true, true, false],
        robots: vec![(0, sets); 4],
        twins: false,
        visibility: Visibility::EndOfTick,
        seed: 3,
        loss: 0.1,
        rough: false,
    }
}

fn size(alliance: &Alliance) -> usize {
    postcard::to_stdvec(alliance).expect("bytes").len()
}

#[test]
fn memory_does_not_grow_with_a_fixed_team() {
    // Upper bounds in bytes of the encoding: a set has 9 numbers of 8 bytes, two times of 10 and five small fields; the memory of
    // one team-mate and task has 3 times of 10 and less than 20 besides; 16 for the rest.
    let plan = talkative();
    let (sets, teammates, tasks) = (3, 3, 3);
    let bound = 16 + sets * (9 * 8 + 2 * 10 + 5) + teammates * tasks * (3 * 10 + 20);
    let mut team = plan.team();
    let mut largest = 0;
    plan.run(&mut team, 5_000, |team, _| {
        largest = team.robots.iter().map(|robot| size(&robot.software.coordinator)).fold(largest, usize::max);
        assert!(largest <= bound, "{largest} > {bound}");
    });
    // If the robots had nothing to remember, the bound would prove nothing.
    assert!(team.robots.iter().all(|robot| robot.said.len() > 1_000), "much was said");
    assert!(largest > size(&plan.team().robots[0].software.coordinator) + teammates * tasks * 10);
}

/// A robot of that team that has heard requests for 6,000 tasks that do not exist.
fn swamped() -> (Team<Alliance>, Vec<usize>) {
    let mut team = talkative().team();
    team.robots.truncate(1);
    let mut sizes = Vec::new();
    for round in 0..60 {
        for task in 0..100 {
            team.tell(0, 7, Body::Want { task: TaskId(1_000 + 100 * round + task), subject: 0 });
        }
        team.step();
        sizes.push(size(&team.robots[0].software.coordinator));
    }
    (team, sizes)
}

#[test]
fn memory_is_bounded_whatever_is_said() {
    // 4,096 statements are kept, so the last 1,000 of 6,000 must change nothing. 50 bytes each: see above.
    let (_, sizes) = swamped();
    let largest = |sizes: &[usize]| sizes.iter().copied().max().unwrap_or_default();
    assert!(largest(&sizes) < 4_200 * 50, "{sizes:?}");
    // Other fields of the robot vary by less than the size of one statement per set and round.
    assert!(largest(&sizes[50..]) < largest(&sizes[..50]) + 50, "{sizes:?}");
}

#[test]
fn talk_of_tasks_that_do_not_exist_makes_nobody_deaf() {
    let (mut team, _) = swamped();
    team.robots[0].applicable().copy_from_slice(&[false, false, false]);
    team.step();
    team.robots[0].applicable()[0] = true;
    // A team-mate works on task 0 all the time, so the robot must never start it.
    for _ in 0..40 {
        team.tell(0, 1, super::team::heartbeat(0, WorkState::Working));
        team.step();
        assert_eq!(team.robots[0].active(), None);
    }
}
