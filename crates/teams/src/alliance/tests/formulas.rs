//! The formulas of ALLIANCE-SIM 2.2, each computed by hand.

use super::super::motivation::{Ear, factors};
use super::super::{Factors, SetSettings, Toward};
use super::team::{heartbeat, identity, tasks, want};
use super::{Alliance, THRESHOLD, TICK, Team, settings};
use crate::hearing::Hearing;
use crewlab_onboard::{Body, Message, NoRadio, Percept, RobotId, Situation, TaskId, Time, WorkState};

/// One robot's motivational behaviour at one moment.
struct Moment {
    settings: SetSettings,
    /// Messages heard: when [s], from whom, what.
    heard: Vec<(f64, u16, Body)>,
    active_since: Option<f64>,
    sensory: bool,
    suppressed: bool,
    exclusive: bool,
    priority: i32,
}

impl Moment {
    /// Hibernating, applicable, nothing else active; robot 5 of priority 5 on a shared task.
    fn new(heard: &[(f64, u16, Body)]) -> Moment {
        Moment {
            settings: settings(),
            heard: heard.to_vec(),
            active_since: None,
            sensory: true,
            suppressed: false,
            exclusive: false,
            priority: 5,
        }
    }

    /// On a task that one robot at a time may do.
    fn exclusive(self) -> Moment {
        Moment { exclusive: true, ..self }
    }

    fn active_since(mut self, at: f64) -> Moment {
        self.active_since = Some(at);
        self
    }

    fn at(&self, now: f64) -> Factors {
        let tasks = tasks(&[self.exclusive]);
        let (mut hearing, mut inbox) = (Hearing::default(), Vec::new());
        for (number, (at, from, body)) in self.heard.iter().filter(|(at, _, _)| *at <= now).enumerate() {
            let message =
                Message { from: RobotId(*from), number: number as u32, lamport: 0, body: body.clone() };
            hearing.note(Time::from_seconds(*at), &tasks, &message);
            if *at == now {
                inbox.push(message);
            }
        }
        let ear = Ear {
            heard: hearing.about(TaskId(0), 0),
            inbox: &inbox,
            task: TaskId(0),
            subject: 0,
            me: RobotId(5),
            priority: self.priority,
            exclusive: self.exclusive,
        };
        let situation = Situation {
            now: Time::from_seconds(now),
            dt: TICK,
            me: &identity(5, self.priority, &[0]),
            tasks: &tasks,
            percept: &Percept::default(),
            radio: &NoRadio,
        };
        let active_since = self.active_since.map(Time::from_seconds);
        factors(&self.settings, &ear, &situation, active_since, self.sensory, self.suppressed)
    }
}

fn works() -> Body {
    heartbeat(0, WorkState::Working)
}

/// k is heard once per second from `from` until `to`.
fn works_each_second(k: u16, from: u32, to: u32) -> Vec<(f64, u16, Body)> {
    (from..=to).map(|second| (f64::from(second), k, works())).collect()
}

// 2.1 sensory feedback, 2.3 activity suppression

#[test]
fn sensory_feedback_comes_from_the_skills() {
    // [1.0 + 1.0 * 0.5] * sensory
    let mut moment = Moment::new(&[]);
    assert!(moment.at(8.0).sensory);
    assert_eq!(moment.at(8.0).motivation(1.0, TICK, THRESHOLD), 1.5);
    moment.sensory = false;
    assert!(!moment.at(8.0).sensory);
    assert_eq!(moment.at(8.0).motivation(1.0, TICK, THRESHOLD), 0.0);
}

#[test]
fn activity_suppression_is_zero_while_another_set_is_active() {
    let mut moment = Moment::new(&[]);
    assert!(!moment.at(8.0).suppressed);
    moment.suppressed = true;
    assert!(moment.at(8.0).suppressed);
    assert_eq!(moment.at(8.0).motivation(1.0, TICK, THRESHOLD), 0.0);
}

// 2.4 impatience

#[test]
fn impatience_is_fast_with_nobody_heard() {
    let factors = Moment::new(&[]).at(8.0);
    assert_eq!((factors.impatience, factors.slowed_by, factors.ignored), (1.0, None, None));
}

