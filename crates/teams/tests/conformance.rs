//! Requirements on every registered coordinator, however it chooses.

mod team;

use crewlab_onboard::{Body, Message, RobotId, Stream, StreamKind, TaskId, WorkState};
use crewlab_teams::alliance::{AllianceParams, Patch};
use crewlab_teams::{AnyCoordinator, Boot, KINDS, Params};
use team::{Team, Visibility, identity, tasks};

/// Parameters with which every coordinator boots and a single robot takes a task within 1 s.
fn params() -> Params {
    let mut alliance = AllianceParams { threshold: Some(1.0), ..AllianceParams::default() };
    alliance.team.general = Patch {
        broadcast_rate: Some(2.0),
        time_allowed_till_ceased: Some(2.0),
        time_willing_to_affect: Some(10.0),
        slow_impatience: Some(0.1),
        fast_impatience: Some(1.0),
        time_before_yielding: Some(10.0),
        time_before_giving_up: Some(20.0),
        ..Patch::default()
    };
    Params { alliance, ..Params::default() }
}

/// A team of this kind with a tick of 0.1 s, one robot per list of tasks.
fn team_of(kind: &str, exclusive: &[bool], robots: &[&[u16]]) -> Team<AnyCoordinator> {
    let tasks = tasks(exclusive);
    let roster: Vec<(String, RobotId)> =
        (0..robots.len()).map(|i| (format!("{i}"), RobotId(i as u16))).collect();
    let robots = robots.iter().enumerate().map(|(i, on)| {
        let me = identity(i as u16, 0, on);
        let boot =
            Boot { me: &me, tasks: &tasks, roster: &roster, signals: &[], restarted: false, reserve: &[] };
        let coordinator = AnyCoordinator::boot(kind, &params(), &boot).expect("registered").expect("boots");
        (me, coordinator)
    });
    Team::new(0.1, tasks.clone(), robots.collect())
}

/// Coordinators that negotiate: they send messages even when there is nothing to do.
const MARKETS: &[&str] = &["muroco", "cbba", "bite"];

/// Every coordinator, by name.
fn kinds() -> impl Iterator<Item = &'static str> {
    KINDS.iter().map(|kind| kind.name)
}

/// Everything observable about a run, to compare two runs.
fn story(team: &Team<AnyCoordinator>) -> Vec<String> {
    team.robots.iter().map(|robot| format!("{:?} {:?}", robot.said, robot.events)).collect()
}

/// Toggles applicability and, if requested, transmits garbage.
fn stir(team: &mut Team<AnyCoordinator>, tick: u64, garbage: bool) {
    let mut random = Stream::new(5, StreamKind::World, 0, tick);
    for robot in &mut team.robots {
        robot.applicable().iter_mut().for_each(|applicable| *applicable ^= random.chance(0.05));
    }
    if !garbage {
        return;
    }
    for listener in 0..team.robots.len() {
        let length = random.below(20);
        let bytes = (0..length).map(|_| random.bits() as u8).collect();
        team.inject(listener, bytes);
        // Messages that are well-formed but meaningless: any sender, task, subject, priority and Lamport time.
        let extreme = |random: &mut Stream| random.bits() >> (8 * random.below(8));
        let (task, subject) = (TaskId(extreme(&mut random) as u16), extreme(&mut random) as u32 % 3);
        let state = [WorkState::Started, WorkState::Working, WorkState::Ended][random.below(3)];
        let body = match random.below(4) {
            0 => Body::Want { task, subject },
            1 => Body::Knowledge(vec![random.bits() as u8; random.below(5)]),
            _ => Body::Heartbeat { task, subject, state, priority: random.bits() as i32 },
        };
        let (from, number) = (RobotId(extreme(&mut random) as u16), random.bits() as u32);
        let mut frame = Message { from, number, lamport: extreme(&mut random), body }.encode();
        if random.chance(0.3) {
            let place = random.below(frame.len());
            frame[place] ^= 1 << random.below(8);
        }
        team.inject(listener, frame);
    }
}

