//! Disturbances in whole runs: what each kind does and how it is undone, when and to whom it happens, and that no schedule breaks
//! anything.

mod air;
mod answers;
mod examples;
mod field;
mod hands;
mod layers;
mod mistakes;
mod overlaps;
mod robots;
mod snapshots;
mod storm;
mod targets;
mod tasks;
mod whens;

use crewlab_lab::sim::disturbances::KINDS;
use crewlab_lab::sim::onboard::{Reading, RobotId};
use crewlab_lab::sim::world::{Area, Body, Object};
use crewlab_lab::sim::{Logged, Robot, Simulation};
use crewlab_scenario::{Problems, Request, load};

/// A robot that, undisturbed, drives straight west from the eastern part of the room.
const LONE: &str =
    "team.robots=[{name: blue, type: cleaner, side-range: true, at: [9 m, 4 m], heading: 180 deg}]";
/// Blue stands in the middle, gold next to it, green works far away.
const STANDING: &str = "team.robots=[{name: blue, type: cleaner, at: [6 m, 4 m], drive: false}, \
                        {name: gold, type: cleaner, at: [6.8 m, 4 m], drive: false}, {name: green, type: cleaner}]";
/// The same, but gold is not present yet.
const EXPECTING: &str = "team.robots=[{name: blue, type: cleaner, at: [6 m, 4 m], drive: false}, \
                         {name: gold, type: cleaner, at: [6.8 m, 4 m], drive: false, absent: true}, \
                         {name: green, type: cleaner}]";

/// A market in which only blue can carry: while it moves one spill, nobody bids for the other one, and blue asks about it.
const ASKING: [&str; 2] = [
    "team.coordinator=muroco",
    "team.robots=[{name: blue, type: cleaner, side-range: true}, {name: gold, type: cleaner, gripper: false}, \
     {name: green, type: cleaner, gripper: false}]",
];

/// A run and its log.
struct Run {
    simulation: Simulation,
    log: Vec<Logged>,
}

/// Waste cleanup with few items, a fast coordinator, and these changes.
fn attempt(seed: u64, sets: &[&str]) -> Result<Run, Problems> {
    let usual = ["team.coordinator=greedy", "world.items.waste=3"];
    let sets: Vec<&str> = usual.iter().chain(sets).copied().collect();
    attempt_in("waste-cleanup", seed, &sets)
}

fn attempt_in(scenario: &str, seed: u64, sets: &[&str]) -> Result<Run, Problems> {
    let sets = sets.iter().map(|set| set.to_string()).collect();
    let (model, state) =
        load(&Request { scenario: scenario.into(), sets, seed: Some(seed), ..Request::default() })?.start;
    Ok(Run { simulation: Simulation::new(model, state, false), log: Vec::new() })
}

fn started(seed: u64, sets: &[&str]) -> Run {
    attempt(seed, sets).unwrap_or_else(|problems| panic!("{problems}"))
}

/// A run with these disturbances, as a scenario lists them.
fn disturbed(disturbances: &str, sets: &[&str]) -> Run {
    let disturbances = format!("disturbances=[{disturbances}]");
    let sets: Vec<&str> = sets.iter().copied().chain([disturbances.as_str()]).collect();
    started(1, &sets)
}

/// A service for one person who wants coffee, whose handle points into the room, with these disturbances.
fn service(disturbances: &str) -> Run {
    let disturbances = format!("disturbances=[{disturbances}]");
    let coffee = "world.items={coffee: 1, tea: 0, water: 0}";
    let sets = ["team.coordinator=greedy", "parameters.handle=-90 deg", coffee, disturbances.as_str()];
    attempt_in("service", 1, &sets).unwrap_or_else(|problems| panic!("{problems}"))
}

impl Run {
    fn tick(&mut self) {
        self.simulation.tick(&mut self.log);
    }

    /// Continues until this time. [s]
    fn to(&mut self, seconds: f64) -> &mut Run {
        while self.simulation.now().seconds() < seconds - 1e-6 {
            self.tick();
        }
        self
    }

    /// Continues until an event of this kind; returns its time.
    fn await_event(&mut self, kind: &str, limit: f64) -> f64 {
        let known = self.log.len();
        while !self.log[known..].iter().any(|l| l.event.kind.name() == kind) {
            assert!(self.simulation.now().seconds() < limit, "no `{kind}` within {limit} s");
            self.tick();
        }
        self.simulation.now().seconds()
    }

    fn number(&self, name: &str) -> RobotId {
        self.simulation.model.robot(name).expect("a robot of the team")
    }

