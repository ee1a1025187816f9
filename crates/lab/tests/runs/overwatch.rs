//! Bounding overwatch: the teams are even, take turns, and continue whoever is lost.

use super::{completed, experiment, finished, simulation};
use crewlab_lab::sim::onboard::{RobotId, Stream, StreamKind};
use crewlab_lab::sim::skills::AnySkills;
use crewlab_lab::sim::skills::bounding_overwatch::{Group, Knowledge};
use crewlab_lab::sim::world::Object;
use crewlab_lab::sim::{Logged, Simulation};
use crewlab_sim::onboard::EventKind;

const PLAIN: &str = "bounding-overwatch";
const LEADER_FAILS: &str = "bounding-overwatch-leader-fails";
const R3: RobotId = RobotId(2);
const R4: RobotId = RobotId(3);

/// What a robot knows.
fn known(run: &Simulation, robot: RobotId) -> &Knowledge {
    match &run.state.robots[robot].software.performer {
        AnySkills::BoundingOverwatch(skills) => &skills.known,
        _ => panic!("another mission"),
    }
}

fn robots(run: &Simulation) -> impl Iterator<Item = RobotId> {
    run.model.robots()
}

/// Number of robots in a team by their own account, without lost ones.
fn members(run: &Simulation, group: Group) -> Vec<RobotId> {
    let in_group = |robot: &RobotId| known(run, *robot).group == Some(group);
    robots(run).filter(in_group).filter(|robot| !run.state.world.bodies[*robot].down()).collect()
}

fn leaders(run: &Simulation) -> Vec<RobotId> {
    let leads = |robot: &RobotId| run.state.robots[*robot].software.skills().leads();
    robots(run).filter(leads).filter(|robot| !run.state.world.bodies[*robot].down()).collect()
}

/// Runs until something is true or the run ends.
fn run_until(run: &mut Simulation, log: &mut Vec<Logged>, mut stop: impl FnMut(&Simulation) -> bool) {
    while !run.finished() && !stop(run) {
        run.tick(log);
    }
}

/// Continues for some time, even if the mission is completed. [s]
fn run_on(run: &mut Simulation, seconds: f64) {
    let end = run.now().seconds() + seconds;
    while run.now().seconds() < end {
        run.tick(&mut Vec::new());
    }
}

/// A run in which the robot chosen by `pick` is halted permanently at a random time.
fn with_one_lost(
    seed: u64,
    sets: &[&str],
    pick: impl Fn(&Simulation, usize) -> Option<RobotId>,
) -> Simulation {
    let mut run = simulation(PLAIN, seed, sets);
    // Undisturbed runs take about three minutes.
    let mut random = Stream::new(seed, StreamKind::World, 99, 0);
    let (moment, which) = (random.between(0.0, 170.0), random.below(1000));
    let mut victim = None;
    run_until(&mut run, &mut Vec::new(), |run| {
        victim = pick(run, which).filter(|_| run.now().seconds() >= moment);
        victim.is_some()
    });
    if let Some(victim) = victim {
        run.state.world.bodies[victim].halted = true;
    }
    run_until(&mut run, &mut Vec::new(), |_| false);
    run
}

fn some_leader(run: &Simulation, which: usize) -> Option<RobotId> {
    let leaders = leaders(run);
    leaders.get(which % leaders.len().max(1)).copied()
}

fn some_follower(run: &Simulation, which: usize) -> Option<RobotId> {
    let leaders = leaders(run);
    let robot = RobotId::from_index(which % run.state.robots.len());
    (!leaders.is_empty() && !leaders.contains(&robot)).then_some(robot)
}

/// Runs until everybody has joined a team, and checks that both have two robots of each type.
fn assert_even(what: &str, seed: u64, sets: &[&str]) {
    let mut run = simulation(PLAIN, seed, sets);
    run_until(&mut run, &mut Vec::new(), |run| robots(run).all(|robot| known(run, robot).joined));
    for group in Group::BOTH {
        let team = members(&run, group);
        let scouts = team.iter().filter(|robot| run.model.team[**robot].identity.robot_type == "scout");
        assert_eq!((scouts.count(), team.len()), (2, 4), "{what}, seed {seed}, {group:?}");
    }
}

#[test]
fn teams_are_even() {
    for seed in 1..=10 {
        assert_even("random waits", seed, &[]);
        assert_even("lost messages", seed, &["radio.loss=0.3"]);
    }
}

