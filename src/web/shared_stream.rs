//! A connection that outlives its WebSocket, so that the last frame reaches the client.

use std::io::{self, IoSlice};
use std::net::Shutdown;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::OwnedSemaphorePermit;

/// One of the owners of a connection. One of them at a time may read, and one may write.
#[derive(Clone)]
pub struct SharedStream(Arc<PlacedStream>);

/// A connection and its place among those that the server may have. The last owner gives both back.
struct PlacedStream {
    stream: TcpStream,
    _place: OwnedSemaphorePermit,
}

impl SharedStream {
    /// The first owner.
    pub fn new(stream: TcpStream, place: OwnedSemaphorePermit) -> SharedStream {
        SharedStream(Arc::new(PlacedStream { stream, _place: place }))
    }

    /// Ends the output, and drops what still comes until the client ends its own. If the connection were closed while
    /// input waits, the system would reset it, and the client could lose what was written last.
    pub async fn finish(&self) {
        let mut dropped = [0; 4096];
        let mut is_open = self.shut_down().is_ok();
        while is_open && self.0.stream.readable().await.is_ok() {
            is_open = match self.0.stream.try_read(&mut dropped) {
                Ok(read) => read > 0,
                Err(error) => error.kind() == io::ErrorKind::WouldBlock,
            };
            // A client that sends without end takes no time from the others.
            tokio::task::yield_now().await;
        }
    }

    fn shut_down(&self) -> io::Result<()> {
        SockRef::from(&self.0.stream).shutdown(Shutdown::Write)
    }
}

impl AsyncRead for SharedStream {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        loop {
            ready!(self.0.stream.poll_read_ready(context))?;
            match self.0.stream.try_read(buffer.initialize_unfilled()) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                read => return Poll::Ready(read.map(|count| buffer.advance(count))),
            }
        }
    }
}

impl AsyncWrite for SharedStream {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.poll_write_vectored(context, &[IoSlice::new(bytes)])
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        loop {
            ready!(self.0.stream.poll_write_ready(context))?;
            match self.0.stream.try_write_vectored(parts) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                written => return Poll::Ready(written),
            }
        }
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(self.shut_down())
    }
}
