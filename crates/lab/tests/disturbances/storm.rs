//! Any number of random disturbances: nothing panics and no invariant breaks.

use crewlab_lab::sim::disturbances::about::Need;
use crewlab_lab::sim::disturbances::{DisturbanceKind, DisturbanceSpec, KINDS};
use crewlab_lab::sim::onboard::{Coordinator, GaugeState, RobotId, Stream, StreamKind};
use crewlab_lab::sim::radio::Radio;
use crewlab_lab::sim::world::World;
use crewlab_lab::sim::{Logged, Model, ResultHash, Simulation, State, teams};
use crewlab_scenario::{Request, Scenario, load};
use crewlab_sim::onboard::EventKind;
use rayon::prelude::*;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// Size of the room. [m]
const ROOM: [f64; 2] = [7.0, 6.0];
/// When the last disturbance may start, and when the run ends. [s]
const LAST: f64 = 60.0;
const END: f64 = 75.0;
const DISTURBANCES: usize = 200;

const ROBOTS: [&str; 4] = ["blue", "gold", "green", "red"];
const OBJECTS: [&str; 4] = ["crate", "door", "can 1", "jammer"];
const RADIOS: [&str; 2] = ["ideal", "wifi-indoor"];
const AREAS: [&str; 5] = ["top spill", "bottom spill", "deposit", "report site", "puddle"];
const TASKS: [&str; 4] = ["find-locations", "move-spill-top", "move-spill-bottom", "report-progress"];
const SENSORS: [&str; 6] =
    ["range-scanner", "border", "item-detector", "area-detector", "position", "compass"];

/// The scenario without a storm.
fn calm(coordinator: &str, radio: &str) -> Scenario {
    let sets = [
        &format!("team.coordinator={coordinator}"),
        &format!("radio={radio}"),
        "world.size=[7 m, 6 m]",
        "world.items.waste=4",
        "world.objects=[{name: crate, circle: 0.2 m, at: [5 m, 5 m]}, \
         {name: door, rectangle: [0.1 m, 0.8 m], at: [3.5 m, 3 m]}, {name: can 1, circle: 0.1 m, at: [6 m, 1 m], stocks: {garbage: 3}}, \
         {name: jammer, circle: 0.05 m, at: [1 m, 3 m], penetrability: 1, jammer: {on: false}}, \
         {name: cart, circle: 0.15 m, at: [5 m, 1 m], path: {points: [[5 m, 4 m], [5 m, 1 m]], speed: 0.4 m/s, repeat: true}}]",
        "robot-types.cleaner.aspects={energy: {value: 1000}}",
        "team.robots=[{name: blue, type: cleaner, side-range: true}, {name: gold, type: cleaner}, \
         {name: green, type: cleaner}, {name: red, type: cleaner, absent: true}]",
        // Added in every storm, so that other disturbances may refer to it.
        "disturbances=[{at: 1 s, area-added: {name: puddle, kind: spill, place: [3 m, 3 m], radius: 0.5 m}}]",
    ];
    let sets = sets.iter().map(|set| set.to_string()).collect();
    load(&Request { scenario: "waste-cleanup".into(), sets, ..Request::default() })
        .unwrap_or_else(|problems| panic!("{problems}"))
}

/// Random disturbances with parameters of all kinds, as a scenario has them.
struct Weather(Stream);

