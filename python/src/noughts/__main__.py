"""``python -m noughts`` is the program."""

import os
import subprocess
import sys

from .binary import find


def main() -> int:
    """Run the program with the arguments of the command line."""
    command = [find(), *sys.argv[1:]]
    if os.name == "posix":
        os.execv(command[0], command)  # noqa: S606
    return subprocess.run(command, check=False).returncode  # noqa: S603


if __name__ == "__main__":
    sys.exit(main())
