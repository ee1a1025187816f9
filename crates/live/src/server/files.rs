//! Safe access to files in a folder.

use std::path::{Path, PathBuf};

/// Content security policy of reports, which are self-contained.
pub(super) const REPORT_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
    img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The file at this path within a folder; `None` if there is none or it would lie outside.
pub(super) fn within(folder: &Path, place: &str) -> Option<PathBuf> {
    if !place.split('/').all(is_plain) {
        return None;
    }
    let folder = folder.canonicalize().ok()?;
    // Symbolic links are resolved first.
    let file = folder.join(place).canonicalize().ok()?;
    (file.starts_with(&folder) && file.is_file()).then_some(file)
}

/// True for a name that is safe on every system.
fn is_plain(name: &str) -> bool {
    let odd = |c: char| matches!(c, '\\' | ':') || c.is_control();
    !name.is_empty() && !name.starts_with('.') && !name.contains(odd)
}

/// The content type of a file, by its name.
pub(super) fn content_type(name: &str) -> &'static str {
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    match ending {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "wasm" => "application/wasm",
        "csv" => "text/csv; charset=utf-8",
        "txt" | "md" | "yaml" | "yml" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
