"""The program, asked over pipes: what the module is held against."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING, Any

from noughts.binary import find

if TYPE_CHECKING:
    from collections.abc import Iterable

    from noughts import Line, Position


def rules_of(position: Position) -> tuple[tuple[str, str], ...]:
    """The options that choose the game of a position."""
    columns = 0 if position.columns == position.rows else position.columns
    reverse = "true" if position.reverse else "false"
    shape = ("size", str(position.rows)), ("columns", str(columns))
    return (*shape, ("connect", str(position.connect)), ("reverse", reverse))


def heard(lines: Iterable[str]) -> list[str]:
    """What the program says to these lines."""
    asked = "\n".join([*lines, "wait", "quit"]) + "\n"
    return subprocess.run([find()], input=asked, capture_output=True, text=True, check=True).stdout.splitlines()


def answers(options: dict[str, Any], positions: Iterable[Position], go: str) -> list[tuple[str, list[str], list[str]]]:
    """For each position: the move, the lines of the best moves and of the search, and the notes."""
    lines = [f"setoption {name.replace('_overhead', ' overhead')} {value}" for name, value in options.items()]
    for position in positions:
        lines += [f"setoption {name} {value}" for name, value in rules_of(position)]
        lines += [f"position fen {position.text}", go]
    found: list[tuple[str, list[str], list[str]]] = []
    infos: list[str] = []
    notes: list[str] = []
    for line in heard(lines):
        if line.startswith("bestmove"):
            found.append((line.split()[1], infos, notes))
            infos, notes = [], []
        elif line.startswith("info string "):
            notes.append(line.removeprefix("info string "))
        elif line.startswith("info "):
            infos.append(line)
    return found


def said(line: Line, rank: int | None = None) -> str:
    """A line of the module in the words of the program, without its times."""

    def number(value: float) -> str:
        text = f"{value:.4f}".rstrip("0").rstrip(".")
        return "0" if text == "-0" else text

    words = [f"depth {line.depth}"] + ([f"multipv {rank}"] if rank else [])
    words += ["wdl {} {} {}".format(*line.wdl)] if line.wdl else []
    words += [f"value {number(line.value)} proven {str(line.proven).lower()}"]
    for name in ("plies", "plies_at_most", "trials"):
        words += [f"{name} {getattr(line, name)}"] if getattr(line, name) is not None else []
    words += [f"total {number(line.total)}"] if line.total is not None else []
    words += [f"nodes {line.nodes}"]
    return " ".join([*words, *(["pv", *map(str, line.pv)] if line.pv else [])])


def without_times(info: str) -> str:
    """An info line of the program without its score for other programs and its times."""
    words = info.split()[1:]
    kept = []
    place = 0
    while place < len(words):
        key = words[place]
        if key == "pv":
            kept += words[place:]
            break
        width = {"score": 3, "wdl": 4}.get(key, 2)
        width += key == "score" and words[place + 3] in {"lowerbound", "upperbound"}
        if key not in {"score", "nps", "time"}:
            kept += words[place : place + width]
        place += width
    return " ".join(kept)
