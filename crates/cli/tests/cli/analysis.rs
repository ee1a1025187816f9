//! `crewlab analyse`, `crewlab learn-model` and `crewlab ask`.

use crate::harness::{Outcome, Place};

/// Trips whose cost depends on the crowd, and on nothing else.
fn trips() -> String {
    let mut text = "crowd,wind,cost\n".to_string();
    for trip in 0..200 {
        let (crowd, wind) = (trip % 2, trip / 2 % 3);
        let cost = 10 * crowd + trip % 10;
        text += &format!("{},{wind},{cost}.5\n", if crowd == 1 { "high" } else { "low" });
    }
    text
}

fn refused(outcome: &Outcome, words: &[&str]) {
    assert_ne!(outcome.code, 0, "{}", outcome.out);
    words.iter().for_each(|word| assert!(outcome.err.contains(word), "{word}: {}", outcome.err));
}

#[test]
fn a_model_from_a_table_answers_questions() {
    let place = Place::new();
    place.write("trips.csv", trips());
    let learned = place.crewlab(&["learn-model", "trips.csv", "--out", "model.json", "--method", "quantile"]);
    assert_eq!(learned.code, 0, "{}", learned.err);
    assert!(learned.out.contains("the optimum"), "{}", learned.out);
    let ask = |crowd: &str| -> serde_json::Value {
        let given = format!("crowd={crowd}");
        let args = ["ask", "model.json", "--given", &given, "--query", "cost", "--json"];
        serde_json::from_str(&place.crewlab(&args).out).unwrap()
    };
    let (low, high) = (ask("low"), ask("high"));
    assert!(high["mean"].as_f64() > low["mean"].as_f64(), "{low} {high}");
    assert!(high["quantile_bound"].as_f64() >= high["quantile_interpolated"].as_f64());
    assert_eq!(high["support"], 100);
    // A number stands for its interval.
    let back = place.crewlab(&["ask", "model.json", "--given", "cost=19", "--query", "crowd"]);
    assert!(back.out.contains("high                 0.99"), "{}", back.out);
    // Everything again gives the same bytes.
    let again = place.crewlab(&["learn-model", "trips.csv", "--out", "again.json", "--method", "quantile"]);
    assert_eq!(again.code, 0);
    assert_eq!(place.read("model.json"), place.read("again.json"));
}

#[test]
fn wishes_for_a_structure_are_fulfilled() {
    let place = Place::new();
    place.write("trips.csv", trips());
    let learn = |name: &str, more: &[&str]| {
        place.crewlab(&[&["learn-model", "trips.csv", "--json", "--out", name], more].concat())
    };
    let fixed: serde_json::Value =
        serde_json::from_str(&learn("fixed", &["--edge", "wind:cost"]).out).unwrap();
    assert_eq!(fixed["found"]["structure"], serde_json::json!([[], [], [1]]));
    assert!(fixed["found"]["certificate"].is_null());
    let wanted = ["--require", "wind:crowd", "--forbid", "crowd:cost", "--forbid", "cost:crowd"];
    let wanted: serde_json::Value = serde_json::from_str(&learn("wanted", &wanted).out).unwrap();
    assert_eq!(wanted["found"]["structure"][0], serde_json::json!([1]));
    refused(&learn("x", &["--require", "moon:cost"]), &["moon", "crowd, wind, cost"]);
    refused(&learn("x", &["--require", "wind:cost", "--require", "cost:wind"]), &["a cycle"]);
    refused(&learn("x", &["--edge", "wind"]), &["PARENT:CHILD"]);
    refused(&learn("x", &["--method", "magic"]), &["uniform, quantile, entropy"]);
    refused(&learn("x", &["--method", "entropy"]), &["--target"]);
    refused(&learn("x", &["--prior", "0"]), &["1e-6"]);
    refused(&learn("fixed", &[]), &["exists already", "--force"]);
}

#[test]
fn tables_that_cannot_be_learned_from_are_refused() {
    let place = Place::new();
    let many: Vec<String> = (0..65).map(|column| format!("c{column}")).collect();
    let cases: [(String, &[&str]); 6] = [
        (String::new(), &["0", "1 to 64"]),
        ("a,a\n1,2\n".into(), &["the name a twice", "rename"]),
        ("a,b\n1\n".into(), &["row 1", "1 cells", "2 cells"]),
        ("a,b\n".into(), &["at least one row"]),
        ("a,b\n1,\n,2\n".into(), &["2 rows, all with missing values"]),
        (many.join(",") + "\n" + &vec!["1"; 65].join(",") + "\n", &["65", "leave some out"]),
    ];
    for (text, words) in cases {
        place.write("table.csv", &text);
        refused(&place.crewlab(&["learn-model", "table.csv", "--out", "model.json"]), words);
        assert!(!place.exists("model.json"), "{text}");
    }
    refused(&place.crewlab(&["learn-model", "nothing.csv", "--out", "model.json"]), &["nothing.csv"]);
}

#[test]
fn odd_tables_can_be_learned_from() {
    let place = Place::new();
    // One row; a constant column; a hundred states; sixty columns.
    let states: String = (0..300).map(|row| format!("s{},{}\n", row % 100, row % 2)).collect();
    let wide = |row: usize| {
        (0..60).map(|column| ((row * (column + 3)) % 7 % 2).to_string()).collect::<Vec<_>>().join(",")
    };
    let names: Vec<String> = (0..60).map(|column| format!("c{column}")).collect();
    let columns: String = names.join(",") + "\n" + &(0..40).map(|row| wide(row) + "\n").collect::<String>();
    for (text, word) in [
        ("a,b\n1,2\n".to_string(), "the optimum"),
        ("a,b\n1,5\n2,5\n1,5\n".to_string(), "constant             b"),
        ("a,b\n".to_string() + &states, "the optimum"),
        (columns, "up to 28 columns can be proven"),
    ] {
        place.write("table.csv", &text);
        let learned =
            place.crewlab(&["learn-model", "table.csv", "--out", "model.json", "--force", "--steps", "200"]);
        assert!(learned.code == 0 && learned.out.contains(word), "{} {}", learned.out, learned.err);
        assert!(!learned.out.contains("NaN"));
    }
}

