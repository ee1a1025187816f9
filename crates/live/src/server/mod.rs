//! The web server: the page, one websocket per viewer, and access control.
//!
//! It has its own threads and accesses the run only through its [`Handle`]: whatever viewers do or fail to do, the simulation
//! does not wait for them.

mod exports;
mod files;
mod gate;
mod pace;
mod page;
mod seen;
mod shelf;
mod socket;
mod token;
mod viewer;

#[cfg(test)]
mod tests;

pub use token::Token;

use crate::studio::Handle;
use axum::Router;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use gate::Gate;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use page::Page;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{Semaphore, watch};
use tokio::time::{sleep, timeout};

/// Largest number of concurrent connections, viewers included; further ones wait to be accepted.
const CONNECTIONS: usize = 256;
/// Timeout of a request.
const HEADERS_WITHIN: Duration = Duration::from_secs(10);
/// Largest size of a request. [bytes]
const HEADERS_AT_MOST: usize = 16 * 1024;
/// Send buffer of one viewer: a larger one would hold outdated frames. [bytes]
const ON_THE_WAY: u32 = 128 * 1024;
/// Time that viewers have to disconnect.
const LEAVE_WITHIN: Duration = Duration::from_secs(2);

/// Options of the server.
#[derive(Clone, Debug)]
pub struct ServerOptions {
    /// Where to listen; port 0 is any free one.
    pub address: SocketAddr,
    /// The token that everybody needs; required if other machines can reach the address.
    pub token: Option<Token>,
    /// A folder with the page, instead of the built-in one.
    pub page: Option<PathBuf>,
    /// Largest number of viewers.
    pub viewers: usize,
}

impl Default for ServerOptions {
    fn default() -> ServerOptions {
        ServerOptions { address: SocketAddr::from(([127, 0, 0, 1], 0)), token: None, page: None, viewers: 64 }
    }
}

/// A running server. It stops when this is dropped.
pub struct Running {
    address: SocketAddr,
    token: Option<Token>,
    closing: watch::Sender<bool>,
    ended: std::sync::mpsc::Receiver<()>,
    runtime: Option<Runtime>,
}

impl Running {
    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address of the page, with the token if there is one. If it listens everywhere, the local one.
    pub fn url(&self) -> String {
        let mut address = self.address;
        if address.ip().is_unspecified() {
            address.set_ip(if address.is_ipv4() {
                [127, 0, 0, 1].into()
            } else {
                [0, 0, 0, 0, 0, 0, 0, 1].into()
            });
        }
        let query = self.token.as_ref().map_or_else(String::new, |token| format!("?token={}", token.text()));
        format!("http://{address}/{query}")
    }

    /// Disconnects all viewers and stops.
    pub fn stop(self) {
        self.closing.send_replace(true);
        // An error means that it has stopped already.
        let _ = self.ended.recv_timeout(LEAVE_WITHIN + Duration::from_secs(1));
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.closing.send_replace(true);
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// The state shared by all connections.
struct Shared {
    handle: Handle,
    gate: Gate,
    page: Page,
    hello: String,
    seats: Arc<Semaphore>,
    viewers: usize,
    numbers: AtomicU64,
    closing: watch::Receiver<bool>,
}

/// Starts the server; it runs until it is stopped or dropped.
pub fn serve(handle: Handle, options: ServerOptions) -> io::Result<Running> {
    let open = !options.address.ip().to_canonical().is_loopback();
    if open && options.token.is_none() {
        let words =
            format!("{} can be reached from other machines, which needs a token", options.address.ip());
        return Err(io::Error::new(io::ErrorKind::InvalidInput, words));
    }
    let page = Page::new(options.page)?;
    let runtime =
        Builder::new_multi_thread().worker_threads(2).thread_name("crewlab-server").enable_all().build()?;
    let listener = {
        let _context = runtime.enter();
        listen(options.address)?
    };
    let address = listener.local_addr()?;
    let (closing, closed) = watch::channel(false);
    let hello = seen::hello(handle.shelf.as_deref());
    let shared = Arc::new(Shared {
        handle,
        gate: Gate::new(address, options.token.clone()),
        page,
        hello,
        seats: Arc::new(Semaphore::new(options.viewers)),
        viewers: options.viewers,
        numbers: AtomicU64::new(1),
        closing: closed,
    });
    let (end, ended) = std::sync::mpsc::channel();
    runtime.spawn(async move {
        accept(listener, shared).await;
        // Nobody waits any more if this fails.
        let _ = end.send(());
    });
    Ok(Running { address, token: options.token, closing, ended, runtime: Some(runtime) })
}

fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    // Allows the port to be reused at once.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    // Connections inherit it.
    socket.set_send_buffer_size(ON_THE_WAY)?;
    socket.bind(address)?;
    socket.listen(128)
}

async fn accept(listener: TcpListener, shared: Arc<Shared>) {
    let connections = Arc::new(Semaphore::new(CONNECTIONS));
    let router = router(shared.clone());
    let mut closing = shared.closing.clone();
    loop {
        let next = async {
            let place = connections.clone().acquire_owned().await;
            (place, listener.accept().await)
        };
        let (place, connection) = tokio::select! {
            next = next => next,
            _ = closing.wait_for(|closing| *closing) => break,
        };
        match (place, connection) {
            (Ok(place), Ok((stream, _))) => {
                let router = router.clone();
                tokio::spawn(async move {
                    talk(stream, router).await;
                    drop(place);
                });
            }
            // Out of file descriptors, or the other side has gone: retries in a moment.
            _ => sleep(Duration::from_millis(50)).await,
        }
    }
    drop(listener);
    // Viewers that have not left by then are disconnected.
    let _ = timeout(LEAVE_WITHIN, shared.seats.acquire_many(shared.viewers as u32)).await;
}

/// Serves one connection until it ends or becomes a viewer's.
async fn talk(stream: TcpStream, router: Router) {
    // Failure only affects latency.
    let _ = stream.set_nodelay(true);
    let connection = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADERS_WITHIN)
        .max_buf_size(HEADERS_AT_MOST)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router))
        .with_upgrades();
    // Errors here concern only the client and its network.
    let _ = connection.await;
}

fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/", get(page::index))
        .route("/ws", get(socket::upgrade))
        .route("/report", get(shelf::report))
        .route("/replay/{key}", get(shelf::replay))
        .route("/exports/{name}/{*path}", get(exports::file))
        .fallback(page::asset)
        .layer(middleware::from_fn_with_state(shared.clone(), guard))
        .with_state(shared)
}

/// Checks access, and sets the security headers.
async fn guard(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let admitted = shared.gate.admit(request.uri(), request.headers());
    let (mut response, cookie, host) = match admitted {
        Ok(pass) => (next.run(request).await, pass.cookie, pass.host),
        Err(refusal) => (refusal.into_response(), None, String::new()),
    };
    gate::protect(&mut response, &host, cookie);
    response
}

/// Not found.
fn nothing_here() -> Response {
    sentence(StatusCode::NOT_FOUND, "There is nothing at this address. The laboratory is at /.")
}

/// A one-sentence response.
fn sentence(status: StatusCode, words: impl AsRef<str>) -> Response {
    (status, format!("{}\n", words.as_ref())).into_response()
}
