//! The janitorial service as described in ALLIANCE 5.2, and its robustness.

use super::{completed, experiment, finished, simulation};
use crewlab_lab::sim::onboard::geometry::Pose;
use crewlab_lab::sim::onboard::{Body, Message, RobotId};
use crewlab_lab::sim::skills::AnySkills;
use crewlab_lab::sim::skills::janitorial::{Knowledge, Talk, Word};
use crewlab_lab::sim::world::{Emission, Object, ObjectId, Shape, World};
use crewlab_lab::sim::{Logged, Simulation};
use crewlab_sim::onboard::EventKind;

/// Events of one kind: time, robot, behaviour set, subject.
fn events(run: &Simulation, log: &[Logged], kind: &str) -> Vec<(f64, String, String, u32)> {
    log.iter()
        .filter(|l| l.event.kind.name() == kind)
        .map(|l| {
            let robot = l.robot.map(|id| run.model.robot_name(id).to_string()).unwrap_or_default();
            let task = l.event.task.map(|t| run.model.task_name(t).to_string()).unwrap_or_default();
            (l.time.seconds(), robot, task, l.event.subject)
        })
        .collect()
}

/// Runs until something holds, or until a time. [s]
fn run_until(run: &mut Simulation, log: &mut Vec<Logged>, time: f64, holds: impl Fn(&Simulation) -> bool) {
    while !holds(run) && run.now().seconds() < time {
        run.tick(log);
    }
}

fn object(world: &World, name: &str) -> ObjectId {
    world.objects().iter().find(|o| o.name == name).expect("it is in the room").id
}

fn known(run: &Simulation, robot: RobotId) -> &Knowledge {
    match &run.state.robots[robot].software.performer {
        AnySkills::Janitorial(skills) => skills.known(),
        _ => panic!("a janitor"),
    }
}

fn full_cans(world: &World) -> usize {
    world.objects().iter().filter(|o| o.properties.amount("garbage") > 0.0).count()
}

/// The task that a robot works on.
fn works_on(run: &Simulation, robot: RobotId) -> Option<&str> {
    let choice = run.state.robots[robot].software.active?;
    let identity = &run.model.team[robot].identity;
    Some(run.model.task_name(identity.behaviour(choice.behaviour).task))
}

fn can(x: f64, y: f64, frequency: f64) -> Object {
    let mut can = Object::obstacle("another can", Shape::Circle { radius: 0.15 }, Pose::new(x, y, 0.0));
    can.height = 0.4;
    *can.properties.stocks.amount_mut("garbage") = 1.0;
    can.emissions = vec![Emission::Sound { frequency, level: 1.0, stock: Some("garbage".into()) }];
    can
}

#[test]
fn the_service_completes_with_every_coordinator() {
    for (seed, coordinator) in [(2, "alliance"), (4, "greedy"), (5, "random")] {
        let set = format!("team.coordinator={coordinator}");
        let (run, log) = finished("janitorial", seed, &[&set]);
        assert!(run.state.verdict.completed, "{coordinator}, seed {seed}: {:?}", run.state.verdict);
        assert!(full_cans(&run.state.world) == 0);
        assert!(run.state.world.objects().iter().all(|o| o.properties.amount("dust") <= 0.0));
        assert!(log.iter().any(|l| l.event.kind == EventKind::QuadrantCleaned));
    }
}

