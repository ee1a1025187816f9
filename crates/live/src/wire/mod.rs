//! What goes over the wire: frames out, commands in. `web/src/protocol.ts` is the page's side of it.

mod command;
mod frame;

pub use command::{Command, Layer, Letter, parse};
pub use frame::Frames;
