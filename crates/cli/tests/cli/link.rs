//! `crewlab link`: every published figure, and typical input.

use super::harness::{HEAD, Place, assert_says};
use serde_json::Value;

fn link(place: &Place, args: &[&str]) -> Value {
    serde_json::from_str(&place.fine(&[&["link", "--json"], args].concat())).expect("JSON")
}

fn near(found: &Value, expected: f64, slack: f64) -> bool {
    (found.as_f64().expect("a number") - expected).abs() <= slack
}

/// Received power at 20 dBm without gains, as published to three digits.
#[test]
fn received_powers_are_as_published() {
    let place = Place::new();
    let rows = [
        ("friis", "2.4 GHz", "10m", -40.052),
        ("friis", "2.4 GHz", "100m", -60.052),
        ("friis", "2.4 GHz", "500 m", -74.031),
        ("friis", "5 GHz", "0.1 km", -66.427),
        ("log-distance", "2.4 GHz", "100m", -74.046),
        ("two-ray", "2.4 GHz", "100m", -60.052),
        ("two-ray", "2.4 GHz", "200m", -72.041),
        ("two-ray", "2.4 GHz", "500m", -87.959),
    ];
    for radio in ["wifi-outdoor", "wifi-indoor"] {
        for (path_loss, frequency, distance, expected) in rows {
            let sets = [
                format!("path-loss={path_loss}"),
                format!("frequency={frequency}"),
                "exponent=2.7".into(),
                "power=20 dBm".into(),
                "height=1 m".into(),
            ];
            let mut args = vec!["--radio", radio, "--distance", distance];
            sets.iter().for_each(|set| args.extend(["--set", set]));
            let rx = &link(&place, &args)["rx_dbm"];
            assert!(near(rx, expected, 5e-4), "{radio} {path_loss} {frequency} {distance}: {rx}");
        }
    }
}

#[test]
fn a_jammer_of_equal_power_is_as_bad_as_it_is_near() {
    let place = Place::new();
    for (sender, jammer) in [(100.0, 300.0), (50.0, 37.0), (80.0, 80.0)] {
        let (distance, jammer_arg) = (format!("{sender}m"), format!("20dBm@{jammer}m"));
        let args = [
            "--radio",
            "wifi-outdoor",
            "--set",
            "path-loss=friis",
            "--set",
            "thermal-noise=false",
            "--distance",
            &distance,
            "--jammer",
            &jammer_arg,
        ];
        let expected = 20.0 * f64::log10(jammer / sender);
        assert!(near(&link(&place, &args)["sinr_db"], expected, 1e-9), "{sender} {jammer}");
    }
}

#[test]
fn noise_is_as_published() {
    let args = ["--radio", "wifi-outdoor", "--distance", "10m"];
    // -174 dBm/Hz in 20 MHz with a noise figure of 7 dB.
    let quiet = link(&Place::new(), &args);
    assert!(near(&quiet["noise_dbm"], -93.99, 1e-3), "{quiet}");
    // Equal additional noise adds 3.01 dB.
    let noisy = link(&Place::new(), &[&args[..], &["--noise", "-93.99dBm"]].concat());
    assert!(near(&noisy["noise_dbm"], -93.99 + 3.0103, 1e-3), "{noisy}");
}

/// When the noise is set so that the SINR is a mode's a, 200 bytes arrive with probability exp(-exp(0)).
#[test]
fn success_follows_the_published_table() {
    let place = Place::new();
    for (noise, expected) in [("-59.452", (-1f64).exp()), ("-79.452", 1.0)] {
        let sets = ["--set", "path-loss=friis", "--set", "thermal-noise=false", "--distance", "100m"];
        let found = link(&place, &[&["--radio", "wifi-outdoor", "--noise", noise], &sets[..]].concat());
        // BPSK 1/2: a = -0.60.
        assert_eq!(found["broadcast"]["mode"], "BPSK 1/2");
        assert_eq!(found["broadcast"]["rate_mbps"], 6.0);
        assert!(near(&found["broadcast"]["success"], expected, 1e-3), "{found}");
    }
}