#[test]
fn impatience_is_slow_within_tau_of_a_statement_and_fast_after() {
    // τ = 3 s. Heard at 4.0: slow at 4.0, 6.5 and, being silent for exactly τ, at 7.0; fast at 7.5.
    for state in [WorkState::Started, WorkState::Working] {
        let moment = Moment::new(&[(4.0, 1, heartbeat(0, state))]);
        for (now, rate, by) in [
            (3.5, 1.0, None),
            (4.0, 0.25, Some(RobotId(1))),
            (6.5, 0.25, Some(RobotId(1))),
            (7.0, 0.25, Some(RobotId(1))),
            (7.5, 1.0, None),
        ] {
            let factors = moment.at(now);
            assert_eq!((factors.impatience, factors.slowed_by), (rate, by), "at {now}");
        }
    }
}

#[test]
fn impatience_is_fast_once_the_other_has_ended_or_only_wants() {
    let ended = Moment::new(&[(4.0, 1, works()), (5.0, 1, heartbeat(0, WorkState::Ended))]);
    assert_eq!((ended.at(4.5).impatience, ended.at(5.0).impatience), (0.25, 1.0));
    let wants = Moment::new(&[(4.0, 1, want(0))]);
    assert_eq!((wants.at(4.0).impatience, wants.at(4.5).impatience), (1.0, 1.0));
}

#[test]
fn impatience_does_not_mind_other_tasks_and_subjects() {
    let elsewhere = Body::Heartbeat { task: TaskId(0), subject: 7, state: WorkState::Working, priority: 0 };
    let moment = Moment::new(&[(4.0, 1, heartbeat(1, WorkState::Working)), (4.0, 2, elsewhere)]);
    assert_eq!(moment.at(4.0).impatience, 1.0);
    assert_eq!(moment.at(4.0).reset_by, None);
}

#[test]
fn impatience_is_the_least_slow_rate_of_those_heard() {
    // Towards 1: 0.5/s, towards 3: 0.125/s, towards anybody else (2): 0.25/s.
    let mut moment = Moment::new(&[(4.0, 1, works()), (5.0, 2, works()), (6.0, 3, works())]);
    moment.settings.toward = vec![
        (RobotId(1), Toward { slow_impatience: 0.5, time_willing_to_affect: 20.0 }),
        (RobotId(3), Toward { slow_impatience: 0.125, time_willing_to_affect: 20.0 }),
    ];
    for (now, rate, by) in [
        (4.0, 0.5, 1),   // {0.5}
        (5.0, 0.25, 2),  // min {0.5, 0.25}
        (6.0, 0.125, 3), // min {0.5, 0.25, 0.125}
        (7.5, 0.125, 3), // 1 is silent for 3.5 s: min {0.25, 0.125}
        (9.0, 0.125, 3), // 2 is silent for 4 s: {0.125}
    ] {
        let factors = moment.at(now);
        assert_eq!((factors.impatience, factors.slowed_by), (rate, Some(RobotId(by))), "at {now}");
    }
    assert_eq!(moment.at(9.5).impatience, 1.0);
    // The order of the numbers does not matter: the least may come first as well.
    moment.settings.toward[0].1.slow_impatience = 0.0625;
    assert_eq!(moment.at(6.0).impatience, 0.0625);
}

#[test]
fn impatience_is_fast_after_phi_since_the_first_statement_although_still_heard() {
    // φ = 20 s, first heard at 4 s and every second since: slow up to and including 24.0, fast from 24.5.
    let moment = Moment::new(&works_each_second(1, 4, 60));
    for (now, rate) in [(4.0, 0.25), (23.5, 0.25), (24.0, 0.25), (24.5, 1.0), (60.0, 1.0)] {
        assert_eq!(moment.at(now).impatience, rate, "at {now}");
    }
    assert_eq!(moment.at(24.5).ignored, Some(RobotId(1)));
    assert_eq!(moment.at(24.0).ignored, None);
}

#[test]
fn phi_runs_from_the_first_statement_even_across_a_silence() {
    // First heard at 4 s, then silent until 30 s: 26 s > φ, so the return does not slow the growth again.
    let moment = Moment::new(&[(4.0, 1, works()), (30.0, 1, works())]);
    assert_eq!(moment.at(30.0).impatience, 1.0);
    // comm_received counts a wish as well: φ runs from there.
    let moment = Moment::new(&[(4.0, 1, want(0)), (24.0, 1, works()), (24.5, 1, works())]);
    assert_eq!((moment.at(24.0).impatience, moment.at(24.5).impatience), (0.25, 1.0));
}

