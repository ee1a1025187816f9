//! `crewlab bench navigation`: a world from a map, how long it takes to load and what its walls cost in every tick.

use super::navigation::{NavigationRow, Stopwatch};
use crewlab_navigation::routes::{Cell, CellGrid};
use crewlab_scenario::{Problems, Request, Scenario, load};
use crewlab_sim::world::World;
use crewlab_sim::{Setup, Simulation};

/// Robots in the world.
const ROBOTS: usize = 100;
/// Ticks per round.
const TICKS: usize = 100;
/// The time that loading may take. [ms]
const LOADING: f64 = 1000.0;
/// A tick among walls may take this many times as long as one in the open.
const SLOWER: f64 = 1.1;

/// A scenario in which robots with range scanners drive to and fro among the walls of a map.
fn text(grid: &CellGrid, radio: &str) -> String {
    let letter = |cell: &Cell| if *cell == Cell::Free { '.' } else { '@' };
    let row = |cells: &[Cell]| format!("\n      - \"{}\"", cells.iter().map(letter).collect::<String>());
    let rows: String = grid.cells().chunks(grid.columns().max(1)).rev().map(row).collect();
    format!(
        "mission: traffic
world:
  map:
    resolution: {} m
    rows:{rows}
robot-types:
  thymio:
    sensors: {{range-scanner: {{rays: 36, range: 1.5 m}}}}
team:
  controller: pilot
  robots: [{{name: robot, type: thymio, count: {ROBOTS}}}]
radio: {radio}
",
        grid.resolution()
    )
}

/// The time of one tick with the robots of a set-up, in ticks that begin at its start.
fn ticks(setup: &Setup, rounds: usize) -> Stopwatch {
    let mut watch = Stopwatch::default();
    let Ok((model, state)) = setup.clone().build() else { return watch };
    for _ in 0..rounds {
        let mut simulation = Simulation::new(model.clone(), state.clone(), false);
        let mut log = Vec::new();
        watch.time(|| (0..TICKS).for_each(|_| simulation.tick(&mut log)));
    }
    watch.share(TICKS)
}

/// The same robots at the same places without walls.
fn opened(scenario: &Scenario) -> Setup {
    let mut setup = scenario.setup.clone();
    setup.world = World::new(setup.world.bounds);
    let bodies = &scenario.start.1.world.bodies;
    setup.team.iter_mut().zip(bodies).for_each(|(robot, body)| robot.pose = Some(body.pose));
    setup
}

/// Measures a world with the walls of a map.
pub fn measure(grid: &CellGrid, rounds: usize) -> Result<Vec<NavigationRow>, Problems> {
    let cells = grid.cells().len();
    let mut rows = Vec::new();
    for (radio, names) in [
        ("ideal", ["tick in the open", "tick among the walls of the map"]),
        ("wifi-indoor", ["the same with a physical radio, open", "the same, among walls"]),
    ] {
        let request =
            Request { scenario: "bench".into(), text: Some(text(grid, radio)), ..Request::default() };
        let mut loading = Stopwatch::default();
        let scenario = loading.time(|| load(&request))?;
        if rows.is_empty() {
            for _ in 1..rounds.min(3) {
                loading.time(|| load(&request))?;
            }
            rows.push(loading.row("world from a map, loaded", [cells, 0, 1], Some(LOADING)));
        }
        let open = ticks(&opened(&scenario), rounds).row(names[0], [cells, 0, ROBOTS], None);
        let target = Some(SLOWER * open.ms);
        rows.push(open);
        rows.push(ticks(&scenario.setup, rounds).row(names[1], [cells, 0, ROBOTS], target));
    }
    Ok(rows)
}