#[test]
fn questions_that_make_no_sense_are_refused_and_unseen_evidence_is_told() {
    let place = Place::new();
    place.write("trips.csv", "crowd,wind,cost\nlow,1,cheap\nlow,2,cheap\nhigh,1,dear\n");
    let edges = ["--edge", "crowd:cost", "--edge", "wind:cost"];
    assert_eq!(
        place.crewlab(&[&["learn-model", "trips.csv", "--out", "model.json"][..], &edges].concat()).code,
        0
    );
    let ask = |more: &[&str]| place.crewlab(&[&["ask", "model.json"], more].concat());
    refused(&ask(&["--query", "coast"]), &["coast", "did you mean `cost`"]);
    refused(&ask(&["--query", "cost", "--given", "crowd=hihg"]), &["hihg", "did you mean `high`"]);
    refused(&ask(&["--query", "cost", "--given", "crowd"]), &["COLUMN=STATE"]);
    refused(&ask(&["--query", "cost", "--given", "cost=dear"]), &["cost is what --query asks for"]);
    refused(&ask(&["--query", "cost", "--given", "wind=1", "--given", "wind=2"]), &["wind is given twice"]);
    refused(&ask(&["--query", "cost", "--level", "2"]), &["0 to 1"]);
    let never = ask(&["--query", "cost", "--given", "crowd=high", "--given", "wind=2"]);
    assert!(never.code == 0 && never.err.contains("never seen"), "{}", never.err);
    assert!(never.out.contains("0.5000"), "{}", never.out);
    place.write("broken.json", &place.read("model.json")[..100]);
    refused(&place.crewlab(&["ask", "broken.json", "--query", "cost"]), &["damaged", "learn-model"]);
    place.write("other.json", place.read("model.json").replace("\"version\":1", "\"version\":9"));
    refused(
        &place.crewlab(&["ask", "other.json", "--query", "cost"]),
        &["version 9", "learn the model again"],
    );
}

#[test]
fn recorded_runs_are_analysed() {
    let place = Place::new();
    for scenario in ["city-sidewalk", "city-zone"] {
        let out = format!("runs/{scenario}");
        let run = place.crewlab(&["run", scenario, "--out", &out, "--quiet", "--set", "run.until=60 s"]);
        assert!(place.exists(&format!("{out}/indicators.csv")), "{}", run.err);
    }
    let analysed = place.crewlab(&["analyse", "runs", "--out", "analysis", "--method", "quantile"]);
    assert_eq!(analysed.code, 0, "{}", analysed.err);
    for words in ["the optimum", "city-sidewalk", "city-zone", "ranking"] {
        assert!(analysed.out.contains(words), "{words}: {}", analysed.out);
    }
    for file in ["graph", "ties", "samples", "marginals", "acceptance"] {
        assert!(place.read(&format!("analysis/plots/{file}.svg")).ends_with("</svg>"), "{file}");
    }
    let analysis = place.json("analysis/analysis.json");
    assert_eq!(analysis["environments"].as_array().unwrap().len(), 3);
    assert!(place.read("analysis/report.html").contains("city-zone"));
    let asked =
        place.crewlab(&["ask", "analysis/model.json", "--query", "speed", "--given", "map-uncertainty=high"]);
    assert_eq!(asked.code, 0, "{}", asked.err);
    // Rows in which the robot stands are left out, and there are fewer.
    let rows = |arguments: &[&str]| {
        let json = place.crewlab(&[&["analyse", "runs", "--json"], arguments].concat());
        let analysis: serde_json::Value = serde_json::from_str(&json.out).expect("JSON");
        analysis["environments"][0]["rows"].as_u64().expect("rows")
    };
    let (all, moving) = (rows(&[]), rows(&["--where", "speed>0.05"]));
    assert!(0 < moving && moving < all, "{moving} of {all} rows");
    assert_eq!(rows(&["--where", "speed>0.05", "--where", "speed<9"]), moving);
    for wrong in ["speed", "speed>fast", ">1", "speed>NaN"] {
        refused(&place.crewlab(&["analyse", "runs", "--where", wrong]), &[wrong, "speed>0.05"]);
    }
    refused(&place.crewlab(&["analyse", "runs", "--where", "moon>1"]), &["moon", "Accepted"]);
    refused(&place.crewlab(&["analyse", "runs", "--where", "speed>99"]), &["0 rows"]);
    // A mission without indicators still has speeds and headings.
    place.crewlab(&["run", "waste-cleanup", "--out", "plain", "--quiet", "--set", "run.until=60 s"]);
    assert!(place.exists("plain/robots.csv") && !place.exists("plain/indicators.csv"));
    let plain = place.crewlab(&["analyse", "plain"]);
    assert!(
        plain.out.contains("heading-variance") && plain.out.contains("speed"),
        "{} {}",
        plain.out,
        plain.err
    );
    refused(&place.crewlab(&["analyse", "runs", "--columns", "moon"]), &["moon", "Accepted", "speed"]);
    refused(&place.crewlab(&["analyse", "runs", "--columns", "speed"]), &["at least two"]);
    refused(&place.crewlab(&["analyse", "nothing"]), &["nothing"]);
    refused(&place.crewlab(&["analyse", "runs", "--out", "analysis"]), &["--force"]);
}