#[test]
fn phi_is_counted_per_teammate() {
    // 1 is first heard at 4 s and worn out after 24 s; 2 is first heard at 14 s and slows until 34 s.
    // Towards 1, φ is 6 s in the second case: worn out after 10 s.
    let heard = [works_each_second(1, 4, 60), works_each_second(2, 14, 60)].concat();
    let mut moment = Moment::new(&heard);
    assert_eq!((moment.at(24.5).impatience, moment.at(24.5).slowed_by), (0.25, Some(RobotId(2))));
    assert_eq!((moment.at(34.0).impatience, moment.at(34.5).impatience), (0.25, 1.0));
    moment.settings.toward =
        vec![(RobotId(1), Toward { slow_impatience: 0.125, time_willing_to_affect: 6.0 })];
    for (now, rate) in [(10.0, 0.125), (10.5, 1.0), (13.5, 1.0), (14.0, 0.25)] {
        assert_eq!(moment.at(now).impatience, rate, "at {now}");
    }
}

#[test]
fn boundaries_of_tau_phi_and_psi_hold_for_every_duration() {
    // A duration that is a whole number of ticks of 0.1 s: silent for exactly τ is still heard, heard for exactly φ
    // still slows, active for exactly ψ or λ is not longer.
    for tenths in 1..=1200 {
        let span = f64::from(tenths) / 10.0;
        let mut moment = Moment::new(&[(0.0, 1, works())]).active_since(0.0);
        moment.settings.time_allowed_till_ceased = span;
        moment.settings.anyone.time_willing_to_affect = span;
        moment.settings.time_before_yielding = span;
        moment.settings.time_before_giving_up = span;
        let factors = moment.at(span);
        assert_eq!((factors.impatience, factors.slowed_by), (0.25, Some(RobotId(1))), "{span} s");
        assert!(!factors.acquiesces(), "{span} s");
    }
}

// 2.5 impatience reset

#[test]
fn impatience_reset_is_zero_only_in_the_tick_of_first_hearing() {
    for statement in [works(), heartbeat(0, WorkState::Started), want(0)] {
        let heard = [(4.0, 1, statement.clone()), (4.5, 1, works()), (9.0, 1, want(0))];
        let moment = Moment::new(&heard).exclusive();
        for (now, by) in
            [(3.5, None), (4.0, Some(RobotId(1))), (4.5, None), (5.0, None), (9.0, None), (40.0, None)]
        {
            assert_eq!(moment.at(now).reset_by, by, "at {now} after {statement:?}");
        }
        // [1.0 + 0.25 * 0.5] * 0, whatever the impatience is.
        assert_eq!(moment.at(4.0).motivation(1.0, TICK, THRESHOLD), 0.0);
        // A task that several may do has room for a newcomer.
        assert_eq!(Moment::new(&heard).at(4.0).reset_by, None);
    }
}

#[test]
fn impatience_reset_happens_once_for_each_teammate() {
    let heard = [works_each_second(1, 4, 9), works_each_second(2, 6, 9), works_each_second(3, 8, 9)].concat();
    let moment = Moment::new(&heard).exclusive();
    let resets: Vec<(f64, RobotId)> = (0..40)
        .map(|tick| f64::from(tick) * TICK)
        .filter_map(|now| moment.at(now).reset_by.map(|by| (now, by)))
        .collect();
    assert_eq!(resets, [(4.0, RobotId(1)), (6.0, RobotId(2)), (8.0, RobotId(3))]);
}

#[test]
fn an_end_makes_no_acquaintance() {
    let moment = Moment::new(&[(4.0, 1, heartbeat(0, WorkState::Ended)), (9.0, 1, works())]).exclusive();
    assert_eq!(moment.at(4.0).reset_by, None);
    // φ does not run from there either.
    assert_eq!((moment.at(9.0).reset_by, moment.at(9.0).impatience), (Some(RobotId(1)), 0.25));
}

// 2.6 acquiescence

