#!/usr/bin/env python3
"""Starts programs of Unix for tests of the Windows program under Wine: the other end of tests/windows/src/main.rs.

    tests/windows/unix_programs.py

Prints the number of a port of this machine, then serves until its standard input ends. Only for tests: whoever reaches the
port can start any program.
"""

import os
import signal
import socketserver
import struct
import subprocess
import sys
import threading


def unix_path(path):
    r"""The folder that Wine calls Z:\a\b, with or without \\?\ in front."""
    path = path.removeprefix("\\\\?\\").replace("\\", "/")
    return path[2:] if path[1:2] == ":" else path


class Program(socketserver.StreamRequestHandler):
    """One program, from its start to its end."""

    disable_nagle_algorithm = True

    def receive(self):
        try:
            kind, length = struct.unpack(">cI", self.rfile.read(5))
            return kind, self.rfile.read(length)
        except (OSError, struct.error):
            return None, b""  # The other end was killed.

    def send(self, kind, data):
        with self.lock:
            try:
                self.wfile.write(struct.pack(">cI", kind, len(data)) + data)
            except OSError:
                pass  # The other end is seen to have gone by receive.

    def handle(self):
        self.lock = threading.Lock()
        _, words = self.receive()
        folder, marker, *command = words.decode().split("\0")
        environment = os.environ | {"NOUGHTS_TEST": marker}
        pipe = subprocess.PIPE
        try:
            child = subprocess.Popen(command, cwd=unix_path(folder), env=environment, stdin=pipe, stdout=pipe, stderr=pipe,
                                     start_new_session=True)
        except OSError as error:
            self.send(b"e", f"{error}\n".encode())
            self.send(b"x", b"127")
            return
        threading.Thread(target=self.pass_output, args=(child,)).start()
        while True:
            kind, data = self.receive()
            if kind is None:
                break
            try:
                child.stdin.write(data)
                child.stdin.flush()
                if not data:
                    child.stdin.close()
            except (OSError, ValueError):
                pass  # A program need not read its input.
        try:
            os.killpg(child.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def pass_output(self, child):
        def copy(kind, stream):
            while data := os.read(stream.fileno(), 1 << 16):
                self.send(kind, data)

        pipes = [threading.Thread(target=copy, args=pair) for pair in ((b"o", child.stdout), (b"e", child.stderr))]
        for pipe in pipes:
            pipe.start()
        for pipe in pipes:
            pipe.join()
        code = child.wait()
        self.send(b"x", str(code if code >= 0 else 128 - code).encode())


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    request_queue_size = 100


with Server(("127.0.0.1", 0), Program) as server:
    print(server.server_address[1], flush=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()