/// Snapshots one to fifteen of figure 7 in words, or what of them is not so in a run.
fn figure_7(sets: &[&str]) -> Result<(), String> {
    let (run, log) = finished(&experiment("alliance/figure-7-8.yaml"), 1, sets);
    let require = |holds: bool, what: &str| if holds { Ok(()) } else { Err(what.to_string()) };
    require(run.state.verdict.completed, "the mission must be completed")?;
    let activated = events(&run, &log, "activated");
    let of = |robot: &str| -> Vec<(f64, &str, u32)> {
        activated.iter().filter(|e| e.1 == robot).map(|e| (e.0, e.2.as_str(), e.3)).collect()
    };
    let begins = |robot: &[(f64, &str, u32)], place: usize, task: &str| -> Result<(f64, u32), String> {
        let begun = robot.get(place).filter(|begun| begun.1 == task);
        begun.map(|begun| (begun.0, begun.2)).ok_or(format!("{task} must be number {place} of {robot:?}"))
    };
    let (first, second, third) = (of("r1"), of("r2"), of("r3"));
    // Robots r1 and r2 both head for the closest can, while r3 elects to dust.
    let (one, two) = (begins(&first, 0, "empty-garbage")?, begins(&second, 0, "empty-garbage")?);
    require((one.1, two.1) == (2000, 2000), "both must head for the closest can")?;
    begins(&third, 0, "dust-furniture")?;
    // Upon hearing that r2 heads for the same can, r1 selects another; r2 goes on to the third.
    let lost = log.iter().find(|l| l.event.kind == EventKind::Reset && l.event.other.is_some());
    let lost = lost.ok_or("somebody must give way")?;
    let names = [lost.robot, lost.event.other].map(|id| id.map(|id| run.model.robot_name(id)));
    require(names == [Some("r1"), Some("r2")], "r1 must give way to r2")?;
    let (other, last) = (begins(&first, 1, "empty-garbage")?, begins(&second, 1, "empty-garbage")?);
    let mut cans = [other.1, two.1, last.1];
    cans.sort_unstable();
    require(cans == [2000, 3000, 4000], "there is a can for everybody")?;
    // Robot r1 is satisfied that all cans will be emptied, although r2 has not reached the third one, and dusts. r3 goes on: there
    // is room for both.
    let dusts = begins(&first, 2, "dust-furniture")?.0;
    let emptied = events(&run, &log, "ended").into_iter().find(|e| e.1 == "r2" && e.3 == last.1);
    require(emptied.is_some_and(|e| e.0 > dusts), "r1 must dust before the last can is empty")?;
    let stopped = |e: &(f64, String, String, u32)| e.1 == "r3" && e.2 == "dust-furniture";
    require(!events(&run, &log, "reset").iter().any(stopped), "r1 must not interrupt r3")?;
    // Then r2 cleans the floor, and r3 when everything is dusted.
    begins(&second, 2, "clean-floor")?;
    let helps = begins(&third, 1, "clean-floor")?.0;
    let dusted = events(&run, &log, "dusted").last().map(|e| e.0).ok_or("something must be dusted")?;
    require(helps > dusted, "r3 must clean after dusting")?;
    // After that r1 has nothing left to do and waits.
    require(first.len() == 3 && works_on(&run, RobotId(0)).is_none(), "r1 must wait out the rest")?;
    let doubts = log.iter().filter(|l| l.event.kind == EventKind::Doubt).count();
    require(doubts == 0, "nobody must have to look again")
}

#[test]
fn the_events_of_the_paper_happen() {
    assert_eq!(figure_7(&[]), Ok(()));
    // Who gives way is the fixed priority's doing, and who takes over what impatience's.
    assert!(figure_7(&["team.robots.r1.priority=0"]).is_err());
    assert!(figure_7(&["team.coordinator=random"]).is_err());
    // If r2 heard r1 in the same step, it would choose another can at once.
    let heard = figure_7(&["team.visibility=same-tick"]);
    assert_eq!(heard, Err("both must head for the closest can".into()));
    // If r1 were patient as long as r3 dusts, it would not join in until the cans are empty.
    let patience = "team.alliance.robots.r1.behaviours.dust-furniture={fast-impatience: 15 /s, slow-impatience: 0.001 /s}";
    assert_eq!(figure_7(&[patience]), Err("r1 must dust before the last can is empty".into()));
}