#[test]
fn the_ideal_profile_gives_72_megabits_on_10_megahertz() {
    let args = [
        "--radio",
        "wifi-outdoor",
        "--set",
        "profile=ofdm-ideal",
        "--set",
        "bandwidth=10 MHz",
        "--distance",
        "1m",
    ];
    assert!(near(&link(&Place::new(), &args)["rate_mbps"], 72.0, 1e-9));
}

#[test]
fn walls_are_counted_and_materials_known() {
    let place = Place::new();
    let rx = |walls: &[&str]| {
        let walls: Vec<&str> = walls.iter().flat_map(|wall| ["--walls", *wall]).collect();
        link(&place, &[&["--radio", "wifi-outdoor", "--distance", "50m"], &walls[..]].concat())["rx_dbm"]
            .as_f64()
            .expect("a number")
    };
    let free = rx(&[]);
    for (walls, damping) in [
        (&["2x12dB"][..], 24.0),
        (&["12 dB"], 12.0),
        (&["2 x 12 dB", "5dB"], 29.0),
        (&["wood"], 4.0),
        (&["inner-wall"], 5.0),
        (&["concrete-with-windows"], 7.0),
        (&["3xstone"], 36.0),
        (&["2xconcrete", "wood"], 34.0),
    ] {
        assert!((free - rx(walls) - damping).abs() < 1e-9, "{walls:?}");
    }
}

#[test]
fn the_table_has_every_line() {
    let place = Place::new();
    let table = place.fine(&["link", "--radio", "wifi-outdoor", "--distance", "200m", "--walls", "2x12dB"]);
    assert_says(
        &table,
        &[
            "power                  20.000 dBm ",
            "path loss             -92.041 dB      two-ray over 200 m at 2.4 GHz\n",
            "walls                 -24.000 dB      2 of 12 dB each",
            "received power        -96.041 dBm ",
            "thermal noise         -93.990 dBm ",
            "signal against noise   -2.051 dB ",
            "rate                    6.000 Mbit/s  BPSK 1/2",
            "success ",
            "delay ",
        ],
    );
    let json = link(&place, &["--radio", "wifi-indoor", "--distance", "20m", "--bytes", "100"]);
    for key in ["rx_dbm", "noise_dbm", "sinr_db", "rate_mbps", "success", "delay_ms", "distance_m"] {
        assert!(json[key].is_number(), "{key}");
        let delivery = ["rate_mbps", "success", "delay_ms"].contains(&key);
        assert!(!delivery || json["broadcast"][key].is_number(), "{key}");
    }
    assert!(json["mode"].is_string() && json["broadcast"]["mode"].is_string());
    let names: Vec<&str> =
        json["lines"].as_array().expect("lines").iter().filter_map(|line| line["name"].as_str()).collect();
    assert!(names.starts_with(&["power", "antenna gains", "path loss"]), "{names:?}");
}

#[test]
fn infinities_are_null() {
    let args = ["--radio", "lte", "--set", "thermal-noise=false", "--distance", "1km"];
    let json = link(&Place::new(), &args);
    assert!(json["noise_dbm"].is_null() && json["sinr_db"].is_null() && json["success"] == 1.0, "{json}");
}