impl Weather {
    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.0.below(list.len())]
    }

    fn number(&mut self, low: f64, high: f64) -> f64 {
        self.0.between(low, high)
    }

    fn place(&mut self) -> Value {
        json!([self.number(0.3, ROOM[0] - 0.3), self.number(0.3, ROOM[1] - 0.3)])
    }

    fn target(&mut self) -> Value {
        match self.0.below(8) {
            0 => json!("all"),
            1 | 2 => json!("random"),
            3 => json!({"doing": self.pick(&TASKS)}),
            _ => json!(self.pick(&ROBOTS)),
        }
    }

    /// Keys that are randomly given or left out.
    fn some(&mut self, keys: &[(&str, Value)]) -> Map<String, Value> {
        keys.iter()
            .filter(|_| self.0.chance(0.5))
            .map(|(key, value)| (key.to_string(), value.clone()))
            .collect()
    }

    fn with(mut map: Map<String, Value>, keys: &[(&str, Value)]) -> Value {
        map.extend(keys.iter().map(|(key, value)| (key.to_string(), value.clone())));
        Value::Object(map)
    }

    /// Random destination of items.
    fn disc(&mut self) -> Map<String, Value> {
        let disc = if self.0.chance(0.5) {
            json!({"area": self.pick(&AREAS)})
        } else {
            json!({"place": self.place(), "radius": self.number(0.0, 2.0)})
        };
        disc.as_object().cloned().unwrap_or_default()
    }

    fn timing(&mut self) -> Map<String, Value> {
        let (start, later) = (self.number(0.0, LAST), self.number(0.0, 10.0));
        let condition = match self.0.below(5) {
            0 => format!("time > {start:.3}"),
            1 => format!("robots.{}.holding && time > {start:.3}", self.pick(&ROBOTS)),
            2 => format!("!robots.{}.alive", self.pick(&ROBOTS)),
            3 => format!("robots['{}'].task == '{}'", self.pick(&ROBOTS), self.pick(&TASKS)),
            _ => format!(
                "robots.{}.x - robots.{}.x > 1 || progress > 0.2",
                self.pick(&ROBOTS),
                self.pick(&ROBOTS)
            ),
        };
        let times = 1 + self.0.below(3);
        let mut timing = match self.0.below(8) {
            0 => json!({"between": [start, start + later]}),
            1 => json!({"every": self.number(0.05, 20.0), "from": start, "until": LAST, "times": times}),
            2 => json!({"when": condition, "times": times}),
            3 => json!({"rate": self.number(0.01, 0.2), "from": start, "until": LAST}),
            4 => json!({"call": self.pick(&["wind", "rain"]), "times": times}),
            _ => json!({"at": start}),
        };
        // Most end within the run, some at once, some never.
        match self.0.below(8) {
            0 => {}
            1 => timing["for"] = json!(0.0),
            _ => timing["for"] = json!(self.number(0.05, 15.0)),
        }
        timing.as_object().cloned().unwrap_or_default()
    }

    fn what(&mut self, kind: &str) -> Value {
        let (robot, place, share) = (self.target(), self.place(), self.0.unit());
        let (object, area, task) = (self.pick(&OBJECTS), self.pick(&AREAS), self.pick(&TASKS));
        let heading = self.number(-3.0, 3.0);
        let count = 1 + self.0.below(4);
        match kind {
            "sensor" => {
                let fault = self.pick(&["dead", "stuck", "biased", "noisier", "drops-out"]);
                let sensor = json!(self.pick(&SENSORS));
                let some = self.some(&[("sensor", sensor), ("severity", json!(share))]);
                Weather::with(some, &[("robot", robot), ("fault", json!(fault))])
            }
            "drive" => {
                let fault = self.pick(&["dead", "slower", "pulls", "stuck"]);
                let severity = if fault == "pulls" { 2.0 * share - 1.0 } else { share };
                json!({"robot": robot, "fault": fault, "severity": severity})
            }
            "effector" => json!({"robot": robot, "effector": self.pick(&["gripper", "report"])}),
            "battery" => json!({"robot": robot, "drain": 0.05 * share}),
            "radio" => {
                let fault = self.pick(&["dead", "deaf", "mute", "lossy"]);
                json!({"robot": robot, "fault": fault, "severity": share})
            }
            "jammer" => {
                let power = json!(self.number(-60.0, 80.0));
                let some = self.some(&[("at", place), ("power", power), ("on", json!(share < 0.5))]);
                Weather::with(some, &[("object", json!("jammer"))])
            }
            "link-cut" => {
                let mut other = self.target();
                while other == robot && other != "random" && other != "all" {
                    other = self.target();
                }
                json!({"between": [robot, other]})
            }
            "partition" => {
                let group: Vec<&str> = (0..count).map(|_| self.pick(&ROBOTS)).collect();
                if share < 0.3 { json!({"share": share}) } else { json!({"group": group}) }
            }
            "noise" => json!({"rise": 60.0 * share}),
            "bandwidth" => json!({"share": 0.01 + 0.99 * share}),
            "clock" => {
                let (offset, drift) = (self.number(-100.0, 100.0), self.number(-1.0, 3.0));
                let some = self.some(&[("offset", json!(offset)), ("drift", json!(drift))]);
                Weather::with(some, &[("robot", robot)])
            }
            "stop" | "emergency-stop" | "crash" | "trap" | "robot-removed" => robot,
            "robot-added" => {
                let some = self.some(&[("place", place)]);
                Weather::with(some, &[("robot", json!(self.pick(&ROBOTS)))])
            }
            "robot-moved" => {
                let some = self.some(&[("heading", json!(heading))]);
                Weather::with(some, &[("robot", json!(self.pick(&ROBOTS))), ("place", place)])
            }
            "take-over" => {
                let (speed, turn) = (self.number(-1.0, 1.0), self.number(-1.0, 1.0));
                json!({"robot": self.pick(&ROBOTS), "speed": speed, "turn": turn})
            }
            "release" => json!(self.pick(&ROBOTS)),
            "repair" => {
                let part = self.pick(&["drive", "radio", "clock", "battery", "stop", "compass", "gripper"]);
                let some = self.some(&[("part", json!(part))]);
                Weather::with(some, &[("robot", robot)])
            }
            "coordinator" => json!(self.pick(&teams::KINDS.iter().map(|kind| kind.name).collect::<Vec<_>>())),
            "object-copied" => json!({"object": object, "name": format!("copy {share}"), "at": place}),
            "object-added" => {
                let (a, b) = (self.number(0.05, 1.0), self.number(0.05, 1.0));
                let mut added = match self.0.below(4) {
                    0 => json!({"circle": a / 2.0}),
                    1 => json!({"rectangle": [a, b]}),
                    2 => json!({"wall": [[-a, 0.0], [a, b]]}),
                    _ => json!({"polygon": [[-a, -b], [a, -b], [0.0, b]]}),
                };
                added["at"] = place;
                added["heading"] = json!(heading);
                added["name"] = json!(object);
                added["penetrability"] =
                    json!(self.pick(&["0", "0", "1"]).parse::<f64>().unwrap_or(0.0) * 2.0 * share);
                if self.0.chance(0.3) {
                    added["damping"] = json!(60.0 * share);
                    added["jammer"] = json!({"power": 20.0 * share, "duty-cycle": 0.5});
                }
                if self.0.chance(0.3) {
                    added["path"] =
                        json!({"points": [self.place(), self.place()], "speed": 3.0 * share, "repeat": true});
                }
                added
            }
            "object-moved" => {
                let some = self.some(&[("heading", json!(heading))]);
                Weather::with(some, &[("object", json!(object)), ("to", place)])
            }
            "object-removed" => json!(object),
            "object-changed" => {
                let stocks = self.some(&[("garbage", json!(3.0 * share)), ("dust", json!(share))]);
                let changes = [
                    ("stocks", Value::Object(stocks)),
                    ("heat", json!(heading)),
                    ("height", json!(2.0 * share)),
                    ("damping", json!(200.0 * share)),
                ];
                let some = self.some(&changes);
                let penetrability = if self.0.chance(0.5) { 0.0 } else { 2.0 * share };
                Weather::with(some, &[("object", json!(object)), ("penetrability", json!(penetrability))])
            }
            "person" => {
                let radius = self.number(0.05, 0.25);
                let some = self.some(&[("place", place), ("radius", json!(radius))]);
                Weather::with(some, &[("speed", json!(0.1 + 2.0 * share))])
            }
            "items-added" => Weather::with(self.disc(), &[("item", json!("waste")), ("count", json!(count))]),
            "items-removed" | "items-moved" if self.0.chance(0.3) => {
                let to = if kind == "items-moved" { self.disc() } else { Map::new() };
                Weather::with(to, &[("number", json!(self.0.below(6)))])
            }
            "items-removed" => {
                let some = self.some(&[("area", json!(area))]);
                Weather::with(some, &[("item", json!("waste")), ("count", json!(count))])
            }
            "items-moved" => {
                let mut disc = self.disc();
                disc.extend(self.some(&[("from", json!(area))]));
                Weather::with(disc, &[("item", json!("waste")), ("count", json!(count))])
            }
            "item-turned" => {
                let some = self.some(&[("to", json!(heading))]);
                Weather::with(some, &[("item", json!("waste"))])
            }
            "area-added" => {
                let kind = self.pick(&["spill", "deposit", "report-site", "puddle"]);
                json!({"name": area, "kind": kind, "place": place, "radius": 0.1 + share})
            }
            "area-moved" => json!({"area": area, "to": place}),
            "area-removed" => json!(area),
            "area-changed" => {
                let kind = json!(self.pick(&["spill", "deposit", "puddle"]));
                let some = self.some(&[("kind", kind)]);
                Weather::with(some, &[("area", json!(area)), ("radius", json!(0.1 + share))])
            }
            "terrain" => {
                let factor = json!(0.11 + 2.0 * share);
                if self.0.chance(0.5) {
                    return json!({"factor": factor});
                }
                json!({"factor": factor, "place": place, "size": [self.number(0.1, 5.0), self.number(0.1, 5.0)]})
            }
            "task-added" | "task-cancelled" => json!(task),
            "task-priority" => json!({"task": task, "weight": 0.01 + 10.0 * share}),
            "answer" => {
                let choice = self.pick(&["keep trying", "give up", "nonsense"]);
                json!({"robot": self.pick(&ROBOTS), "question": count, "choice": choice})
            }
            unknown => panic!("there is no weather of kind {unknown}"),
        }
    }

    fn disturbance(&mut self, kinds: &[&'static str]) -> Value {
        let kind = kinds[self.0.below(kinds.len())];
        let mut disturbance = self.timing();
        disturbance.insert(kind.into(), self.what(kind));
        Value::Object(disturbance)
    }
}

