//! Auctions: their table, their explanation, their place in the report and in the summary.

use super::harness::{Place, assert_says};
use serde_json::Value;

const MUROCO: &str = "team.coordinator=muroco";
/// Green is working on a spill at that time.
const LOSS: &str = "{at: 100 s, stop: green}";

/// A place with a market that loses a robot, in the folder `market`.
fn market() -> Place {
    let place = Place::new();
    let args = ["run", "waste-cleanup", "-q", "--set", MUROCO, "--disturb", LOSS, "--out", "market"];
    place.fine(&args);
    place
}

#[test]
fn only_a_market_writes_auctions() {
    let place = market();
    let table = place.read("market/auctions.csv");
    assert!(
        table.starts_with("time_s,auctioneer,round,task,subject,bids,winners,plan,value,price,gap,again,")
    );
    assert!(table.contains(",true,green fell silent,"), "{table}");
    let summary = place.json("market/summary.json");
    let market = &summary["auctions"];
    assert_eq!(market["auctions"].as_u64(), Some(table.lines().count() as u64 - 1));
    assert!(market["re_auctions"].as_u64() >= Some(1));
    let losses = &summary["reallocation"];
    assert_eq!(
        (&losses["losses"][0]["robot"], &losses["losses"][0]["why"]),
        (&"green".into(), &"stopped".into())
    );
    assert_eq!(losses["mean_s"], losses["max_s"]);
    assert!(summary["heterogeneity"].as_f64() > Some(0.0));
    // Green is lost at 100 s and stays so; this mission has no plans for coalitions.
    let (team, time) = (&summary["teamwork"], summary["time_s"].as_f64().expect("a time"));
    let away = team["away_s"].as_f64().expect("a time");
    assert!((away - (time - 99.9)).abs() < 0.11, "{away} of {time}");
    assert_eq!((&team["coalitions"], &team["coalition_stability"]), (&0.into(), &serde_json::Value::Null));
    assert!(summary["team"][0]["working_s"].as_f64() > Some(0.0));

    place.fine(&["run", "waste-cleanup", "-q", "--set", "run.until=10 min", "--out", "plain"]);
    assert!(!place.exists("plain/auctions.csv"));
    let summary = place.json("plain/summary.json");
    assert!(summary.get("auctions").is_none() && summary.get("reallocation").is_none());
    assert!(!place.read("plain/report.html").contains("auction"));
}

#[test]
fn the_report_shows_auctions_and_why_they_were_repeated() {
    let place = market();
    let report = place.read("market/report.html");
    assert_says(
        &report,
        &["auctioned again", "because green fell silent", "<h2", "Auctions", "green fell silent"],
    );
    assert_says(&report, &["Lost robots", "another robot took over"]);
    assert_says(&report, &["Overall: at work ", "fairness 0.", "At work", "Idle"]);
    let figure = place.read("market/plots/tasks.svg");
    assert_says(&figure, &["auctioned", "auctioned again", "<title>"]);
}

#[test]
fn a_run_summarises_its_market_and_its_losses() {
    let place = Place::new();
    let args = ["run", "waste-cleanup", "--set", MUROCO, "--disturb", LOSS, "--out", "results"];
    let said = place.fine(&args);
    assert_says(
        &said,
        &[
            "market ",
            " auctions, ",
            "of them repeated",
            "losses ",
            "1 robot was lost, 1 at work",
            "heterogeneity 0.04",
            "teamwork    at work ",
        ],
    );
    assert!(!place.fine(&["run", "waste-cleanup", "--out", "plain"]).contains("market"));
}

#[test]
fn auctions_are_explained() {
    let place = market();
    let said = place.fine(&["explain", "market", "--auctions"]);
    assert_says(
        &said,
        &[" auctions in waste-cleanup (seed 1)", "of them repeated", "find-locations: auctioned by"],
    );
    assert_says(&said, &["bids ", "won by ", "outcome ", "because  green fell silent"]);
    let top = place.fine(&["explain", "market", "--auctions", "--task", "move-spill-top"]);
    assert!(top.contains("of move-spill-top") && !top.contains("find-locations"), "{top}");
    let early = place.fine(&["explain", "market", "--auctions", "--at", "10 s"]);
    assert_says(&early, &["around 10 s", "find-locations: auctioned by"]);
    let json =
        place.fine(&["explain", "market", "--auctions", "--at", "10", "--task", "move-spill-top", "--json"]);
    let answer: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(answer["auctions"].as_array().map(Vec::len), Some(1), "none before, and the next one");
    assert_eq!((&answer["scenario"], &answer["seed"]), (&"waste-cleanup".into(), &1.into()));
    // Only the tables are needed.
    std::fs::remove_file(place.path("market/scenario.yaml")).expect("a file");
    assert_eq!(place.fine(&["explain", "market", "--auctions"]), said);
}

#[test]
fn invalid_requests_for_auctions_are_refused() {
    let place = market();
    let said = place.refused(&["explain", "market", "--auctions", "--task", "move-spil-top"]);
    assert_says(&said, &["no task `move-spil-top` was auctioned", "did you mean `move-spill-top`?"]);
    assert_says(&place.refused(&["explain", "nowhere", "--auctions"]), &["there is no folder nowhere"]);
    assert_says(&place.refused(&["explain", "market", "--auctions", "--at", "noon"]), &["is not a time"]);
    assert_says(&place.refused(&["explain", "market"]), &["nothing to explain", "--link", "--auctions"]);
    place.write("market/auctions.csv", "time_s,auctioneer\n1,blue\n");
    assert_says(&place.refused(&["explain", "market", "--auctions"]), &["cannot read", "auctions.csv"]);
    place.fine(&["run", "waste-cleanup", "-q", "--out", "plain"]);
    let said = place.refused(&["explain", "plain", "--auctions"]);
    assert_says(&said, &["nothing was auctioned in plain", "team.coordinator=muroco"]);
    for wrong in
        [&["--task", "x"][..], &["--auctions", "--link", "blue", "green"], &["--auctions", "--bytes", "3"]]
    {
        let outcome = place.crewlab(&[&["explain", "plain"], wrong].concat());
        assert_eq!(outcome.code, 2, "{wrong:?} {}", outcome.err);
    }
}