#[test]
fn radios_come_from_files_too() {
    let place = Place::new();
    place.write("scenario.yaml", format!("{HEAD}radio: {{model: wifi-outdoor, power: 10 dBm}}\n"));
    place.write("part.yaml", "radio: {model: wifi-outdoor, power: 10 dBm}\n");
    place.write("keys.yaml", "model: wifi-outdoor\npower: 10 dBm\n");
    place.write("mine.yaml", format!("{HEAD}include: [part.yaml]\n"));
    for file in ["scenario.yaml", "part.yaml", "keys.yaml", "mine.yaml"] {
        let json = link(&place, &["--radio", file, "--distance", "100m"]);
        assert!(near(&json["rx_dbm"], -70.052, 5e-4), "{file}: {json}");
        let set = ["--radio", file, "--distance", "100m", "--set", "power=20 dBm"];
        assert!(near(&link(&place, &set)["rx_dbm"], -60.052, 5e-4), "{file}");
        let lte = ["--radio", file, "--distance", "100m", "--set", "power=1 dBm", "--set", "model=lte"];
        assert_eq!(link(&place, &lte)["broadcast"]["mode"], "MCS 0", "{file}");
    }
    // The scenario that a run writes is accepted as well.
    place.crewlab(&["run", "scenario.yaml", "-q", "--set", "run.until=1s", "--out", "results"]);
    let json = link(&place, &["--radio", "results/scenario.yaml", "--distance", "100m"]);
    assert!(near(&json["rx_dbm"], -70.052, 5e-4), "{json}");
    place.write("floor.yaml", "model: lte\nnoise-floor: {function: x}\n");
    assert_says(
        &place.fine(&["link", "--radio", "floor.yaml", "--distance", "1m"]),
        &["noise floor depends on the place"],
    );
}

#[test]
fn impossible_links_are_refused() {
    let place = Place::new();
    place.write("list.yaml", "- a\n");
    place.write("empty.yaml", "");
    place.write("typo.yaml", "model: lte\npowr: 3\n");
    let rows: [(&[&str], &[&str]); 11] = [
        (&["ideal"], &["the ideal radio has no link budget", "wifi-outdoor"]),
        (&["waste-cleanup"], &["the ideal radio has no link budget"]),
        (
            &["wifi-indor"],
            &["there is no radio and no file `wifi-indor`", "did you mean `wifi-indoor`?", "lte"],
        ),
        (&["list.yaml"], &["found a list", "list.yaml:1:1"]),
        (&["empty.yaml"], &["missing key `model`"]),
        (&["typo.yaml"], &["unknown key `powr`", "typo.yaml:2:1", "did you mean `power`?"]),
        (&["lte", "--set", "powr=3"], &["unknown key `powr`", "did you mean `power`?"]),
        (&["lte", "--set", "power=300 dBm"], &["must be at most 80 dBm, found `300 dBm`"]),
        (&["lte", "--set", "power"], &["missing `=`"]),
        (&["lte", "--set", "path-loss=cubic"], &["unknown value `cubic`", "`log-distance`"]),
        (&["lte", "--bytes", "5000"], &["at most 2304 bytes, found 5000"]),
    ];
    for (args, parts) in rows {
        let said = place.refused(&[&["link", "--distance", "10m", "--radio"], args].concat());
        assert_says(&said, parts);
    }
}

#[test]
fn wrong_arguments_exit_with_2() {
    let place = Place::new();
    let rows: [(&[&str], &[&str]); 9] = [
        (&["--distance", "3m"], &["--radio <NAME_OR_FILE>"]),
        (&["--radio", "lte"], &["--distance <LENGTH>"]),
        (&["--radio", "lte", "--distance", "3 s"], &["invalid value '3 s' for '--distance", "a length"]),
        (&["--radio", "lte", "--distance", "-3m"], &["must be above 0 m"]),
        (
            &["--radio", "lte", "--distance", "3m", "--walls", "2xcheese"],
            &["no material `cheese`", "concrete"],
        ),
        (&["--radio", "lte", "--distance", "3m", "--walls", "2x900dB"], &["between 0 dB and 200 dB"]),
        (&["--radio", "lte", "--distance", "3m", "--jammer", "20dBm"], &["POWER@DISTANCE"]),
        (&["--radio", "lte", "--distance", "3m", "--noise", "3 W"], &["a power level"]),
        (&["--radio", "lte", "--distance", "3m", "--bytes", "0"], &["'0' for '--bytes"]),
    ];
    for (args, parts) in rows {
        let outcome = place.crewlab(&[&["link"], args].concat());
        assert_eq!((outcome.code, outcome.out.as_str()), (2, ""), "{args:?}");
        assert_says(&outcome.err, parts);
    }
}
