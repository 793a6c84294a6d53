"""Where the program is."""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
from pathlib import Path


def find() -> str:
    """Return the path of the program: that of this package, or of the variable ``NOUGHTS``, or on the ``PATH``."""
    if chosen := os.environ.get("NOUGHTS"):
        return chosen
    name = "noughts" + (sysconfig.get_config_var("EXE") or "")
    user = sysconfig.get_preferred_scheme("user")
    folders = [sysconfig.get_path("scripts"), sysconfig.get_path("scripts", user), str(Path(sys.executable).parent)]
    for folder in folders:
        path = Path(folder) / name
        if path.is_file():
            return str(path)
    if found := shutil.which("noughts"):
        return found
    raise FileNotFoundError("the program noughts is not beside this Python; the wheel of the package brings it")
