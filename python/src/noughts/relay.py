"""The way between the program and the interpreter that called it. This file imports nothing of the package.

``noughts match`` and ``noughts exam`` start every engine as a process. An agent lives in the interpreter that has
started the match, so its engine is this relay: it passes lines on between its pipes and a socket on this machine::

    python relay.py PORT NAME

The variable ``NOUGHTS_RELAY`` holds a secret, the first word on the socket. The interpreter answers nothing else.
With a command behind the name, the relay is a guard instead: it runs the command, and ends it when the socket closes.
So no match goes on without the interpreter that has asked for it.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading

_SECONDS_TO_END = 5.0
_BYTES = 1 << 16


def connect(port: int, name: str) -> socket.socket:
    """Connect to the interpreter, and say who it is."""
    connection = socket.create_connection(("127.0.0.1", port))
    connection.sendall(f"{os.environ['NOUGHTS_RELAY']} {name}\n".encode())
    return connection


def relay(connection: socket.socket) -> None:
    """Pass on what comes from either side until one of them closes."""

    def to_interpreter() -> None:
        with contextlib.suppress(OSError):
            while read := os.read(0, _BYTES):
                connection.sendall(read)
            connection.shutdown(socket.SHUT_WR)

    threading.Thread(target=to_interpreter, daemon=True).start()
    with contextlib.suppress(OSError):
        while read := connection.recv(_BYTES):
            while read:
                read = read[os.write(1, read) :]


def guard(connection: socket.socket, command: list[str]) -> int:
    """Run a command, and end it when the interpreter has gone. Return its exit code."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL)  # noqa: S603

    def watch() -> None:
        with contextlib.suppress(OSError):
            connection.recv(1)
        process.terminate()
        try:
            process.wait(_SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            process.kill()

    threading.Thread(target=watch, daemon=True).start()
    return process.wait()


def main() -> int:
    """Relay, or guard a command."""
    # Ctrl-C is for the interpreter.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    connection = connect(int(sys.argv[1]), sys.argv[2])
    if sys.argv[3:]:
        return guard(connection, sys.argv[3:])
    relay(connection)
    return 0


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)