#[test]
fn names_are_unique_and_summaries_are_one_line() {
    let mut names: Vec<&str> = kinds().collect();
    assert!(names.len() >= 3, "{names:?}");
    names.sort();
    names.dedup();
    assert_eq!(names.len(), KINDS.len());
    for kind in KINDS {
        assert!(!kind.summary.is_empty() && !kind.summary.contains('\n'), "{}", kind.name);
        assert!(kind.name.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{}", kind.name);
    }
}

#[test]
fn an_unknown_name_is_refused() {
    let (me, tasks) = (identity(0, 0, &[0]), tasks(&[true]));
    let boot = Boot { me: &me, tasks: &tasks, roster: &[], signals: &[], restarted: false, reserve: &[] };
    assert!(AnyCoordinator::boot("nobody", &params(), &boot).is_none());
    assert!(AnyCoordinator::boot("", &params(), &boot).is_none());
}

#[test]
fn the_active_set_is_always_one_of_the_robot_and_makes_sense() {
    for kind in kinds() {
        for visibility in [Visibility::EndOfTick, Visibility::SameTick] {
            for garbage in [false, true] {
                let mut team = team_of(kind, &[true, false, true], &[&[0, 1, 2], &[2, 0], &[1], &[0, 0]]);
                team.visibility = visibility;
                let mut active = 0;
                for tick in 0..1_000 {
                    stir(&mut team, tick, garbage);
                    team.step();
                    for robot in &team.robots {
                        if let Some(set) = robot.active() {
                            active += 1;
                            assert!(set < robot.identity.behaviours.len(), "{kind}");
                            assert!(
                                robot.software.performer.applicable[set],
                                "{kind} performs a set that is not applicable"
                            );
                        }
                    }
                }
                assert!(active > 100, "{kind} was active in {active} of 4,000 cases");
            }
        }
    }
}

#[test]
fn a_robot_without_behaviour_sets_idles_silently() {
    for kind in kinds() {
        for exclusive in [&[][..], &[true, false]] {
            let mut team = team_of(kind, exclusive, &[&[], &[]]);
            for tick in 0..200 {
                stir(&mut team, tick, true);
                team.step();
                for robot in &team.robots {
                    assert_eq!((robot.active(), robot.claims(), robot.events.len()), (None, 0, 0), "{kind}");
                }
            }
        }
    }
}

#[test]
fn a_robot_without_applicable_sets_idles_silently() {
    for kind in kinds() {
        let mut team = team_of(kind, &[true, false], &[&[0, 1]]);
        team.robots[0].applicable().fill(false);
        team.steps(100);
        assert_eq!((team.robots[0].active(), team.robots[0].claims()), (None, 0), "{kind}");
    }
}

#[test]
fn a_robot_alone_takes_a_task_and_says_so_if_it_is_exclusive() {
    for kind in kinds() {
        for deaf_and_dumb in [false, true] {
            let mut team = team_of(kind, &[true], &[&[0]]);
            team.robots[0].sends = !deaf_and_dumb;
            // A market listens for a while before it opens.
            team.steps(if MARKETS.contains(&kind) { 30 } else { 12 });
            assert_eq!(team.robots[0].active(), Some(0), "{kind}");
            match team.robots[0].said.first() {
                Some((_, Body::Heartbeat { task, state, .. })) => {
                    assert_eq!((*task, *state), (TaskId(0), WorkState::Started), "{kind}");
                }
                Some((_, Body::Coordination(_))) if MARKETS.contains(&kind) => {}
                other => panic!("{kind} says {other:?}"),
            }
            assert!(team.robots[0].kinds().iter().any(|(_, event)| *event == "activated"), "{kind}");
        }
    }
}

#[test]
fn one_of_several_ends_up_with_an_exclusive_task() {
    for kind in kinds() {
        for visibility in [Visibility::EndOfTick, Visibility::SameTick] {
            let mut team = team_of(kind, &[true], &[&[0], &[0]]);
            team.visibility = visibility;
            team.steps(30);
            let workers = team.robots.iter().filter(|robot| robot.active().is_some()).count();
            assert_eq!(workers, 1, "{kind} {visibility:?}");
        }
    }
}

#[test]
fn an_exclusive_task_is_taken_over_from_one_that_falls_silent() {
    for kind in kinds() {
        // With three, those who are left are a majority, which some coordinators need.
        let mut team = team_of(kind, &[true], &[&[0], &[0], &[0]]);
        team.steps(30);
        let worker = team.robots.iter().position(|robot| robot.active().is_some()).expect("a worker");
        team.robots[worker].sends = false;
        // At most 5 s of silence count (the baselines), then 1 s at the fast rate.
        team.steps(65);
        let others = team.robots.iter().enumerate().filter(|(place, _)| *place != worker);
        assert!(others.into_iter().any(|(_, robot)| robot.active().is_some()), "{kind}");
    }
}

#[test]
fn the_same_seed_gives_the_same_run() {
    for kind in kinds() {
        let run = || {
            let mut team = team_of(kind, &[true, false, true], &[&[0, 1, 2], &[2, 0], &[1, 2]]);
            for tick in 0..400 {
                stir(&mut team, tick, true);
                team.step();
            }
            story(&team)
        };
        assert_eq!(run(), run(), "{kind}");
    }
}

#[test]
fn a_restored_coordinator_continues_unchanged() {
    for kind in kinds() {
        let run = |restored_at: Option<u64>| {
            let mut team = team_of(kind, &[true, false, true], &[&[0, 1, 2], &[2, 0], &[1, 2]]);
            for tick in 0..400 {
                stir(&mut team, tick, false);
                team.step();
                if restored_at == Some(tick) {
                    for robot in &mut team.robots {
                        let bytes = postcard::to_stdvec(&robot.software.coordinator).expect("bytes");
                        robot.software.coordinator = postcard::from_bytes(&bytes).expect("a coordinator");
                    }
                }
            }
            story(&team)
        };
        let through = run(None);
        for restored_at in [0, 7, 50, 51, 200, 333] {
            assert_eq!(run(Some(restored_at)), through, "{kind} restored at {restored_at}");
        }
    }
}

#[test]
fn parameters_survive_being_written_and_unknown_keys_of_the_baselines_are_refused() {
    let written = serde_json::to_value(params()).expect("a value");
    assert_eq!(serde_json::from_value::<Params>(written).expect("parameters"), params());
    for kind in ["cbba", "greedy", "random"] {
        let text = format!(r#"{{"{kind}": {{"broadcast-rat": 1}}}}"#);
        assert!(serde_json::from_str::<Params>(&text).is_err(), "{kind}");
    }
}