/// Whatever is counted is counted in seconds. Looking ten times as often must not turn noise into furniture, nor looking rarely
/// hide it.
#[test]
fn furniture_is_found_and_dusted_at_any_tick() {
    for tick in ["20 ms", "100 ms", "500 ms"] {
        let sets = [
            &format!("run.tick={tick}"),
            "run.until=12 min",
            "disturbances=[{at: 0 s, task-cancelled: clean-floor}]",
        ];
        let (count, failed) = completed("janitorial", 3, &sets);
        assert_eq!(count, 3, "{tick}: not seeds {failed:?}");
    }
}

/// 20 % noise taken literally: of the coordinates and of the heading. A raw position is then off by up to 2 m.
#[test]
fn noise_of_position_and_compass_is_filtered() {
    let noise = ["position", "compass"]
        .map(|sensor| format!("robot-types.janitor.sensors.{sensor}={{relative-noise: 20 %}}"));
    let (count, failed) = completed("janitorial", 4, &[&noise[0], &noise[1]]);
    assert_eq!(count, 4, "not seeds {failed:?}");
}

/// Twice the paper's noise makes the work longer, but it ends.
#[test]
fn twice_the_noise_is_borne() {
    let sets = noise(2.0);
    let sets: Vec<&str> = sets.iter().map(String::as_str).collect();
    let (count, failed) = completed("janitorial", 3, &sets);
    assert_eq!(count, 3, "not seeds {failed:?}");
}

/// Sets the noise of all sensors and effectors to a multiple of the paper's.
fn noise(factor: f64) -> Vec<String> {
    let share = 0.2 * factor;
    let sensors = ["range-scanner", "low-proximity", "high-proximity", "microphones", "dust"];
    let effectors = ["drive", "dumper", "duster-arm", "vacuum"];
    let mut sets: Vec<String> = sensors
        .iter()
        .map(|sensor| format!("robot-types.janitor.sensors.{sensor}.relative-noise={share}"))
        .chain(effectors.map(|name| format!("robot-types.janitor.effectors.{name}.relative-noise={share}")))
        .collect();
    sets.push(format!("robot-types.janitor.sensors.position.absolute-noise={}", 0.04 * factor));
    sets.push(format!("robot-types.janitor.sensors.compass.absolute-noise={}", 0.035 * factor));
    sets
}

/// A can before a wall looks low from afar, and from near it does not: the high ring sees the wall. A robot that is alone must not go
/// back to it for ever.
#[test]
fn a_can_before_a_wall_does_not_keep_a_robot_from_dusting() {
    let mut sets = noise(0.0);
    sets.push("team.coordinator=greedy".into());
    sets.push("team.robots=[{name: a, type: janitor}]".into());
    sets.push("disturbances=[{at: 0 s, task-cancelled: clean-floor}]".into());
    let sets: Vec<&str> = sets.iter().map(String::as_str).collect();
    let (count, failed) = completed("janitorial", 3, &sets);
    assert_eq!(count, 3, "not seeds {failed:?}");
}

/// A robot gives up a can that it cannot empty, whatever its coordinator, and others empty it.
#[test]
fn a_broken_dumper_does_not_keep_its_can() {
    for coordinator in ["greedy", "random"] {
        let (count, failed) =
            completed("janitorial-failing-can", 3, &[&format!("team.coordinator={coordinator}")]);
        assert_eq!(count, 3, "{coordinator}: not seeds {failed:?}");
    }
}