/// The kinds that are possible in a scenario.
fn kinds(calm: &Scenario) -> Vec<&'static str> {
    let physical = calm.setup.radio.as_physical().is_some();
    let felt = |kind: &&DisturbanceKind| physical || !kind.about.needs.contains(&Need::PhysicalRadio);
    KINDS.iter().filter(felt).map(|kind| kind.name).collect()
}

fn forecast(kinds: &[&'static str], seed: u64, count: usize) -> Vec<Value> {
    let mut weather = Weather(Stream::new(seed, StreamKind::World, 99, 0));
    (0..count).map(|_| weather.disturbance(kinds)).collect()
}

/// A storm in the base scenario.
fn storm(calm: &Scenario, seed: u64) -> (Arc<Model>, State) {
    let mut setup = calm.setup.clone();
    setup.seed = seed;
    for value in forecast(&kinds(calm), seed, DISTURBANCES) {
        let spec: DisturbanceSpec =
            serde_json::from_value(value.clone()).unwrap_or_else(|error| panic!("{value}: {error}"));
        setup.disturbances.push(spec);
    }
    setup.build().unwrap_or_else(|errors| panic!("seed {seed}: {errors:?}"))
}

/// Calls from outside, at the same times in every run.
fn call(run: &mut Simulation) {
    match run.state.tick {
        123 | 400 => run.call("wind"),
        250 => run.call("rain"),
        _ => {}
    }
}

/// The invariants after every tick.
struct Watch<'a> {
    initial_items: usize,
    down: Vec<bool>,
    when: &'a dyn Fn(&Simulation) -> String,
}