#[test]
fn acquiescence_after_psi_needs_somebody_heard_within_tau() {
    // ψ = 8 s, active since 10 s. 1 is known from 1 s, so nothing here is a reset.
    let case = |heard: &[(f64, u16, Body)]| {
        let mut moment = Moment::new(&[&[(1.0, 1, works())], heard].concat()).active_since(10.0);
        moment.settings.time_before_yielding = 8.0;
        move |now| moment.at(now).yields_to
    };
    let nobody = case(&[]);
    assert_eq!((nobody(18.5), nobody(500.0)), (None, None));
    for statement in [want(0), works()] {
        // Heard at 17 s, so within τ until 20 s. 18.0 - 10.0 = ψ is not longer; 18.5 is.
        let heard = case(&[(17.0, 1, statement.clone())]);
        for (now, to) in
            [(17.0, None), (18.0, None), (18.5, Some(RobotId(1))), (20.0, Some(RobotId(1))), (20.5, None)]
        {
            assert_eq!(heard(now), to, "at {now} after {statement:?}");
        }
    }
    // One that has ended neither works on the task nor wants it.
    let ended = case(&[(17.0, 1, works()), (18.0, 1, heartbeat(0, WorkState::Ended))]);
    assert_eq!(ended(18.5), None);
}

#[test]
fn acquiescence_after_lambda_comes_anyway() {
    let mut moment = Moment::new(&[]).active_since(10.0);
    moment.settings.time_before_giving_up = 12.0;
    // 22.0 - 10.0 = λ is not longer.
    for (now, gives_up) in [(10.0, false), (22.0, false), (22.5, true)] {
        let factors = moment.at(now);
        assert_eq!((factors.gives_up, factors.acquiesces()), (gives_up, gives_up), "at {now}");
        let level = if gives_up { 0.0 } else { THRESHOLD };
        assert_eq!(factors.motivation(THRESHOLD, TICK, THRESHOLD), level);
    }
}

#[test]
fn a_set_that_is_not_active_does_not_acquiesce() {
    let mut moment = Moment::new(&works_each_second(1, 1, 60));
    moment.settings.time_before_yielding = 0.0;
    moment.settings.time_before_giving_up = 0.0;
    assert!(!moment.at(50.0).acquiesces());
}

// Two at once on an exclusive task

#[test]
fn of_two_that_started_at_once_the_lower_priority_then_the_lower_number_keeps_the_task() {
    let claim =
        |priority| Body::Heartbeat { task: TaskId(0), subject: 0, state: WorkState::Started, priority };
    // (priority of robot 5, number and priority of the other, whether robot 5 keeps the task)
    for (mine, other, theirs, keeps) in
        [(1, 4, 2, true), (2, 4, 1, false), (3, 4, 3, false), (3, 6, 3, true), (-1, 4, 0, true)]
    {
        // Active since the tick before; (9.5, 4): acquainted, the same some time later.
        for (since, earlier) in [(9.5, None), (9.5, Some(2.0)), (4.0, Some(2.0))] {
            let earlier = earlier.map(|at| (at, other, want(0)));
            let heard: Vec<_> = earlier.clone().into_iter().chain([(10.0, other, claim(theirs))]).collect();
            let mut moment = Moment::new(&heard).active_since(since);
            (moment.exclusive, moment.priority) = (true, mine);
            let factors = moment.at(10.0);
            let case = format!("{mine} against {theirs} of {other}, since {since}, known {earlier:?}");
            assert_eq!(factors.outranked_by, (!keeps).then_some(RobotId(other)), "{case}");
            // The one that keeps the task is not reset by the other's claim.
            let level = if keeps { THRESHOLD } else { 0.0 };
            assert_eq!(factors.motivation(THRESHOLD, TICK, THRESHOLD), level, "{case}");
            // A shared task has no such rule.
            moment.exclusive = false;
            assert_eq!(moment.at(10.0).outranked_by, None, "{case}");
        }
    }
}

#[test]
fn one_that_ends_takes_no_task_away() {
    // 4 is known and has precedence. It ends in this tick, or claimed the task and ended within this tick.
    let end = heartbeat(0, WorkState::Ended);
    for heard in [vec![end.clone()], vec![works(), end.clone()]] {
        let now = heard.into_iter().map(|body| (10.0, 4, body));
        let mut moment =
            Moment::new(&[(9.0, 4, works())].into_iter().chain(now).collect::<Vec<_>>()).active_since(9.5);
        moment.exclusive = true;
        assert_eq!(moment.at(10.0).outranked_by, None);
    }
}