/// A stock in an area that was added later is removed by the effector for that stock, whatever its name.
#[test]
fn stocks_are_removed_by_name() {
    let puddle = "{at: 1 s, area-added: {name: puddle, kind: puddle, place: [2 m, 1.2 m], radius: 0.3 m, \
                  stocks: {dust: 0.05, water: 2}}}";
    let disturbances = format!("disturbances=[{puddle}]");
    let mut run = simulation("janitorial", 1, &[&disturbances]);
    let mut log = Vec::new();
    let amount =
        |run: &Simulation, stock| run.state.world.areas.first().map(|puddle| puddle.properties.amount(stock));
    run_until(&mut run, &mut log, 900.0, |run| amount(run, "dust") == Some(0.0));
    assert_eq!((amount(&run, "dust"), amount(&run, "water")), (Some(0.0), Some(2.0)));
    assert!(log.iter().any(
        |logged| logged.event.kind == EventKind::Taken && logged.event.thing.as_deref() == Some("puddle")
    ));
}

/// "If either of the robots r1 or r2 were unsuccessful in emptying one of the garbage cans, the other robot would
/// become impatient with the lack of progress and proceed to empty that can."
#[test]
fn a_can_that_one_robot_fails_to_empty_is_emptied_by_another() {
    let mut run = simulation("janitorial", 2, &["team.robots.r2.dumper={dropout: 1}"]);
    let mut log = Vec::new();
    run_until(&mut run, &mut log, 900.0, |run| full_cans(&run.state.world) == 0);
    assert_eq!(full_cans(&run.state.world), 0);
    let emptied: Vec<String> =
        events(&run, &log, "taken").into_iter().map(|event| event.1).filter(|robot| robot != "r3").collect();
    assert!(!emptied.is_empty() && emptied.iter().all(|robot| robot == "r1"), "{emptied:?}");
    let lets_go = |l: &Logged| ["yielded", "reset", "left-to-others"].contains(&l.event.kind.name());
    assert!(log.iter().any(|l| lets_go(l) && l.robot.map(|id| run.model.robot_name(id)) == Some("r2")));
}

#[test]
fn cans_that_are_added_are_emptied_as_if_they_had_always_been_there() {
    let mut run = simulation("janitorial", 3, &[]);
    let mut log = Vec::new();
    run_until(&mut run, &mut log, 60.0, |_| false);
    let early = run.state.world.add_object(can(1.0, 5.5, 3000.0));
    run_until(&mut run, &mut log, 300.0, |run| full_cans(&run.state.world) == 0);
    assert_eq!(run.state.world.object(early).expect("a can").properties.amount("garbage"), 0.0);
    // Also when everything else is done.
    run_until(&mut run, &mut log, 1800.0, |run| run.state.verdict.completed);
    assert!(run.state.verdict.completed);
    let late = run.state.world.add_object(can(8.0, 2.5, 4000.0));
    run.tick(&mut log);
    assert!(!run.state.verdict.completed);
    run_until(&mut run, &mut log, 2200.0, |run| run.state.verdict.completed);
    assert!(run.state.verdict.completed);
    assert_eq!(run.state.world.object(late).expect("a can").properties.amount("garbage"), 0.0);
}

#[test]
fn a_can_that_is_suddenly_empty_is_let_go_at_once() {
    let mut run = simulation("janitorial", 1, &[]);
    let mut log = Vec::new();
    run_until(&mut run, &mut log, 8.0, |_| false);
    assert_eq!(works_on(&run, RobotId(1)), Some("empty-garbage"));
    let near = object(&run.state.world, "near can");
    *run.state.world.object_mut(near).expect("a can").properties.stocks.amount_mut("garbage") = 0.0;
    run_until(&mut run, &mut log, 9.0, |_| false);
    let ended = events(&run, &log, "ended");
    assert!(ended.iter().any(|e| e.1 == "r2" && e.3 == 2000), "{ended:?}");
    run_until(&mut run, &mut log, 20.0, |_| false);
    let again = events(&run, &log, "activated");
    assert!(again.iter().any(|e| e.1 == "r2" && e.0 > 8.0 && e.3 != 2000), "{again:?}");
}

