"""What the engines of these tests have in common: their arguments, faults below any protocol, and their end.

The number of the process is appended to the file of the word `pids=FILE`, each line that it reads to that of `heard=FILE`.
"""

import os
import signal
import sys
import time

WORDS = dict(word.partition("=")[::2] for word in sys.argv[1:])
HEARD = open(WORDS["heard"], "a") if "heard" in WORDS else None


def arguments(modes, place):
    """The mode, the number of the move on which its fault happens, and milliseconds."""
    mode = sys.argv[1] if len(sys.argv) > 1 else ""
    if mode not in modes:
        program = os.path.basename(sys.argv[0])
        modes = ", ".join(modes)
        sys.exit(f"usage: {program} MODE [{place} [MS]] [pids=FILE] [heard=FILE] [word ...]; modes are {modes}")
    numbers = [int(word) for word in sys.argv[2:] if word.isdigit()]
    return mode, *(numbers + [1, 0][len(numbers) :])[:2]


def write(data, where=1):
    data = memoryview(data)
    while data:
        data = data[os.write(where, data) :]


def say(*lines):
    print(*lines, sep="\n", flush=True)


def hear(text):
    if HEARD:
        HEARD.write(text + "\n")
        HEARD.flush()


def sleep_for_ever():
    while True:
        time.sleep(3600)


def die_by_signal():
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.kill(os.getpid(), signal.SIGSEGV)


def run(work, ignores_end=False):
    """Does the work, and ends without a word when the client has gone. What ignores the end has to be killed."""
    if "pids" in WORDS:
        with open(WORDS["pids"], "a") as pids:
            pids.write("%d\n" % os.getpid())
    if ignores_end:
        for which in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(which, signal.SIG_IGN)
    try:
        work()
    except (BrokenPipeError, KeyboardInterrupt):
        pass
    if ignores_end:
        sleep_for_ever()
    # Without the end of threads and the closing of what may be closed.
    os._exit(0)