    fn body(&self, name: &str) -> &Body {
        &self.simulation.state.world.bodies[self.number(name)]
    }

    fn robot(&self, name: &str) -> &Robot {
        &self.simulation.state.robots[self.number(name)]
    }

    fn reading(&self, name: &str, sensor: &str) -> &Reading {
        let sheet = &self.simulation.model.team[self.number(name)].identity.datasheet;
        self.robot(name).percept.reading(sheet.sensor(sensor).expect("a sensor of the robot"))
    }

    /// The nearest object that the robot's scanner sees; 1.5 m if there is none. [m]
    fn clearance(&self, name: &str) -> f64 {
        match self.reading(name, "range-scanner") {
            Reading::Ranges(ranges) => ranges.iter().copied().fold(f64::INFINITY, f64::min),
            other => panic!("a scanner gives ranges, not {other:?}"),
        }
    }

    fn object(&self, name: &str) -> Option<&Object> {
        self.simulation.state.world.objects().iter().find(|object| object.name == name)
    }

    fn area(&self, name: &str) -> &Area {
        let areas = &self.simulation.state.world.areas;
        areas.iter().find(|area| &*area.name == name).expect("an area of this name")
    }

    /// An event as a sentence.
    fn sentence(&self, logged: &Logged) -> String {
        logged.event.sentence(&*self.simulation.model)
    }

    /// Times of all events of a kind. [s]
    fn times(&self, kind: &str) -> Vec<f64> {
        self.log.iter().filter(|l| l.event.kind.name() == kind).map(|l| l.time.seconds()).collect()
    }

    /// Distance driven from now until some time. [m]
    fn driven_to(&mut self, name: &str, seconds: f64) -> f64 {
        let before = self.body(name).travelled;
        self.to(seconds);
        self.body(name).travelled - before
    }
}

#[track_caller]
fn assert_close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "found {found}, expected {expected} +- {tolerance}");
}

#[track_caller]
fn assert_times(found: &[f64], expected: &[f64]) {
    let same = found.len() == expected.len() && found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6);
    assert!(same, "found {found:?}, expected {expected:?}");
}

type Tests = &'static [fn()];

