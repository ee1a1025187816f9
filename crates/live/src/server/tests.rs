//! Access control, content, and misbehaving clients; with a fake studio.

use super::{Running, ServerOptions, Token, serve};
use crate::shelf::{Shelf, ShelfRun};
use crate::show::{History, LaneView, RobotMark, View};
use crate::studio::Handle;
use crate::studio::fake::{Stage, studio};
use crate::wire::Command;
use crewlab_lab::sim::onboard::RobotId;
use crewlab_scenario::Request;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream as Plain};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

type Client = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// A timeout that only a hanging test reaches.
const LONG: Duration = Duration::from_secs(30);

fn view(tick: u64) -> View {
    let text = |kind: &str| Arc::from(json!({"type": kind, "lane": 0, "epoch": 1}).to_string());
    let robot = RobotMark { x: tick as i32, flags: 1, ..RobotMark::default() };
    let lane = LaneView {
        epoch: 1,
        tick,
        robots: vec![robot; 3],
        items: Vec::new(),
        scene: text("scene"),
        things: text("things"),
        overlay: None,
        details: BTreeMap::from([(RobotId(1), text("detail"))]),
        history: Arc::new(Mutex::new(History::new([2, 2, 2]))),
    };
    View { lanes: vec![lane], status: text("status"), deeds: Arc::default() }
}

fn start(options: ServerOptions) -> (Running, Handle, Stage) {
    let (handle, stage) = studio(view(1), |_| Ok(Value::Null));
    let running = serve(handle.clone(), options).expect("a free port on this machine");
    (running, handle, stage)
}

/// Status, headers and body of a plain request.
fn ask(address: SocketAddr, path: &str, headers: &[(&str, &str)]) -> (u16, String) {
    let mut stream = Plain::connect(address).unwrap();
    stream.set_read_timeout(Some(LONG)).unwrap();
    let mut text = format!("GET {path} HTTP/1.1\r\nConnection: close\r\n");
    if !headers.iter().any(|(name, _)| *name == "Host") {
        text += &format!("Host: 127.0.0.1:{}\r\n", address.port());
    }
    for (name, value) in headers {
        text += &format!("{name}: {value}\r\n");
    }
    stream.write_all(format!("{text}\r\n").as_bytes()).unwrap();
    let mut bytes = Vec::new();
    // A reset after the answer does not matter.
    let _ = stream.read_to_end(&mut bytes);
    let answer = String::from_utf8_lossy(&bytes).into_owned();
    let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    (status, answer)
}

async fn connect(address: SocketAddr) -> Client {
    connect_async(format!("ws://{address}/ws")).await.expect("a websocket").0
}