impl Watch<'_> {
    fn look(&mut self, run: &Simulation, log: &[Logged]) {
        let world = &run.state.world;
        self.bodies(run, world);
        self.items(run, world, log);
        let tally = run.state.radio.tally();
        assert!(tally.delivered + tally.lost.total() <= tally.copies, "{}", (self.when)(run));
        for (index, robot) in run.state.robots.iter().enumerate() {
            let mut gauges = Vec::new();
            robot.software.coordinator.gauges(&mut gauges);
            let active: Vec<_> =
                gauges.iter().filter(|g| g.state == GaugeState::Active).map(|g| g.behaviour).collect();
            assert!(active.len() <= 1, "{}: robot {index}", (self.when)(run));
            if !gauges.is_empty() {
                let chosen = robot.software.active.map(|choice| choice.behaviour);
                assert_eq!(active.first().copied(), chosen, "{}: robot {index}", (self.when)(run));
            }
        }
        assert!((0.0..=1.0).contains(&run.state.verdict.progress), "{}", (self.when)(run));
    }

    fn bodies(&mut self, run: &Simulation, world: &World) {
        for (robot, body) in RobotId::enumerate(&world.bodies).filter(|(_, body)| body.present) {
            let met = world.overlap(&body.outline_at(&body.pose), Some(robot));
            assert_eq!(met, None, "{}: robot {robot} at {:?}", (self.when)(run), body.pose);
            assert!(body.pose.heading.is_finite() && body.facing.length() > 0.99, "{}", (self.when)(run));
        }
    }

    fn items(&mut self, run: &Simulation, world: &World, log: &[Logged]) {
        let added: usize = log
            .iter()
            .filter(|l| l.event.kind == EventKind::Disturbance && l.event.words.contains(" waste added"))
            .filter_map(|l| l.event.words.split(' ').next().and_then(|count| count.parse::<usize>().ok()))
            .sum();
        assert_eq!(world.items.len(), self.initial_items + added, "{}", (self.when)(run));
        for (index, item) in world.items.iter().enumerate() {
            if let Some(holder) = item.holder {
                let holding = world.bodies[holder].holding;
                assert_eq!(holding, Some(index as u32), "{}: item {index}", (self.when)(run));
                assert!(item.present, "{}: item {index} is held but gone", (self.when)(run));
            }
            let at = item.position;
            assert!(world.bounds.margin(at) >= -1e-9, "{}: item {index} at {at:?}", (self.when)(run));
        }
        for (robot, body) in RobotId::enumerate(&world.bodies) {
            if let Some(item) = body.holding {
                let holder = world.items[item as usize].holder;
                assert_eq!(holder, Some(robot), "{}: robot {robot}", (self.when)(run));
                assert!(body.present, "{}: robot {robot} is away and holds an item", (self.when)(run));
                assert!(!(body.down() && self.down[robot]), "{}: robot {robot} is down", (self.when)(run));
            }
            self.down[robot] = body.down();
        }
    }
}