/// The tests of each kind of disturbance.
const TESTED: &[(&str, Tests)] = &[
    (
        "sensor",
        &[
            robots::a_dead_sensor_gives_nothing_until_it_is_repaired,
            robots::a_stuck_sensor_repeats_itself_while_the_robot_moves,
            robots::a_biased_sensor_is_off_by_its_severity,
            robots::a_noisier_sensor_has_larger_errors,
            robots::a_sensor_that_drops_out_misses_its_share,
        ],
    ),
    (
        "drive",
        &[
            robots::a_dead_drive_does_not_move,
            robots::a_slower_drive_loses_its_share_of_the_speed,
            robots::a_drive_that_pulls_turns_to_its_side,
            robots::a_stuck_drive_continues_into_the_wall,
        ],
    ),
    ("effector", &[robots::a_dead_gripper_grabs_nothing]),
    (
        "battery",
        &[robots::a_battery_drains_only_while_it_lasts, robots::a_robot_whose_battery_is_empty_stops],
    ),
    ("stop", &[robots::a_stopped_robot_is_still_and_silent_and_lets_go]),
    (
        "emergency-stop",
        &[
            robots::a_robot_whose_emergency_stop_is_pressed_stands_still_but_keeps_deciding,
            robots::an_emergency_stop_is_noticed_and_another_robot_takes_over,
        ],
    ),
    ("crash", &[robots::a_crashed_robot_starts_again_without_memory]),
    (
        "radio",
        &[
            robots::a_dead_radio_neither_sends_nor_receives,
            robots::a_deaf_radio_sends_and_a_mute_one_receives,
            robots::a_lossy_radio_loses_its_share_both_ways,
        ],
    ),
    (
        "clock",
        &[
            robots::a_fast_clock_is_seen_in_the_heartbeats,
            robots::setting_a_clock_back_does_not_silence_the_robot,
        ],
    ),
    ("trap", &[robots::a_trapped_robot_gets_away_only_when_the_trap_is_gone]),
    ("robot-added", &[robots::a_robot_is_no_part_of_the_world_before_it_is_added]),
    ("robot-removed", &[robots::a_removed_robot_is_no_part_of_the_world_until_it_is_back]),
    (
        "robot-moved",
        &[
            hands::a_robot_is_put_down_elsewhere_with_what_it_holds,
            hands::a_robot_is_not_put_down_on_something,
        ],
    ),
    (
        "take-over",
        &[
            hands::a_person_drives_a_robot_whose_software_moves_nothing,
            hands::the_latest_take_over_counts,
            hands::faults_also_affect_a_robot_that_is_taken_over,
            hands::a_robot_that_is_held_reports_no_lack_of_progress,
            hands::a_robot_that_is_taken_over_does_not_block_its_task,
            hands::many_keys_do_not_slow_a_run,
        ],
    ),
    ("release", &[hands::a_released_robot_continues]),
    (
        "repair",
        &[
            hands::one_part_is_repaired_or_everything,
            hands::a_repair_is_not_undone_by_the_end_of_the_fault,
            hands::a_crashed_robot_that_is_repaired_starts_once,
            hands::an_empty_battery_is_exchanged,
        ],
    ),
    (
        "coordinator",
        &[
            hands::another_coordinator_takes_over_and_the_mission_is_completed,
            hands::a_coordinator_is_restored_and_reaches_robots_that_start_later,
        ],
    ),
    (
        "object-added",
        &[
            field::an_added_object_is_sensed_until_it_is_gone,
            field::an_object_waits_while_a_robot_stands_in_its_place,
        ],
    ),
    (
        "object-copied",
        &[
            field::a_copy_has_the_stocks_of_its_original_until_it_is_gone,
            field::a_copy_waits_while_a_robot_stands_in_its_place,
        ],
    ),
    ("object-moved", &[field::a_moved_object_is_moved_back, field::an_object_is_not_moved_onto_a_robot]),
    (
        "object-removed",
        &[
            field::a_removed_object_comes_back_as_it_was,
            field::a_removed_object_waits_for_a_robot_in_its_place,
        ],
    ),
    (
        "object-changed",
        &[field::a_changed_object_is_changed_back, field::an_opened_door_does_not_close_on_a_robot],
    ),
    ("person", &[field::a_person_walks_around_without_hitting_anybody]),
    ("items-added", &[field::added_items_disappear_again]),
    (
        "items-removed",
        &[field::removed_items_come_back_to_where_they_were, hands::an_item_given_by_number_is_removed],
    ),
    (
        "items-moved",
        &[field::moved_items_are_moved_back, hands::an_item_given_by_number_is_moved_out_of_a_gripper],
    ),
    (
        "item-turned",
        &[field::a_turned_item_is_turned_back, field::a_cup_that_is_turned_away_needs_three_fingers],
    ),
    ("area-added", &[field::an_added_area_is_detected_until_it_is_gone]),
    ("area-moved", &[field::a_moved_area_is_detected_elsewhere]),
    ("area-removed", &[field::a_removed_area_is_not_detected]),
    ("area-changed", &[field::a_changed_area_has_another_size_and_kind]),
    ("terrain", &[field::heavy_ground_slows_robots_on_it]),
    ("jammer", &[air::a_jammer_is_heard_while_it_is_on, air::a_jammer_is_changed_and_changed_back]),
    ("link-cut", &[air::a_cut_link_carries_nothing_either_way, air::a_link_between_random_robots_can_be_cut]),
    (
        "partition",
        &[
            air::a_split_team_hears_only_its_own_side,
            air::a_share_of_the_team_is_chosen_by_chance,
            air::a_group_does_not_hear_the_operator,
        ],
    ),
    ("noise", &[air::noise_drowns_everything_while_it_lasts]),
    ("bandwidth", &[air::messages_take_longer_with_less_bandwidth]),
    ("task-added", &[tasks::a_closed_task_is_done_once_it_is_added]),
    (
        "task-cancelled",
        &[tasks::a_cancelled_task_ends_when_the_robots_hear_of_it, tasks::a_cancelled_task_does_not_count],
    ),
    ("task-priority", &[tasks::a_weight_changes_what_is_chosen]),
    (
        "answer",
        &[
            answers::an_answer_reaches_the_robot_that_asked_over_a_lossy_radio,
            answers::an_answer_waits_for_its_question_and_must_be_one_of_the_choices,
            answers::a_restart_or_another_coordinator_clears_questions,
        ],
    ),
];

#[test]
fn every_kind_of_disturbance_has_tests() {
    let tested: Vec<&str> = TESTED.iter().map(|(name, _)| *name).collect();
    let known: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
    assert_eq!(tested, known);
    assert!(TESTED.iter().all(|(_, tests)| !tests.is_empty()));
}
