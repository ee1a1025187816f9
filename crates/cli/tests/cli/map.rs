//! `crewlab map`: a log in; a map, a path and errors out; and what it says about damaged logs.

use crate::harness::{Place, assert_says};
use std::f64::consts::TAU;
use std::fmt::Write;

const RAYS: usize = 61;
const KEYS: [&str; 11] = [
    "scans",
    "out_of_order",
    "without_points",
    "particles",
    "resolution_m",
    "ate_rmse_m",
    "ate_odometry_m",
    "rpe_m",
    "rpe_deg",
    "ms_per_scan",
    "realtime_factor",
];

/// The distance to the walls of a room of 8 m x 6 m with a block from (3, 2) to (5, 4).
fn range(x: f64, y: f64, angle: f64) -> f64 {
    let (sin, cos) = angle.sin_cos();
    let walls = [(0.0, 0.0, 8.0, 6.0), (3.0, 2.0, 5.0, 4.0)];
    let hits = walls.iter().flat_map(|(left, bottom, right, top)| {
        let upright = [left, right].map(|wall| (wall - x) / cos);
        let level = [bottom, top].map(|wall| (wall - y) / sin);
        let upright = upright.map(|at| (at, (*bottom..=*top).contains(&(y + at * sin))));
        let level = level.map(|at| (at, (*left..=*right).contains(&(x + at * cos))));
        upright.into_iter().chain(level)
    });
    hits.filter(|(at, meets)| *at > 0.0 && *meets).map(|(at, _)| at).fold(80.0, f64::min)
}

/// A round through the room; odometry turns 4 % too far.
fn log() -> String {
    let mut text = String::from("t,odom_x,odom_y,odom_theta,ref_x,ref_y,ref_theta");
    (0..RAYS).for_each(|ray| text += &format!(",r{ray}"));
    let (mut x, mut y, mut heading) = (4.0_f64, 1.0_f64, 0.0_f64);
    let (mut odom_x, mut odom_y, mut odom_heading) = (x, y, heading);
    for step in 0..48 {
        let values = [odom_x, odom_y, odom_heading, x, y, heading];
        let _ = write!(text, "\n{}", 0.5 * f64::from(step));
        values.iter().for_each(|value| text += &format!(",{value:.5}"));
        for ray in 0..RAYS {
            let angle = heading + (-90.0 + 3.0 * ray as f64).to_radians();
            text += &format!(",{:.3}", range(x, y, angle));
        }
        let turn = TAU / 40.0;
        (heading, odom_heading) = (heading + turn, odom_heading + 1.04 * turn);
        (x, y) = (x + 0.31 * heading.cos(), y + 0.31 * heading.sin());
        (odom_x, odom_y) = (odom_x + 0.31 * odom_heading.cos(), odom_y + 0.31 * odom_heading.sin());
    }
    text + "\n"
}

#[test]
fn a_log_becomes_a_map_a_path_and_errors() {
    let place = Place::new();
    place.write("log.csv", log());
    let out = place.fine(&["map", "log.csv", "--particles", "15", "--out", "room", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    let keys: Vec<&String> = json.as_object().expect("an object").keys().collect();
    assert_eq!(keys, KEYS);
    assert_eq!((json["scans"].as_u64(), json["particles"].as_u64()), (Some(48), Some(15)));
    let (path, odometry) = (json["ate_rmse_m"].as_f64(), json["ate_odometry_m"].as_f64());
    assert!(path < odometry && path < Some(0.15), "{path:?} {odometry:?}");
    assert_says(
        &place.read("room/map.yaml"),
        &["image: map.pgm", "resolution: 0.15", "occupied_thresh: 0.65"],
    );
    assert_eq!(place.read("room/trajectory.csv").lines().count(), 49);
    assert!(place.read("room/map.svg").contains("estimated path"));
    assert_eq!(place.json("room/summary.json")["scans"], 48);
}

/// Recorded logs have clocks that were set back: their lines are in order all the same.
#[test]
fn scans_are_taken_in_the_order_of_their_lines() {
    let place = Place::new();
    place.write("log.csv", log());
    place.write("back.csv", log().replacen("\n1,", "\n0.2,", 1).replacen("\n7,", "\n6.4,", 1));
    let map = |file: &str| -> serde_json::Value {
        serde_json::from_str(&place.fine(&["map", file, "--particles", "5", "--json"])).expect("JSON")
    };
    let (known, found) = (map("log.csv"), map("back.csv"));
    assert_eq!((&known["out_of_order"], &found["out_of_order"]), (&0.into(), &2.into()));
    assert_eq!((&found["scans"], &found["ate_rmse_m"]), (&known["scans"], &known["ate_rmse_m"]));
    let text = place.fine(&["map", "back.csv", "--particles", "5"]);
    assert_says(&text, &["out of order         2 by their time"]);
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let place = Place::new();
    place.write("log.csv", log());
    for folder in ["a", "b"] {
        place.fine(&["map", "log.csv", "--particles", "5", "--seed", "7", "--out", folder]);
    }
    for file in ["map.pgm", "map.yaml", "trajectory.csv", "map.svg"] {
        assert_eq!(
            std::fs::read(place.path(&format!("a/{file}"))).ok(),
            std::fs::read(place.path(&format!("b/{file}"))).ok()
        );
    }
}

#[test]
fn damaged_logs_are_refused_with_their_line() {
    let place = Place::new();
    place.write("short.csv", log().replacen("\n1,", "\n1,0,", 1));
    assert_says(&place.refused(&["map", "short.csv"]), &["short.csv", "line 4", "columns are named"]);
    place.write("empty.csv", "");
    assert_says(&place.refused(&["map", "empty.csv"]), &["the log has no scans"]);
    place.write("cut.csv.gz", [0x1f, 0x8b, 8, 0, 0, 0, 0, 0]);
    assert_says(&place.refused(&["map", "cut.csv.gz"]), &["cut.csv.gz", "cannot be read"]);
    place.write("log.csv", log());
    assert_says(&place.refused(&["map", "log.csv", "--likelihood", "ndtt"]), &["did you mean `ndt`?"]);
    assert_says(&place.refused(&["map", "none.csv"]), &["none.csv"]);
    std::fs::create_dir(place.path("there")).expect("a folder");
    assert_says(&place.refused(&["map", "log.csv", "--out", "there"]), &["there exists already", "--force"]);
}
