#!/usr/bin/env python3
"""Holds the answers of one engine against those of another: they must be the same bytes, apart from times.

    tests/windows/same_answers.py ENGINE OTHER

Both get what the clients of the transcripts in protocol.md and docs/adapters.md say, at once, as a file. Transcripts whose
answers depend on when a line comes are left out.
"""

import re
import subprocess
import sys
from pathlib import Path

# Commands whose effect depends on when they come, and limits of time.
TIMED = re.compile(r"^(stop|ponderhit|abort|\?|undo)\b|infinite|ponder|movetime|[wb]time|^INFO timeout|^st \d|^level ", re.MULTILINE | re.IGNORECASE)


def conversations():
    """The options and the client's lines of each transcript."""
    for name in ("protocol.md", "docs/adapters.md"):
        blocks = re.findall(r"^```transcript(.*)\n((?:.*\n)*?)```$", Path(name).read_text(), re.MULTILINE)
        for options, block in blocks:
            lines = [line[2:] for line in block.splitlines() if line.startswith("> ")]
            script = "\n".join(lines) + "\n"
            if not TIMED.search(script):
                yield options.split(), script


def answers(engine, options, script):
    """What an engine says, with its exit status, times apart."""
    words = [word for option in options for word in ("--option", option)]
    done = subprocess.run([engine, *words], input=script.encode(), capture_output=True, timeout=60, check=False)
    said = re.sub(rb"\b(time|nps) \d+", rb"\1 *", done.stdout)
    # XBoard's lines of thinking: the third number is a time.
    return re.sub(rb"^(-?\d+ -?\d+) \d+ (\d+ )", rb"\1 * \2", said, flags=re.MULTILINE), done.stderr, done.returncode


def main():
    engine, other = sys.argv[1:]
    equal, total, size = 0, 0, 0
    for options, script in conversations():
        found, expected = answers(engine, options, script), answers(other, options, script)
        total += 1
        size += len(expected[0])
        if found == expected:
            equal += 1
        else:
            print(f"different answers to {script!r} with {options}:\n{found}\ninstead of\n{expected}", file=sys.stderr)
    print(f"{equal} of {total} conversations have the same answers, {size} bytes")
    if equal < total or total == 0:
        sys.exit(1)


main()