/// Every temporary occurrence ends once, unless the log says why not, and the log is in the order of time.
fn check_log(run: &Simulation, log: &[Logged], when: &str) {
    assert!(log.is_sorted_by_key(|l| l.time), "{when}");
    let end = run.now().seconds();
    let number =
        |l: &Logged| l.event.terms.iter().find(|term| term.name == "disturbance").map(|t| t.value as usize);
    let (mut due, mut over, mut late) = (0, 0, 0);
    for (index, disturbance) in run.state.schedule.disturbances().iter().enumerate() {
        let of = |kind: &str| {
            let concerned = log.iter().filter(|l| l.event.kind.name() == kind && number(l) == Some(index));
            concerned.map(|l| l.time.seconds()).collect::<Vec<f64>>()
        };
        let (happened, ended, delayed) =
            (of("disturbance"), of("disturbance-over"), of("disturbance-delayed"));
        let Some(lasts) = disturbance.lasts else {
            assert!(ended.is_empty(), "{when}: disturbance {index} is for good");
            continue;
        };
        let should = happened.iter().filter(|time| *time + lasts <= end - 0.2).count();
        assert!(ended.len() <= happened.len(), "{when}: disturbance {index} ended too often");
        assert!(
            ended.len() + delayed.len() >= should,
            "{when}: disturbance {index} {:?} happened at {happened:?}, ended at {ended:?}, was delayed at {delayed:?}",
            disturbance.what
        );
        due += should;
        over += ended.len();
        late += delayed.len();
        let earliest = happened.iter().zip(&ended).all(|(start, end)| *end >= start + lasts - 1e-6);
        assert!(earliest, "{when}: disturbance {index} ended before its time");
    }
    assert!(over > 20 && over + late >= due, "{when}: a storm has many ends, found {over}");
}