/// The status with which a websocket is refused.
async fn refused(address: SocketAddr, headers: &[(&'static str, &str)]) -> u16 {
    let mut request = format!("ws://{address}/ws").into_client_request().unwrap();
    for (name, value) in headers {
        request.headers_mut().insert(*name, value.parse().unwrap());
    }
    match connect_async(request).await {
        Ok(_) => 101,
        Err(Error::Http(response)) => response.status().as_u16(),
        Err(error) => panic!("{error}"),
    }
}

async fn next(client: &mut Client) -> Message {
    timeout(LONG, client.next()).await.expect("a message in time").expect("an open connection").unwrap()
}

/// The next text message of a kind.
async fn next_of(client: &mut Client, kind: &str) -> Value {
    loop {
        if let Message::Text(text) = next(client).await {
            let value: Value = serde_json::from_str(&text).unwrap();
            if value["type"] == kind {
                return value;
            }
        }
    }
}

async fn say(client: &mut Client, text: impl Into<String>) -> Value {
    client.send(Message::from(text.into())).await.unwrap();
    next_of(client, "answer").await
}

#[tokio::test]
async fn a_viewer_is_greeted_and_then_gets_the_latest_view() {
    let (running, _, stage) = start(ServerOptions::default());
    let mut client = connect(running.address()).await;
    let hello = next_of(&mut client, "hello").await;
    assert!(hello["coordinators"].as_array().is_some_and(|list| list.len() > 3));
    assert!(hello["disturbances"][0]["example"].is_string());
    for kind in ["scene", "things"] {
        next_of(&mut client, kind).await;
    }
    let Message::Binary(frame) = next(&mut client).await else { panic!("a frame comes after the scene") };
    assert_eq!(&frame[..6], [1, 0, 1, 1, 3, 0]);
    next_of(&mut client, "status").await;
    for tick in 2..100 {
        stage.views.send_replace(Arc::new(View {
            lanes: vec![LaneView { tick, ..view(tick).lanes.remove(0) }],
            ..view(1)
        }));
    }
    let frame = loop {
        if let Message::Binary(frame) = next(&mut client).await {
            break frame;
        }
    };
    assert_eq!(&frame[..6], [2, 0, 1, 99, 3, 0], "views in between are skipped");
    running.stop();
}

#[tokio::test]
async fn what_a_viewer_watches_is_passed_on_and_forgotten_when_it_leaves() {
    let (running, handle, _stage) = start(ServerOptions::default());
    let mut client = connect(running.address()).await;
    let watch = r#"{"id": 5, "do": "watch", "lane": 0, "robot": 1, "layers": ["rays", "rays"]}"#;
    client.send(Message::from(watch)).await.unwrap();
    // The detail may come before the answer.
    let (mut answered, mut shown) = (false, false);
    while !(answered && shown) {
        let Message::Text(text) = next(&mut client).await else { continue };
        let value: Value = serde_json::from_str(&text).unwrap();
        shown |= value["type"] == "detail";
        if value["type"] == "answer" {
            assert_eq!(value, json!({"type": "answer", "id": 5, "ok": true}));
            answered = true;
        }
    }
    assert_eq!(handle.wants.viewers(), 1);
    for (robot, lane) in [(3, 0), (0, 1)] {
        let text = json!({"id": 6, "do": "watch", "lane": lane, "robot": robot, "layers": []});
        let answer = say(&mut client, text.to_string()).await;
        assert!(answer["error"].as_str().unwrap().starts_with("there is no"), "{answer}");
    }
    client.close(None).await.unwrap();
    timeout(LONG, async {
        while handle.wants.viewers() > 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    })
    .await
    .expect("a viewer that left is forgotten");
}

#[tokio::test]
async fn everything_gets_exactly_one_answer() {
    let (running, _, _stage) = start(ServerOptions::default());
    let mut client = connect(running.address()).await;
    let cases = [
        ("", 0, "this is not JSON"),
        ("[1]", 0, "a command is an object"),
        (r#"{"do": "play"}"#, 0, "needs a number `id`"),
        (r#"{"id": "x", "do": "play"}"#, 0, "needs a number `id`"),
        (r#"{"id": 1}"#, 1, "missing field `do`"),
        (r#"{"id": 2, "do": "fly"}"#, 2, "unknown variant `fly`"),
        (r#"{"id": 3, "do": "play", "now": true}"#, 3, "unknown field `now`"),
        (r#"{"id": 4, "do": "seek", "time": "soon"}"#, 4, "invalid type"),
        (r#"{"id": 5, "do": "add-robot", "like": -1, "place": [0, 0]}"#, 5, "invalid value"),
    ];
    for (text, id, words) in cases {
        let answer = say(&mut client, text).await;
        assert_eq!(
            (answer["id"].as_u64(), answer["ok"].as_bool()),
            (Some(id), Some(false)),
            "{text}: {answer}"
        );
        assert!(answer["error"].as_str().unwrap().contains(words), "{text}: {answer}");
    }
    client.send(Message::Binary(vec![1, 2, 3].into())).await.unwrap();
    assert!(next_of(&mut client, "answer").await["error"].as_str().unwrap().contains("binary"));
    let long = format!(r#"{{"id": 7, "do": "{}"}}"#, "x".repeat(50_000));
    let answer = say(&mut client, long).await;
    assert!(answer["error"].as_str().unwrap().len() < 1000, "an error is short");
    let deep = format!(r#"{{"id": 8, "do": {}1{}}}"#, "[".repeat(10_000), "]".repeat(10_000));
    assert!(say(&mut client, deep).await["error"].as_str().unwrap().contains("recursion"));
    assert_eq!(say(&mut client, r#"{"id": 9, "do": "play"}"#).await["ok"], true);
}

#[tokio::test]
async fn a_flood_of_commands_is_answered_and_refused() {
    let (running, _, _stage) = start(ServerOptions::default());
    let client = connect(running.address()).await;
    let (mut out, mut incoming) = client.split();
    let count = 3000;
    let flood = async {
        for id in 1..=count {
            out.send(Message::from(format!(r#"{{"id": {id}, "do": "play"}}"#))).await.unwrap();
        }
    };
    let answers = async {
        let (mut answered, mut taken) = (BTreeSet::new(), 0);
        while answered.len() < count {
            if let Message::Text(text) = incoming.next().await.unwrap().unwrap() {
                let value: Value = serde_json::from_str(&text).unwrap();
                if value["type"] == "answer" {
                    assert!(answered.insert(value["id"].as_u64()), "one answer for each");
                    taken += usize::from(value["ok"] == true);
                }
            }
        }
        taken
    };
    let ((), taken) =
        timeout(LONG, async { tokio::join!(flood, answers) }).await.expect("all answers in time");
    assert!((400..count).contains(&taken), "{taken} were taken");
}

#[tokio::test]
async fn too_long_a_message_ends_the_connection_with_a_reason() {
    let (running, _, _stage) = start(ServerOptions::default());
    let address = running.address();
    let mut other = connect(address).await;
    for message in [Message::from("x".repeat(10_000_000)), Message::Binary(vec![0; 10_000_000].into())] {
        let mut client = connect(address).await;
        client.send(message).await.expect("heard out");
        let frame = loop {
            if let Message::Close(frame) = next(&mut client).await {
                break frame.expect("a reason");
            }
        };
        assert_eq!(
            (u16::from(frame.code), frame.reason.as_str()),
            (1009, "a message has at most 65536 bytes")
        );
    }
    assert_eq!(say(&mut other, r#"{"id": 9, "do": "play"}"#).await["ok"], true, "others do not notice");
}

#[tokio::test]
async fn only_our_own_page_opens_a_websocket() {
    let (running, _, _stage) = start(ServerOptions::default());
    let address = running.address();
    let own = format!("http://{address}");
    assert_eq!(refused(address, &[("origin", &own)]).await, 101);
    assert_eq!(refused(address, &[]).await, 101, "programs other than browsers send no origin");
    let port = address.port();
    let others = [
        "http://evil.example".to_string(),
        format!("http://localhost:{port}"),
        format!("http://127.0.0.1:{}", port.wrapping_add(1)),
        "null".into(),
        "file://".into(),
        format!("{own}.evil.example"),
        format!("http://evil.example@{address}"),
    ];
    for origin in others {
        assert_eq!(refused(address, &[("origin", &origin)]).await, 403, "{origin}");
    }
}

#[test]
fn only_host_names_of_this_machine_are_accepted() {
    let (running, _, _stage) = start(ServerOptions::default());
    let address = running.address();
    for host in ["localhost", "LOCALHOST:1", "127.0.0.1", "127.0.0.1:80", "[::1]:8420", &address.to_string()]
    {
        assert_eq!(ask(address, "/", &[("Host", host)]).0, 200, "{host}");
    }
    let strangers = [
        "evil.example",
        "127.0.0.1.evil.example",
        "192.168.0.1",
        "localhost.evil.example:80",
        "",
        "127.0.0.1@evil",
        "0",
    ];
    for host in strangers {
        let (status, answer) = ask(address, "/", &[("Host", host)]);
        assert_eq!(status, 403, "{host}: {answer}");
        assert!(answer.contains("cannot be reached under the name"), "{answer}");
    }
    assert_eq!(ask(address, "/", &[("Host", "localhost"), ("Host", "evil.example")]).0, 403, "two hosts");
}

#[tokio::test]
async fn a_server_on_all_addresses_requires_the_token_from_everybody() {
    let (handle, _stage) = studio(view(1), |_| Ok(Value::Null));
    let everywhere = SocketAddr::from(([0, 0, 0, 0], 0));
    let without = serve(handle.clone(), ServerOptions { address: everywhere, ..ServerOptions::default() });
    assert!(without.is_err_and(|error| error.to_string().contains("needs a token")));

    let token = Token::random().unwrap();
    assert_ne!(token, Token::random().unwrap());
    let options =
        ServerOptions { address: everywhere, token: Some(token.clone()), ..ServerOptions::default() };
    let running = serve(handle, options).unwrap();
    let address = SocketAddr::from(([127, 0, 0, 1], running.address().port()));
    assert_eq!(running.url(), format!("http://{address}/?token={}", token.text()));
    let wrong = format!("{}x", token.text());
    for path in [
        "/",
        "/ws",
        "/assets/index.js",
        "/exports/a/report.html",
        "/?token=",
        "/?Token=x",
        &format!("/?token={wrong}"),
    ] {
        assert_eq!(ask(address, path, &[]).0, 401, "{path}");
    }
    assert_eq!(refused(address, &[]).await, 401);
    let (status, answer) = ask(address, &format!("/?a=b&token={}", token.text()), &[]);
    assert_eq!(status, 200);
    let cookie = format!("crewlab-{}={}", address.port(), token.text());
    assert!(answer.contains(&format!("set-cookie: {cookie}; Path=/; HttpOnly; SameSite=Strict")), "{answer}");
    assert_eq!(ask(address, "/", &[("Cookie", &format!("a=b; {cookie}"))]).0, 200);
    assert_eq!(ask(address, "/", &[("Cookie", &cookie[..cookie.len() - 1])]).0, 401);
    assert_eq!(refused(address, &[("cookie", &cookie)]).await, 101);
    assert_eq!(refused(address, &[("cookie", &cookie), ("origin", "http://evil.example")]).await, 403);
    let url = format!("ws://{address}/ws?token={}", token.text());
    assert!(connect_async(url).await.is_ok());
}

#[test]
fn exports_of_this_session_are_served_and_nothing_else() {
    let (running, handle, _stage) = start(ServerOptions::default());
    let address = running.address();
    let root = std::env::temp_dir().join(format!("crewlab-server-{}", std::process::id()));
    let folder = root.join("run");
    std::fs::create_dir_all(folder.join("figures")).unwrap();
    for (name, text) in
        [("run/report.html", "report"), ("run/figures/a.svg", "svg"), ("secret", "no"), ("run/.hidden", "no")]
    {
        std::fs::write(root.join(name), text).unwrap();
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink(root.join("secret"), folder.join("link")).unwrap();
    handle.exports.lock().unwrap().insert("run-1".into(), folder);
    let (status, answer) = ask(address, "/exports/run-1/report.html", &[]);
    assert_eq!(status, 200);
    assert!(answer.ends_with("report") && answer.contains("content-type: text/html"), "{answer}");
    let (status, answer) = ask(address, "/exports/run-1/figures/a.svg", &[]);
    assert!(status == 200 && answer.contains("image/svg+xml"), "{answer}");
    let wrong = [
        "/exports/run-2/report.html",
        "/exports/run-1",
        "/exports/run-1/",
        "/exports/run-1/figures",
        "/exports/run-1/../secret",
        "/exports/run-1/%2e%2e/secret",
        "/exports/run-1/..%2fsecret",
        "/exports/run-1/figures/..%2f..%2fsecret",
        "/exports/run-1//etc/passwd",
        "/exports/run-1/%2fetc%2fpasswd",
        "/exports/run-1/..%5csecret",
        "/exports/run-1/report.html%00",
        "/exports/run-1/.hidden",
        "/exports/run-1/link",
        "/exports/..%2f/secret",
        "/../Cargo.toml",
        "/%2e%2e/package.json",
        "/..%2fpackage.json",
        "/assets/..%2f..%2fpackage.json",
        "//etc/passwd",
    ];
    for path in wrong {
        let (status, answer) = ask(address, path, &[]);
        assert!(matches!(status, 400 | 404), "{path}: {answer}");
        assert!(!answer.ends_with("no"), "{path}: {answer}");
    }
    std::fs::remove_dir_all(&root).unwrap();
}

#[test]
fn the_page_is_served_from_a_given_folder() {
    let root = std::env::temp_dir().join(format!("crewlab-page-{}", std::process::id()));
    std::fs::create_dir_all(root.join("dist/assets")).unwrap();
    let none = ServerOptions { page: Some(root.clone()), ..ServerOptions::default() };
    let (handle, _stage) = studio(view(1), |_| Ok(Value::Null));
    assert!(serve(handle, none).is_err_and(|error| error.to_string().contains("index.html")));
    for (name, text) in [("dist/index.html", "the page"), ("dist/assets/a.js", "script"), ("secret", "no")] {
        std::fs::write(root.join(name), text).unwrap();
    }
    let (running, _, _stage) =
        start(ServerOptions { page: Some(root.join("dist")), ..ServerOptions::default() });
    let (status, answer) = ask(running.address(), "/", &[]);
    assert!(status == 200 && answer.ends_with("the page"), "{answer}");
    for header in [
        "cache-control: no-store",
        "x-content-type-options: nosniff",
        "x-frame-options: DENY",
        "referrer-policy: no-referrer",
        "content-security-policy: default-src 'none'; script-src 'self'",
        &format!("connect-src 'self' ws://{}", running.address()),
    ] {
        assert!(answer.contains(header), "{header} is missing: {answer}");
    }
    let (status, answer) = ask(running.address(), "/assets/a.js", &[]);
    assert!(status == 200 && answer.contains("text/javascript") && answer.contains("immutable"), "{answer}");
    for path in ["/assets/b.js", "/../secret", "/assets/../../secret", "/assets/%2e%2e/%2e%2e/secret"] {
        assert_eq!(ask(running.address(), path, &[]).0, 404, "{path}");
    }
    std::fs::remove_dir_all(&root).unwrap();
}

#[tokio::test]
async fn the_number_of_viewers_is_limited() {
    let (running, _, _stage) = start(ServerOptions::default());
    let address = running.address();
    let mut viewers = Vec::new();
    for _ in 0..64 {
        viewers.push(connect(address).await);
    }
    assert_eq!(refused(address, &[]).await, 503);
    assert_eq!(ask(address, "/", &[]).0, 200, "the page itself is not limited");
    viewers.pop().unwrap().close(None).await.unwrap();
    timeout(LONG, async { while refused(address, &[]).await != 101 {} })
        .await
        .expect("a free seat is free again");
}

#[tokio::test]
async fn viewers_are_told_when_it_closes() {
    let (running, _, _stage) = start(ServerOptions::default());
    let mut client = connect(running.address()).await;
    next_of(&mut client, "status").await;
    let stopping = std::thread::spawn(move || running.stop());
    let frame = loop {
        if let Message::Close(frame) = next(&mut client).await {
            break frame.expect("a reason");
        }
    };
    assert_eq!(u16::from(frame.code), 1001);
    drop(client);
    stopping.join().unwrap();
}

#[test]
fn requests_with_a_body_and_other_methods_are_refused() {
    let (running, _, _stage) = start(ServerOptions::default());
    assert_eq!(ask(running.address(), "/", &[("Content-Length", "1000000000")]).0, 413);
    assert_eq!(ask(running.address(), "/", &[("Transfer-Encoding", "chunked")]).0, 413);
    assert_eq!(ask(running.address(), "/ws", &[]).0, 426);
    let many = "x".repeat(100_000);
    assert!(matches!(ask(running.address(), "/", &[("X-Long", &many)]).0, 0 | 400 | 431));
}

#[test]
fn weak_tokens_are_refused() {
    assert!(Token::chosen("abc").is_err());
    assert!(Token::chosen("abcdefg&token=").is_err());
    let token = Token::chosen("abcdefg8").unwrap();
    assert!(token.is("abcdefg8"));
    for other in ["", "abcdefg", "abcdefg9", "abcdefg88", "Abcdefg8"] {
        assert!(!token.is(other), "{other}");
    }
    assert_eq!(format!("{token:?}"), "Token(..)", "it must not appear in logs");
}

#[test]
fn a_public_address_of_this_machine_needs_the_token_too() {
    // A machine may have no other address than the loopback address.
    let socket = std::net::UdpSocket::bind("0.0.0.0:0").unwrap();
    let Ok(()) = socket.connect("192.0.2.1:9") else { return };
    let own = socket.local_addr().unwrap().ip();
    if own.is_loopback() || own.is_unspecified() {
        return;
    }
    let (handle, _stage) = studio(view(1), |_| Ok(Value::Null));
    let address = SocketAddr::new(own, 0);
    assert!(serve(handle.clone(), ServerOptions { address, ..ServerOptions::default() }).is_err());
    let token = Token::random().unwrap();
    let running =
        serve(handle, ServerOptions { address, token: Some(token.clone()), ..ServerOptions::default() })
            .unwrap();
    let address = running.address();
    let with = format!("/?token={}", token.text());
    let host = address.to_string();
    assert_eq!(ask(address, "/", &[("Host", &host)]).0, 401);
    assert_eq!(ask(address, &with, &[("Host", &host)]).0, 200);
    assert_eq!(ask(address, &with, &[("Host", "evil.example")]).0, 403, "not even with the token");
    assert!(Plain::connect(("127.0.0.1", address.port())).is_err(), "it listens at another address, too");
}

#[derive(Debug)]
struct Runs {
    report: Option<&'static str>,
}

impl Shelf for Runs {
    fn title(&self) -> String {
        "some runs".into()
    }

    fn list(&self) -> Vec<ShelfRun> {
        vec![ShelfRun { key: "a run".into(), title: "one".into(), note: "worst".into() }]
    }

    fn run(&self, _: &str) -> Result<Request, String> {
        Ok(Request::default())
    }

    fn report(&self) -> Option<String> {
        self.report.map(String::from)
    }
}

/// A server with a shelf, and the commands that its studio received.
fn start_with(
    report: Option<&'static str>,
    options: ServerOptions,
) -> (Running, std::sync::mpsc::Receiver<Command>, Stage) {
    let (heard, commands) = std::sync::mpsc::channel();
    let (mut handle, stage) = studio(view(1), move |command| {
        heard.send(command).map_err(|error| error.to_string())?;
        Ok(Value::Null)
    });
    handle.shelf = Some(Arc::new(Runs { report }));
    (serve(handle, options).expect("a free port on this machine"), commands, stage)
}

#[test]
fn a_report_is_served_with_a_strict_content_security_policy() {
    let (running, _, _stage) = start_with(Some("<!doctype html>the report"), ServerOptions::default());
    let (status, answer) = ask(running.address(), "/report", &[]);
    assert!(status == 200 && answer.ends_with("the report"), "{answer}");
    for header in [
        "content-type: text/html; charset=utf-8",
        "content-security-policy: default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'",
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        "x-content-type-options: nosniff",
        "cross-origin-resource-policy: same-origin",
    ] {
        assert!(answer.contains(header), "{header} is missing: {answer}");
    }
    assert_eq!(answer.matches("content-security-policy").count(), 1, "{answer}");
    assert_eq!(ask(running.address(), "/report", &[("Host", "evil.example")]).0, 403);
    let (none, _, _stage) = start_with(None, ServerOptions::default());
    let (status, answer) = ask(none.address(), "/report", &[]);
    assert!(status == 404 && answer.contains("have no report"), "{answer}");
}

#[tokio::test]
async fn an_address_leads_to_the_page_and_only_the_page_opens_a_run() {
    let (running, commands, _stage) = start_with(None, ServerOptions::default());
    let address = running.address();
    for (path, place) in [
        ("/replay/seed-7", "location: ../?open=seed-7\r\n"),
        ("/replay/a%20run", "location: ../?open=a%20run\r\n"),
        ("/replay/a&token=x+y", "location: ../?open=a%26token%3Dx%2By\r\n"),
        ("/replay/a%0d%0aX:y", "location: ../?open=a%0D%0AX%3Ay\r\n"),
        ("/replay/a%2Fb?token=abc", "location: ../?open=a%2Fb&token=abc\r\n"),
    ] {
        let (status, answer) = ask(address, path, &[("Origin", "http://evil.example")]);
        assert!(status == 303 && answer.contains(place), "{path}: {answer}");
    }
    assert_eq!(ask(address, "/replay/seed-7", &[("Host", "evil.example")]).0, 403);
    for path in ["/replay", "/replay/", "/replay/a/b", "/replay/%ff"] {
        assert!(matches!(ask(address, path, &[]).0, 400 | 404), "{path}");
    }
    assert_eq!(refused(address, &[("origin", "http://evil.example")]).await, 403);
    assert!(commands.try_recv().is_err(), "nothing has changed so far");
    let mut client = connect(address).await;
    let hello = next_of(&mut client, "hello").await;
    let runs = json!([{"key": "a run", "title": "one", "note": "worst"}]);
    assert_eq!(hello["shelf"], json!({"title": "some runs", "report": false, "runs": runs}));
    assert_eq!(say(&mut client, r#"{"id": 1, "do": "open", "key": "a run"}"#).await["ok"], true);
    assert_eq!(commands.try_recv(), Ok(Command::Open { key: "a run".into() }));
}

#[test]
fn a_shelf_needs_the_token_too() {
    let token = Token::random().unwrap();
    let (running, _, _stage) = start_with(
        Some("the report"),
        ServerOptions { token: Some(token.clone()), ..ServerOptions::default() },
    );
    for path in ["/report", "/replay/seed-7"] {
        assert_eq!(ask(running.address(), path, &[]).0, 401, "{path}");
    }
    let (status, answer) = ask(running.address(), &format!("/replay/seed-7?token={}", token.text()), &[]);
    assert!(status == 303 && answer.contains(&format!("?open=seed-7&token={}", token.text())), "{answer}");
}

#[test]
fn without_a_shelf_the_page_says_how_to_get_one() {
    let (running, _, _stage) = start(ServerOptions::default());
    for path in ["/report", "/replay/seed-7"] {
        let (status, answer) = ask(running.address(), path, &[]);
        assert!(status == 404 && answer.contains("crewlab live FOLDER"), "{path}: {answer}");
    }
}
