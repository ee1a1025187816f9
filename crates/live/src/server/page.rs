//! The page: built in, or from a folder during development.

use super::{Shared, files, nothing_here};
use axum::body::Body;
use axum::extract::State;
use axum::http::Uri;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{Html, IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};
use std::borrow::Cow;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct BuiltIn;

/// Shown by a binary that was built without the page.
const NO_PAGE: &str = "<!doctype html><html lang=en><meta charset=utf-8><title>Crewlab</title>\
    <h1>This crewlab has no page</h1>\
    <p>The run continues and is available at <code>/ws</code>, but this binary was built without the page. \
    <code>make build</code> builds both; it needs Node.js 20 or newer.</html>";

/// Where the page comes from.
pub(super) enum Page {
    BuiltIn,
    Folder(PathBuf),
}

impl Page {
    pub fn new(folder: Option<PathBuf>) -> io::Result<Page> {
        let Some(folder) = folder else { return Ok(Page::BuiltIn) };
        if folder.join("index.html").is_file() {
            return Ok(Page::Folder(folder));
        }
        let words = format!("{} does not contain the page: it has no index.html", folder.display());
        Err(io::Error::new(io::ErrorKind::NotFound, words))
    }

    async fn get(&self, place: &str) -> Option<Cow<'static, [u8]>> {
        match self {
            Page::BuiltIn => BuiltIn::get(place).map(|EmbeddedFile { data, .. }| data),
            Page::Folder(folder) => tokio::fs::read(files::within(folder, place)?).await.ok().map(Cow::Owned),
        }
    }
}

/// The page is never cached, so that it always fits this binary.
pub(super) async fn index(State(shared): State<Arc<Shared>>) -> Response {
    match shared.page.get("index.html").await {
        Some(data) => ([(CONTENT_TYPE, files::content_type("index.html"))], Body::from(data.into_owned()))
            .into_response(),
        None => Html(NO_PAGE).into_response(),
    }
}

/// The assets of the page.
pub(super) async fn asset(State(shared): State<Arc<Shared>>, uri: Uri) -> Response {
    let place = uri.path().trim_start_matches('/');
    let plain = place.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_./".contains(&byte));
    if !plain || place.split('/').any(|part| part.is_empty() || part.starts_with('.')) {
        return nothing_here();
    }
    let Some(data) = shared.page.get(place).await else { return nothing_here() };
    // Names of assets change with their content.
    let cache =
        if place.starts_with("assets/") { "private, max-age=31536000, immutable" } else { "no-cache" };
    let headers = [(CONTENT_TYPE, files::content_type(place)), (CACHE_CONTROL, cache)];
    (headers, Body::from(data.into_owned())).into_response()
}