fn weather(calm: &Scenario, seed: u64) -> usize {
    let (model, state) = storm(calm, seed);
    let mut run = Simulation::new(model, state, false);
    let when = move |run: &Simulation| format!("seed {seed} at {:.1} s", run.now().seconds());
    let initial_items = run.state.world.items.len();
    let mut watch = Watch { initial_items, down: vec![false; run.state.robots.len()], when: &when };
    let mut log = Vec::new();
    while run.now().seconds() < END {
        call(&mut run);
        run.tick(&mut log);
        watch.look(&run, &log);
    }
    check_log(&run, &log, &when(&run));
    log.iter().filter(|l| l.event.kind == EventKind::Disturbance).count()
}

/// Slow: 500 storms of 200 disturbances each.
#[test]
fn slow_no_storm_breaks_the_invariants() {
    let calm = RADIOS.map(|radio| calm("alliance", radio));
    let happened: usize =
        (1..=500).into_par_iter().map(|seed| weather(&calm[seed as usize % calm.len()], seed)).sum();
    // A storm without any effect would prove nothing.
    assert!(happened > 500 * 150, "{happened} disturbances happened");
}

/// Slow: the same for the other coordinators.
#[test]
fn slow_no_storm_breaks_other_coordinators() {
    for coordinator in teams::KINDS.iter().filter(|kind| kind.name != "alliance") {
        let calm = RADIOS.map(|radio| calm(coordinator.name, radio));
        (501..=550).into_par_iter().for_each(|seed| _ = weather(&calm[seed as usize % calm.len()], seed));
    }
}

/// Everything generated here is valid in scenario files.
#[test]
fn storms_can_be_written_as_scenarios() {
    for seed in 1..=6 {
        let calm = calm("alliance", RADIOS[seed as usize % RADIOS.len()]);
        let disturbances = Value::Array(forecast(&kinds(&calm), seed, DISTURBANCES)).to_string();
        let mut sets = vec![format!("disturbances={disturbances}")];
        let scenario = &calm.resolved;
        for key in ["world", "robot-types", "team", "radio"] {
            sets.push(format!("{key}={}", scenario[key]));
        }
        sets.push(
            "disturbances.0={at: 1 s, area-added: {name: puddle, kind: spill, place: [3 m, 3 m], radius: 0.5 m}}".into(),
        );
        let loaded =
            load(&Request { scenario: "waste-cleanup".into(), sets, seed: Some(seed), ..Request::default() });
        let loaded = loaded.unwrap_or_else(|problems| panic!("{problems}"));
        assert_eq!(loaded.start.1.schedule.disturbances().len(), DISTURBANCES);
    }
}

fn fingerprint(mut run: Simulation, restart: Option<u64>) -> String {
    let (mut hash, mut log) = (ResultHash::default(), Vec::new());
    while run.now().seconds() < END {
        if restart == Some(run.state.tick) {
            let bytes = postcard::to_stdvec(&run.state).expect("plain data");
            let state = postcard::from_bytes(&bytes).expect("the same plain data");
            run = Simulation::new(run.model, state, false);
        }
        call(&mut run);
        log.clear();
        run.tick(&mut log);
        hash.events(&log);
    }
    hash.finish(&run.state)
}

#[test]
fn storms_are_the_same_for_any_threads_and_after_a_restart() {
    RADIOS.into_iter().for_each(storms_are_the_same);
}

