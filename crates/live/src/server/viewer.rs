//! One viewer: it gets the latest view whenever it has read the previous one, and an answer to every message.

use super::Shared;
use super::pace::Pace;
use super::seen::Seen;
use super::socket::{End, Socket};
use crate::show::View;
use crate::studio::{Answer, Handle, Want};
use crate::wire::{Command, Letter, parse};
use crewlab_lab::sim::onboard::RobotId;
use serde_json::{Value, json};
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;
use tokio::sync::{oneshot, watch};
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until};
use tokio_tungstenite::tungstenite::Message;

/// Interval between two frames: at most 30 per second.
const FRAME: Duration = Duration::from_nanos(33_333_333);
/// Interval of pings to a silent viewer.
const PING: Duration = Duration::from_secs(15);
/// Silence after which a viewer counts as gone.
const SILENCE: Duration = Duration::from_secs(60);
/// Largest number of pending commands of one viewer; further ones are not read until some are answered.
const WAITING: usize = 64;
/// Error messages are truncated to this length. [characters]
const LONGEST_ERROR: usize = 600;

/// The answer to a command, or its receiver.
enum Reply {
    Known(Answer),
    Awaited(oneshot::Receiver<Answer>),
}

/// The state of one viewer.
struct Viewer<'a> {
    handle: &'a Handle,
    number: u64,
    want: Want,
    seen: Seen,
    pace: Pace,
    /// Pending answers, with the numbers of their commands.
    replies: Vec<(u64, Reply)>,
}

/// Serves a viewer until it leaves or is disconnected.
pub(super) async fn attend(mut socket: Socket, shared: &Shared, number: u64) {
    let mut viewer = Viewer {
        handle: &shared.handle,
        number,
        want: Want::default(),
        seen: Seen::default(),
        pace: Pace::new(Instant::now()),
        replies: Vec::new(),
    };
    viewer.handle.wants.set(number, Want::default());
    let end = converse(&mut viewer, &mut socket, shared).await;
    viewer.handle.wants.forget(number);
    socket.close(&end).await;
}

async fn converse(viewer: &mut Viewer<'_>, socket: &mut Socket, shared: &Shared) -> End {
    match talk(viewer, socket, shared).await {
        Ok(never) => match never {},
        Err(end) => end,
    }
}

/// Returns only with the end of the connection.
enum Never {}

async fn talk(viewer: &mut Viewer<'_>, socket: &mut Socket, shared: &Shared) -> Result<Never, End> {
    let mut views = shared.handle.views.clone();
    let mut closing = shared.closing.clone();
    let mut heard = Instant::now();
    let mut ping = interval(PING);
    ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
    socket.send([Message::from(shared.hello.as_str())]).await?;
    // The first view is sent at once.
    let (mut due, mut frame) = (true, Instant::now());
    loop {
        let room = viewer.replies.len() < WAITING;
        let resume = viewer.pace.resume;
        let listens = room && resume <= Instant::now();
        tokio::select! {
            message = socket.next(), if listens => {
                heard = Instant::now();
                viewer.hear(message?, &views);
                // What it watches now may already be available.
                due |= viewer.seen.is_away();
            }
            () = sleep_until(resume), if room && !listens => {}
            answers = answers(&mut viewer.replies), if !viewer.replies.is_empty() => socket.send(answers).await?,
            changed = views.changed(), if !due => {
                changed.map_err(|_| End::Over)?;
                due = true;
            }
            () = sleep_until(frame), if due => {
                let now = Instant::now();
                // Keeps the average frame rate even if one frame was late.
                frame = (frame + FRAME).max(now + FRAME / 2);
                let view = views.borrow_and_update().clone();
                let (messages, more) = viewer.seen.catch_up(&view, &viewer.want);
                drop(view);
                due = more;
                if !messages.is_empty() {
                    socket.send(messages).await?;
                }
            }
            _ = ping.tick() => {
                if listens && heard.elapsed() > SILENCE {
                    return Err(End::Gone);
                }
                socket.send([Message::Ping(Default::default())]).await?;
            }
            // It changes only once; later viewers are refused.
            _ = closing.changed() => return Err(End::Closing),
        }
    }
}

impl Viewer<'_> {
    /// Processes a viewer's message. Everything except websocket control frames gets an answer.
    fn hear(&mut self, message: Message, views: &watch::Receiver<Arc<View>>) {
        let letter = match message {
            Message::Text(text) => parse(&text),
            Message::Binary(_) => {
                Letter { id: 0, command: Err("commands are text messages, this one is binary".into()) }
            }
            _ => return,
        };
        let free = self.pace.take(Instant::now());
        let reply = match letter.command {
            _ if !free => Reply::Known(Err(Pace::complaint())),
            Err(error) => Reply::Known(Err(error)),
            Ok(Command::Watch { lane, robot, layers }) => {
                let watched = found(lane, robot, &views.borrow());
                let want = watched.map(|robot| Want { lane, robot, layers });
                Reply::Known(want.map(|want| self.watch(want)).map(|()| Value::Null))
            }
            Ok(command) => match self.handle.order(self.number, command) {
                Ok(awaited) => Reply::Awaited(awaited),
                Err(error) => Reply::Known(Err(error)),
            },
        };
        self.replies.push((letter.id, reply));
    }

    /// The viewer watches something else.
    fn watch(&mut self, mut want: Want) {
        let Want { lane, robot, .. } = want;
        want.layers.sort();
        want.layers.dedup();
        if (lane, robot) != (self.want.lane, self.want.robot) {
            self.seen.look_away();
        }
        self.handle.wants.set(self.number, want.clone());
        self.want = want;
    }
}

/// The robot at a place in the team of a lane, if both exist; none if no place is given.
fn found(lane: usize, robot: Option<usize>, view: &View) -> Result<Option<RobotId>, String> {
    let Some(found) = view.lanes.get(lane) else {
        return Err(format!("there is no lane {lane}: there are {}, counted from 0", view.lanes.len()));
    };
    if let Some(robot) = robot.filter(|robot| *robot >= found.robots.len()) {
        return Err(format!("there is no robot {robot}: there are {}, counted from 0", found.robots.len()));
    }
    Ok(robot.map(RobotId::from_index))
}

/// Waits for pending answers; takes all that are ready.
async fn answers(replies: &mut Vec<(u64, Reply)>) -> Vec<Message> {
    poll_fn(|context| {
        let mut out = Vec::new();
        replies.retain_mut(|(id, reply)| {
            let answer = match reply {
                Reply::Known(answer) => std::mem::replace(answer, Ok(Value::Null)),
                Reply::Awaited(awaited) => match Pin::new(awaited).poll(context) {
                    Poll::Ready(answer) => answer.unwrap_or_else(|_| Err("the run has ended".into())),
                    Poll::Pending => return true,
                },
            };
            out.push(Message::from(text_of(*id, answer)));
            false
        });
        if out.is_empty() { Poll::Pending } else { Poll::Ready(out) }
    })
    .await
}

fn text_of(id: u64, answer: Answer) -> String {
    let text = match answer {
        Ok(Value::Null) => json!({"type": "answer", "id": id, "ok": true}),
        Ok(result) => json!({"type": "answer", "id": id, "ok": true, "result": result}),
        Err(mut error) => {
            if let Some((cut, _)) = error.char_indices().nth(LONGEST_ERROR) {
                error.truncate(cut);
                error.push_str(" ...");
            }
            json!({"type": "answer", "id": id, "ok": false, "error": error})
        }
    };
    text.to_string()
}
