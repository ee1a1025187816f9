//! A robot in reserve changes nothing before it is added. When somebody adds a robot to a run in progress, the run is repeated
//! from the start with one more robot in reserve, and must be the same.

use super::trouble::Trouble;
use super::{Setting, tick, try_all, visibility};
use crewlab_lab::sim::onboard::RobotId;
use crewlab_lab::sim::{MemberSpec, Setup, Simulation};
use crewlab_scenario::Scenario;
use crewlab_sim::onboard::EventKind;

/// When the robot is added. [s]
const COMES: f64 = 30.0;

fn start(setup: Setup, name: &str) -> Simulation {
    let (model, state) = setup.build().unwrap_or_else(|errors| panic!("{name}: {errors:?}"));
    Simulation::new(model, state, false)
}

/// A robot like the first or the last of the team, without a given place.
fn reserve(setup: &Setup, seed: u64) -> MemberSpec {
    let like = if seed.is_multiple_of(2) { setup.team.first() } else { setup.team.last() };
    let like = like.expect("a team").clone();
    MemberSpec { name: "reserve".into(), pose: None, absent: true, ..like }
}

fn check(setting: &Setting, scenario: &Scenario, seed: u64) {
    let name = format!("{}, seed {seed}", setting.name());
    let mut trouble = Trouble::new(scenario, seed);
    let mut setup = scenario.setup.clone();
    (setup.seed, setup.visibility) = (seed, visibility(seed));
    for _ in 0..6 {
        setup.disturbances.push(trouble.next(&scenario.start.0, &scenario.start.1));
    }
    let mut more = setup.clone();
    more.team.push(reserve(&setup, seed));
    let names: Vec<&str> = more.team.iter().map(|member| member.name.as_str()).collect();
    if !more.mission.check(&names).is_empty() {
        // It is for fewer robots.
        return;
    }
    let added = format!(r#"{{"at": {COMES}, "robot-added": {{"robot": "reserve"}}}}"#);
    more.disturbances.push(serde_json::from_str(&added).expect("a disturbance"));
    let count = setup.team.len();
    let (mut without, mut with) = (start(setup, &name), start(more, &name));
    while with.now().seconds() < COMES - 0.15 {
        let (expected, found) = (tick(&mut without), tick(&mut with));
        let at = format!("{name} at {:.1} s", without.now().seconds());
        assert_eq!(found.0, expected.0, "{at}: events");
        // Copies for the absent robot are lost; those for the others are unchanged.
        let others: Vec<_> = found.1.into_iter().filter(|fate| fate.receiver.index() != count).collect();
        assert_eq!(others, expected.1, "{at}: messages");
        let (world, same) = (&with.state.world, &without.state.world);
        assert_eq!(world.bodies[..count], same.bodies[..], "{at}");
        assert_eq!((&world.items, &world.areas), (&same.items, &same.areas), "{at}");
        assert_eq!(world.objects(), same.objects(), "{at}");
        assert_eq!(with.state.verdict, without.state.verdict, "{at}");
        for (robot, same) in with.state.robots.iter().zip(&without.state.robots) {
            assert_eq!(robot.percept, same.percept, "{at}");
            assert_eq!(robot.software.active, same.software.active, "{at}");
        }
        assert!(!world.bodies[count].present, "{at}");
    }
    // Then it is added, and it takes part.
    let (log, _) = (tick(&mut with), tick(&mut with));
    let told = log
        .0
        .iter()
        .any(|l| l.robot == Some(RobotId::from_index(count)) && l.event.kind == EventKind::Disturbance);
    assert!(told && with.state.world.bodies[count].present, "{name}: it comes");
}

#[test]
fn a_robot_in_reserve_changes_nothing_before_it_is_added() {
    try_all(check);
}