/// All choose in the same tick, and all are nearer to the same gathering point.
#[test]
fn teams_are_even_even_if_all_choose_at_once() {
    let robot = |i: usize| {
        let (kind, x, y) = (["scout", "guard"][i % 2], 1.0 + (i / 4) as f64, 1.0 + (i % 4) as f64);
        format!("{{name: r{}, type: {kind}, at: [{x} m, {y} m]}}", i + 1)
    };
    let team = format!("team.robots=[{}]", (0..8).map(robot).collect::<Vec<_>>().join(", "));
    for seed in 1..=5 {
        assert_even("all at once", seed, &["parameters.longest-wait=0", &team]);
    }
}

#[test]
fn the_first_at_the_gathering_point_leads() {
    for seed in 1..=10 {
        let mut run = simulation(PLAIN, seed, &[]);
        let mut log = Vec::new();
        run_until(&mut run, &mut log, |run| leaders(run).len() == 2);
        let joined: Vec<(RobotId, f64)> = log
            .iter()
            .filter(|l| l.event.kind == EventKind::JoinedGroup)
            .filter_map(|l| Some((l.robot?, l.time.seconds())))
            .collect();
        for leader in leaders(&run) {
            let mates =
                joined.iter().filter(|(robot, _)| known(&run, *robot).group == known(&run, leader).group);
            let first = mates.map(|(_, time)| *time).fold(f64::INFINITY, f64::min);
            let mine = joined.iter().find(|(robot, _)| *robot == leader).expect("it has joined").1;
            // A better leader may overtake one that arrived at nearly the same time: motivations need up to 1.2 s.
            assert!(mine - first < 1.2, "seed {seed}: {leader} came {} s after the first", mine - first);
        }
    }
}

/// One team bounds at a time, the even bounds are the first team's and the odd ones the second's.
#[test]
fn teams_take_turns() {
    for seed in 1..=3 {
        let mut run = simulation(PLAIN, seed, &[]);
        let mut log = Vec::new();
        while !run.finished() {
            run.tick(&mut log);
            let under_way: Vec<RobotId> =
                robots(&run).filter(|robot| known(&run, *robot).under_way).collect();
            assert!(under_way.len() <= 1, "seed {seed} at {} s: {under_way:?}", run.now().seconds());
        }
        assert!(run.state.verdict.completed, "seed {seed}");
        let bounds = log.iter().filter(|l| l.event.kind == EventKind::BoundCompleted);
        let groups: Vec<Option<Group>> =
            bounds.filter_map(|l| l.robot).map(|robot| known(&run, robot).group).collect();
        let expected: Vec<Option<Group>> = (0..8).map(|bound| Some(Group::BOTH[bound % 2])).collect();
        // The run ends when everybody is at the destination, which may be just before the last bound counts as done.
        assert!(groups == expected || groups == expected[..7], "seed {seed}: {groups:?}");
    }
}

/// Whole runs over a hundred seeds, without losses and with a leader lost at any time.
#[test]
fn a_hundred_seeds_get_there_with_and_without_a_leader_lost() {
    for name in [PLAIN, "bounding-overwatch-leader-lost"] {
        let (count, failed) = completed(name, 100, &[]);
        assert!(count >= 95, "{name}: {count} of 100, not seeds {failed:?}");
    }
}

#[test]
fn a_follower_lost_at_any_moment_is_left_behind() {
    for seed in 1..=4 {
        let run = with_one_lost(seed, &[], some_follower);
        assert!(run.state.verdict.completed, "seed {seed}: {:?}", run.state.verdict);
    }
}

/// The mission continues while there is one robot left.
#[test]
fn the_last_robot_goes_on_alone() {
    let mut run = simulation(PLAIN, 1, &[]);
    run_until(&mut run, &mut Vec::new(), |run| known(run, RobotId(0)).done == 3);
    run.state.world.bodies[1..].iter_mut().for_each(|body| body.halted = true);
    run_until(&mut run, &mut Vec::new(), |_| false);
    assert!(run.state.verdict.completed, "{:?}", run.state.verdict);
}

