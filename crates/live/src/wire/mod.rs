//! The wire format: frames out, commands in. `web/src/protocol.ts` is the page's side of it.

mod command;
mod frame;
mod picture;

pub use command::{Command, Layer, Letter, parse};
pub use frame::Frames;
pub use picture::{FrameError, Picture, apply};
