"""Work in a forked process."""

from __future__ import annotations

import os
import select
import signal
import warnings
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_SECONDS = 10.0


def in_a_fork(work: Callable[[], object]) -> str:
    """The result of ``work``, as text, or the error that it raises, in a fork; ``hangs`` after ten seconds."""
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        # Python warns of forks beside threads, which are what is tested.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if not child:
        try:
            said = str(work())
        except BaseException as error:  # noqa: BLE001, the parent gets it
            said = f"{type(error).__name__}: {error}"
        os.write(writing, said.encode())
        os._exit(0)
    said = os.read(reading, 1 << 16).decode() if select.select([reading], [], [], _SECONDS)[0] else "hangs"
    os.close(reading)
    os.close(writing)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return said
