//! A laboratory under test, and viewers of it.

use crewlab_lab::run::{RunOptions, run};
use crewlab_live::server::{self, Running, serve};
use crewlab_live::studio::{Handle, StudioOptions, open};
use crewlab_live::wire::{Picture, apply};
use crewlab_scenario::{Request, load};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// A timeout that only a hanging test reaches.
pub const LONG: Duration = Duration::from_secs(120);

pub type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// A run with a server.
pub struct Lab {
    pub handle: Handle,
    pub address: SocketAddr,
    _running: Running,
}

pub fn request(sets: &[&str]) -> Request {
    let sets = sets.iter().map(|set| set.to_string()).collect();
    Request { scenario: "waste-cleanup".into(), sets, ..Request::default() }
}

/// The result of the same run without viewers.
pub fn unwatched(request: &Request) -> String {
    let scenario = load(request).expect("a scenario");
    let options = RunOptions {
        out: None,
        force: false,
        threads: 1,
        timing: false,
        scan_logs: false,
        stop: Arc::new(AtomicBool::new(false)),
    };
    run(&scenario, &options, &mut |_| {}).expect("a run").result_hash
}

impl Lab {
    /// A laboratory whose run is paused at its start.
    pub fn open(request: Request, speed: Option<f64>) -> Lab {
        let options = StudioOptions {
            threads: 1,
            memory: 64 << 20,
            exports: std::env::temp_dir(),
            play: false,
            speed,
            compare: None,
            shelf: None,
            key: None,
        };
        let (handle, _) = open(request, options).expect("a studio");
        let running = serve(handle.clone(), server::ServerOptions::default()).expect("a server");
        Lab { handle, address: running.address(), _running: running }
    }

    pub fn status(&self) -> Value {
        serde_json::from_str(&self.handle.views.borrow().status).unwrap_or_default()
    }

    pub async fn socket(&self) -> Socket {
        connect_async(format!("ws://{}/ws", self.address)).await.expect("a websocket").0
    }

    pub async fn viewer(&self) -> Viewer {
        Viewer {
            socket: self.socket().await,
            pictures: Vec::new(),
            frames: 0,
            events: Vec::new(),
            epoch: 0,
            asked: 0,
        }
    }

    /// The tick at which the run is paused.
    pub async fn standstill(&self) -> u64 {
        let still = async {
            while self.status()["playing"] != false {
                sleep(Duration::from_millis(5)).await;
            }
        };
        timeout(LONG, still).await.expect("a run that stands still");
        self.handle.views.borrow().lanes[0].tick
    }

    /// The result of the run after its end.
    pub async fn result(&self) -> String {
        let over = async {
            loop {
                let status = self.status();
                if let Some(hash) = status["lanes"][0]["result_hash"].as_str() {
                    return hash.to_string();
                }
                sleep(Duration::from_millis(10)).await;
            }
        };
        timeout(LONG, over).await.expect("an end of the run")
    }
}

/// A viewer that reads everything.
pub struct Viewer {
    pub socket: Socket,
    pub pictures: Vec<Picture>,
    pub frames: usize,
    /// Events, in their order.
    pub events: Vec<Value>,
    epoch: u64,
    asked: u64,
}

impl Viewer {
    /// Processes one message; returns it if it is a text.
    pub async fn look(&mut self) -> Option<Value> {
        let message =
            timeout(LONG, self.socket.next()).await.expect("a message").expect("a connection").unwrap();
        match message {
            Message::Binary(frame) => {
                apply(&mut self.pictures, &frame).expect("a frame that can be read");
                self.frames += 1;
                None
            }
            Message::Text(text) => {
                let value: Value = serde_json::from_str(&text).expect("JSON");
                self.note(&value);
                Some(value)
            }
            Message::Close(frame) => panic!("closed: {frame:?}"),
            _ => None,
        }
    }

    fn note(&mut self, message: &Value) {
        if message["type"] == "scene" {
            self.epoch = message["epoch"].as_u64().unwrap();
            self.events.clear();
        }
        if message["type"] == "events" {
            assert_eq!(message["epoch"], self.epoch, "events belong to the scene before them");
            assert_eq!(message["from"], self.events.len(), "events come without gaps");
            self.events.extend(message["list"].as_array().unwrap().iter().cloned());
        }
    }

    /// Sends a command and returns its answer; processes all messages before it.
    pub async fn ask(&mut self, mut command: Value) -> Value {
        self.asked += 1;
        command["id"] = json!(self.asked);
        self.socket.send(Message::from(command.to_string())).await.unwrap();
        loop {
            if let Some(answer) = self.look().await.filter(|message| message["type"] == "answer") {
                assert_eq!(answer["id"], self.asked);
                return answer;
            }
        }
    }

    /// Reads until the first lane has reached a tick.
    pub async fn reach(&mut self, tick: u64) {
        while self.pictures.first().is_none_or(|picture| picture.tick != tick) {
            self.look().await;
        }
    }

    /// Reads until nothing new arrives for a while.
    pub async fn settle(&mut self) {
        while timeout(Duration::from_millis(500), self.look()).await.is_ok() {}
    }
}
