//! The radio in scenario files and on the command line.

use super::harness::{HEAD, Place, assert_says, check_body, places};
use serde_json::Value;

const PHYSICAL: [&str; 3] = ["wifi-indoor", "wifi-outdoor", "lte"];

/// The lines that a resolved scenario has about its radio.
fn resolved(place: &Place, args: &[&str]) -> String {
    let whole = place.fine(&[&["check", "scenario.yaml", "--resolved"], args].concat());
    let start = whole.find("\nradio:\n").expect("a radio") + 1;
    let lines = whole[start..].lines();
    lines
        .enumerate()
        .take_while(|(n, line)| *n == 0 || line.starts_with(' '))
        .map(|(_, line)| format!("{line}\n"))
        .collect()
}

fn set<'a>(assignments: &[&'a str]) -> Vec<&'a str> {
    assignments.iter().flat_map(|assignment| ["--set", *assignment]).collect()
}

#[test]
fn a_radio_is_a_name_or_a_map() {
    for name in PHYSICAL {
        let by_name = resolved(&Place::with(&format!("radio: {name}\n")), &[]);
        let by_map = resolved(&Place::with(&format!("radio: {{model: {name}}}\n")), &[]);
        assert_eq!(by_name, by_map);
        assert_says(
            &by_name,
            &[&format!("model: {name}\n"), "frequency: ", "noise-floor: null", "floor-plan: "],
        );
        assert_eq!(by_name, resolved(&Place::with(""), &["--set", &format!("radio={name}")]));
    }
    let ideal = resolved(&Place::with("radio: ideal\n"), &[]);
    assert_eq!(ideal, "radio:\n  model: ideal\n  loss: 0.0\n  delay: 0.0\n  range: null\n");
    assert_eq!(ideal, resolved(&Place::with(""), &[]));
}

#[test]
fn a_map_changes_what_the_name_stands_for() {
    let place =
        Place::with("radio: {model: wifi-indoor, power: 10 dBm, shadowing: null, energy: {idle: 100 mW}}\n");
    let said = resolved(&place, &[]);
    assert_says(
        &said,
        &["power: 10.0\n", "path-loss: log-distance\n", "shadowing: null\n", "fading: rician\n"],
    );
    assert_says(&said, &["sensitivity: null", "capture: 10.0", "transmit: 1.14", "idle: 0.1"]);
    for (key, unset) in [("capture", "10.0"), ("shadowing", "\n")] {
        let said = resolved(&place, &set(&[&format!("radio.{key}=null")]));
        assert_says(&said, &[&format!("\n  {key}: null\n")]);
        assert!(!said.contains(&format!("\n  {key}: {unset}")), "{said}");
    }
}

#[test]
fn the_model_comes_first_whatever_the_order() {
    let place = Place::with("radio: {model: wifi-indoor, height: 2 m}\n");
    let orders: [&[&str]; 4] = [
        &["radio=lte", "radio.power=3 dBm"],
        &["radio.power=3 dBm", "radio=lte"],
        &["radio.power=3 dBm", "radio.model=lte"],
        &["radio={model: lte}", "radio.power=3 dBm"],
    ];
    let expected = resolved(&Place::with("radio: {model: lte, power: 3 dBm}\n"), &[]);
    for order in orders {
        assert_eq!(resolved(&place, &set(order)), expected, "{order:?}");
    }
    // Without another model, only the given keys change.
    assert_says(
        &resolved(&place, &set(&["radio.power=3 dBm"])),
        &["model: wifi-indoor", "power: 3.0", "height: 2.0"],
    );
    assert_says(
        &resolved(&place, &set(&["radio={power: 3 dBm}"])),
        &["model: wifi-indoor", "power: 3.0", "height: 2.0"],
    );
    assert_eq!(resolved(&place, &set(&["radio=ideal"])), resolved(&Place::with(""), &[]));
}

#[test]
fn another_model_inherits_nothing_from_included_files() {
    let place = Place::new();
    place.write("indoor.yaml", "radio: {model: wifi-indoor, height: 2 m}\n");
    for (radio, parts) in [
        ("{model: lte}", ["model: lte", "height: 1.5"]),
        ("lte", ["model: lte", "height: 1.5"]),
        ("{power: 3 dBm}", ["power: 3.0", "height: 2.0"]),
        ("wifi-indoor", ["model: wifi-indoor", "height: 1.0"]),
    ] {
        place.write("scenario.yaml", format!("{HEAD}include: [indoor.yaml]\nradio: {radio}\n"));
        assert_says(&resolved(&place, &[]), &parts);
    }
}