/// Figure 12: r4 leads and fails, and r3 emerges; nobody else tried before.
#[test]
fn r3_emerges_when_r4_fails() {
    for seed in 1..=5 {
        let mut run = simulation(&experiment("alliance/figure-12.yaml"), seed, &[]);
        run_on(&mut run, 59.0);
        assert!(leaders(&run).contains(&R4), "seed {seed}: {:?}", leaders(&run));
        assert_eq!(known(&run, R3).group, known(&run, R4).group);
        let mut log = Vec::new();
        run_until(&mut run, &mut log, |_| false);
        assert!(run.state.verdict.completed && run.state.world.bodies[R4].halted, "seed {seed}");
        let emerged = log.iter().filter(|l| {
            l.event.kind == EventKind::Activated
                && l.event.task.is_some_and(|t| run.model.task_name(t) == "emerge-leader")
        });
        let emerged: Vec<Option<RobotId>> = emerged.map(|l| l.robot).collect();
        assert_eq!(emerged, [Some(R3)], "seed {seed}");
        let silent = log.iter().filter(|l| l.robot == Some(R4));
        assert!(silent.count() == 1, "seed {seed}: r4 reports more than its failure");
    }
    // Who takes over is the rates' doing: if r3 is the most patient of its team, r2 emerges.
    let patient = "team.alliance.robots.r3.behaviours.emerge-leader={fast-impatience: 30 /s}";
    assert_eq!(emerged_last(&[patient]), (true, Some(RobotId(1))));
    // That anybody takes over is due to r4's silence: if nobody minds it, the team waits for r4 for ever.
    assert_eq!(emerged_last(&["parameters.silence=1 h", "run.until=6 min"]), (false, Some(R4)));
}

/// Whether figure 12 is completed, and who was the last to lead the team that r4 begins to lead.
fn emerged_last(sets: &[&str]) -> (bool, Option<RobotId>) {
    let (run, log) = finished(&experiment("alliance/figure-12.yaml"), 1, sets);
    let emerged = log.iter().filter(|l| {
        l.event.kind == EventKind::Activated
            && l.event.task.is_some_and(|t| run.model.task_name(t) == "emerge-leader")
    });
    let team = known(&run, R4).group;
    let last = emerged.filter_map(|l| l.robot).rfind(|robot| known(&run, *robot).group == team);
    (run.state.verdict.completed, last)
}

/// What the paper says about figures 10 and 11, or what of it is not so in a run.
fn figure_10(sets: &[&str]) -> Result<(), String> {
    let (run, log) = finished(&experiment("alliance/figure-10-11.yaml"), 1, sets);
    let require = |holds: bool, what: &str| if holds { Ok(()) } else { Err(what.to_string()) };
    require(run.state.verdict.completed, "the mission must be completed")?;
    let begun = |task: &str| -> Vec<(f64, usize)> {
        let of = |l: &&Logged| l.event.task.is_some_and(|t| run.model.task_name(t) == task);
        let started = log.iter().filter(|l| l.event.kind == EventKind::Activated).filter(of);
        started.filter_map(|l| Some((l.time.seconds(), usize::from(l.robot?.0)))).collect()
    };
    let group = |robot: usize| known(&run, RobotId::from_index(robot)).group;
    let first = |events: &[(f64, usize)], team: Group| {
        events
            .iter()
            .find(|(_, robot)| group(*robot) == Some(team))
            .copied()
            .ok_or(format!("{team:?} must begin"))
    };
    let [joins, emerges, leads, follows, watches] =
        ["join-group", "emerge-leader", "lead-to-waypoint", "follow-leader", "overwatch"].map(begun);
    require(joins.len() == 8, "everybody must join, once")?;
    require(emerges.len() == 2, "each team must get one leader")?;
    let joined = log.iter().filter(|l| l.event.kind == EventKind::JoinedGroup);
    let joined: Vec<(f64, usize)> =
        joined.filter_map(|l| Some((l.time.seconds(), usize::from(l.robot?.0)))).collect();
    for team in Group::BOTH {
        let (leader, lead) = (first(&emerges, team)?, first(&leads, team)?);
        require(first(&joined, team)?.1 == leader.1, "the first at the gathering point must emerge")?;
        require(leader.1 == lead.1 && leader.0 < lead.0, "who emerges must lead")?;
        let led = leads.iter().filter(|(_, robot)| group(*robot) == Some(team));
        require(led.clone().all(|(_, robot)| *robot == leader.1), "nobody else must lead")?;
        require(led.count() >= 3, "a team must bound again and again")?;
    }
    // The first team bounds, its members follow and the second team watches; then the other way round.
    let (one, two) = (first(&leads, Group::First)?, first(&leads, Group::Second)?);
    let (follow, watch) = (first(&follows, Group::First)?, first(&watches, Group::Second)?);
    require(one.0 < follow.0 && one.0 < watch.0, "the first team's leader must initiate the bounding")?;
    require(follow.0 < two.0 && watch.0 < two.0, "the second team must watch before it bounds")?;
    require(first(&watches, Group::First)?.0 > one.0, "the first team must bound before it watches")?;
    let turns: Vec<Option<Group>> = leads.iter().map(|(_, robot)| group(*robot)).collect();
    require(turns.windows(2).all(|pair| pair[0] != pair[1]), "the teams must take turns")
}

