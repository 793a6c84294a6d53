//! A tab of the browser: a client of `noughts serve`.

#![allow(dead_code)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

/// A WebSocket of few words.
pub struct Tab {
    pub stream: BufReader<TcpStream>,
}

impl Tab {
    /// Opens a session of `noughts serve` for a page from `origin` that was led there by the name `host`. Otherwise the first
    /// line of the refusal.
    pub fn open(stream: TcpStream, host: &str, origin: &str) -> Result<Tab, String> {
        Tab::open_at("/session", stream, host, origin)
    }

    /// Opens a tab at another path of the server.
    pub fn open_at(path: &str, mut stream: TcpStream, host: &str, origin: &str) -> Result<Tab, String> {
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: {origin}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        )
        .expect("it takes a request");
        let mut stream = BufReader::new(stream);
        let mut first = String::new();
        stream.read_line(&mut first).expect("it answers");
        let mut line = String::new();
        while line != "\r\n" {
            line.clear();
            if stream.read_line(&mut line).expect("headers") == 0 {
                break;
            }
        }
        if first.contains(" 101 ") { Ok(Tab { stream }) } else { Err(first.trim_end().to_owned()) }
    }

    /// A text frame, masked with zeros as far as the server can tell.
    pub fn frame(line: &str) -> Vec<u8> {
        let mut frame = vec![0x81];
        match line.len() {
            length @ ..126 => frame.push(0x80 | length as u8),
            length @ ..65_536 => {
                frame.push(0x80 | 126);
                frame.extend((length as u16).to_be_bytes());
            }
            length => {
                frame.push(0x80 | 127);
                frame.extend((length as u64).to_be_bytes());
            }
        }
        frame.extend([0; 4]);
        frame.extend(line.as_bytes());
        frame
    }

    pub fn send(&mut self, lines: &[&str]) -> &mut Tab {
        let frames: Vec<u8> = lines.iter().flat_map(|line| Tab::frame(line)).collect();
        self.stream.get_mut().write_all(&frames).expect("the server reads");
        self
    }

    /// The next line, or `None` when the server has closed the connection.
    pub fn line(&mut self) -> Option<String> {
        self.line_or_code().ok()
    }

    /// The code of the close frame that follows the lines, or `None` if there is none.
    pub fn close_code(&mut self) -> Option<u16> {
        loop {
            if let Err(code) = self.line_or_code() {
                return code;
            }
        }
    }

    /// The next line, or the code with which the server closes the connection, if it says one.
    pub fn line_or_code(&mut self) -> Result<String, Option<u16>> {
        loop {
            let mut head = [0; 2];
            self.stream.read_exact(&mut head).map_err(|_| None)?;
            let length = match head[1] {
                126 => {
                    let mut length = [0; 2];
                    self.stream.read_exact(&mut length).map_err(|_| None)?;
                    u16::from_be_bytes(length).into()
                }
                127 => panic!("no line is so long"),
                length => usize::from(length),
            };
            let mut payload = vec![0; length];
            self.stream.read_exact(&mut payload).map_err(|_| None)?;
            match head[0] & 15 {
                1 => return Ok(String::from_utf8(payload).expect("text")),
                8 => return Err(payload.first_chunk().map(|code| u16::from_be_bytes(*code))),
                _ => {}
            }
        }
    }

    /// The number of lines before the one that begins like this.
    pub fn count_until(&mut self, start: &str) -> usize {
        let mut count = 0;
        while !self.line().expect("the connection stays").starts_with(start) {
            count += 1;
        }
        count
    }

    pub fn until(&mut self, start: &str) -> String {
        loop {
            let line = self.line().unwrap_or_else(|| panic!("{start} did not come"));
            if line.starts_with(start) {
                return line;
            }
        }
    }
}
