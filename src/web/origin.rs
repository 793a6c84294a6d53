//! Only the page of this server may connect, requested by IP address or as `localhost`.
//!
//! A page from another server must not use the engine on this machine. Its browser names the other server in `Origin`. With
//! DNS rebinding, a foreign host name that points to this machine stands in `Host`.

use std::net::IpAddr;

use axum::http::HeaderMap;
use axum::http::header::{HOST, HeaderName, ORIGIN};

use crate::text::Excerpt;

/// Accepts requests to an IP address or to `localhost`, from the page of this server or from a program that is no browser.
///
/// # Errors
/// When the request is for another host, or from the page of another server: the sentence that refuses it.
pub fn check(headers: &HeaderMap) -> Result<(), String> {
    let text = |name: HeaderName| headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
    let host = text(HOST).unwrap_or_default();
    if !is_own_name(&host) || headers.get_all(HOST).iter().count() > 1 {
        return Err(format!("This server is not {}: use its address, or localhost.", Excerpt::of(&host)));
    }
    match text(ORIGIN) {
        Some(origin) if origin != format!("http://{host}") => {
            Err(format!("Pages of {} cannot use this server.", Excerpt::of(&origin)))
        }
        _ => Ok(()),
    }
}

/// True if this is an IP address or `localhost`, with or without a port.
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
