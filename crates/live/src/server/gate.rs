//! Access control.
//!
//! A foreign page runs in the same browser as ours, so a local address is not enough: the `Host` must be one that no foreign name
//! can resolve to (DNS rebinding), and a websocket's `Origin` must be our own page. Programs other than browsers send no `Origin`
//! and may omit it; they could send any. If a token is required, all of them need it, too.

use super::Token;
use super::sentence;
use axum::http::header::{
    self, CACHE_CONTROL, CONTENT_SECURITY_POLICY, COOKIE, HOST, HeaderMap, HeaderName, HeaderValue, ORIGIN,
    SET_COOKIE,
};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use std::net::{IpAddr, SocketAddr};

/// Decides which requests are accepted.
pub(super) struct Gate {
    bound: SocketAddr,
    token: Option<Token>,
    /// Browsers share cookies between all ports of a host, so the cookie's name contains the port.
    cookie: String,
}

/// An accepted request.
#[derive(Debug)]
pub(super) struct Pass {
    /// The host name of the request.
    pub host: String,
    /// A cookie that stores the token, if it came in the address.
    pub cookie: Option<String>,
}

/// Why a request is refused.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    Host(String),
    Origin { origin: String, host: String },
    Token,
    Body,
}

impl Gate {
    pub fn new(bound: SocketAddr, token: Option<Token>) -> Gate {
        Gate { bound, token, cookie: format!("crewlab-{}", bound.port()) }
    }

    /// Accepts a request, or tells why not.
    pub fn admit(&self, uri: &Uri, headers: &HeaderMap) -> Result<Pass, Refusal> {
        let host = only(headers, &HOST).unwrap_or_default();
        if !self.is_ours(host) {
            return Err(Refusal::Host(shortened(host)));
        }
        let body = headers.get(header::CONTENT_LENGTH).is_some_and(|length| length != "0");
        if body || headers.contains_key(header::TRANSFER_ENCODING) {
            return Err(Refusal::Body);
        }
        let mut pass = Pass { host: host.into(), cookie: None };
        if let Some(token) = &self.token {
            let asked =
                uri.query().unwrap_or_default().split('&').find_map(|part| part.strip_prefix("token="));
            if asked.is_some_and(|asked| token.is(asked)) {
                let words = format!("{}={}; Path=/; HttpOnly; SameSite=Strict", self.cookie, token.text());
                pass.cookie = Some(words);
            } else if !self.cookies(headers).any(|cookie| token.is(cookie)) {
                return Err(Refusal::Token);
            }
        }
        Ok(pass)
    }

    /// Only our own page may open a websocket; programs other than browsers send no origin.
    pub fn same_origin(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        if !headers.contains_key(ORIGIN) {
            return Ok(());
        }
        let origin = only(headers, &ORIGIN).unwrap_or_default();
        let host = only(headers, &HOST).unwrap_or_default();
        let page = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        if !host.is_empty() && page.is_some_and(|page| page.eq_ignore_ascii_case(host)) {
            return Ok(());
        }
        Err(Refusal::Origin { origin: shortened(origin), host: shortened(host) })
    }

    fn cookies<'a>(&'a self, headers: &'a HeaderMap) -> impl Iterator<Item = &'a str> {
        let texts = headers.get_all(COOKIE).into_iter().filter_map(|value| value.to_str().ok());
        let pairs = texts.flat_map(|text| text.split(';')).filter_map(|pair| pair.trim().split_once('='));
        pairs.filter(|(name, _)| *name == self.cookie).map(|(_, value)| value)
    }

    /// True for names that only mean this machine, and for the address we listen at. Any port is accepted: it may have been
    /// forwarded.
    fn is_ours(&self, host: &str) -> bool {
        let name = match host.rsplit_once(':') {
            Some((name, port)) if port.parse::<u16>().is_ok() && !name.is_empty() => name,
            _ => host,
        };
        if name.eq_ignore_ascii_case("localhost") {
            return true;
        }
        let inside = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
        let address = match inside {
            Some(inside) => inside.parse().map(IpAddr::V6),
            None => name.parse().map(IpAddr::V4),
        };
        let bound = self.bound.ip().to_canonical();
        // A server that listens at all addresses does not know its own; but a numeric address cannot be rebound.
        address.is_ok_and(|address| {
            let address = address.to_canonical();
            address.is_loopback() || address == bound || bound.is_unspecified()
        })
    }
}

/// The value of a header that occurs exactly once.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).into_iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

/// A prefix that is long enough to be recognised.
fn shortened(text: &str) -> String {
    text.chars().take(100).collect()
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        match self {
            Refusal::Host(host) => sentence(
                StatusCode::FORBIDDEN,
                format!(
                    "This laboratory cannot be reached under the name `{host}`: use the address that `crewlab live` printed."
                ),
            ),
            Refusal::Origin { origin, host } => sentence(
                StatusCode::FORBIDDEN,
                format!(
                    "A page of `{origin}` has no access to this laboratory; only its own page at `http://{host}` has."
                ),
            ),
            Refusal::Token => sentence(
                StatusCode::UNAUTHORIZED,
                "This laboratory requires a token: use the whole address that `crewlab live` printed, with ?token=...",
            ),
            Refusal::Body => {
                sentence(StatusCode::PAYLOAD_TOO_LARGE, "Only requests without a body are accepted here.")
            }
        }
    }
}

/// Content security policy of the page: its own files, and the websocket it came from. Nobody may frame it.
fn policy(host: &str) -> String {
    let socket = if host.is_empty() { String::new() } else { format!(" ws://{host} wss://{host}") };
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; \
         connect-src 'self'{socket}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
}

/// Sets the headers of every response, without overriding existing ones.
pub(super) fn protect(response: &mut Response, host: &str, cookie: Option<String>) {
    let headers = response.headers_mut();
    let fixed = [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (CACHE_CONTROL, "no-store"),
    ];
    for (name, value) in fixed {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    // The host consists of valid address characters, so these are always valid values.
    if let Ok(value) = HeaderValue::from_str(&policy(host)) {
        headers.entry(CONTENT_SECURITY_POLICY).or_insert(value);
    }
    if let Some(value) = cookie.and_then(|cookie| HeaderValue::from_str(&cookie).ok()) {
        headers.append(SET_COOKIE, value);
    }
}