/// Figures 10 and 11: eight robots of two types divide themselves evenly, the teams take turns, and the first team begins.
#[test]
fn a_typical_run_is_as_in_figure_10() {
    assert_eq!(figure_10(&[]), Ok(()));
    // The order of tasks makes it so: else the second team watches before anybody bounds. (What comes after emerge-leader is also a
    // condition of the behaviour sets themselves.)
    let early = figure_10(&["tasks.overwatch.while=[]"]);
    assert_eq!(early, Err("the first team's leader must initiate the bounding".into()));
    // Robots that are so patient that everybody is there before anybody wants to lead do not leave it to the first.
    let rates: Vec<String> = (1..=8)
        .map(|n| format!("r{n}: {{behaviours: {{emerge-leader: {{fast-impatience: {} /s}}}}}}", 9 - n))
        .collect();
    let patient = figure_10(&[&format!("team.alliance.robots={{{}}}", rates.join(", "))]);
    assert_eq!(patient, Err("the first at the gathering point must emerge".into()));
    // A team whose members may not follow before they have watched stays where it is.
    assert!(figure_10(&["tasks.follow-leader.after=[overwatch]", "run.until=5 min"]).is_err());
}

const BLOCKED: &str = "bounding-overwatch-blocked-waypoints";

/// Boulders lie on planned waypoints. Without scouts leaders do not get there and resign; with them both teams stop elsewhere.
#[test]
fn scouts_find_other_waypoints() {
    let count = |log: &[Logged], kind| log.iter().filter(|l| l.event.kind == kind).count();
    let (run, log) = finished(BLOCKED, 1, &[]);
    assert!(run.state.verdict.completed && count(&log, EventKind::FoundLocations) >= 6);
    assert_eq!(count(&log, EventKind::Resigned), 0);
    let (without, log) = finished(BLOCKED, 1, &["parameters.roles=[]"]);
    assert_eq!(count(&log, EventKind::FoundLocations), 0);
    assert!(count(&log, EventKind::Resigned) > 0 && without.now().seconds() > 1.3 * run.now().seconds());
}

/// A scout never tells its team to stop where something stands.
#[test]
fn scouts_tell_only_what_they_have_seen() {
    for seed in 1..=8 {
        let (run, log) = finished(BLOCKED, seed, &[]);
        let found = log.iter().filter(|l| l.event.kind == EventKind::FoundLocations);
        for place in found.filter_map(|l| l.event.place) {
            let clear = |object: &Object| !object.outline.contains(place);
            assert!(run.state.world.objects().iter().all(clear), "seed {seed}: {place:?}");
        }
    }
}

/// With every coordinator both teams get past the boulders.
#[test]
fn teams_with_scouts_get_there_whoever_assigns_them() {
    for coordinator in ["alliance", "muroco", "cbba", "greedy"] {
        let set = format!("team.coordinator={coordinator}");
        let (count, failed) = completed(BLOCKED, 20, &[&set]);
        assert!(count >= 19, "{coordinator}: {count} of 20, not seeds {failed:?}");
    }
}

/// A leader that is alone looks at its waypoints itself.
#[test]
fn a_leader_without_a_team_scouts_itself() {
    let two = "team.robots=[{name: a, type: scout}, {name: b, type: guard}]";
    let (count, failed) = completed(BLOCKED, 5, &[two]);
    assert_eq!(count, 5, "not seeds {failed:?}");
}

/// Formation and destination are as large as the team needs.
#[test]
fn large_teams_get_there_too() {
    for (scouts, guards) in [(8, 7), (10, 10)] {
        let team = format!(
            "team.robots=[{{name: a, type: scout, count: {scouts}}}, {{name: b, type: guard, count: {guards}}}]"
        );
        let (count, failed) = completed(PLAIN, 2, &[&team]);
        assert_eq!(count, 2, "{scouts} + {guards} robots: not seeds {failed:?}");
    }
}

/// A follower that is walled in and alive is left behind, and the mission ends without it.
#[test]
fn a_walled_in_robot_does_not_keep_the_others_from_ending() {
    for (seed, robot) in [(1, "r1"), (2, "r6")] {
        let trap = format!("disturbances=[{{at: 70 s, trap: {robot}}}]");
        let (run, _) = finished(PLAIN, seed, &[&trap]);
        assert!(run.state.verdict.completed, "seed {seed}: {:?}", run.state.verdict);
        let measures = run.measures();
        assert_eq!((measures[0], measures[3]), (Some(7.0), Some(1.0)), "seven arrived, one is walled in");
    }
}