#[test]
fn furniture_that_is_moved_is_found_and_passed_where_it_is() {
    let mut run = simulation("janitorial", 4, &[]);
    let mut log = Vec::new();
    for (time, name, x, y) in
        [(20.0, "desk", 7.6, 3.6), (150.0, "plant", 1.8, 1.6), (300.0, "round table", 3.6, 2.4)]
    {
        run_until(&mut run, &mut log, time, |_| false);
        let id = object(&run.state.world, name);
        let place = Pose::new(x, y, 0.3);
        let outline = run.state.world.object(id).expect("a piece").shape.at(&place);
        // Furniture is never put on a robot.
        while run.state.world.body_overlap(&outline, None).is_some() {
            run.tick(&mut log);
        }
        run.state.world.object_mut(id).expect("a piece").place(place);
    }
    run_until(&mut run, &mut log, 1800.0, |run| run.state.verdict.completed);
    assert!(run.state.verdict.completed, "{:?}", run.state.verdict);
}

#[test]
fn a_robot_that_comes_later_learns_what_is_done_and_helps() {
    let mut run = simulation("janitorial", 5, &[]);
    let mut log = Vec::new();
    run.state.world.bodies[2].present = false;
    run_until(&mut run, &mut log, 1800.0, |run| {
        known(run, RobotId(1)).cleaned.iter().any(|cleaned| *cleaned)
    });
    let before = known(&run, RobotId(1)).cleaned;
    assert_eq!(known(&run, RobotId(2)).cleaned, [false; 4]);
    run.state.world.bodies[2].present = true;
    let arrived = run.now().seconds();
    run_until(&mut run, &mut log, arrived + 60.0, |_| false);
    let told = known(&run, RobotId(2)).cleaned.iter().zip(before).all(|(now, before)| *now || !before);
    assert!(told, "finished quadrants are told again");
    assert!(known(&run, RobotId(2)).furniture.dusted() >= 1, "and dusted furniture");
    run_until(&mut run, &mut log, 1800.0, |run| run.state.verdict.completed);
    assert!(run.state.verdict.completed);
    let helped = events(&run, &log, "activated");
    assert!(helped.iter().any(|e| e.1 == "r3"), "{helped:?}");
}

#[test]
fn when_a_robot_stops_the_others_finish() {
    let mut run = simulation("janitorial", 6, &[]);
    let mut log = Vec::new();
    run_until(&mut run, &mut log, 100.0, |_| false);
    assert_eq!(works_on(&run, RobotId(1)), Some("clean-floor"));
    run.state.world.bodies[1].halted = true;
    run_until(&mut run, &mut log, 1800.0, |run| run.state.verdict.completed);
    assert!(run.state.verdict.completed, "{:?}", run.state.verdict);
}

/// Nobody can clean the floor below a robot that never leaves its place.
#[test]
fn when_a_robot_cannot_move_the_floor_below_it_does_not_count() {
    let stranded = "disturbances=[{at: 1 s, drive: {robot: r1, fault: dead}}]";
    let (run, _) = finished("janitorial", 6, &[stranded]);
    assert!(run.state.verdict.completed, "{:?}", run.state.verdict);
    let left = run.state.world.floors.iter().map(|floor| floor.left(|_| false).count());
    assert!(left.sum::<usize>() > 0, "the floor below r1 cannot be clean");
}

/// A slow drive bends the map of a robot that believes what it asked for, most of all if it believes its sensors, too.
#[test]
fn drives_at_half_speed_are_noticed() {
    for factor in [0.0, 1.0] {
        let mut sets = noise(factor);
        sets.push("disturbances=[{at: 1 min, drive: {robot: all, fault: slower, severity: 50 %}}]".into());
        let sets: Vec<&str> = sets.iter().map(String::as_str).collect();
        let (count, failed) = completed("janitorial", 5, &sets);
        assert_eq!(count, 5, "noise x {factor}: not seeds {failed:?}");
    }
}