#[test]
fn mistakes_are_pointed_at() {
    let rows: [(&str, &[&str]); 15] = [
        ("radio: $0wifi-indor\n", &["unknown value `wifi-indor`", "did you mean `wifi-indoor`?", "`lte`"]),
        (
            "radio: $05\n",
            &["expected one of `ideal`, `wifi-indoor`, `wifi-outdoor`, `lte` or a map, found the number 5"],
        ),
        (
            "radio: {model: lte, $0powr: 3}\n",
            &["unknown key `powr`", "not a key of `radio`", "did you mean `power`?"],
        ),
        (
            "radio: {$0power: 3 dBm}\n",
            &[
                "unknown key `power`",
                "accepted keys: `model`, `loss`",
                "physical radios have `power`: wifi-indoor, ",
            ],
        ),
        ("radio: {model: lte, $0range: 3 m}\n", &["unknown key `range`", "the ideal radio has `range`"]),
        (
            "radio: {model: lte, frequency: $01 kHz}\n",
            &["`radio.frequency` must be at least 1000000 Hz, found `1 kHz`"],
        ),
        (
            "radio: {model: lte, frequency: $0500 GHz}\n",
            &["must be at most 300000000000 Hz, found `500 GHz`"],
        ),
        (
            "radio: {model: lte, bandwidth: $00 MHz}\n",
            &["`radio.bandwidth` must be at least 1000 Hz, found `0 MHz`"],
        ),
        (
            "radio: {model: lte, power: $0200 dBm}\n",
            &["`radio.power` must be at most 80 dBm, found `200 dBm`"],
        ),
        (
            "radio: {model: lte, power: $03 W}\n",
            &["expected a power level such as `20 dBm`", "which is a power"],
        ),
        ("radio: {model: lte, antenna-gain: $03 dBm}\n", &["`3 dBm`, which is a power level"]),
        (
            "radio: {model: lte, path-loss: $0frii}\n",
            &["unknown value `frii`", "did you mean `friis`?", "`two-ray`"],
        ),
        (
            "radio: {model: lte, shadowing: {$0sigma: 3 dB}}\n",
            &["unknown key `sigma`", "`deviation`, `correlation`"],
        ),
        ("radio: {model: lte, shadowing: {deviation: $040 dB}}\n", &["must be at most 30 dB, found `40 dB`"]),
        ("radio: {model: lte, streams: $01.5}\n", &["must be a whole number, found `1.5`"]),
    ];
    for (body, parts) in rows {
        check_body(body, parts);
    }
    let said = Place::with("").refused(&["check", "scenario.yaml", "--set", "radio.model=let"]);
    assert_says(&said, &["unknown value `let` for `radio.model`", "--set:1:13", "did you mean `lte`?"]);
}

#[test]
fn mistakes_in_noise_floors_are_pointed_at() {
    let rows: [(&str, &[&str]); 10] = [
        ("{rows: $0[]}", &["at least one row with one level"]),
        ("{rows: $0[[-90, -80], [-70]]}", &["row 2 has 1 levels, the first has 2"]),
        ("{rows: $0[[-90, 90]]}", &["noise of 90 dBm", "-200 to 60 dBm are accepted"]),
        ("{rows: [[$0-90 m]]}", &["expected a power level", "`-90 m`, which is a length"]),
        ("{$0functon: x}", &["unknown key `functon`", "did you mean `function`?", "`rows`"]),
        ("{function: $0x +}", &["column 4: found the end"]),
        ("{function: $0x / 0}", &["dBm are accepted"]),
        ("{random: $0{low: -80, high: -90}}", &["the lower level must come first"]),
        ("{random: {low: -80, high: $090 dBm}}", &["must be at most 60 dBm, found `90 dBm`"]),
        ("{image: {file: $0noise.png, low: -90, high: -70}}", &["cannot read noise.png: No such file"]),
    ];
    for (floor, parts) in rows {
        check_body(&format!("radio: {{model: wifi-outdoor, noise-floor: {floor}}}\n"), parts);
    }
}

/// A grey PNG picture without compression.
fn png(columns: u32, rows: u32, grey: &[u8]) -> Vec<u8> {
    let crc = |bytes: &[u8]| {
        let step = |crc: u32, byte: &u8| {
            (0..8)
                .fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg()))
        };
        !bytes.iter().fold(!0, step)
    };
    let chunk = |kind: &[u8], data: &[u8]| {
        let body = [kind, data].concat();
        [&(data.len() as u32).to_be_bytes()[..], &body, &crc(&body).to_be_bytes()].concat()
    };
    let header = [&columns.to_be_bytes()[..], &rows.to_be_bytes(), &[8, 0, 0, 0, 0]].concat();
    let lines: Vec<u8> = grey.chunks(columns as usize).flat_map(|row| [&[0], row].concat()).collect();
    let (a, b) = lines.iter().fold((1u32, 0u32), |(a, b), byte| {
        let a = (a + u32::from(*byte)) % 65521;
        (a, (a + b) % 65521)
    });
    let length = (lines.len() as u16).to_le_bytes();
    let inverse = (!(lines.len() as u16)).to_le_bytes();
    let data = [&[0x78, 0x01, 0x01][..], &length, &inverse, &lines, &((b << 16) | a).to_be_bytes()].concat();
    [b"\x89PNG\r\n\x1a\n".to_vec(), chunk(b"IHDR", &header), chunk(b"IDAT", &data), chunk(b"IEND", &[])]
        .concat()
}

