//! Controllers: the scenario chooses what steers the robots, in any mission.

use super::{finished, scenario};
use crewlab_lab::sim::onboard::{Performer, Vec2};
use crewlab_lab::sim::{control, missions};
use crewlab_scenario::{Request, load};

/// Where the robots are when the mission is completed, and how far each has driven. [m]
fn drives(name: &str, sets: &[&str]) -> Vec<(Vec2, f64)> {
    let (run, _) = finished(name, 1, sets);
    assert!(run.state.verdict.completed, "{name} is not completed with {sets:?}");
    run.state.world.bodies.iter().map(|body| (body.pose.position, body.travelled)).collect()
}

#[test]
fn every_mission_is_completed_with_every_controller() {
    for mission in missions::KINDS.iter().filter(|mission| mission.controlled && !mission.endless) {
        let name = mission.shipped[0].name;
        let with = |kind: &control::Kind| drives(name, &[&format!("team.controller={}", kind.name)]);
        let all: Vec<Vec<(Vec2, f64)>> = control::KINDS.iter().map(with).collect();
        for (place, one) in all.iter().enumerate() {
            assert!(!all[..place].contains(one), "two controllers do the same in {name}");
        }
        assert!(all.contains(&drives(name, &[])), "the default of {name} is one of them");
    }
}

#[test]
fn a_robot_type_can_have_its_own_controller_and_parameters_count() {
    let sets = [
        "robot-types.cleaner.controller=free-direction",
        "team.controllers.free-direction.margin=0.1 m",
        "team.controllers.pilot.margin=0.2 m",
    ];
    let margin = |sets: &[&str]| {
        let state = scenario("waste-cleanup", 1, sets).start.1;
        state.robots[0].software.performer.controller().expect("a controller").margin()
    };
    assert_eq!(margin(&[]), 0.06);
    assert_eq!(margin(&sets[2..]), 0.2);
    assert_eq!(margin(&sets), 0.1);
}

#[test]
fn the_resolved_scenario_has_the_controllers_and_their_parameters() {
    let team = &scenario("waste-cleanup", 1, &[]).resolved["team"];
    assert_eq!(team["controller"], "pilot");
    assert_eq!(team["controllers"], serde_json::json!({"pilot": {"margin": 0.06, "look-ahead": 0.35}}));
    let team = &scenario("janitorial", 1, &["team.controllers.free-direction.margin=5 cm"]).resolved["team"];
    assert_eq!(team["controller"], "free-direction");
    assert_eq!(team["controllers"]["free-direction"]["margin"], 0.05);
    assert!(team["controllers"].get("pilot").is_none(), "nobody uses it");
    assert!(scenario("diffusion", 1, &[]).resolved["team"].get("controller").is_none());
}

#[test]
fn a_mission_without_controllers_refuses_one() {
    for set in ["team.controller=pilot", "robot-types.wanderer.controller=pilot"] {
        let request = Request { scenario: "diffusion".into(), sets: vec![set.into()], ..Request::default() };
        let Err(problems) = load(&request) else { panic!("{set} is accepted") };
        let problems = problems.to_string();
        assert!(
            problems.contains("robots of the mission `diffusion` drive without a controller"),
            "{problems}"
        );
    }
}
