#!/usr/bin/env python3
"""How `noughts serve` treats the people who play while thousands of connections waste its time.

    scripts/serve_load.py
    scripts/serve_load.py --open-files 1024 --max-sessions 64
    scripts/serve_load.py --connections 0

Starts a server on loopback, and a second process that keeps --connections connections open, in equal parts:

    silent      says nothing
    slow head   a request of which one byte comes every second
    deaf        asks for the same file 200 times and reads no answer
    idle tab    a WebSocket that says nothing

A connection that the server closes is opened again; --rate connections are opened a second. Beside them --players people
play games through WebSockets, each on a board of its own, with short pauses. The time from sending a position and a `go`
until the `bestmove` is there is measured for each move. Twice a second a newcomer loads the page, opens a WebSocket and
asks whether the engine is ready. A newcomer that gets the page of a full server, or a player that gets no session, tries
again after 100 ms.

There is a row for moves; one for answers, the time until the page or its refusal is there; one for newcomers, the time
until their session is ready, tries included; and one for a thread that only sleeps 10 ms at a time: by how much it wakes
late is what the machine does to every program (count, median, p99 and worst, in milliseconds). Then comes what the
server needed: computing time, and at most so much resident memory, open files, threads, and memory of the system for
all TCP sockets of this machine. Then what the server wrote to its log.

Exit code 1: p99 of a move was 50 ms or more, p99 of an answer 1 s or more, a player or newcomer failed, or the server
wrote more lines than one of each kind a minute. With --excuse times count only if the sleeping thread was on time, and
too few open files are no failure.

--open-files is the limit of open files of the server. NOUGHTS names another program. Linux only.
"""

import argparse
import errno
import os
import random
import re
import resource
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
NOUGHTS = os.environ.get("NOUGHTS", os.path.join(HERE, "..", "target", "release", "noughts"))

KINDS = ("silent", "slow head", "deaf", "idle tab")

# p99 of a move and of an answer, in milliseconds; and of a thread that sleeps, on a machine that is not busy.
MOVE_BOUND, ANSWER_BOUND, LATE_BOUND = 50.0, 1000.0, 5.0

# The pause after which someone who was refused tries again, in seconds.
AGAIN = 0.1

# Bytes of a page of memory.
PAGE = os.sysconf("SC_PAGE_SIZE")

# The longest that a player waits for an answer, in seconds.
PATIENCE = 30.0


