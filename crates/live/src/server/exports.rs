//! Downloads of exports of this session.

use super::{Shared, files, nothing_here};
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::header::{CONTENT_LENGTH, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError};
use tokio::fs::File;
use tokio::io::AsyncReadExt;

/// Tables can be large, so they are sent in chunks. [bytes]
const PIECE: usize = 64 * 1024;

/// A file of an export.
pub(super) async fn file(
    State(shared): State<Arc<Shared>>,
    Path((name, place)): Path<(String, String)>,
) -> Response {
    let folder: Option<PathBuf> = {
        let exports = shared.handle.exports.lock().unwrap_or_else(PoisonError::into_inner);
        exports.get(&name).cloned()
    };
    let Some(found) = folder.and_then(|folder| files::within(&folder, &place)) else { return nothing_here() };
    let Ok(file) = File::open(&found).await else { return nothing_here() };
    let Ok(length) = file.metadata().await.map(|data| data.len()) else { return nothing_here() };
    let headers = [
        (CONTENT_TYPE, files::content_type(&place).to_string()),
        (CONTENT_LENGTH, length.to_string()),
        (CONTENT_SECURITY_POLICY, files::REPORT_POLICY.to_string()),
    ];
    (headers, Body::from_stream(stream::try_unfold(file.take(length), piece))).into_response()
}

async fn piece<R: AsyncReadExt + Unpin>(mut file: R) -> io::Result<Option<(Vec<u8>, R)>> {
    let mut piece = vec![0; PIECE];
    let length = file.read(&mut piece).await?;
    piece.truncate(length);
    Ok((length > 0).then_some((piece, file)))
}
