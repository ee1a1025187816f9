//! A studio without a run, for tests.

use super::{Answer, Exports, Handle, Order, Wants};
use crate::show::View;
use crate::wire::Command;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use tokio::sync::watch;

/// The other end of the handle: publishes the views of a test.
pub(crate) struct Stage {
    /// The sender of views.
    pub views: watch::Sender<Arc<View>>,
}

/// A handle, and a thread behind it that answers commands.
pub(crate) fn studio(
    view: View,
    mut answer: impl FnMut(Command) -> Answer + Send + 'static,
) -> (Handle, Stage) {
    let (orders, incoming) = sync_channel::<Order>(64);
    let (views, seen) = watch::channel(Arc::new(view));
    std::thread::spawn(move || {
        for order in incoming {
            // The receiver may be gone.
            let _ = order.reply.send(answer(order.command));
        }
    });
    let (wants, exports) = (Arc::new(Wants::default()), Exports::default());
    let handle = Handle { orders, views: seen, wants, exports, shelf: None };
    (handle, Stage { views })
}