/// A robot that is walled in while it cleans does not mistake its cell for the room.
#[test]
fn a_robot_that_is_walled_in_claims_nothing() {
    let (run, log) = finished("janitorial", 24, &["disturbances=[{at: 90 s, trap: r2}]"]);
    assert!(run.state.verdict.completed, "{:?}", run.state.verdict);
    let claims = events(&run, &log, "quadrant-cleaned");
    assert!(!claims.is_empty() && claims.iter().all(|claim| claim.1 == "r3"), "{claims:?}");
}

/// The paper's three messages of dusting and three of cleaning, and what robots tell about the room and about dust.
#[test]
fn all_kinds_of_messages_are_sent() {
    let mut run = simulation("janitorial", 8, &["radio.loss=0.3"]);
    run.listen = true;
    let mut log = Vec::new();
    let mut said = [false; 8];
    while !run.finished() {
        run.tick(&mut log);
        for fate in run.fates.drain(..) {
            let message = Message::decode(&fate.payload).expect("robots speak clearly");
            let Body::Knowledge(bytes) = message.body else { continue };
            let kind = match Word::decode(&bytes).expect("a word").talk {
                Talk::Searching => 0,
                Talk::Dusting(_) => 1,
                Talk::Dusted(_) => 2,
                Talk::FindingDimensions => 3,
                Talk::Cleaning(_) => 4,
                Talk::Cleaned(..) => 5,
                Talk::Room(..) => 6,
                Talk::Dust(_) => 7,
            };
            said[kind] = true;
        }
    }
    assert_eq!(said, [true; 8]);
    assert!(run.state.verdict.completed, "lost messages do not stop the team");
}

/// A task that the operator cancelled does not count.
#[test]
fn a_cancelled_task_does_not_count() {
    let mut run = simulation("janitorial", 9, &["disturbances=[{at: 0 s, task-cancelled: clean-floor}]"]);
    run_until(&mut run, &mut Vec::new(), 900.0, |run| run.state.verdict.completed);
    assert!(run.state.verdict.completed);
    assert!(run.state.world.floors.iter().any(|floor| floor.left(|_| false).count() > 0));
}

/// Whole runs over a hundred seeds, as in the paper and with each change that the paper names.
#[test]
fn a_hundred_seeds_complete_with_and_without_each_change() {
    let changes = ["failing-can", "cans-added", "can-emptied", "furniture-moved", "robot-added"];
    let names =
        ["janitorial".to_string()].into_iter().chain(changes.map(|change| format!("janitorial-{change}")));
    for name in names {
        let (count, failed) = completed(&name, 100, &[]);
        assert!(count >= 95, "{name}: {count} of 100, not seeds {failed:?}");
    }
}

/// A robot that takes a remainder for nothing leaves it to nobody, since the mission is not over before the last speck is gone.
#[test]
fn the_last_of_the_dust_is_wiped_off() {
    let mut run = simulation("janitorial", 2, &[]);
    for name in ["round table", "desk", "low chest"] {
        let id = object(&run.state.world, name);
        *run.state.world.object_mut(id).expect("a piece").properties.stocks.amount_mut("dust") = 0.04;
    }
    let dusty =
        |run: &Simulation| run.state.world.objects().iter().any(|o| o.properties.amount("dust") > 0.0);
    assert!(dusty(&run));
    run_until(&mut run, &mut Vec::new(), 900.0, |run| !dusty(run));
    assert!(!dusty(&run));
}

#[test]
fn mission_times_hardly_depend_on_the_tick() {
    let mean = |tick: &str| {
        let tick = format!("run.tick={tick}");
        let times = (1..=10).map(|seed| {
            let (run, _) = finished("janitorial", seed, &[&tick]);
            assert!(run.state.verdict.completed, "{tick}, seed {seed}");
            run.now().seconds()
        });
        times.sum::<f64>() / 10.0
    };
    let (usual, long) = (mean("100 ms"), mean("500 ms"));
    assert!(long < 1.1 * usual, "{usual} s, {long} s");
}
