//! The upgrade of a request to a viewer's websocket.

use super::{Shared, sentence, viewer};
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{
    CONNECTION, HeaderMap, HeaderName, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_VERSION,
    UPGRADE,
};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use futures_util::{SinkExt, StreamExt};
use hyper::upgrade::Upgraded;
use hyper_util::rt::TokioIo;
use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error, Message, Utf8Bytes};

/// Largest message of a viewer. [bytes]
const AT_MOST: usize = 64 * 1024;
/// Timeout for sending to a viewer.
const TAKEN_WITHIN: Duration = Duration::from_secs(20);
/// Time that a rejected viewer has to read the reason.
const HEARD_WITHIN: Duration = Duration::from_secs(5);
/// Largest amount of data read from a rejected viewer. [bytes]
const LAST_WORDS: usize = 64 * 1024 * 1024;

/// Why a viewer was disconnected.
#[derive(Debug)]
pub(super) enum End {
    /// It left, or its network failed.
    Gone,
    /// It violated the websocket protocol.
    Nonsense,
    /// Its message was too large.
    TooLong,
    /// Its text was not valid UTF-8.
    NoText,
    /// It does not read what it is sent.
    TooSlow,
    /// The laboratory closes.
    Closing,
    /// The studio has ended.
    Over,
}

impl From<Error> for End {
    fn from(error: Error) -> End {
        match error {
            Error::Capacity(_) => End::TooLong,
            Error::Utf8(_) => End::NoText,
            Error::Protocol(_) => End::Nonsense,
            _ => End::Gone,
        }
    }
}

impl End {
    /// The reason sent to the viewer.
    fn words(&self) -> Option<(CloseCode, &'static str)> {
        Some(match self {
            End::Gone => return None,
            End::Nonsense => (CloseCode::Protocol, "this is not a websocket message"),
            End::TooLong => (CloseCode::Size, "a message has at most 65536 bytes"),
            End::NoText => (CloseCode::Invalid, "a text message is UTF-8"),
            End::TooSlow => (CloseCode::Again, "you did not read messages for too long: reconnect"),
            End::Closing => (CloseCode::Away, "the laboratory is closing"),
            End::Over => (CloseCode::Away, "the run has ended"),
        })
    }
}

/// A viewer's websocket.
pub(super) struct Socket(WebSocketStream<TokioIo<Upgraded>>);

impl Socket {
    /// The next message.
    pub async fn next(&mut self) -> Result<Message, End> {
        Ok(self.0.next().await.ok_or(End::Gone)??)
    }

    /// Sends messages; waits until the viewer has read nearly all of them.
    pub async fn send(&mut self, messages: impl IntoIterator<Item = Message>) -> Result<(), End> {
        let sending = async {
            for message in messages {
                self.0.feed(message).await?;
            }
            self.0.flush().await
        };
        timeout(TAKEN_WITHIN, sending).await.map_err(|_| End::TooSlow)??;
        Ok(())
    }

    /// Sends the viewer the reason for the disconnection and waits until it is read: if the connection closed while the viewer is
    /// still sending, it would only see a reset.
    pub async fn close(mut self, end: &End) {
        let Some((code, reason)) = end.words() else { return };
        let frame = CloseFrame { code, reason: Utf8Bytes::from_static(reason) };
        let farewell = async {
            // A failure means that the viewer is gone.
            let _ = self.0.send(Message::Close(Some(frame))).await;
            let _ = hear_out(self.0.get_mut()).await;
        };
        let _ = timeout(HEARD_WITHIN, farewell).await;
    }
}

/// Reads until the other side closes, and discards everything.
async fn hear_out(stream: &mut TokioIo<Upgraded>) -> io::Result<()> {
    let mut piece = vec![0; 16 * 1024];
    let mut heard = 0;
    while heard < LAST_WORDS {
        match stream.read(&mut piece).await? {
            0 => break,
            length => heard += length,
        }
    }
    Ok(())
}

/// Upgrades a request to a websocket.
pub(super) async fn upgrade(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let headers = request.headers();
    if let Err(refusal) = shared.gate.same_origin(headers) {
        return refusal.into_response();
    }
    let asks = has(headers, &UPGRADE, "websocket") && has(headers, &CONNECTION, "upgrade");
    let version = headers.get(SEC_WEBSOCKET_VERSION).is_some_and(|version| version == "13");
    let key = headers.get(SEC_WEBSOCKET_KEY).filter(|key| asks && version && key.len() <= 64);
    let Some(accept) = key.and_then(|key| HeaderValue::from_str(&derive_accept_key(key.as_bytes())).ok())
    else {
        let mut response =
            sentence(StatusCode::UPGRADE_REQUIRED, "Only websockets (version 13) are served here.");
        response.headers_mut().insert(UPGRADE, HeaderValue::from_static("websocket"));
        response.headers_mut().insert(SEC_WEBSOCKET_VERSION, HeaderValue::from_static("13"));
        return response;
    };
    let Ok(seat) = shared.seats.clone().try_acquire_owned() else {
        let words = format!("there are already {} viewers, which is the limit.", shared.viewers);
        return sentence(StatusCode::SERVICE_UNAVAILABLE, words);
    };
    let number = shared.numbers.fetch_add(1, Ordering::Relaxed);
    let upgraded = hyper::upgrade::on(request);
    tokio::spawn(async move {
        if let Ok(stream) = upgraded.await {
            let config = WebSocketConfig::default()
                .max_message_size(Some(AT_MOST))
                .max_frame_size(Some(AT_MOST))
                .write_buffer_size(32 * 1024);
            let stream =
                WebSocketStream::from_raw_socket(TokioIo::new(stream), Role::Server, Some(config)).await;
            viewer::attend(Socket(stream), &shared, number).await;
        }
        drop(seat);
    });
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::SWITCHING_PROTOCOLS;
    let headers = response.headers_mut();
    headers.insert(CONNECTION, HeaderValue::from_static("upgrade"));
    headers.insert(UPGRADE, HeaderValue::from_static("websocket"));
    headers.insert(SEC_WEBSOCKET_ACCEPT, accept);
    response
}

/// True if a header's list contains a word.
fn has(headers: &HeaderMap, name: &HeaderName, word: &str) -> bool {
    let texts = headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
    texts.flat_map(|text| text.split(',')).any(|part| part.trim().eq_ignore_ascii_case(word))
}
