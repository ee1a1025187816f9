//! The server with a real run and real sockets.

mod abuse;
mod agreement;
mod client;
mod frames;