fn storms_are_the_same(radio: &str) {
    let calm = calm("alliance", radio);
    // A team large enough to be worth several threads.
    let mut crowd = calm.setup.clone();
    crowd.world.bounds.max.x += 40.0;
    let spare = crowd.team[1].clone();
    crowd.team.extend((0..66).map(|n| {
        let mut member = spare.clone();
        member.name = format!("extra-{n}");
        member.pose =
            Some(crewlab_lab::sim::onboard::Pose::new(8.0 + f64::from(n / 6), 0.5 + f64::from(n % 6), 0.0));
        member
    }));
    let crowd = Scenario { setup: crowd, ..calm };
    let calm = self::calm("alliance", radio);
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    for seed in 1..=3 {
        let run = |calm: &Scenario, parallel| {
            let (model, state) = storm(calm, seed);
            Simulation::new(model, state, parallel)
        };
        let alone = pool(1).install(|| fingerprint(run(&crowd, false), None));
        assert_eq!(pool(2).install(|| fingerprint(run(&crowd, true), None)), alone, "{radio}, seed {seed}");
        let through = fingerprint(run(&calm, false), None);
        for restart in [1, 200, 444] {
            let restarted = fingerprint(run(&calm, false), Some(restart));
            assert_eq!(restarted, through, "{radio}, seed {seed}, tick {restart}");
        }
    }
}

/// When everything is over, the world is as before, whatever overlapped and in whatever order it ended.
#[test]
fn after_a_storm_of_temporary_disturbances_the_world_is_as_before() {
    let calm = RADIOS.map(|radio| calm("greedy", radio));
    let undone = (1..=100).into_par_iter().filter(|&seed| {
        let mut weather = Weather(Stream::new(seed, StreamKind::World, 98, 0));
        let calm = &calm[seed as usize % calm.len()];
        let kinds: Vec<_> = kinds(calm).into_iter().filter(|name| !name.starts_with("items-")).collect();
        let mut setup = calm.setup.clone();
        setup.seed = seed;
        // Things that move by themselves are not restored.
        let cart = setup.world.objects().last().expect("the cart").id;
        setup.world.remove_object(cart);
        setup.disturbances[0].timing.lasts = Some(40.0);
        while setup.disturbances.len() < 60 {
            let mut value = weather.disturbance(&kinds);
            value["for"] = json!(weather.number(0.0, 15.0));
            let added = value.get("object-added").is_some_and(|object| object.get("path").is_some());
            // A drained battery stays drained, and an exhausted robot stays exhausted.
            if added || value.get("rate").is_some() || value.get("battery").is_some() {
                continue;
            }
            setup.disturbances.push(serde_json::from_value(value).expect("a disturbance"));
        }
        let (model, state) = setup.build().unwrap_or_else(|errors| panic!("seed {seed}: {errors:?}"));
        let before = state.clone();
        let mut run = Simulation::new(model, state, false);
        let mut log = Vec::new();
        while run.now().seconds() < 2.0 * LAST {
            run.tick(&mut log);
        }
        // Robots may still block objects that must come back.
        let told = |kind: &str| log.iter().filter(|l| l.event.kind.name() == kind).count();
        if told("disturbance") != told("disturbance-over") {
            return false;
        }
        let (world, was) = (&run.state.world, &before.world);
        assert_eq!(world.objects(), was.objects(), "seed {seed}");
        assert_eq!(world.areas.len() - was.areas.len(), world.areas.iter().filter(|a| !a.present).count());
        for (area, was) in world.areas.iter().zip(&was.areas) {
            assert_eq!(
                (&area.outline, &area.kind, area.present),
                (&was.outline, &was.kind, was.present),
                "seed {seed}"
            );
        }
        let present = |world: &World| world.bodies.iter().map(|body| body.present).collect::<Vec<_>>();
        assert_eq!(present(world), present(was), "seed {seed}");
        assert_eq!(run.state.operator.open(), before.operator.open(), "seed {seed}");
        assert!(run.state.robots.iter().all(|robot| robot.faults.is_empty()), "seed {seed}");
        assert_eq!(run.state.airwaves, before.airwaves, "seed {seed}");
        assert_eq!(run.state.coordinator, None, "seed {seed}");
        true
    });
    let undone = undone.count();
    assert!(undone > 60, "in {undone} of 100 runs nothing is left to be undone");
}
