"""A player of a tournament in a process of its own, with a limit of memory: :mod:`noughts.tournament` starts it.

``play MEMORY FILE`` answers for the function in a Python file, over standard input and output. ``run MEMORY FOLDER
COMMAND...`` becomes that program. ``MEMORY`` is in MiB. What a file does that is odd is noted in ``NAME.notes`` in the
folder in which the process starts.
"""

from __future__ import annotations

import io
import os
import random
import subprocess
import sys
import traceback
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, NoReturn

import noughts
from noughts import homework
from noughts._noughts import AgentDialogue, AgentError

if TYPE_CHECKING:
    from collections.abc import Callable

FUNCTIONS = ("move", "mc_move", "agent")
"""The names of functions that are taken for the player of a file, the first that there is."""

_SEED = "option name seed type spin default 1 min 1 max 2147483647\n"


class _Silent(io.TextIOBase):
    """What is printed. It is passed over, with a note: the protocol has standard output for itself."""

    def __init__(self, note: Callable[[str], None]) -> None:
        self._note = note

    def write(self, text: str) -> int:
        self._note("prints text, which is passed over")
        return len(text)


def _limit_memory(mebibytes: int) -> None:
    """Limit the memory of this process, where the system has such limits: Linux and other Unix, not Windows."""
    try:
        import resource  # noqa: PLC0415, Windows has none

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        size = mebibytes << 20
        resource.setrlimit(resource.RLIMIT_AS, (size if hard == resource.RLIM_INFINITY else min(size, hard), hard))
    except (ImportError, OSError, ValueError):
        pass


def _fail(does: str, error: BaseException, file: Path = Path()) -> NoReturn:
    """End with a line that says what went wrong, and where in the file."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(file)]
    where = f" in line {lines[-1]}" if lines else ""
    text = " ".join(str(error).split())
    os.write(2, f"{does} {type(error).__name__}{': ' if text else ''}{text}{where}\n".encode(errors="replace"))
    os._exit(1)


def _load(file: Path) -> tuple[ModuleType, Any]:
    """Import the file, and find its player."""
    players: list[Any] = []
    noughts.run_engine = players.append  # type: ignore[assignment]
    module = sys.modules["player"] = ModuleType("player")
    module.__file__ = str(file)
    exec(compile(file.read_bytes(), file, "exec", dont_inherit=True), vars(module))  # noqa: S102, it is our task
    players += [getattr(module, name) for name in FUNCTIONS if callable(getattr(module, name, None))]
    if not players:
        raise AttributeError(f"{file.name} has no function {', '.join(FUNCTIONS[:-1])} or {FUNCTIONS[-1]}")
    return module, players[0]


def _watched(module: ModuleType, mc_move: homework.Mover, note: Callable[[str], None]) -> Any:
    """Return the function, with a note when it changes the board: it is to make moves on a clone."""

    def move(board: homework.TTTBoard, player: int, trials: int) -> Any:
        before = str(board)
        answer = mc_move(board, player, trials)
        if str(board) != before:
            note("changes the board that it is given, not a clone of it")
        return answer

    return homework.agent(move, getattr(module, "NTRIALS", None))


def play(file: Path) -> None:
    """Be an engine that plays as the function of the file does. A seed of the client seeds ``random`` and NumPy."""
    notes, noted = Path(file.name + ".notes").resolve(), set[str]()

    def note(text: str) -> None:
        if text not in noted:
            noted.add(text)
            with notes.open("a", encoding="utf-8") as lines:
                lines.write(text + "\n")

    questions, answers = os.fdopen(os.dup(0), encoding="utf-8"), os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    sys.stdout, sys.dont_write_bytecode = _Silent(note), True
    # Files of other players are found last: one that is called random.py is not the module of that name.
    sys.path = [*sys.path[1:], str(file.parent)]
    os.chdir(file.parent)
    try:
        module, player = _load(file)
    except BaseException as error:  # noqa: BLE001, also what a file exits with
        _fail("its import raised", error, file)
    dialogue = AgentDialogue(_watched(module, player, note) if homework.is_mover(player) else player)
    for line in questions:
        if line.strip() == "quit":
            break
        if line.startswith("setoption name seed "):
            random.seed(int(line.split()[-1]))
            if numpy := sys.modules.get("numpy"):
                numpy.random.seed(int(line.split()[-1]))
            continue
        try:
            reply = dialogue.reply(line)
        except AgentError as error:
            _fail("it raised", error.__cause__ or error, file)
        answers.write(reply.replace("ugiok", _SEED + "ugiok") if line.strip() == "ugi" else reply)
        answers.flush()


def main(verb: str, memory: str, *words: str) -> None:
    """Play as a file, or become a program."""
    _limit_memory(int(memory))
    if verb == "play":
        play(Path(words[0]))
    else:
        os.chdir(words[0])
        try:
            if os.name == "posix":
                os.execvp(words[1], words[1:])  # noqa: S606
            sys.exit(subprocess.run(words[1:], check=False).returncode)  # noqa: S603
        except (OSError, IndexError) as error:
            _fail("no player:", error)


if __name__ == "__main__":
    main(*sys.argv[1:])
