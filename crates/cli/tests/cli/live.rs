//! `crewlab live`: its address, its end, and its errors.

use super::harness::{Outcome, Place, assert_says};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};

/// Starts it; returns it with the address that it prints first.
fn start(place: &Place, args: &[&str]) -> (Child, String) {
    start_with(place, "waste-cleanup", args)
}

fn start_with(place: &Place, what: &str, args: &[&str]) -> (Child, String) {
    let mut command = place.command(&[&["live", what, "--no-open", "--port", "0"], args].concat());
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    let mut line = String::new();
    let out = child.stdout.take().expect("its output");
    BufReader::new(out).read_line(&mut line).expect("a line");
    (child, line.trim().to_string())
}

/// Stops it as Ctrl-C does.
fn end(child: Child) -> Outcome {
    let signal = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
    assert!(signal.success());
    Outcome::of(child.wait_with_output().expect("an end"), &["live"])
}

/// Head and body of the answer to a request.
fn get(host: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(host).expect("it listens");
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
        .expect("it takes requests");
    let mut text = String::new();
    let _ = stream.read_to_string(&mut text);
    text
}

#[test]
fn it_prints_its_address_and_stops_on_request() {
    let place = Place::new();
    let (child, url) = start(&place, &["--speed", "max", "--compare", "greedy"]);
    let host =
        url.strip_prefix("http://").and_then(|rest| rest.strip_suffix('/')).expect("an address").to_string();
    assert!(host.starts_with("127.0.0.1:"), "{url}");
    assert!(get(&host, "/").starts_with("HTTP/1.1 200"));
    assert!(get(&host, "/nothing").starts_with("HTTP/1.1 404"));
    let outcome = end(child);
    assert_eq!(outcome.code, 0, "{}", outcome.err);
    assert_says(&outcome.err, &["Press Ctrl-C to stop", "nothing was exported"]);
    assert_eq!(place.contents().len(), 0, "it leaves nothing behind");
}

#[test]
fn others_need_the_token() {
    let place = Place::new();
    let (child, url) = start(&place, &["--bind", "0.0.0.0", "--token", "open-sesame", "--paused"]);
    let host = url.strip_prefix("http://").and_then(|rest| rest.strip_suffix("/?token=open-sesame"));
    let host = host.unwrap_or_else(|| panic!("{url}")).to_string();
    assert!(get(&host, "/").starts_with("HTTP/1.1 401"));
    assert!(get(&host, "/?token=open-sesame").starts_with("HTTP/1.1 200"));
    assert_says(&end(child).err, &["can watch and disturb"]);
}

#[test]
fn invalid_options_are_refused() {
    let place = Place::new();
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("its address").port().to_string();
    let cases: [(&[&str], &[&str]); 6] = [
        (&["waste-cleanup", "--port", &port], &["is in use", "--port 0"]),
        (&["waste-cleanup", "--token", "short"], &["--token", "8 to 128"]),
        (&["waste-cleanup", "--bind", "192.0.2.1"], &["not an address of this machine"]),
        (&["waste-cleanup", "--page", "."], &["does not contain the page", "index.html"]),
        (&["waste-cleanup", "--compare", "nobody"], &["no coordinator `nobody`", "alliance"]),
        (&["waste-cleanup", "--set", "team.coordinator=nobody"], &["nobody", "alliance"]),
    ];
    for (args, words) in cases {
        assert_says(&place.refused(&[&["live", "--no-open"], args].concat()), words);
    }
    assert_eq!(place.crewlab(&["live", "waste-cleanup", "--speed", "fast"]).code, 2);
}

#[test]
fn results_are_opened_again_with_their_report() {
    let place = Place::new();
    for (out, seed) in [("all/two", "2"), ("all/one", "1")] {
        let ran =
            place.crewlab(&["run", "waste-cleanup", "--seed", seed, "--out", out, "--set", "run.until=9 s"]);
        assert_eq!(ran.code, 3, "{}", ran.err);
    }
    let host_of = |url: &str| url["http://".len()..].trim_end_matches('/').to_string();

    let (child, url) = start_with(&place, "all/two", &["--paused"]);
    let host = host_of(&url);
    let report = get(&host, "/report");
    assert!(report.starts_with("HTTP/1.1 200") && report.contains(&place.read("all/two/report.html")));
    assert!(get(&host, "/replay/two").contains("location: ../?open=two\r\n"));
    assert_eq!(end(child).code, 0);

    let (child, url) = start_with(&place, "all", &["--paused"]);
    assert_says(&get(&host_of(&url), "/report"), &["404", "have no report"]);
    end(child);

    // Results of another version may differ.
    let manifest = place.read("all/one/manifest.json");
    let version = format!("\"crewlab\": \"{}\"", crewlab_lab::VERSION);
    assert!(manifest.contains(&version), "{manifest}");
    place.write("all/one/manifest.json", manifest.replace(&version, "\"crewlab\": \"0.0.1\""));
    let (child, _) = start_with(&place, "all/one", &["--paused", "--seed", "5"]);
    assert_says(&end(child).err, &["one was run by crewlab 0.0.1", "other results"]);
}

#[test]
fn the_worst_runs_of_an_experiment_are_opened_from_its_report() {
    let place = Place::new();
    let args = ["compare", "waste-cleanup", "--coordinators", "greedy,random", "--seeds", "2", "--quiet"];
    place.fine(&[&args[..], &["--set", "run.until=9 s", "--out", "two"]].concat());
    let page = place.read("two/report.html");
    let (child, url) = start_with(&place, "two", &["--paused"]);
    let host = url["http://".len()..].trim_end_matches('/').to_string();
    let served = get(&host, "/report");
    // In the file, links lead to the default address of the live laboratory; in the served page, to this server.
    let key = page.split("http://127.0.0.1:8420/replay/").nth(1).and_then(|rest| rest.split('"').next());
    let key = key.expect("a link to a run");
    assert!(served.contains(&format!("href=\"replay/{key}\"")) && !served.contains(":8420"), "{served}");
    assert!(get(&host, &format!("/replay/{key}")).contains(&format!("location: ../?open={key}\r\n")));
    assert_eq!(end(child).code, 0);
}

#[test]
fn a_folder_without_results_is_refused_with_what_is_in_it() {
    let place = Place::new();
    place.write("notes/a.txt", "");
    place.write("notes/b.txt", "");
    place.write("taught/learning.csv", "");
    place.write("broken/manifest.json", "{}");
    place.write("broken/scenario.yaml", "");
    std::fs::create_dir(place.path("empty")).expect("a folder");
    for (folder, words) in [
        ("notes", "found a.txt, b.txt"),
        ("empty", "it is empty"),
        ("taught", "`crewlab learn`"),
        ("broken", "found manifest.json, scenario.yaml"),
    ] {
        let error = place.refused(&["live", folder, "--no-open"]);
        assert_says(&error, &[folder, words, "a results folder of `crewlab run`"]);
    }
    // The name of a shipped scenario takes precedence over a folder; unusable results are refused with the reason.
    std::fs::create_dir(place.path("waste-cleanup")).expect("a folder");
    let (child, _) = start(&place, &["--paused"]);
    assert_eq!(end(child).code, 0);
    place.crewlab(&["run", "waste-cleanup", "--out", "old", "--set", "run.until=1 s"]);
    place.write("old/scenario.yaml", "crewlab: 1\nmission: waste-cleanup\nteam: {coordinator: nobody}\n");
    assert_says(&place.refused(&["live", "old", "--no-open"]), &["nobody", "alliance"]);
}