def upgrade(address):
    """The request that opens a WebSocket."""
    return (
        f"GET /session HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    ).encode()


def page(address, path):
    return f"GET {path} HTTP/1.1\r\nHost: {address}\r\n\r\n".encode()


class Refused(Exception):
    """The server did not open a session."""


class Tab:
    """A WebSocket that waits for its answers."""

    def __init__(self, address):
        host, port = address.rsplit(":", 1)
        self.socket = socket.create_connection((host, int(port)), timeout=PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.sendall(upgrade(address))
        self.file = self.socket.makefile("rb")
        first = self.file.readline().decode().strip()
        while self.file.readline() not in (b"\r\n", b""):
            pass
        if " 101 " not in first:
            self.close()
            raise Refused(first)

    def send(self, *lines):
        frames = b""
        for line in lines:
            text = line.encode()
            assert len(text) < 65536
            head = bytes([0x81, 0x80 | len(text)]) if len(text) < 126 else b"\x81\xfe" + len(text).to_bytes(2, "big")
            frames += head + bytes(4) + text
        self.socket.sendall(frames)

    def line(self):
        while True:
            head = self.file.read(2)
            if len(head) < 2 or head[0] & 15 == 8:
                raise ConnectionError("the server closed the connection")
            length = head[1] if head[1] < 126 else int.from_bytes(self.file.read(2), "big")
            text = self.file.read(length)
            if head[0] & 15 == 1:
                return text.decode()

    def until(self, start):
        while True:
            line = self.line()
            if line.startswith(start):
                return line

    def close(self):
        self.file.close()
        self.socket.close()


class Noise:
    """The connections that waste the server's time. Runs in a process of its own until its parent ends it."""

    def __init__(self, address, count, rate, report):
        host, port = address.rsplit(":", 1)
        self.peer, self.address, self.report = (host, int(port)), address, report
        self.poll = select.epoll()
        self.sockets = {}
        self.missing = [KINDS[number % len(KINDS)] for number in range(count)]
        self.reopened = self.refused = 0
        self.heads = {}
        self.rate = self.may_open = rate

    def run(self):
        parent = os.getppid()
        next_tick = time.monotonic()
        while os.getppid() == parent:
            self.open_some()
            now = time.monotonic()
            if now >= next_tick:
                next_tick = now + 1.0
                self.tick()
            for number, events in self.poll.poll(0.02, 1000):
                self.event(number, events)

    def open_some(self):
        # The rate holds over a second; so much at a time does not overflow the queue of the server.
        for _ in range(min(len(self.missing), self.may_open, 100)):
            self.may_open -= 1
            kind = self.missing.pop()
            connection = socket.socket()
            connection.setblocking(False)
            if kind == "deaf":
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            if connection.connect_ex(self.peer) not in (0, errno.EINPROGRESS):
                connection.close()
                self.missing.append(kind)
                return
            self.sockets[connection.fileno()] = (connection, kind)
            self.poll.register(connection, select.EPOLLOUT | select.EPOLLRDHUP)

    def event(self, number, events):
        connection, kind = self.sockets[number]
        if events & (select.EPOLLHUP | select.EPOLLERR | select.EPOLLRDHUP):
            return self.reopen(number)
        if events & select.EPOLLOUT:
            interest = select.EPOLLRDHUP
            try:
                if kind == "deaf":
                    connection.send(page(self.address, "/app.js") * 200)
                elif kind == "idle tab":
                    connection.send(upgrade(self.address))
                    interest |= select.EPOLLIN
                elif kind == "slow head":
                    self.heads[number] = 0
            except OSError:
                return self.reopen(number)
            self.poll.modify(connection, interest)
        if events & select.EPOLLIN:
            try:
                answer = connection.recv(4096)
            except OSError:
                answer = b""
            if not answer or answer.startswith(b"HTTP/1.1 503"):
                self.refused += answer.startswith(b"HTTP/1.1 503")
                self.reopen(number)

    def reopen(self, number):
        connection, kind = self.sockets.pop(number)
        self.heads.pop(number, None)
        self.poll.unregister(connection)
        connection.close()
        self.missing.append(kind)
        self.reopened += 1

    def tick(self):
        self.may_open = self.rate
        random.shuffle(self.missing)
        head = page(self.address, "/" + "x" * 200)
        for number, sent in list(self.heads.items()):
            try:
                self.sockets[number][0].send(head[sent : sent + 1])
                self.heads[number] = sent + 1
            except OSError:
                self.reopen(number)
        line = f"{len(self.sockets)} {self.reopened} {self.refused}\n"
        os.write(self.report, line.encode())


class Crowd:
    """The people who play, the newcomers, and what they measured, in milliseconds."""

    def __init__(self, address):
        self.address = address
        self.moves, self.answers, self.newcomers, self.late, self.failures = [], [], [], [], []
        self.games = self.refused = 0
        self.stop = threading.Event()

    def play(self, number):
        chance = random.Random(number)
        size, connect, limit = [(3, 3, "go"), (4, 4, "go"), (7, 5, "go nodes 500"), (10, 5, "go nodes 500")][number % 4]
        try:
            tab = self.admitted(lambda: self.open(f"setoption size {size}", f"setoption connect {connect}"))
            while tab and not self.stop.is_set():
                self.game(tab, chance, limit)
                self.games += 1
        except (OSError, Refused) as error:
            self.failures.append(f"player {number}: {error!r}")

    def game(self, tab, chance, limit):
        """A game against the engine. Every other move is a random one of the player."""
        moves = []
        while not self.stop.is_set():
            self.stop.wait(chance.uniform(0.02, 0.2))
            position = "position startpos" + (" moves " + " ".join(moves) if moves else "")
            start = time.monotonic()
            tab.send(position, limit)
            answer = tab.until("bestmove").split()[1]
            self.moves.append(1000 * (time.monotonic() - start))
            if answer == "(none)":
                return
            moves.append(answer)
            tab.send("position startpos moves " + " ".join(moves), "query moves")
            free = tab.until("response").split()[1:]
            if not free:
                return
            moves.append(chance.choice(free))

    def sleep(self):
        while not self.stop.is_set():
            start = time.monotonic()
            time.sleep(0.01)
            self.late.append(1000 * (time.monotonic() - start - 0.01))

    def come(self):
        while not self.stop.wait(0.5):
            start = time.monotonic()
            try:
                tab = self.admitted(self.visit)
                if tab:
                    self.newcomers.append(1000 * (time.monotonic() - start))
                    tab.close()
            except (OSError, Refused) as error:
                self.failures.append(f"a newcomer: {error!r}")

    def open(self, *lines):
        """Opens a tab, whose first lines are these."""
        tab = Tab(self.address)
        tab.send(*lines, "isready")
        tab.until("readyok")
        return tab

    def visit(self):
        """Loads the page and opens its tab."""
        start = time.monotonic()
        host, port = self.address.rsplit(":", 1)
        with socket.create_connection((host, int(port)), timeout=PATIENCE) as connection:
            connection.sendall(page(self.address, "/").replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
            with connection.makefile("rb") as answer:
                first = answer.readline().decode().strip()
                answer.read()
        self.answers.append(1000 * (time.monotonic() - start))
        if " 200 " not in first:
            raise Refused(first)
        return self.open()

    def admitted(self, try_once):
        """A tab, as soon as there is a place for it, or None at the end. Raises `Refused` when there is none for long."""
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                return try_once()
            except Refused:
                self.refused += 1
                if self.stop.wait(AGAIN):
                    return None
                if time.monotonic() > deadline:
                    raise


def row(name, times):
    if not times:
        return f"{name:10} none"
    times = sorted(times)
    return f"{name:10} {len(times):7} {times[len(times) // 2]:9.2f} {p99_of(times):9.2f} {times[-1]:9.2f}"


def p99_of(times):
    return sorted(times)[min(len(times) - 1, int(0.99 * len(times)))] if times else float("inf")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--connections", type=int, default=10_000)
    parser.add_argument("--rate", type=int, default=1000)
    parser.add_argument("--players", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--open-files", type=int, default=20_000)
    parser.add_argument("--max-sessions", type=int, default=4_000)
    parser.add_argument("--excuse", action="store_true")
    options = parser.parse_args()

    def confine():
        resource.setrlimit(resource.RLIMIT_NOFILE, (options.open_files, options.open_files))

    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = options.connections + 200
    if hard != resource.RLIM_INFINITY and hard < max(wanted, options.open_files):
        print(f"not checked: {max(wanted, options.open_files)} open files are needed, and at most {hard} are possible")
        sys.exit(0 if options.excuse else 1)
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))

    log = tempfile.TemporaryFile("w+")
    command = [NOUGHTS, "serve", "--port", "0", "--max-sessions", str(options.max_sessions)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, preexec_fn=confine)
    address = re.sub("^http://|/$", "", server.stdout.readline().strip())
    crowd = Crowd(address)
    threads = [threading.Thread(target=crowd.play, args=[number]) for number in range(options.players)]
    noise, peak, said = 0, {"VmRSS": 0, "fd": 0, "threads": 0, "sockets": 0, "ticks": 0}, ""
    try:
        inlet, outlet = os.pipe()
        os.set_blocking(inlet, False)
        noise = os.fork()
        if noise == 0:
            try:
                Noise(address, options.connections, options.rate, outlet).run()
            finally:
                os._exit(0)
        for thread in threads:
            thread.start()
        others = [threading.Thread(target=crowd.come), threading.Thread(target=crowd.sleep)]
        for thread in others:
            thread.start()
        end = time.monotonic() + options.seconds
        while time.monotonic() < end:
            time.sleep(0.5)
            try:
                said = os.read(inlet, 1 << 16).decode().splitlines()[-1]
            except BlockingIOError:
                pass
            for name, value in measured(server.pid).items():
                peak[name] = max(peak[name], value)
        crowd.stop.set()
        for thread in [*threads, *others]:
            thread.join()
    finally:
        crowd.stop.set()
        if noise:
            os.kill(noise, signal.SIGKILL)
            os.waitpid(noise, 0)
        server.kill()
        server.wait()
    log.seek(0)
    lines = log.read().splitlines()
    held, reopened, refused = (said or "0 0 0").split()
    print(f"{held} connections held at the end, {reopened} opened again, {refused} idle tabs refused")
    print(f"{crowd.games} games; people were refused {crowd.refused} times, and tried again")
    print(f"{'':10} {'count':>7} {'median ms':>9} {'p99 ms':>9} {'worst ms':>9}")
    print(row("moves", crowd.moves))
    print(row("answers", crowd.answers))
    print(row("newcomers", crowd.newcomers))
    print(row("sleeps", crowd.late))
    seconds = peak["ticks"] / os.sysconf("SC_CLK_TCK")
    print(
        f"server: {seconds:.1f} s of {options.seconds:.0f}, {peak['VmRSS'] / 1024:.1f} MiB resident, {peak['fd']} open "
        f"files, {peak['threads']} threads; all TCP sockets: {peak['sockets'] * PAGE / (1 << 20):.1f} MiB"
    )
    print(f"log: {len(lines)} lines")
    for line in lines[:10]:
        print(f"  {line}")
    for failure in crowd.failures[:10]:
        print(f"failed: {failure}")
    kinds = 5
    bad = crowd.failures or not crowd.newcomers or len(lines) > kinds * (1 + options.seconds // 60)
    if options.excuse and p99_of(crowd.late) >= LATE_BOUND:
        print("times do not count: the machine was busy")
    else:
        bad = bad or p99_of(crowd.moves) >= MOVE_BOUND or p99_of(crowd.answers) >= ANSWER_BOUND
    sys.exit(1 if bad else 0)


def measured(process):
    """What the server needs now: memory in KiB, files, threads; and pages of all TCP sockets of the machine."""
    with open(f"/proc/{process}/status", encoding="ascii") as status:
        fields = dict(line.split(":", 1) for line in status)
    with open("/proc/net/sockstat", encoding="ascii") as sockets:
        pages = re.search(r"TCP:.* mem (\d+)", sockets.read())
    with open(f"/proc/{process}/stat", encoding="ascii") as stat:
        ticks = sum(map(int, stat.read().rsplit(")", 1)[1].split()[11:13]))
    return {
        "ticks": ticks,
        "VmRSS": int(fields["VmRSS"].split()[0]),
        "threads": int(fields["Threads"]),
        "fd": len(os.listdir(f"/proc/{process}/fd")),
        "sockets": int(pages[1]) if pages else 0,
    }


if __name__ == "__main__":
    main()