#[test]
fn one_long_at_work_is_reset_by_a_stranger_whatever_the_priorities() {
    let mut moment = Moment::new(&[(10.0, 6, heartbeat(0, WorkState::Started))]).active_since(4.0);
    (moment.exclusive, moment.priority) = (true, -9);
    let factors = moment.at(10.0);
    assert_eq!((factors.reset_by, factors.outranked_by), (Some(RobotId(6)), None));
}

#[test]
fn of_three_that_started_at_once_the_first_keeps_the_task() {
    let claim = Body::Heartbeat { task: TaskId(0), subject: 0, state: WorkState::Started, priority: 9 };
    let mut moment = Moment::new(&[(10.0, 6, claim.clone()), (10.0, 7, claim)]).active_since(9.5);
    (moment.exclusive, moment.priority) = (true, 1);
    assert_eq!(moment.at(10.0).reset_by, None);
    assert_eq!(moment.at(10.0).motivation(THRESHOLD, TICK, THRESHOLD), THRESHOLD);
}

#[test]
fn a_claim_that_is_turned_down_does_not_hide_the_first_word_of_another() {
    // 6 claims the task at once with robot 5, which keeps it; 7 says for the first time that it wants the task (2.5).
    let claim = Body::Heartbeat { task: TaskId(0), subject: 0, state: WorkState::Started, priority: 9 };
    let mut moment = Moment::new(&[(10.0, 6, claim), (10.0, 7, want(0))]).active_since(9.5);
    (moment.exclusive, moment.priority) = (true, 1);
    assert_eq!(moment.at(10.0).reset_by, Some(RobotId(7)));
}

// 2.7 motivation

#[test]
fn motivation_is_zero_if_any_factor_is_and_never_above_the_threshold() {
    let all = Factors {
        impatience: 0.5,
        slowed_by: None,
        ignored: None,
        sensory: true,
        suppressed: false,
        reset_by: None,
        yields_to: None,
        gives_up: false,
        outranked_by: None,
        worker: None,
        hidden: false,
    };
    // [1.0 + 0.5 * 0.5] * 1 * 1 * 1 * 1
    assert_eq!(all.motivation(1.0, TICK, THRESHOLD), 1.25);
    // 1.75 + 0.25 = θ; 1.875 + 0.25 = 2.125 is cut.
    assert_eq!(all.motivation(1.75, TICK, THRESHOLD), 2.0);
    assert_eq!(all.motivation(1.875, TICK, THRESHOLD), 2.0);
    let somebody = Some(RobotId(1));
    for zero in [
        Factors { sensory: false, ..all.clone() },
        Factors { suppressed: true, ..all.clone() },
        Factors { reset_by: somebody, ..all.clone() },
        Factors { yields_to: somebody, ..all.clone() },
        Factors { gives_up: true, ..all.clone() },
        Factors { outranked_by: somebody, ..all.clone() },
        Factors { hidden: true, ..all.clone() },
    ] {
        assert_eq!(zero.motivation(1.0, TICK, THRESHOLD), 0.0, "{zero:?}");
    }
    // Neither being slowed nor being ignored is a factor of its own.
    let talked_of = Factors { slowed_by: somebody, ignored: somebody, ..all };
    assert_eq!(talked_of.motivation(1.0, TICK, THRESHOLD), 1.25);
}

#[test]
fn motivation_grows_per_second_and_not_per_tick() {
    // 10 s at δfast = 0.125/s are 1.25, at δslow = 0.0625/s 0.625, whatever the tick is.
    for (heard, expected) in [(false, 1.25), (true, 0.625)] {
        for tick in [0.1, 0.05, 0.5] {
            let mut settings = settings();
            settings.fast_impatience = 0.125;
            settings.anyone.slow_impatience = 0.0625;
            let alliance = Alliance::new(THRESHOLD, vec![settings]);
            let mut team = Team::new(tick, tasks(&[true]), vec![(identity(0, 0, &[0]), alliance)]);
            // A first tick without growth: not applicable, and a first contact with the other if there is one.
            team.robots[0].applicable()[0] = false;
            for _ in 0..=(10.0 / tick).round() as usize {
                if heard {
                    team.tell(0, 1, works());
                }
                team.step();
                team.robots[0].applicable()[0] = true;
            }
            assert!((team.robots[0].level(0) - expected).abs() < 1e-9, "tick {tick}, heard {heard}");
        }
    }
}
