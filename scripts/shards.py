"""What the scripts that make tables share: playing a part of their matches, and putting the parts together."""

import glob
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
NOUGHTS = os.environ.get("NOUGHTS", os.path.join(HERE, "..", "target", "release", "noughts"))


def add_arguments(parser):
    """The options of a script that can be run in parts."""
    parser.add_argument("--folder", help="where to record; what was broken off is continued")
    parser.add_argument("--shard", metavar="I/N", help="play the Ith of N parts, or auto/N, into the folder; no table")
    parser.add_argument("--join", action="store_true", help="print the table from the parts in the folder")


def prepare(options):
    """Makes the folder. A part without one would be lost."""
    if (options.shard or options.join) and not options.folder:
        sys.exit("error: --shard and --join need --folder")
    if options.folder:
        os.makedirs(options.folder, exist_ok=True)


def result(command, name, options):
    """The result of a call of `noughts match` as JSON; None if only a part of it is played. Its record in the folder has this
    name."""
    path = os.path.join(options.folder, name.replace(" ", "-")) if options.folder else None
    if options.join:
        files = sorted(glob.glob(glob.escape(path) + "-[0-9]*.jsonl")) or [path + ".jsonl"]
        command = ["report"] + files
    elif options.shard:
        command = command + ["--shard", options.shard, "--record", path + "-{shard}.jsonl", "--resume"]
    elif path:
        command = command + ["--record", path + ".jsonl", "--resume"]
    command = [NOUGHTS] + command + ["--format", "json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE if options.join else None, check=False)
    if options.join and (done.returncode != 0 or b" missing" in done.stderr):
        sys.exit(done.stderr.decode().strip())
    done.check_returncode()
    said = done.stdout
    return None if options.shard else json.loads(said)
