//! The server with a real run behind it and real sockets before it.

mod abuse;
mod agreement;
mod client;
mod frames;
