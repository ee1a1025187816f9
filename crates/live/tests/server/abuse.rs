//! Misbehaving viewers harm nobody but themselves: the run ends with the same result, and others do not notice.

use super::client::{Lab, request, unwatched};
use futures_util::{SinkExt, StreamExt};
use serde_json::json;
use std::time::Duration;
use tokio::time::sleep;
use tokio_tungstenite::tungstenite::{Bytes, Message};

/// Pseudo-random numbers.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.0 >> 33
    }

    fn bytes(&mut self, length: usize) -> Vec<u8> {
        (0..length).map(|_| self.roll() as u8).collect()
    }
}

/// Never reads.
async fn sleeper(lab: &Lab) {
    let mut socket = lab.socket().await;
    let _ = socket
        .send(Message::from(
            r#"{"id": 1, "do": "watch", "lane": 0, "robot": 0, "layers": ["links", "rays"]}"#,
        ))
        .await;
    sleep(Duration::from_secs(3600)).await;
    drop(socket);
}

/// Connects and disconnects.
async fn reloader(lab: &Lab) {
    for turn in 0..50 {
        let mut socket = lab.socket().await;
        // Sometimes it reads, sometimes it leaves at once.
        for _ in 0..turn % 5 {
            let _ = socket.next().await;
        }
        drop(socket);
    }
}

/// Sends meaningless messages.
async fn babbler(lab: &Lab) {
    let mut dice = Dice(7);
    for turn in 0..60 {
        let (mut out, mut incoming) = lab.socket().await.split();
        let listen = async { while let Some(Ok(_)) = incoming.next().await {} };
        let talk = async {
            for _ in 0..50 {
                let length = dice.roll() as usize % 200;
                let bytes = dice.bytes(length);
                let message = match dice.roll() % 6 {
                    0 => Message::Binary(bytes.into()),
                    1 => Message::from(String::from_utf8_lossy(&bytes).into_owned()),
                    2 => Message::from(json!({"id": dice.roll(), "do": "seek", "time": "x"}).to_string()),
                    3 => Message::from(json!({"id": 1, "do": ["play"], "x": {"y": []}}).to_string()),
                    4 => Message::from(json!({"id": -3.5e300, "do": null}).to_string()),
                    _ => Message::Ping(Bytes::from_static(b"?")),
                };
                if out.send(message).await.is_err() {
                    return;
                }
            }
            if turn % 2 == 0 {
                // Half a character in a text frame.
                use tokio_tungstenite::tungstenite::protocol::frame::{
                    Frame,
                    coding::{Data, OpCode},
                };
                let half = Frame::message(vec![b'"', 0xc3], OpCode::Data(Data::Text), true);
                let _ = out.send(Message::Frame(half)).await;
            }
        };
        tokio::join!(talk, async {
            tokio::select! { () = listen => {}, () = sleep(Duration::from_millis(100)) => {} }
        });
    }
}

/// Sends far too much at once.
async fn shouter(lab: &Lab) {
    for _ in 0..5 {
        let mut socket = lab.socket().await;
        let _ = socket.send(Message::from("x".repeat(10_000_000))).await;
        while let Some(Ok(message)) = socket.next().await {
            if let Message::Close(frame) = message {
                assert_eq!(frame.map(|frame| u16::from(frame.code)), Some(1009));
            }
        }
    }
}

/// Sends ten thousand commands per second until it is stopped; returns their number.
async fn flooder(lab: &Lab) -> u64 {
    let (mut out, mut incoming) = lab.socket().await.split();
    let mut sent = 0;
    let flood = async {
        for second in 0..3 {
            for id in 0..10_000 {
                let command = match id % 4 {
                    0 => json!({"id": id, "do": "play"}),
                    1 => json!({"id": id, "do": "speed", "factor": 60 + second}),
                    // The most expensive command.
                    2 => json!({"id": id, "do": "save"}),
                    _ => json!({"id": id, "do": "watch", "lane": 0, "robot": id % 3, "layers": ["rays"]}),
                };
                if out.send(Message::from(command.to_string())).await.is_err() {
                    return;
                }
                sent += 1;
            }
        }
    };
    let listen = async { while let Some(Ok(_)) = incoming.next().await {} };
    tokio::select! { () = flood => {}, () = listen => {} }
    sent
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bad_viewers_do_not_change_the_run_nor_stop_it() {
    let request = request(&[]);
    let expected = unwatched(&request);
    let lab = Lab::open(request, Some(60.0));
    let mut good = lab.viewer().await;
    assert_eq!(good.ask(json!({"do": "play"})).await["ok"], true);
    let trouble = async {
        tokio::join!(reloader(&lab), babbler(&lab), shouter(&lab), flooder(&lab));
        // From here on the run goes as fast as possible.
        lab.viewer().await.ask(json!({"do": "speed", "factor": null})).await;
        std::future::pending::<()>().await;
    };
    let watching = async {
        loop {
            good.look().await;
        }
    };
    let hash = tokio::select! {
        hash = lab.result() => hash,
        () = sleeper(&lab) => unreachable!("it sleeps for an hour"),
        () = trouble => unreachable!("it never ends"),
        () = watching => unreachable!("it never ends"),
    };
    assert_eq!(hash, expected);
    assert!(good.frames > 30, "the good viewer saw {} frames", good.frames);
    assert_eq!(good.ask(json!({"do": "pause"})).await["ok"], true);
    let tick = lab.standstill().await;
    good.reach(tick).await;
    assert_eq!(good.pictures[0].robots, lab.handle.views.borrow().lanes[0].robots);
}
