#!/usr/bin/env python3
"""A match of the Windows program that is killed leaves no engine: the system ends the job objects of its engines.

    tests/windows/killed_match.py NOUGHTS

The engines search without an end, and hear nothing of the end of the match but through the system. The match is killed once
all of them run. A match that is killed in the instant in which it starts an engine, after the system has made the process and
before it belongs to its job, leaves a process that never runs: docs/windows.md.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

MARKER = f"NOUGHTS_KILLED_MATCH={os.getpid()}"


def processes():
    """The processes of the match and its engines: how many threads each has. A process that is about to run has one."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if MARKER.encode() in (folder / "environ").read_bytes().split(b"\0"):
                found[int(folder.name)] = len(list((folder / "task").iterdir()))
        except OSError:
            pass  # It has ended meanwhile, or is none of ours.
    return found


def wait_for(what, holds):
    """Waits until something holds, 30 seconds at the longest."""
    end = time.monotonic() + 30
    while not holds(found := processes()):
        if time.monotonic() > end:
            sys.exit(f"no {what}: {found}")
        time.sleep(0.05)
    return found


def main():
    engine = "cmd=noughts option.player=mcts"
    words = ["match", "--engine", f"name=A {engine}", "--engine", f"name=B {engine}"]
    limits = ["--size", "10", "--connect", "5", "--games", "2", "--movetime", "60000"]
    name, _, value = MARKER.partition("=")
    match = subprocess.Popen([sys.argv[1], *words, *limits], env=os.environ | {name: value}, stdin=subprocess.DEVNULL,
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    before = wait_for("match with two engines that run", lambda found: len(found) >= 3 and min(found.values()) > 1)
    match.send_signal(signal.SIGKILL)
    match.wait()
    wait_for("end of the engines", lambda found: not found)
    print(f"{len(before)} processes, and none after the match was killed")


main()
