//! For tests of the Windows program under Wine: stands for a program of Unix, such as `sh` or `python3`.
//!
//! A program of Windows cannot have a child of Unix with pipes under Wine. This program is such a child. It has the name of
//! the program that it stands for, asks `tests/windows/unix_programs.py` on this machine to start that one, and passes on what is
//! read and written, and how it ends. If it is killed, the other one is killed too.

use std::env;
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::process::exit;
use std::thread;

fn main() -> io::Result<()> {
    let port = env::var("UNIX_PROGRAMS_PORT").map_err(io::Error::other)?;
    let mut socket = TcpStream::connect(format!("127.0.0.1:{port}"))?;
    socket.set_nodelay(true)?;
    let program = env::current_exe()?.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let marker = env::var("NOUGHTS_TEST").unwrap_or_default();
    let mut words = vec![env::current_dir()?.display().to_string(), marker, program];
    words.extend(env::args().skip(1));
    send(&mut socket, b'w', words.join("\0").as_bytes())?;
    let mut input = socket.try_clone()?;
    thread::spawn(move || pass_input(&mut input));
    loop {
        let (kind, bytes) = receive(&mut socket)?;
        match kind {
            b'o' => io::stdout().write_all(&bytes).and_then(|()| io::stdout().flush())?,
            b'e' => io::stderr().write_all(&bytes)?,
            _ => exit(String::from_utf8_lossy(&bytes).parse().unwrap_or(1)),
        }
    }
}

/// Passes on standard input, and at last its end: nothing.
fn pass_input(socket: &mut TcpStream) -> io::Result<()> {
    let mut bytes = [0; 1 << 16];
    loop {
        let read = io::stdin().read(&mut bytes)?;
        send(socket, b'i', &bytes[..read])?;
        if read == 0 {
            return Ok(());
        }
    }
}

/// A message: its kind, its length in four bytes, and itself.
fn send(socket: &mut TcpStream, kind: u8, bytes: &[u8]) -> io::Result<()> {
    let length = u32::try_from(bytes.len()).map_err(io::Error::other)?;
    socket.write_all(&[&[kind], &length.to_be_bytes()[..], bytes].concat())
}

fn receive(socket: &mut TcpStream) -> io::Result<(u8, Vec<u8>)> {
    let mut head = [0; 5];
    socket.read_exact(&mut head)?;
    let length = u32::from_be_bytes([head[1], head[2], head[3], head[4]]);
    let mut bytes = vec![0; length as usize];
    socket.read_exact(&mut bytes)?;
    Ok((head[0], bytes))
}