/// A leader that cannot move leaves the lead to others, and they continue without it.
#[test]
fn a_leader_that_is_stuck_resigns() {
    let sets = ["disturbances=[{at: 60 s, trap: r4}]", "run.until=8 min"];
    let (run, log) = finished(LEADER_FAILS, 1, &sets);
    let resigned = log.iter().find(|l| l.event.kind == EventKind::Resigned).and_then(|l| l.robot);
    assert_eq!(resigned, Some(R4));
    assert!(leaders(&run).contains(&R3));
    let finish = known(&run, R3).briefing.route.finish();
    let there = |robot: &RobotId| run.state.world.bodies[*robot].pose.position.x >= finish;
    assert_eq!(robots(&run).filter(there).count(), 7, "all but the trapped one");
}

/// A robot that reboots in the middle of the mission joins a team and reaches the destination with it. So does one that stood
/// still for a while, and the team has one leader afterwards.
#[test]
fn a_robot_that_was_away_joins_again() {
    for seed in 1..=3 {
        for reboots in [true, false] {
            let mut run = simulation(PLAIN, seed, &[]);
            let fresh: Vec<_> = run.state.robots.iter().map(|robot| robot.software.clone()).collect();
            run_until(&mut run, &mut Vec::new(), |run| known(run, RobotId(0)).done == 3);
            let victim = some_leader(&run, seed as usize).expect("teams have leaders by now");
            run.state.world.bodies[victim].halted = true;
            run_on(&mut run, 20.0);
            run.state.world.bodies[victim].halted = false;
            if reboots {
                run.state.robots[victim].software = fresh[victim].clone();
            }
            run_until(&mut run, &mut Vec::new(), |_| false);
            assert!(run.state.verdict.completed, "seed {seed}, reboots: {reboots}");
            assert!(known(&run, victim).group.is_some() && known(&run, victim).done >= 7);
            assert_eq!(leaders(&run).len(), 2, "seed {seed}, reboots: {reboots}");
        }
    }
}

#[test]
fn when_it_is_over_everybody_rests() {
    for seed in 1..=3 {
        let (mut run, _) = finished(PLAIN, seed, &[]);
        run_on(&mut run, 30.0);
        let places: Vec<_> = run.state.world.bodies.iter().map(|body| body.pose).collect();
        run_on(&mut run, 5.0);
        for (robot, place) in places.iter().enumerate() {
            assert_eq!(run.state.robots[robot].software.active, None, "seed {seed}, robot {robot}");
            assert_eq!(run.state.world.bodies[robot].pose, *place, "seed {seed}, robot {robot}");
        }
        assert!(run.state.verdict.completed && known(&run, RobotId(0)).done == 8);
    }
}

/// A team with bad or dead radios still reaches the destination, less coherently. So do the baselines.
#[test]
fn a_bad_radio_and_other_coordinators_get_there_too() {
    for set in [
        "radio.loss=0.5",
        "radio.loss=1",
        "radio.delay=2 s",
        "team.visibility=same-tick",
        "team.coordinator=greedy",
        "team.coordinator=random",
    ] {
        let (run, _) = finished(PLAIN, 2, &[set]);
        assert!(run.state.verdict.completed, "{set}: {:?}", run.state.verdict);
    }
}

#[test]
fn other_rooms_and_teams_get_there_too() {
    let three = "team.robots=[{name: a, type: scout}, {name: b, type: guard}, {name: c, type: scout}]";
    let many = "team.robots=[{name: a, type: scout, count: 10}, {name: b, type: guard, count: 4}]";
    for sets in [
        ["world.size=[60 m, 12 m]", "parameters.bounds=6"],
        ["world.size=[12 m, 6 m]", "world.objects=[]"],
        ["world.origin=[-20 m, 5 m]", "world.objects=[]"],
        [three, "parameters.bounds=1"],
        [many, "parameters.bounds=2"],
    ] {
        let (run, _) = finished(PLAIN, 3, &sets);
        assert!(run.state.verdict.completed, "{sets:?}: {:?}", run.state.verdict);
    }
}

/// A team whose only robot is walled in does not keep the other one from going on.
#[test]
fn a_team_that_gets_nowhere_is_passed_over() {
    let sets = [
        "team.robots=[{name: a, type: scout}, {name: b, type: guard}]",
        "disturbances=[{at: 26 s, trap: a}]",
        "run.until=20 min",
    ];
    for coordinator in ["alliance", "muroco", "greedy"] {
        let coordinator = format!("team.coordinator={coordinator}");
        let (run, _) = finished(PLAIN, 1, &[&sets[..], &[&coordinator]].concat());
        assert!(run.state.verdict.completed, "{coordinator}: {:?}", run.state.verdict);
        assert_eq!(run.measures()[3], Some(1.0), "one robot is left behind");
    }
}
