//! The shelf: its report, and the addresses of its runs.
//!
//! Opening an address has no side effects: a foreign page can make a browser load any address, for example as a picture. So
//! `/replay/KEY` only leads to our own page, which asks for the run through its websocket when a person looks at it.

use super::{Shared, files, sentence};
use axum::extract::{Path, State};
use axum::http::header::{CONTENT_SECURITY_POLICY, LOCATION};
use axum::http::{StatusCode, Uri};
use axum::response::{Html, IntoResponse, Response};
use std::fmt::Write;
use std::sync::Arc;

const NO_SHELF: &str = "This laboratory was opened with a scenario, so it has no report and no other runs. \
    `crewlab live FOLDER` has those of a folder with results.";
const NO_REPORT: &str = "These results have no report. The laboratory is at /.";

/// The report.
pub(super) async fn report(State(shared): State<Arc<Shared>>) -> Response {
    let Some(shelf) = shared.handle.shelf.clone() else { return no_shelf() };
    // It may have to be read or generated.
    let report = tokio::task::spawn_blocking(move || shelf.report()).await;
    match report.ok().flatten() {
        Some(page) => ([(CONTENT_SECURITY_POLICY, files::REPORT_POLICY)], Html(page)).into_response(),
        None => sentence(StatusCode::NOT_FOUND, NO_REPORT),
    }
}

/// The page, which will open a run. If there is no such run, the page says so.
pub(super) async fn replay(
    State(shared): State<Arc<Shared>>,
    Path(key): Path<String>,
    address: Uri,
) -> Response {
    if shared.handle.shelf.is_none() {
        return no_shelf();
    }
    // A token in the address is passed on.
    let rest = address.query().map_or_else(String::new, |query| format!("&{query}"));
    let page = format!("../?open={}{rest}", encoded(&key));
    (StatusCode::SEE_OTHER, [(LOCATION, page)]).into_response()
}

fn no_shelf() -> Response {
    sentence(StatusCode::NOT_FOUND, NO_SHELF)
}

/// Percent-encodes a path segment.
fn encoded(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            out.push(byte.into());
        } else {
            // Writing into a string cannot fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}
