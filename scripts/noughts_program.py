"""Where the program `noughts` is. Scripts import this file; it does nothing by itself."""

import os
import shutil
import sys

BUILD = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "target", "release", "noughts")


def find():
    """The program that NOUGHTS names, or that on the PATH, or the release build. Without NOUGHTS, standard error says which."""
    if chosen := os.environ.get("NOUGHTS"):
        return chosen
    found = shutil.which("noughts") or shutil.which(BUILD)
    if not found:
        sys.exit("error: there is no program noughts; set NOUGHTS, or put it on the PATH, or run cargo build --release")
    print(f"the program is {os.path.normpath(found)}", file=sys.stderr)
    return found