#[test]
fn a_picture_becomes_rows() {
    let image = "radio: {model: wifi-outdoor, noise-floor: {image: {file: noise.png, low: -100 dBm, high: -49 dBm}}}\n";
    let place = Place::with(image);
    // The world of waste-cleanup is 12 m x 8 m.
    place.write("noise.png", png(3, 2, &[0, 5, 10, 255, 100, 50]));
    let said = resolved(&place, &[]);
    assert_says(
        &said,
        &["noise-floor:", "rows:", "- [-100.0, -99.0, -98.0]", "- [-49.0, -80.0, -90.0]", "cell: 4.0"],
    );
    assert!(!said.contains("image"), "{said}");
    place.write("noise.png", png(3, 3, &[0; 9]));
    let refused = place.refused(&["check", "scenario.yaml"]);
    assert_says(&refused, &["3 x 3 pixels, the world 12 m x 8 m: 3 x 2 or "]);
    assert_eq!(places(&refused), ["scenario.yaml:3:58"]);
    place.write("noise.png", "this is no picture");
    assert_says(&place.refused(&["check", "scenario.yaml"]), &["noise.png is not a PNG image: "]);
    let whole = png(3, 2, &[0; 6]);
    for length in (0..whole.len() - 12).step_by(7) {
        place.write("noise.png", &whole[..length]);
        assert_says(&place.refused(&["check", "scenario.yaml"]), &["noise.png is not a PNG image: "]);
    }
    place.write("noise.png", png(1200, 800, &[]));
    assert_says(
        &place.refused(&["check", "scenario.yaml"]),
        &["1200 x 800 pixels; at most 250000 are accepted"],
    );
}

#[test]
fn the_written_scenario_gives_the_same_result() {
    let floors =
        ["null", "{random: {low: -100, high: -60}}", "{image: {file: noise.png, low: -100, high: -50}}"];
    for (radio, floor) in PHYSICAL.iter().zip(floors) {
        let place =
            Place::with(&format!("radio: {{model: {radio}, noise-floor: {floor}}}\nrun: {{until: 20 s}}\n"));
        place.write("noise.png", png(3, 2, &[0, 128, 255, 255, 64, 0]));
        let run = |scenario: &str, out: &str| {
            let outcome = place.crewlab(&["run", scenario, "-q", "--out", out]);
            assert_eq!((outcome.code, outcome.err.as_str()), (3, ""), "{radio}");
            place.json(&format!("{out}/summary.json"))["result_hash"].clone()
        };
        let first = run("scenario.yaml", "first");
        // Only the results folder is needed.
        std::fs::remove_file(place.path("noise.png")).expect("a file");
        assert_eq!(first, run("first/scenario.yaml", "again"), "{radio}");
        assert_eq!(place.read("first/scenario.yaml"), place.read("again/scenario.yaml"));
    }
}

#[test]
fn the_schema_knows_both_forms() {
    let schema: Value = serde_json::from_str(&Place::new().fine(&["schema"])).expect("JSON");
    let radio = &schema["properties"]["radio"];
    assert!(radio["description"].as_str().is_some_and(|text| text.contains("name")), "{radio}");
    let [name, ideal, physical] = radio["anyOf"].as_array().expect("forms").as_slice() else {
        panic!("{radio}")
    };
    assert_eq!(name["enum"].as_array().map(Vec::len), Some(4));
    for map in [ideal, physical] {
        assert_eq!((&map["additionalProperties"], map.get("required")), (&Value::Bool(false), None));
        let described = |property: &Value| property["description"].is_string();
        assert!(map["properties"].as_object().expect("keys").values().all(described));
    }
    let power = &physical["properties"]["power"];
    assert_eq!((&power["minimum"], &power["maximum"]), (&(-60.0).into(), &80.0.into()));
    assert!(power["pattern"].as_str().is_some_and(|pattern| pattern.contains("dBm")));
    assert_eq!(power.get("default"), None);
    assert_eq!(physical["properties"]["capture"]["type"], serde_json::json!(["number", "null", "string"]));
}
