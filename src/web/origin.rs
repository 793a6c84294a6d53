//! Who may connect: pages that this server has sent, asked for by an address or as `localhost`.
//!
//! A page of somebody else's must not talk to a server on this machine. Its browser names the page in `Origin`; and a
//! name that somebody else owns and lets point here (DNS rebinding) stands in `Host`.

use std::fmt;
use std::net::IpAddr;

use axum::http::HeaderMap;
use axum::http::header::{HOST, HeaderName, ORIGIN};

use crate::text::Excerpt;

/// Why somebody is not answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The server was asked for under a name that is not its own.
    Host(Excerpt),
    /// Another page asks.
    Origin(Excerpt),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Host(host) => write!(f, "This server is not {host}: use its address, or localhost."),
            Refusal::Origin(origin) => write!(f, "Pages of {origin} cannot use this server."),
        }
    }
}

/// Lets pass what was asked for under an address or as `localhost`, by a page from there or by a program that is no page.
pub fn check(headers: &HeaderMap) -> Result<(), Refusal> {
    let text = |name: HeaderName| headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
    let host = text(HOST).unwrap_or_default();
    if !is_own_name(&host) || headers.get_all(HOST).iter().count() > 1 {
        return Err(Refusal::Host(Excerpt::of(&host)));
    }
    match text(ORIGIN) {
        Some(origin) if origin != format!("http://{host}") => Err(Refusal::Origin(Excerpt::of(&origin))),
        _ => Ok(()),
    }
}

/// Whether this is an address or `localhost`, perhaps with a port.
fn is_own_name(host: &str) -> bool {
    let (name, port) = match host.rsplit_once(':') {
        Some((name, port)) if !name.contains(':') || name.ends_with(']') => (name, Some(port)),
        _ => (host, None),
    };
    let is_port = port.is_none_or(|port| port.parse::<u16>().is_ok());
    let address = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    is_port && (name.eq_ignore_ascii_case("localhost") || address.parse::<IpAddr>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(host: &str, origin: Option<&str>) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(HOST, host.parse().expect("a header"));
        if let Some(origin) = origin {
            headers.insert(ORIGIN, origin.parse().expect("a header"));
        }
        check(&headers).is_ok()
    }

    #[test]
    fn pages_of_this_server_and_programs_are_answered() {
        for host in ["127.0.0.1:8383", "localhost:8383", "LOCALHOST", "[::1]:8383", "192.168.1.2:80", "127.0.0.1"] {
            assert!(answered(host, None), "{host}");
            assert!(answered(host, Some(&format!("http://{host}"))), "{host}");
        }
    }

    #[test]
    fn foreign_names_and_foreign_pages_are_refused() {
        for host in
            ["example.org", "example.org:8383", "localhost.example.org", "127.0.0.1.example.org", "", "a:b", ":1"]
        {
            assert!(!answered(host, None), "{host}");
        }
        for origin in
            ["http://example.org", "null", "https://127.0.0.1:8383", "http://127.0.0.1:8384", "http://127.0.0.1"]
        {
            assert!(!answered("127.0.0.1:8383", Some(origin)), "{origin}");
        }
        assert!(check(&HeaderMap::new()).is_err());
    }
}
