//! A studio without a run, for tests of what is around it.

use super::{Answer, Exports, Handle, Order, Wants};
use crate::show::View;
use crate::wire::Command;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use tokio::sync::watch;

/// What stands behind the handle: shows what the test wants to be seen.
pub(crate) struct Stage {
    /// Where views come from.
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
            // Somebody who left does not hear it.
            let _ = order.reply.send(answer(order.command));
        }
    });
    let (wants, exports) = (Arc::new(Wants::default()), Exports::default());
    let handle = Handle { orders, views: seen, wants, exports, shelf: None };
    (handle, Stage { views })
}
