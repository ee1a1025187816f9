//! Runs in worlds that come from maps: the same walls for bodies, rays and radio, the same bytes again, and ways by a floor plan.

use super::{scenario, simulation};
use crewlab_lab::mapping::{map_of, write_map};
use crewlab_lab::run::{RunOptions, run};
use crewlab_lab::sim::Simulation;
use crewlab_lab::sim::radio::NodeId;
use crewlab_scenario::map::MAPS;
use crewlab_scenario::text::to_yaml;
use crewlab_scenario::{Request, Scenario, load, load_resolved};

/// Robots that drive between the middles of opposite sides of the office.
const OFFICE: [&str; 7] = [
    "world.map=office",
    "parameters.pattern=cross",
    "parameters.near=1.5 m",
    "robot-types.thymio.effectors.drive={max-speed: 1 m/s, max-turn: 2 rad/s}",
    "robot-types.thymio.sensors.range-scanner={rays: 36, range: 2 m}",
    "team.controller=pilot",
    "team.robots=[{name: robot, type: thymio, count: 8}]",
];

fn hash(scenario: &Scenario, threads: usize) -> String {
    let options = RunOptions {
        out: None,
        force: false,
        threads,
        timing: false,
        scan_logs: false,
        stop: Default::default(),
    };
    run(scenario, &options, &mut |_| {}).expect("nothing is written").result_hash
}

fn with(more: &[&'static str]) -> Vec<&'static str> {
    OFFICE.iter().chain(more).copied().collect()
}

#[test]
fn a_resolved_scenario_carries_its_map_and_gives_the_same_bytes() {
    let sets = with(&["team.floor-plan=true", "radio=wifi-indoor", "run.until=20 s"]);
    let first = scenario("traffic", 1, &sets);
    let expected = hash(&first, 1);
    assert_eq!(hash(&first, 3), expected, "whatever the threads");
    let text = Some(to_yaml(&first.resolved));
    let again = load(&Request { scenario: "again".into(), text, ..Request::default() }).expect("it can run");
    assert_eq!(hash(&again, 1), expected, "as text, without any file");
    let again = load_resolved("again", &first.resolved, 1).expect("it can run");
    assert_eq!(hash(&again, 1), expected, "as data");
}

#[test]
fn a_floor_plan_leads_around_walls() {
    let arrivals = |more: &[&'static str]| {
        let mut simulation = simulation("traffic", 1, &with(more));
        let mut log = Vec::new();
        (0..2000).for_each(|_| simulation.tick(&mut log));
        let measures = simulation.model.mission.measures();
        let place = measures.iter().position(|measure| measure.name == "arrivals").expect("it is measured");
        simulation.measures()[place].unwrap_or(0.0)
    };
    let (without, with) = (arrivals(&[]), arrivals(&["team.floor-plan=true"]));
    // Eight robots at 1 m/s could drive some 48 m long ways 33 times; the straight ones lead through walls of several rooms.
    assert!(with >= 25.0 && with > 1.5 * without, "{with} arrivals with a plan, {without} without");
}

/// The share of points, 0.1 m apart, that are in a wall in one world and free in the other.
fn difference(one: &Simulation, other: &Simulation) -> f64 {
    let plans = [one, other].map(|simulation| simulation.state.world.ground_plan(0.1));
    assert_eq!((plans[0].columns, plans[0].rows), (plans[1].columns, plans[1].rows));
    let differ = plans[0].occupied.iter().zip(&plans[1].occupied).filter(|(a, b)| a != b).count();
    differ as f64 / plans[0].occupied.len() as f64
}

#[test]
fn a_world_survives_as_a_map() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("exported");
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = format!("world.map={}", folder.join("map.yaml").display());
    for map in MAPS {
        let original = simulation("traffic", 1, &[&format!("world.map={}", map.name)]);
        let written = map_of(&original.state.world, map.resolution).expect("a map");
        write_map(&written, &folder).expect("files");
        let read = simulation("traffic", 1, &[&file]);
        assert_eq!(read.state.world.bounds, original.state.world.bounds);
        assert_eq!(difference(&original, &read), 0.0, "{}: its walls end at cells", map.name);
        assert_eq!(read.state.world.objects().len(), original.state.world.objects().len());
    }
    // Walls at any angle come back within a cell.
    let janitorial = simulation("janitorial", 1, &[]);
    write_map(&map_of(&janitorial.state.world, 0.05).expect("a map"), &folder).expect("files");
    let read = simulation("traffic", 1, &[&file]);
    assert!(difference(&janitorial, &read) < 0.03, "{}", difference(&janitorial, &read));
}

#[test]
fn everything_free_in_a_shipped_map_is_connected() {
    for map in MAPS {
        let simulation = simulation("traffic", 1, &[&format!("world.map={}", map.name)]);
        let plan = simulation.state.world.ground_plan(map.resolution);
        let mut open: Vec<bool> = plan.occupied.iter().map(|occupied| !occupied).collect();
        let mut edge = vec![open.iter().position(|open| *open).expect("free space")];
        while let Some(place) = edge.pop() {
            if std::mem::take(&mut open[place]) {
                // Every map has an outer wall, so no neighbour lies beyond the ends of a row.
                edge.extend([place - 1, place + 1, place - plan.columns, place + plan.columns]);
            }
        }
        assert!(!open.contains(&true), "{}", map.name);
    }
}

#[test]
fn walls_of_a_map_damp_radio() {
    let mut simulation = simulation("traffic", 1, &with(&["radio=wifi-indoor"]));
    simulation.tick(&mut Vec::new());
    let radio = simulation.state.radio.as_physical().expect("a physical radio");
    let robots: Vec<_> = simulation.model.robots().collect();
    let pairs = || robots.iter().flat_map(|a| robots.iter().map(move |b| (*a, *b))).filter(|(a, b)| a != b);
    let world = &simulation.state.world;
    let mut seen = [0, 0];
    for (a, b) in pairs() {
        let [from, to] = [a, b].map(|robot| world.bodies[robot].pose.position);
        let link = radio.link(NodeId(u32::from(a.0)), NodeId(u32::from(b.0)));
        let Some(link) = link else { continue };
        let clear = world.in_sight(from, to);
        assert_eq!(link.walls == 0.0, clear, "{from:?} {to:?}");
        seen[usize::from(clear)] += 1;
    }
    assert!(seen[0] > 0, "some robots stand in different rooms");
}
